"""Worker processes: the keeper that forks them in milliseconds, and what they do.

The keeper has loaded what all workers need. It has no threads and runs nothing, so that forking is
safe; what studies bring is loaded by the workers themselves. It also notes with which status each
worker has ended. A worker executes batches of runs for a pool, and says which run it is in.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

import podium
from podium.design.study import Run
from podium.errors import ExecutionError
from podium.execution.limits import LOST
from podium.execution.run import FolderGone, Plan, become_worker, execute_runs
from podium.execution.shared import MODULES, PLAN, shared_plan
from podium.store import Record

KEEPER_IDLE_SECONDS = 600  # then it ends: its pool may be forgotten; it is started when needed
MOST_STARTS = 5
WORKER_IDLE_SECONDS = 300  # then it ends: in a Dask worker nobody may need it any more
SEND_SECONDS = 0.1  # how much finished work goes down with a worker
_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB")
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in _LIBRARIES}
# not multiprocessing: that runs the user's script again where it has no `if __name__` guard
_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "  # behind -P: not of this folder
    "from podium.execution.workers import keep; keep(*sys.argv[2:])"
)


class Keeper:
    """The pools' side of a keeper, whose folder is its own or a pool's; it starts when needed."""

    def __init__(self, folder: Path) -> None:
        if not hasattr(os, "fork"):
            raise ExecutionError(
                "Several jobs, limits and clusters need Linux or macOS (on Windows: WSL). Use "
                "jobs=1 from Python here."
            )
        self._folder, self._trace = folder, folder / "keeper.trace"
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin to load what workers need; `fork` waits for it."""
        self._control, theirs = socket.socketpair()
        self._folder.mkdir(parents=True, exist_ok=True)  # somebody may have tidied up
        with theirs, self._trace.open("wb") as trace:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-c",
                    _START,
                    json.dumps(_path()),
                    str(self._folder),
                    str(theirs.fileno()),
                ],
                env=os.environ | _ONE_THREAD,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # what algorithms write past Python goes nowhere
                stderr=trace,
                pass_fds=(theirs.fileno(),),
                process_group=0,
            )

    def fork(self, folder: Path, name: str) -> tuple[Connection[Any, Any], int]:
        """A new worker for a pool with this folder: our end of its pipe, and its process."""
        request = json.dumps([str(folder), name, _path()]).encode()
        ours, theirs = Pipe()
        with theirs, self._lock:
            # one that was killed, or has had nothing to do for long, is replaced
            pid = self._asked(request, theirs) if self._is_alive else 0
            return ours, pid or self._asked_anew(request, theirs)

    def _asked_anew(self, request: bytes, theirs: Connection[Any, Any]) -> int:
        for _ in range(MOST_STARTS):  # somebody may kill it while it loads
            self.close()
            self.start()
            if pid := self._asked(request, theirs):
                return pid
            assert self._process is not None
            if self._process.wait() >= 0:
                break  # it ended by itself, and would again
        said = self._trace.read_text(errors="replace").strip().rpartition("\n")[2]
        raise ExecutionError(f"A worker process cannot start: {said or 'it was killed'}.")

    def _asked(self, request: bytes, theirs: Connection[Any, Any]) -> int:
        """The number of the new process; 0 where nobody answers."""
        with contextlib.suppress(OSError):
            socket.send_fds(self._control, [request], [theirs.fileno()])
            return int.from_bytes(self._control.recv(8), "little")
        return 0

    def status(self, pid: int, *, patience: float = 0.0) -> int | None:
        """How a worker has ended, as `subprocess` says it; None as long as that is not known."""
        deadline = time.monotonic() + patience
        while True:
            with contextlib.suppress(OSError, ValueError):
                return int((self._folder / f"{pid}.status").read_text())
            if time.monotonic() >= deadline or not self._is_alive:
                return None
            time.sleep(0.005)

    @property
    def _is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def close(self) -> None:
        """End it."""
        if self._process:
            self._control.close()
            self._process.kill()
            self._process.wait()
        self._process = None


def _path() -> list[str]:
    """Where this process finds modules, Podium last if it was found in no such place."""
    home = str(Path(podium.__file__).parent.parent)
    found = [str(p) for p in sys.path]
    return found if home in found else [*found, home]


# -- the keeper's own process ---------------------------------------------------------------------


def keep(folder: str, handle: str) -> None:
    """Fork workers for a pool until it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=int(handle))
    control.settimeout(KEEPER_IDLE_SECONDS)
    _load(Path(folder))
    signal.signal(signal.SIGCHLD, lambda *_: _reap(Path(folder)))
    gc.collect()
    gc.freeze()  # what is shared with all workers stays shared
    with contextlib.suppress(OSError):
        while _forked(control):
            pass


def _load(folder: Path) -> None:
    """Load what the driver has loaded of the packages that are safe to fork."""
    known: list[str] = []
    with contextlib.suppress(OSError):
        known = json.loads((folder / MODULES).read_text())
    for module in known:
        with contextlib.suppress(Exception):
            importlib.import_module(module)


def _forked(control: socket.socket) -> bool:
    """Whether a worker was asked for, and is on its way."""
    request, descriptors, *_ = socket.recv_fds(control, 1 << 20, 1)
    if not descriptors:
        return False
    pid = os.fork()
    if pid == 0:
        control.close()
        _become_worker(descriptors[0], *json.loads(request))
    os.close(descriptors[0])
    with contextlib.suppress(OSError):
        os.setpgid(pid, pid)  # the worker does so too: whoever comes first
    control.sendall(pid.to_bytes(8, "little"))
    return True


def _become_worker(descriptor: int, folder: str, name: str, path: list[str]) -> None:
    try:
        sys.path[:] = path
        os.setpgid(0, 0)  # to be killed with all that its algorithms start
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        work(Path(folder), name, Connection(descriptor))
    finally:
        os._exit(1)


def _reap(folder: Path) -> None:
    """Write down how workers have ended."""
    with contextlib.suppress(OSError):  # no child, or no folder any more
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            pid, status = ended
            (folder / f"{pid}.status").write_text(str(os.waitstatus_to_exitcode(status)))


# -- a worker's process ---------------------------------------------------------------------------


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
        connection.send(f"{type(error).__name__}: {error}")
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
