"""Peak memory of a stretch of code, in bytes above where it began."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class PeakMemory:
    """Measures from its creation to `peak()`.

    On Linux the process's resident set is watched, which sees every allocator; elsewhere only what
    Python and numpy allocate is, at some cost in time.
    """

    def __init__(self) -> None:
        self._resident = self._reset()
        if self._resident is None:
            tracemalloc.start()

    def peak(self) -> float:
        """The most memory in use since the creation, less what was in use then."""
        if self._resident is not None:
            return float(max(_bytes("VmHWM") - self._resident, 0))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return float(most)

    @staticmethod
    def _reset() -> int | None:
        try:
            _RESET.write_text("5")  # forget the peak so far
            return _bytes("VmRSS")
        except OSError:
            return None


def _bytes(field: str) -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise OSError(f"{_STATUS} has no {field}")
