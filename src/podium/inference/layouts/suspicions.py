"""Designs that should raise a question: each a record of how it is seen in a layout.

Nothing is dropped or changed: facts are told, and the reader knows what they are. What the names of
rows and the columns of a table give away is asked where it is read (`reading/tables`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.questions.targets import BLOCKS, DATASET, ITEM
from podium.words.facts import CAUTION, Note

Facts = Mapping[str, Any]
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
# adult-v2, adult_v1.0, adult part 3, adult_copy, adult (1), adult_2019, taxi-2020-03, taxi-jan
VERSION = re.compile(
    r"^(?P<of>.*[^-_ .])(?:"
    r"[-_ .]+(?:v|ver|version|rev|release|copy|part|subset|seed|run|fold)[-_ .]?\d+(?:[._]\d+)*"
    r"|[-_ .]+copy|[-_ .]*\(\d+\)"
    rf"|[-_ .]+(?:19|20)\d\d(?:[-_.]?(?:0[1-9]|1[0-2]|q[1-4]))?|[-_ .]+(?:{MONTHS})[a-z]{{0,6}}"
    r")$",
    re.IGNORECASE,
)
# what exists for a test set, and not for one of its items
OF_MANY_ITEMS = frozenset(["auc", "mcc", "kappa", "balancedaccuracy", "r2", "ece"])
MOST_ANSWERS, ROUNDED = 20, 6e-4  # of which a score is the mean, rounded to three decimals
FINE = 100  # scores of more than two decimals are hardly equal by chance


class Suspicion(NamedTuple):
    """The note that asks, and the facts where a layout looks like it."""

    code: str
    seen: Callable[[Layout], Facts | None]


def suspicions(layout: Layout) -> Iterator[Note]:
    """A note for every record whose design a layout looks like."""
    for each in SUSPICIONS:
        facts = each.seen(layout)
        if facts is not None:
            yield Note(each.code, CAUTION, **facts)


def _versions(layout: Layout) -> Facts | None:
    """Data sets whose names are versions or parts of one."""
    if layout.block != DATASET:
        return None
    groups: dict[str, list[str]] = defaultdict(list)
    for name in layout.labels:
        match = VERSION.match(name)
        groups[match["of"].lower() if match else name.lower()].append(name)
    largest = max(groups.values(), key=len, default=[])
    if len(largest) < 2:
        return None
    return {"names": (largest[0], largest[-1]), "versions": len(largest), "left": len(groups)}


def _copies(layout: Layout) -> Facts | None:
    """Blocks with the very scores of another block, to three decimals or more."""
    if layout.items.linearised is not None:  # influence values of items with one rank are alike
        return None
    kind = BLOCKS[layout.block]
    values = layout.values[~np.isnan(layout.values).any(axis=1)]
    if kind.partial or kind.unpaired or layout.is_binary or len(values) < 3:
        return None
    if _are_shares_of_few(values):
        return None
    off = np.abs(values * FINE - np.round(values * FINE))
    rows, times = np.unique(values[(off > 1e-9).all(axis=1)], axis=0, return_counts=True)
    copied = int((times - 1).sum())
    if not copied or len(rows) < 2:
        return None
    return {"copied": copied, "noun": kind.noun, "blocks": len(layout.values)}


def _are_shares_of_few(values: np.ndarray) -> bool:
    """Whether all are shares of the same few answers, as 5/6 is: many are equal by chance."""
    return any(
        bool((np.abs(values * n - np.round(values * n)) < n * ROUNDED).all())
        for n in range(2, MOST_ANSWERS + 1)
    )


def _ranks(layout: Layout) -> Facts | None:
    """Scores that are 1 to K in every block, tied ones with their mean."""
    count = len(layout.algorithms)
    if layout.items.linearised is not None:
        return None
    own = layout.sign * layout.values
    if count < 3 or len(own) < 3 or np.isnan(own).any() or (own < 1).any():
        return None
    if not (tails.ranks(own, axis=1) == own).all():
        return None
    return {"last": count, "higher": layout.measure.higher_is_better}


def _of_many_items(layout: Layout) -> Facts | None:
    """A measure that no single item has, in a table of items: predictions without their truth?"""
    known = layout.measure.spec
    if layout.block != ITEM or layout.items.linearised is not None or known not in OF_MANY_ITEMS:
        return None
    return {"measure": layout.measure.name}


SUSPICIONS = (
    Suspicion("versions-of-data", _versions),
    Suspicion("copied-blocks", _copies),
    Suspicion("ranks-as-scores", _ranks),
    Suspicion("measure-of-many-items", _of_many_items),
)
