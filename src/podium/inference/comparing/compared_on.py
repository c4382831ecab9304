"""What was compared on and how, as comparisons tell it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from podium.inference.bricks.adjustments import Adjustment
from podium.inference.bricks.nulls import NullBrick
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import Procedure
from podium.questions.targets import BLOCKS
from podium.words import statements as headings
from podium.words.facts import ModelFacts

UNADJUSTED = "none"
ELO = 400 / math.log(10)


@dataclass(frozen=True)
class Blocks:
    """What was compared on: the kind of block, how many, and how they were drawn."""

    kind: str
    count: int
    sampling: str | None = None
    of_clusters: bool = False

    @property
    def text(self) -> str:
        """What the blocks are, in words."""
        return ("clusters of " if self.of_clusters else "") + BLOCKS[self.kind].text

    @property
    def noun(self) -> str:
        """What the blocks are, in a word or two."""
        return "clusters" if self.of_clusters else BLOCKS[self.kind].noun

    @property
    def partial(self) -> bool:
        """Whether every block has some of the algorithms only, as a choice has."""
        return BLOCKS[self.kind].partial

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "kind": self.kind,
            "text": self.text,
            "count": self.count,
            "sampling": self.sampling,
        }


def blocks_of(layout: Layout, count: int | None = None) -> Blocks:
    """What a layout is compared on."""
    drawn = str(layout.origin.sampling) if layout.origin.sampling else None
    count = len(layout.values) if count is None else count
    return Blocks(layout.block, count, drawn, layout.items.of_clusters)


@dataclass(frozen=True)
class Interval:
    """The interval of one algorithm's expected score, and how it was made."""

    lower: float
    upper: float
    method: str

    @property
    def title(self) -> str:
        """What was done."""
        return headings.interval_of_one(self.method)

    def to_dict(self) -> dict[str, Any]:
        """The contract's details."""
        return {"lower": self.lower, "upper": self.upper, "method": self.method}


@dataclass(frozen=True, eq=False)
class Method:
    """How pairs were judged: the procedure's record, the bricks that were used, their findings."""

    procedure: Procedure
    null: NullBrick
    adjust: Adjustment
    model: ModelFacts | None = None
    mean_ranks: Mapping[str, float] | None = None
    epsilon: float | None = None  # how alike differences vary, where that is assumed
    strengths: Mapping[str, float] | None = None  # logs, of choices

    @property
    def title(self) -> str:
        """The procedure with the bricks that were used; a posterior has none."""
        if self.procedure.bayes.posterior is not None:
            return self.procedure.title
        return headings.with_bricks(self.procedure.title, self.named_null, self.adjust.name)

    @property
    def named_null(self) -> str:
        """The null, where it does not go without saying."""
        own = self.procedure.nulls.default == str(self.null) == "asymptotic"  # a t, or an F
        return "" if own else str(self.null)

    @property
    def elo(self) -> dict[str, float] | None:
        """Strengths in points of Elo, 1000 on average: ten to one are 400 points."""
        return None if self.strengths is None else self.points(self.strengths)

    @staticmethod
    def points(logs: Mapping[str, float]) -> dict[str, float]:
        """Log-strengths in points of Elo."""
        return {name: 1000 + ELO * logs[name] for name in logs}

    @property
    def is_own_adjustment(self) -> bool:
        """Whether the adjustment is the procedure's own, whose control is known."""
        return self.adjust.name == self.procedure.adjust

    @property
    def controls(self) -> str:
        """Which error is controlled."""
        return str(self.procedure.controls) if self.is_own_adjustment else self.adjust.text

    def to_dict(self) -> dict[str, Any]:
        """The contract's details."""
        facts: dict[str, Any] = {
            "null": str(self.null),
            "adjustment": self.adjust.name,
            "controls": self.controls,
            "holds under": self.procedure.null,
            "reference": self.procedure.reference,
            "estimates of": self.procedure.reports.estimand,
        }
        if self.procedure.reports.unit:
            facts["unit"] = self.procedure.reports.unit
        if self.model is not None:
            facts |= self.model.to_dict()
        more = {"mean_ranks": self.mean_ranks, "epsilon": self.epsilon, "elo": self.elo}
        return facts | {name: value for name, value in more.items() if value is not None}
