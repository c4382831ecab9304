"""From evidence about pairs to an order: the only place that knows alpha."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from podium.errors import InferenceError
from podium.orders import checks
from podium.orders.order import Order

if TYPE_CHECKING:
    import pandas as pd

    from podium.inference.comparisons import Comparisons

COLUMNS = ("first", "second", "p_adjusted", "direction")


def decide_comparisons(
    comparisons: Comparisons, alpha: float | None = None, relevance: float | None = None
) -> Order:
    """The order that comparisons allow; alpha and relevance are theirs unless given.

    p-values belong to the relevance they were computed for. For another one the simultaneous
    intervals decide (better where the interval lies beyond it), which holds at their own alpha.
    """
    alpha = comparisons.alpha if alpha is None else alpha
    if relevance is None or relevance == comparisons.relevance:
        table = _by_p_values(comparisons)
    else:
        table = _by_intervals(comparisons, alpha, relevance)
    sign = comparisons.sign
    means = [sign * comparisons.means[name] for name in comparisons.algorithms]
    return decide(table, comparisons.algorithms, means, alpha)


def _by_p_values(comparisons: Comparisons) -> pd.DataFrame:
    table = comparisons.table
    direction = np.sign(table["statistic"].to_numpy(float)) * comparisons.sign
    if comparisons.relevance < 0:  # a test of non-inferiority shows none to be better
        direction = np.zeros(len(table))
    return table.assign(direction=direction)


def _by_intervals(comparisons: Comparisons, alpha: float, relevance: float) -> pd.DataFrame:
    table = comparisons.table
    low, high = (table[column].to_numpy(float) for column in ("lower", "upper"))
    if not relevance >= 0:
        raise InferenceError(f"The relevance of a decision is at least 0, not {relevance!r}.")
    if alpha != comparisons.alpha or np.isnan([low, high]).all():
        raise InferenceError(
            f"Comparisons made with relevance {comparisons.relevance:g} cannot be decided with "
            f"relevance {relevance:g} and alpha {alpha:g}: that needs their simultaneous intervals "
            f"at this alpha; compare again with relevance={relevance:g}, alpha={alpha:g}."
        )
    direction = (
        np.where(low > relevance, 1, 0) - np.where(high < -relevance, 1, 0)
    ) * comparisons.sign
    return table.assign(direction=direction, p_adjusted=np.where(direction == 0, np.nan, 0.0))


def decide(
    table: pd.DataFrame,
    algorithms: Sequence[str],
    means: Sequence[float] | None = None,
    alpha: float = 0.05,
) -> Order:
    """The order of algorithms in which a is better than b iff their comparison is significant.

    Parameters
    ----------
    table
        One row per pair: `first`, `second`, `p_adjusted`, and `direction` (+1 where first is the
        better one, -1 where second is, 0 or missing where neither). Significant is
        p_adjusted <= alpha; a missing p is not. Pairs without a row are `uncompared`.
    algorithms
        All algorithms, in the order in which the matrix shall have them.
    means
        One number per algorithm, larger is better; used for printing alone.
    """
    if not 0 < alpha < 1:
        raise InferenceError(f"The level alpha must lie between 0 and 1, not {alpha!r}.")
    _check_columns(table)
    names = checks.names(algorithms)
    first, second = (checks.places(table[column], names) for column in COLUMNS[:2])
    checks.pairs(first, second, names)
    significant = _p_values(table) <= alpha  # false for a missing p
    direction = table["direction"].to_numpy(dtype=float, na_value=np.nan)
    better = np.zeros((len(names), len(names)), dtype=bool)
    better[first, second] = significant & (direction > 0)
    better[second, first] = significant & (direction < 0)
    rest = checks.other_pairs(first, second, names)
    return Order(names, better, means, rest)  # type: ignore[arg-type]


def _check_columns(table: pd.DataFrame) -> None:
    for column in COLUMNS:
        if column not in table.columns:
            raise InferenceError(
                f"The table of comparisons lacks the column '{column}'; "
                f"it needs {', '.join(COLUMNS)}."
            )


def _p_values(table: pd.DataFrame) -> NDArray[np.float64]:
    p = table["p_adjusted"].to_numpy(dtype=float, na_value=np.nan)
    for wrong in p[(p < 0) | (p > 1)]:
        raise InferenceError(f"An adjusted p-value lies between 0 and 1, not at {wrong:g}.")
    return np.asarray(p)
