"""Surveys of many data sets, in groups, explained and recommended for, are those that were kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from asked import asked, prepared, rng, samples
from outcomes import outcome
from results_made import gaps
from snapshots import assert_kept

import podium
from podium.asking.surveys import size_trend
from podium.asking.surveys.verbs import equal_bias
from podium.showing.drawing.records import PLOTS

pytestmark = pytest.mark.numbers


def about(count: int = 16) -> pd.DataFrame:
    """Characteristics of data sets: a size, a share with a gap, a kind."""
    draws = rng(5)
    return pd.DataFrame({
        "dataset": [f"d{i}" for i in range(count)],
        "n": np.round(np.exp(draws.uniform(3, 8, count))),
        "noise": np.round(draws.uniform(0, 0.4, count), 3),
        "kind": [("text", "image", "table")[i % 3] for i in range(count)],
        "group": [("small", "large")[i % 2] for i in range(count)],
    })  # fmt: skip


def worlds(count: int = 16, gap: float = 0.08) -> pd.DataFrame:
    """lda is the best on small data sets, svm on large ones."""
    small, draws = about(count)["n"].to_numpy() < np.exp(5.5), rng(7)
    wide = pd.DataFrame({
        "dataset": [f"d{i}" for i in range(count)],
        "svm": 0.85 - gap * small + draws.normal(0, 0.01, count),
        "lda": 0.85 - gap * ~small + draws.normal(0, 0.01, count),
        "knn": 0.74 + draws.normal(0, 0.02, count),
    })  # fmt: skip
    return wide.round(4)


def of_sizes(steep: float = 0.0) -> podium.Results:
    """Two algorithms at three sizes of one data set, whose difference moves by `steep`."""
    draws = rng(9)
    rows = [
        (f"d@{size}", s, name, 0.3 - 0.03 * k + (name == "b") * steep * k + draws.normal(0, 0.01))
        for k, size in enumerate((20, 40, 80)) for s in range(1, 9) for name in "ab"
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    made = podium.read(table, sampling="bootstrap", measure="error")
    return replace(made, facts={f"d@{size}": {"of": "d", "size": size} for size in (20, 40, 80)})


TABLES = {
    "worlds": worlds,
    "alike": lambda: worlds(gap=0.0),
    "hardly": lambda: worlds(gap=0.012),
    "fewsets": lambda: worlds(5),
    "six": lambda: samples(6, 5),
}
LINES = [
    "survey worlds.csv -m accuracy",
    "survey worlds.csv -m accuracy --all",
    "survey alike.csv -m accuracy --family linear --json -",
    "survey six.csv -m error --sampling bootstrap",
    "survey six.csv -m error --sampling bootstrap --all",
    "survey six.csv -m error --sampling bootstrap -p sign --alpha 0.2 --json -",
    "survey six.csv -m error --sampling cv:6 --relevance 0.01 --json -",
    "survey gaps.csv -m accuracy",
    "survey lower.csv -m error --json -",
    "survey worlds.csv -m accuracy --groups about.csv",
    "survey worlds.csv -m accuracy --groups about.csv --scale raw --json -",
    "survey worlds.csv -m accuracy --groups about.csv -p sign --declared here",
    "survey fewsets.csv -m accuracy --groups about.csv --relevance 0.01",
    "survey worlds.csv -m accuracy --by n --table about.csv",
    "survey worlds.csv -m accuracy --by n,kind --table about.csv --json -",
    "survey worlds.csv -m accuracy --by noise,kind --table about.csv --alpha 0.2 --scale raw",
    "survey worlds.csv -m accuracy --by n --table about.csv -p bradley-terry",
    "survey worlds.csv -m accuracy --by n,kind --table about.csv -p bradley-terry --json -",
    "survey recommend worlds.csv -m accuracy --table about.csv",
    "survey recommend hardly.csv -m accuracy --table about.csv --by n,noise",
    "survey recommend worlds.csv -m accuracy --table about.csv --by n --json -",
    "survey recommend worlds.csv -m accuracy --table about.csv --new about.csv",
    "survey recommend alike.csv -m accuracy --table about.csv --alpha 0.2",
    "survey recommend worlds.csv -m accuracy --table about.csv --by kind",
]
REFUSED = [
    "survey worlds.csv -m accuracy --sizes",
    "survey worlds.csv -m accuracy --by odd --table about.csv",
    "survey worlds.csv -m accuracy --by n",
    "survey worlds.csv -m accuracy --groups nothing.csv",
    "survey worlds.csv -m accuracy --groups about.csv --by n --table about.csv",
    "survey worlds.csv -m accuracy --family odd",
    "survey worlds.csv -m accuracy --scale odd --groups about.csv",
    "survey worlds.csv -m accuracy --sizes --groups about.csv",
    "survey samples.csv -m error --sampling bootstrap",
    "survey fewsets.csv -m accuracy --by n,kind --table about.csv",
    "survey two.csv -m accuracy --groups survey.csv",
    "survey recommend fewsets.csv -m accuracy --table about.csv",
    "survey recommend worlds.csv -m accuracy",
    "survey recommend worlds.csv -m accuracy --table about.csv --by odd",
    "survey recommend worlds.csv -m accuracy --table about.csv --new two.csv",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    return prepared(tmp_path, monkeypatch, about=about, **TABLES)


@pytest.mark.parametrize("line", LINES)
def test_surveys_are_kept(line, folder, capsys):
    assert_kept("surveys", "surveys", asked(line, capsys), line, relative=1e-6)


def test_refusals_of_surveys_are_kept(folder, capsys):
    assert_kept("surveys", "refusals", {line: asked(line, capsys) for line in REFUSED})


def test_what_verbs_alone_say_is_kept():
    wide = podium.read(worlds(), measure="accuracy")
    long = podium.read(samples(6, 5), measure="error", sampling="bootstrap")
    told = {
        "bias": [outcome(equal_bias, r, None) for r in (wide, long)],
        "control": outcome(podium.subgroups, wide, about().set_index("dataset")["group"].to_dict(),
                           control="knn"),
        "sizes": [outcome(size_trend, of_sizes(steep)) for steep in (0.0, 0.02)],
    }  # fmt: skip
    assert_kept("surveys", "verbs", told, relative=1e-6)


def test_pictures_of_surveys_are_kept():
    wide = podium.read(worlds(), measure="accuracy")
    long = podium.read(samples(6, 5), measure="error", sampling="bootstrap")
    orders = podium.by_dataset(long)
    told = {}
    for name in ("dataset_heat", "survey", "score_scatter", "flow", "dendrogram", "survey_graph"):
        plot = PLOTS[name]
        of = {"orders": orders} if plot.shows is type(orders) else {"wide": wide, "long": long}
        pair = ("svm", "lda") if name == "score_scatter" else ()
        told[name] = {key: outcome(plot.data, each, *pair) for key, each in of.items()}
    told["flow"]["failed"] = outcome(PLOTS["flow"].data, gaps())
    assert_kept("surveys", "pictures", told, relative=1e-6)
