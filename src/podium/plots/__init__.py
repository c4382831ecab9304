"""Plots: one record each, with `<name>_data` that computes all numbers and `draw_<name>`.

`podium.plots.<name>` does both. All take `ax=` and return the axes they drew on, but for `trellis`,
which returns a figure. Matplotlib is loaded when something is drawn. `__init__.pyi` shows type
checkers and editors the faces, which follow from the records.
"""

from importlib import import_module
from typing import Any

from podium.plots.canvas import styles
from podium.plots.records import PLOTS

FILES = (  # that hold records, in the order of `podium plot --help`
    "score_plots",
    "distribution_plots",
    "gap_plots",
    "benchmark",
    "trellising",
    "curves",
    "tradeoffs",
    "fits",
    "differences_plots",
    "dataset_maps",
    "interval_plots",
    "critical_differences",
    "matrices",
    "order_plots",
    "stability_plots",
    "survey_plots",
    "dendrograms",
    "dataset_distances",
    "planning_curves",
    "look_plots",
    "quantiles",
    "meta_plots",
    "board_plots",
    "flow_chart",
)
for _file in FILES:
    import_module(f"podium.plots.{_file}")
critical_difference_tikz = import_module("podium.plots.cd_tikz").critical_difference_tikz

__all__ = sorted([*PLOTS, critical_difference_tikz.__name__, styles.__name__])


def __getattr__(name: str) -> Any:
    if name in PLOTS:
        return PLOTS[name].face
    raise AttributeError(f"module 'podium.plots' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *PLOTS})
