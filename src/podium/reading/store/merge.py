"""Joining stores of one study that were made apart, and what of a store is as it was written."""

from __future__ import annotations

import contextlib
import math
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from podium.core.base.errors import StoreError
from podium.core.base.writing import new_file
from podium.core.words.phrases import counted
from podium.reading.store import records as digests
from podium.reading.store.store import Store
from podium.reading.store.store_file import damaged, is_blank, understood

MOST_SHOWN = 5
PEAK_MEMORY = "peak-memory"  # the one score that does not follow from the run's key
# what a study's definition calls by names, each with a digest of its content
NAMED = {"datasets": "data", "algorithms": "algorithms", "specs": "measures"}


def merge(into: str | Path, sources: Sequence[str | Path]) -> int:
    """Append to the store `into` what `sources` have and it lacks; return how many records.

    Refuses stores of different studies, and stores that use one name for different things.
    """
    paths = [Path(p) for p in sources]
    for path in paths:
        if path.resolve() == Path(into).resolve():
            raise StoreError(f"The store '{path}' cannot be merged into itself.")
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(Store(p, readonly=True)) for p in paths]
        for store in opened:
            store.check()  # damage that is met while copying would be taken for the target's
        _refuse_different(opened)  # before a new store is made
        _refuse_impossible(opened)
        refuse_contradictions(opened)
        target = stack.enter_context(_opened(Path(into)))
        target.verified()
        _refuse_different([target, *opened])
        refuse_contradictions([target, *opened])
        studies = [s.definitions()[-1] for s in (target, *opened) if s.definitions()]
        copied = sum(_copy(target, path) for path in paths)
        if studies and target.definitions()[-1] != (whole := _union(studies)):
            target.note(whole, {"merged": [p.name for p in paths]})
        return copied


def _opened(into: Path) -> contextlib.AbstractContextManager[Store]:
    """A store to write to: one that is there, or a new one that appears when it is whole."""
    # a log that is left beside an empty file would be replayed into the new one
    blank = is_blank(into) and not Path(f"{into}-wal").exists()
    return _built(into) if blank else Store(into, create=True)


@contextlib.contextmanager
def _built(into: Path) -> Iterator[Store]:
    with new_file(into.resolve(), ("-wal", "-shm")) as fresh:
        try:
            with Store(fresh, create=True) as store:
                yield store
                store.settle()
        except StoreError as error:
            if isinstance(error.__cause__, sqlite3.OperationalError):
                raise StoreError(
                    f"The store '{into}' cannot be written, and nothing was left of it: "
                    f"{error.__cause__}. Free some space, or name a store on another disk."
                ) from error
            raise StoreError(str(error).replace(str(fresh), str(into))) from error


def _union(studies: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The study that all stores are parts of."""
    whole = dict(studies[0])
    for study in studies[1:]:
        for kind in NAMED:
            whole[kind] = {**whole[kind], **study[kind]}
        for kind in ("measures", "keep"):
            whole[kind] = list(dict.fromkeys([*whole[kind], *study[kind]]))
        largest = max(whole, study, key=lambda s: max(s["samples"].values()))
        halves = max(s["sampling"].get("halves", 0) for s in (whole, study))
        whole["sampling"] = largest["sampling"] | ({"halves": halves} if halves else {})
        if "halvings" in {*whole, *study}:
            whole["halvings"] = whole.get("halvings", {}) | study.get("halvings", {})
        if "weights" in {*whole, *study}:
            whole["weights"] = _weights(whole, study)
        if "registered" in {*whole, *study}:
            whole["registered"] = _plans(whole, study)
        names = {**whole["samples"], **study["samples"]}
        whole["samples"] = {
            n: max(whole["samples"].get(n, 0), study["samples"].get(n, 0)) for n in names
        }
    return whole


def _weights(*studies: dict[str, Any]) -> dict[str, Any]:
    """By what all learned, and who of all takes no weights."""
    said = [study["weights"] for study in studies if "weights" in study]
    lacking = dict.fromkeys(name for each in said for name in each["lacking"])
    return {"by": said[0]["by"], "lacking": [*lacking]}


def _plans(*studies: dict[str, Any]) -> dict[str, Any]:
    """All versions of the plans of stores, each once, from when it was first registered."""
    every = [v for s in studies for v in s.get("registered", {}).get("versions", [])]
    every.sort(key=lambda version: (version["done"] > 0, version["time"]))
    return {"versions": list({v["fingerprint"]: v for v in every[::-1]}.values())[::-1]}


def _refuse_different(stores: Sequence[Store]) -> None:
    seen: dict[tuple[str, str], tuple[str, Path]] = {}
    for store in stores:
        for (kind, name), content in _meanings(store).items():
            before, path = seen.setdefault((kind, name), (content, store.path))
            if before != content:
                what = (
                    f"{NAMED[kind]} under the name '{name}'"
                    if kind in NAMED
                    else f"{kind} ('{before}' and '{content}')"
                )
                raise StoreError(
                    f"The stores '{path}' and '{store.path}' cannot be merged: "
                    f"they hold different {what}."
                )


def _refuse_impossible(stores: Sequence[Store]) -> None:
    """Refuse scores beyond the bounds of their measure: they would spoil the whole."""
    for store in stores:
        if result := store.rows(_BEYOND):
            name, value, low, high = result[0]
            bounds = " and ".join(f"{b:g}" for b in (low, high) if b is not None)
            raise StoreError(
                f"The store '{store.path}' holds a score of {value:.12g}, which '{name}' cannot "
                f"have (its bounds: {bounds}): 'podium store check {store.path} -o NEW.db' saves "
                "the others."
            )


def refuse_contradictions(stores: Sequence[Store]) -> None:
    """Refuse stores that hold different scores of one run; scores follow from the run's key."""
    result = contradictions(stores)
    if not result:
        return
    first = result[0]
    others = ", ".join(dict.fromkeys(f"'{c.path}'" for c in result))
    listed = "; ".join(map(str, result[:MOST_SHOWN]))
    more = f" and {len(result) - MOST_SHOWN} more" if len(result) > MOST_SHOWN else ""
    raise StoreError(
        f"The stores '{first.before}' and {others} contradict each other in "
        f"{counted(len(result), 'score')}: {listed}{more}. Leave out the one that is wrong: "
        "'podium store check' checks a file for damage, and running the study again shows what is "
        "right."
    )


@dataclass(frozen=True)
class Contradiction:
    """Two scores of one run and measure that differ."""

    dataset: str
    algorithm: str
    sample: int
    measure: str
    values: tuple[float, float]
    before: Path
    path: Path

    def __str__(self) -> str:
        one, other = self.values
        return (
            f"{self.measure} of {self.algorithm} on {self.dataset}, sample {self.sample}: "
            f"{one:.12g} and {other:.12g}"
        )


def contradictions(stores: Sequence[Store]) -> list[Contradiction]:
    """Scores of one run that differ by more than rounding, which differs between machines."""
    seen: dict[tuple[Any, ...], tuple[float, Path]] = {}
    results = []
    for store in stores:
        for key, measure, spec, value, *names in store.rows(_VALUES, (PEAK_MEMORY,)):
            value = math.nan if value is None else value
            before, path = seen.setdefault((key, measure, spec), (value, store.path))
            if not _agree(before, value):
                dataset, algorithm, sample = names
                pair = (before, value)
                results.append(
                    Contradiction(dataset, algorithm, sample, measure, pair, path, store.path)
                )
    return results


def _agree(one: float, other: float) -> bool:
    both_undefined = math.isnan(one) and math.isnan(other)
    return one == other or both_undefined or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def _meanings(store: Store) -> dict[tuple[str, str], str]:
    """Every name of the store with the content that it means at last."""
    means: dict[tuple[str, str], str] = {}
    for study in store.definitions():
        means["studies", ""] = study["name"]
        means["seeds", ""] = str(study["seed"])
        means["samplings", ""] = study["sampling_identity"]
        if "weights" in study:
            means["ways to learn", ""] = study["weights"]["by"]
        for kind in NAMED:
            means.update({(kind, name): content for name, content in study[kind].items()})
    return means


def _copy(target: Store, path: Path, without: Sequence[int] = ()) -> int:
    """Append the records of one store, skipping those that are there already, or `without`."""
    with target.attached(path), target.transaction() as db:
        db.execute("""
            INSERT INTO sessions
            SELECT NULL, started, definition, environment FROM other.sessions
            WHERE (started, definition) NOT IN (SELECT started, definition FROM sessions)
            ORDER BY id""")
        for table, columns in (
            ("datasets", "name, fingerprint, facts"),
            ("algorithms", "name, fingerprint, definition"),
            ("measures", "name, spec, higher_is_better, low, high, unit"),
        ):
            db.execute(f"INSERT OR IGNORE INTO {table} SELECT NULL, {columns} FROM other.{table}")
        copied = _copy_runs(db, without)
        twins = db.execute("SELECT min(new), max(new) FROM twins WHERE NOT fresh").fetchone()
        fresh = db.execute("SELECT min(new), max(new) FROM twins WHERE fresh").fetchone()
        for span, is_fresh in ((twins, False), (fresh, True)):
            if span[0] is not None:
                target.seal(span[0], span[1], fresh=is_fresh)
        digests.keep_names(db)
        for table in ("present", "twins", "unsound"):
            db.execute(f"DROP TABLE temp.{table}")
        return copied


def _copy_runs(db: sqlite3.Connection, without: Sequence[int]) -> int:
    db.execute("CREATE TEMP TABLE unsound (id INTEGER PRIMARY KEY)")
    db.executemany("INSERT INTO unsound VALUES (?)", [(int(i),) for i in without])
    # two records are one iff run and moment of finishing agree; a twin may still bring new scores
    db.execute("CREATE TEMP TABLE present AS SELECT key, finished, id FROM runs")
    db.execute("CREATE INDEX temp.present_key ON present (key, finished)")
    db.execute("""
        CREATE TEMP TABLE twins AS
        SELECT o.id AS old, p.id AS new, p.id IS NULL AS fresh
        FROM other.runs o LEFT JOIN present p ON p.key = o.key AND p.finished = o.finished
        WHERE o.id NOT IN (SELECT id FROM unsound)
        ORDER BY o.id""")
    db.execute("UPDATE twins SET new = rowid + (SELECT coalesce(max(id), 0) FROM runs) WHERE fresh")
    db.execute(_RUNS)
    db.execute(_SCORES)
    for table, columns in (
        ("failures", "exception, message, traceback"),
        ("warnings", "category, message, count"),
        ("predictions", "split, kind, dtype, shape, data"),
    ):
        db.execute(
            f"INSERT INTO {table} SELECT t.new, {columns} "
            f"FROM twins t JOIN other.{table} o ON o.run = t.old WHERE t.fresh"
        )
    return int(db.execute("SELECT count(*) FROM twins WHERE fresh").fetchone()[0])


def copy_sound(path: Path, into: Path, unsound: Sequence[int]) -> int:
    """Write a new store with all runs of another one but those; return how many."""
    if into.exists():
        raise StoreError(f"'{into}' is there already: name a new store.")
    with _built(into) as target:
        return _copy(target, path, unsound)


_RUNS = """
    INSERT INTO runs SELECT t.new, o.key,
        (SELECT s.id FROM sessions s JOIN other.sessions e USING (started, definition)
         WHERE e.id = o.session),
        (SELECT d.id FROM datasets d JOIN other.datasets e USING (name, fingerprint)
         WHERE e.id = o.dataset),
        (SELECT a.id FROM algorithms a JOIN other.algorithms e USING (name, fingerprint)
         WHERE e.id = o.algorithm),
        o.sample, o.failed, o.fit_time, o.predict_time, o.warnings, o.finished
    FROM twins t JOIN other.runs o ON o.id = t.old WHERE t.fresh ORDER BY t.new"""
_VALUES = """
    SELECT runs.key, measures.name, measures.spec, value, datasets.name, algorithms.name, sample
    FROM scores JOIN runs ON runs.id = scores.run JOIN measures ON measures.id = scores.measure
    JOIN datasets ON datasets.id = runs.dataset JOIN algorithms ON algorithms.id = runs.algorithm
    WHERE NOT failed AND measures.name != ?"""
_BEYOND = """
    SELECT name, value, low, high FROM scores JOIN measures ON measures.id = scores.measure
    WHERE value < low - 1e-9 OR value > high + 1e-9 LIMIT 1"""
_SCORES = """
    INSERT OR IGNORE INTO scores SELECT t.new,
        (SELECT m.id FROM measures m JOIN other.measures e USING (name, spec)
         WHERE e.id = o.measure), o.value
    FROM twins t JOIN other.scores o ON o.run = t.old"""


# -- checking -------------------------------------------------------------------------------------
# What of a store is as it was written, and what is to be run anew.


_NAMED = """
    SELECT runs.id, datasets.name, algorithms.name, sample FROM runs
    LEFT JOIN datasets ON datasets.id = runs.dataset
    LEFT JOIN algorithms ON algorithms.id = runs.algorithm"""


@dataclass(frozen=True)
class Checked:
    """What came of checking a store.

    `unsound` are the numbers of the runs that are not as they were written, or hold a score that
    its measure cannot give; `named` are those of them whose names are known: data set, algorithm
    and sample. Of `unsealed` runs, of an earlier version, damage cannot be told.
    """

    path: Path
    runs: int
    unsealed: int
    unsound: tuple[int, ...]
    named: tuple[tuple[str, str, int], ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.unsound and not self.contradictions


def check_store(path: str | Path) -> Checked:
    """Read all of a store and compare it with its digests."""
    with Store(path, readonly=True) as store, store.snapshot():
        super(Store, store).check()
        store.definitions()  # refuses where what it says of its study is damaged
        runs = store.runs_table()
        _refuse_unknown_digests(store)
        with understood(store.path):
            noted = store.noted(digests.RUNS)
            unsound = sorted({int(i) for i in _unsound(store, noted)})
        known = {row[0]: row[1:] for row in store.rows(_NAMED) if None not in row}
        return Checked(
            store.path,
            len(runs["id"]),
            int((~np.isin(runs["id"], noted.ids)).sum()),
            tuple(unsound),
            tuple(known[i] for i in unsound if i in known),
            tuple(contradictions([store])) if not unsound else (),
        )


def _refuse_unknown_digests(store: Store) -> None:
    """Refuse digests of what nobody digests: of something else they are missing."""
    if store.has_digests:
        for (kind,) in store.rows("SELECT DISTINCT of FROM digests"):
            if kind not in digests.KINDS:
                raise StoreError(damaged(store.path, f"it has digests of {kind!r:.40}"))


def _unsound(store: Store, noted: digests.Sums) -> Iterator[int]:
    yield from digests.differing(noted, store.found())
    yield from store.changed_details()
    scores = store.scores_table()
    for number, measure in store.measures().items():
        low, high = measure.bounds
        of_measure = scores["measure"] == number
        beyond = (scores["value"] < low - 1e-9) | (scores["value"] > high + 1e-9)
        yield from scores["run"][of_measure & beyond]


def save_sound(checked: Checked, into: str | Path) -> int:
    """Write a new store with what is sound; return how many runs."""
    return copy_sound(checked.path, Path(into), checked.unsound)
