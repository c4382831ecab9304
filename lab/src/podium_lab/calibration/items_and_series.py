"""Items that models seldom differ on, items in clusters, and forecasts correlated in time."""

from __future__ import annotations

from functools import partial

import numpy as np

from podium import samplings
from podium.core.questions.measures import parse
from podium.core.questions.targets import ITEM, ORIGIN
from podium.core.samplings import Sampling
from podium.errors import InferenceError
from podium_lab.calibration.scenario import ITEMS, Design, Scenario, in_clusters, of_items

RARE = 0.94  # share of right answers
ONE_LARGE = (200, *(5,) * 19)  # clusters of items
MANY_UNLIKE = (*range(1, 21), *range(1, 21))
NEIGHBOURS = 0.5  # correlation of successive differences
WARM_UP = 50


def _rarely_wrong(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Right or wrong on items most of which all models have right."""
    return _rarely_wrong_moved(rng, blocks, np.zeros(algorithms))


def _rarely_wrong_moved(rng: np.random.Generator, blocks: int, effects: np.ndarray) -> np.ndarray:
    if np.abs(effects).max() >= 1:
        raise InferenceError("Effects on chances of being correct lie between -1 and 1.")
    chance = np.clip(RARE + effects, 0.0, 1.0)
    hard = rng.random((blocks, 1)) < 0.2  # the others are right for all but the odd slip
    own = np.where(hard, 1 - 4 * (1 - chance), 1 - (1 - chance) / 4)
    return (rng.random((blocks, len(effects))) < own).astype(float)


def _clustered(
    rng: np.random.Generator, blocks: int, algorithms: int, *, sizes: tuple[int, ...]
) -> np.ndarray:
    """Every model has an effect of its own in every cluster, as large as the error of an item."""
    place = in_clusters(blocks, sizes)
    return rng.normal(size=(len(sizes), algorithms))[place] + rng.normal(size=(blocks, algorithms))


def _in_time(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Autoregressive scores, one window ahead."""
    noise = rng.normal(size=(WARM_UP + blocks, algorithms))
    for t in range(1, len(noise)):
        noise[t] += NEIGHBOURS * noise[t - 1]
    return noise[WARM_UP:]


def _ahead(count: int) -> Sampling:
    return samplings.rolling_origin(count, 1)


def _of_clusters(sizes: tuple[int, ...]) -> Design:
    return Design(ITEM, (sum(sizes),), (ITEMS,), of_items, clusters=sizes)


_RARE = Design(ITEM, (15, 50, 100, 500), (ITEMS,) * 4, of_items)
_ORIGINS = Design(ORIGIN, (20, 50, 100), tuple(map(_ahead, (20, 50, 100))), _ahead)
SCENARIOS = (
    Scenario(
        "items-rare",
        "correct or not on items that models seldom differ on",
        _RARE,
        _rarely_wrong,
        parse("accuracy"),
        _rarely_wrong_moved,
        moves=False,
        binary=True,
    ),
    Scenario(
        "items-one-large-cluster",
        "scores of items in clusters: one of 200 items, 19 of 5",
        _of_clusters(ONE_LARGE),
        partial(_clustered, sizes=ONE_LARGE),
    ),
    Scenario(
        "items-unlike-clusters",
        "scores of items in 40 clusters of 1 to 20",
        _of_clusters(MANY_UNLIKE),
        partial(_clustered, sizes=MANY_UNLIKE),
    ),
    Scenario(
        "series-in-time",
        "scores of forecasts whose neighbours correlate by 0.5",
        _ORIGINS,
        _in_time,
    ),
)
