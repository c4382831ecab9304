"""Data and measures that changed between two calls of a study: said, and run again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import podium
from podium.cli.main import main

STUDY = """\
sampling = "cv:5"
[[datasets]]
name = "mine"
source = "file:mine.csv"
target = "class"
[[datasets]]
name = "iris"
source = "sklearn:iris"
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
"""


def write(rows: int, seed: int = 0) -> None:
    X = np.random.default_rng(seed).normal(size=(rows, 2)).round(3)
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame.assign(**{"class": np.where(X[:, 0] > 0, "yes", "no")}).to_csv("mine.csv", index=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    write(40)
    return tmp_path


def ran(capsys) -> str:
    with pytest.raises(SystemExit) as end:
        main(["run", "study.toml", "--jobs", "1", "--quiet"])
    assert end.value.code == 0
    return str(capsys.readouterr().err)


def test_changed_data_are_told_and_run_again(folder, capsys):
    assert ran(capsys) == ""
    assert ran(capsys) == ""
    write(40, seed=1)
    runs = "since 5 runs were made with it: they are run again.\n"
    said = f"podium: The data set 'mine' changed {runs}"
    assert ran(capsys) == said
    assert ran(capsys) == ""
    write(41)
    assert ran(capsys) == said.replace("changed", "changed (40 rows, now 41)")
    write(40)  # as it was at first, when it was run
    assert ran(capsys) == ""
    assert len(podium.read("study.db").scores) == 10


def test_several_are_told_in_one_line_and_in_python_it_is_a_warning(tmp_path):
    def study(shift):
        rng = np.random.default_rng(0)
        data = [
            podium.dataset(n, rng.normal(size=(30, 2)) + shift, [0, 1] * 15) for n in ("a", "b")
        ]
        return podium.Study(data, {"nb": GaussianNB()}, sampling="cv:3")

    podium.run(study(0), tmp_path / "s.db", quiet=True, jobs=0)
    said = "^The data sets 'a', 'b' changed since 6 runs were made with them: they are run again.$"
    with pytest.warns(UserWarning, match=said):
        podium.run(study(1), tmp_path / "s.db", quiet=True, jobs=0)


def test_a_changed_measure_is_told(tmp_path):
    def study(power):
        def off(truth, predicted):
            return float(np.mean(np.abs(truth - predicted) ** power))

        data = podium.dataset("d", np.random.default_rng(0).normal(size=(30, 2)), [0, 1] * 15)
        made = podium.measure("off", off, higher_is_better=False)
        return podium.Study(data, {"nb": GaussianNB()}, sampling="cv:3", measures=[made, "error"])

    podium.run(study(1), tmp_path / "s.db", quiet=True, jobs=0)
    said = "^The measure 'off' changed since 3 runs were made: they are run again.$"
    with pytest.warns(UserWarning, match=said):
        podium.run(study(2), tmp_path / "s.db", quiet=True, jobs=0)
