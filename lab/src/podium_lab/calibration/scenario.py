"""What a scenario is: a way to draw scores in which it is known which algorithms are equal."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from html import escape

import numpy as np

from podium import samplings
from podium.core.base.registry import unknown
from podium.core.inference.layouts import Crossed, Halvings, Items, Layout, Nested, Origin, Stopped
from podium.core.inference.numbers.boundaries import ORDER, StoppingPlan, T, planned_looks
from podium.core.questions.measures import Measure, parse
from podium.core.questions.targets import BLOCKS, DATASET, SIMULATION, TARGETS
from podium.core.samplings import Sampling
from podium.errors import InferenceError

Scores = np.ndarray | tuple[np.ndarray, Halvings]  # with those inside halves, where there are some
Draw = Callable[[np.random.Generator, int, int], Scores]
Moved = Callable[[np.random.Generator, int, np.ndarray], Scores]
SCORE = Measure("score", higher_is_better=True)
ITEMS = samplings.parse("items")


def of_items(blocks: int) -> Sampling:
    """However many there are, items are items."""
    return ITEMS


def in_clusters(items: int, sizes: tuple[int, ...]) -> np.ndarray:
    """The cluster of every item, of clusters whose sizes are to each other as these.

    >>> in_clusters(6, (2, 1)), in_clusters(3, (4, 2))
    (array([0, 0, 0, 0, 1, 1]), array([0, 0, 1]))
    """
    ends = np.cumsum(sizes) * items / sum(sizes)
    return np.searchsorted(ends, np.arange(items) + 0.5)


@dataclass(frozen=True)
class Design:
    """What the blocks of a scenario are, how many there are, and what is asked about them."""

    block: str
    sizes: tuple[int, ...]  # the numbers of blocks at which procedures are judged
    samplings: tuple[Sampling, ...]  # for each size
    sampling_of: Callable[[int], Sampling] | None = None  # of any other number of blocks
    target: str = ""  # other than the kind of block's default
    sets: int = 0  # training sets with which items are crossed; blocks are set by set
    samples: int = 0  # of each data set, where blocks are nested; their number is that of data sets
    looks: int = 0  # of a study that may stop, whose budget is the number of blocks
    open: bool = False  # or that has no budget
    goal: str = ORDER  # or a race for the best
    test: str = T  # of its looks
    clusters: tuple[int, ...] = ()  # sizes of the clusters that items come in

    def sampling(self, blocks: int) -> Sampling | None:
        """The sampling that has so many blocks; none where no sampling has."""
        known = dict(zip(self.sizes, self.samplings, strict=True))
        if blocks not in known and self.sampling_of is not None and blocks >= 2:
            return self.sampling_of(blocks)
        return known.get(blocks)

    def labelled(self, made: Layout, blocks: int) -> Layout:
        """The layout with what its blocks belong to."""
        if self.sets:
            items = blocks // self.sets
            sets = np.repeat(np.arange(self.sets), items)
            return replace(made, crossed=Crossed(sets, np.tile(np.arange(items), self.sets)))
        if self.clusters:
            return replace(made, items=Items(in_clusters(blocks, self.clusters)))
        if self.samples:
            datasets = np.arange(blocks)
            names = tuple(f"d{j + 1}" for j in datasets)
            return replace(made, nested=Nested(np.repeat(datasets, self.samples), names))
        return made


@dataclass(frozen=True, repr=False)
class Scenario:
    """A way to draw scores, with all that is known about it."""

    name: str
    text: str  # what it draws, in words
    design: Design
    draw: Draw  # blocks x algorithms scores, larger is better: all algorithms are equal
    measure: Measure = SCORE
    moved: Moved | None = None  # draws unequal algorithms, where adding effects would not do
    moves: bool = True  # whether algorithms can be moved apart by any amount
    binary: bool = False
    unequal: bool = False  # variances differ, which many nulls exclude
    asymmetric: bool = False  # differences are skewed: only their means are equal
    most: int = 50  # algorithms
    fitted: bool = False  # scores of algorithms that were fitted to rows of one sample
    code: str = ""  # of a user's own draw: what was kept of another one is not taken for its

    @property
    def block(self) -> str:
        """What a block is."""
        return self.design.block

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of blocks at which procedures are judged."""
        return self.design.sizes

    @property
    def target(self) -> str:
        """What its hypotheses are about."""
        return self.design.target or BLOCKS[self.block].target

    def layout(
        self,
        rng: np.random.Generator,
        blocks: int,
        algorithms: int,
        effects: tuple[float, ...] = (),
    ) -> Layout:
        """One draw; `effects` are the algorithms' true means where not all are equal."""
        drawn = self._drawn(rng, blocks, algorithms, np.asarray(effects, float))
        values, halvings = drawn if isinstance(drawn, tuple) else (drawn, None)
        wanted = (blocks * (self.design.samples or 1), algorithms)
        if values.shape != wanted:
            raise InferenceError(
                f"The scenario '{self.name}' drew scores of shape {values.shape}, not {wanted}."
            )
        made = Layout(
            values,
            tuple(f"a{i + 1}" for i in range(algorithms)),
            self.block,
            self.target,
            self.measure,
            halvings=halvings,
            origin=Origin(sampling=self.sampling(blocks)),
        )
        made = self.design.labelled(made, blocks)
        return self._planned(made) if self.design.looks else made

    def _planned(self, made: Layout) -> Layout:
        """A study that may stop, all of whose blocks are there to be looked at."""
        few, looks, budget = self.block == DATASET, self.design.looks, len(made.values)
        at = planned_looks(budget, looks, few, self.design.open)
        plan = StoppingPlan(made.algorithms, made.measure.name, budget, at, few=few)
        design, exact = self.design, self.binary and self.design.open
        plan = replace(plan, open=design.open, goal=design.goal, test=design.test)
        plan = replace(plan, bounds=(0.0, 1.0), binary=True) if exact else plan
        return replace(made, stopped=Stopped(plan, np.ones(made.values.shape, dtype=bool)))

    def _drawn(
        self, rng: np.random.Generator, blocks: int, algorithms: int, effects: np.ndarray
    ) -> Scores:
        if not effects.size:
            return self.draw(rng, blocks, algorithms)
        if self.moved is not None:
            return self.moved(rng, blocks, effects)
        drawn = self.draw(rng, blocks, algorithms)
        assert not isinstance(drawn, tuple)  # halves would have to be moved too
        return drawn + effects

    def example(self) -> Layout:
        """A draw of two algorithms, which shows the design."""
        return self.layout(np.random.default_rng(0), self.sizes[0], 2)

    def sampling(self, blocks: int) -> Sampling:
        """The sampling that has so many blocks."""
        result = self.design.sampling(blocks)
        if result is None:
            sizes = " or ".join(map(str, self.sizes))
            sizes = "at least 2" if self.design.sampling_of else sizes
            raise InferenceError(f"The scenario '{self.name}' has {sizes} blocks, not {blocks}.")
        return result

    def __repr__(self) -> str:
        return f"Scenario {self.name!r}: {self.text} (blocks: {self.block}, {self.target})"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"


# -- scenarios of a user's own --------------------------------------------------------------------


def scenario(
    name: str,
    draw: Draw,
    *,
    block: str = SIMULATION,
    blocks: int = 50,
    sampling: str = "simulation:{blocks}",
    text: str = "",
    target: str = "",
    measure: str | Measure = SCORE,
    moved: Moved | None = None,
    moves: bool = True,
    binary: bool = False,
    unequal: bool = False,
    asymmetric: bool = False,
    most: int = 50,
    sets: int = 0,
    samples: int = 0,
) -> Scenario:
    """A scenario of your own, for `calibrate`.

    Parameters
    ----------
    draw : `draw(rng, blocks, algorithms)` gives blocks x algorithms scores, larger is better, in
        which all algorithms are equal; effects are added to them. A store knows it by its own
        code, not by that of functions it calls.
    block, sampling : what a block is (simulation, resample, fold, item, dataset ...), and the
        sampling that has so many.
    text, target : what it draws, in words; what its hypotheses are about, if not what the kind of
        block's usually are.
    moved, moves : `moved(rng, blocks, effects)` draws unequal algorithms where adding effects would
        not do; whether they can be moved apart by any amount.
    binary, unequal, asymmetric : scores are 0 or 1; variances differ; differences are skewed.
    most : algorithms that it can draw.
    sets, samples : training sets with which items are crossed; samples of each data set.

    >>> import numpy as np
    >>> uniform = scenario("uniform", lambda rng, blocks, k: rng.random((blocks, k)))
    >>> uniform.layout(np.random.default_rng(0), 50, 2).values.shape
    (50, 2)
    """
    if not callable(draw):
        raise InferenceError(
            f"The scenario '{name}' needs a function of (rng, blocks, algorithms), not {draw!r}."
        )
    _check_known("block", block, BLOCKS)
    _check_known("target", target or BLOCKS[block].target, TARGETS)

    def sampled(count: int) -> Sampling:
        return samplings.parse(sampling.format(blocks=count))

    return Scenario(
        name,
        text or f"scores drawn by {getattr(draw, '__qualname__', name)}",
        Design(block, (blocks,), (sampled(blocks),), sampled, target, sets, samples),
        OwnDraw(name, draw),
        parse(measure),
        moved,
        moves,
        binary,
        unequal,
        asymmetric,
        most,
        code=_code(draw),
    )


def _check_known(kind: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise InferenceError(unknown(kind, name, known))


@dataclass(frozen=True)
class OwnDraw:
    """A user's own draw, whose failures are said in one sentence."""

    name: str
    draw: Draw

    def __call__(self, rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
        """Its scores as numbers."""
        try:
            return np.asarray(self.draw(rng, blocks, algorithms), float)
        except Exception as error:
            raise InferenceError(
                f"The scenario '{self.name}' cannot draw {blocks} blocks x {algorithms} "
                f"algorithms: {type(error).__name__}: {error}"
            ) from error


def _code(draw: Draw) -> str:
    """The text of a function, or its instructions where the text is not kept."""
    try:
        return inspect.getsource(draw)
    except (OSError, TypeError):
        code = getattr(draw, "__code__", None)
        return "" if code is None else repr((code.co_code, code.co_consts, code.co_names))
