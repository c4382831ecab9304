"""A page of many data sets: the answer on each of them, or differences within groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from podium.answers.words import (
    EACH_KEY,
    each_headline,
    each_sentence,
    group_headline,
    tables_finding,
)
from podium.base.formatting import printable, short
from podium.orders.dataset_orders import DatasetOrders
from podium.reports.board import decimals_for, fixed
from podium.reports.document import (
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
from podium.words.facts import CAUTION, PAGE
from podium.words.notes.of_surveys import best_means
from podium.words.phrases import counted, joined
from podium.words.presentation import Presented
from podium.words.saying import say

LIMITS = {"group", "first", "second", "estimate", "lower", "upper"}
MOST_ORDER = 60  # letters of an order in a row


def survey_page(result: Presented, title: str = "Survey") -> Page:
    """The page of what `podium survey` finds: orders by data set, groups, or plain tables."""
    tables = {name: table for name, table in result._tables().items() if len(table)}
    grouped = next((t for t in tables.values() if set(t.columns) >= LIMITS), None)
    views: tuple[View, ...]
    if isinstance(result, DatasetOrders):
        views, facts = (_each(result),), counted(len(result.orders), "data set")
    elif grouped is not None:
        views = tuple(_groups(grouped))
        facts = counted(grouped["group"].nunique(), "group")
    else:
        views, facts = (View(((result.above[0], False),)),), ""
    sections = tuple(_sections(result, tables))
    return Page(title, facts, views, controls_of(views, {"pair": ""}), sections)


def _each(result: DatasetOrders) -> View:
    """A row per data set: who could be best there, and how much is settled."""
    rows = []
    for name, c in result.comparisons.items():
        made, order = c.decision, result.orders[name]
        lead = joined([printable(short(n, 24)) for n in made.lead or ()], 4)
        share = made.significant / max(made.comparisons, 1)
        text = order.text if len(order.text) <= MOST_ORDER else short(order.text, MOST_ORDER)
        cells = {
            "lead": lead if made.significant else NO_DIFFERENCE,
            "significant": (f"{made.significant} of {made.comparisons}", share),
            "order": text,
        }
        rows.append(Row(name, cells, details=(("", order.text),)))
    settled = sum(c.decision.significant > 0 for c in result.comparisons.values())
    return View(
        each_headline(result.consensus.orders[0].text),
        (
            Column("name", "name", "Data set"),
            Column("lead", "text", "Could be best"),
            Column("significant", "number", "Significant"),
            Column("order", "text", "Ranking", wide=True),
        ),
        tuple(rows),
        sentence=each_sentence(
            settled, len(result.orders), best_means(result.table), result.concordance
        ),
        key=EACH_KEY,
        at={},
    )


NO_DIFFERENCE = "–"
NOTES = "what this holds for, and notes"
HEADS = {
    "first_better": "first better on",
    "second_better": "second better on",
    "equivalent": "equivalent on",
    "undecided": "inconclusive on",
    "procedure": "test",
    "blocks": "scores",
}


def _groups(table: pd.DataFrame) -> Iterator[View]:
    """Of every pair the difference within each group."""
    for (first, second), rows in table.groupby(["first", "second"], sort=False):
        yield _group(str(first), str(second), rows.to_dict("records"))


def _group(first: str, second: str, groups: list[dict[str, Any]]) -> View:
    ends = [g[key] for g in groups for key in ("estimate", "lower", "upper") if g[key] == g[key]]
    widths = [g["upper"] - g["lower"] for g in groups if g["upper"] == g["upper"]]
    places = decimals_for(max(min(widths, default=1.0) / 2, 1e-9), 2)
    rows = tuple(
        Row(str(g["group"]), {
            "interval": {k: g[c] for k, c in (("v", "estimate"), ("lo", "lower"), ("hi", "upper"))
                         if g[c] == g[c]},
            "difference": (fixed(g["estimate"], places),
                           f"({fixed(g['lower'], places)} to {fixed(g['upper'], places)})",
                           g["estimate"]),
        })
        for g in groups
    )  # fmt: skip
    a, b = printable(short(first, 24)), printable(short(second, 24))
    apart = sum(g["lower"] > 0 or g["upper"] < 0 for g in groups)
    return View(
        group_headline(a, b, apart, len(groups)),
        (
            Column("name", "name", "Group"),
            Column("interval", "interval", f"{a} − {b}"),
            Column("difference", "estimate", "Difference (95 % CI)"),
        ),
        rows,
        axis=axis_of(ends),
        at={"pair": f"{a} − {b}"},
    )


def _sections(result: Presented, tables: dict[str, pd.DataFrame]) -> Iterator[Section]:
    made = tuple(readable(name, table, HEADS) for name, table in tables.items())
    yield Section("tables", "All numbers", Content(tables_finding(len(made)), made))
    texts = (*result.above, *(say(note, PAGE) for note in result.notes))
    grave = sum(note.severity >= CAUTION for note in result.notes)
    finding = f"{counted(grave, 'caveat')}, and what this holds for" if grave else NOTES
    yield Section("caveats", "Caveats", Content(finding, (Text(texts),)))
