"""The plans that a store keeps, version by version."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.base.errors import StoreError
from podium.questions.registered_plans import AnalysisPlan, Version, fixed_of
from podium.store.store import Store
from podium.store.store_file import is_blank

KEY = "registered"


def kept_versions(path: str | Path) -> tuple[list[Version], int]:
    """The versions of a store's plan, and how many runs have scores."""
    if is_blank(path):
        return [], 0
    with Store(path, readonly=True) as store:
        kept = [d[KEY]["versions"] for d in store.definitions() if d.get(KEY)]
        done = int(store.rows("SELECT count(*) FROM runs WHERE failed = 0")[0][0])
    return [Version.of(v) for v in (kept[-1] if kept else [])], done


def registration(
    path: str | Path, definition: Mapping[str, Any], plan: AnalysisPlan | None, now: str
) -> dict[str, Any] | None:
    """What a store is to keep of its plans from now on; None where it has none.

    Before the first score a changed study or plan is a new version. After it a changed plan is
    one, which does not hold; a changed study is seen from what was run.
    """
    versions, done = kept_versions(path)
    if plan is not None:
        if done and not versions:
            raise StoreError(
                f"The store '{path}' has scores already, which may have been looked at: a plan "
                "comes before the first score. Choose another store, or leave out [analysis]."
            )
        new = Version(plan, fixed_of(definition), now, done)
        last = versions[-1] if versions else None
        same = last is not None and last.plan.to_dict() == plan.to_dict()
        if not same or (not done and last is not None and last.fingerprint != new.fingerprint):
            versions.append(new)
    return {"versions": [v.to_dict() for v in versions]} if versions else None
