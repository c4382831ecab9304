"""Designs that should raise a question: each a record of how it is seen and what it asks.

Nothing is dropped or changed: facts are told, and the reader knows what they are. Folds, seeds and
runs that are called data sets are asked about where a table is read (`reading/tables`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import Procedure
from podium.questions.targets import BLOCKS, DATASET, FOLD
from podium.words.facts import CAUTION, Note

Facts = Mapping[str, Any]
VERSION = re.compile(
    r"^(?P<of>.*[^-_ .])[-_ .]*(v|ver|version|copy|part|subset|fold|split|seed|sample)[-_ .]?\d+$",
    re.I,
)


class Suspicion(NamedTuple):
    """How a design is seen in a layout: facts where it is suspected, and what is asked."""

    code: str
    seen: Callable[[Layout, Procedure], Facts | None]
    asks: str  # in a sentence, with the facts


def suspicions(layout: Layout, procedure: Procedure) -> Iterator[Note]:
    """A note for every record whose design a layout looks like."""
    for each in SUSPICIONS:
        facts = each.seen(layout, procedure)
        if facts is not None:
            yield Note("suspicion", CAUTION, of=each.code, asks=each.asks.format(**facts), **facts)


def _versions(layout: Layout, _procedure: Procedure) -> Facts | None:
    """Data sets whose names are versions, parts or folds of one another."""
    if layout.block != DATASET:
        return None
    groups: dict[str, list[str]] = defaultdict(list)
    for name in layout.labels:
        match = VERSION.match(name)
        groups[match["of"].lower() if match else name.lower()].append(name)
    largest = max(groups.values(), key=len, default=[])
    if len(largest) < 2:
        return None
    return {"names": f"{largest[0]} to {largest[-1]}", "count": len(largest), "left": len(groups)}


def _copies(layout: Layout, _procedure: Procedure) -> Facts | None:
    """Blocks with the very scores of another block, to three digits or more."""
    kind = BLOCKS[layout.block]
    values = layout.values[~np.isnan(layout.values).any(axis=1)]
    if kind.partial or kind.unpaired or layout.is_binary or len(values) < 3:
        return None
    fine = (np.abs(values * 100 - np.round(values * 100)) > 1e-9).any(axis=1)
    rows, times = np.unique(values[fine], axis=0, return_counts=True)
    copied = int((times - 1).sum())
    if not copied or (len(rows) < 2 and copied < 2):
        return None
    return {"copied": copied, "noun": kind.noun, "count": len(layout.values)}


def _ranks(layout: Layout, procedure: Procedure) -> Facts | None:
    """Scores that are 1 to K in every block: ranks, of which means are no scores."""
    count = len(layout.algorithms)
    own = layout.sign * layout.values
    if count < 3 or len(own) < 3 or not (np.sort(own, axis=1) == np.arange(1, count + 1)).all():
        return None
    return {"count": count, "way": "highest" if layout.measure.higher_is_better else "lowest"}


def _repeated(layout: Layout, procedure: Procedure) -> Facts | None:
    """Repeated cross-validation by the corrected t: it finds less than one cross-validation."""
    sampling = layout.origin.sampling
    if layout.block != FOLD or sampling is None or sampling.name != "repeated-cv":
        return None
    if procedure.name != "corrected-t" or layout.halvings is not None:
        return None
    return {"sampling": str(sampling)}


SUSPICIONS = (
    Suspicion(
        "versions",
        _versions,
        "{names} look like {count} versions of one data set. If so, they count as one: "
        "{left} data sets are independent; keep one of them, or average them.",
    ),
    Suspicion(
        "copied-rows",
        _copies,
        "{copied} of {count} {noun} repeat the scores of another one to the last digit. Are they "
        "copies? If so, remove them: they carry no evidence of their own.",
    ),
    Suspicion(
        "ranks-as-scores",
        _ranks,
        "Every row holds the numbers 1 to {count}: are these ranks? Here the {way} is the best; "
        "give the scores themselves, if there are any.",
    ),
    Suspicion(
        "repeated-cv",
        _repeated,
        "The corrected t test of {sampling} finds less than that of a single cross-validation, as "
        "it allows for the largest dependence. For more power draw halves: {sampling}+halves:20.",
    ),
)
