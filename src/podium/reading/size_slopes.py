"""How scores move with the training size: a slope of every sample and algorithm."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.results import Results

LEAST = 2  # sizes


def training_sizes(results: Results) -> set[float]:
    """The sizes that data sets were learned from at, where a study asked for several."""
    return {float(facts["size"]) for facts in results.facts.values() if "size" in facts}


def size_slopes(results: Results, measure: str) -> pd.DataFrame:
    """The change of the score with every doubling of the size: dataset, algorithm, sample, value.

    The sizes of a data set share their samples, so that slopes are of single samples; a sample
    that lacks a size of an algorithm is left out for it.
    """
    known = {d: (f["of"], float(f["size"])) for d, f in results.facts.items() if "size" in f}
    if len({size for _, size in known.values()}) < LEAST:
        raise ResultsError(
            "Whether a difference moves with the training size needs several sizes of every data "
            "set: run a study with sizes = [50, 100, 200], say."
        )
    table = results.values(measure)
    table = table[table["dataset"].isin(known)]
    full, size = zip(*(known[d] for d in table["dataset"]), strict=True)
    table = table.assign(
        dataset=list(full), size=np.log2(size), algorithm=table["algorithm"].astype(str)
    )
    parts = [_slopes(of, str(name)) for name, of in table.groupby("dataset", sort=False)]
    return pd.concat(parts, ignore_index=True)


def _slopes(table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    wide = table.pivot_table(index=["algorithm", "sample"], columns="size", values="value").dropna()
    sizes = wide.columns.to_numpy(float)
    if len(sizes) < LEAST:
        raise ResultsError(f"'{dataset}' has one training size, and a slope needs several.")
    centred = sizes - sizes.mean()
    slopes = wide.to_numpy() @ centred / (centred @ centred)
    return wide.index.to_frame(index=False).assign(dataset=dataset, value=slopes)
