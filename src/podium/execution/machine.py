"""This machine: what scores were made with, and memory: of code, of a process, what is left."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.base.errors import version_of

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
