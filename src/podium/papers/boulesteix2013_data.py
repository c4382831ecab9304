"""A population of two-class data sets with many more genes than rows.

It stands in for the 50 microarray data sets of Boulesteix, Hable, Lauer & Eugster (2013), which
cannot be had. Genes are normal and correlated within blocks, some of them differ between the
classes (as their Section 2 describes simulations); how many, by how much, the correlation and all
sizes vary from data set to data set.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from podium.design.datasets import Dataset, dataset

ROWS, GENES = (40, 200), (1000, 3000)
BLOCKS = (5, 50)  # genes in a block
LEAST = 5  # genes that differ between the classes
PART = 0.3  # of all genes: the most that differ


@dataclass(frozen=True)
class Expression:
    """One distribution of the population, with the size of a data set."""

    rows: int
    share: float  # of the second class
    block: np.ndarray  # of every gene
    correlation: float  # within a block
    shift: np.ndarray  # of every gene in the second class

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Expression:
        """A distribution drawn from the population."""
        genes, size = _between(rng, GENES), _between(rng, BLOCKS)
        differing = rng.permutation(genes)[: _between(rng, (LEAST, PART * genes))]
        shift = np.zeros(genes)
        shift[differing] = rng.normal(0, rng.uniform(0.2, 1.0), len(differing))
        return cls(
            _between(rng, ROWS),
            rng.uniform(0.3, 0.7),
            np.arange(genes) // size,
            rng.uniform(0, 0.8),
            shift,
        )

    def dataset(self, name: str, rng: np.random.Generator) -> Dataset:
        """A data set of this distribution; both classes have at least a fifth of the rows."""
        least = math.ceil(self.rows / 5)
        ones = int(np.clip(rng.binomial(self.rows, self.share), least, self.rows - least))
        y = rng.permutation(np.arange(self.rows) < ones)
        common = rng.standard_normal((self.rows, self.block[-1] + 1))[:, self.block]
        own = rng.standard_normal((self.rows, len(self.block)))
        x = math.sqrt(self.correlation) * common + math.sqrt(1 - self.correlation) * own
        return dataset(name, x + y[:, None] * self.shift, np.where(y, "b", "a"))


def _between(rng: np.random.Generator, ends: tuple[float, float]) -> int:
    """A whole number, small ones as likely as large ones on a logarithmic scale."""
    return round(math.exp(rng.uniform(*np.log(ends))))


def twins(count: int, seed: int) -> list[tuple[Dataset, Dataset]]:
    """From each of so many distributions two data sets: the study's own and an independent one.

    The first ones do not depend on the count.
    """
    made = []
    for number in range(1, count + 1):
        process = Expression.drawn(np.random.default_rng([seed, number]))
        first, second = (np.random.default_rng([seed, number, twin]) for twin in (1, 2))
        made.append(
            (process.dataset(f"set{number}", first), process.dataset(f"set{number} again", second))
        )
    return made
