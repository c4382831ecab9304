"""Pages opened from disk in a browser, with what they write, ask for and do wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page

# what is copied is kept, as a page from disk has no clipboard
CLIPBOARD = """
window.copied = [];
Object.defineProperty(navigator, "clipboard", { value: {
  writeText: async (text) => { window.copied.push(text); },
  write: async (items) => {
    const blob = await items[0].getType("image/png");
    window.copied.push(blob.size);
  } } });
"""


@dataclass
class Opened:
    """A page that was opened from disk, with what it wrote, asked for and did wrong."""

    page: Page
    path: Path
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def texts(self, query: str) -> list[str]:
        """The texts of what is displayed."""
        seen = self.page.locator(f"{query} >> visible=true")
        return [" ".join(text.split()) for text in seen.all_text_contents()]

    def text(self, query: str) -> str:
        """The text of the first."""
        return self.texts(query)[0]

    @property
    def names(self) -> list[str]:
        """The rows of the board."""
        return self.page.eval_on_selector_all(
            ".board tbody tr[data-name]", "rows => rows.map(r => r.dataset.name)"
        )

    @property
    def address(self) -> str:
        """What the address keeps."""
        return self.page.evaluate("decodeURIComponent(location.hash)")

    @property
    def copied(self) -> list:
        """What was copied."""
        return self.page.evaluate("window.copied")


def opened(browser: Browser, path: Path, address: str = "", **options) -> Opened:
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    page = context.new_page()
    made = Opened(page, path)
    page.on("console", lambda m: made.complaints.append(f"{m.type}: {m.text}"))
    page.on("pageerror", lambda e: made.complaints.append(str(e)))
    page.on("dialog", lambda d: (made.complaints.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: made.requests.append(r.url))
    if options.get("java_script_enabled", True):
        page.add_init_script(CLIPBOARD)
    page.goto(path.as_uri() + address)
    if options.get("java_script_enabled", True):
        page.wait_for_selector("html[data-ready=yes]", state="attached")
    return made
