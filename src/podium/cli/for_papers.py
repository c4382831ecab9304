"""What `podium analyze` writes for papers: the table of scores, a diagram, the methods text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.options import PATH
from podium.cli.writing import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from podium.inference.comparisons import Comparisons
    from podium.orders.order import Order
    from podium.results.results import Results

OUTPUTS = ("scores", "diagram", "methods")


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


def write_for_papers(
    results: Results, comparisons: Comparisons, order: Order, asked: dict[str, Path | None]
) -> None:
    """Write what was asked for."""
    makers = {"scores": _scores, "diagram": _diagram, "methods": _methods}
    for name, path in asked.items():
        if path is not None:
            makers[name](results, comparisons, order, path)


def _scores(results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    """Of many data sets, each is judged by itself; the daggers are those judgements."""
    from podium.errors import InferenceError
    from podium.reports.latex import scores_latex
    from podium.studies.by_dataset import by_dataset

    measure = comparisons.measure if comparisons.measure in results.measures else None
    each: Any = comparisons if comparisons.dataset else None
    if not comparisons.dataset and len(results.datasets) > 1:
        try:
            each = by_dataset(results, measure=measure)
        except InferenceError:
            each = None  # one score per data set judges nothing on it
    write(scores_latex(results, each, order, measure), path)


def _diagram(_results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    from podium.cli.plot import save
    from podium.plots import critical_difference_tikz
    from podium.plots.critical_differences import critical_difference

    if path.suffix.lower() == ".tex":
        write(critical_difference_tikz(comparisons, order=order), path)
    else:
        save(critical_difference(comparisons, order=order), path)


def _methods(results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    from podium.wording.methods import how_to_report, methods_text, references

    listed = "\n".join(references(results, comparisons))
    parts = (*methods_text(results, comparisons, order), how_to_report(comparisons, order), listed)
    write("\n\n".join(part for part in parts if part) + "\n", path)
