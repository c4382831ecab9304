"""The benchmark survey graph, its layout and its names."""

from __future__ import annotations

import numpy as np
import pytest
from orders_made import four, made
from scipy.optimize import check_grad
from scipy.spatial.distance import cdist, squareform
from snapshots import assert_snapshot

from podium.asking.surveys.distance_plots import edges_of, merged
from podium.errors import InferenceError
from podium.showing.drawing.graph_layouts import (
    _inside,
    classical,
    names_beside_points,
    placed,
    stress,
)
from podium.showing.plots import PLOTS, survey_graph
from podium.testing import check_plot

survey_graph_data = PLOTS["survey_graph"].data

RNG = np.random.default_rng(8)
FIGURES = {
    "pair": np.array([[0, 0], [3, 0]]),
    "triangle": np.array([[0, 0], [3, 0], [0, 4]]),
    "square": np.array([[0, 0], [1, 0], [1, 1], [0, 1]]),
    "line": np.array([[0, 0], [2, 0], [5, 0], [9, 0]]),
    "cloud": RNG.normal(size=(30, 2)),
}


# -- springs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("figure", FIGURES)
def test_distances_in_the_plane_are_recovered(figure):
    wanted = cdist(FIGURES[figure], FIGURES[figure])
    assert cdist(*[placed(wanted)] * 2) == pytest.approx(wanted, abs=1e-6)
    assert cdist(*[classical(wanted)] * 2) == pytest.approx(wanted, abs=1e-6)


def test_the_position_is_standard():
    points = placed(cdist(FIGURES["triangle"], FIGURES["triangle"]))
    assert points.mean(axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert points[1, 1] == pytest.approx(points[2, 1])  # the longest side lies on a level
    assert points[1, 0] < points[2, 0]
    assert points[0, 1] > points[1, 1]


def test_the_gradient_is_the_slope_and_vanishes_at_the_solution():
    wanted = squareform(RNG.integers(1, 24, 15 * 14 // 2).astype(float))

    def energy(flat):
        return stress(flat.reshape(-1, 2), wanted)[0]

    def slope(flat):
        return stress(flat.reshape(-1, 2), wanted)[1].ravel()

    assert check_grad(energy, slope, RNG.normal(size=30)) < 1e-5
    assert np.abs(stress(placed(wanted), wanted)[1]).max() < 1e-5


def test_four_equal_distances_have_the_least_stress_of_a_square():
    # by symmetry a square with sides s and diagonals s sqrt(2): sum (l - 1)^2 is least where
    # 4 (s - 1) + 2 sqrt(2) (sqrt(2) s - 1) = 0
    s = (4 + 2 * np.sqrt(2)) / 8
    least = 4 * (s - 1) ** 2 + 2 * (np.sqrt(2) * s - 1) ** 2
    equal = 1 - np.eye(4)
    assert stress(placed(equal), equal)[0] == pytest.approx(least)


def test_more_starts_are_never_worse_and_seeds_repeat():
    wanted = squareform(RNG.integers(1, 9, 20 * 19 // 2).astype(float))
    one, many = (stress(placed(wanted, starts=n), wanted)[0] for n in (1, 8))
    assert many <= one + 1e-9
    assert (placed(wanted, seed=3) == placed(wanted, seed=3)).all()


def test_a_single_point_is_at_the_origin():
    assert placed(np.zeros((1, 1))).tolist() == [[0, 0]]


# -- names ------------------------------------------------------------------------------------


def test_a_name_stands_above_unless_it_would_hide_something():
    alone = names_beside_points(np.array([[0.0, 0.0]]), ["name"], size=8)
    assert alone[0, 0] == 0 < alone[0, 1]
    under = names_beside_points(np.array([[0.0, 0.0], [0.0, 9.0]]), ["name", "other"], size=8)
    assert under[0, 1] <= 0  # the second point is above the first


def test_a_name_stands_off_the_lines_that_leave_its_point():
    up = np.array([[[0.0, 0.0], [0.0, 90.0]]])
    shift = names_beside_points(
        np.zeros((1, 2)), ["name"], size=8, lines=up, widths=np.array([4.0])
    )
    assert shift[0, 1] < 0  # a line goes up: below


def test_the_length_of_a_line_within_a_box_is_that_of_its_part():
    box = np.array([0.0, 0.0, 2.0, 1.0])
    lines = [[(-1, 0.5), (5, 0.5)], [(0, 0), (2, 1)], [(1, -3), (1, 0.25)], [(3, 0), (3, 1)]]
    lengths = _inside(box, np.array([*lines, [(0.5, 0.5), (0.5, 0.5)]], dtype=float))
    assert lengths == pytest.approx([2, np.sqrt(5), 0.25, 0, 0])


# -- the graph --------------------------------------------------------------------------------


def test_four_orders_by_hand():
    data = survey_graph_data(four())
    assert data.nodes["datasets"].tolist() == ["monks, glass", "sonar", "iris"]
    assert data.nodes["winner"].tolist() == ["a", "d", ""]
    assert data.of == 4  # the distances 0, 1, 10, 11
    shown = data.edges[["distance", "level", "strength"]].to_numpy().tolist()
    assert shown == [[1, 2, 1], [10, 3, 0]]
    points = data.nodes[["x", "y"]].to_numpy()
    wanted = np.array([[0, 11, 1], [11, 0, 10], [1, 10, 0]])
    assert cdist(points, points) == pytest.approx(wanted, abs=1e-5)  # they lie on a line
    assert_snapshot("survey_graph", data.nodes.drop(columns=["x", "y"]))
    counts = {note.code: note for note in data.notes}
    assert counts["plot-same-order"].count == 1  # monks and glass
    assert (counts["plot-edges"].levels, counts["plot-edges"].of) == (data.levels, 4)
    assert counts["plot-edges"].distance == 10


def test_fifteen_of_twenty_four_levels_are_shown_as_in_the_paper():
    wanted = squareform(RNG.permutation(np.resize(np.arange(1, 24), 20 * 19 // 2)).astype(float))
    edges, shown, total = edges_of(wanted, has_zero=True, levels=None)
    assert (shown, total) == (15, 24)
    assert edges["distance"].max() == 14
    assert edges["strength"].is_monotonic_decreasing
    assert edges["strength"].iat[-1] == 0


def test_levels_may_be_said():
    wanted = squareform(np.array([1.0, 2, 3]))
    assert [len(edges_of(wanted, False, n)[0]) for n in (1, 2, 9)] == [1, 2, 3]
    for wrong in (0, 1.5, True):
        with pytest.raises(InferenceError, match="whole number from 1 on"):
            edges_of(wanted, False, wrong)


def test_a_hundred_data_sets_do_not_have_more_edges_than_can_be_followed():
    wanted = squareform(RNG.integers(1, 200, 100 * 99 // 2).astype(float))
    edges, shown, total = edges_of(wanted, has_zero=False, levels=None)
    assert len(edges) <= 800
    assert 1 < shown < total * 5 / 8


def test_what_has_distance_zero_is_one_node():
    groups, apart = merged(np.array([[0, 2, 0], [2, 0, 2], [0, 2, 0.0]]))
    assert groups == [[0, 2], [1]]
    assert apart.tolist() == [[0, 2], [2, 0]]


def test_it_keeps_the_laws_of_plots():
    check_plot(survey_graph, four())
    check_plot(survey_graph, made({"$a": "x ≻ y", "two\nlines": "x ≻ y"}))  # a single node


@pytest.mark.parametrize("seed", range(8))
def test_levels_are_as_many_as_can_be_followed(seed):
    """Counted edge by edge: up to 5/8 of the levels, at most 8 edges a node, two with edges."""
    rng = np.random.default_rng(seed)
    nodes, kinds = int(rng.integers(4, 60)), int(rng.integers(2, 30))
    wanted = squareform(rng.integers(1, kinds + 1, nodes * (nodes - 1) // 2).astype(float))
    distances = sorted({*squareform(wanted).tolist()})
    has_zero = bool(seed % 2)
    edges, shown, total = edges_of(wanted, has_zero=has_zero, levels=None)
    assert total == len(distances) + has_zero
    fits = [
        sum(d <= distances[k] for d in squareform(wanted)) <= 8 * nodes
        for k in range(len(distances))
    ]
    most = min(round(5 / 8 * total), sum(fits) + has_zero)
    assert shown == min(max(most, 2 + has_zero), total)
    farthest = distances[shown - 1 - has_zero]
    assert len(edges) == (squareform(wanted) <= farthest).sum()
    assert edges["distance"].is_monotonic_increasing
    assert (edges["strength"].iloc[0], edges["strength"].max()) == (1.0, 1.0)
