"""Where names or scores of a table contradict what is said of it: asked, or cautioned against.

A test is right only if blocks are what they are said to be. Here the columns' own names, the names
of data sets and scores that repeat are held against the sampling, before anything is computed. Who
says expressly what a column is (`columns`) is believed, with a caution.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from podium.base.errors import ResultsError
from podium.questions.targets import BLOCKS as BLOCK_KINDS
from podium.questions.targets import FOLD, ITEM, ORIGIN, TIMED_RUN, TRAINING_RUN
from podium.reading.cells.vocabulary import BLOCKS, Said, plain, role_of, way_out
from podium.reading.tables.sheets import Samples, Sheet, has_items
from podium.samplings import CV, ITEMS, REPEATED_CV, SEEDS, Sampling
from podium.words.facts import CAUTION, Note

USUAL_FOLDS = (5, 10, 20)  # of one cross-validation
LEAST_DIFFERENT = 5  # rows of scores: fewer may well repeat by chance
NEUTRAL = ("id", "instance", "instanceid")  # called like items, and used of much else
WORDS = "seed|fold|split|repeat|repetition|rep|run|bootstrap|sample|iteration|iter"
_ONLY_A_WORD = re.compile(rf"({WORDS})[\s_.-]*\d+")
_WITH_A_WORD = re.compile(rf"(.+?)[\s_.-]+({WORDS})[\s_.-]*\d+")
_WITH_A_LETTER = re.compile(r"(.+?)[_.-]([fsrb])\d+")  # d0_f1, d0_s1


def check_claims(
    sheet: Sheet, design: Sampling | None, samples: Samples, grid: np.ndarray, text: Said
) -> tuple[Note, ...]:
    """What is to be cautioned against; an error where a question must be answered first."""
    names = {column for columns in text.values() for column in columns}
    return (
        *_columns(sheet, design, samples, names),
        *_datasets(sheet, names),
        *_items(sheet, design),
        *_repeated(grid, design),
    )


# -- columns --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Meaning:
    """What the name of a column says of samples, and which blocks agree with that."""

    block: str
    blocks: tuple[str, ...]
    sampling: str  # to be said instead
    asks: tuple[str, ...] | None = None  # the blocks that are refused; None: all others


_MEANINGS = {
    "fold": _Meaning(FOLD, (FOLD, ORIGIN), CV.name),
    "item": _Meaning(ITEM, (ITEM,), ITEMS.name),
    # seeds of a generator or of a resampling are samples, too
    "seed": _Meaning(TRAINING_RUN, (TRAINING_RUN, TIMED_RUN), SEEDS.name, (FOLD, ITEM)),
}


def _columns(
    sheet: Sheet, design: Sampling | None, samples: Samples, texts: Collection[str]
) -> Iterator[Note]:
    """Columns of blocks whose names say something else than the sampling."""
    if design is None:
        return
    columns = [column for role, column in sheet.called.items() if role in BLOCKS]
    yield from _numbered_through(sheet, design, samples, texts)
    for column in columns:
        role = role_of(column) or ""
        meaning = _MEANINGS.get(role)
        if meaning is None or plain(column) in NEUTRAL or design.replicate in meaning.blocks:
            continue
        if (role == "item" and has_items(design)) or (role == "seed" and len(columns) > 1):
            continue
        refused = meaning.asks is None or design.replicate in meaning.asks
        if refused and column not in texts:
            _ask(sheet, design, samples, column, meaning)
        yield Note(
            "column-against-sampling",
            CAUTION,
            column=column,
            says=meaning.block,
            sampling=str(design),
        )


def _ask(sheet: Sheet, design: Sampling, samples: Samples, column: str, meaning: _Meaning) -> None:
    instead = meaning.sampling
    if instead == CV.name:
        shape = samples.shape or (1, int(samples.counts.max(initial=0)))
        instead = f"{CV.name}:{shape[1]}"
        if shape[0] > 1:
            instead = f"{REPEATED_CV.name}:{shape[0]}x{shape[1]}"
    raise ResultsError(
        f"{sheet.what}: the column '{column}' speaks of {BLOCK_KINDS[meaning.block].noun}, and the "
        f"sampling '{design}' of {BLOCK_KINDS[design.block].text}, for which other tests are "
        f"right. Say --sampling {instead}, or (if the column is only called so) "
        f"{way_out(sheet.said, sample=column)}."
    )


def _numbered_through(
    sheet: Sheet, design: Sampling, samples: Samples, texts: Collection[str]
) -> Iterator[Note]:
    """Folds 1 to 10 of five repeats of two folds: they look like one cross-validation."""
    count, within = int(samples.counts.max(initial=0)), design.folds_per_repeat
    columns = [c for r, c in sheet.called.items() if r in BLOCKS and role_of(c) == "fold"]
    if not columns or samples.shape or not within or count <= within:
        return
    if count not in USUAL_FOLDS or count != design.count:
        return
    if columns[0] not in texts:
        raise ResultsError(
            f"{sheet.what}: the column '{columns[0]}' numbers {count} folds, as of one "
            f"cross-validation, and '{design}' has {within} in each repeat. Say --sampling "
            f"{CV.name}:{count}; or put a column repeat beside it; or, if folds are numbered "
            f"repeat by repeat, {way_out(sheet.said, sample=columns[0])}."
        )
    yield Note("folds-numbered-through", CAUTION, folds=count, within=within, sampling=str(design))


# -- data sets ------------------------------------------------------------------------------------


def _datasets(sheet: Sheet, texts: Collection[str]) -> Iterator[Note]:
    """Data sets whose names say that they are seeds or folds."""
    names, column = sheet.about["dataset"].names, sheet.called.get("dataset", "")
    if len(names) < 2 or not column:
        return
    word = _told_by(names)
    if word and column not in texts:
        raise ResultsError(_of_datasets(sheet, names, column, word))
    letters = _letters(names)
    if word or letters:
        yield Note("data-sets-that-are-none", CAUTION, names=tuple(names[:2]), word=word)


def _items(sheet: Sheet, design: Sampling | None) -> Iterator[Note]:
    """Items whose names say that they are folds or seeds."""
    if "item" not in sheet.called or design is None or design.name != ITEMS.name:
        return
    names = sheet.about["sample"].names
    word = _told_by(names) if len(names) > 1 else ""
    meaning = _MEANINGS.get(role_of(word) or "")
    if meaning is None or meaning.sampling == ITEMS.name:
        return
    instead = f"{CV.name}:{len(names)}" if meaning.sampling == CV.name else meaning.sampling
    facts = {"names": (names[0], names[-1]), "column": sheet.called["item"]}
    yield Note("items-that-are-none", CAUTION, word=word, sampling=instead, **facts)


def _told_by(names: list[str]) -> str:
    """The word by which names differ in nothing but its number; empty where there is none."""
    alone = [_ONLY_A_WORD.fullmatch(name.strip().lower()) for name in names]
    if all(alone):
        return str(alone[0][1]) if alone[0] else ""
    parts = [_WITH_A_WORD.fullmatch(name.strip().lower()) for name in names]
    results = [part for part in parts if part]
    several = len({part[1] for part in results}) < len(results)
    return str(results[0][2]) if len(results) == len(names) and several else ""


def _letters(names: list[str]) -> bool:
    """Whether names are made of some data sets and the same f1, f2 ... of each."""
    parts = [_WITH_A_LETTER.fullmatch(name.strip().lower()) for name in names]
    results = [part for part in parts if part]
    stems = {part[1] for part in results}
    if len(results) < len(names) or not 2 <= len(stems) < len(names):
        return False
    of_stem = [
        {n.strip().lower()[len(s) :] for n in names if n.lower().startswith(s)} for s in stems
    ]
    return all(each == of_stem[0] for each in of_stem) and len(of_stem[0]) > 1


def _of_datasets(sheet: Sheet, names: list[str], column: str, word: str) -> str:
    role = role_of(word) or "sample"
    meaning = _MEANINGS.get(role)
    drawn = f"--sampling {meaning.sampling}" if meaning else f"(or how else) --sampling {CV.name}"
    alone = _ONLY_A_WORD.fullmatch(names[0].strip().lower()) is not None
    way = (
        f"Say {way_out(sheet.said, sample=column)} and {drawn}"
        if alone
        else f"Divide the column '{column}' into two, dataset and {word}"
    )
    return (
        f"{sheet.what}: '{names[0]}' and '{names[1]}' look like a {word} each of one data set, not "
        f"like data sets; as data sets they would count as independent. {way}; or, if they are "
        f"data sets, {way_out(sheet.said, dataset=column)}."
    )


# -- scores ---------------------------------------------------------------------------------------


def _repeated(grid: np.ndarray, design: Sampling | None) -> Iterator[Note]:
    """Scores that all stand there equally often: rows were copied, or joined too often."""
    rows = grid.reshape(len(grid), -1)
    if design is not None and design.independent:  # nothing pairs the algorithms
        times = {_times(column[~np.isnan(column)][:, None]) for column in rows.T}
        often = times.pop() if len(times) == 1 else 1
    else:
        often = _times(rows)
    if often > 1:
        yield Note("repeated-rows", CAUTION, times=often, different=len(rows) // often)


def _times(rows: np.ndarray) -> int:
    """How often each of several different rows stands there; 1 where that differs, or chance can.

    Of scores that are all 0 or 1 few can be different, so that they repeat by themselves.
    """
    if len(rows) < 2 * LEAST_DIFFERENT or np.isnan(rows).any():  # a row with a gap is like no other
        return 1
    if np.isin(rows, (0.0, 1.0)).all():
        return 1
    _, counts = np.unique(rows, axis=0, return_counts=True, equal_nan=False)
    return int(counts[0]) if len(counts) >= LEAST_DIFFERENT and (counts == counts[0]).all() else 1
