"""The orders that a pipeline decides in resamples, and what could not be decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from podium.errors import InferenceError
from podium.orders.decide import decide_comparisons
from podium.orders.order import Order
from podium.progress import Progress
from podium.studies.draws import Units
from podium.studies.pipeline import Pipeline


@dataclass(frozen=True, eq=False)
class Decided:
    """The orders of resamples as relations, and what could not be computed."""

    better: np.ndarray  # decisions x algorithms x algorithms
    unknown: np.ndarray  # decisions x pairs: there is no p-value
    failures: tuple[str, ...]  # why, for every resample without an order

    def distances(self, order: Order) -> np.ndarray:
        """The symmetric differences from an order of the same algorithms."""
        return np.asarray((self.better ^ order.better).sum(axis=(1, 2)))


def decided(
    drawn: Units,
    pipeline: Pipeline,
    rows: Iterable[np.ndarray],
    total: int,
    progress: Progress | None = None,
) -> Decided:
    """The pipeline's orders in resamples, given as how often each unit is drawn."""
    better, unknown, failures = [], [], []
    for done, times in enumerate(rows, 1):
        try:
            found = pipeline.comparisons(drawn.drawn(times))
            better.append(decide_comparisons(found).better)
            unknown.append(found.table["p_adjusted"].isna().to_numpy())
        except InferenceError as error:  # such as too few whole blocks among those drawn
            failures.append(str(error))
        if progress is not None:
            progress(done, total)
    if not better:
        raise InferenceError(f"No resample can be decided ({total} tried): {failures[0]}")
    return Decided(np.array(better), np.array(unknown), tuple(failures))


def unlike(order: Order, other: Order) -> str:
    """The pairs that another order tells otherwise, such as `a < b, c ≈ d`: ≲ hides some."""
    differs = order.better ^ other.better
    pairs = np.argwhere(np.triu(differs | differs.T))
    return ", ".join(other.restricted([order.algorithms[i] for i in pair]).text for pair in pairs)
