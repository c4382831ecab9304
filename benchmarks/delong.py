"""AUC of many models on one test set, all pairs by DeLong's test, against a loop and pROC.

The loop is what scripts do: for every pair the midranks of both models, their covariance and z.
pROC (in R, where it is installed) is timed on the same scores. Statistics of all three must agree.
The claim is: a million items and ten models, all 45 pairs, in 3 s on an idle machine.

    python benchmarks/delong.py                 # 100,000 items for the peers, a million for Podium
    python benchmarks/delong.py --items 20000
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

PROC = """
suppressMessages(library(pROC))
d <- read.csv("FILE"); models <- setdiff(names(d), c("id", "y_true"))
start <- proc.time()[["elapsed"]]; z <- c()
rocs <- lapply(models, function(m) roc(d$y_true, d[[m]], direction = "<", quiet = TRUE))
for (i in seq_along(rocs)) for (j in seq_along(rocs)) if (i < j)
  z <- c(z, roc.test(rocs[[i]], rocs[[j]], method = "delong", paired = TRUE)$statistic)
cat(proc.time()[["elapsed"]] - start, z, sep = "\\n")
"""


def made(items: int, models: int) -> pd.DataFrame:
    """Probabilities of models that get better, on items one in ten of which is positive."""
    rng = np.random.default_rng(1)
    y, common = (rng.random(items) < 0.1).astype(int), rng.normal(size=items)
    scores = {
        f"m{k}": y * (1 + 0.02 * k) + 0.6 * common + 0.8 * rng.normal(size=items)
        for k in range(models)
    }
    shares = {name: 1 / (1 + np.exp(-x)) for name, x in scores.items()}
    return pd.DataFrame({"id": np.arange(items), "y_true": y, **shares})


def loop(frame: pd.DataFrame) -> np.ndarray:
    """z of every pair, each computed by itself."""
    from scipy.stats import rankdata

    y = frame["y_true"].to_numpy() == 1
    m, n = int(y.sum()), int((~y).sum())
    found = []
    for pair in combinations(frame.columns[2:], 2):
        areas, of_pos, of_neg = [], [], []
        for name in pair:
            x = frame[name].to_numpy()
            every, pos, neg = rankdata(x), rankdata(x[y]), rankdata(x[~y])
            of_pos.append((every[y] - pos) / n)
            of_neg.append(1 - (every[~y] - neg) / m)
            areas.append(of_pos[-1].mean())
        covariance = np.cov(of_pos) / m + np.cov(of_neg) / n
        spread = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
        found.append((areas[0] - areas[1]) / np.sqrt(spread))
    return np.array(found)


def by_podium(frame: pd.DataFrame) -> np.ndarray:
    """The statistics of all pairs, with limits, own intervals and verdicts beside them."""
    import podium

    return podium.compare(frame, measure="auc").table["statistic"].to_numpy()


def by_proc(frame: pd.DataFrame) -> tuple[float, np.ndarray] | None:
    """Seconds and statistics of pROC; None where R or pROC is missing."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.csv"
        frame.to_csv(file, index=False)
        script = PROC.replace("FILE", str(file))
        run = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True)
    if run.returncode:
        return None
    seconds, *z = map(float, run.stdout.split())
    return seconds, np.array(z)


def timed(of, frame: pd.DataFrame) -> tuple[float, np.ndarray]:
    """Seconds and what was found."""
    start = time.perf_counter()
    found = of(frame)
    return time.perf_counter() - start, found


def main() -> None:
    """Print seconds and ratios."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--items", type=int, default=100_000)
    asked.add_argument("--most", type=int, default=1_000_000)
    items = asked.parse_args()
    by_podium(made(1000, 3))  # libraries are loaded
    frame = made(items.items, 10)
    own, found = timed(by_podium, frame)
    peer, told = timed(loop, frame)
    print(f"{items.items} items, 10 models, 45 pairs: podium {own:.2f} s, loop {peer:.2f} s "
          f"({peer / own:.0f}x), z differ by {abs(found - told).max():.0e}")  # fmt: skip
    few = frame[["id", "y_true", "m0", "m1", "m2"]].head(20_000)
    if (r := by_proc(few)) is not None:
        own, found = timed(by_podium, few)
        print(f"{len(few)} items, 3 models, 3 pairs: podium {own:.2f} s, pROC {r[0]:.2f} s "
              f"({r[0] / own:.0f}x), z differ by {abs(found - r[1]).max():.0e}")  # fmt: skip
    own, _ = timed(by_podium, made(items.most, 10))
    print(f"{items.most} items, 10 models, 45 pairs: podium {own:.2f} s")


if __name__ == "__main__":
    main()
