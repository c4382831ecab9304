"""Looks, boundaries and bets of plans of every kind, on small studies: kept numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from layouts_made import made
from snapshots import assert_kept
from stops_varied import LOOKS, PLANS, scores
from summaries import summary

from podium.core.inference.comparing.compare import compare
from podium.core.inference.layouts import Stopped
from podium.core.inference.numbers import boundaries as anytime
from podium.core.inference.numbers.boundaries import ORDER, RACE, StoppingPlan
from podium.core.inference.procedures.procedure import Options
from podium.core.inference.procedures.sequential import edges_at, procedure_of, sequential_facts
from podium.core.inference.procedures.stopping import Evidence, prefixes_of, traced
from podium.errors import PodiumError

pytestmark = pytest.mark.numbers


def found(plan: StoppingPlan, values: np.ndarray, done: int) -> dict[str, Any]:
    """The trace of a study of which so many blocks are done, its evidence, and its comparison."""
    finished = np.zeros(values.shape, bool)
    finished[:done] = True
    finished[done : done + 4, 0] = True
    values = np.where(finished, values, np.nan)
    trace = traced(values, finished, plan)
    result: dict[str, Any] = {
        "trace": [trace.looks, trace.used, trace.decided, trace.out, trace.open, trace.next_look],
        "stopped": [trace.stopped_at, trace.is_over],
    }
    if trace.looks:
        prefixes = prefixes_of(values, plan.pairs, trace.looks, plan)
        evidence = Evidence(plan, prefixes, trace.looks, trace.used)
        null = np.full(len(plan.pairs), 0.1)
        result["p"] = [evidence.p(null * (turn != 0), turn) for turn in (0, 1, -1)]
        result["limits"] = [evidence.limits(0.1, two_sided) for two_sided in (True, False)]
    block = "dataset" if plan.few else "resample"
    layout = made(values, block=block, measure="accuracy", stopped=Stopped(plan, finished))
    facts = sequential_facts(layout)
    assert facts is not None
    result["facts"] = facts.to_dict()
    result["edges"] = None if plan.open else edges_at(facts, 0.02)
    try:
        result["compared"] = summary(compare(layout, Options(procedure_of(plan))))
    except PodiumError as error:
        result["compared"] = error
    return result


@pytest.mark.parametrize("name", list(PLANS))
def test_plans_of_every_kind(name: str) -> None:
    results = {}
    for k, gap, done in ((3, 0.25, 40), (2, 0.0, 26), (3, 0.1, 5)):
        if k == 2 and PLANS[name].get("relevance") == 0.2:
            continue
        plan = StoppingPlan(tuple("abc"[:k]), "accuracy", 40, LOOKS, **PLANS[name])
        results[f"{k} with {done} done"] = found(plan, scores(k, gap), done)
    assert_kept("inference", "stopping", results, case=name, relative=1e-6)


def test_boundaries_levels_and_bets() -> None:
    rng = np.random.default_rng(2)
    x, steps = rng.uniform(size=14), np.arange(1, 6)
    x[4] = np.nan
    right = rng.random((40, 3)) < [0.5, 0.7, 0.9]
    plan = StoppingPlan(tuple("abc"), "accuracy", 40, LOOKS, open=True, bounds=(0, 1), binary=True)
    p = np.array([[0.2, 0.001, np.nan], [0.03, 0.0001, 0.5], [0.02, 0.9, 1.0], [1e-9, 0.04, 0.3]])
    results = {
        spending: {
            str(two_sided): [
                anytime.boundaries(LOOKS, 50, 0.05, spending, two_sided),
                anytime.boundaries((2, 30, 31), 31, 0.2, spending, two_sided),
                anytime.stopping_levels(p, LOOKS, 40, spending, two_sided),
                anytime.rejections(LOOKS, 40, np.array([3.5, 2.8, 2.3, 2.0]), 0.4, two_sided),
            ]
            for two_sided in (True, False)
        }
        for spending in ("obf", "power2")
    }
    results["capital"] = {
        "t": anytime.t_mixture(np.array([0.0, 1.0, 2.5, 4.0, 9.0]), steps, 0.04),
        "reach": anytime.t_mixture_reach(10 * steps, 0.04, 0.05),
        "reach of few": anytime.t_mixture_reach(steps, 1.0, 0.05),
        "mcnemar": anytime.e_mcnemar(np.arange(6), np.array([0, 3, 2, 0, 9, 1])),
        "bets": anytime.bets(x, np.array([0.0, 0.2, 0.5, 1.0]), 0.05)[[0, 5, -1]],
        "above": [anytime.bet_above(x, m, 0.01) for m in (0.1, 0.5, 0.9)],
        "limits": [anytime.betting_limits(x, a, t) for a, t in ((0.05, None), (0.3, 0.1))],
        "looks": [
            anytime.planned_looks(budget, count, few, open)
            for budget, count in ((200, 20), (30, 4), (7, 3), (2000, 7))
            for few in (True, False)
            for open in (True, False)
        ],
        "usual": [
            anytime.usual_test(few, goal, open, relevance)
            for few in (True, False)
            for goal in (ORDER, RACE)
            for open in (True, False)
            for relevance in (0.0, 0.1)
        ],
        "items": found(plan, right.astype(float), 40),
        "kinds": StoppingPlan(("a", "b"), "error", 40, LOOKS, relevance=0.1).kinds(),
    }
    assert_kept("inference", "boundaries", results, relative=1e-6)
