"""Calibration: measured error rates, power and coverage, a value that shows itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from podium import presentation
from podium.errors import InferenceError
from podium.presentation import written as written_to

KINDS = {
    "error": "a true hypothesis was rejected",
    "power": "share of the true differences that were found",
    "coverage": "all simultaneous intervals held the true differences",
}
COLUMNS = [
    "procedure",
    "scenario",
    "target",
    "blocks",
    "algorithms",
    "effects",
    "kind",
    "replications",
    "rate",
    "lower",
    "upper",
]


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """Rates by procedure, scenario, number of blocks and effect, with Monte-Carlo intervals.

    `kind` is error (family-wise; of two algorithms the type I error), power or coverage; `effects`
    are the true means of the algorithms, empty where all are equal; `target` is what the scenario's
    hypotheses are about.
    """

    table: pd.DataFrame
    alpha: float
    seed: int

    @property
    def rate(self) -> float:
        """The one error rate there is: of two algorithms type I, of more family-wise."""
        return float(self._only("error")["rate"])

    @property
    def power(self) -> float:
        """The one power there is."""
        return float(self._only("power")["rate"])

    @property
    def coverage(self) -> float:
        """The one coverage there is."""
        return float(self._only("coverage")["rate"])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Monte-Carlo interval of the error rate."""
        row = self._only("error")
        return float(row["lower"]), float(row["upper"])

    @property
    def replications(self) -> int:
        """How many there were."""
        return int(self.table["replications"].iloc[0])

    @property
    def rejections(self) -> int:
        """In how many of them a true hypothesis was rejected."""
        return round(self.rate * self.replications)

    def _only(self, kind: str) -> pd.Series:
        rows = self.table[self.table["kind"] == kind]
        if len(rows) != 1:
            raise InferenceError(
                f"There are {len(rows)} rates of the kind '{kind}', not one: read `.table`."
            )
        return rows.iloc[0]

    @property
    def heading(self) -> str:
        """One line: what was measured."""
        return f"Measured rates at level {self.alpha:g}, seed {self.seed}, with 95 % intervals"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values; no NaN."""
        return {"alpha": self.alpha, "seed": self.seed, "rates": presentation.plain(self.table)}

    def to_csv(self, path: str | Path | None = None) -> str:
        """The table as CSV."""
        return written_to(self.table.to_csv(index=False, lineterminator="\n"), path)

    def _tables(self) -> dict[str, pd.DataFrame]:
        met = dict.fromkeys(self.table["kind"])
        said = "; ".join(f"{kind}: {KINDS[kind]}" for kind in met)
        shown = self.table.drop(columns=["effects"] if not any(self.table["effects"]) else [])
        return {said: shown.round({"rate": 4, "lower": 4, "upper": 4})}

    def __repr__(self) -> str:
        return presentation.text([self.heading], self._tables(), ())

    def _repr_html_(self) -> str:
        return presentation.html([self.heading], self._tables(), ())
