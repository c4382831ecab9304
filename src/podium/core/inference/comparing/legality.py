"""Legality: what a pair (kind of block, target) permits, and which question a design answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from podium.core.base.errors import IllegalProcedure, InferenceError
from podium.core.inference.comparing.known import (
    OF_OTHER_SCORES,
    POSTERIORS,
    PROCEDURES,
    procedure_named,
)
from podium.core.inference.layouts import Halvings, Layout, Origin
from podium.core.inference.procedures.procedure import Procedure
from podium.core.inference.procedures.sequential import procedure_of
from podium.core.questions.blocks import by_judges
from podium.core.questions.measures import UTILITY, Measure
from podium.core.questions.targets import (
    BLOCKS,
    DATASET,
    FOLD,
    ITEM,
    POPULATION,
    RESAMPLE,
    SAMPLE,
    SPLIT,
    TARGETS,
    TEST_SET,
    Default,
    Said,
    claim,
    defaults,
    note_codes,
    said_of,
)
from podium.core.results.measure_names import is_resource
from podium.core.samplings import Sampling
from podium.core.samplings.halvings import suits
from podium.core.words import statements as refusals
from podium.core.words import statements as words
from podium.core.words.facts import (
    CAUTION,
    INVALID,
    FewBlocks,
    Hypothesis,
    Note,
    Statement,
    TrainingSize,
)
from podium.core.words.saying import Presented


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
    if procedure.needs.stops != (layout.stopped.plan is not None):
        return False
    if layout.stopped.plan is not None:
        return procedure.name == procedure_of(layout.stopped.plan).name
    if is_resampled(layout) and not _is_evidence(layout.origin.sampling, layout.target):
        return False
    if _without_test(layout):
        return False
    if procedure.needs.halves and layout.halvings is None:
        return False
    if procedure.needs.labels != (layout.items.human is not None):
        return False
    if procedure.needs.linearised != (layout.items.linearised is not None):
        return False
    name = layout.origin.sampling.name if layout.origin.sampling else ""
    return procedure.needs.samplings is None or name in procedure.needs.samplings


def is_resampled(layout: Layout) -> bool:
    """Whether blocks are resamples of one training set, together or of each algorithm's own."""
    return layout.block in (RESAMPLE, BLOCKS[RESAMPLE].own)


def _is_evidence(sampling: Sampling | None, target: str) -> bool:
    """Whether resamples drawn so speak about a target."""
    if target == SAMPLE:
        return True
    if target == TEST_SET:
        return sampling is not None and sampling.kind.shared_test
    return sampling is None or not sampling.kind.claims.no_population


def _without_test(layout: Layout) -> str:
    """Why no test is known for the sampling's own blocks; empty where one is."""
    own = layout.origin.sampling is not None and layout.block == layout.origin.sampling.kind.block
    return layout.origin.sampling.kind.claims.no_test if own and layout.origin.sampling else ""


def check(procedure: Procedure, layout: Layout, force: bool) -> tuple[Note, ...]:
    """The notes on a legal request; otherwise a refusal or, when forced, a mark."""
    if is_legal(procedure, layout):
        return tuple(_remarks(layout))
    why = _why(procedure, layout)
    if force and (
        layout.stopped.plan is not None or not procedure.needs.stops
    ):  # without a plan, no looks
        return Note("forced", INVALID, because=why), *_remarks(layout)
    refusal = Refusal(
        procedure.name,
        BLOCKS[layout.block].text,
        str(layout.origin.sampling or ""),
        layout.target,
        why,
        tuple(alternatives(layout, POSTERIORS if procedure.bayes.posterior else TESTS)),
    )
    raise IllegalProcedure(f"{refusal}{refusals.FORCE}", refusal)


def _why(procedure: Procedure, layout: Layout) -> str:
    if layout.stopped.plan is not None:
        return refusals.STOPPED
    if procedure.needs.stops:
        return refusals.NOT_STOPPED
    if procedure.needs.labels and layout.items.human is None:
        return refusals.NO_LABELS
    if layout.items.human is not None and not procedure.needs.labels:
        return refusals.JUDGE_ALONE
    if layout.items.linearised is not None and not procedure.needs.linearised:
        return refusals.LINEARISED
    if procedure.needs.linearised and layout.items.linearised is None:
        return refusals.NOT_LINEARISED
    if procedure.needs.samplings is not None:
        return refusals.defined_for(procedure.needs.samplings)
    if without := _without_test(layout):
        return refusals.no_valid_test(without)
    if procedure.reports.marked:
        return procedure.reports.marked
    if procedure.needs.unpaired != BLOCKS[layout.block].unpaired:
        return refusals.PAIRED if procedure.needs.unpaired else refusals.UNPAIRED
    claims = layout.origin.sampling.kind.claims if layout.origin.sampling else None
    if is_resampled(layout) and claims and claims.no_population and layout.target == POPULATION:
        return f"{claims.no_population}; for new samples {claims.no_population_way}"
    if procedure.needs.halves and (layout.block, layout.target) in procedure.legal:
        return refusals.NO_HALVINGS
    if known := claim(layout.block, layout.target).why:
        return known
    if not alternatives(layout):
        about = [t for t in TARGETS if alternatives(replace(layout, target=t))]
        return refusals.silent_about(about)
    if valid := [t for t in TARGETS if is_legal(procedure, replace(layout, target=t))]:
        return refusals.about_targets(valid)
    made_for = {block for block, _ in procedure.legal}
    if layout.block in made_for:
        return refusals.OTHER_SAMPLINGS
    return refusals.made_for([BLOCKS[b].text for b in BLOCKS if b in made_for])


def _remarks(layout: Layout) -> Iterator[Note]:
    """What must be said of the design, whatever the procedure."""
    kind = layout.origin.sampling.kind if layout.origin.sampling else None
    if kind and kind.optimistic:
        yield Note("optimistic", CAUTION)
    if kind and kind.claims.remark:
        yield Note(kind.claims.remark, CAUTION)
    folds = layout.origin.sampling is not None and layout.origin.sampling.block == FOLD
    for code in note_codes(layout.block, layout.target):
        yield Note(code, CAUTION, given=_wording(layout).given, folds=folds, way=_way(layout))


def _way(layout: Layout) -> str:
    """How to learn about new data from the same source."""
    kind = layout.origin.sampling.kind if layout.origin.sampling else None
    if kind and kind.claims.no_population:
        return kind.claims.no_population_way
    if BLOCKS[layout.block].unpaired:
        return "draw all algorithms' samples together: leave out +independent"
    return "add --target population"


# -- defaults -----------------------------------------------------------------------------------


def default_procedure(layout: Layout) -> Default:
    """The procedure that `compare` uses when none is named, and the reason."""
    kind = layout.origin.sampling.kind if layout.origin.sampling else None
    if kind and layout.block == kind.block:
        if kind.claims.default and kind.claims.default.when(layout):
            return kind.claims.default
        if kind.claims.no_test:
            raise InferenceError(refusals.no_default(kind.claims.no_test, kind.claims.no_test_way))
    usual = next(each for each in defaults(layout.block, layout.target) if each.when(layout))
    amounts = TESTS[usual.procedure].reports.amounts
    if amounts and layout.measure.spec == UTILITY:
        return Default(amounts, "it judges by how much a weighted sum differs, not by ranks")
    return usual


def about_amounts(layout: Layout) -> str | None:
    """The procedure about amounts, where the default decides by ranks."""
    if layout.stopped.plan is not None:
        return None
    return TESTS[default_procedure(layout).procedure].reports.amounts or None


def one_of_several(layout: Layout) -> str | None:
    """The test of one of several measures: of amounts, and Hall's of what is spent and skewed."""
    if is_resource(layout.measure) and is_legal(TESTS["hull"], layout):
        return "hull"
    return about_amounts(layout)


def default_posterior(layout: Layout) -> str:
    """The posterior that the design calls for; where none is legal, the one to refuse."""
    design = layout.block, layout.target
    known = (name for name, p in POSTERIORS.items() if design in p.bayes.default_for)
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
        _wording(layout),
        layout.origin.dataset,
        layout.origin.population,
        training_size(layout),
        forced,
        few,
    )


def _wording(layout: Layout) -> Said:
    if layout.choices.judges:
        return by_judges(layout.choices.judges)
    own = layout.origin.sampling.kind.claims.by_target if layout.origin.sampling else None
    return said_of(layout.block, layout.target, own)


def training_size(layout: Layout) -> TrainingSize | None:
    """How many rows the algorithms learned from, where the sampling or the size tells."""
    sampling, size = layout.origin.sampling, layout.origin.size
    if not BLOCKS[layout.block].tells_size:
        return None
    if size is not None:
        return TrainingSize(share=size, of_sample=True) if size < 1 else TrainingSize(rows=size)
    if sampling is None or not sampling.kind.sizes.tells_size:
        return None
    if sampling.kind.sizes.fixed_size:
        return TrainingSize(rows=sampling.rows) if sampling.rows else None
    share = sampling.train_share
    if share is None:
        return None
    distinct = sampling.replicate == RESAMPLE and sampling.share is None
    given = sampling.kind.sizes.given
    return TrainingSize(
        share=share,
        distinct=distinct,
        total=layout.origin.rows,
        given="" if given is None else given(sampling),
    )


# -- advice ---------------------------------------------------------------------------------------
# Which question a design answers, what may be claimed, and by which procedure.
#
# The nine questions are those of dietterich1998: about fitted classifiers (1-4) or about
# learning algorithms (5-8) on one domain, with much or little data, and about many domains (9).
# What an algorithm learns from resamples of one sample is none of them: 8 is about new samples.


@dataclass(frozen=True, repr=False)
class Advice(Presented):
    """What a design answers."""

    question: int  # of nine; 0 is none of them
    several: bool  # algorithms
    block: str
    count: int  # of blocks, 0 where it is not known
    target: str
    procedure: str  # empty where there is one algorithm or none is legal
    reason: str
    can: tuple[str, ...]  # hypotheses that can be tested
    cannot: tuple[str, ...]
    halves: bool = False  # whether halvings would say more

    @property
    def blocks(self) -> str:
        """How many blocks of which kind."""
        return f"{self.count or 'some'} {BLOCKS[self.block].text}"

    def _lines_above(self) -> list[str]:
        return words.lines(
            words.question_answered(self.question, self.several),
            self.blocks,
            self.target,
            self.can,
            self.cannot,
            self._recommended,
            self.halves,
        )

    @property
    def _recommended(self) -> tuple[str, str] | None:
        return (self.procedure, self.reason) if self.procedure else None

    def __str__(self) -> str:
        return repr(self)


def advise(layout: Layout) -> Advice:
    """The advice for a layout."""
    several = len(layout.algorithms) > 1
    can, cannot = _hypotheses(layout)
    name, reason = "", ""
    if several:
        try:
            chosen = default_procedure(layout)
            if not is_legal(procedure_named(chosen.procedure), layout):
                raise InferenceError(words.no_evidence(layout.target, BLOCKS[layout.block].text))
            name, reason = chosen.procedure, chosen.reason
        except InferenceError as error:  # nothing is legal
            can, cannot = (), (str(error), *cannot)
    else:
        can = (words.one_algorithm(layout.measure.name),)
    question = _question(layout, several)
    if question in words.CONVERTED:
        cannot = (*cannot, words.converted(question, training_size(layout)))
    count = len(layout.values)
    halves = bool(name) and _wants_halves(layout)
    about = layout.block, count, layout.target
    return Advice(question, several, *about, name, reason, can, cannot, halves)


def _wants_halves(layout: Layout) -> bool:
    """Whether halvings can be drawn and are not: they say more of new samples."""
    about_new_samples = layout.target == POPULATION and layout.block != DATASET
    return (
        about_new_samples
        and layout.halvings is None
        and bool(layout.origin.sampling)
        and suits(layout.origin.sampling)
    )


def advise_design(
    algorithms: int, datasets: int, sampling: Sampling, measure: Measure, rows: int | None
) -> Advice:
    """The advice for a study that has not been run."""
    block = DATASET if datasets > 1 else sampling.block
    count = datasets if block == DATASET else (sampling.count or 0)
    if block == SPLIT:  # its one test set
        block, count = ITEM, 0
    names = tuple(f"algorithm {i + 1}" for i in range(algorithms))
    values = np.full((count, algorithms), 0.5)
    halves = sampling.halves if block != DATASET else 0
    halvings = Halvings(np.zeros((halves, 2, algorithms))) if halves else None
    target = POPULATION if halves else BLOCKS[block].target
    made = Layout(
        values,
        names,
        block,
        target,
        measure,
        halvings=halvings,
        origin=Origin(sampling=sampling, rows=rows),
    )
    return advise(made)


def _question(layout: Layout, several: bool) -> int:
    block = BLOCKS[layout.block]
    if block.one_sample and layout.target == SAMPLE:
        return 0
    questions = block.scope.questions
    return questions.of_several if several else questions.of_one


def _hypotheses(layout: Layout) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What blocks like these can and cannot test."""
    block = BLOCKS[layout.block]
    can = block.scope.can
    if (
        layout.origin.sampling
        and layout.origin.sampling.kind.claims.no_population
        and layout.block == RESAMPLE
    ):
        can = can[:1]  # nothing about new samples
    hypotheses = words.hypotheses(can, layout.measure.name, training_size(layout))
    luck = (words.TEST_SET_LUCK,) if "test set" in _wording(layout).given else ()
    return hypotheses, (*luck, *block.scope.cannot)
