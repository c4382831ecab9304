"""From evidence about pairs to an order, or from a statistic of scores.

Whatever the evidence rests on (p-values, intervals, a posterior), an order needs one thing of it:
for every pair which of the two is decided to be the better one, if any.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import read_digits
from podium.core.base.registry import Registry
from podium.core.orders import relations as fields
from podium.core.orders.order import Order
from podium.core.words.facts import Note
from podium.core.words.saying import Presented

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
            f"Comparisons made with relevance {comparisons.relevance:g} cannot be judged with "
            f"relevance {relevance:g} and alpha {alpha:g}: that needs their simultaneous "
            "intervals "
            f"at this alpha; compare again with relevance={relevance:g}, alpha={alpha:g}."
        )
    ahead = (low > relevance).astype(float) - (high < -relevance)
    return np.asarray(ahead * comparisons.sign)


# -- orders from a statistic of scores ------------------------------------------------------------
# Mean, median, worst case, with a neighbourhood or intervals.
#
# These orders describe the sample; they test nothing (eugster2008, section 3.1). `order_by`
# takes scores in the measure's own sign.
#
# mean, median, minimum, maximum worst, worst:M the M-th worst score; worst:1 is the worst case,
# its order the minimax order quantile:Q by linear interpolation; quantile:0.95 of errors is
# their bad tail


Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]  # of blocks x algorithms, a number per algorithm
Maker = Callable[[str, int], Statistic]  # from what stands behind the colon, and the goodness

STATISTICS: Registry[Maker] = Registry("statistic of scores")
ROUNDING = 1e-12  # differences below this share of the largest value are none
MOST_CELLS = 4_000_000  # of resampled scores at a time: 32 MB


def _plain(name: str, rule: Callable[..., Any]) -> None:
    """Register a numpy function that takes `axis`."""

    def maker(text: str, _goodness: int) -> Statistic:
        if text:
            raise InferenceError(f"The statistic '{name}' takes no number, such as ':{text}'.")
        return lambda scores: np.asarray(rule(scores, axis=-2))

    STATISTICS.add(name, maker)


_plain("mean", np.mean)
_plain("median", np.median)
_plain("minimum", np.min)
_plain("maximum", np.max)


@STATISTICS.named("worst")
def _worst(text: str, goodness: int) -> Statistic:
    """The M-th worst score, which is the M-th largest where smaller is better."""
    if text and not text.isdecimal():
        raise InferenceError(
            f"The statistic 'worst' needs a number from 1 on, as in worst:12, not '{text}'."
        )
    compute = m_worst(read_digits(text or "1"))
    return lambda scores: goodness * compute(goodness * scores)


@STATISTICS.named("quantile")
def _quantile(text: str, _goodness: int) -> Statistic:
    try:
        share = float(text)
    except ValueError:
        raise InferenceError(
            f"The statistic 'quantile' needs a share, as in quantile:0.95, not '{text}'."
        ) from None
    return quantile(share)


def m_worst(m: int) -> Statistic:
    """The m-th worst of scores of which larger is better; m = 1 is the minimum."""
    if isinstance(m, bool) or not isinstance(m, int) or m < 1:
        raise InferenceError(f"The m of the m-th worst score is a number from 1 on, not {m!r}.")

    def statistic(scores: Floats) -> Floats:
        if m > scores.shape[-2]:
            raise InferenceError(
                f"Of {scores.shape[-2]} scores none is number {m} from the worst; ask for less."
            )
        return np.asarray(np.partition(scores, m - 1, axis=-2)[..., m - 1, :])

    return statistic


def quantile(share: float) -> Statistic:
    """A quantile over blocks, by linear interpolation.

    eugster2008's "m-worst values for m = 12" of 250 errors are their 95 % quantiles.
    """
    if not 0 <= share <= 1:
        raise InferenceError(f"A quantile is of a share between 0 and 1, not {share!r}.")
    return lambda scores: np.asarray(np.quantile(scores, share, axis=-2))


@dataclass(frozen=True, eq=False, repr=False)
class Ordered(Presented):
    """An order by a statistic, the statistic's values, and what a reader must know.

    `intervals` are the limits of every algorithm where intervals decide, else empty.
    """

    order: Order
    values: tuple[float, ...]
    notes: tuple[Note, ...] = ()
    intervals: tuple[tuple[float, float], ...] = ()

    def _lines_above(self) -> list[str]:
        return [self.order.text]

    def _tables(self) -> dict[str, pd.DataFrame]:
        """The algorithms, the best first, and their numbers."""
        numbers = {"value": list(self.values)}
        if self.intervals:
            numbers["lower"], numbers["upper"] = map(list, zip(*self.intervals, strict=True))
        table = pd.DataFrame({"algorithm": self.order.algorithms, **numbers})
        best_first = [name for group in self.order.groups for name in group]
        place = {name: i for i, name in enumerate(self.order.algorithms)}
        return {"Values": table.iloc[[place[name] for name in best_first]]}

    def _facts(self) -> dict[str, Any]:
        names = self.order.algorithms
        return {
            "order": self.order.to_dict(),
            "values": dict(zip(names, self.values, strict=True)),
            "intervals": dict(zip(names, self.intervals, strict=False)),
            "notes": self.notes,
        }


def order_by(
    scores: Any,
    algorithms: Sequence[str],
    statistic: str | Statistic = "mean",
    *,
    higher_is_better: bool,
    epsilon: float = 0.0,
    intervals: float | None = None,
    resamples: int = 999,
    seed: int = 0,
) -> Ordered:
    """The order of algorithms by a statistic of their scores, all in the measure's own sign.

    Parameters
    ----------
    scores
        Blocks x algorithms, in the measure's own unit and sign.
    statistic
        See the module's text; or a function of blocks x algorithms, in the measure's own sign, that
        gives a number per algorithm.
    epsilon
        Differences up to this are none.
    intervals
        A level such as 0.95: only bootstrap intervals that do not overlap make a difference.

    >>> errors = [[0.10, 0.12, 0.30], [0.11, 0.40, 0.31]]
    >>> order_by(errors, ["a", "b", "c"], "worst", higher_is_better=False)
    a ≻ c ≻ b
    Values:
    algorithm  value
    a           0.11
    c           0.31
    b            0.4
    """
    array, names = _scores(scores, algorithms)
    sign = 1 if higher_is_better else -1
    own = _statistic(statistic, sign)
    turned = replace(own, compute=lambda larger: sign * own.compute(sign * larger))
    if intervals is None:
        result = _ordered(sign * array, names, turned, epsilon)
    else:
        result = _by_intervals(sign * array, names, turned, epsilon, intervals, resamples, seed)
    ends = (sorted((sign * low + 0.0, sign * high + 0.0)) for low, high in result.intervals)
    values = tuple(sign * value + 0.0 for value in result.values)  # no -0.0
    return replace(result, values=values, intervals=tuple((low, high) for low, high in ends))


# -- computing ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Chosen:
    """A statistic, and whether it takes many resamples at once (a user's own need not)."""

    compute: Statistic
    many: bool

    def of(self, array: Floats) -> Floats:
        """The values of one array of scores, which are numbers."""
        try:
            values = np.asarray(self.compute(array), dtype=float)
        except InferenceError:
            raise
        except (TypeError, ValueError):
            values = np.array(np.nan)
        if values.shape != array.shape[1:] or not np.isfinite(values).all():
            raise InferenceError(
                "A statistic of scores is a function of an array, rows x algorithms, that gives "
                f"one finite number for each of the {array.shape[1]} algorithms; this one does not."
            )
        return values


def _statistic(statistic: str | Statistic, goodness: int = 1) -> _Chosen:
    if callable(statistic):
        return _Chosen(statistic, many=False)
    name, _, text = str(statistic).strip().partition(":")
    return _Chosen(STATISTICS[name](text.strip(), goodness), many=True)


def _ordered(array: Floats, names: tuple[str, ...], chosen: _Chosen, epsilon: float) -> Ordered:
    _check_epsilon(epsilon)
    values = chosen.of(array)
    ahead = values[:, None] - values
    order = Order(names, ahead > epsilon + ROUNDING * np.abs(values).max(), tuple(values))
    return Ordered(order, tuple(values.tolist()), tuple(_not_transitive(order)))


def _by_intervals(
    array: Floats,
    names: tuple[str, ...],
    chosen: _Chosen,
    epsilon: float,
    level: float,
    resamples: int,
    seed: int,
) -> Ordered:
    _check_epsilon(epsilon)
    if not 0 < level < 1:
        raise InferenceError(f"The level of intervals lies between 0 and 1, not {level!r}.")
    if isinstance(resamples, bool) or not isinstance(resamples, int) or resamples < 1:
        raise InferenceError(f"The number of resamples is a number from 1 on, not {resamples!r}.")
    check_seed(seed)
    values = chosen.of(array)
    drawn = _resampled(array, chosen, resamples, seed)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    order = Order(names, low[:, None] - high > epsilon, tuple(values))
    note = Note("exploratory", level=level)
    ends = tuple(zip(low.tolist(), high.tolist(), strict=True))
    return Ordered(order, tuple(values.tolist()), (note, *_not_transitive(order)), ends)


def _resampled(array: Floats, chosen: _Chosen, resamples: int, seed: int) -> Floats:
    """The statistic of scores with blocks drawn with replacement, many resamples at a time."""
    rows = np.random.default_rng(seed).integers(len(array), size=(resamples, len(array)))
    if not chosen.many:
        return np.array([chosen.of(array[row]) for row in rows])
    at_once = max(1, MOST_CELLS // array.size)
    starts = range(0, resamples, at_once)
    return np.concatenate([chosen.compute(array[rows[s : s + at_once]]) for s in starts])


# -- checks ---------------------------------------------------------------------------------


def check_seed(seed: int) -> None:
    """Refuse what numpy takes for no seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InferenceError(f"A seed is a whole number from 0 on, not {seed!r}.")


def _check_epsilon(epsilon: float) -> None:
    if not 0 <= epsilon < math.inf:
        raise InferenceError(f"The neighbourhood epsilon is at least 0, not {epsilon!r}.")


def _scores(scores: Any, algorithms: Sequence[str]) -> tuple[Floats, tuple[str, ...]]:
    names = fields.checked_names(algorithms)
    try:
        array = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        raise InferenceError("Scores are numbers, in rows x algorithms.") from None
    if array.ndim != 2 or array.shape[1] != len(names) or not len(array):
        raise InferenceError(
            f"Scores of {len(names)} algorithms are an array of rows x {len(names)}, "
            f"not one of shape {array.shape}."
        )
    if not np.isfinite(array).all():
        missing = names[int(np.argwhere(~np.isfinite(array))[0][1])]
        raise InferenceError(
            f"A score of '{missing}' is missing or infinite; leave out the rows without one."
        )
    return array, names


def _not_transitive(order: Order) -> list[Note]:
    broken = order.violations("indifference transitive", limit=1)
    return [Note("not-transitive", algorithms=names) for names in broken]
