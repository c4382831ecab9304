"""Skillings and Mack's test: printed example, plain loops, Friedman's and Durbin's as its cases."""

from __future__ import annotations

import math
from itertools import combinations, permutations, product

import numpy as np
import pytest
from layouts_made import made, noise
from scipy import stats

from podium import compare
from podium.core.inference.procedures.survey import incomplete_sums
from podium.core.words.facts import Overall
from podium.errors import InferenceError

NONE = math.nan
# assembly times by four methods, the example of Skillings and Mack (1981)
ASSEMBLY = np.array(
    [
        [3.2, 4.1, 3.8, 4.2],
        [3.1, 3.9, 3.4, 4.0],
        [4.3, 3.5, 4.6, 4.8],
        [3.5, 3.6, 3.9, 4.0],
        [3.6, 4.2, 3.7, 3.9],
        [4.5, 4.7, 3.7, NONE],
        [NONE, 4.2, 3.4, NONE],
        [4.3, 4.6, 4.4, 4.9],
        [3.5, NONE, 3.7, 3.9],
    ]
)


def overall(values: np.ndarray, null: str | None = "asymptotic") -> Overall:
    found = compare(made(values, block="dataset"), "skillings-mack", null=null).overall
    assert found is not None
    return found


def by_loops(values: np.ndarray) -> float:
    """The statistic from its definition: weighted centred ranks, one covariance left out."""
    blocks, k = values.shape
    sums, covariance = np.zeros(k), np.zeros((k, k))
    for b in range(blocks):
        here = [a for a in range(k) if not math.isnan(values[b, a])]
        ranks = dict(zip(here, stats.rankdata(values[b, here]), strict=True))
        middle = (len(here) + 1) / 2
        weight = math.sqrt(12 / (len(here) + 1))
        for a in here:
            sums[a] += weight * (ranks[a] - middle)
            for c in here:
                covariance[a, c] += len(here) - 1 if a == c else -1  # without ties
    part = sums[1:]
    return float(part @ np.linalg.solve(covariance[1:, 1:], part))


def test_the_printed_example() -> None:
    found = overall(ASSEMBLY)  # Skillings.Mack::Ski.Mack: 15.493, df 3, p 0.0014
    assert found.statistic == pytest.approx(15.493, abs=5e-4)
    assert found.df == 3
    assert found.p == pytest.approx(0.00144, abs=5e-6)
    assert found.statistic == pytest.approx(by_loops(ASSEMBLY), rel=1e-10)


def test_the_definition_on_random_gaps() -> None:
    values = noise(25, 6)
    values[np.random.default_rng(3).random(values.shape) < 0.3] = NONE
    assert overall(values).statistic == pytest.approx(by_loops(values), rel=1e-10)


@pytest.mark.parametrize("digits", [9, 0])
def test_without_gaps_it_is_friedman_s_with_ties_too(digits: int) -> None:
    layout = made(np.round(noise(30, 4), digits), block="dataset")
    for null in ("asymptotic", "permutation:999"):
        ours, theirs = (compare(layout, p, null=null).table for p in ("skillings-mack", "friedman"))
        np.testing.assert_allclose(ours["statistic"], theirs["statistic"], rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(ours["p_adjusted"], theirs["p_adjusted"], atol=1e-12)
    found = overall(layout.values)
    assert found.statistic == pytest.approx(stats.friedmanchisquare(*layout.values.T).statistic)


def test_in_a_balanced_incomplete_design_it_is_durbin_s() -> None:
    # seven blocks of three out of seven algorithms, any two of them together once
    lines = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]
    values = np.full((21, 7), NONE)
    scores = np.random.default_rng(4).normal(size=values.shape)
    for row, line in enumerate(lines * 3):
        values[row, line] = scores[row, line]
    t, k, r = 7, 3, 9
    sums = np.nansum(stats.rankdata(values, axis=1, nan_policy="omit"), axis=0)
    durbin = 12 * (t - 1) / (r * t * (k - 1) * (k + 1)) * np.sum((sums - r * (k + 1) / 2) ** 2)
    found = overall(values)
    assert found.statistic == pytest.approx(durbin, rel=1e-10)
    assert found.df == 6


def test_the_permutation_null_is_the_full_enumeration_of_few_blocks() -> None:
    values = np.array([[1.0, 2.0, 3.0], [2.5, 1.0, NONE], [NONE, 4.0, 6.0], [1.0, 3.0, 2.0]])
    wanted = overall(values).statistic
    orders = [list(permutations(row[np.isfinite(row)])) for row in values]
    hits = total = 0
    for chosen in product(*orders):
        other = values.copy()
        for row, order in zip(other, chosen, strict=True):
            row[np.isfinite(row)] = order
        hits += by_loops(other) >= wanted - 1e-9
        total += 1
    p = overall(values, "permutation:19999").p
    assert total == 6 * 2 * 2 * 6
    assert p == pytest.approx(hits / total, abs=4 * math.sqrt(0.25 / 20000))


def test_permutation_and_asymptotic_nulls_agree_where_there_are_many_blocks() -> None:
    values = noise(80, 4)
    values[np.random.default_rng(5).random(values.shape) < 0.1] = NONE
    layout = made(values, block="dataset")
    drawn = compare(layout, "skillings-mack", null="permutation:9999").table["p_adjusted"]
    limit = compare(layout, "skillings-mack").table["p_adjusted"]
    np.testing.assert_allclose(drawn, limit, atol=0.02)


def test_a_pair_is_judged_by_the_covariance_of_its_effects() -> None:
    values = np.delete(ASSEMBLY, 6, axis=0)
    e = incomplete_sums(made(values, block="dataset"))
    table = compare(made(values, block="dataset"), "skillings-mack", null="asymptotic").table
    for t, (i, j) in zip(table["statistic"], combinations(range(4), 2), strict=True):
        variance = e.covariance[i, i] + e.covariance[j, j] - 2 * e.covariance[i, j]
        assert t == pytest.approx(-(e.values[i] - e.values[j]) / math.sqrt(variance))


def test_whom_two_algorithms_met_otherwise_does_not_matter() -> None:
    # a wins 9 of 10 blocks against b, which alone met the weak c and wins nearly all of those
    losses = [[1.0, 2.0, NONE]] * 9 + [[2.0, 1.0, NONE]] + [[NONE, 1.0, 2.0]] * 30
    losses = [*losses, [NONE, 2.0, 1.0]]
    table = compare(made(losses, block="dataset"), "skillings-mack", null="asymptotic").table
    assert table["verdict"].tolist() == ["better", "better", "better"]
    signs = 8 / math.sqrt(10)  # b's other blocks add nothing to what is known of a and b
    assert -table["statistic"].iloc[0] == pytest.approx(signs, rel=1e-10)


def test_blocks_of_one_algorithm_and_equal_scores_say_nothing() -> None:
    alone = np.vstack([ASSEMBLY, [[5.0, NONE, NONE, NONE]]])
    assert overall(alone).statistic == pytest.approx(overall(ASSEMBLY).statistic, rel=1e-10)
    equal = np.where(np.isnan(ASSEMBLY), NONE, 1.0)
    assert overall(equal).p == 1.0
    table = compare(made(equal, block="dataset"), "skillings-mack").table
    assert (table["p_adjusted"] == 1).all()


def test_it_takes_no_margins_and_is_about_data_sets() -> None:
    with pytest.raises(InferenceError, match="takes no relevance"):
        compare(made(ASSEMBLY, block="dataset"), "skillings-mack", relevance=0.1)
    with pytest.raises(InferenceError, match="not valid for folds"):
        compare(made(ASSEMBLY, block="fold"), "skillings-mack")
