"""The laws of a plot, as a suite that any plotting function can be held against."""

from __future__ import annotations

import copy
import io
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd

from podium.showing.drawing.records import Plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

SIZE = (6.4, 4.8)  # inches of the figures that plots are drawn on
LARGEST = 3.0  # a saved figure is at most so many times as wide or high as it was made
# what changes from one rendering to the next unless told not to
SVG = "svg"
FORMATS: Mapping[str, Mapping[str, Any]] = {
    SVG: {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
}


def check_plot(plot: Plot | Callable[..., Axes], /, *args: Any, **options: Any) -> None:
    """Hold a plot against its laws; the first one that it breaks raises AssertionError.

    `plot(*args, ax=None, **options)` draws on the axes it is given, or on those of a new figure. A
    record of `podium.showing.drawing.records` is held against them by its face.

    The laws:

    1. It draws on the axes given, returns these very axes, and opens no figure.
    2. Without axes it opens one figure and returns its axes.
    3. It renders as SVG and PDF without a warning; glyphs that a font lacks may be in names only.
    4. The same input gives the same picture, byte by byte.
    5. Names stay text: `$` begins no formula, `<` no tag.
    6. Its input is as it was.
    7. No text is cut off, or far away, in a saved figure.
    """
    if isinstance(plot, Plot):
        (check_figure if plot.whole_figure else check_plot)(plot.face, *args, **options)
        return
    before = _copied((args, options))
    it_draws_on_the_axes_given(plot, *args, **options)
    without_axes_it_opens_one_figure(plot, *args, **options)

    def drawn() -> Figure:
        figure = _blank()
        plot(*args, ax=figure.add_subplot(), **options)
        return figure

    _check_drawn(drawn, (args, options))
    _law(6, _same(before, (args, options)), "it changed its input")


def check_figure(plot: Callable[..., Figure], /, *args: Any, **options: Any) -> None:
    """Hold a plot that makes a whole figure, `plot(*args, **options)`, against laws 2 to 7."""
    before = _copied((args, options))
    with _no_new_figures() as opened:
        figure = plot(*args, **options)
        _law(2, len(opened()) <= 1, "it opened more than one figure")
        _law(2, bool(figure.axes), "it returned a figure without axes")

    def drawn() -> Figure:
        with _no_new_figures():
            return plot(*args, **options)

    _check_drawn(drawn, (args, options))
    _law(6, _same(before, (args, options)), "it changed its input")


def it_draws_on_the_axes_given(plot: Callable[..., Axes], /, *args: Any, **options: Any) -> None:
    """Law 1: given axes are drawn on and returned; there is no other figure afterwards."""
    figure = _blank()
    ax = figure.add_subplot()
    with _no_new_figures() as opened:
        _law(1, plot(*args, ax=ax, **options) is ax, "it did not return the axes it was given")
        _law(1, not opened(), "it opened a figure though it was given axes")
    _law(1, figure.axes[0] is ax, "it removed the axes it was given")
    drawn = [ax.has_data(), ax.texts, ax.child_axes, ax.patches, ax.artists, ax.images]
    _law(1, any(map(bool, drawn)), "it drew nothing on the axes it was given")


def without_axes_it_opens_one_figure(
    plot: Callable[..., Axes], /, *args: Any, **options: Any
) -> None:
    """Law 2: one figure is opened, and its axes are returned."""
    with _no_new_figures() as opened:
        ax = plot(*args, **options)
        _law(2, len(opened()) == 1, f"without axes it opened {len(opened())} figures, not one")
        own = ax.figure is _pyplot().figure(opened()[0])
        _law(2, own, "it returned axes of another figure than it opened")


def _check_drawn(drawn: Callable[[], Figure], given: object) -> None:
    _, first = _rendered(drawn, given, *FORMATS)
    figure, second = _rendered(drawn, given, SVG)  # a PDF is written from the same figure
    _law(4, first[SVG] == second[SVG], "the same input gave another SVG")
    elements = ElementTree.fromstring(first[SVG]).iter()
    tags = {element.tag.rpartition("}")[2] for element in elements}
    _law(5, "script" not in tags, "a name became a tag")
    names_stay_text(figure)
    no_text_is_cut_off(figure)


def _rendered(
    drawn: Callable[[], Figure], given: object, *kinds: str
) -> tuple[Figure, dict[str, bytes]]:
    """Law 3: the picture in some formats, without a warning."""
    import matplotlib as mpl

    with warnings.catch_warnings(record=True) as caught, mpl.rc_context({"svg.hashsalt": "podium"}):
        warnings.simplefilter("always")
        figure = drawn()
        pictures = {kind: _saved(figure, kind) for kind in kinds}
    texts = [str(w.message) for w in caught if not _of_a_name(str(w.message), given)]
    _law(3, not texts, f"it warned: {texts[:1]}")
    return figure, pictures


def _saved(figure: Figure, kind: str) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=kind, bbox_inches="tight", **FORMATS[kind])
    return file.getvalue()


def _of_a_name(message: str, given: object) -> bool:
    """Whether a warning is of a glyph that some text of the input asks for."""
    match = re.match(r"Glyph (\d+) .*missing from font", message)
    return match is not None and any(chr(int(match[1])) in text for text in _texts(given))


def names_stay_text(figure: Figure) -> None:
    """Law 5: no text with `$` is read as a formula, but for numbers such as powers of ten."""
    for text in texts_drawn(figure):
        written = text.get_text()
        formula = "$" in written and text.get_parse_math() and r"\mathdefault" not in written
        _law(5, not formula, f"the text {written!r} is read as a formula")


def no_text_is_cut_off(figure: Figure) -> None:
    """Law 7: every text is in the saved figure, whole, and does not blow it up."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas: Any = FigureCanvasAgg(figure)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # law 3 is about these
        canvas.draw()
    renderer = canvas.get_renderer()
    saved = figure.get_tightbbox(renderer)
    width, height = figure.get_size_inches()
    larger = max(saved.width / width, saved.height / height)
    _law(7, larger <= LARGEST, f"saved, the figure is {larger:.1f} times as large as it was made")
    whole = saved.transformed(figure.dpi_scale_trans).padded(1.0)
    for text in texts_drawn(figure):
        box = text.get_window_extent(renderer)
        clip = text.get_clip_box() if text.get_clip_on() else None
        inside = _within(box, whole) and (clip is None or _within(box, clip.padded(1.0)))
        _law(7, inside, f"the text {text.get_text()!r} is cut off")


def texts_drawn(figure: Figure) -> list[Text]:
    """All texts that show, in axes within axes too."""
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    axes: list[Any] = figure.findobj(Axes)
    hidden = {id(label) for ax in axes for label in _hidden_labels(ax)}
    texts: list[Any] = figure.findobj(Text)
    return [t for t in texts if t.get_visible() and t.get_text().strip() and id(t) not in hidden]


def _hidden_labels(ax: Axes) -> Iterator[object]:
    """Labels of ticks that the axes do not show."""
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        room = 1e-9 * (high - low)
        shown = ax.axison and ax.get_visible() and axis.get_visible()
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
            if not (shown and low - room <= tick.get_loc() <= high + room):
                yield from (tick.label1, tick.label2)
        if not shown:
            yield from (axis.label, axis.get_offset_text())


def _within(inner: Any, outer: Any) -> bool:
    return bool(
        (np.asarray(inner.min) >= outer.min).all() and (np.asarray(inner.max) <= outer.max).all()
    )


# -- figures ---------------------------------------------------------------------------------------


def _pyplot() -> Any:
    import matplotlib.pyplot as plt

    return plt


def _blank() -> Figure:
    """A figure that pyplot does not know of."""
    from matplotlib.figure import Figure

    return Figure(figsize=SIZE, layout="constrained")


class _no_new_figures:  # noqa: N801 - reads as a sentence behind `with`
    """Closes the figures that pyplot gets meanwhile; gives a function that lists them."""

    def __enter__(self) -> Callable[[], list[int]]:
        self.before = set(_pyplot().get_fignums())
        return self.opened

    def opened(self) -> list[int]:
        return [number for number in _pyplot().get_fignums() if number not in self.before]

    def __exit__(self, *_: object) -> None:
        for number in self.opened():
            _pyplot().close(number)


# -- what was given --------------------------------------------------------------------------------


def _copied(given: Any) -> Any:
    try:
        return copy.deepcopy(given)
    except Exception:  # what cannot be copied is compared with itself
        return given


def _same(before: Any, after: Any) -> bool:
    """Whether two values are equal, down to the tables within them."""
    if before is after:
        return True
    if type(before) is not type(after):
        return False
    if isinstance(before, (pd.DataFrame, pd.Series, pd.Index)):
        return bool(before.equals(after))
    if isinstance(before, np.ndarray):
        return before.shape == after.shape and _same(before.tolist(), after.tolist())
    if isinstance(before, partial):
        return before.func is after.func  # a copy of it is another one; it does not change
    if isinstance(before, (list, tuple, Mapping)) or _parts(before):
        ones, others = _parts(before), _parts(after)
        return list(ones) == list(others) and all(_same(ones[k], others[k]) for k in ones)
    return bool(before == after) or before != before


def _parts(value: Any) -> dict[Any, Any]:
    """What a value consists of, by name or place."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (list, tuple)):
        return dict(enumerate(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in fields(value)}
    plain = getattr(type(value), "__eq__", None) is object.__eq__ and not isinstance(value, type)
    return dict(getattr(value, "__dict__", {})) if plain else {}


def _texts(value: Any) -> Iterator[str]:
    """Every text within a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (pd.DataFrame, pd.Series)):
        frame = value.reset_index().astype(str)
        yield from [str(name) for name in np.ravel(getattr(frame, "columns", []))]
        yield from np.unique(frame.to_numpy().astype(str)).tolist()
    elif isinstance(value, np.ndarray):
        yield from value.astype(str).ravel().tolist()
    else:
        for name, part in _parts(value).items():
            yield str(name)
            yield from _texts(part)


def _law(number: int, holds: bool, broken: str) -> None:
    if not holds:
        raise AssertionError(f"Law {number} of plots is broken: {broken}.")
