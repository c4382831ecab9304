"""Eugster et al. (2008), section 5: scores of several modes, and the samples behind them.

The number of modes by Silverman's (1981) test with the critical bandwidth, which sample lives in
which mode, and which samples make one algorithm alone fail, traced back to the rows drawn. All of
it is description: samples of one data set are resamples of the same rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

import podium
from podium import samplings
from podium.core.words.phrases import joined, quoted
from podium.errors import PodiumError
from podium.showing.drawing.canvas import entitle, legend, styles
from podium_lab.papers.eugster2008_runs import experiment_study
from podium_lab.papers.replication import Asked, Cell, Measured, Replication, executed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from podium.core.results.results import Results

ALGORITHMS = ("rpart", "nnet", "knn", "lda")
SAMPLES, QUICK = 250, 40
GRID = 400  # points at which a density is computed
RESAMPLES = 200
MOST = 4  # modes that are looked for
LEVEL = 0.05
FEWEST = 20  # samples of which modes are counted
LEAST = 5  # failures from which rows are looked at
ALONE = "samples on which it alone fails"
FAR = 3.0  # deviations from the usual difference that make a failure


# -- modes ----------------------------------------------------------------------------------------


def densities(values: np.ndarray, at: np.ndarray, bandwidth: np.ndarray | float) -> np.ndarray:
    """Normal kernel densities, up to a factor: ... x points of the grid."""
    away = (at - values[..., None]) / np.asarray(bandwidth)
    return np.asarray(np.exp(-0.5 * away**2).sum(axis=-2))


def count_modes(density: np.ndarray) -> np.ndarray:
    """The local maxima of each row; a flat top is one."""
    steps = np.sign(np.diff(density, axis=-1))
    for i in range(1, steps.shape[-1]):  # a flat piece goes on as what was before it
        flat = steps[..., i] == 0
        steps[..., i] = np.where(flat, steps[..., i - 1], steps[..., i])
    return np.asarray(((steps[..., :-1] > 0) & (steps[..., 1:] < 0)).sum(axis=-1))


def grid_of(values: np.ndarray, bandwidth: float) -> np.ndarray:
    """Points that cover the values and what a kernel adds."""
    return np.linspace(values.min() - 4 * bandwidth, values.max() + 4 * bandwidth, GRID)


def critical_bandwidth(values: np.ndarray, modes: int) -> float:
    """The least bandwidth with which the density has no more modes than so many.

    One that is smaller than the step of the grid is not looked for: kernels would fall between.
    """
    low, high = 2 * np.ptp(values) / GRID, float(np.ptp(values))
    for _ in range(30):
        middle = math.sqrt(low * high)
        few = count_modes(densities(values, grid_of(values, middle), middle)) <= modes
        low, high = (low, middle) if few else (middle, high)
    return high


def modes_test(values: np.ndarray, modes: int, rng: np.random.Generator) -> float:
    """Silverman's p-value of no more modes than so many, by the smoothed bootstrap.

    Resamples are shrunk to the variance of the scores (Efron and Tibshirani 1993, section 16.5).
    """
    h = critical_bandwidth(values, modes)
    drawn = rng.choice(values, (RESAMPLES, len(values)))
    noise = h * rng.standard_normal(drawn.shape)
    mean = drawn.mean(axis=1, keepdims=True)
    shrunk = mean + (drawn - mean + noise) / math.sqrt(1 + h**2 / values.var())
    more = count_modes(densities(shrunk, grid_of(values, h), h)) > modes
    return float((1 + more.sum()) / (1 + RESAMPLES))


@dataclass(frozen=True)
class Modes:
    """How many modes scores have, the p-values on the way, and the mode of every score."""

    count: int
    p: tuple[float, ...]  # of at most 1, 2, ... modes
    member: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, rng: np.random.Generator) -> Modes:
        """The first number that is not rejected; never more than there are different scores."""
        different = np.unique(values)
        p: list[float] = []
        while len(p) + 1 < min(MOST, len(different)):
            p.append(modes_test(values, len(p) + 1, rng))
            if p[-1] > LEVEL:
                return cls(len(p), tuple(p), _members(values, len(p)))
        count = len(p) + 1
        if count == len(different):
            return cls(count, tuple(p), np.searchsorted(different, values))
        return cls(count, tuple(p), _members(values, count))


def _members(values: np.ndarray, modes: int) -> np.ndarray:
    """The mode of every score: modes end at the valleys of the density that has so many."""
    h = critical_bandwidth(values, modes)
    at = grid_of(values, h)
    density = densities(values, at, h)
    valleys = (density[1:-1] < density[:-2]) & (density[1:-1] <= density[2:])
    return np.asarray(np.searchsorted(at[1:-1][valleys], values))


# -- samples that make one algorithm fail -----------------------------------------------------


def failures(scores: np.ndarray, algorithm: int) -> np.ndarray:
    """The samples on which an algorithm is far worse than it usually is, and the others are not.

    `scores` are errors, samples x algorithms.
    """
    if scores.shape[1] == 1:
        return far_off(scores[:, 0])
    others = np.median(np.delete(scores, algorithm, axis=1), axis=1)
    return far_off(scores[:, algorithm]) & ~far_off(others)


def far_off(values: np.ndarray) -> np.ndarray:
    """Above the median by more than `FAR` robust standard deviations."""
    centre = np.median(values)
    away = np.abs(values - centre)
    # where most scores are equal their median is 0; both factors make a normal deviation of it
    spread = 1.4826 * np.median(away) or 1.2533 * away.mean()
    return np.asarray(values > centre + FAR * spread)


def telling_rows(drawn: np.ndarray, failed: np.ndarray) -> np.ndarray:
    """How far each row's copies in failed samples are from those in the others, in deviations.

    `drawn` are samples x rows: how often each is learned from.
    """
    n, m = int(failed.sum()), int((~failed).sum())
    if min(n, m) < LEAST:
        return np.zeros(drawn.shape[1])
    gap = drawn[failed].mean(axis=0) - drawn[~failed].mean(axis=0)
    spread = drawn.std(axis=0, ddof=1) * math.sqrt(1 / n + 1 / m)
    return np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)


# -- the item ---------------------------------------------------------------------------------


def modes(request: Asked, *, samples: int | None = None) -> Replication:
    """Modes and failures of four algorithms on MONK-3, run anew."""
    count = samples or (QUICK if request.quick else SAMPLES)
    whole = experiment_study(count, request.seed)
    study = podium.Study(
        list(whole.datasets), [a for a in whole.algorithms if a.name in ALGORITHMS],
        sampling=samplings.bootstrap(count), measures=["error"], seed=whole.seed, name="modes",
    )  # fmt: skip
    wide = executed(study, request).wide("error").dropna().set_index("sample")
    names = [name for name in ALGORITHMS if name in wide]
    data = study.datasets[0]
    assert isinstance(data, podium.Dataset)
    drawn = copies_drawn(study, data, list(wide.index))
    cells = described(wide[names], drawn, np.random.default_rng(request.seed))
    scores = wide[names].to_numpy(float)
    figures = {"modes": partial(_drawn, {n: scores[:, i] for i, n in enumerate(names)})}
    return Replication("eugster2008", "modes", cells, NOTES, len(wide), request.seed, figures)


def copies_drawn(study: podium.Study, data: podium.Dataset, numbers: list[int]) -> np.ndarray:
    """How often each row of a data set is learned from: samples x rows."""
    samples = [study.sampler.sample(data, int(number))[1].splits[0].train for number in numbers]
    return np.stack([np.bincount(rows, minlength=data.n) for rows in samples])


def described(
    errors: pd.DataFrame, drawn: np.ndarray | None, rng: np.random.Generator
) -> list[Cell]:
    """Modes and failures of every algorithm: `errors` are samples x algorithms, less is better.

    `drawn` has how often each row was learned from; without it failures are not traced to rows.
    """
    cells: list[Cell] = []
    scores = errors.to_numpy(float)
    for place, name in enumerate(errors.columns):
        cells += _mode_cells(str(name), scores[:, place], Modes.of(scores[:, place], rng))
        cells += _failure_cells(str(name), failures(scores, place), drawn, list(errors.index))
    return cells


def of_scores(results: Results, measure: str, study: podium.Study | None, seed: int) -> list[Cell]:
    """The same of anybody's scores, data set by data set; rows need the study that drew them."""
    known = {data.name: data for data in study.datasets} if study is not None else {}
    sign = -1.0 if results.measures[measure].higher_is_better else 1.0
    rng, cells = np.random.default_rng(seed), []
    for dataset, block in results.wide(measure).dropna().groupby("dataset", observed=True):
        errors = sign * block.drop(columns="dataset").set_index("sample").astype(float)
        if len(errors) < FEWEST:
            raise PodiumError(
                f"Modes of {dataset} need at least {FEWEST} samples that every algorithm finished; "
                f"it has {len(errors)}."
            )
        data = known.get(str(dataset))
        if study is not None and data is None:
            names = joined([quoted(name) for name in known])
            raise PodiumError(
                f"The study has no data set '{dataset}', but {names}: leave --study out, or give "
                "the one that drew these samples."
            )
        copies = None
        if study is not None and isinstance(data, podium.Dataset):  # a process has no rows
            copies = copies_drawn(study, data, list(errors.index))
        for cell in described(errors, copies, rng):
            cells.append(replace(cell, table=str(dataset)))
    return cells


NOTES = (
    "Description of the samples that were drawn: errors take few values, which a test of modes may "
    "take for modes.",
    f"A failure is a sample on which the algorithm's error is {FAR:g} robust deviations above its "
    "median, and the median of the others is not. Rows are numbered from 1; the p-value "
    "of the most telling one is adjusted for all rows (Bonferroni).",
)


def _mode_cells(name: str, values: np.ndarray, result: Modes) -> list[Cell]:
    tested = ", ".join(f"at most {k}: p = {p:.3f}" for k, p in enumerate(result.p, 1))
    cells: list[Cell] = [
        Measured("modes", name, "number of modes", math.nan, result.count, note=tested)
    ]
    for member in np.unique(result.member):
        own = values[result.member == member]
        note = f"mean {abs(own.mean()):.4f}"
        column = f"share of samples in mode {member + 1}"
        cells.append(Measured("modes", name, column, math.nan, len(own) / len(values), note=note))
    return cells


def _failure_cells(
    name: str, failed: np.ndarray, drawn: np.ndarray | None, numbers: list[int]
) -> list[Cell]:
    which = ", ".join(str(n) for n, bad in zip(numbers, failed, strict=True) if bad)
    cells: list[Cell] = [
        Measured("failures", name, ALONE, math.nan, float(failed.sum()),
                 note=f"numbers {which}" if which else "")
    ]  # fmt: skip
    if drawn is None:
        return cells
    z = telling_rows(drawn, failed)
    row = int(np.argmax(np.abs(z)))
    if not z[row]:
        return cells
    p = min(1.0, 2 * len(z) * float(ndtr(-abs(z[row]))))
    copies = drawn[failed, row].mean(), drawn[~failed, row].mean()
    note = (
        f"row {row + 1}: drawn {copies[0]:.2f} times, {copies[1]:.2f} in other samples; "
        f"p = {p:.3f} for all {len(z)} rows"
    )
    about = "failures", name, "most telling row, z"
    return [*cells, Measured(*about, math.nan, float(z[row]), note=note)]


def _drawn(scores: dict[str, np.ndarray], ax: Axes) -> Axes:
    looks = styles(list(scores))
    for name, style in looks.items():
        values = scores[name]
        h = max(critical_bandwidth(values, MOST) if np.ptp(values) else 0.0, 1e-4)
        at = grid_of(values, h)
        density = densities(values, at, h)
        ax.plot(at, density / density.max(), color=style.colour)
    entitle(ax, x="error", y="density, relative to its highest")
    legend(ax, looks)
    return ax
