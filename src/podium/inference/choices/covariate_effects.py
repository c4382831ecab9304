"""What covariates of choices came to: their effects, joint tests, and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd


@dataclass(frozen=True, eq=False)
class Effects:
    """Effects of covariates on choices between two, errors by blocks.

    Attributes
    ----------
    terms : one row per effect. About `position` it is what being shown first adds to the log-odds
        of being chosen (of a judge: there); about `strength` what a standard deviation of the
        difference adds (of kinds: to be of this kind); about `ties` how much more often than on
        average a level ties, as a logarithm. With interval, p, and p adjusted (Holm) over all rows.
    tests : one row per covariate and question: are all levels alike in `position`, `ties` and
        `strengths` (do judges rank the algorithms alike).
    strengths : every algorithm's log-strength, with and without adjusting.
    """

    names: tuple[str, ...]
    terms: pd.DataFrame
    tests: pd.DataFrame
    strengths: Mapping[str, float]
    unadjusted: Mapping[str, float]
    blocks: int
    asked: bool  # by the user, not by default

    @property
    def by_algorithm(self) -> list[dict[str, Any]]:
        """Every log-strength with and without adjusting."""
        return [
            {"algorithm": name, "adjusted": value, "unadjusted": self.unadjusted[name]}
            for name, value in self.strengths.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "names": list(self.names),
            "terms": self.terms,
            "tests": self.tests,
            "strengths": self.by_algorithm,
            "blocks": self.blocks,
        }
