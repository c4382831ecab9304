"""Damaged learners: the problems, the shipped damages, the scenarios made of them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from podium.errors import InferenceError
from podium_lab.calibration.calibrate import calibrate
from podium_lab.calibration.damaged_learners import (
    PROBLEMS,
    SHARES,
    SIZES,
    constants,
    damage,
    differences,
    gap,
    nearest,
)
from podium_lab.calibration.scenarios import SCENARIOS
from podium_lab.calibration.simulated_learners import POINTS

NAMES = list(PROBLEMS)
SCENES = [f"damaged-{problem}-{design}" for problem in NAMES for design in SIZES]


@pytest.mark.parametrize(
    ("name", "attributes", "classes"), [("exp6", 2, 6), ("letter", 16, 26), ("pima", 8, 2)]
)
def test_a_problem_has_the_attributes_and_classes_of_the_paper_s(name, attributes, classes):
    values, found = PROBLEMS[name].points(np.random.default_rng(1), 3000)
    assert values.shape == (3000, attributes)
    assert set(found) == set(range(classes))


def test_letters_are_whole_numbers_up_to_15():
    values, _ = PROBLEMS["letter"].points(np.random.default_rng(1), 500)
    assert (values == np.round(values)).all()
    assert (values.min(), values.max()) == (0, 15)


def test_the_nearest_neighbour_is_that_of_scikit_learn():
    values, classes = PROBLEMS["exp6"].points(np.random.default_rng(2), POINTS)
    theirs = KNeighborsClassifier(1).fit(values[:200], classes[:200]).predict(values[200:])
    assert (nearest(values[:200], classes[:200], values[200:]) == theirs).all()


def test_weights_of_zero_leave_attributes_out_of_the_distance():
    problem = PROBLEMS["exp6"]
    points = problem.points(np.random.default_rng(2), POINTS)
    train, test = np.arange(200), np.arange(200, POINTS)
    right = problem.right(np.random.default_rng(0), points, train, test, damage=50.0)
    alone = nearest(points[0][train, :1], points[1][train], points[0][test, :1])
    assert (right[:, 1] == (alone == points[1][test])).all()


def test_a_tree_that_is_always_turned_over_errs_where_it_was_right():
    problem, rng = PROBLEMS["pima"], np.random.default_rng(3)
    points = problem.points(rng, POINTS)
    train, test = np.arange(150), np.arange(150, POINTS)
    undamaged, turned = (problem.right(rng, points, train, test, d) for d in (0.0, 1.0))
    assert (undamaged[:, 0] == turned[:, 0]).all()
    assert (undamaged[:, 1] != turned[:, 1]).all()


# -- the shipped damages --------------------------------------------------------------------------


def rows():
    return [row for found in constants().values() for row in found]


def test_damages_are_shipped_for_every_problem_size_and_share():
    sizes = [*SIZES.values(), POINTS]
    asked = {(p, size, share) for p in NAMES for size in sizes for share in SHARES}
    assert {row[:3] for row in rows()} == asked
    assert len(rows()) == len(asked)


def test_measured_differences_are_the_wanted_ones_within_monte_carlo_error():
    # both are measured, with as many trials each
    z = [(row.difference - row.wanted) / (np.sqrt(2) * row.error) for row in rows()]
    assert np.abs(z).max() < 3.5


def test_equal_learners_differ_by_far_less_than_300_points_can_show():
    # even disagreement on a tenth of 300 points makes a standard error of 0.018
    equal = [row for row in rows() if row.share == 0]
    assert all(row.wanted == 0 for row in equal)
    assert max(abs(row.difference) + 2 * row.error for row in equal) < 0.018 / 4


def test_less_damage_makes_a_larger_difference():
    for found in constants().values():
        assert (np.diff([row.damage for row in found]) < 0).all()
        assert (np.diff([row.difference for row in found]) > 0).all()
        assert found[-1].damage == 0


def test_the_damage_is_found_again_with_other_points():
    shipped = constants()["pima", 150][0]
    found = damage("pima", 150, trials=150, seed=5)[0]
    assert found.wanted == 0
    assert found.damage == pytest.approx(shipped.damage, abs=0.015)
    other = differences(PROBLEMS["exp6"], 200, np.array([0.0, 3.0]), range(20), seed=5)
    assert other[:, 0].mean() > 0 > other[:, 1].mean()


# -- the scenarios --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENES)
def test_a_layout_has_the_design_and_is_about_new_samples(name):
    scenario = SCENARIOS[name]
    layout = scenario.example()
    tested = {"items": 1, "folds": 30, "halves": 150}[name.rsplit("-", 1)[1]]
    counts = layout.values * tested  # whole numbers of points are right
    assert layout.values.shape == (scenario.sizes[0], 2)
    assert np.allclose(counts, np.round(counts))
    assert layout.target == "population"
    again = scenario.layout(np.random.default_rng(0), scenario.sizes[0], 2)
    assert (again.values == layout.values).all()


@pytest.mark.parametrize("problem", NAMES)
def test_an_effect_makes_the_second_algorithm_better_and_none_leaves_them_equal(problem):
    scenario = SCENARIOS[f"damaged-{problem}-halves"]

    def mean(effect: float) -> tuple[float, float]:
        drawn = np.array(
            [
                np.diff(scenario.layout(np.random.default_rng(i), 10, 2, (0, effect)).values).mean()
                for i in range(30)
            ]
        )
        return drawn.mean(), drawn.std(ddof=1) / np.sqrt(30)

    (equal, error), (apart, _) = mean(0.0), mean(gap(problem))
    assert abs(equal) < 4 * error
    assert apart == pytest.approx(constants()[problem, 150][-1].difference, abs=5 * error)


def test_a_rate_is_measured_and_power_comes_with_an_effect():
    found = calibrate("mcnemar", "damaged-pima-items", effects=[0, gap("pima")], replications=20)
    assert list(found.table["kind"]) == ["error", "power"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"algorithms": 5}, "two algorithms, not 5"),
        ({"effects": 0.5}, "better by 0 to 0.0.*, not by 0.5"),
        ({"effects": -0.01}, "not by -0.01"),
        ({"blocks": 20}, "has 10 blocks, not 20"),
    ],
)
def test_what_they_cannot_be_is_refused(asked, said):
    with pytest.raises(InferenceError, match=said):
        calibrate("corrected-t", "damaged-pima-folds", replications=1, **asked)
