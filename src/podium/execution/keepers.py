"""The keeper: a process that has loaded what all workers need, and forks them in milliseconds.

It has no threads and runs nothing, so that forking is safe; what studies bring is loaded by the
workers themselves. It also notes with which status each worker has ended. When a call ends, its
keeper is left to the next one.
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
import threading
import time
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import podium
from podium.base.errors import ExecutionError
from podium.execution.shared import MODULES
from podium.execution.workers import work

KEEPER_IDLE_SECONDS = 600  # then it ends: its pool may be forgotten; it is started when needed
MOST_STARTS = 5
PATIENCE = 5.0  # seconds with one that does not answer
SIZE = 8  # bytes of a number between a pool and its keeper
REST = bytes(SIZE)
TRACE = "keeper.trace"
_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB")
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in _LIBRARIES}
# not multiprocessing: that runs the user's script again where it has no `if __name__` guard
_START = (
    "import gc; gc.disable(); "  # what is loaded is no garbage: to look takes a quarter longer
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "  # behind -P: not of this folder
    "from podium.execution.keepers import keep; keep(*sys.argv[2:])"
)


class Keeper:
    """The pools' side of a keeper, whose folder is its own or a pool's; it starts when needed."""

    def __init__(self, folder: Path) -> None:
        if not hasattr(os, "fork"):
            raise ExecutionError(
                "Several jobs, limits and clusters need Linux or macOS (on Windows: WSL). Use "
                "jobs=1 from Python here."
            )
        self._folder = folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._loaded: set[str] = set()
        self._has_forked = False

    def move(self, folder: Path) -> bool:
        """Serve a pool with another folder from now on; false where another keeper does better."""
        self._folder, self._has_forked = folder, False
        return self._is_alive and self._loaded >= set(_wanted(folder))

    def warm_up(self) -> None:
        """Begin to load what workers need; `fork` waits for it."""
        if not self._is_alive:
            self._start()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        self._folder.mkdir(parents=True, exist_ok=True)  # somebody may have tidied up
        self._loaded = set(_wanted(self._folder))
        with theirs, (self._folder / TRACE).open("wb") as trace:
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
        where = [str(self._folder), str(folder), name]
        request = json.dumps([*where, _path(), _cwd(), dict(os.environ)]).encode()
        self._has_forked = True
        ours, theirs = Pipe()
        with theirs, self._lock:
            # one that was killed, or has had nothing to do for long, is replaced
            pid = self._asked(request, theirs) if self._is_alive else 0
            return ours, pid or self._asked_anew(request, theirs)

    def _asked_anew(self, request: bytes, theirs: Connection[Any, Any]) -> int:
        for _ in range(MOST_STARTS):  # somebody may kill it while it loads
            self.close()
            self._start()
            if pid := self._asked(request, theirs):
                return pid
            assert self._process is not None
            if self._process.wait() >= 0:
                break  # it ended by itself, and would again
        trace = self._folder / TRACE
        said = trace.read_text(errors="replace").strip().rpartition("\n")[2]
        raise ExecutionError(f"A worker process cannot start: {said or 'it was killed'}.")

    def _asked(self, request: bytes, theirs: Connection[Any, Any]) -> int:
        """The number of the new process; 0 where nobody answers."""
        with contextlib.suppress(OSError):
            size = len(request).to_bytes(SIZE, "little")
            socket.send_fds(self._control, [size], [theirs.fileno()])
            self._control.sendall(request)
            return int.from_bytes(self._control.recv(SIZE), "little")
        return 0

    def rest(self) -> bool:
        """Have nothing more written into the folder, which goes; false where nobody answers."""
        if not self._has_forked:
            return self._is_alive
        with contextlib.suppress(OSError):
            self._control.settimeout(PATIENCE)
            self._control.sendall(REST)
            answer = self._control.recv(SIZE)
            self._control.settimeout(None)
            return answer == REST
        return False

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


_spare: list[Keeper] = []  # of this process: one at most, loaded and idle
_spares = threading.Lock()


def take(folder: Path) -> Keeper:
    """A keeper for a pool with this folder, if possible the one that an earlier call has left."""
    with _spares:
        left = _spare.pop() if _spare else None
    if left is not None:
        if left.move(folder):
            return left
        left.close()
    return Keeper(folder)


def give_back(keeper: Keeper) -> None:
    """Leave a keeper to the next call: to load all libraries anew takes a second."""
    if not keeper.rest():
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
    found = [str(p) for p in sys.path]
    return found if home in found else [*found, home]


# -- the keeper's own process ---------------------------------------------------------------------


_homes: dict[int, Path] = {}  # where the end of a worker is written down


def keep(folder: str, handle: str) -> None:
    """Fork workers for a pool until it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=int(handle))
    control.settimeout(KEEPER_IDLE_SECONDS)
    _load(Path(folder))
    signal.signal(signal.SIGCHLD, lambda *_: _reap())
    gc.freeze()  # what is shared with all workers stays shared
    gc.enable()
    with contextlib.suppress(OSError):
        while _forked(control):
            pass


def _load(folder: Path) -> None:
    """Load what the driver has loaded of the packages that are safe to fork."""
    for module in _wanted(folder):
        with contextlib.suppress(Exception):
            importlib.import_module(module)


def _wanted(folder: Path) -> list[str]:
    """The modules that a keeper for this folder is to load."""
    with contextlib.suppress(OSError):
        return json.loads((folder / MODULES).read_text())
    return []


def _forked(control: socket.socket) -> bool:
    """Whether something was asked for, and is done: that a worker is on its way, as a rule."""
    size, descriptors, *_ = socket.recv_fds(control, SIZE, 1)
    if size == REST:
        _homes.clear()
        control.sendall(REST)
        return True
    if not descriptors:
        return False
    home, *request = json.loads(_received(control, int.from_bytes(size, "little")))
    # one that ends at once is not to be reaped before it is known where its end is written down
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    pid = os.fork()
    if pid == 0:
        control.close()
        _become_worker(descriptors[0], *request)
    _homes[pid] = Path(home)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    os.close(descriptors[0])
    with contextlib.suppress(OSError):
        os.setpgid(pid, pid)  # the worker does so too: whoever comes first
    control.sendall(pid.to_bytes(SIZE, "little"))
    return True


def _received(control: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size and (part := control.recv(size - len(parts))):
        parts += part
    return bytes(parts)


def _become_worker(
    descriptor: int, folder: str, name: str, path: list[str], cwd: str, env: dict[str, str]
) -> None:
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        sys.path[:] = path
        # the keeper may have been started by an earlier call, from elsewhere
        os.environ.clear()
        os.environ.update(env | _ONE_THREAD)
        with contextlib.suppress(OSError):
            os.chdir(cwd)
        os.setpgid(0, 0)  # to be killed with all that its algorithms start
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        work(Path(folder), name, Connection(descriptor))
    finally:
        os._exit(1)


def _reap() -> None:
    """Write down how workers have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            pid, status = ended
            if home := _homes.pop(pid, None):
                with contextlib.suppress(OSError):  # no folder any more
                    (home / f"{pid}.status").write_text(str(os.waitstatus_to_exitcode(status)))
