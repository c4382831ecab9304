"""The raw scores behind Eugster, Hothorn & Leisch (2008), read from a folder that the user has.

They come with the R package benchmark 0.3-6, in which random forest stands where the paper has
naive Bayes; the other five algorithms are the paper's.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pandas as pd

import podium
from podium.errors import PodiumError, ResultsError
from podium.papers.eugster2008_printed import FIVE, datasets_table
from podium.results.results import Results

SAMPLING = "bootstrap:250"
FORM = {
    "monks3_wide.csv": "misclassification on MONK-3: b, lda, rf, knn, rpart, svm, nnet; 250 rows",
    "monks3_time_wide.csv": "seconds in the same form",
    "uci621_long.csv.gz": "misclassification in the survey: ds, b, alg, p; failed runs empty",
}


def table(data: Path | None, name: str) -> pd.DataFrame:
    """A file of the folder's `results`; without it, one sentence on what is needed."""
    form = f"results/{name} ({FORM[name]})"
    if data is None:
        raise ResultsError(
            f"This item needs raw scores: say --data DIR (data=DIR), a folder with {form}."
        )
    path = data / "results" / name
    if not path.is_file():
        raise ResultsError(f"'{data}' lacks {form}.")
    try:
        return pd.read_csv(path)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise ResultsError(f"'{path}' cannot be read as CSV: {error}.") from None


@lru_cache(4)
def experiment(data: Path | None, substitute: str = "") -> Results:
    """Errors of the five algorithms on MONK-3; under the name `substitute` a copy of lda.

    The paper's naive Bayes and lda differ by 0.0001 in the mean and by 1 of 1176 in the rank sum.
    """
    wide = _columns(table(data, "monks3_wide.csv"), "monks3_wide.csv", ["b", *FIVE])
    if substitute:
        wide = wide.assign(**{substitute: wide["lda"]})
    return _monks3(wide, "monks3_wide.csv", "error")


@lru_cache(1)
def times(data: Path | None) -> Results:
    """The seconds of the five algorithms on MONK-3, as the times of their runs.

    What is known is the sum of fitting and predicting; it is kept as the time of fitting.
    """
    name = "monks3_time_wide.csv"
    wide = _columns(table(data, name), name, ["b", *FIVE])
    found = _monks3(wide, name, "time")
    key = ["dataset", "algorithm", "sample"]
    seconds = found.runs[key].merge(found.values("time"), how="left")["value"].to_numpy()
    return replace(found, runs=found.runs.assign(fit_time=seconds, predict_time=0.0))


@lru_cache(2)
def survey(data: Path | None, forest: bool = False) -> Results:
    """Errors of the five algorithms on the 21 data sets, or of these and random forest.

    Samples in which one of them failed are left out: so the paper's coefficients are met.
    """
    name = "uci621_long.csv.gz"
    long = _columns(table(data, name), name, ["ds", "b", "alg", "p"])
    known = {name: label(letter) for letter, name in datasets_table()["name"].items()}
    algorithms = [*FIVE, "rf"] if forest else list(FIVE)
    kept = _complete(long[long["alg"].isin(algorithms)])
    kept = kept.assign(ds=kept["ds"].map(known), at=kept["alg"].map(algorithms.index))
    kept = kept.sort_values(["ds", "at", "b"]).drop(columns="at")
    _check_cells(kept, name, list(known), algorithms)
    columns = {"dataset": "ds", "sample": "b", "algorithm": "alg", "value": "p"}
    return replace(_read(kept, name, "error", columns), name="21 data sets")


def _check_cells(long: pd.DataFrame, name: str, datasets: list[str], algorithms: list[str]) -> None:
    """Every algorithm has scores on every data set of the paper, and there are no others."""
    scored = long.groupby(["ds", "alg"])["p"].count()
    whole = len(scored) == len(datasets) * len(algorithms) and (scored >= 2).all()
    if not whole or long["ds"].isna().any():
        raise ResultsError(
            f"'{name}' shall hold scores of {', '.join(algorithms)} on the data sets "
            f"{', '.join(datasets)}, and on no others."
        )


def _complete(long: pd.DataFrame) -> pd.DataFrame:
    """No score where another algorithm has none in the same sample."""
    failed = long["p"].isna().groupby([long["ds"], long["b"]]).transform("any")
    return long.assign(p=long["p"].mask(failed))


def label(letter: object) -> str:
    """A data set's letter and name."""
    return f"{letter} {datasets_table().loc[letter, 'name']}"


def letter_of(name: str) -> str:
    """The letter of a labelled data set."""
    return name.partition(" ")[0]


def _columns(found: pd.DataFrame, name: str, wanted: list[str]) -> pd.DataFrame:
    for column in wanted:
        if column not in found.columns:
            raise ResultsError(f"'{name}' has no column '{column}'; it holds {FORM[name]}.")
    return found[wanted]


def _monks3(wide: pd.DataFrame, name: str, measure: str) -> Results:
    """A wide table of the experiment, its data set named."""
    long = wide.melt("b", var_name="algorithm", value_name="value").assign(dataset="monks3")
    return replace(_read(long, name, measure, {"sample": "b"}), name="monks3")


def _read(long: pd.DataFrame, name: str, measure: str, columns: dict[str, str]) -> Results:
    try:
        return podium.read(long, sampling=SAMPLING, measure=measure, columns=columns)
    except PodiumError as error:
        raise ResultsError(f"'{name}' shall hold {FORM[name]}. {error}") from None
