"""The scores behind the linked charts of a page, by measure and data set, small enough to embed.

`specs.py` says how they are drawn, `charts.js` draws and links them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from podium.drawing.canvas import styles
from podium.drawing.emphasis import emphasis
from podium.plots.of_scores.benchmark import podium
from podium.questions.measures import Measure
from podium.reading.results import Results
from podium.reading.sample_facts import SampleFacts, dataset_numbers, sample_facts
from podium.reports.document import Charts
from podium.reports.score_words import (
    charts_caption,
    dataset_fact,
    item_fact,
    replicate,
    sample_fact,
)

MOST_SAMPLES = 250  # of a data set in the charts
MOST_DOTS = 10_000  # in one chart: more are neither told apart nor drawn at once
MOST_VIEWS = 50  # data sets with a view of their own
MOST_SCORES = 300_000  # in one page, about two bytes and a place each after compression
FEWEST_SAMPLES = 3  # rather fewer data sets than fewer samples

# matplotlib's markers as paths in a square from -1 to 1, for charts and for the list of algorithms
SHAPES = {
    "o": "M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0Z",
    "s": "M-0.9,-0.9H0.9V0.9H-0.9Z",
    "^": "M0,-1L1,0.9H-1Z",
    "v": "M0,1L1,-0.9H-1Z",
    "<": "M-1,0L0.9,-1V1Z",
    ">": "M1,0L-0.9,-1V1Z",
    "D": "M0,-1.1L1.1,0L0,1.1L-1.1,0Z",
    "P": "M-0.4,-1H0.4V-0.4H1V0.4H0.4V1H-0.4V0.4H-1V-0.4H-0.4Z",
    "X": "M0,-0.45L0.5,-1L1,-0.5L0.45,0L1,0.5L0.5,1L0,0.45L-0.5,1L-1,0.5L-0.45,0L-1,-0.5L-0.5,-1Z",
}


@dataclass(frozen=True)
class Limits:
    """How much of the results a page holds: data sets, and samples of each, evenly spaced.

    `together` data sets are shown as one dot each.
    """

    datasets: int
    samples: int
    together: int


def charts(results: Results) -> Charts:
    """Linked charts of all scores.

    `data` has `algorithms` (name, colour, path of the marker), the `order` of the page's rows
    (places in this list; empty where the best mean comes first), `measures` (name, label, and
    whether higher is better), `datasets`, and `views`: for "m/d" (places in these lists; "m/all":
    means over samples, one block per data set) the block's word, its labels and, per algorithm,
    rounded values and places on the podium. `facts` say, by place of the data set or "all", what
    may set some blocks apart from the others.
    """
    limits = _limits(results)
    scores = {m: _finite(results, m) for m in results.measures}
    samples = _samples(results, scores, limits)
    means = {m: _means(rows) for m, rows in scores.items()}
    together = _spread(results.datasets, next(iter(means.values()), None), limits.together)
    views: dict[str, Any] = {}
    for i, (name, rows) in enumerate(scores.items()):
        view = partial(_view, results, results.measure(name).sign)
        if len(results.datasets) > 1:
            views[f"{i}/all"] = view(means[name], "dataset", together)
        parts = _by_dataset(rows, list(samples))
        for j, (dataset, blocks) in enumerate(samples.items()):
            views[f"{i}/{j}"] = view(parts.get(dataset, rows[:0]), "sample", blocks)
    data = {
        "algorithms": marked(results.algorithms),
        "measures": [_measure(results.measure(m)) for m in scores],
        "order": [results.algorithms.index(n) for n in emphasis().order if n in results.algorithms],
        "datasets": list(samples),
        "views": {key: view for key, view in views.items() if view is not None},
        "facts": _facts(results, samples, together),
    }
    samples_shown = (_most_samples(scores), limits.samples)
    return Charts(charts_caption(results, samples_shown, len(samples), len(together)), data)


def marked(algorithms: Sequence[str]) -> list[dict[str, str]]:
    """The algorithms, each with its colour and the path of its marker."""
    return [_algorithm(name, *style) for name, style in styles(algorithms).items()]


def _algorithm(name: str, colour: str, marker: str) -> dict[str, str]:
    return {"name": name, "colour": colour, "path": SHAPES[marker]}


def _measure(measure: Measure) -> dict[str, Any]:
    label = f"{measure.name} ({measure.direction} is better)"
    return {"name": measure.name, "label": label, "higher": measure.higher_is_better}


# -- which samples --------------------------------------------------------------------------


def _limits(results: Results) -> Limits:
    k = max(len(results.algorithms), 1)
    wide = max(k * len(results.measures), 1)
    most = min(len(results.datasets), MOST_VIEWS, MOST_SCORES // (wide * FEWEST_SAMPLES))
    datasets = max(most, 1)
    fit = MOST_SCORES // (wide * datasets), MOST_DOTS // k
    return Limits(
        datasets, max(min(MOST_SAMPLES, *fit), FEWEST_SAMPLES), max(MOST_DOTS // k, FEWEST_SAMPLES)
    )


def _samples(
    results: Results, scores: Mapping[str, pd.DataFrame], limits: Limits
) -> dict[str, list[Any]]:
    """The data sets with a view of their own, and the samples of each: one alone is no picture."""
    names = results.datasets[: limits.datasets]
    found = {d: _spaced(scores, d, limits.samples) for d in names}
    if len(results.datasets) > 1 and _most_samples(scores) < 2:
        return {}
    return found


def _spread(names: list[str], means: pd.DataFrame | None, most: int) -> list[str]:
    """At most so many data sets, evenly spaced from the lowest to the highest mean score."""
    if len(names) <= most or means is None:
        return names
    level = means.groupby("dataset", observed=True)["value"].mean().sort_values(kind="stable")
    at = np.linspace(0, len(level) - 1, min(most, len(level))).round().astype(int)
    kept = set(level.index[at].astype(str))
    return [name for name in names if name in kept]


def _spaced(scores: Mapping[str, pd.DataFrame], dataset: str, most: int) -> list[Any]:
    """At most so many of a data set's samples, the same for every measure."""
    found = [part["sample"].unique() for rows in scores.values()
             for part in _by_dataset(rows, [dataset]).values()]  # fmt: skip
    every = pd.unique(np.concatenate(found)) if found else np.array([])
    ordered = np.sort(every)
    at = np.linspace(0, len(ordered) - 1, min(most, len(ordered))).round().astype(int)
    return ordered[at].tolist()


def _most_samples(scores: Mapping[str, pd.DataFrame]) -> int:
    """The number of samples of the algorithm and data set with most."""
    cells = (rows.groupby(["dataset", "algorithm"], observed=True) for rows in scores.values())
    return max((int(cell.size().max()) for cell in cells if cell.ngroups), default=0)


# -- what they are like ---------------------------------------------------------------------


def _facts(
    results: Results, samples: Mapping[str, list[Any]], together: list[str]
) -> dict[str, dict[str, Any]]:
    """By place of the data set: numbers with a label, and hard items with their samples."""
    known = sample_facts(results, dict(samples))
    places = {name: str(j) for j, name in enumerate(samples)}
    made = {places[name]: _of_samples(facts) for name, facts in known.items()}
    if len(results.datasets) > 1:
        numbers = dataset_numbers(results, together)
        every = [_fact(dataset_fact(name), values) for name, values in numbers.items()]
        made |= {"all": {"numbers": every, "items": []}} if every else {}
    return made


def _of_samples(facts: SampleFacts) -> dict[str, Any]:
    numbers = [_fact(sample_fact(*of), v) for of, v in facts.numbers.items()]
    items = [
        {"label": item_fact(row, loss, missed=facts.missed), "in": np.flatnonzero(tested).tolist()}
        for (row, loss), tested in zip(facts.items, facts.tested, strict=True)
    ]
    return {"numbers": numbers, "items": items}


def _fact(label: str, values: np.ndarray) -> dict[str, Any]:
    finite = np.where(np.isfinite(values), values, np.nan)
    shown = finite if np.isnan(finite).all() else _rounded(finite)
    return {"label": label, "values": _lists(shown[None])[0]}


# -- their scores ---------------------------------------------------------------------------


def _finite(results: Results, measure: str) -> pd.DataFrame:
    rows = results.values(measure)
    kept = rows[np.isfinite(rows["value"].to_numpy(float))]
    # sorted once, so that a data set is a slice
    return kept.sort_values("dataset", kind="stable", ignore_index=True)


def _by_dataset(rows: pd.DataFrame, names: list[str]) -> dict[str, pd.DataFrame]:
    codes = rows["dataset"].cat.codes.to_numpy()
    known = {str(c): i for i, c in enumerate(rows["dataset"].cat.categories)}
    ends = {n: np.searchsorted(codes, [known[n], known[n] + 1]) for n in names if n in known}
    return {n: rows.iloc[start:end] for n, (start, end) in ends.items() if end > start}


def _means(rows: pd.DataFrame) -> pd.DataFrame:
    means = rows.groupby(["dataset", "algorithm"], observed=True, as_index=False)["value"].mean()
    return means.astype({"dataset": str})


def _view(
    results: Results, sign: int, rows: pd.DataFrame, key: str, blocks: list[Any]
) -> dict[str, Any] | None:
    """Values and places per algorithm; None where there is no score."""
    values = _table(rows, key, blocks, results.algorithms)
    if np.isnan(values).all():
        return None
    places, columns = _places(sign * values)
    return {
        "block": replicate(results) if key == "sample" else "data set",
        "samples": [str(b) for b in blocks],
        "values": _lists(_rounded(values)),
        "places": places,
        "columns": columns,
    }


def _table(rows: pd.DataFrame, key: str, blocks: list[Any], algorithms: list[str]) -> np.ndarray:
    """Algorithms x blocks, with gaps."""
    table = np.full((len(algorithms), len(blocks)), np.nan)
    who = pd.Index(algorithms).get_indexer(rows["algorithm"].astype(str))
    where = pd.Index(blocks).get_indexer(rows[key].astype(object))
    shown = where >= 0
    table[who[shown], where[shown]] = rows["value"].to_numpy(float)[shown]
    return table


def _places(good: np.ndarray) -> tuple[list[list[int | None]], list[int]]:
    """Places per algorithm and block, and the order of columns; none without a full podium."""
    scored = np.flatnonzero(~np.isnan(good).all(axis=1))
    full = np.flatnonzero(~np.isnan(good[scored]).any(axis=0))
    if not len(full):
        return [], []
    who, columns = podium(good[np.ix_(scored, full)].T)
    table = np.full(good.shape, np.nan)
    places = np.argsort(who, axis=1) + 1.0
    table[np.ix_(scored, full)] = places.T
    return _lists(table, int), scored[columns].tolist()


def _rounded(values: np.ndarray) -> np.ndarray:
    """Values to a ten-thousandth of their range: finer than any screen."""
    spread = float(np.nanmax(values) - np.nanmin(values))
    size = spread or float(np.nanmax(np.abs(values))) or 1.0
    return np.round(values, min(4 - math.floor(math.log10(size)), 300))


def _lists(values: np.ndarray, kind: type = float) -> list[list[Any]]:
    return [[None if v != v else kind(v) for v in row] for row in values.tolist()]
