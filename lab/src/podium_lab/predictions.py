"""How often equal models are told apart by measures of predictions, under nulls of many kinds.

    python -m podium_lab.rates --only predictions

Two models (or five, all pairs at once) are drawn alike: heavy-tailed scores, scores of few values,
four unequal classes, Laplace errors, clusters of unequal size.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

import podium
from podium.base.errors import PodiumError
from podium.predictions.kinds import Columns, Raw, typed
from podium.predictions.measures import named
from podium.predictions.scoring import results_of

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


def told_apart(measure: str, draw: Draw, n: int, rng: np.random.Generator) -> bool | None:
    """Whether some pair of equal models is told apart; None where a table carries no interval."""
    frame = draw(rng, n)
    columns = Columns("y_true", {m: m for m in frame.columns if m.startswith("m")})
    beside = {"cluster": frame["cluster"]} if "cluster" in frame else {}
    raw = Raw(frame["y_true"], {m: frame[m] for m in columns.models}, beside)
    rule = named(measure)
    assert rule is not None
    try:
        results = results_of(typed(raw, columns, "The table", rule.rule.kinds), measure)
    except PodiumError:  # a class is missing
        return None
    table = podium.compare(results).table
    return bool((table["p_adjusted"] <= 0.05).any()) if table["p"].notna().all() else None


def cells() -> dict[str, Callable[[np.random.Generator], bool | None]]:
    """Every measure under every null, by name."""
    return {
        f"predictions/{measure}/{draw.__name__.replace('_', ' ')}/{n}": partial(
            told_apart, measure, draw, n
        )
        for measure, draw, n in CELLS
    }
