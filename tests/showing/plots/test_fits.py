from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from results_made import (
    constant,
    fifty,
    gaps,
    long_names,
    one_sample,
    read,
    several,
    six,
    ties,
    two,
)
from snapshots import assert_snapshot
from told import sentences

from podium import Results
from podium.core.samplings import parse
from podium.errors import InferenceError, ResultsError
from podium.showing.plots import PLOTS, fitted, residuals
from podium.showing.plots.of_scores.fits import survey_fit
from podium.testing import check_plot

fitted_data = PLOTS["fitted"].data
residuals_data = PLOTS["residuals"].data
boxes_data = PLOTS["boxes"].data


def without(results: Results, dataset: str, algorithm: str) -> Results:
    """Results in which an algorithm has no score on a data set."""
    scores = results.scores.copy()
    gone = (scores["dataset"] == dataset) & (scores["algorithm"] == algorithm)
    scores.loc[gone, "value"] = np.nan
    return replace(results, scores=scores)


@pytest.mark.parametrize("results", [six, gaps, several, ties])
def test_fitted_and_residual_add_up_to_the_score(results: object) -> None:
    table = fitted_data(results()).table
    known = results().scores.dropna(subset=["value"])
    assert len(table) == len(known)
    assert np.allclose(table["fitted"] + table["residual"], table["score"], rtol=0, atol=1e-14)
    assert np.sort(table["score"]).tolist() == np.sort(known["value"]).tolist()


@pytest.mark.parametrize("results", [six, several])
def test_without_gaps_the_residuals_of_every_cell_have_mean_zero(results: object) -> None:
    table = residuals_data(results()).table
    means = table.groupby(["dataset", "algorithm"])["residual"].mean()
    assert np.allclose(means, 0, atol=1e-14)
    assert table["residual"].abs().max() > 0.001


def test_survey_fit_against_lme4() -> None:
    # R, lme4: d <- expand.grid(k=0:2, b=0:4, j=0:2); y as below, three values left out;
    # fitted(lmer(y ~ factor(k) * factor(j) + (1 | factor(j):factor(b)), d))
    j, b, k = np.meshgrid(range(3), range(5), range(3), indexing="ij")
    y = 10 * j + 3 * k + j * k + (7 * b + 3 * j) % 5 + ((5 * k * k + 3 * b * k + 2 * j + b) % 7) / 4
    y[1, 2, 0] = y[2, 4, 0] = y[2, 4, 2] = np.nan
    made = survey_fit(y.reshape(15, 3), np.repeat(range(3), 5)).reshape(3, 5, 3)
    assert made[1, 2, 1:] == pytest.approx([16.43060324, 20.08060324], abs=1e-6)
    assert made[2, 4, 1] == pytest.approx(29.86038691, abs=1e-6)
    assert made[0, 1] == pytest.approx([2.320622257, 5.620622257, 9.320622257], abs=1e-6)


def test_one_data_set_of_a_survey_is_fitted_by_itself() -> None:
    alone = fitted_data(several().filter(dataset="sonar")).table
    assert np.allclose(fitted_data(several(), dataset="sonar").table["fitted"], alone["fitted"])
    together = fitted_data(several()).table
    shared = together[together["dataset"] == "sonar"]["fitted"]
    assert not np.allclose(shared, alone["fitted"])  # one variance for all data sets


def test_scores_without_error_are_fitted_exactly() -> None:
    assert fitted_data(ties()).table["residual"].abs().max() < 1e-15
    assert fitted_data(constant()).table["residual"].abs().max() < 1e-15


def test_boxes_are_those_of_the_fitted_values_and_of_the_residuals() -> None:
    table = fitted_data(several()).table
    for column, data in (("fitted", fitted_data), ("residual", residuals_data)):
        boxes = data(several()).boxes
        assert list(boxes) == ["monks1", "monks2", "monks3", "sonar"]
        cells = table.groupby(["dataset", "algorithm"])[column].median()
        for name, box in boxes.items():
            medians = box.table.set_index("algorithm")["median"]
            assert medians.to_dict() == pytest.approx(cells[name].to_dict())


def test_a_data_set_on_which_an_algorithm_has_no_score_is_left_out_and_named() -> None:
    data = fitted_data(without(several(), "monks2", "knn"))
    assert list(data.boxes) == ["monks1", "monks3", "sonar"]
    assert sentences(data.notes) == ["Left out, as an algorithm has no score there: monks2."]


def test_an_algorithm_without_any_score_is_left_out_and_named() -> None:
    data = fitted_data(gaps())
    assert set(data.table["algorithm"]) == {"svm", "rpart", "knn"}
    assert sentences(data.notes) == ["No scores: none.", "3 scores are missing and not fitted."]


def test_rows_are_best_first_as_in_the_box_plots_of_the_scores() -> None:
    for data in (fitted_data, residuals_data):
        (boxes,) = data(six()).boxes.values()
        assert boxes.rows.names == boxes_data(six()).rows.names
        assert boxes.rows.colours == boxes_data(six()).rows.colours
    every = [boxes.rows.names for boxes in fitted_data(several()).boxes.values()]
    assert all(names == every[0] for names in every)  # a panel's names are those of the first


def test_what_cannot_be_fitted_is_refused_in_a_sentence() -> None:
    every = several()
    for dataset, algorithm in zip(every.datasets, every.algorithms, strict=True):
        every = without(every, dataset, algorithm)
    with pytest.raises(InferenceError, match="On every data set some algorithm has no score"):
        fitted(every)
    with pytest.raises(InferenceError, match="at least two rows"):
        fitted(one_sample())
    with pytest.raises(ResultsError, match="'iris' is not a data set"):
        fitted(six(), dataset="iris")
    with pytest.raises(InferenceError, match="samples of its own"):
        fitted(replace(six(), sampling=parse("bootstrap+independent")))


def test_one_score_per_data_set_leaves_nothing_to_fit() -> None:
    table = pd.DataFrame({"dataset": ["x", "y", "z"], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.2, 0.5]})
    with pytest.raises(InferenceError, match="one score only"):
        fitted(read(table, sampling=None))


def test_kept_fit() -> None:
    assert_snapshot("fits", fitted_data(two()).table)


SLOW = (two, fifty, long_names, constant, several)
CASES = [gaps, *(pytest.param(r, marks=pytest.mark.long) for r in SLOW)]


@pytest.mark.parametrize("results", CASES)
def test_fitted_keeps_the_laws_of_plots(results: object) -> None:
    check_plot(fitted, results())


@pytest.mark.long
def test_residuals_keep_the_laws_of_plots() -> None:
    check_plot(residuals, several())
