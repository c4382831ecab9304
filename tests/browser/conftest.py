"""A real browser, and pages opened in it from disk; what a page complains of fails its test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from opened_pages import Opened, opened
from pages_made import awkward, survey
from playwright.sync_api import sync_playwright

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
