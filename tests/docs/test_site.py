"""The site: links lead somewhere, pages are found, headings have anchors, nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import make_site
import pytest


class Parsed(HTMLParser):
    """What a page links to and shows, and the anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.shown: list[str] = []
        self.anchors: list[str] = []
        self.headings = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "a":
            self.links.append(said["href"] or "")
        if tag in ("img", "link", "script"):
            self.shown.append(said.get("src") or said.get("href") or "")
        if said.get("id"):
            self.anchors.append(str(said["id"]))


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> dict[Path, Parsed]:
    folder = tmp_path_factory.mktemp("site")
    make_site.build(folder)
    return {p.resolve(): Parsed(p.read_text("utf-8")) for p in sorted(folder.rglob("*.html"))}


def inside(links: list[str]) -> Iterator[tuple[str, str]]:
    """The links within the site: path and anchor."""
    for link in map(urlsplit, links):
        if not link.scheme and not link.netloc:
            yield link.path, link.fragment


def test_every_link_and_picture_is_there(site):
    missing = [
        f"{page.name}: {path}#{anchor}"
        for page, parsed in site.items()
        for path, anchor in inside(parsed.links + parsed.shown)
        for target in [(page.parent / path).resolve() if path else page]
        if not target.is_file() or (anchor and anchor not in site[target].anchors)
    ]
    assert missing == []


def test_every_page_can_be_reached_from_the_index(site):
    (index,) = [page for page in site if page.name == "index.html"]
    reached, waiting = set(), [index]
    while waiting:
        page = waiting.pop()
        if page in site and page not in reached:
            reached.add(page)
            waiting += [(page.parent / path).resolve() for path, _ in inside(site[page].links)]
    assert reached == set(site)
    assert len(site) == len(make_site.pages()) > 15


def test_nothing_is_fetched_from_elsewhere(site):
    for parsed in site.values():
        assert all(not urlsplit(link).netloc for link in parsed.shown)


def test_every_anchor_of_a_page_is_its_own(site):
    for page, parsed in site.items():
        assert len(parsed.anchors) == len(set(parsed.anchors)), page.name


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("README.md", "index.html"),
        ("docs/targets.md", "targets.html"),
        ("docs/gallery/bench.svg", "gallery/bench.svg"),
        ("papers/hothorn2005/README.md", "papers/hothorn2005.html"),
        ("papers/hothorn2005/x.csv", "papers/hothorn2005/x.csv"),
    ],
)
def test_where_a_file_goes(source, target):
    assert str(make_site.target_of(PurePosixPath(source))) == target


def test_links_headings_tables_and_code_are_turned_into_html():
    text = "# A `b`\n\n## Same\n\n## Same\n\n[t](targets.md#the-map) [w](https://x.org)\n"
    text += "![p](g/p.svg)\n\n"
    text += "| a |\n|--:|\n| 1 |\n\n```python\nf(1 < 2)\n```\n\n```nonsense\n<b>\n```\n"
    page = make_site.Page(
        PurePosixPath("papers/p/README.md"), PurePosixPath("papers/p.html"), "", text
    )
    known = {PurePosixPath("papers/p/targets.md"): PurePosixPath("targets.html")}
    made = make_site.rendered(page, known)
    assert page.title == "A b"
    assert made.sections == [("same", "Same"), ("same-1", "Same")]
    assert made.files == [PurePosixPath("papers/p/g/p.svg")]
    for part in (
        '<h1 id="a-b">', 'href="../targets.html#the-map"', 'href="https://x.org"',
        'src="p/g/p.svg"', '<div class="wide"><table>', "&lt;b&gt;", '<span class="mi">1</span>',
    ):  # fmt: skip
        assert part in made.body
