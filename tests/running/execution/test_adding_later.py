"""Adding later: algorithms, data sets, samples and measures join a finished study, on two machines.

Two copies of a store go on apart and are merged; what comes out is what one complete run gives,
and every row still says in which session, and so where and with what, it was made.
"""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import Store
from podium.reading.store.merge import merge
from podium.running.design.samples.drawing import task_dataset
from podium.running.execution import runner
from podium.running.execution.runner import execute

TREE, LDA, NB = DecisionTreeClassifier(), LinearDiscriminantAnalysis(), GaussianNB()


def data(name, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    return podium.dataset(name, X, (X[:, 0] + rng.normal(size=40) > 0).astype(int))


A, B, C = data("A", 1), data("B", 2), data("C", 3)
BASE = {"datasets": [A], "algorithms": {"tree": TREE}, "samples": 3, "measures": ["error"]}
ONE = BASE | {"algorithms": {"tree": TREE, "lda": LDA}, "samples": 5}
TWO = BASE | {"datasets": [A, B], "measures": ["error", "log-loss"]}
WHOLE = {
    "datasets": [A, B],
    "algorithms": {"tree": TREE, "lda": LDA},
    "samples": 5,
    "measures": ["error", "log-loss"],
}


@pytest.fixture
def ran(monkeypatch, tmp_path):
    """Runs a study into a store, as on a machine of this name."""

    def run(file, machine, datasets, algorithms, samples, measures, keep=()):
        monkeypatch.setattr(runner, "environment", lambda *args: {"machine": machine})
        study = podium.Study(
            datasets,
            algorithms,
            sampling=f"bootstrap:{samples}",
            measures=measures,
            name="later",
            seed=3,
            keep=keep,
        )
        return execute(study, tmp_path / file)

    return run


@pytest.fixture
def copies(ran, tmp_path):
    """The finished study, and two copies that went on apart."""
    ran("base.db", "base", **BASE)
    for file, machine, more in (("one.db", "one", ONE), ("two.db", "two", TWO)):
        shutil.copy(tmp_path / "base.db", tmp_path / file)
        ran(file, machine, **more)
    return tmp_path / "one.db", tmp_path / "two.db"


def scores(path):
    table = podium.read(path).scores
    keys = ["dataset", "algorithm", "sample", "measure"]
    table = table.assign(**{k: table[k].astype(str) for k in keys if k != "sample"})
    return table.sort_values(keys, ignore_index=True)


def made_on(path):
    """Where each successful record was made: (dataset, algorithm, sample) -> machines."""
    with Store(path, readonly=True) as store:
        rows = store.rows("""
            SELECT datasets.name, algorithms.name, sample, environment FROM runs
            JOIN sessions ON sessions.id = runs.session
            JOIN datasets ON datasets.id = runs.dataset
            JOIN algorithms ON algorithms.id = runs.algorithm WHERE failed = 0""")
    found = {}
    for *place, environment in rows:
        found.setdefault(tuple(place), []).append(json.loads(environment)["machine"])
    return {place: sorted(machines) for place, machines in found.items()}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_two_machines_added_is_one_study_bit_for_bit(ran, copies, order, tmp_path):
    merged = tmp_path / "merged.db"
    merge(merged, [copies[i] for i in order])
    outcome = ran("merged.db", "last", **WHOLE)
    # neither had lda or log-loss where the other added data, samples or the algorithm
    assert (outcome.total, outcome.missing) == (20, 0)
    ran("whole.db", "whole", **WHOLE)
    pd.testing.assert_frame_equal(scores(merged), scores(tmp_path / "whole.db"), check_exact=True)
    assert len(scores(merged)) == 40


def test_only_what_is_new_is_run(ran, copies, tmp_path):
    with Store(copies[0], readonly=True) as one, Store(copies[1], readonly=True) as two:
        assert one.rows("SELECT count(*) FROM runs") == [(3 + 2 + 5,)]  # base, samples, lda
        assert two.rows("SELECT count(*) FROM runs") == [(3 + 3 + 3,)]  # base, log-loss, B
    merge(copies[0], [copies[1]])
    assert ran("one.db", "last", **WHOLE).ran == 20 - 6  # log-loss was there for A and B, 1 to 3
    assert ran("one.db", "last", **WHOLE).ran == 0


def test_each_row_tells_on_which_machine_it_was_made(copies, tmp_path):
    merge(tmp_path / "merged.db", copies)
    found = made_on(tmp_path / "merged.db")
    assert found == {
        **{("A", "tree", s): ["base", "two"] for s in (1, 2, 3)},  # again for the new measure
        **{("A", "tree", s): ["one"] for s in (4, 5)},
        **{("A", "lda", s): ["one"] for s in (1, 2, 3, 4, 5)},
        **{("B", "tree", s): ["two"] for s in (1, 2, 3)},
    }
    machines = [p.get("machine") for p in podium.read(tmp_path / "merged.db").provenance]
    assert machines.count("base") == 1  # what both copies began with is there once
    assert {"one", "two"} <= set(machines)


def test_merging_twice_or_back_adds_nothing(copies, tmp_path):
    merged = tmp_path / "merged.db"
    assert merge(merged, copies) == 10 + 6  # what is in both is copied once
    before = scores(merged)
    assert merge(merged, copies) == 0
    assert merge(copies[1], [merged]) == 7
    pd.testing.assert_frame_equal(scores(merged), before)
    pd.testing.assert_frame_equal(scores(copies[1]), before)


def test_a_measure_from_kept_predictions_meets_an_algorithm_added_elsewhere(ran, tmp_path):
    kept = BASE | {"keep": ["predictions"]}
    ran("base.db", "base", **kept)
    one, two = (tmp_path / f for f in ("one.db", "two.db"))
    for copy in (one, two):
        shutil.copy(tmp_path / "base.db", copy)
    podium.score(one, "brier")  # the scores of runs that the other copy has, too
    ran("two.db", "two", **kept | {"algorithms": {"tree": TREE, "nb": NB}, "datasets": [A, C]})
    merge(two, [one])
    podium.score(two, "brier")
    whole = {"algorithms": {"tree": TREE, "nb": NB}, "datasets": [A, C]}
    ran("whole.db", "whole", **BASE | whole | {"measures": ["error", "brier"]})
    pd.testing.assert_frame_equal(scores(two), scores(tmp_path / "whole.db"), check_exact=True)
    assert made_on(two)["A", "nb", 1] == ["two"]
    assert made_on(two)["A", "tree", 1] == ["base"]


def test_a_task_with_its_own_samples_joins_later(ran, tmp_path):
    def task(plain, number):
        rows = [("TEST" if r % 4 == f else "TRAIN", r, 0, f) for f in range(4) for r in range(40)]
        table = pd.DataFrame(rows, columns=["type", "rowid", "repeat", "fold"])
        return task_dataset(plain, number, number, table)

    one, two = task(A, 1), task(B, 2)
    options = {"name": "tasks", "sampling": "openml"}
    execute(podium.Study([one], {"tree": TREE}, **options), tmp_path / "s.db")
    outcome = execute(podium.Study([one, two], {"tree": TREE}, **options), tmp_path / "s.db")
    assert (outcome.total, outcome.done_before, outcome.ran) == (8, 4, 4)


def test_characteristics_are_kept_with_the_data_set_and_explain_differences(tmp_path) -> None:
    rng = np.random.default_rng(0)
    datasets = [
        podium.dataset(f"d{i}", rng.normal(size=(20 + 10 * i, 2)), rng.integers(0, 2, 20 + 10 * i))
        for i in range(9)
    ]
    algorithms = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    study = podium.Study(datasets, algorithms, sampling="holdout:0.5", seed=3)
    results = podium.run(study, tmp_path / "s.db", quiet=True)
    table = podium.reading.characteristics(results)
    assert table["n"].tolist() == [20 + 10 * i for i in range(9)]
    found = podium.explain_differences(results, columns=["n"]).coefficients
    assert found["term"].str.contains("n").all()
