"""How the submissions of a board stand: ranks, all that is shown as plain values, and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np

from podium.asking.boards.board import Board, Entry
from podium.asking.boards.contents import ASKED, RENEWED, YES
from podium.asking.boards.questions import Budget
from podium.asking.planning.detection import Needed, detectable_pairs, needed_of
from podium.core.base.errors import PodiumError
from podium.core.base.formatting import aligned, listed, number, printable
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.orders.decide import decide
from podium.core.verdicts.standing import Row, Standing, standing
from podium.core.verdicts.verbs import compare, layout_of
from podium.core.verdicts.verdict import verdict
from podium.core.words.phrases import MOST_TIMES, is_plan, plain

# -- ranks ----------------------------------------------------------------------------------------
# How the submissions of a board stand today, on its public part, and what it can resolve.


MOST_LISTED = 8  # submissions that were withdrawn
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
    for at, entry in enumerate(board.ledger.entries):
        if entry["event"] == ASKED and entry["answer"] == YES:
            made.append(Reign(str(entry["name"]), str(entry["time"]), at))
    return [each for each in made if each.name not in board.withdrawn]


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


# -- sentences ------------------------------------------------------------------------------------
# What is said of boards.


def updated_line(live: bool) -> str:
    """Since when a page of a study is as it is."""
    return "Updates by itself." if live else f"As of {datetime.now(UTC):%Y-%m-%d %H:%M} UTC."


def headline(made: Ranking) -> str:
    """Who is best, in the words of every analysis; of a sealed board also whom it confirms."""
    if not made.board.is_sealed:
        return _on_public(made)
    best = printable(made.board.best) or "none"
    return f"Confirmed best: {best}. On the public part: {_on_public(made)}"


def _on_public(made: Ranking) -> str:
    if made.comparisons is not None:
        return plain(verdict(made.comparisons, made.standing))
    if names := made.board.ranked():
        return f"{printable(names[0])} is the only submission with a score."
    return "No submission has a score yet."


def withdrawn_line(board: Board) -> str:
    """How many submissions were withdrawn; nothing where none was."""
    names = [printable(name) for name in board.withdrawn]
    if not names:
        return ""
    were = "1 submission was" if len(names) == 1 else f"{len(names)} submissions were"
    return f"{were} withdrawn and left out of the ranks: {listed(names, MOST_LISTED)}."


def added_line(board: Board, entry: Entry) -> str:
    """What came of adding a submission."""
    name, shown = printable(str(entry["name"])), entry["shown"]
    if shown["score"] is not None:
        score = f"{board.rules.measure.name} {number(shown['score'], 4)}"
        failed = f"; {entry['failed']} of {entry['units']} failed, counted as worst" * bool(
            entry["failed"]
        )
        return f"{name}: {score}, rank {shown['rank']} of {shown['of']} by score{failed}."
    if not shown["released"]:
        return (
            f"{name}: no gain over {printable(shown['best'])} beyond its standard error, so its "
            "score is not shown."
        )
    return f"{name}: {entry['failed']} of {entry['units']} scores failed; listed without a rank."


def answer_line(board: Board, name: str, answer: str) -> str:
    """What the sealed part answered."""
    request = next(e for e in reversed(board.ledger.entries) if e.get("question"))
    sealed = board.block_count(sealed=True)
    against = printable(str(request["against"]))
    start = (
        f"Question {request['question']} to the {sealed} sealed {_blocks_noun(board)}: is "
        f"{printable(name)} better than {against}?"
    )
    if answer == YES:
        return (
            f"{start} Yes (level {number(request['level'], 2)}): {printable(name)} is the new best."
        )
    return f"{start} Not shown (level {number(request['level'], 2)}): {against} stays the best."


def units_noun(board: Board) -> str:
    """What submissions are compared on."""
    if board.rules.named:
        return "items"
    return "data sets" if board.units["dataset"].nunique() > 1 else "samples"


def units_text(board: Board) -> str:
    """How many scores a submission has, and of what."""
    datasets = board.units["dataset"].nunique()
    if board.rules.named or datasets == 1:
        return f"{len(board.units)} {units_noun(board)}"
    sampled = (board.units["unit"] != "").any()
    return (
        f"{len(board.units)} samples of {datasets} data sets"
        if sampled
        else f"{datasets} data sets"
    )


def _blocks_noun(board: Board) -> str:
    """What was drawn by lot."""
    clustered = board.rules.named and (board.units["cluster"] != "").all()
    return "clusters of items" if clustered else units_noun(board)


def kind_lines(board: Board) -> list[str]:
    """What the kind of a board means for who reads it."""
    count = len(board.names)
    if not board.is_sealed:
        noun = units_noun(board)
        seen = "1 submission has" if count == 1 else f"{count} submissions have"
        return [
            f"Open board: all scores are shown. {seen} seen these {noun}. A new best holds only "
            "for submissions that were not chosen by what this board showed.",
            *filter(None, [withdrawn_line(board)]),
        ]
    public, sealed = (board.block_count(sealed=part) for part in (False, True))
    budget = board.budget
    since = " since the last renewal" if board.ledger.of(RENEWED) else ""
    return [
        f"Sealed board: scores are of {public} public {_blocks_noun(board)}; {sealed} sealed ones "
        f"answer only whether a new best is better, with error {board.rules.alpha:g} over all "
        f"questions{since}, however submissions were chosen.",
        question_line(budget),
        *filter(None, [withdrawn_line(board)]),
    ]


def question_line(budget: Budget) -> str:
    """How many questions were asked, and what is left."""
    text = f"{budget.asked} of {budget.most} questions asked"
    if budget.is_spent:
        return f"{text}: renew the board with new items (podium board renew)."
    return (
        f"{text}; the next is answered at level {number(budget.level, 2)}, and "
        f"{number(budget.left, 2)} of {budget.alpha:g} is left."
    )


def resolution_lines(ranking: Ranking) -> list[str]:
    """What the board can resolve today, and what would settle its first ranks."""
    lines = []
    noun, count = ranking.noun, 0
    if ranking.comparisons is not None:
        count = ranking.comparisons.blocks.count
    if math.isfinite(ranking.resolution):
        lines.append(
            f"With {count} {noun} this board finds a difference of {number(ranking.resolution, 2)} "
            f"between its first two in 4 of 5 cases."
        )
    if ranking.needed and ranking.standing is not None:
        lines.append(_needed_line(ranking.standing.lead[0], ranking.needed, noun, count))
    board = ranking.board
    if board.is_sealed and not board.budget.is_spent:
        lines += _next_question(board)
    return lines


def _needed_line(first: str, needed: Sequence[Needed], noun: str, count: int) -> str:
    known = [each for each in needed if is_plan(each.blocks, count) and (each.blocks or 0) > count]
    if not known:
        most = f"{MOST_TIMES * count:,}"
        return f"Too few {noun} to separate the first ranks: it takes more than {most}."
    (soonest, other), *rest = [(_rough(each.blocks or 0), printable(each.other)) for each in known]
    more = "".join(f", {blocks} from {name}" for blocks, name in rest)
    return (
        f"About {soonest} {noun} (now {count}) would separate {printable(first)} from "
        f"{other}{more}."
    )


def _rough(count: int) -> str:
    """A number that is a guess: of a large one two digits."""
    return str(count) if count < 1000 else f"{float(f'{count:.2g}'):,.0f}"


def _next_question(board: Board) -> list[str]:
    blocks = board.blocks(sealed=False)
    others = [n for n in board.ranked() if n != board.best]
    if not others or not board.best:
        return []
    sd = (blocks[others].sub(blocks[board.best], axis=0)).std(ddof=1).median()
    finds = board.budget.finds(board.block_count(sealed=True), float(sd))
    if not math.isfinite(finds):
        return []
    return [f"The next question finds a gain of about {number(finds, 2)} in 4 of 5 cases."]


# -- plain values ---------------------------------------------------------------------------------
# Everything that a board shows, as plain values: its JSON, its page and its screen read these.


SCHEMA = "podium-board/1"


def board_facts(made: Ranking) -> dict[str, Any]:
    """The contract's object; nothing of the sealed part but its answers."""
    board = made.board
    rules = board.rules
    return {
        "schema": SCHEMA,
        "name": rules.name,
        "kind": rules.kind,
        "measure": rules.measure.name,
        "higher_is_better": rules.measure.higher_is_better,
        "alpha": rules.alpha,
        "scores": rules.scores,
        "units": {
            "noun": units_noun(board),
            "public": int(board.of_part(sealed=False).sum()),
            "sealed": int(board.of_part(sealed=True).sum()),
            "lot": board.lot or None,
        },
        "headline": headline(made),
        "procedure": None if made.comparisons is None else made.comparisons.procedure,
        "submissions": list(_rows(made)),
        "first": [{"name": r.name, "since": r.since, "number": r.number} for r in reigns(board)],
        "rank_history": dict(rank_courses(board)),
        "resolution": {
            "difference": _number(made.resolution),
            "needed": [{"other": each.other, "blocks": each.blocks} for each in made.needed],
            "text": resolution_lines(made),
        },
        "use": _use(board),
        "ledger": {"lines": len(board.ledger.entries), "head": board.ledger.head},
        "text": kind_lines(board),
    }


def _use(board: Board) -> dict[str, Any]:
    facts: dict[str, Any] = {"submissions": len(board.names)}
    if not board.is_sealed:
        return facts | {"questions": None}
    budget = board.budget
    answers = [
        {name: entry[name] for name in ("time", "name", "against", "question", "level", "answer")}
        for entry in board.ledger.of(ASKED)
    ]
    options = {
        "asked": budget.asked,
        "most": budget.most,
        "next_level": None if budget.is_spent else budget.level,
        "left": budget.left,
        "best": board.best,
        "answers": answers,
    }
    return facts | {"questions": options}


def _rows(made: Ranking) -> Iterator[dict[str, Any]]:
    """Ranked submissions first, the best on top; then those without a score that is shown."""
    entries = {str(entry["name"]): entry for entry in made.board.submissions}
    ranked = made.board.ranked()
    stands = {row.name: row for row in made.rows}
    for name in [*(stands or ranked), *made.unranked]:
        row = stands.get(name)
        yield {
            "name": name,
            "rank": list(row.place) if row else ([1, 1] if name in ranked else None),
            "group": made.groups.get(name),
            "score": float(made.board.scores[name]) if name in ranked else None,
            "difference": _number(row.gap) if row else None,
            "lower": _number(row.lower) if row else None,
            "upper": _number(row.upper) if row else None,
            "could_be_best": row.place[0] == 1 if row else name in ranked,
            "failed": made.board.failed(name),
            "released": made.board.released(entries[name]),
            "added": entries[name]["time"],
            **_withdrawal(made.board, name),
        }


def _withdrawal(board: Board, name: str) -> dict[str, Any]:
    """Of a submission that was withdrawn when and why; nothing of the others."""
    line = board.withdrawn.get(name)
    return {} if line is None else {"withdrawn": line["time"], "because": line["because"]}


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def shown_rows(made: Ranking) -> Mapping[str, list[str]]:
    """The rows as texts, for the screen and the page."""
    rows = list(_rows(made))
    scored = [row for row in rows if row["score"] is not None]
    widths = [row["upper"] - row["lower"] for row in rows if _has_limits(row)]
    unit = min((w for w in widths if w > 0), default=1.0) / 4
    ranks = made.standing is not None and made.standing.by_ranks
    values = [row["score"] for row in scored]
    spread = (max(values, default=0.0) - min(values, default=0.0)) / 50 or 1.0
    texts = aligned(values, spread if ranks else unit, 2)
    shown = dict(zip([row["name"] for row in scored], texts, strict=True))
    return {
        "rank": [_rank_text(row["rank"]) for row in rows],
        "submission": [printable(row["name"]) for row in rows],
        made.board.rules.measure.name: [shown.get(row["name"], _unscored(row)) for row in rows],
        f"{'ranks' * ranks or 'difference'} from best": [_difference_text(r, unit) for r in rows],
        "added": [str(row["added"])[:10] for row in rows],
    }


def _has_limits(row: Mapping[str, Any]) -> bool:
    return row["lower"] is not None and row["upper"] is not None


def _rank_text(rank: list[int] | None) -> str:
    if rank is None:
        return ""
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}–{rank[1]}"


def _unscored(row: Mapping[str, Any]) -> str:
    if "withdrawn" in row:
        return "withdrawn"
    return "failed" if row["released"] else "not shown"


def _difference_text(row: Mapping[str, Any], unit: float) -> str:
    if row["difference"] is None:
        return ""
    if not _has_limits(row):
        return aligned([row["difference"]], unit, 2)[0]
    size, low, high = aligned([row["difference"], row["lower"], row["upper"]], unit, 2)
    return f"{size} ({low} to {high})"
