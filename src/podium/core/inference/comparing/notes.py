"""Notes as facts: what a reader must know besides the numbers, and how small a p-value can be."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, Protocol

import numpy as np
import pandas as pd

from podium.core.inference.bricks.adjustments import Statistics
from podium.core.inference.bricks.clustered import cluster_df
from podium.core.inference.bricks.contrasts import Pair, all_pairs
from podium.core.inference.bricks.estimates import moments, wins_and_losses
from podium.core.inference.bricks.nulls import (
    LEAST_BLOCKS,
    RANDOM,
    Known,
    goes_with_difficulty,
    missing_share,
    unlike,
    varying,
)
from podium.core.inference.comparing.pair_tests import Found
from podium.core.inference.comparing.request import Request
from podium.core.inference.layouts import HALF, Layout
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.repeats import count_repeats
from podium.core.inference.procedures.held_out import (
    MANY_ORIGINS,
    autocorrelations,
    horizon,
    smoothed_forecasts,
)
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.questions.options import WORST
from podium.core.questions.targets import BLOCKS, DATASET, DATASET_POPULATION, ITEM
from podium.core.words.facts import CAUTION, DETAIL, REMARK, FewBlocks, Note

# -- suspicions ---------------------------------------------------------------------------------
# Designs that should raise a question: each a record of how it is seen in a layout.
#
# Nothing is dropped or changed: facts are told, and the reader knows what they are. What the names
# of rows and the columns of a table give away is asked where it is read (`reading/tables`).


Facts = Mapping[str, Any]
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
# adult-v2, adult_v1.0, adult part 3, adult_copy, adult (1), adult_2019, taxi-2020-03, taxi-jan
VERSION = re.compile(
    r"^(?P<of>.*[^-_ .])(?:"
    r"[-_ .]+(?:v|ver|version|rev|release|copy|part|subset|seed|run|fold)[-_ .]?\d+(?:[._]\d+)*"
    r"|[-_ .]+copy|[-_ .]*\(\d+\)"
    rf"|[-_ .]+(?:19|20)\d\d(?:[-_.]?(?:0[1-9]|1[0-2]|q[1-4]))?|[-_ .]+(?:{MONTHS})[a-z]{{0,6}}"
    r")$",
    re.IGNORECASE,
)
# what exists for a test set, and not for one of its items
OF_MANY_ITEMS = frozenset(["auc", "mcc", "kappa", "balancedaccuracy", "r2", "ece"])
MOST_ANSWERS, ROUNDED = 20, 6e-4  # of which a score is the mean, rounded to three decimals


class Suspicion(NamedTuple):
    """The note that asks, and the facts where a layout looks like it."""

    code: str
    seen: Callable[[Layout], Facts | None]


def suspicions(layout: Layout) -> Iterator[Note]:
    """A note for every record whose design a layout looks like."""
    for each in SUSPICIONS:
        facts = each.seen(layout)
        if facts is not None:
            yield Note(each.code, CAUTION, **facts)


def _versions(layout: Layout) -> Facts | None:
    """Data sets whose names are versions or parts of one."""
    if layout.block != DATASET:
        return None
    groups: dict[str, list[str]] = defaultdict(list)
    for name in layout.labels:
        match = VERSION.match(name)
        groups[match["of"].lower() if match else name.lower()].append(name)
    largest = max(groups.values(), key=len, default=[])
    if len(largest) < 2:
        return None
    return {"names": (largest[0], largest[-1]), "versions": len(largest), "left": len(groups)}


def _copies(layout: Layout) -> Facts | None:
    """More blocks with the very scores of another block than chance gives for their grain."""
    if layout.items.linearised is not None:  # influence values of items with one rank are alike
        return None
    kind = BLOCKS[layout.block]
    values = layout.values[~np.isnan(layout.values).any(axis=1)]
    if kind.partial or kind.unpaired or layout.is_binary or _are_shares_of_few(values):
        return None
    repeats = count_repeats(values)
    if repeats is None or not repeats.is_beyond_chance:
        return None
    blocks, algorithms = layout.values.shape
    return {
        "copied": repeats.rows,
        "noun": kind.noun,
        "blocks": blocks,
        "algorithms": algorithms,
        "expected": repeats.expected,
    }


def _are_shares_of_few(values: np.ndarray) -> bool:
    """Whether all are shares of the same few answers, as 5/6 is: many are equal by chance."""
    return any(
        bool((np.abs(values * n - np.round(values * n)) < n * ROUNDED).all())
        for n in range(2, MOST_ANSWERS + 1)
    )


def _ranks(layout: Layout) -> Facts | None:
    """Scores that are 1 to K in every block, tied ones with their mean."""
    count = len(layout.algorithms)
    if layout.items.linearised is not None:
        return None
    own = layout.sign * layout.values
    if count < 3 or len(own) < 3 or np.isnan(own).any() or (own < 1).any():
        return None
    if not (tails.ranks(own, axis=1) == own).all():
        return None
    return {"last": count, "higher": layout.measure.higher_is_better}


def _of_many_items(layout: Layout) -> Facts | None:
    """A measure that no single item has, in a table of items: predictions without their truth?"""
    known = layout.measure.spec
    if layout.block != ITEM or layout.items.linearised is not None or known not in OF_MANY_ITEMS:
        return None
    return {"measure": layout.measure.name}


SUSPICIONS = (
    Suspicion("versions-of-data", _versions),
    Suspicion("copied-blocks", _copies),
    Suspicion("ranks-as-scores", _ranks),
    Suspicion("measure-of-many-items", _of_many_items),
)


# -- how small a p-value can be -------------------------------------------------------------------
# Tests that count patterns of signs or orders have a smallest one.


COUNTING = ("exact", "mid-p", "permutation")  # nulls


def least_adjusted(layout: Layout, procedure: Procedure, request: Request) -> np.ndarray | None:
    """The smallest adjusted p-value of every pair, whatever the sizes; None where there is none."""
    counts = (
        request.null.name in COUNTING
        and not procedure.judges(layout)
        and procedure.bayes.posterior is None
    )
    if not counts or procedure.needs.unpaired or not request.pairs:
        return None
    if not procedure.pairwise:
        least = _of_orders(layout, request)
        return np.full(len(request.pairs), least)
    p = _of_signs(layout, request)
    facts = request.two_sided, request.pairs, len(layout.algorithms), _nothing
    return np.asarray(request.adjust.adjusted(Statistics(np.ones(len(p)), Known(p), *facts)))


def _of_signs(layout: Layout, request: Request) -> np.ndarray:
    """All n differences of one sign: 2^(1-n), or half of it in one direction."""
    wins, ties, losses = wins_and_losses(layout.by_dataset(), request.pairs)
    n = wins + losses + (ties if request.relevance else 0)
    p = 0.5 ** np.maximum(n - request.two_sided, 0)
    if request.null.name in RANDOM:
        return np.maximum(p, 1 / (request.null.draws + 1))
    return p / 2 if request.null.name == "mid-p" else p


def _of_orders(layout: Layout, request: Request) -> float:
    """All J blocks in one of K! orders: (K!)^(1-J)."""
    orders = math.lgamma(len(layout.algorithms) + 1)
    least = math.exp((1 - len(layout.by_dataset())) * orders)
    return max(least, 1 / (request.null.draws + 1)) if request.null.name in RANDOM else least


def _nothing(columns: tuple[int, ...]) -> float:
    raise AssertionError("pairs that are scored one by one know no subsets")


# -- notes ----------------------------------------------------------------------------------------
# What a reader of comparisons must know besides the numbers, as facts.


FEW_DATASETS = 10
LEAST_DATASETS = 4  # with fewer nothing is claimed about others like them
STRONG = 0.6  # autocorrelation of neighbours: from here on fixed smoothing is liberal
FEW_CLUSTERS = 10
RARE = 5  # clusters that tell two models apart: with fewer, limits of right and wrong collapse


def notes(layout: Layout, procedure: Procedure, request: Request, result: Found) -> Iterator[Note]:
    """All that is worth saying about how the pairs were judged."""
    yield from about_datasets(layout)
    yield from _about_layout(layout, procedure, result)
    if procedure.reports.cautions is not None:
        yield from procedure.reports.cautions(layout, procedure, request)
    yield from _about_pairs(request, result)
    yield from _about_adjustment(layout, request, result)
    yield from _about_resolution(layout, procedure, request)


MANY_ALGORITHMS, ENOUGH_FOR_MANY = 16, 100  # with so many, the level needs so many blocks
WILD, ENOUGH_FOR_WILD = 1.5, 200  # such median skewness needs so many
ENOUGH_FOR_SIGNS = 100  # ranks of two algorithms are signs, of which a t test is coarse


def few_blocks(layout: Layout, procedure: Procedure, pairs: Sequence[Pair]) -> FewBlocks | None:
    """That blocks are too few for the level of a test: of skewed means, or of ranks."""
    blocks, algorithms = layout.values.shape
    if not procedure.reports.few_below:
        return None
    few = blocks < procedure.reports.few_below
    if procedure.quantity.ranks:
        signs = algorithms == 2 and blocks < ENOUGH_FOR_SIGNS
        return FewBlocks(blocks, algorithms) if few or signs else None
    result = moments(layout.values, pairs or all_pairs(algorithms))
    sizes = np.abs(result.skewness[result.varies])
    skewness = float(np.median(sizes)) if len(sizes) else 0.0
    many = algorithms >= MANY_ALGORITHMS and blocks < ENOUGH_FOR_MANY
    wild = skewness > WILD and blocks < ENOUGH_FOR_WILD
    return FewBlocks(blocks, algorithms, skewness) if few or many or wild else None


def disagreements(table: pd.DataFrame, other: _Beside | None, options: Options) -> Iterator[Note]:
    """Pairs of which a test of means and its companion say something else."""
    if other is None:
        return
    signs = {"better": 1, "worse": -1}
    means, ranks = (t["verdict"].map(signs).fillna(0).to_numpy(int) for t in (table, other.table))
    alone = options.relevance == 0  # otherwise they ask different questions
    chosen = {
        "opposite": means * ranks < 0,
        "by_means": (means != 0) & (ranks == 0) & alone,
        "by_ranks": (means == 0) & (ranks != 0) & alone,
    }
    pairs = {k: _names(table, v) for k, v in chosen.items()}
    if any(pairs.values()):
        yield Note("ranks-disagree", CAUTION, **pairs)


def _names(table: pd.DataFrame, chosen: np.ndarray) -> tuple[tuple[str, str], ...]:
    rows = table[chosen]
    return tuple(zip(rows["first"], rows["second"], strict=True))


class _Beside(Protocol):
    """What is looked at of the companion's findings."""

    @property
    def table(self) -> pd.DataFrame:
        """A row per pair."""


def about_scales(layout: Layout, procedure: Procedure) -> Iterator[Note]:
    """Which data set carries how much of a mean, where one carries half or scales do not mix."""
    if layout.block != DATASET or procedure.quantity.ranks:
        return
    enough = len(layout.values) >= FEW_DATASETS  # of a few, one often carries half
    alone = enough and layout.mixing.share > HALF
    if not (layout.is_unmixable or alone):
        return
    mixing, metrics = layout.mixing, tuple(dict.fromkeys(layout.metrics))
    label = layout.labels[mixing.top] if layout.labels else str(mixing.top + 1)
    facts = {"dataset": label, "share": mixing.share, "spread": mixing.spread, "metrics": metrics}
    severity = CAUTION if layout.is_unmixable else REMARK
    yield Note("one-data-set", severity, unlike=layout.is_unmixable, **facts)


def about_failures(layout: Layout, gaps: str | None) -> Iterator[Note]:
    """Runs that failed are no gaps: they are counted, and how they count is told."""
    runs = sum(count for _, count in layout.origin.failed)
    if not runs:
        return
    policy = gaps or (WORST if layout.failed is not None else "")
    facts = {"runs": runs, "of": layout.origin.runs, "by": layout.origin.failed}
    yield Note("failures", policy=policy, **facts)


def about_datasets(layout: Layout) -> Iterator[Note]:
    """Few data sets, of those that were not left out."""
    if layout.target != DATASET_POPULATION:
        return
    count = len(layout.values if layout.nested.within is None else np.unique(layout.nested.within))
    if count < LEAST_DATASETS:
        yield Note("too-few-data-sets", datasets=count)
    elif count < FEW_DATASETS:
        yield Note("few-data-sets", datasets=count)


def _about_layout(layout: Layout, procedure: Procedure, result: Found) -> Iterator[Note]:
    unequal = unlike(varying(layout)) if procedure.quantity.spherical else None
    if unequal is not None:
        yield Note("sphericity", epsilon=unequal, procedure=procedure.name)
    model = result.model
    if procedure.needs.unpaired:
        yield from _about_sizes(layout)
    elif layout.has_gaps and layout.stopped.plan is None and not BLOCKS[layout.block].partial:
        lost = np.isnan(layout.values).sum(axis=0).tolist()
        lacking = tuple((a, n) for a, n in zip(layout.algorithms, lost, strict=True) if n)
        facts = {"missing": sum(lost), "of": layout.values.size, "lacking": lacking}
        yield Note("gaps", REMARK, modelled=model is not None, **facts)
        yield from _about_gaps(layout)
    if model is not None and not model.connected:
        yield Note("disconnected")
    if layout.items.clusters is not None and not BLOCKS[layout.block].partial:
        yield from about_clusters(layout)
    if procedure.needs.ordered:
        yield from _about_origins(layout, procedure)


def _about_gaps(layout: Layout) -> Iterator[Note]:
    """Scores that are missing for a reason: no test repairs that."""
    values = layout.by_dataset()
    share = missing_share(values)
    if goes_with_difficulty(values):
        yield Note("informative-gaps", CAUTION, share=share)


def about_clusters(layout: Layout) -> Iterator[Note]:
    """How many there are, how far they are of one size, and whether enough of them tell models."""
    clusters = np.asarray(layout.items.clusters)
    _, place, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    count, df = len(sizes), cluster_df(sizes)
    yield Note("clusters", REMARK, clusters=count, df=df)
    if df < count / 2:
        yield Note("clusters-unequal", clusters=count, df=df, share=sizes.max() / sizes.sum())
    elif count < FEW_CLUSTERS:
        yield Note("few-clusters", clusters=count)
    if layout.is_binary:
        telling = [
            (pair, len(np.unique(place[layout.values[:, pair[0]] != layout.values[:, pair[1]]])))
            for pair in combinations(range(len(layout.algorithms)), 2)
        ]
        rare = [(layout.algorithms[i], layout.algorithms[j]) for (i, j), n in telling if n < RARE]
        if rare:
            yield Note("rarely-apart", pairs=tuple(rare), least=RARE)


def _about_origins(layout: Layout, procedure: Procedure) -> Iterator[Note]:
    """Too few origins for the gap, or differences that are correlated in time all the same."""
    steps, count = horizon(layout), len(layout.values)
    smooth = procedure.estimate is smoothed_forecasts
    if not smooth and steps > 1 and count < MANY_ORIGINS * steps:
        yield Note("few-origins", origins=count, steps=steps)
    names, lag = layout.algorithms, 1 if smooth else steps
    if count < lag + 3:
        return
    correlations = {
        (names[i], names[j]): autocorrelations(values_i - values_j, lag)[-1]
        for (i, values_i), (j, values_j) in combinations(enumerate(layout.values.T), 2)
    }
    bound = STRONG if smooth else 1.96 / np.sqrt(count)
    pairs = tuple(pair for pair, r in correlations.items() if r > bound)
    if pairs:
        largest = float(max(correlations.values()))
        yield Note("autocorrelated", pairs=pairs, largest=largest, lag=lag, allowed=smooth)


def _about_sizes(layout: Layout) -> Iterator[Note]:
    """Samples that differ in size: perhaps runs failed, perhaps no more were drawn."""
    counts = (~np.isnan(layout.values)).sum(axis=0)
    if np.ptp(counts):
        samples = tuple(zip(layout.algorithms, counts.tolist(), strict=True))
        yield Note("unequal-sizes", samples=samples)


def _about_pairs(request: Request, result: Found) -> Iterator[Note]:
    values = np.array([bool(remark) for remark in result.remarks])
    constant = np.isnan(result.tested) & ~values
    unseen = result.procedure.needs.stops and bool(
        np.isnan(result.in_units).all()
    )  # no look was taken
    needs = result.procedure.needs
    told_why = needs.halves or needs.linearised  # by cautions of its own
    if constant.any() and not told_why and not unseen:
        unpaired = result.procedure.needs.unpaired
        yield Note("no-variation", pairs=_chosen(request, constant), unpaired=unpaired)
    for remark in dict.fromkeys(r for r in result.remarks if r):
        which = np.array([r == remark for r in result.remarks])
        yield Note("estimate", REMARK, remark=remark, pairs=_chosen(request, which))
    opposite = (result.t * result.mean_difference < 0) & (result.adjusted <= request.alpha)
    if opposite.any():
        yield Note("direction", REMARK, pairs=_chosen(request, opposite))


def _about_resolution(layout: Layout, procedure: Procedure, request: Request) -> Iterator[Note]:
    """Tests that cannot reject, whatever the scores are."""
    least = least_adjusted(layout, procedure, request)
    if least is None or not (least > request.alpha).any():
        return
    mute = int((least > request.alpha).sum())
    facts = {"blocks": len(layout.by_dataset()), "alpha": request.alpha}
    yield Note("cannot-reject", least=float(least.min()), pairs=mute, of=len(least), **facts)


def _chosen(request: Request, which: np.ndarray) -> tuple[tuple[str, str], ...]:
    return tuple(request.labels[i] for i in np.flatnonzero(which))


def _is_rough(layout: Layout, result: Found) -> bool:
    """Whether many covariances were estimated from few blocks (7 to 12 % at 10 blocks)."""
    few = len(layout.values) < LEAST_BLOCKS and len(layout.algorithms) > 2
    return few and result.estimates_covariances


def _about_adjustment(layout: Layout, request: Request, result: Found) -> Iterator[Note]:
    adjust, pairs = request.adjust, len(request.labels)
    if adjust.beyond and len(layout.algorithms) > adjust.beyond[1]:
        code, most = adjust.beyond
        yield Note(code, REMARK, most=most)
    if adjust.told:
        yield Note("adjustment", DETAIL, adjustment=adjust.name, controls=adjust.text)
    if adjust.rough and _is_rough(layout, result):
        yield Note("few-blocks", blocks=len(layout.values))
    if adjust.name == "none" and pairs > 1:
        yield Note("unadjusted", pairs=pairs, alpha=request.alpha)


# -- cautions: what blocks call for saying, whatever procedure is used ---------------------------
