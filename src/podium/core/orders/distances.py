"""Distances between orders, their matrix, and the clusters that they make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from podium.core.base.errors import InferenceError
from podium.core.base.registry import Registry
from podium.core.orders.order import Order
from podium.core.orders.order import order as parse_order
from podium.core.orders.relations import levels
from podium.core.words.phrases import UNICODE, quoted

Floats = NDArray[np.float64]
Relations = NDArray[np.bool_]  # orders x algorithms x algorithms: which is better
Distance = Callable[[Relations], Floats]

DISTANCES: Registry[Distance] = Registry("distance between orders")
SYMMETRIC_DIFFERENCE = "symmetric-difference"
BY_POSITIONS = ("cook-kress", "cook-seiford")  # that need the place of every algorithm


@DISTANCES.named(SYMMETRIC_DIFFERENCE)
def symmetric_differences(better: Relations) -> Floats:
    """The number of ordered pairs in exactly one of two ≤-relations (Kemeny and Snell 1962).

    Two algorithms add 2 where the orders contradict each other and 1 where only one of them
    ties the two. Counted on the relations "better" it is the same number.
    """
    flat = better.reshape(len(better), -1).astype(float)
    sizes = flat.sum(axis=1)
    return sizes[:, None] + sizes - 2 * (flat @ flat.T)


@DISTANCES.named("kendall")
def kendall(better: Relations) -> Floats:
    """1 - tau-b (Kendall 1945): 0 for the same order, 1 for unrelated and 2 for opposite ones.

    Kendall's K with penalty 1/2 for a tie (Fagin et al. 2006) would be half the symmetric
    difference; tau-b also divides by the pairs that each order tells apart. An order that ties
    all algorithms tells nothing: its distance is 1 from every other and 0 from its like.
    """
    flat = (better.astype(float) - better.transpose(0, 2, 1)).reshape(len(better), -1)
    products = flat @ flat.T
    size = np.sqrt(np.diag(products))
    scale = np.outer(size, size)
    tau = np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)
    tau[np.ix_(size == 0, size == 0)] = 1.0
    return np.asarray(np.where(np.isclose(tau, 1.0), 0.0, 1.0 - tau))


@DISTANCES.named("cook-kress")
def cook_kress(better: Relations) -> Floats:
    """Half the sum of |a_ij - b_ij|, a_ij how many positions i is ahead of j (Cook, Kress 1985).

    Three layers ahead in one order and one in the other adds 2: unlike the symmetric difference it
    heeds how far apart two algorithms are. Each pair counts once, so for K = 2 it is the symmetric
    difference. In their model a voter may leave positions empty to show intensity. Orders have no
    empty ones: positions are the layers, counted without gaps, and where two layers are joined all
    later ones move up; with s algorithms behind the joint that adds s (K - s). The least distance
    of weak orders is K - 1, the largest (K^3 - K) / 3. It is a metric of weak orders; others are
    as far apart as their layers are, and two with the same layers have distance 0.
    """
    place = np.array([levels(relation) for relation in better], dtype=float)
    ahead = (place[:, None, :] - place[:, :, None]).reshape(len(place), -1)
    return _city_blocks(ahead) / 2  # every pair was counted from both ends


@DISTANCES.named("cook-seiford")
def cook_seiford(better: Relations) -> Floats:
    """The sum of the differences of mean ranks (Cook and Seiford 1978): Spearman's footrule."""
    ahead = better.sum(axis=1).astype(float) - better.sum(axis=2)
    return _city_blocks(ahead / 2)  # mean rank = (K + 1) / 2 + (better ones - worse ones) / 2


def _city_blocks(rows: Floats) -> Floats:
    from scipy.spatial.distance import pdist, squareform

    return np.asarray(squareform(pdist(rows, "cityblock")))


def distance(first: Order | str, second: Order | str, kind: str = SYMMETRIC_DIFFERENCE) -> float:
    """The distance between two orders of the same algorithms.

    >>> distance("a ≻ b ≻ c", "b ≻ a ≈ c")
    3.0
    """
    return float(distances([first, second], kind)[0, 1])


def distances(orders: Sequence[Order | str], kind: str = SYMMETRIC_DIFFERENCE) -> Floats:
    """The matrix of distances between orders of the same algorithms.

    Pairs that none of the orders compares add nothing; that some compare is refused, and so are
    texts with ≿ and, for distances by positions, all pairs that were not compared.
    """
    compute = DISTANCES[kind]
    read = [parse_order(order) for order in orders]
    better = relations(read)
    refuse_mixed(read, "distance")
    _refuse_uncompared(read, kind)
    return compute(better)


def unlike(order: Order, other: Order) -> str:
    """The pairs that another order tells otherwise, such as `a < b, c ≈ d`: ≿ hides some."""
    differs = order.better ^ other.better
    pairs = np.argwhere(np.triu(differs | differs.T))
    return ", ".join(_message(other, order.algorithms[i], order.algorithms[j]) for i, j in pairs)


def _message(order: Order, *pair: str) -> str:
    """One pair of an order as text; most are decided, and need no order of their own."""
    i, j = (order.algorithms.index(name) for name in pair)
    if order.better[i, j] != order.better[j, i]:
        first, second = pair if order.better[i, j] else pair[::-1]
        return f"{quoted(first)} {UNICODE.before} {quoted(second)}"
    return order.restricted(pair).text


def refuse_mixed(orders: Sequence[Order], what: str) -> None:
    """Refuse orders that were read from a text with ≿: it does not tell their relation."""
    for order in orders:
        if order.leaves_open:
            first, second = min(order.uncompared)
            raise InferenceError(
                f"The text '{order.text}' does not say whether '{first}' and '{second}' differ "
                f"significantly (≿), so there is no {what}: take the order itself, or its table "
                "of pairs (order.pairs_table(), Order.from_pairs)."
            )


def _refuse_uncompared(orders: Sequence[Order], kind: str) -> None:
    """Refuse what would make a tie of pairs that were not compared."""
    names = orders[0].algorithms
    unknown = np.array([order.not_compared(names) for order in orders])
    apart = unknown.any(axis=0)
    if kind not in BY_POSITIONS:
        apart = apart & ~unknown.all(axis=0)
    for i, j in np.argwhere(apart)[:1]:
        first, second = names[i], names[j]
        raise InferenceError(
            f"Not all orders compare '{first}' and '{second}', which are no tie, so there is no "
            f"distance '{kind}': restrict the orders to algorithms that all of them compare "
            "(order.restricted(names))"
            + (f", or use '{SYMMETRIC_DIFFERENCE}'." if kind in BY_POSITIONS else ".")
        )


def relations(orders: Sequence[Order]) -> Relations:
    """The relations "better" of orders, with the algorithms as in the first one."""
    if not orders:
        raise InferenceError("There are no orders.")
    names = orders[0].algorithms
    return np.array([_arranged(order, names) for order in orders])


def _arranged(order: Order, names: tuple[str, ...]) -> Relations:
    if order.algorithms == names:
        return order.better
    refuse_different(order, names)
    place = {name: i for i, name in enumerate(order.algorithms)}
    kept = [place[name] for name in names]
    return order.better[np.ix_(kept, kept)]


def refuse_different(order: Order, names: Sequence[str]) -> None:
    """Refuse an order of other algorithms than `names`."""
    for ours, theirs, verb in (
        (order.algorithms, names, "has"),
        (names, order.algorithms, "lacks"),
    ):
        more = [name for name in ours if name not in set(theirs)]
        if more:
            raise InferenceError(
                f"The orders are not of the same algorithms: '{order.ascii}' {verb} "
                f"'{more[0]}', unlike the first. Compare orders of one set with "
                "order.restricted(names)."
            )


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """Clusters of orders by complete linkage.

    `merges` has a row per merge: the two clusters, numbered as in scipy.cluster.hierarchy, the
    height and the number of orders. `leaves` has neighbours that are alike beside each other.
    """

    names: tuple[str, ...]
    distances: Floats
    merges: Floats
    leaves: tuple[int, ...]

    @property
    def heights(self) -> Floats:
        """The heights of the merges, from the lowest on."""
        return self.merges[:, 2]

    @property
    def arranged(self) -> tuple[str, ...]:
        """The names in the order of the leaves."""
        return tuple(self.names[i] for i in self.leaves)

    def clusters(self, count: int) -> list[list[str]]:
        """The names in so many clusters, in the order of the leaves: the last merges undone."""
        from scipy.cluster.hierarchy import cut_tree

        if not 1 <= count <= len(self.names):
            raise InferenceError(
                f"{len(self.names)} orders make 1 to {len(self.names)} clusters, not {count!r}."
            )
        if len(self.names) == 1:
            return [list(self.names)]
        labels = cut_tree(self.merges, n_clusters=count)[:, 0]
        clusters: dict[int, list[str]] = {}
        for leaf in self.leaves:
            clusters.setdefault(labels[leaf], []).append(self.names[leaf])
        return list(clusters.values())


def dendrogram(matrix: Floats, names: Sequence[str] | None = None) -> Dendrogram:
    """The clusters by complete linkage of what has these distances (eugster2008, section 4.1).

    Distances of orders are whole numbers and often tie: of several nearest clusters those that
    come first are merged, as in R's hclust, whose merges and leaves these are.
    """
    from scipy.cluster.hierarchy import leaves_list

    labels = tuple(names) if names is not None else tuple(str(i + 1) for i in range(len(matrix)))
    if len(labels) != len(matrix):
        raise InferenceError(f"{len(matrix)} orders need as many names, not {len(labels)}.")
    if len(matrix) == 1:
        return Dendrogram(labels, matrix, np.empty((0, 4)), (0,))
    merges = _complete_linkage(matrix)
    return Dendrogram(labels, matrix, merges, tuple(int(i) for i in leaves_list(merges)))


def _complete_linkage(matrix: Floats) -> Floats:
    """The merges in scipy's form; scipy's own linkage breaks ties in no order that is told.

    Every cluster knows the first of the nearest clusters after it. A merge moves others away, never
    nearer, so that only those whose nearest one took part must look again.
    """
    count = len(matrix)
    apart = np.where(np.eye(count, dtype=bool), np.inf, matrix)
    near = np.array([*(i + 1 + apart[i, i + 1 :].argmin() for i in range(count - 1)), count - 1])
    least = apart[np.arange(count), near]
    cluster, sizes = np.arange(count), np.ones(count, dtype=int)
    merges = np.empty((count - 1, 4))
    for step in range(count - 1):
        i = int(least.argmin())
        j = int(near[i])
        sizes[i] += sizes[j]
        merges[step] = (*sorted((cluster[i], cluster[j])), least[i], sizes[i])
        cluster[i] = count + step
        apart[i] = apart[:, i] = np.maximum(apart[i], apart[j])
        apart[j] = apart[:, j] = np.inf
        apart[i, i] = least[j] = np.inf
        for k in (i, *np.flatnonzero(((near == i) | (near == j)) & np.isfinite(least))):
            after = apart[k, k + 1 :]
            near[k] = k + 1 + after.argmin() if len(after) else k
            least[k] = apart[k, near[k]]
    return merges
