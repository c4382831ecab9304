"""Files of orders: texts, pairs with their signs, or ranks in one column per algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from podium.errors import PodiumError, ResultsError

if TYPE_CHECKING:
    import pandas as pd

    from podium.orders.order import Order

TEXT, NAME, WEIGHT = "order", "name", "weight"
PAIR = ("first", "second", "sign")


@dataclass(frozen=True)
class Orders:
    """Orders, and their weights where they have some."""

    orders: list[Order]
    weights: list[float] | None


def read_orders(file: Path) -> Orders:
    """The orders of a file."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ResultsError(f"'{file}' cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise ResultsError(f"The file '{file}' is no text in UTF-8.") from None
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise ResultsError(f"The file '{file}' holds no orders.")
    if _is_plain(lines[0][1]):
        return Orders(_parsed(lines, file), None)
    return _tabular(_table(text, file), file)


def _is_plain(line: str) -> bool:
    """Whether a file's first line is an order, and not the head of a table."""
    from podium.orders.notation import parse_order

    if line.strip() == TEXT:
        return False
    try:
        parse_order(line)
    except PodiumError:
        return any(sign in line for sign in ("<", "≲", "≈")) and "," not in line
    return True


def _parsed(texts: Sequence[tuple[int, str]], file: Path) -> list[Order]:
    from podium.orders.notation import parse_order

    orders = []
    for line, text in texts:
        try:
            orders.append(parse_order(text))
        except PodiumError as error:
            raise ResultsError(f"Line {line} of '{file}': {error}") from None
    return orders


def _table(text: str, file: Path) -> pd.DataFrame:
    from io import StringIO

    import pandas as pd

    separator = max(",;\t", key=text.splitlines()[0].count)
    try:
        # the head is a row here: as a head, pandas would rename a column that is there twice
        cells = pd.read_csv(
            StringIO(text), sep=separator, dtype=str, keep_default_na=False, header=None
        )
    except (ValueError, pd.errors.ParserError) as error:
        raise ResultsError(f"The table '{file}' cannot be read: {str(error).strip()}.") from None
    names = [str(name).strip() for name in cells.iloc[0]]
    for name in names:
        if names.count(name) > 1:
            raise ResultsError(f"The table '{file}' has more than one column '{name}'.")
    if len(cells) == 1:
        raise ResultsError(f"The table '{file}' has no rows.")
    return cells[1:].set_axis(names, axis=1).fillna("")


def _tabular(table: pd.DataFrame, file: Path) -> Orders:
    lower = {str(column).lower(): column for column in table.columns}
    weights = _column(table, lower[WEIGHT], file) if WEIGHT in lower else None
    if TEXT in lower:
        texts = list(enumerate(table[lower[TEXT]], 2))
        return Orders(_parsed(texts, file), weights)
    if all(column in lower for column in PAIR):
        return _of_pairs(table.rename(columns=str.lower), weights, file)
    algorithms = [c for c in table.columns if c.lower() not in (NAME, WEIGHT)]
    ranks = [_column(table, c, file, missing=True) for c in algorithms]
    return Orders(_ranked(algorithms, list(zip(*ranks, strict=True)), file), weights)


def _of_pairs(table: pd.DataFrame, weights: list[float] | None, file: Path) -> Orders:
    """One order per name; where it has a weight, the one of its first pair."""
    from podium.orders.order import Order

    names = table[NAME] if NAME in table else table["sign"].map(lambda sign: "")
    first = ~names.duplicated()
    orders = []
    for name in names[first]:
        try:
            orders.append(Order.from_pairs(table.loc[names == name, list(PAIR)]))
        except PodiumError as error:
            raise ResultsError(f"The order '{name}' of '{file}': {error}") from None
    kept = weights and [w for w, is_first in zip(weights, first, strict=True) if is_first]
    return Orders(orders, kept)


def _column(table: pd.DataFrame, column: str, file: Path, *, missing: bool = False) -> list[float]:
    numbers = []
    for line, cell in enumerate(table[column], 2):
        try:
            numbers.append(float("nan") if missing and not cell.strip() else float(cell))
        except ValueError:
            raise ResultsError(
                f"Line {line} of '{file}' has '{cell}' in column '{column}', which is no number; "
                f"a table of orders has ranks in one column per algorithm, or texts in '{TEXT}'."
            ) from None
    return numbers


def _ranked(algorithms: list[str], rows: list[tuple[float, ...]], file: Path) -> list[Order]:
    """Orders of ranks; an algorithm without a rank is not in the row's order."""
    from podium.orders.order import Order

    orders = []
    for line, ranks in enumerate(rows, 2):
        known = {a: r for a, r in zip(algorithms, ranks, strict=True) if r == r}
        if not known:
            raise ResultsError(f"Line {line} of '{file}' has no ranks.")
        for name, rank in known.items():
            if not 1 <= rank <= len(algorithms):  # scores would be read as ranks, smallest first
                raise ResultsError(
                    f"Line {line} of '{file}' has {rank:g} for '{name}', and ranks are from 1, the "
                    f"best, to {len(algorithms)}; for scores say --measures."
                )
        orders.append(Order.from_ranks(list(known), list(known.values())))
    return orders
