"""Long simulations in batches that are counted and kept, so that they can go on.

A batch is known by what it depends on (a key) and its number; its random numbers follow from its
seed and number alone, so neither interruptions nor the number of workers change what is found.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from scipy import stats

from podium.core.base.progress import Progress
from podium.errors import DesignError, StoreError

SCHEMA = """create table if not exists batches (
    key text not null, batch integer not null, found text not null, primary key (key, batch))"""
Work = Callable[[int, int], np.ndarray]  # (seed, batch) -> what was found
T = TypeVar("T")
Found = TypeVar("Found")


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

    @property
    def rate(self) -> float:
        """Their mean."""
        return self.total / self.number if self.number else float("nan")

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The Monte-Carlo interval: Clopper and Pearson's of zeros and ones, else normal."""
        if not self.number:
            return float("nan"), float("nan")
        if self.number == 1 and self.total != self.squares:
            return 0.0, 1.0
        if self.total == self.squares:
            result = stats.binomtest(round(self.total), self.number).proportion_ci(level)
            return float(result.low), float(result.high)
        spread = np.sqrt(max(self.squares - self.total**2 / self.number, 0.0) / (self.number - 1))
        reach = float(stats.norm.isf((1 - level) / 2) * spread / np.sqrt(self.number))
        return max(0.0, self.rate - reach), min(1.0, self.rate + reach)


# -- keeping --------------------------------------------------------------------------------------


def key_of(facts: Mapping[str, Any]) -> str:
    """The key of what a batch depends on."""
    text = json.dumps(facts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class KeptBatches:
    """Batches that are done, by key and number, in a SQLite file, or in memory without one."""

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = path
        with self._understood():
            self._file = sqlite3.connect(":memory:" if path is None else path, timeout=60)
            tables = {name for (name,) in self._file.execute("select name from sqlite_master")}
            if tables and "batches" not in tables:
                raise StoreError(f"'{path}' holds something else: name a new file for the batches.")
            self._file.execute(SCHEMA)

    def get(self, key: str, batch: int) -> np.ndarray | None:
        """What was found in a batch, where it is done."""
        query = "select found from batches where key = ? and batch = ?"
        with self._understood():
            row = self._file.execute(query, (key, batch)).fetchone()
            return None if row is None else np.array(json.loads(row[0]), float)

    def add(self, key: str, batch: int, values: np.ndarray) -> None:
        """Keep a batch: all of it or, when killed, nothing."""
        row = (key, batch, json.dumps(values.tolist()))
        with self._understood(), self._file:
            self._file.execute("insert or replace into batches values (?, ?, ?)", row)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @contextmanager
    def _understood(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError) as error:  # or what is kept is not what was written
            raise StoreError(
                f"'{self.path}' cannot keep batches: {error}. Name another file."
            ) from None


# -- doing ----------------------------------------------------------------------------------------


def done(work: Callable[[T], Found], batches: Sequence[T], jobs: int) -> Iterator[tuple[T, Found]]:
    """Batches and what comes of them, in whatever order they are done.

    With several jobs `work` must be what another process can be sent.
    """
    if jobs == 1 or len(batches) < 2:
        yield from ((batch, _alone(work, 0, batch)[1]) for batch in batches)
        return
    from joblib import Parallel, delayed

    run = Parallel(jobs, return_as="generator_unordered", batch_size=1)
    result = run(delayed(_alone)(work, place, batch) for place, batch in enumerate(batches))
    yield from ((batches[place], values) for place, values in result)


def _alone(work: Callable[[T], Found], place: int, batch: T) -> tuple[int, Found]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # small matrices: threads would only wait for each other
        return place, work(batch)


def in_batches(
    work: Work,
    count: int,
    *,
    key: str,
    seed: int,
    jobs: int = 1,
    store: Path | None = None,
    progress: Progress | None = None,
) -> np.ndarray:
    """What `work` finds in the batches 0, 1, ..., stacked; those in `store` are not made again.

    `key` says what is made, with all that it depends on besides seed and batch. `work` draws its
    random numbers from (seed, batch) alone.
    """
    if seed < 0:
        raise DesignError(f"The seed is {seed}; it must be a whole number of at least 0.")
    if jobs == 0:
        raise DesignError("With 0 jobs nothing runs: say 1 or more, or -1 for all cores.")
    with closing(KeptBatches(store)) as kept:
        key = f"{key} seed={seed}"
        known = {batch: kept.get(key, batch) for batch in range(count)}
        results = {batch: values for batch, values in known.items() if values is not None}
        todo = [batch for batch in range(count) if batch not in results]
        for batch, values in done(partial(work, seed), todo, jobs):
            results[batch] = values
            kept.add(key, batch, values)
            if progress is not None:
                progress(len(results), count)
    return np.stack([results[batch] for batch in range(count)])
