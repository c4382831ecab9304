"""Podium's own stores: the results of the study that was last run with one."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.tables import FAILURES, FITS, HALVINGS, RUNS, SCORES, WARNINGS
from podium.core.questions.measures import TIMES, Measure
from podium.core.questions.measures import parse as parse_measure
from podium.core.questions.options import fixed_of
from podium.core.results.linearised import Predicted
from podium.core.results.results import Results
from podium.core.results.weights import describe_weights, make_weights_note
from podium.core.samplings import Sampling, bootstrap, halvings
from podium.core.words.facts import Note
from podium.core.words.notes.of_results import DRAWN
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import refuse_step
from podium.reading.formats.record import FORMATS, Format, Sample, Source, beginning
from podium.reading.store import Record, Store
from podium.reading.store.records import FIT_NOTE
from podium.reading.store.store_file import HEAD, understood

# -- stored halvings ------------------------------------------------------------------------------
# The runs of a store that were made inside halves of the rows: samples numbered below 0.


STORED_HALVINGS_RUNS = (
    "SELECT id, dataset, algorithm, sample, failed FROM runs WHERE sample < 0 ORDER BY id"
)
STORED_HALVINGS_SCORES = (
    "SELECT scores.run, measure, value FROM scores JOIN runs ON runs.id = scores.run "
    "WHERE sample < 0 AND failed = 0 ORDER BY scores.run"
)


def stored_halvings(store: Store, study: dict[str, Any]) -> int:
    """How many halvings the study asks for, or else the store has of an earlier call."""
    request = study["sampling"].get("halves", 0)
    least = store.rows("SELECT coalesce(min(sample), 0) FROM runs")[0][0]
    return int(request or (halvings.place(least).halving if least < 0 else 0))


def facts_of_halvings(store: Store) -> dict[str, Any]:
    """What halvings of each data set must be judged by; what was said last counts."""
    known: dict[str, Any] = {}
    for study in store.definitions():
        known |= study.get("halvings", {})
    return known


class HalvingRuns:
    """The runs inside halves, by data set, algorithm and sample: of several the newest counts.

    `dataset` and `algorithm` are the codes of the numbers that the store knows them by.
    """

    def __init__(
        self, store: Store, dataset: np.ndarray, algorithm: np.ndarray, algorithms: int, count: int
    ) -> None:
        self.store, self.of, self.size = store, count * halvings.EACH, algorithms
        number, d, a, sample, failed = store.columns(STORED_HALVINGS_RUNS, [np.int64] * 4 + [bool])
        d, a, sample = dataset[d], algorithm[a], -sample
        mine = (d >= 0) & (a >= 0) & (sample <= self.of)
        cell = (d * self.of + sample - 1) * self.size + a
        frame = pd.DataFrame({"run": number, "cell": cell, "good": ~failed})[mine]
        # a success counts before a failure, and the newer of two
        newest = frame.sort_values(["good", "run"]).drop_duplicates("cell", keep="last")
        self.newest = newest.set_index("cell")["run"]

    @property
    def counting(self) -> np.ndarray:
        """The numbers of the records that count."""
        return self.newest.to_numpy(np.int64)

    def scores(self, measures: list[int], datasets: int) -> tuple[pd.DataFrame, np.ndarray]:
        """Codes and places of every score that there should be, and the scores."""
        shape = (datasets, self.of, self.size, len(measures))
        values = np.full((int(np.prod(shape[:3])), len(measures)), np.nan)
        run, measure, value = self.store.columns(
            STORED_HALVINGS_SCORES, [np.int64, np.int64, float]
        )
        cell = pd.Series(self.newest.index, index=self.newest.to_numpy()).reindex(run)
        place = pd.Series(range(len(measures)), index=measures, dtype=float).reindex(measure)
        known = (cell.notna().to_numpy()) & (place.notna().to_numpy())
        at = (cell.to_numpy()[known].astype(int), place.to_numpy()[known].astype(int))
        values[at] = value[known]
        d, sample, a, m = (i.ravel() for i in np.indices(shape))
        halving, within = np.divmod(sample, halvings.EACH)
        side, fold = np.divmod(within, halvings.FOLDS)
        about = {"dataset": d, "algorithm": a, "halving": halving + 1, "side": side + 1}
        return pd.DataFrame(about | {"fold": fold + 1, "measure": m}), values.ravel()


# -- stores ---------------------------------------------------------------------------------------


DESIGN = ("frame", "roles", "development", "factors", "fits")  # of a study's definition
DONE, FAILED, MISSING = "done", "failed", "missing"
_RECORD: dict[str, type] = {  # what is read of every record
    "id": np.int64,
    "dataset": np.int64,
    "algorithm": np.int64,
    "sample": np.int64,
    "failed": bool,
    "fit_time": float,
    "predict_time": float,
    "warnings": np.int64,
    "finished": float,
    "session": np.int64,
}


def read_store(path: str | Path) -> Results:
    """The results of the study that was last run with a store."""
    with Store(path, readonly=True) as store, store.snapshot():
        studies = store.definitions()
        if not studies:
            raise ResultsError(f"The store '{path}' holds no study yet.")
        with understood(store.path):
            return _Reader(store, studies[-1]).results()


def is_store(path: Path) -> bool:
    """Whether a file is a store, or another SQLite database."""
    return beginning(path).startswith(HEAD)


def _read(source: Source, options: Options) -> Results:
    """The results of a store, which says all about them: what is said again is refused."""
    refuse_step(options)
    results = read_store(source.given)
    own, text = results.sampling, options.sampling
    for name, value in (
        ("columns", options.columns or None),
        ("higher_is_better", options.higher_is_better),
    ):
        if value is not None:
            raise ResultsError(f"{name} is for tables; a store knows its own. Leave it out.")
    if text is not None and own is not None and text.name != own.name:
        raise ResultsError(
            f"The samples of this store were drawn by '{own}', not by '{text}'. Leave the "
            "sampling out."
        )
    return results


def _sample(folder: Path) -> Path:
    """A store of two algorithms and two samples."""
    error, drawn = parse_measure("error"), bootstrap(2)
    algorithms = {"svm": "1", "knn": "2"}
    study = {
        "name": "small",
        "seed": 1,
        "population": "",
        "sampling": asdict(drawn),
        "sampling_identity": drawn.identity,
        "keep": [],
        "measures": ["error"],
        "datasets": {"iris": "1"},
        "samples": {"iris": 2},
        "algorithms": algorithms,
        "file": "",
    }
    with Store(folder / "small.db", create=True) as store:
        store.begin(
            study,
            datasets={"iris": ("1", {"task": "classification", "classes": ["a", "b"], "n": 10})},
            algorithms={name: (mark, {}) for name, mark in algorithms.items()},
            measures=[error],
            environment={},
        )
        store.append(
            Record(f"{name:16}{i}".encode()[-16:], "iris", name, i, {"error": value}, 0.1, 0.1, 1.0)
            for name, values in {"svm": (0.1, 0.2), "knn": (0.2, 0.4)}.items()
            for i, value in enumerate(values, 1)
        )
    return folder / "small.db"


STORE = FORMATS.add(
    Format(
        "store",
        "a store of Podium, one SQLite file",
        recognises=lambda source: len(source.paths) == 1 and is_store(source.paths[0]),
        read=_read,
        samples=[Sample(_sample, order=("svm", "knn"))],
        extensions=["db"],
        general=True,  # it takes every SQLite file, to say what is wrong with it
        place=10,
    )
)


@dataclass(frozen=True)
class _Names:
    """The study's names of one kind: the code of each number that the store knows them by."""

    names: list[str]
    code: np.ndarray  # by number; -1 where the study does not use it (any more)

    def column(self, codes: np.ndarray) -> pd.Categorical:
        return pd.Categorical.from_codes(codes, categories=self.names)


class _Reader:
    def __init__(self, store: Store, study: dict[str, Any]) -> None:
        self.store, self.study = store, study
        self.datasets = self._numbered("datasets")
        self.algorithms = self._numbered("algorithms")
        self.counting = np.empty(0, np.int64)  # the numbers of the records that count, see _runs
        self.records, self.values = store.verified()

    def _numbered(self, kind: str) -> _Names:
        rows = self.store.rows(f"SELECT id, name, fingerprint FROM {kind}")
        names = list(self.study[kind])
        code = np.full(max((r[0] for r in rows), default=0) + 1, -1)
        for number, name, fingerprint in rows:
            if self.study[kind].get(name) == fingerprint:
                code[number] = names.index(name)
        return _Names(names, code)

    def results(self) -> Results:
        measures = self._measures()
        scores, complete = self._scores(measures)
        runs = self._runs(complete)
        count = stored_halvings(self.store, self.study)
        halvings = self._halvings(measures, count)
        warnings = self._details("warnings", "category, message, count", WARNINGS.columns)
        noted = warnings["category"] == FIT_NOTE
        notes = self._notes(warnings)
        fits = FITS.shaped(warnings[noted].rename(columns={"message": "note"}))
        return Results(
            scores=scores,
            runs=runs,
            halvings=halvings,
            failures=self._details("failures", "exception, message, traceback", FAILURES.columns),
            warnings=warnings[~noted].reset_index(drop=True),
            sampling=describe_weights(
                Sampling(**self.study["sampling"] | {"halves": count}), notes
            ),
            measures=self._with_times(measures),
            name=self.study["name"],
            population=self.study["population"],
            facts=self._facts(),
            provenance=self.store.environments(),
            seed=self.study.get("seed"),
            notes=notes,
            stopping=self.study.get("stopping"),
            registered=self._registered(),
            fingerprints=dict(self.study["datasets"]),
            design={k: self.study[k] for k in DESIGN if k in self.study},
            fits=fits,
            predictions=Predicted(
                str(self.store.path) if "predictions" in self.study["keep"] else ""
            ),
        )

    def _notes(self, warnings: pd.DataFrame) -> tuple[Note, ...]:
        """How algorithms were given the weights of a sampling that has them."""
        of = warnings["message"].str.contains(DRAWN, regex=False)
        warned = {*warnings.loc[of, "algorithm"].astype(str)}
        sampling = Sampling(**self.study["sampling"])
        note = make_weights_note(sampling, self.study.get("weights"), warned, self.algorithms.names)
        return () if note is None else (note,)

    def _registered(self) -> dict[str, Any] | None:
        kept = self.study.get("registered")
        return None if kept is None else {**kept, "now": fixed_of(self.study)}

    def _measures(self) -> dict[int, Measure]:
        """Measures by number, the study's first; a name means what the study means by it.

        Where the study does not know the name, as kept predictions were scored by it, the newest
        definition counts.
        """
        specs = self.study["specs"]
        known = self.store.measures()
        number = {m.name: i for i, m in known.items() if specs.get(m.name, m.spec) == m.spec}
        names = dict.fromkeys([*self.study["measures"], *number])
        return {number[n]: known[number[n]] for n in names if n in number}

    def _with_times(self, measures: dict[int, Measure]) -> dict[str, Measure]:
        times = {m: parse_measure(m) for m in self.study["measures"] if m in TIMES}
        every = times | {m.name: m for m in measures.values()}
        return {n: every[n] for n in dict.fromkeys([*self.study["measures"], *every])}

    def _facts(self) -> dict[str, Any]:
        rows = self.store.rows("SELECT name, fingerprint, facts FROM datasets")
        wanted = self.study["datasets"].items()
        by_name = {name: json.loads(facts) for name, mark, facts in rows if (name, mark) in wanted}
        halved = facts_of_halvings(self.store)
        return {n: f | ({"halvings": halved[n]} if n in halved else {}) for n, f in by_name.items()}

    def _halvings(self, measures: dict[int, Measure], count: int) -> pd.DataFrame:
        """The scores inside halves; a run that failed or is missing has missing values."""
        codes = self.datasets.code, self.algorithms.code
        halving_runs = HalvingRuns(self.store, *codes, len(self.algorithms.names), count)
        self.counting = np.concatenate([self.counting, halving_runs.counting])
        places, values = halving_runs.scores(list(measures), len(self.datasets.names))
        d, a, m = (places[name].to_numpy() for name in ("dataset", "algorithm", "measure"))
        names = [each.name for each in measures.values()]
        about = {
            "dataset": self.datasets.column(d),
            "algorithm": self.algorithms.column(a),
            "measure": pd.Categorical.from_codes(m, categories=names),
        }
        return HALVINGS.shaped(places.assign(**about, value=values))

    def _cells(self) -> tuple[np.ndarray, int]:
        """Where the runs of each data set begin when all are numbered, and how many there are."""
        sizes = [self.study["samples"][d] * len(self.algorithms.names) for d in self.datasets.names]
        return np.concatenate([[0], np.cumsum(sizes)]), int(sum(sizes))

    def _cell(self, dataset: np.ndarray, algorithm: np.ndarray, sample: np.ndarray) -> np.ndarray:
        """The number of each run, -1 for runs that are not the study's."""
        d, a = self.datasets.code[dataset], self.algorithms.code[algorithm]
        samples = np.array([self.study["samples"][n] for n in self.datasets.names])
        starts, _ = self._cells()
        inside = (d >= 0) & (a >= 0) & (sample >= 1) & (sample <= samples[d])
        return np.where(inside, starts[d] + (sample - 1) * len(self.algorithms.names) + a, -1)

    def _runs(self, complete: np.ndarray) -> pd.DataFrame:
        """Every run of the study with the record that counts.

        A success counts before a failure, unless it lacks something that the study asks for and the
        failure came later; of several the newest counts.
        """
        of: dict[str, np.ndarray] = {
            name: self.records[name].astype(kind) for name, kind in _RECORD.items()
        }
        cell = self._cell(of["dataset"], of["algorithm"], of["sample"])
        success = _newest(np.where(of["failed"], -1, cell), len(complete))
        failure = _newest(np.where(of["failed"], cell, -1), len(complete))
        done = complete & (success >= 0)
        broken = ~done & (failure > success)
        latest = np.where(broken, failure, success)
        known = latest >= 0
        self.counting = of["id"][latest[known]]
        table = self._grid()
        status = np.select([done, broken], [2, 1], 0)
        table["status"] = pd.Categorical.from_codes(status, categories=[MISSING, FAILED, DONE])
        for name in ("fit_time", "predict_time", "warnings", "finished", "session"):
            column: np.ndarray = np.full(
                len(latest), np.nan if _RECORD[name] is float else 0, _RECORD[name]
            )
            column[known] = of[name][latest[known]]
            table[name] = column
        table["finished"] = pd.to_datetime(table["finished"], unit="s", utc=True)
        return RUNS.shaped(table)

    def _grid(self) -> pd.DataFrame:
        """Every run of the study, in its order."""
        k = len(self.algorithms.names)
        samples = [self.study["samples"][d] for d in self.datasets.names]
        return pd.DataFrame(
            {
                "dataset": self.datasets.column(
                    np.repeat(np.arange(len(samples)), np.multiply(samples, k))
                ),
                "algorithm": self.algorithms.column(np.tile(np.arange(k), sum(samples))),
                "sample": np.concatenate([np.repeat(np.arange(1, s + 1), k) for s in samples]),
            }
        )

    def _scores(self, measures: dict[int, Measure]) -> tuple[pd.DataFrame, np.ndarray]:
        """The scores, and for every run whether it has all that the study asks for."""
        dataset, algorithm, sample, measure, value = self._joined()
        names = [m.name for m in measures.values()]
        code = np.full(max(self.store.measures(), default=0) + 1, -1)
        code[list(measures)] = np.arange(len(measures))
        cell = self._cell(dataset, algorithm, sample)
        known = (cell >= 0) & (code[measure] >= 0)
        place = np.where(known, cell * len(measures) + code[measure], -1)
        _, total = self._cells()
        newest = _newest(place, total * len(measures))
        kept = newest[newest >= 0]
        requests = [n in self.study["measures"] for n in names]
        result = (newest >= 0).reshape(total, len(measures))
        complete = np.asarray(result[:, requests].all(axis=1))
        if "predictions" in self.study["keep"]:
            complete &= self._has_predictions(total)
        self._refuse_impossible(measures, measure[kept], value[kept])
        table = pd.DataFrame(
            {
                "dataset": self.datasets.column(self.datasets.code[dataset[kept]]),
                "algorithm": self.algorithms.column(self.algorithms.code[algorithm[kept]]),
                "sample": sample[kept],
                "measure": pd.Categorical.from_codes(code[measure[kept]], categories=names),
                "value": value[kept],
            }
        )
        return SCORES.shaped(table), complete

    def _joined(self) -> list[np.ndarray]:
        """Of every score: data set, algorithm and sample of its run, measure, value."""
        ids, run = self.records["id"], self.values["run"]
        place = np.minimum(np.searchsorted(ids, run), max(len(ids) - 1, 0))
        known = ids[place] == run if len(ids) else np.zeros(len(run), bool)
        of_run = [self.records[c][place[known]] for c in ("dataset", "algorithm", "sample")]
        return [*of_run, self.values["measure"][known], self.values["value"][known]]

    def _refuse_impossible(
        self, measures: dict[int, Measure], measure: np.ndarray, value: np.ndarray
    ) -> None:
        """Refuse scores that their measure cannot give; rounding may go a little beyond."""
        for number, m in measures.items():
            given, (low, high) = value[measure == number], m.bounds
            beyond = given[(given < low - 1e-9) | (given > high + 1e-9)]
            if len(beyond):
                raise ResultsError(
                    f"The store '{self.store.path}' holds {len(beyond)} scores such as "
                    f"{float(beyond[0]):g} of the measure '{m.name}', which is between {low:g} and "
                    f"{high:g}: 'podium store check {self.store.path} -o NEW.db' saves the others."
                )

    def _has_predictions(self, total: int) -> np.ndarray:
        sql = (
            "SELECT dataset, algorithm, sample FROM runs "
            "WHERE EXISTS (SELECT 1 FROM predictions p WHERE p.run = runs.id)"
        )
        return _newest(self._cell(*self.store.columns(sql, [np.int64] * 3)), total) >= 0

    def _details(self, table: str, columns: str, shape: Any) -> pd.DataFrame:
        """Failures or warnings of the records that count, in the order of the study's runs."""
        rows = self.store.rows(
            f"SELECT runs.dataset, algorithm, sample, {columns}, runs.id FROM {table} "
            f"JOIN runs ON runs.id = {table}.run ORDER BY {table}.rowid"
        )
        frame = pd.DataFrame(rows, columns=[*shape, "record"])
        frame = frame[frame["record"].isin(self.counting)]
        keys = ("dataset", "algorithm", "sample")
        frame["cell"] = self._cell(*(frame[c].to_numpy(np.int64) for c in keys))
        frame = frame.sort_values("cell", kind="stable", ignore_index=True)
        for column, names in (("dataset", self.datasets), ("algorithm", self.algorithms)):
            frame[column] = names.column(names.code[frame[column].to_numpy(np.int64)])
        return frame[list(shape)]


def _newest(place: np.ndarray, total: int) -> np.ndarray:
    """The last row at each of so many places, -1 where none is; rows at -1 are nowhere."""
    values = np.full(total + 1, -1)
    values[place] = np.arange(len(place))  # numpy assigns in order: the last one stays
    return values[:-1]  # the place -1 is the last
