"""Where data sets come from: `builtin:monks3`, `sklearn:iris`, `file:scores.csv`."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.design import problems
from podium.design.datasets import Dataset, dataset
from podium.design.identity import stream
from podium.design.processes import PROBLEMS, Process, drawn_dataset, process
from podium.errors import DesignError
from podium.optional import require
from podium.registry import Registry, unknown

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "?")  # what an empty cell looks like in a CSV
SCHEMES = ("builtin", "sklearn", "file")
BUNDLED = ("iris", "wine", "breast_cancer", "digits", "diabetes")


def from_source(
    name: str, source: str, *, folder: Path = Path(), simulate: bool = False, **options: Any
) -> Dataset | Process:
    """The data set that a source string names; `simulate` asks for the process behind it."""
    scheme, colon, rest = source.partition(":")
    if not colon or scheme not in SCHEMES:
        known = [f"{s}:..." for s in SCHEMES]
        raise DesignError(f"Data set '{name}': " + unknown("source", source, known))
    if scheme == "file":
        return read_file(name, folder / rest, folder=folder, **options)
    if scheme == "sklearn":
        return _bundled(name, rest, options)
    return _builtin(name, rest, simulate, options)


# -- built in -------------------------------------------------------------------------------


def _monks3(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """The noisy training part above the full domain: the 554 rows of eugster2008."""
    (a, u), (b, v) = _monks3_training(seed), problems.monks3_domain()
    return pd.concat([a, b], ignore_index=True), np.concatenate([u, v])


def _monks3_training(seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    return problems.monks3_training(stream(seed, "builtin", "monks3"))


TABLES: Registry[Callable[[int], tuple[pd.DataFrame, np.ndarray]]] = Registry("built-in table")
TABLES.add("monks3", _monks3)
TABLES.add("monks3-domain", lambda seed: problems.monks3_domain())
TABLES.add("monks3-training", _monks3_training)
TABLES.add("tictactoe", lambda seed: problems.tictactoe())
TABLES.add("titanic", lambda seed: problems.titanic())
COMPETITION = "monks3-competition"  # learn from the noisy part, test on the full domain


def builtins() -> list[str]:
    """The names that may stand behind `builtin:`."""
    return sorted([*TABLES, *PROBLEMS, COMPETITION])


def _builtin(name: str, which: str, simulate: bool, options: dict[str, Any]) -> Dataset | Process:
    if which not in builtins():
        raise DesignError(f"Data set '{name}': " + unknown("built-in data set", which, builtins()))
    seed = options.pop("seed", 0)
    if which in PROBLEMS:
        return _from_process(name, which, simulate, seed, options)
    if simulate:
        raise DesignError(
            f"Data set '{name}': builtin:{which} is a fixed table; a simulation needs a process: "
            f"{', '.join(PROBLEMS)}."
        )
    origin = f"builtin:{which}"
    if which == COMPETITION:
        X, y = _monks3_training(seed)
        return dataset(name, X, y, test=problems.monks3_domain(), origin=origin, **options)
    X, y = TABLES[which](seed)
    return dataset(name, X, y, origin=origin, **options)


def _from_process(
    name: str, which: str, simulate: bool, seed: int, options: dict[str, Any]
) -> Dataset | Process:
    parameters = options.pop("parameters", {})
    if simulate:
        given = process(which, **_sizes(options, "n", "n_test", "fresh_test"), **parameters)
        drawn = Process(
            name,
            given.draw,
            given.task,
            given.n,
            given.n_test,
            given.fresh_test,
            parameters,
            given.origin,
        )
        _ = drawn.facts  # draws once: wrong parameters show now, not in every run
        return drawn
    return drawn_dataset(name, which, _sizes(options, "n").get("n"), seed, **parameters)


def _sizes(options: dict[str, Any], *names: str) -> dict[str, Any]:
    return {n: options[n] for n in names if n in options}


# -- scikit-learn ---------------------------------------------------------------------------


def _bundled(name: str, which: str, options: Mapping[str, Any]) -> Dataset:
    if which not in BUNDLED:
        raise DesignError(f"Data set '{name}': " + unknown("bundled data set", which, BUNDLED))
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{which}")()
    X = pd.DataFrame(bunch.data, columns=[str(c) for c in bunch.feature_names])
    names = getattr(bunch, "target_names", None)
    labelled = which not in ("diabetes", "digits")
    y = np.asarray(names)[bunch.target] if labelled else bunch.target
    return dataset(name, X, y, origin=f"sklearn:{which}", **options)


# -- files ----------------------------------------------------------------------------------


def read_file(
    name: str,
    path: str | Path,
    *,
    target: str | None = None,
    test: str | None = None,
    ignore: tuple[str, ...] = (),
    group: str | None = None,
    folder: Path = Path(),
    **options: Any,
) -> Dataset:
    """A data set from a CSV or Parquet file (also gzipped) with a named target column."""
    frame = read_table(path, f"Data set '{name}'")
    if target is None:
        raise DesignError(
            f"Data set '{name}': say which column is the target, one of "
            f"{', '.join(map(str, frame.columns[:20]))}."
        )
    rest = None
    if test is not None:
        beside = folder / test.removeprefix("file:")
        rest = (_without(name, read_table(beside, f"Data set '{name}'"), ignore), target)
        if group is not None:
            rest = (rest[0].drop(columns=[group], errors="ignore"), target)
    frame = _without(name, frame, ignore)
    return dataset(
        name, frame, target, test=rest, groups=group, origin=f"file:{Path(path).name}", **options
    )


def _without(name: str, frame: pd.DataFrame, ignore: tuple[str, ...]) -> pd.DataFrame:
    for column in ignore:
        if column not in frame.columns:
            raise DesignError(f"Data set '{name}' has no column '{column}' to ignore.")
    return frame.drop(columns=list(ignore))


def read_table(path: str | Path, what: str) -> pd.DataFrame:
    """A CSV or Parquet file as a frame; numbers as numbers, everything else as text."""
    path = Path(path)
    if not path.is_file():
        raise DesignError(f"{what}: there is no file '{path}'.")
    if path.name.lower().endswith((".parquet", ".pq")):
        return _parquet(path, what)
    return _csv(path, what)


def _parquet(path: Path, what: str) -> pd.DataFrame:
    require("pyarrow", extra="parquet", purpose="Reading Parquet files")
    try:
        return pd.read_parquet(path)
    except Exception as error:  # pyarrow raises many kinds
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DesignError(f"{what}: '{path}' cannot be read as Parquet: {reason}") from None


def _csv(path: Path, what: str) -> pd.DataFrame:
    try:
        _check_header(path, what)
        return pd.read_csv(
            path,
            keep_default_na=False,
            na_values=list(MISSING),
            skipinitialspace=True,
            low_memory=False,
        )
    except UnicodeDecodeError:
        raise DesignError(f"{what}: '{path}' is not a text file in UTF-8.") from None
    except pd.errors.EmptyDataError:
        raise DesignError(f"{what}: '{path}' is empty.") from None
    except (pd.errors.ParserError, csv.Error) as error:
        reason = str(error).splitlines()[0].removeprefix("Error tokenizing data. C error: ")
        raise DesignError(f"{what}: '{path}' cannot be read as CSV: {reason}") from None
    except (OSError, EOFError, zlib.error) as error:
        raise DesignError(f"{what}: '{path}' cannot be read: {error}.") from None


def _check_header(path: Path, what: str) -> None:
    """Refuse what pandas would silently repair: columns that are named twice or not at all."""
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
        header = next(csv.reader(file, skipinitialspace=True), None)
        if header is None:
            raise pd.errors.EmptyDataError
        width = len(next(csv.reader(file), header))
    if "\0" in "".join(header):
        raise DesignError(f"{what}: '{path}' is a binary file, not CSV.")
    for column in header:
        if header.count(column) > 1:
            raise DesignError(f"{what}: '{path}' has two columns called '{column}'.")
    if width > len(header):  # pandas would take the surplus for row names
        raise DesignError(f"{what}: '{path}' has {len(header)} column names and {width} columns.")
