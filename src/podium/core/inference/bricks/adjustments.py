"""Adjustments: from statistics and their null to p-values (and critical values) for many pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.base.registry import Registry
from podium.core.inference.bricks.contrasts import Pair
from podium.core.inference.bricks.nulls import Null, Separate, Student
from podium.core.inference.numbers.tails import (
    EXHAUSTIVE_UP_TO,
    bergmann_hommel,
    maximum_modulus_quantile,
    maximum_modulus_sf,
    range_quantile,
    range_sf,
    shaffer,
)

PARTITIONS_UP_TO = 8  # algorithms: 4140 partitions
SUBSETS_UP_TO = 12  # 4083 subsets
REDRAWN_UP_TO = 10  # 1013 subsets, each with draws of its own: some ten seconds


@dataclass(frozen=True, eq=False)
class Statistics:
    """What an adjustment may look at."""

    t: np.ndarray  # oriented: large speaks against the hypothesis; absolute when two-sided
    null: Null
    two_sided: bool
    pairs: Sequence[Pair]
    count: int  # of algorithms
    subset: Callable[[tuple[int, ...]], float]  # p of equality within a subset of algorithms

    @cached_property
    def p(self) -> np.ndarray:
        """P-values of the pairs alone; a pair without variation has none."""
        return np.where(np.isnan(self.t), np.nan, self.null.marginal(self._finite, self.two_sided))

    @property
    def _finite(self) -> np.ndarray:
        return np.nan_to_num(self.t, nan=0.0, posinf=np.inf, neginf=-np.inf)


@dataclass(frozen=True)
class Adjustment:
    """An adjustment: its p-values, and critical values where simultaneous intervals match them."""

    name: str
    text: str
    words: str  # for a paper: completes "p-values were adjusted by"
    source: str
    controls: str  # for a paper; empty: that depends on the procedure
    adjusted: Callable[[Statistics], np.ndarray]
    critical: Callable[[Statistics, float], np.ndarray] | None = None
    joint: bool = False  # needs the joint distribution of all pairs
    of_sizes: bool = False  # whatever their direction: of one-sided tests another one is used
    unpaired: bool = False  # of independent samples only
    by_subsets: bool = False  # judges each set of algorithms by itself, pairs too
    related: bool = False  # needs hypotheses that imply each other
    closed: bool = False  # needs a test of several algorithms at once
    told: bool = False  # what it controls must be said
    rough: bool = False  # with few blocks, where covariances are estimated
    beyond: tuple[str, int] | None = None  # so many algorithms another rule: the note's code


ADJUSTMENTS: Registry[Adjustment] = Registry("adjustment")


ALIASES = {
    "bonferroni-dunn": "bonferroni",
    "dunn": "bonferroni",
    "bergmann": "bergmann-hommel",
    "benjamini-hochberg": "bh",
    "fdr": "bh",
    "stepdown": "step-down",
    "singlestep": "single-step",
    "max-t": "single-step",
    "tukey": "studentized-range",
    "šidák": "sidak",
}


def adjustment(name: str) -> Adjustment:
    """The adjustment of a name, as people write it."""
    spelled = str(name).strip().lower().replace("_", "-")
    return ADJUSTMENTS[ALIASES.get(spelled, spelled)]


def for_equivalence(adjust: Adjustment) -> Adjustment:
    """What adjusts p-values of two one-sided tests.

    Šidák's inequality and laws of the largest absolute statistic are about both sides, and no
    equivalence implies another one: where there are limits it is Bonferroni's share.
    """
    if adjust.critical is not None and adjust.name != "none":
        return ADJUSTMENTS["bonferroni"]
    return ADJUSTMENTS["holm"] if adjust.joint else adjust


STRONGLY = "the family-wise error rate in the strong sense"
POSITIVE = f"{STRONGLY} where the statistics are positively dependent"


def _add(*facts: Any, **more: Any) -> None:
    made = Adjustment(*facts, **more)
    ADJUSTMENTS.add(made.name, made)


# -- of the marginal p-values --------------------------------------------------------------------


def _known(critical: Callable[[np.ndarray], np.ndarray]) -> Callable[[Statistics], np.ndarray]:
    """An adjustment of p-values alone; unknown ones stay unknown but count as tests."""

    def adjusted(evidence: Statistics) -> np.ndarray:
        p = evidence.p
        return np.where(np.isnan(p), np.nan, np.minimum(critical(np.nan_to_num(p, nan=1.0)), 1.0))

    return adjusted


def bonferroni(p: np.ndarray) -> np.ndarray:
    """P-values times their number."""
    return np.minimum(p * len(p), 1.0)


def sidak(p: np.ndarray, pairs: int | None = None) -> np.ndarray:
    """1 - (1 - p)^m (Šidák 1967); m is the number of pairs, also of those that have no p."""
    m = len(p) if pairs is None else pairs
    return -np.expm1(m * np.log1p(-np.minimum(p, 1 - 1e-16)))


def pair_level(alpha: float, pairs: int, two_sided: bool = True) -> float:
    """The level of each of so many pairs whose tests hold alpha together (Šidák 1967).

    His inequality is about absolute values: one-sided it is Bonferroni's share.
    """
    many = max(pairs, 1)
    return float(-np.expm1(np.log1p(-alpha) / many)) if two_sided else alpha / many


def holm(p: np.ndarray) -> np.ndarray:
    """Holm's step-down p-values; valid for any dependence between the pairs (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(steps, 1.0)[np.argsort(order, kind="stable")]


def hochberg(p: np.ndarray) -> np.ndarray:
    """Hochberg's step-up p-values; for independent or positively dependent pairs (1988)."""
    order = np.argsort(-p, kind="stable")
    steps = np.minimum.accumulate(p[order] * np.arange(1, len(p) + 1))
    return np.minimum(steps, 1.0)[np.argsort(order, kind="stable")]


def hommel(p: np.ndarray) -> np.ndarray:
    """Simes' test closed over all intersections, by its shortcut (Hommel 1988; Wright 1992)."""
    m = len(p)
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    adjusted = np.maximum(ordered, (m * ordered / np.arange(1, m + 1)).min())
    for size in range(m - 1, 1, -1):
        last = np.arange(m - size + 1, m)  # the size - 1 largest
        least = (size * ordered[last] / np.arange(2, size + 1)).min()
        q = np.minimum(size * ordered, least)
        q[last] = q[m - size]
        adjusted = np.maximum(adjusted, q)
    return np.minimum(adjusted, 1.0)[np.argsort(order, kind="stable")]


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """Step-up p-values for the false discovery rate (Benjamini and Hochberg 1995)."""
    m = len(p)
    order = np.argsort(-p, kind="stable")
    steps = np.minimum.accumulate(p[order] * m / np.arange(m, 0, -1))
    return np.minimum(steps, 1.0)[np.argsort(order, kind="stable")]


def _sidak_or_bonferroni(evidence: Statistics) -> np.ndarray:
    # Šidák's inequality is about absolute values
    return _known(sidak if evidence.two_sided else bonferroni)(evidence)


def _sidak_critical(evidence: Statistics, alpha: float) -> np.ndarray:
    m = len(evidence.t)
    each = pair_level(alpha, m, evidence.two_sided)
    return evidence.null.marginal_quantile(each, evidence.two_sided)


def _related(
    critical: Callable[[np.ndarray, int], np.ndarray],
) -> Callable[[Statistics], np.ndarray]:
    """An adjustment of the p-values of all pairs, which imply each other."""

    def adjusted(evidence: Statistics) -> np.ndarray:
        count = evidence.count
        place = {frozenset(pair): i for i, pair in enumerate(combinations(range(count), 2))}
        if len({frozenset(pair) for pair in evidence.pairs}) != len(place):
            raise InferenceError(
                "Shaffer's and Bergmann and Hommel's adjustments need all pairs of the algorithms; "
                "with a control, some pairs or contrasts of your own use holm."
            )
        where = [place[frozenset(pair)] for pair in evidence.pairs]
        p = np.full(len(place), 1.0)
        p[where] = np.nan_to_num(evidence.p, nan=1.0)
        return np.where(np.isnan(evidence.p), np.nan, critical(p, count)[where])

    return adjusted


# -- of the joint distribution -------------------------------------------------------------------


def _single_step(evidence: Statistics) -> np.ndarray:
    p = evidence.null.maximum(evidence._finite, evidence.two_sided)
    return np.where(np.isnan(evidence.t), np.nan, p)


def _single_step_critical(evidence: Statistics, alpha: float) -> np.ndarray:
    value = evidence.null.maximum_quantile(alpha, evidence.two_sided)
    return np.full(len(evidence.t), value)


def _step_down(evidence: Statistics) -> np.ndarray:
    """Westfall and Young's step-down max-T: each pair against those not yet rejected."""
    order = np.argsort(-evidence._finite, kind="stable")
    steps = evidence.null.successive(evidence._finite, evidence.two_sided, order)
    p = np.empty(len(order))
    p[order] = np.maximum.accumulate(steps)
    # no larger than the single step's, also where the two are computed differently
    return np.where(np.isnan(evidence.t), np.nan, np.fmin(p, _single_step(evidence)))


def _modulus(evidence: Statistics) -> np.ndarray:
    df, sizes, p = _own_df(evidence), np.abs(evidence._finite), np.empty(len(evidence.t))
    for one in np.unique(df):  # of pairs with gaps each has its own
        here = df == one
        p[here] = maximum_modulus_sf(sizes[here], len(p), float(one))
    return np.where(np.isnan(evidence.t), np.nan, p)


def _modulus_critical(evidence: Statistics, alpha: float) -> np.ndarray:
    df = _own_df(evidence)
    known, place = np.unique(df, return_inverse=True)
    values = [maximum_modulus_quantile(alpha, len(df), float(one)) for one in known]
    return np.asarray(np.array(values)[place])


def _own_df(evidence: Statistics) -> np.ndarray:
    if not isinstance(evidence.null, Student) or not evidence.two_sided:
        raise InferenceError(
            "The studentized maximum modulus is two-sided and needs t statistics of one joint "
            "estimate; use holm or single-step."
        )
    return np.broadcast_to(evidence.null.df, evidence.t.shape)


# -- of independent samples ----------------------------------------------------------------------


def _range(evidence: Statistics) -> np.ndarray:
    """Each pair against the studentized range of K means, with the pair's own df."""
    df, q = _dfs(evidence), np.sqrt(2) * evidence._finite
    p = np.empty(len(q))
    for one in np.unique(df):
        p[df == one] = range_sf(q[df == one], evidence.count, float(one))
    return np.where(np.isnan(evidence.t), np.nan, p)


def _range_critical(evidence: Statistics, alpha: float) -> np.ndarray:
    quantiles = [range_quantile(alpha, evidence.count, float(df)) for df in _dfs(evidence)]
    return np.array(quantiles) / np.sqrt(2)


def _dfs(evidence: Statistics) -> np.ndarray:
    parts = evidence.null.parts if isinstance(evidence.null, Separate) else [evidence.null]
    known = [part.df for part in parts if isinstance(part, Student)]
    if len(known) < len(parts) or not evidence.two_sided:
        raise InferenceError(
            "The studentized range is two-sided and needs the null asymptotic; use holm."
        )
    return np.concatenate(known)


# -- closed testing ------------------------------------------------------------------------------


def _closed(evidence: Statistics) -> np.ndarray:
    """The largest p-value of all hypotheses that imply a pair's (Marcus, Peritz, Gabriel 1976).

    The intersections of equalities of pairs are the partitions of the algorithms. Given the
    scores, labels are permuted independently in different parts of a partition, so the smallest
    p-value of its parts has Šidák's distribution.
    """
    if not evidence.two_sided:
        raise InferenceError("Closed testing here is two-sided; use holm for one-sided tests.")
    most = SUBSETS_UP_TO if isinstance(evidence.null, Student) else REDRAWN_UP_TO
    if evidence.count > most:
        raise InferenceError(
            f"Closed testing of {evidence.count} algorithms has too many hypotheses (at most "
            f"{most} algorithms with this null); use --adjust step-down or holm."
        )
    p = {s: evidence.subset(s) for s in _subsets(evidence.count)}
    if evidence.count > PARTITIONS_UP_TO:
        return _ryan(evidence, p)
    worst: dict[Pair, float] = dict.fromkeys(combinations(range(evidence.count), 2), 0.0)
    for parts in _partitions(evidence.count):
        combined = sidak(np.full(len(parts), min(p[part] for part in parts)))[0]
        for part in parts:
            for pair in combinations(part, 2):
                worst[pair] = max(worst[pair], combined)
    return np.array([worst[tuple(sorted(pair))] for pair in evidence.pairs])  # type: ignore[index]


def _ryan(evidence: Statistics, p: dict[tuple[int, ...], float]) -> np.ndarray:
    """Subsets of size s at level alpha s / K (Ryan 1960), where partitions are too many."""
    k = evidence.count
    return np.array(
        [
            min(1.0, max(q * k / len(s) for s, q in p.items() if i in s and j in s))
            for i, j in evidence.pairs
        ]
    )


def _subsets(count: int) -> list[tuple[int, ...]]:
    return [s for size in range(2, count + 1) for s in combinations(range(count), size)]


@lru_cache(maxsize=8)
def _partitions(count: int) -> list[list[tuple[int, ...]]]:
    """Partitions of the algorithms, each as its parts of two or more; the finest one left out."""
    whole = [[tuple(part) for part in parts if len(part) > 1] for parts in _grown(count)]
    return [parts for parts in whole if parts]


def _grown(count: int) -> Iterator[list[list[int]]]:
    if count == 0:
        yield []
        return
    for parts in _grown(count - 1):
        for i in range(len(parts)):
            yield [[*p, count - 1] if i == j else p for j, p in enumerate(parts)]
        yield [*parts, [count - 1]]


_add("none", "no adjustment: every pair alone",
     "", "", "", _known(lambda p: p),
     lambda e, alpha: e.null.marginal_quantile(alpha, e.two_sided))  # fmt: skip
_add("bonferroni", "Bonferroni: strong control under any dependence",
     "the Bonferroni inequality", "Dunn (1961)", STRONGLY, _known(bonferroni),
     lambda e, alpha: e.null.marginal_quantile(alpha / len(e.t), e.two_sided))  # fmt: skip
_add("sidak", "Šidák: strong control, two-sided",
     "Šidák's inequality", "Šidák (1967)", STRONGLY,
     _sidak_or_bonferroni, _sidak_critical)  # fmt: skip
_add("holm", "Holm: strong control under any dependence",
     "Holm's step-down method", "Holm (1979)", STRONGLY, _known(holm))  # fmt: skip
_add("hochberg", "Hochberg: strong control under positive dependence",
     "Hochberg's step-up method", "Hochberg (1988)", POSITIVE,
     _known(hochberg), told=True)  # fmt: skip
_add("hommel", "Hommel: strong control under positive dependence",
     "Hommel's method", "Hommel (1988)", POSITIVE, _known(hommel), told=True)  # fmt: skip
_add("bh", "Benjamini-Hochberg: the false discovery rate, not the family-wise error",
     "the method of Benjamini and Hochberg", "Benjamini, Hochberg (1995)",
     "the false discovery rate, not the family-wise error rate",
     _known(benjamini_hochberg), told=True)  # fmt: skip
_add("single-step", "single step: the largest of all statistics",
     "the joint distribution of all statistics (single step)", "Hothorn, Bretz, Westfall (2008)",
     "", _single_step,
     _single_step_critical, joint=True, rough=True)  # fmt: skip
_add("step-down", "step-down max-T (Westfall and Young)",
     "the joint distribution of all statistics (step-down)", "Westfall, Young (1993)",
     "", _step_down,
     joint=True, rough=True)  # fmt: skip
_add("max-modulus", "studentized maximum modulus (Hochberg and Tamhane 1987)",
     "the studentized maximum modulus", "Hochberg, Tamhane (1987)", STRONGLY, _modulus,
     _modulus_critical, joint=True, of_sizes=True)  # fmt: skip
_add("studentized-range", "studentized range of independent means: strong control",
     "the studentized range", "Tukey (1953)", STRONGLY, _range,
     _range_critical, unpaired=True, of_sizes=True)  # fmt: skip
_add("shaffer", "Shaffer: strong control under any dependence, for all pairs of equal means "
     "(beyond 9 algorithms by its static factors)",
     "Shaffer's method", "Shaffer (1986)", STRONGLY,
     _related(shaffer), related=True, beyond=("shaffer-static", EXHAUSTIVE_UP_TO))  # fmt: skip
_add("bergmann-hommel", "Bergmann-Hommel: strong control under any dependence, for all pairs of "
     "equal means (beyond 9 algorithms Shaffer's)",
     "the method of Bergmann and Hommel", "Bergmann, Hommel (1988)", STRONGLY,
     _related(bergmann_hommel), related=True, beyond=("shaffer", EXHAUSTIVE_UP_TO))  # fmt: skip
_add("closed", "closed testing over partitions: strong control",
     "closed testing", "Marcus, Peritz, Gabriel (1976)", STRONGLY, _closed,
     joint=True, of_sizes=True, by_subsets=True, closed=True,
     beyond=("ryan", PARTITIONS_UP_TO))  # fmt: skip
