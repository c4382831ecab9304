"""What may be asked of `compare`: one record, from the verbs and the command line to the tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from podium.base.errors import InferenceError
from podium.inference.bricks.estimates import Estimator
from podium.inference.bricks.nulls import NullBrick
from podium.inference.numbers.stopping_plan import StoppingPlan
from podium.inference.procedures.procedure import Procedure
from podium.questions.options import ALPHA

Pairs = Sequence[tuple[str, str]]
Contrasts = Mapping[str, Mapping[str, float] | Sequence[float]]


@dataclass(frozen=True)
class Options:
    """What is asked of a layout, with the defaults of every verb; None leaves it to the design.

    `podium.questions.options` says what each is. `posterior` makes `relevance` the difference below
    which two are practically the same; a negative one with a one-sided alternative asks for
    non-inferiority. Without `gaps`, pairs stand on the blocks that both have where the procedure
    can, and else all on the complete ones.
    """

    procedure: str | Procedure | None = None
    null: str | NullBrick | None = None
    adjust: str | None = None
    control: str | None = None
    pairs: Pairs | None = None
    contrasts: Contrasts | None = None
    estimate: str | Estimator | None = None
    alternative: str = "two-sided"
    alpha: float = ALPHA
    relevance: float = 0.0
    gaps: str | None = None
    force: bool = False
    posterior: bool | str = False
    rho: float | None = None
    weights: Mapping[str, float] | None = None
    covariates: Sequence[str] | None = None

    def with_margin(
        self, higher_is_better: bool, non_inferiority: float | None, equivalence: float | None
    ) -> Options:
        """The same options about a margin: that the first is not worse by it, or no pair differs.

        Both are a relevance; non-inferiority also needs the direction in which the measure is good.
        """
        margins = {"non_inferiority": non_inferiority, "equivalence": equivalence}
        given = {name: margin for name, margin in margins.items() if margin is not None}
        if not given:
            return self
        if len(given) > 1 or self.relevance or self.alternative != "two-sided":
            raise InferenceError(
                "Say one of non_inferiority, equivalence, or relevance with an alternative "
                "(--non-inferiority, --equivalence, or --relevance with --alternative)."
            )
        ((name, margin),) = given.items()
        if not isinstance(margin, (int, float)) or not 0 < margin < math.inf:
            raise InferenceError(
                f"{name} is a margin above 0 in the measure's unit, such as 0.01, not {margin!r}."
            )
        if name == "equivalence":
            return self.but(relevance=margin)
        better = "greater" if higher_is_better else "less"
        return self.but(alternative=better, relevance=-margin)

    @classmethod
    def of(cls, procedure: str | Procedure | None, options: Mapping[str, Any]) -> Options:
        """Those of the options of a verb that a comparison takes."""
        known = {field.name for field in fields(cls)}
        return cls(procedure, **{k: v for k, v in options.items() if k in known})

    def but(self, **changes: Any) -> Options:
        """The same options with some changed."""
        return replace(self, **changes)

    @classmethod
    def said(cls, **options: Any) -> Options:
        """Options of which those that are None are left at their defaults."""
        return cls(**{name: value for name, value in options.items() if value is not None})


OF_PLAN = ("alpha", "relevance")
FREE = ("procedure", "gaps", "force")  # the procedure is judged by its legality


def fixed_by_plan(name: str, planned: float | None) -> InferenceError:
    """The refusal of what a stopping plan has fixed otherwise."""
    at = f" at {planned:g}" if name in OF_PLAN else ""
    return InferenceError(
        f"This study stopped by a plan, which fixes {name}{at}: leave {name} out, or force it."
    )


def as_planned(options: Options, plan: StoppingPlan | None) -> Options:
    """The options that a study's plan has fixed; what else is asked is refused."""
    if plan is None or options.force:
        return options
    usual = Options()
    for field in fields(Options):
        value, planned = getattr(options, field.name), getattr(plan, field.name, None)
        if field.name not in FREE and value not in (getattr(usual, field.name), planned):
            raise fixed_by_plan(field.name, planned)
    return options.but(**{name: getattr(plan, name) for name in OF_PLAN})
