"""Rendering sections as one self-contained page of HTML; it knows no statistics.

What is written is in `templates/`; the page carries its one script, and a policy that guards it.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import pandas as pd

from podium.base.formatting import booktabs, latex, printable
from podium.reports.document import Charts, Choice, Figure, Item, Part, Section, Table
from podium.reports.specs import BLOCK, TITLES, specs
from podium.reports.vega import library
from podium.words.facts import CAUTION, Note
from podium.words.saying import say
from podium.words.voices import PAGE

MOST_ROWS = 1_500  # of all tables together that a browser lays out at once
FEWEST_ROWS = 10  # of a table
SCRIPTS = ("downloads.js", "tables.js", "charts.js", "report.js")  # in this order, as one script
ALL = "all data sets together"


def page(title: str, sections: Sequence[Section]) -> str:
    """A whole HTML page, which needs nothing from outside and can be read without scripts."""
    scores = next((i for i in _items(sections) if isinstance(i, Charts)), None)
    named = next((p.algorithms for s in sections for p in s.parts if p.algorithms), ())
    algorithms = scores.data["algorithms"] if scores else named
    most = _most_rows(sections)
    setting = Setting({a["name"]: i for i, a in enumerate(algorithms)}, most)
    chosen = _switches(sections, scores)
    code = _script()
    charts = library() if scores else None
    anchors = _anchors(sections)
    return _template("page.html").render(
        title=title,
        policy=_safe(_policy(code, charts.text) if charts else _policy(code)),
        style=_safe(_read("report.css")),
        script=_safe(code),
        library=_safe(_in_letters(charts.packed)) if charts else "",
        long=most is not None,
        switches=chosen,
        algorithms=algorithms,
        anchors=anchors,
        sections=[
            {"anchor": anchor, "title": s.title,
             "parts": [_part(p, setting, chosen) for p in s.parts]}
            for s, anchor in zip(sections, anchors, strict=True)
        ],
    )  # fmt: skip


def _items(sections: Iterable[Section]) -> list[Item]:
    return [item for s in sections for p in s.parts for item in p.items]


def _most_rows(sections: Sequence[Section]) -> int | None:
    """How many rows of a table stand in the page itself; all where they are not too many."""
    rows = [len(i.frame) for i in _items(sections) if isinstance(i, Table)]
    return max(MOST_ROWS // len(rows), FEWEST_ROWS) if sum(rows) > MOST_ROWS else None


def _anchors(sections: Sequence[Section]) -> list[str]:
    """A link target per section, all different."""
    made: list[str] = []
    for section in sections:
        name = re.sub(r"[^a-z0-9]+", "-", section.name.lower()).strip("-") or "section"
        made.append(name if name not in (*made, "content") else f"{name}-{len(made) + 1}")
    return made


def _part(part: Part, setting: Setting, chosen: Sequence[Switch]) -> dict[str, Any]:
    notes = sorted(part.notes, key=lambda note: note.severity < CAUTION)  # warnings first
    return {
        "title": part.title,
        "lead": part.lead,
        "answer": part.answer,
        "paragraphs": part.paragraphs,
        "notes": [_note(note) for note in notes],
        "content": [marked(item, setting) for item in part.items],
        "when": {f"data-{s.field}": name for s in chosen if (name := s.name_in(part.choice))},
    }


def _note(note: Note) -> dict[str, str]:
    kind = "remark" if note.severity < CAUTION else "warning"
    return {"kind": kind, "code": note.code, "text": say(note, PAGE)}


# -- switches -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Switch:
    """A choice between names, by which parts of the page are shown."""

    field: str  # of Choice
    label: str
    names: tuple[str, ...]
    every: str = ""  # what no name stands for, where that can be chosen

    def name_in(self, choice: Choice) -> str:
        """The name for which a part is shown; empty where it always is."""
        return str(getattr(choice, self.field))


def _switches(sections: Sequence[Section], scores: Charts | None) -> list[Switch]:
    """The switches that a page needs, from what its parts and its charts tell apart."""
    choices = [p.choice for s in sections for p in s.parts]
    measures = [m["name"] for m in scores.data["measures"]] if scores else []
    known = scores.data["datasets"] if scores else []
    datasets = _unique([*known, *(c.dataset for c in choices)])
    together = ALL if len(datasets) > 1 else ""
    every = [
        Switch("measure", "Measure", _unique([*measures, *(c.measure for c in choices)])),
        Switch("dataset", "Data set", datasets, together),
        Switch("procedure", "Procedure", _unique(c.procedure for c in choices)),
    ]
    return [switch for switch in every if len(switch.names) + bool(switch.every) > 1]


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(n for n in names if n))


# -- the script and its policy --------------------------------------------------------------


def _script() -> str:
    """The page's own script."""
    own = "\n".join(_read(name) for name in SCRIPTS)
    body = f'(function () {{\n"use strict";\n{own}\n}})();\n'
    return body.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _policy(*scripts: str) -> str:
    """The content security policy: these very scripts run, and nothing comes from outside."""
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    sources = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _packed(text: str) -> str:
    """A text as gzip in base64, without a time: the same results make the same page."""
    return _in_letters(gzip.compress(text.encode(), 9, mtime=0))


def _in_letters(packed: bytes) -> str:
    return base64.b64encode(packed).decode()


@cache
def _read(name: str) -> str:
    return files("podium.reports").joinpath(name).read_text(encoding="utf-8")


# -- templates ------------------------------------------------------------------------------


@cache
def _template(name: str) -> Any:
    """A template that escapes every text and fails on a name that it is not given."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("podium.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["printable"] = printable
    return templates.get_template(name)


def _safe(text: str) -> Any:
    """A text of our own that is markup, style or script already."""
    from markupsafe import Markup

    return Markup(text)


# -- tables, figures and charts as `templates/items.html` takes them ------------------------------

WIDE = 28  # letters of a cell that is not to be squeezed into a narrow column
LONG_LATEX = 500  # rows from which a table is no longer one to print
LONG = 20_000  # letters of data from which they are compressed


@dataclass(frozen=True)
class Setting:
    """What rendering knows of the page: its algorithms, and how long a table may be.

    The script adds the other rows of a longer one when it is looked at.
    """

    algorithms: Mapping[str, int] = field(default_factory=dict)
    most: int | None = None


def marked(item: Item, setting: Setting) -> tuple[str, dict[str, Any]]:
    """The macro that writes an item, and what it is given."""
    if isinstance(item, Table):
        return "table", _table(item, setting)
    return ("figure", _figure(item)) if isinstance(item, Figure) else ("charts", _charts(item))


def _data(content: Any, kind: str) -> dict[str, Any]:
    """Data for the script; nothing in them can end their element or run.

    Long data are gzip in base64, which every browser of the last years unpacks by itself.
    """
    from markupsafe import Markup

    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    packed = len(text) > LONG
    if packed:
        text = _packed(text)
    return {"kind": kind, "packed": packed, "text": Markup(text.replace("<", "\\u003c"))}


def _line(text: str) -> str:
    """A text in one line, for an attribute."""
    return " ".join(text.split())


# -- tables ---------------------------------------------------------------------------------


def _table(item: Table, setting: Setting) -> dict[str, Any]:
    """A table with its caption; numbers keep their value, rows know their algorithms."""
    texts = (item.frame if item.shown is None else item.shown).astype(object).map(_text)
    values = [_values(item.frame, texts, i) for i in range(texts.shape[1])]
    whom = _algorithms_of(item.frame, setting.algorithms)
    rows = list(zip(texts.itertuples(index=False, name=None), zip(*values, strict=True), whom,
                    strict=True)) if len(texts) else []  # fmt: skip
    numeric = [any(isinstance(v, float) for v in column) for column in values]
    inside = rows[: setting.most]
    rest = rows[len(inside) :]
    return {
        "label": _line(item.caption),
        "caption": item.caption,
        "columns": _columns(item.frame, texts, numeric, setting),
        "rows": [_row(*row, numeric) for row in inside],
        "rest": len(rest),
        "content": _data({"files": _files(item, texts), "rest": rest}, "content"),
    }


def _text(value: Any) -> str:
    """A value for people: four digits; nothing where there is none."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, float):
        return "" if value != value else f"{value:.4g}"
    return "" if value is None or value is pd.NA or value is pd.NaT else str(value)


def _values(frame: pd.DataFrame, texts: pd.DataFrame, place: int) -> list[float | None]:
    """The numbers behind a column of texts, by which it is sorted; none where it has none."""
    name = texts.columns[place]
    same = list(frame.columns) == list(texts.columns) or len(frame.columns) == texts.shape[1]
    at = place if same else next((i for i, c in enumerate(frame.columns) if c == name), None)
    column = texts.iloc[:, place] if at is None else frame.iloc[:, at]
    if at is not None and not pd.api.types.is_numeric_dtype(column):
        found = [v if isinstance(v, int | float) else None for v in column]
    else:
        found = pd.to_numeric(column, errors="coerce").astype(float).tolist()
    return [None if v is None or pd.isna(v) else float(v) for v in found]


def _columns(
    frame: pd.DataFrame, texts: pd.DataFrame, numeric: Sequence[bool], setting: Setting
) -> list[dict[str, Any]]:
    """The heads; rows of a column that names data sets are those of the one that is chosen."""
    same = frame.shape[1] == texts.shape[1]
    return [
        {
            "name": str(name),
            "numeric": numeric[i],
            "names_datasets": same and str(frame.columns[i]) == "dataset",
            "algorithms": str(setting.algorithms.get(str(name), "")),
        }
        for i, name in enumerate(texts.columns)
    ]


def _row(
    texts: Sequence[str], values: Sequence[float | None], whom: list[int], numeric: Sequence[bool]
) -> dict[str, Any]:
    cells = [_cell(*cell) for cell in zip(texts, values, numeric, strict=True)]
    return {"algorithms": " ".join(map(str, whom)), "cells": cells}


def _cell(text: str, value: float | None, numeric: bool) -> dict[str, str]:
    kind = "number" if numeric else "wide" if len(text) > WIDE else ""
    said = value is None or _says(text, value)
    return {"text": text, "kind": kind, "value": "" if said else repr(value)}


def _says(text: str, value: float) -> bool:
    try:
        return float(text) == value
    except ValueError:
        return False


def _algorithms_of(frame: pd.DataFrame, algorithms: Mapping[str, int]) -> list[list[int]]:
    """The algorithms of each row: from columns that hold nothing else."""
    whom: list[list[int]] = [[] for _ in range(len(frame))]
    for i in range(frame.shape[1]):
        found = [algorithms.get(v) if isinstance(v, str) else None for v in frame.iloc[:, i]]
        if all(who is not None for who in found):
            for row, who in zip(whom, found, strict=True):
                row.extend([] if who is None else [who])
    return whom


def _files(item: Table, texts: pd.DataFrame) -> dict[str, str]:
    files = {"csv": item.frame.to_csv(index=False, lineterminator="\n")}
    if item.latex or len(texts) <= LONG_LATEX:
        files["tex"] = item.latex or _latex(item.caption, texts)
    return files


def _latex(caption: str, texts: pd.DataFrame) -> str:
    sides = "".join("r" if _has_numbers(texts.iloc[:, i]) else "l" for i in range(texts.shape[1]))
    rows = ([latex(text) for text in row] for row in texts.itertuples(index=False))
    head = [latex(str(name)) for name in texts.columns]
    return booktabs(latex(caption), sides, head, [rows], centred=True)


def _has_numbers(column: pd.Series) -> bool:
    """Whether a column of texts has numbers, also such as <0.001."""
    texts = column.astype(str).str.lstrip("<").replace("–", "")
    return bool(pd.to_numeric(texts, errors="coerce").notna().any())


# -- figures and charts ---------------------------------------------------------------------


def _figure(item: Figure) -> dict[str, Any]:
    """A picture with its title and caption, and the files that go with it."""
    from markupsafe import Markup

    files = dict(item.files)
    if item.data is not None:
        files = {"csv": item.data.to_csv(index=False, lineterminator="\n"), **files}
    return {
        "label": _line(item.title),
        "title": item.title,
        "caption": item.caption,
        "svg": Markup(item.svg),  # matplotlib escaped its texts
        "content": _data({"files": files}, "content"),
    }


def _charts(item: Charts) -> dict[str, Any]:
    """Places for the linked charts, which the script draws, and their data."""
    return {
        "caption": item.caption,
        "charts": [
            {"name": name, "title": title.format(block=BLOCK), "words": title.split("{block}")}
            for name, title in TITLES.items()
        ],
        "block": BLOCK,
        "specs": _data(specs(len(item.data["algorithms"])), "specs"),
        "scores": _data(dict(item.data), "scores"),
    }
