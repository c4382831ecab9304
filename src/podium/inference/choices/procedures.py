"""Choices among algorithms as procedures: Bradley-Terry of battles, Plackett-Luce of rankings.

Estimates are log-strengths. The choices of one block (a prompt, a judge, a data set) depend on each
other, so that the only standard error is that of blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.bricks.estimates import Estimates
from podium.inference.choices.battle_fits import BattleFit, battle_fit, effects
from podium.inference.choices.covariates import FIXED, POSITION
from podium.inference.choices.new_judges import has_judges, new_judges
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers.preferences import Strengths, rankings, strengths
from podium.inference.procedures.mean_tests import PAIRED_T
from podium.inference.procedures.procedure import (
    APPROXIMATE,
    INDEPENDENT,
    Cited,
    Judge,
    legal_pairs,
)
from podium.questions.targets import CHOICE
from podium.words.facts import CAUTION, REMARK, Note

FEW_BLOCKS = 10
FEW_JUDGES = 5


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
    result = battle_fit(layout)
    if result.crossed:
        yield from _about_judges(layout, result)
    elif all(note.code != FIXED for note in layout.notes):
        by = result.place is not None
        yield Note("choices", REMARK, blocks=result.blocks, said=by, choices=len(layout.values))
        yield from _few(result.blocks)
    if result.refused_position:
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


BRADLEY_TERRY = replace(
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
        strengths=True,
        estimand="log-strength",
        cautions=about_choices,
    ),
)
PLACKETT_LUCE = replace(
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
