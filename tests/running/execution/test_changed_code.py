"""Code of one's own is part of a run's key: what changed is said, and run again."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB

import podium
from podium import Algorithm, Store
from podium.cli.main import main
from podium.running.studies.verbs import with_kept_code

TREE = '''\
"""A tree."""
from sklearn.tree import DecisionTreeClassifier

import grown_by

DEPTH = 2


class Mine(DecisionTreeClassifier):
    def fit(self, X, y):
        self.max_depth = DEPTH + grown_by.more()
        return super().fit(X, y)
'''
STUDY = """\
sampling = "cv:5"
trust = ["own_tree"]
[[datasets]]
name = "iris"
source = "sklearn:iris"
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
[[algorithms]]
name = "mine"
estimator = "own_tree.Mine"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_tree.py").write_text(TREE)
    (tmp_path / "grown_by.py").write_text("def more():\n    return 0\n")
    (tmp_path / "study.toml").write_text(STUDY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in ("own_tree", "grown_by"):
        sys.modules.pop(name, None)


def edit(name: str, before: str, after: str) -> None:
    text = Path(name).read_text()
    assert before in text
    Path(name).write_text(text.replace(before, after))
    for module in ("own_tree", "grown_by"):
        sys.modules.pop(module, None)
    importlib.invalidate_caches()
    sys.path_importer_cache.clear()


def ran(capsys) -> str:
    with pytest.raises(SystemExit) as end:
        main(["run", "study.toml", "--trust", "own_tree", "--jobs", "1", "--quiet"])
    assert end.value.code == 0
    return str(capsys.readouterr().err)


def counts() -> dict[str, int]:
    sql = "SELECT name, count(*) FROM runs JOIN algorithms a ON a.id = runs.algorithm GROUP BY name"
    with Store("study.db", readonly=True) as store:
        return dict(store.rows(sql))


def test_changed_code_is_told_and_run_again(folder: Path, capsys):
    assert ran(capsys) == ""
    edit("own_tree.py", "DEPTH = 2", "DEPTH   =   2  # as in the paper")
    edit("own_tree.py", "A tree.", "A tree that is mine.")
    assert ran(capsys) == ""
    assert counts() == {"bayes": 5, "mine": 5}
    edit("own_tree.py", "2  #", "5  #")
    said = "podium: own_tree.py changed since 5 runs of 'mine' were made: they are run again.\n"
    assert ran(capsys) == said
    assert counts() == {"bayes": 5, "mine": 10}
    assert ran(capsys) == ""
    edit("grown_by.py", "return 0", "return 1")
    assert ran(capsys) == said.replace("own_tree.py", "grown_by.py")
    assert counts() == {"bayes": 5, "mine": 15}
    assert len(podium.read("study.db").scores) == 10


def test_check_names_code_that_has_changed_and_imports_nothing(folder: Path, capsys):
    ran(capsys)

    def checked() -> str:
        with pytest.raises(SystemExit) as end:
            main(["store", "check", "study.db"])
        assert end.value.code == 0
        return str(capsys.readouterr().err)

    assert checked() == ""
    edit("own_tree.py", "DEPTH = 2", "DEPTH = 5")
    edit("grown_by.py", "return 0", "return 1\n\nraise SystemExit('imported')")
    assert checked() == (
        "podium: grown_by.py, own_tree.py changed since the runs of 'mine' were made: podium "
        "run runs them again.\n"
    )
    (folder / "own_tree.py").unlink()
    (folder / "grown_by.py").unlink()
    assert checked() == ""  # code that is elsewhere


def test_in_python_it_is_a_warning(folder: Path):
    podium.run("study.toml", "study.db", trust=["own_tree"], quiet=True)
    edit("own_tree.py", "DEPTH = 2", "DEPTH = 1")
    with pytest.warns(UserWarning, match=r"own_tree\.py changed since 5 runs of 'mine'"):
        podium.run("study.toml", "study.db", trust=["own_tree"], quiet=True)


def test_runs_of_stores_that_knew_nothing_of_code_count_until_it_changes(
    folder: Path, capsys, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as before:
        before.setattr(Algorithm, "code", {})
        ran(capsys)
    said = ran(capsys)
    assert said.startswith("podium: 5 runs of 'mine' were made by a version of Podium that did not")
    assert counts() == {"bayes": 5, "mine": 5}
    assert ran(capsys) == ""
    edit("own_tree.py", "DEPTH = 2", "DEPTH = 5")
    assert "own_tree.py changed since 5 runs of 'mine'" in ran(capsys)
    assert counts() == {"bayes": 5, "mine": 10}
    assert ran(capsys) == ""


def test_versions_of_packages_beside_the_standard_ones_count(folder: Path):
    package = folder / "site-packages" / "elsewhere"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        f"__version__ = '1.2'\n{TREE}".replace("+ grown_by.more()", "")
    )
    sys.path.insert(0, str(package.parent))
    try:
        mine = podium.algorithm("mine", importlib.import_module("elsewhere").Mine())
        assert mine.code == {"elsewhere": "1.2"}
    finally:
        sys.path.remove(str(package.parent))
        sys.modules.pop("elsewhere")
    assert podium.algorithm("bayes", GaussianNB()).code == {}


SCRIPT = """
import sys
import warnings
import podium
from sklearn.base import ClassifierMixin, BaseEstimator
from sklearn.datasets import load_iris
import numpy as np
CLASS = 0
OTHER = 1
def chosen():
    return CLASS
class Mine(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        return np.full(len(X), self.classes_[chosen()])
print(podium.algorithm("mine", Mine()).code["study.py"])
"""


def test_of_a_script_only_what_is_used_counts(tmp_path: Path):
    def code(text: str) -> str:
        (tmp_path / "study.py").write_text(text)
        done = subprocess.run(
            [sys.executable, "study.py"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    first = code(SCRIPT)
    assert code(SCRIPT.replace("OTHER = 1", "OTHER = 2") + "print()\n").strip() == first.strip()
    assert code(SCRIPT.replace("CLASS = 0", "CLASS = 1")) != first


def test_code_that_nobody_can_read_is_told(tmp_path: Path):
    made: dict[str, type] = {}
    exec(  # as in a session
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Typed(GaussianNB):\n"
        "    __module__ = '__main__'\n"
        "    def predict(self, X):\n"
        "        return super().predict(X)\n",
        made,
    )
    study = podium.Study(
        podium.dataset("d", [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]),
        {"typed": made["Typed"]()},
        sampling="cv:2",
    )
    _, lines = with_kept_code(study, tmp_path / "none.db")
    assert lines == [
        "The code of 'typed' cannot be read, so that a change of it goes unnoticed: put it into a "
        "file that is imported."
    ]


def test_a_lambda_of_a_script_counts_with_what_it_uses(tmp_path):
    text = (
        "from podium.running.design.learners.own_code import own_code\n"
        "DEPTH, OTHER = 2, 3\n"
        "unrelated = 1\n"
        "print(own_code(lambda x: x + DEPTH))\n"
    )

    def digest(before: str, after: str) -> str:
        (tmp_path / "script.py").write_text(text.replace(before, after))
        return subprocess.check_output([sys.executable, "script.py"], cwd=tmp_path, text=True)

    kept = digest("", "")
    assert "script.py" in kept
    assert "?" not in kept
    assert digest("unrelated = 1", "unrelated = 2") == kept
    assert (
        len({kept, digest("DEPTH, OTHER = 2", "DEPTH, OTHER = 5"), digest("x + D", "x - D")}) == 3
    )
