"""Procedures: the named tests, each a record of bricks and of what it may be used for.

They stand beside their estimates, by what they judge, in the modules that rooms name as
`procedures`. Somebody else's is one `PROCEDURES.add(name, record)`. Posteriors are a registry of
their own: nobody gets one without asking for it.
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
