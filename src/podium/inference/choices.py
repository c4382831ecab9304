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
import pandas as pd

from podium.errors import InferenceError
from podium.facts import CAUTION, REMARK, Note
from podium.inference import tails
from podium.inference.estimates import Estimates
from podium.inference.layouts import Layout
from podium.inference.mean_tests import PAIRED_T
from podium.inference.preferences import FIRST, Strengths, battles, fitted, rankings, strengths
from podium.inference.procedure import APPROXIMATE, INDEPENDENT, Cited, legal_pairs
from podium.targets import CHOICE

FEW_BLOCKS = 10


def log_strengths(layout: Layout) -> Estimates:
    """Log-strengths with the covariance of blocks, t with one df per block less one."""
    found = _fitted(layout)
    return Estimates(found.values, found.covariance, df=float(found.df), in_units=True)


@lru_cache(maxsize=4)  # the estimate and what is said of it need the same fit
def _fitted(layout: Layout) -> Strengths:
    try:
        return _of_two(layout) if _is_of_two(layout) else _of_rankings(layout)
    except np.linalg.LinAlgError:
        raise InferenceError(
            "These choices do not tell all strengths apart: compare fewer algorithms."
        ) from None


@lru_cache(maxsize=4)
def _is_of_two(layout: Layout) -> bool:
    return bool((np.isfinite(layout.values) @ np.ones(len(layout.algorithms)) == 2).all())


def _of_rankings(layout: Layout) -> Strengths:
    """Every block is a ranking of those that it has."""
    choices, rows = rankings(layout.values)
    blocks = rows if layout.clusters is None else layout.clusters[rows]
    return strengths(choices, layout.algorithms, blocks)


def _of_two(layout: Layout) -> Strengths:
    """Every block is a choice of one of two, or a tie."""
    first, second = _shown(layout)
    rows = np.arange(len(first))
    outcome = np.sign(layout.values[rows, first] - layout.values[rows, second]).astype(int)
    kinds, kind = battles(first, second, outcome, len(layout.algorithms))
    ordered = layout.shown_first is not None and _both_ways(first, second)
    return fitted(kinds, kind, layout.algorithms, layout.clusters, ordered=ordered)


def _shown(layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """The two of every choice, whoever was shown first in front where that is known."""
    first, second = (
        (np.flatnonzero(np.isfinite(layout.values)) % len(layout.algorithms)).reshape(-1, 2).T
    )
    if layout.shown_first is None:
        return first, second
    code, names = pd.factorize(np.asarray(layout.shown_first))  # many battles have few names
    turned = second == pd.Index(layout.algorithms).get_indexer(names)[code]
    return np.where(turned, second, first), np.where(turned, first, second)


def _both_ways(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether some two met in both orders: else strength and place cannot be told apart."""
    k = int(max(first.max(), second.max())) + 1
    met = np.bincount(first * k + second, minlength=k * k).reshape(k, k) > 0
    return bool((met & met.T).any())


def about_choices(layout: Layout, procedure: Any, request: Any) -> Iterator[Note]:
    """What blocks there were, and whether it matters who is shown first."""
    found = _fitted(layout)
    said = layout.clusters is not None or not _is_of_two(layout)
    yield Note("choices", REMARK, blocks=found.blocks, said=said, choices=len(layout.values))
    if found.blocks < FEW_BLOCKS:
        yield Note("few-choice-blocks", CAUTION, blocks=found.blocks)
    if FIRST in found.effects:
        effect, error = found.effects[FIRST]
        p = 2 * float(tails.t_sf(abs(effect) / error, found.df))
        matters = p <= request.alpha
        yield Note("position", CAUTION if matters else REMARK, effect=effect, error=error, p=p)


BRADLEY_TERRY = replace(
    PAIRED_T,
    name="bradley-terry",
    title="Bradley-Terry model with Davidson's ties, errors by blocks",
    words="the Bradley-Terry model with Davidson's ties, with standard errors that allow for "
    "dependent choices within blocks",
    estimate=log_strengths,
    hypothesis="two algorithms are equally strong",
    null="strengths explain who is chosen, blocks of choices are independent, and there are many",
    controls=APPROXIMATE,
    references=(
        Cited("Bradley, Terry (1952)"),
        Cited("Davidson (1970)"),
        Cited("Liang, Zeger (1986)", ", errors by blocks"),
    ),
    legal=legal_pairs(CHOICE),
    gaps=True,
    strengths=True,
    best_by_pairs=True,
    of="log-strength",
    cautions=about_choices,
)
PLACKETT_LUCE = replace(
    BRADLEY_TERRY,
    name="plackett-luce",
    title="Plackett-Luce model of rankings within blocks, errors by blocks",
    words="the Plackett-Luce model of rankings within blocks, with standard errors by blocks",
    hypothesis="two algorithms are equally strong in rankings within blocks",
    null="strengths explain the ranking in a block, blocks are independent, and there are many",
    references=(
        Cited("Plackett (1975)"),
        Cited("Turner, van Etten, Firth, Kosmidis (2020)", ", ties"),
        Cited("Liang, Zeger (1986)", ", errors by blocks"),
    ),
    legal=INDEPENDENT,
    clusters=False,
)
PROCEDURES = (BRADLEY_TERRY, PLACKETT_LUCE)
