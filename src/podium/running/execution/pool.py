"""A pool of workers that knows which run each of them is in.

A batch whose process dies, or is ended as its run exceeds a limit, costs that run only: it becomes
a failure, and the rest of the batch is handed out again. So is the rest of a batch that takes much
longer than was thought.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import tempfile
import time
from collections import deque
from dataclasses import replace

from podium.core.base.errors import ExecutionError
from podium.reading.store import Failure, Record
from podium.running.design.study import Run
from podium.running.execution.keepers import Keeper
from podium.running.execution.machine import (
    Limits,
    died,
    exhausted_machine,
    failed,
    garbled,
    held,
    held_too_much,
    left_and_total,
    took_too_long,
)
from podium.running.execution.run import LONGEST_TRACEBACK
from podium.running.execution.shared import Shared
from podium.running.execution.workers import Batch, BrokenFrame, Marks, linked, marks_file

BATCH_SECONDS = 2.0  # of a batch: to fork its process, and to warm that up, takes 0.03
STOP_SECONDS = 4.0  # then a batch gives back what is left: it takes longer than was thought
TRIAL_RUNS = 20  # of a batch at most, as long as nobody knows how long its runs take
TICK_SECONDS = 0.1  # how often limits are looked at; a process fills about a GB per second
LEAST_LEFT = 4e9  # less memory, or less than a tenth of it, and the largest worker is ended
MOST_IDLE = 8  # workers for each that works, so that groups of algorithms find theirs again
MOST_STILLBORN = 5  # workers in a row that end, all alike, before they have read the study
LEAST_BLAMED = 0.05  # but not where it holds less than this share: others have filled it


class _Worker:
    """The pool's side of a worker: its process, its pipe, and what is left of its batch."""

    def __init__(self, shared: Shared, keeper: Keeper, group: int) -> None:
        self.group, self.batch, self.given_back = group, list[Run](), list[Run]()
        self.is_ready = False
        self._received = self._before = 0
        self._keeper = keeper
        self.link, theirs = linked()
        self._trace = tempfile.TemporaryFile()  # noqa: SIM115
        with theirs, marks_file() as marks:
            self._marks = Marks(marks.fileno())
            descriptors = (theirs, shared.file, marks, self._trace)
            self._pid = keeper.fork(group, *(d.fileno() for d in descriptors))

    def give(self, runs: list[Run]) -> None:
        self.batch, self._before = list(runs), self._received
        self.link.send(Batch(runs, self._received, STOP_SECONDS))

    def receive(self) -> list[Record]:
        """What it has sent: that it is ready, or why it never will be, or records."""
        records: list[Record] = []
        for message in self.link.arrived():
            if isinstance(message, str):
                raise ExecutionError(f"A worker process cannot read the study: {message}.")
            self.is_ready = True
            records += self._taken(*message) if message else []
        if not self.batch and not self.link.is_quiet:
            raise BrokenFrame("more has come than was asked for")
        return records

    def _taken(self, records: list[Record], is_over: bool) -> list[Record]:
        """Records of the next runs of its batch, and of no others; no more may come."""
        if [r.key for r in records] != [run.key for run in self.batch[: len(records)]]:
            raise BrokenFrame("records are not those of the runs")
        self._received += len(records)
        del self.batch[: len(records)]
        if is_over:
            if not self.done:
                raise BrokenFrame("a batch is over before its first run")
            self.batch, self.given_back = [], self.batch
        return records

    @property
    def done(self) -> int:
        """How many runs of its batch are done."""
        return self._received - self._before

    def rest(self) -> list[Record]:
        """What it had sent before it ended."""
        records: list[Record] = []
        with contextlib.suppress(EOFError, OSError):
            while self.link.is_ready(0):
                records += self.receive()
        return records

    @property
    def current(self) -> int | None:
        """The place in its batch of the run that it is in."""
        place = self._marks.begun - self._received - 1
        return place if self._marks.since and 0 <= place < len(self.batch) else None

    def seconds(self) -> float:
        """How long its run has taken so far."""
        since = self._marks.since
        return time.monotonic() - since if since else 0.0

    def held(self) -> int:
        """The memory that the process of its batch holds while it is in a run."""
        return held(self._process) if self._marks.since else 0

    @property
    def has_ended(self) -> bool:
        """Whether it is gone; a process that its run has started may still hold the pipe open."""
        return bool(self.batch) and self._status() is not None

    @property
    def _process(self) -> int:
        """The process of its batch; the worker itself where that cannot fork."""
        return self._marks.process or self._pid

    def abort(self) -> None:
        """Have it write down where it is."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGABRT)
        self._status(patience=1)

    def kill(self) -> None:
        """Kill it, with all that its algorithms have started."""
        for group in {self._process, self._pid}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)

    def end(self) -> int:
        """Kill it unless it is dying already; return the exit status of its process."""
        status = self._status(patience=0.1)
        self.kill()
        status = self._status(patience=5) if status is None else status
        of_process = self._marks.status
        status = status if of_process is None else of_process
        return -signal.SIGKILL if status is None else status

    def _status(self, patience: float = 0.0) -> int | None:
        if self._ended is None:
            self._ended = self._keeper.status(self._pid, patience=patience)
        return self._ended

    _ended: int | None = None

    def trace(self) -> str:
        """Where it was when it ended, if that could still be written."""
        self._trace.seek(0)
        text = self._trace.read().decode(errors="replace").partition("Current thread")[2]
        return text.partition("\n\n")[0].partition("\n")[2][:LONGEST_TRACEBACK]

    def close(self) -> None:
        """Kill it, and let go of all that was its own."""
        self.kill()
        self.link.close()
        self._trace.close()


class Pool:
    """Several workers on this machine; they read the plan from a shared file."""

    seconds = BATCH_SECONDS
    guess = BATCH_SECONDS / TRIAL_RUNS  # of a run of which nobody knows: more is given back

    def __init__(
        self, shared: Shared, keeper: Keeper, workers: int, limits: Limits, *, fresh: bool = False
    ) -> None:
        """`fresh` gives every run a process of its own."""
        self.workers, self.ahead = workers, 2 * workers
        self._shared, self._keeper, self._limits, self._fresh = shared, keeper, limits, fresh
        self._stillborn: list[int] = []
        self._queue: deque[list[Run]] = deque()
        self._workers: list[_Worker] = []
        self._records: list[Record] = []
        self._tried: set[bytes] = set()
        self._deadly: set[str] = set()
        self._looked = 0.0

    def submit(self, runs: list[Run]) -> None:
        """Take a batch of one algorithm; runs that may end their process go one by one."""
        alone = self._fresh or any(run.algorithm in self._deadly for run in runs)
        self._queue += [[run] for run in runs] if alone else [runs]

    @property
    def waiting(self) -> int:
        """How many batches were submitted and not yet wholly returned."""
        return len(self._queue) + len(self._busy)

    @property
    def _busy(self) -> list[_Worker]:
        return [w for w in self._workers if w.batch]

    def finished(self, patience: float = float("inf")) -> list[Record]:
        """Wait until something is finished, at most so many seconds, and return it."""
        deadline = time.monotonic() + patience
        while self.waiting and not self._records and time.monotonic() < deadline:
            self._hand_out()
            self._receive()
            self._look()
        self._hand_out()
        records, self._records = self._records, []
        return records

    def cancel(self) -> list[Record]:
        """Kill the workers, and return what is finished already."""
        self._queue.clear()
        self.close()
        records, self._records = self._records, []
        return records

    def close(self) -> None:
        """Kill the workers."""
        for worker in self._workers:
            worker.close()
        self._workers = []

    # -- handing out and taking ---------------------------------------------------------------

    def _hand_out(self) -> None:
        while self._queue and len(self._busy) < self.workers:
            runs = self._queue.popleft()
            worker = self._worker_for(self._shared.groups[runs[0].algorithm])
            try:
                worker.give(runs)
            except OSError:
                self._bury(worker)

    def _worker_for(self, group: int) -> _Worker:
        """A worker of this group with nothing to do, the one that was busy last, or a new one."""
        idle = [w for w in self._workers if not w.batch]
        for worker in reversed(idle):
            if worker.group == group:
                self._workers.remove(worker)
                self._workers.append(worker)
                return worker
        for worker in idle[: max(0, len(idle) + 1 - MOST_IDLE * self.workers)]:
            self._remove(worker)
        self._workers.append(_Worker(self._shared, self._keeper, group))
        return self._workers[-1]

    def _remove(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.close()

    def _receive(self) -> None:
        by_descriptor = {w.link.fileno(): w for w in self._workers}
        pipes = select.poll()
        for descriptor in by_descriptor:
            pipes.register(descriptor, select.POLLIN)
        for descriptor, _ in pipes.poll(1000 * TICK_SECONDS):
            worker = by_descriptor[descriptor]
            try:
                self._records += worker.receive()
            except BrokenFrame:
                self._bury(worker, garbled())
            except (EOFError, OSError):
                self._bury(worker)
            else:
                self._stillborn = []
                self._take_back(worker)

    def _take_back(self, worker: _Worker) -> None:
        """Hand out again what a batch had no time for: as many at a time as it did."""
        runs, worker.given_back = worker.given_back, []
        self._queue += [runs[i : i + worker.done] for i in range(0, len(runs), worker.done or 1)]

    # -- death and limits ---------------------------------------------------------------------

    def _look(self) -> None:
        """Bury the dead, and end who exceeds a limit."""
        if time.monotonic() - self._looked < TICK_SECONDS:
            return
        for worker in list(self._workers):
            if worker.has_ended:
                self._bury(worker)
            elif (limit := self._limits.seconds) and worker.seconds() > limit:
                self._bury(worker, took_too_long(limit), final=True)
            elif (most := self._limits.memory) and (used := worker.held()) > most:
                self._bury(worker, held_too_much(used, most))
        self._guard()
        self._looked = time.monotonic()

    def _guard(self) -> None:
        """End the largest worker before the machine runs out of memory."""
        left, total = left_and_total()
        if left > min(total / 10, LEAST_LEFT) or not self._workers:
            return
        worker = max(self._workers, key=_Worker.held)
        if (used := worker.held()) > LEAST_BLAMED * total:
            self._bury(worker, exhausted_machine(used, left))

    def _bury(self, worker: _Worker, why: Failure | None = None, *, final: bool = False) -> None:
        """End a worker: its run is blamed, the rest of its batch is handed out again."""
        place = worker.current  # before it is ended: it may reach the next run meanwhile
        seconds = worker.seconds()
        if final:
            worker.abort()
        if why:
            worker.kill()
        status, trace, before = worker.end(), worker.trace(), len(worker.batch)
        self._records += worker.rest()
        place = None if place is None else place - (before - len(worker.batch))
        blamed = worker.batch.pop(place) if place is not None and place >= 0 else None
        if not blamed and worker.batch and not final:
            blamed = self._suspect(worker, status, trace)
        self._remove(worker)
        if worker.batch:
            self._queue.appendleft(worker.batch)
        if blamed:
            failure = why or died(status)
            text = f"{failure.traceback}{trace}"
            self._blame(blamed, replace(failure, traceback=text), seconds, final)

    def _suspect(self, worker: _Worker, status: int, trace: str) -> Run | None:
        """The run to blame for a death outside of runs: the only one, or nobody yet.

        Runs that had the process together are tried one by one. One that never got as far as to
        read the study is nobody's fault; but that happens a few times at most.
        """
        if not worker.is_ready:
            same = [s for s in self._stillborn if s == status]
            self._stillborn = [*same, status]  # who kills at random is not the study's fault
            if len(self._stillborn) >= MOST_STILLBORN:
                raise ExecutionError(_stillborn(died(status), trace))
            return None
        if len(worker.batch) == 1:
            return worker.batch.pop()
        self._queue.extendleft([run] for run in reversed(worker.batch))
        worker.batch = []
        return None

    def _blame(self, run: Run, failure: Failure, seconds: float, final: bool) -> None:
        """Note a failure, or try the run again, with a process of its own.

        The second trial tells the guilty from those whom somebody else has killed, or whose
        process an earlier run had damaged or filled. An algorithm that is known as guilty gets
        none.
        """
        known = run.key in self._tried or run.algorithm in self._deadly
        if not final and not known:
            self._tried.add(run.key)
            self._queue.appendleft([run])
            return
        if not final:
            self._deadly.add(run.algorithm)
        self._records.append(failed(run, failure, seconds))


def _stillborn(failure: Failure, trace: str) -> str:
    """Why no worker can begin."""
    how = failure.message.replace("The run's process", "the last one")
    lines = [line.strip() for line in trace.splitlines() if line.strip()]
    importing = [line for line in lines if line.endswith("in <module>")]  # the innermost is first
    where = f" at {(importing or lines)[0]}" if lines else ""
    return (
        f"{MOST_STILLBORN} worker processes in a row ended while they read the study, {how[:-1]}"
        f"{where}. What is done is kept; see that the packages of its algorithms can be imported."
    )
