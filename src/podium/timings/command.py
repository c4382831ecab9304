"""`podium analyze old.json new.json`: the screen of changed times."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from podium.base.formatting import cells, columns, screen, shortened, wrapped
from podium.cli.main import say
from podium.cli.writing import glyphs, say_lines
from podium.timings import words
from podium.timings.ratios import WHOLE
from podium.words.facts import CAUTION
from podium.words.saying import say as in_words

if TYPE_CHECKING:
    from podium.reading.results import Results
    from podium.timings.ratios import Changes

MOST_ROWS = 12
LEAST, WIDEST = 12, 26  # columns that limits are drawn on


def timings_answer(results: Results, _options: Mapping[str, Any]) -> Changes:
    """The changes that screen, JSON and page share."""
    return cast("Changes", results.design[WHOLE]())


def say_changes(t: Changes, *, pairs: bool = False, why: bool = False) -> None:
    """The headline, every benchmark with its change, and labelled lines."""
    from podium.verdicts.standings import coloured, say_label

    width = screen()
    say(coloured(wrapped(words.headline(t), width, "  "), bold=True))
    say(wrapped(words.sentence(t), width))
    say()
    most = len(t.table) if pairs or len(t.table) <= MOST_ROWS + 1 else MOST_ROWS
    say_lines(_table(t, most, width))
    if most < len(t.table):
        say(f"    {words.counts_text(t, len(t.table) - most)}")
    say()
    for label, texts in labelled(t, why=why):
        say_label(label, texts, width)


def _table(t: Changes, most: int, width: int) -> str:

    rows = t.table.head(most).to_dict("records")
    unit, symbol = words.unit_of(t.table["old"].tolist())
    short = shortened(t.table["benchmark"].tolist(), 24)
    texts = [" ".join(words.change_text(row)) for row in rows]
    table = {
        "benchmark": [short[row["benchmark"]] for row in rows],
        f"old {symbol}": [words.time_text(row["old"], unit) for row in rows],
        f"new {symbol}": [words.time_text(row["new"], unit) for row in rows],
    }
    verdicts = [words.verdict_text(row["verdict"]) for row in rows]
    taken = sum(max(map(cells, (head, *column))) + 2 for head, column in table.items()) + 2
    room = width - taken - max(map(cells, texts)) - max(map(cells, verdicts)) - 6
    head = "faster | slower"
    if room >= max(LEAST, len(head)):
        table[head] = _drawn(rows, min(room, WIDEST))
    table["change (95 % CI)" if t.alpha == 0.05 else "change (CI)"] = texts
    table["verdict"] = verdicts
    spare = [f"old {symbol}", f"new {symbol}"]  # left out where there is no room
    return columns(table, left=["benchmark", head, "verdict"], indent="  ", spare=spare, room=width)


def _drawn(rows: Sequence[Mapping[str, Any]], room: int) -> list[str]:
    """Limits on one logarithmic scale, with a line at no change."""
    logs = [[math.log(row[key]) for key in ("ratio", "lower", "upper")] for row in rows]
    low, high = min(0.0, *(r[1] for r in logs)), max(0.0, *(r[2] for r in logs))
    signs = glyphs()

    def column(value: float) -> int:
        return round((value - low) / ((high - low) or 1.0) * (room - 1))

    lines = []
    for ratio, lower, upper in logs:
        line = [" "] * room
        start, end = column(lower), column(upper)
        line[start : end + 1] = signs.bar * (end - start + 1)
        zero = column(0.0)
        line[zero] = signs.cross if line[zero] == signs.bar else signs.zero
        line[column(ratio)] = signs.dot
        lines.append("".join(line))
    return lines


def labelled(t: Changes, *, why: bool) -> Iterator[tuple[str, list[str]]]:
    """What it holds for, the test, caveats, and what would settle the rest."""
    from podium.verdicts import terminal as lines

    yield lines.ABOUT, [words.about(t)]
    yield lines.TEST, [f"{words.tested(t)}."]
    yield (
        lines.CARE,
        [in_words(note) for note in t.notes if why or note.severity is CAUTION],
    )
    if settled := words.settle_text(t):
        yield lines.NEXT, [settled]
