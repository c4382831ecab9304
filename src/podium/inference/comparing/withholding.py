"""What verdicts do not survive: many gaps, too few blocks, or that a rival is left out.

An algorithm that was not run, or not finished, where it does badly looks better than it is, and no
test of the scores that are there sees it. So a verdict in its favour stands only where it lacks at
most one block in twenty of those that its rival has; with so few gaps it must survive their worst
case, by the test itself (`procedures/block_tests.py`) or by the same test once more with its gaps
filled. Verdicts against it stand. Fewer than four data sets carry no verdict at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from podium.inference.bricks.contrasts import Pair
from podium.inference.comparing.decision import BETTER, SIGNIFICANT, UNDECIDED, WITHHELD
from podium.inference.comparing.notes import LEAST_DATASETS
from podium.inference.comparing.request import Request
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.block_tests import moderated_ranks
from podium.inference.procedures.procedure import Procedure
from podium.questions.options import COMPLETE, WORST
from podium.questions.targets import BLOCKS, DATASET, DATASET_POPULATION

MOST_LACKING = 0.05  # share of the rival's blocks
SAME = ("p", "p_adjusted", "p_equivalence")
EQUIVALENT = "equivalent"


@dataclass(frozen=True, eq=False)
class Common:
    """Blocks that both of a pair have, and that only one of them has."""

    both: np.ndarray
    lacks_first: np.ndarray
    lacks_second: np.ndarray

    @classmethod
    def of(cls, values: np.ndarray, pairs: Sequence[Pair]) -> Common:
        """Of blocks x algorithms; a missing cell is NaN."""
        here = (~np.isnan(values)).astype(float)
        first, second = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
        both, own = (here.T @ here)[first, second], here.sum(axis=0)
        return cls(both, own[second] - both, own[first] - both)

    def lacking(self, side: int) -> np.ndarray:
        """Whether the first (1) or the second (-1) lacks too many of the other's blocks."""
        gaps = self.lacks_first if side > 0 else self.lacks_second
        return np.asarray(gaps > MOST_LACKING * (self.both + gaps))


def withhold(
    columns: dict[str, np.ndarray],
    verdicts: list[str],
    whole: Layout,
    pairs: Sequence[Pair],
    turns: tuple[int, int],
    gaps: str | None,
    *,
    modelled: bool = False,
) -> tuple[dict[str, np.ndarray], list[str]]:
    """The columns and verdicts of evidence, less what may not be said.

    `turns` are the sign that turns estimates into larger-is-better and the direction that a
    one-sided test looks at (0: both). A procedure that has `modelled` gaps treats them itself.
    """
    if not pairs:
        return columns, verdicts
    sign, turn = turns
    made = {name: np.array(each, dtype=float) for name, each in columns.items()}
    by_dataset = whole.by_dataset()
    common = Common.of(by_dataset, pairs)
    values = np.array(verdicts, dtype=object)
    if not modelled and _has_gaps(whole, gaps):
        ahead = np.full(len(values), turn) if turn else np.sign(sign * made["estimate"])
        for side in (1, -1):
            chosen = (ahead == side) & common.lacking(side)
            _blank(made, chosen, [*SAME, "lower" if side == sign else "upper"])
            values[chosen] = WITHHELD
    if whole.block == DATASET or whole.target == DATASET_POPULATION:
        shared = common.both if not modelled else np.full(len(values), len(by_dataset))
        few = shared < LEAST_DATASETS
        _blank(made, few, [*SAME, "lower", "upper"])
        values[few & (values != WITHHELD)] = UNDECIDED
    return made, list(map(str, values))


def survived(
    columns: dict[str, np.ndarray],
    verdicts: list[str],
    whole: Layout,
    pairs: Sequence[Pair],
    turns: tuple[int, int],
    again: Callable[[Layout], tuple[Mapping[str, np.ndarray], list[str]] | None],
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Columns and verdicts that hold with the gaps of whom they favour filled by the worst.

    `again` judges a layout by the same test. The larger p-value counts, and limits are the hull.
    """
    sign, turn = turns
    made = {name: np.array(each, dtype=float) for name, each in columns.items()}
    values = np.array(verdicts, dtype=object)
    first, second = np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T
    ahead = np.full(len(values), turn) if turn else np.sign(sign * made["estimate"])
    for column in np.flatnonzero(np.isnan(whole.values).any(axis=0)):
        own = np.where(first == column, ahead == 1, (second == column) & (ahead == -1))
        chosen = own | ((values == EQUIVALENT) & ((first == column) | (second == column)))
        result = again(_worst_of(whole, int(column))) if chosen.any() else None
        if result is None:
            continue
        other, anew = result
        for name in SAME:
            if name in made:
                made[name] = np.where(chosen, np.fmax(made[name], other[name]), made[name])
        for name, hull in (("lower", np.fmin), ("upper", np.fmax)):
            known = ~np.isnan(made[name])
            made[name] = np.where(chosen & known, hull(made[name], other[name]), made[name])
        values[chosen & (values != np.array(anew, dtype=object))] = UNDECIDED
    return made, list(map(str, values))


def _worst_of(layout: Layout, column: int) -> Layout:
    """The gaps of an algorithm filled by its worst difference from any rival that was there."""
    values = layout.values.copy()
    gone = np.isnan(values[:, column]) & (~np.isnan(values)).any(axis=1)
    difference = values[:, [column]] - values
    shared = ~np.isnan(difference).all(axis=0)
    shared[column] = False
    if not shared.any():
        return layout
    rivals = values[:, shared] + np.nanmin(difference[:, shared], axis=0)
    least = np.where(np.isnan(rivals), np.inf, rivals).min(axis=1)
    least = np.maximum(least, min(layout.sign * end for end in layout.measure.bounds))
    values[gone, column] = np.where(np.isinf(least), np.nan, least)[gone]
    return replace(layout, values=values)


def fills_gaps(whole: Layout, gaps: str | None, *, modelled: bool) -> bool:
    """Whether verdicts are held against the worst of what is missing."""
    return not modelled and _has_gaps(whole, gaps)


def _has_gaps(whole: Layout, gaps: str | None) -> bool:
    """Whether runs are merely missing; blocks that are partial by design lack nothing."""
    kind = BLOCKS[whole.block]
    designed = kind.partial or kind.unpaired or whole.stopped.plan is not None
    filled = gaps in (COMPLETE, WORST) or whole.items.human is not None
    return whole.has_gaps and not designed and not filled


def _blank(columns: dict[str, np.ndarray], which: np.ndarray, names: Sequence[str]) -> None:
    for name in names:
        if name in columns:
            columns[name] = np.where(which, np.nan, columns[name])


# -- ranks without one of the others --------------------------------------------------------------

LEAST_SIGNS = 6  # blocks: with fewer the sign test of the two that are left decides nothing
MOST_ALGORITHMS = 40  # among more a single one hardly moves a mean rank
Falls = tuple[tuple[str, str, str], ...]  # who is better, than whom, and without whom no more


def fragile(layout: Layout, procedure: Procedure, request: Request, verdicts: list[str]) -> Falls:
    """Significant pairs that are not so without another algorithm, at that analysis's own level."""
    names, count = layout.algorithms, len(layout.algorithms)
    if procedure.judge.test is not moderated_ranks or not 2 < count <= MOST_ALGORITHMS:
        return ()
    chosen = [(p, v) for p, v in zip(request.pairs, verdicts, strict=True) if v in SIGNIFICANT]
    own = -1 if request.alternative == "less" else 1
    turn = 0 if request.two_sided else own * layout.sign
    falls = []
    fewest = len(layout.values) < LEAST_SIGNS
    for gone in range(0 if not chosen or (count == 3 and fewest) else count):
        kept = [i for i in range(count) if i != gone]
        place = {i: at for at, i in enumerate(kept)}
        left = [(pair, verdict) for pair, verdict in chosen if gone not in pair]
        if not left:
            continue
        pairs = tuple((place[i], place[j]) for (i, j), _ in left)
        test = moderated_ranks(layout.only(kept), _Pairs(pairs, request))
        turn = (
            0 if request.two_sided else layout.sign * (-1 if request.alternative == "less" else 1)
        )
        p = test.p(np.zeros(len(pairs)), turn)
        family = sum(gone not in pair for pair in request.pairs)
        adjusted = -np.expm1(family * np.log1p(-np.minimum(p, 1 - 1e-16)))
        for ((i, j), verdict), still in zip(left, adjusted <= request.alpha, strict=True):
            if not still:
                first, second = (i, j) if verdict == BETTER else (j, i)
                falls.append((names[first], names[second], names[gone]))
    return tuple(sorted(falls, key=lambda each: tuple(map(names.index, each))))


class _Pairs:
    """Some pairs of a request."""

    def __init__(self, pairs: tuple[tuple[int, int], ...], request: Request) -> None:
        self.pairs, self.null = pairs, request.null
        self.alternative, self.alpha = request.alternative, request.alpha
