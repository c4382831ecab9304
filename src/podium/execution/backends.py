"""Where batches of runs are executed: in this process, in several, or on a Dask cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from podium.design.study import Run
from podium.errors import DesignError
from podium.execution.limits import Limits
from podium.execution.run import Plan, execute_batch
from podium.execution.shared import share, temporary_folder
from podium.store import Record


class Backend(Protocol):
    """A place to execute batches."""

    @property
    def workers(self) -> int:
        """How many runs it executes at a time."""

    @property
    def ahead(self) -> int:
        """How many batches it should have, so that nobody waits for the next."""

    @property
    def seconds(self) -> float:
        """How long a batch should take: long against the cost of handing it out."""

    def submit(self, runs: list[Run]) -> None:
        """Take a batch to be executed."""

    @property
    def waiting(self) -> int:
        """How many batches were submitted and not yet wholly returned."""

    def finished(self) -> list[Record]:
        """Wait until something is finished, and return it."""

    def cancel(self) -> list[Record]:
        """Stop at once, and return what is finished already."""


class Serial:
    """This process, one batch after the other."""

    workers = ahead = 1
    seconds = 0.25

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._batches: list[list[Run]] = []

    def submit(self, runs: list[Run]) -> None:
        """Take a batch to be executed."""
        self._batches.append(runs)

    @property
    def waiting(self) -> int:
        """How many batches were submitted and not yet wholly returned."""
        return len(self._batches)

    def finished(self) -> list[Record]:
        """Execute the next batch."""
        return execute_batch(self._plan, self._batches.pop(0))

    def cancel(self) -> list[Record]:
        """Nothing is ever half finished here."""
        return []


@dataclass(frozen=True)
class Place:
    """Where runs are executed: so many processes here, or a Dask cluster; and under which limits.

    One process is this one, unless it is to be `isolated` from what runs may do to it.
    """

    workers: int = 1
    cluster: Any = None  # an address, the path of a scheduler file, or a client
    limits: Limits = field(default_factory=Limits)
    isolated: bool = False

    @property
    def is_here(self) -> bool:
        """Whether this very process executes the runs."""
        alone = self.workers == 1 and self.cluster is None
        return alone and not self.isolated and self.limits == Limits()


def count_workers(jobs: int) -> int:
    """The number of processes that `jobs` means; -1 is one per core."""
    from joblib import cpu_count  # it knows of affinities and containers

    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs == 0 or jobs < -1:
        raise DesignError(f"jobs is a number of processes, or -1 for one per core, not {jobs!r}.")
    return int(cpu_count()) if jobs == -1 else jobs


@contextlib.contextmanager
def backend(plan: Plan, place: Place) -> Iterator[Backend]:
    """The backend for a place; it is closed at the end."""
    if place.is_here:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            yield Serial(plan)
        return
    with temporary_folder() as folder:
        share(plan, folder)
        if place.cluster is not None:
            from podium.execution.cluster import connected

            with connected(place.cluster, folder, place.limits) as cluster:
                yield cluster
            return
        from podium.execution.keeper import Keeper
        from podium.execution.pool import Pool

        keeper = Keeper(folder)
        pool = Pool(folder, keeper, place.workers, place.limits)
        try:
            yield pool
        finally:
            pool.close()
            keeper.close()
