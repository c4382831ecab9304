"""Measures that a caller names, several at once, each with its direction where nobody knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from podium.base.errors import ResultsError

DIRECTIONS = {"higher": True, "lower": False}


@dataclass(frozen=True)
class Asked:
    """A measure that is asked about; None leaves the direction to its name."""

    name: str
    higher_is_better: bool | None = None


def asked_measures(text: str | Sequence[str]) -> list[Asked]:
    """Measures with commas between; behind a = the direction of one that nobody knows.

    >>> asked_measures("accuracy, depth=lower")
    [Asked(name='accuracy', higher_is_better=None), Asked(name='depth', higher_is_better=False)]
    """
    parts = text.split(",") if isinstance(text, str) else list(text)
    results = []
    for part in (each.strip() for each in parts if each.strip()):
        name, sign, way = part.rpartition("=")
        if sign and way not in DIRECTIONS:
            raise ResultsError(
                f"In '{part}' the direction is higher or lower, not '{way}': say {name}=higher or "
                f"{name}=lower."
            )
        results.append(Asked(name, DIRECTIONS[way]) if sign else Asked(part))
    names = [each.name for each in results]
    if len({*names}) < len(names):
        raise ResultsError(f"A measure is named twice in '{','.join(names)}'; name each once.")
    return results
