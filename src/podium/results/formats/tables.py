"""Tables of scores, long and wide: CSV (also gzipped) and Parquet files, and frames.

A long table has a row for every score and a column that names the algorithm; in a wide one the
algorithms are columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.registry import unknown
from podium.results.formats.record import FORMATS, Format, Sample, Source, text_sample
from podium.results.from_sheets import results_from
from podium.results.results import Results
from podium.results.sheets import Sheet, has_items, is_crossed, seeds_settled, sheet
from podium.results.tabular import Coded, Tabular, tabular
from podium.results.vocabulary import (
    ABOUT_ROWS,
    BLOCKS,
    SIZES,
    Options,
    Said,
    candidates,
    is_columns,
    known_measure,
    plain,
    role_of,
    way_out,
)
from podium.samplings import Sampling
from podium.targets import BLOCKS as BLOCK_KINDS

EXTENSIONS = ("csv", "csv.gz", "tsv", "tsv.gz", "txt", "parquet")
PARTS = {"train", "training", "test", "testing", "valid", "validation", "dev", "val"}


def read_table(source: Source, options: Options) -> Results:
    """The results in a table, long or wide: its whole header decides, however long that is."""
    table = tabular(_frame(source.given) if isinstance(source.given, Mapping) else source.given)
    is_long = _is_long(table.columns, options.columns)
    return results_from((long_sheet if is_long else _wide_sheet)(table, options), options)


def _frame(columns: Mapping[Any, Any]) -> pd.DataFrame:
    try:
        return pd.DataFrame(columns)
    except ValueError as error:
        raise ResultsError(f"The mapping is no table: {error}.") from None


def _is_table(source: Source) -> bool:
    if isinstance(source.given, Mapping):
        return is_columns(source.given)
    return len(source.paths) < 2 and len(source.columns) > 1


def _is_long(columns: Iterable[str], said: Said) -> bool:
    """Whether a column names the algorithms."""
    return "block" not in said and (
        "algorithm" in said or bool(candidates(_free(columns, said), "algorithm"))
    )


LONG = FORMATS.add(
    Format(
        "long-table",
        "a table with one row per score, in which a column names the algorithm",
        recognises=lambda source: _is_table(source) and _is_long(source.columns, source.said),
        read=read_table,
        samples=[
            text_sample(
                "scores.csv",
                "dataset,method,acc\niris,svm,0.9\niris,knn,0.8\nzoo,svm,0.7\nzoo,knn,0.6\n",
                order=("svm", "knn"),
            )
        ],
        extensions=EXTENSIONS,
        general=True,
    )
)
WIDE = FORMATS.add(
    Format(
        "wide-table",
        "a table with one column per algorithm, in which a row is a data set, sample or item",
        recognises=lambda source: _is_table(source) and not _is_long(source.columns, source.said),
        read=read_table,
        samples=[
            text_sample(
                "errors.csv",
                "dataset;svm;knn\niris;0,1;0,2\nzoo;0,3;0,4\n",
                order=("svm", "knn"),
                measure="error",
            ),
            Sample(
                lambda folder: pd.DataFrame({"fold": [1, 2], "svm": [0.9, 0.8], "knn": [0.7, 0.9]}),
                order=("svm", "knn"),
                options={"measure": "accuracy", "sampling": "cv"},
            ),
        ],
        extensions=EXTENSIONS,
        general=True,
    )
)


# -- what columns are about -----------------------------------------------------------------


def _is_blockless(design: Sampling | None) -> bool:
    """Whether rows need no name: each is an item, or pairs nothing."""
    return design is not None and (design.name == "items" or design.independent)


def _free(columns: Iterable[str], said: Said) -> list[str]:
    """The columns of which the caller says nothing."""
    claimed = {c for columns in said.values() for c in columns}
    return [c for c in columns if c not in claimed]


def _check_said(table: Tabular, said: Said) -> None:
    for column in (c for columns in said.values() for c in columns):
        if column not in table.columns:
            raise ResultsError(unknown(f"column of {table.what}", column, table.columns))


def _refuse_two(table: Tabular, role: str, found: list[str]) -> NoReturn:
    raise ResultsError(
        f"{table.what} has {len(found)} columns that may be the {role}: {', '.join(found)}. "
        f"Say which: {way_out(**{role: found[0], 'ignore': found[1:]})}."
    )


def _about_rows(table: Tabular, roles: dict[str, str], design: Sampling | None) -> dict[str, Coded]:
    """What every row is about; samples by `sample`, or by `sample` within `repeat`.

    Where items are crossed with training sets, an item is a `sample` within its `repeat`.
    """
    roles = seeds_settled(roles, design, table.what, table.columns)
    named = ("algorithm", "dataset", "measure", "cluster")
    rows = {r: table.names(c) for r, c in roles.items() if r in named}
    inner = next((b for b in ("item", "fold", "sample", "repeat") if b in roles), "")
    outer = next((b for b in ("repeat", "sample", "fold") if b in roles and b != inner), "")
    crossed = is_crossed(design, roles)
    if crossed and not outer:
        raise ResultsError(
            f"{table.what} has items ('{roles['item']}') and does not say after which "
            f"{BLOCK_KINDS[design.replicate].unit if design else 'sample'}: put a column fold or "
            "sample beside it, or say --columns sample=COLUMN."
        )
    if inner == "item" and outer and not crossed:
        raise ResultsError(
            f"{table.what} has several scores of each item ('{roles[inner]}'), by "
            f"'{roles[outer]}': give one of each algorithm and item, such as their mean, or (if "
            f"'{roles[inner]}' are no items) {way_out(sample=roles[outer], ignore=roles[inner])}."
        )
    if "seed" in roles:
        rows["seed"] = table.labels(roles["seed"])
    if outer:
        rows["repeat"] = table.labels(roles[outer])
    if inner:
        rows["sample"] = table.labels(roles[inner])
        names, way = rows["sample"].names, way_out(ignore=roles[inner])
        if {n.lower() for n in names} <= PARTS:
            raise ResultsError(
                f"{table.what}, column '{roles[inner]}': {', '.join(names)} are no samples. Keep "
                f"the rows that are to be compared and {way}."
            )
    return rows


# -- long tables ----------------------------------------------------------------------------


def long_sheet(table: Tabular, options: Options) -> Sheet:
    """The sheet in a table with one row per score."""
    said, design = options.columns, options.sampling
    _check_said(table, said)
    roles = _long_roles(table, said, design)
    free = [c for c in _free(table.columns, said) if c not in roles.values()]
    several = len(said.get("value", ())) > 1
    scores = {c: c if several or known_measure(c) else "" for c in said.get("value", ())}
    scores = scores or _score_columns(table, free, "measure" in roles, options.measure)
    if "measure" in roles and len(scores) > 1:
        _refuse_two(table, "value", list(scores))
    return sheet(
        table.what,
        np.column_stack([table.numbers(c) for c in scores]),
        "measure",
        list(scores.values()),
        _about_rows(table, roles, design),
        table.row,
        name=table.name,
        called=roles,
    )


def _long_roles(table: Tabular, said: Said, design: Sampling | None) -> dict[str, str]:
    """The column of each role, said or told by its name; scores aside."""
    roles = {r: c[0] for r, c in said.items() if r not in ("value", "ignore", "block")}
    told = {b for b in BLOCKS if b in said}
    items = has_items(design)
    together = {"sample", "fold", "seed", "item"} if items else {"repeat", "fold", "seed"}
    for role in ("algorithm", *ABOUT_ROWS):
        # who says what the samples are means it; only some go together
        if role in roles or (role in BLOCKS and told and not {role, *told} <= together):
            continue
        found = candidates(_free(table.columns, said), role)
        if len(found) > 1:
            _refuse_two(table, role, found)
        if found:
            roles[role] = found[0]
    if "cluster" not in said and not any(b in roles for b in BLOCKS) and "cluster" in roles:
        roles["item"] = roles.pop("cluster")  # nothing else tells scores apart, as doc_id does
    return roles


def _score_columns(
    table: Tabular, free: list[str], measured: bool, measure: str | None
) -> dict[str, str]:
    """The columns of scores with their measures' names, "" where the name says nothing.

    They are called value or alike, as asked for, or as known measures; or no other has numbers.
    """
    generic = candidates(free, "value")
    if len(generic) > 1:
        _refuse_two(table, "value", generic)
    asked = [c for c in free if measure is not None and plain(c) == plain(measure)]
    if asked and not measured:
        return {asked[0]: asked[0]}
    named = [] if generic and measured else [c for c in free if not role_of(c) and known_measure(c)]
    if generic or named:
        return {c: "" if c in generic else c for c in free if c in generic or c in named}
    odd = [c for c in free if role_of(c) or plain(c) in SIZES or c[0] == "#"]
    numeric = [c for c in free if c not in odd and table.is_numeric(c)]
    if len(numeric) != 1:
        raise ResultsError(
            f"{table.what} names algorithms, and no column is called value or like a known "
            f"measure (numbers are in: {', '.join(numeric) or 'none'}). Say where the scores are: "
            f"{way_out(value=(numeric or ['COLUMN'])[0])}. If the algorithms are the columns, say "
            "which is the block: --columns block=COLUMN."
        )
    return {numeric[0]: numeric[0] if measure is None else ""}


# -- wide tables ----------------------------------------------------------------------------


def _wide_sheet(table: Tabular, options: Options) -> Sheet:
    said, design = options.columns, options.sampling
    _check_said(table, said)
    roles = _wide_roles(table, said)
    heads = [c for c in _free(table.columns, said) if c not in roles.values()]
    blocks = [c for r, c in roles.items() if r in ("dataset", *BLOCKS)]
    if all(role_of(h) == "value" or known_measure(h) for h in heads):
        only = f", only measures ({', '.join(heads)})" if heads else " and has no scores"
        raise ResultsError(
            f"{table.what} names no algorithms{only}. Say which column holds the algorithms: "
            "--columns algorithm=COLUMN."
        )
    if not blocks and not _is_blockless(design):
        _refuse_blockless(table)
    _check_heads(table, heads, roles, blocks)
    rows = _about_rows(table, roles, design)
    if not any(r in BLOCKS for r in roles) and _is_blockless(design):
        n = len(table.frame)
        rows["sample"] = Coded(np.arange(n), [str(i) for i in range(1, n + 1)])
    values = np.column_stack([table.numbers(c) for c in heads])
    more = {"name": table.name, "called": roles}
    return sheet(table.what, values, "algorithm", heads, rows, table.row, **more)


def _wide_roles(table: Tabular, said: Said) -> dict[str, str]:
    """The columns about rows: those said, and the leading ones that are called so."""
    if "value" in said or "algorithm" in said:
        raise ResultsError(
            f"In columns: value and algorithm are for long tables, and {table.what} is none: say "
            "both of them (--columns algorithm=COLUMN,value=COLUMN), or neither."
        )
    roles = {r: c[0] for r, c in said.items() if r in ABOUT_ROWS}
    for column in said.get("block", _free(table.columns, said)):
        role = role_of(column)
        # `b` is an algorithm, too, where a, b and c are compared
        algorithm = plain(column) == "b" and not set(roles) <= {"dataset"}
        if "block" in said and role not in ("dataset", *BLOCKS):
            raise ResultsError(
                f"{table.what}: '{column}' does not say what the blocks are. Say it: "
                f"{way_out(dataset=column)} or {way_out(sample=column)}."
            )
        if role not in ABOUT_ROWS or algorithm or not table.is_label(column):
            break
        if role in roles:
            _refuse_two(table, role, [roles[role], column])
        roles[role] = column
    return roles


def _refuse_blockless(table: Tabular) -> NoReturn:
    first = table.columns[0]
    way = "Put a column dataset or sample in front, or say which it is: --columns sample=COLUMN"
    if first == "#1" or table.is_text(first):
        way = f"Say what it is: {way_out(dataset=first)}, {way_out(sample=first)} or (row numbers) "
        way += way_out(ignore=first)
    raise ResultsError(
        f"{table.what}: the first column of a wide table heads the blocks, and '{first}' does not "
        f"say whether they are data sets or samples. {way}. Where every row is an item of one test "
        "set, say --sampling items."
    )


def _check_heads(
    table: Tabular, heads: list[str], roles: dict[str, str], blocks: list[str]
) -> None:
    """Refuse columns that are no algorithms."""
    odd = [h for h in heads if _is_no_algorithm(table, h)]
    if odd:
        told: dict[str, list[str]] = {r: [c] for r, c in roles.items() if c not in blocks}
        told |= {"block": blocks} if blocks else {}
        raise ResultsError(
            f"{table.what}: every column beside the block is an algorithm, but "
            f"{', '.join(repr(h) for h in odd)} {'is' if len(odd) == 1 else 'are'} not: sizes, "
            f"labels, text or without a name. Leave out what is no score: "
            f"{way_out(**told, ignore=odd)}."
        )


def _is_no_algorithm(table: Tabular, head: str) -> bool:
    labelled = role_of(head) in ABOUT_ROWS and len(plain(head)) > 2 and table.is_label(head)
    return plain(head) in SIZES or head[0] == "#" or table.is_text(head) or labelled
