"""Runs of MLflow: its folders, databases and exported runs, as one table.

MLflow's own package is not needed: its folders are text files, its database is opened read-only.
Runs that have runs below them are left out, and so are those that were deleted or have not ended.
What the columns are is inferred, as of any table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.words.facts import Note
from podium.reading.cells.vocabulary import role_of
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import own_files, shown
from podium.reading.formats.opening import content, database
from podium.reading.formats.record import FORMATS, Format, Sample, Source, text_sample
from podium.reading.formats.tables import read_set
from podium.reading.loading.sources import Loaded

PARENT = "tags.mlflow.parentRunId"
STATES = {"1": "RUNNING", "2": "SCHEDULED", "3": "FINISHED", "4": "FAILED", "5": "KILLED"}
OPEN = ("RUNNING", "SCHEDULED")
KINDS = ("params.", "tags.", "metrics.")
_SYSTEM = ("metrics.system/", "tags.mlflow.")
_TABLES = {"experiments", "metrics", "params", "latest_metrics"}


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


def _load(source: Source) -> Loaded:
    """The runs as rows: parameters, tags and metrics are columns, whose roles are inferred."""
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
    kept = ["experiment"] if "experiment" in frame and frame["experiment"].nunique() > 1 else []
    kept += ["status"] if "status" in frame else []
    own = [c for c in frame.columns if not c.startswith(_SYSTEM)]
    kept += [c for kind in KINDS for c in own if c.startswith(kind)]
    metrics = {c: c.removeprefix("metrics.") for c in kept if c.startswith("metrics.")}
    bare = {c: name for c, name in metrics.items() if name not in frame.columns}
    if "algorithm" not in source.said:
        _check_names(frame[kept], what)
    note = (Note("unfinished-runs", left_out=gone, of=gone + len(frame)),) if gone else ()
    return Loaded("", frame[kept].rename(columns=bare), notes=note)


def _check_names(frame: pd.DataFrame, what: str) -> None:
    """Refuse runs of which one does not say whose it is, or each says something else."""
    for column in (c for c in frame.columns if role_of(c) == "algorithm"):
        gone = frame[column].isna() | (frame[column] == "")
        if gone.any() and not gone.all():
            raise ResultsError(
                f"{what}: {int(gone.sum())} of {len(gone)} runs do not say '{column}', so whose "
                "scores they are is not known. Give the folder of one experiment, or say another "
                "column: --columns algorithm=COLUMN."
            )
        if frame[column].nunique() == len(frame) > 1:
            others = ", ".join(c for c in frame.columns if c != column)
            raise ResultsError(
                f"{what}: every '{column}' has one run, which no test can compare. Log a run per "
                "fold, seed or data set, or say what is compared: --columns "
                f"algorithm=COLUMN,sample=COLUMN (runs say: {others:.200})."
            )


def _leaves(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The runs without runs below them that have ended, and how many have not."""
    if PARENT in frame.columns:
        frame = frame[~frame["run_id"].isin(frame[PARENT].dropna())]
    if "status" not in frame:
        return frame.reset_index(drop=True), 0
    states = frame["status"].astype(str).replace(STATES)
    ended = ~states.isin(OPEN)
    return frame.assign(status=states)[ended].reset_index(drop=True), int((~ended).sum())


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
        read=read_set,
        loads=_load,
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
