"""lm-evaluation-harness: `samples_TASK_DATE.jsonl` beside `results_DATE.json`, of several models.

An item is a document (by the hash of its content, for its number may differ between runs), a
measure a metric with its filter. `results_*.json` says the model's name and the directions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from podium.base.errors import ResultsError
from podium.questions.measures import Measure
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import (
    any_file,
    asked,
    frame_of,
    measure,
    named,
    occurrences,
    once,
    own_files,
    refuse_step,
    shown,
    used,
)
from podium.reading.formats.opening import by_line, whole
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source
from podium.samplings import ITEMS

TOOL = "lm-evaluation-harness"
NO_METRICS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter"}
NO_METRICS |= {"metrics", "doc_hash", "prompt_hash", "target_hash"}
_NAME = re.compile(r"samples_(.+?)(?:_(\d{4}-\d\d-\d\dT.*))?\.jsonl(?:\.gz)?")


def _is_samples(part: Source) -> bool:
    row = part.shape
    return (
        isinstance(row, dict) and "doc_id" in row and {"resps", "filtered_resps"} & set(row) > set()
    )


def _is_results(part: Source) -> bool:
    result = part.shape
    keys = {"results", "configs"} if isinstance(result, dict) else set()
    marks = {"lm_eval_version", "n-shot", "versions", "n-samples", "group_subtasks", "model_source"}
    return bool(keys) and keys <= set(result) and (marks & set(result) > set() or _tasks(result))


def _tasks(result: Any) -> bool:
    """Whether results name metrics with their filters, as in `acc,none`."""
    tasks = result["results"] if isinstance(result["results"], dict) else {}
    return any("," in key for of in tasks.values() if isinstance(of, dict) for key in of)


def _is_either(part: Source) -> bool:
    return _is_samples(part) or _is_results(part)


class _Run:
    """What `results_*.json` says of the samples beside it; nothing where there is none."""

    def __init__(self, samples: Path) -> None:
        self.samples = samples
        match = _NAME.fullmatch(samples.name)
        self.task = match[1] if match else samples.name.partition(".")[0]
        self.date = (match[2] if match else None) or ""

    @cached_property
    def results(self) -> dict[str, Any]:
        folder = self.samples.parent
        beside = sorted(p for p in folder.glob("results*.json") if _is_results(Source(p)))
        same = [p for p in beside if self.date and self.date in p.name] or beside
        return dict(whole(same[-1])) if same else {}

    @property
    def model(self) -> str:
        """The model's name; that of the folder where no file says it."""
        config = self.results.get("config") or {}
        given = str(config.get("model_args") or "") if isinstance(config, dict) else ""
        names = re.search(r"(?:pretrained|model|path)=([^,]+)", given)
        name = self.results.get("model_name") or (names[1] if names else "")
        return str(name) or self.samples.absolute().parent.name

    def is_higher(self, metric: str) -> bool | None:
        """Whether higher values are better, where a file says it."""
        message = self.results.get("higher_is_better") or {}
        of_task = message.get(self.task) if isinstance(message, dict) else None
        if isinstance(of_task, dict) and isinstance(of_task.get(metric), bool):
            return bool(of_task[metric])
        config = (self.results.get("configs") or {}).get(self.task) or {}
        for entry in config.get("metric_list") or ():
            if entry.get("metric") == metric and isinstance(entry.get("higher_is_better"), bool):
                return bool(entry["higher_is_better"])
        return None

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per document, metric and filter."""
        outcomes = list(by_line(self.samples))
        for number, row in enumerate(outcomes, 1):
            if not isinstance(row, dict) or "doc_id" not in row:
                raise ResultsError(
                    f"'{self.samples}', line {number}, has no doc_id; is it a file of {TOOL}?"
                )
        by_filter: dict[str, list[dict[str, Any]]] = {}
        for row in outcomes:
            by_filter.setdefault(str(row.get("filter") or "none"), []).append(row)
        for name, rows in by_filter.items():
            items = occurrences([_item(row) for row in rows])
            for item, row in zip(items, rows, strict=True):
                yield from self._scores(row, name, item)

    def _scores(self, row: dict[str, Any], filtered: str, item: str) -> Iterator[dict[str, Any]]:
        metrics = row.get("metrics") or [key for key in row if key not in NO_METRICS]
        about = {"file": self.samples, "algorithm": self.model, "dataset": self.task, "item": item}
        for metric in metrics:
            value = row.get(metric)
            if value is None or isinstance(value, (int, float)):
                full = metric if filtered == "none" else f"{metric},{filtered}"
                yield about | {"measure": full, "value": value, "metric": metric}


def _item(row: dict[str, Any]) -> str:
    if row.get("doc_hash"):
        return str(row["doc_hash"])
    if isinstance(row.get("doc"), dict) and row["doc"]:  # before there were hashes
        return json.dumps(row["doc"], sort_keys=True)
    return str(row["doc_id"])


def _read(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    files = own_files(source, _is_samples, TOOL, beside=_is_results)
    if not files:
        raise ResultsError(
            f"{what} holds the means of {TOOL} alone, which no test can use. Run lm_eval with "
            "--log_samples and give the folder with its samples_*.jsonl."
        )
    runs = [_Run(file) for file in files]
    rows = [row for run in runs for row in run.rows()]
    if not rows:
        raise ResultsError(f"{what}: no document has a score that is one number.")
    frame = frame_of(rows)
    measures = _measures(runs, frame[["dataset", "measure", "metric"]].drop_duplicates())
    frame = once(frame.drop(columns="metric"), what, options)
    return LongTable(
        frame,
        what,
        name=named(source),
        sampling=ITEMS.name,
        measures=measures,
        called={"algorithm": "model", "dataset": "task", "sample": "item"},
        options=used(options, "algorithm", measure=asked(options, frame["measure"].unique())),
    )


def _measures(runs: list[_Run], used: Any) -> dict[str, Measure]:
    results: dict[str, Measure] = {}
    for task, name, metric in used.itertuples(index=False):
        messages = [run.is_higher(metric) for run in runs if run.task == task]
        known = measure(name, next((t for t in messages if t is not None), None))
        if known is not None:
            results.setdefault(name, known)
    return results


def _sample(folder: Path) -> Path:
    """Two models, two tasks, six documents each in another order."""
    right = {"org/large": (1, 1, 1, 1, 0, 1), "org/small": (1, 0, 1, 0, 0, 1)}
    for model, scores in right.items():
        place = folder / model.replace("/", "__")
        place.mkdir()
        messages = {
            "results": {"quiz": {"acc,none": sum(scores) / 6}},
            "configs": {"quiz": {"metric_list": [{"metric": "acc"}]}},
            "higher_is_better": {"quiz": {"acc": True}},
            "lm_eval_version": "0.4.9",
            "model_name": model,
        }
        (place / "results_2026-01-02T03-04-05.678.json").write_text(json.dumps(messages))
        documents = list(enumerate(scores))
        documents = documents if model == "org/large" else documents[::-1]
        lines = [
            {"doc_id": n, "doc": {"q": i}, "doc_hash": f"hash{i}", "resps": [["x"]]}
            | {"filtered_resps": ["x"], "filter": "none", "metrics": ["acc"], "acc": float(score)}
            for n, (i, score) in enumerate(documents)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (place / "samples_quiz_2026-01-02T03-04-05.678.jsonl").write_text(text)
    return folder


LM_EVAL = FORMATS.add(
    Format(
        "lm-eval",
        "folders of lm-evaluation-harness (run with --log_samples), whose documents are the items",
        recognises=any_file(_is_either),
        read=_read,
        samples=[Sample(_sample, order=("org/large", "org/small"))],
        extensions=["jsonl"],
        title=f"{TOOL} samples",
    )
)
