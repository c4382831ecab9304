"""The pages as a static site: README.md, docs/*.md and those of papers/ to site/*.html.

    python docs/make_site.py [folder]

It works from file:// and needs no network. Links between pages become links to HTML; pictures and
other files that a page links to are copied.
"""

from __future__ import annotations

import html
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

HERE = Path(__file__).parent
ROOT = HERE.parent
GROUPS = {  # other pages of docs/ go to the last group but one
    "Start": ("README", "getting-started", "which-test", "targets", "gallery"),
    "Guides": (
        "analysis",
        "study-file",
        "designs",
        "gate",
        "tuning",
        "surveys",
        "orders",
        "planning",
        "registered",
        "neutral",
        "together",
        "stopping",
    ),
    "Data and algorithms": ("families", "outputs", "openml", "characteristics"),
    "Running": ("clusters", "reliability"),
    "Reference": ("commands", "python", "procedures", "calibration", "extending", "architecture"),
    "Papers": (),
}
INDEX = "index.html"
LIGHT, DARK = "xcode", "github-dark"  # styles of code
CONTENTS = 12  # sections that the navigation lists, at most


class Page(NamedTuple):
    """A page: where it comes from and goes to, relative to the project and to the site."""

    source: PurePosixPath
    target: PurePosixPath
    group: str
    text: str

    @property
    def title(self) -> str:
        """Its first heading."""
        found = re.search(r"^# (.+)$", self.text, re.MULTILINE)
        return found[1].replace("`", "") if found else self.source.stem

    @property
    def short(self) -> str:
        """What the navigation calls it."""
        return "Overview" if self.target.name == INDEX else self.title.partition(":")[0]


def pages() -> list[Page]:
    """All pages, in the order of the navigation."""
    named = {stem: group for group, stems in GROUPS.items() for stem in stems}
    found = {path.stem: path for path in [ROOT / "README.md", *sorted(HERE.glob("*.md"))]}
    order = [*[s for s in named if s in found], *[s for s in found if s not in named]]
    made = [_page(found[stem], named.get(stem, "Reference")) for stem in order]
    made.sort(key=lambda page: list(GROUPS).index(page.group))
    papers = [ROOT / "papers" / "README.md", *sorted(ROOT.glob("papers/*/README.md"))]
    return [*made, *[_page(path, "Papers") for path in papers]]


def _page(path: Path, group: str) -> Page:
    source = PurePosixPath(path.relative_to(ROOT).as_posix())
    return Page(source, target_of(source), group, path.read_text(encoding="utf-8"))


def target_of(source: PurePosixPath) -> PurePosixPath:
    """Where a file of the project goes: docs/x.md to x.html, a README.md to its folder's name."""
    inside = PurePosixPath(*source.parts[1:]) if source.parts[0] == "docs" else source
    if inside.suffix != ".md":
        return inside
    if inside.name != "README.md":
        return inside.with_suffix(".html")
    folder = inside.parent
    return PurePosixPath(f"{folder}.html") if folder.name else PurePosixPath(INDEX)


# -- from Markdown to HTML -------------------------------------------------------------------------


def slug(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Rendered(NamedTuple):
    """The HTML of a page, its sections as (anchor, title), and the files that it links to."""

    body: str
    sections: list[tuple[str, str]]
    files: list[PurePosixPath]


def rendered(page: Page, known: dict[PurePosixPath, PurePosixPath]) -> Rendered:
    """A page as HTML; `known` are the sources of all pages and their targets."""
    tokens = _markdown().parse(page.text)
    sections = list(_anchored(tokens))
    files = [found for token in _links(tokens) if (found := _relinked(token, page, known))]
    return Rendered(_markdown().renderer.render(tokens, _markdown().options, {}), sections, files)


def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"highlight": _coloured}).enable(["table", "strikethrough"])
    made.add_render_rule("table_open", lambda *_: '<div class="wide"><table>\n')
    made.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return made


def _coloured(code: str, language: str, attributes: str) -> str:
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return html.escape(code)
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


def _anchored(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """Give every heading its anchor; the anchors and titles of those of the second level."""
    seen: Counter[str] = Counter()
    for heading, inline in pairwise(tokens):
        if heading.type != "heading_open":
            continue
        title = "".join(child.content for child in inline.children or ())
        anchor = slug(title)
        seen[anchor] += 1
        unique = anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor] - 1}"
        heading.attrSet("id", unique)
        if heading.tag == "h2":
            yield unique, title


def _links(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type in ("link_open", "image"):
            yield token
        yield from _links(token.children or ())


def _relinked(
    token: Token, page: Page, known: dict[PurePosixPath, PurePosixPath]
) -> PurePosixPath | None:
    """Turn a link to a file of the project into one within the site; the file, if it is no page."""
    attribute = "src" if token.type == "image" else "href"
    link = urlsplit(str(token.attrGet(attribute)))
    if link.scheme or link.netloc or not link.path:
        return None
    source = PurePosixPath(normpath(page.source.parent / unquote(link.path)))
    place = relpath(known.get(source, target_of(source)), page.target.parent)
    token.attrSet(attribute, place + (f"#{link.fragment}" if link.fragment else ""))
    return None if source in known else source


# -- the page around it ----------------------------------------------------------------------------

SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{root}site.css">
</head>
<body>
<a class="skip" href="#content">To the text</a>
<nav aria-label="Pages">
<a class="brand" href="{root}index.html">Podium</a>
<details open><summary>Pages</summary>
{navigation}</details>
<script>
document.querySelector("nav details").open = !matchMedia("(max-width: 52rem)").matches
</script>
</nav>
<main id="content">
{body}</main>
</body>
</html>
"""


def whole(page: Page, made: Rendered, all_pages: Sequence[Page]) -> str:
    """A page with its navigation."""
    up = "../" * (len(page.target.parts) - 1)
    title = page.title if page.target.name == INDEX else f"{page.title} – Podium"
    navigation = "".join(
        f"<h2>{html.escape(group)}</h2>\n<ul>\n"
        + "".join(_entry(p, page, made.sections) for p in all_pages if p.group == group)
        + "</ul>\n"
        for group in GROUPS
    )
    return SHELL.format(title=html.escape(title), root=up, navigation=navigation, body=made.body)


def _entry(page: Page, current: Page, sections: Sequence[tuple[str, str]]) -> str:
    """An entry of the navigation; that of the current page has its sections."""
    place = relpath(page.target, current.target.parent)
    if page.source != current.source:
        return f'<li><a href="{place}">{html.escape(page.short)}</a></li>\n'
    inside = "".join(f'<li><a href="#{a}">{html.escape(t)}</a></li>' for a, t in sections)
    more = f"<ul>{inside}</ul>" if 1 < len(sections) <= CONTENTS else ""
    name = html.escape(page.short)
    return f'<li><a href="{place}" aria-current="page">{name}</a>{more}</li>\n'


def style() -> str:
    """The style sheet: ours, and the colours of code for light and dark screens."""
    ours = (HERE / "site.css").read_text(encoding="utf-8")
    dark = f"@media (prefers-color-scheme: dark) {{\n{_colours(DARK)}\n}}"
    return f"{ours}\n{_colours(LIGHT)}\n{dark}\n"


def _colours(name: str) -> str:
    """The colours of tokens, without those of lines and of the background, which are ours."""
    formatter: Any = HtmlFormatter(style=name)
    rules = formatter.get_token_style_defs("pre")
    return "\n".join(rule for rule in rules if "background" not in rule and "error" not in rule)


def build(folder: Path) -> None:
    """Write the site into a folder, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    every = pages()
    known = {page.source: page.target for page in every}
    for page in every:
        made = rendered(page, known)
        _write(folder / page.target, whole(page, made, every))
        for file in made.files:
            if (ROOT / file).is_file():  # what is missing, tests/docs/test_site.py says
                _write(folder / target_of(file), (ROOT / file).read_bytes())
    _write(folder / "site.css", style())


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    build(target)
    print(f"The site is in '{target}': open index.html there.")
