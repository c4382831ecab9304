"""Battles: one row per choice between two models, as arenas and judges write them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import natural
from podium.core.questions.measures import Measure
from podium.core.samplings import PREFERENCES
from podium.core.words.facts import REMARK, Note
from podium.reading.cells.vocabulary import Options
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import in_any, named, own_files, refuse_step, shown, used
from podium.reading.formats.opening import by_line, whole
from podium.reading.formats.record import FORMATS, Format, LongTable, Source, text_sample

# -- what else a table of battles holds of each ---------------------------------------------------
# Values of either side, and groups such as judges.


# the sides of a name such as length_a, a_length, response-1, tokens.left
SIDES = (("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"))
MOST_KINDS, MOST_GROUPS = 20, 200  # distinct values that kinds of answers, and groups, may have
LENGTH = "length"
MOST_NUMBERS = 0.5  # share of answers that are numbers, in a column of texts


def covariates(table: pd.DataFrame, taken: Collection[str]) -> dict[str, list[Any]]:
    """By name: one value of each battle, or one of either side; texts of two sides by length."""
    results: dict[str, list[Any]] = {}
    used: set[str] = set(taken)
    lengths: list[np.ndarray] = []
    for name, first, second in _sided(table.columns, taken):
        used |= {first, second}
        numbers = [pd.to_numeric(table[c], errors="coerce") for c in (first, second)]
        texts = [table[c] for c in (first, second)]
        known = all(
            n.notna().equals(_filled(t)) and n.notna().any()
            for n, t in zip(numbers, texts, strict=True)
        )
        if known:
            results[name] = np.column_stack([n.to_numpy(float) for n in numbers]).tolist()
        elif pd.unique(pd.concat(texts).astype(str)).size <= MOST_KINDS:
            results[name] = pd.concat(texts, axis=1).astype(object).to_numpy().tolist()
        elif all(n.notna().mean() < MOST_NUMBERS for n in numbers):
            lengths.append(np.column_stack([t.astype(str).str.len() for t in texts]).astype(float))
    if lengths and LENGTH not in results:
        results[LENGTH] = np.sum(lengths, axis=0).tolist()
    for column in table.columns:
        if column not in used and _is_group(table[column]):
            results[str(column)] = table[column].astype(str).tolist()
    return results


def _filled(column: pd.Series) -> pd.Series:
    return column.notna() & (column.astype(str).str.strip() != "")


def _is_group(column: pd.Series) -> bool:
    return bool(_filled(column).all()) and 1 < column.nunique() <= MOST_GROUPS


def _sided(columns: Collection[str], taken: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Columns that differ in their side alone: the name without it, and the two."""
    known = {str(c).lower(): str(c) for c in columns if c not in taken}
    for lower, column in known.items():
        parts = re.split(r"([_\W]+)", lower)
        for one, other in SIDES:
            for place in [i for i, part in enumerate(parts) if part == one]:
                turned = "".join([*parts[:place], other, *parts[place + 1 :]])
                if turned in known:
                    yield _less(parts, place), column, known[turned]


def _less(parts: list[str], place: int) -> str:
    """The name less its side, and less the word `model` that belongs to it."""
    words = [p for i, p in enumerate(parts) if i % 2 == 0 and i != place and p]
    kept = [w for w in words if w != "model"] or words
    return "_".join(kept)


# -- battles --------------------------------------------------------------------------------------


MARKS = ("model_a", "model_b", "winner")
MEASURE = "win-rate"
FIRST = ("model_a", "a", "left", "1", "model_1")
SECOND = ("model_b", "b", "right", "2", "model_2")
TIES = ("tie", "draw", "both", "tie (bothbad)", "tie(bothbad)", "bothbad", "both_bad", "both bad")
# whose choices depend on each other, the usual blocks first
BLOCKS = ("question", "question_id", "prompt", "prompt_id", "instruction", "item", "task")
JUDGES = ("judge", "annotator", "rater", "user", "judge_name", "annotator_id")
SPREAD = ("winner_model_a", "winner_model_b", "winner_tie")  # who won as three columns of 0 and 1
TAKEN = (*MARKS, *SPREAD)


def _has_marks(names: Iterable[str]) -> bool:
    return {*MARKS[:2]} <= {*names} and ("winner" in names or {*SPREAD} <= {*names})


def _is_table(source: Source) -> bool:
    return _has_marks(source.columns)


def _is_json(source: Source) -> bool:
    """Whether it is a list of battles, a line for each, or columns of them."""
    shape = source.shape
    first = shape[0] if isinstance(shape, list) and shape else shape
    return isinstance(first, dict) and _has_marks(first)


def _is_battles(source: Source) -> bool:
    return _is_table(source) or _is_json(source)


def _battles(source: Source) -> pd.DataFrame:
    """All battles of a source below each other."""
    if not source.paths:
        return tabular(source.given).frame.reset_index(drop=True)
    files = own_files(source, _is_battles, "battles")
    tables = [_records(f) if _is_json(Source(f)) else tabular(f).frame for f in files]
    return pd.concat(tables, ignore_index=True)


def _records(path: Path) -> pd.DataFrame:
    """The battles of a JSON file; lists (a conversation) are left out."""
    lines = _is_by_line(path)
    result = list(by_line(path)) if lines else whole(path)
    if isinstance(result, dict):  # by columns, as pandas writes them
        result = pd.DataFrame(result).to_dict("records")
    odd = next((i for i, each in enumerate(result) if not isinstance(each, dict)), None)
    if odd is not None:
        raise ResultsError(f"'{path}': entry {odd + 1} is no battle. Leave it out.")
    table = pd.DataFrame([_flat(each) for each in result])
    gone = next((m for m in MARKS[:2] if m not in table), None)
    if gone is not None:
        raise ResultsError(f"'{path}': no battle has a '{gone}'.")
    return table


def _flat(battle: dict[str, Any]) -> dict[str, Any]:
    """A battle's single values, and the numbers within what is told of it (token counts)."""
    kept = {k: v for k, v in battle.items() if not isinstance(v, (dict, list))}
    inner = [v for v in battle.values() if isinstance(v, dict)]
    numbers = {k: v for each in inner for k, v in each.items() if isinstance(v, (int, float))}
    return {**numbers, **kept}


def _is_by_line(path: Path) -> bool:
    """Whether every line is a value of its own."""
    first, _, rest = Source(path).text.lstrip().partition("\n")
    if not first.startswith("{") or not rest.strip():
        return False
    try:
        return isinstance(json.loads(first), dict)
    except ValueError:
        return False


def _read(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    table = _with_winner(_battles(source))
    first, second = (_names(table[c], what) for c in MARKS[:2])
    _refuse_oneself(first, second, what)
    won, ties = _outcomes(table["winner"], first, second, what)
    by = _block(table, options, what)
    rows = np.arange(1, len(table) + 1)
    both = {"sample": np.concatenate([rows, rows])}
    both |= {"algorithm": np.concatenate([first, second]), "value": np.concatenate([won, 1 - won])}
    messages = {name: table[name].astype(str) for name in by}
    judged = len(messages) > 1 or {*messages} & {*JUDGES}
    crossed = {name: labels.tolist() for name, labels in messages.items()} if judged else {}
    if messages:
        first_of, *rest = messages.values()
        labels = first_of.str.cat(rest, sep=" / ").to_numpy()
        both["cluster"] = np.concatenate([labels, labels])
    judges = _these_judges(table, by)
    notes = [Note("tied-choices", REMARK, ties=ties)]
    notes += [Note("choice-blocks", REMARK, block="+".join(by), other="")] if by else []
    return LongTable(
        pd.DataFrame(both),
        what,
        name=named(source),
        sampling=PREFERENCES.name,
        measure=MEASURE,
        measures={MEASURE: Measure(MEASURE, True, bounds=(0, 1), unit="share")},
        notes=notes,
        called={"algorithm": "model", "sample": "battle"},
        facts={
            "shown_first": first.tolist(),
            "covariates": covariates(table, TAKEN),
            **({"factors": crossed} if crossed else {}),
            **({"judges": judges} if judges else {}),
        },
        options=used(options, "cluster", measure=MEASURE),
    )


def _with_winner(table: pd.DataFrame) -> pd.DataFrame:
    """The table with who won in one column."""
    if "winner" in table or not {*SPREAD} <= {*table.columns}:
        return table
    won = table[list(SPREAD)].astype(float).to_numpy()
    odd = (won.sum(axis=1) != 1) | ~np.isin(won, (0, 1)).all(axis=1)
    names = np.array([*MARKS[:2], "tie"], dtype=object)
    # a row that names nobody, or several, is told as it stands there
    return table.assign(winner=np.where(odd, "", names[won.argmax(axis=1)]))


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
    won[lower.str.startswith("tie (").to_numpy()] = 0.5  # as MT-bench's tie (inconsistent)
    # a model may be called 'b', which is then its name and no side
    won[text.to_numpy() == first], won[text.to_numpy() == second] = 1.0, 0.0
    odd = np.isnan(won)
    if odd.any():
        row = int(np.argmax(odd))
        raise ResultsError(
            f"{what}, column 'winner', row {row + 1}: '{text.iloc[row]:.60}' is no outcome; say "
            "model_a, model_b, tie or both_bad, or the name of one of the two models, or leave "
            "the row out."
        )
    return won, int((won == 0.5).sum())


def _block(table: pd.DataFrame, options: Options, what: str) -> list[str]:
    """The columns whose rows depend on each other: of prompts, of judges, or both, judges last."""
    if chosen := options.columns.get("cluster"):
        whole = chosen[0] in table.columns
        parts = [chosen[0]] if whole else [part.strip() for part in chosen[0].split("+")]
        for part in parts:
            if part not in table.columns:
                raise ResultsError(f"{what} has no column '{part}'.")
        if len(parts) > 2:
            raise ResultsError(f"Clusters are one column, or two as in {'+'.join(parts[:2])}.")
        return sorted(parts, key=lambda part: (part in JUDGES, -table[part].nunique()))
    usual = ([c for c in names if c in table.columns and _repeats(table[c])][:1]
             for names in (BLOCKS, JUDGES))  # fmt: skip
    return [column for result in usual for column in result]


def _these_judges(table: pd.DataFrame, by: list[str]) -> list[str]:
    """The judges, where choices of new ones are not asked about."""
    judge = next((c for c in JUDGES if c in table.columns and table[c].notna().all()), None)
    if judge is None or judge in by or table[judge].nunique() == len(table):
        return []
    return sorted(map(str, pd.unique(table[judge])), key=natural)


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
_LINES = "".join(
    json.dumps(dict(zip((*MARKS, "judge"), line.split(","), strict=True))) + "\n"
    for line in SAMPLE.splitlines()[1:]
)
FORMATS.add(
    Format(
        "battles",
        "choices between two models (columns model_a, model_b, winner), with their ties",
        recognises=in_any(_is_battles),
        read=_read,
        samples=[
            text_sample("battles.csv", SAMPLE, ("two", "one", "three")),
            text_sample("battles.jsonl", _LINES, ("two", "one", "three")),
        ],
        extensions=["csv", "parquet", "json", "jsonl"],
        title="battles",
    )
)
