"""Null distributions of statistics: closed forms, draws and enumerations agree."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from layouts_made import made, noise
from scipy import stats

from podium import compare
from podium.core.inference import NullBrick
from podium.core.inference.bricks import nulls
from podium.core.inference.bricks.contrasts import Pair, matrix
from podium.core.inference.bricks.estimates import Estimates, block_sums, means
from podium.core.inference.bricks.nulls import Drawn, Student, parse_null
from podium.core.inference.bricks.scales import ranks, signs
from podium.errors import InferenceError

TUKEY = list(combinations(range(4), 2))
DUNNETT = [(0, 2), (1, 2), (3, 2)]
GRID = np.array([0.3, 1.0, 2.0, 3.0])


def null_of(e: Estimates, pairs: list[Pair], name: str) -> nulls.Null:
    contrasts = matrix(pairs, len(e.values))
    return parse_null(name).make(e, contrasts, np.sqrt(e.variances(contrasts)))


RANKED = block_sums(made(noise(12, 4)), scores=ranks)


@pytest.mark.parametrize(("pairs", "shape"), [(TUKEY, "range"), (DUNNETT, "control")])
@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("df", [7.0, np.inf])
def test_closed_forms_of_the_maximum_agree_with_the_joint_distribution(
    pairs: list[Pair], shape: str, two_sided: bool, df: float
) -> None:
    null = null_of(replace(RANKED, df=df), pairs, "asymptotic")
    assert isinstance(null, Student)
    assert null.shape == shape
    general = replace(null, shape="general")
    np.testing.assert_allclose(
        null.maximum(GRID, two_sided), general.maximum(GRID, two_sided), atol=1e-3
    )
    assert null.maximum_quantile(0.05, two_sided) == pytest.approx(
        general.maximum_quantile(0.05, two_sided), abs=0.01
    )


def test_a_control_that_is_first_in_one_pair_and_second_in_another_is_no_control() -> None:
    # correlation -1/2 instead of 1/2: one-sided that matters
    e = replace(RANKED, values=np.zeros(3), covariance=np.eye(3) - 1 / 3)
    mixed, same = ([(0, 1), (1, 2)], [(0, 1), (2, 1)])
    for pairs, rho in ((mixed, -0.5), (same, 0.5)):
        joint = stats.multivariate_normal(cov=[[1, rho], [rho, 1]])
        found = null_of(e, pairs, "asymptotic").maximum(GRID, two_sided=False)
        np.testing.assert_allclose(found, [1 - joint.cdf([t, t]) for t in GRID], atol=1e-4)


def test_unequal_variances_are_general() -> None:
    e = means(made(noise(12, 4)))
    null = null_of(e, TUKEY, "asymptotic")
    assert isinstance(null, Student)
    assert null.shape == "general"
    assert null.maximum_quantile(0.05, True) < stats.t.isf(0.05 / 12, 11)  # Bonferroni


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("scores", ["ranks", "raw"])
def test_with_many_blocks_permutations_tend_to_the_limit(scores: str, two_sided: bool) -> None:
    layout = made(noise(300, 4))
    e = block_sums(layout, scores=ranks if scores == "ranks" else lambda v: v)
    drawn, limit = (null_of(e, TUKEY, n) for n in ("permutation:40000", "asymptotic"))
    for t in (1.0, 2.0, 2.6):
        many = np.full(6, t)
        for question in ("marginal", "maximum"):
            p = getattr(limit, question)(many, two_sided)
            error = 4 * np.sqrt(p * (1 - p) / 40_000) + 2e-3
            assert (np.abs(getattr(drawn, question)(many, two_sided) - p) < error).all()
    assert drawn.quadratic(7.8, 3) == pytest.approx(stats.chi2.sf(7.8, 3), abs=6e-3)


def test_draws_agree_with_the_enumeration() -> None:
    e = block_sums(made(noise(4, 3)), scores=ranks)
    pairs = list(combinations(range(3), 2))
    exact, drawn = (null_of(e, pairs, n) for n in ("exact", "permutation:40000"))
    for question in (lambda n: n.marginal(np.array([1.0, 1.5, 2]), True),
                     lambda n: n.maximum(np.array([1.0, 1.5, 2]), False),
                     lambda n: np.array([n.quadratic(4.0, 2)])):  # fmt: skip
        np.testing.assert_allclose(question(drawn), question(exact), atol=0.012)


@pytest.mark.parametrize("name", ["asymptotic", "exact", "permutation:999", "permutation:500"])
@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_p_values_beyond_the_quantile_are_at_most_alpha_and_others_are_not(
    name: str, two_sided: bool, alpha: float
) -> None:
    e = block_sums(made(noise(5, 3)))
    null = null_of(e, list(combinations(range(3), 2)), name)
    single, largest = (
        null.marginal_quantile(alpha, two_sided),
        np.array([null.maximum_quantile(alpha, two_sided)]),
    )
    assert (null.marginal(single * (1 + 1e-6), two_sided) <= alpha).all()
    assert (null.maximum(largest * (1 + 1e-6), two_sided) <= alpha).all()
    assert (null.marginal(single * (1 - 1e-6), two_sided) > alpha).all()
    assert (null.maximum(largest * (1 - 1e-6), two_sided) > alpha).all()


def test_too_few_draws_make_nothing_significant() -> None:
    null = null_of(RANKED, TUKEY, "permutation:99")
    assert null.maximum_quantile(0.001, True) == np.inf
    assert null.maximum(np.array([99.0]), True) == pytest.approx(0.01)  # (1 + 0) / (1 + 99)


def test_mid_p_counts_half_of_the_observed_value() -> None:
    won = np.where(np.arange(12) < 9, 1.0, -1.0)
    values = np.column_stack([won, 0 * won])
    e = block_sums(made(values, measure="accuracy"), scores=signs)
    t = np.array([(9 - 3) / np.sqrt(12)])
    exact, mid = (null_of(e, [(0, 1)], n) for n in ("exact", "mid-p"))
    upper, at = stats.binom.sf(8, 12, 0.5), stats.binom.pmf(9, 12, 0.5)
    assert exact.marginal(t, False) == pytest.approx(upper)
    assert mid.marginal(t, False) == pytest.approx(upper - at / 2)
    assert mid.marginal(t, True) == pytest.approx(2 * upper - at)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_corrected_is_the_continuity_correction(alternative: str) -> None:
    values = noise(40, 2)
    found = compare(
        made(values, measure="accuracy"), "wilcoxon", null="corrected", alternative=alternative
    ).table.iloc[0]
    theirs = stats.wilcoxon(
        values[:, 0], values[:, 1], correction=True, method="asymptotic", alternative=alternative
    )
    assert found["p"] == pytest.approx(theirs.pvalue, rel=1e-9)
    # the sign test: P(wins >= w) by the normal distribution at w - 1/2
    wins = int((values[:, 0] > values[:, 1]).sum())
    sign = compare(
        made(values, measure="accuracy"), "sign", null="corrected", alternative=alternative
    ).table.iloc[0]
    beyond = {"less": 40 - wins, "greater": wins, "two-sided": max(wins, 40 - wins)}[alternative]
    p = stats.norm.sf((beyond - 0.5 - 20) / np.sqrt(10))
    assert sign["p"] == pytest.approx(min(1, (1 + (alternative == "two-sided")) * p), rel=1e-9)


@pytest.mark.parametrize("name", ["asymptotic", "exact", "permutation:999"])
@pytest.mark.parametrize("two_sided", [True, False])
def test_successive_maxima_are_over_the_pairs_left(name: str, two_sided: bool) -> None:
    e = block_sums(made(noise(6, 3)), scores=ranks)
    null = null_of(e, list(combinations(range(3), 2)), name)
    t, order = np.array([0.4, 2.2, 1.1]), np.array([1, 2, 0])
    expected = [null.maximum(t[[pair]], two_sided, order[i:])[0] for i, pair in enumerate(order)]
    np.testing.assert_allclose(null.successive(t, two_sided, order), expected, atol=1e-3)
    assert expected[-1] == pytest.approx(null.marginal(t, two_sided)[0], abs=1e-9)


def test_a_pair_without_variation_does_not_disturb_the_others() -> None:
    values = noise(20, 3)
    values[:, 2] = values[:, 1] + 0.1
    null = null_of(means(made(values)), list(combinations(range(3), 2)), "asymptotic")
    two = null_of(means(made(values[:, :2])), [(0, 1)], "asymptotic")
    # pairs 0-1 and 0-2 are one statistic: the maximum is that of one
    np.testing.assert_allclose(null.maximum(GRID, True), two.marginal(GRID, True), rtol=1e-6)


def test_many_successive_joint_distributions_are_refused() -> None:
    e = replace(RANKED, values=np.zeros(13), covariance=np.eye(13))
    null = null_of(e, list(combinations(range(13), 2)), "asymptotic")
    with pytest.raises(InferenceError, match=r"down from 78 pairs .* \(at most 66\); use holm"):
        null.successive(np.ones(78), True, np.arange(78))


def test_pairs_scored_apart_have_no_joint_distribution() -> None:
    apart = nulls.Separate([null_of(RANKED, [(0, 1)], "asymptotic")] * 2)
    np.testing.assert_allclose(apart.marginal(np.array([1.0, 2]), True), 2 * stats.norm.sf([1, 2]))
    np.testing.assert_allclose(apart.marginal_quantile(0.05, True), stats.norm.isf(0.025))
    for question in (lambda: apart.maximum(np.ones(2), True),
                     lambda: apart.maximum_quantile(0.05, True),
                     lambda: apart.successive(np.ones(2), True, np.arange(2))):  # fmt: skip
        with pytest.raises(InferenceError, match="no joint distribution of all pairs"):
            question()
    assert np.isnan(apart.quadratic(1.0, 1))


def test_a_law_of_its_own_is_two_sided() -> None:
    law = nulls.OtherLaw(lambda t: stats.f.sf(t, 10, 5))
    assert law.marginal(np.array([3.0]), True) == pytest.approx(stats.f.sf(3, 10, 5))
    with pytest.raises(InferenceError, match="no one-sided form; ask for two-sided"):
        law.marginal(np.array([3.0]), False)


@pytest.mark.parametrize(
    ("text", "name", "draws"),
    [
        ("permutation", "permutation", 9999),
        ("permutation:500", "permutation", 500),
        (" Permutation : 500 ", "permutation", 500),
        ("bootstrap", "bootstrap", 1999),
        ("exact", "exact", 9999),
        ("mid-p", "mid-p", 9999),
    ],
)
def test_nulls_are_read(text: str, name: str, draws: int) -> None:
    null = parse_null(text)
    assert (null.name, null.draws, null.seed) == (name, draws, 0)
    assert parse_null(null) is null
    assert parse_null(str(null)) == null


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("permutations", r"'permutations' is not a null\. Did you mean 'permutation'\?"),
        ("permutation:5", r"'permutation:5' is wrong: permutation takes .* from 99 to 10000000\."),
        ("bootstrap:99999999", r"'bootstrap:99999999' is wrong"),
        ("exact:100", r"'exact:100' is wrong: exact takes no number of draws\."),
        ("permutation:-5", r"'permutation:-5' is not a null"),
        ("", r"'' is not a null"),
        (7, r"'7' is not a null"),
    ],
)
def test_wrong_nulls_are_refused(text: str, message: str) -> None:
    with pytest.raises(InferenceError, match=message):
        parse_null(text)


def test_bricks_are_made_by_name_and_checked_too() -> None:
    assert nulls.permutation(199, seed=3) == NullBrick("permutation", 199, 3)
    assert str(nulls.permutation()) == "permutation:9999"
    assert (nulls.exact().name, nulls.asymptotic().name) == ("exact", "asymptotic")
    with pytest.raises(InferenceError, match="from 99 to"):
        nulls.permutation(5)


def test_another_seed_gives_other_draws_of_the_same_law() -> None:
    e = block_sums(made(noise(10, 3)))
    found = []
    for seed in (0, 0, 1):
        contrasts = matrix([(0, 1)], 3)
        null = nulls.permutation(9999, seed).make(e, contrasts, np.ones(1))
        assert isinstance(null, Drawn)
        found.append(null.sums)
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).any()


@pytest.mark.parametrize(
    ("procedure", "null", "ways"),
    [
        ("paired-t", "permutation:999", "use asymptotic or normal"),
        ("paired-t", "exact", "use asymptotic or normal"),
        ("paired-t", "corrected", "use asymptotic or normal"),
        ("friedman", "bootstrap", "use asymptotic or permutation or exact or mid-p"),
        ("median-bootstrap", "permutation", "use asymptotic or bootstrap"),
    ],
)
def test_a_null_that_a_procedure_lacks_is_refused(procedure: str, null: str, ways: str) -> None:
    name = null.split(":")[0]
    with pytest.raises(InferenceError, match=f"no null '{name}'; {ways}\\."):
        compare(made(noise(10, 3)), procedure, null=null)


def test_the_f_of_5x2cv_is_not_permuted() -> None:
    layout = made(noise(10, 2), block="fold", how="5x2cv")
    with pytest.raises(InferenceError, match="no null 'permutation'; use asymptotic"):
        compare(layout, "5x2cv-f", null="permutation:999")
    with pytest.raises(InferenceError, match="no one-sided form"):
        compare(layout, "5x2cv-f", alternative="less")


def test_statistic_3_stands_beside_its_chi_square_form() -> None:
    """t* of hothorn2005: squares of the means over those within algorithms and blocks."""
    layout = made(noise(12, 3) + np.array([0.0, 0.4, 0.9]), block="simulation")
    y = layout.values
    means = y.mean(axis=0)
    rest = y - y.mean(axis=1, keepdims=True) - means + y.mean()
    direct = ((means - y.mean()) ** 2).sum() / (rest**2).sum()
    found = compare(layout, "permutation", null="asymptotic").overall
    assert found is not None
    assert found.t_star == pytest.approx(direct)
    r = 12 * direct / (1 + 12 * direct)
    assert found.statistic == pytest.approx(12 * 2 * r)
    other = compare(layout, "friedman", null="asymptotic").overall
    assert other is not None
    assert other.t_star is None
