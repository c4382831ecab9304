"""The plan of a study that is about to be registered or run, as its store keeps it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from podium.api.until import planned_rule
from podium.design.study import Study
from podium.errors import PodiumError, UnknownName
from podium.inference.procedures import named
from podium.store.registrations import registration


def registered(study: Study, path: str | Path) -> dict[str, Any] | None:
    """What a store is to keep of the plans of a study; None where there is none."""
    if study.analysis is not None and study.analysis.procedure is not None:
        _check_procedure(study.analysis.procedure)
    if (rule := planned_rule(study)) is not None:
        rule.plan(study)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return registration(path, study.definition, study.analysis, now)


def _check_procedure(name: str) -> None:
    try:
        named(name)
    except PodiumError as error:
        raise UnknownName(f"[analysis], procedure: {error}") from None
