"""The differences of two algorithms on every data set, and what describes the data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import pandas as pd

from podium.errors import InferenceError
from podium.facts import Note
from podium.inference.contrasts import against, all_pairs, named
from podium.inference.layouts import Layout
from podium.registry import unknown
from podium.results.dataset_facts import characteristics
from podium.results.results import Results
from podium.targets import BLOCKS, DATASET, DATASET_POPULATION

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Differences:
    """First less second of every pair on every data set, in the measure's own unit and sign."""

    values: np.ndarray  # data sets x pairs
    pairs: tuple[tuple[str, str], ...]
    layout: Layout  # the data sets that have all scores

    @property
    def names(self) -> pd.DataFrame:
        """The pairs as columns of a table."""
        return pd.DataFrame(list(self.pairs), columns=["first", "second"])


def differences(
    layout: Layout, control: str | None = None, pairs: Pairs | None = None
) -> Differences:
    """The differences on all data sets where every algorithm has a score."""
    _check(layout)
    whole = _complete(layout)
    if control is not None and pairs is not None:
        raise InferenceError("Say either a control or pairs, not both.")
    if pairs is not None:
        chosen = named(whole.algorithms, pairs)
    elif control is not None:
        chosen = against(whole.algorithms, control)
    else:
        chosen = all_pairs(len(whole.algorithms))
    first, second = np.array(chosen).T
    values = whole.sign * (whole.values[:, first] - whole.values[:, second])
    names = tuple((whole.algorithms[i], whole.algorithms[j]) for i, j in chosen)
    return Differences(values + 0.0, names, whole)  # no -0.0


def _check(layout: Layout) -> None:
    if layout.block != DATASET:
        raise InferenceError(
            f"Groups and characteristics are those of data sets as blocks, not of "
            f"{BLOCKS[layout.block].text}; give results of several data sets."
        )
    if layout.target != DATASET_POPULATION:
        raise InferenceError(
            f"What differs between data sets is judged by how they vary, which is evidence about "
            f"the target '{DATASET_POPULATION}', not about '{layout.target}'."
        )
    if len(layout.algorithms) < 2:
        raise InferenceError("A difference needs two algorithms; there is one.")
    if np.isinf(layout.values).any():
        raise InferenceError(
            f"The measure '{layout.measure.name}' has infinite scores, which no mean or test can "
            "use; remove them or choose another measure."
        )


def _complete(layout: Layout) -> Layout:
    """The data sets that have all scores, with their names; a note lists the others."""
    names = layout.labels or tuple(f"data set {i + 1}" for i in range(len(layout.values)))
    whole = ~np.isnan(layout.values).any(axis=1)
    gone = tuple(compress(names, ~whole))
    if not whole.any():
        raise InferenceError("On no data set has every algorithm a score: there is no difference.")
    note = Note("incomplete-blocks", left_out=gone)
    return replace(
        layout,
        values=layout.values[whole],
        labels=tuple(compress(names, whole)),
        notes=(*layout.notes, *[note] * bool(gone)),
    )


def described(source: pd.DataFrame | Results, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Characteristics as a table whose rows are named by the data sets.

    From results that know them, or from a frame with the data sets as its index or as the column
    `dataset`.
    """
    table = characteristics(source) if isinstance(source, Results) else source
    if not isinstance(table, pd.DataFrame):
        raise InferenceError(
            f"Characteristics are a data frame with one row per data set, or results that know "
            f"them, not {type(source).__name__}."
        )
    if "dataset" in table.columns:
        table = table.set_index("dataset")
    table = table.set_axis(table.index.map(str), axis=0)
    twice = table.index[table.index.duplicated()]
    if len(twice):
        raise InferenceError(f"The data set '{twice[0]}' has two rows of characteristics.")
    wanted = list(table.columns) if columns is None else list(columns)
    for name in wanted:
        if name not in table.columns:
            known = [str(column) for column in table.columns]
            raise InferenceError(unknown("characteristic", name, known))
    return table[wanted]
