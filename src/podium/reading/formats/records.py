"""Records in JSON, and several tables at once.

JSON holds a list of records, one record per line, or columns; records may be nested one level. Of
several files each has the scores of one algorithm, or of one data set, unless a column says it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError, UnknownLayout
from podium.core.base.formatting import read_digits
from podium.core.results.results import Results
from podium.core.samplings import parse as parse_sampling
from podium.core.words.facts import REMARK, Note
from podium.reading.cells.columns import Coded, Tabular
from podium.reading.cells.vocabulary import (
    ABOUT_ROWS,
    BLOCKS,
    Options,
    candidates,
    is_columns,
    known_measure,
    role_of,
)
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import labels, named, refuse_step, shown
from podium.reading.formats.opening import by_line, content, parsed
from podium.reading.formats.record import FORMATS, Format, Sample, Source, text_sample
from podium.reading.formats.tables import EXTENSIONS, read_rows
from podium.reading.tables.from_sheets import results_from
from podium.reading.tables.sheets import Sheet, sheet

# -- scores in mappings ---------------------------------------------------------------------------
# Of scikit-learn's searches, and by algorithm as from cross_val_score.


_SPLIT = re.compile(r"split(\d+)_test_(.+)")


def _read_scores(source: Source, options: Options) -> Results:
    return scores_by_algorithm(source.given, options)


def scores_by_algorithm(
    scores: Mapping[Any, Any], options: Options, what: str = "The mapping"
) -> Results:
    """The results in a mapping from algorithms to their scores."""
    _refuse_columns(options)
    return results_from(_sheet({"": scores}, paired=options.paired, what=what), options)


def _is_search(source: Source) -> bool:
    """Whether it is a search, or keys (columns of a pandas frame) are those of `cv_results_`."""
    if hasattr(source.given, "cv_results_"):
        return True
    if not isinstance(source.given, (Mapping, pd.DataFrame)) and len(source.files) != 1:
        return False
    return not is_columns(source.columns) and any(_SPLIT.fullmatch(c) for c in source.columns)


def _read_search(source: Source, options: Options) -> Results:
    """The results of a search: its candidates, by fold."""
    _refuse_columns(options)
    results = getattr(source.given, "cv_results_", source.given)
    scoring = getattr(source.given, "scoring", None)
    if not isinstance(results, Mapping):
        table = tabular(results)
        if source.paths and options.sampling is None:  # as of the same columns in JSON
            options = replace(options, sampling=parse_sampling("cv"))
        results = {c: table.frame[c].tolist() for c in table.columns}
        results |= {c: table.numbers(c) for c in table.columns if _SPLIT.fullmatch(c)}
    if "params" not in results:
        raise ResultsError("cv_results_ lacks 'params', which names its candidates.")
    names = _candidate_names(map(_parameters, results["params"]))
    splits = sorted((read_digits(m[1]), m[2], k) for k in results if (m := _SPLIT.fullmatch(k)))
    measures = {}
    for scorer in dict.fromkeys(s for _, s, _ in splits):
        scores = np.array([results[k] for _, s, k in splits if s == scorer], dtype=float)
        name = scorer if scorer != "score" else scoring if isinstance(scoring, str) else ""
        loss = known_measure(name)
        if loss and not loss.higher_is_better and np.nanmax(scores, initial=-np.inf) <= 0:
            name = f"neg_{name}"  # of every scorer larger is better
        measures[name] = dict(zip(names, scores.T, strict=True))
    return results_from(_sheet(measures, higher=True), options)


def _refuse_columns(options: Options) -> None:
    refuse_step(options)
    if options.columns:
        raise ResultsError("columns is for tables; these scores have no columns to name.")


MAPPING = FORMATS.add(
    Format(
        "mapping",
        "a mapping from algorithms to their scores, as of scikit-learn's cross_val_score",
        recognises=lambda source: (
            isinstance(source.given, Mapping)
            and not is_columns(source.given)
            and not _is_search(source)
        ),
        read=_read_scores,
        samples=[
            Sample(
                lambda folder: {"svm": [0.1, 0.2, 0.1], "knn": [0.3, 0.1, 0.2]},
                order=("svm", "knn"),
                options={"measure": "error", "sampling": "bootstrap"},
            )
        ],
        general=True,
        place=10,
    )
)
SEARCH = FORMATS.add(
    Format(
        "cv-results",
        "cv_results_ of a search of scikit-learn (or the search), in which candidates are compared",
        recognises=_is_search,
        read=_read_search,
        samples=[
            Sample(
                lambda folder: {
                    "params": [{"C": 1}, {"C": 10}],
                    "split0_test_score": [0.7, 0.9],
                    "split1_test_score": [0.8, 0.9],
                },
                order=("C=10", "C=1"),
                options={"measure": "accuracy", "sampling": "cv"},
            )
        ],
        place=10,
    )
)


def _parameters(candidate: Any) -> Mapping[str, Any]:
    """The parameters of a candidate; in a file they are written as Python writes them."""
    if isinstance(candidate, Mapping):
        return candidate
    try:
        read = ast.literal_eval(str(candidate))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        read = None  # an object among them, as in {'svc': SVC()}
    return read if isinstance(read, dict) else {"": str(candidate).strip("{} ")}


def _candidate_names(params: Iterable[Mapping[str, Any]]) -> list[str]:
    names: list[str] = []
    for candidate in params:
        text = ", ".join(
            f"{k}={' '.join(str(v).split())}".lstrip("=") for k, v in candidate.items()
        )
        name, copies = text or "default", 1
        while name in names:  # a random search may draw a candidate twice
            copies += 1
            name = f"{text} ({copies})"
        names.append(name)
    return names


def _sheet(
    measures: Mapping[str, Mapping[Any, Any]],
    higher: bool | None = None,
    paired: bool = True,
    what: str = "The mapping",
) -> Sheet:
    """The sheet of scores by measure and algorithm, each a sequence of samples."""
    algorithms = [str(a).strip() for a in next(iter(measures.values()))]
    if not algorithms or "" in algorithms or len({*algorithms}) < len(algorithms):
        raise ResultsError(f"{what} must name each algorithm once, and none by a blank.")
    if paired:
        measures = {name: _aligned(scores, what) for name, scores in measures.items()}
    columns = [[_vector(a, v, what) for a, v in scores.items()] for scores in measures.values()]
    size = max(len(column) for column in columns[0])
    for name, column in zip(algorithms, columns[0], strict=True):
        if len(column) != size and paired:
            raise ResultsError(
                f"{what}: '{name}' has {len(column)} scores where others have {size}; every "
                "algorithm needs the scores of the same samples (or say that each has its own: "
                "sampling='bootstrap+independent')."
            )
    columns = [[_lengthened(v, size) for v in column] for column in columns]
    samples = [str(i) for i in range(1, size + 1)]
    rows = {
        "sample": Coded(np.tile(np.arange(size), len(measures)), samples),
        "measure": Coded(np.repeat(np.arange(len(measures)), size), list(measures)),
    }
    values = np.concatenate([np.column_stack(c) for c in columns])
    return sheet(what, values, "algorithm", algorithms, rows, higher=higher)


def _aligned(scores: Mapping[Any, Any], what: str) -> Mapping[Any, Any]:
    """Scores of the same samples in one order, where all are series whose labels name samples."""
    series = [one for one in scores.values() if isinstance(one, pd.Series)]
    if len(series) < len(scores) or any(isinstance(one.index, pd.RangeIndex) for one in series):
        return scores
    first = series[0].index
    for name, one in scores.items():
        alike = one.index.equals(first)
        known = one.index.is_unique and first.is_unique and {*one.index} == {*first}
        if not alike and not known:
            raise ResultsError(
                f"{what}: the labels of '{name}' are not those of the others, so that its scores "
                "are of other samples. Give the same labels, or arrays whose order pairs them."
            )
    return {
        name: one if one.index.equals(first) else one.loc[first] for name, one in scores.items()
    }


def _lengthened(scores: np.ndarray, size: int) -> np.ndarray:
    return np.append(scores, np.full(size - len(scores), np.nan))


def _vector(algorithm: Any, scores: Any, what: str) -> np.ndarray:
    if isinstance(scores, Mapping):
        scores = scores.get("test_score", scores)  # of scikit-learn's cross_validate
    try:
        # a masked score is none
        vector: np.ndarray = np.ma.filled(np.ma.asarray(scores, dtype=float), np.nan)
    except (TypeError, ValueError):
        vector = np.empty((0, 0))
    if vector.ndim != 1 or not vector.size or np.isinf(vector).any():
        raise ResultsError(
            f"{what}: the scores of '{algorithm}' are no sequence of (finite) numbers: "
            f"{scores!r:.80}."
        )
    return vector


# -- records --------------------------------------------------------------------------------------


FILE = "file"  # the column that the names of several files are, where the caller speaks of it
_FILE = "\0file"  # a column that no table has
JSON_EXTENSIONS = ("json", "jsonl", "ndjson", "json.gz", "jsonl.gz")


# -- JSON -----------------------------------------------------------------------------------------


def _value(path: Path) -> Any:
    """What a JSON file holds; a list where every line has a value."""
    raw = content(path)
    lines = [line for line in raw.splitlines() if line.strip()]
    if len(lines) > 1 and _is_whole(lines[0]) and _is_whole(lines[1]):
        return list(by_line(path))
    return parsed(raw, f"'{path}'")


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), (dict, list))
    except (ValueError, RecursionError):
        return False


def frame_or_scores(value: Any, what: str) -> pd.DataFrame | dict[str, Any]:
    """The table that JSON holds, or a mapping from algorithms to their scores."""
    if isinstance(value, Mapping) and len(value) == 1:
        (only,) = value.values()  # {"results": [...]}
        value = only if _is_records(only) else value
    if _is_records(value):
        return pd.DataFrame([_flat(record) for record in value])
    if isinstance(value, Mapping) and value:
        return _of_mapping(value, what)
    raise ResultsError(
        f"{what} holds no scores: give a list of records such as "
        '[{"algorithm": "svm", "fold": 1, "accuracy": 0.9}], or columns.'
    )


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, Mapping) for v in value)


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record less one level: {"scores": {"acc": 1}} is acc, or scores.acc beside another acc."""
    flat: dict[str, Any] = {}
    for key, value in record.items():
        if not isinstance(value, Mapping):
            flat[str(key)] = value
            continue
        for name, inner in value.items():
            if isinstance(inner, (Mapping, list)):
                continue  # texts of answers and the like are no scores
            short = str(name)
            flat[f"{key}.{name}" if short in record or short in flat else short] = inner
    return {key: value for key, value in flat.items() if not isinstance(value, list)}


def _of_mapping(value: Mapping[str, Any], what: str) -> pd.DataFrame | dict[str, Any]:
    if {"columns", "data"} <= {*value} and isinstance(value["data"], list):  # as pandas splits it
        return _table(lambda: pd.DataFrame(value["data"], columns=value["columns"]), what)
    each = list(value.values())
    if all(isinstance(v, list) for v in each):
        if is_columns(value) or any(role_of(str(key)) for key in value):
            return _table(lambda: pd.DataFrame(dict(value)), what)
        return dict(value)
    if all(isinstance(v, Mapping) for v in each):
        frame = _table(lambda: pd.DataFrame({str(k): dict(v) for k, v in value.items()}), what)
        numbered = all(str(label).isdecimal() for label in frame.index)
        if numbered and any(role_of(str(column)) for column in frame.columns):
            return frame.reset_index(drop=True)  # as pandas writes columns
        return frame
    if all(isinstance(v, (int, float, str)) or v is None for v in each):
        return pd.DataFrame([_flat(value)])
    return pd.DataFrame([_flat(value)])


def _table(make: Any, what: str) -> pd.DataFrame:
    try:
        made: pd.DataFrame = make()
    except (ValueError, TypeError, AssertionError) as error:
        raise ResultsError(f"{what} is no table: {error}.") from None
    return made


def _read_json(source: Source, options: Options) -> Results:
    refuse_step(options)
    what = f"'{source.paths[0]}'" if source.paths else "The list of records"
    result = frame_or_scores(_value(source.paths[0]) if source.paths else source.given, what)
    if isinstance(result, dict):
        return scores_by_algorithm(result, options, what)
    if len(result) == 1 and not source.said:
        _refuse_one(result, what)
    return read_rows(_named_by(tabular(result), source), options)


def _named_by(table: Tabular, source: Source) -> Tabular:
    """The table called after the files that it was made of."""
    return replace(table, what=shown(source), name=named(source)) if source.paths else table


def _refuse_one(table: pd.DataFrame, what: str) -> NoReturn:
    raise UnknownLayout(
        f"{what} holds one record ({', '.join(map(str, table.columns)):.120}), which no test can "
        "compare. Give a record per algorithm and fold, item or data set."
    )


def _is_json(source: Source) -> bool:
    if not source.paths:
        return _is_records(source.given)
    return len(source.paths) == 1 and source.shape is not None


JSON = FORMATS.add(
    Format(
        "json",
        "records in JSON: a list of them, one per line, or columns; or scores by algorithm",
        recognises=_is_json,
        read=_read_json,
        samples=[
            text_sample(
                "scores.json",
                '[{"model": "a", "task": "x", "acc": 0.9}, {"model": "b", "task": "x", "acc": 0.7},'
                '{"model": "a", "task": "y", "acc": 0.8}, {"model": "b", "task": "y", "acc": 0.6}]',
                order=("a", "b"),
            ),
            text_sample(
                "scores.jsonl",
                '{"model": "a", "item": 1, "scores": {"acc": 1}}\n'
                '{"model": "b", "item": 1, "scores": {"acc": 0}}\n'
                '{"model": "a", "item": 2, "scores": {"acc": 1}}\n'
                '{"model": "b", "item": 2, "scores": {"acc": 1}}\n',
                order=("a", "b"),
                sampling="items",
            ),
        ],
        extensions=JSON_EXTENSIONS,
        general=True,
        place=10,
    )
)


# -- several tables at once -----------------------------------------------------------------------


def _is_table(part: Source) -> bool:
    return part.shape is not None or len(part.columns) > 1


def _named_so(path: Path) -> bool:
    """Whether a file in a folder is called like a table: a README is none."""
    known = (*EXTENSIONS[:-1], "parquet", "xlsx", *JSON_EXTENSIONS)
    return path.name.lower().endswith(tuple(f".{e}" for e in known if e != "txt"))


def _tables(source: Source, *, every: bool = True) -> list[Source]:
    """The files that are tables; of very many only some are looked at to recognise them."""
    given, parts = set(source.paths), {part.paths[0]: part for part in source.parts}
    files = source.files if every else tuple(parts)
    names = [file for file in files if file in given or _named_so(file)]
    return [part for file in names if _is_table(part := parts.get(file) or Source(file))]


def _is_several(source: Source) -> bool:
    several = len(source.paths) > 1 or (len(source.paths) == 1 and source.paths[0].is_dir())
    if not several or any(path.is_file() and not _is_table(Source(path)) for path in source.paths):
        return False
    return bool(_tables(source, every=False))


def _frame(path: Path) -> pd.DataFrame:
    if Source(path).shape is None:
        return tabular(path).frame.copy()
    result = frame_or_scores(_value(path), f"'{path}'")
    return (
        result if isinstance(result, pd.DataFrame) else _table(lambda: pd.DataFrame(result), "It")
    )


def one_table(source: Source) -> Tabular:
    """The rows of one file, or of all in a folder, each a data set unless a column says it."""
    files = [part.paths[0] for part in _tables(source)] or list(source.paths)
    if len(files) == 1 and Source(files[0]).shape is None:  # what is no table is refused there
        return tabular(files[0], least=1)  # of one algorithm, which has no name
    if len(files) == 1:
        frame = _frame(files[0])
        return tabular(frame) if len(frame) > 1 else _refuse_one(frame, f"'{files[0]}'")
    names, frames = labels(files), {file: _frame(file) for file in files}
    _check_alike(frames)
    if not all(candidates(map(str, frame.columns), "dataset") for frame in frames.values()):
        frames = {file: frame.assign(dataset=names[file]) for file, frame in frames.items()}
    return tabular(pd.concat(frames.values(), ignore_index=True))


def _read_several(source: Source, options: Options) -> Results:
    refuse_step(options)
    files = [part.paths[0] for part in _tables(source)]
    names = labels(files)
    frames = {file: _frame(file) for file in files}
    _check_alike(frames)
    message = _is_told_of_files(frames, options)
    if message:
        frames = {file: frame.assign(**{FILE: names[file]}) for file, frame in frames.items()}
    role = "" if message else _role_of_files(frames, options)
    tables = [t.assign(**{role: names[f]}) if role else t for f, t in frames.items()]
    table = pd.concat(tables, ignore_index=True)
    table = table[[role, *(c for c in table.columns if c != role)]] if role else table
    _check_blocks(table, options, source)
    if not role and not message:
        _check_once(frames)
    results = read_rows(_named_by(tabular(table), source), options)
    note = Note("several-tables", REMARK, files=len(files), role=role)
    return replace(results, notes=(note, *results.notes))


def _check_alike(frames: Mapping[Path, pd.DataFrame]) -> None:
    """Refuse tables of different columns: what they say together nobody knows."""
    (first, message), *others = ((file, {*map(str, frame)}) for file, frame in frames.items())
    for file, columns in others:
        if columns != message:
            odd = ", ".join(sorted(columns ^ message))
            raise UnknownLayout(
                f"'{first}' and '{file}' have different columns ({odd:.200}), so they are not one "
                "table. Give the files that belong together."
            )


def _role_of_files(frames: Mapping[Path, pd.DataFrame], options: Options) -> str:
    """What a file stands for: an algorithm, a data set, or nothing where columns say both."""
    text, ignored = options.columns, options.columns.get("ignore", ())
    columns = [[str(c) for c in f.columns if str(c) not in ignored] for f in frames.values()]
    if "algorithm" not in text and not all(candidates(names, "algorithm") for names in columns):
        wide = [_has_algorithms(names) for names in columns]
        return "dataset" if all(wide) and not _has(columns, "dataset", text) else "algorithm"
    if _has(columns, "dataset", text):
        return ""
    together = pd.concat(frames.values(), ignore_index=True)
    roles = ("algorithm", "measure", *BLOCKS)
    messages = {name for role in roles for name in text.get(role, ())}
    keys = [c for c in together.columns if str(c) in messages or role_of(str(c)) in roles]
    keys = [c for c in keys if str(c) not in ignored]
    again = bool(keys) and together[keys].astype(str).duplicated().any()
    return "dataset" if len(frames) > 1 and again else ""


def _is_told_of_files(frames: Mapping[Path, pd.DataFrame], options: Options) -> bool:
    """Whether the caller says what the files are, and no column is called so."""
    messages = {part for names in options.columns.values() for n in names for part in n.split("+")}
    return FILE in messages and not any(FILE in frame.columns for frame in frames.values())


def _has(columns: Sequence[Sequence[str]], role: str, texts: Mapping[str, Any]) -> bool:
    return role in texts or all(candidates(names, role) for names in columns)


def _has_algorithms(columns: Sequence[str]) -> bool:
    """Whether columns are algorithms: several that are neither roles nor measures."""
    blocks = [c for c in columns if role_of(c) in BLOCKS and c.lower() != "b"]
    roles = (*ABOUT_ROWS, *BLOCKS, "value")
    free = [c for c in columns if role_of(c) not in roles or (c.lower() == "b" and blocks)]
    return sum(known_measure(c) is None for c in free) > 1


def _check_blocks(table: pd.DataFrame, options: Options, source: Source) -> None:
    """Refuse files of one score each: nothing tells their difference from chance."""
    names = [str(c) for c in table.columns]
    if "algorithm" not in names or any(role_of(c) in ("dataset", *BLOCKS) for c in names):
        return
    if not options.columns and not table["algorithm"].duplicated().any():
        raise UnknownLayout(
            f"{shown(source)}: every file has one score of its algorithm, which no test can "
            "compare. Give files with a row per fold, seed, item or data set."
        )


def _check_once(frames: Mapping[Path, pd.DataFrame]) -> None:
    """Refuse two files with scores of the same."""
    messages = [frame.assign(**{_FILE: file}) for file, frame in frames.items()]
    table = pd.concat(messages, ignore_index=True)
    roles = ("algorithm", "dataset", "measure", *BLOCKS)
    keys = [c for c in table.columns if role_of(str(c)) in roles]
    if not keys:
        return
    again = table.duplicated(keys, keep=False)
    for _, rows in table[again].groupby(keys, dropna=False) if again.any() else ():
        files = rows[_FILE].unique()
        if len(files) > 1:
            raise ResultsError(
                f"'{files[0]}' and '{files[1]}' have scores of the same "
                f"({', '.join(str(rows[k].iloc[0]) for k in keys):.100}). Leave one out."
            )


def _several_sample(folder: Path) -> list[Path]:
    for name, scores in {"svm": (0.9, 0.8, 0.9), "knn": (0.7, 0.7, 0.6)}.items():
        rows = "".join(f"{fold},{score}\n" for fold, score in enumerate(scores))
        (folder / f"{name}.csv").write_text("fold,accuracy\n" + rows)
    return [folder / "svm.csv", folder / "knn.csv"]


SEVERAL = FORMATS.add(
    Format(
        "several-tables",
        "several tables or JSON files at once, each of one algorithm or data set",
        recognises=_is_several,
        read=_read_several,
        samples=[Sample(_several_sample, order=("svm", "knn"), options={"sampling": "cv"})],
        extensions=EXTENSIONS,
        general=True,
        place=10,
    )
)
