"""What a page says of the design, the scores and what was found, and what its script says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from podium.core.base.formatting import latex, number, printable
from podium.core.inference.bricks.scales import ranks_within
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.order import Order
from podium.core.questions.measures import Measure
from podium.core.questions.targets import BLOCKS, ITEM
from podium.core.results.dataset_facts import exclusions
from podium.core.results.results import Results
from podium.core.verdicts.standing import compared, is_sure, margin_text, superlative
from podium.core.verdicts.verdict import SOFT
from podium.core.words.phrases import capital, counted, is_are, joined
from podium.reading.sample_facts import HARD, SIZE, TARGET

# -- cells of scores ----------------------------------------------------------------------------
# Means and standard deviations of every data set and algorithm, and which cells are special.


@dataclass(frozen=True, eq=False)
class ScoreCells:
    """Means and standard deviations, data sets x algorithms.

    `alike` are those not significantly different from the best of a data set in `judged`.
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    means: np.ndarray
    sds: np.ndarray
    measure: Measure
    alike: np.ndarray
    judged: Mapping[str, Comparisons]
    uneven: bool  # whether algorithms have different numbers of samples on a data set

    @property
    def good(self) -> np.ndarray:
        """The means, larger is better."""
        return self.measure.sign * self.means

    @property
    def whole(self) -> np.ndarray:
        """Which data sets have a score of every algorithm."""
        return np.asarray(np.isfinite(self.means).all(axis=1))

    @property
    def is_ranked(self) -> bool:
        """Whether ranks over several data sets make sense."""
        return len(self.datasets) > 1 and bool(self.whole.any())

    @property
    def ranks(self) -> np.ndarray:
        """Ranks on the data sets that have all scores, 1 is the best."""
        return ranks_within(self.good[self.whole])

    def wins(self, control: str | None) -> list[tuple[int, int, int]]:
        """Wins, ties and losses per algorithm: against the control, or for the first place."""
        ranks = self.ranks
        if control is None:
            first = ranks.min(axis=1, keepdims=True)
            alone = (ranks == first).sum(axis=1, keepdims=True) == 1
            wins, ties = (ranks == first) & alone, (ranks == first) & ~alone
        else:
            reference = ranks[:, [self.algorithms.index(control)]]
            wins, ties = ranks < reference, ranks == reference
        counts = [which.sum(axis=0).tolist() for which in (wins, ties, ~wins & ~ties)]
        return list(zip(*counts, strict=True))


def score_cells(
    results: Results, measure: Measure, names: Sequence[str], each: Mapping[str, Comparisons]
) -> ScoreCells:
    """The cells of these algorithms; `each` has the comparisons of single data sets."""
    table = results.values(measure.name)
    grouped = table.groupby(["dataset", "algorithm"], observed=True)["value"]
    result = grouped.agg(["mean", "std", "count"]).unstack("algorithm")

    def of(column: str) -> np.ndarray:
        wide = result[column].reindex(index=results.datasets, columns=list(names))
        return wide.to_numpy(float)

    datasets, means, counts = tuple(results.datasets), of("mean"), of("count")
    alike, judged = _alike(datasets, names, measure.sign * means, each)
    most = np.nanmax(counts, axis=1, initial=0, keepdims=True)
    uneven = bool(((counts > 0) & (counts < most)).any())
    return ScoreCells(datasets, tuple(names), means, of("std"), measure, alike, judged, uneven)


def _alike(
    datasets: Sequence[str],
    names: Sequence[str],
    good: np.ndarray,
    each: Mapping[str, Comparisons],
) -> tuple[np.ndarray, dict[str, Comparisons]]:
    """Which cells are not significantly different from the best, and where that is known."""
    alike = np.zeros((len(datasets), len(names)), dtype=bool)
    judged = {}
    for i, dataset in enumerate(datasets):
        if dataset not in each or not np.isfinite(good[i]).any():
            continue
        result = _undecided(each[dataset], names[int(np.nanargmax(good[i]))])
        if result is not None:
            alike[i] = [name in result for name in names]
            judged[dataset] = each[dataset]
    return alike, judged


def _undecided(c: Comparisons, best: str) -> set[str] | None:
    """The algorithms not shown to differ from the best; None where not all were compared."""
    pairs = c.table[(c.table["first"] == best) | (c.table["second"] == best)]
    others = np.where(pairs["first"] == best, pairs["second"], pairs["first"])
    if set(others) != set(c.algorithms) - {best} or c.is_forced or c.alternative != "two-sided":
        return None
    decided = pairs["verdict"].isin(["better", "worse"]).to_numpy(bool)
    return set(others[~decided])


# -- what sets chosen samples apart, in labels of numbers -----------------------------------------


def sample_fact(kind: str, name: str) -> str:
    """What a number of a sample is."""
    words = {
        SIZE: "Rows in the test part",
        HARD: "Share of hard rows in the test part",
        TARGET: "Mean of the target in the test part",
    }
    return words.get(kind) or f"Share of class {printable(name)} in the test part"


def dataset_fact(name: str) -> str:
    """What a characteristic of a data set is."""
    return capital(printable(name).replace("_", " "))


def item_fact(row: int, loss: float, *, missed: bool) -> str:
    """Which item, and how hard it is."""
    how = f"missed in {loss:.0%} of its tests" if missed else f"mean error {number(loss)}"
    return f"row {row} ({how})"


# -- what was run, with what, and what went wrong -------------------------------------------------

MOST_NAMES = 20


def designed(results: Results) -> list[str]:
    """Algorithms, data sets and measures, the sampling, the runs, and what was left out."""
    return [
        _compared(results),
        _sampling(results),
        *([] if _is_partial(results) else [_runs(results)]),
        *([f"Area of application: {results.population}."] if results.population else []),
        *(
            f"The data set {name} was left out after the fact: {why}."
            for name, why in exclusions(results).items()
        ),
    ]


def _compared(results: Results) -> str:
    algorithms, datasets = results.algorithms, results.datasets
    where = f" ({joined(datasets, MOST_NAMES)})" if len(datasets) > 1 else f" ({datasets[0]})"
    return (
        f"{counted(len(algorithms), 'algorithm')} ({joined(algorithms, MOST_NAMES)}) on "
        f"{counted(len(datasets), 'data set')}{where}, judged by {joined(list(results.measures))}."
    )


def _sampling(results: Results) -> str:
    """How the samples were drawn, and whether they are the same for all algorithms."""
    sampling = results.sampling
    if sampling is None:
        single = len(results.runs) == len(results.algorithms) * len(results.datasets)
        known = "Every algorithm has one score per data set; how" if single else "How"
        return f"{known} the samples were drawn is unknown."
    if len(results.algorithms) < 2:
        return f"Sampling: {sampling}."
    if _is_partial(results):
        counts = counted(results.runs["sample"].nunique(), replicate(results))
        return f"Sampling: {sampling}; {counts}, each between some of the algorithms."
    own = "every algorithm has its own" if sampling.independent else "all algorithms see the same"
    return f"Sampling: {sampling}; {own} {replicate(results)}s."


def _is_partial(results: Results) -> bool:
    """Whether a row has scores of some algorithms only, as a choice has."""
    return results.sampling is not None and BLOCKS[results.sampling.replicate].partial


def _runs(results: Results) -> str:
    counts = results.runs["status"].value_counts()
    done, failed, missing = (int(counts.get(s, 0)) for s in ("done", "failed", "missing"))
    total = counted(len(results.runs), "run")
    if not failed and not missing:
        if results.sampling is not None and results.sampling.replicate == ITEM:
            return _answered(results)
        return f"All {total} are done." if len(results.runs) > 1 else "The one run is done."
    return (
        f"Of {total}, {done} {is_are(done)} done, {failed or 'none'} failed and "
        f"{missing or 'none'} {is_are(missing or 1)} "
        f"{'missing' if results.stopping is None else 'not needed'}."
    )


def _answered(results: Results) -> str:
    """Items are no runs: every algorithm answered them once, or once under each condition."""
    each = "Every algorithm" if len(results.algorithms) > 1 else "The algorithm"
    if tried := [
        facts for facts in results.facts.values() if "training_sets" in facts and "items" in facts
    ]:
        scores = counted(sum(len(facts["items"]) for facts in tried), "score")
        items = counted(sum(len(set(facts["items"])) for facts in tried), "item")
        conditions = max(len(set(facts["training_sets"])) for facts in tried)
        return f"{each} has {scores}: of {items} under {counted(conditions, 'condition')}."
    count = results.runs.groupby(["dataset", "sample"], observed=True).ngroups
    return f"{each} has a score of {'each of ' * (count > 1)}{counted(count, 'item')}."


def failed(results: Results) -> str:
    """How many runs failed; empty where algorithms only warned."""
    if len(results.failures):
        return f"{capital(counted(len(results.failures), 'run'))} failed."
    return "" if len(results.warnings) else "No run failed and no algorithm warned."


# -- the first section of a page and its methods --------------------------------------------------


# -- the caption of the table of scores that papers print, in latex -------------------------------

DAGGER = r"^{\dagger}"


def score_caption(
    results: Results, cells: ScoreCells, order: Order | None, control: str | None
) -> str:
    """What the cells are, what is bold, what the dagger means, and the order."""
    parts = [
        _values(results, cells),
        "The best of each data set, as printed, is bold",
        *["Some means are over fewer samples than others of their data set"] * cells.uneven,
        *_marks(cells),
        *_ranked(cells, control),
    ]
    if order is not None:
        # \succsim would need amssymb
        text = latex(order.text).replace(r"\succsim", r"\stackrel{\succ}{\sim}")
        parts.append(f"Order, the best first: {text}")
    return " ".join(f"{part}." for part in parts)


def _values(results: Results, cells: ScoreCells) -> str:
    several, measure = bool(np.isfinite(cells.sds).any()), cells.measure
    what = r"Mean $\pm$ standard deviation" if several else "Values"
    drawn = (
        f" over samples ({latex(str(results.sampling))})" if several and results.sampling else ""
    )
    return f"{what} of {latex(measure.name)} ({measure.direction} is better){drawn}"


def _marks(cells: ScoreCells) -> Iterator[str]:
    """What the dagger means and where it is not known."""
    if not cells.judged:
        return
    some = cells.judged.values()
    procedures = ", ".join(dict.fromkeys(c.procedure for c in some))
    levels = ", ".join(dict.fromkeys(number(c.alpha) for c in some))
    rest = [latex(name) for name in cells.datasets if name not in cells.judged]
    unknown_for = f"; not known for {', '.join(rest)}" if rest else ""
    yield (
        f"${DAGGER}$ not significantly different from it ({latex(procedures)}, level {levels}, "
        f"each data set by itself{unknown_for})"
    )


def _ranked(cells: ScoreCells, control: str | None) -> Iterator[str]:
    if not cells.is_ranked:
        return
    over = "all" if cells.whole.all() else f"the {int(cells.whole.sum())} complete"
    wins = "best alone, best shared, not best" if control is None else f"against {latex(control)}"
    yield (
        f"Ranks (1 is the best) and wins/ties/losses ({wins}) are of unrounded means on {over} "
        "data sets"
    )


# -- comparisons in phrases that terminal, page and paper share -----------------------------------


def replicate(results: Results) -> str:
    """What one sample of these results is called: sample, fold, item ..."""
    drawn = results.sampling
    return "sample" if drawn is None else BLOCKS[drawn.replicate].unit


# -- what the page's table and script say ---------------------------------------------------------
# Templates that Python and the script fill in.


VERDICTS = {  # of a row, filled in here and by the script
    "best": "best",
    "could": "could be best",
    "alike": "inconclusive",
    "worse": "worse than {name}",
    "worse_many": "worse than {count}",
    "better": "better",
    "reference": "reference",
    "out": "ruled out",
    "equivalent": "equivalent",
    "none": "not compared",
}
DETAILS = {
    "beats": "Significantly better than",
    "worse": "Significantly worse than",
    "alike": "Inconclusive against",
    "blocks": "Best on",
}
BELOW = "significantly worse than at least one of the above"
BELOW_RACE = "ruled out during the race; not ranked"


def bar_key(margin: str) -> tuple[str, str]:
    """What bars mean, and where they decide."""
    if margin:
        return "Bar", f"beyond {margin}: a difference of more than {margin}."
    return "Bar", "across the line: not significantly different."


WORDS = {  # all that the script writes, besides what views and sections bring
    "compare": "Compare with",
    "best": "the best",
    "family": "Family",
    "all": "all",
    "search": "Search (press /)",
    "hint": "Intervals hold for all comparisons together; hiding rows never narrows them.",
    "copy": "Copy ▾",
    "copied": "Copied",
    "show_all": "Show all {count}",
    "show_fewer": "Show the first {count}",
    "rope": "Practically the same within ±",
    "or": "or",
    "limits": "({low} to {high})",
    "compared": "{first} compared with {second}",
    "better_on": "better on {wins}, tied on {ties}, worse on {losses}",
    "rank_on": "{name}: {value}, rank {rank} of {count}",
    "no_value": "{name}: no score",
    "selected": "{count} of {all} selected; drag in any picture, click to clear.",
    "brush": "Drag in any picture to select; the others show the same ones.",
    "none_left": "No row matches.",
    "p": "p",
    "significant": "significantly better; ≈ inconclusive, which does not mean equal.",
    "details": DETAILS,
    "verdicts": VERDICTS,
}


def claim_templates(c: Comparisons) -> dict[str, str]:
    """Sentences with names and numbers to fill in, where rows are hidden or compared anew."""
    kind = superlative(c)
    best = kind.best if is_sure(c) or len(c.algorithms) == 2 else SOFT
    verb = f"differ by more than {margin_text(c)}" if c.relevance > 0 else "are significant"
    return {
        "who": f"{capital(compared(c))}s ▾",
        "one": f"{{names}} {best}.",
        "several": f"{{names}} {best}; the data cannot tell which.",
        "many": "{count} of {all} could be best, with {names} ahead.",
        "none": f"No significant difference in {kind.difference}.",
        "beat": "{count} of {all} beat {name}",
        "worse": "{count} significantly worse than {name}",
        "alike": "{count} not significantly different from {name}",
        "lead": "{first} beats {second} by {difference}.",
        "counts": f"{{count}} of {{all}} comparisons {verb}; {{rest}} inconclusive.",
    }
