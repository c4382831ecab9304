"""What a block's values are turned into, and what those of a data set are measured by.

Error rates of different data sets need not be commensurable (boulesteix2013, section 3). A scale
changes what is claimed, so it renames the measure and leaves a note.

    raw              the scores themselves
    ranks            1 is the best of the data set; ties have the mean of their ranks
    best             distance to the best algorithm of the data set
    baseline:NAME    distance to one algorithm
    ratio:NAME       natural logarithm of the ratio to one algorithm, of positive scores
    normalised       (score - mean) / sd over the algorithms of the data set

Normalised means standardised, not mapped to 0 and 1: that would take its unit from the best and
the worst algorithm alone, so that one very bad algorithm would make all others equal. Ratios are
logarithms because the mean of plain ratios depends on which algorithm is the baseline (Fleming and
Wallace 1986).

A data set on which an algorithm has no score is left out where the scale needs all of them (ranks,
best, normalised): a rank among fewer is another rank. Fill gaps first, by `layout.filled()`, to
count them as the worst. The scales of a baseline need only the baseline's own score.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from scipy.special import ndtri

from podium.core.base.errors import InferenceError
from podium.core.base.registry import Registry, unknown
from podium.core.inference.bricks.quantities import (
    ALIGNED_RANK,
    MEAN,
    MEAN_RANK,
    NET_WINS,
    NORMAL_SCORE,
    TYPICAL,
    TYPICAL_WITH_ZEROS,
    WEIGHTED_RANK,
    gives,
)
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.rounding import (
    ROUNDING,
    compute_block_sizes,
    settled,
    signed_difference,
)
from podium.core.questions.measures import Measure
from podium.core.questions.targets import BLOCKS, DATASET
from podium.core.words.facts import REMARK, Note
from podium.core.words.saying import say

RAW = "raw"
Change = Callable[[Layout, str], Layout]  # the name is that of the baseline, if there is one


@dataclass(frozen=True)
class Scale:
    """How scores are changed, and whether that takes a baseline, or every algorithm's score."""

    change: Change
    baseline: bool = False
    whole: bool = False
    within: bool = True  # data sets


SCALES: Registry[Scale] = Registry("scale")


def scaled(layout: Layout, scale: str = RAW) -> Layout:
    """The layout of data sets on another scale: measure, direction and bounds are the new ones."""
    kind, _, name = str(scale).strip().partition(":")
    chosen = SCALES[kind.strip().lower()]
    name = name.strip()
    _check_name(layout, kind, name, chosen)
    if not chosen.within:
        return chosen.change(layout, name)
    _check(layout, scale)
    if chosen.baseline:
        layout = _with_baseline(layout, scale, name)
    return chosen.change(_whole(layout, scale) if chosen.whole else layout, name)


def ranks_within(values: np.ndarray) -> np.ndarray:
    """Ranks in every row, 1 for the largest; values that are equal but for rounding are tied.

    Missing ones have none, and the others are ranked among themselves.
    """
    here = ~np.isnan(values)
    size = np.abs(np.where(here, values, 0.0)).max(axis=1, keepdims=True)
    level = np.round(values / np.where(size > 0, size, 1.0), 12)
    return np.where(here, tails.ranks(np.where(here, -level, np.inf), axis=1), np.nan)


def ranked(layout: Layout) -> Layout:
    """The layout of ranks within its blocks, among the algorithms that a block has."""
    return _ranks(layout, "")


def block_ranks(layout: Layout) -> np.ndarray:
    """Ranks within the blocks of a layout, 1 for the best; a run that failed is the last."""
    values = layout.by_dataset()
    failed = layout.failed
    if failed is None or failed.shape != values.shape or not failed.any():
        return ranks_within(values)
    ranks = ranks_within(np.where(failed, np.nan, values))
    present = (~np.isnan(values)).sum(axis=1, keepdims=True)
    last = present - (failed.sum(axis=1, keepdims=True) - 1) / 2  # several share the last ranks
    return np.where(failed, last, ranks)


# -- the scales -----------------------------------------------------------------------------------


def _raw(layout: Layout, _name: str) -> Layout:
    return layout


def _ranks(layout: Layout, _name: str) -> Layout:
    count = len(layout.algorithms)
    measure = Measure(f"rank of {layout.measure.name}", bounds=(1, count))
    return _on(
        layout,
        -ranks_within(layout.values),
        measure,
        "ranks",
    )


def _best(layout: Layout, _name: str) -> Layout:
    low, high = layout.measure.bounds
    name = f"{layout.measure.name}, distance to the best"
    return _on(
        layout,
        layout.values - layout.values.max(axis=1, keepdims=True),
        Measure(name, bounds=(0, high - low), unit=layout.measure.unit),
        "best",
    )


def _baseline(layout: Layout, name: str) -> Layout:
    low, high = layout.measure.bounds
    measure = replace(
        layout.measure,
        name=f"{layout.measure.name}, less that of '{name}'",
        bounds=(low - high, high - low),
        spec="",
    )
    return _on(
        layout,
        layout.values - _column(layout, name),
        measure,
        "baseline",
        baseline=name,
    )


def _ratio(layout: Layout, name: str) -> Layout:
    own = layout.sign * layout.values
    _check_positive(layout, own)
    measure = Measure(
        f"log ratio of {layout.measure.name} to that of '{name}'", layout.measure.higher_is_better
    )
    logs = np.log(own)
    return _on(
        layout,
        layout.sign * (logs - logs[:, [layout.algorithms.index(name)]]),
        measure,
        "ratio",
        baseline=name,
    )


def _normalised(layout: Layout, _name: str) -> Layout:
    values, count = layout.values, len(layout.algorithms)
    spread = values.std(axis=1, ddof=1, keepdims=True)
    constant = spread <= ROUNDING * np.abs(values).max(axis=1, keepdims=True)
    away = values - values.mean(axis=1, keepdims=True)
    furthest = (count - 1) / math.sqrt(count)  # one algorithm against all others
    measure = Measure(
        f"{layout.measure.name}, normalised within the data set",
        layout.measure.higher_is_better,
        (-furthest, furthest),
        "sd over algorithms",
    )
    return _on(
        layout,
        np.where(constant, 0.0, away / np.where(constant, 1.0, spread)),
        measure,
        "normalised",
        alike=int(constant.sum()),
    )


for _name, _scale in {
    RAW: Scale(_raw, within=False),
    "ranks": Scale(_ranks, whole=True),
    "best": Scale(_best, whole=True),
    "baseline": Scale(_baseline, baseline=True),
    "ratio": Scale(_ratio, baseline=True),
    "normalised": Scale(_normalised, whole=True),
}.items():
    SCALES.add(_name, _scale)


def _on(
    layout: Layout,
    values: np.ndarray,
    measure: Measure,
    scale: str,
    *,
    baseline: str = "",
    alike: int = 0,
) -> Layout:
    count = len(layout.algorithms)
    note = Note("scale", REMARK, scale=scale, baseline=baseline, algorithms=count, alike=alike)
    values = values + 0.0  # no -0.0
    notes = (*layout.notes, note)
    return replace(layout, values=values, measure=measure, notes=notes, metrics=())


def _column(layout: Layout, name: str) -> np.ndarray:
    return layout.values[:, [layout.algorithms.index(name)]]


# -- what a scale needs ---------------------------------------------------------------------------


def _check_name(layout: Layout, kind: str, name: str, chosen: Scale) -> None:
    if name and not chosen.baseline:
        raise InferenceError(f"The scale '{kind}' takes no name, such as ':{name}'.")
    if not chosen.baseline:
        return
    if not name:
        example = layout.algorithms[0] if layout.algorithms else "svm"
        raise InferenceError(
            f"The scale '{kind}' needs the name of the baseline, as in {kind}:{example}."
        )
    if name not in layout.algorithms:
        raise InferenceError(unknown("algorithm of this layout", name, layout.algorithms))


def _check(layout: Layout, scale: str) -> None:
    if layout.block != DATASET:
        raise InferenceError(
            f"The scale '{scale}' is for rows that are data sets, not for "
            f"{BLOCKS[layout.block].text}: "
            "the scores of one data set are commensurable as they are (scale raw)."
        )
    if any(note.code == "scale" for note in layout.notes):
        raise InferenceError(
            f"The measure '{layout.measure.name}' is on a scale already; make '{scale}' from the "
            "layout of raw scores."
        )
    if len(layout.algorithms) < 2:
        raise InferenceError(f"The scale '{scale}' needs two algorithms on every data set.")
    if np.isinf(layout.values).any():
        raise InferenceError(
            f"The measure '{layout.measure.name}' has infinite scores, which do not fit the scale "
            f"'{scale}'; remove them or choose another measure."
        )


def _check_positive(layout: Layout, own: np.ndarray) -> None:
    wrong = np.argwhere(own <= 0)
    if len(wrong):
        row, column = map(int, wrong[0])
        raise InferenceError(
            f"A ratio needs positive scores; '{layout.algorithms[column]}' has "
            f"{own[row, column]:g} on {_label(layout, row)}: use the scale baseline:NAME, or best."
        )


def _whole(layout: Layout, scale: str) -> Layout:
    return _without(layout, np.isnan(layout.values).any(axis=1), scale)


def _with_baseline(layout: Layout, scale: str, name: str) -> Layout:
    return _without(layout, np.isnan(_column(layout, name)[:, 0]), scale, name)


def _without(layout: Layout, lacking: np.ndarray, scale: str, baseline: str = "") -> Layout:
    if not lacking.any():
        return layout
    note = Note(
        "incomplete-blocks",
        blocks=int(lacking.sum()),
        of=len(lacking),
        datasets=tuple(_label(layout, int(row)) for row in np.flatnonzero(lacking)),
        scale=scale,
        baseline=baseline,
    )
    if lacking.all():
        raise InferenceError(f"Nothing is left to compare: {say(note)}")
    return replace(
        layout,
        values=layout.values[~lacking],
        labels=tuple(compress(layout.labels, ~lacking)),
        notes=(*layout.notes, note),
    )


def _label(layout: Layout, row: int) -> str:
    return f"'{layout.labels[row]}'" if layout.labels else f"data set {row + 1}"


# -- scores ---------------------------------------------------------------------------------------
# What a block's values are turned into before they are summed.
#
# Each brick takes and returns a blocks x algorithms array; larger is better before and after.


Score = Callable[[np.ndarray], np.ndarray]
SCORES: Registry[Score] = Registry("score")


@gives(MEAN)
def raw(values: np.ndarray) -> np.ndarray:
    """The values themselves."""
    return values


@gives(MEAN_RANK)
def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks within each block; ties get their average."""
    return tails.ranks(values, axis=1)


@gives(MEAN)
def aligned(values: np.ndarray) -> np.ndarray:
    """Values less their block's mean."""
    return values - values.mean(axis=1, keepdims=True)


@gives(ALIGNED_RANK)
def aligned_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks of all aligned values together (Hodges and Lehmann 1962)."""
    times = values.shape[1] * values - values.sum(axis=1, keepdims=True)
    size = np.broadcast_to(values.shape[1] * compute_block_sizes(values)[:, None], values.shape)
    return tails.ranks(settled(times.ravel(), size.ravel())).reshape(values.shape)


@gives(NORMAL_SCORE)
def normal_scores(values: np.ndarray) -> np.ndarray:
    """Van der Waerden's scores of the ranks within each block."""
    return ndtri(ranks(values) / (values.shape[1] + 1))


@gives(WEIGHTED_RANK)
def quade(values: np.ndarray) -> np.ndarray:
    """Centred ranks weighted by the rank of their block's range (Quade 1979)."""
    size = tails.ranks(settled(np.ptp(values, axis=1), compute_block_sizes(values)))
    return size[:, None] * (ranks(values) - (values.shape[1] + 1) / 2)


@gives(NET_WINS)
def signs(values: np.ndarray) -> np.ndarray:
    """Which of two algorithms is better: 1 and 0, or 0 and 0 for a tie."""
    difference = signed_difference(values, "signs")
    return np.column_stack([difference > 0, difference < 0]).astype(float)


@gives(TYPICAL)
def signed_ranks(values: np.ndarray) -> np.ndarray:
    """Wilcoxon's signed ranks of two algorithms; blocks without a difference are left out."""
    difference = signed_difference(values, "signed ranks")
    size = np.zeros(len(difference))
    counts = difference != 0
    size[counts] = tails.ranks(np.abs(difference[counts]))
    return np.column_stack([size * (difference > 0), size * (difference < 0)])


@gives(TYPICAL_WITH_ZEROS)
def pratt(values: np.ndarray) -> np.ndarray:
    """Signed ranks where blocks without a difference are ranked and then left out (Pratt 1959)."""
    difference = signed_difference(values, "signed ranks")
    size = tails.ranks(np.abs(difference))
    return np.column_stack([size * (difference > 0), size * (difference < 0)])


for _scores_name, _brick in {
    "raw": raw,
    "ranks": ranks,
    "aligned": aligned,
    "aligned-ranks": aligned_ranks,
    "normal-scores": normal_scores,
    "quade": quade,
    "signs": signs,
    "signed-ranks": signed_ranks,
    "pratt": pratt,
}.items():
    SCORES.add(_scores_name, _brick)
