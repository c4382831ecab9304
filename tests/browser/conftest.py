"""A real browser, and pages opened in it from disk; what a page complains of fails its test."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pages_made import awkward, survey
from playwright.sync_api import Browser, Page, sync_playwright

from podium.reports.render import page as rendered

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"]  # fmt: skip


@pytest.fixture(scope="session")
def browser():
    path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    if not Path(path).exists():
        pytest.fail(
            f"There is no Chromium at '{path}': install it (Debian: apt-get install chromium), or "
            "set CHROMIUM to its path."
        )
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=path, args=QUIET)
        yield running
        running.close()


@dataclass
class Opened:
    """A page that was opened from disk, with what it wrote, asked for and did wrong."""

    page: Page
    path: Path
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def saved(self, query: str) -> bytes:
        """The file that a button gives."""
        with self.page.expect_download() as waiting:
            self.page.locator(query).click()
        return Path(waiting.value.path()).read_bytes()

    def texts(self, query: str) -> list[str]:
        """The texts of what is displayed, also in pictures."""
        seen = self.page.locator(f"{query} >> visible=true")
        return [text.strip() for text in seen.all_text_contents()]

    def settle(self) -> None:
        """Wait until all charts show what was asked for last."""
        self.page.evaluate("new Promise(requestAnimationFrame)")
        self.page.wait_for_selector("html[data-charts=ready]", state="attached")

    def choose(self, query: str, value: str) -> None:
        """Choose from a list by value."""
        self.page.select_option(query, value=value)
        self.settle()

    def drag(self, chart: str, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Brush over a part of a chart, in shares of its width and height."""
        area = self.page.locator(f"[data-chart={chart}] .drawn > *").first
        area.scroll_into_view_if_needed()
        box = area.bounding_box()
        x, y, w, h = box["x"], box["y"], box["width"], box["height"]
        self.page.mouse.move(x + start[0] * w, y + start[1] * h)
        self.page.mouse.down()
        self.page.mouse.move(x + end[0] * w, y + end[1] * h, steps=5)
        self.page.mouse.up()
        self.settle()


def opened(browser: Browser, path: Path, **options) -> Opened:
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options}).new_page()
    made = Opened(page, path)
    page.on("console", lambda m: made.complaints.append(f"{m.type}: {m.text}"))
    page.on("pageerror", lambda e: made.complaints.append(str(e)))
    page.on("dialog", lambda d: (made.complaints.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: made.requests.append(r.url))
    page.goto(path.as_uri())
    if options.get("java_script_enabled", True):
        page.wait_for_selector("html[data-charts=ready]", state="attached")
    return made


@pytest.fixture
def open_page(browser, awkward_page):
    """Opens the page of awkward names with some options; nothing may go wrong in it."""
    every: list[Opened] = []

    def open_one(**options) -> Opened:
        every.append(opened(browser, awkward_page, **options))
        return every[-1]

    yield open_one
    for made in every:
        made.page.context.close()
        assert made.complaints == []
        # files that a page makes itself are blobs; nothing else is asked for
        assert {u for u in made.requests if not u.startswith("blob:")} == {made.path.as_uri()}


@pytest.fixture(scope="session")
def awkward_page(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(rendered(*awkward()), encoding="utf-8", newline="\n")
    return path


@pytest.fixture(scope="session")
def survey_page(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("survey") / "report.html"
    path.write_text(rendered(*survey()), encoding="utf-8", newline="\n")
    return path
