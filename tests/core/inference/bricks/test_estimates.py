"""One number per algorithm, and how these numbers vary together."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from layouts_made import made, noise
from scipy import stats

import podium
from podium import compare
from podium.core.inference.bricks import estimates as est
from podium.core.inference.bricks import scales as sc
from podium.core.inference.bricks.clustered import within_variances
from podium.core.inference.bricks.nulls import epsilon
from podium.core.inference.layouts import AnswersPerItem
from podium.errors import InferenceError

CENTRED = np.eye(4) - 1 / 4


@pytest.mark.parametrize("name", ["raw", "ranks", "aligned", "quade", "normal-scores"])
def test_the_covariance_of_block_sums_is_that_of_all_permutations(name: str) -> None:
    e = est.block_sums(made(noise(3, 4)), scores=sc.SCORES[name])
    assert e.enumerate is not None
    states, weights = e.enumerate()
    np.testing.assert_allclose(weights @ states, 0, atol=1e-10)
    np.testing.assert_allclose((states.T * weights) @ states, e.covariance, atol=1e-9)
    assert e.values.sum() == pytest.approx(0, abs=1e-10)


def test_means_have_the_covariance_of_differences_between_blocks() -> None:
    values = noise(9, 4)
    e = est.means(made(values), ratio=0.3)
    np.testing.assert_allclose(e.values, -values.mean(axis=0))
    expected = (1 / 9 + 0.3) * CENTRED @ np.cov(values.T) @ CENTRED
    np.testing.assert_allclose(CENTRED @ e.covariance @ CENTRED, expected, atol=1e-12)
    np.testing.assert_array_equal(e.df_of(np.eye(4)), 8)


def test_large_effects_of_blocks_do_not_cost_digits() -> None:
    values = noise(20, 3)
    far = values + 1e7 * np.random.default_rng(0).normal(size=(20, 1))
    differences = far[:, 0] - far[:, 1]
    e = est.means(made(far))
    variance = e.covariance[0, 0] + e.covariance[1, 1] - 2 * e.covariance[0, 1]
    assert variance == pytest.approx(differences.var(ddof=1) / 20, rel=1e-7)


def test_clusters_have_the_bias_reduced_sandwich_of_their_totals() -> None:
    rng = np.random.default_rng(4)
    clusters = np.repeat(["x", "y", "z", "w"], [3, 5, 2, 6])
    values = rng.normal(size=(16, 2)) + rng.normal(size=4)[np.repeat(range(4), [3, 5, 2, 6])][
        :, None
    ] * [1, 0]
    e = est.means(made(values, block="item", clusters=clusters))
    d = values[:, 0] - values[:, 1]
    # by matrices, as for any linear model: residuals' hat matrix H, A_c = (I - H_cc)^(-1/2)
    total = 0.0
    residual = np.eye(16) - 1 / 16
    rows = []
    for c in "xyzw":
        inside = clusters == c
        size, vectors = np.linalg.eigh(np.eye(inside.sum()) - 1 / 16)
        weights = np.ones(inside.sum()) @ (vectors / np.sqrt(size)) @ vectors.T / 16
        total += (weights @ (d - d.mean())[inside]) ** 2
        rows.append(weights @ residual[inside])
    quadratics = np.array(rows) @ np.array(rows).T
    variance = e.covariance[0, 0] + e.covariance[1, 1] - 2 * e.covariance[0, 1]
    assert variance == pytest.approx(total, rel=1e-12)
    df = np.trace(quadratics) ** 2 / (quadratics**2).sum()
    np.testing.assert_allclose(e.df_of(np.eye(2)), df)


def test_clusters_have_clubsandwich_s_values() -> None:
    # R: m <- lm(d ~ 1); coef_test(m, vcov = "CR2", cluster = cluster), clubSandwich 0.5.8
    sizes = [3, 1, 4, 1, 5, 9, 2, 6]
    d = np.sin(np.arange(31.0)) + np.repeat(np.cos(np.arange(8.0)), sizes)
    clusters = np.repeat(np.arange(8), sizes)
    e = est.means(made(np.column_stack([d, 0 * d]), block="item", clusters=clusters))
    se = np.sqrt(e.covariance[0, 0] + e.covariance[1, 1] - 2 * e.covariance[0, 1])
    assert (se, e.df) == pytest.approx((0.3133896983190, 4.6237761701792), rel=1e-11)


def test_clusters_of_one_item_each_change_nothing_and_one_cluster_is_refused() -> None:
    values = noise(12, 3)
    alone = est.means(made(values, block="item", clusters=np.arange(12)))
    np.testing.assert_allclose(
        alone.covariance, est.means(made(values, block="item")).covariance, atol=1e-14
    )
    with pytest.raises(InferenceError, match="All items are in one cluster"):
        est.means(made(values, block="item", clusters=np.zeros(12)))


@pytest.mark.parametrize(
    ("how", "ratio"),
    [
        ("cv:10", 1 / 9),
        ("5x2cv", 1),
        ("repeated-cv:3x5", 1 / 4),
        ("subsampling:0.9", 1 / 9),
        ("bootstrap", 1 / (np.e - 1)),  # 1/e of the rows are out of bag
    ],
)
def test_the_correction_is_test_rows_over_training_rows(how: str, ratio: float) -> None:
    assert est.test_train_ratio(made(noise(10, 2), block="fold", how=how)) == pytest.approx(ratio)


@pytest.mark.parametrize("how", ["loo", "splitter", "simulation", "cv", "subsampling"])
def test_a_sampling_without_a_training_share_has_no_correction(how: str) -> None:
    with pytest.raises(InferenceError, match=f"'{how}' does not say its share of training rows"):
        est.corrected_means(made(noise(10, 2), block="fold", how=how))


def test_the_mixed_model_without_gaps_is_the_analysis_of_variance() -> None:
    values = noise(11, 4)
    e = est.mixed(made(values))
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    mse = (rest**2).sum() / 30
    np.testing.assert_allclose(CENTRED @ e.covariance @ CENTRED, mse / 11 * CENTRED, atol=1e-12)
    np.testing.assert_allclose(e.df_of(np.array([[1.0, -1, 0, 0], [0, 0, 1, -1]])), 30, rtol=1e-9)
    assert e.model is not None
    assert e.model.sigma == pytest.approx(np.sqrt(mse))


def test_pooled_proportions_are_the_printed_formula() -> None:
    y = (noise(50, 4) > 0).astype(float)
    e = est.pooled_proportions(made(y, block="item", measure="accuracy"))
    total, k, n = y.sum(axis=1), 4, 50
    expected = 2 * (k * total.sum() - (total**2).sum()) / (n**2 * k * (k - 1))
    assert e.covariance[0, 0] + e.covariance[1, 1] == pytest.approx(expected, rel=1e-12)
    # errors instead of correct items: the same, turned
    wrong = est.pooled_proportions(made(1 - y, block="item", measure="error"))
    np.testing.assert_allclose(wrong.covariance, e.covariance, atol=1e-15)
    np.testing.assert_allclose(wrong.values, e.values - 1)


def test_two_separate_proportions_are_dietterichs_z() -> None:
    y = np.zeros((100, 2))
    y[:70, 0], y[:60, 1] = 1, 1
    e = est.separate_proportions(made(y, block="item", measure="accuracy"))
    z = (e.values[0] - e.values[1]) / np.sqrt(e.covariance.trace())
    assert z == pytest.approx(0.1 / np.sqrt(2 * 0.65 * 0.35 / 100))


@pytest.mark.parametrize(
    "estimator", [est.pooled_proportions, est.separate_proportions, est.correct_sums]
)
@pytest.mark.parametrize("odd", [0.5, 2.0, -1.0])
def test_counting_procedures_refuse_scores_other_than_0_and_1(estimator, odd: float) -> None:
    y = np.array([[1.0, 0], [0, 1], [odd, 1]])
    for measure in ("accuracy", "error"):
        with pytest.raises(InferenceError, match=rf"every score of '{measure}' must be 0 or 1"):
            estimator(made(y, block="item", measure=measure))


def test_five_by_two_statistics_by_hand() -> None:
    d = np.array([0.1, -0.2, 0.3, 0.1, 0.0, 0.2, 0.4, -0.1, 0.2, 0.3])
    layout = made(np.column_stack([d, 0 * d]), block="fold", how="5x2cv", measure="accuracy")
    s2 = np.array([0.3, 0.2, 0.2, 0.5, 0.1]) ** 2 / 2
    t, f = est.five_by_two_t(layout), est.five_by_two_f(layout)
    assert t.values[0] / np.sqrt(t.covariance[0, 0]) == pytest.approx(0.1 / np.sqrt(s2.mean()))
    assert f.values[0] == pytest.approx((d**2).sum() / (2 * s2.sum()))
    turned = made(np.column_stack([0 * d, d]), block="fold", how="5x2cv", measure="accuracy")
    assert est.five_by_two_f(turned).values[0] == -f.values[0]


def test_five_by_two_f_is_0_without_and_unknown_with_a_constant_difference() -> None:
    same = made(np.ones((10, 2)), block="fold", how="5x2cv")
    assert est.five_by_two_f(same).values[0] == 0
    constant = made(np.tile([0.3, 0.1], (10, 1)), block="fold", how="5x2cv")
    assert np.isnan(est.five_by_two_f(constant).values[0])


@pytest.mark.parametrize(("blocks", "how"), [(9, "5x2cv"), (10, "cv:10")])
def test_five_by_two_needs_its_ten_folds(blocks: int, how: str) -> None:
    with pytest.raises(InferenceError, match=rf"needs the 10 folds of 5x2cv, not {blocks} rows"):
        est.five_by_two_t(made(noise(blocks, 2), block="fold", how=how))


def test_the_bootstrap_of_medians_has_their_exact_bootstrap_variance() -> None:
    x = np.sort(noise(15, 1)[:, 0])
    e = est.functional(made(np.column_stack([x, 0 * x])), places=est.median)
    # the median of a sample from x is at most the k-th when 8 or more of 15 draws are
    below = stats.binom.sf(7, 15, np.arange(16) / 15)
    chance = np.diff(below)
    expected = chance @ x**2 - (chance @ x) ** 2
    variance = e.covariance[0, 0] + e.covariance[1, 1] - 2 * e.covariance[0, 1]
    assert variance == pytest.approx(expected, rel=0.15)
    assert e.redraw is not None
    draws = e.redraw(20_000, np.random.default_rng(2))[:, 0]
    assert draws.var() == pytest.approx(expected, rel=0.04)


@pytest.mark.parametrize(("blocks", "place"), [(10, 9), (20, 18), (25, 23)])
def test_the_worst_tenth_is_the_ninetieth_percentile_of_losses(blocks: int, place: int) -> None:
    losses = np.arange(1.0, blocks + 1)[:, None] * [1, 2]
    e = est.functional(made(losses), places=est.worst_tenth)
    np.testing.assert_array_equal(e.values, [-place, -2 * place])


def test_a_bootstrap_of_very_many_blocks_is_refused() -> None:
    with pytest.raises(InferenceError, match=r"100000 rows and 3 algorithms .* use paired-t"):
        est.functional(made(np.zeros((100_000, 3))), places=est.median)


def test_estimates_name_the_nulls_they_can_have() -> None:
    sums = partial(est.block_sums, made(noise(5, 2)))
    assert sums().nulls == ["asymptotic", "permutation", "exact", "mid-p"]
    assert sums(step=1.0).nulls[1] == "corrected"
    assert est.means(made(noise(5, 2))).nulls == ["asymptotic", "normal"]
    assert est.functional(made(noise(5, 2)), places=est.median).nulls == ["asymptotic", "bootstrap"]
    halves = made(noise(10, 2), block="fold", how="5x2cv")
    assert est.five_by_two_f(halves).nulls == ["asymptotic"]


def test_epsilon_is_1_for_equal_and_least_for_one_wild_difference() -> None:
    rng = np.random.default_rng(3)
    alike = rng.normal(size=(5000, 4))
    assert epsilon(alike) == pytest.approx(1, abs=0.01)
    wild = np.outer(rng.normal(size=50), [1, 0, 0, 0]) + 1e-6 * alike[:50]
    assert epsilon(wild) == pytest.approx(1 / 3, abs=1e-6)
    assert epsilon(np.ones((9, 3))) == epsilon(alike[:, :2]) == 1
    assert epsilon(np.tile(alike[:9, :1], 3)) == 1  # equal scores, whose covariance is rounding


@pytest.mark.parametrize(
    ("sizes", "code"),
    [
        ([200] + 19 * [5], "clusters-unequal"),
        (6 * [5], "few-clusters"),
        (30 * [5], None),
    ],
)
def test_few_and_unequal_clusters_are_said(sizes: list[int], code: str | None) -> None:
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    layout = made(noise(len(clusters), 2), block="item", clusters=clusters)
    said = {note.code for note in compare(layout).warnings}
    assert said & {"clusters-unequal", "few-clusters"} == ({code} if code else set())


def test_clusters_that_seldom_tell_models_apart_are_said() -> None:
    right = np.ones((60, 2))
    right[[0, 17, 40], 0] = 0
    layout = made(right, block="item", measure="accuracy", clusters=np.arange(60) // 4)
    c = compare(layout, relevance=0.3)
    assert "rarely-apart" in {note.code for note in c.warnings}
    alike = made(0 * right, block="item", measure="accuracy", items=layout.items)
    same = compare(alike, relevance=0.3)
    assert same.table["verdict"].tolist() == ["undecided"]


def test_answers_are_counted_as_scores_are():
    right = (np.random.default_rng(0).random((50, 4)) < [0.2, 0.5, 0.5, 1.0]).astype(float)
    pairs = [(0, 1), (2, 1), (3, 0), (0, 3)]
    twice = est.wins_and_losses(2 * right, pairs)
    np.testing.assert_array_equal(est.wins_and_losses(right, pairs), twice)


@pytest.mark.parametrize("size", [0.01, 1.0, 40.0])
@pytest.mark.parametrize("turn", [1, -1])
def test_moments_with_gaps_filled_are_those_of_the_filled_differences(size, turn) -> None:
    """The first (turn 1) or the second gets its worst difference where it has no score."""
    rng = np.random.default_rng(7)
    values = size * rng.gamma(1.0, 1.0, (12, 2))
    values[0, 0] = values[1, 1] = values[2, 1] = np.nan
    one = est.moments(values, [(0, 1)]).filled(turn)
    d = values[3:, 0] - values[3:, 1]
    d = np.append(d, [d.min()] if turn > 0 else [d.max()] * 2)
    found = (one.n[0], one.mean[0], one.sd[0], one.skewness[0])
    assert found == pytest.approx((len(d), d.mean(), d.std(), stats.skew(d)))


def test_parts_of_answers_are_those_of_the_analysis_of_variance() -> None:
    """Items between and answers within: the mean square of items holds a share of the latter."""
    rng = np.random.default_rng(3)
    n, k = 40, 3
    answers = 0.5 + 0.1 * rng.normal(size=(n, 3, 1)) + 0.05 * rng.normal(size=(n, 3, k))
    item, model, answer = np.indices(answers.shape).reshape(3, -1)
    frame = pd.DataFrame({"item": item, "model": np.array(list("abc"))[model], "answer": answer})
    results = podium.read(frame.assign(score=answers.ravel()), measure="score",
                          higher_is_better=True)  # fmt: skip
    parts = podium.compare(results).extras.answers
    within, means = answers.var(axis=2, ddof=1).mean(axis=0), answers.mean(axis=2)
    np.testing.assert_allclose(parts.algorithms["within_sd"], np.sqrt(within))
    between = means.var(axis=0, ddof=1) - within / k
    np.testing.assert_allclose(parts.algorithms["between_sd"], np.sqrt(between))
    z = stats.norm.isf(0.025 / 3) + stats.norm.isf(0.2)  # of three pairs
    for row in parts.pairs.itertuples():
        i, j = "abc".index(row.first), "abc".index(row.second)
        total = (means[:, i] - means[:, j]).var(ddof=1) / n
        noise_ = (within[i] + within[j]) / k / n
        shown = (row.between_sd, row.within_share, row.detectable, row.at_best)
        expected = (np.sqrt((total - noise_) * n), noise_ / total,
                    z * np.sqrt(total), z * np.sqrt(total - noise_))  # fmt: skip
        assert shown == pytest.approx(expected)


def test_the_variance_of_answers_is_pooled_over_items_that_have_several() -> None:
    """Items with one answer say nothing of it; the others count by their degrees of freedom."""
    count = np.array([[1, 3], [4, 1], [2, 2]])
    variance = np.array([[np.nan, 0.3], [0.6, np.nan], [0.1, 0.5]])
    layout = made(noise(3, 2), block="item", answers=AnswersPerItem(count, variance))
    expected = [(3 * 0.6 + 1 * 0.1) / 4, (2 * 0.3 + 1 * 0.5) / 3]
    np.testing.assert_allclose(within_variances(layout), expected)


def test_wins_of_battles_are_counted_as_those_of_other_blocks() -> None:
    rng = np.random.default_rng(2)
    values = np.full((80, 4), np.nan)
    for row in values:
        row[rng.choice(4, 2, replace=False)] = rng.choice([0.0, 0.5, 1.0], 2)
    pairs = [(0, 1), (0, 3), (2, 1), (3, 2)]
    found = est.wins_of_choices(values, pairs)
    assert found.tolist() == est.wins_and_losses(values, pairs).tolist()
    for (i, j), counts in zip(pairs, found.T, strict=True):
        d = values[:, i] - values[:, j]
        assert counts.tolist() == [(d > 0).sum(), (d == 0).sum(), (d < 0).sum()]
    more = np.where(np.isnan(values), 0.25, values)  # four scores in a row
    assert est.wins_of_choices(more, pairs).tolist() == est.wins_and_losses(more, pairs).tolist()
