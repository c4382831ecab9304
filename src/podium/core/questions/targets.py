"""What blocks may be evidence about: one table of (block, target).

`CLAIMS` says of every pair of them whether tests that take blocks for independent are legal, or why
they are not, which procedure is the default, and what may be said. A pair that is not in the table
has the general words of its target, and no legal procedure unless one declares it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from podium.core.questions.aims import (
    DATASET_POPULATION,
    DATASETS,
    FOLD_MODELS,
    NEW_CONDITIONS,
    OTHER_SAMPLES,
    POPULATION,
    SAMPLE,
    STUDY_POPULATION,
    TARGETS,
    TEST_SET,
    Said,
    Target,
)
from podium.core.questions.blocks import (
    BLOCKS,
    CHOICE,
    CONDITION_ITEM,
    CROSSED,
    DATASET,
    FOLD,
    GENERAL,
    HELD_OUT,
    INDEPENDENT_RESAMPLE,
    INDEPENDENT_SEED_ITEM,
    INDEPENDENT_SIMULATION,
    INDEPENDENT_TIMED_RUN,
    INDEPENDENT_TRAINING_RUN,
    ITEM,
    ITEM_BY_ITEM,
    NESTED,
    NESTED_FOLD,
    ORIGIN,
    REPETITION,
    RESAMPLE,
    SEED_ITEM,
    SIMULATION,
    SPLIT,
    STUDY,
    TIMED_RUN,
    TRAINING_RUN,
    TRAINING_SET,
    Block,
    Default,
    Questions,
)

__all__ = [
    "BLOCKS",
    "CHOICE",
    "CLAIMS",
    "CONDITION_ITEM",
    "CROSSED",
    "DATASET",
    "DATASETS",
    "DATASET_POPULATION",
    "FOLD",
    "FOLD_MODELS",
    "GENERAL",
    "HELD_OUT",
    "INDEPENDENT_RESAMPLE",
    "INDEPENDENT_SEED_ITEM",
    "INDEPENDENT_SIMULATION",
    "INDEPENDENT_TIMED_RUN",
    "INDEPENDENT_TRAINING_RUN",
    "ITEM",
    "ITEM_BY_ITEM",
    "NESTED",
    "NESTED_FOLD",
    "NEW_CONDITIONS",
    "ON_BOTH",
    "ORIGIN",
    "POPULATION",
    "REPETITION",
    "RESAMPLE",
    "SAMPLE",
    "SEED_ITEM",
    "SIMULATION",
    "SPLIT",
    "STUDY",
    "STUDY_POPULATION",
    "TARGETS",
    "TEST_SET",
    "TIMED_RUN",
    "TRAINING_RUN",
    "TRAINING_SET",
    "Block",
    "Claim",
    "Default",
    "Pair",
    "Questions",
    "Said",
    "Target",
    "claim",
    "defaults",
    "note_codes",
    "pairs",
    "said_of",
]
Pair = tuple[str, str]  # block, target


@dataclass(frozen=True)
class Claim:
    """What blocks may say about a target.

    `plain` tells whether tests that take blocks for independent are legal; `unpaired` and
    `corrected` the same of tests for independent samples and of those that correct for shared
    rows. `why` is the reason where they are not.
    """

    why: str = ""
    plain: bool = False
    unpaired: bool = False
    corrected: bool = False
    said: Said | None = None
    defaults: tuple[Default, ...] = ()
    note: str = ""  # the code of what must be said besides


_PROCESS = "fresh samples from a process are evidence about the process: the target is 'population'"
_COMPETITION = "only a competition tests all samples on one fixed test set"
_SHARED = (
    Default(
        "halves",
        "the spread between halves, which share no row, assumes least of the algorithms",
        lambda layout: layout.target == POPULATION and layout.halvings is not None,
    ),
    Default("corrected-t", "it allows for the rows that replicates share"),
)
ON_BOTH = Said(
    "this training set{of} and this test set, conditional on both",
    "{finding} {here} as it is and for this very test set.",
    OTHER_SAMPLES,
    given=("training set", "test set"),
)
_OF_PROCESS = Said(TARGETS[POPULATION].said.about, TARGETS[POPULATION].said.may, "other processes")
ON_SAMPLE, ON_SPLIT = "conditional-on-sample", "conditional-on-split"
ON_MACHINE = "one-machine"
_ONE_SPLIT = (
    "all training runs share one split, whose luck no number of seeds removes; draw several splits "
    "(subsampling:30x0.8, cv:10), or score item by item (columns seed and item)"
)
_CROSSED_SEEDS = (
    "scores of one training run share its luck, and scores of one item share that item's"
)
CLAIMS: dict[Pair, Claim] = {
    (RESAMPLE, SAMPLE): Claim(plain=True, note=ON_SAMPLE),
    (RESAMPLE, TEST_SET): Claim(_COMPETITION, plain=True, said=ON_BOTH),
    (RESAMPLE, POPULATION): Claim(
        "resamples of one training set are independent only given that sample; about new "
        "samples plain tests are far too liberal",
        corrected=True,
        defaults=_SHARED,
    ),
    (REPETITION, SAMPLE): Claim(plain=True, note=ON_SAMPLE),
    (REPETITION, POPULATION): Claim(
        "repetitions of a cross-validation share one training set; keep the folds apart for "
        "the target 'population'"
    ),
    (SIMULATION, POPULATION): Claim(plain=True, said=_OF_PROCESS),
    (SIMULATION, SAMPLE): Claim(_PROCESS),
    (FOLD, POPULATION): Claim(
        "folds share training rows, so their scores are dependent and plain tests are far too "
        "liberal",
        corrected=True,
        defaults=_SHARED,
    ),
    (FOLD, SAMPLE): Claim("the folds of one cross-validation have no replicate"),
    (FOLD, FOLD_MODELS): Claim(
        "the mean of a fold does not tell how its items vary: give one score of every held-out "
        "item (columns fold and item; of a store with kept predictions --sampling items --sample "
        "all)"
    ),
    (HELD_OUT, FOLD_MODELS): Claim("models of different folds test different items"),
    (HELD_OUT, POPULATION): Claim(
        "held-out items say nothing of how other training sets would do; without --target they "
        "are averaged within folds, for corrected-t"
    ),
    (NESTED_FOLD, POPULATION): Claim("fits of one nested cross-validation share nearly all rows"),
    (INDEPENDENT_RESAMPLE, SAMPLE): Claim(unpaired=True, note=ON_SAMPLE),
    (INDEPENDENT_RESAMPLE, TEST_SET): Claim(_COMPETITION, unpaired=True, said=ON_BOTH),
    (INDEPENDENT_RESAMPLE, POPULATION): Claim(
        "resamples of one training set are independent only given that sample, also where "
        "every algorithm has its own; draw them for all algorithms together and use corrected-t"
    ),
    (INDEPENDENT_SIMULATION, POPULATION): Claim(unpaired=True, said=_OF_PROCESS),
    (INDEPENDENT_SIMULATION, SAMPLE): Claim(_PROCESS),
    (TRAINING_RUN, SAMPLE): Claim(plain=True, note=ON_SPLIT),
    (TRAINING_RUN, TEST_SET): Claim(_ONE_SPLIT),
    (TRAINING_RUN, POPULATION): Claim(_ONE_SPLIT),
    (INDEPENDENT_TRAINING_RUN, SAMPLE): Claim(unpaired=True, note=ON_SPLIT),
    (INDEPENDENT_TRAINING_RUN, TEST_SET): Claim(_ONE_SPLIT),
    (INDEPENDENT_TRAINING_RUN, POPULATION): Claim(_ONE_SPLIT),
    (SEED_ITEM, SAMPLE): Claim(_CROSSED_SEEDS),
    (INDEPENDENT_SEED_ITEM, SAMPLE): Claim(_CROSSED_SEEDS),
    (TIMED_RUN, SAMPLE): Claim(plain=True, note=ON_MACHINE),
    (INDEPENDENT_TIMED_RUN, SAMPLE): Claim(unpaired=True, note=ON_MACHINE),
    (TRAINING_SET, TEST_SET): Claim(
        plain=True,
        said=Said(
            "new training sets from the process behind the data{of}, tested on this very test set",
            "{finding} new training sets from the process behind {here}, tested on this very test "
            "set.",
            "other test items, nor about other data sets",
            given=("test set",),
        ),
    ),
    (TRAINING_SET, POPULATION): Claim(
        "all training sets were tested on the same items, whose luck their scores share; compare "
        + ITEM_BY_ITEM,
    ),
    (CROSSED, POPULATION): Claim(
        "scores of one training set share its luck, and scores of one item share that item's"
    ),
    (ORIGIN, POPULATION): Claim(
        "successive forecasts may overlap in time, and then their scores are dependent"
    ),
    (ITEM, TEST_SET): Claim(plain=True),
    (ITEM, NEW_CONDITIONS): Claim(
        "every item was tried under one condition, which tells nothing of others: give a column of "
        "conditions beside the items (prompt, template, judge; --columns condition=COLUMN)"
    ),
    (CONDITION_ITEM, NEW_CONDITIONS): Claim(
        "scores of one item share its luck, and scores under one condition share that condition's"
    ),
    (CHOICE, TEST_SET): Claim("a choice is among some of the algorithms, and tells no score"),
    (DATASET, DATASET_POPULATION): Claim(plain=True),
    (DATASET, DATASETS): Claim(
        "one score per data set has no replicate within it, and samples that were averaged "
        "neither; run several samples and use survey-fixed",
    ),
    (NESTED, DATASETS): Claim(
        "it takes the samples of all data sets for one sample",
        defaults=(Default("survey-fixed", "it counts every one of these data sets alike"),),
    ),
    (NESTED, DATASET_POPULATION): Claim("samples of one data set are no new data sets"),
    (STUDY, STUDY_POPULATION): Claim("podium meta combines studies by their estimates"),
}
UNKNOWN = Claim()


def claim(block: str, target: str) -> Claim:
    """What blocks may say about a target; nothing where the table has no such pair."""
    return CLAIMS.get((block, target), UNKNOWN)


def said_of(block: str, target: str, of_sampling: Mapping[str, Said] | None = None) -> Said:
    """What may be said: the words of the sampling, of the pair, of the blocks or of the target."""
    own = (of_sampling or {}).get(target)
    return own or claim(block, target).said or BLOCKS[block].said or TARGETS[target].said


def defaults(block: str, target: str) -> tuple[Default, ...]:
    """The procedures that are used where none is named; the first whose case it is counts."""
    return claim(block, target).defaults or BLOCKS[block].defaults or GENERAL


def note_codes(block: str, target: str) -> list[str]:
    """The codes of what must be said of such claims, whatever the procedure."""
    codes = (claim(block, target).note, BLOCKS[block].note, TARGETS[target].note)
    return [code for code in codes if code]


def pairs(where: Callable[[Claim], bool]) -> Iterator[Pair]:
    """The pairs of block and target whose claims fulfil a condition."""
    return (pair for pair, claim in CLAIMS.items() if where(claim))
