"""What the store, records and isolation cost on a cluster: Podium against bare Dask futures.

The six algorithms of `overhead.py` x 1667 bootstrap samples on 500 rows (10,002 short runs) on a
local cluster of 4 workers with one thread each. Podium cuts batches of about two seconds; the bare
loop submits as many of equal size, at most two per worker in flight, fits, predicts and keeps the
errors in memory. Prints the ratio of wall times, the claim is at most 1.15; and the driver's
memory, which must not grow with the runs.

    python benchmarks/dask_overhead.py [repetitions]
"""

from __future__ import annotations

import itertools
import logging
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import psutil
from distributed import Client, LocalCluster, as_completed
from sklearn.base import clone

from overhead import ESTIMATORS, ROWS, X, Y
from podium import Study, dataset
from podium.reading.store import Record
from podium.running.execution.cluster import Cluster
from podium.running.execution.runner import execute

SAMPLES, WORKERS = 1_667, 4


def block(data: tuple[np.ndarray, np.ndarray], samples: range) -> list[tuple[int, str, float]]:
    X, y = data
    scores = []
    for sample in samples:
        rng = np.random.default_rng([1, sample])
        train = rng.integers(ROWS, size=ROWS)
        test = np.setdiff1d(np.arange(ROWS), train)
        for name, estimator in ESTIMATORS.items():
            fitted = clone(estimator).fit(X[train], y[train])
            scores.append((sample, name, float(np.mean(fitted.predict(X[test]) != y[test]))))
    return scores


def bare(client: Client, samples: int, batches: int) -> float:
    start = time.perf_counter()
    [data] = client.scatter([(X, Y)], broadcast=True)
    size = -(-samples // batches)
    parts = (range(samples)[first : first + size] for first in range(0, samples, size))
    futures = (client.submit(block, data, part, pure=False) for part in parts)
    running = as_completed(itertools.islice(futures, 2 * WORKERS), with_results=True)
    found = []
    for _, scores in running:
        found += scores
        running.update(itertools.islice(futures, 1))
    assert len(found) == samples * len(ESTIMATORS)
    return time.perf_counter() - start


class Watch:
    """The driver's memory whenever runs are kept, in MB, and the number of batches."""

    def __init__(self) -> None:
        self.seen: list[float] = []
        self.batches = 0

    def start(self, total: int, done: int) -> None:
        """Look."""
        self.advance([])

    def advance(self, records: list[Record]) -> None:
        """Look."""
        self.seen.append(psutil.Process().memory_info().rss / 1e6)

    def stop(self) -> None:
        """Look."""
        self.advance([])


def podium(client: Client, samples: int, watch: Watch) -> float:
    study = Study(dataset("twonorm", X, Y), ESTIMATORS, sampling=f"bootstrap:{samples}")
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(Cluster, "submit", autospec=True, side_effect=Cluster.submit) as submit,
    ):
        start = time.perf_counter()
        outcome = execute(study, Path(folder) / "scores.db", cluster=client, progress=watch)
        seconds = time.perf_counter() - start
        watch.batches = submit.call_count
    assert outcome.ran == samples * len(ESTIMATORS)
    assert not outcome.failed
    return seconds


def main(repetitions: int) -> None:
    options: dict[str, Any] = {"n_workers": WORKERS, "threads_per_worker": 1}
    quiet = {"dashboard_address": ":0", "silence_logs": logging.ERROR}
    with LocalCluster(**options, **quiet) as cluster, Client(cluster) as client:
        bare(client, 100, WORKERS), podium(client, 100, Watch())  # load what workers need
        ratios = []
        for _ in range(repetitions):
            watch = Watch()
            p = podium(client, SAMPLES, watch)
            b = bare(client, SAMPLES, watch.batches)
            ratios.append(p / b)
            print(
                f"{watch.batches} batches: bare Dask {b:6.2f} s   podium {p:6.2f} s   ratio "
                f"{p / b:.3f}   driver's memory {watch.seen[1]:.0f} MB, at the end "
                f"{watch.seen[-1]:.0f} MB, at most {max(watch.seen):.0f} MB"
            )
    print(f"median ratio {statistics.median(ratios):.3f} (claim: at most 1.15)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
