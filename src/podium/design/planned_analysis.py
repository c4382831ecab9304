"""The table [analysis] of a study: what it may say, and whether it suits the study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from podium.base.checks import about, is_number, is_share, is_whole
from podium.base.errors import DesignError
from podium.base.registry import did_you_mean, unknown
from podium.questions.options import GAPS
from podium.questions.registered_plans import OPTIONS, AnalysisPlan
from podium.questions.targets import TARGETS

KEYS = (*OPTIONS, "subgroups", "sequential")
SEQUENTIAL = {"goal": str, "spending": str, "looks": int, "open": bool}
GOALS = ("order", "race")


def planned_analysis(
    given: Mapping[str, Any] | AnalysisPlan | None,
    measures: Sequence[str],
    algorithms: Sequence[str],
    datasets: Sequence[str],
) -> AnalysisPlan | None:
    """The plan that a study file, or a mapping, describes; with defaults for what it leaves out."""
    if given is None:
        return None
    plan = given.to_dict() if isinstance(given, AnalysisPlan) else given
    if not isinstance(plan, Mapping):
        raise DesignError(f"The plan of the analysis is a table, not {plan!r:.60}.")
    plan = {key: value for key, value in plan.items() if value is not None}
    for key in plan:
        if key not in KEYS:
            raise DesignError(
                f"[analysis] has no key '{key}'.{did_you_mean(key, KEYS)} Known: "
                f"{', '.join(KEYS)}.",
                (key,),
            )
    if len(algorithms) < 2:
        raise DesignError("A study of one algorithm has no pair to plan: leave out [analysis].")
    _check_texts(plan)
    _check_numbers(plan)
    _check_names(plan, algorithms, datasets)
    _check_sequential(plan)
    return AnalysisPlan.of({**plan, "measure": _measure(plan.get("measure"), measures)})


def _measure(name: str | None, measures: Sequence[str]) -> str:
    if name is None and len(measures) > 1:
        raise DesignError(
            f"[analysis] needs 'measure', the primary one: one of {', '.join(measures)}."
        )
    if name is not None and name not in measures:
        raise DesignError(unknown("measure of this study", name, measures), ("measure",))
    return name or measures[0]


def _check_texts(texts: Mapping[str, Any]) -> None:
    for key in ("measure", "target", "procedure", "control", "gaps"):
        if key in texts and not isinstance(texts[key], str):
            raise DesignError(f"'{key}' must be a text, not {texts[key]!r:.60}.", (key,))
    for key, kind, known in (
        ("target", "target", tuple(TARGETS)),
        ("gaps", "way to treat gaps", GAPS),
    ):
        if key in texts and texts[key] not in known:
            raise DesignError(unknown(kind, texts[key], known), (key,))


def _check_numbers(texts: Mapping[str, Any]) -> None:
    if "alpha" in texts and not is_share(texts["alpha"]):
        raise DesignError(f"'alpha' lies between 0 and 1, not {texts['alpha']!r:.60}.", ("alpha",))
    margin = texts.get("relevance", 0.0)
    if not is_number(margin) or not 0 <= margin < float("inf"):
        raise DesignError(f"'relevance' is a number from 0 on, not {margin!r:.60}.", ("relevance",))


def _check_names(
    texts: Mapping[str, Any], algorithms: Sequence[str], datasets: Sequence[str]
) -> None:
    if "control" in texts and "pairs" in texts:
        raise DesignError("Say either 'control' or 'pairs', not both.", ("pairs",))
    pairs = texts.get("pairs", [])
    if not _are_pairs(pairs) or (pairs == [] and "pairs" in texts):
        raise DesignError("'pairs' is a list of pairs, as [['svm', 'lda']].", ("pairs",))
    for key, names in (("control", [texts[k] for k in ("control",) if k in texts]),
                       ("pairs", [name for pair in pairs for name in pair])):  # fmt: skip
        for name in names:
            if name not in algorithms:
                raise DesignError(unknown("algorithm of this study", name, algorithms), (key,))
    if "subgroups" in texts:
        _check_subgroups(texts["subgroups"], datasets)


def _are_pairs(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 and pair[0] != pair[1] for pair in value
    )


def _check_subgroups(groups: Any, datasets: Sequence[str]) -> None:
    is_table = isinstance(groups, Mapping) and all(
        isinstance(v, (list, tuple)) for v in groups.values()
    )
    if not is_table:
        raise DesignError(
            "'subgroups' is a table of lists of data sets, as { small = ['iris', 'glass'] }.",
            ("subgroups",),
        )
    names = [name for group in groups.values() for name in group]
    for name in names:
        if name not in datasets:
            raise DesignError(unknown("data set of this study", name, datasets), ("subgroups",))
        if names.count(name) > 1:
            raise DesignError(f"The data set '{name}' is in two subgroups.", ("subgroups",))
    sizes = {group: len(members) for group, members in groups.items()}
    if len(sizes) < 2 or max(sizes.values()) < 2:
        groups_here = ", ".join(f"'{group}' with {size}" for group, size in sizes.items()) or "none"
        raise DesignError(
            "'subgroups' are at least two, of which one has two data sets or more; here: "
            f"{groups_here}. Put data sets into another group, or leave 'subgroups' out.",
            ("subgroups",),
        )


def _check_sequential(texts: Mapping[str, Any]) -> None:
    if "sequential" not in texts:
        return
    with about("sequential"):
        rule = texts["sequential"]
        if not isinstance(rule, Mapping):
            raise DesignError("'sequential' is a table, as { goal = 'order', looks = 20 }.")
        for key, value in rule.items():
            if key not in SEQUENTIAL:
                raise DesignError(unknown("key of 'sequential'", key, tuple(SEQUENTIAL)))
            if not isinstance(value, SEQUENTIAL[key]) or (
                key == "looks" and not is_whole(value, 1)
            ):
                raise DesignError(f"'{key}' of 'sequential' cannot be {value!r:.60}.")
        if rule.get("goal", GOALS[0]) not in GOALS:
            raise DesignError(unknown("goal", rule["goal"], GOALS))
        if "procedure" in texts:
            raise DesignError("A sequential plan has its own procedure: leave 'procedure' out.")
