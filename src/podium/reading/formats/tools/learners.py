"""Results of libraries of learners: aeon and tsml, WEKA's experimenter, caret, tidymodels."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import (
    any_file,
    asked,
    folds,
    labels,
    measure,
    named,
    own_files,
    refuse_step,
    shown,
    used,
)
from podium.reading.formats.opening import content
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source, text_sample
from podium.reading.formats.tool_tables import frames, has_columns, in_any, numbers
from podium.samplings import BOOTSTRAP, SUBSAMPLING, Sampling

# -- aeon and tsml --------------------------------------------------------------------------------

_RESAMPLES = ("resampl", "folds")  # how the head of the data sets begins


def _is_aeon(part: Source) -> bool:
    """A row per data set, and a column per resample, numbered from 0."""
    first, *rest = part.columns or ("",)
    whole = len(rest) > 1 and all(head.isdecimal() for head in rest)
    return (
        first.lower().startswith(_RESAMPLES)
        and whole
        and [int(head) for head in rest] == list(range(int(rest[0]), int(rest[0]) + len(rest)))
    )


def _read_aeon(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    tables = []
    for file in own_files(source, _is_aeon, "aeon"):
        name, _, metric = file.name.partition(".csv")[0].rpartition("_")
        frame = tabular(file).frame
        head = frame.columns[0]
        long = frame.rename(columns={head: "dataset"}).melt("dataset", var_name="sample")
        long["value"] = numbers(long["value"], f"'{file}'")
        tables.append(long.assign(algorithm=name or metric, measure=metric if name else "accuracy"))
    long = pd.concat(tables, ignore_index=True)
    long = long[long.groupby(["dataset", "sample"])["value"].transform("count") > 0]
    results = {n: m for n in long["measure"].unique() if (m := measure(n)) is not None}
    several = long["sample"].nunique() > 1
    return LongTable(
        long.reset_index(drop=True),
        what,
        name=named(source),
        sampling=Sampling(SUBSAMPLING.name) if several else None,
        measures=results,
        called={"algorithm": "classifier", "sample": "split"},
        options=used(options, measure=asked(options, results)),
    )


def _aeon_sample(folder: Path) -> Path:
    scores = {"HC2": ((0.9, 0.8), (0.7, 0.8)), "ROCKET": ((0.8, 0.7), (0.6, 0.7))}
    for name, rows in scores.items():
        lines = [f"{d},{a},{b}" for d, (a, b) in zip(("ACSF1", "Adiac"), rows, strict=True)]
        (folder / f"{name}_accuracy.csv").write_text("\n".join(["Resamples:,0,1", *lines]))
    return folder


AEON = FORMATS.add(
    Format(
        "aeon",
        "files NAME_accuracy.csv of aeon, tsml and sktime: data sets by resamples",
        recognises=any_file(_is_aeon),
        read=_read_aeon,
        samples=[Sample(_aeon_sample, order=("HC2", "ROCKET"))],
        extensions=["csv"],
        title="aeon results",
    )
)


# -- WEKA -----------------------------------------------------------------------------------------

_WEKA = has_columns("Key_Dataset", "Key_Run", "Key_Scheme")
_PERCENT = {"Percent_correct": True, "Percent_incorrect": False, "Percent_unclassified": False}
_WEKA_KNOWN = _PERCENT | {"Kappa_statistic": True, "Area_under_ROC": True, "F_measure": True}
_WEKA_KNOWN |= {"Weighted_avg_area_under_ROC": True, "Weighted_avg_F_measure": True}
_WEKA_KNOWN |= {"Matthews_correlation": True, "Correlation_coefficient": True}
_WEKA_KNOWN |= {"Mean_absolute_error": False, "Root_mean_squared_error": False}
_WEKA_KNOWN |= {"Relative_absolute_error": False, "Root_relative_squared_error": False}
_ATTRIBUTE = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\"[^\"]*\"|\S+)", re.IGNORECASE)


def _is_arff(part: Source) -> bool:
    begin = part.head[:20_000].lower()
    return begin.lstrip()[:9] == b"@relation" and b"@attribute key_scheme" in begin


def _is_weka(source: Source) -> bool:
    return bool(_WEKA(source)) or (bool(source.paths) and _is_arff(source))


def _arff(path: Path) -> pd.DataFrame:
    """The cells of an ARFF file as text."""
    parts = re.split(r"(?im)^\s*(@data)\b.*$", _utf8(path), maxsplit=1)
    head, data, body = (*parts, "", "")[:3]
    names = [name.strip("'\"") for name in _ATTRIBUTE.findall(head)]
    lines = [line for line in body.splitlines() if line.strip() and line.lstrip()[0] != "%"]
    rows = list(csv.reader(io.StringIO("\n".join(lines)), quotechar="'", escapechar="\\"))
    if not data or not names:
        raise ResultsError(f"'{path}' is no whole ARFF file: it has no @data. Write it again.")
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise ResultsError(
                f"'{path}', row {number}: {len(row)} values where there are {len(names)} "
                "attributes. It seems to be cut off."
            )
    return pd.DataFrame(rows, columns=names).replace("?", None)


def _utf8(path: Path) -> str:
    return content(path).decode("utf-8", "replace")


def _weka_table(source: Source) -> pd.DataFrame:
    if not source.paths:
        return tabular(source.given).frame
    files = own_files(source, _is_weka, "WEKA")
    tables = [_arff(f) if _is_arff(Source(f)) else tabular(f).frame for f in files]
    return pd.concat(tables, ignore_index=True)


def _read_weka(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    frame = _weka_table(source)
    if not len(frame):
        raise ResultsError(f"{what} has no rows of results.")
    about = pd.DataFrame({"algorithm": _scheme(frame), "dataset": frame["Key_Dataset"].astype(str)})
    run = numbers(frame["Key_Run"], what)
    by_fold = "Key_Fold" in frame.columns
    if by_fold:
        about["fold"] = numbers(frame["Key_Fold"], what)
        about = about if run.nunique() < 2 else about.assign(repeat=run)
    else:
        about["sample"] = run
    wanted = asked(options, _WEKA_KNOWN)
    names = [c for c in frame.columns if c in _WEKA_KNOWN or c == wanted]
    kept = [c for c in names if numbers(frame[c], what).notna().any()]
    if not kept:
        raise ResultsError(f"{what} has no measure of WEKA such as Percent_correct.")
    kept = [wanted] if wanted in kept else kept
    long = pd.concat(
        [about.assign(measure=c, value=numbers(frame[c], what)) for c in kept], ignore_index=True
    )
    return LongTable(
        long,
        what,
        name=named(source),
        sampling=folds(long) if by_fold else Sampling(SUBSAMPLING.name),
        measure=kept[0] if kept[0] in _PERCENT else None,
        measures={c: _weka_measure(c) for c in kept if c in _WEKA_KNOWN},
        called={"algorithm": "scheme", "sample": "fold" if by_fold else "run"},
        options=used(options, measure=wanted),
    )


def _weka_measure(name: str) -> Measure:
    higher = _WEKA_KNOWN[name]
    if name in _PERCENT:
        return Measure(name, higher, unit="%")
    return measure(name, higher) or Measure(name, higher)


def _scheme(frame: pd.DataFrame) -> pd.Series:
    """The last part of the scheme's class, with the options of those that were run with several."""
    scheme = frame["Key_Scheme"].astype(str)
    short = scheme.str.rpartition(".")[2]
    clash = short.groupby(short).transform(lambda names: scheme[names.index].nunique()) > 1
    short = short.where(~clash, scheme)
    if "Key_Scheme_options" not in frame.columns:
        return short
    text = frame["Key_Scheme_options"].astype(str).str.strip("'\" ")
    several = text.groupby(scheme).transform("nunique") > 1
    return short.where(~several, short + " " + text)


WEKA = FORMATS.add(
    Format(
        "weka",
        "results of WEKA's experimenter (CSV, ARFF): schemes on data sets, by run and fold",
        recognises=in_any(_is_weka),
        read=_read_weka,
        samples=[
            text_sample(
                "experiment.csv",
                "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Percent_correct,Percent_incorrect\n"
                "iris,1,1,trees.J48,90,10\niris,1,2,trees.J48,92,8\n"
                "iris,1,1,rules.ZeroR,33,67\niris,1,2,rules.ZeroR,35,65\n",
                order=("J48", "ZeroR"),
            ),
            text_sample(
                "experiment.arff",
                "@relation InstanceResultListener\n\n@attribute Key_Dataset {iris}\n"
                "@attribute Key_Run numeric\n@attribute Key_Fold numeric\n"
                "@attribute Key_Scheme string\n@attribute Percent_correct numeric\n\n@data\n"
                "iris,1,1,trees.J48,30\niris,1,2,trees.J48,32\n"
                "iris,1,1,'rules.ZeroR',93\niris,1,2,rules.ZeroR,95\n",
                order=("ZeroR", "J48"),
            ),
        ],
        extensions=["csv", "arff"],
        title="results of WEKA",
    )
)


# -- how R numbers resamples ----------------------------------------------------------------------

_REPEATED = re.compile(r"Fold(\d+)\.Rep(\d+)")
_FOLD = re.compile(r"Fold(\d+)")
_DRAWN = re.compile(r"Bootstrap(\d+)")


def _numbered(labels: pd.Series, repeats: pd.Series | None = None) -> tuple[dict[str, Any], Any]:
    """The columns of labels such as Fold01.Rep1, Fold01 or Bootstrap01, and their sampling."""
    first = labels.astype(str)
    if first.str.fullmatch(_REPEATED).all():
        parts = first.str.extract(_REPEATED).astype(int)
        return {"repeat": parts[1], "fold": parts[0]}, "folds"
    if first.str.fullmatch(_FOLD).all():
        fold = first.str.extract(_FOLD)[0].astype(int)
        again = {} if repeats is None else {"repeat": repeats.astype(str)}
        return again | {"fold": fold}, "folds"
    drawn = Sampling(BOOTSTRAP.name) if first.str.fullmatch(_DRAWN).all() else None
    return {"sample": first}, drawn


def _sampling(long: pd.DataFrame, message: Any) -> Sampling | None:
    return folds(long) if message == "folds" else message


# -- caret ----------------------------------------------------------------------------------------


def _is_caret(source: Source) -> bool:
    names = source.columns
    return "Resample" in names and sum("~" in name for name in names) > 1


def _read_caret(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    frame = frames(source, _is_caret, "caret")
    scores = [c for c in frame.columns if "~" in c]
    blocks, message = _numbered(frame["Resample"])
    rows = pd.DataFrame(blocks)
    long = pd.concat(
        [
            rows.assign(algorithm=a, measure=m, value=numbers(frame[c], what))
            for c in scores
            for a, _, m in [c.rpartition("~")]
        ],
        ignore_index=True,
    )
    return _of_r(long, message, source, options, "model")


# as caret and yardstick call measures whose names say nothing to others
_HIGHER = (
    "ROC Sens Spec Rsquared prAUC AUC sens spec sensitivity specificity pr_auc mcc kap ppv npv"
)
_HIGHER += " bal_accuracy f_meas rsq rsq_trad ccc j_index detection_prevalence gain_capture"
_LOWER = "logLoss mn_log_loss RMSE MAE rmse mae mase smape huber_loss brier_class brier_survival"
_OF_R = dict.fromkeys(_HIGHER.split(), True) | dict.fromkeys(_LOWER.split(), False)


def _of_r(
    long: pd.DataFrame, message: Any, source: Source, options: Options, noun: str
) -> LongTable:
    names = [str(n) for n in long["measure"].unique()]
    known = {n: m for n in names if (m := measure(n, _OF_R.get(n))) is not None}
    wanted = asked(options, names)
    if wanted is None and known:
        long = long[long["measure"].isin(known)]
    return LongTable(
        long.reset_index(drop=True),
        shown(source),
        name=named(source),
        sampling=_sampling(long, message),
        measures=known,
        called={"algorithm": noun, "sample": "fold" if message == "folds" else "sample"},
        options=used(options, measure=wanted),
    )


CARET = FORMATS.add(
    Format(
        "caret",
        "resamples()$values of caret, saved as CSV: columns MODEL~METRIC",
        recognises=in_any(_is_caret),
        read=_read_caret,
        samples=[
            text_sample(
                "values.csv",
                "Resample,rf~Accuracy,rf~Kappa,svm~Accuracy,svm~Kappa\n"
                "Fold1,0.9,0.5,0.8,0.9\nFold2,0.8,0.4,0.7,0.9\nFold3,0.9,0.4,0.7,0.9\n",
                order=("rf", "svm"),
            )
        ],
        extensions=["csv"],
        title="resamples of caret",
    )
)


# -- tidymodels -----------------------------------------------------------------------------------


def _is_tidymodels(source: Source) -> bool:
    names = {*source.columns}
    return ".metric" in names and bool({".estimate", "mean"} & names)


def _read_tidymodels(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    frame = frames(source, _is_tidymodels, "tidymodels")
    if ".estimate" not in frame.columns or "id" not in frame.columns:
        raise ResultsError(
            f"{what} has means over resamples alone. Save collect_metrics(..., summarize = FALSE)."
        )
    second = "id2" in frame.columns
    blocks, message = _numbered(frame["id2" if second else "id"], frame["id"] if second else None)
    about = pd.DataFrame(blocks).assign(algorithm=_workflow(frame, what))
    long = about.assign(measure=frame[".metric"], value=numbers(frame[".estimate"], what))
    return _of_r(long, message, source, options, "workflow")


def _workflow(frame: pd.DataFrame, what: str) -> pd.Series:
    """The workflow, with its configuration where one was tuned."""
    name = next((c for c in ("wflow_id", "model") if c in frame.columns), None)
    if name is None and "file" in frame.columns and frame["file"].nunique() > 1:
        frame, name = frame.assign(file=frame["file"].map(labels(frame["file"].unique()))), "file"
    if name is None and ".config" not in frame.columns:
        raise ResultsError(
            f"{what} names no workflow. Add a column wflow_id, or give a file for each workflow."
        )
    workflow = frame[name or ".config"].astype(str)
    if ".config" not in frame.columns or name is None:
        return workflow
    several = frame[".config"].groupby(workflow).transform("nunique") > 1
    return workflow.where(~several, workflow + " " + frame[".config"].astype(str))


TIDYMODELS = FORMATS.add(
    Format(
        "tidymodels",
        "collect_metrics(summarize = FALSE) of tidymodels, saved as CSV",
        recognises=in_any(_is_tidymodels),
        read=_read_tidymodels,
        samples=[
            text_sample(
                "metrics.csv",
                "wflow_id,.config,id,.metric,.estimator,.estimate\n"
                "rf,M1,Fold1,rmse,standard,0.9\nrf,M1,Fold2,rmse,standard,0.8\n"
                "lm,M1,Fold1,rmse,standard,0.5\nlm,M1,Fold2,rmse,standard,0.6\n",
                order=("lm", "rf"),
            )
        ],
        extensions=["csv"],
        title="metrics of tidymodels",
    )
)
