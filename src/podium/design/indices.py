"""Samples as a table of row numbers, to publish them as the benchmark (hothorn2005, section 6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from podium.design.corrected import CORRECTIONS
from podium.design.datasets import Dataset
from podium.design.draws import Sampler, given_split
from podium.design.identity import fingerprint
from podium.design.processes import Process
from podium.design.resamples import whole
from podium.design.sources import read_table
from podium.design.splits import OPTIMISTIC, Draw
from podium.errors import DesignError
from podium.samplings import Sampling, parse
from podium.tables import INDICES


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
    more = {"bayesian-bootstrap": "weights", "parametric-bootstrap": "rows that are drawn anew"}
    if sampling.independent or sampling.name in more:
        why = more.get(sampling.name, "rows of every algorithm's own")
        raise DesignError(
            f"The samples of '{sampling}' are {why}: a table of row numbers cannot hold them. "
            "The study's seed draws them again."
        )


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
        extra = (whole(data),) if self.sampling.name in CORRECTIONS else ()
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
