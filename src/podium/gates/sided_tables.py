"""Two tables as one, below each other; a column says which rows are old, and which are new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from podium.base.errors import ResultsError
from podium.gates.side import Side, check_shared, chosen
from podium.reading.cells.column_groups import free
from podium.reading.cells.columns import Tabular
from podium.reading.cells.vocabulary import (
    BLOCKS,
    Options,
    candidates,
    known_measure,
    plain,
    role_of,
    way_out,
)
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import refuse_step
from podium.reading.formats.records import one_table
from podium.reading.formats.tables import read_rows
from podium.reading.results import Results
from podium.samplings import RUNS, SEEDS
from podium.words.facts import CAUTION, Note


def of_tables(sides: Sequence[Side]) -> tuple[Results, list[str]]:
    """The results in both tables, and what the old and the new one are called there."""
    tables = [_table(side) for side in sides]
    options = sides[0].options
    refuse_step(options)
    pairs = [_with_side(t, side) for t, side in zip(tables, sides, strict=True)]
    tables, names = _values_alike([t for t, _ in pairs], sides), [name for _, name in pairs]
    columns = [c for c in tables[0].columns if c in tables[1].columns]
    odd = {c for t in tables for c in t.columns} - {*columns}
    _check_rows(columns, tables, sides)
    what = f"{sides[0].shown} followed by {sides[1].shown}"
    notes = [Note("columns-of-one", CAUTION, columns=tuple(sorted(odd)))] if odd else []
    frame = pd.concat([_pointed(t)[columns] for t in tables], ignore_index=True)
    joint = Tabular(frame, what, notes=(*tables[0].notes, *tables[1].notes))
    results = read_rows(joint, options)
    return replace(results, notes=(*results.notes, *notes)), names


def _table(side: Side) -> Tabular:
    if not side.source.paths:
        given = side.source.given
        single = isinstance(given, pd.DataFrame) and list(given.columns) == ["value"]
        return Tabular(given, side.shown) if single else replace(tabular(given), what=side.shown)
    return replace(one_table(side.source), what=side.shown)


def _with_side(table: Tabular, side: Side) -> tuple[Tabular, str]:
    """The rows of the one algorithm that is meant, now called old or new, and its own name."""
    text = side.options.columns
    columns = text.get("algorithm") or candidates(free(table.columns, text), "algorithm")
    if len(columns) > 1:
        raise ResultsError(
            f"{side.shown} has {len(columns)} columns that may name the algorithm: "
            f"{', '.join(columns)}. Say which: {table.way_out(algorithm=columns[0])}."
        )
    if not columns:
        table, name = _with_value(table, side)
        return replace(table, frame=table.frame.assign(algorithm=side.name), known={}), name
    table = table.joined(columns[0])
    table.check_column(columns[0])
    texts = table.texts(columns[0])
    name = chosen(list(dict.fromkeys(texts)), side)
    frame = table.frame[(texts == name).to_numpy()]
    if "algorithm" not in text:  # the other table may call it otherwise
        frame, columns = frame.drop(columns=columns), ["algorithm"]
    return replace(table, frame=frame.assign(**{columns[0]: side.name}), known={}), name


def _with_value(table: Tabular, side: Side) -> tuple[Tabular, str]:
    """A table without a column of algorithms: one column of scores, or that of one algorithm."""
    options = side.options
    columns = free(table.columns, options.columns)
    if "value" in options.columns or any(_is_score(c, options) for c in columns):
        return table, ""
    heads = [c for c in columns if not role_of(c) and c[0] != "#" and table.is_numeric(c)]
    if side.algorithm in columns and side.algorithm not in heads:
        heads.append(str(side.algorithm))
    if not heads:
        return table, ""
    name = chosen(heads, side)
    table = replace(table, frame=table.frame.drop(columns=[h for h in heads if h != name]))
    return (_renamed(table, [name], "value") if len(heads) > 1 else table), name


def _is_score(column: str, options: Options) -> bool:
    request = options.measure is not None and plain(column) == plain(options.measure)
    return request or role_of(column) == "value" or known_measure(column) is not None


def _values_alike(tables: Sequence[Tabular], sides: Sequence[Side]) -> list[Tabular]:
    """The tables with one name for the column of scores, where algorithms headed them, or none."""
    options = sides[0].options
    scores = [[c for c in t.columns if _is_score(c, options)] for t in tables]
    if not any(scores):
        own = [
            [c for c in t.columns if c not in tables[1 - i].columns] for i, t in enumerate(tables)
        ]
        heads = [
            [c for c in of if not role_of(c) and t.is_numeric(c)] for t, of in _both(tables, own)
        ]
        scores = heads if [len(h) for h in heads] == [1, 1] else scores
        return [_renamed(t, h, "value") for t, h in _both(tables, scores)]
    results = list(tables)
    for i, side in enumerate(sides):
        if not side.source.paths and scores[i] == ["value"] and len(scores[1 - i]) == 1:
            results[i] = _renamed(tables[i], scores[i], scores[1 - i][0])  # numbers have no name
    return results


def _renamed(table: Tabular, columns: list[str], name: str) -> Tabular:
    return replace(table, frame=table.frame.rename(columns=dict.fromkeys(columns, name)), known={})


def _both(tables: Sequence[Tabular], of: Sequence[list[str]]) -> list[tuple[Tabular, list[str]]]:
    return list(zip(tables, of, strict=True))


def _pointed(table: Tabular) -> pd.DataFrame:
    """The cells with decimal points, as the other table may have them."""
    if not table.decimal_comma:
        return table.frame
    texts = {c: table.texts(c) for c in table.columns if table.is_numeric(c)}
    commas = {c: t.str.replace(",", ".") for c, t in texts.items() if t.str.contains(",").any()}
    return table.frame.assign(**commas)


def _check_rows(columns: list[str], tables: Sequence[Tabular], sides: Sequence[Side]) -> None:
    """Refuse rows that nothing names, one score each, and items of which none is in both."""
    options = sides[0].options
    text = options.columns
    blocks = [c for c in columns if role_of(c) in BLOCKS and c not in text.get("ignore", ())]
    blocks += [c for role in BLOCKS for c in text.get(role, ())]
    sets = text.get("dataset") or candidates(columns, "dataset")
    if not blocks and not sets and all(len(t.frame) == 1 for t in tables):
        raise ResultsError(
            f"{sides[0].shown} and {sides[1].shown} have one score each, which tells no difference "
            "from chance. Give a row per item, run, fold or data set."
        )
    if not blocks and not sets:
        _check_texts([c for c in columns if c not in text.get("ignore", ())], tables, sides)
    if not blocks and not sets and options.sampling is None:
        raise ResultsError(
            f"{sides[0].shown}: nothing says what its rows are. Name them in a column item (or "
            f"fold, seed, dataset), or say --sampling {RUNS.name} where they are timings, "
            f"--sampling {SEEDS.name} where they are training runs (in Python: sampling=)."
        )
    items = text.get("item") or candidates(columns, "item")
    if len(items) == 1 and items[0] in columns:
        check_shared([{*t.texts(items[0])} for t in tables], sides)


def _check_texts(columns: list[str], tables: Sequence[Tabular], sides: Sequence[Side]) -> None:
    """Refuse a column that may name benchmarks, which must not be mixed, or items."""
    options = sides[0].options
    paired = options.sampling is not None and options.paired
    for column in columns:
        labels = all(t.is_text(column) or (paired and t.is_whole(column)) for t in tables)
        if role_of(column) == "algorithm" or _is_score(column, options):
            continue
        if labels and any(t.texts(column).nunique() > 1 for t in tables):
            raise ResultsError(
                f"{sides[0].shown}: what is '{column}'? If it names the benchmarks: "
                f"{_way_out(sides[0], 'dataset', column)}; if the items: "
                f"{_way_out(sides[0], 'item', column)}; if nothing that matters: "
                f"{_way_out(sides[0], 'ignore', column)}."
            )


def _way_out(side: Side, role: str, column: str) -> str:
    return way_out(side.options.columns, **{role: column})
