"""The site: links lead somewhere, every page is in its navigation, every public name has an entry.

That it builds without a warning, `make site` says: mkdocs is not installed everywhere.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
import site_pages

import podium
from podium import plots

ROOT = site_pages.ROOT
SOURCES = [*sorted((ROOT / "docs").glob("*.md")), *site_pages.pages()]
NAVIGATION = re.findall(r"^ +- ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def text_of(path: Path) -> str:
    """A page without its blocks of code."""
    return CODE.sub("", path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    seen: Counter[str] = Counter()
    found = set()
    for title in re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return found


@pytest.mark.parametrize("page", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_and_picture_is_there(page: Path) -> None:
    missing = []
    for found in site_pages.LINK.finditer(text_of(page)):
        link = urlsplit(found[2])
        if link.scheme or link.netloc:
            continue
        target = (page.parent / unquote(link.path)).resolve() if link.path else page
        if not target.is_file() or (link.fragment and link.fragment not in anchors(target)):
            missing.append(found[2])
    assert missing == []


def test_every_page_is_in_the_navigation_once() -> None:
    made = {path.name for path in (ROOT / "docs").glob("*.md")}
    made |= {*site_pages.pages().values(), *(f"api/{name}.md" for name in site_pages.API)}
    assert sorted(NAVIGATION) == sorted(made | {"api/lab.md", "api/plots.md", "api/rooms.md"})


def test_every_public_name_has_an_entry_of_the_api() -> None:
    named = [name for _, names in site_pages.API.values() for name in names]
    others = {"__version__", "plots", "samplings"}
    assert sorted(named) == sorted(set(podium.__all__) - others)
    page = site_pages.api_pages()["api/rooms.md"]
    assert "\n## items.by_stratum\n" in page
    assert "::: podium.gates.Gate\n" in page


def test_every_plot_has_an_entry_with_its_signature_and_picture() -> None:
    page = site_pages.api_pages()["api/plots.md"]
    for name in plots.__all__:
        assert f"\n## {name}\n" in page
    assert page.count("](../gallery/") >= len(plots.__all__) - 2  # text for LaTeX has none
    assert "bench(results" in page


def test_links_of_pages_outside_docs_become_links_of_the_site() -> None:
    text = "[a](docs/json.md#x) [b](papers/README.md) [c](https://x.org) ![d](docs/report.png)"
    assert site_pages.relinked(text, ROOT / "README.md") == (
        "[a](json.md#x) [b](papers/index.md) [c](https://x.org) ![d](report.png)"
    )
    paper = ROOT / "papers" / "hothorn2005" / "README.md"
    assert site_pages.relinked("[m](../README.md)", paper) == "[m](index.md)"
    assert site_pages.relinked("[m](../papers/README.md)", ROOT / "docs" / "which-test.md") == (
        "[m](papers/index.md)"
    )


def test_what_stands_behind_a_parameter_is_words(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "griffe", SimpleNamespace(Extension=object))
    from site_docstrings import WordsBehindNames

    text = "One.\n\nParameters\n----------\na, b : the first.\n    And more.\nc : a path: any.\n"
    one = SimpleNamespace(docstring=SimpleNamespace(value=text))
    WordsBehindNames().on_object(obj=one)
    assert one.docstring.value.partition("----------\n")[2] == (
        "a, b\n    the first.\n    And more.\nc\n    a path: any.\n"
    )
