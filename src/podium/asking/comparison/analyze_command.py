"""`podium analyze` and `podium report`: the answer on a terminal, in files, and as a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from podium.asking.comparison.answer import Answer, Shown
from podium.asking.comparison.outputs import WRITERS
from podium.asking.comparison.question import ask, find_question, list_questions
from podium.asking.comparison.request import OWN, Request
from podium.core.base.options import INPUT, OUTPUT, QUESTION, part_of
from podium.core.base.progress import counting
from podium.showing.terminal.options import (
    CHOOSING,
    PATH,
    TESTING,
    command,
    declared,
    excluding,
    files,
    option,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, write_outputs

list_questions()  # declares the options of their own
ITEM_OPTIONS = (
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


def add_item_options(decorated: Callable[..., Any]) -> Callable[..., Any]:
    """The options of items: which, in which order they came, and by what they are grouped."""
    for add in reversed(ITEM_OPTIONS):
        decorated = add(decorated)
    return decorated


OF_COMPARISONS = ("order", "scores", "diagram", "methods")
OUTPUTS = ("json", "csv", "latex", "markdown", *OF_COMPARISONS)
output = partial(option, section=OUTPUT)


@command("report")
@files
@declared("output", "Where the page goes.", default="report.html", show_default=True)
@reading
@excluding
@shared(*CHOOSING)
@add_item_options
@shared(*TESTING)
@shared("factors", "margin", *part_of(OWN))
def report(file: Path | list[Path], output: Path, **options: Any) -> int:
    """Write the results of FILE (a results file, a table, other tools' files) as one HTML page."""
    from podium.asking.comparison.verbs import report_request

    check_writable(output)
    with counting() as progress:
        report_request(Request.from_asked(file, options), output, progress)
    say(f"The page is in '{output}'.")
    return 0


@command("analyze")
@files
@reading
@excluding
@shared(*CHOOSING)
@add_item_options
@shared(*TESTING)
@shared("factors", "margin", *part_of(OWN))
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
    paths = {kind: options[kind] for kind in OUTPUTS if options[kind]}
    check_writable(*paths.values(), options["report"])
    request = Request.from_asked(file, options)
    if reason := find_question(request).only_tables:
        refuse(options, OF_COMPARISONS, reason)
    answer = ask(request)
    is_on_screen = write_outputs(
        *((path, partial(WRITERS[kind], answer)) for kind, path in paths.items()),
        (options["report"], partial(_write_page, answer)),
    )
    if not is_on_screen:
        answer.say(Shown(options["pairs"], options["why"], options["every"]))
    return 0


def _write_page(answer: Answer, path: Path) -> None:
    """Write the page, and show on a terminal how far it has come."""
    import podium

    with counting() as progress:
        podium.report(answer, path, progress=progress)
