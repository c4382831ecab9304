"""What is said of changed times: how much faster, on which benchmarks slower, what would settle."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from podium.core.base.formatting import number, printable
from podium.core.words.phrases import MOST_TIMES, counted, is_are, joined

MOST_NAMED = 3
MOST_RUNS = 10_000  # runs are cheap: so many are a plan, also where there are few
HEADS = {
    "name": "Benchmark",
    "interval": "← faster · time ratio, {new} / {old} · slower →",
    "change": "Change ({level} CI, all together)",
    "runs": "Runs: {old} ○ {new} ●",
}
KEY = (
    ("What got slower first.", ""),
    ("Bar", "right of the line: slower; left: faster; across: no clear change."),
)
QUESTIONS = ("Is the machine quiet enough?", "What would settle the rest?")
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
PAIRED, WELCH = "paired t test of log times", "Welch's t test of log times"


class Limits(Protocol):
    """A ratio with its limits."""

    @property
    def ratio(self) -> float:
        """New over old."""

    @property
    def lower(self) -> float:
        """Its lower limit."""

    @property
    def upper(self) -> float:
        """Its upper limit."""

    @property
    def verdict(self) -> str:
        """Slower, faster, unchanged or inconclusive."""


class Told(Protocol):
    """What words need of changes."""

    @property
    def table(self) -> pd.DataFrame:
        """A row per benchmark."""

    @property
    def overall(self) -> Limits:
        """Over all benchmarks."""

    @property
    def versions(self) -> tuple[str, str]:
        """Old and new."""

    @property
    def alpha(self) -> float:
        """The level."""

    @property
    def paired(self) -> bool:
        """Whether runs were taken in turn."""

    @property
    def noise(self) -> float:
        """Of a run."""

    @property
    def detectable(self) -> float:
        """The change that such runs show."""


# -- the answer -----------------------------------------------------------------------------------


def headline(t: Told) -> str:
    """How much faster, and on what."""
    before, name, after = headline_parts(t)
    return before + name + after


def headline_parts(t: Told) -> tuple[str, str, str]:
    """The headline in three parts, the second of which is a name."""
    old, new = map(printable, t.versions)
    on = f"on these {len(t.table)} benchmarks"
    mixed = set(t.table["verdict"]) & {"slower", "faster"}
    size, limits = times_text(t.overall)
    if t.overall.verdict in ("slower", "faster"):
        than = "" if (old, new) == ("old", "new") else f" than {old}"
        return "", new, f" is {size} {t.overall.verdict}{than} {limits} {on}."
    if t.overall.verdict == "unchanged":
        over = f"on average over these {len(t.table)} benchmarks" if mixed else on
        return "", new, f" is as fast as {old} {over}: it takes {time_text_of(t.overall)}."
    return (
        f"No significant change in speed {on}: ",
        new,
        f" takes {time_text_of(t.overall)}.",
    )


def sentence(t: Told) -> str:
    """On which benchmarks it is slower, on how many faster."""
    rows = t.table
    slower = rows[rows["verdict"] == "slower"].to_dict("records")
    texts = [f"{printable(r['benchmark'])} ({factor(r['ratio'])})" for r in slower[:MOST_NAMED]]
    more = len(slower) - len(texts)
    names = joined([*texts, *([f"{more} more"] if more else [])])
    first = f"Slower on {len(slower)}: {names}." if slower else "Slower on none."
    faster = int((rows["verdict"] == "faster").sum())
    rest = len(rows) - len(slower) - faster
    if rest == len(rows):
        return f"None of the {rest} benchmarks shows a clear change."
    parts = [f"Faster on {faster or 'none'}"]
    if rest:
        parts.append(f"{rest} {'shows' if rest == 1 else 'show'} no clear change")
    return f"{first} {'; '.join(parts)}."


def about(t: Told) -> str:
    """What it holds for."""
    runs = t.table["runs"]
    low, high = int(runs.min()), int(runs.max())
    each = f"{low}" if low == high else f"{low} to {high}"
    turn = ", taken in turn" if t.paired else ""
    return f"these {len(t.table)} benchmarks on this machine ({each} runs of each version{turn})"


def tested(t: Told) -> str:
    """The test."""
    test = PAIRED if t.paired else WELCH
    return (
        f"{test}, Šidák over {len(t.table)} benchmarks; over all the geometric mean of the "
        f"ratios ({100 * (1 - t.alpha):g} % CI)"
    )


# -- numbers --------------------------------------------------------------------------------------


def factor(ratio: float, places: int = 2) -> str:
    """How many times as long, or as fast, from 1 on.

    >>> factor(1.17), factor(1 / 1.17), factor(25.04)
    ('1.17×', '1.17×', '25.0×')
    """
    size = max(ratio, 1 / ratio)
    return f"{size:.{places if size < 10 else 1 if size < 100 else 0}f}×"


def places_of(*ratios: float) -> int:
    """Decimals: one more where a ratio would read as no change and is one.

    >>> places_of(1.17, 1.12), places_of(1.05, 1.002)
    (2, 3)
    """
    return 3 if any(f"{r:.2f}" == "1.00" and r != 1 for r in ratios) else 2


def time_text_of(t: Limits) -> str:
    """How many times the time, with limits."""
    n = places_of(t.ratio, t.lower, t.upper)
    return f"{t.ratio:.{n}f}× the time ({t.lower:.{n}f} to {t.upper:.{n}f})"


def times_text(t: Limits) -> tuple[str, str]:
    """How many times faster or slower, with limits in brackets; below 1 is the other way."""
    low, high = (t.lower, t.upper) if t.ratio >= 1 else (1 / t.upper, 1 / t.lower)
    n = places_of(max(t.ratio, 1 / t.ratio), low, high)
    return factor(t.ratio, n), f"({low:.{n}f} to {high:.{n}f})"


class Bounds(NamedTuple):
    """The ratio of one benchmark with its limits."""

    ratio: float
    lower: float
    upper: float
    verdict: str = ""


def change_text(row: Mapping[str, Any]) -> tuple[str, str]:
    """The change on a benchmark, and its limits."""
    size, limits = times_text(Bounds(row["ratio"], row["lower"], row["upper"]))
    way = "slower" if row["ratio"] >= 1 else "faster"
    return (size if size == "1.000×" else f"{size} {way}"), limits


def verdict_text(verdict: str) -> str:
    """Of a row."""
    return "within 5 %" if verdict == "unchanged" else verdict


def unit_of(seconds: Sequence[float]) -> tuple[float, str]:
    """The unit in which times are numbers from 1 on.

    >>> unit_of([0.02, 0.5]), unit_of([3.0, 80.0])
    ((0.001, 'ms'), (1.0, 's'))
    """
    middle = sorted(seconds)[len(seconds) // 2]
    return next((unit for unit in UNITS if middle >= unit[0]), UNITS[-1])


def time_text(seconds: float, unit: float) -> str:
    """A time in its unit, with four digits or so."""
    value = seconds / unit
    places = max(0, min(3, 2 - math.floor(math.log10(value)))) if value > 0 else 0
    return f"{value:,.{max(places, 1 if value < 1000 else 0)}f}"


# -- what readers ask next -------------------------------------------------------------------------


def quiet_text(t: Told) -> str:
    """Whether the machine is quiet enough."""
    return (
        f"A run varies by {percent(t.noise)}; with so many runs a change of "
        f"{percent(t.detectable)} is usually found."
    )


def percent(share: float) -> str:
    """A share in percent, with two digits at most.

    >>> percent(0.0512), percent(0.0049)
    ('5.1 %', '0.49 %')
    """
    return f"{number(100 * share, 2)} %"


def settle_text(t: Told) -> str:
    """How many runs would settle what is inconclusive; empty where nothing is."""
    rows = t.table[t.table["verdict"] == "inconclusive"]
    if not len(rows):
        return ""
    runs = int(rows["runs"].min())
    sooner = rows.dropna(subset=["needed"]).sort_values("needed")
    known = sooner[are_plans(sooner)].to_dict("records")
    if not known:
        names = joined([printable(n) for n in rows["benchmark"]], MOST_NAMED)
        return f"More runs would hardly settle {names}."
    first, *others = [
        (rough_count(row["needed"]), printable(row["benchmark"])) for row in known[:MOST_NAMED]
    ]
    text = f"About {first[0]} runs of each version (now {runs}) would settle "
    text += ", ".join([first[1], *(f"{count} {name}" for count, name in others)])
    more = len(rows) - len(others) - 1
    return text + (f"; {more} more {is_are(more)} inconclusive." if more else ".")


def are_plans(rows: pd.DataFrame) -> pd.Series:
    """Whether the runs that each benchmark needs are a number that one can plan by."""
    return rows["needed"] <= np.maximum(MOST_RUNS, MOST_TIMES * rows["runs"])


def rough_count(value: float) -> str:
    """A count with two digits.

    >>> rough_count(1234.0)
    '1,200'
    """
    return f"{int(float(f'{value:.2g}')):,}"


def counts_text(t: Told, left: int) -> str:
    """What is not listed."""
    return f"... {counted(left, 'more benchmark')}; --all lists them"


def page_title(t: Told) -> str:
    """Above the page."""
    old, new = map(printable, t.versions)
    return f"{old} → {new}"


def page_facts(t: Told) -> str:
    """How much there is."""
    runs = t.table["runs"]
    low, high = int(runs.min()), int(runs.max())
    each = f"{low}" if low == high else f"{low} to {high}"
    return f"{counted(len(t.table), 'benchmark')} · {each} runs of each version · one machine"


def methods(t: Told) -> str:
    """For a paper."""
    return (
        f"Each of {len(t.table)} benchmarks was run with both versions on one machine. Times were "
        f"compared on the logarithmic scale, {tested(t)}. The change over all holds for these "
        "benchmarks, not for others."
    )


COLUMNS = {"p_adjusted": "p (Šidák)", "needed": "runs needed"}
