"""The keeper: a process that has loaded what all workers need, and forks them in milliseconds.

It has no threads and runs nothing of a study, so that forking is safe; what studies bring is loaded
by the workers themselves. It also knows with which status each worker has ended. When a call ends,
its keeper is left to the next one.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

import podium
from podium.core.base.errors import ExecutionError
from podium.running.design.data.datasets import dataset
from podium.running.design.study import Study
from podium.running.execution.run import Plan, execute_batch
from podium.running.execution.shared import InMemory, loaded_modules
from podium.running.execution.workers import work

KEEPER_IDLE_SECONDS = 600  # then it ends: its pool may be forgotten; it is started when needed
MOST_STARTS = 5
REHEARSED = 12  # runs: after eight calls Python has a function's code in its final form
SIZE = 8  # bytes of a number between a pool and its keeper
MOST_DESCRIPTORS = 8
STILL_RUNS = 1 << 30  # no status of a process
_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB")
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in _LIBRARIES}
# not multiprocessing: that runs the user's script again where it has no `if __name__` guard
_START = (
    "import gc; gc.disable(); "  # what is loaded is no garbage: to look takes a quarter longer
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "  # behind -P: not of this folder
    "from podium.running.execution.keepers import keep; keep(sys.argv[2])"
)


class Keeper:
    """The pools' side of a keeper; it starts when needed."""

    def __init__(self, modules: list[str]) -> None:
        if not hasattr(os, "fork"):
            raise ExecutionError(
                "Several jobs, limits and clusters need Linux or macOS (on Windows: WSL). Use "
                "jobs=0 from Python here."
            )
        self._modules = modules
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._trace = tempfile.TemporaryFile()  # noqa: SIM115

    def has(self, modules: list[str]) -> bool:
        """Whether it runs and has loaded these."""
        return self._is_alive and set(self._modules) >= set(modules)

    def warm_up(self) -> None:
        """Begin to load what workers need; `fork` waits for it."""
        if not self._is_alive:
            self._start()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, json.dumps(_path()), str(theirs.fileno())],
                env=os.environ | _ONE_THREAD,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # what algorithms write past Python goes nowhere
                stderr=self._trace,
                pass_fds=(theirs.fileno(),),
                process_group=0,
            )
        with contextlib.suppress(OSError):  # it may be dead already, which `fork` will notice
            _send(self._control, self._modules)

    def fork(self, group: int, *descriptors: int) -> int:
        """A new worker with these descriptors: the number of its process."""
        request = [group, _path(), _cwd(), dict(os.environ)]
        with self._lock:
            # one that was killed, or has had nothing to do for long, is replaced
            pid = self._answer(request, descriptors) if self._is_alive else None
            return pid or self._answer_of_another(request, descriptors)

    def _answer_of_another(self, request: list[Any], descriptors: tuple[int, ...]) -> int:
        for _ in range(MOST_STARTS):  # somebody may kill it while it loads
            self._end()
            self._start()
            if pid := self._answer(request, descriptors):
                return pid
            assert self._process is not None
            if self._process.wait() >= 0:
                break  # it ended by itself, and would again
        self._trace.seek(0)
        last = self._trace.read().decode(errors="replace").strip().rpartition("\n")[2]
        raise ExecutionError(f"A worker process cannot start: {last or 'it was killed'}.")

    def _answer(self, request: Any, descriptors: tuple[int, ...] = ()) -> int | None:
        """The number that the keeper answers; None where there is nobody to do so."""
        with contextlib.suppress(OSError):
            _send(self._control, request, descriptors)
            if answer := self._control.recv(SIZE):
                return int.from_bytes(answer, "little", signed=True)
        return None

    def status(self, pid: int, *, patience: float = 0.0) -> int | None:
        """How a worker has ended, as `subprocess` says it; None as long as that is not known."""
        deadline = time.monotonic() + patience
        while True:
            with self._lock:
                status = self._answer(pid) if self._is_alive else None
            if status != STILL_RUNS or time.monotonic() >= deadline:
                return None if status == STILL_RUNS else status
            time.sleep(0.005)

    @property
    def _is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _end(self) -> None:
        if self._process:
            self._control.close()
            self._process.kill()
            self._process.wait()
        self._process = None

    def close(self) -> None:
        """End it."""
        self._end()
        self._trace.close()


def _send(control: socket.socket, request: Any, descriptors: tuple[int, ...] = ()) -> None:
    content = json.dumps(request).encode()
    socket.send_fds(control, [len(content).to_bytes(SIZE, "little")], list(descriptors))
    control.sendall(content)


_spare: list[Keeper] = []  # of this process: one at most, loaded and idle
_spares = threading.Lock()


def take() -> Keeper:
    """A keeper for a pool, if possible the one that an earlier call has left."""
    with _spares:
        left = _spare.pop() if _spare else None
    modules = loaded_modules()
    if left is not None:
        if left.has(modules):
            return left
        left.close()
    return Keeper(modules)


def give_back(keeper: Keeper) -> None:
    """Leave a keeper to the next call: to load all libraries anew takes a second."""
    if not keeper.has([]):
        keeper.close()
        return
    with _spares:
        _spare.append(keeper)
        left = _spare[:-1]
        del _spare[:-1]
    for other in left:  # of a call in another thread
        other.close()


@atexit.register
def forget() -> None:
    """End the keeper that is left."""
    while _spare:
        _spare.pop().close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_spare.clear)  # it serves its parent


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:  # somebody has removed it
        return ""


def _path() -> list[str]:
    """Where this process finds modules, Podium last if it was found in no such place."""
    home = str(Path(podium.__file__).parent.parent)
    places = [str(p) for p in sys.path]
    return places if home in places else [*places, home]


# -- the keeper's own process ---------------------------------------------------------------------


_workers: dict[int, int] = {}  # those that were forked, and how they have ended


def keep(handle: str) -> None:
    """Fork workers for a pool until it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=int(handle))
    with contextlib.suppress(OSError):
        modules, _ = _request(control)
        _load(modules)
        _rehearse()
        signal.signal(signal.SIGCHLD, lambda *_: _reap())
        gc.freeze()  # what is shared with all workers stays shared
        gc.enable()
        control.settimeout(KEEPER_IDLE_SECONDS)
        while _has_answered(control):
            pass
    for pid, status in _workers.items():  # one may be stuck in what a study has it import
        if status == STILL_RUNS:
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)


def _load(modules: list[str]) -> None:
    """Load what the driver has loaded of the packages that are safe to fork."""
    for module in modules:
        with contextlib.suppress(Exception):
            importlib.import_module(module)


def _rehearse() -> None:
    """Execute a few runs of Podium's own: what is done for the first time, in every new process,
    takes twice as long as the rest of a fork."""
    from sklearn.dummy import DummyClassifier

    data = dataset("rehearsal", np.arange(40.0).reshape(20, 2), np.arange(20) % 2)
    study = Study(data, {"constant": DummyClassifier()}, sampling=f"bootstrap:{REHEARSED}")
    algorithms = {a.name: a for a in study.algorithms}
    plan = Plan(InMemory({"rehearsal": data}), algorithms, study.sampler, study.measures, False)
    execute_batch(plan, list(study))


def _request(control: socket.socket) -> tuple[Any, list[int]]:
    """What a pool asks for, with descriptors; None where it is gone."""
    size, descriptors, *_ = socket.recv_fds(control, SIZE, MOST_DESCRIPTORS)
    return json.loads(_received(control, int.from_bytes(size, "little")) or "null"), descriptors


def _has_answered(control: socket.socket) -> bool:
    """Whether something was asked for: the status of a worker, or a new one."""
    request, descriptors = _request(control)
    if request is None:
        return False
    answer = _status(request) if isinstance(request, int) else _fork(control, request, descriptors)
    control.sendall(answer.to_bytes(SIZE, "little", signed=True))
    return True


def _status(pid: int) -> int:
    status = _workers.get(pid, STILL_RUNS)  # of another keeper: nobody knows
    if status != STILL_RUNS:
        del _workers[pid]
    return status


def _fork(control: socket.socket, request: list[Any], descriptors: list[int]) -> int:
    # one that ends at once is not to be reaped before it is known
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    pid = os.fork()
    if pid == 0:
        control.close()
        _become_worker(descriptors, *request)
    _workers[pid] = STILL_RUNS
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    for descriptor in descriptors:
        os.close(descriptor)
    with contextlib.suppress(OSError):
        os.setpgid(pid, pid)  # the worker does so too: whoever comes first
    return pid


def _received(control: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size and (part := control.recv(size - len(parts))):
        parts += part
    return bytes(parts)


def _become_worker(
    descriptors: list[int], group: int, path: list[str], cwd: str, env: dict[str, str]
) -> None:
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        sys.path[:] = path
        # the keeper may have been started by an earlier call, from elsewhere
        os.environ.clear()
        os.environ.update(env | _ONE_THREAD)
        with contextlib.suppress(OSError):
            os.chdir(cwd)
        os.setpgid(0, 0)  # to be killed with all that it has started
        work(group, *descriptors)
    finally:
        os._exit(1)


def _reap() -> None:
    """Note how workers have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            _workers[ended[0]] = os.waitstatus_to_exitcode(ended[1])
