"""Layouts as choices between two, and their fit: strengths with what else decides who is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.adjustments import holm
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.preferences import (
    Endless,
    Fitted,
    check_chained,
    f_p,
    fit,
    joint_f,
    score_f,
)
from podium.core.inference.procedures.covariates import (
    NONE,
    POSITION,
    STRENGTHS,
    TIES,
    Columns,
    Effects,
    Plan,
    check_told_apart,
    check_varies,
    columns_of,
    planned,
    position,
)

SHARE_OF_BLOCKS = 3  # a joint test has at most a third as many parameters as there are blocks


Row = tuple[str, str, float, float, float, float]


class Choices(NamedTuple):
    """The two of every choice, 1 for the first, -1 for the second or 0, and the choice's row."""

    first: np.ndarray
    second: np.ndarray
    outcome: np.ndarray
    row: np.ndarray


@dataclass(frozen=True, eq=False)
class BattleFit:
    """Strengths from choices between two, and the effects of covariates; errors by blocks."""

    fitted: Fitted
    plan: Plan
    covariates: dict[str, Columns]
    place: np.ndarray | None  # the block of every choice; None: each is its own
    blocks: int
    k: int
    refused_position: bool = False  # the order of columns tells who won
    # where judges are drawn anew the prompt (if told) and the judge of every choice, and how many
    # there are; `blocks` is then the fewer of the two
    crossed: tuple[tuple[np.ndarray, int], ...] = ()

    @property
    def values(self) -> np.ndarray:
        """Log-strengths less their mean."""
        return self.fitted.beta[: self.k]

    @cached_property
    def full(self) -> np.ndarray:
        """The covariance of all parameters: the sandwich of blocks (Liang and Zeger 1986).

        Of prompts and judges the sum of both, which counts what they share twice and is never too
        small for it.
        """
        both = self.crossed or ((self.place, self.blocks),)
        return np.asarray(sum(self.sandwich(*each) for each in both))

    def sandwich(self, place: np.ndarray | None, blocks: int) -> np.ndarray:
        """Of blocks, with the factor of their number."""
        bread = self.fitted.bread
        meat = self.fitted.meat(place, blocks)
        return np.asarray(bread @ meat @ bread * blocks / (blocks - 1))

    @property
    def covariance(self) -> np.ndarray:
        """Of the strengths."""
        return self.full[: self.k, : self.k]

    @property
    def effects(self) -> dict[str, tuple[float, float]]:
        """Of position and of ties in general, with errors."""
        owner, beta = list(self.plan.owner), self.fitted.beta
        errors = np.sqrt(np.diag(self.full))
        at = {POSITION: owner.index(POSITION)} if POSITION in owner else {}
        if self.plan.design.ties is not None:
            at[TIES] = self.k + owner[self.k :].index("")
        return {name: (float(beta[i]), float(errors[i])) for name, i in at.items()}

    @property
    def df(self) -> int:
        """Of t: one per block, less one."""
        return self.blocks - 1

    def blocks_of(self) -> np.ndarray:
        """The block of every choice by number."""
        return np.arange(len(self.fitted.kind)) if self.place is None else self.place


def choices_of(layout: Layout) -> Choices:
    """All choices between two: of a row of more than two scores every pair is one."""
    here = np.isfinite(layout.values)
    k = len(layout.algorithms)
    if (here @ np.ones(k) == 2).all():  # many battles at once
        first, second = (np.flatnonzero(here) % k).reshape(-1, 2).T
        first, second = _in_shown_order(layout, first, second)
        row = np.arange(len(first))
    else:
        i, j = np.triu_indices(k, 1)
        row, pair = np.nonzero(here[:, i] & here[:, j])
        first, second = i[pair], j[pair]
    outcome = np.sign(layout.values[row, first] - layout.values[row, second]).astype(np.int64)
    return Choices(first, second, outcome, row)


def _in_shown_order(
    layout: Layout, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Whoever was shown first in front, where that is known."""
    if layout.choices.shown_first is None:
        return first, second
    code, names = pd.factorize(
        np.asarray(layout.choices.shown_first)
    )  # many battles have few names
    turned = second == pd.Index(layout.algorithms).get_indexer(names)[code]
    return np.where(turned, second, first), np.where(turned, first, second)


@lru_cache(maxsize=4)  # the estimate and what is said of it need the same fit
def battle_fit(layout: Layout) -> BattleFit:
    """The fit of a layout, with the covariates that were asked for or position by default."""
    made = choices_of(layout)
    _check(made, layout.algorithms)
    wanted = _wanted(layout, made)
    if layout.choices.adjusted_for is not None or not wanted:
        return _fit(layout, made, wanted)
    try:
        return _fit(layout, made, wanted)
    except Endless:  # as where the winner is always in the first column
        return _fit(layout, made, (), refused=True)


def unadjusted_fit(layout: Layout) -> BattleFit:
    """The same without any covariate."""
    return _fit(layout, choices_of(layout), ())


def _wanted(layout: Layout, made: Choices) -> tuple[str, ...]:
    """The names of covariates; groups need position, of which they have effects of their own."""
    known = layout.choices.shown_first is not None and _both_ways(made, len(layout.algorithms))
    adjusted_for = layout.choices.adjusted_for
    if adjusted_for is None:
        return (POSITION,) if known else ()
    usual = (POSITION,) if known and NONE not in adjusted_for else ()
    groups = [
        n
        for n in adjusted_for
        if n in layout.choices.covariates and layout.choices.covariates[n].ndim == 1
    ]
    if (groups or POSITION in adjusted_for) and not known:
        which = groups[0] if groups else POSITION
        raise InferenceError(
            "No two algorithms met in both orders, so position cannot be separated from "
            "strength, and "
            f"'{which}' needs that: leave it out of --covariates (covariates=)."
        )
    rest = tuple(name for name in adjusted_for if name not in (POSITION, NONE))
    return (POSITION, *rest) if groups else (*usual, *rest)


def _both_ways(made: Choices, k: int) -> bool:
    met = np.bincount(made.first * k + made.second, minlength=k * k).reshape(k, k) > 0
    return bool((met & met.T).any())


def _check(made: Choices, names: Sequence[str]) -> None:
    k = len(names)
    if not made.outcome.any():
        raise InferenceError(
            "All battles are ties, which show nothing about strength: add some that were won."
        )
    beaten = np.zeros((k, k))
    for sign, (one, other) in ((1, (made.first, made.second)), (-1, (made.second, made.first))):
        hit = (made.outcome * sign) >= 0  # ties join both
        beaten += np.bincount(one[hit] * k + other[hit], minlength=k * k).reshape(k, k)
    check_chained(beaten, names)


def _fit(
    layout: Layout, made: Choices, wanted: tuple[str, ...], *, refused: bool = False
) -> BattleFit:
    covariates = {name: columns_of(layout, name, made.outcome) for name in wanted}
    fitted = partial(_fit_choices, made, len(layout.algorithms), covariates)
    by = {name: _numbered(levels[made.row]) for name, levels in prompts_and_judges(layout).items()}
    if not by:
        return replace(fitted(*_blocks(layout, made)), refused_position=refused)
    *_, (place, judges) = by.values()
    several = tuple(each for each in by.values() if each[1] > 1)
    if judges < 2 and several:  # one judge: by prompt
        return replace(fitted(*several[0]), refused_position=refused)
    result = fitted(place, min((count for _, count in several), default=1))
    return replace(result, refused_position=refused, crossed=several)


def prompts_and_judges(layout: Layout) -> dict[str, np.ndarray]:
    """The prompt (where it is told) and the judge of every choice, if judges are drawn anew."""
    if layout.choices.shown_first is None or layout.items.clusters is None:
        return {}
    return {name: np.asarray(labels) for name, labels in layout.crossed.factors.items()}


def paired_strengths(
    first: np.ndarray,
    second: np.ndarray,
    outcome: np.ndarray,
    names: Sequence[str],
    blocks: np.ndarray | None = None,
    *,
    ordered: bool = False,
) -> BattleFit:
    """Strengths from arrays of choices (1: the first was chosen); `ordered`: it was shown first."""
    made = Choices(first, second, outcome, np.arange(len(first)))
    _check(made, names)
    covariates = {POSITION: position(len(first))} if ordered else {}
    by = (None, len(first)) if blocks is None else _numbered(blocks)
    return _fit_choices(made, len(names), covariates, *by)


def _fit_choices(
    made: Choices,
    k: int,
    covariates: dict[str, Columns],
    place: np.ndarray | None,
    blocks: int,
) -> BattleFit:
    if blocks < 2:
        raise InferenceError("All battles are in one cluster, and nothing shows how they vary.")
    ties = bool((made.outcome == 0).any())
    for name, columns in covariates.items():
        check_varies(name, columns, made.first * k + made.second)
    plan = planned(made.first, made.second, k, covariates, ties=ties)
    if covariates:
        check_told_apart(plan, k)
    try:
        fitted = fit(plan.design, plan.kind, made.outcome)
    except Endless as error:
        raise Endless(
            error.beta,
            f"The covariate {_worst(plan, error.beta)} has no finite effect: with it, it is "
            "certain who is chosen. Leave it out of --covariates (covariates=).",
        ) from None
    return BattleFit(fitted, plan, covariates, place, blocks, k)


def _worst(plan: Plan, beta: np.ndarray) -> str:
    """The covariate whose effect grew the most, and where."""
    if not len(plan.rows):
        return f"'{POSITION}'"
    term = plan.terms[int(np.abs(plan.rows @ beta).argmax())]
    alone = term.covariate in (POSITION, term.term)
    return f"'{term.covariate}'" + ("" if alone else f" (at '{term.term}')")


def _blocks(layout: Layout, made: Choices) -> tuple[np.ndarray | None, int]:
    """The block of every choice, and how many; None where each choice is its own."""
    if layout.items.clusters is not None:
        return _numbered(np.asarray(layout.items.clusters)[made.row])
    one_each = bool((np.diff(made.row) > 0).all())
    return (None, len(made.row)) if one_each else _numbered(made.row)


def _numbered(blocks: np.ndarray) -> tuple[np.ndarray, int]:
    place, names = pd.factorize(np.asarray(blocks))
    return place, len(names)


# -- what covariates came to -----------------------------------------------------------------------


@lru_cache(maxsize=4)
def effects(layout: Layout, alpha: float) -> Effects | None:
    """Effects of the covariates with their tests; None where there are none."""
    fit = battle_fit(layout)
    if not fit.covariates:
        return None
    plain = unadjusted_fit(layout)
    names = layout.algorithms
    return Effects(
        names=tuple(fit.covariates),
        terms=_terms(fit, alpha),
        tests=_tests(fit),
        strengths=dict(zip(names, fit.values.tolist(), strict=True)),
        unadjusted=dict(zip(names, plain.values.tolist(), strict=True)),
        blocks=fit.blocks,
        asked=layout.choices.adjusted_for is not None,
    )


def _terms(result: BattleFit, alpha: float) -> pd.DataFrame:
    rows = result.plan.rows
    estimate = rows @ result.fitted.beta
    error = np.sqrt(np.maximum(((rows @ result.full) * rows).sum(axis=1), 0.0))
    t = np.divide(estimate, error, out=np.full(len(error), np.nan), where=error > 0)
    p = 2 * tails.t_sf(np.abs(t), result.df)
    reach = float(tails.t_isf(alpha / 2, result.df)) * error
    adjusted = np.where(np.isnan(p), np.nan, holm(np.nan_to_num(p, nan=1.0)))
    return pd.DataFrame([term._asdict() for term in result.plan.terms]).assign(
        estimate=estimate,
        standard_error=error,
        lower=estimate - reach,
        upper=estimate + reach,
        statistic=t,
        df=result.df,
        p=p,
        p_adjusted=adjusted,
    )


def _tests(result: BattleFit) -> pd.DataFrame:
    """Of every covariate of several parameters: are all 0; of groups: are strengths alike."""
    rows = []
    owner = np.array(result.plan.owner)
    odds = np.asarray(abs(result.plan.design.odds).sum(axis=0)).ravel() > 0
    full = result.full
    for name, columns in result.covariates.items():
        for about, part in ((columns.terms[0].about, odds), (TIES, ~odds)):
            places = np.flatnonzero((owner == name) & part)
            if not len(places) or (len(places) == 1 and columns.level is None):
                continue
            tested = _tested(result, len(places)) and joint_f(
                result.fitted.beta[places], full[np.ix_(places, places)], result.blocks
            )
            rows.append(_row(name, about, len(places), tested))
        if columns.level is not None:
            rows.append(_strengths_alike(result, name, columns))
    return pd.DataFrame(rows, columns=["covariate", "about", "statistic", "df", "df2", "p"])


def _tested(result: BattleFit, q: int) -> bool:
    """Whether there are blocks enough to test so many parameters at once."""
    return q * SHARE_OF_BLOCKS <= result.blocks


def _row(name: str, about: str, q: int, results: tuple[float, int, int] | bool) -> Row:
    if not isinstance(results, tuple):
        return (name, about, np.nan, q, np.nan, np.nan)
    return (name, about, results[0], results[1], results[2], f_p(results))


def _strengths_alike(result: BattleFit, name: str, columns: Columns) -> Row:
    """Whether strengths depend on the group: by a score test, which fits none of them."""
    from scipy import sparse  # only where there are choices

    levels, k = len(columns.levels), result.k
    q = (levels - 1) * (k - 1)
    if not _tested(result, q) or columns.level is None or result.crossed:
        return _row(name, STRENGTHS, q, False)
    kinds = result.plan.design.odds.shape[0]
    level = np.zeros(kinds, np.int64)
    level[result.plan.kind] = columns.level
    strengths = result.plan.design.odds[:, :k]
    more = sparse.hstack([
        strengths[:, : k - 1].multiply((level == g)[:, None]) for g in range(levels - 1)
    ]).tocsr()  # fmt: skip
    return _row(name, STRENGTHS, q, score_f(result.fitted, more, result.blocks_of(), result.blocks))
