"""Algorithms: a name and a fresh estimator, anything with fit and predict or another output."""

from __future__ import annotations

import copy
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from podium.core.base import options as checks
from podium.core.base.errors import RUN, DesignError, require
from podium.core.base.registry import did_you_mean
from podium.core.results.weights import ROWS
from podium.core.words import saying
from podium.running.design.data.identity import description, fingerprint
from podium.running.design.learners.own_code import own_code
from podium.running.design.learners.preprocessing import PREPROCESSINGS, has_method, pipeline
from podium.running.design.measuring.outputs import (
    OUTPUTS,
    PREDICTED,
    Given,
    check_output,
    kinds_given,
)

# -- fresh estimators -----------------------------------------------------------------------------
# Clones whose open random states are set.


PLAIN = {type(None), bool, int, float, str}  # nobody can change these in place


@dataclass(frozen=True)
class Maker:
    """Gives fresh estimators like its template, with the random states that it leaves open set."""

    template: Any
    names: list[str]
    plain: dict[str, Any] | None

    def __call__(self, random_state: int | None) -> Any:
        """A fresh estimator."""
        values = {} if random_state is None else states(random_state, self.names)
        if self.plain is None:
            return seeded(cloned(self.template), values)
        return type(self.template)(**(self.plain | values))


def maker(template: Any) -> Maker:
    """What gives fresh estimators like this one."""
    return Maker(template, open_states(template), plain_parameters(template))


def plain_parameters(estimator: Any) -> dict[str, Any] | None:
    """The parameters of an estimator that is these numbers and texts, and nothing besides.

    Its class called with them is its clone if the constructor keeps what it is given. That is
    looked at here, once; a clone looks at it for every run, which takes as long as a short fit.
    """
    kind = type(estimator)
    if not hasattr(kind, "__sklearn_clone__"):
        return None
    from sklearn.base import BaseEstimator

    for method in ("__sklearn_clone__", "get_params", "set_params"):
        if getattr(kind, method, None) is not getattr(BaseEstimator, method):
            return None
    result = vars(estimator)
    if not all(type(v) in PLAIN for v in result.values()):
        return None
    made = cloned(estimator)
    return estimator.get_params() if type(made) is kind and vars(made) == result else None


def cloned(estimator: Any) -> Any:
    """A copy that has learned nothing."""
    if hasattr(estimator, "get_params"):
        from sklearn.base import clone

        return clone(estimator)
    return copy.deepcopy(estimator)


def parameters_of(estimator: Any, ending: str = "") -> dict[str, Any]:
    """The parameters, also of inner estimators, whose names end like this."""
    if not hasattr(estimator, "get_params"):
        return {}
    parameters = estimator.get_params(deep=True)
    return {k: v for k, v in parameters.items() if k.endswith(ending)}


def open_states(estimator: Any) -> list[str]:
    """The names of every `random_state`, also of inner estimators, that is not yet set."""
    if not hasattr(estimator, "get_params"):
        return ["random_state"] if getattr(estimator, "random_state", "none") is None else []
    result = parameters_of(estimator, "random_state")
    return sorted(
        k for k, v in result.items() if v is None and k.rpartition("__")[2] == "random_state"
    )


def states(random_state: int, names: list[str]) -> dict[str, int]:
    """A number for each random state that is left open."""
    if not names:
        return {}
    numbers = np.random.SeedSequence(random_state).generate_state(len(names)) % 2**31
    return {k: int(s) for k, s in zip(names, numbers, strict=True)}


def seeded(estimator: Any, values: Mapping[str, int]) -> Any:
    """The estimator with its random states set."""
    if not values:
        return estimator
    if hasattr(estimator, "set_params"):
        return estimator.set_params(**values)
    estimator.random_state = values["random_state"]
    return estimator


# -- algorithms -----------------------------------------------------------------------------------


TRUSTED = ("sklearn", "podium")  # packages whose estimators a study file may always name
RUN_BY_IMPORT = ("tests", "conftest")  # that no estimator lives in, as in `__main__`


@dataclass(frozen=True, eq=False, repr=False)
class Algorithm:
    """A name and a recipe for a fresh estimator.

    `recipe` is an estimator, which is cloned for every run, or a factory, which is called with
    `parameters`. `estimator_path` is set where a study file could name it. `output` is what it
    gives: the name of a method, or a function of the fitted estimator and rows.
    """

    name: str
    recipe: Any
    parameters: Mapping[str, Any] = field(default_factory=dict)
    preprocess: bool | str = False  # True, or the name of a preprocessing
    estimator_path: str = ""
    output: Given = PREDICTED
    uncoded: bool = False  # defined without its code, as in stores of earlier versions
    # of weights it learns by rows drawn in proportion to them, as others of its study must
    by_rows: bool = False

    @cached_property
    def code(self) -> dict[str, str]:
        """The user's own files that it needs, and packages, each with a digest or version."""
        return own_code(self.recipe, self.parameters, self.output)

    @cached_property
    def definition(self) -> dict[str, Any]:
        """What the algorithm is, as plain values: it changes iff the algorithm does."""
        where = f"Algorithm '{self.name}'"
        plain = self.output == PREDICTED  # as every algorithm was before it could say otherwise
        return {
            "recipe": description(self.recipe, where),
            "parameters": description(self.parameters, where),
            "preprocess": self.preprocess,
            **({} if plain else {"output": description(self.output, where)}),
            **({"code": self.code} if self.code and not self.uncoded else {}),
            **({"weights": ROWS} if self.by_rows else {}),
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

    def lacks(self, outputs: Sequence[str], task: str) -> bool:
        """Whether it surely gives none of these, neither by a method nor by a function."""
        if set(outputs) & set(kinds_given(self.output, task)):
            return False
        return _lacks(self.estimator(), outputs)

    def estimator(self, random_state: int | None = None) -> Any:
        """A fresh estimator; whatever randomness it leaves open gets `random_state`."""
        if self._is_estimator:
            return self._make(random_state)
        # a factory may hand out parts that it keeps: only a clone is surely fresh
        made = cloned(self.recipe(**self.parameters))
        made = pipeline(made, self.preprocess) if self.preprocess else made
        if random_state is None:
            return made
        return seeded(made, states(random_state, open_states(made)))

    @cached_property
    def _make(self) -> Maker:
        return maker(pipeline(self.recipe, self.preprocess) if self.preprocess else self.recipe)

    @cached_property
    def _is_estimator(self) -> bool:
        return hasattr(self.recipe, "fit") and not inspect.isclass(self.recipe)

    def __repr__(self) -> str:
        return f"<Algorithm {self.name}: {self.estimator()!r}>"

    def _repr_html_(self) -> str:
        return saying.html([repr(self)[1:-1]], {}, ())


def algorithm(
    name: str,
    recipe: Any = None,
    *,
    preprocess: bool | str = False,
    output: Given = PREDICTED,
    **parameters: Any,
) -> Algorithm:
    """An algorithm from an estimator, a class, a factory or a dotted path, with parameters.

    Parameters
    ----------
    name : str
        How results call it.
    recipe : an estimator, a class, a function that makes an estimator, a dotted path or a family
        Without one, the family of this name.
    preprocess : bool or str
        Encode nominal attributes, fill in missing values and scale, inside the training data.
        `eugster2008` takes numbers as they are and levels as whole numbers, as that paper does.
    output : str, or a function of the fitted estimator and rows
        What it gives: predict, predict_proba, decision_function, score_samples or
        predict_survival_function. Measures read every output that the estimator has; this one it
        must have, and it goes first where several would do.
    **parameters
        Of the estimator.

    Returns
    -------
    Algorithm

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> algorithm("svm", SVC, C=10).estimator()
    SVC(C=10)
    """
    checks.name("algorithm", name)
    check_preprocessing(f"Algorithm '{name}'", preprocess)
    check_output(f"Algorithm '{name}'", output)
    path = recipe if isinstance(recipe, str) else ""
    if path:
        trusted = (*TRUSTED, path.partition(".")[0])
        recipe = resolve(path, trusted, f"Algorithm '{name}'", required(output))
    if inspect.isclass(recipe) and hasattr(recipe, "get_params"):
        recipe, parameters = _called(recipe, parameters, f"Algorithm '{name}'"), {}
    if hasattr(recipe, "fit") and not inspect.isclass(recipe):
        if parameters:
            recipe, parameters = _with(recipe, parameters, f"Algorithm '{name}'"), {}
    elif not callable(recipe):
        raise DesignError(
            f"Algorithm '{name}': {recipe!r} is neither an estimator nor a factory of estimators."
        )
    made = Algorithm(name, recipe, parameters, preprocess, path, output)
    _check(made)
    return made


def check_preprocessing(what: str, preprocess: bool | str) -> None:
    """Refuse a name that no preprocessing has."""
    if isinstance(preprocess, str) and preprocess not in PREPROCESSINGS:
        known = ", ".join(PREPROCESSINGS)
        raise DesignError(
            f"{what}: '{preprocess}' is no preprocessing. Use true, false or one of: {known}.",
            ("preprocess",),
        )


def required(output: Given) -> tuple[str, ...]:
    """The methods that an estimator with this output must have."""
    return ("fit", output) if isinstance(output, str) else ("fit",)


def resolve(
    path: str, trusted: Sequence[str], what: str, verbs: Sequence[str] = ("fit", "predict")
) -> Callable[..., Any]:
    """The class with these methods that a family's name or a dotted path names.

    Paths lead into trusted packages only.
    """
    require("sklearn", extra=RUN)
    from podium.running.design.families import FAMILIES  # loads all of scikit-learn's estimators

    if path in FAMILIES:
        return FAMILIES[path]
    package = path.partition(".")[0]
    module_name, dot, class_name = path.rpartition(".")
    if not dot or not all(part.isidentifier() for part in path.split(".")):
        raise DesignError(
            f"{what}: '{path}' is neither a dotted path such as 'sklearn.svm.SVC' nor a family: "
            f"{', '.join(FAMILIES)}.{did_you_mean(path, FAMILIES)}"
        )
    if package not in trusted:
        raise DesignError(
            f"{what}: the package '{package}' is not trusted, so '{path}' is not imported. "
            f"If you trust it, add --trust {package} (from Python: trust=['{package}'])."
        )
    if any(part in RUN_BY_IMPORT or part.startswith("__") for part in path.split(".")):
        raise DesignError(f"{what}: '{path}' is not an estimator class of '{package}'.")
    module = _imported(module_name, path, what)
    try:
        loaded = getattr(module, class_name)
    except (AttributeError, ImportError):  # modules with a __getattr__ raise either
        raise DesignError(
            f"{what}: the module '{module_name}' has no '{class_name}'."
            f"{did_you_mean(path, _public_paths(package) or _paths_in(module))}"
        ) from None
    home = str(getattr(loaded, "__module__", "")).partition(".")[0]
    if not inspect.isclass(loaded) or home not in trusted:  # e.g. a function, or a re-exported os
        raise DesignError(f"{what}: '{path}' is not an estimator class of '{package}'.")
    for verb in verbs:  # before it is called: a class that is no estimator may do anything
        if not callable(getattr(loaded, verb, None)):
            raise DesignError(
                f"{what}: '{path}' is no estimator, as it has no method '{verb}'."
                f"{_other_output(loaded, verb)}"
            )
    return loaded


def _imported(name: str, path: str, what: str) -> Any:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # a module may raise anything while it is imported
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and f"{name}.".startswith(f"{missing}."):
            guess = did_you_mean(path, _public_paths(path.partition(".")[0]))
            if Path(f"{missing}.py").is_file() or Path(missing).is_dir():
                guess = (
                    " It lies in this folder, in which Python does not look: install it, or set "
                    "PYTHONPATH=. before the command."
                )
            raise DesignError(f"{what}: there is no module '{missing}'.{guess}") from None
        raise DesignError(
            f"{what}: the module '{name}' cannot be imported: {_one_line(error)}"
        ) from None


def _built(value: Any, trusted: Sequence[str], what: str) -> Any:
    """A parameter from a study file; a table with an `estimator` becomes that estimator."""
    if isinstance(value, list):
        return [_built(v, trusted, what) for v in value]
    if not isinstance(value, dict):
        return value
    path, parameters = value.get("estimator"), value.get("parameters", {})
    if not isinstance(path, str):
        return {k: _built(v, trusted, what) for k, v in value.items()}
    odd = set(value) - {"estimator", "parameters"}
    if odd:
        raise DesignError(f"{what}: an inner estimator has no key '{min(odd)}', only parameters.")
    if not isinstance(parameters, dict):
        raise DesignError(f"{what}: 'parameters' must be a table, not {parameters!r}.")
    recipe = resolve(path, trusted, what, verbs=())
    if not any(hasattr(recipe, verb) for verb in ("fit", "get_params", "split")):
        raise DesignError(f"{what}: '{path}' is neither an estimator nor a kernel nor a splitter.")
    return _made(recipe, parameters, trusted, what)


def _made(
    recipe: Callable[..., Any], parameters: Mapping[str, Any], trusted: Sequence[str], what: str
) -> Any:
    checks.no_paths(dict(parameters), what)
    inner = {k: _built(v, trusted, what) for k, v in parameters.items()}
    return _called(recipe, inner, what)


def named_algorithm(
    name: str,
    path: str,
    parameters: Mapping[str, Any],
    *,
    preprocess: bool | str = False,
    output: str = PREDICTED,
    trust: Sequence[str] = (),
) -> Algorithm:
    """An algorithm as a study file describes it: a trusted path and plain parameters."""
    checks.name("algorithm", name)
    what = f"Algorithm '{name}'"
    check_preprocessing(what, preprocess)
    check_output(what, output)
    trusted = (*TRUSTED, *trust)
    recipe = resolve(path, trusted, what, required(output))
    estimator = _made(recipe, parameters, trusted, what)
    made = Algorithm(name, estimator, {}, preprocess, path, output)
    _check(made)
    return made


def _called(recipe: Callable[..., Any], parameters: Mapping[str, Any], what: str) -> Any:
    try:
        return recipe(**parameters)
    except (Exception, SystemExit) as error:
        known = _known_parameters(recipe)
        odd = next((p for p in parameters if p not in known), None)
        if isinstance(error, TypeError) and known and odd is not None:
            name = getattr(recipe, "__name__", type(recipe).__name__)
            raise DesignError(
                f"{what}: {name} has no parameter '{odd}'.{did_you_mean(odd, known)}", (odd,)
            ) from None
        raise DesignError(f"{what}: {_one_line(error)}", _blamed(error, parameters)) from None


def _blamed(error: BaseException, parameters: Iterable[str]) -> tuple[str, ...]:
    """The parameter that an estimator's own message speaks of: scikit-learn quotes its name."""
    return tuple([p for p in parameters if f"'{p}'" in str(error)][:1])


def _known_parameters(recipe: Callable[..., Any]) -> list[str]:
    """The names of a callable's parameters; none where it takes any, or does not tell."""
    try:
        known = inspect.signature(recipe).parameters.values()
    except (TypeError, ValueError):  # compiled
        return []
    return [] if any(p.kind is p.VAR_KEYWORD for p in known) else [p.name for p in known]


def _one_line(error: BaseException) -> str:
    """An exception as one sentence."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if text.endswith(".") else f"{text}."


def _check(algorithm: Algorithm) -> None:
    """Make one estimator now: what is wrong with an algorithm should show before any run."""
    require("sklearn", extra=RUN)
    what = f"Algorithm '{algorithm.name}'"
    recipe = algorithm.recipe
    if not algorithm._is_estimator:
        recipe = _called(recipe, algorithm.parameters, what)
    try:
        absent = next((v for v in required(algorithm.output) if _lacks(recipe, [v])), None)
        for part in [recipe, *parameters_of(recipe).values()]:
            if hasattr(part, "_parameter_constraints") and not inspect.isclass(part):
                part._validate_params()  # scikit-learn's own check, which fit would do too late
    except Exception as error:  # a wrong parameter, or a pipeline that cannot list its parts
        blamed = _blamed(error, _known_parameters(type(recipe)))
        raise DesignError(f"{what}: {_one_line(error)}", blamed) from None
    if absent:
        raise DesignError(
            f"{what}: a {type(recipe).__name__} has no method '{absent}'."
            f"{_other_output(recipe, absent)}"
        )
    _ = algorithm.fingerprint  # says now which parameter cannot be compared between sessions


def _other_output(estimator: Any, absent: str) -> str:
    """What may be said of an estimator that gives something else than asked for."""
    others = [k for k in OUTPUTS if callable(getattr(estimator, k, None))]
    if absent == "fit" or not (others or hasattr(estimator, "fit_predict")):
        return ""
    if others:
        return f" Say what it gives: output = '{others[0]}'."
    return (
        " It labels only the rows that it learns from, while left-out rows are measured: give a "
        "function of the fitted estimator and the rows as its output."
    )


def _lacks(estimator: Any, methods: Sequence[str]) -> bool:
    """Whether an estimator will have none of these methods even when it is fitted."""
    if any(has_method(estimator, m) for m in methods):
        return False
    if hasattr(type(estimator), "__getattr__"):
        return False  # it may hand on what it does not have
    # an inner estimator that is left open, such as stacking's last one, is chosen by fit
    return all(part is not None for part in parameters_of(estimator, "estimator").values())


def _with(estimator: Any, parameters: Mapping[str, Any], what: str) -> Any:
    try:  # some packages' estimators take parameters that they do not list
        return cloned(estimator).set_params(**parameters)
    except (AttributeError, TypeError, ValueError):
        known = parameters_of(estimator)
        odd = next((p for p in parameters if p not in known), "")
        raise DesignError(
            f"{what}: a {type(estimator).__name__} has no parameter '{odd}'."
            f"{did_you_mean(odd, known)}"
        ) from None


def _public_paths(package: str) -> list[str]:
    """The dotted paths of scikit-learn's estimators, for suggestions."""
    if package != "sklearn":
        return []
    from sklearn.utils import all_estimators

    return [f"{c.__module__.partition('._')[0]}.{c.__name__}" for _, c in all_estimators()]


def _paths_in(module: Any) -> list[str]:
    return [f"{module.__name__}.{name}" for name in dir(module)]


# -- spent ----------------------------------------------------------------------------------------
# How many fits an algorithm spent on one sample: by counting what its tuning tried.
#
# A search counts every candidate on every inner fold and the last fit to all rows; a family of
# Podium's counts the candidates that it judged on folds. Trees of a forest are parts of one fit.


WRAPPED = ("regressor_", "estimator_", "final_estimator_")  # where wrappers keep what they fitted


def fits_spent(fitted: Any) -> int:
    """The number of fits behind a fitted estimator, 1 where nothing was tuned."""
    own = _tuned(fitted)
    if own is not None:
        return own
    parts = [part for _, part in getattr(fitted, "steps", []) if hasattr(part, "fit")]
    parts += [getattr(fitted, name) for name in WRAPPED if hasattr(fitted, name)]
    return 1 + sum(fits_spent(part) - 1 for part in parts if part is not fitted)


def _tuned(fitted: Any) -> int | None:
    """What the search of an estimator counted; None where it searches nothing."""
    if hasattr(fitted, "tuning_fits_"):
        return int(fitted.tuning_fits_)
    results = getattr(fitted, "cv_results_", None)
    if isinstance(results, dict) and "params" in results and hasattr(fitted, "n_splits_"):
        return len(results["params"]) * int(fitted.n_splits_) + bool(fitted.refit)
    if hasattr(fitted, "mse_path_"):  # paths of alphas: LassoCV, ElasticNetCV
        return int(np.size(fitted.mse_path_)) + 1
    return None
