"""Strengths from choices: Plackett-Luce among any number, Bradley-Terry between two.

A ranking is a row of choices among those that are left; of two, see `paired_choices`. Whoever is
chosen, one or several that are tied, is a subset S of the alternatives R with the chance

    P(S | R) proportional to exp(mean of the strengths in S + tie effect of |S|),

which is Bradley-Terry (1952) for two without ties, Davidson (1970) with them, and Plackett-Luce
with the ties of Turner and others (2020). Choices of one block (a prompt, a data set, a judge) are
dependent: the only standard error is that of blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.inference.numbers import tails

if TYPE_CHECKING:
    from scipy import sparse


STEPS = 100  # of Newton's method, which takes about five
LARGEST_SET = 12  # alternatives of which subsets are listed, where there are ties

Choice = tuple[tuple[int, ...], tuple[int, ...]]  # alternatives, and who was chosen


@dataclass(frozen=True, eq=False)
class Strengths:
    """What choices say: log-strengths less their mean, and how they vary between blocks."""

    values: np.ndarray
    covariance: np.ndarray  # of the values, by blocks
    blocks: int
    effects: dict[str, tuple[float, float]]  # of ties, with errors
    steps: int

    @property
    def df(self) -> int:
        """Of t: one per block, less one."""
        return self.blocks - 1


def strengths(
    choices: Sequence[Choice],
    names: Sequence[str],
    blocks: np.ndarray | None = None,
) -> Strengths:
    """The strengths of algorithms from choices."""
    kinds = {choice: i for i, choice in enumerate(dict.fromkeys(choices))}
    kind = np.fromiter((kinds[choice] for choice in choices), np.int64, len(choices))
    return fitted(list(kinds), kind, names, blocks)


def fitted(
    kinds: Sequence[Choice],
    kind: np.ndarray,
    names: Sequence[str],
    blocks: np.ndarray | None = None,
) -> Strengths:
    """The same of choices whose kinds are listed once and numbered."""
    counts = np.bincount(kind, minlength=len(kinds)).astype(float)
    _check(kinds, counts, names)
    model = _Model(kinds, len(names))
    beta, steps = _newton(model, counts)
    bread = np.linalg.inv(model.information(beta, counts))
    residuals = model.residuals(beta)
    if blocks is None:
        place, count = np.arange(len(kind)), len(kind)
    else:
        place, result = pd.factorize(np.asarray(blocks))
        count = len(result)
    if count < 2:
        raise InferenceError("All battles are in one cluster, and nothing shows how they vary.")
    meat = _meat(residuals, kind, place, count)
    covariance = bread @ meat @ bread * count / (count - 1)
    return model.strengths(beta, covariance, count, steps)


def _meat(residuals: np.ndarray, kind: np.ndarray, place: np.ndarray, count: int) -> np.ndarray:
    """The sum over blocks of the squared scores, each of all the choices of a block."""
    from scipy import sparse

    ones = np.ones(len(kind))
    shape = (count, len(residuals))
    scores = sparse.csr_matrix((ones, (place, kind)), shape=shape) @ residuals
    return np.asarray(scores.T @ scores)


class _Model:
    """Alternatives with the features of their subsets; parameters: strengths, ties.

    The last algorithm's strength is minus the sum of the others'.
    """

    def __init__(self, kinds: Sequence[Choice], algorithms: int) -> None:
        self.k = algorithms
        sizes = sorted({len(chosen) for _, chosen in kinds if len(chosen) > 1})
        self.ties = {size: algorithms - 1 + i for i, size in enumerate(sizes)}
        self.width = algorithms - 1 + len(sizes)
        self.sets = {r: i for i, r in enumerate(dict.fromkeys(r for r, _ in kinds))}
        subsets = [self._subsets(r) for r in self.sets]
        self.begin = np.concatenate([[0], np.cumsum([len(s) for s in subsets])])
        rows = [self._features(s) for every in subsets for s in every]
        self.features = np.array(rows)
        place = {
            (r, frozenset(s)): self.begin[i] + j
            for i, (r, every) in enumerate(zip(self.sets, subsets, strict=True))
            for j, s in enumerate(every)
        }
        self.chosen = np.array([place[r, frozenset(s)] for r, s in kinds])
        self.of = np.array([self.sets[r] for r, _ in kinds])
        self.owner = np.repeat(np.arange(len(subsets)), np.diff(self.begin))

    def _subsets(self, r: tuple[int, ...]) -> list[tuple[int, ...]]:
        if self.ties and len(r) > LARGEST_SET:
            raise InferenceError(
                f"Rankings with ties are of at most {LARGEST_SET} algorithms at once, not "
                f"{len(r)}: break their ties, or compare scores instead."
            )
        sizes = [1, *(size for size in self.ties if size <= len(r))]
        return [s for size in sizes for s in combinations(r, size)]

    def _features(self, s: tuple[int, ...]) -> np.ndarray:
        row = np.zeros(self.width)
        for i in s:
            if i < self.k - 1:
                row[i] += 1 / len(s)
            else:
                row[: self.k - 1] -= 1 / len(s)
        if len(s) > 1:
            row[self.ties[len(s)]] = 1.0
        return row

    def chances(self, beta: np.ndarray) -> np.ndarray:
        """Of every subset among its alternatives."""
        log = self.features @ beta
        log -= np.maximum.reduceat(log, self.begin[:-1])[self.owner]
        size = np.exp(log)
        return np.asarray(size / np.add.reduceat(size, self.begin[:-1])[self.owner])

    def expected(self, chances: np.ndarray) -> np.ndarray:
        """The mean features of every set of alternatives."""
        return np.add.reduceat(chances[:, None] * self.features, self.begin[:-1], axis=0)

    def residuals(self, beta: np.ndarray) -> np.ndarray:
        """The score of one choice of every kind."""
        expected = self.expected(self.chances(beta))
        return np.asarray(self.features[self.chosen] - expected[self.of])

    def information(self, beta: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Minus the second derivative of the log-likelihood."""
        chances = self.chances(beta)
        times = np.bincount(self.of, counts, minlength=len(self.sets))
        expected = self.expected(chances)
        weighted = self.features * (chances * times[self.owner])[:, None]
        return np.asarray(self.features.T @ weighted - (expected * times[:, None]).T @ expected)

    def log_likelihood(self, beta: np.ndarray, counts: np.ndarray) -> float:
        """Of so many choices of every kind."""
        return float(counts @ np.log(np.maximum(self.chances(beta)[self.chosen], 1e-300)))

    def strengths(
        self, beta: np.ndarray, covariance: np.ndarray, blocks: int, steps: int
    ) -> Strengths:
        """The parameters by what they mean."""
        k = self.k
        to_all = np.vstack([np.eye(k - 1), -np.ones(k - 1)])
        errors = np.sqrt(np.diag(covariance))
        effects = {f"tie of {n}": (float(beta[i]), float(errors[i])) for n, i in self.ties.items()}
        inner = covariance[: k - 1, : k - 1]
        return Strengths(to_all @ beta[: k - 1], to_all @ inner @ to_all.T, blocks, effects, steps)


def _newton(model: _Model, counts: np.ndarray) -> tuple[np.ndarray, int]:
    """The parameters with the largest likelihood; steps are halved where it would fall."""
    beta = np.zeros(model.width)
    best = model.log_likelihood(beta, counts)
    for step in range(1, STEPS + 1):
        gradient = counts @ model.residuals(beta)
        move = np.linalg.solve(model.information(beta, counts), gradient)
        share = 1.0
        while (now := model.log_likelihood(beta + share * move, counts)) < best - 1e-9:
            share /= 2
        beta, best = beta + share * move, now
        if np.abs(move).max() < 1e-10:
            return beta, step
    raise InferenceError("The strengths cannot be estimated: the likelihood has no maximum.")


def _check(kinds: Sequence[Choice], counts: np.ndarray, names: Sequence[str]) -> None:
    beaten = np.zeros((len(names), len(names)))
    for (r, chosen), count in zip(kinds, counts, strict=True):
        for winner in chosen:
            for other in r:
                if other != winner and (other not in chosen or len(chosen) > 1):
                    beaten[winner, other] += count
    check_chained(beaten, names)


def check_chained(beaten: np.ndarray, names: Sequence[str]) -> None:
    """Refuse what has no finite strengths: everybody must have won and lost along some chain.

    `beaten` counts how often the one of the row won against the one of the column, or tied.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    if len(names) < 2:
        raise InferenceError("Preferences need two algorithms at least.")
    alone = (beaten + beaten.T).sum(axis=1) == 0
    if alone.any():
        raise InferenceError(f"'{names[int(np.argmax(alone))]}' was compared with nobody.")
    parts, component = connected_components(csr_matrix(beaten), connection="strong")
    if parts == 1:
        return
    whole, _ = connected_components(csr_matrix(beaten), connection="weak")
    groups = [[names[int(i)] for i in np.flatnonzero(component == g)] for g in range(parts)]
    small = min(groups, key=len)
    listed = ", ".join(f"'{name}'" for name in small[:5])
    if whole > 1:
        raise InferenceError(
            f"Nobody compared {listed} with the others, directly or by a chain: put their rows "
            "into a file of their own."
        )
    raise InferenceError(
        f"{listed} never lost, or never won, against the others: no finite strength explains that. "
        "Leave out the rows that name them."
    )


# -- from what people have -------------------------------------------------------------------------


def rankings(scores: np.ndarray) -> tuple[list[Choice], np.ndarray]:
    """The choices of rows of scores (larger is better, NaN did not take part), with their rows."""
    choices: list[Choice] = []
    rows: list[int] = []
    for row, values in enumerate(scores):
        left = [int(i) for i in np.flatnonzero(~np.isnan(values))]
        while len(left) > 1:
            top = max(values[i] for i in left)
            chosen = tuple(i for i in left if values[i] == top)
            choices.append((tuple(left), chosen))
            rows.append(row)
            left = [i for i in left if i not in chosen]
    return choices, np.array(rows)


# -- choices between two with covariates ----------------------------------------------------------
# Bradley-Terry, Davidson's ties, whatever else matters.
#
# Of first and second with the log-odds d = strength - strength + covariates and the tie effect
# v,
#
# P(first), P(tie), P(second) proportional to exp(d/2), exp(v), exp(-d/2),
#
# which is Davidson (1970) and, with one constant in d, his model with an effect of the order
# (Davidson and Beaver 1977). d and v are linear in the parameters. Arrays in, arrays out.


PAIRED_CHOICES_STEPS = 50  # of Newton's method, which takes about five
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
    for step in range(1, PAIRED_CHOICES_STEPS + 1):
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
