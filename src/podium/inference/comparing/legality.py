"""Legality: what a pair (kind of block, target) permits, and why not where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from podium.base.errors import IllegalProcedure, InferenceError
from podium.inference.comparing.known import OF_OTHER_SCORES, POSTERIORS, PROCEDURES
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import Procedure
from podium.inference.sequential.procedures import procedure_of
from podium.questions.targets import (
    BLOCKS,
    FOLD,
    POPULATION,
    RESAMPLE,
    SAMPLE,
    TARGETS,
    TEST_SET,
    Default,
    Said,
    claim,
    defaults,
    note_codes,
    said_of,
)
from podium.samplings import Sampling
from podium.words import refusals
from podium.words.facts import (
    CAUTION,
    INVALID,
    FewBlocks,
    Hypothesis,
    Note,
    Statement,
    TrainingSize,
)


@dataclass(frozen=True)
class Refusal:
    """What is not legal, and why."""

    procedure: str
    blocks: str
    sampling: str
    target: str
    why: str
    legal: tuple[str, ...]  # what may be used instead

    @property
    def reason(self) -> str:
        """What is not legal and why, without what may be used instead."""
        return refusals.reason(self.procedure, self.blocks, self.sampling, self.target, self.why)

    def __str__(self) -> str:
        return refusals.not_legal(self.reason, self.legal)


TESTS = {**PROCEDURES, **OF_OTHER_SCORES}


def alternatives(layout: Layout, known: Mapping[str, Procedure] = TESTS) -> list[str]:
    """The procedures that are legal for a layout."""
    return [name for name, procedure in known.items() if is_legal(procedure, layout)]


def is_legal(procedure: Procedure, layout: Layout) -> bool:
    """Whether a procedure may be used for a layout."""
    if (layout.block, layout.target) not in procedure.legal:
        return False
    if procedure.stops != (layout.stopping is not None):
        return False
    if layout.stopping is not None:
        return procedure.name == procedure_of(layout.stopping).name
    if is_resampled(layout) and not _is_evidence(layout.sampling, layout.target):
        return False
    if _without_test(layout):
        return False
    if procedure.halves and layout.halvings is None:
        return False
    if procedure.labels != (layout.human is not None):
        return False
    name = layout.sampling.name if layout.sampling else ""
    return procedure.samplings is None or name in procedure.samplings


def is_resampled(layout: Layout) -> bool:
    """Whether blocks are resamples of one learning sample, together or of each algorithm's own."""
    return layout.block in (RESAMPLE, BLOCKS[RESAMPLE].own)


def _is_evidence(sampling: Sampling | None, target: str) -> bool:
    """Whether resamples drawn so speak about a target."""
    if target == SAMPLE:
        return True
    if target == TEST_SET:
        return sampling is not None and sampling.kind.shared_test
    return sampling is None or not sampling.kind.no_population


def _without_test(layout: Layout) -> str:
    """Why no test is known for the sampling's own blocks; empty where one is."""
    own = layout.sampling is not None and layout.block == layout.sampling.kind.block
    return layout.sampling.kind.no_test if own and layout.sampling else ""


def check(procedure: Procedure, layout: Layout, force: bool) -> tuple[Note, ...]:
    """The notes on a legal request; otherwise a refusal or, when forced, a mark."""
    if is_legal(procedure, layout):
        return tuple(_remarks(layout))
    why = _why(procedure, layout)
    if force and (layout.stopping is not None or not procedure.stops):  # without a plan, no looks
        return Note("forced", INVALID, because=why), *_remarks(layout)
    refusal = Refusal(
        procedure.name,
        BLOCKS[layout.block].text,
        str(layout.sampling or ""),
        layout.target,
        why,
        tuple(alternatives(layout, POSTERIORS if procedure.posterior else TESTS)),
    )
    raise IllegalProcedure(f"{refusal}{refusals.FORCE}", refusal)


def _why(procedure: Procedure, layout: Layout) -> str:
    if layout.stopping is not None:
        return refusals.STOPPED
    if procedure.stops:
        return refusals.NOT_STOPPED
    if procedure.labels and layout.human is None:
        return refusals.NO_LABELS
    if layout.human is not None and not procedure.labels:
        return refusals.JUDGE_ALONE
    if procedure.samplings is not None:
        return refusals.defined_for(procedure.samplings)
    if without := _without_test(layout):
        return refusals.no_valid_test(without)
    if procedure.marked:
        return procedure.marked
    if procedure.unpaired != BLOCKS[layout.block].unpaired:
        return refusals.PAIRED if procedure.unpaired else refusals.UNPAIRED
    conditional = layout.sampling.kind.no_population if layout.sampling else ""
    if is_resampled(layout) and conditional and layout.target == POPULATION:
        return conditional
    if procedure.halves and (layout.block, layout.target) in procedure.legal:
        return refusals.NO_HALVINGS
    if known := claim(layout.block, layout.target).why:
        return known
    if alternatives(layout):
        made_for = {block for block, _ in procedure.legal}
        return refusals.made_for([BLOCKS[b].text for b in BLOCKS if b in made_for])
    return refusals.silent_about([t for t in TARGETS if alternatives(replace(layout, target=t))])


def _remarks(layout: Layout) -> Iterator[Note]:
    """What must be said of the design, whatever the procedure."""
    kind = layout.sampling.kind if layout.sampling else None
    if kind and kind.optimistic:
        yield Note("optimistic", CAUTION)
    if kind and kind.remark:
        yield Note(kind.remark, CAUTION)
    folds = layout.sampling is not None and layout.sampling.block == FOLD
    for code in note_codes(layout.block, layout.target):
        yield Note(code, CAUTION, given=_said(layout).given, folds=folds)


# -- defaults -----------------------------------------------------------------------------------


def default_procedure(layout: Layout) -> Default:
    """The procedure that `compare` uses when none is named, and the reason."""
    kind = layout.sampling.kind if layout.sampling else None
    if kind and layout.block == kind.block:
        if kind.default and kind.default.when(layout):
            return kind.default
        if kind.no_test:
            raise InferenceError(refusals.no_default(kind.no_test, kind.no_test_way))
    return next(each for each in defaults(layout.block, layout.target) if each.when(layout))


def default_posterior(layout: Layout) -> str:
    """The posterior that the design calls for; where none is legal, the one to refuse."""
    design = layout.block, layout.target
    known = (name for name, p in POSTERIORS.items() if design in p.default_for)
    return next(known, next(iter(alternatives(layout, POSTERIORS)), next(iter(POSTERIORS))))


# -- statements ---------------------------------------------------------------------------------


def stated(
    layout: Layout,
    hypothesis: Hypothesis | None,
    forced: bool = False,
    few: FewBlocks | None = None,
) -> Statement:
    """What a result of this layout is a statement about."""
    return Statement(
        hypothesis,
        layout.measure.name,
        layout.block,
        layout.target,
        _said(layout),
        layout.dataset,
        layout.population,
        training_size(layout),
        forced,
        few,
    )


def _said(layout: Layout) -> Said:
    own = layout.sampling.kind.said if layout.sampling else None
    return said_of(layout.block, layout.target, own)


def training_size(layout: Layout) -> TrainingSize | None:
    """How many rows the algorithms learned from, where the sampling or the size tells."""
    sampling, size = layout.sampling, layout.size
    if not BLOCKS[layout.block].tells_size:
        return None
    if size is not None:
        return TrainingSize(share=size, of_sample=True) if size < 1 else TrainingSize(rows=size)
    if sampling is None or not sampling.kind.tells_size:
        return None
    if sampling.kind.fixed_size:
        return TrainingSize(rows=sampling.rows) if sampling.rows else None
    share = sampling.train_share
    if share is None:
        return None
    distinct = sampling.replicate == RESAMPLE and sampling.share is None
    return TrainingSize(share=share, distinct=distinct, total=layout.rows)
