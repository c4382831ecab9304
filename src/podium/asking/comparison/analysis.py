"""What a page rests on: comparisons and orders of every measure, by several procedures.

The procedure that the design calls for comes first. Others that are legal, one of each kind, show
whether the order depends on that choice; they are no menu.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from podium.asking.planning.detection import Settling, settling
from podium.asking.robustness.bootstrap import draws, units
from podium.asking.surveys.by_dataset import by_dataset
from podium.core.base.errors import InferenceError, PodiumError
from podium.core.base.progress import Progress
from podium.core.inference.bricks.scales import ranked
from podium.core.inference.comparing.arranging import suited
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.comparing.decision import RANKS
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import is_legal
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.orders.order import Order
from podium.core.questions.measures import TIMES
from podium.core.results.results import Results
from podium.core.verdicts.verbs import USUAL, beside_sizes, refuse_dependent
from podium.core.words.facts import Note
from podium.showing.terminal.options import BAYES, JUDGED, MARGINS

Result = TypeVar("Result")
OF_ONE_MEASURE = ("weights", "covariates")  # not of a page's other measures
MOST_MEASURES = 6
MOST_CHECKED = 25  # algorithms that other procedures compare, too
KINDS: Mapping[str, tuple[str, ...]] = {  # the first that is legal and can be computed is used
    "rank-based": ("cochran", "nemenyi", "wilcoxon", "skillings-mack", "steel-dwass"),
    "permutation": ("permutation", "sign-flip", "permutation-max", "one-way-permutation"),
    "parametric": ("paired-t", "mixed-tukey", "corrected-t", "5x2cv-t", "games-howell",
                   "anova-tukey"),
}  # fmt: skip
# options that one procedure knows: another one has its own
OF_ONE_PROCEDURE: Mapping[str, Any] = {
    "procedure": None,
    "null": None,
    "adjust": None,
    "estimate": None,
    "posterior": False,
    "rho": None,
    "force": False,
}
RESAMPLES = 1000  # of the blocks
ROUNDING = 1e-12
SECONDS = 10.0  # for the consensus


@dataclass(frozen=True, eq=False)
class Evidence:
    """Comparisons, their order and what they were made from, where that can be made again."""

    comparisons: Comparisons
    order: Order
    layout: Layout | None = None
    kind: str = ""  # of a sensitivity analysis; empty for the procedure that was chosen
    scored: str = ""  # the measure of the results, which a scale renames

    @property
    def is_chosen(self) -> bool:
        """Whether this is the analysis, not one that shows what a choice changes."""
        return not self.kind

    @property
    def measure(self) -> str:
        """The measure of the results that this is about, whatever scale it was compared on."""
        return self.scored or self.comparisons.measure

    @cached_property
    def settled_by(self) -> Settling | Note:
        """What would settle the open pairs, or the reason why that is not known."""
        made, c = self.layout, self.comparisons
        if made is None:
            return Note("not-made-again")
        try:
            return settling(made, c)
        except PodiumError as error:
            return Note("could-not-be-made", reason=str(error))


@dataclass(frozen=True, eq=False)
class Analysis:
    """All that a page is made from; a note is the reason why something is not there."""

    results: Results
    evidence: tuple[Evidence, ...]  # measure by measure, the chosen procedure first
    refused: Mapping[str, str]  # measures without a comparison, and why
    result: Any = None  # what was asked for besides comparisons: a front, effects ...
    several: Mapping[str, Results] = field(default_factory=dict)  # of a question about several

    @classmethod
    def alone(cls, c: Comparisons) -> Analysis:
        """Of comparisons without the results that they were made from."""
        nothing = cast("Results", None)  # heroes of comparisons do not ask for them
        return cls(nothing, (Evidence(c, decide_comparisons(c)),), {})

    def result_of(self, kind: type[Result]) -> Result | None:
        """What was asked for besides comparisons, where it is of this kind."""
        return self.result if isinstance(self.result, kind) else None

    @cached_property
    def shares(self) -> FirstShares | Note:
        """How often each algorithm is first when the blocks are drawn anew."""
        return first_shares(self.first)

    @cached_property
    def survey(self) -> DatasetOrders | Note:
        """Every data set by itself, or the reason why not."""
        return _survey(self.results, self.first)

    @property
    def first(self) -> Evidence | None:
        """What the page is about before all else."""
        return self.evidence[0] if self.evidence else None

    @property
    def chosen(self) -> list[Evidence]:
        """The analysis of every measure, without those that show what choices change."""
        return [each for each in self.evidence if each.is_chosen]

    @property
    def measures(self) -> list[str]:
        """The measures that are compared, or that could not be."""
        compared = [each.measure for each in self.chosen]
        return list(dict.fromkeys([*compared, *self.refused]))

    def of(self, measure: str) -> list[Evidence]:
        """What is known of one measure."""
        return [each for each in self.evidence if each.measure == measure]


@dataclass(frozen=True)
class PageRequest:
    """What is asked of all measures of a page: about what, on which scale, and how."""

    measure: str | None = None  # that comes first
    target: str | None = None
    scale: str | None = None
    options: Options = USUAL

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> PageRequest:
        """What a request says of all measures; margins and the like are of its first one."""
        rest = {k: v for k, v in options.items() if k not in (*MARGINS, *BAYES, *JUDGED)}
        about = {name: rest.pop(name, None) for name in ("measure", "dataset", "target", "scale")}
        for name in OF_ONE_MEASURE:
            rest.pop(name, None)
        rest["force"] = rest.get("force") or None
        return cls(about["measure"], about["target"], about["scale"], Options.said(**rest))

    def layout(self, results: Results, measure: str | None, dataset: str | None = None) -> Layout:
        """The layout that answers it for a measure."""
        return suited(
            results,
            self.options.procedure,
            measure=measure,
            dataset=dataset,
            target=self.target,
            scale=self.scale,
            gaps=self.options.gaps,
        )

    def compared(self, results: Results, measure: str | None) -> Comparisons:
        """The answer for a measure."""
        made = self.layout(results, measure)
        return beside_sizes(results, made, compare(made, self.options))


def analysed(
    results: Results,
    comparisons: Sequence[Comparisons] = (),
    request: PageRequest | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Everything that a page needs to know, computed.

    `comparisons` come first where they are given; the request is for all others and for what
    follows from them.
    """
    request = request or PageRequest()
    known = [_with_layout(results, each, request) for each in comparisons]
    names = _measures(results, [each.measure for each in known], request)
    tell = progress or (lambda done, total: None)
    evidence: list[Evidence] = []
    refused: dict[str, str] = {}
    for done, measure in enumerate(names):
        own = [each for each in known if each.measure == measure]
        try:
            mine = own or [_chosen(results, measure, known, request)]
            evidence += [*mine, *(_others(mine[0]) if not evidence else ())]
        except PodiumError as error:
            refused[measure] = str(error)
        tell(done + 1, len(names))
    return Analysis(results, tuple(evidence), refused)


def _measures(results: Results, given: Sequence[str], request: PageRequest) -> list[str]:
    """The measures of a page, those that were asked for first."""
    known = {*results.measures, *TIMES}
    wanted = [name for name in (request.measure,) if name in known]
    return list(dict.fromkeys([*given, *wanted, *results.measures]))[:MOST_MEASURES]


def _with_layout(results: Results, c: Comparisons, request: PageRequest) -> Evidence:
    """Comparisons that are given, with their layout where these results have it."""
    if c.judged is not None and c.judged.procedure.needs.labels:
        return Evidence(c, decide_comparisons(c))  # a judge and people are no one measure
    own = c.measure in results.measures or c.measure in TIMES
    measure = c.measure if own else request.measure or next(iter(results.measures), c.measure)
    same_request = replace(
        request, target=c.target, options=request.options.but(procedure=c.procedure)
    )
    try:
        made = same_request.layout(results, measure, c.dataset or None)
    except PodiumError:  # of other results, or of one algorithm alone
        return Evidence(c, decide_comparisons(c))
    same = made.measure.name == c.measure and made.algorithms == c.algorithms
    scored = measure if same else ""
    return Evidence(c, decide_comparisons(c), made if same else None, scored=scored)


def _chosen(
    results: Results, measure: str, known: Sequence[Evidence], request: PageRequest
) -> Evidence:
    """A measure as was asked or, like the first that is given, at its level on its data set."""
    options, dataset = request.options, None
    if known:
        first = known[0].comparisons
        dataset = first.dataset or None
        options = options.but(alpha=first.alpha) if options.alpha == Options.alpha else options
    made = request.layout(results, measure, dataset)
    comparisons = beside_sizes(results, made, compare(made, options))
    return Evidence(comparisons, decide_comparisons(comparisons), made, scored=measure)


# -- other procedures -------------------------------------------------------------------------


def _others(first: Evidence) -> Iterator[Evidence]:
    """The same question by one other valid procedure of each kind, unless there are too many."""
    count = len(first.comparisons.algorithms)
    if first.layout is None or first.comparisons.is_forced or not 1 < count <= MOST_CHECKED:
        return
    used = {first.comparisons.procedure}
    for kind in KINDS:
        result = _other(first, kind, used)
        if result is not None:
            used.add(result.comparisons.procedure)
            yield result


def _other(first: Evidence, kind: str, used: set[str]) -> Evidence | None:
    made, c = first.layout, first.comparisons
    assert made is not None
    for name in _candidates(made, kind):
        if name in used:
            continue
        try:
            comparisons = compare(made, _as_in(c).but(procedure=name))
        except InferenceError:  # too large, or no margins: the next one of this kind
            continue
        return Evidence(comparisons, decide_comparisons(comparisons), made, kind, first.measure)
    return None


def _candidates(made: Layout, kind: str) -> list[str]:
    names = [name for name in KINDS[kind] if is_legal(PROCEDURES[name], made)]
    if len(made.algorithms) == 2:  # rank sums of two are signs: pairs have better tests
        names.sort(key=lambda name: not PROCEDURES[name].pairwise)
    return names


def _as_in(c: Comparisons) -> Options:
    """What was asked of comparisons: of another procedure all but how that one is computed."""
    request = c.extras.options or Options()
    own = {"alpha": c.alpha, "relevance": c.relevance, "alternative": c.alternative}
    return request.but(control=c.control, **own, **OF_ONE_PROCEDURE)


# -- what follows -------------------------------------------------------------------------------


@dataclass(frozen=True)
class FirstShares:
    """Of bootstrap samples of the blocks, the share in which each algorithm is first."""

    shares: Mapping[str, float]
    resamples: int


def first_shares(first: Evidence | None) -> FirstShares | Note:
    """By what decides: mean ranks, or means; a note where blocks are not drawn anew."""
    if first is None or first.layout is None or len(first.comparisons.algorithms) < 2:
        return Note("no-blocks-to-redraw")
    c, layout = first.comparisons, first.layout
    if c.is_forced or c.judged is None or c.blocks.partial:
        return Note("forced-not-redrawn")
    try:
        refuse_dependent(layout)
        by_ranks = c.decides == RANKS and not c.judged.procedure.needs.unpaired
        drawn = units(ranked(layout) if by_ranks else layout, c.judged.procedure)
        means = np.concatenate([drawn.means(times) for times in draws(len(drawn), RESAMPLES, 0)])
    except PodiumError as error:
        return Note("could-not-be-made", reason=str(error))
    means = means[~np.isnan(means).any(axis=1)]
    if not len(means):
        return Note("no-blocks-to-redraw")
    best = means >= means.max(axis=1, keepdims=True) - ROUNDING * np.abs(means).max()
    shares = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    return FirstShares(dict(zip(layout.algorithms, shares.tolist(), strict=True)), len(means))


def _survey(results: Results, first: Evidence | None) -> DatasetOrders | Note:
    """Every data set by itself, or the reason why not."""
    if len(results.datasets) < 2:
        return Note("one-data-set")
    if first is None:
        return Note("nothing-compared")
    c = first.comparisons
    if c.measure not in results.measures:
        return Note("not-of-single-samples", measure=c.measure)
    options = _as_in(c).but(alternative=Options.alternative, weights=None)
    try:
        return by_dataset(results, options, measure=c.measure, time_limit=SECONDS)
    except PodiumError as error:
        return Note("could-not-be-made", reason=str(error))
