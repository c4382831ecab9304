"""`podium consensus`: the orders nearest to many orders."""

from __future__ import annotations

import json as json_module
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say
from podium.errors import InferenceError, PodiumError, ResultsError

if TYPE_CHECKING:
    import pandas as pd

    from podium.orders.consensus import Consensus
    from podium.orders.order import Order

TEXT, NAME, WEIGHT = "order", "name", "weight"


@dataclass(frozen=True)
class _File:
    """The orders of a file, and their weights if it has some."""

    orders: list[Order]
    weights: list[float] | None


@click.command("consensus")
@click.argument("file", metavar="ORDERS.csv", type=click.Path(path_type=Path))
@click.option(
    "--family",
    default="weak",
    show_default=True,
    help="linear (no ties), weak (layers), partial or strict (see the documentation).",
)
@click.option("--weights", help="One positive number per order, as in 1,1.2,1 [the file's, or 1].")
@click.option(
    "--on",
    help="For orders of different algorithms: intersection keeps those that all have, union all.",
)
@click.option("--limit", default=1000, show_default=True, help="How many optima to list at most.")
@click.option("--time-limit", type=float, help="Seconds after which the best so far is shown.")
@click.option(
    "--method",
    default="exact",
    show_default=True,
    help="exact, or a rule without proof: borda, copeland, condorcet, local-search.",
)
@click.option(
    "--json",
    type=click.Path(path_type=Path),
    help="Write all as JSON; - for the screen, and nothing else.",
)
def command(file: Path, weights: str | None, json: Path | None, **options: Any) -> int:
    """The orders with the least sum of distances to those in ORDERS.csv.

    One order per row: as text in a column `order` (`svm ~ rpart < nnet`, the best first; columns
    `name` and `weight` are optional), as ranks in one column per algorithm, or plain lines of text.
    """
    from podium.orders.consensus import consensus

    read = _read(file)
    given = _numbers(weights) if weights else read.weights
    found = consensus(read.orders, given, **options)
    if str(json) != "-":
        _say(found, len(read.orders))
    if json:
        text = json_module.dumps(found.to_dict(), indent=1, ensure_ascii=False)
        say(text) if str(json) == "-" else json.write_text(text + "\n", encoding="utf-8")
    return 0


def _say(found: Consensus, count: int) -> None:
    from podium.shown import printable, screen, wrapped

    orders = "1 order" if count == 1 else f"{count} orders"
    say(wrapped(f"{found.sentence}, from {orders} ({found.method}).", screen()))
    say("A < B: A is better than B.\n")
    width = len(str(len(found.orders)))
    for number, order in enumerate(found.orders, 1):
        mark = f"{number:{width}}  " if len(found.orders) > 1 else ""
        say(f"  {mark}{printable(order.text)}")
    if found.capped:
        say("\nThere may be more that are as good.")


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InferenceError(
            f"Weights are numbers with commas between, as in 1,1.2,1, not '{text}'."
        ) from None


def _read(file: Path) -> _File:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ResultsError(f"The file '{file}' is no text in UTF-8.") from None
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise ResultsError(f"The file '{file}' holds no orders.")
    if _is_plain(lines[0][1]):
        return _File(_parsed(lines, file), None)
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


def _tabular(table: pd.DataFrame, file: Path) -> _File:
    lower = {str(column).lower(): column for column in table.columns}
    weights = _column(table, lower[WEIGHT], file) if WEIGHT in lower else None
    if TEXT in lower:
        texts = list(enumerate(table[lower[TEXT]], 2))
        return _File(_parsed(texts, file), weights)
    algorithms = [c for c in table.columns if c.lower() not in (NAME, WEIGHT)]
    ranks = [_column(table, c, file, missing=True) for c in algorithms]
    return _File(_ranked(algorithms, list(zip(*ranks, strict=True)), file), weights)


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
        orders.append(Order.from_ranks(list(known), list(known.values())))
    return orders
