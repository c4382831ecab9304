"""Measures of predictions as measures of runs: studies and kept predictions are scored by them."""

from __future__ import annotations

from dataclasses import dataclass

from podium.base.errors import DesignError
from podium.design.measuring.outputs import CLASSES, QUANTITIES, Output, Undefined
from podium.design.measuring.scoring import Computed
from podium.predictions.asked import Rule
from podium.predictions.kept import OF_KIND
from podium.predictions.measures import ECE, TUNED, Named, named, refuse_unknown
from podium.predictions.predicted import NUMBERS, Predictions
from podium.questions.measures import Measure
from podium.reading.cells.measure_names import plain

SPEC = "predictions:"  # before the definition's name, which scikit-learn's may have too


@dataclass(frozen=True)
class RuleScore:
    """Computes a measure of predictions of one output; of two classes it is of the second."""

    typed: str

    def __call__(self, output: Output) -> float:
        """The score of one output."""
        request = _named(self.typed)
        kind = next(k for k in request.kinds if k in OF_KIND and OF_KIND[k] in output.values)
        values = output.get(OF_KIND[kind])
        if values.ndim == 2 and values.shape[1] == 2:
            values = values[:, 1]
        classes = tuple(map(str, range(output.n_classes)))
        made = Predictions(kind, {"": values}, output.y, classes, positive=min(1, len(classes)))
        _check_classes(request.rule, made)
        asked = request.of(made)
        if asked.rule.losses is not None:
            return float(asked.rule.losses(asked, values).mean())
        assert asked.rule.influence is not None
        return asked.rule.influence(asked, values).value


def _check_classes(rule: Rule, p: Predictions) -> None:
    if p.classes and (rule.least or rule.two) and (p.counts == 0).any():
        raise Undefined(f"the test sample lacks a class, and {rule.name} compares classes")


def _named(typed: str) -> Named:
    request = named(typed)
    if request is None:
        raise Undefined(f"'{typed}' is no measure of predictions")
    return request


def computed_measure(name: str) -> Computed | None:
    """The measure of predictions that a name means, computed per run; None where it is none."""
    request = named(name)
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
