"""What a report is made of: sections of text, tables and figures, before any HTML.

`SECTIONS` has one record per section, beside the code that makes it: a page has all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import PodiumError
from podium.base.formatting import aligned, number, p_value
from podium.base.registry import Registry
from podium.reports.analysis import Analysis
from podium.reports.score_words import not_made
from podium.words.facts import Note


@dataclass(frozen=True, eq=False)
class Table:
    """A table with its caption; `frame` holds values, which rendering turns into texts.

    `shown`, where given, has the same rows as texts for people; downloads hold `frame`.
    """

    caption: str
    frame: pd.DataFrame
    shown: pd.DataFrame | None = None
    latex: str = ""  # of its own, where the plain form would not do


@dataclass(frozen=True, eq=False)
class Figure:
    """A picture with its caption: an SVG that was drawn, and the table that it shows."""

    title: str
    caption: str
    svg: str
    data: pd.DataFrame | None = None
    files: Mapping[str, str] = field(default_factory=dict)  # name -> text, such as TikZ


@dataclass(frozen=True, eq=False)
class Charts:
    """Linked interactive charts of scores; `data` is what they show, by measure and data set."""

    caption: str
    data: Mapping[str, Any]


Item = Table | Figure | Charts


# -- the answer: what a reader sees before all else -----------------------------------------------


@dataclass(frozen=True)
class Chip:
    """A caution in a few words, which opens to its text."""

    words: str
    text: str
    warns: bool  # it changes what may be said


@dataclass(frozen=True)
class Card:
    """A question, its answer, and the section that has the rest."""

    question: str
    answer: str
    section: str


@dataclass(frozen=True)
class Panel:
    """How an algorithm stands on one data set: its place there, and its gap in words and drawn."""

    place: str
    leads: bool
    text: str
    dot: float | None
    bar: tuple[float, float] | None
    outside: str


@dataclass(frozen=True)
class HeroRow:
    """A row of the table of standings, as texts and as shares of the width that gaps are drawn on.

    A share is None where it is not known; `outside` is written where a gap does not fit.
    """

    place: str
    name: str
    score: str
    gap: str
    limits: str
    won: str
    shares: tuple[float, float, float]  # of the blocks won, tied and lost
    badge: str
    state: str  # of the row, for its colour
    dot: float | None
    bar: tuple[float, float] | None
    outside: str
    strip: tuple[tuple[int, str], ...]  # shades, and the cells of each as a path
    panels: tuple[Panel, ...] = ()  # where data sets are shown side by side


@dataclass(frozen=True)
class Hero:
    """The table of standings: how far each algorithm is behind the best."""

    heads: Mapping[str, str]
    rows: tuple[HeroRow, ...]
    cut: int  # rows above the line; none is drawn where it is 0
    below: str  # what the line says
    zero: float  # where a gap of nothing is drawn
    ticks: tuple[tuple[float, str], ...]
    cells: int  # of a strip
    longest: int  # letters of a name
    key: tuple[tuple[str, str], ...]
    rest: str  # of the rows that are not listed
    overview: Overview | None = None
    panels: tuple[tuple[str, str], ...] = ()  # data sets side by side, and their heads


@dataclass(frozen=True)
class Overview:
    """All of very many algorithms: a thin interval each, from the best to the last."""

    title: str
    lead: str  # paths in a square of 1000: intervals and dots
    lead_dots: str
    others: str
    other_dots: str
    zero: float
    cut: float
    ticks: tuple[tuple[float, str], ...]
    words: tuple[str, str]  # left and right of the cut


@dataclass(frozen=True)
class Answer:
    """The first screen: a verdict with marked names, a sentence, its subject, the standings."""

    verdict: tuple[tuple[str, bool], ...]
    sentence: str
    about: str
    fold: tuple[str, ...]
    chips: tuple[Chip, ...]
    hero: Hero | None
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Choice:
    """When a part is shown: for this measure, procedure and data set; empty is always."""

    measure: str = ""
    procedure: str = ""
    dataset: str = ""


@dataclass(frozen=True, eq=False)
class Part:
    """A piece of a section: what it says, in this order, and when it is shown."""

    title: str = ""
    lead: str = ""  # the one line that a reader must see
    paragraphs: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()  # what a reader must know, with its code
    items: tuple[Item, ...] = ()
    choice: Choice = Choice()
    answer: Answer | None = None  # before all else
    algorithms: Sequence[Mapping[str, str]] = ()  # by which tables are filtered, without charts


@dataclass(frozen=True, eq=False)
class Section:
    """A heading and its parts."""

    title: str
    name: str  # short, for links
    parts: tuple[Part, ...]


# -- the sections of a page -----------------------------------------------------------------

Parts = Callable[[Analysis], Iterable[Part]]


@dataclass(frozen=True)
class SectionRecord:
    """A section that pages have: its name for links, its title, where it stands, what it says."""

    name: str
    title: str
    place: float  # a page has its sections by this number
    parts: Parts  # none where there is nothing to say

    def made(self, analysis: Analysis) -> Section | None:
        """The section of a page; what cannot be made is said in it."""
        try:
            parts = tuple(self.parts(analysis))
        except PodiumError as error:
            parts = (Part(paragraphs=(not_made(error),)),)
        return Section(self.title, self.name, parts) if parts else None


SECTIONS: Registry[SectionRecord] = Registry("section of a report", of_rooms="sections")


def section(name: str, title: str, *, place: float) -> Callable[[Parts], Parts]:
    """A decorator: what it decorates makes the parts of a section with this title."""

    def registered(parts: Parts) -> Parts:
        SECTIONS.add(name, SectionRecord(name, title, place, parts))
        return parts

    return registered


# -- tables for people ----------------------------------------------------------------------

WORDS = {
    "dataset": "data set",
    "fit_time": "fitting",
    "predict_time": "predicting",
    "best": "share of first places",
    "lower": "from",
    "upper": "to",
    "unlike_observed": "what is otherwise",
    "best_mean": "best mean",
    "p_overall": "p of no difference",
    "first_better": "first is better",
    "second_better": "second is better",
    "detectable": "least difference found",
    "sd_lower": "sd from",
    "sd_upper": "sd to",
    "sd of differences": "sd",
    "needed for this difference": "needed",
    "found with 80 % power now": "found now",
    "exception": "kind of failure",
    "category": "kind of warning",
    "count": "how often",
}
DIGITS = 3  # of the number in the middle of a column


def readable(caption: str, frame: pd.DataFrame, words: Mapping[str, str] | None = None) -> Table:
    """A table whose headings are words, also its own, and whose numbers are short on the page.

    Downloads keep the names of columns and all digits.
    """
    shown = pd.DataFrame(
        {str(name): _texts(str(name), frame[name]) for name in frame}, index=frame.index
    )
    return Table(caption, frame, shown.rename(columns={**WORDS, **(words or {})}))


def _texts(name: str, column: pd.Series) -> pd.Series:
    """A column as it is read; one without fractions stays as it is."""
    if not pd.api.types.is_float_dtype(column.dtype):
        return column
    values = column.astype(float)
    write = KINDS.get(name, _numbers)
    return pd.Series(write(values.to_numpy()), index=column.index, dtype=object)


def _numbers(values: np.ndarray) -> list[str]:
    known = np.abs(values[np.isfinite(values) & (values != 0)])
    if not len(known) or (known == np.round(known)).all():
        return [number(v, 6) for v in values]
    return aligned(values.tolist(), float(np.median(known)), DIGITS)


def _shares(values: np.ndarray) -> list[str]:
    return ["–" if v != v else f"{100 * v:.0f} %" for v in values]


def _p_values(values: np.ndarray) -> list[str]:
    return [p_value(v) for v in values]


KINDS: dict[str, Callable[[np.ndarray], list[str]]] = {
    "p": _p_values,
    "p_overall": _p_values,
    "best": _shares,
    "frequency": _shares,
}
