"""Layouts made by hand, for the tests of inference."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from podium.inference.layouts import DEFAULT_TARGETS, Layout
from podium.measures import Measure, parse
from podium.samplings import parse as sampling

HOW = {
    "resample": "bootstrap",
    "repetition": "repeated-cv:10x10",
    "simulation": "simulation",
    "fold": "cv:10",
    "item": "items",
    "dataset": "bootstrap",
}


def made(
    scores: ArrayLike,
    *,
    block: str = "resample",
    target: str = "",
    measure: str | Measure = "squared",
    how: str = "",
    names: str = "abcdefghijklmnop",
    **more: Any,
) -> Layout:
    """The layout of scores (blocks x algorithms) in the measure's own sign."""
    values = np.array(scores, float)
    kind = parse(measure)
    several = names[: values.shape[1]] if values.shape[1] <= len(names) else range(values.shape[1])
    return Layout(
        values if kind.higher_is_better else -values,
        tuple(str(n) for n in several),
        block,
        target or DEFAULT_TARGETS[block],
        kind,
        sampling(how or HOW[block]),
        **more,
    )


def noise(blocks: int, algorithms: int, seed: int = 1) -> np.ndarray:
    """Scores with block effects and unequal means, without ties."""
    rng = np.random.default_rng(seed)
    effects = rng.normal(size=(blocks, 1)) + np.linspace(0, 0.8, algorithms)
    return effects + rng.normal(size=(blocks, algorithms))
