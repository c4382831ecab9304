"""Notes: what a reader of comparisons must know besides the numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from podium.facts import Note
from podium.inference.adjustments import (
    PARTITIONS_UP_TO,
)
from podium.inference.found import Found
from podium.inference.layouts import Layout
from podium.inference.nulls import LEAST_BLOCKS
from podium.inference.procedures import Procedure
from podium.inference.related import EXHAUSTIVE_UP_TO
from podium.inference.requests import Request
from podium.inference.scores import nearly_tied
from podium.inference.series import MANY_ORIGINS, horizon
from podium.inference.sphericity import unlike

FEW_DATASETS = 10
OVER_SHARED = "over the blocks that both algorithms have"


def notes(layout: Layout, procedure: Procedure, request: Request, found: Found) -> Iterator[Note]:
    """All that is worth saying about how the pairs were judged."""
    yield from _about_datasets(layout)
    yield from _about_layout(layout, procedure, found)
    yield from _about_pairs(request, found)
    yield from _about_adjustment(layout, request, found)


def _about_datasets(layout: Layout) -> Iterator[Note]:
    """Few data sets, of those that were not left out."""
    if layout.target != "dataset-population":
        return
    count = len(layout.values if layout.within is None else np.unique(layout.within))
    if count < FEW_DATASETS:
        yield Note("few-data-sets", text=f"Only {count} data sets: power is low.")


def _about_layout(layout: Layout, procedure: Procedure, found: Found) -> Iterator[Note]:
    unequal = unlike(layout.by_dataset()) if procedure.spherical else None
    if unequal is not None:
        yield Note(
            "sphericity",
            text=f"The differences do not vary alike (epsilon {unequal:.2f}, 1 is equal), which "
            f"'{procedure.name}' assumes; paired-t does not.",
        )
    if procedure.unpaired:
        yield from _about_sizes(layout)
    elif layout.has_gaps:
        by = "the model's, which allows for the gaps" if found.estimates.model else OVER_SHARED
        text = (
            f"Means are over the blocks that an algorithm has; estimates of differences are {by}."
        )
        yield Note("gaps", text=text)
    if found.estimates.model is not None and not found.estimates.model.connected:
        yield Note(
            "disconnected",
            text="Some algorithms share no block, not even through others: their differences rest on "
            "comparisons between blocks.",
        )
    if layout.clusters is not None:
        count = len(np.unique(layout.clusters))
        yield Note(
            "clusters", text=f"Clusters of items ({count}), not items, are taken as independent."
        )
    if procedure.ordered:
        yield from _about_origins(layout)
    if procedure.samplings == ("5x2cv",):
        low, high = np.sort(layout.sign * layout.values.ravel())[[0, -1]]
        yield Note(
            "check-scores",
            text=f"Look at the ten scores of each algorithm before trusting this test: they range from "
            f"{low:.3g} to {high:.3g}, and wild variation spoils it (dietterich1998).",
        )
    if procedure.ranks_differences and nearly_tied(layout.values):
        yield Note(
            "rounding",
            text="Some differences are equal but for rounding errors, by which ranks tell them "
            "apart (as R and scipy do); whole numbers, such as counts of errors, avoid this.",
        )


def _about_origins(layout: Layout) -> Iterator[Note]:
    steps, count = horizon(layout), len(layout.values)
    if steps > 1 and count < MANY_ORIGINS * steps:
        yield Note(
            "few-origins",
            text=f"{count} origins are few for forecasts {steps} windows ahead, so the test is liberal "
            "(10 instead of 5 % with 20 origins three rows ahead, 19 % for five algorithms); take "
            "p-values near alpha for larger ones, or draw more origins.",
        )


def _about_sizes(layout: Layout) -> Iterator[Note]:
    """Samples that differ in size: perhaps runs failed, perhaps no more were drawn."""
    counts = (~np.isnan(layout.values)).sum(axis=0)
    if np.ptp(counts):
        fewer = [f"{a}: {n}" for a, n in zip(layout.algorithms, counts, strict=True)]
        yield Note(
            "unequal-sizes",
            text=f"The algorithms differ in their numbers of samples ({', '.join(fewer[:5])}"
            f"{', ...' if len(fewer) > 5 else ''}); where scores are missing because runs failed, "
            "those that failed look better than they are.",
        )


def _about_pairs(request: Request, found: Found) -> Iterator[Note]:
    constant = np.isnan(found.tested)
    if constant.any() and found.procedure.unpaired:
        yield Note(
            "no-variation",
            text=f"The scores of {_named(request, constant)} do not vary: there is nothing to judge "
            "their difference by with this procedure; steel-dwass can.",
        )
    elif constant.any():
        yield Note(
            "no-variation",
            text=f"The difference between {_named(request, constant)} is the same in every "
            "block: there is nothing to judge it by with this procedure; sign and wilcoxon can, "
            "where they are legal.",
        )
    for remark in dict.fromkeys(r for r in found.remarks if r):
        said = np.array([r == remark for r in found.remarks])
        yield Note("estimate", text=f"{remark}: {_named(request, said)}.")
    opposite = (found.t * found.in_units < 0) & (found.adjusted <= request.alpha)
    if opposite.any():
        yield Note(
            "direction",
            text=f"The test and the means disagree on which is better of "
            f"{_named(request, opposite)}; the verdict is the test's.",
        )


def _named(request: Request, which: np.ndarray) -> str:
    """The first of some pairs, by their names."""
    chosen = [request.labels[i] for i in np.flatnonzero(which)[:3]]
    return ", ".join(f"{a} and {b}" if b else a for a, b in chosen)


def _is_rough(layout: Layout, found: Found) -> bool:
    """Whether many covariances were estimated from few blocks (7 to 12 % at 10 blocks)."""
    df = found.estimates.df
    estimated = not callable(df) and np.isfinite(df)  # sums have no df, the mixed model its own
    return bool(estimated) and len(layout.values) < LEAST_BLOCKS and len(layout.algorithms) > 2


def _about_adjustment(layout: Layout, request: Request, found: Found) -> Iterator[Note]:
    if request.adjust.name == "closed" and len(layout.algorithms) > PARTITIONS_UP_TO:
        yield Note(
            "ryan",
            text=f"More than {PARTITIONS_UP_TO} algorithms: subsets at Ryan's levels instead of "
            "partitions.",
        )
    if request.adjust.name == "bergmann-hommel" and len(layout.algorithms) > EXHAUSTIVE_UP_TO:
        yield Note(
            "shaffer",
            text=f"More than {EXHAUSTIVE_UP_TO} algorithms: Shaffer's p-values instead of Bergmann and "
            "Hommel's.",
        )
    if request.adjust.name in ("hochberg", "hommel", "bh"):
        yield Note("adjustment", text=f"{request.adjust.text}.")
    if request.adjust.name in ("single-step", "step-down") and _is_rough(layout, found):
        yield Note(
            "few-blocks",
            text=f"With {len(layout.values)} blocks a joint t of estimated covariances is somewhat "
            "liberal; sidak or holm are safe.",
        )
    if request.adjust.name == "none" and len(request.labels) > 1:
        yield Note("unadjusted", text=f"{len(request.labels)} pairs and no adjustment.")
