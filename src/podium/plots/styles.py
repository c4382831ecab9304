"""One colour and one marker per algorithm, the same in every plot and in the report.

A style follows from an algorithm's place in the study, so every plot must be given the algorithms
in the study's order, whatever order it draws them in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from podium.errors import ResultsError

# Okabe and Ito (2008), Color Universal Design, without black (which is ink) and with the yellow
# darkened, as it vanishes on white: told apart with every common colour blindness.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b3a100")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
INK = "#1a1a1a"  # text, axes and borders; the report turns it into the colour of its text
ON_FILL = "#101010"  # what stands on a light colour, and stays dark where the page is dark
GREY = "#8c8c8c"  # what is beside the point


class Style(NamedTuple):
    """How an algorithm is drawn."""

    colour: str
    marker: str


def styles(algorithms: Sequence[str]) -> dict[str, Style]:
    """The style of each algorithm; up to 63 have styles of their own."""
    if isinstance(algorithms, str) or not isinstance(algorithms, Iterable):
        given = repr(algorithms) if isinstance(algorithms, str) else type(algorithms).__name__
        raise ResultsError(f"Styles are of a list of names, as results.algorithms, not {given}.")
    return {name: _style(i) for i, name in enumerate(algorithms)}


def _style(place: int) -> Style:
    # markers advance with every algorithm, so that neighbours differ in both
    colours, markers = len(COLOURS), len(MARKERS)
    return Style(
        COLOURS[place % colours], MARKERS[(place + place // (colours * markers)) % markers]
    )
