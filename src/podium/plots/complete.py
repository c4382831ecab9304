"""The blocks in which every algorithm has a score, and words on those that are left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.plots.scores import Scores
from podium.plots.words import without_scores


def complete(*scores: Scores) -> tuple[list[pd.DataFrame], list[str]]:
    """Blocks x algorithms of one or more measures without gaps, and what is left out for it.

    Algorithms that lack all scores of a measure are left out, then the blocks with a gap: places
    and means of algorithms are compared fairly only over the same blocks.
    """
    blocks = scores[0].table.index
    for more in scores[1:]:
        blocks = blocks.union(more.table.index, sort=False)
    tables = [s.table.reindex(blocks) for s in scores]
    there = np.logical_and.reduce([t.notna().any().to_numpy() for t in tables])
    tables = [t.loc[:, there] for t in tables]
    full = np.logical_and.reduce([t.notna().all(axis=1).to_numpy() for t in tables])
    if not (there.any() and full.any()):
        raise ResultsError(
            f"No {scores[0].block} has scores of all algorithms: leave out those with gaps, as in "
            "results.filter(algorithm=[...])."
        )
    gone = [name for name, kept in zip(scores[0].algorithms, there, strict=True) if not kept]
    names = set(blocks.astype(str))
    silent = replace(scores[0], silent=tuple(b for b in scores[0].silent if b not in names))
    said = without_scores(gone) + _left_out(full, scores[0].block) + silent.silence
    return [t[full] for t in tables], said


def _left_out(full: np.ndarray, block: str) -> list[str]:
    if full.all():
        return []
    gone = f"{int((~full).sum())} of {len(full)}"
    return [f"{block.capitalize()}s left out as some algorithm lacks a score: {gone}."]
