"""Where things are kept that can be made or fetched again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """PODIUM_CACHE, else `podium` where caches are kept on this machine."""
    if own := os.environ.get("PODIUM_CACHE"):
        return Path(own)
    for variable in ("OPENML_CACHE_DIRECTORY", "XDG_CACHE_HOME"):
        if shared := os.environ.get(variable):
            return Path(shared) / "podium"
    return Path.home() / ".cache" / "podium"
