"""A pool of worker processes that knows which run each of them is in.

A worker that dies, or is ended as its run exceeds a limit, costs that run only: it becomes a
failure, the rest of its batch is handed out again, and another worker takes its place.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import wait
from pathlib import Path

from podium.base.errors import ExecutionError
from podium.design.study import Run
from podium.execution.keepers import Keeper
from podium.execution.limits import (
    Limits,
    died,
    exhausted_machine,
    failed,
    held_too_much,
    took_too_long,
)
from podium.execution.machine import held, left_and_total
from podium.execution.run import LONGEST_TRACEBACK
from podium.execution.shared import PLAN
from podium.execution.workers import Marks
from podium.store import Failure, Record

TICK_SECONDS = 0.1  # how often limits are looked at; a process fills about a GB per second
LEAST_LEFT = 4e9  # less memory, or less than a tenth of it, and the largest worker is ended
MOST_STILLBORN = 5  # workers in a row that end, all alike, before they have read the study
LEAST_BLAMED = 0.05  # but not where it holds less than this share: others have filled it


class _Worker:
    """The pool's side of a worker: its process, its pipe, and what is left of its batch."""

    def __init__(self, folder: Path, keeper: Keeper) -> None:
        name = uuid.uuid4().hex  # several pools may share a folder
        self.batch: list[Run] = []
        self.is_ready = False
        self._received = 0
        self._keeper, self._trace = keeper, folder / f"{name}.trace"
        self._marks = Marks(folder / f"{name}.marks")
        self.connection, self._pid = keeper.fork(folder, name)

    def give(self, runs: list[Run]) -> None:
        self.batch = list(runs)
        self.connection.send(runs)

    def receive(self) -> list[Record]:
        """What it sends: that it is ready, or why it never will be, or records."""
        message = self.connection.recv()
        if isinstance(message, str):
            raise ExecutionError(f"A worker process cannot read the study: {message}.")
        self.is_ready = True
        records: list[Record] = message or []
        self._received += len(records)
        del self.batch[: len(records)]
        return records

    def rest(self) -> list[Record]:
        """What it had sent before it ended."""
        found: list[Record] = []
        with contextlib.suppress(EOFError, OSError):
            while self.connection.poll():
                found += self.receive()
        return found

    @property
    def current(self) -> int | None:
        """The place in its batch of the run that it is in."""
        return self._marks.begun - self._received - 1 if self._marks.since else None

    def seconds(self) -> float:
        """How long its run has taken so far."""
        since = self._marks.since
        return time.monotonic() - since if since else 0.0

    def held(self) -> int:
        """The memory that it holds while it is in a run."""
        return held(self._pid) if self._marks.since else 0

    @property
    def has_ended(self) -> bool:
        """Whether it is gone; a process that its run has started may still hold the pipe open."""
        return self._keeper.status(self._pid) is not None

    def abort(self) -> None:
        """Have it write down where it is."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGABRT)
        self._keeper.status(self._pid, patience=1)

    def kill(self) -> None:
        """Kill it, with all that its algorithms have started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)

    def end(self) -> int:
        """Kill it unless it is dying already; return its exit status."""
        status = self._keeper.status(self._pid, patience=0.1)
        self.kill()
        status = self._keeper.status(self._pid, patience=5) if status is None else status
        return -signal.SIGKILL if status is None else status

    def trace(self) -> str:
        """Where it was when it ended, if that could still be written."""
        with contextlib.suppress(OSError):
            said = self._trace.read_text(errors="replace").partition("Current thread")[2]
            return said.partition("\n\n")[0].partition("\n")[2][:LONGEST_TRACEBACK]
        return ""


class Pool:
    """Several worker processes on this machine; they read the plan from a folder."""

    seconds = 0.25

    def __init__(
        self,
        folder: Path,
        keeper: Keeper,
        workers: int,
        limits: Limits,
        *,
        fresh: bool = False,
        restore: Callable[[], None] | None = None,
    ) -> None:
        """`fresh` gives every run a process of its own; `restore` makes a folder that is gone."""
        self.workers, self.ahead = workers, 2 * workers
        self.restored = 0
        self._fresh, self._restore = fresh, restore
        self._stillborn: list[int] = []
        self._folder, self._keeper, self._limits = folder, keeper, limits
        self._queue: deque[list[Run]] = deque()
        self._workers: list[_Worker] = []
        self._found: list[Record] = []
        self._tried: set[bytes] = set()
        self._deadly: set[str] = set()
        self._looked = 0.0

    def submit(self, runs: list[Run]) -> None:
        """Take a batch to be executed; runs that may end their process go one by one."""
        alone = self._fresh or any(run.algorithm in self._deadly for run in runs)
        self._queue += [[run] for run in runs] if alone else [runs]

    @property
    def waiting(self) -> int:
        """How many batches were submitted and not yet wholly returned."""
        return len(self._queue) + sum(bool(w.batch) for w in self._workers)

    def finished(self, patience: float = float("inf")) -> list[Record]:
        """Wait until something is finished, at most so many seconds, and return it."""
        deadline = time.monotonic() + patience
        while self.waiting and not self._found and time.monotonic() < deadline:
            self._hand_out()
            self._receive()
            self._look()
        self._hand_out()
        found, self._found = self._found, []
        return found

    def cancel(self) -> list[Record]:
        """Kill the workers, and return what is finished already."""
        self._queue.clear()
        self.close()
        found, self._found = self._found, []
        return found

    def close(self) -> None:
        """Kill the workers."""
        for worker in self._workers:
            worker.kill()
        self._workers = []

    # -- handing out and taking ---------------------------------------------------------------

    def _hand_out(self) -> None:
        while self._queue and (worker := self._free()):
            self._give(worker, self._queue.popleft())

    def _give(self, worker: _Worker, runs: list[Run]) -> None:
        try:
            worker.give(runs)
        except OSError:
            self._bury(worker)

    def _free(self) -> _Worker | None:
        """A worker that has nothing to do, started where there is room for one."""
        idle = next((w for w in self._workers if not w.batch), None)
        return self._started() if idle is None and len(self._workers) < self.workers else idle

    def _started(self) -> _Worker:
        if self._restore and not (self._folder / PLAN).exists():
            self._restore()
            self.restored += 1
        self._workers.append(_Worker(self._folder, self._keeper))
        return self._workers[-1]

    def _receive(self) -> None:
        by_connection = {w.connection: w for w in self._workers}
        for connection in wait(list(by_connection), TICK_SECONDS):
            worker = by_connection[connection]  # type: ignore[index]
            try:
                self._found += worker.receive()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            self._stillborn = []
            if self._fresh and not worker.batch:
                worker.kill()
                self._workers.remove(worker)

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
        if final:
            worker.abort()
        if why:
            worker.kill()
        status = worker.end()
        self._workers.remove(worker)
        before = len(worker.batch)
        self._found += worker.rest()
        place = None if place is None else place - (before - len(worker.batch))
        blamed = worker.batch.pop(place) if place is not None and place >= 0 else None
        if not blamed and not why:
            blamed = self._suspect(worker, status)
        if worker.batch:
            self._queue.appendleft(worker.batch)
        if blamed:
            failure = why or died(status)
            text = f"{failure.traceback}{worker.trace()}"
            self._blame(blamed, replace(failure, traceback=text), worker.seconds(), final)

    def _suspect(self, worker: _Worker, status: int) -> Run | None:
        """The run to blame for a death outside of runs: the only one, or nobody yet.

        Runs that had the process together are tried one by one. One that never got as far as to
        read the study is nobody's fault; but that happens a few times at most.
        """
        if not worker.is_ready:
            same = [s for s in self._stillborn if s == status]
            self._stillborn = [*same, status]  # who kills at random is not the study's fault
            if len(self._stillborn) >= MOST_STILLBORN:
                raise ExecutionError(_stillborn(died(status), worker.trace()))
            return None
        if len(worker.batch) == 1:
            return worker.batch.pop()
        self._queue.extendleft([run] for run in reversed(worker.batch))
        worker.batch = []
        return None

    def _blame(self, run: Run, failure: Failure, seconds: float, final: bool) -> None:
        """Note a failure, or try the run again as the first of a fresh process.

        The second trial tells the guilty from those whom somebody else has killed, or whose
        process an earlier run had damaged or filled. An algorithm that was found guilty gets none.
        """
        known = run.key in self._tried or run.algorithm in self._deadly
        if not final and not known:
            self._tried.add(run.key)
            self._give(self._started(), [run])
            return
        if not final:
            self._deadly.add(run.algorithm)
        self._found.append(failed(run, failure, seconds))


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
