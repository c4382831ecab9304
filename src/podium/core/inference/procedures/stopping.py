"""Studies that stop when they are decided: the plan, and what looks at prefixes of samples find.

A look uses the samples 1..n, all finished, never those that happen to be finished. All that is
found follows from the plan and the scores, so that a study that was killed stops where it would
have stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import bdtr

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.adjustments import pair_level
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.estimates import corrected, uncorrected
from podium.core.inference.bricks.scales import ranks_within
from podium.core.inference.layouts import Items, Layout, Origin, Stopped
from podium.core.inference.numbers import boundaries as anytime
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.boundaries import (
    HULL,
    ORDER,
    RACE,
    RANKS,
    StoppingPlan,
    boundaries,
    stopping_levels,
)
from podium.core.questions.targets import BLOCKS, DATASET, FOLD, ITEM, REPETITION
from podium.core.results.results import Results
from podium.core.samplings import renamed

PRIOR = 4  # blocks that a random order counts as
NARROW, WIDE = 0.04, 1.0  # priors of effects, in squared sd: of resamples and items, of data sets


# -- what is known of pairs at every look ----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Prefixes:
    """Means, standard errors and numbers of differences at every look: looks x pairs."""

    differences: np.ndarray  # blocks x pairs, NaN where one of both has no score
    looks: tuple[int, ...]
    hull: bool = False  # whether Hall's t has to say so, too

    @cached_property
    def count(self) -> np.ndarray:
        """Of the blocks that both have."""
        return self.summed(~np.isnan(self.differences)).astype(np.int64)

    @cached_property
    def mean(self) -> np.ndarray:
        """Of the differences; NaN without any."""
        shift, known = self._shift, np.nan_to_num(self.differences - self._shift)
        return _divided(self.summed(known), self.count) + shift

    @cached_property
    def error(self) -> np.ndarray:
        """The standard error of the mean."""
        known = np.nan_to_num(self.differences - self._shift)
        n, total = self.count, self.summed(known)
        squares = self.summed(known**2) - _divided(total**2, n)
        small = squares <= 1e-13 * np.maximum(self.summed(known**2), 1e-300)
        variance = _divided(np.where(small, 0.0, squares), n - 1)
        return np.sqrt(_divided(variance, n))

    @cached_property
    def _shift(self) -> np.ndarray:
        """About what is summed, so that no digits are lost: the first difference of each pair."""
        known = ~np.isnan(self.differences)
        first = np.take_along_axis(self.differences, known.argmax(axis=0)[None], axis=0)[0]
        return np.where(known.any(axis=0), first, 0.0)

    def summed(self, values: np.ndarray) -> np.ndarray:
        """Sums up to every look."""
        return np.cumsum(values, axis=0)[np.array(self.looks) - 1]

    def t(self, null: np.ndarray) -> np.ndarray:
        """The statistic of a mean of `null`; NaN where nothing varies."""
        return _divided(self.mean - null, self.error)

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """As if each look were the only one; NaN where nothing varies."""
        t = self.t(null)
        sided = self._sided(t, turn)
        if self.hull:
            h = corrected(t, self.bend)
            sided = np.maximum(sided, self._sided(h, turn))
            sided = np.where((turn == 0) & (t * h < 0), 1.0, sided)  # they point apart
        return np.where(self.count > 1, sided, np.nan)

    @property
    def df(self) -> np.ndarray:
        """The degrees of freedom of t, by pair."""
        return np.maximum(self.count - 1, 1)

    def _sided(self, t: np.ndarray, turn: int) -> np.ndarray:
        df = self.df
        return np.asarray(2 * tails.t_sf(np.abs(t), df) if turn == 0 else tails.t_sf(turn * t, df))

    @cached_property
    def bend(self) -> np.ndarray:
        """How much the skewness of the differences bends t (Hall 1992)."""
        known, n = np.nan_to_num(self.differences - self._shift), np.maximum(self.count, 1)
        first, second, third = (self.summed(known**k) / n for k in (1, 2, 3))
        variance = np.maximum(second - first**2, 0.0)
        cubed = third - 3 * first * second + 2 * first**3
        skewness = np.where(variance > 0, _divided(cubed, variance**1.5), 0.0)
        return np.asarray(skewness / (3 * np.sqrt(n)))

    def speaks(self, null: np.ndarray, turn: int) -> np.ndarray:
        """Whether a look speaks for the alternative: two-sided, for a difference beyond `null`."""
        beyond = (self.mean - null) * (np.sign(null) if turn == 0 else turn)
        return np.asarray(~(beyond < 0))

    def levels(self, plan: StoppingPlan, null: np.ndarray, turn: int) -> np.ndarray:
        """The least alpha at which each look would have stopped a pair; kept for further looks."""

        def levels() -> np.ndarray:
            # an early look that found less than `null` says nothing for more than it
            p = np.where(self.speaks(null, turn) | (turn != 0), self.p(null, turn), 1.0)
            return stopping_levels(p, plan.looks, plan.budget, plan.spending, turn == 0)

        return self.kept((turn, np.asarray(null).tobytes()), levels)

    def kept(self, key: Hashable, make: Callable[[], np.ndarray]) -> np.ndarray:
        """What was computed once for all looks."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    @cached_property
    def _known(self) -> dict[Hashable, np.ndarray]:
        return {}


@dataclass(frozen=True, eq=False)
class RankPrefixes(Prefixes):
    """The same of ranks: t whose variance is moderated by that of ranks without any order.

    Few blocks whose ranks hardly vary would make t endless: the variance of a random order,
    k (k + 1) / 6 among k algorithms, counts as PRIOR blocks.
    """

    ranked: np.ndarray = field(default_factory=lambda: np.zeros(0))  # how many a block ranks

    @cached_property
    def error(self) -> np.ndarray:
        """The moderated standard error."""
        own = super().error
        n, known = np.maximum(self.count, 1), ~np.isnan(self.differences)
        random = self.summed(known * (self.ranked * (self.ranked + 1) / 6)[:, None]) / n
        squares = np.nan_to_num(own) ** 2 * n * (n - 1)
        return np.asarray(np.sqrt((PRIOR * random + squares) / (n + PRIOR - 1) / n))

    @property
    def df(self) -> np.ndarray:
        """Of t, with those of the prior."""
        return self.count + PRIOR - 1


class SignPrefixes(Prefixes):
    """Who of two is ahead how often: the exact sign test, ties left out; it has no limits."""

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """From the binomial distribution."""
        d = np.nan_to_num(self.differences)
        wins, losses = (self.summed(sign * d > 0) for sign in (1, -1))
        few = {0: np.minimum(wins, losses), 1: losses, -1: wins}[turn]
        p = bdtr(few, wins + losses, 0.5) * (2 if turn == 0 else 1)
        return np.where(
            self.count > 1, np.minimum(np.where(wins + losses > 0, p, 1.0), 1.0), np.nan
        )


def prefixes_of(
    values: np.ndarray, pairs: Sequence[Pair], looks: tuple[int, ...], plan: StoppingPlan
) -> Prefixes:
    """Of blocks x algorithms, larger is better, as a plan asks for."""
    if plan.test == RANKS:
        values = -ranks_within(values)
    first, second = np.array(pairs).T
    differences = values[:, first] - values[:, second]
    if plan.test != RANKS:
        return Prefixes(differences, looks, plan.test == HULL)
    if len(plan.algorithms) == 2:
        return SignPrefixes(differences, looks)
    return RankPrefixes(differences, looks, ranked=(~np.isnan(values)).sum(axis=1))


def _divided(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.divide(a, b, out=np.full(np.shape(a), np.nan), where=np.asarray(b) > 0)


# -- decisions -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Trace:
    """What the looks of a plan found so far; arrays of pairs or algorithms."""

    plan: StoppingPlan
    looks: tuple[int, ...]  # that could be taken
    used: np.ndarray  # of each pair, the number of looks: it is decided at the last of them
    decided: np.ndarray  # of each pair, whether it is
    out: np.ndarray  # of each algorithm, the look at which a race dropped it; -1 where it is in
    open: np.ndarray  # of each algorithm, whether more of its samples are needed

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be run."""
        return not self.open.any() or self.looks == self.plan.looks

    @property
    def next_look(self) -> int | None:
        """The number of samples that the next look needs."""
        return None if self.is_over else self.plan.looks[len(self.looks)]

    @property
    def stopped_at(self) -> int:
        """The largest prefix that any pair used."""
        most = int(self.used.max(initial=0))
        return self.looks[most - 1] if most else 0


def traced(values: np.ndarray, finished: np.ndarray, plan: StoppingPlan) -> Trace:
    """Look after look, as far as all samples that it needs are finished.

    `values` are blocks x algorithms, larger is better; a run that failed is finished and NaN.
    """
    trace = _begun(plan)
    possible = tuple(n for n in plan.looks if n <= len(values))
    prefixes = prefixes_of(values, plan.pairs, possible, plan)
    while not trace.is_over:
        n = plan.looks[len(trace.looks)]
        if n > len(values) or not finished[:n, trace.open].all():
            return trace
        trace = _looked(trace, prefixes, (*trace.looks, n))
    return trace


def _begun(plan: StoppingPlan) -> Trace:
    pairs, k = len(plan.pairs), len(plan.algorithms)
    used, out = np.zeros(pairs, dtype=np.int64), np.full(k, -1)
    return Trace(plan, (), used, np.zeros(pairs, dtype=bool), out, np.ones(k, dtype=bool))


def _looked(trace: Trace, prefixes: Prefixes, looks: tuple[int, ...]) -> Trace:
    """After one more look."""
    plan, (first, second) = trace.plan, np.array(trace.plan.pairs).T
    used = np.where(trace.decided, trace.used, len(looks))
    alive = trace.out < 0
    if plan.goal == RACE:
        used = np.where(alive[first] & alive[second], len(looks), trace.used)
    evidence = Evidence(plan, prefixes, looks, used)
    if plan.goal == ORDER:
        decided = trace.decided | (evidence.decisions() & (used == len(looks)))
        open_ = np.zeros(len(alive), dtype=bool)
        open_[np.unique(np.array(plan.pairs)[~decided])] = True
        if plan.test == RANKS and open_.any():  # a rank is among all: nobody drops out
            open_[:] = True
        return Trace(plan, looks, used, decided, trace.out, open_)
    out = np.where(alive & evidence.beaten(alive), len(looks) - 1, trace.out)
    still = out < 0
    decided = ~(still[first] & still[second])
    return Trace(plan, looks, used, decided, out, still if still.sum() > 1 else still & False)


class Evidence:
    """What is known of every pair, each up to the look at which it was decided; a `PairTest`."""

    def __init__(
        self, plan: StoppingPlan, prefixes: Prefixes, looks: tuple[int, ...], used: np.ndarray
    ) -> None:
        self.plan, self.prefixes, self.looks, self.used = plan, prefixes, looks, used
        self._last = np.maximum(used - 1, 0)[None]
        self._later = np.arange(len(looks))[:, None] >= used

    def _at_end(self, values: np.ndarray) -> np.ndarray:
        """At the last look that each pair used; NaN where there was none."""
        return np.where(self.used > 0, np.take_along_axis(values, self._last, axis=0)[0], np.nan)

    @cached_property
    def difference(self) -> np.ndarray:
        """Means at the last look."""
        return self._at_end(self.prefixes.mean)

    @cached_property
    def statistic(self) -> np.ndarray:
        """The t statistic at the last look; NaN where nothing varies, 0 without a difference."""
        t = self._at_end(self.prefixes.t(np.zeros(len(self.used))))
        flat = (self.difference == 0) & (self._at_end(self.prefixes.error) == 0)
        return np.where(flat, 0.0, t)

    @property
    def remarks(self) -> list[str]:
        """Nothing is to be remarked about any pair."""
        return [""] * len(self.used)

    def overall(self) -> None:
        """None of its own."""

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """The least level at which a pair would have stopped by now.

        One-sided, of an order, it is that of the last look alone: such tests say that two are
        alike, which the interval of that look must show.
        """
        running = turn == 0 or self.plan.goal == RACE
        if self.plan.open:
            capital = self._counted(self.capitals(null, turn), 0.0)
            values = capital.max(axis=0, initial=0.0) if running else self._at_end(capital)
            return np.minimum(1.0, np.exp(-values))
        levels = self._counted(self.prefixes.levels(self.plan, null, turn), 1.0)
        return levels.min(axis=0, initial=1.0) if running else self._at_end(levels)

    def _counted(self, values: np.ndarray, otherwise: float) -> np.ndarray:
        """Of the looks that each pair used."""
        return np.where(self._later, otherwise, values[: len(self.looks)])

    def capitals(self, null: np.ndarray, turn: int) -> np.ndarray:
        """The logarithms of what bets against `null` have made by every look: looks x pairs."""
        return np.where(
            self.prefixes.speaks(null, turn),
            self.prefixes.kept(("capital", null.tobytes()), lambda: self._capital(null)),
            0.0,
        )

    def _capital(self, null: np.ndarray) -> np.ndarray:
        if self.plan.bounds is None:
            g = WIDE if self.plan.few else NARROW
            return anytime.t_mixture(np.nan_to_num(self.prefixes.t(null)), self.prefixes.count, g)
        if self.plan.binary and not np.any(null):
            return anytime.e_mcnemar(*self._wins_and_losses)
        return self._betted(null)

    @cached_property
    def _wins_and_losses(self) -> list[np.ndarray]:
        d = self.prefixes.differences
        return [self.prefixes.summed(np.nan_to_num(sign * d) > 0) for sign in (1, -1)]

    def _unit(self, pair: int) -> np.ndarray:
        """The differences of a pair as scores within 0 and 1."""
        return np.asarray((self.prefixes.differences[:, pair] / self._span + 1) / 2)

    @property
    def _span(self) -> float:
        """Of a score, and so the largest difference."""
        assert self.plan.bounds is not None
        return self.plan.bounds[1] - self.plan.bounds[0]

    def _betted(self, null: np.ndarray) -> np.ndarray:
        """The largest capital by every look: once enough, it is enough for ever."""
        means = (np.broadcast_to(null, self.used.shape) / self._span + 1) / 2
        best = [
            np.maximum.accumulate(anytime.bets(self._unit(i), means[i : i + 1], self.plan.alpha))
            for i in range(len(means))
        ]
        at = np.array(self.prefixes.looks) - 1
        return np.maximum(np.concatenate(best, axis=1)[at], 0.0)

    def limits(self, alpha: float, two_sided: bool) -> tuple[np.ndarray, np.ndarray]:
        """Repeated confidence limits: they hold at every look."""
        if self.plan.open and self.plan.bounds is not None:
            return self._betting_limits(alpha if two_sided else 2 * alpha)
        if isinstance(self.prefixes, SignPrefixes):
            nothing = np.full(len(self.used), np.nan)
            return nothing, nothing
        reach = self._reach(alpha, two_sided)
        error = self._at_end(self.prefixes.error)
        ends = [reach, reach]
        if self.prefixes.hull:
            bend = self._at_end(self.prefixes.bend)
            with np.errstate(invalid="ignore"):  # where no |t| of so few blocks is too large
                ends = [np.maximum(reach, s * uncorrected(s * reach, bend)) for s in (1, -1)]
        widths = [np.where(np.isnan(error), np.nan, 0.0) for _ in ends]
        for width, end in zip(widths, ends, strict=True):
            np.multiply(end, error, out=width, where=error > 0)
        return self.difference - widths[0], self.difference + widths[1]

    def _reach(self, alpha: float, two_sided: bool) -> np.ndarray:
        """The |t| that is just not rejected at the last look of each pair."""
        n = self.prefixes.count
        if self.plan.open:
            level = alpha if two_sided else 2 * alpha
            g = WIDE if self.plan.few else NARROW
            return self._at_end(anytime.t_mixture_reach(np.maximum(n, 2), g, level))
        plan = self.plan
        z = boundaries(plan.looks, plan.budget, alpha, plan.spending, two_sided)[: len(n)]
        p = np.clip(tails.t_sf(z, np.inf), 1e-300, 1)[:, None]
        reach = tails.t_isf(p, self.prefixes.df)
        return self._at_end(np.where(np.isinf(z)[:, None], np.inf, reach))

    def _betting_limits(self, alpha: float) -> tuple[np.ndarray, np.ndarray]:
        ends = [
            anytime.betting_limits(self._unit(i)[: self.looks[n - 1]], alpha, self.plan.alpha)
            if n
            else (0.0, 1.0)
            for i, n in enumerate(self.used.tolist())
        ]
        low, high = (2 * np.array(ends) - 1).T * self._span
        return low, high

    # -- whether to go on --------------------------------------------------------------------------

    def decisions(self) -> np.ndarray:
        """Whether each pair is decided: a difference beyond the relevance, or none beyond it."""
        margin, d = self.plan.relevance, np.nan_to_num(self.difference)
        p = self.p(np.copysign(margin, d), 0)
        p = np.where((margin > 0) & (np.abs(d) <= margin), 1.0, p)
        different = np.nan_to_num(p, nan=1.0) <= pair_level(self.plan.alpha, len(p))
        return np.asarray(different | self._alike())

    def _alike(self) -> np.ndarray:
        if self.plan.relevance <= 0:
            return np.zeros(len(self.used), dtype=bool)
        # two one-sided tests, each at the level: either end of the relevance is beyond the limits
        level = pair_level(self.plan.alpha, len(self.used), two_sided=False)
        ends = [self.p(np.full(len(self.used), -t * self.plan.relevance), t) for t in (1, -1)]
        return np.asarray(np.maximum(*ends) <= level)

    def beaten(self, alive: np.ndarray) -> np.ndarray:
        """Whether some living algorithm is better than each, at alpha / (K - 1) one-sided."""
        level = self.plan.alpha / max(len(alive) - 1, 1)
        first, second = np.array(self.plan.pairs).T
        both = alive[first] & alive[second]
        cells = np.zeros(len(alive), dtype=bool)
        for turn, loser in ((1, second), (-1, first)):
            lost = both & (self.p(np.full(len(first), turn * self.plan.relevance), turn) <= level)
            cells[loser[lost]] = True
        return cells


# -- layouts that were stopped ------------------------------------------------------------------
# From results of a study that may stop to its layout: every block of the budget, in order.


PLACES = "places"  # in a queue, of the samples of a table


def stopped_layout(
    results: Results, measure: str | None = None, target: str = "", dataset: str | None = None
) -> Layout:
    """The layout that a plan is about."""
    assert results.stopping is not None
    assert results.sampling is not None
    plan = StoppingPlan.of(results.stopping)
    if measure is not None and measure != plan.measure:
        raise InferenceError(
            f"This study stopped by '{plan.measure}', and what was run follows from it: other "
            f"measures cannot be tested. Ask for --measure {plan.measure}."
        )
    if dataset is not None and len(results.datasets) > 1:
        raise InferenceError(
            "This study stopped by all its data sets together: leave out --dataset (dataset=)."
        )
    if PLACES in results.facts.get(results.datasets[0], {}):
        return _queued(results, plan, target)
    if tuple(results.algorithms) != plan.algorithms:
        raise InferenceError(
            "This study was planned for all its algorithms together "
            f"({', '.join(plan.algorithms)}): compare them all, without leaving some out."
        )
    chosen = results.measure(plan.measure)
    values, finished = _cells(results, plan.measure)
    sampling = renamed(results.sampling)
    folds = sampling.folds_per_repeat if sampling.block == FOLD else None
    block = DATASET if plan.few else (REPETITION if folds else sampling.block)
    _check_target(target, block)
    per_block = _per_block(results, plan, folds)
    return Layout(
        chosen.sign * _averaged(values, per_block),
        plan.algorithms,
        block,
        BLOCKS[block].target,
        chosen,
        labels=tuple(results.datasets) if plan.few else (),
        origin=Origin(
            sampling=sampling,
            dataset="" if plan.few else results.datasets[0],
            population=results.population,
        ),
        stopped=Stopped(plan=plan, finished=_all(finished, per_block)),
    )


def _check_target(target: str, block: str) -> None:
    if target and target != BLOCKS[block].target:
        raise InferenceError(
            f"This study was planned for the target '{BLOCKS[block].target}', not '{target}'."
        )


def _queued(results: Results, plan: StoppingPlan, target: str) -> Layout:
    """Of items in an order that was drawn: all that were queued, evaluated or not."""
    _check_target(target, ITEM)
    facts, chosen = results.facts[results.datasets[0]], results.measure(plan.measure)
    table = results.values(plan.measure)
    blocks = np.array(facts["queue_blocks"])
    place = np.array(facts[PLACES])[table["sample"].to_numpy() - 1]
    algorithm = pd.Index(plan.algorithms).get_indexer(table["algorithm"])
    values = np.full((len(blocks), len(plan.algorithms)), np.nan)
    values[place, algorithm] = table["value"].to_numpy(float)
    finished = _all(~np.isnan(values), blocks)
    return Layout(
        chosen.sign * _averaged(values, blocks),
        plan.algorithms,
        ITEM,
        BLOCKS[ITEM].target,
        chosen,
        notes=tuple(results.notes),
        origin=Origin(
            sampling=results.sampling, dataset=results.datasets[0], population=results.population
        ),
        items=Items(of_clusters=len(np.unique(blocks)) < len(blocks)),
        stopped=Stopped(plan=_up_to_now(plan, finished), finished=finished),
    )


def _up_to_now(plan: StoppingPlan, finished: np.ndarray) -> StoppingPlan:
    """Without a budget any time may be looked at, also this one."""
    now = int(np.cumprod(finished.all(axis=1)).sum())
    if not plan.open or now < plan.looks[0]:
        return plan
    return replace(plan, looks=tuple(sorted({*plan.looks, now})))


def _cells(results: Results, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores and whether runs are finished: all samples of all data sets x algorithms."""
    keys = ["dataset", "sample", "algorithm"]
    runs = results.runs[[*keys, "status"]]
    cells = runs.merge(results.values(measure), on=keys, how="left", sort=False)
    k = len(results.algorithms)
    order = np.lexsort(
        (
            pd.Index(results.algorithms).get_indexer(cells["algorithm"]),
            cells["sample"].to_numpy(),
            pd.Index(results.datasets).get_indexer(cells["dataset"]),
        )
    )
    values = cells["value"].to_numpy(float)[order].reshape(-1, k)
    done = (cells["status"] != "missing").to_numpy()[order].reshape(-1, k)
    return values, done


def _per_block(results: Results, plan: StoppingPlan, folds: int | None) -> np.ndarray:
    """The number of each sample's block."""
    if plan.few:
        samples = results.runs.groupby("dataset", observed=False)["sample"].nunique()
        return np.repeat(np.arange(len(samples)), samples.to_numpy())
    count = int(results.runs["sample"].max())
    return np.arange(count) // (folds or 1)


def _averaged(values: np.ndarray, block: np.ndarray) -> np.ndarray:
    """Means of blocks; one that lacks a sample is a missing cell, as its mean is another one."""
    frame = pd.DataFrame(values).groupby(block)
    means = frame.mean().to_numpy(float)
    return np.where(frame.count().to_numpy() == frame.size().to_numpy()[:, None], means, np.nan)


def _all(finished: np.ndarray, block: np.ndarray) -> np.ndarray:
    return pd.DataFrame(finished).groupby(block).all().to_numpy(bool)
