"""A part of a decision: one measure, what is asked of it, and what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

VERDICTS = SHIP, NO, NOT_YET = "ship", "no", "not yet"
STATUS = {SHIP: 0, NO: 3, NOT_YET: 4}
KEEP, IMPROVE = "keep", "improve"
ALL, ANY = "all", "any"


@dataclass(frozen=True)
class Part:
    """One measure on one benchmark: what is asked of it, and what is shown.

    `difference` is new - old in the measure's unit; its limits, and those of `ratio` (new over old,
    of costs and times), are each one-sided at alpha, from the test that `p` comes from.
    """

    measure: str
    role: str
    benchmark: str
    higher_is_better: bool
    blocks: int
    noun: str
    old: float
    new: float
    difference: float
    lower: float
    upper: float
    margin: float | None  # in the measure's unit
    margin_text: str  # as it was said
    ratio: tuple[float, float, float] | None  # with its limits
    p: float
    p_worse: float
    procedure: str
    shown: bool
    is_worse: bool
    needed: int | None  # blocks that would show it, with a power of 80 %

    @property
    def limit(self) -> float:
        """The end of the difference that is held against the margin, or against 0."""
        return self.lower if self.higher_is_better else self.upper

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        facts = {
            "measure": self.measure,
            "role": self.role,
            "benchmark": self.benchmark,
            "margin": self.margin,
            "blocks": self.blocks,
            "old": self.old,
            "new": self.new,
            "difference": self.difference,
            "limit": self.limit,
            "lower": self.lower,
            "upper": self.upper,
            "p": self.p,
            "p_worse": self.p_worse,
            "shown": self.shown,
            "procedure": self.procedure,
            "needed": self.needed,
        }
        if self.ratio is not None:
            names = ("ratio", "ratio_lower", "ratio_upper")
            facts |= dict(zip(names, self.ratio, strict=True))
        return facts


@dataclass(frozen=True)
class Told:
    """What words need of a decision."""

    verdict: str
    parts: Sequence[Part]
    blocks: Sequence[Part]  # that hold it up
    need: str
    alpha: float
