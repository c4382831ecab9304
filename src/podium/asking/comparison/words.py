"""What pages and terminals say of an answer: its cards, and what results support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from podium.asking.comparison.analysis import Evidence, FirstShares, PageRequest
from podium.asking.comparison.settling import settled
from podium.asking.planning.detection import Settling
from podium.asking.planning.words import planned_noun
from podium.core.base.errors import PodiumError
from podium.core.base.formatting import printable, short
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.questions.targets import BLOCKS, CONDITION_ITEM, TARGETS
from podium.core.results.results import Results
from podium.core.verdicts.standing import Standing, standing
from podium.core.words.facts import Note
from podium.core.words.notes.of_surveys import agreement
from podium.core.words.phrases import counted, is_are, joined
from podium.core.words.statements import about

# -- what results support -------------------------------------------------------------------------
# What results support today: which claims, by which test, and what would settle the open pairs.


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
        made = PageRequest(name).layout(results, name)
        usual, total = made.target, known if BLOCKS[made.block].partial else total
    except PodiumError as error:
        unasked = str(error)
    tried = tuple(_tried(results, name, target) for target in TARGETS) if not unasked else ()
    if not any(each.evidence for each in tried):
        unasked = next((each.why for each in tried if each.target == usual), unasked)
    return Checkup(results, name, total - known, total, tried, unasked)


def _tried(results: Results, measure: str, target: str) -> Supported:
    try:
        made = PageRequest(measure, target).layout(results, measure)
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


AGREE = "Do other tests agree?"
SETTLE = "What would settle the rest?"
NOTHING = "There are no scores to compare."
DOUBTS = ((0.95, "No."), (0.8, "Hardly."), (0.5, "Perhaps."), (0.0, "Yes, they could."))


def redrawn_question(c: Comparisons) -> str:
    """The question that drawing blocks anew answers."""
    return f"Would other {_redrawn_noun(c)} change it?"


def _redrawn_noun(c: Comparisons) -> str:
    return "items and conditions" if c.blocks.kind == CONDITION_ITEM else c.blocks.noun


def redrawn(c: Comparisons, shares: FirstShares | Note) -> str:
    """How often who is first in bootstrap samples of the blocks; empty where none are drawn."""
    if isinstance(shares, Note):
        return ""
    text = f"{capital_share(shares, c)}."
    if len(front(c)) > 1:
        return text  # that one is first in all of them does not make it the only one that could be
    doubt = next(word for least, word in DOUBTS if first_of(shares)[0][1] >= least)
    return f"{doubt} {text}"


def first_of(shares: FirstShares) -> list[tuple[str, float]]:
    """Up to three algorithms that are first in at least one percent, the most frequent first."""
    best = sorted(shares.shares.items(), key=lambda each: -each[1])
    return [(name, share) for name, share in best if share >= 0.01][:3] or best[:1]


def capital_share(shares: FirstShares, c: Comparisons) -> str:
    """Who is first in how many bootstrap samples."""
    (name, share), *others = first_of(shares)
    count = f"{round(share * shares.resamples):,} of {shares.resamples:,}"
    text = (
        f"{printable(short(name, 40))} is first in {count} bootstrap samples of the {c.blocks.noun}"
    )
    rest = [f"{printable(short(n, 40))} in {round(s * shares.resamples):,}" for n, s in others]
    return ", ".join([text, *rest])


# -- other tests ----------------------------------------------------------------------------------


def agreeing(first: Evidence, others: Sequence[Evidence]) -> str:
    """Whether other tests find the same algorithms that could be best."""
    mine = front(first.comparisons)
    same = [e.comparisons.procedure for e in others if front(e.comparisons) == mine]
    differ = [e for e in others if e.comparisons.procedure not in same]
    if not differ:
        who = "Both other tests" if len(same) == 2 else f"All {len(same)} other tests"
        if len(same) == 1:
            return f"Yes. {same[0]} gives the same answer."
        return f"Yes. {who} give the same answer."
    texts = [_unlike(mine, each) for each in differ]
    start = f"Mostly: {joined(same)} agree{'s' * (len(same) == 1)}, but " if same else "No: "
    return f"{start}{'; '.join(texts)}."


def front(c: Comparisons) -> set[str]:
    """Those that could be best or, where there is a reference, that are better than it."""
    if c.control is None:
        return set(c.lead or ())
    t = c.table
    return {*t["first"][t["verdict"] == "better"], *t["second"][t["verdict"] == "worse"]}


def _unlike(mine: set[str], other: Evidence) -> str:
    """How the answer of another test differs."""
    c = other.comparisons
    lead = front(c)
    more = [name for name in c.algorithms if name in lead - mine]
    less = [name for name in c.algorithms if name in mine - lead]
    texts = [f"adds {_some(more)}"] * bool(more) + [f"drops {_some(less)}"] * bool(less)
    return f"{c.procedure} {joined(texts)}"


def _some(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{len(names)} algorithms"
    return joined([short(name, 30) for name in names])


def fixed_in_advance(first: Evidence) -> str:
    """Why there are other tests, and that they are no menu."""
    return (
        f"{first.comparisons.procedure} is the analysis; the others were fixed in advance and show "
        "whether the answer depends on the test. Choosing among them would void the error rate."
    )


# -- a judge beside people, and posteriors --------------------------------------------------------

JUDGE_HEADS = {
    "people": "By people",
    "judge": "Judge alone",
    "interval": "◇ judge alone, ● by people ({level} CI)",
    "bias": "Judge bias (judge − people)",
}
JUDGE_KEY = (
    ("◇ far from ●:", "the judge is biased for this model."),
    ("Judge bias:", "simultaneous CI; coloured where it excludes 0."),
)
BAYES_KEY = (
    ("Blue", "better,"),
    ("grey", "practically the same,"),
    ("orange", "worse than the reference."),
)


def bias_text(bias: str, low: str, high: str) -> tuple[str, str]:
    """A bias with its sign, and its limits."""
    return (bias if bias.startswith("−") else f"+{bias}"), f"({low} to {high})"


def flattered(end: tuple[str, bool], name: str, sure: bool) -> tuple[tuple[str, bool], ...]:
    """The end of the headline, with the model that the judge scores too high."""
    if not sure:
        return (end,)
    return (
        (f"{end[0].rstrip('.')}; the judge flatters ", False),
        (printable(name), True),
        (".", False),
    )


def split_head(name: str, rope: float | str) -> tuple[str, str]:
    """What stands beside the reference, and the head of the three probabilities."""
    size = rope if isinstance(rope, str) else f"{rope:g}"
    same = f"same (±{size})" if rope else "same"
    return "the reference", f"Compared with {name}: better · {same} · worse"


def best_on(names: Sequence[str], is_best: np.ndarray, count: int, noun: str) -> str:
    """Who is best most often, and that others may be so as often."""
    counts, tied = is_best.sum(axis=0), is_best.sum(axis=1) > 1
    most = int(counts.max())
    first = [name for name, own in zip(names, counts, strict=True) if own == most]
    who = printable(short(first[0], 40)) if len(first) == 1 else f"{len(first)} of {len(names)}"
    ties = ", ties included" if tied.any() else ""
    return f"{who} {is_are(len(first))} best on {most:,} of {count:,} {noun}{ties}"


# -- runs that failed or are missing --------------------------------------------------------------

USUAL_TREATMENT = "as analysed"
TREATMENTS = {  # by the values of --gaps
    "pairs": "compare on common data sets",
    "complete": "keep complete data sets only",
    "worst": "count as worst",
}
RUNS_TITLE = "a cell per data set: filled done, orange failed, empty missing"


def runs_head(count: int) -> str:
    """Above the states of runs."""
    return f"Runs on {count} data sets"


# -- many data sets -------------------------------------------------------------------------------

EACH_KEY = (("Row:", "click for the whole ranking."), ("Heading:", "click to sort."))


def each_headline(order: str) -> tuple[tuple[str, bool], ...]:
    """The consensus of the rankings on single data sets."""
    text = order if len(order) <= 90 else f"{order[:89]}…"
    return (("Consensus ranking: ", False), (text, True))


def each_sentence(settled: int, count: int, best: str, concordance: float) -> str:
    """Who has the best mean where, on how many data sets differences are significant, agreement."""
    some = f"Differences are significant on {settled} of {count} data sets, each by itself."
    agree = f" Rankings agree {agreement(concordance)}." if concordance == concordance else ""
    return f"{best}. {some}{agree}"


def group_headline(first: str, second: str, apart: int, count: int) -> tuple[tuple[str, bool], ...]:
    """In how many groups two algorithms differ."""
    return ((first, True), (" and ", False), (second, True),
            (f" differ significantly in {apart} of {count} groups.", False))  # fmt: skip


def tables_finding(count: int) -> str:
    """The line of all tables."""
    return counted(count, "table")


# -- checkup words --------------------------------------------------------------------------------
# What results support, lack and would take, in lines for the terminal.


TARGET = (
    "A target is what a claim may be about; a test is valid where its error level holds for it."
)


PARTS = "Algorithms look like combinations of parts; which part matters: add --factors '{}'."
FURTHER = {  # questions of rooms
    "factors": "Algorithms look like combinations of parts. Which part matters: podium analyze "
    "FILE --factors '{}'",
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
    sampling = f"sampling {results.sampling}" if results.sampling else "sampling not stated"
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
    pairs = f"{decided} of {counted(len(c.table), 'comparison')} significant"
    return f"{about(c.claim)} ({c.procedure}, {c.blocks.count} {c.blocks.text}; {pairs})."


def _would_take(checkup: Checkup) -> Iterator[str]:
    """What more data would bring, of the first target of which something is open."""
    some = [each for each in checkup.supported if _is_open(each)] or checkup.supported
    what = f" for {some[0].target}" if len(checkup.supported) > 1 else ""
    for each in some[:1]:
        assert each.evidence is not None
        if len(each.evidence.comparisons.algorithms) > 1:
            by, standing, plans = would_settle(each.evidence)
            if standing is not None:
                what = what if _is_open(each) else ""
                message = settled(each.evidence.comparisons, by, standing, plans)
                yield f"Next{what}: {message}"


def _is_open(each: Supported) -> bool:
    assert each.evidence is not None
    return each.evidence.comparisons.decision.inconclusive > 0
