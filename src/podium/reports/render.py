"""Rendering sections as one self-contained page of HTML; it knows no statistics."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

import pandas as pd

from podium.reports.sections import Evidence, Section, sections
from podium.results.results import Results

POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # nothing from outside, no scripts


def write_report(results: Results, path: str | Path, evidence: Sequence[Evidence] = ()) -> None:
    """Write the report of results, and of what was inferred, as one HTML file."""
    title = f"Benchmark study: {results.name}"
    Path(path).write_text(page(title, sections(results, evidence)), encoding="utf-8")


def page(title: str, parts: list[Section]) -> str:
    """A whole HTML page; every text is escaped."""
    style = files("podium.reports").joinpath("report.css").read_text(encoding="utf-8")
    body = "\n".join(_section(p) for p in parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    lead = f'<p class="lead">{escape(section.lead)}</p>\n' if section.lead else ""
    paragraphs = "".join(f"<p>{escape(p)}</p>\n" for p in section.paragraphs)
    tables = "".join(_table(caption, frame) for caption, frame in section.tables)
    return f"<section>\n<h2>{escape(section.title)}</h2>\n{lead}{paragraphs}{tables}</section>"


def _table(caption: str, frame: pd.DataFrame) -> str:
    head = "".join(f'<th scope="col">{escape(str(c))}</th>' for c in frame.columns)
    rows = "\n".join(
        "<tr>" + "".join(_cell(v) for v in row) + "</tr>" for row in frame.itertuples(index=False)
    )
    return (
        f'<div class="table"><table>\n<caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>\n"
    )


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f'<td class="number">{"" if value != value else f"{value:.4g}"}</td>'
    kind = ' class="number"' if isinstance(value, int) else ""
    return f"<td{kind}>{escape(str(value))}</td>"
