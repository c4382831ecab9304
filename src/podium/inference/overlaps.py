"""What must be said of tests that correct for the rows that replicates share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from podium.facts import CAUTION, Note
from podium.inference.estimates import overlap
from podium.inference.layouts import Layout

# shares of true hypotheses rejected with a ridge regression that is shrunk far too much, by the
# least share of rows learned from (the laboratory's groups-shrunk); one round of
# cross-validation is as the first
SHRUNK = ((0.85, 0.11), (0.51, 0.18), (0.0, 0.20))
INSTEAD = "corrected-t"


def about_overlap(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """The assumption of the doubled ratio, and how far off it was seen."""
    sampling = layout.sampling
    if sampling is None or sampling.train_share is None:
        return
    share = 1.0 if sampling.is_one_round else sampling.train_share
    most = next(rate for least, rate in SHRUNK if share >= least)
    ratio, df = overlap(layout)
    little = sampling.kind.overlap is not None
    yield Note("overlap", CAUTION, most=most, ratio=ratio, df=df, little=little)


def too_often(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """That a test rejects true hypotheses too often."""
    name, rates = procedure.name, procedure.rates
    yield Note("liberal", CAUTION, procedure=name, rates=rates, instead=INSTEAD)


def where_test_sets_overlap(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """The same of a test that does so only where test sets overlap."""
    if layout.sampling is not None and not layout.sampling.is_one_round:
        yield from too_often(layout, procedure, request)
