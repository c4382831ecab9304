"""`podium analyze`: from a store or a table of scores to comparisons and an order."""

from __future__ import annotations

from collections.abc import Sequence
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
    less_excluded,
    read_results,
    reading,
    refuse,
    said,
    shared,
)
from podium.cli.report import write_report
from podium.cli.writing import SCREEN, check_writable, say_formulas, write, write_json
from podium.errors import ResultsError

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

ALONE = ("measure", "dataset", "target", "alpha")
MARGINS = ("non_inferiority", "equivalence")
# not of one alone
OF_PAIRS = ("procedure", "null", "adjust", "control", "relevance", *MARGINS, *BAYES, *JUDGED)
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

    outputs = {k: options[k] for k in OUTPUTS if options[k]}
    papers = {k: options[k] for k in FOR_PAPERS}
    check_writable(*outputs.values(), *papers.values(), options["report"])
    results, asked = _results(file, options), said(options, COMPARING)
    if len(results.algorithms) == 1 and not any(options[k] for k in OF_PAIRS):
        comparisons = podium.score_interval(results, **said(options, ALONE))
    else:
        comparisons = compare_registered(results, asked)
    order = podium.decide(comparisons)
    within = _planned_subgroups(results, comparisons)
    # files come first: whoever reads the screen may leave early
    for kind in sorted(outputs, key=lambda kind: str(outputs[kind]) == SCREEN):
        _write(kind, outputs[kind], comparisons, order, within)
    write_for_papers(results, comparisons, order, papers)
    if options["report"]:
        write_report(results, options["report"], comparisons, _of_report(asked, comparisons))
    if SCREEN not in map(str, outputs.values()):
        turned = options["control"] is None and comparisons.alternative == "two-sided"
        listed = Listed(pairs=options["pairs"], algorithms=options["every"])
        say_comparisons(comparisons, order, listed, best_first=turned)
        _say_planned(comparisons)
        if within is not None:
            say(f"\n{within!r}")
    return 0


def _planned_subgroups(results: Results, comparisons: Comparisons) -> Any:
    if comparisons.registered is None:
        return None
    from podium.api.registering import planned_subgroups

    return planned_subgroups(results, comparisons)


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


def _results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """What the file holds, or the items of a store, less the data sets that are left out."""
    import podium
    from podium.api.reading import is_store
    from podium.samplings import ITEMS

    if options["judge"] and options["human"]:
        refuse(options, ["report"], "tests what the judge alone says, too: use --json or --methods")
        return _judged_results(file, options)
    if options["sampling"] != ITEMS.name or not isinstance(file, Path) or not is_store(file):
        of_store = isinstance(file, Path) and is_store(file)
        way = "add --sampling items" if of_store else f"name a store instead of '{file}'"
        refuse(options, ["sample"], f"is for the items of a store: {way}")
        return read_results(file, options)
    measure, sample = options["measure"] or "error", _sample(options["sample"] or "1")
    found = podium.read_items(file, measure=measure, dataset=options["dataset"], sample=sample)
    return less_excluded(found, options)


def _judged_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """The items of a table with two columns of scores, the judge's and people's."""
    from podium.results.judged_tables import read_judged

    if isinstance(file, list):
        raise ResultsError("A judge's and people's scores are read from one table: give one file.")
    refuse(options, ["measure"], "is what people say: it is the column of --human")
    chosen = said(options, ["sampling", "columns", "higher_is_better"])
    return less_excluded(read_judged(file, options["judge"], options["human"], **chosen), options)


def _sample(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal():
        raise ResultsError(f"--sample is a number from 1 on, or all, not '{text}'.")
    return int(text)


def _write(kind: str, path: Path, comparisons: Comparisons, order: Order, within: Any) -> None:
    """One output to a file, or to the screen where it is called `-`."""
    if kind == "json":
        beside = {} if within is None else {"subgroups": within.to_dict()}
        write_json(comparisons.to_dict() | {"order": order.to_dict()} | beside, path)
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
    from podium.cli.standings import has_columns, say_letters, say_standings, say_verdict
    from podium.facts import INVALID
    from podium.formatting import screen
    from podium.orders.decide import decide_comparisons
    from podium.presentation import noted
    from podium.results.formats.record import RECOGNISED
    from podium.studies.standing import standing
    from podium.wording import terminal
    from podium.wording.notes import say as words
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
        _say_wrapped(f"\n{words(c.withholds)}", width)
    elif 1 < len(names) <= MOST_CHAINED or (listed.algorithms and len(names) > 1):
        say(f"\n{terminal.order_in_lines(order, width)}\n")
        _say_wrapped(terminal.legend(order, c), width)
        if margin := terminal.within_margin(c):
            _say_wrapped(margin, width)
    if found is None or has_columns(c):
        _say_means(c, names)
    else:
        say_standings(c, found, width, every=listed.algorithms)
        say_letters(order, names)
    if len(c.table):
        every = listed.pairs or len(c.table) <= MOST_PAIRS
        _say_pairs(c.best_first(names) if best_first else c, width, every=every)
    say()
    if c.companion is not None:
        _say_wrapped(terminal.beside(c, decide_comparisons(c.companion)), width)
    if c.best_set is not None and len(c.algorithms) > 2:
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


def _say_means(c: Comparisons, names: Sequence[str]) -> None:
    """Every algorithm's mean, the best first; one alone with its interval."""
    from podium.formatting import aligned, columns, number, p_value, printable
    from podium.wording import terminal

    means = [c.means[name] for name in names]
    table = {
        "algorithm": [printable(name) for name in names],
        f"mean {printable(c.measure)}": aligned(means, _smallest(means), digits=4),
    }
    if c.scores is not None:
        own = c.scores.set_index("algorithm").loc[list(names)]
        reach = min((e for e in own["standard_error"] if e > 0), default=1.0)
        errors, low, high = (
            aligned(own[name].tolist(), reach, digits=2)
            for name in ("standard_error", "lower", "upper")
        )
        table["s.e."] = errors
        table[terminal.own_interval(c)] = [
            " to ".join(ends) for ends in zip(low, high, strict=True)
        ]
    if c.standing is not None:
        standing = [c.standing[name] for name in names]
        table["P(best)"] = [p_value(s.best) for s in standing]
        table["expected rank"] = aligned([s.expected_rank for s in standing], 1.0, digits=3)
    if c.judged is not None and c.judged.elo is not None:
        elo = c.judged.elo
        table["Elo"] = [f"{elo[name]:.0f}" for name in names]
    if c.mean_ranks is not None:
        table["mean rank"] = aligned([c.mean_ranks[name] for name in names], 1.0, digits=3)
    if c.interval is not None:
        ends = [number(end, 4) for end in (c.interval.lower, c.interval.upper)]
        table[terminal.interval(c)] = [" to ".join(ends)]
    say("\n" + columns(table, left=["algorithm"], indent="  "))


def _smallest(means: Sequence[float]) -> float:
    return min((abs(m) for m in means if m and m == m), default=1.0)


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
