"""Independent samples: every algorithm has samples of its own, and nothing is paired."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from layouts_made import made, noise, ragged
from scipy import stats

from podium import Layout, compare
from podium.core.inference.procedures.unpaired import pooled_means, separate_means, separate_medians
from podium.core.words.saying import say
from podium.errors import InferenceError

pytestmark = pytest.mark.filterwarnings("error")
A = [3, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 4, 5]
B = [5, 9, 6, 8, 9, 9, 7, 12, 10, 9]
C = [2, 3, 6, 1, 4, 4, 3, 2, 7, 1, 3, 2]


def own(*columns: object, **more: object) -> Layout:
    values = ragged(*columns)  # type: ignore[arg-type]
    return made(values, block="independent-resample", measure="accuracy", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "statistic", "df", "p"),
    [
        # kruskal.test(x, g)
        ("kruskal-wallis", 16.0966534725, 2, 0.000319636311127),
        # coin::oneway_test(x ~ g)
        ("one-way-permutation", 16.1885851319, 2, 0.000305276520975),
        # oneway.test(x ~ g)
        ("games-howell", 19.3433646969, (2, 21.9640528334), 1.43075536694e-05),
        # oneway.test(x ~ g, var.equal = TRUE)
        ("anova-tukey", 13.8912818228, (2, 34), 3.89422338773e-05),
    ],
)
def test_global_tests_are_those_of_r(name: str, statistic: float, df: object, p: float) -> None:
    found = compare(own(A, B, C), name, null="asymptotic").overall
    assert found is not None
    assert found.statistic == pytest.approx(statistic, rel=1e-9)
    assert found.df == pytest.approx(df)
    assert found.p == pytest.approx(p, rel=1e-9)


def test_tukey_and_kramer_s_pairs_are_those_of_r() -> None:
    """R: TukeyHSD(aov(x ~ g))."""
    t = compare(own(A, B, C), "anova-tukey").table
    assert t["p_adjusted"].tolist() == pytest.approx(
        [3.13198921366e-03, 1.21931071328e-01, 2.56807653193e-05], rel=1e-7
    )
    assert t["lower"].tolist() == pytest.approx(
        [-5.740251322775, -0.386824009824, 2.778857039065], abs=1e-7
    )


def test_games_and_howell_s_pairs_are_those_of_r() -> None:
    """R: t.test(u, v), ptukey(sqrt(2) * |t|, 3, df), qtukey(0.95, 3, df) / sqrt(2)."""
    t = compare(own(A, B, C), "games-howell").table
    assert t["statistic"].tolist() == pytest.approx([-3.51098479319, 2.02620098658, 6.30111547512])
    assert t["p_adjusted"].tolist() == pytest.approx(
        [0.00516781983786, 0.127395595188, 1.50708521492e-05], rel=1e-7
    )
    assert t["upper"].tolist() == pytest.approx(
        [-0.973725555038, 4.09182647462, 7.34700764977], abs=1e-6
    )


def test_steel_and_dwass_s_pairs_are_those_of_r() -> None:
    """R: z of coin::wilcox_test for each pair, then ptukey(sqrt(2) * |z|, 3, Inf)."""
    t = compare(own(A, B, C), "steel-dwass").table
    assert t["statistic"].tolist() == pytest.approx([-2.88344643142, 1.7242189325, 3.7156815402])
    assert t["p_adjusted"].tolist() == pytest.approx(
        [0.0109765902144, 0.196095719873, 0.000593729337], rel=1e-6
    )


def test_the_largest_difference_is_that_of_coin_where_sizes_are_equal() -> None:
    """R: independence_test(x ~ g, teststat = "maximum", xtrafo = mcp_trafo(g = "Tukey"))."""
    layout = own([3, 7, 1, 8, 2, 8], [5, 9, 6, 8, 9, 12], [2, 3, 6, 1, 4, 4])
    t = compare(layout, "one-way-permutation", null="asymptotic").table
    assert t["statistic"].tolist() == pytest.approx(
        [-1.823359937104, 0.820511971697, 2.643871908800]
    )


def test_two_samples_are_scipys() -> None:
    layout = own(A, B)
    welch = stats.ttest_ind(A, B, equal_var=False)
    pooled = stats.ttest_ind(A, B)
    ranks = stats.kruskal(A, B)
    for name, p in [
        ("games-howell", welch.pvalue), ("anova-tukey", pooled.pvalue),
        ("kruskal-wallis", ranks.pvalue), ("steel-dwass", ranks.pvalue),
    ]:  # fmt: skip
        c = compare(layout, name, null="asymptotic")
        assert c.table["p"][0] == pytest.approx(p), name
        assert c.overall is not None
        assert c.overall.p == pytest.approx(p), name
    low, high = welch.confidence_interval(0.95)
    found = compare(layout, "games-howell").table
    assert (found["lower"][0], found["upper"][0]) == pytest.approx((low, high))


def test_the_null_covariance_is_that_of_all_orders_of_the_scores() -> None:
    columns = [1.0, 4, 2], [7.0, 3], [5.0, 1]
    pool = np.concatenate(columns)
    cuts = np.cumsum([0, 3, 2, 2])
    means = np.array([
        [np.mean(order[a:b]) for a, b in pairwise(cuts)]
        for order in permutations(pool)
    ])  # fmt: skip
    e = pooled_means(own(*columns))
    np.testing.assert_allclose(np.cov(means.T, ddof=0), e.covariance, atol=1e-12)
    assert e.redraw is not None
    drawn = e.redraw(20_000, np.random.default_rng(1))
    np.testing.assert_allclose(np.cov(drawn.T), e.covariance, atol=0.05)
    np.testing.assert_allclose(drawn.mean(axis=0), 0, atol=0.05)


@pytest.mark.parametrize("name", ["kruskal-wallis", "one-way-permutation"])
def test_permutations_agree_with_the_limit_and_repeat_with_their_seed(name: str) -> None:
    layout = own(noise(40, 1)[:, 0], noise(30, 1, seed=2)[:, 0] + 0.8, noise(35, 1, seed=3)[:, 0])
    limit, drawn, again = (
        compare(layout, name, null=n) for n in ("asymptotic", "permutation", "permutation")
    )
    np.testing.assert_allclose(drawn.table["p_adjusted"], limit.table["p_adjusted"], atol=0.02)
    assert drawn.to_dict() == again.to_dict()


def test_welch_s_df_lie_between_the_smaller_sample_s_and_all() -> None:
    e = separate_means(own(A, B, C))
    df = e.df_of(np.array([[1.0, -1, 0], [0, 1, -1]]))
    assert (df > [9, 9]).all()
    assert (df < [23, 20]).all()


def test_margins_shift_welch_s_t_and_are_refused_for_ranks() -> None:
    t = compare(own(A, B), "games-howell", alternative="less", relevance=1.0).table
    shifted = stats.ttest_ind(np.array(A) + 1.0, B, equal_var=False, alternative="less")
    assert t["p"][0] == pytest.approx(shifted.pvalue)
    same = compare(own(A, A[::-1]), "games-howell", relevance=5.0).table
    assert same["verdict"].tolist() == ["equivalent"]
    with pytest.raises(InferenceError, match="for independent samples games-howell"):
        compare(own(A, B), "steel-dwass", relevance=1.0)


def test_where_scores_stand_in_their_column_does_not_matter() -> None:
    layout = own(A, B, C)
    values = layout.values.copy()
    for k in range(3):
        values[:, k] = np.random.default_rng(k).permutation(values[:, k])
    turned = made(values, block="independent-resample", measure="accuracy")
    for name in ("kruskal-wallis", "steel-dwass", "games-howell", "anova-tukey"):
        one, two = (compare(x, name, null="asymptotic").table for x in (layout, turned))
        np.testing.assert_allclose(one["p_adjusted"], two["p_adjusted"])


def test_unequal_numbers_are_said_and_cannot_be_filled_unless_the_number_is_known() -> None:
    layout = own(A, B)
    (note,) = [say(w) for w in compare(layout).warnings if w.code == "unequal-sizes"]
    assert "(a: 15, b: 10)" in note
    with pytest.raises(InferenceError, match=r"as in bootstrap:15\+independent"):
        compare(layout, gaps="worst")
    known = own(A, B, how="bootstrap:15+independent")
    assert compare(known, gaps="worst").means["b"] == pytest.approx(sum(B) / 15)


def test_constant_scores_have_no_t_but_ranks() -> None:
    layout = own([1.0] * 6, [2.0] * 7, [1.0, 3, 2, 4, 5])
    for name in ("games-howell", "anova-tukey"):
        c = compare(layout, name)
        assert c.overall is not None
    c = compare(layout, "games-howell")
    assert np.isnan(c.table["p_adjusted"][0])
    assert c.table["p_adjusted"][1:].between(0, 1).all()
    assert "do not vary" in " ".join(c.told)
    assert compare(layout, "steel-dwass").table["p_adjusted"][0] < 0.05
    two = compare(layout.only([0, 1]), "anova-tukey")
    assert two.overall is not None
    assert np.isnan(two.overall.p)


@pytest.mark.parametrize(
    ("layout", "options", "text"),
    [
        (own(A, [1.0]), {}, "from 2 scores of every algorithm on; 'b' has 1"),
        (own(A, B), {"procedure": "kruskal-wallis", "null": "exact"}, "no null 'exact'"),
        (own(A, B, C), {"procedure": "steel-dwass", "null": "permutation"}, "null asymptotic"),
        (own(A, B, C), {"procedure": "games-howell", "estimate": "means"}, "is not valid"),
        (made(noise(9, 3)), {"procedure": "paired-t", "adjust": "studentized-range"},
         "is for independent samples"),
        (own(A * 10, B), {"procedure": "kruskal-wallis", "null": "permutation:10000000"},
         "draw fewer, or use the null asymptotic"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(
    layout: Layout, options: dict[str, str], text: str
) -> None:
    with pytest.raises(InferenceError, match=text):
        compare(layout, **options)  # type: ignore[arg-type]


def test_one_sided_games_howell_is_welch_by_bonferroni() -> None:
    """The studentized range is of both sides: one side alone is adjusted by number."""
    table = compare(own(A, B, C), procedure="games-howell", alternative="less").table
    for row, (x, y) in zip(table.itertuples(), [(A, B), (A, C), (B, C)], strict=True):
        test = stats.ttest_ind(x, y, equal_var=False, alternative="less")
        sides = test.confidence_interval(1 - 0.05 / 3)
        assert row.p == pytest.approx(test.pvalue)
        assert row.p_adjusted == pytest.approx(min(1, 3 * row.p))
        assert np.isnan(row.lower)
        assert row.upper == pytest.approx(sides.high)


def test_forced_tests_are_computed_row_by_row_and_marked() -> None:
    c = compare(own(A, B), "paired-t", force=True)
    assert c.is_forced
    assert c.table["p"][0] == pytest.approx(stats.ttest_rel(A[:10], B).pvalue)
    other = compare(made(noise(12, 2)), "games-howell", force=True)
    assert other.is_forced


def test_a_control_and_own_estimates_go_through_the_same_waist() -> None:
    t = compare(own(A, B, C), "games-howell", control="a").table
    assert t["first"].tolist() == ["b", "c"]
    same = compare(own(A, B, C), "games-howell", estimate=separate_means).table
    ours = compare(own(A, B, C), "games-howell").table
    np.testing.assert_allclose(same["p_adjusted"], ours["p_adjusted"])
    closed = compare(own(A, B, C), "games-howell", adjust="closed").table["p_adjusted"]
    assert (closed <= ours["p_adjusted"] + 0.01).all()


def test_medians_of_scores_without_ties_are_price_and_bonetts() -> None:
    first, second = np.arange(9.0) ** 2, np.arange(16.0) * 1.5
    found = separate_medians(own(first, second))
    assert found.values.tolist() == [16.0, 11.25]
    # c = 2 of 9 and 4 or 5 of 16, rounded to even: (n + 1)/2 - √n
    spans = (first[7] - first[1], second[12] - second[3])
    z = [-stats.norm.ppf(stats.binom.cdf(c - 1, n, 0.5)) for c, n in ((2, 9), (4, 16))]
    expected = [(span / (2 * each)) ** 2 for span, each in zip(spans, z, strict=True)]
    assert np.diag(found.covariance) == pytest.approx(expected)


def test_tied_scores_are_taken_for_rounded_ones_by_medians() -> None:
    same = own([1, 1, 1, 2, 2, 2, 2, 3, 3], [1, 2, 2, 2, 2, 2, 2, 2, 3])
    found = separate_medians(same)
    assert found.values == pytest.approx([1.5 + 1.5 / 4, 2.0])
    assert (np.diag(found.covariance) > 0).all()
    rng, told = np.random.default_rng(0), 0
    for _ in range(100):
        scores = np.round(2 * rng.gamma(1.0, size=(60, 3))) / 2
        told += (compare(own(*scores.T), "medians").table["p_adjusted"] < 0.05).any()
    assert told <= 10  # of 100; all but some of them while ties were taken as they are


@pytest.mark.parametrize(("second", "p"), [(2.0, 1.0), (3.0, np.nan)])
def test_samples_that_never_vary_are_equal_or_cannot_be_judged(second, p):
    overall = compare(own([2.0] * 4, [second] * 5), "games-howell", force=True).overall
    assert overall.p == pytest.approx(p, nan_ok=True)
