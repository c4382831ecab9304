"""One run: fit, predict, measure; whatever goes wrong becomes a failed record."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import random
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Protocol, TextIO, TypeVar

import numpy as np
import pandas as pd
from numpy.random import mtrand

from podium.core.words.notes.of_results import DRAWN
from podium.reading.store import Failure, Kept, Record, Warned
from podium.reading.store.records import FIT_NOTE
from podium.running.design.data.datasets import Dataset
from podium.running.design.data.identity import stream
from podium.running.design.data.processes import Process
from podium.running.design.learners.algorithms import Algorithm, fits_spent
from podium.running.design.learners.preprocessing import draw_shared_rows, in_proportion, weighted
from podium.running.design.measuring.corrections import Apparent, apparent, corrected
from podium.running.design.measuring.outputs import Needs, Output
from podium.running.design.measuring.scoring import (
    Computed,
    impossible,
    needs,
    reads_attributes,
    scored,
)
from podium.running.design.samples.drawing import Draw, Split, drawing
from podium.running.design.samples.sampler import Sampler
from podium.running.design.study import Run
from podium.running.execution.machine import PeakMemory
from podium.running.execution.predictions import (
    AlgorithmError,
    Fitted,
    extras,
    kept_arrays,
    predictions,
    readonly_output,
)

# -- state that is kept -------------------------------------------------------------------------
# What an algorithm leaves to its own next run: in its module, its class or its process.
#
# Other algorithms have other processes and never see it. Runs of one batch do, and how runs are cut
# into batches depends on their times: only a fresh process for every run makes scores sure.


OWN = {"numpy", "scipy", "pandas", "sklearn", "podium", "builtins"}  # keep no state between runs
AFRESH = 'isolate = "process" starts every run afresh'
_CODE = (ModuleType, FunctionType, BuiltinFunctionType, type)


class KeptState(UserWarning):
    """An algorithm keeps something in its process, which its next run may see."""


@contextlib.contextmanager
def watched(algorithm: Algorithm) -> Iterator[None]:
    """Warn of what an algorithm leaves in its own modules and classes, and in its process."""
    places = _places(algorithm)
    before, process = [_content(place) for _, place in places], _process()
    try:
        yield
    finally:
        for (name, place), was in zip(places, before, strict=True):
            _compare(name, was, _content(place))
        _compare("the process", process, _process())


def _compare(name: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    if now == was:
        return
    left = sorted(key for key in {**now, **was} if now.get(key) != was.get(key))
    text = f"{name} keeps {', '.join(left[:3])} between runs, so that scores may depend"
    with contextlib.suppress(Exception):  # the run may have turned warnings into errors
        warnings.simplefilter("always")
        warnings.warn(f"{text} on what ran before: {AFRESH}", KeptState, stacklevel=1)


def _process() -> dict[str, Any]:
    """What all code of a process shares and scores hang on, as far as it is quickly read."""
    configuration = sys.modules.get("sklearn._config")
    with contextlib.suppress(Exception):  # a working folder that is gone, replaced functions
        return {
            "numpy's error state": np.geterr(),
            "numpy's generator": id(mtrand.get_bit_generator()),
            "scikit-learn's configuration": configuration and configuration.get_config(),
            "the working folder": os.getcwd(),
        }
    return {}


@functools.lru_cache(maxsize=1000)
def _places(algorithm: Algorithm) -> list[tuple[str, Mapping[str, Any]]]:
    """The classes and modules, of no package that is known, that the algorithm's code lives in."""
    places: dict[int, tuple[str, Mapping[str, Any]]] = {}
    for kind in _kinds(algorithm.recipe):
        for base in kind.__mro__:
            if base.__module__.partition(".")[0] in OWN:
                continue
            places[id(base)] = (f"the class {base.__name__}", vars(base))
            for function in vars(base).values():
                if isinstance(function, FunctionType):
                    home = function.__globals__
                    places[id(home)] = (f"the module {base.__module__}", home)
    return list(places.values())


def _kinds(recipe: Any) -> Iterator[type]:
    """The class of an estimator, and of its parts."""
    yield recipe if isinstance(recipe, type) else type(recipe)
    if hasattr(recipe, "get_params") and not isinstance(recipe, type):
        with contextlib.suppress(Exception):  # a foreign estimator that cannot tell
            yield from {type(part) for part in recipe.get_params(deep=True).values()}


def _content(place: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """Which values a module or class has, not its code; of collections how large they are."""
    return {
        name: (id(value), len(value) if isinstance(value, (list, dict, set)) else 0)
        for name, value in list(place.items())
        if not isinstance(value, _CODE) and not name.startswith("__")
    }


# -- one run ------------------------------------------------------------------------------------


LONGEST_TRACEBACK = 20_000
LONGEST_MESSAGE = 1_000
MOST_WARNINGS = 20  # different ones that are kept per run

T = TypeVar("T")
_of_worker = False  # whether this process executes runs for another one


def become_worker() -> None:
    """From now on Ctrl-C is the driver's business, and whatever runs raise is their failure."""
    global _of_worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _of_worker = True


_UNTOUCHED = contextlib.nullcontext()


class Data(Protocol):
    """Where a run gets its data set from: memory, or a memory map that all workers share."""

    def get(self, name: str) -> Dataset | Process:
        """The data set of this name."""


@dataclass(frozen=True)
class Plan:
    """What all runs of a study share."""

    data: Data
    algorithms: dict[str, Algorithm]
    sampler: Sampler
    measures: tuple[Computed, ...]
    keep_predictions: bool
    isolated: bool = False  # every run is to have a process of its own
    apparent: dict[tuple[str, str], _Apparent] = field(default_factory=dict, compare=False)

    @cached_property
    def needs(self) -> Needs:
        """The outputs that the measures read."""
        return needs(self.measures)

    @property
    def wants_memory(self) -> bool:
        """Whether peak memory was asked for."""
        return any(m.name == "peak-memory" for m in self.measures)

    @property
    def fresh(self) -> bool:
        """Whether every run has a process of its own, and leaves nothing to others."""
        return self.isolated or self.wants_memory


@dataclass(frozen=True)
class _Apparent:
    """What the fit to a whole training set says, and what was said while it was fitted."""

    found: Apparent
    warnings: tuple[Warned, ...]


@dataclass(frozen=True)
class _Drawn:
    """A sample, or why there is none, and what was said while it was drawn."""

    sample: tuple[Dataset, Draw] | Failure
    warnings: tuple[Warned, ...]


def execute_batch(plan: Plan, runs: list[Run]) -> list[Record]:
    """The records of several runs; the caller's generators go on as if nothing had happened."""
    with _generators_put_back():
        return list(execute_runs(plan, runs))


def execute_runs(plan: Plan, runs: list[Run]) -> Iterator[Record]:
    """The records of runs, one by one; runs of one sample that stand together draw it once."""
    last: tuple[str | int, ...] = ()
    for run in runs:
        start = time.perf_counter()
        own = (run.algorithm,) if plan.sampler.sampling.independent else ()
        if (run.dataset, run.sample, *own) != last:
            last = (run.dataset, run.sample, *own)
            drawn = _drawn(plan, run, own)
        content = _executed(plan, run, drawn)
        content |= {"seconds": time.perf_counter() - start, "finished": time.time()}
        yield Record(run.key, run.dataset, run.algorithm, run.sample, **content)


def _drawn(plan: Plan, run: Run, own: tuple[str, ...]) -> _Drawn:
    # a process may use the global generators: they follow from the sample, as runs share it
    sampler, full = plan.sampler, plan.sampler.drawn_as(run.dataset)
    seed = _seed(plan, "global", full, run.sample, *own)
    with _watched(seed) as caught:
        result = _attempted(lambda: sampler.sample(plan.data.get(run.dataset), run.sample, *own))
    notes = () if isinstance(result, Failure) else result[1].notes
    return _Drawn(result, (*(Warned("sample", n, 1) for n in notes), *_counted(caught)))


def _seed(plan: Plan, *parts: str | int) -> int:
    """A seed for global generators."""
    return int(stream(plan.sampler.seed, *parts).integers(2**32))


def _state(plan: Plan, run: Run) -> int:
    """Where the random numbers of a run begin; the same for all algorithms with paired seeds."""
    if plan.sampler.sampling.paired:
        return _seed(plan, "seed", run.dataset, run.sample)
    return int.from_bytes(run.key, "little")


def _executed(plan: Plan, run: Run, drawn: _Drawn) -> dict[str, Any]:
    """What the record of a run says."""
    if isinstance(drawn.sample, Failure):
        return {"failure": drawn.sample, "warnings": drawn.warnings}
    data, draw = drawn.sample
    whole = _whole(plan, run, data, draw) if draw.whole else None
    if isinstance(whole, Failure):
        return {"failure": whole, "warnings": drawn.warnings}
    state = _state(plan, run) % 2**32
    leaves = _UNTOUCHED if plan.fresh else watched(plan.algorithms[run.algorithm])
    with _watched(state) as caught, leaves:
        outcome = _attempted(lambda: _measured(plan, run, data, draw, whole))
    content: dict[str, Any] = {"failure": outcome} if isinstance(outcome, Failure) else outcome
    before = (*drawn.warnings, *(whole.warnings if whole else ()))
    return content | {"warnings": (*before, *content.get("warnings", ()), *_counted(caught))}


def _whole(plan: Plan, run: Run, data: Dataset, draw: Draw) -> _Apparent | Failure:
    """The apparent performance, which all samples share; it is fitted once per data set.

    Its random numbers follow from data set and algorithm alone, so that it does not matter which
    run comes first.
    """
    key = (run.dataset, run.algorithm)
    if key not in plan.apparent:
        state = _seed(plan, "apparent", *key)
        with _watched(state) as caught:
            outcome = _attempted(lambda: _fitted_to_whole(plan, run.algorithm, data, draw, state))
        if isinstance(outcome, Failure):
            return outcome
        for old in [old for old in plan.apparent if old[1] == run.algorithm]:
            del plan.apparent[old]  # of a data set that is done
        plan.apparent[key] = _Apparent(outcome, tuple(_counted(caught)))
    return plan.apparent[key]


def _fitted_to_whole(
    plan: Plan, algorithm: str, data: Dataset, draw: Draw, random_state: int
) -> Apparent:
    made = plan.algorithms[algorithm]
    outputs = [
        _fitted(plan, made, random_state + fit, data, split).output
        for fit, split in enumerate(draw.whole)
    ]
    return apparent(plan.measures, outputs)


@dataclass(frozen=True)
class _Fitted:
    """What one estimator said, and how long it took to learn and to say it."""

    output: Output
    fit_time: float
    predict_time: float
    spent: int  # fits, with those of tuning


def _fitted(
    plan: Plan, algorithm: Algorithm, random_state: int, data: Dataset, split: Split
) -> _Fitted:
    """Fit and predict, on fresh rows: nothing leaks from one run to the next."""
    estimator = algorithm.estimator(random_state)
    train, options = split.train, dict[str, np.ndarray]()
    if split.weights is not None and algorithm.by_rows:
        train = train[draw_shared_rows(split.weights)]
    elif split.weights is not None:
        options = weighted(estimator, split.weights)
        if not options:
            warnings.warn(DRAWN, stacklevel=1)
            train = train[in_proportion(split.weights, random_state)]
    X, y = _rows(data, train), data.learned(train)
    T = _rows(data, split.test)
    start = time.perf_counter()
    estimator.fit(X, *y, **options)
    fitted = time.perf_counter()
    model = Fitted(estimator, data, split.train, algorithm.output, algorithm.preprocess)
    values = predictions(model, T, plan.needs)
    predicted = time.perf_counter()
    if plan.keep_predictions:
        values |= extras(model, T, values)
    output = readonly_output(
        data.y[split.test],
        values,
        len(data.classes),
        learned=data.y[split.train] if data.task == "survival" else None,
        X=_rows(data, split.test) if reads_attributes(plan.measures) else None,
    )
    return _Fitted(output, fitted - start, predicted - fitted, fits_spent(estimator))


def _measured(
    plan: Plan, run: Run, data: Dataset, draw: Draw, whole: _Apparent | None
) -> dict[str, Any]:
    """Scores, times and kept predictions of all splits of a sample."""
    algorithm, state = plan.algorithms[run.algorithm], _state(plan, run)
    memory = PeakMemory() if plan.wants_memory else None
    fits = [
        _fitted(plan, algorithm, state + number, data, split)
        for number, split in enumerate(draw.splits)
    ]
    outputs = [f.output for f in fits]
    correction = drawing(plan.sampler.sampling).correction
    if whole is None or correction is None:
        scores = scored(plan.measures, outputs)
    else:
        scores = corrected(correction, plan.measures, outputs, whole.found)
    _refuse_impossible(plan.measures, scores.values)
    if memory is not None:
        scores.values["peak-memory"] = memory.peak()
    pairs = enumerate(zip(draw.splits, outputs, strict=True))
    return {
        "scores": scores.values,
        "fit_time": sum(f.fit_time for f in fits),
        "predict_time": sum(f.predict_time for f in fits),
        "kept": tuple(_kept(i, *pair) for i, pair in pairs) if plan.keep_predictions else (),
        "warnings": (
            *(Warned("undefined", f"{m}: {why}", 1) for m, why in scores.undefined.items()),
            *_fit_notes(plan, fits, plain=whole is None),
        ),
    }


def _fit_notes(plan: Plan, fits: Sequence[_Fitted], *, plain: bool) -> Iterator[Warned]:
    """What single fits said, where there are several of a split, and spent, where they tuned."""
    spent, times = sum(f.spent for f in fits), plan.sampler.fits
    each = len(fits) // times
    outputs = [[f.output for f in fits[i * each : (i + 1) * each]] for i in range(times)]
    single = (
        [scored(plan.measures, output).values for output in outputs] if times > 1 and plain else []
    )
    if spent > 1 or single:
        messages = {name: [one[name] for one in single] for name in (single[0] if single else ())}
        finite = {n: values for n, values in messages.items() if np.isfinite(values).all()}
        yield Warned(FIT_NOTE, json.dumps({"spent": spent, "scores": finite}), 1)


def _refuse_impossible(measures: tuple[Computed, ...], values: dict[str, float]) -> None:
    for m in measures:
        if why := impossible(m.measure, values.get(m.name, np.nan)):
            raise AlgorithmError(why)


def _rows(data: Dataset, rows: np.ndarray) -> np.ndarray | pd.DataFrame:
    return data.X[rows] if isinstance(data.X, np.ndarray) else data.X.iloc[rows]


def _kept(number: int, split: Split, output: Output) -> Kept:
    return Kept(number, {"row": split.test, **kept_arrays(output)})


# -- what happens around a run ----------------------------------------------------------------


@contextlib.contextmanager
def _watched(seed: int) -> Iterator[list[warnings.WarningMessage]]:
    """Seeded global generators; prints swallowed, warnings collected."""
    np.random.seed(seed)  # for algorithms that know no random_state
    random.seed(seed)
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(_nowhere()):
        warnings.simplefilter("always")
        yield caught


_streams: list[TextIO] = []


def _nowhere() -> TextIO:
    """Where prints go; an algorithm may have closed it."""
    if not _streams or _streams[-1].closed:
        opened = open(os.devnull, "w", encoding="utf-8", errors="replace")  # noqa: SIM115
        atexit.register(opened.close)
        _streams.append(opened)
    return _streams[-1]


@contextlib.contextmanager
def _generators_put_back() -> Iterator[None]:
    """The caller's global generators go on as if nothing had happened."""
    before = np.random.get_state(), random.getstate()
    try:
        yield
    finally:
        np.random.set_state(before[0])
        random.setstate(before[1])


def _attempted(work: Callable[[], T]) -> T | Failure:
    """What `work` returns, or a failure: a user's code may raise anything, but Ctrl-C is Ctrl-C."""
    try:
        return work()
    except KeyboardInterrupt as error:
        if not _of_worker:
            raise
        return _message(error)  # workers are deaf to Ctrl-C: an algorithm raised this itself
    except BaseException as error:
        return _message(error)


def _message(error: BaseException) -> Failure:
    try:
        return _failure(error)
    except Exception:  # the run may have replaced what a traceback is made with
        return Failure(type(error).__name__, "", "")


def _counted(caught: list[warnings.WarningMessage]) -> Iterator[Warned]:
    if not caught:
        return
    counts = Counter((w.category.__name__, str(w.message)[:LONGEST_MESSAGE]) for w in caught)
    kept = [(key, count) for key, count in counts.items() if key[0] == KeptState.__name__]
    others = [(key, count) for key, count in counts.most_common() if (key, count) not in kept]
    for (category, message), count in (*kept, *others[:MOST_WARNINGS]):
        yield Warned(category, message, count)


def _failure(error: BaseException) -> Failure:
    try:
        message = str(error)[:LONGEST_MESSAGE]
    except Exception:  # an exception whose own text fails
        message = ""
    text = "".join(traceback.format_exception(error, limit=50))
    return Failure(type(error).__name__, message, text[-LONGEST_TRACEBACK:])
