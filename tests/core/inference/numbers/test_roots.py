"""Nothing that is drawn hangs on the last digits of a covariance, nor on who factored it.

Libraries of linear algebra choose their sums by the processor. What another processor would do is
done here by hand: other eigenvectors of equal eigenvalues, other signs, an error in the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from podium.core.inference.bricks.flips import maxima
from podium.core.inference.numbers.chances import joint, standings
from podium.core.inference.numbers.nested import random_survey
from podium.core.inference.numbers.roots import find_axes, find_symmetric_root
from podium.core.inference.numbers.tails import JointT, _binned

pytestmark = pytest.mark.numbers

Array = NDArray[np.float64]
RNG = np.random.default_rng(7)
SAME = 1e-11  # what may be left of an error of 1e-16
ALIKE = 0.3 * np.eye(5) + 0.7  # four equal eigenvalues
UNLIKE = np.diag([0.5, 0.6, 0.8, 1.1, 1.5]) + 0.4


def turned(columns: int, seed: int = 1) -> Array:
    """A rotation."""
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(columns, columns)))[0]


def shaken(values: Array, seed: int = 2) -> Array:
    """Values with an error in their last digit or two."""
    return values * (1 + 4e-16 * np.random.default_rng(seed).normal(size=values.shape))


def symmetric(values: Array) -> Array:
    return (values + values.T) / 2


def pairs(covariance: Array) -> Array:
    """All pairs as rows of length 1 whose products are their correlations."""
    k = len(covariance)
    first, second = np.triu_indices(k, 1)
    rows = (np.eye(k)[first] - np.eye(k)[second]) @ np.linalg.cholesky(covariance)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


@pytest.mark.parametrize("covariance", [ALIKE, UNLIKE, np.zeros((3, 3)), np.ones((3, 3))])
def test_the_symmetric_root_is_a_root_and_does_not_shake(covariance: Array) -> None:
    root = find_symmetric_root(covariance)
    assert root @ root == pytest.approx(covariance, abs=1e-12)
    assert root == pytest.approx(root.T, abs=1e-15)
    assert find_symmetric_root(symmetric(shaken(covariance))) == pytest.approx(root, abs=SAME)


@pytest.mark.parametrize("covariance", [ALIKE, UNLIKE])
def test_axes_keep_all_angles_in_as_few_dimensions_as_there_are(covariance: Array) -> None:
    rows = pairs(covariance)
    axes = find_axes(rows)
    assert axes.shape == (10, 4)
    assert axes @ axes.T == pytest.approx(rows @ rows.T, abs=1e-13)


@pytest.mark.parametrize("covariance", [ALIKE, UNLIKE])
def test_axes_are_the_same_whatever_rotation_the_rows_come_in(covariance: Array) -> None:
    rows = pairs(covariance)
    for other in (rows @ turned(5), shaken(rows), rows * [1, -1, 1, -1, -1]):
        assert find_axes(other) == pytest.approx(find_axes(rows), abs=SAME)


def test_no_rows_and_rows_without_length_have_no_axes() -> None:
    assert find_axes(np.empty((0, 3))).shape == (0, 0)
    assert find_axes(np.zeros((4, 3))).shape == (4, 0)


@pytest.mark.parametrize("covariance", [ALIKE, UNLIKE])
@pytest.mark.parametrize("two_sided", [True, False])
def test_joint_tails_and_limits_are_the_same_in_any_rotation(
    covariance: Array, two_sided: bool
) -> None:
    rows, t = pairs(covariance), np.array([0.4, 1.7, 2.4, 3.3, 6.0])
    one = JointT(rows, 12.0, 2**12)
    for other in (rows @ turned(5), shaken(rows), rows * [-1, 1, 1, -1, 1]):
        two = JointT(other, 12.0, 2**12)
        assert two.sf(t, two_sided) == pytest.approx(one.sf(t, two_sided), rel=SAME)
        assert two.sf(t, two_sided, [0, 4, 7]) == pytest.approx(
            one.sf(t, two_sided, [0, 4, 7]), rel=SAME
        )
        assert two.quantile(0.05, two_sided) == pytest.approx(
            one.quantile(0.05, two_sided), rel=SAME
        )


def test_a_value_between_two_points_of_a_grid_counts_for_both() -> None:
    step = 2 / 2047
    ends = _binned(np.array([-1.0, 1.0, 1.0 + 1e-16]))
    assert (ends[0], ends[-1], ends.sum()) == (1.0, 2.0, 3.0)
    quarter = _binned(np.array([-1 + 10.25 * step]))
    assert quarter[[9, 10, 11, 12]] == pytest.approx([0, 0.75, 0.25, 0], abs=1e-9)
    middle = -1 + 10.5 * step
    either = [_binned(np.array([middle + way * 1e-16])) for way in (-1, 1)]
    assert either[0] == pytest.approx(either[1], abs=1e-9)


@pytest.mark.parametrize("covariance", [ALIKE, UNLIKE, np.ones((5, 5))])
def test_who_is_the_best_is_drawn_the_same(covariance: Array) -> None:
    values = np.array([0.1, 0.1, 0.3, -0.2, 0.0])
    one = joint(values, covariance, 9.0, 4000)
    for seed in range(3):
        two = joint(shaken(values, seed), symmetric(shaken(covariance, seed)), 9.0, 4000)
        assert two.best.tolist() == one.best.tolist()
        assert two.expected_rank.tolist() == one.expected_rank.tolist()


def test_those_that_rounding_alone_tells_apart_are_tied() -> None:
    covariance = np.array([[1.0, 1.0, 0.2], [1.0, 1.0, 0.2], [0.2, 0.2, 1.0]])  # two are one
    made = joint(np.array([0.1 + 0.2, 0.3, 0.1]), covariance, 20.0, 4000)
    assert made.best[0] == made.best[1]
    assert made.expected_rank[0] == made.expected_rank[1]


def test_a_grain_ties_neighbours_and_ranks_share() -> None:
    made = standings(np.array([[0.0, 1.0, 1.0 - 1e-12], [3.0, 2.0, 2.5]]), 1e-9)
    assert made.best.tolist() == [1.0, 0.5, 0.5]
    assert made.expected_rank.tolist() == [4.0, 4.5, 3.5]


def test_the_largest_of_many_items_is_drawn_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    right = (RNG.random((600, 4)) < [0.8, 0.7, 0.7, 0.5]).astype(float)
    everyone = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    one = maxima(right, everyone, 400, 0, True)
    honest = np.linalg.eigh

    def other(matrix: Array) -> tuple[Array, Array]:
        size, axes = honest(matrix)
        return size, shaken(axes) * np.where(np.arange(len(size)) % 2, 1, -1)

    monkeypatch.setattr(np.linalg, "eigh", other)
    two = maxima(right, everyone, 400, 0, True)
    for a, b in zip(one.drawn, two.drawn, strict=True):
        assert b == pytest.approx(a, rel=1e-9)


def uneven() -> tuple[Array, NDArray[np.int64]]:
    """Samples of data sets of which some lack scores: fitted by a search."""
    values = RNG.normal(size=(24, 3)) + np.repeat(RNG.normal(size=(6, 3)), 4, axis=0)
    values[[1, 7, 13], [0, 1, 2]] = np.nan
    return values, np.repeat(np.arange(6), 4)


def check_search(numbers: Callable[[Array], Array], values: Array, rel: float) -> None:
    """A search ends at the same numbers where the last digits of its input differ."""
    one = numbers(values)
    for seed in range(4):
        assert numbers(shaken(values, seed)) == pytest.approx(one, rel=rel)


def test_a_survey_model_ends_where_it_ended() -> None:
    values, dataset = uneven()
    contrasts = np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0]])

    def numbers(y: Array) -> Array:
        fit = random_survey(y, dataset)
        return np.concatenate([fit.df_contrast(contrasts), fit.covariance.ravel()])

    check_search(numbers, values, 1e-10)


def test_quantiles_end_by_their_own_tolerance() -> None:
    """Nearly the same level gives nearly the same quantile, in proportion."""
    law = JointT(pairs(UNLIKE), 12.0, 2**10)
    one, two = law.quantile(0.05), law.quantile(0.05 * (1 + 1e-9))
    slope = (law.sf(one + 1e-4) - law.sf(one - 1e-4)) / 2e-4
    assert two - one == pytest.approx(0.05e-9 / float(slope), rel=1e-3)
    assert math.isclose(float(law.sf(one)), 0.05, rel_tol=1e-13)
