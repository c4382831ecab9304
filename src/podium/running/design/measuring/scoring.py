"""Measures as they are computed: named ones, scikit-learn's scorers, a user's own.

A measure reads an `Output`: what an algorithm said about a test sample. Kept outputs can be read
again later, so a new measure needs no refit.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Protocol, cast

import numpy as np

from podium.core.base import options as checks
from podium.core.base.errors import DesignError, UnknownName
from podium.core.base.registry import did_you_mean, unknown
from podium.core.base.rooms import offered
from podium.core.questions import measures
from podium.core.questions.measures import KNOWN, Measure
from podium.running.design.data import survival  # noqa: F401  its formulas add themselves
from podium.running.design.data.datasets import TASKS, Dataset, task_noun
from podium.running.design.data.identity import description, fingerprint
from podium.running.design.data.processes import Process
from podium.running.design.measuring.losses import LossScore, named_functional
from podium.running.design.measuring.outputs import (
    ATTRIBUTES,
    CLASSES,
    CLUSTERS,
    DECISION,
    LABELS,
    LOSSES,
    OUTPUTS,
    PREDICTED,
    PROBABILITIES,
    QUANTITIES,
    SCORES,
    Formula,
    Needs,
    Output,
    Undefined,
)

# -- scorers of scikit-learn as measures ----------------------------------------------------------
# By name, or made by `make_scorer`.
#
# A scorer asks an estimator; here it is answered with what was predicted before, so that it
# gives exactly what scikit-learn gives, also for predictions that were kept. Classes are codes
# here.


PREFIX = "sklearn:"  # says that scikit-learn's is meant where Podium has one of the same name
MANY_CLASSES = ("macro", "ovr")  # how scikit-learn ends the names for more than two classes
OF_CLASSES = ("pos_label", "labels")  # options by which a scorer names classes


@dataclass(frozen=True)
class SklearnScore:
    """A scikit-learn scorer, fed with kept outputs instead of an estimator."""

    scorer: Any

    @property
    def function(self) -> Any:
        """The function of truth and prediction that it calls, where it has one."""
        return getattr(self.scorer, "_score_func", None)

    @property
    def options(self) -> dict[str, Any]:
        """What that function is called with besides."""
        return getattr(self.scorer, "_kwargs", {})

    @property
    def kinds(self) -> tuple[str, ...]:
        """The outputs that it reads, of which the first to be had is used."""
        wanted = getattr(self.scorer, "_response_method", PREDICTED)
        result = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        return tuple(k for k in result if k in OUTPUTS) or (PREDICTED,)

    @property
    def compares_partitions(self) -> bool:
        """Whether names of clusters do not matter to it, as to the adjusted Rand index."""
        return str(getattr(self.function, "__module__", "")).startswith("sklearn.metrics.cluster")

    def __call__(self, output: Output) -> float:
        """The score of one output, exactly as scikit-learn gives it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return float(self.scorer(_replay(output), np.empty((len(output.y), 0)), output.y))
            except ValueError as error:
                raise Undefined(str(error).splitlines()[0]) from error

    def refuses(self, name: str, classes: Sequence[str]) -> str:
        """Why these classes cannot be scored so; empty where they can."""
        return self._misnamed(classes) or self._fails(name, classes)

    def _misnamed(self, classes: Sequence[str]) -> str:
        """A class that the scorer names otherwise than by its code would be another one here."""
        for option in OF_CLASSES:
            given = self.options.get(option)
            for text in [] if given is None else np.atleast_1d(given).tolist():
                if not (isinstance(text, int) and list(classes[text : text + 1]) == [str(text)]):
                    return (
                        f"names a class by {option}={text!r}, while scorers see classes as codes "
                        f"0 to {len(classes) - 1}. Leave {option} out, and say which class is the "
                        "positive one by podium.dataset(..., positive=...)"
                    )
        return ""

    def _fails(self, name: str, classes: Sequence[str]) -> str:
        """What scikit-learn says of so many classes, all of them predicted rightly."""
        if not str(getattr(self.function, "__module__", "")).startswith("sklearn."):
            return ""  # a function of the user's own may need more than made-up rows
        try:
            self(_all_right(len(classes)))
        except Undefined as error:
            others = [f"'{n}'" for n in (f"{name}_{end}" for end in MANY_CLASSES) if is_scorer(n)]
            way = f"Take {' or '.join(others)}" if others else "Choose another measure"
            why = str(error).partition(". ")[0].rstrip(".")
            return f"does not take {len(classes)} classes ({why}). {way}"
        return ""


def _all_right(n: int) -> Output:
    """Right predictions of two rows of every class."""
    y = np.tile(np.arange(n), 2)
    sure = np.eye(n)[y]
    values = {PREDICTED: y, PROBABILITIES: sure, DECISION: y - 0.5 if n == 2 else sure}
    return Output(y, values, n)


def _replay(output: Output) -> Any:
    """An estimator that answers with what has been said before."""
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

    methods = {k: _answer(k, v) for k, v in output.values.items()}
    mixin = ClassifierMixin if output.n_classes else RegressorMixin
    body = {**methods, "__sklearn_is_fitted__": lambda self: True}
    if output.n_classes:
        body["classes_"] = np.arange(output.n_classes)  # type: ignore[assignment]
    return type("Replay", (mixin, BaseEstimator), body)()


def _answer(kind: str, value: np.ndarray) -> Callable[..., np.ndarray]:
    def method(self: Any, X: Any) -> np.ndarray:
        return value

    method.__name__ = kind  # scikit-learn looks methods up by their own name
    return method


# -- which scorer is meant -------------------------------------------------------------------------


@cache
def _names() -> tuple[str, ...]:
    from sklearn.metrics import get_scorer_names

    return tuple(get_scorer_names())


def is_scorer(name: str) -> bool:
    """Whether scikit-learn has a scorer of this name."""
    return name in _names()


def named_scorer(name: str) -> tuple[Measure, SklearnScore]:
    """The measure by scikit-learn's own name, as `f1`, or `sklearn:f1`."""
    from sklearn.metrics import get_scorer

    plain = name.removeprefix(PREFIX).strip().replace("-", "_")
    if not is_scorer(plain):
        if name.startswith(PREFIX):
            raise DesignError(
                f"'{plain}' is not a scikit-learn scorer.{did_you_mean(plain, _names())} "
                "sklearn.metrics.get_scorer_names() lists them."
            )
        known = unknown("measure", name, KNOWN).partition("Known: ")[2]
        raise UnknownName(
            f"'{name}' is not a measure.{did_you_mean(name, (*KNOWN, *_names()))} Known: "
            f"{known.rstrip('.')}, and scorers of scikit-learn such as f1, roc_auc and r2."
        )
    full = f"{PREFIX}{plain}"
    return Measure(full if name.startswith(PREFIX) else plain, True, spec=full), SklearnScore(
        get_scorer(plain)
    )


def is_made_scorer(value: Any) -> bool:
    """Whether it is what `sklearn.metrics.make_scorer` returns."""
    return callable(value) and hasattr(value, "_score_func") and hasattr(value, "_sign")


def made_scorer(scorer: Any) -> tuple[Measure, SklearnScore]:
    """The measure of a scorer; like scikit-learn's own it is `neg_...` where it turns a loss."""
    score = SklearnScore(scorer)
    called = getattr(score.function, "__name__", "score").strip("<>")
    name = ("neg_" if scorer._sign < 0 else "") + called
    content = (score.function, score.options, scorer._sign, score.kinds)
    spec = fingerprint(repr(description(content, f"Measure '{name}'")))
    return Measure(name, True, spec=spec), score


# -- measures as they are computed ----------------------------------------------------------------
# Named ones, scikit-learn's, a user's own.
#
# A measure reads an `Output`: what an algorithm said about a test sample. Kept outputs can be
# read again later, so a new measure needs no refit.


RECORDED = (*measures.TIMES, "peak-memory")  # by the runner


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


def computed(given: Any) -> Computed:
    """The computed measure that a name of Podium's or scikit-learn's, or a scorer, means."""
    if isinstance(given, Computed):
        return given
    if is_made_scorer(given):
        return _sklearn(*made_scorer(given))
    if callable(given):
        raise DesignError(
            "Give a function as a measure by podium.measure(name, function, ...), or as a scorer "
            "by sklearn.metrics.make_scorer(function)."
        )
    # a measure of somebody else's table need not be one that we can compute
    text = given.name if isinstance(given, Measure) else given
    if isinstance(text, str) and not _is_own(text):
        return _of_predictions(text.strip()) or _sklearn(*named_scorer(text.strip()))
    return _own(measures.parse(text))


def _of_predictions(name: str) -> Computed | None:
    """A measure of predictions, where scikit-learn has none of this name."""
    of_room = offered("computed_measure")
    known = name.startswith(PREFIX) or is_scorer(name.replace("-", "_"))
    known = known or _squeezed(name) in map(_squeezed, measures.KNOWN)  # misspelt: it is asked
    return None if of_room is None or known else cast("Computed | None", of_room(name))


def _squeezed(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


def all_computed(given: Any) -> tuple[Computed, ...]:
    """One measure, several, or scorers by names of the caller's own as scikit-learn takes them."""
    if isinstance(given, Mapping):
        return tuple(_renamed(computed(one), name) for name, one in given.items())
    alone = isinstance(given, (str, Computed, Measure)) or callable(given)
    return tuple(computed(one) for one in ((given,) if alone else given))


def _renamed(one: Computed, name: str) -> Computed:
    checks.name("measure", name)
    if name == one.name:
        return one
    if name in measures.KNOWN or not isinstance(one.score, (SklearnScore, OwnScore)):
        raise DesignError(
            f"The measure '{one.name}' cannot be called '{name}': names of one's own are for "
            "scorers of scikit-learn, and differ from those of Podium's measures."
        )
    return replace(one, measure=replace(one.measure, name=name))


def _is_own(name: str) -> bool:
    base = name.strip().lower().replace("_", "-").partition(":")[0]
    return not base or base in measures.KNOWN


def _own(value: Measure) -> Computed:
    base, _, functional = value.name.partition(":")
    if base in RECORDED:
        return Computed(value, _recorded, ())
    if base in LOSSES:
        loss = LOSSES[base]
        return _by(value, loss, LossScore(loss.function, named_functional(functional or "mean")))
    return _by(value, SCORES[base], SCORES[base].function)


def _by(value: Measure, formula: Formula, score: Scorer) -> Computed:
    return Computed(value, score, formula.needs, formula.tasks, formula.asks)


def _sklearn(value: Measure, score: SklearnScore) -> Computed:
    checks.name("measure", value.name)
    tasks = (*CLASSES, *QUANTITIES, *(CLUSTERS if score.compares_partitions else ()))
    asks = (LABELS,) if score.compares_partitions else ()
    return Computed(value, score, (score.kinds,), tasks, asks)


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
    if isinstance(measure.score, SklearnScore) and data.task == "classification":
        name = measure.name.removeprefix(PREFIX)
        classes = data.classes if isinstance(data, Dataset) else data.facts["classes"]
        if why := measure.score.refuses(name, classes):
            return f"The measure '{measure.name}', asked of data set '{data.name}', {why}."
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


# -- a user's own ----------------------------------------------------------------------------------


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
    """A measure of one's own.

    Parameters
    ----------
    name : str
        How results call it.
    function : `function(y, predictions)`
        Gives a loss per observation, or a number. Classes come as codes in the order of the data
        set's classes; for survival, y is a structured array with `event` and `time`.
    higher_is_better : bool
    functional : str
        What of the losses is the score: mean, median, maximum, quantile ...
    bounds : (low, high)
        Between which scores lie.
    unit : str
    reads : str
        The output that the function wants: predict, predict_proba, decision_function, score_samples
        or predict_survival_function.

    Returns
    -------
    Computed
        What a study takes among its measures.

    Examples
    --------
    >>> import podium
    >>> off = podium.measure("off", lambda y, p: abs(y - p), higher_is_better=False, bounds=(0, 9))
    >>> off.name
    'off'
    """
    checks.name("measure", name)
    if not callable(function):
        raise DesignError(f"Measure '{name}': {function!r} is no function.")
    if name.partition(":")[0].lower() in (*measures.KNOWN, "sklearn"):
        raise DesignError(f"Measure '{name}': Podium has one of this name; choose another.")
    checks.truth(f"Measure '{name}': higher_is_better is True or False", higher_is_better)
    if reads not in OUTPUTS:
        raise DesignError(f"Measure '{name}': " + unknown("output", reads, OUTPUTS))
    measures.check_functional(name, "error", str(functional))
    spec = fingerprint(repr(description(function, f"Measure '{name}'")), functional, reads)
    value = Measure(name, higher_is_better, bounds, unit, spec)
    own = OwnScore(function, named_functional(functional), reads)
    return Computed(value, own, ((reads,),))


# -- scores of samples -----------------------------------------------------------------------------


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


def impossible(measure: Measure, value: float) -> str:
    """What is wrong with a score that its measure cannot have; empty where nothing is.

    A measure of somebody's own that leaves its bounds is wrong: nothing may rest on it.
    """
    low, high = measure.bounds
    if math.isinf(value):
        return f"the measure '{measure.name}' gave {value:g}, which is no finite number"
    if value < low - 1e-9 or value > high + 1e-9:
        bounds = f"between {low:g} and {high:g}"
        return f"the measure '{measure.name}' gave {value:g}, which is not {bounds}"
    return ""
