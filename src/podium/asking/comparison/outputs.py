"""What `podium analyze` writes for papers: tables, scores, the diagram, methods and the order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.base.errors import InferenceError
from podium.showing.terminal.writing import write, write_csv, write_json

if TYPE_CHECKING:
    from podium.asking.comparison.answer import Answer
    from podium.core.orders.order import Order


def _write_json(answer: Answer, path: Path) -> None:
    write_json(answer.to_dict(), path)


def _write_csv(answer: Answer, path: Path) -> None:
    write_csv(answer.write_table("csv"), path)


def _write_latex(answer: Answer, path: Path) -> None:
    write(answer.write_table("latex"), path)


def _write_markdown(answer: Answer, path: Path) -> None:
    write(answer.write_table("markdown"), path)


def _write_scores(answer: Answer, path: Path) -> None:
    """Of many data sets, each is judged by itself; the daggers are those judgements."""
    from podium.asking.surveys.by_dataset import by_dataset
    from podium.showing.reports.latex import scores_latex

    results, comparisons = answer.results, answer.comparisons
    measure = comparisons.measure if comparisons.measure in results.measures else None
    each: Any = comparisons if comparisons.dataset else None
    if not comparisons.dataset and len(results.datasets) > 1:
        try:
            each = by_dataset(results, measure=measure)
        except InferenceError:
            each = None  # one score per data set judges nothing on it
    write(scores_latex(results, each, answer.order, measure), path)


def _write_diagram(answer: Answer, path: Path) -> None:
    from podium.asking.pictures.command import save
    from podium.showing.plots import critical_difference_tikz
    from podium.showing.plots.of_pairs.critical_differences import critical_difference

    if path.suffix.lower() == ".tex":
        write(critical_difference_tikz(answer.comparisons, order=answer.order), path)
    else:
        save(critical_difference(answer.comparisons, order=answer.order), path)


def _write_methods(answer: Answer, path: Path) -> None:
    from podium.core.verdicts.methods import how_to_report, methods_text, references

    results, comparisons, order = answer.results, answer.comparisons, answer.order
    listed = "\n".join(references(results, comparisons))
    parts = (*methods_text(results, comparisons, order), how_to_report(comparisons, order), listed)
    write("\n\n".join(part for part in parts if part) + "\n", path)


def _write_order(answer: Answer, path: Path) -> None:
    suffix = path.suffix.lower()
    to = write_csv if suffix == ".csv" else write
    to(write_order_text(suffix, answer.comparisons.measure, answer.order), path)


def write_order_text(suffix: str, name: str, order: Order) -> str:
    """The order as LaTeX, HTML, a table that `podium consensus` reads, or a line of text."""
    if suffix == ".csv":
        table = order.pairs_table()  # a text with ≿ would not keep which pairs are alike
        table = table if len(table) else table[[]].assign(order=[order.text])  # one algorithm
        table.insert(0, "name", name)
        return str(table.to_csv(index=False, lineterminator="\n"))
    made = {".tex": order.to_latex, ".html": order._repr_html_}
    return made.get(suffix, lambda: order.text)() + "\n"


WRITERS = {
    "json": _write_json,
    "csv": _write_csv,
    "latex": _write_latex,
    "markdown": _write_markdown,
    "order": _write_order,
    "scores": _write_scores,
    "diagram": _write_diagram,
    "methods": _write_methods,
}
