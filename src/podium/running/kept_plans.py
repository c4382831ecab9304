"""The plan of a study that is about to be registered or run, as its store keeps it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import DesignError, IllegalProcedure, PodiumError, UnknownName
from podium.design.study import Study
from podium.inference.comparing.arranging import suited
from podium.inference.comparing.compare import compare
from podium.inference.comparing.known import named
from podium.inference.procedures.options import Options
from podium.questions.registered_plans import AnalysisPlan
from podium.reading.formats import read
from podium.sequential.verbs import planned_rule
from podium.store.registrations import registration

REHEARSED = 4  # algorithms, and data sets, of a rehearsal


def registered(study: Study, path: str | Path) -> dict[str, Any] | None:
    """What a store is to keep of the plans of a study; None where there is none."""
    if study.analysis is not None and study.analysis.procedure is not None:
        _check_procedure(study.analysis.procedure)
    if study.analysis is not None:
        _check_possible(study, study.analysis)
    if (rule := planned_rule(study)) is not None:
        rule.plan(study)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return registration(path, study.definition, study.analysis, now)


def _check_procedure(name: str) -> None:
    try:
        named(name)
    except PodiumError as error:
        raise UnknownName(f"[analysis], procedure: {error}") from None


def _check_possible(study: Study, plan: AnalysisPlan) -> None:
    """Refuse a target or a procedure that the design does not allow: rehearsed with random scores.

    Whatever else goes wrong in a rehearsal is no reason to refuse a plan.
    """
    request = plan.target is not None or plan.procedure is not None
    halved = plan.procedure is not None and named(plan.procedure).needs.halves
    if not request or halved or plan.sequential is not None:
        return
    try:
        results = read(_rehearsal(study), sampling=str(study.sampling), higher_is_better=True)
        made = suited(results, plan.procedure, target=plan.target)
        compare(made, Options.said(procedure=plan.procedure))
    except IllegalProcedure as error:
        raise DesignError(f"[analysis] cannot be carried out: {error.refusal}") from None
    except PodiumError:
        return


def _rehearsal(study: Study) -> pd.DataFrame:
    """A table of the study's shape, with some of its data sets and algorithms."""
    samples = dict(list(study.definition["samples"].items())[:REHEARSED])
    algorithms = list(study.definition["algorithms"])[:REHEARSED]
    rows = [(d, a, i) for d, n in samples.items() for a in algorithms for i in range(1, n + 1)]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample"])
    return frame.assign(score=np.random.default_rng(0).random(len(frame)))
