"""This machine: what scores were made with, and memory: of code, of a process, what is left."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import math
import os
import platform
import re
import signal
import sys
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.core.base.errors import DesignError, version_of
from podium.reading.store import Failure, Record
from podium.running.design.study import Run

PACKAGES = ("podium", "numpy", "scipy", "pandas", "scikit-learn", "threadpoolctl")
_MATTER = ("podium", "numpy", "scipy", "pandas", "scikit-learn")  # for scores
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_CGROUPS = Path("/sys/fs/cgroup")


def environment(extra: tuple[str, ...] = ()) -> dict[str, Any]:
    """Versions of Python and of the packages that scores depend on, and the kind of machine."""
    return {
        "python": sys.version.split()[0],
        "host": platform.node(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "packages": {p: v for p in (*PACKAGES, *extra) if (v := version_of(p))},
    }


@functools.cache
def versions() -> dict[str, str]:
    """The versions that must agree between driver and workers, or scores may not."""
    known = environment()
    packages = {p: v for p, v in known["packages"].items() if p in _MATTER}
    return {"Python": ".".join(known["python"].split(".")[:2]), **packages}


# -- memory of a stretch of code ------------------------------------------------------------------


class PeakMemory:
    """Measures from its creation to `peak()`, in a process that has run nothing else.

    What earlier runs have freed would be used again, and count as nothing.

    On Linux the process's resident set is watched, which sees every allocator; elsewhere only what
    Python and numpy allocate is, at some cost in time.
    """

    def __init__(self) -> None:
        _trim()
        self._resident = self._reset()
        if self._resident is None:
            tracemalloc.start()

    def peak(self) -> float:
        """The most memory in use since the creation, less what was in use then."""
        if self._resident is not None:
            return float(max(_bytes(_STATUS, "VmHWM") - self._resident, 0))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return float(most)

    @staticmethod
    def _reset() -> int | None:
        try:
            _RESET.write_text("5")  # forget the peak so far
            return _bytes(_STATUS, "VmRSS")
        except OSError:
            return None


def _trim() -> None:
    """Give memory that is free, but still ours, back to the system."""
    with contextlib.suppress(OSError, AttributeError):  # only the C library of Linux has this
        ctypes.CDLL(None).malloc_trim(0)


def _bytes(table: Path, field: str) -> int:
    for line in table.read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise OSError(f"{table} has no {field}")


# -- a process ------------------------------------------------------------------------------------


def held(pid: int) -> int:
    """Bytes that a process and those it started hold; 0 when it is gone.

    On Linux files that are mapped into memory do not count: data sets are shared by all workers.
    """
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
        own = (int(fields[1]) - int(fields[2])) * os.sysconf("SC_PAGE_SIZE")
        return own + sum(map(held, _children(pid)))
    except OSError:
        return 0 if _STATUS.exists() else _held_elsewhere(pid)


def _children(pid: int) -> Iterator[int]:
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):  # the thread has ended meanwhile
            yield from map(int, (thread / "children").read_text().split())


def _held_elsewhere(pid: int) -> int:
    import psutil

    try:
        process = psutil.Process(pid)
        return sum(p.memory_info().rss for p in (process, *process.children(recursive=True)))
    except psutil.Error:
        return 0


# -- the machine ----------------------------------------------------------------------------------


def left_and_total() -> tuple[float, float]:
    """Bytes that are left to this process, and of how many; in a container, of the container's."""
    return min((_machine(), *map(_of_group, _groups())), key=lambda pair: pair[0])


def _machine() -> tuple[float, float]:
    import psutil

    memory = psutil.virtual_memory()
    return float(memory.available), float(memory.total)


@functools.cache
def _groups() -> tuple[tuple[Path, Path, Path], ...]:
    """Files with limit, use and statistics of every control group above us that has a limit."""
    results = []
    for folder in _group_folders():
        for limit, use in (
            ("memory.max", "memory.current"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        ):
            files = (folder / limit, folder / use, folder / "memory.stat")
            if _limit(files[0]) and all(f.exists() for f in files):
                results.append(files)
    return tuple(results)


def _group_folders() -> Iterator[Path]:
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers in ("", "memory"):
            root = _CGROUPS / controllers
            folder = root / path.lstrip("/")
            # a container may see its own group as the root, under a path that is not there
            yield from (f for f in (folder, *folder.parents) if f.is_relative_to(root))


def _limit(file: Path) -> float:
    """The limit that a file states, 0 where there is none."""
    try:
        limit = int(file.read_text())
    except (OSError, ValueError):  # no such file, or "max"
        return 0.0
    return float(limit) if limit < 1 << 60 else 0.0


def _of_group(files: tuple[Path, Path, Path]) -> tuple[float, float]:
    limit, use, statistics = files
    total = _limit(limit) or float("inf")
    # files that were read stay in memory until somebody needs the room
    cached = sum(
        int(line.split()[1])
        for line in statistics.read_text().splitlines()
        if line.startswith("inactive_file ")
    )
    return total - int(use.read_text()) + cached, total


# -- limits of a run ----------------------------------------------------------------------------
# What one run may take of time and memory, and the failures of runs that took more or died.


SECONDS = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
BYTES = {"": 1, "b": 1} | {
    f"{letter}{rest}": base**power
    for power, letter in enumerate("kmgt", 1)
    for rest, base in (("", 1000), ("b", 1000), ("ib", 1024))
}
LOST = 75  # the exit status of a worker that cannot reach its pool any more
LEAST_MEMORY = 200_000_000  # Python with numpy, pandas and scikit-learn alone takes 120 MB
_AMOUNT = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*([a-z]*)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Limits:
    """What one run may take; None where nothing was said."""

    seconds: float | None = None
    memory: float | None = None  # bytes


def parse_limits(seconds: Any = None, memory: Any = None) -> Limits:
    """The limits that numbers (of seconds, of bytes) or texts such as '10m' and '4GB' mean.

    >>> parse_limits("10m", "4GB")
    Limits(seconds=600.0, memory=4000000000.0)
    """
    return Limits(
        _amount(seconds, SECONDS, "A time limit is a number of seconds, or '90s', '10m' or '2h'"),
        _enough(_amount(memory, BYTES, "A memory limit is '4GB', '500MB' or a number of bytes")),
    )


def _amount(given: Any, units: dict[str, int], rule: str) -> float | None:
    if given is None:
        return None
    match = None if isinstance(given, bool) else _AMOUNT.fullmatch(str(given))
    amount = float(match[1]) * units.get(match[2].lower(), 0) if match else 0.0
    if not 0 < amount < math.inf:
        raise DesignError(f"{rule}, not {given!r}.")
    return amount


def _enough(memory: float | None) -> float | None:
    if memory is not None and memory < LEAST_MEMORY:
        raise DesignError(
            f"The memory limit of {size(memory)} is too low: Python and its packages alone take "
            f"more than half of {size(LEAST_MEMORY)}, which is the least."
        )
    return memory


def took_too_long(seconds: float) -> Failure:
    """The failure of a run that was ended by the time limit."""
    return _failure("TimeLimitExceeded", f"The run took more than {seconds:g} s.")


def held_too_much(held: float, limit: float) -> Failure:
    """The failure of a run that was ended by the memory limit."""
    message = f"The run's process held {size(held)}, more than the limit of {size(limit)}."
    return _failure("MemoryLimitExceeded", message)


def exhausted_machine(held: float, left: float) -> Failure:
    """The failure of a run that was ended before the machine had no memory left."""
    message = f"The run's process held {size(held)} when the machine had only {size(left)} left."
    return _failure("MemoryLimitExceeded", message)


def died(status: int) -> Failure:
    """The failure of a run whose process ended with this status, -n for signal n."""
    if status == LOST:
        return _failure(
            "WorkerDied",
            "The run's process lost its connection: the algorithm may have closed files that are "
            "not its own.",
        )
    if status >= 0:
        return _failure("WorkerDied", f"The run's process ended itself with exit status {status}.")
    text = signal.strsignal(-status) or "unknown"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = ", as the system does when memory runs out" if name == "SIGKILL" else ""
    return _failure("WorkerDied", f"The run's process was ended by {name} ({text}){hint}.")


def garbled() -> Failure:
    """The failure of a run whose process has sent what no worker sends."""
    return _failure(
        "WorkerDied",
        "The run's process sent something unreadable: the algorithm may have written to files "
        "that are not its own.",
    )


def failed(run: Run, failure: Failure, seconds: float = 0.0) -> Record:
    """The record of a run that could not finish itself."""
    content: dict[str, Any] = {"failure": failure, "finished": time.time(), "seconds": seconds}
    return Record(run.key, run.dataset, run.algorithm, run.sample, **content)


def _failure(name: str, message: str) -> Failure:
    return Failure(name, message, f"{name}: {message}\n")


def size(count: float) -> str:
    """A number of bytes as people say it.

    >>> size(4e9), size(1_234_000_000), size(5e5), size(5)
    ('4 GB', '1.23 GB', '0.5 MB', '5 bytes')
    """
    for unit, least, factor in (("GB", 1e9, 1e9), ("MB", 1e5, 1e6)):
        if count >= least:
            return f"{count / factor:.3g} {unit}"
    return f"{count:.0f} bytes"
