"""Everything that a board shows, as plain values: its JSON, its page and its screen read these."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from podium.base.formatting import aligned, printable
from podium.boards.board import ASKED, Board
from podium.boards.ranking import Ranking, rank_courses, reigns
from podium.boards.words import headline, kind_lines, resolution_lines, units_noun

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
        }


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
    return "failed" if row["released"] else "not shown"


def _difference_text(row: Mapping[str, Any], unit: float) -> str:
    if row["difference"] is None:
        return ""
    if not _has_limits(row):
        return aligned([row["difference"]], unit, 2)[0]
    size, low, high = aligned([row["difference"], row["lower"], row["upper"]], unit, 2)
    return f"{size} ({low} to {high})"
