"""The two-parameter logistic model: its likelihood has a maximum there, and it finds the truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, special, stats

from podium.asking.items import ItemDescription
from podium.asking.items.description import two_parameters


def simulated(models=400, items=8, seed=0):
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(0.7, 2.0, items), rng.normal(size=items)
    theta = rng.normal(size=models)
    right = rng.random((models, items)) < special.expit(a * (theta[:, None] - b))
    return right.astype(float), a, b, theta


def log_likelihood(right, a, b):
    """The marginal log-likelihood by adaptive integration, pattern by pattern."""
    patterns, counts = np.unique(right, axis=0, return_counts=True)

    def chance(y):
        def at(t):
            p = special.expit(a * (t - b))
            return np.prod(np.where(y == 1, p, 1 - p)) * np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi)

        return integrate.quad(at, -9, 9, epsabs=1e-12)[0]

    return float(sum(n * np.log(chance(y)) for y, n in zip(patterns, counts, strict=True)))


def test_it_is_the_maximum_of_the_marginal_likelihood():
    right, *_ = simulated(models=120, items=4)
    found = two_parameters(right)
    best = log_likelihood(right, found.discrimination, found.difficulty)
    assert found.log_likelihood == pytest.approx(best, abs=0.02)
    for item in (0, 2):
        for name, by in (("discrimination", 0.1), ("difficulty", 0.1), ("difficulty", -0.1)):
            moved = {"discrimination": found.discrimination.copy(),
                     "difficulty": found.difficulty.copy()}  # fmt: skip
            moved[name][item] += by
            assert log_likelihood(right, moved["discrimination"], moved["difficulty"]) < best


def test_it_finds_items_and_models():
    right, a, b, theta = simulated(models=3000, items=20, seed=2)
    found = two_parameters(right)
    assert np.abs(found.discrimination - a).max() < 0.25
    assert np.abs(found.difficulty - b).max() < 0.25
    assert np.corrcoef(found.ability, theta)[0, 1] > 0.85
    inside = np.abs(found.ability - theta) < 2 * found.ability_error
    assert inside.mean() > 0.9


def test_abilities_are_where_the_posterior_is_highest_with_errors_by_its_curvature():
    """The slope of log p(answers) - theta^2 / 2 is 0, and the error 1 / sqrt of its curvature."""
    right, *_ = simulated(models=120, items=12, seed=5)
    made = two_parameters(right)
    at = made.discrimination * (made.ability[:, None] - made.difficulty)
    p = 1 / (1 + np.exp(-at))
    slope = ((right - p) * made.discrimination).sum(axis=1) - made.ability
    np.testing.assert_allclose(slope, 0, atol=1e-8)
    curvature = (p * (1 - p) * made.discrimination**2).sum(axis=1) + 1
    np.testing.assert_allclose(made.ability_error, 1 / np.sqrt(curvature), rtol=1e-8)


def test_missing_answers_are_no_wrong_ones():
    right, _, b, _ = simulated(models=3000, items=10, seed=3)
    gone = np.random.default_rng(0).random(right.shape) < 0.3
    found = two_parameters(np.where(gone, np.nan, right))
    assert np.abs(found.difficulty - b).max() < 0.35


def test_an_item_against_the_rest_has_a_correlation_that_chance_seldom_gives():
    """The t test of a correlation, one-sided, at 5 % over all items (Bonferroni)."""
    models = 30
    limit = stats.t.isf(0.05 / 4, models - 2)
    edge = limit / np.sqrt(models - 2 + limit**2)  # the correlation that just is significant
    rows = {"item": [*"abcd"], "item_rest": [-edge - 1e-6, -edge + 1e-6, edge + 0.1, np.nan]}
    table = pd.DataFrame(rows).assign(models=models, solved=[0.4, 0.0, 1.0, 0.2])
    found = ItemDescription(table, pd.DataFrame(), pd.DataFrame(), None)
    assert (found.against, found.unsolved, found.solved) == (["a"], ["b"], ["c"])
    few = ItemDescription(table.assign(models=3, item_rest=-0.999), table, table, None)
    assert few.against == [], "of three models any correlation is large"
