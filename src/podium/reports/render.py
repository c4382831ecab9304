"""Rendering sections as one self-contained page of HTML; it knows no statistics.

What is written is in `templates/`; the page carries its one script, and a policy that guards it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from podium.facts import CAUTION, Note
from podium.formatting import printable
from podium.reports.document import Charts, Choice, Item, Part, Section, Table
from podium.reports.markup import Setting, marked
from podium.wording.notes import say
from podium.wording.voices import PAGE

MOST_ROWS = 5_000  # of all tables together that a browser lays out at once
FEWEST_ROWS = 10  # of a table
SCRIPTS = ("downloads.js", "tables.js", "charts.js", "report.js")  # in this order, as one script
ALL = "all data sets together"


def page(title: str, sections: Sequence[Section]) -> str:
    """A whole HTML page, which needs nothing from outside and can be read without scripts."""
    scores = next((i for i in _items(sections) if isinstance(i, Charts)), None)
    algorithms = scores.data["algorithms"] if scores else []
    most = _most_rows(sections)
    setting = Setting({a["name"]: i for i, a in enumerate(algorithms)}, most)
    chosen = _switches(sections, scores)
    code = _script(charts=scores is not None)
    return _template("page.html").render(
        title=title,
        policy=_safe(_policy(code)),
        style=_safe(_read("report.css")),
        script=_safe(code),
        long=most is not None,
        switches=chosen,
        algorithms=algorithms,
        sections=[
            {"anchor": anchor, "title": s.title,
             "parts": [_part(p, setting, chosen) for p in s.parts]}
            for s, anchor in zip(sections, _anchors(sections), strict=True)
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


def _script(charts: bool) -> str:
    """The page's script; with the one that draws charts where there are any."""
    own = "\n".join(_read(name) for name in SCRIPTS)
    body = f'(function () {{\n"use strict";\n{own}\n}})();\n'
    text = f"(function(){{{_vega()}}})();\n{body}" if charts else body
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _policy(script: str) -> str:
    """The content security policy: this very script runs, and nothing comes from outside."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


@cache
def _vega() -> str:
    """Vega, Vega-Lite and their embedding in one text, about 0.9 MB; it takes seconds to make."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


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
