"""Figures 1 and 3 of boulesteix2013 on a real collection of data sets, another one than theirs.

The raw scores of Eugster, Hothorn & Leisch (2008): six algorithms on 250 bootstrap samples of 21
data sets. What the paper shows of its own collections is looked for in this one; there is no number
to agree with.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

import podium
from podium.asking.planning.pilot import PilotPlan
from podium.asking.planning.power import blocks_needed
from podium.showing.plots.of_scores.differences_plots import deviations, differences
from podium.showing.plots.of_scores.score_plots import boxes
from podium_lab.papers.boulesteix2013_study import DELTA
from podium_lab.papers.eugster2008_data import survey
from podium_lab.papers.replication import Asked, Cell, Finding, Replication

USUAL = 10  # data sets at most: 5 to 10 are called usual (Section 4)


def collection(request: Asked) -> Replication:
    """How far differences spread over data sets, and how many would show one of 0.05."""
    results = survey(request.data, forest=True)
    plan = podium.plan(pilot=results, difference=DELTA, alternative="greater", comparisons=1)
    assert isinstance(plan, PilotPlan)
    return Replication(
        "boulesteix2013",
        "collection",
        [*_spreads(plan.pairs), *_needed(plan.pairs)],
        [_about(plan.pairs, len(results.datasets))],
        figures={
            "collection-figure1": lambda ax: deviations(results, ax=ax),
            "collection-figure3-errors": lambda ax: boxes(results, sort=False, ax=ax),
            "collection-figure3-differences": lambda ax: differences(results, ax=ax),
        },
    )


def _spreads(pairs: pd.DataFrame) -> Iterator[Cell]:
    """Figure 1 and Section 4: sds over data sets are large beside the differences themselves."""
    for row in pairs.itertuples():
        yield Finding(
            "Figure 1", f"{row.first} - {row.second}", "sd over data sets", math.nan,
            float(row.sd), holds=row.sd > abs(row.difference),
            note=f"mean difference {row.difference:.3f}")  # fmt: skip


def _needed(pairs: pd.DataFrame) -> Iterator[Cell]:
    """Figure 3 and Section 3: a usual number of data sets is too small for a difference of 0.05.

    By the paper's t test; a plan from a pilot counts for the test that would be used here.
    """
    counts = blocks_needed(DELTA, pairs["sd"].to_numpy(float), 0.8, alternative="greater")
    for row, needed in zip(pairs.itertuples(), np.atleast_1d(counts).tolist(), strict=True):
        yield Finding(
            "Figure 3", f"{row.first} - {row.second}", f"data sets for {DELTA}, power 0.8",
            math.nan, float(needed), holds=needed > USUAL)  # fmt: skip


def _about(pairs: pd.DataFrame, datasets: int) -> str:
    noise = float((pairs["resampling_sd"] / pairs["samples"] ** 0.5).max())
    return (
        f"{datasets} data sets of another population than the paper's. Sds over data sets are "
        f"{pairs['sd'].min():.3f} to {pairs['sd'].max():.3f}; resampling leaves at most "
        f"{noise:.4f} of noise in a difference, so that more samples would not help, and more data "
        "sets would. Findings hold where the sd exceeds the mean difference, and where the usual "
        f"{USUAL} data sets are too few."
    )
