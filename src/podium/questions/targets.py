"""What blocks may be evidence about: one table of (block, target).

`CLAIMS` says of every pair of them whether tests that take blocks for independent are legal, or why
they are not, which procedure is the default, and what may be said. A pair that is not in the table
has the general words of its target, and no legal procedure unless one declares it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from podium.questions.aims import (
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
from podium.questions.blocks import (
    BLOCKS,
    CONDITION_ITEM,
    CROSSED,
    DATASET,
    FOLD,
    GENERAL,
    HELD_OUT,
    INDEPENDENT_RESAMPLE,
    INDEPENDENT_SIMULATION,
    ITEM,
    ITEM_BY_ITEM,
    NESTED,
    NESTED_FOLD,
    ORIGIN,
    REPETITION,
    RESAMPLE,
    SIMULATION,
    SPLIT,
    THIS_SAMPLE,
    TRAINING_SET,
    Block,
    Default,
    Questions,
    Scope,
)

# -- blocks that are runs (training runs, also item by item, and timed ones), choices, studies -----


_DOMAINS = "anything about other data sets or domains"
_UNPAIRED = (
    Default("games-howell", "it gives intervals and copes with unequal variances and sizes"),
)


def _pair(
    name: str,
    texts: tuple[str, str],
    noun: str,
    can: tuple[str, ...],
    cannot: tuple[str, ...],
    **facts: Any,
) -> tuple[str, str]:
    """The kind of block where all algorithms share the runs, and where each has its own."""
    own = f"independent-{name}"
    of_own = {"unpaired": True} | ({} if "defaults" in facts else {"defaults": _UNPAIRED})
    facts |= {"scope": Scope(THIS_SAMPLE, can, cannot), "plural": noun}
    by_item = facts.pop("by_item", ("", ""))
    BLOCKS.add(own, Block(own, texts[1], noun, SAMPLE, by_item=by_item[1], **facts | of_own))
    BLOCKS.add(name, Block(name, texts[0], noun, SAMPLE, by_item=by_item[0], own=own, **facts))
    return name, own


# -- training runs --------------------------------------------------------------------------------

SEED_ITEM, INDEPENDENT_SEED_ITEM = _pair(
    "seed-item",
    (
        "scores of items after each of several training runs, seeds shared by all algorithms",
        "scores of items after each of several training runs of each algorithm",
    ),
    "scores",
    unit="score",
    can=("equal expected {measure} over new training runs on these data and new items",),
    cannot=("other training rows, which all runs share", _DOMAINS),
    said=Said(
        "new training runs on these training data{of}, tested on new items like those of the test "
        "set",
        "{finding} new training runs on {here} as it was split, tested on new items like those "
        "that were tested.",
        "other training rows, nor about other data sets",
        given=("training data",),
    ),
    defaults=(Default("seeds-t", "it allows for the luck of seeds and of items"),),
)
TRAINING_RUN, INDEPENDENT_TRAINING_RUN = _pair(
    "training-run",
    (
        "training runs on one fixed split, seeds shared by all algorithms",
        "training runs of each algorithm's own on one fixed split",
    ),
    "training runs",
    unit="training run",
    by_item=(SEED_ITEM, INDEPENDENT_SEED_ITEM),
    can=("equal expected {measure} over new training runs on these very data (target sample)",),
    cannot=("other training or test rows, which all runs share", _DOMAINS),
    said=Said(
        "new training runs on these training data{of} and this test set, conditional on both",
        "{finding} new training runs on {here} as it was split.",
        "other training rows or test items, nor about other data sets",
        given=("training data", "test set"),
    ),
)

# -- timed runs -----------------------------------------------------------------------------------

TIMED_RUN, INDEPENDENT_TIMED_RUN = _pair(
    "timed-run",
    (
        "rounds on one machine, in each of which every algorithm is run",
        "repeated runs of each algorithm on one machine",
    ),
    "runs",
    unit="run",
    can=("equal expected {measure} over new runs on this machine (target sample)",),
    cannot=("other machines, and this one under another load", "other inputs than those run"),
    tells_size=False,
    said=Said(
        "new runs{of} on this machine as it was, conditional on it and on what was run",
        "{finding} new runs of the same work{of} on this machine as it was.",
        "other machines, other inputs, or this machine under another load",
        given=("machine", "input"),
    ),
)

# -- choices --------------------------------------------------------------------------------------

CHOICE = BLOCKS.add(
    "choice",
    Block(
        "choice",
        "choices, each between some of the algorithms",
        "choices",
        TEST_SET,
        unit="choice",
        tells_size=False,
        plural="choices",
        partial=True,
        said=Said(
            "these very models and new choices{of} like these: prompts and judges that are drawn "
            "as these were",
            "{finding} these very models in new choices like these.",
            "other kinds of judges and prompts, or other versions of the models",
            given=("models",),
        ),
        defaults=(
            Default("bradley-terry", "a choice tells who of two is stronger, not by how much"),
        ),
        scope=Scope(
            questions=Questions(1, 3),
            can=("equal strengths of these very models in new choices like these",),
            cannot=("other judges and prompts than those like these", _DOMAINS),
        ),
    ),
).name

# -- studies --------------------------------------------------------------------------------------

STUDY = BLOCKS.add(
    "study",
    Block(
        "study",
        "studies",
        "studies",
        STUDY_POPULATION,
        unit="study",
        tells_size=False,
        plural="studies",
        scope=Scope(
            questions=Questions(9, 9),
            can=("equal expected {measure} over studies like these: podium meta",),
            cannot=("a difference in one single study", "studies unlike these"),
        ),
    ),
).name


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
    "this learning sample{of} and this test set, conditional on both",
    "{finding} {here} as it is and for this very test set.",
    OTHER_SAMPLES,
    given=("learning sample", "test set"),
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
        "resamples of one learning sample are independent only given that sample; about new "
        "samples plain tests are far too liberal",
        corrected=True,
        defaults=_SHARED,
    ),
    (REPETITION, SAMPLE): Claim(plain=True, note=ON_SAMPLE),
    (REPETITION, POPULATION): Claim(
        "repetitions of a cross-validation share one learning sample; keep the folds apart for "
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
        "held-out items say nothing of how other learning samples would do; without --target they "
        "are averaged within folds, for corrected-t"
    ),
    (NESTED_FOLD, POPULATION): Claim("fits of one nested cross-validation share nearly all rows"),
    (INDEPENDENT_RESAMPLE, SAMPLE): Claim(unpaired=True, note=ON_SAMPLE),
    (INDEPENDENT_RESAMPLE, TEST_SET): Claim(_COMPETITION, unpaired=True, said=ON_BOTH),
    (INDEPENDENT_RESAMPLE, POPULATION): Claim(
        "resamples of one learning sample are independent only given that sample, also where "
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
    (STUDY, STUDY_POPULATION): Claim("studies are taken together by their estimates: podium meta"),
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
