"""Where runs are executed: in this process, in worker processes, or on a Dask cluster."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, Protocol

from podium.base.errors import DesignError
from podium.design.study import Run
from podium.execution.machine import Limits
from podium.execution.run import Plan, execute_batch
from podium.execution.shared import Shared, share
from podium.store import Record

if TYPE_CHECKING:
    from podium.execution.keepers import Keeper


_ONE_PROCESS = (
    "This system cannot fork processes: all runs share this one, and what an algorithm changes of "
    "it reaches the others. On Windows, WSL can."
)


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

    @property
    def guess(self) -> float:
        """How long a run may take of which nobody knows."""

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
    """This process, one batch after the other: nothing stands between it and the algorithms."""

    workers = ahead = 1
    seconds, guess = 0.25, inf

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

    No process means this one, which what an algorithm changes stays in: for debuggers, and for
    systems where processes cannot be forked.
    """

    workers: int = 1
    cluster: Any = None  # an address, the path of a scheduler file, or a client
    limits: Limits = field(default_factory=Limits)
    fresh: bool = False  # a new process for every run

    @property
    def is_here(self) -> bool:
        """Whether this very process executes the runs."""
        few = self.workers == 0 or (self.workers == 1 and not hasattr(os, "fork"))
        return few and self.cluster is None and not self.fresh and self.limits == Limits()


def count_workers(jobs: int) -> int:
    """The number of processes that `jobs` means; -1 is one per core, 0 none but this one."""
    from joblib import cpu_count  # it knows of affinities and containers

    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < -1:
        raise DesignError(
            f"jobs is a number of processes, -1 for one per core or 0 for this one, not {jobs!r}."
        )
    return int(cpu_count()) if jobs == -1 else jobs


class Site:
    """What a place needs before it can take batches; what takes long can be begun early."""

    def __init__(self, place: Place, *, early: bool = False) -> None:
        self.place, self._early = place, early
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Site:
        if self._early:  # else there may be nothing to run
            self.warm_up()
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    @cached_property
    def _keeper(self) -> Keeper:
        from podium.execution.keepers import give_back, take

        keeper = take()
        self._open.callback(give_back, keeper)
        return keeper

    def warm_up(self) -> None:
        """Have a keeper load what workers need while the driver still prepares its store."""
        if not self.place.is_here and self.place.cluster is None:
            self._keeper.warm_up()

    @contextlib.contextmanager
    def backend(self, plan: Plan, count: int) -> Iterator[Backend]:
        """What executes batches here, of `count` runs; it is closed at the end."""
        if self.place.is_here:
            from threadpoolctl import threadpool_limits

            if self.place.workers:
                warnings.warn(_ONE_PROCESS, stacklevel=2)
            with threadpool_limits(1):
                yield Serial(plan)
            return
        with share(plan) as shared, self._elsewhere(shared, count) as backend:
            yield backend

    def _elsewhere(self, shared: Shared, count: int) -> contextlib.AbstractContextManager[Backend]:
        place = self.place
        if place.cluster is not None:
            from podium.execution.cluster import connected

            return connected(place.cluster, shared, place.limits, place.fresh)
        from podium.execution.pool import Pool

        workers = max(1, min(place.workers, count))
        pool = Pool(shared, self._keeper, workers, place.limits, fresh=place.fresh)
        return contextlib.closing(pool)
