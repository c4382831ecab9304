"""grouped: subgroups of data sets from what they are like."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from podium.errors import InferenceError
from podium.results.results import Results
from podium.studies.dataset_differences import described


def grouped(
    source: pd.DataFrame | Results,
    column: str,
    cuts: Sequence[float] | None = None,
    datasets: Sequence[str] | None = None,
) -> dict[str, list[str]]:
    """The data sets by a characteristic: by its categories or, for numbers, between cut points.

    A cut point belongs to the upper group. A data set without a value is in no group, nor is one
    that is not among `datasets` (such as a layout's labels), where these are given.

    >>> sizes = pd.DataFrame({"rows": [50, 100, 3000]}, index=["zoo", "iris", "letter"])
    >>> grouped(sizes, "rows", cuts=[100])
    {'rows < 100': ['zoo'], 'rows >= 100': ['iris', 'letter']}
    """
    values = described(source, [column])[column].dropna().infer_objects()
    if datasets is not None:
        values = values[values.index.isin(list(datasets))]
    numeric = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    if numeric:
        return _between(values, column, cuts)
    if cuts is not None:
        raise InferenceError(f"The characteristic '{column}' is no number and takes no cut points.")
    groups = {str(v): [n for n in values.index if values[n] == v] for v in values.unique()}
    return {f"{column} = {name}": of for name, of in groups.items()}


def listed_groups(table: pd.DataFrame, without: Collection[str] = ()) -> dict[str, list[str]]:
    """The groups of a table with the columns dataset and group, by their own names.

    Groups may be numbers; a data set with an empty group is in none, nor are those `without`.

    >>> listed_groups(pd.DataFrame({"dataset": ["zoo", "iris"], "group": [2, 1]}))
    {'2': ['zoo'], '1': ['iris']}
    """
    for column in ("dataset", "group"):
        if column not in table:
            raise InferenceError(
                f"A table of groups has the columns dataset and group; '{column}' is not there."
            )
    found: dict[str, list[str]] = {}
    for name, group in zip(table["dataset"].astype(str), table["group"], strict=True):
        if not pd.isna(group) and name not in without:
            # a column of whole numbers with gaps is one of floats
            whole = isinstance(group, float) and group.is_integer()
            found.setdefault(str(int(group) if whole else group), []).append(name)
    return found


def _between(values: pd.Series, column: str, cuts: Sequence[float] | None) -> dict[str, list[str]]:
    at = np.asarray([] if cuts is None else cuts, dtype=float).ravel()
    if not len(at) or not np.isfinite(at).all() or (np.diff(at) <= 0).any():
        raise InferenceError(
            f"The characteristic '{column}' is a number: say where to cut it, in increasing order, "
            f"as in cuts=[{values.median() if len(values) else 0:g}], not {cuts!r}."
        )
    texts = [f"{cut:g}" for cut in at]
    names = [f"{column} < {texts[0]}"]
    names += [f"{low} <= {column} < {high}" for low, high in pairwise(texts)]
    names += [f"{column} >= {texts[-1]}"]
    place = np.searchsorted(at, values.to_numpy(float), side="right")
    return {name: list(values.index[place == i]) for i, name in enumerate(names)}
