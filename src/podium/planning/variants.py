"""How much the best of several variants is overrated on the data sets that chose it.

Whoever tries m variants of a method and reports the best one reports a maximum. How large that is
where all of them are equally good, a pilot tells: its blocks are drawn anew, all means made equal,
so that it lends its spread and its correlations, and not its differences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.layouts.layouts import Layout
from podium.planning.words import planned_noun, variants_sentence
from podium.words.facts import Note
from podium.words.presentation import Presented

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

    def _said(self) -> list[str]:
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
