"""One of two sources that are compared, the old or the new: its format, and whom it is about."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.base.registry import unknown
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import shown
from podium.reading.formats.reading import format_of, refuse_folder, refuse_too_many
from podium.reading.formats.record import Format, Source
from podium.reading.formats.records import JSON, SEVERAL
from podium.reading.formats.tables import DOCUMENT, LONG, WIDE

SIDES = OLD, NEW = "old", "new"


@dataclass(frozen=True)
class Side:
    """One of the two, looked at: which format it has, and what was said of it."""

    name: str
    source: Source
    record: Format | None
    options: Options
    algorithm: str | None  # that is meant, of several

    @property
    def shown(self) -> str:
        """How an error calls it."""
        return shown(self.source) if self.source.paths else f"the {self.name} table"

    @property
    def is_table(self) -> bool:
        """Whether it says nothing of itself but by its columns."""
        return self.record in (None, LONG, WIDE, DOCUMENT, JSON, SEVERAL)


def looked_at(name: str, given: Any, options: Options, algorithm: str | None) -> Side:
    """A source, with the format that it has."""
    alone = isinstance(given, (list, tuple)) and len(given) == 1
    given = given[0] if alone and isinstance(given[0], (str, Path)) else _as_frame(given)
    source = Source(given, options.columns)
    record = format_of(source) if source.paths else None
    refuse_too_many(source)
    if record is None:
        refuse_folder(source)
    return Side(name, source, record, options, algorithm)


def _as_frame(given: Any) -> Any:
    """Scores by item, lists of them by benchmark, or one list, as a frame; others as they are."""
    if isinstance(given, Mapping) and given:
        if all(isinstance(v, Real) for v in given.values()):
            return pd.DataFrame({"item": list(map(str, given)), "value": list(given.values())})
        if all(_is_numbers(v) for v in given.values()):
            rows = [(str(name), value) for name, values in given.items() for value in values]
            return pd.DataFrame(rows, columns=["dataset", "value"])
    return pd.DataFrame({"value": list(given)}) if _is_numbers(given) else given


def _is_numbers(given: Any) -> bool:
    several = not isinstance(given, (str, Mapping, pd.DataFrame)) and hasattr(given, "__len__")
    return bool(several and len(given) and all(isinstance(v, Real) for v in given))


def chosen(names: Sequence[str], side: Side) -> str:
    """The one algorithm of a source, or the one of several that the caller means."""
    if len(names) == 1 and (side.algorithm is None or side.algorithm not in names):
        return names[0]
    if side.algorithm is None:
        listed = ", ".join(names[:6]) + ", ..." * (len(names) > 6)
        raise ResultsError(
            f"{side.shown} has the scores of {len(names)} algorithms ({listed}). Say which one is "
            f"meant: --algorithm {shlex.quote(names[0])} (in Python: algorithm={names[0]!r})."
        )
    if side.algorithm not in names:
        raise ResultsError(unknown(f"algorithm of {side.shown}", side.algorithm, names))
    return side.algorithm


def check_shared(items: Sequence[set[str]], sides: Sequence[Side]) -> None:
    """Refuse items of which none is in both."""
    if not items[0] & items[1]:
        examples = [repr(min(of)) for of in items]
        raise ResultsError(
            f"No item is in both {sides[0].shown} and {sides[1].shown} (such as {examples[0]} and "
            f"{examples[1]}), so nothing can be paired. Give scores of the same items."
        )
