from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from results_made import compared, six

import podium
from podium.showing.drawing.canvas import letters, names_on, on_paper, points, row_letters
from podium.showing.plots import critical_difference, fitted, hasse, intervals, matrix


@pytest.mark.parametrize("plot", [intervals, critical_difference, matrix, hasse, fitted])
def test_drawn_again_the_axes_are_where_they_were(plot: Callable[..., Axes]) -> None:
    """What grows with the margins, or is empty and not clipped, moves them at every drawing."""
    made = compared(six(), "mixed-tukey")
    what = {hasse: podium.decide(made), fitted: six()}.get(plot, made)
    figure = Figure(figsize=(6.4, 4.8), layout="constrained")
    ax = plot(what, ax=figure.add_subplot())
    figure.draw_without_rendering()
    before = ax.get_window_extent().bounds
    figure.draw_without_rendering()
    figure.draw_without_rendering()
    assert np.allclose(ax.get_window_extent().bounds, before, atol=1)


def test_points_of_axes_do_not_depend_on_the_resolution() -> None:
    for dpi in (50, 200):
        ax = Figure(figsize=(5, 4), dpi=dpi).add_axes((0.0, 0.0, 0.5, 1.0))
        assert points(ax) == pytest.approx((180, 288))
        assert row_letters(ax, 60) == pytest.approx(0.8 * 288 / 60)


def test_letters_are_neither_larger_than_usual_nor_nothing() -> None:
    assert [letters(room) for room in (0.1, 5, 100)] == [2.0, 4.0, 9.0]


def test_the_widest_name_has_room_also_after_pictures_in_smaller_letters() -> None:
    """A width that was measured on paper was once compared with those on screen."""
    with on_paper(3.3):
        names_on(Figure().add_subplot().yaxis, range(3), ["a", "quartzite", "b"])
    axis = Figure().add_subplot().yaxis
    names_on(axis, range(4), ["a", "quartzite", "quartzit", "b"])
    assert axis.get_ticklabels()[1].get_in_layout()
