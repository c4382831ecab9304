"""What the samples of a data set are like: what may set some of them apart from the others.

Of a store that keeps predictions: the size of the test part, the shares of classes in it (or the
mean of the target), and the hard items among its rows. Of data sets as blocks: their
characteristics. Nothing is tested here; a page shows means of samples that a reader chose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from podium.core.results.dataset_facts import CHARACTERISTICS
from podium.core.results.results import Results
from podium.reading.store import Store
from podium.reading.store.records import unpacked
from podium.reading.store.store_file import understood

MOST_ROWS = 3_000_000  # predictions that are read for one page
MOST_CLASSES = 8  # the most frequent ones
MOST_ITEMS = 25  # the hardest ones
HARDEST = 0.9  # the quantile of mean absolute errors from which an item is hard
MISSED = 0.5  # the share of misses above which an item is hard
# what a sample has: SIZE, HARD, (mean of the) TARGET, or a class by name as (CLASS, name)
SIZE, HARD, TARGET, CLASS = "size", "hard", "target", "class"
Fact = tuple[str, str]

KEPT = """
    SELECT sample, algorithms.name, split, kind, dtype, shape, data FROM predictions
    JOIN runs ON runs.id = predictions.run JOIN datasets ON datasets.id = runs.dataset
    JOIN algorithms ON algorithms.id = runs.algorithm
    WHERE failed = 0 AND datasets.name = ? AND datasets.fingerprint = ?
    AND kind IN ('row', 'y', 'predict') ORDER BY runs.id, split"""
COUNTED = """
    SELECT COUNT(*) FROM predictions JOIN runs ON runs.id = predictions.run
    JOIN datasets ON datasets.id = runs.dataset
    WHERE datasets.name = ? AND datasets.fingerprint = ? AND kind = 'row'"""


@dataclass(frozen=True)
class SampleFacts:
    """Numbers of samples, and which samples have the hardest items in their test part."""

    numbers: dict[Fact, np.ndarray]  # one for each sample
    items: list[tuple[int, float]]  # the row, and its mean loss
    tested: np.ndarray  # items x samples: whether the item is in the test part
    missed: bool = True  # whether losses are misses of classes, not absolute errors


def sample_facts(results: Results, samples: dict[str, Sequence[int]]) -> dict[str, SampleFacts]:
    """The facts of some samples of some data sets, as far as predictions of them are kept."""
    if not results.predictions.store or not Path(results.predictions.store).exists():
        return {}
    result, room = {}, MOST_ROWS
    with Store(results.predictions.store, readonly=True) as store:
        store.verify_details()
        for name, wanted in samples.items():
            facts = results.facts.get(name, {})
            who = (name, results.fingerprints.get(name, ""))
            room -= int(store.rows(COUNTED, who)[0][0]) * int(facts.get("n") or 0)
            if room < 0 or facts.get("task") not in ("classification", "regression"):
                continue
            with understood(store.path):
                rows = _tested(store, who, results.algorithms)
            if len(rows):
                result[name] = _facts(rows, list(wanted), list(facts.get("classes") or []))
    return result


def _tested(store: Store, who: tuple[str, str], algorithms: list[str]) -> pd.DataFrame:
    """Of every run that counts its test rows: sample, row, y and the loss."""
    parts: dict[tuple[int, str], dict[int, dict[str, np.ndarray]]] = {}
    for sample, algorithm, split, kind, *packed in store.rows(KEPT, who):
        if algorithm in algorithms:  # the newest run of a sample comes last, and replaces others
            splits = parts.setdefault((sample, algorithm), {})
            splits.setdefault(split, {})[kind] = unpacked(*packed)
    tables = [
        pd.DataFrame({"sample": sample, "row": a["row"], "y": a["y"], "said": a["predict"]})
        for (sample, _), splits in parts.items()
        for a in splits.values()
        if {"row", "y", "predict"} <= set(a)
    ]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()


def _facts(rows: pd.DataFrame, samples: list[int], classes: list[str]) -> SampleFacts:
    y, text = rows["y"].to_numpy(float), rows["said"].to_numpy(float)
    rows["loss"] = (y != text).astype(float) if classes else np.abs(y - text)
    items = rows.groupby("row")["loss"].mean()
    bound = MISSED if classes else float(items.quantile(HARDEST))
    hard = items[items > bound].sort_values(ascending=False, kind="stable")
    once = rows.drop_duplicates(["sample", "row"])  # of several algorithms, folds and fits
    once = once.assign(hard=once["row"].isin(hard.index))
    numbers = dict(_numbers(once, samples, classes))
    top = hard.head(MOST_ITEMS)
    place = once["row"].map({row: i for i, row in enumerate(top.index)})
    tested = np.zeros((len(top), len(samples)), bool)
    at = pd.Index(samples).get_indexer(once["sample"])
    shown = place.notna().to_numpy() & (at >= 0)
    tested[place[shown].astype(int), at[shown]] = True
    listed = [(int(row), float(loss)) for row, loss in top.items()]
    return SampleFacts(numbers, listed, tested, bool(classes))


def _numbers(
    once: pd.DataFrame, samples: list[int], classes: list[str]
) -> Iterator[tuple[Fact, np.ndarray]]:
    grouped = once.groupby("sample")
    yield (SIZE, ""), grouped.size().reindex(samples).to_numpy(float)
    yield (HARD, ""), grouped["hard"].mean().reindex(samples).to_numpy(float)
    if not classes:
        yield (TARGET, ""), grouped["y"].mean().reindex(samples).to_numpy(float)
        return
    frequent = once["y"].value_counts().index[:MOST_CLASSES]
    for code in frequent[: len(classes) - 1 or 1]:  # of two classes one says all
        share = (once["y"] == code).groupby(once["sample"]).mean()
        yield (CLASS, str(classes[int(code)])), share.reindex(samples).to_numpy(float)


def dataset_numbers(results: Results, names: Sequence[str]) -> dict[str, np.ndarray]:
    """The characteristics of data sets that are numbers and differ among them."""
    rows = [results.facts.get(name, {}).get(CHARACTERISTICS, {}) for name in names]
    table = pd.DataFrame(rows).select_dtypes("number").astype(float)
    return {str(c): table[c].to_numpy() for c in table if table[c].nunique() > 1}
