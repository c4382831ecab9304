"""Subgroups: against R and compare, planted truths, and the level of the interaction tests."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from surveys_made import codes, of_differences, survey

import podium
from podium import compare, layout, subgroups
from podium.asking.surveys.dataset_differences import anova, permutation, welch
from podium.asking.surveys.subgroups import grouped
from podium.core.inference.bricks.adjustments import holm
from podium.core.inference.layouts import Origin
from podium.core.words.saying import say
from podium.errors import InferenceError, UnknownName
from podium.reading import exclude_datasets

# d and g of the R calls below
D = [0.02, -0.01, 0.05, 0.03, 0.08, 0.04, 0.09, 0.01, 0.06, 0.12, -0.03, 0.10]
THREE = {"low": ["d1", "d2", "d3", "d4"], "mid": ["d5", "d6", "d7", "d8"],
         "top": ["d9", "d10", "d11", "d12"]}  # fmt: skip
G = {"low": THREE["low"], "mid": THREE["mid"]}


def members(*sizes: int) -> np.ndarray:
    label = np.repeat(np.arange(len(sizes)), sizes)
    return np.array([label == group for group in range(len(sizes))], dtype=float)


def test_interactions_are_those_of_r():
    d = np.array(D)[:, None]
    # oneway.test(d ~ g); oneway.test(d ~ g, var.equal = TRUE); the first two groups alone
    assert np.ravel(welch(d, members(4, 4, 4), 0, 0)).tolist() == pytest.approx(
        [1.2698874013, 2, 5.4018356352, 0.3531465023], abs=1e-9
    )
    assert np.ravel(anova(d, members(4, 4, 4), 0, 0)).tolist() == pytest.approx(
        [0.8454545455, 2, 9, 0.4608137485], abs=1e-9
    )
    assert np.ravel(welch(d[:8], members(4, 4), 0, 0)).tolist() == pytest.approx(
        [2.1213389121, 1, 5.2693029120, 0.2021375091], abs=1e-9
    )


def test_the_permutation_p_value_is_that_of_all_permutations():
    rng = np.random.default_rng(4)
    a, b = rng.normal(0, 1, 4), rng.normal(1.5, 1, 5)
    every = stats.permutation_test(
        (a, b),
        lambda x, y, axis: np.abs(stats.ttest_ind(x, y, axis=axis, equal_var=False).statistic),
        alternative="greater",
        vectorized=True,
    )
    drawn = permutation(np.concatenate([a, b])[:, None], members(4, 5), 20_000, 1)
    assert drawn.p[0] == pytest.approx(every.pvalue, abs=0.01)


@pytest.mark.parametrize("sizes", [(8, 12), (6, 6, 6), (5, 15)])
def test_interaction_tests_hold_their_level(sizes):
    rng = np.random.default_rng(6)
    values = rng.normal(size=(sum(sizes), 8000))
    for test in (welch, anova):
        assert (test(values, members(*sizes), 0, 0).p <= 0.05).mean() == pytest.approx(
            0.05, abs=0.01
        )
    few = permutation(values[:, :1500], members(*sizes), 199, 0).p
    assert (few <= 0.05).mean() == pytest.approx(0.05, abs=0.018)


def test_unequal_variances_spoil_anova_and_not_welch():
    label = np.repeat([3.0, 1.0], [5, 15])
    values = label[:, None] * np.random.default_rng(7).normal(size=(20, 8000))
    assert (anova(values, members(5, 15), 0, 0).p <= 0.05).mean() > 0.18
    assert (welch(values, members(5, 15), 0, 0).p <= 0.05).mean() == pytest.approx(0.05, abs=0.012)


def test_rows_are_compare_s_and_holm_is_over_all_tests():
    made = of_differences(D, np.array(D)[::-1])
    found = subgroups(made, THREE, test="anova", procedure="wilcoxon")
    assert found.within[["first", "second"]].drop_duplicates().to_numpy().tolist() == [
        ["a", "b"], ["a", "c"], ["b", "c"]
    ]  # fmt: skip
    part = of_differences(D[:4], D[:-5:-1])
    alone = compare(part, "wilcoxon", adjust="none").table
    low = found.within[found.within["group"] == "low"]
    np.testing.assert_allclose(low["p"], alone["p"])
    np.testing.assert_allclose(low["estimate"], alone["estimate"])
    p = np.concatenate([found.within["p"], found.interactions["p"]])
    q = np.concatenate([found.within["p_adjusted"], found.interactions["p_adjusted"]])
    assert len(p) == 3 * 3 + 3
    np.testing.assert_allclose(q, holm(p))


def test_intervals_are_r_s_at_the_level_of_all_tests():
    # t.test(d[1:4], conf.level = 1 - 0.05 / 3): one pair, two groups, one interaction
    found = subgroups(of_differences(D), G)
    reach = stats.t.isf(0.05 / 3 / 2, 3) * np.std(D[:4], ddof=1) / 2
    row = found.within.iloc[0]
    assert row["p"] == pytest.approx(0.1696799289, abs=1e-9)  # t.test(d[1:4])$p.value
    assert [row["lower"], row["upper"]] == pytest.approx([0.0225 - reach, 0.0225 + reach])


def test_a_planted_subgroup_and_its_interaction_are_found():
    results = survey([(0, 0.03)] * 8 + [(0, -0.03)] * 8 + [(0, 0)] * 3, ("svm", "knn"))
    made = layout(results)
    groups = {"small": results.datasets[:8], "large": results.datasets[8:16]}
    assert compare(made).table["verdict"].tolist() == ["undecided"]  # they cancel
    found = subgroups(made, groups, declared_before="protocol of 2 May")
    assert found.within["verdict"].tolist() == ["better", "worse"]
    assert found.interactions["verdict"].tolist() == ["they differ"]
    assert found.ungrouped == ("d17", "d18", "d19")
    assert "d17, d18, d19" in repr(found)
    assert "declared before the scores were seen (protocol of 2 May)" in found.statement
    assert "EXPLORATORY" not in repr(found)
    alike = subgroups(made, {"odd": results.datasets[:16:2], "even": results.datasets[1:16:2]})
    assert alike.interactions["verdict"].tolist() == ["undecided"]
    assert alike.statement.startswith("EXPLORATORY")
    assert {"exploratory", "multiplicity", "interaction"} <= codes(alike)


def test_the_area_of_application_is_in_the_statement():
    made = replace(of_differences(D), origin=Origin(population="gene expression"))
    assert "(gene expression)" in subgroups(made, G).statement


def test_no_claim_is_made_in_most_surveys_without_any_difference():
    rng = np.random.default_rng(9)
    wrong = 0
    for _ in range(100):
        found = subgroups(of_differences(rng.normal(size=12)), THREE)
        wrong += bool((found.within["p_adjusted"] <= 0.05).any())
        wrong += bool((found.interactions["p_adjusted"] <= 0.05).any())
    assert wrong <= 0.05 * 100 + 7


def test_characteristics_make_groups():
    table = pd.DataFrame(
        {"dataset": ["d1", "d2", "d3", "d4"], "rows": [10, 100, 1000, np.nan], "kind": list("xyxy")}
    )
    assert grouped(table, "rows", [100, 500]) == {
        "rows < 100": ["d1"],
        "100 <= rows < 500": ["d2"],
        "rows >= 500": ["d3"],
    }
    assert grouped(table, "kind", datasets=["d1", "d2", "d3"]) == {
        "kind = x": ["d1", "d3"],
        "kind = y": ["d2"],
    }
    for cuts in (None, [], [5, 5], [np.nan]):
        with pytest.raises(InferenceError, match="is a number: say where to cut it"):
            grouped(table, "rows", cuts)
    with pytest.raises(InferenceError, match="takes no cut points"):
        grouped(table, "kind", [1])
    with pytest.raises(InferenceError, match="'row' is not a characteristic"):
        grouped(table, "row", [1])


def test_groups_too_small_are_reported_and_said():
    made = of_differences(D)
    found = subgroups(made, {**G, "one": ["d12"], "none": []})
    assert found.within["p"].isna().tolist() == [False, False, True, True]
    assert found.interactions["df1"].tolist() == [1]
    said = [say(note) for note in found.notes if note.code == "small-subgroup"]
    assert said == ["Fewer than 2 data sets with all scores, so not in the test between subgroups: "
                    "one, none."]  # fmt: skip
    pair = subgroups(made, {"two": ["d1", "d2"], "rest": THREE["top"]})
    assert "Welch's test errs too often" in repr(pair)
    assert "errs too often" not in repr(subgroups(made, G, test="permutation", draws=99))
    lonely = subgroups(made, {"one": ["d12"], "rest": THREE["low"]})
    assert lonely.interactions["p"].isna().all()
    json.dumps(lonely.to_dict(), allow_nan=False)
    assert "<table" in lonely._repr_html_()


def test_gaps_and_constant_differences_are_no_wrong_numbers():
    made = of_differences(D)
    made.values[0, 0] = np.nan
    holes = subgroups(made, G)
    assert holes.within["datasets"].tolist() == [3, 4]
    assert "Left out, as an algorithm has no score there: d1." in repr(holes)
    zeros = subgroups(of_differences(np.zeros(8)), G)
    assert zeros.within["p"].tolist() == [1, 1]
    assert zeros.interactions["p"].tolist() == [1]
    steps = of_differences([1.0] * 4 + [2.0] * 4)
    assert subgroups(steps, G).interactions["p"].isna().all()  # no variation to judge by
    by_chance = subgroups(steps, G, test="permutation").interactions["p"][0]
    assert by_chance == pytest.approx(
        2 / 70, abs=0.005
    )  # of 8 choose 4 groups two are as far apart


@pytest.mark.parametrize(
    ("groups", "options", "message"),
    [
        ({"all": ["d1"]}, {}, "Subgroups are at least two"),
        ([["d1"], ["d2"]], {}, "Subgroups are at least two"),
        ({"x": "d1", "y": ["d2"]}, {}, "The subgroup 'x' is a list of names, not 'd1'"),
        ({"x": ["d1"], "y": ["d1"]}, {}, "is in the subgroups 'x' and 'y'"),
        ({"x": ["d1"], "y": ["dd"]}, {}, "'dd' is not a data set with scores"),
        (G, {"test": "welsh"}, "Did you mean 'welch'"),
        (G, {"procedure": "paired"}, "'paired' is not a procedure"),
        (G, {"procedure": "corrected-t"}, "not valid"),
        (G, {"draws": 1}, "draws must be a whole number from 99 on"),
        (G, {"alpha": 2}, "alpha"),
        (G, {"control": "z"}, "'z' is not an algorithm"),
        (G, {"control": "a", "pairs": [("a", "b")]}, "either a control or pairs"),
    ],
)
def test_wrong_requests_are_refused(groups, options, message):
    with pytest.raises((InferenceError, UnknownName), match=message):
        subgroups(of_differences(D), groups, **options)


def test_a_table_of_groups_keeps_their_names_and_loses_no_row():
    results = survey([(0, 0.03)] * 6, ("svm", "knn"))
    table = pd.DataFrame(
        {"dataset": [f"d{j}" for j in range(1, 7)], "group": [1, 1, 2, 2, 2, None]}
    )
    found = podium.subgroups(results, table)
    assert found.groups == {"1": ("d1", "d2"), "2": ("d3", "d4", "d5")}
    assert found.ungrouped == ("d6",)
    left = exclude_datasets(results, "d3", "too odd")
    assert podium.subgroups(left, table).groups["2"] == ("d4", "d5")
    with pytest.raises(InferenceError, match="'d9' is not a data set with scores"):
        podium.subgroups(results, table.replace("d1", "d9"))
    with pytest.raises(InferenceError, match="'group' is not there"):
        podium.subgroups(results, table[["dataset"]])


def test_only_data_sets_as_a_sample_have_subgroups():
    results = survey([(0, 0.03)] * 3, ("svm", "knn"))
    with pytest.raises(InferenceError, match="belong to data sets, not to samples drawn"):
        subgroups(layout(results, dataset="d1"), G)
    with pytest.raises(InferenceError, match="belong to data sets, not to samples within"):
        subgroups(layout(results, target="datasets"), G)
