"""The exceptions that Podium raises on purpose.

    PodiumError
    ├── DesignError      (ValueError)     a study, data set, algorithm, measure or sampling is wrong
    │   └── UnknownName  (KeyError)       a name that no registry knows
    ├── ExecutionError   (RuntimeError)   running could not go on; what is done is kept
    ├── StoreError       (RuntimeError)   a store cannot be opened, read, written or merged
    ├── ResultsError     (ValueError)     results cannot be read or do not hold what was asked for
    ├── InferenceError   (ValueError)     a comparison is illegal, impossible or wrongly asked for
    │   └── IllegalProcedure              a procedure that the design does not allow
    └── MissingPackage   (ImportError)    an optional package is not installed

Each is one sentence (or two) that names the thing, the value and the way out. The command line
prints it and exits with `exit_status`: 2 where the request was wrong, 1 where work failed.
"""

from __future__ import annotations

from typing import Any


class PodiumError(Exception):
    """The base of all of Podium's own errors."""

    exit_status = 2

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
