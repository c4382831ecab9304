"""A page of several studies: a forest as a table, one view per comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

from podium.base.formatting import printable, short
from podium.reports.board import caveats_line, decimals_for, fixed
from podium.reports.document import (
    Axis,
    Card,
    Chip,
    Column,
    Content,
    Page,
    Row,
    Section,
    Text,
    View,
    axis_of,
    readable,
)
from podium.reports.page import controls_of
from podium.synthesis.verbs import MetaAnalysis
from podium.synthesis.words import (
    AVERAGE,
    FOREST_KEY,
    METHOD_WORDS,
    agree_card,
    forest_head,
    forest_headline,
    forest_sentence,
    next_card,
    study_counts,
)
from podium.words.facts import PAGE
from podium.words.phrases import level
from podium.words.saying import say

SMALLEST, LARGEST = 7.0, 14.0  # pixels of a square, by weight


def meta_page(result: MetaAnalysis) -> Page:
    """Studies, their average and what a new one would show, for every comparison."""
    views = tuple(_views(result))
    labels = {"pair": ""}
    facts = study_counts(len(result.names), len(result.pairs), result.measure)
    return Page("Meta-analysis", facts, views, controls_of(views, labels), tuple(_sections(result)))


def _views(result: MetaAnalysis) -> Iterator[View]:
    for pair in result.pairs.to_dict("records"):
        yield _view(result, pair)


def _view(result: MetaAnalysis, pair: dict[str, Any]) -> View:
    first, second = (printable(short(str(pair[end]), 30)) for end in ("first", "second"))
    t = result.studies
    own = t[(t["first"] == pair["first"]) & (t["second"] == pair["second"])]
    rows = tuple(_rows(own.to_dict("records"), pair, result.alpha))
    ends = [v for row in rows for k, v in row.cells["interval"].items() if k in ENDS]
    axis = axis_of(ends)
    low, high = pair["prediction"]
    places = _places(pair)
    texts = [fixed(v, places) for v in (abs(pair["estimate"]), pair["lower"], pair["upper"])]
    if pair["estimate"] < 0:
        texts[1:] = [fixed(-pair["upper"], places), fixed(-pair["lower"], places)]
    new = (fixed(low, places), fixed(high, places), low < 0 < high)
    return View(
        forest_headline(pair["verdict"], first, second, texts),
        (
            Column("name", "name", "Study"),
            Column("weight", "number", "Weight", wide=True),
            Column("interval", "interval", forest_head(first, second, result.higher_is_better)),
            Column("difference", "estimate", f"{first} − {second} ({level(result.alpha)} CI)"),
        ),
        rows,
        sentence=forest_sentence(new, float(pair["p_adjusted"]), float(pair["i2"])),
        about=f"Random effects ({METHOD_WORDS[result.method]}).",
        chips=tuple(Chip(study_counts(len(own), 1, ""), say(n, PAGE)) for n in result.notes[:1]),
        cards=(
            Card(*agree_card(float(pair["i2"]))),
            Card(*next_card(new)),
        ),
        axis=Axis(axis.low, axis.high, axis.ticks, 0.0),
        key=FOREST_KEY,
        at={"pair": f"{first} − {second}"},
    )


ENDS = ("v", "lo", "hi", "tlo", "thi")


def _places(pair: dict[str, Any]) -> int:
    return decimals_for(max((pair["upper"] - pair["lower"]) / 2, 1e-9), 2)


def _rows(studies: list[dict[str, Any]], pair: dict[str, Any], alpha: float) -> Iterator[Row]:
    places, reach = _places(pair), NormalDist().inv_cdf(1 - alpha / 2)
    most = max((s["weight"] for s in studies), default=1.0) or 1.0
    for study in studies:
        low, high = (study["estimate"] + sign * reach * study["error"] for sign in (-1, 1))
        size = SMALLEST + (LARGEST - SMALLEST) * math.sqrt(study["weight"] / most)
        cells = {
            "weight": (f"{100 * study['weight']:.0f} %", study["weight"]),
            "interval": {"v": study["estimate"], "lo": low, "hi": high, "mark": "square",
                         "size": round(size, 1)},
            "difference": _text(study["estimate"], low, high, places),
        }  # fmt: skip
        yield Row(str(study["study"]), cells)
    low, high = pair["prediction"]
    new = {"tlo": low, "thi": high} if math.isfinite(low) and math.isfinite(high) else {}
    mean = {"v": pair["estimate"], "lo": pair["lower"], "hi": pair["upper"], "mark": "diamond"}
    difference = _text(pair["estimate"], pair["lower"], pair["upper"], places)
    yield Row(AVERAGE, {"weight": None, "interval": {**mean, **new}, "difference": difference},
              leads=True)  # fmt: skip


def _text(value: float, low: float, high: float, places: int) -> tuple[str, str, float]:
    return fixed(value, places), f"({fixed(low, places)} to {fixed(high, places)})", value


def _sections(result: MetaAnalysis) -> Iterator[Section]:
    tables = [readable(name, table) for name, table in result._tables().items() if len(table)]
    yield Section("tables", "All numbers", Content(f"{len(tables)} tables", tuple(tables)))
    notes = tuple(say(note, PAGE) for note in result.notes)
    text = Text((result.statement, *notes))
    yield Section("caveats", "Caveats", Content(caveats_line(result.notes), (text,)))
