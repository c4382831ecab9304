"""Ten million scores of a survey, from Parquet to an order: seconds and memory.

100 data sets x 50 algorithms x 2000 samples; `python benchmarks/ten_million.py [SAMPLES]`.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

import podium

DATASETS, ALGORITHMS = 100, 50
T = TypeVar("T")


def write(path: Path, samples: int) -> None:
    rng = np.random.default_rng(0)
    shape = (DATASETS, samples, ALGORITHMS)
    values = 0.3 + np.linspace(0, 0.05, ALGORITHMS) + rng.normal(0, 0.03, shape)
    for size in ((DATASETS, 1, 1), (DATASETS, 1, ALGORITHMS), (DATASETS, samples, 1)):
        values += rng.normal(0, 0.02, size)
    dataset, sample, algorithm = np.indices(shape, dtype=np.int32).reshape(3, -1)
    names = {"dataset": dataset, "algorithm": algorithm}
    table = {k: pd.Categorical.from_codes(v, [f"{k[0]}{i}" for i in range(v.max() + 1)])
             for k, v in names.items()}  # fmt: skip
    frame = pd.DataFrame({**table, "sample": sample + 1, "error": values.ravel()})
    frame.astype({"dataset": str, "algorithm": str}).to_parquet(path, index=False)


def timed(name: str, work: Callable[[], T]) -> T:
    start = time.perf_counter()
    found = work()
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{name:38} {seconds:7.1f} s   peak {memory:.1f} GB")
    return found


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        write(path, samples)
        print(f"{DATASETS * ALGORITHMS * samples:,} scores")
        results = timed("read", lambda: podium.read(path, sampling="bootstrap"))
        for procedure in (None, "survey-random", "survey-fixed"):
            name = f"order by {procedure or 'the default'}"
            timed(name, lambda p=procedure: podium.decide(podium.compare(results, p)))


if __name__ == "__main__":
    main()
