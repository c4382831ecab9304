"""What the scores were made with: versions and machine, for provenance."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = ("podium", "numpy", "scipy", "pandas", "scikit-learn", "threadpoolctl")


def environment(extra: tuple[str, ...] = ()) -> dict[str, Any]:
    """Versions of Python and of the packages that scores depend on, and the kind of machine."""
    return {
        "python": sys.version.split()[0],
        "host": platform.node(),
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "packages": {p: v for p in (*PACKAGES, *extra) if (v := _version(p))},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
