"""A plan: how many blocks, which power or which difference, two of them being given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from podium.asking.planning.power import (
    FORMULAS,
    MOST,
    blocks_needed,
    check_design,
    detectable,
    noncentral,
    pair_design,
    power,
)
from podium.asking.planning.words import label_sentence, plan_sentence, sequential_sentence
from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.adjustments import pair_level
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.boundaries import OBF, boundaries, planned_looks, rejections
from podium.core.inference.numbers.judge_correction import LEAST_LABELS
from podium.core.inference.numbers.tails import t_isf, t_sf
from podium.core.questions.targets import DATASET
from podium.core.words.facts import DETAIL, REMARK, Note
from podium.core.words.saying import Presented

USUAL = 0.8  # the power that is asked for where none is said


@dataclass(frozen=True, repr=False)
class Plan(Presented):
    """What so many blocks can show; `solved` says which number was asked for.

    `difference` is between the means of two algorithms, with its sign where one side is looked for,
    and `sd` that of their differences over blocks. Of `comparisons` pairs each is tested at its
    level (Šidák), by a test that needs `extra` blocks more than t.
    """

    difference: float
    sd: float
    blocks: float
    power: float
    solved: str
    alpha: float
    alternative: str
    formula: str
    block: str
    comparisons: int = 1
    notes: tuple[Note, ...] = ()
    extra: int = 0

    @property
    def datasets(self) -> int:
        """How many data sets (or other blocks) there must be."""
        return int(self.blocks)

    @property
    def sentence(self) -> str:
        """The plan in words."""
        return plan_sentence(
            self.solved,
            self.difference,
            self.sd,
            self.blocks,
            self.power,
            block=self.block,
            alternative=self.alternative,
            alpha=self.alpha,
            comparisons=self.comparisons,
        )

    def curve(self, blocks: Sequence[int] | None = None) -> pd.DataFrame:
        """The power for other numbers of blocks; without them, from 2 to twice as many."""
        if self.formula not in FORMULAS:
            raise InferenceError(
                "A simulated plan has the power of its own number of rows only: plan again "
                "with other numbers."
            )
        if blocks is None:
            most = max(2 * int(self.blocks), 10)
            blocks = np.unique(np.linspace(2, most, min(most - 1, 50)).round().astype(int)).tolist()
        values = power(self.difference, self.sd, list(blocks), **_options(self))
        return pd.DataFrame({"blocks": list(blocks), "power": values})

    def _lines_above(self) -> list[str]:
        return [self.sentence]

    def _facts(self) -> dict[str, Any]:
        fields = ("difference", "sd", "power", "solved", "alpha", "alternative", "comparisons")
        return {
            **{name: getattr(self, name) for name in fields},
            "formula": self.formula,
            "block": self.block,
            "blocks": int(self.blocks),
            "sentence": self.sentence,
            "notes": self.notes,
        }


def _options(plan: Plan) -> dict[str, Any]:
    design = pair_design(plan.alpha, plan.comparisons, plan.alternative, plan.extra)
    return {**design, "formula": plan.formula}


def plan(
    *,
    difference: float | None = None,
    sd: float,
    target: float | None = None,
    blocks: int | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int = 1,
    formula: str = "noncentral",
    block: str = "dataset",
    extra: int = 0,
) -> Plan:
    """The plan of which two of difference, power (`target`) and number of blocks are given.

    The power is 0.8 where it is not said and must be known.
    """
    _check(difference, sd, target, blocks, comparisons)
    check_design(alpha=alpha, alternative=alternative, target=target, formula=formula)
    _check_side([] if difference is None else [difference], alternative)
    level = {**pair_design(alpha, comparisons, alternative, extra), "formula": formula}
    if blocks is None:
        assert difference is not None
        solved, count = "blocks", float(blocks_needed(difference, sd, target or USUAL, **level))
        if math.isinf(count):
            raise InferenceError(
                f"A difference of {difference:g} is too small against the sd of {sd:g}: more than "
                "ten million rows would be needed."
            )
        result = float(power(difference, sd, count, **level))
    elif difference is None:
        solved, count, result = "difference", float(blocks), target or USUAL
        least = float(detectable(sd, blocks, result, **level))
        difference = -least if alternative == "less" else least
    else:
        solved, count = "power", float(blocks)
        result = float(power(difference, sd, blocks, **level))
    made: dict[str, Any] = {"alpha": alpha, "comparisons": comparisons, "block": block}
    made |= {"alternative": alternative, "formula": formula, "extra": extra}
    return Plan(on_side(difference, alternative), float(sd), count, result, solved, **made)


def on_side(difference: float, alternative: str) -> float:
    """A difference as it is shown: its sign says something where one side is looked for."""
    return abs(difference) if alternative == "two-sided" else difference


def _check_side(differences: Sequence[float], alternative: str) -> None:
    """Refuse a difference on the side that a one-sided test never finds."""
    side = {"greater": 1, "less": -1}.get(alternative)
    for difference in differences:
        if side and difference * side < 0:
            other = "less" if alternative == "greater" else "greater"
            raise InferenceError(
                f"The alternative {alternative} never finds a difference of {difference:g}: give "
                f"the difference {-difference:g}, or the alternative {other}."
            )


def _check(
    difference: float | None,
    sd: float,
    target: float | None,
    blocks: int | None,
    comparisons: int,
) -> None:
    if difference is None and blocks is None:
        raise InferenceError(
            "A plan needs the difference that matters, or the number of data sets that can be had."
        )
    if None not in (difference, target, blocks):
        raise InferenceError(
            "Difference, power and number of data sets determine each other: give two of them."
        )
    _check_numbers([] if difference is None else [difference], [sd])
    _check_counts([] if blocks is None else [blocks], comparisons)


def _check_numbers(differences: Sequence[float], sds: Sequence[float]) -> None:
    for name, values in (("difference", differences), ("sd", sds)):
        for value in values:
            if not (_is_number(value) and math.isfinite(value) and value != 0):
                raise InferenceError(
                    f"The {name} of a plan is a number other than 0, not {value!r}."
                )
    for sd in sds:
        if sd < 0:
            raise InferenceError(f"The sd of a plan is positive, not {sd!r}.")


def _check_counts(blocks: Sequence[int], comparisons: int) -> None:
    for name, values, least in (("blocks", blocks, 2), ("comparisons", [comparisons], 1)):
        for value in values:
            if not _is_whole(value) or not least <= value <= MOST:
                raise InferenceError(
                    f"The number of {name} is a whole number from {least} to {MOST}, not {value!r}."
                )


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.floating, np.integer)) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def needed_table(
    differences: Sequence[float],
    sds: Sequence[float],
    target: float = USUAL,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int = 1,
    formula: str = "noncentral",
) -> pd.DataFrame:
    """The number of data sets for every difference (rows) and sd (columns), as Figure 2, left."""
    _check_numbers(differences, sds)
    _check_counts([], comparisons)
    check_design(alpha=alpha, alternative=alternative, target=target, formula=formula)
    _check_side(differences, alternative)
    rows, columns = np.asarray(differences, float)[:, None], np.asarray(sds, float)
    design = pair_design(alpha, comparisons, alternative)
    values = blocks_needed(rows, columns, target, formula=formula, **design)
    return pd.DataFrame(values, pd.Index(differences, name="difference"), pd.Index(sds, name="sd"))


def power_table(
    difference: float,
    sds: Sequence[float],
    blocks: Sequence[int],
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int = 1,
    formula: str = "noncentral",
) -> pd.DataFrame:
    """The power for every number of data sets (rows) and sd (columns), as Figure 2, right."""
    _check_numbers([difference], sds)
    _check_counts(blocks, comparisons)
    check_design(alpha=alpha, alternative=alternative, formula=formula)
    _check_side([difference], alternative)
    counts, design = (
        np.asarray(blocks, float)[:, None],
        pair_design(alpha, comparisons, alternative),
    )
    result = power(difference, np.asarray(sds, float), counts, formula=formula, **design)
    return pd.DataFrame(result, pd.Index(blocks, name="datasets"), pd.Index(sds, name="sd"))


# -- label plan -----------------------------------------------------------------------------------
# How many labels people must give, where a judge scores all items.
#
# With n labels of M items and the correlation r of judge and people, the variance of a mean is
# s² ((1 - r²) / n + r² / M): the judge's part is known from all items (Cochran 1977, chapter
# 12).


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
    alpha: float
    comparisons: int
    solved: str  # labels or power
    notes: tuple[Note, ...]

    @property
    def sentence(self) -> str:
        """The plan in words."""
        return label_sentence(self)

    def _lines_above(self) -> list[str]:
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
    _label_check(difference, sd, correlation, items, labels, comparisons)
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
            f"{len(human)}: use --sd and --judge-correlation instead of --judge and --human."
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


def _label_check(
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


# -- sequential plan ------------------------------------------------------------------------------
# Plans of studies that stop when they are decided: how many blocks they take on average.


LOOKS = 20


@dataclass(frozen=True, repr=False)
class SequentialPlan(Presented):
    """What a study of at most `budget` blocks, which may stop at its looks, takes and shows.

    Of `comparisons` pairs each is tested at its level (Šidák). `expected` is the mean number of
    blocks where the difference is there, `expected_at_null` where there is none; `fixed` the number
    that a study without looks takes: the budget, or what it needs for the power that was asked for.
    """

    difference: float
    sd: float
    budget: int
    looks: tuple[int, ...]
    spending: str
    alpha: float
    comparisons: int
    block: str
    power: float
    expected: float
    expected_at_null: float
    fixed: int
    notes: tuple[Note, ...] = ()

    @property
    def saved(self) -> float:
        """The share of the fixed study's blocks that is not needed on average."""
        return 1 - self.expected / self.fixed

    @property
    def sentence(self) -> str:
        """The plan in words."""
        return sequential_sentence(self)

    def _lines_above(self) -> list[str]:
        return [self.sentence]

    def _facts(self) -> dict[str, Any]:
        names = ("difference", "sd", "budget", "looks", "spending", "alpha", "comparisons", "block")
        outcomes = ("power", "expected", "expected_at_null", "fixed", "saved", "sentence", "notes")
        return {name: getattr(self, name) for name in (*names, *outcomes)}


def sequential_plan(
    *,
    difference: float,
    sd: float,
    power: float | None = None,
    budget: int | None = None,
    looks: int = LOOKS,
    spending: str = OBF.name,
    alpha: float = 0.05,
    comparisons: int = 1,
    block: str = DATASET,
) -> SequentialPlan:
    """The plan of a study that may stop; without a budget, the least one that has the power."""
    if not (sd > 0 and difference and math.isfinite(difference / sd)):
        raise InferenceError(
            f"A plan needs a difference other than 0 and a positive sd, not {difference!r} and "
            f"{sd!r}."
        )
    if power is not None and budget is not None:
        raise InferenceError("A sequential plan takes the power or the budget, not both.")
    effect, level = abs(difference) / sd, pair_level(alpha, comparisons)
    design = _Design(effect, level, looks, spending, block == DATASET)
    if budget is None:
        target = power or USUAL
        fixed = plan(difference=difference, sd=sd, target=target, alpha=level, block=block).datasets
        chosen = design.least(target, fixed)
    else:
        fixed = chosen = budget
    result = design.course(chosen, effect)
    return SequentialPlan(
        abs(difference),
        float(sd),
        chosen,
        design.looks_of(chosen),
        spending,
        alpha,
        comparisons,
        block,
        result.power,
        result.expected,
        design.course(chosen, 0.0).expected,
        fixed,
        (Note("sequential-normal"),) if block == DATASET else (),
    )


def _of_t(z: np.ndarray, df: np.ndarray) -> np.ndarray:
    """The boundaries that t has to reach, which of few blocks is farther than z.

    The mean of an estimated sd is too small by 1 / (4 df) of it.
    """
    reach = t_isf(np.clip(t_sf(z, np.inf), 1e-300, 1), df) * (1 - 1 / (4 * df))
    return np.where(np.isinf(z), np.inf, reach)


@dataclass(frozen=True)
class _Course:
    power: float
    expected: float


@dataclass(frozen=True)
class _Design:
    """All but the budget."""

    effect: float
    alpha: float
    looks: int
    spending: str
    few: bool

    def looks_of(self, budget: int) -> tuple[int, ...]:
        return planned_looks(budget, self.looks, self.few)

    def course(self, budget: int, effect: float) -> _Course:
        """The power, and how many blocks are used on average."""
        looks = self.looks_of(budget)
        z = boundaries(looks, budget, self.alpha, self.spending)
        stops = rejections(looks, budget, _of_t(z, np.array(looks) - 1), effect)
        power = min(1.0, float(stops.sum()))
        return _Course(power, float(stops @ np.array(looks)) + (1 - power) * budget)

    def least(self, power: float, fixed: int) -> int:
        """The least budget that has the power: somewhat more than a study without looks needs."""
        low, high = max(2, fixed // 2), max(4, math.ceil(1.5 * fixed))
        while self.course(high, self.effect).power < power:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            enough = self.course(middle, self.effect).power >= power
            low, high = (low, middle) if enough else (middle, high)
        return high
