"""The only way to import an optional package."""

from __future__ import annotations

import importlib
from types import ModuleType

from podium.errors import MissingPackage


def require(module: str, *, extra: str, purpose: str) -> ModuleType:
    """Import and return `module`, or say which extra of Podium brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackage(
            f"{purpose} needs the package '{module.partition('.')[0]}', which is not installed: "
            f"pip install 'podium[{extra}]'."
        ) from error
