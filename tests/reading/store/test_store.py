"""The store: its laws, what it survives unchanged, and what it says when it cannot be used."""

import math
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import podium
from podium import Measure, Store
from podium.core.samplings import cv
from podium.errors import ResultsError, StoreError
from podium.reading.formats.record import beginning
from podium.reading.store import Failure, Kept, Record, Warned, store_file
from podium.reading.store import store as store_module
from podium.reading.store.records import _mixed, packed, unpacked
from podium.testing import check_store
from podium.testing.files import ERROR, STORE_LAWS, begun, content, failed, key, record

ODD_TEXTS = [
    "",
    " ",
    "a\0b",
    "half of a pair: \ud800 and \udfff",
    'O\'Brien said "no"; DROP TABLE runs; --',
    "<script>alert('x')</script>",
    "zeile\r\nline\ttab",
    "😀 ≈ ß",
    "%s {} \\ \x1b[31m",
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.db"


@pytest.fixture
def store(path):
    with begun(Store(path, create=True)) as opened:
        yield opened


def opener(folder, kind=Store):
    return lambda name: kind(folder / f"{name}.db", create=True)


def bits(value):
    return struct.pack("<d", value)


@contextmanager
def unprivileged_folder():
    """A folder, and rights that end where those of an ordinary user do, also for root."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            if root:
                os.seteuid(0)
            for entry in Path(name).rglob("*"):
                entry.chmod(0o777)


# --- the laws ---


def test_the_store_keeps_its_laws(tmp_path):
    check_store(opener(tmp_path))


class CommitsEveryRecord(Store):
    def append(self, records):
        for r in records:
            super().append([r])


class Replaces(Store):
    def append(self, records):
        records = list(records)
        for r in records:
            old = self.rows("SELECT id FROM runs WHERE key = ?", (r.key,))
            self._connection.executemany("DELETE FROM scores WHERE run = ?", old)
            self._connection.execute("DELETE FROM runs WHERE key = ?", (r.key,))
        super().append(records)


class OverwritesScores(Store):
    def append_scores(self, measures, rows):
        super().append_scores(measures, [])
        ids = {m.name: i for i, m in self.measures().items()}
        self._connection.executemany(
            "INSERT OR REPLACE INTO scores VALUES (?, ?, ?)", [(r, ids[m], v) for r, m, v in rows]
        )


class TakesFailuresForDone(Store):
    def done(self, measures, *, predictions=False):
        keys = {row[0] for row in self.rows("SELECT key FROM runs WHERE failed = 1")}
        return super().done(measures, predictions=predictions) | keys


class TakesAnyDefinitionOfAMeasure(Store):
    def done(self, measures, *, predictions=False):
        renamed = [Measure(m.name, m.higher_is_better, spec=m.name) for m in measures]
        return super().done(renamed, predictions=predictions)


class TakesAnyStudy(Store):
    def _refuse_another(self, definition):
        pass


class NotesBeforeItRefuses(Store):
    def _refuse_another(self, definition):
        self.note(definition, {})
        for earlier in self.definitions()[:1]:
            if any(earlier[k] != definition[k] for k in ("name", "seed", "sampling_identity")):
                raise StoreError("another study")


class ForgetsRepetitions(Store):
    def append(self, records):
        present = {row[0] for row in self.rows("SELECT key FROM runs WHERE failed = 0")}
        super().append(r for r in records if r.key not in present)


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (CommitsEveryRecord, 1),
        (Replaces, 2),
        (OverwritesScores, 2),
        (TakesFailuresForDone, 3),
        (TakesAnyDefinitionOfAMeasure, 3),
        (TakesAnyStudy, 5),
        (NotesBeforeItRefuses, 5),
        (ForgetsRepetitions, 6),
    ],
)
def test_the_suite_finds_a_store_that_breaks_a_law(broken, law, tmp_path):
    with pytest.raises(AssertionError, match=f"Law {law} of stores is broken"):
        STORE_LAWS[law - 1](opener(tmp_path, broken))
    (tmp_path / "again").mkdir()
    with pytest.raises(AssertionError, match="of stores is broken"):
        check_store(opener(tmp_path / "again", broken))


# --- numbers ---

ODD_NUMBERS = [
    math.inf,
    -math.inf,
    5e-324,  # the smallest denormal
    -5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    0.1 + 0.2,
    1 / 3,
    1.0,
    2.0**53 + 2,
    1e22,
    -7.0,
]


def test_odd_scores_survive_bit_for_bit(store):
    measures = [Measure(f"m{i}", spec=f"m{i}") for i in range(len(ODD_NUMBERS))]
    begun(store, tuple(measures))
    store.append([record(1, **{f"m{i}": v for i, v in enumerate(ODD_NUMBERS)})])
    read = podium.read(store.path).scores.set_index("measure")["value"]
    assert [bits(read[m.name]) for m in measures] == [bits(v) for v in ODD_NUMBERS]


@settings(max_examples=30)
@given(value=st.floats(allow_nan=False, width=64))
def test_any_score_survives(value, tmp_path_factory):
    path = tmp_path_factory.mktemp("any") / "s.db"
    with begun(Store(path, create=True), (Measure("error", False, spec="error"),)) as store:
        store.append([record(1, error=value)])
    read = podium.read(path).scores["value"].iloc[0]
    assert read == value  # SQLite forgets the sign of zero, which no comparison sees
    assert bits(read + 0.0) == bits(value + 0.0)


def test_a_score_that_is_undefined_is_read_as_missing_and_its_run_is_done(store):
    store.append([record(1, error=math.nan), record(2, error=0.5)])
    results = podium.read(store.path)
    assert list(results.scores["sample"]) == [1, 2]
    assert np.isnan(results.scores["value"].iloc[0])
    assert store.done([ERROR]) == {key(1), key(2)}
    assert results.runs["status"].value_counts()["done"] == 2


def test_times_are_missing_only_where_they_were_not_measured(store):
    store.append([record(1, error=0.5, fit_time=1e-9), failed(2)])
    runs = podium.read(store.path).runs
    assert bits(runs["fit_time"].iloc[0]) == bits(1e-9)
    assert runs["fit_time"].isna().tolist() == [False, True, True, True]


def test_columns_are_whole_whatever_the_chunk(store, monkeypatch):
    store.append([record(s, error=s / 7) for s in range(1, 5)])
    sql = "SELECT run, value FROM scores ORDER BY run"
    whole = store.columns(sql, [np.int64, float])
    for chunk in (1, 2, 3, 4, 5):
        monkeypatch.setattr(store_file, "CHUNK", chunk)
        run, value = store.columns(sql, [np.int64, float])
        np.testing.assert_array_equal(run, whole[0])
        np.testing.assert_array_equal(value, whole[1])
    run, value = store.columns("SELECT run, value FROM scores WHERE run > 99", [np.int64, float])
    assert (run.dtype, value.dtype, len(run)) == (np.int64, float, 0)


# --- texts ---


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts_of_failures_and_warnings_are_kept(text, store):
    failure = Failure(text, text, text)
    warned = (Warned(text, text, 3),)
    store.append([Record(key(1), "d", "a", 1, failure=failure, warnings=warned)])
    results = podium.read(store.path)
    shown = text.replace("\0", "\\0").replace("\ud800", "?").replace("\udfff", "?")
    assert list(results.failures.iloc[0, 3:]) == [shown] * 3
    assert list(results.warnings.iloc[0, 3:]) == [shown, shown, 3]
    assert results.runs["warnings"].iloc[0] == 3


@pytest.mark.parametrize("text", [t for t in ODD_TEXTS if t.strip() and t.isprintable()])
def test_odd_names_are_kept(text, path):
    odd = {"name": text, "datasets": {text: text}, "samples": {text: 1}, "algorithms": {text: text}}
    measure = Measure(text, spec=text, unit=text)
    with begun(Store(path, create=True), (measure,), **odd) as store:
        store.append([Record(key(1), text, text, 1, {text: 0.5})])
    results = podium.read(path)
    assert [list(row) for row in results.scores.itertuples(index=False)] == [
        [text, text, 1, text, 0.5]
    ]
    assert (results.name, results.measures[text].unit) == (text, text)


def test_a_huge_message_is_kept_whole(store):
    message = "long " * 1_000_000
    store.append([failed(1, message), record(2, error=0.5)])
    results = podium.read(store.path)
    assert results.failures["message"].iloc[0] == message
    assert list(results.runs["status"][:2]) == ["failed", "done"]


# --- kept arrays ---

ARRAYS = hnp.arrays(
    dtype=st.one_of(
        hnp.integer_dtypes(endianness="?"),
        hnp.unsigned_integer_dtypes(endianness="?"),
        hnp.floating_dtypes(endianness="?", sizes=(16, 32, 64)),
        hnp.boolean_dtypes(),
    ),
    shape=hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5),
)


@given(array=ARRAYS)
def test_packed_arrays_are_unpacked_as_they_were(array):
    again = unpacked(*packed(array))
    assert again.shape == array.shape
    np.testing.assert_array_equal(again, array)
    if array.dtype.kind == "f":
        assert again.dtype == array.dtype.newbyteorder("=")
        assert again.tobytes() == array.astype(array.dtype.newbyteorder("<")).tobytes()


@given(array=hnp.arrays(np.int64, st.integers(0, 20), elements=st.integers(-(2**62), 2**62)))
def test_row_numbers_and_codes_survive_in_the_smallest_type(array):
    dtype, _, _ = packed(array)
    low, high = array.min(initial=0), array.max(initial=0)
    assert np.dtype(dtype).itemsize == next(
        size for size in (1, 2, 4, 8) if -(2 ** (8 * size - 1)) <= low <= high < 2 ** (8 * size - 1)
    )
    again = unpacked(*packed(array))
    np.testing.assert_array_equal(again, array)
    assert again.dtype == np.int64


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((3, 4)).T,
        np.arange(20)[::3],
        np.arange(12.0).reshape(3, 4)[:, ::2],
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.array(["no", "yes"]),
        np.array([2**64 - 1, 0], dtype=np.uint64),
        np.array([-(2**63), 2**63 - 1]),
        np.array([-(2**63)]),
        np.array([-128, -129, 127, 128]),
    ],
    ids=lambda a: f"{a.dtype}{a.shape}",
)
def test_strides_texts_and_the_largest_numbers_survive(array):
    np.testing.assert_array_equal(unpacked(*packed(array)), array)


def test_kept_predictions_are_read_split_by_split(store):
    said = {"row": np.array([3, 1, 300]), "y": np.array([0, 1, 1]), "predict": np.array([1, 1, 0])}
    shares = {"row": np.array([2]), "y": np.array([0]), "predict_proba": np.array([[0.1, 0.9]])}
    store.append(
        [Record(key(1), "d", "a", 1, {"error": 0.5}, kept=(Kept(1, shares), Kept(0, said)))]
    )
    first, second = store.kept(1)
    assert (first.split, second.split) == (0, 1)
    assert first.arrays.keys() == said.keys()
    for kind, array in said.items():
        np.testing.assert_array_equal(first.arrays[kind], array)
    assert second.arrays["predict_proba"].tobytes() == shares["predict_proba"].tobytes()
    assert store.kept(2) == []
    assert store.done([ERROR], predictions=True) == {key(1)}


# --- files that are no store ---


def message_of(path, **how):
    with pytest.raises(StoreError) as caught:
        Store(path, **how)
    return str(caught.value)


@pytest.mark.parametrize("how", [{}, {"readonly": True}, {"create": True}])
@pytest.mark.parametrize("text", [b"x", b"name,value\n1,2\n", b"a long text " * 1000, b"\0" * 5000])
def test_a_file_of_something_else_is_refused_and_left_alone(text, how, path):
    path.write_bytes(text)
    assert message_of(path, **how) == f"'{path}' is not a Podium store."
    assert path.read_bytes() == text
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("how", [{}, {"readonly": True}, {"create": True}])
def test_another_program_s_database_is_refused_and_left_alone(how, path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE runs (id INTEGER)")
    db.close()
    before = path.read_bytes()
    assert message_of(path, **how) == f"'{path}' is a SQLite file, but not a Podium store."
    assert path.read_bytes() == before


@pytest.mark.parametrize("how", [{}, {"readonly": True}, {"create": True}])
def test_a_folder_is_refused(how, tmp_path):
    assert message_of(tmp_path, **how) == f"'{tmp_path}' is a folder, not a store."


@pytest.mark.parametrize("how", [{}, {"readonly": True}])
def test_a_missing_store_is_not_made_by_opening_it(how, path):
    assert message_of(path, **how) == f"There is no store '{path}'."
    assert not path.exists()


def test_a_missing_folder_is_named(tmp_path):
    path = tmp_path / "gone" / "study.db"
    message = f"The folder of the store '{path}' does not exist."
    assert message_of(path, create=True) == message


@pytest.mark.parametrize("how", [{}, {"readonly": True}, {"create": True}])
def test_a_newer_schema_is_refused_and_left_alone(how, path):
    Store(path, create=True).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 7")
    db.close()
    assert message_of(path, **how) == (
        f"The store '{path}' has schema version 7; this Podium reads version 1. "
        "Use the Podium that wrote it."
    )


def test_a_damaged_store_is_called_damaged(path):
    with begun(Store(path, create=True)) as store:
        store.append([failed(s, "x" * 5000) for s in range(1, 5)])
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreError, match=r"^The store '.*study.db' is damaged: .*\.$"):
        podium.read(path)


def test_a_truncated_store_is_called_damaged(path):
    with begun(Store(path, create=True)) as store:
        store.append([failed(s, "x" * 5000) for s in range(1, 5)])
    path.write_bytes(path.read_bytes()[:-6000])
    with pytest.raises(StoreError, match=r"^The store '.*study.db' is damaged: .*\.$"):
        podium.read(path)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE sessions SET definition = '{'",
        "UPDATE sessions SET definition = '{}'",
        "UPDATE sessions SET definition = CAST(x'7bff' AS TEXT)",
        "UPDATE runs SET dataset = 99",
        "UPDATE runs SET sample = 'many'",
        "UPDATE datasets SET facts = '{'",
    ],
)
def test_values_that_no_podium_has_written_are_damage(damage, path):
    with begun(Store(path, create=True)) as store:
        store.append([record(1, error=0.5)])
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(damage)
    with pytest.raises(StoreError, match=r"^The store '.*study.db' is damaged: .*\.$"):
        podium.read(path)


def test_a_damaged_schema_or_prediction_is_called_damaged(store, path):
    store.append([replace(record(1, error=0.5), kept=(Kept(0, {"y": np.arange(3)}),))])
    with store.transaction() as db:
        db.execute("UPDATE predictions SET data = x'00'")
    with pytest.raises(StoreError, match="is damaged"):
        store.kept(1)
    store.close()
    # SQLite's message quotes the schema, which is then no text any more
    path.write_bytes(
        path.read_bytes().replace(b"CREATE TABLE runs (", b"CREATE \xffABLE runs (", 1)
    )
    assert "is damaged" in message_of(path)


@pytest.mark.parametrize("how", [{}, {"readonly": True}, {"create": True}])
def test_a_pipe_is_refused_and_not_waited_for(how, path):
    os.mkfifo(path)
    assert message_of(path, **how) == f"'{path}' is a pipe or device, not a store."


# --- rights ---


def test_a_store_that_may_not_be_read_is_named():
    with unprivileged_folder() as folder:
        path = folder / "study.db"
        begun(Store(path, create=True)).close()
        path.chmod(0)
        message = message_of(path, readonly=True)
    assert message.startswith(f"The store '{path}' cannot be ")
    assert message.endswith("check its permissions.")
    assert "writing" not in message  # nobody wanted to


def test_a_store_that_may_not_be_written_is_named():
    with unprivileged_folder() as folder:
        path = folder / "study.db"
        begun(Store(path, create=True)).close()
        path.chmod(0o444)
        with pytest.raises(StoreError) as caught, Store(path) as store:
            begun(store)
    message = f"The store '{path}' cannot be opened for writing: check its permissions."
    assert str(caught.value) == message


def test_a_store_cannot_be_made_in_a_folder_that_may_not_be_written():
    with unprivileged_folder() as folder:
        folder.joinpath("closed").mkdir()
        folder.joinpath("closed").chmod(0o555)
        path = folder / "closed" / "study.db"
        message = message_of(path, create=True)
    assert message == f"The store '{path}' cannot be opened for writing: check its permissions."


def test_a_published_store_can_be_read_where_nothing_may_be_written():
    with unprivileged_folder() as folder:
        archive = folder / "archive"
        archive.mkdir()
        with begun(Store(archive / "study.db", create=True)) as store:
            store.append([record(1, error=0.5)])
        (archive / "study.db").chmod(0o444)
        archive.chmod(0o555)
        results = podium.read(archive / "study.db")
        assert list(results.scores["value"]) == [0.5]


def test_reading_ones_own_store_leaves_its_locks_alone(store, path):
    # a driver that may stop looks at its store; readers elsewhere come and go meanwhile
    store.append([record(1, error=0.5)])
    podium.read(path)
    assert beginning(path).startswith(store_file.HEAD)
    other = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT 1 FROM runs')"
    subprocess.run([sys.executable, "-c", f"{other}; c.close()", path], check=True)
    assert path.with_name(f"{path.name}-wal").exists()  # else what comes next would be lost
    store.append([record(2, error=0.5)])
    with Store(path, readonly=True) as reader:
        assert reader.done([ERROR]) == {key(1), key(2)}


def test_a_reader_may_not_write(store, path):
    store.append([record(1, error=0.5)])
    with Store(path, readonly=True) as reader:
        for write in (
            lambda: begun(reader),
            lambda: reader.append([]),
            lambda: reader.note({}, {}),
        ):
            with pytest.raises(StoreError, match="cannot be opened for writing"):
                write()
        assert reader.done([ERROR]) == {key(1)}


def test_reading_changes_no_byte(path):
    with begun(Store(path, create=True)) as store:
        store.append([record(1, error=0.5)])
    before = path.read_bytes()
    podium.read(path)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


# --- what a kill leaves behind ---


def test_an_empty_file_left_behind_is_as_good_as_none(path):
    path.touch()
    assert message_of(path, readonly=True) == f"There is no store '{path}'."
    with begun(Store(path, create=True)) as store:
        store.append([record(1, error=0.5)])
    assert len(podium.read(path).scores) == 1


def half_made(path):
    """What a kill leaves between making the file and making its tables."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    assert path.stat().st_size > 0


def test_an_empty_database_left_behind_is_made_a_store(path):
    half_made(path)
    with begun(Store(path, create=True)) as store:
        store.append([record(1, error=0.5)])
    assert len(podium.read(path).scores) == 1


def test_an_empty_database_left_behind_holds_no_study_for_readers(path):
    half_made(path)
    with pytest.raises((StoreError, ResultsError)) as caught:
        podium.read(path)
    assert str(caught.value) in (
        f"There is no store '{path}'.",
        f"The store '{path}' holds no study yet.",
    )


def test_a_reader_that_comes_while_a_store_is_being_made_does_not_disturb(path, monkeypatch):
    create = Store._create

    def create_while_somebody_looks(self, connection):
        monkeypatch.setattr(Store, "_create", create)
        with suppress(StoreError):
            Store(path, readonly=True).close()
        create(self, connection)

    monkeypatch.setattr(Store, "_create", create_while_somebody_looks)
    with begun(Store(path, create=True)) as store:
        store.append([record(1, error=0.5)])
    assert len(podium.read(path).scores) == 1


def test_two_writers_that_make_a_store_at_once_share_it(path, monkeypatch):
    create = Store._create

    def create_as_second(self, connection):
        monkeypatch.setattr(Store, "_create", create)
        begun(Store(path, create=True)).close()
        create(self, connection)

    monkeypatch.setattr(Store, "_create", create_as_second)
    with begun(Store(path, create=True)) as store:
        store.append([record(1, error=0.5)])
        assert len(store.definitions()) == 2


def test_a_store_without_a_study_says_so(path):
    Store(path, create=True).close()
    with pytest.raises(ResultsError) as caught:
        podium.read(path)
    assert str(caught.value) == f"The store '{path}' holds no study yet."


def test_a_store_may_be_called_anything(tmp_path):
    path = tmp_path / "my store #1 100%25 ?mode=ro é 'x'.db"
    with begun(Store(path, create=True)) as store:
        store.append([record(1, error=0.5)])
    assert len(podium.read(path).scores) == 1
    assert os.listdir(tmp_path) == [path.name]


# --- several processes ---


def test_readers_meanwhile_see_only_whole_appends(store, path):
    """Two readers that read as fast as they can while a hundred pairs of records are appended."""
    begun(store, samples={"d": 200})
    over, counts, errors = threading.Event(), [], []

    def read():
        try:
            while not over.is_set():
                with Store(path, readonly=True) as reader:
                    counts.append(len(reader.done([ERROR])))
                assert len(podium.read(path).runs) == 200
        except Exception as error:
            errors.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for s in range(1, 200, 2):
        store.append([record(s, error=0.5), record(s + 1, error=0.5)])
    over.set()
    for reader in readers:
        reader.join()
    assert errors == []
    assert all(count % 2 == 0 for count in counts)
    assert len(podium.read(path).scores) == 200


def test_a_second_writer_waits_for_the_first_and_nothing_is_lost(store, path):
    def write(samples):
        with begun(Store(path)) as mine:
            for s in samples:
                mine.append([record(s, error=s / 8)])

    writers = [threading.Thread(target=write, args=(s,)) for s in ([1, 3], [2, 4])]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert dict(podium.read(path).scores.set_index("sample")["value"]) == {
        1: 0.125,
        2: 0.25,
        3: 0.375,
        4: 0.5,
    }


def test_a_store_locked_by_another_process_says_so(store, path):
    with Store(path) as other:
        other._connection.execute("PRAGMA busy_timeout = 1")
        with store.transaction(), pytest.raises(StoreError) as caught:
            other.append([])
    assert str(caught.value) == (
        f"The store '{path}' is locked by another process. Try again when it has ended."
    )


# --- a full disk ---


def test_a_full_disk_keeps_what_was_appended_before(store, path):
    store.append([record(1, error=0.5)])
    pages = store.rows("PRAGMA page_count")[0][0]
    store._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    before = content(store)
    with pytest.raises(StoreError) as caught:
        store.append([failed(2, "x" * 100_000)])
    assert str(caught.value) == (
        f"The disk is full: the store '{path}' keeps what was done and takes no more."
    )
    assert content(store) == before
    assert store.done([ERROR]) == {key(1)}
    store.append([record(3, error=0.25)])  # there is room for this one
    assert len(podium.read(path).scores) == 2


# --- refusals ---


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"name": "other"},
            "holds the study 'conformance', not 'other'. Choose another store, or the same study.",
        ),
        ({"seed": 2}, "holds the seed '1', not '2'. Choose another store, or the same seed."),
        (
            {"sampling_identity": "cv:10", "sampling": asdict(cv(10))},
            "holds the sampling 'bootstrap:4', not 'cv:10'. "
            "Choose another store, or the same sampling.",
        ),
    ],
)
def test_another_study_is_refused_with_both_named(change, message, store, path):
    with pytest.raises(StoreError) as caught:
        begun(store, **change)
    assert str(caught.value) == f"The store '{path}' {message}"


def test_a_clock_that_was_set_back_does_not_hide_the_study_that_was_begun_last(path, monkeypatch):
    moments = iter(["2030-01-01T00:00:00.000000+00:00", "2025-01-01T00:00:00.000000+00:00"])
    monkeypatch.setattr(store_module, "_now", lambda: next(moments))
    with begun(Store(path, create=True)) as store:
        begun(store, algorithms={"a": "1", "new": "1"})
    assert podium.read(path).algorithms == ["a", "new"]


def test_digests_are_those_of_splitmix64_and_stay_the_same():
    """Published outputs for the seeds 0 and 1234567: stores keep digests for years."""
    gamma, wide = 0x9E3779B97F4A7C15, 2**64
    seeds = [(seed + gamma) % wide ^ gamma for seed in (0, 1234567)]
    found = _mixed(np.array(seeds, np.uint64)).tolist()
    assert found == [0xE220A8397B1DCDAF, 6457827717110365317]
    signs = _mixed(np.array([0.0, -0.0, np.nan, -np.nan])).tolist()
    assert signs[0] == signs[1] != signs[2] == signs[3], "SQLite keeps no sign of zero or NaN"
