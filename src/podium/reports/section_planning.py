"""Planning: what it would take to settle the pairs that are open."""

from __future__ import annotations

from collections.abc import Iterator

from podium.errors import PodiumError
from podium.inference.layouts import Layout
from podium.reports.document import Choice, Part, readable, section
from podium.reports.figures import Picture, pictured
from podium.studies.analysis import Analysis, Evidence
from podium.studies.detection import Settling, found_now, open_pairs, settling
from podium.wording import page_evidence as words
from podium.wording.notes_planning import planned_noun

TOLD = ("few-blocks", "bonferroni")  # the notes of a plan that are not with the tests


@section("planning", "Planning: what would settle the open pairs", place=70)
def planning(analysis: Analysis) -> Iterator[Part]:
    """What the open pairs of every measure would take."""
    several = [each for each in analysis.chosen if len(each.comparisons.algorithms) > 1]
    yield from map(_settled, several)
    if not several:
        yield Part(paragraphs=(words.NO_PAIRS,))


def _settled(evidence: Evidence) -> Part:
    c, made = evidence.comparisons, evidence.layout
    count = open_pairs(c)
    if not count:
        return _said(evidence, words.NONE_OPEN)
    said = words.open_pairs(count)
    if made is None:
        return _said(evidence, said, words.NOT_MADE_AGAIN)
    if not planned_noun(made.block):
        return _not_by_more(said, made, evidence)
    try:
        return _planned(said, settling(made, c), evidence)
    except PodiumError as error:
        return _said(evidence, said, words.not_planned(error))


def _said(evidence: Evidence, *paragraphs: str) -> Part:
    measure = evidence.comparisons.measure
    return Part(f"By {measure}", paragraphs=paragraphs, choice=Choice(measure))


def _not_by_more(said: str, made: Layout, evidence: Evidence) -> Part:
    """Blocks of which more would not tell more about the population."""
    c = evidence.comparisons
    pairs = found_now(made, c)
    known = len(pairs) > 0
    return Part(
        f"By {c.measure}",
        paragraphs=(said, words.more_is_no_help(c), *[words.found_now(c)] * known),
        items=(readable(words.FOUND_NOW, pairs),) * known,
        choice=Choice(c.measure),
    )


def _planned(said: str, found: Settling, evidence: Evidence) -> Part:
    """How many blocks the open pairs need, and a curve for the hardest that can be settled."""
    measure = evidence.comparisons.measure
    figures, not_drawn = pictured([_curve(found)], measure)
    return Part(
        f"By {measure}",
        paragraphs=(said, *words.needed(found.noun, found.margin), *not_drawn),
        notes=tuple(note for note in found.pilot.notes if note.code in TOLD),
        items=(readable(f"Number of {found.noun} for the open pairs", found.pairs), *figures),
        choice=Choice(measure),
    )


def _curve(found: Settling) -> Picture:
    return Picture(
        "power_curve",
        found.pilot.plan,
        height=3.2,
        facts={"difference": words.difference_sought(found.margin), "blocks": found.noun},
    )
