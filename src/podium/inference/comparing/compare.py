"""compare: snap the bricks together and wrap what comes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.bricks.answers import answer_parts
from podium.inference.bricks.contrasts import Pair
from podium.inference.bricks.hall import wins_and_losses, wins_of_choices
from podium.inference.bricks.overall import LARGEST, OF_PAIR
from podium.inference.choices.covariates import adjusted_for, still_true
from podium.inference.comparing.compared_on import blocks_of
from podium.inference.comparing.comparisons import COLUMNS, COUNTS, Comparisons, Extras
from podium.inference.comparing.decision import WITHHELD
from podium.inference.comparing.evidence import Chances, evidence, tested
from podium.inference.comparing.known import PROCEDURES
from podium.inference.comparing.legality import check, stated
from podium.inference.comparing.notes import about_failures, about_scales, disagreements, few_blocks
from podium.inference.comparing.request import (
    Request,
    canonical,
    chosen_procedure,
    made_request,
    prepared,
)
from podium.inference.comparing.single import item_scores
from podium.inference.comparing.withholding import (
    Falls,
    fills_gaps,
    fragile,
    survived,
    withhold,
)
from podium.inference.layouts.layouts import Layout
from podium.inference.layouts.suspicions import suspicions
from podium.inference.numbers.stopping_plan import RACE
from podium.inference.procedures.options import Options, as_planned
from podium.inference.procedures.procedure import Procedure
from podium.inference.procedures.weighing import weighed
from podium.inference.sequential.procedures import sequential_facts, stopping_notes, used_prefix
from podium.questions.targets import BLOCKS
from podium.words.facts import INVALID, REMARK, Hypothesis, Note, Overall, Sequential


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
    seen = used_prefix(layout) if layout.stopped.plan is not None else layout
    request = made_request(layout, procedure, wanted)
    result = evidence(*_in_order(layout, procedure, request))
    beside = _beside(whole, procedure, wanted)
    turn = 0 if request.two_sided else layout.sign * (-1 if request.alternative == "less" else 1)
    own = dict(result.columns), result.verdicts
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
        *disagreements(table, beside, wanted),
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
        means=seen.means(),
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        procedure=procedure.name,
        method=result.method,
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
            companion=beside,
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


def _overall(own: Overall | None, table: pd.DataFrame) -> Overall | None:
    """That of the best pair with the p-value which the pair has in the end, gaps considered."""
    p = table["p_adjusted"]
    if own is None or own.test not in (LARGEST, OF_PAIR) or not p.notna().any():
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


def _beside(layout: Layout, procedure: Procedure, options: Options) -> Comparisons | None:
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
    if stopped is None or stopped.goal == RACE:
        counts = counted(values, request.pairs)
    elif not stopped.courses:
        counts = np.zeros((len(COUNTS), len(request.pairs)), dtype=int)
    else:  # each up to its last look
        ended = {frozenset((c.first, c.second)): c.ended for c in stopped.courses}
        upto = [ended[frozenset(layout.algorithms[i] for i in p)] for p in request.pairs]
        each = [counted(values[:n], [p]) for n, p in zip(upto, request.pairs, strict=True)]
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
