"""The command: generators of a user's own in several processes, and what the screen shows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from joblib.externals.loky import get_reusable_executor

from podium.cli.main import status_of
from podium_lab.__main__ import group
from podium_lab.calibration import calibrate as calibrate_module
from podium_lab.calibration.scenarios import SCENARIOS

DRAW = """from own_scale import SCALE
def draw(rng, blocks, k):
    return SCALE * rng.random((blocks, k))
"""


def ended(words: list[str]) -> int:
    return status_of(words, group, "python -m podium_lab")


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a generator that needs another module of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_draw.py").write_text(DRAW)
    (tmp_path / "own_scale.py").write_text("SCALE = 2\n")
    for name in ("own_draw", "own_scale"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    get_reusable_executor().shutdown()  # its workers know other folders
    return tmp_path


def test_workers_find_a_generator_that_lies_beside_the_user(beside: Path) -> None:
    asked = ["calibrate", "sign", "--scenario", "own_draw:draw", "-n", "250", "--csv"]
    before = list(sys.path)
    assert ended([*asked, "two.csv", "-j", "2"]) == 0
    assert ended([*asked, "one.csv", "-j", "1"]) == 0
    assert sys.path == before
    two = pd.read_csv(beside / "two.csv")
    assert two.equals(pd.read_csv(beside / "one.csv"))
    assert 0 < two["rate"].item() < 0.1


def test_csv_on_the_screen_stands_alone(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["calibrate", "sign", "--scenario", "normal", "-n", "20", "-j", "1", "--csv", "-"]
    assert ended(asked) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.startswith("procedure,scenario,target,blocks")
    assert [row.split(",")[:2] for row in rows] == [["sign", "normal"]] * 2


def test_what_is_measured_by_force_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--scenario", "folds", "--scenario", "skewed-folds", "-n", "10", "-j", "1"]
    assert ended(["calibrate", "kfold-t", "corrected-t", *asked]) == 0
    out = capsys.readouterr().out
    assert "kfold-t is not legal in folds, skewed-folds: measured by force" in out
    assert "corrected-t is not legal" not in out


def test_without_a_procedure_all_scenarios_are_listed() -> None:
    """In a process of its own, as some are added by modules that nobody may have imported."""
    words = [sys.executable, "-m", "podium_lab", "calibrate"]
    out = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert set(SCENARIOS) <= {line.split()[0] for line in out.splitlines() if line[:1].strip()}


@pytest.mark.parametrize("option", ["--csv", "--json", "--store"])
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_simulated(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calibrate_module, "measured", None)  # would fail if it were called
    assert ended(["calibrate", "sign", option, "no/where.csv"]) == 1
    said = "podium: 'no/where.csv' cannot be written: there is no folder 'no'.\n"
    assert capsys.readouterr().err == said
