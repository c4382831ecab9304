"""Advice: which question a design answers, what may be claimed, and by which procedure.

The nine questions are those of dietterich1998: about fitted classifiers (1-4) or about learning
algorithms (5-8) on one domain, with much or little data, and about many domains (9).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.errors import InferenceError
from podium.inference.layouts import BLOCKS, DEFAULT_TARGETS, Layout
from podium.inference.legality import is_legal
from podium.inference.procedures import PROCEDURES
from podium.inference.statements import training_size
from podium.measures import Measure
from podium.samplings import Sampling

QUESTIONS = {
    1: "How accurate is this fitted model on new items (much test data)?",
    2: "How accurate is the model fitted to this small sample?",
    3: "Which of these fitted models is more accurate on new items?",
    4: "Which of the models fitted to this small sample is more accurate?",
    5: "How accurately does this algorithm learn from new samples (many samples at hand)?",
    6: "How accurately does this algorithm learn from new samples (one small sample at hand)?",
    7: "Which algorithm learns better from new samples (many samples at hand)?",
    8: "Which algorithm learns better from new samples (one small sample at hand)?",
    9: "Which algorithm learns better in new domains?",
}


@dataclass(frozen=True)
class Advice:
    """What a design answers."""

    question: int
    blocks: str
    target: str
    procedure: str  # empty where there is one algorithm or none is legal
    reason: str
    can: tuple[str, ...]
    cannot: tuple[str, ...]

    def __str__(self) -> str:
        lines = [
            f"Question {self.question} of nine: {QUESTIONS[self.question]}",
            f"Blocks: {self.blocks}. Target: {self.target}.",
            *(f"Can be tested: {text}" for text in self.can),
            *(f"Cannot be tested: {text}" for text in self.cannot),
        ]
        if self.procedure:
            lines.append(f"Recommended: {self.procedure}, because {self.reason}.")
        return "\n".join(lines)


def advise(layout: Layout) -> Advice:
    """The advice for a layout."""
    several = len(layout.algorithms) > 1
    can, cannot = _hypotheses(layout)
    name, reason = "", ""
    if several:
        try:
            name, reason = default_procedure(layout)
            if not is_legal(PROCEDURES[name], layout):
                raise InferenceError(
                    f"anything about the target '{layout.target}': {BLOCKS[layout.block]} are no "
                    "evidence about it"
                )
        except InferenceError as error:  # nothing is legal
            name, reason, can, cannot = "", "", (), (str(error), *cannot)
    else:
        can = (f"nothing: one algorithm has an interval of its expected {layout.measure.name}",)
    return Advice(
        _question(layout, several),
        f"{len(layout.values) or 'some'} {BLOCKS[layout.block]}",
        layout.target,
        name,
        reason,
        can,
        cannot,
    )


def advise_design(
    algorithms: int, datasets: int, sampling: Sampling, measure: Measure, rows: int | None = None
) -> Advice:
    """The advice for a study that has not been run."""
    block = "dataset" if datasets > 1 else sampling.replicate
    count = datasets if block == "dataset" else (sampling.count or 0)
    if block == "split":  # its one test set
        block, count = "item", 0
    names = tuple(f"algorithm {i + 1}" for i in range(algorithms))
    values = np.full((count, algorithms), 0.5)
    return advise(
        Layout(values, names, block, DEFAULT_TARGETS[block], measure, sampling, rows=rows)
    )


def _question(layout: Layout, several: bool) -> int:
    if layout.block == "dataset":
        return 9
    if layout.target == "sample":  # the models that this sample gives
        return 4 if several else 2
    of_one = {"item": 1, "simulation": 5}.get(layout.block, 6)
    return of_one + 2 if several else of_one


def _hypotheses(layout: Layout) -> tuple[tuple[str, ...], tuple[str, ...]]:
    size = training_size(layout.sampling, layout.rows).removeprefix(", ")
    with_size = f", {size}" if size else ""
    new_samples = (
        f"equal expected {layout.measure.name} over new samples from the same process{with_size}"
    )
    this_sample = f"equal expected {layout.measure.name} over resamples of this very sample"
    domains = "anything about other data sets or domains"
    if layout.block == "fold":
        return (f"{new_samples} (target population, approximately)",), (
            "plain tests that take folds for independent",
            "training sets of another size than those used",
            domains,
        )
    if layout.block in ("resample", "repetition"):
        return (f"{this_sample} (target sample)", f"{new_samples} (target population)"), (
            "training sets of another size than those used",
            domains,
        )
    if layout.block == "simulation":
        return (new_samples,), ("processes other than the simulated one",)
    if layout.block == "item":
        return (f"equal expected {layout.measure.name} of these fitted models on new items",), (
            "the algorithms on other learning samples: one fit of each says nothing about that",
            domains,
        )
    return (f"equal expected {layout.measure.name} over data sets like these",), (
        "a difference on one single data set",
        "data sets unlike these",
    )


def default_procedure(layout: Layout) -> tuple[str, str]:
    """The procedure that `compare` uses when none is named, and the reason."""
    k = len(layout.algorithms)
    name = layout.sampling.name if layout.sampling else ""
    if layout.block == "fold" and name == "5x2cv":
        return "5x2cv-f", "it uses all ten halves and holds its level best among the 5x2cv tests"
    if layout.block == "fold" and name == "loo":
        raise InferenceError(
            "The folds of leave-one-out share all but one row and no test of them is known to be "
            "valid; use repeated-cv:10x10 or bootstrap:250."
        )
    if layout.target == "population" and layout.block in ("fold", "resample"):
        return "corrected-t", "it allows for the rows that replicates share"
    if layout.block == "item":
        binary = is_binary(layout) if len(layout.values) else layout.measure.unit == "share"
        if k == 2 and binary and layout.clusters is None:
            return "mcnemar", "two classifiers are correct or not on each item"
        return "max-modulus", "its simultaneous intervals assume no equal variances"
    if layout.has_gaps:
        return "mixed-tukey", "it uses incomplete blocks"
    if layout.block == "dataset":
        return "paired-t", "it bears unequal variances (with Holm's adjustment)"
    return "paired-t", "it gives intervals and bears unequal variances"


def is_binary(layout: Layout) -> bool:
    """Whether every score says correct or not."""
    known = layout.sign * layout.values[~np.isnan(layout.values)]
    return bool(np.isin(known, (0.0, 1.0)).all())
