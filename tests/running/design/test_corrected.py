"""The .632 and .632+ estimators against numbers computed by hand and their limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KernelDensity

import podium
from podium.errors import DesignError
from podium.running.design.measuring.corrections import (
    Correction,
    Losses,
    apparent,
    corrected,
    estimate_632,
    estimate_632plus,
    is_mean_loss,
    no_information,
)
from podium.running.design.measuring.outputs import Output
from podium.running.design.measuring.scoring import computed

repeatably = settings(derandomize=True, deadline=None, max_examples=100)
losses = st.builds(Losses, *[st.floats(0, 1)] * 3)


def test_an_example_by_hand():
    """R = (.3 - .1)/(.5 - .1) = 1/2, w = .632/(1 - .368/2) = .7745, (1 - w).1 + w.3 = .2549."""
    example = Losses(out_of_bag=0.3, apparent=0.1, no_information=0.5)
    assert estimate_632(example) == pytest.approx(0.368 * 0.1 + 0.632 * 0.3)
    assert estimate_632plus(example) == pytest.approx(0.254902, abs=1e-6)


def test_one_nearest_neighbour_on_pure_noise_is_found_out():
    """Efron and Tibshirani's example: apparent 0, truth 1/2; .632 says .316 and .632+ says 1/2."""
    noise = Losses(out_of_bag=0.5, apparent=0.0, no_information=0.5)
    assert estimate_632(noise) == pytest.approx(0.316)
    assert estimate_632plus(noise) == pytest.approx(0.5)


@repeatably
@given(losses)
def test_plus_is_632_without_overfitting_and_between_632_and_out_of_bag_with_it(given_losses):
    plus, plain = estimate_632plus(given_losses), estimate_632(given_losses)
    overfits = given_losses.apparent < min(given_losses.out_of_bag, given_losses.no_information)
    if not overfits:
        assert plus == plain
    else:
        assert plain - 1e-12 <= plus <= given_losses.out_of_bag + 1e-12


@repeatably
@given(losses)
def test_where_out_of_bag_is_no_worse_than_no_information_the_weights_are_the_paper_s(given_losses):
    """Equation 29: the weight of the out-of-bag loss is .632/(1 - .368 R)."""
    one, zero, gamma = given_losses.out_of_bag, given_losses.apparent, given_losses.no_information
    if zero + 1e-6 < one <= gamma:
        weight = 0.632 / (1 - 0.368 * (one - zero) / (gamma - zero))
        expected = (1 - weight) * zero + weight * one
        assert estimate_632plus(given_losses) == pytest.approx(expected)


def test_no_information_error_is_that_of_independent_classes():
    """Equation 27 for two classes: p(1 - q) + (1 - p)q."""
    rng = np.random.default_rng(0)
    y, said = rng.integers(2, size=200), rng.integers(2, size=200)
    p, q = y.mean(), said.mean()
    output = Output(y, {"predict": said}, 2)
    assert no_information(computed("error"), output) == pytest.approx(p * (1 - q) + (1 - p) * q)


@pytest.mark.parametrize("name", ["squared", "absolute", "brier", "log-loss", "accuracy"])
def test_no_information_is_the_mean_over_all_pairs(name):
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=20)
    proba = rng.dirichlet(np.ones(3), size=20)
    output = Output(y, {"predict": rng.integers(3, size=20), "predict_proba": proba}, 3)
    m = computed(name)
    pairs = [
        m.score(Output(y[[i]], {k: v[[j]] for k, v in output.values.items()}, 3))
        for i in range(20)
        for j in range(20)
    ]
    assert no_information(m, output) == pytest.approx(np.mean(pairs))


def test_gains_are_corrected_as_their_losses_are():
    rng = np.random.default_rng(2)
    whole, bag = (
        [Output(rng.integers(2, size=n), {"predict": rng.integers(2, size=n)}, 2)] for n in (50, 20)
    )
    measures = [computed("error"), computed("accuracy")]
    found = corrected(Correction(estimate_632plus), measures, bag, apparent(measures, whole)).values
    assert found["accuracy"] == pytest.approx(1 - found["error"])


@pytest.mark.parametrize(
    ("measure", "mean"),
    [
        ("error", True),
        ("accuracy", True),
        ("squared", True),
        ("log-loss", True),
        ("absolute:median", False),
        ("absolute:quantile:0.9", False),
        ("absolute:supremum", False),
        ("squared:root-mean", False),
        ("rmse", False),
        ("auc", False),
        ("sklearn:r2", False),
        ("log-likelihood", True),
        ("log-likelihood:median", False),
    ],
)
def test_which_measures_are_means_of_a_loss(measure, mean):
    assert is_mean_loss(computed(measure)) is mean


def test_a_density_has_the_632_estimate_and_no_632plus(tmp_path):
    data = podium.dataset("d", np.random.default_rng(0).normal(size=(40, 1)), task="density")
    density = podium.algorithm("k", KernelDensity(bandwidth=0.5), output="score_samples")
    X = data.X

    def study(sampling):
        return podium.Study(data, [density], sampling=sampling, measures=["log-likelihood"])

    given = study("bootstrap-632:2")
    found = podium.run(given, tmp_path / "s.db", quiet=True, jobs=0).values("log-likelihood")
    apparent_value = KernelDensity(bandwidth=0.5).fit(X).score_samples(X).mean()
    for number, value in zip(found["sample"], found["value"], strict=True):
        split = given.sampler.once(data, number)[1].splits[0]
        bag = KernelDensity(bandwidth=0.5).fit(X[split.train]).score_samples(X[split.test]).mean()
        assert value == pytest.approx(0.368 * apparent_value + 0.632 * bag)
    with pytest.raises(DesignError, match="without information, which the measure 'log-like"):
        study("bootstrap-632plus:2")


def test_a_measure_of_ones_own_that_gives_one_number_is_refused_when_it_shows():
    number = podium.measure("mine", lambda y, p: float(np.mean(y != p)), higher_is_better=False)
    each = podium.measure("each", lambda y, p: (y != p).astype(float), higher_is_better=False)
    output = Output(np.array([0, 1]), {"predict": np.array([0, 0])}, 2)
    assert is_mean_loss(number)
    assert apparent([each], [output]).no_information == {"each": 0.5}
    with pytest.raises(DesignError, match="'mine' gives one number for a sample"):
        apparent([number], [output])
