"""The first screens of five kinds of studies, as a reader meets them in a browser."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from opened_pages import CONTRAST, Opened, opened

import podium

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from make_screens import CASES, SIZES

pytestmark = pytest.mark.browser

SCREENS = {1280: 1, 390: 2}  # in which the verdict and the table of standings must stand
SPOKEN = (".verdict", ".verdict b", ".next", ".fold summary", ".chip summary", ".state span",
          ".place span", ".limits", ".key", ".card p", ".card a")  # fmt: skip
EVERY = [(name, width, scheme) for name in CASES for width in SIZES for scheme in ("light", "dark")]
FINDINGS = """() => axe.run({resultTypes: ['violations']}).then((found) => found.violations
  .filter((v) => ['serious', 'critical'].includes(v.impact))
  .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(' | ')}`))"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages by name, made when they are first asked for."""
    folder = tmp_path_factory.mktemp("screens")

    def page(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            podium.report(CASES[name](), path)
        return path

    return page


@pytest.fixture
def screen(browser, pages):
    """Opens the page of a case as a reader of one width and one scheme of colours sees it."""
    every: list[Opened] = []

    def one(name: str, width: int, scheme: str) -> Opened:
        size = {"width": width, "height": SIZES[width]}
        every.append(opened(browser, pages(name), viewport=size, color_scheme=scheme))
        return every[-1]

    yield one
    for made in every:
        made.page.context.close()
        assert made.complaints == []


@pytest.mark.parametrize(("name", "width", "scheme"), EVERY)
def test_the_answer_is_seen_first_and_read_by_everyone(screen, name, width, scheme):
    made = screen(name, width, scheme)
    page, room = made.page, SCREENS[width] * SIZES[width]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("(hero => hero.scrollWidth <= hero.clientWidth)"
                         "(document.querySelector('.hero'))")  # fmt: skip
    verdict = page.locator(".verdict").first
    assert 0 < len(verdict.inner_text()) <= 120
    assert _end(verdict) < SIZES[width] / 3
    # of very many algorithms the picture of all, and the first of those that may be best
    rows = page.locator(".hero").first.locator("tbody tr:not(.cut, .axis)")
    many = page.locator(".over").count()
    assert _end(rows.nth(2) if many else rows.last) < room
    for seen in SPOKEN:
        for each in page.locator(f"{seen} >> visible=true").all()[:8]:
            assert each.evaluate(CONTRAST) >= 4.5, f"{seen} {each.inner_text()}"
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(FINDINGS) == []


def _end(place) -> float:
    box = place.bounding_box()
    return box["y"] + box["height"]


def test_paper_and_a_screen_without_scripts_have_the_answer(browser, pages, screen):
    made = screen("fifty-four-data-sets", 1280, "dark")
    made.page.emulate_media(media="print")
    assert made.page.locator(".verdict").first.evaluate(CONTRAST) >= 4.5
    assert made.page.locator(".hero table").first.is_visible()
    bare = opened(browser, pages("items"), java_script_enabled=False)
    assert bare.page.locator(".verdict").first.is_visible()
    assert bare.page.locator(".hero table").first.is_visible()
    bare.page.context.close()


def test_charts_have_names_for_those_who_do_not_see_them(screen):
    made = screen("one-data-set", 1280, "light")
    read = "all => all.map(e => [e.getAttribute('role'), e.getAttribute('aria-label')])"
    drawn = made.page.locator(":is(.chart .drawn, .figure .picture) >> visible=true").evaluate_all(
        read
    )
    assert len(drawn) > 5
    assert {role for role, _ in drawn} == {"img"}
    assert len({label for _, label in drawn}) == len(drawn)
    assert not any("Vega" in label for _, label in drawn)
    assert made.page.locator(".chart svg:not([aria-hidden])").count() == 0
