"""Generators: what is drawn has the moments, frequencies and forms of what was learned from."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kstest, norm
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import Study, samplings
from podium.errors import DesignError
from podium.running.design.samples.generators import LinearModel, NormalClasses, check_generator
from podium.running.design.samples.sampler import Sampler

RNG = np.random.default_rng(0)


def two_blobs(n=60):
    y = np.arange(n) % 3 == 0
    X = RNG.normal(size=(n, 2)) @ [[1.0, 0.8], [0.0, 0.6]] + 3 * y[:, None]
    return X, y.astype(int)


def frame(n=60):
    X, y = two_blobs(n)
    colour = np.where(y == 1, "red", np.where(np.arange(n) % 2 == 0, "blue", "green"))
    return pd.DataFrame({"a": X[:, 0], "colour": pd.Categorical(colour), "b": X[:, 1]}), y


def drawn(data, sampling="parametric-bootstrap:5x100", number=1, seed=1, **options):
    sampler = Sampler(samplings.complete(samplings.parse(sampling)), seed, **options)
    found, draw = sampler.sample(data, number)
    return found, draw.splits[0]


def test_classes_have_the_shares_means_and_covariances_of_the_sample():
    X, y = two_blobs()
    T, t = NormalClasses().fit(X, y).sample(60_000, np.random.default_rng(1))
    assert np.bincount(t) / 60_000 == pytest.approx(np.bincount(y) / 60, abs=0.01)
    for c in (0, 1):
        assert T[t == c].mean(axis=0) == pytest.approx(X[y == c].mean(axis=0), abs=0.03)
        assert np.cov(T[t == c].T) == pytest.approx(np.cov(X[y == c].T), abs=0.04)
        z = (T[t == c][:, 0] - X[y == c][:, 0].mean()) / X[y == c][:, 0].std(ddof=1)
        assert kstest(z, norm.cdf).pvalue > 0.001


def test_nominal_attributes_have_the_frequencies_of_their_class():
    X, y = frame()
    T, t = NormalClasses().fit(X, y).sample(20_000, np.random.default_rng(1))
    assert list(T.columns) == ["a", "colour", "b"]
    assert T["colour"].dtype == X["colour"].dtype
    for c in (0, 1):
        wanted = X["colour"][y == c].value_counts(normalize=True)
        found = T["colour"][t == c].value_counts(normalize=True)
        assert found[wanted.index].to_numpy() == pytest.approx(wanted.to_numpy(), abs=0.02)


def test_a_class_of_one_row_and_more_attributes_than_rows_are_no_problem():
    X, y = RNG.normal(size=(5, 9)), np.array([0, 0, 0, 0, 1])
    T, t = NormalClasses().fit(X, y).sample(50, np.random.default_rng(1))
    assert np.isfinite(T).all()
    assert T[t == 1] == pytest.approx(np.repeat(X[[4]], (t == 1).sum(), axis=0))


def test_a_linear_model_is_found_again_in_what_it_draws():
    X, _ = frame(200)
    target = 2 + 3 * X["a"].to_numpy() + (X["colour"] == "red") * 1.5 + RNG.normal(size=200)
    model = LinearModel().fit(X, target.to_numpy())
    T, t = model.sample(100_000, np.random.default_rng(1))
    again = LinearModel().fit(T, t)
    assert again.sd == pytest.approx(model.sd, rel=0.01)
    assert again.coefficients == pytest.approx(model.coefficients, abs=0.05)
    assert T[["a", "b"]].cov().to_numpy() == pytest.approx(X[["a", "b"]].cov().to_numpy(), abs=0.05)
    # residual variance with its degrees of freedom: 5 columns of which one is redundant, and ones
    matrix = np.column_stack([np.ones(200), X[["a", "b"]], pd.get_dummies(X["colour"])])
    residuals = target - matrix @ np.linalg.lstsq(matrix.astype(float), target, rcond=None)[0]
    assert model.sd**2 == pytest.approx((residuals**2).sum() / (200 - 5))


@pytest.mark.parametrize("make", [two_blobs, frame])
def test_samples_have_the_size_and_form_of_the_data_and_fresh_test_rows(make):
    data = podium.dataset("d", *make())
    found, split = drawn(data)
    assert np.array_equal(split.train, np.arange(60))
    assert np.array_equal(split.test, np.arange(60, 160))
    assert type(found.X) is type(data.X)
    assert found.classes == data.classes
    other, _ = drawn(data, number=2)
    assert not np.array_equal(found.y, other.y)
    again, _ = drawn(data)
    assert np.array_equal(np.asarray(found.X), np.asarray(again.X))
    whose = "parametric-bootstrap:5x100+independent"
    sampler = Sampler(samplings.parse(whose), 1)
    a, b = (sampler.sample(data, 1, name)[0].y for name in "ab")
    assert not np.array_equal(a, b)


def test_what_was_drawn_before_does_not_matter():
    data = podium.dataset("d", *two_blobs())
    sampler = Sampler(samplings.parse("parametric-bootstrap:5x10"), 1)
    later = [sampler.sample(data, k)[0].X for k in (4, 2)][1]
    assert np.array_equal(later, drawn(data, "parametric-bootstrap:5x10", 2)[0].X)


class Noisy:
    """A generator that uses the global generator of numpy, and an open random state."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.shift = np.random.rand() + self.random_state
        self.X, self.y = X, y

    def sample(self, n, rng):
        rows = rng.integers(len(self.y), size=n)
        return self.X[rows] + self.shift, self.y[rows]


def test_a_generator_of_ones_own_is_fitted_the_same_whatever_comes_first():
    data = podium.dataset("d", *two_blobs())
    noisy = Noisy()
    one, _ = drawn(data, generator=noisy)
    np.random.seed(9)
    other, _ = drawn(data, generator=noisy)
    assert np.array_equal(one.X, other.X)
    assert not hasattr(noisy, "shift")


class Draws:
    """A generator that draws what it is told."""

    def __init__(self, X, y):
        self.X, self.y = X, y

    def fit(self, X, y):
        return self

    def sample(self, n, rng):
        return self.X, self.y


X60, Y60 = np.ones((60, 2)), np.arange(60) % 2


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (X60[:3], Y60, "drew attributes of shape (3, 2), not (60, 2)."),
        (X60, Y60 + 1, "must draw class codes from 0 to 1."),
        (X60, Y60 + 0.5, "must draw class codes from 0 to 1."),
        (X60, Y60[:3], "must draw class codes, one for every row."),
        (X60, Y60 * 0, "was drawn 1000 times and always had a single class to learn from."),
    ],
)
def test_what_a_generator_must_not_draw(X, y, message):
    data = podium.dataset("d", *two_blobs())
    with pytest.raises(DesignError) as error:
        drawn(data, generator=Draws(X, y))
    assert str(error.value).endswith(message)


def test_levels_that_the_data_do_not_have_are_refused():
    X, y = frame()
    odd = X.assign(colour="pink")
    with pytest.raises(DesignError, match="drew 'pink', which is no level of 'colour'"):
        drawn(podium.dataset("d", X, y), generator=Draws(odd, y))


def test_what_cannot_be_generated_is_refused():
    X, y = two_blobs()
    data = podium.dataset("d", X, y)
    X[0, 0] = np.nan
    for given, generator, message in (
        (data, 3, "The generator 3 has no method 'fit'."),
        (podium.dataset("d", X, y), None, "the default takes no missing values, and there are 1."),
        (podium.dataset("d", X, task="density"), Noisy(), "'d' is a density estimation."),
    ):
        with pytest.raises(DesignError) as error:
            check_generator(generator, given)
        assert message in str(error.value)


def test_another_generator_makes_other_runs():
    data, algorithms = podium.dataset("d", *two_blobs()), {"a": DecisionTreeClassifier()}
    studies = [
        Study(data, algorithms, sampling="parametric-bootstrap:1", generator=g)
        for g in (None, Noisy(), Noisy(3))
    ]
    assert len({run.key for s in studies for run in s}) == 3
