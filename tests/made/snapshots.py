"""Tables that plots draw, kept as CSV files beside the tests."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parents[1] / "plots/snapshots"
WRITE = "PODIUM_SNAPSHOTS"


def assert_snapshot(name: str, frame: pd.DataFrame) -> None:
    """The frame is the kept one: numbers to 1e-9 relative, all else exactly.

    It is written where the environment says PODIUM_SNAPSHOTS=write, and only there.
    """
    path = FOLDER / f"{name}.csv"
    if os.environ.get(WRITE) == "write":
        FOLDER.mkdir(exist_ok=True)
        frame.to_csv(path, index=False)
    way_out = f"If the new one is right, run the test with {WRITE}=write and look at the diff."
    assert path.exists(), f"There is no snapshot '{path.name}'. {way_out}"
    kept = pd.read_csv(path, keep_default_na=False, dtype=str)
    columns = [str(column) for column in frame.columns]
    assert list(kept.columns) == columns, f"{path.name} has other columns. {way_out}"
    assert len(kept) == len(frame), f"{path.name} has {len(kept)} rows, not {len(frame)}. {way_out}"
    for place, column in enumerate(columns):
        found = frame.iloc[:, place]
        same = _same(found, kept.iloc[:, place])
        assert same, f"Column '{column}' of {path.name} differs: now {found.tolist()}. {way_out}"


def _same(found: pd.Series, kept: pd.Series) -> bool:
    if pd.api.types.is_numeric_dtype(found) and not pd.api.types.is_bool_dtype(found):
        numbers = kept.replace("", "nan").astype(float)
        # sums that cancel leave a zero of any sign and size
        return np.allclose(found.to_numpy(float), numbers, rtol=1e-9, atol=1e-12, equal_nan=True)
    texts = ["" if pd.isna(value) else str(value) for value in found]
    return texts == kept.tolist()
