"""Many data sets: their orders one by one, subgroups, trends, explanations, recommendations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from podium.asking.surveys.by_dataset import SECONDS, Weights
from podium.asking.surveys.by_dataset import by_dataset as orders_by_dataset
from podium.asking.surveys.explaining import LEAST_SQUARES, Explained
from podium.asking.surveys.explaining import explain_differences as of_characteristics
from podium.asking.surveys.recommending import Recommendation
from podium.asking.surveys.recommending import recommend as of_groups
from podium.asking.surveys.subgroups import Subgroups, listed_groups
from podium.asking.surveys.subgroups import subgroups as of_subgroups
from podium.core.base.errors import PodiumError
from podium.core.base.options import takes
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.results.dataset_facts import characteristics, exclusions
from podium.core.results.pass_at import size_slopes, training_sizes
from podium.core.results.planned_and_done import beside_plan, explored
from podium.core.results.results import Results
from podium.core.verdicts.verbs import compare, layout_of
from podium.core.words.facts import CAUTION, DETAIL, Note
from podium.reading.formats import read

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


# -- equal bias -----------------------------------------------------------------------------------
# Whether algorithms lose alike by learning from fewer rows than a data set has.
#
# A claim over data sets is about differences of algorithms that learned from a part of the rows.
# It is one about all rows where that part costs all of them the same (boulesteix2013, equation
# 2), which several training sizes of a data set can speak against.


Pair = tuple[str, str]


@dataclass(frozen=True)
class EqualBias:
    """The pairs whose difference moves with the training size; nothing is known of one size.

    The first of a pair gains on the second as there are more rows to learn from.
    """

    checked: bool
    pairs: int = 0
    moving: tuple[Pair, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As the JSON of a survey has it."""
        return asdict(self)


def equal_bias(
    results: Results, measure: str | None = None, alpha: float | None = None
) -> EqualBias:
    """The check, where data sets were learned from at several sizes."""
    if len(training_sizes(results)) < 2:
        return EqualBias(checked=False)
    try:
        table = size_trend(results, measure=measure, alpha=alpha).table
    except PodiumError:  # too few samples or sizes of a data set
        return EqualBias(checked=False)
    moving = table[table["verdict"].isin(["better", "worse"])]
    pairs = tuple(
        (row.first, row.second) if row.verdict == "better" else (row.second, row.first)
        for row in moving.itertuples()
    )
    return EqualBias(checked=True, pairs=len(table), moving=pairs)


def equal_bias_note(results: Results, comparisons: Comparisons) -> Note:
    """What the check says beside a claim over data sets.

    It limits the claim where somebody gains with the size on one whom he does not beat yet.
    """
    bias = equal_bias(results, comparisons.measure, comparisons.alpha)
    if not bias.checked:
        return Note("equal-bias-unknown", DETAIL)
    verdicts = {(row.first, row.second): row.verdict for row in comparisons.table.itertuples()}
    ahead = {pair if verdict == "better" else pair[::-1] for pair, verdict in verdicts.items()
             if verdict in ("better", "worse")}  # fmt: skip
    moving = tuple(p for p in bias.moving if p in verdicts or p[::-1] in verdicts)
    if not moving:
        return Note("equal-bias", DETAIL, pairs=bias.pairs)
    limiting = tuple(pair for pair in moving if pair not in ahead)
    if not limiting:
        return Note("unequal-bias", DETAIL, gains=moving, limits=False)
    return Note("unequal-bias", CAUTION, gains=limiting, limits=True)
