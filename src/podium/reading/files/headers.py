"""Headers as people write them: several rows, units below them, none at all, merged names."""

from __future__ import annotations

import re

from podium.reading.cells.units import UNITS
from podium.reading.cells.vocabulary import role_of
from podium.reading.files.documents import JOINT

FIRST_ROWS = 200  # in which scores are looked for
_NUMBER = re.compile(r"[+-]?[\d.,]+(e[+-]?\d+)?\s*%?", re.IGNORECASE)


def one_header(rows: list[list[str]]) -> list[list[str]]:
    """The rows below one header: where it has two or three rows, what is above a column is joined.

    >>> one_header([["", "acc", ""], ["data", "a", "b"], ["x", "1", "2"], ["y", "3", "4"]])
    [['data', 'acc~a', 'acc~b'], ['x', '1', '2'], ['y', '3', '4']]
    """
    rows = _with_index_names(rows)
    count = next((n for n in (3, 2) if _is_header(rows, n)), 1)
    if count == 1:
        return _with_units_above(rows)
    above = [_filled_right(row) for row in rows[: count - 1]]
    last = rows[count - 1]
    labels = _labels_before(rows[:count])
    names = []
    for at, name in enumerate(last):
        parts = [row[at].strip() for row in above] + [name.strip()]
        if at < labels:
            known = [part for part in parts if role_of(part)]
            names.append((known or [part for part in reversed(parts) if part] or [""])[0])
        else:
            names.append(JOINT.join(dict.fromkeys(part for part in parts if part)))
    return [names, *rows[count:]]


def _with_index_names(rows: list[list[str]]) -> list[list[str]]:
    """The rows less one below the header that names the first column alone, as pandas writes it.

    >>> _with_index_names([["model", "svm", "knn"], ["dataset", "", ""], ["a", "1", "2"]])
    [['dataset', 'svm', 'knn'], ['a', '1', '2']]
    """
    for at in (1, 2, 3):
        if len(rows) < at + 2 or len({len(row) for row in rows[: at + 2]}) > 1:
            return rows
        cells = [cell.strip() for cell in rows[at]]
        named = sum(map(bool, cells))
        names, others = cells[:named], cells[named:]
        heads = [cell for row in rows[:at] for cell in row[named:] if cell.strip()]
        if not all(names) or any(others) or len(others) < 2 or any(map(_NUMBER.fullmatch, heads)):
            continue
        above_names = [[c for c in row[:named] if c.strip()] for row in rows[:at]]
        if any(len(cells) > 1 for cells in above_names):
            continue  # a header, above a row of data with gaps
        if named and (at > 1 or role_of(names[0])):  # else the title of a group of rows
            above = [[""] * named + row[named:] for row in rows[: at - 1]]
            return [*above, names + rows[at - 1][named:], *rows[at + 1 :]]
    return rows


def _with_units_above(rows: list[list[str]]) -> list[list[str]]:
    """The rows less one of units below the header, which then stand behind the names.

    >>> _with_units_above([["name", "a", "b"], ["", "ms", "ms"], ["x", "1", "2"]])
    [['name', 'a (ms)', 'b (ms)'], ['x', '1', '2']]
    """
    if len(rows) < 3 or len(rows[0]) != len(rows[1]):
        return rows
    header, (first, *cells) = rows[0], rows[1]
    units = [cell.strip().strip("[]()").strip() for cell in cells]
    filled = [unit.lower() for unit in units if unit]
    if first.strip().lower() not in ("", "unit", "units") or not filled:
        return rows
    if not {*filled} <= UNITS | {"%", "-"}:
        return rows
    names = [f"{n} ({u})" if u and u != "-" else n for n, u in zip(header[1:], units, strict=True)]
    return [[header[0], *names], *rows[2:]]


def _is_header(rows: list[list[str]], count: int) -> bool:
    """Whether so many rows head the others: groups of columns above, their names below."""
    if len(rows) < count + 2 or len({len(row) for row in rows[: count + 1]}) > 1:
        return False
    heads, body = rows[:count], rows[count : count + 3]
    first = _labels_before(heads)
    cells = [cell.strip() for row in heads for cell in row[first:]]
    named = [any(row[at].strip() for row in heads) for at in range(first, len(rows[0]))]
    below = sum(bool(cell.strip()) for cell in heads[-1][first:])  # remarks have a name above alone
    if any(_NUMBER.fullmatch(cell) for cell in cells if cell) or not all(named):
        return False
    if below < len(named) - 1 or below < 2:
        return False
    for row in heads[:-1]:  # groups repeat, or are written once above the first of their columns
        filled = [cell.strip() for cell in row[first:] if cell.strip()]
        grouped = len({*filled}) < len(row) - first
        if not filled or not grouped or not row[first].strip():
            return False
    above = [_filled_right(row)[first:] for row in heads[:-1]]
    joined = list(zip(*above, heads[-1][first:], strict=True))
    numbers = [sum(bool(_NUMBER.fullmatch(c.strip())) for c in row[first:]) for row in body]
    return len({*joined}) == len(joined) and all(2 * n > len(rows[0]) - first for n in numbers)


def _labels_before(heads: list[list[str]]) -> int:
    """How many columns stand before the first group: those that name the rows."""
    starts = [next((i for i, c in enumerate(row) if i and c.strip()), 1) for row in heads[:-1]]
    first = min(starts)
    return first if all(heads[-1][i].strip() for i in range(1, first)) and first < 4 else 1


def _filled_right(row: list[str]) -> list[str]:
    """A row of groups with each in all of its columns."""
    filled, last = [row[0]], ""
    for cell in row[1:]:
        last = cell.strip() or last
        filled.append(last)
    return filled


def with_header(rows: list[list[str]]) -> list[list[str]]:
    """The rows of two columns below a header, where the first of them holds a score already.

    >>> with_header([["iris", "0.91"], ["zoo", "0.87"]])[0]
    ['name', 'value']
    """
    is_score = re.compile(r"\s*[+-]?\d*\.\d+(e[+-]?\d+)?\s*", re.IGNORECASE).fullmatch
    pairs = all(len(row) == 2 and is_score(row[1]) for row in rows[:FIRST_ROWS])
    return [["name", "value"], *rows] if pairs and not is_score(rows[0][0]) else rows


def filled_down(rows: list[list[str]]) -> list[list[str]]:
    """Rows with the name that only the first of each group has, as of merged cells, in all.

    Only where every group has the same names beside it, each once.

    >>> filled_down([["a", "svm"], ["", "knn"], ["b", "svm"], ["", "knn"]])
    [['a', 'svm'], ['a', 'knn'], ['b', 'svm'], ['b', 'knn']]
    """
    if len(rows) < 4 or len(rows[0]) < 2 or not rows[0][0].strip() or rows[1][0].strip():
        return rows
    starts = [i for i, row in enumerate(rows) if row[0].strip()]
    groups = [rows[a:b] for a, b in zip(starts, [*starts[1:], len(rows)], strict=True)]
    names = {tuple(sorted(row[1].strip() for row in group)) for group in groups}
    held = names.pop()
    if names or len(groups) < 2 or "" in held or len({*held}) < len(held):
        return rows
    if any(_NUMBER.fullmatch(name) and not name.isdecimal() for name in held):
        return rows
    return [[group[0][0], *row[1:]] for group in groups for row in group]
