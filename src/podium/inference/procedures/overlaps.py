"""What must be said of tests that correct for the rows that replicates share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from podium.inference.bricks.estimates import overlap
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.words.facts import CAUTION, DETAIL, Note

# shares of true hypotheses rejected with a ridge regression that is shrunk far too much, by the
# least share of rows learned from (the laboratory's groups-shrunk); one round of
# cross-validation is as the first
SHRUNK = ((0.85, 0.11), (0.51, 0.18), (0.0, 0.20))
INSTEAD = "corrected-t"
SHARE = "share"  # the unit of error rates
CHANCE = 0.01  # of all algorithms together: how seldom rates vary as much by chance
TWICE = 2.0  # how far apart means of two halves are that vary wildly, where rows are not known


def about_overlap(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """The assumption of the doubled ratio, and how far off it was seen."""
    sampling = layout.origin.sampling
    if sampling is None or sampling.train_share is None:
        return
    share = 1.0 if sampling.is_one_round else sampling.train_share
    most = next(rate for least, rate in SHRUNK if share >= least)
    ratio, df = overlap(layout)
    little = sampling.kind.claims.overlap is not None
    yield Note("overlap", CAUTION, most=most, ratio=ratio, df=df, little=little)
    repeats = sampling.kind.sizes.repeats
    if repeats is not None and (repeats(sampling) or 0) > 1 and layout.halvings is None:
        yield Note("repeated-folds", CAUTION, sampling=str(sampling))


def too_often(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """That a test rejects true hypotheses too often."""
    name, rates = procedure.name, procedure.reports.rates
    yield Note("liberal", CAUTION, procedure=name, rates=rates, instead=INSTEAD)


def where_test_sets_overlap(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """The same of a test that does so only where test sets overlap."""
    if layout.origin.sampling is not None and not layout.origin.sampling.is_one_round:
        yield from too_often(layout, procedure, request)


def of_halves(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """What is said of tests of ten halves: how often they err, and whether rates vary wildly.

    dietterich1998 (section 5) advises to look at the rates before the test, as wild variation
    between the five replications spoils its variance.
    """
    yield from too_often(layout, procedure, request)
    raw = layout.sign * layout.values
    if len(raw) % 2 or np.isnan(raw).any():
        return
    rates = 1 - raw if layout.measure.unit == SHARE and layout.measure.higher_is_better else raw
    each = rates.reshape(-1, 2, rates.shape[1]).mean(axis=1)
    for name, own in zip(layout.algorithms, each.T, strict=True):
        if _is_wild(own, layout, rates.shape[1]):
            low, high = float(own.min()), float(own.max())
            yield Note("rates-vary", CAUTION, algorithm=name, low=low, high=high)
            return
    yield Note("rates-checked", DETAIL, low=float(each.min()), high=float(each.max()))


def _is_wild(rates: np.ndarray, layout: Layout, algorithms: int) -> bool:
    """Whether the mean rates of replications vary more than the chance of test rows explains.

    Every replication tests all n rows once, so that a rate of p has at most the variance
    p (1 - p) / n; without n, the largest is held against the smallest.
    """
    mean = float(rates.mean())
    if layout.measure.unit == SHARE and layout.origin.rows and 0 < mean < 1:
        q = float(((rates - mean) ** 2).sum()) * layout.origin.rows / (mean * (1 - mean))
        return float(tails.chi2_sf(q, len(rates) - 1)) < CHANCE / algorithms
    low, high = sorted(np.abs(rates))[:: len(rates) - 1]
    return bool(high > TWICE * low and high > 0)
