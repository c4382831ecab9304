"""How many fits an algorithm spent on one sample: by counting what its tuning tried.

A search counts every candidate on every inner fold and the last fit to all rows; a family of
Podium's counts the candidates that it judged on folds. Trees of a forest are parts of one fit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

WRAPPED = ("regressor_", "estimator_", "final_estimator_")  # where wrappers keep what they fitted


def fits_spent(fitted: Any) -> int:
    """The number of fits behind a fitted estimator, 1 where nothing was tuned."""
    own = _tuned(fitted)
    if own is not None:
        return own
    parts = [part for _, part in getattr(fitted, "steps", []) if hasattr(part, "fit")]
    parts += [getattr(fitted, name) for name in WRAPPED if hasattr(fitted, name)]
    return 1 + sum(fits_spent(part) - 1 for part in parts if part is not fitted)


def _tuned(fitted: Any) -> int | None:
    """What the search of an estimator counted; None where it searches nothing."""
    if hasattr(fitted, "tuning_fits_"):
        return int(fitted.tuning_fits_)
    results = getattr(fitted, "cv_results_", None)
    if isinstance(results, dict) and "params" in results and hasattr(fitted, "n_splits_"):
        return len(results["params"]) * int(fitted.n_splits_) + bool(fitted.refit)
    if hasattr(fitted, "mse_path_"):  # paths of alphas: LassoCV, ElasticNetCV
        return int(np.size(fitted.mse_path_)) + 1
    return None
