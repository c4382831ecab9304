"""Samples as a table of row numbers, to publish them as the benchmark (hothorn2005, section 6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from podium.design.datasets import Dataset
from podium.design.draws import Draw, Sampler, Split
from podium.design.identity import fingerprint
from podium.design.processes import Process
from podium.design.sources import read_table
from podium.errors import DesignError
from podium.samplings import Sampling, parse
from podium.tables import INDICES


def indices_table(
    datasets: tuple[Dataset | Process, ...], sampler: Sampler, sampling: Sampling
) -> pd.DataFrame:
    """One row per data set, sample, split, part (train, test) and row; rows are numbered from 0."""
    pieces = []
    for data in datasets:
        if isinstance(data, Process):
            raise DesignError(
                f"Process '{data.name}' is simulated: it has no row numbers to export."
            )
        for number in range(1, sampler.count(data) + 1):
            _, draw = sampler.sample(data, number)
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


@dataclass(frozen=True)
class IndexSplits:
    """The samples that a table of row numbers holds, by data set."""

    table: pd.DataFrame
    origin: str

    def __call__(self, data: Dataset, seed: int) -> list[Draw]:
        """The samples of one data set, in the order of their numbers."""
        mine = self.table[self.table["dataset"] == data.name]
        if mine.empty:
            raise DesignError(f"'{self.origin}' has no samples of the data set '{data.name}'.")
        rows = mine["row"].to_numpy()
        size = int(mine["rows"].iloc[0])
        if size != len(data.y) or rows.min() < 0 or rows.max() >= len(data.y):
            raise DesignError(
                f"'{self.origin}' numbers {size} rows of the data set '{data.name}', "
                f"which has {len(data.y)}: the data are not those the samples were drawn from."
            )
        return [_draw(self.origin, data, of_sample) for _, of_sample in mine.groupby("sample")]


def _draw(origin: str, data: Dataset, table: pd.DataFrame) -> Draw:
    splits = []
    for _, part in table.groupby("split"):
        train, test = (part.loc[part["part"] == p, "row"].to_numpy() for p in ("train", "test"))
        if not len(train) or not len(test):
            raise DesignError(
                f"'{origin}': sample {table['sample'].iloc[0]} of '{data.name}' lacks its train "
                "or test rows."
            )
        splits.append(Split(train, test))
    return Draw(tuple(splits))


def read_indices(path: str | Path) -> tuple[Sampling, IndexSplits]:
    """The sampling and the samples that a CSV or Parquet file of indices holds."""
    path = Path(path)
    table = INDICES.checked(read_table(path, "Sampling"), f"The file of indices '{path}'")
    names = table["sampling"].unique()
    if len(names) != 1:
        raise DesignError(f"The file of indices '{path}' mixes {len(names)} samplings.")
    if not set(table["part"]) <= {"train", "test"}:
        raise DesignError(f"The file of indices '{path}': part must be train or test.")
    content = fingerprint(*(table[c] for c in ("dataset", "sample", "split", "part", "row")))
    sampling = replace(parse(str(names[0])), detail=f"@{content[:12]}")
    return sampling, IndexSplits(table, path.name)
