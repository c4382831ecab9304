"""What a fitted algorithm says about test rows: asked for, checked, kept and read again."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from podium.core.base.errors import StoreError
from podium.core.base.registry import unknown
from podium.reading.store import Kept, Store
from podium.reading.store.store_file import understood
from podium.running.design.data.datasets import TASKS, Dataset, task_noun
from podium.running.design.data.survival import as_columns, brier_times, from_columns
from podium.running.design.learners.preprocessing import has_method, log_volume, method, taken_apart
from podium.running.design.measuring import losses  # noqa: F401  its formulas add themselves
from podium.running.design.measuring.outputs import (
    CURVES,
    DECISION,
    KINDS,
    LABELS,
    LOG_DENSITY,
    LOSSES,
    PREDICTED,
    PROBABILITIES,
    Formula,
    Given,
    Needs,
    Output,
    takes_times,
)
from podium.running.design.measuring.scoring import (
    Computed,
    computed,
    impossible,
    is_recorded,
    reads_attributes,
    scored,
)


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


# -- new measures of them -------------------------------------------------------------------------
# New measures from kept predictions, without refitting.


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


# -- losses of every test item --------------------------------------------------------------------
# Losses of every test item from kept predictions: fitted models compared item by item.


DONE = """
    SELECT runs.id, algorithms.name, EXISTS (SELECT 1 FROM predictions p WHERE p.run = runs.id)
    FROM runs
    JOIN datasets ON datasets.id = runs.dataset JOIN algorithms ON algorithms.id = runs.algorithm
    WHERE failed = 0 AND datasets.name = ? AND datasets.fingerprint = ? AND sample = ?
    ORDER BY runs.id"""


def item_losses(
    path: str | Path, loss: str = "error", dataset: str | None = None, sample: int = 1
) -> pd.DataFrame:
    """The losses of one sample's test items: dataset, algorithm, item (a row number), value.

    Of several fits of a sample the losses of an item are averaged, as scores are.
    """
    computed = LOSSES[loss]
    with Store(path, readonly=True) as store:
        study = store.definitions()[-1]
        store.verified()
        name = _dataset(study, dataset)
        facts = _facts(store, name, study["datasets"][name])
        _check_task(loss, computed, name, facts["task"])
        tables = [
            _of_run(store, run, algorithm, loss, facts)
            for run, algorithm in _newest(store, study, name, sample)
        ]
    if not 1 <= sample <= study["samples"][name]:
        raise StoreError(
            f"'{name}' has the samples 1 to {study['samples'][name]}, and no sample {sample}."
        )
    if not tables:
        raise _none_kept(path, sample, name)
    table = pd.concat(tables, ignore_index=True)
    table = table.groupby(["algorithm", "item"], sort=False, as_index=False)["value"].mean()
    table.insert(0, "dataset", name)
    return table


def is_loss(measure: str) -> bool:
    """Whether a measure is a mean of losses per item."""
    return measure in LOSSES


def kept_runs(
    path: str | Path, dataset: str | None, sample: int
) -> tuple[str, dict[str, Any], dict[str, list[tuple[np.ndarray, Output]]]]:
    """The data set, its facts and, of every algorithm, rows and outputs of a sample's fits."""
    with Store(path, readonly=True) as store:
        study = store.definitions()[-1]
        store.verified()
        name = _dataset(study, dataset)
        facts = _facts(store, name, study["datasets"][name])
        runs = {}
        for run, algorithm in _newest(store, study, name, sample):
            with understood(store.path):
                runs[algorithm] = [
                    (kept.arrays["row"].astype(np.int64), kept_output(kept, facts))
                    for kept in store.kept(run)
                ]
    if not runs:
        raise _none_kept(path, sample, name)
    return name, facts, runs


def _none_kept(path: str | Path, sample: int, name: str) -> StoreError:
    return StoreError(
        f"The store '{path}' keeps no predictions for sample {sample} of '{name}'. Run its "
        'study with keep = ["predictions"].'
    )


def _dataset(study: dict[str, Any], name: str | None) -> str:
    known = list(map(str, study["datasets"]))
    if name is None and len(known) > 1:
        raise StoreError(f"Items are those of one data set: say which, {', '.join(known)}.")
    chosen = known[0] if name is None else name
    if chosen not in known:
        raise StoreError(unknown("data set", chosen, known))
    return chosen


def _facts(store: Store, name: str, fingerprint: str) -> dict[str, Any]:
    rows = store.rows(
        "SELECT facts FROM datasets WHERE name = ? AND fingerprint = ?", (name, fingerprint)
    )
    with understood(store.path):
        facts: dict[str, Any] = json.loads(rows[0][0])
        return facts


def _newest(store: Store, study: dict[str, Any], name: str, sample: int) -> list[tuple[int, str]]:
    """The last kept run of every algorithm of the study, in the study's order."""
    rows = store.rows(DONE, (name, study["datasets"][name], sample))
    for run, *_ in rows:
        store.verify_details(run, run)
    last = {algorithm: run for run, algorithm, is_kept in rows if is_kept}
    return [(last[a], a) for a in study["algorithms"] if a in last]


def _check_task(name: str, loss: Formula, dataset: str, task: str) -> None:
    if task not in loss.tasks:
        raise StoreError(
            f"The loss '{name}' is for {' or '.join(loss.tasks)}; data set '{dataset}' is a "
            f"{task_noun(task)}. Choose another loss."
        )


def _of_run(
    store: Store, run: int, algorithm: str, loss: str, facts: dict[str, Any]
) -> pd.DataFrame:
    parts = []
    for kept in store.kept(run):
        with understood(store.path):
            output = kept_output(kept, facts)
        for kinds in LOSSES[loss].needs:
            if not set(kinds) & set(output.values):
                raise StoreError(
                    f"The loss '{loss}' needs {' or '.join(kinds)}, which '{algorithm}' has not "
                    "given. Choose another loss."
                )
        values = np.asarray(LOSSES[loss].function(output), float)
        rows = kept.arrays["row"].astype(np.int64)
        parts.append(pd.DataFrame({"item": rows, "value": values}))
    table = pd.concat(parts, ignore_index=True)
    table.insert(0, "algorithm", algorithm)
    return table
