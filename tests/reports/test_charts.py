"""The data of the linked charts: all scores, in few bytes, with places as in the plots."""

import json

import numpy as np
import pandas as pd
import pytest

import podium
from podium.drawing.canvas import styles
from podium.plots.of_scores.benchmark import bench_data
from podium.reports import charts as module
from podium.reports.charts import SHAPES, charts
from podium.reports.specs import SIGNALS, TITLES, specs


def results(datasets=2, algorithms=3, samples=4, seed=0, **options):
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product(
        [[f"d{i}" for i in range(datasets)], [f"a{i}" for i in range(algorithms)],
         range(1, samples + 1)], names=["dataset", "algorithm", "sample"])  # fmt: skip
    table = pd.DataFrame({"error": rng.random(len(index)).round(2)}, index).reset_index()
    return podium.read(table, sampling="bootstrap", **options), table


def test_values_are_the_scores_and_their_means():
    found, table = results()
    views = charts(found).data["views"]
    assert list(views) == ["0/all", "0/0", "0/1"]
    wide = table.pivot(index="algorithm", columns=["dataset", "sample"], values="error")
    np.testing.assert_allclose(views["0/1"]["values"], wide["d1"], atol=1e-4)
    means = table.groupby(["algorithm", "dataset"])["error"].mean().unstack()
    np.testing.assert_allclose(views["0/all"]["values"], means, atol=1e-4)
    assert views["0/all"]["samples"] == ["d0", "d1"]
    assert views["0/all"]["block"] == "data set"
    assert views["0/0"]["samples"] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("dataset", [None, "d1"])
def test_places_are_those_of_the_benchmark_experiment_plot(dataset):
    found, _ = results(samples=30, algorithms=5)
    made = bench_data(found, measure="error", dataset=dataset)
    view = charts(found).data["views"]["0/all" if dataset is None else "0/1"]
    dots = made.dots.pivot(index="algorithm", columns="sample", values="place")
    assert view["places"] == dots.loc[found.algorithms].to_numpy().tolist()
    assert [found.algorithms[a] for a in view["columns"]] == list(made.counts.index)


def test_gaps_are_null_and_leave_their_sample_without_a_podium():
    _, table = results(datasets=1)
    found = podium.read(table[1:], sampling="bootstrap")
    view = charts(found).data["views"]["0/0"]
    assert view["values"][0][0] is None
    assert [p[0] for p in view["places"]] == [None] * 3
    assert sorted(p[1] for p in view["places"]) == [1, 2, 3]
    none = podium.read(table.assign(error=[np.nan] + [0.5] * 3 + [0.2] + [np.nan] * 3 + [0.1] * 4),
                       sampling="bootstrap")  # fmt: skip
    assert charts(none).data["views"]["0/0"]["places"] == []


def test_algorithms_have_the_colours_and_markers_of_the_plots():
    found, _ = results(algorithms=12)
    for made, style in zip(charts(found).data["algorithms"], styles(found.algorithms).values(),
                           strict=True):  # fmt: skip
        assert (made["colour"], made["path"]) == (style.colour, SHAPES[style.marker])
    assert len(set(SHAPES.values())) == len(SHAPES)


def test_rounding_is_finer_than_any_screen_at_every_scale():
    for scale in (1e-12, 1.0, 1e9):
        values = np.random.default_rng(0).random((3, 50)) * scale + 7 * scale
        assert np.abs(module._rounded(values) - values).max() < np.ptp(values) / 1e3
    assert module._rounded(np.full((2, 2), 0.123456789)).tolist() == [[0.12346] * 2] * 2
    assert module._rounded(np.zeros((1, 2))).tolist() == [[0, 0]]


def test_the_caption_says_what_is_left_out(monkeypatch):
    found, _ = results(datasets=4, samples=10)
    assert "evenly" not in charts(found).caption
    monkeypatch.setattr(module, "MOST_SCORES", 48)
    made = charts(found)
    assert "Of 10 samples per data set, 4 evenly spaced ones are shown" in made.caption
    assert made.data["views"]["0/3"]["samples"] == ["1", "4", "7", "10"]
    monkeypatch.setattr(module, "MOST_SCORES", 20)
    made = charts(found)
    assert "The first 2 of 4 data sets have charts of their own." in made.caption
    assert made.data["datasets"] == ["d0", "d1"]
    assert made.data["views"]["0/all"]["samples"] == ["d0", "d1", "d2", "d3"]
    assert "0/2" not in made.data["views"]


def test_very_many_data_sets_are_one_dot_each_and_spaced_by_their_level(monkeypatch):
    monkeypatch.setattr(module, "MOST_DOTS", 9)
    table = pd.DataFrame(
        {"data": [f"d{i}" for i in range(7)], "a": np.array([5, 1, 4, 7, 2, 6, 3]) + 0.1}
    )
    made = charts(podium.read(table.assign(b=table["a"] + 0.5, c=table["a"] - 0.5), measure="mae"))
    assert made.data["datasets"] == []  # a single score has no chart of its own
    assert list(made.data["views"]) == ["0/all"]
    assert made.data["views"]["0/all"]["samples"] == ["d1", "d2", "d3"]  # means 1, 4 and 7
    assert made.data["views"]["0/all"]["columns"] == [2, 0, 1]
    assert "Of 7 data sets, 3 are shown together" in made.caption


def test_a_data_set_without_a_score_of_one_measure_moves_no_other():
    _, table = results(datasets=3, samples=3)
    table["log-loss"] = table["error"].where(table["dataset"] != "d1")
    made = charts(podium.read(table, sampling="bootstrap")).data["views"]
    assert "1/1" not in made
    assert made["1/2"]["values"] == made["0/2"]["values"]


def test_a_survey_is_small():
    found, _ = results(datasets=30, algorithms=50, samples=6)
    assert len(json.dumps(charts(found).data)) < 2e5
    # whatever the size, a page never has more scores than this
    wide = module._limits(found)
    assert 50 * wide.datasets * wide.samples <= module.MOST_SCORES


def test_charts_are_made_anew_the_same_and_name_no_address():
    first, second = (json.dumps(specs()) for _ in range(2))
    assert first == second
    assert "http" not in first
    assert list(specs()) == list(TITLES)
    bars, cells = (specs(k)["places"]["mark"]["type"] for k in (8, 9))
    assert (bars, cells) == ("bar", "rect")  # bars of many algorithms are all grey
    for spec in (*specs().values(), *specs(9).values()):
        assert {p["name"] for p in spec["params"]} >= set(SIGNALS)
