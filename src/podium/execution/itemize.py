"""Losses of every test item from kept predictions: fitted models compared item by item."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import StoreError
from podium.base.registry import unknown
from podium.design.data.datasets import task_noun
from podium.design.measuring import losses  # noqa: F401  its formulas add themselves
from podium.design.measuring.outputs import LOSSES, Formula, Output
from podium.execution.predictions import kept_output
from podium.store import Store
from podium.store.store_file import understood

DONE = """
    SELECT runs.id, algorithms.name, EXISTS (SELECT 1 FROM predictions p WHERE p.run = runs.id)
    FROM runs
    JOIN datasets ON datasets.id = runs.dataset JOIN algorithms ON algorithms.id = runs.algorithm
    WHERE failed = 0 AND datasets.name = ? AND datasets.fingerprint = ? AND sample = ?
    ORDER BY runs.id"""


def item_losses(
    path: str | Path, loss: str = "error", dataset: str | None = None, sample: int = 1
) -> pd.DataFrame:
    """The losses of one sample's test items: dataset, algorithm, item (a row number), value.

    Of several fits of a sample the losses of an item are averaged, as scores are.
    """
    computed = LOSSES[loss]
    with Store(path, readonly=True) as store:
        study = store.definitions()[-1]
        store.verified()
        name = _dataset(study, dataset)
        facts = _facts(store, name, study["datasets"][name])
        _check_task(loss, computed, name, facts["task"])
        tables = [
            _of_run(store, run, algorithm, loss, facts)
            for run, algorithm in _newest(store, study, name, sample)
        ]
    if not 1 <= sample <= study["samples"][name]:
        raise StoreError(
            f"'{name}' has the samples 1 to {study['samples'][name]}, and no sample {sample}."
        )
    if not tables:
        raise _none_kept(path, sample, name)
    table = pd.concat(tables, ignore_index=True)
    table = table.groupby(["algorithm", "item"], sort=False, as_index=False)["value"].mean()
    table.insert(0, "dataset", name)
    return table


def is_loss(measure: str) -> bool:
    """Whether a measure is a mean of losses per item."""
    return measure in LOSSES


def kept_runs(
    path: str | Path, dataset: str | None, sample: int
) -> tuple[str, dict[str, Any], dict[str, list[tuple[np.ndarray, Output]]]]:
    """The data set, its facts and, of every algorithm, rows and outputs of a sample's fits."""
    with Store(path, readonly=True) as store:
        study = store.definitions()[-1]
        store.verified()
        name = _dataset(study, dataset)
        facts = _facts(store, name, study["datasets"][name])
        runs = {}
        for run, algorithm in _newest(store, study, name, sample):
            with understood(store.path):
                runs[algorithm] = [
                    (kept.arrays["row"].astype(np.int64), kept_output(kept, facts))
                    for kept in store.kept(run)
                ]
    if not runs:
        raise _none_kept(path, sample, name)
    return name, facts, runs


def _none_kept(path: str | Path, sample: int, name: str) -> StoreError:
    return StoreError(
        f"The store '{path}' keeps no predictions for sample {sample} of '{name}'. Run its "
        'study with keep = ["predictions"].'
    )


def _dataset(study: dict[str, Any], name: str | None) -> str:
    known = list(map(str, study["datasets"]))
    if name is None and len(known) > 1:
        raise StoreError(f"Items are those of one data set: say which, {', '.join(known)}.")
    chosen = known[0] if name is None else name
    if chosen not in known:
        raise StoreError(unknown("data set", chosen, known))
    return chosen


def _facts(store: Store, name: str, fingerprint: str) -> dict[str, Any]:
    rows = store.rows(
        "SELECT facts FROM datasets WHERE name = ? AND fingerprint = ?", (name, fingerprint)
    )
    with understood(store.path):
        facts: dict[str, Any] = json.loads(rows[0][0])
        return facts


def _newest(store: Store, study: dict[str, Any], name: str, sample: int) -> list[tuple[int, str]]:
    """The last kept run of every algorithm of the study, in the study's order."""
    rows = store.rows(DONE, (name, study["datasets"][name], sample))
    for run, *_ in rows:
        store.verify_details(run, run)
    last = {algorithm: run for run, algorithm, is_kept in rows if is_kept}
    return [(last[a], a) for a in study["algorithms"] if a in last]


def _check_task(name: str, loss: Formula, dataset: str, task: str) -> None:
    if task not in loss.tasks:
        raise StoreError(
            f"The loss '{name}' is for {' or '.join(loss.tasks)}; data set '{dataset}' is a "
            f"{task_noun(task)}. Choose another loss."
        )


def _of_run(
    store: Store, run: int, algorithm: str, loss: str, facts: dict[str, Any]
) -> pd.DataFrame:
    parts = []
    for kept in store.kept(run):
        with understood(store.path):
            output = kept_output(kept, facts)
        for kinds in LOSSES[loss].needs:
            if not set(kinds) & set(output.values):
                raise StoreError(
                    f"The loss '{loss}' needs {' or '.join(kinds)}, which '{algorithm}' has not "
                    "given. Choose another loss."
                )
        values = np.asarray(LOSSES[loss].function(output), float)
        rows = kept.arrays["row"].astype(np.int64)
        parts.append(pd.DataFrame({"item": rows, "value": values}))
    table = pd.concat(parts, ignore_index=True)
    table.insert(0, "algorithm", algorithm)
    return table
