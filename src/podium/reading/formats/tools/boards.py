"""Public evaluations item by item: HELM, every_eval_ever."""

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
    ITEMISED,
    answers,
    any_file,
    asked,
    by_file,
    first_record,
    frame_of,
    labels,
    measure,
    named,
    once,
    own_files,
    refuse_step,
    shown,
    used,
)
from podium.reading.formats.opening import by_line, whole
from podium.reading.formats.record import FORMATS, Format, LongTable, Sample, Source
from podium.samplings import ITEMS
from podium.words.facts import Note

Row = dict[str, Any]


# -- HELM -----------------------------------------------------------------------------------------

HELM_MEASURES = (  # in which higher is better, the most used first
    [
        "exact_match",
        "quasi_exact_match",
        "prefix_exact_match",
        "quasi_prefix_exact_match",
        "f1_score",
        "classification_macro_f1",
        "rouge_l",
        "rouge_2",
        "rouge_1",
        "bleu_4",
        "NDCG@10",
        "RR@10",
        "math_equiv",
        "math_equiv_chain_of_thought",
        "chain_of_thought_correctness",
        "ifeval_strict_accuracy",
        "final_number_exact_match",
        "omni_math_accuracy",
        "wildbench_score",
        "wildbench_score_rescaled",
    ]
)


SPLITS = ("test", "valid")  # what models are judged on, the first that there is


def _is_helm(part: Source) -> bool:
    return {"instance_id", "stats"} <= {*first_record(part)} and isinstance(part.shape, list)


def _is_beside_helm(part: Source) -> bool:
    return part.paths[0].parent.joinpath("per_instance_stats.json").exists()


def _helm_rows(path: Path) -> Iterator[Row]:
    spec_file = path.parent / "run_spec.json"
    spec = whole(spec_file) if spec_file.is_file() else {}
    name = str(spec.get("name") or path.parent.name)
    match = re.search(r"model=([^,]+)", name)
    model = (spec.get("adapter_spec") or {}).get("model") or (match[1] if match else name)
    run = re.sub(r",?(model|model_deployment)=[^,]+", "", name).strip(",:") or name
    about = {"file": path, "algorithm": str(model), "dataset": run}
    rows = []
    for instance in whole(path):
        if not isinstance(instance, dict) or "instance_id" not in instance:
            raise ResultsError(f"'{path}' has an instance without an id; is it a file of HELM?")
        for stat in instance.get("stats") or ():
            of = stat.get("name") or {}
            disturbed = instance.get("perturbation") or of.get("perturbation")
            if of.get("name") in HELM_MEASURES and not disturbed:
                where = {"item": str(instance["instance_id"]), "measure": of["name"]}
                where |= {"split": of.get("split", SPLITS[0])}
                rows.append(about | where | {"value": stat.get("mean")})
    used = next((s for s in SPLITS if any(row["split"] == s for row in rows)), None)
    results = [row for row in rows if row.pop("split") == used]
    if not results:
        raise ResultsError(
            f"'{path}': no instance has a measure of HELM that is known ({HELM_MEASURES[0]} ...)."
        )
    yield from results


def _read_helm(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    files = own_files(source, _is_helm, "HELM", beside=_is_beside_helm)
    rows = [row for file in files for row in _helm_rows(file)]
    rows.sort(key=lambda row: HELM_MEASURES.index(row["measure"]))
    frame = frame_of(rows)
    if not by_file(options):
        _refuse_two_runs(frame, what)
    frame = frame.assign(algorithm=frame["file"].map(labels(files))) if by_file(options) else frame
    frame = answers(frame.drop(columns="file"))
    names = list(frame["measure"].unique())
    wanted = asked(options, names)
    return LongTable(
        frame if wanted else frame[frame["measure"] == names[0]],
        what,
        name=named(source),
        sampling=ITEMS.name,
        measures={n: m for n in names if (m := measure(n, True)) is not None},
        notes=_others(names, wanted),
        called=ITEMISED,
        options=used(options, "algorithm", measure=wanted),
    )


def _others(names: list[str], wanted: str | None) -> list[Note]:
    more = () if wanted else tuple(names[1:])
    return [Note("further-measures", first=names[0], others=more)] if more else []


def _refuse_two_runs(frame: Any, what: str) -> None:
    runs = frame.groupby(["algorithm", "dataset"])["file"].unique()
    several = runs[runs.map(len) > 1]
    if len(several):
        first, second = several.iloc[0][:2]
        raise ResultsError(
            f"{what}: '{several.index[0][0]}' has the same run in two files, '{first}' and "
            f"'{second}'. Leave one out, or compare the files: --columns algorithm=file."
        )


def _helm_sample(folder: Path) -> Path:
    for model, scores in {"lab/big": (1, 1, 1, 0), "lab/tiny": (0, 1, 0, 0)}.items():
        place = folder / f"quiz:subject=x,model={model.replace('/', '_')}"
        place.mkdir()
        messages = {"name": place.name, "adapter_spec": {"model": model}}
        (place / "run_spec.json").write_text(json.dumps(messages))
        results = [
            {"instance_id": f"id{i}", "train_trial_index": 0, "stats": [_stat(s)]}
            for i, s in enumerate(scores)
        ]
        (place / "per_instance_stats.json").write_text(json.dumps(results))
    return folder


def _stat(value: float) -> Row:
    return {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": value}


HELM = FORMATS.add(
    Format(
        "helm",
        "runs of HELM (per_instance_stats.json beside run_spec.json), by instance",
        recognises=any_file(_is_helm),
        read=_read_helm,
        samples=[Sample(_helm_sample, order=("lab/big", "lab/tiny"))],
        extensions=["json"],
        title="HELM runs",
    )
)


# -- every_eval_ever ------------------------------------------------------------------------------


def _is_instances(part: Source) -> bool:
    result = part.shape
    marks = {"schema_version", "model_id", "evaluation_name", "evaluation"}
    return isinstance(result, dict) and marks <= {*result}


def _is_aggregate(part: Source) -> bool:
    result = part.shape
    return isinstance(result, dict) and {"schema_version", "evaluation_results"} <= {*result}


def _read_every(source: Source, options: Options) -> LongTable:
    refuse_step(options)
    what = shown(source)
    tool = "every_eval_ever"
    files = own_files(source, _is_instances, tool, beside=_is_aggregate)
    if not files:
        raise ResultsError(
            f"{what} holds means of {tool} alone, which no test can use. Give the file of "
            "instances beside it (*.jsonl)."
        )
    configs: dict[str, Row] = {}
    for file in files:
        for beside in file.parent.glob("*.json"):
            if _is_aggregate(Source(beside)):
                for entry in whole(beside).get("evaluation_results") or ():
                    configs[str(entry.get("evaluation_name"))] = entry.get("metric_config") or {}
    rows = [row for file in files for row in _instance_rows(file, configs)]
    frame = frame_of(rows)
    if "value" not in frame.columns:
        raise ResultsError(f"{what}: no instance has a score.")
    measures: dict[str, Measure] = {}
    for name, lower in frame.groupby("measure")["lower"].first().items():
        known = measure(str(name), None if lower is None else not lower)
        measures |= {str(name): known} if known else {}
    frame = once(frame.drop(columns="lower"), what, options)
    frame = answers(frame)
    return LongTable(
        frame,
        what,
        name=named(source),
        sampling=ITEMS.name,
        measures=measures,
        called=ITEMISED,
        options=used(options, "algorithm", measure=asked(options, measures)),
    )


def _instance_rows(path: Path, configs: dict[str, Row]) -> Iterator[Row]:
    for number, row in enumerate(by_line(path), 1):
        if not isinstance(row, dict) or not isinstance(row.get("evaluation"), dict):
            raise ResultsError(f"'{path}', line {number}, has no evaluation.")
        task, message = str(row.get("evaluation_name")), row["evaluation"]
        config = configs.get(task, {})
        graded = "is_correct" in message and message.get("score") in (0, 1, None)
        lower = config.get("lower_is_better", False if graded else None)
        name = config.get("metric_name") or config.get("metric_id")
        item = row.get("sample_id") or row.get("sample_hash")
        yield {
            "file": path,
            "algorithm": str(row.get("model_id")),
            "dataset": task,
            "item": str(item),
            "measure": str(name or ("accuracy" if graded else "score")),
            "value": message.get("score"),
            "lower": lower,
        }


def _every_sample(folder: Path) -> Path:
    for model, scores in {"a/x": (1, 1, 0, 1), "b/y": (0, 1, 0, 0)}.items():
        rows = [
            {"schema_version": "0.3.0", "model_id": model, "evaluation_name": "quiz"}
            | {"sample_id": f"s{i}", "evaluation": {"score": s, "is_correct": bool(s)}}
            for i, s in enumerate(scores)
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{model[0]}_samples.jsonl").write_text(text)
    return folder


EVERY_EVAL = FORMATS.add(
    Format(
        "every-eval-ever",
        "instances in the schema of every_eval_ever (*.jsonl), to which boards are converted",
        recognises=any_file(lambda part: _is_instances(part) or _is_aggregate(part)),
        read=_read_every,
        samples=[Sample(_every_sample, order=("a/x", "b/y"))],
        extensions=["jsonl"],
        title="every_eval_ever instances",
    )
)
