"""Progress for people: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from podium.cli.main import say

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

    from podium.execution.runner import Progress
    from podium.store import Record

SECONDS_BETWEEN_LINES = 10.0


def progress() -> Progress:
    """What suits standard error."""
    return Bar() if sys.stderr.isatty() else Lines()


class _Counts:
    """How far a study has come, and how fast."""

    def start(self, total: int, done: int) -> None:
        """Begin to count."""
        self.total, self.before = total, done
        self.ran = self.failed = 0
        self.began = time.perf_counter()

    def count(self, records: list[Record]) -> None:
        """Add runs that have just been kept."""
        self.ran += len(records)
        self.failed += sum(r.failure is not None for r in records)

    @property
    def rate(self) -> float:
        """Runs per second since the beginning."""
        return self.ran / max(time.perf_counter() - self.began, 1e-9)

    @property
    def left(self) -> str:
        """The time that the rest will take at this rate."""
        rest = self.total - self.before - self.ran
        return duration(rest / self.rate) if self.ran else "?"


class Bar(_Counts):
    """A bar with rate, failures and time left."""

    def start(self, total: int, done: int) -> None:
        """Show the bar."""
        super().start(total, done)
        self._bar = _rich()
        self._task = self._bar.add_task("", total=total, completed=done, detail="")
        if done < total:
            self._bar.start()

    def advance(self, records: list[Record]) -> None:
        """Move it."""
        self.count(records)
        failed = f"[red]{self.failed} failed[/red]  " if self.failed else ""
        self._bar.update(
            self._task,
            completed=self.before + self.ran,
            detail=f"{self.rate:.3g} runs/s  {failed}{self.left} left",
        )

    def stop(self) -> None:
        """Leave it as it is."""
        self._bar.stop()


def _rich() -> RichProgress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[detail]}"),
        console=Console(stderr=True),
    )


class Lines(_Counts):
    """A line every ten seconds, for logs."""

    def start(self, total: int, done: int) -> None:
        """Begin."""
        super().start(total, done)
        self._said = self.began

    def advance(self, records: list[Record]) -> None:
        """Say something if enough time has passed."""
        self.count(records)
        if time.perf_counter() - self._said >= SECONDS_BETWEEN_LINES:
            self._said = time.perf_counter()
            failed = f", {self.failed} failed" if self.failed else ""
            say(
                f"{self.before + self.ran} of {self.total} runs{failed}, "
                f"{self.rate:.3g} runs/s, {self.left} left",
                err=True,
            )

    def stop(self) -> None:
        """Nothing to tidy up."""


@contextmanager
def counting() -> Iterator[Callable[[int, int], None]]:
    """What is told `(done, total)`; shown on a terminal once it takes more than a second."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    began = time.perf_counter()
    with _rich() as bar:
        task = bar.add_task("", total=None, detail="", visible=False)

        def tell(done: int, total: int) -> None:
            late = time.perf_counter() - began > 1
            bar.update(task, completed=done, total=total, visible=late)

        yield tell
        bar.update(task, visible=False)


def duration(seconds: float) -> str:
    """Seconds as people say them.

    >>> duration(5), duration(150), duration(7500), duration(200000)
    ('5 s', '2 min 30 s', '2 h 5 min', '2 d 7 h')
    """
    for unit, size, small, part in (
        ("d", 86400, "h", 3600),
        ("h", 3600, "min", 60),
        ("min", 60, "s", 1),
    ):
        if seconds >= size:
            return f"{int(seconds // size)} {unit} {int(seconds % size // part)} {small}"
    return f"{seconds:.0f} s" if seconds >= 1 or not seconds else f"{seconds:.1f} s"
