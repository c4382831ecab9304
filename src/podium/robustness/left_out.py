"""left_out: what becomes of an order without each algorithm, and without each data set, in turn.

Whether a is better than b should not depend on a third algorithm. Where algorithms are ranked
within blocks, share a variance or an adjustment, or drop blocks by their gaps, it can (Benavoli,
Corani and Mangili 2016 on mean ranks).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import PodiumError
from podium.base.progress import Progress
from podium.inference.bricks.nulls import RANDOM, parse_null
from podium.inference.comparing.compare import compare
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.options import Options
from podium.orders.decide import decide as decide_comparisons
from podium.orders.distances import distance
from podium.orders.order import Order
from podium.robustness.words import left_out_heading
from podium.verdicts.reanalysis import USUAL, about, pinned, procedure_of, refuse_stopped, tried
from podium.words.facts import DETAIL, Note
from podium.words.presentation import Presented

PAIR = ["first", "second"]
SAID = ["verdict", "p", "p_adjusted"]  # of a pair, with all and without one
SHOWN = 20  # changes


@dataclass(frozen=True, eq=False, repr=False)
class LeftOut(Presented):
    """An order with each algorithm, or data set, left out in turn.

    Attributes
    ----------
    comparisons, order : with everything.
    table : one row per algorithm or data set: the order without it, the distance (symmetric
        difference) from the full order of the same algorithms, how many pairs change their verdict.
    changes : one row per such pair: its verdict and p-values with everything, and without.
    """

    comparisons: Comparisons
    order: Order
    table: pd.DataFrame
    changes: pd.DataFrame
    notes: tuple[Note, ...]

    @property
    def heading(self) -> str:
        """One line: the order and what it is of."""
        return left_out_heading(self.order.text, self.comparisons.heading)

    def _said(self) -> list[str]:
        return [self.heading]

    def _facts(self) -> dict[str, Any]:
        return {
            **about(self.comparisons),
            "order": self.order.to_dict(),
            "left_out": self.table,
            "changes": self.changes,
            "warnings": self.notes,
        }

    def _tables(self) -> dict[str, pd.DataFrame]:
        more = len(self.changes) - SHOWN
        title = f"Pairs that change their verdict{f' ({more} more)' if more > 0 else ''}"
        changes = {title: self.changes.head(SHOWN)} if len(self.changes) else {}
        return {"Left out in turn": self.table, **changes}


@dataclass(frozen=True, eq=False)
class Case:
    """What is analysed again: a layout that lacks one thing."""

    kind: str  # algorithm | dataset
    name: str
    layout: Layout
    pairs: Sequence[tuple[str, str]] | None = None  # that are left

    def compared(self, options: Options) -> Comparisons:
        """The comparisons of what is left, by the same options."""
        pairs = options.pairs if self.pairs is None else self.pairs
        return compare(self.layout, replace(options, pairs=pairs))


def left_out(
    layout: Layout, options: Options = USUAL, *, progress: Progress | None = None
) -> LeftOut:
    """The order with each algorithm left out in turn and, where there are several, each data set.

    Legal wherever `compare` is, for folds too. The procedure, null and adjustment of the full
    analysis are kept throughout. `progress` is told `(done, total)` after every analysis.
    """
    refuse_stopped(layout)
    full, used = pinned(layout, options)
    order = decide_comparisons(full)
    cases = [*_algorithms(layout, options), *_datasets(layout)]
    rows, changes, failures = [], [_changes(full, full, "", "")], []
    for case, result in tried(cases, lambda case: case.compared(used), progress):
        if isinstance(result, PodiumError):  # such as too few data sets left
            failures.append((case.name, str(result)))
            rows.append((case.kind, case.name, "", np.nan, np.nan))
        else:
            changed = _changes(full, result, case.kind, case.name)
            changes.append(changed)
            rows.append((case.kind, case.name, *_without(order, result), float(len(changed))))
    table = pd.DataFrame(rows, columns=["kind", "left_out", "order", "distance", "changed"])
    every = pd.concat(changes, ignore_index=True)
    text = _notes(layout, used, table, every, failures)
    return LeftOut(full, order, table, every, (*text, *full.warnings))


def _algorithms(layout: Layout, options: Options) -> Iterator[Case]:
    """Without each algorithm, as long as something is left to compare."""
    pairs = options.pairs
    for i, name in enumerate(layout.algorithms):
        others = [column for column in range(len(layout.algorithms)) if column != i]
        kept = None if pairs is None else [pair for pair in pairs if name not in pair]
        if len(others) < 2 or name == options.control or kept == []:
            continue
        part = replace(layout.only(others), notes=()).begun()
        yield Case("algorithm", name, part, kept)


def _datasets(layout: Layout) -> Iterator[Case]:
    """Without each data set, where there are several."""
    nested = layout.nested.within is not None
    if layout.block != "dataset" and not nested:
        return
    count = len(layout.values)
    names = layout.nested.datasets if nested else layout.labels
    names = names or tuple(f"data set {i + 1}" for i in range(count))
    for i, name in enumerate(names):
        others = (*names[:i], *names[i + 1 :])
        part = _samples_without(layout, i, others) if nested else _blocks_without(layout, i, others)
        yield Case("dataset", name, replace(part, notes=()))


def _blocks_without(layout: Layout, i: int, others: tuple[str, ...]) -> Layout:
    return replace(layout, values=np.delete(layout.values, i, axis=0), labels=others)


def _samples_without(layout: Layout, i: int, others: tuple[str, ...]) -> Layout:
    """Samples within data sets without those of one data set, the others numbered anew."""
    within = np.asarray(layout.nested.within)
    kept = within != i
    number = within[kept] - (within[kept] > i)
    return replace(
        layout,
        values=layout.values[kept],
        nested=replace(layout.nested, within=number, datasets=others),
    )


def _without(order: Order, comparisons: Comparisons) -> tuple[str, float]:
    """The order without something, and its distance from what the full order says of the rest."""
    other = decide_comparisons(comparisons)
    full = order.restricted(other.algorithms)
    # with the full means, so that equal orders are equal texts
    names = Order(other.algorithms, other.better, full.means, other.uncompared)
    return names.text, distance(full, other)


def _changes(full: Comparisons, comparisons: Comparisons, kind: str, name: str) -> pd.DataFrame:
    """The pairs whose verdict is not that of the full analysis."""
    both = comparisons.table[PAIR + SAID].merge(
        full.table[PAIR + SAID], on=PAIR, suffixes=("_without", "")
    )
    changed = both[both["verdict"] != both["verdict_without"]]
    columns = [*PAIR, *(column + end for column in SAID for end in ("", "_without"))]
    table = changed[columns].reset_index(drop=True)
    table.insert(0, "kind", kind)
    table.insert(1, "left_out", name)
    return table


def _notes(
    layout: Layout,
    options: Options,
    table: pd.DataFrame,
    changes: pd.DataFrame,
    failures: list[tuple[str, str]],
) -> Iterator[Note]:
    yield from _about_alternatives(options, changes[changes["kind"] == "algorithm"])
    gone = set(table["left_out"][table["kind"] == "algorithm"])
    stayed = tuple(name for name in layout.algorithms if name not in gone)
    if stayed:
        yield Note("not-left-out", algorithms=stayed)
    if failures:
        yield Note(
            "not-computed",
            failed=len(failures),
            analyses=len(table),
            left_out=failures[0][0],
            reason=failures[0][1],
        )


def _about_alternatives(options: Options, changes: pd.DataFrame) -> Iterator[Note]:
    """Why a pair may change its verdict without an algorithm that is not in it."""
    if changes.empty:
        return
    p, without = (changes[column].to_numpy(float) for column in ("p", "p_without"))
    moved = int((~np.isclose(p, without, rtol=1e-9, atol=0, equal_nan=True)).sum())
    name = procedure_of(options).name
    yield Note("irrelevant-alternatives", changes=len(changes), moved=moved, procedure=name)
    null, alpha = parse_null(str(options.null)), options.alpha
    if null.name in RANDOM:
        error = (alpha * (1 - alpha) / null.draws) ** 0.5
        yield Note("drawn-null", DETAIL, null=str(null), error=error)
