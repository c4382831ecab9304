"""Epsilons of how alike differences vary, against R, and where nothing is said."""

from __future__ import annotations

import numpy as np
import pytest

from podium.core.inference.bricks.nulls import epsilon, unlike

M = np.array(
    [[1, 4, 2, 7], [2, 3, 5, 9], [3, 8, 4, 6], [5, 5, 7, 12], [2, 6, 1, 3], [4, 9, 8, 15],
     [1, 2, 6, 4], [6, 7, 3, 14], [3, 5, 9, 2]], float,
)  # fmt: skip
WILD = M * [1, 1, 1, 2]


def test_epsilons_are_those_of_r():
    # anova(lm(M ~ 1), X = ~1, test = "Spherical"): Greenhouse-Geisser 0.6346, Huynh-Feldt 0.8275;
    # the last column doubled: 0.4186, 0.4597
    assert epsilon(M) == pytest.approx(0.6346, abs=5e-5)
    assert epsilon(WILD) == pytest.approx(0.4186, abs=5e-5)
    assert unlike(WILD) == pytest.approx(0.4597, abs=5e-5)
    assert unlike(M) is None  # 0.8275 is not worth saying


def test_epsilon_is_of_the_eigenvalues_of_orthonormal_contrasts():
    helmert = np.array([[1, -1, 0, 0], [1, 1, -2, 0], [1, 1, 1, -3]])
    helmert = helmert / np.linalg.norm(helmert, axis=1, keepdims=True)
    eigen = np.linalg.eigvalsh(helmert @ np.cov(M, rowvar=False) @ helmert.T)
    assert epsilon(M) == pytest.approx(eigen.sum() ** 2 / (3 * (eigen**2).sum()))
    # neither levels of algorithms and blocks nor the unit matter
    assert epsilon(7 * M + M[:, :1] + [0, 1, 2, 3]) == pytest.approx(epsilon(M))


def test_blocks_with_gaps_are_left_out_and_few_blocks_tell_nothing():
    gap = np.vstack([WILD, [1, np.nan, 3, 4]])
    assert epsilon(gap) == epsilon(WILD)
    assert unlike(gap) == unlike(WILD)
    assert unlike(WILD[:8]) is not None
    assert unlike(np.vstack([WILD[:7], gap[-1:]])) is None  # seven that are complete
    assert unlike(WILD[:, 2:]) is None
    assert epsilon(WILD[:2]) == 1
    assert epsilon(WILD[:3]) < 1


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_rounding_is_no_variation_whatever_the_unit(unit):
    same = unit * np.tile(M[:, :1] + 0.1, 3)
    assert epsilon(np.column_stack([same[:, 0], same[:, 1] / 3 * 3, same[:, 2] / 7 * 7])) == 1
    assert epsilon(unit * M) == pytest.approx(epsilon(M))
