"""Many data sets: their orders one by one, subgroups, trends, explanations, recommendations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from podium.base.faces import takes
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.procedures.options import Options
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


@takes("measure", "target", "testing", "family", "progress", but={"family": "weak"})
def by_dataset(
    results: Results,
    procedure: str | Procedure | None = None,
    *,
    weights: Weights | None = None,
    time_limit: float | None = SECONDS,
    **options: Any,
) -> DatasetOrders:
    """The order of the algorithms on every data set, their agreement and their consensus.

    A data set that cannot be analysed is listed with the reason.

    Parameters
    ----------
    results : Results
    procedure : str | Procedure | None
        A name from `podium list tests`, for each data set alike; without one the design decides.
    weights : of the consensus, by the data sets' names, or one for each
    time_limit : float | None
        Seconds for the consensus, which then says its gap; None for no limit.

    Returns
    -------
    DatasetOrders
        `.orders` by data set, `.consensus`, and tables of both.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> rows = [(d, i, i / 9, 1 + i / 8) for d in "xy" for i in range(5)]
    >>> frame = pd.DataFrame(rows, columns=["dataset", "sample", "svm", "lda"])
    >>> results = podium.read(frame, sampling="bootstrap", measure="error")
    >>> [order.ascii for order in podium.by_dataset(results, "sign").orders.values()]
    ['svm ~ lda', 'svm ~ lda']
    """
    result = orders_by_dataset(
        results,
        Options.of(procedure, options),
        measure=options["measure"],
        target=options["target"] or "",
        family=options["family"],
        weights=weights,
        time_limit=time_limit,
        progress=options["progress"],
    )
    return explored(result, results)


@takes("measure", "scale", "control", "pairs", "alternative", "null", "seed", "alpha")
def subgroups(
    results: Any,
    groups: Mapping[str, Sequence[str]] | pd.DataFrame,
    *,
    declared_before: bool | str = False,
    procedure: str = "paired-t",
    test: str = "welch",
    draws: int = 9999,
    **options: Any,
) -> Subgroups:
    """Differences within subgroups of data sets, and whether they differ between subgroups.

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes
    groups : `{"small": ["iris", ...], "large": [...]}`, or a table with columns dataset and group
        No data set is in two; those in none are listed.
    declared_before : True, or in words
        Where the subgroups were chosen before the scores were seen; otherwise the result says that
        it is exploratory.
    procedure : str
        The test within every group.
    test : str
        Of the interaction: welch, anova or permutation.
    draws : int
        Of the permutation test.

    Returns
    -------
    Subgroups
        `.within` has a row per group and pair, `.interactions` the tests between groups.

    Examples
    --------
    >>> import podium
    >>> wide = {"dataset": list("abcdef"), "svm": [1, 2, 3, 4, 5, 6], "lda": [2, 4, 3, 6, 8, 9]}
    >>> import pandas as pd
    >>> results = podium.read(pd.DataFrame(wide), measure="error")
    >>> result = podium.subgroups(results, {"small": ["a", "b", "c"], "large": ["d", "e", "f"]})
    >>> sorted(set(result.within["group"]))
    ['large', 'small']
    """
    measure, scale = options.pop("measure"), options.pop("scale")
    made = layout_of(results, measure=measure, scale=scale)
    if isinstance(groups, pd.DataFrame):
        gone = exclusions(results) if isinstance(results, Results) else ()
        groups = listed_groups(groups, without=gone)
    result = of_subgroups(
        made,
        groups,
        declared_before=declared_before,
        procedure=procedure,
        test=test,
        draws=draws,
        **options,
    )
    return explored(result, results)


@takes("measure", "control", "pairs", "alpha")
def size_trend(
    results: Results, procedure: str | Procedure | None = None, **options: Any
) -> Comparisons:
    """Whether differences between algorithms move with the training size (a study with `sizes`).

    Every sample has a slope of each algorithm's scores on log2 of the size, and slopes are compared
    as scores are: `estimate` is how much first - second changes with every doubling.

    Parameters
    ----------
    results : Results
    procedure : str | Procedure | None
        A name from `podium list tests`; without one the design decides.

    Returns
    -------
    Comparisons
        Of slopes.
    """
    measure = options.pop("measure")
    result = results if isinstance(results, Results) else read(results, measure=measure)
    name = measure or next(iter(result.measures))
    slopes = read(
        size_slopes(result, name),
        sampling=result.sampling,
        measure=PER_DOUBLING.format(name),
        higher_is_better=result.measure(name).higher_is_better,
    )
    compared = compare(layout_of(slopes, procedure), procedure, **options)
    mark = beside_plan(result)
    return compared if mark is None else replace(compared, warnings=(mark, *compared.warnings))


@takes("measure", "scale", "alpha")
def recommend(
    results: Any,
    by: pd.DataFrame | Results | None = None,
    *,
    columns: str | Sequence[str] | None = None,
    **options: Any,
) -> Recommendation:
    """Which algorithm where: groups of data sets by characteristics, and whom to take for others.

    It is judged on data sets left out one by one, by the regret against the best there and against
    always taking the overall best.

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes
    by : DataFrame | None
        Characteristics, indexed by data set; without it, those that the results carry.
    columns : names
        Which of them, all by default.

    Returns
    -------
    Recommendation
        `.recommend(characteristics)` takes the overall best where nothing better is shown.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> names = [f"d{i}" for i in range(12)]
    >>> wide = {"dataset": names, "svm": [*range(12)], "lda": [*range(11, -1, -1)]}
    >>> by = pd.DataFrame({"n": [*range(12)]}, index=names)
    >>> result = podium.recommend(podium.read(pd.DataFrame(wide), measure="error"), by)
    >>> result.recommend({"n": 0.0})
    'svm'
    """
    measure, scale, alpha = (options[name] for name in ("measure", "scale", "alpha"))
    made = layout_of(results, measure=measure, scale=scale)
    if by is None:
        by = characteristics(results if isinstance(results, Results) else read(results))
    table = by if isinstance(by, pd.DataFrame) else characteristics(by)
    table = table.set_index("dataset") if "dataset" in table else table
    wanted = [columns] if isinstance(columns, str) else columns
    return explored(of_groups(made, table, wanted, alpha), results)


@takes("measure", "scale", "control", "pairs", "alpha")
def explain_differences(
    results: Any,
    by: pd.DataFrame | Results | None = None,
    *,
    columns: str | Sequence[str] | None = None,
    logs: str | Sequence[str] = "auto",
    procedure: str = LEAST_SQUARES,
    **options: Any,
) -> Explained:
    """Differences between algorithms modelled by characteristics of the data sets.

    Parameters
    ----------
    results : Results, Layout, or anything that `read` takes
    by : DataFrame | None
        Characteristics, indexed by data set; without it, those that the results carry.
    columns : names
        Which of them, all by default. Data sets that lack one are left out and listed.
    logs : "auto", or names
        Which are taken as logarithms: positive numbers whose skewness is above 1, or these.
    procedure : str
        least-squares of the differences, or bradley-terry of who is better where: log-odds, errors
        by data sets, and a test of every characteristic (`.tests`).

    Returns
    -------
    Explained
        `.coefficients` has a row per pair and term: slope, limits, p-values.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> names = [f"d{i}" for i in range(12)]
    >>> wide = {"dataset": names, "svm": [*range(12)], "lda": [2.0 * i + i % 3 for i in range(12)]}
    >>> by = pd.DataFrame({"n": [*range(12)]}, index=names)
    >>> result = podium.explain_differences(podium.read(pd.DataFrame(wide), measure="error"), by)
    >>> list(result.terms["characteristic"])
    ['n']
    """
    measure, scale = options.pop("measure"), options.pop("scale")
    made = layout_of(results, measure=measure, scale=scale)
    if by is None:
        by = characteristics(results if isinstance(results, Results) else read(results))
    result = of_characteristics(made, by, columns, logs=logs, procedure=procedure, **options)
    return explored(result, results)
