"""explain_differences: those of two algorithms, modelled by what the data sets are like.

    difference_j = b0 + b1 x_j1 + ... + error_j        over data sets j

as boulesteix2013, section 6, proposes. Data sets are the observations: differences of theirs vary
unequally, so standard errors are HC3's. Simulated at 5 % with t and n - p degrees of freedom, these
err in 3 to 5 % where variances are equal; where the sd is proportional to |x|, in 8 % of 12 data
sets, 7 % of 20 and 6 % of 60 (plain standard errors: 23 to 26 %).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from scipy import sparse, stats

from podium.asking.surveys.dataset_differences import (
    INFLATED,
    Differences,
    Fit,
    Logs,
    Pairs,
    Terms,
    described,
    differences,
    fit,
    leverages,
    terms,
)
from podium.core.base.errors import InferenceError
from podium.core.base.formatting import listed
from podium.core.base.registry import unknown
from podium.core.inference.bricks.adjustments import holm
from podium.core.inference.comparing.legality import stated
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.preferences import Design, Endless, Fitted, check_chained
from podium.core.inference.numbers.preferences import fit as fit_choices
from podium.core.inference.procedures.battle_fits import choices_of
from podium.core.questions.options import check_alpha
from podium.core.results.results import Results
from podium.core.words.facts import DETAIL, REMARK, Hypothesis, Note
from podium.core.words.notes.of_surveys import ALIKE_EVERYWHERE, SAME_EVERYWHERE, explained_heading
from podium.core.words.phrases import counted
from podium.core.words.saying import Presented
from podium.core.words.statements import statement

# -- explained wins -------------------------------------------------------------------------------
# Strengths that depend on what data sets are like: Bradley-Terry by characteristics.
#
# On a data set with the characteristics x, algorithm i has the log-strength a_i + b_i' x; every
# pair of algorithms is a choice there, by whose score is better, ties by Davidson
# (boulesteix2013, section 6; Eugster, Leisch and Strobl 2014 split the data sets instead).
# Choices on one data set depend on each other: errors are those of leaving out one data set at a
# time, in one step of Newton's (the jackknife of blocks, HC3's kin).


@dataclass(frozen=True, eq=False)
class ExplainedWins:
    """Log-strengths: one row per term, the first at the average data set; larger is better."""

    strengths: np.ndarray  # terms x algorithms
    moves: np.ndarray  # data sets x terms x algorithms: what leaving one out changes
    df: int
    cook: np.ndarray  # of every data set

    def coefficients(self, contrasts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Terms x contrasts of algorithms, with standard errors."""
        moved = self.moves @ contrasts.T
        count = len(moved)
        errors = np.sqrt((moved**2).sum(axis=0) * (count - 1) / count)
        return self.strengths @ contrasts.T, errors

    def joint(self, places: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """What some terms add to the strengths against the last, and its covariance."""
        less = self.moves[:, places, :-1] - self.moves[:, places, -1:]
        flat = less.reshape(len(less), -1)
        estimate = self.strengths[places, :-1] - self.strengths[places, -1:]
        return estimate.ravel(), flat.T @ flat * (len(flat) - 1) / len(flat)


def explained_wins(layout: Layout, terms: np.ndarray) -> ExplainedWins:
    """Strengths by the columns of `terms`, of which each row is a data set."""
    choices = choices_of(layout)
    k, count = len(layout.algorithms), len(layout.values)
    beaten = np.zeros((k, k))
    for sign, one, other in (
        (1, choices.first, choices.second),
        (-1, choices.second, choices.first),
    ):
        hit = choices.outcome * sign >= 0
        np.add.at(beaten, (one[hit], other[hit]), 1.0)
    check_chained(beaten, layout.algorithms)
    x = np.column_stack([np.ones(count), terms])[choices.row]
    n = len(choices.row)
    places = np.concatenate([choices.first, choices.second])
    sides = np.concatenate([np.ones(n), -np.ones(n)])
    who = sparse.csr_matrix((sides, (np.tile(np.arange(n), 2), places)), shape=(n, k))
    ties = bool((choices.outcome == 0).any())
    odds = sparse.hstack([who.multiply(column[:, None]) for column in x.T])
    wide = k * x.shape[1] + ties
    odds = sparse.hstack([odds, sparse.csr_matrix((n, int(ties)))]).tocsr()
    of_ties = sparse.csr_matrix((np.ones(n), (np.arange(n), np.full(n, wide - 1))), (n, wide))
    loose = np.zeros((x.shape[1], wide))
    for t in range(x.shape[1]):
        loose[t, t * k : (t + 1) * k] = 1 / np.sqrt(k)
    try:
        fit = fit_choices(
            Design(odds, of_ties if ties else None, loose), np.arange(n), choices.outcome
        )
    except Endless:
        raise InferenceError(
            "With these characteristics it is certain who wins on some data sets, and no finite "
            "strength explains that: name fewer characteristics, or use more data sets."
        ) from None
    moves = _left_out(fit, choices.row, count)
    per = moves[:, : k * x.shape[1]].reshape(count, x.shape[1], k)
    free = wide - x.shape[1]  # parameters less what is loose
    cook = ((moves @ fit.information) * moves).sum(axis=1) / free
    return ExplainedWins(fit.beta[: k * x.shape[1]].reshape(-1, k), per, count - x.shape[1], cook)


def _left_out(result: Fitted, row: np.ndarray, count: int) -> np.ndarray:
    """What leaving out each data set changes in the parameters, in one step of Newton's."""
    scores = result.sums(row, count)
    moves = np.empty_like(scores)
    for j in range(count):
        rest = result.information - result.information_of(row == j)
        try:
            moves[j] = np.linalg.solve(rest, scores[j])
        except np.linalg.LinAlgError:
            moves[j] = np.inf
    if not np.isfinite(moves).all() or np.abs(moves).max() > 1e6:
        raise InferenceError(
            "One data set alone determines an effect, so there is nothing to judge it by: name "
            "fewer characteristics, or use more data sets."
        )
    return moves


# -- explaining -----------------------------------------------------------------------------------


LEAST_SQUARES, WINS = "least-squares", "bradley-terry"
PER_COEFFICIENT = 3  # data sets, at least
FEW = 40  # data sets, below which tests may err too often where variances are very unequal


@dataclass(frozen=True, eq=False, repr=False)
class Explained(Presented):
    """Differences of algorithms by characteristics of data sets.

    Attributes
    ----------
    coefficients : one row per pair and term: by how much first less second, in the measure's own
        sign, changes with one standard deviation of a number, or from the reference to a level; its
        HC3 standard error, t and p, and p adjusted (Holm) over all rows. Intervals are of
        Bonferroni for all rows.
    models : one row per pair: the intercept (the difference on a data set that is average in every
        number and at the reference in every level; not tested), R² and the residuals' sd.
    terms : how each term was made: logarithm, mean, sd, reference, variance inflation.
    influential : the data sets without which the estimates of a pair would move far (Cook's
        distance above the median of F), with their leverage and outside studentised residual.
    tests : one row per characteristic: whether the strengths of all algorithms depend on it (of
        wins; of differences there is none).
    procedure : `least-squares` of differences, or `bradley-terry` of wins: coefficients are then in
        log-odds of the first to be better, errors by leaving out data sets.
    datasets : those that were used; `left_out` lack a characteristic.
    """

    coefficients: pd.DataFrame
    models: pd.DataFrame
    terms: pd.DataFrame
    influential: pd.DataFrame
    datasets: tuple[str, ...]
    left_out: tuple[str, ...]
    measure: str
    higher_is_better: bool
    statement: str
    alpha: float
    notes: tuple[Note, ...]
    procedure: str = LEAST_SQUARES
    tests: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def heading(self) -> str:
        """One line: the measure and the model."""
        count, coefficients = len(self.datasets), len(self.coefficients)
        wins = self.procedure != LEAST_SQUARES
        return explained_heading(
            self.measure, self.higher_is_better, count, coefficients, wins=wins
        )

    def _lines_above(self) -> list[str]:
        return [self.heading, self.statement]

    def _facts(self) -> dict[str, Any]:
        names = ("measure", "higher_is_better", "procedure", "statement", "alpha")
        lists = ("tests", "coefficients", "models", "terms", "influential", "datasets", "left_out")
        facts = {name: getattr(self, name) for name in (*names, *lists)}
        return {**facts, "warnings": self.notes}

    def _tables(self) -> dict[str, pd.DataFrame]:
        joint = {"Does it matter at all": self.tests} if len(self.tests) else {}
        return {
            **joint,
            "Coefficients": self.coefficients,
            "Models": self.models,
            "Terms": self.terms,
            "Influential data sets": self.influential,
        }


def explain_differences(
    layout: Layout,
    by: pd.DataFrame | Results,
    columns: str | Sequence[str] | None = None,
    *,
    control: str | None = None,
    pairs: Pairs | None = None,
    logs: Logs = "auto",
    procedure: str = LEAST_SQUARES,
    alpha: float = 0.05,
) -> Explained:
    """The differences of two algorithms, or who wins, by characteristics of the data sets.

    Parameters
    ----------
    layout : of data sets, also on another scale.
    by, columns : a frame with a row per data set, or results that know their characteristics; which
        of them are used, all by default. Data sets that lack one are left out and listed.
    control, pairs : as in `compare`.
    logs : `auto` for positive numbers whose skewness is above 1, or a list of names.
    procedure : least-squares of the differences, or bradley-terry of who is better where.
    """
    check_alpha(alpha)
    if procedure not in (LEAST_SQUARES, WINS):
        raise InferenceError(unknown("model by characteristics", procedure, [LEAST_SQUARES, WINS]))
    result = differences(layout, control, pairs)
    chosen = [columns] if isinstance(columns, str) else columns
    used, table, gone = _joined(result, described(by, chosen))
    _check_count(table)
    made = terms(table, logs)
    X = np.column_stack([np.ones(len(table)), made.matrix])
    _check_enough(X, made, used)
    if procedure == WINS:
        coefficients, models, influential, tests = _of_wins(used, made, alpha)
    else:
        fitted = fit(X, used.values)
        coefficients = _coefficients(used, made, fitted, alpha)
        models, influential = _models(used, fitted), _influential(used, fitted)
        tests = pd.DataFrame()
    return Explained(
        coefficients=coefficients,
        models=models,
        procedure=procedure,
        tests=tests,
        terms=made.table,
        influential=influential,
        datasets=used.layout.labels,
        left_out=gone,
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        statement=statement(
            stated(
                used.layout, Hypothesis(ALIKE_EVERYWHERE if procedure == WINS else SAME_EVERYWHERE)
            )
        ),
        alpha=alpha,
        notes=(
            *_gains(coefficients, made, 1 if procedure == WINS else used.layout.sign),
            *used.layout.notes,
            *_about_data_sets(
                len(table), len(coefficients), gone, influential, wins=procedure == WINS
            ),
            *_notes(coefficients, made),
        ),
    )


# -- what is asked ----------------------------------------------------------------------------


def _joined(
    result: Differences, table: pd.DataFrame
) -> tuple[Differences, pd.DataFrame, tuple[str, ...]]:
    """The data sets that have all characteristics, these, and the names of the others."""
    if table.shape[1] == 0:
        raise InferenceError("There is no characteristic; name one column at least.")
    labels = result.layout.labels
    table = table.reindex(list(labels))
    known = table.notna().all(axis=1).to_numpy()
    gone = tuple(compress(labels, ~known))
    if not known.any():
        lacking = [str(c) for c in table.columns if table[c].isna().all()]
        which = f"'{lacking[0]}'" if lacking else "all of the characteristics"
        raise InferenceError(f"No data set has a value of {which}; leave out what is missing.")
    part = replace(
        result.layout, values=result.layout.values[known], labels=tuple(compress(labels, known))
    )
    return (
        replace(result, values=result.values[known], layout=part),
        table[known].infer_objects(),
        gone,
    )


def _check_count(table: pd.DataFrame) -> None:
    """Refuse early, before constant or collinear columns are looked for in too few rows."""
    count = len(table)
    if count < PER_COEFFICIENT * (table.shape[1] + 1):
        _refuse_few(count, table.shape[1] + 1, list(map(str, table.columns)))


def _refuse_few(count: int, coefficients: int, names: Sequence[str]) -> NoReturn:
    few = f"{counted(count, 'data set')} {'is' if count == 1 else 'are'} too few"
    raise InferenceError(
        f"{few} for {coefficients} coefficients (the intercept and {listed(names, 8)}): each needs "
        f"{PER_COEFFICIENT}, so use at least {PER_COEFFICIENT * coefficients} data sets or name "
        "fewer characteristics (columns=)."
    )


def _check_enough(X: np.ndarray, made: Terms, used: Differences) -> None:
    n, p = X.shape
    if n < PER_COEFFICIENT * p:
        _refuse_few(n, p, made.names)
    alone = np.flatnonzero(leverages(X) > 1 - 1e-9)
    if len(alone):
        raise InferenceError(
            f"The data set '{used.layout.labels[alone[0]]}' alone determines a coefficient, so "
            "there is nothing to judge it by; leave out that data set or a characteristic."
        )


# -- tables -----------------------------------------------------------------------------------


def _coefficients(used: Differences, made: Terms, fitted: Fit, alpha: float) -> pd.DataFrame:
    """One row per pair and term, pair by pair."""
    slopes = {
        "estimate": fitted.coefficients,
        "error": fitted.errors,
        "statistic": fitted.statistic,
        "p": fitted.p,
    }
    return _rows(used, made, slopes, fitted.df, alpha)


def _rows(
    used: Differences, made: Terms, slopes: dict[str, np.ndarray], df: int, alpha: float
) -> pd.DataFrame:
    """Slopes (terms x pairs, the intercept first) as rows, adjusted for each other."""
    flat = {name: values[1:].T.ravel() for name, values in slopes.items()}
    table = used.names.loc[used.names.index.repeat(len(made.names))].reset_index(drop=True)
    table["term"] = made.names * len(used.pairs)
    p = flat["p"]
    reach = float(stats.t.isf(alpha / len(p) / 2, df)) * flat["error"]
    known = ~np.isnan(p)
    adjusted = np.where(known, holm(np.nan_to_num(p, nan=1.0)), np.nan)
    return table.assign(
        estimate=flat["estimate"] + 0.0,
        error=flat["error"],
        lower=np.where(known, flat["estimate"] - reach, np.nan),
        upper=np.where(known, flat["estimate"] + reach, np.nan),
        statistic=flat["statistic"],
        df=df,
        p=p,
        p_adjusted=adjusted,
        verdict=np.where(adjusted <= alpha, "matters", "undecided"),
    )


def _of_wins(
    used: Differences, made: Terms, alpha: float
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Coefficients, models, influential data sets and joint tests of who wins where."""
    names = used.layout.algorithms
    wins = explained_wins(used.layout, made.matrix)
    contrasts = np.zeros((len(used.pairs), len(names)))
    for row, pair in zip(contrasts, used.pairs, strict=True):
        row[[names.index(name) for name in pair]] = 1.0, -1.0
    estimate, error = wins.coefficients(contrasts)
    t = np.divide(estimate, error, out=np.full(estimate.shape, np.nan), where=error > 0)
    slopes = {"estimate": estimate, "error": error, "statistic": t}
    slopes["p"] = 2 * stats.t.sf(np.abs(t), wins.df)
    models = used.names.assign(
        intercept=estimate[0] + 0.0, error=error[0], datasets=len(used.values)
    )
    free = wins.strengths.shape[0] * (len(names) - 1)
    far = np.flatnonzero(wins.cook > stats.f.ppf(0.5, free, wins.df))
    hangs = pd.DataFrame({"dataset": [used.layout.labels[i] for i in far], "cook": wins.cook[far]})
    return _rows(used, made, slopes, wins.df, alpha), models, hangs, _joint(wins, made, alpha)


def _joint(result: ExplainedWins, made: Terms, alpha: float) -> pd.DataFrame:
    """Of every characteristic, whether strengths depend on it: Hotelling's F, adjusted (Holm)."""
    rows = []
    names = made.table["characteristic"].tolist()
    for name in dict.fromkeys(names):
        places = [1 + i for i, each in enumerate(names) if each == name]
        estimate, covariance = result.joint(places)
        q = len(estimate)
        below = result.df - q + 1
        f = p = np.nan
        if below > 0:
            wald = float(estimate @ np.linalg.lstsq(covariance, estimate, rcond=None)[0])
            f = wald * below / (q * result.df)
            p = float(stats.f.sf(f, q, below))
        rows.append((name, f, q, below, p))
    table = pd.DataFrame(rows, columns=["characteristic", "statistic", "df", "df2", "p"])
    known = table["p"].notna().to_numpy()
    adjusted = np.where(known, holm(np.nan_to_num(table["p"].to_numpy(), nan=1.0)), np.nan)
    return table.assign(
        p_adjusted=adjusted, verdict=np.where(adjusted <= alpha, "matters", "undecided")
    )


def _models(used: Differences, fitted: Fit) -> pd.DataFrame:
    return used.names.assign(
        intercept=fitted.coefficients[0] + 0.0,
        error=fitted.errors[0],
        r2=fitted.r2,
        sigma=fitted.sigma,
        datasets=len(fitted.leverage),
    )


def _influential(used: Differences, fitted: Fit) -> pd.DataFrame:
    """The data sets that a model hangs on, pair by pair."""
    pair, row = np.nonzero((fitted.cook > fitted.influential).T)
    table = used.names.iloc[pair].reset_index(drop=True)
    return table.assign(
        dataset=[used.layout.labels[i] for i in row],
        cook=fitted.cook[row, pair],
        leverage=fitted.leverage[row],
        residual=fitted.outside[row, pair],
    )


def _gains(coefficients: pd.DataFrame, made: Terms, sign: int) -> Iterator[Note]:
    """Who gains on whom where, of what was shown to matter."""
    numbers = {row.term for row in made.table.itertuples() if row.sd == row.sd}
    shown = coefficients[coefficients["verdict"] == "matters"]
    results = []
    for row in shown.itertuples():
        gains = sign * row.estimate > 0
        pair = (row.first, row.second) if gains else (row.second, row.first)
        results.append((*pair, row.term, row.term in numbers))
    if results:
        yield Note("gains", REMARK, found=tuple(results))


def _notes(coefficients: pd.DataFrame, made: Terms) -> Iterator[Note]:
    yield Note("multiplicity", coefficients=len(coefficients))
    yield Note("observational")
    if made.logged:
        yield Note("logarithms", DETAIL, terms=made.logged)
    inflated = tuple(made.table.loc[made.table["inflation"] > INFLATED, "term"])
    if inflated:
        yield Note("collinear", terms=inflated, inflation=INFLATED)
    still = coefficients["p"].isna()
    if still.any():
        pairs = coefficients.loc[still, ["first", "second"]].drop_duplicates().to_numpy()
        yield Note("no-variation", unjudged=tuple(map(tuple, pairs)))


def _about_data_sets(
    count: int,
    coefficients: int,
    gone: tuple[str, ...],
    influential: pd.DataFrame,
    *,
    wins: bool,
) -> Iterator[Note]:
    if count < FEW:
        yield Note("few-data-sets", datasets=count, coefficients=coefficients, wins=wins)
    if gone:
        yield Note("no-characteristics", datasets=gone)
    if len(influential):
        yield Note("influential", datasets=tuple(dict.fromkeys(influential["dataset"])))
