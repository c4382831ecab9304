"""compare: its contract for every procedure, margins, gaps, clusters, papers and bad input."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import crossed, made, nested, noise, of_survey, with_halvings
from scipy import stats
from told import told

from podium import Comparisons, Layout, PodiumError, compare
from podium.core.inference.bricks.adjustments import ADJUSTMENTS
from podium.core.inference.comparing.compare import p_adjusted
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.numbers.tails import maximum_modulus_quantile
from podium.core.inference.procedures.procedure import DATASETS, ITEMS, Options
from podium.core.words.saying import say
from podium.errors import InferenceError
from podium.testing.laws import check_rows

pytestmark = pytest.mark.filterwarnings("error")
ALL = [name for name in PROCEDURES if not PROCEDURES[name].needs.stops]  # these need a plan
BY_ITEM = {"seed-item", "independent-seed-item", "held-out", "condition-item"}


def suited(name: str, *, algorithms: int = 4, blocks: int = 12, apart: float = 0.0) -> Layout:
    """A layout that a procedure may be used for."""
    procedure = PROCEDURES[name]
    blocks = max(blocks, procedure.needs.least)
    values = noise(blocks, algorithms) + apart * np.arange(algorithms)
    if procedure.needs.binary:
        return made(noise(80, algorithms) + apart / 8 * np.arange(algorithms) > 1, block="item",
                    measure="error")  # fmt: skip
    if procedure.needs.samplings:
        ten = noise(10, algorithms) + apart * np.arange(algorithms)
        return made(ten, block="fold", how=procedure.needs.samplings[0])
    if ("fold", "population") in procedure.legal:
        folds = made(values, block="fold")
        return with_halvings(folds) if procedure.needs.halves else folds
    if ("crossed", "population") in procedure.legal:
        many = noise(60, algorithms) + apart * np.arange(algorithms)
        return crossed(many.reshape(5, 12, algorithms))
    if by_item := sorted(block for block, _ in procedure.legal if block in BY_ITEM):
        many = noise(60, algorithms) + apart * np.arange(algorithms)
        return crossed(many.reshape(5, 12, algorithms), block=by_item[0])
    if procedure.needs.ordered:
        return made(values, block="origin", how=f"rolling-origin:{blocks}x2")
    if target := of_survey(procedure.legal):
        many = noise(60, algorithms) + apart * np.arange(algorithms)
        return nested(many.reshape(5, 12, algorithms), target=target)
    if procedure.legal == ITEMS:
        return made(values, block="item")
    if procedure.legal == DATASETS:
        return made(values, block="dataset")
    return made(values, block="independent-resample" if procedure.needs.unpaired else "resample")


def run(name: str, layout: Layout | None = None, **options: Any) -> Comparisons:
    layout = suited(name) if layout is None else layout
    if PROCEDURES[name].needs.control:
        options.setdefault("control", layout.algorithms[1])
    return compare(layout, name, force=bool(PROCEDURES[name].reports.marked), **options)


def codes(c: Comparisons) -> list[str]:
    return [w.code for w in c.warnings]


# -- the contract ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_rows_follow_the_contract(name: str) -> None:
    layout = suited(name, apart=3.0)
    c = run(name, layout)
    check_rows(layout, PROCEDURES[name], c)
    t = c.table
    assert (t["p"] <= t["p_adjusted"]).all()
    assert (t["lower"].isna() | (t["lower"] <= t["estimate"])).all()
    assert (t["upper"].isna() | (t["upper"] >= t["estimate"])).all()
    if name != "paired-scale":  # its scores were made to differ in location
        assert (t["verdict"] != "undecided").any()
    for row in t.itertuples():
        # scores are losses: where first has the smaller one it is the better one
        word = "better" if row.statistic < 0 else "worse"
        assert row.verdict == (word if row.p_adjusted <= 0.05 else "undecided")
        if row.p_adjusted <= 0.05 and name != "5x2cv-t":
            assert np.sign(row.statistic) == np.sign(row.estimate)
    assert c.overall is not None
    assert "NaN" not in json.dumps(c.to_dict(), allow_nan=False)


@pytest.mark.parametrize("name", ALL)
def test_alternatives_split_the_two_sided_p(name: str) -> None:
    if name in ("5x2cv-f", "delve-quasi-f"):
        with pytest.raises(InferenceError, match="no one-sided form"):
            run(name, alternative="less")
        return
    two_sided = ("closed", "max-modulus", "studentized-range")
    adjust = "holm" if PROCEDURES[name].adjust in two_sided else None
    two, less, more = (
        run(name, adjust=adjust, alternative=a).table for a in ("two-sided", "less", "greater")
    )
    smaller = np.minimum(less["p"], more["p"])
    exact = PROCEDURES[name].nulls.default not in ("corrected", "bootstrap:1999")
    slack = 1e-9 if PROCEDURES[name].nulls.default == "asymptotic" else 0.02
    if exact:
        np.testing.assert_allclose(two["p"], np.minimum(1, 2 * smaller), atol=slack, rtol=1e-6)
    np.testing.assert_array_equal(less["estimate"], two["estimate"])
    np.testing.assert_array_equal(less["statistic"], two["statistic"])
    # the side follows the sign of first - second in the measure's own unit
    clear = two["p"] < 0.05
    assert (less["p"][clear] < more["p"][clear]).tolist() == (two["statistic"][clear] < 0).tolist()
    if two["upper"].notna().all():
        assert less["lower"].isna().all()
        assert (less["upper"] < two["upper"]).all()
        assert (more["lower"] > two["lower"]).all()
        assert more["upper"].isna().all()


WITH_LIMITS = [n for n in ALL if run(n).table["lower"].notna().all()]


def test_procedures_in_the_measures_unit_have_intervals() -> None:
    assert set(WITH_LIMITS) == {
        "paired-t", "max-modulus", "mixed-tukey", "mixed-dunnett", "aligned-tukey", "corrected-t",
        "corrected-t-nb", "halves", "halves-conservative",
        "kfold-t", "resampled-t", "pooled-proportions", "paired-scale", "median-bootstrap",
        "quantile-bootstrap", "games-howell", "anova-tukey", "crossed-t", "diebold-mariano",
        "diebold-mariano-fixed", "mcnemar-score", "cluster-t", "medians", "cv-clt", "seeds-t",
        "conditions-t", "survey-fixed", "survey-random", "hull", "ranks", "steel-dwass",
    }  # fmt: skip


STEPS = ("holm", "step-down")  # whose intervals are single-step: p may reject where these hold 0


@pytest.mark.parametrize("name", WITH_LIMITS)
@pytest.mark.parametrize("adjust", [None, "none", "bonferroni", "sidak", "single-step"])
@pytest.mark.parametrize("alpha", [0.05, 0.31])
def test_intervals_exclude_zero_just_where_a_pair_is_significant(
    name: str, adjust: str | None, alpha: float
) -> None:
    joint = PROCEDURES[name].judge.joint
    if adjust == "single-step" and PROCEDURES[name].pairwise and not joint:
        with pytest.raises(InferenceError, match="has no joint distribution; use holm"):
            run(name, adjust=adjust)
        return
    alone = PROCEDURES[name].judge.alone
    if joint and not alone and adjust in ("none", "bonferroni", "sidak"):
        with pytest.raises(InferenceError, match="judges all pairs at once"):
            run(name, adjust=adjust)
        return
    t = run(name, suited(name, apart=0.3), adjust=adjust, alpha=alpha).table
    excluded = (t["lower"] > 0) | (t["upper"] < 0)
    significant = t["p_adjusted"] <= alpha
    if adjust is None and PROCEDURES[name].adjust in STEPS:
        assert (significant | ~excluded).all()
    else:
        assert excluded.tolist() == significant.tolist()


def test_steps_and_closed_procedures_have_no_matching_intervals() -> None:
    for adjust in ("holm", "hochberg", "hommel", "bh", "step-down", "closed"):
        assert run("paired-t", adjust=adjust).table["lower"].isna().all()


def test_one_pair_needs_no_adjustment() -> None:
    layout = suited("paired-t")
    for adjust in ADJUSTMENTS:
        c = compare(layout, "paired-t", pairs=[("c", "a")], adjust=adjust)
        assert c.method.to_dict()["adjustment"] == "none"
        t = stats.ttest_rel(layout.values[:, 0], layout.values[:, 2])  # turned once
        assert c.table["p_adjusted"][0] == pytest.approx(t.pvalue, rel=1e-9)
        assert c.table["statistic"][0] == pytest.approx(t.statistic, rel=1e-9)
    assert compare(layout, "wilcoxon", pairs=[("a", "b")], adjust="single-step").table["p"][0] > 0


def test_named_pairs_keep_their_order_and_a_control_comes_second() -> None:
    c = compare(suited("nemenyi"), "nemenyi", pairs=[("d", "b"), ("a", "c")])
    assert c.table[["first", "second"]].to_numpy().tolist() == [["d", "b"], ["a", "c"]]
    c = compare(suited("nemenyi"), "mixed-tukey", control="d")
    assert c.table[["first", "second"]].to_numpy().tolist() == [["a", "d"], ["b", "d"], ["c", "d"]]


def test_control_and_all_pairs_share_their_marginal_p() -> None:
    layout = suited("mixed-tukey")
    few = compare(layout, "mixed-dunnett", control="a").table
    many = compare(layout, "mixed-tukey").table.iloc[:3]
    np.testing.assert_allclose(few["p"], many["p"], rtol=1e-9)
    np.testing.assert_allclose(few["estimate"], -many["estimate"])
    assert (few["p_adjusted"] <= many["p_adjusted"]).all()


def test_p_adjusted_alone_is_that_of_the_table() -> None:
    layout = suited("nemenyi")
    pairs, p = p_adjusted(layout, PROCEDURES["nemenyi"], Options())
    table = compare(layout, "nemenyi").table
    assert list(pairs) == list(combinations(range(4), 2))
    np.testing.assert_array_equal(p, table["p_adjusted"])


def test_without_a_name_the_design_decides_and_says_so() -> None:
    c = compare(made(noise(10, 3), block="fold"))
    assert c.procedure == "corrected-t"
    assert "procedure-chosen" in codes(c)
    assert "procedure-chosen" not in codes(compare(made(noise(10, 3), block="fold"), "corrected-t"))


def test_defaults_of_the_null_follow_the_number_of_blocks() -> None:
    def null(name: str, blocks: int, algorithms: int = 3) -> object:
        return compare(made(noise(blocks, algorithms)), name).method.to_dict()["null"]

    assert null("nemenyi", 29) == "permutation:9999"
    assert null("nemenyi", 30) == "asymptotic"
    assert null("wilcoxon", 29) == null("sign", 29) == "exact"
    assert null("sign-flip", 10) == "exact"
    assert null("sign-flip", 29) == null("sign-flip", 20, 9) == "permutation:9999"
    assert null("wilcoxon", 30) == "asymptotic"
    assert null("paired-t", 5) == "asymptotic"


def test_the_same_request_gives_the_same_numbers() -> None:
    for name in ("permutation-max", "sign-flip", "median-bootstrap"):
        one, two = run(name).table, run(name).table
        assert one.equals(two)


# -- relevance -------------------------------------------------------------------------------------


def test_superiority_non_inferiority_and_equivalence_by_hand() -> None:
    values = noise(15, 2)
    layout = made(values, measure="accuracy")
    d = values[:, 0] - values[:, 1]
    se = d.std(ddof=1) / np.sqrt(15)
    m = d.mean()
    assert m < 0

    def row(**options: Any) -> Any:
        return compare(layout, "paired-t", **options).table.iloc[0]

    assert row(relevance=0.1)["p"] == pytest.approx(2 * stats.t.sf((-m - 0.1) / se, 14))
    assert row(relevance=0.1, alternative="less")["p"] == pytest.approx(
        stats.t.sf((-m - 0.1) / se, 14)
    )
    assert row(relevance=0.1, alternative="greater")["p"] == pytest.approx(
        stats.t.sf((m - 0.1) / se, 14)
    )
    assert row(relevance=-2, alternative="greater")["p"] == pytest.approx(
        stats.t.sf((m + 2) / se, 14)
    )
    assert row(relevance=-2, alternative="greater")["verdict"] == "non-inferior"
    assert row(relevance=2)["p"] == 1
    wide = row(relevance=3)
    assert wide["p_equivalence"] == pytest.approx(stats.t.sf((3 + m) / se, 14))
    assert wide["verdict"] == "equivalent"
    reach = stats.t.isf(0.025, 14) * se
    np.testing.assert_allclose([wide["lower"], wide["upper"]], [m - reach, m + reach])
    reach = stats.t.isf(0.05, 14) * se  # two one-sided tests at 5 %
    ends = [wide["equivalence_lower"], wide["equivalence_upper"]]
    np.testing.assert_allclose(ends, [m - reach, m + reach])
    narrow = row(relevance=-ends[0] * 1.0001)  # where the 95 % interval is not within
    assert (narrow["verdict"], narrow["lower"] < -narrow["equivalence_upper"]) == (
        "equivalent",
        True,
    )
    assert row(relevance=-ends[0] * 0.9999)["verdict"] == "undecided"
    assert row(relevance=0.01)["p_equivalence"] > 0.5


@pytest.mark.parametrize("name", ["paired-t", "max-modulus", "mixed-tukey"])
@pytest.mark.parametrize("relevance", [0.05, 0.4, 1.5, 2.5])
def test_margins_agree_with_the_simultaneous_intervals(name: str, relevance: float) -> None:
    layout = suited(name, apart=0.6)
    t = compare(layout, name, relevance=relevance).table
    beyond = (t["lower"] > relevance) | (t["upper"] < -relevance)
    low, high = t["equivalence_lower"], t["equivalence_upper"]
    within = (low > -relevance) & (high < relevance)
    assert ((t["lower"] <= low) & (high <= t["upper"])).all()
    assert beyond.tolist() == (t["p_adjusted"] <= 0.05).tolist()
    assert within.tolist() == (t["p_equivalence"] <= 0.05).tolist()
    assert within.tolist() == (t["verdict"] == "equivalent").tolist()
    plain = compare(layout, name).table
    np.testing.assert_array_equal(plain["lower"], t["lower"])
    assert (t["p"] >= plain["p"]).all()


def test_non_inferiority_of_losses_is_about_smaller_ones() -> None:
    values = noise(30, 2)
    c = compare(made(values), "paired-t", alternative="less", relevance=-0.9)
    d = values[:, 0] - values[:, 1]
    expected = stats.ttest_1samp(d - 0.9, 0, alternative="less")
    assert c.table["p"][0] == pytest.approx(expected.pvalue)
    assert c.table["verdict"][0] == "non-inferior"
    other = compare(made(values), "paired-t", alternative="greater", relevance=-3)
    assert other.table["verdict"][0] == "non-superior"


@pytest.mark.parametrize("name", ["wilcoxon", "sign-flip"])
@pytest.mark.parametrize("null", ["exact", "asymptotic"])
def test_margins_of_symmetry_tests_shift_the_data(name: str, null: str) -> None:
    values = noise(11, 2)
    first = np.array([1.0, 0.0])
    shifted, back = values - 0.3 * first, values + 0.3 * first

    def p(scores: np.ndarray, **options: Any) -> float:
        table = compare(made(scores, measure="accuracy"), name, null=null, **options).table
        return float(table["p"][0])

    for alternative, moved in (("greater", shifted), ("less", back)):
        assert p(values, relevance=0.3, alternative=alternative) == pytest.approx(
            p(moved, alternative=alternative)
        )
    assert p(values, relevance=-0.3, alternative="greater") == pytest.approx(
        p(back, alternative="greater")
    )
    # the second algorithm is larger on average: two-sided, it is moved down
    assert p(values, relevance=0.3) == pytest.approx(p(back))
    assert p(values, relevance=9) == 1
    wide = compare(made(values, measure="accuracy"), name, null=null, relevance=9).table.iloc[0]
    assert wide["p_equivalence"] == pytest.approx(
        max(p(values + 9 * first, alternative="greater"), p(values - 9 * first, alternative="less"))
    )
    assert wide["verdict"] == "equivalent"


@pytest.mark.parametrize("adjust", ["step-down", "single-step", "max-modulus", "sidak"])
def test_equivalence_is_no_equality_whatever_adjusts(adjust: str) -> None:
    """Bonferroni's share where there are limits, else Holm's; or the joint law, if it is less."""
    values = noise(40, 3, seed=4) * 0.1 + [0.0, 0.0, 0.05]
    t = compare(made(values, measure="accuracy"), "max-modulus", relevance=0.1, adjust=adjust).table
    d = np.array([values[:, i] - values[:, j] for i, j in ((0, 1), (0, 2), (1, 2))])
    assert (t["p_equivalence"] < 0.5).sum() > 0
    plain = compare(made(values, measure="accuracy"), "max-modulus", relevance=0.1, adjust="none")
    one = plain.table["p_equivalence"]
    assert (t["p_equivalence"] >= one - 1e-12).all()
    assert (t["p_equivalence"] <= np.minimum(3 * one, 1.0) + 1e-12).all()
    assert (one < 0.5).tolist() == (np.abs(d.mean(axis=1)) < 0.1).tolist()


@pytest.mark.parametrize("adjust", ["holm", "sidak", "bonferroni", "bh", "none"])
def test_margins_go_with_every_marginal_adjustment(adjust: str) -> None:
    t = compare(suited("wilcoxon"), "wilcoxon", relevance=0.2, adjust=adjust).table
    assert t["p_equivalence"].between(0, 1).all()
    assert (t["p_adjusted"] >= t["p"]).all()


def test_margins_are_refused_for_statistics_without_a_unit() -> None:
    without = [n for n in ALL if not PROCEDURES[n].needs.margins]
    assert {"friedman", "nemenyi", "quade", "cochran", "mcnemar", "sign", "permutation"} < set(
        without
    )
    for name in without:
        with pytest.raises(InferenceError, match=f"'{name}' knows no differences in the measure"):
            run(name, relevance=0.1)


# -- exact tests of pairs --------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_wilcoxon_and_sign_are_scipys(alternative: str) -> None:
    values = noise(13, 3)
    layout = made(values, measure="accuracy")
    wilcoxon, sign = (
        compare(layout, n, alternative=alternative).table for n in ("wilcoxon", "sign")
    )
    for row, (i, j) in enumerate(combinations(range(3), 2)):
        x, y = values[:, i], values[:, j]
        theirs = stats.wilcoxon(x, y, method="exact", alternative=alternative)
        assert wilcoxon["p"][row] == pytest.approx(theirs.pvalue)
        binomial = stats.binomtest(int((x > y).sum()), 13, alternative=alternative)
        assert sign["p"][row] == pytest.approx(binomial.pvalue)


def test_sign_flips_are_all_sign_flips() -> None:
    values = noise(9, 2)
    d = values[:, 0] - values[:, 1]
    flips = np.array(np.meshgrid(*[[-1, 1]] * 9)).reshape(9, -1).T
    expected = np.mean(np.abs(flips @ d) >= abs(d.sum()) - 1e-9)
    assert compare(made(values), "sign-flip").table["p"][0] == pytest.approx(expected)


def test_friedman_corrects_for_ties() -> None:
    # as eugster2008, section 3.2, does: its 888.57 is 800.42 / 0.9008
    values = np.random.default_rng(3).integers(0, 4, size=(40, 4)).astype(float)
    overall = compare(made(values), "friedman").overall
    theirs = stats.friedmanchisquare(*values.T)
    assert overall is not None
    assert overall.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert overall.p == pytest.approx(theirs.pvalue, rel=1e-9)
    ranked = stats.rankdata(values, axis=1)
    plain = 12 / (40 * 4 * 5) * (ranked.sum(axis=0) ** 2).sum() - 3 * 40 * 5
    ties = sum((c**3 - c).sum() for c in (np.unique(r, return_counts=True)[1] for r in values))
    assert overall.statistic == pytest.approx(plain / (1 - ties / (40 * 4 * 15)), rel=1e-10)


def test_blocks_that_all_agree_have_the_chance_of_one_order() -> None:
    values = np.arange(3) + np.array([[0], [5], [1], [7]])
    for name in ("iman-davenport", "quade"):
        limit = compare(made(values), name, null="asymptotic").overall
        exact = compare(made(values), name, null="exact").overall
        assert limit is not None
        assert exact is not None
        assert limit.statistic == exact.statistic == np.inf
        assert exact.p == pytest.approx(limit.p) == pytest.approx(6.0**-3)


# -- feelders1995 ----------------------------------------------------------------------------------

MEANS = np.array([6.38e-3, 3.49e-3, 2.94e-3, 3.00e-3])
COVARIANCE = 1e-5 * np.array(
    [[16.8, 3.76, 3.46, 4.02], [3.76, 3.01, 1.54, 1.27], [3.46, 1.54, 2.24, 2.67],
     [4.02, 1.27, 2.67, 4.15]]
)  # fmt: skip


def with_moments(n: int, mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """A sample with exactly these moments."""
    x = np.random.default_rng(0).normal(size=(n, len(mean)))
    x = np.linalg.qr(x - x.mean(axis=0))[0] * np.sqrt(n - 1)
    size, axes = np.linalg.eigh(covariance)
    return x @ (axes * np.sqrt(size.clip(min=0))).T + mean


def test_feelders_table_3_with_the_right_and_with_the_printed_quantile() -> None:
    layout = made(with_moments(106, MEANS, COVARIANCE), block="item")
    t = compare(layout, "max-modulus", alpha=0.1).table
    assert maximum_modulus_quantile(0.1, 6, 105) == pytest.approx(2.4127, abs=5e-5)
    np.testing.assert_allclose([t["lower"][0], t["upper"][0]], [2.9e-4, 5.5e-3], rtol=0.02)
    half = (t["upper"] - t["lower"]) / 2 * 2.135 / 2.4127
    # the last upper limit is printed as 6.2e-3
    lower = [5.9e-4, 1.1e-3, 1.1e-3, -4.3e-4, -9.2e-4, -7.2e-4]
    upper = [5.2e-3, 5.7e-3, 5.8e-3, 1.5e-3, 1.9e-3, 6.1e-4]
    np.testing.assert_allclose(t["estimate"] - half, lower, atol=1e-4)
    np.testing.assert_allclose(t["estimate"] + half, upper, atol=1e-4)
    # with either quantile the linear model is worse and the networks are not told apart
    assert t["verdict"].tolist() == ["worse"] * 3 + ["undecided"] * 3


def with_totals(correct: list[int], squares: float) -> np.ndarray:
    """Items x classifiers with these column sums and about this sum of squared row sums."""
    rng, n, best = np.random.default_rng(1), 384, np.zeros((384, 5))
    shared, own = rng.normal(size=(n, 1)), rng.normal(size=(n, len(correct)))
    for weight in np.linspace(1, 3, 400):
        place = (weight * shared + own).argsort(axis=0).argsort(axis=0)
        y = (place >= n - np.array(correct)).astype(float)
        off = [abs((m.sum(axis=1) ** 2).sum() - squares) for m in (y, best)]
        best = y if off[0] < off[1] else best
    return best


def test_feelders_table_5_and_its_quantile() -> None:
    correct = [300, 295, 265, 303, 296]
    squares = 5 * sum(correct) - 0.0205**2 * 384**2 * 20 / 2
    y = with_totals(correct, squares)
    assert y.sum(axis=0).tolist() == correct
    t = compare(made(y, block="item", measure="accuracy"), "pooled-proportions").table
    half = (t["upper"] - t["lower"]) / 2
    assert stats.norm.isf(0.025 / 10) == pytest.approx(2.807, abs=5e-4)
    np.testing.assert_allclose(half / 2.807, 0.0205, atol=3e-5)
    lower = [-0.045, 0.033, -0.066, -0.048, 0.02, -0.079, -0.061, -0.157, -0.139, -0.04]
    upper = [0.071, 0.149, 0.05, 0.068, 0.136, 0.037, 0.055, -0.041, -0.023, 0.076]
    np.testing.assert_allclose(t["lower"], lower, atol=1.5e-3)
    np.testing.assert_allclose(t["upper"], upper, atol=1.5e-3)
    third = (t["first"] == "c") | (t["second"] == "c")
    assert third.tolist() == (t["verdict"] != "undecided").tolist()


def test_feelders_mcnemar_is_1_1636() -> None:
    cells = [((1, 1), 61), ((1, 0), 23), ((0, 1), 32), ((0, 0), 268)]
    errors = np.concatenate([np.tile(row, (count, 1)) for row, count in cells])
    layout = made(errors, block="item", measure="error")
    row = compare(layout, "mcnemar").table.iloc[0]
    assert row["statistic"] ** 2 == pytest.approx(1.1636, abs=5e-5)
    assert row["statistic"] < 0  # lda has fewer errors
    assert row["p"] == pytest.approx(0.28, abs=0.005)
    exact = compare(layout, "mcnemar", null="exact").table["p"][0]
    assert exact == pytest.approx(stats.binomtest(23, 55).pvalue)


# -- gaps and clusters -----------------------------------------------------------------------------


def with_gaps() -> np.ndarray:
    values = np.abs(noise(20, 3))
    values[2, 0] = values[5, 1] = values[6, 1] = np.nan
    return values


def test_incomplete_blocks_are_left_out_unless_a_procedure_uses_them() -> None:
    values = with_gaps()
    whole = values[~np.isnan(values).any(axis=1)]
    c, expected = compare(made(values), "paired-t"), compare(made(whole), "paired-t")
    stands = c.table["verdict"] != "withheld"  # b lacks 2 of 20 blocks: none in its favour does
    assert c.table["estimate"].equals(expected.table["estimate"])
    # what favours a, which lacks one, is held against its worst case
    assert (c.table["p"] >= expected.table["p"])[stands].all()
    assert (c.table["lower"] <= expected.table["lower"])[stands].all()
    assert (c.table["upper"] >= expected.table["upper"])[stands].all()
    asked = compare(made(values), "paired-t", gaps="complete")
    assert asked.table.equals(expected.table)
    assert c.blocks.count == 17
    (note,) = [say(w) for w in c.warnings if w.code == "incomplete-blocks"]
    assert "3 of 20 rows lack a score (a: 1, b: 2)" in note
    mixed = compare(made(values), "mixed-tukey")
    assert mixed.blocks.count == 20
    assert "incomplete-blocks" not in codes(mixed)
    assert not mixed.table.equals(compare(made(whole), "mixed-tukey").table)


@pytest.mark.parametrize("measure", ["error", "squared", "auc"])
def test_the_worst_value_of_the_block_fills_gaps(measure: str) -> None:
    values = with_gaps()
    worst = (np.nanmin if measure == "auc" else np.nanmax)(values, axis=1, keepdims=True)
    filled = np.where(np.isnan(values), worst, values)
    c = compare(made(values, measure=measure), "paired-t", gaps="worst")
    assert c.table.equals(compare(made(filled, measure=measure), "paired-t").table)
    assert c.blocks.count == 20
    (note,) = [say(w) for w in c.warnings if w.code == "worst-case-values"]
    assert "were set to the worst of their row." in note


def test_clusters_of_items_are_used_averaged_or_refused() -> None:
    rng = np.random.default_rng(6)
    clusters = np.repeat(np.arange(12), 5)
    values = rng.normal(size=(60, 3)) + rng.normal(size=(12, 3))[clusters]
    layout = made(values, block="item", clusters=clusters)
    d = values[:, 0] - values[:, 1]
    totals = np.array([(d - d.mean())[clusters == c].sum() for c in range(12)])
    t = d.mean() / np.sqrt(12 / 11 * (totals**2).sum() / 60**2)
    row = compare(layout, "paired-t").table.iloc[0]
    assert row["statistic"] == pytest.approx(t)
    assert row["p"] == pytest.approx(2 * stats.t.sf(abs(t), 11))
    means = np.array([values[clusters == c].mean(axis=0) for c in range(12)])
    averaged, expected = compare(layout, "wilcoxon"), compare(made(means, block="item"), "wilcoxon")
    pd.testing.assert_frame_equal(averaged.table, expected.table)
    assert averaged.blocks.count == 12
    assert "averaged" in codes(averaged)
    labels = made(values > 0, block="item", measure="accuracy", clusters=clusters)
    for name in ("mcnemar", "cochran", "pooled-proportions"):
        with pytest.raises(InferenceError, match=f"'{name}' takes items for independent"):
            compare(labels, name)


def test_gaps_in_clusters_leave_the_item_out_for_all() -> None:
    clusters = np.repeat(np.arange(10), 2)
    values = with_gaps()
    c = compare(made(values, block="item", clusters=clusters), "mixed-tukey")
    kept = ~np.isnan(values).any(axis=1)
    means = [values[kept & (clusters == k)].mean(axis=0) for k in np.unique(clusters[kept])]
    np.testing.assert_allclose(
        c.table["estimate"], compare(made(means, block="item"), "mixed-tukey").table["estimate"]
    )


# -- odd scores ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_equal_scores_show_no_difference(name: str) -> None:
    layout = suited(name)
    c = run(name, replace(layout, values=-np.ones(layout.values.shape)))
    assert (c.table["estimate"] == 0).all()
    nothing = PROCEDURES[name].needs.halves  # is claimed
    assert (c.table["statistic"].isna() if nothing else c.table["statistic"] == 0).all()
    assert (c.table["p_adjusted"].isna() if nothing else c.table["p_adjusted"] == 1).all()
    assert (c.table["verdict"] == "undecided").all()
    assert c.overall is not None
    assert not c.overall.p < 1


def test_a_constant_difference_is_unknown_to_t_and_clear_to_ranks() -> None:
    values = noise(12, 3)
    values[:, 1] = values[:, 0] + 0.1
    for name in ("paired-t", "max-modulus", "median-bootstrap"):
        c = compare(made(values), name)
        first = c.table.iloc[0]
        if name != "median-bootstrap":
            assert np.isnan([first["p"], first["lower"], first["statistic"]]).all()
            assert first["verdict"] == "undecided"
            (note,) = [say(w) for w in c.warnings if w.code == "no-variation"]
            assert "between a and b is the same in every row" in note
        assert c.table["p_adjusted"][1:].notna().all()
    for name in ("sign", "wilcoxon"):
        p = compare(made(values), name, pairs=[("a", "b")]).table["p"][0]
        assert p == pytest.approx(2**-11)
    mixed = compare(made(values[:, :2]), "mixed-tukey").table.iloc[0]
    assert np.isnan(mixed["p"])


def test_a_constant_difference_alone_leaves_the_global_test_unknown_or_one() -> None:
    values = np.column_stack([noise(12, 1), noise(12, 1) + 0.1])
    overall = compare(made(values), "paired-t").overall
    assert overall is not None
    assert not overall.p < 1


def test_algorithms_that_are_equal_do_not_change_the_global_test_of_the_others() -> None:
    values = noise(25, 3)
    doubled = np.column_stack([values, values[:, 2]])
    one, two = (compare(made(v), "paired-t").overall for v in (values, doubled))
    assert one is not None
    assert two is not None
    assert two.df == one.df == (2, 23)
    assert two.p == pytest.approx(one.p, rel=1e-6)


def test_fewer_blocks_than_algorithms_leave_the_global_t_test_unknown() -> None:
    overall = compare(made(noise(5, 10)), "paired-t").overall
    assert overall is not None
    assert np.isnan(overall.p)


def test_significant_pairs_whose_means_point_the_other_way_are_named() -> None:
    values = np.column_stack([np.full(40, 1.0), np.full(40, 1.1)]) + 1e-3 * noise(40, 2)
    values[0, 0] = 50.0  # one disaster against 39 small wins
    c = compare(made(values), "sign")
    row = c.table.iloc[0]
    assert row["verdict"] == "better"
    assert row["mean_difference"] > 0 > row["estimate"]
    assert row["statistic"] < 0
    assert "direction" in codes(c)
    assert "direction" not in codes(compare(made(values[1:]), "sign"))


def test_rounding_breaks_no_ties_of_ranks() -> None:
    values = np.array([[0.3, 0.2], [0.2, 0.1], [0.9, 0.1], [0.5, 0.4], [0.2, 0.9]])
    assert 0.3 - 0.2 != 0.2 - 0.1
    ours, exact = (compare(made(v), "wilcoxon").table for v in (values, np.round(10 * values)))
    assert ours["p"].tolist() == exact["p"].tolist()


def test_few_data_sets_are_counted_without_those_that_are_left_out() -> None:
    values = noise(12, 3)
    values[:4, 1] = np.nan
    layout = made(values, block="dataset")
    assert dict(told(compare(layout, "paired-t").warnings))["few-data-sets"].startswith("8 data")
    assert "few-data-sets" not in codes(compare(layout, "paired-t", gaps="worst"))
    assert "few-data-sets" not in codes(compare(layout, "mixed-tukey"))


def test_pairs_that_are_not_adjusted_still_make_a_test_of_no_difference() -> None:
    # the smallest of six plain p-values would reject true hypotheses in up to 30 %
    layout = made(noise(12, 4))
    plain, adjusted = (compare(layout, "wilcoxon", adjust=a) for a in ("none", "bonferroni"))
    assert plain.overall is not None
    assert adjusted.overall is not None
    assert plain.overall.p == pytest.approx(adjusted.overall.p)
    assert plain.overall.p == pytest.approx(min(1, 6 * plain.table["p"].min()))
    assert plain.table["p_adjusted"].tolist() == plain.table["p"].tolist()


@pytest.mark.parametrize("procedure", ["mixed-tukey", "aligned-tukey", "paired-t", "friedman"])
def test_equal_scores_are_no_evidence_and_no_unequal_variances(procedure: str) -> None:
    found = compare(made(np.tile(noise(12, 1), 3), block="dataset"), procedure)
    assert found.overall is not None
    assert (found.overall.statistic, found.overall.p) == (0, 1)
    assert found.table["p_adjusted"].tolist() == [1, 1, 1]
    assert "sphericity" not in codes(found)


def test_unequal_variances_are_told_where_sphericity_is_assumed() -> None:
    values = noise(40, 4)
    values[:, 0] *= 20
    assert "sphericity" in codes(compare(made(values), "mixed-tukey"))
    assert "sphericity" not in codes(compare(made(values), "paired-t"))
    assert "unadjusted" in codes(compare(made(values), "paired-t", adjust="none"))


# -- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"procedure": "freidman"}, "'freidman' is not a procedure. Did you mean 'friedman'?"),
        ({"null": "asymptotics"}, "Did you mean 'asymptotic'?"),
        ({"null": "permutation:5"}, "'permutation:5' is wrong"),
        ({"adjust": "holms"}, "'holms' is not an adjustment. Did you mean 'holm'?"),
        ({"alternative": "greather"}, "Did you mean 'greater'?"),
        ({"alpha": 0}, "alpha must lie between 0 and 1, not 0."),
        ({"alpha": 2}, "alpha must lie between 0 and 1, not 2."),
        ({"alpha": "x"}, "alpha must lie between 0 and 1, not 'x'."),
        ({"alpha": float("nan")}, "alpha must lie between 0 and 1, not nan."),
        ({"relevance": float("nan")}, "relevance must be a number of at least 0, not nan"),
        ({"relevance": float("inf")}, "relevance must be a number of at least 0, not inf"),
        ({"relevance": "x"}, "relevance must be a number of at least 0, not 'x'"),
        ({"relevance": -0.1}, "a negative one (non-inferiority) needs a one-sided alternative"),
        ({"control": "z"}, "'z' is not an algorithm."),
        ({"control": "a", "pairs": [("a", "b")]}, "Say either a control or pairs, not both."),
        ({"pairs": [("a", "z")]}, "'z' is not an algorithm."),
        ({"pairs": [("a", "a")]}, "compares nothing"),
        ({"pairs": [("a", "b"), ("b", "a")]}, "A pair is named twice"),
        ({"pairs": []}, "pairs is a list of two names each, as in [('a', 'c')], not []."),
        ({"pairs": ["ab"]}, "pairs is a list of two names each"),
        ({"pairs": [("a", "b", "c")]}, "pairs is a list of two names each"),
        ({"gaps": "drop"}, "'drop' is not a policy for missing scores"),
        ({"procedure": "nemenyi-control"}, "say which algorithm it is, as in --control a."),
        ({"procedure": "wilcoxon", "adjust": "single-step"}, "scores each pair on its own"),
    ],
)
def test_wrong_requests_are_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PodiumError) as caught:
        compare(made(noise(12, 3)), **{"procedure": "paired-t", **options})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


GONE = np.full((12, 3), np.nan)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (noise(12, 1), "A comparison needs two algorithms; there is only 'a'."),
        (np.empty((5, 0)), "A comparison needs two algorithms; there are none."),
        (noise(1, 3), "needs at least 2 rows with all scores; there is 1."),
        (np.where(np.arange(12)[:, None] > 0, np.nan, noise(12, 3)), "there is 1."),
        (np.empty((0, 3)), "There is no score of 'squared' to compare."),
        (GONE, "There is no score of 'squared' to compare."),
        (np.column_stack([noise(12, 2), GONE[:, 0]]), "'c' has no score of 'squared' in any row"),
        (np.where(noise(12, 3) > 2, np.inf, 0.0), "'squared' has infinite scores"),
        (noise(12, 3) * 1e150, "e+150; give them in another unit."),
        (noise(12, 3) * 1e-150, "e-150; give them in another unit."),
    ],
)
@pytest.mark.parametrize("name", ["paired-t", "mixed-tukey", "nemenyi"])
def test_unusable_scores_are_one_sentence(values: np.ndarray, message: str, name: str) -> None:
    if name == "mixed-tukey" and message == "there is 1.":
        message = ""  # a single value per algorithm: said in the model's own words
    with pytest.raises(InferenceError) as caught:
        compare(made(values), name)
    assert message in str(caught.value)


def test_an_algorithm_without_scores_may_count_as_the_worst() -> None:
    values = np.column_stack([np.abs(noise(12, 2)), GONE[:, 0]])
    c = compare(made(values, measure="error"), "paired-t", gaps="worst")
    assert c.means["c"] == pytest.approx(values[:, :2].max(axis=1).mean())


@pytest.mark.parametrize("name", ["mcnemar", "cochran", "pooled-proportions"])
def test_counting_procedures_say_what_to_use_for_other_losses(name: str) -> None:
    with pytest.raises(InferenceError, match=r"must be 0 or 1; for other losses use paired-t"):
        compare(made(noise(12, 3), block="item"), name)


# -- sizes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nemenyi", "wilcoxon", "sign-flip", "paired-t", "mixed-tukey"])
def test_fifty_algorithms_can_be_compared(name: str) -> None:
    c = compare(made(noise(20, 50)), name)
    assert len(c.table) == 1225
    assert (c.table["p_adjusted"] >= c.table["p"]).all()


def test_steps_down_of_fifty_algorithms_are_drawn_or_refused() -> None:
    layout = made(noise(20, 50))
    down = compare(layout, "nemenyi", adjust="step-down", null="permutation:499").table
    one = compare(layout, "nemenyi", null="permutation:499").table
    assert (down["p_adjusted"] <= one["p_adjusted"]).all()
    with pytest.raises(InferenceError, match="1225 pairs"):
        compare(layout, "mixed-tukey", adjust="step-down")


MANY = np.random.default_rng(0).random((100_000, 5)) < [0.8, 0.8, 0.802, 0.805, 0.81]


@pytest.mark.parametrize("name", [n for n in ALL if ("item", "test-set") in PROCEDURES[n].legal])
def test_a_hundred_thousand_items_are_compared_or_refused(name: str) -> None:
    layout = made(MANY, block="item", measure="accuracy")
    if name == "flip" or name.endswith("bootstrap"):
        instead = "hull is as good" if name == "flip" else "with so many rows use paired-t"
        with pytest.raises(InferenceError, match=f"too long; {instead}"):
            run(name, layout)
    else:
        assert run(name, layout).table["p"].between(0, 1).all()


def test_exact_tests_of_a_hundred_thousand_items_do_not_hang() -> None:
    layout = made(MANY[:, :2], block="item", measure="accuracy")
    wins = (MANY[:, 0] & ~MANY[:, 1]).sum(), (MANY[:, 1] & ~MANY[:, 0]).sum()
    expected = stats.binomtest(int(wins[0]), int(sum(wins))).pvalue
    for name in ("mcnemar", "sign", "wilcoxon", "sign-flip"):  # of 0/1 they are one test
        p = compare(layout, name, null="exact").table["p"][0]
        assert p == pytest.approx(expected, rel=1e-8)
    many = made(noise(100_000, 2), block="item")
    for name in ("wilcoxon", "sign-flip"):
        with pytest.raises(InferenceError, match="too large to enumerate; use permutation"):
            compare(many, name, null="exact")


def test_a_third_algorithm_does_not_matter_to_the_closed_p_value_of_a_pair() -> None:
    """The joint statistic knows a third algorithm that is far away; closed testing does not."""
    rng = np.random.default_rng(3)
    scores = rng.normal([0, 0.9, 0], 1, (60, 3))
    far = scores + np.array([0, 0, 50])
    alone = compare(made(scores[:, :2]), "permutation").table["p"][0]
    row = compare(made(far), "permutation").table.iloc[0]
    assert alone < 0.001
    assert row["p"] == pytest.approx(alone, rel=0.3, abs=2e-4)
    assert row["p"] <= row["p_adjusted"] < 0.01


@pytest.mark.parametrize("adjust", ["shaffer", "bergmann-hommel"])
def test_hypotheses_with_a_relevance_do_not_imply_each_other(adjust: str) -> None:
    with pytest.raises(InferenceError, match="needs hypotheses that imply each other"):
        compare(made(noise(20, 3)), "paired-t", adjust=adjust, relevance=0.1)


def test_medians_of_few_blocks_are_refused() -> None:
    with pytest.raises(InferenceError, match="'median-bootstrap' needs at least 10 rows"):
        compare(made(noise(9, 2)), "median-bootstrap")


def test_the_default_procedure_is_the_same_when_it_is_named() -> None:
    layout = made(noise(12, 4), block="dataset")
    assert compare(layout).table.equals(compare(layout, "ranks").table)


def test_with_gaps_a_difference_is_over_the_blocks_that_both_have() -> None:
    values = noise(16, 3)
    values[:, 2] = values[:, 0] + 0.5
    values[8:, 2] = np.nan
    values[:8] += 100.0  # the blocks that the third has are others
    row = compare(made(values, block="dataset"), "skillings-mack").table.iloc[1]
    assert row["mean_difference"] == pytest.approx(-0.5)


def test_equal_variances_are_not_called_unequal_for_few_blocks() -> None:
    rng = np.random.default_rng(1)
    said = [codes(compare(made(rng.normal(size=(12, 6))), "mixed-tukey")) for _ in range(40)]
    assert sum("sphericity" in c for c in said) <= 5
    wild = rng.normal(size=(12, 6)) * [6, 1, 1, 1, 1, 1]
    assert "sphericity" in codes(compare(made(wild), "mixed-tukey"))
