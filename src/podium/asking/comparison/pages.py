"""One analysis as one record, which JSON holds, and as a page: views, controls, single scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.comparison.analysis import Analysis, Evidence, PageRequest, analysed
from podium.asking.comparison.answer import Answer
from podium.asking.comparison.record import block_scores
from podium.asking.comparison.words import (
    EACH_KEY,
    NOTHING,
    TREATMENTS,
    each_headline,
    each_sentence,
    group_headline,
    tables_finding,
)
from podium.core.base.formatting import printable, short
from podium.core.base.progress import Progress
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.results.planned_and_done import as_registered
from podium.core.results.results import Results
from podium.core.verdicts.standing import compared, noun_of
from podium.core.words.facts import CAUTION, PAGE
from podium.core.words.notes.of_surveys import best_means
from podium.core.words.phrases import counted, joined
from podium.core.words.saying import Presented, say
from podium.reading.sample_facts import dataset_numbers, sample_facts
from podium.showing.reports.board import MANY, decimals_for, fixed, rounded
from podium.showing.reports.document import (
    SECTIONS,
    Column,
    Content,
    Control,
    HeroRecord,
    Page,
    Row,
    Section,
    Text,
    View,
    axis_of,
    first_hero,
    readable,
)
from podium.showing.reports.page import controls_of
from podium.showing.reports.words import dataset_fact, item_fact, sample_fact
from podium.showing.terminal.options import BAYES, JUDGED, MARGINS

# -- exploring ------------------------------------------------------------------------------------
# Single scores that a page holds, by data set or sample, and what sets some of these apart.


MOST_VALUES = 20_000  # scores that a page holds
MOST_BLOCKS = 600  # data sets or samples that pictures show
Fact = tuple[str, list[float | int | None]]  # a label, and a number per block


@dataclass(frozen=True, eq=False)
class Explored:
    """Scores of one measure, blocks x algorithms, larger is better, with the names of blocks."""

    results: Results
    layout: Layout
    values: np.ndarray
    names: tuple[str, ...]
    noun: str
    are_datasets: bool

    def facts(self) -> list[Fact]:
        """Numbers of every block: characteristics of data sets, or of the test parts of samples."""
        return [(label, [rounded(float(v)) for v in numbers]) for label, numbers in self._facts()]

    def _facts(self) -> Iterator[tuple[str, np.ndarray]]:
        if self.are_datasets:
            numbers = dataset_numbers(self.results, self.names)
            yield from ((dataset_fact(name), fact) for name, fact in numbers.items())
            return
        data = self.results.datasets[0]
        for known in sample_facts(self.results, {data: [int(n) for n in self.names]}).values():
            yield from ((sample_fact(*fact), v) for fact, v in known.numbers.items())
            for (row, loss), tested in zip(known.items, known.tested, strict=True):
                yield item_fact(row, loss, missed=known.missed), tested.astype(float)


def explored(analysis: Analysis) -> Explored | None:
    """The scores of the page's first measure; None where they are no table, or too many."""
    return None if analysis.first is None else scores_of(analysis.first, analysis.results)


def scores_of(evidence: Evidence, results: Results) -> Explored | None:
    """The same of one measure."""
    made, c = evidence.layout, evidence.comparisons
    if made is None or c.blocks.partial or len(made.algorithms) < 2:
        return None
    if made.items.linearised is not None:  # influence values are no scores
        return None
    values, labels = block_scores(made)
    names = tuple(map(str, labels)) or _samples(made, results)
    fits = 1 < len(names) <= MOST_BLOCKS and values.size <= MOST_VALUES
    if not fits or len(names) != len(values) or made.is_binary:
        return None
    return Explored(results, made, values, names, c.blocks.noun, bool(labels))


def _samples(made: Layout, results: Results) -> tuple[str, ...]:
    """The numbers of the samples of the one data set."""
    runs = results.runs
    if made.origin.dataset:
        runs = runs[runs["dataset"] == made.origin.dataset]
    return tuple(str(n) for n in sorted(runs["sample"].unique()))


# -- A page of results ----------------------------------------------------------------------------
# The views of the first hero that knows them, controls, and sections.


LABELS = {
    "measure": "",
    "test": "Test",
    "missing": "Missing runs",
    "look": "Show",
    "show": "Show",
    "pair": "",
}
OF_FIRST = ("comparisons", "stability", "tests", "datasets")  # sections of the first measure
OTHER_TESTS = "other tests"


def page_of(
    results: Results,
    comparisons: Sequence[Comparisons] = (),
    request: PageRequest | None = None,
    *,
    progress: Progress | None = None,
) -> Page:
    """The page of results; comparisons that are given come first."""
    return lay_out_page(analysed(results, comparisons, request, progress))


def lay_out_page(analysis: Analysis) -> Page:
    """The page of an analysis: what it found first, controls, and sections."""
    results = analysis.results
    record, views = views_of(analysis)
    left_out = record.without if record else ()
    names = _names(analysis)
    blocks, values = _scores(analysis)
    return Page(
        views[0].title or results.name or "Benchmark",
        views[0].facts or facts_of(analysis),
        tuple(views),
        (*controls_of(views, LABELS, TREATMENTS), *_not_computed(analysis, views)),
        tuple(sections_of(analysis, left_out)),
        names,
        blocks=blocks,
        values=values,
    )


def page_of_answer(answer: Answer, progress: Progress | None = None) -> Page:
    """The page of an answer: what it found first, then its comparisons and other measures."""
    return lay_out_page(analyse_answer(answer, progress))


def analyse_answer(answer: Answer, progress: Progress | None = None) -> Analysis:
    """What the page of an answer is made from: its comparison first, and other measures."""
    results, request, c = answer.results, answer.request, answer.comparisons
    if request["judge"]:  # what a judge alone says is no finding
        results = results.filter(measure=request["human"])
    if request["dataset"]:
        results = results.filter(dataset=request["dataset"])
    about = c.extras.registered
    if about is not None and not about.exploratory:
        asked = PageRequest.from_options(about.version.plan.options())
        results = as_registered(results)
    else:
        asked = PageRequest.from_options(request.comparing)
    if request.select_given((*MARGINS, *BAYES, *JUDGED)):
        own = asked.options.but(alternative=c.alternative, relevance=c.relevance)
        asked = replace(asked, options=own)
    known = analysed(results, [c], asked, progress)
    return replace(known, result=answer.result, several=answer.case.several)


def views_of(analysis: Analysis) -> tuple[HeroRecord | None, Sequence[View]]:
    """The first record that makes views, and these; or why there are none."""
    record, views = first_hero(analysis)
    if views:
        return record, views
    why = next(iter(analysis.refused.values()), NOTHING)
    return None, [View(((why, False),))]


def sections_of(analysis: Analysis, left_out: Sequence[str]) -> list[Section]:
    """All sections that have something to tell, by their place."""
    records = sorted(SECTIONS.values(), key=lambda record: record.place)
    wanted = [record for record in records if record.name not in left_out]
    made = [each for record in wanted if (each := record.made(analysis)) is not None]
    first = analysis.first
    several = len(analysis.measures) > 1 or len(analysis.several) > 1
    if first is None or not several:
        return made
    return [_of_measure(each, first.measure) if each.name in OF_FIRST else each for each in made]


def _of_measure(section: Section, measure: str) -> Section:
    """A section of one of several measures says of which."""
    content = section.content
    finding = f"{printable(measure)}: {content.finding}"
    return replace(section, content=replace(content, finding=finding))


def facts_of(analysis: Analysis) -> str:
    """How much there is, in a line."""
    results = analysis.results
    noun = compared(analysis.first.comparisons) if analysis.first else "algorithm"
    parts = [counted(len(results.algorithms), noun)]
    if len(results.datasets) > 1:
        parts.append(counted(len(results.datasets), "data set"))
    if analysis.first is not None:
        blocks = analysis.first.comparisons.blocks
        if blocks.noun != "data sets":
            parts.append(f"{blocks.count:,} {noun_of(blocks)}")
    runs = results.runs["status"].value_counts() if "status" in results.runs else {}
    gone = int(runs.get("failed", 0)) + int(runs.get("missing", 0))
    partial = analysis.first is not None and analysis.first.comparisons.blocks.partial
    if gone and results.stopping is None and not partial:
        parts.append(f"{gone:,} of {len(results.runs):,} runs failed or missing")
    return " · ".join(parts)


def _names(analysis: Analysis) -> tuple[str, ...]:
    first = analysis.first
    return tuple(first.comparisons.algorithms if first else analysis.results.algorithms)


def _scores(
    analysis: Analysis,
) -> tuple[tuple[str, ...], Mapping[str, list[list[float | int | None]]]]:
    """Names of data sets and the scores of every measure on them, for strips and pictures."""
    blocks: tuple[str, ...] = ()
    values: dict[str, list[list[float | int | None]]] = {}
    for evidence in analysis.chosen:
        known = scores_of(evidence, analysis.results)
        same = known is not None and known.layout.algorithms == _names(analysis)
        if known is not None and same and (not blocks or known.names == blocks):
            blocks = known.names
            own = known.layout.sign * known.values
            values[evidence.measure] = [[rounded(v, 5) for v in row] for row in own.T.tolist()]
    return blocks, values


def _not_computed(analysis: Analysis, views: Sequence[View]) -> list[Control]:
    """Of very many algorithms: tests that are not computed beforehand, with the command."""
    first = analysis.first
    if first is None or len(first.comparisons.algorithms) <= MANY or first.layout is None:
        return []
    name = first.comparisons.procedure
    missing = ((OTHER_TESTS, "podium report FILE --procedure NAME"),)
    return [Control("test", LABELS["test"], ((name, printable(name)),), missing)]


# -- a page of many data sets -------------------------------------------------------------------
# A page of many data sets: the answer on each of them, or differences within groups.


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
