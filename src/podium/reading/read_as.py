"""How a source was read: what each column was taken for, which rows count, what is not used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from podium.words.facts import Note
from podium.words.saying import say

RECOGNISED = "recognised"  # the code of the note that says what a source was taken for
Named = tuple[tuple[str, tuple[str, ...]], ...]  # columns by role, or values by column
BLOCKS = ("item", "fold", "repeat", "seed", "sample", "condition")


@dataclass(frozen=True)
class ReadAs:
    """Roles of columns and rows that count; nothing where the layout of a tool says it all.

    >>> ReadAs(named({"algorithm": ["method"]})).to_dict()["roles"]
    {'algorithm': ['method']}
    """

    roles: Named = ()
    across: tuple[str, ...] = ()  # the role of the columns that hold scores, and these columns
    where: Named = ()  # rows that count: values by column
    without: Named = ()  # rows that do not
    ok: Named = ()  # values of runs that have not failed
    missing: Named = ()  # values that stand for no score
    unused: tuple[tuple[str, str], ...] = ()  # columns, and why they have no role
    records: str = ""  # where in a nested file the rows are
    files: int = 1

    def column(self, *roles: str) -> str:
        """The columns of the first of these roles that has any, joined by +."""
        of = dict(self.roles)
        return next(("+".join(of[r]) for r in roles if r in of), "")

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        across = {"role": self.across[0], "columns": list(self.across[1:])} if self.across else None
        return {
            "roles": _lists(self.roles),
            "across": across,
            "rows": {"only": _lists(self.where), "without": _lists(self.without)},
            "ok": _lists(self.ok),
            "missing": _lists(self.missing),
            "unused": dict(self.unused),
            "records": self.records or None,
            "files": self.files,
        }


def named(of: Mapping[str, Iterable[Any]]) -> Named:
    """Columns by role, or values by column, that do not change.

    >>> named({"split": ["test"]})
    (('split', ('test',)),)
    """
    return tuple((str(k), tuple(map(str, v))) for k, v in of.items())


def _lists(pairs: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, list[str]]:
    return {k: list(v) for k, v in pairs}


def reading_facts(notes: Iterable[Note]) -> dict[str, Any]:
    """How a source was read, for JSON, from the note that says it; nothing where none does."""
    note = next((n for n in notes if n.code == RECOGNISED), None)
    if note is None:
        return {}
    counts = {
        "algorithms": note.algorithms,
        "datasets": len(note.datasets),
        "samples": list(note.samples),
        "failed": note.failed,
        "measures": {name: "higher" if up else "lower" for name, up in note.measures},
    }
    return {"text": say(note), "layout": note.title or None} | counts | note.read_as.to_dict()
