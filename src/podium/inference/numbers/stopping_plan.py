"""The plan of a study that may stop, fixed before its first score."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from itertools import combinations
from typing import Any

from podium.base.errors import InferenceError
from podium.base.registry import unknown
from podium.inference.numbers.boundaries import OBF, SPENDINGS

ORDER, RACE = "order", "race"
GOALS = (ORDER, RACE)
# of a look: t alone, Hall's skewness-corrected t with it, or ranks (of two algorithms: signs)
T, HULL, RANKS = TESTS = ("t", "hull", "ranks")
FIRST_OF_SAMPLES, FIRST_OF_DATASETS = 50, 5  # the least number of blocks of a look
GROWTH = 1.1  # of the samples between looks without a budget


@dataclass(frozen=True)
class StoppingPlan:
    """When a study may stop, fixed before the first look.

    `goal` is an order of all pairs or a race for the best. Without a budget (`open`) looks may go
    on for ever; then evidence is an e-process, not spending.
    """

    algorithms: tuple[str, ...]
    measure: str
    budget: int
    looks: tuple[int, ...]
    goal: str = ORDER
    spending: str = OBF.name
    alpha: float = 0.05
    relevance: float = 0.0
    open: bool = False
    few: bool = False  # blocks are data sets
    bounds: tuple[float, float] | None = None  # of a score, declared; of bets on bounded scores
    binary: bool = False
    test: str = T

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise InferenceError(f"alpha must lie between 0 and 1, not {self.alpha!r}.")
        SPENDINGS[self.spending]
        if self.goal not in GOALS:
            raise InferenceError(unknown("goal", self.goal, GOALS))
        if self.test not in TESTS:
            raise InferenceError(unknown("test of looks", self.test, TESTS))
        if self.test != T and (self.open or not self.few or self.goal == RACE):
            raise InferenceError(
                f"The test '{self.test}' is for looks at several data sets with a budget, where "
                "differences are skewed: leave --test (test=) out."
            )
        if self.test == RANKS and self.relevance:
            raise InferenceError(
                "A relevance is an amount, and ranks tell who is ahead, not by how much: use "
                "--test hull (test='hull'), or leave the relevance out."
            )
        if not 0 <= self.relevance < math.inf:
            raise InferenceError(f"relevance must be at least 0, not {self.relevance!r}.")

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs: the family does not shrink when an algorithm is dropped."""
        return list(combinations(range(len(self.algorithms)), 2))

    def kinds(self) -> list[StoppingPlan]:
        """The same for an order, by the other test, without a budget, and for a race."""
        plain = replace(self, test=T)
        # ranks and hull are for data sets
        others = [replace(plain, test=test, few=True, relevance=0.0) for test in (RANKS, HULL)]
        return [self, *others, replace(plain, open=True), replace(plain, goal=RACE)]

    def to_dict(self) -> dict[str, Any]:
        """As a store keeps it."""
        return asdict(self)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> StoppingPlan:
        """From what a store keeps."""
        known = {f.name for f in fields(cls)}
        made: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in kept.items() if k in known
        }
        return cls(**made)


def usual_test(few: bool, goal: str, open: bool, relevance: float) -> str:
    """The test of looks where none is named: of data sets ranks, or means where amounts count.

    Between data sets differences are skewed. Inside the same boundaries ranks err in 3 to 6 %
    there, t and Hall's t together in up to 12 %, t alone in up to 13 % (docs/stopping.md).
    """
    if not few or open or goal == RACE:
        return T
    return HULL if relevance else RANKS


def planned_looks(
    budget: int, count: int, few: bool = False, open: bool = False
) -> tuple[int, ...]:
    """At how many blocks is looked: evenly, and not before the first that is allowed."""
    first = FIRST_OF_DATASETS if few else max(FIRST_OF_SAMPLES, -(-budget // 20))
    if open:
        return _growing(min(FIRST_OF_DATASETS if few else 10, budget), budget)
    if count < 1:
        raise InferenceError(f"There must be at least 1 look, not {count}.")
    at = {-(-budget * k // count) for k in range(1, count + 1)}
    return tuple(sorted(n for n in at if n >= first)) or (budget,)


def _growing(first: int, budget: int) -> tuple[int, ...]:
    looks = [first]
    while looks[-1] < budget:
        looks.append(min(budget, max(looks[-1] + 5, int(GROWTH * looks[-1]))))
    return tuple(looks)
