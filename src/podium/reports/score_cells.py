"""Means and standard deviations of every data set and algorithm, and which cells are special."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from podium.inference.bricks.scales import ranks_within
from podium.inference.comparing.comparisons import Comparisons
from podium.questions.measures import Measure
from podium.reading.results import Results


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """Means and standard deviations, data sets x algorithms.

    `alike` are those not significantly different from the best of a data set in `judged`.
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    means: np.ndarray
    sds: np.ndarray
    measure: Measure
    alike: np.ndarray
    judged: Mapping[str, Comparisons]
    uneven: bool  # whether algorithms have different numbers of samples on a data set

    @property
    def good(self) -> np.ndarray:
        """The means, larger is better."""
        return self.measure.sign * self.means

    @property
    def whole(self) -> np.ndarray:
        """Which data sets have a score of every algorithm."""
        return np.asarray(np.isfinite(self.means).all(axis=1))

    @property
    def is_ranked(self) -> bool:
        """Whether ranks over several data sets make sense."""
        return len(self.datasets) > 1 and bool(self.whole.any())

    @property
    def ranks(self) -> np.ndarray:
        """Ranks on the data sets that have all scores, 1 is the best."""
        return ranks_within(self.good[self.whole])

    def wins(self, control: str | None) -> list[tuple[int, int, int]]:
        """Wins, ties and losses per algorithm: against the control, or for the first place."""
        ranks = self.ranks
        if control is None:
            first = ranks.min(axis=1, keepdims=True)
            alone = (ranks == first).sum(axis=1, keepdims=True) == 1
            wins, ties = (ranks == first) & alone, (ranks == first) & ~alone
        else:
            of = ranks[:, [self.algorithms.index(control)]]
            wins, ties = ranks < of, ranks == of
        counts = [which.sum(axis=0).tolist() for which in (wins, ties, ~wins & ~ties)]
        return list(zip(*counts, strict=True))


def score_cells(
    results: Results, measure: Measure, names: Sequence[str], each: Mapping[str, Comparisons]
) -> ScoreCells:
    """The cells of these algorithms; `each` has the comparisons of single data sets."""
    table = results.values(measure.name)
    grouped = table.groupby(["dataset", "algorithm"], observed=True)["value"]
    result = grouped.agg(["mean", "std", "count"]).unstack("algorithm")

    def of(column: str) -> np.ndarray:
        wide = result[column].reindex(index=results.datasets, columns=list(names))
        return wide.to_numpy(float)

    datasets, means, counts = tuple(results.datasets), of("mean"), of("count")
    alike, judged = _alike(datasets, names, measure.sign * means, each)
    most = np.nanmax(counts, axis=1, initial=0, keepdims=True)
    uneven = bool(((counts > 0) & (counts < most)).any())
    return ScoreCells(datasets, tuple(names), means, of("std"), measure, alike, judged, uneven)


def _alike(
    datasets: Sequence[str],
    names: Sequence[str],
    good: np.ndarray,
    each: Mapping[str, Comparisons],
) -> tuple[np.ndarray, dict[str, Comparisons]]:
    """Which cells are not significantly different from the best, and where that is known."""
    alike = np.zeros((len(datasets), len(names)), dtype=bool)
    judged = {}
    for i, dataset in enumerate(datasets):
        if dataset not in each or not np.isfinite(good[i]).any():
            continue
        result = _undecided(each[dataset], names[int(np.nanargmax(good[i]))])
        if result is not None:
            alike[i] = [name in result for name in names]
            judged[dataset] = each[dataset]
    return alike, judged


def _undecided(c: Comparisons, best: str) -> set[str] | None:
    """The algorithms not shown to differ from the best; None where not all were compared."""
    pairs = c.table[(c.table["first"] == best) | (c.table["second"] == best)]
    others = np.where(pairs["first"] == best, pairs["second"], pairs["first"])
    if set(others) != set(c.algorithms) - {best} or c.is_forced or c.alternative != "two-sided":
        return None
    decided = pairs["verdict"].isin(["better", "worse"]).to_numpy(bool)
    return set(others[~decided])
