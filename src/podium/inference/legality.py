"""Legality: what a pair (kind of block, target) permits, and why not where it does not."""

from __future__ import annotations

from dataclasses import replace

from podium.errors import NotLegal
from podium.facts import Note
from podium.inference.layouts import BLOCKS, TARGETS, UNPAIRED_BLOCKS, Layout, block_of
from podium.inference.procedures import PROCEDURES, Procedure

RESAMPLES = ("resample", "independent-resample")
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
    ("independent-resample", "population"): "resamples of one learning sample are independent only "
    "given that sample, also where every algorithm has its own; draw them for all algorithms "
    "together and use corrected-t",
    ("independent-resample", "test-set"): "only a competition tests all samples on one fixed test "
    "set",
    ("independent-simulation", "sample"): "fresh samples from a process are evidence about the "
    "process: the target is 'population'",
    ("training-set", "population"): "all training sets were tested on the same items, whose luck "
    "their scores share; compare item by item by delve-quasi-f (of a store with kept predictions "
    "--sampling items --sample all, of a table the columns sample and item)",
    ("crossed", "population"): "scores of one training set share its luck, and scores of one item "
    "share that item's",
    ("dataset", "datasets"): "one score per data set has no replicate within it, and samples that "
    "were averaged neither; run several samples and use survey-fixed",
    ("nested", "datasets"): "it takes the samples of all data sets for one sample",
    ("nested", "dataset-population"): "samples of one data set are no new data sets",
    ("origin", "population"): "successive forecasts may overlap in time, and then their scores are "
    "dependent",
}
PAIRED = (
    "all algorithms were run on the same samples, and a test for independent ones throws the pairs "
    "away, which makes it too strict (or too lenient, where scores of one sample vary against each "
    "other); if every algorithm had samples of its own, say so, as in bootstrap+independent"
)
UNPAIRED = "every algorithm has samples of its own, so nothing pairs their scores"
_WAY = "; for new samples draw bootstrap, subsampling or repeated-cv and use corrected-t"
# samplings of one learning sample from which nothing follows about new ones, and why
CONDITIONAL = {
    "competition": "all samples are tested on one test set, whose luck no correction for shared "
    "training rows knows (more than half of true hypotheses would be rejected); ask for the target "
    "'test-set'" + _WAY,
    "bootstrap-whole": "rows that were learned from are tested on, so scores are optimistic" + _WAY,
    "bootstrap-632": "all samples share the apparent error of one learning sample" + _WAY,
    "bootstrap-632plus": "all samples share the apparent error of one learning sample" + _WAY,
    "bayesian-bootstrap": "all samples weight the rows of one learning sample" + _WAY,
    "parametric-bootstrap": "all samples come from one fitted generator" + _WAY,
    "moving-block": "blocks of one series are no new series; draw rolling-origin and use "
    "diebold-mariano",
}
REMARKS = {
    "bootstrap-632": Note(
        "apparent-error",
        text="Every sample's .632 estimate contains the apparent error on rows that were learned from: "
        "the samples are not quite independent, and algorithms that overfit gain from it.",
    ),
    "moving-block": Note(
        "one-series",
        text="Conditional on this very series: blocks of it keep what is near in time together and say "
        "nothing about other series of the process.",
    ),
}
REMARKS["bootstrap-632plus"] = REMARKS["bootstrap-632"]
REMARKS["parametric-bootstrap"] = Note(
    "fitted-generator",
    text="Samples come from a generator that was fitted to the learning sample: what is found holds as "
    "far as the data look like what it generates.",
)
ON_SAMPLE = (
    "Conditional on this learning sample: more resamples make any difference significant, and "
    "nothing is said about new samples from the process behind it."
)
ON_GENERATOR = {
    "parametric-bootstrap": "Conditional on the generator that was fitted to this learning sample: "
    "more samples of it make any difference significant."
}
OPTIMISTIC = Note(
    "optimistic",
    text="Rows that were learned from were tested on, too (with bayesian-bootstrap unless the data set "
    "has a test sample of its own): scores are better than they will be, and more so for "
    "algorithms that overfit; bootstrap (out-of-bag rows) avoids it.",
)


def alternatives(layout: Layout) -> list[str]:
    """The procedures that are legal for a layout."""
    return [name for name in PROCEDURES if is_legal(PROCEDURES[name], layout)]


def is_legal(procedure: Procedure, layout: Layout) -> bool:
    """Whether a procedure may be used for a layout."""
    if (layout.block, layout.target) not in procedure.legal:
        return False
    name = layout.sampling.name if layout.sampling else ""
    if layout.block in RESAMPLES and not _is_evidence(name, layout.target):
        return False
    if name == "loo" and layout.block == "fold":
        return False
    return procedure.samplings is None or name in procedure.samplings


def _is_evidence(name: str, target: str) -> bool:
    """Whether resamples drawn by a sampling of this name speak about a target."""
    return target == "sample" or (
        name == "competition" if target == "test-set" else name not in CONDITIONAL
    )


def check(procedure: Procedure, layout: Layout, force: bool) -> tuple[Note, ...]:
    """Nothing for a legal request; otherwise a refusal or, when forced, a mark."""
    if is_legal(procedure, layout):
        return _remarks(layout)
    why = _why(procedure, layout)
    if not force:
        drawn = f" ('{layout.sampling}')" if layout.sampling else ""
        raise NotLegal(
            f"'{procedure.name}' is not legal for {BLOCKS[layout.block]}{drawn} and the target "
            f"'{layout.target}': {why}.",
            alternatives(layout),
        )
    return (
        Note("forced", text=f"NOT LEGAL for this design and computed by force: {why}."),
        *_remarks(layout),
    )


def _why(procedure: Procedure, layout: Layout) -> str:
    if procedure.samplings is not None:
        return f"it is defined for {' and '.join(procedure.samplings)} only"
    if layout.sampling and layout.sampling.name == "loo" and layout.block == "fold":
        return "the folds of leave-one-out share all but one row; no test is known to be valid"
    if procedure.marked:
        return procedure.marked
    if procedure.unpaired != (layout.block in UNPAIRED_BLOCKS):
        return PAIRED if procedure.unpaired else UNPAIRED
    name = layout.sampling.name if layout.sampling else ""
    if layout.block in RESAMPLES and name in CONDITIONAL and layout.target == "population":
        return CONDITIONAL[name]
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
    found: tuple[Note, ...] = ()
    if layout.sampling and layout.sampling.optimistic:
        found += (OPTIMISTIC,)
    if layout.sampling and layout.sampling.name in REMARKS:
        found += (REMARKS[layout.sampling.name],)
    if layout.target == "sample" and layout.block in (*RESAMPLES, "repetition"):
        name = layout.sampling.name if layout.sampling else ""
        found += (Note("conditional-on-sample", text=ON_GENERATOR.get(name, ON_SAMPLE)),)
    if layout.block == "training-set":
        found += (
            Note(
                "conditional-on-test-set",
                text="Conditional on this test set: nothing is said about other items; item by item, "
                "delve-quasi-f does.",
            ),
        )
    return (*found, *_about_datasets(layout))


def _about_datasets(layout: Layout) -> tuple[Note, ...]:
    """What must be said of claims about just these data sets."""
    if layout.target != "datasets":
        return ()
    folds = layout.sampling is not None and block_of(layout.sampling) == "fold"
    given = (
        ""
        if folds
        else ", given their learning samples: more samples make any difference significant"
    )
    text = f"About just these data sets{given}; nothing is said about other data sets."
    return (Note("these-data-sets", text=text),)
