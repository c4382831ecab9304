"""Options: one record each, the functions that take them, and what arguments are refused.

`OPTIONS` holds all that are shared. A verb takes some of them by `@takes(...)`, a command by
`podium.showing.terminal.options.shared(...)`; a set such as "testing" stands for all
options that are part of it, so that a new one is there wherever its set is taken.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from numbers import Integral, Real
from typing import Any, TypeVar

from podium.core.base.errors import DesignError, PodiumError
from podium.core.base.registry import did_you_mean

INPUT, QUESTION, TEST, OUTPUT = SECTIONS = ("Input", "Question", "Test", "Output")


@dataclass(frozen=True)
class Option:
    """What may be asked.

    Attributes
    ----------
    name : of the parameter in Python, and of the key in files.
    help : one line, with the default in brackets.
    kind : the annotation in Python.
    default : in Python; None where the design decides.
    check : raises an error that says what is wrong with a value.
    sets : what it is part of: reading, choosing, testing ...
    section : of the help of a command.
    rare : shown by `--help-all` alone.
    flags : on the command line [--name]; none where only Python has it.
    line : what `click.option` takes besides.
    in_plan : whether a study file may fix it, under `[analysis]`.
    """

    name: str
    help: str
    kind: str = "str | None"
    default: Any = None
    check: Callable[[Any], None] | None = None
    sets: tuple[str, ...] = ()
    section: str = ""
    rare: bool = False
    flags: tuple[str, ...] | None = None
    line: Mapping[str, Any] = field(default_factory=dict)
    in_plan: bool = False

    @property
    def on_line(self) -> tuple[str, ...]:
        """How the command line writes it."""
        return (f"--{self.name.replace('_', '-')}",) if self.flags is None else self.flags


OPTIONS: dict[str, Option] = {}


def declare(*options: Option) -> None:
    """Add options; a name is declared once."""
    for option in options:
        if option.name in OPTIONS:
            raise ValueError(f"The option '{option.name}' is declared twice.")
        OPTIONS[option.name] = option


def part_of(*sets: str) -> tuple[str, ...]:
    """The names of the options of these sets, as they were declared."""
    return tuple(name for name, option in OPTIONS.items() if {*sets} & {*option.sets})


def chosen(names: Iterable[str]) -> tuple[Option, ...]:
    """The options of these names, or of these sets."""
    every = [one for name in names for one in ([name] if name in OPTIONS else part_of(name))]
    return tuple(OPTIONS[name] for name in dict.fromkeys(every))


# -- functions that take declared options ---------------------------------------------------------
# Signature, checks and help follow from the records.


R = TypeVar("R")
RETURNS = "\nReturns\n-------"  # options stand before it


def takes(
    *names: str, only_given: bool = False, but: Mapping[str, Any] | None = None
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Let a function with `**options` take these options, or sets of them, by keyword.

    The function is called with all of them, at their defaults where they are left out or None; with
    those that were given, where it asks for `only_given`. `but` has other defaults.
    """

    def decorated(verb: Callable[..., R]) -> Callable[..., R]:
        options = {option.name: option for option in chosen(names)}
        own = inspect.signature(verb)
        usual = {name: option.default for name, option in options.items()} | dict(but or {})

        @wraps(verb)
        def face(*args: Any, **given: Any) -> R:
            checked = {}
            for name, value in given.items():
                if name not in options and name not in own.parameters:
                    close = did_you_mean(name, [*options, *own.parameters])
                    raise TypeError(f"{verb.__name__}() has no argument '{name}'.{close}")
                if name in options and value is None:
                    continue  # left to the default
                if name in options and (check := options[name].check) is not None:
                    check(value)
                checked[name] = value
            return verb(*args, **(checked if only_given else {**usual, **checked}))

        face.__signature__ = _signature(own, options, usual)  # type: ignore[attr-defined]
        face.__doc__ = _documented(inspect.cleandoc(verb.__doc__ or ""), options)
        face.options = tuple(options)  # type: ignore[attr-defined]
        return face

    return decorated


def _signature(
    own: inspect.Signature, options: Mapping[str, Option], usual: Mapping[str, Any]
) -> inspect.Signature:
    fixed = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=usual[name],
            annotation=option.kind,
        )
        for name, option in options.items()
        if name not in own.parameters
    ]
    return own.replace(parameters=[*fixed, *added])


def _documented(text: str, options: Mapping[str, Option]) -> str:
    """The docstring, with options among its parameters."""
    lines = [
        f"{name} : {option.kind}\n{textwrap.indent(textwrap.fill(option.help, 96), '    ')}"
        for name, option in options.items()
    ]
    before, returns, after = text.partition(RETURNS)
    if "Parameters\n----------" not in before:
        before += "\nParameters\n----------"
    return "\n".join([before.rstrip("\n"), *lines]) + ("\n" + returns + after if returns else "")


# -- arguments of public functions ----------------------------------------------------------------
# Refused in one place, in the caller's own sentence.
#
# A sentence is handed over up to its `, not`: what was given instead is added here. An error
# carries what it is about, so that who reads a study file can point to the line.


Error = type[PodiumError]


def is_whole(value: object, least: int | None = None, *, numpy: bool = False) -> bool:
    """Whether it is a whole number, at least so large; truth values are none.

    >>> is_whole(3, 1), is_whole(0, 1), is_whole(True), is_whole(3.0)
    (True, False, False, False)
    """
    kind = Integral if numpy else int
    return (
        isinstance(value, kind)
        and not isinstance(value, bool)
        and (least is None or int(value) >= least)
    )


def is_number(value: object) -> bool:
    """Whether it is a number; truth values are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_share(value: object) -> bool:
    """Whether it is a number between 0 and 1, neither of them."""
    return is_number(value) and 0 < value < 1  # type: ignore[operator]


def whole(
    text: str, value: object, least: int, *, numpy: bool = False, error: Error = DesignError
) -> None:
    """Refuse what is no whole number from `least` on.

    >>> whole("The seed is a whole number from 0", -1, 0)
    Traceback (most recent call last):
    podium.errors.DesignError: The seed is a whole number from 0, not -1.
    """
    if not is_whole(value, least, numpy=numpy):
        raise error(f"{text}, not {value!r}.")


def truth(text: str, value: object, *, error: Error = DesignError) -> None:
    """Refuse what is neither True nor False: the text 'no' would count as true."""
    if not isinstance(value, bool):
        raise error(f"{text}, not {value!r}.")


def name(kind: str, value: object) -> None:
    """Refuse a name that is no text, empty or unprintable."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        article = "an" if kind[0] in "aeiou" else "a"
        raise DesignError(f"The name of {article} {kind} is a printable text, not {value!r}.")


def twice(names: Sequence[str]) -> str | None:
    """The first name that stands there more than once, None where all differ."""
    return next((n for n in names if names.count(n) > 1), None)


# -- what an error is about -----------------------------------------------------------------------


@contextmanager
def about(*keys: str | int) -> Iterator[None]:
    """Note in an error which keys of a study it is about; those of an inner one follow."""
    try:
        yield
    except PodiumError as error:
        error.args = (str(error), (*keys, *subject(error)))
        raise


def subject(error: PodiumError) -> tuple[str | int, ...]:
    """The keys of a study that an error is about, from the outside in; none where it is not said.

    >>> try:
    ...     with about("datasets", 2):
    ...         raise DesignError("There is no such column.", ("target",))
    ... except DesignError as error:
    ...     subject(error)
    ('datasets', 2, 'target')
    """
    return tuple(error.args[1]) if len(error.args) > 1 else ()


# -- parameters of estimators in study files -----------------------------------------------------

# parameters that name a file or folder, by their own name (also `step__memory`) or by their value
_PATH_NAME = re.compile(
    r"(^|_)(memory|cache|path|paths|file|files|filename|dir|dirs|directory|folder|location|root)$"
)
_OPENED = ("file", "filename")  # as `input`: the data are names of files to be read
_PATH_VALUE = re.compile(r"[/~]|\\\\|\.{1,2}[/\\]|[A-Za-z]:[/\\]|\w+://")


def no_paths(value: Any, what: str, where: tuple[str, ...] = ()) -> None:
    """Refuse parameters, at any depth, that name a file or folder.

    An estimator may write there, and a cache is unpickled: a study file would run what lies there.
    """
    if isinstance(value, dict):
        if isinstance(value.get("estimator"), str):
            return  # its own parameters are looked at when it is made
        for key, inner in value.items():
            if _names_files(key, inner):
                raise DesignError(
                    f"{what}: the parameter '{key}' names a file or folder, which an estimator may "
                    "read code from or write to: leave it out, or make this study in Python.",
                    (*where, key)[:1],
                )
            no_paths(inner, what, (*where, key))
    elif isinstance(value, list):
        for inner in value:
            no_paths(inner, what, where)
    elif isinstance(value, str) and _PATH_VALUE.match(value):
        raise DesignError(
            f"{what}: {value!r:.80} is the name of a file or folder, which a study file cannot "
            "give to an estimator: leave it out, or make this study in Python.",
            where[:1],
        )


def _names_files(key: str, value: Any) -> bool:
    if key.rpartition("__")[2] == "input":
        return any(kind in (value if isinstance(value, list) else [value]) for kind in _OPENED)
    return _PATH_NAME.search(key) is not None and _has_text(value)


def _has_text(value: Any) -> bool:
    """Whether there is a text in it: `fit_path = true` names no file."""
    if isinstance(value, (list, dict)):
        return any(map(_has_text, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str)
