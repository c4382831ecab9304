"""A board: a folder with what a submission must contain, submissions, and a ledger in which all is
chained.

board.toml         name, kind, measure, direction, level, how scores are shown
units-1.csv        the items or data sets, with their digests; units-2.csv after a renewal
lot-1.csv          of a sealed board: their order by lot, signed; those at its end are sealed
submissions/       one folder per call of `add`: the files, their scores, how they were read
ledger.jsonl       what happened, line by line
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.boards.contents import (
    ALL,
    ASKED,
    NEW,
    RENEWED,
    SEALED,
    SUBMITTED,
    WITHDRAWN,
    YES,
    check_lines,
    check_plan,
    find_odd_line,
    read_rules,
    read_scores,
    read_units,
    refusal,
)
from podium.asking.boards.questions import Budget
from podium.asking.queues.queues import Queue, read_queue
from podium.core.base.errors import ResultsError, StoreError
from podium.core.base.places import place_within
from podium.core.base.tables import FAILURES, RUNS, SCORES, WARNINGS
from podium.core.base.writing import append_lines
from podium.core.questions.measures import Measure
from podium.core.results.results import ITEM_NAMES, Results
from podium.core.samplings import Sampling
from podium.core.samplings import parse as parse_sampling
from podium.reading.files.tabular import tabular
from podium.reading.recipes.recipe import toml_value
from podium.reading.store.store_file import locked

# -- A ledger -------------------------------------------------------------------------------------
# A file to which lines are added, each chained to the one before it by its hash.
#
# Nothing in it is ever rewritten. A line that was changed, removed or put elsewhere breaks the
# chain, and whoever noted the last hash also sees that lines at the end were taken away.


WAITING = 60.0  # seconds for somebody else who adds
PAUSE = 0.05
OWN = ("number", "time", "previous", "hash")  # what the ledger itself adds to an entry
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Broken:
    """The first line that is not as it was written, and why."""

    line: int
    reason: str


@dataclass(frozen=True)
class Ledger:
    """The lines of a ledger, as far as they are chained."""

    path: Path
    entries: tuple[Entry, ...]
    broken: Broken | None = None

    @property
    def head(self) -> str:
        """The hash of the last line; note it, and no line can be taken away unseen."""
        return str(self.entries[-1]["hash"]) if self.entries else ""

    def of(self, *events: str) -> list[Entry]:
        """The entries of these events."""
        return [entry for entry in self.entries if entry["event"] in events]


def digest(content: bytes | str) -> str:
    """SHA-256 in letters."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def read_ledger(path: str | Path) -> Ledger:
    """The ledger, up to the first line that is not as it was written."""
    entries: list[Entry] = []
    previous = ""
    for number, line in enumerate(_lines(Path(path)), 1):
        reason = _reason(line, number, previous)
        if isinstance(reason, str):
            return Ledger(Path(path), tuple(entries), Broken(number, reason))
        entries.append(reason)
        previous = str(reason["hash"])
    return Ledger(Path(path), tuple(entries))


def checked(ledger: Ledger) -> Ledger:
    """The ledger, where its chain is whole."""
    if ledger.broken is not None:
        raise StoreError(
            f"'{ledger.path}', line {ledger.broken.line}: {ledger.broken.reason}. Take the file "
            "from a copy; nothing is added to a ledger that was changed."
        )
    return ledger


def _lines(path: Path) -> list[str]:
    """The finished lines; what a kill has left of another one was never answered."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return []
    return text.split("\n")[:-1]


def _reason(line: str, number: int, previous: str) -> Entry | str:
    """The entry of a line, or what is wrong with it."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    if not isinstance(entry, dict) or not {*OWN, "event"} <= {*entry}:
        return "it is no entry of a ledger"
    if _hash(entry) != entry["hash"]:
        return "it was changed after it was written"
    if entry["previous"] != previous or entry["number"] != number:
        return "a line before it was removed, added or moved"
    return entry


def _hash(entry: Mapping[str, Any]) -> str:
    content = {name: value for name, value in entry.items() if name != "hash"}
    return digest(json.dumps(content, sort_keys=True, ensure_ascii=True))


@contextlib.contextmanager
def writing(path: str | Path, waiting: float = WAITING) -> Iterator[Writer]:
    """The one who may add to a ledger meanwhile; others wait, and are told when they waited long.

    The system lets go of the lock when its holder ends, however it ends.
    """
    until = time.monotonic() + waiting
    while (handle := locked(Path(path))) is None:
        if time.monotonic() > until:
            raise StoreError(
                f"Another process has been adding to '{path}' for {waiting:g} s. Wait until it "
                "has ended, and try again."
            )
        time.sleep(PAUSE)
    with handle:
        yield Writer(checked(read_ledger(path)))


@dataclass
class Writer:
    """Adds entries to a ledger that is locked."""

    ledger: Ledger

    def add(self, entries: Sequence[Mapping[str, Any]]) -> Ledger:
        """Add entries, all or none, and bring them to the disk."""
        made: list[Entry] = []
        previous, now = self.ledger.head, datetime.now(UTC).isoformat(timespec="seconds")
        for number, entry in enumerate(entries, len(self.ledger.entries) + 1):
            own = {"number": number, "time": now, **entry, "previous": previous}
            made.append(own | {"hash": _hash(own)})
            previous = made[-1]["hash"]
        append_lines([json.dumps(entry, ensure_ascii=True) for entry in made], self.ledger.path)
        self.ledger = Ledger(self.ledger.path, (*self.ledger.entries, *made))
        return self.ledger


# -- A board --------------------------------------------------------------------------------------
# A folder with what a submission must contain, submissions as they came, and a ledger.
#
# board.toml name, kind, measure, direction, level, how scores are shown units-1.csv the items or
# data sets, with their digests; units-2.csv after a renewal lot-1.csv of a sealed board: their
# order by lot, signed; those at its end are sealed submissions/ one folder per call of `add`:
# the files, their scores, how they were read ledger.jsonl what happened, line by line


BOARD, LEDGER, SUBMISSIONS = "board.toml", "ledger.jsonl", "submissions"


@dataclass(frozen=True)
class Rules:
    """What is said in board.toml, once."""

    name: str
    kind: str
    measure: Measure
    sampling: str  # empty where units are data sets with one score each
    alpha: float = 0.05
    scores: str = ALL  # how those of the public part are shown
    questions: int = 0  # the most that the sealed part answers
    named: bool = False  # units have names, as items do; others are numbered
    binary: bool = False  # all scores are 0 or 1

    def to_toml(self) -> str:
        """As board.toml has it."""
        m = self.measure
        facts: dict[str, Any] = {
            "name": self.name,
            "kind": self.kind,
            "measure": m.name,
            "higher_is_better": m.higher_is_better,
            "bounds": [None if math.isinf(end) else float(end) for end in m.bounds],
            "sampling": self.sampling,
            "alpha": self.alpha,
            "scores": self.scores,
            "questions": self.questions,
            "named": self.named,
            "binary": self.binary,
        }
        if None in facts["bounds"]:
            facts.pop("bounds")
        return "".join(f"{name} = {toml_value(value)}\n" for name, value in facts.items())

    @classmethod
    def of_toml(cls, text: str, path: Path) -> Rules:
        """From board.toml."""
        facts = read_rules(text, path)
        low, high = facts.pop("bounds", (-math.inf, math.inf))
        measure = Measure(facts.pop("measure"), facts.pop("higher_is_better"), (low, high))
        return cls(measure=measure, **facts)


@dataclass(frozen=True, eq=False)
class Board:
    """A board as it is now; every verb makes another one."""

    folder: Path
    rules: Rules
    ledger: Ledger
    units: pd.DataFrame  # the columns UNITS, and whether each is sealed
    lot: str = ""  # the signature of the draw

    @property
    def submissions(self) -> list[Entry]:
        """The entries of submissions, in the order in which they came."""
        return self.ledger.of(SUBMITTED)

    @property
    def names(self) -> list[str]:
        """Of the submissions, also of those that were withdrawn."""
        return [str(entry["name"]) for entry in self.submissions]

    @cached_property
    def withdrawn(self) -> Mapping[str, Entry]:
        """The lines by which submissions were withdrawn, by their names."""
        return {str(entry["name"]): entry for entry in self.ledger.of(WITHDRAWN)}

    @property
    def is_sealed(self) -> bool:
        """Whether a part of it answers questions only."""
        return self.rules.kind == SEALED

    @property
    def life(self) -> list[Entry]:
        """The entries since the last renewal."""
        entries = list(self.ledger.entries)
        starts = [i for i, entry in enumerate(entries) if entry["event"] in (NEW, RENEWED)]
        return entries[starts[-1] :]

    @property
    def budget(self) -> Budget:
        """The questions of the sealed part since the last renewal."""
        request = sum(entry["event"] == ASKED for entry in self.life)
        return Budget(self.rules.alpha, request, self.rules.questions)

    @property
    def best(self) -> str:
        """Of a sealed board: the best so far, which the sealed part confirmed.

        Where it was withdrawn, the one confirmed before; where none is left, the best by score.
        """
        answered = [str(e["name"]) for e in self.ledger.of(ASKED) if e["answer"] == YES]
        confirmed = [str(self.ledger.of(NEW)[0]["best"]), *answered]
        left = [name for name in confirmed if name not in self.withdrawn]
        return left[-1] if left else self._best_by_score()

    def _best_by_score(self) -> str:
        """The first of the submissions whose scores are shown; empty where there is none."""
        scores = self.rules.measure.sign * self.scores[self.ranked()]
        return str(scores.idxmax()) if len(scores) else ""

    def released(self, entry: Entry) -> bool:
        """Whether the score of a submission is shown."""
        return bool(entry["shown"].get("released", True))

    # -- scores ---------------------------------------------------------------------------------

    @property
    def values(self) -> pd.DataFrame:
        """Units x submissions; failed runs have the worst score that the measure knows."""
        return self._values[1]

    def failed(self, name: str) -> int:
        """How many public units of a submission failed."""
        return int(self._values[0].loc[self.of_part(sealed=False), name].isna().sum())

    @cached_property
    def _values(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Units x submissions as they came, and with the worst score where a run failed.

        NaN are those of a submission from before a renewal, or that failed as a whole.
        """
        kept = [*self.submissions, *(e["kept"] for e in self.ledger.of(RENEWED))]
        folders = dict.fromkeys((e["folder"], e["scores"]) for e in kept)
        tables = [self._scores(*where) for where in folders]
        known = pd.MultiIndex.from_frame(self.units[["dataset", "unit"]])
        place = pd.Series(np.arange(len(known)), index=known)
        values = np.full((len(known), len(self.names)), np.nan)
        at_name = {name: i for i, name in enumerate(self.names)}
        for table in tables:
            at = place.reindex(pd.MultiIndex.from_frame(table[["dataset", "unit"]])).to_numpy()
            column = table["name"].map(at_name).to_numpy(float)
            there = ~np.isnan(at) & ~np.isnan(column)
            values[at[there].astype(int), column[there].astype(int)] = table["value"][there]
        return (
            pd.DataFrame(values, columns=self.names),
            pd.DataFrame(self._filled(values), columns=self.names),
        )

    def _filled(self, made: np.ndarray) -> np.ndarray:
        """With the worst score there can be where a run failed; all of a failed submission stay."""
        low, high = self.rules.measure.bounds
        worst = low if self.rules.measure.higher_is_better else high
        failed = np.array([bool(e["failed"]) and not _has_failed(e) for e in self.submissions])
        if math.isinf(worst) or not failed.any():
            return made
        return np.where(np.isnan(made) & failed, worst, made)

    def _scores(self, folder: str, expected: str) -> pd.DataFrame:
        path = place_within(self.folder, SUBMISSIONS, folder, "scores.csv", error=StoreError)
        text = read_whole(path)
        if digest(text) != expected:
            raise StoreError(
                f"'{path}' was changed after it was written. Take it from a copy; podium store "
                f"check {self.folder} says more."
            )
        return read_scores(text, path)

    def of_part(self, sealed: bool) -> np.ndarray:
        """Which units are sealed, or public."""
        return np.asarray(self.units["sealed"].to_numpy(bool) == sealed)

    def blocks(self, sealed: bool) -> pd.DataFrame:
        """Of the blocks of a part, in the order of the lot, the mean of every submission.

        A block is an item, a cluster of items or, of several data sets, a data set.
        """
        part = self.of_part(sealed)
        block = block_of(self.units[part])
        return self.values[part].groupby(block.to_numpy(), sort=False).mean()

    def block_count(self, sealed: bool) -> int:
        """How many blocks a part has."""
        return int(block_of(self.units[self.of_part(sealed)]).nunique())

    @cached_property
    def scores(self) -> pd.Series:
        """The mean of every submission on the public part; of data sets the mean of their means."""
        part = self.of_part(sealed=False)
        by = self.values[part].groupby(self.units["dataset"][part].to_numpy(), sort=False)
        return by.mean().mean(skipna=False)

    def ranked(self) -> list[str]:
        """The submissions whose scores are shown, less those that were withdrawn."""
        shown = [e for e in self.submissions if self.released(e)]
        shown = [e for e in shown if e["name"] not in self.withdrawn]
        return [str(e["name"]) for e in shown if self.scores[e["name"]] == self.scores[e["name"]]]

    def results(self, names: list[str] | None = None) -> Results:
        """The scores of the public part as results, which `compare` takes."""
        names = self.ranked() if names is None else names
        part = self.of_part(sealed=False)
        return results_of(self.rules, self.units[part], self.values.loc[part, names])


def _has_failed(entry: Entry) -> bool:
    """Whether nothing of a submission has a score."""
    return bool(entry["failed"] == entry["units"])


def block_of(units: pd.DataFrame) -> pd.Series:
    """The block of every unit: its data set where there are several, else its cluster or itself."""
    if (units["unit"] == "").all() or units["dataset"].nunique() > 1:
        return units["dataset"]
    return units["cluster"].where(units["cluster"] != "", units["unit"])


def results_of(rules: Rules, units: pd.DataFrame, values: pd.DataFrame) -> Results:
    """A table units x submissions as results."""
    datasets = list(dict.fromkeys(units["dataset"]))
    codes = pd.Categorical(units["dataset"], categories=datasets)
    number = units.groupby("dataset", sort=False).cumcount().to_numpy() + 1
    k, n = values.shape[1], len(units)
    about = {
        "dataset": codes.repeat(k),
        "algorithm": pd.Categorical.from_codes(
            np.tile(np.arange(k), n), categories=list(values.columns)
        ),
        "sample": np.repeat(number, k),
    }
    flat = values.to_numpy(float).ravel()
    runs = {
        "status": pd.Categorical.from_codes(
            np.where(np.isnan(flat), 0, 2), categories=["missing", "failed", "done"]
        ),
        "fit_time": np.nan,
        "predict_time": np.nan,
        "warnings": 0,
        "finished": pd.NaT,
        "session": 0,
    }
    measure = pd.Categorical.from_codes(np.zeros(n * k, int), categories=[rules.measure.name])
    nothing = {c: pd.Categorical([], categories=about[c].categories)
               for c in ("dataset", "algorithm")}  # fmt: skip
    return Results(
        scores=SCORES.shaped(pd.DataFrame({**about, "measure": measure, "value": flat})),
        runs=RUNS.shaped(pd.DataFrame({**about, **runs})),
        failures=FAILURES.empty().assign(**nothing),
        warnings=WARNINGS.empty().assign(**nothing),
        sampling=_sampling(rules),
        measures={rules.measure.name: rules.measure},
        name=rules.name,
        facts={name: _facts(rules, units[units["dataset"] == name]) for name in datasets},
    )


def _sampling(rules: Rules) -> Sampling | None:
    return parse_sampling(rules.sampling) if rules.sampling else None


def _facts(rules: Rules, units: pd.DataFrame) -> dict[str, Any]:
    facts: dict[str, Any] = {ITEM_NAMES: units["unit"].tolist()} if rules.named else {}
    if (units["cluster"] != "").all():
        facts["clusters"] = units["cluster"].tolist()
    return facts


# -- the folder ---------------------------------------------------------------------------------


def is_board(path: str | Path) -> bool:
    """Whether a folder is a board."""
    return (Path(path) / BOARD).is_file() and (Path(path) / LEDGER).is_file()


def read_whole(path: Path) -> str:
    """The text of a file of a board."""
    try:
        if not path.is_file():  # a pipe has no end
            raise FileNotFoundError(path)
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise StoreError(f"'{path}' cannot be read. Take it from a copy of the board.") from None


def load(path: str | Path) -> Board:
    """The board in a folder.

    Parameters
    ----------
    path : str | Path
        A folder that `podium board new` made.

    Returns
    -------
    Board
        Its rules, units, submissions and ledger.

    Examples
    --------
    >>> load("nowhere")
    Traceback (most recent call last):
    podium.errors.ResultsError: 'nowhere' is no board. Make one: podium board new FILE -o BOARD
    """
    if not is_board(path):
        raise ResultsError(f"'{path}' is no board. Make one: podium board new FILE -o BOARD")
    place = place_within(path, LEDGER, error=StoreError)
    return loaded(Path(path), _checked_lines(checked(read_ledger(place))))


@contextlib.contextmanager
def writing_board(folder: Path) -> Iterator[Writer]:
    """As `writing`, for the ledger of a board."""
    with writing(place_within(folder, LEDGER, error=StoreError)) as writer:
        _checked_lines(writer.ledger)
        yield writer


def _checked_lines(ledger: Ledger) -> Ledger:
    check_lines(ledger.path, ledger.entries)
    return ledger


def loaded(folder: Path, ledger: Ledger) -> Board:
    """The board that a ledger tells of."""
    if not ledger.entries:
        raise ResultsError(f"'{folder}' was never finished. Remove it, and make the board again.")
    first, latest = ledger.entries[0], ledger.of(NEW, RENEWED)[-1]
    marks = {BOARD: first["rules"], **latest["files"]}
    paths = {name: place_within(folder, name, error=StoreError) for name in marks}
    texts = {name: read_whole(path) for name, path in paths.items()}
    for name, expected in marks.items():
        if digest(texts[name]) != expected:
            raise StoreError(
                f"'{paths[name]}' was changed after it was written, and a board does not change "
                "its rules. Take the file from a copy, or make a new board."
            )
    rules = Rules.of_toml(texts[BOARD], paths[BOARD])
    own = {name: path for name, path in paths.items() if name != BOARD}
    units, lot = _units(own, texts)
    if rules.kind == SEALED and not lot:
        raise refusal(f"'{folder}' is a sealed board without a lot.")
    return Board(folder, rules, ledger, units, lot)


def _units(paths: Mapping[str, Path], texts: Mapping[str, str]) -> tuple[pd.DataFrame, str]:
    """The units, and the signature of the lot that says which are sealed."""
    name = next(name for name in paths if name.startswith("units"))
    units = read_units(texts[name], paths[name])
    units = units.assign(sealed=units["part"] == SEALED)
    lots = [name for name in paths if name.startswith("lot")]
    if not lots:
        return units, ""
    queue = read_queue(tabular(paths[lots[0]], least=1))
    check_plan(queue.plan, paths[lots[0]])
    drawn, kept = drawn_units(queue, units), units[units["key"].isin(queue.items)]
    strange = len(kept) != len(queue.items)
    if strange or any(drawn[name].tolist() != kept[name].tolist() for name in ("key", "sealed")):
        raise refusal(f"'{paths[name]}' does not follow the lot in '{lots[0]}'.")
    return units, str(queue.plan["digest"])


def drawn_units(queue: Queue, units: pd.DataFrame) -> pd.DataFrame:
    """The units of a lot in its order; those behind its public blocks are sealed."""
    place = {name: i for i, name in enumerate(queue.items)}
    kept = units[units["key"].isin(place)]
    order = np.argsort(kept["key"].map(place).to_numpy(), kind="stable")
    sealed = queue.blocks >= int(queue.plan["public"])
    return kept.iloc[order].reset_index(drop=True).assign(sealed=sealed)


# -- whether a board holds what was written -------------------------------------------------------
# Its chain, its rules, and every file of a submission.


@dataclass(frozen=True)
class Checked:
    """What came of checking: what was changed, and folders that no line of the ledger knows."""

    path: Path
    lines: int
    head: str
    changed: tuple[str, ...]
    unknown: tuple[str, ...]


def check_board(path: str | Path) -> Checked:
    """Compare everything with the ledger, and the ledger with its own hashes."""
    folder = Path(path)
    ledger = read_ledger(place_within(folder, LEDGER, error=StoreError))
    changed = [*_broken(ledger), *_changed(folder, sound := _sound(ledger))]
    known = {str(kept["folder"]) for kept in _kept(sound)}
    there = folder / SUBMISSIONS
    names = sorted(each.name for each in there.iterdir()) if there.is_dir() else []
    is_whole = sound is ledger and ledger.broken is None
    unknown = [f"{SUBMISSIONS}/{n}" for n in names if n not in known] if is_whole else []
    return Checked(folder, len(ledger.entries), ledger.head, tuple(changed), tuple(unknown))


def _broken(ledger: Ledger) -> Iterator[str]:
    broken = ledger.broken
    if broken is None and (odd := find_odd_line(ledger.entries)):
        broken = Broken(*odd)
    if broken is not None:
        yield f"{LEDGER}, line {broken.line}: {broken.reason}"


def _sound(ledger: Ledger) -> Ledger:
    """The lines before the first that no board writes."""
    odd = find_odd_line(ledger.entries)
    return ledger if odd is None else replace(ledger, entries=ledger.entries[: odd[0] - 1])


def _kept(ledger: Ledger) -> list[Entry]:
    return [*ledger.of(SUBMITTED), *(entry["kept"] for entry in ledger.of(RENEWED))]


def _changed(folder: Path, ledger: Ledger) -> Iterator[str]:
    """The files that are not as they were when their line was written."""
    expected: dict[tuple[str, ...], str] = {}
    for entry in ledger.of(NEW, RENEWED):
        expected |= {(name,): mark for name, mark in entry["files"].items()}
        expected |= {(BOARD,): entry["rules"]} if entry["event"] == NEW else {}
    for kept in _kept(ledger):
        at = (SUBMISSIONS, str(kept["folder"]))
        expected |= {(*at, "scores.csv"): kept["scores"], (*at, "reading.json"): kept["reading"]}
        expected |= {(*at, "files", name): mark for name, mark in kept["files"].items()}
    yield from _differing(folder, expected)


def _differing(folder: Path, expected: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    for parts, mark in expected.items():
        name = "/".join(parts)
        try:
            found = digest_of(place_within(folder, *parts, error=StoreError))
        except StoreError as error:
            yield f"{name}: {str(error).rstrip('.')}"
            continue
        except OSError:
            yield f"{name}: it cannot be read, or is gone"
            continue
        if found != mark:
            yield f"{name}: it was changed after it was written"


def digest_of(path: Path) -> str:
    """The digest of a file, which need not fit into memory; nothing waits for a pipe."""
    if not path.is_file():
        raise FileNotFoundError(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
