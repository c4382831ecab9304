"""Changed times on the screen of `podium analyze old.json new.json`, and on a page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.asking.comparison.analysis import Analysis
from podium.asking.timings import words
from podium.asking.timings.ratios import FASTER, SLOWER, Changes
from podium.core.base.formatting import cells, columns, screen, shortened, wrapped
from podium.core.words.facts import CAUTION
from podium.core.words.phrases import capital, level
from podium.core.words.saying import IN_NOTEBOOKS
from podium.core.words.saying import say as in_words
from podium.showing.reports.board import chips
from podium.showing.reports.document import (
    Axis,
    Card,
    Column,
    Content,
    Row,
    Text,
    View,
    hero,
    readable,
    section,
)
from podium.showing.reports.page import notebook
from podium.showing.screens.terminal import ABOUT
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import glyphs, say_lines

if TYPE_CHECKING:
    from podium.asking.timings.ratios import Changes


# -- in a terminal --------------------------------------------------------------------------------
# `podium analyze old.json new.json`: the screen of changed times.


MOST_ROWS = 12
LEAST, WIDEST = 12, 26  # columns that limits are drawn on


def say_changes(t: Changes, *, pairs: bool = False, why: bool = False) -> None:
    """The headline, every benchmark with its change, and labelled lines."""
    from podium.showing.screens.standings import coloured, say_label

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
    from podium.showing.screens import terminal as lines

    yield lines.ABOUT, [words.about(t)]
    yield lines.TEST, [f"{words.tested(t)}."]
    yield (
        lines.CARE,
        [in_words(note) for note in t.notes if why or note.severity is CAUTION],
    )
    if settled := words.settle_text(t):
        yield lines.NEXT, [settled]


# -- on a page ------------------------------------------------------------------------------------
# Changed times on a page: every benchmark with its ratio and all runs, what got slower first.


TICKS = (0.1, 0.2, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0)
FEWEST_TICKS, MOST_TICKS = 2, 6
STEPS = (1e-4, 2e-4, 5e-4, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)  # of ticks close to 1
STATES = {SLOWER: "bad", FASTER: "good"}
CUT = 1, 99  # percentiles of all runs: dots beyond stand at the edge


OTHERS = ("comparisons", "scores", "values", "stability", "datasets", "tests", "methods")


@hero("timings", place=7, of_results=True, without=OTHERS)  # they are of benchmarks like these
def timings(analysis: Analysis) -> list[View]:
    """Nothing where they are no times of two versions."""
    result = analysis.result_of(Changes)
    return [] if result is None else [changes_view(result)]


def changes_view(t: Changes) -> View:
    """The view of changes."""
    before, name, after = words.headline_parts(t)
    unit, symbol = words.unit_of(t.table["old"].tolist())
    old, new = (capital(version) if len(version) < 12 else version for version in t.versions)
    are_short = all(len(version) < 12 for version in t.versions)
    sides = dict(zip(("old", "new"), t.versions if are_short else ("old", "new"), strict=True))
    places = _places(t)
    settled = words.settle_text(t)
    return View(
        tuple(p for p in ((before, False), (name, True), (after, False)) if p[0]),
        columns=(
            Column("name", "name", words.HEADS["name"]),
            Column("old", "number", f"{old}, {symbol}", wide=True),
            Column("new", "number", f"{new}, {symbol}", wide=True),
            Column("interval", "interval", words.HEADS["interval"].format(**sides)),
            Column("difference", "estimate", words.HEADS["change"].format(level=level(t.alpha))),
            Column("dots", "dots", words.HEADS["runs"].format(**sides), wide=True),
            Column("verdict", "text", "Verdict", wide=True),
        ),
        rows=tuple(_rows(t, unit, places)),
        sentence=words.sentence(t),
        about=f"{ABOUT} {words.about(t)}.",
        chips=tuple(chips(t.notes)),
        cards=tuple(
            Card(question, text)
            for question, text in zip(words.QUESTIONS, (words.quiet_text(t), settled), strict=True)
            if text
        ),
        axis=_axis(t),
        key=words.KEY,
        title=words.page_title(t),
        facts=words.page_facts(t),
    )


def _rows(t: Changes, unit: float, places: Mapping[str, list[list[float]]]) -> Iterator[Row]:
    for row in t.table.to_dict("records"):
        ends = {"v": "ratio", "lo": "lower", "hi": "upper"}
        cells: dict[str, Any] = {
            "old": (words.time_text(row["old"], unit), row["old"]),
            "new": (words.time_text(row["new"], unit), row["new"]),
            "interval": {key: math.log(row[column]) for key, column in ends.items()},
            "difference": (*words.change_text(row), row["ratio"]),
            "dots": places[row["benchmark"]],
            "verdict": words.verdict_text(row["verdict"]),
        }
        yield Row(row["benchmark"], cells, state=STATES.get(row["verdict"], ""))


def _axis(t: Changes) -> Axis:
    """Ratios on a logarithmic scale."""
    low = min(math.log(float(t.table["lower"].min())), 0.0)
    high = max(math.log(float(t.table["upper"].max())), 0.0)
    inside = [v for v in TICKS if low <= math.log(v) <= high]
    if len(inside) < FEWEST_TICKS:
        reach = max(math.expm1(high), -math.expm1(low), 1e-4)
        step = next(s for s in STEPS if s >= reach / 3)
        near_one = (round(1 + i * step, 4) for i in range(-3, 4))
        inside = [v for v in near_one if low <= math.log(v) <= high]
    near = sorted(sorted(inside, key=lambda v: abs(math.log(v)))[:MOST_TICKS])
    return Axis(low, high, tuple((math.log(v), f"{v:g}×") for v in near), 0.0)


def _places(t: Changes) -> dict[str, list[list[float]]]:
    """Where the dots of all runs lie, as shares of one logarithmic scale around the old times."""
    logs = {
        name: [np.log(np.asarray(side)) - np.mean(np.log(pair[0])) for side in pair]
        for name, pair in t.runs.items()
    }
    every = np.concatenate([side for pair in logs.values() for side in pair])
    low, high = np.percentile(every, CUT)
    wide = (high - low) or 1.0
    return {
        name: [[round(float(v), 3) for v in np.clip((side - low) / wide, 0, 1)] for side in pair]
        for name, pair in logs.items()
    }


@section("benchmarks", "All benchmarks", place=14)
def benchmarks(analysis: Analysis) -> Content | None:
    """All numbers of all benchmarks."""
    t = analysis.result_of(Changes)
    if t is None:
        return None
    text = Text((words.methods(t),), copied=True)
    shown = t.table.assign(needed=t.table["needed"].where(words.are_plans(t.table)))
    return Content(words.tested(t), (readable("", shown, words.COLUMNS), text))


IN_NOTEBOOKS[Changes] = lambda t: notebook(changes_view(t))
