"""`podium plot`: one picture of a file of scores, with names and options of the plots' records."""

from __future__ import annotations

import inspect
import io
import re
import warnings
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

import click

from podium.core.base.errors import DesignError, UnknownName
from podium.core.base.formatting import screen, wrapped
from podium.core.base.registry import unknown
from podium.core.base.rooms import offered
from podium.core.base.writing import replacing
from podium.core.orders.order import Order
from podium.core.words.saying import say as in_words
from podium.core.words.saying import say as told
from podium.showing.drawing.canvas import on_paper
from podium.showing.terminal.options import (
    BAYES,
    PLOTS,
    READING,
    HelpedCommand,
    command,
    declared,
    excluding,
    files,
    given_options,
    read_results,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.saying import say, say_error
from podium.showing.terminal.writing import check_writable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from podium.core.results.results import Results
    from podium.showing.drawing.records import Plot

COMPARING = ("measure", "dataset", "target", "procedure", "alpha", "relevance", "control")
SURVEYING = ("measure", "procedure", "alpha")
GLYPH = r"Glyph (\d+) .*missing from font"  # as Matplotlib warns
FORMATS = (".pdf", ".svg", ".png", ".eps", ".ps", ".jpg")
NAMED = "podium.plot"  # where a context keeps the plot that is asked for


# -- which plots there are, and of what -----------------------------------------------------------


def plots_of_files() -> Mapping[str, Plot]:
    """The plots of what comes of a file of scores."""
    from podium.showing.plots import PLOTS

    makers = _makers()
    return {
        name: PLOTS[name]
        for name in sorted(PLOTS)
        if PLOTS[name].shows in makers or _own_maker(PLOTS[name])
    }


def _own_maker(plot: Plot) -> Callable[..., Any] | None:
    """How a room makes of a file, which it reads itself, what its plot shows."""

    return offered(f"{plot.shows.__name__.lower()}_of_file")


def _makers() -> dict[type, Callable[[Results, dict[str, Any]], Any]]:
    """How a file's results become what plots show, by its type."""
    import podium
    from podium.asking.robustness.stability import Stability
    from podium.core.inference.comparing.comparisons import Comparisons
    from podium.core.orders.dataset_orders import DatasetOrders
    from podium.core.results.results import Results

    return {
        Results: lambda results, _: results,
        Comparisons: lambda results, chosen: podium.compare(results, **chosen),
        Order: lambda results, chosen: podium.decide(podium.compare(results, **chosen)),
        Stability: lambda results, chosen: podium.stability(results, **chosen),
        DatasetOrders: lambda results, chosen: podium.by_dataset(results, **chosen),
    }


def _parameters(plot: Plot) -> dict[str, inspect.Parameter]:
    """What can be said of a plot besides what it shows."""
    _, *others = inspect.signature(plot.data).parameters.values()
    return {
        one.name: one for one in others if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }


def _kept_as(plot: Plot, name: str) -> str:
    """Under which name the command keeps what is said of a parameter."""
    return f"{plot.name}_own_{name}" if name in plot.flags else name


def _depends_on(plot: Plot) -> tuple[str, ...]:
    """The options of comparing that matter to a plot."""
    from podium.core.inference.comparing.comparisons import Comparisons
    from podium.core.orders.dataset_orders import DatasetOrders
    from podium.core.results.results import Results

    if plot.shows is Results:
        return tuple(name for name in COMPARING if name in {*_parameters(plot)} - {*plot.flags})
    if plot.shows is Comparisons:
        return (*COMPARING, *BAYES)
    if _own_maker(plot):
        return ("measure", "dataset", "target", "alpha")
    return SURVEYING if plot.shows is DatasetOrders else COMPARING


# -- options of a plot's own ----------------------------------------------------------------------


class _Several(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """Texts or numbers with commas between; a single number is itself."""

    name = "list"

    def __init__(self, *, numbers: bool) -> None:
        self.numbers = numbers

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        parts = [part.strip() for part in value.split(",")]
        if not self.numbers:
            return parts
        try:
            numbers = [float(part) for part in parts]
        except ValueError:
            self.fail(f"{value!r} is not numbers with commas between.", param, ctx)
        first = numbers[0]
        alone = int(first) if first.is_integer() else first
        return numbers if len(numbers) > 1 else alone


class _Pairs(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """Pairs of names, as in svm:knn,svm:tree."""

    name = "A:B,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        pairs = [tuple(name.strip() for name in pair.split(":")) for pair in value.split(",")]
        if any(len(pair) != 2 for pair in pairs):
            self.fail(f"{value!r} is not pairs such as svm:knn,svm:tree.", param, ctx)
        return pairs


class _Panel(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """A plot by its name."""

    name = "plot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from podium.showing.plots import PLOTS

        return PLOTS[value].face if isinstance(value, str) else value


def _type_of(hint: Any) -> Any:
    """How an option of this type is read; none where it cannot be said on a command line."""
    several = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = [kind for kind in several if kind is not NoneType]
    if any(get_origin(kind) is Callable for kind in kinds):
        return _Panel()
    if len(kinds) == 1 and kinds[0] in (bool, int, float, str):
        return kinds[0]
    parts = {part for kind in kinds for part in get_args(kind) if part is not Ellipsis}
    if parts == {tuple[str, str]}:
        return _Pairs()
    parts |= {kind for kind in kinds if not get_args(kind)}
    if parts == {str}:
        return _Several(numbers=False)
    return _Several(numbers=True) if parts and parts <= {int, float} else None


def _own_options(plot: Plot, taken: set[str | None]) -> Iterator[click.Option]:
    """The options that a plot's parameters are, but for those that all plots share."""
    try:
        hints = get_type_hints(plot.data)
    except NameError:  # a type that is known to type checkers only
        hints = {}
    for name, one in _parameters(plot).items():
        usual = str if one.default is None else type(one.default)
        kind = _type_of(hints.get(name, usual))
        kept = _kept_as(plot, name)
        if kept in taken or kind is None:
            continue
        flag = f"--{plot.flags.get(name, name).replace('_', '-')}"
        words = plot.options.get(name, f"An option of {plot.name}.")
        if kind is bool:
            yield click.Option([kept, f"{flag}/--no-{flag[2:]}"], default=None, help=words)
        else:
            needed = one.default is one.empty
            yield click.Option([kept, flag], type=kind, help=words, required=needed)


class _PlotCommand(HelpedCommand):
    """A command that lists the plots, and has the options of the one that is asked for too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[NAMED] = self._named(ctx, args)
        return super().parse_args(ctx, args)

    def _named(self, ctx: click.Context, args: Sequence[str]) -> Plot | None:
        """The plot that arguments name, among whatever options of its own."""
        lenient = click.Context(self, ctx, "", ignore_unknown_options=True, resilient_parsing=True)
        result, more, _ = self.make_parser(lenient).parse_args(list(args))
        known = plots_of_files()
        files = result.get("file")
        files = files if isinstance(files, tuple | list) else ()
        words = [str(word) for word in (result.get("name"), *files, *more)]
        return next((known[word] for word in words if word in known), None)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        every, plot = super().get_params(ctx), ctx.meta.get(NAMED)
        own = _own_options(plot, {one.name for one in every}) if plot else ()
        return [*every[:-1], *own, every[-1]]  # the last one is --help

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        plot, listed = ctx.meta.get(NAMED), plots_of_files()
        width = max(map(len, listed))
        lines = [f"{name:{width}}  {one.text}" for name, one in listed.items()]
        message = "\b\n" + "\n".join(lines) if plot is None else inspect.getdoc(plot.face)
        which = "NAME" if plot is None else plot.name
        self.help = f"Draw {which} of FILE (a store, CSV or Parquet).\n\n{message}"
        super().format_help_text(ctx, formatter)


# -- the command ----------------------------------------------------------------------------------


@command("plot", cls=_PlotCommand)
@click.argument("name", shell_complete=PLOTS)
@files
@declared("output", "A .pdf, .svg or .png file [NAME.pdf].")
@click.option(
    "--width",
    metavar="LENGTH",
    help="For a paper: so wide (3.3in, 84mm, 8.4cm, 240pt), letters that fit, no title.",
)
@reading
@excluding
@shared(
    "dataset", "target", "procedure", "alpha", "relevance", "control", *BAYES, "factors", "margin"
)
def plot(
    name: str, file: Path | list[Path], output: Path | None, width: str | None, **options: Any
) -> int:
    """Draw one picture."""

    known, path = plots_of_files(), output or Path(f"{name}.pdf")
    if name not in known:
        raise UnknownName(unknown("plot", name, known))
    _check(path)
    check_writable(path)
    inches = None if width is None else _inches(width)
    chosen, plot = given_options(options, (*COMPARING, *BAYES)), known[name]
    if senseless := [o for o in chosen if o not in (*_depends_on(plot), "measure")]:
        flag = senseless[0].replace("posterior", "bayes")
        raise DesignError(f"The plot '{name}' does not depend on --{flag}: leave it out.")
    shared = (*COMPARING, *READING)
    kept = {_kept_as(plot, name): name for name in _parameters(plot)}
    given = given_options(options, [name for name in kept if name not in shared])
    own = {kept[name]: value for name, value in given.items()}
    with nullcontext() if inches is None else on_paper(inches) as paper:
        if options["margin"] and name != "front":
            raise DesignError(f"The plot '{name}' does not depend on --margin: leave it out.")
        if maker := _own_maker(plot):
            drawn, mark = plot.face(maker(file, options), **own), ""
        else:
            refuse(options, ["factors"], f"is not for the plot '{name}'")
            drawn, mark = _drawn(plot, read_results(file, options), chosen, own)
        save(drawn, path, mark, inches)
    say((f"{mark}\n" if mark else "") + f"The picture is in '{path}'.")
    if paper is not None and paper.notes:
        say(wrapped(f"For its caption: {' '.join(map(in_words, paper.notes))}", screen(), "  "))
    return 0


INCHES = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}
NARROWEST, WIDEST = 1.5, 20.0


def _inches(text: str) -> float:
    """A length in inches.

    >>> round(_inches("84mm"), 2), _inches("3.3in"), _inches("3.3")
    (3.31, 3.3, 3.3)
    """

    match = re.fullmatch(r"\s*([0-9.]+)\s*(in|cm|mm|pt|)\s*", text)
    try:
        length = float(match[1]) * INCHES[match[2] or "in"] if match else 0.0
    except ValueError:
        length = 0.0
    if not NARROWEST <= length <= WIDEST:
        raise DesignError(
            f"--width is a length from {NARROWEST:g}in to {WIDEST:g}in, such as 3.3in or 84mm, "
            f"not '{text}'."
        )
    return length


def _drawn(
    plot: Plot, results: Results, chosen: dict[str, Any], own: dict[str, Any]
) -> tuple[Any, str]:
    """The picture, and what is said of it where a registered plan does not have it."""
    from podium.core.results.results import Results

    kept = {name: chosen[name] for name in _depends_on(plot) if name in chosen}
    what = _makers()[plot.shows](results, kept)
    mark = "" if _planned(plot, results, kept) else _not_planned(results)
    return plot.face(what, **(kept if plot.shows is Results else {}), **own), mark


def _planned(plot: Plot, results: Results, chosen: dict[str, Any]) -> bool:
    """Whether a picture shows the analysis that a registered study planned."""
    from podium.core.inference.comparing.comparisons import Comparisons

    if plot.of_design:
        return True
    if results.registered is None or plot.shows not in (Comparisons, Order):
        return False
    about = _makers()[Comparisons](results, chosen).extras.registered
    return about is not None and not about.exploratory


def _not_planned(results: Results) -> str:
    from podium.core.results.planned_and_done import beside_plan

    mark = beside_plan(results)
    return "" if mark is None else told(mark)


def _check(path: Path) -> None:

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


def _fit(figure: Any, inches: float) -> None:
    """Make what is written, with all that stands beside the axes, so many inches wide."""
    for _ in range(FITS):
        figure.canvas.draw()
        wide = figure.get_tightbbox().width + 2 * PAD
        if abs(wide - inches) < EXACT:
            return
        figure.set_figwidth(max(figure.get_figwidth() + inches - wide, inches / 3))


PAD, EXACT, FITS = 0.02, 0.01, 4  # inches beside a picture for paper; how near is near enough


def save(drawn: Any, path: Path, mark: str = "", inches: float | None = None) -> None:
    """Write the figure of what was drawn, with a mark below; text in vector files stays text."""
    import matplotlib
    import matplotlib.pyplot as plt

    _check(path)
    figure = getattr(drawn, "figure", None) or drawn
    if mark:
        figure.text(0.0, -0.02, mark, fontsize=7, va="top")
    settings: dict[Any, Any] = {
        "svg.fonttype": "none",
        "pdf.fonttype": 42,
        "svg.hashsalt": path.stem,
    }
    dated = {".pdf": "CreationDate", ".svg": "Date"}.get(path.suffix.lower())
    try:
        with matplotlib.rc_context(settings), _glyphs(path):
            metadata = {dated: None} if dated else None  # the same picture is the same file
            kind = path.suffix[1:].lower()
            tight: dict[str, Any] = {"bbox_inches": "tight"}
            if inches is not None:
                _fit(figure, inches)
                tight["pad_inches"] = PAD
            dots = 200 if inches is None else 600
            # in memory first: what draws a PDF does not bear a file that takes no more
            in_memory = io.BytesIO()
            figure.savefig(in_memory, format=kind, dpi=dots, metadata=metadata, **tight)
            with replacing(path) as file:
                file.write(in_memory.getbuffer())
    finally:
        plt.close(figure)


# -- `podium list plots` --------------------------------------------------------------------------


@command("plots")
def plots() -> int:
    """List the plots that `podium plot` draws."""

    every = plots_of_files()
    width = max(map(len, every))
    for name, plot in every.items():
        say(wrapped(f"{name:{width}}  {plot.text}", screen(), " " * (width + 2)))
    say("\n`podium plot NAME FILE -o plot.png` draws one.")
    return 0
