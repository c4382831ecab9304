"""What a drawn sample is, who draws which sampling, and tasks that bring their own samples.

Everything about drawing a sampling stands at its drawer, which registers by `@draws(RECORD)`; what
it does not allow is refused here before anything runs. Rows 0..n-1 are the training set,
the rows of a separate test sample follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from podium.core import samplings
from podium.core.base.errors import DesignError
from podium.core.base.registry import Registry
from podium.core.samplings import KINDS, SPLITTER, Kind, Sampling
from podium.running.design.data.datasets import Dataset, task_noun
from podium.running.design.data.identity import fingerprint, stream
from podium.running.design.data.processes import Process
from podium.running.design.measuring.corrections import Correction
from podium.running.design.measuring.scoring import Computed, is_recorded

FOREIGN = SPLITTER.name  # the sampling of samples that follow none of ours
MOST_REDRAWS = 1000
SINGLE_CLASS = "had a single class to learn from"
OPTIMISTIC = "tested on rows that were learned from, which is optimistic"

T = TypeVar("T")


@dataclass(frozen=True)
class Split:
    """Rows to learn from (a row may stand there several times) and rows to test on.

    `weights`, one for each row to learn from, are handed to the algorithm.
    """

    train: np.ndarray
    test: np.ndarray
    weights: np.ndarray | None = None


@dataclass(frozen=True)
class Draw:
    """One sample: a split, or several whose scores are averaged, and what had to be said of it.

    Of the splits of `whole`, the apparent performance is read that some samplings correct by.
    `data` is what the rows are of, where it was drawn too.
    """

    splits: tuple[Split, ...]
    notes: tuple[str, ...] = ()
    whole: tuple[Split, ...] = ()
    data: Dataset | None = None


# -- who draws what -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """A sample that is to be drawn."""

    data: Any  # a process where the sampling is of processes, else a data set
    sampling: Sampling
    number: int
    seed: int
    own: tuple[str, ...] = ()  # the algorithm, where every algorithm has samples of its own
    generator: Any = None
    remembered: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def rng(self) -> np.random.Generator:
        """The random numbers of this sample alone."""
        return stream(self.seed, "sample", *self.place, self.number, *self.own)

    @property
    def place(self) -> tuple[str, str]:
        """What all samples of a data set have in common."""
        return self.data.name, self.sampling.identity

    def once(self, make: Callable[[np.random.Generator], T], *parts: str | int) -> T:
        """What several samples share, made with the random numbers of `parts`; the last is kept."""
        key = (self.data.fingerprint, *parts)
        if key not in self.remembered:
            result = make(stream(self.seed, *parts))
            self.remembered.clear()
            self.remembered[key] = result
        made: T = self.remembered[key]
        return made


ROWS, GENERATOR, PROCESS = "rows", "generator", "process"  # what samples are drawn from

Drawer = Callable[[Wanted], Draw]


@dataclass(frozen=True)
class Drawing:
    """How the samples of one sampling are drawn, and what that takes."""

    draw: Drawer
    source: str = ROWS
    test_sample: bool = False  # there must be one
    own_test: bool = False  # tested on, where there is one
    fixed_split: bool = False  # all samples have one, the data set's own or of a given share
    per_row: bool = False  # as many samples as rows
    in_time: bool = False  # the order of the rows matters
    weighted: bool = False  # rows to learn from have weights
    correction: Correction | None = None  # of out-of-bag by apparent performance
    unlisted: str = ""  # what a sample is beside numbers of rows
    check: Callable[[Any, Dataset], None] | None = None  # of a generator and what it learns from


DRAWINGS: Registry[Drawing] = Registry("sampling that can be run", of_rooms="samplings", late=True)
_BY_TABLE = Drawing(lambda wanted: Draw(()))  # of a sampling that only describes scores


def draws(*kinds: Kind, **facts: Any) -> Callable[[Drawer], Drawer]:
    """Register the function that draws the samplings of these records, with what that takes."""

    def register(draw: Drawer) -> Drawer:
        for kind in kinds:
            DRAWINGS.add(kind.name, Drawing(draw, **facts))
        return draw

    return register


def drawing(sampling: Sampling) -> Drawing:
    """How a sampling is drawn; nothing is asked where only others could have drawn it."""
    return DRAWINGS.get(sampling.name, _BY_TABLE)


# -- drawing again, and what is said of a sample --------------------------------------------------


def redrawn(wanted: Wanted, draw: Callable[[], Draw]) -> Draw:
    """The first usable sample; samples that cannot be learned from or tested are drawn again."""
    what = f"Data set '{wanted.data.name}': sample {wanted.number}"
    drawn, again = until_usable(what, draw, lambda drawn: _unusable(wanted.data, drawn))
    return replace(drawn, notes=(*again, *drawn.notes))


def until_usable(
    what: str, draw: Callable[[], T], why_not: Callable[[T], str]
) -> tuple[T, tuple[str, ...]]:
    """The first draw that can be used, and a note where it was not the first of all."""
    for attempt in range(MOST_REDRAWS):
        drawn = draw()
        why = why_not(drawn)
        if not why:
            times = "1 time" if attempt == 1 else f"{attempt} times"
            return drawn, (f"drawn again {times} until usable",) if attempt else ()
    raise DesignError(f"{what} was drawn {MOST_REDRAWS} times and always {why}.")


def _unusable(data: Dataset, drawn: Draw) -> str:
    if not drawn.splits:
        return "had no row to test on"
    for split in drawn.splits:
        if len(split.test) == 0:
            return "had no row to test on"
        if data.classes and np.all(data.y[split.train] == data.y[split.train[0]]):
            return SINGLE_CLASS
    return ""


def noted(data: Dataset, drawn: Draw) -> Draw:
    """The sample with notes on the classes that it lacks."""
    parts = {
        "learning": [s.train for s in drawn.splits],
        # a single row has a single class, which is not worth a note
        "test": [s.test for s in drawn.splits if len(s.test) > 1],
    }
    absent = {part: _absent(data, rows) for part, rows in parts.items()}
    notes = [f"the {part} sample lacks class {names}" for part, names in absent.items() if names]
    return replace(drawn, notes=(*drawn.notes, *notes))


def _absent(data: Dataset, samples: list[np.ndarray]) -> str:
    """The classes that one of several samples lacks."""
    gone = np.zeros(len(data.classes), dtype=bool)
    for rows in samples if data.classes else []:
        gone |= np.bincount(data.y[rows], minlength=len(gone)) == 0
    return ", ".join(c for c, is_gone in zip(data.classes, gone, strict=True) if is_gone)


# -- rows that others chose -----------------------------------------------------------------------


def given_split(what: str, n: int, train: Any, test: Any, *, apart: bool = True) -> Split:
    """The split that a splitter or a file gives as row numbers or masks; refused where wrong.

    `apart` is for samplings that test no row which they learn from.
    """
    split = Split(_given_rows(what, n, train), _given_rows(what, n, test))
    if not len(split.train) or not len(split.test):
        raise DesignError(f"{what} lacks its train or test rows.")
    both = np.intersect1d(split.train, split.test)
    if len(both) and apart:
        raise DesignError(f"{what} learns from row {both[0]} and tests on it too.")
    return split


def _given_rows(what: str, n: int, given: Any) -> np.ndarray:
    rows = np.asarray(given)
    if rows.dtype == bool:
        rows = np.flatnonzero(rows)
    if rows.size and (rows.ndim != 1 or rows.dtype.kind not in "iu"):
        raise DesignError(f"{what} gives {given!r:.60} for a list of row numbers.")
    beyond = rows[(rows < 0) | (rows >= n)]
    if len(beyond):
        raise DesignError(f"{what} names row {beyond[0]}; rows are numbered from 0 to {n - 1}.")
    return rows.astype(np.int64)


# -- what goes with what --------------------------------------------------------------------------


def check_sampling(
    s: Sampling, data: Dataset | Process, splits: Any = None, generator: Any = None
) -> None:
    """Refuse a sampling that this data set does not allow."""
    if s.name not in DRAWINGS and splits is None:
        raise DesignError(
            f"The sampling '{s}' describes a table of scores; it cannot be run. These can: "
            f"{', '.join(n for n in KINDS if n in DRAWINGS)}."
        )
    needed = drawing(s)
    if (needed.source == PROCESS) != isinstance(data, Process):
        raise DesignError(
            f"'{data.name}' is a process, which only the sampling 'simulation:B' samples."
            if isinstance(data, Process)
            else f"Data set '{data.name}' is no process, so 'simulation' cannot draw it anew. "
            "Use 'bootstrap:B', or a process such as builtin:twonorm."
        )
    if generator is not None and needed.source != GENERATOR:
        raise DesignError(
            f"The sampling '{s}' takes no generator; 'parametric-bootstrap:B' does, and "
            "'simulation:B' samples a process."
        )
    if isinstance(data, Process):
        return
    _check_content(s, data)
    _check_rows(s, data)
    if needed.check is not None:
        needed.check(generator, data)


def _check_content(s: Sampling, data: Dataset) -> None:
    """Refuse data without the test sample, classes or groups that the sampling is about."""
    if drawing(s).test_sample and not data.n_test:
        raise DesignError(
            f"The sampling '{s}' needs a test sample; data set '{data.name}' has none."
        )
    if drawing(s).fixed_split and s.share is None and not data.n_test:
        raise DesignError(
            f"The sampling '{s}' trains on one fixed split, and data set '{data.name}' has no test "
            f"sample: say which share of its rows to learn from, as in {s}x0.8."
        )
    if s.stratified and not data.classes:
        raise DesignError(
            f"The sampling '{s}' needs classes; '{data.name}' is a {task_noun(data.task)}."
        )
    if s.grouped and data.groups is None:
        raise DesignError(f"The sampling '{s}' needs groups; data set '{data.name}' has none.")


def check_groups(s: Sampling) -> None:
    """Refuse groups that nobody keeps together: rows of one would be learned from and tested."""
    if s.grouped:
        return
    way = ""
    with suppress(DesignError):  # not every sampling can be grouped
        way = f"say '{replace(s, grouped=True)}', or "
    raise DesignError(
        f"The sampling '{s}' does not keep groups together: {way}leave groups out (the column of a "
        "file may stand in 'ignore' instead of 'group')."
    )


def check_test_sample(s: Sampling) -> None:
    """Refuse a separate test sample that nothing would be tested on."""
    uses = drawing(s)
    if not (uses.test_sample or uses.own_test or (uses.fixed_split and s.share is None)):
        known = ", ".join(
            name for name, d in DRAWINGS.items() if d.test_sample or d.own_test or d.fixed_split
        )
        raise DesignError(
            f"The sampling '{s}' tests nothing on a separate test sample: leave 'test' out, or "
            f"choose one of {known}."
        )


def _check_rows(s: Sampling, data: Dataset) -> None:
    units = int(data.groups.max()) + 1 if s.grouped and data.groups is not None else data.n
    least = s.least_rows(data.n_test)
    if units < least:
        noun = "groups" if s.grouped else "rows"
        raise DesignError(f"The sampling '{s}' needs {least} {noun}; '{data.name}' has {units}.")


def check_correction(
    s: Sampling, measures: Sequence[Computed], keep: Sequence[str], sizes: Sequence[float]
) -> None:
    """Refuse what has no .632 estimate."""
    correction = drawing(s).correction
    if correction is None:
        return
    for m in measures:
        if not is_recorded(m) and (why := correction.refuses(m)):
            raise DesignError(f"The sampling '{s}' {why}")
    if keep:
        raise DesignError(
            f"The sampling '{s}' keeps no predictions: its scores also need the fit to the whole "
            "training set. Leave 'keep' out, or choose 'bootstrap:B'."
        )
    if sizes:
        raise DesignError(
            f"The sampling '{s}' has one size, that of the training set. Leave 'sizes' out, or "
            "choose 'bootstrap:B'."
        )


# -- tasks ----------------------------------------------------------------------------------------
# Data sets that bring their own samples, which `sampling = "openml"` uses as they are.


OWN = "openml"  # the sampling that means each task's own splits


@dataclass(frozen=True, eq=False, repr=False)
class TaskDataset(Dataset):
    """A data set with the samples of a task, which are part of its identity."""

    task_number: int = 0
    data_number: int = 0
    sampling: Sampling = field(default_factory=lambda: Sampling(FOREIGN))
    draws: tuple[Draw, ...] = ()

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the data and of the samples, in their order."""
        rows = [part for d in self.draws for s in d.splits for part in (s.train, s.test)]
        return fingerprint(super().fingerprint, rows)

    @property
    def facts(self) -> dict[str, Any]:
        """What a store keeps about the task."""
        numbers = {"openml_task": self.task_number, "openml_data": self.data_number}
        return super().facts | numbers


def task_dataset(
    data: Dataset, task: int, number: int, splits: pd.DataFrame, share: float | None = None
) -> TaskDataset:
    """A data set with a task's table of splits: type, rowid, repeat, fold, numbered from 0.

    `share` is the training share that the task states, for holdouts.
    """
    sampling, draws = task_samples(f"Data set '{data.name}': task {task}", data.n, splits, share)
    content = {f.name: getattr(data, f.name) for f in fields(data)}
    return TaskDataset(
        **content, task_number=task, data_number=number, sampling=sampling, draws=tuple(draws)
    )


def task_samples(
    what: str, n: int, splits: pd.DataFrame, share: float | None
) -> tuple[Sampling, list[Draw]]:
    """What a table of splits is, and its samples, repeat by repeat and fold by fold."""
    table = _whole_numbers(what, splits)
    if table.empty:
        raise DesignError(f"{what} has no splits.")
    sizes = table.groupby("repeat")["fold"].nunique()
    repeats, folds = len(sizes), int(sizes.iloc[0])
    wanted = [(r, f) for r in range(repeats) for f in range(folds)]
    groups = dict(list(table.groupby(["repeat", "fold"])))
    if sorted(groups) != wanted:
        raise DesignError(f"{what} does not number its repeats and folds from 0 without a break.")
    draws = [_draw(what, n, groups[place], place) for place in wanted]
    return _sampling(n, draws, repeats, folds, share), draws


def _whole_numbers(what: str, splits: pd.DataFrame) -> pd.DataFrame:
    for column in ("type", "rowid", "repeat", "fold"):
        if column not in splits:
            raise DesignError(f"{what}: its table of splits lacks the column '{column}'.")
    if "sample" in splits and splits["sample"].nunique() > 1:
        raise DesignError(f"{what} is a learning curve: its folds hold samples of several sizes.")
    table = pd.DataFrame({"train": splits["type"].astype(str).str.upper() == "TRAIN"})
    if not (splits["type"].astype(str).str.upper().isin(["TRAIN", "TEST"])).all():
        raise DesignError(f"{what}: a row of a split is for TRAIN or TEST.")
    for column in ("rowid", "repeat", "fold"):
        numbers = pd.to_numeric(splits[column], errors="coerce").to_numpy(float)
        if not (np.isfinite(numbers) & (numbers % 1 == 0)).all():
            raise DesignError(f"{what}: the column '{column}' of its splits holds no whole number.")
        table[column] = numbers.astype(np.int64)
    return table


def _draw(what: str, n: int, table: pd.DataFrame, place: tuple[int, int]) -> Draw:
    rows, train = table["rowid"].to_numpy(), table["train"].to_numpy()
    where = f"{what}, repeat {place[0]}, fold {place[1]},"
    return Draw((given_split(where, n, rows[train], rows[~train]),))


def _sampling(
    n: int, draws: list[Draw], repeats: int, folds: int, stated: float | None
) -> Sampling:
    """The sampling whose samples these are, seen from the rows themselves."""
    detail = f"@{OWN}"
    if folds == 1:
        share = _share(draws[0], stated)
        if repeats == 1:
            return replace(samplings.holdout(share), detail=detail)
        return replace(samplings.subsampling(share, repeats), detail=detail)
    for first in range(0, len(draws), folds):
        tested = np.concatenate([d.splits[0].test for d in draws[first : first + folds]])
        if not np.array_equal(np.sort(tested), np.arange(n)):
            return Sampling(FOREIGN, detail=detail)
    if folds == n and repeats == 1:
        return replace(samplings.loo(), detail=detail)
    if (repeats, folds) == (5, 2):
        return replace(samplings.five_by_two_cv(), detail=detail)
    if repeats == 1:
        return replace(samplings.cv(folds), detail=detail)
    return replace(samplings.repeated_cv(repeats, folds), detail=detail)


def _share(draw: Draw, stated: float | None) -> float:
    """The stated training share, which all data sets have in common; the true one where far off."""
    split = draw.splits[0]
    share = len(split.train) / (len(split.train) + len(split.test))
    return stated if stated is not None and abs(stated - share) < 0.05 else round(share, 2)


@dataclass(frozen=True)
class TaskSplits:
    """The samples of tasks, by the names of their data sets."""

    draws: Mapping[str, tuple[Draw, ...]]

    def __call__(self, data: Dataset, seed: int) -> list[Draw]:
        """The samples of one task."""
        return list(self.draws[data.name])


def own_samples(datasets: Sequence[Any]) -> tuple[Sampling, TaskSplits]:
    """The sampling `openml`: what the tasks' samples are, and the samples."""
    for data in datasets:
        if not isinstance(data, TaskDataset):
            name = getattr(data, "name", data)
            raise DesignError(
                f"The sampling '{OWN}' uses the samples of tasks; data set '{name}' is none. Write "
                "its source as 'openml:task/NUMBER', or choose another sampling."
            )
    if not datasets:
        return Sampling(FOREIGN, detail=f"@{OWN}"), TaskSplits({})  # Study says what is wrong
    first = datasets[0]
    for data in datasets:
        if data.sampling != first.sampling:
            raise DesignError(
                f"The sampling '{OWN}' needs tasks that are sampled alike: '{first.name}' is by "
                f"'{first.sampling}', '{data.name}' by '{data.sampling}'. Make a study for each."
            )
    return first.sampling, TaskSplits({d.name: d.draws for d in datasets})
