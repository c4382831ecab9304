"""What is said of boards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

from podium.base.formatting import number, printable
from podium.boards.board import RENEWED, YES, Board, Entry
from podium.boards.questions import Budget
from podium.boards.ranking import Ranking
from podium.planning.detection import Needed
from podium.verdicts.verdict import verdict
from podium.words.phrases import plain


def updated_line(live: bool) -> str:
    """Since when a page of a study is as it is."""
    return "Updates by itself." if live else f"As of {datetime.now(UTC):%Y-%m-%d %H:%M} UTC."


def headline(made: Ranking) -> str:
    """Who is best, in the words of every analysis; of a sealed board also whom it confirms."""
    if not made.board.is_sealed:
        return _on_public(made)
    return f"Confirmed best: {printable(made.board.best)}. On the public part: {_on_public(made)}"


def _on_public(made: Ranking) -> str:
    if made.comparisons is not None:
        return plain(verdict(made.comparisons, made.standing))
    if names := made.board.ranked():
        return f"{printable(names[0])} is the only submission with a score."
    return "No submission has a score yet."


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
            "for submissions that were not chosen by what this board showed."
        ]
    public, sealed = (board.block_count(sealed=part) for part in (False, True))
    budget = board.budget
    since = " since the last renewal" if board.ledger.of(RENEWED) else ""
    return [
        f"Sealed board: scores are of {public} public {_blocks_noun(board)}; {sealed} sealed ones "
        f"answer only whether a new best is better, with error {board.rules.alpha:g} over all "
        f"questions{since}, however submissions were chosen.",
        question_line(budget),
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
    known = [each for each in needed if each.blocks is not None and each.blocks > count]
    if not known:
        return f"No number of {noun} would separate the first ranks: they are too close."
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
    if not others:
        return []
    sd = (blocks[others].sub(blocks[board.best], axis=0)).std(ddof=1).median()
    finds = board.budget.finds(board.block_count(sealed=True), float(sd))
    if not math.isfinite(finds):
        return []
    return [f"The next question finds a gain of about {number(finds, 2)} in 4 of 5 cases."]
