"""The keeper: a process that has loaded what all workers need, and forks them in milliseconds.

It has no threads and runs nothing, so that forking is safe; what studies bring is loaded by the
workers themselves. It also notes with which status each worker has ended.
"""

from __future__ import annotations

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

from podium.errors import ExecutionError
from podium.execution.shared import MODULES

IDLE_SECONDS = 600  # then it ends, as its pool may be forgotten; it is started again when needed
_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "VECLIB")
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in _LIBRARIES}
# not multiprocessing: that runs the user's script again where it has no `if __name__` guard
_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from podium.execution.keeper import main; main(*sys.argv[2:])"
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

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        path = json.dumps([str(p) for p in sys.path])
        with theirs, self._trace.open("wb") as trace:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, path, str(self._folder), str(theirs.fileno())],
                env=os.environ | _ONE_THREAD,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,  # what algorithms write past Python goes nowhere
                stderr=trace,
                pass_fds=(theirs.fileno(),),
                process_group=0,
            )

    def fork(self, folder: Path, name: str) -> tuple[Connection[Any, Any], int]:
        """A new worker for a pool with this folder: our end of its pipe, and its process."""
        request = json.dumps([str(folder), name, [str(p) for p in sys.path]]).encode()
        ours, theirs = Pipe()
        with theirs, self._lock:
            # one that was killed, or has had nothing to do for long, is replaced
            pid = self._asked(request, theirs) if self._is_alive else 0
            return ours, pid or self._asked_anew(request, theirs)

    def _asked_anew(self, request: bytes, theirs: Connection[Any, Any]) -> int:
        self.close()
        self._start()
        if pid := self._asked(request, theirs):
            return pid
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


def main(folder: str, handle: str) -> None:
    """Fork workers for a pool until it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    control = socket.socket(fileno=int(handle))
    control.settimeout(IDLE_SECONDS)
    _load(Path(folder))
    signal.signal(signal.SIGCHLD, lambda *_: _reap(Path(folder)))
    gc.collect()
    gc.freeze()  # what is shared with all workers stays shared
    with contextlib.suppress(OSError):
        while _serve(control):
            pass


def _load(folder: Path) -> None:
    """Load what the driver has loaded of the packages that are safe to fork."""
    importlib.import_module("podium.execution.worker")
    for module in json.loads((folder / MODULES).read_text()):
        with contextlib.suppress(Exception):
            importlib.import_module(module)


def _serve(control: socket.socket) -> bool:
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
    from podium.execution.worker import main

    try:
        sys.path[:] = path
        os.setpgid(0, 0)  # to be killed with all that its algorithms start
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        main(Path(folder), name, Connection(descriptor))
    finally:
        os._exit(1)


def _reap(folder: Path) -> None:
    """Write down how workers have ended."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            pid, status = ended
            (folder / f"{pid}.status").write_text(str(os.waitstatus_to_exitcode(status)))
