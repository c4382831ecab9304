"""`podium plot`: one picture of a file of scores."""

from __future__ import annotations

import re
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import say, say_error
from podium.cli.options import PATH, excluding, read_results, reading, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from podium.results.results import Results

COMPARING = ("measure", "dataset", "target", "procedure", "alpha", "relevance", "control")
GLYPH = r"Glyph (\d+) .*missing from font"  # as Matplotlib warns
FORMATS = (".pdf", ".svg", ".png", ".eps", ".ps", ".jpg")


@dataclass(frozen=True)
class Picture:
    """What a plot is of, and which options it takes."""

    text: str
    of: str  # results, comparisons, order, orders (of data sets) or stability
    options: tuple[str, ...] = ("measure", "dataset")


PICTURES = {
    "summary": Picture("means with their intervals", "results"),
    "dots": Picture("every score", "results"),
    "boxes": Picture("box plots", "results"),
    "violins": Picture("violin plots", "results"),
    "histograms": Picture("histograms, with lines that join the scores of a sample", "results"),
    "densities": Picture("densities, with lines that join the scores of a sample", "results"),
    "bench": Picture("the benchmark experiment plot: who is on which place", "results"),
    "full_bench": Picture("the same with lines that join the scores of a sample", "results"),
    "times": Picture("computation times", "results", ("dataset",)),
    "trellis": Picture("box plots of every data set", "results", ("measure",)),
    "learning_curves": Picture("scores by training size", "results"),
    "profiles": Picture("performance profiles", "results"),
    "pareto": Picture("two measures against each other", "results", ("dataset",)),
    "fitted": Picture("fitted values of the mixed model", "results"),
    "residuals": Picture("residuals of the mixed model", "results"),
    "differences": Picture("differences over data sets", "results", ("measure", "control")),
    "deviations": Picture("how differences vary over data sets", "results", ("measure",)),
    "dataset_heat": Picture("ranks of algorithms on data sets", "results", ("measure",)),
    "intervals": Picture("simultaneous intervals of the differences", "comparisons", COMPARING),
    "critical_difference": Picture(
        "the critical difference diagram", "comparisons", COMPARING
    ),
    "matrix": Picture("the matrix of pairs", "comparisons", COMPARING),
    "hasse": Picture("the order as a Hasse diagram", "order", COMPARING),
    "rank_stability": Picture("places under the bootstrap of blocks", "stability", COMPARING),
    "survey": Picture("the podium of every data set", "orders", ("measure", "procedure", "alpha")),
    "dendrogram": Picture("data sets by their orders", "orders", ("measure", "procedure", "alpha")),
    "survey_graph": Picture("data sets by the distances of their orders", "orders",
                            ("measure", "procedure", "alpha")),
}  # fmt: skip


def _listed() -> str:
    width = max(map(len, PICTURES))
    return "\b\n" + "\n".join(f"{name:{width}}  {one.text}" for name, one in PICTURES.items())


@click.command(
    "plot",
    help="Draw NAME of FILE (a store, CSV or Parquet).\n\n" + _listed(),
)
@click.argument("name")
@click.argument("file", type=PATH)
@click.option("--output", "-o", type=PATH, help="A .pdf, .svg or .png file [NAME.pdf].")
@reading
@excluding
@click.option("--dataset", "-d", help="Only this data set of several.")
@click.option("--target", help="What the claim is about [the honest one for the design].")
@click.option("--procedure", "-p", help="A name from `podium procedures` [chosen by the design].")
@click.option("--alpha", type=float, help="The error level [0.05].")
@click.option("--relevance", type=float, help="The least difference that matters [0].")
@click.option("--control", help="Compare every algorithm with this one only.")
def command(name: str, file: Path, output: Path | None, **options: Any) -> int:
    """Draw one picture."""
    from podium.errors import DesignError, UnknownName
    from podium.registry import unknown

    if name not in PICTURES:
        raise UnknownName(unknown("plot", name, PICTURES))
    picture, path = PICTURES[name], output or Path(f"{name}.pdf")
    _check(path)
    chosen = said(options, COMPARING)
    if senseless := [o for o in chosen if o not in (*picture.options, "measure")]:
        raise DesignError(f"The plot '{name}' does not depend on --{senseless[0]}: leave it out.")
    results = read_results(file, options)
    save(_drawn(name, picture, results, chosen), path)
    say(f"The picture is in '{path}'.")
    return 0


def _drawn(name: str, picture: Picture, results: Results, chosen: dict[str, Any]) -> Any:
    from podium import plots

    draw: Callable[..., Any] = getattr(plots, name)
    kept = {o: chosen[o] for o in picture.options if o in chosen}
    if picture.of == "results":
        return draw(results, **kept)
    return draw(_found(picture.of, results, kept))


def _found(of: str, results: Results, chosen: dict[str, Any]) -> Any:
    """What is drawn: comparisons, their order, its stability, or the orders of data sets."""
    from podium import api

    makers: dict[str, Callable[[], Any]] = {
        "comparisons": lambda: api.compare(results, **chosen),
        "order": lambda: api.decide(api.compare(results, **chosen)),
        "stability": lambda: api.stability(results, **chosen),
        "orders": lambda: api.by_dataset(results, **chosen),
    }
    return makers[of]()


def _check(path: Path) -> None:
    from podium.errors import DesignError

    if path.suffix.lower() not in FORMATS:
        raise DesignError(
            f"A picture is a {', '.join(FORMATS[:3])} file, not '{path.name}': name another."
        )


@contextmanager
def _glyphs(path: Path) -> Iterator[None]:
    """One sentence about all characters that the font lacks."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    lacks = {m[1]: None for w in caught if (m := re.match(GLYPH, str(w.message)))}
    if lacks and path.suffix.lower() != ".svg":  # its text is shown in the reader's fonts
        some = ", ".join(chr(int(code)) for code in list(lacks)[:10])
        say_error(f"The font of '{path}' lacks {some}: an SVG file shows them.")


def save(drawn: Any, path: Path) -> None:
    """Write the figure of what was drawn; text in vector files stays text."""
    import matplotlib
    import matplotlib.pyplot as plt

    from podium.errors import ExecutionError

    _check(path)
    figure = getattr(drawn, "figure", None) or drawn
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
        "svg.hashsalt": path.stem,
    }
    dated = {".pdf": "CreationDate", ".svg": "Date"}.get(path.suffix.lower())
    try:
        with matplotlib.rc_context(settings), _glyphs(path):
            metadata = {dated: None} if dated else None  # the same picture is the same file
            figure.savefig(path, bbox_inches="tight", dpi=200, metadata=metadata)
    except OSError as error:
        raise ExecutionError(f"'{path}' cannot be written: {error.strerror or error}.") from None
    finally:
        plt.close(figure)
