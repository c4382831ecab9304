"""Tables of scores as nulls: a real table whose columns are centred, and simulated ones like it.

On real tables the differences of algorithms are skewed, vary unequally and correlate, which normal
scores hide. Blocks of a centred table are drawn with replacement: all means are equal, and all else
is as it is. A relabelled one has its algorithms permuted within blocks: they are exchangeable.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium import samplings
from podium.core.inference.comparing.arranging import layout as arranged
from podium.core.inference.layouts import Layout
from podium.core.questions.targets import DATASET, SIMULATION
from podium.core.results.results import Results
from podium.core.samplings import Sampling
from podium.errors import InferenceError
from podium.reading.formats import read
from podium_lab.calibration.scenario import Design, Scenario

SIZES = (10, 30, 100)
SAMPLES = 5  # that a data set's score is the mean of


def _of_datasets(blocks: int) -> Sampling:
    return samplings.bootstrap(SAMPLES)


DATA_SETS = Design(DATASET, SIZES, tuple(map(_of_datasets, SIZES)), _of_datasets)
_DRAWN = Design(SIMULATION, SIZES, tuple(map(samplings.simulation, SIZES)), samplings.simulation)


# -- a real table ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TableDraw:
    """Blocks of a table, drawn with replacement; of more algorithms than are asked for, some."""

    values: np.ndarray
    relabelled: bool

    def __call__(self, rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
        """So many blocks of so many algorithms."""
        chosen = rng.permutation(self.values.shape[1])[:algorithms]
        drawn = self.values[rng.integers(0, len(self.values), blocks)]
        if self.relabelled:
            return rng.permuted(drawn, axis=1)[:, :algorithms]
        return np.asarray(drawn[:, chosen])


def table_scenario(
    results: Any, *, measure: str | None = None, relabelled: bool = False
) -> Scenario:
    """The scenario in which all algorithms of a table are equal, for `calibrate`.

    Parameters
    ----------
    results : `Results`, or anything that `read` takes.
    measure : which, where there are several.
    relabelled : let algorithms change places at random within blocks, so that nothing tells them
        apart; otherwise columns are centred, so that means are equal and shapes are as they are.

    Blocks that lack a score are left out.

    >>> scores = {"a": [0.9, 0.8, 0.7], "b": [0.8, 0.8, 0.5]}
    >>> table_scenario(read(scores, sampling="simulation", measure="accuracy")).text
    '3 blocks of a table of 2 algorithms, centred'
    """
    result = results if isinstance(results, Results) else read(results, measure=measure)
    return of_table(arranged(result, measure=measure), relabelled=relabelled)


def of_table(layout: Layout, *, relabelled: bool = False) -> Scenario:
    """The same of a layout."""
    whole = layout.complete()
    values = whole.values
    if len(values) < 2 or values.shape[1] < 2:
        raise InferenceError(
            "A table to draw rows from needs at least 2 rows with the scores of at least 2 "
            f"algorithms; there are {len(values)} of {values.shape[1]}."
        )
    if not relabelled:
        values = values - values.mean(axis=0)
    kind = "relabelled" if relabelled else "centred"
    text = f"{len(values)} blocks of a table of {values.shape[1]} algorithms, {kind}"
    return Scenario(
        f"table-{kind}",
        text,
        DATA_SETS if layout.block == DATASET else _DRAWN,
        TableDraw(values, relabelled),
        unequal=not relabelled,
        asymmetric=not relabelled,
        most=values.shape[1],
        code=hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest(),
    )


# -- simulated tables -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Simulated:
    """Losses of data sets that are skewed, vary unequally and have difficulty in common.

    Standard deviations of the algorithms grow from `least` to `most`; a share `common` of the
    variance is the difficulty of the data set, which weighs more for who varies more. `shape` is
    that of the gamma law of all parts: their skewness is 2 / √shape.
    """

    shape: float
    least: float = 0.5
    most: float = 2.0
    common: float = 0.5
    gaps: float = 0.0

    def __call__(self, rng: np.random.Generator, datasets: int, algorithms: int) -> np.ndarray:
        """Scores, larger is better."""
        sd = np.geomspace(self.least, self.most, algorithms)
        hard, own = self._part(rng, (datasets, 1)), self._part(rng, (datasets, algorithms))
        loss = sd * (np.sqrt(self.common) * hard + np.sqrt(1 - self.common) * own)
        values = 5 * rng.normal(size=(datasets, 1)) - loss
        values[rng.random(values.shape) < self.gaps] = np.nan
        return values

    def _part(self, rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
        return (rng.gamma(self.shape, 1.0, size) - self.shape) / np.sqrt(self.shape)


def _simulated(name: str, text: str, draw: Simulated) -> Scenario:
    return Scenario(name, text, DATA_SETS, draw, unequal=True, asymmetric=True)


SCENARIOS = (
    _simulated(
        "table-mild",
        "data sets with skewed, unequal and correlated losses (of five, median skewness 0.9)",
        Simulated(shape=1.4),
    ),
    _simulated(
        "table-skewed",
        "data sets with skewed, unequal and correlated losses (of five, median skewness 1.7)",
        Simulated(shape=0.4),
    ),
    _simulated(
        "table-wild",
        "data sets with skewed, unequal and correlated losses (of five, median skewness 3.5)",
        Simulated(shape=0.1),
    ),
    _simulated(
        "table-gaps",
        "data sets with skewed, unequal and correlated losses, 10 % missing",
        Simulated(shape=0.4, gaps=0.1),
    ),
)
