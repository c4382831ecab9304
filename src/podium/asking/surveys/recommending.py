"""Which algorithm where: groups of data sets with an order of their own, and whom to take for a new
data set from its characteristics (eugster2008, section 4.1; boulesteix2013, section 6).

Groups are the leaves of a small tree on characteristics, grown for the least regret: how much worse
the best algorithm of a group is than the best of each data set. Whether that helps is judged on
data sets that were left out when the tree was grown and its depth was chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.orders.order import Order
from podium.core.questions.targets import DATASET
from podium.core.words.facts import REMARK, Note
from podium.core.words.notes.of_surveys import recommendation_lines, rule_text
from podium.core.words.saying import Presented

DEPTHS = (0, 1, 2)
LEAST = 3  # data sets of a group
FEWEST = 8  # data sets to learn from


@dataclass(frozen=True)
class Split:
    """A question to a data set; those at or below the threshold go left."""

    column: str
    threshold: float
    left: Split | Leaf
    right: Split | Leaf


@dataclass(frozen=True)
class Leaf:
    """A group of data sets, by number, and whom to take there."""

    rows: tuple[int, ...]
    best: int


@dataclass(frozen=True, eq=False, repr=False)
class Recommendation(Presented):
    """Whom to take where, and what that is worth on data sets not seen.

    Attributes
    ----------
    groups : of every group its rule, data sets, whom to take, and the order by mean there.
    judged : of every data set, left out, whom the rule recommends, and the regret of that and of
        the overall best (which has seen all): how far they are behind the best there.
    gain : the mean regret that recommending saves against the overall best, with its interval
        over data sets and p; `helps` is whether it surely does.
    """

    groups: pd.DataFrame
    judged: pd.DataFrame
    measure: str
    best: str
    gain: float
    gain_interval: tuple[float, float]
    p: float
    alpha: float
    tree: Split | Leaf
    algorithms: tuple[str, ...]
    centres: Mapping[str, float]
    notes: tuple[Note, ...] = field(default=())

    @property
    def helps(self) -> bool:
        """Whether recommending is surely better than always taking the overall best."""
        return self.gain > 0 and self.p <= self.alpha

    def recommend(self, characteristics: Mapping[str, float]) -> str:
        """Whom to take on a data set with these characteristics.

        Where recommending is no better than the overall best, it is the overall best.
        """
        return self.algorithms[self._leaf(characteristics)[0].best] if self.helps else self.best

    def unknown(self, characteristics: Mapping[str, float]) -> tuple[str, ...]:
        """What was asked of such a data set and is not known of it: the median answers."""
        return self._leaf(characteristics)[1] if self.helps else ()

    def _leaf(self, characteristics: Mapping[str, float]) -> tuple[Leaf, tuple[str, ...]]:
        node, unknown = self.tree, dict[str, None]()
        while isinstance(node, Split):
            value = characteristics.get(node.column)
            if value is None or not math.isfinite(float(value)):
                value, unknown[node.column] = self.centres[node.column], None
            node = node.left if float(value) <= node.threshold else node.right
        return node, tuple(unknown)

    def _lines_above(self) -> list[str]:
        regrets = self.judged[["regret", "regret_best"]].mean()
        return recommendation_lines(
            self.best, self.helps, (float(regrets.iloc[0]), float(regrets.iloc[1])),
            self.gain_interval, self.p, self.measure, len(self.judged), len(self.groups),
        )  # fmt: skip

    def _tables(self) -> dict[str, pd.DataFrame]:
        shown = self.groups.assign(datasets=[", ".join(d) for d in self.groups["datasets"]])
        return {"Groups": shown, "Left out one by one": self.judged}

    def _facts(self) -> dict[str, Any]:
        kept = ("measure", "best", "gain", "gain_interval", "p", "alpha", "helps")
        return {
            **{name: getattr(self, name) for name in kept},
            "groups": self.groups,
            "judged": self.judged,
            "warnings": self.notes,
        }


def recommend(
    layout: Layout,
    characteristics: pd.DataFrame,
    columns: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> Recommendation:
    """Groups and recommendations of a layout of data sets, from their characteristics."""
    values, table = _checked(layout, characteristics, columns)
    centres = table.median()
    x = table.fillna(centres).to_numpy(float)
    names = tuple(table.columns)
    tree = _grown(values, x, names, _depth(values, x, names))
    rows = np.arange(len(values))
    taken = np.array([_left_out(values, x, names, i) for i in range(len(values))])
    # the best of all data sets, not of the others: left out, a data set turns the best of two equal
    # ones against itself, and any rule would seem to help
    usual = np.full(len(values), values.mean(axis=0).argmax())
    top = values.max(axis=1)
    regret, regret_best = top - values[rows, taken], top - values[rows, usual]
    gain, interval, p = _gained(regret_best - regret, alpha)
    algorithms = layout.algorithms
    judged = pd.DataFrame(
        {
            "dataset": layout.labels,
            "recommended": [algorithms[i] for i in taken],
            "overall_best": [algorithms[i] for i in usual],
            "regret": regret,
            "regret_best": regret_best,
        }
    )
    return Recommendation(
        pd.DataFrame(_groups(tree, layout, values)), judged, layout.measure.name,
        algorithms[int(values.mean(axis=0).argmax())], gain, interval, p, alpha, tree, algorithms,
        {str(k): float(v) for k, v in centres.items()}, _notes(layout),
    )  # fmt: skip


def _checked(
    layout: Layout, characteristics: pd.DataFrame, columns: Sequence[str] | None
) -> tuple[np.ndarray, pd.DataFrame]:
    if layout.block != DATASET or not layout.labels:
        raise InferenceError(
            "A recommendation needs many data sets, and these rows are others: give one "
            "score of every data set and algorithm, or a store of many data sets."
        )
    if len(layout.values) < FEWEST:
        raise InferenceError(
            f"A recommendation needs at least {FEWEST} data sets, and there are "
            f"{len(layout.values)}: add data sets."
        )
    if layout.has_gaps:
        raise InferenceError(
            "Some data sets lack a score of an algorithm: leave them out (--exclude), or the "
            "algorithm."
        )
    table = characteristics.reindex(list(layout.labels))
    if columns is not None:
        for name in columns:
            if name not in table:
                known = ", ".join(map(str, table.columns))
                raise InferenceError(f"'{name}' is not a characteristic here. Known: {known}.")
        table = table[list(columns)]
    numbers = table.apply(pd.to_numeric, errors="coerce")
    kept = [c for c in numbers if numbers[c].nunique() > 1]
    if not kept:
        raise InferenceError(
            "No characteristic that is a number differs between these data sets, so none can "
            "separate them: give a table with a column dataset and such characteristics (--table)."
        )
    return layout.values, numbers[kept]


# -- the tree -------------------------------------------------------------------------------------


def _depth(values: np.ndarray, x: np.ndarray, names: Sequence[str]) -> int:
    """The depth with the least regret on data sets left out; the smallest of equals."""
    rows = np.arange(len(values))
    totals = []
    for depth in DEPTHS:
        taken = [_taken(values, x, names, i, depth) for i in range(len(values))]
        totals.append(float(-values[rows, taken].sum()))
    return DEPTHS[int(np.argmin(totals))]


def _left_out(values: np.ndarray, x: np.ndarray, names: Sequence[str], i: int) -> int:
    """Whom the rule recommends for a data set that it has not seen, nor its depth."""
    depth = _depth(np.delete(values, i, axis=0), np.delete(x, i, axis=0), names)
    return _taken(values, x, names, i, depth)


def _taken(values: np.ndarray, x: np.ndarray, names: Sequence[str], i: int, depth: int) -> int:
    """Whom a tree of the other data sets takes for data set i."""
    node = _grown(np.delete(values, i, axis=0), np.delete(x, i, axis=0), names, depth)
    while isinstance(node, Split):
        node = node.left if x[i, names.index(node.column)] <= node.threshold else node.right
    return node.best


def _grown(
    values: np.ndarray, x: np.ndarray, names: Sequence[str], depth: int,
    rows: np.ndarray | None = None,
) -> Split | Leaf:  # fmt: skip
    rows = np.arange(len(values)) if rows is None else rows
    own = values[rows]
    leaf = Leaf(tuple(rows.tolist()), int(own.mean(axis=0).argmax()))
    pair = _best_split(own, x[rows]) if depth and len(rows) >= 2 * LEAST else None
    if pair is None:
        return leaf
    column, threshold = pair
    left = x[rows, column] <= threshold
    parts = [_grown(values, x, names, depth - 1, rows[side]) for side in (left, ~left)]
    return Split(names[column], threshold, parts[0], parts[1])


def _best_split(values: np.ndarray, x: np.ndarray) -> tuple[int, float] | None:
    """The question whose two groups, each with its best, have the least regret together."""
    n = len(values)
    most, result = float(values.sum(axis=0).max()) + 1e-12, None
    for column in range(x.shape[1]):
        order = np.argsort(x[:, column], kind="stable")
        ordered = x[order, column]
        sums = values[order].cumsum(axis=0)
        both = sums[:-1].max(axis=1) + (sums[-1] - sums[:-1]).max(axis=1)
        sizes = np.arange(1, n)
        allowed = (ordered[:-1] < ordered[1:]) & (sizes >= LEAST) & (n - sizes >= LEAST)
        if not allowed.any():
            continue
        place = int(np.where(allowed, both, -np.inf).argmax())
        if both[place] > most:
            most, result = float(both[place]), (column, float(ordered[place : place + 2].mean()))
    return result


# -- what is told ---------------------------------------------------------------------------------


def _gained(gains: np.ndarray, alpha: float) -> tuple[float, tuple[float, float], float]:
    """The mean gain with its t interval over data sets, and p of no gain or a loss."""
    mean, n = float(gains.mean()), len(gains)
    error = float(gains.std(ddof=1)) / math.sqrt(n)
    if error == 0:
        return mean, (mean, mean), 0.0 if mean > 0 else 1.0
    reach = float(tails.t_isf(alpha / 2, float(n - 1))) * error
    return mean, (mean - reach, mean + reach), float(tails.t_sf(mean / error, float(n - 1)))


def _groups(
    node: Split | Leaf, layout: Layout, values: np.ndarray, rules: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    if isinstance(node, Split):
        text = rule_text(node.column, node.threshold)
        return [
            *_groups(node.left, layout, values, (*rules, text[0])),
            *_groups(node.right, layout, values, (*rules, text[1])),
        ]
    means = values[list(node.rows)].mean(axis=0)
    ranks = [int((means > own).sum()) for own in means]
    order = Order.from_ranks(layout.algorithms, ranks)
    return [
        {
            "rule": " and ".join(rules) or "all",
            "count": len(node.rows),
            "take": layout.algorithms[node.best],
            "order": order.text,
            "datasets": [layout.labels[i] for i in node.rows],
        }
    ]


def _notes(layout: Layout) -> tuple[Note, ...]:
    """Of a mean over data sets of unlike scales, that few of them carry it."""
    note = Note("regret-of-few", REMARK)
    return (note,) if layout.is_unmixable else ()
