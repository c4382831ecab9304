"""What a worker process does: it executes batches of runs for a pool, and says where it is."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import select
import signal
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from podium.design.study import Run
from podium.execution.limits import LOST
from podium.execution.run import FolderGone, Plan, become_worker, execute_runs
from podium.execution.shared import PLAN, shared_plan
from podium.store import Record

WORKER_IDLE_SECONDS = 300  # then it ends: in a Dask worker nobody may need it any more
SEND_SECONDS = 0.1  # how much finished work goes down with a worker


class Marks:
    """Two numbers in a file that pool and worker both map: which run has begun, and when.

    A worker that is killed cannot tell any more; a message for every run would cost too much.
    """

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(bytes(16))
        self._numbers = np.asarray(np.memmap(file, dtype=float, mode="r+", shape=(2,)))

    def begin(self, number: int) -> None:
        """Note that run `number`, counted from 1 over all batches, begins."""
        self._numbers[1] = time.monotonic()
        self._numbers[0] = number

    def rest(self) -> None:
        """Note that no run is under way."""
        self._numbers[1] = 0.0

    @property
    def begun(self) -> int:
        """The number of the last run that has begun."""
        return int(self._numbers[0])

    @property
    def since(self) -> float:
        """When it began; 0 where it has ended."""
        return float(self._numbers[1])


def work(folder: Path, name: str, connection: Connection[Any, Any]) -> None:
    """Work until the pool is gone; its folder has the plan."""
    become_worker()
    _prepare(folder / f"{name}.trace", connection)
    try:
        plan = shared_plan(folder)
        _limit_threads()
    except BaseException as error:
        connection.send(" ".join(f"{type(error).__name__}: {error}".split()))
        os._exit(1)
    status = 0
    try:
        connection.send(None)
        _serve(connection, plan, Marks(folder / f"{name}.marks"))
    except FolderGone:
        (folder / PLAN).unlink(missing_ok=True)  # so that the pool makes all of it again
        status = 1
    except (EOFError, OSError):
        status = LOST  # the pool is gone; or the pipe alone, as an algorithm has closed it
    os._exit(status)  # whatever threads the algorithms have left behind


def _prepare(trace: Path, connection: Connection[Any, Any]) -> None:
    """Crashes say where, and leave no other trace; if memory runs out, we are to go first."""
    import resource  # not on Windows, where there are no workers

    where = os.open(trace, os.O_WRONLY | os.O_CREAT)
    faulthandler.enable(where)
    os.dup2(1, 2)  # what algorithms write past Python goes nowhere
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")
    threading.Thread(target=_end_with, args=(connection,), daemon=True).start()


def _end_with(connection: Connection[Any, Any]) -> None:
    """End this worker when the other end of its pipe is gone; a killed driver cannot say so."""
    pipe = select.poll()
    pipe.register(connection.fileno(), 0)  # hangups alone
    while not pipe.poll(60_000):
        pass
    os.killpg(0, signal.SIGKILL)  # with all that the algorithms have started


def _limit_threads() -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)


def _serve(connection: Connection[Any, Any], plan: Plan, marks: Marks) -> None:
    number = 0
    while connection.poll(WORKER_IDLE_SECONDS):
        runs: list[Run] = connection.recv()
        _execute(connection, plan, runs, marks, number)
        number += len(runs)


def _execute(
    connection: Connection[Any, Any], plan: Plan, runs: list[Run], marks: Marks, number: int
) -> None:
    """Execute a batch and send its records, in order, several at a time."""
    unsent: list[Record] = []
    last, sent = number + len(runs), time.monotonic()
    marks.begin(number + 1)
    for record in execute_runs(plan, runs):
        number += 1
        unsent.append(record)
        if number == last or time.monotonic() - sent > SEND_SECONDS:
            marks.rest()
            connection.send(unsent)
            unsent, sent = [], time.monotonic()
        if number < last:
            marks.begin(number + 1)
