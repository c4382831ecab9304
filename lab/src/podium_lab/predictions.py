"""How often equal models are told apart by measures of predictions, under nulls of many kinds.

    python -m podium_lab.predictions            # some minutes
    python -m podium_lab.predictions --reps 100

Two models (or five, all pairs at once) are drawn alike: heavy-tailed scores, scores of few values,
four unequal classes, Laplace errors, clusters of unequal size.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

import podium

REPS = 500
Draw = Callable[[np.random.Generator, int], pd.DataFrame]
Noise = Callable[[int], np.ndarray]


def _scores(y: np.ndarray, models: int, noise: Noise) -> dict[str, np.ndarray]:
    common = noise(len(y))
    return {f"m{k}": y * 1.2 + 0.7 * common + 0.7 * noise(len(y)) for k in range(models)}


def heavy(rng: np.random.Generator, n: int, models: int = 2) -> pd.DataFrame:
    """Scores with t3 errors; one item in ten is positive."""
    y = (rng.random(n) < 0.1).astype(int)
    return pd.DataFrame({"y_true": y, **_scores(y, models, lambda m: rng.standard_t(3, m))})


def heavy_of_five(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """The same of five models."""
    return heavy(rng, n, 5)


def coarse(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Scores of five values, so that most are tied."""
    y = (rng.random(n) < 0.25).astype(int)
    result = _scores(y, 2, lambda m: rng.normal(size=m))
    return pd.DataFrame(
        {"y_true": y, **{m: np.clip(np.round(s), -2, 2) for m, s in result.items()}}
    )


def clustered(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Clusters of 1 to 19 items, in which models have effects of their own."""
    place = np.repeat(np.arange(n), rng.integers(1, 20, n))[:n]
    y = (rng.random(n) < 0.4).astype(int)
    effect = 0.8 * rng.normal(size=(place.max() + 1, 2))
    scores = {f"m{k}": y + effect[place, k] + rng.normal(size=n) for k in range(2)}
    return pd.DataFrame({"y_true": y, "cluster": [f"c{c}" for c in place], **scores})


def classes(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Labels of four classes, the rarest one in twelve; each model errs in about a quarter."""
    y = rng.choice(4, n, p=[0.5, 0.25, 1 / 6, 1 / 12])
    letters = np.array(list("abcd"))

    def said() -> np.ndarray:
        return np.where(rng.random(n) < 2 / 3, y, rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1]))

    return pd.DataFrame({"y_true": letters[y], "m0": letters[said()], "m1": letters[said()]})


def laplace(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Numbers with Laplace errors that the models share in part."""
    y, common = rng.gamma(2, 1, n), rng.laplace(size=n)
    models = {f"m{k}": y + 0.5 * common + 0.7 * rng.laplace(size=n) for k in range(2)}
    return pd.DataFrame({"y_true": y, **models})


CELLS: tuple[tuple[str, Draw, int], ...] = (
    ("auc", heavy, 100),
    ("auc", heavy, 400),
    ("auc", heavy_of_five, 400),
    ("average-precision", heavy, 400),
    ("auc", coarse, 80),
    ("auc", clustered, 150),
    ("macro-f1", classes, 150),
    ("macro-f1", classes, 600),
    ("mcc", classes, 150),
    ("rmse", laplace, 60),
    ("r2", laplace, 200),
)


def rate(measure: str, draw: Draw, n: int, reps: int, seed: int = 1) -> tuple[float, int]:
    """The share of tables in which some pair is told apart, and of how many tables it is.

    Tables without an interval (too few items of a class) are left out.
    """
    rng, message, looked = np.random.default_rng(seed), 0, 0
    for _ in range(reps):
        table = podium.compare(podium.read(draw(rng, n), measure=measure)).table
        if table["p"].notna().all():
            looked += 1
            message += bool((table["p_adjusted"] <= 0.05).any())
    return message / max(looked, 1), looked


def rows(reps: int = REPS) -> Iterator[tuple[str, str, int, float, int]]:
    """Measure, null, items, rate and tables of every cell."""
    for measure, draw, n in CELLS:
        yield measure, draw.__name__.replace("_", " "), n, *rate(measure, draw, n, reps)


def main() -> None:
    """Print a table."""
    argument_parser = argparse.ArgumentParser(prog="python -m podium_lab.predictions")
    argument_parser.add_argument("--reps", type=int, default=REPS)
    print("| measure | null | items | told apart, % | tables |\n|---|---|---|---|---|")
    for measure, null, n, result, tables in rows(argument_parser.parse_args().reps):
        print(f"| {measure} | {null} | {n} | {100 * result:.1f} | {tables} |", flush=True)


if __name__ == "__main__":
    main()
