"""Predictions that a store keeps, of the models of one sample: any measure without refitting."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from podium.base.errors import StoreError
from podium.design.measuring.outputs import DECISION, PREDICTED
from podium.design.measuring.outputs import PROBABILITIES as CHANCES
from podium.execution.itemize import kept_runs
from podium.predictions.measures import named, refuse_unknown
from podium.predictions.predicted import LABELS, NUMBERS, PROBABILITIES, SCORES, Predictions
from podium.predictions.scoring import results_of
from podium.reading.results import Results

OF_KIND = {LABELS: PREDICTED, NUMBERS: PREDICTED, PROBABILITIES: CHANCES, SCORES: DECISION}


def results_of_kept(path: str | Path, measure: str, dataset: str | None, sample: int) -> Results:
    """Results of the kept predictions of one sample by a measure of predictions."""
    rule = named(measure)
    if rule is None:
        refuse_unknown(measure)
    assert rule is not None
    name, facts, runs = kept_runs(path, dataset, sample)
    wanted = [kind for kind in rule.kinds if kind in OF_KIND]
    made = next((p for kind in wanted if (p := _of(kind, facts, runs)) is not None), None)
    if made is None:
        what = " or ".join(wanted) or "other predictions"
        raise StoreError(
            f"'{measure}' needs {what}, which the store '{path}' does not keep of every algorithm "
            f"on '{name}': ask for another measure, or run the study with one that reads {what}."
        )
    return results_of(replace(made, name=name, what=f"The store '{path}'"), measure)


def _of(kind: str, facts: dict[str, Any], runs: dict[str, list[Any]]) -> Predictions | None:
    """The predictions of one kind; None where an algorithm has none, or the task is another one."""
    of_classes = facts["task"] == "classification"
    if of_classes == (kind == NUMBERS) or facts["task"] not in ("classification", "regression"):
        return None
    results = {a: [_rows(part, OF_KIND[kind]) for part in parts] for a, parts in runs.items()}
    if any(part is None for parts in results.values() for part in parts):
        return None
    first = next(iter(results.values()))
    rows, truth = (np.concatenate([part[i] for part in first if part]) for i in (0, 1))
    order = np.argsort(rows, kind="stable")
    if len(np.unique(rows)) < len(rows):
        raise StoreError(
            "This sample has several fits that test the same rows: ask for a loss per item such as "
            "error, which is averaged."
        )
    classes = tuple(map(str, facts["classes"]))
    outputs = {}
    for algorithm, parts in results.items():
        own = np.concatenate([part[0] for part in parts if part])
        values = np.concatenate([part[2] for part in parts if part])
        if not np.array_equal(np.sort(own), rows[order]):
            raise StoreError(f"'{algorithm}' was tested on other rows than the first algorithm.")
        values = values[np.argsort(own, kind="stable")]
        if values.ndim == 2 and len(classes) == 2:
            values = values[:, -1]
        outputs[algorithm] = values.astype(int) if kind == LABELS else values
    truth = truth[order]
    return Predictions(
        kind,
        outputs,
        truth.astype(int) if of_classes else truth.astype(float),
        classes if of_classes else (),
        items=rows[order],
        positive=1 if len(classes) > 1 else 0,
        called={"truth": "y"},
        columns=tuple(outputs),
    )


def _rows(output: Any, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Row numbers, truth and predictions of one fit."""
    rows, message = output
    return (rows, message.y, message.values[kind]) if kind in message.values else None
