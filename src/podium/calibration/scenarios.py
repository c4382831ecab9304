"""Scenarios: blocks of scores in which it is known which algorithms are equal.

Each draws a blocks x algorithms array in which all algorithms are equal; a partial null moves
groups of algorithms apart by far more than their scores vary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any

import numpy as np

from podium.errors import InferenceError
from podium.inference.layouts import DEFAULT_TARGETS, Layout
from podium.measures import Measure, parse
from podium.registry import Registry
from podium.samplings import Sampling
from podium.samplings import parse as parse_sampling

Draw = Callable[[np.random.Generator, int, int], np.ndarray]
Moved = Callable[[np.random.Generator, int, np.ndarray], np.ndarray]
SCORE = Measure("score", higher_is_better=True)
APART = 6.0  # distance of unequal groups: every true difference is found


@dataclass(frozen=True, repr=False)
class Scenario:
    """A way to draw scores, and what a block of it is."""

    name: str
    text: str
    block: str
    draw: Draw
    sizes: tuple[int, ...]  # the numbers of blocks at which procedures are judged
    samplings: tuple[str, ...]  # for each size
    sampling_of: str = ""  # any other number of blocks, as in simulation:{blocks}
    measure: Measure = SCORE
    binary: bool = False
    moves: bool = True  # whether algorithms can be moved apart by any amount
    moved: Moved | None = None  # draws unequal algorithms, where adding effects would not do
    sets: int = 0  # training sets with which items are crossed; blocks are set by set
    samples: int = 0  # of each data set, where blocks are nested; their number is that of data sets
    target: str = ""  # other than the kind of block's default
    unequal: bool = False  # variances differ, which many nulls exclude
    asymmetric: bool = False  # differences are skewed: only their means are equal
    most: int = 50  # algorithms
    code: str = ""  # of a user's own draw: what was kept of another one is not taken for its

    def layout(
        self,
        rng: np.random.Generator,
        blocks: int,
        algorithms: int,
        effects: tuple[float, ...] = (),
    ) -> Layout:
        """One draw; `effects` are the algorithms' true means where not all are equal."""
        values = self._drawn(rng, blocks, algorithms, np.asarray(effects, float))
        wanted = (blocks * (self.samples or 1), algorithms)
        if values.shape != wanted:
            raise InferenceError(
                f"The scenario '{self.name}' drew scores of shape {values.shape}, not {wanted}."
            )
        names = tuple(f"a{i + 1}" for i in range(algorithms))
        return Layout(
            values,
            names,
            self.block,
            self.target_of,
            self.measure,
            self.sampling(blocks),
            **self._labels(blocks),
        )

    def __repr__(self) -> str:
        return f"Scenario {self.name!r}: {self.text} (blocks: {self.block}, {self.target_of})"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"

    @property
    def target_of(self) -> str:
        """What its hypotheses are about."""
        return self.target or DEFAULT_TARGETS[self.block]

    def example(self) -> Layout:
        """A draw of two algorithms, which shows the design."""
        return self.layout(np.random.default_rng(0), self.sizes[0], 2)

    def _drawn(
        self, rng: np.random.Generator, blocks: int, algorithms: int, effects: np.ndarray
    ) -> np.ndarray:
        if not effects.size:
            return self.draw(rng, blocks, algorithms)
        if self.moved is not None:
            return self.moved(rng, blocks, effects)
        return self.draw(rng, blocks, algorithms) + effects

    def _labels(self, blocks: int) -> dict[str, Any]:
        """What the blocks belong to."""
        if self.sets:
            items = blocks // self.sets
            sets = np.arange(self.sets)
            return {
                "training_sets": np.repeat(sets, items),
                "items": np.tile(np.arange(items), self.sets),
            }
        if self.samples:
            datasets = np.arange(blocks)
            return {
                "within": np.repeat(datasets, self.samples),
                "datasets": tuple(f"d{j + 1}" for j in datasets),
            }
        return {}

    def sampling(self, blocks: int) -> Sampling:
        """The sampling that has so many blocks."""
        known = dict(zip(self.sizes, self.samplings, strict=True))
        if blocks not in known and not (self.sampling_of and blocks >= 2):
            sizes = " or ".join(map(str, dict.fromkeys(self.sizes)))
            sizes = "at least 2" if self.sampling_of else sizes
            raise InferenceError(f"The scenario '{self.name}' has {sizes} blocks, not {blocks}.")
        return parse_sampling(known.get(blocks) or self.sampling_of.format(blocks=blocks))


SCENARIOS: Registry[Scenario] = Registry("scenario")


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


SETS = 8  # training sets of the crossed scenarios


def _crossed(
    rng: np.random.Generator, blocks: int, algorithms: int, *, of_set: float, of_item: float
) -> np.ndarray:
    """Every algorithm has effects of its own of training sets and of items, and errors of sd 1."""
    items = blocks // SETS
    effects = of_set * rng.normal(size=(SETS, 1, algorithms))
    effects = effects + of_item * rng.normal(size=(1, items, algorithms))
    return (effects + rng.normal(size=(SETS, items, algorithms))).reshape(blocks, algorithms)


SAMPLES = 5  # of each data set of the nested scenarios


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


HORIZON = 3


def _series(rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
    """Moving averages of as many values as the horizon has rows."""
    noise = rng.normal(size=(blocks + HORIZON - 1, algorithms))
    return np.array([noise[i : i + HORIZON].sum(axis=0) for i in range(blocks)])


def _add(name: str, text: str, block: str, draw: Draw, sizes: tuple[int, ...],
         samplings: tuple[str, ...], sampling_of: str = "", **more: Any) -> None:  # fmt: skip
    made = Scenario(name, text, block, draw, sizes, samplings, sampling_of, **more)
    SCENARIOS.add(name, made)


_SIMULATED = ((50, 250), ("simulation:50", "simulation:250"), "simulation:{blocks}")
_FOLDS = ((10, 100), ("cv:10", "repeated-cv:10x10"))
_ITEMS = ((100, 1000), ("items", "items"), "items")
_OWN = ((20, 100), ("simulation:20+independent", "simulation:100+independent"),
        "simulation:{blocks}+independent")  # fmt: skip
_SETS = ((160, 1600), (f"training-sets:{SETS}x64", f"training-sets:{SETS}x64"))
_add("normal", "normal scores with block effects", "simulation", _normal, *_SIMULATED)
_add("skewed", "skewed scores with ties and block effects", "simulation", _skewed, *_SIMULATED)
_add("heavy", "heavy-tailed scores with block effects", "simulation", _heavy, *_SIMULATED)
_add("unequal", "equal means, one sd five times the others", "simulation", _unequal, *_SIMULATED,
     unequal=True)  # fmt: skip
_add("folds", "normal scores of folds that share rows", "fold", _shared_rows, *_FOLDS)
_add("skewed-folds", "skewed scores of folds that share rows", "fold", _skewed_rows, *_FOLDS)
_add("halves", "normal scores of 5x2cv", "fold", _normal, (10, 10), ("5x2cv", "5x2cv"))
_add("items", "correct or not on items", "item", _items, *_ITEMS,
     measure=parse("accuracy"), binary=True, moves=False, moved=_items_moved)  # fmt: skip
_add("losses", "skewed losses of items with ties", "item", _skewed, *_ITEMS)
_add("independent", "normal scores of samples of each algorithm's own", "independent-simulation",
     _own_normal, *_OWN)  # fmt: skip
_add("independent-skewed", "skewed scores with ties, one sample half as large",
     "independent-simulation", _own_skewed, *_OWN)  # fmt: skip
_add("independent-unequal", "equal means, half a sample with five times the sd",
     "independent-simulation", _own_unequal, *_OWN, unequal=True)  # fmt: skip
_add("crossed", "scores of training sets x items, both of which vary", "crossed",
     partial(_crossed, of_set=0.5, of_item=0.5), *_SETS, sets=SETS)  # fmt: skip
_add("crossed-sets", "scores of training sets x items, of which training sets vary", "crossed",
     partial(_crossed, of_set=0.5, of_item=0.0), *_SETS, sets=SETS)  # fmt: skip
_add("crossed-items", "scores of training sets x items, of which items vary", "crossed",
     partial(_crossed, of_set=0.0, of_item=1.0), *_SETS, sets=SETS)  # fmt: skip
_add("series", "scores of overlapping forecasts three rows ahead", "origin", _series, (20, 100),
     (f"rolling-origin:20x1x{HORIZON - 1}", f"rolling-origin:100x1x{HORIZON - 1}"))  # fmt: skip

_DATASETS = ((10, 30), (f"bootstrap:{SAMPLES}", f"bootstrap:{SAMPLES}"), f"bootstrap:{SAMPLES}")
_NESTED: dict[str, Any] = {"samples": SAMPLES}
_THESE: dict[str, Any] = _NESTED | {"target": "datasets"}
_add("survey-normal", "normal scores of data sets", "dataset", _datasets, *_DATASETS)
_add("survey-skewed", "skewed scores of data sets", "dataset",
     partial(_datasets, noise=_skewed_noise), *_DATASETS)  # fmt: skip
_add("survey-unequal", "scores of data sets, one sd five times the others", "dataset",
     partial(_datasets, wild=5.0), *_DATASETS, unequal=True)  # fmt: skip
_add("survey-gaps", "normal scores of data sets, 5 % missing", "dataset",
     partial(_datasets, gaps=0.05), *_DATASETS)  # fmt: skip
_add("survey-nested", "five samples of each data set", "nested", _samples, *_DATASETS,
     **_NESTED)  # fmt: skip
_add("survey-nested-skewed", "five samples of each data set, all effects skewed", "nested",
     partial(_samples, noise=_skewed_noise), *_DATASETS, **_NESTED)  # fmt: skip
_add("survey-nested-unequal", "five samples of each data set, one algorithm's interaction five "
     "times the others'", "nested", partial(_samples, wild=5.0), *_DATASETS, unequal=True,
     **_NESTED)  # fmt: skip
_add("survey-nested-gaps", "five samples of each data set, 5 % missing", "nested",
     partial(_samples, gaps=0.05), *_DATASETS, **_NESTED)  # fmt: skip
_add("survey-these", "five samples of each of these data sets", "nested",
     partial(_samples, balanced=True), *_DATASETS, **_THESE)  # fmt: skip
_add("survey-these-skewed", "five samples of each of these data sets, all effects skewed", "nested",
     partial(_samples, noise=_skewed_noise, balanced=True), *_DATASETS, **_THESE)  # fmt: skip
_add("survey-these-unequal", "five samples of each of these data sets, one algorithm's error five "
     "times the others'", "nested", partial(_samples, wild_error=5.0, balanced=True), *_DATASETS,
     unequal=True, **_THESE)  # fmt: skip
_add("survey-these-gaps", "five samples of each of these data sets, 5 % missing", "nested",
     partial(_samples, gaps=0.05, balanced=True), *_DATASETS, **_THESE)  # fmt: skip
