"""The first screens of twelve pages, at two widths and in both colours (docs/screens/*.png).

    python docs/make_screens.py [--pages FOLDER] [name ...]

All scores are simulated. Chromium is taken from the environment variable CHROMIUM, or from its
usual place; --pages keeps the pages themselves.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.cli.main import status_of

FOLDER = Path(__file__).parent / "screens"
SIZES = {1280: 800, 390: 844}
COLOURS = 256  # of a picture: files stay small
HUES_STAY = 2  # by octree: the median cut would turn the hues of small marks into grey
Command = list[str]  # what is typed behind `podium`, without -o


def five_algorithms(at: Path) -> Command:
    rng = np.random.default_rng(3)
    values = rng.uniform(0.6, 0.95, (54, 1)) - [0, 0.004, 0.011, 0.02, 0.03]
    names = ["hidden-bayes", "averaged-bayes", "grafted-tree", "tree", "naive-bayes"]
    table = _over_datasets(values + rng.normal(0, 0.025, (54, 5)), names)
    return ["report", _csv(table, at / "classifiers.csv"), "-m", "accuracy"]


def seventy_eight_methods(at: Path) -> Command:
    rng = np.random.default_rng(4)
    skill = np.repeat(rng.normal(0, 0.05, 26), 3) + rng.normal(0, 0.01, 78)
    hard = rng.uniform(0.05, 0.4, (51, 1))
    kinds = ("(default)", "(tuned)", "(tuned + ensemble)")
    names = [f"method {i + 1} {kind}" for i in range(26) for kind in kinds]
    table = _over_datasets(hard * (1 + skill + rng.normal(0, 0.1, (51, 78))), names)
    return ["report", _csv(table, at / "board.csv"), "-m", "error"]


def items(at: Path) -> Command:
    rng = np.random.default_rng(5)
    logits = rng.normal(0.6, 1.5, (500, 1)) + np.array([0.9, 0.75, 0.7, 0.1, -0.2, -0.8])
    right = rng.random((500, 6)) < 1 / (1 + np.exp(-logits))
    names = ["model-a large", "model-b", "model-a small", "model-c", "model-d", "model-e"]
    table = pd.DataFrame(right.astype(int), columns=names).rename_axis("item").reset_index()
    return ["report", _csv(table, at / "answers.csv"), "--sampling", "items", "-m", "accuracy"]


def battles(at: Path) -> Command:
    rng = np.random.default_rng(6)
    names, skill = [f"model-{c}" for c in "abcdefgh"], np.linspace(1.4, -1.4, 8)
    rows = []
    for _ in range(2000):
        a, b = rng.choice(8, 2, replace=False)
        won = rng.random() < 1 / (1 + np.exp(skill[b] - skill[a]))
        rows.append((names[a], names[b], "model_a" if won else "model_b"))
    table = pd.DataFrame(rows, columns=["model_a", "model_b", "winner"])
    return ["report", _csv(table, at / "battles.csv")]


def missing_runs(at: Path) -> Command:
    rng = np.random.default_rng(8)
    names = ["boosting", "gp", "forest", "svm", "logistic", "knn", "tree"]
    values = rng.uniform(0.1, 0.3, (15, 1)) + 0.015 * np.arange(7) + rng.normal(0, 0.01, (15, 7))
    table = _over_datasets(values.round(4), names)
    table.loc[[1, 2, 6, 8, 10, 12], "gp"] = np.nan
    return ["report", _csv(table, at / "overnight.csv"), "-m", "error"]


def posterior(at: Path) -> Command:
    rng = np.random.default_rng(9)
    values = rng.uniform(0.1, 0.4, (10, 1)) + np.array([0, 0.008, 0.012, 0.03, 0.034])
    names = ["svm", "forest", "knn", "tree", "boosting"]
    table = _over_datasets(values + rng.normal(0, 0.02, (10, 5)), names)
    return ["report", _csv(table, at / "small.csv"), "-m", "error", "--bayes", "--rope", "0.01"]


def judge(at: Path) -> Command:
    rng = np.random.default_rng(10)
    rows = []
    for item in range(300):
        for name, good, flattery in (("owl", 0.82, 0), ("fox", 0.7, 0.05), ("lynx", 0.5, 0.35)):
            human = int(rng.random() < good)
            kind = human if rng.random() < 0.85 else int(rng.random() < 0.5)
            said = max(kind, int(rng.random() < flattery))
            rows.append((f"q{item:03d}", name, said, human if item % 5 < 2 else ""))
    table = pd.DataFrame(rows, columns=["item", "model", "judge", "human"])
    return ["report", _csv(table, at / "judged.csv"), "--judge", "judge", "--human", "human"]


def timings(at: Path) -> Command:
    rng = np.random.default_rng(11)
    factors = {"groupby_sum": 1.17, "write_parquet": 1.07, "parse_json": 1.03, "sort_str": 1.0,
               "regex_match": 0.93, "sort_int": 0.92, "window_mean": 0.91, "read_csv": 0.9,
               "join_large": 0.87, "join_small": 0.86}  # fmt: skip
    for side in ("old", "new"):
        runs = [
            {"name": name, "fullname": f"bench.py::{name}", "stats": {"data": [
                0.05 * (k + 1) * factor ** (side == "new") * rng.lognormal(0, 0.03)
                for _ in range(10)
            ], "rounds": 10}}
            for k, (name, factor) in enumerate(factors.items())
        ]  # fmt: skip
        (at / f"{side}.json").write_text(json.dumps({"benchmarks": runs, "version": "4.0.0"}))
    return ["report", str(at / "old.json"), str(at / "new.json")]


def studies(at: Path) -> Command:
    rng = np.random.default_rng(12)
    places = ("Oslo", "Lima", "Pune", "Kyoto", "Graz", "Quito", "Accra", "Turin")
    rows = [
        (
            place,
            "svm",
            "lda",
            round(rng.normal(0.017, 0.012), 4),
            round(rng.uniform(0.006, 0.02), 4),
        )
        for place in places
    ]
    table = pd.DataFrame(rows, columns=["study", "first", "second", "estimate", "se"])
    return ["meta", _csv(table, at / "studies.csv"), "--measure", "accuracy"]


def running(at: Path) -> Command:
    rng = np.random.default_rng(13)
    names = ["owl", "fox", "hare"]
    questions = [f"q{i:03d}" for i in range(600)]
    asked = _csv(pd.DataFrame({"question": questions}), at / "questions.csv")
    queue = at / "queue.csv"
    queue.unlink(missing_ok=True)  # it is drawn once, and pages may be made again
    _run("plan", "queue", asked, "--algorithms", ",".join(names), "-o", str(queue))
    order = pd.read_csv(queue, comment="#")["question"].tolist()[:270]
    skill = {"owl": 0.85, "fox": 0.78, "hare": 0.55}
    rows = [(q, m, int(rng.random() < skill[m])) for q in order for m in names]
    answers = pd.DataFrame(rows, columns=["question", "model", "correct"])
    return ["report", _csv(answers, at / "answers.csv"), "--queue", str(queue)]


def front(at: Path) -> Command:
    rng = np.random.default_rng(14)
    models = (("large", 0.84, 9.0), ("medium", 0.8, 2.0), ("small", 0.68, 0.5), ("mini", 0.6, 0.4),
              ("previous", 0.62, 3.0))  # fmt: skip
    rows = [
        (f"q{i:03d}", name, int(rng.random() < right), round(cost * rng.lognormal(0, 0.4), 4))
        for i in range(400)
        for name, right, cost in models
    ]
    table = pd.DataFrame(rows, columns=["item", "model", "accuracy", "cost"])
    return ["report", _csv(table, at / "models.csv"), "-m", "accuracy,cost"]


def factors(at: Path) -> Command:
    rng = np.random.default_rng(15)
    rows = []
    for data in range(20):
        level = rng.normal(0.8, 0.05)
        for encoder in ("resnet", "vit"):
            for loss in ("ce", "focal"):
                for augmented in ("no", "yes"):
                    vit, focal = encoder == "vit", loss == "focal"
                    gain = 0.02 * vit + 0.015 * (augmented == "yes") + 0.02 * vit * focal
                    score = level + gain - 0.01 * focal + rng.normal(0, 0.012)
                    rows.append((f"data-{data:02d}", encoder, loss, augmented, round(score, 4)))
    table = pd.DataFrame(rows, columns=["dataset", "encoder", "loss", "augmented", "accuracy"])
    asked = ["--factors", "encoder,loss,augmented", "-m", "accuracy"]
    return ["report", _csv(table, at / "parts.csv"), *asked]


def _over_datasets(values: np.ndarray, names: list[str]) -> pd.DataFrame:
    table = pd.DataFrame(np.clip(values, 0.001, 1), columns=names)
    table.insert(0, "dataset", [f"data-{i + 1:02d}" for i in range(len(values))])
    return table


def _csv(table: pd.DataFrame, path: Path) -> str:
    table.to_csv(path, index=False)
    return str(path)


CASES: dict[str, Callable[[Path], Command]] = {
    "five-algorithms": five_algorithms,
    "seventy-eight-methods": seventy_eight_methods,
    "items": items,
    "battles": battles,
    "posterior": posterior,
    "judge": judge,
    "timings": timings,
    "missing-runs": missing_runs,
    "studies": studies,
    "running": running,
    "front": front,
    "factors": factors,
}


def _run(*command: str) -> None:
    if status_of(list(command)) != 0:
        raise SystemExit(f"podium {' '.join(command)} failed")


def shot(browser: Any, page: Path, name: str) -> None:
    """Four pictures of a page's first screen."""
    from PIL import Image

    for width, height in SIZES.items():
        for colours in ("light", "dark"):
            view = {"width": width, "height": height}
            opened = browser.new_page(viewport=view, color_scheme=colours)
            opened.goto(page.resolve().as_uri())
            opened.wait_for_selector("html[data-ready=yes]", state="attached")
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
            page, inside = folder / f"{name}.html", folder / name
            inside.mkdir(parents=True, exist_ok=True)
            command = CASES[name](inside)
            flag = "--report" if command[0] == "meta" else "-o"
            _run(*command, flag, str(page))
            shot(browser, page, name)
            print(name, f"{page.stat().st_size / 1e6:.2f} MB", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
