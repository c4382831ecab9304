"""DatasetOrders: the orders of many data sets and what they have in common, a value to look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.consensus import Consensus
from podium.core.orders.distances import Dendrogram
from podium.core.orders.order import Order
from podium.core.words.facts import Note
from podium.core.words.notes.of_surveys import orders_agreement, orders_heading, orders_statement
from podium.core.words.saying import Presented


@dataclass(frozen=True, eq=False, repr=False)
class DatasetOrders(Presented):
    """Every data set analysed by itself.

    Attributes
    ----------
    comparisons, orders : of every data set that could be analysed.
    refused : the reason, for every data set that could not.
    table : one row per analysed data set: its order, the best by mean, the p-value of no difference
        at all, the procedure and the number of blocks.
    consensus, weights : the orders nearest to those of the data sets, and what each counted.
    distances, dendrogram : symmetric differences between the orders, clustered by complete linkage;
        `dendrogram.arranged` has similar data sets beside each other.
    distance : the mean over all pairs of data sets.
    ranks, concordance : the ranks of the algorithms' means on every data set, and Kendall's W of
        these: 1 where all data sets rank alike, 0 where mean ranks are equal.
    pairs : on how many data sets the first of two is better, the second is, both are equivalent
        (where a relevance was given), or nothing is decided.
    """

    comparisons: Mapping[str, Comparisons]
    orders: Mapping[str, Order]
    refused: Mapping[str, str]
    table: pd.DataFrame
    consensus: Consensus
    weights: Mapping[str, float]
    distances: pd.DataFrame
    dendrogram: Dendrogram
    distance: float
    ranks: pd.DataFrame
    concordance: float
    pairs: pd.DataFrame
    population: str
    notes: tuple[Note, ...]

    @property
    def _first(self) -> Comparisons:
        return next(iter(self.comparisons.values()))

    @property
    def measure(self) -> str:
        """What all of them are compared by."""
        return self._first.measure

    @property
    def heading(self) -> str:
        """One line: the measure, the procedures and how many data sets there are."""
        one = self._first
        procedures = list(dict.fromkeys(c.procedure for c in self.comparisons.values()))
        total = len(self.orders) + len(self.refused)
        return orders_heading(one.measure, one.higher_is_better, procedures, total, one.target)

    @property
    def statement(self) -> str:
        """What the orders and what their summaries are about."""
        return orders_statement(self._first.target, len(self.orders), self.population)

    @property
    def agreement(self) -> str:
        """How much alike the data sets are, in a sentence."""
        return orders_agreement(self.distance, self.concordance, len(self._first.algorithms))

    def _facts(self) -> dict[str, Any]:
        first, tree = self._first, self.dendrogram
        return {
            "measure": first.measure,
            "higher_is_better": first.higher_is_better,
            "target": first.target,
            "statement": self.statement,
            "alpha": first.alpha,
            "relevance": first.relevance,
            "datasets": {name: self._of(name) for name in self.orders},
            "refused": self.refused,
            "consensus": self.consensus,
            "weights": self.weights,
            "distances": self.distances.to_numpy().tolist(),
            "leaves": tree.arranged,
            "merges": tree.merges.tolist(),
            "distance": self.distance,
            "ranks": {name: dict(row) for name, row in self.ranks.iterrows()},
            "concordance": self.concordance,
            "pairs": self.pairs,
            "warnings": self.notes,
        }

    def _of(self, name: str) -> dict[str, Any]:
        return {**self.comparisons[name].to_dict(), "order": self.orders[name].to_dict()}

    def _lines_above(self) -> list[str]:
        each = [f"  {order.text}" for order in self.consensus.orders[:5]]
        more = len(self.consensus.orders) - len(each)
        rest = [f"  and {more} more"] if more > 0 else []
        head = f"Consensus: {self.consensus.sentence}:"
        return [self.heading, self.statement, head, *each, *rest, f"{self.agreement}."]

    def _tables(self) -> dict[str, pd.DataFrame]:
        arranged = self.table.set_index("dataset").loc[list(self.dendrogram.arranged)]
        refused = pd.DataFrame({"dataset": list(self.refused), "reason": self.refused.values()})
        return {
            "Data sets, similar orders beside each other": arranged.reset_index(),
            "Data sets that could not be analysed": refused,
            "Number of data sets on which a pair was decided so": self.pairs,
        }
