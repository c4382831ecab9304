"""The errors that Podium raises on purpose, as in `except podium.errors.ResultsError`.

PodiumError
├── DesignError      (ValueError)     a study, data set, algorithm, measure or sampling is wrong
│   └── UnknownName  (KeyError)       a name that Podium does not know
├── ExecutionError   (RuntimeError)   running could not go on; what is done is kept
├── StoreError       (RuntimeError)   a store cannot be opened, read, written or merged
├── ResultsError     (ValueError)     results cannot be read or do not hold what was asked for
├── InferenceError   (ValueError)     a comparison is illegal, impossible or wrongly asked for
│   └── IllegalProcedure              a procedure that the design does not allow
└── MissingPackage   (ImportError)    an optional package is not installed
"""

from podium.core.base.errors import (
    DesignError,
    ExecutionError,
    IllegalProcedure,
    InferenceError,
    MissingPackage,
    PodiumError,
    ResultsError,
    StoreError,
    UnknownName,
)

__all__ = [
    "DesignError",
    "ExecutionError",
    "IllegalProcedure",
    "InferenceError",
    "MissingPackage",
    "PodiumError",
    "ResultsError",
    "StoreError",
    "UnknownName",
]
