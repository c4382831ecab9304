"""What a run may change of its process: put back before the next one, or at least told.

numpy's error state, print options, scikit-learn's configuration, environment, working folder,
locale and the like, and functions of numpy and Python that somebody replaced are put back (of other
packages see patches.py). What an algorithm keeps in its own module or class cannot be: only a fresh
process for every run forgets it.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import ctypes
import decimal
import functools
import gc
import locale
import logging
import math
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, TextIO

import numpy as np
from numpy.random import mtrand

from podium.design.learners.algorithms import Algorithm
from podium.design.learners.fresh import PLAIN
from podium.execution.patches import Patches

# patched by somebody, these change the scores of others; few, as they are looked at after each run
WATCHED = (builtins, np, np.linalg, np.random, mtrand, math, random, os)
LATE = ("sklearn.base", "sklearn.metrics")  # watched too, where they are loaded
OWN = {"numpy", "scipy", "pandas", "sklearn", "podium", "builtins"}  # keep no state between runs
AFRESH = 'isolate = "process" starts every run afresh'
_CODE = (ModuleType, FunctionType, BuiltinFunctionType, type)


class ChangedState(UserWarning):
    """An algorithm changed what other algorithms rely on; it was put back."""


class KeptState(UserWarning):
    """An algorithm keeps something in its module or class, which the next run will see."""


@dataclass(frozen=True)
class _Part:
    """Something that all code of a process shares, how it is read and how it is set."""

    name: str
    read: Callable[[], Any]
    put: Callable[[Any], object]


def _environment() -> dict[Any, Any]:
    # as the system has it: to decode all of it after each run would take longer than some runs
    return dict(getattr(os.environ, "_data", os.environ))


def _set_environment(before: Mapping[Any, Any]) -> None:
    os.environ.clear()
    (os.environb if os.supports_bytes_environ else os.environ).update(before)


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # somebody has removed it
        return ""


def _configuration() -> Any:
    sklearn = sys.modules.get("sklearn")
    return sklearn.get_config() if sklearn else None


def _configure(before: Any) -> None:
    if before:
        sys.modules["sklearn"].set_config(**before)


def _precision() -> tuple[int, str]:
    context = decimal.getcontext()
    return context.prec, context.rounding


def _set_precision(before: tuple[int, str]) -> None:
    context = decimal.getcontext()
    context.prec, context.rounding = before


def _umask() -> int:
    mask = os.umask(0o077)  # which cannot be read without being set
    os.umask(mask)
    return mask


def _streams() -> tuple[Any, ...]:
    return sys.stderr, sys.__stdout__, sys.__stderr__


def _set_streams(before: tuple[Any, ...]) -> None:
    sys.stderr, sys.__stdout__, sys.__stderr__ = before  # type: ignore[misc]


_SIGNALS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGPIPE", "SIGCHLD", "SIGHUP", "SIGPROF")
    if hasattr(signal, name)
]


_TIMERS = [getattr(signal, n) for n in ("ITIMER_REAL", "ITIMER_PROF") if hasattr(signal, n)]


def _handlers() -> tuple[Any, ...]:
    ticking = [any(signal.getitimer(timer)) for timer in _TIMERS]
    return (*map(signal.getsignal, _SIGNALS), *ticking)


def _set_handlers(before: tuple[Any, ...]) -> None:
    for timer, ticked in zip(_TIMERS, before[len(_SIGNALS) :], strict=True):
        if not ticked:
            signal.setitimer(timer, 0)
    for number, handler in zip(_SIGNALS, before, strict=False):
        signal.signal(number, handler)


def _arithmetic() -> tuple[float, ...]:
    """Whether sums are rounded to the nearest number, and the least numbers are not zero."""
    one, tiny = map(float, ("1", "5e-324"))  # not known when this is compiled
    return one + tiny, one - tiny, tiny * one


def _set_arithmetic(before: Any) -> None:
    # of a library, or an algorithm, that sets the processor's mode; -1 is C's default
    ctypes.CDLL("libm.so.6").fesetenv(ctypes.c_void_p(-1))


_LIMITED: list[int] = []
with contextlib.suppress(ImportError):  # on Windows
    import resource

    _LIMITED += [resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE]


def _limits() -> list[tuple[int, int]]:
    return [resource.getrlimit(r) for r in _LIMITED]


def _set_limits(before: list[tuple[int, int]]) -> None:
    for r, limit in zip(_LIMITED, before, strict=True):
        resource.setrlimit(r, limit)


def _leave(before: Any) -> None:
    """Not put back: what the algorithm itself loads later may be there."""


@functools.cache
def _libraries() -> list[Any]:
    from threadpoolctl import ThreadpoolController

    return list(ThreadpoolController().lib_controllers)


def _threads() -> list[int]:
    return [library.num_threads for library in _libraries()]


def _set_threads(before: list[int]) -> None:
    for library, number in zip(_libraries(), before, strict=True):
        library.set_num_threads(number)


PARTS = (
    _Part("numpy's error state", np.geterr, lambda v: np.seterr(**v)),
    _Part("numpy's generator", mtrand.get_bit_generator, mtrand.set_bit_generator),
    _Part("numpy's print options", np.get_printoptions, lambda v: np.set_printoptions(**v)),
    _Part("scikit-learn's configuration", _configuration, _configure),
    _Part("the environment", _environment, _set_environment),
    _Part("the working folder", _folder, lambda v: os.chdir(v) if v else None),
    _Part(
        "the locale",
        lambda: locale.setlocale(locale.LC_ALL),
        lambda v: locale.setlocale(locale.LC_ALL, v),
    ),
    _Part("the recursion limit", sys.getrecursionlimit, sys.setrecursionlimit),
    _Part("the precision of decimal numbers", _precision, _set_precision),
    _Part("the collection of garbage", gc.isenabled, lambda v: gc.enable() if v else gc.disable()),
    _Part("the level of logging", lambda: logging.root.manager.disable, logging.disable),
    _Part("the rights of new files", _umask, os.umask),
    _Part("a stream for messages", _streams, _set_streams),
    _Part("a handler of signals", _handlers, _set_handlers),
    _Part("the arithmetic of the processor", _arithmetic, _set_arithmetic),
    _Part("a limit of the process", _limits, _set_limits),
    _Part("the number of threads", _threads, _set_threads),
    _Part("the path of modules", lambda: [*sys.path], _leave),
)


class Neutral:
    """How things are before the first of several runs, and after each of them.

    `patches` gives what is known of the code of shared packages, where that is to be watched, too.
    """

    def __init__(self, patches: Callable[[], Patches] | None = None) -> None:
        self._patches = patches
        self._parts = [(part, part.read()) for part in PARTS]
        late = [sys.modules[name] for name in LATE if name in sys.modules]
        self._modules = [(module, dict(vars(module))) for module in (*WATCHED, *late)]

    @contextlib.contextmanager
    def put_back(self, algorithm: str = "") -> Iterator[None]:
        """Whatever is changed inside is put back at the end, with a warning that says what."""
        patches = self._patches() if self._patches and algorithm else None
        try:
            yield
        finally:  # code first, as the rest is done with it
            code = [n for module, before in self._modules for n in _mended(module, before)]
            code += patches.mended(algorithm) if patches else []
            for what, is_back in (*((n, True) for n in code), *self._reset()):
                end = "it was put back" if is_back else f"it stays so: {AFRESH}"
                _warn(f"{what} was changed, which others rely on; {end}", ChangedState)

    def _reset(self) -> Iterator[tuple[str, bool]]:
        """Put back all parts that were changed: which, and whether it succeeded."""
        for place, (part, before) in enumerate(self._parts):
            if part.read() != before:
                with contextlib.suppress(Exception):  # a folder that is gone, an unknown locale
                    part.put(before)
                now = part.read()
                self._parts[place] = (part, now)  # what stays so is told once
                yield part.name, now == before


def _warn(text: str, category: type[Warning]) -> None:
    """Warn, also where the run has turned warnings off or into errors."""
    warnings.simplefilter("always")
    warnings.warn(text, category, stacklevel=1)


def _mended(module: ModuleType, before: dict[str, Any]) -> Iterator[str]:
    """Put back what somebody has replaced in a module; new names are loaded parts of it."""
    now = vars(module)
    if _same(now, before):
        return
    for name, value in before.items():
        if now.get(name) is not value:
            setattr(module, name, value)
            yield f"{module.__name__}.{name}"
    before.update(now)


def _same(now: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    try:  # lists compare by identity first, and without looking anything up
        return list(now.values()) == list(before.values())
    except Exception:  # arrays do not compare as wholes
        return False


_streams_of_prints: list[TextIO] = []


def nowhere() -> TextIO:
    """Where prints go; an algorithm may have closed it."""
    if not _streams_of_prints or _streams_of_prints[-1].closed:
        opened = open(os.devnull, "w", encoding="utf-8", errors="replace")  # noqa: SIM115
        atexit.register(opened.close)
        _streams_of_prints.append(opened)
    return _streams_of_prints[-1]


@functools.lru_cache(maxsize=1000)
def changes_nothing(algorithm: Algorithm) -> bool:
    """Whether an algorithm is code of known packages alone, which leaves a process as it was.

    To look after each of its runs would take longer than all else that is done around a run.
    """
    recipe = algorithm.recipe
    return not callable(algorithm.output) and hasattr(recipe, "fit") and _is_known(recipe)


def _is_known(part: Any) -> bool:
    """Whether a parameter has no code in it but that of estimators of known packages."""
    if type(part) in PLAIN:
        return True
    if type(part) in (list, tuple):
        return all(map(_is_known, part))
    homes = {base.__module__.partition(".")[0] for base in type(part).__mro__}
    return homes <= OWN and hasattr(type(part), "fit") and all(map(_is_known, vars(part).values()))


# -- what cannot be put back ----------------------------------------------------------------------


@contextlib.contextmanager
def watched(algorithm: Algorithm) -> Iterator[None]:
    """Warn of what an algorithm leaves in its own modules and classes."""
    places = _places(algorithm)
    before = [_content(place) for _, place in places]
    try:
        yield
    finally:
        for (name, place), was in zip(places, before, strict=True):
            now = _content(place)
            if left := sorted(k for k in now | was if now.get(k) != was.get(k)):
                text = f"{name} keeps {', '.join(left[:3])} between runs, so that scores may depend"
                text += f" on what ran before: {AFRESH}"
                _warn(text, KeptState)


@functools.lru_cache(maxsize=1000)
def _places(algorithm: Algorithm) -> list[tuple[str, Mapping[str, Any]]]:
    """The classes and modules, of no package that is known, that the algorithm's code lives in."""
    found: dict[int, tuple[str, Mapping[str, Any]]] = {}
    for kind in _kinds(algorithm.recipe):
        for base in kind.__mro__:
            if base.__module__.partition(".")[0] in OWN:
                continue
            found[id(base)] = (f"the class {base.__name__}", vars(base))
            for function in vars(base).values():
                if isinstance(function, FunctionType):
                    home = function.__globals__
                    found[id(home)] = (f"the module {base.__module__}", home)
    return list(found.values())


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
