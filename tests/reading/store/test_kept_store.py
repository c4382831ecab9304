"""Numbers, facts and sentences of stores, over varied contents, are those that were kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from outcomes import outcome
from snapshots import assert_kept

from podium import Measure, Store
from podium.core.questions.options import AnalysisPlan
from podium.reading.store import Failure, Kept, Warned, store_file
from podium.reading.store import records as digests
from podium.reading.store.merge import (
    _union,
    check_store,
    contradictions,
    merge,
    refuse_contradictions,
    save_sound,
)
from podium.reading.store.store import registration
from podium.testing.files import AUC, ERROR, begun, failed, record

FOLDER = Path("folder")


# -- digests --------------------------------------------------------------------------------------


def runs(ids, seed=0):
    """Columns of runs, with missing times and keys of odd lengths."""
    rng = np.random.default_rng(seed)
    n = len(ids)
    columns = {c: rng.integers(0, 5, n) for c in digests.COLUMNS}
    times = {c: np.round(rng.normal(0, 3, n), 3) for c in ("fit_time", "predict_time", "finished")}
    times["fit_time"][::2] = np.nan
    keys = np.array([bytes([i]) * (12 + 3 * (i % 3)) for i in range(n)], object)
    return columns | times | {"id": np.array(ids, np.int64), "key": keys}


def scores(of, seed=1):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(0, 1, len(of)), 4)
    values[:1] = -0.0
    values[1:2] = np.nan
    return {"run": np.array(of, np.int64), "measure": np.arange(len(of)) % 3 + 1, "value": values}


def shown(sums):
    return {"first": sums.first, "values": [str(v) for v in sums.values.tolist()]}


DETAILS = [
    ("failures", (3, "ValueError", "no", "line 1")),
    ("warnings", (3, "odd", "it is", 2)),
    ("warnings", (6, "odd", "ü", 1)),
    ("predictions", (4, 0, "row", "|i1", "2", b"xy")),
]


def test_digests_are_kept():
    many = digests.sums(runs([3, 4, 6, 9]), scores([3, 3, 4, 6, 9, 9, 9]))
    other = digests.sums(runs([4, 5, 6, 11], 2), scores([4, 5, 11], 3))
    details = digests.detail_sums(DETAILS)
    noted = digests.kept([(3, many.values[:3].tobytes()), (7, many.values[4:].tobytes() + b"odd")])
    spans = [(0, 99), (3, 3), (4, 6), (6, 4), (0, 2), (10, 20), (9, 9), (2, 1)]
    value = {
        "sums": [shown(s) for s in (many, other, details, noted, digests.detail_sums([]))],
        "ids": [s.ids.tolist() for s in (many, other, details, noted)],
        "within": [shown(many.within(*span)) for span in spans],
        "differing": [digests.differing(a, b).tolist() for a in (many, other, noted)
                      for b in (many, other, noted, digests.detail_sums([]))],
        "missing": [shown(digests.missing(a, b)) for a in (many, other, noted)
                    for b in (many, other, noted)],
        "nothing": digests.kept([]),
    }  # fmt: skip
    assert_kept("store", "digests", value)
    # what is missing, added to what was noted, is what was found
    gap = digests.missing(noted, other)
    both = digests.kept([(s.first, s.values.tobytes()) for s in (noted, gap)])
    assert not len(digests.differing(digests.missing(digests.kept([]), other), both))


@pytest.mark.parametrize(("last", "refused"), [(1_000_009, False), (1_000_010, True)])
def test_runs_that_nobody_counts_like_are_damage(last, refused):
    ids = [1, last]  # 4 * 2 + 1 000 000 apart at most
    told = None
    try:
        digests.detail_sums([("warnings", (i, "", "", 1)) for i in ids])
    except ValueError as error:
        told = str(error)
    assert (told == f"there is a run number {last}") == refused


ARRAYS = [
    np.array([0, 127], np.int64),
    np.array([-128, 128]),
    np.array([-129, 0]),
    np.array([32767]),
    np.array([-32768, 32767, 32768]),
    np.array([-(2**31), 2**31 - 1]),
    np.array([2**31]),
    np.array([-(2**31) - 1]),
    np.array([], np.int64),
    np.array([True, False]),
    np.array([0.5, np.nan]),
    np.array([[1, 2], [3, 4]], np.uint8),
]


def test_types_of_packed_arrays_are_kept():
    kept = [digests.packed(a)[:2] for a in ARRAYS]
    assert_kept("store", "packed", kept)


def test_bytes_that_are_too_few_or_more_are_told():
    dtype, shape, data = digests.packed(np.arange(4))
    for wrong in (data[:-1], data[:-5]):
        with pytest.raises(ValueError, match="4 bytes that they should"):
            digests.unpacked(dtype, shape, wrong)
    for sizes in ("3", "5"):
        with pytest.raises(ValueError, match=f"{sizes} bytes that they should"):
            digests.unpacked(dtype, sizes, data)
    assert digests.unpacked("|i1", str(2**20), digests.packed(np.zeros(2**20, "i1"))[2]).sum() == 0


@pytest.mark.parametrize(("size", "refused"), [(300, False), (2**20, True)])
def test_bytes_do_not_expand_without_end(size, refused, monkeypatch):
    """Beyond what any array may have, it is a hundred times what is stored."""
    monkeypatch.setattr(digests, "LEAST_EXPANSION", 16)
    packed = digests.packed(np.zeros(size, "i1"))
    assert (size > 100 * len(packed[2])) == refused
    if refused:
        with pytest.raises(ValueError, match=f"bytes of predictions would become {size}"):
            digests.unpacked(*packed)
    else:
        assert len(digests.unpacked(*packed)) == size


# -- sentences ------------------------------------------------------------------------------------

COMPLAINTS = [
    "file is not a database",
    "disk I/O error",
    "database or disk is full",
    "attempt to write a readonly database",
    "unable to open database file",
    "database is locked",
    "database disk image is malformed",
    "Could not decode to UTF-8",
    "index corrupt",
    "something else",
]


def test_sentences_of_broken_stores_are_kept(tmp_path):
    path = FOLDER / "a.db"
    beside = tmp_path / "writer"
    told = [store_file.busy(path, beside)]
    beside.write_text("process 7 on host since noon", encoding="utf-8")
    told += [store_file.busy(path, beside)]
    told += [store_file.damaged(path, "row 1\n  of  " + "long " * 40)]
    told += [store_file.changed(path, n) for n in (1, 2)]
    told += [store_file.beyond_repair(path, [f"row {i}" for i in range(n)]) for n in (1, 2, 5)]
    told += [store_file._sentence(path, words) for words in COMPLAINTS]
    assert_kept("store", "sentences", told)


# -- contents -------------------------------------------------------------------------------------

FITS = Warned(digests.FIT_NOTE, "0.1 s", 4)
ODD = Warned("ConvergenceWarning", "did not", 3)
KEPT = Kept(0, {"row": np.array([3, 1]), "y": np.array([0, 1]), "label": np.array([1, 1])})


def filled(path, extra=()):
    """A store with runs that are done, failed, warned, tried again and scored later."""
    store = begun(Store(path, create=True), measures=(ERROR, AUC))
    store.append([record(1, error=0.5, auc=0.75), record(2, error=0.25), failed(3)])
    store.append([
        replace(record(3, error=0.125), fit_time=1.5, predict_time=0.25, warnings=(ODD, FITS)),
        replace(record(4, error=0.0625), kept=(KEPT, replace(KEPT, split=1))),
        replace(failed(4), failure=Failure("E\0", "half \ud800", "line")),
    ])  # fmt: skip
    store.append_scores([AUC], [(2, "auc", 0.5), (4, "auc", float("nan"))])
    store.append([*extra])
    return store


def columns(table):
    return {n: [bytes(v).hex() if isinstance(v, bytes) else v for v in c] for n, c in table.items()}


def test_what_a_store_holds_is_kept(tmp_path):
    with filled(tmp_path / "a.db") as store:
        store.check()
        rmse = Measure("rmse", False, (0, np.inf), "s", spec="rmse")
        free = Measure("r2", True, (-np.inf, 1), spec="r2")
        store.append_scores([rmse, free], [(1, "rmse", 2.5), (1, "r2", -3.0)])
        store.append_scores([AUC], [])
        told = {
            "runs": columns(store.runs_table()),
            "some": columns(store.runs_table(2, 3)),
            "scores": columns(store.scores_table(2, 4)),
            "measures": [repr(m) for m in store.measures().values()],
            "numbers": [*store.measures()],
            "done": [sorted(k.hex() for k in store.done(*of, predictions=kept))
                     for of in ([[]], [[ERROR]], [[ERROR, AUC]], [[rmse, AUC]])
                     for kept in (False, True)],
            "kept": [store.kept(run) for run in (5, 1)],
            "details": [store.details().ids.tolist(), store.details(("warnings",)).ids.tolist(),
                        store.details(first=4, last=5).ids.tolist()],
            "noted": [store.noted(of).ids.tolist() for of in digests.KINDS[:3]],
            "definition": store.definitions()[-1],
            "sessions": [e["session"] for e in store.environments()],
            "changed": [store.changed_names(), store.changed_details().tolist()],
        }  # fmt: skip
        assert_kept("store", "contents", told)
        found = store.found(1, 4)
        assert not len(digests.differing(store.noted(digests.RUNS).within(1, 4), found))


DAMAGE = {
    "sound": [],
    "a score": ["UPDATE scores SET value = 0.3 WHERE run = 2 AND measure = 1"],
    "two runs": ["UPDATE runs SET sample = 9 WHERE id IN (1, 4)"],
    "a warning": ["UPDATE warnings SET count = 4"],
    "predictions": ["DELETE FROM predictions"],
    "a name": ["UPDATE algorithms SET definition = '\"b\"'"],
    "names": ["UPDATE measures SET unit = 'x'", "UPDATE datasets SET facts = '{}'"],
    "a nobody": ["DELETE FROM algorithms"],
    "beyond": ["UPDATE digests SET of = 'odd' WHERE of = 'told'"],
    "no digests": ["DROP TABLE digests", "UPDATE scores SET value = 1.5 WHERE run = 2"],
    "hardly beyond": ["DROP TABLE digests", "UPDATE scores SET value = 1 + 1.5e-9 WHERE run = 2"],
    "not beyond": ["DROP TABLE digests", "UPDATE scores SET value = 1 + 5e-10 WHERE run = 2"],
    "below": ["DROP TABLE digests", "UPDATE scores SET value = -1.5e-9 WHERE run = 1"],
    "not below": ["DROP TABLE digests", "UPDATE scores SET value = -5e-10 WHERE run = 1"],
}


def test_what_is_found_in_damaged_stores_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = {}
    for name, statements in DAMAGE.items():
        path = Path(f"{name.replace(' ', '-')}.db")
        with filled(path) as store:
            for statement in statements:
                store._connection.execute(statement)
        told[name] = {
            "check": outcome(check_store, path),
            "open": outcome(opened, path),
            "merge": outcome(merge, f"into-{path}", [path]),
            "save": outcome(saved, path),
        }
    assert_kept("store", "damage", told)


def opened(path):
    with Store(path, readonly=True) as store:
        store.check()


def saved(path):
    return save_sound(check_store(path), f"save-{path}")


# -- together -------------------------------------------------------------------------------------


def of_scores(path, **values):
    """A store of samples 1, 2, ... with these errors."""
    with begun(Store(path, create=True)) as store:
        store.append(record(i, error=v) for i, v in enumerate(values["error"], 1))
    return path


PAIRS = {
    "the same": ([0.1, 0.2], [0.1, 0.2]),
    "rounded": ([0.1, 0.2], [0.1 * (1 + 0.9e-9), 0.2 + 0.9e-12]),
    "more than rounded": ([0.1], [0.1 * (1 + 1.5e-9)]),
    "next to nothing": ([0.0, 0.0], [0.9e-12, 1.5e-12]),
    "undefined": ([float("nan"), float("nan")], [float("nan"), 0.5]),
    "one": ([0.1, 0.2], [0.1, 0.3]),
    "three": ([0.1, 0.2, 0.3], [0.2, 0.3, 0.4]),
    "five": ([0.1] * 5, [0.2] * 5),
    "six": ([0.1] * 6, [0.2] * 6),
    "seven": ([0.1] * 7, [0.2] * 7),
}


def test_contradictions_are_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = {}
    for i, (name, (one, other)) in enumerate(PAIRS.items()):
        paths = [of_scores(Path(f"{i}{n}.db"), error=v) for n, v in (("a", one), ("b", other))]
        with Store(paths[0], readonly=True) as a, Store(paths[1], readonly=True) as b:
            told[name] = {
                "found": contradictions([a, b]),
                "told": outcome(refuse_contradictions, [a, b]),
            }
    paths = [of_scores(Path(f"{n}.db"), error=[0.1 * i]) for i, n in enumerate("xyz")]
    told["of three"] = outcome(merge, "into.db", paths)
    assert_kept("store", "contradictions", told)


def defined(**more):
    base = {
        "name": "s", "seed": 1, "sampling_identity": "x", "sampling": {"count": 5},
        "datasets": {"a": "1"}, "algorithms": {"svm": "2"}, "specs": {"error": "error"},
        "measures": ["error"], "keep": [], "samples": {"a": 5},
    }  # fmt: skip
    return base | more


def version(done, time, name):
    return {"done": done, "time": time, "fingerprint": name}


UNIONS = {
    "one": [defined()],
    "more samples": [defined(), defined(samples={"a": 9}, sampling={"count": 9})],
    "fewer samples": [defined(samples={"a": 9}, sampling={"count": 9}), defined()],
    "no samples": [defined(samples={"a": 0, "z": 0}), defined(samples={"b": 0, "z": 1})],
    "other data": [defined(), defined(datasets={"b": "3"}, samples={"b": 2}, measures=["auc"],
                                      keep=["predictions"])],
    "halves": [defined(sampling={"count": 5, "halves": 2}), defined(samples={"a": 7})],
    "halves later": [defined(), defined(sampling={"count": 5, "halves": 3})],
    "halvings": [defined(halvings={"a": [1, 2]}), defined(halvings={"b": [3]})],
    "halvings of one": [defined(), defined(halvings={"b": [3]})],
    "plans": [
        defined(registered={"versions": [version(0, "2", "p"), version(3, "4", "q")]}),
        defined(registered={"versions": [version(0, "1", "p"), version(2, "3", "r")]}),
        defined(),
    ],
    "plan later": [defined(), defined(registered={"versions": [version(0, "2", "p")]})],
}  # fmt: skip


def test_studies_that_stores_are_parts_of_are_kept():
    assert_kept("store", "unions", {name: _union(of) for name, of in UNIONS.items()})


def test_registrations_are_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = AnalysisPlan(measure="error")
    other = replace(plan, relevance=0.1)
    with begun(Store("a.db", create=True)) as store:
        definition = store.definitions()[-1]
    first = registration("a.db", definition, plan, "now")
    told = {
        "none": registration("no.db", definition, None, "now"),
        "first": first,
        "empty": registration("a.db", definition, None, "now"),
    }
    with Store("a.db") as store:
        store.note({**definition, "registered": first}, {})
    told["same"] = registration("a.db", definition, plan, "later")
    told["other"] = registration("a.db", definition, other, "later")
    told["changed"] = registration("a.db", {**definition, "seed": 5}, plan, "later")
    with begun(Store("a.db"), registered=first) as store:
        store.append([record(1, error=0.5), failed(2)])
    told["same after"] = registration("a.db", definition, plan, "after")
    told["other after"] = registration("a.db", definition, other, "after")
    told["changed after"] = registration("a.db", {**definition, "seed": 5}, plan, "after")
    told["kept"] = registration("a.db", definition, None, "after")
    of_scores(Path("b.db"), error=[0.5])
    told["too late"] = outcome(registration, "b.db", definition, plan, "late")
    told["none late"] = registration("b.db", definition, None, "late")
    assert_kept("store", "registrations", told)
