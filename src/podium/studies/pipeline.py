"""The whole way from a layout to an order, pinned so that it can be gone again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from podium.comparisons import Comparisons
from podium.errors import InferenceError
from podium.inference.compare import compare
from podium.inference.layouts import BLOCKS, TARGETS, Layout
from podium.inference.legality import REASONS
from podium.inference.nulls import parse_null
from podium.inference.procedure import INDEPENDENT, UNPAIRED, Procedure
from podium.inference.procedures import PROCEDURES
from podium.inference.requests import with_estimate

OWN_SAMPLES = "every algorithm has samples of its own, so that there are no whole blocks to draw"
NO_SAMPLE = "such blocks are no random sample of what the target is about"
QUICK = ("asymptotic", "normal", "corrected")  # nulls that neither draw nor enumerate


@dataclass(frozen=True)
class Pipeline:
    """A procedure with all its options, those included that the scores at hand called for."""

    procedure: Procedure
    options: Mapping[str, Any]

    def comparisons(self, layout: Layout, **changed: Any) -> Comparisons:
        """The evidence that another layout gives, by the same procedure."""
        return compare(layout, self.procedure, **{**self.options, **changed})

    @property
    def null(self) -> str:
        """The null in words, such as `permutation:9999`."""
        return str(self.options["null"])

    def quick(self) -> Pipeline:
        """The same with an asymptotic null, where the null would have to be drawn each time."""
        if self.options["null"].name in QUICK:
            return self
        return replace(self, options={**self.options, "null": parse_null("asymptotic")})


def pinned(
    layout: Layout, procedure: str | Procedure | None, options: Mapping[str, Any]
) -> tuple[Comparisons, Pipeline]:
    """The comparisons of a layout, and the pipeline that made them.

    Procedure, null and adjustment may follow from the scores at hand (their number, gaps, ties);
    the pipeline keeps those of this layout.
    """
    if options.get("contrasts") is not None:
        raise InferenceError("Contrasts make no order: say pairs or a control instead.")
    found = compare(layout, procedure, **options)
    chosen = procedure if isinstance(procedure, Procedure) else PROCEDURES[found.procedure]
    kept = dict(options)
    estimate = kept.pop("estimate", None)
    if estimate is not None:
        chosen = with_estimate(chosen, estimate)
    null = options.get("null")
    kept["null"] = parse_null(found.details["null"] if null is None else null)
    kept["adjust"] = found.details["adjustment"]
    return found, Pipeline(chosen, kept)


def refuse_dependent(layout: Layout) -> None:
    """Refuse blocks that are not independent evidence about the target."""
    kind = (layout.block, layout.target)
    if kind in INDEPENDENT:
        return
    reason = OWN_SAMPLES if kind in UNPAIRED else REASONS.get(kind, NO_SAMPLE)
    targets = [target for target in TARGETS if (layout.block, target) in INDEPENDENT]
    way = f"ask for the target '{targets[0]}', or " if targets else ""
    if layout.block == "fold":
        way = "ask for the target 'sample' of a repeated-cv, such as repeated-cv:10x10, or "
    raise InferenceError(
        f"The bootstrap over blocks is not legal for {BLOCKS[layout.block]} and the target "
        f"'{layout.target}': {reason}; {way}see what left_out tells."
    )
