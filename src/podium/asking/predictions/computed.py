"""Measures of predictions as measures of runs, and the predictions that a store keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from podium.asking.predictions.measures import ECE, TUNED, Named, refuse_unknown, rule_named
from podium.asking.predictions.predicted import (
    LABELS,
    NUMBERS,
    PROBABILITIES,
    SCORES,
    Predictions,
    Rule,
)
from podium.asking.predictions.scoring import results_of
from podium.core.base.errors import DesignError, StoreError
from podium.core.questions.measures import Measure
from podium.core.results.measure_names import plain
from podium.core.results.results import Results
from podium.running.design.measuring.outputs import (
    CLASSES,
    DECISION,
    PREDICTED,
    QUANTITIES,
    Output,
    Undefined,
)
from podium.running.design.measuring.outputs import PROBABILITIES as CHANCES
from podium.running.design.measuring.scoring import Computed
from podium.running.execution.predictions import kept_runs

# -- kept -----------------------------------------------------------------------------------------
# Predictions that a store keeps, of the models of one sample: any measure without refitting.


OF_KIND = {LABELS: PREDICTED, NUMBERS: PREDICTED, PROBABILITIES: CHANCES, SCORES: DECISION}


def results_of_kept(path: str | Path, measure: str, dataset: str | None, sample: int) -> Results:
    """Results of the kept predictions of one sample by a measure of predictions."""
    rule = rule_named(measure)
    if rule is None:
        refuse_unknown(measure)
    assert rule is not None
    name, facts, runs = kept_runs(path, dataset, sample)
    wanted = [kind for kind in rule.kinds if kind in OF_KIND]
    made = next(
        (p for kind in wanted if (p := _predictions_of_kind(kind, facts, runs)) is not None), None
    )
    if made is None:
        what = " or ".join(wanted) or "other predictions"
        raise StoreError(
            f"'{measure}' needs {what}, which the store '{path}' does not keep of every algorithm "
            f"on '{name}': ask for another measure, or run the study with one that reads {what}."
        )
    return results_of(replace(made, name=name, what=f"The store '{path}'"), measure)


def _predictions_of_kind(
    kind: str, facts: dict[str, Any], runs: dict[str, list[Any]]
) -> Predictions | None:
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


# -- measures of predictions as measures of runs --------------------------------------------------
# Studies and kept predictions are scored by them.


SPEC = "predictions:"  # before the definition's name, which scikit-learn's may have too


@dataclass(frozen=True)
class RuleScore:
    """Computes a measure of predictions of one output; of two classes it is of the second."""

    typed: str

    def __call__(self, output: Output) -> float:
        """The score of one output."""
        request = _known_rule(self.typed)
        kind = next(k for k in request.kinds if k in OF_KIND and OF_KIND[k] in output.values)
        values = output.get(OF_KIND[kind])
        if values.ndim == 2 and values.shape[1] == 2:
            values = values[:, 1]
        classes = tuple(map(str, range(output.n_classes)))
        made = Predictions(kind, {"": values}, output.y, classes, positive=min(1, len(classes)))
        _check_classes(request.rule, made)
        request_made = request.of(made)
        if request_made.rule.losses is not None:
            return float(request_made.rule.losses(request_made, values).mean())
        assert request_made.rule.influence is not None
        return request_made.rule.influence(request_made, values).value


def _check_classes(rule: Rule, p: Predictions) -> None:
    if p.classes and (rule.least or rule.two) and (p.counts == 0).any():
        raise Undefined(f"the test sample lacks a class, and {rule.name} compares classes")


def _known_rule(typed: str) -> Named:
    request = rule_named(typed)
    if request is None:
        raise Undefined(f"'{typed}' is no measure of predictions")
    return request


def computed_measure(name: str) -> Computed | None:
    """The measure of predictions that a name means, computed per run; None where it is none."""
    request = rule_named(name)
    if request is None:
        if _is_refused(name):
            refuse_unknown(name)
        return None
    kinds = [kind for kind in request.kinds if kind in OF_KIND]
    if not kinds:
        return None
    if "of_class" in request.said:
        raise DesignError(
            f"'{name}': of runs a measure of one class is of the second. Leave the class out, or "
            "analyze the kept predictions: --sampling items."
        )
    rule, typed = request.rule, request.typed
    spec = f"{SPEC}{typed.lower()}"
    value = Measure(typed, rule.higher, rule.bounds, rule.unit, spec, words=rule.words)
    needs = (tuple(dict.fromkeys(OF_KIND[kind] for kind in kinds)),)
    return Computed(value, RuleScore(typed), needs, QUANTITIES if kinds == [NUMBERS] else CLASSES)


def _is_refused(name: str) -> bool:
    return plain(name) in ECE or plain(name).startswith(TUNED)
