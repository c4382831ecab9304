"""One algorithm alone, and runs one after the other: intervals, drift, and what hangs together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.clustered import clustered_covariance
from podium.core.inference.bricks.estimates import Estimates, test_train_ratio
from podium.core.inference.bricks.linearised import influences, only_values, own_limits
from podium.core.inference.bricks.scales import aligned
from podium.core.inference.comparing.comparisons import COLUMNS as PAIRS
from podium.core.inference.comparing.comparisons import Comparisons, Interval, blocks_of
from podium.core.inference.comparing.legality import stated
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.conditions import condition_means
from podium.core.inference.procedures.crossed import crossed_means, seed_means
from podium.core.inference.procedures.held_out import SMOOTHED, held_out_means, nested_of, smoothed
from podium.core.inference.procedures.judged import own_score
from podium.core.questions.options import check_alpha
from podium.core.questions.targets import (
    BLOCKS,
    CONDITION_ITEM,
    CROSSED,
    HELD_OUT,
    INDEPENDENT_SEED_ITEM,
    ITEM,
    NESTED_FOLD,
    ORIGIN,
    POPULATION,
    SEED_ITEM,
)
from podium.core.words.facts import CAUTION, DETAIL, Note

COLUMNS = ["algorithm", "blocks", "mean", "lower", "upper", "method"]
OF_CLUSTERS = "Wilson of clusters"  # each of them counts as one item, which is too wide if anything
Found = tuple[int, float, float, float, str]  # blocks, mean, limits, how they were made


def intervals(layout: Layout, alpha: float = 0.05) -> pd.DataFrame:
    """Every algorithm's mean with an interval of its own, at 1 - alpha, in the measure's sign.

    These intervals are about one algorithm each; that two overlap says nothing about a difference.
    """
    check_alpha(alpha)
    plain = _of_values if layout.items.clusters is None else _of_clusters
    result = _OF_BLOCK.get(layout.block, plain) if layout.items.human is None else _of_judge
    result = result if layout.items.linearised is None else _of_influence
    rows = [
        (name, *result(layout.only([column]), alpha))
        for column, name in enumerate(layout.algorithms)
    ]
    return _possible(pd.DataFrame(rows, columns=COLUMNS), layout)


def _possible(table: pd.DataFrame, layout: Layout) -> pd.DataFrame:
    """No limit lies beyond what a score can be: t knows nothing of that."""
    low, high = layout.measure.bounds
    scores = layout.sign * layout.values[~np.isnan(layout.values)]
    if not len(scores) or scores.min() < low or scores.max() > high:
        return table
    return table.assign(**{c: table[c].clip(low, high) for c in ("lower", "upper")})


def alone(layout: Layout, alpha: float = 0.05) -> Comparisons:
    """Comparisons without a pair: one algorithm has an interval of its expected score."""
    if len(layout.algorithms) != 1:
        raise InferenceError(
            f"This interval is of one algorithm, and there are {len(layout.algorithms)}: compare "
            "them, or keep one, as in results.filter(algorithm=['svm'])."
        )
    interval = intervals(layout, alpha).iloc[0]
    layout = replace(
        layout, items=replace(layout.items, of_clusters=layout.items.clusters is not None)
    )
    return Comparisons(
        table=pd.DataFrame(columns=PAIRS),
        algorithms=layout.algorithms,
        means=layout.means() | {layout.algorithms[0]: float(interval["mean"])},
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        procedure="alone",
        method=Interval(interval["lower"], interval["upper"], interval["method"]),
        blocks=blocks_of(layout, int(interval["blocks"])),
        target=layout.target,
        claim=stated(layout, None),
        overall=None,
        alpha=alpha,
        warnings=layout.notes,
    )


def _of_values(layout: Layout, alpha: float) -> Found:
    """From the scores themselves; those that are missing are left out."""
    values = layout.sign * layout.values[~np.isnan(layout.values)]
    n = len(values)
    mean = float(values.mean()) if n else math.nan
    if n < 2:
        return n, mean, math.nan, math.nan, "too few blocks"
    if layout.block == ITEM and layout.is_binary:
        low, high = tails.wilson(round(float(values.sum())), n, alpha)
        return n, mean, low, high, "Wilson"
    shared = layout.target == POPULATION and BLOCKS[layout.block].shares_rows
    ratio = test_train_ratio(layout) if shared else 0.0
    reach = _quantile(alpha, n - 1) * math.sqrt((1 / n + ratio) * values.var(ddof=1))
    return n, mean, mean - reach, mean + reach, "corrected t" if shared else "t"


def _quantile(alpha: float, df: float) -> float:
    return float(tails.t_isf(alpha / 2, df))


def _of_clusters(layout: Layout, alpha: float) -> Found:
    """The mean over items; by clusters, of whatever size, as differences of items are judged."""
    layout = layout.complete()
    assert layout.items.clusters is not None
    g = len(np.unique(layout.items.clusters))
    mean = layout.sign * float(layout.values.mean()) if g else math.nan
    if g < 2:
        return g, mean, math.nan, math.nan, "too few blocks"
    covariance, df = clustered_covariance(layout.values, layout.items.clusters)
    if _is_certain(layout, covariance[0, 0]):
        return g, mean, *tails.wilson(round(mean * g), g, alpha), OF_CLUSTERS
    reach = _quantile(alpha, df) * math.sqrt(covariance[0, 0])
    return g, mean, mean - reach, mean + reach, "t"


def _is_certain(layout: Layout, variance: float) -> bool:
    """Whether all answers are right, or all wrong: no variance tells what others will be."""
    return layout.is_binary and not variance > 1e-20


def _of_crossed(layout: Layout, alpha: float) -> Found:
    """With the variance of training sets and of items."""
    return _of_estimate(layout, crossed_means(layout), alpha, "training sets x items")


def _of_seeds(layout: Layout, alpha: float) -> Found:
    """With the variance of training runs and of items."""
    return _of_estimate(layout, seed_means(layout), alpha, "training runs x items")


def _of_conditions(layout: Layout, alpha: float) -> Found:
    """With the variance of items and of conditions."""
    if _is_certain(layout, float(np.nanvar(layout.values))):
        items = len(np.unique(np.asarray(layout.crossed.items)))
        mean = layout.sign * float(np.nanmean(layout.values))
        return items, mean, *tails.wilson(round(mean * items), items, alpha), "Wilson of items"
    return _of_estimate(layout, condition_means(layout), alpha, "items x conditions")


def _of_judge(layout: Layout, alpha: float) -> Found:
    """What people would say, by the judge's scores of all items and theirs of some."""
    mean, _, low, high, how = own_score(layout, alpha)
    return len(layout.values), mean, low, high, how


def _of_influence(layout: Layout, alpha: float) -> Found:
    """A measure that is no mean over items, by influence values."""
    return len(layout.values), *own_limits(layout, alpha)


def _of_held_out(layout: Layout, alpha: float) -> Found:
    """By the central limit theorem of held-out items (91 % of nominal 95 % intervals cover)."""
    layout = layout.complete()
    return _of_estimate(layout, held_out_means(layout), alpha, "cv-clt")


def _of_nested(layout: Layout, alpha: float) -> Found:
    """By nested cross-validation, which knows how far a plain one is off."""
    nested_error = nested_of(layout)
    n, mean = len(layout.values), layout.sign * nested_error.estimate
    if not nested_error.plain:
        return n, mean, math.nan, math.nan, "scores do not vary"
    reach = _quantile(alpha, math.inf) * nested_error.error
    return n, mean, mean - reach, mean + reach, "nested cross-validation"


def _of_estimate(layout: Layout, e: Estimates, alpha: float, how: str) -> Found:
    reach = _quantile(alpha, e.df_of(np.ones((1, 1)))[0]) * math.sqrt(e.covariance[0, 0])
    mean = layout.sign * float(e.values[0])
    blocks = int((~np.isnan(layout.values)).sum())
    return blocks, mean, mean - reach, mean + reach, how


def _of_series(layout: Layout, alpha: float) -> Found:
    """With the long-run variance of the scores."""
    values = layout.sign * layout.values[:, 0]
    n = len(values)
    if n < SMOOTHED.needs.least or np.isnan(values).any():
        why = "too few blocks" if n < SMOOTHED.needs.least else "scores are missing"
        return n, float(np.nanmean(values)), math.nan, math.nan, why
    mean = float(values.mean())
    variance, df = smoothed(values - mean)
    reach = _quantile(alpha, df) * math.sqrt(variance)
    return n, mean, mean - reach, mean + reach, "long-run variance"


_OF_BLOCK = {
    CONDITION_ITEM: _of_conditions,
    CROSSED: _of_crossed,
    ORIGIN: _of_series,
    HELD_OUT: _of_held_out,
    NESTED_FOLD: _of_nested,
    SEED_ITEM: _of_seeds,
    INDEPENDENT_SEED_ITEM: _of_seeds,
}


def item_scores(layout: Layout, alpha: float, *, alone: bool = False) -> pd.DataFrame | None:
    """Every model's own score on items, with its standard error and interval; None of others.

    0/1 without clusters by Wilson, else by t, clusters heeded. That two intervals overlap says
    nothing about a difference: pairs are compared on the same items. Of one model only where
    `alone` asks for it.
    """
    of_items = layout.block in (ITEM, CONDITION_ITEM)
    if not of_items or (len(layout.algorithms) < 2 and not alone):
        return None
    table = intervals(layout, alpha)
    errors = [_error(layout.only([k])) for k in range(len(layout.algorithms))]
    table.insert(3, "standard_error", errors)
    return table


def _error(layout: Layout) -> float:
    """The standard error of one model's mean."""
    if layout.items.human is not None:
        return own_score(layout, 0.05)[1]
    if layout.items.linearised is not None:
        units = influences(layout)[0]
        return math.nan if only_values(layout) else math.sqrt(float((units**2).sum()))
    layout = layout.complete()
    if len(layout.values) < 2:
        return math.nan
    if layout.block == CONDITION_ITEM:
        return math.sqrt(condition_means(layout).covariance[0, 0])
    if layout.items.clusters is None:
        return float(layout.values.std(ddof=1) / math.sqrt(len(layout.values)))
    if len(np.unique(layout.items.clusters)) < 2:
        return math.nan
    covariance, _ = clustered_covariance(layout.values, layout.items.clusters)
    return math.sqrt(covariance[0, 0])


# -- runs one after the other ---------------------------------------------------------------------
# Whether they drift or hang together, and what medians say.
#
# Tests of runs take them for independent. A machine that warms up, or a neighbour that comes and
# goes, makes them drift or follow each other; then the tests find too much.


ALPHA = 0.05  # of each check, over all algorithms together
LEAST = 8  # runs of an algorithm: with fewer neither check can see anything


def run_order_notes(layout: Layout) -> Iterator[Note]:
    """Drift, runs that resemble their neighbours, and medians beside means."""
    rounds = not BLOCKS[layout.block].unpaired
    # what all algorithms of a round share is no matter where rounds are compared
    own = aligned(layout.values) if rounds and len(layout.algorithms) > 1 else layout.values
    yield from _of_order(_columns(layout, own), layout.sign, rounds)
    yield from _of_medians(_columns(layout, layout.values), layout.sign)


def _columns(layout: Layout, values: np.ndarray) -> dict[str, np.ndarray]:
    names = zip(layout.algorithms, values.T, strict=True)
    return {name: column[~np.isnan(column)] for name, column in names}


def _of_order(columns: dict[str, np.ndarray], sign: int, rounds: bool) -> Iterator[Note]:
    seen = {name: column for name, column in columns.items() if len(column) >= LEAST}
    level = ALPHA / max(len(seen), 1)
    drifts = {n: r * sign for n, c in seen.items() for r, p in [drift(c)] if p <= level}
    alike = {n: r for n, c in seen.items() for r, p in [neighbours(c)] if p <= level}
    if drifts:
        yield Note("drift", CAUTION, by=tuple(drifts.items()), rounds=rounds)
    if alike:
        # the variance of a mean of n runs, if each passes on the share r to the next
        worth = min((1 - r) / (1 + r) for r in alike.values())
        yield Note("autocorrelation", CAUTION, by=tuple(alike.items()), worth=worth)


def drift(runs: np.ndarray) -> tuple[float, float]:
    """Spearman's correlation of scores with the order of the runs, and its two-sided p-value.

    >>> drift(np.arange(10.0))
    (1.0, 0.0)
    """
    order = np.arange(len(runs), dtype=float)
    r = _correlation(tails.ranks(runs), order)
    return r, _two_sided(r, len(runs) - 2)


def _two_sided(r: float, df: int) -> float:
    if abs(r) >= 1:
        return 0.0
    return float(2 * tails.t_sf(abs(r) * math.sqrt(df / (1 - r * r)), df))


def neighbours(runs: np.ndarray) -> tuple[float, float]:
    """The correlation of each run's rank with that of the one before, less a linear trend.

    P is one-sided, against resemblance, by a normal law: the mean is -2/n, as a mean and a slope
    were taken out, the variance (n - 2)/(n - 1)² that of Wald and Wolfowitz (1943).
    """
    n, order = len(runs), np.arange(len(runs), dtype=float)
    ranks = tails.ranks(runs)
    if not ranks.std():
        return 0.0, 1.0
    slope = np.polyfit(order, ranks, 1)
    rest = ranks - np.polyval(slope, order)
    scale = float(rest @ rest)
    if scale <= 1e-9 * float(ranks @ ranks):
        return 0.0, 1.0  # a trend and nothing else, which is called drift
    r = float(rest[1:] @ rest[:-1]) / scale
    z = (r + 2 / n) / (math.sqrt(n - 2) / (n - 1))
    return r, float(tails.t_sf(z, np.inf))


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    a, b = a - a.mean(), b - b.mean()
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return 0.0 if scale == 0 else min(1.0, max(-1.0, float(a @ b) / scale))


def _of_medians(columns: dict[str, np.ndarray], sign: int) -> Iterator[Note]:
    """Medians, and the pairs that means and medians order differently."""
    known = {name: column for name, column in columns.items() if len(column)}
    medians = {n: float(np.median(c)) for n, c in known.items()}
    means = {n: float(c.mean()) for n, c in known.items()}
    yield Note("medians", DETAIL, by=tuple((n, sign * m) for n, m in medians.items()))
    names = list(known)
    turned = tuple(
        (a, b)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if (medians[a] - medians[b]) * (means[a] - means[b]) < 0
    )
    if turned:
        yield Note("medians-disagree", CAUTION, pairs=turned)
