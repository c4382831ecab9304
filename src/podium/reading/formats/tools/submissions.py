"""What is handed in to public boards: reports of SWE-bench."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import (
    any_file,
    frame_of,
    labels,
    named,
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
