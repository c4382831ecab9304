"""Reading results: stores, and tables that somebody else made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import ResultsError
from podium.execution.itemize import item_losses
from podium.results.foreign import read_table
from podium.results.readers import read_store
from podium.results.results import Results
from podium.samplings import Sampling
from podium.samplings import parse as parse_sampling
from podium.store.store_file import HEAD


def read(
    source: Any,
    *,
    sampling: str | Sampling | None = None,
    measure: str | None = None,
    higher_is_better: bool | None = None,
    columns: str | Mapping[str, str] | None = None,
) -> Results:
    """The results of a store, or of a table of scores that somebody else made.

    Parameters
    ----------
    source : a store; a CSV or Parquet file, long or wide; a frame (pandas, polars, pyarrow);
        scikit-learn's `cv_results_`; a mapping from algorithms to their scores.
    sampling : how the samples were drawn, where the table does not carry it: `cv:10`,
        `bootstrap`, `items` ... It decides which inference is legal.
    measure, higher_is_better : what the scores are, where their name does not tell.
    columns : what is what, such as `{"algorithm": "method", "value": "acc", "ignore": "n"}`.
    """
    if isinstance(source, (str, Path)) and is_store(Path(source)):
        results = read_store(source)
        _check_said_of_store(results, sampling, higher_is_better, columns)
        return results
    return read_table(
        source,
        sampling=sampling,
        measure=measure,
        higher_is_better=higher_is_better,
        columns=columns,
    )


def items(
    store: str | Path, *, measure: str = "error", dataset: str | None = None, sample: int | None = 1
) -> Results:
    """One loss per test item of the models fitted to one sample, from kept predictions.

    Items are rows of the data set; they are evidence about these fitted models on new items. With
    `sample=None`, of all training sets on their one test set (`sampling="training-sets:RxN"`):
    evidence about the algorithms on new training sets and new items.
    """
    drawn = read_store(store).sampling
    if drawn is not None and drawn.optimistic:
        raise ResultsError(
            f"The samples of this store ('{drawn}') are tested on rows that were learned from: "
            "these items say nothing about new ones. Run a bootstrap, holdout or cross-validation."
        )
    if sample is None:
        return _crossed_items(store, measure, dataset)
    table = item_losses(store, measure, dataset, sample)
    found = read_table(table, sampling="items", measure=measure)
    return replace(found, name=f"{Path(store).stem}, sample {sample}")


def _crossed_items(store: str | Path, measure: str, dataset: str | None) -> Results:
    known = read_store(store)
    drawn = known.sampling
    if drawn is None or drawn.replicate != "training-set":
        raise ResultsError(
            f"The samples of this store were drawn by '{drawn}': items of several training sets "
            "are compared where all are tested on one test set, by training-sets:RxN."
        )
    tables = [
        item_losses(store, measure, dataset, sample).assign(sample=sample)
        for sample in range(1, (drawn.count or 0) + 1)
    ]
    return read_table(pd.concat(tables, ignore_index=True), sampling=drawn, measure=measure)


def _check_said_of_store(
    results: Results, sampling: str | Sampling | None, higher_is_better: object, columns: object
) -> None:
    """A store says all of this itself: refuse what is said again, rather than ignore it."""
    for name, value in (("columns", columns), ("higher_is_better", higher_is_better)):
        if value is not None:
            raise ResultsError(f"{name} is for tables; a store knows its own. Leave it out.")
    own = results.sampling
    if sampling is not None and own is not None and parse_sampling(sampling).name != own.name:
        raise ResultsError(
            f"The samples of this store were drawn by '{own}', not by '{sampling}'. Leave the "
            "sampling out."
        )


def is_store(path: Path) -> bool:
    """Whether a file is a store, or another SQLite database."""
    try:
        if not path.is_file():  # to open a pipe may wait for ever
            return False
        with path.open("rb") as file:
            return file.read(len(HEAD)) == HEAD
    except OSError:
        return False  # the reader of tables says what is wrong with it
