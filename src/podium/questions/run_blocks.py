"""Blocks that are runs (training runs, also item by item, and timed ones), choices, studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from podium.questions.aims import SAMPLE, STUDY_POPULATION, TEST_SET, Said
from podium.questions.blocks import BLOCKS, THIS_SAMPLE, Block, Default, Questions, Scope

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
