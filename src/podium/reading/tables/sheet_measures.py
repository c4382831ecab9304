"""The measures of a sheet, and where its names or scores contradict what is said of it.

A share above 1 is a percentage where all scores are, and said to be; where only some are, it is
asked.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np

from podium.core.base.errors import ResultsError, UnknownLayout
from podium.core.base.registry import unknown
from podium.core.questions.measures import Measure
from podium.core.questions.targets import BLOCKS as BLOCK_KINDS
from podium.core.questions.targets import FOLD, ITEM, ORIGIN, TIMED_RUN, TRAINING_RUN
from podium.core.results.measure_names import (
    BEYOND,
    PERCENT,
    ROUNDING,
    in_percent,
    is_share,
    is_statistic,
    outside,
)
from podium.core.samplings import CV, ITEMS, REPEATED_CV, SEEDS, Sampling
from podium.core.words.facts import CAUTION, DETAIL, REMARK, Note
from podium.reading.cells.columns import Coded
from podium.reading.cells.directions import is_higher_better
from podium.reading.cells.vocabulary import (
    BLOCKS,
    Said,
    known_measure,
    plain,
    role_of,
    same_measure,
    way_out,
)
from podium.reading.tables.sheets import Samples, Sheet, has_items

VAGUE, MIXED = "error", 5  # a word for any loss; how far apart two units are, as a factor


def chosen(sheet: Sheet, text: str | None) -> Sheet:
    """The sheet less the measures that are not asked for; the one that is has the name asked."""
    if text is None:
        return sheet
    text, names = text.strip(), sheet.about["measure"].names
    alike = [i for i, n in enumerate(names) if n and _is_asked(n, text, names)]
    alike = [i for i in alike if plain(names[i]) == plain(text)] or alike
    alike = alike or [i for i, n in enumerate(names) if not n]
    if len(alike) != 1:
        known = [names[i] for i in alike] or [n for n in names if n]
        said = unknown(f"measure of {sheet.what}", text, known)
        raise ResultsError(f"{said} {_way_to(text, known)}".strip())
    if len(names) > 1:
        kept = sheet.about["measure"].codes == alike[0]
        about = {role: column.rows(kept) for role, column in sheet.about.items()}
        kept_rows = {"values": sheet.values[kept], "row": sheet.row[kept]}
    else:  # there may be millions of them
        about, kept_rows = {**sheet.about}, {}
    if plain(names[alike[0]]) != plain(text) and is_statistic(text):
        _refuse_averages(sheet, text, about)
    about["measure"] = about["measure"]._replace(names=[text])
    own = sheet.measures.get(names[alike[0]]) or sheet.measures.get(text)
    message = {text: replace(own, name=text)} if own else {}
    return replace(sheet, about=about, measures=message, **kept_rows)


def _refuse_averages(sheet: Sheet, text: str, about: dict[str, Coded]) -> None:
    """Refuse to print the mean of several rows under the name of another statistic."""
    codes, names = about["algorithm"]
    cells = about["dataset"].codes.astype(np.int64) * len(names) + codes
    most = int(np.bincount(cells).max(initial=0))
    if most < 2:
        return
    raise ResultsError(
        f"{sheet.what}: '{text}' is computed from many rows, and Podium compares the mean of the "
        f"{most} rows of an algorithm. {_way_to(text)}Name what one row holds, as in --measure "
        f"time; if every row is a {text} already, call its column '{text}' in the file."
    )


def _way_to(text: str, names: list[str] | None = None) -> str:
    """How a quantile of the rows is asked for, of one of some names."""
    quantile = re.search(r"p\d{2}$", text.strip().lower())
    if quantile is None or ":" in text:
        return ""
    of = text[: quantile.start()].strip("_- @") or (names[0] if names else "latency")
    if names is not None and of not in names:
        return ""
    wanted = shlex.quote(f"{of}:{quantile[0]}")
    return f"Its own test is asked for by --measure {wanted}. "


def _is_asked(name: str, text: str, names: list[str]) -> bool:
    """Whether it is meant by its name, as its negative, or as the loss that an error is."""
    if same_measure(name, text) or same_measure(f"neg_{name}", text):
        return True
    own, meant = known_measure(name), known_measure(text)
    vague = own is not None and own.spec == VAGUE and len(names) == 1
    return vague and meant is not None and not meant.higher_is_better


def named(sheet: Sheet, higher: bool | None, items: bool) -> Sheet:
    """The sheet with a name for a measure that neither the source nor the caller names."""
    measures = sheet.about["measure"]
    if "" not in measures.names:
        return sheet
    zero_or_one = np.isin(sheet.values[~np.isnan(sheet.values)], (0, 1)).all()
    if items and zero_or_one and higher is not False:
        name = "accuracy"
    elif higher is not None or sheet.higher is not None:
        name = "score"
    else:
        raise ResultsError(
            f"{sheet.what} does not say what its scores measure. Say it, as in --measure error "
            "(in Python: measure='error'), or which values are better: --higher-is-better or "
            "--lower-is-better (in Python: higher_is_better=True or False)."
        )
    names = measures._replace(names=[n or name for n in measures.names])
    return replace(sheet, about=sheet.about | {"measure": names})


def measured(sheet: Sheet, higher: bool | None) -> tuple[Sheet, dict[str, Measure]]:
    """The sheet with what is to be said of its measures, and what they are."""
    names = sheet.about["measure"].names
    results = {name: sheet.measures.get(name) or known_measure(name) for name in names}
    message = sheet.higher if higher is None else higher
    measures, notes = {}, []
    for code, (name, known) in enumerate(results.items()):
        if known is None:
            measures[name] = _unknown(name, sheet, message)
            continue
        # beside unknown measures the direction is meant for those
        if message not in (None, known.higher_is_better) and all(results.values()):
            _refuse_direction(known, bool(message))
        measures[name] = _bounded(sheet, code, known)
        if measures[name].unit == PERCENT != known.unit:
            notes.append(Note("percent", DETAIL, measure=name))
        if measures[name].bounds[1] > known.bounds[1] and measures[name].unit != PERCENT:
            notes.append(Note("error-of-any-kind", REMARK, measure=name))
        notes += _beyond(sheet, code, measures[name])
    return replace(sheet, notes=(*sheet.notes, *notes)), measures


def _refuse_direction(known: Measure, higher: bool) -> None:
    name = known.name
    negative = known_measure(f"neg_{name}")
    way = "if these scores are turned round, give the measure another name in the table"
    if negative is not None:
        way = f"or (as all scores of scikit-learn are) it is negative: --measure neg_{name}"
    raise ResultsError(
        f"Of the measure '{name}' {known.direction} values are better, which contradicts "
        f"{'--higher' if higher else '--lower'}-is-better. Leave the direction out; {way}."
    )


def _unknown(name: str, sheet: Sheet, higher: bool | None) -> Measure:
    if higher is None and len(sheet.about["measure"].names) > 1:
        higher = is_higher_better(name)  # one of several: its words tell enough to keep it
    if higher is None:
        raise UnknownLayout(
            f"{sheet.what}: whether higher or lower values of '{name}' are better is not known. "
            "Say --higher-is-better or --lower-is-better (in Python: higher_is_better=True or "
            "False), or choose another measure."
        )
    return Measure(name, bool(higher))


# -- bounds ---------------------------------------------------------------------------------


def _bounded(sheet: Sheet, code: int, known: Measure) -> Measure:
    """The measure, in percent where its scores are; an error where they can be neither."""
    rows = np.flatnonzero(sheet.about["measure"].codes == code)
    values = sheet.values[rows]
    if sheet.percent and is_share(known):
        known = in_percent(known)
    wrong = outside(values, known)
    if not wrong.any():
        return known
    small = (np.abs(values) <= 1) & (values != 0)
    if known.spec == VAGUE and _is_any_error(values, small):
        return replace(known, bounds=(0.0, np.inf), unit="")
    below = values < known.bounds[0] - BEYOND  # which no percentage explains
    if not is_share(known) or below.any() or outside(values, in_percent(known)).any():
        _refuse_cell(sheet, rows[int(np.argmax(wrong))], known, _of_others(known, values))
    if small.any():
        if 2 * wrong.sum() <= len(values):
            _refuse_cell(sheet, rows[int(np.argmax(wrong))], known, _of_shares(known))
        _refuse_share(sheet, rows[int(np.argmax(small))], known)
    return in_percent(known)


def _is_any_error(values: np.ndarray, small: np.ndarray) -> bool:
    """Whether errors, around 1 or above 100, are no shares: people call any loss an error.

    Where those below 1 are far from those above, some are percentages and some are not.
    """
    here = values[~np.isnan(values)]
    if here.min() < 0 or (here.max() <= 100 and not small.any()):
        return False
    return not small.any() or bool(MIXED * values[small].max() > here[here > 1].min())


def _beyond(sheet: Sheet, code: int, measure: Measure) -> tuple[Note, ...]:
    """What is said of scores that are a little beyond the bounds of their measure."""
    values = sheet.values[sheet.about["measure"].codes == code]
    low, high = measure.bounds
    result = values[(values < low - ROUNDING) | (values > high + ROUNDING)]
    if not len(result):
        return ()
    facts = {"scores": len(result), "first": float(result[0]), "low": low, "high": high}
    return (Note("beyond-bounds", CAUTION, measure=measure.name, **facts),)


def _of_shares(known: Measure) -> str:
    return (
        f"Some scores lie between 0 and 1 and some above: correct those that do not belong, or say "
        f"that all are percentages: --measure '{known.name}%' (in Python: measure='{known.name}%')"
    )


def _of_others(known: Measure, values: np.ndarray) -> str:
    here = values[~np.isnan(values)]
    if (here <= 0).all() and known_measure(f"neg_{known.name}"):
        name = f"neg_{known.name}"
        return (
            f"If all scores are negative losses, use --measure {name} (in Python: measure='{name}')"
        )
    if known.spec == VAGUE:
        return (
            "Correct it or leave the cell empty; if it is another loss than the share of errors, "
            "use --measure loss (in Python: measure='loss')"
        )
    return "Correct it or leave the cell empty"


def _refuse_cell(sheet: Sheet, at: int, known: Measure, way: str) -> NoReturn:
    low, high = known.bounds
    between = (
        f"between {low:g} and {high:g}"
        if np.isfinite([low, high]).all()
        else (f"from {low:g} on" if np.isfinite(low) else f"up to {high:g}")
    )
    raise ResultsError(
        f"{sheet.what}, {_place(sheet, at)}: {sheet.values[at]:g} is no "
        f"'{known.name}', which lies {between}. {way}."
    )


def _refuse_share(sheet: Sheet, at: int, known: Measure) -> NoReturn:
    raise ResultsError(
        f"{sheet.what}, {_place(sheet, at)}: {sheet.values[at]:g} stands among scores of "
        f"'{known.name}' that are percentages. {_of_shares(known)}."
    )


def _place(sheet: Sheet, at: int) -> str:
    """Where a score is found again."""
    roles = ("algorithm",) if sheet.rows_counted else ("algorithm", "dataset", "repeat", "sample")
    messages = {
        r: sheet.about[r].names[sheet.about[r].codes[at]] for r in roles if r in sheet.about
    }
    algorithm = f"'{messages.pop('algorithm')}'"
    row = [f"row {sheet.row[at]}"] if sheet.rows_counted else []
    return ", ".join([*row, algorithm, *(f"{role} '{name}'" for role, name in messages.items())])


# -- contradictions -------------------------------------------------------------------------------
# Where names or scores of a table contradict what is said of it: asked, or cautioned against.
#
# A test is right only if blocks are what they are said to be. Here the columns' own names, the
# names of data sets and scores that repeat are held against the sampling, before anything is
# computed. Who says expressly what a column is (`columns`) is believed, with a caution.


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
    alone = _ONLY_A_WORD.fullmatch(names[0].strip().lower())
    if alone and all(_ONLY_A_WORD.fullmatch(name.strip().lower()) for name in names):
        return str(alone[1])
    parts = []
    for name in names:
        part = _WITH_A_WORD.fullmatch(name.strip().lower())
        if part is None:  # mostly the first of very many items
            return ""
        parts.append(part)
    several = len({part[1] for part in parts}) < len(parts)
    return str(parts[0][2]) if several else ""


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
    if np.isin(rows, (0.0, 1.0)).all() or len(np.unique(rows.sum(axis=1))) > len(rows) / 2:
        return 1
    _, counts = np.unique(rows, axis=0, return_counts=True, equal_nan=False)
    return int(counts[0]) if len(counts) >= LEAST_DIFFERENT and (counts == counts[0]).all() else 1
