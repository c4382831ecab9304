"""From results of a study that may stop to its layout: every block of the budget, in order."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.errors import InferenceError
from podium.inference.layouts import Layout
from podium.inference.stopping_plan import StoppingPlan
from podium.results.results import Results
from podium.samplings import renamed
from podium.targets import BLOCKS, DATASET, FOLD, REPETITION


def stopped_layout(
    results: Results, measure: str | None = None, target: str = "", dataset: str | None = None
) -> Layout:
    """The layout that a plan is about."""
    assert results.stopping is not None
    assert results.sampling is not None
    plan = StoppingPlan.of(results.stopping)
    if measure is not None and measure != plan.measure:
        raise InferenceError(
            f"This study stopped by '{plan.measure}', and what was run follows from it: other "
            f"measures cannot be tested. Ask for --measure {plan.measure}."
        )
    if dataset is not None and len(results.datasets) > 1:
        raise InferenceError(
            "This study stopped by all its data sets together: leave out --dataset (dataset=)."
        )
    chosen = results.measure(plan.measure)
    values, finished = _cells(results, plan.measure)
    sampling = renamed(results.sampling)
    folds = sampling.folds_per_repeat if sampling.block == FOLD else None
    block = DATASET if plan.few else (REPETITION if folds else sampling.block)
    if target and target != BLOCKS[block].target:
        raise InferenceError(
            f"This study was planned for the target '{BLOCKS[block].target}', not '{target}'."
        )
    per_block = _per_block(results, plan, folds)
    return Layout(
        chosen.sign * _averaged(values, per_block),
        plan.algorithms,
        block,
        BLOCKS[block].target,
        chosen,
        sampling,
        "" if plan.few else results.datasets[0],
        population=results.population,
        labels=tuple(results.datasets) if plan.few else (),
        stopping=plan,
        finished=_all(finished, per_block),
    )


def _cells(results: Results, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores and whether runs are finished: all samples of all data sets x algorithms."""
    keys = ["dataset", "sample", "algorithm"]
    runs = results.runs[[*keys, "status"]]
    found = runs.merge(results.values(measure), on=keys, how="left", sort=False)
    k = len(results.algorithms)
    order = np.lexsort(
        (
            pd.Index(results.algorithms).get_indexer(found["algorithm"]),
            found["sample"].to_numpy(),
            pd.Index(results.datasets).get_indexer(found["dataset"]),
        )
    )
    values = found["value"].to_numpy(float)[order].reshape(-1, k)
    done = (found["status"] != "missing").to_numpy()[order].reshape(-1, k)
    return values, done


def _per_block(results: Results, plan: StoppingPlan, folds: int | None) -> np.ndarray:
    """The number of each sample's block."""
    if plan.few:
        samples = results.runs.groupby("dataset", observed=False)["sample"].nunique()
        return np.repeat(np.arange(len(samples)), samples.to_numpy())
    count = int(results.runs["sample"].max())
    return np.arange(count) // (folds or 1)


def _averaged(values: np.ndarray, block: np.ndarray) -> np.ndarray:
    """Means of blocks; one that lacks a sample is a missing cell, as its mean is another one."""
    frame = pd.DataFrame(values).groupby(block)
    means = frame.mean().to_numpy(float)
    return np.where(frame.count().to_numpy() == frame.size().to_numpy()[:, None], means, np.nan)


def _all(finished: np.ndarray, block: np.ndarray) -> np.ndarray:
    return pd.DataFrame(finished).groupby(block).all().to_numpy(bool)
