"""A study that is registered, and not yet run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.design.study import Study
from podium.execution.runner import begun
from podium.store import Store


def begin_registered(study: Study, path: str | Path, registered: Mapping[str, Any]) -> None:
    """Note a study with its data and plan in a store, which is made where there is none."""
    with Store(path, create=True) as store, store.writing():
        begun(store, study, registered=registered)
