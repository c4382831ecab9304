"""Podium: design, execution and statistical analysis of benchmark experiments.

The public names, and nothing else. They are loaded when first used, so that `import podium` and
`podium --help` stay fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from podium import plots
    from podium.api import (
        advise,
        alone,
        compare,
        decide,
        explained,
        items,
        left_out,
        merge,
        order,
        order_by,
        plan,
        read,
        report,
        run,
        score,
        stability_of,
        subgroups,
        write_indices,
    )
    from podium.calibration.calibrate import calibrate
    from podium.calibration.scenario import scenario
    from podium.comparisons import Comparisons
    from podium.design.algorithms import Algorithm, algorithm
    from podium.design.datasets import Dataset, dataset
    from podium.design.losses import measure
    from podium.design.openml import from_openml
    from podium.design.preprocessing import pipeline
    from podium.design.processes import Process, process
    from podium.design.study import Study
    from podium.design.studyfile import load_study
    from podium.errors import PodiumError
    from podium.inference.layouts import Layout, layout
    from podium.inference.nulls import asymptotic, exact, permutation
    from podium.measures import Measure
    from podium.orders.consensus import Consensus, consensus
    from podium.orders.distances import distance
    from podium.orders.hierarchical import hierarchical, pareto
    from podium.orders.order import Order
    from podium.papers.replication import replicate
    from podium.reports.latex import scores_latex
    from podium.results.characteristics import characteristics
    from podium.results.curves import learning_curve
    from podium.results.exclusions import excluded
    from podium.results.openml_export import export_openml
    from podium.results.results import Results
    from podium.samplings import (
        Sampling,
        bayesian_bootstrap,
        bootstrap,
        bootstrap_2n,
        bootstrap_632,
        bootstrap_cv,
        bootstrap_whole,
        competition,
        cv,
        five_by_two_cv,
        holdout,
        loo,
        moving_block,
        parametric_bootstrap,
        repeated_cv,
        rolling_origin,
        simulation,
        subsampling,
        training_sets,
    )
    from podium.store import Store
    from podium.studies.by_dataset import by_dataset
    from podium.studies.left_out import LeftOut
    from podium.studies.multiverse import Multiverse, multiverse
    from podium.studies.stability_result import Stability
    from podium.wording.methods import how_to_report

__version__ = "0.1.0"

_HOMES = {
    "podium.api": (
        "advise",
        "alone",
        "compare",
        "decide",
        "explained",
        "items",
        "left_out",
        "merge",
        "order",
        "order_by",
        "plan",
        "read",
        "report",
        "run",
        "score",
        "stability_of",
        "subgroups",
        "write_indices",
    ),
    "podium.calibration.calibrate": ("calibrate",),
    "podium.calibration.scenario": ("scenario",),
    "podium.comparisons": ("Comparisons",),
    "podium.design.algorithms": ("Algorithm", "algorithm"),
    "podium.design.datasets": ("Dataset", "dataset"),
    "podium.design.losses": ("measure",),
    "podium.design.preprocessing": ("pipeline",),
    "podium.design.processes": ("Process", "process"),
    "podium.design.study": ("Study",),
    "podium.design.studyfile": ("load_study",),
    "podium.errors": ("PodiumError",),
    "podium.inference.layouts": ("Layout", "layout"),
    "podium.inference.nulls": ("asymptotic", "exact", "permutation"),
    "podium.measures": ("Measure",),
    "podium.orders.consensus": ("Consensus", "consensus"),
    "podium.orders.distances": ("distance",),
    "podium.orders.hierarchical": ("hierarchical", "pareto"),
    "podium.orders.order": ("Order",),
    "podium.papers.replication": ("replicate",),
    "podium.reports.latex": ("scores_latex",),
    "podium.wording.methods": ("how_to_report",),
    "podium.results.results": ("Results",),
    "podium.samplings": (
        "Sampling",
        "bayesian_bootstrap",
        "bootstrap",
        "bootstrap_2n",
        "bootstrap_632",
        "bootstrap_cv",
        "bootstrap_whole",
        "competition",
        "cv",
        "five_by_two_cv",
        "holdout",
        "loo",
        "moving_block",
        "parametric_bootstrap",
        "repeated_cv",
        "rolling_origin",
        "simulation",
        "subsampling",
        "training_sets",
    ),
    "podium.studies.left_out": ("LeftOut",),
    "podium.studies.multiverse": ("Multiverse", "multiverse"),
    "podium.studies.stability_result": ("Stability",),
    "podium.studies.by_dataset": ("by_dataset",),
    "podium.results.exclusions": ("excluded",),
    "podium.results.curves": ("learning_curve",),
    "podium.results.characteristics": ("characteristics",),
    "podium.results.openml_export": ("export_openml",),
    "podium.design.openml": ("from_openml",),
    "podium.store": ("Store",),
}
_FOLDERS = ("plots",)  # that are public as they are
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Algorithm",
    "Comparisons",
    "Consensus",
    "Dataset",
    "Layout",
    "LeftOut",
    "Measure",
    "Multiverse",
    "Order",
    "PodiumError",
    "Process",
    "Results",
    "Sampling",
    "Stability",
    "Store",
    "Study",
    "__version__",
    "advise",
    "algorithm",
    "alone",
    "asymptotic",
    "bayesian_bootstrap",
    "bootstrap",
    "bootstrap_2n",
    "bootstrap_632",
    "bootstrap_cv",
    "bootstrap_whole",
    "by_dataset",
    "calibrate",
    "characteristics",
    "compare",
    "competition",
    "consensus",
    "cv",
    "dataset",
    "decide",
    "distance",
    "exact",
    "excluded",
    "explained",
    "export_openml",
    "five_by_two_cv",
    "from_openml",
    "hierarchical",
    "holdout",
    "how_to_report",
    "items",
    "layout",
    "learning_curve",
    "left_out",
    "load_study",
    "loo",
    "measure",
    "merge",
    "moving_block",
    "multiverse",
    "order",
    "order_by",
    "parametric_bootstrap",
    "pareto",
    "permutation",
    "pipeline",
    "plan",
    "plots",
    "process",
    "read",
    "repeated_cv",
    "replicate",
    "report",
    "rolling_origin",
    "run",
    "scenario",
    "score",
    "scores_latex",
    "simulation",
    "stability_of",
    "subgroups",
    "subsampling",
    "training_sets",
    "write_indices",
]


def __getattr__(name: str) -> Any:
    if name in _FOLDERS:
        return import_module(f"podium.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'podium' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
