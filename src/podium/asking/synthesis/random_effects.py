"""Several studies together: random effects of one difference, and of a network of algorithms.

Effects differ between studies by tau. A mean over studies is judged in two ways, of which the more
careful counts: weighed by REML with the standard error of Hartung and Knapp (2001), and unweighed
by the plain t of the studies' estimates, each with k - 1 df. Hartung and Knapp's test alone errs in
up to 12 % where a few studies are far more precise than the rest. The result of a new study is told
from the plain t: how results vary about each other, their own errors included.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from podium.core.base.errors import InferenceError
from podium.core.base.registry import Registry, unknown
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.tails import Ways

LEAST_STUDIES = 2
LEAST_FOR_BIAS = 10
STEPS = 500
TIGHT = 1e-14
ROUNDING = 1e-12  # a share of a sum that is not told from none
ALIKE = 1e-10  # estimates or errors that differ by less, relatively, are the same


@dataclass(frozen=True)
class Pooled:
    """One difference over studies: its mean, how studies differ, and what a new one would show."""

    estimate: float
    error: float  # of Hartung and Knapp
    lower: float
    upper: float
    p: float
    tau2: float
    tau2_interval: tuple[float, float]
    i2: float  # the share of the variation that is between studies
    q: float
    prediction: tuple[float, float]
    studies: int
    method: str


def pooled(
    estimates: np.ndarray,
    variances: np.ndarray,
    *,
    method: str = "reml",
    alpha: float = 0.05,
    level: float | None = None,
) -> Pooled:
    """Studies' differences taken together; variances are the squares of their standard errors.

    Limits are at `level`, which is smaller than alpha where there are several differences; what a
    new study would show, and tau, are told at alpha.
    """
    y, v = np.asarray(estimates, float), np.asarray(variances, float)
    _check(y, v)
    k = len(y)
    tau2 = METHODS[method](y, v)
    w = 1 / (v + tau2)
    mean, total = float(w @ y / w.sum()), float(w.sum())
    error = math.sqrt(float(w @ (y - mean) ** 2) / ((k - 1) * total))
    plain, sd = float(y.mean()), float(y.std(ddof=1))
    df = float(k - 1)
    ways = _ways((mean, plain), (error, sd / math.sqrt(k)), df)
    new = plain, sd * math.sqrt(1 + 1 / k)
    if np.ptp(y) <= ALIKE * np.abs(y).max():  # all say the same: their own errors are all there is
        error, df = math.sqrt(1 / total), math.inf
        ways = _ways((mean,), (error,), df)
        new = mean, math.sqrt(tau2 + error**2 + typical(v))  # of a study like these
    ((lower,), (upper,)) = ways.limits(alpha if level is None else level)
    reach = float(tails.t_isf(alpha / 2, df)) * new[1]
    return Pooled(
        mean, error, float(lower), float(upper), float(ways.p()[0]), tau2,
        tau2_interval(y, v, alpha), tau2 / (tau2 + typical(v)), _q(y, v, 0.0),
        (new[0] - reach, new[0] + reach), k, method,
    )  # fmt: skip


def _ways(estimates: Sequence[float], errors: Sequence[float], df: float) -> Ways:
    """Tests of one difference."""
    made = (np.array(each, float)[:, None] for each in (estimates, errors, [df] * len(errors)))
    return Ways(*made)


def _check(y: np.ndarray, v: np.ndarray) -> None:
    if len(y) < LEAST_STUDIES:
        raise InferenceError(f"A synthesis needs {LEAST_STUDIES} studies; there is {len(y)}.")
    if not (np.isfinite(y).all() and np.isfinite(v).all() and (v > 0).all()):
        raise InferenceError("Every study needs an estimate and a standard error above 0.")


def typical(v: np.ndarray) -> float:
    """The typical variance within studies (Higgins and Thompson 2002)."""
    w = 1 / v
    return float((len(v) - 1) * w.sum() / (w.sum() ** 2 - (w**2).sum()))


# -- how much studies differ ----------------------------------------------------------------------


def _reml(y: np.ndarray, v: np.ndarray) -> float:
    """Restricted maximum likelihood, by the fixed point; its root is polished by bisection.

    The derivative of the restricted log-likelihood is zero; early stopping would cost digits.
    """
    return _root(y, v, lambda t: _score(y, v, t, restricted=True))


def _ml(y: np.ndarray, v: np.ndarray) -> float:
    return _root(y, v, lambda t: _score(y, v, t, restricted=False))


def _score(y: np.ndarray, v: np.ndarray, tau2: float, restricted: bool) -> float:
    w = 1 / (v + tau2)
    mean = w @ y / w.sum()
    less = (w**2).sum() / w.sum() if restricted else 0.0
    return float((w**2) @ (y - mean) ** 2 - w.sum() + less)


def _root(y: np.ndarray, v: np.ndarray, score: Callable[[float], float]) -> float:
    """Where a falling score is zero; 0 where it is negative already."""
    if score(0.0) <= 0:
        return 0.0
    high = float(y.var(ddof=1)) + float(v.max())
    while score(high) > 0:
        high *= 2
    return float(brentq(score, 0.0, high, xtol=TIGHT * high, rtol=8.9e-16, maxiter=STEPS))


def _dersimonian_laird(y: np.ndarray, v: np.ndarray) -> float:
    w = 1 / v
    return max(0.0, (_q(y, v, 0.0) - len(y) + 1) / float(w.sum() - (w**2).sum() / w.sum()))


def _empirical_bayes(y: np.ndarray, v: np.ndarray) -> float:
    """Where Q of weights with tau is its expectation (Paule and Mandel 1982)."""
    return _root(y, v, lambda t: _q(y, v, t) - (len(y) - 1))


METHODS: Registry[Callable[[np.ndarray, np.ndarray], float]] = Registry("method of tau")
METHODS.add("reml", _reml)
METHODS.add("ml", _ml)
METHODS.add("dl", _dersimonian_laird)
METHODS.add("eb", _empirical_bayes)
OF_NETWORKS = ("reml", "dl")


def _q(y: np.ndarray, v: np.ndarray, tau2: float) -> float:
    w = 1 / (v + tau2)
    q = float(w @ (y - w @ y / w.sum()) ** 2)
    return q if q > ROUNDING**2 * float(w @ y**2) else 0.0  # studies that say the same


def tau2_interval(y: np.ndarray, v: np.ndarray, alpha: float = 0.05) -> tuple[float, float]:
    """Of the variance between studies, from the profile of Q (Viechtbauer 2007)."""
    from scipy.special import chdtri

    ends = []
    for share in (alpha / 2, 1 - alpha / 2):
        wanted = float(chdtri(len(y) - 1, share))
        ends.append(_root(y, v, lambda t, wanted=wanted: _q(y, v, t) - wanted))  # type: ignore[misc]
    return ends[0], ends[1]


def egger(estimates: np.ndarray, errors: np.ndarray) -> tuple[float, float]:
    """Whether small studies show more (Egger and others 1997): t and p of the slope."""
    k = len(estimates)
    if k < LEAST_FOR_BIAS:
        raise InferenceError(
            f"Whether small studies show more is tested from {LEAST_FOR_BIAS} studies on; there "
            f"are {k}."
        )
    w = 1 / errors**2
    x = np.column_stack([np.ones(k), errors])
    inner = np.linalg.inv(x.T @ (w[:, None] * x))
    beta = inner @ (x.T @ (w * estimates))
    noise = float(w @ (estimates - x @ beta) ** 2) / (k - 2)
    t = float(beta[1] / math.sqrt(noise * inner[1, 1]))
    return t, 2 * float(tails.t_sf(abs(t), k - 2))


# -- a network -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Study:
    """What one study says: means of some algorithms, and how their errors vary together."""

    name: str
    algorithms: tuple[str, ...]
    means: np.ndarray
    covariance: np.ndarray


@dataclass(frozen=True, eq=False)
class Network:
    """Effects of all algorithms against the first, from all studies together."""

    algorithms: tuple[str, ...]
    values: np.ndarray  # less the first's, which is 0
    covariance: np.ndarray
    tau2: float
    q: float
    df: int
    inconsistency: tuple[float, int, float]  # Q between designs, its df and p

    def difference(self, first: str, second: str) -> tuple[float, float]:
        """First less second, with its standard error."""
        i, j = self.algorithms.index(first), self.algorithms.index(second)
        row = np.zeros(len(self.algorithms))
        row[i], row[j] = 1.0, -1.0
        return float(row @ self.values), math.sqrt(max(0.0, float(row @ self.covariance @ row)))


def network(studies: Sequence[Study], method: str = "reml") -> Network:
    """All studies at once: y_s = X_s theta with covariance C S_s C' + tau² (I + J) / 2.

    The arms of a study share data, so that its covariance is kept whole.
    """
    if method not in OF_NETWORKS:
        raise InferenceError(unknown("method of tau for networks", method, OF_NETWORKS))
    names = tuple(dict.fromkeys(a for s in studies for a in s.algorithms))
    _check_network(studies, names)
    parts = [_contrasts(s, names) for s in studies]
    df = sum(len(p.y) for p in parts) - (len(names) - 1)
    tau2 = _network_tau2(parts, df, method)
    theta, inner = _gls(parts, tau2)
    q = _residual(parts, 0.0)
    k = len(names)
    covariance = np.zeros((k, k))
    covariance[1:, 1:] = inner
    return Network(
        names, np.concatenate([[0.0], theta]), covariance, tau2, q, df, _between_designs(parts, q)
    )


@dataclass(frozen=True, eq=False)
class _Part:
    """Contrasts of a study with its first algorithm."""

    design: tuple[str, ...]
    y: np.ndarray
    within: np.ndarray
    between: np.ndarray
    x: np.ndarray


def _contrasts(study: Study, names: Sequence[str]) -> _Part:
    m = len(study.algorithms)
    c = np.column_stack([-np.ones(m - 1), np.eye(m - 1)])
    full = np.zeros((m, len(names)))
    full[np.arange(m), [names.index(a) for a in study.algorithms]] = 1.0
    x = (c @ full)[:, 1:]
    between = 0.5 * (np.eye(m - 1) + 1)
    return _Part(
        tuple(sorted(study.algorithms)), c @ study.means, c @ study.covariance @ c.T, between, x
    )


def _gls(parts: Sequence[_Part], tau2: float) -> tuple[np.ndarray, np.ndarray]:
    width = parts[0].x.shape[1]
    a, b = np.zeros((width, width)), np.zeros(width)
    for p in parts:
        w = np.linalg.inv(p.within + tau2 * p.between)
        a += p.x.T @ w @ p.x
        b += p.x.T @ w @ p.y
    inner = np.linalg.inv(a)
    return inner @ b, inner


def _residual(parts: Sequence[_Part], tau2: float) -> float:
    theta, _ = _gls(parts, tau2)
    return float(
        sum(
            (p.y - p.x @ theta) @ np.linalg.solve(p.within + tau2 * p.between, p.y - p.x @ theta)
            for p in parts
        )
    )


def _network_tau2(parts: Sequence[_Part], df: int, method: str) -> float:
    if df < 1:
        return 0.0
    if method == "dl":
        return _network_moments(parts, df)

    def loss(log: float) -> float:
        tau2 = math.exp(log)
        _, inner = _gls(parts, tau2)
        total = _residual(parts, tau2) - np.linalg.slogdet(inner)[1]
        total += sum(np.linalg.slogdet(p.within + tau2 * p.between)[1] for p in parts)
        return 0.5 * float(total)

    size = math.log(max(float(np.mean([np.trace(p.within) / len(p.y) for p in parts])), 1e-300))
    result = minimize_scalar(loss, bounds=(size - 25, size + 15), method="bounded",
                            options={"xatol": 1e-5, "maxiter": STEPS})  # fmt: skip
    at_zero = loss(size - 40)
    return 0.0 if at_zero <= result.fun + 1e-12 else _network_root(parts, float(result.x))


NEAR = 1e-3  # in logarithms: a search that compares values ends so near to the least one


def _network_root(parts: Sequence[_Part], log: float) -> float:
    """The variance near which the deviance is flat: values tell half of its digits, slopes all."""
    low, high = log - NEAR, log + NEAR
    slopes = [_network_slope(parts, math.exp(end)) for end in (low, high)]
    if not slopes[0] < 0 < slopes[1]:
        return math.exp(log)  # as flat as rounding
    root = brentq(lambda at: _network_slope(parts, math.exp(at)), low, high, xtol=1e-15)
    return math.exp(float(root))


def _network_slope(parts: Sequence[_Part], tau2: float) -> float:
    """Of twice the deviance by the variance between studies."""
    theta, inner = _gls(parts, tau2)
    total = 0.0
    for p in parts:
        w = np.linalg.inv(p.within + tau2 * p.between)
        wb, pulled = w @ p.between, w @ (p.y - p.x @ theta)
        taken = np.trace(inner @ p.x.T @ wb @ w @ p.x)
        total += float(np.trace(wb) - taken - pulled @ p.between @ pulled)
    return total


def _network_moments(parts: Sequence[_Part], df: int) -> float:
    """By moments: Q of all contrasts against what the weights expect (Jackson and others 2013)."""
    _, inner = _gls(parts, 0.0)
    expected = 0.0
    for p in parts:
        w = np.linalg.inv(p.within)
        expected += float(np.trace(w @ p.between))
        expected -= float(np.trace(inner @ p.x.T @ w @ p.between @ w @ p.x))
    return max(0.0, (_residual(parts, 0.0) - df) / expected)


def _between_designs(parts: Sequence[_Part], q: float) -> tuple[float, int, float]:
    """Whether studies of different sets of algorithms disagree: Q less that within designs."""
    designs = dict.fromkeys(p.design for p in parts)
    within, used = 0.0, 0
    for design in designs:
        own = [p for p in parts if p.design == design]
        size = len(own[0].y)
        used += size
        same = [_reordered(p, own[0]) for p in own]
        w = [np.linalg.inv(v) for _, v in same]
        mean = np.linalg.solve(sum(w), sum(a @ y for a, (y, _) in zip(w, same, strict=True)))
        within += sum(float((y - mean) @ a @ (y - mean)) for a, (y, _) in zip(w, same, strict=True))
    df = used - parts[0].x.shape[1]
    rest = q - within if q - within > ROUNDING * q else 0.0
    return rest, df, float(tails.chi2_sf(rest, df)) if df > 0 else math.nan


def _reordered(part: _Part, like: _Part) -> tuple[np.ndarray, np.ndarray]:
    """A study's contrasts written as those of another one with the same algorithms."""
    move = like.x @ np.linalg.pinv(part.x)
    return move @ part.y, move @ part.within @ move.T


def _check_network(studies: Sequence[Study], names: Sequence[str]) -> None:
    if len(studies) < LEAST_STUDIES:
        raise InferenceError(f"A network needs {LEAST_STUDIES} studies; there is {len(studies)}.")
    groups: list[set[str]] = [{name} for name in names]
    for study in studies:
        touched = [g for g in groups if g & {*study.algorithms}]
        groups = [g for g in groups if g not in touched] + [set[str]().union(*touched)]
    if len(groups) > 1:
        fewest = min(len(group) for group in groups)
        small = ", ".join(sorted(next(g for g in groups if len(g) == fewest)))
        raise InferenceError(
            f"No study joins {small} with the others: take them together apart, or add a study."
        )
