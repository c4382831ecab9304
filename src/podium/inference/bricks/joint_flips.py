"""The joint law of McNemar's statistics of all pairs: signs of whole items are turned at random.

Turning an item turns its differences of all pairs at once, which keeps how pairs hang together.
The largest statistic of all pairs is held against its law under turns of the differences as they
are and of the centred ones, and the larger tail counts: the first is exact where the answers of two
models may be exchanged, the second holds where some models differ. From 500 items on turned sums
are normal, and normals with their covariance give the same law.

No order may matter: models are put in an order that their answers alone tell, items with the same
answers are drawn together (the sum of their signs is binomial), and the seed is fixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from podium.inference.bricks.contrasts import Pair

NORMAL_FROM = 500  # items
BORDER = 0.03  # of a critical value: other draws move it by about 0.02
CHUNK = 500  # draws at once
MOST_STATISTICS = 2 * 10**8  # draws x pairs: some seconds; beyond, Šidák's inequality is used
MOST_PRODUCTS = 2 * 10**10  # the same x items, where answers are missing
NOISE = 1e-9


@dataclass(frozen=True, eq=False)
class Maxima:
    """The largest statistics of all pairs that were drawn, in two ways, each sorted.

    Without draws the pairs are judged by Šidák's inequality.
    """

    drawn: tuple[np.ndarray, ...]
    pairs: int
    two_sided: bool

    def p(self, z: np.ndarray) -> np.ndarray:
        """The chance of a largest statistic of z or more; beyond all draws by Šidák."""
        alone = self._alone(z)
        of_all = -np.expm1(self.pairs * np.log1p(-np.minimum(alone, 1 - 1e-16)))
        if not self.drawn:
            return of_all
        reached = [len(m) - np.searchsorted(m, z - NOISE) for m in self.drawn]
        most = np.maximum.reduce(reached)
        p = (1 + most) / (1 + len(self.drawn[0]))
        return np.maximum(np.where(most == 0, np.minimum(p, of_all), p), alone)

    def critical(self, alpha: float) -> float:
        """The value that a statistic must surpass: `p(z) <= alpha` exactly beyond it."""
        of_all = self._quantile(-float(np.expm1(np.log1p(-alpha) / self.pairs)))
        if not self.drawn:
            return of_all
        count = len(self.drawn[0])
        beyond = int(np.floor(alpha * (count + 1) + NOISE)) - 1  # that may reach it
        if beyond < 0:
            return max(of_all, *(float(m[-1]) for m in self.drawn))
        return max(self._quantile(alpha), *(float(m[count - 1 - beyond]) for m in self.drawn))

    def _alone(self, z: np.ndarray) -> np.ndarray:
        return np.minimum((1 + self.two_sided) * special.ndtr(-np.asarray(z, float)), 1.0)

    def _quantile(self, alpha: float) -> float:
        return float(-special.ndtri(alpha / (1 + self.two_sided)))


def maxima(
    right: np.ndarray, pairs: Sequence[Pair], draws: int, seed: int, two_sided: bool, turn: int = 1
) -> Maxima:
    """The law of the largest statistic of these pairs; `right` is items x models, NaN if missing.

    `turn` is the direction that counts where `two_sided` is false.
    """
    order = canonical_order(right)
    place = np.argsort(order)
    first, second = place[np.asarray(pairs, dtype=np.intp).reshape(-1, 2).T][::turn]
    items = _Items(right[:, order], first, second, two_sided)
    gaps = bool(np.isnan(right).any())
    products = draws * len(pairs) * (len(right) if gaps else 1)
    if products > (MOST_PRODUCTS if gaps else MOST_STATISTICS):
        return Maxima((), len(pairs), two_sided)
    law = _with_gaps if gaps else _of_signs if len(right) < NORMAL_FROM else _of_normals
    largest = [*law(items, draws, np.random.default_rng(seed))]
    drawn = tuple(np.sort(np.concatenate(each)) for each in zip(*largest, strict=True))
    return Maxima(drawn, len(pairs), two_sided)


def canonical_order(right: np.ndarray) -> np.ndarray:
    """An order of the models that their answers tell, whatever order they and the items come in.

    Each is told apart by how many it has right, then by how often it disagrees with the others,
    those again by the same; models that stay alike are (nearly) interchangeable.
    """
    known = (~np.isnan(right)).astype(float)
    answers = np.nan_to_num(right)
    only = np.rint(answers.T @ (known - answers * known)).astype(np.int64)
    sums = np.stack([answers.sum(axis=0), known.sum(axis=0)], axis=1)
    rank = np.unique(sums, axis=0, return_inverse=True)[1].ravel()
    for _ in range(len(rank)):
        both = np.lexsort((only, only.T, np.broadcast_to(rank, only.shape)))
        rows = np.arange(len(rank))[:, None]
        seen = [np.broadcast_to(rank, only.shape)[rows, both], only[rows, both], only.T[rows, both]]
        finer = np.unique(np.column_stack([rank, *seen]), axis=0, return_inverse=True)[1].ravel()
        if finer.max(initial=0) == rank.max(initial=0):
            break
        rank = finer
    return np.argsort(rank, kind="stable")


@dataclass(frozen=True, eq=False)
class _Items:
    """What is turned: answers of items x models, and the pairs whose statistics are watched."""

    right: np.ndarray  # NaN where there is no answer
    first: np.ndarray  # columns, one of each pair
    second: np.ndarray
    two_sided: bool


Largest = Iterator[tuple[np.ndarray, np.ndarray]]  # of the statistics as they are and centred


def _of_signs(items: _Items, draws: int, rng: np.random.Generator) -> Largest:
    """Signs of items; of items with the same answers their sum."""
    rows, counts = np.unique(items.right, axis=0, return_counts=True)
    pairs = _Pairs.of(items)
    for s in _turned(counts, draws, rng):
        yield pairs.largest(rows.T @ s, s.sum(axis=0))


def _of_normals(items: _Items, draws: int, rng: np.random.Generator) -> Largest:
    """Normals with the covariance of turned sums of answers and of the signs themselves."""
    right, (n, k) = items.right, items.right.shape
    pairs, total = _Pairs.of(items), right.sum(axis=0)[:, None]
    covariance = np.block([[right.T @ right, total], [total.T, np.array([[float(n)]])]])
    worth, axes = np.linalg.eigh(covariance)
    root = axes * np.sqrt(np.maximum(worth, 0.0))
    for at in range(0, draws, CHUNK):
        u = root @ rng.standard_normal((min(CHUNK, draws - at), k + 1)).T
        yield pairs.largest(u[:k], u[k])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Statistics of pairs from turned sums of models; no pair lacks an item."""

    items: _Items
    mean: np.ndarray  # of every model
    over: tuple[np.ndarray, np.ndarray]  # 1 / the roots of the sums of squares

    @classmethod
    def of(cls, items: _Items) -> _Pairs:
        right, first, second = items.right, items.first, items.second
        gram, mean = right.T @ right, right.mean(axis=0)
        squares = gram[first, first] + gram[second, second] - 2 * gram[first, second]
        centred = squares - len(right) * (mean[first] - mean[second]) ** 2
        return cls(items, mean, (_inverse_root(squares), _inverse_root(centred)))

    def largest(self, sums: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of models x draws: a centred sum is the sum less the mean times the sum of signs."""
        return self._largest(sums, 0), self._largest(sums - self.mean[:, None] * signs, 1)

    def _largest(self, sums: np.ndarray, way: int) -> np.ndarray:
        largest = np.full(sums.shape[1], -np.inf)
        first, second = self.items.first, self.items.second
        for model in np.unique(first):  # row by row, so that they stay in the cache
            its_pairs = first == model
            z = sums[model] - sums[second[its_pairs]]
            z *= self.over[way][its_pairs, None]
            reach = (np.abs(z, out=z) if self.items.two_sided else z).max(axis=0)
            np.maximum(largest, reach, out=largest)
        return largest


def _with_gaps(items: _Items, draws: int, rng: np.random.Generator) -> Largest:
    """Signs of items where answers are missing: every pair has items, and a mean, of its own."""
    first, second = items.first, items.second
    coded = np.where(np.isnan(items.right), 2.0, items.right)
    rows, counts = np.unique(coded, axis=0, return_counts=True)
    there = (rows[:, first] < 2) & (rows[:, second] < 2)
    d = np.where(there, rows[:, first] - rows[:, second], 0.0)
    centred = np.where(there, d - (counts @ d) / np.maximum(counts @ there, 1), 0.0)
    scaled = [(x * _inverse_root(counts @ (x * x))).T for x in (d, centred)]
    for s in _turned(counts, draws, rng):
        z = [x @ s for x in scaled]
        own, less = ((np.abs(x) if items.two_sided else x).max(axis=0) for x in z)
        yield own, less


def _turned(counts: np.ndarray, draws: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Sums of as many random signs as there are items alike; kinds of items x draws."""
    for at in range(0, draws, CHUNK):
        size = (min(CHUNK, draws - at), len(counts))
        yield (2.0 * rng.binomial(counts, 0.5, size) - counts).T


def _inverse_root(squares: np.ndarray) -> np.ndarray:
    """1 / root; 0 of a pair whose differences are all 0, or centred all the same."""
    return np.where(squares > NOISE, 1 / np.sqrt(np.maximum(squares, NOISE)), 0.0)
