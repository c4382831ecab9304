"""The same table through every door: commands, files, page and Python give one answer."""

from __future__ import annotations

import html
import io
import json
import math
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pandas as pd
from random_answers import answered
from random_cases import COMPARE, FACTORS, FRONT, GATE, META, STABILITY, Case

import podium
from podium.asking.comparison.record import record
from podium.cli.main import status_of
from podium.core.verdicts import how_to_report

COMMANDS = {COMPARE: "analyze", FACTORS: "analyze", FRONT: "analyze", GATE: "gate", META: "meta",
            STABILITY: "stability"}  # fmt: skip
# what says whence scores came, which are a frame here and a file there
OF_SOURCE = ("reading", "warnings", "caveats", "dataset", "statement", "holds_for", "values",
             "names", "source")  # fmt: skip


def arguments(of: Case, folder: Path) -> list[str]:
    """The command of a case, on files in a folder."""
    tables = (of.table, *of.more)
    files = [folder / f"{name}.csv" for name in ("old", "new")[: len(tables)]]
    for table, file in zip(tables, files, strict=True):
        table.to_csv(file, index=False)
    words = [COMMANDS[of.verb], *map(str, files)]
    ask = dict(of.ask)
    if posterior := ask.pop("posterior", False):
        words += ["--bayes"] if posterior is True else ["--procedure", posterior]
    if ask.pop("network", False):
        words.append("--network")
    for name, value in {"measure": ask.pop("measures", None), **of.read, **ask}.items():
        words += _option(name, value)
    if of.queue is not None:
        of.queue.to_csv(folder / "queue.csv", index=False)
        words += ["--queue", str(folder / "queue.csv")]
    return words + (["--resamples", "100", "--orders", "4"] if of.verb == STABILITY else [])


def _option(name: str, value: Any) -> list[str]:
    if value is None:
        return []
    if name == "higher_is_better":
        return ["--higher-is-better" if value else "--lower-is-better"]
    if isinstance(value, dict):
        value = ",".join(f"{key}={number}" for key, number in value.items())
    return [f"--{name.replace('_', '-')}", str(value)]


def done(words: list[str]) -> tuple[int, str]:
    """The status of a command, and what it says."""
    out, wrong = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(wrong):
        status = status_of(words)
    return status, re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()) + wrong.getvalue()


def through_doors(of: Case, folder: Path) -> list[str] | None:
    """What a door says otherwise than Python; None where Python refuses, or has no such door."""
    if "estimate" in of.ask:
        return None
    made, words = answered(of), arguments(of, folder)
    paths = {name: folder / f"out.{name}" for name in ("json", "csv", "markdown", "latex")}
    kinds = list(paths) if of.verb == COMPARE else ["json"]
    asked = [text for name in kinds for text in (f"--{name}", str(paths[name]))]
    status, screen = done([*words, *asked])
    if made is None:
        return None if status == 2 else [f"Python refuses, the command says {screen[:80]!r}"]
    if status == 2:
        return [f"the command refuses: {screen[:200]!r}"]
    written = json.loads(paths["json"].read_text())
    if of.verb != COMPARE:
        return list(_apart(written, made.to_dict()))
    order = podium.decide(made)
    own = json.loads(json.dumps(record(made, order)))
    own["next"] = written["next"]  # which needs the single scores
    own |= {key: written[key] for key in ("headline", "sentence") if "timings" in written}
    return [
        *_apart(written, own),
        *_of_screen(screen, written),
        *_of_tables(paths, written),
        *_of_page(of, words, folder, written),
        *_of_paper(how_to_report(made, order), written),
    ]


def _apart(written: Any, own: Any, at: str = "") -> Iterator[str]:
    """Where JSON of a command and the answer of Python differ."""
    if isinstance(own, dict) and isinstance(written, dict):
        for key in own:
            if key in written and key not in OF_SOURCE:
                yield from _apart(written[key], own[key], f"{at}.{key}")
    elif isinstance(own, list | tuple) and isinstance(written, list):
        if len(own) != len(written):
            yield f"JSON{at}: {len(written)} instead of {len(own)}"
        for i, (one, other) in enumerate(zip(written, own, strict=False)):
            yield from _apart(one, other, f"{at}[{i}]")
    elif isinstance(own, float) and isinstance(written, int | float):
        if not math.isclose(written, own, rel_tol=1e-6, abs_tol=1e-12):
            yield f"JSON{at}: {written} instead of {own}"
    elif own != written and not (isinstance(own, float) and own != own):
        yield f"JSON{at}: {written!r} instead of {own!r}"


def _of_screen(screen: str, written: dict[str, Any]) -> Iterator[str]:
    flat = " ".join(screen.split())
    if not flat.startswith(" ".join(written["headline"].split())):
        yield f"screen: {flat[:90]!r} instead of {written['headline']!r}"


def _of_tables(paths: dict[str, Path], written: dict[str, Any]) -> Iterator[str]:
    """Tables for papers: the same verdicts and p-values of the same pairs."""
    if "timings" in written:
        rows, keys = written["timings"]["benchmarks"], ("benchmark", "verdict")
    else:
        rows, keys = written["pairs"], ("first", "second", "verdict")
    verdicts = [tuple(row[key] for key in keys) for row in rows]
    table = pd.read_csv(paths["csv"], dtype=str)
    if (seen := list(table[list(keys)].itertuples(index=False, name=None))) != verdicts:
        yield f"CSV: {seen} instead of {verdicts}"
    for name, cut in (("markdown", "|"), ("latex", "&")):
        lines = [
            [cell.strip(" \\\n") for cell in line.strip(" |").split(cut)]
            for line in paths[name].read_text().splitlines()
            if line.count(cut) > 2
        ]
        lines = [line for line in lines if line[0] != "---"]
        head, *body = lines
        at = [head.index(key) for key in keys]
        if (seen := [tuple(line[i] for i in at) for line in body]) != verdicts:
            yield f"{name}: {seen} instead of {verdicts}"


def _of_page(of: Case, words: list[str], folder: Path, written: dict[str, Any]) -> Iterator[str]:
    page = folder / "page.html"
    status, said = done([*words, "--report", str(page)])
    if status == 2:
        yield f"no page: {said[:100]!r}"
        return
    text = html.unescape(re.sub(r"<[^>]+>", "", page.read_text().split("<body", 1)[-1]))
    head = " ".join(written["headline"].rstrip(".").split())  # a judge's page goes on
    if head not in " ".join(text.split()):
        yield f"page: no headline {written['headline']!r}"


def _of_paper(paper: str, written: dict[str, Any]) -> Iterator[str]:
    if "Read as" in paper:
        yield "paper: says how a file was read"
