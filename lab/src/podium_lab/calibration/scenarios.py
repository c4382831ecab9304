"""The scenarios that there are: one record each, in one registry.

Each draws a blocks x algorithms array in which all algorithms are equal; a partial null moves
groups of algorithms apart by far more than their scores vary. Here are scores of blocks, items,
folds and data sets that are drawn directly; other families have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from podium import samplings
from podium.core.base.registry import Registry
from podium.core.inference.numbers.boundaries import HULL, RACE, T
from podium.core.questions.measures import parse
from podium.core.questions.targets import (
    CROSSED,
    DATASET,
    DATASETS,
    FOLD,
    INDEPENDENT_SIMULATION,
    ITEM,
    NESTED,
    ORIGIN,
    SIMULATION,
)
from podium.core.samplings import Sampling
from podium.errors import InferenceError
from podium_lab.calibration import (
    damaged_learners,
    equal_processes,
    exchangeable_groups,
    items_and_series,
    simulated_learners,
    tables,
)
from podium_lab.calibration.scenario import ITEMS, Design, Scenario, of_items

APART = 6.0  # distance of unequal groups: every true difference is found
SETS = 8  # training sets of the crossed scenarios
SAMPLES = 5  # of each data set of the nested scenarios
HORIZON = 3

# -- draws ----------------------------------------------------------------------------------------


def _normal(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    return rng.normal(size=(blocks, 1)) + rng.normal(size=(blocks, algorithms))


def _skewed(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Gamma scores with gamma block effects, rounded so that one in five or so is tied."""
    effect = rng.gamma(2.0, 0.5, size=(blocks, 1))
    return np.round(2 * (effect + rng.gamma(1.0, 1.0, size=(blocks, algorithms)))) / 2


def _heavy(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Scores and block effects of Student's t with 3 df."""
    return rng.standard_t(3, size=(blocks, 1)) + rng.standard_t(3, size=(blocks, algorithms))


def _unequal(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Equal means, but the last algorithm varies five times as much."""
    sd = np.ones(algorithms)
    sd[-1] = 5.0
    return rng.normal(size=(blocks, 1)) + sd * rng.normal(size=(blocks, algorithms))


def _shared_rows(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Folds whose scores correlate by the share of test rows, a tenth (Nadeau and Bengio 2003)."""
    shared = rng.normal(size=(1, algorithms)) * np.sqrt(0.1)
    return shared + np.sqrt(0.9) * rng.normal(size=(blocks, algorithms))


def _skewed_rows(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    shared = rng.normal(size=(1, algorithms)) * np.sqrt(0.1)
    own = rng.gamma(1.0, 1.0, size=(blocks, algorithms)) - 1.0
    return shared + np.round(np.sqrt(0.9) * own * 4) / 4


def _items(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Correct or not on items of varying difficulty; about 0.8 correct."""
    difficulty = rng.beta(4.0, 1.0, size=(blocks, 1))
    return (rng.random((blocks, algorithms)) < difficulty).astype(float)


def _items_moved(rng: np.random.Generator, blocks: int, effects: np.ndarray) -> np.ndarray:
    """Effects are added to the chance of being correct, which ends at 0 and 1."""
    if np.abs(effects).max() >= 1:
        raise InferenceError("Effects on chances of being correct lie between -1 and 1.")
    difficulty = rng.beta(4.0, 1.0, size=(blocks, 1))
    return (rng.random((blocks, len(effects))) < difficulty + effects).astype(float)


def _own_normal(rng: np.random.Generator, samples: int, algorithms: int) -> np.ndarray:
    return rng.normal(size=(samples, algorithms))


def _own_skewed(rng: np.random.Generator, samples: int, algorithms: int) -> np.ndarray:
    """Gamma scores, rounded so that many are tied; the first algorithm has half the samples."""
    values = np.round(2 * rng.gamma(1.0, 1.0, size=(samples, algorithms))) / 2
    values[samples // 2 :, 0] = np.nan
    return values


def _own_unequal(rng: np.random.Generator, samples: int, algorithms: int) -> np.ndarray:
    """Equal means, but the last algorithm varies five times as much and has half the samples."""
    values = rng.normal(size=(samples, algorithms))
    values[:, -1] *= 5.0
    values[samples // 2 :, -1] = np.nan
    return values


def _crossed(
    rng: np.random.Generator, blocks: int, algorithms: int, *, of_set: float, of_item: float
) -> np.ndarray:
    """Every algorithm has effects of its own of training sets and of items, and errors of sd 1."""
    items = blocks // SETS
    effects = of_set * rng.normal(size=(SETS, 1, algorithms))
    effects = effects + of_item * rng.normal(size=(1, items, algorithms))
    return (effects + rng.normal(size=(SETS, items, algorithms))).reshape(blocks, algorithms)


def _skewed_noise(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Variance 1, mean 0, skewness 2."""
    return rng.gamma(1.0, 1.0, size=size) - 1.0


def _normal_noise(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    return rng.normal(size=size)


def _datasets(
    rng: np.random.Generator,
    datasets: int,
    algorithms: int,
    *,
    noise: Callable[..., np.ndarray] = _normal_noise,
    wild: float = 1.0,
    gaps: float = 0.0,
) -> np.ndarray:
    """Scores of data sets, which vary more than algorithms do; the last one may be wilder."""
    own = noise(rng, (datasets, algorithms))
    own[:, -1] *= wild
    values = 2 * noise(rng, (datasets, 1)) + own
    values[rng.random(values.shape) < gaps] = np.nan
    return values


def _samples(
    rng: np.random.Generator,
    datasets: int,
    algorithms: int,
    *,
    noise: Callable[..., np.ndarray] = _normal_noise,
    wild: float = 1.0,
    wild_error: float = 1.0,
    gaps: float = 0.0,
    balanced: bool = False,
) -> np.ndarray:
    """Samples of data sets; `balanced`: algorithms are equal over just these data sets.

    The last algorithm may interact with data sets, or err, more wildly than the others.
    """
    interaction = noise(rng, (datasets, algorithms))
    interaction[:, -1] *= wild
    if balanced:
        interaction -= interaction.mean(axis=0)
    error = noise(rng, (datasets, SAMPLES, algorithms))
    error[:, :, -1] *= wild_error
    values = (2 * noise(rng, (datasets, 1)) + interaction)[:, None, :] + error
    values += noise(rng, (datasets, SAMPLES, 1))
    gone = rng.random(values.shape) < gaps
    gone[:, 0] = False  # every algorithm has a score on every data set
    return np.where(gone, np.nan, values).reshape(-1, algorithms)


def _series(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Moving averages of as many values as the horizon has rows."""
    noise = rng.normal(size=(blocks + HORIZON - 1, algorithms))
    return np.array([noise[i : i + HORIZON].sum(axis=0) for i in range(blocks)])


# -- what blocks are ------------------------------------------------------------------------------


def _of_datasets(blocks: int) -> Sampling:
    return samplings.bootstrap(SAMPLES)


def _origins(count: int) -> Sampling:
    return samplings.rolling_origin(count, 1, HORIZON - 1)


_independent = partial(samplings.simulation, independent=True)
_SIMULATED = Design(
    SIMULATION,
    (50, 250),
    (samplings.simulation(50), samplings.simulation(250)),
    samplings.simulation,
)
_FOLDS = Design(FOLD, (10, 100), (samplings.cv(10), samplings.repeated_cv(10, 10)))
_HALVES = Design(FOLD, (10,), (samplings.five_by_two_cv(),))
_ITEMS = Design(ITEM, (100, 1000), (ITEMS, ITEMS), of_items)
_OWN = Design(
    INDEPENDENT_SIMULATION, (20, 100), (_independent(20), _independent(100)), _independent
)
_CROSSED = Design(CROSSED, (160, 1600), (samplings.training_sets(SETS, 64),) * 2, sets=SETS)
_SERIES = Design(ORIGIN, (20, 100), (_origins(20), _origins(100)))
_DATASETS = Design(DATASET, (10, 30), (samplings.bootstrap(SAMPLES),) * 2, _of_datasets)
_NESTED = replace(_DATASETS, block=NESTED, samples=SAMPLES)
_THESE = replace(_NESTED, target=DATASETS)
LOOKS = 40
_STOPPING = replace(_SIMULATED, sizes=(1000,), samplings=(samplings.simulation(1000),), looks=LOOKS)
_OPEN = replace(_STOPPING, open=True)
_RACE = replace(_STOPPING, goal=RACE)
_STOPPING_ITEMS = replace(_ITEMS, sizes=(1000,), samplings=(ITEMS,), looks=LOOKS)
_STOPPING_SETS = replace(_DATASETS, sizes=(40,), samplings=_DATASETS.samplings[:1], looks=LOOKS)


# -- the scenarios --------------------------------------------------------------------------------

_DRAWN = (
    Scenario("normal", "normal scores with block effects", _SIMULATED, _normal),
    Scenario("skewed", "skewed scores with ties and block effects", _SIMULATED, _skewed),
    Scenario("heavy", "heavy-tailed scores with block effects", _SIMULATED, _heavy),
    Scenario(
        "unequal", "equal means, one sd five times the others", _SIMULATED, _unequal, unequal=True
    ),
    Scenario("folds", "normal scores of folds that share rows", _FOLDS, _shared_rows),
    Scenario("skewed-folds", "skewed scores of folds that share rows", _FOLDS, _skewed_rows),
    Scenario("halves", "normal scores of 5x2cv", _HALVES, _normal),
    Scenario(
        "items",
        "correct or not on items",
        _ITEMS,
        _items,
        parse("accuracy"),
        _items_moved,
        moves=False,
        binary=True,
    ),
    Scenario("losses", "skewed losses of items with ties", _ITEMS, _skewed),
    Scenario("independent", "normal scores of samples of each algorithm's own", _OWN, _own_normal),
    Scenario(
        "independent-skewed", "skewed scores with ties, one sample half as large", _OWN, _own_skewed
    ),
    Scenario(
        "independent-unequal",
        "equal means, half a sample with five times the sd",
        _OWN,
        _own_unequal,
        unequal=True,
    ),
    Scenario(
        "crossed",
        "scores of training sets x items, both of which vary",
        _CROSSED,
        partial(_crossed, of_set=0.5, of_item=0.5),
    ),
    Scenario(
        "crossed-sets",
        "scores of training sets x items, of which training sets vary",
        _CROSSED,
        partial(_crossed, of_set=0.5, of_item=0.0),
    ),
    Scenario(
        "crossed-items",
        "scores of training sets x items, of which items vary",
        _CROSSED,
        partial(_crossed, of_set=0.0, of_item=1.0),
    ),
    Scenario("series", "scores of overlapping forecasts three rows ahead", _SERIES, _series),
    Scenario("survey-normal", "normal scores of data sets", _DATASETS, _datasets),
    Scenario(
        "survey-skewed",
        "skewed scores of data sets",
        _DATASETS,
        partial(_datasets, noise=_skewed_noise),
    ),
    Scenario(
        "survey-unequal",
        "scores of data sets, one sd five times the others",
        _DATASETS,
        partial(_datasets, wild=5.0),
        unequal=True,
    ),
    Scenario(
        "survey-gaps",
        "normal scores of data sets, 5 % missing",
        _DATASETS,
        partial(_datasets, gaps=0.05),
    ),
    Scenario("stopping", "a study that may stop, normal scores", _STOPPING, _normal),
    Scenario("stopping-skewed", "a study that may stop, skewed scores", _STOPPING, _skewed),
    Scenario(
        "stopping-unequal",
        "a study that may stop, one sd five times the others",
        _STOPPING,
        _unequal,
        unequal=True,
    ),
    Scenario("stopping-open", "a study without a budget, normal scores", _OPEN, _normal),
    *(
        Scenario(
            f"stopping-items{'-open' * open_}",
            f"correct or not on queued items, {'without' if open_ else 'with'} a budget",
            replace(_STOPPING_ITEMS, open=open_),
            _items,
            parse("accuracy"),
            _items_moved,
            moves=False,
            binary=True,
        )
        for open_ in (False, True)
    ),
    Scenario("race", "a race for the best, normal scores", _RACE, _normal),
    Scenario("race-skewed", "a race for the best, skewed scores", _RACE, _skewed),
    *(
        Scenario(
            f"stopping-survey{'-hull' * bool(words)}{kind}",
            f"data sets until decided{words}, {scores} scores",
            replace(_STOPPING_SETS, test=test),
            partial(_datasets, noise=noise) if noise else _datasets,
            asymmetric=bool(noise),
        )
        for test, words in ((T, ""), (HULL, " by t and Hall's t"))
        for kind, scores, noise in (("", "normal", None), ("-skewed", "skewed", _skewed_noise))
    ),
    Scenario("survey-nested", "five samples of each data set", _NESTED, _samples),
    Scenario(
        "survey-nested-skewed",
        "five samples of each data set, all effects skewed",
        _NESTED,
        partial(_samples, noise=_skewed_noise),
    ),
    Scenario(
        "survey-nested-unequal",
        "five samples of each data set, one algorithm's interaction five times the others'",
        _NESTED,
        partial(_samples, wild=5.0),
        unequal=True,
    ),
    Scenario(
        "survey-nested-gaps",
        "five samples of each data set, 5 % missing",
        _NESTED,
        partial(_samples, gaps=0.05),
    ),
    Scenario(
        "survey-these",
        "five samples of each of these data sets",
        _THESE,
        partial(_samples, balanced=True),
    ),
    Scenario(
        "survey-these-skewed",
        "five samples of each of these data sets, all effects skewed",
        _THESE,
        partial(_samples, noise=_skewed_noise, balanced=True),
    ),
    Scenario(
        "survey-these-unequal",
        "five samples of each of these data sets, one algorithm's error five times the others'",
        _THESE,
        partial(_samples, wild_error=5.0, balanced=True),
        unequal=True,
    ),
    Scenario(
        "survey-these-gaps",
        "five samples of each of these data sets, 5 % missing",
        _THESE,
        partial(_samples, gaps=0.05, balanced=True),
    ),
)
SCENARIOS: Registry[Scenario] = Registry("scenario")
for _scenario in (
    *_DRAWN,
    *items_and_series.SCENARIOS,
    *simulated_learners.SCENARIOS,
    *damaged_learners.SCENARIOS,
    *equal_processes.SCENARIOS,
    *tables.SCENARIOS,
    *exchangeable_groups.SCENARIOS,
):
    SCENARIOS.add(_scenario.name, _scenario)
