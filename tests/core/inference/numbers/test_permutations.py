"""Sums under permuted labels, drawn and enumerated."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from layouts_made import noise
from scipy import stats

from podium.core.inference.bricks.scales import ranks, signed_ranks, signs
from podium.core.inference.numbers import permutations as perm
from podium.core.inference.numbers.permutations import all_sums, permuted_sums
from podium.errors import InferenceError

Law = dict[tuple[float, ...], float]


def enumerated(scores: np.ndarray) -> Law:
    """The law of the sums by listing every permutation of every block."""
    law: Law = {}
    ways = [list(permutations(row)) for row in scores]
    chance = 1 / np.prod([float(len(w)) for w in ways])
    for rows in product(*ways):
        key = tuple(np.round(np.sum(rows, axis=0), 9).tolist())
        law[key] = law.get(key, 0.0) + chance
    return law


def of_states(scores: np.ndarray) -> Law:
    states, weights = all_sums(scores)
    keys = [tuple(row) for row in (np.round(states, 9) + 0.0).tolist()]
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, weights.tolist(), strict=True))


SMALL = [
    pytest.param(noise(7, 2), id="raw-2"),
    pytest.param(noise(4, 3), id="raw-3"),
    pytest.param(noise(3, 4), id="raw-4"),
    pytest.param(ranks(noise(5, 3)), id="ranks-3"),
    pytest.param(np.array([[1.0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 1, 1]]), id="zero-one"),
    pytest.param(np.array([[0.1, 0.4], [0.4, 0.1], [2, 2], [0.1, 0.4]]), id="equal-pairs"),
]


@pytest.mark.parametrize("scores", SMALL)
def test_all_sums_are_those_of_every_permutation(scores: np.ndarray) -> None:
    ours, theirs = of_states(scores), enumerated(scores)
    assert ours.keys() == theirs.keys()
    np.testing.assert_allclose([ours[k] for k in theirs], list(theirs.values()), atol=1e-12)


@pytest.mark.parametrize("scores", SMALL)
def test_drawn_sums_have_the_enumerated_law(scores: np.ndarray) -> None:
    draws = permuted_sums(scores, 40_000, np.random.default_rng(3))
    law = enumerated(scores)
    keys, counts = np.unique(np.round(draws, 9), axis=0, return_counts=True)
    found = dict(zip(map(tuple, (keys + 0.0).tolist()), counts.tolist(), strict=True))
    assert found.keys() <= law.keys()
    expected = np.array(list(law.values())) * len(draws)
    observed = np.array([found.get(k, 0) for k in law])
    p = stats.chi2.sf(((observed - expected) ** 2 / expected).sum(), len(law) - 1)
    assert p > 1e-4


def test_shuffled_sums_of_eight_algorithms_have_their_covariance_and_mean() -> None:
    scores = noise(12, 8)
    draws = permuted_sums(scores, 40_000, np.random.default_rng(5))
    spread = scores.var(axis=1, ddof=1).sum() * (np.eye(8) - 1 / 8)
    error = spread[0, 0] / np.sqrt(len(draws))
    np.testing.assert_allclose(draws.mean(axis=0), scores.mean(axis=1).sum(), atol=0.05)
    np.testing.assert_allclose(np.cov(draws.T), spread, atol=6 * error)
    np.testing.assert_allclose(draws.sum(axis=1), scores.sum())
    # one block of ranks: every rank as likely for every algorithm
    one = permuted_sums(np.arange(8.0)[None], 16_000, np.random.default_rng(6))
    counts = np.array([np.bincount(column, minlength=8) for column in one.T.astype(int)])
    assert np.abs(counts - 2000).max() < 5 * np.sqrt(2000)


@pytest.mark.parametrize("k", [2, 5, 8])
def test_draws_do_not_depend_on_the_number_of_threads(
    k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores, found = noise(40, k), []
    for cores in (1, 4):
        monkeypatch.setattr(perm.os, "cpu_count", lambda cores=cores: cores)
        found.append(permuted_sums(scores, 20_000, np.random.default_rng(0)))
    np.testing.assert_array_equal(*found)
    other = permuted_sums(scores, 20_000, np.random.default_rng(1))
    assert (other != found[0]).any()


def test_tied_blocks_stay_and_nothing_moves_where_all_are_tied() -> None:
    tied = np.array([[2.0, 2, 2], [1, 1, 1]])
    np.testing.assert_array_equal(permuted_sums(tied, 5, np.random.default_rng(0)), [[3, 3, 3]] * 5)
    states, weights = all_sums(tied)
    np.testing.assert_array_equal(states, [[3, 3, 3]])
    assert weights == pytest.approx([1])


@pytest.mark.parametrize(
    ("k", "blocks", "critical", "tail"),
    [  # exact tail probabilities of Friedman's statistic: Hollander, Wolfe (1999), Table A.22
        (3, 4, 6.5, 0.042),
        (3, 5, 6.4, 0.039),
        (3, 6, 7.0, 0.029),
        (3, 10, 6.2, 0.046),
        (4, 4, 7.8, 0.036),
        (4, 3, 7.4, 0.033),
    ],
)
def test_exact_friedman_statistics_have_the_printed_tails(
    k: int, blocks: int, critical: float, tail: float
) -> None:
    states, weights = all_sums(ranks(noise(blocks, k)))
    s = 12 / (blocks * k * (k + 1)) * (states**2).sum(axis=1) - 3 * blocks * (k + 1)
    assert weights[s >= critical - 1e-9].sum() == pytest.approx(tail, abs=5e-4)


@pytest.mark.parametrize("blocks", [5, 12, 25, 60])
def test_enumerated_signed_ranks_are_scipys_exact_wilcoxon(blocks: int) -> None:
    values = noise(blocks, 2)
    scores = signed_ranks(values)
    states, weights = all_sums(scores)
    w = scores.sum(axis=0)
    p = weights[np.abs(states[:, 0] - states[:, 1]) >= abs(w[0] - w[1]) - 1e-9].sum()
    expected = stats.wilcoxon(values[:, 0], values[:, 1], method="exact").pvalue
    assert p == pytest.approx(expected, rel=1e-10)


def test_enumerated_signs_are_binomial_however_many() -> None:
    values = np.random.default_rng(2).normal(0.004, 1, size=(100_000, 2))
    scores = signs(values)
    states, weights = all_sums(scores)
    wins = scores.sum(axis=0)
    p = weights[np.abs(states[:, 0] - 50_000) >= abs(wins[0] - 50_000) - 1e-6].sum()
    assert p == pytest.approx(stats.binomtest(int(wins[0]), 100_000).pvalue, rel=1e-9)


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        (ranks(noise(20, 8)), r"for 8 algorithms has too many permutations; use permutation:9999"),
        (noise(60, 2), r"of 60 rows and 2 algorithms is too large to enumerate; use permutation"),
        (noise(12, 3), r"of 12 rows and 3 algorithms is too large"),
        (signed_ranks(noise(100_000, 2)), r"of 100000 rows and 2 algorithms is too large"),
    ],
)
def test_too_large_enumerations_are_refused_within_seconds(scores: np.ndarray, text: str) -> None:
    with pytest.raises(InferenceError, match=text):
        all_sums(scores)


@pytest.mark.parametrize("k", [2, 8])
def test_too_many_draws_are_refused_at_once(k: int) -> None:
    with pytest.raises(InferenceError, match=r"100000 rows and \d algorithms .* asymptotic"):
        permuted_sums(noise(100_000, k), 10_000_000, np.random.default_rng(0))


@pytest.mark.parametrize(("blocks", "algorithms"), [(6, 3), (12, 2)])
def test_shares_of_draws_err_no_more_than_those_of_independent_draws(
    blocks: int, algorithms: int
) -> None:
    scores = np.random.default_rng(3).gamma(2.0, size=(blocks, algorithms))
    scores -= scores.mean(axis=1, keepdims=True)
    sums, weights = all_sums(scores)
    squares = (sums**2).sum(axis=1)
    high = np.sort(squares)[-len(squares) // 10] - 1e-12
    exact = weights[squares >= high].sum()
    shares = [
        np.mean((permuted_sums(scores, 999, np.random.default_rng(s)) ** 2).sum(axis=1) >= high)
        for s in range(200)
    ]
    error = np.sqrt(exact * (1 - exact) / 999)
    assert abs(np.mean(shares) - exact) < 4 * error / np.sqrt(200)
    assert np.std(shares) < 1.2 * error


def test_two_algorithms_on_no_lattice_have_the_tails_of_all_flips(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """14 blocks can be enumerated; the same scores by halves have the same p-values."""
    scores = np.stack([noise(14, 1)[:, 0] + 0.3, np.zeros(14)], axis=1)
    whole, shares = all_sums(scores)
    monkeypatch.setattr(perm, "SUMS", 100)
    states, weights = all_sums(scores)
    assert len(states) == 5
    assert weights.sum() == pytest.approx(1)
    sums = scores.sum(axis=0)
    observed = sums[0] - sums[1]
    for bound in (observed - 1e-9, observed + 1e-9, -observed - 1e-9, -observed + 1e-9):
        theirs = shares[whole[:, 0] - whole[:, 1] >= bound].sum()
        assert weights[states[:, 0] - states[:, 1] >= bound].sum() == pytest.approx(theirs)


def test_thirty_blocks_of_two_algorithms_have_an_exact_null() -> None:
    rng = np.random.default_rng(3)
    scores = np.stack([rng.normal(0.2, 1, 30), np.zeros(30)], axis=1)
    states, weights = all_sums(scores)
    observed = abs(scores[:, 0].sum())
    exact = weights[np.abs(states[:, 0] - states[:, 1]) >= observed - 1e-9].sum()
    drawn = permuted_sums(scores, 200_000, rng)
    assert exact == pytest.approx(
        np.mean(np.abs(drawn[:, 0] - drawn[:, 1]) >= observed - 1e-9), abs=0.005
    )
    one_side = np.stack([rng.uniform(1, 2, 30), np.zeros(30)], axis=1)
    states, weights = all_sums(one_side)
    least = weights[np.abs(states[:, 0] - states[:, 1]) >= one_side[:, 0].sum() - 1e-9].sum()
    assert least == 2.0**-29
