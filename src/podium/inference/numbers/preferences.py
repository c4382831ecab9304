"""Strengths from choices among any number: Plackett-Luce with ties.

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
from itertools import combinations

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError

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
        raise InferenceError("All choices are of one block: there is no replicate to judge by.")
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
    parts, of = connected_components(csr_matrix(beaten), connection="strong")
    if parts == 1:
        return
    whole, _ = connected_components(csr_matrix(beaten), connection="weak")
    groups = [[names[int(i)] for i in np.flatnonzero(of == g)] for g in range(parts)]
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
