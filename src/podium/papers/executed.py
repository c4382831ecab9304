"""Studies of replications: run what a store lacks, and tell how far they have come."""

from __future__ import annotations

from pathlib import Path

from threadpoolctl import threadpool_limits

from podium.design.study import Study
from podium.execution.runner import execute
from podium.progress import Counted, Progress
from podium.results.readers import read_store
from podium.results.results import Results


def executed(
    study: Study, store: Path, *, jobs: int = 1, progress: Progress | None = None
) -> Results:
    """The results of a study of which `store` may have a part already."""
    with threadpool_limits(1):  # for characteristics of data sets: threads wait for each other
        outcome = execute(study, store, jobs=jobs, progress=Counted(progress))
    if outcome.interrupted:
        raise KeyboardInterrupt(f"Stopped; what is done is kept in '{store}'.")
    return read_store(store)
