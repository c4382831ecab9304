"""Registering a study: its plan is fixed before the first score, and kept in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from podium.api.exploring import subgroups
from podium.api.kept_plans import registered
from podium.api.running import loaded
from podium.design.study import Study
from podium.errors import DesignError
from podium.execution.registering import begin_registered
from podium.inference.comparisons import Comparisons
from podium.presentation import Presented
from podium.registration import Version
from podium.results.planned_and_done import as_registered
from podium.results.results import Results
from podium.studies.subgroups import Subgroups
from podium.wording.notes_registered import declared, registered_lines


@dataclass(frozen=True, eq=False, repr=False)
class Registration(Presented):
    """A plan as the store keeps it."""

    version: Version
    versions: tuple[Version, ...]

    @property
    def fingerprint(self) -> str:
        """Of study, data and plan, for a paper."""
        return self.version.fingerprint

    def _said(self) -> list[str]:
        return registered_lines(self.version, len(self.versions))

    def _facts(self) -> Mapping[str, Any]:
        return {
            "fingerprint": self.fingerprint,
            "time": self.version.time,
            "plan": self.version.plan.to_dict(),
            "study": self.version.study,
            "versions": [version.to_dict() for version in self.versions],
        }


def register(
    study: Study | str | Path, store: str | Path, *, trust: Sequence[str] = ()
) -> Registration:
    """Fix the plan of a study (its `[analysis]`) in a store, before its first score.

    The same again changes nothing. Another plan is another version; after the first score it is a
    deviation, and the plan that was registered before holds.
    """
    study = loaded(study, trust)
    if study.analysis is None:
        raise DesignError(
            f"The study '{study.name}' has no plan to register: add a table [analysis] (in Python "
            "analysis=) with the primary measure, alpha and relevance."
        )
    kept = registered(study, store)
    assert kept is not None
    begin_registered(study, store, kept)
    versions = tuple(Version.of(v) for v in kept["versions"])
    return Registration(versions[-1], versions)


def planned_subgroups(results: Results, comparisons: Comparisons) -> Subgroups | None:
    """The subgroups of a plan, beside the analysis that it planned; None where there are none."""
    about = comparisons.registered
    if about is None or about.exploratory or not about.version.plan.subgroups:
        return None
    plan = about.version.plan
    return subgroups(
        replace(as_registered(results), registered=None),  # they were planned
        {name: list(of) for name, of in plan.subgroups.items()} if plan.subgroups else {},
        declared_before=declared(about.version.fingerprint),
        measure=plan.measure,
        control=plan.control,
        pairs=plan.pairs,
        alpha=plan.alpha,
    )
