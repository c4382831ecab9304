"""Pages opened from disk in a browser, with what they write, ask for and do wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page

# of the text to the first ground below it that is not see-through
CONTRAST = """element => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => numbers(colour).slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  let ground = element;
  while (numbers(getComputedStyle(ground).backgroundColor)[3] === 0) ground = ground.parentElement;
  const pair = [light(getComputedStyle(element).color),
    light(getComputedStyle(ground).backgroundColor)].sort((a, b) => b - a);
  return (pair[0] + 0.05) / (pair[1] + 0.05);
}"""


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
