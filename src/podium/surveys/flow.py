"""How many data sets there were, eligible, drawn, failed and analysed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from podium.reading.dataset_facts import development, exclusions
from podium.reading.results import Results

Step = tuple[str, int, str]  # what, how many, why they go; only the main road has no reason


def flow(results: Results) -> pd.DataFrame:
    """The way of the data sets: step, datasets, and why some leave it (empty: they go on)."""
    frame: dict[str, Any] = dict(results.design.get("frame") or {})
    rows = [*_before(frame), *_after(results, bool(frame))]
    return pd.DataFrame(rows, columns=["step", "datasets", "why"])


def _before(frame: dict[str, Any]) -> Iterator[Step]:
    if not frame:
        return
    yield "catalogue", int(frame["there"]), ""
    for criterion, count in frame["lost"].items():
        yield "not eligible", int(count), f"not {criterion}"
    yield "eligible", int(frame["eligible"]), ""
    rest = int(frame["eligible"]) - len(frame["drawn"])
    if rest:
        yield "not drawn", rest, "by lot"


def _after(results: Results, framed: bool) -> Iterator[Step]:
    gone = exclusions(results)
    names = [*results.datasets, *gone]
    yield ("drawn" if framed else "in the study"), len(names), ""
    aside = development(results)
    if aside:
        yield "development", len(aside), "for choices, not for claims"
    failed = [d for d in _without_scores(results) if d not in aside]
    if failed:
        yield "failed", len(failed), "no score of some algorithm"
    for why in dict.fromkeys(gone.values()):
        yield "left out", sum(reason == why for reason in gone.values()), why
    yield "analysed", len(names) - len(aside) - len(failed) - len(gone), ""


def _without_scores(results: Results) -> list[str]:
    """The data sets on which some algorithm has no score at all."""
    done = results.runs[results.runs["status"] == "done"]
    have = set(zip(done["dataset"].astype(str), done["algorithm"].astype(str), strict=True))
    return [d for d in results.datasets if any((d, a) not in have for a in results.algorithms)]
