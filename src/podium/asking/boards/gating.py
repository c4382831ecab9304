"""A gate with a ledger: one test set, asked hundreds of times, by the rules of a sealed board.

The first call draws the items apart by lot. Every call judges the public part; only where that
passes, the sealed part answers whether it holds there, too, at the level of that question.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.boards.board import (
    Entry,
    Ledger,
    Writer,
    digest,
    read_ledger,
    writing,
)
from podium.asking.boards.contents import ASKED, DIGEST, NO, YES, line_shape
from podium.asking.boards.questions import gain_p, level_of
from podium.asking.gates.gates import NOT_WORSE, Asked, Gate, Margin
from podium.asking.gates.judging import judged
from podium.asking.gates.sides import NEW, OLD, Sides
from podium.asking.queues.queues import drawn_queue, read_queue
from podium.core.base.errors import InferenceError, ResultsError, StoreError
from podium.core.base.formatting import listed
from podium.core.base.options import is_share
from podium.core.base.shapes import NUMBER, TEXT, TEXTS, Kind, one_of, whole_from
from podium.core.inference.numbers.boundaries import bet_above
from podium.core.results.results import ITEM_NAMES, Results
from podium.core.words.facts import CAUTION, Note
from podium.reading.cells.columns import Tabular
from podium.reading.files.tabular import tabular

GATE, LOOKED = "gate", "look"
LEAST = 20  # items of a part
MOST_FILES = 50  # that are looked through for ledgers


@dataclass(frozen=True, eq=False)
class Items:
    """The scores of old and new by item, larger is better, and the block of every item."""

    table: pd.DataFrame  # old and new, by item
    blocks: pd.Series
    span: float
    binary: bool


def gated(
    sides: Sides,
    ledger: Path,
    *,
    margin: Margin | float | str | None,
    measure: str | None,
    alpha: float,
    **options: Any,
) -> Gate:
    """The verdict on the public items and, where they pass, the answer of the sealed ones."""
    allowed = _margin(margin)
    items = _items(sides.results, measure)
    with writing(ledger) as writer:
        first = _founded(writer, items, alpha)
        public, sealed = _parts(first, items)
        looked = judged(
            replace(sides, results=_only(sides.results, public)),
            margin=margin,
            measure=measure,
            alpha=alpha,
            **options,
        )
        mark = digest(items.table.to_csv() + f"{allowed:g}")
        answer, question = _requests(writer, looked, items, sealed, allowed, mark)
        looks = len(writer.ledger.of(LOOKED))
    request = Asked(str(ledger), len(public), len(sealed), looks, question, answer,
                  None if question is None else level_of(question, alpha))  # fmt: skip
    return replace(looked, asked=request)


def _margin(margin: Margin | float | str | None) -> float:
    if margin is None:
        return 0.0
    result = margin if isinstance(margin, Margin) else Margin.read(margin)
    if result.relative:
        raise InferenceError(
            "With --ledger a margin is in the measure's unit, such as 0.01, not a share."
        )
    return result.value


def _items(results: Results, measure: str | None) -> Items:
    """The paired items of one benchmark, or a refusal."""
    names = results.facts.get(results.datasets[0], {}).get(ITEM_NAMES)
    if len(results.datasets) != 1 or names is None:
        raise InferenceError(
            "--ledger is for one benchmark whose items have names in both files. Leave it out, or "
            "give scores item by item."
        )
    chosen = results.measure(measure or next(iter(results.measures)))
    wide = results.wide(chosen.name).set_index("sample")[[OLD, NEW]]
    wide.index = pd.Index([names[i - 1] for i in wide.index], name="item")
    if wide.isna().any(axis=None):
        lacking = wide.index[wide.isna().any(axis=1)].tolist()
        raise InferenceError(
            f"{len(lacking)} items lack a score of the old or the new one ({listed(lacking, 5)}): "
            "with --ledger both have the same items. Count failures as the worst score."
        )
    values = wide.to_numpy()
    binary = bool(np.isin(values, (0, 1)).all())
    low, high = (0.0, 1.0) if binary else chosen.bounds
    if not np.isfinite(high - low):
        raise InferenceError(
            f"--ledger bets on scores with known bounds, and '{chosen.name}' has none. Leave it "
            "out."
        )
    clusters = results.facts[results.datasets[0]].get("clusters")
    blocks = wide.index.astype(str) if clusters is None else list(map(str, clusters))
    of_items = pd.Series(blocks, index=wide.index)
    return Items(chosen.sign * wide, of_items, high - low, binary and clusters is None)


def _founded(writer: Writer, items: Items, alpha: float) -> Entry:
    """The first line of the ledger: made now, or held against these items."""
    if not writer.ledger.entries:
        writer.add([_first_line(items, alpha)])
    first = writer.ledger.entries[0]
    if first["event"] == GATE:
        _check_lines(writer.ledger)
    else:
        raise ResultsError(f"'{writer.ledger.path}' is the ledger of a board: choose another one.")
    if first["alpha"] != alpha:
        raise InferenceError(
            f"'{writer.ledger.path}' was started with --alpha {first['alpha']:g}, not {alpha:g}: "
            "its level is for all questions together. Leave --alpha as it was."
        )
    here, there = {*items.table.index}, {*first["items"]}
    if here != there:
        lacking = listed(sorted(there - here) or ["none"], 5)
        others = listed(sorted(here - there) or ["none"], 5)
        raise ResultsError(
            f"'{writer.ledger.path}' is of {len(there)} items: these files lack {lacking} and have "
            f"others: {others}. Use a ledger of its own for another test set."
        )
    return first


LINES = {
    GATE: line_shape(
        "a gate",
        {
            "alpha": Kind("a number between 0 and 1", is_share),
            "items": TEXTS,
            "seed": whole_from(0),
            "lot": TEXT,
            "public": whole_from(1),
        },
    ),
    LOOKED: line_shape("a look", {"verdict": TEXT, "scores": DIGEST}),
    ASKED: line_shape(
        "a question",
        {
            "question": whole_from(1),
            "level": NUMBER,
            "answer": one_of(YES, NO),
            "scores": DIGEST,
        },
    ),
}


def _check_lines(ledger: Ledger) -> None:
    """Refuse a ledger with a line that no gate writes."""
    for number, entry in enumerate(ledger.entries, 1):
        shape = LINES.get(str(entry["event"]))
        fault = shape.find_fault(dict(entry)) if shape else None
        says = fault.says.rstrip(".") if fault else f"no event of a gate is {entry['event']!r:.60}"
        if fault or shape is None or (entry["event"] == GATE) != (number == 1):
            raise StoreError(
                f"'{ledger.path}', line {number}: {says}. Take the file from a copy, or use a "
                "ledger of its own."
            )


def _first_line(items: Items, alpha: float) -> dict[str, Any]:
    frame = pd.DataFrame({"item": items.table.index, "block": items.blocks.to_numpy()})
    count = frame["block"].nunique()
    if count < 2 * LEAST:
        raise InferenceError(
            f"{count} items or clusters are too few to be drawn apart: --ledger needs {2 * LEAST}."
        )
    seed = secrets.randbits(64)
    plan = {"seed": seed, "item": "item", "cluster": "block", "public": count - count // 2}
    drawn = drawn_queue(tabular(frame, least=1), plan)
    queue = read_queue(Tabular(drawn.astype(str), "the lot"))
    public = int((queue.blocks < plan["public"]).sum())
    facts = {"seed": seed, "lot": queue.plan["digest"], "public": public}
    return {"event": GATE, "alpha": alpha, "items": list(queue.items), **facts}


def _parts(first: Entry, items: Items) -> tuple[list[str], list[str]]:
    names = [str(name) for name in first["items"]]
    return names[: first["public"]], names[first["public"] :]


def _only(results: Results, items: Iterable[str]) -> Results:
    """The results of some items, numbered anew."""
    name = results.datasets[0]
    facts = results.facts[name]
    wanted = {*items}
    kept = [i for i, item in enumerate(facts[ITEM_NAMES]) if item in wanted]
    number = {i + 1: place for place, i in enumerate(kept, 1)}
    tables = {}
    for table in ("scores", "runs", "failures", "warnings"):
        frame = getattr(results, table)
        frame = frame[frame["sample"].isin(number)] if "sample" in frame else frame
        tables[table] = frame.assign(sample=frame["sample"].map(number)).reset_index(drop=True)
    listing = {k: [v[i] for i in kept] if isinstance(v, list) else v for k, v in facts.items()}
    return replace(results, facts={name: listing}, **tables)


def _requests(
    writer: Writer, looked: Gate, items: Items, sealed: list[str], margin: float, mark: str
) -> tuple[str | None, int | None]:
    """The answer of the sealed items, and the number of the question; none where it is not asked.

    The same scores have the same answer, which spends nothing.
    """
    before = next((e for e in writer.ledger.of(ASKED) if e["scores"] == mark), None)
    look = {"event": LOOKED, "verdict": looked.verdict, "scores": mark}
    if before is not None or not _passes(looked):
        writer.add([look])
        return (None, None) if before is None else (before["answer"], before["question"])
    question = len(writer.ledger.of(ASKED)) + 1
    level = level_of(question, writer.ledger.entries[0]["alpha"])
    answer = YES if _p(items, sealed, margin, level) <= level else NO
    facts = {"event": ASKED, "question": question, "level": level, "answer": answer}
    writer.add([look, {**facts, "scores": mark}])
    return answer, question


def _passes(looked: Gate) -> bool:
    """Whether the public part suggests a gain or, with a margin, shows that there is no loss."""
    if looked.margin is not None:
        return looked.verdict == NOT_WORSE
    sign = 1 if looked.higher_is_better else -1
    return bool((sign * looked.table["difference"] > 0).all())


def _p(items: Items, sealed: list[str], margin: float, level: float) -> float:
    """Of no gain, or of a loss of the margin or more, on the sealed items in lot order."""
    gain = (items.table[NEW] - items.table[OLD]).loc[sealed]
    gain = gain.groupby(items.blocks.loc[sealed].to_numpy(), sort=False).mean()
    if not margin:
        return gain_p(gain.to_numpy(), items.span, level, binary=items.binary)
    unit = (gain.to_numpy() / items.span + 1) / 2
    return bet_above(unit, (1 - margin / items.span) / 2, level)


# -- without a ledger -----------------------------------------------------------------------------


def asked_before(sides: Sides) -> Note | None:
    """How often a ledger beside the files tells that these items were asked about."""
    names = sides.results.facts.get(sides.results.datasets[0], {}).get(ITEM_NAMES)
    if names is None or len(sides.results.datasets) != 1:
        return None
    known = {*map(str, names)}
    for path in _json_lines_near(sides.sources):
        ledger = _of_gate(path)
        if ledger is not None and {*ledger.entries[0]["items"]} == known:
            looks, request = len(ledger.of(LOOKED)), len(ledger.of(ASKED))
            return Note("asked-before", CAUTION, ledger=str(path), looks=looks, questions=request)
    return None


def _json_lines_near(sources: Mapping[str, str]) -> list[Path]:
    """JSON lines in the folders of the sources."""
    paths = [Path(part.strip()) for text in sources.values() for part in text.split(", ") if part]
    folders = dict.fromkeys(path.parent for path in paths if path.exists())
    return [p for folder in folders for p in sorted(folder.glob("*.jsonl"))][:MOST_FILES]


def _of_gate(path: Path) -> Ledger | None:
    try:
        with path.open(encoding="utf-8") as file:
            first = json.loads(file.readline(1 << 24))
    except (OSError, ValueError):
        return None
    if not isinstance(first, dict) or first.get("event") != GATE or "items" not in first:
        return None
    ledger = read_ledger(path)
    is_gate = bool(ledger.entries) and LINES[GATE].find_fault(dict(ledger.entries[0])) is None
    return ledger if is_gate else None
