"""A worker: it has loaded a study's plan, runs nothing itself, and forks a process for each batch.

That process is thrown away with the batch, and with all that its algorithm did to it: the next one
begins where this one began.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import hashlib
import mmap
import os
import pickle
import select
import signal
import socket
import struct
import tempfile
import threading
import time
from dataclasses import dataclass
from os import getpid  # as it is now: an algorithm may replace it
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from podium.reading.store import Record
from podium.running.design.study import Run
from podium.running.execution.machine import LOST
from podium.running.execution.run import Plan, become_worker, execute_runs
from podium.running.execution.shared import Content, shared_plan

# -- messages -----------------------------------------------------------------------------------
# Messages between a pool and its workers: frames that say how long they are, each with a digest.
#
# An algorithm may write into descriptors that are not its own. What is not a whole frame is never
# unpickled: it is a dead worker, and no more.


_HEADER = struct.Struct("<8sQ16s")  # a mark, the length of what follows, its digest
_MARK = b"podium\x00\x01"
_CHUNK = 1 << 18


class BrokenFrame(OSError):
    """Something else than a worker has written into its pipe."""


class Link:
    """One end of the pipe between a pool and a worker."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._buffer = bytearray()

    def fileno(self) -> int:
        """The descriptor, for those who wait."""
        return self._end.fileno()

    def send(self, message: Any) -> None:
        """Send a whole message; OSError where nobody can receive it."""
        content = pickle.dumps(message, protocol=5)
        self._end.sendall(_HEADER.pack(_MARK, len(content), _digest(content)) + content)

    def receive(self) -> Any:
        """Wait for one message; EOFError where the other end is gone."""
        while not (messages := self._whole(most=1)):
            self._fill()
        return messages[0]

    def arrived(self) -> list[Any]:
        """The messages that have come, without waiting for the rest of one that has begun."""
        try:
            self._fill(socket.MSG_DONTWAIT)
        except BlockingIOError:
            return []
        return self._whole()

    def is_ready(self, seconds: float) -> bool:
        """Whether something comes within so many seconds, if only the end."""
        pipe = select.poll()
        pipe.register(self._end, select.POLLIN)
        return bool(pipe.poll(seconds * 1000))

    @property
    def is_quiet(self) -> bool:
        """Whether all that has come was whole messages."""
        return not self._buffer

    def close(self) -> None:
        """Close this end."""
        self._end.close()

    def __enter__(self) -> Link:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _fill(self, flags: int = 0) -> None:
        part = self._end.recv(_CHUNK, flags)
        if not part:
            raise EOFError
        self._buffer += part

    def _whole(self, most: int = 1 << 30) -> list[Any]:
        """The messages in the buffer that are complete."""
        messages: list[Any] = []
        while len(self._buffer) >= _HEADER.size and len(messages) < most:
            mark, length, digest = _HEADER.unpack_from(self._buffer)
            if mark != _MARK:
                raise BrokenFrame("a frame does not begin as frames do")
            end = _HEADER.size + length
            if len(self._buffer) < end:
                break
            content = bytes(self._buffer[_HEADER.size : end])
            if _digest(content) != digest:
                raise BrokenFrame("a frame does not have its digest")
            del self._buffer[:end]
            messages.append(pickle.loads(content))
        return messages


def linked() -> tuple[Link, socket.socket]:
    """The pool's end of a new pipe, and the worker's, to be handed over."""
    ours, theirs = socket.socketpair()
    return Link(ours), theirs


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


# -- workers ------------------------------------------------------------------------------------


WORKER_IDLE_SECONDS = 300  # then it ends: in a Dask worker nobody may need it any more
SEND_SECONDS = 0.1  # how much finished work goes down with a process
MOST_KEPT = 50_000  # bytes for the next batch: fewer than a pipe takes while nobody reads
FORK_SECONDS = 10  # how long a system that has no room for another process is asked again
TICK_SECONDS = 0.02  # how often it is asked whether a process has ended, where that must be asked
_PR_SET_PDEATHSIG = 1
_PAGE = mmap.ALLOCATIONGRANULARITY


@dataclass(frozen=True)
class Batch:
    """Runs of one algorithm, how many the worker had before, and when to give back the rest."""

    runs: list[Run]
    before: int
    seconds: float


class Marks:
    """Numbers in memory that pool and worker share: which run has begun, when; which process.

    A process that is killed cannot tell any more; a message for every run would cost too much. What
    the worker says itself, of the process that it has forked, is not in reach of that process.
    """

    def __init__(self, descriptor: int) -> None:
        maps = [mmap.mmap(descriptor, _PAGE, offset=start) for start in (0, _PAGE)]
        self._run, self._process = (np.frombuffer(m, float, 3) for m in maps)

    def begin(self, number: int) -> None:
        """Note that run `number`, counted from 1 over all batches, begins."""
        self._run[1] = time.monotonic()
        self._run[0] = number

    def rest(self) -> None:
        """Note that no run is under way."""
        self._run[1] = 0.0

    @property
    def begun(self) -> int:
        """The number of the last run that has begun."""
        return int(np.nan_to_num(self._run[0]))

    @property
    def since(self) -> float:
        """When it began; 0 where it has ended."""
        return float(np.nan_to_num(self._run[1]))

    def forked(self, pid: int) -> None:
        """Note which process executes a batch."""
        self._process[0] = pid

    def ended(self, status: int) -> None:
        """Note how it has ended before its batch was done."""
        self._process[1:] = status, 1

    def hide(self) -> None:
        """Leave what the worker says to the worker alone."""
        self._process = np.zeros(3)

    @property
    def process(self) -> int:
        """The process that executes a batch, or did so last; 0 before the first."""
        return int(self._process[0])

    @property
    def status(self) -> int | None:
        """How it ended before its batch was done; None where it did not."""
        return int(self._process[1]) if self._process[2] else None


def marks_file() -> BinaryIO:
    """A file without a name for the marks of a worker."""
    file: BinaryIO = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
    os.ftruncate(file.fileno(), 2 * _PAGE)
    return file


def work(group: int, link: int, study: int, marks: int, trace: int) -> None:
    """Work until the pool is gone, for the algorithms of one group; the rest are descriptors."""
    become_worker()
    _prepare(trace)
    noted, pool = Marks(marks), Link(socket.socket(fileno=link))
    try:
        content = Content(study)
        _let_go(study, marks)
        plan = shared_plan(content, group)
        _limit_threads()
        gc.freeze()  # what all processes share stays shared
    except BaseException as error:
        pool.send(" ".join(f"{type(error).__name__}: {error}".split()))
        os._exit(1)
    with contextlib.suppress(EOFError, OSError):  # the pool is gone
        pool.send(None)
        _serve(pool, plan, noted)
    os._exit(0)  # whatever threads imports have left behind


def _prepare(trace: int) -> None:
    """Crashes say where, and leave no other trace; if memory runs out, we are to go first."""
    import resource  # not on Windows, where there are no workers

    faulthandler.enable(trace)
    os.dup2(1, 2)  # what algorithms write past Python goes nowhere
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")


def _let_go(*descriptors: int) -> None:
    """Keep files as maps alone: through a descriptor, also Python's own copy, they can be written.

    Copies are replaced, not closed, as Python closes them once more when it ends.
    """
    files = {(s.st_dev, s.st_ino) for s in map(os.fstat, descriptors)}
    nowhere = os.open(os.devnull, os.O_RDONLY)
    for descriptor in map(int, os.listdir("/dev/fd")):
        with contextlib.suppress(OSError):  # that of the listing itself
            status = os.fstat(descriptor)
            if (status.st_dev, status.st_ino) in files:
                os.dup2(nowhere, descriptor, inheritable=False)
    os.close(nowhere)


def _limit_threads() -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)


def _serve(pool: Link, plan: Plan, marks: Marks) -> None:
    """Have batch after batch executed, until a process has not ended as it should."""
    while pool.is_ready(WORKER_IDLE_SECONDS):
        batch = cast(Batch, pool.receive())
        for name in {run.dataset for run in batch.runs}:
            plan.data.get(name)  # mapped and checked once, for all processes
        if _has_threads():
            # an import has started them, and a fork would lose them: this batch is the last
            threading.Thread(target=_end_with, args=(pool,), daemon=True).start()
            _execute(pool, plan, batch, marks)
            return
        status = _in_a_process_of_its_own(pool, plan, batch, marks)
        if status is not None:
            marks.ended(status)
            return


def _has_threads() -> bool:
    try:
        return len(os.listdir("/proc/self/task")) > 1
    except OSError:
        return threading.active_count() > 1


def _in_a_process_of_its_own(pool: Link, plan: Plan, batch: Batch, marks: Marks) -> int | None:
    """How a process has ended before its batch was done, if so; nothing that it started is left.

    Of what it computed only the fit to a whole training set is kept, for the next batch of the
    same algorithm.
    """
    back, there = linked()
    worker, pid = getpid(), _fork()
    if pid == 0:
        os.setpgid(0, 0)
        _end_after(worker)
        marks.hide()
        try:
            _execute(pool, plan, batch, marks)
            small = len(pickle.dumps(plan.apparent)) < MOST_KEPT
            Link(there).send(plan.apparent if small else {})
        except OSError:
            os._exit(LOST)  # the pipe is gone, as an algorithm has closed it
        except BaseException:
            os._exit(1)
        os._exit(0)
    with contextlib.suppress(OSError):
        os.setpgid(pid, pid)  # the process does so too: whoever comes first
    marks.forked(pid)
    status = os.waitstatus_to_exitcode(_end_of(pid, pool))
    _kill(pid)
    there.close()
    with back, contextlib.suppress(EOFError, OSError):  # nothing was sent, or something unreadable
        for kept in back.arrived():
            own = {key: value for key, value in kept.items() if key[1] == batch.runs[0].algorithm}
            plan.apparent.update(own)
            return status or None
    return status


def _fork() -> int:
    deadline = time.monotonic() + FORK_SECONDS
    while True:
        try:
            return os.fork()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _kill(group: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)


def _end_after(worker: int) -> None:
    """Have this process end when its worker is killed; only Linux can."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != worker:
        os._exit(LOST)  # it is dead already


def _end_of(pid: int, pool: Link) -> int:
    """Wait until a process has ended; kill it when the pool is gone, as a driver that is killed
    cannot say so."""
    either = select.poll()
    either.register(pool, 0)  # hangups alone
    handle = _handle(pid)
    if handle is not None:
        either.register(handle, select.POLLIN)
    while True:
        if pool.fileno() in [descriptor for descriptor, _ in either.poll(_patience(handle))]:
            _kill(pid)
            either.unregister(pool)
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            if handle is not None:
                os.close(handle)
            return status


def _patience(handle: int | None) -> float:
    return 60_000 if handle is not None else 1000 * TICK_SECONDS


def _handle(pid: int) -> int | None:
    """A descriptor that is ready when a process has ended; only Linux has it."""
    with contextlib.suppress(OSError, AttributeError):
        return os.pidfd_open(pid)
    return None


def _end_with(pool: Link) -> None:
    """End this process when the other end of its pipe is gone."""
    pipe = select.poll()
    pipe.register(pool, 0)  # hangups alone
    while not pipe.poll(60_000):
        pass
    os.killpg(0, signal.SIGKILL)  # with all that the algorithms have started


def _execute(pool: Link, plan: Plan, batch: Batch, marks: Marks) -> None:
    """Execute a batch and send its records, in order, several at a time.

    With the last ones goes the word that no more will come, though some runs may be left.
    """
    unsent: list[Record] = []
    number, sent = batch.before, time.monotonic()
    own, last, stop = getpid(), number + len(batch.runs), sent + batch.seconds
    marks.begin(number + 1)
    for record in execute_runs(plan, batch.runs):
        if getpid() != own:
            os._exit(0)  # a copy of the process that an algorithm has made, and left to go on
        number += 1
        unsent.append(record)
        is_over = number == last or time.monotonic() > stop
        if is_over or time.monotonic() - sent > SEND_SECONDS:
            marks.rest()
            pool.send((unsent, is_over))
            unsent, sent = [], time.monotonic()
        if is_over:
            return
        marks.begin(number + 1)
