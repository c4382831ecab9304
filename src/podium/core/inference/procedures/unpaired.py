"""Independent samples: every algorithm has samples of its own, so that nothing is paired.

The columns of such a layout are samples of possibly different sizes, filled up by NaN; its rows
mean nothing (hothorn2005, section 4.1). Estimates, tests of no difference and procedures.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from scipy import special

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.estimates import Estimates
from podium.core.inference.bricks.nulls import Null, largest, quadratic
from podium.core.inference.bricks.quantities import (
    MEAN,
    MEDIAN,
    RANK_AMONG_ALL,
    TYPICAL_OF_SAMPLES,
    gives,
)
from podium.core.inference.bricks.scales import Score, raw
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.procedure import (
    ADJUST,
    APPROXIMATE,
    CLOSED,
    CONTRASTS,
    NULL,
    PAIRS,
    STRONG,
    UNPAIRED,
    WEAK,
    Bare,
    Cited,
    DefaultNull,
    Needs,
    Procedure,
    derive,
)
from podium.core.words.facts import Overall

MOST_SHUFFLED = 1_000_000_000  # numbers: about 10 seconds
CHUNK = 2_000_000  # numbers that are shuffled at a time


def sizes(layout: Layout) -> np.ndarray:
    """The number of samples of every algorithm."""
    return (~np.isnan(layout.values)).sum(axis=0)


def _pooled(layout: Layout) -> np.ndarray:
    """All scores, algorithm by algorithm."""
    columns = layout.values.T
    return columns[~np.isnan(columns)]


@gives(MEAN)
def pooled_means(layout: Layout, *, scores: Score = raw) -> Estimates:
    """Means of scores, with their covariance when all scores are exchangeable.

    Conditional on the scores, whose variance is S² (divisor N - 1), it is S² (diag(1/n) - 1/N)
    (Strasser and Weber 1999). Means are less the mean of all, so that their null mean is zero.
    """
    n, a = sizes(layout), scores(_pooled(layout))
    a = a - a.mean()
    starts = np.cumsum(n) - n
    return Estimates(
        np.add.reduceat(a, starts) / n,
        a.var(ddof=1) * (np.diag(1 / n) - 1 / len(a)),
        redraw=partial(_permuted_means, a, n),
        redrawn_by="permutation",
    )


def _permuted_means(
    scores: np.ndarray, n: np.ndarray, count: int, rng: np.random.Generator
) -> np.ndarray:
    """Draws of the means when all scores are dealt out anew to the algorithms."""
    total = len(scores)
    if count * total > MOST_SHUFFLED:
        raise InferenceError(
            f"{count} permutations of {total} scores would take too long; draw fewer, or use the "
            "null asymptotic, which is as good with so many scores."
        )
    starts, step = np.cumsum(n) - n, max(1, CHUNK // total)
    drawn = np.empty((count, len(n)))
    for start in range(0, count, step):
        part = drawn[start : start + step]
        dealt = rng.permuted(np.broadcast_to(scores, (len(part), total)), axis=1)
        part[:] = np.add.reduceat(dealt, starts, axis=1) / n
    return drawn


@gives(MEAN)
def separate_means(layout: Layout) -> Estimates:
    """Means, each with a variance of its own; df of every contrast by Welch (1938)."""
    n = sizes(layout)
    variance = np.nanvar(layout.values, axis=0, ddof=1) / n

    def df(contrasts: np.ndarray) -> np.ndarray:
        parts = contrasts**2 * variance
        spread = (parts**2 / (n - 1)).sum(axis=1)
        none = np.full(len(parts), float(n.min() - 1))  # where nothing varies
        return np.divide(parts.sum(axis=1) ** 2, spread, out=none, where=spread > 0)

    return Estimates(np.nanmean(layout.values, axis=0), np.diag(variance), df=df, in_units=True)


@gives(MEDIAN)
def separate_medians(layout: Layout) -> Estimates:
    """Medians, each with a variance of its own from two order statistics (Price, Bonett 2002)."""
    columns = [_unrounded(np.sort(c[~np.isnan(c)])) for c in layout.values.T]
    variance = [_median_variance(column) for column in columns]
    return Estimates(np.array([np.median(c) for c in columns]), np.diag(variance), in_units=True)


def _unrounded(ordered: np.ndarray) -> np.ndarray:
    """Tied scores, which were rounded, spread evenly between their neighbours.

    Otherwise order statistics are equal, the variance is none, and two samples of one law whose
    medians fall on neighbouring values are told apart (74 % of five where it was tried).
    """
    values, counts = np.unique(ordered, return_counts=True)
    if len(values) < 2 or counts.max() == 1:
        return ordered
    middle = (values[1:] + values[:-1]) / 2
    edges = np.r_[2 * values[0] - middle[0], middle, 2 * values[-1] - middle[-1]]
    wide = np.diff(edges) * (counts > 1)
    start = np.where(counts > 1, edges[:-1], values)
    place = np.arange(len(ordered)) - np.repeat(np.cumsum(counts) - counts, counts)
    share = (place + 0.5) / np.repeat(counts, counts)
    return np.asarray(np.repeat(start, counts) + np.repeat(wide, counts) * share)


def _median_variance(ordered: np.ndarray) -> float:
    """((y_(n-c+1) - y_(c)) / 2z)², where (y_(c), y_(n-c+1)) is the sign test's interval at z.

    c is (n + 1)/2 - sqrt(n), rounded and at least 1; z the normal quantile of the level that such
    an interval of order statistics really has.
    """
    n = len(ordered)
    c = max(1, round((n + 1) / 2 - np.sqrt(n)))
    outside = float(special.bdtr(c - 1, n, 0.5))  # on one side
    z = -float(special.ndtri(outside))
    return ((ordered[n - c] - ordered[c - 1]) / (2 * z)) ** 2 if z > 0 else np.nan


@gives(MEAN)
def one_variance_means(layout: Layout) -> Estimates:
    """Means with one variance for all algorithms, on N - K df."""
    n = sizes(layout)
    df = int(n.sum()) - len(n)
    pooled = float((np.nanvar(layout.values, axis=0, ddof=1) * (n - 1)).sum()) / df
    means = np.nanmean(layout.values, axis=0)
    return Estimates(means, pooled * np.diag(1 / n), df=df, in_units=True)


def welch_f(layout: Layout, e: Estimates, null: Null) -> Overall:
    """Welch's F of equal means under unequal variances (Welch 1951)."""
    variance, n, k = np.diag(e.covariance), sizes(layout), len(e.values)
    if (variance <= 0).any():
        same = not variance.any() and np.ptp(e.values) == 0
        return Overall("Welch's F", *((0.0, None, 1.0) if same else (np.nan, None, np.nan)))
    weight = 1 / variance
    share = weight / weight.sum()
    rest = float(((1 - share) ** 2 / (n - 1)).sum())
    between = float((weight * (e.values - share @ e.values) ** 2).sum()) / (k - 1)
    f = between / (1 + 2 * (k - 2) * rest / (k**2 - 1))
    df = (float(k - 1), (k**2 - 1) / (3 * rest))
    return Overall("Welch's F", f, df, float(tails.f_sf(f, *df)))


def one_way_f(layout: Layout, e: Estimates, null: Null) -> Overall:
    """The F test of a one-way analysis of variance."""
    n, k = sizes(layout), len(e.values)
    df = (float(k - 1), float(n.sum() - k))
    between = float((n * (e.values - n @ e.values / n.sum()) ** 2).sum()) / (k - 1)
    within = float(np.diag(e.covariance) @ n) / k
    if within <= 1e-20 * float(np.abs(e.values).max()) ** 2:
        p = 1.0 if np.ptp(e.values) == 0 else np.nan
        return Overall("F test", 0.0 if p == 1 else np.nan, df, p)
    return Overall("F test", between / within, df, float(tails.f_sf(between / within, *df)))


EXCHANGEABLE = "the scores of all algorithms have one distribution"
KRUSKAL = Procedure(
    "kruskal-wallis",
    "Kruskal-Wallis test, closed testing",
    gives(RANK_AMONG_ALL)(partial(pooled_means, scores=tails.ranks)),
    quadratic,
    "closed",
    "the scores of two algorithms have equal distributions",
    EXCHANGEABLE + "; unequal variances alone can reject (12 % where one sample is half as large "
    "and has five times the sd)",
    CLOSED,
    (Cited("Kruskal, Wallis (1952)"), Cited("Marcus, Peritz, Gabriel (1976)", of=ADJUST)),
    UNPAIRED,
    words="the Kruskal-Wallis test",
    needs=Needs(unpaired=True, gaps=True),
    bare=Bare((ADJUST,), title="Kruskal-Wallis test"),
)
PERMUTATION = derive(
    KRUSKAL,
    name="one-way-permutation",
    bare=Bare(
        (ADJUST, NULL),
        title="comparisons of means of independent samples",
        words="comparisons of means of independent samples",
    ),
    words="a permutation test of the largest difference of means of independent samples",
    title="permutation test of the largest difference of means of independent samples",
    estimate=pooled_means,
    adjust="single-step",
    null=EXCHANGEABLE + "; unequal variances alone can reject (28 % of five algorithms where one "
    "sample is half as large and has five times the sd)",
    controls=WEAK,
    references=(Cited("hothorn2005", ", section 4"), Cited("Strasser, Weber (1999)")),
)
STEEL_DWASS = derive(
    KRUSKAL,
    name="steel-dwass",
    bare=Bare(
        (ADJUST,),
        title="Wilcoxon rank sum test of each pair",
        words="the Wilcoxon rank sum test of each pair",
    ),
    words="the Wilcoxon rank sum test of each pair, judged by the studentized range (Steel-Dwass)",
    title="Wilcoxon rank sum test of each pair with the studentized range",
    overall=largest,
    adjust="studentized-range",
    controls=STRONG,
    references=tuple(
        Cited(key, of=ADJUST)
        for key in ("Steel (1960)", "Dwass (1960)", "Critchlow, Fligner (1991)")
    ),
    pairwise=True,
    nulls=replace(KRUSKAL.nulls, default="asymptotic"),
    estimate=gives(TYPICAL_OF_SAMPLES)(partial(pooled_means, scores=tails.ranks)),
)
GAMES_HOWELL = Procedure(
    "games-howell",
    "Welch's t of each pair with the studentized range",
    separate_means,
    welch_f,
    "studentized-range",
    "two algorithms have equal means",
    "equal means; scores nearly normal, or many samples; variances and sizes may differ",
    APPROXIMATE,
    (Cited("Games, Howell (1976)", of=ADJUST), Cited("Welch (1951)")),
    UNPAIRED,
    words="Welch's t of each pair, judged by the studentized range (Games-Howell)",
    needs=Needs(unpaired=True, gaps=True, margins=True),
    nulls=DefaultNull(default="asymptotic"),
    bare=Bare(
        (ADJUST, CONTRASTS), title="Welch's t of differences", words="Welch's t of differences"
    ),
)
ANOVA = derive(
    GAMES_HOWELL,
    name="anova-tukey",
    bare=Bare(
        (ADJUST, PAIRS),
        title="one-way analysis of variance and differences of means",
        words="a one-way analysis of variance and differences of means",
    ),
    words="a one-way analysis of variance with Tukey-Kramer comparisons",
    title="one-way analysis of variance with Tukey and Kramer's pairs",
    estimate=one_variance_means,
    overall=one_way_f,
    null="equal means; scores nearly normal and of one variance (28 % of five algorithms where one "
    "sample is half as large and has five times the sd)",
    controls=STRONG,
    references=tuple(
        Cited(key, of=ADJUST) for key in ("Tukey (1953)", "Kramer (1956)", "Hayter (1984)")
    ),
)
MEDIANS = derive(
    GAMES_HOWELL,
    name="medians",
    bare=Bare(
        (ADJUST, CONTRASTS),
        title="differences of medians",
        words="differences of medians (Price-Bonett)",
    ),
    words="differences of medians of each pair, judged by the studentized range (Price-Bonett)",
    title="difference of medians of each pair with the studentized range",
    estimate=separate_medians,
    overall=largest,
    hypothesis="two algorithms have equal medians",
    null="equal medians; any distribution of scores, which may differ, rounded if they are tied; "
    "with fewer than 10 samples approximately",
    references=(Cited("Price, Bonett (2002)"), Cited("Tukey (1953)", of=ADJUST)),
)
PROCEDURES = (KRUSKAL, PERMUTATION, STEEL_DWASS, GAMES_HOWELL, ANOVA, MEDIANS)
