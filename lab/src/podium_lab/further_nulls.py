"""Equal models of further kinds: rare positives, near twins, clusters, weights, unequal spread.

Nulls that no rule was chosen under; `predictions.py` counts how often models are told apart in
them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

MODELS = ("m0", "m1")
LETTERS = np.array(["no", "yes"])
Draw = Callable[[np.random.Generator, int], pd.DataFrame]


def _as_labels(y: np.ndarray, scores: dict[str, np.ndarray], cut: float) -> pd.DataFrame:
    labels = {m: LETTERS[(s > cut).astype(int)] for m, s in scores.items()}
    return pd.DataFrame({"y_true": LETTERS[y], **labels})


def _logistic(
    rng: np.random.Generator, y: np.ndarray, gain: float, own: float
) -> dict[str, np.ndarray]:
    """Scores with logistic errors, of which a share is each model's own."""
    common = rng.logistic(size=len(y))
    kept = np.sqrt(1 - own**2)
    return {m: gain * y + kept * common + own * rng.logistic(size=len(y)) for m in MODELS}


def rare(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """One item in a hundred is positive; logistic errors."""
    y = (rng.random(n) < 0.01).astype(int)
    return pd.DataFrame({"y_true": y, **_logistic(rng, y, 2.5, 0.7)})


def rare_labels(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """The same cut into labels, so that one item in thirty is called positive."""
    y = (rng.random(n) < 0.01).astype(int)
    return _as_labels(y, _logistic(rng, y, 2.5, 0.7), 3.2)


def twins(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Scores that correlate by 0.99, as of one model with two seeds."""
    y = (rng.random(n) < 0.3).astype(int)
    return pd.DataFrame({"y_true": y, **_logistic(rng, y, 2.0, 0.1)})


def twin_labels(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Labels that differ on about one item in thirty."""
    y = (rng.random(n) < 0.3).astype(int)
    return _as_labels(y, _logistic(rng, y, 2.0, 0.1), 1.0)


def _places(rng: np.random.Generator, n: int) -> np.ndarray:
    """Clusters of 1 to 19 items."""
    return np.repeat(np.arange(n), rng.integers(1, 20, n))[:n]


def patients(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Labels of images, 1 to 19 of a patient; patients differ in prevalence and for each model."""
    place = _places(rng, n)
    count = place.max() + 1
    y = (rng.random(n) < rng.beta(1, 2, count)[place]).astype(int)
    effect = rng.normal(size=(count, 2))
    scores = {m: 2 * y + effect[place, k] + rng.normal(size=n) for k, m in enumerate(MODELS)}
    return _as_labels(y, scores, 1.0).assign(cluster=[f"c{c}" for c in place])


def gathered(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Clusters of ten; all positive items are in seven of them."""
    place = np.arange(n) // 10
    y = ((place < 7) & (rng.random(n) < 0.5)).astype(int)
    effect = rng.normal(size=(place.max() + 1, 2))
    scores = {m: y + effect[place, k] + rng.normal(size=n) for k, m in enumerate(MODELS)}
    return pd.DataFrame({"y_true": y, "cluster": [f"c{c}" for c in place], **scores})


def houses(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Numbers in clusters of 1 to 19, in which models have errors of their own."""
    place = _places(rng, n)
    y, effect = rng.gamma(3, 1, n), rng.normal(size=(place.max() + 1, 2))
    models = {m: y + effect[place, k] + rng.normal(size=n) for k, m in enumerate(MODELS)}
    return pd.DataFrame({"y_true": y, "cluster": [f"c{c}" for c in place], **models})


def surveyed(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Items with lognormal weights, which are larger where it is harder."""
    y = (rng.random(n) < 0.3).astype(int)
    hard = rng.normal(size=n)
    scores = {m: 1.5 * y + hard + rng.normal(size=n) for m in MODELS}
    return pd.DataFrame(
        {"y_true": y, "weight": np.exp(0.5 * hard + 0.5 * rng.normal(size=n)), **scores}
    )


def surveyed_labels(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """The same cut into labels."""
    drawn = surveyed(rng, n)
    made = _as_labels(drawn["y_true"].to_numpy(), {m: drawn[m].to_numpy() for m in MODELS}, 0.75)
    return made.assign(weight=drawn["weight"])


def fanned(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Numbers whose errors grow with the truth."""
    y = rng.gamma(2, 1, n)
    common = rng.normal(size=n)
    models = {m: y + y * (0.3 * common + 0.3 * rng.normal(size=n)) for m in MODELS}
    return pd.DataFrame({"y_true": y, **models})


def recognised(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Wrong words of both models, and words, of speakers with long and short utterances."""
    words = 1 + rng.poisson(np.exp(rng.normal(2, 0.8, n)))
    hard = rng.beta(1, 6, n)
    return rng.binomial(words[:, None], np.column_stack([hard, hard])), words
