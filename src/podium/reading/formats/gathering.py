"""What readers of other tools' files share: which files are theirs, names, rows, curves."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core import samplings
from podium.core.base.errors import ResultsError
from podium.core.questions.measures import Measure
from podium.core.samplings import Sampling
from podium.core.words.facts import CAUTION, Note
from podium.reading.cells.vocabulary import Options, known_measure, plain
from podium.reading.formats.record import Source

FILE = "file"  # what --columns algorithm=file says
STEPS = ("last", "best", "mean")  # or a number
Mine = Callable[[Source], bool]


# -- files ------------------------------------------------------------------------------------


def any_file(mine: Mine) -> Mine:
    """Whether one of the files of a source is such a file."""
    return lambda source: any(map(mine, source.parts))


def own_files(source: Source, mine: Mine, what: str, beside: Mine | None = None) -> list[Path]:
    """The files that are such files; others are left alone in folders, and refused where given."""
    looked_at = {part.paths[0]: part for part in source.parts}
    results = []
    for file in source.files:
        part = looked_at.get(file) or Source(file)
        if mine(part):
            results.append(file)
        elif file in source.paths and not (beside and beside(part)):
            others = ", which the others are" if len(source.paths) > 1 else ""
            raise ResultsError(
                f"'{file}' is no whole file of {what}{others}. Leave it out, or read it by itself."
            )
    return results


def labels(paths: Iterable[Path]) -> dict[Path, str]:
    """A short name for each file: its own, with the folders above it where two would be alike."""
    paths = list(dict.fromkeys(paths))
    names = {path: _stem(path) for path in paths}
    above = {path: list(path.absolute().parts[:-1]) for path in paths}
    while alike := {name for name, count in Counter(names.values()).items() if count > 1}:
        for path in paths:
            if names[path] in alike:
                if not above[path]:
                    return {p: str(p) for p in paths}
                names[path] = f"{above[path].pop()}/{names[path]}"
    folders = {name.rpartition("/")[2] for name in names.values()}
    if len(folders) == 1 and len(names) > 1:  # MODEL/metrics.json: the folder is the name
        return {path: name.rpartition("/")[0] for path, name in names.items()}
    return names


def _stem(path: Path) -> str:
    name = path.name.removesuffix(".gz")
    return name.rpartition(".")[0] or name


def shown(source: Source, count: int | None = None) -> str:
    """How an error calls the source."""
    first = f"'{source.paths[0]}'" if source.paths else "The table"
    more = len(source.paths) - 1
    return first if more < 1 else f"{first} and {more} more"


def named(source: Source) -> str:
    """What results of this source are called."""
    return _stem(source.paths[0]) if source.paths else ""


# -- what the caller says ---------------------------------------------------------------------


def used(options: Options, *roles: str, measure: str | None = None) -> Options:
    """The options less the columns that a reader has used; of others it does not know."""
    for role in options.columns:
        if role not in roles:
            can = f" but {', '.join(roles)}" if roles else ""
            raise ResultsError(
                f"In columns: '{role}' is for tables; this format knows its own columns{can}. "
                "Leave it out."
            )
    return replace(options, columns={}, measure=measure or options.measure)


def by_file(options: Options) -> bool:
    """Whether the caller says that the files are the algorithms."""
    return options.columns.get("algorithm") == [FILE]


def checked_step(step: Any) -> str | None:
    """Which score of a curve counts, or an error."""
    word = None if step is None else str(step).strip().lower().replace("_", "")
    if word is None or word in STEPS or re.fullmatch(r"\d+(\.\d+)?(e\d+)?", word):
        return word
    raise ResultsError(f"The step of a curve is last, best, mean or a number, not '{step}'.")


def refuse_step(options: Options) -> None:
    """Refuse a step where there are no curves."""
    if options.step is not None:
        raise ResultsError(
            f"A step ('{options.step}') is for curves, and these scores have none. Leave it out."
        )


# -- designs ----------------------------------------------------------------------------------


def seeds() -> Sampling:
    """New training runs, of every algorithm its own."""
    return _own("SEEDS")


def _own(name: str) -> Sampling:
    kind = getattr(samplings, name, None)
    if kind is not None:
        return Sampling(kind.name)
    return Sampling(samplings.SIMULATED.name, independent=True)


def folds(frame: pd.DataFrame) -> Sampling | None:
    """The cross-validation that columns fold, or repeat and fold, tell of; None where once."""
    if "fold" not in frame.columns:
        return None
    counts = frame.groupby(frame.get("dataset", frame["fold"] * 0), observed=True)["fold"].nunique()
    if counts.max() < 2:
        return None
    repeated = "repeat" in frame.columns and frame["repeat"].nunique() > 1
    return Sampling((samplings.REPEATED_CV if repeated else samplings.CV).name)


# -- measures ---------------------------------------------------------------------------------


def measure(
    name: str, higher: bool | None = None, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Measure | None:
    """A measure, by the direction that the file says or else by what people mean by its name."""
    known = known_measure(name) or known_measure(last_word(name))
    if higher is None:
        return None if known is None else replace(known, name=name)
    if known is not None and known.higher_is_better == bool(higher):
        return replace(known, name=name)
    return Measure(name, bool(higher), bounds=bounds)


def last_word(name: str) -> str:
    """What stands behind the last separator, as in `test/accuracy`, `metrics.acc`, `acc,none`.

    >>> last_word("val/accuracy"), last_word("acc,none")
    ('accuracy', 'acc')
    """
    word = name.partition(",")[0]
    return re.split(r"[/.:|~]", word)[-1].strip()


def asked(options: Options, names: Iterable[str]) -> str | None:
    """The measure that the caller means, as the file spells it, where one alone may be meant."""
    if options.measure is None:
        return None
    word = plain(options.measure)
    ends = ("", ",none")
    results = [n for n in names if word in {plain(n + end) for end in ends} | {plain(last_word(n))}]
    exact = [n for n in results if plain(n) == word]
    return (exact or results)[0] if len(exact or results) == 1 else options.measure


# -- rows -------------------------------------------------------------------------------------


def frame_of(rows: Sequence[Mapping[str, Any]] | Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Rows as a frame, less columns that hold nothing at all."""
    frame = pd.DataFrame(list(rows))
    return frame.dropna(axis=1, how="all") if len(frame) else frame


def answers(frame: pd.DataFrame) -> pd.DataFrame:
    """With a number for several scores of one item, which are its answers."""
    keys = [c for c in frame.columns if c not in ("value", "cluster")]
    number = frame.groupby(keys, sort=False, dropna=False).cumcount()
    return frame.assign(answer=number + 1) if number.max() > 0 else frame


# -- curves -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chosen:
    """The scores of curves at the step that counts."""

    frame: pd.DataFrame
    notes: list[Note]


CURVES = "every run is a curve"  # by which others know the question


def at_step(
    curves: pd.DataFrame, options: Options, higher: bool | None, what: str, unit: str = "step"
) -> Chosen:
    """One score of each curve: `curves` has a column step, and what else tells curves apart."""
    keys = [c for c in curves.columns if c not in ("step", "value")]
    runs = curves.sort_values("step", kind="stable").groupby(keys, sort=False, dropna=False)
    if runs.size().max() == 1 and options.step is None:
        return Chosen(curves.drop(columns="step"), [])
    if options.step is None:
        end = f"{runs['step'].max().min():g}"
        raise ResultsError(
            f"{what}: {CURVES}, so choose which of its scores counts: --step "
            f"last, --step {end} (the last one up to this {unit}), --step mean, or --step best "
            "(in Python: step='last')."
        )
    return Chosen(_at(curves, runs, keys, options.step, higher, what), _step_notes(options.step))


def _at(
    curves: pd.DataFrame, runs: Any, keys: list[str], step: str, higher: bool | None, what: str
) -> pd.DataFrame:
    if step == "last":
        result = runs["value"].last()
    elif step == "mean":
        result = runs["value"].mean()
    elif step == "best":
        if higher is None:
            raise ResultsError(
                f"{what}: which score is the best is not known. Say --higher-is-better or "
                "--lower-is-better, or take another step."
            )
        result = runs["value"].max() if higher else runs["value"].min()
    else:
        result = _until(curves, keys, float(step), what)
    return result.reset_index()


def _until(curves: pd.DataFrame, keys: list[str], step: float, what: str) -> Any:
    kept = curves[curves["step"] <= step].sort_values("step", kind="stable")
    runs, every = kept.groupby(keys, sort=False, dropna=False), curves[keys].drop_duplicates()
    if len(runs) < len(every):
        least = f"{curves.groupby(keys, dropna=False)['step'].min().max():g}"
        raise ResultsError(
            f"{what}: {len(every) - len(runs)} of {len(every)} runs have no score up to {step:g}; "
            f"the least step at which all have one is {least}: --step {least}."
        )
    ends = curves.groupby(keys, dropna=False)["step"].max()
    if ends.min() < step:
        raise ResultsError(
            f"{what}: a run ends at {ends.min():g}, before {step:g}. Say a step that all have: "
            f"--step {ends.min():g}."
        )
    return runs["value"].last()


def _step_notes(step: str) -> list[Note]:
    severity = (CAUTION,) if step == "best" else ()
    return [Note("step-of-curves", *severity, step=step)]


# -- tables that a tool has written ---------------------------------------------------------------
# Recognised by their columns, read below each other.


def has_columns(*names: str) -> Mine:
    """Whether a table (in a file or frame) has these columns."""
    return lambda source: {*names} <= {*source.columns}


def in_any(mine: Mine) -> Mine:
    """Whether one of the files, or the frame, is such a table."""
    return lambda source: any(map(mine, source.parts)) if source.paths else bool(mine(source))


def numbers(column: pd.Series, what: str) -> pd.Series:
    """A column of numbers, or an error that names the cell."""
    empty = column.isna() | column.astype(str).str.strip().str.lower().isin(
        ("", "nan", "na", "none")
    )
    result = pd.to_numeric(column.where(~empty), errors="coerce")
    odd = result.isna() & ~empty
    if odd.any():
        row = int(np.argmax(odd.to_numpy())) + 1
        raise ResultsError(
            f"{what}, column '{column.name}', row {row}: {column[odd].iloc[0]!r:.60} is no number. "
            "Correct it, or leave the cell empty."
        )
    return result.where(~np.isinf(result))


# -- what names of runs say -----------------------------------------------------------------------
# Algorithm, seed and perhaps the data set.
#
# `CartPole_ppo_seed0` and `CartPole-v1__ppo__1__1700000000` are runs of ppo on CartPole.


_SEED = re.compile(r"(?:seed|run|s|rs)?[-=:]?(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Run:
    """Of which algorithm, data set and seed a curve is."""

    algorithm: str
    seed: str
    dataset: str = ""


def runs_of(names: Sequence[str], what: str) -> list[Run]:
    """What the names of runs say: the last number is the seed, what they share the data set.

    >>> runs_of(["Cart_ppo_seed0", "Cart_ppo_seed1", "Cart_sac_seed0"], "Runs")[0]
    Run(algorithm='ppo', seed='0', dataset='Cart')
    """
    if all(name.count("__") == 3 for name in names):  # CleanRL: environment, algorithm, seed, time
        parts = [name.split("__") for name in names]
        return [Run(algorithm, seed, dataset) for dataset, algorithm, seed, _ in parts]
    words, result = zip(*(_less_seed(name) for name in names), strict=True)
    if len({len(w) for w in words}) > 1 or len(words[0]) < 2:
        return [Run("_".join(w), seed) for w, seed in zip(words, result, strict=True)]
    varying = [i for i in range(len(words[0])) if len({w[i] for w in words}) > 1]
    if len(varying) > 1 and len({tuple(w) for w in words}) > max(
        len({w[i] for w in words}) for i in varying
    ):
        raise ResultsError(
            f"{what}: the names of runs differ in {len(varying)} parts besides the seed "
            f"('{names[0]}'), so which is the algorithm is not known. Give the runs of one data "
            "set, or name them DATASET__ALGORITHM__SEED__TIME."
        )
    kept = varying or [len(words[0]) - 1]
    shared = [i for i in range(len(words[0])) if i not in kept]
    return [
        Run("_".join(w[i] for i in kept), seed, "_".join(w[i] for i in shared))
        for w, seed in zip(words, result, strict=True)
    ]


def _less_seed(name: str) -> tuple[list[str], str]:
    """The words of a name without its last number, and this number."""
    words = [word for word in re.split(r"[_/ ]+|-(?=(?:seed|run)[-=:]?\d+\b)", name) if word]
    for i in range(len(words) - 1, 0, -1):
        if seed := _SEED.fullmatch(words[i]):
            before = words[i - 1] if words[i - 1].lower() in ("seed", "run") and i > 1 else ""
            return words[: i - bool(before)] + words[i + 1 :], seed[1]
    return words, "1"
