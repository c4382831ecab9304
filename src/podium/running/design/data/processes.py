"""Processes: data generating processes that can be sampled at any size (the simulation problem)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from podium.core.base import options as checks
from podium.core.base.errors import DesignError
from podium.core.base.options import about
from podium.core.base.registry import Registry, unknown
from podium.core.words import saying
from podium.running.design.data import problems
from podium.running.design.data.datasets import TASKS, Dataset, dataset
from podium.running.design.data.identity import description, fingerprint, stream

Generator = Callable[..., tuple[Any, Any]]

MOST_ROWS = 10_000_000  # of a sample: more would not fit into the memory of most machines


@dataclass(frozen=True, eq=False, repr=False)
class Process:
    """A data generating process: `draw(n, rng, **parameters)` returns attributes and a target.

    In a simulation, training sets have `n` rows and performance is measured on `n_test` rows
    more, new ones for each training set. Without `fresh_test` all of them share one test
    sample: what is then found out is about that sample, and not about the process.
    """

    name: str
    draw: Generator
    task: str
    n: int
    n_test: int = 2000
    fresh_test: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)
    origin: str = ""

    def __post_init__(self) -> None:
        checks.name("process", self.name)
        if self.task not in TASKS:
            raise DesignError(
                f"Process '{self.name}': task '{self.task}' is not one of {', '.join(TASKS)}."
            )
        for what in ("n", "n_test"):
            size = getattr(self, what)
            text = f"Process '{self.name}': {what}"
            with about(what):
                checks.whole(f"{text} must be a whole number of at least 2", size, 2)
                if size > MOST_ROWS:
                    raise DesignError(f"{text} = {size} rows are too many.")

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the generator, its parameters and the sizes."""
        code = description(self.draw, f"Process '{self.name}'")
        parameters = description(dict(sorted(self.parameters.items())))
        sizes = (self.n, self.n_test, self.fresh_test)
        return fingerprint(repr(code), repr(parameters), self.task, sizes)

    @property
    def facts(self) -> dict[str, Any]:
        """What a store keeps about the process."""
        return {
            "task": self.task,
            "n": self.n,
            "n_test": self.n_test,
            "process": True,
            "fresh_test": self.fresh_test,
            "parameters": description(self.parameters),
            "classes": list(self._first.classes),
            "p": self._first.p,
            "nominal": self._first.n_nominal,
            "missing": self._first.n_missing,
            "origin": self.origin,
        }

    @cached_property
    def _first(self) -> Dataset:
        """A sample drawn once: does the generator work, and which classes has it?"""
        return self.sample(max(self.n, 100), stream(0, "look", self.name))

    def sample(self, n: int, rng: np.random.Generator) -> Dataset:
        """A data set of `n` rows."""
        X, y = self._drawn(n, rng)
        return dataset(self.name, X, y, task=self.task, origin=self.origin)

    def learning_and_test(self, seed: int, sample: int, *own: str) -> Dataset:
        """Training set number `sample` of a study, with the rows to test on behind it.

        `own` is the algorithm's name where every algorithm has samples of its own; they still
        share a test sample that is not fresh.
        """
        X, y = self._drawn(self.n, stream(seed, "simulation", self.name, "learn", sample, *own))
        test = (sample, *own) if self.fresh_test else (0,)
        T, t = self._drawn(self.n_test, stream(seed, "simulation", self.name, "test", *test))
        data = dataset(self.name, X, y, test=(T, t), task=self.task, origin=self.origin)
        if data.classes != self._first.classes:
            raise DesignError(
                f"Process '{self.name}': sample {sample} has the classes "
                f"{', '.join(data.classes)} instead of {', '.join(self._first.classes)}."
            )
        return data

    def _drawn(self, n: int, rng: np.random.Generator) -> tuple[Any, Any]:
        try:
            X, y = self.draw(n, rng, **self.parameters)
            rows = len(X if y is None else y)  # a density has no target
        except DesignError:
            raise
        except MemoryError:
            raise DesignError(
                f"Process '{self.name}': n = {n} rows are too many.", ("n",)
            ) from None
        except Exception as error:
            given = " and ".join(f"the parameter {k} = {v!r}" for k, v in self.parameters.items())
            raise DesignError(
                f"Process '{self.name}' cannot be sampled{given and f' with {given}'}: "
                f"{type(error).__name__}: {error}.",
                ("parameters",),
            ) from error
        if rows != n:
            raise DesignError(f"Process '{self.name}' drew {rows} rows where {n} were asked for.")
        return X, y

    def __repr__(self) -> str:
        kind = "fresh" if self.fresh_test else "fixed"
        return (
            f"<Process {self.name}: {self.task}, n = {self.n}, {kind} test sample of {self.n_test}>"
        )

    def _repr_html_(self) -> str:
        return saying.html([repr(self)[1:-1]], {}, ())


@dataclass(frozen=True)
class Problem:
    """A built-in process before its sizes are chosen."""

    draw: Generator
    task: str
    n: int


PROBLEMS: Registry[Problem] = Registry("built-in process")
for _draw, _task, _n in (
    (problems.twonorm, "classification", 1200),
    (problems.ringnorm, "classification", 1200),
    (problems.threenorm, "classification", 1200),
    (problems.circle, "classification", 1200),
    (problems.spirals, "classification", 1200),
    (problems.friedman1, "regression", 200),
    (problems.friedman2, "regression", 200),
    (problems.friedman3, "regression", 200),
    (problems.nested_linear, "regression", 150),
    (problems.quarter_circle, "classification", 200),
):
    PROBLEMS.add(_draw.__name__.replace("_", "-"), Problem(_draw, _task, _n))


def process(
    name: str,
    draw: Generator | None = None,
    *,
    task: str | None = None,
    n: int | None = None,
    n_test: int = 2000,
    fresh_test: bool = True,
    **parameters: Any,
) -> Process:
    """A built-in process by its name, or a function of one's own, to draw fresh samples from.

    Parameters
    ----------
    name : str
        Of a built-in process (`podium list data`), or of one's own.
    draw : `draw(n, rng, **parameters)`
        Gives X and y of so many rows.
    task : str | None
        classification or regression, of a process of one's own.
    n, n_test : int
        Rows of a sample, and of its test set.
    fresh_test : bool
        Draw a new test set with every sample, rather than one for all.
    **parameters
        Of the process.

    Returns
    -------
    Process
        What a study with `simulation:B` takes as a data set.

    Examples
    --------
    >>> import podium
    >>> podium.process("friedman1", n=100).name
    'friedman1'
    """
    if draw is None:
        made = builtin_process(name, name, n, n_test, fresh_test, parameters)
    elif n is None:
        raise DesignError(f"Process '{name}': say the size of a training set with n=...")
    else:
        guess = TASKS[0] if task is None else task
        made = Process(name, draw, guess, n, n_test, fresh_test, parameters)
        if task is None:
            data = dataset(name, *made._drawn(max(n, 100), stream(0, "look", name)))
            made = replace(made, task=data.task)
    if task not in (None, made.task):
        raise DesignError(f"Process '{name}' is a {made.task}, not a {task}.")
    return made


def builtin_process(
    name: str,
    problem: str,
    n: int | None = None,
    n_test: int = 2000,
    fresh_test: bool = True,
    parameters: Mapping[str, Any] | None = None,
) -> Process:
    """A built-in process under a name of one's own."""
    known, parameters = PROBLEMS[problem], parameters or {}
    possible = list(inspect.signature(known.draw).parameters)[2:]  # without n and rng
    for key in parameters:
        if key not in possible:
            kind = f"parameter of {problem}"
            raise DesignError(f"Process '{name}': {unknown(kind, key, possible)}", ("parameters",))
    size, origin = known.n if n is None else n, f"builtin:{problem}"
    return Process(name, known.draw, known.task, size, n_test, fresh_test, parameters, origin)


def drawn_dataset(
    name: str,
    problem: str,
    n: int | None = None,
    seed: int = 0,
    parameters: Mapping[str, Any] | None = None,
    positive: Any = None,
) -> Dataset:
    """One data set drawn from a built-in process; `seed` is the data set's own, not the study's."""
    source = builtin_process(name, problem, n, parameters=parameters)
    X, y = source._drawn(source.n, stream(seed, "builtin", problem))
    return dataset(name, X, y, task=source.task, positive=positive, origin=source.origin)
