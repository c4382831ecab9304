"""Battles: one row per choice between two models, as arenas and judges write them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.errors import ResultsError
from podium.facts import REMARK, Note
from podium.measures import Measure
from podium.results.formats.gathering import named, refuse_step, shown, used
from podium.results.formats.record import FORMATS, Format, LongTable, Source, text_sample
from podium.results.formats.tool_tables import frames, has_columns, in_any
from podium.results.vocabulary import Options
from podium.samplings import PREFERENCES

MARKS = ("model_a", "model_b", "winner")
MEASURE = "win-rate"
FIRST = ("model_a", "a", "left", "1", "model_1")
SECOND = ("model_b", "b", "right", "2", "model_2")
TIES = ("tie", "draw", "both", "tie (bothbad)", "tie(bothbad)", "bothbad", "both_bad", "both bad")
# whose choices depend on each other, the usual blocks first
BLOCKS = ("question", "question_id", "prompt", "prompt_id", "instruction", "item", "task")
JUDGES = ("judge", "annotator", "rater", "user", "judge_name", "annotator_id")
_is_battles = has_columns(*MARKS)


def _read(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    table = frames(source, _is_battles, "battles").reset_index(drop=True)
    first, second = (_names(table[c], what) for c in MARKS[:2])
    _refuse_oneself(first, second, what)
    won, ties = _outcomes(table["winner"], first, second, what)
    block, other = _block(table, options, what)
    rows = np.arange(1, len(table) + 1)
    both = {"sample": np.concatenate([rows, rows])}
    both |= {"algorithm": np.concatenate([first, second]), "value": np.concatenate([won, 1 - won])}
    if block:
        labels = table[block].astype(str).to_numpy()
        both["cluster"] = np.concatenate([labels, labels])
    note = Note("battles", REMARK, ties=ties, block=block, other=other)
    return LongTable(
        pd.DataFrame(both),
        what,
        name=named(source),
        sampling=PREFERENCES.name,
        measure=MEASURE,
        measures={MEASURE: Measure(MEASURE, True, bounds=(0, 1), unit="share")},
        notes=[note],
        called={"algorithm": "model", "sample": "battle"},
        facts={"shown_first": first.tolist()},
        options=used(options, "cluster", measure=MEASURE),
    )


def _names(column: pd.Series, what: str) -> np.ndarray:
    text = column.astype(str).str.strip()
    empty = (column.isna() | text.isin(("", "nan"))).to_numpy()
    if empty.any():
        raise ResultsError(
            f"{what}, column '{column.name}', row {int(np.argmax(empty)) + 1} is empty, where the "
            "name of a model is expected. Correct it, or leave the row out."
        )
    return np.asarray(text.to_numpy(dtype=object))


def _refuse_oneself(first: np.ndarray, second: np.ndarray, what: str) -> None:
    alike = first == second
    if alike.any():
        row = int(np.argmax(alike))
        raise ResultsError(
            f"{what}, row {row + 1}: '{first[row]}' was compared with itself. Leave the row out."
        )


def _outcomes(
    winner: pd.Series, first: np.ndarray, second: np.ndarray, what: str
) -> tuple[np.ndarray, int]:
    """1 where the first won, 0 where the second did, 1/2 for ties, and how many these are."""
    text = winner.astype(str).str.strip()
    lower = text.str.lower()
    won = np.full(len(text), np.nan)
    won[lower.isin(FIRST)], won[lower.isin(SECOND)], won[lower.isin(TIES)] = 1.0, 0.0, 0.5
    # a model may be called 'b', which is then its name and no side
    won[text.to_numpy() == first], won[text.to_numpy() == second] = 1.0, 0.0
    odd = np.isnan(won)
    if odd.any():
        row = int(np.argmax(odd))
        raise ResultsError(
            f"{what}, column 'winner', row {row + 1}: '{text.iloc[row]:.60}' is no outcome; say "
            "model_a, model_b, tie or both_bad, or the name of one of the two models."
        )
    return won, int((won == 0.5).sum())


def _block(table: pd.DataFrame, options: Options, what: str) -> tuple[str, str]:
    """The column whose rows depend on each other, and another that would do; empty for none."""
    if said := options.columns.get("cluster"):
        if said[0] not in table.columns:
            raise ResultsError(f"{what} has no column '{said[0]}'.")
        return said[0], ""
    found = [c for c in (*BLOCKS, *JUDGES) if c in table.columns and _repeats(table[c])]
    return (found[0] if found else ""), (found[1] if len(found) > 1 else "")


def _repeats(column: pd.Series) -> bool:
    return bool(column.notna().all()) and 1 < column.nunique() < len(column)


SAMPLE = """\
model_a,model_b,winner,judge
one,two,model_a,x
two,one,tie,x
one,three,model_a,y
three,one,model_a,y
two,three,model_a,z
three,two,both_bad,z
one,two,model_b,z
"""
FORMATS.add(
    Format(
        "battles",
        "choices between two models (columns model_a, model_b, winner), with their ties",
        recognises=in_any(_is_battles),
        read=_read,
        samples=[text_sample("battles.csv", SAMPLE, ("two", "one", "three"))],
        extensions=["csv", "parquet"],
        title="battles",
    )
)
