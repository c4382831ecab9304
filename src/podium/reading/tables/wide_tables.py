"""Wide tables: a row for every block, a column for every algorithm, or the other way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NoReturn

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError, UnknownLayout
from podium.core.base.formatting import read_digits
from podium.core.results.measure_names import is_time
from podium.core.samplings import ITEMS, Sampling
from podium.core.words.facts import CAUTION, REMARK, Note
from podium.reading.cells.columns import Coded, Tabular, count, free, is_apart
from podium.reading.cells.melting import melted
from podium.reading.cells.vocabulary import (
    ABOUT_ROWS,
    BLOCKS,
    OF_ITEMS,
    STATISTICS,
    Options,
    Said,
    candidates,
    is_id,
    is_size,
    is_summary,
    is_word,
    known_measure,
    plain,
    role_of,
)
from podium.reading.files.documents import JOINT
from podium.reading.tables.long_tables import said_table
from podium.reading.tables.roles import refuse_half_battles, refuse_two
from podium.reading.tables.sheets import (
    PARTS,
    Sheet,
    about_rows,
    design_notes,
    designed,
    less_summary_rows,
    mean_row_note,
    sheet,
    spread_columns,
    summary_columns,
)

# -- measured heads -------------------------------------------------------------------------------
# Columns called by an algorithm and its measure: svm~Accuracy as of caret, svm_acc, acc_svm.


def crossed_heads(
    table: Tabular, values: np.ndarray, heads: Sequence[str], rows: dict[str, Coded]
) -> Sheet | None:
    """The sheet of columns called ALGORITHM~MEASURE, as caret has them; None where they are not."""
    parts = parted(heads)
    if "measure" in rows or not parts:
        return None
    measures = list(dict.fromkeys(m for _, _, m in parts))
    algorithms = list(dict.fromkeys(a for a, _, _ in parts))
    if len(heads) != len(measures) * len(algorithms):
        whole = [m for m in measures if sum(p[2] == m for p in parts) == len(algorithms)]
        rest = [h for h, p in zip(heads, parts, strict=True) if p[2] not in whole]
        raise ResultsError(
            f"{table.what}: not every algorithm of the columns {', '.join(heads)} has every "
            f"measure. Leave out what is only of some: {table.way_out(ignore=rest)}."
        )
    n, k = values.shape
    about = {r: Coded(np.repeat(c.codes, k), c.names) for r, c in rows.items()}
    for role, names, at in (("algorithm", algorithms, 0), ("measure", measures, 2)):
        codes = np.array([names.index(part[at]) for part in parts])
        about[role] = Coded(np.tile(codes, n), names)
    made = sheet(table.what, values.reshape(-1, 1), "algorithm", [""], about, name=table.name)
    return replace(made, row=np.repeat(table.row, k))


def parted(heads: Sequence[str]) -> list[tuple[str, str, str]]:
    """Algorithm and measure (first and last) of every column; none where they do not have both.

    >>> parted(["svm_acc", "svm_f1", "knn_acc", "knn_f1"])[1]
    ('svm', '_', 'f1')
    >>> parted(["log_loss", "hinge_loss"])
    []
    """
    joint = [h.rpartition(JOINT) for h in heads]
    turned = [(a, s, m) for m, s, a in (h.partition(JOINT) for h in heads)]
    for result in (joint, turned):
        if all(a and known_measure(m) for a, _, m in result):
            return result
    for sign in ("_", " ", ".", "/", "-"):
        behind = [h.rpartition(sign) for h in heads]
        before = [(a, s, m) for m, s, a in (h.partition(sign) for h in heads)]
        for result in (behind, before):
            names, measures = ({part[at] for part in result} for at in (0, 2))
            if _are_both(names, measures):
                return result
    return []


def _are_both(names: set[str], measures: set[str]) -> bool:
    """Whether names are of several algorithms, and measures of several measures."""
    odd = [n for n in names if not n or known_measure(n) or plain(n) in PARTS | STATISTICS]
    several = min(len(names), len(measures)) > 1
    return several and not odd and all(m and known_measure(m) for m in measures)


# -- wide tables ----------------------------------------------------------------------------------
# A row for every block, and a column for every algorithm.


QUALIFIERS = (
    PARTS
    | STATISTICS
    | {"macro", "micro", "weighted", "top1", "top5", "balanced", "standard", "rank"}
)

COUNTED = 1e12  # what is larger counts nothing: floats have no fractions there


def wide_sheet(table: Tabular, options: Options) -> Sheet:
    """The sheet in a table with one row per block."""
    text, design = options.columns, options.sampling
    table = said_table(table, text)
    table, notes = less_summary_rows(table, text)
    roles = _wide_roles(table, text, design)
    heads = [c for c in free(table.columns, text) if c not in roles.values()]
    blocks = [c for r, c in roles.items() if r in ("dataset", *BLOCKS)]
    _refuse_numbers(table, heads)
    _refuse_measures(table, heads)
    counted = not blocks and _is_counted(table, heads, design)
    if not blocks and not counted and not _is_blockless(design):
        _refuse_blockless(table, heads)
    scores = [h for h in heads if not _is_no_algorithm(table, h, heads)]
    summaries = summary_columns(table, scores) + spread_columns(scores)
    heads = [h for h in heads if h not in summaries]
    _check_heads(table, heads, roles)
    if blocks:
        notes += mean_row_note(table, heads, blocks[0])
    rows, called = about_rows(table, roles, design)
    rows |= (numbered := _numbered(table, rows, called, counted or _is_blockless(design)))
    values = np.column_stack([table.numbers(c) for c in heads])
    made = crossed_heads(table, values, heads, rows) or sheet(
        table.what, values, "algorithm", heads, rows, table.row, name=table.name
    )
    made = replace(
        made,
        called=called,
        said=text,
        percent=table.in_percent(heads),
        design=designed(table, called, design),
        failed={(row, h): word for h in heads for row, word in table.failed(h).items()},
    )
    if summaries:
        notes += (Note("summary-columns", CAUTION, names=tuple(summaries)),)
    if counted:
        notes += (Note("rows-are-samples", REMARK, rows=len(table.frame), sampling=str(design)),)
    if numbered and called and not _is_blockless(design):
        notes += (Note("rows-numbered", CAUTION, rows=len(numbered["sample"].names)),)
    return replace(made, notes=notes + table.notes_on(heads) + design_notes(made))


def _is_blockless(design: Sampling | None) -> bool:
    """Whether rows need no name: each is an item, or pairs nothing."""
    return design is not None and (design.name == ITEMS.name or design.independent)


def _is_counted(table: Tabular, heads: Sequence[str], design: Sampling | None) -> bool:
    """Whether rows without a name are the samples of a design: as many, and all of them scores.

    A first column of whole numbers may number data sets.
    """
    if design is None or design.count != len(table.frame) or len(heads) < 2:
        return False
    return all(table.is_numeric(h) for h in heads) and not table.is_label(heads[0])


def _numbered(
    table: Tabular, rows: Mapping[str, Coded], called: Mapping[str, str], each: bool
) -> dict[str, Coded]:
    """Numbers of rows that have none: of items, or of several rows of each data set."""
    n = len(table.frame)
    if any(r in BLOCKS for r in called):
        return {}
    if each:
        return {"sample": Coded(np.arange(n), [str(i) for i in range(1, n + 1)])}
    keys = [rows[r].codes for r in ("dataset", "measure") if r in rows]
    number = pd.Series(np.zeros(n)).groupby(keys).cumcount().to_numpy()
    sizes = pd.Series(number).groupby(keys).size()
    if sizes.nunique() > 1 or sizes.iloc[0] < 2 or len(sizes) < 2:
        return {}
    return {"sample": Coded(number, [str(i + 1) for i in range(int(sizes.iloc[0]))])}


# -- columns about rows -----------------------------------------------------------------------


def _wide_roles(table: Tabular, text: Said, design: Sampling | None) -> dict[str, str]:
    """The columns about rows: those said, and the leading ones that are called so."""
    if "value" in text or "algorithm" in text:
        raise ResultsError(
            f"In columns: value and algorithm are for long tables, and {table.what} is none: say "
            "both of them, or neither."
        )
    roles = {r: c[0] for r, c in text.items() if r in (*ABOUT_ROWS, "stratum")}
    rest = replace(table, said={r: c for r, c in text.items() if r != "block"})
    for column in text.get("block", free(table.columns, text)):
        role = role_of(column)
        # `b` is an algorithm, too, where a, b and c are compared
        algorithm = plain(column) == "b" and not set(roles) <= {"dataset"}
        if "block" in text and role not in ("dataset", *BLOCKS):
            raise ResultsError(
                f"{table.what}: '{column}' does not say what the rows are. Name them: "
                f"{rest.way_out(dataset=column)} or {rest.way_out(sample=column)}."
            )
        if column in roles.values():
            continue
        if role not in ABOUT_ROWS or algorithm or not table.is_label(column):
            break
        if role == "cluster" and is_word(column, OF_ITEMS) and not _has_items(roles, design):
            break
        if role in roles:
            refuse_two(table, role, [roles[role], column])
        roles[role] = column
    if "block" not in text:
        roles |= _later_blocks(table, text, roles)
    first = free(table.columns, text)[:1]
    if not roles and "block" not in text and _is_items(design) and _names_rows(table, first):
        roles["item"] = first[0]
    return roles


def _later_blocks(table: Tabular, text: Said, roles: Mapping[str, str]) -> dict[str, str]:
    """Columns called data set or sample behind others, where all others hold fractions."""
    rest = [c for c in free(table.columns, text) if c not in roles.values()]
    results = [c for c in rest if role_of(c) in ("dataset", *BLOCKS) and table.is_label(c)]
    scores = [c for c in rest if c not in results]
    by_name = {str(role_of(c)): c for c in results}
    clear = len(by_name) == len(results) and not by_name.keys() & roles.keys() and len(scores) > 1
    fractions = all(table.is_numeric(c) and not table.is_label(c) for c in scores)
    return by_name if clear and fractions else {}


def _is_items(design: Sampling | None) -> bool:
    return design is not None and design.name == ITEMS.name


def _names_rows(table: Tabular, first: Sequence[str]) -> bool:
    """Whether the first column names every row: text, or numbers without a name of their own."""
    return all((table.is_text(c) or c == "#1") and is_apart(table, [c]) for c in first) and bool(
        first
    )


def _has_items(roles: Mapping[str, str], design: Sampling | None) -> bool:
    return "item" in roles or (design is not None and design.name == ITEMS.name)


def _refuse_measures(table: Tabular, heads: Sequence[str]) -> None:
    """Refuse a table in which no column can be an algorithm."""
    measured = [role_of(h) == "value" or _is_measure(h) or plain(h) in STATISTICS for h in heads]
    if not all(measured) or parted(heads):
        return
    only = f", only measures ({', '.join(heads)})" if heads else " and has no scores"
    raise ResultsError(
        f"{table.what} names no algorithms{only}. Say which column holds the algorithms: "
        "--columns algorithm=COLUMN."
    )


def _is_measure(head: str) -> bool:
    """Whether a column is called by a measure, and not by an algorithm and its measure."""
    if known_measure(head) is None or JOINT in head:
        return False
    words = plain(head.replace("_", " ").split()[0]) if head.strip() else ""
    whole = known_measure(plain(head)) is not None
    return whole or words in QUALIFIERS or "/" in head or "." in head


def _refuse_blockless(table: Tabular, heads: Sequence[str]) -> NoReturn:
    first = heads[0] if heads else table.columns[0]
    refuse_half_battles(table)
    measures = _scores(heads)
    may_be = any(h not in measures for h in heads if not table.is_text(h))
    of_items = "Where every row is an item of one test set, use --sampling items."
    raise UnknownLayout(
        f"{table.what}: the first column of a wide table names the rows, and '{first}' does not "
        f"say whether they are data sets or samples. {_way_to_blocks(table, first, heads)}."
        + (f" {of_items}" if may_be else "")
    )


def _scores(heads: Sequence[str]) -> list[str]:
    """The columns that are called by a measure: then no column is an algorithm."""
    return [h for h in heads if role_of(h) == "value" or (_is_measure(h) and not is_time(h))]


def _way_to_blocks(table: Tabular, first: str, heads: Sequence[str]) -> str:
    """What can be said of a table whose first column does not head the blocks."""
    labels = [c for c in heads if role_of(c) in ("dataset", *BLOCKS) and table.is_label(c)]
    messages = {str(role_of(c)): c for c in labels if role_of(c) != "dataset"}
    names = [c for c in heads if table.is_text(c) and role_of(c) != "dataset"]
    scores = _scores(heads)
    if len(names) == 1 and first != names[0] and not scores:
        return f"If '{names[0]}' names the data sets: {table.way_out(dataset=names[0], **messages)}"
    if table.is_text(first) and scores:
        return f"If it names the algorithms: {table.way_out(algorithm=first, value=scores[0])}"
    if labels and table.is_text(first) and first not in ("#1", *labels):
        return f"If these are the data sets: {table.way_out(dataset=first, **messages)}"
    if labels:
        less = {"ignore": "#1"} if first == "#1" else {}
        return f"Say which columns are the block: {table.way_out(block=labels, **less)}"
    if first == "#1" or table.is_text(first):
        roles = ["dataset", *(["sample"] if is_apart(table, [first]) else [])]
        way = f"Say what it is: {' or '.join(table.way_out(**{r: first}) for r in roles)}"
        rows = table.way_out(algorithm=first, across="dataset")
        return f"{way}; or, if it names the algorithms: {rows}" if len(roles) > 1 else way
    n = len(table.frame)
    rows = f"; where every row is a sample, say so by --sampling bootstrap:{n} or cv:{n}"
    way = "Put a column dataset or sample in front, or say which it is: --columns sample=COLUMN"
    return way + rows * (n > 1 and not table.is_label(first))


# -- columns of scores ------------------------------------------------------------------------


def _check_heads(table: Tabular, heads: Sequence[str], roles: Mapping[str, str]) -> None:
    """Refuse columns that are no algorithms."""
    odd = [h for h in heads if _is_no_algorithm(table, h, heads)]
    if not odd or parted(heads):
        return
    names = [h for h in odd if role_of(h) in ("dataset", *BLOCKS) and role_of(h) not in roles]
    odd = [h for h in odd if h not in names]
    scores = [h for h in heads if h not in odd]
    _refuse_scoreless(table, heads, [*scores, *names])
    ways = _ways_on(table, odd, names, scores, roles)
    raise UnknownLayout(
        f"{table.what}: every column beside the names of rows is an algorithm, but "
        f"{', '.join(repr(h) for h in [*odd, *names])} {'is' if len(odd + names) == 1 else 'are'} "
        f"not: sizes, labels, text or without a name. {'. '.join(ways)}."
    )


def _ways_on(
    table: Tabular,
    odd: Sequence[str],
    texts: Sequence[str],
    scores: Sequence[str],
    roles: Mapping[str, str],
) -> list[str]:
    """What can be said of columns that are no algorithms."""
    names = [h for h in odd if _may_name(table, h)][:1]
    more = dict(roles) | {str(role_of(c)): c for c in texts}
    ways = []
    if "dataset" not in roles and len(scores) > 1:
        more_sets = [_less_block(table, **{**more, "dataset": n}) for n in names]
        ways += [
            f"If '{n}' names the data sets: {w}" for n, w in zip(names, more_sets, strict=True)
        ]
    ways += [f"If '{n}' names the algorithms: {_as_long(table, n, scores, roles)}" for n in names]
    apart = [c for r, c in more.items() if r in ("dataset", *BLOCKS)]
    whole = not apart or is_apart(table, apart)
    numbers = [h for h in odd if table.is_whole(h) and is_apart(table, [*apart, h])]
    if not whole and not {*BLOCKS} & {*more}:
        rest = {"ignore": left} if (left := [h for h in odd if h not in numbers[:1]]) else {}
        messages = [_less_block(table, **more, sample=h, **rest) for h in numbers[:1]]
        ways += [f"If '{numbers[0]}' numbers the samples: {way}" for way in messages]
    if (whole and (len(scores) > 1 or not names)) or not ways:
        ways.append(f"Leave out what is no score: {_less_odd(table, odd, more)}")
    return ways


def _less_odd(table: Tabular, odd: Sequence[str], roles: Mapping[str, str]) -> str:
    """How to leave columns out; where their names say what blocks are, these are named at once."""
    blocks = [c for r, c in roles.items() if r in ("dataset", *BLOCKS)]
    messages: dict[str, str | list[str]] = {r: c for r, c in roles.items() if c not in blocks}
    if all(role_of(c) == r for r, c in roles.items()) and not any(r in table.said for r in roles):
        messages |= {"block": blocks} if blocks else {}
    else:
        messages |= roles
    return table.way_out(**messages, **({"ignore": list(odd)} if odd else {}))


def _as_long(table: Tabular, name: str, scores: Sequence[str], roles: Mapping[str, str]) -> str:
    """How to say that a table is long; what blocks are said to be is said by their roles."""
    values = {"value": scores[0]} if scores else {}
    return _less_block(table, **roles, algorithm=name, **values)


def _less_block(table: Tabular, **roles: str | list[str]) -> str:
    rest = {r: c for r, c in table.said.items() if r != "block"}
    return replace(table, said=rest).way_out(**roles)


def _refuse_scoreless(table: Tabular, heads: Sequence[str], scores: Sequence[str]) -> None:
    """Where no column can be read as scores, name the first cell that looks like a number."""
    if scores:
        return
    for head in (h for h in heads if not table.is_numeric(h)):
        cells = table.texts(head)
        numbers = cells[cells.str.match(r"[<>~+-]?[\d.,]*\d")]
        if len(numbers) and len(numbers) == len(cells[cells != ""]):
            raise ResultsError(
                f"{table.what}, column '{head}', row {numbers.index[0] + 1}: '{numbers.iloc[0]}' "
                "is no number. Write numbers such as 1234.5 or 0.763 alone in their cells."
            )


def _may_name(table: Tabular, head: str) -> bool:
    """Whether a column may name the algorithms: text whose values come again."""
    return table.is_text(head) and 1 < count(table.codes(head)) <= len(table.frame) / 2


def _refuse_numbers(table: Tabular, heads: Sequence[str]) -> None:
    """Refuse columns 0, 1, 2 ...: they number the samples of one algorithm."""
    numbers = sorted(read_digits(h) for h in heads if h.isdecimal())
    gaps = {b - a for a, b in pairwise(numbers)}
    if gaps == {1} and len(numbers) > 2 and len(heads) - len(numbers) < 2:
        first, last = numbers[0], numbers[-1]
        raise ResultsError(
            f"{table.what}: the columns {first} to {last} are numbers of samples and no "
            "algorithms: this is the table of one algorithm. Put those of all into one table with "
            "columns dataset, algorithm, sample and value."
        )


def _is_no_algorithm(table: Tabular, head: str, heads: Sequence[str]) -> bool:
    labelled = role_of(head) in ABOUT_ROWS and len(plain(head)) > 2 and table.is_label(head)
    sizes = is_size(head) or _is_count(table, head, heads)
    names = head[0] == "#" or is_id(head) or (_is_measure(head) and len(plain(head)) > 2)
    return sizes or names or table.is_text(head) or labelled


def _is_count(table: Tabular, head: str, heads: Sequence[str]) -> bool:
    """Whether a column holds ids or counts: whole numbers where most others hold fractions."""
    if not table.is_whole(head):
        return False
    fractions = [h for h in heads if table.is_numeric(h) and not table.is_label(h)]
    if 2 * len(fractions) < len(heads):
        return False
    values = table.parsed(head).values
    own = np.unique(values[~np.isnan(values)])
    # 1, 2, 3 ... number rows, within data sets or through all
    if np.isnan(values).any():  # of scores some may be missing, of ids and counts none
        return False
    consecutive = own[0] in (0, 1) and len(values) > 2 and bool((np.diff(own) == 1).all())
    most = max(np.nanmax(table.parsed(h).values) for h in fractions)
    return consecutive or bool(own[0] > most and len(own) > 1 and own[-1] < COUNTED)


# -- transposed -----------------------------------------------------------------------------------
# Tables with a row for every algorithm and a column for every data set or sample.
#
# Whether the columns are data sets or samples nothing in such a table says, so the caller does:
# `--columns across=dataset`. The table then becomes a long one.


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
    apart = {*heads, *left}
    kept = [c for c in table.columns if c not in apart]
    frame = melted(table.frame, kept, heads, role, "value")
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
