"""Exploration: the scores as charts, tables and figures; they describe and test nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.errors import PodiumError
from podium.plots import (
    benchmark,
    curves,
    dataset_maps,
    differences_plots,
    score_plots,
    timing,
    tradeoffs,
)
from podium.plots.matrices import beside_names
from podium.reports.charts import charts
from podium.reports.document import Charts, Choice, Part, Section, Table
from podium.reports.figures import Picture, pictured, tall
from podium.reports.headings import table
from podium.results.results import Results
from podium.studies.analysis import MOST_MEASURES
from podium.wording.phrases import joined, replicate

DESCRIBES = (
    "What follows describes the scores. A difference between means alone is no evidence that one "
    "algorithm is better than another."
)
CELL = ["dataset", "algorithm"]
FEWEST_DATASETS = 5  # that show how differences spread over them
MOST_COMPARED = 20  # algorithms, in a picture of differences
MOST_DRAWN = 4  # data sets with figures of their own
FEWEST_VALUES = 5  # different scores that boxes and podiums can show
MOST_ROWS = 5000  # of a summary


def exploration(results: Results) -> Section:
    """Charts of all scores, then tables and figures measure by measure."""
    measures = list(results.measures)[:MOST_MEASURES]
    rest = list(results.measures)[MOST_MEASURES:]
    left_out = Part(paragraphs=(f"Without tables and figures here: {joined(rest)}.",))
    parts = (
        *_charts(results),
        *(_measure(results, name) for name in measures),
        *_each(results, measures[:1]),
        *([left_out] if rest else []),
        *_beside(results),
    )
    return Section("Scores", "scores", parts)


def _charts(results: Results) -> Iterator[Part]:
    try:
        made: Charts | None = charts(results)
        said: tuple[str, ...] = ()
    except PodiumError as error:
        made, said = None, (f"There are no charts: {error}",)
    yield Part(paragraphs=(DESCRIBES, *said), items=(made,) if made is not None else ())


def _measure(results: Results, name: str) -> Part:
    measure = results.measure(name)
    rows = _summary(results, name)
    shown = rows.head(MOST_ROWS)
    figures, not_drawn = pictured(_pictures(results, name), name)
    made = table(
        f"Scores by {name} ({measure.direction} is better)",
        shown,
        {"samples": f"{replicate(results)}s"},
    )
    cut = f"The first {MOST_ROWS} of {len(rows)} rows are shown."
    return Part(
        title=f"Summary by {name}",
        paragraphs=(*([cut] * (len(shown) < len(rows))), *not_drawn, *_too_coarse(results, name)),
        items=(made, *figures),
        choice=Choice(name),
    )


def _summary(results: Results, measure: str) -> pd.DataFrame:
    """The summary of a measure; runs without a score are counted as the runs say."""
    made = results.filter(measure=measure).summary().drop(columns=["measure"])
    for status, column in (("failed", "failures"), ("missing", "missing")):
        gone = results.runs[results.runs["status"] == status]
        counts = gone.groupby(CELL, observed=True).size().rename(column)
        made = made.drop(columns=column).join(counts, on=CELL)
        made[column] = made[column].fillna(0).astype(int)
    return made


def _pictures(results: Results, measure: str) -> Iterator[Picture]:
    """Of one data set its scores; of several the means of all, and all scores side by side."""
    if len(results.datasets) == 1:
        yield from _of_dataset(results, measure, results.datasets[0])
    elif len(results.algorithms) > 1:  # ranks and distances from the best say nothing of one
        yield from _over_datasets(results, measure)


def _over_datasets(results: Results, measure: str) -> Iterator[Picture]:
    count, k, of = len(results.datasets), len(results.algorithms), {"measure": measure}
    yield Picture(
        "Data sets and algorithms",
        "Ranks of the algorithms' means on every data set.",
        dataset_maps.dataset_heat_data,
        dataset_maps.draw_dataset_heat,
        results,
        of,
        height=tall(count, 0.18, least=3.0, most=12.0) + beside_names(results.algorithms),
    )
    yield Picture(
        "Performance profiles",
        "On which share of the data sets an algorithm is how close to the best one.",
        tradeoffs.profiles_data,
        tradeoffs.draw_profiles,
        results,
        of,
    )
    if count >= FEWEST_DATASETS and k <= MOST_COMPARED:
        yield Picture(
            "Differences over data sets",
            "One dot per data set: the difference between the means of two algorithms.",
            differences_plots.differences_data,
            differences_plots.draw_differences,
            results,
            of,
            height=tall(max(k * (k - 1) // 2 if k < 5 else k, 4), 0.3),
        )


def _each(results: Results, measures: list[str]) -> Iterator[Part]:
    """The first of several data sets, each with figures of its own."""
    if len(results.datasets) < 2:
        return
    for measure in measures:
        for dataset in results.datasets[:MOST_DRAWN]:
            figures, not_drawn = pictured(
                _of_dataset(results, measure, dataset), f"{measure} {dataset}"
            )
            choice = Choice(measure, dataset=dataset)
            if figures or not_drawn:
                yield Part(
                    f"{measure} on {dataset}", "", tuple(not_drawn), (), tuple(figures), choice
                )


def _coarse(results: Results, measure: str, dataset: str) -> bool:
    """Whether scores such as right and wrong are too coarse for boxes and podiums."""
    rows = results.values(measure)
    return int(rows.loc[rows["dataset"] == dataset, "value"].nunique()) < FEWEST_VALUES


def _too_coarse(results: Results, measure: str) -> list[str]:
    several = len(results.datasets) > 1 or len(results.runs) <= len(results.algorithms)
    if several or not _coarse(results, measure, results.datasets[0]):
        return []
    return [f"Box plots need at least {FEWEST_VALUES} different scores, and there are fewer."]


def _of_dataset(results: Results, measure: str, dataset: str) -> Iterator[Picture]:
    of = {"measure": measure, "dataset": dataset}
    k = len(results.algorithms)
    rows = results.runs[results.runs["dataset"] == dataset]
    if int(rows["sample"].nunique()) < 2 or _coarse(results, measure, dataset):
        return
    yield Picture(
        "Box plots",
        f"The {measure} over {replicate(results)}s, the best mean first.",
        score_plots.boxes_data,
        score_plots.draw_boxes,
        results,
        of,
        height=tall(k),
    )
    if k < 2:
        return
    yield Picture(
        "Benchmark experiment plot",
        f"Every {replicate(results)} places the algorithms on a podium: the scores that gave each "
        "of them its first, second ... place, and how often it had it.",
        benchmark.bench_data,
        benchmark.draw_bench,
        results,
        of,
        width=min(7.0 + 0.1 * max(k - 6, 0), 14.0),
        height=4.6,
    )


# -- two measures, and times --------------------------------------------------------------------


def _beside(results: Results) -> Iterator[Part]:
    """What is not about one measure: trade-offs, times and curves."""
    figures, not_drawn = pictured(_of_all(results))
    tables = [] if results.runs["fit_time"].isna().all() else [_times(results)]
    if figures or not_drawn or tables:
        yield Part(title="Measures side by side, and times", paragraphs=tuple(not_drawn),
                   items=(*tables, *figures))  # fmt: skip


def _times(results: Results) -> Table:
    done = results.runs[results.runs["status"] == "done"]
    cell = done.groupby(["dataset", "algorithm"], observed=True)
    means = cell[["fit_time", "predict_time"]].mean().reset_index()
    return table("Mean times of a run in seconds", means)


def _of_all(results: Results) -> Iterator[Picture]:
    k = len(results.algorithms)
    timed = not results.runs["fit_time"].isna().all()
    if timed:
        yield Picture(
            "Times",
            "Seconds that fitting and predicting take in a run, on average.",
            timing.times_data,
            timing.draw_times,
            results,
            height=tall(k),
        )
    if len(results.measures) > 1 and k > 1:
        yield Picture(
            "Two measures at once",
            "Means of two measures; on the front are the algorithms that no other beats in both.",
            tradeoffs.pareto_data,
            tradeoffs.draw_pareto,
            results,
            height=4.4,
        )
    if any("of" in facts for facts in results.facts.values()):
        yield Picture(
            "Learning curves",
            "Scores by the number of rows that were learned from.",
            curves.learning_curves_data,
            curves.draw_learning_curves,
            results,
        )
