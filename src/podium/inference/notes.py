"""Notes: what a reader of comparisons must know besides the numbers, as facts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from podium.facts import DETAIL, REMARK, Note
from podium.inference.layouts import Layout
from podium.inference.nulls import LEAST_BLOCKS
from podium.inference.pair_tests import Found
from podium.inference.procedure import Procedure
from podium.inference.request import Request
from podium.inference.scores import nearly_tied
from podium.inference.series import MANY_ORIGINS, horizon
from podium.inference.sphericity import unlike
from podium.targets import BLOCKS, DATASET_POPULATION, FOLD, SAMPLE, TEST_SET

FEW_DATASETS = 10
MANY_TIES = 0.1  # share of the pairs of scores within blocks


def notes(layout: Layout, procedure: Procedure, request: Request, found: Found) -> Iterator[Note]:
    """All that is worth saying about how the pairs were judged."""
    yield from about_datasets(layout)
    yield from _about_layout(layout, procedure, found)
    yield from _about_pairs(request, found)
    yield from _about_adjustment(layout, request, found)


def about_datasets(layout: Layout) -> Iterator[Note]:
    """Few data sets, of those that were not left out."""
    if layout.target != DATASET_POPULATION:
        return
    count = len(layout.values if layout.within is None else np.unique(layout.within))
    if count < FEW_DATASETS:
        yield Note("few-data-sets", datasets=count)


def _about_layout(layout: Layout, procedure: Procedure, found: Found) -> Iterator[Note]:
    unequal = unlike(layout.by_dataset()) if procedure.spherical else None
    if unequal is not None:
        yield Note("sphericity", epsilon=unequal, procedure=procedure.name)
    model = found.model
    if procedure.unpaired:
        yield from _about_sizes(layout)
    elif layout.has_gaps:
        yield Note("gaps", REMARK, modelled=model is not None)
    if model is not None and not model.connected:
        yield Note("disconnected")
    if layout.clusters is not None:
        yield Note("clusters", REMARK, clusters=len(np.unique(layout.clusters)))
    if procedure.ordered:
        yield from _about_origins(layout)
    if procedure.check_scores:
        low, high = np.sort(layout.sign * layout.values.ravel())[[0, -1]]
        yield Note("check-scores", low=float(low), high=float(high))
    if procedure.ranks_differences and nearly_tied(layout.values):
        yield Note("rounding", REMARK)


def _about_origins(layout: Layout) -> Iterator[Note]:
    steps, count = horizon(layout), len(layout.values)
    if steps > 1 and count < MANY_ORIGINS * steps:
        yield Note("few-origins", origins=count, steps=steps)


def _about_sizes(layout: Layout) -> Iterator[Note]:
    """Samples that differ in size: perhaps runs failed, perhaps no more were drawn."""
    counts = (~np.isnan(layout.values)).sum(axis=0)
    if np.ptp(counts):
        samples = tuple(zip(layout.algorithms, counts.tolist(), strict=True))
        yield Note("unequal-sizes", samples=samples)


def _about_pairs(request: Request, found: Found) -> Iterator[Note]:
    constant = np.isnan(found.tested)
    if constant.any():
        unpaired = found.procedure.unpaired
        yield Note("no-variation", pairs=_chosen(request, constant), unpaired=unpaired)
    for remark in dict.fromkeys(r for r in found.remarks if r):
        which = np.array([r == remark for r in found.remarks])
        yield Note("estimate", REMARK, remark=remark, pairs=_chosen(request, which))
    opposite = (found.t * found.in_units < 0) & (found.adjusted <= request.alpha)
    if opposite.any():
        yield Note("direction", REMARK, pairs=_chosen(request, opposite))


def _chosen(request: Request, which: np.ndarray) -> tuple[tuple[str, str], ...]:
    return tuple(request.labels[i] for i in np.flatnonzero(which))


def _is_rough(layout: Layout, found: Found) -> bool:
    """Whether many covariances were estimated from few blocks (7 to 12 % at 10 blocks)."""
    few = len(layout.values) < LEAST_BLOCKS and len(layout.algorithms) > 2
    return few and found.estimates_covariances


def _about_adjustment(layout: Layout, request: Request, found: Found) -> Iterator[Note]:
    adjust, pairs = request.adjust, len(request.labels)
    if adjust.beyond and len(layout.algorithms) > adjust.beyond[1]:
        code, most = adjust.beyond
        yield Note(code, REMARK, most=most)
    if adjust.told:
        yield Note("adjustment", DETAIL, adjustment=adjust.name, controls=adjust.text)
    if adjust.rough and _is_rough(layout, found):
        yield Note("few-blocks", blocks=len(layout.values))
    if adjust.name == "none" and pairs > 1:
        yield Note("unadjusted", pairs=pairs)


# -- cautions: what blocks call for saying, whatever procedure is used ---------------------------


def cautions(layout: Layout) -> tuple[Note, ...]:
    """Dependent folds, replicates that are none, and ties."""
    return (*_dependent(layout), *_pseudo_replicated(layout), *_tied(layout))


def _dependent(layout: Layout) -> Iterator[Note]:
    if layout.block == FOLD:
        yield Note("dependent-folds", folds=len(layout.values))


def _pseudo_replicated(layout: Layout) -> Iterator[Note]:
    """Replicates that outnumber what they are drawn from, or that are taken for new samples."""
    count, rows = len(layout.values), layout.rows
    if not BLOCKS[layout.block].one_sample:
        return
    beyond = layout.target not in (SAMPLE, TEST_SET) and layout.block != FOLD
    if beyond or (rows is not None and count > rows):
        yield Note("pseudo-replication", rows=rows, replicates=count)


def _tied(layout: Layout) -> Iterator[Note]:
    share = tied_share(layout.values)
    if share > MANY_TIES:
        yield Note("ties", share=share)


def tied_share(values: np.ndarray) -> float:
    """The share of pairs of scores within blocks that are equal; missing scores make no pair.

    >>> tied_share(np.array([[1.0, 1.0, 2.0], [1.0, 2.0, np.nan]]))
    0.25
    """
    known = (~np.isnan(values)).sum(axis=1)
    pairs = int((known * (known - 1) // 2).sum())
    if not pairs:
        return 0.0
    ordered = np.sort(values, axis=1)  # missing ones last
    tied, run = 0, np.zeros(len(values), dtype=np.int64)
    for left, right in zip(ordered.T[:-1], ordered.T[1:], strict=True):
        run = np.where(left == right, run + 1, 0)  # the next of t equal ones makes t - 1 more pairs
        tied += int(run.sum())
    return tied / pairs
