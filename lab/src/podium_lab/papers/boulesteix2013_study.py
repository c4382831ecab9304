"""A study of the shape of boulesteix2013, Figure 3, on simulated expression data.

Diagonal discriminants with 10, 20, 500 and all genes, chosen by t tests, on data sets of which each
has a distribution of its own. A second data set from every distribution tells the two variances of
their equation (4) apart, which the paper's design cannot.

The population of two-class data sets with many more genes than rows stands in for the 50 microarray
data sets of the paper, which cannot be had. Genes are normal and correlated within blocks, some of
them differ between the classes (as their Section 2 describes simulations); how many, by how much,
the correlation and all sizes vary from data set to data set.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

import podium
from podium.asking.planning.pilot import PilotPlan, components
from podium.running.design.data.datasets import Dataset, dataset
from podium.showing.plots.of_scores.differences_plots import deviations, differences
from podium.showing.plots.of_scores.score_plots import boxes
from podium_lab.papers.replication import Asked, Cell, Replication, executed, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DATASETS, FEW_DATASETS = 50, 10
SPLITS, FEW_SPLITS = 300, 10
LEARNED = 0.8  # of the rows of a data set
VARIABLES = {"DLDA-all": "all", "DLDA-500": 500, "DLDA-20": 20, "DLDA-10": 10}
OTHER = "another population"
DELTA = 0.05  # the difference of Figure 2, right
ROWS, GENES = (40, 200), (1000, 3000)
BLOCKS = (5, 50)  # genes in a block
LEAST = 5  # genes that differ between the classes
PART = 0.3  # of all genes: the most that differ


# -- the population -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expression:
    """One distribution of the population, with the size of a data set."""

    rows: int
    share: float  # of the second class
    block: np.ndarray  # of every gene
    correlation: float  # within a block
    shift: np.ndarray  # of every gene in the second class

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Expression:
        """A distribution drawn from the population."""
        genes, size = _between(rng, GENES), _between(rng, BLOCKS)
        differing = rng.permutation(genes)[: _between(rng, (LEAST, PART * genes))]
        shift = np.zeros(genes)
        shift[differing] = rng.normal(0, rng.uniform(0.2, 1.0), len(differing))
        return cls(
            _between(rng, ROWS),
            rng.uniform(0.3, 0.7),
            np.arange(genes) // size,
            rng.uniform(0, 0.8),
            shift,
        )

    def dataset(self, name: str, rng: np.random.Generator) -> Dataset:
        """A data set of this distribution; both classes have at least a fifth of the rows."""
        least = math.ceil(self.rows / 5)
        ones = int(np.clip(rng.binomial(self.rows, self.share), least, self.rows - least))
        y = rng.permutation(np.arange(self.rows) < ones)
        common = rng.standard_normal((self.rows, self.block[-1] + 1))[:, self.block]
        own = rng.standard_normal((self.rows, len(self.block)))
        x = math.sqrt(self.correlation) * common + math.sqrt(1 - self.correlation) * own
        return dataset(name, x + y[:, None] * self.shift, np.where(y, "b", "a"))


def _between(rng: np.random.Generator, ends: tuple[float, float]) -> int:
    """A whole number, small ones as likely as large ones on a logarithmic scale."""
    return round(math.exp(rng.uniform(*np.log(ends))))


def twins(count: int, seed: int) -> list[tuple[Dataset, Dataset]]:
    """From each of so many distributions two data sets: the study's own and an independent one.

    The first ones do not depend on the count.
    """
    made = []
    for number in range(1, count + 1):
        process = Expression.drawn(np.random.default_rng([seed, number]))
        first, second = (np.random.default_rng([seed, number, twin]) for twin in (1, 2))
        made.append(
            (process.dataset(f"set{number}", first), process.dataset(f"set{number} again", second))
        )
    return made


# -- the study ------------------------------------------------------------------------------------


def figure3(
    request: Asked, *, datasets: int | None = None, splits: int | None = None
) -> Replication:
    """Differences of four discriminants over data sets; a store keeps the finished runs."""
    theirs = printed("boulesteix2013_table1")
    count = datasets or (FEW_DATASETS if request.quick else DATASETS)
    times = splits or (FEW_SPLITS if request.quick else SPLITS)
    made = study(count, times, request.seed)
    results = executed(made, request)
    own = results.filter(dataset=[data.name for data in made.datasets[::2]])
    plan = podium.plan(pilot=own, difference=DELTA, alternative="greater", comparisons=1)
    assert isinstance(plan, PilotPlan)
    notes = [*_about(count, times), *_tests(own, theirs), *_variances(results, plan), _needed(plan)]
    return Replication(
        "boulesteix2013",
        "figure3",
        _cells(theirs, plan.pairs),
        notes,
        count,
        request.seed,
        figures=_figures(own, theirs),
    )


def study(datasets: int, splits: int, seed: int) -> podium.Study:
    """Two data sets of every distribution, one after the other."""
    return podium.Study(
        [data for pair in twins(datasets, seed) for data in pair],
        [podium.algorithm(name, "dlda", variables=v) for name, v in VARIABLES.items()],
        sampling=podium.samplings.subsampling(LEARNED, splits),
        measures="error",
        seed=seed,
        name="expression",
        population="simulated two-class expression data",
    )


def _of_pair(table: pd.DataFrame, line: pd.Series) -> pd.Series:
    """The row of a pair, in whatever order it stands there."""
    both, pairs = {line["first"], line["second"]}, zip(table["first"], table["second"], strict=True)
    return table[[set(pair) == both for pair in pairs]].iloc[0]


def _cells(theirs: pd.DataFrame, pairs: pd.DataFrame) -> list[Cell]:
    """Mean differences and their sds, with the errors that the choice of data sets gives them."""
    cells = []
    for name, line in theirs.iterrows():
        mean, sd = float(line["difference"]), implied_sd(line)
        row = _of_pair(pairs, line)
        ours, spread, count = (float(row[c]) for c in ("difference", "sd", "datasets"))
        ours = ours if row["first"] == line["first"] else -ours
        error = math.hypot(sd / math.sqrt(DATASETS), spread / math.sqrt(count))
        cells.append(Cell("figure3", str(name), "difference", mean, ours, error, 0.0005, OTHER))
        error = math.hypot(sd / math.sqrt(2 * DATASETS - 2), spread / math.sqrt(2 * count - 2))
        cells.append(Cell("figure3", str(name), "sd", sd, spread, error, 0.0, OTHER))
    return cells


def implied_sd(line: pd.Series) -> float:
    """The sd of the differences that a printed mean and t have."""
    return float(line["difference"]) * math.sqrt(DATASETS) / float(line["t"])


def _about(count: int, splits: int) -> list[str]:
    return [
        "The 50 microarray data sets of the paper cannot be had. Ours are simulated: another "
        "population, so that cells need not agree. Standard errors are of the choice of data sets.",
        f"{count} data sets, {splits} random splits each; theirs 50 and 300. Their sds are those "
        "that the printed differences and t have.",
    ]


def _tests(own: podium.Results, theirs: pd.DataFrame) -> list[str]:
    """The one-sided tests of Table 1 on our data sets."""
    pairs = list(zip(theirs["first"], theirs["second"], strict=True))
    t, w = (
        podium.compare(own, procedure, pairs=pairs, alternative="greater").table
        for procedure in ("paired-t", "wilcoxon")
    )
    texts = [
        f"{name}: t = {t['statistic'][i]:.2f}, p = {t['p'][i]:.2g}; Wilcoxon p = {w['p'][i]:.2g}"
        for i, name in enumerate(theirs.index)
    ]
    return [f"One-sided, each pair alone, as in Table 1. {'. '.join(texts)}."]


def _variances(results: podium.Results, plan: PilotPlan) -> list[str]:
    """Equation (4): what the sd of a difference over data sets consists of."""
    means = results.values("error").groupby(["dataset", "algorithm"], observed=True)["value"].mean()
    wide = means.unstack().reindex(results.datasets)[results.algorithms].to_numpy(float)
    cells = list(wide.reshape(-1, 2, wide.shape[1]))  # data sets of one distribution
    parts = components(cells, tuple(results.algorithms))
    noise = plan.pairs["resampling_sd"] / plan.pairs["samples"] ** 0.5
    texts = [
        f"{row['first']} - {row['second']}: {row['between_sd']:.3f}, {row['resampling_sd']:.3f}, "
        f"{random:.3f}"
        for (_, row), random in zip(parts.iterrows(), noise, strict=True)
    ]
    return [
        "Equation (4): the sd of the true differences between distributions, that of a data set's "
        "estimate about its own (from a second data set of each distribution), and the part of the "
        f"latter that more splits would remove. {'; '.join(texts)}."
    ]


def _needed(plan: PilotPlan) -> str:
    counts, power = plan.pairs["needed"], plan.pairs["power"]
    datasets = int(plan.pairs["datasets"].min())
    return (
        f"With our sds, a difference of {DELTA} is shown with power 0.8 by {counts.min():.0f} to "
        f"{counts.max():.0f} data sets, by the pair; {datasets} have a power of "
        f"{power.min():.2f} to {power.max():.2f}."
    )


def _figures(own: podium.Results, theirs: pd.DataFrame) -> dict[str, Callable[[Axes], Axes]]:
    pairs = list(zip(theirs["first"], theirs["second"], strict=True))
    return {
        "figure3-errors": lambda ax: boxes(own, sort=False, ax=ax),
        "figure3-differences": lambda ax: differences(own, pairs, ax=ax),
        "figure1": lambda ax: deviations(own, ax=ax),
    }
