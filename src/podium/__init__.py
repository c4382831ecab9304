"""Podium: design, execution and statistical analysis of benchmark experiments.

The public names, and nothing else. They are loaded when first used, so that `import podium` and
`podium --help` stay fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from podium._facade import merge, read, run, score, write_indices
    from podium.design.algorithms import Algorithm, algorithm
    from podium.design.datasets import Dataset, dataset
    from podium.design.losses import measure
    from podium.design.preprocessing import pipeline
    from podium.design.processes import Process, process
    from podium.design.study import Study
    from podium.design.studyfile import load_study
    from podium.errors import PodiumError
    from podium.measures import Measure
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
    "podium._facade": ("merge", "read", "run", "score", "write_indices"),
    "podium.design.algorithms": ("Algorithm", "algorithm"),
    "podium.design.datasets": ("Dataset", "dataset"),
    "podium.design.losses": ("measure",),
    "podium.design.preprocessing": ("pipeline",),
    "podium.design.processes": ("Process", "process"),
    "podium.design.study": ("Study",),
    "podium.design.studyfile": ("load_study",),
    "podium.errors": ("PodiumError",),
    "podium.measures": ("Measure",),
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
    "Dataset",
    "Measure",
    "PodiumError",
    "Process",
    "Results",
    "Sampling",
    "Store",
    "Study",
    "__version__",
    "algorithm",
    "bootstrap",
    "bootstrap_2n",
    "bootstrap_cv",
    "competition",
    "cv",
    "dataset",
    "five_by_two_cv",
    "holdout",
    "load_study",
    "loo",
    "measure",
    "merge",
    "pipeline",
    "process",
    "read",
    "repeated_cv",
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
