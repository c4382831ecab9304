"""Datasets: rows of attributes and a target, nominal and missing values kept as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from podium.design.identity import fingerprint
from podium.errors import DesignError
from podium.registry import did_you_mean

TASKS = ("classification", "regression")
MOST_INTEGER_CLASSES = 20  # whole-numbered targets with more values than this are quantities
TRUTHS = (bool, np.bool_)
NUMBERS_AND_NAMES = (str, *TRUTHS, Real, Decimal)


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A named learning sample, optionally with a separate test sample behind it.

    `X` is a float matrix, or a frame whose nominal columns are categorical; `y` holds class codes
    0, 1, ... in the order of `classes`, or numbers. The last `n_test` rows are the test sample.
    """

    name: str
    X: np.ndarray | pd.DataFrame
    y: np.ndarray
    task: str
    classes: tuple[str, ...] = ()
    n_test: int = 0
    groups: np.ndarray | None = None
    origin: str = ""

    @property
    def n(self) -> int:
        """The size of the learning sample."""
        return len(self.y) - self.n_test

    @property
    def p(self) -> int:
        """The number of attributes."""
        return int(self.X.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that scores depend on; the name is no part of it."""
        groups = np.empty(0, np.int64) if self.groups is None else self.groups
        return fingerprint(self.X, self.y, self.task, self.classes, self.n_test, groups)

    @property
    def n_nominal(self) -> int:
        """The number of nominal attributes."""
        return 0 if isinstance(self.X, np.ndarray) else sum(map(_is_categorical, _columns(self.X)))

    @property
    def n_missing(self) -> int:
        """The number of missing attribute values."""
        return int(
            pd.isna(self.X).to_numpy().sum()
            if isinstance(self.X, pd.DataFrame)
            else np.isnan(self.X).sum()
        )

    @property
    def facts(self) -> dict[str, Any]:
        """What a store keeps about the data set."""
        return {
            "task": self.task,
            "n": self.n,
            "n_test": self.n_test,
            "p": self.p,
            "nominal": self.n_nominal,
            "missing": self.n_missing,
            "classes": list(self.classes),
            "origin": self.origin,
        }

    def __repr__(self) -> str:
        test = f" + {self.n_test} test" if self.n_test else ""
        kind = f"{self.task}, {len(self.classes)} classes" if self.classes else self.task
        parts = [f"{self.n}{test} rows", f"{self.p} attributes ({self.n_nominal} nominal)", kind]
        if self.n_missing:
            parts.append(f"{self.n_missing} missing values")
        return f"<Dataset {self.name}: {', '.join(parts)}>"


def dataset(
    name: str,
    X: Any,
    y: Any,
    *,
    test: tuple[Any, Any] | None = None,
    task: str | None = None,
    nominal: Sequence[str | int] = (),
    positive: Any = None,
    groups: Any = None,
    origin: str = "",
) -> Dataset:
    """A data set from arrays or frames (pandas, polars, pyarrow).

    Text, categorical and named `nominal` columns are nominal, everything else is a number; empty
    values are missing. `y` may also be the name of a column of X. Without `task`, names and truth
    values are classes, fractions are quantities, and whole numbers are classes where there are
    at most 20 different ones. `positive` is the class that counts as positive, by default the last.
    `groups` (values or a column's name) are rows that grouped samplings keep together.
    """
    check_name("data set", name)
    what = f"Data set '{name}'"
    attributes, target, group_values = _taken_apart(what, X, y, groups)
    n = len(target)
    if n < 2:
        raise DesignError(f"{what} has {n} rows; at least 2 needed.")
    if test is not None:
        if not isinstance(test, (tuple, list)) or len(test) != 2:
            raise DesignError(f"{what}: a test sample is a pair of attributes and target.")
        more, more_target, _ = _taken_apart(f"{what} (test sample)", *test, None)
        attributes, target = _stacked(what, attributes, more), np.concatenate([target, more_target])
    task = _task_of(target) if task is None else task
    if task not in TASKS:
        raise DesignError(f"{what}: task '{task}' is not one of {', '.join(TASKS)}.")
    coded, classes = _coded(what, target, task, positive)
    return Dataset(
        name,
        _matrix(what, attributes, nominal),
        coded,
        task,
        classes,
        len(target) - n,
        _group_codes(what, group_values, n),
        origin,
    )


def check_name(kind: str, name: object) -> None:
    """Refuse a name that is no text, empty or unprintable."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        article = "an" if kind[0] in "aeiou" else "a"
        raise DesignError(f"The name of {article} {kind} is a printable text, not {name!r}.")


# -- taking tables and vectors apart ----------------------------------------------------------


def _taken_apart(
    what: str, X: Any, y: Any, groups: Any
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray | None]:
    """Attributes, target and groups as separate things, wherever they came from."""
    columns = _columns_of(what, X)
    group_values = _taken(what, columns, groups, "group")
    target_values = _taken(what, columns, y, "target")
    if not columns:
        raise DesignError(f"{what} has no attributes beside its target.")
    frame = pd.DataFrame({c: _plain(what, c, values) for c, values in columns.items()})
    role = f"the target '{y}'" if isinstance(y, str) else "the target"
    target = _vector(what, role, target_values)
    _check_rows(what, frame, target)
    return frame, target, None if groups is None else _vector(what, "the group", group_values)


def _columns_of(what: str, data: Any) -> dict[str, Any]:
    """The columns of any table by their names."""
    import narwhals as nw

    if isinstance(data, (list, tuple)):
        data = np.array(data, dtype=object)  # else one text would turn all numbers into texts
    if isinstance(data, np.ndarray):
        if data.ndim != 2:
            raise DesignError(f"{what}: attributes have {data.ndim} dimensions instead of 2.")
        names = [f"x{j + 1}" for j in range(data.shape[1])]
        if data.dtype.kind in "biuf":  # what simulations draw, thousands of times
            return dict(zip(names, np.ma.filled(data.astype(float), np.nan).T, strict=True))
        data = pd.DataFrame(data, columns=names)
    if type(data).__module__.partition(".")[0] == "scipy":
        raise DesignError(f"{what}: sparse matrices are not supported; give .toarray().")
    names = [str(c) for c in getattr(data, "column_names", getattr(data, "columns", ()))]
    if twins := pd.Index(names)[pd.Index(names).duplicated()].tolist():
        raise DesignError(f"{what}: column '{twins[0]}' occurs twice.")
    if isinstance(data, pd.DataFrame):
        data = data.set_axis(names, axis=1)  # narwhals takes other names for positions
    try:
        table = nw.from_native(data, eager_only=True)
    except TypeError:
        raise DesignError(
            f"{what}: a {type(data).__name__} is no table. Give an array or a frame of pandas, "
            "polars or pyarrow."
        ) from None
    return {c: table[c] for c in table.columns}


def _taken(what: str, columns: dict[str, Any], values: Any, role: str) -> Any:
    """The values, which may be those of a named column; it is then no attribute any more."""
    import narwhals as nw

    if not isinstance(values, str):
        return values
    if values not in columns:
        raise DesignError(
            f"{what} has no column '{values}' for its {role}.{did_you_mean(values, columns)} "
            f"Columns: {', '.join(list(columns)[:20])}."
        )
    return nw.to_native(columns.pop(values), pass_through=True)


def _plain(what: str, name: str, column: Any) -> np.ndarray | pd.Categorical:
    """A column as floats (missing: nan) or as a categorical of texts."""
    if isinstance(column, np.ndarray):
        return column
    if column.dtype.is_float() or column.dtype.is_integer():
        values = column.to_numpy()
        if values.dtype != object:  # no nulls among the numbers
            return np.asarray(values, dtype=float)
    values = _objects(column.to_list())
    if str(column.dtype).startswith(("Categorical", "Enum")):
        return _categorical(values)
    kinds = _kinds(f"{what}: column '{name}'", values)
    if any(issubclass(k, str) for k in kinds):
        return _categorical(values)
    return np.where(pd.isna(values), np.nan, values).astype(float)


def _objects(values: Iterable[Any]) -> np.ndarray:
    """A one-dimensional array of objects, also where these are lists."""
    return pd.Series(list(values), dtype=object).to_numpy()


def _kinds(what: str, values: np.ndarray) -> set[type]:
    """The types of the values that are there: numbers, truth values and texts, nothing else."""
    kinds = {type(v) for v in values[~pd.isna(values)]}
    if odd := sorted(k.__name__ for k in kinds if not issubclass(k, NUMBERS_AND_NAMES)):
        raise _neither(what, odd[0])
    return kinds


def _neither(what: str, kind: object) -> DesignError:
    return DesignError(
        f"{what} holds {kind}, neither numbers nor names. Turn it into numbers or leave it out."
    )


def _categorical(values: Iterable[Any]) -> pd.Categorical:
    """Nominal values by name, with the levels that occur."""
    objects = _objects(values)
    labels = [None if gap else _label(v) for v, gap in zip(objects, pd.isna(objects), strict=True)]
    return pd.Categorical(labels, categories=_sorted_labels({v for v in labels if v is not None}))


def _label(value: Any) -> str:
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


def _vector(what: str, role: str, values: Any) -> np.ndarray:
    """A one-dimensional array; numbers as numbers, everything else as objects."""
    if isinstance(values, (list, tuple)):
        values = np.array(values, dtype=object)  # else a gap would become the text 'nan'
    if isinstance(getattr(values, "dtype", None), pd.CategoricalDtype):
        values = np.asarray(_categorical(values), dtype=object)  # names, also where they are digits
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
    kinds = _kinds(f"{what}: {role}", values)
    if not kinds or any(issubclass(k, (str, *TRUTHS)) for k in kinds):
        return values
    gaps = pd.isna(values)
    if all(issubclass(k, Integral) for k in kinds) and not gaps.any():
        return np.array(values.tolist())  # long numbers that name classes or groups stay exact
    return np.where(gaps, np.nan, values).astype(float)


def _check_rows(what: str, attributes: pd.DataFrame, target: np.ndarray) -> None:
    if len(target) != len(attributes):
        raise DesignError(f"{what}: {len(attributes)} rows but {len(target)} target values.")
    gone = [str(i + 1) for i in np.flatnonzero(pd.isna(target))]
    if gone:
        shown = ", ".join(gone[:5]) + (", ..." if len(gone) > 5 else "")
        raise DesignError(
            f"{what}: the target is missing in {len(gone)} of {len(target)} rows "
            f"(row {shown}). Remove these rows."
        )
    for column in _columns(attributes):
        if column.dtype.kind == "f" and np.isinf(column.to_numpy()).any():
            raise DesignError(
                f"{what}: column '{column.name}' holds infinite values. "
                "Replace them by numbers or leave them empty."
            )


def _stacked(what: str, learning: pd.DataFrame, test: pd.DataFrame) -> pd.DataFrame:
    if list(learning.columns) != list(test.columns):
        odd = sorted(set(learning.columns) ^ set(test.columns))
        raise DesignError(
            f"{what}: learning and test sample have different columns"
            + (f": {', '.join(odd[:10])}." if odd else " (their order differs).")
        )
    return pd.DataFrame({c: _joined(learning[c], test[c]) for c in learning.columns})


def _joined(a: pd.Series, b: pd.Series) -> np.ndarray | pd.Categorical:
    if not _is_categorical(a) and not _is_categorical(b):
        return np.concatenate([a.to_numpy(), b.to_numpy()])
    return _categorical([*a, *b])


# -- what the values mean -------------------------------------------------------------------------


def _task_of(target: np.ndarray) -> str:
    if target.dtype.kind not in "iuf":
        return "classification"
    if not (np.isfinite(target) & (target == np.floor(target))).all():
        return "regression"
    few = len(np.unique(target)) <= min(MOST_INTEGER_CLASSES, max(2, len(target) // 2))
    return "classification" if few else "regression"


def _coded(
    what: str, target: np.ndarray, task: str, positive: Any
) -> tuple[np.ndarray, tuple[str, ...]]:
    if task == "regression":
        if positive is not None:
            raise DesignError(f"{what}: a regression has no positive class '{positive}'.")
        return _quantities(what, target), ()
    labels = [_label(v) for v in target.tolist()]
    classes = _sorted_labels(set(labels))
    if len(classes) < 2:
        raise DesignError(f"{what}: the target has the single class '{classes[0]}'.")
    if positive is not None:
        last = _label(positive)
        if last not in classes:
            raise DesignError(
                f"{what}: positive class '{last}' is not among its classes "
                f"{', '.join(classes[:10])}."
            )
        classes = [c for c in classes if c != last] + [last]
    position = {c: i for i, c in enumerate(classes)}
    return np.array([position[v] for v in labels], dtype=np.int64), tuple(classes)


def _quantities(what: str, target: np.ndarray) -> np.ndarray:
    y = np.array([_quantity(what, v) for v in target.tolist()])
    if not np.isfinite(y).all():
        raise DesignError(f"{what}: the target holds infinite values.")
    return y


def _quantity(what: str, value: Any) -> float:
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise DesignError(
            f"{what}: the target of a regression holds {value!r}, which is no number."
        ) from None


def _matrix(
    what: str, attributes: pd.DataFrame, nominal: Sequence[str | int]
) -> np.ndarray | pd.DataFrame:
    """A float matrix where everything is a number, else a frame."""
    named = dict(enumerate(attributes.columns))
    for entry in nominal:
        column = named.get(entry, entry) if isinstance(entry, int) else entry
        if column not in attributes.columns:
            raise DesignError(
                f"{what} has no column '{column}' that could be nominal."
                f"{did_you_mean(str(column), attributes.columns)}"
            )
        attributes[column] = _categorical(attributes[column])
    if not any(map(_is_categorical, _columns(attributes))):
        return np.ascontiguousarray(attributes.to_numpy(dtype=float))
    return attributes


def _group_codes(what: str, groups: np.ndarray | None, n: int) -> np.ndarray | None:
    if groups is None:
        return None
    if len(groups) != n:
        raise DesignError(f"{what}: {len(groups)} groups for {n} rows.")
    if pd.isna(groups).any():
        raise DesignError(f"{what}: some rows have no group.")
    return np.unique([_label(v) for v in groups.tolist()], return_inverse=True)[1].astype(np.int64)


def _is_categorical(column: pd.Series) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)


def _columns(frame: pd.DataFrame) -> Iterable[pd.Series]:
    return (frame[c] for c in frame.columns)
