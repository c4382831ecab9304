"""What a page is made of: views with a table each, and sections that are closed lines.

A view is what a reader sees first: headline, evidence, caveats, the table. A section is one line
that tells its finding; its content is data, which the script draws when the line is opened.
`HEROES` and `SECTIONS` have one record per room that adds one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import PodiumError
from podium.core.base.formatting import aligned, number, p_value, printable
from podium.core.base.registry import Registry

Marked = tuple[tuple[str, bool], ...]  # texts, and whether each is a name of the best

# -- the table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of the table.

    `kind` says how its cells are drawn: `rank`, `name`, `text`, `number`, `estimate` (value with
    limits), `interval` (drawn on the axis), `strip` (a cell per data set), `share`, `split` (three
    shares), `runs` (states of runs) or `dots` (two rows of single scores).
    """

    key: str
    kind: str
    head: str
    title: str = ""  # told when a pointer rests on it
    wide: bool = False  # left out on a narrow screen


@dataclass(frozen=True)
class Row:
    """A row: cells by the key of their column, and what is told when it is opened."""

    name: str
    cells: Mapping[str, Any]
    leads: bool = False
    family: str = ""
    details: tuple[tuple[str, str], ...] = ()
    state: str = ""  # `good` or `bad` where the row has a colour of its own


@dataclass(frozen=True)
class Axis:
    """What intervals are drawn on; the words stand at its two ends."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    zero: float | None = 0.0
    ends: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Chip:
    """A caveat in a few words, with its text; one that warns changes what may be concluded."""

    words: str
    text: str
    warns: bool = False


@dataclass(frozen=True)
class Card:
    """A question, its answer, and the section that has the rest."""

    question: str
    answer: str
    section: str = ""


@dataclass(frozen=True)
class Progress:
    """How far a study has come: shares of the budget done and of the looks, and it in words."""

    done: float
    looks: tuple[float, ...]
    text: str


@dataclass(frozen=True, eq=False)
class View:
    """One answer: what the first screen shows for one choice of the controls.

    Attributes
    ----------
    at : the choice, by the key of the control: measure, test, missing ...
    cut, below : rows above the line, and what the line says.
    key : how to read the table.
    title, facts : of a page that this view opens, where they are others than those of the results.
    picture : a drawing above the table, of the first view alone: markup that is done.
    live : what the script needs to compare with another reference or to hide rows: pairs, words.
    """

    headline: Marked
    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    sentence: str = ""
    about: str = ""
    chips: tuple[Chip, ...] = ()
    cards: tuple[Card, ...] = ()
    axis: Axis | None = None
    cut: int = 0
    below: str = ""
    key: tuple[tuple[str, str], ...] = ()
    at: Mapping[str, str] = field(default_factory=dict)
    progress: Progress | None = None
    picture: str | None = None
    title: str = ""
    facts: str = ""
    live: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Control:
    """A control: what it chooses, by key, and its options; one not computed names its command."""

    key: str
    label: str
    options: tuple[tuple[str, str], ...]  # value and label
    missing: tuple[tuple[str, str], ...] = ()  # label and command

    @property
    def is_short(self) -> bool:
        """Whether its options stand side by side."""
        few = len(self.options) <= 4 and not self.missing
        return few and sum(len(label) for _, label in self.options) <= 40


# -- sections -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Table:
    """A table of a section; `shown`, where given, has the same rows as texts for people."""

    caption: str
    frame: pd.DataFrame
    shown: pd.DataFrame | None = None


@dataclass(frozen=True)
class Text:
    """Paragraphs; one that is to be copied, such as methods for a paper, has a button."""

    paragraphs: tuple[str, ...]
    copied: bool = False


@dataclass(frozen=True)
class Drawing:
    """What the script draws by itself: `kind` names the function, `data` are its numbers."""

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)


Block = Table | Text | Drawing


@dataclass(frozen=True, eq=False)
class Content:
    """What a section is about: the finding, in one line, and what is drawn when it is opened."""

    finding: str
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, eq=False)
class Section:
    """A closed line of a page."""

    name: str  # for links
    title: str
    content: Content


@dataclass(frozen=True, eq=False)
class Page:
    """A whole page: its views, of which the first is shown, controls and sections.

    `names`, `families`, `blocks` and `values` (measure, algorithm, block) are shared by all views.
    """

    title: str
    facts: str
    views: tuple[View, ...]
    controls: tuple[Control, ...] = ()
    sections: tuple[Section, ...] = ()
    names: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    values: Mapping[str, Sequence[Sequence[float | None]]] = field(default_factory=dict)


# -- what rooms add -------------------------------------------------------------------------------


@dataclass(frozen=True)
class SectionRecord:
    """A section that pages have: its name for links, its title, where it stands, what it says."""

    name: str
    title: str
    place: float  # a page has its sections by this number
    make: Callable[[Any], Content | None]  # of an analysis; None where there is nothing to say

    def made(self, analysis: Any) -> Section | None:
        """The section of a page; what cannot be made is left out with its reason."""
        try:
            content = self.make(analysis)
        except PodiumError as error:
            content = Content(str(error))
        return None if content is None else Section(self.name, self.title, content)


@dataclass(frozen=True)
class HeroRecord:
    """The first screen of a kind of analysis: the first record that makes views is used."""

    name: str
    place: float
    make: Callable[[Any], Sequence[View]]  # of an analysis; nothing where it is of another kind
    of_results: bool = False  # needs more than comparisons, which are all that a notebook has
    without: tuple[str, ...] = ()  # sections that would tell of another analysis


SECTIONS: Registry[SectionRecord] = Registry("section of a report", of_rooms="sections")
HEROES: Registry[HeroRecord] = Registry("first screen of a report", of_rooms="sections")


def section(
    name: str, title: str, *, place: float
) -> Callable[[Callable[[Any], Content | None]], Callable[[Any], Content | None]]:
    """A decorator: what it decorates makes the content of a section with this title."""

    def registered(make: Callable[[Any], Content | None]) -> Callable[[Any], Content | None]:
        SECTIONS.add(name, SectionRecord(name, title, place, make))
        return make

    return registered


def hero(
    name: str, *, place: float, of_results: bool = False, without: tuple[str, ...] = ()
) -> Callable[[Callable[[Any], Sequence[View]]], Callable[[Any], Sequence[View]]]:
    """A decorator: what it decorates makes the views of pages of one kind."""

    def registered(make: Callable[[Any], Sequence[View]]) -> Callable[[Any], Sequence[View]]:
        HEROES.add(name, HeroRecord(name, place, make, of_results, without))
        return make

    return registered


def first_hero(
    analysis: Any, *, of_results: bool = True
) -> tuple[HeroRecord | None, Sequence[View]]:
    """The first record that makes views, and these."""
    for record in sorted(HEROES.values(), key=lambda record: record.place):
        if (of_results or not record.of_results) and (views := record.make(analysis)):
            return record, views
    return None, ()


# -- axes -----------------------------------------------------------------------------------------

MARGIN = 0.03  # of the width at both sides
FARTHEST = 6.0  # times the usual limit: what lies beyond is drawn at the edge


def axis_of(values: Sequence[float], *, zero: float | None = 0.0, whole: bool = False) -> Axis:
    """An axis that holds these values and zero, with round numbers to write below.

    Of many values those that lie far out are cut off, unless the `whole` is to be seen.

    >>> [text for _, text in axis_of([0.02, 0.11]).ticks]
    ['0', '0.05', '0.1']
    """
    ends = [v for v in values if np.isfinite(v)] + ([] if zero is None else [zero])
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    if zero is not None and len(values) > 8 and not whole:
        far = FARTHEST * sorted(abs(v - zero) for v in ends)[len(ends) // 2]
        if far > 0:
            low, high = max(low, zero - far), min(high, zero + far)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    return Axis(low, high, _ticks(low, high), zero)


def _ticks(low: float, high: float) -> tuple[tuple[float, str], ...]:
    rough = (high - low) / 4
    size = 10.0 ** np.floor(np.log10(rough))
    step = next(n * size for n in (1, 2, 2.5, 5, 10) if n * size >= rough * 0.999)
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    values = [float(f"{i * step:.12g}") for i in range(first, last + 1)]
    return tuple((v, number(v, 3).replace("-", "−")) for v in values)


# -- tables for people ----------------------------------------------------------------------------

WORDS = {
    "dataset": "data set",
    "fit_time": "fitting",
    "predict_time": "predicting",
    "best": "share of first ranks",
    "lower": "from",
    "upper": "to",
    "best_mean": "best mean",
    "p_overall": "overall test: p",
    "p_adjusted": "adjusted p",
    "exception": "kind of failure",
    "category": "kind of warning",
    "count": "how often",
}
DIGITS = 3  # of the number in the middle of a column


def readable(caption: str, frame: pd.DataFrame, words: Mapping[str, str] | None = None) -> Table:
    """A table whose headings are words, also its own, and whose numbers are short on the page.

    What is copied keeps the names of columns and all digits.
    """
    shown = pd.DataFrame(
        {str(name): _texts(str(name), frame[name]) for name in frame}, index=frame.index
    )
    return Table(caption, frame, shown.rename(columns={**WORDS, **(words or {})}))


def _texts(name: str, column: pd.Series) -> list[str]:
    """A column as it is read."""
    if not pd.api.types.is_float_dtype(column.dtype):
        return [_text(value) for value in column]
    return KINDS.get(name, _numbers)(column.to_numpy(float))


def _text(value: Any) -> str:
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return ""
    return printable(value) if isinstance(value, str) else str(value)


def _numbers(values: np.ndarray) -> list[str]:
    known = np.abs(values[np.isfinite(values) & (values != 0)])
    if not len(known) or (known == np.round(known)).all():
        return ["" if v != v else number(v, 6) for v in values]
    return aligned(values.tolist(), float(np.median(known)), DIGITS)


def _shares(values: np.ndarray) -> list[str]:
    """In per cent; free of noise, an estimated share may leave 0 to 1 a little."""
    return ["–" if v != v else f"{100 * min(max(v, 0.0), 1.0):.0f} %" for v in values]


def _p_values(values: np.ndarray) -> list[str]:
    return [p_value(v) for v in values]


KINDS: dict[str, Callable[[np.ndarray], list[str]]] = {
    "p": _p_values,
    "p_adjusted": _p_values,
    "p_overall": _p_values,
    "best": _shares,
    "share": _shares,
    "frequency": _shares,
}
