"""What is said of combinations to run: what they tell, and what they mix up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from podium.factors.designs import Design
from podium.words.phrases import joined

ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI")
MOST = 4  # pairs that are named
MEANS = {
    3: "main effects are mixed up with interactions of two factors",
    4: "main effects are clear; interactions of two factors are mixed up with each other",
}


@dataclass(frozen=True, eq=False)
class Told:
    """What words need of a fraction."""

    factors: Sequence[str]
    runs: int
    generators: Sequence[str]
    resolution: int
    design: Design


def fraction_lines(t: Told) -> Iterator[str]:
    """What is told by so many combinations, and what is not."""
    every = 2 ** len(t.factors)
    if not t.resolution:
        factors = len(t.factors)
        yield f"All {every} combinations of {factors} factors: every interaction can be estimated."
        return
    clear = "all interactions of two factors can be estimated"
    yield (
        f"{t.runs} of {every} combinations, resolution {ROMAN[t.resolution]}: "
        f"{MEANS.get(t.resolution, clear)}."
    )
    yield f"Generators: {'; '.join(t.generators)}."
    if missing := list(not_told(t.design)):
        more = f" And {len(missing) - MOST} more." if len(missing) > MOST else ""
        yield f"Not estimable: {' '.join(missing[:MOST])}{more}"
    if t.resolution == 3:
        yield (
            f"The {t.runs} combinations with all levels exchanged, run as well, would clear the "
            "main effects."
        )


def not_told(design: Design) -> Iterator[str]:
    """Interactions of two factors and what they are mixed up with."""
    names = design.factors.names
    for pair, others in design.mixed_pairs.items():
        mixed = joined([" x ".join(names[f] for f in other) for other in others])
        yield f"{' x '.join(names[f] for f in pair)} is mixed up with {mixed}."
