"""A judge's scores beside people's: tables with both, items to be labelled, and their layout.

Which items people label must be drawn before anybody looks. `podium label` draws them and writes
them into a column of the table with a signature: number, seed, and a digest of all items, so that
whoever analyses the table can see that just these were labelled.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.results.results import Results
from podium.core.samplings import ITEMS
from podium.core.verdicts.judged import DRAWN
from podium.core.words.facts import CAUTION, REMARK, Note
from podium.reading.files.tabular import tabular
from podium.reading.formats import read
from podium.reading.loading.sources import one_frame

COLUMN = "drawn"
NAMES = ("item", "item_id", "question_id", "question", "prompt_id", "prompt", "task_id", "id")
_SIGNED = re.compile(r"(\d{1,18}) of (.+) by seed (\d{1,400}) \(([0-9a-f]{12})\)")


def read_judged(
    source: Any,
    judge: str,
    human: str,
    *,
    sampling: Any = None,
    columns: str | Mapping[str, str | Iterable[str]] | None = None,
    higher_is_better: bool | None = None,
    **rows: Any,
) -> Results:
    """The results of both columns; larger scores are better unless it is said.

    Which rows count, `rows` may say: where, step and recipe of `read`.
    """
    table = tabular(one_frame(source))
    for column in (judge, human):
        if column not in table.columns:
            raise _no_column(table.what, column, table.columns)
    roles = _roles(columns) | {"value": [judge, human]}
    notes: list[Note] = []
    if COLUMN in table.columns:
        roles["ignore"] = [*roles.get("ignore", []), COLUMN]
        notes = _kept_to(table.frame, human, table.what)
    result = read(
        source,
        sampling=sampling or ITEMS.name,
        columns=roles,
        higher_is_better=True if higher_is_better is None else higher_is_better,
        **rows,
    )
    return replace(result, notes=(*result.notes, *notes))


def _no_column(what: str, column: str, columns: Sequence[str]) -> ResultsError:
    shown = ", ".join(f"'{name}'" for name in columns[:10])
    return ResultsError(f"{what} has no column '{column}': name one of {shown}.")


def _roles(columns: str | Mapping[str, str | Iterable[str]] | None) -> dict[str, list[str]]:
    if columns is None:
        return {}
    if isinstance(columns, str):
        text = dict(part.split("=", 1) for part in columns.split(",") if "=" in part)
        return {role.strip(): names.split(";") for role, names in text.items()}
    return {r: [n] if isinstance(n, str) else list(n) for r, n in columns.items()}


# -- items to be labelled --------------------------------------------------------------------------


def item_column(columns: Sequence[str], text: str | None, what: str) -> str:
    """The column that names the items."""
    if text is not None:
        if text not in columns:
            raise _no_column(what, text, columns)
        return text
    result = next((name for name in NAMES if name in columns), None)
    if result is None:
        raise ResultsError(f"{what} has no column of items: say which it is by --item COLUMN.")
    return result


def drawn_items(items: Sequence[str], labels: int, seed: int) -> list[str]:
    """A random sample of the items, which no order of rows changes."""
    every = sorted(set(items))
    if not 0 < labels < len(every):
        raise ResultsError(f"Of {len(every)} items {labels} cannot be drawn: say fewer, from 1 on.")
    chosen = np.random.default_rng(seed).choice(len(every), labels, replace=False)
    return [every[i] for i in np.sort(chosen)]


def signature(items: Sequence[str], column: str, labels: int, seed: int) -> str:
    """What is written beside every drawn item."""
    text = "\n".join([*sorted(set(items)), str(labels), str(seed)])
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{labels} of {column} by seed {seed} ({digest})"


def signed(frame: pd.DataFrame, column: str, human: str, labels: int, seed: int) -> pd.DataFrame:
    """The table with the drawn items marked, and room for people's scores."""
    refuse_drawn(frame)
    items = frame[column].astype(str)
    chosen = items.isin(drawn_items(items.tolist(), labels, seed))
    mark = signature(items.tolist(), column, labels, seed)
    room = {} if human in frame.columns else {human: ""}
    return frame.assign(**room, **{COLUMN: np.where(chosen, mark, "")})


def refuse_drawn(frame: pd.DataFrame) -> None:
    """A sentence where items of a table were drawn before."""
    if COLUMN in frame.columns and (frame[COLUMN].fillna("").astype(str).str.strip() != "").any():
        raise ResultsError(
            "The items to be labelled were drawn before: who draws until a sample pleases has no "
            f"random one. To draw for the first time, leave the column '{COLUMN}' out."
        )


def _kept_to(frame: pd.DataFrame, human: str, what: str) -> list[Note]:
    """That just the drawn items were labelled, or a sentence."""
    marks = frame[COLUMN].fillna("").astype(str).str.strip()
    known = sorted({mark for mark in marks if mark})
    read_as = _SIGNED.fullmatch(known[0]) if len(known) == 1 else None
    if read_as is None or read_as[2] not in frame.columns:
        raise ResultsError(
            f"{what}: the column '{COLUMN}' is not as `podium label` wrote it. Leave the column "
            "out to analyse labels as they are."
        )
    labels, column, seed = int(read_as[1]), read_as[2], int(read_as[3])
    items = frame[column].astype(str)
    if signature(items.tolist(), column, labels, seed) != known[0]:
        raise ResultsError(
            f"{what}: the items are not those of which `podium label` drew some. Give the table "
            f"with all its items, or leave the column '{COLUMN}' out."
        )
    drawn = set(drawn_items(items.tolist(), labels, seed))
    there = frame[human].fillna("").astype(str).str.strip().replace({"nan": "", "NA": ""}) != ""
    labelled = set(items[there])
    if others := sorted(labelled - drawn):
        raise ResultsError(
            f"{what}: '{others[0]}' was labelled but not drawn ({len(others)} such items). Empty "
            f"its cell in '{human}'."
        )
    notes = [Note(DRAWN, REMARK, labels=labels, seed=seed)]
    if missing := len(drawn - labelled):
        notes.append(Note("labels-missing", CAUTION, missing=missing, labels=labels))
    return notes


# -- layouts --------------------------------------------------------------------------------------
# A judge's scores with people's beside them, as one layout.
