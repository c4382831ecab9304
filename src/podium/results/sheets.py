"""Somebody's scores as a sheet: a rectangle of numbers, and what its rows and columns are about.

Long and wide tables become sheets here, mappings in `mappings.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from podium.errors import ResultsError
from podium.registry import unknown
from podium.results.tabular import Coded, Tabular, tabular
from podium.results.vocabulary import (
    BLOCKS,
    PERHAPS_A_SCORE,
    SIZES,
    Said,
    candidates,
    known_measure,
    plain,
    role_of,
    way_out,
)

ABOUT_ROWS = ("dataset", "measure", "cluster", *BLOCKS)
PARTS = {"train", "training", "test", "testing", "valid", "validation", "dev", "val"}


@dataclass(frozen=True)
class Sheet:
    """Scores of rows by heads; heads are algorithms or, then `across` says so, measures.

    `rows` says what every row is about: dataset, sample, repeat (samples are numbered repeat by
    repeat), cluster, and algorithm or measure. A measure called "" has no name in the source.
    """

    what: str
    values: np.ndarray
    across: str
    heads: list[str]
    rows: dict[str, Coded]
    number: np.ndarray  # of each row in the source
    name: str = ""
    called: Mapping[str, str] = field(default_factory=dict)  # role -> column of the source
    unused: tuple[str, ...] = ()
    higher: bool | None = None  # what the source says about measures that nobody knows

    @property
    def measures(self) -> list[str]:
        """The names of the measures."""
        if "measure" in self.rows:
            return self.rows["measure"].names
        return self.heads if self.across == "measure" else [""]


def table_sheet(source: Any, said: Said, measure: str | None, items: bool) -> Sheet:
    """The sheet in a file or a frame.

    `measure` and `items` are what the caller says: they tell which column holds the scores, and
    that a table without a block column has one row per item.
    """
    table = tabular(source)
    _check_exist(table, said)
    if "block" not in said and ("algorithm" in said or candidates(_free(table, said), "algorithm")):
        return _from_long(table, said, measure)
    return _from_wide(table, said, items)


def _free(table: Tabular, said: Said) -> list[str]:
    """The columns of which the caller says nothing."""
    claimed = {c for columns in said.values() for c in columns}
    return [c for c in table.columns if c not in claimed]


def _check_exist(table: Tabular, said: Said) -> None:
    for columns in said.values():
        for column in columns:
            if column not in table.columns:
                raise ResultsError(unknown(f"column of {table.what}", column, table.columns))


def _refuse_two(table: Tabular, role: str, found: list[str]) -> None:
    raise ResultsError(
        f"{table.what} has {len(found)} columns that may be the {role}: {', '.join(found)}. "
        f"Say which: {way_out(**{role: found[0], 'ignore': found[1:]})}."
    )


# -- long tables ----------------------------------------------------------------------------


def _from_long(table: Tabular, said: Said, measure: str | None) -> Sheet:
    roles = _long_roles(table, said)
    scores = _score_columns(table, roles, said, measure)
    unused = [c for c in _free(table, said) if c not in roles.values() and c not in scores]
    rows = _about_rows(table, roles)
    algorithms = rows["algorithm"] = table.names(roles["algorithm"])
    _check_not_wide_too(table, algorithms.names, unused)
    return Sheet(
        table.what,
        np.column_stack([table.numbers(c) for c in scores]),
        "measure",
        list(scores.values()),
        rows,
        table.row,
        table.name,
        roles,
        tuple(unused),
    )


def _long_roles(table: Tabular, said: Said) -> dict[str, str]:
    """The column of each role, said or told by its name; scores aside."""
    roles = {r: c[0] for r, c in said.items() if r not in ("value", "ignore", "block")}
    for role in ("algorithm", *ABOUT_ROWS):
        found = candidates(_free(table, said), role)
        if role in roles or not found or not _may_join(role, said):
            continue
        if len(found) > 1:
            _refuse_two(table, role, found)
        roles[role] = found[0]
    _check_blocks(table, roles)
    return roles


def _may_join(role: str, said: Said) -> bool:
    """Who says what the samples are means it; only repeat and fold go together."""
    told = {b for b in BLOCKS if b in said}
    return role not in BLOCKS or not told or {role, *told} <= {"repeat", "fold"}


def _check_blocks(table: Tabular, roles: dict[str, str]) -> None:
    beside = [roles[b] for b in BLOCKS if b in roles and b != "item"]
    if "item" in roles and beside:
        item = roles["item"]
        raise ResultsError(
            f"{table.what} has items (column '{item}') and samples ({', '.join(beside)}). Say "
            f"which are the blocks: {way_out(ignore=item)} or {way_out(ignore=beside)}."
        )


def _about_rows(table: Tabular, roles: dict[str, str]) -> dict[str, Coded]:
    told = [r for r in roles if r in ("dataset", "measure", "cluster")]
    rows = {r: table.names(roles[r]) for r in told}
    rows |= {r: table.labels(c) for r, c in _block_columns(roles).items()}
    if "sample" in rows and {n.lower() for n in rows["sample"].names} <= PARTS:
        column = _block_columns(roles)["sample"]
        raise ResultsError(
            f"{table.what}, column '{column}': {', '.join(rows['sample'].names)} are no samples. "
            f"Keep the rows whose scores are to be compared and {way_out(ignore=column)}."
        )
    return rows


def _block_columns(roles: dict[str, str]) -> dict[str, str]:
    """The columns that number the samples: by `sample`, or by `sample` within `repeat`."""
    inner = next((b for b in ("fold", "sample", "item", "repeat") if b in roles), None)
    if inner is None:
        return {}
    outer = next((b for b in ("repeat", "sample") if b in roles and b != inner), None)
    return ({"repeat": roles[outer]} if outer else {}) | {"sample": roles[inner]}


def _score_columns(
    table: Tabular, roles: dict[str, str], said: Said, measure: str | None
) -> dict[str, str]:
    """The columns of scores with their measures' names, "" where the name says nothing."""
    free = [c for c in _free(table, said) if c not in roles.values()]
    if "value" in said:
        several = len(said["value"]) > 1
        scores = {c: c if several or known_measure(c) else "" for c in said["value"]}
    else:
        scores = _told_scores(table, free, "measure" in roles, measure)
    if "measure" not in roles:
        return scores
    if len(scores) > 1:
        _refuse_two(table, "value", list(scores))
    return dict.fromkeys(scores, "")


def _told_scores(
    table: Tabular, free: list[str], measured: bool, measure: str | None
) -> dict[str, str]:
    """The score columns by their names: `value` and its like, or measures that are known."""
    generic = candidates(free, "value")
    if len(generic) > 1:
        _refuse_two(table, "value", generic)
    if measured and generic:
        return dict.fromkeys(generic, "")
    asked = [c for c in free if measure is not None and plain(c) == plain(measure)]
    if asked:
        return {asked[0]: asked[0]}
    named = [c for c in free if role_of(c) is None and known_measure(c)]
    if not generic and not named:
        return _only_numbers(table, free, measure)
    return {c: "" if c in generic else c for c in free if c in generic or c in named}


def _only_numbers(table: Tabular, free: list[str], measure: str | None) -> dict[str, str]:
    """The one column that can hold scores, as no other has numbers."""
    numeric = [
        c
        for c in free
        if role_of(c) is None and plain(c) not in SIZES and c[0] != "#" and table.is_numeric(c)
    ]
    if len(numeric) != 1:
        raise ResultsError(
            f"{table.what} names algorithms, and no column is called value or like a known "
            f"measure. Say where the scores are: {way_out(value=(numeric or ['COLUMN'])[0])}"
            + (f" (numbers are in {', '.join(numeric)})" if numeric else "")
            + ". If the algorithms are the columns, say which is the block: --columns block=COLUMN."
        )
    nameless = measure is not None or plain(numeric[0]) == PERHAPS_A_SCORE
    return {numeric[0]: "" if nameless else numeric[0]}


def _check_not_wide_too(table: Tabular, algorithms: list[str], unused: Iterable[str]) -> None:
    both = [c for c in unused if c in algorithms]
    if both:
        raise ResultsError(
            f"{table.what} is long and wide at once: '{both[0]}' is an algorithm in a row and the "
            f"name of a column. Leave the columns out ({way_out(ignore=both)}) or the rows."
        )


# -- wide tables ----------------------------------------------------------------------------


def _from_wide(table: Tabular, said: Said, items: bool) -> Sheet:
    roles = _wide_roles(table, said)
    heads = [c for c in _free(table, said) if c not in roles.values()]
    if not {"dataset", *BLOCKS} & set(roles) and not items:
        _refuse_blockless(table, heads)
    _check_heads(table, heads, roles)
    rows = _about_rows(table, roles)
    if not {"dataset", *BLOCKS} & set(roles):
        n = len(table.frame)
        rows["sample"] = Coded(np.arange(n), [str(i) for i in range(1, n + 1)])
    values = np.column_stack([table.numbers(c) for c in heads])
    return Sheet(table.what, values, "algorithm", heads, rows, table.row, table.name, roles)


def _wide_roles(table: Tabular, said: Said) -> dict[str, str]:
    """The columns about rows: those said, and the leading ones that are called so."""
    for key in ("value", "algorithm"):
        if key in said:
            raise ResultsError(
                f"In columns: '{key}' is for long tables, and {table.what} has no column of "
                "algorithms. Say which it is: --columns algorithm=COLUMN,value=COLUMN."
                if key == "value"
                else "In columns: 'algorithm' is for long tables and 'block' for wide ones; "
                "say one of them."
            )
    roles = {r: c[0] for r, c in said.items() if r in ABOUT_ROWS}
    if "block" in said:
        return roles | _said_blocks(table, said["block"])
    for column in _free(table, said):
        role = role_of(column)
        if role not in ABOUT_ROWS or not table.is_label(column) or not _leads(column, roles):
            break
        if role in roles:
            _refuse_two(table, role, [roles[role], column])
        roles[role] = column
    _check_blocks(table, roles)
    return roles


def _leads(column: str, roles: dict[str, str]) -> bool:
    """`b` is an algorithm, too, where a, b and c are compared."""
    return plain(column) != "b" or set(roles) <= {"dataset"}


def _said_blocks(table: Tabular, columns: list[str]) -> dict[str, str]:
    roles: dict[str, str] = {}
    for column in columns:
        role = role_of(column)
        if role not in ("dataset", *BLOCKS):
            raise ResultsError(
                f"{table.what}: '{column}' does not say what the blocks are. Say it: "
                f"{way_out(dataset=column)} or {way_out(sample=column)}."
            )
        roles[role] = column
    return roles


def _refuse_blockless(table: Tabular, heads: list[str]) -> None:
    first = table.columns[0]
    if any(role_of(h) == "value" for h in heads):
        raise ResultsError(
            f"{table.what} has scores but no column of algorithms. Say which it is: "
            f"--columns algorithm=COLUMN."
        )
    if first == "#1":
        raise ResultsError(
            f"{table.what}: the first column has no name. Say what it is: {way_out(dataset='#1')} "
            f"or {way_out(sample='#1')}, or leave row numbers out: {way_out(ignore='#1')}."
        )
    if table.is_text(first):
        raise ResultsError(
            f"{table.what}: the first column of a wide table heads the blocks, and '{first}' does "
            "not say whether they are data sets or samples. Call it dataset or sample, or say "
            f"it: {way_out(dataset=first)}."
        )
    raise ResultsError(
        f"{table.what}: the first column of a wide table heads the blocks, and '{first}' does "
        "not. Put a column dataset or sample in front, or say which it is: --columns "
        "sample=COLUMN. Where every row is an item of one test set, say --sampling items."
    )


def _check_heads(table: Tabular, heads: list[str], roles: dict[str, str]) -> None:
    """Refuse columns that are no algorithms."""
    if not heads:
        raise ResultsError(f"{table.what} has no column of scores.")
    nameless = [h for h in heads if h not in roles.values() and re.fullmatch(r"#\d+", h)]
    if nameless:
        raise ResultsError(
            f"{table.what}: column {nameless[0][1:]} has no name. Name the algorithm in the "
            f"header, or leave it out: {way_out(ignore=nameless)}."
        )
    if all(role_of(h) == "value" or h == PERHAPS_A_SCORE or known_measure(h) for h in heads):
        raise ResultsError(
            f"{table.what} names no algorithms, only measures ({', '.join(heads)}). Say which "
            "column holds the algorithms: --columns algorithm=COLUMN."
        )
    _check_all_scores(table, heads, roles)


def _check_all_scores(table: Tabular, heads: list[str], roles: dict[str, str]) -> None:
    odd = [h for h in heads if _is_no_algorithm(table, h)]
    if odd:
        blocks = [c for r, c in roles.items() if r in ("dataset", *BLOCKS)]
        told = {r: [c] for r, c in roles.items() if c not in blocks}
        told |= {"block": blocks} if blocks else {}
        raise ResultsError(
            f"{table.what}: every column beside the block is an algorithm, but "
            f"{', '.join(repr(h) for h in odd)} {'is' if len(odd) == 1 else 'are'} not: sizes, "
            f"labels or text. Leave out what is no score: {way_out(**told, ignore=odd)}."
        )


def _is_no_algorithm(table: Tabular, head: str) -> bool:
    if plain(head) in SIZES or table.is_text(head):
        return True
    labelled = role_of(head) in ABOUT_ROWS and len(plain(head)) > 2
    return labelled and table.is_label(head)  # a column `fold` behind the algorithms
