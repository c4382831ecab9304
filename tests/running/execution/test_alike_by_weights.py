"""Algorithms of a study learn from the same: by weights if all take them, else the same rows."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.cli.main import group
from podium.core.words.saying import say
from podium.errors import StoreError
from podium.running.design.study import Study
from podium.running.studies.verbs import with_kept_code

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 3))
DATA = podium.dataset("d", X, (X[:, 0] + RNG.normal(size=80) > 0).astype(int))
SAMPLES = 12


class Bare(ClassifierMixin, BaseEstimator):
    """A tree that takes no weights."""

    def __init__(self, random_state=0):
        self.random_state = random_state

    def fit(self, X, y):
        self.tree_ = DecisionTreeClassifier(random_state=self.random_state).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


class Recording(ClassifierMixin, BaseEstimator):
    """Remembers what it learned from."""

    seen: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None):
        self.seen.append((X, sample_weight))
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


class BareRecording(Recording):
    def fit(self, X, y):
        return super().fit(X, y)


def study(**algorithms):
    return podium.Study(DATA, algorithms, sampling=f"bayesian-bootstrap:{SAMPLES}", seed=5)


TREE = DecisionTreeClassifier(random_state=0)
MIXED = {"tree": TREE, "bare": Bare()}
WEIGHTED = {"tree": TREE, "bayes": GaussianNB()}
UNWEIGHTED = {"bare": Bare(), "twin": Bare(1)}


def notes(results):
    return {n.code: say(n) for n in podium.compare(results, measure="error").warnings}


def run(made, path, **options):
    return podium.run(made, path, quiet=True, jobs=0, **options)


def test_a_tree_and_itself_without_weights_have_the_same_scores(tmp_path):
    wide = run(study(**MIXED), tmp_path / "s.db").wide("error")
    np.testing.assert_array_equal(wide["tree"], wide["bare"])
    assert wide["tree"].nunique() > 1


def test_where_one_takes_no_weights_all_learn_from_the_same_rows(tmp_path):
    Recording.seen.clear()
    results = run(study(takes=Recording(), bare=BareRecording()), tmp_path / "s.db")
    assert len(results.failures) == 0
    assert len(Recording.seen) == 2 * SAMPLES
    rows = {}
    for learned, weights in Recording.seen:
        assert weights is None
        assert len(learned) == len(X)
        rows.setdefault(learned.tobytes(), []).append(learned)
    assert [len(each) for each in rows.values()] == [2] * SAMPLES
    distinct = np.mean([len(np.unique(each[0], axis=0)) for each in rows.values()]) / len(X)
    assert distinct == pytest.approx(1 - np.exp(-1), abs=0.03)
    assert results.warnings.query("category == 'UserWarning'").empty


def test_where_all_take_weights_all_learn_by_weights(tmp_path):
    Recording.seen.clear()
    run(study(one=Recording(), other=Recording()), tmp_path / "s.db")
    assert all(weights is not None and len(learned) == 80 for learned, weights in Recording.seen)


def test_keys_change_where_what_is_learned_from_changes_and_nowhere_else():
    def keys(made, name):
        return [run.key for run in made if run.algorithm == name]

    alone = {name: keys(study(**{name: made}), name) for name, made in (MIXED | WEIGHTED).items()}
    assert keys(study(**WEIGHTED), "tree") == alone["tree"]
    assert keys(study(**WEIGHTED), "bayes") == alone["bayes"]
    assert keys(study(**UNWEIGHTED), "bare") == alone["bare"]
    for name in MIXED:
        assert not {*keys(study(**MIXED), name)} & {*alone[name]}
    other = podium.Study(DATA, MIXED, sampling="bootstrap:3", seed=5)
    assert keys(other, "bare") == keys(
        podium.Study(DATA, {"bare": Bare()}, sampling="bootstrap:3", seed=5), "bare"
    )


@pytest.mark.parametrize(
    ("algorithms", "code", "text", "learned"),
    [
        (MIXED, "weights-drawn", "bare takes no weights, so all algorithms learned from the same "
         "rows drawn", "63.2 % of the rows (about 51 of 80), drawn in proportion to weights"),
        (UNWEIGHTED, "weights-drawn", "The algorithms take no weights and learned from rows drawn",
         "63.2 % of the rows (about 51 of 80), drawn in proportion to weights"),
        (WEIGHTED, "weights-taken", "All algorithms learned from all rows by the weights",
         "100 % of the rows (about 80 of 80), each with a weight"),
    ],
)  # fmt: skip
def test_screen_status_page_and_table_say_which(tmp_path, algorithms, code, text, learned):
    path = tmp_path / "s.db"
    results = run(study(**algorithms), path)
    assert text in notes(results)[code]
    status = CliRunner().invoke(group, ["status", str(path)]).output
    assert text in " ".join(status.split())
    screen = CliRunner().invoke(group, ["analyze", str(path)]).output
    assert learned in " ".join(screen.split())
    assert learned in podium.report(results).text
    table = tmp_path / "scores.csv"
    assert CliRunner().invoke(group, ["import", str(path), "-o", str(table)]).exit_code == 0
    assert text in notes(podium.read(table))[code]
    share = learned.partition(" (")[0]
    again = CliRunner().invoke(group, ["analyze", str(table)]).output
    assert f"trained on {share}" in " ".join(again.split())


@pytest.fixture
def earlier(monkeypatch):
    """Runs studies as versions did that gave weights to those who took them."""

    def run_earlier(made, path):
        with monkeypatch.context() as patch:
            patch.setattr(Study, "_weights", {})
            run(made, path)

    with monkeypatch.context() as patch:
        patch.setattr(Study, "learns_by_rows", False)
        made = study(**MIXED)
    return lambda path: run_earlier(made, path)


def test_a_store_of_an_earlier_version_is_cautioned_against_and_run_again(tmp_path, earlier):
    path = tmp_path / "s.db"
    earlier(path)
    before = podium.read(path)
    note = notes(before)["weights-mixed"]
    assert note.startswith("tree learned from all rows by weights, bare from rows drawn in prop")
    screen = CliRunner().invoke(group, ["analyze", str(path)]).output
    assert "trained on" not in screen
    with pytest.warns(UserWarning, match="24 runs made otherwise are run again"):
        after = run(study(**MIXED), path)
    assert "weights-drawn" in notes(after)
    wide = after.wide("error")
    np.testing.assert_array_equal(wide["tree"], wide["bare"])
    fresh = run(study(**MIXED), tmp_path / "fresh.db").wide("error")
    pd.testing.assert_frame_equal(wide, fresh)


def test_stores_of_earlier_versions_go_on_where_nothing_changes(tmp_path, monkeypatch):
    for place, algorithms in enumerate((WEIGHTED, UNWEIGHTED)):
        path = tmp_path / f"{place}.db"
        with monkeypatch.context() as patch:
            patch.setattr(Study, "_weights", {})
            run(study(**algorithms), path)
        code = "weights-taken" if algorithms is WEIGHTED else "weights-drawn"
        assert code in notes(podium.read(path))
        _, lines = with_kept_code(study(**algorithms), path)
        assert lines == []
        assert {r["session"] for r in podium.read(path).provenance} == {1}
        results = run(study(**algorithms), path)
        assert set(results.runs["status"]) == {"done"}
        with podium.Store(path, readonly=True) as store:
            assert store.rows("SELECT count(*) FROM runs") == [(2 * SAMPLES,)]


def test_who_takes_no_weights_joins_a_study_that_learned_by_them(tmp_path):
    path = tmp_path / "s.db"
    run(study(tree=TREE), path)
    with pytest.warns(UserWarning, match="^bare takes no weights.*12 runs made otherwise are run"):
        results = run(study(**MIXED), path)
    wide = results.wide("error")
    np.testing.assert_array_equal(wide["tree"], wide["bare"])


def test_stores_that_learned_in_different_ways_are_not_merged(tmp_path):
    run(study(tree=TREE), tmp_path / "1.db")
    run(study(bare=Bare()), tmp_path / "2.db")
    with pytest.raises(StoreError, match=r"different ways to learn \('weights' and 'own rows'\)"):
        podium.merge(tmp_path / "all.db", tmp_path / "1.db", tmp_path / "2.db")
