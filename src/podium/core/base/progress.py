"""Progress for people: who is told how far something has come, and how it is shown.

A bar on a terminal, a line now and then elsewhere; rich is loaded when a bar is shown.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from podium.core.base.formatting import printable, short

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

SECONDS_BETWEEN_LINES = 10.0
MOST_BARS = 8  # data sets that have a bar at a time
Progress = Callable[[int, int], object]  # is told how many of how many are done


class RunProgress(Protocol):
    """Is told how far a study has come, run by run."""

    def start(self, total: int, done: int) -> None:
        """So many runs are there, and so many were done before."""

    def advance(self, ran: int, failed: int) -> None:
        """So many more have just been kept, and so many of them failed."""

    def stop(self) -> None:
        """Nothing more will come."""


@runtime_checkable
class PerDataset(Protocol):
    """Is also told how far each data set has come."""

    def datasets(self, runs: Mapping[str, tuple[int, int]]) -> None:
        """Before the start: of every data set how many runs are done, of how many."""

    def ran_on(self, counts: Mapping[str, int]) -> None:
        """Before each advance: on which data sets runs have just been kept."""


class OnDataset(Protocol):
    """A run, or its record."""

    @property
    def dataset(self) -> str:
        """The name of its data set."""


def told_of(
    progress: RunProgress | None, runs: Iterable[OnDataset], pending: Iterable[OnDataset]
) -> RunProgress:
    """Who is told, and knows how far each data set was before; silent where there is nobody."""
    if isinstance(progress, PerDataset):
        left = Counter(run.dataset for run in pending)
        every = Counter(run.dataset for run in runs)
        progress.datasets({name: (n - left[name], n) for name, n in every.items()})
    return progress or Silent()


def tell_ran(progress: RunProgress, records: Sequence[OnDataset], failed: int) -> None:
    """Runs have just been kept, and so many of them failed; on which data sets, who wants it."""
    if isinstance(progress, PerDataset):
        progress.ran_on(Counter(record.dataset for record in records))
    progress.advance(len(records), failed)


class Silent:
    """Tells nobody."""

    def start(self, total: int, done: int) -> None:
        """Ignore it."""

    def advance(self, ran: int, failed: int) -> None:
        """Ignore it."""

    def stop(self) -> None:
        """Ignore it."""


class Counted(Silent):
    """Tells `progress` how many runs of how many are done; where there is none, nobody."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress

    def start(self, total: int, done: int) -> None:
        """Begin to count."""
        self._total, self._done = total, done

    def advance(self, ran: int, failed: int) -> None:
        """Failed runs are done, too."""
        self._done += ran
        if self._progress is not None:
            self._progress(self._done, self._total)


def run_progress() -> RunProgress:
    """What suits standard error."""
    return Bar() if sys.stderr.isatty() else Lines()


class _Counts:
    """How far a study has come, and how fast."""

    def start(self, total: int, done: int) -> None:
        """Begin to count."""
        self.total, self.before = total, done
        self.ran = self.failed = 0
        self.began = time.perf_counter()

    def count(self, ran: int, failed: int) -> None:
        """Add runs that have just been kept."""
        self.ran += ran
        self.failed += failed

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
    """A bar per data set, and one for all with rate, failures and time left."""

    def __init__(self) -> None:
        self._sets: dict[str, list[int]] = {}  # done, and of how many
        self._tasks: dict[str, TaskID] = {}

    def datasets(self, runs: Mapping[str, tuple[int, int]]) -> None:
        """One data set has no bar of its own."""
        self._sets = {name: [*each] for name, each in runs.items()} if len(runs) > 1 else {}

    def start(self, total: int, done: int) -> None:
        """Show the bars."""
        super().start(total, done)
        self._bar = _rich(named=bool(self._sets))
        for name, (ran, expected) in self._sets.items():
            shown = escape_markup(short(name))
            self._tasks[name] = self._bar.add_task(shown, total=expected, completed=ran, detail="")
        self._show_some()
        self._task = self._bar.add_task("all", total=total, completed=done, detail="")
        if done < total:
            self._bar.start()

    def ran_on(self, counts: Mapping[str, int]) -> None:
        """Move those of some data sets."""
        for name in counts.keys() & self._sets.keys():
            self._sets[name][0] += counts[name]
            self._bar.update(self._tasks[name], completed=self._sets[name][0])
        self._show_some()

    def _show_some(self) -> None:
        """Of many data sets those that are not finished, the first ones."""
        open_ = [name for name, (ran, total) in self._sets.items() if ran < total]
        shown = self._sets if len(self._sets) <= MOST_BARS else open_[:MOST_BARS]
        for name, task in self._tasks.items():
            self._bar.update(task, visible=name in shown)

    def advance(self, ran: int, failed: int) -> None:
        """Move the bar of all."""
        self.count(ran, failed)
        text = f"[red]{self.failed} failed[/red]  " if self.failed else ""
        self._bar.update(
            self._task,
            completed=self.before + self.ran,
            detail=f"{self.rate:.3g} runs/s  {text}{self.left} left",
        )

    def stop(self) -> None:
        """Leave it as it is."""
        self._bar.stop()


class Lines(_Counts):
    """A line every ten seconds, for logs."""

    def __init__(self) -> None:
        self._sets: dict[str, list[int]] = {}  # done, and of how many

    def datasets(self, runs: Mapping[str, tuple[int, int]]) -> None:
        """One data set needs no line of its own."""
        self._sets = {name: [*each] for name, each in runs.items()} if len(runs) > 1 else {}

    def ran_on(self, counts: Mapping[str, int]) -> None:
        """Add up the runs of each data set."""
        for name in counts.keys() & self._sets.keys():
            self._sets[name][0] += counts[name]

    def start(self, total: int, done: int) -> None:
        """Begin, and wait as long as usual before the first line."""
        super().start(total, done)
        self._said = self.began

    def advance(self, ran: int, failed: int) -> None:
        """Say something if enough time has passed."""
        self.count(ran, failed)
        if time.perf_counter() - self._said >= SECONDS_BETWEEN_LINES:
            self._said = time.perf_counter()
            text = f", {self.failed} failed" if self.failed else ""
            _write_line(
                f"{self.before + self.ran} of {self.total} runs{text}, "
                f"{self.rate:.3g} runs/s, {self.left} left{self._where()}"
            )

    def _where(self) -> str:
        """How many data sets are finished, and how far the next is."""
        finished = sum(ran >= total for ran, total in self._sets.values())
        now = next((s for s in self._sets.items() if 0 < s[1][0] < s[1][1]), None)
        if not self._sets:
            return ""
        at = f", {printable(now[0])} {now[1][0]} of {now[1][1]}" if now else ""
        return f"; data sets finished: {finished} of {len(self._sets)}{at}"

    def stop(self) -> None:
        """Nothing to tidy up."""


@contextmanager
def counting() -> Iterator[Progress]:
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


def escape_markup(name: str) -> str:
    """A name that rich shows as it is."""
    from rich.markup import escape

    return escape(printable(name))


def _rich(*, named: bool = False) -> RichProgress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    names, times = [TextColumn("  {task.description}")] * named, [TimeElapsedColumn()]
    return Progress(
        *names,
        BarColumn(30),
        MofNCompleteColumn(),
        *times * (not named),
        TextColumn("{task.fields[detail]}"),
        console=Console(stderr=True),
    )


def _write_line(text: str) -> None:
    """A line on standard error; to nobody where its reader has gone."""
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


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
