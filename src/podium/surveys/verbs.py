"""Many data sets: their orders one by one, subgroups, trends, explanations, recommendations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from podium.base.progress import Progress
from podium.inference.bricks.estimates import Estimator
from podium.inference.bricks.nulls import NullBrick
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.procedures.options import Options, Pairs, gaps_said
from podium.inference.procedures.procedure import Procedure
from podium.orders.dataset_orders import DatasetOrders
from podium.reading.dataset_facts import characteristics, exclusions
from podium.reading.formats import read
from podium.reading.planned_and_done import beside_plan, explored
from podium.reading.results import Results
from podium.reading.size_slopes import size_slopes
from podium.surveys.by_dataset import SECONDS, Weights
from podium.surveys.by_dataset import by_dataset as orders_by_dataset
from podium.surveys.explaining import LEAST_SQUARES, Explained
from podium.surveys.explaining import explain_differences as of_characteristics
from podium.surveys.recommending import Recommendation
from podium.surveys.recommending import recommend as of_groups
from podium.surveys.subgroups import Subgroups, listed_groups
from podium.surveys.subgroups import subgroups as of_subgroups
from podium.verdicts.verbs import compare, layout_of

PER_DOUBLING = "{} per doubling of the size"


def by_dataset(
    results: Results,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    target: str = "",
    null: str | NullBrick | None = None,
    adjust: str | None = None,
    control: str | None = None,
    pairs: Pairs | None = None,
    estimate: str | Estimator | None = None,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    relevance: float = 0.0,
    gaps: str | None = None,
    missing: str | None = None,
    force: bool = False,
    family: str = "weak",
    weights: Weights | None = None,
    time_limit: float | None = SECONDS,
    progress: Progress | None = None,
) -> DatasetOrders:
    """The order of the algorithms on every data set, their agreement and their consensus.

    A data set that cannot be analysed is listed with the reason.

    Parameters
    ----------
    procedure, measure, target, null, adjust, control, pairs, estimate, alternative, alpha,
    relevance, gaps, force : as in `compare`, for each data set alike.
    family, weights : of the consensus; weights by the data sets' names, or one for each.
    time_limit : seconds for the consensus, which then says its gap; None for no limit.
    progress : is told `(done, total)` after every data set.
    """
    options = Options(
        procedure=procedure,
        null=null,
        adjust=adjust,
        control=control,
        pairs=pairs,
        estimate=estimate,
        alternative=alternative,
        alpha=alpha,
        relevance=relevance,
        gaps=gaps_said(gaps, missing),
        force=force,
    )
    found = orders_by_dataset(
        results,
        options,
        measure=measure,
        target=target,
        family=family,
        weights=weights,
        time_limit=time_limit,
        progress=progress,
    )
    return explored(found, results)


def subgroups(
    results: Any,
    groups: Mapping[str, Sequence[str]] | pd.DataFrame,
    *,
    measure: str | None = None,
    scale: str | None = None,
    declared_before: bool | str = False,
    procedure: str = "paired-t",
    test: str = "welch",
    control: str | None = None,
    pairs: Pairs | None = None,
    alternative: str = "two-sided",
    null: str | None = None,
    draws: int = 9999,
    seed: int = 0,
    alpha: float = 0.05,
) -> Subgroups:
    """Differences within subgroups of data sets, and whether they differ between subgroups.

    Parameters
    ----------
    groups : `{"small": ["iris", ...], "large": [...]}`, or a table with the columns dataset and
        group. No data set is in two; those in none are listed.
    declared_before : True, or in words, where the subgroups were chosen before the scores were
        seen; otherwise the result says that it is exploratory.
    procedure, null, control, pairs, alternative : as in `compare`, for every group alike.
    test : of the interaction: welch, anova or permutation (with so many `draws`).
    """
    made = layout_of(results, measure=measure, scale=scale)
    if isinstance(groups, pd.DataFrame):
        gone = exclusions(results) if isinstance(results, Results) else ()
        groups = listed_groups(groups, without=gone)
    found = of_subgroups(
        made,
        groups,
        declared_before=declared_before,
        procedure=procedure,
        test=test,
        control=control,
        pairs=pairs,
        alternative=alternative,
        null=null,
        draws=draws,
        seed=seed,
        alpha=alpha,
    )
    return explored(found, results)


def size_trend(
    results: Results,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    control: str | None = None,
    pairs: Pairs | None = None,
    alpha: float = 0.05,
) -> Comparisons:
    """Whether differences between algorithms move with the training size (a study with `sizes`).

    Every sample has a slope of each algorithm's scores on log2 of the size, and slopes are compared
    as scores are: `estimate` is how much first less second changes with every doubling.
    """
    found = results if isinstance(results, Results) else read(results, measure=measure)
    name = measure or next(iter(found.measures))
    slopes = read(
        size_slopes(found, name),
        sampling=found.sampling,
        measure=PER_DOUBLING.format(name),
        higher_is_better=found.measure(name).higher_is_better,
    )
    compared = compare(slopes, procedure, control=control, pairs=pairs, alpha=alpha)
    mark = beside_plan(found)
    return compared if mark is None else replace(compared, warnings=(mark, *compared.warnings))


def recommend(
    results: Any,
    by: pd.DataFrame | Results | None = None,
    *,
    columns: str | Sequence[str] | None = None,
    measure: str | None = None,
    scale: str | None = None,
    alpha: float = 0.05,
) -> Recommendation:
    """Which algorithm where: groups of data sets by characteristics, and whom to take for others.

    It is judged on data sets left out one by one, by the regret against the best there and against
    always taking the overall best; `.recommend(characteristics)` takes the overall best where
    nothing better is shown.

    Parameters
    ----------
    by : a frame indexed by data set; without it, the characteristics that the results carry.
    columns : which of them, all by default.
    """
    made = layout_of(results, measure=measure, scale=scale)
    if by is None:
        by = characteristics(results if isinstance(results, Results) else read(results))
    table = by if isinstance(by, pd.DataFrame) else characteristics(by)
    table = table.set_index("dataset") if "dataset" in table else table
    wanted = [columns] if isinstance(columns, str) else columns
    return explored(of_groups(made, table, wanted, alpha), results)


def explain_differences(
    results: Any,
    by: pd.DataFrame | Results | None = None,
    *,
    columns: str | Sequence[str] | None = None,
    measure: str | None = None,
    scale: str | None = None,
    control: str | None = None,
    pairs: Pairs | None = None,
    logs: str | Sequence[str] = "auto",
    procedure: str = LEAST_SQUARES,
    alpha: float = 0.05,
) -> Explained:
    """Differences between algorithms modelled by characteristics of the data sets.

    Parameters
    ----------
    by : a frame indexed by data set; without it, the characteristics that the results carry.
    columns : which of them, all by default. Data sets that lack one are left out and listed.
    control, pairs : as in `compare`.
    logs : `auto` for positive numbers whose skewness is above 1, or a list of names.
    procedure : least-squares of the differences, or bradley-terry of who is better where: log-odds,
        errors by data sets, and a test of every characteristic (`.tests`).
    """
    made = layout_of(results, measure=measure, scale=scale)
    if by is None:
        by = characteristics(results if isinstance(results, Results) else read(results))
    found = of_characteristics(
        made,
        by,
        columns,
        control=control,
        pairs=pairs,
        logs=logs,
        procedure=procedure,
        alpha=alpha,
    )
    return explored(found, results)
