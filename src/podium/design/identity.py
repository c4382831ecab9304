"""Identity by content: fingerprints of data and code, and the random streams that follow from them.

Two runs are the same iff their fingerprints are; a stream depends on the study's seed and on what
it is for, never on the order of execution.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import DesignError

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def fingerprint(*parts: Any) -> str:
    """A hexadecimal digest, 32 characters long, of plain values, arrays and frames."""
    digest = hashlib.sha256()
    for part in parts:
        _feed(digest, part)
    return digest.hexdigest()[:32]


def stream(seed: int, *parts: Any) -> np.random.Generator:
    """The random numbers that belong to `seed` and to what `parts` name."""
    digest = hashlib.sha256(repr((int(seed), *parts)).encode()).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


def description(value: Any, where: str = "value") -> Any:
    """A JSON-able account of a parameter that changes whenever the parameter means something else.

    Estimators are described by class and parameters, functions by their source, arrays by content.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and value.dtype != object:
        return {"array": fingerprint(value)}
    if isinstance(value, (pd.DataFrame, pd.Series)):
        return {"frame": fingerprint(value)}
    if isinstance(value, Mapping):
        return {str(k): description(v, f"{where}.{k}") for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [description(v, f"{where}[{i}]") for i, v in enumerate(value)]
    if isinstance(value, (set, frozenset)):
        return sorted((description(v, where) for v in value), key=repr)
    if inspect.isclass(value) or inspect.isbuiltin(value) or isinstance(value, np.ufunc):
        return {"named": _qualified(value)}
    if inspect.isroutine(value):
        return _function(value, where)
    return _object(value, where)


def _object(value: Any, where: str) -> Any:
    kind = _qualified(type(value))
    if hasattr(value, "get_params") and not inspect.isclass(value):
        parameters = value.get_params(deep=False)
        return {"class": kind, "parameters": description(parameters, where)}
    if hasattr(value, "func") and hasattr(value, "keywords"):  # functools.partial
        parts = (value.func, value.args, value.keywords)
        return {"partial": [description(p, where) for p in parts]}
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        raise DesignError(
            f"{where} is a random number generator, whose state changes with use. "
            "Leave it out: a run's random_state comes from the study's seed."
        )
    if hasattr(value, "__dict__"):
        return {"class": kind, "state": description(vars(value), where)}
    text = repr(value)
    if _ADDRESS.search(text):
        raise DesignError(
            f"{where} is {text}, which has no content that can be compared between sessions. "
            "Give it a get_params method or plain attributes."
        )
    return {"class": kind, "repr": text}


def _function(value: Any, where: str) -> dict[str, Any]:
    """A function by its name, source, defaults and what it closes over."""
    inner = inspect.unwrap(getattr(value, "__func__", value))
    try:
        source = inspect.getsource(inner)
    except (OSError, TypeError):  # made in an interactive session
        code = getattr(inner, "__code__", None)
        source = "" if code is None else repr((code.co_code.hex(), _plain_constants(code)))
    cells = [c.cell_contents for c in getattr(inner, "__closure__", None) or ()]
    return {
        "function": _qualified(inner),
        "source": hashlib.sha256(source.encode()).hexdigest()[:32],
        "defaults": description(getattr(inner, "__defaults__", None) or (), where),
        "closure": [description(c, where) for c in cells if c is not inner],
        "self": description(value.__self__, where) if inspect.ismethod(value) else None,
    }


def _plain_constants(code: Any) -> list[Any]:
    """A code object's constants; nested code by its own bytes, as its repr holds an address."""
    return [
        (c.co_code.hex(), _plain_constants(c)) if inspect.iscode(c) else c for c in code.co_consts
    ]


def _qualified(value: Any) -> str:
    name = getattr(value, "__qualname__", getattr(value, "__name__", "?"))
    return f"{getattr(value, '__module__', '')}.{name}"


def _feed(digest: Any, value: Any) -> None:
    """Add a value to a digest, each with a mark of its type so that no two kinds collide."""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            _feed(digest, [str(v) for v in value.ravel()])
            return
        digest.update(f"<array {value.dtype.str} {value.shape}>".encode())
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
    else:
        digest.update(f"<{type(value).__name__} {value!r}>".encode())
