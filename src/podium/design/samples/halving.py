"""What halvings ask of a data set, and what they must be judged by."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import DesignError
from podium.design.data.datasets import Dataset
from podium.design.data.processes import Process
from podium.design.samples.sampler import SIZED
from podium.samplings import Sampling, halvings


def check_halves(s: Sampling, data: Dataset | Process) -> None:
    """Refuse halvings of what is too small to be halved, or has several sizes."""
    if not s.halves:
        return
    if isinstance(data, SIZED):
        raise DesignError(
            f"The sampling '{s}' has halvings, which learn from 0.4 of the rows: leave out 'sizes' "
            f"or '{halvings.spelled(s.halves)}'."
        )
    assert isinstance(data, Dataset)  # no sampling of processes has halvings
    grouped = s.grouped and data.groups is not None
    units = int(data.groups.max()) + 1 if grouped and data.groups is not None else data.n
    least = halvings.EACH
    if units < least:
        noun = "groups" if s.grouped else "rows"
        raise DesignError(
            f"Halvings with {halvings.FOLDS} folds inside each half need {least} {noun}; "
            f"'{data.name}' has {units}."
        )


def halved_facts(data: Dataset) -> dict[str, Any]:
    """What a reader of halvings must know of the data, all of it of the training set."""
    X, y = data.X[: data.n], data.y[: data.n]
    hashed = pd.util.hash_pandas_object(pd.DataFrame(X), index=False)
    counts = np.bincount(y)[: len(data.classes)] if data.classes else np.empty(0)
    there = counts[counts > 0]
    return {
        "rarest": int(there.min()) if len(there) else None,  # rows of the rarest class
        "attributes": data.p,
        "distinct": int(hashed.nunique()),  # rows, by their attributes
        "grouped": data.groups is not None,
    }
