"""Null distributions: how large the statistics of the pairs may be by chance.

Each answers for one pair alone (`marginal`, `marginal_quantile`) and, where the estimates are
joint, for the largest of all pairs (`maximum`, `maximum_quantile`) and for the quadratic form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy import stats

from podium.errors import InferenceError
from podium.inference import distributions as d
from podium.inference.estimates import Estimates
from podium.registry import unknown

DRAWS = 9999
BOOTSTRAP_DRAWS = 1999
LEAST_BLOCKS = 30  # from here on an asymptotic null is the default
ALTERNATIVES = ("two-sided", "less", "greater")
NAMES = ("asymptotic", "corrected", "permutation", "exact", "mid-p", "bootstrap")


Among = Sequence[int] | np.ndarray | None  # positions of pairs


class Null(Protocol):
    """What an adjustment may ask; t is oriented: large speaks against the hypothesis."""

    def marginal(self, t: np.ndarray, two_sided: bool) -> np.ndarray:
        """P-values of the pairs alone."""

    def maximum(self, t: np.ndarray, two_sided: bool, among: Among = None) -> np.ndarray:
        """Chance that the largest of all (or some) statistics reaches t."""

    def marginal_quantile(self, alpha: float, two_sided: bool) -> np.ndarray:
        """Critical values of the pairs alone."""

    def maximum_quantile(self, alpha: float, two_sided: bool) -> float:
        """Critical value of the largest statistic."""

    def quadratic(self, statistic: float, df: int) -> float:
        """P-value of the quadratic form."""


@dataclass(frozen=True, eq=False)
class Student:
    """Joint t, or normal, of the contrasts (rows of `root` span their correlation)."""

    root: np.ndarray
    df: np.ndarray
    shape: str  # range | control | general: which closed form the maximum has
    algorithms: int
    correction: np.ndarray  # subtracted from |t|, for attainable values a step apart

    def _corrected(self, t: np.ndarray) -> np.ndarray:
        return np.sign(t) * np.maximum(np.abs(t) - self.correction, 0.0)

    def marginal(self, t: np.ndarray, two_sided: bool) -> np.ndarray:
        """From t."""
        t = self._corrected(t)
        return 2 * stats.t.sf(np.abs(t), self.df) if two_sided else stats.t.sf(t, self.df)

    def marginal_quantile(self, alpha: float, two_sided: bool) -> np.ndarray:
        """From t."""
        return stats.t.isf(alpha / 2 if two_sided else alpha, self.df)

    @property
    def _least_df(self) -> float:
        return float(np.min(self.df))  # the dfs of the pairs hardly differ; the least is safe

    def maximum(self, t: np.ndarray, two_sided: bool, among: Among = None) -> np.ndarray:
        """By quadrature where a closed form exists, otherwise quasi-Monte-Carlo."""
        t = self._corrected(t)
        t = np.abs(t) if two_sided else t
        if len(self.root) == 1:
            return self.marginal(t, two_sided)
        if among is None and self.shape == "range" and two_sided:
            return d.range_sf(np.sqrt(2) * t, self.algorithms, self._least_df)
        if among is None and self.shape == "control":
            return d.many_to_one_sf(t, len(self.root), self._least_df, two_sided=two_sided)
        return self._joint.sf(t, two_sided, among=self._varying(among))

    def maximum_quantile(self, alpha: float, two_sided: bool) -> float:
        """As `maximum`."""
        if len(self.root) == 1:
            return float(self.marginal_quantile(alpha, two_sided)[0])
        if self.shape == "range" and two_sided:
            return d.range_quantile(alpha, self.algorithms, self._least_df) / np.sqrt(2)
        if self.shape == "control":
            return d.many_to_one_quantile(
                alpha, len(self.root), self._least_df, two_sided=two_sided
            )
        return self._joint.quantile(alpha, two_sided)

    @cached_property
    def _varies(self) -> np.ndarray:
        return np.flatnonzero((self.root != 0).any(axis=1))  # a pair without variation has no t

    def _varying(self, among: Among) -> np.ndarray:
        chosen = range(len(self.root)) if among is None else among
        return np.flatnonzero(np.isin(self._varies, list(chosen)))

    @cached_property
    def _joint(self) -> d.JointT:
        return d.JointT(self.root[self._varies], self._least_df)

    def quadratic(self, statistic: float, df: int) -> float:
        """Chi-square, or F."""
        if np.isfinite(self._least_df):
            return float(stats.f.sf(statistic / df, df, self._least_df))
        return float(stats.chi2.sf(statistic, df))


@dataclass(frozen=True, eq=False)
class Drawn:
    """A null known by its draws: sums of every algorithm, drawn at random or all of them."""

    sums: np.ndarray  # draws x algorithms
    weights: np.ndarray | None  # None: equally likely random draws
    contrasts: np.ndarray  # pairs x algorithms, scaled to statistics
    inverse: np.ndarray  # of the covariance, for the quadratic form
    mid: bool = False  # count ties with the observed value half

    @cached_property
    def _pairs(self) -> np.ndarray:
        return self.sums @ self.contrasts.T

    def _share(self, draws: np.ndarray, t: np.ndarray) -> np.ndarray:
        """P(draw >= t) for every t, counting rounding noise as equality."""
        noise = 1e-9 * max(1.0, float(np.abs(t[np.isfinite(t)]).max(initial=0.0)))
        if draws.ndim == 1:
            draws = np.broadcast_to(draws[:, None], (len(draws), len(t)))
        beyond = draws >= t - noise
        if self.weights is None:
            # the observed labels are one of the permutations (Phipson and Smyth 2010)
            return (beyond.sum(axis=0) + 1) / (len(draws) + 1)
        p = self.weights @ beyond
        if self.mid:
            p = (p + self.weights @ (draws > t + noise)) / 2
        return np.minimum(p, 1.0)

    def marginal(self, t: np.ndarray, two_sided: bool) -> np.ndarray:
        """Shares of draws."""
        draws = np.abs(self._pairs) if two_sided else self._pairs
        return self._share(draws, np.abs(t) if two_sided else t)

    def maximum(self, t: np.ndarray, two_sided: bool, among: Among = None) -> np.ndarray:
        """Shares of the draws' maxima."""
        draws = self._pairs if among is None else self._pairs[:, list(among)]
        draws = np.abs(draws) if two_sided else draws
        return self._share(draws.max(axis=1), np.abs(t) if two_sided else t)

    def marginal_quantile(self, alpha: float, two_sided: bool) -> np.ndarray:
        """Of the draws."""
        draws = np.abs(self._pairs) if two_sided else self._pairs
        return np.array([self._upper(column, alpha) for column in draws.T])

    def maximum_quantile(self, alpha: float, two_sided: bool) -> float:
        """Of the draws' maxima."""
        draws = np.abs(self._pairs) if two_sided else self._pairs
        return self._upper(draws.max(axis=1), alpha)

    def _upper(self, draws: np.ndarray, alpha: float) -> float:
        """The smallest value that is surpassed with probability at most alpha."""
        order = np.argsort(draws)
        weights = np.full(len(draws), 1 / len(draws)) if self.weights is None else self.weights
        reached = np.cumsum(weights[order])
        place = min(int(np.searchsorted(reached, 1 - alpha)), len(draws) - 1)
        return float(draws[order][place])

    def quadratic(self, statistic: float, df: int) -> float:
        """Share of the draws' quadratic forms."""
        forms = ((self.sums @ self.inverse) * self.sums).sum(axis=1)
        return float(self._share(forms, np.array([statistic]))[0])


@dataclass(frozen=True, eq=False)
class OtherLaw:
    """A two-sided statistic with a law of its own, such as an F; one pair, no alternatives."""

    law: Callable[[np.ndarray], np.ndarray]

    def marginal(self, t: np.ndarray, two_sided: bool) -> np.ndarray:
        """By the law."""
        if not two_sided:
            raise InferenceError("This test has no one-sided form; ask for two-sided.")
        return self.law(t)

    def maximum(self, t: np.ndarray, two_sided: bool, among: Among = None) -> np.ndarray:
        """Of the one pair."""
        return self.marginal(t, two_sided)

    def marginal_quantile(self, alpha: float, two_sided: bool) -> np.ndarray:
        """None: the law is not about a difference."""
        return np.array([np.nan])

    def maximum_quantile(self, alpha: float, two_sided: bool) -> float:
        """None."""
        return float("nan")

    def quadratic(self, statistic: float, df: int) -> float:
        """None."""
        return float("nan")


@dataclass(frozen=True, eq=False)
class Separate:
    """Pairs that were scored one by one: no joint distribution, only marginal adjustments."""

    parts: Sequence[Null]

    def marginal(self, t: np.ndarray, two_sided: bool) -> np.ndarray:
        """Of each part."""
        each = zip(self.parts, t, strict=True)
        return np.array([part.marginal(np.array([x]), two_sided)[0] for part, x in each])

    def marginal_quantile(self, alpha: float, two_sided: bool) -> np.ndarray:
        """Of each part."""
        return np.array([p.marginal_quantile(alpha, two_sided)[0] for p in self.parts])

    def maximum(self, t: np.ndarray, two_sided: bool, among: Among = None) -> np.ndarray:
        """Refused: the parts have no joint distribution."""
        raise InferenceError(
            "Each pair was scored on its own, so there is no joint distribution of all pairs; "
            "choose a marginal adjustment such as holm."
        )

    def maximum_quantile(self, alpha: float, two_sided: bool) -> float:
        """Refused as `maximum` is."""
        return float(self.maximum(np.zeros(1), two_sided)[0])

    def quadratic(self, statistic: float, df: int) -> float:
        """None."""
        return float("nan")


@dataclass(frozen=True)
class NullBrick:
    """How to make a null from estimates: a name, for some a number of draws and a seed."""

    name: str
    draws: int = DRAWS
    seed: int = 0

    def __str__(self) -> str:
        random = self.name in ("permutation", "bootstrap")
        return f"{self.name}:{self.draws}" if random else self.name

    def make(self, e: Estimates, contrasts: np.ndarray, scale: np.ndarray) -> Null:
        """The null of these estimates' contrasts."""
        if e.law is not None:
            return OtherLaw(e.law)
        if self.name in ("asymptotic", "corrected"):
            return _student(e, contrasts, scale, corrected=self.name == "corrected")
        inverse = np.linalg.pinv(e.covariance, rcond=1e-10, hermitian=True)
        sums, weights = self._sums(e)
        scaled = contrasts / np.where(scale > 0, scale, 1.0)[:, None]
        return Drawn(sums, weights, scaled, inverse, mid=self.name == "mid-p")

    def _sums(self, e: Estimates) -> tuple[np.ndarray, np.ndarray | None]:
        if self.name in ("exact", "mid-p"):
            if e.enumerate is None:
                raise _cannot(self.name)
            return e.enumerate()
        if e.redraw is None:
            raise _cannot(self.name)
        return e.redraw(self.draws, np.random.default_rng(self.seed)), None


def _cannot(name: str) -> InferenceError:
    return InferenceError(
        f"This procedure's estimates cannot be redrawn, so the null '{name}' does not exist; "
        "use asymptotic."
    )


def _student(e: Estimates, contrasts: np.ndarray, scale: np.ndarray, corrected: bool) -> Student:
    variance, vectors = np.linalg.eigh(e.covariance)
    root = contrasts @ (vectors * np.sqrt(variance.clip(min=0)))
    safe = np.where(scale > 0, scale, 1.0)
    correction = e.step / safe if corrected else np.zeros(len(scale))
    k = len(e.values)
    return Student(root / safe[:, None], e.df_of(contrasts), _shape(e, contrasts), k, correction)


def _shape(e: Estimates, contrasts: np.ndarray) -> str:
    """Which closed form the largest statistic has."""
    k = len(e.values)
    centring = np.eye(k) - 1 / k
    within = centring @ e.covariance @ centring
    size = np.trace(within) / max(k - 1, 1)
    if size <= 0 or np.abs(within - size * centring).max() > 1e-9 * size:
        return "general"
    if len(contrasts) == k * (k - 1) // 2 and len(np.unique(np.abs(contrasts), axis=0)) == len(
        contrasts
    ):
        return "range"
    used = (contrasts != 0).all(axis=0)
    return "control" if used.any() and len(contrasts) == k - 1 else "general"


def asymptotic() -> NullBrick:
    """The limiting (or, for means, the t) distribution."""
    return NullBrick("asymptotic")


def permutation(draws: int = DRAWS, seed: int = 0) -> NullBrick:
    """Labels permuted at random within blocks."""
    return NullBrick("permutation", draws, seed)


def exact() -> NullBrick:
    """All permutations of labels within blocks."""
    return NullBrick("exact")


def parse_null(text: str | NullBrick) -> NullBrick:
    """The null that a text such as `permutation:9999` names."""
    if isinstance(text, NullBrick):
        return text
    found = re.fullmatch(r"\s*([a-z-]+)\s*(?::\s*(\d+)\s*)?", str(text).lower())
    name = found.group(1) if found else str(text)
    if not found or name not in NAMES:
        raise InferenceError(unknown("null", name, list(NAMES)))
    if found.group(2) is None:
        return NullBrick(name, BOOTSTRAP_DRAWS if name == "bootstrap" else DRAWS)
    draws = int(found.group(2))
    if name not in ("permutation", "bootstrap") or not 99 <= draws <= 10_000_000:
        raise InferenceError(
            f"The null '{text}' is wrong: permutation and bootstrap take a number of draws from "
            "99 to 10000000, the others none."
        )
    return NullBrick(name, draws)
