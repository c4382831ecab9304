"""Surveys made by hand: data sets on which it is known which algorithm is better."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

import podium
from podium import Layout, Results
from podium.core.questions.measures import parse


def survey(
    differences: Sequence[Sequence[float]],
    algorithms: Sequence[str] = ("svm", "knn", "lda"),
    samples: int = 25,
    sd: float = 0.01,
    seed: int = 1,
) -> Results:
    """Bootstrap errors of data sets d1, d2, ... with these expected errors of the algorithms."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"d{j}", name, b, 0.2 + luck + mean + rng.normal(0, sd))
        for j, means in enumerate(differences, 1)
        for b, luck in enumerate(rng.normal(0, 0.03, samples), 1)
        for name, mean in zip(algorithms, means, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])
    return podium.read(frame, sampling="bootstrap")


def of_differences(*columns: Sequence[float], measure: str = "squared") -> Layout:
    """The layout of data sets d1, ... on which algorithms are so much above the last one."""
    values = np.column_stack([*columns, np.zeros(len(columns[0]))])
    values = values if parse(measure).higher_is_better else -values
    names = tuple("abcdefgh"[: values.shape[1]])
    labels = tuple(f"d{j}" for j in range(1, len(values) + 1))
    return Layout(values, names, "dataset", "dataset-population", parse(measure), labels=labels)


def codes(found) -> set[str]:
    return {note.code for note in found.notes}
