"""The laws of what is read and kept, as suites: of a file format, and of a store."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

import pandas as pd

from podium.core.base.errors import PodiumError, StoreError
from podium.core.base.tables import FAILURES, RUNS, SCORES, WARNINGS
from podium.core.questions.measures import Measure
from podium.core.results.results import Results
from podium.core.samplings import bootstrap, cv
from podium.reading.formats import FORMATS, Format, Sample, Source, read
from podium.reading.formats.stores import read_store
from podium.reading.store import Failure, Record, Store

# -- file formats ---------------------------------------------------------------------------------
# The laws of a file format, as a suite that any record can be held against.


SHARES = (0.0, 0.3, 0.7, 0.95)  # of a file that are left when it is cut
MOST_CUT = 6  # files of a sample that are cut
LONGEST = 600  # characters of an error
TABLES = (SCORES, RUNS, FAILURES, WARNINGS)


def check_format(record: Format) -> None:
    """Hold a format against its laws; the first one that it breaks raises AssertionError.

    The laws:

    1. It says in words what it is, and has a sample.
    2. Its samples are recognised by it and by no other format; other formats' general ones aside.
    3. Whatever it is asked about, it answers, and it recognises nothing that is empty.
    4. Reading a sample gives valid results, of the algorithms that the sample has, in their order.
    5. Reading twice gives the same.
    6. Nothing is written, changed or unpickled.
    7. A sample that is empty or cut ends in one sentence of a PodiumError, or is a smaller one.
    """
    _law(1, bool(record.name and record.words.strip()), "it has no name or no words")
    _law(1, bool(record.samples), "it has no sample")
    for law in LAWS:
        for sample in record.samples:
            law(record, sample)


def its_sample_is_recognised_by_it_alone(record: Format, sample: Sample) -> None:
    """Law 2; a general format counts only where no other does."""
    with _made(sample) as source:
        request = sample.options.get("measure")
        _law(2, _answer(record, source, request), "it does not recognise its own sample")
        others = [f for f in FORMATS.values() if f.name != record.name]
        rivals = [f for f in others if record.general or not f.general]
        also = [f.name for f in rivals if _answer(f, source, request)]
        _law(2, not also, f"its sample is recognised by {also}, too")


def it_answers_whatever_it_is_asked(record: Format, sample: Sample) -> None:
    """Law 3: nothing is no sample, and what is strange makes no trouble."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "empty").write_bytes(b"")
        (folder / "odd").write_bytes(bytes(range(256)) * 64)
        (folder / "none").mkdir()
        for nothing in (None, (), "", folder / "missing", folder / "none", folder / "empty"):
            _law(3, not _answer(record, nothing), f"it recognises {nothing!r}")
        for odd in (3, {}, object(), [object()], [folder / "odd", folder / "none"], folder / "odd"):
            _answer(record, odd)


def reading_gives_valid_results(record: Format, sample: Sample) -> None:
    """Law 4: the tables are whole, and the best algorithm is the best one."""
    with _made(sample) as source:
        results = read(source, format=record, **sample.options)
    _check_valid(results)
    _law(4, bool(results.measures), "its results have no measure")
    measure = results.measure(next(iter(results.measures)))
    means = results.values(measure.name).groupby("algorithm", observed=True)["value"].mean()
    order = list(means.sort_values(ascending=not measure.higher_is_better).index)
    _law(4, order == list(sample.order), f"the order is {order}, not {list(sample.order)}")


def reading_twice_gives_the_same(record: Format, sample: Sample) -> None:
    """Law 5: reading is deterministic."""
    with _made(sample) as source:
        first, second = (read(source, format=record, **sample.options) for _ in range(2))
    for table in TABLES:
        same = getattr(first, table.name).equals(getattr(second, table.name))
        _law(5, same, f"the {table.name} differ when it is read again")
    facts = [(r.name, str(r.sampling), dict(r.measures), r.facts, r.notes) for r in (first, second)]
    _law(5, facts[0] == facts[1], "what is known differs when it is read again")


def reading_leaves_no_trace(record: Format, sample: Sample) -> None:
    """Law 6: files and objects are as they were, and no pickle is opened, whatever it holds."""
    with tempfile.TemporaryDirectory() as name, _without_pickles():
        folder = Path(name)
        source = sample.make(folder)
        before = _content(folder), repr(source)
        _answer(record, source)
        read(source, format=record, **sample.options)
        _law(6, (_content(folder), repr(source)) == before, "its source is not as it was")


def a_damaged_sample_is_one_sentence(record: Format, sample: Sample) -> None:
    """Law 7: whatever is missing, there is no traceback."""
    for share, alone, source in _damaged(sample):
        try:
            results = read(source, format=record, **sample.options)
        except PodiumError as error:
            text = str(error)
            _law(7, _is_sentence(text), f"what is said of a damaged sample is no sentence: {text}")
        except Exception as error:
            _law(7, False, f"cut to {share:.0%} it ends in {type(error).__name__}: {error}")
        else:
            _law(7, share > 0 or not alone, "an empty sample is read as if it held something")
            _check_valid(results)


LAWS: tuple[Callable[[Format, Sample], None], ...] = (
    its_sample_is_recognised_by_it_alone,
    it_answers_whatever_it_is_asked,
    reading_gives_valid_results,
    reading_twice_gives_the_same,
    reading_leaves_no_trace,
    a_damaged_sample_is_one_sentence,
)


# -- samples --------------------------------------------------------------------------------------


class _made:  # noqa: N801 - reads as a sentence behind `with`
    """A sample in a folder that lasts as long as it is looked at."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Any:
        return self.sample.make(Path(self.folder.name))

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()


def _damaged(sample: Sample) -> Iterator[tuple[float, bool, Any]]:
    """How much is left of what, whether that is all there is, and the source."""
    with _made(sample) as source:
        if isinstance(source, Mapping):
            yield 0.0, True, {}
        elif isinstance(source, pd.DataFrame):
            yield 0.0, True, source.head(0)
    with tempfile.TemporaryDirectory() as name:
        sample.make(Path(name))
        files = [path.relative_to(name) for path in sorted(Path(name).rglob("*")) if path.is_file()]
    for file in files[:: 1 + len(files) // MOST_CUT]:  # folders of many files that are alike
        for share in SHARES:
            with tempfile.TemporaryDirectory() as name:
                source = sample.make(Path(name))
                whole = (Path(name) / file).read_bytes()
                (Path(name) / file).write_bytes(whole[: int(share * len(whole))])
                yield share, len(files) == 1, source


def _content(folder: Path) -> dict[Path, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


# -- answers --------------------------------------------------------------------------------------


def _answer(record: Format, given: Any, measure: str | None = None) -> bool:
    try:
        answer = record.recognises(Source(given, measure=measure))
    except Exception as error:
        _law(3, False, f"asked about {given!r:.80} it ends in {type(error).__name__}: {error}")
        raise
    _law(3, isinstance(answer, bool), f"asked about {given!r:.80} it says {answer!r:.80}")
    return bool(answer)


def _check_valid(results: Results) -> None:
    _law(4, isinstance(results, Results), f"it gives {type(results).__name__}, not results")
    for table in TABLES:
        frame = getattr(results, table.name)
        columns = list(frame.columns)
        _law(4, columns == list(table.columns), f"its {table.name} have the columns {columns}")
        once = not frame.duplicated(list(table.key)).any()
        _law(4, once, f"two rows of its {table.name} have one key")
    known = set(results.scores["measure"]) <= set(results.measures)
    _law(4, known, "scores have measures of which nothing is known")
    _law(4, bool(repr(results) and results.to_json()), "its results cannot be shown")


def _is_sentence(text: str) -> bool:
    return bool(text) and "\n" not in text and text.endswith(".") and len(text) <= LONGEST


def _without_pickles() -> Any:
    def refused(*_: object, **__: object) -> NoReturn:
        raise AssertionError("Law 6 of formats is broken: it unpickles.")

    return mock.patch.multiple(pickle, load=refused, loads=refused, Unpickler=refused)


def _law(number: int, holds: bool, broken: str) -> None:
    if not holds:
        raise AssertionError(f"Law {number} of formats is broken: {broken}.")


# -- stores ---------------------------------------------------------------------------------------
# The laws of a store, as a suite that any implementation can be held against.


OpenStore = Callable[[str], Store]

ERROR = Measure("error", False, (0, 1), "share", spec="error")
AUC = Measure("auc", True, (0, 1), spec="auc")
SAMPLES = 4
STORE_TABLES = (
    "sessions",
    "datasets",
    "algorithms",
    "measures",
    "runs",
    "scores",
    "failures",
    "warnings",
    "predictions",
)


def check_store(make_store: OpenStore) -> None:
    """Hold a store against its laws; the first one that it breaks raises AssertionError.

    `make_store(name)` opens the store called `name` for writing and makes it where there is none;
    called twice with one name it opens the same store twice.

    The laws:

    1. An append is all or nothing.
    2. Nothing that was appended ever changes or disappears.
    3. A run is done iff it has a record without failure, with all measures that are asked for.
    4. Readers see whole appends only, and every one as soon as `append` returns.
    5. A study with another name, sampling or seed is refused, and leaves no trace.
    6. Several records of one run: a success counts before a failure, else the newest counts.
    """
    for law in STORE_LAWS:
        law(make_store)


def an_append_is_all_or_nothing(make_store: OpenStore) -> None:
    """An append that fails half way, for whatever reason, leaves nothing behind."""
    with begun(make_store("all-or-nothing")) as store:
        store.append([record(1, error=0.5)])
        before = content(store)
        odd = record(3, error=0.5, algorithm="nobody has heard of it")
        for reason, records in (
            ("its records end in an error", _broken_off(RuntimeError("no more"))),
            ("Ctrl-C comes in between", _broken_off(KeyboardInterrupt())),
            ("a record is impossible", iter([record(2, error=0.5), odd])),
        ):
            try:
                store.append(records)
            except BaseException:
                _keeps(1, content(store) == before, f"an append left something though {reason}")
            else:
                _keeps(1, False, f"an append succeeded though {reason}")
        store.append([record(2, error=0.25)])
        done = store.done([ERROR])
        _keeps(1, done == {key(1), key(2)}, "a failed append spoiled those that came after")
        store.append([])
        _keeps(1, store.done([ERROR]) == done, "an empty append added something")


def nothing_changes_or_disappears(make_store: OpenStore) -> None:
    """Whatever is appended or begun later, earlier rows stay as they are; so do they on disk."""
    with begun(make_store("append-only")) as store:
        store.append([record(1, error=0.5), failed(2)])
        before = content(store)
        store.append([record(1, error=0.5), record(2, error=0.25)])
        _kept(before, store, "an append")
        store.append_scores([AUC], [(1, "auc", 0.75)])
        before = content(store)
        store.append_scores([ERROR, AUC], [(1, "error", 0.1), (1, "auc", 0.1)])
        _kept(before, store, "scoring by the same measure again")
        begun(store, algorithms={"a": "changed"})
        _kept(before, store, "a changed algorithm")
        begun(store, samples={"d": 1})
        _kept(before, store, "a study with fewer samples")
        before = content(store)
    with make_store("append-only") as store:
        _keeps(2, content(store) == before, "closing and opening again changed something")


def done_is_a_record_without_failure(make_store: OpenStore) -> None:
    """A failure is a record, but its run is not done; so is a run that lacks a measure."""
    with begun(make_store("done"), measures=(ERROR, AUC)) as store:
        _keeps(3, store.done([ERROR]) == set(), "an empty store says that runs are done")
        store.append([record(1, error=0.5, auc=0.5), record(2, error=0.5), failed(3)])
        store.append([failed(4), record(4, error=0.5), record(1, error=0.5), failed(1)])
        everything = {key(1), key(2), key(4)}
        _keeps(3, store.done([]) == everything, "done runs are not those with a good record")
        _keeps(3, store.done([ERROR]) == everything, "done runs are not those with a score")
        _keeps(3, store.done([ERROR, AUC]) == {key(1)}, "a run that lacks a measure is done")
        other = Measure("error", False, spec="another definition of this name")
        _keeps(3, store.done([other]) == set(), "a score by another definition is taken for it")
        kept = store.done([ERROR], predictions=True)
        _keeps(3, kept == set(), "runs without predictions are done though predictions are wanted")


def readers_see_whole_appends(make_store: OpenStore) -> None:
    """While an append is under way a reader sees what was there before; afterwards all of it."""
    with begun(make_store("readers")) as writer, make_store("readers") as reader:
        writer.append([record(1, error=0.5)])
        seen: list[set[bytes]] = []

        def slowly() -> Iterator[Record]:
            for sample in (2, 3, 4):
                seen.append(reader.done([ERROR]))
                yield record(sample, error=0.5)

        writer.append(slowly())
        _keeps(4, seen == [{key(1)}] * 3, "a reader saw a part of an append")
        everything = {key(s) for s in (1, 2, 3, 4)}
        _keeps(4, reader.done([ERROR]) == everything, "a reader does not see what was appended")


def another_study_is_refused(make_store: OpenStore) -> None:
    """A store is of one study: name, sampling and seed stay; everything else may grow."""
    with begun(make_store("one-study")) as store:
        before = content(store)
        changes: dict[str, Any] = {"name": "other", "seed": 2, "sampling_identity": cv(10).identity}
        for what, value in changes.items():
            try:
                begun(store, **{what: value})
            except StoreError:
                _keeps(5, content(store) == before, f"a study with another {what} left a trace")
            else:
                _keeps(5, False, f"a study with another {what} was not refused")
        begun(store, algorithms={"a": "1", "b": "1"}, samples={"d": 2 * SAMPLES})
        _keeps(5, len(store.definitions()) == 2, "the same study, grown, was not noted")


def the_newest_record_counts(make_store: OpenStore) -> None:
    """Of several good records the last one is read; a failure never hides a success."""
    with begun(make_store("newest")) as store:
        store.append([record(1, error=0.5, fit_time=1.0)])
        store.append([record(1, error=0.5, fit_time=2.0)])
        store.append([failed(2, "first"), failed(2, "second")])
        store.append([failed(3), record(3, error=0.25)])
        store.append([record(4, error=0.75), failed(4)])
        path = store.path
    results = read_store(path)
    status = list(results.runs["status"])
    _keeps(6, status == ["done", "failed", "done", "done"], f"runs are read as {status}")
    _keeps(6, results.runs["fit_time"].iloc[0] == 2.0, "an old record counts, not the newest")
    messages = list(results.failures["message"])
    _keeps(6, messages == ["second"], f"the failures that are read are {messages}")
    values = results.scores.set_index("sample")["value"].to_dict()
    _keeps(6, values == {1: 0.5, 3: 0.25, 4: 0.75}, f"the scores that are read are {values}")


STORE_LAWS = (
    an_append_is_all_or_nothing,
    nothing_changes_or_disappears,
    done_is_a_record_without_failure,
    readers_see_whole_appends,
    another_study_is_refused,
    the_newest_record_counts,
)


# -- a small study to fill stores with ------------------------------------------------------------


def begun(store: Store, measures: tuple[Measure, ...] = (ERROR,), **changes: Any) -> Store:
    """The store after a small study has been begun; `changes` are to its definition."""
    definition: dict[str, Any] = {
        "name": "conformance",
        "seed": 1,
        "population": "",
        "sampling": asdict(bootstrap(SAMPLES)),
        "sampling_identity": bootstrap(SAMPLES).identity,
        "keep": [],
        "measures": [m.name for m in measures],
        "datasets": {"d": "1"},
        "samples": {"d": SAMPLES},
        "algorithms": {"a": "1"},
        "file": "",
    } | changes
    facts: Mapping[str, Any] = {"task": "classification", "classes": ["no", "yes"], "n": 10}
    store.begin(
        definition,
        datasets={name: (mark, facts) for name, mark in definition["datasets"].items()},
        algorithms={name: (mark, {}) for name, mark in definition["algorithms"].items()},
        measures=measures,
        environment={"python": "3"},
    )
    return store


def key(sample: int, algorithm: str = "a") -> bytes:
    """The key of a run of the small study."""
    return f"{algorithm}{sample:015d}".encode()[:16]


def record(sample: int, *, algorithm: str = "a", fit_time: float = 0.5, **scores: float) -> Record:
    """A run of the small study that was done."""
    return Record(key(sample), "d", algorithm, sample, scores, fit_time, 0.25, 1e9 + sample, None)


def failed(sample: int, message: str = "boom") -> Record:
    """A run of the small study that failed."""
    failure = Failure("ValueError", message, f"Traceback ...\nValueError: {message}")
    return Record(key(sample), "d", "a", sample, finished=2e9 + sample, failure=failure)


def content(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    return {table: store.rows(f"SELECT * FROM {table}") for table in STORE_TABLES}


def _broken_off(error: BaseException) -> Iterator[Record]:
    yield record(2, error=0.5)
    yield failed(3)
    raise error


def _kept(before: Mapping[str, list[tuple[Any, ...]]], store: Store, what: str) -> None:
    after = content(store)
    for table, rows in before.items():
        lost = [row for row in rows if row not in after[table]]
        _keeps(2, not lost, f"{what} changed or removed rows of '{table}': {lost[:3]}")


def _keeps(number: int, holds: bool, broken: str) -> None:
    if not holds:
        raise AssertionError(f"Law {number} of stores is broken: {broken}.")
