"""The artificial problems against closed forms, scikit-learn's formulas and published counts."""

from collections import Counter

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import ncx2, norm
from sklearn.datasets import make_friedman1, make_friedman2, make_friedman3

from podium.running.design.data import problems

N = 200_000
FOUR_SIGMA = 4 / np.sqrt(N)  # times a standard deviation: what a mean of N draws stays within

CLASSIFICATION = [
    problems.twonorm,
    problems.threenorm,
    problems.ringnorm,
    problems.circle,
    problems.spirals,
    problems.quarter_circle,
]
REGRESSION = [problems.friedman1, problems.friedman2, problems.friedman3, problems.nested_linear]


@pytest.fixture
def rng():
    return np.random.default_rng(20250101)


def error_near(predicted, y, expected):
    """Whether a rule's error on N draws is its known error, up to four standard errors."""
    return abs(np.mean(predicted != y) - expected) < FOUR_SIGMA * np.sqrt(expected)


def log_density(X, mean, variance=1.0):
    """Logarithm of a spherical normal density, up to the constant all densities share."""
    return -np.square(X - mean).sum(1) / (2 * variance) - X.shape[1] / 2 * np.log(variance)


def turns_and_directions(X):
    """How far along the noiseless spiral each radius lies, and where the first one would point."""
    turns = (3 * np.hypot(*X.T) - 1) / 2
    return turns, np.column_stack([np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)])


# --- what holds for every random problem ---


@pytest.mark.parametrize("problem", CLASSIFICATION + REGRESSION)
def test_the_same_seed_gives_the_same_observations(problem):
    X, y = problem(50, np.random.default_rng(3))
    again_X, again_y = problem(50, np.random.default_rng(3))
    np.testing.assert_array_equal(X, again_X)
    np.testing.assert_array_equal(y, again_y)
    assert X.shape[0] == y.shape[0] == 50
    assert X.dtype == np.float64


@pytest.mark.parametrize("problem", CLASSIFICATION)
def test_each_class_has_probability_one_half(problem, rng):
    _, y = problem(N, rng)
    assert y.dtype == np.int64
    assert set(np.unique(y)) == {0, 1}
    assert abs(y.mean() - 0.5) < FOUR_SIGMA / 2


@pytest.mark.parametrize("problem", CLASSIFICATION)
def test_classes_are_drawn_independently_and_not_in_fixed_numbers(problem, rng):
    counts = [problem(100, rng)[1].sum() for _ in range(400)]
    assert np.var(counts) == pytest.approx(25, rel=0.3)  # binomial: 100 / 4


@pytest.mark.parametrize(("problem", "p"), list(zip(REGRESSION, (10, 4, 4, 1), strict=True)))
def test_regression_problems_have_their_published_inputs(problem, p, rng):
    X, y = problem(30, rng)
    assert X.shape == (30, p)
    assert y.dtype == np.float64


# --- Breiman's normals ---


@pytest.mark.parametrize("d", [2, 5, 20])
def test_twonorm_has_the_bayes_error_phi_of_minus_two(d, rng):
    X, y = problems.twonorm(N, rng, d=d)
    assert error_near(X.sum(1) < 0, y, norm.cdf(-2))
    assert norm.cdf(-2) == pytest.approx(0.023, abs=5e-4)


def test_ringnorm_has_the_bayes_error_of_its_two_noncentral_chi_squares(rng):
    """The optimal region for class 1 is a ball around 4/3 of its mean; |mean|^2 = 1."""
    squared_radius = 8 / 3 * (20 * np.log(2) + 1 / 6)
    missed = ncx2.sf(squared_radius, 20, 1 / 9)
    false = ncx2.cdf(squared_radius / 4, 20, 4 / 9)
    bayes_error = (missed + false) / 2
    X, y = problems.ringnorm(N, rng)
    ratio = log_density(X, 1 / np.sqrt(20)) - log_density(X, 0, variance=4)
    assert error_near(ratio > 0, y, bayes_error)
    assert bayes_error == pytest.approx(0.0150, abs=5e-5)


def test_ringnorm_has_its_published_moments(rng):
    X, y = problems.ringnorm(N, rng)
    np.testing.assert_allclose(X[y == 0].mean(0), 0, atol=0.03)
    np.testing.assert_allclose(X[y == 1].mean(0), 1 / np.sqrt(20), atol=0.015)
    np.testing.assert_allclose(np.cov(X[y == 0].T), 4 * np.eye(20), atol=0.1)
    np.testing.assert_allclose(np.cov(X[y == 1].T), np.eye(20), atol=0.025)


def test_threenorm_has_the_bayes_error_of_its_projection_on_a_plane(rng):
    """For even d the means are (2, 0), (-2, 0) and (0, 2): class 1 is v > log(cosh(2 u)) / 2."""

    def error_given(u):
        bound = np.log(np.cosh(2 * u)) / 2
        pair = (norm.pdf(u, 2) + norm.pdf(u, -2)) / 2
        return (pair * norm.sf(bound) + norm.pdf(u) * norm.cdf(bound - 2)) / 2

    bayes_error, _ = integrate.quad(error_given, -10, 10)
    assert bayes_error == pytest.approx(0.105, abs=1e-3)  # Breiman's 10.5 %

    X, y = problems.threenorm(N, rng)
    a = 2 / np.sqrt(20)
    pair = np.logaddexp(log_density(X, a), log_density(X, -a)) - np.log(2)
    single = log_density(X, a * np.tile([1, -1], 10))
    assert error_near(single > pair, y, bayes_error)


def test_threenorm_has_alternating_means_in_odd_dimension(rng):
    X, y = problems.threenorm(N, rng, d=3)
    a = 2 / np.sqrt(3)
    np.testing.assert_allclose(X[y == 1].mean(0), [a, -a, a], atol=0.02)
    np.testing.assert_allclose(X[y == 0].mean(0), 0, atol=0.03)
    np.testing.assert_allclose(np.cov(X[y == 0].T), np.eye(3) + a**2, atol=0.05)


# --- circle, spirals, quarter circle ---


@pytest.mark.parametrize(("d", "radius"), [(2, np.sqrt(2 / np.pi)), (3, (3 / np.pi) ** (1 / 3))])
def test_circle_separates_its_classes_at_the_radius_of_half_the_volume(d, radius, rng):
    X, y = problems.circle(N, rng, d=d)
    np.testing.assert_array_equal(y, np.linalg.norm(X, axis=1) > radius)
    assert abs(y.mean() - 0.5) < FOUR_SIGMA / 2
    assert np.abs(X).max() <= 1


def test_circle_has_the_variance_of_the_uniform_distribution(rng):
    X, _ = problems.circle(N, rng, d=3)
    np.testing.assert_allclose(np.cov(X.T), np.eye(3) / 3, atol=0.005)


def test_circle_loses_its_balance_once_the_ball_juts_out_of_the_cube(rng):
    assert problems.circle(N, rng, d=4)[1].mean() > 0.51


@pytest.mark.parametrize("cycles", [1, 1.5])
def test_spirals_without_noise_grow_by_two_thirds_per_turn(cycles, rng):
    X, y = problems.spirals(1000, rng, cycles=cycles, sd=0)
    turns, direction = turns_and_directions(X)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    np.testing.assert_allclose(unit, np.where(y == 0, 1, -1)[:, None] * direction, atol=1e-9)
    assert turns.min() == pytest.approx(0, abs=0.02)
    assert turns.max() == pytest.approx(cycles, abs=0.02)


def test_spirals_have_the_means_of_one_full_turn(rng):
    """The integral of (1 + 2 t) / 3 exp(2 pi i t) over [0, 1] is -i / (3 pi)."""
    X, y = problems.spirals(N, rng)
    np.testing.assert_allclose(X[y == 0].mean(0), [0, -1 / (3 * np.pi)], atol=0.007)
    np.testing.assert_allclose(X[y == 1].mean(0), [0, 1 / (3 * np.pi)], atol=0.007)


def test_spirals_scatter_around_the_curve_with_the_given_sd(rng):
    X, y = problems.spirals(2000, rng, sd=0.05)
    t = np.linspace(-0.2, 1.2, 4001)
    curve = (1 + 2 * t) / 3 * np.exp(2j * np.pi * t)
    points = np.where(y == 0, 1, -1) * (X[:, 0] + 1j * X[:, 1])
    distance = np.abs(points[:, None] - curve).min(axis=1)
    assert np.sqrt(np.mean(distance**2)) == pytest.approx(0.05, rel=0.07)


@pytest.mark.parametrize("gamma", [0, 30, 90])
def test_quarter_circle_has_the_moments_of_its_mixture(gamma, rng):
    X, y = problems.quarter_circle(N, rng, gamma=gamma)
    resting = np.array([0, 1])
    moving = np.array([np.cos(np.deg2rad(gamma)), np.sin(np.deg2rad(gamma))])
    apart = moving - resting
    np.testing.assert_allclose(X[y == 0].mean(0), 0, atol=0.006)
    np.testing.assert_allclose(X[y == 1].mean(0), (moving + resting) / 2, atol=0.01)
    np.testing.assert_allclose(np.cov(X[y == 0].T), 0.2 * np.eye(2), atol=0.005)
    mixture = 0.2 * np.eye(2) + np.outer(apart, apart) / 4
    np.testing.assert_allclose(np.cov(X[y == 1].T), mixture, atol=0.01)


def test_quarter_circle_at_ninety_degrees_is_best_split_at_one_half(rng):
    X, y = problems.quarter_circle(N, rng, gamma=90)
    assert error_near(X[:, 1] > 0.5, y, norm.cdf(-0.5 / np.sqrt(0.2)))


# --- regression ---

CIRCUIT = ([0, 40 * np.pi, 0, 1], [100, 560 * np.pi, 1, 11])
FRIEDMAN = [
    (problems.friedman1, make_friedman1, ([0] * 10, [1] * 10)),
    (problems.friedman2, make_friedman2, CIRCUIT),
    (problems.friedman3, make_friedman3, CIRCUIT),
]


class Replayed(np.random.RandomState):
    """A generator whose uniform draws are given, so that scikit-learn uses our inputs."""

    def __init__(self, draws):
        super().__init__(0)
        self.draws = draws

    def uniform(self, low=0.0, high=1.0, size=None):
        return self.draws.reshape(size)


@pytest.mark.parametrize(("problem", "of_sklearn", "limits"), FRIEDMAN)
def test_friedman_without_noise_is_the_formula_of_sklearn(problem, of_sklearn, limits, rng):
    X, y = problem(500, rng, sd=0)
    low, high = map(np.array, limits)
    its_X, its_y = of_sklearn(500, noise=0, random_state=Replayed((X - low) / (high - low)))
    np.testing.assert_allclose(its_X, X, rtol=1e-9)
    np.testing.assert_allclose(its_y, y, rtol=1e-9)


@pytest.mark.parametrize(("problem", "of_sklearn", "limits"), FRIEDMAN)
def test_friedman_inputs_are_uniform_on_their_published_ranges(problem, of_sklearn, limits, rng):
    X, _ = problem(N, rng)
    low, high = map(np.array, limits)
    unit = (X - low) / (high - low)
    assert unit.min() >= 0
    assert unit.max() <= 1
    np.testing.assert_allclose(unit.mean(0), 1 / 2, atol=FOUR_SIGMA / np.sqrt(12))
    np.testing.assert_allclose(unit.var(0), 1 / 12, rtol=0.02)


@pytest.mark.parametrize(
    ("problem", "sd"),
    [(problems.friedman1, 1.0), (problems.friedman2, 125.0), (problems.friedman3, 0.1)],
)
def test_friedman_noise_has_its_published_sd(problem, sd):
    _, y = problem(N, np.random.default_rng(1))
    _, mean = problem(N, np.random.default_rng(1), sd=0)
    assert np.std(y - mean) == pytest.approx(sd, rel=0.02)
    assert abs(np.mean(y - mean)) < FOUR_SIGMA * sd


@pytest.mark.parametrize("problem", [problems.friedman2, problems.friedman3])
def test_friedman_circuits_have_three_times_as_much_signal_as_noise(problem):
    """The ratio of 3 to 1 for which Friedman (1991) chose the noise."""
    _, y = problem(N, np.random.default_rng(1))
    _, mean = problem(N, np.random.default_rng(1), sd=0)
    assert np.std(mean) / np.std(y - mean) == pytest.approx(3, rel=0.1)


@pytest.mark.parametrize("beta2", [0.0, 0.16])
def test_nested_linear_has_the_moments_of_its_equation(beta2, rng):
    X, y = problems.nested_linear(N, rng, beta2=beta2)
    assert X.mean() == pytest.approx(2.5, abs=0.02)
    assert X.var() == pytest.approx(25 / 12, rel=0.02)
    assert y.mean() == pytest.approx(2 * 5 / 2 + beta2 * 25 / 3, abs=0.05)
    coefficients, (residual,), *_ = np.polyfit(X[:, 0], y, 2, full=True)
    np.testing.assert_allclose(coefficients, [beta2, 2, 0], atol=0.03)
    assert residual / N == pytest.approx(1, rel=0.02)


# --- fixed tables ---


@pytest.mark.parametrize(
    ("table", "rows", "columns"),
    [(problems.monks3_domain, 432, 6), (problems.tictactoe, 958, 9), (problems.titanic, 2201, 3)],
)
def test_tables_have_categorical_columns_without_gaps(table, rows, columns):
    X, y = table()
    assert X.shape == (rows, columns)
    assert y.shape == (rows,)
    assert all(dtype == "category" for dtype in X.dtypes)
    assert not X.isna().any(axis=None)
    assert list(X.index) == list(range(rows))


def test_monks3_domain_has_every_robot_once():
    X, _ = problems.monks3_domain()
    assert not X.duplicated().any()
    assert [len(X[name].cat.categories) for name in X] == [3, 3, 2, 3, 4, 2]


def test_monks3_domain_has_the_228_positive_robots_of_the_uci_file():
    _, y = problems.monks3_domain()
    assert Counter(y.tolist()) == {1: 228, 0: 204}


def test_monks3_class_depends_on_body_jacket_and_sword_as_in_the_uci_file():
    """Counts of class 1 in the UCI test file, per body shape (rows) and jacket (columns)."""
    X, y = problems.monks3_domain()
    table = X.assign(y=y).pivot_table("y", "body_shape", "jacket_color", "sum", observed=False)
    assert table.loc["round"].to_dict() == {"red": 36, "yellow": 36, "green": 36, "blue": 0}
    assert table.loc["square"].to_dict() == {"red": 36, "yellow": 36, "green": 36, "blue": 0}
    assert table.loc["octagon"].to_dict() == {"red": 0, "yellow": 0, "green": 12, "blue": 0}
    assert set(X["holding"][(y == 1) & (X["body_shape"] == "octagon")]) == {"sword"}


def test_monks3_training_has_122_robots_of_which_six_are_misclassified(rng):
    X, y = problems.monks3_training(rng)
    domain, truth = problems.monks3_domain()
    true_class = dict(zip(domain.itertuples(index=False, name=None), truth, strict=True))
    robots = list(X.itertuples(index=False, name=None))
    assert len(set(robots)) == len(y) == 122
    wrong = [true_class[robot] != label for robot, label in zip(robots, y, strict=True)]
    assert sum(wrong) == 6
    assert (X.dtypes == domain.dtypes).all()  # levels that were not drawn stay known


def test_monks3_training_is_another_sample_for_another_seed():
    one, _ = problems.monks3_training(np.random.default_rng(1))
    other, _ = problems.monks3_training(np.random.default_rng(2))
    assert not one.equals(other)


def test_tictactoe_has_the_626_wins_of_x_of_the_uci_file():
    X, y = problems.tictactoe()
    assert Counter(y.tolist()) == {"positive": 626, "negative": 332}
    assert not X.duplicated().any()
    assert list(X.columns) == ["tl", "tm", "tr", "ml", "mm", "mr", "bl", "bm", "br"]


def test_tictactoe_has_16_draws_and_316_wins_of_o():
    X, y = problems.tictactoe()
    moves_of_x, moves_of_o = (X.eq(mark).sum(axis=1) for mark in "xo")
    full = moves_of_x + moves_of_o == 9
    assert Counter(full[y == "negative"]) == {True: 16, False: 316}
    assert (moves_of_x == moves_of_o)[(y == "negative") & ~full].all()  # o has moved last
    assert (moves_of_x == moves_of_o + 1)[y == "positive"].all()


def test_tictactoe_has_the_uci_counts_per_square():
    """Marks of x on corners, edges and the centre, as in the UCI file."""
    X, _ = problems.tictactoe()
    on_square = (X == "x").sum()
    assert set(on_square[["tl", "tr", "bl", "br"]]) == {418}
    assert set(on_square[["tm", "ml", "mr", "bm"]]) == {378}
    assert on_square["mm"] == 458


def test_titanic_has_the_1490_dead_and_711_survivors_of_dawson():
    _, y = problems.titanic()
    assert Counter(y.tolist()) == {"No": 1490, "Yes": 711}


@pytest.mark.parametrize(
    ("column", "aboard", "survived"),
    [
        ("Class", [325, 285, 706, 885], [203, 118, 178, 212]),
        ("Sex", [1731, 470], [367, 344]),
        ("Age", [109, 2092], [57, 654]),
    ],
)
def test_titanic_has_the_published_margins(column, aboard, survived):
    X, y = problems.titanic()
    margins = (X[column].value_counts(sort=False), X[column][y == "Yes"].value_counts(sort=False))
    assert [list(margin) for margin in margins] == [aboard, survived]


def test_titanic_has_no_children_in_the_crew_and_24_kinds_of_people():
    X, y = problems.titanic()
    assert not ((X["Class"] == "Crew") & (X["Age"] == "Child")).any()
    assert len(X.assign(y=y).drop_duplicates()) == 24
