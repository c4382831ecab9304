"""calibrate: how often a procedure rejects what is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from podium.calibration.scenarios import APART, SCENARIOS, Scenario
from podium.errors import InferenceError
from podium.inference.compare import compare, p_adjusted
from podium.inference.layouts import Layout
from podium.inference.legality import is_legal
from podium.inference.procedures import PROCEDURES, Procedure

PARTIAL = (0, 0, 1, 1, 2)  # groups 2 + 2 + 1 of five algorithms


@dataclass(frozen=True)
class Calibration:
    """The share of replications in which at least one true hypothesis was rejected.

    Or, of intervals, in which at least one of them missed the true difference.
    """

    procedure: str
    scenario: str
    blocks: int
    algorithms: int
    groups: tuple[int, ...]  # empty: all algorithms are equal
    alpha: float
    replications: int
    rejections: int

    @property
    def rate(self) -> float:
        """The share of replications with a false rejection."""
        return self.rejections / self.replications

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper and Pearson's 95 % interval of the rate: the Monte-Carlo error."""
        found = stats.binomtest(self.rejections, self.replications).proportion_ci(0.95)
        return float(found.low), float(found.high)


def calibrate(
    procedure: str | Procedure,
    scenario: str | Scenario = "normal",
    *,
    blocks: int | None = None,
    algorithms: int = 2,
    groups: Sequence[int] = (),
    replications: int = 2000,
    alpha: float = 0.05,
    seed: int = 0,
    intervals: bool = False,
    **bricks: str | None,
) -> Calibration:
    """Simulate a procedure where the truth is known and count false rejections.

    With two algorithms this is the type I error, with more the family-wise error: under the
    complete null, or under a partial one (`groups`: equal numbers are equal algorithms). With
    `intervals` it is how often simultaneous intervals miss a true difference: one minus their
    coverage. All procedures see the same draws of one seed.

    >>> calibrate("paired-t", "normal", blocks=50, replications=200).rate < 0.1
    True
    """
    chosen = procedure if isinstance(procedure, Procedure) else PROCEDURES[procedure]
    drawn = scenario if isinstance(scenario, Scenario) else SCENARIOS[scenario]
    size = drawn.sizes[0] if blocks is None else blocks
    if size not in drawn.sizes:
        raise InferenceError(
            f"The scenario '{drawn.name}' has {drawn.sizes[0]} or {drawn.sizes[1]} blocks, "
            f"not {size}."
        )
    if groups and (len(groups) != algorithms or not drawn.moves):
        raise InferenceError(
            f"The scenario '{drawn.name}' cannot move {algorithms} algorithms apart by {groups!r}."
        )
    kind = tuple(groups)
    judge = _missed if intervals else _false_rejection
    rejections = 0
    for i in range(replications):
        layout = drawn.layout(np.random.default_rng((seed, i)), size, algorithms, kind)
        rejections += judge(chosen, layout, kind, alpha, bricks)
    return Calibration(
        chosen.name, drawn.name, size, algorithms, kind, alpha, replications, rejections
    )


def _false_rejection(
    procedure: Procedure,
    layout: Layout,
    groups: tuple[int, ...],
    alpha: float,
    bricks: dict[str, str | None],
) -> bool:
    control = layout.algorithms[0] if procedure.control else None
    pairs, p = p_adjusted(layout, procedure, control=control, force=True, **bricks)
    true = [not groups or groups[i] == groups[j] for i, j in pairs]
    return bool(np.nanmin(np.where(true, p, 1.0), initial=1.0) <= alpha)


def _missed(
    procedure: Procedure,
    layout: Layout,
    groups: tuple[int, ...],
    alpha: float,
    bricks: dict[str, str | None],
) -> bool:
    """Whether an interval misses the true difference."""
    control = layout.algorithms[0] if procedure.control else None
    options: dict[str, Any] = {"control": control, "alpha": alpha, "force": True, **bricks}
    options["adjust"] = options.get("adjust") or procedure.adjust  # whatever the design's default
    table = compare(layout, procedure, **options).table
    if table["lower"].isna().any():
        raise InferenceError(f"'{procedure.name}' has no simultaneous intervals to judge.")
    at = dict(zip(layout.algorithms, groups or (0,) * len(layout.algorithms), strict=True))
    true = layout.sign * APART * (table["first"].map(at) - table["second"].map(at))
    return bool(((true < table["lower"]) | (true > table["upper"])).any())


def suits(procedure: Procedure, scenario: Scenario) -> bool:
    """Whether a scenario is a design that a procedure is legal for and fulfils its null."""
    layout = scenario.layout(np.random.default_rng(0), scenario.sizes[0], 2)
    if not is_legal(procedure, layout):
        return False
    if "5x2cv" in scenario.samplings and procedure.samplings is None:
        return False  # its halves are independent, which corrected-t does not assume
    return scenario.binary or not procedure.binary
