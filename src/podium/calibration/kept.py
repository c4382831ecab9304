"""Kept tallies: batches of replications that are done, in one SQLite file, so that work can go on.

A batch is known by what it depends on (a key) and its first replication; replications have seeds
of their own, so neither interruptions nor the number of workers change a sum.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from podium.errors import ExecutionError

SCHEMA = """create table if not exists tallies (
    key text not null, first integer not null, kind text not null,
    count integer not null, total real not null, squares real not null,
    primary key (key, first, kind)) without rowid"""


class Tally(NamedTuple):
    """How many values between 0 and 1 there are, their sum and the sum of their squares."""

    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: np.ndarray) -> Tally:
        """The tally of these values; those that are missing do not count."""
        known = values[~np.isnan(values)]
        return cls(len(known), float(known.sum()), float((known**2).sum()))

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        number, total, squares = (a + b for a, b in zip(self, other, strict=True))
        return Tally(int(number), total, squares)

    @property
    def rate(self) -> float:
        """Their mean."""
        return self.total / self.number if self.number else float("nan")

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The Monte-Carlo interval: Clopper and Pearson's of zeros and ones, else normal."""
        if not self.number:
            return float("nan"), float("nan")
        if self.total == self.squares:
            found = stats.binomtest(round(self.total), self.number).proportion_ci(level)
            return float(found.low), float(found.high)
        spread = np.sqrt(max(self.squares - self.total**2 / self.number, 0.0) / (self.number - 1))
        reach = float(stats.norm.isf((1 - level) / 2) * spread / np.sqrt(self.number))
        return max(0.0, self.rate - reach), min(1.0, self.rate + reach)


def key_of(facts: Mapping[str, Any]) -> str:
    """The key of what a batch depends on."""
    text = json.dumps(facts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Kept:
    """The batches that are done, in a file, or in memory where none is named."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path is not None else None
        self._found: dict[tuple[str, int], dict[str, Tally]] = {}
        if self.path is not None and self.path.exists():
            self._read()

    def get(self, key: str, first: int) -> dict[str, Tally] | None:
        """A batch, where it is done."""
        return self._found.get((key, first))

    def add(self, key: str, first: int, tallies: Mapping[str, Tally]) -> None:
        """Keep a batch; it is on disk when this returns."""
        self._found[key, first] = dict(tallies)
        if self.path is None:
            return
        rows = [(key, first, kind, *tally) for kind, tally in tallies.items()]
        with self._refused(), closing(sqlite3.connect(self.path, timeout=60)) as db, db:
            db.execute(SCHEMA)
            db.executemany("insert or replace into tallies values (?, ?, ?, ?, ?, ?)", rows)

    def _read(self) -> None:
        with self._refused(), closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as db:
            if not db.execute("select 1 from sqlite_master where name = 'tallies'").fetchone():
                raise ExecutionError(f"'{self.path}' is no store of calibrations: name another.")
            for key, first, kind, *tally in db.execute("select * from tallies"):
                self._found.setdefault((key, first), {})[kind] = Tally(*tally)

    def _refused(self) -> _Refused:
        return _Refused(self.path)


class _Refused:
    """Turns what SQLite says into one sentence."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            raise ExecutionError(f"'{self.path}' cannot be used as a store: {error}.") from None
