"""Small boards, and files that are submitted to them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

FIRST = {"owl": 0.6, "fox": 0.3, "bat": 0.0}


def answers(strength: float, items: int = 200, seed: int = 0) -> np.ndarray:
    """Right or wrong on items of some difficulty."""
    hard = np.random.default_rng(1).normal(size=items)
    luck = np.random.default_rng([seed, abs(int(1000 * strength))]).random(items)
    return (luck < 1 / (1 + np.exp(-hard - strength))).astype(int)


def first_file(folder: Path, items: int = 200, start: int = 0) -> Path:
    """Items and three algorithms, wide."""
    columns = {name: answers(b, items, start) for name, b in FIRST.items()}
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    lines = [f"q{start + i},{row}" for i, row in enumerate(rows)]
    path = folder / f"items{start}.csv"
    path.write_text("\n".join(["item,owl,fox,bat", *lines]) + "\n")
    return path


def submission(
    folder: Path, values: np.ndarray, name: str = "new", start: int = 0, measure: str = "accuracy"
) -> Path:
    """Items and scores, without the name of an algorithm."""
    lines = [f"q{start + i},{v}" for i, v in enumerate(values)]
    path = folder / f"{name}.csv"
    path.write_text("\n".join([f"item,{measure}", *lines]) + "\n")
    return path
