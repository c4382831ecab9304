"""compare: snap the bricks together, wrap what comes out, and withhold what does not hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.clustered import answer_parts
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.estimates import wins_and_losses, wins_of_choices
from podium.core.inference.bricks.nulls import LARGEST, OF_PAIR
from podium.core.inference.comparing.comparisons import (
    COLUMNS,
    COUNTS,
    Comparisons,
    Extras,
    Method,
    blocks_of,
)
from podium.core.inference.comparing.decision import BETTER, SIGNIFICANT, UNDECIDED, WITHHELD
from podium.core.inference.comparing.evidence import Chances, evidence, tested
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import check, stated
from podium.core.inference.comparing.notes import (
    LEAST_DATASETS,
    about_failures,
    about_scales,
    disagreements,
    few_blocks,
    suspicions,
)
from podium.core.inference.comparing.request import (
    Request,
    canonical,
    chosen_procedure,
    find_replaced,
    made_request,
    prepared,
    state_unit,
)
from podium.core.inference.comparing.single import item_scores
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.block_tests import moderated_ranks
from podium.core.inference.procedures.covariates import adjusted_for, still_true
from podium.core.inference.procedures.mean_tests import weighed
from podium.core.inference.procedures.procedure import (
    Options,
    Procedure,
    as_planned,
    tell_with_bricks,
)
from podium.core.inference.procedures.sequential import (
    last_blocks,
    sequential_facts,
    stopping_notes,
    used_prefix,
)
from podium.core.questions.options import COMPLETE, WORST
from podium.core.questions.targets import BLOCKS, DATASET, DATASET_POPULATION
from podium.core.words.facts import INVALID, REMARK, Hypothesis, Note, Overall, Sequential

# -- what verdicts do not survive -----------------------------------------------------------------
# Many gaps, too few blocks, or that a rival is left out.
#
# An algorithm that was not run, or not finished, where it does badly looks better than it is,
# and no test of the scores that are there sees it. So a verdict in its favour stands only where
# it lacks at most one block in twenty of those that its rival has; with so few gaps it must
# survive their worst case, by the test itself (`procedures/block_tests.py`) or by the same test
# once more with its gaps filled. Verdicts against it stand. Fewer than four data sets carry no
# verdict at all.


MOST_LACKING = 0.05  # share of the rival's blocks
SAME = ("p", "p_adjusted", "p_equivalence")
LOWER, UPPER = ("lower", "equivalence_lower"), ("upper", "equivalence_upper")
EQUIVALENT = "equivalent"
RESIDUE = 16 * np.finfo(float).eps  # of a sum of scores, as a share of the largest


@dataclass(frozen=True, eq=False)
class Common:
    """Blocks that both of a pair have, and that only one of them has."""

    both: np.ndarray
    lacks_first: np.ndarray
    lacks_second: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, pairs: Sequence[Pair]) -> Common:
        """Of blocks x algorithms; a missing cell is NaN."""
        here = (~np.isnan(values)).astype(float)
        first, second = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
        both, own = (here.T @ here)[first, second], here.sum(axis=0)
        return cls(both, own[second] - both, own[first] - both)

    def lacking(self, side: int) -> np.ndarray:
        """Whether the first (1) or the second (-1) lacks too many of the other's blocks."""
        gaps = self.lacks_first if side > 0 else self.lacks_second
        return np.asarray(gaps > MOST_LACKING * (self.both + gaps))


def withhold(
    columns: dict[str, np.ndarray],
    verdicts: list[str],
    whole: Layout,
    pairs: Sequence[Pair],
    turns: tuple[int, int],
    gaps: str | None,
    *,
    modelled: bool = False,
) -> tuple[dict[str, np.ndarray], list[str]]:
    """The columns and verdicts of evidence, less what may not be said.

    `turns` are the sign that turns estimates into larger-is-better and the direction that a
    one-sided test looks at (0: both). A procedure that has `modelled` gaps treats them itself.
    """
    if not pairs:
        return columns, verdicts
    sign, turn = turns
    made = {name: np.array(each, dtype=float) for name, each in columns.items()}
    by_dataset = whole.by_dataset()
    common = Common.of(by_dataset, pairs)
    values = np.array(verdicts, dtype=object)
    if not modelled and _has_gaps(whole, gaps):
        ahead = np.full(len(values), turn) if turn else np.sign(sign * made["estimate"])
        for side in (1, -1):
            # that two are equivalent speaks for both of them
            chosen = ((ahead == side) | (values == EQUIVALENT)) & common.lacking(side)
            _blank(made, chosen, [*SAME, *(LOWER if side == sign else UPPER)])
            values[chosen] = WITHHELD
    if whole.block == DATASET or whole.target == DATASET_POPULATION:
        shared = common.both if not modelled else np.full(len(values), len(by_dataset))
        few = shared < LEAST_DATASETS
        _blank(made, few, [*SAME, *LOWER, *UPPER])
        values[few & (values != WITHHELD)] = UNDECIDED
    return made, list(map(str, values))


def survived(
    columns: dict[str, np.ndarray],
    verdicts: list[str],
    whole: Layout,
    pairs: Sequence[Pair],
    turns: tuple[int, int],
    again: Callable[[Layout], tuple[Mapping[str, np.ndarray], list[str]] | None],
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Columns and verdicts that hold with the gaps of whom they favour filled by the worst.

    `again` judges a layout by the same test. The larger p-value counts, and limits are the hull.
    """
    sign, turn = turns
    made = {name: np.array(each, dtype=float) for name, each in columns.items()}
    values = np.array(verdicts, dtype=object)
    first, second = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
    ahead = np.full(len(values), turn) if turn else np.sign(sign * made["estimate"])
    for column in np.flatnonzero(np.isnan(whole.values).any(axis=0)):
        own = np.where(first == column, ahead == 1, (second == column) & (ahead == -1))
        chosen = own | ((values == EQUIVALENT) & ((first == column) | (second == column)))
        result = again(_worst_of(whole, int(column))) if chosen.any() else None
        if result is None:
            continue
        other, anew = result
        for name in SAME:
            if name in made:
                made[name] = np.where(chosen, np.fmax(made[name], other[name]), made[name])
        ends = [(name, np.fmin) for name in LOWER] + [(name, np.fmax) for name in UPPER]
        for name, hull in ends:
            if name in made:
                known = ~np.isnan(made[name])
                made[name] = np.where(chosen & known, hull(made[name], other[name]), made[name])
        values[chosen & (values != np.array(anew, dtype=object))] = UNDECIDED
    return made, list(map(str, values))


def _worst_of(layout: Layout, column: int) -> Layout:
    """The gaps of an algorithm filled by its worst difference from any rival that was there."""
    values = layout.values.copy()
    gone = np.isnan(values[:, column]) & (~np.isnan(values)).any(axis=1)
    difference = values[:, [column]] - values
    shared = ~np.isnan(difference).all(axis=0)
    shared[column] = False
    if not shared.any():
        return layout
    rivals = values[:, shared] + np.nanmin(difference[:, shared], axis=0)
    least = np.where(np.isnan(rivals), np.inf, rivals).min(axis=1)
    least = np.maximum(least, min(layout.sign * end for end in layout.measure.bounds))
    values[gone, column] = np.where(np.isinf(least), np.nan, least)[gone]
    return replace(layout, values=values)


def fills_gaps(whole: Layout, gaps: str | None, *, modelled: bool) -> bool:
    """Whether verdicts are held against the worst of what is missing."""
    return not modelled and _has_gaps(whole, gaps)


def _has_gaps(whole: Layout, gaps: str | None) -> bool:
    """Whether runs are merely missing; blocks that are partial by design lack nothing."""
    kind = BLOCKS[whole.block]
    designed = kind.partial or kind.unpaired or whole.stopped.plan is not None
    filled = gaps in (COMPLETE, WORST) or whole.items.human is not None
    return whole.has_gaps and not designed and not filled


def _blank(columns: dict[str, np.ndarray], which: np.ndarray, names: Sequence[str]) -> None:
    for name in names:
        if name in columns:
            columns[name] = np.where(which, np.nan, columns[name])


# -- ranks without one of the others --------------------------------------------------------------

LEAST_SIGNS = 6  # blocks: with fewer the sign test of the two that are left decides nothing
MOST_ALGORITHMS = 40  # among more a single one hardly moves a mean rank
Falls = tuple[tuple[str, str, str], ...]  # who is better, than whom, and without whom no more


def fragile(layout: Layout, procedure: Procedure, request: Request, verdicts: list[str]) -> Falls:
    """Significant pairs that are not so without another algorithm, at that analysis's own level."""
    names, count = layout.algorithms, len(layout.algorithms)
    if procedure.judge.test is not moderated_ranks or not 2 < count <= MOST_ALGORITHMS:
        return ()
    chosen = [(p, v) for p, v in zip(request.pairs, verdicts, strict=True) if v in SIGNIFICANT]
    own = -1 if request.alternative == "less" else 1
    turn = 0 if request.two_sided else own * layout.sign
    falls = []
    fewest = len(layout.values) < LEAST_SIGNS
    for gone in range(0 if not chosen or (count == 3 and fewest) else count):
        kept = [i for i in range(count) if i != gone]
        place = {i: at for at, i in enumerate(kept)}
        left = [(pair, verdict) for pair, verdict in chosen if gone not in pair]
        if not left:
            continue
        pairs = tuple((place[i], place[j]) for (i, j), _ in left)
        test = moderated_ranks(layout.only(kept), _Pairs(pairs, request))
        p = test.p(np.zeros(len(pairs)), turn)
        family = sum(gone not in pair for pair in request.pairs)
        adjusted = -np.expm1(family * np.log1p(-np.minimum(p, 1 - 1e-16)))
        for ((i, j), verdict), still in zip(left, adjusted <= request.alpha, strict=True):
            if not still:
                first, second = (i, j) if verdict == BETTER else (j, i)
                falls.append((names[first], names[second], names[gone]))
    return tuple(sorted(falls, key=lambda each: tuple(map(names.index, each))))


class _Pairs:
    """Some pairs of a request."""

    def __init__(self, pairs: tuple[tuple[int, int], ...], request: Request) -> None:
        self.pairs, self.null = pairs, request.null
        self.alternative, self.alpha = request.alternative, request.alpha


# -- compare --------------------------------------------------------------------------------------
# Snap the bricks together and wrap what comes out.


def without_residues(estimates: np.ndarray, layout: Layout, procedure: Procedure) -> np.ndarray:
    """0 where sums in another order of rows would round to 0, so that nobody is ahead by that."""
    in_scores = procedure.quantity.is_bound_by_measure and not procedure.criterion
    size = float(np.nanmax(np.abs(layout.values), initial=0.0)) if in_scores else 1.0
    return np.where(np.abs(estimates) <= RESIDUE * size, 0.0, estimates)


def compare(layout: Layout, options: Options | None = None) -> Comparisons:
    """Evidence about pairs of algorithms."""
    wanted = as_planned(options or Options(), layout.stopped.plan)
    whole = layout
    procedure, reason = chosen_procedure(layout, wanted)
    # what failed is told with how it counts
    others = (note for note in layout.notes if note.code != "failures")
    remarks = (*others, *check(procedure, layout, wanted.force))
    layout = prepared(replace(layout, notes=()), procedure, wanted.gaps)
    layout = weighed(layout, procedure, wanted.weights)
    layout = adjusted_for(layout, procedure, wanted.covariates)
    procedure = state_unit(procedure, layout)
    seen = used_prefix(layout) if layout.stopped.plan is not None else layout
    request = made_request(layout, procedure, wanted)
    result = evidence(*_in_order(layout, procedure, request))
    companion = _companion(whole, procedure, wanted)
    turn = 0 if request.two_sided else layout.sign * (-1 if request.alternative == "less" else 1)
    columns = dict(result.columns)
    columns["estimate"] = without_residues(columns["estimate"], layout, procedure)
    own = columns, result.verdicts
    if (
        len(request.pairs)  # contrasts of more than two count out what they need
        and not result.fills_gaps
        and fills_gaps(whole, wanted.gaps, modelled=procedure.needs.incomplete)
    ):
        again = partial(_again, procedure, wanted)
        own = survived(*own, whole, request.pairs, (result.sign, turn), again)
    columns, verdicts = withhold(
        *own,
        whole,
        request.pairs,
        (result.sign, turn),
        wanted.gaps,
        modelled=procedure.needs.incomplete,
    )
    table = _table(request, columns, verdicts)
    falls = fragile(layout, procedure, request, verdicts)
    stopped = sequential_facts(layout)
    answers = answer_parts(seen, request.pairs, request.alpha)
    notes = (
        *about_failures(whole, wanted.gaps),
        *suspicions(whole),
        *still_true(remarks, layout),
        *layout.notes,
        *([answers.note(layout.measure.name)] if answers and len(answers.pairs) else []),
        *reason,
        *result.notes(),
        *about_scales(whole, procedure),
        *disagreements(table, companion, wanted),
        *_withheld(table, result.sign, turn),
        *_fragile(falls),
        *stopping_notes(layout, stopped),
    )
    forced = any(note.severity is INVALID for note in notes)
    asked_of = (request.alternative, request.relevance, procedure.bayes.prior)
    hypothesis = Hypothesis(procedure.hypothesis, *asked_of)
    return Comparisons(
        table=table,
        algorithms=layout.algorithms,
        means=_means(seen, procedure),
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        procedure=procedure.name,
        method=told_method(result.method, request),
        blocks=blocks_of(seen),
        target=layout.target,
        dataset=layout.origin.dataset,
        claim=stated(layout, hypothesis, forced, few_blocks(layout, procedure, request.pairs)),
        overall=_overall(result.overall, table),
        alternative=request.alternative,
        alpha=request.alpha,
        relevance=request.relevance,
        warnings=notes,
        counts=_counts(request, layout, stopped),
        extras=Extras(
            options=wanted,
            companion=companion,
            sequential=stopped,
            standing=result.standing,
            chances=result.found.at if isinstance(result, Chances) else None,
            falls=falls,
            # own intervals know nothing of looks
            scores=None if stopped else item_scores(seen, request.alpha),
            answers=answers,
            covariates=procedure.needs.covariates(layout, request.alpha)
            if procedure.needs.covariates
            else None,
        ),
    )


def told_method(method: Method, request: Request) -> Method:
    """How pairs were judged, its words less those of bricks that the request has replaced."""
    told = tell_with_bricks(
        method.procedure, find_replaced(method.procedure, request), request.null
    )
    return replace(method, procedure=told)


def _means(layout: Layout, procedure: Procedure) -> dict[str, float]:
    """Of every algorithm; beside ranks there are none of data sets that were measured otherwise."""
    if procedure.quantity.ordinal and len(set(layout.metrics)) > 1:
        return dict.fromkeys(layout.algorithms, math.nan)
    return layout.means()


def _overall(own: Overall | None, table: pd.DataFrame) -> Overall | None:
    """That of the best pair with the p-value which the pair has in the end, gaps considered.

    None where no pair has one: too few data sets, or too many gaps, leave nothing to be claimed.
    """
    p = table["p_adjusted"]
    if own is None or own.p != own.p:  # which says why
        return own
    if len(table) and not p.notna().any():
        return None
    if own.test not in (LARGEST, OF_PAIR):
        return own
    return own._replace(p=max(own.p, float(p.min())))


def _again(
    procedure: Procedure, options: Options, layout: Layout
) -> tuple[Mapping[str, np.ndarray], list[str]] | None:
    """The same test of another layout; None where it refuses that."""
    try:
        made = prepared(replace(layout, notes=()), procedure, options.gaps)
        request = made_request(made, procedure, options)
    except InferenceError:
        return None
    result = evidence(*_in_order(made, procedure, request))
    return result.columns, result.verdicts


def _companion(layout: Layout, procedure: Procedure, options: Options) -> Comparisons | None:
    """What the procedure's companion finds of the same pairs; it knows no margins."""
    if not procedure.reports.companion or options.relevance < 0:
        return None
    other = PROCEDURES[procedure.reports.companion]
    same_but_for = options.but(
        procedure=other,
        null=None,
        adjust=None if procedure.judge.joint else options.adjust,
        relevance=0.0,
        force=True,  # whatever is legal for the one is told of the other
    )
    return compare(replace(layout, notes=()), same_but_for)


def _withheld(table: pd.DataFrame, sign: int, turn: int) -> Iterator[Note]:
    """Pairs without a verdict, the one ahead first: it lacks too much."""
    chosen = table[table["verdict"] == WITHHELD]
    pairs = zip(chosen["first"], chosen["second"], chosen["estimate"], strict=True)
    ordered = tuple((a, b) if (turn or sign * size) > 0 else (b, a) for a, b, size in pairs)
    if ordered:
        yield Note("withheld", pairs=ordered)


def _fragile(falls: Falls) -> Iterator[Note]:
    if falls:
        yield Note("depends-on-others", REMARK, falls=falls)


def p_adjusted(
    layout: Layout, procedure: Procedure, options: Options
) -> tuple[Sequence[Pair], np.ndarray]:
    """The pairs and their adjusted p-values alone, for simulations."""
    check(procedure, layout, options.force)
    layout = prepared(layout, procedure, options.gaps)
    request = made_request(layout, procedure, options)
    return request.pairs, tested(*_in_order(layout, procedure, request)).adjusted


def _in_order(
    layout: Layout, procedure: Procedure, request: Request
) -> tuple[Layout, Procedure, Request]:
    """By scores, where a null is drawn."""
    layout, request = canonical(layout, request)
    return layout, procedure, request


def _counts(request: Request, layout: Layout, stopped: Sequential | None) -> pd.DataFrame | None:
    """How many blocks the first of every pair wins, ties and loses, where blocks are shared."""
    if not request.pairs or BLOCKS[layout.block].unpaired or layout.items.human is not None:
        return None
    if layout.items.linearised is not None:
        return None
    values = layout.by_dataset()
    counted = wins_of_choices if BLOCKS[layout.block].partial else wins_and_losses
    if stopped is None:
        counts = counted(values, request.pairs)
    else:  # each up to its last look
        ended = last_blocks(layout)
        each = [counted(values[: ended[min(p), max(p)]], [p]) for p in request.pairs]
        counts = np.concatenate(each, axis=1)
    return pd.DataFrame(np.transpose(counts), columns=list(COUNTS))


def _table(
    request: Request, numbers: Mapping[str, np.ndarray], verdicts: list[str]
) -> pd.DataFrame:
    """One row per pair, in the measure's own unit and sign."""
    columns = {
        "first": [first for first, _ in request.labels],
        "second": [second for _, second in request.labels],
        **numbers,
        "verdict": verdicts,
    }
    more = [name for name in columns if name not in COLUMNS]
    return pd.DataFrame({name: columns[name] for name in (*COLUMNS, *more)})
