"""Stages of a study that may stop: a rule says which runs are needed next, and when none are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from podium.design.study import Run


class Stage(Protocol):
    """Some runs that are needed next."""

    def needs(self, run: Run) -> bool:
        """Whether this is one of them."""


class Until(Protocol):
    """A rule by which a study stops; it sees what the store has and nothing else."""

    def facts(self) -> dict[str, Any]:
        """The plan as plain values; the store keeps it before the first run."""

    def stage(self, path: str | Path) -> Stage | None:
        """The next stage; None where nothing more is needed."""


def stages(until: Until, pending: list[Run], path: str | Path) -> Iterator[list[Run]]:
    """What each stage needs and has not been tried yet; a stage that failed is finished, too."""
    while pending and (stage := until.stage(path)) is not None:
        needed = [run for run in pending if stage.needs(run)]
        if not needed:
            return
        yield needed
        tried = {run.key for run in needed}
        pending = [run for run in pending if run.key not in tried]
