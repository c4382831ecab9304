"""Benchmarks of optimizers: studies of Optuna.

A run is a curve of the best value found so far, by trials.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options, role_of
from podium.reading.formats.gathering import (
    Run,
    any_file,
    at_step,
    has_columns,
    named,
    own_files,
    runs_of,
    seeds,
    shown,
    used,
)
from podium.reading.formats.opening import by_line, database
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source
from podium.words.facts import Note

_TABLES = {"studies", "study_directions", "trials", "trial_values"}
_TRIALS = has_columns("number", "value", "state", "datetime_start")
_ALGORITHMS = ("sampler", "optimizer", "optimiser", "algorithm", "method")


# -- Optuna ---------------------------------------------------------------------------------------


def _is_storage(part: Source) -> bool:
    return part.tables >= _TABLES


def _is_journal(part: Source) -> bool:
    """A log of operations, one per line, of which the first makes a study."""
    first = part.shape
    return isinstance(first, dict) and {"op_code", "worker_id"} <= {*first}


def _is_optuna(part: Source) -> bool:
    return _is_storage(part) or _is_journal(part) or (bool(part.paths) and _TRIALS(part))


def _studies(path: Path) -> tuple[pd.DataFrame, dict[str, dict[str, str]]]:
    """The trials of all studies with their values, and the attributes of studies by name."""
    query = """
        SELECT s.study_name, t.number, v.value, d.direction FROM trials t
        JOIN studies s ON s.study_id = t.study_id
        JOIN trial_values v ON v.trial_id = t.trial_id
        JOIN study_directions d ON d.study_id = s.study_id AND d.objective = v.objective
        WHERE t.state = 'COMPLETE' AND v.objective = 0 ORDER BY s.study_id, t.number"""
    with database(path) as connection:
        rows = connection.execute(query).fetchall()
        several = "SELECT count(*) FROM study_directions WHERE objective > 0"
        if connection.execute(several).fetchone()[0]:
            raise ResultsError(f"'{path}': studies of several objectives have no best value.")
        messages: dict[str, dict[str, str]] = {}
        attributes = """SELECT s.study_name, a.key, a.value_json FROM study_user_attributes a
            JOIN studies s ON s.study_id = a.study_id"""
        for name, key, value in connection.execute(attributes):
            messages.setdefault(name, {})[key] = _plain(value)
    return pd.DataFrame(rows, columns=["study", "number", "value", "direction"]), messages


# what the operations of a journal do
_STUDY, _ATTRIBUTE, _TRIAL, _STATE = 0, 2, 4, 6
_COMPLETE, _MAXIMIZE = 1, 2  # a trial's state, a study's direction


def _journal(path: Path) -> tuple[pd.DataFrame, dict[str, dict[str, str]]]:
    """The trials of all studies in a journal: studies and trials are numbered as they come."""
    studies: list[dict[str, Any]] = []
    trials: list[int] = []
    values: dict[int, float] = {}
    messages: dict[str, dict[str, str]] = {}
    for line in by_line(path):
        kind = line.get("op_code") if isinstance(line, dict) else None
        if kind == _STUDY:
            studies.append(line)
            if len(line["directions"]) > 1:
                raise ResultsError(f"'{path}': studies of several objectives have no best value.")
        elif kind == _ATTRIBUTE:
            own = messages.setdefault(studies[line["study_id"]]["study_name"], {})
            own |= {key: str(value) for key, value in line["user_attr"].items()}
        elif kind == _TRIAL:
            trials.append(line["study_id"])
            if line.get("state") == _COMPLETE:  # one that is added as it was
                values[len(trials) - 1] = (line.get("values") or [line.get("value")])[0]
        elif kind == _STATE and line.get("state") == _COMPLETE:
            values[line["trial_id"]] = line["values"][0]
    rows = [
        (studies[study]["study_name"], trial, values[trial], studies[study]["directions"][0])
        for trial, study in enumerate(trials)
        if trial in values
    ]
    frame = pd.DataFrame(rows, columns=["study", "number", "value", "direction"])
    names = {_MAXIMIZE: "MAXIMIZE"}
    return frame.assign(
        direction=frame["direction"].map(lambda d: names.get(d, "MINIMIZE"))
    ), messages


def _plain(value: str) -> str:
    try:
        return str(json.loads(value))
    except ValueError:
        return str(value)


def _read_optuna(source: Source, options: Options) -> LongTable:
    what = shown(source)
    files = own_files(
        source, lambda part: _is_storage(part) or _is_journal(part), "Optuna", beside=_is_optuna
    )
    if not files:
        raise ResultsError(
            f"{what} has the trials of one study: the trials of an optimizer are no samples of it. "
            "Give the storage (.db, or a journal) of studies with several samplers and seeds."
        )
    results = [_journal(file) if _is_journal(Source(file)) else _studies(file) for file in files]
    trials = pd.concat([table for table, _ in results], ignore_index=True)
    messages = {name: of for _, attributes in results for name, of in attributes.items()}
    if trials["study"].nunique() < 2:
        raise ResultsError(
            f"{what} has {trials['study'].nunique()} study with trials; give the studies of "
            "several samplers and seeds."
        )
    if trials["direction"].nunique() > 1:
        raise ResultsError(f"{what}: some studies minimise and some maximise. Give one kind.")
    higher = trials["direction"].iloc[0] == "MAXIMIZE"
    curves = _best_so_far(trials, _about(list(trials["study"].unique()), messages, what), higher)
    shortest = int(curves.groupby(["algorithm", "dataset", "sample"])["step"].max().min())
    step = options.step or str(shortest)
    chosen = at_step(curves, replace(options, step=step), higher, what, "trial")
    return LongTable(
        chosen.frame,
        what,
        name=named(source),
        sampling=seeds(),
        measure="best value",
        measures={"best value": Measure("best value", higher)},
        notes=[Note("best-after-trials", trials=step)],
        called={"algorithm": "sampler", "dataset": "problem", "sample": "seed"},
        options=used(options, measure="best value"),
    )


def _about(
    studies: list[str], messages: Mapping[str, Mapping[str, str]], what: str
) -> dict[str, Run]:
    """The sampler, problem and seed of each study: its attributes, or else its name."""
    words = [re.sub(r"[-:]", "_", study) for study in studies]
    by_name = dict(zip(studies, runs_of(words, what), strict=True))
    results = {}
    for study in studies:
        own = {k.lower(): v for k, v in messages.get(study, {}).items()}
        algorithm = next((own[k] for k in _ALGORITHMS if k in own), None)
        dataset = next((v for k, v in own.items() if role_of(k) == "dataset"), None)
        run = by_name[study]
        results[study] = Run(
            algorithm or run.algorithm, own.get("seed", run.seed), dataset or run.dataset or "study"
        )
    return results


def _best_so_far(trials: pd.DataFrame, about: Mapping[str, Run], higher: bool) -> pd.DataFrame:
    studies = trials.groupby("study", sort=False)
    best = studies["value"].cummax() if higher else studies["value"].cummin()
    return pd.DataFrame(
        {
            "algorithm": trials["study"].map(lambda s: about[s].algorithm),
            "dataset": trials["study"].map(lambda s: about[s].dataset),
            "sample": trials["study"].map(lambda s: about[s].seed),
            "step": studies.cumcount() + 1,
            "value": best,
        }
    )


def _optuna_sample(folder: Path) -> Path:
    """Two samplers, three seeds, two trials each, in the tables of Optuna's storage."""
    with sqlite3.connect(folder / "studies.db") as connection:
        connection.executescript(
            """CREATE TABLE studies (study_id INTEGER, study_name TEXT);
            CREATE TABLE study_directions (study_id INTEGER, direction TEXT, objective INTEGER);
            CREATE TABLE study_user_attributes (study_id INTEGER, key TEXT, value_json TEXT);
            CREATE TABLE trials (trial_id INTEGER, number INTEGER, study_id INTEGER, state TEXT);
            CREATE TABLE trial_values (trial_id INTEGER, objective INTEGER, value REAL);"""
        )
        values = {"tpe": ((9, 1), (8, 2), (9, 3)), "random": ((5, 9), (6, 7), (7, 6))}
        names = [(sampler, seed) for sampler in values for seed in range(3)]
        for study, (sampler, seed) in enumerate(names):
            name = f"sphere-{sampler}-{seed}"
            connection.execute("INSERT INTO studies VALUES (?, ?)", (study, name))
            connection.execute("INSERT INTO study_directions VALUES (?, 'MINIMIZE', 0)", (study,))
            for number, value in enumerate(values[sampler][seed]):
                trial = 2 * study + number
                row = (trial, number, study)
                connection.execute("INSERT INTO trials VALUES (?, ?, ?, 'COMPLETE')", row)
                connection.execute("INSERT INTO trial_values VALUES (?, 0, ?)", (trial, value))
    connection.close()
    return folder / "studies.db"


def _journal_sample(folder: Path) -> Path:
    """The same kind of studies as a journal."""
    worker = {"worker_id": "w"}
    lines: list[dict[str, Any]] = []
    values = {"tpe": ((9, 1), (8, 2), (9, 3)), "random": ((5, 9), (6, 7), (7, 6))}
    names = [(sampler, seed) for sampler in values for seed in range(3)]
    for study, (sampler, seed) in enumerate(names):
        name = f"sphere-{sampler}-{seed}"
        lines.append(worker | {"op_code": _STUDY, "study_name": name, "directions": [1]})
        for number, value in enumerate(values[sampler][seed]):
            ended = {"trial_id": 2 * study + number, "state": _COMPLETE, "values": [value]}
            lines += [worker | {"op_code": _TRIAL, "study_id": study}]
            lines += [worker | {"op_code": _STATE} | ended]
    (folder / "journal.log").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder / "journal.log"


OPTUNA = FORMATS.add(
    Format(
        "optuna",
        "a storage of Optuna (.db, or a journal): studies of samplers and seeds, by best value",
        recognises=any_file(_is_optuna),
        read=_read_optuna,
        samples=[
            Sample(_optuna_sample, order=("tpe", "random")),
            Sample(_journal_sample, order=("tpe", "random")),
        ],
        extensions=["db"],
        title="studies of Optuna",
    )
)
