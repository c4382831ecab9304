"""Long simulations in batches that are kept: a killed run goes on where it stopped."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from podium.errors import DesignError, StoreError
from podium.papers.replication import Progress

Work = Callable[[int, int], np.ndarray]  # (seed, batch) -> what was found


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
    random numbers from (seed, batch) alone, so that neither jobs nor interruptions matter; with
    several jobs it must be a function of a module.
    """
    if seed < 0:
        raise DesignError(f"The seed is {seed}; it must be a whole number of at least 0.")
    if jobs == 0:
        raise DesignError("With 0 jobs nothing runs: say 1 or more, or -1 for all cores.")
    with closing(_Kept(store, f"{key} seed={seed}")) as kept:
        found = kept.read(count)
        for batch, values in _made(work, seed, [b for b in range(count) if b not in found], jobs):
            found[batch] = values
            kept.add(batch, values)
            if progress is not None:
                progress(len(found), count)
    return np.stack([found[batch] for batch in range(count)])


def _made(work: Work, seed: int, batches: list[int], jobs: int) -> Iterator[tuple[int, np.ndarray]]:
    """Batches and what was found in them, in whatever order they are done."""
    from joblib import Parallel, delayed

    run = Parallel(jobs, return_as="generator_unordered", batch_size=1)
    yield from run(delayed(_one)(work, seed, batch) for batch in batches)


def _one(work: Work, seed: int, batch: int) -> tuple[int, np.ndarray]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # the matrices are small
        return batch, work(seed, batch)


class _Kept:
    """The batches of one key in a SQLite file, or in memory where there is none."""

    def __init__(self, path: Path | None, key: str) -> None:
        self._path, self._key = path, key
        with self._understood():
            self._file = sqlite3.connect(":memory:" if path is None else path, timeout=60)
            tables = {name for (name,) in self._file.execute("select name from sqlite_master")}
            if tables and "batches" not in tables:
                raise StoreError(f"'{path}' holds something else: name a new file for the batches.")
            self._file.execute(
                "create table if not exists batches (key text, batch integer, found text, "
                "primary key (key, batch))"
            )

    def read(self, count: int) -> dict[int, np.ndarray]:
        """The first batches, as far as they are there."""
        query = "select batch, found from batches where key = ? and batch < ?"
        with self._understood():
            rows = self._file.execute(query, (self._key, count)).fetchall()
        return {batch: np.array(json.loads(found)) for batch, found in rows}

    def add(self, batch: int, values: np.ndarray) -> None:
        """Keep a batch: all of it or, when killed, nothing."""
        row = (self._key, batch, json.dumps(values.tolist()))
        with self._understood(), self._file:
            self._file.execute("insert or replace into batches values (?, ?, ?)", row)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @contextmanager
    def _understood(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"'{self._path}' cannot keep batches: {error}.") from None
