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

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import helmert
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components
from scipy.special import fdtrc

from podium.inference.cells import Array, Cells
from podium.inference.reml import joint_df

LEAST, MOST = 1e-9, 1e8  # of a theta that is not 0; beyond, digits get lost
FLAT = 1e-9  # a change of the criterion that says nothing


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
    def details(self) -> dict[str, object]:
        """The model's own numbers, by name."""
        found: dict[str, object] = {f"sigma_{k}": v for k, v in self.sigmas.items() if k != "error"}
        found["sigma"] = self.sigmas["error"]
        f, df1, df2 = self.interaction
        if not math.isnan(f):
            p = float(fdtrc(df1, df2, f))
            found["interaction"] = {"test": "F test", "statistic": f, "df": [df1, df2], "p": p}
        return found


def _quadratic(rows: Array, matrix: Array) -> Array:
    return np.asarray(((rows @ matrix) * rows).sum(axis=1))


# -- the restricted likelihood --------------------------------------------------------------------


@dataclass(frozen=True)
class _Point:
    """A model at some thetas: log determinants, generalised squares, and slopes by each theta."""

    determinants: float
    squares: float
    determinant_slopes: Array
    square_slopes: Array
    unit: Array  # covariance of the means where the error's variance is 1
    unit_slopes: Array
    means: Array

    def criterion(self, free: int) -> float:
        if not self.squares:
            return -math.inf
        return self.determinants + free * (1 + math.log(2 * math.pi * self.squares / free))

    def slopes(self, scale: float) -> Array:
        """Of the criterion by the thetas, where the error's variance is 1 / scale."""
        return self.determinant_slopes + scale * self.square_slopes


Model = Callable[[Array], _Point]


def _fitted(model: Model, free: int, start: Array) -> Array:
    """The thetas with the least criterion; those that start at 0 stay there."""
    active = start > 0

    def at(logs: Array) -> Array:
        thetas = np.zeros_like(start)
        thetas[active] = np.exp(logs)
        return thetas

    def profiled(logs: Array) -> tuple[float, Array]:
        thetas = at(logs)
        point = model(thetas)
        slopes = thetas * point.slopes(free / max(point.squares, 1e-300))
        return point.criterion(free), slopes[active]

    if not active.any():
        return start
    bounds = [(math.log(LEAST), math.log(MOST))] * int(active.sum())
    options = {"ftol": 1e-15, "gtol": 1e-7, "maxiter": 500}
    logs = np.log(np.clip(start[active], 1e-2, MOST))  # the criterion is flat near 0
    found = minimize(profiled, logs, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return _at_the_boundary(model, free, at(found.x))


def _at_the_boundary(model: Model, free: int, thetas: Array) -> Array:
    """Small thetas are 0 where the criterion does not mind."""
    for i in np.flatnonzero((thetas > 0) & (thetas < 1e-3)):
        without = np.where(np.arange(len(thetas)) == i, 0.0, thetas)
        most = model(thetas).criterion(free)
        if model(without).criterion(free) <= most + FLAT * max(free, abs(most)):
            thetas = without
    return thetas


def _spread(model: Model, free: int, thetas: Array) -> tuple[Array, Array]:
    """Gradients of the covariance by the parameters, and the parameters' covariance.

    The parameters are the logarithms of the thetas that are not 0 and of the error's variance.
    Directions in which the likelihood is flat must leave the covariance alone, too; otherwise it is
    not known, which is an error.
    """
    point = model(thetas)
    sigma2 = point.squares / free
    inner = np.flatnonzero(thetas)
    information = np.empty((len(inner) + 1, len(inner) + 1))
    for row, i in enumerate(inner):
        step = np.where(np.arange(len(thetas)) == i, 1e-4, 0.0)
        up, down = thetas * np.exp(step), thetas * np.exp(-step)
        change = up * model(up).slopes(1 / sigma2) - down * model(down).slopes(1 / sigma2)
        information[row, :-1] = change[inner] / 2e-4
    bend = -thetas[inner] * point.square_slopes[inner] / sigma2
    information[-1, :-1] = information[:-1, -1] = bend
    information[-1, -1] = free
    slopes = thetas[inner, None, None] * point.unit_slopes[inner]
    gradients = sigma2 * np.concatenate([slopes, point.unit[None]])
    worth, axes = np.linalg.eigh((information + information.T) / 2)
    flat = worth <= 1e-6 * free
    unknown = np.tensordot(axes[:, flat].T, _contrasted(gradients), axes=1)
    if np.abs(unknown).max(initial=0.0) > 1e-3 * np.abs(_contrasted(sigma2 * point.unit)).max():
        raise ValueError(
            "The scores that are there do not tell how much samples vary and how much algorithms "
            "within them: more samples are needed in which several algorithms have a score."
        )
    return gradients, 2 * (axes[:, ~flat] / worth[~flat]) @ axes[:, ~flat].T


def _contrasted(covariances: Array) -> Array:
    """Of differences of algorithms."""
    H = helmert(covariances.shape[-1])
    return np.asarray(H @ covariances @ H.T)


# -- these data sets ------------------------------------------------------------------------------


def fixed_survey(values: Array, dataset: NDArray[np.int64], ratio: float = 0.0) -> Survey:
    """Every algorithm's mean over these data sets, each of them counted alike.

    `ratio` is the variance, in units of the error's, that dependent samples (folds) add to the mean
    of a data set, however many they are (Nadeau and Bengio 2003). Every algorithm must have a value
    on every data set.
    """
    cells = Cells(values, dataset)
    free = cells.values - cells.datasets * cells.algorithms

    def model(thetas: Array) -> _Point:
        return _fixed_point(cells, float(thetas[0]), ratio)

    theta, sigma2, sample, df = _within(cells, model, free)
    point = model(np.array([theta]))
    if math.isnan(df):
        gradients, spread = _spread(model, free, np.array([theta]))
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
    thetas = _fitted(model, free, _start(cells)[:1])
    if thetas[0] < MOST / 2:
        error = model(thetas).squares / free
        return float(thetas[0]), error, float(thetas[0]) * error, math.nan
    # samples differ so much that only what is within them tells
    squares = cells.at(math.inf).squares
    noise = 1e-14 * cells.own_squares
    return math.inf, squares / df if squares > noise else 0.0, sample, df


def _fixed_point(cells: Cells, theta: float, ratio: float) -> _Point:
    fit, J = cells.at(theta), cells.datasets
    return _Point(
        determinants=fit.determinant,
        squares=fit.squares,
        determinant_slopes=np.array([fit.determinant_slope]),
        square_slopes=np.array([fit.squares_slope]),
        unit=fit.covariance.sum(axis=0) / J**2 + ratio * np.eye(cells.algorithms) / J,
        unit_slopes=fit.covariance_slope.sum(axis=0)[None] / J**2,
        means=(cells.origin + fit.means).mean(axis=0),
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

    def model(thetas: Array) -> _Point:
        return _random_point(cells, thetas)

    if cells.whole and np.ptp(cells.counts) == 0:
        return _balanced(cells, model, free)
    if not model(np.zeros(3)).squares:
        return _exact(cells)
    thetas = _fitted(model, free, _start(cells))
    certain = thetas.max() >= MOST / 2
    if certain:  # hardly any error: a small one keeps the other variances' ratios
        model = _noisy(model, 100 / MOST * cells.spread * max(cells.error_df, 1))
        thetas = _fitted(model, free, np.where(thetas > 0, MOST / 1e4, 0.0))
    point = model(thetas)
    sigma2 = point.squares / free
    gradients, spread = _spread(model, free, thetas)
    return Survey(
        means=point.means,
        covariance=sigma2 * point.unit,
        sigmas=_named(thetas, sigma2) | ({"error": 0.0} if certain else {}),
        df=math.nan,
        criterion=point.criterion(free),
        gradients=gradients,
        spread=spread,
        connected=connected_components(cells.counts.T @ cells.counts > 0)[0] == 1,
    )


def _noisy(model: Model, noise: float) -> Model:
    """A model with some more generalised squares."""

    def noisy(thetas: Array) -> _Point:
        point = model(thetas)
        return replace(point, squares=point.squares + noise)

    return noisy


def _named(thetas: Array, sigma2: float) -> dict[str, float]:
    sources = ("sample", "interaction", "dataset")
    found = {s: math.sqrt(sigma2 * t) for s, t in zip(sources, thetas.tolist(), strict=True)}
    return found | {"error": math.sqrt(sigma2)}


def _exact(cells: Cells) -> Survey:
    """Nothing varies but for the differences of the algorithms."""
    K = cells.algorithms
    return Survey(
        means=np.nanmean(cells.origin, axis=0),
        covariance=np.zeros((K, K)),
        sigmas=_named(np.zeros(3), 0.0),
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
    unit = error or max(between, float(row.var())) / MOST or 1.0
    found = np.array([sample, between - own * error, above]) / unit
    told = np.array([cells.samples_vary, number < cells.values, J > 1])
    return np.where(told, np.clip(found, LEAST, MOST), 0.0)


def _random_point(cells: Cells, thetas: Array) -> _Point:
    """Means of cells, each with the covariance of its data set's fit, interaction and effect."""
    fit, K = cells.at(float(thetas[0])), cells.algorithms
    both = cells.present[:, :, None] & cells.present[:, None, :]
    parts = [np.where(both, fit.covariance_slope, 0.0), both * np.eye(K), both.astype(float)]
    S = fit.covariance + thetas[1] * parts[1] + thetas[2] * parts[2]
    E = np.where(both, np.linalg.inv(S), 0.0)
    total = E.sum(axis=0)
    C = np.linalg.inv(total)
    level = np.nanmean(cells.origin, axis=0)
    cell = np.where(cells.present, cells.origin - level, 0.0) + fit.means
    means = C @ np.einsum("jkl,jl->k", E, cell)
    left = np.where(cells.present, cell - means, 0.0)
    e = np.einsum("jkl,jl->jk", E, left)
    bent = [np.einsum("jkl,jlm->km", E @ part, E) for part in parts]
    determinants = [np.sum(E * part) - np.sum(C * b) for part, b in zip(parts, bent, strict=True)]
    squares = [-float(np.einsum("jk,jkl,jl->", e, part, e)) for part in parts]
    own = np.array([1.0, 0.0, 0.0])  # what belongs to the samples' theta alone
    return _Point(
        determinants=fit.determinant
        + float(np.linalg.slogdet(S)[1].sum() + np.linalg.slogdet(total)[1]),
        squares=fit.squares + float(np.sum(left * e)),
        determinant_slopes=np.array(determinants) + own * fit.determinant_slope,
        square_slopes=np.array(squares)
        + own * (fit.squares_slope + 2 * float(np.sum(e * fit.means_slope))),
        unit=C,
        unit_slopes=np.stack([C @ b @ C for b in bent]),
        means=level + means,
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
        sigmas=_named(variances, 1.0) | {"error": math.sqrt(sigma2)},
        df=df,
        criterion=model(variances / sigma2).criterion(free) if sigma2 else -math.inf,
        gradients=interaction * unit[:1],
        spread=np.array([[2 / df]]),
    )
