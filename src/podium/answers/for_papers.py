"""What `podium analyze` writes for papers: scores, the diagram and the methods."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.writing import write

if TYPE_CHECKING:
    from podium.inference.comparing.comparisons import Comparisons
    from podium.orders.order import Order
    from podium.reading.results import Results


def write_for_papers(
    results: Results, comparisons: Comparisons, order: Order, options: dict[str, Path | None]
) -> None:
    """Write what was asked for."""
    makers = {"scores": _scores, "diagram": _diagram, "methods": _methods}
    for name, path in options.items():
        if path is not None:
            makers[name](results, comparisons, order, path)


def _scores(results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    """Of many data sets, each is judged by itself; the daggers are those judgements."""
    from podium.base.errors import InferenceError
    from podium.reports.latex import scores_latex
    from podium.surveys.by_dataset import by_dataset

    measure = comparisons.measure if comparisons.measure in results.measures else None
    each: Any = comparisons if comparisons.dataset else None
    if not comparisons.dataset and len(results.datasets) > 1:
        try:
            each = by_dataset(results, measure=measure)
        except InferenceError:
            each = None  # one score per data set judges nothing on it
    write(scores_latex(results, each, order, measure), path)


def _diagram(_results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    from podium.plots import critical_difference_tikz
    from podium.plots.of_pairs.critical_differences import critical_difference
    from podium.reports.plot_command import save

    if path.suffix.lower() == ".tex":
        write(critical_difference_tikz(comparisons, order=order), path)
    else:
        save(critical_difference(comparisons, order=order), path)


def _methods(results: Results, comparisons: Comparisons, order: Order, path: Path) -> None:
    from podium.verdicts.methods import how_to_report, methods_text, references

    listed = "\n".join(references(results, comparisons))
    parts = (*methods_text(results, comparisons, order), how_to_report(comparisons, order), listed)
    write("\n\n".join(part for part in parts if part) + "\n", path)
