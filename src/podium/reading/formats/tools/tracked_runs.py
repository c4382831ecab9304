"""Runs with parameters and metrics, as experiment trackers keep them: which is what.

A run is a row; columns of parameters and tags say of which algorithm, data set, fold or seed it is:
by their names, or by what the caller says. MLflow's and W&B's files become such rows (`trackers`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options, plain, role_of, way_out
from podium.reading.formats.gathering import asked, folds, measure, refuse_step, seeds
from podium.reading.formats.record import LongTable
from podium.samplings import Sampling
from podium.words.facts import REMARK, Note

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
            f"{what}: every '{roles['algorithm']}' has one run, which tells no difference from "
            "chance. Log a run per fold, seed or data set, or say what is compared: --columns "
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
