"""What all plots share: axes and their room, names, remarks, whom they show in colour, heat maps.

A style follows from an algorithm's place in the study, so every plot must be given the algorithms
in the study's order, whatever order it draws them in.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from podium.core.base.errors import PLOTS, ResultsError, require
from podium.core.base.formatting import LONGEST, short
from podium.core.words.facts import Note
from podium.core.words.saying import say

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.text import Text


# -- emphasis -------------------------------------------------------------------------------------
# Whom plots show in colour where there are many algorithms, and in which order they list them.
#
# Up to eight algorithms have a hue each. Of more, colour says "in the lead" and grey says the
# rest; a page has one lead and one order, and a plot alone takes those of what it shows.


MOST_HUES = 8  # algorithms with a hue each
MOST_LEADING = 4  # of up to 25, in hues of their own
MOST_LISTED = 25  # algorithms that pictures with a row or a line each can hold


@dataclass(frozen=True)
class Emphasis:
    """The algorithms in colour, and the order of rows; both empty where nobody said."""

    lead: tuple[str, ...] = ()
    order: tuple[str, ...] = ()


NOTHING = Emphasis()
_NOW: ContextVar[Emphasis] = ContextVar("emphasis", default=NOTHING)
SEEN: dict[type, Callable[[Any], Emphasis]] = {}  # what a plot shows -> who leads there


def emphasis() -> Emphasis:
    """What holds now."""
    return _NOW.get()


@contextmanager
def emphasised(seen: Emphasis) -> Iterator[None]:
    """All that is drawn meanwhile has this lead and order."""
    before = _NOW.set(seen)
    try:
        yield
    finally:
        _NOW.reset(before)


@contextmanager
def emphasised_by(what: Any) -> Iterator[None]:
    """The lead of what a plot shows, where it has many algorithms and nobody said another."""
    many = len(getattr(what, "algorithms", ())) > MOST_HUES
    make = SEEN.get(type(what))
    if not many or make is None or emphasis().lead:
        yield
        return
    with emphasised(make(what)):
        yield


def in_order(names: Sequence[str]) -> list[str]:
    """Names in the order that was said; as they are where none was, or others are among them."""
    place = {name: i for i, name in enumerate(emphasis().order)}
    if not place or any(name not in place for name in names):
        return list(names)
    return sorted(names, key=place.__getitem__)


# -- what all plots share -------------------------------------------------------------------------
# Axes and their room, names that stay text, remarks, legends, and styles.
#
# A style follows from an algorithm's place in the study, so every plot must be given the
# algorithms in the study's order, whatever order it draws them in.


LINE = 46  # letters of a line of a title
PER_INCH = 9  # of a title on an inch of a narrow picture
MOST_CELLS = 625  # of a coloured table with borders; more are one image, which is small and quick
MANY = 20_000  # marks beyond which they are drawn as pixels


# -- axes -----------------------------------------------------------------------------------------


def axes_for(ax: Axes | None, width: float = 6.4, height: float = 4.0) -> Axes:
    """The axes given, or those of a new figure of this size in inches."""
    if ax is not None:
        return _checked(ax)
    plt = require("matplotlib.pyplot", extra=PLOTS)
    return plt.subplots(figsize=sized(width, height), layout="constrained")[1]


# -- paper ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Paper:
    """A picture in a column of a paper: how wide, and what its caption has to say."""

    width: float  # inches
    notes: list[Note]

    @property
    def letters(self) -> float:
        """Points of its text."""
        return float(np.clip(2.2 * self.width, LEAST_LETTERS, LETTERS))


_PAPER: ContextVar[Paper | None] = ContextVar("paper", default=None)
LETTERS, LEAST_LETTERS = 9.0, 7.0  # points of the text of a picture in a column of a paper
USUAL_LETTERS = 10.0


@contextmanager
def on_paper(width: float) -> Iterator[Paper]:
    """Pictures so many inches wide, as a column of a paper has: small letters, and no title.

    What a picture shows, and remarks on it, belong into its caption there.
    """
    require("matplotlib.pyplot", extra=PLOTS)
    from matplotlib import rc_context

    paper = Paper(width, [])
    settings: dict[Any, Any] = {
        "font.size": paper.letters,
        "axes.linewidth": 0.6,
        "lines.linewidth": 1.0,
        "lines.markersize": 4.0,
    }
    token = _PAPER.set(paper)
    try:
        with rc_context(settings):
            yield paper
    finally:
        _PAPER.reset(token)


def paper_width() -> float | None:
    """Inches of the column that pictures are made for; None where they are for a screen."""
    paper = _PAPER.get()
    return None if paper is None else paper.width


def sized(width: float, height: float) -> tuple[float, float]:
    """The size of a new figure: the usual one or, on paper, as wide as its column.

    Heights shrink with the letters, as rows do, not with the width.
    """
    paper = _PAPER.get()
    if paper is None:
        return width, height
    shrunk = max(paper.letters / USUAL_LETTERS, min(paper.width / width, 1.0))
    return paper.width, height * shrunk


def _checked(ax: Axes) -> Axes:
    from matplotlib.axes import Axes

    if isinstance(ax, Axes):
        return ax
    raise ResultsError(
        f"ax is the axes to draw on, one of those that plt.subplots() makes, not a "
        f"{type(ax).__name__}."
    )


def beside_legend(
    names: Sequence[str], width: float = 6.4, height: float = 4.0
) -> tuple[float, float]:
    """The size of a figure with a legend of these names: wider and higher for more than 20."""
    shown = 1 if emphasis().lead and len(names) > MOST_HUES else len(names)
    more = -(-shown // 20) - 1
    column = 0.5 + 0.07 * max((len(short(name)) for name in names), default=0)
    return (width + more * column, max(height, 5.2) if more > 0 else height)


def divided(
    ax: Axes, rows: Sequence[float] = (1,), columns: Sequence[float] = (1,), gap: float = 0.04
) -> np.ndarray:
    """Rows x columns of axes inside `ax`, which itself draws nothing more; shares as given."""
    ax.set_axis_off()
    heights, widths = (_spans(shares, gap) for shares in (rows[::-1], columns))
    made = [[ax.inset_axes((x, y, w, h)) for x, w in widths] for y, h in heights[::-1]]
    return np.array(made, dtype=object)


def _spans(shares: Sequence[float], gap: float) -> list[tuple[float, float]]:
    sizes = np.asarray(shares, dtype=float)
    sizes = sizes / sizes.sum() * (1 - gap * (len(sizes) - 1))
    starts = np.concatenate([[0.0], np.cumsum(sizes + gap)[:-1]])
    return list(zip(starts.tolist(), sizes.tolist(), strict=True))


def coloured_cells(
    ax: Axes, values: np.ndarray, corner: tuple[float, float], border: float, **colours: Any
) -> ScalarMappable:
    """A table of numbers as colours, rows downwards; its upper left corner is at `corner`.

    Few cells have borders; many are one image, with a pixel each.
    """
    (rows, columns), (left, top) = values.shape, corner
    if values.size > MOST_CELLS:
        extent = (left, left + columns, top + rows, top)
        look: dict[str, Any] = {"interpolation": "none", "aspect": "auto", "extent": extent}
        return ax.imshow(np.ma.masked_invalid(values), **look, **colours)
    return ax.pcolormesh(
        left + np.arange(columns + 1), top + np.arange(rows + 1), np.ma.masked_invalid(values),
        edgecolors="white", linewidth=border, **colours,
    )  # fmt: skip


def lightened(colours: Sequence[str], white: float) -> np.ndarray:
    """Colours of which so much is white, one row of red, green and blue each."""
    from matplotlib.colors import to_rgb

    rgb = np.array([to_rgb(colour) for colour in colours])
    return np.asarray(white + (1 - white) * rgb)


def logarithmic(ax: Axes, which: str) -> None:
    """Make the x or y axis, on which all is drawn, logarithmic: 0.01 and 200, no powers of ten."""
    from matplotlib.ticker import LogLocator

    getattr(ax, f"set_{which}scale")("log")
    low, high = sorted(getattr(ax, f"get_{which}lim")())
    axis = ax.xaxis if which == "x" else ax.yaxis
    if low > 1e-5 and high < 1e6:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 300 * low else (1.0,)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")


# -- room -----------------------------------------------------------------------------------------


def figure_of(ax: Axes) -> Figure:
    """The whole figure that axes are on."""
    figure = ax.get_figure(root=True)
    assert figure is not None, "axes that were removed from their figure"
    return figure


def points(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, as far as their layout is known by now."""
    box, scale = ax.get_window_extent(), 72 / figure_of(ax).dpi
    return float(box.width * scale), float(box.height * scale)


def letters(room: float) -> float:
    """The size of letters, in points, for lines that have so much room."""
    return float(np.clip(0.8 * room, 2.0, 9.0))


def row_letters(ax: Axes, rows: float) -> float:
    """The size of letters for so many rows on the axes."""
    return letters(points(ax)[1] / rows)


def fitting(ax: Axes, rows: float, columns: float) -> float:
    """The size of letters of which a line fits into every row and column of the axes."""
    width, height = points(ax)
    return letters(min(width / columns, height / rows))


# -- names and titles -----------------------------------------------------------------------------


def names_on(
    axis: Axis,
    places: Iterable[float],
    names: Sequence[str],
    rotation: float | None = None,
    longest: int = LONGEST,
) -> None:
    """Ticks with names, which stay text: `$` begins no formula."""
    from matplotlib.axis import YAxis

    axis.set_ticks(list(places), [short(name, longest) for name in names])
    labels = axis.get_ticklabels()
    for label in labels:
        label.set_parse_math(False)
        if rotation is not None:
            label.set(rotation=rotation, ha="right", rotation_mode="anchor")
    if isinstance(axis, YAxis) and rotation is None:
        _measure_few(labels)


def names_beside(ax: Axes, names: Sequence[str], size: float) -> None:
    """Names of rows 0, 1, ... where those of ticks would be, without ticks, which take long."""
    from matplotlib import rcParams

    pad = rcParams["ytick.major.pad"]
    place, vertical, horizontal = ax.get_yaxis_text1_transform(pad)
    ax.set_yticks([])
    look = {"transform": place, "va": vertical, "ha": horizontal, "fontsize": size}
    _measure_few([write(ax, 0, i, short(name), **look) for i, name in enumerate(names)])


_UNNAMED: WeakSet[Axes] = WeakSet()


def hide_names(ax: Axes) -> None:
    """Rows of these axes have no names: axes beside them have the same."""
    _UNNAMED.add(ax)


def names_are_hidden(ax: Axes) -> bool:
    """Whether rows of these axes go without names."""
    return ax in _UNNAMED


def _measure_few(labels: Sequence[Text]) -> None:
    """Let layouts measure only the names that reach farthest, as each costs time at every drawing.

    These are the first, the last and the widest ones; one of each width is enough.
    """
    from matplotlib.font_manager import FontProperties, findfont

    font = findfont(FontProperties())
    widths = [_width(label.get_text(), font) for label in labels]
    widest = {width: i for i, width in enumerate(widths) if width > 0.9 * max(widths)}
    for i in {*range(1, len(labels) - 1)} - {*widest.values()}:
        labels[i].set_in_layout(False)


@cache
def _width(text: str, font: str) -> float:
    """The width of a name in the font of this file, at one size whatever that of the picture."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    same_size = FontProperties(fname=font, size=USUAL_LETTERS)
    with warnings.catch_warnings():  # who saves the picture says which letters the font lacks
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        return float(TextToPath().get_text_width_height_descent(text, same_size, False)[0])


def write(ax: Axes, x: float, y: float, text: str, **options: Any) -> Any:
    """A text that stays text."""
    return ax.text(x, y, text, **{"color": INK, "parse_math": False, **options})


def entitle(ax: Axes, title: str = "", x: str = "", y: str = "", pad: float | None = None) -> None:
    """Title (of several lines where it is long) and labels; empty ones stay as they are."""
    if title and _PAPER.get() is None:
        letters = int(PER_INCH * figure_of(ax).get_figwidth())
        ax.set_title(textwrap.fill(title, min(LINE, letters)), parse_math=False, pad=pad)
    for text, put in ((x, ax.set_xlabel), (y, ax.set_ylabel)):
        if text:
            put(text, parse_math=False)


# -- names of points ------------------------------------------------------------------------------

CORNERS = ((1, 1), (-1, 1), (1, -1), (-1, -1))  # where a name may stand beside its mark


def name_points(ax: Axes, points: Sequence[tuple[str, float, float, str]]) -> None:
    """Names beside marks (name, x, y, colour), each at a corner where it covers nothing.

    The limits of the axes must be set; a name that fits nowhere stands at the first corner.
    """
    figure = ax.get_figure(root=True)
    assert figure is not None
    letters = 8.0  # points
    dots = figure.dpi / 72
    at = [ax.transData.transform((x, y)) / dots for _, x, y, _ in points]  # in points
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in at]
    for (name, x, y, colour), (px, py) in zip(points, at, strict=True):
        text = short(name)
        wide, tall = 0.6 * letters * len(text), 1.2 * letters
        boxes = [
            (px + 4 if right > 0 else px - 4 - wide, py + 3 if up > 0 else py - 3 - tall)
            for right, up in CORNERS
        ]
        free = [
            not any(left < c and a < left + wide and low < d and b < low + tall
                    for a, b, c, d in taken)
            for left, low in boxes
        ]  # fmt: skip
        best = free.index(True) if True in free else 0
        left, low = boxes[best]
        taken.append((left, low, left + wide, low + tall))
        right, up = CORNERS[best]
        ax.annotate(
            text,
            (x, y),
            xytext=(4 * right, 3 * up),
            textcoords="offset points",
            ha="left" if right > 0 else "right",
            va="bottom" if up > 0 else "top",
            fontsize=letters,
            color=colour,
            parse_math=False,
        )


# -- remarks --------------------------------------------------------------------------------------

_SAID: WeakKeyDictionary[Artist, Sequence[Note]] = WeakKeyDictionary()


def remark(ax: Axes, notes: Sequence[Note], drop: float = 44, left: float = 160) -> None:
    """Say below the axes what the plot cannot show; so many points are below and left of them."""
    paper = _PAPER.get()
    if notes and paper is not None:
        paper.notes.extend(note for note in notes if note not in paper.notes)
    elif notes:
        lines = textwrap.fill(" ".join(map(say, notes)), _letters_of_a_line(ax, left))
        text = ax.annotate(
            lines,
            (0, 0),
            (0, -drop),
            xycoords="axes fraction",
            textcoords="offset points",
            va="top",
            fontsize="x-small",
            color=GREY,
            parse_math=False,
            annotation_clip=False,
        )
        _SAID[text] = tuple(notes)


def remarks_on(ax: Axes) -> list[tuple[Text, Sequence[Note]]]:
    """The remarks on axes, with the notes that they tell."""
    return [(text, _SAID[text]) for text in ax.texts if text in _SAID]


def named_below(
    ax: Axes, places: Sequence[float], names: Sequence[str], notes: Sequence[Note], size: float
) -> None:
    """Names upright below columns, and remarks below the names."""
    names_on(ax.xaxis, places, names, rotation=90)
    for label in ax.get_xticklabels():
        label.set(va="center", fontsize=size)
    longest = max(len(short(name)) for name in names)
    remark(ax, notes, drop=14 + 0.56 * size * longest + (16 if ax.get_xlabel() else 0))


def _letters_of_a_line(ax: Axes, left: float) -> int:
    """How many letters of a remark fit into a line.

    A line wider than the figure, or its own column of axes, would make every drawing of it shrink
    the axes once more.
    """
    figure, place = ax.get_figure(root=True), ax.get_subplotspec()
    points = 72 * figure.get_figwidth() if figure else 0.0
    if place:
        points *= len(place.colspan) / place.get_gridspec().ncols
    return int(np.clip((points - left - 20) / 4, 30, 100))


# -- legends --------------------------------------------------------------------------------------


def legend_handle(name: str, style: Style) -> Line2D:
    """The entry of an algorithm in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], color=style.colour, marker=style.marker, linestyle="", label=short(name))


def legend(ax: Axes, drawn: dict[str, Style], **options: Any) -> None:
    """A legend of algorithms to the right of the axes, where there are any; grey ones in one."""
    handles = [legend_handle(n, s) for n, s in drawn.items() if s.colour != BESIDE]
    grey = len(drawn) - len(handles)
    if grey:
        handles.append(legend_handle(f"{grey} others", Style(BESIDE, "o")))
    if handles:
        key(ax, handles, **options)


def key(ax: Axes, handles: Sequence[Artist], **options: Any) -> Legend:
    """What marks mean, to the right of the axes; more than 20 go in several columns."""
    place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "frameon": False}
    made = ax.legend(handles=handles, **{**place, "ncols": -(-len(handles) // 20), **options})
    for text in (*made.get_texts(), made.get_title()):
        text.set_parse_math(False)
    return made


def draw_key(
    ax: Axes,
    image: ScalarMappable,
    start: float,
    ticks: Sequence[float],
    labels: Sequence[str],
) -> None:
    """What shades mean, to the right of the axes; it begins at a multiple of their width."""
    bar = figure_of(ax).colorbar(image, cax=ax.inset_axes((start, 0.15, 0.03, 0.7)))
    bar.set_ticks(list(ticks), labels=list(labels))
    bar.ax.tick_params(labelsize="x-small", length=0)
    bar.outline.set_visible(False)


# -- one colour and marker per algorithm, in every plot and in the report ------------------------

# Okabe and Ito (2008), Color Universal Design, without black (which is ink) and with the yellow
# darkened, as it vanishes on white: told apart with every common colour blindness. The brown is
# an eighth hue, darker than the green that it might be taken for.
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b3a100", "#8c564b",
)  # fmt: skip
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
INK = "#1a1a1a"  # text, axes and borders; the report turns it into the colour of its text
ON_FILL = "#101010"  # what stands on a light colour, and stays dark where the page is dark
GREY = "#8c8c8c"  # what is beside the point
BESIDE = "#9a9a9a"  # algorithms that are not in the lead, where there are many


class Style(NamedTuple):
    """How an algorithm is drawn."""

    colour: str
    marker: str


def styles(algorithms: Sequence[str]) -> dict[str, Style]:
    """The style of each algorithm: a hue each, or, of more than eight, in the lead or grey."""
    if isinstance(algorithms, str) or not isinstance(algorithms, Iterable):
        given = repr(algorithms) if isinstance(algorithms, str) else type(algorithms).__name__
        raise ResultsError(f"Styles are of a list of names, as results.algorithms, not {given}.")
    seen = emphasis()
    if seen.lead and len(list(algorithms)) > MOST_HUES:
        return _by_lead(list(algorithms), seen)
    return {name: _style(i) for i, name in enumerate(algorithms)}


def _by_lead(names: list[str], seen: Emphasis) -> dict[str, Style]:
    """A few of the lead in hues of their own; of very many the whole lead in one."""
    many = len(names) > MOST_LISTED
    lead = [name for name in seen.lead if name in names]
    shown = lead if many else lead[:MOST_LEADING]
    hues = {name: COLOURS[0 if many else i] for i, name in enumerate(shown)}
    return {
        name: Style(hues[name], _style(i).marker) if name in hues else Style(BESIDE, "o")
        for i, name in enumerate(names)
    }


def _style(place: int) -> Style:
    # markers advance with every algorithm, so that neighbours differ in both
    colours, markers = len(COLOURS), len(MARKERS)
    return Style(
        COLOURS[place % colours], MARKERS[(place + place // (colours * markers)) % markers]
    )
