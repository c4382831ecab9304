"""Choices among algorithms as procedures: Bradley-Terry of battles, Plackett-Luce of rankings.

Estimates are log-strengths. The choices of one block (a prompt, a judge, a data set) depend on each
other, so that the only standard error is that of blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.estimates import Estimates
from podium.core.inference.bricks.quantities import LOG_STRENGTH, gives
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.preferences import Strengths, rankings, strengths
from podium.core.inference.numbers.tails import Ways
from podium.core.inference.procedures.battle_fits import (
    BattleFit,
    battle_fit,
    effects,
    prompts_and_judges,
)
from podium.core.inference.procedures.covariates import FIXED, POSITION
from podium.core.inference.procedures.mean_tests import PAIRED_T
from podium.core.inference.procedures.procedure import (
    APPROXIMATE,
    INDEPENDENT,
    Cited,
    Judge,
    derive,
    legal_pairs,
)
from podium.core.questions.targets import CHOICE
from podium.core.words.facts import CAUTION, REMARK, Note

# -- choices by several judges on several prompts -------------------------------------------------
# Strengths for new prompts and new judges.
#
# Errors by prompt alone take the judges for given: where judges differ in whom they prefer,
# equal models are told apart in 13 to 38 %. No single error holds for few and for many judges,
# so three ways must agree, and the most careful counts:
#
# 1. the sandwich of prompts, t with one df per prompt less one; 2. every judge's own strengths,
# by one Newton step from the common fit: a plain t over judges; 3. the sum of the sandwiches of
# prompts and of judges, df by Satterthwaite.
#
# The first alone forgets judges, the second prompts; without the third both fail where prompts
# and judges matter alike, and the third alone fails with two or three judges. Where prompts are
# not told, the sandwich of judges takes the place of the first and the third.


RIDGE = 0.001  # of a judge's usual information: who never saw two meet knows nothing of them
CHUNK = 2000  # judges at a time


def has_judges(layout: Layout) -> bool:
    """Whether judges are drawn anew, and there are several."""
    *_, judges = prompts_and_judges(layout).values() or ([],)
    return len(set(judges)) > 1


@dataclass(frozen=True, eq=False)
class NewJudges:
    """Contrasts of strengths by three ways; one entry per contrast."""

    fit: BattleFit
    contrasts: np.ndarray

    @property
    def difference(self) -> np.ndarray:
        """First less second, of the common fit."""
        return np.asarray(self.contrasts @ self.fit.values)

    @property
    def statistic(self) -> np.ndarray:
        """The least t of all ways, with the sign of the difference; NaN where nothing varies."""
        known = (self.ways.errors > 0).all(axis=0)
        errors = np.where(known, self.ways.errors, 1.0)
        size = np.abs(self.ways.estimates / errors).min(axis=0)
        return np.where(known, np.copysign(size, self.difference), np.nan)

    @property
    def remarks(self) -> list[str]:
        """Nothing is to be remarked about any pair."""
        return [""] * len(self.contrasts)

    @cached_property
    def ways(self) -> Ways:
        """Estimates, errors and df: of the first of both, of judges' own, of the sum."""
        counts = np.array([count for _, count in self.fit.crossed], float)
        by = np.array([self._variances(*each) for each in self.fit.crossed])
        own = self._own @ self.contrasts.T
        whole, parts = by.sum(axis=0), (by**2 / (counts[:, None] - 1)).sum(axis=0)
        at, judges = self.difference, counts[-1]
        df = np.divide(whole**2, parts, out=np.ones(len(at)), where=parts > 0)
        return Ways(
            np.array([at, own.mean(axis=0), at]),
            np.sqrt([by[0], own.var(axis=0, ddof=1) / judges, whole]),
            np.array([np.full(len(at), counts[0] - 1), np.full(len(at), judges - 1), df]),
        )

    def _variances(self, place: np.ndarray, count: int) -> np.ndarray:
        k = self.fit.k
        covariance = self.fit.sandwich(place, count)[:k, :k]
        return np.einsum("pi,ij,pj->p", self.contrasts, covariance, self.contrasts)

    @property
    def _own(self) -> np.ndarray:
        """Judges x strengths: each judge's own, with position and ties as in the common fit."""
        place, count = self.fit.crossed[-1]
        k = self.fit.k
        scores = self.fit.fitted.sums(place, count)[:, :k]
        whole = np.trace(self.fit.fitted.information[:k, :k]) - 1  # less what is loose
        usual = float(whole) / (k * count)
        parts = [
            _stepped(information, scores[start : start + CHUNK], usual)
            for start, information in self._informations(place, count)
        ]
        return np.asarray(self.fit.values + np.concatenate(parts))

    def _informations(self, place: np.ndarray, count: int) -> Iterator[tuple[int, np.ndarray]]:
        """Judges x strengths x strengths, some judges at a time."""
        k, design = self.fit.k, self.fit.fitted.design
        first, second = _sides(design.odds[:, :k])
        weight = self.fit.fitted.precision[self.fit.fitted.kind]
        i, j = first[self.fit.fitted.kind], second[self.fit.fitted.kind]
        for start in range(0, count, CHUNK):
            here = (place >= start) & (place < start + CHUNK)
            made = np.zeros((min(CHUNK, count - start), k, k))
            row, a, b, w = place[here] - start, i[here], j[here], weight[here]
            for one, other, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
                np.add.at(made, (row, one, other), sign * w)
            yield start, made

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """The largest of the three."""
        return self.ways.p(null, turn)

    def limits(self, alpha: float, two_sided: bool) -> tuple[np.ndarray, np.ndarray]:
        """The hull of the three."""
        return self.ways.limits(alpha, two_sided)

    def jointly(self, adjust: str, null: np.ndarray, turn: int) -> np.ndarray:
        """Nothing is known of all pairs at once."""
        raise AssertionError("joint adjustments are refused before")

    def bound(self, turn: int) -> np.ndarray:
        """There is no bound but 1."""
        return np.ones(len(self.contrasts))


def _stepped(information: np.ndarray, scores: np.ndarray, usual: float) -> np.ndarray:
    """Newton's step of every judge."""
    steady = information + RIDGE * usual * np.eye(information.shape[1])
    return np.asarray(np.linalg.solve(steady, scores[..., None])[..., 0])


def _sides(odds: Any) -> tuple[np.ndarray, np.ndarray]:
    """Of every kind of choice whose strength counts for, and whose against."""
    return np.asarray(odds.argmax(axis=1)).ravel(), np.asarray(odds.argmin(axis=1)).ravel()


@gives(LOG_STRENGTH)
def new_judges(layout: Layout, request: Any) -> NewJudges:
    """Of the contrasts that are asked for."""
    return NewJudges(battle_fit(layout), np.asarray(request.contrasts, float))


# -- procedures -----------------------------------------------------------------------------------


FEW_BLOCKS = 10
FEW_JUDGES = 5


@gives(LOG_STRENGTH)
def log_strengths(layout: Layout) -> Estimates:
    """Log-strengths from choices between two, t with one df per block less one."""
    try:
        result = battle_fit(layout)
        covariance = result.covariance
    except np.linalg.LinAlgError:
        raise InferenceError(
            "These battles do not separate all strengths: compare fewer algorithms."
        ) from None
    return Estimates(result.values, covariance, df=float(result.df), in_units=True)


@gives(LOG_STRENGTH)
def ranked_strengths(layout: Layout) -> Estimates:
    """The same from rankings: every block ranks those that it has."""
    result = _of_rankings(layout)
    return Estimates(result.values, result.covariance, df=float(result.df), in_units=True)


@lru_cache(maxsize=4)  # the estimate and what is said of it need the same fit
def _of_rankings(layout: Layout) -> Strengths:
    choices, rows = rankings(layout.values)
    blocks = rows if layout.items.clusters is None else layout.items.clusters[rows]
    try:
        return strengths(choices, layout.algorithms, blocks)
    except np.linalg.LinAlgError:
        raise InferenceError(
            "These battles do not separate all strengths: compare fewer algorithms."
        ) from None


def about_choices(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """What blocks there were, and whether it matters who is shown first."""
    fit = battle_fit(layout)
    if fit.crossed:
        yield from _about_judges(layout, fit)
    elif all(note.code != FIXED for note in layout.notes):
        by = fit.place is not None
        yield Note("choices", REMARK, blocks=fit.blocks, said=by, choices=len(layout.values))
        yield from _few(fit.blocks)
    if fit.refused_position:
        yield Note("position-left-out", CAUTION)
    covariates = effects(layout, request.alpha)
    if covariates is None:
        return
    for row in covariates.terms.itertuples():
        if row.covariate == POSITION:
            facts = {"effect": row.estimate, "error": row.standard_error, "p": row.p}
            yield Note("position", CAUTION if row.p <= request.alpha else REMARK, **facts)
    for row in covariates.tests.itertuples():
        if not row.p > request.alpha:  # too few blocks for a test are told, too
            facts = {"covariate": row.covariate, "about": row.about, "p": row.p}
            yield Note("covariate-matters", CAUTION, blocks=covariates.blocks, **facts)


def _about_judges(layout: Layout, result: BattleFit) -> Iterator[Note]:
    """How many prompts and judges there were, and whether these are enough."""
    *factors, judge = layout.crossed.factors
    *prompts, judges = (count for _, count in result.crossed)
    prompt = factors[0] if prompts else ""
    count = prompts[0] if prompts else 0
    yield Note("new-judges", REMARK, prompt=prompt, judge=judge, prompts=count, judges=judges)
    if judges <= FEW_JUDGES:
        yield Note("few-judges", CAUTION, prompt=prompt, judge=judge, judges=judges)
    if prompts and count < FEW_BLOCKS:
        yield Note("few-choice-blocks", CAUTION, blocks=count)


def about_rankings(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """What blocks there were."""
    blocks = _of_rankings(layout).blocks
    yield Note("choices", REMARK, blocks=blocks, said=True, choices=len(layout.values))
    yield from _few(blocks)


def _few(blocks: int) -> Iterator[Note]:
    if blocks < FEW_BLOCKS:
        yield Note("few-choice-blocks", CAUTION, blocks=blocks)


BRADLEY_TERRY = derive(
    PAIRED_T,
    name="bradley-terry",
    title="Bradley-Terry model with Davidson's ties, clustered errors",
    words="the Bradley-Terry model with Davidson's ties, with standard errors that allow for "
    "correlated battles of one cluster",
    estimate=log_strengths,
    hypothesis="two algorithms are equally strong",
    null="strengths explain who is chosen, clusters of battles are independent, and there are many",
    controls=APPROXIMATE,
    references=(
        Cited("Bradley, Terry (1952)"),
        Cited("Davidson (1970)"),
        Cited("Liang, Zeger (1986)", ", errors by blocks"),
    ),
    legal=legal_pairs(CHOICE) | INDEPENDENT,
    judge=Judge(test=new_judges, where=has_judges),
    needs=replace(PAIRED_T.needs, gaps=True, covariates=effects),
    reports=replace(
        PAIRED_T.reports,
        cautions=about_choices,
    ),
)
PLACKETT_LUCE = derive(
    BRADLEY_TERRY,
    name="plackett-luce",
    title="Plackett-Luce model of rankings, clustered errors",
    words="the Plackett-Luce model of rankings within blocks, with standard errors by blocks",
    hypothesis="two algorithms are equally strong in rankings within blocks",
    null="strengths explain the ranking in a block, blocks are independent, and there are many",
    references=(
        Cited("Plackett (1975)"),
        Cited("Turner, van Etten, Firth, Kosmidis (2020)", ", ties"),
        Cited("Liang, Zeger (1986)", ", errors by blocks"),
    ),
    estimate=ranked_strengths,
    legal=INDEPENDENT,
    judge=Judge(),
    needs=replace(BRADLEY_TERRY.needs, clusters=False, covariates=None),
    reports=replace(BRADLEY_TERRY.reports, cautions=about_rankings),
)
PROCEDURES = (BRADLEY_TERRY, PLACKETT_LUCE)
