"""How far a result could have been talked up: the best of all choices against the planned one.

Who may choose among many legal analyses after the fact finds one that favours an algorithm; how
many do, beside what the planned one says, is how far the reader must trust the plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np
import pandas as pd

from podium.base.errors import PodiumError
from podium.inference.comparing.arranging import suited
from podium.inference.comparing.compare import compare
from podium.inference.comparing.comparisons import TURNED, Comparisons
from podium.inference.procedures.options import Options
from podium.questions.registered_plans import binding
from podium.reading.planned_and_done import as_registered, versions_of
from podium.reading.results import Results

Told = Mapping[tuple[str, str], tuple[str, float]]  # of a pair the verdict and the p-value
COLUMNS = ["first", "second", "planned", "planned_p", "best", "best_p", "better", "universes", "by"]
OURS, BETTER, UNDECIDED = "ours", "better", "undecided"


def told(found: Comparisons) -> Told:
    """What comparisons say of every pair, seen from both sides."""
    p = found.table.get("p_adjusted", np.nan)
    seen: dict[tuple[str, str], tuple[str, float]] = {}
    for first, second, verdict, own in found.table.assign(own=p)[
        ["first", "second", "verdict", "own"]
    ].itertuples(index=False):
        seen[first, second] = verdict, float(own)
        seen[second, first] = TURNED.get(verdict, verdict), float(own)
    return seen


def planned(results: Results, options: Options) -> Comparisons | None:
    """What was planned or, without a plan, what is done by default; None where it is refused."""
    try:
        if versions := versions_of(results):
            plan = binding(versions).plan
            said = plan.options()
            kept = {k: said.get(k) for k in ("measure", "target")}
            asked = Options.said(**{k: v for k, v in said.items() if k not in kept})
            made = suited(as_registered(results), plan.procedure, gaps=plan.gaps, scale=None,
                          dataset=None, **kept)  # fmt: skip
            return compare(made, asked)
        measure = next(iter(results.measures), None)
        made = suited(results, None, measure=measure, target=None, dataset=None, scale=None)
        return compare(made, options)
    except PodiumError:
        return None


def talked_up(
    results: Results, first: Comparisons | None, universes: Sequence[Told], labels: Sequence[str]
) -> pd.DataFrame:
    """Of every algorithm (of ours, where roles are said) against every other one: the planned
    verdict, the most favourable one, how many universes call it better, and which does most.
    """
    roles = results.design.get("roles", {})
    ours = [name for name, role in roles.items() if role == OURS] or results.algorithms
    known = told(first) if first is not None else {}
    rows = [
        _row(pair, known, universes, labels)
        for pair in permutations(results.algorithms, 2)
        if pair[0] in ours
    ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    gained = (table["best"] == BETTER) & (table["planned"] != BETTER)
    return table.assign(gained=gained).sort_values("gained", ascending=False, kind="stable",
                                                   ignore_index=True)  # fmt: skip


def _row(
    pair: tuple[str, str], known: Told, universes: Sequence[Told], labels: Sequence[str]
) -> tuple[object, ...]:
    of = [(one[pair], label) for one, label in zip(universes, labels, strict=True) if pair in one]
    better = [(p, label) for (verdict, p), label in of if verdict == BETTER]
    verdict, own = known.get(pair, ("", np.nan))
    p, label = min(better, key=lambda one: np.nan_to_num(one[0])) if better else (np.nan, "")
    best = BETTER if better else verdict if verdict else UNDECIDED
    return (*pair, verdict, own, best, p, len(better), len(of), label)
