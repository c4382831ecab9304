"""Plots: for each `<name>_data` computes a table, `draw_<name>` draws it, `<name>` does both.

All take `ax=` and return the axes they drew on, but for `trellis`, which returns a figure.
Matplotlib is loaded when something is drawn.
"""

from podium.plots.benchmark import bench, full_bench
from podium.plots.boxplots import boxes, violins
from podium.plots.cd_tikz import critical_difference_tikz
from podium.plots.critical_differences import critical_difference
from podium.plots.curves import learning_curves
from podium.plots.dataset_maps import dataset_heat, score_scatter
from podium.plots.dendrograms import dendrogram
from podium.plots.differences_plots import deviations, differences
from podium.plots.distributions import densities, histograms
from podium.plots.dotplots import dots
from podium.plots.fits import fitted, residuals
from podium.plots.hasse_diagrams import hasse
from podium.plots.interval_plots import intervals
from podium.plots.matrices import matrix
from podium.plots.performance import profiles
from podium.plots.planning_curves import power_curve, sample_size_curve
from podium.plots.quantiles import qq
from podium.plots.stabilities import rank_stability
from podium.plots.styles import styles
from podium.plots.summaries import summary
from podium.plots.survey_graphs import survey_graph
from podium.plots.survey_plots import survey
from podium.plots.timing import times
from podium.plots.tradeoffs import pareto
from podium.plots.trellising import trellis

__all__ = [
    "bench",
    "boxes",
    "critical_difference",
    "critical_difference_tikz",
    "dataset_heat",
    "dendrogram",
    "densities",
    "deviations",
    "differences",
    "dots",
    "fitted",
    "full_bench",
    "hasse",
    "histograms",
    "intervals",
    "learning_curves",
    "matrix",
    "pareto",
    "power_curve",
    "profiles",
    "qq",
    "rank_stability",
    "residuals",
    "sample_size_curve",
    "score_scatter",
    "styles",
    "summary",
    "survey",
    "survey_graph",
    "times",
    "trellis",
    "violins",
]
