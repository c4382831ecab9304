"""A whole page of HTML: one file with its style, its script and its data; nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from importlib.resources import files
from typing import Any

import pandas as pd

from podium.core.base.formatting import drop_noise, printable
from podium.core.verdicts.verdict import family_of
from podium.showing.reports.document import (
    Block,
    Control,
    Drawing,
    Page,
    Section,
    Table,
    Text,
    View,
)
from podium.showing.reports.hero import Html, element, fragment, hero
from podium.showing.reports.words import WORDS

SCHEMA = "podium-page/1"
SCRIPTS = ("elements.js", "board.js", "drawings.js", "page.js")  # in this order, as one script
FEWEST_FAMILIES = 2
MOST_ROWS = 2_000  # of a table in a section


def render(page: Page) -> str:
    """The page as text; names are escaped, and only this very script runs."""
    code = script()
    data = json.dumps(data_of(page), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    head = fragment(
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=policy(code)),
        element("meta", name="color-scheme", content="light dark"),
        element("title", page.title),
        Html(f"<style>{read_own('page.css')}</style>"),
    )
    body = fragment(
        element("header", _top(page)),
        element("main", hero(page.views[0]), *map(_line, page.sections)),
        Html(f'<script type="application/json" id="data">{_inert(data)}</script>'),
        Html(f"<script>{code}</script>"),
    )
    return f"<!doctype html>\n<html lang=en><head>{head}</head>\n<body>{body}</body></html>\n"


def _top(page: Page) -> Html:
    return fragment(
        element("strong", printable(page.title)),
        element("span", page.facts, class_="soft"),
        element("nav", id="tools"),
    )


def _line(section: Section) -> Html:
    """A closed line: its summary is the finding."""
    return element(
        "details",
        element(
            "summary", element("b", section.title), " ", element("span", section.content.finding)
        ),
        element("div", class_="content"),
        id=section.name,
    )


# -- notebooks ------------------------------------------------------------------------------------


def notebook(view: View) -> str:
    """The first screen in a notebook: headline and table, without a script; more is folded."""
    shown = replace(view, key=view.key[:1], cards=())  # nothing is clicked there
    style = Html(f"<style>.podium-hero {{ {_scoped()} }}</style>")
    return element("div", hero(shown), style, class_="podium-hero")


@cache
def _scoped() -> str:
    """The style of pages, for what stands inside one element alone."""
    css = re.sub(r":root\b", "&", read_own("page.css"))
    css = css.partition("@media print")[0]  # how a notebook is printed is its own affair
    return re.sub(r"(?m)^body \{", "& {", css)


# -- the data -------------------------------------------------------------------------------------


def data_of(page: Page) -> dict[str, Any]:
    """What the script reads: views, comparisons, scores, sections and words."""
    families = page.families or _families(page.names)
    return {
        "schema": SCHEMA,
        "title": page.title,
        "names": [printable(name) for name in page.names],
        "families": list(families),
        "blocks": list(page.blocks),
        "values": page.values,
        "controls": [_control(control) for control in page.controls],
        "views": [_view(view) for view in page.views],
        "sections": {s.name: [_block(b) for b in s.content.blocks] for s in page.sections},
        "words": WORDS,
    }


def _families(names: Sequence[str]) -> list[str]:
    """The family of each name, where several share one; nothing where all are of their own."""
    every = [family_of(name) for name in names]
    distinct = len(set(every))
    return every if FEWEST_FAMILIES <= distinct < len(every) else []


def _control(control: Control) -> dict[str, Any]:
    return asdict(control) | {"short": control.is_short}


def _view(view: View) -> dict[str, Any]:
    """A view; rows that follow from comparisons are left to the script."""
    skipped = {"picture", "title", "facts", *(("rows",) if view.live is not None else ())}
    made = {k: v for k, v in asdict(view).items() if k not in skipped and v not in (None, (), "")}
    if view.picture:
        made["picture"] = True  # it is there already, and only shown or hidden
    if view.live is not None:
        dynamic = {"rank", "name", "score", "interval", "difference", "won", "strip", "verdict"}
        dynamic = {*dynamic, "beats", "mean", "split"} - set(view.live.get("static", ()))
        made["cells"] = [
            {key: value for key, value in row.cells.items() if key not in dynamic}
            for row in view.rows
        ]
        if not any(made["cells"]):
            del made["cells"]
    return plain(made)


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Text):
        return {"kind": "text", "paragraphs": list(block.paragraphs), "copied": block.copied}
    assert isinstance(block, Drawing)
    return plain({"kind": block.kind, **block.data})


def _table(table: Table) -> dict[str, Any]:
    """A table as texts, and which columns are numbers."""
    shown = (table.frame if table.shown is None else table.shown).head(MOST_ROWS)
    numeric = [pd.api.types.is_numeric_dtype(table.frame.iloc[:, i]) for i in range(shown.shape[1])]
    rows = [[_cell(v) for v in row] for row in shown.itertuples(index=False, name=None)]
    return {
        "kind": "table",
        "caption": table.caption,
        "head": [str(name) for name in shown.columns],
        "numeric": [bool(n) for n in numeric],
        "rows": rows,
    }


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{drop_noise(value):.4g}"
    return "" if value is None or value is pd.NA else printable(str(value))


def plain(value: Any) -> Any:
    """Plain values for JSON; what is not finite becomes null, floats keep six digits."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        short = float(f"{drop_noise(value):.6g}")
        return int(short) if short == int(short) and abs(short) < 1e15 else short
    return value.item() if hasattr(value, "item") else value


def _inert(text: str) -> str:
    """JSON that cannot end its element."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


# -- the script and its policy --------------------------------------------------------------------


@cache
def script() -> str:
    """The page's own script."""
    own = "\n".join(read_own(name) for name in SCRIPTS)
    return f'(function () {{\n"use strict";\n{own}\n}})();\n'


def policy(*scripts: str) -> str:
    """The content security policy: these very scripts run, and nothing comes from outside."""
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    sources = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


@cache
def read_own(name: str) -> str:
    """A file that stands beside this one."""
    return files("podium.showing.reports").joinpath(name).read_text(encoding="utf-8")


def controls_of(
    views: Iterable[View], labels: Mapping[str, str], names: Mapping[str, str] | None = None
) -> tuple[Control, ...]:
    """The controls that views need: every key of their choices that has several values.

    `names` are what values are called where they do not speak for themselves.
    """
    options: dict[str, dict[str, str]] = {}
    for view in views:
        for key, value in view.at.items():
            options.setdefault(key, {})[value] = (names or {}).get(value, value)
    return tuple(
        Control(key, labels.get(key, key), tuple(values.items()))
        for key, values in options.items()
        if len(values) > 1
    )
