"""The sections of a page, in the order in which they are read.

Each file registers what it makes in `document.SECTIONS`; what others register there comes along.
Here are the findings, methods, design and plans.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from podium.answers import claims
from podium.answers import evidence_words as words
from podium.answers.claims import cautionary, claim, legend
from podium.answers.first_screen import answer, seen
from podium.answers.settling import by_plan
from podium.base.progress import Progress
from podium.drawing.emphasis import emphasised
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.layouts.layouts import Layout
from podium.planning.detection import Pool, Settling, found_now, open_by_errors, open_pairs, pool_of
from podium.planning.words import planned_noun
from podium.reading.results import Results
from podium.reports.analysis import Analysis, Evidence, Question, analysed
from podium.reports.document import SECTIONS, Choice, Part, Section, Table, readable, section
from podium.reports.figures import Picture, pictured
from podium.reports.score_words import (
    NO_PROVENANCE,
    NO_SCORES,
    NOTHING_COMPARED,
    designed,
    failed,
    headline,
    not_judged,
    nothing_compared,
    noun,
)
from podium.verdicts.methods import how_to_report, methods_text, references
from podium.words.facts import Note


def sections(
    results: Results,
    comparisons: Sequence[Comparisons] = (),
    question: Question | None = None,
    *,
    progress: Progress | None = None,
) -> list[Section]:
    """What a page of these results says, the findings first.

    Comparisons that are given come first; every other measure is compared by the procedure that
    the design calls for, or as the question asks. `progress` is told `(done, total)`.
    """
    records = sorted(SECTIONS.values(), key=lambda record: record.place)
    steps = len(records)
    tell = progress or (lambda done, total: None)
    analysis = analysed(
        results, comparisons, question, lambda done, total: tell(done, total + steps)
    )
    before = len(analysis.measures) + 2
    made = []
    with emphasised(seen(analysis)):  # one order of rows and one meaning of colour
        for done, record in enumerate(records, 1):
            made.append(record.made(analysis))
            tell(before + done, before + steps)
    return [each for each in made if each is not None]


# -- what was found -------------------------------------------------------------------------

MOST_CHAINED = 8  # names of an order in one line


@section("findings", "What was found", place=10)
def findings(analysis: Analysis) -> Iterator[Part]:
    """The order and one paragraph for every measure, with what a reader must know."""
    yield from (_finding(each, analysis) for each in analysis.chosen)
    for measure, why in analysis.refused.items():
        title, text = not_judged(measure, why)
        notes = tuple(claims.failures(analysis.results))
        yield Part(title, paragraphs=(text,), notes=notes, choice=Choice(measure))
    if not analysis.measures:
        yield Part(paragraphs=(NO_SCORES,))


def _finding(evidence: Evidence, analysis: Analysis) -> Part:
    """The answer in a screen, then in words; an order of very many is below, where it has room."""
    c, results = evidence.comparisons, analysis.results
    notes = cautionary(evidence, results)
    few = evidence.has_order and len(c.algorithms) <= MOST_CHAINED
    signs = "" if c.is_forced or c.is_race else legend(evidence.order, c.relevance)
    return Part(
        title=headline(c, results),
        lead=evidence.order.text if few and not c.is_forced else "",
        paragraphs=tuple(text for text in (claim(evidence, results), signs) if text),
        notes=notes,
        choice=Choice(evidence.measure),
        answer=answer(evidence, analysis, notes),
    )


# -- for a paper ----------------------------------------------------------------------------


@section("methods", "Methods", place=80)
def methods(analysis: Analysis) -> Iterator[Part]:
    """By measure: the text, how to report what was found, and the references by their numbers."""
    if not analysis.chosen:
        yield Part(paragraphs=(NOTHING_COMPARED,))
        return
    for each in analysis.chosen:
        yield from _methods_of(each, analysis.results)
    for measure in analysis.refused:
        yield Part(paragraphs=(nothing_compared(measure),), choice=Choice(measure))


def _methods_of(evidence: Evidence, results: Results) -> Iterator[Part]:
    c, order = evidence.comparisons, evidence.order
    choice = Choice(evidence.measure)
    yield Part("For a paper", paragraphs=methods_text(results, c, order), choice=choice)
    yield Part("How to report this", paragraphs=(how_to_report(c, order),), choice=choice)
    cited = references(results, c)
    if cited:
        numbered = pd.DataFrame({"reference": list(cited)})
        yield Part(items=(Table("References", numbered),), choice=choice)


# -- design, provenance and failures --------------------------------------------------------------

MOST_WARNINGS = 50
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


@section("design", "Design", place=20)
def design(analysis: Analysis) -> Iterator[Part]:
    """What was run, counted, and the facts of the data sets."""
    facts = _facts(analysis.results)
    tables = (Table("Data sets", facts),) if len(facts) else ()
    yield Part(paragraphs=tuple(designed(analysis.results)), items=tables)


def _facts(results: Results) -> pd.DataFrame:
    """One row per data set of a study; a table that somebody else made has no such facts."""
    rows = [
        {"data set": name, **{words: _fact(facts, key) for key, words in FACTS.items()}}
        for name, facts in results.facts.items()
        if "task" in facts and name in results.datasets
    ]
    return pd.DataFrame(rows)


def _fact(facts: object, key: str) -> object:
    value = facts.get(key, "") if hasattr(facts, "get") else ""
    return (len(value) or "") if key == "classes" else value


@section("provenance", "Provenance", place=90)
def provenance(analysis: Analysis) -> Iterator[Part]:
    """What the scores were made with."""
    rows = [_session(each) for each in analysis.results.provenance]
    frame = pd.DataFrame(rows).drop_duplicates() if rows else pd.DataFrame()
    if frame.empty:
        yield Part(paragraphs=(NO_PROVENANCE,))
    else:
        yield Part(items=(Table("Machines and packages", _upright(frame.reset_index(drop=True))),))


def _session(session: Mapping[str, Any]) -> dict[str, Any]:
    known = {key: session.get(key, "") for key in ("python", "platform", "cores")}
    return {**known, **session.get("packages", {})}


def _upright(frame: pd.DataFrame) -> pd.DataFrame:
    """One session as a list, which is narrower than a row of many columns."""
    if len(frame) > 1:
        return frame
    return pd.DataFrame({"what": list(frame.columns), "which": [*map(str, frame.iloc[0])]})


@section("failures", "Failures and warnings", place=100)
def failures(analysis: Analysis) -> Iterator[Part]:
    """Failures and warnings, counted."""
    results = analysis.results
    text = failed(results)
    tables = (*_failures(results), *_warnings(results))
    yield Part(paragraphs=(text,) if text else (), items=tables)


def _failures(results: Results) -> Iterator[Table]:
    if len(results.failures):
        cell = ["dataset", "algorithm", "exception", "message"]
        counts = results.failures.groupby(cell, observed=True).size().rename("runs").reset_index()
        yield readable("Failures", counts)


def _warnings(results: Results) -> Iterator[Table]:
    if len(results.warnings):
        kind = ["algorithm", "category", "message"]
        counts = results.warnings.groupby(kind, observed=True)["count"].sum().reset_index()
        frequent = counts.sort_values("count", ascending=False, ignore_index=True)
        yield readable("Warnings, the most frequent ones", frequent.head(MOST_WARNINGS))


# -- planning -------------------------------------------------------------------------------------

TOLD = ("few-blocks", "bonferroni")  # the notes of a plan that are not with the tests


@section("planning", "Planning: what would settle the open pairs", place=70)
def planning(analysis: Analysis) -> Iterator[Part]:
    """What the open pairs of every measure would take."""
    several = [each for each in analysis.chosen if each.has_order]
    yield from map(_settled, several)
    if not several:
        yield Part(paragraphs=(words.NO_PAIRS,))


def _settled(evidence: Evidence) -> Part:
    c, made = evidence.comparisons, evidence.layout
    count = open_pairs(c)
    if not count:
        return _said(evidence, words.NONE_OPEN)
    said = words.open_pairs(count)
    if c.extras.sequential is not None:
        return _said(evidence, said, by_plan(c.extras.sequential, noun(c), count))
    if (pool := pool_of(c)) is not None and not c.relevance:
        return _from_pool(said, pool, evidence)
    if made is None:
        return _said(evidence, said, words.NOT_MADE_AGAIN)
    if not planned_noun(made.block):
        return _not_by_more(said, made, evidence)
    found = evidence.settled_by
    if isinstance(found, Note):
        return _said(evidence, said, words.not_planned(found))
    return _planned(said, found, evidence)


def _said(evidence: Evidence, *paragraphs: str) -> Part:
    measure = evidence.comparisons.measure
    return Part(f"By {measure}", paragraphs=paragraphs, choice=Choice(evidence.measure))


def _from_pool(said: str, pool: Pool, evidence: Evidence) -> Part:
    """What choices or labels would do, by the errors of the estimates."""
    c = evidence.comparisons
    pairs = open_by_errors(c, pool.there)
    return Part(
        f"By {c.measure}",
        paragraphs=(said, words.of_pool(pool), words.CAVEAT),
        items=(readable(f"Number of {pool.noun} for the open pairs", pairs),),
        choice=Choice(evidence.measure),
    )


def _not_by_more(said: str, made: Layout, evidence: Evidence) -> Part:
    """Blocks of which more would not tell more about the population."""
    c = evidence.comparisons
    pairs = found_now(made, c)
    known = len(pairs) > 0
    return Part(
        f"By {c.measure}",
        paragraphs=(said, words.more_is_no_help(c), *[words.found_now(c)] * known),
        items=(readable(words.FOUND_NOW, pairs),) * known,
        choice=Choice(evidence.measure),
    )


def _planned(said: str, found: Settling, evidence: Evidence) -> Part:
    """How many blocks the open pairs need, and a curve for the hardest that can be settled."""
    measure = evidence.comparisons.measure
    figures, not_drawn = pictured([_curve(found)], measure)
    return Part(
        f"By {measure}",
        paragraphs=(said, *words.needed(found.noun, found.margin), *not_drawn),
        notes=tuple(note for note in found.pilot.notes if note.code in TOLD),
        items=(readable(f"Number of {found.noun} for the open pairs", found.pairs), *figures),
        choice=Choice(evidence.measure),
    )


def _curve(found: Settling) -> Picture:
    return Picture(
        "power_curve",
        found.pilot.plan,
        height=3.2,
        facts={"difference": words.difference_sought(found.margin), "blocks": found.noun},
    )
