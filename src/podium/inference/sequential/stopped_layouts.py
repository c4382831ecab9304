"""From results of a study that may stop to its layout: every block of the budget, in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.layouts.layouts import Items, Layout, Origin, Stopped
from podium.inference.numbers.boundaries import StoppingPlan
from podium.questions.targets import BLOCKS, DATASET, FOLD, ITEM, REPETITION
from podium.reading.results import Results
from podium.samplings import renamed

PLACES = "places"  # in a queue, of the samples of a table


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
    if PLACES in results.facts.get(results.datasets[0], {}):
        return _queued(results, plan, target)
    if tuple(results.algorithms) != plan.algorithms:
        raise InferenceError(
            "This study was planned for all its algorithms together "
            f"({', '.join(plan.algorithms)}): compare them all, without leaving some out."
        )
    chosen = results.measure(plan.measure)
    values, finished = _cells(results, plan.measure)
    sampling = renamed(results.sampling)
    folds = sampling.folds_per_repeat if sampling.block == FOLD else None
    block = DATASET if plan.few else (REPETITION if folds else sampling.block)
    _check_target(target, block)
    per_block = _per_block(results, plan, folds)
    return Layout(
        chosen.sign * _averaged(values, per_block),
        plan.algorithms,
        block,
        BLOCKS[block].target,
        chosen,
        labels=tuple(results.datasets) if plan.few else (),
        origin=Origin(
            sampling=sampling,
            dataset="" if plan.few else results.datasets[0],
            population=results.population,
        ),
        stopped=Stopped(plan=plan, finished=_all(finished, per_block)),
    )


def _check_target(target: str, block: str) -> None:
    if target and target != BLOCKS[block].target:
        raise InferenceError(
            f"This study was planned for the target '{BLOCKS[block].target}', not '{target}'."
        )


def _queued(results: Results, plan: StoppingPlan, target: str) -> Layout:
    """Of items in an order that was drawn: all that were queued, evaluated or not."""
    _check_target(target, ITEM)
    facts, chosen = results.facts[results.datasets[0]], results.measure(plan.measure)
    table = results.values(plan.measure)
    blocks = np.array(facts["queue_blocks"])
    place = np.array(facts[PLACES])[table["sample"].to_numpy() - 1]
    algorithm = pd.Index(plan.algorithms).get_indexer(table["algorithm"])
    values = np.full((len(blocks), len(plan.algorithms)), np.nan)
    values[place, algorithm] = table["value"].to_numpy(float)
    finished = _all(~np.isnan(values), blocks)
    return Layout(
        chosen.sign * _averaged(values, blocks),
        plan.algorithms,
        ITEM,
        BLOCKS[ITEM].target,
        chosen,
        notes=tuple(results.notes),
        origin=Origin(
            sampling=results.sampling, dataset=results.datasets[0], population=results.population
        ),
        items=Items(of_clusters=len(np.unique(blocks)) < len(blocks)),
        stopped=Stopped(plan=_up_to_now(plan, finished), finished=finished),
    )


def _up_to_now(plan: StoppingPlan, finished: np.ndarray) -> StoppingPlan:
    """Without a budget any time may be looked at, also this one."""
    now = int(np.cumprod(finished.all(axis=1)).sum())
    if not plan.open or now < plan.looks[0]:
        return plan
    return replace(plan, looks=tuple(sorted({*plan.looks, now})))


def _cells(results: Results, measure: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores and whether runs are finished: all samples of all data sets x algorithms."""
    keys = ["dataset", "sample", "algorithm"]
    runs = results.runs[[*keys, "status"]]
    cells = runs.merge(results.values(measure), on=keys, how="left", sort=False)
    k = len(results.algorithms)
    order = np.lexsort(
        (
            pd.Index(results.algorithms).get_indexer(cells["algorithm"]),
            cells["sample"].to_numpy(),
            pd.Index(results.datasets).get_indexer(cells["dataset"]),
        )
    )
    values = cells["value"].to_numpy(float)[order].reshape(-1, k)
    done = (cells["status"] != "missing").to_numpy()[order].reshape(-1, k)
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
