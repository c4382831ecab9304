"""What a measure of predictions is, and one that is asked of some predictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from podium.predictions.influence import Influence
from podium.predictions.predicted import LABELS, PROBABILITIES, Predictions
from podium.questions.measures import Measure
from podium.reading.cells.measure_names import known_measure


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
