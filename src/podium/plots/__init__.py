"""Plots: one record each, with `<name>_data` that computes all numbers and `draw_<name>`.

`podium.plots.<name>` does both. All take `ax=` and return the axes they drew on, but for `trellis`,
which returns a figure. Matplotlib is loaded when something is drawn. `__init__.pyi` shows type
checkers and editors the faces, which follow from the records.
"""

from importlib import import_module
from typing import Any

from podium.drawing.canvas import styles
from podium.drawing.records import PLOTS

FILES = (  # that hold records, in the order of `podium plot --help`
    "plots.of_scores.score_plots",
    "plots.of_scores.distribution_plots",
    "plots.of_scores.gap_plots",
    "plots.of_scores.benchmark",
    "plots.of_scores.trellising",
    "plots.of_scores.curves",
    "plots.of_scores.tradeoffs",
    "plots.of_scores.fits",
    "plots.of_scores.differences_plots",
    "surveys.plots.maps",
    "plots.of_pairs.interval_plots",
    "plots.of_pairs.critical_differences",
    "plots.of_pairs.matrices",
    "plots.of_pairs.order_plots",
    "robustness.plots",
    "surveys.plots.podiums",
    "surveys.plots.dendrograms",
    "surveys.plots.distances",
    "planning.plots",
    "sequential.plots",
    "plots.of_scores.quantiles",
    "synthesis.plots",
    "items.plots",
    "surveys.plots.flow",
)
for _file in FILES:
    import_module(f"podium.{_file}")
critical_difference_tikz = import_module("podium.plots.of_pairs.cd_tikz").critical_difference_tikz

__all__ = sorted([*PLOTS, critical_difference_tikz.__name__, styles.__name__])


def __getattr__(name: str) -> Any:
    if name in PLOTS:
        return PLOTS[name].face
    raise AttributeError(f"module 'podium.plots' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *PLOTS})
