"""What one run may take of time and memory, and the failures of runs that took more or died."""

from __future__ import annotations

import math
import re
import signal
import time
from dataclasses import dataclass
from typing import Any

from podium.base.errors import DesignError
from podium.design.study import Run
from podium.store import Failure, Record

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
