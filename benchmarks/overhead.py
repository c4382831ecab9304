"""What the store, resumability and records cost: Podium against a bare joblib loop.

lda, naive Bayes, tree, 5-nearest neighbours, logistic regression and a small SVM x 250 bootstrap
samples on 500 rows, both on 2 workers, both starting their own worker processes. The bare loop
gives blocks of 25 samples to joblib, fits, predicts and keeps the errors in memory. Every call is a
first one: its workers load all libraries anew. Prints the ratio of wall times; the claim is at most
1.05.

    python benchmarks/overhead.py [repetitions]
"""

from __future__ import annotations

import os
import statistics
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
from podium.design.data.problems import twonorm
from podium.execution.keepers import forget
from podium.execution.runner import execute

ESTIMATORS = {
    "lda": LinearDiscriminantAnalysis(),
    "nb": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "knn": KNeighborsClassifier(5),
    "logistic": LogisticRegression(),
    "svm": SVC(),
}
SAMPLES, ROWS, BLOCK, WORKERS = 250, 500, 25, 2
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


def bare() -> float:
    start = time.perf_counter()
    jobs = (delayed(block)(b) for b in range(0, SAMPLES, BLOCK))
    found = [s for part in Parallel(n_jobs=WORKERS)(jobs) for s in part]
    seconds = time.perf_counter() - start
    get_reusable_executor().shutdown(wait=True)  # the next repetition starts its own workers
    assert len(found) == SAMPLES * len(ESTIMATORS)
    return seconds


def podium() -> float:
    study = Study(dataset("twonorm", X, Y), ESTIMATORS, sampling=f"bootstrap:{SAMPLES}")
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        outcome = execute(study, Path(folder) / "scores.db", jobs=WORKERS)
        seconds = time.perf_counter() - start
    forget()  # the next repetition starts its own keeper
    assert outcome.ran == SAMPLES * len(ESTIMATORS)
    assert not outcome.failed
    return seconds


def main(repetitions: int) -> None:
    bare(), podium()  # warm the disk cache
    pairs = [(bare(), podium()) for _ in range(repetitions)]
    for b, p in pairs:
        print(f"bare joblib {b:6.2f} s   podium {p:6.2f} s   ratio {p / b:.3f}")
    print(f"median ratio {statistics.median(p / b for b, p in pairs):.3f} (claim: at most 1.05)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
