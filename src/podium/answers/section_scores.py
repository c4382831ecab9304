"""Exploration: the scores as charts, tables and figures; they describe and test nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from podium.base.errors import PodiumError
from podium.drawing.emphasis import MOST_HUES
from podium.plots.of_pairs.matrices import beside_names
from podium.questions.targets import BLOCKS
from podium.reading.results import Results
from podium.reports.analysis import MOST_MEASURES, Analysis, mean_times, summary
from podium.reports.charts import charts, marked
from podium.reports.document import Choice, Part, readable, section
from podium.reports.figures import Picture, pictured, tall
from podium.reports.score_words import (
    DESCRIBES,
    no_charts,
    not_described,
    nothing_drawn,
    replicate,
    rows_shown,
    scores_caption,
    too_coarse,
)

FEWEST_DATASETS = 5  # that show how differences spread over them
MOST_COMPARED = 20  # algorithms, in a picture of differences
MOST_DRAWN = 4  # data sets with figures of their own
FEWEST_VALUES = 5  # different scores that boxes and podiums can show
MOST_ROWS = 5000  # of a summary
MOST_BESIDE = 12  # algorithms, as columns of a table
OUTCOMES = {1.0: "won", 0.5: "tied", 0.0: "lost"}  # of a choice


@section("scores", "Scores", place=30)
def exploration(analysis: Analysis) -> Iterator[Part]:
    """Charts of all scores, then tables and figures measure by measure."""
    results = analysis.results
    every = list(results.measures)
    measures, rest = every[:MOST_MEASURES], every[MOST_MEASURES:]
    yield _charts(results)
    yield from (_measure(results, name) for name in measures)
    yield from _each(results, measures[:1])
    if rest:
        yield Part(paragraphs=(not_described(rest),))
    yield from _beside(results)


def _charts(results: Results) -> Part:
    if _all_coarse(results):
        why = nothing_drawn(replicate(results))
        return Part(paragraphs=(why,), algorithms=marked(results.algorithms))
    try:
        return Part(paragraphs=(DESCRIBES,), items=(charts(results),))
    except PodiumError as error:
        return Part(paragraphs=(DESCRIBES, no_charts(error)))


def _measure(results: Results, name: str) -> Part:
    rows = summary(results, name)
    if _is_partial(results):
        rows = _won(results, name, rows)
    elif _one_each(results, rows):
        rows = _crossed(results, rows) if _beside_each_other(results) else _plain(rows, name)
    shown = rows.head(MOST_ROWS)
    figures, not_drawn = pictured(_pictures(results, name), name)
    words = {"samples": f"{replicate(results)}s"}
    made = readable(scores_caption(results.measure(name)), shown, words)
    cut = [rows_shown(MOST_ROWS, len(rows))] * (len(shown) < len(rows))
    coarse = [too_coarse(FEWEST_VALUES)] * (
        _lacks_boxes(results, name) and not _all_coarse(results)
    )
    return Part(
        title=f"Summary by {name}",
        paragraphs=(*cut, *not_drawn, *coarse),
        items=(made, *figures),
        choice=Choice(name),
    )


def _is_partial(results: Results) -> bool:
    """Whether a row is a choice between some of the algorithms: others are not missing there."""
    drawn = results.sampling
    return drawn is not None and BLOCKS[drawn.replicate].partial


def _won(results: Results, measure: str, rows: pd.DataFrame) -> pd.DataFrame:
    """How often each algorithm was chosen, where choices were won, tied or lost."""
    values = results.values(measure).dropna(subset=["value"])  # who was not there has none
    table = rows[["algorithm", "samples", "mean"]]
    if not values["value"].isin(list(OUTCOMES)).all():
        return table
    counts = pd.crosstab(values["algorithm"].astype(str), values["value"])
    told = counts.reindex(index=table["algorithm"].astype(str), columns=list(OUTCOMES))
    wins = {n: told[v].fillna(0).astype(int).to_numpy() for v, n in OUTCOMES.items()}
    return table.assign(**wins)[["algorithm", "samples", *wins, "mean"]]


def _all_coarse(results: Results) -> bool:
    """Whether charts of the one data set would show nothing, by any measure."""
    if len(results.datasets) != 1 or len(results.runs) <= len(results.algorithms):
        return False
    every = (results.values(name)["value"].dropna() for name in results.measures)
    return all(values.isin(list(OUTCOMES)).all() for values in every)


def _one_each(results: Results, rows: pd.DataFrame) -> bool:
    """Whether there is at most one score of an algorithm per data set, so that none has a spread.

    What is missing is an empty cell there; what failed has a section of its own.
    """
    return len(results.datasets) > 1 and bool((rows["samples"] <= 1).all())


def _beside_each_other(results: Results) -> bool:
    """Whether algorithms fit as columns."""
    return len(results.algorithms) <= MOST_BESIDE


def _plain(rows: pd.DataFrame, measure: str) -> pd.DataFrame:
    """A row per score, without the columns that say nothing of one."""
    name = measure if measure not in ("dataset", "algorithm") else "mean"
    return rows[["dataset", "algorithm", "mean"]].rename(columns={"mean": name})


def _crossed(results: Results, rows: pd.DataFrame) -> pd.DataFrame:
    """Data sets x algorithms, instead of a row per score without a spread."""
    names = {"dataset": results.datasets, "algorithm": results.algorithms}
    wide = rows.pivot(index="dataset", columns="algorithm", values="mean")
    wide.index, wide.columns = wide.index.astype(str), wide.columns.astype(str)
    found = wide.reindex(index=names["dataset"], columns=names["algorithm"])
    return found.rename_axis(columns=None).reset_index()


def _pictures(results: Results, measure: str) -> Iterator[Picture]:
    """Of one data set its scores; of several the means of all, and all scores side by side."""
    if len(results.datasets) == 1:
        yield from _of_dataset(results, measure, results.datasets[0])
    elif len(results.algorithms) > 1:  # ranks and distances from the best say nothing of one
        yield from _over_datasets(results, measure)


def _over_datasets(results: Results, measure: str) -> Iterator[Picture]:
    count, k, of = len(results.datasets), len(results.algorithms), {"measure": measure}
    yield Picture(
        "dataset_heat",
        results,
        of,
        height=tall(count, 0.18, least=3.0, most=12.0) + beside_names(results.algorithms),
    )
    yield Picture(
        "profiles",
        results,
        of,
    )
    if count >= FEWEST_DATASETS and k <= MOST_COMPARED:
        yield Picture(
            "differences",
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


def _lacks_boxes(results: Results, measure: str) -> bool:
    """Whether the one data set has several scores of an algorithm that are too coarse for boxes."""
    several = len(results.datasets) > 1 or len(results.runs) <= len(results.algorithms)
    return not several and _coarse(results, measure, results.datasets[0])


def _of_dataset(results: Results, measure: str, dataset: str) -> Iterator[Picture]:
    of = {"measure": measure, "dataset": dataset}
    k = len(results.algorithms)
    rows = results.runs[results.runs["dataset"] == dataset]
    if int(rows["sample"].nunique()) < 2 or _coarse(results, measure, dataset):
        return
    yield Picture(
        "boxes",
        results,
        of,
        height=tall(k),
        facts={"measure": measure, "sample": replicate(results)},
    )
    if k < 2:
        return
    yield Picture(
        "bench",
        results,
        of,
        width=min(7.0 + 0.1 * max(k - 6, 0), 14.0),
        height=4.6 if k <= MOST_HUES else tall(k),
        facts={"sample": replicate(results)},
    )


# -- two measures, and times --------------------------------------------------------------------


def _beside(results: Results) -> Iterator[Part]:
    """What is not about one measure: trade-offs, times and curves."""
    figures, not_drawn = pictured(_of_all(results))
    times = mean_times(results)
    tables = [readable("Mean times of a run in seconds", times)] if len(times) else []
    if figures or not_drawn or tables:
        yield Part("Measures side by side, and times", paragraphs=tuple(not_drawn),
                   items=(*tables, *figures))  # fmt: skip


def _of_all(results: Results) -> Iterator[Picture]:
    k = len(results.algorithms)
    timed = not results.runs["fit_time"].isna().all()
    if timed:
        yield Picture(
            "times",
            results,
            height=tall(k),
        )
    if len(results.measures) > 1 and k > 1:
        yield Picture(
            "pareto",
            results,
            height=4.4,
        )
    if any("of" in facts for facts in results.facts.values()):
        yield Picture(
            "learning_curves",
            results,
        )
