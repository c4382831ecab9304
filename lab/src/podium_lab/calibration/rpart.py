"""Classification trees with R's rpart defaults, many at once: two classes, two attributes.

All trees grow together, level by level, as segments of flat arrays; what is left after pruning is
a set of boxes, and how many rows of a sample fall into a box is counted by sets of bits. One tree
costs some ten microseconds instead of the milliseconds of a fit and a prediction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MIN_SPLIT = 20  # rows, repeated ones counted, below which a node is not split
MIN_LEAF = 7
INNER = 10  # folds of a tree's own cross-validation
COMPLEXITY = 0.01  # a split must save more than this share of the root's errors: rpart's cp


@dataclass(frozen=True)
class Leaves:
    """The leaves of many trees: boxes low <= x < high, and the class (0 or 1) said there."""

    tree: np.ndarray
    low: np.ndarray  # leaves x attributes
    high: np.ndarray
    said: np.ndarray


@dataclass(frozen=True)
class _Level:
    """The nodes of one depth; those that are split have two nodes each of the next level."""

    tree: np.ndarray
    counts: np.ndarray  # nodes x classes
    low: np.ndarray
    high: np.ndarray
    split: np.ndarray

    @property
    def errors(self) -> np.ndarray:
        """The rows that the majority's class misses."""
        return self.counts.min(axis=1)

    @property
    def said(self) -> np.ndarray:
        """The majority's class, of equal ones the first."""
        return (self.counts[:, 1] > self.counts[:, 0]).astype(np.int64)


def leaves(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray, inner: np.ndarray | None = None
) -> Leaves:
    """The leaves of one pruned tree for every row of `weights`, whole numbers.

    `x` is samples x rows x 2 and `y` samples x rows: one sample for all trees or one for each.
    Splits by the Gini index at midpoints, the first of equals; grown while a node has `MIN_SPLIT`
    rows, pruned by errors at the complexity 0.01 of the root's (Breiman, Friedman, Olshen & Stone
    1984, Section 3.3; Therneau & Atkinson 1997).

    `inner` (trees, or 1, x `INNER` x rows) are the draws of each fold of the tree's own
    cross-validation: it is then pruned where that has the least errors, of equal ones to the
    smaller tree.
    """
    price = COMPLEXITY * np.minimum((weights * y).sum(axis=1), (weights * (1 - y)).sum(axis=1))
    levels = _grown(x, y, weights, price)
    complexities = _complexities(levels, price)
    if inner is not None:
        folds = np.broadcast_to(inner, (len(weights), *inner.shape[1:])).astype(np.int64)
        price = _chosen(x, y, weights, folds, _values(levels, complexities, price))
    return _kept(levels, complexities, price)


def _kept(levels: list[_Level], complexities: list[np.ndarray], price: np.ndarray) -> Leaves:
    """The leaves of trees whose splits are worth more than the price of each tree."""
    result, there = [], np.ones(len(levels[0].tree), bool)
    for level, worth in zip(levels, complexities, strict=True):
        goes_on = there & level.split & (worth > price[level.tree])
        ends = there & ~goes_on
        result.append([part[ends] for part in (level.tree, level.low, level.high, level.said)])
        there = np.repeat(goes_on[level.split], 2)
    return Leaves(*(np.concatenate(parts) for parts in zip(*result, strict=True)))


# -- complexities ---------------------------------------------------------------------------


def _complexities(levels: list[_Level], price: np.ndarray) -> list[np.ndarray]:
    """Of every node the price above which its split does not pay; that of leaves is the least.

    It is (errors - those of its leaves) / splits, after whichever child has a smaller complexity
    has collapsed, the smaller one first, as rpart computes it; no node outlives its parent.
    """
    values: list[np.ndarray] = []
    below = np.zeros((0, 2))  # errors and splits of what is there when a node itself collapses
    for level in reversed(levels):
        alone = np.stack([level.errors, np.zeros_like(level.errors)], axis=1)
        worth = price[level.tree].copy()
        split = np.flatnonzero(level.split)
        if len(split):
            children = below.reshape(-1, 2, 2)
            inside = values[-1].reshape(-1, 2)
            last = levels[len(levels) - len(values)].errors.reshape(-1, 2)
            own = _collapsed(alone[split, 0], children, inside, last)
            pays = own > worth[split]
            worth[split[pays]] = own[pays]
            sums = children.sum(axis=1) + np.array([0, 1])
            alone[split[pays]] = sums[pays]
        below = alone
        values.append(worth)
    values.reverse()
    for level, worth, child in zip(levels, values, values[1:], strict=False):
        np.minimum(child, np.repeat(worth[level.split], 2), out=child)
    return values


def _collapsed(
    errors: np.ndarray, children: np.ndarray, worth: np.ndarray, alone: np.ndarray
) -> np.ndarray:
    """The complexities of nodes; `children` (nodes x 2 x errors and splits) collapse on the way."""
    each = np.arange(len(errors))
    turn = np.where(worth[:, 1] > worth[:, 0], 0, 1)
    going = np.ones(len(errors), bool)
    for child in (turn, 1 - turn):
        gain = errors - children[:, :, 0].sum(axis=1)
        own = gain / (children[:, :, 1].sum(axis=1) + 1)
        going &= own > worth[each, child]
        at = each[going], child[going]
        children[at] = np.stack([alone[at], np.zeros(len(at[0]), alone.dtype)], axis=1)
    gain = errors - children[:, :, 0].sum(axis=1)
    return np.asarray(gain / (children[:, :, 1].sum(axis=1) + 1))


# -- a size chosen by cross-validation -------------------------------------------------------


def _values(levels: list[_Level], complexities: list[np.ndarray], price: np.ndarray) -> np.ndarray:
    """Distinct complexities, the largest first, the tree's own price last: trees x rows, or nan."""
    tree = np.concatenate([level.tree[level.split] for level in levels])
    worth = np.concatenate([c[le.split] for c, le in zip(complexities, levels, strict=True)])
    pays = worth > price[tree]
    pairs = np.concatenate(
        [
            np.stack([tree[pays], -worth[pays]], axis=1),
            np.stack([np.arange(len(price)), -price], axis=1),
        ]
    )
    pairs = np.unique(pairs, axis=0)
    of = pairs[:, 0].astype(np.int64)
    place = np.arange(len(of)) - np.searchsorted(of, of)
    table = np.full((len(price), place.max() + 1), np.nan)
    table[of, place] = -pairs[:, 1]
    return table


def _chosen(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray, folds: np.ndarray, table: np.ndarray
) -> np.ndarray:
    """For every tree the complexity with the least cross-validated errors, of equals the first.

    Row 1 is judged at ten times its complexity, others at the geometric mean of theirs and of the
    one before, all in proportion to what a fold leaves (Therneau & Atkinson 1997, Section 4).
    """
    at = np.concatenate([10 * table[:, :1], np.sqrt(table[:, :-1] * table[:, 1:])], axis=1)
    share = 1 - folds.sum(axis=2) / weights.sum(axis=1, keepdims=True)
    (trees, count, rows), many = folds.shape, len(x) > 1
    each = np.repeat(np.arange(trees), count)
    prices = (at[:, None] * share[..., None]).reshape(trees * count, -1)
    least = np.nanmin(prices, axis=1)  # splits that no row of the table keeps need not be grown
    sample = (x[each], y[each]) if many else (x, y)
    levels = _grown(*sample, (weights[:, None] - folds).reshape(-1, rows), least)
    held = folds.reshape(-1, rows)
    of, row = np.nonzero(held)
    wrong = _wrong(levels, _complexities(levels, least), prices, of, x[each[of] * many, row])
    missed = (wrong != y[each[of] * many, row][:, None]) * held[of, row][:, None]
    total = np.zeros(table.shape)
    np.add.at(total, each[of], missed)
    total[np.isnan(table)] = np.inf
    return np.asarray(table[np.arange(trees), total.argmin(axis=1)])


def _wrong(
    levels: list[_Level],
    complexities: list[np.ndarray],
    prices: np.ndarray,
    tree: np.ndarray,
    x: np.ndarray,
) -> np.ndarray:
    """What trees say of rows at each price: rows x prices."""
    node, price = tree, np.nan_to_num(prices[tree], nan=np.inf)
    text = np.repeat(levels[0].said[node][:, None], price.shape[1], axis=1)
    active = np.arange(len(node))
    for level, worth, below in zip(levels, complexities, levels[1:], strict=False):
        on = level.split[node]
        active, node = active[on], node[on]
        first = 2 * (np.cumsum(level.split) - 1)[node]
        keeps = worth[node][:, None] > price[active]
        node = first + (x[active] >= below.low[first + 1]).all(axis=1)
        text[active] = np.where(keeps, below.said[node][:, None], text[active])
    return text


# -- growing --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Open:
    """Nodes that may be split: their rows, node by node, sorted by each attribute in a node.

    How many rows and how many ones a row stands for is one 64-bit integer.
    """

    x: np.ndarray  # attributes x rows of all trees
    packed: np.ndarray
    orders: list[np.ndarray]  # for each attribute, rows of open nodes
    sizes: np.ndarray  # of the nodes, in rows that differ

    def parted(self, node: np.ndarray, open_: np.ndarray) -> _Open:
        """The open ones of new nodes; `node` is every row's new node, -1 where it has none."""
        count = np.count_nonzero(open_)
        # small integers are sorted by counting
        number = np.append(np.where(open_, np.cumsum(open_) - 1, count), count)
        number = number.astype(np.min_scalar_type(count))
        orders, sizes = [], np.zeros(count, np.int64)
        for order in self.orders:
            key = number[node[order]]
            sizes = np.bincount(key, minlength=count + 1)[:count]
            orders.append(order[np.argsort(key, kind="stable")[: sizes.sum()]])
        return _Open(self.x, self.packed, orders, sizes)

    def children(self, which: np.ndarray, at: np.ndarray) -> np.ndarray:
        """The node of every row at the next level: two for each that is cut."""
        cut, order = np.isfinite(at), self.orders[0]
        first = np.repeat(np.where(cut, 2 * np.cumsum(cut) - 2, -1), self.sizes)
        value = self.x[np.repeat(which, self.sizes), order]
        node = np.full(len(self.packed), -1)
        node[order] = first + ((value >= np.repeat(at, self.sizes)) & (first >= 0))
        return node


def _packed(rows: np.ndarray, ones: np.ndarray) -> np.ndarray:
    """Two numbers in one, so that one sum is the sums of both."""
    return rows + (ones << 32)


def _unpacked(packed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return packed & 0xFFFFFFFF, packed >> 32


def _roots(x: np.ndarray, y: np.ndarray, weights: np.ndarray, open_: np.ndarray) -> _Open:
    tree, row = np.nonzero(weights)
    sample = tree if len(x) > 1 else np.zeros_like(tree)
    drawn = weights[tree, row]
    place = np.full(weights.shape, -1)
    place[tree, row] = np.arange(len(row))
    orders = []
    for order in np.moveaxis(np.argsort(x, axis=1), 2, 0):
        result = np.take_along_axis(place, np.broadcast_to(order, place.shape), axis=1)
        orders.append(result[result >= 0])
    values = np.ascontiguousarray(x[sample, row].T)
    packed = _packed(drawn, drawn * y[sample, row])
    return _Open(values, packed, orders, np.bincount(tree)).parted(tree, open_)


def _grown(x: np.ndarray, y: np.ndarray, weights: np.ndarray, price: np.ndarray) -> list[_Level]:
    ones = (weights * y).sum(axis=1)
    counts = np.stack([weights.sum(axis=1) - ones, ones], axis=1)
    tree = np.arange(len(weights))
    low = np.full(counts.shape, -np.inf)
    high, levels, open_ = -low, [], _may_pay(counts, price)
    nodes = _roots(x, y, weights, open_)
    while True:
        which, at, left = _cuts(nodes, counts[open_])
        cut, split = np.isfinite(at), open_.copy()
        split[open_] = cut
        levels.append(_Level(tree, counts, low, high, split))
        if not split.any():
            return levels
        tree, low, high = (np.repeat(part[split], 2, axis=0) for part in (tree, low, high))
        counts = np.stack([left[cut], counts[split] - left[cut]], axis=1).reshape(-1, 2)
        first = 2 * np.arange(len(counts) // 2)
        high[first, which[cut]] = low[first + 1, which[cut]] = at[cut]
        open_ = _may_pay(counts, price[tree])
        nodes = nodes.parted(nodes.children(which, at), open_)


def _may_pay(counts: np.ndarray, price: np.ndarray) -> np.ndarray:
    """Whether a split may be worth a leaf: with fewer errors than its price none is."""
    return np.asarray((counts.sum(axis=1) >= MIN_SPLIT) & (counts.min(axis=1) > price))


def _cuts(nodes: _Open, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each node the attribute, the threshold and the counts on the left; infinite: no cut."""
    rows, ones = counts.sum(axis=1), counts[:, 1]
    if not len(rows):
        return ones, ones.astype(float), counts
    results = [_best(nodes, attribute, _packed(rows, ones)) for attribute in (0, 1)]
    purity, at, left = (np.stack(parts) for parts in zip(*results, strict=True))
    which = (purity[1] > purity[0]).astype(np.int64)
    each = np.arange(len(rows))
    gains = purity[which, each] > ones**2 / rows + 1e-9
    n, n_ones = _unpacked(left[which, each])
    return which, np.where(gains, at[which, each], np.inf), np.stack([n - n_ones, n_ones], axis=1)


def _best(
    nodes: _Open, attribute: int, total: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The largest purity, ones^2 / rows on both sides, its threshold and the counts on the left.

    Of two classes the Gini index is twice (ones - ones^2 / rows), summed over both sides.
    """
    order, sizes = nodes.orders[attribute], nodes.sizes
    starts = np.cumsum(sizes) - sizes
    x, packed = nodes.x[attribute][order], nodes.packed[order]
    left = np.cumsum(packed)
    left -= np.repeat(left[starts] - packed[starts], sizes)
    (n_left, left_ones), (n_right, right_ones) = map(
        _unpacked, (left, np.repeat(total, sizes) - left)
    )
    apart = (n_left >= MIN_LEAF) & (n_right >= MIN_LEAF)
    apart[:-1] &= x[1:] > x[:-1]
    n_left[~apart] = n_right[~apart] = 1
    purity = np.where(apart, left_ones**2 / n_left + right_ones**2 / n_right, -1.0)
    best = np.maximum.reduceat(purity, starts)
    equal = np.flatnonzero(purity == np.repeat(best, sizes))
    place = equal[np.searchsorted(equal, starts)]
    at = (x[place] + x[np.minimum(place + 1, len(x) - 1)]) / 2
    return best, at, left[place]


# -- counting -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counter:
    """A sample of two attributes and classes in which rows of boxes are counted.

    `below[j][r]` is the set of the rows that are among the r smallest in attribute j, 64 rows in
    a word.
    """

    values: np.ndarray  # attributes x rows, sorted
    below: np.ndarray  # attributes x (rows + 1) x words
    classes: np.ndarray  # classes x words

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray) -> Counter:
        """The sets of a sample: `x` rows x 2, `y` 0 or 1."""
        order = np.argsort(x, axis=0).T
        each = bits(np.eye(len(x), dtype=bool))
        below = np.zeros((2, len(x) + 1, each.shape[1]), np.uint64)
        np.bitwise_or.accumulate(each[order], axis=1, out=below[:, 1:])
        return cls(np.take_along_axis(x.T, order, axis=1), below, bits(np.stack([y == 0, y == 1])))

    def wrong(self, result: Leaves) -> np.ndarray:
        """For every leaf the set of the rows in its box that have the other class."""
        sets = self.classes[1 - result.said]
        for values, below, low, high in zip(
            self.values, self.below, result.low.T, result.high.T, strict=True
        ):
            sets &= below[np.searchsorted(values, high)] ^ below[np.searchsorted(values, low)]
        return sets


def bits(flags: np.ndarray) -> np.ndarray:
    """Rows of flags as rows of 64-bit words."""
    packed = np.packbits(flags, axis=-1)
    room = np.zeros((*packed.shape[:-1], -(-packed.shape[-1] // 8) * 8), np.uint8)
    room[..., : packed.shape[-1]] = packed
    return room.view(np.uint64)


def errors(wrong: np.ndarray, tree: np.ndarray, trees: int) -> np.ndarray:
    """For every tree the size of its leaves' sets together."""
    sizes = np.bitwise_count(wrong).sum(axis=1, dtype=np.int64)
    return np.bincount(tree, sizes, minlength=trees)
