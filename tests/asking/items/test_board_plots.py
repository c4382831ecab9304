"""Boards, strata and the triangle of a posterior: their numbers, and that they draw."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import podium
from podium import PodiumError, plots
from podium.showing.plots import PLOTS
from podium.testing import check_plot

board_data = PLOTS["board"].data
simplex_data = PLOTS["simplex"].data
strata_data = PLOTS["strata"].data


@pytest.fixture(scope="module")
def items():
    rng = np.random.default_rng(0)
    difficulty = rng.normal(size=(90, 1))
    y = (np.linspace(1.5, -1.5, 10) - difficulty + rng.logistic(size=(90, 10)) > 0).astype(int)
    frame = pd.DataFrame(y, columns=[f"m{i}" for i in range(10)])
    frame.insert(0, "topic", np.array(list("xyz"))[np.arange(90) % 3])
    frame.insert(0, "item", range(90))
    return podium.read(frame, columns={"stratum": "topic"})


@pytest.fixture(scope="module")
def posterior():
    rng = np.random.default_rng(1)
    scores = {"a": rng.normal(0.02, 0.1, 30), "b": rng.normal(0, 0.1, 30), "c": np.full(30, -0.3)}
    scores = {name: values.tolist() for name, values in scores.items()}
    results = podium.read(scores, sampling="simulation", measure="score", higher_is_better=True)
    return podium.compare(results, posterior=True, rope=0.05)


def test_a_board_has_the_scores_places_and_contenders(items):
    found = podium.compare(items)
    data = board_data(found)
    t = data.table.set_index("algorithm")
    assert t["score"].is_monotonic_decreasing
    assert {n: (t.loc[n, "first"], t.loc[n, "last"]) for n in t.index} == found.places
    assert list(t.index[t["best"]]) == [n for n in t.index if n in found.best_set]
    assert ((t["first"] <= t["place"]) & (t["place"] <= t["last"])).all()
    assert (t["lower"] < t["score"]).all()
    assert "could be best (95 %)" in data.places


def test_strata_show_the_best_models_and_say_so(items):
    data = strata_data(items)
    assert data.strata == ["x", "y", "z"]
    assert len(data.shown) == 8
    assert data.notes[0].of == 10
    assert len(data.table) == 24
    assert data.table["y"].is_unique
    expected = podium.items.by_stratum(items).scores
    kept = expected[expected["algorithm"].isin(data.shown)]
    assert data.table["mean"].tolist() == kept["mean"].tolist()


def test_points_of_the_triangle_are_the_three_chances(posterior):
    t = simplex_data(posterior).table
    corners = np.array([[1.0, 0.0], [0.5, np.sqrt(3) / 2], [0.0, 0.0]])  # win, same, lose
    assert t[["x", "y"]].to_numpy() == pytest.approx(
        t[["win", "same", "lose"]].to_numpy() @ corners
    )
    assert t["win"].iloc[-1] > 0.95
    with pytest.raises(PodiumError, match="posterior=True"):
        plots.simplex(podium.compare(podium.read({"a": [1, 2, 3], "b": [0, 1, 1]},
                                     sampling="simulation", measure="loss",
                                     higher_is_better=False)))  # fmt: skip
    assert not plt.get_fignums()


@pytest.mark.parametrize("name", ["board", "strata", "simplex"])
def test_they_keep_the_laws_of_plots(name, items, posterior):
    shown = {"board": podium.compare(items), "strata": items, "simplex": posterior}[name]
    check_plot(PLOTS[name], shown)


def test_names_of_pairs_do_not_pile_up_however_sure_all_are(posterior):
    """Points of what is sure lie in one corner; their names stand apart."""
    ax = plots.simplex(posterior)
    figure = ax.get_figure()
    figure.canvas.draw()
    rows = simplex_data(posterior).table
    pairs = {f"{a} - {b}" for a, b in zip(rows["first"], rows["second"], strict=True)}
    boxes = [t.get_window_extent() for t in ax.texts if t.get_text() in pairs]
    assert len(boxes) == len(pairs) > 1
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    plt.close(figure)
