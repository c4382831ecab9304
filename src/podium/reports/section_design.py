"""Design, provenance and failures: what was run, what with, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from podium.reports.document import Part, Table, readable, section
from podium.results.results import Results
from podium.studies.analysis import Analysis
from podium.wording.page_scores import NO_PROVENANCE, designed, failed

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
