"""New measures from kept predictions, without refitting."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from podium.design.losses import Computed, Output, computed, is_recorded, scored
from podium.errors import StoreError
from podium.store import Kept, Store

BATCH = 2_000  # runs scored per transaction


def rescore(path: str | Path, measures: Sequence[str | Computed]) -> int:
    """Score the kept predictions of a store by further measures; return how many runs.

    Runs whose kept outputs lack what a measure reads (probabilities, say) get no score of it.
    """
    wanted = tuple(computed(m) for m in measures)
    for m in wanted:
        if is_recorded(m):
            raise StoreError(f"'{m.name}' is measured while running; it cannot be computed later.")
    with Store(path) as store:
        runs = store.rows(
            "SELECT DISTINCT run FROM predictions JOIN runs ON runs.id = run WHERE failed = 0"
        )
        if not runs:
            raise StoreError(
                f"The store '{path}' keeps no predictions. Run its study with "
                'keep = ["predictions"] first.'
            )
        tasks = _tasks(store)
        for first in range(0, len(runs), BATCH):
            numbers = [r[0] for r in runs[first : first + BATCH]]
            store.append_scores([m.measure for m in wanted], _scores(store, numbers, wanted, tasks))
        return len(runs)


def _tasks(store: Store) -> dict[int, tuple[str, int]]:
    """The task and the number of classes of each run's data set, by the data set's number."""
    import json

    rows = store.rows("SELECT id, facts FROM datasets")
    facts = {number: json.loads(text) for number, text in rows}
    return {n: (f["task"], len(f["classes"])) for n, f in facts.items()}


def _scores(
    store: Store, runs: list[int], wanted: tuple[Computed, ...], tasks: dict[int, tuple[str, int]]
) -> Iterator[tuple[int, str, float]]:
    for run in runs:
        dataset = store.rows("SELECT dataset FROM runs WHERE id = ?", (run,))[0][0]
        task, n_classes = tasks[dataset]
        outputs = [_output(k, n_classes) for k in store.kept(run)]
        able = [m for m in wanted if task in m.tasks and _has(outputs, m)]
        for name, value in scored(able, outputs).values.items():
            yield run, name, value
        for m in wanted:
            if m not in able:
                yield run, m.name, math.nan


def _output(kept: Kept, n_classes: int) -> Output:
    arrays = {k: v for k, v in kept.arrays.items() if k not in ("row", "y")}
    return Output(kept.arrays["y"], arrays, n_classes)


def _has(outputs: list[Output], m: Computed) -> bool:
    return all(any(k in o.values for k in kinds) for o in outputs for kinds in m.needs)
