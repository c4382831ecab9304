"""What the store, resumability and records cost: Podium against a bare joblib loop.

lda, naive Bayes, tree, 5-nearest neighbours, logistic regression and a small SVM x 250 bootstrap
samples on 500 rows, both on 2 workers, both starting their own worker processes. The bare loop
gives blocks of 25 samples to joblib, fits, predicts and keeps the errors in memory. Every call is a
first one, in a process of its own, whose workers load all libraries anew. Prints the ratios of wall
times, at most 1.05 on a quiet machine, and of processor seconds, with all descendants, which
other work on the machine moves little. Four times as many samples tell what every run costs from
what every call costs.

    python benchmarks/overhead.py [repetitions]
"""

from __future__ import annotations

import ctypes
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from podium import Study, dataset
from podium.running.design.data.problems import twonorm
from podium.running.execution.keepers import forget
from podium.running.execution.runner import execute

ESTIMATORS = {
    "lda": LinearDiscriminantAnalysis(),
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "knn": KNeighborsClassifier(5),
    "logistic": LogisticRegression(),
    "svm": SVC(),
}
SAMPLES, ROWS, BLOCK, WORKERS = 250, 500, 25, 2
MORE = 1000  # samples, to tell what runs cost from what calls cost
_PR_SET_CHILD_SUBREAPER = 36
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
X, Y = twonorm(ROWS, np.random.default_rng(0))


def block(first: int) -> list[tuple[int, str, float]]:
    scores = []
    for sample in range(first, first + BLOCK):
        rng = np.random.default_rng([1, sample])
        train = rng.integers(ROWS, size=ROWS)
        test = np.setdiff1d(np.arange(ROWS), train)
        for name, estimator in ESTIMATORS.items():
            fitted = clone(estimator).fit(X[train], Y[train])
            scores.append((sample, name, float(np.mean(fitted.predict(X[test]) != Y[test]))))
    return scores


def bare(samples: int = SAMPLES) -> float:
    start = time.perf_counter()
    jobs = (delayed(block)(b) for b in range(0, samples, BLOCK))
    found = [s for part in Parallel(n_jobs=WORKERS)(jobs) for s in part]
    seconds = time.perf_counter() - start
    get_reusable_executor().shutdown(wait=True)  # the next repetition starts its own workers
    assert len(found) == samples * len(ESTIMATORS)
    return seconds


def podium(samples: int = SAMPLES) -> float:
    study = Study(dataset("twonorm", X, Y), ESTIMATORS, sampling=f"bootstrap:{samples}")
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        outcome = execute(study, Path(folder) / "scores.db", jobs=WORKERS)
        seconds = time.perf_counter() - start
    forget()  # the next repetition starts its own keeper
    assert outcome.ran == samples * len(ESTIMATORS)
    assert not outcome.failed
    return seconds


def nothing(samples: int) -> float:
    return 0.0 * samples


SIDES = {"joblib": bare, "podium": podium, "nothing": nothing}


def in_a_process(side: str, samples: int) -> np.ndarray:
    """Seconds of the wall and of the processor, the latter with those that started it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, __file__, side, str(samples)]
    wall = float(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    try:
        while True:
            os.wait()  # descendants whose parents were killed
    except ChildProcessError:
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return np.array([wall, user + system])


def main(repetitions: int) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for side in SIDES:
        in_a_process(side, BLOCK)  # warm the disk cache
    rounds = []
    for _ in range(repetitions):
        loading = in_a_process("nothing", 0)
        cells = [[in_a_process(s, n) - loading for n in (SAMPLES, MORE)] for s in list(SIDES)[:2]]
        rounds.append(cells)
        ratios = np.array(cells)[1] / np.array(cells)[0]
        print(f"wall {cells[0][0][0]:6.2f} and {cells[1][0][0]:6.2f} s   ratios", ratios.round(3))
    of_both = np.array(rounds)  # repetitions x sides x samples x (wall, processor)
    runs = np.diff(of_both, axis=2)[:, :, 0] / (MORE - SAMPLES)
    calls = of_both[:, :, 0] - SAMPLES * runs
    for number, clock in enumerate(("wall", "processor")):
        first, ours = of_both[:, 0, :, number], of_both[:, 1, :, number]
        small, large = np.median(ours / first, axis=0)
        per_run = statistics.median(runs[:, 1, number] / runs[:, 0, number])
        fixed = np.median(calls[:, :, number], axis=0)
        print(
            f"{clock:9}  {SAMPLES} samples {small:.3f}   {MORE} samples {large:.3f}   "
            f"per run {per_run:.3f}   per call {fixed[0]:.2f} s and {fixed[1]:.2f} s"
        )
    print("(ratios of Podium to joblib; asked of the wall: at most 1.05)")


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in SIDES:
        print(SIDES[sys.argv[1]](int(sys.argv[2])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
