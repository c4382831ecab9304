"""`podium report`: results and what may be said of them, as one page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.base.options import INPUT, QUESTION
from podium.base.progress import counting
from podium.cli.main import say
from podium.cli.options import (
    BAYES,
    CHOOSING,
    COMPARING,
    JUDGED,
    MARGINS,
    PATH,
    TESTING,
    command,
    declared,
    excluding,
    files,
    option,
    reading,
    said,
    shared,
)
from podium.cli.writing import check_writable

if TYPE_CHECKING:
    from podium.inference.comparing.comparisons import Comparisons
    from podium.reading.results import Results

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
    from podium.answers.sources import analysed_results
    from podium.verdicts.verbs import compare_registered

    check_writable(output)
    results = analysed_results(file, options)
    request = said(options, COMPARING)
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
