"""What may stand in the files of a board: the shapes of its rules and lines, and of its tables.

A board may come from a stranger: that a file is as the ledger says it was written does not mean
that it holds what `podium board` writes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import PodiumError, StoreError
from podium.core.base.options import is_number, is_share
from podium.core.base.shapes import (
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    AnyKind,
    Kind,
    NoToml,
    Shape,
    TableOf,
    one_of,
    parse_toml,
    whole_from,
)
from podium.core.samplings import parse as parse_sampling

OPEN, SEALED = KINDS = ("open", "sealed")
ALL, LADDER = SHOWINGS = ("all", "ladder")
NEW, SUBMITTED, ASKED, RENEWED = ("board", "submission", "question", "renewed")
WITHDRAWN = "withdrawn"
UNITS = ["key", "dataset", "unit", "digest", "cluster", "part"]  # columns
SCORED = ["name", "dataset", "unit", "value"]  # columns
PUBLIC = "public"
YES, NO = "yes", "no"


def refusal(says: str) -> StoreError:
    """The error that says what is wrong with a file of a board."""
    return StoreError(
        f"{says} Take it from a copy, or leave this board alone where you do not trust who sent it."
    )


# -- kinds of values ------------------------------------------------------------------------------


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value) is not None
    except ValueError:
        return False


def _is_sampling(value: Any) -> bool:
    try:
        return value == "" or parse_sampling(value) is not None
    except (PodiumError, TypeError, AttributeError):
        return False


def _are_bounds(value: Any) -> bool:
    two = isinstance(value, list) and len(value) == 2 and all(map(is_number, value))
    return two and not any(map(math.isnan, value)) and value[0] < value[1]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value != ""


DIGEST = Kind("a SHA-256 in letters", _is_digest)
TIME = Kind("a time such as 2026-01-31T12:00:00+00:00", _is_time)
NAME = Kind("a text that is not empty", _is_name)
FILES = TableOf(DIGEST, "a table of files and digests")
OWN: Mapping[str, AnyKind] = {
    "number": whole_from(1),
    "time": TIME,
    "previous": Kind("a SHA-256, or empty", lambda v: v == "" or _is_digest(v)),
    "hash": DIGEST,
    "event": TEXT,
}
KEPT: Mapping[str, AnyKind] = {"folder": NAME, "files": FILES, "scores": DIGEST, "reading": DIGEST}
SHOWN = Shape(
    "what was shown",
    {
        "score": Kind("a number or null", lambda v: v is None or NUMBER.fits(v)),
        "rank": Kind("a whole number or null", lambda v: v is None or whole_from(1).fits(v)),
        "of": whole_from(1),
        "released": TRUTH,
        "best": TEXT,
    },
    ("score", "rank", "of", "best"),
)


def line_shape(noun: str, keys: Mapping[str, AnyKind], less: Sequence[str] = ()) -> Shape:
    """The shape of a line of a ledger; all keys are needed but some."""
    return Shape(noun, {**OWN, **keys}, [key for key in (*OWN, *keys) if key not in less])


LINES: Mapping[str, Shape] = {
    NEW: line_shape("a new board", {"name": TEXT, "rules": DIGEST, "files": FILES, "best": TEXT}),
    SUBMITTED: line_shape(
        "a submission",
        {
            "name": NAME,
            **KEPT,
            "units": whole_from(0),
            "failed": whole_from(0),
            "shown": SHOWN,
            "level": NUMBER,
        },
        less=["level"],
    ),
    ASKED: line_shape(
        "a question",
        {
            "name": NAME,
            "against": TEXT,
            "question": whole_from(1),
            "level": NUMBER,
            "answer": one_of(YES, NO),
        },
    ),
    RENEWED: line_shape(
        "a renewal",
        {"files": FILES, "kept": Shape("what was kept", KEPT, [*KEPT]), "sealed": whole_from(1)},
    ),
    WITHDRAWN: line_shape("a withdrawal", {"name": NAME, "because": TEXT}),
}
RULES = Shape(
    "a board",
    {
        "name": TEXT,
        "kind": one_of(*KINDS),
        "measure": NAME,
        "higher_is_better": TRUTH,
        "bounds": Kind("a list of two numbers, the lower one first", _are_bounds),
        "sampling": Kind("a sampling such as 'items', or empty", _is_sampling),
        "alpha": Kind("a number between 0 and 1", is_share),
        "scores": one_of(*SHOWINGS),
        "questions": Kind(
            "a whole number from 0 to 1000", lambda v: WHOLE.fits(v) and 0 <= v <= 1000
        ),
        "named": TRUTH,
        "binary": TRUTH,
    },
    ("name", "kind", "measure", "higher_is_better", "sampling"),
)
LOT = Shape(
    "a lot",
    {
        "seed": whole_from(0),
        "item": TEXT,
        "cluster": TEXT,
        "public": whole_from(0),
        "digest": TEXT,
    },
    ("seed", "item", "cluster", "public", "digest"),
)


# -- reading --------------------------------------------------------------------------------------


def read_rules(text: str, path: Path) -> dict[str, Any]:
    """What board.toml says."""
    try:
        facts = parse_toml(text)
    except NoToml as error:
        raise refusal(f"'{path}' is no TOML file ({error}).") from None
    if fault := RULES.find_fault(facts):
        raise refusal(f"'{path}': {fault.says}")
    bounds = facts.get("bounds", [-math.inf, math.inf])
    if facts["kind"] == SEALED and (facts.get("questions", 0) < 1 or any(map(math.isinf, bounds))):
        raise refusal(f"'{path}': a sealed board needs questions, and bounds of scores.")
    return facts


@dataclass
class _Story:
    """What the lines of a ledger have told so far."""

    begun: bool = False
    names: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)

    def find_odd(self, entry: Mapping[str, Any]) -> str:
        """What is wrong with the next line; else nothing, and it belongs to the story."""
        event = entry["event"]
        if not isinstance(event, str) or event not in LINES:
            return f"a board has no line of the event {event!r:.60}"
        if fault := LINES[event].find_fault(dict(entry)):
            return fault.says.rstrip(".")
        if (event == NEW) == self.begun:
            return "a ledger begins with the line of the new board, and has no other one"
        self.begun = True
        if event in (NEW, RENEWED):
            has_units = any(name.startswith("units") for name in entry["files"])
            return "" if has_units else "it names no file of units"
        return self._find_odd_name(event, entry)

    def _find_odd_name(self, event: str, entry: Mapping[str, Any]) -> str:
        if event == SUBMITTED and entry["name"] in self.names:
            return f"there is a submission '{entry['name']}' already"
        wanted = [] if event == SUBMITTED else [entry["name"], entry.get("against", entry["name"])]
        for name in wanted:
            if name not in self.names:
                return f"there is no submission '{name}'"
        if event == WITHDRAWN and entry["name"] in self.withdrawn:
            return f"'{entry['name']}' was withdrawn before"
        known = self.withdrawn if event == WITHDRAWN else self.names
        known.add(entry["name"])
        return ""


def find_odd_line(entries: Sequence[Mapping[str, Any]]) -> tuple[int, str] | None:
    """The number of the first line that no board writes in its place, and what is wrong with it."""
    story = _Story()
    for number, entry in enumerate(entries, 1):
        if says := story.find_odd(entry):
            return number, says
    return None


def check_lines(path: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a ledger with a line that no board writes in its place."""
    if odd := find_odd_line(entries):
        raise refusal(f"'{path}', line {odd[0]}: {odd[1]}.")


def read_units(text: str, path: Path) -> pd.DataFrame:
    """The units of a board, each once."""
    units = _table(text, UNITS, path)
    for column in ("dataset", "key"):
        if (units[column] == "").any():
            raise refusal(f"'{path}': a unit has no {column}.")
    if not len(units) or not units["part"].isin((PUBLIC, SEALED)).all():
        raise refusal(f"'{path}': a unit is {PUBLIC} or {SEALED}.")
    if units["key"].duplicated().any() or units.duplicated(["dataset", "unit"]).any():
        raise refusal(f"'{path}' has a unit twice.")
    return units


def read_scores(text: str, path: Path) -> pd.DataFrame:
    """The scores of one submission or several, nan where there is none."""
    table = _table(text, SCORED, path)
    exact = table["value"].replace("", "nan").to_numpy(str)
    try:
        values = exact.astype(float)
    except ValueError:
        raise refusal(f"'{path}' has a score that is no number.") from None
    if np.isinf(values).any() or table.duplicated(["name", "dataset", "unit"]).any():
        raise refusal(f"'{path}' has an infinite score, or a unit twice.")
    return table.assign(value=values)


def _table(text: str, columns: Sequence[str], path: Path) -> pd.DataFrame:
    try:
        table = pd.read_csv(StringIO(text), dtype=str, keep_default_na=False)
    except (ValueError, RecursionError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise refusal(f"'{path}' cannot be read as CSV ({error!s:.120}).") from None
    if [*table.columns] != [*columns] or not isinstance(table.index, pd.RangeIndex):
        raise refusal(f"'{path}' has not the columns {', '.join(columns)}.")
    return table


def check_plan(plan: Any, path: Path) -> None:
    """Refuse the plan of a lot that no board draws."""
    if fault := LOT.find_fault(plan):
        raise refusal(f"'{path}': {fault.says}")
