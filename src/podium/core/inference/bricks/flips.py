"""Sign flips of whole blocks: the joint laws of Hall's t and of McNemar's statistics of all pairs.

A flip turns all differences of a block around. Flips of the differences themselves are exact where
these are symmetric about zero, and with exact ties; flips of the centred ones give intervals and
hold where means differ. A p-value is the larger of both. Blocks are flipped in the order in which
they come: who wants the same numbers of shuffled rows sorts them first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.estimates import differences, uncorrected
from podium.core.inference.numbers.roots import find_symmetric_root

LEAST = 6  # common blocks: fewer flips than that reject nothing at 5 %
CELLS = 1 << 16  # statistics that are drawn at once: they stay in the cache
SIGNS = 1 << 22  # that are numbers at once: all of 10^5 blocks would be 8 GB
MOST_SIGNS = 2 * 10**8
NOISE = 1e-9  # of statistics that are equal but for rounding
FLOOR = 1e-10  # of a variance, as a share of the second moment: where all sizes are the same
LARGEST = "largest of Hall's t"
APART, CONSTANT, BORDERLINE = "few-common", "constant", "borderline"  # remarks on pairs


def signs(blocks: int, draws: int, seed: int) -> tuple[np.ndarray, bool]:
    """Draws x blocks of -1 and 1, and whether these are all there are (up to turning all)."""
    if blocks <= 60 and 2 ** (blocks - 1) <= draws:
        bits = np.arange(2 ** (blocks - 1))[:, None] >> np.arange(blocks) & 1
        return (1 - 2 * bits).astype(np.int8), True
    rng, drawn = np.random.default_rng(seed), np.empty((draws, blocks), np.int8)
    step = max(SIGNS // blocks, 1)
    for at in range(0, draws, step):
        part = drawn[at : at + step]
        part[:] = 2 * rng.integers(0, 2, part.shape) - 1
    return drawn, False


@dataclass(frozen=True, eq=False)
class Differences:
    """Blocks x pairs of differences over their root mean square; 0 where a score is missing."""

    scaled: np.ndarray
    n: np.ndarray  # blocks that both have

    @classmethod
    def of(cls, d: np.ndarray, n: np.ndarray) -> Differences:
        """Of differences as they are; those of a pair may all be 0."""
        size = np.sqrt((d * d).sum(axis=0) / n)
        return cls(d / np.where(size > 0, size, 1.0), n)

    @cached_property
    def _sums(self) -> tuple[np.ndarray, np.ndarray]:
        return self.scaled / self.n, self.scaled**3 / self.n

    def statistics(self, flips: np.ndarray) -> np.ndarray:
        """Hall's t of every pair for every row of signs."""
        first, third = self._sums
        m, k = flips @ first, flips @ third
        square = m * m
        variance = np.maximum(1 - square, FLOOR)
        over_sd = 1 / np.sqrt(variance)
        square *= 2
        square -= 3
        square *= m
        k += square
        k *= over_sd / variance  # a third power, which numpy takes by logarithms
        k *= 1 / (3 * np.sqrt(self.n))
        m *= over_sd
        m *= np.sqrt(self.n - 1)
        turned = np.multiply(k, m, out=square)
        grown = turned / 3
        grown += 1
        grown *= turned
        grown += 1
        m *= grown
        k /= 2
        m += k
        return np.asarray(m if self.is_even else comparable(m, self.n))

    @property
    def is_even(self) -> bool:
        """Whether all pairs have the same number of blocks, so that their t compare."""
        return bool((self.n == self.n[:1]).all())

    @property
    def observed(self) -> np.ndarray:
        """Of the differences as they are."""
        return self.statistics(np.ones((1, len(self.scaled))))[0]


def comparable(h: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Statistics of different numbers of blocks on one normal scale (Wallace 1959)."""
    v = n - 1
    z = (8 * v + 1) / (8 * v + 3) * np.sqrt(v * np.log1p(h * h / v))
    return np.asarray(np.copysign(z, h))


def compared_with(z: float, n: np.ndarray) -> np.ndarray:
    """The statistics that have this value on the normal scale."""
    v = n - 1
    return np.sqrt(v * np.expm1((abs(z) * (8 * v + 3) / (8 * v + 1)) ** 2 / v))


@dataclass(frozen=True, eq=False)
class Counted:
    """Of the draws, how many reach each statistic: alone, as maximum, and stepping down."""

    alone: np.ndarray
    single: np.ndarray
    stepped: np.ndarray
    maxima: np.ndarray

    @classmethod
    def of(cls, by: Differences, z: np.ndarray, flips: np.ndarray, turn: int) -> Counted:
        """`turn` is 0 where sizes count, else the direction that does."""
        order = np.argsort(z, kind="stable")
        z = z[order]
        by = Differences(by.scaled[:, order], by.n[order])
        alone, stepped = np.zeros((2, len(z)))
        maxima = [np.empty(0)]
        for draws in chunks(flips, len(z)) if len(z) else ():
            drawn = by.statistics(draws)
            drawn = np.abs(drawn, out=drawn) if not turn else turn * drawn
            alone += (drawn >= z - NOISE).sum(axis=0)
            np.maximum.accumulate(drawn, axis=1, out=drawn)
            stepped += (drawn >= z - NOISE).sum(axis=0)
            maxima.append(drawn[:, -1].copy())
        largest = np.sort(np.concatenate(maxima))
        single = len(largest) - np.searchsorted(largest, z - NOISE)
        back = np.argsort(order, kind="stable")
        return cls(alone[back], single[back], stepped[back], largest)

    def shares(self, extra: int) -> tuple[np.ndarray, ...]:
        """P-values; the observed signs are one more draw unless all were enumerated."""
        total = len(self.maxima) + extra
        return tuple((count + extra) / total for count in (self.alone, self.single, self.stepped))


def chunks(flips: np.ndarray, width: int) -> Iterator[np.ndarray]:
    """The draws in parts, each of so many statistics as the cache holds."""
    step = max(min(CELLS // max(width, 1), SIGNS // flips.shape[1]), 16)
    return (flips[at : at + step].astype(float) for at in range(0, len(flips), step))


class Flipped:
    """Every pair's Hall t held against flips of whole blocks, alone and jointly."""

    def __init__(
        self,
        values: np.ndarray,
        pairs: Sequence[Pair],
        draws: int,
        seed: int,
        turn: int,
        level: float,
    ) -> None:
        places = np.asarray(pairs, dtype=np.intp).reshape(-1, 2)
        d, here, noise = differences(np.ascontiguousarray(values.T), places)
        n = np.full(len(d), d.shape[1]) if here is None else here.sum(axis=1)
        self.n, self.turn, self.level = n.astype(float), turn, level
        self.difference = np.where(n > 0, d.sum(axis=1) / np.maximum(n, 1), np.nan)
        e = d - np.nan_to_num(self.difference)[:, None]
        e = e if here is None else e * here
        self.constant = np.abs(e).max(axis=1) <= noise
        self.same = (d == 0).all(axis=1) & (n > 1)
        self.used = ~self.constant & (n >= LEAST)
        self._centred, self._own = e[self.used].T, d[self.used].T
        if draws * len(values) > MOST_SIGNS:
            raise InferenceError(
                f"{draws} flips of {len(values)} rows would take too long; hull is as good with "
                "so many rows: --procedure hull (procedure='hull')."
            )
        self.flips, self.whole = signs(len(values), draws, seed)

    @cached_property
    def statistic(self) -> np.ndarray:
        """Hall's t, 0 where all scores are equal, NaN where nothing can be judged."""
        return np.where(self.same, 0.0, self._all(self._observed))

    def _all(self, values: np.ndarray, rest: float = np.nan) -> np.ndarray:
        """Values of the pairs that are judged, among all pairs."""
        every = np.full(len(self.n), rest)
        every[self.used] = values
        return every

    @cached_property
    def _by(self) -> tuple[Differences, Differences]:
        n = self.n[self.used]
        return Differences.of(self._centred, n), Differences.of(self._own, n)

    @property
    def _observed(self) -> np.ndarray:
        return self._by[1].observed

    @cached_property
    def _counted(self) -> tuple[Counted, Counted]:
        flips = self.flips
        if self.turn and self.whole:  # all patterns of signs, where a direction counts
            flips = np.concatenate([flips, -flips])
        centred, own = (Counted.of(by, self._z, flips, self.turn) for by in self._by)
        return centred, own

    @cached_property
    def _p(self) -> tuple[np.ndarray, ...]:
        """Alone, single-step and step-down: the larger of centred flips and of those as they are.

        Where all flips were enumerated the observed differences are one of them.
        """
        centred, own = self._counted
        both = zip(centred.shares(1), own.shares(0 if self.whole else 1), strict=True)
        alone, single, stepped = (np.maximum(*p) for p in both)
        order = np.argsort(-self._z, kind="stable")
        stepped = np.maximum.accumulate(stepped[order])[np.argsort(order, kind="stable")]
        return alone, single, np.minimum(stepped, single)

    @property
    def _z(self) -> np.ndarray:
        """What is held against the draws."""
        return self.turn * self._observed if self.turn else np.abs(self._observed)

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """Of each pair alone, of no difference."""
        return np.where(self.same, 1.0, self._all(self._p[0]))

    def jointly(self, name: str, null: np.ndarray | None = None, turn: int = 0) -> np.ndarray:
        """P-values of no difference for all pairs at once: single-step or step-down."""
        p = self._p[1] if name == SINGLE_STEP else self._p[2]
        return np.where(self.same, 1.0, self._all(p))

    def limits(self, alpha: float, two_sided: bool) -> tuple[np.ndarray, np.ndarray]:
        """Of one pair, which are those of all of them."""
        return self.joint_limits(alpha, two_sided)

    def joint_limits(self, alpha: float, two_sided: bool) -> tuple[np.ndarray, np.ndarray]:
        """Single-step limits by the centred flips; they hold 0 where the test does not reject."""
        if not self.used.any():
            return (np.full(len(self.n), np.nan),) * 2
        n, e = self.n[self.used], self._centred
        sd = np.sqrt((e * e).sum(axis=0) / n)
        bend = (e**3).sum(axis=0) / n / sd**3 / (3 * np.sqrt(n))
        critical = _upper(self._counted[0].maxima, self.level)
        at = np.full(len(n), critical) if self._by[0].is_even else compared_with(critical, n)
        mean, error = self.difference[self.used], sd / np.sqrt(n - 1)
        low = mean - error * uncorrected(at, bend)
        high = mean - error * uncorrected(-at, bend)
        open_ = self._p[1] > self.level
        low = np.where(open_ & (self.turn >= 0), np.minimum(low, 0.0), low)
        high = np.where(open_ & (self.turn <= 0), np.maximum(high, 0.0), high)
        return self._all(low), self._all(high)

    @property
    def remarks(self) -> list[str]:
        """Pairs that cannot be judged, and those that other draws might decide otherwise."""
        near = np.abs(self.jointly("") - self.level) < 3 * np.sqrt(
            self.level * (1 - self.level) / len(self.flips)
        )
        remarks = np.where(near & ~np.bool_(self.whole), BORDERLINE, "")
        return list(map(str, np.where(self.n < LEAST, APART, remarks)))


SINGLE_STEP = "single-step"


def _upper(maxima: np.ndarray, level: float) -> float:
    """The value that a maximum surpasses with the chance `level`; `maxima` are sorted."""
    count = len(maxima)
    return float(maxima[min(int(np.ceil((count + 1) * (1 - level) - NOISE)), count) - 1])


# -- joint flips ----------------------------------------------------------------------------------
# The joint law of McNemar's statistics of all pairs: signs of whole items are turned at random.
#
# Turning an item turns its differences of all pairs at once, which keeps how pairs hang
# together. The largest statistic of all pairs is held against its law under turns of the
# differences as they are and of the centred ones, and the larger tail counts: the first is exact
# where the answers of two models may be exchanged, the second holds where some models differ.
# From 500 items on turned sums are normal, and normals with their covariance give the same law.
#
# No order may matter: models are put in an order that their answers alone tell, items with the
# same answers are drawn together (the sum of their signs is binomial), and the seed is fixed.


NORMAL_FROM = 500  # items
BORDER = 0.03  # of a critical value: other draws move it by about 0.02
CHUNK = 500  # draws at once
MOST_STATISTICS = 2 * 10**8  # draws x pairs: some seconds; beyond, Šidák's inequality is used
MOST_PRODUCTS = 2 * 10**10  # the same x items, where answers are missing


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
    root = find_symmetric_root(covariance)
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
