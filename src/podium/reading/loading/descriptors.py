"""What columns without a role say of data sets: their size, how many attributes they have ..."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base.errors import PodiumError
from podium.reading.formats.record import Source
from podium.reading.loading.sources import load


@dataclass(frozen=True)
class Described:
    """Columns beside scores, which are looked at when somebody asks for characteristics."""

    paths: tuple[Path, ...]
    dataset: str  # the column that names data sets
    columns: tuple[str, ...]

    def of(self, datasets: Sequence[str]) -> dict[str, dict[str, float]]:
        """Of each data set the numbers that are the same in all of its rows."""
        frame = self._frame()
        if frame is None:
            return {}
        names = frame[self.dataset].astype(str).str.strip()
        numbers = frame[[c for c in self.columns if c in frame]].apply(_numbers)
        by_name = numbers.groupby(names).agg(["min", "max"])
        known = [c for c in numbers if by_name[c, "min"].equals(by_name[c, "max"])]
        known = [c for c in known if by_name[c, "min"].notna().any()]
        kept = by_name.xs("min", axis=1, level=1)[known].reindex(list(datasets))
        return {str(name): row for name, row in kept.to_dict("index").items() if row}

    def _frame(self) -> pd.DataFrame | None:
        given: Any = list(self.paths) if len(self.paths) > 1 else self.paths[0]
        try:
            sets = load(Source(given))
        except PodiumError:
            return None
        return next((s.frame for s in sets if self.dataset in s.frame), None)


def _numbers(column: pd.Series) -> pd.Series:
    """A column as numbers; one that holds anything else has none."""
    made = pd.to_numeric(column, errors="coerce").astype(float)
    return made if (made.notna() | column.isna()).all() else made * float("nan")
