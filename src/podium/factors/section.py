"""Factors on a page: effects with intervals and interactions as pictures, and all numbers below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from podium.base.formatting import p_value
from podium.factors import words
from podium.factors.designs import ABLATION
from podium.factors.judging import Effects
from podium.factors.plots import interaction_data, pictured
from podium.factors.verbs import DECLARED, WHOLE, effects
from podium.inference.comparing.comparisons import Comparisons
from podium.reports.analysis import Analysis
from podium.reports.board import board, chips, decimals_for, fixed, holds_for
from podium.reports.document import (
    Column,
    Content,
    Row,
    Text,
    View,
    axis_of,
    hero,
    readable,
    section,
)
from podium.reports.hero import fragment, lines
from podium.reports.page import notebook
from podium.words.facts import PAGE
from podium.words.phrases import level
from podium.words.saying import IN_NOTEBOOKS, say

MOST_ROWS = 200
MOST_PICTURES = 3


def effects_of(analysis: Analysis) -> Effects | None:
    """Of the first measure, where the algorithms are combinations that were declared."""
    design, first = analysis.results.design, analysis.first
    if WHOLE in design:
        result: Effects = design[WHOLE]()
        return result
    declared = design.get(DECLARED)
    if not declared or first is None:
        return None
    return effects(analysis.results, declared, measure=first.measure, alpha=first.comparisons.alpha)


@hero("factors", place=6, of_results=True, without=("methods",))
def factors(analysis: Analysis) -> list[View]:
    """Effects first, where they were asked for, then the board of all combinations."""
    first = analysis.first
    if WHOLE not in analysis.results.design or first is None:
        return []
    made = board(first.comparisons, first.layout, at={"show": words.ALGORITHMS,
                                                      "measure": first.measure})  # fmt: skip
    return [factors_view(analysis.results.design[WHOLE]()), made]


def factors_view(e: Effects) -> View:
    """Main effects (or changes of an ablation) and interactions, each with its interval."""
    first: Comparisons = e.first
    kind = "ablation" if e.design.kind == ABLATION else "main"
    main = _ordered(e.of(kind).to_dict("records")) + e.of("nested").to_dict("records")
    further = words.strongest(e.of("interaction"), "statistic") if kind == "main" else []
    shown = [*main, *further]
    ends = [float(row[key]) for row in shown for key in ("estimate", "lower", "upper")]
    heads = {key: head.format(level=level(first.alpha)) for key, head in words.HEADS.items()}
    return View(
        ((words.headline(e), False),),
        sentence=words.sentence(e),
        columns=(
            Column("name", "name", heads["name"]),
            Column("interval", "interval", heads["interval"]),
            Column("difference", "estimate", "Difference"),
            Column("p", "number", heads["p"], wide=True),
            Column("verdict", "text", "Verdict", wide=True),
        ),
        rows=tuple(_rows(e, main, further)),
        about=holds_for(first),
        chips=tuple(chips(e.notes)),
        axis=axis_of([v for v in ends if v == v], whole=True),  # the largest effect lies far out
        cut=len(main) if further else 0,
        below=words.FURTHER["interaction"],
        key=words.KEY,
        at={"show": words.SHOWN, "measure": first.measure},
        picture=_picture(e),
    )


def _ordered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: -abs(row["estimate"]))


def _rows(e: Effects, main: list[dict[str, Any]], further: list[dict[str, Any]]) -> Iterator[Row]:
    ablation = e.design.kind == ABLATION
    places = _places([*main, *further])
    for row in main:
        yield _row(e, row, words.change_text(e, row) if ablation else row["name"], places)
    for row in further:
        name = words.term_text(row["factors"]) if e.has_two_levels else row["name"]
        yield _row(e, row, name, places)


def _places(rows: list[dict[str, Any]]) -> int:
    """Decimals of a whole column: those of the narrowest interval."""
    reach = [(row["upper"] - row["lower"]) / 2 for row in rows]
    return decimals_for(min((r for r in reach if r > 0), default=0.01), 2)


def _row(e: Effects, row: Mapping[str, Any], name: str, places: int) -> Row:
    known = {"v": row["estimate"], "lo": row["lower"], "hi": row["upper"]}
    limits = row["lower"] == row["lower"] and row["upper"] == row["upper"]
    value, low, high = (fixed(row[key], places) for key in ("estimate", "lower", "upper"))
    shown = bool(row["p_adjusted"] <= e.first.alpha)
    return Row(
        words.read_name(name),
        {
            "interval": {key: float(v) for key, v in known.items() if v == v},
            "difference": (value, words.estimate_text(low, high) if limits else "",
                           float(row["estimate"])),
            "p": (p_value(row["p_adjusted"]), float(row["p_adjusted"])),
            "verdict": words.VERDICTS[not shown],
        },
        leads=shown,
    )  # fmt: skip


def _picture(e: Effects) -> str | None:
    """Pictures of the significant interactions."""
    shown = words.shown(e, "interaction")
    if not len(shown) or not len(pictured(e)):
        return None
    terms = {frozenset(names) for names in shown["factors"]}
    panels = [p for p in interaction_data(e).panels if frozenset(p[:2]) in terms]
    return fragment(
        *(
            lines(
                [str(name) for name in means.index],
                [(str(name), means[name].tolist()) for name in means.columns],
                words.panel_labels(e.first.measure, f, g),
            )
            for f, g, means, _ in panels[:MOST_PICTURES]
        )
    )


@section("factors", "Factors", place=12)
def all_effects(analysis: Analysis) -> Content | None:
    """Every effect with its numbers, means of levels, shares."""
    e = effects_of(analysis)
    if e is None:
        return None
    known = {note.code for note in analysis.first.comparisons.warnings} if analysis.first else ()
    tables = [readable("Effects", e._tables()["Effects"].head(MOST_ROWS))]
    if "by" in e.means:
        levels = e.means[e.means["by"] == ""][["factor", "level", "mean"]]
        tables.append(readable(words.MEANS, levels))
    if e.shares is not None:
        tables.append(readable("Shares of the variance between combinations", e.shares.table))
    notes = Text(tuple(say(note, PAGE) for note in e.notes if note.code not in known))
    whole = WHOLE in analysis.results.design
    finding = words.effects_finding(e) if whole else words.headline(e)
    return Content(finding, (*tables, notes))


IN_NOTEBOOKS[Effects] = lambda e: notebook(factors_view(e))
