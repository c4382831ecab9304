"""Halvings: the rows are halved at random several times, with a cross-validation inside each half.

They stand beside the samples of a design, `repeated-cv:5x5+halves:10`, and tell how much a
difference varies between samples that have no row in common. Their samples are numbered from -1
downwards, so that a design may have any number of samples beside them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from podium.core.base.errors import DesignError
from podium.core.base.formatting import read_digits
from podium.core.questions.targets import BLOCKS

FOLDS = 5  # inside each half
SIDES = 2
EACH = SIDES * FOLDS  # samples of a halving
USUAL = 10
LEAST = 2
OPTION = "halves"


class Place(NamedTuple):
    """Where a sample stands: its halving, the half and the fold inside it, all from 1."""

    halving: int
    side: int
    fold: int


def place(sample: int) -> Place:
    """Where a sample of halvings stands.

    >>> place(-1), place(-17)
    (Place(halving=1, side=1, fold=1), Place(halving=2, side=2, fold=2))
    """
    halving, within = divmod(-sample - 1, EACH)
    return Place(halving + 1, within // FOLDS + 1, within % FOLDS + 1)


def samples(halvings: int) -> range:
    """The numbers of the samples of so many halvings."""
    return range(-1, -halvings * EACH - 1, -1)


def taken(options: list[str], text: str) -> tuple[int, list[str]]:
    """The number of halvings among the options of a sampling, and the other options."""
    requests = [o for o in options if o.partition(":")[0].strip() == OPTION]
    if not requests:
        return 0, options
    number = requests[0].partition(":")[2].strip() or str(USUAL)
    if len(requests) > 1 or not (number.isascii() and number.isdecimal()):
        raise DesignError(
            f"The sampling '{text}' cannot be read: behind {OPTION} stands one number of halvings. "
            f"An example: repeated-cv:5x5+{OPTION}:{USUAL}."
        )
    return read_digits(number), [o for o in options if o not in requests]


def spelled(halvings: int) -> str:
    """The option of so many halvings, as it is written behind a sampling."""
    return f"+{OPTION}:{halvings}" if halvings else ""


def check(sampling: Any) -> None:
    """Refuse a number of halvings that is none, and samplings that they say nothing of."""
    number = sampling.halves
    if type(number) is not int or number < 0 or number in range(1, LEAST):
        raise DesignError(
            f"The sampling '{sampling.name}' is wrong: {OPTION} must be a whole number of at least "
            f"{LEAST}, not {number!r}. An example: repeated-cv:5x5+{OPTION}:{USUAL}."
        )
    if number and not suits(sampling):
        raise DesignError(
            f"The sampling '{sampling.name}' goes with no halvings: they go with samples that "
            "share the rows of one training set and stand for new ones, as those of "
            "repeated-cv:5x5, subsampling:30x0.8 and bootstrap:250 do."
        )


def suits(sampling: Any) -> bool:
    """Whether halvings say something of a sampling: samples share rows, and stand for new ones."""
    kind = sampling.kind
    claims = kind.claims
    alone = claims.no_population or claims.no_test or kind.merges_test or not kind.runnable
    return BLOCKS[kind.block].shares_rows and not alone and not sampling.independent


def identity(sampling: Any) -> str:
    """What halvings depend on: nothing of the design but how it treats classes and groups."""
    kept = [o for o in ("stratified", "grouped") if getattr(sampling, o)]
    return "+".join([OPTION, *kept])
