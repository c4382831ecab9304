"""What a page rests on: comparisons and orders of every measure, by several procedures.

The procedure that the design calls for comes first. Others that are legal, one of each kind, show
whether the order depends on that choice; they are no menu.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from podium.comparisons import Comparisons
from podium.errors import InferenceError, PodiumError
from podium.inference.compare import compare
from podium.inference.layouts import Layout
from podium.inference.legality import is_legal
from podium.inference.procedures import PROCEDURES
from podium.inference.suited import suited
from podium.measures import TIMES
from podium.orders.decide import decide_comparisons
from podium.orders.order import Order
from podium.progress import Progress
from podium.results.results import Results
from podium.studies.by_dataset import by_dataset
from podium.studies.dataset_orders import DatasetOrders
from podium.studies.stability import stability
from podium.studies.stability_result import Stability
from podium.wording.analysis import control_of

MOST_MEASURES = 6
KINDS: Mapping[str, tuple[str, ...]] = {  # the first that is legal and can be computed is used
    "rank-based": ("cochran", "nemenyi", "wilcoxon", "skillings-mack", "steel-dwass"),
    "permutation": ("permutation", "sign-flip", "permutation-max", "one-way-permutation"),
    "parametric": ("paired-t", "mixed-tukey", "corrected-t", "5x2cv-t", "games-howell",
                   "anova-tukey"),
}  # fmt: skip
CHOOSING = ("measure", "dataset", "target", "scale", "procedure")
RESAMPLES = 500  # of the blocks, for ranks
MOST_ORDERS, LEAST_ORDERS, COST = 100, 20, 20_000  # resamples that are decided, by pairs
SECONDS = 10.0  # for the consensus


@dataclass(frozen=True, eq=False)
class Evidence:
    """Comparisons, their order and what they were made from, where that can be made again."""

    comparisons: Comparisons
    order: Order
    layout: Layout | None = None
    kind: str = ""  # of a sensitivity analysis; empty for the procedure that was chosen

    @property
    def is_chosen(self) -> bool:
        """Whether this is the analysis, not one that shows what a choice changes."""
        return not self.kind


@dataclass(frozen=True, eq=False)
class Analysis:
    """All that a page is made from; a text is the reason why something is not there."""

    results: Results
    evidence: tuple[Evidence, ...]  # measure by measure, the chosen procedure first
    refused: Mapping[str, str]  # measures without a comparison, and why
    stability: Stability | str
    survey: DatasetOrders | str

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
        compared = [each.comparisons.measure for each in self.chosen]
        return list(dict.fromkeys([*compared, *self.refused]))

    def of(self, measure: str) -> list[Evidence]:
        """What is known of one measure."""
        return [each for each in self.evidence if each.comparisons.measure == measure]


def analysed(
    results: Results,
    comparisons: Sequence[Comparisons] = (),
    options: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Everything that a page needs to know, computed.

    `comparisons` come first where they are given; `options`, those of `compare`, are for all others
    and for what follows from them.
    """
    said = {name: value for name, value in (options or {}).items() if value is not None}
    known = [_given(results, each, said) for each in comparisons]
    names = _measures(results, [each.comparisons.measure for each in known], said)
    tell = progress or (lambda done, total: None)
    evidence: list[Evidence] = []
    refused: dict[str, str] = {}
    for done, measure in enumerate(names):
        own = [each for each in known if each.comparisons.measure == measure]
        try:
            mine = own or [_chosen(results, measure, _like(known, said))]
            evidence += [*mine, *_others(mine[0])]
        except PodiumError as error:
            refused[measure] = str(error)
        tell(done + 1, len(names) + 2)
    first = evidence[0] if evidence else None
    stable = _stability(first)
    tell(len(names) + 1, len(names) + 2)
    survey = _survey(results, first)
    tell(len(names) + 2, len(names) + 2)
    return Analysis(results, tuple(evidence), refused, stable, survey)


def _measures(results: Results, given: Sequence[str], said: Mapping[str, Any]) -> list[str]:
    """The measures of a page, those that were asked for first."""
    asked = [said["measure"]] if "measure" in said and said["measure"] in results.measures else []
    return list(dict.fromkeys([*given, *asked, *results.measures]))[:MOST_MEASURES]


def _like(known: Sequence[Evidence], said: Mapping[str, Any]) -> dict[str, Any]:
    """What other measures are compared by: as was said or, like the first, on its data set."""
    if not known:
        return dict(said)
    first = known[0].comparisons
    at = {"alpha": first.alpha, **({"dataset": first.dataset} if first.dataset else {})}
    return {**at, **said}


def _given(results: Results, c: Comparisons, said: Mapping[str, Any]) -> Evidence:
    """Comparisons that are given, with their layout where these results have it."""
    own = c.measure in results.measures or c.measure in TIMES
    measure = c.measure if own else said.get("measure") or next(iter(results.measures), "")
    chosen = {"dataset": c.dataset or None, "target": c.target, "scale": said.get("scale")}
    chosen["missing"] = said.get("missing")
    try:
        made = suited(results, c.procedure, measure=measure, **chosen)
    except PodiumError:  # of other results, or of one algorithm alone
        return Evidence(c, decide_comparisons(c))
    same = made.measure.name == c.measure and made.algorithms == c.algorithms
    return Evidence(c, decide_comparisons(c), made if same else None)


def _chosen(results: Results, measure: str, said: Mapping[str, Any]) -> Evidence:
    chosen = {k: said.get(k) for k in ("dataset", "target", "scale", "missing")}
    procedure = said.get("procedure")
    made = suited(results, procedure, measure=measure, **chosen)
    options = {k: v for k, v in said.items() if k not in CHOOSING}
    found = compare(made, procedure, **options)
    return Evidence(found, decide_comparisons(found), made)


# -- other procedures -------------------------------------------------------------------------


def _others(first: Evidence) -> Iterator[Evidence]:
    """The same question by one other legal procedure of each kind."""
    if first.layout is None or len(first.comparisons.algorithms) < 2:
        return
    used = {first.comparisons.procedure}
    for kind in KINDS:
        found = _other(first, kind, used)
        if found is not None:
            used.add(found.comparisons.procedure)
            yield found


def _other(first: Evidence, kind: str, used: set[str]) -> Evidence | None:
    made, c = first.layout, first.comparisons
    assert made is not None
    options: dict[str, Any] = {"alpha": c.alpha, "relevance": c.relevance}
    options |= {"alternative": c.alternative, "control": control_of(c)}
    for name in _candidates(made, kind):
        if name in used:
            continue
        try:
            found = compare(made, name, **options)
        except InferenceError:  # too large, or no margins: the next one of this kind
            continue
        return Evidence(found, decide_comparisons(found), made, kind)
    return None


def _candidates(made: Layout, kind: str) -> list[str]:
    names = [name for name in KINDS[kind] if is_legal(PROCEDURES[name], made)]
    if len(made.algorithms) == 2:  # rank sums of two are signs: pairs have better tests
        names.sort(key=lambda name: not PROCEDURES[name].pairwise)
    return names


def with_limits(evidence: Evidence) -> Comparisons:
    """The comparisons, with limits of each pair alone where their adjustment has none for all."""
    c, made = evidence.comparisons, evidence.layout
    if made is None or not c.table[["lower", "upper"]].isna().to_numpy().all():
        return c
    options: dict[str, Any] = {"alpha": c.alpha, "relevance": c.relevance}
    options |= {"alternative": c.alternative, "control": control_of(c)}
    try:
        alone = compare(made, c.procedure, adjust="none", **options)
    except PodiumError:
        return c
    same = list(alone.table["first"]) == list(c.table["first"])
    limits = {end: alone.table[end].to_numpy() for end in ("lower", "upper")} if same else {}
    details = {**c.details, "adjustment": "none"}
    return replace(c, table=c.table.assign(**limits), details=details)


# -- what follows -------------------------------------------------------------------------------


def _stability(first: Evidence | None) -> Stability | str:
    """The order when blocks are drawn anew, or the reason why that is not done."""
    if first is None or first.layout is None or len(first.comparisons.algorithms) < 2:
        return "There is no order of several algorithms whose blocks could be drawn anew."
    c = first.comparisons
    if c.is_forced:
        return (
            "The comparison is not legal for this design: drawing blocks anew does not mend that."
        )
    options: dict[str, Any] = {"alpha": c.alpha, "relevance": c.relevance}
    orders = max(LEAST_ORDERS, min(MOST_ORDERS, COST // max(len(c.table), 1)))
    try:
        return stability(
            first.layout,
            c.procedure,
            resamples=RESAMPLES,
            orders=orders,
            alternative=c.alternative,
            control=control_of(c),
            adjust=c.details.get("adjustment"),
            **options,
        )
    except PodiumError as error:
        return str(error)


def _survey(results: Results, first: Evidence | None) -> DatasetOrders | str:
    """Every data set by itself, or the reason why not."""
    if len(results.datasets) < 2:
        return "There is one data set."
    if first is None:
        return "No measure could be compared."
    c = first.comparisons
    if c.measure not in results.measures:
        return f"'{c.measure}' is no measure of single samples."
    options: dict[str, Any] = {"alpha": c.alpha, "relevance": c.relevance}
    options["control"] = control_of(c)
    try:
        return by_dataset(results, measure=c.measure, time_limit=SECONDS, **options)
    except PodiumError as error:
        return str(error)
