"""A keeper is left to the next call, which has a folder, an environment and modules of its own."""

import os
import signal
from pathlib import Path

import numpy as np

import podium
from podium.running.execution import keepers

X = np.random.default_rng(0).normal(size=(40, 3))
DATA = podium.dataset("d", X, (X[:, 0] > 0).astype(int))


class Tells:
    """Writes where it is, and what it finds there."""

    def fit(self, X, y):
        Path("seen").write_text(f"{os.getcwd()} {os.environ.get('WHAT')}")
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


def run(folder, monkeypatch, what):
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("WHAT", what)
    study = podium.Study(DATA, [podium.algorithm("a", Tells)], sampling="bootstrap:2")
    results = podium.run(study, folder / "s.db", jobs=2, quiet=True)
    assert (results.runs["status"] == "done").all()
    assert (folder / "seen").read_text() == f"{folder} {what}"


def left():
    (keeper,) = keepers._spare
    return keeper._process.pid


def test_the_next_call_has_the_keeper_but_not_the_folder_of_the_last(tmp_path, monkeypatch):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    run(tmp_path / "one", monkeypatch, "1")
    first = left()
    run(tmp_path / "two", monkeypatch, "2")
    assert left() == first
    os.kill(first, signal.SIGKILL)
    run(tmp_path / "three", monkeypatch, "3")
    assert left() != first
    assert list(temporary.iterdir()) == []
    keepers.forget()
    assert keepers._spare == []


def test_a_child_of_this_process_leaves_the_keeper_alone():
    keepers.forget()
    keepers._spare.append(object())
    try:
        pid = os.fork()
        if pid == 0:
            os._exit(len(keepers._spare))
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert len(keepers._spare) == 1
    finally:
        keepers._spare.clear()


def test_one_that_is_not_there_is_not_kept():
    keeper = keepers.Keeper([])
    keepers.give_back(keeper)  # it has never been started
    assert keeper not in keepers._spare
