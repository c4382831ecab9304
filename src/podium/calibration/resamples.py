"""Bootstrap samples as numbers of draws, and the rows that they are judged on."""

from __future__ import annotations

import numpy as np


def fold_counts(rng: np.random.Generator, samples: int, folds: int, rows: int) -> np.ndarray:
    """How often each row is in each fold of bootstrap samples: samples x folds x rows.

    Draws are independent, so that their order divides them at random; folds are of equal size.
    """
    draws = rng.integers(0, rows, (samples, folds, rows // folds), dtype=np.int32)
    draws += (rows * np.arange(samples * folds, dtype=np.int32)).reshape(samples, folds, 1)
    counts = np.bincount(draws.ravel(), minlength=samples * folds * rows)
    return counts.reshape(samples, folds, rows).astype(float)


def unused(counts: np.ndarray) -> np.ndarray:
    """1 for the rows that are not in a sample, else 0."""
    return (counts == 0).astype(float)


def honest(folds: np.ndarray) -> np.ndarray:
    """The draws of every fold whose rows are in no other fold of the same sample (RW-CV)."""
    return folds * (folds == folds.sum(axis=1, keepdims=True))
