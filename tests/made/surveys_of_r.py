"""A survey of 21 data sets with what lme4 and lmerTest say of it, and surveys drawn at random."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

REFERENCE = Path(__file__).parents[1] / "reference"
R: dict[str, Any] = json.loads((REFERENCE / "mixed_survey.json").read_text(encoding="utf-8"))
NAMES = ("svm", "rpart", "nnet", "knn", "lda", "nb")
Data = tuple[np.ndarray, np.ndarray]


def survey() -> Data:
    long = pd.read_csv(REFERENCE / "survey_long.csv")
    wide = long.pivot(index=["ds", "b"], columns="alg", values="p")[list(NAMES)]
    return wide.to_numpy(), np.unique(wide.index.get_level_values("ds"), return_inverse=True)[1]


VALUES, DATASET = survey()


def drawn(
    datasets: int = 6,
    samples: int = 5,
    algorithms: int = 3,
    *,
    sample: float = 1.0,
    interaction: float = 1.0,
    error: float = 1.0,
    gaps: float = 0.0,
    seed: int = 1,
) -> Data:
    rng = np.random.default_rng(seed)
    within = np.repeat(np.arange(datasets), samples)
    cells = rng.normal(size=(datasets, 1)) + interaction * rng.normal(size=(datasets, algorithms))
    values = cells[within] + sample * rng.normal(size=(len(within), 1))
    values = values + error * rng.normal(size=values.shape)
    gone = rng.random(values.shape) < gaps
    gone[::samples] = False
    return np.where(gone, np.nan, values), within
