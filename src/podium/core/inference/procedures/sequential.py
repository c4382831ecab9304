"""Layouts of studies that may stop, and the procedures that judge them.

The blocks of such a layout are all that the budget has, in their order; those that were not run are
missing. Which looks were taken, and what each pair used, follows from the plan and the scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from podium.core.inference.bricks import estimates as est
from podium.core.inference.bricks.adjustments import pair_level
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.nulls import largest
from podium.core.inference.bricks.quantities import MEAN, Quantity, gives
from podium.core.inference.bricks.scales import ranked
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.boundaries import (
    HULL,
    RACE,
    RANKS,
    SPENDINGS,
    StoppingPlan,
    T,
    boundaries,
)
from podium.core.inference.procedures.procedure import (
    ADJUST,
    APPROXIMATE,
    DATASETS,
    EQUAL_MEANS,
    INDEPENDENT,
    Cited,
    DefaultNull,
    Judge,
    Needs,
    Procedure,
    Procedures,
)
from podium.core.inference.procedures.stopping import Evidence, Trace, prefixes_of, traced
from podium.core.questions.targets import BLOCKS, DATASET, ITEM
from podium.core.words.facts import REMARK, Course, Note, Sequential

# -- the course of a study that may stop ----------------------------------------------------------
# How strong the evidence was at every look.
#
# Of an order there is a course of every pair, of a race one of every algorithm: how much speaks
# for another one being better. Evidence is a normal quantile that the boundaries are held
# against or, without a budget, the power of ten by which bets against equality have grown.


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


# -- procedures -----------------------------------------------------------------------------------


PROCEDURES = Procedures()


def trace_of(layout: Layout) -> Trace:
    """What the looks of a layout's plan found."""
    assert layout.stopped.plan is not None
    assert layout.stopped.finished is not None
    return traced(layout.values, layout.stopped.finished, layout.stopped.plan)


def used_prefix(layout: Layout) -> Layout:
    """The layout up to the last look: what came later was not looked at."""
    return replace(layout, values=layout.values[: max(trace_of(layout).stopped_at, 1)])


def last_blocks(layout: Layout) -> dict[Pair, int]:
    """Up to which block every pair was looked at; 0 where it was at none."""
    trace = trace_of(layout)
    ends = (0, *trace.looks)
    return {p: ends[n] for p, n in zip(trace.plan.pairs, trace.used.tolist(), strict=True)}


@gives(MEAN)
def _judge(layout: Layout, request: Any) -> Evidence:
    trace = trace_of(layout)
    place = {pair: i for i, pair in enumerate(trace.plan.pairs)}
    used = np.array([trace.used[place[min(p), max(p)]] for p in request.pairs])
    looks = trace.looks or trace.plan.looks[:1]
    prefixes = prefixes_of(layout.values, request.pairs, looks, trace.plan)
    return Evidence(trace.plan, prefixes, looks, used)


@gives(Quantity(ranks=True))
def _judge_ranks(layout: Layout, request: Any) -> Evidence:
    """The same of a layout that has been ranked."""
    return _judge(layout, request)


class _Unordered(Evidence):
    """Of a race: it claims who may be the best, and no order, so that pairs have no p-values."""

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """A race decides no pair, so that none has a p-value."""
        return np.full(len(self.used), np.nan)

    def limits(self, alpha: float, two_sided: bool) -> tuple[np.ndarray, np.ndarray]:
        """None: no pair is decided."""
        nothing = np.full(len(self.used), np.nan)
        return nothing, nothing


@gives(MEAN)
def _raced(layout: Layout, request: Any) -> Evidence:
    made = _judge(layout, request)
    return _Unordered(made.plan, made.prefixes, made.looks, made.used)


SEQUENTIAL = PROCEDURES.new(
    Procedure(
        "sequential-t",
        "group-sequential paired t test of each pair",
        est.means,
        largest,
        "sidak",
        "two algorithms have equal means",
        EQUAL_MEANS,
        APPROXIMATE,
        (Cited("Lan, DeMets (1983)"), Cited("Šidák (1967)", of=ADJUST)),
        INDEPENDENT,
        pairwise=True,
        words="group-sequential paired t tests with error spending",
        judge=Judge(test=_judge),
        needs=Needs(stops=True, margins=True, gaps=True),
        nulls=DefaultNull(default="asymptotic"),
    )
)
BY_HULL = PROCEDURES.like(
    SEQUENTIAL,
    name="sequential-hull",
    title="group-sequential t and Hall's t test of each pair, both",
    legal=DATASETS,
    references=(*SEQUENTIAL.references, Cited("Hall (1992)")),
    words="group-sequential paired t and skewness-corrected t tests with error spending",
)
BY_RANKS = PROCEDURES.like(
    SEQUENTIAL,
    name="sequential-ranks",
    title="group-sequential moderated t test of ranks of each pair; of two the sign test",
    hypothesis="two algorithms have equal mean ranks among these",
    null="equal mean ranks (3 to 6 % over 18 looks at up to 30 data sets)",
    legal=DATASETS,
    criterion=ranked,
    words="group-sequential tests of ranks within data sets with error spending",
    needs=replace(SEQUENTIAL.needs, margins=False),
    judge=replace(SEQUENTIAL.judge, test=_judge_ranks),
)
ANYTIME = PROCEDURES.like(
    SEQUENTIAL,
    name="anytime",
    title="e-process of each pair, valid at any time",
    references=(Cited("Lai (1976)"), Cited("Waudby-Smith, Ramdas (2024)")),
    words="e-processes, which may be looked at any time",
)
RACED = PROCEDURES.like(
    SEQUENTIAL,
    name="race",
    title="race with group-sequential paired t tests",
    words="a race by group-sequential paired t tests with error spending",
    judge=replace(SEQUENTIAL.judge, test=_raced),
)


BY_TEST = {HULL: BY_HULL, RANKS: BY_RANKS}


def procedure_of(plan: StoppingPlan) -> Procedure:
    """The procedure that a plan asks for."""
    if plan.goal == RACE:
        return RACED
    if plan.test in BY_TEST:
        return BY_TEST[plan.test]
    return ANYTIME if plan.open else SEQUENTIAL


def sequential_facts(layout: Layout) -> Sequential | None:
    """The plan and what came of it, of a study that may stop."""
    if layout.stopped.plan is None:
        return None
    plan, trace = layout.stopped.plan, trace_of(layout)
    names = plan.algorithms
    out = {names[i]: trace.looks[k] for i, k in enumerate(trace.out.tolist()) if k >= 0}
    ran = (
        layout.stopped.finished.sum(axis=0).tolist() if layout.stopped.finished is not None else []
    )
    facts = Sequential(
        goal=plan.goal,
        budget=plan.budget,
        stopped_at=trace.stopped_at,
        looks=plan.looks,
        taken=len(trace.looks),
        spending=None if plan.open else SPENDINGS[plan.spending].name,
        alpha=plan.alpha,
        relevance=plan.relevance,
        open=plan.open,
        boundaries=None,
        over=trace.is_over,
        remaining=tuple(n for n in names if n not in out),
        out=out,
        used=dict(zip(names, ran, strict=True)),
        level=_level(plan),
        courses=courses(layout, trace),
    )
    return facts if plan.open else replace(facts, boundaries=edges_at(facts, facts.level))


def stopping_notes(layout: Layout, sequential: Sequential | None) -> Iterator[Note]:
    """What a reader must know of a study that may stop."""
    if sequential is None:
        return
    facts = {
        "budget": sequential.budget,
        "looks": len(sequential.looks),
        "taken": sequential.taken,
        "spending": sequential.spending,
        "stopped_at": sequential.stopped_at,
        "alpha": sequential.alpha,
        "open": sequential.open,
        "over": sequential.over,
        "noun": "clusters" if layout.items.of_clusters else BLOCKS[layout.block].noun,
    }
    if sequential.goal == RACE:
        yield Note(
            "raced",
            REMARK,
            **facts,
            remaining=sequential.remaining,
            algorithms=len(sequential.used),
        )
    else:
        yield Note("stopped", REMARK, **facts)
        if not sequential.relevance:
            yield Note("no-relevance", REMARK, open=sequential.open)
    if sequential.open:
        yield Note("bets", REMARK, kind=_kind(layout.stopped.plan))
    if not sequential.over and layout.block == ITEM:
        yield Note("not-yet", REMARK, next=_next(layout), noun=facts["noun"])
    elif sequential.taken and not sequential.over and not sequential.open:
        yield Note("look-by-hand", **{k: facts[k] for k in ("stopped_at", "budget", "noun")})
    if layout.block == DATASET:
        yield Note("stopped-skewed", test=layout.stopped.plan.test if layout.stopped.plan else T)


def _kind(plan: StoppingPlan | None) -> str:
    """What bets against equality are about."""
    assert plan is not None
    if plan.bounds is None:
        return "t"
    return "discordant" if plan.binary else "bounded"


def _next(layout: Layout) -> int | None:
    """How many blocks the next look needs; None where any number will do."""
    trace = trace_of(layout)
    return None if trace.plan.open else trace.next_look


def _level(plan: StoppingPlan) -> float:
    """At which a pair alone, or an algorithm of a race, is judged."""
    if plan.goal == RACE:
        return plan.alpha / (len(plan.algorithms) - 1)
    return pair_level(plan.alpha, len(plan.pairs))


def edges_at(sequential: Sequential, level: float) -> tuple[float, ...]:
    """The |z| (of a race: z) at which a pair alone is decided at each look."""
    assert sequential.spending is not None
    two_sided = sequential.goal != RACE
    return tuple(
        boundaries(
            sequential.looks, sequential.budget, level, sequential.spending, two_sided
        ).tolist()
    )
