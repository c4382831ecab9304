"""Procedures: the named tests, each a record of bricks, and their measured error rates.

They stand beside their estimates, by what they judge, in the modules that rooms name as
`procedures`. Somebody else's is one `PROCEDURES.add(name, record)`. Posteriors are a registry of
their own: nobody gets one without asking for it.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import NamedTuple

from scipy.special import betaincinv

from podium.core.base import rooms
from podium.core.base.registry import Registry
from podium.core.inference.procedures import posteriors as bayes
from podium.core.inference.procedures.procedure import Procedure

PROCEDURES: Registry[Procedure] = Registry("procedure")
# of scores that are no scores of all algorithms in every block: choices, a judge with labels, and
# influence values
OF_OTHER_SCORES: Registry[Procedure] = Registry("procedure")
POSTERIORS: Registry[Procedure] = Registry("posterior")


def _registry_of(procedure: Procedure) -> Registry[Procedure]:
    if procedure.bayes.posterior is not None:
        return POSTERIORS
    needs = procedure.needs
    other_scores = procedure.quantity.strengths or needs.labels or needs.linearised
    return OF_OTHER_SCORES if other_scores else PROCEDURES


for _module in rooms.modules("procedures"):
    for _procedure in getattr(import_module(_module), "PROCEDURES", ()):
        _registry_of(_procedure).add(_procedure.name, _procedure)


def procedure_named(name: str) -> Procedure:
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


# -- calibrated -----------------------------------------------------------------------------------
# Measured error rates, read from the shipped table that `docs/make_calibration.py` makes.


NOMINAL = 0.05
SURE = 0.999  # of the interval that must lie above nominal: there are a thousand rates


class Rate(NamedTuple):
    """How often something happened in a simulated design.

    `kind` is error (a true hypothesis was rejected) or missed (an interval missed the truth);
    `null_holds` says whether the scenario is one that the procedure's null covers.
    """

    procedure: str
    adjust: str  # empty: the procedure's own
    scenario: str
    target: str
    blocks: int
    algorithms: int
    groups: str
    kind: str
    null_holds: bool
    replications: int
    hits: int

    @property
    def rate(self) -> float:
        """The share of replications."""
        return self.hits / self.replications

    @property
    def is_above(self) -> bool:
        """Whether it is surely above the nominal 5 %."""
        # the lower limit of Clopper and Pearson
        low = betaincinv(self.hits, self.replications - self.hits + 1, (1 - SURE) / 2)
        return bool(self.hits and low > NOMINAL)

    @property
    def where(self) -> str:
        """The design, in a few words."""
        grouped = f" in groups {'+'.join(map(str, _sizes(self.groups)))}" if self.groups else ""
        return f"{self.scenario}, {self.blocks} blocks, {self.algorithms} algorithms{grouped}"


def _sizes(groups: str) -> list[int]:
    return [groups.count(group) for group in dict.fromkeys(groups)]


@cache
def published() -> tuple[Rate, ...]:
    """All rates of the shipped table."""
    text = files("podium.core.inference").joinpath("calibration.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return tuple(_read(row) for row in csv.DictReader(lines))


def _read(row: dict[str, str]) -> Rate:
    whole = {name: int(row[name]) for name in ("blocks", "algorithms", "replications", "hits")}
    return Rate(**{**row, **whole, "null_holds": row["null_holds"] == "yes"})  # type: ignore[arg-type]


def rates_of(procedure: str) -> list[Rate]:
    """The error rates of a procedure as it is, by scenario."""
    return [
        rate
        for rate in published()
        if (rate.procedure, rate.adjust, rate.kind) == (procedure, "", "error")
    ]


def level(procedure: str) -> str:
    """What was measured, in a sentence or two; empty where nothing was."""
    rates = rates_of(procedure)
    held = [rate for rate in rates if rate.null_holds]
    equal = [rate for rate in held if not rate.groups]
    beyond = [rate for rate in rates if not rate.null_holds]
    if not rates:
        return ""
    texts = [f"at nominal 5 %, {_range(equal)} where its null holds"] if equal else []
    above = [rate for rate in held if rate.is_above]
    if above:
        worst = max(above, key=lambda rate: rate.rate)
        texts.append(f"above nominal: {_percent(worst.rate)} ({worst.where})")
    worst_beyond = max(beyond, key=lambda rate: rate.rate, default=None)
    if worst_beyond is not None and worst_beyond.is_above:
        texts = texts or ["at nominal 5 %, its null holds in no design where it is used"]
        texts.append(
            f"up to {_percent(worst_beyond.rate)} where it does not hold ({worst_beyond.where})"
        )
    return "; ".join(texts)


def _range(rates: list[Rate]) -> str:
    low, high = (f"{100 * f(rate.rate for rate in rates):.1f}" for f in (min, max))
    return f"{low} %" if low == high else f"{low} to {high} %"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
