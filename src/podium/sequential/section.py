"""The looks of a study that may stop: its plan, what each pair took, and what was saved."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.inference.comparing.comparisons import Comparisons
from podium.reports.analysis import Analysis
from podium.reports.document import Choice, Item, Part, Table, section
from podium.reports.figures import Picture, pictured
from podium.sequential import words
from podium.words.facts import Sequential


@section("looks", words.LOOKS, place=45)
def looks(analysis: Analysis) -> Iterator[Part]:
    """Nothing where there was no plan to stop."""
    first = analysis.first
    if first is None or first.comparisons.extras.sequential is None:
        return
    c, result = first.comparisons, first.comparisons.extras.sequential
    figures, not_drawn = pictured(_picture(c, result), f"{c.measure} {c.procedure} looks")
    messages = [note for note in c.warnings if note.code in words.OF_LOOKS]
    yield Part(
        lead=words.saved(result, c.blocks.noun),
        paragraphs=(words.how_to_read(result), *not_drawn),
        notes=tuple(messages),
        items=(*figures, *_tables(c, result)),
        choice=Choice(first.measure),
    )


def _picture(c: Comparisons, sequential: Sequential) -> Iterator[Picture]:
    if sequential.courses:
        yield Picture("looks", c, facts={"level": words.boundary_of(sequential)}, height=4.2)


def _tables(c: Comparisons, sequential: Sequential) -> Iterator[Item]:
    looks_of = pd.DataFrame(words.looks_shown(sequential, c.blocks.noun))
    if sequential.courses and not c.is_race:
        yield Table(words.PAIRS, pd.DataFrame(words.pairs_shown(sequential, c.blocks.noun)))
    yield Table(words.RUNS, pd.DataFrame(words.runs_shown(sequential, c.blocks.noun)))
    yield Table(words.BOUNDARIES, looks_of)
