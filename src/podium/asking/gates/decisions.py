"""One decision on several measures: its parts, what is shown of each, and what is said of it.

Every part is tested one-sided at alpha by the test that its measure has alone, and the largest
p-value is that of the whole claim (intersection-union; Berger 1982): nothing is adjusted, however
the measures hang together. A part that was not shown never passes. That a measure got worse, the
other claim, is judged at alpha over the number of parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from podium.asking.gates import words
from podium.asking.gates.sides import NEW, OLD
from podium.core.base.formatting import aligned, markdown, number, p_value, printable
from podium.core.questions.measures import TIMES
from podium.core.results.measure_names import is_resource, is_share, known_measure
from podium.core.words.facts import Note
from podium.core.words.phrases import counted, is_are, is_plan, joined
from podium.core.words.saying import Presented, Texts

# -- A part of a decision -------------------------------------------------------------------------
# One measure, what is asked of it, and what is shown.


SHIP, NO, NOT_YET = "ship", "no", "not yet"
STATUS = {SHIP: 0, NO: 3, NOT_YET: 4}
KEEP, IMPROVE = "keep", "improve"
ALL, ANY = "all", "any"


@dataclass(frozen=True)
class Part:
    """One measure on one benchmark: what is asked of it, and what is shown.

    `difference` is new - old in the measure's unit; its limits, and those of `ratio` (new over old,
    of costs and times), are each one-sided at alpha, from the test that `p` comes from.
    """

    measure: str
    role: str
    benchmark: str
    higher_is_better: bool
    blocks: int
    noun: str
    old: float
    new: float
    difference: float
    limits: tuple[float, float]  # of the difference
    margin: float | None  # in the measure's unit
    margin_text: str  # as it was said
    ratio: tuple[float, float, float] | None  # with its limits
    p: float
    p_worse: float
    procedure: str
    shown: bool
    is_worse: bool
    needed: int | None  # blocks that would show it, with a power of 80 %
    any_of: tuple[str, ...] = ()  # measures of which one is enough, this one among them

    @property
    def limit(self) -> float:
        """The end of the difference that is held against the margin, or against 0."""
        return self.limits[0 if self.higher_is_better else 1]

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        facts: dict[str, Any] = {
            "measure": self.measure,
            "role": self.role,
            "benchmark": self.benchmark,
            "margin": self.margin,
            "blocks": self.blocks,
            "old": self.old,
            "new": self.new,
            "difference": self.difference,
            "limit": self.limit,
            "lower": self.limits[0],
            "upper": self.limits[1],
            "p": self.p,
            "p_worse": self.p_worse,
            "shown": self.shown,
            "procedure": self.procedure,
            "needed": self.needed,
        }
        if self.any_of:
            facts["any_of"] = list(self.any_of)
        if self.ratio is not None:
            names = ("ratio", "ratio_lower", "ratio_upper")
            facts |= dict(zip(names, self.ratio, strict=True))
        return facts


@dataclass(frozen=True)
class Claim:
    """What must hold: a measure on all benchmarks, or one of some measures (`ways`)."""

    ways: tuple[tuple[Part, ...], ...]

    @property
    def parts(self) -> list[Part]:
        """Of all measures and benchmarks."""
        return [part for way in self.ways for part in way]

    @property
    def p(self) -> float:
        """Of the best measure, times how many there were to choose from."""
        return min(len(self.ways) * min(max(part.p for part in way) for way in self.ways), 1.0)

    @property
    def shown(self) -> bool:
        """Whether a measure is shown on all benchmarks."""
        return any(all(part.shown for part in way) for way in self.ways)

    @property
    def is_worse(self) -> bool:
        """Whether no way is left: each has a part that is shown to be worse than it may be."""
        return all(any(p.is_worse and not p.shown for p in way) for way in self.ways)


def claims_of(parts: Sequence[Part]) -> list[Claim]:
    """The claims that parts make together, in their order."""
    by_claim: dict[tuple[str, ...], dict[str, list[Part]]] = {}
    for part in parts:
        ways = by_claim.setdefault(part.any_of or (part.measure,), {})
        ways.setdefault(part.measure, []).append(part)
    return [Claim(tuple(map(tuple, ways.values()))) for ways in by_claim.values()]


@dataclass(frozen=True)
class Told:
    """What words need of a decision."""

    verdict: str
    parts: Sequence[Part]
    claims: Sequence[Claim]
    alpha: float

    @property
    def blocks(self) -> list[Part]:
        """The parts that hold it up."""
        return [part for claim in self.claims if not claim.shown for part in claim.parts
                if not part.shown]  # fmt: skip


# -- decision words -------------------------------------------------------------------------------
# What is said of a decision on several measures: the verdict in a sentence, and the parts.


POWER = 80  # percent


def headline(t: Told, name: str = "") -> str:
    """The verdict and why, in a sentence; of one of several candidates with its name."""
    whom = f" {printable(name)}" if name else ""
    if t.verdict == "ship":
        return f"Ship{whom}: {_clauses([_shown(part) for part in t.parts if part.shown])}."
    if t.verdict == "no":
        worse = [part for claim in t.claims if claim.is_worse for part in claim.parts
                 if part.is_worse and not part.shown]  # fmt: skip
        return f"{'Not' if name else 'No'}{whom}: {_clauses([_worse(part) for part in worse])}."
    good = [_shown(part) for part in t.parts if part.shown]
    missing, *more = _missing_parts(t)
    others = f"; nor is {joined(more)}" if more else ""
    return f"Not yet{whom}: {f'{_clauses(good)}, but ' if good else ''}{missing}{others}."


def _missing_parts(t: Told) -> Iterator[str]:
    """What is not shown: the first in full, the others by name."""
    claims = [claim for claim in t.claims if not claim.shown]
    first = claims[0]
    if len(first.ways) > 1:
        yield _none_of(first)
        more: list[Part] = []
    else:
        lacking = [part for part in first.parts if not part.shown]
        yield _missing(lacking[0])
        more = lacking[1:]
    yield from map(_claim, more)
    for claim in claims[1:]:
        if len(claim.ways) > 1:
            yield f"a gain in one of {joined(_measure_names(claim))} shown"
        else:
            yield from (_claim(part) for part in claim.parts if not part.shown)


def _measure_names(claim: Claim) -> list[str]:
    return [printable(way[0].measure) for way in claim.ways]


def _none_of(claim: Claim) -> str:
    """Of several measures of which one would do none is shown."""
    changes = [f"{printable(p.measure)}{_on(p)} {_change(p)}" for p in claim.parts if not p.shown]
    text = (
        f"that one of {joined(_measure_names(claim))} improves is not shown ({', '.join(changes)})"
    )
    known = [max(p.needed for p in way if p.needed is not None) for way in claim.ways
             if all(is_plan(p.needed, p.blocks) for p in way)]  # fmt: skip
    if not known:
        return text
    return f"{text}; {min(known):,} {claim.parts[0].noun} would ({POWER} % power), if this is true"


def _clauses(parts: Sequence[str]) -> str:
    """Parts of a sentence."""
    *first, last = parts
    return f"{', '.join(first)}, and {last}" if first else last


def _on(part: Part) -> str:
    return f" on {printable(part.benchmark)}" if part.benchmark else ""


def _shown(part: Part) -> str:
    name = printable(part.measure) + _on(part)
    if part.role == "keep":
        return f"{name} is not worse by {part.margin_text} or more"
    return f"{name} {_change(part)}"


def _change(part: Part) -> str:
    """Falls by 84 % (80 to 87)."""
    change, low, high, percent, digits = part.difference, *part.limits, "", 2
    if part.ratio is not None:
        change, low, high = (100 * (r - 1) for r in part.ratio)
        percent, digits = " %", 1
    if change == 0:
        return "does not change"
    if part.new == 0 < part.old and is_spent(part.measure):
        return "falls to 0"
    verb = "rises" if change > 0 else "falls"
    if change < 0:
        low, high = -high, -low
    if not math.isfinite(high - low):
        return f"{verb} by {number(abs(change), 2)}{percent}"
    size, *limits = _readable([abs(change), low, high], (high - low) / 2 or abs(change), digits)
    return f"{verb} by {size}{percent} ({limits[0]} to {limits[1]})"


def is_spent(name: str) -> bool:
    """Whether a measure is a cost, a time or the like."""
    known = known_measure(name)
    return known is not None and is_resource(known)


def _readable(values: Sequence[float], unit: float, digits: int) -> list[str]:
    """Numbers as exact as their unit, and so exact that an end which is not 0 does not read 0."""
    for more in range(3):
        texts = aligned(values, unit, digits + more)
        if all(float(t) != 0 for t, v in zip(texts, values, strict=True) if v):
            break
    return texts


def _worse(part: Part) -> str:
    return f"{printable(part.measure)}{_on(part)} is worse: it {_change(part)}"


def _missing(part: Part) -> str:
    """What is not shown, and what would show it."""
    name = printable(part.measure) + _on(part)
    if part.role == "keep":
        worst = abs(min(part.limit if part.higher_is_better else -part.limit, 0.0))
        text = f"a loss of {part.margin_text} in {name} is not ruled out"
        text += f" (at worst {number(worst, 2)})" if math.isfinite(part.limit) else ""
        tail = ", if there is none"
    else:
        text = f"that {name} improves is not shown (it {_change(part)})"
        tail = ", if this is true"
        if not is_plan(part.needed, part.blocks):  # a guess by what was seen
            return text
    if part.needed is None:
        return text
    return f"{text}; {part.needed:,} {part.noun} would ({POWER} % power){tail}"


def _claim(part: Part) -> str:
    name = printable(part.measure) + _on(part)
    return f"a loss in {name} ruled out" if part.role == "keep" else f"a gain in {name} shown"


def details(t: Told) -> list[str]:
    """How it was judged."""
    names = dict.fromkeys(
        f"{printable(p.measure)} by {p.procedure} over {p.blocks} {p.noun}" for p in t.parts
    )
    level = f"one-sided at {100 * t.alpha:.3g} %"
    chosen = [
        f" Of {joined(_measure_names(claim))} one is enough, so each is judged at "
        f"{100 * t.alpha / len(claim.ways):.3g} %, and its limits are."
        for claim in t.claims
        if len(claim.ways) > 1
    ]
    return [
        f"All parts must be shown, each {level} (intersection-union, no adjustment): "
        f"{'; '.join(names)}. Limits are {level}, each alone.{''.join(chosen)}"
    ]


def shown(t: Told) -> dict[str, list[str]]:
    """The parts as columns of texts."""
    table = {"measure": [printable(p.measure) for p in t.parts]}
    if any(p.benchmark for p in t.parts):
        table["benchmark"] = [printable(p.benchmark) for p in t.parts]
    table["claim"] = [f"loss < {p.margin_text}" if p.role == "keep" else "gain" for p in t.parts]
    cells = [aligned([p.old, p.new, p.difference, *p.limits], _unit(p), 2) for p in t.parts]
    for i, name in enumerate(("old", "new", "new − old", "lower", "upper")):
        table[name] = [each[i] for each in cells]
    if any(p.ratio for p in t.parts):
        table["ratio"] = [number(p.ratio[0]) if p.ratio else "" for p in t.parts]
    table["p"] = [p_value(p.p) for p in t.parts]
    return table | {"shown": ["yes" if p.shown else "no" for p in t.parts]}


def _unit(part: Part) -> float:
    width = (part.limits[1] - part.limits[0]) / 2
    return width if math.isfinite(width) and width > 0 else abs(part.difference or part.old) or 1.0


# -- A gate as a comment on a pull request --------------------------------------------------------
# At most 80 words, the rest folded.


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
    noun = "benchmark" if len(t.rows) > 1 else "measure"
    lines = [
        Line(str(row[noun]), str(row["measure"]), row["old"],
             row["new"], row["lower"], row["upper"], held_up and row["verdict"] == t.verdict)
        for row in t.rows
    ]  # fmt: skip
    head = f"### {SIGNS[t.verdict]} {_gate_title(t, lines)}"
    counts = {v: sum(row["verdict"] == v for row in t.rows) for v in words.VERDICTS}
    texts = [f"{n} {is_are(n)} {v}" for v, n in counts.items() if n]
    margin = f"Margin {t.margin_text}: " if t.margin is not None else "No margin: "
    every = f"{margin}of {counted(len(t.rows), 'benchmark')} {', '.join(texts)}."
    summary = every * (len(t.rows) > 1)
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


def of_decision(t: Told) -> str:
    """The comment of a decision on several measures."""
    lines = [
        Line(printable(" ".join(filter(None, (p.measure, p.benchmark)))), p.measure, p.old, p.new,
             *_ends(p), p in t.blocks)
        for p in t.parts
    ]  # fmt: skip
    verb = {SHIP: "Ship", NO: "Do not ship"}.get(t.verdict, "Not yet")
    names = [printable(p.measure) for p in t.blocks]
    head = f"### {SIGNS[t.verdict]} {verb}" + (f": {markdown(joined(names, 2))}" if names else "")
    line = headline(t)
    summary = line if len(line.split()) <= 30 else ""
    level = f"One-sided at {100 * t.alpha:g} %, each alone."
    return _comment(head, markdown(summary), lines, level)


def _ends(p: Part) -> tuple[float, float]:
    """The limits of a change; of what is spent those of its ratio, as the headline has them."""
    return p.limits if p.ratio is None else (p.old * (p.ratio[1] - 1), p.old * (p.ratio[2] - 1))


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
    name = markdown(printable(line.name))
    name = f"**{name}**" if line.is_reason else name
    return f"| {name} | {old} | {new} | {_comment_words_change(line)} |"


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


def _comment_words_change(line: Line) -> str:
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


# -- one decision on several measures -------------------------------------------------------------
# Ship where all is kept that must be, and the rest is better.
#
# Every part is tested one-sided at alpha by the test that its measure has alone, and the largest
# p-value is that of the whole claim (intersection-union; Berger 1982): nothing is adjusted,
# however the measures hang together. A part that was not shown never passes. That a measure got
# worse, the other claim, is judged at alpha over the number of parts.


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Presented):
    """Whether the new one ships: every measure with a margin is kept, and others have improved.

    `verdict` is ship, no or not yet; `status` what `podium gate` exits with. `blocks` names the
    measures that hold it up.
    """

    parts: tuple[Part, ...]
    alpha: float
    sources: Mapping[str, str]
    algorithms: Mapping[str, str]
    notes: Sequence[Note] = ()

    @property
    def kept(self) -> list[Part]:
        """What must not get worse."""
        return [part for part in self.parts if part.role == KEEP]

    @cached_property
    def claims(self) -> list[Claim]:
        """What must hold, all of it."""
        return claims_of(self.parts)

    @property
    def need(self) -> str:
        """Whether one of some measures is enough: all or any."""
        return ANY if any(len(claim.ways) > 1 for claim in self.claims) else ALL

    @property
    def p(self) -> float:
        """Of the whole decision."""
        return max((claim.p for claim in self.claims), default=0.0)

    @property
    def verdict(self) -> str:
        """Ship, no or not yet."""
        if all(claim.shown for claim in self.claims):
            return SHIP
        return NO if any(claim.is_worse for claim in self.claims) else NOT_YET

    @property
    def status(self) -> int:
        """0 ship, 3 no, 4 not yet."""
        return STATUS[self.verdict]

    @property
    def is_worse(self) -> bool:
        """Whether a measure is shown to be worse than it may be."""
        return self.verdict == NO

    @property
    def blocks(self) -> list[Part]:
        """The parts that hold it up."""
        return self.told.blocks

    @property
    def told(self) -> Told:
        """The facts that words are made of."""
        return Told(self.verdict, self.parts, self.claims, self.alpha)

    def _lines_above(self) -> list[str]:
        return [line for lines in self.lines for line in lines]

    @property
    def lines(self) -> tuple[list[str], list[str]]:
        """What is said above the parts, and below them."""
        return [headline(self.told)], details(self.told)

    def comment(self) -> str:
        """A comment for a pull request: at most 80 words in Markdown, the rest folded."""
        return of_decision(self.told)

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"": pd.DataFrame([part.to_dict() for part in self.parts])}

    def _texts(self, most: int = 0) -> dict[str, Texts]:
        return {"": Texts(shown(self.told), ("measure", "benchmark", "claim", "shown"))}

    def _facts(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "status": self.status,
            "text": headline(self.told),
            "decision": {
                "verdict": self.verdict,
                "status": self.status,
                "p": self.p if math.isfinite(self.p) else None,
                "alpha": self.alpha,
                "rule": "intersection-union",
                "need": self.need,
                "blocks": [part.measure for part in self.blocks],
                "parts": [part.to_dict() for part in self.parts],
            },
            "alpha": self.alpha,
            "old": {"source": self.sources[OLD], "algorithm": self.algorithms[OLD]},
            "new": {"source": self.sources[NEW], "algorithm": self.algorithms[NEW]},
            "warnings": list(self.notes),
        }
