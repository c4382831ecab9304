"""Stability: what comes of an order when the blocks are drawn anew, a value that shows itself."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any

import pandas as pd

from podium import presentation
from podium.facts import Note
from podium.inference.comparisons import Comparisons
from podium.orders.order import Order

SHOWN = 5  # of the distinct orders
WIDEST = 40  # list of pairs


@dataclass(frozen=True, eq=False, repr=False)
class Stability:
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
        (symmetric difference) and the pairs that they tell otherwise, since ≲ leaves some open;
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
        return f"Stability of {self.order.text}: {self.comparisons.heading}"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values; no NaN."""
        about = self.comparisons.to_dict()
        kept = ("measure", "higher_is_better", "procedure", "title", "blocks", "target")
        places = zip(self.places.index, self.places.to_numpy().tolist(), strict=True)
        return {
            **{name: about[name] for name in (*kept, "alpha", "relevance")},
            "order": self.order.to_dict(),
            "ranks": presentation.plain(self.ranks),
            "places": dict(places),
            "pairs": presentation.plain(self.pairs),
            "orders": presentation.plain(self.orders),
            "frequency": self.frequency,
            "distance": self.distance,
            "resamples": self.resamples,
            "unranked": self.unranked,
            "decisions": self.decisions,
            "failed": self.failed,
            "seed": self.seed,
            "warnings": [presentation.plain(note) for note in self.notes],
        }

    def _tables(self) -> dict[str, pd.DataFrame]:
        more = len(self.orders) - SHOWN
        names = {"before": "<", "after": ">", "alike": "≈", "same_sign": "same sign of means"}
        came = f"observed {self.frequency:.3g}, mean distance from it {self.distance:.3g}"
        return {
            f"Ranks by mean, {self.resamples} resamples": self.ranks,
            "Frequency of each place": self.places.reset_index(),
            f"Pairs in the orders of {self.decisions} resamples": self.pairs.rename(columns=names),
            f"Orders ({came}{f'; {more} more' if more > 0 else ''})": self._first_orders(),
        }

    def _first_orders(self) -> pd.DataFrame:
        few = self.orders.head(SHOWN)
        unlike = [textwrap.shorten(text, WIDEST, placeholder=" ...") for text in few.iloc[:, -1]]
        return few.assign(unlike_observed=unlike)

    def __repr__(self) -> str:
        return presentation.text([self.heading], self._tables(), self.notes)

    def _repr_html_(self) -> str:
        return presentation.html([self.heading], self._tables(), self.notes)
