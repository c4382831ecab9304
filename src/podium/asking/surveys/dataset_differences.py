"""The differences of two algorithms on every data set, and what describes the data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import fdtrc, fdtri

from podium.asking.planning.pilot import components
from podium.core.base.errors import InferenceError
from podium.core.base.formatting import listed
from podium.core.base.registry import Registry, unknown
from podium.core.inference.bricks.contrasts import against, all_pairs, named_pairs
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.tails import t_sf
from podium.core.questions.targets import BLOCKS, DATASET, DATASET_POPULATION
from podium.core.results.dataset_facts import characteristics
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.core.words.notes.of_results import true_differences_lines
from podium.core.words.saying import Presented

# -- linear models ------------------------------------------------------------------------------
# Linear models by characteristics of data sets: their columns, and robust least squares.


VERY_SKEWED = 1.0  # skewness from which positive numbers are better seen as logarithms
COLLINEAR = 1e-8  # what is left of a standardised column when the others are taken out
INFLATED = 10.0  # variance inflation from which characteristics are hard to tell apart
Logs = str | Sequence[str]
Column = tuple[dict[str, object], np.ndarray]  # how it was made, and its values


@dataclass(frozen=True, eq=False)
class Terms:
    """The columns of a model less the intercept, and how each was made from a characteristic.

    `table` has a row per column: term, characteristic, made (such as `log, standardised`), mean and
    sd (of the number, or of its logarithm; missing for levels) and the inflation of its variance.
    """

    matrix: np.ndarray  # data sets x terms
    table: pd.DataFrame
    logged: tuple[str, ...] = ()  # terms that are logarithms

    @property
    def names(self) -> list[str]:
        """The terms."""
        return [str(name) for name in self.table["term"]]


def terms(characteristics: pd.DataFrame, logs: Logs) -> Terms:
    """Numbers standardised, after the logarithm where asked for; levels as indicators.

    The reference of a nominal characteristic is its most frequent level, the first of ties. With
    `logs="auto"` positive numbers with a skewness above 1 get logarithms.
    """
    _check_logs(characteristics, logs)
    logged = tuple(str(n) for n, values in characteristics.items() if _is_logged(n, values, logs))
    columns, rows = [], []
    for name, values in characteristics.items():
        if _is_number(values):
            made = [_number(str(name), values, logged=str(name) in logged)]
        else:
            made = _levels(str(name), values)
        for row, column in made:
            rows.append({"characteristic": str(name), **row})
            columns.append(column)
    matrix = np.column_stack(columns)
    table = pd.DataFrame(rows)
    _check_collinear(matrix, [str(t) for t in table["term"]])
    return Terms(matrix, table.assign(inflation=inflation(matrix)), logged)


def _is_number(values: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)


def _is_logged(name: object, values: pd.Series, logs: Logs) -> bool:
    """Whether the logarithm of a number is taken: as was said, or where it is very skewed."""
    if not _is_number(values):
        return False
    return _is_skewed(values.to_numpy(float)) if isinstance(logs, str) else str(name) in logs


def _number(name: str, values: pd.Series, *, logged: bool) -> Column:
    x = values.to_numpy(float)
    if not np.isfinite(x).all():
        raise InferenceError(f"The characteristic '{name}' has an infinite value.")
    if logged and x.min() <= 0:
        raise InferenceError(
            f"The characteristic '{name}' has the value {x.min():g}, which has no logarithm; leave "
            "it out of logs."
        )
    x = np.log(x) if logged else x
    mean, sd = float(x.mean()), float(x.std(ddof=1))
    if sd <= 1e-12 * np.abs(x).max():
        raise InferenceError(_constant(name, len(x)))
    made = "log, standardised" if logged else "standardised"
    return {"term": name, "made": made, "mean": mean, "sd": sd}, (x - mean) / sd


def _is_skewed(x: np.ndarray) -> bool:
    if not (np.isfinite(x).all() and x.min() > 0 and np.ptp(x) > 0):
        return False
    centred = x - x.mean()
    return bool((centred**3).mean() > VERY_SKEWED * (centred**2).mean() ** 1.5)


def _levels(name: str, values: pd.Series) -> list[Column]:
    texts = values.map(str)
    counts = texts.value_counts(sort=False)
    reference = counts.idxmax()
    if len(counts) < 2:
        raise InferenceError(_constant(name, len(texts)))
    single = counts.index[counts == 1]
    if len(single):
        raise InferenceError(
            f"The level '{single[0]}' of the characteristic '{name}' has one data set only, from "
            "which nothing follows about others; join levels or leave that data set out."
        )
    return [
        (
            {"term": f"{name} = {level}", "made": f"against '{reference}'"}
            | dict.fromkeys(("mean", "sd"), np.nan),
            (texts == level).to_numpy(float),
        )
        for level in counts.index
        if level != reference
    ]


def _constant(name: str, count: int) -> str:
    return f"The characteristic '{name}' is the same for all {count} data sets; leave it out."


def _check_logs(characteristics: pd.DataFrame, logs: Logs) -> None:
    if isinstance(logs, str):
        if logs != "auto":
            raise InferenceError(f"logs is 'auto' or a list of characteristics, not '{logs}'.")
        return
    numbers = [str(n) for n, values in characteristics.items() if _is_number(values)]
    for name in logs:
        if name not in numbers:
            raise InferenceError(unknown("characteristic that is a number", name, numbers))


def _check_collinear(matrix: np.ndarray, names: Sequence[str]) -> None:
    """Refuse a column that follows from others, and name all of them."""
    x = _standardised(matrix)
    for j in range(1, x.shape[1]):
        weights, left = _explained(x[:, j], x[:, :j])
        if left > COLLINEAR:
            continue
        others = list(compress(names, np.abs(weights) > 1e-6))
        raise InferenceError(
            f"The characteristic '{names[j]}' follows from {listed(others)} on these data sets, "
            "so their effects cannot be separated; leave one of them out."
        )


def inflation(matrix: np.ndarray) -> np.ndarray:
    """How many times larger the variance of each effect is than without the other columns."""
    x = _standardised(matrix)
    left = [
        _explained(x[:, j], np.delete(x, j, axis=1))[1] if x.shape[1] > 1 else 1.0
        for j in range(x.shape[1])
    ]
    return 1 / np.array(left)


def _standardised(matrix: np.ndarray) -> np.ndarray:
    return np.asarray((matrix - matrix.mean(axis=0)) / matrix.std(axis=0))


def _explained(y: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, float]:
    """The least squares weights of standardised columns, and the share of y that they leave."""
    weights = np.linalg.lstsq(x, y, rcond=None)[0]
    return weights, float(((y - x @ weights) ** 2).sum() / (y**2).sum())


# -- least squares with standard errors for unequal variances; arrays in, arrays out --------

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Fit:
    """Linear models of many variables on the same columns, the first of which is 1.

    `covariances` are HC3's (MacKinnon and White 1985). `cook` is Cook's distance (1977) of every
    row, `outside` its studentised residual from the model without it.
    """

    coefficients: np.ndarray  # terms x variables
    errors: np.ndarray  # standard errors, terms x variables
    df: int
    leverage: np.ndarray
    cook: np.ndarray  # rows x variables
    outside: np.ndarray  # rows x variables
    r2: np.ndarray
    sigma: np.ndarray  # residual standard deviation

    @property
    def statistic(self) -> np.ndarray:
        """Coefficients over their standard errors; NaN where there is nothing to judge by."""
        safe = np.where(self.errors > 0, self.errors, 1.0)
        return np.where(self.errors > 0, self.coefficients / safe, np.nan)

    @property
    def p(self) -> np.ndarray:
        """Two-sided p-values of a t with the residual degrees of freedom."""
        return 2 * t_sf(np.abs(self.statistic), self.df)

    @property
    def influential(self) -> float:
        """Cook's distance from which a row moves all estimates to the 50 % region's edge."""
        terms = len(self.coefficients)
        return float(fdtri(terms, self.df, 0.5))


def leverages(X: np.ndarray) -> np.ndarray:
    """The diagonal of X (X'X)⁻¹ X'."""
    return np.asarray((np.linalg.qr(X)[0] ** 2).sum(axis=1))


def fit(X: np.ndarray, Y: np.ndarray) -> Fit:
    """The least squares fits of the columns of Y; no leverage may be 1.

    HC3 = (X'X)⁻¹ X' diag(e²/(1-h)²) X (X'X)⁻¹.
    """
    n, p = X.shape
    hat = np.linalg.pinv(X)
    coefficients = hat @ Y
    size = np.abs(Y).max(axis=0)
    residuals = Y - X @ coefficients
    residuals = np.where(np.abs(residuals) <= ROUNDING * size, 0.0, residuals)
    h = leverages(X)[:, None]
    squares = (residuals**2).sum(axis=0)
    sigma2 = squares / (n - p)
    total = ((Y - Y.mean(axis=0)) ** 2).sum(axis=0)
    spread = total > (ROUNDING * size) ** 2 * n
    return Fit(
        coefficients,
        np.sqrt(hat**2 @ (residuals / (1 - h)) ** 2),
        n - p,
        h[:, 0],
        _over(residuals**2 * h / (1 - h) ** 2, p * sigma2),
        _outside(residuals, h, squares, n - p),
        np.where(spread, 1 - squares / np.where(spread, total, 1.0), np.nan),
        np.sqrt(sigma2),
    )


def _outside(residuals: np.ndarray, h: np.ndarray, squares: np.ndarray, df: int) -> np.ndarray:
    """Residuals from the model without the row, in units of that model's error."""
    without = (squares - residuals**2 / (1 - h)) / max(df - 1, 1)
    return _over(residuals, np.sqrt(np.maximum(without, 0.0) * (1 - h)))


def _over(value: np.ndarray, unit: np.ndarray) -> np.ndarray:
    return np.where(unit > 0, value / np.where(unit > 0, unit, 1.0), 0.0)


# -- differences between data sets --------------------------------------------------------------


Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Differences:
    """First less second of every pair on every data set, in the measure's own unit and sign."""

    values: np.ndarray  # data sets x pairs
    pairs: tuple[tuple[str, str], ...]
    layout: Layout  # the data sets that have all scores

    @property
    def names(self) -> pd.DataFrame:
        """The pairs as columns of a table."""
        return pd.DataFrame(list(self.pairs), columns=["first", "second"])


def differences(
    layout: Layout, control: str | None = None, pairs: Pairs | None = None
) -> Differences:
    """The differences on all data sets where every algorithm has a score."""
    _check(layout)
    whole = _complete(layout)
    if control is not None and pairs is not None:
        raise InferenceError("Say either a control or pairs, not both.")
    if pairs is not None:
        chosen = named_pairs(whole.algorithms, pairs)
    elif control is not None:
        chosen = against(whole.algorithms, control)
    else:
        chosen = all_pairs(len(whole.algorithms))
    first, second = np.array(chosen).T
    values = whole.sign * (whole.values[:, first] - whole.values[:, second])
    names = tuple((whole.algorithms[i], whole.algorithms[j]) for i, j in chosen)
    return Differences(values + 0.0, names, whole)  # no -0.0


def _check(layout: Layout) -> None:
    if layout.block != DATASET:
        raise InferenceError(
            f"Groups and characteristics belong to data sets, not to "
            f"{BLOCKS[layout.block].text}; give results of several data sets."
        )
    if layout.target != DATASET_POPULATION:
        raise InferenceError(
            f"What differs between data sets is judged by how they vary, which is evidence about "
            f"the target '{DATASET_POPULATION}', not about '{layout.target}'."
        )
    if len(layout.algorithms) < 2:
        raise InferenceError("A difference needs two algorithms; there is one.")
    if np.isinf(layout.values).any():
        raise InferenceError(
            f"The measure '{layout.measure.name}' has infinite scores, which no mean or test can "
            "use; remove them or choose another measure."
        )


def _complete(layout: Layout) -> Layout:
    """The data sets that have all scores, with their names; a note lists the others."""
    names = layout.labels or tuple(f"data set {i + 1}" for i in range(len(layout.values)))
    whole = ~np.isnan(layout.values).any(axis=1)
    gone = tuple(compress(names, ~whole))
    if not whole.any():
        raise InferenceError("On no data set has every algorithm a score: there is no difference.")
    note = Note("incomplete-blocks", left_out=gone)
    return replace(
        layout,
        values=layout.values[whole],
        labels=tuple(compress(names, whole)),
        notes=(*layout.notes, *[note] * bool(gone)),
    )


def described(source: pd.DataFrame | Results, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Characteristics as a table whose rows are named by the data sets.

    From results that know them, or from a frame with the data sets as its index or as the column
    `dataset`.
    """
    table = characteristics(source) if isinstance(source, Results) else source
    if not isinstance(table, pd.DataFrame):
        raise InferenceError(
            f"Characteristics are a data frame with one row per data set, or results that know "
            f"them, not {type(source).__name__}."
        )
    if "dataset" in table.columns:
        table = table.set_index("dataset")
    table = table.set_axis(table.index.map(str), axis=0)
    twice = table.index[table.index.duplicated()]
    if len(twice):
        raise InferenceError(f"The data set '{twice[0]}' has two rows of characteristics.")
    wanted = list(table.columns) if columns is None else list(columns)
    for name in wanted:
        if name not in table.columns:
            known = [str(column) for column in table.columns]
            raise InferenceError(unknown("characteristic", name, known))
    return table[wanted]


# -- tests of equal means in several groups; arrays in, arrays out -------------------------------

Array = np.ndarray
CELLS = 4_000_000  # permuted statistics that are held at a time


class Tested(NamedTuple):
    """F, its degrees of freedom (NaN where the test has none) and p, of each variable."""

    statistic: Array
    df1: Array
    df2: Array
    p: Array


Test = Callable[[Array, Array, int, int], Tested]


class Interaction(NamedTuple):
    """A test; where a group has fewer rows than `least`, a note says what becomes of it.

    Its words are chosen by the fact `test` of the note `small-subgroup`.
    """

    compute: Test
    least: int = 2


INTERACTIONS: Registry[Interaction] = Registry("test of equal differences in subgroups")


def _moments(values: Array, members: Array) -> tuple[Array, Array, Array]:
    """Sizes, means and variances of groups; `members` are 0 and 1, (... x) groups x rows."""
    n = members.sum(axis=-1)[..., None]
    means = members @ values / n
    squares = members @ values**2 / n
    variances = np.maximum(squares - means**2, 0.0) * n / (n - 1)
    noise = 1e-14 * np.abs(values).max(axis=0) ** 2  # squares less squares lose digits
    return n, means, np.where(variances <= noise, 0.0, variances)


def _welch(values: Array, members: Array) -> tuple[Array, Array]:
    """Welch's F (1951, eq. 10) and its second degrees of freedom."""
    n, means, variances = _moments(values, members)
    k = members.shape[-2]
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = n / variances
        share = weights / weights.sum(axis=-2, keepdims=True)
        between = (weights * (means - (share * means).sum(axis=-2, keepdims=True)) ** 2).sum(
            axis=-2
        )
        rest = ((1 - share) ** 2 / (n - 1)).sum(axis=-2)
        f = between / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * rest)
        df = (k**2 - 1) / (3 * rest)
    same = np.ptp(means, axis=-2) <= ROUNDING * np.abs(values).max(axis=0)
    constant = (variances == 0).any(axis=-2)
    return np.where(constant, np.where(same, 0.0, np.nan), f), np.where(constant, np.nan, df)


def welch(values: Array, members: Array, _draws: int, _seed: int) -> Tested:
    """Welch's analysis of variance: groups may vary unequally (Welch 1951)."""
    f, df = _welch(_centred(values), members)
    first = np.full(len(f), members.shape[0] - 1.0)
    p = np.where(f == 0, 1.0, fdtrc(first, df, f))
    return Tested(f, first, df, p)


def anova(values: Array, members: Array, _draws: int, _seed: int) -> Tested:
    """One-way analysis of variance: all groups vary alike (Fisher 1925)."""
    values = _centred(values)
    n, means, variances = _moments(values, members)
    total, k = float(n.sum()), len(n)
    grand = (n * means).sum(axis=0) / total
    between = (n * (means - grand) ** 2).sum(axis=0) / (k - 1)
    within = ((n - 1) * variances).sum(axis=0) / (total - k)
    none = between <= (ROUNDING * np.abs(values).max(axis=0)) ** 2
    safe = np.where(within > 0, within, 1.0)
    f = np.where(within > 0, between / safe, np.where(none, 0.0, np.nan))
    df1, df2 = np.full(len(f), k - 1.0), np.full(len(f), total - k)
    return Tested(f, df1, df2, fdtrc(df1, df2, f))


def permutation(values: Array, members: Array, draws: int, seed: int) -> Tested:
    """Welch's F with the data sets exchanged between groups at random.

    Exact where differences are exchangeable; with groups that vary unequally right in the limit, as
    F is studentised (Janssen 1997; Chung and Romano 2013). p = (1 + hits) / (1 + draws).
    """
    values = _centred(values)
    f, _ = _welch(values, members)
    f = np.where(np.isnan(f), np.inf, f)  # groups apart and without variation
    hits = np.zeros(len(f))
    rng = np.random.default_rng(seed)
    rows = np.arange(members.shape[1])
    batch = max(CELLS // (values.size + 1), 1)
    for start in range(0, draws, batch):
        order = rng.permuted(np.tile(rows, (min(batch, draws - start), 1)), axis=1)
        drawn, _ = _welch(values, np.moveaxis(members[:, order], 0, 1))
        hits += (np.where(np.isnan(drawn), np.inf, drawn) >= f * (1 - 1e-9)).sum(axis=0)
    unknown = np.full(len(f), np.nan)
    shown = np.where(np.isinf(f), np.nan, f)
    return Tested(shown, np.full(len(f), members.shape[0] - 1.0), unknown, (1 + hits) / (1 + draws))


def _centred(values: Array) -> Array:
    return np.asarray(values - values.mean(axis=0))


INTERACTIONS.add("welch", Interaction(welch, least=4))
INTERACTIONS.add("anova", Interaction(anova))
INTERACTIONS.add("permutation", Interaction(permutation))


# -- variance of true differences ---------------------------------------------------------------
# Variance of the true difference against the error of its estimate (boulesteix2013, equation 4).
#
# Differences between data sets vary because distributions differ, and because each is estimated on
# one sample of its distribution. Several data sets of every distribution, such as disjoint parts
# of a large one, tell the two apart; more splits of one data set cannot.


CALLED = {
    "datasets": "distributions",
    "samples": "per_distribution",
    "sd": "sd_of_means",
    "between_sd": "sd_true",
    "between_lower": "sd_true_lower",
    "between_upper": "sd_true_upper",
    "resampling_sd": "sd_error",
}


@dataclass(frozen=True, eq=False, repr=False)
class TrueDifferences(Presented):
    """What the variance of differences over data sets consists of.

    Attributes
    ----------
    table : of every pair the mean difference, `sd_true` of true differences between distributions
        with its interval, `sd_error` of the estimate on one data set about its distribution's, and
        `share_error`: of the variance between single data sets, what is error.
    """

    table: pd.DataFrame
    measure: str
    notes: tuple[Note, ...] = field(default=())

    def _lines_above(self) -> list[str]:
        return true_differences_lines(self.table, self.measure)

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"Pairs": self.table}


def true_differences(
    results: Results,
    distributions: Mapping[str, Sequence[str]] | pd.DataFrame,
    *,
    measure: str | None = None,
    level: float = 0.95,
) -> TrueDifferences:
    """The variance of true differences and that of their estimates' errors, of every pair.

    Parameters
    ----------
    distributions : `{"adult": ["adult 1", "adult 2", ...], ...}`, the data sets of every one, or a
        table with the columns dataset and distribution; `podium.design.subsamples` makes such data
        sets of a large one.
    level : of the intervals.
    """
    name = measure or next(iter(results.measures), "")
    groups = _groups(distributions, results)
    means = results.values(name).groupby(["dataset", "algorithm"], observed=True)["value"].mean()
    wide = means.unstack().reindex(columns=results.algorithms)
    cells = [wide.reindex(list(names)).to_numpy(float) for names in groups.values()]
    table = components(cells, tuple(results.algorithms), level).rename(columns=CALLED)
    variance = table["sd_true"] ** 2 + table["sd_error"] ** 2
    share = np.where(variance > 0, table["sd_error"] ** 2 / variance.where(variance > 0), np.nan)
    return TrueDifferences(
        table.drop(columns=["sd_lower", "sd_upper"]).assign(share_error=share), name
    )


def _groups(given: Any, results: Results) -> dict[str, list[str]]:
    if isinstance(given, pd.DataFrame):
        lacking = [c for c in ("dataset", "distribution") if c not in given]
        if lacking:
            raise InferenceError(f"The table of distributions needs a column '{lacking[0]}'.")
        by_name = given.groupby("distribution", sort=False)["dataset"]
        given = {str(name): rows.astype(str).tolist() for name, rows in by_name}
    if not isinstance(given, Mapping):
        raise InferenceError(f"Distributions are a mapping to their data sets, not {given!r:.60}.")
    groups = {str(name): [str(d) for d in listed] for name, listed in given.items()}
    seen: set[str] = set()
    for names in groups.values():
        for one in names:
            if one not in results.datasets:
                raise InferenceError(unknown("data set of these results", one, results.datasets))
            if one in seen:
                raise InferenceError(f"The data set '{one}' is listed twice: list it once.")
            seen.add(one)
    if len(groups) < 2 or max(map(len, groups.values()), default=0) < 2:
        raise InferenceError(
            "The variance of true differences needs two distributions and, of one at least, two "
            "data sets: draw several samples of each, or cut large data sets into parts "
            "(podium.design.subsamples)."
        )
    return groups
