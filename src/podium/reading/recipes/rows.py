"""Rows of files that no path leads to: `rows = "asv"` of a recipe; all else stands in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from podium.core.base.errors import ResultsError
from podium.reading.cells.vocabulary import role_of
from podium.reading.formats.opening import by_line, database, whole
from podium.reading.formats.record import Source

Row = dict[str, Any]
_KINDS = {"time": "time", "timeraw": "time", "mem": "memory", "peakmem": "memory"}


# -- asv ------------------------------------------------------------------------------------------


def _asv_rows(path: Path) -> Iterator[Row]:
    """The results of asv: lists, whose fields are named once, by parameters and samples."""
    result = whole(path)
    columns = result.get("result_columns") or ["result", "params"]
    env = result.get("env_name") or " ".join(
        f"{k}{v or ''}" for k, v in sorted((result.get("requirements") or {}).items())
    )
    machine = (result.get("params") or {}).get("machine")
    place = f"({env} on {machine})" if machine else f"({env})"
    about = {"commit": str(result["commit_hash"])[:8], "place": place}
    for name, entry in (result.get("results") or {}).items():
        kind = _KINDS.get(name.rpartition(".")[2].partition("_")[0].lower())
        for case, value in _asv_values(entry, columns) if kind else ():
            yield about | {"benchmark": f"{name}{case}", "measure": kind, "value": value}


def _asv_values(entry: Any, columns: list[str]) -> Iterator[tuple[str, float | None]]:
    """The values of a benchmark by its parameters: its samples where they were kept."""
    if isinstance(entry, list):
        entry = dict(zip(columns, entry, strict=False))
    if not isinstance(entry, dict):
        yield "", entry
        return
    results = entry.get("result")
    results = results if isinstance(results, list) else [results]
    cases = _cases(entry.get("params") or [])
    samples = entry.get("samples") or [None] * len(results)
    for i, result in enumerate(results):
        case = cases[i] if i < len(cases) else ""
        for value in (samples[i] if i < len(samples) else None) or [result]:
            yield case, value


def _cases(params: list[list[str]]) -> list[str]:
    cases = [""]
    for values in params:
        cases = [f"{case}, {value}" if case else f"({value}" for case in cases for value in values]
    return [f"{case})" if case else "" for case in cases]


# -- Optuna ---------------------------------------------------------------------------------------
# Studies of samplers and seeds: the best value so far, by trial.


def _optuna_rows(path: Path) -> Iterator[Row]:
    """The best values of the studies in a storage, a database or a journal, by trial."""
    trials, said = _journal(path) if Source(path).head[:1] == b"{" else _studies(path)
    best: dict[str, float] = {}
    count: dict[str, int] = {}
    for study, value, direction in trials:
        better = max if direction == MAXIMIZE else min
        best[study] = better(best.get(study, value), value)
        count[study] = count.get(study, 0) + 1
        own = {k.lower(): v for k, v in said.get(study, {}).items()}
        yield {
            "study": study,
            "trial": count[study],
            "best": best[study],
            "direction": direction,
            "said.algorithm": next((own[k] for k in _ALGORITHMS if k in own), None),
            "said.dataset": next((v for k, v in own.items() if role_of(k) == "dataset"), None),
            "said.seed": own.get("seed"),
        }


_ALGORITHMS = ("sampler", "optimizer", "optimiser", "algorithm", "method")
_SEVERAL = "studies of several objectives have no best value."
MAXIMIZE = "MAXIMIZE"
Trials = list[tuple[str, float, str]]  # study, value, direction
Said = dict[str, dict[str, str]]  # attributes of studies by name


def _studies(path: Path) -> tuple[Trials, Said]:
    query = """
        SELECT s.study_name, v.value, d.direction FROM trials t
        JOIN studies s ON s.study_id = t.study_id
        JOIN trial_values v ON v.trial_id = t.trial_id
        JOIN study_directions d ON d.study_id = s.study_id AND d.objective = v.objective
        WHERE t.state = 'COMPLETE' AND v.objective = 0 ORDER BY s.study_id, t.number"""
    with database(path) as connection:
        several = "SELECT count(*) FROM study_directions WHERE objective > 0"
        if connection.execute(several).fetchone()[0]:
            raise ResultsError(f"'{path}': {_SEVERAL}")
        said: Said = {}
        attributes = """SELECT s.study_name, a.key, a.value_json FROM study_user_attributes a
            JOIN studies s ON s.study_id = a.study_id"""
        for name, key, value in connection.execute(attributes):
            said.setdefault(name, {})[key] = _plain(value)
        return connection.execute(query).fetchall(), said


# what the operations of a journal do, a trial's state, a study's direction
_STUDY, _ATTRIBUTE, _TRIAL, _STATE = 0, 2, 4, 6
_COMPLETE, _MAXIMIZE = 1, 2


def _journal(path: Path) -> tuple[Trials, Said]:
    """The trials of all studies in a journal: studies and trials are numbered as they come."""
    studies: list[Row] = []
    trials: list[int] = []
    values: dict[int, float] = {}
    said: Said = {}
    for line in by_line(path):
        kind = line.get("op_code") if isinstance(line, dict) else None
        if kind == _STUDY:
            studies.append(line)
            if len(line["directions"]) > 1:
                raise ResultsError(f"'{path}': {_SEVERAL}")
        elif kind == _ATTRIBUTE:
            own = said.setdefault(studies[line["study_id"]]["study_name"], {})
            own |= {key: str(value) for key, value in line["user_attr"].items()}
        elif kind == _TRIAL:
            trials.append(line["study_id"])
            if line.get("state") == _COMPLETE:  # one that is added as it was
                values[len(trials) - 1] = (line.get("values") or [line.get("value")])[0]
        elif kind == _STATE and line.get("state") == _COMPLETE:
            values[line["trial_id"]] = line["values"][0]
    done = [(studies[study], values[i]) for i, study in enumerate(trials) if i in values]
    ways = {_MAXIMIZE: MAXIMIZE}
    return [(s["study_name"], v, ways.get(s["directions"][0], "MINIMIZE")) for s, v in done], said


def _plain(value: str) -> str:
    try:
        return str(json.loads(value))
    except ValueError:
        return str(value)


ROWS: Mapping[str, Callable[[Path], Iterator[Row]]] = {"asv": _asv_rows, "optuna": _optuna_rows}
