"""kill -9 the driver, resume, and get the scores of a run that was never interrupted."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import podium
from podium.running.execution.runner import execute

STUDY = """
name = "killed"
seed = 7
sampling = "bootstrap:SAMPLES"
measures = ["error", "log-loss"]
keep = ["predictions"]
[[datasets]]
name = "monks3"
source = "builtin:monks3"
[[datasets]]
name = "twonorm"
source = "builtin:twonorm"
n = 200
[[algorithms]]
name = "lda"
estimator = "sklearn.discriminant_analysis.LinearDiscriminantAnalysis"
preprocess = true
[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
preprocess = true
[[algorithms]]
name = "forest"
estimator = "sklearn.ensemble.RandomForestClassifier"
parameters = { n_estimators = 10 }
preprocess = true
"""
RUNS_PER_SAMPLE = 6


def study_file(folder: Path, samples: int = 25) -> Path:
    path = folder / "study.toml"
    path.write_text(STUDY.replace("SAMPLES", str(samples)))
    return path


def finished_runs(store: Path) -> int:
    """How many runs a store holds while somebody writes it; 0 while it is being made."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=5) as db:
            return int(db.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.Error:
        return 0


def killed(study: Path, store: Path, moment: int) -> int:
    """Start the command, kill it when `moment` runs are kept; return how many were."""
    command = [
        sys.executable,
        "-m",
        "podium",
        "run",
        str(study),
        "--store",
        str(store),
        "-q",
        "-j2",
    ]
    with subprocess.Popen(command, start_new_session=True) as process:
        while process.poll() is None and finished_runs(store) < moment:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert no_process_of(process.pid), "workers outlive their driver"
    return finished_runs(store)


def no_process_of(session: int, patience: float = 20) -> bool:
    """Whether all processes of a session end by themselves."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if not any(_session(p) == session for p in Path("/proc").glob("[0-9]*")):
            return True
        time.sleep(0.1)
    return False


def _session(process: Path) -> int:
    try:
        fields = (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return -1
    return -1 if fields[0] == "Z" else int(fields[3])


def bits(results: podium.Results) -> np.ndarray:
    assert (results.runs["status"] == "done").all()
    return results.scores["value"].to_numpy().view(np.int64)


def kept(path: Path) -> list[tuple[object, ...]]:
    with podium.Store(path, readonly=True) as store:
        return store.rows(
            "SELECT DISTINCT key, split, kind, dtype, shape, data FROM predictions "
            "JOIN runs ON runs.id = run ORDER BY key, split, kind"
        )


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole(tmp_path_factory.mktemp("whole"))


def whole(folder: Path, samples: int = 25) -> Path:
    """The store of a run that nobody interrupts."""
    execute(podium.load_study(study_file(folder, samples)), folder / "whole.db")
    return folder / "whole.db"


@pytest.mark.parametrize(
    ("kills", "samples"), [(3, 25), pytest.param(20, 200, marks=pytest.mark.long)]
)
def test_killed_drivers_lose_and_change_nothing(
    kills: int,
    samples: int,
    uninterrupted: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    expected, total = uninterrupted, RUNS_PER_SAMPLE * samples
    if samples != 25:
        expected = whole(tmp_path_factory.mktemp("whole"), samples)
    study, store = study_file(tmp_path, samples), tmp_path / "killed.db"
    moments = sorted(random.Random(kills).sample(range(total - 30), kills))
    left = [killed(study, store, moment) for moment in moments]
    assert left == sorted(left), "a kill lost finished runs"
    assert sum(0 < count < total for count in set(left)) >= kills / 3, "kills hit the same moments"
    results = podium.run(study, store, jobs=2, quiet=True)
    assert results.scores.equals(podium.read(expected).scores)
    assert np.array_equal(bits(results), bits(podium.read(expected)))
    assert kept(store) == kept(expected)


def test_scores_do_not_depend_on_the_number_of_workers(tmp_path: Path, uninterrupted: Path) -> None:
    """Two workers are those that go on behind the last kill."""
    results = podium.run(study_file(tmp_path), tmp_path / "s.db", jobs=4, quiet=True)
    assert np.array_equal(bits(results), bits(podium.read(uninterrupted)))
    assert kept(tmp_path / "s.db") == kept(uninterrupted)
