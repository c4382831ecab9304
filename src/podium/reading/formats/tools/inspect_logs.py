"""Evaluations of language models: logs of inspect_ai, and reports of SWE-bench.

An item is a sample of the task; epochs are averaged within it. Clusters are a key of its metadata:
the one that a scorer's standard error names, or one that is called topic, document and the like.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.questions.measures import Measure
from podium.core.samplings import ITEMS
from podium.core.words.facts import Note
from podium.reading.cells.vocabulary import Options, role_of
from podium.reading.formats.gathering import (
    answers,
    any_file,
    asked,
    by_file,
    frame_of,
    labels,
    measure,
    named,
    own_files,
    refuse_step,
    shown,
    used,
)
from podium.reading.formats.opening import Archive, whole
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source

TOOL = "inspect_ai"
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # correct, incorrect, partial, no answer
TRUTHS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
SHARES = ("accuracy", "mean")  # metrics of scores of which higher ones are better
CLUSTERS = {"topic", "subject", "category", "passage", "document", "repository", "repo", "domain"}


def _is_log(part: Source) -> bool:
    if part.head[:4] == b"PK\x03\x04":
        return _has_header(part.paths[0])
    result = part.shape
    message = result.get("eval") if isinstance(result, dict) else None
    return (
        isinstance(message, dict)
        and "task" in message
        and {"model", "run_id", "task_id"} & {*message} > set()
    )


def _has_header(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.NameToInfo
            return "header.json" in names or "_journal/start.json" in names
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError):
        # one that is cut lost its list of files, but not what it began with
        begin = _first_bytes(path)
        return b"_journal/start.json" in begin or b"header.json" in begin


def _first_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(100)


def _log(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header of a log, and its samples."""
    if Source(path).head[:2] != b"PK":
        log = whole(path)
        return dict(log), list(log.get("samples") or ())
    with Archive(path) as archive:
        header = "header.json" if "header.json" in archive.members else "_journal/start.json"
        if "summaries.json" in archive.members:
            samples = archive.json("summaries.json")
        else:  # a log of a run that has not ended
            names = [n for n in archive.members if n.startswith("samples/")]
            samples = [archive.json(name) for name in names]
        return dict(archive.json(header)), list(samples)


def _grade(value: Any) -> float | None:
    """A score as a number; None where it is none."""
    if isinstance(value, (bool, int, float)):
        return float(value)
    if isinstance(value, str):
        if value in GRADES or value.strip().lower() in TRUTHS:
            return GRADES.get(value, TRUTHS.get(value.strip().lower()))
        try:
            return float(value)
        except ValueError:
            return None
    return None


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The scores by measure; a score of several values has a measure for each."""
    for name, score in scores.items():
        value = score.get("value") if isinstance(score, Mapping) else score
        if isinstance(value, Mapping):
            yield from ((f"{name}.{key}", each) for key, each in value.items())
        else:
            yield name, value


def _rows(
    path: Path, header: dict[str, Any], samples: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    message = header.get("eval") or {}
    task = message.get("task_display_name") or str(message.get("task", "")).rpartition("/")[2]
    about = {"file": path, "algorithm": str(message.get("model")), "dataset": str(task)}
    rows = []
    for sample in samples:
        if not isinstance(sample, Mapping) or "id" not in sample:
            raise ResultsError(f"'{path}' has a sample without an id; is it a log of {TOOL}?")
        metadata = sample.get("metadata") or {}
        for name, value in _values(sample.get("scores") or {}):
            number = _grade(value)
            rows.append(
                about
                | {"item": str(sample["id"]), "measure": name, "value": number, "raw": value}
                | {f"metadata.{key}": str(v) for key, v in metadata.items() if _is_label(v)}
            )
    return rows


def _is_label(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _read(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    files = own_files(source, _is_log, TOOL)
    logs = {path: _log(path) for path in files}
    by_log = {path: _rows(path, *log) for path, log in logs.items()}
    for path, rows in by_log.items():
        if not rows:
            raise ResultsError(
                f"'{path}': no sample of this log has a score. Score it (inspect score LOG) and "
                "give the log that this writes, or leave it out."
            )
    rows = [row for rows in by_log.values() for row in rows]
    frame = _numeric(frame_of(rows), what)
    _check_once(frame, what, options)
    frame, notes = _with_clusters(frame, [header for header, _ in logs.values()], options, what)
    measures = _measures(frame, [header for header, _ in logs.values()])
    names = labels(files)
    frame = frame.assign(algorithm=frame["file"].map(names)) if by_file(options) else frame
    frame = answers(frame.drop(columns=["file", "raw"]))
    return LongTable(
        frame,
        what,
        name=named(source),
        sampling=ITEMS.name,
        measures=measures,
        notes=notes,
        called={"algorithm": "model", "dataset": "task", "sample": "item"},
        options=used(
            options,
            "algorithm",
            "cluster",
            "ignore",
            measure=asked(options, frame["measure"].unique()),
        ),
    )


def _numeric(frame: pd.DataFrame, what: str) -> pd.DataFrame:
    """The scores that are numbers; a measure that is text (an answer, a label) is left out."""
    frame = frame.assign(value=frame.get("value"))
    text = frame["value"].isna() & frame["raw"].notna() if "raw" in frame else frame["value"].isna()
    kept = ~text.groupby(frame["measure"]).transform("all")
    if not kept.any():
        odd = next(iter(frame.loc[text, "raw"]), None) if "raw" in frame else None
        raise ResultsError(
            f"{what}: no score is a number, C, I, P, N, yes or no (the first is {odd!r:.60}). "
            "Score the logs by a scorer that gives numbers."
        )
    if (text & kept).any():
        row = frame[text & kept].iloc[0]
        raise ResultsError(
            f"{what}: the score '{row['measure']}' of item '{row['item']}' is {row['raw']!r:.60}, "
            "which is no number. Score the logs by a scorer that gives numbers."
        )
    return frame[kept]


def _check_once(frame: pd.DataFrame, what: str, options: Options) -> None:
    """Refuse one model and task in two logs: epochs are within one."""
    files = frame.groupby(["algorithm", "dataset", "item", "measure"])["file"].unique()
    several = files[files.map(len) > 1]
    if len(several) and not by_file(options):
        model, (first, second) = several.index[0][0], several.iloc[0][:2]
        raise ResultsError(
            f"{what}: '{model}' has the same samples in two logs, '{first}' and '{second}'. Leave "
            "one out, or compare the logs: --columns algorithm=file."
        )


def _with_clusters(
    frame: pd.DataFrame, headers: list[dict[str, Any]], options: Options, what: str
) -> tuple[pd.DataFrame, list[Note]]:
    """The frame with a column cluster in the place of metadata, where one is known or said."""
    keys = [c for c in frame.columns if c.startswith("metadata.")]
    text = options.columns.get("cluster", [""])[0]
    ignored = {*options.columns.get("ignore", ())}
    free = [k for k in keys if not {"cluster", k, k.removeprefix("metadata.")} & ignored]
    chosen = (
        text if text in keys else f"metadata.{text}" if text else _cluster(frame, free, headers)
    )
    if text and chosen not in keys:
        known = ", ".join(k.removeprefix("metadata.") for k in keys) or "none"
        raise ResultsError(f"{what}: samples have no '{text}' in their metadata (keys: {known}).")
    kept = frame.drop(columns=keys)
    if not chosen:
        return kept, []
    kept = kept.assign(cluster=frame[chosen])
    if kept["cluster"].isna().any():
        raise ResultsError(
            f"{what}: not every sample has '{chosen}', so it cannot name clusters. Fill it in."
        )
    facts = {"key": chosen, "clusters": int(kept["cluster"].nunique())}
    return kept, [Note("clusters-recognised", **facts)]


def _cluster(frame: pd.DataFrame, keys: list[str], headers: list[dict[str, Any]]) -> str:
    """The key of the clusters that the logs name, or that is called like one; "" where none is.

    Items of a cluster belong together: it has fewer values than there are items, and of several
    the coarsest counts.
    """
    scorers = [s for h in headers for s in (h.get("eval") or {}).get("scorers") or ()]
    metrics = [m for s in scorers for m in s.get("metrics") or () if isinstance(m, Mapping)]
    messages = [str((m.get("options") or {}).get("cluster")) for m in metrics]
    by_header = [k for k in keys if k.removeprefix("metadata.") in messages]
    items = frame.groupby("dataset")["item"].nunique().sum()
    sizes = {k: frame[k].nunique() for k in by_header or keys if by_header or _is_cluster(k)}
    coarse = {k: n for k, n in sizes.items() if 1 < n < items and frame[k].notna().all()}
    return min(coarse, key=lambda k: coarse[k], default="")


def _is_cluster(key: str) -> bool:
    word = key.removeprefix("metadata.")
    return word.lower() in CLUSTERS or role_of(word) == "cluster"


def _measures(frame: pd.DataFrame, headers: list[dict[str, Any]]) -> dict[str, Measure]:
    """Grades and truths are better when higher, and so are scores that an accuracy is taken of."""
    scorers = [s for h in headers for s in (h.get("eval") or {}).get("scorers") or ()]
    shares = {
        str(s.get("name")): any(str(m.get("name", "")).endswith(SHARES[0]) for m in s["metrics"])
        for s in scorers
        if isinstance(s.get("metrics"), list) and all(isinstance(m, Mapping) for m in s["metrics"])
    }
    results = {}
    for name, rows in frame.groupby("measure"):
        graded = rows["raw"].map(lambda v: isinstance(v, (str, bool))).any()
        share = graded or shares.get(str(name).partition(".")[0]) or None
        known = measure(
            str(name),
            share,
            bounds=(0, 1) if rows["value"].between(0, 1).all() else (float("-inf"), float("inf")),
        )
        if known is not None:
            results[str(name)] = known
    return results


def _sample(folder: Path) -> Path:
    """A zip and a JSON log, of two models, two epochs and six items."""
    for model, grades in {"lab/one": "CCICCC", "lab/two": "CIICIC"}.items():
        samples = [
            {"id": f"q{i}", "epoch": e, "metadata": {"document": f"d{i // 2}"}}
            | {"scores": {"match": {"value": "C" if e == 2 and i == 0 else grade}}}
            for i, grade in enumerate(grades)
            for e in (1, 2)
        ]
        messages = {"task": "sums", "model": model, "run_id": "r", "task_id": "t"}
        header = {"version": 2, "status": "success", "eval": messages}
        if model == "lab/one":
            with zipfile.ZipFile(folder / "one.eval", "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("header.json", json.dumps(header))
                archive.writestr("summaries.json", json.dumps(samples))
        else:
            (folder / "two.json").write_text(json.dumps(header | {"samples": samples}))
    return folder


INSPECT = FORMATS.add(
    Format(
        "inspect",
        "logs of inspect_ai (.eval, .json), whose samples are the items",
        recognises=any_file(_is_log),
        read=_read,
        samples=[Sample(_sample, order=("lab/one", "lab/two"))],
        extensions=["eval", "json"],
        title=f"{TOOL} logs",
    )
)


# -- what is handed in to public boards -----------------------------------------------------------
# Reports of SWE-bench.


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
    every += _unlisted(results.values(), len(every))
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


def _unlisted(reports: Iterable[Row], listed: int) -> list[str]:
    """Names for instances that reports count and do not list: nobody has resolved them."""
    totals = [count for r in reports if isinstance(count := r.get("total_instances"), int)]
    return [f"not_listed-{i}" for i in range(1, max(totals, default=0) - listed + 1)]


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
