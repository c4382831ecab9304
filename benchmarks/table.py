"""One table: Podium's work against its peers, in one run, with the peers' versions.

Every row runs its two sides by turns, so that both have the same machine; the median of the ratios
(or, where there is no peer, of the seconds) is printed. Seconds are those of the processor, but for
the first row, whose two sides have two workers each: what else runs on the machine counts little.

    python benchmarks/table.py [repetitions]
"""

from __future__ import annotations

import atexit
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy import stats

import consensus
import inference
import overhead
import podium
import survey
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
    """Of the processor, also those of children."""
    start = os.times()
    work()
    return sum(os.times()[:4]) - sum(start[:4])


@lru_cache(maxsize=1)
def folder() -> Path:
    """Where files are made once; removed at the end."""
    made = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def read_parquet() -> float:
    path = folder() / "scores.parquet"
    if not path.exists():
        ten_million.write(path, 2000)
    return seconds(lambda: podium.read(path, sampling="bootstrap"))


def trellised() -> float:
    rng = np.random.default_rng(0)
    cells = pd.MultiIndex.from_product(
        [range(100), range(20), range(50)], names=["dataset", "sample", "algorithm"]
    )
    frame = cells.to_frame(index=False).assign(error=rng.random(len(cells)))
    frame = frame.astype({"dataset": str, "algorithm": str})
    results = podium.read(frame, sampling="bootstrap")
    path = folder() / "trellis.png"
    plt.close("all")
    return seconds(lambda: podium.plots.trellis(results, podium.plots.boxes).figure.savefig(path))


def permuted() -> float:
    made, one = inference.layout(250, 6), [("a0", "a1")]  # the global test is of all algorithms
    null = f"permutation:{PERMUTATIONS}"

    def five() -> None:  # the system counts in hundredths of a second
        for _ in range(5):
            podium.compare(made, "permutation", pairs=one, null=null)

    return seconds(five) / 5


def permuted_by_scipy() -> float:
    made, tenth = inference.layout(250, 6), PERMUTATIONS // 10
    return 10 * seconds(
        lambda: stats.permutation_test(
            tuple(made.values.T),
            inference.statistic_3,
            permutation_type="samples",
            vectorized=True,
            n_resamples=tenth,
            batch=1000,  # its fastest
            alternative="greater",
            rng=np.random.default_rng(0),
        )
    )


def surveyed() -> float:
    made = survey.layout(21, 6, 250, "survey-random")
    return seconds(lambda: [podium.compare(made, "survey-random") for _ in range(10)]) / 10


def surveyed_by_lme4() -> float:
    return sum(survey.lme4_seconds(survey.layout(21, 6, 250, "survey-random"), "survey-random"))


def agreed() -> float:
    return seconds(lambda: consensus.timed(consensus.Case(100, 21, 0.3), 0))


def agreed_with_a_gap() -> float:
    return seconds(lambda: consensus.timed(consensus.Case(100, 21, 1.0, time_limit=2), 0))


def analysed() -> float:
    path = folder() / "small.csv"
    rows = np.random.default_rng(1).normal(0.8, 0.03, (30, 5)).round(4).tolist()
    lines = [f"{i},{','.join(map(str, row))}" for i, row in enumerate(rows, 1)]
    path.write_text("\n".join(["sample,a,b,c,d,e", *lines, ""]))
    words = ["analyze", str(path), "--measure", "accuracy", "--sampling", "bootstrap"]
    call = [sys.executable, "-m", "podium", *words]
    compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def analyse() -> None:
        subprocess.run(call, env=compiled, check=True, capture_output=True)

    analyse()  # an installed package is compiled
    return seconds(analyse)


PERMUTATIONS = 100_000
LME4 = ("R: lme4", "R: multcomp")
ROWS = (
    Row(
        "6 algorithms x 250 samples, 2 workers",
        overhead.podium,
        overhead.bare,
        ("joblib", "scikit-learn"),
        "at most 1.05 times",
    ),
    Row("100,000 permutations of statistic (3)", permuted, permuted_by_scipy, ("scipy",), "1/25"),
    Row("survey-random with gaps", surveyed, surveyed_by_lme4, LME4, "1/75"),
    Row("read 10^7 scores from Parquet", read_parquet, None, ("pyarrow", "pandas"), "5 s"),
    Row("podium analyze of 150 scores", analysed, None, ("numpy", "pandas", "scipy"), "0.7 s"),
    Row("consensus of 21 orders of 100", agreed, None, ("scipy",), "3 s"),
    Row("... with much noise, a proven gap", agreed_with_a_gap, None, ("scipy",), "3 s"),
    Row("plot trellis of 100 x 50", trellised, None, ("matplotlib",), "5 s"),
)


def measured(row: Row, repetitions: int) -> str:
    if row.peer is None:
        return f"{statistics.median(row.ours() for _ in range(repetitions)):.2f} s"
    row.ours(), row.peer()  # warm the disk cache
    ratios = [row.ours() / row.peer() for _ in range(repetitions)]
    middle = statistics.median(ratios)
    if middle < 0.5:  # so many times as fast
        return f"1/{1 / middle:.0f} (1/{1 / max(ratios):.0f} to 1/{1 / min(ratios):.0f})"
    return f"{middle:.3f} times ({min(ratios):.2f} to {max(ratios):.2f})"


def versioned(package: str) -> str:
    """A package with its version, also one of R."""
    if not package.startswith("R: "):
        return f"{package} {version(package)}"
    call = f'cat(as.character(packageVersion("{package[3:]}")))'
    run = subprocess.run(["Rscript", "-e", call], capture_output=True, text=True, check=False)
    return f"{package[3:]} {run.stdout or 'is not installed'}"


def main(repetitions: int) -> None:
    print(f"{'work':40} {'measured':28} {'asked':20} with")
    for row in ROWS:
        peers = ", ".join(map(versioned, row.versions))
        print(f"{row.work:40} {measured(row, repetitions):28} {row.asked:20} {peers}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
