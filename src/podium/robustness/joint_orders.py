"""The uncertainty of a joint order of several measures: consensus, Pareto's, hierarchical.

All measures are of the same runs, so that blocks are drawn once for all of them: in every resample
each measure gives an order, and these give the joint one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.base.progress import Progress
from podium.base.registry import Registry
from podium.inference.comparing.compare import compare
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.options import Options
from podium.orders.consensus import consensus
from podium.orders.decide import decide as decide_comparisons
from podium.orders.distances import unlike
from podium.orders.ensembles import hierarchical, pareto
from podium.orders.order import Order
from podium.robustness.bootstrap import Units, draws, units
from podium.robustness.words import joint_heading
from podium.verdicts.reanalysis import pinned, procedure_of, quick, refuse_dependent, tried
from podium.words.facts import DETAIL, Note
from podium.words.presentation import Presented

Join = Callable[[Sequence[Order]], Order]
SHOWN = 5


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

    def _said(self) -> list[str]:
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
        raise InferenceError(f"No resample can be decided ({resamples} tried): {again[0][1]}")
    reasons = [str(answer) for _, answer in again if not isinstance(answer, Order)]
    return _wrapped(joint, order, observed, kept, reasons, seed)


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
                f"'{first.measure.name}' and '{other.measure.name}' do not have the same blocks, "
                "which one bootstrap draws for both: leave out what lacks one of them."
            )


def _again(
    drawn: Mapping[str, Units], within: Mapping[str, Options], join: Join, times: np.ndarray
) -> Order:
    return join(
        [decide_comparisons(compare(of.drawn(times), within[n])) for n, of in drawn.items()]
    )


def _wrapped(
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
        joint, order, dict(by), winners, pd.DataFrame(_pairs(names, better)), orders,
        sum(one == order for one in kept) / len(kept), len(kept), len(reasons), int(seed),
        tuple(_notes(len(reasons), len(kept), next(iter(reasons), ""))),
    )  # fmt: skip


def _pairs(names: Sequence[str], better: np.ndarray) -> Iterator[dict[str, Any]]:
    share = better.mean(axis=0)
    for i, j in combinations(range(len(names)), 2):
        before, after = float(share[i, j]), float(share[j, i])
        shares = {"before": before, "after": after, "alike": 1 - before - after}
        yield {"first": names[i], "second": names[j], **shares}


def _notes(failed: int, done: int, reason: str) -> Iterator[Note]:
    yield Note("joint-resampled", DETAIL, resamples=done)
    if failed:
        yield Note("not-computed", failed=failed, resamples=done + failed, reason=reason)
