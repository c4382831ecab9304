"""Long simulations in batches that are kept: a killed run goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from podium.calibration.kept import Kept
from podium.errors import DesignError
from podium.progress import Progress

Work = Callable[[int, int], np.ndarray]  # (seed, batch) -> what was found


def in_batches(
    work: Work,
    count: int,
    *,
    key: str,
    seed: int,
    jobs: int = 1,
    store: Path | None = None,
    progress: Progress | None = None,
) -> np.ndarray:
    """What `work` finds in the batches 0, 1, ..., stacked; those in `store` are not made again.

    `key` says what is made, with all that it depends on besides seed and batch. `work` draws its
    random numbers from (seed, batch) alone, so that neither jobs nor interruptions matter; with
    several jobs it must be a function of a module.
    """
    if seed < 0:
        raise DesignError(f"The seed is {seed}; it must be a whole number of at least 0.")
    if jobs == 0:
        raise DesignError("With 0 jobs nothing runs: say 1 or more, or -1 for all cores.")
    with closing(Kept(store)) as kept:
        key = f"{key} seed={seed}"
        known = {batch: kept.get(key, batch) for batch in range(count)}
        found = {batch: values for batch, values in known.items() if values is not None}
        for batch, values in _made(work, seed, [b for b in range(count) if b not in found], jobs):
            found[batch] = values
            kept.add(key, batch, values)
            if progress is not None:
                progress(len(found), count)
    return np.stack([found[batch] for batch in range(count)])


def _made(work: Work, seed: int, batches: list[int], jobs: int) -> Iterator[tuple[int, np.ndarray]]:
    """Batches and what was found in them, in whatever order they are done."""
    from joblib import Parallel, delayed

    run = Parallel(jobs, return_as="generator_unordered", batch_size=1)
    yield from run(delayed(_one)(work, seed, batch) for batch in batches)


def _one(work: Work, seed: int, batch: int) -> tuple[int, np.ndarray]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # the matrices are small
        return batch, work(seed, batch)
