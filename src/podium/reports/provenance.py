"""Provenance, failures and warnings: what the scores were made with, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from podium.reports.document import Part, Section, Table
from podium.reports.headings import table
from podium.results.results import Results
from podium.wording.phrases import capital, counted

MOST_WARNINGS = 50


def provenance(results: Results) -> Section:
    """What the scores were made with."""
    rows = [_session(each) for each in results.provenance]
    frame = pd.DataFrame(rows).drop_duplicates() if rows else pd.DataFrame()
    if frame.empty:
        text = "Nothing is known about the machines and packages that these scores were made with."
        return Section("Provenance", "provenance", (Part(paragraphs=(text,)),))
    made = Table("Machines and packages", _upright(frame.reset_index(drop=True)))
    return Section("Provenance", "provenance", (Part(items=(made,)),))


def _session(session: Mapping[str, Any]) -> dict[str, Any]:
    known = {key: session.get(key, "") for key in ("python", "platform", "cores")}
    return {**known, **session.get("packages", {})}


def _upright(frame: pd.DataFrame) -> pd.DataFrame:
    """One session as a list, which is narrower than a row of many columns."""
    if len(frame) > 1:
        return frame
    return pd.DataFrame({"what": list(frame.columns), "which": [*map(str, frame.iloc[0])]})


def problems(results: Results) -> Section:
    """Failures and warnings, counted."""
    tables = [*_failures(results), *_warnings(results)]
    text = "" if tables else "No run failed and no algorithm warned."
    if len(results.failures):
        text = f"{capital(counted(len(results.failures), 'run'))} failed."
    part = Part(paragraphs=(text,) if text else (), items=tuple(tables))
    return Section("Failures and warnings", "failures", (part,))


def _failures(results: Results) -> list[Table]:
    if not len(results.failures):
        return []
    cell = ["dataset", "algorithm", "exception", "message"]
    counts = results.failures.groupby(cell, observed=True).size().rename("runs").reset_index()
    return [table("Failures", counts)]


def _warnings(results: Results) -> list[Table]:
    if not len(results.warnings):
        return []
    kind = ["algorithm", "category", "message"]
    counts = results.warnings.groupby(kind, observed=True)["count"].sum().reset_index()
    frequent = counts.sort_values("count", ascending=False, ignore_index=True).head(MOST_WARNINGS)
    return [table("Warnings, the most frequent ones", frequent)]
