"""Whether algorithms lose alike by learning from fewer rows than a data set has.

A claim over data sets is about differences of algorithms that learned from a part of the rows. It
is one about all rows where that part costs all of them the same (boulesteix2013, equation 2), which
several training sizes of a data set can speak against.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from podium.base.errors import PodiumError
from podium.reading.results import Results
from podium.surveys.verbs import size_trend


@dataclass(frozen=True)
class EqualBias:
    """The pairs whose difference moves with the training size; nothing is known of one size."""

    checked: bool
    pairs: int = 0
    moving: tuple[tuple[str, str], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As the JSON of a survey has it."""
        return asdict(self)


def equal_bias(results: Results, measure: str | None = None) -> EqualBias:
    """The check, where data sets were learned from at several sizes."""
    sizes = {facts["size"] for facts in results.facts.values() if "size" in facts}
    if len(sizes) < 2:
        return EqualBias(checked=False)
    try:
        table = size_trend(results, measure=measure).table
    except PodiumError:  # too few samples or sizes of a data set
        return EqualBias(checked=False)
    moving = table[table["verdict"].isin(["better", "worse"])]
    pairs = tuple(zip(moving["first"], moving["second"], strict=True))
    return EqualBias(checked=True, pairs=len(table), moving=pairs)
