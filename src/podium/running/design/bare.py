"""Data and estimators as users of scikit-learn have them, without the names that a study needs.

Arrays, frames and bunches become data sets; estimators get a name that says what they are and
does not depend on their company, so that a longer list runs only what is new.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from podium.core.base.errors import DesignError
from podium.running.design.data.datasets import Dataset, dataset
from podium.running.design.data.processes import Process
from podium.running.design.learners.algorithms import Algorithm, algorithm

ALONE = "data"  # what a single data set without a name is called
LONGEST = 60  # characters of a name


def datasets_of(given: Any, target: Any, groups: Any) -> tuple[Any, ...]:
    """Data sets from one or several, `(X, y)`, a bunch, a frame, or a mapping from names to these.

    `target` and `groups` are of what is no data set yet: names of columns, or values.
    """
    if isinstance(given, Mapping) and not _is_bunch(given):
        return tuple(_dataset(name, one, target, groups) for name, one in given.items())
    if isinstance(given, (Dataset, Process)) or _is_bare(given):
        return (_dataset(ALONE, given, target, groups),)
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise _refusal(given)
    return tuple(_name(one, target, groups) for one in given)


def _name(one: Any, target: Any, groups: Any) -> Any:
    if _is_bare(one):
        raise DesignError(
            "Several data sets need names: give a mapping such as {'iris': (X, y), ...}, or what "
            "podium.dataset(name, X, y) makes."
        )
    return _dataset(ALONE, one, target, groups)


def _dataset(name: str, given: Any, target: Any, groups: Any) -> Any:
    if isinstance(given, (Dataset, Process)):
        if target is not None or groups is not None:
            text = "target" if target is not None else "groups"
            more = ", groups=..." * (text == "groups")
            raise DesignError(
                f"The data set '{given.name}' has been made: say its {text} there, as in "
                f"podium.dataset('{given.name}', X, y{more})."
            )
        return given
    if not _is_bare(given):
        raise _refusal(given)
    X, y = _parts(given, target)
    if y is None:
        raise DesignError(
            f"Data set '{name}' has no target: say which column it is, as in target='class', or "
            "give (X, y)."
        )
    return dataset(name, X, y, groups=groups)


def _parts(given: Any, target: Any) -> tuple[Any, Any]:
    """Attributes and target."""
    if not (_is_bunch(given) or isinstance(given, tuple)):
        return given, target
    if target is not None:
        raise DesignError(
            f"A target is there already: leave target={target!r:.40} out, or give the frame alone."
        )
    return (given["data"], given["target"]) if _is_bunch(given) else given


def _is_bunch(given: Any) -> bool:
    return isinstance(given, Mapping) and {"data", "target"} <= set(given)


def _is_bare(given: Any) -> bool:
    pair = isinstance(given, tuple) and len(given) == 2
    pair = pair and not any(isinstance(one, (Dataset, Process, str)) for one in given)
    return pair or _is_bunch(given) or hasattr(given, "columns") or hasattr(given, "shape")


def _refusal(given: Any) -> DesignError:
    return DesignError(
        "A study takes what podium.dataset(name, X, y) makes, (X, y), or a frame with "
        f"target='column', not {given!r:.80}."
    )


# -- estimators ------------------------------------------------------------------------------------


def algorithms_of(given: Any) -> tuple[Algorithm, ...]:
    """Algorithms from one estimator or several, pairs of name and estimator, or a mapping."""
    if isinstance(given, Mapping):
        return tuple(_algorithm((name, one)) for name, one in given.items())
    if _is_one(given) or not isinstance(given, Iterable):
        return (_algorithm(given),)
    every = list(given)
    algorithms = tuple(_algorithm(one) for one in every)
    _check_told_apart(algorithms, every)
    return algorithms


def _algorithm(given: Any) -> Algorithm:
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        name, made = given
        return made if isinstance(made, Algorithm) else algorithm(name, made)
    if isinstance(given, Algorithm):
        return given
    if not _is_one(given):
        raise DesignError(
            "A study takes estimators, pairs of a name and an estimator, or what "
            f"podium.algorithm(name, estimator) makes, not {given!r:.80}."
        )
    return algorithm(_title(given), given)


def _is_one(given: Any) -> bool:
    return isinstance(given, (Algorithm, str)) or hasattr(given, "fit")


def _check_told_apart(algorithms: Sequence[Algorithm], given: Sequence[Any]) -> None:
    """Refuse two estimators without names of their own that come out as one."""
    seen: set[str] = set()
    for one, what in zip(algorithms, given, strict=True):
        if one.name in seen and hasattr(what, "fit"):
            raise DesignError(
                f"Two estimators of the list would be called '{one.name}': give them names, as in "
                "{'first': ..., 'second': ...}."
            )
        seen.add(one.name)


def _title(estimator: Any) -> str:
    """The class with the parameters that were changed; of a pipeline its steps.

    >>> from sklearn.svm import SVC
    >>> _title(SVC()), _title(SVC(C=10, kernel="linear"))
    ('SVC', 'SVC(C=10, kernel=linear)')
    """
    if isinstance(estimator, str):
        return estimator.rpartition(".")[2]
    if hasattr(estimator, "steps"):
        return " + ".join(_title(step) for _, step in estimator.steps)
    if inspect.isclass(estimator):
        return estimator.__name__
    name = type(estimator).__name__
    changed = ", ".join(f"{k}={_value(v)}" for k, v in _changed(estimator).items())
    return f"{name}({changed})" if changed and len(changed) <= LONGEST else name


def _changed(estimator: Any) -> dict[str, Any]:
    """The parameters that are not those of a fresh estimator."""
    if not hasattr(estimator, "get_params"):
        return {}
    usual = {n: p.default for n, p in inspect.signature(type(estimator)).parameters.items()}
    given = estimator.get_params(deep=False)
    return {k: v for k, v in given.items() if repr(v) != repr(usual.get(k))}


def _value(value: Any) -> str:
    return _title(value) if hasattr(value, "fit") else str(value)
