"""Scores as `podium import` writes them: a long table below one line that says all about them.

The line is a comment in which JSON has the number of rows, the sampling, the measures with their
directions, what was recognised and where it came from; whoever reads the table elsewhere skips it.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from typing import Any

import pandas as pd

from podium.core.base.errors import DesignError, ResultsError
from podium.core.questions.measures import Measure
from podium.core.results.results import ITEM_NAMES, RECOGNISED, ReadAs, Results
from podium.core.results.weights import describe_weights
from podium.core.samplings import Sampling
from podium.core.samplings import parse as parse_sampling
from podium.core.words.facts import Note, Severity
from podium.reading.cells.columns import WORD
from podium.reading.cells.vocabulary import Options, same_measure
from podium.reading.formats.gathering import numbers, refuse_step, used
from podium.reading.formats.opening import content, parsed
from podium.reading.formats.record import (
    FORMATS,
    Format,
    LongTable,
    Source,
    text_sample,
)

MARK = "# podium scores: "
NOUNS = ("algorithm", "dataset", "sample")
ROLES = (
    *("dataset", "algorithm", "repeat", "fold", "item", "sample", "condition", "cluster"),
    *("measure", "value"),
)
ANSWERED = ["dataset", "algorithm", "sample", "measure", "count", "variance"]


# -- writing --------------------------------------------------------------------------------------


def scores_text(results: Results, origin: Sequence[str] = ()) -> str:
    """The scores as CSV with the line above them; reading it gives the same results."""
    messages = {
        "name": results.name,
        "sampling": None if results.sampling is None else str(results.sampling),
        "measures": {name: _measure_facts(m) for name, m in results.measures.items()},
        "recognised": _recognised(results),
        "notes": [_note_facts(note) for note in results.notes if note.code != RECOGNISED],
        "origin": list(origin),
    }
    frame = long_frame(results)
    table = frame.to_csv(index=False, lineterminator="\n")
    return f"{MARK}{json.dumps({'rows': len(frame)} | messages)}\n{table}"


def long_frame(results: Results) -> pd.DataFrame:
    """The scores with items, clusters and counts of answers, and a word where runs failed."""
    frame = results.to_pandas()
    for fact, column in (("clusters", "cluster"), (ITEM_NAMES, "item")):
        labels = {d: f[fact] for d, f in results.facts.items() if fact in f}
        if labels:
            at = zip(results.scores["dataset"], results.scores["sample"] - 1, strict=True)
            frame.insert(3, column, [labels[d][i] for d, i in at])
    if len(results.answers) and "sample" in frame:
        keys = ANSWERED[:4]
        texts = {c: results.answers[c].astype(str) for c in ("dataset", "algorithm", "measure")}
        frame = frame.merge(results.answers.assign(**texts), how="left", on=keys)
    elif "item" in frame.columns:  # by which other files name it, too
        frame = frame.drop(columns="sample", errors="ignore")
    return _with_failed(frame, results)


def _with_failed(frame: pd.DataFrame, results: Results) -> pd.DataFrame:
    """With a word in place of the scores of runs that failed."""
    keys = ["dataset", "algorithm", "sample"]
    failed = results.runs[results.runs["status"] == "failed"]
    if not len(failed) or len(frame) != len(results.scores):
        return frame
    gone = pd.MultiIndex.from_frame(results.scores[keys].astype(str)).isin(
        pd.MultiIndex.from_frame(failed[keys].astype(str))
    )
    empty = gone & results.scores["value"].isna().to_numpy()
    return frame.assign(value=frame["value"].astype(object).mask(empty, WORD))


def _recognised(results: Results) -> dict[str, Any]:
    """What the source was taken for: its title, what it calls things, and its columns' roles."""
    result = next((note for note in results.notes if note.code == RECOGNISED), None)
    if result is None:
        return {}
    return {k: result.facts[k] for k in ("title", *NOUNS)} | {"read_as": asdict(result.read_as)}


def _measure_facts(measure: Measure) -> dict[str, Any]:
    bounds = [None if math.isinf(b) else b for b in measure.bounds]
    facts = {"higher_is_better": measure.higher_is_better, "bounds": bounds}
    return facts | {"unit": measure.unit, "spec": measure.spec}


def _note_facts(note: Note) -> dict[str, Any]:
    return {"code": note.code, "severity": int(note.severity), "facts": dict(note.facts)}


# -- reading --------------------------------------------------------------------------------------


def _is_scores(source: Source) -> bool:
    return len(source.paths) == 1 and source.head.startswith(MARK.encode())


def _read(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    path = source.paths[0]
    head, _, body = content(path).decode("utf-8", "replace").partition("\n")
    message = parsed(head[len(MARK) :].encode(), f"The first line of '{path}'")
    try:
        frame = pd.read_csv(io.StringIO(body), dtype=str, keep_default_na=False)
    except (ValueError, pd.errors.ParserError):
        raise ResultsError(f"'{path}' has no whole table below its first line.") from None
    if not {"algorithm", "dataset", "measure", "value"} <= {*frame.columns} or not len(frame):
        raise ResultsError(f"'{path}' has no scores below its first line. Import them again.")
    _refuse_cut(path, message, len(frame), ends=body.endswith("\n"))
    answers = frame[ANSWERED] if {*ANSWERED} <= {*frame.columns} else None
    frame = frame[[c for c in ROLES if c in frame.columns]]
    if "item" in frame.columns or {"repeat", "fold"} <= {*frame.columns}:
        frame = frame.drop(columns="sample", errors="ignore")
    try:
        return LongTable(
            frame.assign(value=_values(frame["value"], f"'{path}'")),
            f"'{path}'",
            name=str(message.get("name") or ""),
            sampling=_sampling(message),
            measures={name: _measure(name, facts) for name, facts in message["measures"].items()},
            notes=[_note(facts) for facts in message["notes"]],
            called={k: str(v) for k, v in message["recognised"].items() if k in NOUNS},
            title=str(message["recognised"].get("title", "")),
            options=used(options, measure=_wanted(options, message["measures"])),
            answers=None if answers is None else _answers(answers, f"'{path}'"),
            read_as=_read_as(message["recognised"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, DesignError) as error:
        if isinstance(error, ResultsError):
            raise
        raise ResultsError(
            f"The first line of '{path}' does not say what its scores are. Import them again."
        ) from None


def _sampling(message: dict[str, Any]) -> Sampling | None:
    if not message.get("sampling"):
        return None
    return describe_weights(parse_sampling(message["sampling"]), map(_note, message["notes"]))


def _values(cells: pd.Series, what: str) -> pd.Series:
    """The scores, and the word for those of failed runs."""
    failed = cells == WORD
    series = pd.Series(numbers(cells.mask(failed, ""), what), cells.index)
    return series.astype(object).mask(failed, WORD) if failed.any() else series


def _read_as(messages: dict[str, Any]) -> ReadAs:
    known = {f.name for f in fields(ReadAs)}
    return ReadAs(**{k: _frozen(v) for k, v in messages.get("read_as", {}).items() if k in known})


def _refuse_cut(path: Any, message: Any, rows: int, *, ends: bool) -> None:
    """Refuse a table that a full disk or a broken copy has cut; older ones do not say how long."""
    stated = message.get("rows") if isinstance(message, dict) else None
    if stated is None:
        return
    again = f'Import them again; where rows were changed on purpose, write "rows": {rows} there.'
    if stated != rows:
        raise ResultsError(
            f"'{path}' has {rows} rows of scores, and its first line says {stated}. {again}"
        )
    if not ends:
        raise ResultsError(f"'{path}' ends within its last row. Import the scores again.")


def _answers(table: pd.DataFrame, what: str) -> pd.DataFrame:
    """How many answers scores are means of, and how these vary."""
    names = table[table["count"] != ""]
    each = {name: numbers(names[name], what) for name in ("sample", "count", "variance")}
    result = names.assign(**each)
    return result.astype({"sample": "int64", "count": "int64"}).reset_index(drop=True)


def _wanted(options: Options, names: dict[str, Any]) -> str | None:
    """The measure asked for, by the name that it has here."""
    wanted = options.measure
    alike = [n for n in names if wanted is not None and same_measure(n, wanted)]
    return alike[0] if len(alike) == 1 else wanted


def _measure(name: str, facts: dict[str, Any]) -> Measure:
    low, high = facts["bounds"]
    bounds = (-math.inf if low is None else low, math.inf if high is None else high)
    made = Measure(name, bool(facts["higher_is_better"]), bounds, str(facts["unit"]))
    return replace(made, spec=str(facts["spec"]))


def _note(facts: dict[str, Any]) -> Note:
    held = {str(name): _frozen(value) for name, value in facts["facts"].items()}
    return Note(str(facts["code"]), Severity(facts["severity"]), **held)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


_SAMPLE = {
    "name": "quiz",
    "sampling": "items",
    "measures": {
        "acc": {"higher_is_better": True, "bounds": [0, 1], "unit": "share", "spec": "accuracy"}
    },
    "recognised": {},
    "notes": [],
    "origin": ["runs"],
}
EXCHANGE = FORMATS.add(
    Format(
        "podium-scores",
        "scores that `podium import` has written: a long table below a line that says all of it",
        recognises=_is_scores,
        read=_read,
        samples=[
            text_sample(
                "scores.csv",
                f"{MARK}{json.dumps(_SAMPLE)}\ndataset,algorithm,sample,measure,value\n"
                "quiz,a,1,acc,1\nquiz,a,2,acc,1\nquiz,b,1,acc,0\nquiz,b,2,acc,1\n",
                order=("a", "b"),
            )
        ],
        extensions=["csv"],
        place=10,
    )
)
