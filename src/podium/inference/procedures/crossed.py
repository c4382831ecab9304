"""Training sets x items: every training set's model is tested on every item of one test set.

Scores share the luck of their training set and of their item (dietterich1998, question 7;
Rasmussen et al. 1996). Estimates and procedures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.bricks.estimates import Estimates
from podium.inference.bricks.overall import largest, quadratic
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.inference.procedures.procedure import (
    BY_HOLM,
    SINGLE_STEP,
    Cited,
    DefaultNull,
    Legal,
    Needs,
    Procedure,
    Reports,
    legal_pairs,
)
from podium.questions import targets

CROSSED: Legal = legal_pairs(targets.CROSSED)


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """Mean squares and products of the algorithms' scores: algorithms x algorithms each.

    Of the difference d of two algorithms, c'Mc with c = (1, -1) is its mean square. Its expectation
    is J s_a² + s² for training sets, I s_b² + s² for items and s² for the rest.
    """

    means: np.ndarray
    training_sets: np.ndarray
    items: np.ndarray
    rest: np.ndarray
    counts: tuple[int, int]  # training sets and items

    @property
    def df(self) -> tuple[int, int, int]:
        """Degrees of freedom of training sets, items and the rest."""
        i, j = self.counts[0] - 1, self.counts[1] - 1
        return i, j, i * j


def mean_squares(layout: Layout) -> MeanSquares:
    """The two-way analysis of variance of a layout's scores, without replication."""
    y = _table(layout)
    i, j, _ = y.shape
    means = y.mean(axis=(0, 1))
    of_set, of_item = y.mean(axis=1) - means, y.mean(axis=0) - means
    rest = (y - of_set[:, None] - of_item[None] - means).reshape(i * j, -1)
    return MeanSquares(
        means,
        j * of_set.T @ of_set / (i - 1),
        i * of_item.T @ of_item / (j - 1),
        rest.T @ rest / ((i - 1) * (j - 1)),
        (i, j),
    )


def _table(layout: Layout) -> np.ndarray:
    """The scores as training sets x items x algorithms."""
    if layout.crossed.training_sets is None or layout.crossed.items is None:
        raise InferenceError(
            "This test needs the loss of every item after every training set: a table with the "
            "columns sample and item, and the sampling training-sets."
        )
    i, sets = pd.factorize(layout.crossed.training_sets)
    j, items = pd.factorize(layout.crossed.items)
    if min(len(sets), len(items)) < 2:
        raise InferenceError(
            "This test needs at least 2 training sets and 2 items; there are "
            f"{len(sets)} and {len(items)}."
        )
    y = np.full((len(sets), len(items), layout.values.shape[1]), np.nan)
    y[i, j] = layout.values
    gone = np.argwhere(np.isnan(y).any(axis=2))
    if len(gone):
        a, b = gone[0]
        raise InferenceError(
            f"Every training set must be tested on every item by all algorithms; {len(gone)} of "
            f"{len(sets) * len(items)} scores are missing, such as that of training set "
            f"'{sets[a]}' on item '{items[b]}'. Leave out the items or training sets that lack one."
        )
    return y


def crossed_means(layout: Layout) -> Estimates:
    """Means with the variance (MS of training sets + MS of items) / IJ; df by Satterthwaite.

    The mean square of the rest, of which this counts one too many, is not subtracted: the
    covariance stays one, and too large rather than too small.
    """
    m = mean_squares(layout)
    i, j, _ = m.df
    size = m.counts[0] * m.counts[1]

    def df(contrasts: np.ndarray) -> np.ndarray:
        a, b = (((contrasts @ s) * contrasts).sum(axis=1) for s in (m.training_sets, m.items))
        spread = a**2 / i + b**2 / j
        return np.divide((a + b) ** 2, spread, out=np.full(len(a), float(i)), where=spread > 0)

    return Estimates(m.means, (m.training_sets + m.items) / size, df=df, in_units=True)


def quasi_f(layout: Layout) -> Estimates:
    """F'' = (MS of the mean + MS of the rest) / (MS of training sets + MS of items).

    Of the differences of two algorithms, with the sign of their mean; df by Satterthwaite (Winer
    1971, section 5.15; Rasmussen et al. 1996).
    """
    m = mean_squares(layout)
    c = np.array([1.0, -1.0])
    difference = float(c @ m.means)
    square = m.counts[0] * m.counts[1] * difference**2
    of_set, of_item, rest = (float(c @ s @ c) for s in (m.training_sets, m.items, m.rest))
    i, j, ij = m.df
    above, below = square + rest, of_set + of_item
    if below <= 1e-20 * above or below == 0:  # nothing varies but by rounding
        f, df = (np.nan if difference else 0.0), (1.0, 1.0)
    else:
        f = above / below
        df = (above**2 / (square**2 + rest**2 / ij), below**2 / (of_set**2 / i + of_item**2 / j))
    return Estimates(
        np.array([np.copysign(f, difference), 0.0]),
        np.diag([1.0, 0.0]),
        law=lambda t: tails.f_sf(np.abs(t), *df),
        law_df=df,
    )


QUASI_F = Procedure(
    "delve-quasi-f",
    "quasi-F test of each pair over training sets and items",
    quasi_f,
    largest,
    "holm",
    "two algorithms have equal expected performance over new training sets and new items",
    "equal expected performance; effects of training sets and of items nearly normal; "
    "conservative where neither matters (2 %)",
    BY_HOLM,
    (
        Cited("dietterich1998", ", question 7"),
        Cited("Rasmussen et al. (1996)"),
        Cited("Winer (1971)", ", section 5.15"),
    ),
    CROSSED,
    pairwise=True,
    words="the quasi-F test of each pair, with training sets and test items as random effects",
    nulls=DefaultNull(default="asymptotic"),
)
CROSSED_T = Procedure(
    "crossed-t",
    "t test of each pair over training sets and items",
    crossed_means,
    quadratic,
    "sidak",
    QUASI_F.hypothesis,
    "equal expected performance; effects of training sets and of items nearly normal; "
    "conservative where neither matters (1 %)",
    SINGLE_STEP,
    (Cited("Satterthwaite (1946)"), Cited("Clark (1973)")),
    CROSSED,
    words="t tests of each pair, with training sets and test items as random effects",
    needs=Needs(margins=True),
    nulls=DefaultNull(default="asymptotic"),
    reports=Reports(
        conservative=True,  # the error of single scores is counted twice
    ),
)
PROCEDURES = (QUASI_F, CROSSED_T)
