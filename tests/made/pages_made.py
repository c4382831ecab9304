"""Tables whose pages are tested: odd names, several measures, very many methods."""

from __future__ import annotations

import numpy as np
import pandas as pd

import podium
from podium import Results

HOSTILE = "<script>alert(1)</script>"
ODD = "</script>\"'&<img src=x onerror=alert(2)>"
ALGORITHMS = ["svm", HOSTILE, "tree", "knn", "lda"]


def awkward() -> Results:
    """Two measures on 12 data sets; names try to be markup, and one algorithm is far behind."""
    draw = np.random.default_rng(1)
    rows = [
        (ODD if d == 0 else f"set{d}", name, *_scores(draw, k))
        for d in range(12)
        for k, name in enumerate(ALGORITHMS)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "error", "seconds"])
    return podium.read(table.melt(["dataset", "algorithm"], var_name="measure"))


def _scores(draw: np.random.Generator, k: int) -> tuple[float, float]:
    return round(0.2 + 0.03 * k + draw.normal(0, 0.03), 4), round(9 - k + draw.uniform(0, 1), 3)


def many(methods: int = 78, datasets: int = 51) -> Results:
    """Variants of methods, many of them alike."""
    draw = np.random.default_rng(2)
    kinds = ("default", "tuned", "tuned + ensemble")
    names = [f"Method{i // 3:02d} ({kinds[i % 3]})" for i in range(methods)]
    skill = np.sort(draw.uniform(0, 0.15, methods))
    values = (
        draw.uniform(0.1, 0.4, (datasets, 1)) + skill + draw.normal(0, 0.02, (datasets, methods))
    )
    table = pd.DataFrame(values.round(4), columns=names)
    table.insert(0, "dataset", [f"d{i:02d}" for i in range(datasets)])
    return podium.read(table, measure="error")
