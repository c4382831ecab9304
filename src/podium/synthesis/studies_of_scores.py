"""Scores as a study: means of the algorithms, and how their errors vary together over blocks.

The algorithms of a study were run on the same blocks, so that their means err together; that
covariance is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.bricks.estimates import corrected_means, means
from podium.inference.comparing.arranging import layout
from podium.inference.layouts.layouts import Layout
from podium.questions.measures import Measure
from podium.questions.targets import BLOCKS, DATASET, SIMULATION, claim
from podium.reading.results import Results
from podium.synthesis.reported_studies import CONTENT, Pair, Parts, Reported, of_means
from podium.words.facts import Note

FEW = 10  # blocks of a study, below which its own error is hardly known


def study_of(name: str, results: Results, measure: str | None = None) -> tuple[Reported, Measure]:
    """What results say as one of several studies, and the measure they say it in."""
    made = layout(results, measure=measure)
    whole = made.complete()
    if len(whole.values) < 2:
        raise InferenceError(
            f"The study '{name}' has {len(whole.values)} blocks with scores of all algorithms, and "
            "its error needs two: leave it out, or leave out an algorithm."
        )
    values, covariance = _estimates(name, whole)
    notes = _notes(name, made, whole)
    names = _identified(results)
    called = dict(zip(results.datasets, names, strict=False))
    marks = {called[d]: results.fingerprints.get(d) for d in results.datasets}
    contents = {one: mark for one, mark in marks.items() if mark}
    result = of_means(name, made.algorithms, values, covariance, names, notes, contents=contents)
    return replace(result, parts=_parts(result, whole, called)), made.measure


def _parts(result: Reported, whole: Layout, called: Mapping[str, str]) -> Mapping[Pair, Parts]:
    """The differences of every pair data set by data set, whose own errors may not be known."""
    if len(called) == 1:
        return {pair: dict.fromkeys(called.values(), of) for pair, of in result.pairs.items()}
    if whole.block != DATASET or not whole.labels:
        return {}
    values = whole.sign * whole.values
    names = [called.get(label, label) for label in whole.labels]
    return {
        (first, second): {n: (float(d), 0.0) for n, d in zip(names, differences, strict=True)}
        for (i, first), (j, second) in combinations(enumerate(whole.algorithms), 2)
        for differences in [values[:, i] - values[:, j]]
    }


def _estimates(name: str, whole: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Means in the measure's own sign, by the design's own covariance."""
    block = BLOCKS[whole.block]
    if block.unpaired:
        spread = whole.values.var(axis=0, ddof=1) / len(whole.values)
        return whole.sign * whole.values.mean(axis=0), np.diag(spread)
    legal = claim(whole.block, whole.target)
    if not legal.plain and not legal.corrected:
        raise InferenceError(
            f"The error of the study '{name}' is not known from {block.text}: give its estimates "
            "and standard errors in a table (study, first, second, estimate, se)."
        )
    result = means(whole) if legal.plain else corrected_means(whole)
    return whole.sign * result.values, result.covariance


def _identified(results: Results) -> list[str]:
    """The data behind a study: by name and, where the store knows it, by content.

    Samples of a process that another seed draws are other data.
    """
    sampling = results.sampling
    fresh = sampling is not None and sampling.block == SIMULATION
    seed = f" (seed {results.seed})" if fresh else ""
    marks = [results.fingerprints.get(d) for d in results.datasets]
    same = [f"{CONTENT}{mark}" for mark in marks if mark]
    return [f"{name}{seed}" for name in (*results.datasets, *same)]


def _notes(name: str, made: Layout, whole: Layout) -> Sequence[Note]:
    gone = len(made.values) - len(whole.values)
    notes = [Note("study-gaps", study=name, blocks=gone, of=len(made.values))] * bool(gone)
    few = len(whole.values) < FEW
    notes += [Note("study-few-blocks", study=name, blocks=len(whole.values))] * few
    return [*notes, *[Note("study-unmixable", study=name)] * whole.is_unmixable]
