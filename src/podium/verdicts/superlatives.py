"""What a headline claims of the best, by the kind of measure: "is the most accurate", "wins most".

One record per kind; the first whose words the measure's name holds counts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from podium.inference.comparing.comparisons import Comparisons
from podium.inference.comparing.decision import RANKS
from podium.verdicts.gaps import PEOPLE, measured


class Superlative(NamedTuple):
    """What is said of the best, and what there is no significant difference in."""

    best: str
    difference: str
    names: tuple[str, ...] = ()
    higher: bool | None = None  # the direction it is for


KINDS = (
    Superlative("solves the most tasks", "solved tasks", ("pass rate", "pass@", "solved"), True),
    Superlative("is the most accurate", "accuracy",
                ("accuracy", "acc", "correct", "exact match"), True),
    Superlative("is the fastest", "speed",
                ("time", "seconds", "latency", "runtime", "duration"), False),
    Superlative("uses the least memory", "memory", ("memory", "bytes", "rss"), False),
    Superlative("uses the fewest tokens", "tokens", ("tokens",), False),
    Superlative("is the cheapest", "cost", ("cost", "price", "usd"), False),
)  # fmt: skip


def superlative(c: Comparisons, most: int = 36) -> Superlative:
    """Of what was compared; ranks are of no amount, whatever the measure."""
    name = measured(c, most)
    if c.decides == RANKS:
        return Superlative(f"ranks best in {name}", "rank")
    if name == PEOPLE:
        return Superlative("is rated best by people", "score by people")
    if c.blocks.partial:
        return Superlative("wins most", "wins")
    words = set(re.split(r"[^a-z@^]+", c.measure.lower().replace("_", " ")))
    for kind in KINDS:
        if kind.higher == c.higher_is_better and any(
            _holds(n, words, c.measure) for n in kind.names
        ):
            return kind
    way = "highest" if c.higher_is_better else "lowest"
    return Superlative(f"has the {way} {name}", name)


def _holds(name: str, words: set[str], measure: str) -> bool:
    whole = measure.lower().replace("_", " ").replace("-", " ")
    return name in words if name.isalpha() else name in whole
