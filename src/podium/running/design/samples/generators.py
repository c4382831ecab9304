"""Generators of data sets, fitted to a training set: what a parametric bootstrap draws from.

A generator is any object with `fit(X, y)` and `sample(n, rng)`, which returns X and y in the form
that `fit` was given: a float matrix, or a frame whose nominal columns are categorical, and class
codes or numbers. Those that come with Podium take no missing values.
"""

from __future__ import annotations

import contextlib
import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
import pandas as pd

from podium.core import samplings
from podium.core.base.errors import DesignError
from podium.running.design.data.datasets import Dataset, task_noun
from podium.running.design.data.identity import description, fingerprint
from podium.running.design.samples.drawing import (
    GENERATOR,
    SINGLE_CLASS,
    Draw,
    Split,
    Wanted,
    draws,
    until_usable,
)

Attributes: TypeAlias = np.ndarray | pd.DataFrame


class Generator(Protocol):
    """What a parametric bootstrap draws from."""

    def fit(self, X: Attributes, y: np.ndarray) -> Any:
        """Learn from a training set."""

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Attributes, np.ndarray]:
        """Rows as the training set has them."""


# -- the parts: a normal distribution of the numbers, frequencies of the nominal values -----------


@dataclass
class _Normal:
    """A multivariate normal distribution with the mean and covariance of some rows."""

    mean: np.ndarray
    factor: np.ndarray  # its square is the covariance, also where that is singular

    @classmethod
    def of(cls, rows: np.ndarray) -> _Normal:
        mean = rows.mean(axis=0)
        _, scale, axes = np.linalg.svd(rows - mean, full_matrices=False)
        return cls(mean, scale[:, None] * axes / np.sqrt(max(len(rows) - 1, 1)))

    def sample(self, n: int, rng: np.random.Generator) -> np.ndarray:
        return np.asarray(self.mean + rng.standard_normal((n, len(self.factor))) @ self.factor)


@dataclass
class _Attributes:
    """Numbers that are jointly normal, and nominal values that are independent of all others."""

    like: Attributes  # without rows: names and levels of the columns
    numbers: _Normal
    shares: list[np.ndarray]  # of the levels of every nominal column

    @classmethod
    def of(cls, X: Attributes) -> _Attributes:
        codes = [c.cat.codes.to_numpy() for c in _nominal(X)]
        levels = [len(c.cat.categories) for c in _nominal(X)]
        counts = [np.bincount(c, minlength=k) for c, k in zip(codes, levels, strict=True)]
        return cls(X[:0], _Normal.of(_numbers(X)), [c / c.sum() for c in counts])

    def sample(self, n: int, rng: np.random.Generator) -> Attributes:
        numbers = self.numbers.sample(n, rng)
        if isinstance(self.like, np.ndarray):
            return numbers
        codes = iter([rng.choice(len(s), size=n, p=s) for s in self.shares])
        columns = iter(numbers.T)
        return pd.DataFrame(
            {
                name: pd.Categorical.from_codes(next(codes), dtype=c.dtype)
                if isinstance(c.dtype, pd.CategoricalDtype)
                else next(columns)
                for name, c in self.like.items()
            }
        )


def _nominal(X: Attributes) -> list[pd.Series]:
    if isinstance(X, np.ndarray):
        return []
    return [c for _, c in X.items() if isinstance(c.dtype, pd.CategoricalDtype)]


def _numbers(X: Attributes) -> np.ndarray:
    if isinstance(X, np.ndarray):
        return X
    return X.drop(columns=[c.name for c in _nominal(X)]).to_numpy(dtype=float)


# -- the generators that come with Podium ---------------------------------------------------------


@dataclass
class NormalClasses:
    """Classes with their shares; in each, numbers are normal with the class's own covariance.

    Nominal attributes have the class's frequencies, independently of everything else.
    """

    shares: np.ndarray = field(default_factory=lambda: np.empty(0), init=False)
    parts: list[_Attributes] = field(default_factory=list, init=False)

    def fit(self, X: Attributes, y: np.ndarray) -> NormalClasses:
        """Shares, means, covariances and frequencies of the classes."""
        self.shares = np.bincount(y) / len(y)
        self.parts = [_Attributes.of(X[y == c]) for c in np.flatnonzero(self.shares)]
        return self

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Attributes, np.ndarray]:
        """Rows of all classes, in random order."""
        y = rng.choice(len(self.shares), size=n, p=self.shares)
        present = np.flatnonzero(self.shares)
        pieces = [
            p.sample(int((y == c).sum()), rng) for p, c in zip(self.parts, present, strict=True)
        ]
        places = np.concatenate([np.flatnonzero(y == c) for c in present])
        return _rows(_stacked(pieces), np.argsort(places)), y


@dataclass
class LinearModel:
    """Normal attributes, and a target that is linear in them plus independent normal errors.

    Nominal attributes have their frequencies, independently of everything else.
    """

    attributes: _Attributes | None = field(default=None, init=False)
    coefficients: np.ndarray = field(default_factory=lambda: np.empty(0), init=False)
    sd: float = field(default=0.0, init=False)

    def fit(self, X: Attributes, y: np.ndarray) -> LinearModel:
        """Least squares; the errors' variance has the residual degrees of freedom."""
        self.attributes, matrix = _Attributes.of(X), _coded(X)
        self.coefficients, _, rank, _ = np.linalg.lstsq(matrix, y, rcond=None)
        residuals = y - matrix @ self.coefficients
        self.sd = float(np.sqrt(residuals @ residuals / max(len(y) - int(rank), 1)))
        return self

    def sample(self, n: int, rng: np.random.Generator) -> tuple[Attributes, np.ndarray]:
        """Attributes first, then the target."""
        assert self.attributes is not None
        X = self.attributes.sample(n, rng)
        return X, _coded(X) @ self.coefficients + self.sd * rng.standard_normal(n)


def _coded(X: Attributes) -> np.ndarray:
    """One column of ones, the numbers, and one indicator for every level."""
    levels = [np.eye(len(c.cat.categories))[c.cat.codes] for c in _nominal(X)]
    return np.hstack([np.ones((len(X), 1)), _numbers(X), *levels])


DEFAULTS = {"classification": NormalClasses, "regression": LinearModel}


# -- fitting and sampling whatever a user gives ---------------------------------------------------


def check_generator(generator: Any, data: Dataset) -> None:
    """Refuse what is no generator, and data that the default generator cannot learn from."""
    for verb in ("fit", "sample"):
        if generator is not None and not callable(getattr(generator, verb, None)):
            raise DesignError(
                f"The generator {generator!r:.60} has no method '{verb}'. Give an object with "
                "fit(X, y) and sample(n, rng)."
            )
    if data.task not in DEFAULTS:
        raise DesignError(
            f"A parametric bootstrap draws classes or numbers to predict; '{data.name}' is a "
            f"{task_noun(data.task)}."
        )
    if generator is None and data.n_missing:
        raise DesignError(
            f"A parametric bootstrap of '{data.name}' needs a generator of your own: the default "
            f"takes no missing values, and there are {data.n_missing}."
        )


def generator_detail(generator: Any) -> str:
    """What tells samples of a generator of one's own from those of the default."""
    if generator is None:
        return ""
    content = fingerprint(repr(description(generator, "The generator")))
    return f":{type(generator).__name__}({content[:8]})"


@dataclass(frozen=True)
class FittedGenerator:
    """A generator that has learned from a data set."""

    generator: Generator

    def sample(self, data: Dataset, n_test: int, rng: np.random.Generator) -> Draw:
        """As many rows to learn from as the data set has, and `n_test` fresh ones to test on."""
        (X, y), again = until_usable(
            f"Data set '{data.name}': a sample of its generator",
            lambda: self._drawn(data, data.n, rng),
            lambda drawn: SINGLE_CLASS if data.classes and np.ptp(drawn[1]) == 0 else "",
        )
        T, t = self._drawn(data, n_test, rng)
        drawn = replace(
            data, X=_stacked([X, T]), y=np.concatenate([y, t]), n_test=n_test, groups=None
        )
        rows = np.arange(data.n + n_test)
        return Draw((Split(rows[: data.n], rows[data.n :]),), again, data=drawn)

    def _drawn(
        self, data: Dataset, n: int, rng: np.random.Generator
    ) -> tuple[Attributes, np.ndarray]:
        X, y = self.generator.sample(n, rng)
        return _checked_attributes(data, X, n), _checked_target(data, y, n)


def fitted(generator: Any, data: Dataset, rng: np.random.Generator) -> FittedGenerator:
    """A copy of the generator, or the default one, that has learned from the training set."""
    made: Any = DEFAULTS[data.task]() if generator is None else copy.deepcopy(generator)
    if getattr(made, "random_state", 0) is None:
        made.random_state = int(rng.integers(2**31))
    with _global_generators(int(rng.integers(2**32))):
        result = made.fit(_rows(data.X, slice(0, data.n)), data.y[: data.n].copy())
    return FittedGenerator(made if result is None else result)


@draws(
    samplings.PARAMETRIC_BOOTSTRAP,
    source=GENERATOR,
    unlisted="rows that are drawn anew",
    check=check_generator,
)
def draw_generated(w: Wanted) -> Draw:
    """A sample of the generator, which is fitted once for all samples of a data set."""
    learned = w.once(lambda rng: fitted(w.generator, w.data, rng), "generator", w.data.name)
    return learned.sample(w.data, w.sampling.rows or 1, w.rng)


@contextlib.contextmanager
def _global_generators(seed: int) -> Iterator[None]:
    """Fitted once per worker, a generator must not depend on which sample came first."""
    before = np.random.get_state(), random.getstate()
    np.random.seed(seed)
    random.seed(seed)
    try:
        yield
    finally:
        np.random.set_state(before[0])
        random.setstate(before[1])


def _checked_attributes(data: Dataset, X: Any, n: int) -> Attributes:
    what = f"The generator of '{data.name}'"
    if np.shape(X) != (n, data.p):
        raise DesignError(f"{what} drew attributes of shape {np.shape(X)}, not {(n, data.p)}.")
    if isinstance(data.X, np.ndarray):
        return np.asarray(X, dtype=float)
    if not isinstance(X, pd.DataFrame) or list(X.columns) != list(data.X.columns):
        raise DesignError(f"{what} must draw a frame with the data set's columns.")
    content = {name: _like(data.X[name], X[name], what) for name in X.columns}
    return pd.DataFrame(content, index=range(n))


def _like(column: pd.Series, drawn: pd.Series, what: str) -> np.ndarray | pd.Categorical:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return drawn.to_numpy(dtype=float)
    levels = column.cat.categories
    odd = drawn[drawn.notna() & ~drawn.isin(levels)]
    if len(odd):
        raise DesignError(f"{what} drew '{odd.iloc[0]}', which is no level of '{column.name}'.")
    return pd.Categorical(drawn, categories=levels)


def _checked_target(data: Dataset, y: Any, n: int) -> np.ndarray:
    y = np.asarray(y)
    kind = "class codes" if data.classes else "numbers"
    if y.shape != (n,) or y.dtype.kind not in "iuf" or not np.isfinite(y).all():
        raise DesignError(f"The generator of '{data.name}' must draw {kind}, one for every row.")
    if not data.classes:
        return y.astype(float)
    codes = y.astype(np.int64)
    if (codes != y).any() or codes.min() < 0 or codes.max() >= len(data.classes):
        raise DesignError(
            f"The generator of '{data.name}' must draw class codes from 0 to "
            f"{len(data.classes) - 1}."
        )
    return codes


def _stacked(pieces: list[Attributes]) -> Attributes:
    if all(isinstance(p, np.ndarray) for p in pieces):
        return np.concatenate(pieces)
    return pd.concat(pieces, ignore_index=True)


def _rows(X: Attributes, rows: Any) -> Attributes:
    return X[rows] if isinstance(X, np.ndarray) else X.iloc[rows]
