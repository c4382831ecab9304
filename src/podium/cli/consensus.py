"""`podium consensus`: the orders nearest to many orders."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say
from podium.cli.order_files import Orders, read_orders
from podium.errors import InferenceError

if TYPE_CHECKING:
    from podium.orders.consensus import Consensus

COMPARING = ("dataset", "target", "procedure", "alpha")


@click.command("consensus")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
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
@click.option("--measures", help="Of scores: the orders by these measures, as in error:1,time:0.2.")
@click.option("--sampling", help="Of scores: how the samples were drawn.")
@click.option("--dataset", "-d", help="Of scores: only this data set of several.")
@click.option("--target", help="Of scores: what the claim is about.")
@click.option("--procedure", "-p", help="Of scores: the test [chosen by the design].")
@click.option("--alpha", type=float, help="Of scores: the error level [0.05].")
def command(
    file: Path, weights: str | None, json: Path | None, measures: str | None, **options: Any
) -> int:
    """The orders with the least sum of distances to those of FILE.

    FILE has one order per row: as text in a column `order` (`svm ~ rpart < nnet`, the best first;
    columns `name` and `weight` are optional), as ranks in one column per algorithm, or plain lines
    of text. With --measures, FILE is a store or a table of scores, and the orders are those that
    a comparison by each measure gives, weighted.
    """
    from podium.orders.consensus import consensus

    said = {name: options.pop(name) for name in ("sampling", *COMPARING)}
    read = _by_measures(file, measures, said) if measures else _of_file(file, said)
    given = _numbers(weights) if weights else read.weights
    found = consensus(read.orders, given, **options)
    if str(json) != "-":
        _say_given(read)
        _say(found, len(read.orders))
    if json:
        content = found.to_dict() | {"given": [order.to_dict() for order in read.orders]}
        text = json_module.dumps(content, indent=1, ensure_ascii=False)
        say(text) if str(json) == "-" else json.write_text(text + "\n", encoding="utf-8")
    return 0


def _of_file(file: Path, said: dict[str, Any]) -> Orders:
    from podium._facade import is_store

    if is_store(file):
        raise InferenceError(
            f"'{file}' is a store of scores: say by which measures they give orders, "
            "as in --measures error:1,time:0.2."
        )
    for name, value in said.items():
        if value is not None:
            raise InferenceError(
                f"--{name} is for a file of scores: say by which measures, "
                "as in --measures error:1,time:0.2, or leave it out."
            )
    return read_orders(file)


def _by_measures(file: Path, text: str, said: dict[str, Any]) -> Orders:
    """The order that a comparison by each measure gives."""
    from podium import _facade as facade

    results = facade.read(file, sampling=said["sampling"])
    chosen = _weighted(text, list(results.measures))
    options = {name: said[name] for name in COMPARING if said[name] is not None}
    orders = [facade.decide(facade.compare(results, measure=m, **options)) for m in chosen]
    return Orders(orders, list(chosen.values()), list(chosen))


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


def _say_given(read: Orders) -> None:
    """The orders of measures, which stand in no file."""
    from podium.shown import columns, printable

    if read.names:
        table = {
            "measure": read.names,
            "weight": [f"{w:g}" for w in read.weights or []],
            "order": [printable(order.text) for order in read.orders],
        }
        say(columns(table, left=["measure", "order"]) + "\n")


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
    return [_number(part, "A weight") for part in text.split(",")]


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InferenceError(f"{what} is a number, such as 1 or 0.2, not '{text}'.") from None
