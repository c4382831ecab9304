"""`podium analyze`: from a store or a table of scores to comparisons and an order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.for_papers import OUTPUTS as FOR_PAPERS
from podium.cli.for_papers import for_papers, write_for_papers
from podium.cli.main import say
from podium.cli.reading import PATH, excluding, less_excluded, read_results, reading, refuse
from podium.cli.report import write_report
from podium.cli.writing import SCREEN, write, write_json
from podium.errors import ResultsError

if TYPE_CHECKING:
    from podium.comparisons import Comparisons
    from podium.orders.order import Order
    from podium.results.results import Results

COMPARING = ["measure", "dataset", "target", "scale", "procedure", "null", "adjust", "alternative"]
COMPARING += ["alpha", "relevance", "control", "missing", "force"]
ALONE = ("measure", "dataset", "target", "alpha")
OF_PAIRS = ("procedure", "null", "adjust", "control", "relevance")  # senseless for one algorithm
OUTPUTS = ("json", "csv", "latex", "markdown", "order")
SHORTEST = 9  # room for a name in a table of pairs, however narrow the screen
MOST_PAIRS = 21  # all those of seven algorithms
MOST_LETTERED = 26


@click.command("analyze")
@click.argument("file", type=PATH)
@reading
@excluding
@click.option(
    "--target",
    help="What the claim is about: sample, test-set, population, datasets or "
    "dataset-population [the honest one for the design].",
)
@click.option("--dataset", "-d", help="Only this data set of several.")
@click.option(
    "--sample",
    help="Of a store with --sampling items: whose test items [1], or all training sets' (all).",
)
@click.option(
    "--scale",
    help="Of data sets: raw, ranks, best, baseline:NAME, ratio:NAME or normalised [raw].",
)
@click.option("--procedure", "-p", help="A name from `podium procedures` [chosen by the design].")
@click.option(
    "--null",
    help="asymptotic, normal, permutation:N, exact, bootstrap:N; for counts also corrected, mid-p "
    "[the procedure's].",
)
@click.option("--adjust", help="holm, single-step, closed, bonferroni ... [the procedure's].")
@click.option(
    "--alternative",
    default="two-sided",
    show_default=True,
    help="two-sided, less or greater: the sign of first - second that is looked for.",
)
@click.option("--alpha", default=0.05, show_default=True, type=float, help="The error level.")
@click.option("--relevance", default=0.0, type=float, help="The least difference that matters.")
@click.option("--control", help="Compare every algorithm with this one only.")
@click.option(
    "--missing",
    default="complete",
    show_default=True,
    help="complete leaves out blocks that lack a score, worst fills in the worst value.",
)
@click.option("--force", is_flag=True, help="Compute what is not legal, and mark it.")
@click.option("--json", type=PATH, help="Write all as JSON; - for the screen, and nothing else.")
@click.option("--csv", type=PATH, help="Write the pairs as CSV.")
@click.option("--latex", type=PATH, help="Write the pairs as a LaTeX table.")
@click.option("--markdown", type=PATH, help="Write the pairs as a Markdown table.")
@click.option(
    "--order", type=PATH, help="Write the order: .tex, .html, .csv (for `consensus`), or text."
)
@click.option("--report", type=PATH, help="Write a page.")
@for_papers
def command(file: Path, **options: Any) -> int:
    """Which algorithm is better in FILE (a store, CSV or Parquet), and may we say so?"""
    from podium import api

    results = _results(file, options)
    if len(results.algorithms) == 1 and not any(options[k] for k in OF_PAIRS):
        comparisons = api.alone(results, **{k: options[k] for k in ALONE})
    else:
        comparisons = api.compare(results, **{k: options[k] for k in COMPARING})
    order = api.decide(comparisons)
    outputs = {k: options[k] for k in OUTPUTS if options[k]}
    # files come first: whoever reads the screen may leave early
    for kind in sorted(outputs, key=lambda kind: str(outputs[kind]) == SCREEN):
        _write(kind, outputs[kind], comparisons, order)
    write_for_papers(results, comparisons, order, {k: options[k] for k in FOR_PAPERS})
    if options["report"]:
        write_report(results, options["report"], comparisons, {k: options[k] for k in COMPARING})
    if SCREEN not in map(str, outputs.values()):
        turned = options["control"] is None and options["alternative"] == "two-sided"
        say_comparisons(comparisons, order, best_first=turned)
    return 0


def _results(file: Path, options: dict[str, Any]) -> Results:
    """What the file holds, or the items of a store, less the data sets that are left out."""
    from podium import api

    if options["sampling"] != "items" or not api.is_store(file):
        refuse(options, ["sample"], "is for the items of a store: add --sampling items")
        return read_results(file, options)
    measure, sample = options["measure"] or "error", _sample(options["sample"] or "1")
    found = api.items(file, measure=measure, dataset=options["dataset"], sample=sample)
    return less_excluded(found, options)


def _sample(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal():
        raise ResultsError(f"--sample is a number from 1 on, or all, not '{text}'.")
    return int(text)


def _write(kind: str, path: Path, comparisons: Comparisons, order: Order) -> None:
    """One output to a file, or to the screen where it is called `-`."""
    if kind == "json":
        write_json(comparisons.to_dict() | {"order": order.to_dict()}, path)
    elif kind == "order":
        write(_written_order(path.suffix.lower(), comparisons.measure, order), path)
    else:
        write(getattr(comparisons, f"to_{kind}")(), path)


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


def say_comparisons(c: Comparisons, order: Order, *, best_first: bool) -> None:
    """Who is better, by how much, how sure, and of what this is a statement."""
    from podium.formatting import screen
    from podium.presentation import noted

    width = screen()
    names = [name for group in order.groups for name in group]
    _say_head(c, width)
    if len(names) > 1:
        say(f"\n{_order(order, width)}\n")
        _say_wrapped(_legend(order, c.relevance), width)
    _say_means(c, order, names)
    if len(c.table):
        _say_pairs(c.best_first(names) if best_first else c, width)
    say()
    _say_wrapped(c.statement, width)
    for note in c.warnings:
        if note.code != "forced":
            _say_wrapped(noted(note), width)


def _say_wrapped(text: str, width: int) -> None:
    from podium.formatting import wrapped

    say(wrapped(text, width, "  "))


def _say_head(c: Comparisons, width: int) -> None:
    """What was measured on what, and a mark where that was not legal."""
    from podium.wording.notes import say as words

    better = "higher" if c.higher_is_better else "lower"
    sampling = f" ({c.blocks['sampling']})" if c.blocks["sampling"] else ""
    blocks = f"{c.blocks['count']} {c.blocks['text']}{sampling}"
    _say_wrapped(f"{c.measure} ({better} is better), {blocks}, target: {c.target}", width)
    for note in c.warnings:
        if note.code == "forced":
            _say_wrapped(f"*** {words(note)} ***", width)


def _legend(order: Order, margin: float) -> str:
    """What the signs of this order mean, and who is better than each other."""
    from podium.wording.notes_orders import legend

    circles = (f"Better than each other around a circle: {', '.join(c)}." for c in order.cycles)
    signs = legend(order.signs, margin, uncompared=bool(order.uncompared))
    return " ".join([signs, *circles])


def _order(order: Order, width: int) -> str:
    """The order in lines that break behind a sign."""
    from podium.formatting import cells
    from podium.orders.writing import quoted

    lines = [" "]
    for group, joint in zip(order.groups, [*order.joints, ""], strict=True):
        signs = ["≈"] * (len(group) - 1) + [joint]
        for name, sign in zip(group, signs, strict=True):
            part = f" {quoted(name)} {sign}"
            if lines[-1].strip() and cells(lines[-1] + part) > width:
                lines.append("   ")
            lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _overall(c: Comparisons) -> str:
    from podium.formatting import number, p_value

    assert c.overall is not None
    df = c.overall.df if isinstance(c.overall.df, tuple) else (c.overall.df,)
    shown = " and ".join(f"{round(x, 1):g}" for x in df if x is not None)
    p = p_value(c.overall.p)
    return (
        f"{c.overall.test} {number(c.overall.statistic, 4)}"
        f"{f', df {shown}' if shown else ''}, p {'<' if p[0] == '<' else '='} {p.lstrip('<')}"
    )


def _say_means(c: Comparisons, order: Order, names: Sequence[str]) -> None:
    """Every algorithm's mean, the best first; one alone with its interval."""
    from podium.formatting import aligned, columns, number, printable

    means = [c.means[name] for name in names]
    table = {
        "algorithm": [printable(name) for name in names],
        f"mean {printable(c.measure)}": aligned(means, _smallest(means), digits=4),
    }
    lettered = "≲" in order.joints and len(names) <= MOST_LETTERED
    if lettered:
        table["letters"] = [order.letters()[name] for name in names]
    if "lower" in c.details:
        ends = [number(c.details[end], 4) for end in ("lower", "upper")]
        table[f"{_level(c)} interval ({c.details['method']})"] = [" to ".join(ends)]
    say("\n" + columns(table, left=["algorithm", "letters"], indent="  "))
    if lettered:
        say("  Those that share a letter are not distinguishable.")


def _smallest(means: Sequence[float]) -> float:
    return min((abs(m) for m in means if m and m == m), default=1.0)


def _level(c: Comparisons) -> str:
    return f"{100 * (1 - c.alpha):g} %"


def _say_pairs(c: Comparisons, width: int) -> None:
    """What was tested, and the pairs; of many only the first, those of the best algorithm."""
    from podium.comparisons import TEXTS
    from podium.formatting import columns, shortened

    say()
    _say_wrapped(f"{c.procedure}: {c.title}", width)
    if c.overall:
        _say_wrapped(f"Are all alike? {_overall(c)}", width)
    most = len(c.table) if len(c.table) <= MOST_PAIRS else min(len(c.algorithms) - 1, MOST_PAIRS)
    table = {str(name): list(column)[:most] for name, column in c.shown().items()}
    _say_wrapped(_explained(c, "lower" in table or "upper" in table), width)
    pair = ("first", "second")
    rest = columns({n: t for n, t in table.items() if n not in pair}, left=[])
    short = shortened(c.algorithms, max((width - len(rest.split("\n")[0]) - 6) // 2, SHORTEST))
    table |= {name: [short[n] for n in table[name]] for name in pair}
    say("\n" + columns(table, left=TEXTS, indent="  "))
    if most < len(c.table):
        say(f"  ... and {len(c.table) - most} more pairs; --csv FILE writes all of them.")


def _explained(c: Comparisons, intervals: bool) -> str:
    """What the numbers of a pair are."""
    of = str(c.details.get("estimates of", "mean")).replace("mean", "")
    text = f"Estimates are first - second in {of + ' of ' if of else ''}{c.measure}"
    if intervals:
        alone = c.details.get("adjustment") == "none" and len(c.table) > 1
        scope = "of each pair alone" if alone else "for all pairs at once"
        text += f", with {_level(c)} limits {scope}"
    if c.alternative != "two-sided":
        margin = (c.relevance if c.alternative == "greater" else -c.relevance) + 0.0  # no -0
        text += f"; looked for: {c.alternative} than {margin:g}"
    elif c.relevance:
        text += f"; differences up to {c.relevance:g} do not matter"
    return text + "."
