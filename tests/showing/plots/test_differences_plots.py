"""Differences over data sets, and how much they vary."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import results_made
from orders_made import repeated
from snapshots import assert_snapshot
from told import sentences

import podium
from podium.errors import ResultsError
from podium.showing.plots import PLOTS, deviations, differences
from podium.testing import check_plot

deviations_data = PLOTS["deviations"].data
differences_data = PLOTS["differences"].data


def table(measure: str = "error", **columns: list[float]):
    """One score per data set and algorithm."""
    frame = pd.DataFrame({"dataset": [f"d{j}" for j in range(len(next(iter(columns.values()))))]})
    return podium.read(frame.assign(**columns), measure=measure)


def test_differences_by_hand():
    data = differences_data(table(a=[0.1, 0.2, 0.6], b=[0.2, 0.1, 0.2]))
    assert data.table["difference"].tolist() == pytest.approx([-0.1, 0.1, 0.4])
    one = data.summary.iloc[0]
    assert (one["mean"], one["n"]) == (pytest.approx(0.4 / 3), 3)
    assert one["sd"] == pytest.approx(np.sqrt(0.19 / 3 / 1))  # sum of squares about the mean / 2
    assert (data.negative, data.positive) == ("first", "second")  # errors: less is better
    assert data.sides == {"first": "a", "second": "b"}


def test_where_higher_is_better_the_sides_change():
    data = differences_data(table("accuracy", a=[0.1, 0.2], b=[0.2, 0.1]))
    assert (data.negative, data.positive) == ("second", "first")


def test_up_to_six_pairs_are_all_shown_and_more_against_the_best_by_mean():
    four = differences_data(results_made.several())
    names = ["svm", "rpart", "knn", "lda"]
    pairs = four.summary[["first", "second"]].itertuples(index=False, name=None)
    assert list(pairs) == list(combinations(names, 2))
    many = results_made.survey(algorithms=7)
    six = differences_data(many)
    means = many.wide("error").drop(columns=["dataset", "sample"]).mean()
    assert six.summary["second"].unique().tolist() == [means.idxmin()]
    assert len(six.summary) == 6
    assert six.is_against_one
    assert sentences(six.notes) == [f"All against {means.idxmin()}, the best by mean."]


def test_a_control_and_pairs_may_be_said():
    results = results_made.several()
    assert differences_data(results, control="lda").summary["second"].tolist() == ["lda"] * 3
    assert len(differences_data(results, [("lda", "svm"), ("knn", "svm")]).summary) == 2


def test_box_plots_are_those_of_matplotlib():
    from matplotlib.cbook import boxplot_stats

    data = differences_data(results_made.survey(datasets=40))
    for pair, part in data.table.groupby("pair"):
        theirs = boxplot_stats(part["difference"])[0]
        ours = data.summary.set_index("pair").loc[pair]
        names = {"low": "whislo", "q1": "q1", "median": "med", "q3": "q3", "high": "whishi"}
        assert [ours[a] for a in names] == pytest.approx([theirs[b] for b in names.values()])


def test_missing_cells_are_said():
    some = table(a=[0.1, 0.2, 0.3], b=[0.2, np.nan, 0.1], c=[np.nan, 0.3, np.nan])
    data = differences_data(some)
    assert data.summary.set_index("pair")["n"].to_dict() == {"a - b": 2, "a - c": 1}
    assert sentences(data.notes)[0] == "No data set has both scores of b - c."
    assert sentences(data.notes)[1] == "2 pairs lack scores on some of 3 data sets (see n)."
    assert np.isnan(data.summary["sd"].iat[1])


def test_means_over_fewer_samples_are_said():
    results = repeated(results_made.gaps())
    assert any("over fewer samples" in said for said in sentences(differences_data(results).notes))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pairs": [("svm", "svm")]}, "two different algorithms"),
        ({"pairs": [("svm", "smv")]}, "'smv' is not an algorithm"),
        ({"pairs": []}, "no pair to show"),
        ({"pairs": [("svm", "knn")], "control": "knn"}, "not both"),
        ({"control": "smv"}, "'smv' is not an algorithm"),
    ],
)
def test_wrong_requests_are_refused(options, said):
    with pytest.raises(ResultsError, match=said):
        differences_data(results_made.several(), **options)


def test_what_has_no_differences_is_refused():
    with pytest.raises(ResultsError, match="several data sets; there is only 'monks'"):
        differences_data(results_made.two())
    with pytest.raises(ResultsError, match="there is only 'a'"):
        differences_data(table(a=[0.1, 0.2]))
    with pytest.raises(ResultsError, match="on a common data set"):
        differences_data(table(a=[0.1, np.nan], b=[np.nan, 0.1]))


def test_deviations_are_those_of_all_pairs():
    results = results_made.several()
    data = deviations_data({"one": results, "two": results.filter(algorithm=["svm", "knn"])})
    pairs = differences_data(results).summary
    assert data.table["sd"].tolist() == pytest.approx([*pairs["sd"], pairs["sd"].iat[1]])
    assert data.summary["pairs"].tolist() == [6, 1]
    assert data.summary["median"].iat[0] == pytest.approx(pairs["sd"].median())


def test_equal_differences_deviate_by_nothing_but_rounding():
    shifted = table(a=[0.1, 0.2, 0.3, 0.7], b=[0.1 + 0.1, 0.2 + 0.1, 0.3 + 0.1, 0.7 + 0.1])
    assert deviations_data(shifted).table["sd"].tolist() == [0.0]


def test_pairs_that_read_alike_have_rows_of_their_own():
    results = table(**{"a": [0.1, 0.2], "b - c": [0.2, 0.4], "a - b": [0.3, 0.1], "c": [0.1, 0.3]})
    ax = differences(results, [("a", "b - c"), ("a - b", "c")])
    dots = [c.get_offsets() for c in ax.collections if len(c.get_offsets()) == 4]
    np.testing.assert_allclose(np.concatenate(dots), [(-0.1, 1), (-0.2, 1), (0.2, 0), (-0.2, 0)])


def test_studies_with_different_measures_are_refused():
    with pytest.raises(ResultsError, match=r"different measures \(error, accuracy\)"):
        deviations_data(
            {"x": table(a=[0, 1], b=[1, 0]), "y": table("accuracy", a=[0, 1], b=[1, 1])}
        )
    with pytest.raises(ResultsError, match="no study"):
        deviations_data({})


def test_the_tables_are_the_kept_ones():
    assert_snapshot("differences", differences_data(results_made.several()).summary)
    assert_snapshot("deviations", deviations_data(results_made.several()).table)


@pytest.mark.parametrize("case", ["fifty", "long names", "ties", "gaps", "one sample"])
def test_they_keep_the_laws_of_plots(case):
    results = results_made.CASES[case]()
    several = results if len(results.datasets) > 1 else repeated(results)
    check_plot(differences, several)


def test_deviations_keep_the_laws_of_plots():
    check_plot(deviations, {"$x$ <b>": results_made.survey(), "two\nlines": results_made.several()})
