"""`podium analyze`: from a store or a table of scores to comparisons and an order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from podium.cli.for_papers import write_for_papers
from podium.cli.main import say
from podium.cli.options import (
    BAYES,
    CHOOSING,
    COMPARING,
    JUDGED,
    PATH,
    TESTING,
    excluding,
    files,
    reading,
    said,
    shared,
)
from podium.cli.report import write_report
from podium.cli.sources import analysed_results
from podium.cli.writing import SCREEN, check_writable, say_formulas, write, write_json

if TYPE_CHECKING:
    from podium.inference.comparisons import Comparisons
    from podium.orders.order import Order
    from podium.results.results import Results


from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from podium.inference.comparisons import Comparisons
    from podium.orders.order import Order
    from podium.results.results import Results

ALONE = ("measure", "dataset", "target", "alpha", *JUDGED)
MARGINS = ("non_inferiority", "equivalence")
# not of one alone
OF_PAIRS = ("procedure", "null", "adjust", "control", "relevance", *MARGINS, *BAYES)
FOR_PAPERS = ("scores", "diagram", "methods")
OUTPUTS = ("json", "csv", "latex", "markdown", "order")
SHORTEST = 9  # room for a name in a table of pairs, however narrow the screen
MOST_PAIRS = 21  # all those of seven algorithms
MOST_CHAINED = 25  # names of an order in a line


def for_papers(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of what is written for papers."""
    for option in (
        click.option("--methods", type=PATH, help="Write methods text and references for a paper."),
        click.option(
            "--diagram",
            type=PATH,
            help="Draw the critical difference diagram: .pdf, .svg, .png, or .tex (TikZ).",
        ),
        click.option(
            "--scores", type=PATH, help="Write the scores as a LaTeX table, the best in bold."
        ),
    ):
        command = option(command)
    return command


@click.command("analyze")
@files
@reading
@excluding
@shared(*CHOOSING)
@click.option(
    "--sample",
    help="Of a store with --sampling items: whose test items [1], or all training sets' (all).",
)
@click.option("--queue", type=PATH, help="The order that items were evaluated in (podium queue).")
@click.option(
    "--open", is_flag=True, default=None, help="Of queued items without a budget: look at any time."
)
@click.option("--strata", metavar="COLUMN", help="Of items: scores by topic or the like as well.")
@shared(*TESTING)
@shared("json")
@click.option("--csv", type=PATH, help="Write the pairs as CSV.")
@click.option("--latex", type=PATH, help="Write the pairs as a LaTeX table.")
@click.option("--markdown", type=PATH, help="Write the pairs as a Markdown table.")
@click.option(
    "--order", type=PATH, help="Write the order: .tex, .html, .csv (for `consensus`), or text."
)
@click.option("--report", type=PATH, help="Write a page.")
@click.option("--pairs", is_flag=True, help="List every pair, however many there are.")
@click.option("--all", "every", is_flag=True, help="List every algorithm, however many there are.")
@for_papers
def analyze(file: Path | list[Path], **options: Any) -> int:
    """Which algorithm is better in FILE (a store, table or a tool's files), and may we say so?"""
    import podium
    from podium.api.comparing import compare_registered
    from podium.cli.standings import say_strata

    outputs = {k: options[k] for k in OUTPUTS if options[k]}
    papers = {k: options[k] for k in FOR_PAPERS}
    check_writable(*outputs.values(), *papers.values(), options["report"])
    results, asked = analysed_results(file, options), said(options, COMPARING)
    if len(results.algorithms) == 1 and not any(options[k] for k in OF_PAIRS):
        comparisons = podium.score_interval(results, **said(options, ALONE))
    else:
        comparisons = compare_registered(results, asked)
    comparisons, within = _planned_subgroups(results, comparisons)
    order = podium.decide(comparisons)
    strata = _strata(results, comparisons, options)
    # files come first: whoever reads the screen may leave early
    for kind in sorted(outputs, key=lambda kind: str(outputs[kind]) == SCREEN):
        _write(kind, outputs[kind], comparisons, order, {"subgroups": within, "strata": strata})
    write_for_papers(results, comparisons, order, papers)
    if options["report"]:
        # what a judge alone says is no finding
        about = results.filter(measure=options["human"]) if options["judge"] else results
        write_report(about, options["report"], comparisons, _of_report(asked, comparisons))
    if SCREEN not in map(str, outputs.values()):
        turned = options["control"] is None and comparisons.alternative == "two-sided"
        listed = Listed(pairs=options["pairs"], algorithms=options["every"])
        say_comparisons(comparisons, order, listed, best_first=turned)
        _say_planned(comparisons)
        if strata is not None:
            say_strata(strata)
        if within is not None:
            say(f"\n{within!r}")
    return 0


def _planned_subgroups(results: Results, comparisons: Comparisons) -> tuple[Comparisons, Any]:
    if comparisons.registered is None:
        return comparisons, None
    from podium.studies.planned_subgroups import planned_subgroups

    return planned_subgroups(results, comparisons)


def _strata(results: Results, c: Comparisons, options: dict[str, Any]) -> Any:
    """Scores by stratum, where a column of strata was named."""
    from podium.api.items import by_stratum

    if options["strata"] is None:
        return None
    return by_stratum(results, measure=c.measure, dataset=c.dataset or None, alpha=c.alpha)


def _say_planned(c: Comparisons) -> None:
    """Of a registered study all that was done otherwise than planned."""
    from podium.presentation import text
    from podium.wording.notes_registered import NO_DEVIATION, PLANNED_AND_DONE

    if c.registered is not None:
        table = c.registered.deviations
        say()
        say(text([], {PLANNED_AND_DONE: table}, []) if len(table) else NO_DEVIATION)


def _of_report(asked: dict[str, Any], c: Comparisons) -> dict[str, Any]:
    """What was asked, with margins as the alternative and relevance that they came to."""
    if not any(name in asked for name in (*MARGINS, *BAYES, *JUDGED)):
        return asked
    rest = {name: value for name, value in asked.items() if name not in (*MARGINS, *BAYES, *JUDGED)}
    return rest | {"alternative": c.alternative, "relevance": c.relevance}


def _write(
    kind: str, path: Path, comparisons: Comparisons, order: Order, beside: dict[str, Any]
) -> None:
    """One output to a file, or to the screen where it is called `-`."""
    if kind == "json":
        more = {name: found.to_dict() for name, found in beside.items() if found is not None}
        write_json(comparisons.to_dict() | {"order": order.to_dict()} | more, path)
    elif kind == "order":
        write(_written_order(path.suffix.lower(), comparisons.measure, order), path)
    else:
        write(getattr(comparisons, f"to_{kind}")(), path)
        if kind == "csv":
            say_formulas(order.algorithms)


def _written_order(suffix: str, name: str, order: Order) -> str:
    """The order as LaTeX, HTML, a table that `podium consensus` reads, or a line of text."""
    if suffix == ".csv":
        table = order.pairs_table()  # a text with ≲ would not keep which pairs are alike
        table = table if len(table) else table[[]].assign(order=[order.text])  # one algorithm
        table.insert(0, "name", name)
        return str(table.to_csv(index=False, lineterminator="\n"))
    made = {".tex": order.to_latex, ".html": order._repr_html_}
    return made.get(suffix, lambda: order.text)() + "\n"


# -- the screen -----------------------------------------------------------------------------


class Listed(NamedTuple):
    """What is listed however long it gets."""

    pairs: bool = False
    algorithms: bool = False


def say_comparisons(c: Comparisons, order: Order, listed: Listed, *, best_first: bool) -> None:
    """Who is better, by how much, how sure, and of what this is a statement."""
    from podium.cli.standings import has_columns, say_letters, say_means, say_standings, say_verdict
    from podium.facts import INVALID
    from podium.formatting import screen
    from podium.orders.decide import decide_comparisons
    from podium.presentation import noted
    from podium.results.formats.record import RECOGNISED
    from podium.studies.standing import standing
    from podium.wording import terminal
    from podium.wording.notes import say as words
    from podium.wording.notes_stopping import saved
    from podium.wording.verdict import verdict

    width = screen()
    found = standing(c, order)
    names = [name for group in order.groups for name in group]
    told = [note for note in c.warnings if note.code == RECOGNISED]
    for note in told:
        _say_wrapped(words(note), width)
    say_verdict(verdict(c, found, {}), width)
    say()
    _say_head(c, width)
    if c.withholds:
        say()
        _say_wrapped(words(c.withholds), width)
    elif c.is_race:
        pass  # it claims no order
    elif 1 < len(names) <= MOST_CHAINED or (listed.algorithms and len(names) > 1):
        say(f"\n{terminal.order_in_lines(order, width)}\n")
        _say_wrapped(terminal.legend(order, c), width)
        if margin := terminal.within_margin(c):
            _say_wrapped(margin, width)
    if found is None or has_columns(c):
        say_means(c, names)
    else:
        say_standings(c, found, width, every=listed.algorithms)
        say_letters(order, names)
    if len(c.table):
        every = listed.pairs or len(c.table) <= MOST_PAIRS
        _say_pairs(c.best_first(names) if best_first else c, width, every=every)
    say()
    if c.sequential is not None:
        _say_wrapped(saved(c.sequential, c.blocks.noun), width)
    if c.companion is not None:
        _say_wrapped(terminal.beside(c, decide_comparisons(c.companion)), width)
    if c.best_set is not None and c.contest is not None and len(c.algorithms) > 2:
        _say_wrapped(terminal.contenders(c), width)
    _say_wrapped(c.statement, width)
    for note in c.warnings:
        if note.severity is not INVALID and note not in told:
            _say_wrapped(noted(note), width)


def _say_wrapped(text: str, width: int) -> None:
    from podium.formatting import wrapped

    say(wrapped(text, width, "  "))


def _say_head(c: Comparisons, width: int) -> None:
    """What was measured on what, and a mark where that was not legal."""
    from podium.facts import INVALID
    from podium.wording import terminal
    from podium.wording.notes import say as words

    _say_wrapped(terminal.head(c), width)
    for note in c.warnings:
        if note.severity is INVALID:
            _say_wrapped(f"*** {words(note)} ***", width)


def _say_pairs(c: Comparisons, width: int, *, every: bool) -> None:
    """What was tested, and the pairs; of very many how to get them."""
    from podium.formatting import columns, shortened
    from podium.inference.comparisons import TEXTS
    from podium.wording import terminal

    say()
    _say_wrapped(f"{c.procedure}: {c.title}", width)
    if c.overall:
        _say_wrapped(terminal.overall(c, c.overall), width)
    if c.mean_ranks is not None:
        _say_critical(c, width)
    if not every:
        say(terminal.all_pairs(len(c.table)))
        return
    table = {str(name): list(column) for name, column in c.shown().items()}
    _say_wrapped(terminal.columns(c, "lower" in table or "upper" in table), width)
    pair = ("first", "second")
    rest = columns({n: t for n, t in table.items() if n not in pair}, left=[])
    short = shortened(c.algorithms, max((width - len(rest.split("\n")[0]) - 6) // 2, SHORTEST))
    table |= {name: [short[n] for n in table[name]] for name in pair}
    say("\n" + columns(table, left=TEXTS, indent="  "))


def _say_critical(c: Comparisons, width: int) -> None:
    """The critical difference of mean ranks, where all pairs share one."""
    from podium.plots.critical_values import critical_value, demsar_value
    from podium.wording import terminal

    value = critical_value(c, c.mean_ranks or {})
    if value == value:
        _say_wrapped(terminal.critical(value, demsar_value(c)), width)
