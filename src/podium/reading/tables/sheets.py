"""Somebody's scores as a sheet: one number per score, and what each is about.

Tables, mappings and what other programs write become sheets (`formats/`); here are the samples of a
sheet and the sampling that these agree with, in `sheet_measures.py` its measures. `from_sheets.py`
makes results.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import read_digits
from podium.core.questions.measures import Measure
from podium.core.questions.targets import BLOCKS as BLOCK_KINDS
from podium.core.questions.targets import FOLD, ITEM, TRAINING_RUN
from podium.core.samplings import CV, ITEMS, REPEATED_CV, SEEDS, Sampling
from podium.core.words.facts import CAUTION, REMARK, Note
from podium.reading.cells.columns import Coded, Tabular, distinct, is_apart, number_of
from podium.reading.cells.vocabulary import (
    BLOCKS,
    CONDITION,
    CONDITION_PARTS,
    OF_BLOCKS,
    Said,
    is_summary,
    is_word,
    plain,
    role_of,
    summaries,
    way_out,
)


@dataclass(frozen=True)
class Answers:
    """Of every score that is a mean of several answers: how many, and their variance."""

    count: np.ndarray
    variance: np.ndarray  # NaN of a single one


@dataclass(frozen=True)
class Sheet:
    """Scores, and for each its dataset, algorithm, measure, sample, perhaps repeat and cluster.

    Where there are repeats, samples are numbered within them. A measure called "" has no name in
    the source.
    """

    what: str  # how an error calls the source
    values: np.ndarray
    about: dict[str, Coded]
    row: np.ndarray  # of each score in the source
    name: str = ""
    called: Mapping[str, str] = field(default_factory=dict)  # role -> column of the source
    higher: bool | None = None  # what the source says about measures that nobody knows
    measures: Mapping[str, Measure] = field(default_factory=dict)  # that the source says all about
    percent: bool = False  # scores carry a percent sign
    design: Sampling | None = None  # that the source carries itself
    notes: tuple[Note, ...] = ()
    said: Said = field(default_factory=dict)  # by the caller, of its columns
    # (row, algorithm) -> the word that stands there for a run that gave no score
    failed: Mapping[tuple[int, str], str] = field(default_factory=dict)
    rows_counted: bool = True  # as the source has them; else a score is told by what it is about
    answers: Answers | None = None  # that the scores are means of


def sheet(
    what: str,
    values: np.ndarray,
    across: str,
    heads: list[str],
    rows: Mapping[str, Coded],
    row: np.ndarray | None = None,
    **more: Any,
) -> Sheet:
    """The sheet of a rectangle of scores; its columns are about `across`, unless `rows` are."""
    n, k = values.shape
    about = {
        role: c if k == 1 else Coded(np.repeat(c.codes, k), c.names) for role, c in rows.items()
    }
    about.setdefault(across, Coded(np.tile(np.arange(k), n), heads))
    nothing = {"dataset": more.get("name") or "data", "measure": "", "sample": "1"}
    for role, only in nothing.items():
        about.setdefault(role, Coded(np.zeros(n * k, np.int64), [only]))
    row = np.arange(1, n + 1) if row is None else row
    row = row if k == 1 else np.repeat(row, k)
    return Sheet(what, values.reshape(-1), about, row, **more)


def columns_of(columns: Sequence[np.ndarray]) -> np.ndarray:
    """A rectangle of these columns; of one it is the column itself, of millions of rows perhaps."""
    return columns[0][:, None] if len(columns) == 1 else np.column_stack(columns)


def is_crossed(design: Sampling | None, roles: Iterable[str]) -> bool:
    """Whether every sample has a score of every item that it tests."""
    return "item" in roles and "repeat" not in roles and has_items(design)


def has_items(design: Sampling | None) -> bool:
    """Whether scores of items by sample can be used: of folds, where each item is tested once."""
    if design is None or not BLOCK_KINDS[design.block].by_item:
        return False
    if design.block == ITEM:  # the conditions of items are told by a column of their own
        return False
    return design.replicate != FOLD or _is_once(design)


def seeds_settled(
    roles: dict[str, str],
    design: Sampling | None,
    what: str,
    columns: Sequence[str],
    alone: Sequence[str] = (),
) -> dict[str, str]:
    """The roles of columns after it is clear what a column of seeds means.

    Where nothing else tells scores apart seeds are samples, and where folds were drawn anew with
    every seed they are repeats; beside other splits they stay seeds, and are averaged. `alone` are
    those columns of both that tell scores apart without the other.
    """
    if "seed" not in roles:
        return roles
    others = [b for b in ("sample", "repeat", "fold") if b in roles]
    rest = {r: c for r, c in roles.items() if r != "seed"}
    if not others:
        return rest | {"sample": roles["seed"]}
    if design is not None and design.replicate == TRAINING_RUN:
        raise ResultsError(
            f"{what} has seeds ('{roles['seed']}') within splits ('{roles[others[0]]}'): say how "
            "the splits were drawn, as in --sampling cv or --sampling subsampling:0.8, and the "
            "seeds within each are averaged."
        )
    if design is None and "sample" in others:
        results = sorted((roles["seed"], roles["sample"]), key=columns.index)
        which = [way_out(sample=c, ignore=[o for o in results if o != c]) for c in alone]
        raise ResultsError(
            f"{what} has 2 columns that may be the sample: {', '.join(results)}. "
            + (f"Say which: {' or '.join(which)}; or say" if which else "Say")
            + " how the splits were drawn, as in --sampling subsampling:0.8, and the seeds within "
            "each are averaged."
        )
    anew = design is None or (
        design.kind.sizes.repeats is not None and "samples" in design.kind.grammar.fields
    )
    if anew and others == ["fold"]:
        return rest | {"repeat": roles["seed"]}
    return roles


# -- samples --------------------------------------------------------------------------------


def answered(sheet: Sheet) -> Sheet:
    """The sheet with several answers of an item averaged within it, and how these vary."""
    roles = [r for r in sheet.about if r not in OF_BLOCKS]
    sizes = [len(sheet.about[r].names) for r in roles]
    if np.prod(sizes, dtype=float) <= 4 * len(sheet.values):  # counted faster than grouped
        key = np.ravel_multi_index([sheet.about[r].codes for r in roles], sizes)
        if number_of(key, int(np.prod(sizes))) == len(key):
            return sheet
    frame = pd.DataFrame({r: sheet.about[r].codes for r in roles})
    cells = frame.groupby(roles, sort=False).ngroup().to_numpy()
    if np.bincount(cells).max(initial=1) < 2:
        return sheet
    first = np.unique(cells, return_index=True)[1]
    result = pd.Series(sheet.values).groupby(cells).agg(["mean", "count", "var"])
    about = {r: Coded(c.codes[first], c.names) for r, c in sheet.about.items()}
    each = result["count"].to_numpy(np.int64)  # of those that are there
    most, least = int(each.max()), int(each[each > 0].min(initial=each.max()))
    note = Note("answers-averaged", REMARK, most=most, least=least)
    return replace(
        sheet,
        values=result["mean"].to_numpy(),
        about=about,
        row=sheet.row[first],
        notes=(*sheet.notes, note),
        answers=Answers(each, result["var"].to_numpy()),
    )


@dataclass(frozen=True)
class Samples:
    """The samples of all data sets, one data set after the other."""

    place: np.ndarray  # of each score's sample among all, from 0
    dataset: np.ndarray  # of each sample, by code
    number: np.ndarray  # of each sample within its data set, from 1
    counts: np.ndarray  # by data set
    shape: tuple[int, int] | None  # repeats x folds


def numbered(sheet: Sheet) -> Samples:
    """The samples of a sheet, repeat by repeat."""
    datasets, inner = sheet.about["dataset"], sheet.about["sample"]
    outer = sheet.about.get("repeat", Coded(np.zeros_like(inner.codes), ["1"]))
    repeats, folds = len(outer.names), len(inner.names)
    key = (datasets.codes * repeats + outer.codes) * folds + inner.codes
    result, place = distinct(key, len(datasets.names) * repeats * folds)
    dataset = result // (repeats * folds)
    counts = np.bincount(dataset, minlength=len(datasets.names))
    number = np.arange(len(result)) - (np.cumsum(counts) - counts)[dataset] + 1
    # where each repeat has one sample it is no repeat: samples are numbered through all folds
    whole = "repeat" in sheet.about and (counts > repeats).any()
    return Samples(place, dataset, number, counts, (repeats, folds) if whole else None)


def unpaired(sheet: Sheet, *, ragged: bool) -> Sheet:
    """The sheet with every algorithm's samples numbered for themselves: nothing pairs them.

    Where columns are `ragged`, what is empty below the last score of an algorithm was not drawn.
    """
    long = "algorithm" in sheet.called
    if ragged and not long:
        sheet = _less_empty_ends(sheet)
    about = dict(sheet.about)
    inner = about["sample"]
    outer = about.pop("repeat", Coded(np.zeros_like(inner.codes), ["1"]))
    cell = about["dataset"].codes * len(about["algorithm"].names) + about["algorithm"].codes
    frame = pd.DataFrame(
        {"cell": cell, "label": outer.codes * len(inner.names) + inner.codes}
        | {"measure": about["measure"].codes}
    )
    if long and not any(block in sheet.called for block in BLOCKS):
        frame["label"] = frame.groupby(["cell", "measure"]).cumcount()
    number = frame.groupby("cell")["label"].rank(method="dense").to_numpy(np.int64) - 1
    names = [str(i + 1) for i in range(int(number.max(initial=0)) + 1)]
    return replace(sheet, about=about | {"sample": Coded(number, names)})


def _less_empty_ends(sheet: Sheet) -> Sheet:
    """Without the empty cells behind the last score of every algorithm in its data set."""
    keys = [sheet.about[role].codes for role in ("dataset", "algorithm")]
    row = np.where(np.isnan(sheet.values), -1, sheet.row)
    last = pd.Series(row).groupby(keys).transform("max").to_numpy()
    kept = sheet.row <= np.where(last < 0, sheet.row.max(), last)
    about = {r: Coded(c.codes[kept], c.names) for r, c in sheet.about.items()}
    return replace(sheet, values=sheet.values[kept], row=sheet.row[kept], about=about)


def completed(design: Sampling | None, sheet: Sheet, samples: Samples) -> Sampling | None:
    """The sampling with what the table tells filled in, or an error where it contradicts."""
    if design is None:
        return None
    crossed = is_crossed(design, sheet.called)
    design = _filled(design, samples, crossed)
    text = _contradiction(design, sheet, samples, crossed)
    if text:
        raise ResultsError(
            f"{sheet.what} has {text}, which contradicts the sampling '{design}'. Say another "
            "sampling (repeated-cv where folds were drawn several times), leave its number out, "
            "or leave it out where each score is a mean; a missing sample is a row without scores."
        )
    return design


def _filled(design: Sampling, samples: Samples, crossed: bool) -> Sampling:
    """The sampling with the numbers that it leaves out and all data sets agree on."""
    fields, counts = design.kind.grammar.fields, {int(c) for c in samples.counts}
    count = counts.pop() if len(counts) == 1 else None
    repeats, folds = count, count if _is_once(design) and count != 1 else None
    if design.kind.sizes.repeats and "samples" in fields:
        repeats, folds = samples.shape or (None, None)
    if crossed and samples.shape:
        repeats = folds = samples.shape[0]  # each with the scores of its items
    return replace(
        design,
        samples=design.samples or (repeats if "samples" in fields else None),
        folds=design.folds or (folds if "folds" in fields else None),
    )


def _is_once(design: Sampling) -> bool:
    """Whether it is one cross-validation: its samples are its folds."""
    return design.kind.grammar.fields == ("folds",)


def _contradiction(design: Sampling, sheet: Sheet, samples: Samples, crossed: bool) -> str:
    """What the table has and a sampling of these numbers has not; empty where they agree."""
    if crossed and design.replicate == FOLD and (twice := _tested_twice(sheet, samples)):
        return twice
    if crossed and samples.shape:
        sets, noun = samples.shape[0], BLOCK_KINDS[design.replicate].unit
        return "" if sets == design.count else f"{sets} {noun}s"
    repeats = design.kind.sizes.repeats(design) if design.kind.sizes.repeats else None
    if repeats and samples.shape not in (None, (repeats, design.folds_per_repeat)):
        return f"{samples.shape[0]} x {samples.shape[1]} repeats and folds"
    least = 2 if _is_once(design) else 1
    wrong = (samples.counts != (design.count or samples.counts)) | (samples.counts < least)
    if wrong.any():
        first = int(np.argmax(wrong))
        name = sheet.about["dataset"].names[first]
        return f"{samples.counts[first]} sample(s) of '{name}'"
    return ""


def _tested_twice(sheet: Sheet, samples: Samples) -> str:
    """The first item that two folds test; empty where there is none."""
    items, datasets = sheet.about["sample"], sheet.about["dataset"]
    of_sample = np.zeros(len(samples.number), np.int64)
    of_sample[samples.place] = items.codes
    again = pd.Series(samples.dataset * len(items.names) + of_sample).duplicated().to_numpy()
    if not again.any():
        return ""
    first = int(np.argmax(again))
    name = datasets.names[samples.dataset[first]]
    return f"two folds that test item '{items.names[of_sample[first]]}' of '{name}'"


# -- what a table says of its design --------------------------------------------------------------
# What its rows are about, and how its samples were drawn.
#
# A column of questions carries `items`, one of seeds `seeds`, labels such as Fold01.Rep1
# repeated cross-validation. It is said, not asked; a sampling of the caller's goes first.


PARTS = {"train", "training", "test", "testing", "valid", "validation", "dev", "val"}
_FOLD = re.compile(r"fold[\s_-]?(\d+)", re.IGNORECASE)
_BOTH = re.compile(
    r"fold[\s_-]?(?P<fold>\d+)[.\s_-]+rep(?:eat)?[\s_-]?(?P<repeat>\d+)"
    r"|rep(?:eat)?[\s_-]?(?P<repeat2>\d+)[.\s_-]+fold[\s_-]?(?P<fold2>\d+)",
    re.IGNORECASE,
)


def about_rows(
    table: Tabular, roles: Mapping[str, str], design: Sampling | None
) -> tuple[dict[str, Coded], dict[str, str]]:
    """What every row is about; samples by `sample`, or by `sample` within `repeat`.

    Where items are crossed with training sets, an item is a `sample` within its `repeat`. Several
    answers of an item stay rows of that item.
    """
    drawn = [roles[r] for r in ("seed", "sample") if r in roles]
    rest = [c for r, c in roles.items() if r not in ("seed", "sample", *OF_BLOCKS)]
    alone = [c for c in drawn if is_apart(table, [*rest, c])] if len(drawn) > 1 else []
    called = seeds_settled(dict(roles), design, table.what, table.columns, alone)
    texts = ("algorithm", "dataset", "measure", *OF_BLOCKS)
    rows = {r: table.names(c) for r, c in called.items() if r in texts}
    inner = next((b for b in ("item", "fold", "sample", "repeat") if b in called), "")
    outer = next((b for b in ("repeat", "sample", "fold") if b in called and b != inner), "")
    crossed = is_crossed(design, called)
    if crossed and not outer:
        raise ResultsError(
            f"{table.what} has items ('{called['item']}') and does not say after which "
            f"{BLOCK_KINDS[design.replicate].unit if design else 'sample'}: put a column fold or "
            "sample beside it."
        )
    if inner == "item" and outer and not crossed:
        called = {r: c for r, c in called.items() if r not in BLOCKS or r == "item"}
        outer = ""
    if CONDITION in called:
        rows["repeat"] = table.labels(called[CONDITION])
        rows |= _condition_parts(table, called[CONDITION])
    if "seed" in called:
        rows["seed"] = table.labels(called["seed"])
    if outer:
        rows["repeat"] = table.labels(called[outer])
    if inner:
        rows["sample"] = table.labels(called[inner])
        _refuse_parts(table, called[inner], rows["sample"].names)
        if not outer and CONDITION not in called and (both := _repeats_and_folds(rows["sample"])):
            rows["repeat"], rows["sample"] = both
    return rows, called


def _condition_parts(table: Tabular, column: str) -> dict[str, Coded]:
    """What each row was tried under, where that is two things (prompts and judges)."""
    parts = column.split("+")
    if column in parts or len(parts) != len(CONDITION_PARTS):
        return {}
    return {role: table.labels(c) for role, c in zip(CONDITION_PARTS, parts, strict=True)}


def _refuse_parts(table: Tabular, column: str, names: list[str]) -> None:
    if {n.lower() for n in names} <= PARTS and [n.lower() for n in names] != ["test"]:
        raise ResultsError(
            f"{table.what}, column '{column}': {', '.join(names)} are no samples. Keep "
            f"the rows that are to be compared and {table.way_out(ignore=column)}."
        )


def _repeats_and_folds(labels: Coded) -> tuple[Coded, Coded] | None:
    """Repeats and folds, where all labels are such as Fold01.Rep1."""
    matches = [_BOTH.fullmatch(name.strip()) for name in labels.names]
    if not all(matches):
        return None
    pairs = [(m["repeat"] or m["repeat2"], m["fold"] or m["fold2"]) for m in matches if m]
    return _numbered([p[0] for p in pairs], labels), _numbered([p[1] for p in pairs], labels)


def _numbered(numbers: list[str], labels: Coded) -> Coded:
    values, codes = np.unique([read_digits(n) for n in numbers], return_inverse=True)
    return Coded(codes[labels.codes], [str(v) for v in values])


def designed(table: Tabular, called: Mapping[str, str], design: Sampling | None) -> Sampling | None:
    """The sampling that the table carries itself; None where it does not."""
    if design is not None:
        return None
    if "item" in called:
        return None if is_word(called["item"], ("id",)) else Sampling(ITEMS.name)
    column = next((called[b] for b in ("fold", "sample", "repeat") if b in called), None)
    if column is None:
        return None
    return _of_labels(table.labels(column).names) or _of_seeds(called)


def _of_labels(labels: list[str]) -> Sampling | None:
    if all(_BOTH.fullmatch(label.strip()) for label in labels):
        return Sampling(REPEATED_CV.name)
    if len(labels) > 1 and all(_FOLD.fullmatch(label.strip()) for label in labels):
        return Sampling(CV.name)
    return None


def _of_seeds(called: Mapping[str, str]) -> Sampling | None:
    """Seeds, where each is all that tells the scores of an algorithm apart."""
    alone = [b for b in BLOCKS if b in called] == ["sample"]
    return Sampling(SEEDS.name) if alone and role_of(called["sample"]) == "seed" else None


def design_notes(sheet: Sheet) -> tuple[Note, ...]:
    """What was taken from the table without being said: its sampling, and clusters of items."""
    notes = []
    if sheet.design is not None:
        order = ("item", "fold", "sample", "repeat")
        column = next(sheet.called[b] for b in order if b in sheet.called)
        notes.append(Note("design-carried", REMARK, sampling=sheet.design.name, column=column))
    if CONDITION in sheet.called:
        column, tried = sheet.called[CONDITION], len(sheet.about["repeat"].names)
        parts = [(r, sheet.about[r]) for r in CONDITION_PARTS if r in sheet.about]
        names = zip(column.split("+"), parts, strict=False)
        of = tuple((name, len(coded.names)) for name, (_, coded) in names)
        notes.append(Note("conditions-read", REMARK, column=column, conditions=tried, parts=of))
    if "cluster" in sheet.called:
        clusters = len(sheet.about["cluster"].names)
        column = sheet.called["cluster"]
        notes.append(Note("clusters-read", REMARK, column=column, clusters=clusters))
    return tuple(notes)


# -- rows and columns that summarise others -------------------------------------------------------
# Average, Avg rank, W/T/L. They are no scores.


_OF_SPREAD = "std|sd|stddev|stdev|se|sem|stderr|var|variance|ci|ci95|error_?bar|rank"
_SPREAD = re.compile(rf"[\s_.(/-]+({_OF_SPREAD})\)?$|^({_OF_SPREAD})[\s_./-]+", re.IGNORECASE)
_MEAN = re.compile(r"[\s_.(/-]+(mean|avg|average)\)?$|^(mean|avg|average)[\s_./-]+", re.IGNORECASE)
LEAST_ROWS = 4  # of which the last may be the mean of the others
# a column called so is an algorithm, unless it is that of the others
_OF_OTHERS: dict[str, Callable[..., np.ndarray]] = {
    "mean": np.nanmean, "average": np.nanmean, "avg": np.nanmean, "median": np.nanmedian,
    "sum": np.nansum, "total": np.nansum, "std": np.nanstd, "sd": np.nanstd, "best": np.nanmax,
    "overall": np.nanmean, "max": np.nanmax, "min": np.nanmin, "worst": np.nanmin,
}  # fmt: skip


def less_summary_rows(table: Tabular, text: Said) -> tuple[Tabular, tuple[Note, ...]]:
    """Without the rows whose data set or sample is called Average or alike, and a note."""
    kinds = ("dataset", *BLOCKS)
    columns = [c for r in (*kinds, "block") for c in text.get(r, ()) if c in table.columns]
    columns += [c for c in table.columns if role_of(c) in kinds and c not in columns]
    gone, names = np.zeros(len(table.frame), bool), dict[str, None]()
    for column in columns:
        codes, labels = table.kinds(column)
        if not any(not label.isdecimal() and is_summary(label) for label in labels):
            continue
        heads = [c for c in table.columns if role_of(c) in (None, "value")]
        heads = [c for c in heads if table.is_numeric(c)]
        values = [table.parsed(c).values for c in heads]
        called = summaries(np.array(labels, object)[codes], values)
        gone |= np.isin(labels, called)[codes]
        names |= dict.fromkeys(called)
    if not gone.any() or gone.all():
        return table, ()
    return table.less_rows(gone), (Note("summary-rows", CAUTION, names=tuple(names)),)


def mean_row_note(table: Tabular, heads: Sequence[str], label: str) -> tuple[Note, ...]:
    """A note on a last row that holds about the means of all others, and is called otherwise.

    A row is a summary by its name alone: what its numbers are near to may be chance.
    """
    values = np.column_stack([table.parsed(h).values for h in heads])
    if values.shape[0] < LEAST_ROWS or values.shape[1] < 2:
        return ()
    if not np.isfinite(values[-1]).all() or np.isinf(values).any():  # refused with its cell
        return ()
    if len({*table.texts(label)}) < len(values):  # rows that repeat are samples
        return ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of a column without scores
        means = np.nanmean(values[:-1], axis=0)
    digits = next((d for d in range(13) if (np.round(values[-1], d) == values[-1]).all()), 13)
    near = np.abs(values[-1] - means) <= 0.51 * 10.0**-digits
    varied = np.nanmax(values[:-1], axis=0) - np.nanmin(values[:-1], axis=0) > 10.0 ** (1 - digits)
    if not (near & varied).all():  # few digits, or rows alike, agree by chance
        return ()
    return (Note("row-like-means", CAUTION, name=str(table.texts(label).iloc[-1])),)


def spread_columns(heads: Sequence[str]) -> list[str]:
    """The columns that tell how far the scores of another one spread: `svm_std` beside `svm`.

    >>> spread_columns(["svm_mean", "svm_std", "knn", "knn (sd)", "b_se"])
    ['svm_std', 'knn (sd)']
    """
    stems = {plain(_MEAN.sub("", h)) for h in heads if not _SPREAD.search(h)}
    return [h for h in heads if _SPREAD.search(h) and plain(_SPREAD.sub("", h)) in stems]


def summary_columns(table: Tabular, heads: Sequence[str]) -> list[str]:
    """The columns that summarise others; an error where one may be an algorithm."""
    results = [h for h in heads if is_summary(h)]
    for head in results:
        others = [h for h in heads if h not in results]
        if plain(head).strip(".:") in _OF_OTHERS and not _is_summary_of(table, head, others):
            raise ResultsError(
                f"{table.what}: the column '{head}' may be an algorithm or a summary of others. "
                f"Leave it out: {table.way_out(ignore=head)}; if it is an algorithm, give it "
                "another name in the table."
            )
    return results


def _is_summary_of(table: Tabular, head: str, others: Sequence[str]) -> bool:
    numeric = [c for c in others if table.is_numeric(c)]
    if not numeric or not table.is_numeric(head):
        return True
    values = np.column_stack([table.parsed(c).values for c in numeric])
    of_others: Callable[..., np.ndarray] = _OF_OTHERS[plain(head).strip(".:")]
    made = of_others(values, axis=1)
    spread = np.nanmax(values) - np.nanmin(values)
    return bool(np.allclose(made, table.parsed(head).values, atol=0.02 * spread, equal_nan=True))
