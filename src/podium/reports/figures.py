"""Figures for the page: plots drawn as SVG whose text stays text and takes the page's colour."""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from podium.base.errors import PodiumError
from podium.drawing.canvas import INK
from podium.plots import PLOTS
from podium.reports.document import Figure
from podium.reports.score_words import no_figure

Draw = Callable[[Any], Any]  # is given axes
PAPER = "var(--paper, #ffffff)"  # the page's background; white where there is no page
WHITES = re.compile(r"#ffffff\b|\bwhite\b", re.IGNORECASE)
BLACKS = re.compile(rf"{INK}|#000000\b|#000(?![0-9a-f])|\bblack\b", re.IGNORECASE)
INKED = ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color",
         "ytick.color", "legend.labelcolor", "patch.edgecolor")  # fmt: skip
NUMBER = re.compile(r"-?\d+\.\d{3,}")
STYLE = {
    "svg.fonttype": "none",  # text that can be selected, found and read aloud
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure that a section may have: a plot by its name, of what, and its size in inches."""

    plot: str
    what: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)  # that the plot's caption tells
    title: str = ""  # instead of the plot's own
    width: float = 7.0
    height: float = 4.0
    files: Mapping[str, Callable[..., str]] = field(default_factory=dict)  # of the same


def drawn(draw: Draw, width: float, height: float, *, name: str) -> str:
    """What `draw` draws on axes of this size in inches, as the text of an SVG.

    The same name and drawing give the same text. Names of parts are unique to the figure's name,
    and ink has the colour of the text around it.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure as Canvas

    style: dict[Any, Any] = STYLE | dict.fromkeys(INKED, INK) | {"svg.hashsalt": name}
    with mpl.rc_context(style):
        made = io.StringIO()
        with warnings.catch_warnings():  # letters that only the reader's fonts have
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            figure = Canvas(figsize=(width, height), layout="constrained")
            FigureCanvasSVG(figure)
            draw(figure.add_subplot())
            kept: dict[str, Any] = {"metadata": NO_DATE, "transparent": True, "dpi": figure.dpi}
            figure.savefig(made, format="svg", bbox_inches=_arranged(figure), **kept)
    return tidied(made.getvalue(), name)


def _arranged(figure: Any) -> Any:
    """The part of the figure that is drawn on, in inches, when all has its place.

    What stands beside the axes (legends, remarks) is part of the picture. Asked for a tight box
    and a layout, matplotlib would draw everything once more to find them.
    """
    from matplotlib import rcParams

    figure.set_dpi(SVG_DPI)
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine(None)
    return figure.get_tightbbox().padded(rcParams["savefig.pad_inches"])


SVG_DPI = 72  # whatever is asked for: so many points has an inch
MOST_DATA = 20_000  # rows of a figure's table that a page holds: the scores are in it anyway
NO_DATE = {"Date": None, "Creator": None, "Format": None, "Type": None}


def tidied(svg: str, name: str) -> str:
    """An SVG for a page: no prolog, its own names, the page's ink and paper, shorter numbers."""
    text = svg[svg.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = _named_apart(text, "f" + hashlib.sha256(name.encode()).hexdigest()[:8])
    text = _inked(text)
    text = re.sub(r"(<(?:path|use|polyline|g|clipPath|rect)\b[^>]*>)", _rounded, text)
    return text.replace("<svg ", '<svg fill="currentColor" ', 1).strip()


def _named_apart(text: str, prefix: str) -> str:
    """Names that are referred to get a prefix of the figure's own; all others go."""
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
    text = re.sub(r'(?<=url\(#)|(?<=href="#)', f"{prefix}-", text)
    return re.sub(
        r' id="([^"]*)"',
        lambda found: f' id="{prefix}-{found[1]}"' if found[1] in used else "",
        text,
    )


def _inked(text: str) -> str:
    """Ink and black become the current colour in styles, white the paper; names stay as they are.

    Hatches are drawn on nothing: their white ground would hide light ink.
    """
    text = re.sub(r'(<rect\b[^>]*) fill="#ffffff"', r'\1 fill="none"', text)
    return re.sub(
        r'(?<= style=")[^"]*',
        lambda s: WHITES.sub(PAPER, BLACKS.sub("currentColor", s[0])),
        text,
    )


def _rounded(tag: re.Match[str]) -> str:
    return NUMBER.sub(lambda n: f"{float(n[0]):.2f}".rstrip("0").rstrip("."), tag[0])


def pictured(pictures: Iterable[Picture], about: str = "") -> tuple[list[Figure], list[str]]:
    """The figures that can be drawn, and for each that cannot a sentence that says why.

    `about` tells figures of the same title apart, such as the measure and the procedure.
    """
    made, said = [], []
    for each in pictures:
        try:
            made.append(_figure(each, about))
        except PodiumError as error:
            said.append(no_figure(_title(each), error))
    return made, said


def _figure(picture: Picture, about: str) -> Figure:
    plot, title = PLOTS[picture.plot], _title(picture)
    data = plot.data(picture.what, **picture.options)
    svg = drawn(
        lambda ax: plot.draw(data, ax), picture.width, picture.height, name=f"{title} {about}"
    )
    table = getattr(data, "table", data)
    small = isinstance(table, pd.DataFrame) and len(table) <= MOST_DATA
    return Figure(
        title,
        plot.caption.format(**picture.facts),
        svg,
        table if small else None,
        {name: write(picture.what, **picture.options) for name, write in picture.files.items()},
    )


def _title(picture: Picture) -> str:
    return picture.title or PLOTS[picture.plot].title


def tall(rows: int, each: float = 0.22, least: float = 2.6, most: float = 14.0) -> float:
    """The height of a figure with so many rows."""
    return min(max(1.2 + each * rows, least), most)
