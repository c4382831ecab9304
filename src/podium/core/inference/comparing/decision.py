"""The decision of an analysis: made once, from the table of pairs; all that is shown reads it.

A pair is significant exactly where its verdict is `better` or `worse`, and evidence gives these
verdicts exactly where the limits that it shows exclude 0 or the margin (`evidence.py`). Everything
else follows from the verdicts: ranks, who could be best, the order of the rows, the counts.
A pair that is `withheld` is inconclusive everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.core.base.formatting import natural

BETTER, WORSE, UNDECIDED, WITHHELD = "better", "worse", "undecided", "withheld"
SIGNIFICANT = (BETTER, WORSE)
INCONCLUSIVE = (UNDECIDED, WITHHELD)
RANKS, MEANS = "ranks", "means"  # what decides who is ahead
EQUAL = 1e-12  # of the largest estimate: smaller ones are rounding
Places = Mapping[str, tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Decision:
    """Who beats whom, and all that follows from it."""

    decides: str  # ranks, means, or what else is estimated (medians, strengths)
    algorithms: tuple[str, ...]
    beats: NDArray[np.bool_]  # [i, j]: i is significantly better than j
    ahead: NDArray[np.float64]  # [i, j]: the estimate in favour of i; NaN where not compared
    places: Places | None  # the lowest and the highest rank that the verdicts allow
    lead: tuple[str, ...] | None  # whom nobody beats, in the order of the line
    # all, as far ahead as verdicts, then estimates, then levels put them; by a posterior verdicts,
    # then the chance to be the best
    line: tuple[str, ...]
    blocks: int
    comparisons: int
    significant: int
    inconclusive: int
    withheld: tuple[tuple[str, str], ...] = ()
    control: str | None = None

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """All, in the order in which they are shown: those that could be best first."""
        lead = frozenset(self.lead or self.line)
        return tuple(sorted(self.line, key=lambda name: name not in lead))

    @property
    def first(self) -> str:
        """Who stands first: no estimate puts it behind another one, where there is such a one."""
        return self.line[0]

    @property
    def is_settled(self) -> bool:
        """Whether every comparison of several is significant."""
        return self.significant == self.comparisons > 1

    @property
    def intransitive(self) -> tuple[tuple[str, str, str], ...]:
        """Three of whom the first beats the second and this the third, which the first does not."""
        if self.control is not None:
            return ()
        names, b = self.algorithms, self.beats
        known = ~np.isnan(self.ahead)
        weights = b.astype(np.float32)  # a product, as K x K x K truths would fill the memory
        broken = np.argwhere((weights @ weights > 0) & ~b & known & ~b.T)
        triples = [(i, j, k) for i, k in broken for j in np.flatnonzero(b[i] & b[:, k])]
        return tuple((names[i], names[j], names[k]) for i, j, k in sorted(triples))

    def beaten_by(self, name: str) -> tuple[str, ...]:
        """Those that beat an algorithm, in the order of the rows."""
        column = self.beats[:, self.algorithms.index(name)]
        beating = {a for a, yes in zip(self.algorithms, column, strict=True) if yes}
        return tuple(a for a in self.rows if a in beating)

    def to_dict(self) -> dict[str, Any]:
        """The facts of the contract, and those that a page needs besides."""
        return {
            "decides": self.decides,
            "places": self.places,
            "lead": None if self.lead is None else list(self.lead),
            "best_set": None if self.lead is None else list(self.lead),
            "rows": list(self.rows),
            "comparisons": {
                "count": self.comparisons,
                "significant": self.significant,
                "inconclusive": self.inconclusive,
                "withheld": [list(pair) for pair in self.withheld],
            },
        }


@dataclass(frozen=True)
class Kind:
    """What a decision needs to know besides pairs."""

    decides: str = MEANS
    sign: int = 1  # turns estimates into larger-is-better
    blocks: int = 0
    control: str | None = None
    remaining: tuple[str, ...] | None = None  # of a race: those that were not dropped
    chances: Mapping[str, float] | None = None  # by a posterior: how likely each is the best
    contrasts: bool = False  # rows are contrasts of the user's own: nobody is ranked


def decision(
    table: pd.DataFrame, algorithms: tuple[str, ...], levels: Mapping[str, float], kind: Kind
) -> Decision:
    """The decision that a table of pairs makes; `levels` (larger is better) tell equals apart."""
    verdicts = table["verdict"]
    facts: dict[str, Any] = {
        "decides": kind.decides,
        "algorithms": algorithms,
        "blocks": kind.blocks,
        "comparisons": len(table),
        "significant": int(verdicts.isin(SIGNIFICANT).sum()),
        "inconclusive": int(verdicts.isin(INCONCLUSIVE).sum()),
        "withheld": _names(table[verdicts == WITHHELD]),
        "control": kind.control,
    }
    if kind.contrasts or len(algorithms) < 2:
        nothing = np.zeros((len(algorithms),) * 2)
        line = _line(nothing > 0, nothing, algorithms, levels)
        return Decision(
            beats=nothing > 0, ahead=nothing + np.nan, places=None, lead=None, line=line, **facts
        )
    beats, ahead = _matrices(table, algorithms, kind.sign)
    if kind.remaining is not None:
        return _raced(kind.remaining, algorithms, levels, ahead, facts)
    if kind.chances is None:
        line = _line(beats, ahead, algorithms, levels)
    else:  # which the headline goes by; estimates may be of something else
        line = _line(beats, np.full_like(ahead, np.nan), algorithms, kind.chances)
    lost = dict(zip(algorithms, beats.sum(axis=0).tolist(), strict=True))
    won = dict(zip(algorithms, beats.sum(axis=1).tolist(), strict=True))
    places = {a: (1 + lost[a], len(algorithms) - won[a]) for a in algorithms}
    lead = tuple(name for name in line if not lost[name])
    return Decision(beats=beats, ahead=ahead, places=places, lead=lead, line=line, **facts)


def _raced(
    remaining: Sequence[str],
    algorithms: tuple[str, ...],
    levels: Mapping[str, float],
    ahead: NDArray[np.float64],
    facts: dict[str, Any],
) -> Decision:
    """Of a race, which claims that the best is among those left and orders nobody."""
    none = np.zeros_like(ahead, dtype=bool)
    line = _line(none, ahead, algorithms, levels)
    lead = tuple(name for name in line if name in remaining)
    k, left = len(algorithms), len(lead)
    first = (1, 1) if left == 1 else (1, k)
    places = {name: first if name in remaining else (2, k) for name in algorithms}
    facts |= {"comparisons": k - 1, "significant": k - left, "inconclusive": left - 1}
    return Decision(beats=none, ahead=ahead, places=places, lead=lead, line=line, **facts)


def _names(table: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    pairs = zip(table["first"].astype(str), table["second"].astype(str), strict=True)
    return tuple(pairs)


def _matrices(
    table: pd.DataFrame, algorithms: tuple[str, ...], sign: int
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Who beats whom, and whom the estimates put ahead by how much."""
    place = {name: i for i, name in enumerate(algorithms)}
    first, second = (table[end].map(place).to_numpy(int) for end in ("first", "second"))
    k = len(algorithms)
    beats, ahead = np.zeros((k, k), dtype=bool), np.full((k, k), np.nan)
    beats[first, second] = (table["verdict"] == BETTER).to_numpy(bool)
    beats[second, first] = (table["verdict"] == WORSE).to_numpy(bool)
    ahead[first, second] = sign * table["estimate"].to_numpy(float)
    ahead[second, first] = -ahead[first, second]
    return beats, ahead


def _line(
    beats: NDArray[np.bool_],
    ahead: NDArray[np.float64],
    algorithms: tuple[str, ...],
    levels: Mapping[str, float],
) -> tuple[str, ...]:
    """All algorithms, each as far ahead as verdicts, then estimates, then levels allow.

    With gaps estimates are of the blocks that two share, and may contradict the levels of all
    blocks, or each other: then the level breaks the circle.
    """
    size = float(np.nanmax(np.abs(ahead), initial=0.0))
    behind = np.nan_to_num(ahead) > EQUAL * size  # [i, j]: an estimate puts j behind i
    usual = sorted(range(len(algorithms)), key=lambda i: _by_level(algorithms[i], levels))
    left = np.array(usual, dtype=int)
    line: list[int] = []
    while len(left):
        among = np.ix_(left, left)
        beaten, late = beats[among].any(axis=0), behind[among].any(axis=0)
        chosen = int(np.lexsort((np.arange(len(left)), late, beaten))[0])
        line.append(int(left[chosen]))
        left = np.delete(left, chosen)
    return tuple(algorithms[i] for i in line)


def _by_level(name: str, levels: Mapping[str, float]) -> tuple[float, Any]:
    level = levels.get(name, np.nan)
    return (-level if level == level else np.inf, natural(name))
