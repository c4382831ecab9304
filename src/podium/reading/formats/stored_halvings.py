"""The runs of a store that were made inside halves of the rows: samples numbered below 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from podium.samplings import halvings
from podium.store import Store

RUNS = "SELECT id, dataset, algorithm, sample, failed FROM runs WHERE sample < 0 ORDER BY id"
SCORES = (
    "SELECT scores.run, measure, value FROM scores JOIN runs ON runs.id = scores.run "
    "WHERE sample < 0 AND failed = 0 ORDER BY scores.run"
)


def stored_halvings(store: Store, study: dict[str, Any]) -> int:
    """How many halvings the study asks for, or else the store has of an earlier call."""
    request = study["sampling"].get("halves", 0)
    least = store.rows("SELECT coalesce(min(sample), 0) FROM runs")[0][0]
    return int(request or (halvings.place(least).halving if least < 0 else 0))


def facts_of_halvings(store: Store) -> dict[str, Any]:
    """What halvings of each data set must be judged by; what was said last counts."""
    known: dict[str, Any] = {}
    for study in store.definitions():
        known |= study.get("halvings", {})
    return known


class HalvingRuns:
    """The runs inside halves, by data set, algorithm and sample: of several the newest counts.

    `dataset` and `algorithm` are the codes of the numbers that the store knows them by.
    """

    def __init__(
        self, store: Store, dataset: np.ndarray, algorithm: np.ndarray, algorithms: int, count: int
    ) -> None:
        self.store, self.of, self.size = store, count * halvings.EACH, algorithms
        number, d, a, sample, failed = store.columns(RUNS, [np.int64] * 4 + [bool])
        d, a, sample = dataset[d], algorithm[a], -sample
        mine = (d >= 0) & (a >= 0) & (sample <= self.of)
        cell = (d * self.of + sample - 1) * self.size + a
        frame = pd.DataFrame({"run": number, "cell": cell, "good": ~failed})[mine]
        # a success counts before a failure, and the newer of two
        newest = frame.sort_values(["good", "run"]).drop_duplicates("cell", keep="last")
        self.newest = newest.set_index("cell")["run"]

    @property
    def counting(self) -> np.ndarray:
        """The numbers of the records that count."""
        return self.newest.to_numpy(np.int64)

    def scores(self, measures: list[int], datasets: int) -> tuple[pd.DataFrame, np.ndarray]:
        """Codes and places of every score that there should be, and the scores."""
        shape = (datasets, self.of, self.size, len(measures))
        values = np.full((int(np.prod(shape[:3])), len(measures)), np.nan)
        run, measure, value = self.store.columns(SCORES, [np.int64, np.int64, float])
        cell = pd.Series(self.newest.index, index=self.newest.to_numpy()).reindex(run)
        place = pd.Series(range(len(measures)), index=measures, dtype=float).reindex(measure)
        known = (cell.notna().to_numpy()) & (place.notna().to_numpy())
        at = (cell.to_numpy()[known].astype(int), place.to_numpy()[known].astype(int))
        values[at] = value[known]
        d, sample, a, m = (i.ravel() for i in np.indices(shape))
        halving, within = np.divmod(sample, halvings.EACH)
        side, fold = np.divmod(within, halvings.FOLDS)
        about = {"dataset": d, "algorithm": a, "halving": halving + 1, "side": side + 1}
        return pd.DataFrame(about | {"fold": fold + 1, "measure": m}), values.ravel()
