"""Datasets: rows of attributes and a target, nominal and missing values kept as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from podium.design.identity import fingerprint
from podium.errors import DesignError

TASKS = ("classification", "regression")
MOST_INTEGER_CLASSES = 20  # whole-numbered targets with more values than this are quantities


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
    values are missing. `y` may also be the name of a column of X. Without `task`, text and truth
    values are classes, fractions are quantities, and whole numbers are classes where there are
    at most 20 different ones. `positive` is the class that counts as positive, by default the last.
    `groups` (values or a column's name) are rows that grouped samplings keep together.
    """
    check_name("data set", name)
    attributes, target, group_values = _taken_apart(name, X, y, groups)
    n_test = 0
    if test is not None:
        more, more_target, _ = _taken_apart(name, *test, None)
        attributes, target = _stacked(name, attributes, more), np.concatenate([target, more_target])
        n_test = len(more_target)
    _check_rows(name, attributes, target, n_test)
    known_task = task or _task_of(target)
    if known_task not in TASKS:
        raise DesignError(f"Data set '{name}': task '{task}' is not one of {', '.join(TASKS)}.")
    coded, classes = _coded(name, target, known_task, positive)
    return Dataset(
        name,
        _matrix(name, attributes, nominal),
        coded,
        known_task,
        classes,
        n_test,
        _group_codes(name, group_values, len(coded) - n_test),
        origin,
    )


def check_name(kind: str, name: object) -> None:
    """Refuse a name that is no text, empty or unprintable."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise DesignError(f"The name of a {kind} is a printable text, not {name!r}.")


def frame_of(data: Any, what: str) -> pd.DataFrame:
    """Any table as a pandas frame with plain columns: floats, or objects with None for missing."""
    import narwhals as nw

    if isinstance(data, (list, tuple)):
        data = np.asarray(data)
    if isinstance(data, np.ndarray):
        if data.ndim != 2:
            raise DesignError(f"{what}: attributes have {data.ndim} dimensions instead of 2.")
        columns = [f"x{j + 1}" for j in range(data.shape[1])]
        return pd.DataFrame(data, columns=columns)
    if type(data).__module__.partition(".")[0] == "scipy":
        raise DesignError(f"{what}: sparse matrices are not supported; give .toarray().")
    try:
        table = nw.from_native(data, eager_only=True)
    except TypeError:
        raise DesignError(
            f"{what}: a {type(data).__name__} is no table. Give an array or a frame of pandas, "
            "polars or pyarrow."
        ) from None
    names = [str(c) for c in table.columns]
    _check_columns(what, names)
    columns_ = [_plain(what, n, table[c]) for n, c in zip(names, table.columns, strict=True)]
    return pd.DataFrame(dict(zip(names, columns_, strict=True)))


def _check_columns(what: str, names: list[str]) -> None:
    twice = sorted({c for c in names if names.count(c) > 1})
    if twice:
        raise DesignError(f"{what}: column '{twice[0]}' occurs twice.")


def _plain(what: str, name: str, column: Any) -> np.ndarray | pd.Categorical:
    """A column as floats (missing: nan) or as a categorical of texts."""
    dtype = column.dtype
    if dtype.is_numeric():
        values = column.to_numpy()
        if values.dtype == object:  # nulls among the numbers
            values = np.array([np.nan if v is None or v is pd.NA else v for v in values])
        return np.asarray(values, dtype=float)
    if str(dtype) == "Boolean":
        return np.array([np.nan if v is None else float(v) for v in column.to_list()])
    if dtype.is_temporal() or dtype.is_nested():
        raise DesignError(
            f"{what}: column '{name}' holds {dtype}, neither numbers nor names. "
            "Turn it into numbers or leave it out."
        )
    values = [None if _is_missing(v) else str(v) for v in column.to_list()]
    levels = sorted({v for v in values if v is not None})
    return pd.Categorical(values, categories=levels)


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or value != value  # nan


def _taken_apart(
    name: str, X: Any, y: Any, groups: Any
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray | None]:
    """Attributes, target and groups as separate things, wherever they came from."""
    frame = frame_of(X, f"Data set '{name}'")
    if isinstance(groups, str):
        frame, groups = _popped(name, frame, groups, "group")
    if isinstance(y, str):
        frame, y = _popped(name, frame, y, "target")
    target = _vector(name, y)
    if len(target) != len(frame):
        raise DesignError(f"Data set '{name}': {len(frame)} rows but {len(target)} target values.")
    return frame, target, None if groups is None else _vector(name, groups)


def _popped(
    name: str, frame: pd.DataFrame, column: str, role: str
) -> tuple[pd.DataFrame, np.ndarray]:
    from podium.registry import did_you_mean

    if column not in frame.columns:
        raise DesignError(
            f"Data set '{name}' has no column '{column}' for its {role}."
            f"{did_you_mean(column, frame.columns)} "
            f"Columns: {', '.join(map(str, frame.columns[:20]))}."
        )
    return frame.drop(columns=[column]), np.asarray(frame[column], dtype=object)


def _vector(name: str, values: Any) -> np.ndarray:
    """A one-dimensional array; numbers as numbers, everything else as objects."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    values = np.asarray(values)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise DesignError(f"Data set '{name}': the target has {values.ndim} dimensions.")
    if values.dtype.kind in "mM":
        raise DesignError(f"Data set '{name}': the target holds dates; turn them into numbers.")
    if values.dtype == object:
        values = _numbers_where_possible(values)
    return values


def _numbers_where_possible(values: np.ndarray) -> np.ndarray:
    kinds = {type(v) for v in values if not _is_missing(v)}
    if kinds and all(issubclass(k, (int, float, np.number)) for k in kinds) and bool not in kinds:
        return np.array([np.nan if _is_missing(v) else v for v in values], dtype=float)
    return values


def _stacked(name: str, learning: pd.DataFrame, test: pd.DataFrame) -> pd.DataFrame:
    if list(learning.columns) != list(test.columns):
        odd = sorted(set(learning.columns) ^ set(test.columns), key=str)
        raise DesignError(
            f"Data set '{name}': learning and test sample have different columns"
            + (f": {', '.join(map(str, odd[:10]))}." if odd else " (their order differs).")
        )
    columns = {c: _joined(learning[c], test[c]) for c in learning.columns}
    return pd.DataFrame(columns)


def _joined(a: pd.Series, b: pd.Series) -> Any:
    if not _is_categorical(a) and not _is_categorical(b):
        return np.concatenate([a.to_numpy(), b.to_numpy()])
    values = [*_as_text(a), *_as_text(b)]
    return pd.Categorical(values, categories=sorted({v for v in values if v is not None}))


def _as_text(column: pd.Series) -> list[str | None]:
    return [None if _is_missing(v) else _label(v) for v in column.tolist()]


def _label(value: Any) -> str:
    """A level's name; whole numbers lose the fraction that missing neighbours gave them."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _check_rows(name: str, attributes: pd.DataFrame, target: np.ndarray, n_test: int) -> None:
    if attributes.shape[1] == 0:
        raise DesignError(f"Data set '{name}' has no attributes beside its target.")
    if len(target) - n_test < 2:
        raise DesignError(f"Data set '{name}' has {len(target) - n_test} rows; at least 2 needed.")
    gone = [i + 1 for i, v in enumerate(target) if _is_missing(v)]
    if gone:
        shown = ", ".join(map(str, gone[:5])) + (", ..." if len(gone) > 5 else "")
        raise DesignError(
            f"Data set '{name}': the target is missing in {len(gone)} of {len(target)} rows "
            f"(row {shown}). Remove these rows."
        )
    for column in _columns(attributes):
        if column.dtype.kind == "f" and np.isinf(column.to_numpy()).any():
            raise DesignError(
                f"Data set '{name}': column '{column.name}' holds infinite values. "
                "Replace them by numbers or leave them empty."
            )


def _task_of(target: np.ndarray) -> str:
    if target.dtype.kind not in "iuf":
        return "classification"
    if target.dtype.kind == "f" and not np.all(np.equal(np.mod(target, 1), 0)):
        return "regression"
    few = len(np.unique(target)) <= min(MOST_INTEGER_CLASSES, max(2, len(target) // 2))
    return "classification" if few else "regression"


def _coded(
    name: str, target: np.ndarray, task: str, positive: Any
) -> tuple[np.ndarray, tuple[str, ...]]:
    if task == "regression":
        return _quantities(name, target), ()
    labels = np.array([_label(v) for v in target.tolist()])
    classes = _sorted_classes(set(labels))
    if len(classes) < 2:
        raise DesignError(f"Data set '{name}': the target has the single class '{classes[0]}'.")
    if positive is not None:
        if str(positive) not in classes:
            raise DesignError(
                f"Data set '{name}': positive class '{positive}' is not among its classes "
                f"{', '.join(classes[:10])}."
            )
        classes = [c for c in classes if c != str(positive)] + [str(positive)]
    position = {c: i for i, c in enumerate(classes)}
    return np.array([position[v] for v in labels], dtype=np.int64), tuple(classes)


def _sorted_classes(labels: Iterable[str]) -> list[str]:
    """Numbers in numerical order, texts in alphabetical order."""
    labels = sorted(labels)
    try:
        return sorted(labels, key=float)
    except ValueError:
        return labels


def _quantities(name: str, target: np.ndarray) -> np.ndarray:
    try:
        y = target.astype(float)
    except (TypeError, ValueError):
        odd = next(v for v in target.tolist() if not isinstance(v, (int, float)))
        raise DesignError(
            f"Data set '{name}': the target of a regression holds {odd!r}, which is no number."
        ) from None
    if not np.isfinite(y).all():
        raise DesignError(f"Data set '{name}': the target holds infinite values.")
    return y


def _matrix(
    name: str, attributes: pd.DataFrame, nominal: Sequence[str | int]
) -> np.ndarray | pd.DataFrame:
    """A float matrix where everything is a number, else a frame."""
    for entry in nominal:
        column = attributes.columns[entry] if isinstance(entry, int) else entry
        if column not in attributes.columns:
            from podium.registry import did_you_mean

            raise DesignError(
                f"Data set '{name}' has no column '{column}' that could be nominal."
                f"{did_you_mean(str(column), map(str, attributes.columns))}"
            )
        if not _is_categorical(attributes[column]):
            values = _as_text(attributes[column])
            levels = _sorted_classes({v for v in values if v is not None})
            attributes[column] = pd.Categorical(values, categories=levels)
    if not any(map(_is_categorical, _columns(attributes))):
        return np.ascontiguousarray(attributes.to_numpy(dtype=float))
    return attributes


def _group_codes(name: str, groups: np.ndarray | None, n: int) -> np.ndarray | None:
    if groups is None:
        return None
    if len(groups) != n:
        raise DesignError(f"Data set '{name}': {len(groups)} groups for {n} rows.")
    if any(_is_missing(v) for v in groups.tolist()):
        raise DesignError(f"Data set '{name}': some rows have no group.")
    return np.unique([_label(v) for v in groups.tolist()], return_inverse=True)[1].astype(np.int64)


def _is_categorical(column: pd.Series) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)


def _columns(frame: pd.DataFrame) -> Iterable[pd.Series]:
    return (frame[c] for c in frame.columns)
