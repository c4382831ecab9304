from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import snapshots
from snapshots import WRITE, assert_snapshot

FRAME = pd.DataFrame({"name": ["a", None], "value": [0.1, np.nan], "good": [True, False]})


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "FOLDER", tmp_path)
    monkeypatch.setenv(WRITE, "write")
    assert_snapshot("kept", FRAME)
    monkeypatch.delenv(WRITE)


def test_a_frame_is_the_kept_one_up_to_rounding() -> None:
    assert_snapshot("kept", FRAME)
    assert_snapshot("kept", FRAME.assign(value=FRAME["value"] * (1 + 1e-10)))


@pytest.mark.parametrize(
    ("changed", "broken"),
    [
        (FRAME.assign(value=FRAME["value"] * (1 + 1e-8)), "Column 'value'"),
        (FRAME.assign(value=[0.1, 0.2]), "Column 'value'"),
        (FRAME.assign(name=["a", "b"]), "Column 'name'"),
        (FRAME.assign(good=[True, True]), "Column 'good'"),
        (FRAME[:1], "has 2 rows, not 1"),
        (FRAME[["value", "name", "good"]], "other columns"),
    ],
)
def test_what_differs_is_said_with_the_way_out(changed: pd.DataFrame, broken: str) -> None:
    with pytest.raises(AssertionError, match=f"{broken}.*PODIUM_SNAPSHOTS=write"):
        assert_snapshot("kept", changed)


def test_a_missing_snapshot_fails_and_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"no snapshot 'new\.csv'.*PODIUM_SNAPSHOTS=write"):
        assert_snapshot("new", FRAME)
    assert not (tmp_path / "new.csv").exists()
