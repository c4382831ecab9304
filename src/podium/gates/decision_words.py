"""What is said of a decision on several measures: the verdict in a sentence, and the parts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from podium.base.formatting import aligned, number, p_value, printable
from podium.gates.parts import Part, Told
from podium.words.phrases import joined

POWER = 80  # percent


def headline(t: Told) -> str:
    """The verdict and why, in a sentence."""
    if t.verdict == "ship":
        return f"Ship: {_clauses([_shown(part) for part in t.parts if part.shown])}."
    if t.verdict == "no":
        worse = [part for part in t.parts if part.is_worse and not part.shown]
        return f"No: {_clauses([_worse(part) for part in worse])}."
    good = [_shown(part) for part in t.parts if part.shown]
    first = t.blocks[0]
    missing = _missing(first)
    more = t.blocks[1:]
    others = f"; nor is {joined([_claim(part) for part in more])}" if more else ""
    return f"Not yet: {f'{_clauses(good)}, but ' if good else ''}{missing}{others}."


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
    if part.ratio is not None:
        value, low, high = (100 * (r - 1) for r in part.ratio)
        verb = "falls" if value < 0 else "rises"
        ends = sorted((abs(low), abs(high))) if low * high > 0 else (-high, -low)
        if value >= 0 and low * high <= 0:
            ends = (low, high)
        size, *limits = aligned([abs(value), *ends], max(abs(high - low) / 2, 1e-9), 1)
        known = math.isfinite(low) and math.isfinite(high)
        return f"{verb} by {size} %" + (f" ({limits[0]} to {limits[1]})" if known else "")
    verb = "rises" if part.difference > 0 else "falls"
    low, high = part.lower, part.upper
    if part.difference < 0:
        low, high = -high, -low
    unit = (high - low) / 2 if math.isfinite(high - low) and high > low else abs(part.difference)
    size, *limits = aligned([abs(part.difference), low, high], unit or 1.0, 2)
    return f"{verb} by {size} ({limits[0]} to {limits[1]})"


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
    need = "" if t.need == "all" else " (one of those that shall improve is enough)"
    level = f"one-sided at {100 * t.alpha:g} %"
    return [
        f"All parts must be shown{need}, each {level} (intersection-union, no adjustment): "
        f"{'; '.join(names)}. Limits are {level}, each alone."
    ]


def shown(t: Told) -> dict[str, list[str]]:
    """The parts as columns of texts."""
    table = {"measure": [printable(p.measure) for p in t.parts]}
    if any(p.benchmark for p in t.parts):
        table["benchmark"] = [printable(p.benchmark) for p in t.parts]
    table["asked"] = [
        f"not worse by {p.margin_text}" if p.role == "keep" else "better" for p in t.parts
    ]
    cells = [aligned([p.old, p.new, p.difference, p.lower, p.upper], _unit(p), 2) for p in t.parts]
    for i, name in enumerate(("old", "new", "difference", "lower", "upper")):
        table[name] = [each[i] for each in cells]
    if any(p.ratio for p in t.parts):
        table["ratio"] = [number(p.ratio[0]) if p.ratio else "" for p in t.parts]
    table["p"] = [p_value(p.p) for p in t.parts]
    return table | {"shown": ["yes" if p.shown else "no" for p in t.parts]}


def _unit(part: Part) -> float:
    width = (part.upper - part.lower) / 2
    return width if math.isfinite(width) and width > 0 else abs(part.difference or part.old) or 1.0
