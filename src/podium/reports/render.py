"""Rendering sections as one self-contained page of HTML; it knows no statistics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from html import escape

from podium.facts import Note
from podium.reports.controls import Switch, algorithm_filter, switches
from podium.reports.document import Charts, Figure, Part, Section, Table, is_remark
from podium.reports.embedding import policy, script, style
from podium.reports.markup import Setting, charts, figure, table
from podium.wording.notes import say

MOST_ROWS = 5_000  # of all tables together that a browser lays out at once
FEWEST_ROWS = 10  # of a table


def page(title: str, parts: Sequence[Section]) -> str:
    """A whole HTML page, which needs nothing from outside and can be read without scripts."""
    scores = next((i for i in _items(parts) if isinstance(i, Charts)), None)
    names = [a["name"] for a in scores.data["algorithms"]] if scores else []
    setting = Setting({n: i for i, n in enumerate(names)}, _most_rows(parts))
    ids = _ids(parts)
    chosen = switches(parts, scores)
    body = "\n".join(_section(s, i, setting, chosen) for s, i in zip(parts, ids, strict=True))
    controls = "".join(s.html for s in chosen) + algorithm_filter(scores)
    code = script(charts=scores is not None)
    long = "" if setting.most is None else ' class="long"'
    return (
        f'<!doctype html>\n<html lang="en">\n{_head(title, code)}<body{long}>\n'
        f'<a class="skip" href="#content">Skip to the content</a>\n{_aside(parts, ids, controls)}'
        f'<main id="content" tabindex="-1">\n<h1>{escape(title)}</h1>\n{body}\n</main>\n'
        f'<div class="tip" hidden></div>\n<script>{code}</script>\n</body>\n</html>\n'
    )


def _head(title: str, code: str) -> str:
    return (
        '<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(code)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style()}</style>\n</head>\n"
    )


def _items(parts: Iterable[Section]) -> list[Table | Figure | Charts]:
    return [item for s in parts for p in s.parts for item in p.items]


def _most_rows(parts: Sequence[Section]) -> int | None:
    """How many rows of a table stand in the page itself; all where they are not too many."""
    rows = [len(i.frame) for i in _items(parts) if isinstance(i, Table)]
    return max(MOST_ROWS // len(rows), FEWEST_ROWS) if sum(rows) > MOST_ROWS else None


def _ids(parts: Sequence[Section]) -> list[str]:
    """A link target per section, all different."""
    made: list[str] = []
    for section in parts:
        name = re.sub(r"[^a-z0-9]+", "-", section.name.lower()).strip("-") or "section"
        made.append(name if name not in (*made, "content") else f"{name}-{len(made) + 1}")
    return made


def _aside(parts: Sequence[Section], ids: Sequence[str], controls: str) -> str:
    links = "".join(
        f'<li><a href="#{i}">{escape(s.title)}</a></li>\n' for s, i in zip(parts, ids, strict=True)
    )
    shown = (
        '<details class="controls" open hidden><summary>What is shown</summary>\n'
        f"{controls}</details>\n"
        if controls
        else ""
    )
    return (
        f'<aside>\n<nav aria-label="Contents">\n<ol>\n{links}</ol>\n</nav>\n{shown}'
        '<button type="button" class="theme" hidden>Dark</button>\n</aside>\n'
    )


def _section(section: Section, name: str, setting: Setting, chosen: Sequence[Switch]) -> str:
    parts = "".join(_part(p, setting, chosen) for p in section.parts)
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">\n'
        f'<h2 id="{name}-title">{escape(section.title)}</h2>\n{parts}</section>'
    )


def _part(part: Part, setting: Setting, chosen: Sequence[Switch]) -> str:
    title = f"<h3>{escape(part.title)}</h3>\n" if part.title else ""
    lead = f'<p class="lead">{escape(part.lead)}</p>\n' if part.lead else ""
    paragraphs = "".join(f"<p>{escape(p)}</p>\n" for p in part.paragraphs)
    inside = "".join(_item(i, setting) for i in part.items)
    when = "".join(s.mark(part.choice) for s in chosen)
    return (
        f'<div class="part"{when}>\n{title}{lead}{paragraphs}{_notes(part.notes)}{inside}</div>\n'
    )


def _notes(notes: Sequence[Note]) -> str:
    if not notes:
        return ""
    lines = "".join(_note(n) for n in sorted(notes, key=is_remark))  # warnings first
    return f'<ul class="notes" aria-label="Notes">\n{lines}</ul>\n'


def _note(note: Note) -> str:
    kind = "remark" if is_remark(note) else "warning"
    code = f'<code class="badge">{escape(note.code)}</code>'
    return f'<li class="{kind}">{code} {escape(say(note))}</li>\n'


def _item(item: Table | Figure | Charts, setting: Setting) -> str:
    kinds = {Table: partial(table, setting=setting), Figure: figure, Charts: charts}
    return kinds[type(item)](item)  # type: ignore[operator]
