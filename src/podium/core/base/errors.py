"""The exceptions that Podium raises on purpose, and the one way to import what may be missing.

Users find the exceptions in `podium.errors`, which draws their tree. Each is one sentence (or two)
that names the thing, the value and the way out. The command line prints it and exits with
`exit_status`: 2 where the request was wrong, 1 where work failed.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any


class PodiumError(Exception):
    """The base of all of Podium's own errors."""

    exit_status = 2
    files: Sequence[str] = ()  # what a `podium analyze FILES ...` of the message is about

    def __str__(self) -> str:  # KeyError would show the repr of its message
        return str(self.args[0]) if self.args else ""


class DesignError(PodiumError, ValueError):
    """A study, data set, algorithm, measure or sampling is wrong."""


class UnknownName(DesignError, KeyError):
    """A name that is not in its registry."""


class ExecutionError(PodiumError, RuntimeError):
    """Running a study could not go on; what is done is kept."""

    exit_status = 1


class StoreError(PodiumError, RuntimeError):
    """A store cannot be opened, read, written or merged."""


class ResultsError(PodiumError, ValueError):
    """Results cannot be read or do not hold what was asked for."""


class UnknownLayout(ResultsError):
    """A table in a layout, or of a measure, that readers by names do not know."""


class InferenceError(PodiumError, ValueError):
    """A comparison is illegal for its design, impossible with its scores or wrongly asked for."""


class IllegalProcedure(InferenceError):
    """A procedure that the design does not allow; `refusal` has the facts."""

    def __init__(self, message: str, refusal: Any = None) -> None:
        super().__init__(message)
        self.refusal = refusal


class MissingPackage(PodiumError, ImportError):
    """An optional package is needed and not installed."""


for _error in (
    PodiumError,
    DesignError,
    UnknownName,
    ExecutionError,
    StoreError,
    ResultsError,
    InferenceError,
    IllegalProcedure,
    MissingPackage,
):
    _error.__module__ = "podium.errors"  # what a traceback says is what one imports


# -- optional -------------------------------------------------------------------------------------
# The only way to import an optional package, and which extra of Podium brings what.


DISTRIBUTION = "podium-benchmarks"  # what pip calls it; 'podium' there is a tool for slides

RUN, REPORT, PLOTS = "run", "report", "plots"
DEMO = "run,report"
BRINGS = {  # pyproject.toml says the versions
    RUN: ("sklearn", "joblib", "cloudpickle", "psutil", "pooch"),
    REPORT: ("jinja2", "matplotlib"),  # sites and pictures; pages need nothing
    PLOTS: ("matplotlib",),
    "excel": ("python_calamine",),
    "inspect": ("zstandard",),
    "parquet": ("pyarrow",),
    "cluster": ("distributed", "dask"),
    "yaml": ("yaml",),
}
WHERE = (PLOTS, *(extra for extra in BRINGS if extra != PLOTS))  # the smaller extra is named
CALLED = {  # where a package is not called as what is imported
    "sklearn": "scikit-learn",
    "python_calamine": "python-calamine",
    "yaml": "pyyaml",
}
PURPOSES = {
    RUN: "Running studies",
    REPORT: "Writing a page",
    DEMO: "The demo",
    PLOTS: "Drawing",
    "excel": "Reading this spreadsheet",
    "inspect": "Reading this file",
    "parquet": "Parquet",
    "cluster": "Running on a cluster",
    "yaml": "Reading YAML files",
}


def require(module: str, *, extra: str, purpose: str = "") -> ModuleType:
    """Import and return `module`, or say which extra of Podium brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise _missing(module, extra, purpose) from error


def require_extra(extra: str) -> None:
    """Say what is missing of an extra, or of several, before any work is done."""
    for module in [module for one in extra.split(",") for module in BRINGS[one]]:
        require(module, extra=extra)


def told_missing(error: ModuleNotFoundError) -> ImportError:
    """The error that says which extra brings what was missing; the same where none does."""
    module = (error.name or "").partition(".")[0]
    extra = next((extra for extra in WHERE if module in BRINGS[extra]), "")
    return _missing(module, extra) if extra else error


def _missing(module: str, extra: str, purpose: str = "") -> MissingPackage:
    top = module.partition(".")[0]
    return MissingPackage(
        f"{purpose or PURPOSES[extra]} needs the package '{CALLED.get(top, top)}', which is not "
        f"installed: pip install '{DISTRIBUTION}[{extra}]'."
    )


def version_of(package: str) -> str:
    """The version of an installed package, or of Podium itself; empty where it is not installed."""
    if package == "podium":
        return str(importlib.import_module("podium").__version__)
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
