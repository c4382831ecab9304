"""Small tables that tests of the readers share."""

from __future__ import annotations

import numpy as np
import pandas as pd

COUNT = 4  # samples per data set of the small table


def long(datasets=("zoo", "ape"), algorithms=("svm", "knn"), samples=COUNT, **columns):
    """A complete long table in which every score is different."""
    rows = [(d, a, s) for d in datasets for s in range(1, samples + 1) for a in algorithms]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample"])
    frame["error"] = np.arange(1, len(frame) + 1) / 1000
    return frame.assign(**columns)


def folds(repeats, k, datasets=("d",)):
    rows = [
        (d, a, r, f)
        for d in datasets
        for r in range(1, repeats + 1)
        for f in range(1, k + 1)
        for a in "xy"
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "repeat", "fold"])
    return frame.assign(error=np.arange(len(frame)) / 1000)
