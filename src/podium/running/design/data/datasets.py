"""Datasets: rows of attributes and a target, nominal and missing values kept as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base import options as checks
from podium.core.base.errors import DesignError
from podium.core.base.options import about
from podium.core.base.registry import did_you_mean
from podium.core.words import saying
from podium.running.design.data import targets
from podium.running.design.data.identity import fingerprint

TASKS = ("classification", "regression", "density", "clustering", "survival")
UNSUPERVISED = ("density", "clustering")  # nothing but attributes is learned from
NOUNS = {"density": "density estimation", "survival": "survival analysis"}  # where a task is none


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A named training set, optionally with a separate test sample behind it.

    `X` is a float matrix, or a frame whose nominal columns are categorical; `y` holds class codes
    0, 1, ... in the order of `classes`, numbers, or pairs of event and time; zeros where there is
    no target. The last `n_test` rows are the test sample.

    >>> made = dataset("tiny", [[1.0], [2.0], [3.0]], ["no", "yes", "no"])
    >>> made.n, made.classes, made.y.tolist()
    (3, ('no', 'yes'), [0, 1, 0])
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
        """The size of the training set."""
        return len(self.y) - self.n_test

    def learned(self, rows: np.ndarray) -> tuple[np.ndarray, ...]:
        """What is learned from these rows beside their attributes: the target, or nothing."""
        return () if self.task in UNSUPERVISED else (self.y[rows],)

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
            **({"positive_share": float(np.mean(self.y == 1))} if len(self.classes) == 2 else {}),
        }

    def __repr__(self) -> str:
        test = f" + {self.n_test} test" if self.n_test else ""
        kind = f"{self.task}, {len(self.classes)} classes" if self.classes else self.task
        parts = [f"{self.n}{test} rows", f"{self.p} attributes ({self.n_nominal} nominal)", kind]
        if self.n_missing:
            parts.append(f"{self.n_missing} missing values")
        return f"<Dataset {self.name}: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        return saying.html([repr(self)[1:-1]], {}, ())


def dataset(
    name: str,
    X: Any,
    y: Any = None,
    *,
    test: tuple[Any, Any] | None = None,
    task: str | None = None,
    nominal: Sequence[str | int] = (),
    positive: Any = None,
    groups: Any = None,
    origin: str = "",
) -> Dataset:
    """A data set from arrays or frames (pandas, polars, pyarrow).

    Parameters
    ----------
    name : str
        How results call it.
    X : array or frame
        Text, categorical and `nominal` columns are nominal, everything else is a number; empty
        values are missing.
    y : array, or the name of a column of X
        For `task="density"` none; for `"clustering"` the true labels, which are measured against
        and not learned from; for `"survival"` a structured array of event and time as in
        scikit-survival, two columns time and event, or the names of two columns of X.
    test : (X, y)
        A test set of its own.
    task : str | None
        Without it, names and truth values are classes, fractions are quantities, and whole numbers
        are classes where there are at most 20 different ones.
    nominal : names or numbers of columns
    positive : a class
        That counts as positive; by default the last.
    groups : values, or the name of a column
        Rows that grouped samplings keep together.
    origin : str
        Where the data are from.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> import podium
    >>> podium.dataset("tiny", [[0.1], [0.4], [0.8], [0.9]], ["no", "no", "yes", "yes"]).n
    4
    """
    checks.name("data set", name)
    what = f"Data set '{name}'"
    _check_task(what, y, task)
    attributes, target, group_values = _taken_apart(what, X, y, groups, task)
    n = len(target)
    if n < 2:
        raise DesignError(f"{what} has {n} rows; at least 2 needed.")
    if test is not None:
        with about("test"):
            attributes, target = _with_test(what, attributes, target, test, y is None, task)
    task = targets.task_of(target) if task is None else task
    coded, classes = _coded(what, target, task, y is not None, positive)
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


def _with_test(
    what: str, attributes: pd.DataFrame, target: np.ndarray, test: Any, bare: bool, task: str | None
) -> tuple[pd.DataFrame, np.ndarray]:
    """Attributes and target with those of the test sample behind them."""
    if not isinstance(test, (tuple, list)) or len(test) != 2:
        raise DesignError(f"{what}: a test sample is a pair of attributes and target.")
    X, y = test
    if (y is None) != bare:
        raise DesignError(f"{what}: give both training and test data a target, or neither.")
    more, more_target, _ = _taken_apart(f"{what} (test sample)", X, y, None, task)
    return _stacked(what, attributes, more), np.concatenate([target, more_target])


def _check_task(what: str, y: Any, task: str | None) -> None:
    if task is not None and task not in TASKS:
        raise DesignError(f"{what}: task '{task}' is not one of {', '.join(TASKS)}.", ("task",))
    if y is None and task is None:
        raise DesignError(
            f"{what} has no target: give y, or say task='density' or task='clustering'."
        )
    if y is None and task not in UNSUPERVISED:
        raise DesignError(f"{what} has no target, which {task} needs.")


def task_noun(task: str) -> str:
    """A task as a thing that a data set can be."""
    return NOUNS.get(task, task)


def without(what: str, frame: pd.DataFrame, ignore: tuple[str, ...]) -> pd.DataFrame:
    """The frame less the columns to ignore."""
    for column in ignore:
        if column not in frame.columns:
            hint = did_you_mean(column, map(str, frame.columns))
            raise DesignError(f"{what} has no column '{column}' to ignore.{hint}", ("ignore",))
    return frame.drop(columns=list(ignore))


# -- taking tables and vectors apart ----------------------------------------------------------


def _taken_apart(
    what: str, X: Any, y: Any, groups: Any, task: str | None
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray | None]:
    """Attributes, target and groups as separate things, wherever they came from."""
    columns = _columns_of(what, X)
    group_values = _taken(what, columns, groups, "group")
    target = _target(what, columns, y, task)
    if not columns:
        raise DesignError(f"{what} has no attributes beside its target.")
    frame = pd.DataFrame({c: _plain(what, c, values) for c, values in columns.items()})
    target = np.zeros(len(frame)) if target is None else target
    _check_rows(what, frame, target)
    if groups is None:
        return frame, target, None
    with about("group"):
        return frame, target, targets.vector(what, "the group", group_values)


def _target(what: str, columns: dict[str, Any], y: Any, task: str | None) -> np.ndarray | None:
    """The target's values, taken out of the columns where they are there; a density has none."""
    structured = bool(getattr(getattr(y, "dtype", None), "names", None))
    if task == "survival" or (task is None and structured):
        names = isinstance(y, (list, tuple)) and len(y) == 2 and all(isinstance(c, str) for c in y)
        pair = [_taken(what, columns, c, "target") for c in y] if names else y
        return targets.censored_times(what, *(pair if names else targets.two_columns(what, y)))
    values = _taken(what, columns, y, "target")
    if values is None or task == "density":
        return None
    role = f"the target '{y}'" if isinstance(y, str) else "the target"
    with about("target"):
        return targets.vector(what, role, values)


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
            f"Columns: {', '.join(list(columns)[:20])}.",
            (role,),
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
    values = targets.objects(column.to_list())
    if str(column.dtype).startswith(("Categorical", "Enum")):
        return targets.categorical(values)
    kinds = targets.kinds(f"{what}: column '{name}'", values)
    if any(issubclass(k, str) for k in kinds):
        return targets.categorical(values)
    return np.where(pd.isna(values), np.nan, values).astype(float)


def _check_rows(what: str, attributes: pd.DataFrame, target: np.ndarray) -> None:
    if len(target) != len(attributes):
        raise DesignError(f"{what}: {len(attributes)} rows but {len(target)} target values.")
    if not target.dtype.names:  # times and events have been looked at
        targets.check_complete(what, "the target", target)
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
            f"{what}: training and test data have different columns"
            + (f": {', '.join(odd[:10])}." if odd else " (their order differs).")
        )
    return pd.DataFrame({c: _joined(learning[c], test[c]) for c in learning.columns})


def _joined(a: pd.Series, b: pd.Series) -> np.ndarray | pd.Categorical:
    if not _is_categorical(a) and not _is_categorical(b):
        return np.concatenate([a.to_numpy(), b.to_numpy()])
    return targets.categorical([*a, *b])


# -- what the values mean -------------------------------------------------------------------------


def _coded(
    what: str, target: np.ndarray, task: str, given: bool, positive: Any
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The target as the task has it, and its classes."""
    if positive is not None and task != "classification":
        raise DesignError(
            f"{what}: a {task_noun(task)} has no positive class '{positive}'.", ("positive",)
        )
    if task == "classification" or (task == "clustering" and given):
        return targets.class_codes(what, target, positive)
    return (targets.quantities(what, target) if task == "regression" else target), ()


def _matrix(
    what: str, attributes: pd.DataFrame, nominal: Sequence[str | int]
) -> np.ndarray | pd.DataFrame:
    """A float matrix where everything is a number, else a frame."""
    names = dict(enumerate(attributes.columns))
    for entry in nominal:
        column = names.get(entry, entry) if isinstance(entry, int) else entry
        if column not in attributes.columns:
            raise DesignError(
                f"{what} has no column '{column}' that could be nominal."
                f"{did_you_mean(str(column), attributes.columns)}",
                ("nominal",),
            )
        attributes[column] = targets.categorical(attributes[column])
    if not any(map(_is_categorical, _columns(attributes))):
        return np.ascontiguousarray(attributes.to_numpy(dtype=float))
    return attributes


def _group_codes(what: str, groups: np.ndarray | None, n: int) -> np.ndarray | None:
    if groups is None:
        return None
    if len(groups) != n:
        raise DesignError(f"{what}: {len(groups)} groups for {n} rows.", ("group",))
    if pd.isna(groups).any():
        raise DesignError(f"{what}: some rows have no group.", ("group",))
    return np.unique([targets.label(v) for v in groups.tolist()], return_inverse=True)[1].astype(
        np.int64
    )


def _is_categorical(column: pd.Series) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)


def _columns(frame: pd.DataFrame) -> Iterable[pd.Series]:
    return (frame[c] for c in frame.columns)
