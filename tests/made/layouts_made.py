"""Layouts made by hand, for the tests of inference."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from podium import Layout, Measure
from podium.core.inference.layouts import Choices, Crossed, Halvings, Items, Nested, Origin, Stopped
from podium.core.questions.measures import parse
from podium.core.questions.targets import BLOCKS
from podium.core.samplings import parse as sampling
from podium.core.verdicts import score_interval

HOW = {
    "resample": "bootstrap",
    "repetition": "repeated-cv:10x10",
    "simulation": "simulation",
    "fold": "cv:10",
    "item": "items",
    "dataset": "bootstrap",
    "nested": "bootstrap",
    "independent-resample": "bootstrap+independent",
    "independent-simulation": "simulation+independent",
    "training-set": "training-sets:8x64",
    "crossed": "training-sets:8x64",
    "origin": "rolling-origin:20x2",
    "training-run": "seeds+paired",
    "independent-training-run": "seeds",
    "held-out": "cv:10",
    "seed-item": "seeds+paired",
    "independent-seed-item": "seeds",
    "condition-item": "items",
    "timed-run": "runs+paired",
    "independent-timed-run": "runs",
}


PARTS = {
    "origin": Origin,
    "items": Items,
    "crossed": Crossed,
    "choices": Choices,
    "nested": Nested,
    "stopped": Stopped,
}


def parts(**facts: Any) -> dict[str, Any]:
    """The facts of a layout, each in the part that it belongs to."""
    whole = {name: value for name, value in facts.items() if name in PARTS}
    rest = facts.keys() - whole
    for part, kind in PARTS.items():
        own = {f.name: facts[f.name] for f in fields(kind) if f.name in rest}
        rest -= own.keys()
        if own:
            whole[part] = kind(**own)
    return whole | {name: facts[name] for name in rest}


def made(
    scores: ArrayLike,
    *,
    block: str = "resample",
    target: str = "",
    measure: str | Measure = "squared",
    how: str = "",
    names: str = "abcdefghijklmnop",
    **more: Any,
) -> Layout:
    """The layout of scores (blocks x algorithms) in the measure's own sign."""
    values = np.array(scores, float)
    kind = parse(measure)
    several = names[: values.shape[1]] if values.shape[1] <= len(names) else range(values.shape[1])
    return Layout(
        values if kind.higher_is_better else -values,
        tuple(str(n) for n in several),
        block,
        target or BLOCKS[block].target,
        kind,
        **parts(sampling=sampling(how or HOW[block]), **more),
    )


def with_halvings(layout: Layout) -> Layout:
    """The layout with halvings around its means, that scatter as its blocks do."""
    rng = np.random.default_rng(5)
    sd = np.nanstd(layout.values, axis=0) / 3
    inside = np.nanmean(layout.values, axis=0) + sd * rng.normal(size=(10, 2, len(sd)))
    return replace(layout, halvings=Halvings(inside))


def ragged(*columns: ArrayLike) -> np.ndarray:
    """Independent samples of different sizes, filled up by NaN."""
    longest = max(len(np.atleast_1d(c)) for c in columns)
    values = np.full((longest, len(columns)), np.nan)
    for k, column in enumerate(columns):
        values[: len(np.atleast_1d(column)), k] = column
    return values


def crossed(scores: ArrayLike, **more: Any) -> Layout:
    """The layout of training sets x items x algorithms."""
    values = np.array(scores, float)
    sets, items, k = values.shape
    return made(
        values.reshape(-1, k),
        crossed=Crossed(np.repeat(np.arange(sets), items), np.tile(np.arange(items), sets)),
        **{"block": "crossed"} | more,
    )


def of_seeds(scores: ArrayLike, **more: Any) -> Layout:
    """The layout of training runs x items x algorithms; NaN where an algorithm has fewer runs."""
    made = {"block": "independent-seed-item"} | more
    return crossed(scores, **made)


def nested(scores: ArrayLike, **more: Any) -> Layout:
    """The layout of data sets x samples x algorithms."""
    values = np.array(scores, float)
    datasets, samples, k = values.shape
    return made(
        values.reshape(-1, k),
        block="nested",
        within=np.repeat(np.arange(datasets), samples),
        datasets=tuple(f"d{j + 1}" for j in range(datasets)),
        **more,
    )


def of_survey(legal: frozenset[tuple[str, str]]) -> str:
    """The target of a procedure for samples within data sets; empty for other procedures."""
    return next((target for block, target in legal if block == "nested"), "")


def noise(blocks: int, algorithms: int, seed: int = 1) -> np.ndarray:
    """Scores with block effects and unequal means, without ties."""
    rng = np.random.default_rng(seed)
    effects = rng.normal(size=(blocks, 1)) + np.linspace(0, 0.8, algorithms)
    return effects + rng.normal(size=(blocks, algorithms))


def intervals(layout: Layout, alpha: float = 0.05) -> pd.DataFrame:
    """The interval of every algorithm's own expected score, a row each."""
    rows = []
    for column, name in enumerate(layout.algorithms):
        one = score_interval(layout.only([column]), alpha=alpha)
        rows.append((name, one.blocks.count, one.means[name], *vars(one.interval).values()))
    columns = ["algorithm", "blocks", "mean", "lower", "upper", "method"]
    return pd.DataFrame(rows, columns=columns)
