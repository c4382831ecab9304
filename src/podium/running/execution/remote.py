"""What a Dask worker does: each of its threads has a pool of one process that executes batches.

Runs therefore cannot harm a Dask worker, and do not share its global random generators.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from podium.core.base.errors import ExecutionError, require
from podium.reading.store import Record
from podium.running.design.study import Run
from podium.running.execution.keepers import Keeper
from podium.running.execution.machine import Limits, versions
from podium.running.execution.pool import Pool
from podium.running.execution.shared import Shared, share_again

LOOK_SECONDS = 0.5  # how often it is asked whether the batch is still wanted
FORGET_SECONDS = 600  # how long the data of a study stay when nobody asks for them


@dataclass(frozen=True)
class Message:
    """A batch, with all that a worker must know of its call."""

    call: str  # tells the data and pools of one call of `run` from those of others
    runs: list[Run]
    groups: dict[str, int]
    modules: list[str]
    limits: Limits
    versions: Mapping[str, str]
    fresh: bool = False  # a new process for every run


@dataclass
class _Call:
    """The shared file of a call, and its pools that have nothing to do."""

    shared: Shared
    closing: contextlib.ExitStack
    idle: list[Pool] = field(default_factory=list)
    busy: int = 0
    used: float = 0.0


_calls: dict[str, _Call] = {}
_keepers: list[Keeper] = []  # of this process: one, or none yet
_closing = contextlib.ExitStack()
_lock = threading.Lock()


def execute_message(content: bytes, message: Message) -> list[Record]:
    """The records of a batch; `content` is that of the shared file of its call."""
    _check(message.versions)
    is_wanted = _wanted()
    records: list[Record] = []
    with _pool(content, message) as pool:
        pool.submit(message.runs)
        while pool.waiting:
            records += pool.finished(LOOK_SECONDS)
            if not is_wanted():
                pool.cancel()
    if not is_wanted():
        forget(message.call)
    return records


def _check(wanted: Mapping[str, str]) -> None:
    for package, version in versions().items():
        if wanted.get(package, version) != version:
            raise ExecutionError(
                f"A Dask worker has {package} {version}, the driver {wanted[package]}: scores may "
                "differ. Give both the same environment."
            )


def _wanted() -> Callable[[], bool]:
    """Asks whether this thread's task is still wanted: its driver may be gone, or stopped."""
    distributed = require("distributed.worker", extra="cluster", purpose="A Dask worker")
    try:
        tasks, key = distributed.get_worker().state.tasks, distributed.thread_state.key
    except (ValueError, AttributeError):  # not called by Dask
        return lambda: True
    return lambda: key in tasks and tasks[key].state != "cancelled"


@contextlib.contextmanager
def _pool(content: bytes, message: Message) -> Iterator[Pool]:
    """A pool for this thread alone; it is kept for the next batch, as starting takes a second."""
    with _lock:
        call = _entered(content, message)
        call.busy += 1
        pool = call.idle.pop() if call.idle else _made(call.shared, message)
    try:
        yield pool
    except BaseException:
        pool.close()
        raise
    else:
        call.idle.append(pool)
    finally:
        with _lock:
            call.busy, call.used = call.busy - 1, time.monotonic()


def _made(shared: Shared, message: Message) -> Pool:
    """A pool of one worker; the keeper that it is forked from stays for all calls."""
    if not _keepers:
        _keepers.append(Keeper(shared.modules))
        _closing.callback(_keepers[0].close)
    return Pool(shared, _keepers[0], 1, message.limits, fresh=message.fresh)


def _entered(content: bytes, message: Message) -> _Call:
    """The call of a message; its data are written when it is first heard of."""
    if message.call not in _calls:
        now = time.monotonic()
        for old, call in list(_calls.items()):
            if not call.busy and now - call.used > FORGET_SECONDS:
                _drop(old)
        closing = contextlib.ExitStack()
        again = share_again(content, message.groups, message.modules)
        _calls[message.call] = _Call(closing.enter_context(again), closing)
    return _calls[message.call]


def forget(name: str) -> None:
    """End the pools of a call and remove its data, unless a batch of it is still under way."""
    with _lock:
        if name in _calls and not _calls[name].busy:
            _drop(name)


def _drop(name: str) -> None:
    call = _calls.pop(name)
    for pool in call.idle:
        pool.close()
    call.closing.close()


@atexit.register
def _forget_all() -> None:
    for name in list(_calls):
        _drop(name)
    _closing.close()
