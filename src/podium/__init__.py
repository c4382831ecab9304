"""Podium: design, execution and statistical analysis of benchmark experiments.

The public names; what is rarer stands in its room, as `podium.items.by_stratum`. Names are loaded
when first used, so that `import podium` and `podium --help` stay fast; `__init__.pyi` beside this
file says to editors and type checkers what they are.
"""

from importlib import import_module as _import_module  # typing takes longer than all of this

__version__ = "0.1.0"

_FOLDERS = ("errors", "plots", "samplings")  # that are public as they are
# commands whose Python has another name
_COMMANDS = {"analyse": "analyze", "plot": "plots", "survey": "by_dataset"}


def _homes() -> dict[str, str]:
    """The module of each public name, as the rooms say."""
    homes: dict[str, str] = _import_module("podium.core.base.rooms").public()
    return homes


def __getattr__(name: str) -> object:
    if name in _FOLDERS:
        return _import_module(f"podium.{name}")
    if name == "__all__":
        value: object = sorted([*_homes(), *_FOLDERS, "__version__"])
    elif name in _import_module("podium.core.base.rooms").with_names():
        return _import_module(_import_module("podium.core.base.rooms").with_names()[name])
    elif name.startswith("_") or name not in _homes():
        hint = f"; use podium.{_COMMANDS[name]}" if name in _COMMANDS else ""
        raise AttributeError(f"module 'podium' has no attribute '{name}'{hint}")
    else:
        try:
            value = getattr(_import_module(_homes()[name]), name)
        except ModuleNotFoundError as error:  # a light installation
            optional = _import_module("podium.core.base.errors")
            raise optional.told_missing(error) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__getattr__("__all__"))  # type: ignore[call-overload, no-any-return]
