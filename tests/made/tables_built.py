"""Results for tests of the page, built from tables of errors."""

import numpy as np
import pandas as pd

import podium


def errors(means, samples=30, sd=0.02, seed=0, sampling="bootstrap", datasets=("iris",)):
    """Normal errors around a mean for every algorithm, the same blocks for all."""
    rng = np.random.default_rng(seed)
    rows = [
        (d, s, a, max(mean + block + rng.normal(0, sd), 0.0))
        for d in datasets
        for s in range(1, samples + 1)
        for block in [rng.normal(0, 0.05)]
        for a, mean in means.items()
    ]
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    return podium.read(table, sampling=sampling)


def by_hand(first, second, sampling="bootstrap", names=("a", "b")):
    """Two algorithms with these very errors."""
    table = pd.DataFrame({"sample": range(1, len(first) + 1), names[0]: first, names[1]: second})
    return podium.read(table, sampling=sampling, measure="error")


def surveyed(means, datasets=5, samples=6, sd=0.02, seed=0):
    """The same on several data sets."""
    names = tuple(f"d{i}" for i in range(1, datasets + 1))
    return errors(means, samples, sd, seed, datasets=names)
