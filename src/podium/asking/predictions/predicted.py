"""Predictions of test items beside the truth, and the measures that are asked of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from podium.asking.predictions.influence import Influence
from podium.core.base.errors import ResultsError
from podium.core.base.formatting import natural
from podium.core.questions.measures import Measure
from podium.core.results.measure_names import known_measure

KINDS = LABELS, PROBABILITIES, SCORES, NUMBERS, TEXTS, RANKING = (
    "labels",
    "probabilities",
    "scores",
    "numbers",
    "texts",
    "ranking",
)
# of two classes the one that is meant by "positive", where their names tell
_POSITIVE = (
    "1 true yes y pos positive case event spam fraud churn abnormal malignant disease sick ill "
    "default toxic hit right correct pass passed anomaly attack"
)
POSITIVE = frozenset(_POSITIVE.split())
GLANCE = 5000  # items that tell which class numbers speak for


@dataclass(frozen=True, eq=False)
class Predictions:
    """What every model predicts of every item, and what is true.

    `outputs` has, of every model, codes of labels (`LABELS`), a number per item or, of several
    classes, items x classes.
    """

    kind: str
    outputs: Mapping[str, np.ndarray]
    truth: np.ndarray  # codes of classes, or numbers
    classes: tuple[str, ...] = ()  # of the truth, in their own order
    items: np.ndarray | None = None  # their names; None: they are numbered
    clusters: np.ndarray | None = None
    strata: np.ndarray | None = None
    queries: np.ndarray | None = None  # that items are ranked within
    weights: np.ndarray | None = None  # mean 1
    positive: int = 1  # the class that a measure of one class is of
    speaks_for: int = 1  # the class that one number per item is the probability, or a score, of
    name: str = ""
    what: str = "The table"
    ignored: tuple[str, ...] = ()  # columns that were not used
    called: Mapping[str, str] = field(default_factory=dict)  # roles -> columns
    columns: tuple[str, ...] = ()  # of predictions
    own: Any = None  # the caller's own measures by name

    @property
    def models(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.outputs)

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.truth)

    @cached_property
    def counts(self) -> np.ndarray:
        """How many items each class of the truth has."""
        return np.bincount(self.truth, minlength=len(self.classes))

    def item(self, place: int) -> str:
        """What an error calls an item."""
        return f"row {place + 1}" if self.items is None else f"item '{self.items[place]}'"

    def with_positive(self, name: str) -> Predictions:
        """The same with another class as the positive one."""
        if name not in self.classes:
            raise ResultsError(
                f"{self.what} has no class '{name}': name one of {', '.join(self.classes[:8])}."
            )
        return replace(self, positive=self.classes.index(name))


def positive_class(classes: Sequence[str]) -> int:
    """Which of two classes is the positive one: by its name, or the second.

    >>> positive_class(["no", "yes"]), positive_class(["spam", "ham"]), positive_class(["a", "b"])
    (1, 0, 1)
    """
    meant = _meant(classes)
    return meant[0] if len(meant) == 1 else min(1, len(classes) - 1)


def tells_positive(classes: Sequence[str]) -> bool:
    """Whether the names of classes tell which one is positive.

    >>> tells_positive(["no", "yes"]), tells_positive(["apple", "pear"])
    (True, False)
    """
    return len(_meant(classes)) == 1


def areas_at_a_glance(is_positive: np.ndarray, values: Mapping[str, np.ndarray]) -> list[float]:
    """The area under the ROC curve of every model, on a few items all over the table.

    >>> areas_at_a_glance(np.array([True, False, True]), {"m": np.array([0.9, 0.2, 0.2])})
    [0.75]
    """
    some = slice(None, None, max(1, len(is_positive) // GLANCE))
    y = is_positive[some]
    if y.all() or not y.any():
        return []
    each = (values[m][some] for m in values)
    sides = ((np.sort(v[~y]), v[y]) for v in each)
    return [
        float(sum(np.searchsorted(low, high, side).mean() for side in ("left", "right")))
        / (2 * len(low))
        for low, high in sides
    ]


def _meant(classes: Sequence[str]) -> list[int]:
    return [i for i, name in enumerate(classes) if name.strip().lower() in POSITIVE]


def ordered(classes: Sequence[str]) -> list[str]:
    """Classes in their natural order."""
    return sorted(classes, key=natural)


# -- asked ----------------------------------------------------------------------------------------
# What a measure of predictions is, and one that is asked of some predictions.


@dataclass(frozen=True)
class Rule:
    """How a measure is made of predictions.

    `losses` gives a number per item of which the measure is the mean; `influence` the value and
    what each item adds to it. Both are told the predictions and one model's output.
    """

    name: str
    kinds: tuple[str, ...]
    higher: bool
    bounds: tuple[float, float]
    losses: Callable[[Asked, np.ndarray], np.ndarray] | None = None
    influence: Callable[[Asked, np.ndarray], Influence] | None = None
    least: int = 0  # items of the rarest class that limits need; 0: classes do not matter
    two: bool = False  # of two classes, or of one class against the others
    whole: bool = False  # every class of the truth must be there, and no other be predicted
    words: str = ""
    also: tuple[str, ...] = ()  # other spellings
    unit: str = ""


@dataclass(frozen=True)
class Asked:
    """A measure of some predictions, with what its name says besides."""

    rule: Rule
    typed: str  # the name as it was typed
    predictions: Predictions
    threshold: float | None = None
    of_class: str | None = None
    k: int | None = None
    beta: float = 1.0

    @property
    def w(self) -> np.ndarray | None:
        """The items' weights."""
        return self.predictions.weights

    @property
    def y(self) -> np.ndarray:
        """The truth."""
        return self.predictions.truth

    @property
    def is_positive(self) -> np.ndarray:
        """Which items are of the positive class."""
        return np.asarray(self.y == self.predictions.positive)

    @property
    def measure(self) -> Measure:
        """As results know it."""
        known = known_measure(self.typed)
        rule = self.rule
        return Measure(
            self.typed,
            rule.higher,
            rule.bounds,
            rule.unit or (known.unit if known else ""),
            spec=rule.name,
            words=rule.words,
        )

    def labels(self, output: np.ndarray) -> np.ndarray:
        """The labels that an output says; of probabilities by the threshold or the largest."""
        p = self.predictions
        if p.kind == LABELS:
            return output
        if self.threshold is not None:
            others = self.chance(output).copy()
            others[:, p.positive] = -1.0
            above = self.score(output) >= self.threshold
            return np.where(above, p.positive, others.argmax(axis=1))
        if output.ndim == 2:
            return np.asarray(output.argmax(axis=1))
        return np.where(output >= 0.5, p.speaks_for, 1 - p.speaks_for)

    def score(self, output: np.ndarray) -> np.ndarray:
        """The probability, or the score, of the positive class."""
        p = self.predictions
        if output.ndim == 2:
            return output[:, p.positive]
        if p.positive == p.speaks_for:
            return output
        return 1 - output if p.kind == PROBABILITIES else -output

    def chance(self, output: np.ndarray) -> np.ndarray:
        """Items x classes: the probability of each."""
        if output.ndim == 2:
            return output
        both = np.empty((len(output), 2))
        both[:, self.predictions.speaks_for] = output
        both[:, 1 - self.predictions.speaks_for] = 1 - output
        return both
