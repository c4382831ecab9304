"""Merging stores of one study that were made apart."""

import os

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import Store
from podium.errors import StoreError
from podium.reading.store.merge import merge
from podium.running.execution.runner import execute
from podium.testing.files import ERROR, begun, content, failed, key, record

ALGORITHMS = {"tree": DecisionTreeClassifier(), "lda": LinearDiscriminantAnalysis()}


def data(name, seed=0, n=40):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return podium.dataset(name, X, (X[:, 0] + rng.normal(size=n) > 0).astype(int))


FIRST, SECOND = data("first", 1), data("second", 2)


def study(datasets=(FIRST, SECOND), algorithms=ALGORITHMS, samples=4, **options):
    options = {"sampling": f"bootstrap:{samples}", "name": "apart", "seed": 3} | options
    return podium.Study(list(datasets), algorithms, **options)


def ran(folder, file, /, *args, **options):
    path = folder / file
    execute(study(*args, **options), path, jobs=0)
    return path


def scores(path):
    """Scores by run and measure, whatever the order of rows."""
    table = podium.read(path).scores
    return {(r.dataset, r.algorithm, r.sample, r.measure): r.value for r in table.itertuples()}


@pytest.fixture
def whole(tmp_path):
    return ran(tmp_path, "whole.db")


# --- what is joined ---


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize(
    "parts",
    [
        ({"datasets": [FIRST]}, {"datasets": [SECOND]}),
        ({"algorithms": {"tree": ALGORITHMS["tree"]}}, {"algorithms": {"lda": ALGORITHMS["lda"]}}),
        ({"samples": 2}, {"samples": 4}),
        ({"datasets": [FIRST], "samples": 4}, {}),
    ],
    ids=["datasets", "algorithms", "samples", "a part and the whole"],
)
def test_parts_make_the_whole_in_any_order(parts, order, whole, tmp_path):
    paths = [ran(tmp_path, f"{i}.db", **part) for i, part in enumerate(parts)]
    merge(tmp_path / "joined.db", [paths[i] for i in order])
    results = podium.read(tmp_path / "joined.db")
    assert (results.runs["status"] == "done").all()
    assert len(results.runs) == 16
    assert scores(tmp_path / "joined.db") == scores(whole)
    assert str(results.sampling) == "bootstrap:4"


def test_a_merged_store_has_nothing_left_to_run(tmp_path):
    a, b = ran(tmp_path, "a.db", [FIRST]), ran(tmp_path, "b.db", [SECOND])
    assert merge(a, [b]) == 8
    outcome = execute(study(), a)
    assert (outcome.done_before, outcome.ran) == (16, 0)


def test_a_gap_of_the_union_is_missing(tmp_path):
    a = ran(tmp_path, "a.db", [FIRST], {"tree": ALGORITHMS["tree"]})
    b = ran(tmp_path, "b.db", [SECOND], {"lda": ALGORITHMS["lda"]})
    merge(a, [b])
    results = podium.read(a)
    assert results.runs["status"].value_counts().to_dict() == {
        "done": 8,
        "missing": 8,
        "failed": 0,
    }
    gaps = results.missing()[["dataset", "algorithm"]].drop_duplicates()
    assert sorted(map(tuple, gaps.to_numpy())) == [("first", "lda"), ("second", "tree")]


def test_sources_stay_as_they_are(tmp_path):
    a, b = ran(tmp_path, "a.db", [FIRST]), ran(tmp_path, "b.db", [SECOND])
    before = [p.read_bytes() for p in (a, b)]
    merge(tmp_path / "c.db", [a, b])
    assert [p.read_bytes() for p in (a, b)] == before
    assert sorted(os.listdir(tmp_path)) == ["a.db", "b.db", "c.db"]


def test_merging_again_adds_nothing(tmp_path):
    a, b = ran(tmp_path, "a.db", [FIRST]), ran(tmp_path, "b.db", [SECOND])
    assert merge(a, [b]) == 8
    with Store(a) as store:
        before = content(store)
    assert merge(a, [b]) == 0
    assert merge(a, [b, b]) == 0
    with Store(a) as store:
        assert content(store) == before


def test_a_source_that_is_given_twice_counts_once(tmp_path):
    a = ran(tmp_path, "a.db", [FIRST])
    assert merge(tmp_path / "c.db", [a, a]) == 8
    assert scores(tmp_path / "c.db") == scores(a)


def test_overlapping_parts_keep_both_records_and_one_score(whole, tmp_path):
    a, b = ran(tmp_path, "a.db", samples=3), ran(tmp_path, "b.db", samples=4)
    assert merge(a, [b]) == 16
    assert scores(a) == scores(whole)
    with Store(a) as store:
        assert store.rows("SELECT count(*), count(DISTINCT key) FROM runs") == [(28, 16)]


def test_parts_of_parts_meet_again(whole, tmp_path):
    """A store that was copied and went on in both places."""
    a = ran(tmp_path, "a.db", samples=1)
    b = tmp_path / "b.db"
    b.write_bytes(a.read_bytes())
    execute(study([FIRST]), a)
    execute(study([SECOND]), b)
    assert merge(a, [b]) == 6  # the common sample is not counted again
    assert scores(a) == scores(whole)
    with Store(a) as store:
        assert store.rows("SELECT count(*), count(DISTINCT key) FROM runs") == [(16, 16)]


def test_a_store_may_be_called_anything(whole, tmp_path):
    folder = tmp_path / "it's #1 ?mode=ro 100%25"
    folder.mkdir()
    a, b = ran(folder, "a b.db", [FIRST]), ran(folder, "file:c.db", [SECOND])
    merge(a, [b])
    assert scores(a) == scores(whole)


def test_three_parts_at_once(whole, tmp_path):
    parts = [
        ran(tmp_path, "a.db", [FIRST]),
        ran(tmp_path, "b.db", [SECOND], {"lda": ALGORITHMS["lda"]}),
        ran(tmp_path, "c.db", [SECOND], {"tree": ALGORITHMS["tree"]}),
    ]
    assert merge(tmp_path / "all.db", parts) == 16
    assert scores(tmp_path / "all.db") == scores(whole)


# --- what comes along ---


def test_failures_and_warnings_come_along(tmp_path):
    noisy = {"poly": LogisticRegression(max_iter=1), "bad": DecisionTreeClassifier(max_features=9)}
    hard = podium.dataset("hard", np.random.default_rng(0).normal(size=(60, 5)) * 1e3, [0, 1] * 30)
    failing = {"proba": DummyClassifier(strategy="constant", constant=7)}
    b = ran(tmp_path, "b.db", [hard], noisy | failing)
    before = podium.read(b)
    assert len(before.failures) == 4
    assert len(before.warnings) >= 4
    a = ran(tmp_path, "a.db", [FIRST], {"tree": ALGORITHMS["tree"]})
    merge(a, [b])
    after = podium.read(a).filter(dataset="hard", algorithm=before.algorithms)
    for table in ("failures", "warnings"):
        one, other = (getattr(r, table).astype(str) for r in (before, after))
        assert one.to_numpy().tolist() == other.to_numpy().tolist()
    assert after.runs["warnings"].tolist() == before.runs["warnings"].tolist()


def test_predictions_come_along_bit_for_bit(tmp_path):
    kept = {"keep": ["predictions"]}
    a, b = ran(tmp_path, "a.db", [FIRST], **kept), ran(tmp_path, "b.db", [SECOND], **kept)
    sql = (
        "SELECT key, split, kind, dtype, shape, data FROM predictions "
        "JOIN runs ON runs.id = run ORDER BY key, split, kind"
    )
    with Store(a) as one, Store(b) as other:
        apart = sorted(one.rows(sql) + other.rows(sql))
    merge(a, [b])
    with Store(a) as joined:
        assert sorted(joined.rows(sql)) == apart
    assert podium.score(a, "accuracy").values("accuracy")["value"].notna().all()


def test_a_measure_that_only_one_store_was_scored_by_comes_along(tmp_path):
    a = ran(tmp_path, "a.db", [FIRST], keep=["predictions"])
    b = tmp_path / "b.db"
    b.write_bytes(a.read_bytes())
    podium.score(b, ["log-loss", "auc"])
    assert merge(a, [b]) == 0  # no new record, but new scores of records that were there
    assert scores(a) == scores(b)
    assert set(podium.read(a).measures) == {"error", "log-loss", "auc"}


def test_a_measure_of_one_part_is_missing_in_the_other(tmp_path):
    a = ran(tmp_path, "a.db", [FIRST], measures=["error"])
    b = ran(tmp_path, "b.db", [SECOND], measures=["error", "auc"])
    merge(a, [b])
    table = podium.read(a).summary().set_index(["dataset", "algorithm", "measure"])
    assert (table.loc[("second", "tree", "auc"), ["samples", "missing"]] == [4, 0]).all()
    assert (table.loc[("first", "tree", "auc"), ["samples", "missing"]] == [0, 4]).all()
    assert set(podium.read(a).measures) == {"error", "auc"}


def test_a_success_elsewhere_counts_before_a_failure_here(tmp_path):
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    for path, records in ((a, [failed(1), record(2, error=0.5)]), (b, [record(1, error=0.25)])):
        with begun(Store(path, create=True)) as store:
            store.append(records)
    for into, source in ((a, b), (b, a)):
        merge(into, [source])
        results = podium.read(into)
        assert list(results.runs["status"]) == ["done", "done", "missing", "missing"]
        assert list(results.scores["value"]) == [0.25, 0.5]
        assert len(results.failures) == 0


def test_sessions_come_along_as_provenance(tmp_path):
    a, b = ran(tmp_path, "a.db", [FIRST]), ran(tmp_path, "b.db", [SECOND])
    merge(tmp_path / "c.db", [a, b])
    provenance = podium.read(tmp_path / "c.db").provenance
    assert sum("packages" in e for e in provenance) == 2
    assert [e["merged"] for e in provenance if "merged" in e] == [["a.db", "b.db"]]


def test_facts_of_data_sets_come_along(tmp_path):
    a, b = ran(tmp_path, "a.db", [FIRST]), ran(tmp_path, "b.db", [SECOND])
    merge(a, [b])
    facts = podium.read(a).facts
    for data in (FIRST, SECOND):
        assert facts[data.name].pop("characteristics")["n"] == data.n
        assert facts[data.name] == data.facts


def test_an_empty_store_adds_nothing(tmp_path):
    a = ran(tmp_path, "a.db", [FIRST])
    Store(tmp_path / "empty.db", create=True).close()
    before = scores(a)
    assert merge(a, [tmp_path / "empty.db"]) == 0
    assert scores(a) == before


def test_odd_scores_survive_merging(tmp_path):
    values = [0.1 + 0.2, 1.0, 5e-324, np.nan]
    with begun(Store(tmp_path / "b.db", create=True)) as store:
        store.append([record(s, error=v) for s, v in enumerate(values, 1)])
    merge(tmp_path / "a.db", [tmp_path / "b.db"])
    with Store(tmp_path / "a.db") as store:
        read = store.columns("SELECT value FROM scores ORDER BY run", [float])[0]
        assert store.done([ERROR]) == {key(s) for s in (1, 2, 3, 4)}
    np.testing.assert_array_equal(read.view(np.int64)[:3], np.array(values).view(np.int64)[:3])
    assert np.isnan(read[3])


# --- what is refused ---


def changed_data():
    return podium.dataset("first", FIRST.X + 1, FIRST.y)


def own(value):
    return podium.measure("own", lambda y, p: value, higher_is_better=False)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"name": "other"}, "different studies ('apart' and 'other')"),
        ({"seed": 4}, "different seeds ('3' and '4')"),
        ({"sampling": "cv:4"}, "different samplings ('bootstrap' and 'cv:4')"),
        ({"datasets": [changed_data()]}, "different data under the name 'first'"),
        (
            {"algorithms": {"tree": DecisionTreeClassifier(max_depth=1)}},
            "different algorithms under the name 'tree'",
        ),
        ({"measures": [own(2.0)]}, "different measures under the name 'own'"),
    ],
    ids=["study", "seed", "sampling", "data", "parameters", "measure"],
)
def test_different_things_are_refused_and_nothing_is_changed(options, what, tmp_path):
    same = {"datasets": [FIRST], "measures": [own(1.0)]}
    a, b = ran(tmp_path, "a.db", **same), ran(tmp_path, "b.db", **(same | options))
    before = [p.read_bytes() for p in (a, b)]
    with pytest.raises(StoreError) as caught:
        merge(a, [b])
    assert str(caught.value) == (f"The stores '{a}' and '{b}' cannot be merged: they hold {what}.")
    assert [p.read_bytes() for p in (a, b)] == before


def test_a_refusal_leaves_no_new_store_behind(tmp_path):
    a, b = ran(tmp_path, "a.db", [FIRST]), ran(tmp_path, "b.db", [FIRST], seed=9)
    with pytest.raises(StoreError):
        merge(tmp_path / "c.db", [a, b])
    assert sorted(os.listdir(tmp_path)) == ["a.db", "b.db"]


@pytest.mark.parametrize("as_named", ["a.db", "./a.db", "sub/../a.db", "link.db"])
def test_a_store_is_not_merged_into_itself(as_named, tmp_path, monkeypatch):
    a = ran(tmp_path, "a.db", [FIRST], samples=1)
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.db").symlink_to(a)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=r"^The store '.*' cannot be merged into itself\.$"):
        merge(a, [as_named])


def test_a_missing_source_is_named_and_nothing_is_made(tmp_path):
    a = ran(tmp_path, "a.db", [FIRST], samples=1)
    with pytest.raises(StoreError) as caught:
        merge(tmp_path / "new.db", [a, tmp_path / "gone.db"])
    assert str(caught.value) == f"There is no store '{tmp_path / 'gone.db'}'."
    assert sorted(os.listdir(tmp_path)) == ["a.db"]


def test_something_else_is_not_merged(tmp_path):
    a = ran(tmp_path, "a.db", [FIRST], samples=1)
    (tmp_path / "scores.csv").write_text("dataset,algorithm\n")
    for into, source in ((a, "scores.csv"), (tmp_path / "scores.csv", "a.db")):
        with pytest.raises(StoreError) as caught:
            merge(into, [tmp_path / source])
        assert str(caught.value) == f"'{tmp_path / 'scores.csv'}' is not a Podium store."


@pytest.mark.parametrize("damage", ["a text", "a page"])
def test_a_damaged_source_is_named_and_the_target_stays_as_it_was(damage, tmp_path):
    good, bad = ran(tmp_path, "good.db", [FIRST]), ran(tmp_path, "bad.db", [SECOND])
    if damage == "a text":
        with Store(bad) as store, store.transaction() as db:
            db.execute("UPDATE algorithms SET definition = CAST(x'7bff' AS TEXT)")
    else:
        with bad.open("r+b") as file:
            file.seek(-4096, os.SEEK_END)
            file.write(b"\xff" * 4096)
    before = good.read_bytes()
    with pytest.raises(StoreError, match=r"^The store '.*bad\.db' is damaged: "):
        merge(good, [bad])
    assert good.read_bytes() == before


def test_a_superseded_algorithm_is_no_reason_to_refuse(tmp_path):
    """Both stores came to mean the same; that one of them once meant something else is history."""
    older = {"tree": DecisionTreeClassifier(max_depth=1)}
    a = ran(tmp_path, "a.db", [FIRST], older)
    ran(tmp_path, "a.db", [FIRST])
    b = ran(tmp_path, "b.db", [SECOND])
    merge(b, [a])
    fresh = ran(tmp_path, "fresh.db")
    assert scores(b) == scores(fresh)
