"""What a report is made of: sections of text, tables and figures, before any HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from podium.facts import Note

REMARKS = frozenset(  # codes of notes that explain; all others warn
    {"adjusted-means", "adjustment", "agreement", "averaged", "bonferroni", "bootstrap", "clusters",
     "descriptive", "direction", "drawn-null", "estimate", "frequencies", "gaps", "logarithms",
     "null", "nulls", "procedure-chosen", "ranks", "ranks-by-mean", "rounding", "ryan", "scale",
     "shaffer", "simulated"}
)  # fmt: skip


def is_remark(note: Note) -> bool:
    """Whether a note only explains what was done; one with an unknown code warns."""
    return note.code in REMARKS


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
    items: tuple[Table | Figure | Charts, ...] = ()
    choice: Choice = Choice()


@dataclass(frozen=True, eq=False)
class Section:
    """A heading and its parts."""

    title: str
    name: str  # short, for links
    parts: tuple[Part, ...]
