"""The laws of a store, as a suite that any implementation can be held against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from podium.base.errors import StoreError
from podium.questions.measures import Measure
from podium.reading.formats.stores import read_store
from podium.samplings import bootstrap, cv
from podium.store import Failure, Record, Store

OpenStore = Callable[[str], Store]

ERROR = Measure("error", False, (0, 1), "share", spec="error")
AUC = Measure("auc", True, (0, 1), spec="auc")
SAMPLES = 4
TABLES = (
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
    for law in LAWS:
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
                _law(1, content(store) == before, f"an append left something though {reason}")
            else:
                _law(1, False, f"an append succeeded though {reason}")
        store.append([record(2, error=0.25)])
        done = store.done([ERROR])
        _law(1, done == {key(1), key(2)}, "a failed append spoiled those that came after")
        store.append([])
        _law(1, store.done([ERROR]) == done, "an empty append added something")


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
        _law(2, content(store) == before, "closing and opening again changed something")


def done_is_a_record_without_failure(make_store: OpenStore) -> None:
    """A failure is a record, but its run is not done; so is a run that lacks a measure."""
    with begun(make_store("done"), measures=(ERROR, AUC)) as store:
        _law(3, store.done([ERROR]) == set(), "an empty store says that runs are done")
        store.append([record(1, error=0.5, auc=0.5), record(2, error=0.5), failed(3)])
        store.append([failed(4), record(4, error=0.5), record(1, error=0.5), failed(1)])
        everything = {key(1), key(2), key(4)}
        _law(3, store.done([]) == everything, "done runs are not those with a good record")
        _law(3, store.done([ERROR]) == everything, "done runs are not those with a score")
        _law(3, store.done([ERROR, AUC]) == {key(1)}, "a run that lacks a measure is done")
        other = Measure("error", False, spec="another definition of this name")
        _law(3, store.done([other]) == set(), "a score by another definition is taken for it")
        kept = store.done([ERROR], predictions=True)
        _law(3, kept == set(), "runs without predictions are done though predictions are wanted")


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
        _law(4, seen == [{key(1)}] * 3, "a reader saw a part of an append")
        everything = {key(s) for s in (1, 2, 3, 4)}
        _law(4, reader.done([ERROR]) == everything, "a reader does not see what was appended")


def another_study_is_refused(make_store: OpenStore) -> None:
    """A store is of one study: name, sampling and seed stay; everything else may grow."""
    with begun(make_store("one-study")) as store:
        before = content(store)
        changes: dict[str, Any] = {"name": "other", "seed": 2, "sampling_identity": cv(10).identity}
        for what, value in changes.items():
            try:
                begun(store, **{what: value})
            except StoreError:
                _law(5, content(store) == before, f"a study with another {what} left a trace")
            else:
                _law(5, False, f"a study with another {what} was not refused")
        begun(store, algorithms={"a": "1", "b": "1"}, samples={"d": 2 * SAMPLES})
        _law(5, len(store.definitions()) == 2, "the same study, grown, was not noted")


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
    _law(6, status == ["done", "failed", "done", "done"], f"runs are read as {status}")
    _law(6, results.runs["fit_time"].iloc[0] == 2.0, "an old record counts, not the newest")
    messages = list(results.failures["message"])
    _law(6, messages == ["second"], f"the failures that are read are {messages}")
    values = results.scores.set_index("sample")["value"].to_dict()
    _law(6, values == {1: 0.5, 3: 0.25, 4: 0.75}, f"the scores that are read are {values}")


LAWS = (
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
    return {table: store.rows(f"SELECT * FROM {table}") for table in TABLES}


def _broken_off(error: BaseException) -> Iterator[Record]:
    yield record(2, error=0.5)
    yield failed(3)
    raise error


def _kept(before: Mapping[str, list[tuple[Any, ...]]], store: Store, what: str) -> None:
    after = content(store)
    for table, rows in before.items():
        lost = [row for row in rows if row not in after[table]]
        _law(2, not lost, f"{what} changed or removed rows of '{table}': {lost[:3]}")


def _law(number: int, holds: bool, broken: str) -> None:
    if not holds:
        raise AssertionError(f"Law {number} of stores is broken: {broken}.")
