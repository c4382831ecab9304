"""What is judged: what comes of a procedure where the truth is known.

A `Setting` is what is simulated. A `Judge` says what comes of one draw of it, as numbers between 0
and 1 by kind; how often, is counted elsewhere (`calibrate.py`). Procedures are judged here, also
somebody else's; a rule that looks at growing parts of a layout would be another judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from podium import samplings
from podium.core.base.errors import version_of
from podium.core.inference.comparing.compare import compare, p_adjusted
from podium.core.inference.comparing.legality import is_legal
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.boundaries import RACE
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.inference.procedures.sequential import trace_of
from podium.errors import InferenceError
from podium_lab.calibration.batches import key_of
from podium_lab.calibration.scenario import Scenario

ERROR, POWER, COVERAGE = "error", "power", "coverage"


@dataclass(frozen=True)
class Setting:
    """What is simulated: a scenario, so many blocks and algorithms, and how these differ."""

    scenario: Scenario
    blocks: int
    algorithms: int = 2
    effects: tuple[float, ...] = ()  # their true means; empty: all algorithms are equal
    seed: int = 0

    def layout(self, number: int) -> Layout:
        """The draw of a replication, which has a seed of its own."""
        rng = np.random.default_rng((self.seed, number))
        return self.scenario.layout(rng, self.blocks, self.algorithms, self.effects)

    def differences(self, pairs: np.ndarray) -> np.ndarray:
        """The true difference of every pair of places."""
        means = np.asarray(self.effects or np.zeros(self.algorithms), float)
        values: np.ndarray = means[pairs[:, 0]] - means[pairs[:, 1]]
        return values

    @property
    def facts(self) -> dict[str, Any]:
        """What its draws depend on."""
        known = {
            "version": version_of("podium"),
            "scenario": (self.scenario.name, self.scenario.text),
            "target": self.scenario.target,
            "blocks": self.blocks,
            "algorithms": self.algorithms,
            "effects": self.effects,
            "seed": self.seed,
        }
        return known | ({"code": self.scenario.code} if self.scenario.code else {})


class Judge(Protocol):
    """Says what comes of the draws of a setting."""

    @property
    def alpha(self) -> float:
        """The level that it claims."""

    def label(self, setting: Setting) -> str:
        """Its name in the table of rates."""

    def facts(self, setting: Setting) -> Mapping[str, Any]:
        """What its judgements depend on."""

    def kinds(self, setting: Setting) -> list[str]:
        """What it can say: errors, power, coverage."""

    def judged(self, setting: Setting, layout: Layout) -> Mapping[str, float]:
        """What comes of one draw, by kind; not a number where there is nothing to judge."""


@dataclass(frozen=True, eq=False)
class ProcedureJudge:
    """Judges a procedure by its adjusted p-values, or its intervals too."""

    procedure: Procedure
    alpha: float = 0.05
    null: str | None = None  # as in `compare`
    adjust: str | None = None
    intervals: bool = False

    def label(self, setting: Setting) -> str:
        """The procedure, with its adjustment where `compare` would take another one."""
        usual, used = self.procedure.adjust, self._adjust(setting)
        return self.procedure.name + f" ({used})" * (used != usual)

    def facts(self, setting: Setting) -> dict[str, Any]:
        """What its judgements depend on."""
        return {
            "procedure": self.procedure.name,
            "alpha": self.alpha,
            "null": self.null,
            "adjust": self._adjust(setting),
            "intervals": self.intervals,
        }

    def kinds(self, setting: Setting) -> list[str]:
        """Errors where a hypothesis is true, power where one is false."""
        equal = setting.differences(self._pairs(setting.algorithms)) == 0
        counted = {ERROR: equal.any(), POWER: not equal.all(), COVERAGE: self.intervals}
        return [kind for kind, there in counted.items() if there]

    def _pairs(self, algorithms: int) -> np.ndarray:
        """The places of those who are compared; a control is the first."""
        first, second = np.triu_indices(algorithms, 1)
        pairs = np.column_stack([first, second])
        return pairs[first == 0] if self.procedure.needs.control else pairs

    def _adjust(self, setting: Setting) -> str:
        """As in `compare`."""
        return self.adjust or self.procedure.adjust

    def judged(self, setting: Setting, layout: Layout) -> dict[str, float]:
        """What comes of one draw, by kind."""
        control = layout.algorithms[0] if self.procedure.needs.control else None
        options = Options(
            procedure=self.procedure,
            null=self.null,
            adjust=self._adjust(setting),
            control=control,
            force=True,
        )
        if self.intervals:
            return self._with_intervals(setting, layout, options)
        if layout.stopped.plan is not None and layout.stopped.plan.goal == RACE:
            return self._raced(setting, layout)
        pairs, p = p_adjusted(layout, self.procedure, options)
        return self._decided(setting.differences(np.asarray(pairs)), p)

    def _decided(self, true: np.ndarray, p: np.ndarray) -> dict[str, float]:
        """Whether a true hypothesis was rejected; the share of true differences found."""
        rejected = np.nan_to_num(p, nan=1.0) <= self.alpha
        same = true == 0
        result = float(rejected[~same].mean()) if (~same).any() else np.nan
        return {ERROR: float(rejected[same].any()), POWER: result}

    def _raced(self, setting: Setting, layout: Layout) -> dict[str, float]:
        """Whether a race dropped the best (of equals the first); the share of others dropped."""
        means = np.asarray(setting.effects or np.zeros(setting.algorithms), float)
        out, best = trace_of(layout).out >= 0, int(np.argmax(means))
        worse = means < means[best]
        outcome = float(out[worse].mean()) if worse.any() else np.nan
        return {ERROR: float(out[best]), POWER: outcome}

    def _with_intervals(
        self, setting: Setting, layout: Layout, options: Options
    ) -> dict[str, float]:
        table = compare(layout, options.but(alpha=self.alpha)).table
        if table["lower"].isna().any():
            raise InferenceError(f"'{self.procedure.name}' has no simultaneous intervals to judge.")
        place = {name: i for i, name in enumerate(layout.algorithms)}
        pairs = table[["first", "second"]].map(place.__getitem__).to_numpy()
        true = layout.sign * setting.differences(pairs)
        held = (true >= table["lower"]) & (true <= table["upper"])
        return self._decided(true, table["p_adjusted"].to_numpy()) | {COVERAGE: float(held.all())}


@dataclass(frozen=True, eq=False)
class Simulation:
    """A judge in a setting."""

    setting: Setting
    judge: Judge

    @property
    def key(self) -> str:
        """What its numbers depend on, as a short text."""
        return key_of({**self.setting.facts, **self.judge.facts(self.setting)})

    @property
    def label(self) -> str:
        """Who is judged."""
        return self.judge.label(self.setting)

    @property
    def kinds(self) -> list[str]:
        """What is counted."""
        return self.judge.kinds(self.setting)

    def judged(self, layout: Layout) -> Mapping[str, float]:
        """What comes of one draw, by kind."""
        return self.judge.judged(self.setting, layout)


@cache
def _example(scenario: Scenario) -> Layout:
    """A draw that shows the design; some take a while."""
    return scenario.example()


def suits(procedure: Procedure, scenario: Scenario) -> bool:
    """Whether a scenario is a design that a procedure is legal for and fulfils its null."""
    layout = _example(scenario)
    if not is_legal(procedure, layout):
        return False
    halves = layout.origin.sampling == samplings.five_by_two_cv() and not scenario.fitted
    if halves and procedure.needs.samplings is None:
        return False  # its halves are independent, which corrected-t does not assume
    return scenario.binary or not procedure.needs.binary
