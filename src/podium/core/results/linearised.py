"""Linearised scores: what each item adds to a measure that is no mean of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from podium.core.words.facts import Note


@dataclass(frozen=True, eq=False)
class Linearised:
    """A measure's value plus each item's influence on it; items x algorithms.

    Their mean is the measure, and the covariance of their means that of the measure. They are no
    scores: ranks, signs, wins and bounds of single items mean nothing.
    """

    values: np.ndarray
    algorithms: tuple[str, ...]
    clusters: np.ndarray | None = None
    strata: np.ndarray | None = None
    rarest: int | None = None  # items, or clusters, that hold the rarest class
    least: int = 0  # of these, from which on there are limits
    notes: Sequence[Note] = ()

    def only(self, algorithms: Sequence[str]) -> np.ndarray:
        """The values of some algorithms, in their order."""
        if tuple(algorithms) == self.algorithms:
            return self.values
        return self.values[:, [self.algorithms.index(name) for name in algorithms]]


class Measurable(Protocol):
    """What results hold besides scores, of which further measures can be made."""

    def measured(self, results: Any, measure: str) -> Any:
        """The results by a measure that they do not have yet; as they are where it cannot be."""

    def beside(self, other: Any, models: Mapping[str, tuple[str, str]], measure: str) -> Any:
        """The results of one's own model and of one of another file, by their new names."""


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predictions behind results, where there are any."""

    store: str = ""  # the path of the store that keeps them, where one does
    of_items: Measurable | None = None  # of one test set
    # measures that are no means of items, by name: results have the value of each algorithm
    linearised: Mapping[str, Linearised] = field(default_factory=dict)
