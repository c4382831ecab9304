from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from results_made import gaps, several, six, timed, two
from snapshots import assert_snapshot
from told import sentences

from podium.errors import ResultsError
from podium.showing.plots import PLOTS

draw_times = PLOTS["times"].draw
times_data = PLOTS["times"].data


def test_times_are_means_over_samples_fastest_first_and_parts_add_up() -> None:
    results = timed()
    table = times_data(results).table
    means = results.runs.groupby("algorithm", observed=True)[["fit_time", "predict_time"]].mean()
    np.testing.assert_allclose(table[["fit", "predict"]], means.loc[table["algorithm"]])
    np.testing.assert_allclose(table["fit"] + table["predict"], table["total"])
    assert table["total"].is_monotonic_increasing
    assert table["algorithm"].iloc[0] == "lda"


def test_data_sets_count_equally() -> None:
    results = timed(several())
    by_dataset = [times_data(results, dataset=d).table for d in results.datasets]
    totals = [t.set_index("algorithm")["total"]["knn"] for t in by_dataset]
    every = times_data(results)
    assert every.table.set_index("algorithm")["total"]["knn"] == pytest.approx(np.mean(totals))
    assert every.rows.label == "mean seconds per run, over data sets"


@pytest.mark.parametrize(("ratio", "scale"), [(1.4, "linear"), (5.0, "log")])
def test_the_axis_is_logarithmic_where_the_range_asks_for_it(ratio: float, scale: str) -> None:
    data = times_data(timed(ratio=ratio))
    ax = draw_times(data, Figure().add_subplot())
    assert ax.get_xscale() == scale
    assert data.logarithmic == (scale == "log")
    assert any("logarithmic" in text for text in sentences(data.rows.notes)) == data.logarithmic


def test_zero_seconds_are_no_trouble_on_a_logarithmic_axis() -> None:
    results = timed(ratio=9.0)
    runs = results.runs.assign(predict_time=0.0)
    runs.loc[runs["algorithm"] == "lda", "fit_time"] = 0.0
    data = times_data(replace(results, runs=runs))
    assert data.table["total"].tolist()[0] == 0
    assert "8 times of 0 seconds have no mark on it." in sentences(data.rows.notes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = draw_times(data, Figure().add_subplot())
        ax.figure.draw_without_rendering()
    assert ax.get_xlim()[0] > 0


def test_runs_without_a_time_are_said() -> None:
    said = sentences(times_data(timed(gaps())).rows.notes)
    assert said == ["No times: none.", "3 times are missing and not shown."]


def test_results_without_times_are_refused() -> None:
    with pytest.raises(ResultsError, match=r"have no times: a table of scores carries none\. Run"):
        times_data(two())


def test_times_snapshot() -> None:
    assert_snapshot("times", times_data(timed(six(), ratio=5.0)).table)
