"""The course of a study that may stop: how strong the evidence was at every look.

Of an order there is a course of every pair, of a race one of every algorithm: how much speaks for
another one being better. Evidence is a normal quantile that the boundaries are held against or,
without a budget, the power of ten by which bets against equality have grown.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from podium.inference.layouts.layouts import Layout
from podium.inference.numbers.stopping_plan import RACE
from podium.inference.sequential.stopping import Evidence, Trace, prefixes_of
from podium.words.facts import Course

FARTHEST = 40.0  # beyond, a normal tail is no number


def courses(layout: Layout, trace: Trace) -> tuple[Course, ...]:
    """The evidence at the looks that were taken."""
    if not trace.looks:
        return ()
    prefixes = prefixes_of(layout.values, trace.plan.pairs, trace.looks, trace.plan)
    evidence = Evidence(trace.plan, prefixes, trace.looks, trace.used)
    return _of_race(trace, evidence) if trace.plan.goal == RACE else _of_pairs(trace, evidence)


def _of_pairs(trace: Trace, evidence: Evidence) -> tuple[Course, ...]:
    names, strength = trace.plan.algorithms, _strength(trace, evidence)
    return tuple(
        Course(
            names[a],
            names[b],
            trace.looks[used - 1] if used else 0,
            bool(trace.decided[i]),
            _plain(strength[:used, i]),
        )
        for i, ((a, b), used) in enumerate(zip(trace.plan.pairs, trace.used.tolist(), strict=True))
    )


def _strength(trace: Trace, evidence: Evidence) -> np.ndarray:
    """How much speaks for a difference beyond the relevance, or (below 0) for none: looks x pairs.

    With a relevance a difference within it speaks for two that are alike, as far as the weaker of
    two one-sided tests at its ends does.
    """
    mean, margin = evidence.prefixes.mean, trace.plan.relevance
    ends = [np.full(mean.shape[1], end) for end in (margin, -margin)]
    if trace.plan.open:
        beyond = [evidence.capitals(end, 0) / math.log(10) for end in ends]
        within = [
            evidence.capitals(e, t) / math.log(10) for e, t in zip(ends, (-1, 1), strict=True)
        ]
    else:
        beyond = [_quantile(evidence.prefixes.p(end, 0) / 2) for end in ends]
        within = [_quantile(evidence.prefixes.p(e, t)) for e, t in zip(ends, (-1, 1), strict=True)]
    alike = (margin > 0) & (np.abs(mean) <= margin)
    return np.where(alike, -np.maximum(np.minimum(*within), 0.0), np.where(mean >= 0, *beyond))


def _of_race(trace: Trace, evidence: Evidence) -> tuple[Course, ...]:
    first, second = np.array(trace.plan.pairs).T
    margin, looks = trace.plan.relevance, np.arange(len(trace.looks))[:, None]
    against = np.zeros((len(trace.looks), len(trace.plan.algorithms)))
    for turn, loser in ((1, second), (-1, first)):
        strength = _quantile(evidence.prefixes.p(np.full(len(first), turn * margin), turn))
        known = np.where((looks < trace.used) & ~np.isnan(strength), strength, 0.0)
        np.maximum.at(against.T, loser, known.T)
    used = np.where(trace.out < 0, len(trace.looks), trace.out + 1).tolist()
    return tuple(
        Course(name, "", trace.looks[n - 1], bool(trace.out[i] >= 0), _plain(against[:n, i]))
        for i, (name, n) in enumerate(zip(trace.plan.algorithms, used, strict=True))
    )


def _quantile(p: np.ndarray) -> np.ndarray:
    return np.minimum(-ndtri(np.maximum(p, 1e-300)), FARTHEST)


def _plain(strength: np.ndarray) -> tuple[float, ...]:
    """Nothing where nothing varies."""
    return tuple((np.nan_to_num(strength) + 0.0).tolist())
