"""What results support today: which claims, by which test, and what would settle the open pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.base.errors import PodiumError
from podium.inference.comparing.compare import compare
from podium.orders.decide import decide as decide_comparisons
from podium.planning.detection import Settling
from podium.planning.words import planned_noun
from podium.questions.targets import BLOCKS, TARGETS
from podium.reading.results import Results
from podium.reports.analysis import Evidence, Question
from podium.verdicts.standing import Standing, standing
from podium.words.facts import Note


@dataclass(frozen=True, eq=False)
class Supported:
    """A target, and what these results say of it, or why they cannot."""

    target: str
    evidence: Evidence | None
    why: str = ""


@dataclass(frozen=True, eq=False)
class Checkup:
    """What results hold and lack, and every target with what may be said of it."""

    results: Results
    measure: str
    missing: int  # scores, of as many as algorithms and samples ask for
    scores: int
    targets: tuple[Supported, ...]
    unasked: str = ""  # why there is no usual analysis

    @property
    def supported(self) -> list[Supported]:
        """The targets of which something may be said."""
        return [each for each in self.targets if each.evidence is not None]


def checkup(results: Results, measure: str | None = None) -> Checkup:
    """Every target tried on the results, by the test that the design calls for."""
    name = measure or next(iter(results.measures), "")
    cells = results.values(name)
    known = int(np.isfinite(cells["value"].to_numpy(float)).sum())
    blocks = results.runs.groupby(["dataset", "sample"], observed=True).ngroups
    total = blocks * len(results.algorithms)
    usual = unasked = ""
    try:
        made = Question(name).layout(results, name)
        usual, total = made.target, known if BLOCKS[made.block].partial else total
    except PodiumError as error:
        unasked = str(error)
    tried = tuple(_tried(results, name, target) for target in TARGETS) if not unasked else ()
    if not any(each.evidence for each in tried):
        unasked = next((each.why for each in tried if each.target == usual), unasked)
    return Checkup(results, name, total - known, total, tried, unasked)


def _tried(results: Results, measure: str, target: str) -> Supported:
    try:
        made = Question(measure, target).layout(results, measure)
        comparisons = compare(made)
    except PodiumError as error:
        return Supported(target, None, str(error))
    return Supported(
        target, Evidence(comparisons, decide_comparisons(comparisons), made, scored=measure)
    )


def would_settle(evidence: Evidence) -> tuple[Settling | Note, Standing | None, bool]:
    """The plan for the open pairs, how algorithms stand, and whether more blocks help at all."""
    assert evidence.layout is not None
    plans = bool(planned_noun(evidence.layout.block))
    result = standing(evidence.comparisons)
    by = evidence.settled_by if plans and result and result.open else Note("not-made-again")
    return by, result, plans
