"""Cautions: what the blocks of a layout call for saying, whatever procedure is used."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from podium.facts import Note
from podium.inference.layouts import Layout

ONE_SAMPLE = (
    "resample",
    "repetition",
    "independent-resample",
    "fold",
)  # all of one learning sample
MANY_TIES = 0.1  # share of the pairs of scores within blocks


def cautions(layout: Layout) -> tuple[Note, ...]:
    """Dependent folds, replicates that are none, and ties."""
    return (*_dependent(layout), *_pseudo_replicated(layout), *_tied(layout))


def _dependent(layout: Layout) -> Iterator[Note]:
    if layout.block == "fold":
        yield Note(
            "dependent-folds",
            text=f"The {len(layout.values)} folds share training rows, so their scores are dependent: "
            "corrections for this are approximate, and more folds are not more data.",
        )


def _pseudo_replicated(layout: Layout) -> Iterator[Note]:
    """Replicates that outnumber what they are drawn from, or that are taken for new samples."""
    count, rows = len(layout.values), layout.rows
    if layout.block not in ONE_SAMPLE:
        return
    beyond = layout.target not in ("sample", "test-set") and layout.block != "fold"
    if beyond or (rows is not None and count > rows):
        of = f" of {rows} rows" if rows is not None else ""
        yield Note(
            "pseudo-replication",
            text=f"There is one learning sample{of}, however often it is drawn from: {count} replicates "
            "of it are no independent evidence about the population.",
        )


def _tied(layout: Layout) -> Iterator[Note]:
    share = tied_share(layout.values)
    if share > MANY_TIES:
        yield Note(
            "ties",
            text=f"{100 * share:.0f} % of the pairs of scores within a block are equal: ranks and signs "
            "tell little there, and a measure that is finer would tell more.",
        )


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
