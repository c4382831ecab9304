"""Algorithms: a name and a fresh estimator, anything with fit and predict."""

from __future__ import annotations

import copy
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from podium.design.datasets import check_name
from podium.design.identity import description, fingerprint
from podium.design.preprocessing import pipeline
from podium.errors import DesignError
from podium.registry import did_you_mean

TRUSTED = ("sklearn", "podium")  # packages whose estimators a study file may always name


@dataclass(frozen=True, eq=False, repr=False)
class Algorithm:
    """A name and a recipe for a fresh estimator.

    `recipe` is an estimator, which is cloned for every run, or a factory, which is called with
    `parameters`. `estimator_path` is set where a study file could name it.
    """

    name: str
    recipe: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)
    preprocess: bool = False
    estimator_path: str = ""

    @cached_property
    def definition(self) -> dict[str, Any]:
        """What the algorithm is, as plain values: it changes iff the algorithm does."""
        where = f"Algorithm '{self.name}'"
        return {
            "recipe": description(self.recipe, where),
            "parameters": description(self.parameters, where),
            "preprocess": self.preprocess,
        }

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the definition; the name is no part of it."""
        return fingerprint(repr(self.definition))

    @cached_property
    def kind(self) -> str:
        """'classification', 'regression' or '' where the estimator does not say."""
        from sklearn.base import is_classifier, is_regressor

        made = self.estimator()
        try:
            if is_classifier(made):
                return "classification"
            return "regression" if is_regressor(made) else ""
        except Exception:  # a foreign estimator without scikit-learn's tags
            return ""

    def estimator(self, random_state: int | None = None) -> Any:
        """A fresh estimator; whatever randomness it leaves open gets `random_state`."""
        if self._is_estimator:
            made = _cloned(self._template)
            return made if random_state is None else _seeded(made, random_state, self._open)
        # a factory may hand out parts that it keeps: only a clone is surely fresh
        made = _cloned(self.recipe(**self.parameters))
        made = pipeline(made) if self.preprocess else made
        return made if random_state is None else _seeded(made, random_state, _open_states(made))

    @cached_property
    def _template(self) -> Any:
        return pipeline(self.recipe) if self.preprocess else self.recipe

    @cached_property
    def _open(self) -> list[str]:
        return _open_states(self._template)

    @cached_property
    def _is_estimator(self) -> bool:
        return hasattr(self.recipe, "fit") and not inspect.isclass(self.recipe)

    def __repr__(self) -> str:
        return f"<Algorithm {self.name}: {self.estimator()!r}>"


def algorithm(
    name: str, recipe: Any = None, *, preprocess: bool = False, **parameters: Any
) -> Algorithm:
    """An algorithm from an estimator, a class, a factory or a dotted path, with parameters.

    >>> from sklearn.svm import SVC
    >>> algorithm("svm", SVC, C=10).estimator()
    SVC(C=10)
    """
    check_name("algorithm", name)
    path = recipe if isinstance(recipe, str) else ""
    if path:
        recipe = resolve(path, (*TRUSTED, path.partition(".")[0]), f"Algorithm '{name}'")
    if inspect.isclass(recipe) and hasattr(recipe, "get_params"):
        recipe, parameters = _called(recipe, parameters, f"Algorithm '{name}'"), {}
    if hasattr(recipe, "fit") and not inspect.isclass(recipe):
        if parameters:
            recipe, parameters = _with(recipe, parameters, f"Algorithm '{name}'"), {}
    elif not callable(recipe):
        raise DesignError(
            f"Algorithm '{name}': {recipe!r} is neither an estimator nor a factory of estimators."
        )
    made = Algorithm(name, recipe, parameters, preprocess, path)
    _check(made)
    return made


def resolve(path: str, trusted: Sequence[str], what: str) -> Callable[..., Any]:
    """The estimator class that a dotted path names, from trusted packages only."""
    module_name, dot, class_name = path.rpartition(".")
    package = path.partition(".")[0]
    if not dot or not all(part.isidentifier() for part in path.split(".")):
        raise DesignError(f"{what}: '{path}' is no dotted path such as 'sklearn.svm.SVC'.")
    if package not in trusted:
        raise DesignError(
            f"{what}: the package '{package}' is not trusted, so '{path}' is not imported. "
            f'If you trust it, write trust = ["{package}"] into the study.'
        )
    try:
        module = importlib.import_module(module_name)
    except ImportError:
        raise DesignError(
            f"{what}: there is no module '{module_name}'."
            f"{did_you_mean(path, _public_paths(package))}"
        ) from None
    found = getattr(module, class_name, None)
    if found is None:
        raise DesignError(
            f"{what}: the module '{module_name}' has no '{class_name}'."
            f"{did_you_mean(class_name, dir(module))}"
        )
    home = str(getattr(found, "__module__", "")).partition(".")[0]
    if not inspect.isclass(found) or home not in trusted:  # e.g. a function, or a re-exported os
        raise DesignError(f"{what}: '{path}' is not an estimator class of '{package}'.")
    return found


def built(value: Any, trusted: Sequence[str], what: str) -> Any:
    """A parameter from a study file; a table with an `estimator` becomes that estimator."""
    if isinstance(value, list):
        return [built(v, trusted, what) for v in value]
    if not isinstance(value, dict):
        return value
    if "estimator" not in value or not isinstance(value["estimator"], str):
        return {k: built(v, trusted, what) for k, v in value.items()}
    odd = set(value) - {"estimator", "parameters"}
    if odd:
        raise DesignError(f"{what}: an inner estimator has no key '{min(odd)}', only parameters.")
    parameters = built(value.get("parameters", {}), trusted, what)
    return _called(resolve(value["estimator"], trusted, what), parameters, what)


def named_algorithm(
    name: str,
    path: str,
    parameters: Mapping[str, Any],
    *,
    preprocess: bool = False,
    trust: Sequence[str] = (),
) -> Algorithm:
    """An algorithm as a study file describes it: a trusted path and plain parameters."""
    check_name("algorithm", name)
    what = f"Algorithm '{name}'"
    trusted = (*TRUSTED, *trust)
    recipe = resolve(path, trusted, what)
    estimator = _called(recipe, built(dict(parameters), trusted, what), what)
    made = Algorithm(name, estimator, {}, preprocess, path)
    _check(made)
    return made


def _called(recipe: Callable[..., Any], parameters: Mapping[str, Any], what: str) -> Any:
    try:
        made = recipe(**parameters)
    except TypeError as error:
        known = list(inspect.signature(recipe).parameters)
        odd = next((p for p in parameters if p not in known), None)
        if odd is None:
            raise DesignError(f"{what}: {error}.") from None
        raise DesignError(
            f"{what}: {recipe.__name__} has no parameter '{odd}'.{did_you_mean(odd, known)}"
        ) from None
    except Exception as error:
        raise DesignError(f"{what}: {type(error).__name__}: {error}.") from None
    return made


def _check(algorithm: Algorithm) -> None:
    """Make one estimator now: what is wrong with an algorithm should show before any run."""
    what = f"Algorithm '{algorithm.name}'"
    if algorithm._is_estimator:
        made = algorithm.recipe
    else:
        made = _called(algorithm.recipe, algorithm.parameters, what)
    for verb in ("fit", "predict"):
        if not callable(getattr(made, verb, None)):
            raise DesignError(f"{what}: a {type(made).__name__} has no method '{verb}'.")
    if hasattr(made, "_validate_params"):
        try:
            made._validate_params()
        except ValueError as error:
            raise DesignError(f"{what}: {error}") from None
    _ = algorithm.fingerprint  # says now which parameter cannot be compared between sessions


def _cloned(estimator: Any) -> Any:
    if hasattr(estimator, "get_params"):
        from sklearn.base import clone

        return clone(estimator)
    return copy.deepcopy(estimator)


def _with(estimator: Any, parameters: Mapping[str, Any], what: str) -> Any:
    try:
        return _cloned(estimator).set_params(**parameters)
    except (AttributeError, TypeError, ValueError) as error:
        raise DesignError(f"{what}: {error}") from None


def _open_states(estimator: Any) -> list[str]:
    """The names of every `random_state`, also of inner estimators, that is not yet set."""
    if not hasattr(estimator, "get_params"):
        return ["random_state"] if getattr(estimator, "random_state", "none") is None else []
    return sorted(
        k
        for k, v in estimator.get_params(deep=True).items()
        if v is None and (k == "random_state" or k.endswith("__random_state"))
    )


def _seeded(estimator: Any, random_state: int, names: list[str]) -> Any:
    if not names:
        return estimator
    states = np.random.SeedSequence(random_state).generate_state(len(names)) % 2**31
    values = {k: int(s) for k, s in zip(names, states, strict=True)}
    if hasattr(estimator, "set_params"):
        return estimator.set_params(**values)
    estimator.random_state = values["random_state"]
    return estimator


def _public_paths(package: str) -> list[str]:
    """The dotted paths of scikit-learn's estimators, for suggestions."""
    if package != "sklearn":
        return []
    from sklearn.utils import all_estimators

    return [f"{c.__module__.rpartition('._')[0]}.{c.__name__}" for _, c in all_estimators()]
