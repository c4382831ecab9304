"""What a fitted algorithm says about test rows: asked for, checked, kept and read again."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from podium.design.data.datasets import Dataset
from podium.design.data.survival import as_columns, brier_times, from_columns
from podium.design.learners.preprocessing import has_method, log_volume, method, taken_apart
from podium.design.measuring.outputs import (
    CURVES,
    DECISION,
    KINDS,
    LOG_DENSITY,
    PREDICTED,
    PROBABILITIES,
    Given,
    Needs,
    Output,
    takes_times,
)
from podium.store import Kept


class AlgorithmError(Exception):
    """An algorithm fitted, but what it predicted cannot be measured."""


@dataclass(frozen=True)
class Fitted:
    """A fitted estimator, how it gives its output, its data set and the rows it learned from."""

    estimator: Any
    data: Dataset
    train: np.ndarray
    output: Given = PREDICTED
    preprocess: bool | str = False

    @property
    def times(self) -> np.ndarray:
        """The times at which survival is asked for."""
        return brier_times(self.data.y[self.train])

    def has(self, kind: str) -> bool:
        """Whether the estimator has the method that gives this output."""
        return has_method(self.estimator, kind)


def predictions(model: Fitted, X: Any, wanted: Needs) -> dict[str, np.ndarray]:
    """What the measures need of a model's predictions, checked and in the order of classes."""
    own = _by_function(model, X) if callable(model.output) else {}
    wanted = wanted or (tuple(own) or (str(model.output),),)
    values: dict[str, np.ndarray] = {}
    for kinds in wanted:
        # what the algorithm says it gives goes first, then always the first that can be had: a
        # score does not depend on what other measures read
        order = sorted(kinds, key=lambda k: k not in own and k != model.output)
        kind = next((k for k in order if k in own or model.has(k)), None)
        if kind is None:
            raise AlgorithmError(f"{type(model.estimator).__name__} has no {' or '.join(kinds)}")
        if kind not in values:
            values[kind] = own[kind] if kind in own else _values(model, kind, X)
    return values


def extras(model: Fitted, X: Any, known: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Further outputs to keep; one that cannot be had is a warning, as no measure asks for it."""
    values: dict[str, np.ndarray] = {}
    for kind in KINDS[model.data.task]:
        if kind not in known and model.has(kind):
            try:
                values[kind] = _values(model, kind, X)
            except Exception as error:
                warnings.warn(f"{kind} is not kept: {error}", stacklevel=1)
    return values


# -- asking -----------------------------------------------------------------------------------


def _by_function(model: Fitted, X: Any) -> dict[str, np.ndarray]:
    """What a user's function of the fitted estimator and the rows gives, by its kind.

    Behind `preprocess` it gets the inner estimator, and the rows as that sees them.
    """
    function: Any = model.output
    estimator, rows = taken_apart(model.estimator, X) if model.preprocess else (model.estimator, X)
    wants = takes_times(function)
    name = f"the output function of {type(estimator).__name__}"
    values = as_array(function(estimator, rows, *([model.times] if wants else [])), name)
    kinds = KINDS[model.data.task]
    curves = wants if model.data.task == "survival" else values.ndim == 2
    kind = kinds[1] if curves and len(kinds) > 1 else kinds[0]
    return {kind: _checked(model, kind, values, len(X))}


def _values(model: Fitted, kind: str, X: Any) -> np.ndarray:
    ask = method(model.estimator, kind)
    values = _curves_said(ask, X, model.times) if kind == CURVES else as_array(ask(X), kind)
    return _checked(model, kind, values, len(X))


def _curves_said(ask: Callable[..., Any], X: Any, times: np.ndarray) -> np.ndarray:
    """Curves at the times, or one function of time for each row, as scikit-survival has them."""
    if takes_times(ask):
        return as_array(ask(X, times), CURVES)
    return np.array([as_array(step(times), CURVES) for step in ask(X)], dtype=float)


# -- checking ---------------------------------------------------------------------------------


_NO_NUMBERS = {"c": "complex numbers", "M": "dates", "m": "durations", "V": "records"}


def as_array(output: Any, name: str) -> np.ndarray:
    """An output as an array, if it is one by its own account: nothing hidden, dropped or unpacked.

    What `numpy.asarray` makes of a masked array has the values behind the mask; of a sparse matrix,
    a mapping or an iterator it makes one object.
    """
    why = _is_no_array(output)
    if why:
        raise AlgorithmError(f"{name} returned {why}; it must return a plain array")
    try:
        array = np.asarray(output)
    except Exception as error:  # lists of unequal lengths, or a container of somebody's own
        raise AlgorithmError(
            f"{name} returned {_article(type(output).__name__)} that is no array: {error}"
        ) from None
    if array.dtype.kind == "O" and any(np.ndim(one) for one in array.flat):
        raise AlgorithmError(f"{name} returned lists within an array; it must return plain values")
    if odd := _NO_NUMBERS.get(array.dtype.kind):
        raise AlgorithmError(f"{name} returned {odd}; it must return numbers")
    if array.ndim == 0:
        raise AlgorithmError(f"{name} returned a single value; it must return one for each row")
    return array


def _is_no_array(output: Any) -> str:
    """What an output is that only seems to be an array, or ''."""
    parts = output if isinstance(output, (list, tuple)) else ()
    if any(isinstance(part, np.ma.MaskedArray) for part in (output, *parts)):
        return "a masked array, whose hidden values would count"
    if hasattr(output, "tocsr") or hasattr(output, "todense"):
        return f"a sparse matrix ({type(output).__name__})"
    if isinstance(output, (str, bytes, Mapping, Set, Iterator)) or output is None:
        return "nothing" if output is None else _article(type(output).__name__)
    if isinstance(output, pd.DataFrame) and not all(map(is_numeric_dtype, output.dtypes)):
        return "a frame with columns that are no numbers"
    return ""


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _checked(model: Fitted, kind: str, values: np.ndarray, n: int) -> np.ndarray:
    """An output of the right shape, without gaps."""
    return CHECKS.get((model.data.task, kind), _numbers)(values, model, kind, n)


def _numbers(values: np.ndarray, model: Fitted, kind: str, n: int) -> np.ndarray:
    """One number for each row; memberships and decisions may have several."""
    values = values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values
    several = kind in (PROBABILITIES, DECISION) and values.ndim == 2 and len(values) == n
    if values.shape != (n,) and not several:
        raise AlgorithmError(f"{kind} returned an array of shape {values.shape} for {n} rows")
    return _complete(values, kind).astype(float)


def _complete(values: np.ndarray, kind: str) -> np.ndarray:
    """Any type that means numbers, none of them missing."""
    try:
        values = values if values.dtype.kind in "biuf" else values.astype(float)
    except (TypeError, ValueError) as error:
        raise AlgorithmError(
            f"{kind} must return numbers, for classes the codes that y has: {error}"
        ) from None
    bad = np.isnan(values) if values.ndim == 1 else np.isnan(values).any(axis=1)
    if bad.any():
        raise AlgorithmError(f"{kind} returned {bad.sum()} missing values for {len(values)} rows")
    return values


def _codes(values: np.ndarray, model: Fitted, kind: str, n: int) -> np.ndarray:
    """One whole number for each row: a class, or a cluster."""
    if values.dtype == np.int64 and values.shape == (n,):
        return values.copy()  # as nearly always; the estimator may go on with its own
    values = _numbers(values, model, kind, n)
    codes = values.astype(np.int64)
    if not np.array_equal(codes, values):
        noun = "class" if model.data.task == "classification" else "number of a cluster"
        raise AlgorithmError(f"{kind} returned {values[codes != values][0]!r}, which is no {noun}")
    return codes


def _by_class(values: np.ndarray, model: Fitted, kind: str, n: int) -> np.ndarray:
    """Columns in the order of the data set's classes, whatever the estimator's own order is.

    Of two classes, one column of decisions speaks for the second.
    """
    every = np.arange(len(model.data.classes))
    learned = np.asarray(getattr(model.estimator, "classes_", every)).astype(int)
    single = values.shape == (n,) and len(learned) == 2 and kind == DECISION
    if not single and values.shape != (n, len(learned)):
        raise AlgorithmError(f"{kind} returned an array of shape {values.shape} for {n} rows")
    values = _complete(values, kind)
    # a class that was never learned is impossible
    full = np.full((n, len(every)), 0.0 if kind == PROBABILITIES else -np.inf)
    full[:, learned] = np.column_stack([-values, values]) if single else values
    return full[:, 1].copy() if single and len(every) == 2 else full


def _log_densities(values: np.ndarray, model: Fitted, kind: str, n: int) -> np.ndarray:
    """Log densities of the attributes as given, also where preprocessing scaled them."""
    return _numbers(values, model, kind, n) - log_volume(model.estimator)


def _curves(values: np.ndarray, model: Fitted, kind: str, n: int) -> np.ndarray:
    """Probabilities to survive each of the times."""
    if values.shape != (n, len(model.times)):
        raise AlgorithmError(
            f"{kind} returned an array of shape {values.shape} for {n} rows and "
            f"{len(model.times)} times"
        )
    values = _complete(values, kind).astype(float)
    beyond = values[(values < -1e-9) | (values > 1 + 1e-9)]
    if len(beyond):
        raise AlgorithmError(f"{kind} returned {float(beyond[0])!r}, which is no probability")
    return np.clip(values, 0, 1)


Check = Callable[[np.ndarray, Fitted, str, int], np.ndarray]
CHECKS: dict[tuple[str, str], Check] = {
    ("classification", PREDICTED): _codes,
    ("classification", PROBABILITIES): _by_class,
    ("classification", DECISION): _by_class,
    ("clustering", PREDICTED): _codes,
    ("density", LOG_DENSITY): _log_densities,
    ("survival", CURVES): _curves,
}


# -- what measures read, and what a store keeps of it ----------------------------------------


def readonly_output(
    y: np.ndarray,
    values: dict[str, np.ndarray],
    n_classes: int,
    *,
    learned: np.ndarray | None,
    X: np.ndarray | pd.DataFrame | None = None,
) -> Output:
    """What measures read; one that wrote into its arguments would change what others see."""
    for array in (y, *values.values()):
        array.flags.writeable = False
    return Output(y, values, n_classes, learned, X)


def kept_arrays(output: Output) -> dict[str, np.ndarray]:
    """What a store keeps of an output, as plain arrays; attributes are not kept."""
    censored = output.learned is not None
    arrays = {"y": as_columns(output.y) if censored else output.y, **output.values}
    if CURVES in output.values and output.learned is not None:
        arrays["learned"] = as_columns(output.learned)
    return arrays


def kept_output(kept: Kept, facts: Mapping[str, Any]) -> Output:
    """What a measure reads, from the arrays that were kept of a split and the data set's facts."""
    values = {k: v for k, v in kept.arrays.items() if k not in ("row", "y", "learned")}
    y, learned = kept.arrays["y"], kept.arrays.get("learned")
    return readonly_output(
        from_columns(y) if facts["task"] == "survival" else y,
        values,
        len(facts["classes"]),
        learned=None if learned is None else from_columns(learned),
    )
