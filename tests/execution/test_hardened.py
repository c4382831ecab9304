"""What must not happen: code run from data, another driver's folder deleted, endless deaths."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from villains import Closes, Good

import podium
from podium.errors import ExecutionError
from podium.execution import pool, shared
from podium.execution.runner import execute

STUDY = """
name = "small"
sampling = "bootstrap:3"
[[datasets]]
name = "d"
source = "builtin:twonorm"
n = 40
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
"""
HOME = str(Path(podium.__file__).parent.parent)


# --- code from data ---


def test_modules_in_the_working_folder_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    for name in ("json", "pickle", "numpy", "sklearn", "click", "socket"):
        (tmp_path / f"{name}.py").write_text("open('made-by-a-module', 'w')\n")
    words = [sys.executable, "-m", "podium", "run", "study.toml", "--jobs", "2"]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr.count("Traceback")) == (0, 0), ended.stderr
    assert not (tmp_path / "made-by-a-module").exists()


# --- folders of others ---


def data(name: str = "d", n: int = 40) -> podium.Dataset:
    X = np.random.default_rng(n).normal(size=(n, 3))
    return podium.dataset(name, X, (X[:, 0] > 0).astype(int))


PAIR = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_driver_that_cannot_see_another_ones_process_leaves_its_folder(temporary: Path) -> None:
    """As in another container that shares the disk, where the number of the process is nobody's."""
    script = (
        "import sys, tempfile; tempfile.tempdir = sys.argv[1]\n"
        "from podium.execution import shared\n"
        "shared.os.getpid = lambda: 2**22 + 1\n"
        "with shared.temporary_folder() as folder: print(folder, flush=True); input()"
    )
    words = [sys.executable, "-c", script, str(temporary)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, env=os.environ | {"PYTHONPATH": HOME}, **pipes) as other:
        folder = Path(other.stdout.readline().strip())
        with shared.temporary_folder():
            assert folder.is_dir()
        other.kill()
        other.wait()
        with shared.temporary_folder():
            assert not folder.exists()


class Remover(Good):
    """Removes, once, the folder of its own driver, as a cleaner of old files would."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def fit(self, X: np.ndarray, y: np.ndarray) -> Remover:
        for path in Path(self.folder).glob(f"{shared.PREFIX}*"):
            if not Path(self.folder, "removed").exists():
                shutil.rmtree(path)
        Path(self.folder, "removed").touch()
        return super().fit(X, y)


def test_a_temporary_folder_that_is_removed_is_made_again(temporary: Path, tmp_path: Path) -> None:
    algorithms = {"remover": podium.algorithm("remover", Remover, folder=str(temporary)), **PAIR}
    study = podium.Study([data("a"), data("b", 50)], algorithms, sampling="bootstrap:6", seed=3)
    outcome = execute(study, tmp_path / "s.db", jobs=2)
    assert (outcome.ran, outcome.failed, outcome.restored) == (36, 0, 1)
    expected = podium.run(study, tmp_path / "whole.db", quiet=True)
    assert podium.read(tmp_path / "s.db").scores.equals(expected.scores)


# --- deaths outside of runs ---


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """The workers that pools have started."""
    seen: list[object] = []
    begin = pool._Worker.__init__

    def noted(self: object, *arguments: object) -> None:
        seen.append(self)
        begin(self, *arguments)

    monkeypatch.setattr(pool._Worker, "__init__", noted)
    return seen


def test_a_package_that_crashes_on_import_is_told_after_a_few_workers(
    tmp_path: Path, started: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crashing.py").write_text(
        "import ctypes, os\n"
        f"if os.getpid() != {os.getpid()}: ctypes.string_at(0)\n"
        "from villains import Good\n"
        "class Model(Good): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    algorithms = [podium.algorithm("m", "crashing.Model")]
    study = podium.Study(data(), algorithms, sampling="bootstrap:3")
    with pytest.raises(ExecutionError) as caught:
        execute(study, tmp_path / "s.db", jobs=2)
    assert len(started) <= 2 * pool.MOST_STILLBORN
    said = str(caught.value)
    for part in ("worker processes in a row", "SIGSEGV", "crashing.py", "What is done is kept"):
        assert part in said


def test_an_algorithm_that_closes_files_fails_alone(tmp_path: Path, started: list[object]) -> None:
    algorithms = [podium.algorithm("closes", Closes), podium.algorithm("good", Good)]
    study = podium.Study(data(), algorithms, sampling="bootstrap:3")
    outcome = execute(study, tmp_path / "s.db", jobs=2)
    assert (outcome.ran, outcome.failed) == (6, 3)
    assert set(podium.read(tmp_path / "s.db").failures["algorithm"]) == {"closes"}
    assert len(started) <= 12
