"""How far an order, of one measure or of several, hangs on the blocks that happened to be drawn.

The blocks are drawn anew with replacement, and the whole way from the layout to the order is gone
again. That describes the order at hand; it tests nothing and proves nothing.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.robustness.bootstrap import (
    LEVEL,
    Decided,
    Ranked,
    Units,
    decided,
    draws,
    ranked,
    units,
)
from podium.asking.robustness.words import joint_heading, stability_heading, stability_verdict
from podium.core.base.errors import InferenceError
from podium.core.base.progress import Progress
from podium.core.base.registry import Registry
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.orders.consensus import consensus, hierarchical, pareto
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.orders.distances import unlike
from podium.core.orders.order import Order
from podium.core.questions.options import WORST
from podium.core.verdicts.verbs import (
    USUAL,
    about,
    pinned,
    procedure_of,
    quick,
    refuse_dependent,
    tried,
)
from podium.core.words.facts import DETAIL, Note
from podium.core.words.saying import Presented

LEAST, MOST = 100, 1_000_000  # resamples
MOST_DECISIONS = 4_000_000  # pairs x resamples that are decided: about two minutes
SHOWN = 5  # of the distinct orders
WIDEST = 40  # list of pairs


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Presented):
    """What comes of an order when the blocks are drawn anew; frequencies are shares of resamples.

    Attributes
    ----------
    comparisons, order : of the scores at hand.
    ranks : per algorithm its mean, its rank by mean, the rank interval and how often it is best.
    places : algorithms x places, how often each has each; rows and columns add up to 1.
    pairs : how often first is better (`before`), second is (`after`), and neither (`alike`) in the
        decided orders; how often of the latter it had no p-value (`unknown`); and how often the
        difference of means has the observed sign.
    orders : the distinct decided orders, the most frequent first, with their distance from `order`
        (symmetric difference) and the pairs that they tell otherwise, since ≿ leaves some open;
        `decided` are the same as values.
    frequency, distance : how often `order` came out, and the mean distance from it.
    resamples, unranked : of the ranks; how many lacked the scores of an algorithm.
    decisions, failed : resamples that were decided; how many more could not be.
    """

    comparisons: Comparisons
    order: Order
    ranks: pd.DataFrame
    places: pd.DataFrame
    pairs: pd.DataFrame
    orders: pd.DataFrame
    decided: tuple[Order, ...]
    frequency: float
    distance: float
    resamples: int
    unranked: int
    decisions: int
    failed: int
    seed: int
    notes: tuple[Note, ...]

    @property
    def heading(self) -> str:
        """One line: the order and what it is of."""
        return stability_heading(self.order, self.comparisons.heading)

    def _lines_above(self) -> list[str]:
        first = self.ranks.sort_values("best", ascending=False, kind="stable").iloc[0]
        verdict = stability_verdict(
            self.frequency, self.decisions, str(first["algorithm"]), float(first["best"])
        )
        return [verdict, self.heading]

    def _facts(self) -> dict[str, Any]:
        places = zip(self.places.index, self.places.to_numpy().tolist(), strict=True)
        tables = {"ranks": self.ranks, "places": dict(places), "pairs": self.pairs}
        counts = ("frequency", "distance", "resamples", "unranked", "decisions", "failed", "seed")
        return {
            **about(self.comparisons),
            "order": self.order.to_dict(),
            **tables,
            "orders": self.orders,
            **{name: getattr(self, name) for name in counts},
            "warnings": self.notes,
        }

    def _tables(self) -> dict[str, pd.DataFrame]:
        more = len(self.orders) - SHOWN
        names = {"before": "≻", "after": "≺", "alike": "≈", "same_sign": "same sign of means"}
        came = f"observed {self.frequency:.3g}, mean distance from it {self.distance:.3g}"
        return {
            f"Ranks by mean, {self.resamples} bootstrap samples": self.ranks,
            "Frequency of each rank": self.places.reset_index(),
            f"Comparisons in {self.decisions} bootstrap samples": self.pairs.rename(columns=names),
            f"Orders ({came}{f'; {more} more' if more > 0 else ''})": self._first_orders(),
        }

    def _first_orders(self) -> pd.DataFrame:
        few = self.orders.head(SHOWN)
        unlike = [textwrap.shorten(text, WIDEST, placeholder=" ...") for text in few.iloc[:, -1]]
        return few.assign(unlike_observed=unlike)


def stability(
    layout: Layout,
    options: Options = USUAL,
    *,
    resamples: int = 1000,
    orders: int = 200,
    seed: int = 0,
    same_null: bool = False,
    progress: Progress | None = None,
) -> Stability:
    """Ranks, pairs and orders under the bootstrap over independent blocks (clusters whole).

    Refused where blocks are not independent evidence about the target, such as folds. Blocks are
    drawn with their gaps; gaps are then treated as ever, but for `gaps="worst"`, whose value
    is that of the scores at hand. Where the procedure takes gaps, ranks are by means that are
    adjusted for blocks (`bootstrap.py`). What `compare` chooses for the scores at hand (procedure,
    adjustment) is kept for all resamples; see `podium.stability` for the parameters.
    """
    _check(resamples, orders, seed)
    refuse_dependent(layout)
    observed, used = pinned(layout, options)
    _check_decisions(len(observed.table), orders)
    filled = layout.filled() if options.gaps == WORST else layout
    drawn = units(filled, procedure_of(used))
    within = used if same_null else quick(used)
    by_mean = ranked(drawn, draws(len(drawn), resamples, seed))
    rows = (times for batch in draws(len(drawn), orders, seed) for times in batch)
    decisions = decided(drawn, within, rows, orders, progress)
    order = decide_comparisons(observed)
    text = _notes(layout, order, (used, within), by_mean, decisions)
    own = (note for note in observed.warnings if not (by_mean.adjusted and note.code == "gaps"))
    return _wrapped(layout, observed, order, by_mean, decisions, seed, (*text, *own))


def _check(resamples: int, orders: int, seed: int) -> None:
    for name, value, least in (
        ("resamples", resamples, LEAST),
        ("orders", orders, 1),
        ("seed", seed, 0),
    ):
        most = MOST if name != "seed" else 2**63
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if not whole or not least <= value <= most:
            raise InferenceError(
                f"{name} must be a whole number from {least} to {most}, not {value!r}."
            )


def _check_decisions(pairs: int, orders: int) -> None:
    """Refuse more than can be waited for."""
    if pairs * orders > MOST_DECISIONS:
        few = max(MOST_DECISIONS // pairs, 1)
        raise InferenceError(
            f"{pairs:,} pairs in {orders} bootstrap samples are too many to judge: use --orders "
            f"{few} "
            f"(orders={few}) or, to see how every algorithm fares against one, --control NAME."
        )


# -- tables --------------------------------------------------------------------------------------


def _wrapped(
    layout: Layout,
    observed: Comparisons,
    order: Order,
    by_mean: Ranked,
    decisions: Decided,
    seed: int,
    notes: tuple[Note, ...],
) -> Stability:
    distinct, table = _orders(order, decisions)
    return Stability(
        comparisons=observed,
        order=order,
        ranks=_ranks(layout, by_mean),
        places=_places(layout, by_mean),
        pairs=_pairs(observed, order, by_mean, decisions),
        orders=table,
        decided=distinct,
        frequency=float((decisions.distances(order) == 0).mean()),
        distance=float(decisions.distances(order).mean()),
        resamples=by_mean.count,
        unranked=by_mean.unranked,
        decisions=len(decisions.better),
        failed=len(decisions.failures),
        seed=int(seed),
        notes=notes,
    )


def _ranks(layout: Layout, by_mean: Ranked) -> pd.DataFrame:
    """One row per algorithm, in the measure's own sign."""
    return pd.DataFrame(
        {
            "algorithm": layout.algorithms,
            "mean": layout.sign * by_mean.means + 0.0,  # no -0.0
            "rank": by_mean.observed,
            "lower": by_mean.lower,
            "upper": by_mean.upper,
            "best": by_mean.places[:, 0],
        }
    )


def _places(layout: Layout, by_mean: Ranked) -> pd.DataFrame:
    index = pd.Index(layout.algorithms, name="algorithm")
    return pd.DataFrame(by_mean.places, index, range(1, len(index) + 1))


def _pairs(
    observed: Comparisons, order: Order, by_mean: Ranked, decisions: Decided
) -> pd.DataFrame:
    """One row per compared pair; the others count as ≈ everywhere, which says nothing."""
    place = {name: i for i, name in enumerate(observed.algorithms)}
    first, second = (
        observed.table[column].map(place).to_numpy(int) for column in ("first", "second")
    )
    before, after = decisions.better[:, first, second], decisions.better[:, second, first]
    ours, theirs = order.better[first, second], order.better[second, first]
    return pd.DataFrame(
        {
            "first": observed.table["first"],
            "second": observed.table["second"],
            "observed": np.where(ours, "≻", np.where(theirs, "≺", "≈")),
            "before": before.mean(axis=0),
            "after": after.mean(axis=0),
            "alike": (~(before | after)).mean(axis=0),
            "unknown": decisions.unknown.mean(axis=0),
            "same_sign": by_mean.same_sign[first, second],
        }
    )


def _orders(order: Order, decisions: Decided) -> tuple[tuple[Order, ...], pd.DataFrame]:
    """The distinct orders, the most frequent first, then the nearest to the observed one.

    All are written with the observed means, so that equal orders are equal texts.
    """
    relations, counts = np.unique(decisions.better, axis=0, return_counts=True)
    orders = [Order(order.algorithms, r, order.means, order.uncompared) for r in relations]
    apart = (relations ^ order.better).sum(axis=(1, 2))
    first = np.lexsort((apart, -counts))
    distinct = tuple(orders[i] for i in first)
    table = pd.DataFrame(
        {
            "order": [one.text for one in distinct],
            "frequency": counts[first] / counts.sum(),
            "distance": apart[first],
            "unlike_observed": [unlike(order, one) for one in distinct],
        }
    )
    return distinct, table


# -- notes ---------------------------------------------------------------------------------------


def _notes(
    layout: Layout,
    order: Order,
    options: tuple[Options, Options],  # of the observed scores, of the resamples
    by_mean: Ranked,
    decisions: Decided,
) -> Iterator[Note]:
    """All that is worth saying about how the frequencies came about."""
    ranks, orders = (0.5 / max(count, 1) ** 0.5 for count in (by_mean.count, len(decisions.better)))
    clusters = layout.items.clusters is not None
    yield Note("bootstrap", DETAIL, clusters=clusters, of_ranks=ranks, of_orders=orders)
    yield Note("frequencies", DETAIL, conditional=layout.target == "sample")
    yield from _about_ranks(procedure_of(options[0]), by_mean)
    yield from _about_null(layout, order, *options)
    yield from _about_decisions(decisions)


def _about_ranks(procedure: Procedure, by_mean: Ranked) -> Iterator[Note]:
    yield Note("ranks", DETAIL, level=LEVEL)
    other = procedure.quantity.estimand != "mean" and procedure.quantity.in_scores
    if other or procedure.criterion is not None:
        yield Note("ranks-by-mean", DETAIL, procedure=procedure.name)
    if by_mean.adjusted:
        yield Note("adjusted-means", DETAIL)
    if by_mean.unranked:
        every = by_mean.unranked + by_mean.count
        yield Note("unranked", unranked=by_mean.unranked, resamples=every)


def _about_null(layout: Layout, order: Order, observed: Options, within: Options) -> Iterator[Note]:
    if within is observed:
        return
    other = decide_comparisons(compare(layout, within))
    yield Note(
        "null",
        DETAIL,
        observed=str(observed.null),
        resamples=str(within.null),
        other_order="" if other == order else other.text,
    )


def _about_decisions(decisions: Decided) -> Iterator[Note]:
    count, failures = len(decisions.better), decisions.failures
    if failures:
        yield Note(
            "not-computed",
            failed=len(failures),
            resamples=count + len(failures),
            reason=failures[0],
        )
    without = int(decisions.unknown.any(axis=1).sum())
    if without:
        yield Note("no-variation", without=without, resamples=count)


# -- joint orders ---------------------------------------------------------------------------------
# The uncertainty of a joint order of several measures: consensus, Pareto's, hierarchical.
#
# All measures are of the same runs, so that blocks are drawn once for all of them: in every
# resample each measure gives an order, and these give the joint one.


Join = Callable[[Sequence[Order]], Order]


def _nearest(orders: Sequence[Order], family: str, weights: Sequence[float] | None) -> Order:
    """The first of the nearest orders, in the order in which they are listed."""
    return consensus(orders, weights, family).orders[0]


JOINS: Registry[Callable[..., Order]] = Registry("joint order")
JOINS.add("consensus", _nearest)
JOINS.add("pareto", lambda orders: pareto(*orders))
JOINS.add("hierarchical", lambda orders: hierarchical(*orders))


@dataclass(frozen=True, eq=False, repr=False)
class JointStability(Presented):
    """What comes of a joint order when blocks are drawn anew; frequencies are shares of resamples.

    Attributes
    ----------
    order, by : the joint order of the scores at hand, and the order of each measure.
    winners : how often each algorithm is among those whom nobody beats.
    pairs : how often first is better (`before`), second is (`after`), and neither (`alike`).
    orders : the distinct joint orders, the most frequent first.
    frequency : how often `order` came out.
    """

    joint: str
    order: Order
    by: Mapping[str, Order]
    winners: pd.DataFrame
    pairs: pd.DataFrame
    orders: pd.DataFrame
    frequency: float
    resamples: int
    failed: int
    seed: int
    notes: tuple[Note, ...] = field(default=())

    def _lines_above(self) -> list[str]:
        given = {name: order.text for name, order in self.by.items()}
        return joint_heading(self.joint, self.order.text, given, self.frequency, self.resamples)

    def _tables(self) -> dict[str, pd.DataFrame]:
        names = {"before": "≻", "after": "≺", "alike": "≈ or ∥"}
        return {
            "Among the best": self.winners,
            f"Pairs in {self.resamples} resamples": self.pairs.rename(columns=names),
            "Joint orders": self.orders.head(SHOWN),
        }

    def _facts(self) -> dict[str, Any]:
        kept = ("joint", "frequency", "resamples", "failed", "seed")
        return {
            **{name: getattr(self, name) for name in kept},
            "order": self.order.to_dict(),
            "by": {name: order.to_dict() for name, order in self.by.items()},
            "winners": self.winners,
            "pairs": self.pairs,
            "orders": self.orders,
            "warnings": self.notes,
        }


def joint_stability(
    layouts: Mapping[str, Layout],
    options: Options,
    *,
    joint: str = "consensus",
    family: str = "weak",
    weights: Sequence[float] | None = None,
    resamples: int = 200,
    seed: int = 0,
    progress: Progress | None = None,
) -> JointStability:
    """The joint order of several measures under one bootstrap over blocks."""
    join = _join(joint, family, weights, len(layouts))
    _check_same(layouts)
    observed, drawn, within = {}, {}, {}
    for name, layout in layouts.items():
        refuse_dependent(layout)
        result, used = pinned(layout, options)
        observed[name] = decide_comparisons(result)
        drawn[name], within[name] = units(layout, procedure_of(used)), quick(used)
    order = join(list(observed.values()))
    size = len(next(iter(drawn.values())))
    rows = (times for batch in draws(size, resamples, seed) for times in batch)
    again = list(tried(rows, partial(_again, drawn, within, join), progress, resamples))
    kept = [outcome for _, outcome in again if isinstance(outcome, Order)]
    if not kept:
        raise InferenceError(
            f"No bootstrap sample can be judged ({resamples} tried): {again[0][1]}"
        )
    reasons = [str(answer) for _, answer in again if not isinstance(answer, Order)]
    return _joint_orders_wrapped(joint, order, observed, kept, reasons, seed)


def _join(joint: str, family: str, weights: Sequence[float] | None, measures: int) -> Join:
    result = JOINS[joint]
    if measures < 2:
        raise InferenceError(
            "A joint order is of several measures: name them, as in --measure error,fit-time "
            "(measures=['error', 'fit-time'])."
        )
    if result is _nearest:
        return partial(result, family=family, weights=weights)
    if weights is not None:
        raise InferenceError(f"Weights are for a consensus, not for '{joint}': leave them out.")
    return result


def _check_same(layouts: Mapping[str, Layout]) -> None:
    first, *others = layouts.values()
    for other in others:
        if (len(other.values), other.labels) != (len(first.values), first.labels):
            raise InferenceError(
                f"'{first.measure.name}' and '{other.measure.name}' do not have the same rows, "
                "which one bootstrap draws for both: leave out rows that only one has."
            )


def _again(
    drawn: Mapping[str, Units], within: Mapping[str, Options], join: Join, times: np.ndarray
) -> Order:
    return join(
        [decide_comparisons(compare(part.drawn(times), within[n])) for n, part in drawn.items()]
    )


def _joint_orders_wrapped(
    joint: str,
    order: Order,
    by: Mapping[str, Order],
    kept: Sequence[Order],
    reasons: Sequence[str],
    seed: int,
) -> JointStability:
    better = np.array([one.better for one in kept])
    beaten = better.any(axis=1)
    names = order.algorithms
    winners = pd.DataFrame({
        "algorithm": names,
        "observed": [name in order.winners for name in names],
        "share": 1 - beaten.mean(axis=0),
    })  # fmt: skip
    counts = Counter(kept).most_common()
    rows = [(one.text, count / len(kept), unlike(order, one)) for one, count in counts]
    orders = pd.DataFrame(rows, columns=["order", "frequency", "unlike_observed"])
    return JointStability(
        joint, order, dict(by), winners, pd.DataFrame(_joint_orders_pairs(names, better)), orders,
        sum(one == order for one in kept) / len(kept), len(kept), len(reasons), int(seed),
        tuple(_joint_orders_notes(len(reasons), len(kept), next(iter(reasons), ""))),
    )  # fmt: skip


def _joint_orders_pairs(names: Sequence[str], better: np.ndarray) -> Iterator[dict[str, Any]]:
    share = better.mean(axis=0)
    for i, j in combinations(range(len(names)), 2):
        before, after = float(share[i, j]), float(share[j, i])
        shares = {"before": before, "after": after, "alike": 1 - before - after}
        yield {"first": names[i], "second": names[j], **shares}


def _joint_orders_notes(failed: int, done: int, reason: str) -> Iterator[Note]:
    yield Note("joint-resampled", DETAIL, resamples=done)
    if failed:
        yield Note("not-computed", failed=failed, resamples=done + failed, reason=reason)
