"""What must not happen: code run from data, another driver's folder deleted, endless deaths."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from villains import Closes, Good

import podium
from podium.errors import DesignError, ExecutionError
from podium.running.execution import pool
from podium.running.execution.runner import execute

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


def data(name: str = "d", n: int = 40) -> podium.Dataset:
    X = np.random.default_rng(n).normal(size=(n, 3))
    return podium.dataset(name, X, (X[:, 0] > 0).astype(int))


PAIR = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}


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


# --- what an algorithm leaves to its own next run ---


COUNTED = [0]


class Counts(Good):
    """Predicts by how often it was fitted in this process."""

    fits = 0

    def fit(self, X: np.ndarray, y: np.ndarray) -> Counts:
        Counts.fits += 1
        COUNTED.append(1)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.arange(len(X)) % 5 < Counts.fits


def test_state_that_cannot_be_put_back_is_told_and_a_fresh_process_forgets_it(
    tmp_path: Path,
) -> None:
    algorithms = [podium.algorithm("counts", Counts), podium.algorithm("good", Good)]
    study = podium.Study(data(), algorithms, sampling="bootstrap:3")
    with pytest.warns(UserWarning, match='counts: the class Counts keeps .*isolate = "process"'):
        results = podium.run(study, tmp_path / "s.db", jobs=2, quiet=True)
    said = results.warnings
    assert set(said.loc[said["category"] == "KeptState", "algorithm"]) == {"counts"}
    assert any("the class Counts keeps fits between runs" in m for m in said["message"])
    assert any("keeps COUNTED between runs" in m for m in said["message"])
    fresh = podium.Study(data(), algorithms, sampling="bootstrap:3", isolate="process")
    one, two = (
        podium.run(fresh, tmp_path / f"{jobs}.db", jobs=jobs, quiet=True) for jobs in (1, 2)
    )
    assert one.scores.equals(two.scores)
    assert one.warnings.empty  # nothing is left to others
    assert [r.key for r in fresh] == [r.key for r in study]


def test_isolation_is_checked() -> None:
    with pytest.raises(DesignError, match="isolate is 'process', a fresh process for every run"):
        podium.Study(data(), PAIR, sampling="bootstrap:2", isolate="thread")


class Allocates(Good):
    """Holds so many megabytes while it is fitted."""

    fits = 0

    def fit(self, X: np.ndarray, y: np.ndarray) -> Allocates:
        Allocates.fits += 1
        self.held = np.ones(5 * 2**20, np.uint8)
        return super().fit(X, y)


def test_peak_memory_does_not_depend_on_what_ran_before(tmp_path: Path) -> None:
    algorithms = [podium.algorithm("five", Allocates), podium.algorithm("none", Good)]
    study = podium.Study(
        data(), algorithms, sampling="bootstrap:4", measures=["peak-memory", "error"]
    )
    results = podium.run(study, tmp_path / "s.db", quiet=True)
    megabytes = results.wide("peak-memory")[["five", "none"]] / 2**20
    assert megabytes["five"].between(4.9, 7).all()
    assert (megabytes["none"] < 2).all()
    assert results.warnings.empty  # as fresh processes see nothing of what others keep
