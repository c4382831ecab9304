"""What plots say below themselves, of scores, pairs and orders.

Every sentence is a note of its own: panels of many data sets say each of them once.
"""

from __future__ import annotations

from collections.abc import Sequence

from podium.base import formatting
from podium.base.formatting import LONGEST, number, short
from podium.words.facts import Note, say, words
from podium.words.phrases import capital, counted, is_are, was_were

MOST_NAMED = 10  # algorithms that one remark names
MOST_TOLD = 4  # pairs that borders of a survey plot do not tell of


def listed(names: Sequence[str], most: int = 5, longest: int = LONGEST) -> str:
    """Short names in a row; the number of those beyond the first few.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    return formatting.listed([short(name, longest) for name in names], most)


def pair_name(first: str, second: str) -> str:
    """`a - b`; the name alone where it is a contrast of several algorithms."""
    return f"{short(first, 22)} - {short(second, 22)}" if second else short(first, 44)


# -- sentences without facts ----------------------------------------------------------------------

ALWAYS = {
    "plot-bands": "Bands: mean ± one standard error.",
    "plot-bars-join": "Bars join algorithms of which no two are significantly different.",
    "plot-beside-means": "Diamonds: means. Dots: data sets, joined by lines.",
    "plot-dominated": "Hollow and pale: dominated.",
    "plot-dotted": "A bar is dotted where it passes over algorithms that are not of its set.",
    "plot-front": "Dashed: the Pareto front.",
    "plot-logarithmic": "Lengths do not add up on a logarithmic axis: fitting, predicting and the "
    "total are marked.",
    "plot-no-bar": "All pairs that were compared are significantly different: there is no bar.",
    "plot-no-critical": "No critical difference (CD) is known that decides every pair as this "
    "procedure does.",
    "plot-no-intervals": "This procedure has no simultaneous intervals: only the differences are "
    "shown.",
    "plot-place-map": "1: best on that data set. =: not shown to be worse than any there. The "
    "darker, the better the rank.",
    "plot-no-lines": "No algorithm is better than another: there are no lines.",
    "plot-no-names": "There are too many cells to name the algorithms in them.",
    "plot-one-score": "No standard error where there is one score.",
    "plot-same-box": "Algorithms in one box have the same ones above and below them.",
    "plot-some-sets": "Not all maximal sets are drawn, but every pair without a difference is.",
}
for _code, _text in ALWAYS.items():
    words(_code)(lambda _, text=_text: text)  # type: ignore[misc]


@words("plot-left-out", "shown", "of")
def _left_out(n: Note) -> str:
    return f"The leading {n.shown} of {n.of} are shown; {n.of - n.shown} are left out."


# -- scores that there are not --------------------------------------------------------------------


@words("plot-no-scores")
def _no_scores(note: Note) -> str:
    return f"No {note.noun}s: {listed(note.algorithms, MOST_NAMED)}."


@words("plot-missing")
def _missing(note: Note) -> str:
    done = {"shown": "not shown", "fitted": "not fitted", "counted": "counted nowhere"}[note.use]
    return f"{counted(note.count, note.noun)} {is_are(note.count)} missing and {done}."


@words("plot-silent")
def _silent(note: Note) -> str:
    block = note.block + "s" * (len(note.names) > 1)
    return f"Without any {note.noun}: {f'{block} ' * bool(note.block)}{listed(note.names)}."


@words("plot-incomplete")
def _incomplete(note: Note) -> str:
    block = capital(note.block)
    return f"{block}s left out as some algorithm lacks a score: {note.count} of {note.of}."


@words("plot-uneven")
def _uneven(note: Note) -> str:
    return (
        f"Of {counted(note.of, 'mean')} {note.count} {is_are(note.count)} over fewer samples than "
        "others on the same data set."
    )


@words("plot-refused")
def _refused(note: Note) -> str:
    return f"Not analysed: {listed(note.datasets)}."


@words("plot-one-of")
def _one_of(note: Note) -> str:
    return f"{note.title}: {say(note.note)}"


# -- the scores of one data set -------------------------------------------------------------------


@words("plot-intervals-alone")
def _intervals_alone(note: Note) -> str:
    return (
        f"Means with {100 * note.level:g} % intervals of each algorithm alone, as if its scores "
        "were independent."
    )


@words("plot-overlap")
def _overlap(note: Note) -> str:
    return f"Whether intervals overlap is no test: all algorithms share the {note.block}s."


@words("plot-behind")
def _behind(note: Note) -> str:
    return f"Bars are one standard deviation of an algorithm's {note.block}s to both sides."


@words("plot-single")
def _single(note: Note) -> str:
    return f"A single score has no interval: {listed(note.algorithms, MOST_NAMED)}."


@words("plot-tallest")
def _tallest(note: Note) -> str:
    return f"The tallest bar counts {note.count} of {note.of} {note.block}s."


@words("plot-outside")
def _outside(note: Note) -> str:
    return (
        f"{counted(note.count, 'score')} {'lies' if note.count == 1 else 'lie'} outside the bins."
    )


@words("plot-constant")
def _constant(note: Note) -> str:
    return f"Constant scores have no density: {listed(note.algorithms, MOST_NAMED)}."


@words("plot-unlined")
def _unlined(note: Note) -> str:
    return f"Lines that join samples are left out beyond {note.most} algorithms."


@words("plot-no-time")
def _no_time(note: Note) -> str:
    have = "has" if note.count == 1 else "have"
    return f"{counted(note.count, 'time')} of 0 seconds {have} no mark on it."


@words("plot-no-run")
def _no_run(note: Note) -> str:
    return f"Runs without a score, left out of the means: {note.count}."


@words("plot-no-bands")
def _no_bands(note: Note) -> str:
    return f"No bands of standard errors for more than {note.most} algorithms."


@words("plot-no-ratio")
def _no_ratio(note: Note) -> str:
    return f"Differences, not ratios, as {why_no_ratio(note.least)}."


def why_no_ratio(least: float | None) -> str:
    """Why scores have no ratio to the best: the least of them, or none where higher is better."""
    if least is None:
        return "higher is better"
    return f"there are scores of {least:.3g}, not above 0"


@words("plot-never-within")
def _never_within(note: Note) -> str:
    return f"Missing scores, which are never within τ: {note.count}."


@words("plot-errors")
def _errors(note: Note) -> str:
    if note.count == 1:
        return f"No standard errors: there is one {note.block}."
    return f"Bars: ± one standard error over {note.count} {note.block}s."


@words("plot-not-fitted")
def _not_fitted(note: Note) -> str:
    return f"Left out, as an algorithm has no score there: {listed(note.datasets)}."


@words("plot-first-panels")
def _first_panels(note: Note) -> str:
    return f"Only the first {note.count} of {note.of} data sets are drawn."


# -- many data sets -------------------------------------------------------------------------------


@words("plot-without-both")
def _without_both(note: Note) -> str:
    return f"Without both scores and not shown: {counted(note.count, 'data set')}."


@words("plot-against-best")
def _against_best(note: Note) -> str:
    return f"All against {short(note.algorithm)}, the best by mean."


@words("plot-nothing-common")
def _nothing_common(note: Note) -> str:
    some = "; ".join(f"{first} - {second}" for first, second in note.pairs[:3])
    return f"No data set has both scores of {some}{' ...' * (len(note.pairs) > 3)}."


@words("plot-partly-common")
def _partly_common(note: Note) -> str:
    lack = "lacks" if note.count == 1 else "lack"
    return f"{counted(note.count, 'pair')} {lack} scores on some of {note.of} data sets (see n)."


@words("plot-no-deviation")
def _no_deviation(note: Note) -> str:
    return f"No pair with two common data sets: {', '.join(map(short, note.studies))}."


@words("plot-borders")
def _borders(note: Note) -> str:
    texts = [
        f"{short(first)} and {short(second)} {'differ' if differ else 'do not differ'} on "
        f"{short(dataset)}"
        for dataset, first, second, differ in note.exceptions
    ]
    some = "; ".join(texts[:MOST_TOLD]) + " and so on" * (len(texts) > MOST_TOLD)
    where = counted(len({dataset for dataset, *_ in note.exceptions}), "data set")
    return (
        "Borders are about neighbouring ranks alone. "
        f"{counted(len(texts), 'other pair')} {is_are(len(texts))} not as borders suggest, on "
        f"{where}: {some}."
    )


@words("plot-circles")
def _circles(note: Note) -> str:
    return f"Some algorithms are better than each other in a circle on {listed(note.datasets)}."


@words("plot-no-border")
def _no_border(note: Note) -> str:
    return f"{counted(note.count, 'pair')} not compared: without a border, yet no tie."


@words("plot-no-mean-bar")
def _no_mean_bar(note: Note) -> str:
    return f"{counted(note.count, 'mean')} missing: no bar."


@words("plot-beyond-limits")
def _beyond_limits(note: Note) -> str:
    return f"{counted(note.count, 'mean')} beyond the limits of the bars."


@words("plot-same-leaf")
def _same_leaf(note: Note) -> str:
    return f"{counted(note.count, 'leaf', 'leaves')} of several data sets that have the same order."


@words("plot-edges")
def _edges(note: Note) -> str:
    far = number(note.distance)
    return f"Edges: the first {note.levels} of {note.of} levels of distance, up to {far}."


@words("plot-same-order")
def _same_order(note: Note) -> str:
    return f"{counted(note.count, 'node')} of several data sets that have the same order."


# -- plans and statistics -------------------------------------------------------------------------


@words("plot-ring")
def _ring(note: Note) -> str:
    return f"Ring: {note.plan.sentence}"


@words("plot-some-steps")
def _some_steps(note: Note) -> str:
    return f"Of the many numbers some {note.most} per curve are shown."


@words("plot-envelope")
def _envelope(note: Note) -> str:
    return f"Band: {note.level:.4g} for each value by itself."


words("plot-missing-values")(lambda note: f"Missing values, left out: {note.count}.")
words("plot-infinite")(lambda note: f"Infinite values, not drawn: {note.count}.")


# -- order words ----------------------------------------------------------------------------------
# What plots of pairs and orders say below themselves.


PAIR = 60  # letters of a pair of names in a remark


@words("plot-best-only")
def _best_only(note: Note) -> str:
    best = short(note.algorithm)
    return f"Of {note.pairs} pairs only those with the best algorithm, {best}, are shown."


@words("plot-no-difference")
def _no_difference(note: Note) -> str:
    names = [pair_name(first, second) for first, second in note.pairs]
    return f"No difference is known: {listed(names, longest=48)}."


@words("plot-no-mean")
def _no_mean(note: Note) -> str:
    return f"No mean is known: {listed(note.algorithms)}."


@words("plot-unjoined")
def _unjoined(note: Note) -> str:
    pairs = counted(note.count, "pair")
    return f"{pairs} {was_were(note.count)} not compared and no bar joins them."


@words("plot-one-position")
def _one_position(note: Note) -> str:
    return f"At one position, but significantly different: {_pairs(note, ' ≻ ')}."


def _pairs(note: Note, sign: str) -> str:
    texts = [f"{short(first)}{sign}{short(second)}" for first, second in note.pairs]
    return listed(texts, longest=PAIR)


@words("plot-cells")
def _cells(note: Note) -> str:
    texts = [f"{note.counts_of} that the row wins/ties/loses"] if note.counts_of else []
    texts += ["adjusted p-value (bold and framed where significant)"] if note.p_values else []
    return f"In a cell: {'; below '.join(texts)}."


@words("plot-no-numbers")
def _no_numbers(note: Note) -> str:
    look = "framed where significant" if note.framed else "pale where inconclusive"
    shades = f"shades only, {look}." if note.decided else "shades only."
    return f"{note.algorithms} algorithms leave no room for numbers: {shades}"


@words("plot-counts")
def _counts(note: Note) -> str:
    return f"Counts are of {note.count} {note.block}s."


@words("plot-white")
def _white(note: Note) -> str:
    return f"{counted(note.count, 'pair')} {was_were(note.count)} not compared (white)."


@words("plot-many-lines")
def _many_lines(note: Note) -> str:
    return (
        f"{note.lines} lines are too many to follow, and run behind the boxes; rows that are close "
        "to each other are one layer. The matrix of all pairs has every comparison."
    )


@words("plot-not-transitive")
def _not_transitive(note: Note) -> str:
    return f"The order is not transitive: paths run along, yet {_pairs(note, ' ≈ ')}."


@words("plot-left-open")
def _left_open(note: Note) -> str:
    return f"The text leaves {counted(note.count, 'pair')} open (≿)."


@words("plot-not-compared")
def _not_compared(note: Note) -> str:
    return f"Not compared: {_pairs(note, ' and ')}."


@words("plot-places")
def _places(note: Note) -> str:
    return (
        f"Shades: how often a rank occurs; lines: {100 * note.level:g} % rank intervals; marks: "
        "observed ranks."
    )


@words("plot-unranked")
def _unranked(note: Note) -> str:
    lack = "lacks" if note.count == 1 else "lack"
    return f"{counted(note.count, 'resample')} {lack} the scores of an algorithm."
