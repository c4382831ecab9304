"""Censored times: Kaplan-Meier, concordance, the integrated Brier score.

A target is a structured array of `event` (was it seen?) and `time` (of the event, or until which
there was none), as in scikit-survival. A risk is a number that is larger where the event comes
earlier; a curve is a row of P(T > t) at `brier_times` of the training set.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.running.design.measuring.outputs import (
    CURVES,
    PREDICTED,
    SURVIVAL,
    Output,
    Undefined,
    score,
)

TARGET = np.dtype([("event", "?"), ("time", "<f8")])
TIMES = 100  # at which curves are asked for
COVERED = 0.9  # of the observed times lie before the last of them


def as_columns(y: np.ndarray) -> np.ndarray:
    """A target as two columns of plain numbers, event and time."""
    return np.column_stack([y["event"], y["time"]]).astype(float)


def from_columns(columns: np.ndarray) -> np.ndarray:
    """The target that `as_columns` took apart."""
    y = np.empty(len(columns), dtype=TARGET)
    y["event"], y["time"] = columns[:, 0] == 1, columns[:, 1]
    return y


def kaplan_meier(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct times and P(T > t) there, by Kaplan & Meier (1958)."""
    times, events, _, at_risk = _table(y)
    return times, np.cumprod(1 - events / at_risk)


def censoring(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct times and P(C > t) there, C the censoring time, by reverse Kaplan-Meier.

    Who has an event at t is not at risk of censoring at t: events come first.
    """
    times, events, censored, at_risk = _table(y)
    left = at_risk - events
    return times, np.cumprod(1 - censored / np.where(left > 0, left, 1))


def _table(y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Distinct times with the numbers of events, of censorings and of those still at risk."""
    times, place = np.unique(y["time"], return_inverse=True)
    events = np.bincount(place, weights=y["event"], minlength=len(times))
    leaving = np.bincount(place, minlength=len(times))
    return times, events, leaving - events, leaving[::-1].cumsum()[::-1]


def step(times: np.ndarray, values: np.ndarray, at: np.ndarray, *, before: bool = False) -> Any:
    """A survival function at given times, 1 before its first; its left limits with `before`."""
    place = np.searchsorted(times, at, side="left" if before else "right")
    return np.append(1.0, values)[place]


# -- concordance ------------------------------------------------------------------------------


@score("concordance", PREDICTED, SURVIVAL)
def concordance(o: Output) -> float:
    """Harrell's C: the share of comparable pairs in which the earlier event had the larger risk.

    A pair is comparable where one had its event before the other's time, or at the time at which
    the other was censored; not where both events have the same time. Equal risks count half
    (Harrell et al. 1996, section 5.5).
    """
    time, event, risk = o.y["time"], o.y["event"], o.get(PREDICTED)
    # at one time events come first, and smaller risks first: none of them counts as concordant
    order = np.lexsort((risk, ~event, time))
    time, event = time[order], event[order]
    rank = np.unique(risk[order], return_inverse=True)[1]
    below = later_below(rank, rank)[event].sum()
    equal = later_below(rank, rank + 1)[event].sum() - below
    later = (len(rank) - 1 - np.arange(len(rank)))[event].sum()
    pairs = later - _pairs(time[event])
    if pairs == 0:
        raise Undefined("concordance needs a test row with an event before another row's time")
    return float((below + (equal - _pairs(time[event], rank[event])) / 2) / pairs)


def _pairs(*keys: np.ndarray) -> int:
    """The number of pairs that agree in all keys."""
    counts = np.unique(np.column_stack(keys), axis=0, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def later_below(values: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """For every place, how many later places hold a value (a rank from 0) below its limit.

    In O(n log² n): at each width, blocks are compared with their right neighbours, all at once.
    """
    counts = np.zeros(len(values), dtype=np.int64)
    span = int(values.max(initial=0)) + 2
    width = 1
    while width < len(values):
        block = np.arange(len(values)) // width
        left = block % 2 == 0
        right = np.sort(block[~left] * span + values[~left])
        start = (block[left] + 1) * span
        result = np.searchsorted(right, start + limits[left]) - np.searchsorted(right, start)
        counts[left] += result
        width *= 2
    return counts


# -- integrated Brier score -------------------------------------------------------------------


def brier_times(learned: np.ndarray) -> np.ndarray:
    """The times at which curves are asked for: τ/100, 2τ/100, ..., τ.

    τ is the 0.9-quantile of the training set's observed times, or the last one before at which
    somebody could still be seen: beyond it there is nothing to weight by.
    """
    times, seen = censoring(learned)
    last = np.quantile(learned["time"], COVERED, method="inverted_cdf")
    usable = times[(times <= last) & (seen > 0)]
    end = float(usable[-1]) if len(usable) else 0.0
    return end * np.arange(1, TIMES + 1) / TIMES


@score("integrated-brier", CURVES, SURVIVAL)
def integrated_brier(o: Output) -> float:
    """The Brier score of the survival curves, averaged over the times from 0 to τ.

    At each time, squared distances of the curve from 0 (event seen) or 1 (not yet), weighted by the
    inverse probability of not being censored; those censored before weigh nothing (Graf et al.
    1999, section 4). Censoring is estimated on the training set; the integral is the trapezoidal
    rule, the score at time 0 being 0.
    """
    assert o.learned is not None  # the runner hands it over
    times = brier_times(o.learned)
    if times[-1] <= 0:
        raise Undefined("integrated-brier needs a training set with times beyond 0")
    score = brier_scores(o.y, o.get(CURVES), o.learned, times)
    return float((score.sum() - score[-1] / 2) / TIMES)


def brier_scores(
    y: np.ndarray, curves: np.ndarray, learned: np.ndarray, times: np.ndarray
) -> np.ndarray:
    """The weighted Brier score at each time (Graf et al. 1999); `curves` are rows x times."""
    at, seen = censoring(learned)
    died = (y["time"][:, None] <= times) & y["event"][:, None]
    alive = y["time"][:, None] > times
    # just before the event: at its own time, those who are censored then are still seen
    until_event = step(at, seen, y["time"], before=True)[:, None]
    loss = np.zeros(curves.shape)
    np.divide(np.square(curves), until_event, out=loss, where=died)
    np.divide(np.square(1 - curves), step(at, seen, times), out=loss, where=alive)
    return np.asarray(loss.mean(axis=0))
