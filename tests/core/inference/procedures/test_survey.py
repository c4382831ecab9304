"""The survey procedures: against R, where the truth is planted, and where they must refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import made
from scipy import stats
from surveys_of_r import DATASET, NAMES, REFERENCE, VALUES, R, drawn

from podium import Comparisons, Layout, compare, read
from podium import compare as compare_results
from podium.core.inference.bricks.contrasts import all_pairs
from podium.core.inference.bricks.scales import signed_ranks
from podium.core.inference.layouts import Nested, Origin
from podium.core.questions.measures import KNOWN
from podium.core.samplings import parse as sampling
from podium.errors import InferenceError

TARGETS = {"survey-fixed": "datasets", "survey-random": "dataset-population"}


def surveyed(
    values: np.ndarray,
    within: np.ndarray,
    procedure: str = "survey-fixed",
    how: str = "bootstrap:5",
) -> Layout:
    """The layout of errors, samples of data sets x algorithms."""
    names = NAMES if values.shape[1] == 6 else tuple("abcdefghijk"[: values.shape[1]])
    return Layout(
        -values,
        names,
        "nested",
        TARGETS[procedure],
        KNOWN["error"],
        origin=Origin(sampling=sampling(how)),
        nested=Nested(
            within=within, datasets=tuple(f"D{j + 1:02}" for j in range(int(within.max()) + 1))
        ),
    )


def judged(values: np.ndarray, within: np.ndarray, procedure: str, **more: Any) -> Comparisons:
    how = more.pop("how", "bootstrap:5")
    return compare(surveyed(values, within, procedure, how), procedure, **more)


# -- R ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("procedure", "key"),
    [
        ("survey-fixed", "tukey_interaction_average"),
        ("survey-fixed", "tukey_paper_model_average"),
        ("survey-random", "tukey_random_interaction"),
    ],
)
def test_tukey_p_values_and_intervals_are_multcomp_s(procedure: str, key: str) -> None:
    c, theirs = judged(VALUES, DATASET, procedure, null="normal"), R[key]
    names = [f"{NAMES[b]} - {NAMES[a]}" for a, b in all_pairs(6)]
    assert list(theirs["p"]) == names
    # multcomp integrates by Monte Carlo: its p-values are right to 1e-4, its quantile to 3e-4
    np.testing.assert_allclose(c.table["p_adjusted"], list(theirs["p"].values()), atol=1e-4)
    exact = list(theirs["p_ptukey_Inf"].values())
    np.testing.assert_allclose(c.table["p_adjusted"], exact, atol=1e-6)
    width = np.array(list(theirs["upr"].values())) - list(theirs["lwr"].values())
    for ours, of in ((-c.table["upper"], "lwr"), (-c.table["lower"], "upr")):
        np.testing.assert_allclose(ours, list(theirs[of].values()), atol=3e-4 * width.max())


def test_the_tests_of_the_analysis_of_variance_are_shown() -> None:
    within = R["aov"]["Error: Within"]
    c = judged(VALUES, DATASET, "survey-fixed")
    assert c.overall is not None
    assert c.overall.statistic == pytest.approx(within["F"][0], rel=1e-10)
    assert c.overall.df == (5, 5145)
    shown: Any = c.method.to_dict()["interaction"]
    assert shown["statistic"] == pytest.approx(within["F"][1], rel=1e-10)
    assert (shown["df"], shown["p"]) == ((100, 5145), 0.0)
    assert c.method.to_dict()["sigma_sample"] == pytest.approx(
        R["lmer_without_ds"]["sigma_dsb"], rel=1e-6
    )


def test_with_t_instead_of_normal_quantiles_intervals_are_the_studentized_range_s() -> None:
    for procedure, df in (("survey-fixed", 5145), ("survey-random", 100)):
        c = judged(VALUES, DATASET, procedure)
        half = (c.table["upper"] - c.table["lower"]) / 2
        critical = stats.studentized_range.ppf(0.95, 6, df) / math.sqrt(2)
        np.testing.assert_allclose(half / (c.table["estimate"] / c.table["statistic"]), critical,
                                   rtol=1e-6)  # fmt: skip


def test_samples_stay_apart_for_a_survey_procedure_read_from_a_table() -> None:
    frame = pd.read_csv(REFERENCE / "survey_long.csv")
    results = read(frame.rename(columns={"ds": "dataset", "b": "sample", "alg": "algorithm",
                                         "p": "error"}), sampling="bootstrap:50")  # fmt: skip
    ours, theirs = R["tukey_interaction_average"], compare_results(results, "survey-fixed")
    found = dict(zip(zip(theirs.table["second"], theirs.table["first"], strict=True),
                     -theirs.table["estimate"], strict=True))  # fmt: skip
    for pair, estimate in ours["estimate"].items():
        second, first = pair.split(" - ")
        value = found.get((second, first), -found.get((first, second), 0.0))
        assert value == pytest.approx(estimate, rel=1e-8)
    assert theirs.target == "datasets"
    assert compare_results(results, "survey-random").target == "dataset-population"


# -- planted truth ---------------------------------------------------------------------------------


def planted(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Three algorithms, three data sets; the last errs more by 5 sd on two of them."""
    values, within = drawn(3, 10, 3, sample=0.5, interaction=0.0, seed=seed)
    values[within < 2, 2] += 5.0
    return values, within


@pytest.mark.parametrize("seed", range(5))
def test_a_difference_on_some_data_sets_is_found_and_is_said_to_differ_between_them(
    seed: int,
) -> None:
    c = judged(*planted(seed), "survey-fixed")  # an average over levels: R's benchmark had p = 0.48
    verdicts = dict(zip(zip(c.table["first"], c.table["second"], strict=True), c.table["verdict"],
                        strict=True))  # fmt: skip
    assert verdicts["a", "c"] == verdicts["b", "c"] == "better"
    assert verdicts["a", "b"] == "undecided"
    assert c.table["estimate"].iloc[1] == pytest.approx(-10 / 3, abs=1.0)
    shown: Any = c.method.to_dict()["interaction"]
    assert shown["p"] < 1e-6


@pytest.mark.parametrize("seed", range(5))
def test_three_data_sets_of_which_one_disagrees_say_little_about_others(seed: int) -> None:
    c = judged(*planted(seed), "survey-random")
    assert (c.table["verdict"] == "undecided").all()
    assert "too-few-data-sets" in [note.code for note in c.warnings]
    assert c.table[["lower", "upper"]].isna().all(axis=None)


def test_a_difference_on_all_data_sets_is_found_for_other_data_sets_too() -> None:
    values, within = drawn(12, 5, 3, interaction=0.3)
    values[:, 2] += 1.5
    c = judged(values, within, "survey-random")
    assert c.table["verdict"].tolist() == ["undecided", "better", "better"]


def test_every_data_set_counts_alike_however_many_samples_it_has() -> None:
    values, within = drawn(3, 40, 2, interaction=0.0, sample=0.0, error=0.01)
    values[:, 1] += np.array([0.0, 0.0, 3.0])[within]
    few = np.flatnonzero((within < 2) | (np.arange(len(within)) % 40 < 4))
    c = judged(values[few], within[few], "survey-fixed")
    assert c.table["estimate"].iloc[0] == pytest.approx(-1.0, abs=0.02)
    assert c.means["b"] - c.means["a"] == pytest.approx(1.0, abs=0.02)


# -- designs at the edge ---------------------------------------------------------------------------


def test_an_absent_algorithm_is_refused_for_these_data_sets_but_not_for_the_population() -> None:
    values, within = drawn()
    values[within < 2, 0] = np.nan
    with pytest.raises(InferenceError, match=r"'a' has no score on data set 'D01' \(2 such cells"):
        judged(values, within, "survey-fixed")
    c = judged(values, within, "survey-random")
    assert c.table["p"].between(0, 1).all()
    assert "gaps" in [note.code for note in c.warnings]


def test_algorithms_that_share_no_data_set_are_compared_between_them_and_this_is_said() -> None:
    values, within = drawn(4, 5, 4)
    values[within < 2, :2] = np.nan
    values[within >= 2, 2:] = np.nan
    c = judged(values, within, "survey-random")
    assert "disconnected" in [note.code for note in c.warnings]
    assert c.table["p"].notna().all()


def test_one_data_set_is_no_population_but_these_data_sets_it_is() -> None:
    values, within = drawn(1, 8, 3)
    with pytest.raises(InferenceError, match="needs at least two"):
        judged(values, within, "survey-random")
    c, block = judged(values, within, "survey-fixed"), compare(made(values), "mixed-tukey")
    for column in ("estimate", "lower", "upper", "p_adjusted"):  # a random block model
        np.testing.assert_allclose(c.table[column], block.table[column], rtol=1e-9)


def test_one_sample_per_data_set_has_no_error_within_it_but_is_a_block() -> None:
    values, within = drawn(8, 1, 3)
    with pytest.raises(InferenceError, match="one score only on each data set"):
        judged(values, within, "survey-fixed")
    c = judged(values, within, "survey-random")
    block = compare(made(values, block="dataset"), "mixed-tukey")
    for column in ("estimate", "lower", "upper", "p_adjusted"):
        np.testing.assert_allclose(c.table[column], block.table[column], rtol=1e-9)


def test_two_algorithms_are_a_paired_t_test_of_data_set_means() -> None:
    values, within = drawn(9, 4, 2)
    c = judged(values, within, "survey-random")
    means = values.reshape(9, 4, 2).mean(axis=1)
    t = stats.ttest_rel(means[:, 0], means[:, 1])
    assert c.table["p"].iloc[0] == pytest.approx(t.pvalue, rel=1e-9)
    assert c.table["statistic"].iloc[0] == pytest.approx(t.statistic, rel=1e-9)


@pytest.mark.parametrize("procedure", ["survey-fixed", "survey-random"])
@pytest.mark.parametrize("gap", [False, True])
def test_constant_scores_are_equal_and_constant_differences_cannot_be_judged(
    procedure: str, gap: bool
) -> None:
    _, within = drawn()
    for step, p, code in ((0.0, 1.0, ""), (0.1, math.nan, "no-variation")):
        values = np.full((30, 3), 0.7) + step * np.arange(3)
        if gap:
            values[3, 1] = np.nan
        c = judged(values, within, procedure)
        np.testing.assert_allclose(c.table["p_adjusted"], p)
        np.testing.assert_allclose(c.table["estimate"], -step * np.array([1, 2, 1]), atol=1e-12)
        assert (code in [note.code for note in c.warnings]) == bool(code)


def test_scores_that_vary_between_data_sets_only_are_judged_by_these() -> None:
    values, within = drawn(9, 4, 3, sample=0.0, error=0.0)
    for gaps in (False, True):
        if gaps:
            values[2, 1] = np.nan
        c = judged(values, within, "survey-random")
        assert c.overall is not None
        means = values[::4]
        block = compare(made(means, block="dataset"), "mixed-tukey")
        np.testing.assert_allclose(c.table["p_adjusted"], block.table["p_adjusted"], rtol=1e-3)
        assert block.overall is not None
        assert c.overall.p == pytest.approx(block.overall.p, rel=1e-3)


def test_folds_that_share_rows_widen_the_intervals_by_nadeau_and_bengio_s_ratio() -> None:
    values, within = drawn(4, 10, 3)
    plain = judged(values, within, "survey-fixed", how="bootstrap:10").table
    folds = judged(values, within, "survey-fixed", how="cv:10").table
    widths = (folds["upper"] - folds["lower"]) / (plain["upper"] - plain["lower"])
    np.testing.assert_allclose(widths, math.sqrt((1 / 10 + 1 / 9) / (1 / 10)), rtol=1e-9)


def test_margins_and_one_sided_questions() -> None:
    values, within = planted()
    inside = judged(values, within, "survey-fixed", relevance=1.3).table
    assert inside["verdict"].tolist() == ["equivalent", "better", "better"]
    one = judged(values, within, "survey-fixed", alternative="less", adjust="none").table
    two = judged(values, within, "survey-fixed", adjust="none").table
    np.testing.assert_allclose(one["p"], [min(p / 2, 1 - p / 2) if e < 0 else 1 - p / 2 for p, e in
                                          zip(two["p"], two["estimate"], strict=True)])  # fmt: skip


def test_one_wild_algorithm_is_noticed() -> None:
    values, within = drawn(20, 4, 3, interaction=0.2, error=0.2)
    values[:, 2] += 4 * np.random.default_rng(1).normal(size=20)[within]
    c = judged(values, within, "survey-random")
    assert "sphericity" in [note.code for note in c.warnings]
    assert "13 %" in str(c.method.to_dict()["holds under"])


# -- boulesteix2013, table 1 -----------------------------------------------------------------------

TABLE_1 = {  # t, its p, W, its p: one-sided, 50 data sets
    "DLDA-all vs. DLDA-500": (4.22, 5e-05, 1065, 2e-05),
    "DLDA-all vs. DLDA-20": (3.252, 0.00104, 926, 0.00272),
    "DLDA-all vs. DLDA-10": (2.466, 0.0086, 866, 0.01387),
    "DLDA-500 vs. DLDA-20": (0.875, 0.19298, 725, 0.2005),
    "DLDA-10 vs. DLDA-500": (0.198, 0.4221, 622, 0.46433),
    "DLDA-10 vs. DLDA-20": (3.823, 0.00019, 999, 0.00025),
}


def with_t(t: float) -> np.ndarray:
    """Fifty differences whose t statistic is this one."""
    z = stats.norm.ppf((np.arange(50) + 0.5) / 50)
    return np.asarray(z / z.std(ddof=1) + t / math.sqrt(50))


def with_rank_sum(w: int, n: int) -> np.ndarray:
    """Differences of which the positive ones have this sum of ranks; the rest of fifty are 0."""
    signs = -np.ones(n)
    for rank in range(n, 0, -1):
        if w >= rank:
            signs[rank - 1] = 1
            w -= rank
    return np.concatenate([signs * np.arange(1, n + 1), np.zeros(50 - n)])


def one_sided(differences: np.ndarray, procedure: str, null: str) -> float:
    errors = np.column_stack([differences, np.zeros(50)])
    layout = made(errors, block="dataset")
    table = compare(layout, procedure, null=null, alternative="greater").table
    return float(table["p"].iloc[0])


@pytest.mark.parametrize("pair", TABLE_1)
def test_boulesteix_s_p_values_follow_from_49_df_and_a_continuity_correction(pair: str) -> None:
    t, p_t, w, p_w = TABLE_1[pair]
    n = 49 if pair == "DLDA-10 vs. DLDA-500" else 50  # two of them tie on one data set
    differences = with_rank_sum(w, n)
    two = np.column_stack([differences, np.zeros(50)])
    ranks = signed_ranks(two)
    assert (ranks[:, 0] - ranks[:, 1])[differences > 0].sum() == pytest.approx(w)
    # printed p-values have five decimals, t three
    assert one_sided(with_t(t), "paired-t", "asymptotic") == pytest.approx(p_t, abs=6e-6, rel=2e-3)
    assert one_sided(differences, "wilcoxon", "corrected") == pytest.approx(p_w, abs=6e-6)
    if w != 1065:
        assert one_sided(differences, "wilcoxon", "asymptotic") != pytest.approx(p_w, abs=6e-6)
