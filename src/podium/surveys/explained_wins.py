"""Strengths that depend on what data sets are like: Bradley-Terry by characteristics.

On a data set with the characteristics x, algorithm i has the log-strength a_i + b_i' x; every pair
of algorithms is a choice there, by whose score is better, ties by Davidson (boulesteix2013, section
6; Eugster, Leisch and Strobl 2014 split the data sets instead). Choices on one data set depend on
each other: errors are those of leaving out one data set at a time, in one step of Newton's
(the jackknife of blocks, HC3's kin).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from podium.base.errors import InferenceError
from podium.inference.choices.battle_fits import choices_of
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers.paired_choices import Design, Endless, Fitted, fit
from podium.inference.numbers.preferences import check_chained


@dataclass(frozen=True, eq=False)
class ExplainedWins:
    """Log-strengths: one row per term, the first at the average data set; larger is better."""

    strengths: np.ndarray  # terms x algorithms
    moves: np.ndarray  # data sets x terms x algorithms: what leaving one out changes
    df: int
    cook: np.ndarray  # of every data set

    def coefficients(self, contrasts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Terms x contrasts of algorithms, with standard errors."""
        moved = self.moves @ contrasts.T
        count = len(moved)
        errors = np.sqrt((moved**2).sum(axis=0) * (count - 1) / count)
        return self.strengths @ contrasts.T, errors

    def joint(self, places: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """What some terms add to the strengths against the last, and its covariance."""
        less = self.moves[:, places, :-1] - self.moves[:, places, -1:]
        flat = less.reshape(len(less), -1)
        estimate = self.strengths[places, :-1] - self.strengths[places, -1:]
        return estimate.ravel(), flat.T @ flat * (len(flat) - 1) / len(flat)


def explained_wins(layout: Layout, terms: np.ndarray) -> ExplainedWins:
    """Strengths by the columns of `terms`, of which each row is a data set."""
    made = choices_of(layout)
    k, count = len(layout.algorithms), len(layout.values)
    beaten = np.zeros((k, k))
    for sign, one, other in ((1, made.first, made.second), (-1, made.second, made.first)):
        hit = made.outcome * sign >= 0
        np.add.at(beaten, (one[hit], other[hit]), 1.0)
    check_chained(beaten, layout.algorithms)
    x = np.column_stack([np.ones(count), terms])[made.row]
    n = len(made.row)
    places = np.concatenate([made.first, made.second])
    sides = np.concatenate([np.ones(n), -np.ones(n)])
    who = sparse.csr_matrix((sides, (np.tile(np.arange(n), 2), places)), shape=(n, k))
    ties = bool((made.outcome == 0).any())
    odds = sparse.hstack([who.multiply(column[:, None]) for column in x.T])
    wide = k * x.shape[1] + ties
    odds = sparse.hstack([odds, sparse.csr_matrix((n, int(ties)))]).tocsr()
    of_ties = sparse.csr_matrix((np.ones(n), (np.arange(n), np.full(n, wide - 1))), (n, wide))
    loose = np.zeros((x.shape[1], wide))
    for t in range(x.shape[1]):
        loose[t, t * k : (t + 1) * k] = 1 / np.sqrt(k)
    try:
        result = fit(Design(odds, of_ties if ties else None, loose), np.arange(n), made.outcome)
    except Endless:
        raise InferenceError(
            "With these characteristics it is certain who wins on some data sets, and no finite "
            "strength explains that: name fewer characteristics, or use more data sets."
        ) from None
    moves = _left_out(result, made.row, count)
    per = moves[:, : k * x.shape[1]].reshape(count, x.shape[1], k)
    free = wide - x.shape[1]  # parameters less what is loose
    cook = ((moves @ result.information) * moves).sum(axis=1) / free
    return ExplainedWins(
        result.beta[: k * x.shape[1]].reshape(-1, k), per, count - x.shape[1], cook
    )


def _left_out(result: Fitted, row: np.ndarray, count: int) -> np.ndarray:
    """What leaving out each data set changes in the parameters, in one step of Newton's."""
    scores = result.sums(row, count)
    moves = np.empty_like(scores)
    for j in range(count):
        rest = result.information - result.information_of(row == j)
        try:
            moves[j] = np.linalg.solve(rest, scores[j])
        except np.linalg.LinAlgError:
            moves[j] = np.inf
    if not np.isfinite(moves).all() or np.abs(moves).max() > 1e6:
        raise InferenceError(
            "One data set alone determines an effect, so there is nothing to judge it by: name "
            "fewer characteristics, or use more data sets."
        )
    return moves
