"""Disjoint parts of a large data set, each as a data set of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from podium.base.checks import is_whole
from podium.base.errors import DesignError
from podium.design.data.datasets import Dataset
from podium.design.data.identity import stream


def subsamples(data: Dataset, parts: int, size: int, *, seed: int = 1) -> list[Dataset]:
    """So many disjoint random parts of a data set, of so many rows each, called `NAME 1`, ...

    They are samples of one distribution: `podium.surveys.true_differences` then tells the variance
    of true differences from the error of their estimates (boulesteix2013, equation 4).
    """
    for what, value in (("parts", parts), ("size", size)):
        if not is_whole(value, 1):
            raise DesignError(f"'{what}' is a whole number from 1, not {value!r}.")
    if parts * size > data.n:
        raise DesignError(
            f"The data set '{data.name}' has {data.n} rows: {parts} parts of {size} need "
            f"{parts * size}. Ask for fewer or smaller ones."
        )
    rows = stream(seed, "subsamples", data.name).permutation(data.n)[: parts * size]
    return [
        _part(data, f"{data.name} {i}", np.sort(own))
        for i, own in enumerate(rows.reshape(parts, size), 1)
    ]


def _part(data: Dataset, name: str, rows: np.ndarray) -> Dataset:
    X = data.X[rows] if isinstance(data.X, np.ndarray) else data.X.iloc[rows].reset_index(drop=True)
    groups = None if data.groups is None else data.groups[rows]
    return replace(data, name=name, X=X, y=data.y[rows], n_test=0, groups=groups)
