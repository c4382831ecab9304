"""Benchmarks of automated learning: AMLB, TabArena, OpenML's evaluations, AutoGluon's leaderboards.

All are tables whose columns mislead: AMLB's `result` mixes measures, TabArena's `metric_error` is
lower-is-better whatever the metric, OpenML's ids are numbers. What is what is known here.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import (
    asked,
    folds,
    labels,
    measure,
    named,
    refuse_step,
    shown,
    used,
)
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source, text_sample
from podium.reading.formats.tool_tables import frames, has_columns, in_any, numbers
from podium.samplings import CV, Sampling
from podium.words.facts import REMARK, Note

# -- AMLB -----------------------------------------------------------------------------------------

_AMLB = has_columns("task", "framework", "fold", "result")
_AMLB_METRICS = ("auc", "logloss", "acc", "balacc", "rmse", "mae", "r2", "f1", "pac", "msle")
_VERSIONS = ("constraint", "mode", "version", "tag", "params")


def _read_amlb(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    frame = frames(source, _AMLB, "AMLB").reset_index(drop=True)
    about = pd.DataFrame(
        {
            "algorithm": _framework(frame),
            "dataset": frame["task"].astype(str),
            "fold": numbers(frame["fold"], what),
        }
    )
    tables = _amlb_scores(frame, about, what)
    if not tables:
        raise ResultsError(
            f"{what}: 'result' of AMLB mixes measures, and no column says which. Give results "
            "with the columns metric, or auc, logloss and so on."
        )
    long = pd.concat(tables, ignore_index=True)
    long = long.drop_duplicates()
    known = {name: m for name in long["measure"].unique() if (m := measure(name)) is not None}
    return LongTable(
        long,
        what,
        name=named(source),
        sampling=folds(long),
        measures=known,
        called={"algorithm": "framework", "dataset": "task", "sample": "fold"},
        options=used(options, measure=asked(options, long["measure"].unique())),
    )


def _framework(frame: pd.DataFrame) -> pd.Series:
    """The framework, with the constraint, version ... where it was run twice on a fold."""
    name = frame["framework"].astype(str)
    for column in _VERSIONS:
        again = pd.concat([frame[["task", "fold"]], name.rename("name")], axis=1).duplicated()
        if not again.any():
            break
        if column in frame.columns and frame[column].nunique() > 1:
            message = frame[column].astype(str)
            name = name.where(message.isin(("", "nan", "None")), name + " " + message)
    return name


def _amlb_scores(frame: pd.DataFrame, about: pd.DataFrame, what: str) -> list[pd.DataFrame]:
    """The scores by measure: of the metric that each task was judged by, and of all others."""
    tables = []
    if "metric" in frame.columns:
        metric = frame["metric"].astype(str).str.strip()
        result = numbers(frame["result"], what)
        metric = metric.where(~metric.isin(("", "nan", "None")))
        metric = metric.fillna(metric.groupby(about["dataset"]).transform("first"))
        kept = metric.notna()
        message = _failures_told(frame, result)
        tables.append(about.assign(measure=metric, value=message)[kept])
    else:
        columns = [c for c in _AMLB_METRICS if c in frame.columns]
        for column in columns:
            values = numbers(frame[column], what)
            has = values.groupby(about["dataset"]).transform("count") > 0
            if has.any():
                message = _failures_told(frame, values)
                tables.append(about.assign(measure=column, value=message)[has])
    return tables


def _failures_told(frame: pd.DataFrame, values: pd.Series) -> pd.Series:
    """The scores with a word where a run has none and `info` says why."""
    if "info" not in frame.columns:
        return values
    info = frame["info"].astype(str).str.strip()
    failed = values.isna() & ~info.isin(("", "nan", "None"))
    return values.astype(object).where(~failed, "failed") if failed.any() else values


AMLB = FORMATS.add(
    Format(
        "amlb",
        "results.csv of the AutoML benchmark: frameworks on tasks, by folds",
        recognises=in_any(_AMLB),
        read=_read_amlb,
        samples=[
            text_sample(
                "results.csv",
                "id,task,framework,fold,result,mode,info,acc,auc,logloss\n"
                "1,one,slow,0,0.6,local,,0.5,0.6,\n1,one,slow,1,0.7,local,,0.5,0.7,\n"
                "1,one,fast,0,0.9,local,,0.5,0.9,\n1,one,fast,1,0.8,local,,0.5,0.8,\n"
                "2,two,slow,0,0.9,local,,0.4,,0.9\n2,two,slow,1,0.8,local,,0.4,,0.8\n"
                "2,two,fast,0,0.3,local,,0.6,,0.3\n2,two,fast,1,,local,timeout,,,\n",
                order=("fast", "slow"),
            )
        ],
        extensions=["csv"],
        title="AMLB results",
    )
)


# -- TabArena -------------------------------------------------------------------------------------

_TABARENA = has_columns("method", "dataset", "metric_error", "metric")
FOLDS = 3  # of every repeat in TabArena, whose splits are numbered through


def _read_tabarena(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    frame = frames(source, _TABARENA, "TabArena").reset_index(drop=True)
    names = frame["metric"].astype(str) + " error"
    long = pd.DataFrame(
        {
            "algorithm": frame["method"].astype(str),
            "dataset": frame["dataset"].astype(str),
            "measure": names,
            "value": numbers(frame["metric_error"], what),
        }
    )
    if "fold" in frame.columns:
        split = numbers(frame["fold"], what).astype(int)
        repeat = numbers(frame["repeat"], what).astype(int) if "repeat" in frame.columns else None
        repeated = repeat is None and _is_numbered_through(split, long["dataset"])
        repeat = split // FOLDS if repeated else repeat
        long = long.assign(fold=split % FOLDS if repeated else split)
        long = long if repeat is None else long.assign(repeat=repeat)
    results = {str(name): Measure(str(name), False) for name in names.unique()}
    return LongTable(
        long,
        what,
        name=named(source),
        sampling=folds(long),
        measures=results,
        called={"algorithm": "method", "sample": "split"},
        options=used(options, measure=_of_metric(options, results)),
    )


def _is_numbered_through(split: pd.Series, dataset: pd.Series) -> bool:
    """Whether the splits of every data set are 0, 1, 2 ..., whole repeats of `FOLDS`."""
    result = split.groupby(dataset).agg(["min", "max", "nunique"])
    whole = (result["min"] == 0) & (result["max"] + 1 == result["nunique"])
    return bool((whole & (result["nunique"] % FOLDS == 0)).all() and result["max"].max() >= FOLDS)


def _of_metric(options: Options, names: Iterable[str]) -> str | None:
    """The measure asked for, also by the name of its metric."""
    wanted = options.measure
    if wanted is None or wanted == "metric_error":
        return next(iter(names)) if wanted and len({*names}) == 1 else wanted
    return f"{wanted} error" if f"{wanted} error" in {*names} else wanted


TABARENA = FORMATS.add(
    Format(
        "tabarena",
        "results of TabArena by split, whose metric_error is better when lower, by any metric",
        recognises=in_any(_TABARENA),
        read=_read_tabarena,
        samples=[
            text_sample(
                "results.csv",
                "dataset,fold,method,metric_error,metric\n"
                "d,0,a,0.1,roc_auc\nd,1,a,0.2,roc_auc\nd,2,a,0.1,roc_auc\n"
                "d,0,b,0.3,roc_auc\nd,1,b,0.2,roc_auc\nd,2,b,0.4,roc_auc\n",
                order=("a", "b"),
            )
        ],
        extensions=["parquet", "csv"],
        title="TabArena results",
    )
)


# -- OpenML ---------------------------------------------------------------------------------------

_OPENML = has_columns("run_id", "task_id", "function", "value")
_LOWER = ("error", "entropy_gain_ratio", "build_cpu_time", "build_memory", "usercpu_time")
_HIGHER = (
    "predictive_accuracy",
    "area_under_roc_curve",
    "f_measure",
    "kappa",
    "precision",
    "recall",
    "weighted_recall",
    "matthews_correlation_coefficient",
    "kb_relative_information_score",
)


def _read_openml(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    frame = frames(source, _OPENML, "OpenML's evaluations").reset_index(drop=True)
    about = pd.DataFrame(
        {
            "algorithm": _flow(frame, what),
            "dataset": frame.get("data_name", frame["task_id"]).astype(str),
            "measure": frame["function"].astype(str),
        }
    )
    tasks = frame.groupby(about["dataset"])["task_id"].nunique()
    if (tasks > 1).any():  # one data set in several tasks
        about["dataset"] += " (task " + frame["task_id"].astype(str) + ")"
    by_fold = [_list_of(cell) for cell in frame["values"]] if "values" in frame.columns else []
    long, sampling = _with_folds(about, frame, by_fold, what)
    keys = [c for c in long.columns if c != "value"]
    means = long.groupby(keys, sort=False)["value"].mean().reset_index()
    again = len(long) - len(means)
    measures = {str(n): m for n in means["measure"].unique() if (m := _openml_measure(str(n)))}
    return LongTable(
        means,
        what,
        name=named(source),
        sampling=sampling,
        measures=measures,
        notes=[Note("averaged-runs", REMARK, scores=again)] if again else [],
        called={"algorithm": "flow", "sample": "fold"},
        options=used(options, measure=asked(options, means["measure"].unique())),
    )


def _flow(frame: pd.DataFrame, what: str) -> pd.Series:
    """The flow, with its setup where a flow has several."""
    if "flow_name" not in frame.columns:
        raise ResultsError(
            f"{what} names flows by numbers alone. List the evaluations with output_format="
            "'dataframe', which has the column flow_name."
        )
    name = frame["flow_name"].astype(str)
    if "setup_id" in frame.columns:
        several = frame.groupby("flow_name")["setup_id"].nunique()
        many = frame["flow_name"].map(several) > 1
        name = name.where(~many, name + " setup " + frame["setup_id"].astype(str))
    return name


def _list_of(cell: Any) -> list[float]:
    """The scores of the folds in a cell: a list, or its text."""
    if isinstance(cell, str):
        try:
            cell = json.loads(cell)
        except ValueError:
            try:
                cell = ast.literal_eval(cell)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return []
    if not isinstance(cell, (list, tuple, np.ndarray)):
        return []
    scores = [math.nan if v is None else v for v in cell]  # a fold without one keeps its place
    return [float(v) for v in scores] if all(map(_is_number, scores)) else []


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number))


def _with_folds(
    about: pd.DataFrame, frame: pd.DataFrame, by_fold: list[list[float]], what: str
) -> tuple[pd.DataFrame, Sampling | None]:
    if not by_fold or not all(len(values) > 1 for values in by_fold):
        return about.assign(value=numbers(frame["value"], what)), None
    counts = [len(values) for values in by_fold]
    long = about.loc[about.index.repeat(counts)].reset_index(drop=True)
    long["fold"] = [fold for n in counts for fold in range(1, n + 1)]
    long["value"] = [value for values in by_fold for value in values]
    return long, Sampling(CV.name)


def _openml_measure(name: str) -> Measure | None:
    higher = True if name in _HIGHER else False if name in _LOWER or "error" in name else None
    return measure(name, higher)


OPENML = FORMATS.add(
    Format(
        "openml-evaluations",
        "evaluations listed by OpenML: flows on tasks, by folds where these are listed",
        recognises=in_any(_OPENML),
        read=_read_openml,
        samples=[
            text_sample(
                "evaluations.csv",
                "run_id,task_id,flow_name,flow_id,data_name,function,value,values\n"
                '1,59,a(1),7,iris,predictive_accuracy,0.8,"[0.7, 0.9]"\n'
                '2,59,b(1),8,iris,predictive_accuracy,0.6,"[0.5, 0.7]"\n'
                '3,60,a(1),7,wine,predictive_accuracy,0.9,"[0.9, 0.9]"\n'
                '4,60,b(1),8,wine,predictive_accuracy,0.7,"[0.8, 0.6]"\n',
                order=("a(1)", "b(1)"),
            )
        ],
        extensions=["csv"],
        title="OpenML evaluations",
    )
)


# -- AutoGluon ------------------------------------------------------------------------------------


def _is_autogluon(source: Source) -> bool:
    names = {*source.columns}
    return {"model", "score_val"} <= names and bool({"fit_time", "pred_time_val"} & names)


def _read_autogluon(source: Source, options: Options) -> LongTable:
    """Leaderboards of several data sets, one in each file; one alone has no blocks."""
    refuse_step(options)
    what = shown(source)
    frame = frames(source, _is_autogluon, "AutoGluon")
    if "file" not in frame.columns or frame["file"].nunique() < 2:
        raise ResultsError(
            f"{what} is a leaderboard of AutoGluon: one score per model, which tells no difference "
            "from chance. Give the leaderboards of several data sets (podium analyze "
            "*/leaderboard.csv), or a score per fold or test item."
        )
    column = "score_test" if "score_test" in frame.columns else "score_val"
    metric = frame["eval_metric"].astype(str) if "eval_metric" in frame.columns else column
    long = pd.DataFrame(
        {
            "algorithm": frame["model"].astype(str),
            "dataset": frame["file"].map(labels(frame["file"].unique())),
            "measure": metric,
            "value": numbers(frame[column], what),
        }
    )
    # AutoGluon turns every loss so that higher is better
    known = {str(n): Measure(str(n), True) for n in long["measure"].unique()}
    return LongTable(
        long,
        what,
        name=named(source),
        measures=known,
        called={"algorithm": "model"},
        options=used(options, measure=asked(options, known)),
    )


def _autogluon_sample(folder: Path) -> list[Path]:
    for dataset, scores in {"iris": (0.9, 0.8), "wine": (0.7, 0.5), "zoo": (0.8, 0.7)}.items():
        (folder / dataset).mkdir()
        rows = [f"{m},{s},{s},accuracy,1.0" for m, s in zip("ab", scores, strict=True)]
        head = "model,score_test,score_val,eval_metric,fit_time"
        (folder / dataset / "leaderboard.csv").write_text("\n".join([head, *rows]))
    return [folder / d / "leaderboard.csv" for d in ("iris", "wine", "zoo")]


AUTOGLUON = FORMATS.add(
    Format(
        "autogluon",
        "leaderboards of AutoGluon, one file per data set",
        recognises=in_any(_is_autogluon),
        read=_read_autogluon,
        samples=[Sample(_autogluon_sample, order=("a", "b"))],
        extensions=["csv"],
        title="AutoGluon leaderboards",
    )
)
