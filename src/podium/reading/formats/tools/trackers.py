"""Experiment trackers: MLflow (folders, databases, exported runs) and Weights & Biases (exports).

MLflow's own package is not needed: its folders are text files, its database is opened read-only.
Runs that have runs below them are left out, and so are those that were deleted or have not ended.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options, plain, role_of, way_out
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import (
    asked,
    folds,
    measure,
    named,
    own_files,
    refuse_step,
    seeds,
    shown,
)
from podium.reading.formats.opening import content, database
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source, text_sample
from podium.samplings import Sampling
from podium.words.facts import REMARK, Note

# -- tracked runs ---------------------------------------------------------------------------------
# Runs with parameters and metrics, as experiment trackers keep them: which is what.
#
# A run is a row; columns of parameters and tags say of which algorithm, data set, fold or seed
# it is: by their names, or by what the caller says. MLflow's and W&B's files become such rows
# (`trackers`).


ROLES = ("algorithm", "dataset", "repeat", "fold", "seed", "sample", "item", "cluster")
_PREFIX = re.compile(r"^(params|tags|config|hyperparameters)[./]", re.IGNORECASE)


def stem(column: str) -> str:
    """A column less the kind that stands before it: `params.model` is `model`."""
    return _PREFIX.sub("", column)


def read_runs(
    frame: pd.DataFrame,
    about: Sequence[str],
    scores: Sequence[str],
    options: Options,
    what: str,
    name: str,
) -> LongTable:
    """The long table of runs: `about` are columns of parameters, `scores` those of metrics."""
    refuse_step(options)
    frame, about = _joined(frame, about, options, what)
    roles = _roles(frame, about, options, what)
    kept, measures, left_out = _scores(frame, scores, options, what)
    if "seed" in roles:
        roles = {r: c for r, c in roles.items() if r != "sample"}
    named_so = {"seed": "sample"}  # a block of the table
    rows = pd.DataFrame({named_so.get(r, r): frame[c].astype(str) for r, c in roles.items()})
    long = pd.concat(
        [rows.assign(measure=label, value=frame[c]) for c, label in kept.items()], ignore_index=True
    )
    _check_blocks(long, roles, about, what)
    long, sampling = _designed(long, roles)
    notes = [Note("columns-of-runs", REMARK, **roles)]
    notes += [Note("unread-measures", REMARK, names=tuple(left_out))] if left_out else []
    return LongTable(
        long,
        what,
        name=name,
        sampling=options.sampling or sampling,
        measures=measures,
        notes=notes,
        called={"sample": _noun(roles)},
        options=replace(options, columns={}, measure=asked(options, kept.values())),
    )


def _joined(
    frame: pd.DataFrame, about: Sequence[str], options: Options, what: str
) -> tuple[pd.DataFrame, list[str]]:
    """The runs with a column `a+b` where the caller joins a and b."""
    columns = list(about)
    for name in (n for names in options.columns.values() for n in names):
        if "+" in name and name not in columns:
            parts = [_column(part.strip(), about, what) for part in name.split("+")]
            texts = [frame[c].astype(object).where(frame[c].notna(), "").astype(str) for c in parts]
            cells = [" / ".join(row) for row in zip(*texts, strict=True)]
            frame, columns = frame.assign(**{name: cells}), [*columns, name]
    return frame, columns


def _noun(roles: dict[str, str]) -> str:
    block = next((r for r in ("item", "fold", "seed", "sample") if r in roles), "run")
    return plain(stem(roles[block])) if block == "sample" else block


def _roles(
    frame: pd.DataFrame, about: Sequence[str], options: Options, what: str
) -> dict[str, str]:
    """The column of each role: said, or told by its name where it holds something."""
    filled = [c for c in about if frame[c].notna().any()]
    roles = {}
    for role, names in options.columns.items():
        if role == "ignore":
            continue
        if role not in ROLES:
            raise ResultsError(f"In columns: runs have no '{role}'. Say {', '.join(ROLES)}.")
        roles[role] = _column(names[0], filled, what)
    ignored = options.columns.get("ignore", [])
    for role in ROLES:
        free = [c for c in filled if c not in ignored and not _is_taken(c, roles)]
        results = [c for c in free if role_of(stem(c)) == role and role not in roles]
        if len(results) > 1:
            raise ResultsError(
                f"{what} has {len(results)} columns that may be the {role}: {', '.join(results)}. "
                "Say which: "
                f"{way_out(options.columns, **{role: results[0], 'ignore': results[1:]})}."
            )
        if results:
            roles[role] = results[0]
    if "algorithm" not in roles:
        raise ResultsError(_without_algorithm(frame, filled, what))
    gone = frame[roles["algorithm"]].isna()
    if gone.any():
        raise ResultsError(
            f"{what}: {int(gone.sum())} of {len(gone)} runs do not say '{roles['algorithm']}', so "
            "whose scores they are is not known. Give the folder of one experiment, or say another "
            "column: --columns algorithm=COLUMN."
        )
    return roles


def _is_taken(column: str, roles: dict[str, str]) -> bool:
    """Whether a column has a role, or is a part of one that has."""
    parts = {stem(part.strip()) for joined in roles.values() for part in joined.split("+")}
    return column in roles.values() or stem(column) in parts


def _column(name: str, columns: Sequence[str], what: str) -> str:
    result = [c for c in columns if c == name] or [c for c in columns if stem(c) == name]
    if not result:
        known = f"{', '.join(columns):.300}"
        raise ResultsError(f"{what}: runs have no '{name}'. They have: {known}.")
    return result[0]


def _without_algorithm(frame: pd.DataFrame, columns: Sequence[str], what: str) -> str:
    repeated = [c for c in columns if 1 < frame[c].nunique() < len(frame)]
    known = f"{', '.join(columns):.200}" or "nothing"
    example = (repeated or list(columns) or ["params.model"])[0]
    return (
        f"{what}: no parameter or tag of the {len(frame)} runs is called model or algorithm, so "
        f"what is compared must be said, and what tells its runs apart: --columns "
        f"algorithm={example},sample=COLUMN. Runs say: {known}."
    )


def _scores(
    frame: pd.DataFrame, scores: Sequence[str], options: Options, what: str
) -> tuple[dict[str, str], dict[str, Measure], list[str]]:
    """The columns of scores with their names, what is known of these, and those left out."""
    names = {c: c.removeprefix("metrics.") for c in scores if frame[c].notna().any()}
    if not names:
        raise ResultsError(f"{what}: no run has a metric.")
    wanted = asked(options, names.values())
    known = {label: m for label in names.values() if (m := measure(label)) is not None}
    if wanted is not None:
        kept = {c: label for c, label in names.items() if label == wanted}
        kept = kept or names  # whose error names them
    else:
        kept = {c: label for c, label in names.items() if label in known} or names
    left_out = [label for label in names.values() if label not in kept.values()]
    return kept, known, [] if wanted else left_out


def _check_blocks(
    long: pd.DataFrame, roles: dict[str, str], about: Sequence[str], what: str
) -> None:
    """Refuse one score per algorithm: nothing can be said of it."""
    cell = [r for r in ("algorithm", "dataset") if r in roles]
    alone = long.groupby([*cell, "measure"]).size().max() == 1
    one = "dataset" not in roles or long["dataset"].nunique() == 1
    if alone and one:
        free = [c for c in about if c not in roles.values()]
        some = f" (runs say: {', '.join(free):.200})" if free else ""
        raise ResultsError(
            f"{what}: every '{roles['algorithm']}' has one run, which no test can compare. Log a "
            "run per fold, seed or data set, or say what is compared: --columns "
            f"algorithm=COLUMN,sample=COLUMN{some}."
        )


def _designed(long: pd.DataFrame, roles: dict[str, str]) -> tuple[pd.DataFrame, Sampling | None]:
    """The design that the columns tell: folds, seeds, or runs that nothing numbers."""
    if "fold" in roles:
        return long, folds(long)
    if "seed" in roles or "sample" in roles:
        return long, seeds() if "seed" in roles else None
    if "item" in roles or "repeat" in roles:
        return long, None
    cell = [c for c in long.columns if c != "value"]
    if not long.duplicated(cell).any():
        return long, None
    return long.assign(sample=long.groupby(cell).cumcount() + 1), seeds()


# -- trackers -------------------------------------------------------------------------------------


PARENT = "tags.mlflow.parentRunId"
ENDED = ("FINISHED", "3")  # folders number the states
_SYSTEM = ("metrics.system/", "tags.mlflow.")
_TABLES = {"experiments", "metrics", "params", "latest_metrics"}


# -- MLflow -----------------------------------------------------------------------------------


def _is_run(part: Source) -> bool:
    """The meta.yaml of a run."""
    begin = part.head
    return part.paths[0].name == "meta.yaml" and b"run_id:" in begin and b"experiment_id:" in begin


def _is_database(part: Source) -> bool:
    return part.tables >= _TABLES


def _is_export(source: Source) -> bool:
    """Columns of `mlflow.search_runs`."""
    names = source.columns
    kinds = {name.partition(".")[0] for name in names if "." in name}
    return "run_id" in names and "metrics" in kinds and bool(kinds & {"params", "tags"})


def _is_mlflow(part: Source) -> bool:
    return _is_run(part) or _is_database(part) or (bool(part.paths) and _is_export(part))


def _recognises(source: Source) -> bool:
    return any(map(_is_mlflow, source.parts)) if source.paths else _is_export(source)


def _read_mlflow(source: Source, options: Options) -> LongTable:
    what = shown(source)
    if not source.paths:
        results = [tabular(source.given).frame]
    else:
        files = own_files(source, _is_mlflow, "MLflow", beside=lambda part: True)
        results = [_runs_of(file) for file in files]
    frame = pd.concat(results, ignore_index=True) if results else pd.DataFrame()
    if not len(frame):
        raise ResultsError(f"{what}: MLflow has no run here.")
    frame, gone = _leaves(frame)
    if not len(frame):
        raise ResultsError(f"{what}: no run of MLflow has ended.")
    about = [c for c in frame.columns if c.startswith(("params.", "tags."))]
    about = [c for c in about if not c.startswith(_SYSTEM)]
    about += ["experiment"] if "experiment" in frame and frame["experiment"].nunique() > 1 else []
    scores = [c for c in frame.columns if c.startswith("metrics.") and not c.startswith(_SYSTEM)]
    frame = frame.assign(**{c: _numbers(frame[c], c, what) for c in scores})
    made = read_runs(frame, about, scores, options, what, named(source))
    return _noted(made, gone, len(frame))


def _numbers(column: pd.Series, name: str, what: str) -> pd.Series:
    numbers = pd.to_numeric(column.replace("", None), errors="coerce")
    odd = numbers.isna() & column.replace("", None).notna() & (column.astype(str) != "nan")
    if odd.any():
        raise ResultsError(f"{what}, '{name}': {column[odd].iloc[0]!r:.60} is no number.")
    return numbers.where(numbers.abs() != math.inf)


def _noted(made: LongTable, gone: int, kept: int) -> LongTable:
    note = [Note("unfinished-runs", left_out=gone, of=gone + kept)] if gone else []
    return replace(made, notes=(*made.notes, *note))


def _leaves(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The runs without runs below them that have ended, and how many have not."""
    if PARENT in frame.columns:
        frame = frame[~frame["run_id"].isin(frame[PARENT].dropna())]
    ended = (
        frame["status"].astype(str).isin(ENDED) if "status" in frame else frame["run_id"].notna()
    )
    return frame[ended].reset_index(drop=True), int((~ended).sum())


def _runs_of(path: Path) -> pd.DataFrame:
    """The runs in one file: a run's folder, a database or an export."""
    if path.name == "meta.yaml":
        return pd.DataFrame(list(_folder_run(path)))
    if _is_database(Source(path)):
        return _database_runs(path)
    table = tabular(path).frame
    return table.where(table != "", None)


def _folder_run(meta: Path) -> Iterable[dict[str, Any]]:
    message = dict(_lines(content(meta).decode("utf-8", "replace")))
    if message.get("lifecycle_stage", "active") != "active":
        return
    run: dict[str, Any] = {"run_id": message.get("run_id") or message.get("run_uuid")}
    run |= {"status": message.get("status"), "experiment": message.get("experiment_id")}
    for kind in ("params", "tags"):
        folder = meta.parent / kind
        for file in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if file.is_file():
                text = content(file).decode("utf-8", "replace").strip()
                run[f"{kind}.{file.relative_to(folder).as_posix()}"] = text
    folder = meta.parent / "metrics"
    for file in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if file.is_file():
            run[f"metrics.{file.relative_to(folder).as_posix()}"] = _last_value(file)
    yield run


def _lines(text: str) -> Iterable[tuple[str, str]]:
    """Keys and plain values of a YAML file as MLflow writes it."""
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon and key[:1].strip():
            yield key, value.strip().strip("'\"")


def _last_value(file: Path) -> float | None:
    """The value of the last step: lines are time, value and step."""
    rows = [line.split() for line in content(file).decode("utf-8", "replace").splitlines()]
    try:
        last = max((int(r[2]) if len(r) > 2 else 0, int(r[0]), float(r[1])) for r in rows if r)
    except (ValueError, IndexError):
        raise ResultsError(f"'{file}' is no metric of MLflow (time, value, step).") from None
    return last[2]


def _database_runs(path: Path) -> pd.DataFrame:
    with database(path) as connection:
        names = dict(connection.execute("SELECT experiment_id, name FROM experiments"))
        runs = {
            str(run): {"run_id": str(run), "status": status, "experiment": names.get(experiment)}
            for run, status, experiment in connection.execute(
                "SELECT run_uuid, status, experiment_id FROM runs WHERE lifecycle_stage = 'active'"
                " ORDER BY start_time, run_uuid"
            )
        }
        for kind in ("params", "tags"):
            for run, key, value in connection.execute(f"SELECT run_uuid, key, value FROM {kind}"):
                if run in runs:
                    runs[run][f"{kind}.{key}"] = value
        query = "SELECT run_uuid, key, value, is_nan FROM latest_metrics"
        for run, key, value, is_nan in connection.execute(query):
            if run in runs:
                runs[run][f"metrics.{key}"] = None if is_nan else value
    return pd.DataFrame(list(runs.values()))


def _folder_sample(folder: Path) -> Path:
    """Two models, three folds each, and the parent of a model's runs."""
    scores = {"svm": (0.9, 0.8, 0.85), "knn": (0.7, 0.75, 0.8)}
    for model, values in scores.items():
        for fold, value in [(-1, None), *enumerate(values)]:
            run = folder / "mlruns" / "1" / f"{model}{fold}"
            params = {"model": model} | ({"fold": str(fold)} if fold >= 0 else {})
            tags = {"mlflow.parentRunId": f"{model}-1"} if fold >= 0 else {}
            metrics = {} if value is None else {"accuracy": f"1700000000 {value} 0\n"}
            meta = f"experiment_id: '1'\nlifecycle_stage: active\nrun_id: {run.name}\nstatus: 3\n"
            _write(run, {"params": params, "tags": tags, "metrics": metrics}, meta)
    return folder / "mlruns"


def _write(run: Path, kinds: Mapping[str, Mapping[str, str]], meta: str) -> None:
    run.mkdir(parents=True)
    (run / "meta.yaml").write_text(meta)
    for kind, entries in kinds.items():
        (run / kind).mkdir()
        for key, text in entries.items():
            (run / kind / key).write_text(text)


MLFLOW = FORMATS.add(
    Format(
        "mlflow",
        "runs of MLflow: a folder mlruns, a database mlflow.db, or a table of search_runs",
        recognises=_recognises,
        read=_read_mlflow,
        samples=[
            Sample(_folder_sample, order=("svm", "knn")),
            text_sample(
                "search_runs.csv",
                "run_id,status,metrics.rmse,params.model,params.seed\n"
                "a,FINISHED,0.5,old,1\nb,FINISHED,0.6,old,2\nc,FINISHED,0.3,new,1\n"
                "d,FINISHED,0.2,new,2\ne,RUNNING,,new,3\n",
                order=("new", "old"),
            ),
        ],
        extensions=["db", "csv"],
        title="MLflow runs",
    )
)


# -- Weights & Biases -----------------------------------------------------------------------------

_STATES = {"finished", "running", "crashed", "failed", "killed", "preempted", "preempting"}
_ADMIN = {"Name", "State", "Notes", "User", "Tags", "Created", "Runtime", "Sweep", "ID", "Group"}
_ADMIN |= {"Job Type", "Updated", "End Time", "Start Time", "Hostname", "Description", "Commit"}


def _is_wandb(source: Source) -> bool:
    return {"Name", "State"} <= {*source.columns} and len(source.columns) > 2


def _recognises_wandb(source: Source) -> bool:
    return any(map(_is_wandb, source.parts)) if source.paths else _is_wandb(source)


def _read_wandb(source: Source, options: Options) -> LongTable:
    what = shown(source)
    files = own_files(source, _is_wandb, "Weights & Biases") if source.paths else [source.given]
    frame = pd.concat([tabular(file).frame for file in files], ignore_index=True)
    frame = frame.where(frame != "", None)
    states = frame["State"].astype(str).str.lower()
    if not states.isin(_STATES).all():
        odd = frame["State"][~states.isin(_STATES)].iloc[0]
        raise ResultsError(f"{what}, column 'State': '{odd}' is no state of a run of W&B.")
    kept = frame[states == "finished"].reset_index(drop=True)
    if not len(kept):
        raise ResultsError(f"{what}: no run has finished.")
    free = [c for c in kept.columns if c not in _ADMIN]
    numbers = {c: pd.to_numeric(kept[c], errors="coerce") for c in free}
    scores = [c for c in free if numbers[c].notna().any() and _is_score(c, kept, numbers[c])]
    about = [c for c in free if c not in scores]
    kept = kept.assign(**{c: numbers[c] for c in scores})
    made = read_runs(kept, about, scores, options, what, named(source))
    return _noted(made, int((states != "finished").sum()), len(kept))


def _is_score(column: str, frame: pd.DataFrame, numbers: pd.Series) -> bool:
    whole = (numbers.dropna() % 1 == 0).all()
    text = numbers.isna() & frame[column].notna()
    known = measure(column) is not None
    if text.any() or role_of(column) in ROLES:
        return False
    return known or "/" in column or not whole


WANDB = FORMATS.add(
    Format(
        "wandb",
        "a table of runs exported from Weights & Biases",
        recognises=_recognises_wandb,
        read=_read_wandb,
        samples=[
            text_sample(
                "wandb_export.csv",
                "Name,State,model,seed,val/accuracy\n"
                "a,finished,svm,0,0.9\nb,finished,svm,1,0.8\nc,finished,svm,2,0.85\n"
                "d,finished,knn,0,0.6\ne,finished,knn,1,0.65\nf,crashed,knn,2,\n",
                order=("svm", "knn"),
            )
        ],
        extensions=["csv"],
        title="runs of Weights & Biases",
    )
)
