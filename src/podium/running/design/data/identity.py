"""Identity by content: fingerprints of data and code, and the random streams that follow from them.

Two runs are the same iff their fingerprints are; a stream depends on the study's seed and on what
it is for, never on the order of execution.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import re
from collections.abc import Mapping
from types import CodeType
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import DesignError

# -- where code stood when keys were first made: files may move, keys of stored runs may not -------


PACKAGES: dict[str, str] = {}  # others of ours: the package that keys name instead
STOOD = {  # module: as keys name it
    "podium.design.data.arff": "podium.design.arff",
    "podium.design.data.characteristics": "podium.design.characteristics",
    "podium.design.data.datasets": "podium.design.datasets",
    "podium.design.data.identity": "podium.design.identity",
    "podium.design.data.openml": "podium.design.openml",
    "podium.design.data.problems": "podium.design.problems",
    "podium.design.data.processes": "podium.design.processes",
    "podium.design.data.sources": "podium.design.sources",
    "podium.design.data.survival": "podium.design.survival",
    "podium.design.data.targets": "podium.design.targets",
    "podium.design.learners.algorithms": "podium.design.algorithms",
    "podium.design.learners.preprocessing": "podium.design.preprocessing",
    "podium.design.measuring.corrections": "podium.design.corrections",
    "podium.design.measuring.losses": "podium.design.losses",
    "podium.design.measuring.outputs": "podium.design.outputs",
    "podium.design.measuring.scoring": "podium.design.scoring",
    "podium.design.samples.drawers": "podium.design.drawers",
    "podium.design.samples.drawing": "podium.design.drawing",
    "podium.design.samples.generators": "podium.design.generators",
    "podium.design.samples.sampler": "podium.design.sampler",
}


def as_in_keys(module: str) -> str:
    """How keys of runs name a module: without the wing that it stands in."""
    module = re.sub(r"^podium\.(?:core|running)\.", "podium.", module)
    package, dot, rest = module.partition(".")
    return STOOD.get(module, f"{PACKAGES.get(package, package)}{dot}{rest}")


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def fingerprint(*parts: Any) -> str:
    """A hexadecimal digest, 32 characters long, of plain values, arrays and frames."""
    digest = hashlib.sha256()
    for part in parts:
        _feed(digest, part)
    return digest.hexdigest()[:32]


def stream(seed: int, *parts: Any) -> np.random.Generator:
    """The random numbers that belong to `seed` and to what `parts` name."""
    plain = [p.item() if isinstance(p, np.generic) else p for p in parts]
    digest = hashlib.sha256(repr((int(seed), *plain)).encode()).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


def description(value: Any, where: str = "value") -> Any:
    """A JSON-able account of a parameter that changes whenever the parameter means something else.

    Estimators are described by class and parameters, functions by their source, arrays by content.
    What a function reads from its module is not looked at.
    """
    try:
        return _described(value, where)
    except RecursionError:
        raise DesignError(
            f"{where} contains itself, so its content cannot be compared between sessions. "
            "Give it a get_params method, or define its functions at the top of a module."
        ) from None


def _described(value: Any, where: str) -> Any:
    if isinstance(value, np.generic):  # before float: np.float64 is one
        return _described(value.item(), where)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.ndarray) and value.dtype == object:
        return {"objects": _described(value.tolist(), where)}
    if isinstance(value, (np.ndarray, pd.DataFrame, pd.Series)):
        return {"data": fingerprint(value)}
    if isinstance(value, Mapping):
        return _mapping(value, where)
    if isinstance(value, (list, tuple)):
        return [_described(v, f"{where}[{i}]") for i, v in enumerate(value)]
    if isinstance(value, (set, frozenset)):
        return sorted((_described(v, where) for v in value), key=repr)
    if inspect.isclass(value) or inspect.isbuiltin(value) or isinstance(value, np.ufunc):
        return {"named": _qualified(value)}
    if inspect.isroutine(value):
        return _function(value, where)
    return _object(value, where)


def _mapping(value: Mapping[Any, Any], where: str) -> dict[str, Any]:
    """In the order of the keys; the keys 1 and '1' are two."""
    pairs = [(_described(k, where), _described(v, f"{where}.{k}")) for k, v in value.items()]
    pairs.sort(key=lambda pair: repr(pair[0]))
    return dict(pairs) if all(isinstance(k, str) for k in value) else {"pairs": pairs}


def _object(value: Any, where: str) -> Any:
    kind = _qualified(type(value))
    if hasattr(value, "get_params"):
        return {"class": kind, "parameters": _described(value.get_params(deep=False), where)}
    if isinstance(value, functools.partial):
        return {"partial": _described((value.func, value.args, value.keywords), where)}
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        raise DesignError(
            f"{where} is a random number generator, whose state changes with use. "
            "Leave it out: a run's random_state comes from the study's seed."
        )
    if hasattr(value, "__dict__"):
        return {"class": kind, "state": _described(vars(value), where)}
    text = repr(value)
    if _ADDRESS.search(text):
        raise DesignError(
            f"{where} is {text}, which has no content that can be compared between sessions. "
            "Give it a get_params method or plain attributes."
        )
    return {"class": kind, "repr": text}


def _function(value: Any, where: str) -> dict[str, Any]:
    """A function by its name, source, defaults and what it closes over."""
    inner = getattr(value, "__func__", value)
    if not hasattr(inner, "__code__"):  # functools.cache and its kin
        inner = inspect.unwrap(inner)
    code = getattr(inner, "__code__", None)
    cells = [c.cell_contents for c in getattr(inner, "__closure__", None) or ()]
    defaults = (getattr(inner, "__defaults__", None), getattr(inner, "__kwdefaults__", None))
    return {
        "function": _qualified(inner),
        "source": "" if code is None else fingerprint(_source(code)),
        "defaults": _described(defaults, where),
        "closure": [_described(c, where) for c in cells if c is not inner],
        "self": _described(value.__self__, where) if inspect.ismethod(value) else None,
    }


def _source(code: CodeType) -> Any:
    """The text of a function, or its bytecode where there is none.

    The text of a lambda is the line it begins on: less than all of it, or more than one.
    """
    if code.co_name != "<lambda>":
        try:
            return inspect.getsource(code)
        except OSError:  # made in an interactive session
            pass
    return _bytecode(code)


def _bytecode(code: CodeType) -> list[Any]:
    constants = [_bytecode(c) if inspect.iscode(c) else _described(c, "") for c in code.co_consts]
    return [code.co_code.hex(), code.co_names, constants]


def _qualified(value: Any) -> str:
    name = getattr(value, "__qualname__", getattr(value, "__name__", "?"))
    home = str(getattr(value, "__module__", ""))
    return f"{as_in_keys(home)}.{name}"


def _feed(digest: Any, value: Any) -> None:
    """Add a value to a digest, each with a mark of its type so that no two kinds collide."""
    if isinstance(value, np.ndarray):
        digest.update(f"<array {value.dtype.str} {value.shape}>".encode())
        if value.dtype == object:
            _feed(digest, value.ravel().tolist())
        else:
            digest.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, pd.DataFrame):
        digest.update(f"<frame {len(value)}>".encode())
        for name in value.columns:
            digest.update(f"<column {name!r}>".encode())
            _feed(digest, value[name])
    elif isinstance(value, pd.Series):
        if isinstance(value.dtype, pd.CategoricalDtype):
            _feed(digest, [str(c) for c in value.cat.categories])
            _feed(digest, value.cat.codes.to_numpy(np.int32))
        else:
            _feed(digest, value.to_numpy())
    elif isinstance(value, (list, tuple)):  # the repr of a long array in it would have a gap
        digest.update(f"<{type(value).__name__} {len(value)}>".encode())
        for v in value:
            _feed(digest, v)
    else:
        digest.update(f"<{type(value).__name__} {value!r}>".encode())
