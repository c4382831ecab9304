"""New columns of a table by rules: parts, texts and numbers of columns that are there.

The rules, of which a column has one:

    from, pattern           a part of a text; named groups are columns of their own; replace: the
                            text with this in the place of all such parts
    first = [a, b]          the first of these that a row has
    text = "{a} ({b})"      texts with columns in them
    map = {x = 1}           what cells mean, of `from` or of several that are joined (`join`)
    divide, multiply, add   two columns, or a column and a number
    sum, within             the sum so far, of the rows of one run
    fill, within            the first value of a group, where a row has none
    number = [a, b]         a, numbered where it occurs again beside the same b
    runs = a                what names of runs say: NAME.algorithm, NAME.seed, NAME.dataset
    through = 3, from       folds that are numbered through, as repeats of three (by `within`)

and beside it:

    default                 where there is nothing else
    apart = [a]             behind a name that has several of these; twice = [b]: if there are
                            several rows of it with one b
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.patterns import BoundedPattern
from podium.core.base.registry import unknown
from podium.reading.formats.gathering import runs_of

Rule = Mapping[str, Any]


def derived(rules: Mapping[str, Rule], frame: pd.DataFrame, what: str) -> pd.DataFrame:
    """The frame with the columns that the rules make, in their order."""
    for name, rule in rules.items():
        frame = with_derived(name, rule, frame, what)
    return frame


def with_derived(name: str, rule: Rule, frame: pd.DataFrame, what: str) -> pd.DataFrame:
    """The frame with the columns that one rule makes."""
    for column in sources(rule):
        if column not in frame.columns and not _may_lack(rule):
            raise ResultsError(unknown(f"column of {what}", column, list(map(str, frame.columns))))
    made = _made(name, rule, frame, what)
    frame = frame.assign(**(made if isinstance(made, dict) else {name: made}))
    return frame.assign(**{name: _told_apart(name, rule, frame)}) if "apart" in rule else frame


def sources(rule: Rule) -> list[str]:
    """The columns that a rule is about."""
    lists = ("divide", "multiply", "add", "join", "first")
    several = [c for key in lists for c in rule.get(key, ())]
    single = [rule[key] for key in ("from", "sum", "fill", "runs") if key in rule]
    numbered = [*rule.get("number", ()), *rule.get("within", ())]
    texts_of = re.findall(r"\{([^}]+)\}", rule.get("text", ""))
    return [str(c) for c in (*several, *single, *numbered, *texts_of) if isinstance(c, str)]


def _may_lack(rule: Rule) -> bool:
    return "first" in rule or "text" in rule or ("from" in rule and "default" in rule)


def _made(name: str, rule: Rule, frame: pd.DataFrame, what: str) -> Any:
    for key in ("divide", "multiply", "add"):
        if key in rule:
            return _computed(key, *(_operand(frame, part) for part in rule[key]))
    if "sum" in rule:
        cells = pd.to_numeric(frame[rule["sum"]], errors="coerce")
        return cells.groupby([frame[c] for c in rule["within"]], sort=False).cumsum()
    if "fill" in rule:
        cells = frame[rule["fill"]].where(texts(frame[rule["fill"]]) != "")
        return cells.fillna(cells.groupby([frame[c] for c in rule["within"]]).transform("first"))
    if "through" in rule:
        return _of_repeats(rule, frame)
    if "number" in rule:
        return _occurrences(frame, rule["number"])
    if "runs" in rule:
        return _of_runs(name, texts(frame[rule["runs"]]), what)
    if "first" in rule:
        return _first(frame, rule["first"], rule.get("default", ""))
    if "text" in rule:
        return _filled_in(rule["text"], frame)
    if "map" in rule:
        return _meant(rule, frame)
    return _parts(name, rule, frame)


def _operand(frame: pd.DataFrame, part: Any) -> Any:
    return pd.to_numeric(frame[part], errors="coerce") if isinstance(part, str) else float(part)


def _computed(kind: str, one: Any, two: Any) -> Any:
    if kind == "divide":
        return one / two.where(two != 0) if isinstance(two, pd.Series) else one / two
    return one * two if kind == "multiply" else one + two


def _occurrences(frame: pd.DataFrame, columns: list[str]) -> pd.Series:
    """Names, with a number where one occurs again: the same text twice is two items."""
    names = texts(frame[columns[0]])
    again = frame.assign(**{columns[0]: names}).groupby(columns, sort=False, dropna=False)
    count = again.cumcount()
    return names.where(count == 0, names + " (" + (count + 1).astype(str) + ")")


def _of_repeats(rule: Rule, frame: pd.DataFrame) -> dict[str, pd.Series]:
    """Repeats and folds, where folds of every group are numbered 0, 1, 2 ... over whole repeats."""
    split, size = pd.to_numeric(frame[rule["from"]], errors="coerce"), int(rule["through"])
    groups = split.groupby([frame[c] for c in rule["within"]]).agg(["min", "max", "nunique"])
    whole = (groups["min"] == 0) & (groups["max"] + 1 == groups["nunique"])
    through = bool((whole & (groups["nunique"] % size == 0)).all()) and split.max() >= size
    if "repeat" in frame.columns or not through:
        return {"fold": frame[rule["from"]]}
    return {"repeat": split // size, "fold": split % size}


def _of_runs(name: str, names: pd.Series, what: str) -> dict[str, list[str]]:
    every = list(dict.fromkeys(names))
    about = dict(zip(every, runs_of(every, what), strict=True))
    return {
        f"{name}.{part}": [getattr(about[n], part) for n in names]
        for part in ("algorithm", "seed", "dataset")
    }


def _first(frame: pd.DataFrame, columns: list[str], default: Any) -> pd.Series:
    made = pd.Series(None, frame.index, dtype=object)
    for column in columns:
        if column in frame.columns:
            cells = frame[column].astype(object)
            made = made.where(texts(made) != "", cells)
    return made.where(texts(made) != "", default)


def _filled_in(text: str, frame: pd.DataFrame) -> list[str]:
    """The text with cells in it; empty where all of them are."""
    parts = re.split(r"\{([^}]+)\}", text)
    cells = [texts(frame[c]) if c in frame.columns else [""] * len(frame) for c in parts[1::2]]
    rows = zip(*cells, strict=True)
    return [_woven(parts[::2], row) if any(row) else "" for row in rows]


def _woven(between: list[str], cells: tuple[str, ...]) -> str:
    pairs = zip(between, (*cells, ""), strict=True)
    return "".join(before + cell for before, cell in pairs)


def _meant(rule: Rule, frame: pd.DataFrame) -> pd.Series:
    columns = [c for c in rule.get("join") or [rule["from"]] if c in frame.columns]
    if not columns:
        return pd.Series(rule["default"], frame.index)
    first, *rest = (texts(frame[c]) for c in columns)
    made = (first.str.cat(rest, sep=" ") if rest else first).map(rule["map"])
    return made.fillna(rule["default"]) if "default" in rule else made


def _parts(name: str, rule: Rule, frame: pd.DataFrame) -> Any:
    default = rule.get("default", "")
    if rule["from"] not in frame.columns:
        return [default] * len(frame)
    pattern = BoundedPattern(rule["pattern"])
    if "replace" in rule:
        return pattern.replace_all(texts(frame[rule["from"]]), rule["replace"])
    matches = pattern.search_all(texts(frame[rule["from"]]))
    if pattern.names:
        return {
            group: [m[group] or default if m else default for m in matches]
            for group in pattern.names
        }
    return [m.last if m else default for m in matches]


def _told_apart(name: str, rule: Rule, frame: pd.DataFrame) -> pd.Series:
    """Names with what tells those of one name apart behind them."""
    first = names = texts(frame[name])
    for column in rule["apart"]:
        if column not in frame.columns:
            continue
        if rule.get("twice") and not _is_twice(frame.assign(**{name: names}), name, rule):
            break
        more = texts(frame[column])
        several = (more.groupby(first).transform("nunique") > 1) & (more != "")
        names = names.where(~several, names + " " + more)
    return names


def _is_twice(frame: pd.DataFrame, name: str, rule: Rule) -> bool:
    return bool(frame.duplicated([name, *rule["twice"]]).any())


# -- lists in cells -------------------------------------------------------------------------------


def unrolled(rule: Rule, frame: pd.DataFrame) -> pd.DataFrame:
    """Cells that are lists of numbers as rows, their places in `COLUMN#`; else as it is."""
    column = rule.get("column", "")
    if column not in frame.columns:
        return frame
    lists = [_list_in(cell) for cell in frame[column]]
    frame = frame.drop(columns=column)
    if not all(len(numbers) > 1 for numbers in lists):
        return frame
    counts = [len(numbers) for numbers in lists]
    long = frame.loc[frame.index.repeat(counts)].reset_index(drop=True)
    places = [place for count in counts for place in range(1, count + 1)]
    cells = [number for numbers in lists for number in numbers]
    return long.assign(**{f"{column}#": places, rule["into"]: cells})


def _list_in(cell: Any) -> list[float]:
    """The numbers in a cell: a list, or its text; one that is null keeps its place."""
    if isinstance(cell, str):
        try:
            cell = json.loads(cell.replace("'", '"'))
        except (ValueError, RecursionError):
            return []
    if not isinstance(cell, (list, tuple, np.ndarray)):
        return []
    numbers = [math.nan if number is None else number for number in cell]
    plain = all(isinstance(number, (int, float, np.number)) for number in numbers)
    return [float(number) for number in numbers] if plain else []


# -- cells --------------------------------------------------------------------------------------


def texts(column: pd.Series) -> pd.Series:
    """Cells as text, whole numbers without a fraction; empty where there is none."""
    return pd.Series([text_of(cell) for cell in column], column.index, dtype=object)


def text_of(cell: Any) -> str:
    """A cell as text."""
    if cell is None or (isinstance(cell, float) and cell != cell):
        return ""
    if isinstance(cell, (bool, np.bool_)):
        return str(bool(cell)).lower()
    if isinstance(cell, (float, np.floating)):
        number = float(cell)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else str(number)
    return str(cell).strip()
