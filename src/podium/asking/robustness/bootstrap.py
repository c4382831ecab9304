"""The bootstrap over blocks: what is drawn, and the means, ranks and orders of what was drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.robustness.words import left_out_heading
from podium.core.base.errors import InferenceError, PodiumError
from podium.core.base.progress import Progress
from podium.core.inference.bricks.nulls import RANDOM, parse_null
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.orders.distances import distance
from podium.core.orders.order import Order
from podium.core.verdicts.verbs import USUAL, about, pinned, procedure_of, refuse_stopped, tried
from podium.core.words.facts import DETAIL, Note
from podium.core.words.saying import Presented

CELLS = 4_000_000  # numbers that are held at a time


@dataclass(frozen=True, eq=False)
class Units:
    """The independent parts of a layout, drawn whole: its blocks, or clusters of its items.

    `sums` and `counts` are of the scores that a procedure uses: whole blocks only where it takes
    no gaps, the mean of a cluster as one score where it does not know clusters. Where it takes
    gaps and there are some, `adjusted` gives the means.
    """

    layout: Layout
    place: np.ndarray  # the unit of every block
    sums: np.ndarray  # units x algorithms
    counts: np.ndarray
    adjusted: Equations | None = None

    def __len__(self) -> int:
        return len(self.sums)

    def means(self, times: np.ndarray) -> np.ndarray:
        """Resamples x algorithms: the means when every unit is there so many times.

        NaN where no score is left, or where they cannot be adjusted for the blocks.
        """
        if self.adjusted is not None:
            return self.adjusted.means(times)
        sums, counts = times @ self.sums, times @ self.counts
        return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)

    def drawn(self, times: np.ndarray) -> Layout:
        """The layout in which every unit is there so many times; a cluster drawn twice is two."""
        often = times[self.place]
        rows = np.repeat(np.arange(len(self.place)), often)
        clusters = self.layout.items.clusters
        if clusters is not None:
            first = np.cumsum(often) - often
            clusters = self.place[rows] + len(self) * (np.arange(len(rows)) - first[rows])
        return replace(
            self.layout,
            values=self.layout.values[rows],
            notes=(),
            labels=(),
            items=replace(self.layout.items, clusters=clusters),
        )


def units(layout: Layout, procedure: Procedure) -> Units:
    """The units of a layout, with the scores that a procedure uses."""
    clusters = layout.items.clusters
    averaged = clusters is not None and not procedure.needs.clusters
    used = ~np.isnan(layout.values)
    if averaged or not procedure.needs.gaps:
        used = used & used.all(axis=1, keepdims=True)
    if clusters is None:
        place = np.arange(len(used))
    else:
        place = np.unique(clusters, return_inverse=True)[1]
    sums, counts = (np.zeros((place.max() + 1, used.shape[1])) for _ in range(2))
    np.add.at(sums, place, np.where(used, layout.values, 0.0))
    np.add.at(counts, place, used.astype(float))
    if averaged:
        sums, counts = sums / np.maximum(counts, 1.0), np.minimum(counts, 1.0)
    gaps = not averaged and procedure.needs.gaps and layout.has_gaps
    return Units(layout, place, sums, counts, equations(layout.values, place) if gaps else None)


def draws(size: int, resamples: int, seed: int, cells: int = CELLS) -> Iterator[np.ndarray]:
    """How often each of `size` units is drawn in each of so many resamples, batch by batch.

    The first resamples of a seed are the same however many there are.
    """
    rng = np.random.default_rng(seed)
    batch = max(cells // size, 1)
    for start in range(0, resamples, batch):
        count = min(batch, resamples - start)
        cell = rng.integers(size, size=(count, size)) + size * np.arange(count)[:, None]
        yield np.bincount(cell.ravel(), minlength=count * size).reshape(count, size)


# -- means adjusted for blocks, where not every block has every algorithm -------------------
# Plain means over the blocks that each algorithm has compare hard blocks with easy ones. The least
# squares of additive blocks and algorithms do not (Yates 1940, the intra-block analysis): with n
# the cells of a block, every block adds I - 11'/n of its algorithms to the left of the normal
# equations and its centred scores to the right. Without gaps these are the plain means.

CONNECTED = 1e-9  # share of the number of blocks: a smaller eigenvalue is none


@dataclass(frozen=True, eq=False)
class Equations:
    """The parts of the normal equations that each unit of blocks adds."""

    left: np.ndarray  # units x algorithms x algorithms
    right: np.ndarray  # units x algorithms: scores less their block's mean
    shares: np.ndarray  # units x algorithms: of the block means
    totals: np.ndarray  # units: sums of block means
    blocks: np.ndarray  # units: numbers of blocks

    def means(self, times: np.ndarray) -> np.ndarray:
        """Resamples x algorithms, each unit so many times; NaN where blocks do not link them all.

        The level is that of the average block.
        """
        times = np.atleast_2d(times)
        left = np.tensordot(times, self.left, 1) + 1.0  # + 11': effects add up to zero
        least = np.linalg.eigvalsh(left)[:, 0]
        count = times @ self.blocks
        linked = least > CONNECTED * count
        left[~linked] = np.eye(left.shape[1])
        effects = np.linalg.solve(left, (times @ self.right)[:, :, None])[:, :, 0]
        within = ((times @ self.shares) * effects).sum(axis=1)
        level = (times @ self.totals - within) / np.maximum(count, 1.0)
        return np.where(linked[:, None], effects + level[:, None], np.nan)


def equations(values: np.ndarray, place: np.ndarray) -> Equations:
    """The equations of blocks x algorithms with gaps; `place` is the unit of every block."""
    here = ~np.isnan(values)
    begun = here.any(axis=1)
    values, place, here = values[begun], place[begun], here[begun]
    share = here / here.sum(axis=1, keepdims=True)
    mean = np.where(here, values, 0.0).sum(axis=1) / here.sum(axis=1)
    left = here[:, :, None] * (np.eye(here.shape[1]) - share[:, None, :])
    right = np.where(here, values - mean[:, None], 0.0)
    parts = (left, right, share, mean, np.ones(len(mean)))
    size = int(place.max()) + 1
    return Equations(*(_summed(part, place, size) for part in parts))


def _summed(part: np.ndarray, place: np.ndarray, size: int) -> np.ndarray:
    sums = np.zeros((size, *part.shape[1:]))
    np.add.at(sums, place, part)
    return sums


# -- ranks by mean, in the observed scores and in resamples; larger is better ---------------
# The bootstrap of ranks: Goldstein and Spiegelhalter (1996); Hall and Miller (2009), who show that
# it is rough where means are nearly tied. For benchmarks: Wiesenfarth et al. (2021).

LEVEL = 0.95  # of the rank intervals
ROUNDING = 1e-12  # share of the largest score: smaller differences of means are none


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ranks by mean; frequencies are shares of the resamples that have ranks."""

    means: np.ndarray
    observed: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    places: np.ndarray  # algorithms x places
    same_sign: np.ndarray  # algorithms x algorithms: of the difference of means
    count: int  # of resamples with ranks
    unranked: int  # resamples in which an algorithm has no score
    adjusted: bool  # whether means are adjusted for blocks, of which some have gaps


def ranked(units: Units, batches: Iterable[np.ndarray]) -> Ranked:
    """The observed ranks and those in resamples, given as how often each unit is drawn."""
    tolerance = ROUNDING * float(np.nanmax(np.abs(units.layout.values)))
    once = units.means(np.ones((1, len(units))))
    observed = signs(once, tolerance)
    k = observed.shape[1]
    ranks, places, same, unranked = [], np.zeros((k, k)), np.zeros((k, k)), 0
    for times in _small(batches, k):
        means = units.means(times)
        known = ~np.isnan(means).any(axis=1)
        ahead = signs(means[known], tolerance)
        ranks.append(mean_ranks(ahead))
        places += place_counts(ahead)
        same += (ahead == observed).sum(axis=0)
        unranked += int((~known).sum())
    every = np.concatenate(ranks)
    count = max(len(every), 1)
    low, high = _interval(every) if len(every) else np.full((2, k), np.nan)
    return Ranked(
        once[0],
        mean_ranks(observed)[0],
        low,
        high,
        np.round(places / count, 12),  # shares of ties do not add up to whole numbers exactly
        same / count,
        len(every),
        unranked,
        units.adjusted is not None,
    )


def _small(batches: Iterable[np.ndarray], k: int) -> Iterable[np.ndarray]:
    """Batches whose K x K signs can be held."""
    most = max(CELLS // k**2, 1)
    for batch in batches:
        for start in range(0, len(batch), most):
            yield batch[start : start + most]


def signs(means: np.ndarray, tolerance: float) -> np.ndarray:
    """Resamples x algorithms x algorithms: 1 where the first mean is larger, 0 for ties, or -1."""
    ahead = means[:, :, None] - means[:, None, :]
    return (ahead > tolerance).astype(np.int8) - (ahead < -tolerance)


def mean_ranks(ahead: np.ndarray) -> np.ndarray:
    """Ranks from 1, the best; ties have the mean of their places."""
    k = ahead.shape[1]
    return (k + 1 - ahead.sum(axis=2)) / 2


def place_counts(ahead: np.ndarray) -> np.ndarray:
    """How often each algorithm has each place; ties share their places equally."""
    k = ahead.shape[1]
    above, tied = (ahead < 0).sum(axis=2), (ahead == 0).sum(axis=2)  # tied with itself too
    steps = np.zeros((k, k + 1))
    algorithm = np.broadcast_to(np.arange(k), above.shape)
    np.add.at(steps, (algorithm, above), 1 / tied)
    np.add.at(steps, (algorithm, above + tied), -1 / tied)
    return np.cumsum(steps, axis=1)[:, :k]


def _interval(ranks: np.ndarray) -> np.ndarray:
    """Percentiles that are ranks that occurred."""
    ends = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    return np.asarray(np.quantile(ranks, ends, axis=0, method="inverted_cdf"))


# -- orders ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Decided:
    """The orders of resamples as relations, and what could not be computed."""

    better: np.ndarray  # decisions x algorithms x algorithms
    unknown: np.ndarray  # decisions x pairs: there is no p-value
    failures: tuple[str, ...]  # why, for every resample without an order

    def distances(self, order: Order) -> np.ndarray:
        """The symmetric differences from an order of the same algorithms."""
        return np.asarray((self.better ^ order.better).sum(axis=(1, 2)))


def decided(
    drawn: Units,
    options: Options,
    rows: Iterable[np.ndarray],
    total: int,
    progress: Progress | None = None,
) -> Decided:
    """The orders in resamples, given as how often each unit is drawn, by the same options."""
    better, unknown, failures = [], [], []
    # what a companion finds is told beside the decisions, and changes none
    whole = procedure_of(options)
    alone = options.but(procedure=replace(whole, reports=replace(whole.reports, companion="")))
    again = tried(rows, lambda times: compare(drawn.drawn(times), alone), progress, total)
    for _, result in again:
        if isinstance(result, PodiumError):  # such as too few whole blocks among those drawn
            failures.append(str(result))
        else:
            better.append(decide_comparisons(result).better)
            unknown.append(result.table["p_adjusted"].isna().to_numpy())
    if not better:
        raise InferenceError(f"No bootstrap sample can be judged ({total} tried): {failures[0]}")
    return Decided(np.array(better), np.array(unknown), tuple(failures))


# -- left_out -------------------------------------------------------------------------------------
# What becomes of an order without each algorithm, and without each data set, in turn.
#
# Whether a is better than b should not depend on a third algorithm. Where algorithms are ranked
# within blocks, share a variance or an adjustment, or drop blocks by their gaps, it can
# (Benavoli, Corani and Mangili 2016 on mean ranks).


PAIR = ["first", "second"]
SAID = ["verdict", "p", "p_adjusted"]  # of a pair, with all and without one
SHOWN = 20  # changes


@dataclass(frozen=True, eq=False, repr=False)
class LeftOut(Presented):
    """An order with each algorithm, or data set, left out in turn.

    Attributes
    ----------
    comparisons, order : with everything.
    table : one row per algorithm or data set: the order without it, the distance (symmetric
        difference) from the full order of the same algorithms, how many pairs change their verdict.
    changes : one row per such pair: its verdict and p-values with everything, and without.
    """

    comparisons: Comparisons
    order: Order
    table: pd.DataFrame
    changes: pd.DataFrame
    notes: tuple[Note, ...]

    @property
    def heading(self) -> str:
        """One line: the order and what it is of."""
        return left_out_heading(self.order, self.comparisons.heading)

    def _lines_above(self) -> list[str]:
        return [self.heading]

    def _facts(self) -> dict[str, Any]:
        return {
            **about(self.comparisons),
            "order": self.order.to_dict(),
            "left_out": self.table,
            "changes": self.changes,
            "warnings": self.notes,
        }

    def _tables(self) -> dict[str, pd.DataFrame]:
        more = len(self.changes) - SHOWN
        title = f"Pairs that change their verdict{f' ({more} more)' if more > 0 else ''}"
        changes = {title: self.changes.head(SHOWN)} if len(self.changes) else {}
        return {"Left out in turn": self.table, **changes}


@dataclass(frozen=True, eq=False)
class Case:
    """What is analysed again: a layout that lacks one thing."""

    kind: str  # algorithm | dataset
    name: str
    layout: Layout
    pairs: Sequence[tuple[str, str]] | None = None  # that are left

    def compared(self, options: Options) -> Comparisons:
        """The comparisons of what is left, by the same options."""
        pairs = options.pairs if self.pairs is None else self.pairs
        return compare(self.layout, replace(options, pairs=pairs))


def left_out(
    layout: Layout, options: Options = USUAL, *, progress: Progress | None = None
) -> LeftOut:
    """The order with each algorithm left out in turn and, where there are several, each data set.

    Legal wherever `compare` is, for folds too. The procedure, null and adjustment of the full
    analysis are kept throughout. `progress` is told `(done, total)` after every analysis.
    """
    refuse_stopped(layout)
    full, used = pinned(layout, options)
    order = decide_comparisons(full)
    cases = [*_algorithms(layout, options), *_datasets(layout)]
    rows, changes, failures = [], [_changes(full, full, "", "")], []
    for case, result in tried(cases, lambda case: case.compared(used), progress):
        if isinstance(result, PodiumError):  # such as too few data sets left
            failures.append((case.name, str(result)))
            rows.append((case.kind, case.name, "", np.nan, np.nan))
        else:
            changed = _changes(full, result, case.kind, case.name)
            changes.append(changed)
            rows.append((case.kind, case.name, *_without(order, result), float(len(changed))))
    table = pd.DataFrame(rows, columns=["kind", "left_out", "order", "distance", "changed"])
    every = pd.concat(changes, ignore_index=True)
    text = _notes(layout, used, table, every, failures)
    return LeftOut(full, order, table, every, (*text, *full.warnings))


def _algorithms(layout: Layout, options: Options) -> Iterator[Case]:
    """Without each algorithm, as long as something is left to compare."""
    pairs = options.pairs
    for i, name in enumerate(layout.algorithms):
        others = [column for column in range(len(layout.algorithms)) if column != i]
        kept = None if pairs is None else [pair for pair in pairs if name not in pair]
        if len(others) < 2 or name == options.control or kept == []:
            continue
        part = replace(layout.only(others), notes=()).begun()
        yield Case("algorithm", name, part, kept)


def _datasets(layout: Layout) -> Iterator[Case]:
    """Without each data set, where there are several."""
    nested = layout.nested.within is not None
    if layout.block != "dataset" and not nested:
        return
    count = len(layout.values)
    names = layout.nested.datasets if nested else layout.labels
    names = names or tuple(f"data set {i + 1}" for i in range(count))
    for i, name in enumerate(names):
        others = (*names[:i], *names[i + 1 :])
        part = _samples_without(layout, i, others) if nested else _blocks_without(layout, i, others)
        yield Case("dataset", name, replace(part, notes=()))


def _blocks_without(layout: Layout, i: int, others: tuple[str, ...]) -> Layout:
    return replace(layout, values=np.delete(layout.values, i, axis=0), labels=others)


def _samples_without(layout: Layout, i: int, others: tuple[str, ...]) -> Layout:
    """Samples within data sets without those of one data set, the others numbered anew."""
    within = np.asarray(layout.nested.within)
    kept = within != i
    number = within[kept] - (within[kept] > i)
    return replace(
        layout,
        values=layout.values[kept],
        nested=replace(layout.nested, within=number, datasets=others),
    )


def _without(order: Order, comparisons: Comparisons) -> tuple[str, float]:
    """The order without something, and its distance from what the full order says of the rest."""
    other = decide_comparisons(comparisons)
    full = order.restricted(other.algorithms)
    # with the full means, so that equal orders are equal texts
    names = Order(other.algorithms, other.better, full.means, other.uncompared)
    return names.text, distance(full, other)


def _changes(full: Comparisons, comparisons: Comparisons, kind: str, name: str) -> pd.DataFrame:
    """The pairs whose verdict is not that of the full analysis."""
    both = comparisons.table[PAIR + SAID].merge(
        full.table[PAIR + SAID], on=PAIR, suffixes=("_without", "")
    )
    changed = both[both["verdict"] != both["verdict_without"]]
    columns = [*PAIR, *(column + end for column in SAID for end in ("", "_without"))]
    table = changed[columns].reset_index(drop=True)
    table.insert(0, "kind", kind)
    table.insert(1, "left_out", name)
    return table


def _notes(
    layout: Layout,
    options: Options,
    table: pd.DataFrame,
    changes: pd.DataFrame,
    failures: list[tuple[str, str]],
) -> Iterator[Note]:
    yield from _about_alternatives(options, changes[changes["kind"] == "algorithm"])
    gone = set(table["left_out"][table["kind"] == "algorithm"])
    stayed = tuple(name for name in layout.algorithms if name not in gone)
    if stayed:
        yield Note("not-left-out", algorithms=stayed)
    if failures:
        yield Note(
            "not-computed",
            failed=len(failures),
            analyses=len(table),
            left_out=failures[0][0],
            reason=failures[0][1],
        )


def _about_alternatives(options: Options, changes: pd.DataFrame) -> Iterator[Note]:
    """Why a pair may change its verdict without an algorithm that is not in it."""
    if changes.empty:
        return
    p, without = (changes[column].to_numpy(float) for column in ("p", "p_without"))
    moved = int((~np.isclose(p, without, rtol=1e-9, atol=0, equal_nan=True)).sum())
    name = procedure_of(options).name
    yield Note("irrelevant-alternatives", changes=len(changes), moved=moved, procedure=name)
    null, alpha = parse_null(str(options.null)), options.alpha
    if null.name in RANDOM:
        error = (alpha * (1 - alpha) / null.draws) ** 0.5
        yield Note("drawn-null", DETAIL, null=str(null), error=error)
