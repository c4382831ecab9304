"""Speed of exact consensus, and what is left open where it takes too long.

    python benchmarks/consensus.py [seeds]

Every line is the median and the longest time over some seeds (3 unless told), with how the optima
were found, whether all were proved, and how many there are. A trend is a common one of values
i / K with normal noise; `tied` rounds the values, so that about a third of the neighbours tie.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np

from podium.core.orders.consensus import Consensus, consensus
from podium.core.orders.order import Order


@dataclass(frozen=True)
class Case:
    """An ensemble, a family, and the time that was asked for, in seconds."""

    algorithms: int
    orders: int
    noise: float | None  # None: uniformly random
    family: str = "linear"
    tied: bool = False
    target: float | None = None
    time_limit: float | None = None

    def __str__(self) -> str:
        kind = "uniformly random" if self.noise is None else f"trend, noise {self.noise:g}"
        return (
            f"{self.family:7} {self.orders:2} orders of {self.algorithms:3}, {kind}"
            f"{', tied' if self.tied else ''}"
        )

    def ensemble(self, seed: int) -> list[Order]:
        """The orders of a seed."""
        rng = np.random.default_rng(seed)
        shape = (self.orders, self.algorithms)
        if self.noise is None:
            values = rng.random(shape)
        else:
            values = np.arange(self.algorithms) / self.algorithms + self.noise * rng.normal(
                size=shape
            )
        if self.tied:
            values = np.round(values * self.algorithms / 3)
        names = [f"a{i}" for i in range(self.algorithms)]
        return [Order.from_ranks(names, row) for row in values]


CASES = [
    Case(20, 21, 0.3, target=0.01),
    Case(50, 21, 0.3, target=0.1),
    Case(100, 21, 0.3, target=2.0),
    Case(20, 21, 1.0),
    Case(50, 21, 1.0),
    Case(100, 21, 1.0, time_limit=60),
    Case(30, 21, None, target=0.2),
    Case(50, 21, None, time_limit=60),
    Case(50, 5, None, time_limit=60),
    Case(20, 21, 0.3, "weak", tied=True, target=2.0),
    Case(20, 21, 1.0, "weak", tied=True, target=2.0),
    Case(50, 21, 0.3, "weak", tied=True, time_limit=60),
    Case(20, 21, 0.3, "partial", tied=True),
    Case(20, 21, 0.3, "strict", tied=True),
]


def timed(case: Case, seed: int) -> tuple[float, Consensus]:
    orders = case.ensemble(seed)
    start = time.perf_counter()
    found = consensus(orders, family=case.family, time_limit=case.time_limit)
    return time.perf_counter() - start, found


def show(case: Case, seeds: int) -> None:
    runs = [timed(case, seed) for seed in range(seeds)]
    seconds = [run[0] for run in runs]
    found = [run[1] for run in runs]
    counts = [f"{len(f.orders)}{'+' if f.capped else ''}" for f in found]
    gap = max(f.gap / f.value if f.value else 0.0 for f in found)
    proof = "all proved" if all(f.optimal for f in found) else f"gap up to {100 * gap:.2g} %"
    target = f" (asked for: {case.target:g} s)" if case.target else ""
    print(
        f"{case!s:58} {np.median(seconds):7.3f} s, longest {max(seconds):7.3f} s{target}; "
        f"{proof}; optima {', '.join(counts)}; {', '.join(sorted({f.method for f in found}))}",
        flush=True,
    )


if __name__ == "__main__":
    timed(Case(15, 5, None), 0)  # loads the solver
    for case in CASES:
        show(case, int(sys.argv[1]) if len(sys.argv) > 1 else 3)
