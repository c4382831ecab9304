"""`podium consensus`: the orders nearest to many orders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import columns, printable, screen, wrapped
from podium.showing.terminal.options import (
    EXCLUDING,
    READING,
    command,
    declared,
    excluding,
    files,
    given_options,
    read_results,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, show

if TYPE_CHECKING:
    from podium.core.inference.comparing.comparisons import Comparisons
    from podium.core.orders.consensus import Consensus


from dataclasses import dataclass
from typing import TYPE_CHECKING

from podium.core.base.errors import PodiumError, ResultsError

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.orders.order import Order

OF_SCORES = (*READING, *EXCLUDING)
COMPARING = ("dataset", "target", "procedure", "alpha")


@command("consensus")
@files
@declared(
    "family",
    "linear (no ties), weak (layers), partial or strict (see the documentation).",
    default="weak",
    show_default=True,
)
@shared(weights="One positive number per order, as in 1,1.2,1 [the file's, or 1].")
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
@shared("why", "json")
@click.option("--measures", help="Of scores: the orders by these measures, as in error:1,time:0.2.")
@reading
@excluding
@shared(
    dataset="Of scores: only this data set of several.",
    target="Of scores: what the claim is about.",
    procedure="Of scores: the test [chosen by the design].",
    alpha="Of scores: the error level [0.05].",
)
def consensus(
    file: Path | list[Path],
    weights: str | None,
    json: Path | None,
    measures: str | None,
    why: bool,
    **options: Any,
) -> int:
    """The orders with the least sum of distances to those of FILE.

    FILE has one order per row: as text in a column `order` (`svm ~ rpart > nnet`, the best first;
    columns `name` and `weight` are optional), as ranks in one column per algorithm, or plain lines
    of text; or one pair per row in the columns `first`, `second` and `sign`, the orders apart by
    `name`, as `analyze --order FILE.csv` writes them. With --measures, FILE is a store or a table
    of scores, and the orders are those that a comparison by each measure gives, weighted.
    """
    from podium.core.orders.consensus import consensus

    check_writable(json)
    scored = {name: options.pop(name) for name in (*OF_SCORES, *COMPARING)}
    every: dict[str, Comparisons] = {}
    if measures:
        every, own = _by_measures(file, measures, scored)
        read = _decided(every, own)
    else:
        read = _of_file(file, scored)
    given = _numbers(weights) if weights else read.weights
    result = consensus(read.orders, given, **options)
    content = result.to_dict() | {
        "given": [order.to_dict() for order in read.orders],
        "weights": given or [1.0] * len(read.orders),
        "comparisons": [one.to_dict() for one in every.values()],
    }
    show(content, json, lambda: _say_all(result, read, content["weights"], every, why))
    return 0


def _say_all(
    result: Consensus,
    read: Orders,
    weights: Sequence[float],
    every: dict[str, Comparisons],
    why: bool,
) -> None:
    if every:
        _say_given(read, weights, list(every))
    _say(result, len(read.orders), why)
    for measure, one in every.items():
        _say_about(measure, one, why)


def _of_file(file: Path | list[Path], scored: dict[str, Any]) -> Orders:
    from podium.reading.formats.stores import is_store

    if isinstance(file, list) or is_store(file) or file.is_dir():
        way = "say by which measures they give orders, as in --measures error:1,time:0.2."
        if isinstance(file, list) or file.is_dir():
            raise InferenceError(f"Orders stand in one file; of scores in several, {way}")
        raise InferenceError(f"'{file}' is a store of scores: {way}")
    why = "is for a file of scores: say by which measures, as in --measures error:1,time:0.2"
    refuse(scored, list(scored), why)
    return read_orders(file)


def _by_measures(
    file: Path | list[Path], text: str, scored: dict[str, Any]
) -> tuple[dict[str, Comparisons], list[float]]:
    """The comparisons by each measure, and its weight."""
    from podium.core.verdicts.verbs import compare

    results = read_results(file, scored)
    chosen = _weighted(text, list(results.measures))
    options = given_options(scored, COMPARING)
    every = {m: compare(results, measure=m, **options) for m in chosen}
    return every, list(chosen.values())


def _decided(every: dict[str, Comparisons], weights: list[float]) -> Orders:
    from podium.core.orders.decide import decide as decide_comparisons

    return Orders([decide_comparisons(one) for one in every.values()], weights)


def _weighted(text: str, known: list[str]) -> dict[str, float]:
    """Measures and weights; a name may itself have a colon, as absolute:median has."""
    chosen: dict[str, float] = {}
    for part in (part.strip() for part in text.split(",")):
        name, colon, weight = part.rpartition(":")
        if part in known or not colon:
            name, weight = part, "1"
        if name in chosen:
            raise InferenceError(f"The measure '{name}' stands twice in '{text}'.")
        chosen[name] = _number(weight, f"The weight in '{part}'")
    return chosen


def _say_given(read: Orders, weights: Sequence[float], measures: Sequence[str]) -> None:
    """The orders of measures, which stand in no file."""

    table = {
        "measure": [printable(name) for name in measures],
        "weight": [f"{w:g}" for w in weights],
        "order": [printable(order.text) for order in read.orders],
    }
    say(columns(table, left=["measure", "order"]) + "\n")


def _say_about(measure: str, one: Comparisons, why: bool) -> None:
    """What the order by a measure is a statement about, and what a reader must know of it."""
    from podium.showing.screens.standings import say_caveats

    head = f"{printable(measure)}: {one.procedure}, alpha {one.alpha:g}, target: {one.target}."
    say("\n" + wrapped(f"{head} {one.statement}", screen(), "  "))
    say_caveats(one.warnings, why=why)


def _say(result: Consensus, count: int, why: bool) -> None:
    from podium.showing.screens.standings import say_caveats

    orders = "1 order" if count == 1 else f"{count} orders"
    say(wrapped(f"{result.sentence}, from {orders} ({result.method}).", screen()))
    say("A ≻ B: A is better than B.\n")
    width = len(str(len(result.orders)))
    for number, order in enumerate(result.orders, 1):
        mark = f"{number:{width}}  " if len(result.orders) > 1 else ""
        say(f"  {mark}{printable(order.text)}")
    if result.capped:
        say("\nThere may be more that are as good.")
    if result.notes:
        say()
        say_caveats(result.notes, why=why)


def _numbers(text: str) -> list[float]:
    return [_number(part, "A weight") for part in text.split(",")]


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InferenceError(f"{what} is a number, such as 1 or 0.2, not '{text}'.") from None


# -- files of orders ------------------------------------------------------------------------------

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
    from podium.core.orders.order import order as parse_order

    if line.strip() == TEXT:
        return False
    try:
        parse_order(line)
    except PodiumError:
        return any(sign in line for sign in ("≻", "≿", ">", "<", "≲", "≈", "∥")) and "," not in line
    return True


def _parsed(texts: Sequence[tuple[int, str]], file: Path) -> list[Order]:
    from podium.core.orders.order import order as parse_order

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
    from podium.core.orders.order import Order

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
    from podium.core.orders.order import Order

    orders = []
    for line, ranks in enumerate(rows, 2):
        known = {a: r for a, r in zip(algorithms, ranks, strict=True) if r == r}
        if not known:
            raise ResultsError(f"Line {line} of '{file}' has no ranks.")
        for name, rank in known.items():
            if not 1 <= rank <= len(algorithms):  # scores would be read as ranks, smallest first
                raise ResultsError(
                    f"Line {line} of '{file}' has {rank:g} for '{name}', and ranks are from 1, the "
                    f"best, to {len(algorithms)}; for scores use --measures."
                )
        orders.append(Order.from_ranks(list(known), list(known.values())))
    return orders
