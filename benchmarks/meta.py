"""Studies taken together: how fast a network is, and how often intervals cover.

    python benchmarks/meta.py network             # against netmeta in R, where it is installed
    python benchmarks/meta.py coverage            # some minutes of one core

`coverage` draws studies whose errors are known, alike or far from it, and counts how often 95 %
intervals hold the mean (ours, and Hartung and Knapp's alone) and the result of a new study, and
those
of three levels where studies share data sets.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import stats

from podium.asking.synthesis.pooled_pairs import three_level
from podium.asking.synthesis.random_effects import Study, network, pooled

STUDIES, ALGORITHMS = 9, ("lda", "svm", "knn", "forest", "boosting")
STATED = 6.3  # seconds of netmeta (REML), not byte-compiled, for nine studies of 2 to 4 arms
NETMETA = """
if (!requireNamespace("netmeta", quietly = TRUE)) quit(status = 9)
suppressMessages(library(netmeta))
d <- read.csv("{path}")
took <- system.time(netmeta(TE, seTE, treat1, treat2, studlab, data = d, method.tau = "REML"))
cat(took[["user.self"]] + took[["sys.self"]])
"""


def nine_studies(seed: int = 0) -> list[Study]:
    """Two to four algorithms each, whose errors are correlated."""
    rng = np.random.default_rng(seed)
    level = dict(zip(ALGORITHMS, (0.80, 0.83, 0.79, 0.84, 0.85), strict=True))
    found = []
    for i in range(STUDIES):
        names = tuple(rng.choice(ALGORITHMS, rng.integers(2, 5), replace=False))
        own = 0.02**2 * (0.4 * np.eye(len(names)) + 0.6)
        means = rng.multivariate_normal(
            [level[n] for n in names], own + 0.01**2 * np.eye(len(names))
        )
        found.append(Study(f"s{i}", names, means, own))
    return found


def speed(repeats: int = 200) -> None:
    """Processor seconds of one network, ours and netmeta's."""
    studies = nine_studies()
    network(studies)
    start = time.process_time()
    for _ in range(repeats):
        network(studies)
    ours = (time.process_time() - start) / repeats
    print(f"network, REML, {STUDIES} studies: {1000 * ours:.1f} ms")
    theirs = of_netmeta(studies)
    which = (
        f"{STATED} s were stated for netmeta, which is not here" if theirs is None else "netmeta"
    )
    print(f"{which}: {(theirs or STATED) / ours:.0f} times as long")


def of_netmeta(studies: list[Study]) -> float | None:
    """Its processor seconds; None where R or netmeta is not installed."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.csv"
        _write(studies, path)
        asked = ["Rscript", "-e", NETMETA.format(path=path)]
        ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    return float(ran.stdout) if ran.returncode == 0 else None


def _write(studies: list[Study], path: Path) -> None:
    with path.open("w") as file:
        file.write("studlab,treat1,treat2,TE,seTE\n")
        for s in studies:
            for i in range(len(s.algorithms)):
                for j in range(i):
                    v = s.covariance[i, i] + s.covariance[j, j] - 2 * s.covariance[i, j]
                    row = (
                        s.name,
                        s.algorithms[i],
                        s.algorithms[j],
                        s.means[i] - s.means[j],
                        v**0.5,
                    )
                    file.write(",".join(map(str, row)) + "\n")


# -- coverage -------------------------------------------------------------------------------------


def covered(k: int, spread: float, tau: float, replications: int, seed: int = 0) -> np.ndarray:
    """Shares of 95 % intervals that hold: ours, Hartung-Knapp alone, the result of a new study.

    Standard errors are lognormal about 0.018 with so large a standard deviation of logarithms.
    """
    rng = np.random.default_rng([seed, k, round(100 * spread), round(1000 * tau)])
    hits, far = np.zeros(3), stats.t.isf(0.025, k - 1)
    for _ in range(replications):
        *v, own = 0.018**2 * np.exp(2 * rng.normal(0, spread, k + 1))
        y = rng.normal(0, np.sqrt(np.array(v) + tau**2))
        ours = pooled(y, np.array(v))
        new = rng.normal(0, np.sqrt(own + tau**2))
        hits += (
            ours.lower <= 0 <= ours.upper,
            abs(ours.estimate) <= far * ours.error,
            ours.prediction[0] <= new <= ours.prediction[1],
        )
    return hits / replications


def covered_levels(
    studies: int, datasets: int, shared: bool, replications: int, seed: int = 0
) -> np.ndarray:
    """Shares of 95 % intervals that hold: three levels, and all rows as if independent.

    Every study has eight data sets of `datasets` (shared) or of its own.
    """
    rng = np.random.default_rng([seed, studies, datasets, shared])
    hits = np.zeros(2)
    each = min(8, datasets)
    labels = np.repeat(np.arange(studies), each)
    for _ in range(replications):
        draws = [rng.choice(datasets, each, replace=False) for _ in range(studies)]
        data = np.concatenate(draws) if shared else np.arange(studies * each)
        y = (
            rng.normal(0, 0.5, studies)[labels]
            + rng.normal(0, 1, data.max() + 1)[data]
            + rng.normal(0, 0.5, len(data))
        )
        low, high = three_level(y, np.zeros(len(y)), labels, data).limits(0.05)
        naive = 1.96 * y.std(ddof=1) / np.sqrt(len(y))
        hits += (low <= 0 <= high, abs(y.mean()) <= naive)
    return hits / replications


def coverage(replications: int = 2000, of_levels: int = 400) -> None:
    """All of it as tables."""
    print("spread of errors, tau, studies: ours, Hartung-Knapp, the result of a new study")
    for spread in (0.0, 0.6, 1.0):
        for tau in (0.0, 0.01, 0.03):
            for k in (3, 5, 10, 20):
                shares = " ".join(f"{100 * s:.1f}" for s in covered(k, spread, tau, replications))
                print(f"{spread:.1f} {tau:.2f} {k:3d}: {shares}", flush=True)
    print("studies, data sets, shared: three levels, as if independent")
    designs = [(5, 20, True), (10, 20, True), *((k, 8 * k, False) for k in (5, 10, 20))]
    for studies, datasets, shared in designs:
        shares = covered_levels(studies, datasets, shared, of_levels if shared else 1000)
        told = " ".join(f"{100 * s:.1f}" for s in shares)
        print(f"{studies:3d} {datasets:3d} {shared!s:5}: {told}", flush=True)


if __name__ == "__main__":
    {"network": speed, "coverage": coverage}[sys.argv[1] if len(sys.argv) > 1 else "network"]()
