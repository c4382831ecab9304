from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.cbook import boxplot_stats
from results_made import constant, gaps, one_sample, read, six
from snapshots import assert_snapshot

from podium.showing.plots import PLOTS
from podium.showing.plots.of_scores.distribution_plots import WIDEST

violins_data = PLOTS["violins"].data
boxes_data = PLOTS["boxes"].data


def of_one(values: list[float]) -> pd.DataFrame:
    samples = range(1, len(values) + 1)
    other = [9.0] * len(values)
    return read(pd.DataFrame({"sample": samples, "a": values, "b": other}), measure="loss")


def test_five_numbers_whiskers_and_outliers_of_a_small_sample() -> None:
    # R: quantile(c(1, 2, 3, 4, 5, 6, 7, 8, 30, -20)); fences -8.125 and 17.875
    data = boxes_data(of_one([1, 2, 3, 4, 5, 6, 7, 8, 30, -20]))
    box = data.table.iloc[0]
    five = ["minimum", "lower", "median", "upper", "maximum"]
    assert box[five].tolist() == pytest.approx([-20, 2.25, 4.5, 6.75, 30])
    assert box[["whisker_low", "whisker_high"]].tolist() == [1, 8]
    assert data.outliers["value"].tolist() == [30, -20]
    assert data.outliers["block"].tolist() == [9, 10]


@pytest.mark.parametrize("results", [six(), gaps()], ids=["six", "gaps"])
def test_boxes_against_those_of_matplotlib(results: object) -> None:
    data = boxes_data(results)
    names = {"q1": "lower", "med": "median", "q3": "upper"}
    names |= {"whislo": "whisker_low", "whishi": "whisker_high"}
    for box in data.table.to_dict("records"):
        (known,) = boxplot_stats(results.wide("error")[box["algorithm"]].dropna().to_numpy())
        assert {n: box[n] for n in names.values()} == pytest.approx(
            {ours: known[theirs] for theirs, ours in names.items()}
        )
        found = data.outliers[data.outliers["row"] == box["row"]]["value"]
        assert sorted(found) == sorted(known["fliers"])


def test_a_whisker_never_ends_inside_its_box() -> None:
    box = boxes_data(of_one([-100, 1, 1, 1])).table.iloc[0]
    assert box["whisker_low"] == box["lower"] == -24.25
    assert box["whisker_high"] == box["upper"] == 1


def test_violins_lie_over_the_range_of_the_scores_and_are_equally_wide() -> None:
    data = violins_data(six())
    ranges = data.shapes.groupby("row")["value"].agg(["min", "max"])
    np.testing.assert_allclose(ranges, data.boxes.table[["minimum", "maximum"]])
    np.testing.assert_allclose(data.shapes.groupby("row")["width"].max(), WIDEST)
    share = data.shapes["width"] / data.shapes["density"]
    assert (share.groupby(data.shapes["row"]).std() < 1e-12).all()


@pytest.mark.parametrize("results", [constant(), one_sample()], ids=["constant", "one sample"])
def test_constant_scores_are_a_line_as_wide_as_a_violin(results: object) -> None:
    shapes = violins_data(results).shapes
    assert (shapes.groupby("row")["value"].agg(["count", "nunique"]) == [2, 1]).all(axis=None)
    assert (shapes["width"] == WIDEST).all()


def test_boxes_and_violins_snapshots() -> None:
    assert_snapshot("boxes", boxes_data(gaps()).table)
    assert_snapshot("boxes_outliers", boxes_data(gaps()).outliers)
    assert_snapshot("violins", violins_data(gaps()).shapes.iloc[::10])
