"""Plans of studies that stop when they are decided: how many blocks they take on average."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.bricks.adjustments import pair_level
from podium.inference.numbers.boundaries import OBF, boundaries, rejections
from podium.inference.numbers.stopping_plan import planned_looks
from podium.inference.numbers.tails import t_isf, t_sf
from podium.planning.plan import USUAL, plan
from podium.planning.words import sequential_sentence
from podium.questions.targets import DATASET
from podium.words.facts import Note
from podium.words.presentation import Presented

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

    def _said(self) -> list[str]:
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
