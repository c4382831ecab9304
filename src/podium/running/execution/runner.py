"""The driver: runs what a store lacks of a study, and appends it batch by batch."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
import warnings
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from heapq import heapify, heappop, heapreplace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from podium.core.base.errors import DesignError, ExecutionError, StoreError
from podium.core.base.progress import RunProgress, tell_ran, told_of
from podium.core.questions.measures import TIMES, Measure
from podium.reading.store import LostStore, Record, Store
from podium.running.design.data.characteristics import characteristics
from podium.running.design.data.datasets import Dataset
from podium.running.design.data.processes import Process
from podium.running.design.measuring.scoring import is_recorded
from podium.running.design.study import PROCESS, Run, Study
from podium.running.execution.machine import Limits, environment, parse_limits
from podium.running.execution.run import Plan, execute_batch
from podium.running.execution.shared import InMemory, Shared, share

if TYPE_CHECKING:
    from podium.running.execution.keepers import Keeper


# -- where runs are executed ----------------------------------------------------------------------
# Where runs are executed: in this process, in worker processes, or on a Dask cluster.


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
        from podium.running.execution.keepers import give_back, take

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
            from podium.running.execution.cluster import connected

            return connected(place.cluster, shared, place.limits, place.fresh)
        from podium.running.execution.pool import Pool

        workers = max(1, min(place.workers, count))
        pool = Pool(shared, self._keeper, workers, place.limits, fresh=place.fresh)
        return contextlib.closing(pool)


# -- shards -------------------------------------------------------------------------------------
# Shards: equal parts of a study for machines that cannot speak with each other.


_TEXT = re.compile(r"\s*(\d+)\s*/\s*(\d+)\s*")


@dataclass(frozen=True)
class Shard:
    """Part `number` (from 1) of `of` parts.

    All algorithms of a sample are in one shard, as they share its rows; samples go round the
    shards, in every data set from another one on. More samples, or data sets at the end of the
    study, move nothing from one shard to another.
    """

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def holds(self, dataset: Any, sample: Any) -> Any:
        """Whether a sample of the data set at this place in the study belongs here; or arrays."""
        return (dataset + sample - self.number) % self.of == 0

    def runs(self, study: Study) -> Iterator[Run]:
        """The runs of the study that belong here."""
        place = {data.name: i for i, data in enumerate(study.datasets)}
        return (run for run in study if self.holds(place[run.dataset], run.sample))

    def path(self, store: Path) -> Path:
        """The store of this shard, named after the store of the whole.

        >>> Shard(3, 16).path(Path("monks.db")).name
        'monks-03of16.db'
        """
        width = len(str(self.of))
        return store.with_name(f"{store.stem}-{self.number:0{width}}of{self.of}{store.suffix}")


def parse_shard(given: Any) -> Shard:
    """The shard that '3/16' or (3, 16) means."""
    if isinstance(given, Shard):
        given = (given.number, given.of)
    match = _TEXT.fullmatch(given) if isinstance(given, str) else None
    pair = tuple(map(int, match.groups())) if match else given
    whole = isinstance(pair, (tuple, list)) and len(pair) == 2
    if not whole or not all(type(n) is int for n in pair) or not 1 <= pair[0] <= pair[1]:
        raise DesignError(
            f"A shard is such as '3/16', the third of sixteen parts (or (3, 16)), not {given!r}."
        )
    return Shard(*pair)


def shard_of(environments: Sequence[Mapping[str, Any]]) -> Shard | None:
    """The shard that all calls with a store have run; None where they have run more than one."""
    shards = {e.get("shard") for e in environments}
    only = shards.pop() if len(shards) == 1 else None
    return None if only is None else parse_shard(only)


# -- stages -------------------------------------------------------------------------------------
# Stages of a study that may stop: a rule says which runs are needed next, and when none are.


class Stage(Protocol):
    """Some runs that are needed next."""

    def needs(self, run: Run) -> bool:
        """Whether this is one of them."""


class Until(Protocol):
    """A rule by which a study stops; it sees what the store has and nothing else."""

    def facts(self) -> dict[str, Any]:
        """The plan as plain values; the store keeps it before the first run."""

    def stage(self, path: str | Path) -> Stage | None:
        """The next stage; None where nothing more is needed."""


def stages(until: Until, pending: list[Run], path: str | Path) -> Iterator[list[Run]]:
    """What each stage needs and has not been tried yet; a stage that failed is finished, too."""
    while pending and (stage := until.stage(path)) is not None:
        needed = [run for run in pending if stage.needs(run)]
        if not needed:
            return
        yield needed
        tried = {run.key for run in needed}
        pending = [run for run in pending if run.key not in tried]


# -- the driver ---------------------------------------------------------------------------------


LEAST_SHARE = 0.1  # of a batch near the end, still long against the cost of handing it out
MOST_RUNS = 500  # of a batch: a message that fits into a pipe, so that sending never waits
CHECKPOINT_SECONDS = 10.0  # how much a copy of the file alone, without its log, may lack
FLUSH_SECONDS = 0.5  # how much finished work a kill may cost


@dataclass(frozen=True)
class Outcome:
    """What a call of `execute` did; `interrupted` where Ctrl-C ended it."""

    total: int
    done_before: int
    ran: int
    failed: int
    seconds: float
    interrupted: bool = False
    stopped: bool = False  # by a rule: what is missing is not needed

    @property
    def missing(self) -> int:
        """How many runs have no scores yet."""
        return self.total - self.done_before - self.ran + self.failed


def execute(
    study: Study,
    path: str | Path,
    *,
    jobs: int = 1,
    cluster: Any = None,
    time_limit: float | str | None = None,
    memory_limit: float | str | None = None,
    shard: Any = None,
    until: Until | None = None,
    registered: Mapping[str, Any] | None = None,
    progress: RunProgress | None = None,
) -> Outcome:
    """Run what the store at `path` lacks of the study, or of a shard of it; failures are retried.

    Scores (not times) depend neither on where runs are executed nor on how often this was
    interrupted, nor on other algorithms: every batch is of one algorithm, and has a process of its
    own. Runs that end their process, or exceed a limit, are failures; but with no jobs and no
    limits they are executed in this process, and may change or end it. `until` says, stage by
    stage, which runs are needed next, and when none are.
    """
    limits = parse_limits(time_limit, memory_limit)
    part = None if shard is None else parse_shard(shard)
    plan = _plan(study)
    place = Place(count_workers(jobs), cluster, limits, plan.fresh)
    is_new = not Path(path).exists()
    with Site(place, early=is_new) as site, Store(path, create=True) as store, store.writing():
        begin = partial(begun, study=study, shard=part, until=until, registered=registered)
        done = begin(store)
        runs = list(study if part is None else part.runs(study))
        pending = [run for run in runs if run.key not in done]
        driver = _Driver(store, told_of(progress, runs, pending), len(runs), len(pending))
        parts = iter([pending]) if until is None else stages(until, pending, store.path)
        try:
            driver.drive(plan, parts, site, len(pending))
        except LostStore:
            raise store.save_elsewhere(driver.unkept, begin) from None
        return driver.outcome(stopped=until is not None)


def begun(
    store: Store,
    study: Study,
    shard: Shard | None = None,
    until: Until | None = None,
    registered: Mapping[str, Any] | None = None,
) -> set[bytes]:
    """Note the study, with its plans, in the store; gives the keys of what is done."""
    measures = stored_measures(study)
    # not in the study's definition: shards are stores of one study, and can be merged
    part = {} if shard is None else {"shard": str(shard)}
    planned = {} if until is None else {"stopping": until.facts()}
    planned |= {} if registered is None else {"registered": dict(registered)}
    store.begin(
        study.definition | planned,
        datasets={d.name: (d.fingerprint, _facts(store, d)) for d in study.datasets},
        algorithms={a.name: (a.fingerprint, a.definition) for a in study.algorithms},
        measures=measures,
        environment=environment(_packages(study)) | part,
    )
    store.verified()  # what is damaged is not done
    store.checkpoint()  # so that a copy of the file, though not of its log, is a store
    return store.done(measures, predictions="predictions" in study.keep)


def _facts(store: Store, data: Dataset | Process) -> dict[str, Any]:
    """What is known of a data set, with the characteristics that only its rows can tell."""
    sql = "SELECT 1 FROM datasets WHERE name = ? AND fingerprint = ?"
    if store.rows(sql, (data.name, data.fingerprint)):
        return data.facts  # the store has them
    if isinstance(data, Process):
        return data.facts  # its rows are a user's code, which runs under guard only
    return data.facts | {"characteristics": characteristics(data)}


def stored_measures(study: Study) -> list[Measure]:
    """The measures that are kept as scores; times are kept with every run anyway."""
    return [m.measure for m in study.measures if m.name not in TIMES]


def _packages(study: Study) -> tuple[str, ...]:
    """The packages that the algorithms come from."""
    homes = {type(a.estimator()).__module__.partition(".")[0] for a in study.algorithms}
    return tuple(sorted(homes - {"sklearn", "podium", "__main__", "builtins"}))


def _plan(study: Study) -> Plan:
    """What workers need to know."""
    data = InMemory({d.name: d for d in study.datasets})
    measures = tuple(m for m in study.measures if not is_recorded(m) or m.name not in TIMES)
    how = "predictions" in study.keep, study.isolate == PROCESS
    return Plan(data, {a.name: a for a in study.algorithms}, study.sampler, measures, *how)


class _Driver:
    """Cuts runs into batches, hands them out and keeps what comes back."""

    def __init__(self, store: Store, progress: RunProgress, total: int, left: int) -> None:
        self.store, self.progress, self.total, self.done = store, progress, total, total - left
        self.ran = self.failed = 0
        self.interrupted = False
        self.started = time.perf_counter()
        self.costs = _Costs()
        self.unkept: list[Record] = []  # finished, and not yet in the store
        self._kept_at = self._checkpoint = self.started

    def drive(self, plan: Plan, stages: Iterator[list[Run]], site: Site, count: int) -> None:
        """Run stage after stage; `count` is the most runs that there can be."""
        self.progress.start(self.total, self.done)
        try:
            if count:
                with site.backend(plan, count) as there:
                    for pending in stages:
                        self._loop(there, pending)
                        if self.interrupted:
                            return
        finally:
            self.progress.stop()

    def _loop(self, place: Backend, pending: list[Run]) -> None:
        batches = self.costs.batches(pending, place)
        try:
            self._hand_out(place, batches)
            while place.waiting:
                self._take(place.finished())
                self._hand_out(place, batches)
        except KeyboardInterrupt:
            self.interrupted = True
            with _deaf():
                self._take(place.cancel())
                self._keep()
        except ExecutionError:
            self._take(place.cancel())
            raise
        except LostStore:
            self.unkept.extend(place.cancel())
            raise
        except StoreError:
            self.unkept.clear()  # the store is full or gone: trying again would fail again
            place.cancel()
            raise
        finally:
            self._keep()

    def _hand_out(self, place: Backend, batches: Iterator[list[Run]]) -> None:
        while place.waiting < place.ahead and (batch := next(batches, None)):
            place.submit(batch)

    def _take(self, records: Iterable[Record]) -> None:
        for record in records:
            self.costs.learn(record)
            self.unkept.append(record)
        self.store.refuse_lost()  # at once, not when there is enough to keep
        if time.perf_counter() - self._kept_at > FLUSH_SECONDS or not self.ran:
            self._keep()

    def _append(self, records: list[Record]) -> None:
        """All of them at once; of those that a disk has no room for, as many as it takes."""
        try:
            self.store.append(records)
        except StoreError as error:
            if len(records) == 1 or "full" not in str(error):
                raise
            half = len(records) // 2
            self._append(records[:half])
            self._append(records[half:])

    def _keep(self) -> None:
        if records := self.unkept:
            self._append(records)
            self.unkept = []  # only now: Ctrl-C may come while they are being appended
            failed = sum(r.failure is not None for r in records)
            self.ran += len(records)
            self.failed += failed
            tell_ran(self.progress, records, failed)
            if time.perf_counter() - self._checkpoint > CHECKPOINT_SECONDS:
                self.store.checkpoint()
                self._checkpoint = time.perf_counter()
        self._kept_at = time.perf_counter()

    def outcome(self, stopped: bool) -> Outcome:
        seconds = time.perf_counter() - self.started
        counts = (self.total, self.done, self.ran, self.failed)
        return Outcome(*counts, seconds, self.interrupted, stopped)


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Tidying up is not interrupted by a second Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Costs:
    """What runs cost, learned on the way, and batches of about equal cost."""

    def __init__(self) -> None:
        self._seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._runs: Counter[tuple[str, str]] = Counter()

    def learn(self, record: Record) -> None:
        pair = (record.dataset, record.algorithm)
        self._seconds[pair] += record.seconds + 1e-4
        self._runs[pair] += 1

    def _cost(self, run: Run, guess: float) -> float:
        """Seconds that a run will take; a guess as long as nobody knows."""
        pair = (run.dataset, run.algorithm)
        return self._seconds[pair] / self._runs[pair] if self._runs[pair] else guess

    def batches(self, runs: list[Run], place: Backend) -> Iterator[list[Run]]:
        """Batches of one algorithm each, cut by cost; towards the end smaller, to end together.

        The next one is always that of the algorithm that is furthest behind, so that scores which
        are compared come in together.
        """
        lanes: defaultdict[str, deque[tuple[int, Run]]] = defaultdict(deque)
        for turn in enumerate(runs):
            lanes[turn[1].algorithm].append(turn)
        heap = [(lane[0][0], name) for name, lane in lanes.items()]
        heapify(heap)
        left = len(runs)
        while heap:
            _, name = heap[0]
            lane, most = lanes[name], max(1, left // (2 * place.workers))
            batch, cost = list[Run](), 0.0
            while (
                lane
                and len(batch) < MOST_RUNS
                and (
                    cost < LEAST_SHARE * place.seconds
                    or (len(batch) < most and cost < place.seconds)
                )
            ):
                batch.append(lane.popleft()[1])
                cost += self._cost(batch[-1], place.guess)
            left -= len(batch)
            if lane:
                heapreplace(heap, (lane[0][0], name))
            else:
                heappop(heap)
            yield batch
