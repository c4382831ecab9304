"""A gate as a comment on a pull request: at most 80 words, the rest folded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from podium.base.formatting import markdown, number, printable
from podium.gates import decision_words, words
from podium.gates.parts import NO, SHIP
from podium.gates.parts import Told as DecisionTold
from podium.questions.measures import TIMES
from podium.reading.cells.measure_names import is_share, known_measure
from podium.words.phrases import counted, is_are, joined

MOST_ROWS = 3  # that are not folded
MOST_WORDS = 80
SIGNS = {words.NOT_WORSE: "✅", words.WORSE: "❌", words.UNDECIDED: "⚠️", words.NOT_SHOWN: "✅",
         "ship": "✅", "no": "❌", "not yet": "⚠️"}  # fmt: skip
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


@dataclass(frozen=True)
class Line:
    """A row of the table."""

    name: str
    measure: str
    old: float
    new: float
    lower: float  # of new - old
    upper: float
    is_reason: bool  # whether the verdict rests on it


def of_gate(t: words.Told) -> str:
    """The comment of a gate on one measure."""
    held_up = t.verdict in (words.WORSE, words.UNDECIDED)
    named = "benchmark" if len(t.rows) > 1 else "measure"
    lines = [
        Line(str(row[named]), str(row["measure"]), row["old"],
             row["new"], row["lower"], row["upper"], held_up and row["verdict"] == t.verdict)
        for row in t.rows
    ]  # fmt: skip
    head = f"### {SIGNS[t.verdict]} {_gate_title(t, lines)}"
    counts = {v: sum(row["verdict"] == v for row in t.rows) for v in words.VERDICTS}
    texts = [f"{n} {is_are(n)} {v}" for v, n in counts.items() if n]
    margin = f"Margin {t.margin_text}: " if t.margin is not None else "No margin: "
    several = len(t.rows) > 1
    summary = (
        f"{margin}of {counted(len(t.rows), 'benchmark')} {', '.join(texts)}." if several else ""
    )
    test = f"One-sided at {100 * t.alpha:g} %, all together; compared by {printable(t.block)}."
    return _comment(head, summary, lines, test)


def _gate_title(t: words.Told, lines: Sequence[Line]) -> str:
    """The verdict with the change in percent or points."""
    reasons = [line for line in lines if line.is_reason]
    names = [f"{printable(line.name)} {_by(line)}" for line in reasons[:2]]
    if t.verdict == words.WORSE:
        more = f" and {len(reasons) - 2} more" if len(reasons) > 2 else ""
        return f"Worse: {markdown(', '.join(names))}{more}"
    if t.verdict == words.UNDECIDED:
        names = [printable(line.name) for line in reasons]
        what = f"a loss of {t.margin_text}" if t.margin is not None else "a loss"
        return f"Cannot rule out {what}: {markdown(joined(names, 2))}"
    if t.verdict == words.NOT_SHOWN:
        return "No loss is shown (add --margin to show that there is none)"
    if len(lines) == 1:
        return f"Not worse by {t.margin_text} or more: {markdown(printable(lines[0].name))}"
    return f"No benchmark is worse by {t.margin_text} or more"


def of_decision(t: DecisionTold) -> str:
    """The comment of a decision on several measures."""
    lines = [
        Line(printable(" ".join(filter(None, (p.measure, p.benchmark)))), p.measure, p.old, p.new,
             p.lower, p.upper, p in t.blocks)
        for p in t.parts
    ]  # fmt: skip
    verb = {SHIP: "Ship", NO: "Do not ship"}.get(t.verdict, "Not yet")
    names = [printable(p.measure) for p in t.blocks]
    head = f"### {SIGNS[t.verdict]} {verb}" + (f": {markdown(joined(names, 2))}" if names else "")
    said = decision_words.headline(t)
    summary = said if len(said.split()) <= 30 else ""
    return _comment(
        head, markdown(summary), lines, f"One-sided at {100 * t.alpha:g} %, each alone."
    )


# -- the parts ------------------------------------------------------------------------------------


def _comment(head: str, summary: str, lines: Sequence[Line], test: str) -> str:
    """Title, one line, the rows that decide, and the others folded."""
    reasons = [line for line in lines if line.is_reason] or list(lines[:1])
    while True:
        first = reasons[:MOST_ROWS]
        others = [line for line in lines if line not in first]
        parts = [head, summary, _table(first), _folded(others), test]
        text = "\n\n".join(part for part in parts if part) + "\n"
        if words_in(text) <= MOST_WORDS:
            return text
        if len(first) > 1:
            reasons = first[:-1]
        elif summary:
            summary = ""
        else:
            return text


def words_in(text: str) -> int:
    """Words that are shown before anything is unfolded."""
    before, _, rest = text.partition("<details>")
    shown = before + rest.partition("</details>")[2]
    return sum(any(c.isalnum() for c in word) for word in shown.replace("|", " ").split())


def _table(lines: Sequence[Line]) -> str:
    head = "| | old | new | change |\n|---|--:|--:|--:|"
    return "\n".join([head, *map(_row, lines)])


def _row(line: Line) -> str:
    old, new = _values(line)
    name = f"**{markdown(printable(line.name))}**" if line.is_reason else markdown(
        printable(line.name)
    )  # fmt: skip
    return f"| {name} | {old} | {new} | {_change(line)} |"


def _folded(lines: Sequence[Line]) -> str:
    if not lines:
        return ""
    title = f"{len(lines)} other{'s' * (len(lines) > 1)}"
    return f"<details><summary>{title}</summary>\n\n{_table(lines)}\n\n</details>"


def _values(line: Line) -> tuple[str, str]:
    """Old and new with their unit."""
    measure = known_measure(line.measure)
    if measure is not None and is_share(measure):
        return f"{100 * line.old:.1f} %", f"{100 * line.new:.1f} %"
    if measure is not None and measure.spec in TIMES and line.old > 0:
        size, unit = next((u for u in UNITS if line.old >= u[0]), UNITS[-1])
        return f"{number(line.old / size, 3)} {unit}", f"{number(line.new / size, 3)} {unit}"
    unit = f" {measure.unit}" if measure is not None and measure.unit else ""
    return f"{number(line.old, 4)}{unit}", f"{number(line.new, 4)}{unit}"


def _scale(line: Line) -> tuple[float, str]:
    """What a difference is multiplied by, and what it then is: points, percent or the unit."""
    measure = known_measure(line.measure)
    if measure is not None and is_share(measure):
        return 100.0, "points"
    return (100 / line.old, "%") if line.old > 0 else (1.0, "")


def _change(line: Line) -> str:
    by, unit = _scale(line)
    ends = [by * line.lower, by * line.upper]
    limits = f" ({_signed(ends[0])} to {_signed(ends[1])})" if all(map(math.isfinite, ends)) else ""
    return f"{_signed(by * (line.new - line.old))} {unit}{limits}".replace("  ", " ")


def _by(line: Line) -> str:
    by, unit = _scale(line)
    return f"{_signed(by * (line.new - line.old))} {unit}".strip()


def _signed(value: float) -> str:
    """A number with its sign and two digits or so.

    >>> _signed(16.98), _signed(-0.234), _signed(0.0)
    ('+17', '−0.23', '0')
    """
    places = 0 if abs(value) >= 9.95 else 1 if abs(value) >= 0.995 else 2
    text = f"{value:+.{places}f}"
    return text.replace("-", "−") if float(text) else "0"
