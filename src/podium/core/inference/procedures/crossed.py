"""Training sets or training runs x items: every model is tested on every item of one test set.

Scores share the luck of their training set and of their item (dietterich1998, question 7;
Rasmussen et al. 1996). Estimates and procedures.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.estimates import Estimates
from podium.core.inference.bricks.nulls import largest, quadratic
from podium.core.inference.bricks.quantities import MEAN, gives
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.procedure import (
    BY_HOLM,
    CONTRASTS,
    SINGLE_STEP,
    Bare,
    Cited,
    DefaultNull,
    Legal,
    Needs,
    Procedure,
    Reports,
    legal_pairs,
)
from podium.core.questions import targets
from podium.core.questions.targets import BLOCKS, CONDITION_ITEM, INDEPENDENT_SEED_ITEM, SEED_ITEM
from podium.core.words.facts import REMARK, Note

CROSSED: Legal = legal_pairs(targets.CROSSED)


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """Mean squares and products of the algorithms' scores: algorithms x algorithms each.

    Of the difference d of two algorithms, c'Mc with c = (1, -1) is its mean square. Its expectation
    is J s_a² + s² for training sets, I s_b² + s² for items and s² for the rest.
    """

    means: np.ndarray
    training_sets: np.ndarray
    items: np.ndarray
    rest: np.ndarray
    counts: tuple[int, int]  # training sets and items

    @property
    def df(self) -> tuple[int, int, int]:
        """Degrees of freedom of training sets, items and the rest."""
        i, j = self.counts[0] - 1, self.counts[1] - 1
        return i, j, i * j


def mean_squares(layout: Layout) -> MeanSquares:
    """The two-way analysis of variance of a layout's scores, without replication."""
    y = _table(layout)
    i, j, _ = y.shape
    means = y.mean(axis=(0, 1))
    of_set, of_item = y.mean(axis=1) - means, y.mean(axis=0) - means
    rest = (y - of_set[:, None] - of_item[None] - means).reshape(i * j, -1)
    return MeanSquares(
        means,
        j * of_set.T @ of_set / (i - 1),
        i * of_item.T @ of_item / (j - 1),
        rest.T @ rest / ((i - 1) * (j - 1)),
        (i, j),
    )


def _table(layout: Layout) -> np.ndarray:
    """The scores as training sets x items x algorithms."""
    if layout.crossed.training_sets is None or layout.crossed.items is None:
        raise InferenceError(
            "This test needs the loss of every item after every training set: a table with the "
            "columns sample and item, and the sampling training-sets."
        )
    i, sets = pd.factorize(layout.crossed.training_sets)
    j, items = pd.factorize(layout.crossed.items)
    if min(len(sets), len(items)) < 2:
        raise InferenceError(
            "This test needs at least 2 training sets and 2 items; there are "
            f"{len(sets)} and {len(items)}."
        )
    y = np.full((len(sets), len(items), layout.values.shape[1]), np.nan)
    y[i, j] = layout.values
    gone = np.argwhere(np.isnan(y).any(axis=2))
    if len(gone):
        a, b = gone[0]
        raise InferenceError(
            f"Every training set must be tested on every item by all algorithms; {len(gone)} of "
            f"{len(sets) * len(items)} scores are missing, such as that of training set "
            f"'{sets[a]}' on item '{items[b]}'. Leave out the items or training sets that lack one."
        )
    return y


@gives(MEAN)
def crossed_means(layout: Layout) -> Estimates:
    """Means with the variance (MS of training sets + MS of items) / IJ; df by Satterthwaite.

    The mean square of the rest, of which this counts one too many, is not subtracted: the
    covariance stays one, and too large rather than too small.
    """
    m = mean_squares(layout)
    i, j, _ = m.df
    size = m.counts[0] * m.counts[1]

    def df(contrasts: np.ndarray) -> np.ndarray:
        a, b = (((contrasts @ s) * contrasts).sum(axis=1) for s in (m.training_sets, m.items))
        spread = a**2 / i + b**2 / j
        return np.divide((a + b) ** 2, spread, out=np.full(len(a), float(i)), where=spread > 0)

    return Estimates(m.means, (m.training_sets + m.items) / size, df=df, in_units=True)


@gives(MEAN)
def quasi_f(layout: Layout) -> Estimates:
    """F'' = (MS of the mean + MS of the rest) / (MS of training sets + MS of items).

    Of the differences of two algorithms, with the sign of their mean; df by Satterthwaite (Winer
    1971, section 5.15; Rasmussen et al. 1996).
    """
    m = mean_squares(layout)
    c = np.array([1.0, -1.0])
    difference = float(c @ m.means)
    square = m.counts[0] * m.counts[1] * difference**2
    of_set, of_item, rest = (float(c @ s @ c) for s in (m.training_sets, m.items, m.rest))
    i, j, ij = m.df
    above, below = square + rest, of_set + of_item
    if below <= 1e-20 * above or below == 0:  # nothing varies but by rounding
        f, df = (np.nan if difference else 0.0), (1.0, 1.0)
    else:
        f = above / below
        df = (above**2 / (square**2 + rest**2 / ij), below**2 / (of_set**2 / i + of_item**2 / j))
    return Estimates(
        np.array([np.copysign(f, difference), 0.0]),
        np.diag([1.0, 0.0]),
        law=lambda t: tails.f_sf(np.abs(t), *df),
        law_df=df,
    )


QUASI_F = Procedure(
    "delve-quasi-f",
    "quasi-F test of each pair over training sets and items",
    quasi_f,
    largest,
    "holm",
    "two algorithms have equal expected performance over new training sets and new items",
    "equal expected performance; effects of training sets and of items nearly normal; "
    "conservative where neither matters (2 %)",
    BY_HOLM,
    (
        Cited("dietterich1998", ", question 7"),
        Cited("Rasmussen et al. (1996)"),
        Cited("Winer (1971)", ", section 5.15"),
    ),
    CROSSED,
    pairwise=True,
    words="the quasi-F test of each pair, with training sets and test items as random effects",
    nulls=DefaultNull(default="asymptotic"),
)
CROSSED_T = Procedure(
    "crossed-t",
    "t test of each pair over training sets and items",
    crossed_means,
    quadratic,
    "sidak",
    QUASI_F.hypothesis,
    "equal expected performance; effects of training sets and of items nearly normal; "
    "conservative where neither matters (1 %)",
    SINGLE_STEP,
    (Cited("Satterthwaite (1946)"), Cited("Clark (1973)")),
    CROSSED,
    words="t tests of each pair, with training sets and test items as random effects",
    needs=Needs(margins=True),
    nulls=DefaultNull(default="asymptotic"),
    reports=Reports(
        conservative=True,  # the error of single scores is counted twice
    ),
    bare=Bare(
        (CONTRASTS,),
        title="t test over training sets and items",
        words="t tests with training sets and test items as random effects",
    ),
)
_CROSSED_TESTS = (QUASI_F, CROSSED_T)


# -- training runs x items ------------------------------------------------------------------------
# Every run's model is tested on every item of one test set.
#
# Scores share the luck of their run and of their item (Bouthillier et al. 2021). Runs are shared
# by all algorithms, or every algorithm has some of its own, of whatever number. The parts of the
# variance, estimates and the procedure; and what seeds that were averaged within splits tell.


def shared_runs(layout: Layout) -> Layout:
    """Without the runs that some algorithm lacks altogether, where runs pair the algorithms."""
    y, run, _ = _seeds_table(layout)
    shared = ~np.isnan(y).all(axis=1).any(axis=1)
    if BLOCKS[layout.block].unpaired or shared.all():
        return layout
    return layout.only_blocks(shared[run], Note("incomplete-samples", samples=int((~shared).sum())))


def whole_items(layout: Layout) -> Layout:
    """Without the items that some run of some algorithm lacks; says how many these were."""
    y, _, item = _seeds_table(layout)
    runs = ~np.isnan(y).all(axis=1)
    whole = ~(np.isnan(y) & runs[:, None]).any(axis=(0, 2))
    if whole.all():
        return layout
    lacking = (np.isnan(y) & runs[:, None]).sum(axis=(0, 1)).tolist()
    names = tuple((a, n) for a, n in zip(layout.algorithms, lacking, strict=True) if n)
    lost = int((~whole).sum())
    tried = layout.block == CONDITION_ITEM
    facts = {"items": lost, "of": len(whole), "lacking": names, "conditions": tried}
    return layout.only_blocks(whole[item], Note("incomplete-items", **facts))


def _seeds_table(layout: Layout) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The scores as runs x items x algorithms, and the run and the item of each block."""
    if layout.crossed.training_sets is None or layout.crossed.items is None:
        raise InferenceError(
            "This test needs the score of every item after every training run: a table with the "
            "columns seed and item, and the sampling seeds."
        )
    run, runs = pd.factorize(layout.crossed.training_sets)
    item, items = pd.factorize(layout.crossed.items)
    y = np.full((len(runs), len(items), layout.values.shape[1]), np.nan)
    y[run, item] = layout.values
    return y, run, item


@dataclass(frozen=True, eq=False)
class Parts:
    """What the means of the algorithms vary by: covariances of the means, and their df.

    `items` holds the rest too, which the means over items share in; `runs` holds as much of it as
    `rest`, which is to be taken off.
    """

    means: np.ndarray
    items: np.ndarray
    runs: np.ndarray
    rest: np.ndarray
    df_items: int
    df_runs: np.ndarray  # of each algorithm
    paired: bool

    @property
    def of_runs(self) -> np.ndarray:
        """The covariance that runs alone add, nowhere negative."""
        if not self.paired:
            return np.diag(np.maximum(np.diag(self.runs - self.rest), 0.0))
        size, axes = np.linalg.eigh(self.runs - self.rest)
        return np.asarray((axes * np.maximum(size, 0.0)) @ axes.T)

    @property
    def covariance(self) -> np.ndarray:
        """Of the means."""
        return self.items + self.of_runs

    def df(self, contrasts: np.ndarray) -> np.ndarray:
        """By Satterthwaite, of the parts before anything is taken off: those are chi-squares."""
        items = ((contrasts @ self.items) * contrasts).sum(axis=1)
        if self.paired:
            runs = ((contrasts @ self.runs) * contrasts).sum(axis=1)[:, None]
            spread = runs**2 / self.df_runs[:1]
        else:
            runs = contrasts**2 * np.diag(self.runs)
            spread = runs**2 / self.df_runs
        below = items**2 / self.df_items + spread.sum(axis=1)
        least = np.full(len(items), float(self.df_runs.min()))
        whole = (items + runs.sum(axis=1)) ** 2
        return np.divide(whole, below, out=least, where=below > 0)


def parts(layout: Layout) -> Parts:
    """The two-way analysis of variance of every algorithm's runs and items."""
    y, _, _ = _seeds_table(layout)
    paired = not BLOCKS[layout.block].unpaired
    there = ~np.isnan(y).all(axis=1)  # runs x algorithms
    counts, items = there.sum(axis=0), y.shape[1]
    if counts.min() < 2 or items < 2:
        least = layout.algorithms[int(counts.argmin())]
        raise InferenceError(
            f"Training runs and items are compared from 2 of each on; '{least}' has "
            f"{int(counts.min())} runs on {items} items. With one run use --sampling items."
        )
    of_item, means = np.nanmean(y, axis=0), np.nanmean(y, axis=(0, 1))
    of_run = np.nanmean(np.where(there[:, None], y, 0.0), axis=1)
    of_run = np.where(there, of_run - means, 0.0)
    rest = np.where(there[:, None], y - of_item - of_run[:, None], 0.0).reshape(-1, len(means))
    # mean squares and products over the numbers of runs and items: covariances of means
    free = np.sqrt(np.outer(counts - 1, counts - 1))
    between = of_run.T @ of_run / free / np.sqrt(np.outer(counts, counts))
    left = rest.T @ rest / free / (items - 1) / items / np.sqrt(np.outer(counts, counts))
    if not paired:
        between, left = np.diag(np.diag(between)), np.diag(np.diag(left))
    return Parts(
        means,
        np.cov(of_item, rowvar=False).reshape(len(means), -1) / items,
        between,
        left,
        items - 1,
        counts - 1,
        paired,
    )


@gives(MEAN)
def seed_means(layout: Layout) -> Estimates:
    """Means over runs and items, with the variance that both of them cause."""
    p = parts(layout)
    return Estimates(p.means, p.covariance, df=p.df, in_units=True)


def parts_note(layout: Layout) -> Iterator[Note]:
    """How much of the variance of a difference of two means is due to items and to runs."""
    if len(layout.algorithms) < 2:
        return
    p = parts(layout)
    k = len(p.means)

    def of_pairs(covariance: np.ndarray) -> float:
        """The mean over all pairs of the variance of their difference."""
        centred = np.trace(covariance) - covariance.sum() / k
        return float(2 * centred / (k - 1))

    rest, runs = of_pairs(p.rest), of_pairs(p.of_runs)
    items = max(of_pairs(p.items) - rest, 0.0)
    total = items + runs + rest
    if total > 0:
        yield Note(
            "variance-parts",
            REMARK,
            items=items / total,
            runs=runs / total,
            rest=rest / total,
            counts=(int(p.df_items + 1), int(p.df_runs.min() + 1), int(p.df_runs.max() + 1)),
        )


def arranged(layout: Layout) -> Layout:
    """The layout as it can be analysed, with what its variance is made of."""
    made = whole_items(shared_runs(layout))
    try:
        return replace(made, notes=(*made.notes, *parts_note(made)))
    except InferenceError:
        return made  # too few runs: whoever compares them says so


SEEDS_T = Procedure(
    "seeds-t",
    "t test of each pair over training runs and items",
    seed_means,
    quadratic,
    "sidak",
    "two algorithms have equal expected performance over new training runs and new items",
    "equal expected performance; effects of runs and of items nearly normal (3 to 6 %; 7 % where "
    "one algorithm has 3 runs and the other 10)",
    SINGLE_STEP,
    (Cited("Bouthillier et al. (2021)"), Cited("Satterthwaite (1946)")),
    legal_pairs(SEED_ITEM) | legal_pairs(INDEPENDENT_SEED_ITEM),
    words="t tests of each pair, with training runs and test items as random effects",
    needs=Needs(unpaired=True, gaps=True, margins=True),
    nulls=DefaultNull(default="asymptotic"),
    bare=Bare(
        (CONTRASTS,),
        title="t test over training runs and items",
        words="t tests with training runs and test items as random effects",
    ),
)
_SEEDS_TESTS = (SEEDS_T,)


# -- seeds within splits --------------------------------------------------------------------------


def split_note(layout: Layout, seeds: Mapping[str, Any]) -> Note:
    """How scores vary between the seeds of a split and between splits, over the algorithms.

    `seeds` is the fact that `reading/tables/from_sheets.py` makes: means over S seeds vary between
    splits by what splits vary, and by 1/S of what seeds vary (Bouthillier et al. 2021).
    """
    within = seeds["within"].get(layout.measure.name, {})
    of_seeds = float(np.mean(list(within.values()))) if within else 0.0
    several = len(layout.values) > 1
    between = float(np.nanvar(layout.values, axis=0, ddof=1).mean()) if several else 0.0
    least, most = seeds["least"], seeds["most"]
    of_splits = max(between - of_seeds / least, 0.0)
    return Note(
        "seeds-averaged",
        REMARK,
        least=least,
        most=most,
        seeds=math.sqrt(of_seeds),
        splits=math.sqrt(of_splits),
    )


PROCEDURES = (
    *_CROSSED_TESTS,
    *_SEEDS_TESTS,
)
