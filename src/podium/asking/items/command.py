"""`podium survey items`: difficulty, discrimination and flaky items; near-identical models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.errors import PodiumError
from podium.core.base.formatting import aligned, columns, number, printable, screen, wrapped
from podium.showing.terminal.options import (
    command,
    excluding,
    files,
    given_options,
    read_results,
    reading,
    shared,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, show

if TYPE_CHECKING:
    from podium.asking.items.verbs import Repeats
    from podium.core.results.results import Results

MOST = 10  # items of a list


@command("items")
@files
@reading
@excluding
@shared("dataset")
@click.option(
    "--response-model/--no-response-model",
    default=None,
    help="The two-parameter logistic model, from 50 models on [where it can be].",
)
@shared("json")
def items(file: Path | list[Path], json: Path | None, **options: Any) -> int:
    """Describe the items of FILE: difficulty, discrimination, solved by nobody or by all."""
    from podium.asking.items.verbs import describe_items
    from podium.core.results.measure_names import only_quality

    check_writable(json)
    results = read_results(file, options)
    if options["measure"] is None and len(results.measures) > 1:
        options["measure"] = only_quality(results.measures)
    item_description = describe_items(
        results, **given_options(options, ("measure", "dataset", "response_model"))
    )
    several = repeats_of(file, options) if has_answers(results, options["measure"]) else None
    facts = item_description.to_dict() | ({} if several is None else {"repeats": several.to_dict()})

    def say_all() -> None:
        _say(item_description)
        if several is not None:
            say_repeats(several)

    show(facts, json, say_all)
    return 0


def has_answers(results: Results, measure: str | None) -> bool:
    """Whether pass^k was asked for, or items have several answers that are right or wrong."""
    from podium.core.results.pass_at import RightAnswers, pass_rate

    if pass_rate(measure) is not None:
        return True
    try:
        return len(results.answers) > 0 and RightAnswers.of(results).answers.min() > 1
    except PodiumError:
        return False


def repeats_of(file: Path | list[Path], options: Mapping[str, Any], alpha: float = 0.05) -> Repeats:
    """What is known of several answers to each item; k is that of the measure, if it has one."""
    from podium.asking.items.verbs import read_repeats
    from podium.core.results.pass_at import pass_rate

    rate = pass_rate(options["measure"])
    plain = {**options, "measure": None if rate else options["measure"]}

    def reading(**more: Any) -> Results:
        results = read_results(file, plain | more)
        return results if options["dataset"] is None else results.filter(dataset=options["dataset"])

    return read_repeats(reading, rate.k if rate else None, alpha)


MOST_FLAKY = 10  # items that are listed


def say_repeats(r: Repeats) -> None:
    """Rates, flaky items and costs."""
    from podium.asking.items.verbs import cost_heading, repeats_heading

    names = list(dict.fromkeys(r.rates["algorithm"]))
    rates: dict[str, list[str]] = {"algorithm": [printable(n) for n in names]}
    for rate, part in r.rates.groupby("rate", sort=False):
        texts = part[["mean", "lower", "upper"]].map(lambda v: f"{v:.3f}")
        rates[str(rate)] = [f"{m} ({low} to {high})" for m, low, high in texts.to_numpy()]
    say("\n" + columns(rates, left=["algorithm"], indent="  "))
    say("\n" + wrapped(repeats_heading(r), screen(), "  "))
    if listed := r.flaky_items[:MOST_FLAKY]:
        shown = r.flaky[r.flaky["item"].isin(listed)]
        cells = {(i, a): f"{c}/{n}" for i, a, c, n in
                 shown[["item", "algorithm", "right", "answers"]].to_numpy()}  # fmt: skip
        table = {"item": [printable(i) for i in listed]}
        table |= {printable(a): [cells.get((i, a), "–") for i in listed] for a in names}
        say("\n" + columns(table, left=["item"], indent="  "))
        if len(r.flaky_items) > MOST_FLAKY:
            say(f"  {MOST_FLAKY} of {len(r.flaky_items)}: --json FILE writes all.")
    if len(r.costs):
        size = float(r.costs["per_solved"].abs().min())
        numbers = {
            title: aligned(r.costs[column].tolist(), size, 3)
            for title, column in (
                ("cost per solved", "per_solved"),
                ("from", "lower"),
                ("to", "upper"),
            )
        }
        say(f"\n  {cost_heading(r)}:\n")
        costs = {"algorithm": [printable(a) for a in r.costs["algorithm"]], **numbers}
        say(columns(costs, left=["algorithm"], indent="  "))
    say()


def _say(result: Any) -> None:
    from podium.core.words.notes.of_surveys import items_heading
    from podium.core.words.saying import noted

    say(wrapped(items_heading(result), screen(), "  "))
    known = result.items.dropna(subset="item_rest")
    _listed("The hardest items", known.sort_values(_level(known), kind="stable"))
    _listed("Items that go least with the others", known.sort_values("item_rest", kind="stable"))
    _listed("Models that are nearly the same", result.twins)
    for note in result.notes:
        say(wrapped(noted(note), screen(), "  "))


def _level(items: Any) -> str:
    return "mean" if "mean" in items else "solved"


def _listed(title: str, table: Any) -> None:

    if not len(table):
        return
    texts = [name for name in ("item", "first", "second") if name in table]
    table = table.head(MOST).dropna(axis=1, how="all")
    shown = {
        name.replace("_", " "): [
            printable(v) if name in texts else number(v, 3) for v in table[name]
        ]
        for name in table
    }
    say(f"\n  {title}:\n")
    say(columns(shown, left=texts, indent="  ") + "\n")
