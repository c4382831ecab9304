"""Planning from a pilot: its variances, and what more data sets, samples or items would show."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium import presentation
from podium.errors import InferenceError
from podium.facts import Note
from podium.inference.layouts import Layout
from podium.registry import unknown
from podium.results.results import Results
from podium.studies.components import components
from podium.studies.plan import NOUNS, USUAL, Plan, plan
from podium.studies.power import blocks_needed, detectable, power

CHOICES = ("worst", "median")
SAMPLES = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)
REPEATED = ("resample", "simulation")  # replicates of a data set that are independent given it


@dataclass(frozen=True, eq=False, repr=False)
class PilotPlan:
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
    def notes(self) -> tuple[Note, ...]:
        """What a reader must know."""
        return self.plan.notes

    @property
    def datasets(self) -> int:
        """How many data sets (or other blocks) there must be."""
        return self.plan.datasets

    @property
    def best(self) -> dict[str, float]:
        """The allocation with the least compute; empty where there is none."""
        if not len(self.allocations):
            return {}
        return dict(self.allocations.iloc[int(self.allocations["runs"].to_numpy().argmin())])

    def to_dict(self) -> dict[str, Any]:
        """All as plain values, for JSON."""
        return self.plan.to_dict() | {
            "by": self.by,
            "pairs": presentation.plain(self.pairs),
            "allocations": presentation.plain(self.allocations),
        }

    @property
    def _sentence(self) -> str:
        pair = f"For the pair with the {self.by} sd: " if len(self.pairs) > 1 else ""
        return pair + self.plan.sentence

    def __repr__(self) -> str:
        return presentation.text([self._sentence], {"Pairs": self.pairs}, self.notes)

    def _repr_html_(self) -> str:
        return presentation.html([self._sentence], {"Pairs": self.pairs}, self.notes)


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
) -> PilotPlan:
    """A plan from the scores of a pilot.

    Without a difference, the plan is what the pilot (or so many `blocks`) can detect. Of K
    algorithms each of the K(K-1)/2 pairs is tested at its share of alpha, unless `comparisons`
    says otherwise. `cells` are the replicates x algorithms of every data set, where it has
    several; `most` is the largest number of data sets that can be had.
    """
    _check(layout, by, most)
    table = components(cells or list(layout.values[:, None, :]), layout.algorithms)
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
    )
    level: dict[str, Any] = {"alpha": alpha / count, "alternative": alternative}
    pairs = _judged(_in_own_sign(table, layout.sign), difference, target or USUAL, level)
    shared = _allocations(table, by, difference, target or USUAL, level, most)
    notes = (*_notes(table, layout), *_about_most(most, difference, table, shared))
    return PilotPlan(pairs, replace(made, notes=notes), by, shared)


def by_cluster(layout: Layout) -> Layout:
    """Items as their clusters, which are what is independent; other blocks as they are.

    The values have the items' mean and, over clusters, the variance that the t test of clustered
    items uses: g / n times the cluster's sum of deviations from the mean, g clusters of n items.
    """
    if layout.clusters is None:
        return layout
    layout = layout.complete()
    names, place = np.unique(np.asarray(layout.clusters), return_inverse=True)
    n, g = len(layout.values), len(names)
    mean = layout.values.mean(axis=0)
    sums = np.zeros((g, len(mean)))
    np.add.at(sums, place, layout.values - mean)
    text = f"Clusters ({g}, of {n / g:.3g} items on average), not items, are taken as independent."
    notes = (*layout.notes, Note("clusters", text=text))
    made = replace(layout, values=mean + g / n * sums, clusters=None, of_clusters=True)
    return replace(made, notes=notes, labels=())


def counted_blocks(layout: Layout, *, datasets: int | None, items: int | None) -> int | None:
    """How many independent blocks of the pilot's kind so many data sets, or items, are.

    Items in clusters count as so many clusters of the pilot's mean size.
    """
    of_items = layout.block == "item"
    if (datasets if of_items else items) is not None:
        said, way = ("datasets", "items") if of_items else ("items", "datasets")
        raise InferenceError(
            f"The blocks of this pilot are {layout.block_text}: say how many by {way}, not {said}."
        )
    if items is None or layout.clusters is None:
        return datasets if items is None else items
    return int(items * len(np.unique(layout.clusters)) / len(layout.values))


def _block(layout: Layout) -> str:
    return "cluster" if layout.of_clusters else layout.block


def _check(layout: Layout, by: str, most: int | None) -> None:
    if most is not None and most < 2:
        raise InferenceError(f"The largest number of data sets is 2 or more, not {most!r}.")
    if by not in CHOICES:
        raise InferenceError(unknown("choice of a pair", by, CHOICES))
    if layout.block not in NOUNS:
        raise InferenceError(
            "A plan counts data sets, items or simulated samples; more resamples or folds of one "
            "learning sample make any difference significant and nothing about it more certain."
        )
    if len(layout.algorithms) < 2:
        raise InferenceError("A pilot has at least two algorithms.")
    if len(layout.values) < 2:
        raise InferenceError(
            f"A pilot with {len(layout.values)} of its {NOUNS[_block(layout)]} has no variance: "
            "it needs at least two."
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
    found = {"detectable": detectable(sd, count, target, **level)}
    if difference is not None:
        found["power"] = power(difference, sd, count, **level)
        found["needed"] = blocks_needed(difference, sd, target, **level)
    return table.assign(**{k: np.where(usable, v, np.nan) for k, v in found.items()})


def _allocations(
    table: pd.DataFrame,
    by: str,
    difference: float | None,
    target: float,
    level: dict[str, Any],
    most: int | None,
) -> pd.DataFrame:
    """Data sets needed for a number of samples in each, and the fits of one algorithm.

    The sd with r samples is sqrt(between² + resampling² / r), of the pair that is planned for.
    """
    columns = ["samples", "datasets", "runs"]
    row = table.iloc[int(np.nanargmin(np.abs(table["sd"] - _chosen(table, by))))]
    if difference is None or math.isnan(row["resampling_sd"]):
        return pd.DataFrame(columns=columns)
    samples = np.array(SAMPLES)
    sd = np.sqrt(row["between_sd"] ** 2 + row["resampling_sd"] ** 2 / samples)
    counts = blocks_needed(difference, np.maximum(sd, 1e-300), target, **level)
    found = pd.DataFrame({"samples": samples, "datasets": counts, "runs": counts * samples})
    return found[counts <= (most or np.inf)].reset_index(drop=True)


def _notes(table: pd.DataFrame, layout: Layout) -> tuple[Note, ...]:
    notes = []
    least = int(table["datasets"].min())
    if least < 10:
        notes.append(
            Note(
                "few-blocks",
                text=f"The sd of {least} {NOUNS[_block(layout)]} is uncertain: its interval is in the "
                "table; plan with its upper end to be on the safe side.",
            )
        )
    if len(table) > 1:
        text = "Every pair is tested at its share of alpha (Bonferroni); Holm needs no more."
        notes.append(Note("bonferroni", text=text))
    return (*notes, *layout.notes)


def _about_most(
    most: int | None, difference: float | None, table: pd.DataFrame, allocations: pd.DataFrame
) -> tuple[Note, ...]:
    """Why a largest number of data sets led to no number of samples."""
    if most is None or len(allocations):
        return ()
    if difference is None:
        why = "without a difference nothing is needed of them"
    elif table["resampling_sd"].isna().all():
        why = "the pilot cannot tell data sets and samples apart, so more samples are no help"
    else:
        why = f"not even {SAMPLES[-1]} samples in each reach the power for this difference"
    return (Note("most", text=f"No plan for at most {most} data sets: {why}."),)


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
