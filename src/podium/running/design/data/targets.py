"""Targets: vectors of numbers and names, and what they mean for a task."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import DesignError
from podium.running.design.data import survival

MOST_INTEGER_CLASSES = 20  # whole-numbered targets with more values than this are quantities
TRUTHS = (bool, np.bool_)
NUMBERS_AND_NAMES = (str, *TRUTHS, Real, Decimal)


# -- vectors ----------------------------------------------------------------------------------


def objects(values: Iterable[Any]) -> np.ndarray:
    """A one-dimensional array of objects, also where these are lists."""
    return pd.Series(list(values), dtype=object).to_numpy()


def kinds(what: str, values: np.ndarray) -> set[type]:
    """The types of the values that are there: numbers, truth values and texts, nothing else."""
    results = {type(v) for v in values[~pd.isna(values)]}
    if odd := sorted(k.__name__ for k in results if not issubclass(k, NUMBERS_AND_NAMES)):
        raise _neither(what, odd[0])
    return results


def _neither(what: str, kind: object) -> DesignError:
    return DesignError(
        f"{what} holds {kind}, neither numbers nor names. Turn it into numbers or leave it out."
    )


def categorical(values: Iterable[Any]) -> pd.Categorical:
    """Nominal values by name, with the levels that occur."""
    given = objects(values)
    labels = [None if gap else label(v) for v, gap in zip(given, pd.isna(given), strict=True)]
    return pd.Categorical(labels, categories=_sorted_labels({v for v in labels if v is not None}))


def label(value: Any) -> str:
    """A level's name; whole numbers lose the fraction that missing neighbours gave them."""
    whole = isinstance(value, (float, np.floating)) and value.is_integer()
    return str(int(value)) if whole else str(value)


def _sorted_labels(labels: Iterable[str]) -> list[str]:
    """Numbers in numerical order, texts in alphabetical order."""
    labels = sorted(labels)
    try:
        return sorted(labels, key=float)
    except ValueError:
        return labels


def vector(what: str, role: str, values: Any) -> np.ndarray:
    """A one-dimensional array; numbers as numbers, everything else as objects."""
    if isinstance(values, (list, tuple)):
        values = np.array(values, dtype=object)  # else a gap would become the text 'nan'
    if isinstance(getattr(values, "dtype", None), pd.CategoricalDtype):
        values = np.asarray(categorical(values), dtype=object)  # names, also where they are digits
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(object), np.nan)
    values = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise DesignError(f"{what}: {role} has {values.ndim} dimensions.")
    if values.dtype.kind in "mMcV":  # as objects, times would turn into numbers
        raise _neither(f"{what}: {role}", "times" if values.dtype.kind in "mM" else values.dtype)
    return values if values.dtype.kind in "biuf" else _numbers_where_possible(what, role, values)


def _numbers_where_possible(what: str, role: str, values: np.ndarray) -> np.ndarray:
    values = values.astype(object)
    result = kinds(f"{what}: {role}", values)
    if not result or any(issubclass(k, (str, *TRUTHS)) for k in result):
        return values
    gaps = pd.isna(values)
    if all(issubclass(k, Integral) for k in result) and not gaps.any():
        return np.array(values.tolist())  # long numbers that name classes or groups stay exact
    return np.where(gaps, np.nan, values).astype(float)


def check_complete(what: str, role: str, target: np.ndarray) -> None:
    """Refuse missing values, naming their rows."""
    gone = [str(i + 1) for i in np.flatnonzero(pd.isna(target))]
    if gone:
        shown = ", ".join(gone[:5]) + (", ..." if len(gone) > 5 else "")
        raise DesignError(
            f"{what}: {role} is missing in {len(gone)} of {len(target)} rows "
            f"(row {shown}). Remove these rows."
        )


# -- what the values mean -----------------------------------------------------------------------


def task_of(target: np.ndarray) -> str:
    """The task that a target's values suggest."""
    if target.dtype.names:
        return "survival"
    if target.dtype.kind not in "iuf":
        return "classification"
    if not (np.isfinite(target) & (target == np.floor(target))).all():
        return "regression"
    few = len(np.unique(target)) <= min(MOST_INTEGER_CLASSES, max(2, len(target) // 2))
    return "classification" if few else "regression"


def class_codes(what: str, target: np.ndarray, positive: Any) -> tuple[np.ndarray, tuple[str, ...]]:
    """Codes from 0, and the classes in their order."""
    labels = [label(v) for v in target.tolist()]
    classes = _sorted_labels(set(labels))
    if len(classes) < 2:
        raise DesignError(f"{what}: the target has the single class '{classes[0]}'.")
    if positive is not None:
        last = label(positive)
        if last not in classes:
            raise DesignError(
                f"{what}: positive class '{last}' is not among its classes "
                f"{', '.join(classes[:10])}.",
                ("positive",),
            )
        classes = [c for c in classes if c != last] + [last]
    position = {c: i for i, c in enumerate(classes)}
    return np.array([position[v] for v in labels], dtype=np.int64), tuple(classes)


def quantities(what: str, target: np.ndarray, role: str = "the target") -> np.ndarray:
    """Finite numbers."""
    y = np.array([_quantity(what, v, role) for v in target.tolist()], dtype=float)
    if not np.isfinite(y).all():
        raise DesignError(f"{what}: {role} holds infinite values.")
    return y


def _quantity(what: str, value: Any, role: str) -> float:
    try:
        return float(value)
    except (ValueError, OverflowError):
        subject = f"{role} of a regression" if role == "the target" else role
        raise DesignError(f"{what}: {subject} holds {value!r}, which is no number.") from None


def censored_times(what: str, time: Any, event: Any) -> np.ndarray:
    """Times and whether the event was seen then, as scikit-survival has them: event, time."""
    times, events = vector(what, "the time", time), vector(what, "the event", event)
    if len(times) != len(events):
        raise DesignError(f"{what}: {len(times)} times but {len(events)} events.")
    for role, values in (("the time", times), ("the event", events)):
        check_complete(what, role, values)
    y = np.empty(len(times), dtype=survival.TARGET)
    y["time"] = quantities(what, times, "the time")
    seen = [_truth(what, v) for v in events.tolist()]
    y["event"] = seen
    if (y["time"] < 0).any():
        raise DesignError(f"{what}: the time {y['time'].min():g} is negative.")
    if not any(seen):
        raise DesignError(f"{what} shows no event, so there is nothing to learn from.")
    return y


def _truth(what: str, value: Any) -> bool:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if isinstance(value, str) or value not in (0, 1):
        raise DesignError(
            f"{what}: the event is 1 (or true) where it was seen and 0 (or false) where the time "
            f"is censored, not {value!r}."
        )
    return bool(value)


def two_columns(what: str, values: Any) -> tuple[Any, Any]:
    """Time and event from a structured array (event, time) or from columns (time, event)."""
    names = getattr(getattr(values, "dtype", None), "names", None)
    if names:
        if len(names) != 2 or values.dtype[names[0]].kind != "b":
            raise DesignError(
                f"{what}: a structured target has two fields, event (true or false) and time, not "
                f"{', '.join(names)}."
            )
        return values[names[1]], values[names[0]]
    if values is not None and not isinstance(values, str):
        values = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
        if values.ndim == 2 and values.shape[1] == 2:
            return values[:, 0], values[:, 1]
    raise DesignError(
        f"{what}: the target of a survival task is time and event: two columns, or their names as "
        "in target = ['time', 'event'].",
        ("task",),
    )
