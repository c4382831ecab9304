"""Making a board, adding to it, asking its sealed part, and renewing that."""

from __future__ import annotations

import contextlib
import math
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.boards.board import (
    BOARD,
    LEDGER,
    SUBMISSIONS,
    Board,
    Ledger,
    Rules,
    Writer,
    block_of,
    digest,
    drawn_units,
    load,
    loaded,
    results_of,
    writing,
    writing_board,
)
from podium.asking.boards.contents import (
    ALL,
    ASKED,
    KINDS,
    LADDER,
    NEW,
    NO,
    OPEN,
    PUBLIC,
    RENEWED,
    SEALED,
    SUBMITTED,
    UNITS,
    WITHDRAWN,
    YES,
)
from podium.asking.boards.questions import USUAL, gain_p
from podium.asking.boards.submissions import Reading, held_against, keep, read_submission, units_of
from podium.asking.queues.queues import drawn_queue, read_queue
from podium.core.base.errors import DesignError, InferenceError, ResultsError
from podium.core.base.formatting import listed
from podium.core.base.options import takes
from podium.core.base.places import place_within
from podium.core.base.registry import unknown
from podium.core.base.writing import make_folder, new_folder, remove_folder, write_text
from podium.core.verdicts.verbs import compare
from podium.reading.cells.columns import Tabular
from podium.reading.files.tabular import tabular

HALF = 0.5  # of the blocks are sealed, where no share is said
LEAST = 2  # blocks of a part


@dataclass(frozen=True, eq=False)
class Added:
    """What came of adding: the board, who was added, and the answers of the sealed part."""

    board: Board
    names: tuple[str, ...]
    answers: Mapping[str, str]  # yes or no, by name


@takes("alpha", "seed", "reading", but={"seed": None})
def new(
    source: Any,
    folder: str | Path,
    *,
    name: str | None = None,
    kind: str = OPEN,
    sealed: float = HALF,
    questions: int = USUAL,
    ladder: bool = False,
    bounds: tuple[float, float] | None = None,
    **options: Any,
) -> Board:
    """Make a board of results; their algorithms are its first submissions.

    Parameters
    ----------
    source : files or folders of any format that `read` knows
    folder : str | Path
        Of the board; it must not exist.
    name : str | None
        Of the board; without one that of the folder.
    kind : str
        `open`, or `sealed`: a part of the items, drawn by lot, answers questions only.
    sealed : float
        The share of items, clusters or data sets that are sealed.
    questions : int
        How many the sealed part answers.
    ladder : bool
        Show a public score only where it is better than the best by more than its standard error.
    bounds : (low, high)
        Between which scores lie, where the measure does not say it.

    Returns
    -------
    Board
        The board, with one submission per algorithm.

    Examples
    --------
    >>> import tempfile, pathlib, podium
    >>> here = pathlib.Path(tempfile.mkdtemp())
    >>> rows = "".join(f"q{i},{i % 2},{int(i % 3 > 0)}\\n" for i in range(60))
    >>> _ = (here / "items.csv").write_text("item,owl,fox\\n" + rows)
    >>> board = podium.boards.new(here / "items.csv", here / "board", measure="accuracy")
    >>> board.names, len(board.ledger.entries)
    (['owl', 'fox'], 3)
    """
    place = Path(folder)
    if place.exists():
        raise ResultsError(f"'{folder}' exists: choose a new folder for a board.")
    if kind not in KINDS:
        raise DesignError(f"A board is open or sealed, not '{kind}'.")
    alpha, seed = options.pop("alpha"), options.pop("seed")
    read = read_submission(source, **options)
    rules = _rules(read, name or place.name, kind, bounds)
    rules = replace(rules, alpha=alpha, scores=LADDER if ladder else ALL)
    units, lots = units_of(read), {}
    if kind == SEALED:
        _check_sealable(rules, units, questions)
        rules = replace(rules, questions=questions)
        units, lots["lot-1.csv"] = _drawn(units, sealed, seed)
    with new_folder(place) as fresh:
        _check_comparable(_founded(fresh, rules, units, lots, read))
    return load(place)


def _check_comparable(board: Board) -> None:
    """Refuse a board whose submissions could never be compared, before anybody has one."""
    results = board.results()
    if len(board.ranked()) < 2:  # then any two will do
        units = board.units[board.of_part(sealed=False)]
        turns = np.arange(len(units)) % 2
        results = results_of(board.rules, units, pd.DataFrame({"a": turns, "b": 1 - turns}))
    try:
        compare(results, alpha=board.rules.alpha)
    except InferenceError as error:
        raise ResultsError(f"No submissions could be compared on this board: {error}") from None


def _rules(read: Reading, name: str, kind: str, bounds: tuple[float, float] | None) -> Rules:
    measure = next(iter(read.results.measures.values()))
    values = read.table["value"].dropna()
    if bounds is not None:
        low, high = bounds
        if not low < high or values.min() < low or values.max() > high:
            raise DesignError(f"Not all scores lie within the bounds {low:g} and {high:g}.")
        measure = replace(measure, bounds=(low, high))
    binary = read.named and bool(values.isin((0, 1)).all())
    if binary:
        measure = replace(measure, bounds=(0.0, 1.0))
    sampling = "" if read.results.sampling is None else str(read.results.sampling)
    return Rules(name, kind, measure, sampling, named=read.named, binary=binary)


def _check_sealable(rules: Rules, units: pd.DataFrame, questions: int) -> None:
    if not rules.named and units["dataset"].nunique() == 1:
        raise DesignError(
            "A sealed board is of items or of several data sets: samples of one data set share its "
            "rows, and cannot be drawn apart. Make an open board."
        )
    if any(math.isinf(end) for end in rules.measure.bounds):
        raise DesignError(
            f"The sealed part bets on scores with known bounds, and '{rules.measure.name}' has "
            "none: add --bounds LOW,HIGH, or make an open board."
        )
    if questions < 1:
        raise DesignError(f"A sealed board answers at least 1 question, not {questions}.")


def _drawn(units: pd.DataFrame, sealed: float, seed: int | None) -> tuple[pd.DataFrame, str]:
    """The units in the order of a lot, with their parts; and the lot, signed."""
    blocks = block_of(units)
    count = blocks.nunique()
    public = count - round(sealed * count)
    if not 0 < sealed <= 1 or (sealed < 1 and public < LEAST) or count - public < LEAST:
        raise DesignError(
            f"A share of {sealed:g} of {count} leaves a part with fewer than {LEAST}: choose "
            "another --share, or a board of more."
        )
    frame = pd.DataFrame({"item": units["key"], "block": blocks.to_numpy()})
    plan = {
        "seed": secrets.randbits(64) if seed is None else seed,
        "item": "item",
        "cluster": "block",
        "public": public,
    }
    lot = drawn_queue(tabular(frame, least=1), plan)
    queue = read_queue(Tabular(lot.astype(str), "the lot"))
    made = drawn_units(queue, units)
    parts = np.where(made["sealed"], SEALED, PUBLIC)
    return made.assign(part=parts)[UNITS], lot.to_csv(index=False, lineterminator="\n")


def _founded(
    place: Path, rules: Rules, units: pd.DataFrame, lots: Mapping[str, str], read: Reading
) -> Board:
    make_folder(place / SUBMISSIONS)
    texts = {"units-1.csv": units.to_csv(index=False, lineterminator="\n"), **lots}
    for name, text in {BOARD: rules.to_toml(), **texts}.items():
        write_text(text, place / name)
    kept = keep(place, 1, read)
    files = {name: digest(text) for name, text in texts.items()}
    with writing(place / LEDGER) as writer:
        first = {"event": NEW, "name": rules.name, "rules": digest(rules.to_toml()), "files": files}
        entries = [_entry(name, kept, read) for name in read.names]
        draft = loaded(place, _with(writer.ledger, [{**first, "best": ""}, *entries]))
        shown = [_shown(draft, name) for name in read.names]
        best = shown[0]["best"] or read.names[0]
        entries = [{**e, "shown": s} for e, s in zip(entries, shown, strict=True)]
        return loaded(place, writer.add([{**first, "best": best}, *entries]))


def _with(ledger: Ledger, entries: Sequence[Mapping[str, Any]]) -> Ledger:
    """The ledger as it would be."""
    return replace(ledger, entries=(*ledger.entries, *entries))


def _entry(name: str, kept: Mapping[str, Any], read: Reading) -> dict[str, Any]:
    rows = read.table[read.table["name"] == name]
    facts = {"units": len(rows), "failed": int(rows["failed"].sum()), "shown": {}, "level": 0.0}
    return {"event": SUBMITTED, "name": name, **kept, **facts}


# -- adding ---------------------------------------------------------------------------------------


@takes("reading")
def add(
    board: Board | str | Path,
    source: Any,
    *,
    name: str | None = None,
    ask: bool = True,
    **options: Any,
) -> Added:
    """Add a submission, or several; refused where it is not of the items of the board.

    Parameters
    ----------
    board : Board | str | Path
        The board or its folder.
    source : files or folders of any format that `read` knows
    name : str | None
        Under which it is listed; without one the names in the file.
    ask : bool
        Whether the sealed part is asked where the public part suggests a new best.

    Returns
    -------
    Added
        The board as it is now, and what the sealed part answered.
    """
    folder = board.folder if isinstance(board, Board) else Path(board)
    was = load(folder)
    rules = was.rules
    read = read_submission(source, name, **_usual(rules, source, options))
    if name is not None:
        if len(read.names) > 1:
            raise ResultsError(
                f"There are {len(read.names)} algorithms ({listed(read.names, 5)}) and one name: "
                "leave --as out, which adds all under their own names, or choose one by --where."
            )
        read = replace(read, table=read.table.assign(name=name))
    read = held_against(read, was)
    names = list(dict.fromkeys(read.table["name"]))
    with writing_board(folder) as writer:
        now = loaded(folder, writer.ledger)
        held_against(read, now)  # it may have been renewed meanwhile
        if taken := [each for each in names if each in now.names]:
            raise ResultsError(
                f"The board has a submission '{taken[0]}' already, and nothing is replaced: choose "
                f"another name, as in --as '{taken[0]} 2'."
            )
        with _keeping(folder, writer, read) as kept:
            answers = {each: _added(folder, writer, each, kept, read, ask) for each in names}
        answered = {each: answer for each, answer in answers.items() if answer}
        return Added(loaded(folder, writer.ledger), tuple(names), answered)


@contextlib.contextmanager
def _keeping(folder: Path, writer: Writer, read: Reading) -> Iterator[dict[str, Any]]:
    """The ledger's facts of files that are kept, unless no line of it comes to tell of them."""
    before = len(writer.ledger.entries)
    kept = keep(folder, before + 1, read)
    try:
        yield kept
    except BaseException:
        if len(writer.ledger.entries) == before:
            remove_folder(place_within(folder, SUBMISSIONS, kept["folder"]))
        raise


def _usual(rules: Rules, source: Any, reading: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of a table, from the rules of the board; a results file knows its own."""
    from podium.reading.formats.stores import is_store

    usual: dict[str, Any] = {"measure": rules.measure.name}
    paths = source if isinstance(source, (list, tuple)) else [source]
    if not any(Path(path).is_file() and is_store(Path(path)) for path in paths):
        usual |= {"higher_is_better": rules.measure.higher_is_better}
        usual |= {"sampling": rules.sampling or None}
    return usual | {k: v for k, v in reading.items() if v is not None}


def _added(
    folder: Path, writer: Writer, name: str, kept: Mapping[str, Any], read: Reading, ask: bool
) -> str:
    """Add one submission to the ledger, with the question that it leads to; the answer to that."""
    entry = _entry(name, kept, read)
    draft = loaded(folder, _with(writer.ledger, [entry]))
    entry["shown"] = _shown(draft, name, ladder=draft.rules.scores == LADDER)
    draft = loaded(folder, _with(writer.ledger, [entry]))
    question = _question(draft, name) if ask else None
    writer.add([entry] if question is None else [entry, question])
    return "" if question is None else str(question["answer"])


def _shown(board: Board, name: str, *, ladder: bool = False) -> dict[str, Any]:
    """What is said of a submission when it is added: its score, its rank by that, and the best."""
    every = board.rules.measure.sign * board.scores
    shown = [n for n in board.names if board.released(_submission_named(board, n))]
    known = every[[n for n in shown if n not in board.withdrawn]].dropna()
    others = known.drop(name, errors="ignore")
    score = float(board.scores[name])
    facts: dict[str, Any] = {"score": None, "rank": None, "of": len(others) + 1}
    if ladder and len(others) and not _climbs(board, name, str(others.idxmax())):
        return {**facts, "released": False, "best": str(others.idxmax())}
    if score == score:
        facts |= {"score": score, "rank": int((others > every[name]).sum()) + 1}
    return {**facts, "released": True, "best": str(known.idxmax()) if len(known) else ""}


def _submission_named(board: Board, name: str) -> Mapping[str, Any]:
    return next(entry for entry in board.submissions if entry["name"] == name)


def _climbs(board: Board, name: str, best: str) -> bool:
    """Whether the gain over the best is more than its standard error (the Ladder)."""
    blocks = board.blocks(sealed=False)
    gain = board.rules.measure.sign * (blocks[name] - blocks[best])
    error = float(gain.std(ddof=1)) / math.sqrt(max(len(gain), 1))
    return bool(float(gain.mean()) > error)


def suggests(board: Board, name: str) -> bool:
    """Whether the public part suggests that a submission is better than the best so far."""
    if board.best in ("", name) or not board.released(_submission_named(board, name)):
        return False
    gain = board.rules.measure.sign * (board.scores[name] - board.scores[board.best])
    return bool(gain > 0)


def _question(board: Board, name: str) -> dict[str, Any] | None:
    """The question whether a submission is better than the best so far, with its answer."""
    if not board.is_sealed or not suggests(board, name) or board.budget.is_spent:
        return None
    blocks, budget = board.blocks(sealed=True), board.budget
    low, high = board.rules.measure.bounds
    gain = (board.rules.measure.sign * (blocks[name] - blocks[board.best])).to_numpy()
    single = board.rules.binary and len(blocks) == int(board.of_part(sealed=True).sum())
    p = gain_p(gain, high - low, budget.level, binary=single)
    return {
        "event": ASKED,
        "name": name,
        "against": board.best,
        "question": budget.asked + 1,
        "level": budget.level,
        "answer": YES if p <= budget.level else NO,
    }


def ask(board: Board | str | Path, name: str) -> Added:
    """Ask the sealed part about a submission that waited.

    Parameters
    ----------
    board : Board | str | Path
        The board or its folder.
    name : str
        The submission.

    Returns
    -------
    Added
        The board as it is now, and the answer.
    """
    folder = board.folder if isinstance(board, Board) else Path(board)
    with writing_board(folder) as writer:
        now = loaded(folder, writer.ledger)
        _refuse_question(now, name)
        question = _question(now, name)
        assert question is not None
        writer.add([question])
        return Added(loaded(folder, writer.ledger), (name,), {name: question["answer"]})


def _refuse_question(board: Board, name: str) -> None:
    """Say why a submission is not asked about."""
    if not board.is_sealed:
        raise ResultsError("This board is open: no part of it is sealed, and answers questions.")
    if name not in board.names:
        raise ResultsError(f"The board has no submission '{name}'; see podium board show.")
    if name in board.withdrawn:
        raise ResultsError(f"'{name}' was withdrawn, and is not asked about.")
    if any(entry["event"] == ASKED and entry["name"] == name for entry in board.life):
        raise ResultsError(f"The sealed part was asked about '{name}' already, and says no more.")
    if board.budget.is_spent:
        raise ResultsError(
            f"All {board.rules.questions} questions were asked. Start afresh with new items: "
            f"podium board renew {board.folder} FILE"
        )
    if board.best in ("", name):
        raise ResultsError(f"'{name}' is the best so far: there is nothing to ask about it.")
    if not suggests(board, name):
        raise ResultsError(
            f"'{name}' is not better than '{board.best}' on the public part: only what suggests a "
            "new best is asked about."
        )
    if board.values.loc[board.of_part(sealed=True), [name, board.best]].isna().any(axis=None):
        raise ResultsError(f"'{name}' has no scores of the sealed items: submit it again.")


# -- withdrawing ----------------------------------------------------------------------------------


def withdraw(board: Board | str | Path, name: str, *, because: str = "") -> Board:
    """Take a submission out of the ranks by a line in the ledger; nothing is erased.

    Its name stays taken, and questions that it led to stay asked. Where it was the confirmed best
    of a sealed board, the one confirmed before it is the best again.

    Parameters
    ----------
    board : Board | str | Path
        The board or its folder.
    name : str
        The submission.
    because : str
        Why; it stands in the ledger and on the site.

    Returns
    -------
    Board
        The board as it is now.
    """
    folder = board.folder if isinstance(board, Board) else Path(board)
    load(folder)  # or says that it is no board
    with writing_board(folder) as writer:
        now = loaded(folder, writer.ledger)
        if name not in now.names:
            raise ResultsError(unknown("submission of this board", name, now.names))
        if name in now.withdrawn:
            raise ResultsError(
                f"'{name}' was withdrawn on {str(now.withdrawn[name]['time'])[:10]}, and stays so."
            )
        return loaded(folder, writer.add([{"event": WITHDRAWN, "name": name, "because": because}]))


# -- renewing -------------------------------------------------------------------------------------


@takes("seed", "reading", but={"seed": None})
def renew(board: Board | str | Path, source: Any, **options: Any) -> Board:
    """Start afresh with new sealed items: those before become public, questions count from 1.

    Parameters
    ----------
    board : Board | str | Path
        The board or its folder.
    source : files or folders with scores of the new items
        Of the best so far at least; of others, too, where there are any.

    Returns
    -------
    Board
        The board as it is now.
    """
    folder, seed = board.folder if isinstance(board, Board) else Path(board), options.pop("seed")
    was = load(folder)
    if not was.is_sealed:
        raise ResultsError("This board is open: there is nothing sealed to be renewed.")
    if not was.best:
        raise ResultsError(
            "No submission has a score: add one before this board is renewed (podium board add)."
        )
    read = read_submission(source, was.best, **_usual(was.rules, source, options))
    with writing_board(folder) as writer:
        now = loaded(folder, writer.ledger)
        number = len(writer.ledger.of(NEW, RENEWED)) + 1
        read, fresh = _fresh(now, read)
        drawn, lot = _drawn(fresh, 1.0, seed)
        units = pd.concat([now.units.assign(part=PUBLIC)[UNITS], drawn], ignore_index=True)
        texts = {f"units-{number}.csv": units.to_csv(index=False, lineterminator="\n"),
                 f"lot-{number}.csv": lot}  # fmt: skip
        for name, text in texts.items():
            write_text(text, place_within(folder, name))
        with _keeping(folder, writer, read) as kept:
            entry = {
                "event": RENEWED,
                "files": {name: digest(text) for name, text in texts.items()},
                "kept": kept,
                "sealed": len(drawn),
            }
            return loaded(folder, writer.add([entry]))


def _fresh(board: Board, read: Reading) -> tuple[Reading, pd.DataFrame]:
    """The new items, with names that the board knows."""
    own = list(dict.fromkeys(board.units["dataset"]))
    if len(own) == 1:
        read = replace(
            read,
            table=read.table.assign(dataset=own[0]),
            versions={(own[0], unit): mark for (_, unit), mark in read.versions.items()},
            clusters={(own[0], unit): mark for (_, unit), mark in read.clusters.items()},
        )
    if board.best not in read.names:
        raise ResultsError(
            f"New sealed items need scores of '{board.best}', the best so far, with which others "
            f"are compared; there are those of {listed(read.names, 5)}."
        )
    gone = [name for name in read.names if name in board.withdrawn]
    if gone:
        raise ResultsError(f"'{gone[0]}' was withdrawn: leave its scores out.")
    strange = [name for name in read.names if name not in board.names]
    if strange:
        raise ResultsError(f"The board has no submission '{strange[0]}': add it after the renewal.")
    fresh = units_of(read)
    again = fresh["key"][fresh["key"].isin(board.units["key"])].tolist()
    if again:
        raise ResultsError(
            f"{len(again)} items are not new ({listed(again, 5)}): items that were public, or were "
            "asked about, cannot be sealed again."
        )
    return read, fresh
