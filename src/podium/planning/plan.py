"""A plan: how many blocks, which power or which difference, two of them being given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.planning.power import (
    FORMULAS,
    MOST,
    blocks_needed,
    check_design,
    detectable,
    pair_design,
    power,
)
from podium.planning.words import plan_sentence
from podium.words.facts import Note
from podium.words.presentation import Presented

USUAL = 0.8  # the power that is asked for where none is said
SOLVED = ("blocks", "power", "difference")


@dataclass(frozen=True, repr=False)
class Plan(Presented):
    """What so many blocks can show; `solved` says which number was asked for.

    `difference` is between the means of two algorithms, with its sign where one side is looked for,
    and `sd` that of their differences over blocks. Of `comparisons` pairs each is tested at its
    level (Šidák), by a test that needs `extra` blocks more than t.
    """

    difference: float
    sd: float
    blocks: float
    power: float
    solved: str
    alpha: float = 0.05
    alternative: str = "two-sided"
    comparisons: int = 1
    formula: str = "noncentral"
    block: str = "dataset"
    notes: tuple[Note, ...] = ()
    extra: int = 0

    @property
    def datasets(self) -> int:
        """How many data sets (or other blocks) there must be."""
        return int(self.blocks)

    @property
    def sentence(self) -> str:
        """The plan in words."""
        return plan_sentence(
            self.solved,
            self.difference,
            self.sd,
            self.blocks,
            self.power,
            block=self.block,
            alternative=self.alternative,
            alpha=self.alpha,
            comparisons=self.comparisons,
        )

    def curve(self, blocks: Sequence[int] | None = None) -> pd.DataFrame:
        """The power for other numbers of blocks; without them, from 2 to twice as many."""
        if self.formula not in FORMULAS:
            raise InferenceError(
                "A simulated plan knows the power of its own number of blocks only: plan again "
                "with other numbers."
            )
        if blocks is None:
            most = max(2 * int(self.blocks), 10)
            blocks = np.unique(np.linspace(2, most, min(most - 1, 50)).round().astype(int)).tolist()
        values = power(self.difference, self.sd, list(blocks), **_options(self))
        return pd.DataFrame({"blocks": list(blocks), "power": values})

    def _said(self) -> list[str]:
        return [self.sentence]

    def _facts(self) -> dict[str, Any]:
        fields = ("difference", "sd", "power", "solved", "alpha", "alternative", "comparisons")
        return {
            **{name: getattr(self, name) for name in fields},
            "formula": self.formula,
            "block": self.block,
            "blocks": int(self.blocks),
            "sentence": self.sentence,
            "notes": self.notes,
        }


def _options(plan: Plan) -> dict[str, Any]:
    design = pair_design(plan.alpha, plan.comparisons, plan.alternative, plan.extra)
    return {**design, "formula": plan.formula}


def plan(
    *,
    difference: float | None = None,
    sd: float,
    target: float | None = None,
    blocks: int | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int = 1,
    formula: str = "noncentral",
    block: str = "dataset",
    extra: int = 0,
) -> Plan:
    """The plan of which two of difference, power (`target`) and number of blocks are given.

    The power is 0.8 where it is not said and must be known.
    """
    _check(difference, sd, target, blocks, comparisons)
    check_design(alpha=alpha, alternative=alternative, target=target, formula=formula)
    _check_side([] if difference is None else [difference], alternative)
    level = {**pair_design(alpha, comparisons, alternative, extra), "formula": formula}
    if blocks is None:
        assert difference is not None
        solved, count = "blocks", float(blocks_needed(difference, sd, target or USUAL, **level))
        if math.isinf(count):
            raise InferenceError(
                f"A difference of {difference:g} is too small against the sd of {sd:g}: more than "
                "ten million blocks would be needed."
            )
        result = float(power(difference, sd, count, **level))
    elif difference is None:
        solved, count, result = "difference", float(blocks), target or USUAL
        least = float(detectable(sd, blocks, result, **level))
        difference = -least if alternative == "less" else least
    else:
        solved, count = "power", float(blocks)
        result = float(power(difference, sd, blocks, **level))
    made: dict[str, Any] = {"alpha": alpha, "comparisons": comparisons, "block": block}
    made |= {"alternative": alternative, "formula": formula, "extra": extra}
    return Plan(on_side(difference, alternative), float(sd), count, result, solved, **made)


def on_side(difference: float, alternative: str) -> float:
    """A difference as it is shown: its sign says something where one side is looked for."""
    return abs(difference) if alternative == "two-sided" else difference


def _check_side(differences: Sequence[float], alternative: str) -> None:
    """Refuse a difference on the side that a one-sided test never finds."""
    side = {"greater": 1, "less": -1}.get(alternative)
    for difference in differences:
        if side and difference * side < 0:
            other = "less" if alternative == "greater" else "greater"
            raise InferenceError(
                f"The alternative {alternative} never finds a difference of {difference:g}: give "
                f"the difference {-difference:g}, or the alternative {other}."
            )


def _check(
    difference: float | None,
    sd: float,
    target: float | None,
    blocks: int | None,
    comparisons: int,
) -> None:
    if difference is None and blocks is None:
        raise InferenceError(
            "A plan needs the difference that matters, or the number of data sets that can be had."
        )
    if None not in (difference, target, blocks):
        raise InferenceError(
            "Difference, power and number of data sets determine each other: give two of them."
        )
    _check_numbers([] if difference is None else [difference], [sd])
    _check_counts([] if blocks is None else [blocks], comparisons)


def _check_numbers(differences: Sequence[float], sds: Sequence[float]) -> None:
    for name, values in (("difference", differences), ("sd", sds)):
        for value in values:
            if not (_is_number(value) and math.isfinite(value) and value != 0):
                raise InferenceError(
                    f"The {name} of a plan is a number other than 0, not {value!r}."
                )
    for sd in sds:
        if sd < 0:
            raise InferenceError(f"The sd of a plan is positive, not {sd!r}.")


def _check_counts(blocks: Sequence[int], comparisons: int) -> None:
    for name, values, least in (("blocks", blocks, 2), ("comparisons", [comparisons], 1)):
        for value in values:
            if not _is_whole(value) or not least <= value <= MOST:
                raise InferenceError(
                    f"The number of {name} is a whole number from {least} to {MOST}, not {value!r}."
                )


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.floating, np.integer)) and not isinstance(value, bool)


def _is_whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def needed_table(
    differences: Sequence[float],
    sds: Sequence[float],
    target: float = USUAL,
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int = 1,
    formula: str = "noncentral",
) -> pd.DataFrame:
    """The number of data sets for every difference (rows) and sd (columns), as Figure 2, left."""
    _check_numbers(differences, sds)
    _check_counts([], comparisons)
    check_design(alpha=alpha, alternative=alternative, target=target, formula=formula)
    _check_side(differences, alternative)
    rows, columns = np.asarray(differences, float)[:, None], np.asarray(sds, float)
    design = pair_design(alpha, comparisons, alternative)
    values = blocks_needed(rows, columns, target, formula=formula, **design)
    return pd.DataFrame(values, pd.Index(differences, name="difference"), pd.Index(sds, name="sd"))


def power_table(
    difference: float,
    sds: Sequence[float],
    blocks: Sequence[int],
    *,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    comparisons: int = 1,
    formula: str = "noncentral",
) -> pd.DataFrame:
    """The power for every number of data sets (rows) and sd (columns), as Figure 2, right."""
    _check_numbers([difference], sds)
    _check_counts(blocks, comparisons)
    check_design(alpha=alpha, alternative=alternative, formula=formula)
    _check_side([difference], alternative)
    counts, design = (
        np.asarray(blocks, float)[:, None],
        pair_design(alpha, comparisons, alternative),
    )
    result = power(difference, np.asarray(sds, float), counts, formula=formula, **design)
    return pd.DataFrame(result, pd.Index(blocks, name="datasets"), pd.Index(sds, name="sd"))
