"""What a plot is: one record each, of which its face, its command and its figure in reports follow.

A plot computes all that it shows (`<name>_data`) and then draws it (`draw_<name>`). Registered in
`PLOTS` it is `podium.plots.<name>` and `podium plot <name>`, wherever it comes from.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, update_wrapper
from numbers import Real
from os import PathLike
from typing import Any, TypeVar

from podium.core.base.errors import PLOTS as DRAWING
from podium.core.base.errors import PodiumError, ResultsError, require
from podium.core.base.registry import Registry, adding
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.order import Order
from podium.core.results.results import Results
from podium.showing.drawing.canvas import axes_for, emphasised_by, sized

Face = Callable[..., Any]
Size = tuple[float, float]
AX = inspect.Parameter("ax", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="Axes | None")


def usual_size(_data: object) -> Size:
    """The width and height in inches of a figure with nothing special."""
    return 6.4, 4.0


@dataclass(frozen=True, eq=False)
class Plot:
    """A plot: its name, what it shows, how that is computed and drawn, and what is said of it.

    Attributes
    ----------
    shows : the type of what it is given first.
    text : a few words on it, for the list of `podium plot --help`.
    data : computes all that is drawn; the face has its parameters, and `ax`.
    draw : draws that on axes, or on a figure where `whole_figure`, and returns these.
    doc : what `help` says of the face; by default what it says of `data`.
    size : inches of a figure for such data.
    options : words on parameters, for `podium plot <name> --help`.
    flags : names of parameters on the command line, where their own has another meaning there.
    of_design : whether it tells of the design alone, which no plan of analysis has.
    title, caption : of its figure in a report; `{facts}` in a caption are filled in there.
    """

    name: str
    shows: type
    text: str
    data: Callable[..., Any]
    draw: Callable[[Any, Any], Any]
    doc: str = ""
    _: KW_ONLY
    size: Callable[[Any], Size] = usual_size
    options: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    whole_figure: bool = False
    of_design: bool = False
    title: str = ""
    caption: str = ""

    @cached_property
    def face(self) -> Face:
        """Both in one call: `podium.plots.<name>`."""
        made = _figure_face(self) if self.whole_figure else _axes_face(self)
        update_wrapper(made, self.data)
        made.__name__ = made.__qualname__ = self.name
        made.__doc__ = inspect.cleandoc(self.doc or self.data.__doc__ or self.text)
        made.__signature__ = self.signature  # type: ignore[attr-defined]
        made.__annotations__ = {
            name: one.annotation
            for name, one in self.signature.parameters.items()
            if one.annotation is not one.empty
        } | {"return": self.signature.return_annotation}
        return made

    @cached_property
    def signature(self) -> inspect.Signature:
        """The signature of the face: that of `data` with `ax`, unless it makes a whole figure."""
        given = inspect.signature(self.data)
        if self.whole_figure:
            return given.replace(return_annotation="Figure")
        every = list(given.parameters.values())
        more = [one for one in every if one.kind is one.VAR_KEYWORD]
        return given.replace(
            parameters=[*(one for one in every if one not in more), AX, *more],
            return_annotation="Axes",
        )


PLOTS: Registry[Plot] = Registry("plot", of_rooms="plots")
# puts a plot with these facts among all others; gives its face
registered = adding(Plot, lambda plot: PLOTS.add(plot.name, plot).face)


def _axes_face(plot: Plot) -> Face:
    def face(*what: Any, ax: Any = None, **options: Any) -> Any:
        with emphasised_by(what[0] if what else None):
            data = plot.data(*what, **options)
            return plot.draw(data, axes_for(ax, *plot.size(data)))

    return face


def _figure_face(plot: Plot) -> Face:
    def face(*what: Any, **options: Any) -> Any:
        plt = require("matplotlib.pyplot", extra=DRAWING)
        with emphasised_by(what[0] if what else None):
            data = plot.data(*what, **options)
            figure = plt.figure(figsize=sized(*plot.size(data)), layout="constrained")
            try:
                return plot.draw(data, figure)
            except PodiumError:
                plt.close(figure)
                raise

    return face


# -- what a plot is given -------------------------------------------------------------------------

Kind = TypeVar("Kind")
SOURCES: dict[type, tuple[str, str]] = {  # what it is, and where it comes from
    Results: ("results", "podium.read(file or table) or podium.run(study)"),
    Comparisons: ("comparisons", "podium.compare(results)"),
    Order: ("an order", "podium.decide(comparisons) or podium.order(text)"),
    DatasetOrders: ("orders of data sets", "podium.by_dataset(results)"),
}


def checked(what: Any, kind: type[Kind]) -> Kind:
    """What a plot was given, where it is of the kind that the plot shows."""
    if isinstance(what, kind):
        return what
    raise refusal(what, kind)


def refusal(what: Any, *kinds: type) -> PodiumError:
    """The error that says what a plot shows, and what it was given instead."""
    wanted = ", or ".join(", from ".join(SOURCES[kind]) for kind in kinds)
    return ResultsError(f"This plot shows {wanted}, not {_message(what)}.")


def _message(what: Any) -> str:
    if what is None:
        return "None"
    if isinstance(what, (str, PathLike)):
        return f"the text or path '{what}'"
    own = [noun for kind, (noun, _) in SOURCES.items() if isinstance(what, kind)]
    return own[0] if own else f"a {type(what).__name__}"


def is_share(value: Any) -> bool:
    """Whether it is a number above 0 and below 1."""
    return isinstance(value, Real) and 0 < float(value) < 1
