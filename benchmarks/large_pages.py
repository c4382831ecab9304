"""Pages of large studies: how long they take to make and how many bytes they have, by kind.

Scores are simulated in three shapes: 78 methods on 51 data sets, 24 methods on 3003 series, and 58
models on 805 items. Every page is made in a process of its own; seconds are those of the processor,
the start of Python and all imports included.

    python benchmarks/large_pages.py [methods | series | items ...]
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Page:
    """A shape of study, how its table is read, and what is asked of its page."""

    table: Callable[[], pd.DataFrame]
    options: tuple[str, ...]
    seconds: float
    megabytes: float


def methods() -> pd.DataFrame:
    """78 methods on 51 data sets, one score each; many are variants of another."""
    rng = np.random.default_rng(1)
    skill = np.repeat(rng.normal(0, 0.02, 26), 3) + rng.normal(0, 0.004, 78)
    hard = rng.uniform(0.05, 0.4, (51, 1))
    values = np.clip(hard + hard * (skill * 4 + rng.normal(0, 0.12, (51, 78))), 0.001, 1)
    names = [f"{base} {kind}" for base in _words("method", 26)
             for kind in ("(default)", "(tuned)", "(tuned + ensemble)")]  # fmt: skip
    return _wide(values, names, _words("data", 51))


def series() -> pd.DataFrame:
    """24 methods on 3003 series, with the heavy tails of relative errors."""
    rng = np.random.default_rng(2)
    hard = rng.lognormal(2.2, 0.7, (3003, 1))
    values = hard * np.exp(rng.normal(0, 0.06, 24) + rng.normal(0, 0.3, (3003, 24)))
    return _wide(values, _words("method", 24), _words("series", 3003))


def items() -> pd.DataFrame:
    """58 models on 805 items, right or wrong."""
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 1.6, (805, 1)) + rng.normal(0.4, 0.7, 58)
    right = rng.random((805, 58)) < 1 / (1 + np.exp(-logits))
    wide = pd.DataFrame(right.astype(int), columns=_words("model", 58))
    return wide.assign(item=_words("item", 805)).melt("item", var_name="model", value_name="score")


def _words(noun: str, count: int) -> list[str]:
    return [f"{noun}-{i + 1:0{len(str(count))}d}" for i in range(count)]


def _wide(values: np.ndarray, names: list[str], datasets: list[str]) -> pd.DataFrame:
    return pd.DataFrame(values, columns=names).assign(dataset=datasets).set_index("dataset")


ERROR = ("--measure", "error")
PAGES = {
    "methods": Page(lambda: methods().reset_index(), ERROR, 10, 3),
    "series": Page(lambda: series().reset_index(), ERROR, 15, 3),
    "items": Page(items, ("--sampling", "items", "--higher-is-better"), 15, 3),
}


def kinds(text: str) -> dict[str, int]:
    """Bytes of a page by what they are for."""
    svg = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    scripts = re.findall(r"<script(?: [^>]*)?>.*?</script>", text, re.DOTALL)
    return {
        "pictures": sum(map(len, svg)),
        "script": sum(len(s) for s in scripts if "application/" not in s[:80]),
        "data": sum(len(s) for s in scripts if "application/" in s[:80]),
        "tables": sum(map(len, re.findall(r"<table.*?</table>", text, re.DOTALL))),
    }


def made(name: str) -> None:
    page = PAGES[name]
    with tempfile.TemporaryDirectory() as folder:
        table, path = Path(folder) / f"{name}.csv", Path(folder) / f"{name}.html"
        page.table().to_csv(table, index=False)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "podium", "report", table, "-o", path, *page.options]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        text = path.read_text(encoding="utf-8")
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    parts = ", ".join(f"{kind} {size / 1e6:.2f}" for kind, size in kinds(text).items())
    print(
        f"{name:8} {took:6.1f} s (asked {page.seconds:g})   {len(text.encode()) / 1e6:5.2f} MB "
        f"(asked {page.megabytes:g}): {parts}",
        flush=True,
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or PAGES:
        made(name)
