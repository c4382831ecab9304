"""Joining stores of one study that were made apart."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from podium.errors import StoreError
from podium.store.store import Store


def merge(into: str | Path, sources: Sequence[str | Path]) -> int:
    """Append to the store `into` what `sources` have and it lacks; return how many records.

    Refuses stores of different studies, and stores that use one name for different things.
    """
    paths = [Path(p) for p in sources]
    for path in paths:
        if path.absolute() == Path(into).absolute():
            raise StoreError(f"The store '{path}' cannot be merged into itself.")
    opened = [Store(p, readonly=True) for p in paths]
    try:
        with Store(into, create=True) as target:
            parts = [s for s in (target, *opened) if s.definitions()]
            _refuse_different(parts)
            studies = [s.definitions()[-1] for s in parts]
            copied = sum(_copy(target, path) for path in paths)
            if studies and target.definitions()[-1] != (whole := _union(studies)):
                target.note(whole, {"merged": [str(p.name) for p in paths]})
            return copied
    finally:
        for store in opened:
            store.close()


def _union(studies: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The study that all stores are parts of."""
    whole = dict(studies[0])
    for study in studies[1:]:
        for kind in ("datasets", "algorithms"):
            whole[kind] = {**whole[kind], **study[kind]}
        for kind in ("measures", "keep"):
            whole[kind] = list(dict.fromkeys([*whole[kind], *study[kind]]))
        largest = max(whole, study, key=lambda s: max(s["samples"].values()))
        whole["sampling"] = largest["sampling"]
        names = {**whole["samples"], **study["samples"]}
        whole["samples"] = {
            n: max(whole["samples"].get(n, 0), study["samples"].get(n, 0)) for n in names
        }
    return whole


def _refuse_different(stores: Sequence[Store]) -> None:
    seen: dict[tuple[str, str], tuple[str, Path]] = {}
    for store in stores:
        for study in store.definitions()[-1:]:
            facts = {
                ("study", ""): study["name"],
                ("seed", ""): study["seed"],
                ("sampling", ""): study["sampling_identity"],
            }
        for kind, name, content in _current(store):
            facts[kind, name] = content
        for (kind, name), content in facts.items():
            before = seen.setdefault((kind, name), (str(content), store.path))
            if before[0] != str(content):
                raise StoreError(_difference(kind, name, before, (str(content), store.path)))


def _current(store: Store) -> list[tuple[str, str, str]]:
    """Every name of the store with the content that it means at last."""
    means: dict[tuple[str, str], str] = {}
    for study in store.definitions():
        for kind in ("datasets", "algorithms"):
            means.update({(kind, n): f for n, f in study[kind].items()})
    return [(kind, name, content) for (kind, name), content in means.items()]


def _difference(kind: str, name: str, one: tuple[str, Path], other: tuple[str, Path]) -> str:
    if kind == "datasets":
        what = f"different data under the name '{name}'"
    elif kind == "algorithms":
        what = f"different algorithms under the name '{name}'"
    else:
        what = (
            f"different {kind}s ('{one[0]}' and '{other[0]}')"
            if kind != "study"
            else (f"different studies ('{one[0]}' and '{other[0]}')")
        )
    return f"The stores '{one[1]}' and '{other[1]}' cannot be merged: they hold {what}."


def _copy(target: Store, path: Path) -> int:
    """Append the records of one store, skipping those that are there already."""
    with target._translated():
        target._connection.execute("ATTACH ? AS other", (str(path.absolute()),))
    try:
        with target._transaction() as db:
            db.execute("""
                INSERT INTO sessions
                SELECT NULL, started, definition, environment FROM other.sessions
                WHERE (started, definition) NOT IN (SELECT started, definition FROM sessions)""")
            for table, columns in (
                ("datasets", "name, fingerprint, facts"),
                ("algorithms", "name, fingerprint, definition"),
                ("measures", "name, spec, higher_is_better, low, high, unit"),
            ):
                db.execute(
                    f"INSERT OR IGNORE INTO {table} SELECT NULL, {columns} FROM other.{table}"
                )
            return _copy_runs(db)
    finally:
        target._connection.execute("DETACH other")


def _copy_runs(db: sqlite3.Connection) -> int:
    # two records are one iff run and moment of finishing agree; a twin may still bring new scores
    db.execute("CREATE TEMP TABLE present AS SELECT key, finished, id FROM runs")
    db.execute("CREATE INDEX temp.present_key ON present (key, finished)")
    db.execute("""
        CREATE TEMP TABLE twins AS
        SELECT o.id AS old, p.id AS new, p.id IS NULL AS fresh
        FROM other.runs o LEFT JOIN present p ON p.key = o.key AND p.finished = o.finished
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
    count = int(db.execute("SELECT count(*) FROM twins WHERE fresh").fetchone()[0])
    for table in ("present", "twins"):
        db.execute(f"DROP TABLE temp.{table}")
    return count


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
_SCORES = """
    INSERT OR IGNORE INTO scores SELECT t.new,
        (SELECT m.id FROM measures m JOIN other.measures e USING (name, spec)
         WHERE e.id = o.measure), o.value
    FROM twins t JOIN other.scores o ON o.run = t.old"""
