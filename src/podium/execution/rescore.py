"""New measures from kept predictions, without refitting."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from podium.base.errors import StoreError
from podium.design.data.datasets import TASKS
from podium.design.measuring.outputs import LABELS, Output
from podium.design.measuring.scoring import (
    Computed,
    computed,
    impossible,
    is_recorded,
    reads_attributes,
    scored,
)
from podium.execution.predictions import kept_output
from podium.store import Store
from podium.store.store_file import understood

BATCH = 2_000  # runs scored per transaction
KEPT = """
    SELECT id, dataset FROM runs
    WHERE failed = 0 AND EXISTS (SELECT 1 FROM predictions p WHERE p.run = runs.id)"""

Row = tuple[int, str, float]  # run number, measure, value


def rescore(path: str | Path, measures: Sequence[str | Computed]) -> int:
    """Score the kept predictions of a store by further measures; return how many runs.

    Runs whose kept outputs lack what a measure reads (probabilities, say) get no score of it.
    """
    wanted = [computed(m) for m in measures]
    for m in wanted:
        if is_recorded(m):
            raise StoreError(f"'{m.name}' is measured while running; it cannot be computed later.")
        if reads_attributes([m]):
            raise StoreError(
                f"'{m.name}' reads the attributes of the test rows, which no store keeps: name it "
                "among the study's measures and run it."
            )
    names: set[str] = set()
    numbers: set[int] = set()
    with Store(path) as store:
        for rows in list(_batches(store, wanted)):  # all, before any is written
            names |= {name for _, name, _ in rows}
            numbers |= {run for run, _, _ in rows}
            store.append_scores([m.measure for m in wanted if m.name in names], rows)
        _note(store, [m for m in wanted if m.name in names])
    for m in wanted:
        if m.name not in names:
            needs = " and ".join(" or ".join(kinds) for kinds in m.needs)
            tasks = "" if m.tasks == TASKS else f" for {' or '.join(m.tasks)}"
            raise StoreError(
                f"No predictions in the store '{path}' can be scored by '{m.name}', which needs "
                f"{needs}{tasks}."
            )
    return len(numbers)


def _batches(store: Store, wanted: list[Computed]) -> Iterator[list[Row]]:
    runs = store.rows(KEPT)
    if not runs:
        raise StoreError(
            f"The store '{store.path}' keeps no predictions. Run its study with "
            'keep = ["predictions"] first.'
        )
    store.verified()
    store.verify_details()
    with understood(store.path):
        facts = {i: json.loads(text) for i, text in store.rows("SELECT id, facts FROM datasets")}
    for first in range(0, len(runs), BATCH):
        rows: list[Row] = []
        for run, dataset in runs[first : first + BATCH]:
            with understood(store.path):
                known = facts[dataset]
                outputs = [kept_output(k, known) for k in store.kept(run)]
                suited = [m for m in wanted if _suits(m, known)]
            rows += _scores(run, outputs, suited)
        yield rows


def _suits(measure: Computed, facts: Mapping[str, Any]) -> bool:
    """Whether a measure makes sense for a data set of which these facts are known."""
    labelled = bool(facts["classes"]) or LABELS not in measure.asks
    return facts["task"] in measure.tasks and labelled


def _scores(run: int, outputs: list[Output], wanted: list[Computed]) -> Iterator[Row]:
    for m in wanted:
        if all(any(k in o.values for k in kinds) for o in outputs for kinds in m.needs):
            try:
                value = scored([m], outputs).values[m.name]
            except Exception as error:  # a user's own function may raise anything
                raise StoreError(
                    f"The measure '{m.name}' cannot be computed: {type(error).__name__}: {error}."
                ) from error
            if why := impossible(m.measure, value):
                raise StoreError(f"{why[0].upper()}{why[1:]}; nothing was written.")
            yield run, m.name, value


def _note(store: Store, measures: Sequence[Computed]) -> None:
    """From now on these definitions of their names count."""
    study = store.definitions()[-1]
    specs = study["specs"] | {m.name: m.measure.spec for m in measures}
    if specs != study["specs"]:
        store.note({**study, "specs": specs}, {"scored": [m.name for m in measures]})
