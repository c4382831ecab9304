"""Scales: what the scores of a data set are measured by before data sets are compared.

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
from scipy.stats import rankdata

from podium.errors import InferenceError
from podium.facts import Note
from podium.inference.layouts import BLOCKS, Layout
from podium.measures import Measure
from podium.registry import Registry, unknown

ROUNDING = 1e-12  # differences below this share of a data set's largest score are none
SHIFTED = (
    "Within a data set the differences of two algorithms, and so tests of them, are those of the "
    "raw scores; the means of algorithms are not"
)

Change = Callable[[Layout, str], Layout]  # the name is that of the baseline, if there is one


@dataclass(frozen=True)
class Scale:
    """How scores are changed, and whether that takes a baseline, or every algorithm's score."""

    change: Change
    baseline: bool = False
    whole: bool = False
    within: bool = True  # data sets


SCALES: Registry[Scale] = Registry("scale")


def scaled(layout: Layout, scale: str = "raw") -> Layout:
    """The layout of data sets on another scale: measure, direction and bounds are the new ones."""
    kind, _, name = str(scale).strip().partition(":")
    chosen = SCALES[kind.strip().lower()]
    name = name.strip()
    _check_name(layout, kind, name, chosen)
    if not chosen.within:
        return chosen.change(layout, name)
    _check(layout, scale)
    if chosen.baseline:
        layout = _with_baseline(layout, name)
    return chosen.change(_whole(layout, scale) if chosen.whole else layout, name)


def ranks_within(values: np.ndarray) -> np.ndarray:
    """Ranks in every row, 1 for the largest; values that are equal but for rounding are tied."""
    size = np.abs(values).max(axis=1, keepdims=True)
    level = np.round(values / np.where(size > 0, size, 1.0), 12)
    return np.asarray(rankdata(-level, axis=1))


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
        "ranks within each data set (1 is the best, ties have the mean of their ranks)",
        f"equal expected ranks among these {count} algorithms, whatever the size of differences; "
        "ranks change when an algorithm joins or leaves",
    )


def _best(layout: Layout, _name: str) -> Layout:
    low, high = layout.measure.bounds
    name = f"{layout.measure.name}, distance to the best"
    return _on(
        layout,
        layout.values - layout.values.max(axis=1, keepdims=True),
        Measure(name, bounds=(0, high - low), unit=layout.measure.unit),
        "distances to the best algorithm of each data set",
        f"equal expected distances to the best. {SHIFTED}",
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
        f"distances to '{name}' on each data set",
        f"equal expected distances to '{name}'. {SHIFTED}",
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
        f"natural logarithms of the ratio to '{name}' on each data set",
        "equal expected log ratios, that is equal geometric means of ratios; which algorithm is "
        "the baseline does not change the differences of two others",
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
    alike = int(constant.sum())
    zeros = f"; data sets on which all algorithms score the same, and get 0: {alike}" * (alike > 0)
    signs = "; of two algorithms only who is better is left" * (count == 2)
    return _on(
        layout,
        np.where(constant, 0.0, away / np.where(constant, 1.0, spread)),
        measure,
        "distances from the mean of all algorithms of the data set, in their standard deviations",
        f"equal expected places in the spread of these {count} algorithms, in which a data set "
        f"counts alike however far apart its scores are{signs}{zeros}",
    )


for _name, _scale in {
    "raw": Scale(_raw, within=False),
    "ranks": Scale(_ranks, whole=True),
    "best": Scale(_best, whole=True),
    "baseline": Scale(_baseline, baseline=True),
    "ratio": Scale(_ratio, baseline=True),
    "normalised": Scale(_normalised, whole=True),
}.items():
    SCALES.add(_name, _scale)


def _on(layout: Layout, values: np.ndarray, measure: Measure, are: str, claim: str) -> Layout:
    note = Note(
        "scale",
        text=f"Scores are {are}: the claim is about {claim}. Estimates, intervals and a relevance are "
        "on this scale.",
    )
    values = values + 0.0  # no -0.0
    return replace(layout, values=values, measure=measure, notes=(*layout.notes, note))


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
    if layout.block != "dataset":
        raise InferenceError(
            f"The scale '{scale}' is for data sets as blocks, not for {BLOCKS[layout.block]}: the "
            "scores of one data set are commensurable as they are (scale raw)."
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
            f"The measure '{layout.measure.name}' has infinite scores, which have no place on the "
            f"scale '{scale}'; remove them or choose another measure."
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
    lacking = np.isnan(layout.values).any(axis=1)
    return _without(
        layout,
        lacking,
        f"lack a score ({{}}) and were left out: the scale '{scale}' needs the scores of all "
        "algorithms; missing=worst would count what is missing as the worst",
    )


def _with_baseline(layout: Layout, name: str) -> Layout:
    lacking = np.isnan(_column(layout, name)[:, 0])
    return _without(layout, lacking, f"lack a score of '{name}' ({{}}) and were left out")


def _without(layout: Layout, lacking: np.ndarray, text: str) -> Layout:
    if not lacking.any():
        return layout
    named = ", ".join(_label(layout, int(row)) for row in np.flatnonzero(lacking))
    text = f"{int(lacking.sum())} of {len(lacking)} data sets {text.format(named)}."
    if lacking.all():
        raise InferenceError(f"Nothing is left to compare: {text}")
    return replace(
        layout,
        values=layout.values[~lacking],
        labels=tuple(compress(layout.labels, ~lacking)),
        notes=(*layout.notes, Note("incomplete-blocks", text=text)),
    )


def _label(layout: Layout, row: int) -> str:
    return f"'{layout.labels[row]}'" if layout.labels else f"data set {row + 1}"
