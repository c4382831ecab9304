"""How measures are computed: loss x functional, AUC, scikit-learn's scorers, a user's own.

A measure reads an `Output`: what an algorithm said about a test sample. Kept outputs can be read
again later, so a new measure needs no refit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from podium import measures
from podium.design.clusters import adjusted_rand, silhouette
from podium.design.datasets import TASKS, Dataset, check_name, task_noun
from podium.design.identity import description, fingerprint
from podium.design.outputs import (
    CURVES,
    DECISION,
    LOG_DENSITY,
    OUTPUTS,
    PREDICTED,
    PROBABILITIES,
    Needs,
    Undefined,
)
from podium.design.outputs import (
    Output as Output,
)
from podium.design.processes import Process
from podium.design.scorers import sklearn_scorer
from podium.design.survival import concordance, integrated_brier
from podium.errors import DesignError
from podium.measures import Measure
from podium.registry import Registry, unknown

ATTRIBUTES, LABELS = "attributes", "labels"  # what a measure may ask for beside predictions


class Scorer(Protocol):
    """What computes a measure."""

    def __call__(self, output: Output, /) -> float:
        """The score of one output."""


@dataclass(frozen=True)
class Computed:
    """A measure with its way of being computed."""

    measure: Measure
    score: Scorer
    needs: Needs = ((PREDICTED,),)
    tasks: tuple[str, ...] = TASKS
    asks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The measure's name."""
        return self.measure.name

    def _repr_html_(self) -> str:
        return self.measure._repr_html_()


# -- losses: one number per observation -------------------------------------------------------


@dataclass(frozen=True)
class Loss:
    """A loss per observation, the output it reads and the tasks that it makes sense for."""

    function: Callable[[Output], np.ndarray]
    needs: Needs
    tasks: tuple[str, ...]


def _error(o: Output) -> np.ndarray:
    return (o.y != o.get(PREDICTED)).astype(float)


def _accuracy(o: Output) -> np.ndarray:
    return (o.y == o.get(PREDICTED)).astype(float)


def _squared(o: Output) -> np.ndarray:
    return np.square(o.y - o.get(PREDICTED))


def _absolute(o: Output) -> np.ndarray:
    return np.abs(o.y - o.get(PREDICTED))


def _log(o: Output) -> np.ndarray:
    p = o.get(PROBABILITIES)
    said = p[np.arange(len(p)), o.y] / p.sum(axis=1)
    return -np.log(np.clip(said, np.finfo(float).eps, None))  # a sure error is not infinitely bad


def _brier(o: Output) -> np.ndarray:
    p = o.get(PROBABILITIES)
    loss = np.square(p - np.eye(o.n_classes)[o.y]).sum(axis=1)
    return np.asarray(loss / 2 if o.n_classes == 2 else loss)  # Brier's own range is 0..2


def _log_density(o: Output) -> np.ndarray:
    return o.get(LOG_DENSITY)


CLASSES, QUANTITIES, CLUSTERS = ("classification",), ("regression",), ("clustering",)
LOSSES: Registry[Loss] = Registry("loss")
LOSSES.add("error", Loss(_error, ((PREDICTED,),), CLASSES))
LOSSES.add("accuracy", Loss(_accuracy, ((PREDICTED,),), CLASSES))
LOSSES.add("squared", Loss(_squared, ((PREDICTED,),), QUANTITIES))
LOSSES.add("absolute", Loss(_absolute, ((PREDICTED,),), QUANTITIES))
LOSSES.add("log-loss", Loss(_log, ((PROBABILITIES,),), CLASSES))
LOSSES.add("brier", Loss(_brier, ((PROBABILITIES,),), CLASSES))
LOSSES.add("log-likelihood", Loss(_log_density, ((LOG_DENSITY,),), ("density",)))


# -- functionals: from losses to one number -----------------------------------------------------


def _quantile(q: float) -> Callable[[np.ndarray], float]:
    def quantile(losses: np.ndarray) -> float:
        """The ⌈q·m⌉-th smallest of m losses (hothorn2005, section 5.3)."""
        # q·m is computed in binary: 0.07·100 must not become the 8th value
        k = max(math.ceil(round(q * len(losses), 9)), 1)
        return float(np.partition(losses, k - 1)[k - 1])

    return quantile


def named_functional(text: str) -> Callable[[np.ndarray], float]:
    """The function behind `mean`, `median`, `quantile:0.95`, `supremum` or `root-mean`."""
    name, _, value = text.partition(":")
    if name == "quantile":
        return _quantile(float(value))
    return {
        "mean": lambda x: float(np.mean(x)),
        "median": lambda x: float(np.median(x)),
        "supremum": lambda x: float(np.max(x)),
        "root-mean": lambda x: math.sqrt(np.mean(x)),
    }[name]


@dataclass(frozen=True)
class LossScore:
    """A functional of a loss."""

    loss: Callable[[Output], np.ndarray]
    functional: Callable[[np.ndarray], float]

    def __call__(self, output: Output) -> float:
        """The score of one output."""
        return self.functional(self.loss(output))


# -- measures of a whole test sample, and scikit-learn's scorers --------------------------------


def auc(o: Output) -> float:
    """The area under the ROC curve: the share of pairs in the right order, ties count half.

    With more than two classes, the mean over classes of each against the rest.
    """
    if PROBABILITIES in o.values:
        scores = o.get(PROBABILITIES)
    else:
        decision = o.get(DECISION)
        scores = np.column_stack([-decision, decision]) if decision.ndim == 1 else decision
    if scores.shape[1] != o.n_classes:
        raise Undefined(f"auc needs a decision for each of {o.n_classes} classes")
    if o.n_classes == 2:
        return _binary_auc(o.y == 1, scores[:, 1])
    return float(np.mean([_binary_auc(o.y == c, scores[:, c]) for c in range(o.n_classes)]))


def _binary_auc(positive: np.ndarray, score: np.ndarray) -> float:
    from scipy.stats import rankdata

    m = int(positive.sum())
    rest = len(positive) - m
    if m == 0 or rest == 0:
        raise Undefined("auc needs every class in the test sample")
    return float((rankdata(score)[positive].sum() - m * (m + 1) / 2) / (m * rest))


@dataclass(frozen=True)
class Whole:
    """A score that is no functional of losses, with what it reads and the tasks it is for."""

    score: Scorer
    needs: Needs
    tasks: tuple[str, ...]
    asks: tuple[str, ...] = ()


WHOLE: Registry[Whole] = Registry("measure of a whole test sample")
WHOLE.add("auc", Whole(auc, ((PROBABILITIES, DECISION),), CLASSES))
WHOLE.add(
    "rmse", Whole(LossScore(_squared, named_functional("root-mean")), ((PREDICTED,),), QUANTITIES)
)
WHOLE.add("adjusted-rand", Whole(adjusted_rand, ((PREDICTED,),), CLUSTERS, (LABELS,)))
WHOLE.add("silhouette", Whole(silhouette, ((PREDICTED,),), CLUSTERS, (ATTRIBUTES,)))
WHOLE.add("concordance", Whole(concordance, ((PREDICTED,),), ("survival",)))
WHOLE.add("integrated-brier", Whole(integrated_brier, ((CURVES,),), ("survival",)))


def _sklearn(name: str) -> Computed:
    score = sklearn_scorer(name)
    full = f"sklearn:{name}"
    tasks = (*CLASSES, *QUANTITIES, *(CLUSTERS if score.compares_partitions else ()))
    asks = (LABELS,) if score.compares_partitions else ()
    return Computed(Measure(full, True, spec=full), score, (score.kinds,), tasks, asks)


# -- a user's own -----------------------------------------------------------------------------


@dataclass(frozen=True)
class OwnScore:
    """A user's function of truth and prediction: a loss per observation, or one number."""

    function: Callable[[np.ndarray, np.ndarray], Any]
    functional: Callable[[np.ndarray], float]
    kind: str

    def __call__(self, output: Output) -> float:
        """The score of one output."""
        value = np.asarray(self.function(output.y, output.get(self.kind)), dtype=float)
        if value.ndim == 0:
            return float(value)
        if value.shape != output.y.shape:
            raise ValueError(
                f"a loss must return one number per observation ({len(output.y)}), "
                f"not an array of shape {value.shape}"
            )
        return self.functional(value)


def measure(
    name: str,
    function: Callable[[np.ndarray, np.ndarray], Any],
    *,
    higher_is_better: bool,
    functional: str = "mean",
    bounds: tuple[float, float] = (-math.inf, math.inf),
    unit: str = "",
    reads: str = PREDICTED,
) -> Computed:
    """A measure of one's own: `function(y, predictions)` gives a loss per observation or a number.

    Classes come as codes in the order of the data set's classes. `reads` says which output the
    function wants: predict, predict_proba, decision_function, score_samples or
    predict_survival_function. For survival, y is a structured array with `event` and `time`.
    """
    check_name("measure", name)
    if not callable(function):
        raise DesignError(f"Measure '{name}': {function!r} is no function.")
    if name.partition(":")[0].lower() in (*measures.KNOWN, "sklearn"):
        raise DesignError(f"Measure '{name}': Podium has one of this name; choose another.")
    if not isinstance(higher_is_better, bool):  # the text 'no' would count as true
        raise DesignError(
            f"Measure '{name}': higher_is_better is True or False, not {higher_is_better!r}."
        )
    if reads not in OUTPUTS:
        raise DesignError(f"Measure '{name}': " + unknown("output", reads, OUTPUTS))
    measures.check_functional(name, "error", str(functional))
    spec = fingerprint(repr(description(function, f"Measure '{name}'")), functional, reads)
    value = Measure(name, higher_is_better, bounds, unit, spec)
    own = OwnScore(function, named_functional(functional), reads)
    return Computed(value, own, ((reads,),))


def computed(name: str | Measure | Computed) -> Computed:
    """The computed measure that a name means."""
    if isinstance(name, Computed):
        return name
    if callable(name):
        raise DesignError("Give a function as a measure by podium.measure(name, function, ...).")
    if isinstance(name, Measure):
        name = name.name  # a measure of somebody else's table need not be one that we can compute
    if isinstance(name, str) and name.strip().startswith("sklearn:"):
        return _sklearn(name.strip().removeprefix("sklearn:"))
    value = measures.parse(name)
    base, _, rest = value.name.partition(":")
    if base in WHOLE:
        whole = WHOLE[base]
        return Computed(value, whole.score, whole.needs, whole.tasks, whole.asks)
    if base in LOSSES:
        loss = LOSSES[base]
        return Computed(
            value,
            LossScore(loss.function, named_functional(rest or "mean")),
            loss.needs,
            loss.tasks,
        )
    return Computed(value, _recorded, ())  # times and memory: the runner measures them


def _recorded(output: Output) -> float:
    raise Undefined("times and memory are measured while running, not computed from predictions")


def is_recorded(measure: Computed) -> bool:
    """Whether the runner measures it (time, memory) instead of computing it from an output."""
    return measure.score is _recorded


def unsuited(measure: Computed, data: Dataset | Process) -> str:
    """Why a data set cannot be measured so; empty where it can."""
    if data.task not in measure.tasks:
        return (
            f"The measure '{measure.name}' is for {measure.tasks[0]}; data set '{data.name}' is a "
            f"{task_noun(data.task)}. Choose another measure, or set the data set's task."
        )
    facts = data.facts if measure.asks else {}
    if LABELS in measure.asks and not facts["classes"]:
        return (
            f"The measure '{measure.name}' needs true labels; data set '{data.name}' has none. "
            "Give them as its target: they are not learned from."
        )
    if ATTRIBUTES in measure.asks and facts["nominal"] + facts["missing"]:
        return (
            f"The measure '{measure.name}' needs distances; data set '{data.name}' has nominal or "
            "missing values. Choose another measure, or code and fill them."
        )
    return ""


def needs(wanted: Iterable[Computed]) -> Needs:
    """The outputs that several measures need, each once."""
    return tuple(dict.fromkeys(n for m in wanted for n in m.needs))


def reads_attributes(wanted: Iterable[Computed]) -> bool:
    """Whether a measure reads the attributes of the test rows, which are not kept."""
    return any(ATTRIBUTES in m.asks for m in wanted)


@dataclass(frozen=True)
class Scores:
    """Values by measure, and why some have none."""

    values: dict[str, float] = field(default_factory=dict)
    undefined: dict[str, str] = field(default_factory=dict)


def scored(wanted: Iterable[Computed], outputs: list[Output]) -> Scores:
    """Every measure of a sample: its mean over the outputs (more than one for bootstrap-cv)."""
    scores = Scores()
    for m in wanted:
        if is_recorded(m):
            continue
        try:
            value = float(np.mean([m.score(o) for o in outputs]))
            reason = "the score is not a number" if math.isnan(value) else ""
        except Undefined as undefined:
            value, reason = math.nan, str(undefined)
        scores.values[m.name] = value
        if reason:
            scores.undefined[m.name] = reason
    return scores
