"""Results to draw: ordinary ones, and those on which plots break."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium import Comparisons, Results, compare, layout
from podium import read as read_table

ODD_NAMES = [
    "cost$5 and $x^2$",
    "<script>alert('a')</script>",
    'the "best", they say',
    "a name of eighty letters that says which estimator, which kernels, which penalty",
    "größer ≈ naïve & 5 % _under_",
    "two\nlines",
]


def read(
    frame: pd.DataFrame, sampling: str | None = "bootstrap", measure: str = "error"
) -> Results:
    """Results of a table of scores."""
    return read_table(frame, sampling=sampling, measure=measure)


def wide(values: np.ndarray, names: Sequence[str]) -> Results:
    """Results of samples x algorithms on one data set."""
    long = [
        {"dataset": "monks", "sample": i + 1, "algorithm": name, "error": value}
        for i, row in enumerate(np.asarray(values, float).tolist())
        for name, value in zip(names, row, strict=True)
    ]
    return read(pd.DataFrame(long))


def errors(samples: int, algorithms: int, seed: int = 1) -> np.ndarray:
    """Shares of 200 test items, better for earlier algorithms, alike within a sample."""
    rng = np.random.default_rng(seed)
    rates = np.linspace(0.08, 0.3, algorithms) + rng.normal(0, 0.02, (samples, 1))
    return rng.binomial(200, np.clip(rates, 0.01, 0.99)) / 200


def two() -> Results:
    """Two algorithms on 25 samples."""
    return wide(errors(25, 2), ["svm", "rpart"])


def six() -> Results:
    """Six algorithms on 60 samples, the worst one first."""
    return wide(errors(60, 6)[:, ::-1], ["lda", "knn", "nb", "nnet", "rpart", "svm"])


def fifty() -> Results:
    """Fifty algorithms on 20 samples."""
    return wide(errors(20, 50), [f"algorithm {i}" for i in range(1, 51)])


def long_names() -> Results:
    """Algorithms with `$`, tags, quotes, eighty letters and a line break in their names."""
    return wide(errors(15, len(ODD_NAMES)), ODD_NAMES)


def ties() -> Results:
    """In every sample all four algorithms have the same score."""
    return wide(np.repeat(errors(12, 1), 4, axis=1), ["a", "b", "c", "d"])


def gaps() -> Results:
    """Four algorithms: complete, two scores missing, without any score, and one run failed."""
    values = errors(15, 4, seed=3)
    values[[2, 7], 1] = values[:, 2] = values[4, 3] = np.nan
    return failed(wide(values, ["svm", "rpart", "none", "knn"]), "knn", 5)


def failed(results: Results, algorithm: str, sample: int) -> Results:
    """Results in which one run without a score has failed."""
    runs = results.runs.copy()
    gone = (runs["algorithm"] == algorithm) & (runs["sample"] == sample)
    runs.loc[gone, "status"] = "failed"
    told = {"exception": "ValueError", "message": "boom", "traceback": "Traceback ..."}
    row = runs.loc[gone, ["dataset", "algorithm", "sample"]].assign(**told)
    return replace(results, runs=runs, failures=row.reset_index(drop=True))


def one_sample() -> Results:
    """Three algorithms on a single sample."""
    return wide(np.array([[0.1, 0.2, 0.2]]), ["svm", "rpart", "knn"])


def constant() -> Results:
    """Three algorithms that always have the same score; two of them the same one."""
    return wide(np.tile([0.1, 0.1, 0.25], (10, 1)), ["svm", "rpart", "knn"])


def several() -> Results:
    """4 data sets x 4 algorithms x 12 samples, not equally hard."""
    names = ["svm", "rpart", "knn", "lda"]
    parts = []
    for j, dataset in enumerate(["monks1", "monks2", "monks3", "sonar"]):
        values = np.roll(errors(12, 4, seed=10 + j), j // 2, axis=1) + 0.1 * j
        part = pd.DataFrame(values, columns=names).assign(dataset=dataset, sample=range(1, 13))
        parts.append(part.melt(["dataset", "sample"], var_name="algorithm", value_name="error"))
    return read(pd.concat(parts, ignore_index=True))


def survey(datasets: int = 20, algorithms: int = 6) -> Results:
    """One score per data set and algorithm."""
    rng = np.random.default_rng(5)
    hard = rng.uniform(0.02, 0.4, (datasets, 1))
    values = hard + np.linspace(0, 0.06, algorithms) + rng.normal(0, 0.03, (datasets, algorithms))
    table = pd.DataFrame(
        np.clip(values, 0, 1).round(4), columns=[f"algorithm {i + 1}" for i in range(algorithms)]
    )
    table.insert(0, "dataset", [f"data {j + 1}" for j in range(datasets)])
    return read(table, sampling=None)


def timed(results: Results | None = None, ratio: float = 1.4) -> Results:
    """Results with times: each algorithm takes `ratio` times as long as the one before."""
    results = six() if results is None else results
    runs = results.runs.copy()
    place = runs["algorithm"].cat.codes.to_numpy(float)
    noise = np.random.default_rng(2).lognormal(0, 0.2, len(runs))
    done = runs["status"].to_numpy() == "done"
    runs["fit_time"] = np.where(done, 0.02 * ratio**place * noise, np.nan)
    runs["predict_time"] = np.where(done, 0.004 * noise, np.nan)
    return replace(results, runs=runs)


CASES: dict[str, Callable[[], Results]] = {
    "two": two,
    "fifty": fifty,
    "long names": long_names,
    "ties": ties,
    "gaps": gaps,
    "one sample": one_sample,
    "constant": constant,
    "several": several,
    "survey": survey,
}


def compared(
    results: Results,
    procedure: str | None = None,
    *,
    dataset: str | None = None,
    **options: Any,
) -> Comparisons:
    """Comparisons of those algorithms that have scores."""
    scored = set(results.scores.dropna(subset=["value"])["algorithm"])
    kept = results.filter(algorithm=[name for name in results.algorithms if name in scored])
    return compare(layout(kept, dataset=dataset), procedure, **options)
