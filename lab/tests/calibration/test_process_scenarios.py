"""The processes of hothorn2005: equal errors where it is said, and what tests make of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from podium.core.inference.comparing.known import PROCEDURES
from podium.core.verdicts.verbs import compare
from podium.errors import InferenceError
from podium_lab.calibration import equal_processes
from podium_lab.calibration.calibrate import calibrate
from podium_lab.calibration.equal_processes import (
    BETA,
    BETA_OUT_OF_BAG,
    GAMMA,
    GAMMA_OUT_OF_BAG,
    Planes,
    Regressions,
    centred,
)
from podium_lab.calibration.judging import suits
from podium_lab.calibration.scenarios import SCENARIOS
from podium_lab.calibration.tree_or_discriminant import Fits, Plane, fold_counts, unused

REPLICATIONS = 100
MOST = 0.05 + 4 * np.sqrt(0.05 * 0.95 / REPLICATIONS)  # four standard errors above nominal


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


# -- equal errors ---------------------------------------------------------------------------------


def test_an_endless_test_sample_has_the_moments_of_the_process():
    x = stats.uniform(0, 5)
    moments = [0, 0, *(x.moment(k) for k in (2, 3, 4))]  # e has mean 0 whatever x is
    assert moments == pytest.approx(equal_processes.PROCESS)


def test_beta_is_where_the_expected_risks_of_fits_to_150_rows_are_equal(rng):
    """Given x, the errors' part is a trace: what is left to simulate hardly varies."""
    _, _, a, b, c = equal_processes.drawn_sums(rng, 40_000, 150).T
    _, _, t2, t3, t4 = equal_processes.PROCESS
    variance = t2 / a - (t2 * c - 2 * t3 * b + t4 * a) / (a * c - b * b)
    bias = t4 - 2 * b / a * t3 + (b / a) ** 2 * t2
    assert np.sqrt(-variance.mean() / bias.mean()) == pytest.approx(BETA, abs=4e-5)


def test_beta_out_of_bag_is_where_the_expected_out_of_bag_errors_are_equal(rng):
    variance, bias = [], []
    for _ in range(400):
        x = rng.uniform(0, 5, 150)
        powers = np.stack([x**2, x**3, x**4], axis=1)
        counts = fold_counts(rng, 20, 1, 150)[:, 0]
        out = unused(counts)
        learned, twice, tested = (w @ powers for w in (counts, counts**2, out))
        tested /= out.sum(axis=1, keepdims=True)
        gram, noise, test = (np.stack([s[:, :2], s[:, 1:]], 1) for s in (learned, twice, tested))
        inverse = np.linalg.inv(gram)
        both = np.trace(inverse @ noise @ inverse @ test, axis1=1, axis2=2)
        variance.append(twice[:, 0] / learned[:, 0] ** 2 * tested[:, 0] - both)
        bend = learned[:, 1] / learned[:, 0]
        bias.append(tested[:, 2] - 2 * bend * tested[:, 1] + bend**2 * tested[:, 0])
    even = np.sqrt(-np.mean(variance) / np.mean(bias))
    assert even == pytest.approx(BETA_OUT_OF_BAG, rel=0.01)


def test_gamma_is_where_the_expected_risks_of_a_tree_and_a_discriminant_are_equal(rng):
    tree, rule = Planes(GAMMA).risks(rng, 2500).T
    error = (tree - rule).std() / np.sqrt(len(tree))
    assert abs((tree - rule).mean()) < 4 * error < 0.0012
    tree, rule = Planes(GAMMA + 10).risks(rng, 500).T
    assert (tree - rule).mean() > 0.005


def test_gamma_out_of_bag_is_where_the_expected_out_of_bag_errors_are_equal(rng):
    found = [np.diff(Planes(GAMMA_OUT_OF_BAG).judge(rng, False)(5)).mean() for _ in range(250)]
    assert abs(np.mean(found)) < 4 * np.std(found) / np.sqrt(len(found)) < 0.006


def test_exact_risks_are_the_errors_on_a_large_test_sample(rng):
    plane, test = Plane(rng, 4, 200), Plane(rng, 1, 6000)
    fits = Fits.to_samples(plane.at(30), plane.y)
    assert fits.risks(30) == pytest.approx(fits.test_errors(test.at(30)[0], test.y[0]), abs=0.012)


@pytest.mark.parametrize("on_test", [True, False])
def test_errors_of_regressions_are_those_of_least_squares(on_test):
    rng, again = np.random.default_rng(4), np.random.default_rng(4)
    ours = Regressions(0.1).judge(rng, on_test)(1)[0]
    x, e = again.uniform(0, 5, 300), again.standard_normal(300)
    rows = np.repeat(np.arange(150), fold_counts(again, 1, 1, 150)[0, 0].astype(int))
    y = 2 * x + 0.1 * x**2 + e
    tested = np.arange(150, 300) if on_test else np.setdiff1d(np.arange(150), rows)
    for error, design in zip(ours, (x[:, None], np.column_stack([x, x**2])), strict=True):
        fit = np.linalg.lstsq(design[rows], y[rows], rcond=None)[0]
        assert error == pytest.approx(np.mean((y[tested] - design[tested] @ fit) ** 2))


def test_a_centred_mean_varies_as_if_the_expectation_were_known(rng):
    """Eight times as many further draws would add an eighth to the variance."""
    drawn = [
        centred(rng.normal(3, 1, (10, 2)), rng.normal(3, 1, (10, 2))).mean(axis=0)
        for _ in range(10_000)
    ]
    assert np.var(np.diff(drawn)) == pytest.approx(2 / 10, rel=0.05)
    assert np.mean(np.diff(drawn)) == pytest.approx(0, abs=0.01)


# -- what tests make of them ----------------------------------------------------------------------


@pytest.mark.long
def test_out_of_bag_tests_of_one_sample_err_one_sided_in_a_fifth_and_two_sided_in_86_percent():
    """As evidence about the process, where fits to whole samples are equally good.

    3000 replications give 0.195 one-sided at 0.05 (0.182 at 0.025) and 0.861 two-sided.
    """
    scenario, runs = SCENARIOS["nested-fresh"], 120
    found = np.zeros(3)
    for seed in range(runs):
        layout = scenario.layout(np.random.default_rng((5, seed)), 250, 2)
        # a1, the linear model, less a2: the alternative of the paper is that a1 errs more
        p = [
            compare(layout, "paired-t", alternative=way, force=True).table["p"].iloc[0]
            for way in ("two-sided", "greater", "less")
        ]
        found += np.array(p) <= 0.05
    two_sided, greater, less = found / runs
    assert two_sided == pytest.approx(0.861, abs=4 * np.sqrt(0.12 / runs))
    assert greater == pytest.approx(0.195, abs=4 * np.sqrt(0.157 / runs))
    assert less > 0.5  # bootstrap samples have fewer distinct rows: the linear model gains


def test_corrected_t_tests_alone_are_legal_there_and_hold_their_level():
    for name in ("nested-population", "nested-fresh", "tree-population", "tree-fresh"):
        legal = [p for p in PROCEDURES.values() if suits(p, SCENARIOS[name])]
        assert [p.name for p in legal] == ["corrected-t", "corrected-t-nb"]
    for name, runs in (("nested-population", 60), ("tree-population", 20)):
        assert calibrate("paired-t", name, replications=runs).rate > 0.5
        assert calibrate("corrected-t", name, replications=runs).rate <= MOST


@pytest.mark.long
@pytest.mark.parametrize("name", ["nested-simulation", "nested-sample", "nested-competition"])
def test_tests_of_means_hold_their_level_where_the_blocks_are_evidence(name):
    where = {"scenario": name, "replications": REPLICATIONS}
    assert calibrate("paired-t", **where).rate <= MOST
    assert 0 < calibrate("permutation", **where).rate <= MOST


@pytest.mark.long
def test_so_they_do_for_a_tree_and_a_discriminant():
    assert calibrate("paired-t", "tree-simulation", replications=200).rate <= MOST
    assert calibrate("paired-t", "tree-sample", replications=REPLICATIONS).rate <= MOST
    assert calibrate("paired-t", "tree-competition", replications=REPLICATIONS).rate <= MOST


def test_ranks_and_signs_see_the_skewness_of_equally_good_algorithms():
    """Their nulls are no statement about means."""
    for name in ("wilcoxon", "sign"):
        assert calibrate(name, "nested-simulation", replications=50).rate > 0.7


def test_there_are_two_algorithms_and_scores_that_are_errors_with_the_sign_turned():
    scenario = SCENARIOS["tree-simulation"]
    assert ((scenario.example().values > -0.5) & (scenario.example().values < 0)).all()
    with pytest.raises(InferenceError, match="have 2 algorithms, not 5"):
        scenario.layout(np.random.default_rng(1), 10, 5)
