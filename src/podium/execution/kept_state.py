"""What an algorithm leaves to its own next run: in its module, its class or its process.

Other algorithms have other processes and never see it. Runs of one batch do, and how runs are cut
into batches depends on their times: only a fresh process for every run makes scores sure.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.random import mtrand

from podium.design.learners.algorithms import Algorithm

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
