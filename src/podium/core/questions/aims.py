"""Targets: what a claim may be about.

Words are completed by `core/words/statements.py`: {of} is the data set, {area} the area of
application, {here} the data set in quotes, {finding} and {about} say whom it is about.
"""

from __future__ import annotations

from dataclasses import dataclass

from podium.core.base.registry import Registry


@dataclass(frozen=True)
class Said:
    """What a result is a statement about, and what may and may not be claimed."""

    about: str  # completes "This is a statement about"
    may: str
    may_not: str  # completes "It says nothing about"
    given: tuple[str, ...] = ()  # what the statement is conditional on


@dataclass(frozen=True)
class Target:
    """What a claim may be about."""

    name: str
    said: Said
    note: str = ""  # the code of what must be said besides
    needs: str = ""  # what scores must be had to say something of it


FITTED = "fitted models"  # what a statement may be conditional on
TARGETS: Registry[Target] = Registry("target")


def _target(
    name: str,
    about: str,
    may: str,
    may_not: str,
    given: tuple[str, ...] = (),
    note: str = "",
    *,
    needs: str,
) -> str:
    TARGETS.add(name, Target(name, Said(about, may, may_not, given), note, needs))
    return name


OTHER_SAMPLES = "new samples from the population behind the data, nor about other data sets"
SAMPLE = _target(
    "sample",
    "this training set{of}, conditional on it: about further resamples of it, not about new "
    "samples from the process behind it",
    "{finding} {here} as it is: {about} further resamples of these training data.",
    OTHER_SAMPLES,
    given=("training set",),
    needs="independent resamples of one data set, as of a bootstrap or repeated cross-validation",
)
TEST_SET = _target(
    "test-set",
    "these fitted models{of} and new items like those of the test set, not about the algorithms "
    "on other training sets",
    "{finding} these fitted models on new items like those that they were tested on.",
    "the algorithms on other training sets, nor about other data sets",
    given=(FITTED,),
    needs="one score of every item of a test set",
)
POPULATION = _target(
    "population",
    "new training sets from the process behind the data{of}",
    "{finding} the algorithms after training on new data from the process behind {here}.",
    "training sets of another size, nor about other data sets",
    needs="folds, splits or fresh samples of one data set",
)
FOLD_MODELS = _target(
    "fold-models",
    "these very fitted models{of}, one of each fold, on average, and new items like those held out",
    "{finding} these very fitted models, one of each fold, on new items like those held out.",
    "the algorithms on other training sets, nor about a model fitted to all rows",
    given=(FITTED,),
    needs="one score of every held-out item, with its fold",
)
DATASETS = _target(
    "datasets",
    "just these data sets",
    "{finding} just these data sets.",
    "other data sets",
    given=("data sets",),
    note="these-data-sets",
    needs="several samples on every data set",
)
DATASET_POPULATION = _target(
    "dataset-population",
    "the population of data sets that these represent{area}",
    "{on_average} data sets like these{area}.",
    "any single data set, nor about data sets unlike these",
    needs="scores on several data sets",
)
NEW_CONDITIONS = _target(
    "new-conditions",
    "these fitted models{of}, new items like those of the test set and new conditions like those "
    "that they were tried under (prompts, judges)",
    "{finding} these fitted models on new items and under new conditions like those tried.",
    "conditions unlike those tried, the algorithms on other training sets, nor about other data "
    "sets",
    given=(FITTED,),
    needs="one score of every item under each of several prompts or judges",
)
STUDY_POPULATION = _target(
    "study-population",
    "the mean over studies like these{area}, and what one more such study would show",
    "{on_average} studies like these{area}.",
    "any single study, nor about studies unlike these",
    needs="several studies, of which podium meta tells",
)
