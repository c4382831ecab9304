"""Legality: what a pair (kind of block, target) permits, and why not where it does not."""

from __future__ import annotations

from dataclasses import replace

from podium.comparisons import Note
from podium.errors import InferenceError
from podium.inference.layouts import BLOCKS, TARGETS, Layout
from podium.inference.procedures import PROCEDURES, Procedure

REASONS = {
    ("fold", "population"): "folds share training rows, so their scores are dependent and plain "
    "tests are far too liberal",
    ("fold", "sample"): "the folds of one cross-validation have no replicate",
    ("resample", "population"): "resamples of one learning sample are independent only given that "
    "sample; about new samples plain tests are far too liberal",
    ("repetition", "population"): "repetitions of a cross-validation share one learning sample; "
    "keep the folds apart for the target 'population'",
    ("simulation", "sample"): "fresh samples from a process are evidence about the process: the "
    "target is 'population'",
    ("resample", "test-set"): "only a competition tests all samples on one fixed test set",
}


def alternatives(layout: Layout) -> list[str]:
    """The procedures that are legal for a layout."""
    return [name for name in PROCEDURES if is_legal(PROCEDURES[name], layout)]


def is_legal(procedure: Procedure, layout: Layout) -> bool:
    """Whether a procedure may be used for a layout."""
    if (layout.block, layout.target) not in procedure.legal:
        return False
    name = layout.sampling.name if layout.sampling else ""
    if layout.target == "test-set" and layout.block == "resample" and name != "competition":
        return False
    if name == "loo" and layout.block == "fold":
        return False
    return procedure.samplings is None or name in procedure.samplings


def check(procedure: Procedure, layout: Layout, force: bool) -> tuple[Note, ...]:
    """Nothing for a legal request; otherwise a refusal or, when forced, a mark."""
    if is_legal(procedure, layout):
        return _remarks(layout)
    why = _why(procedure, layout)
    if not force:
        legal = alternatives(layout)
        way = f"Legal here: {', '.join(legal)}." if legal else "No procedure is legal here."
        drawn = f" ('{layout.sampling}')" if layout.sampling else ""
        raise InferenceError(
            f"'{procedure.name}' is not legal for {BLOCKS[layout.block]}{drawn} and the target "
            f"'{layout.target}': {why}. {way} "
            "--force (force=True) computes it all the same and marks the result."
        )
    return (
        Note("forced", f"NOT LEGAL for this design and computed by force: {why}."),
        *_remarks(layout),
    )


def _why(procedure: Procedure, layout: Layout) -> str:
    if procedure.samplings is not None:
        return f"it is defined for {' and '.join(procedure.samplings)} only"
    if layout.sampling and layout.sampling.name == "loo" and layout.block == "fold":
        return "the folds of leave-one-out share all but one row; no test is known to be valid"
    if procedure.marked:
        return procedure.marked
    if (layout.block, layout.target) in REASONS:
        return REASONS[layout.block, layout.target]
    if alternatives(layout):
        return (
            f"it is made for {' and '.join(BLOCKS[b] for b in BLOCKS if _made_for(procedure, b))}"
        )
    targets = [f"'{t}'" for t in TARGETS if alternatives(replace(layout, target=t))]
    return f"such blocks say nothing about it, only about {' and '.join(targets) or 'nothing'}"


def _made_for(procedure: Procedure, block: str) -> bool:
    return any(block == b for b, _ in procedure.legal)


def _remarks(layout: Layout) -> tuple[Note, ...]:
    if layout.target == "sample" and layout.block in ("resample", "repetition"):
        return (
            Note(
                "conditional-on-sample",
                "Conditional on this learning sample: more resamples make any difference "
                "significant, and nothing is said about new samples from the process behind it.",
            ),
        )
    if layout.block == "dataset" and len(layout.values) < 10:
        return (Note("few-data-sets", f"Only {len(layout.values)} data sets: power is low."),)
    return ()
