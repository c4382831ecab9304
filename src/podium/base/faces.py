"""Functions that take declared options: signature, checks and help follow from the records."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

from podium.base.options import Option, chosen
from podium.base.registry import did_you_mean

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
