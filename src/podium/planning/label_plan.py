"""How many labels people must give, where a judge scores all items.

With n labels of M items and the correlation r of judge and people, the variance of a mean is
s² ((1 - r²) / n + r² / M): the judge's part is known from all items (Cochran 1977, chapter 12).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from podium.base.errors import InferenceError
from podium.inference.bricks.adjustments import pair_level
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers.judge_correction import LEAST_LABELS
from podium.planning.plan import USUAL
from podium.planning.power import check_design, noncentral
from podium.planning.words import label_sentence
from podium.words.facts import DETAIL, REMARK, Note
from podium.words.presentation import Presented


@dataclass(frozen=True, repr=False)
class LabelPlan(Presented):
    """So many labels show a difference; `alone` would be needed without the judge.

    A number is None where not even all items would do.
    """

    difference: float
    sd: float
    correlation: float
    items: int
    power: float  # that `labels` have
    labels: int | None
    alone: int | None
    alpha: float = 0.05
    comparisons: int = 1
    solved: str = "labels"  # or power
    notes: tuple[Note, ...] = ()

    @property
    def sentence(self) -> str:
        """The plan in words."""
        return label_sentence(self)

    def _said(self) -> list[str]:
        return [self.sentence]

    def _facts(self) -> dict[str, Any]:
        names = ("difference", "sd", "correlation", "items", "power", "labels", "alone", "alpha")
        return {
            **{name: getattr(self, name) for name in names},
            "comparisons": self.comparisons,
            "solved": self.solved,
            "sentence": self.sentence,
            "notes": self.notes,
        }


def label_power(
    difference: float, sd: float, correlation: float, items: int, labels: Any, alpha: float
) -> np.ndarray:
    """The power of so many labels, two-sided; t with n - 2 degrees of freedom."""
    n = np.asarray(labels, dtype=float)
    variance = sd**2 * ((1 - correlation**2) / n + correlation**2 / items)
    df = n - 2
    shift = np.abs(difference) / np.sqrt(np.maximum(variance, 1e-300))
    return np.asarray(noncentral(stdtrit(df, 1 - alpha / 2), shift, df))


def plan_labels(
    *,
    difference: float,
    sd: float,
    correlation: float,
    items: int,
    power: float | None = None,
    labels: int | None = None,
    alpha: float = 0.05,
    comparisons: int = 1,
    notes: tuple[Note, ...] = (),
) -> LabelPlan:
    """The least number of labels with this power (0.8), or the power of so many."""
    _check(difference, sd, correlation, items, labels, comparisons)
    check_design(alpha=alpha, alternative="two-sided", target=power)
    level, goal = pair_level(alpha, comparisons), USUAL if power is None else power
    about = (difference, sd, correlation, items)
    if labels is not None:
        result = float(label_power(*about, labels, level))
        return LabelPlan(*about, result, labels, None, alpha, comparisons, "power", notes)
    counts = np.arange(LEAST_LABELS, items + 1)
    needed = _first(counts, label_power(*about, counts, level) >= goal)
    alone = _first(counts, label_power(difference, sd, 0.0, items, counts, level) >= goal)
    reached = float(label_power(*about, needed or items, level))
    floor = [Note("least-labels", DETAIL, least=LEAST_LABELS)] if needed == LEAST_LABELS else []
    return LabelPlan(*about, reached, needed, alone, alpha, comparisons, "labels", (*notes, *floor))


def _first(counts: np.ndarray, enough: np.ndarray) -> int | None:
    return int(counts[int(np.argmax(enough))]) if enough.any() else None


def of_pilot(layout: Layout) -> dict[str, Any]:
    """What labels that are there say: the sd of differences, and the judge's correlation.

    Of several algorithms the pair in the middle.
    """
    assert layout.items.human is not None
    there = ~np.isnan(layout.items.human).any(axis=1)
    human, judge = layout.items.human[there], layout.values[there]
    if len(human) < LEAST_LABELS:
        raise InferenceError(
            f"A plan from labels needs {LEAST_LABELS} of them to know how they vary, and there are "
            f"{len(human)}: say --sd and --judge-correlation instead of --judge and --human."
        )
    i, j = np.triu_indices(human.shape[1], 1)
    if not len(i):
        raise InferenceError("A plan of labels is for a difference of two algorithms or more.")
    y, f = human[:, i] - human[:, j], judge[:, i] - judge[:, j]
    sd = y.std(axis=0, ddof=1)
    y, f = y - y.mean(axis=0), f - f.mean(axis=0)
    size = np.sqrt((y**2).sum(axis=0) * (f**2).sum(axis=0))
    r = np.divide((y * f).sum(axis=0), size, out=np.zeros(len(size)), where=size > 0)
    middle = int(np.argsort(sd)[(len(sd) - 1) // 2])
    if not sd[middle] > 0:
        raise InferenceError("People's scores of two algorithms never differ: nothing to plan by.")
    note = Note("labels-of-pilot", REMARK, labels=len(human), sd=float(sd[middle]),
                correlation=float(r[middle]))  # fmt: skip
    return {
        "sd": float(sd[middle]),
        "correlation": float(np.clip(r[middle], 0.0, 0.999)),
        "items": len(layout.values),
        "notes": (note,),
    }


def _check(
    difference: float, sd: float, correlation: float, items: int, labels: int | None, pairs: int
) -> None:
    if not np.isfinite(difference) or difference == 0:
        raise InferenceError(
            f"A difference to be found is a number other than 0, not {difference!r}."
        )
    if not (np.isfinite(sd) and sd > 0):
        raise InferenceError(f"An sd is above 0, not {sd!r}.")
    if not -1 < correlation < 1:
        raise InferenceError(
            f"The correlation of judge and people lies between -1 and 1, not {correlation!r}."
        )
    if items <= LEAST_LABELS:
        raise InferenceError(
            f"A judge is corrected where there are more than {LEAST_LABELS} items, not {items}."
        )
    if labels is not None and not LEAST_LABELS <= labels < items:
        raise InferenceError(
            f"Labels are from {LEAST_LABELS} on and fewer than the {items} items, not {labels}."
        )
    if pairs < 1:
        raise InferenceError(f"At least one pair shares alpha, not {pairs}.")
