"""Whether algorithms lose alike by learning from fewer rows than a data set has.

A claim over data sets is about differences of algorithms that learned from a part of the rows. It
is one about all rows where that part costs all of them the same (boulesteix2013, equation 2), which
several training sizes of a data set can speak against.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from podium.base.errors import PodiumError
from podium.inference.comparing.comparisons import Comparisons
from podium.reading.results import Results
from podium.reading.size_slopes import training_sizes
from podium.surveys.verbs import size_trend
from podium.words.facts import CAUTION, DETAIL, Note

Pair = tuple[str, str]


@dataclass(frozen=True)
class EqualBias:
    """The pairs whose difference moves with the training size; nothing is known of one size.

    The first of a pair gains on the second as there are more rows to learn from.
    """

    checked: bool
    pairs: int = 0
    moving: tuple[Pair, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As the JSON of a survey has it."""
        return asdict(self)


def equal_bias(
    results: Results, measure: str | None = None, alpha: float | None = None
) -> EqualBias:
    """The check, where data sets were learned from at several sizes."""
    if len(training_sizes(results)) < 2:
        return EqualBias(checked=False)
    try:
        table = size_trend(results, measure=measure, alpha=alpha).table
    except PodiumError:  # too few samples or sizes of a data set
        return EqualBias(checked=False)
    moving = table[table["verdict"].isin(["better", "worse"])]
    pairs = tuple(
        (row.first, row.second) if row.verdict == "better" else (row.second, row.first)
        for row in moving.itertuples()
    )
    return EqualBias(checked=True, pairs=len(table), moving=pairs)


def equal_bias_note(results: Results, comparisons: Comparisons) -> Note:
    """What the check says beside a claim over data sets.

    It limits the claim where somebody gains with the size on one whom he does not beat yet.
    """
    found = equal_bias(results, comparisons.measure, comparisons.alpha)
    if not found.checked:
        return Note("equal-bias-unknown", DETAIL)
    verdicts = {(row.first, row.second): row.verdict for row in comparisons.table.itertuples()}
    ahead = {pair if verdict == "better" else pair[::-1] for pair, verdict in verdicts.items()
             if verdict in ("better", "worse")}  # fmt: skip
    moving = tuple(p for p in found.moving if p in verdicts or p[::-1] in verdicts)
    if not moving:
        return Note("equal-bias", DETAIL, pairs=found.pairs)
    limiting = tuple(pair for pair in moving if pair not in ahead)
    if not limiting:
        return Note("unequal-bias", DETAIL, gains=moving, limits=False)
    return Note("unequal-bias", CAUTION, gains=limiting, limits=True)
