"""The switches of a page: for which measure, procedure and data set, and for which algorithms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from podium.formatting import printable
from podium.reports.document import Charts, Choice, Section
from podium.reports.markup import swatch

ALL = "all data sets together"


@dataclass(frozen=True)
class Switch:
    """A choice between names; with at most one there is nothing to choose."""

    field: str  # of Choice
    label: str
    names: tuple[str, ...]
    every: str = ""  # what no name stands for, where that can be chosen

    @property
    def html(self) -> str:
        """A labelled select element, or nothing."""
        if len(self.names) + bool(self.every) < 2:
            return ""
        first = f'<option value="">{escape(self.every)}</option>' if self.every else ""
        options = "".join(
            f'<option value="{escape(n)}">{escape(printable(n))}</option>' for n in self.names
        )
        return (
            f'<label class="switch">{escape(self.label)} '
            f'<select data-switch="{self.field}">{first}{options}</select></label>\n'
        )

    def mark(self, choice: Choice) -> str:
        """The attribute by which a part says when it is shown."""
        name = getattr(choice, self.field)
        return f' data-{self.field}="{escape(name)}"' if name and self.html else ""


def switches(parts: Sequence[Section], scores: Charts | None) -> list[Switch]:
    """The switches that a page needs, from what its parts and its charts tell apart."""
    choices = [p.choice for s in parts for p in s.parts]
    measures = [m["name"] for m in scores.data["measures"]] if scores else []
    known = scores.data["datasets"] if scores else []
    datasets = _unique([*known, *(c.dataset for c in choices)])
    together = ALL if len(datasets) > 1 else ""
    return [
        Switch("measure", "Measure", _unique([*measures, *(c.measure for c in choices)])),
        Switch("dataset", "Data set", datasets, together),
        Switch("procedure", "Procedure", _unique(c.procedure for c in choices)),
    ]


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(n for n in names if n))


def algorithm_filter(scores: Charts | None) -> str:
    """A list of all algorithms to tick, each with its colour and marker."""
    if scores is None:
        return ""
    boxes = "".join(
        f'<label><input type="checkbox" checked value="{i}"> {swatch(a["colour"], a["path"])} '
        f"<span>{escape(a['name'])}</span></label>\n"
        for i, a in enumerate(scores.data["algorithms"])
    )
    return (
        '<fieldset class="algorithms"><legend>Algorithms</legend>\n'
        '<p class="buttons"><button type="button" data-tick="all">All</button> '
        '<button type="button" data-tick="none">None</button></p>\n'
        f'<div class="list">{boxes}</div></fieldset>\n'
    )
