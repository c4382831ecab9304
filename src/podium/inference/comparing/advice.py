"""Advice: which question a design answers, what may be claimed, and by which procedure.

The nine questions are those of dietterich1998: about fitted classifiers (1-4) or about learning
algorithms (5-8) on one domain, with much or little data, and about many domains (9). What an
algorithm learns from resamples of one sample is none of them: 8 is about new samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.base.errors import InferenceError
from podium.inference.comparing.known import named
from podium.inference.comparing.legality import default_procedure, is_legal, training_size
from podium.inference.layouts.layouts import Halvings, Layout, Origin
from podium.questions.measures import Measure
from podium.questions.targets import BLOCKS, DATASET, ITEM, POPULATION, RESAMPLE, SAMPLE, SPLIT
from podium.samplings import Sampling
from podium.samplings.halvings import suits
from podium.words import statements as words
from podium.words.presentation import Presented


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

    def _said(self) -> list[str]:
        return words.lines(
            words.asked(self.question, self.several),
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
            if not is_legal(named(chosen.procedure), layout):
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
    algorithms: int, datasets: int, sampling: Sampling, measure: Measure, rows: int | None = None
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
    return hypotheses, block.scope.cannot
