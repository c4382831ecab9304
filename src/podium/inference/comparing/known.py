"""Procedures: the named tests, each a record of bricks and of what it may be used for.

They stand beside their estimates: tests within blocks in `block_tests.py`, `rank_tests.py` and
`mean_tests.py`, by halves of the rows in `halves.py`, of right and wrong answers in
`item_tests.py`, of choices in `choices.py`, of independent samples in `unpaired.py`, training sets
x items in `crossed.py`, training runs x items in `seeds.py`, items x conditions in `conditions.py`,
held-out items in `held_out.py`, series in `series.py`, samples within data sets in `survey.py`,
studies that may stop in `sequential.py`. Somebody else's is one `PROCEDURES.add(name, record)`.
Posteriors (`bayes.py`, `bayes_choices.py`) are a registry of their own: nobody gets one without
asking for it.
"""

from __future__ import annotations

from podium.base.registry import Registry
from podium.inference.choices import procedures as choices
from podium.inference.posteriors import of_choices as bayes_choices
from podium.inference.posteriors import procedures as bayes
from podium.inference.procedures import (
    block_tests,
    conditions,
    crossed,
    halves,
    held_out,
    item_tests,
    judged,
    mean_tests,
    rank_tests,
    seeds,
    series,
    survey,
    unpaired,
)
from podium.inference.procedures.procedure import Procedure
from podium.inference.sequential import procedures as sequential

PROCEDURES: Registry[Procedure] = Registry("procedure")
for _home in (
    rank_tests,
    mean_tests,
    block_tests,
    halves,
    item_tests,
    unpaired,
    conditions,
    crossed,
    seeds,
    held_out,
    series,
    survey,
    sequential,
):
    for _procedure in _home.PROCEDURES:
        PROCEDURES.add(_procedure.name, _procedure)


# of scores that are no scores of all algorithms in every block: choices, and a judge with labels
OF_OTHER_SCORES: Registry[Procedure] = Registry("procedure")
for _procedure in (*choices.PROCEDURES, *judged.PROCEDURES):
    OF_OTHER_SCORES.add(_procedure.name, _procedure)
POSTERIORS: Registry[Procedure] = Registry("posterior")
for _procedure in (*bayes.PROCEDURES, *bayes_choices.PROCEDURES):
    POSTERIORS.add(_procedure.name, _procedure)


def named(name: str) -> Procedure:
    """The procedure of a name, as people write it; posteriors have names of their own."""
    written = _written(name)
    for known in (POSTERIORS, OF_OTHER_SCORES):
        if written in known:
            return known[written]
    return PROCEDURES[written]


def posterior(name: object) -> Procedure:
    """The posterior of a name, with or without what all their names begin with."""
    written = _written(name)
    return POSTERIORS[written if written in POSTERIORS else bayes.PREFIX + written]


def _written(name: object) -> str:
    return str(name).strip().lower().replace("_", "-")
