"""Advice: which question a design answers, what may be claimed, and by which procedure.

The nine questions are those of dietterich1998: about fitted classifiers (1-4) or about learning
algorithms (5-8) on one domain, with much or little data, and about many domains (9).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium import presentation
from podium.errors import InferenceError
from podium.inference.layouts import BLOCKS, DEFAULT_TARGETS, UNPAIRED_BLOCKS, Layout, block_of
from podium.inference.legality import CONDITIONAL, is_legal
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

_SIZE = "training sets of another size than those used"
_DOMAINS = "anything about other data sets or domains"
_PROCESSES = "processes other than the simulated one"
_THIS = "equal expected {measure} over resamples of this very sample (target sample)"
_NEW = "{new} (target population)"
HYPOTHESES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # what can be tested, what not
    "fold": (
        ("{new} (target population, approximately)",),
        ("plain tests that take folds for independent", _SIZE, _DOMAINS),
    ),
    "resample": ((_THIS, _NEW), (_SIZE, _DOMAINS)),
    "repetition": ((_THIS, _NEW), (_SIZE, _DOMAINS)),
    "independent-resample": ((_THIS,), (_SIZE, _DOMAINS)),
    "simulation": (("{new}",), (_PROCESSES,)),
    "independent-simulation": (("{new}",), (_PROCESSES,)),
    "training-set": (
        ("{new}, on this very test set (target test-set)",),
        (
            "new items: for them compare item by item by delve-quasi-f (of a store with kept "
            "predictions --sampling items --sample all, of a table the columns sample and item)",
            _DOMAINS,
        ),
    ),
    "crossed": (("{new} and new items (target population)",), (_SIZE, _DOMAINS)),
    "origin": (
        ("equal expected {measure} in the process behind the series",),
        (
            "plain tests that take origins for independent",
            "a process that changes, and other series",
        ),
    ),
    "item": (
        ("equal expected {measure} of these fitted models on new items",),
        (
            "the algorithms on other learning samples: one fit of each says nothing about that",
            _DOMAINS,
        ),
    ),
    "dataset": (
        ("equal expected {measure} over data sets like these",),
        ("a difference on one single data set", "data sets unlike these"),
    ),
    "nested": (
        (
            "equal mean {measure} over just these data sets (target datasets)",
            "equal expected {measure} over data sets like these (target dataset-population)",
        ),
        ("data sets unlike these",),
    ),
}
MANY_SAMPLES = ("simulation", "independent-simulation", "training-set", "crossed")


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return presentation.html(str(self).splitlines(), {}, ())


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
    block = "dataset" if datasets > 1 else block_of(sampling)
    count = datasets if block == "dataset" else (sampling.count or 0)
    if block == "split":  # its one test set
        block, count = "item", 0
    names = tuple(f"algorithm {i + 1}" for i in range(algorithms))
    values = np.full((count, algorithms), 0.5)
    return advise(
        Layout(values, names, block, DEFAULT_TARGETS[block], measure, sampling, rows=rows)
    )


def _question(layout: Layout, several: bool) -> int:
    if layout.block in ("dataset", "nested"):
        return 9
    if layout.target == "sample":  # the models that this sample gives
        return 4 if several else 2
    of_one = 1 if layout.block == "item" else 5 if layout.block in MANY_SAMPLES else 6
    return of_one + 2 if several else of_one


def _hypotheses(layout: Layout) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What blocks like these can and cannot test."""
    size = training_size(layout.sampling, layout.rows, layout.size).removeprefix(", ")
    new = f"equal expected {layout.measure.name} over new samples from the same process"
    words = {"measure": layout.measure.name, "new": f"{new}, {size}" if size else new}
    can, cannot = HYPOTHESES[layout.block]
    if layout.sampling and layout.sampling.name in CONDITIONAL and layout.block == "resample":
        can = can[:1]  # nothing about new samples
    return tuple(text.format(**words) for text in can), cannot


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
    if layout.block in UNPAIRED_BLOCKS:
        return "games-howell", "it gives intervals and bears unequal variances and sizes"
    if layout.block == "crossed":
        return "delve-quasi-f", "it allows for the luck of training sets and of items"
    if layout.block == "nested":
        return _of_survey(layout)
    if layout.block == "origin":
        return "diebold-mariano", "it allows for forecasts that overlap in time, as far as they do"
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
        return "paired-t", "it bears unequal variances"
    return "paired-t", "it gives intervals and bears unequal variances"


def _of_survey(layout: Layout) -> tuple[str, str]:
    if layout.target == "datasets":
        return "survey-fixed", "it counts every one of these data sets alike"
    return "survey-random", "it tells how data sets differ from how their samples vary"


def is_binary(layout: Layout) -> bool:
    """Whether every score says correct or not."""
    known = layout.sign * layout.values[~np.isnan(layout.values)]
    return bool(np.isin(known, (0.0, 1.0)).all())
