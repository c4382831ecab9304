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

from importlib import import_module

from podium.base import rooms
from podium.base.registry import Registry
from podium.inference.posteriors import procedures as bayes
from podium.inference.procedures.procedure import Procedure

PROCEDURES: Registry[Procedure] = Registry("procedure")
# of scores that are no scores of all algorithms in every block: choices, a judge with labels, and
# influence values
OF_OTHER_SCORES: Registry[Procedure] = Registry("procedure")
POSTERIORS: Registry[Procedure] = Registry("posterior")


def _registry_of(procedure: Procedure) -> Registry[Procedure]:
    if procedure.bayes.posterior is not None:
        return POSTERIORS
    needs = procedure.needs
    other_scores = procedure.reports.strengths or needs.labels or needs.linearised
    return OF_OTHER_SCORES if other_scores else PROCEDURES


for _module in rooms.modules("procedures"):
    for _procedure in getattr(import_module(_module), "PROCEDURES", ()):
        _registry_of(_procedure).add(_procedure.name, _procedure)


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
