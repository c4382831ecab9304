"""Survey models: samples within data sets, fitted exactly by REML; gaps are welcome.

    y_jbk = mu_jk + s_jb + e_jbk                    these data sets (fixed)
    y_jbk = mu_k + d_j + i_jk + s_jb + e_jbk        a population of data sets (random)

for algorithm k in sample b of data set j (eugster2008, section 4.3, less the effects that are not
identified there). Variances are given by their ratios, theta, to the error's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from podium.core.inference.numbers.cells import Cells, summed, times
from podium.core.inference.numbers.reml import joint_df
from podium.core.words.facts import ModelFacts, Overall

# -- the restricted likelihood of variance ratios -------------------------------------------------
# Its maximum, and what is known of it there.
#
# A model is a function of thetas, the variances of its random effects in units of the error's.


Array = NDArray[np.float64]

LEAST, MOST = 1e-9, 1e8  # of a theta that is not 0; beyond, digits get lost
FLAT = 1e-9  # a change of the criterion, per degree of freedom, that says nothing
TINY = 1e-300
SMALL = 1e-2  # of a theta: the criterion is flat near 0, and Newton's steps go astray
CLOSE = 1e-8  # a step, in logarithms, after which no other is needed
STEPS = 15
STEP = 3e-3  # in logarithms, of differences of slopes


@dataclass(frozen=True)
class Point:
    """A model at some thetas: log determinants, generalised squares, and slopes by each theta.

    Of several rows of thetas, everything has their axis first.
    """

    determinants: Array
    squares: Array
    determinant_slopes: Array
    square_slopes: Array
    unit: Array  # covariance of the means where the error's variance is 1
    unit_slopes: Array
    means: Array

    def criterion(self, free: int) -> float:
        """Minus twice the log likelihood, at its best error variance."""
        if not self.squares:
            return -math.inf
        return float(self.determinants) + free * (1 + math.log(2 * math.pi * self.squares / free))

    def slopes(self, scale: float) -> Array:
        """Of the criterion by the thetas, where the error's variance is 1 / scale."""
        return self.determinant_slopes + scale * self.square_slopes


Model = Callable[[Array], Point]


def remembered(model: Model) -> Model:
    """A model that computes every point once: where a search ends is asked for again."""
    known: dict[bytes, Point] = {}

    def point(thetas: Array) -> Point:
        key = thetas.tobytes()
        if key not in known:
            known[key] = model(thetas)
        return known[key]

    return point


def fitted(model: Model, free: int, start: Array) -> Array:
    """The thetas with the least criterion; those that start at 0 stay there."""
    active = start > 0
    thetas = _searched(model, free, start) if active.any() else start
    for _ in start:  # a theta of 0 from where the criterion falls is no minimum
        point = model(thetas)
        slopes = point.slopes(free / max(float(point.squares), TINY))
        falls = active & (thetas == 0) & (slopes < -FLAT * free)
        if not falls.any():
            break
        thetas = _searched(model, free, np.where(falls, 1.0, np.where(active, thetas + LEAST, 0.0)))
    return thetas


def _searched(model: Model, free: int, start: Array) -> Array:
    """The thetas that Newton's steps find or, where these go astray, after a descent."""
    # of several threads each waits longer for the others than three numbers take
    with _libraries().limit(limits=1, user_api="blas"):
        values = _by_newton(model, free, start, SMALL)
        if values is None:
            descended = _at_the_boundary(model, free, _by_descent(model, free, start))
            values = _by_newton(model, free, descended, LEAST)
        return descended if values is None else values


def _by_newton(model: Model, free: int, start: Array, least: float) -> Array | None:
    """From a start that is nearly right, whose curvature is then improved by what steps change.

    None where thetas leave the range in which that is safe, or the criterion rises.
    """
    thetas, active = start, start > 0
    step, slopes = np.zeros(int(active.sum())), np.zeros(int(active.sum()))
    curvature, last = None, math.inf
    for _ in range(STEPS):
        if not ((thetas[active] > least) & (thetas[active] < MOST / 100)).all():
            return None
        point, before = model(thetas), slopes
        slopes = (thetas * point.slopes(free / max(float(point.squares), TINY)))[active]
        if curvature is None:
            curvature = _profiled_information(model, free, thetas)
        else:
            curvature = _updated(curvature, step, slopes - before)
        rises = point.criterion(free) > last + FLAT
        if rises or not np.linalg.eigvalsh(curvature).min(initial=1.0) > FLAT * free:
            return None
        step = np.asarray(-np.linalg.solve(curvature, slopes), float)
        last, thetas = point.criterion(free), thetas.copy()
        thetas[active] *= np.exp(step.clip(-1, 1))
        if np.abs(step).max(initial=0.0) < CLOSE:
            return thetas
    return None


def _updated(curvature: Array, step: Array, change: Array) -> Array:
    """The curvature that explains the last step's change of the slopes, else as it was (BFGS)."""
    expected = curvature @ step
    if not change @ step > 0:
        return curvature
    return (
        curvature
        + np.outer(change, change) / (change @ step)
        - np.outer(expected, expected) / (expected @ step)
    )


def _profiled_information(model: Model, free: int, thetas: Array) -> Array:
    """Second derivatives by the logarithms of the thetas, the error's variance being the best."""
    result = _information(model, free, thetas)
    return result[:-1, :-1] - np.outer(result[-1, :-1], result[-1, :-1]) / result[-1, -1]


def _by_descent(model: Model, free: int, start: Array) -> Array:
    """The thetas that a quasi-Newton search in their logarithms ends with."""
    active = start > 0

    def at(logs: Array) -> Array:
        thetas = np.zeros_like(start)
        thetas[active] = np.exp(logs)
        return thetas

    def profiled(logs: Array) -> tuple[float, Array]:
        thetas = at(logs)
        point = model(thetas)
        slopes = thetas * point.slopes(free / max(float(point.squares), TINY))
        return point.criterion(free), slopes[active]

    bounds = [(math.log(LEAST), math.log(MOST))] * int(active.sum())
    options = {"ftol": 1e-15, "gtol": 1e-7, "maxiter": 500}
    logs = np.log(np.clip(start[active], 1e-2, 1e6))  # the criterion is flat near 0
    from scipy.optimize import minimize  # slow to load, and for gaps only

    result = minimize(profiled, logs, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return at(result.x)


@lru_cache(maxsize=1)
def _libraries() -> Any:
    """What sets the threads of the libraries that are loaded; to find them takes long."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _at_the_boundary(model: Model, free: int, thetas: Array) -> Array:
    """Small thetas are 0 where the criterion does not mind."""
    for i in np.flatnonzero((thetas > 0) & (thetas < 1e-3)):
        without = np.where(np.arange(len(thetas)) == i, 0.0, thetas)
        if model(without).criterion(free) <= model(thetas).criterion(free) + FLAT * free:
            thetas = without
    return thetas


def uncertainty(model: Model, free: int, thetas: Array) -> tuple[Array, Array]:
    """Gradients of the covariance by the parameters, and the parameters' covariance.

    The parameters are log(1 + theta) of the thetas that are not 0 and the logarithm of the error's
    variance: by the logarithm of a small theta any likelihood is flat. Directions in which it is
    flat must leave the covariance alone, too; otherwise it is not known, which is an error.
    """
    point, inner = model(thetas), np.flatnonzero(thetas)
    covariance = point.squares / free * point.unit
    slopes = point.squares / free * (1 + thetas[inner, None, None]) * point.unit_slopes[inner]
    gradients = np.concatenate([slopes, covariance[None]])
    longer = np.append(1 + 1 / thetas[inner], 1.0)  # a step of log(theta) in one of log(1 + theta)
    worth, axes = np.linalg.eigh(_information(model, free, thetas) * np.outer(longer, longer))
    flat = worth <= 1e-6 * free
    unknown = np.tensordot(axes[:, flat].T, _contrasted(gradients), axes=1)
    if np.abs(unknown).max(initial=0.0) > 1e-3 * np.abs(_contrasted(covariance)).max():
        raise ValueError(
            "The scores that are there do not tell how much samples vary and how much algorithms "
            "within them: more samples are needed in which several algorithms have a score."
        )
    return gradients, 2 * (axes[:, ~flat] / worth[~flat]) @ axes[:, ~flat].T


def _information(model: Model, free: int, thetas: Array) -> Array:
    """Second derivatives of the criterion by the parameters, from differences of its slopes."""
    point, inner = model(thetas), np.flatnonzero(thetas)
    scale = free / float(point.squares)
    table = np.empty((len(inner) + 1, len(inner) + 1))
    if len(inner):
        # four places, so that the step may be long: a short one lets rounding show
        steps = STEP * np.eye(len(thetas))[inner]
        around = thetas * np.exp(np.concatenate([steps, -steps, 2 * steps, -2 * steps]))
        up, down, far_up, far_down = np.split(around * model(around).slopes(scale), 4)
        rises = 8 * (up - down) - (far_up - far_down)
        table[:-1, :-1] = rises[:, inner] / (12 * STEP)
    table[-1, :-1] = table[:-1, -1] = -scale * thetas[inner] * point.square_slopes[inner]
    table[-1, -1] = free
    return (table + table.T) / 2


def _contrasted(covariances: Array) -> Array:
    """Of differences of algorithms."""
    from scipy.linalg import helmert

    H = helmert(covariances.shape[-1])
    return np.asarray(H @ covariances @ H.T)


# -- nested ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Survey:
    """A fitted survey model: means of the algorithms over data sets, with their covariance.

    `sigmas` are standard deviations by source; one that cannot be told from another is 0, and the
    other stands for both. `df` is that of every contrast, NaN where contrasts differ: then it is
    Satterthwaite's, from the covariance's `gradients` by the parameters and the parameters'
    covariance `spread`. `criterion` is minus twice the log restricted likelihood. `interaction` is
    the F, with its degrees of freedom, for equal differences on all data sets.
    """

    means: Array
    covariance: Array
    sigmas: dict[str, float]
    df: float
    criterion: float
    gradients: Array
    spread: Array
    cell_means: Array = field(default_factory=lambda: np.empty((0, 0)))
    interaction: tuple[float, float, float] = (math.nan, math.nan, math.nan)
    connected: bool = True  # chains of shared data sets join all algorithms

    def df_contrast(self, contrasts: Array) -> Array:
        """Degrees of freedom of each row that sums to 0 (Giesbrecht and Burns 1985)."""
        rows = np.atleast_2d(contrasts)
        if not math.isnan(self.df):
            return np.full(len(rows), self.df)
        v = _quadratic(rows, self.covariance)
        g = np.stack([_quadratic(rows, part) for part in self.gradients], axis=1)
        return np.asarray(2 * v**2 / _quadratic(g, self.spread))

    def f_test(self) -> tuple[float, float, float, float]:
        """F, its two degrees of freedom and p for equal means of all algorithms."""
        from scipy.linalg import helmert

        contrasts = helmert(len(self.means))
        variances, axes = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        rows = axes.T @ contrasts
        f = float(np.mean((rows @ self.means) ** 2 / variances)) if variances[0] > 0 else math.nan
        df1, df2 = float(len(rows)), joint_df(self.df_contrast(rows))
        return f, df1, df2, float(fdtrc(df1, df2, f))

    @property
    def sigma(self) -> float:
        """The largest standard deviation among those that differences are judged by."""
        return max(self.sigmas["error"], self.sigmas.get("interaction", 0.0))

    @property
    def facts(self) -> ModelFacts:
        """The model's own numbers."""
        sigmas = {f"sigma_{k}": v for k, v in self.sigmas.items() if k != "error"}
        f, df1, df2 = self.interaction
        p = float(fdtrc(df1, df2, f))
        test = None if math.isnan(f) else Overall("", f, (df1, df2), p, "F test")
        return ModelFacts({**sigmas, "sigma": self.sigmas["error"]}, test)


def _quadratic(rows: Array, matrix: Array) -> Array:
    return np.asarray(((rows @ matrix) * rows).sum(axis=1))


# -- these data sets ------------------------------------------------------------------------------


def fixed_survey(
    values: Array,
    dataset: NDArray[np.int64],
    ratio: float = 0.0,
    weights: Array | None = None,
) -> Survey:
    """Every algorithm's mean over these data sets, counted alike or by weights.

    `ratio` is the variance, in units of the error's, that dependent samples (folds) add to the mean
    of a data set, however many they are (Nadeau and Bengio 2003). Every algorithm must have a value
    on every data set.
    """
    cells = Cells(values, dataset)
    free = cells.values - cells.datasets * cells.algorithms
    counted = np.ones(cells.datasets) if weights is None else weights
    shares = counted / counted.sum()

    def model(thetas: Array) -> Point:
        return _fixed_point(cells, thetas[..., 0], ratio, shares)

    theta, sigma2, sample, df = _within(cells, model, free)
    point = model(np.array([theta]))
    if math.isnan(df):
        gradients, spread = uncertainty(model, free, np.array([theta]))
    else:
        gradients, spread = sigma2 * point.unit[None], np.array([[2 / df]])
    fit = cells.at(theta)
    covariance = sigma2 * (fit.covariance + ratio * np.eye(cells.algorithms))
    return Survey(
        means=point.means,
        covariance=sigma2 * point.unit,
        sigmas={"sample": math.sqrt(sample), "error": math.sqrt(sigma2)},
        df=df,
        criterion=point.criterion(free),
        gradients=gradients,
        spread=spread,
        cell_means=cells.origin + fit.means,
        interaction=_interaction(cells.origin + fit.means, covariance, cells),
    )


def _within(cells: Cells, model: Model, free: int) -> tuple[float, float, float, float]:
    """Theta, the variances of error and samples, and the contrasts' df (NaN where they differ)."""
    df = float(max(cells.error_df, 1))
    error, sample = _mean_squares(cells)
    if cells.whole or not model(np.zeros(1)).squares:
        return sample / error if error else 0.0, error, sample, df
    thetas = fitted(model, free, _start(cells)[:1])
    if thetas[0] < MOST / 2 or not cells.joined:
        error = float(model(thetas).squares) / free
        return float(thetas[0]), error, float(thetas[0]) * error, math.nan
    # samples differ so much that only what is within them tells
    squares = float(cells.at(math.inf).squares)
    noise = 1e-14 * cells.own_squares
    return math.inf, squares / df if squares > noise else 0.0, sample, df


def _fixed_point(cells: Cells, theta: Array, ratio: float, shares: Array) -> Point:
    fit, squared = cells.at(theta), shares**2
    return Point(
        determinants=fit.determinant,
        squares=fit.squares,
        determinant_slopes=fit.determinant_slope[..., None],
        square_slopes=fit.squares_slope[..., None],
        unit=np.einsum("j,...jkl->...kl", squared, fit.covariance)
        + ratio * squared.sum() * np.eye(cells.algorithms),
        unit_slopes=np.einsum("j,...jkl->...kl", squared, fit.covariance_slope)[..., None, :, :],
        means=shares @ (cells.origin + fit.means),
    )


def _mean_squares(cells: Cells) -> tuple[float, float]:
    """The variances of error and samples from their mean squares; exact without gaps.

    Where samples vary less than errors theirs is 0, and the error's is not pooled with theirs: a
    difference of algorithms is within samples, and its test exact whatever samples do.
    """
    within, samples = cells.mean_squares
    return within, max(samples - within, 0.0) / float(cells.sizes.mean())


def _interaction(means: Array, covariance: Array, cells: Cells) -> tuple[float, float, float]:
    """Wald's F for equal differences on all data sets; without gaps that of the ANOVA."""
    J, K = means.shape
    if J < 2 or not np.any(covariance):
        return math.nan, math.nan, math.nan
    from scipy.linalg import helmert

    H = helmert(K)
    contrasts = means @ H.T
    weights = np.linalg.inv(H @ covariance @ H.T)
    pooled = np.linalg.solve(weights.sum(axis=0), np.einsum("jkl,jl->k", weights, contrasts))
    rest = contrasts - pooled
    df = (J - 1) * (K - 1)
    f = float(np.einsum("jk,jkl,jl->", rest, weights, rest)) / df
    return f, float(df), float(max(cells.error_df, 1))


# -- a population of data sets --------------------------------------------------------------------


def random_survey(values: Array, dataset: NDArray[np.int64]) -> Survey:
    """Every algorithm's mean over the population that the data sets come from.

    An algorithm may be missing on some data sets. Without gaps and with equal numbers of samples
    contrasts are judged by the interaction's mean square with (J - 1)(K - 1) degrees of freedom.
    """
    cells = Cells(values, dataset)
    free = cells.values - cells.algorithms

    model = remembered(partial(_random_point, cells))
    if cells.whole and np.ptp(cells.counts) == 0:
        return _balanced(cells, model, free)
    if not model(np.zeros(3)).squares:
        return _exact(cells)
    thetas = fitted(model, free, _start(cells))
    certain = thetas.max() >= MOST / 2
    if certain:  # hardly any error: a small one keeps the other variances' ratios
        model = _noisy(model, 100 / MOST * cells.variance * max(cells.error_df, 1))
        thetas = fitted(model, free, np.where(thetas > 0, MOST / 1e4, 0.0))
    point = model(thetas)
    sigma2 = float(point.squares) / free
    gradients, spread = uncertainty(model, free, thetas)
    return Survey(
        means=point.means,
        covariance=sigma2 * point.unit,
        sigmas=_names(thetas, sigma2) | ({"error": 0.0} if certain else {}),
        df=math.nan,
        criterion=point.criterion(free),
        gradients=gradients,
        spread=spread,
        connected=cells.connected,
    )


def _noisy(model: Model, noise: float) -> Model:
    """A model with some more generalised squares."""

    def noisy(thetas: Array) -> Point:
        point = model(thetas)
        return replace(point, squares=point.squares + noise)

    return noisy


def _names(thetas: Array, sigma2: float) -> dict[str, float]:
    sources = ("sample", "interaction", "dataset")
    deviations = {s: math.sqrt(sigma2 * t) for s, t in zip(sources, thetas.tolist(), strict=True)}
    return deviations | {"error": math.sqrt(sigma2)}


def _exact(cells: Cells) -> Survey:
    """Nothing varies but for the differences of the algorithms."""
    K = cells.algorithms
    return Survey(
        means=np.nanmean(cells.origin, axis=0),
        covariance=np.zeros((K, K)),
        sigmas=_names(np.zeros(3), 0.0),
        df=float((cells.datasets - 1) * (K - 1)),
        criterion=-math.inf,
        gradients=np.zeros((1, K, K)),
        spread=np.zeros((1, 1)),
    )


def _start(cells: Cells) -> Array:
    """Thetas of samples, interaction and data sets by the method of moments.

    0 where an effect cannot be told from another.
    """
    error, sample = _mean_squares(cells)
    size = float(cells.sizes.mean())
    rest = cells.origin - np.nanmean(cells.origin, axis=0)
    row = np.nanmean(rest, axis=1)
    J, number = cells.datasets, int(cells.present.sum())
    between = np.nansum((rest - row[:, None]) ** 2) / max(number - J - cells.algorithms + 1, 1)
    own = float((1 / cells.counts[cells.present]).mean())  # the error's share in a cell's mean
    above = float(row.var()) - between / size - own * sample
    if number == cells.values:
        error = between  # which stands for the interaction, too
    unit = error or max(between, float(row.var())) / MOST or 1.0
    result = np.array([sample, between - own * error, above]) / unit
    values = np.array([cells.samples_vary, number < cells.values, J > 1])
    return np.where(values, np.clip(result, LEAST, MOST), 0.0)


def _random_point(cells: Cells, thetas: Array) -> Point:
    """Means of cells, each with the covariance of its data set's fit, interaction and effect."""
    fit, K = cells.at(thetas[..., 0]), cells.algorithms
    effects = thetas[..., 1, None, None] * np.eye(K) + thetas[..., 2, None, None]
    S = fit.covariance + cells.both * effects[..., None, :, :]
    E = np.asarray(cells.both * np.linalg.inv(S))
    total = E.sum(axis=-3)
    C = np.linalg.inv(total)
    cell = cells.beside + fit.means
    means = times(C, times(E, cell).sum(axis=-2))
    left = cells.present * (cell - means[..., None, :])
    e, row = times(E, left), E.sum(axis=-1)
    # by the thetas of samples, of the interaction (identity) and of data sets (all ones)
    moved = E @ fit.covariance_slope
    bent = np.stack(
        [(moved @ E).sum(axis=-3), (E @ E).sum(axis=-3), row.swapaxes(-1, -2) @ row], axis=-3
    )
    traces = [np.einsum("...jkk->...", moved), np.einsum("...jkk->...", E), summed(row, 2)]
    pulled = times(fit.covariance_slope, e)
    squares = [summed(e * pulled, 2), summed(e**2, 2), (e.sum(axis=-1) ** 2).sum(axis=-1)]
    determinant_slopes = np.stack(traces, axis=-1) - summed(C[..., None, :, :] * bent, 2)
    determinant_slopes[..., 0] += fit.determinant_slope
    square_slopes = -np.stack(squares, axis=-1)
    square_slopes[..., 0] += fit.squares_slope + 2 * summed(e * fit.means_slope, 2)
    return Point(
        determinants=fit.determinant
        + np.linalg.slogdet(S)[1].sum(axis=-1)
        + np.linalg.slogdet(total)[1],
        squares=fit.squares + summed(left * e, 2),
        determinant_slopes=determinant_slopes,
        square_slopes=square_slopes,
        unit=C,
        unit_slopes=C[..., None, :, :] @ bent @ C[..., None, :, :],
        means=cells.level + means,
    )


def _balanced(cells: Cells, model: Model, free: int) -> Survey:
    """The closed form: mean squares of data sets, interaction, samples and error.

    The interaction's mean square is not pooled with the error's where it is the smaller one: its F
    is exact. With one sample per data set the error stands for the interaction, too.
    """
    J, K = cells.datasets, cells.algorithms
    B = float(cells.counts[0, 0])
    means, row = cells.origin.mean(axis=0), cells.origin.mean(axis=1)
    rest = cells.origin - means - row[:, None] + row.mean()
    rest[np.abs(rest) <= cells.rounding] = 0.0
    df = float((J - 1) * (K - 1))
    interaction = B * float(np.sum(rest**2)) / df
    between = B * K * float(row.var(ddof=1))
    sigma2, sample = _mean_squares(cells) if B > 1 else (interaction, 0.0)
    # of the means: J·B·K values for each, of which contrasts see the interaction's mean square
    average = np.full((K, K), 1 / K)
    unit = np.stack([np.eye(K) - average, average]) / (J * B)
    shown = max(between, interaction + K * sample)
    variances = np.array(
        [
            sample,
            max(interaction - sigma2, 0.0) / B,
            max(between - interaction - K * sample, 0.0) / (B * K),
        ]
    )
    return Survey(
        means=means,
        covariance=interaction * unit[0] + shown * unit[1],
        sigmas=_names(variances, 1.0) | {"error": math.sqrt(sigma2)},
        df=df,
        criterion=model(variances / sigma2).criterion(free) if sigma2 else -math.inf,
        gradients=interaction * unit[:1],
        spread=np.array([[2 / df]]),
    )
