"""What is said of a gate: the verdict in a line, how it was found, and the rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from podium.core.base.formatting import aligned, number, p_value, printable
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.words.phrases import capital, counted, joined, p_text

VERDICTS = NOT_WORSE, WORSE, UNDECIDED, NOT_SHOWN = (
    "not worse",
    "worse",
    "undecided",
    "not shown to be worse",
)
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """The facts of a gate."""

    verdict: str
    rows: Sequence[Row]
    measure: str
    higher_is_better: bool
    margin: tuple[float, bool] | None  # and whether it is a share of the old mean
    alpha: float
    only: Mapping[str, Sequence[str]]
    joint: bool  # benchmarks are the blocks
    block: str

    @property
    def margin_text(self) -> str:
        """The margin as it was said."""
        assert self.margin is not None
        value, relative = self.margin
        return f"{100 * value:g} %" if relative else f"{value:g}"


# -- the verdict ----------------------------------------------------------------------------------


def asked_line(request: Any) -> str:
    """What the sealed items of a ledger answered."""
    where = f"Ledger '{printable(request.ledger)}', look {request.looks}"
    if request.question is None:
        return (
            f"{where}: the {request.public} public items do not pass, so the {request.sealed} "
            "sealed ones were not asked."
        )
    answer = "yes, it holds there" if request.passes else "not shown there"
    return (
        f"{where}, question {request.question} to the {request.sealed} sealed items: {answer} "
        f"(level {number(request.level, 2)}). Below: the {request.public} public items."
    )


def verdict_text(verdict: str) -> str:
    """A verdict as readers call it; files keep `undecided`."""
    return "inconclusive" if verdict == UNDECIDED else verdict


def headline(t: Told) -> str:
    """The verdict first, in one line."""
    if len(t.rows) == 1:
        return f"{capital(verdict_text(t.verdict))}: {_one(t, t.rows[0])}"
    names = [str(r["benchmark"]) for r in t.rows if r["verdict"] == t.verdict]
    every = f"of {len(t.rows)} benchmarks"
    if t.verdict == NOT_WORSE:
        return f"Not worse on all {len(t.rows)} benchmarks, by the margin of {t.margin_text}."
    if t.verdict == NOT_SHOWN:
        return f"Not shown to be worse on any {every}."
    if t.verdict == WORSE:
        return f"Worse on {len(names)} {every}: {joined(names)}."
    return f"Inconclusive on {len(names)} {every}: {joined(names)}; worse on none."


def _one(t: Told, row: Row) -> str:
    where = f" on {counted(row['blocks'], 'benchmark')}" if t.joint else ""
    new, old, by = _numbers(row)
    return f"{printable(row['measure'])}{where} {new}, before {old} ({by}); {_why(t, row)}."


def _why(t: Told, row: Row) -> str:
    p, within = row["p_worse_adjusted"], row["p_margin_adjusted"]
    if t.verdict == NOT_WORSE:
        return f"a loss of {t.margin_text} is ruled out ({p_text(within)})"
    if t.verdict == WORSE:
        return f"a loss is shown ({p_text(p)})"
    if t.verdict == NOT_SHOWN:
        return f"no loss is shown ({_missing(row) if math.isnan(p) else p_text(p)})"
    if t.margin is None or math.isnan(within):
        return _missing(row)
    return f"a loss of {t.margin_text} is not ruled out ({p_text(within)})"


def _missing(row: Row) -> str:
    """Why there is no p-value: scores of one side are missing, or nothing varies."""
    lacks = {"old": row["only_new"], "new": row["only_old"]}
    most = max(lacks, key=lambda side: lacks[side])
    if not lacks[most]:
        return "the scores do not tell"
    return f"the {most} one lacks {counted(int(lacks[most]), 'score')} that the other has"


def further(t: Told) -> str:
    """What the verdict does not say, in a line below it; empty where it says all."""
    if t.verdict == NOT_SHOWN:
        return "Inconclusive. Add --margin to test that the new one is not worse."
    if t.verdict == UNDECIDED and len(t.rows) == 1 and not math.isnan(t.rows[0]["p_worse"]):
        return f"Nor is a loss shown ({p_text(t.rows[0]['p_worse_adjusted'])})."
    within = [r for r in t.rows if r["verdict"] == NOT_WORSE and r["p_worse_adjusted"] <= t.alpha]
    if within and len(t.rows) == 1:
        return "There is a significant loss, below the margin."
    names = joined([str(r["benchmark"]) for r in within])
    return f"There is a significant loss below the margin on {names}." if within else ""


def _numbers(row: Row) -> tuple[str, str, str]:
    """The new mean, the old one and their difference, as exact as needed to tell them apart."""
    difference = row["new"] - row["old"]
    unit = abs(difference) or abs(row["old"]) or 1.0
    unit = unit if math.isfinite(unit) else 1.0
    new, old, by = aligned([row["new"], row["old"], difference], unit, digits=2)
    sign = "" if difference < 0 else "+"
    return new, old, f"{sign}{by}" if difference else "no difference"


# -- how it was found -----------------------------------------------------------------------------


def details(t: Told) -> list[str]:
    """What was compared and how: below the verdict."""
    better = "Higher" if t.higher_is_better else "Lower"
    procedures = joined(list(dict.fromkeys(r["procedure"] for r in t.rows if r["procedure"])))
    several = len(t.rows) > 1
    # a one-sided limit at 5 % is an end of a two-sided interval at 90 %
    level = 100 * (1 - 2 * (1 - (1 - t.alpha) ** (1 / len(t.rows))))
    limits = f"{level:.3g} % limits, one-sided {100 * t.alpha:g} %"
    family = " for all benchmarks at once (Šidák)" if several else ""
    by = f" ({procedures})" if procedures else ""
    lines = [
        f"{better} values of {printable(t.measure)} are better; compared by {printable(t.block)}"
        f"{by}; {limits}{family}."
    ]
    for side, names in t.only.items():
        if names:
            lines.append(f"Only in the {side} one, not compared: {joined(list(names))}.")
    return lines


# -- the rows -------------------------------------------------------------------------------------


def shown(t: Told) -> dict[str, list[str]]:
    """The rows as columns of texts; those that say nothing are left out."""
    table: dict[str, list[str]] = {}
    if not t.joint:
        table["benchmark"] = [printable(str(r["benchmark"])) for r in t.rows]
    table["n"] = [str(r["blocks"]) for r in t.rows]
    numbers = [_row_numbers(r) for r in t.rows]
    used = {str(r["procedure"]) for r in t.rows if r["procedure"]}
    # a typical difference is not that of the means beside it
    known = [PROCEDURES[name].quantity for name in used if name in PROCEDURES]
    typical = any(each.location is not None and each.in_scores for each in known)
    less = "typical new − old" if typical else "new − old"
    for i, name in enumerate(("old", "new", less, "lower", "upper")):
        table[name] = [each[i] for each in numbers]
    if t.margin is not None:
        table["margin"] = [number(r["margin"]) for r in t.rows]
    table["p worse"] = [p_value(r["p_worse_adjusted"]) for r in t.rows]
    if t.margin is not None:
        table["p margin"] = [p_value(r["p_margin_adjusted"]) for r in t.rows]
    return table | {"verdict": [verdict_text(str(r["verdict"])) for r in t.rows]}


def _row_numbers(row: Row) -> list[str]:
    values = [row[name] for name in ("old", "new", "difference", "lower", "upper")]
    sizes = [abs(v) for v in values[2:] if math.isfinite(v) and v]
    return aligned(values, max(sizes, default=abs(row["old"]) or 1.0), digits=2)
