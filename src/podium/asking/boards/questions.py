"""What the sealed part of a board answers: yes or no, at a level that holds over its whole life.

The q-th question is answered at alpha / (q (q + 1)) / 2^(q - 1). Before it there are 2^(q - 1)
histories of answers, and after each of them the next submission is a fixed one, as nothing else of
the sealed part was seen. So all questions together err with probability alpha at most, however
submissions were chosen: the sum over q of 1 / (q (q + 1)) is 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc, ndtri

from podium.core.inference.numbers.boundaries import bet_above

POWER = 0.8
USUAL = 10  # questions of a board, where none are said


def level_of(q: int, alpha: float) -> float:
    """The level of the q-th question.

    >>> [level_of(q, 0.05) for q in (1, 2, 3)]
    [0.025, 0.004166666666666667, 0.0010416666666666667]
    """
    return math.ldexp(alpha / (q * (q + 1)), 1 - q)


def level_left(q: int, alpha: float) -> float:
    """What is left of alpha after q questions, whose shares are alpha / (q (q + 1)).

    >>> level_left(0, 0.05), level_left(4, 0.05)
    (0.05, 0.01)
    """
    return alpha / (q + 1)


def sign_p(differences: np.ndarray) -> float:
    """The exact p-value of no gain: so many wins among the items that differ, or more.

    >>> round(sign_p(np.array([1, 1, 1, 1, 1, 0, 0, -1])), 6)
    0.109375
    """
    wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
    return float(bdtrc(wins - 1, wins + losses, 0.5)) if wins else 1.0


def gain_p(differences: np.ndarray, span: float, level: float, *, binary: bool) -> float:
    """The p-value of no gain: of right and wrong answers by signs, of bounded scores by bets.

    Differences lie within +- span, in an order that was drawn by lot.
    """
    if not len(differences):
        return 1.0
    return sign_p(differences) if binary else bet_above((differences / span + 1) / 2, 0.5, level)


@dataclass(frozen=True)
class Budget:
    """How many questions were asked, and what the next one is asked at."""

    alpha: float
    asked: int
    most: int

    @property
    def level(self) -> float:
        """Of the next question."""
        return level_of(self.asked + 1, self.alpha)

    @property
    def left(self) -> float:
        """How much of alpha is left for the questions to come."""
        return level_left(self.asked, self.alpha)

    @property
    def is_spent(self) -> bool:
        """Whether there is no further question."""
        return self.asked >= self.most

    def finds(self, items: int, sd: float) -> float:
        """The gain that the next question finds with the usual power; `sd` is of a difference."""
        if not items or not sd > 0:
            return math.nan
        return float((-ndtri(self.level) + ndtri(POWER)) * sd / math.sqrt(items))
