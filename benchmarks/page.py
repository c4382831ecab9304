"""What a page costs and shows when it is first opened, held against its budget.

Height, words and sideways scroll are Chromium's at 1280 and 390 pixels; bytes and seconds of the
processor are those of `podium report` in a process of its own, the start of Python and all imports
included; `analyze` is the same command without a page.

    python benchmarks/page.py            # prints a table; status 1 where a budget is broken
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

WORDS = "document.body.innerText.split(/\\s+/).filter(w => /\\p{L}.*\\p{L}/u.test(w)).length"
BUDGET = {  # by shape: pixels at 1280, words, pixels at 390, bytes, seconds beyond `analyze`
    "5x30": (1200, 320, 2600, 150_000, 1.2),
    "78x51": (2200, None, 2600, 500_000, 3.0),
}
OPENS = 0.5  # seconds


def scores(methods: int, datasets: int) -> pd.DataFrame:
    """One score per method and data set, many methods nearly alike."""
    rng = np.random.default_rng(1)
    kinds = ("default", "tuned", "tuned + ensemble")
    names = [f"Method{i // 3:02d} ({kinds[i % 3]})" for i in range(methods)]
    skill = np.sort(rng.uniform(0, 0.15, methods))
    hard = rng.uniform(0.08, 0.4, (datasets, 1))
    table = pd.DataFrame(hard + skill + rng.normal(0, 0.02, (datasets, methods)), columns=names)
    table.insert(0, "dataset", [f"set{i:02d}" for i in range(datasets)])
    return table.round(4)


def seconds(*arguments: str) -> float:
    """Of the processor, for one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "podium", *arguments]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def opened(browser: Any, path: Path, width: int) -> dict[str, float]:
    """What a reader has before touching anything."""
    page = browser.new_page(viewport={"width": width, "height": 800})
    start = time.perf_counter()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=yes]", state="attached")
    took = time.perf_counter() - start
    tall, over = (
        page.evaluate(f"document.documentElement.{what}")
        for what in ("scrollHeight", "scrollWidth - innerWidth")
    )
    result = {"height": tall, "over": over, "words": page.evaluate(WORDS), "seconds": took}
    page.close()
    return result


def main() -> int:
    from playwright.sync_api import sync_playwright

    broken = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        browser.new_page().close()  # its start is not the page's
        for shape, (tall, words, narrow_tall, size, cpu) in BUDGET.items():
            methods, datasets = map(int, shape.split("x"))
            table, page = Path(folder) / f"{shape}.csv", Path(folder) / f"{shape}.html"
            scores(methods, datasets).to_csv(table, index=False)
            asked = (str(table), "--measure", "error")
            alone = min(seconds("analyze", *asked) for _ in range(3))
            whole = min(seconds("report", *asked, "-o", str(page)) for _ in range(3))
            wide, narrow = (opened(browser, page, width) for width in (1280, 390))
            found = {
                "pixels at 1280": (wide["height"], tall),
                "words": (wide["words"], words),
                "pixels at 390": (narrow["height"], narrow_tall),
                "sideways": (max(wide["over"], narrow["over"]), 0),
                "bytes": (page.stat().st_size, size),
                "seconds beyond analyze": (round(whole - alone, 2), cpu),
                "seconds in all": (round(whole, 2), None),
                "opens in seconds": (round(max(wide["seconds"], narrow["seconds"]), 2), OPENS),
            }
            for what, (value, most) in found.items():
                over = most is not None and value > most
                broken += [f"{shape}: {what}"] * over
                print(f"{shape:6} {what:24} {value:>10,} {'' if most is None else f'<= {most:,}'}"
                      f"{'  BROKEN' * over}", flush=True)  # fmt: skip
        browser.close()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
