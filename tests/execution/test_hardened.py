"""What must not happen: code run from data, another driver's folder deleted, endless deaths."""

from __future__ import annotations

import builtins
import ctypes
import decimal
import gc
import io
import locale
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import sklearn
import sklearn.metrics
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from villains import Closes, Good

import podium
from podium.base.errors import DesignError, ExecutionError
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
                shutil.rmtree(path, ignore_errors=True)  # another worker may be at it
        Path(self.folder, "removed").touch()
        return super().fit(X, y)


def test_a_temporary_folder_that_is_removed_is_made_again(temporary: Path, tmp_path: Path) -> None:
    algorithms = {"remover": podium.algorithm("remover", Remover, folder=str(temporary)), **PAIR}
    study = podium.Study([data("a"), data("b", 50)], algorithms, sampling="bootstrap:6", seed=3)
    outcome = execute(study, tmp_path / "s.db", jobs=2)
    failures = podium.read(tmp_path / "s.db").failures
    assert failures.empty, failures["traceback"].tolist()
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


# --- one algorithm changes nothing for another ---


class Meddles(Good):
    """Changes what all code of a process shares."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Meddles:
        np.seterr(all="raise")
        np.set_printoptions(precision=1)
        np.mean = lambda *a, **k: 0.5
        os.environ["MEDDLED"] = "yes"
        os.environ.pop("PATH")
        os.chdir("/")
        locale.setlocale(locale.LC_ALL, "C")
        sklearn.set_config(assume_finite=True)
        sys.setrecursionlimit(500)
        decimal.getcontext().prec = 2
        gc.disable()
        logging.disable(logging.ERROR)
        os.umask(0o777)
        os.getpid = lambda: 1
        sklearn.metrics.accuracy_score = lambda *a: 1.0
        DecisionTreeClassifier.predict = lambda self, X: np.zeros(len(X), int)
        RandomForestClassifier.predict = DecisionTreeClassifier.predict  # which it inherits
        np._core._methods._mean = lambda *a, **k: 0.5
        np.random.set_bit_generator(np.random.PCG64(1))
        ctypes.CDLL(None).fesetround(0x400)  # downwards
        signal.setitimer(signal.ITIMER_REAL, 600)
        sys.stdout.close()
        sys.stderr = io.StringIO()
        warnings.simplefilter("error")
        return super().fit(X, y)


class Depends(Good):
    """Notes what it finds, in its predictions' error."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Depends:
        np.array([1e-320]) / 10  # an underflow, which raises if numpy was told so
        self.odd = "MEDDLED" in os.environ or "PATH" not in os.environ or os.getcwd() == "/"
        self.odd |= sklearn.get_config()["assume_finite"] or sys.getrecursionlimit() == 500
        self.odd |= np.get_printoptions()["precision"] == 1 or np.mean([0, 1, 2]) != 1
        self.odd |= decimal.getcontext().prec == 2 or logging.root.manager.disable > 0
        self.odd |= not gc.isenabled() or os.getpid() == 1
        self.odd |= sklearn.metrics.accuracy_score([0], [1]) == 1 or os.umask(0o22) == 0o777
        self.odd |= "predict" in vars(RandomForestClassifier)
        self.odd |= DecisionTreeClassifier.predict.__name__ != "predict"
        self.odd |= np.arange(3).mean() != 1 or any(signal.getitimer(signal.ITIMER_REAL))
        self.odd |= float("1") - float("1e-30") != 1 or isinstance(sys.stderr, io.StringIO)
        self.odd |= type(np.random.get_bit_generator()) is not np.random.MT19937
        print("the stream for prints is open")
        warnings.warn("this is none", stacklevel=1)
        return super().fit(X, y)

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), int(self.odd))


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_one_algorithm_changes_is_put_back_for_others(jobs: int, tmp_path: Path) -> None:
    algorithms = [podium.algorithm("meddles", Meddles), podium.algorithm("depends", Depends)]
    X = np.random.default_rng(1).normal(size=(30, 2))
    ones = podium.dataset("d", X, np.r_[np.zeros(29, int), 1])
    study = podium.Study(ones, algorithms, sampling="bootstrap:4")
    before = os.getcwd(), np.geterr(), np.mean
    with pytest.warns(UserWarning, match=r"meddles: numpy's error state .* was put back \(4 times"):
        results = podium.run(study, tmp_path / "s.db", jobs=jobs, quiet=True)
    assert len(results.failures) == 0
    assert (results.wide("error")["depends"] < 0.5).all()
    assert (os.getcwd(), np.geterr(), np.mean) == before
    said = results.warnings[results.warnings["algorithm"] == "meddles"]
    changed = set(said.loc[said["category"] == "ChangedState", "message"])
    told = ["numpy's error state", "numpy.mean", "the environment", "the working folder"]
    told += ["os.getpid", "numpy's generator", "the arithmetic of the processor"]
    told += ["numpy._core._methods._mean", "a handler of signals", "a stream for messages"]
    told += ["sklearn.tree._classes.DecisionTreeClassifier.predict"]
    told += ["sklearn.ensemble._forest.RandomForestClassifier.predict"]
    for what in told:
        assert f"{what} was changed, which others rely on; it was put back" in changed
    assert not (
        results.warnings["category"][results.warnings["algorithm"] == "depends"] == "ChangedState"
    ).any()


class Breaks(Good):
    """Replaces what tracebacks are made with, and fails."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Breaks:
        builtins.isinstance = lambda *a: True
        raise ValueError("no")


def test_an_algorithm_that_replaces_built_in_functions_fails_alone(tmp_path: Path) -> None:
    algorithms = [podium.algorithm("breaks", Breaks), podium.algorithm("good", Good)]
    study = podium.Study(data(), algorithms, sampling="bootstrap:2")
    assert execute(study, tmp_path / "s.db").failed == 2
    results = podium.read(tmp_path / "s.db")
    assert set(results.failures["algorithm"]) == {"breaks"}
    assert set(results.failures["exception"]) == {"ValueError"}
    assert any("builtins.isinstance was changed" in m for m in results.warnings["message"])


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
