"""Standing: how the algorithms stand to the best, or to the control, one row each.

Sentence, table, picture and terminal are made from it, so that they say the same. Gaps are free of
direction: positive is behind, whichever way the measure goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from podium.inference.bricks.scales import ranks_within
from podium.inference.comparing.comparisons import COUNTS, Comparisons
from podium.inference.comparing.decision import Decision
from podium.inference.comparing.evidence import NO_INTERVAL
from podium.inference.procedures.procedure import Control

SURE = (Control.STRONG, Control.APPROXIMATE)
MOST_CELLS = 200  # of a strip; of more data sets evenly spaced ones are shown


class Badge(Enum):
    """What is known of an algorithm in a word."""

    BEST = "best"
    MAY_BE_BEST = "could be best"
    OPEN = "inconclusive"
    BEHIND = "worse"
    REFERENCE = "reference"  # the control
    BEATS = "beats"  # the control


@dataclass(frozen=True)
class Gap:
    """How far behind the reference, with limits, and the blocks won, tied and lost against it."""

    size: float = 0.0
    lower: float = float("nan")
    upper: float = float("nan")
    won: tuple[int, ...] | None = None
    too_few: bool = False  # blocks, for an interval


NOT_COMPARED = Gap(size=float("nan"))  # with the reference, as only some pairs were


@dataclass(frozen=True)
class Row:
    """An algorithm: its place, its score, and how far it is behind the reference."""

    name: str
    place: tuple[int, int]
    score: float
    badge: Badge
    behind: Gap = Gap()
    beaten_by: tuple[str, ...] = ()
    strip: tuple[float, ...] = ()  # per data set 1 for the best, 0 for the worst

    @property
    def gap(self) -> float:
        """To the reference; positive is behind."""
        return self.behind.size

    @property
    def lower(self) -> float:
        """The limit of the gap."""
        return self.behind.lower

    @property
    def upper(self) -> float:
        """The limit of the gap."""
        return self.behind.upper

    @property
    def won(self) -> tuple[int, ...] | None:
        """Blocks won, tied and lost against the reference."""
        return self.behind.won

    @property
    def too_few(self) -> bool:
        """Whether there are too few blocks for an interval of the gap."""
        return self.behind.too_few

    @property
    def leads(self) -> bool:
        """Whether it is drawn as one of the best."""
        return self.badge in (Badge.BEST, Badge.MAY_BE_BEST, Badge.BEATS)


@dataclass(frozen=True)
class Standing:
    """All algorithms, those that may be best first."""

    rows: tuple[Row, ...]
    lead: tuple[str, ...]
    decided: int  # pairs
    open: int  # pairs; others are equivalent, or not inferior
    pairs: int
    sure: bool  # whether the error of all pairs together is held
    control: str | None = None
    by_ranks: bool = False  # scores and gaps are mean ranks
    columns: tuple[str, ...] = field(default=())  # the data sets of the strips

    @property
    def behind(self) -> list[str]:
        """Those that at least one algorithm is shown to be better than."""
        return [row.name for row in self.rows if row.name not in self.lead]

    @property
    def reference(self) -> str:
        """Whom the gaps are to."""
        return self.control or self.rows[0].name

    @property
    def undecided(self) -> bool:
        """Whether nothing is decided."""
        return not self.decided

    def row(self, name: str) -> Row:
        """The row of an algorithm."""
        return next(row for row in self.rows if row.name == name)


def standing(
    c: Comparisons, values: np.ndarray | None = None, labels: Sequence[str] = ()
) -> Standing | None:
    """How the algorithms stand; None where pairs were not compared.

    `values` (data sets x algorithms, larger is better) with `labels` make the strips.
    """
    decision = c.decision
    if decision.places is None or decision.lead is None or not len(c.table):
        return None
    names, control = decision.rows, decision.control
    beaten = {name: decision.beaten_by(name) for name in names}
    gaps = _gaps(c, control or names[0])
    strips, columns = _strips(c, names, values, labels)
    levels = c.mean_ranks or _points(c) or c.means
    rows = tuple(
        Row(
            name,
            decision.places[name],
            levels[name],
            _badge(name, decision, beaten),
            gaps.get(name, NOT_COMPARED),
            beaten[name],
            strips.get(name, ()),
        )
        for name in names
    )
    return Standing(
        rows,
        decision.lead,
        decision.significant,
        decision.inconclusive,
        decision.comparisons,
        is_sure(c),
        control,
        c.mean_ranks is not None,
        columns,
    )


def _points(c: Comparisons) -> dict[str, float] | None:
    """Of strengths: points of Elo."""
    return None if c.judged is None else c.judged.elo


def is_sure(c: Comparisons) -> bool:
    """Whether the pairs hold the family-wise error strongly, at least with many blocks."""
    how = c.judged
    if c.is_forced or how is None or how.procedure.bayes.posterior is not None:
        return False
    if len(c.table) < 2:
        return True
    if how.is_own_adjustment:
        return how.procedure.controls.kind in SURE
    return c.is_adjusted and not how.adjust.told and how.procedure.controls.kind in SURE


def _badge(name: str, made: Decision, beaten: dict[str, tuple[str, ...]]) -> Badge:
    if made.control is not None:
        if name == made.control:
            return Badge.REFERENCE
        if made.control in beaten[name]:
            return Badge.BEHIND
        return Badge.BEATS if name in beaten[made.control] else Badge.OPEN
    assert made.lead is not None
    if name not in made.lead:
        return Badge.BEHIND
    if not made.significant:
        return Badge.OPEN
    return Badge.BEST if len(made.lead) == 1 else Badge.MAY_BE_BEST


def _gaps(c: Comparisons, whom: str) -> dict[str, Gap]:
    """Of the others: how far behind `whom`, with limits, and the blocks won, tied and lost."""
    t = c.pairs
    ours = t[(t["first"] == whom) | (t["second"] == whom)]
    gaps = {whom: Gap()}
    wide = (note.pairs for note in c.warnings if note.code == NO_INTERVAL)
    unknown = {frozenset(pair) for pairs in wide for pair in pairs}
    for row in ours.to_dict("records"):
        ahead = row["first"] == whom
        sign = c.sign * (c.factor if ahead else -c.factor)
        low, high = (sign * row[end] for end in ("lower", "upper")[:: 1 if sign > 0 else -1])
        won = tuple(int(row[name]) for name in COUNTS) if COUNTS[0] in row else None
        turned = won[::-1] if won and ahead else won
        other = row["second"] if ahead else row["first"]
        few = frozenset((whom, other)) in unknown
        gaps[other] = Gap(sign * row["estimate"], low, high, turned, few)
    return gaps


def _strips(
    c: Comparisons, names: Sequence[str], values: np.ndarray | None, labels: Sequence[str]
) -> tuple[dict[str, tuple[float, ...]], tuple[str, ...]]:
    """Per algorithm its standing on every data set, those with the same winner side by side."""
    if values is None or len(labels) < 2 or len(labels) != len(values):
        return {}, ()
    columns = [c.algorithms.index(name) for name in names]
    ranks = ranks_within(values[:, columns])
    count = np.maximum((~np.isnan(ranks)).sum(axis=1, keepdims=True) - 1, 1)
    good = 1 - (ranks - 1) / count
    winner = np.where(np.isnan(ranks), np.inf, ranks).argmin(axis=1)
    second = np.nan_to_num(good[:, 0], nan=-1.0)
    arranged = np.lexsort((-second, winner))
    if len(arranged) > MOST_CELLS:
        arranged = arranged[np.linspace(0, len(arranged) - 1, MOST_CELLS).round().astype(int)]
    strips = {name: tuple(good[arranged, i].tolist()) for i, name in enumerate(names)}
    return strips, tuple(str(labels[i]) for i in arranged)
