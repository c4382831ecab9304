"""What a block's values are turned into."""

from __future__ import annotations

import numpy as np
import pytest
from layouts_made import noise
from scipy import stats

from podium.core.inference.bricks import scales as sc
from podium.errors import InferenceError

TIED = np.array([[1.0, 2.0, 2.0], [5.0, 3.0, 4.0], [7.0, 7.0, 7.0], [0.0, 9.0, 1.0]])


def test_ranks_are_of_each_block_and_ties_share_theirs() -> None:
    np.testing.assert_array_equal(sc.ranks(TIED), [[1, 2.5, 2.5], [3, 1, 2], [2, 2, 2], [1, 3, 2]])


def test_aligned_ranks_rank_all_deviations_together() -> None:
    values = noise(6, 3)
    flat = np.sort((values - values.mean(axis=1, keepdims=True)).ravel())
    by_place = 1 + np.searchsorted(flat, sc.aligned(values))
    np.testing.assert_array_equal(sc.aligned_ranks(values), by_place)


def test_normal_scores_are_quantiles_that_sum_to_zero_without_ties() -> None:
    scores = sc.normal_scores(noise(5, 4))
    expected = stats.norm.ppf(np.arange(1, 5) / 5)
    np.testing.assert_allclose(np.sort(scores, axis=1), np.tile(expected, (5, 1)), atol=1e-12)


def test_quade_weighs_centred_ranks_by_the_rank_of_the_range() -> None:
    # ranges 1, 2, 0, 9 have ranks 2, 3, 1, 4
    expected = np.array([[-1, 0.5, 0.5], [1, -1, 0], [0, 0, 0], [-1, 1, 0]])
    np.testing.assert_array_equal(sc.quade(TIED), expected * [[2], [3], [1], [4]])


def test_signed_ranks_leave_zeros_out_and_pratt_ranks_them_first() -> None:
    pairs = np.array([[3.0, 1], [0, 1], [2, 2], [5, 8], [4, 3]])  # 2, -1, 0, -3, 1
    np.testing.assert_array_equal(
        sc.signed_ranks(pairs), [[3, 0], [0, 1.5], [0, 0], [0, 4], [1.5, 0]]
    )
    np.testing.assert_array_equal(sc.pratt(pairs), [[4, 0], [0, 2.5], [0, 0], [0, 5], [2.5, 0]])
    np.testing.assert_array_equal(sc.signs(pairs), [[1, 0], [0, 1], [0, 0], [0, 1], [1, 0]])


@pytest.mark.parametrize("name", ["signs", "signed-ranks", "pratt"])
def test_scores_of_differences_need_two_algorithms(name: str) -> None:
    with pytest.raises(InferenceError, match=r"compares exactly 2 algorithms, not 3\."):
        sc.SCORES[name](TIED)


def test_differences_that_only_rounding_tells_apart_are_tied() -> None:
    """Against exact decimal arithmetic: all values have two decimals."""
    rng = np.random.default_rng(7)
    whole = rng.integers(50, 90, size=(40, 4))
    decimal = whole / 100
    for name in ("signed-ranks", "pratt", "signs"):
        for i, j in ((0, 1), (1, 2), (2, 3)):
            ours, exact = (sc.SCORES[name](v[:, [i, j]].astype(float)) for v in (decimal, whole))
            np.testing.assert_array_equal(ours, exact)
    for name in ("quade", "aligned-ranks", "ranks"):
        np.testing.assert_array_equal(
            sc.SCORES[name](decimal), sc.SCORES[name](whole.astype(float))
        )


def test_differences_that_are_small_beside_other_blocks_are_kept_apart() -> None:
    values = np.array([[1e9, 2e9], [1e-9, 3e-9], [1e-9, 2e-9], [0.0, 0.0]])
    np.testing.assert_array_equal(sc.signed_ranks(values)[:, 1], [3, 2, 1, 0])
