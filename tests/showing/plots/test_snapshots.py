from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import numpy as np
import pandas as pd
import pytest
import snapshots
from snapshots import WRITE, assert_kept, assert_snapshot, plain

FRAME = pd.DataFrame({"name": ["a", None], "value": [0.1, np.nan], "good": [True, False]})


@dataclass(frozen=True)
class Record:
    """One of each kind."""

    number: float
    array: np.ndarray
    names: frozenset[str]
    error: Exception


VALUE: dict[str, Any] = {
    "record": Record(0.1, np.array([[1, np.nan], [np.inf, -0.0]]), frozenset("ba"), OSError("no")),
    "frame": FRAME,
    "series": pd.Series([1.5], index=["x"]),
    "flag": np.bool_(True),
    "text": "0.1",
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "TESTS", tmp_path)
    monkeypatch.setenv(WRITE, "write")
    assert_snapshot("kept", FRAME)
    assert_kept("room", "kept", VALUE)
    assert_kept("room", "cases", VALUE, case="one")
    monkeypatch.delenv(WRITE)


def test_a_frame_is_the_kept_one_up_to_rounding() -> None:
    assert_snapshot("kept", FRAME)
    assert_snapshot("kept", FRAME.assign(value=FRAME["value"] * (1 + 1e-10)))


@pytest.mark.parametrize(
    ("changed", "broken"),
    [
        (FRAME.assign(value=FRAME["value"] * (1 + 1e-8)), "csv: value differs"),
        (FRAME.assign(value=[0.1, 0.2]), "csv: value differs"),
        (FRAME.assign(name=["a", "b"]), "csv: name differs"),
        (FRAME.assign(good=[True, True]), "csv: good differs"),
        (FRAME[:1], "csv: name differs"),
        (FRAME[["value", "name", "good"]], "other columns"),
    ],
)
def test_what_differs_is_said_with_the_way_out(changed: pd.DataFrame, broken: str) -> None:
    with pytest.raises(AssertionError, match=f"{broken}.*PODIUM_SNAPSHOTS=write"):
        assert_snapshot("kept", changed)


def test_a_missing_snapshot_fails_and_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"no snapshot 'new\.csv'.*PODIUM_SNAPSHOTS=write"):
        assert_snapshot("new", FRAME)
    assert not list(tmp_path.rglob("new.csv"))


def test_a_value_is_the_kept_one_up_to_rounding() -> None:
    assert_kept("room", "kept", VALUE)
    assert_kept("room", "cases", VALUE | {"flag": True}, case="one")
    assert plain(VALUE)["record"]["error"] == "OSError: no"
    assert plain(VALUE)["record"]["names"] == ["a", "b"]
    assert plain(VALUE)["frame"] == {
        "name": ["a", None],
        "value": [0.1, ANY],
        "good": [True, False],
    }
    near = replace(VALUE["record"], number=0.1 * (1 + 1e-10))
    assert_kept("room", "kept", VALUE | {"record": near})
    near = replace(VALUE["record"], number=0.1 * (1 + 1e-8))
    assert_kept("room", "kept", VALUE | {"record": near}, relative=1e-7)


@pytest.mark.parametrize(
    ("changed", "broken"),
    [
        ({"record": replace(VALUE["record"], number=0.1 * (1 + 1e-8))}, r"\.record\.number: 0\.1"),
        ({"record": replace(VALUE["record"], number=float("nan"))}, r"\.record\.number: nan"),
        ({"record": replace(VALUE["record"], array=np.ones((2, 2)))}, r"\.record\.array\[0\]\[1\]"),
        ({"record": replace(VALUE["record"], array=np.ones(2))}, r"\.record\.array\[0\]"),
        ({"record": replace(VALUE["record"], names=frozenset("a"))}, r"\.record\.names"),
        ({"record": replace(VALUE["record"], error=OSError("yes"))}, r"\.record\.error"),
        ({"frame": FRAME.assign(good=[True, True])}, r"\.frame\.good\[1\]"),
        ({"flag": 1}, r"\.flag: 1, kept was True"),
        ({"text": 0.1}, r"\.text"),
        ({"series": {"y": 1.5}}, r"\.series"),
        ({"more": 1}, r": \['more'\] are on one side"),
    ],
)
def test_what_differs_is_named(changed: dict[str, object], broken: str) -> None:
    for name, case in (("kept", ""), ("cases", "one")):
        with pytest.raises(AssertionError, match=f"(?s)PODIUM_SNAPSHOTS=write.*{broken}"):
            assert_kept("room", name, VALUE | changed, case=case)


def test_what_was_never_kept_fails_and_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"no room/kept/new\.json.*PODIUM_SNAPSHOTS=write"):
        assert_kept("room", "new", VALUE)
    with pytest.raises(AssertionError, match=r"cases\.json has no 'two'.*PODIUM_SNAPSHOTS=write"):
        assert_kept("room", "cases", VALUE, case="two")
    assert not list(tmp_path.rglob("new.json"))


def test_what_has_no_plain_form_is_refused() -> None:
    with pytest.raises(TypeError, match="kept of a object"):
        assert_kept("room", "kept", {"text": object()})
