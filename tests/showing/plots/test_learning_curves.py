"""Learning curves: means, standard errors, log axes and panels."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from results_made import ODD_NAMES, read, two
from snapshots import assert_snapshot
from told import sentences

from podium.errors import ResultsError
from podium.showing.plots import PLOTS, learning_curves
from podium.testing import check_plot

learning_curves_data = PLOTS["learning_curves"].data


def sized(sizes=(10, 30, 110), names=("svm", "rpart"), datasets=("monks",), samples=4):
    """Results at several sizes: errors that fall with the root of the size."""
    cells = [
        (d, s, i, b)
        for d in datasets
        for s in sizes
        for i in range(len(names))
        for b in range(samples)
    ]
    noise = np.random.default_rng(4).normal(0, 0.02, len(cells))
    rows = [
        (f"{d} [{s}]", names[i], b + 1, 0.1 + 0.02 * i + 0.6 / np.sqrt(s) + noise[k])
        for k, (d, s, i, b) in enumerate(cells)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])
    facts = {f"{d} [{s}]": {"of": d, "size": s} for d in datasets for s in sizes}
    return replace(read(table), facts=facts)


def test_a_curve_is_the_mean_with_one_standard_error_to_both_sides():
    results = sized()
    data = learning_curves_data(results)
    values = results.values("error").query("dataset == 'monks [30]' and algorithm == 'rpart'")[
        "value"
    ]
    (row,) = data.table.query("size == 30 and algorithm == 'rpart'").itertuples()
    assert (row.samples, row.mean) == (4, pytest.approx(values.mean()))
    assert row.se == pytest.approx(values.std(ddof=1) / 2)
    assert (row.upper - row.mean, row.mean - row.lower) == pytest.approx((row.se, row.se))


def test_sizes_are_on_a_log_axis_where_they_span_more_than_ten_times():
    assert learning_curves_data(sized((10, 101))).logarithmic == {"monks": True}
    assert learning_curves_data(sized((10, 100))).logarithmic == {"monks": False}
    ax = learning_curves(sized((10, 101)))
    assert ax.get_xscale() == "log"


def test_what_is_missing_is_left_out_of_the_means_and_said():
    results = sized()
    scores = results.scores.copy()
    gone = (scores["dataset"] == "monks [10]") & (scores["algorithm"] == "svm")
    scores.loc[gone & (scores["sample"] <= 3), "value"] = [np.nan, np.inf, -np.inf]
    data = learning_curves_data(replace(results, scores=scores))
    first = data.table.iloc[0]
    assert (first["samples"], np.isfinite(first["mean"]), np.isnan(first["se"])) == (1, True, True)
    assert sentences(data.notes) == [
        "Runs without a score, left out of the means: 3.",
        "Bands: mean ± one standard error.",
        "No standard error where there is one score.",
    ]
    two = sized(datasets=("monks", "sonar"))
    lost = two.scores.assign(value=two.scores["value"].where(two.scores["dataset"] != "monks [10]"))
    of = [learning_curves_data(replace(two, scores=lost), dataset=d) for d in ("monks", "sonar")]
    assert [sentences(one.notes)[0] for one in of] == [
        "Runs without a score, left out of the means: 8.",
        "Bands: mean ± one standard error.",
    ]
    nothing = scores.assign(value=scores["value"].where(scores["algorithm"] != "svm"))
    data = learning_curves_data(replace(results, scores=nothing))
    assert set(data.styles) == {"rpart"}
    assert sentences(data.notes)[0] == "No scores: svm."


def test_bands_of_many_algorithms_are_not_drawn_and_this_is_said():
    data = learning_curves_data(sized(names=[f"a{i}" for i in range(9)]))
    assert not data.bands
    assert "No bands of standard errors for more than 8 algorithms." in sentences(data.notes)


def test_each_of_several_data_sets_has_a_panel_up_to_twelve():
    many = sized(datasets=[f"data {i}" for i in range(13)], samples=2)
    with pytest.raises(ResultsError, match=r"of 13 data sets do not fit .* dataset='data 0'"):
        learning_curves_data(many)
    assert set(learning_curves_data(many, dataset="data 7").table["dataset"]) == {"data 7"}
    with pytest.raises(ResultsError, match=r"'data 99' is not a data set with a learning curve"):
        learning_curves_data(many, dataset="data 99")
    with pytest.raises(ResultsError, match="one training size"):
        learning_curves_data(two())


def test_the_table_is_as_kept():
    assert_snapshot("learning_curves", learning_curves_data(sized(datasets=("b", "a"))).table)


@pytest.mark.parametrize(
    "results",
    [
        sized(),
        sized(samples=1, sizes=(10, 20)),
        sized(names=ODD_NAMES, datasets=["$a$", "<b>"]),
        pytest.param(sized(datasets=["a", "b", "c", "d", "e"]), marks=pytest.mark.long),
        pytest.param(sized(names=[f"algorithm {i}" for i in range(50)]), marks=pytest.mark.long),
    ],
    ids=["two", "one sample", "odd names, two panels", "five panels", "fifty"],
)
def test_learning_curves_keep_the_laws_of_plots(results):
    check_plot(learning_curves, results)
