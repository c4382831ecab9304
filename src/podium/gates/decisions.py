"""One decision on several measures: ship where all is kept that must be, and the rest is better.

Every part is tested one-sided at alpha by the test that its measure has alone, and the largest
p-value is that of the whole claim (intersection-union; Berger 1982): nothing is adjusted, however
the measures hang together. A part that was not shown never passes. That a measure got worse, the
other claim, is judged at alpha over the number of parts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from podium.gates import decision_words as in_words
from podium.gates.comment_words import of_decision
from podium.gates.parts import ALL, ANY, IMPROVE, KEEP, NO, NOT_YET, SHIP, STATUS, Part, Told
from podium.gates.side import NEW, OLD
from podium.words.facts import Note
from podium.words.presentation import Presented, Texts


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Presented):
    """Whether the new one ships: every measure with a margin is kept, and others have improved.

    `verdict` is ship, no or not yet; `status` what `podium gate` exits with. `blocks` names the
    measures that hold it up.
    """

    parts: tuple[Part, ...]
    need: str  # all | any: of what shall improve
    alpha: float
    sources: Mapping[str, str]
    algorithms: Mapping[str, str]
    notes: Sequence[Note] = ()

    @property
    def kept(self) -> list[Part]:
        """What must not get worse."""
        return [part for part in self.parts if part.role == KEEP]

    @property
    def improved(self) -> list[Part]:
        """What shall get better."""
        return [part for part in self.parts if part.role == IMPROVE]

    @property
    def p(self) -> float:
        """Of the whole claim."""
        p = max((part.p for part in self.kept), default=0.0)
        better = [part.p for part in self.improved]
        if not better:
            return p
        return max(p, max(better) if self.need == ALL else min(len(better) * min(better), 1.0))

    @property
    def verdict(self) -> str:
        """Ship, no or not yet."""
        if self.p <= self.alpha:
            return SHIP
        return NO if any(part.is_worse and not part.shown for part in self.parts) else NOT_YET

    @property
    def status(self) -> int:
        """0 ship, 3 no, 4 not yet."""
        return STATUS[self.verdict]

    @property
    def is_worse(self) -> bool:
        """Whether a measure is shown to be worse than it may be."""
        return self.verdict == NO

    @property
    def blocks(self) -> list[Part]:
        """The parts that hold it up."""
        if self.verdict == SHIP:
            return []
        kept = [part for part in self.kept if not part.shown]
        any_is_enough = self.need == ANY and any(
            len(self.improved) * part.p <= self.alpha for part in self.improved
        )
        return kept + [p for p in self.improved if not p.shown and not any_is_enough]

    @property
    def told(self) -> Told:
        """The facts that words are made of."""
        return Told(self.verdict, self.parts, self.blocks, self.need, self.alpha)

    def _said(self) -> list[str]:
        return [line for lines in self.lines for line in lines]

    @property
    def lines(self) -> tuple[list[str], list[str]]:
        """What is said above the parts, and below them."""
        return [in_words.headline(self.told)], in_words.details(self.told)

    def comment(self) -> str:
        """A comment for a pull request: at most 80 words in Markdown, the rest folded."""
        return of_decision(self.told)

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"": pd.DataFrame([part.to_dict() for part in self.parts])}

    def _texts(self, most: int = 0) -> dict[str, Texts]:
        return {"": Texts(in_words.shown(self.told), ("measure", "benchmark", "asked", "shown"))}

    def _facts(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "status": self.status,
            "text": in_words.headline(self.told),
            "decision": {
                "verdict": self.verdict,
                "status": self.status,
                "p": self.p if math.isfinite(self.p) else None,
                "alpha": self.alpha,
                "rule": "intersection-union",
                "need": self.need,
                "blocks": [part.measure for part in self.blocks],
                "parts": [part.to_dict() for part in self.parts],
            },
            "alpha": self.alpha,
            "old": {"source": self.sources[OLD], "algorithm": self.algorithms[OLD]},
            "new": {"source": self.sources[NEW], "algorithm": self.algorithms[NEW]},
            "warnings": list(self.notes),
        }
