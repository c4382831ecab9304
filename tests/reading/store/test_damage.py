"""Damaged, contradictory and hostile stores: a sentence, never a wrong number or a hang."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import PodiumError
from podium.cli.main import status_of
from podium.errors import StoreError
from podium.reading.store.merge import check_store
from podium.reading.store.records import unpacked
from podium.running.execution.runner import execute

ALGORITHMS = {"tree": DecisionTreeClassifier(), "lda": LinearDiscriminantAnalysis()}


def study(samples: int = 6, **options: object) -> podium.Study:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3))
    data = podium.dataset("d", X, (X[:, 0] + rng.normal(size=40) > 0).astype(int))
    options = {"measures": ["error", "log-loss"], "keep": ["predictions"]} | options
    return podium.Study(data, ALGORITHMS, sampling=f"bootstrap:{samples}", **options)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "sound.db"
    execute(study(), path, jobs=0)
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "s.db"))


def run_of(algorithm: str, sample: int) -> str:
    """The number of a run, in SQL: the order in which runs are stored depends on their times."""
    return (
        "(SELECT runs.id FROM runs JOIN algorithms ON algorithms.id = runs.algorithm "
        f"WHERE algorithms.name = '{algorithm}' AND runs.sample = {sample})"
    )


def changed(path: Path, *statements: str) -> Path:
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    db.close()
    return path


def said(*words: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = status_of([str(w) for w in words])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out + err


# --- damage is noticed ---


def test_every_flipped_bit_of_a_score_is_noticed(path: Path) -> None:
    before = podium.read(path).scores
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT run, measure, value FROM scores").fetchall()
    db.close()
    rng = np.random.default_rng(2)
    for _ in range(60):
        run, measure, value = rows[rng.integers(len(rows))]
        bits = np.array([value]).view(np.int64) ^ (1 << int(rng.integers(64)))
        wrong = float(bits.view(float)[0])
        if wrong == value or np.isnan(wrong) == np.isnan(value) is True:
            continue  # the sign of zero, which no comparison sees
        with sqlite3.connect(path) as db:
            db.execute(
                "UPDATE scores SET value = ? WHERE run = ? AND measure = ?", (wrong, run, measure)
            )
        with pytest.raises(StoreError, match="1 of its runs is not as it was written"):
            podium.read(path)
        with sqlite3.connect(path) as db:
            db.execute(
                "UPDATE scores SET value = ? WHERE run = ? AND measure = ?", (value, run, measure)
            )
        db.close()
    assert podium.read(path).scores.equals(before)


def test_flipped_bits_anywhere_give_the_same_scores_or_a_sentence(sound: Path, path: Path) -> None:
    expected = podium.read(sound).scores
    content, rng = sound.read_bytes(), np.random.default_rng(3)
    noticed = 0
    for _ in range(80):
        flipped = bytearray(content)
        flipped[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
        path.write_bytes(flipped)
        try:
            found = podium.read(path).scores
        except PodiumError:
            noticed += 1
        else:
            assert found.equals(expected)
    assert noticed >= 5


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE runs SET sample = sample + 1 WHERE id = 4",
        "UPDATE runs SET key = x'00' WHERE id = 4",
        "UPDATE runs SET failed = 1 WHERE id = 4",
        "UPDATE runs SET fit_time = 0 WHERE id = 4",
        "DELETE FROM runs WHERE id = 4",
        "DELETE FROM scores WHERE run = 4 AND measure = 1",
        "UPDATE measures SET higher_is_better = 1",
        "UPDATE algorithms SET name = 'lad' WHERE name = 'lda'",
        "UPDATE sessions SET definition = replace(definition, 'bootstrap', 'bootstrop')",
    ],
)
def test_a_row_that_was_changed_is_noticed_by_all_that_read(statement: str, path: Path) -> None:
    changed(path, statement)
    for use in (podium.read, lambda p: execute(study(7), p), lambda p: podium.score(p, "brier")):
        with pytest.raises(PodiumError, match="damaged"):
            use(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE predictions SET dtype = '<i8' WHERE run = {run} AND kind = 'predict_proba'",
        "UPDATE predictions SET run = 99 WHERE run = {run} AND split = 0",
        "UPDATE predictions SET kind = 'odd' WHERE run = {run} AND kind = 'row'",
        "DELETE FROM predictions WHERE run = {run}",
    ],
)
def test_predictions_that_were_changed_are_not_scored(statement: str, path: Path) -> None:
    changed(path, statement.format(run=run_of("tree", 4)))
    uses = [lambda: podium.score(path, "brier"), lambda: podium.read_items(path, sample=4)]
    uses += [lambda: podium.merge(path.with_name("new.db"), path)]
    uses += [lambda: podium.read(path)] * ("DELETE" in statement)  # else it does not read them
    for use in uses:
        with pytest.raises(StoreError, match="1 of its runs is not as it was written"):
            use()
    assert not path.with_name("new.db").exists()


def test_warnings_and_failures_that_were_changed_are_noticed(tmp_path: Path) -> None:
    algorithms = {"warner": podium.algorithm("warner", Warner)}
    made = podium.Study(study().datasets, algorithms, sampling="bootstrap:2")
    path = tmp_path / "s.db"
    execute(made, path)
    assert podium.read(path).warnings["count"].tolist() == [1, 1]
    for statement in (
        "UPDATE warnings SET count = 1048577 WHERE run = 1",
        "UPDATE warnings SET run = 2 WHERE run = 1",
    ):
        changed(Path(shutil.copy(path, tmp_path / "t.db")), statement)
        with pytest.raises(StoreError, match=r"of its runs (is|are) not as"):
            podium.read(tmp_path / "t.db")


class Warner(DecisionTreeClassifier):
    """Warns once per fit."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Warner:
        warnings.warn("mind the gap", stacklevel=1)
        return super().fit(X, y)


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        (["UPDATE digests SET of = 'letails' WHERE of = 'details'"], "it has digests of 'letails'"),
        (["INSERT INTO digests VALUES ('runs', 8388609, x'0000000000000001')"], "number 8388609"),
        (
            ["DROP TABLE digests", f"UPDATE sessions SET definition = '{'[' * 100_000}'"],
            "RecursionError",
        ),
    ],
    ids=["kind", "first", "deep"],
)
def test_check_of_any_damage_is_a_sentence(
    statements: list[str], reason: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(path, *statements)
    status, text = said("store", "check", path, capsys=capsys)
    assert (status, reason in text) == (2, True), text


def test_check_says_what_to_run_anew_and_saves_the_rest(
    sound: Path, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said("store", "check", path, capsys=capsys) == (
        0,
        f"'{path}': 12 runs, all that can be checked is as written.\n",
    )
    changed(
        path,
        f"UPDATE scores SET value = 0.25 WHERE run = {run_of('lda', 2)} AND measure = 1",
        f"UPDATE predictions SET data = x'00' WHERE run = {run_of('tree', 4)} AND kind = 'y'",
        f"DELETE FROM runs WHERE id = {run_of('tree', 5)}",
    )
    status, text = said("store", "check", path, "-o", tmp_path / "new.db", capsys=capsys)
    assert status == 1
    assert "3 of 11 runs are damaged; run them anew:" in text
    assert "tree on d: sample 4" in text
    assert "lda on d: sample 2" in text
    assert "and 1 of which the store no longer knows data set or algorithm" in text
    assert f"9 runs were written to '{tmp_path}/new.db'. Go on with: podium run STUDY" in text
    outcome = execute(study(), tmp_path / "new.db")
    assert (outcome.done_before, outcome.ran) == (9, 3)
    assert podium.read(tmp_path / "new.db").scores.equals(podium.read(sound).scores)
    assert check_store(tmp_path / "new.db").is_sound


def test_an_impossible_score_is_refused_and_can_be_run_anew(path: Path, tmp_path: Path) -> None:
    """Also in a store without digests, where only the bounds of the measure can tell."""
    changed(
        path,
        "DROP TABLE digests",
        f"UPDATE scores SET value = -5 WHERE run = {run_of('lda', 2)} AND measure = 1",
    )
    with pytest.raises(PodiumError, match="such as -5 of the measure 'error', which is between 0"):
        podium.read(path)
    assert check_store(path).named == (("d", "lda", 2),)


def test_a_measure_that_leaves_its_bounds_is_a_failure(tmp_path: Path) -> None:
    wrong = podium.measure("mine", lambda y, p: -5.0, higher_is_better=True, bounds=(0, 1))
    results = podium.run(study(2, measures=[wrong], keep=[]), tmp_path / "s.db", quiet=True, jobs=0)
    assert set(results.failures["message"]) == {
        "the measure 'mine' gave -5, which is not between 0 and 1"
    }


def test_a_store_of_an_earlier_version_opens_and_goes_on(
    path: Path, sound: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(path, "DROP TABLE digests")
    assert podium.read(path).scores.equals(podium.read(sound).scores)
    status, text = said("store", "check", path, capsys=capsys)
    assert (status, "12 of 12 runs have no digest" in text) == (0, True)
    podium.score(path, "brier")
    assert execute(study(8), path).ran == 4
    assert "12 of 16" in said("store", "check", path, capsys=capsys)[1]


def test_scores_that_come_later_are_sealed_too(path: Path) -> None:
    podium.score(path, "brier")
    assert check_store(path).is_sound
    changed(path, f"UPDATE scores SET value = 0.2 WHERE run = {run_of('tree', 2)} AND measure = 3")
    assert check_store(path).named == (("d", "tree", 2),)


@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE runs SET dataset = 99"],
        ["UPDATE datasets SET facts = 'no json'"],
        ["UPDATE datasets SET facts = '{}'"],
        ["DELETE FROM predictions WHERE kind = 'y'"],
        ["UPDATE predictions SET shape = '3,3'"],
        ["UPDATE predictions SET dtype = 'O'"],
    ],
    ids=lambda s: s[0],
)
def test_scoring_a_damaged_store_is_a_sentence(
    statements: list[str], path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(path, "DROP TABLE digests", *statements)
    status, text = said("store", "score", path, "--measure", "brier", capsys=capsys)
    assert status == 2
    assert "is damaged" in text


# --- contradictions ---


def test_merge_refuses_impossible_scores_and_leaves_both_stores_as_they_are(
    sound: Path, path: Path, tmp_path: Path
) -> None:
    changed(path, "DROP TABLE digests", "UPDATE scores SET value = -5 WHERE measure = 1")
    before = sound.read_bytes()
    with pytest.raises(StoreError, match=r"a score of -5, which '.*' cannot have \(its bounds: 0"):
        podium.merge(sound, path)
    assert sound.read_bytes() == before
    with pytest.raises(StoreError, match="cannot have"):
        podium.merge(tmp_path / "new.db", path)
    assert not (tmp_path / "new.db").exists()


def test_merge_refuses_and_lists_contradictions(sound: Path, path: Path, tmp_path: Path) -> None:
    changed(
        path,
        "DROP TABLE digests",
        "UPDATE scores SET value = 0.875 WHERE measure = 1 "
        f"AND run IN ({run_of('tree', 2)}, {run_of('lda', 2)})",
    )
    before = sound.read_bytes()
    with pytest.raises(StoreError) as caught:
        podium.merge(sound, path)
    text = str(caught.value)
    assert "contradict each other in 2 scores: error of " in text
    assert "error of tree on d, sample 2: " in text
    assert "error of lda on d, sample 2: " in text
    assert text.count("and 0.875") == 2
    assert sound.read_bytes() == before
    with pytest.raises(StoreError, match="contradict"):
        podium.merge(tmp_path / "new.db", sound, path)
    assert not (tmp_path / "new.db").exists()


# --- hostile stores ---


@pytest.mark.parametrize(
    ("statements", "kind"),
    [
        (
            [
                "ALTER TABLE runs RENAME TO old",
                "CREATE VIEW runs AS WITH RECURSIVE n(id) AS "
                "(SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT * FROM n",
            ],
            "a view 'runs'",
        ),
        (
            ["CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM scores; END"],
            "a trigger 't'",
        ),
        (["CREATE VIRTUAL TABLE v USING fts5(x)"], "a table 'v'"),
        (
            ["ALTER TABLE runs ADD COLUMN big AS (zeroblob(1000000000))"],
            "a computed column 'big'",
        ),
    ],
    ids=["view", "trigger", "virtual", "computed"],
)
def test_a_store_has_plain_tables_only(
    statements: list[str], kind: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(path, *statements)
    status, text = said("status", path, capsys=capsys)
    assert (status, kind in text) == (2, True)


def test_bytes_that_would_become_a_flood_are_refused() -> None:
    bomb = zlib.compress(bytes(10**8), 1)
    for shape in ("1000000000", "10", "-1", "1000000000,1000000000"):
        with pytest.raises(ValueError, match="predictions"):
            unpacked("|i1", shape, bomb)
    assert unpacked("|i1", "5", zlib.compress(bytes(5))).tolist() == [0] * 5


# --- copies, and two drivers ---


def test_a_copy_of_a_store_that_is_being_written_is_a_store(path: Path, tmp_path: Path) -> None:
    copies = []

    class Copies:
        def start(self, total: int, done: int) -> None:
            copies.append(shutil.copy(path, tmp_path / "early.db"))

        def advance(self, ran: int, failed: int) -> None: ...

        def stop(self) -> None: ...

    path.unlink()
    execute(study(), path, progress=Copies())
    assert len(podium.read(copies[0]).runs) == 12


def test_a_second_driver_is_told_who_is_writing(path: Path) -> None:
    script = (
        "import sys; from podium.reading.store import Store\n"
        "with Store(sys.argv[1]) as s, s.writing(): print('ready', flush=True); input()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script, str(path)], **pipes) as other:
        other.stdout.readline()
        with pytest.raises(StoreError, match=f"is being written by process {other.pid} on "):
            execute(study(8), path)
        other.kill()
        other.wait()
    assert execute(study(8), path).ran == 4
    assert list(path.parent.glob("*-writer")) == []
