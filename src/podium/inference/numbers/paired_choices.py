"""Choices between two with covariates: Bradley-Terry, Davidson's ties, whatever else matters.

Of first and second with the log-odds d = strength - strength + covariates and the tie effect v,

    P(first), P(tie), P(second) proportional to exp(d/2), exp(v), exp(-d/2),

which is Davidson (1970) and, with one constant in d, his model with an effect of the order
(Davidson and Beaver 1977). d and v are linear in the parameters. Arrays in, arrays out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.numbers import tails

if TYPE_CHECKING:
    from scipy import sparse

STEPS = 50  # of Newton's method, which takes about five
ENDLESS = 25.0  # log-odds that no choices tell from infinite ones


@dataclass(frozen=True, eq=False)
class Design:
    """Kinds of choices x parameters: what log-odds and tie effects are made of.

    `loose` are the directions of which choices tell nothing, such as all strengths together.
    """

    odds: sparse.csr_matrix
    ties: sparse.csr_matrix | None
    loose: np.ndarray  # of length 1 each, directions x parameters


@dataclass(frozen=True, eq=False)
class Fitted:
    """The likeliest parameters of choices, each of some kind with an outcome of 1, 0 or -1."""

    design: Design
    kind: np.ndarray
    outcome: np.ndarray
    beta: np.ndarray
    steps: int

    @cached_property
    def counts(self) -> np.ndarray:
        """Of every kind the choices lost, tied and won by the first."""
        return counted(self.kind, self.outcome, self.design.odds.shape[0])

    @cached_property
    def information(self) -> np.ndarray:
        """Minus the second derivative, with 1 along what is loose."""
        return _information(self.design, self.beta, self.counts.sum(axis=1))

    @property
    def precision(self) -> np.ndarray:
        """Of every kind, what one choice adds to the information about its log-odds."""
        won, tied = _chances(self.design, self.beta)
        return np.asarray((1 - tied - won**2) / 4)

    def information_of(self, chosen: np.ndarray) -> np.ndarray:
        """What some choices add to the information."""
        sizes = np.bincount(self.kind[chosen], minlength=self.design.odds.shape[0]).astype(float)
        there = np.flatnonzero(sizes)
        ties = self.design.ties
        part = Design(
            self.design.odds[there],
            None if ties is None else ties[there],
            np.zeros((0, len(self.beta))),
        )
        return _information(part, self.beta, sizes[there])

    @cached_property
    def bread(self) -> np.ndarray:
        """The inverse of the information."""
        return np.linalg.inv(self.information)

    def residuals(self) -> tuple[np.ndarray, np.ndarray]:
        """Of every choice: the outcome and the tie, less what is expected of them."""
        won, tied = _chances(self.design, self.beta)
        return (self.outcome - won[self.kind]) / 2, (self.outcome == 0) - tied[self.kind]

    def sums(self, place: np.ndarray, count: int, also: sparse.csr_matrix | None = None
             ) -> np.ndarray:  # fmt: skip
        """The scores of `count` blocks, each the sum over its choices; `also` of more columns."""
        from scipy import sparse  # only where there are choices

        of_odds, of_ties = self.residuals()
        shape = (count, self.design.odds.shape[0])
        by = sparse.csr_matrix((of_odds, (place, self.kind)), shape=shape)
        result = by @ (self.design.odds if also is None else also)
        if self.design.ties is not None and also is None:
            result = result + sparse.csr_matrix((of_ties, (place, self.kind)), shape=shape) @ (
                self.design.ties
            )
        return np.asarray(result.todense())

    def meat(self, place: np.ndarray | None, count: int) -> np.ndarray:
        """The sum of squared scores of blocks; without any, every choice is its own."""
        if place is not None:
            scores = self.sums(place, count)
            return np.asarray(scores.T @ scores)
        of_odds, of_ties = self._by_outcome()
        odds, ties = self.design.odds, self.design.ties
        values = _squared(odds, (self.counts * of_odds**2).sum(axis=1), odds)
        if ties is not None:
            both = _squared(odds, (self.counts * of_odds * of_ties).sum(axis=1), ties)
            values += both + both.T + _squared(ties, (self.counts * of_ties**2).sum(axis=1), ties)
        return values

    def _by_outcome(self) -> tuple[np.ndarray, np.ndarray]:
        """The residuals of a loss, a tie and a win of every kind."""
        won, tied = _chances(self.design, self.beta)
        outcomes = np.array([-1.0, 0.0, 1.0])
        return (outcomes - won[:, None]) / 2, (outcomes == 0) - tied[:, None]


def counted(kind: np.ndarray, outcome: np.ndarray, kinds: int) -> np.ndarray:
    """Kinds x (lost, tied, won)."""
    return np.bincount(kind * 3 + outcome + 1, minlength=3 * kinds).reshape(-1, 3).astype(float)


def _chances(design: Design, beta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of every kind: the chance to win less that to lose, and that of a tie."""
    half = design.odds @ beta / 2
    if design.ties is None:
        return np.tanh(half), np.zeros(len(half))
    v = design.ties @ beta
    top = np.maximum(np.abs(half), v)
    first, second, tie = np.exp(half - top), np.exp(-half - top), np.exp(v - top)
    total = first + second + tie
    return (first - second) / total, tie / total


def _log_likelihood(design: Design, beta: np.ndarray, counts: np.ndarray) -> float:
    half = design.odds @ beta / 2
    v = np.full(len(half), -np.inf) if design.ties is None else design.ties @ beta
    total = np.logaddexp(np.logaddexp(half, -half), v)
    lost, tied, won = counts.T
    of_ties = 0.0 if design.ties is None else float(tied @ v)
    return float((won - lost) @ half) + of_ties - float(counts.sum(axis=1) @ total)


def _information(design: Design, beta: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    won, tied = _chances(design, beta)
    values = _squared(design.odds, sizes * (1 - tied - won**2) / 4, design.odds)
    if design.ties is not None:
        both = _squared(design.odds, -sizes * won * tied / 2, design.ties)
        values += both + both.T + _squared(design.ties, sizes * tied * (1 - tied), design.ties)
    return values + design.loose.T @ design.loose


def _squared(a: sparse.csr_matrix, weights: np.ndarray, b: sparse.csr_matrix) -> np.ndarray:
    return np.asarray((a.T @ b.multiply(weights[:, None]).tocsr()).todense())


def fit(design: Design, kind: np.ndarray, outcome: np.ndarray) -> Fitted:
    """The likeliest parameters; `Endless` where the likelihood has no maximum."""
    counts = counted(kind, outcome, design.odds.shape[0])
    sizes, beta = counts.sum(axis=1), np.zeros(design.odds.shape[1])
    best = _log_likelihood(design, beta, counts)
    for step in range(1, STEPS + 1):
        won, tied = _chances(design, beta)
        gradient = design.odds.T @ ((counts[:, 2] - counts[:, 0] - sizes * won) / 2)
        if design.ties is not None:
            gradient = gradient + design.ties.T @ (counts[:, 1] - sizes * tied)
        try:
            move = np.linalg.solve(_information(design, beta, sizes), gradient)
        except np.linalg.LinAlgError:
            break
        share = 1.0
        while (now := _log_likelihood(design, beta + share * move, counts)) < best - 1e-9:
            share /= 2
        beta, best = beta + share * move, now
        if np.abs(move).max() < 1e-10:
            return Fitted(design, kind, outcome, beta, step)
        if np.abs(beta).max() > ENDLESS:
            break
    raise Endless(beta, "These choices have no likeliest strengths: compare fewer algorithms.")


class Endless(InferenceError):
    """The likelihood has no maximum; `beta` is where it was left."""

    def __init__(self, beta: np.ndarray, why: str) -> None:
        super().__init__(why)
        self.beta = beta


# -- tests of several parameters at once -----------------------------------------------------------


def joint_f(estimate: np.ndarray, covariance: np.ndarray, blocks: int) -> tuple[float, int, int]:
    """Hotelling's F that all of them are 0, and its df: as many as they, and blocks less these."""
    q = len(estimate)
    wald = float(estimate @ np.linalg.solve(covariance, estimate))
    return wald * (blocks - q) / (q * (blocks - 1)), q, blocks - q


def score_f(fitted: Fitted, more: sparse.csr_matrix, place: np.ndarray, count: int
            ) -> tuple[float, int, int]:  # fmt: skip
    """F that more columns of the log-odds add nothing, without their being fitted.

    The robust score test (Boos 1992): scores of blocks less what the fitted parameters take of
    them, as one sample of vectors whose mean is 0.
    """
    won, tied = _chances(fitted.design, fitted.beta)
    sizes = fitted.counts.sum(axis=1)
    across = _squared(fitted.design.odds, sizes * (1 - tied - won**2) / 4, more)
    if fitted.design.ties is not None:
        across += _squared(fitted.design.ties, -sizes * won * tied / 2, more)
    scores = fitted.sums(place, count, more) - fitted.sums(place, count) @ fitted.bread @ across
    total, spread = scores.sum(axis=0), np.cov(scores, rowvar=False) * count
    size, axes = np.linalg.eigh(np.atleast_2d(spread))
    used = size > 1e-10 * size.max()
    q = int(used.sum())
    if q == 0 or q >= count - 1:
        return float("nan"), q, count - q
    statistic = float((((axes.T @ total)[used]) ** 2 / size[used]).sum())
    return statistic * (count - q) / (q * (count - 1)), q, count - q


def f_p(results: tuple[float, int, int]) -> float:
    """The p-value of an F with its degrees of freedom."""
    f, above, below = results
    return float(tails.f_sf(f, above, below)) if below > 0 and f == f else float("nan")
