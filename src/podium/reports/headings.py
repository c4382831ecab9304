"""Tables for people: words instead of column names, aligned numbers, short p-values and shares.

Downloads keep the names and all digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from podium.formatting import aligned, number, p_value
from podium.reports.document import Table

WORDS = {
    "dataset": "data set",
    "fit_time": "fitting",
    "predict_time": "predicting",
    "best": "share of first places",
    "lower": "from",
    "upper": "to",
    "unlike_observed": "what is otherwise",
    "best_mean": "best mean",
    "p_overall": "p of no difference",
    "first_better": "first is better",
    "second_better": "second is better",
    "detectable": "least difference found",
    "sd_lower": "sd from",
    "sd_upper": "sd to",
    "sd of differences": "sd",
    "needed for this difference": "needed",
    "found with 80 % power now": "found now",
    "exception": "kind of failure",
    "category": "kind of warning",
    "count": "how often",
}
DIGITS = 3  # of the number in the middle of a column


def table(caption: str, frame: pd.DataFrame, words: Mapping[str, str] | None = None) -> Table:
    """A table whose headings are words, also its own, and whose numbers are short on the page."""
    shown = pd.DataFrame(
        {str(name): _texts(str(name), frame[name]) for name in frame}, index=frame.index
    )
    return Table(caption, frame, shown.rename(columns={**WORDS, **(words or {})}))


def _texts(name: str, column: pd.Series) -> pd.Series:
    """A column as it is read; one without fractions stays as it is."""
    if not pd.api.types.is_float_dtype(column.dtype):
        return column
    values = column.astype(float)
    write = KINDS.get(name, _numbers)
    return pd.Series(write(values.to_numpy()), index=column.index, dtype=object)


def _numbers(values: np.ndarray) -> list[str]:
    known = np.abs(values[np.isfinite(values) & (values != 0)])
    if not len(known) or (known == np.round(known)).all():
        return [number(v, 6) for v in values]
    return aligned(values.tolist(), float(np.median(known)), DIGITS)


def _shares(values: np.ndarray) -> list[str]:
    return ["–" if v != v else f"{100 * v:.0f} %" for v in values]


def _p_values(values: np.ndarray) -> list[str]:
    return [p_value(v) for v in values]


KINDS: dict[str, Callable[[np.ndarray], list[str]]] = {
    "p": _p_values,
    "p_overall": _p_values,
    "best": _shares,
    "frequency": _shares,
}
