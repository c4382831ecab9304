"""`podium analyze` and `podium report`: from a store or a table of scores to comparisons, an order
and a page; the ranking inside folds included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from podium.core.base.errors import InferenceError, PodiumError, ResultsError
from podium.core.base.formatting import read_digits, screen
from podium.core.base.options import INPUT, OUTPUT, QUESTION
from podium.core.base.progress import counting
from podium.core.base.rooms import offered, required
from podium.showing.terminal.options import (
    BAYES,
    CHOOSING,
    COMPARING,
    JUDGED,
    MARGINS,
    PATH,
    READING,
    TESTING,
    command,
    declared,
    excluding,
    files,
    given_options,
    less_excluded,
    option,
    read_results,
    read_weights,
    reading,
    refuse,
    shared,
    with_strata,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import (
    Output,
    check_writable,
    say_lines,
    write,
    write_csv,
    write_json,
    write_outputs,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from podium.core.inference.comparing.comparisons import Comparisons
    from podium.core.inference.layouts import Layout
    from podium.core.orders.order import Order
    from podium.core.results.results import Results


# -- what is read ---------------------------------------------------------------------------------
# What `podium analyze` reads: tables and stores, a judge's and people's scores, queued items.


MARGINS_OF = "is of several measures: name them, as in -m accuracy,cost"


def other_question(options: dict[str, Any]) -> str:
    """The room that answers what is asked beside comparisons of algorithms; empty: none."""
    if options.get("factors"):
        return "factors"
    return "fronts" if _are_several(options) and not options.get("weights") else ""


def _are_several(options: dict[str, Any]) -> bool:
    return "," in (options["measure"] or "")


def question_of(results: Results) -> str:
    """The room that answers what the results themselves ask: times of two versions."""
    return "timings" if "timings" in results.design else ""


def analysed_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """What the file holds; times of two versions know how they changed, if no test was named."""
    results = _read_results(file, options)
    timed = offered("with_timings")
    others = [name for name in (*CHOOSING, *TESTING, "strata") if name not in ("alpha", "gaps")]
    if timed is None or other_question(options) or any(options.get(name) for name in others):
        return results
    return cast("Results", timed(results, **given_options(options, ("alpha",))))


def _read_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """What the file holds, or the items of a store, less the data sets that are left out."""
    import podium
    from podium.core.samplings import ITEMS
    from podium.reading.formats.stores import is_store

    if question := other_question(options):
        if question != "fronts":
            refuse(options, ["margin"], MARGINS_OF)
        return cast("Results", required(f"{question}_results")(file, options))
    if _are_several(options) and options.get("weights"):
        return cast("Results", required("utility_results")(file, options))
    refuse(options, ["margin"], MARGINS_OF)
    if options["queue"] or options["open"]:
        return _queued_results(file, options)
    options = with_strata(options)
    if options["judge"] and options["human"]:
        return _judged_results(file, options)
    if options["sampling"] != ITEMS.name or not isinstance(file, Path) or not is_store(file):
        of_store = isinstance(file, Path) and is_store(file)
        way = "add --sampling items" if of_store else f"name a store instead of '{file}'"
        refuse(options, ["sample"], f"is for the items of a store: {way}")
        return read_results(file, options)
    _taken(options, ["sampling", "measure", "sample"], "is not for the items of a store")
    measure, sample = options["measure"] or "error", _sample(options["sample"] or "1")
    results = podium.read_items(file, measure=measure, dataset=options["dataset"], sample=sample)
    return less_excluded(results, options)


def _taken(options: dict[str, Any], names: Sequence[str], why: str) -> dict[str, Any]:
    """Those of these options of reading that were given; others are refused, not ignored."""
    refuse(options, [name for name in (*READING, "sample") if name not in names], why)
    return given_options(options, names)


def first_measure(file: Path | list[Path], results: Results, options: dict[str, Any]) -> str | None:
    """The measure that counts where there are several and none was named.

    A study lists it first; of a table it is the one that is no cost, where all others are.
    """
    from podium.core.results.measure_names import only_quality
    from podium.reading.formats.stores import is_store

    planned = results.registered is not None or results.stopping is not None
    if options["measure"] or options["judge"] or planned or len(results.measures) < 2:
        return None
    if isinstance(file, Path) and is_store(file):
        return next(iter(results.measures))
    return only_quality(results.measures)


def _judged_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """The items of a table with two columns of scores, the judge's and people's."""
    from podium.asking.judges.tables import read_judged

    refuse(options, ["measure", "sample"], "is what people say: it is the column of --human")
    chosen = given_options(options, [name for name in READING if name != "measure"])
    return less_excluded(read_judged(file, options["judge"], options["human"], **chosen), options)


def _queued_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """Items in an order that was drawn, with the plan of their queue."""
    import podium
    from podium.core.samplings import ITEMS
    from podium.reading.formats.stores import is_store

    if not isinstance(file, list) and is_store(file):
        raise ResultsError(
            "A queue is for one table of answers to items; a study that runs here stops by "
            "podium run --until decided."
        )
    if options["sampling"] not in (None, ITEMS.name):
        raise ResultsError(
            f"A queue is of items, not of '{options['sampling']}': leave --sampling out."
        )
    refuse(options, ["judge", "human", "dataset", "strata"], "is not for queued items")
    refuse(options, ["sample"], "is not for queued items: leave it out")
    request = given_options(options, [name for name in READING if name != "sampling"])
    results = podium.sequential.read_queued(file, options["queue"], **request)
    if options["open"] and results.stopping and not results.stopping["open"]:
        raise ResultsError(
            "This queue was drawn with a budget, and a plan does not change after a look: leave "
            "--open out."
        )
    return less_excluded(results, options)


def _sample(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal():
        raise ResultsError(f"--sample is a number from 1 on, or all, not '{text}'.")
    return read_digits(text)


# -- the page -------------------------------------------------------------------------------------
# `podium report`: results and what may be said of them, as one page.


ONLY_OF_IT = ("weights", "covariates")  # not of a page's other measures
TURNED = (*MARGINS, *BAYES, *JUDGED)  # of one measure, while a page is about all


OF_ITEMS = (
    option(
        "--sample",
        section=INPUT,
        rare=True,
        help="Results files with --sampling items: items of which sample [1], or all.",
    ),
    option(
        "--queue",
        type=PATH,
        section=INPUT,
        rare=True,
        help="The order in which items were evaluated (podium plan queue).",
    ),
    shared(open="With --queue and no fixed number of items: look at any time."),
    option(
        "--strata",
        metavar="COLUMN",
        section=QUESTION,
        rare=True,
        help="Also report scores by this column (items only).",
    ),
)


def of_items(decorated: Callable[..., Any]) -> Callable[..., Any]:
    """The options of items: which, in which order they came, and by what they are grouped."""
    for add in reversed(OF_ITEMS):
        decorated = add(decorated)
    return decorated


@command("report")
@files
@declared("output", "Where the page goes.", default="report.html", show_default=True)
@reading
@excluding
@shared(*CHOOSING)
@of_items
@shared(*TESTING)
@shared("factors", "margin")
def report(file: Path | list[Path], output: Path, **options: Any) -> int:
    """Write the results of FILE (a results file, a table, other tools' files) as one HTML page."""
    from podium.core.verdicts.verbs import compare_registered

    check_writable(output)
    results = analysed_results(file, options)
    request = given_options(options, COMPARING)
    request = request if options["force"] else {k: v for k, v in request.items() if k != "force"}
    one = any(name in request for name in (*TURNED, *ONLY_OF_IT))
    write_report(results, output, compare_registered(results, request) if one else None, request)
    say(f"The page is in '{output}'.")
    return 0


def write_report(
    results: Results, path: Path, comparisons: Comparisons | None, requests: Mapping[str, Any]
) -> None:
    """Write the page, and show on a terminal how far it has come."""
    import podium

    if "judge" in requests:  # what a judge alone says is no finding
        results = results.filter(measure=requests["human"])
    options = _of_page(requests, comparisons)
    with counting() as progress:
        podium.report(results, path, comparisons=comparisons, progress=progress, **options)


def _of_page(options: Mapping[str, Any], c: Comparisons | None) -> dict[str, Any]:
    """What was asked, with margins as the alternative and relevance that they came to."""
    rest = {name: value for name, value in options.items() if name not in (*TURNED, *ONLY_OF_IT)}
    if c is None or not any(name in options for name in TURNED):
        return rest
    return rest | {"alternative": c.alternative, "relevance": c.relevance}


# -- for papers -----------------------------------------------------------------------------------
# What `podium analyze` writes for papers: scores, the diagram and the methods.


def list_paper_outputs(
    results: Results, comparisons: Comparisons, order: Order, options: dict[str, Path | None]
) -> list[Output]:
    """Where each goes, and what writes it."""
    makers = {"scores": _scores, "diagram": _diagram, "methods": _methods}
    return [(path, partial(makers[n], results, comparisons, order)) for n, path in options.items()]


def _scores(results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    """Of many data sets, each is judged by itself; the daggers are those judgements."""
    from podium.asking.surveys.by_dataset import by_dataset
    from podium.showing.reports.latex import scores_latex

    measure = comparisons.measure if comparisons.measure in results.measures else None
    each: Any = comparisons if comparisons.dataset else None
    if not comparisons.dataset and len(results.datasets) > 1:
        try:
            each = by_dataset(results, measure=measure)
        except InferenceError:
            each = None  # one score per data set judges nothing on it
    write(scores_latex(results, each, order, measure), path)


def _diagram(_results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    from podium.asking.pictures.command import save
    from podium.showing.plots import critical_difference_tikz
    from podium.showing.plots.of_pairs.critical_differences import critical_difference

    if path.suffix.lower() == ".tex":
        write(critical_difference_tikz(comparisons, order=order), path)
    else:
        save(critical_difference(comparisons, order=order), path)


def _methods(results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    from podium.core.verdicts.methods import how_to_report, methods_text, references

    listed = "\n".join(references(results, comparisons))
    parts = (*methods_text(results, comparisons, order), how_to_report(comparisons, order), listed)
    write("\n\n".join(part for part in parts if part) + "\n", path)


# -- analyze command ------------------------------------------------------------------------------
# `podium analyze`: from a store or a table of scores to comparisons and an order.


ALONE = ("measure", "dataset", "target", "alpha", *JUDGED)
LAYOUT = ("measure", *CHOOSING, "gaps")
# not of one alone
OF_PAIRS = ("procedure", "null", "adjust", "control", "relevance", *MARGINS, *BAYES)
FOR_PAPERS = ("scores", "diagram", "methods")
output = partial(option, section=OUTPUT)
OUTPUTS = ("json", "csv", "latex", "markdown", "order")


@command("analyze")
@files
@reading
@excluding
@shared(*CHOOSING)
@of_items
@shared(*TESTING)
@shared("factors", "margin")
@shared("report")
@output("--pairs", is_flag=True, help="Show the order and every comparison with its numbers.")
@shared(
    why="Show why this test, and all caveats in full.",
    every="Show every algorithm, however many there are.",
    json="Write everything as JSON; - for the screen.",
    csv="Write the comparisons as CSV.",
    latex="Write the comparisons as a LaTeX table.",
    markdown="Write the comparisons as a Markdown table.",
)
@output(
    "--diagram",
    type=PATH,
    help="Draw the critical difference diagram: .pdf, .svg, .png or .tex (TikZ).",
)
@output(
    "--scores", type=PATH, rare=True, help="Write the scores as a LaTeX table, the best in bold."
)
@output("--methods", type=PATH, rare=True, help="Write methods text and references for a paper.")
@output(
    "--order",
    type=PATH,
    rare=True,
    help="Write the order: .tex, .html, .csv (for `consensus`) or text.",
)
def analyze(file: Path | list[Path], **options: Any) -> int:
    """Compare the algorithms in FILE: who is better, by how much, how sure?

    FILE is a results file, a table of scores, or files of another tool (podium list formats).

    \b
    podium analyze scores.csv --measure accuracy
    podium analyze scores.csv -m error --control baseline --report page.html
    """
    import podium
    from podium.asking.comparison.screen import Shown, say_comparisons
    from podium.core.verdicts.verbs import compare_registered
    from podium.showing.screens.standings import say_strata

    outputs = {k: options[k] for k in OUTPUTS if options[k]}
    papers = {k: options[k] for k in FOR_PAPERS}
    check_writable(*outputs.values(), *papers.values(), options["report"])
    question = other_question(options)
    results = analysed_results(file, options)
    question = question or question_of(results)
    first = first_measure(file, results, options)
    options["measure"] = options["measure"] or first
    options["weights"] = read_weights(options["weights"])
    request = given_options(options, COMPARING)
    if len(results.algorithms) == 1 and not any(options[k] for k in OF_PAIRS):
        comparisons = podium.verdicts.score_interval(results, **given_options(options, ALONE))
    else:
        comparisons = compare_registered(results, request)
    comparisons, within = _planned_subgroups(results, comparisons)
    if first is not None:
        comparisons = _of_first(comparisons, first, results)
    order = podium.decide(comparisons)
    answer = required(f"{question}_answer")(results, options) if question else None
    strata = _strata(results, comparisons, options)
    several = _repeats(file, results, comparisons, options)
    layout = cache(partial(_layout, results, request, comparisons))
    sections = {"subgroups": within, "strata": strata, "repeats": several}

    def write_one(kind: str, path: Path) -> None:
        _write(kind, path, comparisons, order, (sections, layout, answer))

    def write_page(path: Path) -> None:
        write_report(results, path, comparisons, request)

    is_on_screen = write_outputs(
        *((path, partial(write_one, kind)) for kind, path in outputs.items()),
        *list_paper_outputs(results, comparisons, order, papers),
        (options["report"], write_page),
    )
    if is_on_screen:
        return 0
    if answer is not None:
        every = options["pairs"] or options["every"]
        required(f"{question}_say")(answer, pairs=every, why=options["why"])
    else:
        shown = Shown(options["pairs"], options["why"], options["every"])

        def say_beside() -> None:
            _say_planned(comparisons)
            if strata is not None:
                say_strata(strata)
            if several is not None:
                required("say_repeats")(several)
            if within is not None:
                say_lines(f"\n{within!r}")
            if (
                strata is not None
                or within is not None
                or comparisons.extras.registered is not None
            ):
                say()

        say_comparisons(comparisons, order, shown, layout, say_beside)
        _say_parts(results)
    return 0


def _say_parts(results: Results) -> None:
    """That algorithms look like combinations, and how to ask which part matters."""
    from podium.asking.comparison.words import PARTS
    from podium.showing.screens.standings import say_label
    from podium.showing.screens.terminal import MORE

    hint = offered("factors_hint")
    if hint is not None and (wording := hint(results)):
        say_label(MORE, [PARTS.format(wording)], screen())


def _of_first(c: Comparisons, measure: str, results: Results) -> Comparisons:
    """With a note of the measures that were not asked about."""
    from dataclasses import replace

    from podium.core.words.facts import REMARK, Note

    others = tuple(name for name in results.measures if name != measure)
    note = Note("first-measure", REMARK, measure=measure, others=others)
    return replace(c, warnings=(*c.warnings, note))


def _layout(results: Results, options: dict[str, Any], c: Comparisons) -> Layout | None:
    """What was compared, for a plan; None where it was not compared by its own scores alone."""
    from podium.core.verdicts.verbs import layout_of

    if c.extras.registered is not None or any(name in options for name in (*JUDGED, *BAYES)):
        return None
    try:
        return layout_of(results, **given_options(options, ("procedure", *LAYOUT)))
    except PodiumError:
        return None


def _planned_subgroups(results: Results, comparisons: Comparisons) -> tuple[Comparisons, Any]:
    if comparisons.extras.registered is None:
        return comparisons, None
    planned_subgroups = required("planned_subgroups")
    return cast("tuple[Comparisons, Any]", planned_subgroups(results, comparisons))


def _repeats(
    file: Path | list[Path], results: Results, c: Comparisons, options: dict[str, Any]
) -> Any:
    """pass^k beside pass@k, flaky items and costs, where one of the two is the measure."""
    from podium.core.results.pass_at import pass_rate

    rate = pass_rate(options["measure"])
    made = None if rate is None else results.measures.get(rate.name)
    if rate is None or made is None or made.words != rate.words:  # a column may be called so
        return None
    return required("repeats_of")(file, options, c.alpha)


def _strata(results: Results, c: Comparisons, options: dict[str, Any]) -> Any:
    """Scores by stratum, where a column of strata was named."""
    if options["strata"] is None:
        return None
    return required("by_stratum")(
        results, measure=c.measure, dataset=c.dataset or None, alpha=c.alpha
    )


def _say_planned(c: Comparisons) -> None:
    """Of a registered study all that was done otherwise than planned."""
    if c.extras.registered is not None:
        say()
        say(required("deviations_text")(c.extras.registered.deviations))


def _write(
    kind: str,
    path: Path,
    comparisons: Comparisons,
    order: Order,
    more: tuple[dict[str, Any], Callable[[], Layout | None], Any],
) -> None:
    """One output to a file, or to the screen where it is called `-`."""
    sections, layout, answer = more
    if kind == "json":
        from podium.asking.comparison.pages import record

        others = {name: result.to_dict() for name, result in sections.items() if result is not None}
        own = {} if answer is None else answer.to_dict()
        write_json(record(comparisons, order, layout) | others | own, path)
    elif kind == "order":
        to = write_csv if path.suffix.lower() == ".csv" else write
        to(_written_order(path.suffix.lower(), comparisons.measure, order), path)
    else:
        to = write_csv if kind == "csv" else write
        to(getattr(answer or comparisons, f"to_{kind}")(), path)


def _written_order(suffix: str, name: str, order: Order) -> str:
    """The order as LaTeX, HTML, a table that `podium consensus` reads, or a line of text."""
    if suffix == ".csv":
        table = order.pairs_table()  # a text with ≿ would not keep which pairs are alike
        table = table if len(table) else table[[]].assign(order=[order.text])  # one algorithm
        table.insert(0, "name", name)
        return str(table.to_csv(index=False, lineterminator="\n"))
    made = {".tex": order.to_latex, ".html": order._repr_html_}
    return made.get(suffix, lambda: order.text)() + "\n"
