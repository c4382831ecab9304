"""Draws, units and ranks: the weighted route against the plain one, and full enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from blocks_made import made, noise
from scipy.stats import rankdata

from podium.asking.robustness.bootstrap import (
    draws,
    equations,
    mean_ranks,
    place_counts,
    ranked,
    signs,
    units,
)
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.request import prepared


def drawn(size: int, resamples: int, seed: int = 0, cells: int = 4_000_000) -> np.ndarray:
    return np.concatenate(list(draws(size, resamples, seed, cells)))


def all_samples(blocks: int) -> np.ndarray:
    """How often each block is in each of the B^B equally likely samples."""
    rows = product(range(blocks), repeat=blocks)
    return np.array([np.bincount(row, minlength=blocks) for row in rows])


def gappy() -> np.ndarray:
    scores = np.round(8 * noise(12, 4)) / 8  # ties, and sums without rounding errors
    scores[[0, 3, 3, 7], [1, 0, 2, 3]] = np.nan
    return scores


CLUSTERS = np.array([0, 0, 1, 2, 2, 2, 3, 4, 4, 5, 5, 5])
CASES = {
    "gaps, whole blocks": (made(gappy()), "paired-t"),
    "clusters that the procedure knows": (made(gappy(), "item", clusters=CLUSTERS), "paired-t"),
    "clusters that are averaged": (made(gappy(), "item", clusters=CLUSTERS), "nemenyi"),
    "clusters and a procedure for gaps": (
        made(gappy(), "item", clusters=CLUSTERS),
        "mixed-tukey",
    ),
}


def test_every_resample_has_as_many_blocks_and_does_not_depend_on_how_many_or_on_batches():
    many = drawn(7, 500)
    assert (many.sum(axis=1) == 7).all()
    np.testing.assert_array_equal(drawn(7, 500, cells=7), many)
    np.testing.assert_array_equal(drawn(7, 33), many[:33])
    assert (drawn(7, 33, seed=1) != many[:33]).any()
    # each count is Binomial(7, 1/7)
    assert abs(many.var() - 6 / 7) < 0.06


@pytest.mark.parametrize("case", CASES)
def test_the_weighted_means_are_those_of_the_layouts_that_are_drawn(case):
    layout, name = CASES[case]
    procedure = PROCEDURES[name]
    found = units(layout, procedure)
    whole = prepared(layout, procedure, "complete").means()
    np.testing.assert_allclose(found.means(np.ones(len(found))), list(whole.values()), rtol=1e-14)
    times = drawn(len(found), 200)
    plain = [
        list(prepared(found.drawn(row), procedure, "complete").means().values()) for row in times
    ]
    np.testing.assert_allclose(found.means(times), plain, rtol=1e-14)
    by_weights = ranked(found, [times])
    ranks = rankdata(-np.round(plain, 12), axis=1)
    assert by_weights.places[0, 0] == pytest.approx(_share_of_first(ranks)[0], abs=1e-12)
    ends = np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf")
    np.testing.assert_array_equal([by_weights.lower, by_weights.upper], ends)


def least_squares(values: np.ndarray) -> np.ndarray:
    """Effects of algorithms beside additive blocks, by dummy variables, at the average block."""
    block, algorithm = np.nonzero(~np.isnan(values))
    b, k = values.shape
    design = np.zeros((len(block), b + k))
    design[np.arange(len(block)), block] = 1
    design[np.arange(len(block)), b + algorithm] = 1
    found = np.linalg.lstsq(design, values[block, algorithm], rcond=None)[0]
    return np.asarray(found[:b].mean() + found[b:])


def test_with_gaps_the_means_are_those_of_additive_blocks_and_algorithms():
    layout = made(gappy())
    found = units(layout, PROCEDURES["mixed-tukey"])
    np.testing.assert_allclose(found.means(np.ones((1, 12)))[0], least_squares(layout.values))
    times = drawn(12, 50)
    plain = [least_squares(found.drawn(row).values) for row in times]
    np.testing.assert_allclose(found.means(times), plain, atol=1e-12)
    by_hand = equations(noise(12, 4), np.arange(12)).means(times)  # without gaps: plain means
    np.testing.assert_allclose(by_hand, times @ noise(12, 4) / 12, atol=1e-12)


def test_an_algorithm_that_lacks_the_hard_blocks_does_not_gain():
    scores = np.array([[0.9, 0.8, 0.7], [0.95, 0.85, 0.75], [0.5, 0.4, 0.3], [0.45, 0.35, np.nan]])
    scores[2, 2] = np.nan
    found = ranked(units(made(scores), PROCEDURES["mixed-tukey"]), draws(4, 200, 0))
    np.testing.assert_array_equal(found.observed, [1, 2, 3])
    np.testing.assert_allclose(found.means, [0.7, 0.6, 0.5])  # differences are 0.1 in every block
    np.testing.assert_array_equal(found.places, np.eye(3))
    assert found.adjusted
    assert found.unranked > 0  # where c is in no block that was drawn


def test_algorithms_that_no_block_links_have_no_ranks():
    apart = np.array([[1.0, 2, np.nan, np.nan], [np.nan, np.nan, 3, 4]])
    linked = np.vstack([apart, [np.nan, 5, 4, np.nan]])
    assert np.isnan(equations(apart, np.arange(2)).means(np.ones((1, 2)))).all()
    found = equations(linked, np.arange(3)).means(np.array([[1, 1, 1], [1, 1, 0]]))
    np.testing.assert_allclose(found[0] - found[0, 0], [0, 1, 0, 1], atol=1e-12)
    assert np.isnan(found[1]).all()


def _share_of_first(ranks: np.ndarray) -> np.ndarray:
    """How often each is best by their mean ranks, ties sharing."""
    best = ranks == ranks.min(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).mean(axis=0)


def test_clusters_are_drawn_whole_and_one_drawn_twice_is_two():
    layout = made(noise(12, 2), "item", clusters=CLUSTERS)
    found = units(layout, PROCEDURES["paired-t"])
    times = np.array([2, 0, 3, 1, 0, 0])
    again = found.drawn(times)
    labels, sizes = np.unique(again.items.clusters, return_counts=True)
    assert len(labels) == 6
    assert sorted(sizes) == sorted([2, 2, 3, 3, 3, 1])
    for label in labels:
        rows = again.values[again.items.clusters == label]
        assert any(np.array_equal(rows, layout.values[c == CLUSTERS]) for c in range(6))


def test_ranks_of_ties_are_mean_ranks_also_where_rounding_breaks_them():
    np.testing.assert_array_equal(
        mean_ranks(signs(np.array([[3.0, 5, 3, 1], [2, 2, 2, 2]]), 0)),
        rankdata([[-3, -5, -3, -1], [-2, -2, -2, -2]], axis=1),
    )
    scores = np.array([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]])
    assert len(set((np.ones(3) @ scores).tolist())) > 1  # as sums have it
    found = ranked(units(made(scores), PROCEDURES["paired-t"]), [np.ones((1, 3))])
    np.testing.assert_array_equal(found.observed, 2)
    np.testing.assert_allclose(found.places, 1 / 3)


def test_tied_algorithms_share_their_places_and_every_place_is_taken_once():
    np.testing.assert_allclose(
        place_counts(signs(np.array([[5.0, 7, 5, 1]]), 0)),
        [[0, 0.5, 0.5, 0], [1, 0, 0, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 1]],
    )
    means = np.random.default_rng(0).integers(0, 4, size=(300, 6)).astype(float)
    counts = place_counts(signs(means, 0))
    np.testing.assert_allclose(counts.sum(axis=0), 300)
    np.testing.assert_allclose(counts.sum(axis=1), 300)


def test_a_large_bootstrap_comes_near_the_enumeration_of_all_samples():
    layout = made([[1, 3, 2.5], [4, 2, 2], [2, 2, 3.5]])
    found = units(layout, PROCEDURES["paired-t"])
    exact = ranked(found, [all_samples(3)])
    # by hand: the means of all 27 samples
    rows = list(product(range(3), repeat=3))
    means = np.array([layout.values[list(row)].mean(axis=0) for row in rows])
    best = _share_of_first(rankdata(-np.round(means, 12), axis=1))
    np.testing.assert_allclose(exact.places[:, 0], best)
    sign = np.sign(np.round(means[:, 0] - means[:, 1], 12))
    observed = np.sign(layout.values.mean(axis=0) @ [1, -1, 0])
    assert exact.same_sign[0, 1] == pytest.approx((sign == observed).mean())
    many = ranked(found, draws(3, 20_000, seed=5))
    bound = 4 * np.sqrt(exact.places * (1 - exact.places) / 20_000) + 1e-9
    assert (np.abs(many.places - exact.places) <= bound).all()
    assert many.same_sign[0, 1] == pytest.approx(exact.same_sign[0, 1], abs=4 * 0.5 / 20_000**0.5)


def test_a_clear_winner_is_always_best_and_exchangeable_algorithms_equally_often():
    clear = ranked(
        units(made(noise(10, 3) + np.array([0, 0, 9])), PROCEDURES["paired-t"]), draws(10, 2000, 0)
    )
    assert clear.places[2].tolist() == [1, 0, 0]
    assert (clear.lower[2], clear.upper[2]) == (1, 1)
    assert clear.same_sign[2].tolist() == [1, 1, 1]
    best = [
        ranked(
            units(made(noise(15, 4, seed, apart=0)), PROCEDURES["paired-t"]), draws(15, 200, seed)
        ).places[:, 0]
        for seed in range(400)
    ]
    error = np.std(best, axis=0) / 400**0.5
    assert (np.abs(np.mean(best, axis=0) - 1 / 4) < 4 * error).all()
    assert error.max() < 0.02
