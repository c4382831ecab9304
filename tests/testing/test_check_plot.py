"""The laws of plots are broken one by one, and each is noticed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from podium.showing.drawing.canvas import axes_for, names_on
from podium.testing import check_figure, check_plot


@dataclass(frozen=True)
class Table:
    """What the plots here are given."""

    names: list[str]
    values: pd.DataFrame


def table() -> Table:
    names = ["$x^2$", "<script>", "算法", "plain"]
    return Table(names, pd.DataFrame({"value": [0.1, 0.2, np.nan, 0.4]}))


def good(data: Table, *, ax: Any = None) -> Any:
    ax = axes_for(ax)
    ax.plot(data.values["value"], "o")
    names_on(ax.xaxis, range(len(data.names)), data.names)
    return ax


def returns_other_axes(data: Table, *, ax: Any = None) -> Any:
    return good(data, ax=ax).figure.add_subplot()


def opens_a_figure(data: Table, *, ax: Any = None) -> Any:
    plt.figure()
    return good(data, ax=ax)


def draws_nothing(data: Table, *, ax: Any = None) -> Any:
    return axes_for(ax)


def opens_two_figures(data: Table, *, ax: Any = None) -> Any:
    if ax is None:
        plt.figure()
    return good(data, ax=ax)


def warns(data: Table, *, ax: Any = None) -> Any:
    ax = good(data, ax=ax)
    ax.text(0, 0.3, "字")  # a glyph that is in no name
    return ax


def is_random(data: Table, *, ax: Any = None) -> Any:
    ax = good(data, ax=ax)
    ax.plot(np.random.default_rng().normal(size=3))
    return ax


def makes_formulas(data: Table, *, ax: Any = None) -> Any:
    ax = good(data, ax=ax)
    ax.set_title(data.names[0])
    return ax


def changes_its_input(data: Table, *, ax: Any = None) -> Any:
    data.values.loc[0, "value"] += 1
    return good(data, ax=ax)


def cuts_a_text(data: Table, *, ax: Any = None) -> Any:
    ax = good(data, ax=ax)
    ax.text(0.9, 0.5, "half of this is outside", transform=ax.transAxes, clip_on=True)
    return ax


def leaves_a_text_out(data: Table, *, ax: Any = None) -> Any:
    ax = good(data, ax=ax)
    ax.text(0, -0.9, "below", transform=ax.transAxes).set_in_layout(False)
    return ax


def writes_far_away(data: Table, *, ax: Any = None) -> Any:
    ax = good(data, ax=ax)
    ax.figure.set_layout_engine("none")
    ax.text(30, 0, "far away", transform=ax.transAxes)
    return ax


BROKEN = {
    returns_other_axes: "Law 1 .* did not return the axes",
    opens_a_figure: "Law 1 .* opened a figure",
    draws_nothing: "Law 1 .* drew nothing",
    opens_two_figures: "Law 2 .* opened 2 figures",
    warns: "Law 3 .*Glyph 23383",
    is_random: "Law 4 .* another",
    makes_formulas: "Law 5 .* formula",
    changes_its_input: r"Law [46] ",
    cuts_a_text: "Law 7 .* cut off",
    leaves_a_text_out: "Law 7 .* cut off",
    writes_far_away: "Law 7 .* times as large",
}


@pytest.fixture(autouse=True)
def _no_figures_of_other_tests() -> None:
    plt.close("all")


def test_a_plot_that_keeps_the_laws_passes_and_leaves_no_figure_open() -> None:
    before = plt.get_fignums()
    check_plot(good, table())
    assert plt.get_fignums() == before


@pytest.mark.parametrize("plot", BROKEN, ids=lambda plot: plot.__name__)
def test_each_broken_law_is_noticed(plot: Any) -> None:
    with pytest.raises(AssertionError, match=BROKEN[plot]):
        check_plot(plot, table())
    assert plt.get_fignums() == []


def test_a_changed_input_is_noticed_where_the_picture_stays_the_same() -> None:
    def marks(data: Table, *, ax: Any = None) -> Any:
        data.values["seen"] = True
        return good(data, ax=ax)

    with pytest.raises(AssertionError, match=r"Law 6 .* changed its input"):
        check_plot(marks, table())


def test_a_whole_figure_is_held_against_the_same_laws() -> None:
    check_figure(lambda data: good(data).figure, table())
    for plot in (is_random, makes_formulas, cuts_a_text):
        with pytest.raises(AssertionError, match=BROKEN[plot]):
            check_figure(lambda data, plot=plot: plot(data).figure, table())
    with pytest.raises(AssertionError, match=r"Law 2 .* more than one figure"):
        check_figure(lambda data: opens_two_figures(data).figure, table())
    assert plt.get_fignums() == []
