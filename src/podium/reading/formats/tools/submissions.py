"""What is handed in to public boards: SWE-bench and AlpacaEval by item, MTEB by task."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import (
    any_file,
    first_record,
    frame_of,
    labels,
    named,
    occurrences,
    once,
    own_files,
    refuse_step,
    shown,
    used,
)
from podium.reading.formats.opening import whole
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source
from podium.samplings import ITEMS
from podium.words.facts import Note

Row = dict[str, Any]


# -- SWE-bench ------------------------------------------------------------------------------------

_ID = re.compile(r".+__.+-\d+")
_LISTS = [
    "resolved",
    "submitted",
    "completed",
    "unresolved",
    "empty_patch",
    "error",
    "incomplete",
    "no_generation",
    "no_logs",
    "generated",
    "with_logs",
    "applied",
    "install_fail",
]  # keys, also with _ids behind


def _is_swe(part: Source) -> bool:
    result = part.shape
    if not isinstance(result, dict):
        return False
    listed = result.get("resolved_ids", result.get("resolved"))
    ids = [i for i in listed or () if i is not None] if isinstance(listed, list) else None
    return ids is not None and all(isinstance(i, str) and _ID.fullmatch(i) for i in ids)


def _read_swe(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    files = own_files(source, _is_swe, "SWE-bench")
    results = {file: whole(file) for file in files}
    listed = {
        file: {i for key in _LISTS for i in _ids(report, key)} for file, report in results.items()
    }
    every = sorted(set().union(*listed.values()))
    if not every:
        raise ResultsError(f"{what} lists no instance of SWE-bench.")
    names = _submissions(files)
    rows = [
        {"algorithm": names[file], "item": item, "cluster": item.rpartition("-")[0]}
        | {"value": float(item in {*_ids(report, "resolved")})}
        for file, report in results.items()
        for item in every
    ]
    frame = frame_of(rows)
    if "ignore" in options.columns:  # the clusters, as a note offers
        frame = frame.drop(columns="cluster")
    open_end = not all(listed[file] == {*every} for file in files)
    return LongTable(
        frame,
        what,
        name=named(source),
        sampling=ITEMS.name,
        measure="resolved",
        measures={"resolved": Measure("resolved", True, bounds=(0, 1), unit="share")},
        notes=[Note("items-listed-by-some", items=len(every))] if open_end else [],
        called={"algorithm": "submission", "sample": "instance"},
        options=used(options, "algorithm", "ignore", measure="resolved"),
    )


def _ids(report: Row, key: str) -> list[str]:
    listed = report.get(f"{key}_ids", report.get(key))
    return [str(i) for i in listed] if isinstance(listed, list) else []


def _submissions(files: list[Path]) -> dict[Path, str]:
    """Reports are called MODEL.RUN.json, or SUBMISSION/results/results.json."""
    generic = ("results", "report")
    by_name = {
        f: f.absolute().parent.parent
        if f.absolute().parent.name in generic
        else f.absolute().parent
        for f in files
        if f.stem in generic
    }
    apart = labels([f for f in files if f not in by_name]) if len(by_name) < len(files) else {}
    return {f: by_name[f].name if f in by_name else apart[f] for f in files}


def _swe_sample(folder: Path) -> Path:
    ids = [f"lib__lib-{i}" for i in range(4)] + [f"app__app-{i}" for i in range(4)]
    for name, solved in {"good": ids[:6], "poor": ids[1:3]}.items():
        place = folder / name / "results"
        place.mkdir(parents=True)
        rest = [i for i in ids if i not in solved]
        text = json.dumps({"resolved_ids": solved, "unresolved_ids": rest, "total_instances": 8})
        (place / "results.json").write_text(text)
    return folder


SWE_BENCH = FORMATS.add(
    Format(
        "swe-bench",
        "reports of SWE-bench that list the resolved instances, whose repositories are clusters",
        recognises=any_file(_is_swe),
        read=_read_swe,
        samples=[Sample(_swe_sample, order=("good", "poor"))],
        extensions=["json"],
        title="SWE-bench reports",
    )
)


# -- MTEB -----------------------------------------------------------------------------------------


def _is_mteb(part: Source) -> bool:
    result = part.shape
    return (
        isinstance(result, dict)
        and "task_name" in result
        and isinstance(result.get("scores"), dict)
    )


def _read_mteb(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    files = own_files(
        source, _is_mteb, "MTEB", beside=lambda p: p.paths[0].name == "model_meta.json"
    )
    rows = [_mteb_row(file) for file in files]
    frame = once(frame_of(rows), what, options)
    if "value" not in frame.columns:
        raise ResultsError(f"{what}: no task has a main_score.")
    return LongTable(
        frame,
        what,
        name=named(source),
        measure="main_score",
        measures={"main_score": Measure("main_score", True, bounds=(-1, 1))},
        called={"algorithm": "model", "dataset": "task"},
        options=used(options, "algorithm"),
    )


def _mteb_row(path: Path) -> Row:
    """A task's main score, the mean over languages of the test split."""
    result = whole(path)
    meta = path.parent / "model_meta.json"
    message = whole(meta).get("name") if meta.is_file() else None
    folders = path.absolute().parts
    revision = re.fullmatch(r"[0-9a-f]{7,40}|no_revision_available|external|\d+", folders[-2])
    model = message or (folders[-3] if revision and len(folders) > 2 else folders[-2])
    splits = result.get("scores") or {}
    subsets: list[Row] = splits.get("test") or next(iter(splits.values()), [])
    scores = [s["main_score"] for s in subsets if isinstance(s.get("main_score"), (int, float))]
    mean = sum(scores) / len(scores) if scores else None
    return {"file": path, "algorithm": str(model), "dataset": result["task_name"], "value": mean}


def _mteb_sample(folder: Path) -> Path:
    scores = {"lab__one": (0.8, 0.7, 0.6), "lab__two": (0.5, 0.6, 0.4)}
    for model, values in scores.items():
        place = folder / model / "0123abc"
        place.mkdir(parents=True)
        for task, value in zip(("A", "B", "C"), values, strict=True):
            messages = {"task_name": task, "scores": {"test": [{"main_score": value}]}}
            (place / f"{task}.json").write_text(json.dumps(messages))
    return folder


MTEB = FORMATS.add(
    Format(
        "mteb",
        "results of MTEB (MODEL/REVISION/TASK.json), whose tasks are the data sets",
        recognises=any_file(_is_mteb),
        read=_read_mteb,
        samples=[Sample(_mteb_sample, order=("lab__one", "lab__two"))],
        extensions=["json"],
        title="MTEB results",
    )
)


# -- AlpacaEval -----------------------------------------------------------------------------------


def _is_annotations(part: Source) -> bool:
    marks = {"instruction", "generator_1", "generator_2", "preference"}
    return isinstance(part.shape, list) and marks <= {*first_record(part)}


def _is_leaderboard(part: Source) -> bool:
    return {"win_rate", "standard_error", "n_total"} <= {*part.columns}


def _read_alpaca(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    files = own_files(source, _is_annotations, "AlpacaEval", beside=_is_leaderboard)
    if not files:
        raise ResultsError(
            f"{what} is a leaderboard: one score per model, which tells no difference from chance. "
            "Give the annotations of each model (results/MODEL/*/annotations.json)."
        )
    rows, rivals = [], set()
    judges: dict[str, set[str]] = {}
    for file in files:
        result = whole(file)
        for item, entry in _by_model(result):
            given = entry.get("preference")
            value = None if given is None else float(given) - 1
            rows.append({"file": file, "algorithm": str(entry.get("generator_2")), "value": value})
            rows[-1] |= {"item": item}
            rivals.add(str(entry.get("generator_1")))
            judges.setdefault(str(entry.get("annotator")), set()).add(str(entry.get("generator_2")))
    frame = once(frame_of(rows), what, options)
    if len(rivals) > 1:
        raise ResultsError(
            f"{what}: models were held against different ones ({', '.join(sorted(rivals)):.120}). "
            "Give annotations with one generator_1."
        )
    if len({frozenset(models) for models in judges.values()}) > 1:
        text = "; ".join(f"{j}: {', '.join(sorted(m))}" for j, m in sorted(judges.items()))
        raise ResultsError(
            f"{what}: models were judged by different annotators ({text:.240}), whose scores "
            "cannot be compared. Give the annotations of one annotator."
        )
    return LongTable(
        frame,
        what,
        name=named(source),
        sampling=ITEMS.name,
        measure="win rate",
        measures={"win rate": Measure("win rate", True, bounds=(0, 1), unit="share")},
        notes=[Note("wins-against", rival=next(iter(rivals), ""))],
        called={"algorithm": "model", "sample": "instruction"},
        options=used(options, "algorithm", measure="win rate"),
    )


def _by_model(results: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Annotations with their instructions, model by model: one file may hold several models."""
    models: dict[str, list[dict[str, Any]]] = {}
    for entry in results:
        models.setdefault(str(entry.get("generator_2")), []).append(entry)
    for entries in models.values():
        items = occurrences([str(entry.get("instruction")) for entry in entries])
        yield from zip(items, entries, strict=True)


def _alpaca_sample(folder: Path) -> Path:
    for model, wins in {"one": (1.9, 1.8, 2.0), "two": (1.1, 1.2, 1.7)}.items():
        (folder / model).mkdir()
        results = [
            {"instruction": f"do {i}", "generator_1": "base", "generator_2": model}
            | {"preference": win}
            for i, win in enumerate(wins)
        ]
        (folder / model / "annotations.json").write_text(json.dumps(results))
    return folder


ALPACA = FORMATS.add(
    Format(
        "alpaca-eval",
        "annotations.json of AlpacaEval: preferences of each model over one other, by instruction",
        recognises=any_file(lambda part: _is_annotations(part) or _is_leaderboard(part)),
        read=_read_alpaca,
        samples=[Sample(_alpaca_sample, order=("one", "two"))],
        extensions=["json"],
        title="AlpacaEval annotations",
    )
)
