"""What of a store is as it was written, and what is to be run anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from podium.base.errors import StoreError
from podium.store import digests
from podium.store.merge import Contradiction, contradictions, copy_sound
from podium.store.store import Store
from podium.store.store_file import damaged, understood

_NAMED = """
    SELECT runs.id, datasets.name, algorithms.name, sample FROM runs
    LEFT JOIN datasets ON datasets.id = runs.dataset
    LEFT JOIN algorithms ON algorithms.id = runs.algorithm"""


@dataclass(frozen=True)
class Checked:
    """What came of checking a store.

    `unsound` are the numbers of the runs that are not as they were written, or hold a score that
    its measure cannot give; `named` are those of them whose names are known: data set, algorithm
    and sample. Of `unsealed` runs, of an earlier version, damage cannot be told.
    """

    path: Path
    runs: int
    unsealed: int
    unsound: tuple[int, ...]
    named: tuple[tuple[str, str, int], ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.unsound and not self.contradictions


def check_store(path: str | Path) -> Checked:
    """Read all of a store and compare it with its digests."""
    with Store(path, readonly=True) as store, store.snapshot():
        super(Store, store).check()
        store.definitions()  # refuses where what it says of its study is damaged
        runs = store.runs_table()
        _refuse_unknown_digests(store)
        with understood(store.path):
            noted = store.noted(digests.RUNS)
            unsound = sorted({int(i) for i in _unsound(store, noted)})
        known = {row[0]: row[1:] for row in store.rows(_NAMED) if None not in row}
        return Checked(
            store.path,
            len(runs["id"]),
            int((~np.isin(runs["id"], noted.ids)).sum()),
            tuple(unsound),
            tuple(known[i] for i in unsound if i in known),
            tuple(contradictions([store])) if not unsound else (),
        )


def _refuse_unknown_digests(store: Store) -> None:
    """Refuse digests of what nobody digests: of something else they are missing."""
    if store.has_digests:
        for (kind,) in store.rows("SELECT DISTINCT of FROM digests"):
            if kind not in digests.KINDS:
                raise StoreError(damaged(store.path, f"it has digests of {kind!r:.40}"))


def _unsound(store: Store, noted: digests.Sums) -> Iterator[int]:
    yield from digests.differing(noted, store.found())
    yield from store.changed_details()
    scores = store.scores_table()
    for number, measure in store.measures().items():
        low, high = measure.bounds
        of_measure = scores["measure"] == number
        beyond = (scores["value"] < low - 1e-9) | (scores["value"] > high + 1e-9)
        yield from scores["run"][of_measure & beyond]


def save_sound(checked: Checked, into: str | Path) -> int:
    """Write a new store with what is sound; return how many runs."""
    return copy_sound(checked.path, Path(into), checked.unsound)
