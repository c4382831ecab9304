"""Studies that stop when they are decided, run for real: the same on every way, and after kills."""

import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import PodiumError
from podium.asking.comparison.analysis import analysed
from podium.asking.comparison.pages import views_of
from podium.asking.queues.plots import _padded
from podium.cli.main import status_of
from podium.errors import DesignError, InferenceError, StoreError
from podium.running.sequential import until_best, until_decided
from podium.running.sequential.words import _raced, looks_shown, saved


class Guess(ClassifierMixin, BaseEstimator):
    """Right with a chance of its own."""

    def __init__(self, chance=0.9, random_state=None, fails=False):
        self.chance = chance
        self.random_state = random_state
        self.fails = fails

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        rng = np.random.default_rng(self.random_state)
        if self.fails and rng.random() < 0.1:
            raise ValueError("bad luck")
        self.rng_ = rng
        return self

    def predict(self, X):
        right = self.rng_.random(len(X)) < self.chance
        return np.where(right, (X[:, 0] > 0).astype(int), (X[:, 0] <= 0).astype(int))


def data(n=60, seed=0, name="d"):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return podium.dataset(name, X, (X[:, 0] > 0).astype(int))


def study(sampling="bootstrap:120", datasets=None, fails=False, **chances):
    chances = chances or {"good": 0.9, "alike": 0.9, "bad": 0.6}
    algorithms = {name: Guess(chance, fails=fails) for name, chance in chances.items()}
    return podium.Study(datasets or [data()], algorithms, sampling=sampling, seed=1)


def scores(results):
    return results.to_pandas().sort_values(["algorithm", "sample"]).to_csv(index=False)


def test_a_study_stops_and_says_what_it_did(tmp_path):
    results = podium.run(
        study(), tmp_path / "s.db", until=until_decided(relevance=0.05), quiet=True, jobs=0
    )
    found = podium.compare(results)
    told = found.to_dict()
    assert told["procedure"] == "sequential-t"
    assert told["relevance"] == 0.05
    facts = told["sequential"]
    assert facts["budget"] == 120
    assert facts["stopped_at"] in facts["looks"]
    assert facts["spending"] == "obf"
    assert facts["used"]["bad"] == facts["looks"][0]  # nothing more is run of it
    assert facts["saved"] == 3 * 120 - sum(facts["used"].values())
    verdicts = {(r["first"], r["second"]): r["verdict"] for r in told["pairs"]}
    assert verdicts["good", "bad"] == verdicts["alike", "bad"] == "better"
    assert "stopped" in {n["code"] for n in told["warnings"]}


def test_the_same_scores_on_any_number_of_jobs_and_after_stops(tmp_path):
    rule = until_decided(relevance=0.05)
    whole = podium.run(study(), tmp_path / "a.db", until=rule, quiet=True, jobs=0)
    many = podium.run(study(), tmp_path / "b.db", until=rule, jobs=2, quiet=True)
    again = podium.run(
        study(), tmp_path / "b.db", quiet=True, jobs=0
    )  # the plan is the store's own
    assert scores(whole) == scores(many) == scores(again)
    assert podium.compare(whole).to_dict() == podium.compare(again).to_dict()


KILLED = """
import sys, podium
sys.path.insert(0, {tests!r})
from test_until import study, until_decided
podium.run(study("bootstrap:400", good=0.9, fair=0.87), {path!r},
           until=until_decided(looks=40), jobs=2, quiet=True)
"""


def test_kills_change_nothing(tmp_path):
    made, rule = study("bootstrap:400", good=0.9, fair=0.87), until_decided(looks=40)
    whole = podium.run(made, tmp_path / "whole.db", until=rule, quiet=True, jobs=0)
    path = tmp_path / "killed.db"
    code = KILLED.format(tests=os.path.dirname(__file__), path=str(path))
    for delay in (1.2, 1.8):
        process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        time.sleep(delay)
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    rest = podium.run(made, path, until=rule, quiet=True, jobs=0)
    assert scores(rest) == scores(whole)
    assert podium.compare(rest).to_dict() == podium.compare(whole).to_dict()


def test_failures_are_gaps_and_are_looked_past(tmp_path):
    made = study("bootstrap:80", fails=True, good=0.9, bad=0.5)
    results = podium.run(made, tmp_path / "s.db", until=until_decided(), quiet=True, jobs=0)
    assert len(results.failures) > 0
    found = podium.compare(results)
    assert found.extras.sequential.stopped_at == found.extras.sequential.looks[0]
    assert found.table["verdict"].tolist() == ["better"]


class Flaky(Guess):
    """Fails by chance where the environment says so."""

    def fit(self, X, y):
        rng = np.random.default_rng(self.random_state)
        if "PODIUM_FLAKY" in os.environ and rng.random() < 0.15:
            raise ValueError("transient")
        return super().fit(X, y)


def test_what_failed_before_a_look_is_not_tried_again(tmp_path, monkeypatch):
    def made(samples):
        algorithms = {"a": Flaky(0.9), "b": Flaky(0.9)}
        return podium.Study([data()], algorithms, sampling=f"bootstrap:{samples}", seed=1)

    rule, path = until_decided(open=True), tmp_path / "s.db"
    monkeypatch.setenv("PODIUM_FLAKY", "yes")
    first = podium.run(made(60), path, until=rule, quiet=True, jobs=0)
    monkeypatch.delenv("PODIUM_FLAKY")
    again = podium.run(made(80), path, until=rule, quiet=True, jobs=0)
    assert 0 < len(first.failures) == len(again.failures)
    assert podium.compare(again).extras.sequential.used["a"] == 80


def test_a_race_keeps_the_best(tmp_path):
    results = podium.run(study(), tmp_path / "s.db", until=until_best(), quiet=True, jobs=0)
    found = podium.compare(results)
    assert found.procedure == "race"
    assert set(found.extras.sequential.remaining) == {"good", "alike"}
    assert set(found.extras.sequential.out) == {"bad"}
    assert (found.table["verdict"] == "undecided").all()  # no order is claimed
    assert found.places == {"good": (1, 3), "alike": (1, 3), "bad": (2, 3)}
    _, (view,) = views_of(analysed(results))
    assert view.cut == 2
    (dropped,) = view.rows[2:]
    assert (dropped.cells["rank"], dropped.name) == ("2–3", "bad")
    assert dropped.cells["verdict"] == "ruled out"
    assert dropped.cells["difference"][1] == ""  # a race decides no pair
    evidence, boundary = map(float, dropped.cells["evidence"].split(" / "))
    assert evidence >= boundary
    assert view.progress.done == sum(found.extras.sequential.used.values()) / 360
    assert "limits-and-test" not in {note.code for note in found.warnings}


def test_repetitions_and_data_sets_are_blocks(tmp_path):
    repeated = study("repeated-cv:55x2", good=0.9, bad=0.5)
    results = podium.run(repeated, tmp_path / "r.db", until=until_decided(), quiet=True, jobs=0)
    assert podium.compare(results).blocks.kind == "repetition"
    assert len(results.scores) < 2 * 2 * 55
    many = [data(40, seed=i, name=f"d{i}") for i in range(12)]
    several = study("bootstrap:2", datasets=many, good=0.95, bad=0.5)
    results = podium.run(several, tmp_path / "d.db", until=until_decided(), quiet=True, jobs=0)
    found = podium.compare(results)
    assert found.blocks.kind == "dataset"
    assert found.extras.sequential.stopped_at < 12
    assert results.values("error")["dataset"].nunique() == found.extras.sequential.stopped_at


def test_two_repetitions_are_the_fewest_blocks_of_folds():
    assert until_decided().plan(study("repeated-cv:2x5")).budget == 2
    with pytest.raises(DesignError, match="cannot stop early"):
        until_decided().plan(study("repeated-cv:1x10"))


@pytest.mark.parametrize("sampling", ["cv:10", "5x2cv", "loo", "bootstrap:60+independent"])
def test_dependent_blocks_are_refused(tmp_path, sampling):
    with pytest.raises(DesignError, match="cannot stop early"):
        podium.run(study(sampling), tmp_path / "s.db", until=until_decided(), quiet=True, jobs=0)
    assert not (tmp_path / "s.db").exists()


def test_a_plan_does_not_change(tmp_path):
    path = tmp_path / "s.db"
    podium.run(study(), path, until=until_decided(relevance=0.05), quiet=True, jobs=0)
    for rule in (
        until_decided(relevance=0.1),
        until_decided(relevance=0.05, alpha=0.1),
        until_best(),
    ):
        with pytest.raises(StoreError, match="does not change after a look"):
            podium.run(study(), path, until=rule, quiet=True, jobs=0)
    with pytest.raises(StoreError, match="looks 12 of them, not 3 of them"):
        podium.run(study(), path, until=until_decided(relevance=0.05, looks=5), quiet=True, jobs=0)
    with pytest.raises(StoreError, match="budget"):
        podium.run(study("bootstrap:200"), path, quiet=True, jobs=0)
    with pytest.raises(StoreError, match="algorithms good, alike, bad, not good, bad"):
        podium.run(study(good=0.9, bad=0.6), path, quiet=True, jobs=0)


def test_a_plan_comes_before_the_first_score(tmp_path):
    path = tmp_path / "s.db"
    made = podium.Study([data()], {"tree": DecisionTreeClassifier(), "nb": GaussianNB()},
                        sampling="bootstrap:4")  # fmt: skip
    podium.run(made, path, quiet=True, jobs=0)
    with pytest.raises(StoreError, match="has scores already"):
        podium.run(made, path, until=until_decided(), quiet=True, jobs=0)


def test_plain_tests_and_other_options_are_refused(tmp_path):
    results = podium.run(study(), tmp_path / "s.db", until=until_decided(), quiet=True, jobs=0)
    with pytest.raises(PodiumError, match="stopped by a plan"):
        podium.compare(results, "paired-t")
    for options in ({"alpha": 0.1}, {"relevance": 0.2}, {"control": "bad"}, {"adjust": "none"}):
        with pytest.raises(InferenceError, match="stopped by a plan"):
            podium.compare(results, **options)
    forced = podium.compare(results, "paired-t", force=True)
    assert forced.is_forced
    with pytest.raises(InferenceError, match="without leaving some out"):
        podium.compare(results.filter(algorithm=["good", "bad"]))
    for again in (podium.stability, podium.left_out):
        with pytest.raises(InferenceError, match="cannot be drawn again"):
            again(results)


def test_sequential_tests_are_for_planned_studies(tmp_path):
    results = podium.run(study("bootstrap:10"), tmp_path / "s.db", quiet=True, jobs=0)
    with pytest.raises(PodiumError, match="podium run --until decided"):
        podium.compare(results, "sequential-t")


def test_no_budget_at_all(tmp_path):
    path = tmp_path / "s.db"
    podium.run(study("bootstrap:60"), path, until=until_decided(open=True), quiet=True, jobs=0)
    results = podium.run(
        study("bootstrap:120"), path, until=until_decided(open=True), quiet=True, jobs=0
    )
    found = podium.compare(results)
    assert found.procedure == "anytime"
    assert found.to_dict()["sequential"]["spending"] is None
    assert found.extras.sequential.used["bad"] < 60


def test_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = 'name = "s"\nsampling = "bootstrap:60"\nmeasures = ["error"]\n'
    text += '[[datasets]]\nname = "monks3"\nsource = "builtin:monks3"\n'
    for name, strategy in (("most", "most_frequent"), ("any", "uniform")):
        text += f'[[algorithms]]\nname = "{name}"\nestimator = "sklearn.dummy.DummyClassifier"\n'
        text += f'preprocess = true\nparameters = {{ strategy = "{strategy}" }}\n'
    (tmp_path / "s.toml").write_text(text)

    def said(*words):
        status = status_of(list(words))
        return status, capsys.readouterr()

    status, ran = said("run", "s.toml", "--until", "decided", "--jobs", "1")
    assert status == 0
    assert "of 120 runs were needed" in ran.out
    found = json.loads(said("analyze", "s.db", "--json", "-")[1].out)
    assert found["sequential"]["stopped_at"] in found["sequential"]["looks"]
    shown = said("status", "s.db")[1].out
    assert str(found["sequential"]["stopped_at"]) in shown
    assert "taken" in shown
    status, wrong = said("run", "s.toml", "--looks", "3")
    assert status == 2
    assert "add --until decided" in wrong.err
    assert said("race", "s.toml", "--store", "r.db", "--jobs", "1")[0] == 0
    raced_ = said("analyze", "r.db")[1].out
    first = raced_.split("\n")[0]
    assert first.endswith("(95 % confidence).") or first.startswith("No algorithm is dropped")
    assert "≈" not in raced_  # no order is claimed
    assert said("analyze", "s.db", "--report", "s.html")[0] == 0
    assert "Plan and boundaries" in (tmp_path / "s.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("used", "text"),
    [
        ({"a": 270, "b": 270, "c": 270}, "270 of 600 items so far."),
        ({"a": 600, "b": 600, "c": 300}, "1,500 of 1,800 items × algorithms so far."),
    ],
)
def test_what_was_run_is_counted_as_the_reader_counts(used, text):
    course = SimpleNamespace(used=used, budget=600, open=False, over=False)
    assert saved(course, "items") == text


def test_what_stopping_saved_is_a_share_of_all_runs():
    course = SimpleNamespace(used={"a": 100, "b": 100, "c": 55}, budget=100, open=False, over=True)
    assert saved(course, "items") == "255 of 300 items × algorithms were needed, 15 % less."
    equal = SimpleNamespace(used={"a": 40, "b": 40}, budget=100, open=False, over=True)
    assert saved(equal, "items") == "40 of 100 items were needed, 60 % less."


def test_looks_are_listed_with_what_was_decided_at_each():
    ends = ((10, True), (20, True), (20, True), (30, False))
    courses = [SimpleNamespace(ended=n, decided=decided) for n, decided in ends]
    plan = SimpleNamespace(looks=(10, 20, 30), taken=2, courses=courses, goal="order",
                           boundaries=(np.inf, 2.5, 2.0), open=False)  # fmt: skip
    shown = looks_shown(plan, "samples")
    assert shown["look"] == ["1", "2", "3"]
    assert shown["samples"] == ["10", "20", "30"]
    assert shown["|z|"] == ["-", "2.500", "2.000"]
    assert shown["taken"] == ["yes", "yes", "no"]
    assert shown["pairs decided"] == ["1", "2", ""]


def test_a_race_names_one_or_those_among_whom_the_best_is():
    facts = {"alpha": 0.05, "algorithms": 4, "looks": 2, "spending": "obf", "budget": 20}
    facts |= {"noun": "samples", "open": False, "over": True, "taken": 1, "stopped_at": 10}
    told = [
        _raced(SimpleNamespace(remaining=names, **facts)) for names in (["a"], ["a", "b"])
    ]  # fmt: skip
    assert "With 95 % confidence the best of the 4 is a." in told[0]
    assert "With 95 % confidence the best of the 4 is among {a, b}." in told[1]


def test_a_line_of_evidence_is_as_long_as_the_plan():
    assert _padded((0.5, np.inf, 0.1), 5) == [0.5, None, 0.1, None, None]
    assert _padded((0.5, 0.4, 0.1), 2) == [0.5, 0.4]
