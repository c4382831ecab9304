from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from results_made import constant, fifty, gaps, one_sample, read, six, ties
from scipy.stats import gaussian_kde
from snapshots import assert_snapshot
from told import sentences

from podium.errors import ResultsError
from podium.showing.plots import PLOTS
from podium.showing.plots.of_scores.distribution_plots import MOST_BINS, TALL

densities_data = PLOTS["densities"].data
histograms_data = PLOTS["histograms"].data


def small() -> Any:
    return read(pd.DataFrame({"sample": range(1, 6), "a": [0, 0.1, 0.2, 0.3, 0.4], "b": [0.4] * 5}))


def test_bins_hold_their_left_edge_and_the_last_one_both() -> None:
    data = histograms_data(small(), bins=[0, 0.2, 0.4])
    counts = data.shapes.pivot(index="algorithm", columns="value", values="amount")
    assert counts.loc["a"].tolist() == [2, 3, 0]
    assert counts.loc["b"].tolist() == [0, 5, 0]
    assert sentences(data.rows.notes) == ["The tallest bar counts 5 of 5 samples."]


def test_heights_are_amounts_on_one_scale_above_each_row() -> None:
    for data in (histograms_data(six()), densities_data(six())):
        up = data.shapes["row"] - data.shapes["height"]
        assert up.max() == pytest.approx(TALL)
        np.testing.assert_allclose(up, TALL * data.shapes["amount"] / data.shapes["amount"].max())


@pytest.mark.parametrize("results", [six(), gaps(), ties(), constant(), one_sample(), fifty()])
def test_every_score_is_counted_once_in_at_most_so_many_bins(results: Any) -> None:
    data = histograms_data(results)
    counts = data.shapes.groupby("algorithm")["amount"].sum()
    expected = results.wide("error").notna().sum()
    assert counts.to_dict() == {name: expected[name] for name in data.rows.names}
    assert 2 <= data.shapes["value"].nunique() <= MOST_BINS + 1


def test_an_outlier_far_away_does_not_make_a_million_bins() -> None:
    values = np.append(np.linspace(0, 1e-6, 60), 1e3)
    table = pd.DataFrame({"sample": range(1, 62), "a": values, "b": values})
    assert histograms_data(read(table, measure="squared")).shapes["value"].nunique() <= 81


def test_the_width_of_bins_follows_freedman_and_diaconis() -> None:
    values = np.linspace(0, 1, 201)  # 2 IQR / n^(1/3) = 1 / 5.86
    data = histograms_data(read(pd.DataFrame({"sample": range(1, 202), "a": values, "b": values})))
    assert data.shapes["value"].nunique() - 1 == np.ceil(max(5.858, np.log2(201) + 1))


def test_scores_outside_of_given_bins_are_said() -> None:
    said = sentences(histograms_data(small(), bins=[0, 0.15, 0.3]).rows.notes)
    assert "6 scores lie outside the bins." in said


@pytest.mark.parametrize("bins", [0, -3, 10**9, "auto", [0.3, 0.1], [[1, 2]], [0.1, "x"]])
def test_bins_that_are_none_are_refused(bins: Any) -> None:
    with pytest.raises(ResultsError, match=r"bins is a number of bins up to 10000 or their edges"):
        histograms_data(six(), bins=bins)


def test_densities_stay_within_the_bounds_of_the_measure_and_integrate_to_one() -> None:
    shapes = densities_data(six()).shapes
    assert shapes["value"].min() >= 0
    for _, shape in shapes.groupby("row"):
        assert np.trapezoid(shape["amount"], shape["value"]) == pytest.approx(1, abs=2e-3)


def test_densities_far_from_bounds_are_those_of_scipy() -> None:
    shape = densities_data(six()).shapes.query("algorithm == 'lda'")
    expected = gaussian_kde(six().wide("error")["lda"])(shape["value"])
    np.testing.assert_allclose(shape["amount"], expected, rtol=1e-9)


def test_constant_scores_have_marks_but_no_density_and_it_is_said() -> None:
    data = densities_data(constant())
    assert data.shapes["amount"].isna().all()
    assert len(data.rug) == 30
    assert sentences(data.rows.notes) == ["Constant scores have no density: svm, rpart, knn."]


def test_lines_run_through_few_rows_and_are_said_to_be_left_out_of_many() -> None:
    four = six().filter(algorithm=six().algorithms[:4])
    assert len(densities_data(four).segments) == len(histograms_data(four).segments) == 60 * 3
    assert densities_data(four, lines=False).segments.empty
    assert densities_data(six()).segments.empty  # unless they are asked for
    assert len(histograms_data(six(), lines=True).segments) == 60 * 5
    for data in (densities_data(fifty(), lines=True), histograms_data(fifty(), lines=True)):
        assert data.segments.empty
        assert "Lines that join samples are left out beyond 20 algorithms." in sentences(
            data.rows.notes
        )
    assert "Lines" not in " ".join(sentences(densities_data(fifty(), lines=False).rows.notes))


def test_distributions_snapshots() -> None:
    assert_snapshot("histograms", histograms_data(gaps()).shapes)
    assert_snapshot("densities", densities_data(gaps()).shapes.iloc[::20])
