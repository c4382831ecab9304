"""A real browser, and pages opened in it from disk; what a page complains of fails its test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from opened_pages import Opened, opened
from pages_made import awkward, many
from playwright.sync_api import sync_playwright

import podium

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
def open_page(browser):
    """Opens a page with some options; nothing may go wrong in it, or be asked of a network."""
    every: list[Opened] = []

    def open_one(path: Path, address: str = "", **options) -> Opened:
        every.append(opened(browser, path, address, **options))
        return every[-1]

    yield open_one
    for made in every:
        made.page.context.close()
        assert made.complaints == []
        inside = ("blob:", "data:")
        asked = {u.partition("#")[0] for u in made.requests if not u.startswith(inside)}
        assert asked == {made.path.as_uri()}


def _written(results, folder: Path) -> Path:
    path = folder / "page.html"
    podium.report(results, path)
    return path


@pytest.fixture(scope="session")
def five(tmp_path_factory) -> Path:
    return _written(awkward(), tmp_path_factory.mktemp("five"))


@pytest.fixture(scope="session")
def large(tmp_path_factory) -> Path:
    return _written(many(), tmp_path_factory.mktemp("large"))
