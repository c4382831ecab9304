"""How the submissions of a board stand today, on its public part, and what it can resolve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from podium.base.errors import PodiumError
from podium.boards.board import ASKED, YES, Board
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.layouts import Layout
from podium.orders.decide import decide
from podium.planning.detection import Needed, detectable_pairs, needed_of
from podium.verdicts.standing import Row, Standing, standing
from podium.verdicts.verbs import compare, layout_of

RIVALS = 3  # of the first, that more items would separate from it


@dataclass(frozen=True, eq=False)
class Ranking:
    """The comparisons of all submissions that have a score; none where there are fewer than two."""

    board: Board
    comparisons: Comparisons | None
    standing: Standing | None
    layout: Layout | None

    @cached_property
    def groups(self) -> Mapping[str, int]:
        """The group of every submission: those of one are not significantly different."""
        if self.comparisons is None:
            return dict.fromkeys(self.board.ranked(), 1)
        layers = decide(self.comparisons).groups
        return {name: i for i, group in enumerate(layers, 1) for name in group}

    @property
    def rows(self) -> Sequence[Row]:
        """The submissions that are ranked, the best first."""
        return () if self.standing is None else self.standing.rows

    @property
    def unranked(self) -> list[str]:
        """Submissions without a score that is shown."""
        ranked = {*self.board.ranked()}
        return [name for name in self.board.names if name not in ranked]

    @property
    def noun(self) -> str:
        """What is counted: items, data sets ..."""
        return "items" if self.comparisons is None else self.comparisons.blocks.noun

    @cached_property
    def resolution(self) -> float:
        """The smallest difference of the first two that is found in 4 of 5 cases."""
        first, second = self._first_two
        if self.comparisons is None or self.layout is None or not second:
            return float("nan")
        at = [self.layout.algorithms.index(name) for name in (first, second)]
        try:
            table = detectable_pairs(
                self.layout.only(at),
                alpha=self.comparisons.alpha,
                comparisons=len(self.comparisons.table),
            )
        except PodiumError:
            return float("nan")
        return float(table["detectable"].iloc[0]) if len(table) else float("nan")

    @property
    def _first_two(self) -> tuple[str, str]:
        names = [row.name for row in self.rows[:2]]
        return (names[0], names[1]) if len(names) == 2 else ("", "")

    @cached_property
    def needed(self) -> list[Needed]:
        """How many units would separate the first from those that could be best, too."""
        if self.comparisons is None or self.standing is None or self.layout is None:
            return []
        first, *others = self.standing.lead
        try:
            return needed_of(self.layout, self.comparisons, first, others)[:RIVALS]
        except PodiumError:
            return []


def ranking(board: Board) -> Ranking:
    """Compare the submissions of a board on its public part."""
    if len(board.ranked()) < 2:
        return Ranking(board, None, None, None)
    results = board.results()
    compared = compare(results, alpha=board.rules.alpha)
    return Ranking(board, compared, standing(compared), layout_of(results))


# -- history --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reign:
    """Who was first from when on."""

    name: str
    since: str
    number: int  # of submissions by then


def arrivals(board: Board) -> list[dict[str, float]]:
    """The submissions that are ranked, as they came, with larger scores better.

    Those of one file came at once: none of them was first before the others were there.
    """
    sign, known = board.rules.measure.sign, {*board.ranked()}
    at_once: dict[str, dict[str, float]] = {}
    for entry in board.submissions:
        if (name := str(entry["name"])) in known:
            scores = at_once.setdefault(str(entry["folder"]), {})
            scores[name] = sign * float(board.scores[name])
    return list(at_once.values())


def reigns(board: Board) -> list[Reign]:
    """Who was first by the public score when, or confirmed by the sealed part."""
    if board.is_sealed:
        return list(_confirmed(board))
    made: list[Reign] = []
    best, number = -np.inf, 0
    at = {str(e["name"]): str(e["time"]) for e in board.submissions}
    for scores in arrivals(board):
        number += len(scores)
        name = max(scores, key=scores.__getitem__)
        if scores[name] > best:
            best = scores[name]
            made.append(Reign(name, at[name], number))
    return made


def _confirmed(board: Board) -> list[Reign]:
    first = board.ledger.entries[0]
    made = [Reign(str(first["best"]), str(first["time"]), 0)]
    for number, entry in enumerate(board.ledger.entries):
        if entry["event"] == ASKED and entry["answer"] == YES:
            made.append(Reign(str(entry["name"]), str(entry["time"]), number))
    return made


def rank_courses(board: Board) -> Mapping[str, Sequence[int]]:
    """The rank by public score of every submission, once it had come and after each that did later.

    Those that come at once count as one.
    """
    so_far: dict[str, float] = {}
    courses: dict[str, list[int]] = {}
    for scores in arrivals(board):
        so_far |= scores
        values = np.array(list(so_far.values()))
        better = len(values) - np.searchsorted(np.sort(values), values, side="right")
        for name, rank in zip(so_far, better + 1, strict=True):
            courses.setdefault(name, []).append(int(rank))
    return courses
