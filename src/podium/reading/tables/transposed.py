"""Tables with a row for every algorithm and a column for every data set or sample.

Whether the columns are data sets or samples nothing in such a table says, so the caller does:
`--columns across=dataset`. The table then becomes a long one.
"""

from __future__ import annotations

from dataclasses import replace

from podium.base.errors import ResultsError
from podium.reading.cells.column_groups import free
from podium.reading.cells.columns import Tabular
from podium.reading.cells.vocabulary import (
    BLOCKS,
    Options,
    candidates,
    is_id,
    is_size,
    is_summary,
    role_of,
)
from podium.reading.tables.summaries import spread_columns
from podium.words.facts import CAUTION, Note

ACROSS = "across"  # the key of `columns` that says what the other columns are
KINDS = ("dataset", *BLOCKS)


def lengthened(table: Tabular, options: Options) -> tuple[Tabular, Options]:
    """The long table of a table whose columns are `across` data sets or samples; else as it is."""
    texts = {r: c for r, c in options.columns.items() if r != ACROSS}
    if ACROSS not in options.columns:
        return table, options
    role = options.columns[ACROSS][0]
    if any(role in columns for columns in texts.values()):  # algorithm=dataset,across=dataset
        table, texts = _renamed(table, texts, role)
    if role not in KINDS or role in table.columns:
        raise ResultsError(
            f"In columns: across says what the other columns of {table.what} are: "
            f"{', '.join(KINDS)}, not '{role}'."
        )
    heads, left = _heads(replace(table, said=texts), texts)
    label = next(iter(texts.get("algorithm") or candidates(table.columns, "algorithm")), "")
    table, summaries = _less_summaries(table, label)
    kept = [c for c in table.columns if c not in heads and c not in left]
    frame = table.frame.melt(kept, heads, var_name=role, value_name="value")
    names = tuple(left)
    notes = (Note("summary-columns", CAUTION, names=names),) if left else ()
    made = Tabular(
        frame,
        table.what,
        table.name,
        table.decimal_comma,
        notes=(*table.notes, *summaries, *notes),
    )
    return made, replace(options, columns={**texts, role: [role], "value": ["value"]})


def _renamed(
    table: Tabular, texts: dict[str, list[str]], column: str
) -> tuple[Tabular, dict[str, list[str]]]:
    """The table and its roles with another name for a column, whose own is needed."""
    other = column
    while other in table.columns:
        other += "_"
    frame = table.frame.rename(columns={column: other})
    roles = {r: [other if c == column else c for c in cs] for r, cs in texts.items()}
    return replace(table, frame=frame), roles


def _heads(table: Tabular, texts: dict[str, list[str]]) -> tuple[list[str], list[str]]:
    """The columns of scores, all numbers, and those that summarise them."""
    columns = [c for c in free(table.columns, texts) if not role_of(c) and not table.is_text(c)]
    columns = [c for c in columns if not is_size(c) and not is_id(c) and c[0] != "#"]
    left = [c for c in columns if is_summary(c)]
    left += spread_columns([c for c in columns if c not in left])
    heads = [c for c in columns if c not in left]
    for column in heads:
        table.numbers(column)  # what is no number is named by its cell
    return heads, left


def _less_summaries(table: Tabular, label: str) -> tuple[Tabular, tuple[Note, ...]]:
    """Without rows whose algorithm is called Average or alike, and a note."""
    if label not in table.columns:
        return table, ()
    texts = table.texts(label)
    gone = texts.map(is_summary).to_numpy(bool)
    names = tuple(dict.fromkeys(texts[gone]))
    notes = (Note("summary-rows", CAUTION, names=names),) if names else ()
    return table.less_rows(gone), notes
