"""What results support, lack and would take, in lines for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from podium.answers.checkup import Checkup, Supported, would_settle
from podium.answers.settling import settled
from podium.base.formatting import printable
from podium.questions.targets import TARGETS
from podium.reading.results import Results
from podium.words.phrases import counted
from podium.words.statements import about

TARGET = (
    "A target is what a claim may be about; a test is valid where its error level holds for it."
)


FURTHER = {  # questions of rooms
    "factors": "The names look like combinations of parts. Which part matters: podium analyze FILE "
    "--factors '{}'",
    "fronts": "Who is on the front of quality and cost: podium analyze FILE -m {}",
}


def studies_line(file: str) -> str:
    """Of a table of what studies report."""
    return f"Holds what studies report, not scores: podium meta {file} takes them together."


def lines(checkup: Checkup) -> Iterator[str]:
    """What there is, what it supports, what it does not and why, and what would settle the rest."""
    yield f"Holds: {_holds(checkup.results, checkup.measure)}."
    if checkup.missing > 0:
        yield f"Lacks: {checkup.missing} of {counted(checkup.scores, 'score')} are missing."
    if checkup.unasked:
        yield f"Supports no test yet. {checkup.unasked}"
        return
    yield TARGET
    for each in checkup.supported:
        yield f"Supports {each.target}: {_supported(each)}"
    yield from _would_take(checkup)
    lacking = [each.target for each in checkup.targets if each.evidence is None]
    if lacking:
        yield "Other targets need other scores:"
        yield from (f"- {target}: {TARGETS[target].needs}." for target in lacking)


def _holds(results: Results, measure: str) -> str:
    sampling = f"sampling {results.sampling}" if results.sampling else "no word on the sampling"
    measures = f"judged by {printable(measure)}"
    if len(results.measures) > 1:
        measures += f" (and {len(results.measures) - 1} more; -m chooses)"
    return (
        f"{counted(len(results.algorithms), 'algorithm')} on "
        f"{counted(len(results.datasets), 'data set')}, {measures}, {sampling}"
    )


def _supported(each: Supported) -> str:
    assert each.evidence is not None
    c = each.evidence.comparisons
    decided = c.decision.significant
    pairs = f"{decided} of {counted(len(c.table), 'pair')} decided"
    return f"{about(c.claim)} ({c.procedure}, {c.blocks.count} {c.blocks.text}; {pairs})."


def _would_take(checkup: Checkup) -> Iterator[str]:
    """What more data would bring, of the first target of which something is open."""
    some = [each for each in checkup.supported if _is_open(each)] or checkup.supported
    what = f"what is open of {some[0].target}" if len(checkup.supported) > 1 else "it"
    for each in some[:1]:
        assert each.evidence is not None
        if len(each.evidence.comparisons.algorithms) > 1:
            by, standing, plans = would_settle(each.evidence)
            if standing is not None:
                what = what if _is_open(each) else "it"
                message = settled(each.evidence.comparisons, by, standing, plans)
                yield f"Would settle {what}: {message}"


def _is_open(each: Supported) -> bool:
    assert each.evidence is not None
    return each.evidence.comparisons.decision.inconclusive > 0
