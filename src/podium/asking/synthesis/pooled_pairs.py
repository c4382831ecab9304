"""Every pair over the studies that compared it, by study and data set, and all studies at once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import minimize

from podium.asking.synthesis.random_effects import (
    ALIKE,
    LEAST_FOR_BIAS,
    LEAST_STUDIES,
    Network,
    Study,
    egger,
    network,
    pooled,
    tau2_interval,
    typical,
)
from podium.asking.synthesis.reported_studies import (
    CONTENT,
    Pair,
    Reported,
    check_apart,
    shared_data,
)
from podium.asking.synthesis.words import OTHER_DATA, TELL_DATA
from podium.core.base.errors import InferenceError
from podium.core.base.formatting import listed
from podium.core.inference.bricks.adjustments import pair_level
from podium.core.inference.numbers import tails
from podium.core.words.facts import REMARK, Note

# -- three level ----------------------------------------------------------------------------------
# Differences by study and data set, where studies share data sets or have several of them.
#
# y = mean + study + data set + rest + error: a data set that two studies used has its luck in
# both (crossed effects); where no two studies share one, this is the three-level model of data
# sets within studies (Konstantopoulos 2011). Variances are those of restricted maximum
# likelihood.


LEAST = 1e-6  # of the variance of the differences: the least rest, where errors are not known
STARTS = (0.05, 0.4, 0.9)
ON_FLOOR = 1e-7  # so near to its least value, and pulled there, a variance is that value
MOST_STEPS = 8


@dataclass(frozen=True)
class Levels:
    """The mean over studies, its error, and the variances of studies, data sets and the rest."""

    mean: float
    error: float
    df: int
    study: float
    dataset: float
    rest: float

    def limits(self, alpha: float, more: float = 0.0) -> tuple[float, float]:
        """Of the mean; with the variance of studies as `more`, of what a new study would show."""
        reach = float(tails.t_isf(alpha / 2, float(self.df))) * math.sqrt(self.error**2 + more)
        return self.mean - reach, self.mean + reach

    @property
    def p(self) -> float:
        """Of no difference on average over studies."""
        return 2 * float(tails.t_sf(abs(self.mean) / self.error, float(self.df)))


def three_level(
    y: np.ndarray, v: np.ndarray, studies: Sequence[str], datasets: Sequence[str]
) -> Levels:
    """Levels of differences y with variances v (0 where not known: the rest then has them).

    t has as many df as there are studies, or data sets where these are fewer, less one.
    """
    factors = [_incidence(studies), _incidence(datasets)]
    n = len(y)
    scale = float(np.var(y)) or float(np.mean(v)) or 1.0
    model = _Model(y / math.sqrt(scale), v / scale, [z for z in factors if z.shape[1] < n])
    result = model.fitted() * scale
    # a factor with a level for every row cannot be told from the rest
    names = iter(result)
    parts = [next(names) if z.shape[1] < n else None for z in factors]
    rest = next(names)
    own = [rest if part is None else part for part in parts]
    mean, error = model.mean(result / scale)
    few = min(z.shape[1] for z in factors)
    return Levels(
        mean * math.sqrt(scale), error * math.sqrt(scale), few - 1, float(own[0]), float(own[1]),
        0.0 if None in parts else float(rest),
    )  # fmt: skip


def _incidence(levels: Sequence[str]) -> np.ndarray:
    _, places = np.unique(np.asarray(levels, dtype=str), return_inverse=True)
    return np.asarray(np.eye(places.max() + 1)[places])


class _Model:
    """The restricted likelihood of variances: one of each factor, and that of the rest."""

    def __init__(self, y: np.ndarray, v: np.ndarray, factors: Sequence[np.ndarray]) -> None:
        self.y, self.v = y, v
        self.z = np.column_stack([np.zeros((len(y), 0)), *factors])
        self.widths = [z.shape[1] for z in factors]
        self.least = 0.0 if (v > 0).all() else LEAST

    def fitted(self) -> np.ndarray:
        """The variances with the largest restricted likelihood, from several starts."""
        count = len(self.widths) + 1
        bounds = [(0.0, None)] * (count - 1) + [(self.least, None)]
        results = [
            minimize(
                self.loss, np.full(count, start / count), jac=True, method="L-BFGS-B",
                bounds=bounds, options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 500},
            )
            for start in STARTS
        ]  # fmt: skip
        return self._polished(np.asarray(min(results, key=lambda one: float(one.fun)).x))

    def _polished(self, variances: np.ndarray) -> np.ndarray:
        """Newton's steps from where a search by values ended, while slopes become flatter.

        Values tell half of a maximum's digits and slopes all of them.
        """
        floor = np.append(np.zeros(len(self.widths)), self.least)
        slopes = self.loss(variances)[1]
        variances = np.where((variances - floor < ON_FLOOR) & (slopes > 0), floor, variances)
        free = np.flatnonzero(variances > floor)
        slopes = self.loss(variances)[1]
        for _ in range(MOST_STEPS if len(free) else 0):
            step = np.zeros_like(variances)
            step[free] = np.linalg.lstsq(self._curvature(variances, free), -slopes[free])[0]
            now = variances + step
            if not (now[free] > floor[free]).all():
                break
            flatter = self.loss(now)[1]
            if not np.abs(flatter[free]).max() < np.abs(slopes[free]).max():
                break
            variances, slopes = now, flatter
        return variances

    def _curvature(self, variances: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Second derivatives by the free variances, from differences of the slopes."""
        columns = []
        for place in free:
            step = np.zeros_like(variances)
            step[place] = 1e-4 * variances[place]
            ends = (self.loss(variances + turn * step)[1][free] for turn in (1, -1))
            columns.append(np.subtract(*ends) / (2 * step[place]))
        return np.column_stack(columns)

    def loss(self, variances: np.ndarray) -> tuple[float, np.ndarray]:
        """The restricted deviance, and how it changes with every variance."""
        inverse, log, trace = self._inverse(variances)
        u = inverse(np.ones(len(self.y)))
        s = float(u.sum())
        py = inverse(self.y) - u * float(u @ self.y) / s
        value = log + math.log(s) + float(self.y @ py)
        spread = np.einsum("ij,ij->j", self.z, inverse(self.z))
        by_column = spread - (self.z.T @ u) ** 2 / s - (self.z.T @ py) ** 2
        ends = np.cumsum([0, *self.widths])
        slopes = [by_column[a:b].sum() for a, b in pairwise(ends)]
        return value, np.array([*slopes, trace - float(u @ u) / s - float(py @ py)])

    def mean(self, variances: np.ndarray) -> tuple[float, float]:
        """Of generalised least squares, with its error."""
        u = self._inverse(variances)[0](np.ones(len(self.y)))
        return float(u @ self.y / u.sum()), 1 / math.sqrt(float(u.sum()))

    def _inverse(self, variances: np.ndarray):  # type: ignore[no-untyped-def]
        """What multiplies by the inverse covariance, the log of its determinant, its trace."""
        weight = 1 / (self.v + variances[-1])
        scaled = self.z * np.repeat(np.sqrt(variances[:-1]), self.widths)
        weighted = weight[:, None] * scaled
        inner = np.linalg.inv(np.eye(scaled.shape[1]) + scaled.T @ weighted)  # by Woodbury
        _, less = np.linalg.slogdet(inner)
        trace = weight.sum() - np.einsum("ij,ji->", inner, weighted.T @ weighted)

        def inverse(x: np.ndarray) -> np.ndarray:
            own = (weight * x.T).T
            return np.asarray(own - weighted @ (inner @ (weighted.T @ x)))

        return inverse, float(-np.log(weight).sum() - less), float(trace)


# -- pooled pairs ---------------------------------------------------------------------------------
# Every pair of algorithms over the studies that compared it: random effects of its own.


ONLY = "reml"  # the method of three levels


@dataclass(frozen=True)
class Level:
    """Alpha, and over how many pairs it holds; a pair that cannot be pooled is one of them."""

    alpha: float
    pairs: int

    @property
    def each(self) -> float:
        """The level of every pair."""
        return pair_level(self.alpha, self.pairs)


@dataclass(frozen=True, eq=False)
class Found:
    """Pairs, the rows of their studies, what is said of them, and the network if it is one."""

    pairs: pd.DataFrame
    rows: pd.DataFrame
    notes: tuple[Note, ...]
    fitted: Network | None = None
    facts: dict[str, Any] | None = None
    splits: pd.DataFrame = field(default_factory=pd.DataFrame)


def compared_pairs(studies: Sequence[Reported]) -> list[Pair]:
    """All pairs that a study compared, each once, in the order in which they appear."""
    pairs: dict[Pair, None] = {}
    for study in studies:
        for pair in study.pairs:
            if pair[::-1] not in pairs:
                pairs[pair] = None
    return list(pairs)


def of_pair(studies: Sequence[Reported], pair: Pair) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The names of the studies that compared a pair, their differences and variances."""
    known = [(s.name, d) for s in studies if (d := s.difference(*pair)) is not None]
    values = np.array([d for _, d in known]).reshape(-1, 2)
    return [name for name, _ in known], values[:, 0], values[:, 1]


def study_rows(
    pair: Pair, names: list[str], y: np.ndarray, v: np.ndarray, tau2: float
) -> pd.DataFrame:
    """The studies of a pair with their weights."""
    weight = 1 / (v + tau2)
    return pd.DataFrame(
        {
            "study": names,
            "first": pair[0],
            "second": pair[1],
            "estimate": y,
            "error": np.sqrt(v),
            "weight": weight / weight.sum(),
        }
    )


def pair_by_pair(
    studies: Sequence[Reported], every: Sequence[Pair], method: str, level: Level
) -> Found:
    """Every pair that several studies compared, pooled."""
    if _is_by_dataset(studies):
        return _by_dataset(studies, every, method, level)
    known = {pair: of_pair(studies, pair) for pair in every}
    several = {p: evidence for p, evidence in known.items() if len(evidence[0]) >= LEAST_STUDIES}
    if not several:
        raise InferenceError(
            "No two algorithms were compared by two of these studies: take them as a network "
            "(--network, network=True), or add studies."
        )
    made = [_pooled(pair, *evidence[1:], method, level) for pair, evidence in several.items()]
    rows = [
        study_rows(pair, *evidence, row["tau2"])
        for (pair, evidence), row in zip(several.items(), made, strict=True)
    ]
    alone = tuple(pair for pair in known if pair not in several)
    notes = (Note("pairs-of-one-study", pairs=alone),) * bool(alone)
    return Found(pd.DataFrame(made), pd.concat(rows, ignore_index=True), notes)


# -- studies that share data sets, or tell of several ---------------------------------------------


def _is_by_dataset(studies: Sequence[Reported]) -> bool:
    """Whether differences are to be taken data set by data set."""
    several_parts = any(v > 0 for s in studies for values in s.parts.values() if len(values) > 1
               for _, v in values.values())  # fmt: skip
    return several_parts or shared_data(studies) is not None


def _by_dataset(
    studies: Sequence[Reported], every: Sequence[Pair], method: str, level: Level
) -> Found:
    """Every pair by the three-level model, where its studies tell their data sets apart."""
    if method != ONLY:
        raise InferenceError(
            f"Studies that share data sets, or report several, are combined by {ONLY}: "
            "leave the method out."
        )
    made = [_levels(pair, _rows_of(studies, pair), level) for pair in every]
    known = [(row, table) for row, table in made if row]
    if not known:
        raise InferenceError("No two algorithms were compared by two of these studies.")
    alone = tuple(pair for pair, (row, _) in zip(every, made, strict=True) if not row)
    notes = [Note("pairs-of-one-study", pairs=alone)] * bool(alone)
    if shared_data(studies) is not None:
        notes.append(Note("studies-share-data", REMARK, datasets=_in_several(studies)))
    tables = pd.concat([table for _, table in known], ignore_index=True)
    return Found(pd.DataFrame([row for row, _ in known]), tables, tuple(notes))


def _in_several(studies: Sequence[Reported]) -> int:
    """How many data sets more than one study has, by name or else by content."""
    times = Counter(name for study in studies for name in study.datasets)
    several = [name for name, count in times.items() if count > 1]
    return len([n for n in several if not n.startswith(CONTENT)] or several)


def _rows_of(studies: Sequence[Reported], pair: Pair) -> pd.DataFrame:
    """Study, data set, difference and variance; refused where a study does not tell data sets."""
    differences = {s: d for s in studies if (d := s.difference(*pair)) is not None}
    mine = list(differences)
    called: dict[str, str] = {}  # the name under which a content was seen first
    rows = []
    for study, result in differences.items():
        parts = study.by_dataset(*pair)
        if not parts:
            check_apart(mine, TELL_DATA)
            parts = {f"{study.name}'s own": result}
        for name, (value, variance) in parts.items():
            one = called.setdefault(study.contents.get(name, name), name)
            rows.append((study.name, one, value, variance))
    if len({row[1] for row in rows}) == 1:  # which says nothing of others
        check_apart(mine, OTHER_DATA)
    return pd.DataFrame(rows, columns=["study", "dataset", "estimate", "variance"])


def _levels(pair: Pair, rows: pd.DataFrame, level: Level) -> tuple[dict[str, Any], pd.DataFrame]:
    names = list(dict.fromkeys(rows["study"]))
    if len(names) < LEAST_STUDIES:
        return {}, pd.DataFrame()
    y, v = (rows[c].to_numpy(float) for c in ("estimate", "variance"))
    levels = three_level(y, v, rows["study"].tolist(), rows["dataset"].tolist())
    lower, upper = levels.limits(level.each)
    within = levels.dataset + levels.rest
    spread = levels.study + within + _typical_variance(v)
    row = {
        "first": pair[0],
        "second": pair[1],
        "studies": len(names),
        "datasets": rows["dataset"].nunique(),
        "estimate": levels.mean + 0.0,
        "error": levels.error,
        "lower": lower,
        "upper": upper,
        "p": levels.p,
        "tau2": levels.study,
        "tau2_dataset": levels.dataset,
        "tau2_rest": levels.rest,
        "tau2_interval": (math.nan, math.nan),
        "i2": levels.study / spread if spread > 0 else 0.0,
        "q": math.nan,
        "df": levels.df,
        "prediction": levels.limits(level.alpha, levels.study),
        "egger_t": math.nan,
        "egger_p": math.nan,
    }
    own = [_own(y[mine], v[mine] + within) for n in names for mine in [rows["study"] == n]]
    values, variances = np.array(own).T
    return row, study_rows(pair, names, values, variances, levels.study)


def _own(y: np.ndarray, v: np.ndarray) -> tuple[float, float]:
    """What a study says by itself, with its variance."""
    w = 1 / np.maximum(v, np.finfo(float).tiny)
    return float(w @ y / w.sum()), float(1 / w.sum())


def _typical_variance(v: np.ndarray) -> float:
    return typical(v) if (v > 0).all() and len(v) > 1 else 0.0


# -- one estimate of every study ------------------------------------------------------------------


def _pooled(pair: Pair, y: np.ndarray, v: np.ndarray, method: str, level: Level) -> dict[str, Any]:
    average = pooled(y, v, method=method, alpha=level.alpha, level=level.each)
    return {
        "first": pair[0],
        "second": pair[1],
        "studies": average.studies,
        "estimate": average.estimate + 0.0,
        "error": average.error,
        "lower": average.lower,
        "upper": average.upper,
        "p": average.p,
        "tau2": average.tau2,
        "tau2_interval": average.tau2_interval,
        "i2": average.i2,
        "q": average.q,
        "df": average.studies - 1,
        "prediction": average.prediction,
        **small_studies(y, v),
    }


def small_studies(y: np.ndarray, v: np.ndarray) -> dict[str, float]:
    """Egger's t and p, where there are studies enough and of several sizes."""
    if len(y) < LEAST_FOR_BIAS or np.ptp(v) <= ALIKE * v.max():
        return {"egger_t": math.nan, "egger_p": math.nan}
    t, p = egger(y, np.sqrt(v))
    return {"egger_t": t, "egger_p": p}


# -- all studies at once --------------------------------------------------------------------------
# A network of algorithms, what is direct in it and what is not.


SINGULAR = 1e-10  # the least of a study's variances over its largest


def of_network(studies: Sequence[Reported], method: str, alpha: float) -> Found:
    """All pairs of a network, what is direct and what is not."""
    arms = [_arms(study) for study in studies]
    fitted = network(arms, method)
    direct = {pair: of_pair(studies, pair) for pair in combinations(fitted.algorithms, 2)}
    i2 = max(0.0, (fitted.q - fitted.df) / fitted.q) if fitted.q > 0 else 0.0
    row = partial(_row, fitted, i2, Level(alpha, len(direct)))
    pairs = pd.DataFrame([row(pair, *evidence[1:]) for pair, evidence in direct.items()])
    rows = [study_rows(p, *evidence, fitted.tau2) for p, evidence in direct.items() if evidence[0]]
    between = dict(zip(("q", "df", "p"), fitted.inconsistency, strict=True))
    facts = {"tau2": fitted.tau2, "q": fitted.q, "df": fitted.df, "i2": i2, "p": _p_of_q(fitted)}
    return Found(
        pairs,
        pd.concat(rows, ignore_index=True),
        tuple(_of_designs(arms, fitted)),
        fitted,
        facts | {"algorithms": fitted.algorithms, "inconsistency": between},
        pd.DataFrame(_splits(fitted, direct)),
    )


def _arms(study: Reported) -> Study:
    if study.arms is None and any(len(values) > 1 for values in study.parts.values()):
        raise InferenceError(
            f"The study '{study.name}' reports several data sets, which a network does not "
            "separate: compare pairs (without --network), or give one estimate of every pair."
        )
    if study.arms is None:
        raise InferenceError(
            f"The study '{study.name}' reports some differences of {listed(study.algorithms)}, "
            "and how they vary together is not known: give all its pairs, or its means with "
            "covariances."
        )
    c = np.column_stack([-np.ones(len(study.algorithms) - 1), np.eye(len(study.algorithms) - 1)])
    own = np.linalg.eigvalsh(c @ study.arms.covariance @ c.T)
    if own[0] <= SINGULAR * own[-1]:
        raise InferenceError(
            f"The errors of {listed(study.algorithms)} in the study '{study.name}' cannot vary "
            "together as it says, or it has fewer rows than algorithms: leave out an algorithm or "
            "the study, or compare pairs (without --network)."
        )
    return study.arms


def _p_of_q(fitted: Network) -> float:
    return float(tails.chi2_sf(fitted.q, fitted.df)) if fitted.df > 0 else math.nan


def _row(
    fitted: Network, i2: float, level: Level, pair: Pair, y: np.ndarray, v: np.ndarray
) -> dict[str, Any]:
    estimate, error = fitted.difference(*pair)
    df = float(fitted.df) if fitted.df > 0 else math.inf
    far, alone = (float(tails.t_isf(a / 2, df)) for a in (level.each, level.alpha))
    new = alone * math.sqrt(fitted.tau2 + error**2)
    return {
        "first": pair[0],
        "second": pair[1],
        "studies": len(y),
        "estimate": estimate + 0.0,
        "error": error,
        "lower": estimate - far * error,
        "upper": estimate + far * error,
        "p": 2 * float(tails.t_sf(abs(estimate) / error, df)),
        "tau2": fitted.tau2,
        "tau2_interval": tau2_interval(y, v, level.alpha) if len(y) > 1 else (math.nan, math.nan),
        "i2": i2,
        "q": fitted.q,
        "df": fitted.df,
        "prediction": (estimate - new, estimate + new),
        **small_studies(y, v),
    }


def _splits(
    fitted: Network, direct: dict[Pair, tuple[list[str], np.ndarray, np.ndarray]]
) -> Iterator[dict[str, Any]]:
    """What studies of a pair say, and what is left of the network's estimate without them.

    The network weighs both by their precisions, which gives the indirect one back (Dias and others
    2010, back-calculation).
    """
    for pair, (names, y, v) in direct.items():
        if not names:
            continue
        estimate, error = fitted.difference(*pair)
        w = 1 / (v + fitted.tau2)
        own, precision = float(w @ y / w.sum()), float(w.sum())
        rest = 1 / error**2 - precision
        known = rest > 1e-6 * precision
        indirect = (estimate / error**2 - own * precision) / rest if known else math.nan
        z = (own - indirect) / math.sqrt(1 / precision + 1 / rest) if known else math.nan
        yield {
            "first": pair[0],
            "second": pair[1],
            "studies": len(names),
            "direct": own,
            "indirect": indirect,
            "difference": own - indirect,
            "z": z,
            "p": 2 * float(tails.t_sf(abs(z), math.inf)) if known else math.nan,
        }


def _of_designs(arms: Sequence[Study], fitted: Network) -> Iterator[Note]:
    designs = {tuple(sorted(s.algorithms)) for s in arms}
    if fitted.df < 1:
        yield Note("network-without-replicates")
    elif len(designs) == len(arms):
        yield Note("designs-once", REMARK, designs=len(designs))
    q, df, p = fitted.inconsistency
    if df > 0 and p < 0.05 and len(designs) < len(arms):
        yield Note("inconsistent", q=q, df=df, p=p)


def p_scores(fitted: Network | None, higher_is_better: bool | None) -> pd.DataFrame:
    """How surely each is better than the others, on average (Rücker and Schwarzer 2015)."""
    if fitted is None or higher_is_better is None:
        return pd.DataFrame()
    names = fitted.algorithms
    sign = 1 if higher_is_better else -1
    sure = [
        float(np.mean([_surely(sign, *fitted.difference(a, b)) for b in names if b != a]))
        for a in names
    ]
    table = pd.DataFrame({"algorithm": names, "score": sure})
    return table.sort_values("score", ascending=False, kind="stable", ignore_index=True)


def _surely(sign: int, difference: float, error: float) -> float:
    return 1 - float(tails.t_sf(sign * difference / error, math.inf))
