"""Choices by several judges on several prompts: strengths for new prompts and new judges.

Errors by prompt alone take the judges for given: where judges differ in whom they prefer, equal
models are told apart in 13 to 38 %. No single error holds for few and for many judges, so three
ways must agree, and the most careful counts:

1. the sandwich of prompts, t with one df per prompt less one;
2. every judge's own strengths, by one Newton step from the common fit: a plain t over judges;
3. the sum of the sandwiches of prompts and of judges, df by Satterthwaite.

The first alone forgets judges, the second prompts; without the third both fail where prompts and
judges matter alike, and the third alone fails with two or three judges. Where prompts are not told,
the sandwich of judges takes the place of the first and the third.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from podium.inference.choices.battle_fits import BattleFit, battle_fit, prompts_and_judges
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers.ways import Ways
from podium.words.facts import Overall

RIDGE = 0.001  # of a judge's usual information: who never saw two meet knows nothing of them
CHUNK = 2000  # judges at a time


def has_judges(layout: Layout) -> bool:
    """Whether judges are drawn anew, and there are several."""
    *_, judges = prompts_and_judges(layout).values() or ([],)
    return len(set(judges)) > 1


@dataclass(frozen=True, eq=False)
class NewJudges:
    """Contrasts of strengths by three ways; one entry per contrast."""

    fit: BattleFit
    contrasts: np.ndarray

    @property
    def difference(self) -> np.ndarray:
        """First less second, of the common fit."""
        return np.asarray(self.contrasts @ self.fit.values)

    @property
    def statistic(self) -> np.ndarray:
        """The least t of all ways, with the sign of the difference; NaN where nothing varies."""
        known = (self.ways.errors > 0).all(axis=0)
        errors = np.where(known, self.ways.errors, 1.0)
        size = np.abs(self.ways.estimates / errors).min(axis=0)
        return np.where(known, np.copysign(size, self.difference), np.nan)

    @property
    def remarks(self) -> list[str]:
        """None."""
        return [""] * len(self.contrasts)

    @cached_property
    def ways(self) -> Ways:
        """Estimates, errors and df: of the first of both, of judges' own, of the sum."""
        counts = np.array([count for _, count in self.fit.crossed], float)
        by = np.array([self._variances(*each) for each in self.fit.crossed])
        own = self._own @ self.contrasts.T
        whole, parts = by.sum(axis=0), (by**2 / (counts[:, None] - 1)).sum(axis=0)
        at, judges = self.difference, counts[-1]
        df = np.divide(whole**2, parts, out=np.ones(len(at)), where=parts > 0)
        return Ways(
            np.array([at, own.mean(axis=0), at]),
            np.sqrt([by[0], own.var(axis=0, ddof=1) / judges, whole]),
            np.array([np.full(len(at), counts[0] - 1), np.full(len(at), judges - 1), df]),
        )

    def _variances(self, place: np.ndarray, count: int) -> np.ndarray:
        k = self.fit.k
        covariance = self.fit.sandwich(place, count)[:k, :k]
        return np.einsum("pi,ij,pj->p", self.contrasts, covariance, self.contrasts)

    @property
    def _own(self) -> np.ndarray:
        """Judges x strengths: each judge's own, with position and ties as in the common fit."""
        place, count = self.fit.crossed[-1]
        k = self.fit.k
        scores = self.fit.fitted.sums(place, count)[:, :k]
        whole = np.trace(self.fit.fitted.information[:k, :k]) - 1  # less what is loose
        usual = float(whole) / (k * count)
        parts = [
            _stepped(information, scores[start : start + CHUNK], usual)
            for start, information in self._informations(place, count)
        ]
        return np.asarray(self.fit.values + np.concatenate(parts))

    def _informations(self, place: np.ndarray, count: int) -> Iterator[tuple[int, np.ndarray]]:
        """Judges x strengths x strengths, some judges at a time."""
        k, design = self.fit.k, self.fit.fitted.design
        first, second = _sides(design.odds[:, :k])
        weight = self.fit.fitted.precision[self.fit.fitted.kind]
        i, j = first[self.fit.fitted.kind], second[self.fit.fitted.kind]
        for start in range(0, count, CHUNK):
            here = (place >= start) & (place < start + CHUNK)
            made = np.zeros((min(CHUNK, count - start), k, k))
            row, a, b, w = place[here] - start, i[here], j[here], weight[here]
            for one, other, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                np.add.at(made, (row, one, other), sign * w)
            yield start, made

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """The largest of the three."""
        return self.ways.p(null, turn)

    def limits(self, alpha: float, two_sided: bool) -> tuple[np.ndarray, np.ndarray]:
        """The hull of the three."""
        return self.ways.limits(alpha, two_sided)

    def overall(self) -> Overall | None:
        """The most significant pair, adjusted."""
        return None

    def jointly(self, adjust: str, null: np.ndarray, turn: int) -> np.ndarray:
        """Nothing is known of all pairs at once."""
        raise AssertionError("joint adjustments are refused before")

    def bound(self, turn: int) -> np.ndarray:
        """None."""
        return np.ones(len(self.contrasts))


def _stepped(information: np.ndarray, scores: np.ndarray, usual: float) -> np.ndarray:
    """Newton's step of every judge."""
    steady = information + RIDGE * usual * np.eye(information.shape[1])
    return np.asarray(np.linalg.solve(steady, scores[..., None])[..., 0])


def _sides(odds: Any) -> tuple[np.ndarray, np.ndarray]:
    """Of every kind of choice whose strength counts for, and whose against."""
    return np.asarray(odds.argmax(axis=1)).ravel(), np.asarray(odds.argmin(axis=1)).ravel()


def new_judges(layout: Layout, request: Any) -> NewJudges:
    """Of the contrasts that are asked for."""
    return NewJudges(battle_fit(layout), np.asarray(request.contrasts, float))
