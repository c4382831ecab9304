"""The simulated learners of dietterich1998: chances of error, test sets and their scenarios."""

from __future__ import annotations

import numpy as np
import pytest

from podium.errors import InferenceError
from podium_lab.calibration.scenarios import SCENARIOS
from podium_lab.calibration.simulated_learners import (
    POINTS,
    RATES,
    SHIFT,
    Learners,
    a_third,
    chances,
    folds,
    halved,
    splits,
)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_learners_err_by_turns_on_the_halves_and_equally_often_on_both():
    found = chances(np.array([0, 1]), 0.2, np.zeros(3))
    assert found == pytest.approx(np.array([[0.1, 0.3, 0.1], [0.3, 0.1, 0.3]]))
    assert found.mean(axis=0) == pytest.approx([0.2, 0.2, 0.2])
    better = chances(np.array([0, 1]), 0.2, np.array([0.0, 0.05]))
    assert better.mean(axis=0) == pytest.approx([0.2, 0.15])


def test_test_sets_are_thirds_folds_and_halves_of_the_points(rng):
    every = np.arange(POINTS)
    third = a_third(rng, 40)
    assert third.shape == (1, 40)
    assert len(set(third[0])) == 40
    assert third.max() < 120
    assert third.max() >= 40  # and not the first ones
    for parts in (splits(rng, 7), halved(rng, 6)):
        assert all(len(set(part)) == len(part) for part in parts)
        assert (parts[0] != parts[2]).any()  # each is drawn anew
    assert splits(rng, 7).shape == (7, POINTS // 3)
    for first, second in halved(rng, 6).reshape(3, 2, -1):
        assert np.array_equal(np.sort(np.r_[first, second]), every)
        assert not np.array_equal(np.sort(first), every[: POINTS // 2])
    assert np.array_equal(np.sort(folds(rng, 10).ravel()), every)
    assert folds(rng, 7).shape == (7, 42)  # 6 points are left out


def test_scores_have_the_mean_and_the_shift_of_folds_the_variance_of_their_formulas(rng):
    """A block's accuracy over very many points is 1 - rate - shift, a uniform one."""

    def endless(rng: np.random.Generator, blocks: int) -> np.ndarray:
        return np.tile(np.arange(POINTS), (blocks, 50))

    shifted = Learners(0.2, endless, SHIFT)(rng, 40, 2).mean(axis=1)
    assert shifted.mean() == pytest.approx(0.8, abs=4 * SHIFT / np.sqrt(3 * 40))
    assert shifted.std(ddof=1) == pytest.approx(SHIFT / np.sqrt(3), rel=0.3)
    still = Learners(0.2, endless)(rng, 40, 2).mean(axis=1)
    assert still.std() < SHIFT / 5
    items = Learners(0.2, a_third, by_item=True)(rng, 20_000, 2)
    assert items.shape == (20_000, 2)
    assert items.mean(axis=0) == pytest.approx([0.8, 0.8], abs=4 * np.sqrt(0.16 / 20_000))
    # both halves: (0.1 0.3 + 0.3 0.1) / 2 = 0.03 err with both, 0.01 less than by independence
    assert np.cov(items.T)[0, 1] == pytest.approx(-0.01, abs=4 * 0.16 / np.sqrt(20_000))


@pytest.mark.parametrize("effect", [-0.71, 0.101])
def test_effects_keep_every_chance_between_0_and_1(rng, effect):
    learners = Learners(0.2, splits)
    for least_and_most in (-0.7, 0.1):
        inside = chances(np.array([0, 1]), 0.2, np.array([least_and_most]))
        assert inside.min() >= -1e-12
        assert inside.max() <= 1 + 1e-12
        assert learners.moved(rng, 3, np.array([0.0, least_and_most])).shape == (3, 2)
    with pytest.raises(InferenceError, match=r"can be better by -0\.70 to 0\.10, not by"):
        learners.moved(rng, 3, np.array([0.0, effect]))


@pytest.mark.parametrize("rate", RATES)
def test_every_design_of_the_paper_is_a_scenario_of_its_size(rate):
    for kind, blocks, block, target in (
        ("items", 100, "item", "test-set"),
        ("splits", 30, "resample", "population"),
        ("folds", 10, "fold", "population"),
        ("halves", 10, "fold", "population"),
    ):
        scenario = SCENARIOS[f"learners-{kind}-{100 * rate:.0f}"]
        drawn = scenario.example()
        assert drawn.values.shape == (blocks, 2)
        assert (drawn.block, drawn.target) == (block, target)
        assert scenario.binary == (kind == "items")
        assert f"err by {rate:.0%}" in scenario.text
