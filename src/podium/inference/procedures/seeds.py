"""Training runs x items: every run's model is tested on every item of one test set.

Scores share the luck of their run and of their item (Bouthillier et al. 2021). Runs are shared by
all algorithms, or every algorithm has some of its own, of whatever number. The parts of the
variance, estimates and the procedure; and what seeds that were averaged within splits tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.bricks.estimates import Estimates
from podium.inference.bricks.overall import quadratic
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import (
    SINGLE_STEP,
    Cited,
    DefaultNull,
    Needs,
    Procedure,
    legal_pairs,
)
from podium.questions.targets import BLOCKS, CONDITION_ITEM, INDEPENDENT_SEED_ITEM, SEED_ITEM
from podium.words.facts import REMARK, Note


def shared_runs(layout: Layout) -> Layout:
    """Without the runs that some algorithm lacks altogether, where runs pair the algorithms."""
    y, run, _ = _table(layout)
    shared = ~np.isnan(y).all(axis=1).any(axis=1)
    if BLOCKS[layout.block].unpaired or shared.all():
        return layout
    return layout.only_blocks(shared[run], Note("incomplete-samples", samples=int((~shared).sum())))


def whole_items(layout: Layout) -> Layout:
    """Without the items that some run of some algorithm lacks; says how many these were."""
    y, _, item = _table(layout)
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


def _table(layout: Layout) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
    y, _, _ = _table(layout)
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
)
PROCEDURES = (SEEDS_T,)


# -- seeds within splits --------------------------------------------------------------------------


def split_note(layout: Layout, seeds: Mapping[str, Any]) -> Note:
    """How scores vary between the seeds of a split and between splits, over the algorithms.

    `seeds` is the fact that `reading/tables/seeds.py` makes: means over S seeds vary between
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
