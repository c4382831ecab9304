"""Studies of replications: run what a store lacks, and tell how far they have come."""

from __future__ import annotations

from pathlib import Path

from threadpoolctl import threadpool_limits

from podium.design.study import Study
from podium.execution.runner import execute
from podium.papers.replication import Progress
from podium.results.formats.stores import read_store
from podium.results.results import Results
from podium.store import Record


class _Told:
    """Tells a replication's progress about a study's runs."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress

    def start(self, total: int, done: int) -> None:
        self._total, self._done = total, done

    def advance(self, records: list[Record]) -> None:
        self._done += len(records)
        if self._progress is not None:
            self._progress(self._done, self._total)

    def stop(self) -> None:
        """Nothing more will come."""


def executed(
    study: Study, store: Path, *, jobs: int = 1, progress: Progress | None = None
) -> Results:
    """The results of a study of which `store` may have a part already."""
    with threadpool_limits(1):  # for characteristics of data sets: threads wait for each other
        outcome = execute(study, store, jobs=jobs, progress=_Told(progress))
    if outcome.interrupted:
        raise KeyboardInterrupt(f"Stopped; what is done is kept in '{store}'.")
    return read_store(store)
