"""Results: the tables of a study's scores, runs, failures and warnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base.errors import ResultsError, require
from podium.core.base.registry import unknown
from podium.core.base.tables import ANSWERS, FITS, HALVINGS, SUMMARY
from podium.core.base.writing import replacing
from podium.core.questions.measures import KNOWN, TIMES, Measure
from podium.core.questions.targets import ITEM
from podium.core.results.linearised import Predicted
from podium.core.samplings import Sampling
from podium.core.words.facts import Note
from podium.core.words.saying import Presented, say, written

# -- how a source was read ------------------------------------------------------------------------
# What each column was taken for, which rows count, what is not used.


DESCRIBED = "described"  # in the design: columns that may say something of data sets
RECOGNISED = "recognised"  # the code of the note that says what a source was taken for
Named = tuple[tuple[str, tuple[str, ...]], ...]  # columns by role, or values by column
BLOCKS = ("item", "fold", "repeat", "seed", "sample", "condition")


@dataclass(frozen=True)
class ReadAs:
    """Roles of columns and rows that count; nothing where the layout of a tool says it all.

    >>> ReadAs(named({"algorithm": ["method"]})).to_dict()["roles"]
    {'algorithm': ['method']}
    """

    roles: Named = ()
    across: tuple[str, ...] = ()  # the role of the columns that hold scores, and these columns
    where: Named = ()  # rows that count: values by column
    without: Named = ()  # rows that do not
    ok: Named = ()  # values of runs that have not failed
    missing: Named = ()  # values that stand for no score
    unused: tuple[tuple[str, str], ...] = ()  # columns, and why they have no role
    records: str = ""  # where in a nested file the rows are
    files: int = 1

    def column(self, *roles: str) -> str:
        """The columns of the first of these roles that has any, joined by +."""
        of = dict(self.roles)
        return next(("+".join(of[r]) for r in roles if r in of), "")

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        across = {"role": self.across[0], "columns": list(self.across[1:])} if self.across else None
        return {
            "roles": _lists(self.roles),
            "across": across,
            "rows": {"only": _lists(self.where), "without": _lists(self.without)},
            "ok": _lists(self.ok),
            "missing": _lists(self.missing),
            "unused": dict(self.unused),
            "records": self.records or None,
            "files": self.files,
        }


def named(of: Mapping[str, Iterable[Any]]) -> Named:
    """Columns by role, or values by column, that do not change.

    >>> named({"split": ["test"]})
    (('split', ('test',)),)
    """
    return tuple((str(k), tuple(map(str, v))) for k, v in of.items())


def _lists(pairs: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, list[str]]:
    return {k: list(v) for k, v in pairs}


def reading_facts(notes: Iterable[Note]) -> dict[str, Any]:
    """How a source was read, for JSON, from the note that says it; nothing where none does."""
    note = next((n for n in notes if n.code == RECOGNISED), None)
    if note is None:
        return {}
    counts = {
        "algorithms": note.algorithms,
        "datasets": len(note.datasets),
        "samples": list(note.samples),
        "failed": note.failed,
        "measures": {name: "higher" if up else "lower" for name, up in note.measures},
    }
    return {"text": say(note), "layout": note.title or None} | counts | note.read_as.to_dict()


# -- results --------------------------------------------------------------------------------------


ITEM_NAMES = "item_names"  # the fact that has them, by sample


@dataclass(frozen=True, eq=False, repr=False)
class Results(Presented):
    """What a study has given so far.

    `scores` is long: dataset, algorithm, sample, measure, value; a missing value is a score that
    is undefined for its sample. `runs` has one row per run of the study: times and status, which is
    done where the run has all that the study asks for, else failed or missing.
    """

    scores: pd.DataFrame
    runs: pd.DataFrame
    failures: pd.DataFrame
    warnings: pd.DataFrame
    sampling: Sampling | None  # None: a table that does not say how its samples were drawn
    measures: Mapping[str, Measure]
    name: str = ""
    population: str = ""
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    provenance: Sequence[Mapping[str, Any]] = ()
    seed: int | None = None  # of the study, where it is known
    notes: Sequence[Note] = ()  # what was recognised in the source, and what to know of it
    stopping: Mapping[str, Any] | None = None  # the plan of a study that may stop
    registered: Mapping[str, Any] | None = None  # versions of its plan, and the study as it is now
    fingerprints: Mapping[str, str] = field(default_factory=dict)  # of data sets, where known
    design: Mapping[str, Any] = field(default_factory=dict)  # frame, roles, development, read_as
    # what single fits said and spent, where a run notes it
    fits: pd.DataFrame = field(default_factory=FITS.empty)
    # scores inside halves of the rows, beside those of the samples; no rows where there are none
    halvings: pd.DataFrame = field(default_factory=HALVINGS.empty)
    # of items with several answers, of which scores are means: how many, and how they vary
    answers: pd.DataFrame = field(default_factory=ANSWERS.empty)
    predictions: Predicted = field(default_factory=Predicted)  # of which other measures can be made

    @property
    def datasets(self) -> list[str]:
        """The data sets, in the study's order."""
        return list(self.runs["dataset"].cat.categories)

    @property
    def algorithms(self) -> list[str]:
        """The algorithms, in the study's order."""
        return list(self.runs["algorithm"].cat.categories)

    @property
    def read_as(self) -> ReadAs:
        """What columns were taken for, where a table was read."""
        return self.design.get("read_as") or ReadAs()

    def missing(self) -> pd.DataFrame:
        """The runs of the study that lack scores, because they failed or were not yet run."""
        gone = self.runs[self.runs["status"] != "done"]
        return gone[["dataset", "algorithm", "sample", "status"]].reset_index(drop=True)

    def filter(
        self,
        *,
        dataset: str | Sequence[str] | None = None,
        algorithm: str | Sequence[str] | None = None,
        measure: str | Sequence[str] | None = None,
    ) -> Results:
        """The results of some data sets, algorithms or measures."""
        wanted = {"dataset": dataset, "algorithm": algorithm, "measure": measure}
        known = {
            "dataset": self.datasets,
            "algorithm": self.algorithms,
            "measure": list(self.measures),
        }
        names = ("scores", "runs", "failures", "warnings", "halvings", "fits", "answers")
        tables = {t: getattr(self, t) for t in names}
        kept = dict(self.measures)
        for column, request in wanted.items():
            if request is None:
                continue
            chosen = [request] if isinstance(request, str) else list(request)
            if not chosen:
                raise ResultsError(f"A filter keeps at least one {column}, not none.")
            for name in chosen:
                if name not in known[column]:
                    raise ResultsError(unknown(column, name, known[column]))
            tables = {t: _narrowed(f, column, chosen) for t, f in tables.items()}
            if column == "measure":
                kept = {m: self.measures[m] for m in chosen}
        return replace(self, measures=kept, **tables)

    def values(self, measure: str) -> pd.DataFrame:
        """Scores of one measure, or times, as a table dataset, algorithm, sample, value."""
        result = self.scores[self.scores["measure"] == measure]
        if len(result) or (measure in self.measures and measure not in TIMES):
            return result[["dataset", "algorithm", "sample", "value"]].reset_index(drop=True)
        if measure in TIMES:
            timed = self.runs[self.runs["fit_time"].notna()]
            times = {
                "fit-time": timed["fit_time"],
                "predict-time": timed["predict_time"],
                "time": timed["fit_time"] + timed["predict_time"],
            }
            table = timed[["dataset", "algorithm", "sample"]].assign(value=times[measure])
            return table.reset_index(drop=True)
        made = TIMES if self.runs["fit_time"].notna().any() else ()
        known = dict.fromkeys([*self.measures, *made])  # a table may have times of its own
        raise ResultsError(unknown("measure of these results", measure, known))

    def measure(self, name: str) -> Measure:
        """What a measure of these results is."""
        return self.measures.get(name) or KNOWN[name]

    def wide(self, measure: str) -> pd.DataFrame:
        """One row per data set and sample, one column per algorithm; failed runs are missing."""
        block = ["dataset", "sample"]
        every = self.runs[[*block, "algorithm"]].merge(self.values(measure), how="left")
        wide = every.pivot(index=block, columns="algorithm", values="value")
        return wide.reset_index(allow_duplicates=True).rename_axis(columns=None)

    def to_pandas(self) -> pd.DataFrame:
        """The scores as a frame with plain text columns."""
        texts = {c: self.scores[c].astype(str) for c in ("dataset", "algorithm", "measure")}
        frame = self.scores.assign(**texts)
        folds = self.sampling is not None and bool(self.sampling.folds_per_repeat)
        crossed = any("training_sets" in f for f in self.facts.values())
        if folds and not crossed and self.sampling is not None:
            place = [self.sampling.repeat_and_fold(int(s)) for s in frame["sample"]]
            frame.insert(3, "repeat", [p[0] for p in place if p])
            frame.insert(4, "fold", [p[1] for p in place if p])
        frame = self._with_items(frame) if crossed else frame
        if crossed and self.sampling is not None and self.sampling.block == ITEM:
            return self._with_factors(frame)
        frame = frame.rename(columns={"sample": "fold"}) if folds and crossed else frame
        return self._with_halvings(frame)

    def _with_factors(self, frame: pd.DataFrame) -> pd.DataFrame:
        """With the condition of every score or, where it is two things, both of them."""
        names = list(dict.fromkeys(n for f in self.facts.values() for n in f.get("factors", {})))
        if not names:
            return frame.rename(columns={"sample": "condition"})
        at = list(zip(self.scores["dataset"], self.scores["sample"] - 1, strict=True))
        place = frame.columns.get_loc("sample")
        frame = frame.drop(columns="sample")
        for name in reversed(names):
            frame.insert(place, name, [self.facts[d]["factors"][name][i] for d, i in at])
        return frame

    def _with_halvings(self, frame: pd.DataFrame) -> pd.DataFrame:
        """With the scores of halvings below the others: halving, side and fold instead of sample.

        >>> made = Results(*[pd.DataFrame()] * 4, None, {})._with_halvings(pd.DataFrame({"a": [1]}))
        >>> list(made.columns)
        ['a']
        """
        if not len(self.halvings):
            return frame
        texts = {c: self.halvings[c].astype(str) for c in ("dataset", "algorithm", "measure")}
        both = pd.concat([frame, self.halvings.assign(**texts)], ignore_index=True)
        places = [c for c in ("sample", "repeat", "fold", "halving", "side") if c in both]
        values = [c for c in both if c in ("measure", "value")]
        first = [c for c in both if c not in (*places, *values)]
        return both[[*first, *places, *values]].astype(dict.fromkeys(places, "Int64"))

    def _with_items(self, frame: pd.DataFrame) -> pd.DataFrame:
        """With training sets as samples and their items."""
        crossed = self.facts
        at = list(zip(frame["dataset"], frame["sample"] - 1, strict=True))
        frame["sample"] = [crossed[d]["training_sets"][i] for d, i in at]
        frame.insert(3, "item", [crossed[d]["items"][i] for d, i in at])
        return frame

    def to_csv(self, path: str | Path | None = None) -> str:
        """The scores as CSV, also written to `path`; every value can be read back exactly."""
        return written(self.to_pandas().to_csv(index=False, lineterminator="\n"), path)

    def to_parquet(self, path: str | Path) -> None:
        """Write the scores as Parquet."""
        require("pyarrow", extra="parquet", purpose="Writing Parquet files")
        with replacing(path) as file:
            self.to_pandas().to_parquet(file, index=False)

    def summary(self) -> pd.DataFrame:
        """Mean, sd, median, maximum, failures and missing runs of every cell and measure."""
        return _summary(self.runs, {m: self.values(m) for m in self.measures})

    def _lines_above(self) -> list[str]:
        states = self.runs["status"].value_counts()
        counts = ", ".join(f"{states.get(s, 0)} {s}" for s in ("done", "failed", "missing"))
        return [
            f"Results of '{self.name}': data sets: {len(self.datasets)}, algorithms: "
            f"{len(self.algorithms)}, {self.sampling or 'sampling not said'}; runs: {counts}."
        ]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"Scores": self.summary()}

    def _facts(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "sampling": None if self.sampling is None else str(self.sampling),
            "datasets": self.datasets,
            "algorithms": self.algorithms,
            "measures": {name: m.direction for name, m in self.measures.items()},
            "summary": self.summary(),
            "warnings": list(self.notes),
        }


def _narrowed(frame: pd.DataFrame, column: str, names: list[str]) -> pd.DataFrame:
    if column not in frame.columns:
        return frame
    kept = frame[frame[column].isin(names)].reset_index(drop=True)
    if isinstance(kept[column].dtype, pd.CategoricalDtype):
        kept[column] = kept[column].cat.set_categories(
            [n for n in kept[column].cat.categories if n in names]
        )
    return kept


# -- the summary ----------------------------------------------------------------------------

CELL = ["dataset", "algorithm"]


def _summary(runs: pd.DataFrame, values: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """One row per data set, algorithm and measure, also where nothing has a score yet.

    `values` holds a table dataset, algorithm, sample, value for each measure. A run is a sample,
    a failure or missing; or its score is undefined, which no column counts.
    """
    full = pd.concat([_of_measure(runs, m, table) for m, table in values.items()])
    for column in CELL:  # joining forgets the study's order
        full[column] = pd.Categorical(full[column], categories=runs[column].cat.categories)
    full["measure"] = pd.Categorical(full["measure"], categories=list(values))
    return SUMMARY.shaped(full.sort_values(["dataset", "measure", "algorithm"], ignore_index=True))


def _of_measure(runs: pd.DataFrame, measure: str, values: pd.DataFrame) -> pd.DataFrame:
    every = runs[[*CELL, "sample", "status"]].merge(values, how="left", indicator="found")
    failed, undone = every["status"] == "failed", every["status"] != "done"
    absent = (every["found"] == "left_only") | (undone & every["value"].isna())
    every = every.assign(failures=absent & failed, missing=absent & ~failed)
    cells = every.groupby(CELL, observed=True)
    table = cells["value"].agg(
        samples="count", mean="mean", sd="std", median="median", maximum="max"
    )
    return table.join(cells[["failures", "missing"]].sum()).reset_index().assign(measure=measure)
