"""What a table says of its design: what its rows are about, and how its samples were drawn.

A column of questions carries `items`, one of seeds `seeds`, labels such as Fold01.Rep1 repeated
cross-validation. It is said, not asked; a sampling of the caller's goes first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from podium.base.errors import ResultsError
from podium.questions.targets import BLOCKS as BLOCK_KINDS
from podium.reading.cells.column_groups import is_apart
from podium.reading.cells.columns import Coded, Tabular
from podium.reading.cells.vocabulary import (
    BLOCKS,
    CONDITION,
    CONDITION_PARTS,
    OF_BLOCKS,
    is_word,
    role_of,
)
from podium.reading.tables.sheets import Sheet, is_crossed, seeds_settled
from podium.samplings import CV, ITEMS, REPEATED_CV, SEEDS, Sampling
from podium.words.facts import REMARK, Note

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
    values, codes = np.unique([int(n) for n in numbers], return_inverse=True)
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
