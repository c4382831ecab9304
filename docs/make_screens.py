"""The first screens of seven studies, at two widths and in both colours (docs/screens/*.png).

    python docs/make_screens.py [--pages FOLDER] [name ...]

All scores are simulated. Chromium is taken from the environment variable CHROMIUM, or from its
usual place; --pages keeps the pages themselves.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import podium

FOLDER = Path(__file__).parent / "screens"
SIZES = {1280: 800, 390: 844}
COLOURS = 256  # of a picture: files stay small
HUES_STAY = 2  # by octree: the median cut would turn the hues of small marks into grey


def one_data_set() -> podium.Results:
    rng = np.random.default_rng(1)
    hard = rng.normal(0.05, 0.012, (50, 1))
    errors = hard + np.array([0, 0.012, 0.03, 0.055, 0.09]) + rng.normal(0, 0.012, (50, 5))
    wide = pd.DataFrame(np.clip(errors, 0, 1), columns=["tree", "forest", "svm", "lda", "knn"])
    table = wide.rename_axis("sample").reset_index()
    return podium.read(table.assign(sample=range(1, 51)), sampling="bootstrap", measure="error")


def three_data_sets() -> podium.Results:
    rng = np.random.default_rng(2)
    means = {"monks": [0.02, 0.03, 0.04, 0.06], "tictactoe": [0.09, 0.03, 0.02, 0.07],
             "twonorm": [0.25, 0.07, 0.04, 0.06]}  # fmt: skip
    rows = [(data, name, sample, float(np.clip(mean + rng.normal(0, 0.01), 0, 1)))
            for data, every in means.items()
            for name, mean in zip(["tree", "forest", "lda", "knn"], every, strict=True)
            for sample in range(1, 31)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])
    return podium.read(table, sampling="bootstrap")


def fifty_four_data_sets() -> podium.Results:
    rng = np.random.default_rng(3)
    values = rng.uniform(0.6, 0.95, (54, 1)) - [0, 0.004, 0.011, 0.02, 0.03]
    names = ["hidden-bayes", "averaged-bayes", "grafted-tree", "tree", "naive-bayes"]
    return _over_datasets(values + rng.normal(0, 0.025, (54, 5)), names, "accuracy")


def seventy_eight_methods() -> podium.Results:
    rng = np.random.default_rng(4)
    skill = np.repeat(rng.normal(0, 0.05, 26), 3) + rng.normal(0, 0.01, 78)
    hard = rng.uniform(0.05, 0.4, (51, 1))
    kinds = ("(default)", "(tuned)", "(tuned + ensemble)")
    names = [f"method {i + 1} {kind}" for i in range(26) for kind in kinds]
    return _over_datasets(hard * (1 + skill + rng.normal(0, 0.1, (51, 78))), names, "error")


def items() -> podium.Results:
    rng = np.random.default_rng(5)
    logits = rng.normal(0.6, 1.5, (500, 1)) + np.array([0.9, 0.75, 0.7, 0.1, -0.2, -0.8])
    right = rng.random((500, 6)) < 1 / (1 + np.exp(-logits))
    names = ["model-a large", "model-b", "model-a small", "model-c", "model-d", "model-e"]
    table = pd.DataFrame(right.astype(int), columns=names).rename_axis("item").reset_index()
    return podium.read(table, sampling="items", measure="accuracy")


def _over_datasets(values: np.ndarray, names: list[str], measure: str) -> podium.Results:
    table = pd.DataFrame(np.clip(values, 0.001, 1), columns=names)
    table.insert(0, "dataset", [f"data-{i + 1:02d}" for i in range(len(values))])
    return podium.read(table, measure=measure)


def battles() -> podium.Results:
    rng = np.random.default_rng(6)
    names, skill = [f"model-{c}" for c in "abcdefgh"], np.linspace(1.4, -1.4, 8)
    rows = []
    for _ in range(2000):
        a, b = rng.choice(8, 2, replace=False)
        won = rng.random() < 1 / (1 + np.exp(skill[b] - skill[a]))
        rows.append((names[a], names[b], "model_a" if won else "model_b"))
    return podium.read(pd.DataFrame(rows, columns=["model_a", "model_b", "winner"]))


def missing_runs() -> podium.Results:
    rng = np.random.default_rng(8)
    names = ["boosting", "gp", "forest", "svm", "logistic", "knn", "tree"]
    values = rng.uniform(0.1, 0.3, (15, 1)) + 0.015 * np.arange(7) + rng.normal(0, 0.01, (15, 7))
    table = pd.DataFrame(values.round(4), columns=names)
    table.loc[[1, 2, 6, 8, 10, 12], "gp"] = np.nan
    table.insert(0, "dataset", [f"set{i}" for i in range(15)])
    return podium.read(table, measure="error")


CASES: dict[str, Callable[[], podium.Results]] = {
    "one-data-set": one_data_set,
    "three-data-sets": three_data_sets,
    "fifty-four-data-sets": fifty_four_data_sets,
    "seventy-eight-methods": seventy_eight_methods,
    "items": items,
    "battles": battles,
    "missing-runs": missing_runs,
}


def shot(browser: Any, page: Path, name: str) -> None:
    """Four pictures of a page's first screen."""
    from PIL import Image

    for width, height in SIZES.items():
        for colours in ("light", "dark"):
            view = {"width": width, "height": height}
            opened = browser.new_page(viewport=view, color_scheme=colours)
            opened.goto(page.resolve().as_uri())
            path = FOLDER / f"{name}-{width}-{colours}.png"
            opened.screenshot(path=path)
            opened.close()
            picture = Image.open(path).convert("RGB")
            picture.quantize(COLOURS, HUES_STAY).save(path, optimize=True)


def main(arguments: list[str]) -> None:
    from playwright.sync_api import sync_playwright

    kept = arguments.index("--pages") if "--pages" in arguments else -1
    folder = Path(arguments[kept + 1]) if kept >= 0 else Path(tempfile.mkdtemp())
    names = [a for i, a in enumerate(arguments) if kept < 0 or i not in (kept, kept + 1)]
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name in names or CASES:
            page = folder / f"{name}.html"
            podium.report(CASES[name](), page)
            shot(browser, page, name)
            print(name, f"{page.stat().st_size / 1e6:.2f} MB", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
