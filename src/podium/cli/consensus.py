"""`podium consensus`: the orders nearest to many orders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say
from podium.cli.options import PATH, READING, read_results, refuse, said, shared
from podium.cli.order_files import Orders, read_orders
from podium.cli.writing import show
from podium.errors import InferenceError

if TYPE_CHECKING:
    from podium.inference.comparisons import Comparisons
    from podium.orders.consensus import Consensus

OF_SCORES = ("sampling", "columns", "exclude", "reason")
COMPARING = ("dataset", "target", "procedure", "alpha")


@click.command("consensus")
@click.argument("file", metavar="FILE", type=PATH)
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
@shared("json")
@click.option("--measures", help="Of scores: the orders by these measures, as in error:1,time:0.2.")
@shared(*OF_SCORES)
@shared(
    dataset="Of scores: only this data set of several.",
    target="Of scores: what the claim is about.",
    procedure="Of scores: the test [chosen by the design].",
    alpha="Of scores: the error level [0.05].",
)
def command(
    file: Path, weights: str | None, json: Path | None, measures: str | None, **options: Any
) -> int:
    """The orders with the least sum of distances to those of FILE.

    FILE has one order per row: as text in a column `order` (`svm ~ rpart < nnet`, the best first;
    columns `name` and `weight` are optional), as ranks in one column per algorithm, or plain lines
    of text; or one pair per row in the columns `first`, `second` and `sign`, the orders apart by
    `name`, as `analyze --order FILE.csv` writes them. With --measures, FILE is a store or a table
    of scores, and the orders are those that a comparison by each measure gives, weighted.
    """
    from podium.orders.consensus import consensus

    scored = {name: options.pop(name) for name in (*OF_SCORES, *COMPARING)}
    every: dict[str, Comparisons] = {}
    if measures:
        every, own = _by_measures(file, measures, scored)
        read = _decided(every, own)
    else:
        read = _of_file(file, scored)
    given = _numbers(weights) if weights else read.weights
    found = consensus(read.orders, given, **options)
    content = found.to_dict() | {
        "given": [order.to_dict() for order in read.orders],
        "weights": given or [1.0] * len(read.orders),
        "comparisons": [one.to_dict() for one in every.values()],
    }
    show(content, json, lambda: _say_all(found, read, content["weights"], every))
    return 0


def _say_all(
    found: Consensus, read: Orders, weights: Sequence[float], every: dict[str, Comparisons]
) -> None:
    if every:
        _say_given(read, weights, list(every))
    _say(found, len(read.orders))
    for measure, one in every.items():
        _say_about(measure, one)


def _of_file(file: Path, scored: dict[str, Any]) -> Orders:
    from podium.api.reading import is_store

    if is_store(file):
        raise InferenceError(
            f"'{file}' is a store of scores: say by which measures they give orders, "
            "as in --measures error:1,time:0.2."
        )
    why = "is for a file of scores: say by which measures, as in --measures error:1,time:0.2"
    refuse(scored, list(scored), why)
    return read_orders(file)


def _by_measures(
    file: Path, text: str, scored: dict[str, Any]
) -> tuple[dict[str, Comparisons], list[float]]:
    """The comparisons by each measure, and its weight."""
    from podium.api.comparing import compare

    results = read_results(file, dict.fromkeys(READING) | scored)
    chosen = _weighted(text, list(results.measures))
    options = said(scored, COMPARING)
    every = {m: compare(results, measure=m, **options) for m in chosen}
    return every, list(chosen.values())


def _decided(every: dict[str, Comparisons], weights: list[float]) -> Orders:
    from podium.orders.decide import decide_comparisons

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
    from podium.formatting import columns, printable

    table = {
        "measure": [printable(name) for name in measures],
        "weight": [f"{w:g}" for w in weights],
        "order": [printable(order.text) for order in read.orders],
    }
    say(columns(table, left=["measure", "order"]) + "\n")


def _say_about(measure: str, one: Comparisons) -> None:
    """What the order by a measure is a statement about, and what a reader must know of it."""
    from podium.formatting import printable, screen, wrapped
    from podium.presentation import noted

    head = f"{printable(measure)}: {one.procedure}, alpha {one.alpha:g}, target: {one.target}."
    say("\n" + wrapped(f"{head} {one.statement}", screen(), "  "))
    for note in one.warnings:
        say(wrapped(noted(note), screen(), "  "))


def _say(found: Consensus, count: int) -> None:
    from podium.formatting import printable, screen, wrapped
    from podium.presentation import noted

    orders = "1 order" if count == 1 else f"{count} orders"
    say(wrapped(f"{found.sentence}, from {orders} ({found.method}).", screen()))
    say("A < B: A is better than B.\n")
    width = len(str(len(found.orders)))
    for number, order in enumerate(found.orders, 1):
        mark = f"{number:{width}}  " if len(found.orders) > 1 else ""
        say(f"  {mark}{printable(order.text)}")
    if found.capped:
        say("\nThere may be more that are as good.")
    for note in found.notes:
        say("\n" + wrapped(noted(note), screen(), "  "))


def _numbers(text: str) -> list[float]:
    return [_number(part, "A weight") for part in text.split(",")]


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InferenceError(f"{what} is a number, such as 1 or 0.2, not '{text}'.") from None
