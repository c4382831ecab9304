"""From evidence about pairs to an order: the only place that knows alpha.

Whatever the evidence rests on (p-values, intervals, a posterior), an order needs one thing of it:
for every pair which of the two is decided to be the better one, if any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.base.errors import InferenceError
from podium.orders import order_fields as fields
from podium.orders.order import Order

PAIR = ["first", "second"]
COLUMNS = (*PAIR, "p_adjusted", "direction")
VERDICTS = {"better": 1.0, "worse": -1.0}


class Decision(Protocol):
    """What an order asks of a decision."""

    @property
    def line(self) -> tuple[str, ...]:
        """All algorithms, the best first."""


class Comparisons(Protocol):
    """What an order asks of evidence; `Comparisons` of inference have it.

    `table` has a row per pair: first, second; statistic, p_adjusted, lower and upper in the
    measure's own sign or, with a posterior, win and lose, the chances of `first`.
    """

    @property
    def table(self) -> pd.DataFrame:
        """One row per pair."""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All of them."""

    @property
    def decision(self) -> Decision:
        """What was decided at their own level."""

    @property
    def sign(self) -> int:
        """What turns statistics into larger-is-better."""

    @property
    def alpha(self) -> float:
        """The level they were made for."""

    @property
    def relevance(self) -> float:
        """The least difference that mattered."""

    @property
    def has_posterior(self) -> bool:
        """Whether pairs were judged by chances."""


def decide(
    comparisons: Comparisons, alpha: float | None = None, relevance: float | None = None
) -> Order:
    """The order that comparisons allow.

    Parameters
    ----------
    comparisons : Comparisons
    alpha, relevance : float | None
        Those of the comparisons unless given.

    Returns
    -------
    Order
        Prints as `svm ≈ lda ≻ knn`, the best first.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.4]}
    >>> result = podium.compare(podium.read(scores, sampling="runs", measure="error"))
    >>> podium.decide(result).groups
    [['svm'], ['lda']]
    """
    table = directions(comparisons, alpha, relevance)
    names, line = comparisons.algorithms, comparisons.decision.line
    return ordered_by_directions(table, names, [-float(line.index(name)) for name in names])


def ordered_by_directions(
    table: pd.DataFrame, algorithms: Sequence[str], means: Sequence[float] | None = None
) -> Order:
    """The order of algorithms in which a is better than b iff that is decided of their pair.

    Parameters
    ----------
    table
        One row per pair: `first`, `second` and `direction`: +1 where first is decided to be the
        better one, -1 where second is, 0 or missing where nothing is decided. Pairs without a row
        are `uncompared`.
    algorithms
        All algorithms, in the order in which the matrix shall have them.
    means
        One number per algorithm, larger is better; used for printing alone.
    """
    names = fields.checked_names(algorithms)
    first, second = (fields.places(table[column], names) for column in PAIR)
    fields.check_pairs(first, second, names)
    direction = table["direction"].to_numpy(dtype=float, na_value=np.nan)
    better = np.zeros((len(names), len(names)), dtype=bool)
    better[first, second] = direction > 0
    better[second, first] = direction < 0
    rest = fields.other_pairs(first, second, names)
    return Order(names, better, None if means is None else tuple(means), rest)


# -- what p-values, intervals and chances decide --------------------------------------------


def directions(
    comparisons: Comparisons, alpha: float | None = None, relevance: float | None = None
) -> pd.DataFrame:
    """For every pair which is better (+1 first, -1 second, 0 not decided), at a level.

    p-values belong to the relevance they were computed for. For another one the simultaneous
    intervals decide (better where the interval lies beyond it), which holds at their own alpha.
    With a posterior that is better whose chance to be so is at least 1 - alpha.
    """
    own = alpha is None or alpha == comparisons.alpha
    alpha = comparisons.alpha if alpha is None else alpha
    if own and (relevance is None or relevance == comparisons.relevance):
        verdicts = comparisons.table["verdict"].map(VERDICTS).fillna(0.0)
        return comparisons.table[PAIR].assign(direction=verdicts)
    if relevance is None or relevance == comparisons.relevance:
        if comparisons.has_posterior:
            return likely(comparisons.table, alpha)
        return significant(_signed(comparisons), alpha)
    return comparisons.table[PAIR].assign(direction=_beyond(comparisons, alpha, relevance))


def significant(table: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """The `direction` of every row where `p_adjusted` <= alpha, and 0 elsewhere.

    A missing p is not significant.
    """
    _check_level(alpha)
    for column in COLUMNS:
        if column not in table.columns:
            raise InferenceError(
                f"The table of comparisons lacks the column '{column}'; "
                f"it needs {', '.join(COLUMNS)}."
            )
    direction = table["direction"].to_numpy(dtype=float, na_value=np.nan)
    return table[PAIR].assign(direction=np.where(_p_values(table) <= alpha, direction, 0.0))


def likely(table: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """The direction that has at least the chance 1 - alpha: `win` of the first, or `lose`."""
    _check_level(alpha)
    win, lose = (table[column].to_numpy(float) >= 1 - alpha for column in ("win", "lose"))
    return table[PAIR].assign(direction=win.astype(float) - lose)


def _check_level(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise InferenceError(f"The level alpha must lie between 0 and 1, not {alpha!r}.")


def _signed(comparisons: Comparisons) -> pd.DataFrame:
    table = comparisons.table
    direction = np.sign(table["statistic"].to_numpy(float)) * comparisons.sign
    if comparisons.relevance < 0:  # a test of non-inferiority shows none to be better
        direction = np.zeros(len(table))
    return table.assign(direction=direction)


def _p_values(table: pd.DataFrame) -> NDArray[np.float64]:
    p = table["p_adjusted"].to_numpy(dtype=float, na_value=np.nan)
    for wrong in p[(p < 0) | (p > 1)]:
        raise InferenceError(f"An adjusted p-value lies between 0 and 1, not at {wrong:g}.")
    return np.asarray(p)


def _beyond(comparisons: Comparisons, alpha: float, relevance: float) -> NDArray[np.float64]:
    """Which is better by more than `relevance`, by the simultaneous intervals."""
    if not relevance >= 0:
        raise InferenceError(f"The relevance of a decision is at least 0, not {relevance!r}.")
    low, high = (comparisons.table[column].to_numpy(float) for column in ("lower", "upper"))
    if alpha != comparisons.alpha or np.isnan([low, high]).all():
        raise InferenceError(
            f"Comparisons made with relevance {comparisons.relevance:g} cannot be decided with "
            f"relevance {relevance:g} and alpha {alpha:g}: that needs their simultaneous intervals "
            f"at this alpha; compare again with relevance={relevance:g}, alpha={alpha:g}."
        )
    ahead = (low > relevance).astype(float) - (high < -relevance)
    return np.asarray(ahead * comparisons.sign)
