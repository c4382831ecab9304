"""Until when a study runs: the rule that is handed to the driver.

The driver asks, between stages, which runs the next look needs. The answer follows from the plan
and the scores that the store has, so that it is the same on every backend and after every kill.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from podium.core.base.errors import DesignError, StoreError
from podium.core.base.options import takes
from podium.core.inference.numbers.boundaries import (
    OBF,
    ORDER,
    RACE,
    SPENDINGS,
    StoppingPlan,
    planned_looks,
    usual_test,
)
from podium.core.inference.procedures.sequential import trace_of
from podium.core.inference.procedures.stopping import stopped_layout
from podium.core.questions.measures import TIMES
from podium.core.questions.targets import BLOCKS, FOLD, SAMPLE, claim
from podium.core.samplings import Sampling, renamed
from podium.reading.formats.stores import read_store
from podium.reading.store import Store, is_blank
from podium.running.design.study import Run, Study

LOOKS = 20
OF_BUDGET = ("budget", "looks")  # which a study without one may raise
CHANGED = ("algorithms", "measure", "goal", "alpha", "relevance", "spending", "open", "test",
           *OF_BUDGET)  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """What is asked for: when to stop. `until_decided` and `until_best` make one."""

    goal: str = ORDER
    alpha: float = 0.05
    relevance: float = 0.0
    spending: str = OBF.name
    looks: int = LOOKS
    open: bool = False
    measure: str | None = None
    test: str | None = None  # None: the usual one of the blocks

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"

    def plan(self, study: Study) -> StoppingPlan:
        """The plan for a study; its number of samples, or of data sets, is the budget."""
        SPENDINGS[self.spending]
        check_blocks(len(study.algorithms), len(study.datasets), renamed(study.sampling))
        few = len(study.datasets) > 1
        budget = len(study.datasets) if few else _budget(study)
        usual = usual_test(few, self.goal, self.open, self.relevance)
        return StoppingPlan(
            tuple(a.name for a in study.algorithms),
            _measure(study, self.measure),
            budget,
            planned_looks(budget, self.looks, few, self.open),
            self.goal,
            self.spending,
            self.alpha,
            self.relevance,
            self.open,
            few,
            test=self.test or usual,
        )


@takes("measure", "alpha", "relevance", "stopping")
def until_decided(*, test: str | None = None, **options: Any) -> Rule:
    """Stop when every pair is decided, or the budget is used: `run(study, store, until=...)`.

    Pairs that differ by less than `relevance` are decided, too: they are equivalent. `alpha` is the
    error over all looks and pairs.

    Parameters
    ----------
    test : str | None
        Of data sets: ranks, hull (means, also where differences are skewed) or t; without it ranks,
        or hull where a relevance is given, which is an amount.

    Returns
    -------
    Rule
        What `run` takes as `until`.
    """
    return Rule(ORDER, test=test, **options)


@takes("measure", "alpha", "spending", "looks")
def until_best(**options: Any) -> Rule:
    """Drop algorithms that are worse than another, until one is left or the budget is used.

    `alpha` is the chance to lose the best.

    Returns
    -------
    Rule
        What `run` takes as `until`.
    """
    return Rule(RACE, **options)


def _measure(study: Study, name: str | None) -> str:
    known = [m.name for m in study.measures if m.name not in TIMES]
    if not known or name in TIMES:
        raise DesignError("Times depend on the machine, and decide no study: choose a measure.")
    if name is None and len(known) > 1:
        raise DesignError(
            f"The study has {len(known)} measures ({', '.join(known)}): name the one that "
            f"decides, as in --measure {shlex.quote(known[0])} (measure=)."
        )
    if name is not None and name not in known:
        raise DesignError(f"The study has no measure '{name}'; it has {', '.join(known)}.")
    return name or known[0]


def check_blocks(algorithms: int, datasets: int, sampling: Sampling) -> None:
    """Refuse blocks that are not independent given the target: more of them are no more to know."""
    if algorithms < 2:
        raise DesignError("A study of one algorithm has nothing to decide.")
    if datasets > 1:
        return
    block, kind = sampling.block, sampling.kind
    repeats = kind.sizes.repeats(sampling) if kind.sizes.repeats is not None else None
    if block == FOLD and repeats and repeats > 1 and not kind.claims.default:
        return  # whole repetitions are blocks
    target = BLOCKS[block].target
    if (
        kind.claims.default
        or kind.claims.no_test
        or sampling.independent
        or not claim(block, target).plain
    ):
        raise DesignError(
            f"A study by '{sampling}' cannot stop early: its {BLOCKS[block].noun} are not "
            "independent samples for all algorithms. Draw bootstrap, subsampling or simulation "
            f"samples, or repetitions of a cross-validation; target '{SAMPLE}'."
        )


def _budget(study: Study) -> int:
    samples = study.samples(study.datasets[0])
    folds = study.sampling.folds_per_repeat
    return samples // folds if folds else samples


# -- what the driver asks ------------------------------------------------------------------------


@dataclass(frozen=True)
class Stage:
    """The runs that the next look needs.

    A run that failed before a look is missing in that look, and stays so: tried again, it would
    change what was seen.
    """

    algorithms: frozenset[str]
    datasets: frozenset[str]
    samples: range  # those that no look has used

    def needs(self, run: Run) -> bool:
        """Whether it needs this one."""
        wanted = run.algorithm in self.algorithms and run.dataset in self.datasets
        return wanted and run.sample in self.samples


@dataclass(frozen=True)
class Until:
    """A plan for a study, for the driver."""

    study: Study
    plan: StoppingPlan

    def facts(self) -> dict[str, Any]:
        """What the store keeps, before the first look."""
        return self.plan.to_dict()

    def stage(self, path: str | Path) -> Stage | None:
        """What the next look needs; nothing where all is decided, or the budget used."""
        results = read_store(path)
        made = stopped_layout(replace(results, stopping=self.facts()))
        trace = trace_of(made)
        if trace.next_look is None:
            return None
        names = np.array(self.plan.algorithms)[trace.open]
        datasets = [d.name for d in self.study.datasets]
        last = trace.looks[-1] if trace.looks else 0
        if self.plan.few:
            datasets = datasets[last : trace.next_look]
            samples = range(1, max(self.study.samples(d) for d in self.study.datasets) + 1)
        else:
            each = self.study.sampling.folds_per_repeat or 1
            samples = range(last * each + 1, trace.next_look * each + 1)
        return Stage(frozenset(names.tolist()), frozenset(datasets), samples)


RULES = {"decided": until_decided, "best": until_best}  # by what `until=` may say in a word


def _rule(rule: Rule | str | None) -> Rule | None:
    if not isinstance(rule, str):
        return rule
    if rule not in RULES:
        raise DesignError(f"until= takes 'decided', 'best' or a rule, not {rule!r}.")
    return RULES[rule]()


def until(
    study: Study, rule: Rule | str | None, path: str | Path, shard: object = None
) -> Until | None:
    """The plan that a store has, or the one that is asked for; None where there is neither."""
    rule = _rule(rule)
    kept, begun = _kept(path)
    if kept is None and not begun:
        rule = rule or planned_rule(study)
    if rule is None and kept is None:
        return None
    if shard is not None:
        raise DesignError("A study that may stop is one store, without shards: leave out --shard.")
    request = None if rule is None else rule.plan(study)
    if kept is None:
        assert request is not None
        if begun:
            raise StoreError(
                f"The store '{path}' has scores already, which may have been looked at: a plan "
                "comes before the first score. Choose another store."
            )
        return Until(study, request)
    planned = StoppingPlan.of(kept)
    if request is None:
        return Until(study, _unchanged(study, planned, path))
    for name in CHANGED:
        old, new = getattr(planned, name), getattr(request, name)
        if old != new and not (name in OF_BUDGET and planned.open):
            raise _changed(path, name, old, new)
    return Until(study, request if planned.open else planned)


def _changed(path: str | Path, name: str, old: object, new: object) -> StoreError:
    was, now = (_message(value) for value in (old, new))
    return StoreError(
        f"The store '{path}' was planned with {name} {was}, not {now}: a plan does not "
        "change after a look. Leave it as it was, or choose another store."
    )


def _message(value: Any) -> str:
    """Of looks, which are many, the first few."""
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join(map(str, value)) if isinstance(value[0], str) else f"{len(value)} of them"


def planned_rule(study: Study) -> Rule | None:
    """The rule of a study's own plan of analysis, where it has one."""
    plan = study.analysis
    if plan is None or plan.sequential is None:
        return None
    own = {"goal": ORDER, "spending": OBF.name, "looks": LOOKS, "open": False, **plan.sequential}
    return Rule(alpha=plan.alpha, relevance=plan.relevance, measure=plan.measure, **own)


def _unchanged(study: Study, planned: StoppingPlan, path: str | Path) -> StoppingPlan:
    """The plan of a store, where the study is still the one that it was made for."""
    now = Rule(goal=planned.goal, open=planned.open, measure=planned.measure).plan(study)
    for name in ("algorithms", "budget"):
        old, new = getattr(planned, name), getattr(now, name)
        if old != new and not (name in OF_BUDGET and planned.open):
            raise _changed(path, name, old, new)
    if not planned.open:
        return planned
    return replace(planned, budget=now.budget, looks=now.looks)


def _kept(path: str | Path) -> tuple[Mapping[str, Any] | None, bool]:
    """The plan of a store, and whether it has scores."""
    if is_blank(path):
        return None, False
    with Store(path, readonly=True) as store:
        plans = [d.get("stopping") for d in store.definitions()]
        known = [plan for plan in plans if plan]
        begun = bool(store.rows("SELECT 1 FROM runs WHERE failed = 0 LIMIT 1"))
    return (known[-1] if known else None), begun
