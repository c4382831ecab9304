"""Podium: design, execution and statistical analysis of benchmark experiments.

The public names, and nothing else. They are loaded when first used, so that `import podium` and
`podium --help` stay fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from podium._facade import (
        advise,
        alone,
        compare,
        decide,
        items,
        merge,
        order,
        read,
        report,
        run,
        score,
        write_indices,
    )
    from podium.calibration.calibrate import calibrate
    from podium.comparisons import Comparisons
    from podium.design.algorithms import Algorithm, algorithm
    from podium.design.datasets import Dataset, dataset
    from podium.design.losses import measure
    from podium.design.preprocessing import pipeline
    from podium.design.processes import Process, process
    from podium.design.study import Study
    from podium.design.studyfile import load_study
    from podium.errors import PodiumError
    from podium.inference.layouts import Layout, layout
    from podium.inference.nulls import asymptotic, exact, permutation
    from podium.measures import Measure
    from podium.orders.consensus import Consensus, consensus
    from podium.orders.order import Order
    from podium.results.results import Results
    from podium.samplings import (
        Sampling,
        bootstrap,
        bootstrap_2n,
        bootstrap_cv,
        competition,
        cv,
        five_by_two_cv,
        holdout,
        loo,
        repeated_cv,
        simulation,
        subsampling,
    )
    from podium.store import Store

__version__ = "0.1.0"

_HOMES = {
    "podium._facade": (
        "advise",
        "alone",
        "compare",
        "decide",
        "items",
        "merge",
        "order",
        "read",
        "report",
        "run",
        "score",
        "write_indices",
    ),
    "podium.calibration.calibrate": ("calibrate",),
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
    "podium.orders.order": ("Order",),
    "podium.results.results": ("Results",),
    "podium.samplings": (
        "Sampling",
        "bootstrap",
        "bootstrap_2n",
        "bootstrap_cv",
        "competition",
        "cv",
        "five_by_two_cv",
        "holdout",
        "loo",
        "repeated_cv",
        "simulation",
        "subsampling",
    ),
    "podium.store": ("Store",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Algorithm",
    "Comparisons",
    "Consensus",
    "Dataset",
    "Layout",
    "Measure",
    "Order",
    "PodiumError",
    "Process",
    "Results",
    "Sampling",
    "Store",
    "Study",
    "__version__",
    "advise",
    "algorithm",
    "alone",
    "asymptotic",
    "bootstrap",
    "bootstrap_2n",
    "bootstrap_cv",
    "calibrate",
    "compare",
    "competition",
    "consensus",
    "cv",
    "dataset",
    "decide",
    "exact",
    "five_by_two_cv",
    "holdout",
    "items",
    "layout",
    "load_study",
    "loo",
    "measure",
    "merge",
    "order",
    "permutation",
    "pipeline",
    "process",
    "read",
    "repeated_cv",
    "report",
    "run",
    "score",
    "simulation",
    "subsampling",
    "write_indices",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'podium' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
