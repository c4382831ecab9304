"""stability: how far an order hangs on the blocks that happened to be drawn.

The blocks are drawn anew with replacement, and the whole way from the layout to the order is gone
again. That describes the order at hand; it tests nothing and proves nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from podium.comparisons import Comparisons
from podium.errors import InferenceError
from podium.facts import Note
from podium.inference.layouts import Layout
from podium.inference.procedure import Procedure
from podium.orders.decide import decide_comparisons
from podium.orders.order import Order
from podium.progress import Progress
from podium.studies.decisions import Decided, decided, unlike
from podium.studies.draws import draws, units
from podium.studies.pipeline import pinned, refuse_dependent
from podium.studies.ranks import Ranked, ranked
from podium.studies.stability_notes import notes
from podium.studies.stability_result import Stability

LEAST, MOST = 100, 1_000_000  # resamples


def stability(
    layout: Layout,
    procedure: str | Procedure | None = None,
    *,
    resamples: int = 1000,
    orders: int = 200,
    seed: int = 0,
    alpha: float = 0.05,
    relevance: float = 0.0,
    same_null: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> Stability:
    """Ranks, pairs and orders under the bootstrap over independent blocks (clusters whole).

    Refused where blocks are not independent evidence about the target, such as folds. Blocks are
    drawn with their gaps; gaps are then treated as ever, but for `missing="worst"`, whose value
    is that of the scores at hand. Where the procedure takes gaps, ranks are by means that are
    adjusted for blocks (`adjusted.py`).

    Parameters
    ----------
    procedure, alpha, relevance, options : as in `compare`. What `compare` chooses for the scores
        at hand (procedure, adjustment) is kept for all resamples.
    resamples : for the ranks by mean.
    orders : how many of the resamples are decided; each takes a comparison, mostly some ms.
    seed : the same one gives the same numbers.
    same_null : use the null of the observed analysis in resamples too, even if it must be drawn or
        enumerated each time; otherwise the asymptotic one stands in for such a null.
    progress : is told `(done, orders)` after every decided resample.
    """
    _check(resamples, orders, seed)
    refuse_dependent(layout)
    asked = {**options, "alpha": alpha, "relevance": relevance}
    observed, pipeline = pinned(layout, procedure, asked)
    filled = layout.filled() if options.get("missing") == "worst" else layout
    drawn = units(filled, pipeline.procedure)
    within = pipeline if same_null else pipeline.quick()
    by_mean = ranked(drawn, draws(len(drawn), resamples, seed))
    rows = (times for batch in draws(len(drawn), orders, seed) for times in batch)
    decisions = decided(drawn, within, rows, orders, progress)
    order = decide_comparisons(observed)
    said = notes(layout, order, (pipeline, within), by_mean, decisions)
    own = (note for note in observed.warnings if not (by_mean.adjusted and note.code == "gaps"))
    return _wrapped(layout, observed, order, by_mean, decisions, seed, (*said, *own))


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


# -- tables --------------------------------------------------------------------------------------


def _wrapped(
    layout: Layout,
    observed: Comparisons,
    order: Order,
    by_mean: Ranked,
    decisions: Decided,
    seed: int,
    said: tuple[Note, ...],
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
        notes=said,
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
            "observed": np.where(ours, "<", np.where(theirs, ">", "≈")),
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
    found = [Order(order.algorithms, r, order.means, order.uncompared) for r in relations]
    apart = (relations ^ order.better).sum(axis=(1, 2))
    first = np.lexsort((apart, -counts))
    distinct = tuple(found[i] for i in first)
    table = pd.DataFrame(
        {
            "order": [one.text for one in distinct],
            "frequency": counts[first] / counts.sum(),
            "distance": apart[first],
            "unlike_observed": [unlike(order, one) for one in distinct],
        }
    )
    return distinct, table
