"""Tasks: data sets that bring their own samples, which `sampling = "openml"` uses as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from podium import samplings
from podium.base.errors import DesignError
from podium.design.data.datasets import Dataset
from podium.design.data.identity import fingerprint
from podium.design.samples.drawing import FOREIGN, Draw, given_split
from podium.samplings import Sampling

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
    what: str, n: int, splits: pd.DataFrame, share: float | None = None
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
        raise DesignError(f"{what} does not number its repeats and folds from 0 without gaps.")
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
