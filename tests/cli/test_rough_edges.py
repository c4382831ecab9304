"""Small things that go wrong on a command line: Ctrl-C early, floods, formulas, long headers."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import podium
from podium import PodiumError
from podium.cli.main import status_of
from podium.core.base import writing as unpacking
from podium.errors import ResultsError

HOME = str(Path(podium.__file__).parent.parent)


@pytest.mark.parametrize("module", ["typing", "click", "podium.core.base.formatting"])
def test_ctrl_c_while_podium_is_being_loaded_is_no_traceback(module: str, tmp_path: Path) -> None:
    """Somebody presses Ctrl-C in the very moment in which this module is imported."""
    (tmp_path / "sitecustomize.py").write_text(
        "import builtins, os, signal\n"
        "load = builtins.__import__\n"
        "def press(name, *rest, **more):\n"
        f"    if name == {module!r}:\n"
        "        builtins.__import__ = load\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return load(name, *rest, **more)\n"
        "builtins.__import__ = press\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "podium", "status", "absent.db"],
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{HOME}"},
        capture_output=True,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert ended.returncode in (-signal.SIGINT, 130)
    assert "Traceback" not in ended.stderr


def flood(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(unpacking, "LEAST_BOUND", 10**6)
    path.write_bytes(gzip.compress(b"dataset,a,b\n" + b"x,1,2\n" * 400_000))
    return path


def test_a_small_file_that_becomes_a_flood_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = flood(tmp_path / "s.csv.gz", monkeypatch)
    with pytest.raises(ResultsError, match="unpacked it has more than 1 MB; unpack it yourself"):
        podium.read(path, measure="error")
    (tmp_path / "study.toml").write_text(
        'sampling = "cv:2"\n[[datasets]]\nname = "d"\nsource = "file:s.csv.gz"\ntarget = "a"\n'
        '[[algorithms]]\nname = "t"\nestimator = "sklearn.tree.DecisionTreeClassifier"\n'
    )
    with pytest.raises(PodiumError, match="unpacked it has more than 1 MB"):
        podium.load_study(tmp_path / "study.toml")


def test_several_packed_files_in_one_are_read_as_gzip_does(tmp_path: Path) -> None:
    parts = [b"dataset,a,b\nx,1,2\n", b"y,2,4\nz,1,3\n"]
    packed = b"".join(map(gzip.compress, parts)) + bytes(20)
    assert unpacking.unzipped(packed) == b"".join(parts)
    with pytest.raises(EOFError):
        unpacking.unzipped(gzip.compress(b"cut off" * 50)[:-4])


@pytest.mark.parametrize("length", [131_072, 131_073])
@pytest.mark.parametrize("command", ["analyze", "advise"])
def test_a_header_of_any_length_is_no_traceback(
    length: int, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.csv").write_text(f"dataset,a,{'b' * length}\nx,1,2\ny,2,4\nz,1,3\n")
    words = [command, str(tmp_path / "s.csv"), "--measure", "error"]
    status_of(words)
    assert "Traceback" not in capsys.readouterr().err


def test_names_that_a_spreadsheet_computes_are_written_as_they_are_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.csv").write_text(
        "dataset,=1+1,b\n" + "".join(f"d{i},{i},{i**2 + 1}\n" for i in range(9))
    )
    scores = [str(tmp_path / "s.csv"), "--measure", "error"]
    for command, option in (("analyze", "--csv"), ("analyze", "--order"), ("import", "-o")):
        written = tmp_path / f"{command}{option}.csv"
        assert status_of([command, *scores, option, str(written)]) == 0
        assert "'=1+1' are written as they are: a spreadsheet takes" in capsys.readouterr().err
        assert "=1+1" in written.read_text()
    assert podium.read(written).algorithms == ["=1+1", "b"]


def test_items_are_asked_of_a_store_not_of_results() -> None:
    table = {"a": [1, 2, 3], "b": [2, 3, 5]}
    results = podium.read(table, sampling="simulation", measure="error")
    with pytest.raises(ResultsError, match="give its path, not Results"):
        podium.read_items(results)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without an end")
def test_a_study_file_without_end_is_refused() -> None:
    with pytest.raises(PodiumError, match="The study file '/dev/zero' has more than 10 MB"):
        podium.load_study("/dev/zero")


def test_warnings_of_libraries_are_no_message_to_users(tmp_path: Path) -> None:
    """Unless Python was asked for them."""
    script = (
        "import importlib, warnings\n"
        "cli = importlib.import_module('podium.cli.main')\n"
        "def status(*_):\n"
        "    warnings.warn('divide by zero', RuntimeWarning)\n"
        "    return 0\n"
        "cli.status_of = status\n"
        "cli.main([])"
    )
    quiet, loud = (
        subprocess.run(
            [sys.executable, *flags, "-c", script],
            env=os.environ | {"PYTHONPATH": HOME},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stderr
        for flags in ((), ("-W", "always"))
    )
    assert not quiet
    assert "divide by zero" in loud


@pytest.mark.filterwarnings("error")
def test_an_infinite_score_is_refused_with_its_cell_and_nothing_else() -> None:
    rows = [{"dataset": f"d{i}", "a": i / 10, "b": 0.5} for i in range(8)]
    rows[-1]["a"] = rows[2]["a"] = float("inf")
    with pytest.raises(ResultsError, match="column 'a', row 3: 'inf' is no finite number"):
        podium.read(pd.DataFrame(rows), measure="error")
