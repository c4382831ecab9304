"""`podium calibrate` and `podium replicate`, where the laboratory is installed.

It is a package of its own, in the folder `lab` of Podium's repository.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from podium.core.base.errors import MissingPackage


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        import_module("podium_lab")
    except ModuleNotFoundError as error:
        if error.name != "podium_lab":
            raise
        raise MissingPackage(
            f"`podium {name}` is a command of the laboratory, which is a package of its own: in a "
            "checkout of Podium's repository, pip install ./lab."
        ) from None
    return getattr(import_module("podium_lab.commands"), name)
