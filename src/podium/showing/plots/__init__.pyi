"""The faces of all plots, as they follow from their records; a test holds this file in step.

PODIUM_SNAPSHOTS=write pytest tests/plots/test_plot_faces.py writes them anew.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from podium.asking.factors.judging import Effects
from podium.asking.fronts.dominance import Front
from podium.asking.planning.pilot import PilotPlan
from podium.asking.planning.plan import Plan
from podium.asking.robustness.stability import Stability
from podium.asking.surveys.podium_plots import Limits
from podium.asking.synthesis.verbs import MetaAnalysis
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.order import Order
from podium.core.results.results import Results
from podium.showing.drawing.canvas import Style
from podium.showing.drawing.records import PLOTS as PLOTS
from podium.showing.drawing.records import Face
from podium.showing.plots.of_scores.differences_plots import Pairs
from podium.showing.plots.of_scores.distribution_plots import Bins

__all__: list[str]

def behind(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    listed: int = 7,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Gaps of mean scores to the best one, the first few in rows, all others as ticks."""

def bench(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    seed: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """The benchmark experiment plot of one data set (or of several data sets as the blocks).

    Every sample puts the algorithms on the places of a podium by their scores, ties broken at
    random with `seed`. A dot stands at the score on the place, in its algorithm's column; bars
    count how often an algorithm has a place (Eugster, Hothorn and Leisch 2008, Figure 3). Of
    more than eight algorithms a map shows how often they have each place, beside their scores.
    """

def board(comparisons: Comparisons, *, ax: Axes | None = None) -> Axes:
    """Every model's score with an interval of its own, and the places that decided pairs allow.

    Marked are those among which the best one is, where that is known; else those that may come
    first.
    """

def boxes(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Box plots of the scores, best mean first."""

def critical_difference(
    comparisons: Comparisons, *more: Comparisons, order: Order | None = None, ax: Axes | None = None
) -> Axes:
    """The critical difference diagram; of several comparisons (measures) one below the other.

    `order` is theirs unless it was decided otherwise (another alpha); only for one.
    """

def critical_difference_tikz(comparisons: Comparisons, *, order: Order | None = None) -> str:
    r"""The diagram as a `tikzpicture`, for a document with `\usepackage{tikz}`."""

def dataset_heat(
    results: Results, *, measure: str | None = None, ranks: bool = True, ax: Axes | None = None
) -> Axes:
    """A heat map of the algorithms' ranks on every data set, or of their mean scores."""

def dendrogram(dataset_orders: DatasetOrders, *, ax: Axes | None = None) -> Axes:
    """Complete linkage of data sets: the lower two are joined, the more alike their orders are."""

def densities(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    lines: bool | None = None,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """A density of each algorithm's scores, best mean first; lines join one sample's scores."""

def deviations(
    results: Results | Mapping[str, Results], *, measure: str | None = None, ax: Axes | None = None
) -> Axes:
    """Box plots of the standard deviations of pairwise differences over data sets, by study.

    They say how many data sets a comparison needs (boulesteix2013, Figure 1).
    """

def differences(
    results: Results,
    pairs: Pairs | None = None,
    *,
    control: str | None = None,
    measure: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Box plots of the differences of pairs over data sets, their standard deviations beside.

    Grey lines join the differences of one data set. Unless pairs or a control are said, all
    pairs are shown where there are at most 6, otherwise all against the best by mean.
    """

def dots(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    jitter: bool = False,
    lines: bool = False,
    sort: bool = True,
    seed: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Every score as a dot; `lines` join the scores of one sample, `jitter` parts equal ones."""

def effects(effects: Effects, *, ax: Axes | None = None) -> Axes:
    """Every main effect (or change of an ablation) with limits that hold for all at once.

    Filled are those that are significant.
    """

def fitted(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Box plots of the fitted values of the mixed model; of several data sets one panel each."""

def flow(results: Results, *, ax: Axes | None = None) -> Axes:
    """How many data sets were there, eligible, drawn, failed and analysed."""

def forest(
    analysis: MetaAnalysis,
    *,
    first: str | None = None,
    second: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The difference of two algorithms in every study, over all of them, and in a new one."""

def front(front: Front, *, ax: Axes | None = None) -> Axes:
    """Every algorithm's mean in two measures, each with limits of its own.

    Filled are those that could be on the front; an arrow leads from who is dominated to the one
    that is better in every measure. Costs that differ by more than three times are on a
    logarithmic axis.
    """

def full_bench(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    seed: int = 0,
    alpha: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The benchmark experiment plot with a line through the dots of every sample.

    A segment has the colour of the algorithm on the lower of its two places, from which it goes
    out; parallel lines show scores that go together. `alpha` is the opacity of one line, by
    default chosen so that darkness shows how many samples run there (Figure 4 of the same
    paper).
    """

def funnel(
    analysis: MetaAnalysis,
    *,
    first: str | None = None,
    second: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The difference of two algorithms in every study against its standard error."""

def hasse(order: Order, *, ax: Axes | None = None) -> Axes:
    """The Hasse diagram of an order."""

def histograms(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    bins: Bins = None,
    lines: bool | None = None,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """A histogram of each algorithm's scores, best mean first; lines join one sample's scores."""

def interaction(effects: Effects, *, ax: Axes | None = None) -> Axes:
    """Means at the levels of two factors, averaged over all others, of the strongest interactions.

    Parallel lines are factors that do not depend on each other. The bar beside the lines is as long
    as the limits of a difference of two differences: what is less parallel than that is
    significant.
    """

def intervals(comparisons: Comparisons, *, ax: Axes | None = None) -> Axes:
    """Simultaneous confidence intervals of the differences of all pairs."""

def learning_curves(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Learning curves: the mean score by the size of the training set, a line per algorithm.

    Bands are one standard error to both sides, for up to eight algorithms. Each of several data
    sets has a panel; of more than twelve, say which with `dataset`.
    """

def looks(comparisons: Comparisons, *, ax: Axes | None = None) -> Axes:
    """Evidence at every look of a study that may stop, against the boundaries."""

def matrix(
    what: Comparisons | DatasetOrders,
    results: Results | Layout | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """The matrix of all pairs of algorithms, the best first; the row is seen against the column."""

def pareto(
    results: Results,
    *,
    measures: Sequence[str] | None = None,
    dataset: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Algorithms by the means of two measures, as ('error', 'time'), with their Pareto front.

    On the front are those for which no other is at least as good in both means and better in
    one; the dominated ones are pale. Whether higher or lower is better is each measure's own.
    """

def power_curve(
    plan: Plan | PilotPlan | None = None,
    *,
    differences: float | Sequence[float] | None = None,
    most: int | None = None,
    difference: float | None = None,
    sd: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    alpha: float | None = None,
    alternative: str | None = None,
    comparisons: int | None = None,
    formula: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Power by number of data sets, for several differences; the plan is the ring.

    Instead of a plan its parts may be given, as difference=0.05, sd=0.1, power=0.8 (or
    datasets=), alpha=, alternative=, comparisons=, formula=: two of difference, power and
    datasets.
    """

def profiles(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    ratio: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Performance profiles: the share of problems where an algorithm is within τ of the best.

    At the left end stands how often it is the best, further right how often it is nearly so. τ
    is a factor for times or with `ratio`, else a difference in the measure's unit.
    """

def qq(
    statistics: Sequence[float], null: Any, *, level: float = 0.95, ax: Axes | None = None
) -> Axes:
    """Quantile plot of a statistic's values against its null distribution, as 't:5'.

    Points on the diagonal have the distribution; the band is where each of them lies with
    probability `level` if the null holds. dietterich1998 shows the 5x2cv statistic in this way.
    """

def rank_stability(stability: Stability, *, ax: Axes | None = None) -> Axes:
    """How often each algorithm has each rank in bootstrap samples."""

def residuals(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Box plots of the residuals of the mixed model; of several data sets one panel each."""

def sample_size_curve(
    plan: Plan | PilotPlan | None = None,
    *,
    powers: float | Sequence[float] = (0.5, 0.8, 0.95),
    difference: float | None = None,
    sd: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    alpha: float | None = None,
    alternative: str | None = None,
    comparisons: int | None = None,
    formula: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Number of data sets by the difference they shall show, for several powers.

    The plan is the ring, given as for `power_curve`.
    """

def score_scatter(
    results: Results, first: str, second: str, *, measure: str | None = None, ax: Axes | None = None
) -> Axes:
    """Mean scores of two algorithms, a point per data set, with wins and ties counted."""

def simplex(comparisons: Comparisons, *, ax: Axes | None = None) -> Axes:
    """The chances win, same and lose of every pair, the better one first."""

def strata(results: Results, *, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """Every model's score in each stratum of items, with an interval of its own.

    Of more than eight models those with the best means.
    """

def styles(algorithms: Sequence[str]) -> dict[str, Style]:
    """The style of each algorithm: a hue each, or, of more than eight, in the lead or grey."""

def summary(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    level: float = 0.95,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Mean scores with intervals, best first."""

def survey(
    dataset_orders: DatasetOrders,
    *,
    limits: Limits | None = None,
    podiums: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Podium places of the algorithms on every data set, the best at the bottom.

    A place has the light colour of its algorithm; where the means tie-break equivalent
    algorithms there is no black border between the places. The dark bar is the mean score as a
    share of `limits`, unless said the bounds of the measure, or what the means span where it
    has none. More than eight algorithms, unless `podiums` or `limits` are asked for, are a map
    of their places, on which those are marked whom nobody is shown to beat.
    """

def survey_graph(
    dataset_orders: DatasetOrders,
    levels: int | None = None,
    *,
    seed: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """A node per data set (or several with the same order), a spring between every two.

    Edges are drawn for the first `levels` of the distances that occur, counting 0 where it
    does; unless said for 5/8 of them, or fewer where edges are many. A node is filled in the
    colour of the winner where there is just one. `seed` is for the starts of the layout.
    """

def times(
    results: Results, *, dataset: str | None = None, sort: bool = True, ax: Axes | None = None
) -> Axes:
    """Mean computation time of each algorithm, fastest first."""

def trellis(
    results: Results,
    plot: Face | None = None,
    *,
    columns: int | None = None,
    shared: str | None = None,
    measure: str | None = None,
    **options: Any,
) -> Figure:
    """A figure with `plot(results, dataset=..., ax=..., **options)` for every data set.

    Panels hold `boxes` unless said otherwise or, of more than eight algorithms, `behind`.
    `shared` axes ("x", "y", "xy" or "") have one range in all panels. The rows of Podium's own
    plots have one order everywhere, by the mean rank; `sort=False` is that of the study.
    """

def violins(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    sort: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Violin plots of the scores, best mean first."""
