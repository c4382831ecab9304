"""The pictures of the README: the demo's page in a browser.

python docs/make_pictures.py        (or make pictures; needs Chromium, as make test-browser)
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from podium.cli.main import status_of

HERE = Path(__file__).parent
BROWSER = os.environ.get("CHROMIUM", "/usr/bin/chromium")
SIZE = {"width": 1280, "height": 680}  # what is seen without scrolling


def shown(page: Path, target: Path) -> None:
    """Save the first screen of a page as PNG."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        tab = browser.new_page(viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
        tab.goto(page.as_uri(), wait_until="load")
        tab.wait_for_timeout(500)  # charts are drawn after loading
        tab.screenshot(path=target)
        browser.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        status_of(["demo", "--folder", folder, "--quiet"])
        shown(Path(folder) / "report.html", HERE / "report.png")
    print(f"The picture is in '{HERE / 'report.png'}'.")


if __name__ == "__main__":
    main()
