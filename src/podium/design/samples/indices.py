"""Samples as row numbers: a table to publish, and what files, splitters and tasks of others hold.

Published indices are the benchmark (hothorn2005, section 6).
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium import samplings
from podium.base.errors import DesignError
from podium.base.tables import INDICES
from podium.design.data.datasets import Dataset
from podium.design.data.identity import description, fingerprint, stream
from podium.design.data.processes import Process
from podium.design.data.sources import read_table
from podium.design.samples.drawers import whole
from podium.design.samples.drawing import FOREIGN, OPTIMISTIC, Draw, drawing, given_split
from podium.design.samples.sampler import Sampler
from podium.samplings import SPLITTER, Sampling, parse


def indices_table(
    datasets: tuple[Dataset | Process, ...], sampler: Sampler, sampling: Sampling
) -> pd.DataFrame:
    """One row per data set, sample, split, part (train, test) and row; rows are numbered from 0."""
    _check_rows_suffice(sampling)
    if sampler.sizes:
        raise DesignError(
            "Row numbers are written for one training size: leave 'sizes' out, and give it to the "
            "study that reads them."
        )
    pieces = []
    for data in datasets:
        if isinstance(data, Process):
            raise DesignError(
                f"Process '{data.name}' is simulated: it has no row numbers to export."
            )
        for number in range(1, sampler.count(data) + 1):
            _, draw = sampler.once(data, number)
            pieces += [
                pd.DataFrame(
                    {
                        "sampling": str(sampling),
                        "dataset": data.name,
                        "rows": len(data.y),
                        "sample": number,
                        "split": k,
                        "part": part,
                        "row": rows,
                    }
                )
                for k, split in enumerate(draw.splits, 1)
                for part, rows in (("train", split.train), ("test", split.test))
            ]
    return INDICES.shaped(pd.concat(pieces, ignore_index=True))


def _check_rows_suffice(sampling: Sampling) -> None:
    """Refuse a sampling whose samples are more than rows that all algorithms share."""
    own = "rows of every algorithm's own" if sampling.independent else ""
    why = drawing(sampling).unlisted or own
    if why:
        raise DesignError(
            f"The samples of '{sampling}' are {why}: a table of row numbers cannot hold them. "
            "The study's seed draws them again."
        )


# -- files ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class IndexSplits:
    """The samples that a table of row numbers holds, by data set."""

    table: pd.DataFrame
    origin: str
    sampling: Sampling

    def __call__(self, data: Dataset, seed: int) -> list[Draw]:
        """The samples of one data set, in the order of their numbers."""
        mine = self.table[self.table["dataset"] == data.name]
        if mine.empty:
            raise DesignError(f"'{self.origin}' has no samples of the data set '{data.name}'.")
        sizes = mine["rows"][mine["rows"] != len(data.y)]
        if len(sizes):
            raise DesignError(
                f"'{self.origin}' numbers {sizes.iloc[0]} rows of the data set '{data.name}', "
                f"which has {len(data.y)}: the data are not those the samples were drawn from."
            )
        numbers = set(mine["sample"])
        gone = min(set(range(1, len(numbers) + 1)) - numbers, default=None)
        if gone is not None:  # a run of sample 2 must not be what the file calls sample 3
            raise DesignError(
                f"'{self.origin}' lacks sample {gone} of '{data.name}': samples are numbered "
                "from 1 without gaps."
            )
        return [self._draw(data, of_sample) for _, of_sample in mine.groupby("sample")]

    def _draw(self, data: Dataset, table: pd.DataFrame) -> Draw:
        what = f"'{self.origin}': sample {table['sample'].iloc[0]} of '{data.name}'"
        splits = []
        for _, split in table.groupby("split"):
            rows = [split.loc[split["part"] == p, "row"].to_numpy() for p in ("train", "test")]
            apart = not self.sampling.optimistic
            splits.append(given_split(what, len(data.y), *rows, apart=apart))
        notes = (OPTIMISTIC,) if self.sampling.optimistic else ()
        extra = (whole(data),) if drawing(self.sampling).correction else ()
        return Draw(tuple(splits), notes, extra)


def read_indices(path: str | Path) -> tuple[Sampling, IndexSplits]:
    """The sampling and the samples that a CSV or Parquet file of indices holds."""
    path = Path(path)
    what = f"The file of indices '{path}'"
    table = INDICES.checked(_table(path), what)
    names = table["sampling"].unique()
    if not len(names):
        raise DesignError(f"{what} holds no samples.")
    if len(names) > 1:
        raise DesignError(f"{what} mixes {len(names)} samplings.")
    if not set(table["part"]) <= {"train", "test"}:
        raise DesignError(f"{what}: part must be train or test.")
    texts = table[["dataset", "part"]].astype("category")  # quicker to digest than texts
    content = fingerprint(texts, table[["sample", "split", "row"]])
    sampling = replace(parse(str(names[0])), detail=f"@{content[:12]}")
    _check_rows_suffice(sampling)
    return sampling, IndexSplits(table, path.name, sampling)


def _table(path: Path) -> pd.DataFrame:
    """The table in a file; the name of a data set is the text that stands there, even '007'."""
    table = read_table(path, "Sampling")
    if "dataset" in table and not path.name.lower().endswith((".parquet", ".pq")):
        column = [list(table).index("dataset")]
        table["dataset"] = pd.read_csv(
            path, usecols=column, dtype=str, keep_default_na=False, skipinitialspace=True
        ).iloc[:, 0]
    return table


# -- scikit-learn's splitters ---------------------------------------------------------------------


@dataclass(frozen=True)
class SplitterSplits:
    """All splits that a scikit-learn splitter makes of a data set."""

    splitter: Any

    def __call__(self, data: Dataset, seed: int) -> list[Draw]:
        """The splits; a random state that was left open follows from the study's seed."""
        splitter = copy.deepcopy(self.splitter)
        if getattr(splitter, "random_state", 0) is None:
            rng = stream(seed, SPLITTER.name, data.name)
            splitter.random_state = int(rng.integers(2**31))
        X = data.X[: data.n] if isinstance(data.X, np.ndarray) else data.X.iloc[: data.n]
        try:
            draws = [
                Draw((given_split(f"sample {number}", data.n, train, test),))
                for number, (train, test) in enumerate(
                    splitter.split(X, data.y[: data.n], data.groups), 1
                )
            ]
        except Exception as error:  # a user's splitter may raise anything
            lacking = data.groups is None and "groups" in str(error)
            raise DesignError(
                f"Data set '{data.name}' cannot be split by {self.splitter!r}: {error}"
                + " Give the group of every row, as in groups=." * lacking
            ) from None
        if not draws:
            raise DesignError(f"Data set '{data.name}': {self.splitter!r} makes no splits.")
        return draws


def splitter_sampling(splitter: Any) -> Sampling:
    """What is known of a splitter: it is a cross-validation, subsampling or something else."""
    from sklearn import model_selection as sk

    if isinstance(splitter, type):
        raise DesignError(
            f"{splitter.__name__} is a class: give a splitter, {splitter.__name__}()."
        )
    state = getattr(splitter, "__dict__", {})
    content = fingerprint(repr(description(state, type(splitter).__name__)))
    detail = f":{type(splitter).__name__}({content[:8]})"
    # TimeSeriesSplit, too, has n_splits, but its folds do not partition the rows
    if isinstance(splitter, (sk.KFold, sk.StratifiedKFold, sk.GroupKFold, sk.StratifiedGroupKFold)):
        return replace(samplings.cv(splitter.n_splits), detail=detail)
    if isinstance(splitter, (sk.RepeatedKFold, sk.RepeatedStratifiedKFold)):
        folds = splitter.cvargs["n_splits"]
        return replace(samplings.repeated_cv(splitter.n_repeats, folds), detail=detail)
    if isinstance(splitter, sk.BaseShuffleSplit):
        known = samplings.subsampling(0.5, splitter.n_splits)
        share = _training_share(splitter)
        samples = None if share is None else splitter.n_splits
        return replace(known, samples=samples, share=share, detail=detail)
    return Sampling(FOREIGN, detail=detail)


def _training_share(splitter: Any) -> float | None:
    """None where sizes are given as numbers of rows: the share then depends on the data."""
    train, test = splitter.train_size, splitter.test_size
    if train is None:
        test = splitter._default_test_size if test is None else test
        train = 1 - test if isinstance(test, float) else None
    return train if isinstance(train, float) else None
