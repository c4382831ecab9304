from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from results_made import compared, fifty, long_names, six, ties
from snapshots import assert_snapshot
from told import sentences

import podium
from podium import Order
from podium.errors import InferenceError
from podium.showing.drawing.graph_layouts import bent, crossings, places
from podium.showing.plots import PLOTS, hasse
from podium.showing.plots.of_pairs.order_plots import ABREAST, Hasse
from podium.testing import check_plot

hasse_data = PLOTS["hasse"].data


def joined(data: Hasse) -> set[tuple[str, str]]:
    """The pairs of algorithms whose boxes a line joins."""
    found = set()
    for _, line in data.lines.groupby("line"):
        ends = []
        for place, side in ((0, 0.5), (-1, -0.5)):
            x, y = line[["x", "y"]].iloc[place]
            edge = data.boxes["y"] + side * data.boxes["height"]
            at = np.isclose(data.boxes["x"], x) & np.isclose(edge, y)
            (box,) = data.boxes["box"][at]
            ends.append(data.algorithms["algorithm"][data.algorithms["box"] == box])
        found |= {(a, b) for a in ends[0] for b in ends[1]}
    return found


def random_order(size: int, seed: int) -> Order:
    """An interval order, as Tukey's intervals give."""
    low = np.random.default_rng(seed).uniform(0, 3, size)
    return Order.from_intervals([f"a{i}" for i in range(size)], low, low + 1)


@pytest.mark.parametrize("seed", range(5))
def test_lines_are_the_transitive_reduction(seed: int) -> None:
    order = random_order(12, seed)
    assert joined(hasse_data(order)) == set(order.hasse())


def test_levels_are_longest_paths_and_worse_boxes_lie_below() -> None:
    order = random_order(12, 1)
    data = hasse_data(order)
    level = data.algorithms.merge(data.boxes[["box", "level"]]).set_index("algorithm")["level"]
    place = {name: i for i, name in enumerate(order.algorithms)}
    for name in order.algorithms:
        above = [level[b] for b in order.algorithms if order.better[place[b], place[name]]]
        assert level[name] == (max(above) + 1 if above else 0)


def wide_order() -> Order:
    """Two layers of twelve, each of which beats all but one: 132 lines."""
    better = np.zeros((24, 24), bool)
    better[:12, 12:] = ~np.eye(12, dtype=bool)
    return Order(tuple(f"a{i}" for i in range(24)), better)


@pytest.mark.parametrize("order", [random_order(12, 1), wide_order()])
def test_no_two_boxes_overlap_and_layers_lie_below_each_other(order: Order) -> None:
    boxes = hasse_data(order).boxes
    for i, one in boxes.iterrows():
        for _, other in boxes.loc[: i - 1].iterrows():
            apart = abs(one["x"] - other["x"]) > (one["width"] + other["width"]) / 2
            assert apart or abs(one["y"] - other["y"]) > (one["height"] + other["height"]) / 2
    half = boxes["height"] / 2
    top = (boxes["y"] - half).groupby(boxes["level"]).min()
    bottom = (boxes["y"] + half).groupby(boxes["level"]).max()
    assert (top.iloc[1:].to_numpy() > bottom.iloc[:-1].to_numpy()).all()


def test_more_lines_than_can_be_led_around_boxes_run_behind_few_boxes_abreast() -> None:
    order = wide_order()
    data = hasse_data(order)
    assert joined(data) == set(order.hasse())
    assert (
        data.boxes.groupby("y").size().max() <= ABREAST < data.boxes.groupby("level").size().max()
    )
    assert (
        f"{data.lines['line'].nunique()} lines are too many to follow" in sentences(data.notes)[-1]
    )


def test_algorithms_with_the_same_relations_share_a_box() -> None:
    data = hasse_data(podium.order("a ≈ b ≻ c ≻ d ≈ e ≈ f"))
    assert data.algorithms.groupby("box")["algorithm"].apply(list).tolist() == [
        ["a", "b"],
        ["c"],
        ["d", "e", "f"],
    ]
    assert data.lines["line"].nunique() == 2


def test_an_order_that_is_not_transitive_says_what_its_paths_claim_too_much() -> None:
    order = Order.from_matrix("abc", [[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    data = hasse_data(order)
    assert joined(data) == {("a", "b"), ("b", "c")}
    assert sentences(data.notes) == ["The order is not transitive: paths run along, yet a ≈ c."]


def test_pairs_that_were_not_compared_are_said() -> None:
    table = pd.DataFrame([("a", "b", "<"), ("a", "c", "<")], columns=["first", "second", "sign"])
    assert "Not compared: b and c." in sentences(hasse_data(Order.from_pairs(table)).notes)


def test_a_cycle_is_refused() -> None:
    with pytest.raises(InferenceError, match="a, b, c come before each other"):
        hasse(Order.from_matrix("abc", [[0, 1, 0], [0, 0, 1], [1, 0, 0]]))


def test_sweeps_leave_no_crossing_in_a_graph_that_needs_none() -> None:
    # two paths, whose nodes alternate between left and right
    levels, edges = [0, 0, 1, 1, 2, 2], [(0, 3), (1, 2), (3, 4), (2, 5)]
    every, paths = bent(levels, edges)
    x = places(every, paths, np.ones(6))
    rows = [sorted(row, key=lambda i: x[i]) for row in ([0, 1], [2, 3], [4, 5])]
    assert crossings([[0, 1], [2, 3], [4, 5]], edges) == 2
    assert crossings(rows, edges) == 0
    assert np.allclose(x[[0, 1]], x[[3, 2]])
    assert np.allclose(x[[3, 2]], x[[4, 5]])


def test_crossings_against_counting_all_pairs_of_lines() -> None:
    rng = np.random.default_rng(3)
    edges = [(int(a), int(b) + 6) for a, b in rng.integers(0, 6, (15, 2))]
    count = sum((a - c) * (b - d) < 0 for i, (a, b) in enumerate(edges) for c, d in edges[:i])
    assert crossings([list(range(6)), list(range(6, 12))], edges) == count


def test_an_edge_over_layers_bends_in_each() -> None:
    every, paths = bent([0, 1, 2, 3], [(0, 3), (0, 1)])
    assert every == [0, 1, 2, 3, 1, 2]
    assert paths == [[0, 4, 5, 3], [0, 1]]


def test_those_told_apart_from_nobody_stand_beside_all_others() -> None:
    better = np.zeros((5, 5), bool)
    better[1, 3] = True  # b before d; a, c and e are open
    data = hasse_data(Order.from_matrix("abcde", better))
    (alone,) = data.boxes[data.boxes["apart"]].to_dict("records")
    inside = data.algorithms[data.algorithms["box"] == alone["box"]]
    assert sorted(inside["algorithm"]) == ["a", "c", "e"]
    others = data.boxes[~data.boxes["apart"]]
    assert alone["x"] - alone["width"] / 2 > (others["x"] + others["width"] / 2).max()
    assert len(others) == 2
    open_ = hasse_data(Order.from_matrix("ab", np.zeros((2, 2), bool)))  # nothing to stand beside
    assert not open_.boxes["apart"].any()


def test_kept_diagram() -> None:
    data = hasse_data(random_order(8, 2))
    assert_snapshot("hasse_boxes", data.boxes)
    assert_snapshot("hasse_lines", data.lines)


CASES = [long_names, *(pytest.param(r, marks=pytest.mark.long) for r in (six, fifty, ties))]


@pytest.mark.parametrize("results", CASES)
def test_hasse_keeps_the_laws_of_plots(results: object) -> None:
    check_plot(hasse, podium.decide(compared(results())))


def test_the_title_counts_those_that_are_left_out_too() -> None:
    front = " ≈ ".join(f"m{i:02d}" for i in range(30))
    made = podium.order(f"{front} ≻ " + " ≻ ".join(f"z{i}" for i in range(4)))
    assert hasse_data(made).title.startswith("30 of 34 could be best")
