"""Plots: one record each, with `<name>_data` that computes all numbers and `draw_<name>`.

`podium.plots.<name>` does both. All take `ax=` and return the axes they drew on, but for `trellis`,
which returns a figure. Matplotlib is loaded when something is drawn. `__init__.pyi` shows type
checkers and editors the faces, which follow from the records.
"""

from importlib import import_module
from typing import Any

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results", "inference", "orders", "drawing"),
    words=("words",),
    plots=(
        "of_scores.score_plots",
        "of_scores.distribution_plots",
        "of_scores.differences_plots",
        "of_scores.benchmark",
        "of_scores.trellising",
        "of_scores.curves",
        "of_scores.tradeoffs",
        "of_scores.fits",
        "of_pairs.matrices",
        "of_pairs.critical_differences",
        "of_pairs.order_plots",
        "of_scores.*",
        "of_pairs.*",
    ),
)

_OTHERS = {
    "styles": "showing.drawing.canvas",
    "critical_difference_tikz": "showing.plots.of_pairs.critical_differences",
}


def _plots() -> Any:
    """The plots of all rooms, by name."""
    return import_module("podium.showing.drawing.records").PLOTS


def __getattr__(name: str) -> Any:  # loaded when a plot is asked for
    if name in _OTHERS:
        return getattr(import_module(f"podium.{_OTHERS[name]}"), name)
    if name == "__all__":
        return sorted([*_plots(), *_OTHERS])
    if name == "PLOTS" or (not name.startswith("_") and name in _plots()):
        return _plots() if name == "PLOTS" else _plots()[name].face
    raise AttributeError(f"module 'podium.showing.plots' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_plots(), *_OTHERS})
