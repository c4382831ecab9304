"""Data sets drawn from a catalogue, the sampling frame, and disjoint parts of a large one.

Who says which data sets could have been taken, and takes some of them by lot, may speak of all of
them; who picks them by hand speaks of those (boulesteix2013, section 2).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import DesignError
from podium.core.base.options import is_whole
from podium.core.base.registry import unknown
from podium.core.words.notes.of_results import frame_lines, unknown_value
from podium.core.words.saying import Presented, written
from podium.running.design.data.characteristics import CHARACTERISTICS, characteristics
from podium.running.design.data.datasets import Dataset
from podium.running.design.data.identity import stream
from podium.running.design.data.sources import all_from_source, read_table

NAME, SOURCE = "name", "source"
NAMES = (NAME, "dataset", "data")  # what the column of names is called
AND = re.compile(r"\s+and\s+")
CRITERION = re.compile(r"\s*([\w.\- ]+?)\s*(>=|<=|==|!=|=|<|>|\bin\b)\s*(.+?)\s*")
HOLDS = {
    ">=": np.greater_equal,
    "<=": np.less_equal,
    ">": np.greater,
    "<": np.less,
    "=": np.equal,
    "==": np.equal,
    "!=": np.not_equal,
}
QUALITIES = {  # of OpenML: as characteristics are called here, and what to do with the number
    "NumberOfInstances": ("n", 0.0, 1.0),
    "NumberOfFeatures": ("p", -1.0, 1.0),  # the target is one of them
    "NumberOfClasses": ("classes", 0.0, 1.0),
    "MajorityClassPercentage": ("majority_share", 0.0, 0.01),
    "MinorityClassPercentage": ("minority_share", 0.0, 0.01),
    "PercentageOfMissingValues": ("missing_share", 0.0, 0.01),
    "PercentageOfInstancesWithMissingValues": ("incomplete_share", 0.0, 0.01),
}


@dataclass(frozen=True)
class Criterion:
    """What a data set must have to be eligible, as `n >= 500`, `task = classification`."""

    text: str
    column: str
    sign: str
    value: str

    @classmethod
    def of(cls, text: Any) -> Criterion:
        """From its text."""
        match = CRITERION.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise DesignError(
                f"A criterion is written as 'n >= 500', 'classes = 2' or 'task in regression, "
                f"density', not {text!r:.60}."
            )
        return cls(" ".join(text.split()), match[1], match[2], match[3])

    def holds(self, values: pd.Series) -> np.ndarray:
        """Of every data set whether it has it; nothing is true of a value that is not known."""
        several = [part.strip() for part in self.value.split(",")]
        if self.sign == "in":
            return np.asarray(values.astype(str).isin(several)) & ~values.isna().to_numpy()
        numbers = pd.to_numeric(values, errors="coerce").to_numpy(float)
        try:
            wanted = float(self.value)
        except ValueError:
            return self._texts(values)
        with np.errstate(invalid="ignore"):
            return np.asarray(HOLDS[self.sign](numbers, wanted)) & ~np.isnan(numbers)

    def _texts(self, values: pd.Series) -> np.ndarray:
        if self.sign not in ("=", "==", "!="):
            raise DesignError(
                f"The criterion '{self.text}' compares with a text: write = or !=, or a number."
            )
        alike = (values.astype(str) == self.value).to_numpy()
        return np.asarray(alike if self.sign != "!=" else ~alike) & ~values.isna().to_numpy()


def _each(text: Any) -> list[Any]:
    """The criteria that one text joins by "and"; where a part is none, the word is of a name."""
    parts = AND.split(text) if isinstance(text, str) else [text]
    whole = all(isinstance(part, str) and CRITERION.fullmatch(part) for part in parts)
    return parts if whole else [text]


@dataclass(frozen=True, eq=False, repr=False)
class Frame(Presented):
    """A draw of data sets from those of a catalogue that are eligible.

    Attributes
    ----------
    table : the catalogue, with `state`: drawn, not drawn, or the criterion that it fails.
    drawn : their names, in the order of the draw.
    development : those of them on which choices are made; claims rest on the others.
    """

    catalogue: str
    mark: str  # of the catalogue's content
    table: pd.DataFrame
    criteria: tuple[str, ...]
    drawn: tuple[str, ...]
    seed: int
    development: tuple[str, ...] = ()
    folder: Path = field(default=Path())

    @property
    def lost(self) -> dict[str, int]:
        """How many data sets each criterion took away, one after the other."""
        return {c: int((self.table["state"] == c).sum()) for c in self.criteria}

    @property
    def there(self) -> int:
        """Data sets in the catalogue."""
        return len(self.table)

    @property
    def eligible(self) -> int:
        """Those that meet all criteria."""
        return self.there - sum(self.lost.values())

    def entries(self) -> list[dict[str, Any]]:
        """The drawn data sets as a study file describes them."""
        rows = self.table.set_index(NAME, drop=False)
        keys = [k for k in (NAME, SOURCE, "target", "task") if k in rows]
        if SOURCE not in keys:
            raise DesignError(
                f"The catalogue '{self.catalogue}' has no column 'source' (file:x.csv, openml:61), "
                "so its data sets cannot be had: add it."
            )
        entries = [{k: rows.at[name, k] for k in keys} for name in self.drawn]
        return [{k: v for k, v in one.items() if pd.notna(v) and str(v)} for one in entries]

    def datasets(self) -> list[Any]:
        """The drawn data sets themselves."""
        return [d for entry in self.entries() for d in _loaded(entry, self.folder)]

    def definition(self) -> dict[str, Any]:
        """What a store keeps of it."""
        kept = {"catalogue": self.catalogue, "mark": self.mark, "seed": self.seed}
        counts = {"there": self.there, "eligible": self.eligible, "lost": self.lost}
        return {**kept, **counts, "drawn": list(self.drawn)}

    def _lines_above(self) -> list[str]:
        counts = (self.there, self.eligible, len(self.drawn))
        return frame_lines(self.catalogue, counts, self.lost, self.seed, self.development)

    def _tables(self) -> dict[str, pd.DataFrame]:
        drawn = self.table.set_index(NAME).loc[list(self.drawn)].reset_index()
        stages = ["development" if n in self.development else "confirmation" for n in self.drawn]
        shown = drawn.drop(columns="state")
        return {"Drawn": shown.assign(stage=stages) if self.development else shown}

    def to_csv(self, path: str | Path | None = None) -> str:
        """The data sets that were drawn as CSV, with all digits of the catalogue."""
        return written(self._tables()["Drawn"].to_csv(index=False, lineterminator="\n"), path)

    def _facts(self) -> dict[str, Any]:
        more = {"criteria": self.criteria, "development": self.development, "table": self.table}
        return {**self.definition(), **more, "warnings": []}


def frame(
    catalogue: Any,
    *,
    where: str | Sequence[str] = (),
    draw: int | None = None,
    seed: int = 1,
    development: int = 0,
    folder: str | Path = ".",
) -> Frame:
    """Data sets drawn by lot from those of a catalogue that meet all criteria.

    Parameters
    ----------
    catalogue : a CSV file or a frame with one row per data set: name, source where it comes from
        (as in a study file), and characteristics; or what OpenML lists as JSON (data/list,
        task/list, or a suite).
    where : criteria on its columns, as `n >= 500` or `n >= 500 and classes = 2`. Characteristics
        that it lacks are computed from the data themselves.
    draw : how many; all that are eligible where it is left out.
    seed : of the draw, which does not depend on the order of the catalogue.
    development : how many of them are for choices; claims rest on the others.
    folder : that sources are relative to.
    """
    table, name, mark = _catalogue(catalogue, Path(folder))
    wording = [where] if isinstance(where, str) else where
    criteria = [Criterion.of(part) for text in wording for part in _each(text)]
    table = _with_characteristics(table, criteria, Path(folder), name)
    state = pd.Series("", index=table.index, dtype=object)
    for criterion in criteria:
        gone = (state == "").to_numpy() & ~criterion.holds(table[criterion.column])
        state[gone] = criterion.text
    eligible = sorted(table.loc[state == "", NAME])
    drawn = _drawn(eligible, draw, seed, name, development)
    state[state == ""] = "not drawn"
    state[table[NAME].isin(drawn).to_numpy()] = "drawn"
    texts = tuple(dict.fromkeys(c.text for c in criteria))
    return Frame(
        name, mark, table.assign(state=state), texts, tuple(drawn), seed,
        tuple(drawn[:development]), Path(folder),
    )  # fmt: skip


def _drawn(
    eligible: list[str], draw: int | None, seed: int, name: str, development: int
) -> list[str]:
    for what, value, least in (("seed", seed, 0), ("development", development, 0),
                               ("draw", 1 if draw is None else draw, 1)):  # fmt: skip
        if not is_whole(value, least):
            raise DesignError(f"'{what}' of a frame is a whole number from {least}, not {value!r}.")
    count = len(eligible) if draw is None else draw
    if not eligible:
        raise DesignError(f"No data set of '{name}' meets all criteria: ask for less.")
    if count > len(eligible):
        raise DesignError(
            f"{count} data sets cannot be drawn: {len(eligible)} of '{name}' are eligible. Draw at "
            "most as many, or ask for less by criteria."
        )
    if development >= count and development:
        raise DesignError(
            f"{development} of {count} data sets for development leave none to claim from: say "
            "fewer."
        )
    order = stream(seed, "frame").permutation(len(eligible))
    return [eligible[i] for i in order[:count]]


# -- catalogues -----------------------------------------------------------------------------------


def _catalogue(given: Any, folder: Path) -> tuple[pd.DataFrame, str, str]:
    """The table of a catalogue with a column of names, what it is called, and its mark."""
    if isinstance(given, (str, Path)):
        path = folder / given
        name = path.name
        table = (
            _of_openml(path)
            if path.suffix.lower() == ".json"
            else read_table(path, "The catalogue")
        )
    elif isinstance(given, pd.DataFrame):
        table, name = given, "a table"
    else:
        raise DesignError(f"A catalogue is a file or a frame, not {given!r:.60}.")
    if not len(table):
        raise DesignError(f"The catalogue '{name}' has no data set.")
    called = next((c for n in NAMES for c in table if str(c).strip().lower() == n), None)
    if called is None:
        raise DesignError(f"The catalogue '{name}' needs a column 'name' of its data sets.")
    table = table.rename(columns={called: NAME}).reset_index(drop=True)
    table[NAME] = table[NAME].astype(str).str.strip()
    again = table[NAME][table[NAME].duplicated() | (table[NAME] == "")]
    if len(again):
        raise DesignError(
            f"The catalogue '{name}' needs a name of its own for every data set; "
            f"'{again.iloc[0]}' is not."
        )
    for column in table.columns.difference([NAME, SOURCE, "target", "task"]):
        numbers = pd.to_numeric(table[column], errors="coerce")
        if numbers.notna().sum() == (table[column].notna() & (table[column] != "")).sum():
            table[column] = numbers
    content = table.sort_values(NAME).to_csv(index=False)
    return table, name, hashlib.sha256(content.encode()).hexdigest()[:16]


def _of_openml(path: Path) -> pd.DataFrame:
    """What OpenML lists: data sets or tasks with qualities, or the numbers of a suite."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DesignError(f"There is no catalogue '{path}'.") from None
    except (OSError, ValueError):
        raise DesignError(f"The catalogue '{path}' is no JSON that can be read.") from None
    rows = list(_listed(content))
    if not rows:
        raise DesignError(
            f"The catalogue '{path}' lists no data sets as OpenML does: it needs what data/list, "
            "task/list or study/N gives as JSON."
        )
    return pd.DataFrame(rows)


def _listed(content: Any) -> Iterator[dict[str, Any]]:
    content = content if isinstance(content, dict) else {}
    for one in _within(content, "data", "dataset"):
        yield _described(one, f"openml:{one.get('did')}", one.get("did"))
    for one in _within(content, "tasks", "task"):
        yield _described(one, f"openml:task/{one.get('task_id')}", one.get("task_id"))
    study = content.get("study", {})
    numbers = _within(study, "tasks", "task_id") if isinstance(study, dict) else []
    for number in numbers:
        yield {NAME: f"task-{number}", SOURCE: f"openml:task/{number}"}


def _within(content: Mapping[str, Any], outer: str, inner: str) -> list[Any]:
    part = content.get(outer)
    result = part.get(inner, []) if isinstance(part, dict) else []
    return result if isinstance(result, list) else []


def _described(one: Mapping[str, Any], source: str, number: Any) -> dict[str, Any]:
    """A row: OpenML's own qualities, and characteristics by the names that they have here."""
    raw = {q.get("name"): q.get("value") for q in one.get("quality", []) if isinstance(q, dict)}
    row: dict[str, Any] = {NAME: f"{one.get('name', 'data')}-{number}", SOURCE: source}
    for quality, value in raw.items():
        row[str(quality)] = value
        known, more, times = QUALITIES.get(str(quality), ("", 0.0, 1.0))
        if known:
            row[known] = (float(str(value)) + more) * times
    return row


# -- characteristics that a catalogue lacks -------------------------------------------------------


def _with_characteristics(
    table: pd.DataFrame, criteria: Sequence[Criterion], folder: Path, name: str
) -> pd.DataFrame:
    """The catalogue with what criteria ask for, computed where it lacks it."""
    lacking = [c.column for c in criteria if c.column not in table]
    for column in lacking:
        if column not in CHARACTERISTICS or SOURCE not in table:
            known = [str(c) for c in table.columns] + (list(CHARACTERISTICS) * (SOURCE in table))
            raise DesignError(
                unknown(f"column of the catalogue '{name}'", column, dict.fromkeys(known))
            )
    if not lacking:
        return table
    facts = [_characteristics(row, folder) for row in table.to_dict("records")]
    return table.assign(**{c: [one.get(c) for one in facts] for c in dict.fromkeys(lacking)})


def _characteristics(row: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    entry = {k: row[k] for k in (NAME, SOURCE, "target", "task") if k in row and pd.notna(row[k])}
    data = _loaded({k: v for k, v in entry.items() if str(v)}, folder)
    if len(data) != 1:
        raise DesignError(unknown_value(str(row[NAME])))
    return characteristics(data[0])


def _loaded(entry: Mapping[str, Any], folder: Path) -> list[Any]:
    if SOURCE not in entry:
        raise DesignError(f"The data set '{entry[NAME]}' of the catalogue has no source: add it.")
    options = {k: v for k, v in entry.items() if k not in (NAME, SOURCE)}
    return all_from_source(str(entry[NAME]), str(entry[SOURCE]), folder=folder, **options)


# -- parts of data --------------------------------------------------------------------------------
# Disjoint parts of a large data set, each as a data set of its own.


def subsamples(data: Dataset, parts: int, size: int, *, seed: int = 1) -> list[Dataset]:
    """So many disjoint random parts of a data set, of so many rows each, called `NAME 1`, ...

    They are samples of one distribution: `podium.surveys.true_differences` then tells the variance
    of true differences from the error of their estimates (boulesteix2013, equation 4).
    """
    for what, value in (("parts", parts), ("size", size)):
        if not is_whole(value, 1):
            raise DesignError(f"'{what}' is a whole number from 1, not {value!r}.")
    if parts * size > data.n:
        raise DesignError(
            f"The data set '{data.name}' has {data.n} rows: {parts} parts of {size} need "
            f"{parts * size}. Ask for fewer or smaller ones."
        )
    rows = stream(seed, "subsamples", data.name).permutation(data.n)[: parts * size]
    return [
        _part(data, f"{data.name} {i}", np.sort(own))
        for i, own in enumerate(rows.reshape(parts, size), 1)
    ]


def _part(data: Dataset, name: str, rows: np.ndarray) -> Dataset:
    X = data.X[rows] if isinstance(data.X, np.ndarray) else data.X.iloc[rows].reset_index(drop=True)
    groups = None if data.groups is None else data.groups[rows]
    return replace(data, name=name, X=X, y=data.y[rows], n_test=0, groups=groups)
