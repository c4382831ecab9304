"""Blocks: what one row of a layout is; runs, choices and items too.

Words are completed by `core/words/statements.py`: {of} is the data set, {area} the area of
application, {here} the data set in quotes, {finding} and {about} say whom it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from podium.core.base.registry import Registry
from podium.core.questions.aims import (
    DATASET_POPULATION,
    FOLD_MODELS,
    NEW_CONDITIONS,
    POPULATION,
    SAMPLE,
    STUDY_POPULATION,
    TEST_SET,
    Said,
)


@dataclass(frozen=True)
class Default:
    """The procedure that is used where none is named, and the reason; `when` it is the one."""

    procedure: str
    reason: str
    when: Callable[[Any], bool] = lambda layout: True  # of a layout


@dataclass(frozen=True)
class Questions:
    """Of the nine questions of dietterich1998 those that blocks answer: of one, of several."""

    of_one: int
    of_several: int


THIS_SAMPLE = Questions(2, 4)  # the models that this very sample gives
_LITTLE, _MANY = Questions(6, 8), Questions(5, 7)  # one small sample at hand, or many


@dataclass(frozen=True)
class Scope:
    """What blocks answer."""

    questions: Questions = _LITTLE
    can: tuple[str, ...] = ()  # what can be tested: {measure}, {new} for new samples
    cannot: tuple[str, ...] = ()


@dataclass(frozen=True)
class Block:
    """What one row of a layout is."""

    name: str
    text: str  # many of them, with what there is to know
    noun: str  # many of them, in a word or two
    target: str  # the honest one
    unit: str = "sample"  # one of them
    scope: Scope = Scope()
    own: str = ""  # the kind of block where every algorithm has samples of its own
    unpaired: bool = False  # it is such a kind
    by_item: str = ""  # the kind of block where each of them has a score of every item it tests
    one_sample: bool = False  # all are drawn from one training set
    shares_rows: bool = False  # and share rows that are learned from, which a correction can know
    in_time: bool = False  # their order matters, so that none may be left out
    sets: bool = False  # they are data sets, or lie within several
    tells_size: bool = True  # how many rows were learned from matters
    plural: str = ""  # in plans
    partial: bool = False  # each of them has some algorithms only, by design
    said: Said | None = None  # where blocks say more than any target does
    note: str = ""  # the code of what must be said besides
    defaults: tuple[Default, ...] = ()


BLOCKS: Registry[Block] = Registry("kind of block")


def _block(
    name: str,
    text: str,
    noun: str,
    target: str,
    questions: Questions = _LITTLE,
    can: tuple[str, ...] = (),
    cannot: tuple[str, ...] = (),
    **facts: Any,
) -> str:
    scope = Scope(questions, can, cannot)
    BLOCKS.add(name, Block(name, text, noun, target, scope=scope, **facts))
    return name


_SIZE = "training sets of another size than those used"
_DOMAINS = "anything about other data sets or domains"
_PROCESSES = "processes other than the simulated one"
_THIS = "equal expected {measure} over resamples of this very sample (target sample)"
_NEW = "{new} (target population: question 8 of nine)"
ITEM_BY_ITEM = (
    "item by item by delve-quasi-f (of a store with kept predictions --sampling items --sample "
    "all, of a table the columns sample and item)"
)
_OWN = (Default("games-howell", "it gives intervals and copes with unequal variances and sizes"),)
INDEPENDENT_RESAMPLE = _block(
    "independent-resample",
    "samples of each algorithm's own, drawn from one training set",
    "samples",
    SAMPLE,
    can=(_THIS,),
    cannot=(_SIZE, _DOMAINS),
    unpaired=True,
    one_sample=True,
    defaults=_OWN,
)
INDEPENDENT_SIMULATION = _block(
    "independent-simulation",
    "samples of each algorithm's own, from a known process",
    "samples",
    POPULATION,
    questions=_MANY,
    can=("{new}",),
    cannot=(_PROCESSES,),
    unpaired=True,
    defaults=_OWN,
)
RESAMPLE = _block(
    "resample",
    "samples drawn from one training set",
    "samples",
    SAMPLE,
    can=(_THIS, _NEW),
    cannot=(_SIZE, _DOMAINS),
    own=INDEPENDENT_RESAMPLE,
    one_sample=True,
    shares_rows=True,
)
REPETITION = _block(
    "repetition",
    "repetitions of a cross-validation, each averaged over its folds",
    "repetitions",
    SAMPLE,
    can=(_THIS, _NEW),
    cannot=(_SIZE, _DOMAINS),
    one_sample=True,
)
SIMULATION = _block(
    "simulation",
    "independent samples from a known process",
    "independent samples",
    POPULATION,
    questions=_MANY,
    can=("{new}",),
    cannot=(_PROCESSES,),
    own=INDEPENDENT_SIMULATION,
    plural="samples",
)
HELD_OUT = _block(
    "held-out",
    "held-out items, each tested by the model of its fold",
    "held-out items",
    FOLD_MODELS,
    unit="item",
    questions=Questions(1, 3),
    can=("equal mean {measure} of these fitted models, one of each fold, on new items",),
    cannot=("the algorithms on other training sets", _DOMAINS),
    one_sample=True,
    tells_size=False,
    note="models-of-folds",
    defaults=(Default("cv-clt", "it takes held-out items for independent given the models"),),
)
NESTED_FOLD = _block(
    "nested-fold",
    "fits of nested cross-validations",
    "fits",
    POPULATION,
    unit="fit",
    can=("no difference: an interval of one algorithm's expected {measure} is what they are for",),
    cannot=("differences between algorithms", _SIZE, _DOMAINS),
    one_sample=True,
    tells_size=False,
)
FOLD = _block(
    "fold",
    "folds that share training rows",
    "folds",
    POPULATION,
    unit="fold",
    can=("{new} (target population, approximately)",),
    cannot=("plain tests that take folds for independent", _SIZE, _DOMAINS),
    one_sample=True,
    shares_rows=True,
    by_item=HELD_OUT,
)
CROSSED = _block(
    "crossed",
    "items of one test set after each of several training sets",
    "items",
    POPULATION,
    questions=_MANY,
    can=("{new} and new items (target population)",),
    cannot=(_SIZE, _DOMAINS),
    defaults=(Default("delve-quasi-f", "it allows for the luck of training sets and of items"),),
)
TRAINING_SET = _block(
    "training-set",
    "disjoint training sets, all tested on one test set",
    "disjoint training sets",
    TEST_SET,
    unit="training set",
    questions=_MANY,
    can=("{new}, on this very test set (target test-set)",),
    cannot=(f"new items: for them compare {ITEM_BY_ITEM}", _DOMAINS),
    by_item=CROSSED,
    note="conditional-on-test-set",
)
ORIGIN = _block(
    "origin",
    "origins of forecasts in one series",
    "origins",
    POPULATION,
    unit="origin",
    can=("equal expected {measure} in the process behind the series",),
    cannot=(
        "plain tests that take origins for independent",
        "a process that changes, and other series",
    ),
    in_time=True,
    said=Said(
        "the process behind the series{of}, if it goes on as it did",
        "{finding} the process behind the series, if it goes on as it did.",
        "other series",
        given=("series",),
    ),
    defaults=(
        Default(
            "diebold-mariano-fixed",
            "it allows for scores that are correlated in time, by overlap or by themselves",
        ),
    ),
)
SPLIT = _block("split", "one random split", "splits", SAMPLE, unit="split", one_sample=True)
CONDITION_ITEM = _block(
    "condition-item",
    "scores of items under each of several conditions",
    "scores",
    NEW_CONDITIONS,
    unit="score",
    questions=Questions(1, 3),
    can=(
        "equal expected {measure} of these fitted models on new items and under new conditions",
        "the same under these very conditions (target test-set)",
    ),
    cannot=("conditions unlike those tried", _DOMAINS),
    tells_size=False,
    defaults=(Default("conditions-t", "it allows for the luck of items and of conditions"),),
)
ITEM = _block(
    "item",
    "items of one test set",
    "items",
    TEST_SET,
    unit="item",
    questions=Questions(1, 3),
    can=("equal expected {measure} of these fitted models on new items",),
    cannot=(
        "the algorithms on other training sets: one fit of each says nothing about that",
        _DOMAINS,
    ),
    tells_size=False,
    by_item=CONDITION_ITEM,
    plural="items",
    defaults=(
        Default(
            "judge-corrected",
            "people's scores of some items correct the judge's scores of all",
            lambda layout: layout.items.human is not None,
        ),
        Default(
            "influence-t",
            "the measure is no mean over items, and influence values tell how it varies",
            lambda layout: layout.items.linearised is not None,
        ),
        Default(
            "mcnemar-score",
            "one critical value gives verdicts and intervals that hold where models seldom differ",
            lambda layout: layout.is_right_or_wrong,
        ),
        Default(
            "cluster-t",
            "items of one cluster depend on each other, and clusters are what was drawn",
            lambda layout: layout.items.clusters is not None,
        ),
        Default("max-modulus", "its simultaneous intervals assume no equal variances"),
    ),
)
GENERAL = (
    Default(
        "hull",
        "it copes with skewed differences, unequal variances and missing runs, and gives intervals",
    ),
)
DATASET = _block(
    "dataset",
    "data sets",
    "data sets",
    DATASET_POPULATION,
    questions=Questions(9, 9),
    can=("equal expected {measure} over data sets like these",),
    cannot=("a difference on one single data set", "data sets unlike these"),
    sets=True,
    plural="data sets",
    defaults=(
        Default(
            "ranks",
            "it holds its level on real tables of any scales and finds more than tests of means",
        ),
    ),
)
NESTED = _block(
    "nested",
    "samples within data sets",
    "samples",
    DATASET_POPULATION,
    questions=Questions(9, 9),
    can=(
        "equal mean {measure} over just these data sets (target datasets)",
        "equal expected {measure} over data sets like these (target dataset-population)",
    ),
    cannot=("data sets unlike these",),
    sets=True,
    defaults=(
        Default("survey-random", "it tells how data sets differ from how their samples vary"),
    ),
)


# -- run blocks -----------------------------------------------------------------------------------
# Blocks that are runs (training runs, also item by item, and timed ones), choices, studies.


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

_MOST_JUDGES = 5  # that are named


def by_judges(names: Sequence[str]) -> Said:
    """What is said of choices by just these judges."""
    shown = [name.replace("{", "{{").replace("}", "}}") for name in names[:_MOST_JUDGES]]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    who = f"{', '.join(shown)}{more}"
    these = "this very judge" if len(names) == 1 else "these very judges"
    return Said(
        f"these very models and new prompts{{of}} like these, judged by {these} ({who})",
        f"{{finding}} these very models on new prompts like these, judged by {these} ({who}).",
        "other judges, other kinds of prompts, or other versions of the models",
        given=("models", "judges"),
    )


CHOICE = BLOCKS.add(
    "choice",
    Block(
        "choice",
        "battles, each between some of the algorithms",
        "choices",
        TEST_SET,
        unit="choice",
        tells_size=False,
        plural="choices",
        partial=True,
        said=Said(
            "these very models and new battles{of} like these: prompts and judges that are drawn "
            "as these were",
            "{finding} these very models in new battles like these.",
            "other kinds of judges and prompts, or other versions of the models",
            given=("models",),
        ),
        defaults=(
            Default("bradley-terry", "a battle tells who of two is stronger, not by how much"),
        ),
        scope=Scope(
            questions=Questions(1, 3),
            can=("equal strengths of these very models in new battles like these",),
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
