"""The site of a board: static files, which any web host can serve."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from podium.base.formatting import number, printable, short
from podium.base.writing import make_folder, write_text
from podium.boards.board import ASKED, Board, load
from podium.boards.facts import board_facts, shown_rows
from podium.boards.ledger import Entry
from podium.boards.pages import read_file, rendered
from podium.boards.ranking import Ranking, ranking

CHARTED = 8  # submissions whose ranks are drawn
WIDTH, HEIGHT, NAMES = 720, 260, 160  # of the chart, and of the names beside it
LONGEST = 24  # letters of a name there
SHOWN = 10  # of a rank that is drawn
INDEX, HISTORY, DATA, SCHEMA, BADGE = (
    "index.html",
    "history.html",
    "board.json",
    "board.schema.json",
    "badge.svg",
)


def build(board: Board | str | Path, folder: str | Path) -> list[Path]:
    """Write the site of a board.

    Parameters
    ----------
    board : Board | str | Path
        The board or its folder.
    folder : str | Path
        Where the files go.

    Returns
    -------
    list of Path
        index.html, history.html, board.json with its schema, and badge.svg.

    Examples
    --------
    >>> import tempfile, pathlib, podium
    >>> here = pathlib.Path(tempfile.mkdtemp())
    >>> rows = "".join(f"q{i},{i % 2},{int(i % 3 > 0)}\\n" for i in range(60))
    >>> _ = (here / "items.csv").write_text("item,owl,fox\\n" + rows)
    >>> board = podium.boards.new(here / "items.csv", here / "board", measure="accuracy")
    >>> [path.name for path in podium.boards.build(board, here / "site")][0]
    'index.html'
    """
    made = ranking(board if isinstance(board, Board) else load(board))
    make_folder(folder)
    paths = []
    for name, text in site_files(made).items():
        write_text(text, Path(folder) / name)
        paths.append(Path(folder) / name)
    return paths


def site_files(made: Ranking) -> dict[str, str]:
    """The files of a site by name."""
    facts = board_facts(made)
    return {
        INDEX: _index(made, facts),
        HISTORY: rendered(
            "history.html",
            f"{facts['name']}: history",
            facts=facts,
            entries=[_messages(made.board, entry) for entry in made.board.ledger.entries],
        ),
        DATA: json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        SCHEMA: read_file(SCHEMA),
        BADGE: badge(made, facts),
    }


def _index(made: Ranking, facts: Mapping[str, Any]) -> str:
    texts = shown_rows(made)
    heads = list(texts)
    columns = [{"name": head, "number": i in (0, 2, 3)} for i, head in enumerate(heads)]
    interval = f"{100 * (1 - facts['alpha']):g} % CI"
    more = ((interval, False), ("group", True), ("failed", True))
    columns[4:4] = [{"name": name, "number": number} for name, number in more]
    scale = _scale(facts["submissions"])
    rows = [
        {
            "best": row["could_be_best"],
            "cells": list(_cells(row, [texts[h][i] for h in heads], scale)),
        }
        for i, row in enumerate(facts["submissions"])
    ]
    chart = _chart(facts)
    return rendered(
        "board.html",
        facts["name"],
        "board.js",
        facts=facts,
        columns=columns,
        rows=rows,
        chart=chart,
    )


def _cell(text: str, value: float | None = None, bar: Any = None) -> dict[str, Any]:
    return {"text": text, "value": value, "bar": bar}


def _cells(
    row: Mapping[str, Any], texts: Sequence[str], scale: tuple[float, float]
) -> Iterator[dict[str, Any]]:
    rank, name, score, difference, added = texts
    yield _cell(rank, None if row["rank"] is None else row["rank"][0] + row["rank"][1] / 1e6)
    yield _cell(name)
    yield _cell(score, row["score"])
    yield _cell(difference, row["difference"])
    yield _cell("", row["difference"], _bar(row, scale))
    yield _cell("" if row["group"] is None else str(row["group"]), row["group"])
    yield _cell(str(row["failed"]) if row["failed"] else "", row["failed"])
    yield _cell(added)


def _scale(rows: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    ends = [row[end] for row in rows for end in ("lower", "upper") if row[end] is not None]
    return min([0.0, *ends]), max([0.0, *ends])


def _bar(row: Mapping[str, Any], scale: tuple[float, float]) -> tuple[float, float, float] | None:
    """Start, width and middle of an interval in percent."""
    low, high = scale
    if row["lower"] is None or row["upper"] is None or high <= low:
        return None
    start, end, at = (98 * (row[k] - low) / (high - low) for k in ("lower", "upper", "difference"))
    return round(start, 2), round(max(end - start, 0.5), 2), round(at, 2)


def _messages(board: Board, entry: Entry) -> dict[str, Any]:
    """What the public may know of a line."""
    shown = ""
    if entry["event"] == ASKED:
        shown = f"{entry['answer']}, at level {number(entry['level'], 2)}"
    elif (facts := entry.get("shown")) and facts["score"] is not None:
        score = number(facts["score"], 4)
        shown = f"{board.rules.measure.name} {score}, rank {facts['rank']} of {facts['of']}"
    return {
        "number": entry["number"],
        "time": entry["time"],
        "event": entry["event"],
        "name": printable(str(entry.get("name", ""))),
        "shown": printable(shown),
        "hash": entry["hash"][:16],
    }


# -- pictures -------------------------------------------------------------------------------------


def _chart(facts: Mapping[str, Any]) -> dict[str, Any] | None:
    """The ranks over time of those that stand first today."""
    courses = facts["rank_history"]
    total = max((len(course) for course in courses.values()), default=0)
    if total < 3:
        return None
    first = [row["name"] for row in facts["submissions"] if row["name"] in courses][:CHARTED]
    lowest = min(max(max(courses[name]) for name in first), max(SHOWN, CHARTED))
    step, down = (WIDTH - NAMES - 20) / (total - 1), (HEIGHT - 40) / max(lowest - 1, 1)
    lines, taken = [], set[int]()
    for name in first:
        course = [min(rank, lowest) for rank in courses[name]]
        start = total - len(course)
        at = [(10 + step * (start + i), 20 + down * (rank - 1)) for i, rank in enumerate(course)]
        place = course[-1]
        while place in taken:  # names below each other
            place += 1
        taken.add(place)
        lines.append({
            "name": name,
            "label": printable(short(name, LONGEST)),
            "points": " ".join(f"{x:.1f},{y:.1f}" for x, y in (at * 2 if len(at) == 1 else at)),
            "x": WIDTH - NAMES,
            "y": round(24 + down * (place - 1) if place <= lowest else HEIGHT - 8, 1),
        })  # fmt: skip
    return {"width": WIDTH, "height": HEIGHT, "lines": lines}


def badge(made: Ranking, facts: Mapping[str, Any]) -> str:
    """A small picture: the board, and who is best."""
    left = printable(short(facts["name"], 30))
    rows = [row for row in facts["submissions"] if row["score"] is not None]
    lead = [row["name"] for row in rows if row["could_be_best"]]
    if made.board.is_sealed:
        right = short(made.board.best, 30)
    elif len(lead) == 1:
        right = f"{short(lead[0], 30)} {number(rows[0]['score'], 3)}"
    else:
        right = f"{len(lead)} could be best" if lead else "no score yet"
    right = printable(right)
    a, b = (10 + 7 * len(text) for text in (left, right))
    texts = [(a / 2, left), (a + b / 2, right)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{a + b}" height="20" role="img" '
        f'aria-label="{escape(left)}: {escape(right)}"><rect width="{a}" height="20" '
        f'fill="#444c56"/><rect x="{a}" width="{b}" height="20" fill="#0b57d0"/>'
        '<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">'
        + "".join(f'<text x="{x:g}" y="14">{escape(text)}</text>' for x, text in texts)
        + "</g></svg>\n"
    )
