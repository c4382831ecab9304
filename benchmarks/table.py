"""One table: Podium's work against its peers, in one run, with the peers' versions.

Every row runs its two sides by turns, so that both have the same machine; the median of the ratios
(or, where there is no peer, of the seconds) is printed.

    python benchmarks/table.py [repetitions]
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import overhead
import podium
import ten_million


@dataclass(frozen=True)
class Row:
    """One kind of work: ours, a peer's where there is one, and what is asked for."""

    work: str
    ours: Callable[[], float]
    peer: Callable[[], float] | None
    versions: tuple[str, ...]
    asked: str


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def read_parquet() -> float:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        ten_million.write(path, 2000)
        return seconds(lambda: podium.read(path, sampling="bootstrap"))


ROWS = (
    Row(
        "6 algorithms x 250 samples, 2 workers",
        overhead.podium,
        overhead.bare,
        ("joblib", "scikit-learn"),
        "at most 1.05 times",
    ),
    Row("read 10^7 scores from Parquet", read_parquet, None, ("pyarrow", "pandas"), "5 s"),
)


def measured(row: Row, repetitions: int) -> str:
    if row.peer is None:
        return f"{statistics.median(row.ours() for _ in range(repetitions)):.1f} s"
    row.ours(), row.peer()  # warm the disk cache
    ratios = [row.ours() / row.peer() for _ in range(repetitions)]
    return f"{statistics.median(ratios):.3f} times ({min(ratios):.2f} to {max(ratios):.2f})"


def main(repetitions: int) -> None:
    print(f"{'work':40} {'measured':28} {'asked':20} with")
    for row in ROWS:
        peers = ", ".join(f"{p} {version(p)}" for p in row.versions)
        print(f"{row.work:40} {measured(row, repetitions):28} {row.asked:20} {peers}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
