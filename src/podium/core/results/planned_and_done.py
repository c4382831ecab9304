"""What a registered study planned, and what was done otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import pandas as pd

from podium.core.base.formatting import listed
from podium.core.questions.options import (
    OPTIONS,
    PAIRS,
    PlannedAndDone,
    Version,
    binding,
    planned_value,
)
from podium.core.results.results import Results
from podium.core.words.facts import NOT_PLANNED, Note

Found = TypeVar("Found")
Row = tuple[str, str, str]  # about what, planned, done
NONE = "–"


def versions_of(results: Results) -> tuple[Version, ...]:
    """All versions of the plan that the store keeps; none where there is no plan."""
    kept = (results.registered or {}).get("versions", ())
    return tuple(map(Version.of, kept))


def as_registered(results: Results) -> Results:
    """The planned data sets, algorithms and samples, as far as they are there."""
    planned = binding(versions_of(results)).study
    kept = {
        "dataset": [d for d in results.datasets if d in planned["datasets"]],
        "algorithm": [a for a in results.algorithms if a in planned["algorithms"]],
    }
    if not all(kept.values()):
        return results
    return _first_samples(results.filter(**kept), planned["samples"])


def _first_samples(results: Results, samples: Mapping[str, int]) -> Results:
    """Without the samples that came later."""
    tables = {}
    for name in ("scores", "runs", "failures", "warnings", "fits"):
        table = getattr(results, name)
        most = table["dataset"].astype(str).map(samples).astype(float)
        tables[name] = table[table["sample"] <= most].reset_index(drop=True)
    return replace(results, **tables)


def planned_and_done(results: Results, requests: Mapping[str, Any]) -> PlannedAndDone:
    """The deviations of what was run, and of what is asked now."""
    versions = versions_of(results)
    planned = binding(versions)
    options = list(_options(planned, requests, results))
    rows = [
        *_things(planned.study, results, "datasets", "data sets"),
        *_things(planned.study, results, "algorithms", "algorithms"),
        *_neutral(planned.study, results),
        *_samples(planned.study, results),
        *_failures(results),
        *_measures(planned.study, results),
        *_times(planned, results),
        *_changes(planned, versions),
        *options,
    ]
    table = pd.DataFrame(rows, columns=["about", "planned", "done"])
    return PlannedAndDone(planned, versions, table, exploratory=bool(options))


def beside_plan(results: Any) -> Note | None:
    """The mark of whatever is no part of a registered plan; None where there is no plan."""
    if not isinstance(results, Results) or not (versions := versions_of(results)):
        return None
    return Note(NOT_PLANNED, fingerprint=binding(versions).fingerprint)


def explored(result: Found, results: Any) -> Found:
    """What was found of results, marked where a registered plan does not have it."""
    mark = beside_plan(results)
    return result if mark is None else replace(result, notes=(mark, *result.notes))  # type: ignore[type-var,attr-defined]


def _now(results: Results) -> Mapping[str, Any]:
    return dict((results.registered or {})["now"])


def _things(planned: Mapping[str, Any], results: Results, kind: str, words: str) -> Iterator[Row]:
    """Data sets or algorithms that were added, removed, or are others of the same name."""
    before, now = planned[kind], _now(results)[kind]
    for name in before:
        if name not in now:
            yield words, name, "removed"
        elif before[name] != now[name]:
            yield words, f"{name} ({before[name][:8]})", f"changed ({now[name][:8]})"
    for name in now:
        if name not in before:
            yield words, NONE, f"{name} added"


def _neutral(planned: Mapping[str, Any], results: Results) -> Iterator[Row]:
    """Roles, stages and the frame, where they are others than planned."""
    now = _now(results)
    for key, words in (("roles", "roles"), ("development", "development"), ("frame", "frame")):
        before, after = planned.get(key), now.get(key)
        if before != after and not (
            key == "frame" and before and after and _same_draw(before, after)
        ):
            yield words, _of_design(before), _of_design(after)


def _same_draw(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    return all(before.get(key) == after.get(key) for key in ("mark", "seed", "lost", "drawn"))


def _of_design(value: Any) -> str:
    if not value:
        return NONE
    if isinstance(value, Mapping) and "drawn" in value:
        return f"{len(value['drawn'])} of {value['eligible']} eligible, {value['catalogue']}"
    if isinstance(value, Mapping):
        return listed([f"{name} {role}" for name, role in value.items()])
    return listed(list(value))


def _samples(planned: Mapping[str, Any], results: Results) -> Iterator[Row]:
    """The fewest samples that a planned algorithm has of each data set, where not as planned."""
    done = results.runs[results.runs["status"] == "done"]
    by = done.groupby(["dataset", "algorithm"], observed=False).size()
    by = by[by.index.get_level_values(1).isin(list(planned["algorithms"]))]
    now = _now(results)["samples"]
    for name, count in planned["samples"].items():
        if name not in now:
            continue
        fewest = int(by[name].min()) if name in by.index.get_level_values(0) else 0
        if now[name] != count:
            yield "samples", f"{count} of {name}", f"{now[name]} asked for, {fewest} done"
        elif fewest < count and results.stopping is None:
            yield "samples", f"{count} of {name}", f"{fewest} done of every algorithm"


def _failures(results: Results) -> Iterator[Row]:
    failed = results.runs[results.runs["status"] == "failed"]
    for (dataset, algorithm), rows in failed.groupby(["dataset", "algorithm"], observed=True):
        yield "failures", "none", f"{len(rows)} of {algorithm} on {dataset}"


def _measures(planned: Mapping[str, Any], results: Results) -> Iterator[Row]:
    now = _now(results)["measures"]
    if list(now) != list(planned["measures"]):
        yield "measures", listed(planned["measures"]), listed(now)


def _times(planned: Version, results: Results) -> Iterator[Row]:
    """Scores that are older than the plan, as stores that were joined may have."""
    finished = results.runs["finished"].min()
    if pd.notna(finished) and finished < pd.Timestamp(planned.time):
        yield "time", f"registered {planned.time}", f"first score {finished.isoformat()}"


def _changes(planned: Version, versions: tuple[Version, ...]) -> Iterator[Row]:
    """Plans that came after the first score."""
    for version in versions:
        if not version.done:
            continue
        old, new = planned.plan.to_dict(), version.plan.to_dict()
        for key in [key for key in old if old[key] != new[key]] or ["plan"]:
            was, now = (_shown(one.get(key)) for one in (old, new))
            since = f"{now} since {version.time}, after {version.done} runs"
            yield "plan", f"{key} {was} ({planned.fingerprint})", f"{since} ({version.fingerprint})"


def _options(planned: Version, options: Mapping[str, Any], results: Results) -> Iterator[Row]:
    """What is asked otherwise than planned, and what is left out of the results at hand."""
    wanted = planned.plan.options() | {"gaps": planned.plan.gaps}
    options = {"gaps": PAIRS} | dict(options)
    for name in dict.fromkeys([*wanted, *options]):
        old, new = wanted.get(name), options.get(name)
        if old != new and not (name not in OPTIONS and new is False):  # a flag that is not set
            yield "options", f"{name} {_shown(old)}", f"{name} {_shown(new)}"
    aside = (results.registered or {}).get("aside")
    if aside:
        yield "options", "the study's samples", str(aside)
    now = _now(results)
    for kind, have in (("datasets", results.datasets), ("algorithms", results.algorithms)):
        gone = [n for n in now[kind] if n in planned.study[kind] and n not in have]
        if gone and not aside:
            yield "options", f"{kind}: all planned", f"without {listed(gone, 5)}"


def _shown(value: Any) -> str:
    if value is None:
        return "not said"
    return planned_value(value)
