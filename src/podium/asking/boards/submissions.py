"""What somebody submits: files that are read through the usual door, held against the board."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from podium.asking.boards.board import SUBMISSIONS, Board, digest
from podium.asking.boards.contents import PUBLIC, UNITS
from podium.core.base.errors import PodiumError, ResultsError
from podium.core.base.formatting import listed, short
from podium.core.base.places import name_in_folder, place_within
from podium.core.base.writing import make_folder, new_folder, replacing, write_text
from podium.core.results.results import ITEM_NAMES, Results
from podium.core.words.saying import say
from podium.reading.files.tabular import tabular
from podium.reading.formats import read

VERSIONS = (
    "digest",
    "doc_hash",
    "sha256",
    "version",
)  # columns that tell versions of an item apart
LONGEST_NAME = 200  # letters
MOST = 8  # items that a refusal lists
PIECE = 1 << 20


@dataclass(frozen=True, eq=False)
class Reading:
    """What files hold of one measure: name, dataset, unit, value, failed; and versions of units."""

    table: pd.DataFrame
    results: Results
    named: bool
    versions: Mapping[tuple[str, str], str]  # of units, or of whole data sets (with the unit "")
    clusters: Mapping[tuple[str, str], str]
    paths: tuple[Path, ...]

    @property
    def names(self) -> list[str]:
        """The algorithms."""
        return self.results.algorithms


def read_submission(
    source: Any, name: str | None = None, *, measure: str | None = None, **options: Any
) -> Reading:
    """What files hold; a table without algorithms is of the one that is named."""
    paths = _paths(source)
    requests = {key: value for key, value in options.items() if value is not None}
    try:
        results = read(source, measure=measure, **requests)
    except ResultsError as error:
        results = _alone(paths, name, measure, requests) or _raised(error)
    _check_names([name] if name is not None else results.algorithms)
    _check_repeats(results)
    measure = _measure(results, measure)
    names = any(ITEM_NAMES in facts for facts in results.facts.values())
    return Reading(
        _long(results, measure, names),
        results,
        names,
        {**_versions(paths, results), **dict(_drawn_versions(results))},
        dict(_clusters(results)),
        paths,
    )


def _check_names(names: Sequence[str]) -> None:
    for name in names:
        if len(name) > LONGEST_NAME:
            raise ResultsError(
                f"The name '{short(name)}' has {len(name)} letters, and a board lists names of at "
                f"most {LONGEST_NAME}: choose a shorter one, as in --as '{short(name, 20)}'."
            )


def _check_repeats(results: Results) -> None:
    """Refuse files with more answers of some items than of others, as where lines are doubled."""
    for note in results.notes:
        if note.code == "answers-averaged" and note.facts["most"] != note.facts["least"]:
            raise ResultsError(
                f"Some items have {note.facts['most']} answers and others {note.facts['least']}: "
                "give every item as often as the others."
            )


def _paths(source: Any) -> tuple[Path, ...]:
    several = source if isinstance(source, (list, tuple)) else [source]
    return tuple(Path(each) for each in several if isinstance(each, (str, Path)))


def _alone(
    paths: Sequence[Path], name: str | None, measure: str | None, options: Mapping[str, Any]
) -> Results | None:
    """A table of items and scores that names no algorithm; None where it is no such table."""
    if name is None or len(paths) != 1:
        return None
    frame = None
    try:
        frame = tabular(paths[0]).frame
        return read(frame.assign(algorithm=name), measure=measure, **options)
    except PodiumError:
        if frame is not None and frame.shape[1] == 2:  # items and scores: what is wrong with them
            raise
        return None


def _raised(error: Exception) -> NoReturn:
    raise error


def _measure(results: Results, measure: str | None) -> str:
    if measure is not None and measure in results.measures:
        return measure
    if len(results.measures) > 1 or measure is not None:
        names = ", ".join(results.measures)
        first = next(iter(results.measures))
        raise ResultsError(
            f"The scores are of {names}: a board is of one measure. Add --measure {first}."
            if measure is None
            else f"There is no score by '{measure}', which the board is of; there is {names}."
        )
    return next(iter(results.measures))


def _long(results: Results, measure: str, by_name: bool) -> pd.DataFrame:
    if any("training_sets" in facts for facts in results.facts.values()):
        raise ResultsError(
            "A board is of items, of data sets or of samples; these scores are of items under "
            "several prompts, folds or seeds. Average them first."
        )
    runs = results.runs[["dataset", "algorithm", "sample", "status"]]
    table = runs.merge(results.values(measure), how="left")
    for column in ("dataset", "algorithm"):
        table[column] = table[column].astype(str)
    unit = table["sample"].astype(str)
    if by_name:
        names = {d: np.array(f[ITEM_NAMES], object) for d, f in results.facts.items()}
        unit = pd.Series([names[d][i - 1] for d, i in zip(table["dataset"], table["sample"],
                                                          strict=True)])  # fmt: skip
    if not table.groupby("dataset")["sample"].nunique().gt(1).any():
        unit = pd.Series("", index=table.index)  # one score of each data set
    table = table.assign(unit=unit.to_numpy(), failed=(table["status"] == "failed").to_numpy())
    table = table[(table["status"] != "missing") & (table["value"].notna() | table["failed"])]
    return table.rename(columns={"algorithm": "name"})[
        ["name", "dataset", "unit", "value", "failed"]
    ].reset_index(drop=True)


def _clusters(results: Results) -> Iterator[tuple[tuple[str, str], str]]:
    for name, facts in results.facts.items():
        if "clusters" in facts and ITEM_NAMES in facts:
            labels = zip(facts[ITEM_NAMES], facts["clusters"], strict=True)
            yield from (((name, item), str(cluster)) for item, cluster in labels)


def _versions(paths: Sequence[Path], results: Results) -> dict[tuple[str, str], str]:
    """The digests of items, where a table has a column of them."""
    if len(paths) != 1 or not paths[0].is_file() or len(results.datasets) != 1:
        return {}
    try:
        frame = tabular(paths[0]).frame
    except PodiumError:
        return {}
    column = next((c for c in frame.columns if str(c).strip().lower() in VERSIONS), None)
    names = results.facts.get(results.datasets[0], {}).get(ITEM_NAMES, ())
    known = {str(name) for name in names}
    items = [c for c in frame.columns if known and {*frame[c].astype(str).str.strip()} == known]
    if column is None or not items:
        return {}
    pairs = frame[[items[0], column]].astype(str).drop_duplicates()
    if pairs[items[0]].duplicated().any():
        raise ResultsError(
            f"'{paths[0]}': an item has two versions in the column '{column}'. Give one version."
        )
    texts = pairs.apply(lambda cells: cells.str.strip())
    return {(results.datasets[0], item): mark for item, mark in texts.itertuples(index=False)}


def _drawn_versions(results: Results) -> Iterator[tuple[tuple[str, str], str]]:
    """Of data sets in a results file: content, and how and by which seed samples were drawn."""
    for name, fingerprint in results.fingerprints.items():
        drawn = f"{fingerprint} {results.sampling} {results.seed}"
        yield (name, ""), digest(drawn)[:16]


# -- what a board asks for ------------------------------------------------------------------------


def units_of(reading: Reading) -> pd.DataFrame:
    """The units of a new board: what all algorithms of its first files have."""
    table = reading.table
    count = table.groupby(["dataset", "unit"], sort=False)["name"].nunique()
    lacking = count[count < len(reading.names)]
    if len(lacking):
        missing = [_unit(*key) for key in lacking.index]
        raise ResultsError(
            f"Not all of {listed(reading.names, 5)} have a score of {listed(missing, MOST)}: a "
            "board starts with submissions that are whole. Leave some out, or complete them."
        )
    units = count.reset_index()[["dataset", "unit"]]
    keys = list(zip(units["dataset"], units["unit"], strict=True))
    several = units["dataset"].nunique() > 1
    return units.assign(
        key=[_key(*key, several=several) for key in keys],
        digest=[reading.versions.get(k) or reading.versions.get((k[0], ""), "") for k in keys],
        cluster=[reading.clusters.get(key, "") for key in keys],
        part=PUBLIC,
    )[UNITS]


def _key(dataset: str, unit: str, *, several: bool) -> str:
    return f"{dataset} / {unit}" if several and unit else unit or dataset


def _unit(dataset: str, unit: str) -> str:
    return f"{unit} of {dataset}" if unit and not unit.isdigit() else (
        f"{dataset}, sample {unit}" if unit else dataset)  # fmt: skip


def held_against(reading: Reading, board: Board) -> Reading:
    """The reading with the board's name of a single data set, or a refusal with what is wrong."""
    table, units = reading.table, board.units
    own = list(dict.fromkeys(units["dataset"]))
    versions = dict(reading.versions)
    if len(own) == 1 and table["dataset"].nunique() == 1:  # often the name of a file
        table = table.assign(dataset=own[0])
        versions = {(own[0], unit): mark for (_, unit), mark in versions.items()}
    wanted = {*zip(units["dataset"], units["unit"], strict=True)}
    several = len(own) > 1
    noun = _noun(board)
    names = list(dict.fromkeys(table["name"]))
    names = names if len(names) == len(reading.names) else reading.names  # one has no score at all
    for name in names:
        rows = table[table["name"] == name]
        have = {*zip(rows["dataset"], rows["unit"], strict=True)}
        texts = [
            f"{what} {_counted(which, noun, several)}"
            for what, which in (
                ("lacks", [key for key in _ordered(units) if key not in have]),
                ("has", sorted(have - wanted)),
            )
            if which
        ]
        if texts:
            known = " and ".join(texts)
            tail = " that the board does not have" if "has" in texts[-1][:4] else ""
            raise ResultsError(
                f"'{name}' {known}{tail}: a submission has the {len(wanted)} {noun} of the board "
                "and no others."
            )
    _refuse_versions(versions, units, several, noun)
    if board.rules.binary and not table["value"].dropna().isin((0, 1)).all():
        raise ResultsError("The scores of this board are 0 or 1, and some of these are not.")
    low, high = board.rules.measure.bounds
    if ((table["value"] < low) | (table["value"] > high)).any():
        raise ResultsError(f"Some scores are not between {low:g} and {high:g}, as the board asks.")
    return Reading(table, reading.results, reading.named, versions, reading.clusters, reading.paths)


def _counted(keys: Sequence[tuple[str, str]], noun: str, several: bool) -> str:
    """So many items, and the first of them."""
    names = [_key(*key, several=several) for key in keys]
    return f"{len(keys)} {noun if len(keys) > 1 else noun[:-1]} ({listed(names, MOST)})"


def _ordered(units: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(units["dataset"], units["unit"], strict=True))


def _noun(board: Board) -> str:
    if board.rules.named:
        return "items"
    return "data sets" if (board.units["unit"] == "").all() else "samples"


def _refuse_versions(
    versions: Mapping[tuple[str, str], str], units: pd.DataFrame, several: bool, noun: str
) -> None:
    """Refuse units whose digests are not those of the board."""
    other = [
        _key(row.dataset, row.unit, several=several)
        for row in units.itertuples()
        if row.digest
        and (mark := versions.get((row.dataset, row.unit)) or versions.get((row.dataset, "")))
        and mark != row.digest
    ]
    if other:
        raise ResultsError(
            f"{len(other)} {noun} come from another version ({listed(other, MOST)}): their digests "
            "are not those of the board, so content, sampling or seed differ. Evaluate on the "
            "board's version."
        )


# -- keeping --------------------------------------------------------------------------------------


MOST_KEPT = 2 * 1024**3  # bytes of the files of a submission


def keep(board: Path, number: int, reading: Reading) -> dict[str, Any]:
    """Keep files as they came, their scores and how they were read; the ledger's facts of them.

    All of it is there afterwards, or nothing.
    """
    table = reading.table
    text = table.drop(columns="failed").to_csv(index=False, lineterminator="\n")
    folder = _free_name(board / SUBMISSIONS, f"{number:04d}-{digest(text)[:8]}")
    message = json.dumps(_messages(reading), indent=2, ensure_ascii=False) + "\n"
    files = dict(_files(reading.paths))
    _check_size(files)
    with new_folder(place_within(board, SUBMISSIONS, folder)) as place:
        make_folder(place / "files")
        marks = {at: _copied(path, place_within(place / "files", at)) for at, path in files.items()}
        write_text(message, place / "reading.json")
        write_text(text, place / "scores.csv")
    return {"folder": folder, "files": marks, "scores": digest(text), "reading": digest(message)}


def _free_name(folder: Path, name: str) -> str:
    """A name that is not taken; what no line of the ledger knows stays where it is."""
    names = (f"{name}-{count}" if count > 1 else name for count in itertools.count(1))
    return next(each for each in names if not os.path.lexists(folder / each))


def _files(paths: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """All files, under names of their own; a link that leads out of its folder is refused."""
    for i, path in enumerate(paths):
        own = name_in_folder(path)
        start = f"{i + 1}-{own}" if len(paths) > 1 else own
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                if each.is_file():
                    inside = each.relative_to(path).as_posix()
                    yield f"{start}/{inside}", place_within(path, inside)
        else:
            yield start, path
            log = path.with_name(f"{own}-wal")  # of a results file that is in use
            if log.is_file():
                yield f"{start}-wal", log


def _check_size(files: Mapping[str, Path]) -> None:
    size = sum(path.stat().st_size for path in files.values())
    if size > MOST_KEPT:
        raise ResultsError(
            f"The {len(files)} files of this submission have {size / 1e9:.1f} GB, and a board "
            f"keeps at most {MOST_KEPT >> 30} GB of each: submit the scores alone."
        )


def _copied(path: Path, to: Path) -> str:
    made = hashlib.sha256()
    make_folder(to.parent)
    with path.open("rb") as source, replacing(to) as file:
        while piece := source.read(PIECE):
            made.update(piece)
            file.write(piece)
    return made.hexdigest()


def _messages(reading: Reading) -> dict[str, Any]:
    results = reading.results
    return {
        "sources": [str(path) for path in reading.paths],
        "name": results.name,
        "sampling": None if results.sampling is None else str(results.sampling),
        "measures": list(results.measures),
        "algorithms": results.algorithms,
        "datasets": results.datasets,
        "notes": [{"code": note.code, "text": say(note)} for note in results.notes],
    }
