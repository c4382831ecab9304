"""Planning from a pilot: its variances, and what more data sets, samples or items would show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from podium.asking.planning.plan import USUAL, Plan, plan
from podium.asking.planning.power import (
    blocks_needed,
    detectable,
    extra_blocks,
    pair_design,
    power,
    sd_interval,
)
from podium.asking.planning.words import for_pair, planned_noun, variants_sentence
from podium.core.base.errors import InferenceError
from podium.core.base.registry import unknown
from podium.core.inference.bricks.contrasts import check_count
from podium.core.inference.layouts import Layout
from podium.core.questions.targets import CONDITION_ITEM, DATASET, RESAMPLE, SIMULATION
from podium.core.results.results import Results
from podium.core.words.facts import DETAIL, REMARK, Note
from podium.core.words.saying import Presented

CHOICES = ("worst", "median")
SAMPLES = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)
FEW = 10  # blocks, of which an sd is uncertain
REPEATED = (RESAMPLE, SIMULATION)  # replicates of a data set that are independent given it


@dataclass(frozen=True, eq=False, repr=False)
class PilotPlan(Presented):
    """What a pilot says about a larger study.

    `pairs` has for every pair the variances and, for its own sd, the least difference that the
    pilot itself detects (`detectable`), its power and the blocks needed for `difference`. `plan` is
    for the pair with the worst or the median sd. `allocations` has the runs that a number of
    samples per data set costs, empty where samples cannot be told from data sets.
    """

    pairs: pd.DataFrame
    plan: Plan
    by: str
    allocations: pd.DataFrame

    @property
    def notes(self) -> tuple[Note, ...]:  # type: ignore[override]  # nobody sets them
        """What a reader must know."""
        return self.plan.notes

    @property
    def datasets(self) -> int:
        """How many data sets (or other blocks) there must be."""
        return self.plan.datasets

    @property
    def best(self) -> dict[str, float]:
        """The allocation with the least compute; empty where there is none."""
        if not len(self.allocations) or "detectable" in self.allocations:
            return {}
        return dict(self.allocations.iloc[int(self.allocations["runs"].to_numpy().argmin())])

    @property
    def sentence(self) -> str:
        """The plan in words, and for which pair it is."""
        return self.plan.sentence + for_pair(self.by, len(self.pairs))

    def _lines_above(self) -> list[str]:
        return [self.sentence]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"Pairs": self.pairs}

    def _facts(self) -> dict[str, Any]:
        mine = {"by": self.by, "pairs": self.pairs, "allocations": self.allocations}
        return {**self.plan._facts(), **mine}


def plan_pilot(
    layout: Layout,
    cells: list[np.ndarray] | None = None,
    *,
    difference: float | None = None,
    target: float | None = None,
    blocks: int | None = None,
    by: str = "worst",
    most: int | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int | None = None,
    within: np.ndarray | None = None,
    answers: float = 1.0,
    item_cost: float = 0.0,
    cluster_size: float | None = None,
) -> PilotPlan:
    """A plan from the scores of a pilot.

    Without a difference, the plan is what the pilot (or so many `blocks`) can detect. Of K
    algorithms each of the K(K-1)/2 pairs is tested at its level (Šidák), unless `comparisons` says
    otherwise; tests of means need two blocks more than t, those of items do not. `cells` are the
    replicates x algorithms of every data set, where it has several; `most` is the largest number
    of data sets that can be had. Of items with several answers `within` is each algorithm's
    variance of a single one, `answers` how many an item has, and a new item costs as much as
    `item_cost` answers; where clusters are the blocks, one has `cluster_size` items.
    """
    _check(layout, by, most)
    check_count(len(layout.algorithms))
    table = components(cells or list(layout.values[:, None, :]), layout.algorithms)
    if within is not None:
        table = _with_answers(table.assign(samples=answers), layout, within)
    count = len(table) if comparisons is None else comparisons
    chosen = _chosen(table, by)
    if difference is None and blocks is None:
        blocks = int(table["datasets"].min())
    made = plan(
        difference=difference,
        sd=chosen,
        target=target,
        blocks=blocks,
        alpha=alpha,
        alternative=alternative,
        comparisons=count,
        block=_block(layout),
        extra=extra_blocks(layout.block),
    )
    level = pair_design(alpha, count, alternative, extra_blocks(layout.block))
    pairs = _judged(_in_own_sign(table, layout.sign), difference, target or USUAL, level)
    goal = (difference, target or USUAL, blocks if within is not None else None)
    shared = _allocations(table, by, goal, level, most, item_cost, cluster_size)
    notes = (*_notes(table, layout, made), *_about_most(most, difference, table, shared))
    return PilotPlan(pairs, replace(made, notes=notes), by, shared)


def by_cluster(layout: Layout) -> Layout:
    """Items as their clusters, which are what is independent; other blocks as they are.

    The values have the items' mean and, over clusters, the variance that the t test of clustered
    items uses, but for little: g / n times the cluster's sum of deviations from the mean, g
    clusters of n items, with the weight that its bias-reduced variance gives to a cluster.
    """
    if layout.items.clusters is None:
        return layout
    layout = layout.complete()
    names, place = np.unique(np.asarray(layout.items.clusters), return_inverse=True)
    n, g = len(layout.values), len(names)
    mean = layout.values.mean(axis=0)
    sums = np.zeros((g, len(mean)))
    np.add.at(sums, place, layout.values - mean)
    sums *= np.sqrt((1 - 1 / g) / np.maximum(1 - np.bincount(place) / n, 1e-9))[:, None]
    sums -= sums.mean(axis=0)
    note = Note("clusters", DETAIL, clusters=g, items=n)
    notes = (*layout.notes, note)
    made = replace(
        layout,
        values=mean + g / n * sums,
        items=replace(layout.items, clusters=None, of_clusters=True),
    )
    return replace(made, notes=notes, labels=())


def counted_blocks(layout: Layout, *, datasets: int | None, items: int | None) -> int | None:
    """How many independent blocks of the pilot's kind so many data sets, or items, are.

    Items in clusters count as so many clusters of the pilot's mean size.
    """
    of_items = layout.block == "item"
    if (datasets if of_items else items) is not None:
        text, way = ("datasets", "items") if of_items else ("items", "datasets")
        raise InferenceError(
            f"The rows of this pilot are {layout.block_text}: say how many by {way}, not {text}."
        )
    if items is None or layout.items.clusters is None:
        return datasets if items is None else items
    return int(items * len(np.unique(layout.items.clusters)) / len(layout.values))


def _block(layout: Layout) -> str:
    return "cluster" if layout.items.of_clusters else layout.block


def _check(layout: Layout, by: str, most: int | None) -> None:
    if most is not None and most < 2:
        raise InferenceError(f"The largest number of data sets is 2 or more, not {most!r}.")
    if by not in CHOICES:
        raise InferenceError(unknown("choice of a pair", by, CHOICES))
    if layout.block == CONDITION_ITEM:
        raise InferenceError(
            "Items under several conditions are planned as items with several answers: leave the "
            "column of conditions out by --columns ignore=COLUMN (columns='ignore=COLUMN')."
        )
    if not planned_noun(layout.block):
        raise InferenceError(
            "A plan counts data sets, items or simulated samples: more folds of the same training "
            "data say hardly more about new data, and more resamples only make any "
            "difference significant; collect more rows, or plan the data sets."
        )
    if len(layout.algorithms) < 2:
        raise InferenceError("A pilot has at least two algorithms.")
    if len(layout.values) < 2:
        raise InferenceError(
            f"A pilot with {len(layout.values)} of its {planned_noun(_block(layout))} has no "
            "variance: it needs at least two."
        )


def _chosen(table: pd.DataFrame, by: str) -> float:
    """The sd to plan with: the largest, or that of the pair in the middle."""
    sds = table["sd"].to_numpy(float)
    known = np.sort(sds[sds > 0])
    if not len(known):
        raise InferenceError(
            "No two algorithms of the pilot differ in their differences: there is no variance to "
            "plan with."
        )
    return float(known[-1] if by == "worst" else known[(len(known) - 1) // 2])


def _in_own_sign(table: pd.DataFrame, sign: int) -> pd.DataFrame:
    return table.assign(difference=sign * table["difference"] + 0.0)


def _judged(
    table: pd.DataFrame, difference: float | None, target: float, level: dict[str, Any]
) -> pd.DataFrame:
    """With what the pilot detects for each pair, and what `difference` would take."""
    known = table[["sd", "datasets"]].to_numpy(float)
    usable = (known[:, 0] > 0) & (known[:, 1] > 1)
    sd, count = np.where(usable, known[:, 0], 1.0), np.where(usable, known[:, 1], 2.0)
    columns = {"detectable": detectable(sd, count, target, **level)}
    if difference is not None:
        columns["power"] = power(difference, sd, count, **level)
        columns["needed"] = blocks_needed(difference, sd, target, **level)
    return table.assign(**{k: np.where(usable, v, np.nan) for k, v in columns.items()})


def _allocations(
    table: pd.DataFrame,
    by: str,
    goal: tuple[float | None, float, int | None],
    level: dict[str, Any],
    most: int | None,
    item_cost: float,
    cluster_size: float | None,
) -> pd.DataFrame:
    """Data sets needed for a number of samples in each, and the fits of one algorithm.

    The sd with r samples is sqrt(between² + resampling² / r), of the pair that is planned for. Of
    items it is answers; without a difference so many items are there, and what they detect is told.
    Clusters are paid for by their items.
    """
    difference, target, blocks = goal
    row = table.iloc[int(np.nanargmin(np.abs(table["sd"] - _chosen(table, by))))]
    if math.isnan(row["resampling_sd"]) or (difference is None and blocks is None):
        return pd.DataFrame(columns=["samples", "datasets", "runs"])
    samples = np.array(SAMPLES)
    sd = np.sqrt(row["between_sd"] ** 2 + row["resampling_sd"] ** 2 / samples)
    sd = np.maximum(sd, 1e-300)
    if difference is None:
        counts = np.full(len(samples), float(blocks or 0))
        more = {"detectable": detectable(sd, counts, target, **level)}
    else:
        counts, more = blocks_needed(difference, sd, target, **level), {}
    items = np.ceil(counts * (cluster_size or 1.0))
    inner = {} if cluster_size is None else {"items": items}
    runs = items * (samples + item_cost)
    result = pd.DataFrame({"samples": samples, "datasets": counts, **inner, "runs": runs, **more})
    return result[counts <= (most or np.inf)].reset_index(drop=True)


def _with_answers(table: pd.DataFrame, layout: Layout, within: np.ndarray) -> pd.DataFrame:
    """With the parts of the sd that items and their answers have."""
    noise = dict(zip(layout.algorithms, within.tolist(), strict=True))
    single = (table["first"].map(noise) + table["second"].map(noise)).to_numpy(float)
    answers = np.sqrt(single)
    left = table["sd"].to_numpy(float) ** 2 - single / table["samples"].to_numpy(float)
    return table.assign(between_sd=np.sqrt(np.maximum(left, 0.0)), resampling_sd=answers)


def _notes(table: pd.DataFrame, layout: Layout, made: Plan) -> Iterator[Note]:
    least = int(table["datasets"].min())
    if least < FEW:
        yield Note("few-blocks", blocks=least, block=_block(layout))
    if len(table) > 1:
        yield Note("levels-of-pairs", DETAIL, pairs=made.comparisons)
    if layout.block == DATASET and not layout.items.of_clusters:
        yield Note("plan-of-means", REMARK, more=1 / rank_efficiency(len(layout.algorithms)))
    if made.extra:
        yield Note("plan-skewed", REMARK, blocks=made.datasets, block=_block(layout))
    yield from layout.notes


def rank_efficiency(algorithms: int) -> float:
    """Of ranks within blocks against means of normal scores (van Elteren and Noether 1959)."""
    return 3 / math.pi * algorithms / (algorithms + 1)


def _about_most(
    most: int | None, difference: float | None, table: pd.DataFrame, allocations: pd.DataFrame
) -> Iterator[Note]:
    """Why a largest number of data sets led to no number of samples."""
    if most is None or len(allocations):
        return
    if difference is None:
        why = "no-difference"
    else:
        why = "inseparable" if table["resampling_sd"].isna().all() else "too-few"
    yield Note("most", most=most, why=why, samples=SAMPLES[-1])


def replicates(results: Results, measure: str, sign: int) -> list[np.ndarray] | None:
    """The replicates x algorithms of every data set, or None where they are not independent.

    Folds count by whole repetitions: given a data set, only these are independent of each other.
    """
    sampling = results.sampling
    if sampling is None:
        return None
    table = results.values(measure)
    folds = sampling.folds_per_repeat
    if folds:
        table = table.assign(sample=(table["sample"] - 1) // folds)
    elif sampling.replicate not in REPEATED:
        return None
    means = table.groupby(["dataset", "sample", "algorithm"], sort=False)["value"]
    wide = (sign * means.mean()).unstack("algorithm").reindex(columns=results.algorithms)
    by_dataset = wide.groupby(level="dataset", sort=False)
    return [by_dataset.get_group(name).to_numpy(float) for name in results.datasets]


# -- variances ------------------------------------------------------------------------------
# boulesteix2013 (section 3, equation 4): the variance of a difference between data sets is that of
# the true differences plus each data set's own sampling error. One sample per data set cannot tell
# these two apart, and neither can resamples of it; what resamples do show is their own noise, the
# only part that more samples per data set make smaller.

Floats = NDArray[np.float64]
COLUMNS = [
    "first", "second", "datasets", "samples", "difference",
    "sd", "sd_lower", "sd_upper",
    "between_sd", "between_lower", "between_upper", "resampling_sd",
]  # fmt: skip


def components(cells: list[Floats], algorithms: tuple[str, ...], level: float = 0.95) -> Any:
    """A row per pair: sd of the differences between data sets, and its two components.

    `cells` holds for every data set its replicates x algorithms, which are independent given the
    data set. `sd` is of the data sets' mean differences as they are; `between_sd` would be left if
    every data set had infinitely many replicates, `resampling_sd` is of a single replicate's
    difference within a data set. Intervals are of normal theory; where no data set has two
    replicates, the components are unknown (NaN).
    """
    first, second = np.triu_indices(len(algorithms), 1)
    sizes, means, squares = _cells(cells, first, second)
    used = sizes > 0
    count = used.sum(axis=0)
    df = (sizes - used).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):  # pairs without a data set have no number
        harmonic = count / np.where(used, 1 / np.maximum(sizes, 1), 0.0).sum(axis=0)
        mean = np.where(used, means, 0.0).sum(axis=0) / count
        spread = (np.where(used, means - mean, 0.0) ** 2).sum(axis=0) / (count - 1)
        several = count > 1
        sd = np.where(several, np.sqrt(np.where(several, spread, np.nan)), np.nan)
        noise = np.where(several & (df > 0), squares.sum(axis=0) / df, np.nan)
        low, high = sd_interval(sd, count, level)
        parts = _between(sd, noise, count, df, harmonic, level)
    names = [np.array(algorithms, dtype=object)[each] for each in (first, second)]
    columns = (*names, count, harmonic, mean, sd, low, high, *parts)
    return pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))


def _cells(
    cells: list[Floats], first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, Floats, Floats]:
    """Data sets x pairs: replicates that both have, the mean difference, and squares around it."""
    shape = len(cells), len(first)
    sizes, means, squares = np.zeros(shape, dtype=int), np.full(shape, np.nan), np.zeros(shape)
    for at, cell in enumerate(cells):
        apart = cell[:, first] - cell[:, second]
        known = ~np.isnan(apart)
        sizes[at] = known.sum(axis=0)
        total = np.where(known, apart, 0.0).sum(axis=0)
        means[at] = np.where(sizes[at] > 0, total / np.maximum(sizes[at], 1), np.nan)
        if len(cell) > 1:
            squares[at] = (np.where(known, apart - means[at], 0.0) ** 2).sum(axis=0)
    return sizes, means, squares


def _between(
    sd: Floats, noise: Floats, datasets: Floats, df: Floats, samples: Floats, level: float
) -> Floats:
    """The sd between data sets with its interval, and that of resampling.

    sd² estimates between² + resampling² / samples; the interval of a difference of two mean squares
    is Ting's (Ting et al. 1990; Burdick and Graybill 1992, section 3.3).
    """
    large, small = sd**2, noise / samples
    low, high = _difference_interval(large, small, datasets - 1, df, (1 - level) / 2)
    variances = np.maximum([large - small, low, high, noise], 0.0)
    return np.asarray(np.sqrt(variances))


def _difference_interval(
    large: Floats, small: Floats, df1: Floats, df2: Floats, tail: float
) -> tuple[Floats, Floats]:
    """The interval of E(large) - E(small), two independent mean squares."""
    from scipy import stats  # slow to load, and for nested pilots only

    f = stats.f
    upper, lower = f.isf(tail, df1, df2), f.isf(1 - tail, df1, df2)
    g1, h1 = 1 - df1 / stats.chi2.isf(tail, df1), df1 / stats.chi2.isf(1 - tail, df1) - 1
    g2, h2 = 1 - df2 / stats.chi2.isf(tail, df2), df2 / stats.chi2.isf(1 - tail, df2) - 1
    g12 = ((upper - 1) ** 2 - g1**2 * upper**2 - h2**2) / upper
    h12 = ((1 - lower) ** 2 - h1**2 * lower**2 - g2**2) / lower
    down = g1**2 * large**2 + h2**2 * small**2 + g12 * large * small
    up = h1**2 * large**2 + g2**2 * small**2 + h12 * large * small
    result = large - small
    return result - np.sqrt(np.maximum(down, 0.0)), result + np.sqrt(np.maximum(up, 0.0))


# -- variants of one algorithm ------------------------------------------------------------------
# How much the best of several variants is overrated on the data sets that chose it.
#
# Whoever tries m variants of a method and reports the best one reports a maximum. How large that
# is where all of them are equally good, a pilot tells: its blocks are drawn anew, all means made
# equal, so that it lends its spread and its correlations, and not its differences.


MOST = 2000  # blocks that are looked at
NUMBERS = (5, 10, 20, 50, 100, 200)
PART = 2_000_000  # numbers drawn at once


@dataclass(frozen=True, repr=False)
class VariantsPlan(Presented):
    """By how much the best of `variants` equal ones seems better than a fixed one, by blocks.

    `table` has a row for every number of blocks: the mean of that excess, its 95 % quantile, and
    the share of studies in which an unadjusted paired t test at 5 % calls it better.
    """

    variants: int
    blocks: int  # of the pilot
    block: str
    difference: float | None  # that shall not be feigned
    needed: int | None  # blocks with which the 95 % quantile is below it; None: more than `MOST`
    table: pd.DataFrame
    measure: str
    notes: tuple[Note, ...] = ()

    @property
    def sentence(self) -> str:
        """The plan in words."""
        return variants_sentence(self)

    def _lines_above(self) -> list[str]:
        return [self.sentence]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"table": self.table}

    def _facts(self) -> dict[str, Any]:
        names = ("variants", "blocks", "block", "difference", "needed", "measure", "sentence")
        return {name: getattr(self, name) for name in names} | {"rows": self.table}


def excesses(
    values: np.ndarray, variants: int, blocks: int, replications: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The mean lead of the best variant over a fixed one, and its t statistic, per replication.

    `values` are blocks x algorithms, larger is better. Every replication draws its algorithms (the
    fixed one first) and blocks from the pilot; more variants than there are algorithms repeat none
    on the same blocks: those beyond get blocks of their own order, as if they were new ones.
    """
    n, k = values.shape
    centred = (values - values.mean(axis=0)) * np.sqrt(n / (n - 1))
    lead, t = np.empty(replications), np.empty(replications)
    step = max(1, PART // (blocks * (variants + 1)))
    for start in range(0, replications, step):
        size = min(step, replications - start)
        rows = rng.integers(n, size=(size, blocks))
        columns = np.argsort(rng.random((size, k)), axis=1)
        drawn = np.empty((size, blocks, variants + 1))
        for place in range(variants + 1):
            own = rows if place < k else rng.integers(n, size=rows.shape)
            drawn[:, :, place] = centred[own, columns[:, [place % k]]]
        apart = drawn[:, :, 1:] - drawn[:, :, :1]
        means = apart.mean(axis=1)
        best = means.argmax(axis=1)
        each = np.arange(size)
        spread = apart[each, :, best].std(axis=1, ddof=1)
        lead[start : start + size] = means[each, best]
        with np.errstate(divide="ignore", invalid="ignore"):
            t[start : start + size] = np.sqrt(blocks) * means[each, best] / spread
    return lead, t


def plan_variants(
    layout: Layout,
    variants: int,
    *,
    difference: float | None = None,
    datasets: int | None = None,
    replications: int = 2000,
    seed: int = 0,
) -> VariantsPlan:
    """How far the best of so many variants is overrated, from a pilot of any algorithms."""
    from scipy.special import stdtrit

    values = layout.values[~np.isnan(layout.values).any(axis=1)]
    if variants < 2:
        raise InferenceError(f"--variants is a number from 2 on, not {variants}.")
    if len(values) < 3:
        raise InferenceError(
            f"A pilot of variants needs 3 complete {planned_noun(layout.block)}, not {len(values)}."
        )
    numbers = (datasets,) if datasets else tuple(sorted({*NUMBERS, len(values)}))
    rows = []
    for count in numbers:
        lead, t = excesses(values, variants, count, replications, np.random.default_rng(seed))
        naive = np.mean(t > stdtrit(count - 1, 0.975))
        rows.append((count, lead.mean(), np.quantile(lead, 0.95), naive))
    table = pd.DataFrame(rows, columns=["blocks", "overrated", "at_most", "false_claims"])
    needed = _needed(table, difference) if difference is not None else None
    return VariantsPlan(
        variants, len(values), layout.block, difference, needed, table, layout.measure.name
    )


def _needed(table: pd.DataFrame, difference: float) -> int | None:
    """By the root of n: the quantile of a maximum of means falls with it."""
    scale = float((table["at_most"] * np.sqrt(table["blocks"])).iloc[-1])
    count = max(2, int(np.ceil((scale / difference) ** 2)))
    return count if count <= MOST else None
