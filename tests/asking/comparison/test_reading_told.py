"""What `analyze` says of how a table was understood, of failed runs and of the positive class."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.dummy import DummyClassifier
from sklearn.metrics import f1_score
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.cli.main import group


def analyzed(*arguments):
    return CliRunner().invoke(group, ["analyze", *map(str, arguments)])


@pytest.fixture
def questions(tmp_path):
    """Answers of two models to questions on topics, with columns that say nothing."""
    rng = np.random.default_rng(1)
    rows = [(m, f"q{i}", f"t{i // 5}", i) for m in ("x", "y") for i in range(40)]
    frame = pd.DataFrame(rows, columns=["model", "question_id", "topic", "length"])
    frame["correct"] = rng.random(80) < np.where(frame["model"] == "x", 0.9, 0.5)
    path = tmp_path / "answers.csv"
    frame.to_csv(path, index=False)
    return path


def test_what_was_understood_is_said(questions):
    said = " ".join(analyzed(questions, "--why").output.split())
    assert "The column 'question_id' says how samples were drawn: --sampling items." in said
    assert "The 8 values of 'topic' are treated as clusters" in said
    assert (
        "Read as 2 algorithms ('model'), 40 items ('question_id'); correct, higher is better; "
        "unused: length." in said
    )
    less = analyzed(questions, "--columns", "ignore=topic")
    assert less.exit_code == 0
    assert "clusters" not in less.output


def test_json_to_the_screen_is_json_and_nothing_else(questions):
    found = analyzed(questions, "--json", "-")
    codes = {note["code"] for note in json.loads(found.stdout)["warnings"]}
    assert {"design-carried", "clusters-read", "unused-columns"} <= codes


def test_json_tells_the_roles_of_columns_and_what_is_not_used(questions, tmp_path):
    assert analyzed(questions, "--json", tmp_path / "out.json").exit_code == 0
    told = json.loads((tmp_path / "out.json").read_text())["reading"]
    assert told["roles"] == {"algorithm": ["model"], "item": ["question_id"], "cluster": ["topic"]}
    assert told["unused"] == {"length": "no role"}
    assert told["measures"] == {"correct": "higher"}
    assert (told["algorithms"], told["samples"], told["failed"]) == (2, [40, 40], 0)


def test_failed_runs_and_rows_that_count_are_part_of_the_reading(tmp_path):
    rows = [
        (m, f"d{d}", s, "timeout" if (m, d) == ("x", 3) else "ok", 0.5 + 0.1 * (m == "y") + d / 99)
        for m in ("x", "y")
        for d in range(12)
        for s in ("train", "test")
    ]
    frame = pd.DataFrame(rows, columns=["model", "dataset", "split", "status", "accuracy"])
    frame.to_csv(tmp_path / "runs.csv", index=False)
    out = " ".join(analyzed(tmp_path / "runs.csv").output.split())
    assert "1 failed run; test rows only ('split')" in out
    assert analyzed(tmp_path / "runs.csv", "--json", tmp_path / "out.json").exit_code == 0
    told = json.loads((tmp_path / "out.json").read_text())["reading"]
    assert told["rows"]["only"] == {"split": ["test"]}
    assert (told["ok"], told["failed"]) == ({"status": ["ok"]}, 1)


class Failing(DummyClassifier):
    """Fails on most samples."""

    def fit(self, X, y, sample_weight=None):
        if X[:, 0].sum() % 5:
            raise ValueError("too hard")
        return super().fit(X, y, sample_weight)


def study(algorithms, measures):
    X = np.arange(60.0).reshape(30, 2)
    data = podium.dataset("d", X, np.array(["no"] * 8 + ["yes"] * 22))
    return podium.Study(data, algorithms, sampling="bootstrap:10", measures=measures, seed=3)


def test_failed_runs_are_counted_in_the_first_line(tmp_path):
    some = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier(), "odd": Failing()}
    results = podium.run(study(some, ["error"]), tmp_path / "s.db", quiet=True, jobs=0)
    failed = (results.runs["status"] == "failed").sum()
    assert 0 < failed < 10
    verdict = analyzed(tmp_path / "s.db").output.split("\n\n")[0]
    assert f"\n{failed} of 30 runs failed (odd: {failed}): each counts as the worst" in verdict


def test_failed_seeds_are_told_once_and_count_as_the_worst_of_their_data_set(tmp_path):
    rng = np.random.default_rng(5)
    rows = [
        (f"d{d}", name, seed, round(0.8 - 0.01 * shift + rng.normal(0, 0.01), 4), "ok")
        for d in range(8)
        for shift, name in enumerate(("a", "b", "c"))
        for seed in range(4)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "model", "seed", "accuracy", "status"])
    frame.loc[[0, 2, 64], ["accuracy", "status"]] = [np.nan, "crashed"]
    frame.to_csv(tmp_path / "runs.csv", index=False)
    whole = frame["accuracy"].fillna(frame.groupby("dataset")["accuracy"].transform("min"))
    means = frame.assign(accuracy=whole).groupby("model")["accuracy"].mean()
    for options in ([], ["--gaps", "worst"]):
        c = analyzed(tmp_path / "runs.csv", *options)
        assert c.output.count("failed") == 2  # beside the verdict, and in the reading
        assert "3 of 96 runs failed (a: 2 and b: 1): each counts as the worst" in c.output
    compared = podium.compare(podium.read(tmp_path / "runs.csv"))
    assert compared.means == pytest.approx(means.to_dict())
    alone = podium.compare(podium.read(tmp_path / "runs.csv"), gaps="pairs")
    assert alone.means["a"] > compared.means["a"]


def test_a_study_of_which_every_run_failed_warns(tmp_path):
    class Never(DummyClassifier):
        def fit(self, X, y, sample_weight=None):
            raise ValueError("never")

    with pytest.warns(UserWarning, match="All 20 runs failed, the first .* with ValueError: never"):
        results = podium.run(
            study({"a": Never(), "b": Never()}, ["error"]), tmp_path / "s.db", jobs=0
        )
    assert len(results.failures) == 20


def test_the_class_that_f1_is_of_is_named_and_warned_about(tmp_path):
    f1 = podium.measure("f1", f1_score, higher_is_better=True, bounds=(0, 1))
    two = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier()}
    results = podium.run(study(two, [f1]), tmp_path / "s.db", quiet=True, jobs=0)
    (note,) = [n for n in podium.compare(results).warnings if n.code == "positive-class"]
    assert (note.positive, note.majority) == ((("d", "yes"),), ("d",))
    assert "f1 of class yes, higher is better" in analyzed(tmp_path / "s.db").output
