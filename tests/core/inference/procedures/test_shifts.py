"""Rank tests of two show what they are about: pseudo-medians and wins, with limits that invert."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.inference.bricks import shifts
from podium.core.inference.bricks.scales import pratt, signed_ranks
from podium.core.inference.numbers.tails import ranks
from podium.core.verdicts.standing import standing
from podium.core.verdicts.verdict import verdict
from podium.core.words.phrases import plain

X = [0.012, -0.004, 0.023, 0.031, -0.11, 0.0085, 0.017, 0.002, -0.001, 0.045, 0.006, -0.013]
Y, V = [0.31, 0.28, 0.45, 0.39, 0.52, 0.33], [0.41, 0.48, 0.37, 0.55, 0.61, 0.59, 0.44]


def frame(**columns):
    table = pd.DataFrame(columns)
    table.insert(0, "dataset", [f"d{i:02d}" for i in range(len(table))])
    return podium.read(table, measure="accuracy")


def row(differences, procedure="wilcoxon", **options):
    two = frame(a=0.5 + np.asarray(differences), b=0.5)
    return podium.compare(two, procedure, **options).table.iloc[0]


@pytest.mark.parametrize(
    ("options", "p", "low", "high"),
    [  # wilcox.test(x, conf.int = TRUE) of R 4.2, `tol.root` small
        ({}, 0.2333984375, -0.0085, 0.0215),
        ({"alpha": 0.1}, 0.2333984375, -0.0035, 0.0185),
        ({"alternative": "greater"}, 0.1166992, -0.0035, np.nan),
        ({"null": "asymptotic"}, 0.2094268, -0.007, 0.0205),
        ({"null": "corrected"}, 0.2240154, -0.0085, 0.0215),
    ],
)
def test_wilcoxon_as_r_has_it(options, p, low, high):
    found = row(X, **options)
    assert found["p"] == pytest.approx(p, abs=1e-7)
    assert found["estimate"] == pytest.approx(0.007625)
    assert [found["lower"], found["upper"]] == pytest.approx([low, high], nan_ok=True)
    assert found["mean_difference"] == pytest.approx(np.mean(X))


def test_with_ties_and_zeros_as_r_has_it():
    found = row(np.round(X, 2), null="asymptotic")
    assert found["p"] == pytest.approx(0.1881986, abs=1e-7)
    assert found[["estimate", "lower", "upper"]].tolist() == pytest.approx([0.015, -0.045, 0.025])


def test_the_sign_test_has_wins_less_losses_with_the_limits_of_the_binomial():
    found = row(X, "sign")
    assert found["p"] == pytest.approx(0.3876953, abs=1e-7)  # binom.test(8, 12)
    limits = 2 * np.array([0.3488755, 0.9007539]) - 1
    assert [found["estimate"], found["lower"]] == pytest.approx([1 / 3, limits[0]], abs=1e-6)
    assert found["upper"] == pytest.approx(limits[1], abs=1e-6)
    many = row([0.01] * 24 + [-0.01] * 9, "sign")  # prop.test(24, 33, correct = FALSE)
    assert many["lower"] == pytest.approx(2 * 0.5578244 - 1, abs=1e-6)
    assert many["upper"] == pytest.approx(2 * 0.8493256 - 1, abs=1e-6)


def independent(**samples):
    rows = [(name, i, value) for name, own in samples.items() for i, value in enumerate(own)]
    table = pd.DataFrame(rows, columns=["algorithm", "sample", "error"])
    return podium.read(table, sampling="simulation+independent")


def test_rank_sums_as_r_has_them():
    found = podium.compare(independent(y=Y, v=V), "steel-dwass").table.iloc[0]
    assert found["p"] == pytest.approx(0.06329083)
    assert found[["estimate", "lower", "upper"]].tolist() == pytest.approx([-0.105, -0.24, 0.01])
    two = podium.compare(independent(y=Y, v=V), "kruskal-wallis").table.iloc[0]
    pooled = ranks(np.array(Y + V))
    assert two["estimate"] == pytest.approx(pooled[:6].mean() - pooled[6:].mean())
    assert two["mean_difference"] == pytest.approx(np.mean(Y) - np.mean(V))


def test_limits_of_several_pairs_hold_together_and_stepping_down_has_none():
    rng = np.random.default_rng(2)
    values = 0.6 + 0.02 * rng.standard_t(2, (20, 3)) + [0.0, 0.02, 0.05]
    three = frame(a=values[:, 0], b=values[:, 1], c=values[:, 2])
    assert podium.compare(three, "wilcoxon").table[["lower", "upper"]].isna().all(axis=None)
    table = podium.compare(three, "wilcoxon", adjust="bonferroni").table
    alone = [
        podium.compare(three, "wilcoxon", pairs=[tuple(pair)], alpha=0.05 / 3).table.iloc[0]
        for pair in table[["first", "second"]].to_numpy()
    ]
    for end in ("lower", "upper"):
        assert table[end].tolist() == pytest.approx([each[end] for each in alone])


def test_margins_go_by_the_pseudo_median_and_not_by_the_mean():
    """A little better nearly everywhere, and twice far behind."""
    differences = [*np.linspace(0.02, 0.05, 22), -0.45, -0.4]
    found = row(differences, relevance=0.01)
    assert found["mean_difference"] < 0 < 0.01 < found["lower"]
    assert found["verdict"] == "better"
    assert row(differences, equivalence=0.06)["verdict"] == "equivalent"
    within = row(differences, equivalence=0.06)
    assert within["equivalence_upper"] <= 0.06


@pytest.mark.parametrize("seed", range(20))
def test_estimates_have_the_sign_of_the_statistic_with_any_ties(seed):
    rng = np.random.default_rng(seed)
    values = rng.choice([-0.2, -0.1, 0.0, 0.1, 0.3], (int(rng.integers(4, 40)), 2))
    for scores, location in ((signed_ranks, shifts.SIGNED_RANKS), (pratt, shifts.PRATT)):
        made = scores(values)
        statistic = float(made[:, 0].sum() - made[:, 1].sum())
        if abs(statistic) > 1e-9:
            assert np.sign(location.estimate(values)) == np.sign(statistic)
    pooled = ranks(values.T.ravel()).reshape(2, -1).mean(axis=1)
    if abs(pooled[0] - pooled[1]) > 1e-9:
        assert np.sign(shifts.RANK_SUMS.estimate(values)) == np.sign(pooled[0] - pooled[1])


def test_a_step_up_and_a_step_down_cancel_and_the_test_is_sure():
    found = row([0.01] * 65 + [-0.01] * 35)
    assert found["verdict"] == "better"
    assert found["estimate"] == pytest.approx(0.01)


@pytest.mark.parametrize("seed", range(5))
def test_of_very_many_rows_nothing_is_listed_and_all_is_the_same(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    differences = np.round(rng.standard_t(2, 41) * 0.01 + 0.003, seed % 3 + 2)
    usual = row(differences, null="asymptotic"), row(differences[:40], null="asymptotic")
    monkeypatch.setattr(shifts, "MOST_POINTS", 0)
    for few, part in zip(usual, (differences, differences[:40]), strict=True):
        found = row(part, null="asymptotic")
        for name in ("estimate", "lower", "upper"):
            assert found[name] == pytest.approx(few[name], abs=1e-9, nan_ok=True)


def test_the_posterior_of_signed_ranks_is_of_the_pseudo_median():
    differences = [*np.linspace(0.02, 0.05, 22), -0.45, -0.4]
    two = frame(a=0.5 + np.array(differences), b=0.5)
    found = podium.compare(two, posterior=True).table.iloc[0]
    assert found["verdict"] == "better"
    assert found["mean_difference"] < 0 < found["lower"] < found["estimate"] < found["upper"]
    wins = podium.compare(two, posterior="sign").table.iloc[0]
    assert wins["estimate"] == pytest.approx(20 / 24)
    assert 0 < wins["lower"] < wins["estimate"] < wins["upper"] <= 1


def test_the_5x2cv_t_test_is_about_the_first_fold():
    rng = np.random.default_rng(0)
    values = pd.DataFrame(0.7 + 0.02 * rng.normal(size=(10, 2)), columns=["a", "b"])
    folds = podium.read(values, measure="accuracy", sampling="5x2cv")
    found = podium.compare(folds, "5x2cv-t").table.iloc[0]
    d = (values["a"] - values["b"]).to_numpy().reshape(5, 2)
    s = np.sqrt(((d - d.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).mean())
    assert found["estimate"] == pytest.approx(d[0, 0])
    assert found["upper"] == pytest.approx(d[0, 0] + 2.5705818 * s)
    assert found["mean_difference"] == pytest.approx(d.mean())


def test_own_bricks_show_what_they_score():
    rng = np.random.default_rng(1)
    values = 0.6 + 0.05 * rng.standard_t(2, (12, 3))
    three = frame(a=values[:, 0], b=values[:, 1], c=values[:, 2])
    for scores, like in (("ranks", "friedman"), ("signs", "sign"), ("signed-ranks", "wilcoxon")):
        own = podium.compare(three, estimate=f"block-sums:{scores}", adjust="holm").table
        named = podium.compare(three, like, adjust="holm").table
        assert own["estimate"].tolist() == pytest.approx(named["estimate"].tolist())


def test_the_headline_names_who_has_the_better_mean():
    differences = np.array([*np.linspace(0.02, 0.05, 22), -0.65, -0.6])
    three = frame(a=0.75 + differences, b=0.75, c=0.6)
    made = podium.compare(three, "wilcoxon")
    assert made.decides == "means"
    headline = plain(verdict(made, standing(made)))
    told = (
        "a has the highest typical accuracy, but b has the better mean; the full ranking is settled"
    )
    assert headline == f"{told}."
    assert made.to_dict()["details"]["unit"] == "pseudo-median"


def test_closed_tests_decide_no_pair_that_alone_points_the_other_way():
    """Where a is ahead of b it is narrowly so, and where it is behind c lies between them."""
    a, b, c = [0.6] * 9 + [0.1] * 5, [0.5] * 14, [0.2] * 14
    three = frame(a=a, b=b, c=[*c[:9], *[0.3] * 5])
    table = podium.compare(three, "friedman", adjust="closed", null="asymptotic").table
    pair = table.iloc[0]
    assert pair["estimate"] > 0  # b has the better mean rank than a, which wins on 9 of 14
    assert (pair["p"], pair["p_adjusted"], pair["verdict"]) == (1.0, 1.0, "undecided")
