"""The sections of a page: each a closed line that tells its finding, with data to draw it.

What other rooms register in `document.SECTIONS` comes along, by its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.comparison.analysis import Analysis, Evidence
from podium.asking.comparison.pages import explored
from podium.asking.comparison.words import best_on, capital_share, first_of, fixed_in_advance, front
from podium.core.base.formatting import p_value, printable, short
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.results.dataset_facts import development
from podium.core.results.pass_at import fits_spent
from podium.core.results.results import RECOGNISED, reading_facts
from podium.core.verdicts.methods import how_to_report, methods_text, references
from podium.core.verdicts.standing import compared, noun_of
from podium.core.words.facts import PAGE, Note
from podium.core.words.notes.of_results import NEUTRALITY, SPENT_CAPTION, disclosure
from podium.core.words.phrases import counted, is_are, joined, level
from podium.core.words.saying import say
from podium.showing.reports.board import caveats_line
from podium.showing.reports.document import Content, Drawing, Table, Text, readable, section
from podium.showing.reports.words import designed, failed


def _first(analysis: Analysis) -> Comparisons | None:
    """What the page is about, where algorithms were compared in pairs."""
    if analysis.first is None or analysis.first.comparisons.decision.places is None:
        return None
    c = analysis.first.comparisons
    return c if len(c.table) and not c.is_forced else None


@section("refused", "Not compared", place=5)
def refused(analysis: Analysis) -> Content | None:
    """Measures that could not be compared, and why."""
    if not analysis.refused:
        return None
    rows = pd.DataFrame({"measure": list(analysis.refused), "why": list(analysis.refused.values())})
    first = next(iter(analysis.refused.items()))
    finding = f"{printable(first[0])}: {first[1]}" if len(rows) == 1 else f"{len(rows)} measures"
    return Content(finding, (Table("", rows),))


# -- comparisons ----------------------------------------------------------------------------------


@section("comparisons", "All comparisons", place=20)
def comparisons(analysis: Analysis) -> Content | None:
    """Every comparison with its interval, inconclusive ones first."""
    c = _first(analysis)
    if c is None or len(c.table) < 2 or c.is_race:
        return None
    made = c.decision
    rest = f"; {made.inconclusive:,} inconclusive" if made.inconclusive else ""
    sure = f"with a probability of {level(c.alpha)}" if c.has_posterior else "significant"
    return Content(
        f"{made.significant:,} of {made.comparisons:,} {sure}{rest}", (Drawing("pairs"),)
    )


@section("tests", "Other tests", place=50)
def tests(analysis: Analysis) -> Content | None:
    """What other valid tests find on the same question, one of each kind."""
    first = analysis.first
    others = [e for e in analysis.of(first.measure) if not e.is_chosen] if first else []
    if first is None or not others:
        return None
    rows = pd.DataFrame([_tested(each) for each in (first, *others)])
    same = sum(front(e.comparisons) == front(first.comparisons) for e in others)
    agree = "the same answer" if same == len(others) else "not all the same answer"
    return Content(
        f"{counted(len(others), 'other test')}, {agree}",
        (Text((fixed_in_advance(first),)), Table("", rows)),
    )


def _tested(evidence: Evidence) -> dict[str, Any]:
    c = evidence.comparisons
    return {
        "test": c.procedure,
        "kind": evidence.kind or "the analysis",
        "could be best": joined([short(n, 30) for n in c.lead or ()], 6),
        "significant": f"{c.decision.significant} of {c.decision.comparisons}",
        "overall test: p": p_value(c.overall.p) if c.overall else "–",
    }


@section("stability", "Stability", place=40)
def stability(analysis: Analysis) -> Content | None:
    """How often each algorithm is first in bootstrap samples."""
    shares, c = analysis.shares, _first(analysis)
    if isinstance(shares, Note) or c is None:
        return None
    rows = [
        (printable(name), share, f"{100 * share:.1f} %")
        for name, share in sorted(shares.shares.items(), key=lambda each: -each[1])
        if share > 0
    ]
    name, share = first_of(shares)[0]
    finding = f"{printable(short(name, 40))} is first in {100 * share:.0f} % of bootstrap samples"
    return Content(
        finding, (Text((f"{capital_share(shares, c)}.",)), Drawing("shares", {"rows": rows}))
    )


# -- scores ---------------------------------------------------------------------------------------


@section("scores", "Scores", place=30)
def scores(analysis: Analysis) -> Content | None:
    """All scores in linked pictures: what is selected in one is marked in the others."""
    blocks = explored(analysis)
    if blocks is None:
        return None
    made, noun = blocks.layout, blocks.noun
    known = blocks.values[~np.isnan(blocks.values).all(axis=1)]
    filled = np.where(np.isnan(known), -np.inf, known)
    is_best = filled == filled.max(axis=1, keepdims=True)
    finding = best_on(made.algorithms, is_best, len(blocks.names), noun)
    return Content(finding, (Drawing("explore", {"facts": blocks.facts(), "head": FACT_HEAD}),))


FACT_HEAD = ("", "mean of the selected", "mean of all")


@section("values", "Table of scores", place=35)
def values(analysis: Analysis) -> Content | None:
    """Scores by data set and algorithm, the best in bold."""
    blocks = explored(analysis)
    if blocks is None:
        return None
    size = f"{len(blocks.names)} × {len(blocks.layout.algorithms)}"
    return Content(f"{size}, best in bold", (Drawing("values"),))


@section("datasets", "Each data set", place=45)
def datasets(analysis: Analysis) -> Content | None:
    """Every data set by itself, where it has several samples."""
    results = analysis.results
    if len(results.datasets) < 2 or len(results.runs) <= len(results.algorithms) * len(
        results.datasets
    ):
        return None
    survey = analysis.survey
    if isinstance(survey, Note):
        return None
    return Content(_each(survey), (Text(tuple(filter(None, (survey.heading, survey.agreement)))),
                                   readable("", survey.table)))  # fmt: skip


def _each(survey: DatasetOrders) -> str:
    decided = [name for name, order in survey.orders.items() if order.better.any()]
    count = len(survey.orders)
    return f"significant differences on {len(decided)} of {count} data sets, each by itself"


# -- caveats, methods, provenance -----------------------------------------------------------------


@section("caveats", "Caveats", place=60)
def caveats(analysis: Analysis) -> Content | None:
    """All notes of the analysis in full."""
    if analysis.first is None:
        return None
    c = analysis.first.comparisons
    notes = sorted((n for n in c.warnings if n.code != RECOGNISED), key=lambda n: -n.severity)
    texts = (printable(c.statement), *(printable(say(note, PAGE)) for note in notes))
    return Content(caveats_line(notes), (Text(texts),))


@section("reading", "Read as", place=70)
def reading(analysis: Analysis) -> Content | None:
    """How the source was read in one line, and every column: what it is, or why it is unused."""
    facts = reading_facts(analysis.results.notes)
    if not facts:
        return None
    rows = [(c, role) for role, columns in facts.get("roles", {}).items() for c in columns]
    if facts.get("across"):
        rows += [(c, facts["across"]["role"]) for c in facts["across"]["columns"]]
    rows += [(c, f"unused: {why}") for c, why in facts.get("unused", {}).items()]
    table = pd.DataFrame(rows, columns=["column", "is"]).map(printable)
    finding = facts["text"].removeprefix("Read as").lstrip(": ")
    held = Table("Columns", table) if rows else Text((facts["text"],))
    return Content(printable(finding), (held,))


@section("methods", "Methods text", place=80)
def methods(analysis: Analysis) -> Content | None:
    """The methods for a paper, how to report the results, and the references."""
    if analysis.first is None or len(analysis.first.comparisons.algorithms) < 2:
        return None
    c, order = analysis.first.comparisons, analysis.first.order
    text = (*methods_text(analysis.results, c, order), how_to_report(c, order))
    cited = references(analysis.results, c)
    words = sum(len(paragraph.split()) for paragraph in text)
    finding = f"{words} words and {counted(len(cited), 'reference')}, ready to copy"
    return Content(finding, (Text((*text, *cited), copied=True),))


@section("design", "Design and provenance", place=90)
def design(analysis: Analysis) -> Content | None:
    """What was run, with what, and the facts of the data sets."""
    results = analysis.results
    texts = tuple(designed(results))
    tables = [*_facts(analysis), *_sessions(analysis)]
    noun = compared(analysis.first.comparisons) if analysis.first else "algorithm"
    counts = (counted(len(results.algorithms), noun), _amount(analysis))
    return Content(
        f"{joined(counts)}, with versions" if tables else joined(counts), (Text(texts), *tables)
    )


def _amount(analysis: Analysis) -> str:
    """How many scores there are; of battles and predictions, how many of these."""
    first = analysis.first
    if first is not None:
        blocks, made = first.comparisons.blocks, first.layout
        if blocks.partial or (made is not None and made.items.linearised is not None):
            return f"{blocks.count:,} {noun_of(blocks)}"
    done = analysis.results.runs["status"] == "done"
    return f"{int(done.sum()):,} scores"


FACTS = {  # of a data set, under the names that people read
    "task": "task",
    "n": "rows",
    "n_test": "test rows",
    "p": "attributes",
    "nominal": "nominal",
    "missing": "missing values",
    "classes": "classes",
    "origin": "origin",
}


def _facts(analysis: Analysis) -> Iterator[Table]:
    """One row per data set of a study; a table that somebody else made has no such facts."""
    results = analysis.results
    rows = [
        {"data set": name, **{word: _fact(facts, key) for key, word in FACTS.items()}}
        for name, facts in results.facts.items()
        if "task" in facts and name in results.datasets
    ]
    if rows:
        yield Table("Data sets", pd.DataFrame(rows))


def _fact(facts: Mapping[str, Any], key: str) -> object:
    value = facts.get(key, "")
    return (len(value) or "") if key == "classes" else value


def _sessions(analysis: Analysis) -> Iterator[Table]:
    rows = [
        {**{key: each.get(key, "") for key in ("python", "platform", "cores")},
         **each.get("packages", {})}
        for each in analysis.results.provenance
    ]  # fmt: skip
    frame = pd.DataFrame(rows).drop_duplicates() if rows else pd.DataFrame()
    if len(frame) == 1:
        frame = pd.DataFrame({"what": list(frame.columns), "which": [*map(str, frame.iloc[0])]})
    if len(frame):
        yield Table("Machines and packages", frame)


MOST_WARNINGS = 50


@section("failures", "Failures and warnings", place=65)
def failures(analysis: Analysis) -> Content | None:
    """Failures and warnings, counted; nothing where there are none."""
    results = analysis.results
    tables = [*_counted(results.failures, ["dataset", "algorithm", "exception", "message"], "runs")]
    if len(results.warnings):
        kind = ["algorithm", "category", "message"]
        counts = results.warnings.groupby(kind, observed=True)["count"].sum().reset_index()
        frequent = counts.sort_values("count", ascending=False, ignore_index=True)
        tables.append(readable("Warnings, the most frequent ones", frequent.head(MOST_WARNINGS)))
    if not tables:
        return None
    warned = len(results.warnings)
    text = failed(results) or f"{counted(warned, 'kind')} of warnings"
    return Content(text.rstrip("."), tuple(tables))


def _counted(frame: pd.DataFrame, by: list[str], name: str) -> Iterator[Table]:
    if len(frame):
        yield readable(
            "Failures", frame.groupby(by, observed=True).size().rename(name).reset_index()
        )


@section("neutral", NEUTRALITY, place=70)
def neutral(analysis: Analysis) -> Content | None:
    """The disclosure paragraph and the fits spent; nothing where nothing is known of them."""
    results = analysis.results
    known = any(results.design.get(key) for key in ("frame", "roles", "development"))
    if not known and not len(results.fits):
        return None
    spent = fits_spent(results)
    texts = disclosure(spent, len(development(results)), results.design.get("frame") or {})
    total = f"{counted(len(spent), 'algorithm')} {is_are(len(spent))} listed with the fits spent"
    return Content(total, (Text(tuple(texts)), readable(SPENT_CAPTION, spent)))
