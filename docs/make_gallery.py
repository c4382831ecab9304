"""The gallery: every plot with the code that draws it (docs/gallery.md, docs/gallery/*.svg).

    python docs/make_gallery.py [--run] [name ...]

Names draw these pictures only. --run also makes the scores anew from the two study files; the
times among them are those of the machine that ran it, so pictures of times change.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
PAGE = HERE / "gallery.md"
FOLDER = HERE / "gallery"
STUDIES = {"monks.toml": "scores.csv", "survey.toml": "survey.csv"}
DIGITS = 6  # of a score: files stay small
LOOK = {"svg.fonttype": "none", "svg.hashsalt": "podium", "figure.max_open_warning": 0}

INTRODUCTION = """\
# Gallery

Every plot of `podium.plots`, with the code that draws it. All take `ax=` and return the axes they
drew on (`trellis` a figure), so anything of matplotlib may follow. An algorithm has one colour and
one marker in all plots of a study. What a plot cannot show is said below it. Names, legends and
remarks need room: make axes of your own with `plt.subplots(2, 2, layout="constrained")`. For each
`<name>` there is `<name>_data`, the table that it draws.

The examples read two small tables: [scores.csv](gallery/scores.csv), six algorithms on 50 bootstrap
samples of MONK-3 ([monks.toml](gallery/monks.toml)), and [survey.csv](gallery/survey.csv), the same
on 12 data sets with 20 samples each ([survey.toml](gallery/survey.toml)). This page is made by
`make gallery`.
"""
SETUP = """\
import podium
from podium import plots

results = podium.read("scores.csv", sampling="bootstrap:50")
survey = podium.read("survey.csv", sampling="bootstrap:20")
comparisons = podium.compare(results, measure="error")  # on resamples of one data set
each = podium.by_dataset(survey)  # an order for every data set
"""


class Example(NamedTuple):
    """A plot's name, what it shows and when to use it, and code that draws it."""

    name: str
    text: str
    code: str


SECTIONS: dict[str, list[Example]] = {
    "Scores on one data set": [
        Example(
            "bench",
            "The benchmark experiment plot: each sample puts the algorithms on the places of a "
            "podium; a dot is the score of the algorithm that has the place, bars count places "
            "(eugster2008, Figure 3). For a first look at one data set: levels, spreads and who "
            "wins how often.",
            "plots.bench(results)",
        ),
        Example(
            "full_bench",
            "The same with a line through the dots of every sample (eugster2008, Figure 4). "
            "Parallel lines are scores that go together: why tests compare within samples.",
            "plots.full_bench(results)",
        ),
        Example(
            "dots",
            "Every score as a dot (eugster2008, Figure 2a). For few samples, or to see ties and "
            "outliers that a box hides.",
            "plots.dots(results, jitter=True)",
        ),
        Example(
            "boxes",
            "Box plots, best mean first (eugster2008, Figure 2b).",
            "plots.boxes(results)",
        ),
        Example(
            "violins",
            "Densities mirrored around their rows, with quartiles: for several modes, which a box "
            "hides.",
            "plots.violins(results)",
        ),
        Example(
            "densities",
            "A density per algorithm above a strip of its scores; lines join the scores of one "
            "sample, unless said only of up to four algorithms.",
            "plots.densities(results, lines=True)",
        ),
        Example(
            "histograms",
            "The same with counts instead of densities, where scores take few values.",
            "plots.histograms(results, lines=False)",
        ),
        Example(
            "summary",
            "Means with 95 % intervals of each algorithm alone (eugster2008, Figure 1). Whether "
            "two algorithms differ is not to be read from two intervals: see `intervals`.",
            "plots.summary(results)",
        ),
        Example(
            "times",
            "Mean seconds of fitting and predicting, fastest first (eugster2008, Figure 6). Stores "
            "keep the times of every run; a table needs the measures fit-time, predict-time and "
            "time.",
            "plots.times(results)",
        ),
        Example(
            "pareto",
            "Means of two measures with the algorithms that no other one beats in both. To choose "
            "between accurate and fast.",
            'plots.pareto(results, measures=("error", "fit-time"))',
        ),
        Example(
            "learning_curves",
            "Mean scores by size of the training set, with one standard error. Would more data "
            "change the order?",
            """\
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

algorithms = {
    "logistic": podium.algorithm("logistic", LogisticRegression(), preprocess=True),
    "nb": GaussianNB(),
    "knn": podium.algorithm("knn", KNeighborsClassifier(), preprocess=True),
}
data = podium.dataset("breast", *load_breast_cancer(return_X_y=True))
study = podium.Study(data, algorithms, sampling="bootstrap:20", sizes=[10, 20, 50, 100, 200, 500])
plots.learning_curves(podium.run(study, "curves.db", quiet=True))""",
        ),
    ],
    "Pairs and orders": [
        Example(
            "intervals",
            "Simultaneous 95 % intervals of all differences; those that exclude 0 are significant "
            "(eugster2008, Figures 5 and 12). The picture for a paper: sizes, not only p-values.",
            "plots.intervals(comparisons)",
        ),
        Example(
            "matrix",
            "Each pair, the row against the column: blocks won, tied and lost, and the adjusted "
            "p-value; the shade is the difference. For many algorithms, where intervals have too "
            "many rows.",
            "plots.matrix(comparisons, results)",
        ),
        Example(
            "critical_difference",
            "Mean ranks on an axis; a bar joins what is not significantly different (Demšar 2006).",
            'plots.critical_difference(podium.compare(survey, "nemenyi"))',
        ),
        Example(
            "critical_difference_tikz",
            "The same as text for LaTeX.",
            'tikz = plots.critical_difference_tikz(podium.compare(survey, "nemenyi"))',
        ),
        Example(
            "hasse",
            "An order as layers, best at the top, with lines to the next worse ones. What no line "
            "joins cannot be told apart.",
            "plots.hasse(podium.decide(comparisons))",
        ),
        Example(
            "rank_stability",
            "How often each algorithm has each place when the data sets are drawn anew. A place "
            "that 12 other data sets would change is no place to report.",
            "plots.rank_stability(podium.stability(survey, resamples=500, orders=50, seed=1))",
        ),
    ],
    "Many data sets": [
        Example(
            "survey",
            "The benchmark survey plot: a column per data set, similar orders beside each other, "
            "the best at the bottom; no border between algorithms that are equivalent, a dark bar "
            "for the mean (eugster2008, Figures 8 and 9).",
            "plots.survey(each)",
        ),
        Example(
            "survey_graph",
            "A node per data set; the nearer two are, the more alike their orders "
            "(eugster2008, Figure 11). To find groups of data sets.",
            "plots.survey_graph(each)",
        ),
        Example(
            "dendrogram",
            "Complete linkage of data sets by the distance of their orders (eugster2008, "
            "Figure 10).",
            "plots.dendrogram(each)",
        ),
        Example(
            "behind",
            "How far algorithms are behind the best on a data set: of many the first seven, the "
            "others as ticks. What a trellis of more than eight algorithms shows.",
            "plots.behind(survey, dataset=survey.datasets[0], listed=3)",
        ),
        Example(
            "trellis",
            "Any plot of one data set, for every data set (eugster2008, Figure 7).",
            "plots.trellis(survey, plots.boxes, columns=4)",
        ),
        Example(
            "dataset_heat",
            "Ranks, or with `ranks=False` mean scores, of every algorithm on every data set.",
            "plots.dataset_heat(survey)",
        ),
        Example(
            "score_scatter",
            "Two algorithms, a point per data set. For one comparison that matters.",
            'plots.score_scatter(survey, "svm", "forest")',
        ),
        Example(
            "profiles",
            "The share of data sets on which an algorithm is within τ of the best one (Dolan and "
            "Moré 2002). Best most often is at the left, never far off at the right.",
            "plots.profiles(survey)",
        ),
        Example(
            "differences",
            "Differences of pairs over data sets, with their standard deviations (boulesteix2013, "
            "Figure 3). Signs that change with the data set are the rule.",
            'plots.differences(survey, control="svm")',
        ),
        Example(
            "deviations",
            "Standard deviations of all pairwise differences over data sets (boulesteix2013, "
            "Figure 1): what a plan needs to know.",
            'plots.deviations({"these 12": survey})',
        ),
    ],
    "Several studies": [
        Example(
            "forest",
            "The difference of two algorithms in every study, marks as large as their weights, its "
            "mean over studies, and what a new study would show. "
            "[studies.csv](gallery/studies.csv) is made up.",
            'plots.forest(podium.meta("studies.csv", measure="accuracy"))',
        ),
        Example(
            "funnel",
            "The same differences against their standard errors. Where one half is empty at the "
            "bottom, small studies that found little may not have been published.",
            'plots.funnel(podium.meta("studies.csv", measure="accuracy"))',
        ),
    ],
    "Items and boards": [
        Example(
            "board",
            "Many models: scores with intervals of their own, and the places that the decided "
            "pairs leave open. [items.csv](gallery/items.csv), right and wrong answers of nine "
            "models, is made up.",
            'items = podium.read("items.csv", columns={"stratum": "topic"})\n'
            "plots.board(podium.compare(items))",
        ),
        Example(
            "strata",
            "The same scores by topic, and whether differences depend on it.",
            'plots.strata(podium.read("items.csv", columns={"stratum": "topic"}))',
        ),
        Example(
            "simplex",
            "A posterior of every pair: the nearer to a corner, the likelier what it says.",
            'plots.simplex(podium.compare(survey, measure="error", posterior=True, rope=0.01))',
        ),
    ],
    "Factors and several measures": [
        Example(
            "effects",
            "Main effects of factors (or changes of an ablation) with limits that hold for all at "
            "once; hollow ones are inconclusive.",
            """\
scores = {
    "dataset": ["a", "b", "c", "d", "e", "f", "g", "h"],
    "rf": [0.71, 0.64, 0.80, 0.58, 0.75, 0.69, 0.83, 0.61],
    "rf+pca": [0.74, 0.66, 0.84, 0.60, 0.79, 0.71, 0.86, 0.63],
    "rf+aug": [0.72, 0.63, 0.81, 0.59, 0.74, 0.70, 0.83, 0.60],
    "rf+pca+aug": [0.79, 0.70, 0.88, 0.66, 0.82, 0.77, 0.90, 0.69],
}
parts = podium.factors.effects(scores, "+", measure="accuracy")
plots.effects(parts)""",
        ),
        Example(
            "interaction",
            "Means at the levels of two factors: where lines are not parallel, what one factor "
            "does depends on the other. The bar is as long as the limits of such a difference.",
            """\
scores = {
    "dataset": ["a", "b", "c", "d", "e", "f", "g", "h"],
    "rf": [0.71, 0.64, 0.80, 0.58, 0.75, 0.69, 0.83, 0.61],
    "rf+pca": [0.74, 0.66, 0.84, 0.60, 0.79, 0.71, 0.86, 0.63],
    "rf+aug": [0.72, 0.63, 0.81, 0.59, 0.74, 0.70, 0.83, 0.60],
    "rf+pca+aug": [0.79, 0.70, 0.88, 0.66, 0.82, 0.77, 0.90, 0.69],
}
plots.interaction(podium.factors.effects(scores, "+", measure="accuracy"))""",
        ),
        Example(
            "front",
            "Means of several measures with limits in both directions; hollow ones are dominated: "
            "an arrow leads to the one that is better in every measure. `pareto` shows the front "
            "of the means alone, which drops true members in most studies of equals.",
            'plots.front(podium.fronts.front(results, "error,fit-time"))',
        ),
    ],
    "Where data sets come from": [
        Example(
            "flow",
            "How many data sets were there, eligible, drawn, failed and analysed, and why others "
            "left. Here none was drawn from a catalogue, and one is left out.",
            'plots.flow(podium.reading.exclude_datasets(survey, "monks3", "wrong labels"))',
        ),
    ],
    "Planning and checking": [
        Example(
            "power_curve",
            "The power of the paired t test by number of data sets; the ring is the plan "
            "(boulesteix2013).",
            "plots.power_curve(difference=0.05, sd=0.1, power=0.8)",
        ),
        Example(
            "sample_size_curve",
            "The number of data sets that shows a difference, for several powers.",
            "plots.sample_size_curve(difference=0.05, sd=0.1, power=0.8)",
        ),
        Example(
            "looks",
            "The evidence at every look of a study that may stop, against the boundaries: a pair "
            "whose line reaches them is decided ([stopping](stopping.md)).",
            """\
import numpy as np
import pandas as pd

queue = podium.queue([f"q{i}" for i in range(400)], ["new", "old", "small"])
right = np.random.default_rng(1).random((400, 3)) < [0.9, 0.88, 0.7]
answers = pd.DataFrame(right.astype(int), columns=["new", "old", "small"])
answers.insert(0, "item", queue["item"])
plots.looks(podium.compare(podium.sequential.read_queued(answers, queue, measure="accuracy")))""",
        ),
        Example(
            "fitted",
            "What the mixed model fits (eugster2008, Figures 13 to 15): its values beside the "
            "scores of `boxes`.",
            "plots.fitted(results)",
        ),
        Example(
            "residuals",
            "What the mixed model leaves. Boxes of unequal width are unequal variances, which "
            "`mixed-tukey` does not expect and `paired-t` allows for.",
            "plots.residuals(results)",
        ),
        Example(
            "qq",
            "A statistic against its null distribution, with a band; dietterich1998 shows the "
            "5x2cv statistic so. Here its tails are lighter than those of t(5): the test is "
            "conservative. For a procedure of your own.",
            """\
import numpy as np

halves = np.random.default_rng(0).normal(size=(300, 5, 2))  # differences of equal algorithms
deviation = np.sqrt(halves.var(axis=2, ddof=1).mean(axis=1))
plots.qq(halves[:, 0, 0] / deviation, "t:5")""",
        ),
        Example(
            "styles",
            "The colours and markers, for plots of your own; they are told apart with every common "
            "colour blindness.",
            """\
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(6.4, 1.6), layout="constrained")
for place, (name, style) in enumerate(plots.styles(results.algorithms).items()):
    ax.plot(place, 0, color=style.colour, marker=style.marker, markersize=12)
    ax.annotate(name, (place, 0), (0, -24), textcoords="offset points", ha="center")
ax.set_axis_off()
ax.margins(0.1, 0.8)""",
        ),
    ],
}
EXAMPLES = {one.name: one for section in SECTIONS.values() for one in section}


def draw(example: Example, target: Path) -> dict[str, Any]:
    """Write an example's picture, if it draws one; the names that its code has made."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    names: dict[str, Any] = {}
    with _beside_the_scores(), mpl.rc_context({**mpl.rcParamsDefault, **LOOK, "backend": "agg"}):
        exec(SETUP + example.code, names)
        if plt.get_fignums():
            plt.gcf().savefig(target, metadata={"Date": None, "Creator": None}, bbox_inches="tight")
            plt.close("all")
            _without_spaces(target)
    return names


@contextlib.contextmanager
def _beside_the_scores() -> Iterator[None]:
    """Work in a folder that has the scores; what examples write goes with it."""
    with tempfile.TemporaryDirectory() as folder:
        for name in (*STUDIES.values(), "studies.csv", "items.csv"):
            shutil.copy(FOLDER / name, folder)
        with contextlib.chdir(folder):
            yield


def _without_spaces(target: Path) -> None:
    lines = target.read_text(encoding="utf-8").splitlines()
    target.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")


def page() -> str:
    """The text of docs/gallery.md."""
    parts = [INTRODUCTION, f"```python\n{SETUP}```\n"]
    for title, examples in SECTIONS.items():
        parts += [f"## {title}\n", *map(_entry, examples)]
    return "\n".join(parts)


def _entry(example: Example) -> str:
    code = f"```python\n{example.code}\n```\n"
    return f"### {example.name}\n\n{example.text}\n\n{code}\n{_shown(example.name)}"


def _shown(name: str) -> str:
    """The picture, or the text where an example makes a text."""
    kept = FOLDER / f"{name}.tex"
    if kept.exists():
        return f"```latex\n{kept.read_text(encoding='utf-8')}```\n"
    return f"![{name}](gallery/{name}.svg)\n"


def run_studies() -> None:
    """Make the tables of scores."""
    import pandas as pd

    import podium

    with tempfile.TemporaryDirectory() as folder:
        for study, table in STUDIES.items():
            found = podium.run(FOLDER / study, Path(folder, f"{study}.db"), jobs=-1)
            parts = [found.values(name).assign(measure=name) for name in found.measures]
            kept = pd.concat(parts)[["dataset", "algorithm", "sample", "measure", "value"]]
            kept.to_csv(FOLDER / table, index=False, float_format=f"%.{DIGITS}g")


def main(names: list[str]) -> None:
    """Make the pictures and the page."""
    os.environ.setdefault("MPLBACKEND", "agg")
    if "--run" in names:
        run_studies()
    for name in [n for n in names if n != "--run"] or EXAMPLES:
        made = draw(EXAMPLES[name], FOLDER / f"{name}.svg")
        if "tikz" in made:
            (FOLDER / f"{name}.tex").write_text(made["tikz"].rstrip() + "\n", encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
