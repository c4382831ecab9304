"""Where data sets come from: `builtin:monks3`, `sklearn:iris`, `file:scores.csv`, `openml:61`."""

from __future__ import annotations

import csv
import io
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import RUN, DesignError, require
from podium.core.base.options import about
from podium.core.base.registry import Registry, unknown
from podium.core.base.writing import unzipped
from podium.running.design.data import problems
from podium.running.design.data.datasets import UNSUPERVISED, Dataset, dataset, without
from podium.running.design.data.identity import stream
from podium.running.design.data.processes import PROBLEMS, Process, builtin_process, drawn_dataset

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "?")  # what an empty cell looks like in a CSV
BUNDLED = ("iris", "wine", "breast_cancer", "digits", "diabetes")
OF_FILES = ("target", "test", "task", "nominal", "ignore", "group", "positive")
PACKED = (".zip", ".bz2", ".xz", ".zst", ".tar")


@dataclass(frozen=True)
class Scheme:
    """What may stand before the colon of a source: how it is read, and what goes with it."""

    load: Callable[..., list[Any]]  # of name, rest, folder, simulate and options
    options: Callable[[str, bool], tuple[str, ...]]  # of what stands behind, and simulate


SCHEMES: Registry[Scheme] = Registry("source")


def from_source(
    name: str, source: str, *, folder: Path = Path(), simulate: bool = False, **options: Any
) -> Dataset | Process:
    """The data set that a source string names; `simulate` asks for the process behind it."""
    result = all_from_source(name, source, folder=folder, simulate=simulate, **options)
    if source.startswith("openml:suite/"):
        raise DesignError(
            f"Data set '{name}': '{source}' names {len(result)} data sets; take one of its tasks."
        )
    return result[0]


def all_from_source(
    name: str, source: str, *, folder: Path = Path(), simulate: bool = False, **options: Any
) -> list[Dataset | Process]:
    """The data sets that a source string names: several where it is a suite, else one."""
    scheme, colon, rest = source.partition(":")
    if not colon or scheme not in SCHEMES:
        known = [f"{s}:..." for s in SCHEMES]
        if (folder / source).is_file():
            raise DesignError(f"Data set '{name}': write the file as 'file:{source}'.", ("source",))
        raise _no_such(name, source, "source", known)
    for option in options:
        if option not in options_of(source, simulate):
            where = " in a simulation" if simulate else ""
            raise DesignError(
                f"Data set '{name}': '{option}' does not go with the source '{source}'{where}.",
                (option,),
            )
    return SCHEMES[scheme].load(name, rest, folder=folder, simulate=simulate, **options)


def options_of(source: str, simulate: bool = False) -> tuple[str, ...]:
    """The options that go with a source."""
    scheme, _, rest = source.partition(":")
    return SCHEMES[scheme].options(rest, simulate)


# -- built in -------------------------------------------------------------------------------


Rows = tuple[pd.DataFrame, np.ndarray]


def _monks3(seed: int) -> Rows:
    """The noisy training part above the full domain: the 554 rows of eugster2008."""
    (a, u), (b, v) = _monks3_training(seed), problems.monks3_domain()
    return pd.concat([a, b], ignore_index=True), np.concatenate([u, v])


def _monks3_training(seed: int) -> Rows:
    return problems.monks3_training(stream(seed, "builtin", "monks3"))


TABLES: Registry[Callable[[], Rows]] = Registry("built-in table")
TABLES.add("monks3-domain", problems.monks3_domain)
TABLES.add("tictactoe", problems.tictactoe)
TABLES.add("titanic", problems.titanic)
DRAWN: Registry[Callable[[int], Rows]] = Registry("table drawn with a seed")
DRAWN.add("monks3", _monks3)
DRAWN.add("monks3-training", _monks3_training)
DRAWN.add("monks3-competition", _monks3_training)  # tested on the full domain


def builtins() -> list[str]:
    """The names that may stand behind `builtin:`."""
    return sorted([*TABLES, *DRAWN, *PROBLEMS])


def _no_such(name: str, which: str, kind: str, known: Iterable[str]) -> DesignError:
    """A data set that is not there; it may have another name, or stand behind another scheme."""
    sources = {"builtin": builtins(), "sklearn": BUNDLED}
    behind = [f"{scheme}:{which}" for scheme, names in sources.items() if which in names]
    reason = f"write '{behind[0]}'." if behind else unknown(kind, which, known)
    return DesignError(f"Data set '{name}': {reason}", ("source",))


def _builtin(
    name: str, which: str, *, folder: Path, simulate: bool, **options: Any
) -> list[Dataset | Process]:
    if which not in builtins():
        raise _no_such(name, which, "built-in data set", builtins())
    if simulate and which not in PROBLEMS:
        raise DesignError(
            f"Data set '{name}': builtin:{which} is a fixed table; a simulation needs a process: "
            f"{', '.join(PROBLEMS)}."
        )
    stated = options.pop("target", None)
    if simulate:
        process = builtin_process(name, which, **options)
        _ = process.facts  # draws once: wrong parameters show now, not in every run
        return [process]
    seed = options.pop("seed", 0)
    if seed < 0:
        raise DesignError(
            f"Data set '{name}': the seed is a whole number from 0, not {seed}.", ("seed",)
        )
    if which in PROBLEMS:
        return [drawn_dataset(name, which, seed=seed, **options)]
    X, y = TABLES[which]() if which in TABLES else DRAWN[which](seed)
    _refuse_attribute(name, f"builtin:{which}", X, stated)
    test = problems.monks3_domain() if which == "monks3-competition" else None
    return [dataset(name, X, y, test=test, origin=f"builtin:{which}", **options)]


def _refuse_attribute(name: str, source: str, X: pd.DataFrame, stated: Any) -> None:
    """Data that know their target may be told it by any name, but not by that of an attribute."""
    if stated in [*map(str, X.columns)]:
        raise DesignError(
            f"Data set '{name}': {source} has a target of its own, and '{stated}' is one of its "
            "attributes: leave 'target' out, or predict it from a file.",
            ("target",),
        )


def _builtin_options(which: str, simulate: bool) -> tuple[str, ...]:
    if which in TABLES:
        return ("target", "positive")
    if which in DRAWN:
        return ("target", "positive", "seed")
    if which not in PROBLEMS:
        return (*OF_FILES, "n", "n_test", "fresh_test", "seed", "parameters")  # its name is refused
    sizes = ("n", "n_test", "fresh_test") if simulate else ("n", "seed", "positive")
    return ("target", *sizes, "parameters")


SCHEMES.add("builtin", Scheme(_builtin, _builtin_options))


# -- scikit-learn ---------------------------------------------------------------------------


def _bundled(
    name: str, which: str, *, folder: Path, simulate: bool, **options: Any
) -> list[Dataset | Process]:
    if which not in BUNDLED:
        raise _no_such(name, which, "bundled data set", BUNDLED)
    data: Any = require("sklearn.datasets", extra=RUN, purpose="The data that it bundles")
    bunch = getattr(data, f"load_{which}")()
    X = pd.DataFrame(bunch.data, columns=[str(c) for c in bunch.feature_names])
    _refuse_attribute(name, f"sklearn:{which}", X, options.pop("target", None))
    names = getattr(bunch, "target_names", None)
    labelled = which not in ("diabetes", "digits")
    y = np.asarray(names)[bunch.target] if labelled else bunch.target
    return [dataset(name, X, y, origin=f"sklearn:{which}", **options)]


SCHEMES.add("sklearn", Scheme(_bundled, lambda *_: ("target", "task", "positive")))


# -- files ----------------------------------------------------------------------------------


def read_file(
    name: str,
    path: str | Path,
    *,
    target: str | Sequence[str] | None = None,
    test: str | None = None,
    ignore: tuple[str, ...] = (),
    group: str | None = None,
    folder: Path = Path(),
    **options: Any,
) -> Dataset:
    """A data set from a CSV (also gzipped) or Parquet file with a named target column."""
    what = f"Data set '{name}'"
    frame = read_table(path, what)
    if target is None and options.get("task") not in UNSUPERVISED:
        raise DesignError(
            f"{what}: say which column is the target, one of "
            f"{', '.join(map(str, frame.columns[:20]))}."
        )
    rest = None
    if test is not None:
        with about("test"):
            more = read_table(folder / test.removeprefix("file:"), f"{what} (test sample)")
            more = without(f"{what} (test sample)", more, ignore)
        rest = (more.drop(columns=[group], errors="ignore"), target)
    origin = f"file:{Path(path).name}"
    frame = without(what, frame, ignore)
    return dataset(name, frame, target, test=rest, groups=group, origin=origin, **options)


def read_table(path: str | Path, what: str) -> pd.DataFrame:
    """A CSV or Parquet file as a frame; numbers as numbers, everything else as text."""
    path = Path(path)
    if os.path.isdir(path):
        raise DesignError(f"{what}: '{path}' is a folder, not a file.")
    if not os.path.isfile(path):  # Path.is_file raises where a name is too long
        raise DesignError(f"{what}: there is no file '{path}'.")
    if path.suffix.lower() in PACKED:
        raise DesignError(f"{what}: '{path}' is packed; unpack it, or pack it with gzip.")
    if path.suffix.lower() in (".parquet", ".pq"):
        return _parquet(path, what)
    return _csv(path, what)


def _parquet(path: Path, what: str) -> pd.DataFrame:
    require("pyarrow", extra="parquet", purpose="Reading Parquet files")
    try:
        return pd.read_parquet(path)
    except Exception as error:  # pyarrow raises many kinds
        raise _unreadable(path, what, "Parquet", error) from None


def _csv(path: Path, what: str) -> pd.DataFrame:
    try:
        raw = path.read_bytes()
        text = (unzipped(raw) if path.suffix.lower() == ".gz" else raw).decode("utf-8-sig")
        _check_shape(text, f"{what}: '{path}'")
        return pd.read_csv(
            io.StringIO(text),
            keep_default_na=False,
            na_values=list(MISSING),
            skipinitialspace=True,
            low_memory=False,
        )
    except UnicodeDecodeError:
        raise DesignError(f"{what}: '{path}' is not a text file in UTF-8.") from None
    except (OSError, EOFError, zlib.error, csv.Error, pd.errors.ParserError) as error:
        raise _unreadable(path, what, "CSV", error) from None


def _unreadable(path: Path, what: str, kind: str, error: Exception) -> DesignError:
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    reason = reason.removeprefix("Error tokenizing data. C error: ")
    return DesignError(f"{what}: '{path}' cannot be read as {kind}: {reason}.")


def _check_shape(text: str, what: str) -> None:
    """Refuse what pandas would silently repair: columns without a name, rows too short or long."""
    if "\0" in text:
        raise DesignError(f"{what} is a binary file, not CSV.")
    if not text.strip():
        raise DesignError(f"{what} is empty.")
    rows = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    header: list[str] = []
    for row in rows:
        if row in ([], [""]):  # a blank line
            continue
        if not header:
            header = row
            _check_header(header, what)
        elif len(row) != len(header):
            raise DesignError(
                f"{what} has {len(header)} column names; expected as many cells in line "
                f"{rows.line_num}, saw {len(row)}."
            )


def _check_header(header: list[str], what: str) -> None:
    for column, times in Counter(header).items():
        if not column.strip():
            position = header.index(column) + 1
            raise DesignError(f"{what}: column {position} has no name. Name it or remove it.")
        if times > 1:
            raise DesignError(f"{what} has two columns called '{column}'.")


def _file(
    name: str, rest: str, *, folder: Path, simulate: bool, **options: Any
) -> list[Dataset | Process]:
    return [read_file(name, folder / rest, folder=folder, **options)]


SCHEMES.add("file", Scheme(_file, lambda *_: OF_FILES))


# -- OpenML ---------------------------------------------------------------------------------


def _openml(
    name: str, rest: str, *, folder: Path, simulate: bool, **options: Any
) -> list[Dataset | Process]:
    from podium.running.design.data.openml import loaded  # the network's modules take time to load

    return list(loaded(name, rest, **options))


def _openml_options(which: str, simulate: bool) -> tuple[str, ...]:
    """A task knows its target and what is asked of it; a suite knows that of every task."""
    if which.startswith("suite/"):
        return ()
    own = () if which.startswith("task/") else ("target", "task")
    return (*own, "nominal", "ignore", "group", "positive")


SCHEMES.add("openml", Scheme(_openml, _openml_options))
