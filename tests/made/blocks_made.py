"""Layouts made by hand, for the tests of stability."""

from __future__ import annotations

from typing import Any

import numpy as np
from layouts_made import parts
from numpy.typing import ArrayLike

from podium import Layout
from podium.core.questions.measures import parse
from podium.core.questions.targets import BLOCKS
from podium.core.samplings import parse as sampling


def made(
    scores: ArrayLike,
    block: str = "simulation",
    target: str = "",
    names: str | tuple[str, ...] = "abcdefghij",
    **more: Any,
) -> Layout:
    """The layout of scores (blocks x algorithms) of which larger is better."""
    values = np.array(scores, float)
    how = sampling({"fold": "cv:10", "item": "items"}.get(block, "bootstrap"))
    several = tuple(names[: values.shape[1]])
    where = target or BLOCKS[block].target
    facts = parts(sampling=how, **more)
    return Layout(values, several, block, where, parse("accuracy"), **facts)


def noise(blocks: int, algorithms: int, seed: int = 1, apart: float = 0.3) -> np.ndarray:
    """Scores with block effects, neighbouring algorithms so far apart, the first one the worst."""
    rng = np.random.default_rng(seed)
    effects = rng.normal(size=(blocks, 1)) + apart * np.arange(algorithms)
    return effects + rng.normal(size=(blocks, algorithms))
