"""`podium analyze`: from a store or a table of scores to comparisons and an order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say

if TYPE_CHECKING:
    from podium.comparisons import Comparisons
    from podium.orders.order import Order

PATH = click.Path(path_type=Path)
ASKED = ["target", "dataset", "procedure", "null", "adjust", "alternative", "alpha", "relevance"]
ASKED += ["control", "missing", "force"]


@click.command("analyze")
@click.argument("file", type=PATH)
@click.option("--sampling", help="How the samples were drawn: bootstrap, cv:10, 5x2cv, items ...")
@click.option("--target", help="What the claim is about: sample, population, test-set ...")
@click.option("--measure", "-m", help="The measure to compare by.")
@click.option("--dataset", "-d", help="Only this data set of several.")
@click.option("--procedure", "-p", help="A name from `podium procedures` [chosen by the design].")
@click.option("--null", help="asymptotic | permutation:N | exact.")
@click.option("--adjust", help="holm, single-step, closed, bonferroni ...")
@click.option(
    "--alternative",
    default="two-sided",
    show_default=True,
    help="two-sided | less | greater: the sign of first - second that is looked for.",
)
@click.option("--alpha", default=0.05, show_default=True, type=float)
@click.option("--relevance", default=0.0, type=float, help="The least difference that matters.")
@click.option("--control", help="Compare every algorithm with this one only.")
@click.option("--columns", help="What is what, as in algorithm=method,value=acc,ignore=n;note.")
@click.option("--missing", default="complete", help="complete (drop blocks) | worst (fill in).")
@click.option(
    "--higher-is-better/--lower-is-better", default=None, help="The direction of the measure."
)
@click.option("--force", is_flag=True, help="Compute what is not legal, and mark it.")
@click.option("--json", "json_file", type=PATH, help="Write the result as JSON (- for the screen).")
@click.option("--csv", type=PATH, help="Write the pairs as CSV.")
@click.option("--latex", type=PATH, help="Write the pairs as a LaTeX table.")
@click.option("--markdown", type=PATH, help="Write the pairs as a Markdown table.")
@click.option("--report", type=PATH, help="Write a page.")
def command(file: Path, **options: Any) -> int:
    """Which algorithm is better in FILE (a store, CSV or Parquet), and may we say so?"""
    from podium import _facade as facade

    reading = {k: options[k] for k in ("sampling", "measure", "higher_is_better", "columns")}
    results = facade.read(file, **reading)
    if len(results.algorithms) == 1:
        return _alone(results, options)
    comparisons = facade.compare(
        results,
        measure=_measure(results, options["measure"]),
        **{k: options[k] for k in ASKED},
    )
    order = facade.decide(comparisons)
    if str(options["json_file"]) == "-":
        say(_json(comparisons, order))
    else:
        say_comparisons(comparisons, order)
    _write(comparisons, order, options)
    if options["report"]:
        facade.report(results, options["report"], comparisons=comparisons)
    return 0


def _alone(results: Any, options: dict[str, Any]) -> int:
    """One algorithm has nothing to be compared with; its expected score has an interval."""
    from podium.inference.layouts import layout
    from podium.inference.single import alone
    from podium.inference.statements import statement
    from podium.shown import number

    measure = _measure(results, options["measure"])
    made = layout(
        results, measure=measure, dataset=options["dataset"], target=options["target"] or ""
    )
    row = alone(made, options["alpha"]).iloc[0]
    say(
        f"{made.measure.name} of '{row['algorithm']}', {row['blocks']} blocks: {number(row['mean'], 4)}"
    )
    level = f"{100 * (1 - options['alpha']):g} %"
    say(
        f"{level} interval ({row['method']}): {number(row['lower'], 4)} to {number(row['upper'], 4)}"
    )
    say(statement(made, f"none; the expected {made.measure.name} of one algorithm is estimated"))
    return 0


def _measure(results: Any, name: str | None) -> str | None:
    """A table of one measure may have been given another name while it was read."""
    return name if name in results.measures or len(results.measures) != 1 else None


def _json(comparisons: Comparisons, order: Order) -> str:
    return json.dumps(comparisons.to_dict() | {"order": order.to_dict()}, indent=2)


def _write(comparisons: Comparisons, order: Order, options: dict[str, Any]) -> None:
    target = options["json_file"]
    if target and str(target) != "-":
        target.write_text(_json(comparisons, order) + "\n", encoding="utf-8")
    for name in ("csv", "latex", "markdown"):
        if options[name]:
            getattr(comparisons, f"to_{name}")(options[name])


def say_comparisons(c: Comparisons, order: Order) -> None:
    """Who is better, by how much, how sure, and of what this is a statement."""
    better = "higher" if c.higher_is_better else "lower"
    sampling = f" ({c.blocks['sampling']})" if c.blocks["sampling"] else ""
    say(f"{c.measure}, {better} is better; {c.blocks['count']} {c.blocks['text']}{sampling}")
    say(f"\n  {order.text}\n")
    say("  best first: < is significantly better, ≈ is not distinguishable, ≲ only in part")
    _say_means(c, order)
    say(f"\n{c.title}")
    if c.overall:
        say(f"No difference at all: {_overall(c)}")
    say(c.shown().to_string(index=False))
    if c.relevance:
        say(f"Relevance: {c.relevance:g}.")
    say(f"\n{c.statement}")
    for note in c.warnings:
        say(f"Note ({note.code}): {note.text}")


def _overall(c: Comparisons) -> str:
    from podium.shown import number, p_value

    assert c.overall is not None
    df = c.overall.df
    shown = "" if df is None else f", df {', '.join(f'{x:g}' for x in _listed(df))}"
    p = p_value(c.overall.p)
    equals = "" if p.startswith("<") else "= "
    return f"{c.overall.procedure} {number(c.overall.statistic, 4)}{shown}, p {equals}{p}"


def _listed(df: float | tuple[float, float]) -> tuple[float, ...]:
    return df if isinstance(df, tuple) else (df,)


def _say_means(c: Comparisons, order: Order) -> None:
    from podium.shown import number

    names = [name for group in order.groups for name in group]
    width = max(map(len, names))
    for name in names:
        say(f"  {name:{width}}  {number(c.means[name], 4)}")
