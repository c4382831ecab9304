"""One algorithm alone: an interval of its expected score."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from layouts_made import intervals as alone
from layouts_made import made, noise
from scipy import stats

import podium
from podium import compare
from podium.errors import InferenceError


def test_independent_blocks_have_a_t_interval() -> None:
    values = noise(12, 2)
    found = alone(made(values), 0.1)
    for row, x in zip(found.itertuples(), values.T, strict=True):
        low, high = stats.t.interval(0.9, 11, x.mean(), stats.sem(x))
        assert (row.blocks, row.method) == (12, "t")
        assert [row.mean, row.lower, row.upper] == pytest.approx([x.mean(), low, high])


@pytest.mark.parametrize(
    ("block", "how", "ratio"),
    [("fold", "cv:12", 1 / 11), ("resample", "bootstrap", 1 / (np.e - 1))],
)
def test_new_samples_ask_for_the_correction(block: str, how: str, ratio: float) -> None:
    values = noise(12, 1)
    (row,) = alone(made(values, block=block, how=how, target="population")).itertuples()
    reach = stats.t.isf(0.025, 11) * np.sqrt((1 / 12 + ratio) * values.var(ddof=1))
    assert row.method == "corrected t"
    assert [row.lower, row.upper] == pytest.approx([values.mean() - reach, values.mean() + reach])


@pytest.mark.parametrize("measure", ["accuracy", "error"])
def test_correct_or_wrong_items_have_wilsons_interval(measure: str) -> None:
    y = np.zeros((50, 1))
    y[:8] = 1
    (row,) = alone(made(y, block="item", measure=measure)).itertuples()
    z = stats.norm.isf(0.025)
    centre = (0.16 + z**2 / 100) / (1 + z**2 / 50)
    reach = z / (1 + z**2 / 50) * np.sqrt(0.16 * 0.84 / 50 + z**2 / 10_000)
    assert row.method == "Wilson"
    assert [row.mean, row.lower, row.upper] == pytest.approx([0.16, centre - reach, centre + reach])


def test_scores_of_minus_one_and_one_are_not_counts() -> None:
    values = np.where(noise(20, 1) > 0, 1.0, -1.0)
    for measure in ("squared", "auc"):
        (row,) = alone(made(values, block="item", measure=measure)).itertuples()
        assert row.method == "t"
        assert row.mean == pytest.approx(values.mean())


def test_clusters_count_instead_of_items() -> None:
    values, clusters = noise(20, 1), np.repeat(np.arange(5), 4)
    (row,) = alone(made(values, block="item", clusters=clusters)).itertuples()
    means = values.reshape(5, 4).mean(axis=1)
    low, high = stats.t.interval(0.95, 4, means.mean(), stats.sem(means))
    assert row.blocks == 5
    assert [row.lower, row.upper] == pytest.approx([low, high])


def test_unequal_clusters_have_an_interval_of_the_mean_over_items() -> None:
    # the pair with an algorithm that always scores 0 has the same mean and the same limits
    clusters = np.repeat(np.arange(6), [1, 2, 3, 5, 8, 13])
    values = noise(32, 2) + clusters[:, None]
    values[:, 1], values[4, 0] = 0.0, np.nan
    layout = made(values, block="item", clusters=clusters)
    row = alone(layout).iloc[0]
    (pair,) = compare(layout, "paired-t").table.itertuples()
    assert row["blocks"] == 6
    assert row["mean"] == pytest.approx(np.nanmean(values[:, 0]))
    assert [row["mean"], row["lower"], row["upper"]] == pytest.approx(
        [pair.estimate, pair.lower, pair.upper]
    )


def test_one_cluster_or_none_has_no_interval() -> None:
    values = noise(8, 2)
    values[:, 1] = np.nan
    one, none = alone(made(values, block="item", clusters=np.zeros(8))).itertuples()
    assert (one.blocks, one.method) == (1, none.method)
    assert one.mean == pytest.approx(values[:, 0].mean())
    assert np.isnan([one.lower, one.upper, none.mean, none.lower]).all()


def test_gaps_and_single_blocks_leave_what_there_is() -> None:
    values = noise(5, 3)
    values[:4, 1] = values[:, 2] = np.nan
    found = alone(made(values)).set_index("algorithm")
    assert found.loc["a", "method"] == "t"
    assert found.loc["b", ["blocks", "method"]].tolist() == [1, "too few blocks"]
    assert found.loc["b", "mean"] == values[4, 1]
    assert np.isnan(found.loc["c", ["mean", "lower", "upper"]].astype(float)).all()


@pytest.mark.parametrize("alpha", [0, 1, 2, "x"])
def test_wrong_levels_are_refused(alpha: object) -> None:
    with pytest.raises(InferenceError, match="alpha must lie between 0 and 1, not"):
        alone(made(noise(5, 2)), alpha)  # type: ignore[arg-type]


def test_each_model_has_its_own_score_on_items() -> None:
    right = np.array([[1.0, 0.0], [1.0, 1.0]] * 15)
    found = podium.compare(
        podium.read({"a": right[:, 0], "b": right[:, 1]}, sampling="items", measure="accuracy")
    )
    a, b = found.extras.scores.to_dict("records")
    assert (a["mean"], a["standard_error"], a["method"]) == (1.0, 0.0, "Wilson")
    assert a["lower"] == pytest.approx(1 / (1 + 1.959964**2 / 30), abs=1e-6)
    assert a["upper"] == 1.0
    assert b["standard_error"] == pytest.approx(0.5 / np.sqrt(29))
    assert [row["algorithm"] for row in found.to_dict()["scores"]] == ["a", "b"]


def test_own_scores_heed_clusters() -> None:
    """Every item twice in its cluster: no more is known than from one of each."""
    rng = np.random.default_rng(0)
    rows = [(m, f"q{i}-{k}", f"t{i}", v) for m in "ab" for i, v in enumerate(rng.normal(size=12))
            for k in range(2)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["model", "item", "cluster", "value"])
    once = frame[frame["item"].str.endswith("-0")].drop(columns="cluster")
    asked = {"sampling": "items", "measure": "score", "higher_is_better": True}
    two, one = (podium.compare(podium.read(f, **asked)).extras.scores for f in (frame, once))
    assert two["standard_error"].to_numpy() == pytest.approx(one["standard_error"].to_numpy())


def test_no_limit_lies_beyond_what_a_score_can_be() -> None:
    values = np.r_[np.full(15, 1.0), 0.5, 0.75][:, None]
    (row,) = alone(made(values, block="item", measure="accuracy")).itertuples()
    assert row.method == "t"
    assert (row.lower < values.mean(), row.upper) == (True, 1.0)
