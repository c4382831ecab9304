"""What plots say below themselves, of scores, pairs and orders.

Every sentence is a note of its own: panels of many data sets say each of them once.
"""

from __future__ import annotations

from collections.abc import Sequence

from podium.core.base import formatting
from podium.core.base.formatting import LONGEST, short
from podium.core.words.facts import Note, say, sentences, words
from podium.core.words.phrases import counted, is_are

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


# -- sentences ----------------------------------------------------------------------------------

SENTENCES = {
    # without facts
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
    # scores that there are not
    "plot-no-scores": "No {noun}s: {algorithms:listed 10}.",
    "plot-incomplete": "{block:capital}s left out as some algorithm lacks a score: {count} of "
    "{of}.",
    "plot-uneven": "Of {of:counted mean} {count} {count:is|are} over fewer samples than others "
    "on the same data set.",
    "plot-refused": "Not analysed: {datasets:listed}.",
    # the scores of one data set
    "plot-intervals-alone": "Means with {level:percent} intervals of each algorithm alone, as if "
    "its scores were independent.",
    "plot-overlap": "Whether intervals overlap is no test: all algorithms share the {block}s.",
    "plot-behind": "Bars are one standard deviation of an algorithm's {block}s to both sides.",
    "plot-single": "A single score has no interval: {algorithms:listed 10}.",
    "plot-tallest": "The tallest bar counts {count} of {of} {block}s.",
    "plot-outside": "{count:counted score} {count:lies|lie} outside the bins.",
    "plot-constant": "Constant scores have no density: {algorithms:listed 10}.",
    "plot-unlined": "Lines that join samples are left out beyond {most} algorithms.",
    "plot-no-time": "{count:counted time} of 0 seconds {count:has|have} no mark on it.",
    "plot-no-run": "Runs without a score, left out of the means: {count}.",
    "plot-no-bands": "No bands of standard errors for more than {most} algorithms.",
    "plot-never-within": "Missing scores, which are never within τ: {count}.",
    "plot-not-fitted": "Left out, as an algorithm has no score there: {datasets:listed}.",
    "plot-first-panels": "Only the first {count} of {of} data sets are drawn.",
    # many data sets
    "plot-without-both": "Without both scores and not shown: {count:counted data set}.",
    "plot-against-best": "All against {algorithm:short}, the best by mean.",
    "plot-partly-common": "{count:counted pair} {count:lacks|lack} scores on some of {of} data "
    "sets (see n).",
    "plot-circles": "Some algorithms are better than each other in a circle on {datasets:listed}.",
    "plot-no-border": "{count:counted pair} not compared: without a border, yet no tie.",
    "plot-no-mean-bar": "{count:counted mean} missing: no bar.",
    "plot-beyond-limits": "{count:counted mean} beyond the limits of the bars.",
    "plot-same-leaf": "{count:counted leaf/leaves} of several data sets that have the same order.",
    "plot-edges": "Edges: the first {levels} of {of} levels of distance, up to {distance:number}.",
    "plot-same-order": "{count:counted node} of several data sets that have the same order.",
    # plans and statistics
    "plot-missing-values": "Missing values, left out: {count}.",
    "plot-infinite": "Infinite values, not drawn: {count}.",
    "plot-ring": "Ring: {plan.sentence}",
    "plot-some-steps": "Of the many numbers some {most} per curve are shown.",
    "plot-envelope": "Band: {level:.4g} for each value by itself.",
    # order words
    "plot-best-only": "Of {pairs} pairs only those with the best algorithm, {algorithm:short}, "
    "are shown.",
    "plot-no-mean": "No mean is known: {algorithms:listed}.",
    "plot-unjoined": "{count:counted pair} {count:was|were} not compared and no bar joins them.",
    "plot-counts": "Counts are of {count} {block}s.",
    "plot-white": "{count:counted pair} {count:was|were} not compared (white).",
    "plot-many-lines": "{lines} lines are too many to follow, and run behind the boxes; rows "
    "that are close to each other are one layer. The matrix of all pairs has every comparison.",
    "plot-left-open": "The text leaves {count:counted pair} open (≿).",
    "plot-places": "Shades: how often a rank occurs; lines: {level:percent} rank intervals; "
    "marks: observed ranks.",
    "plot-unranked": "{count:counted resample} {count:lacks|lack} the scores of an algorithm.",
}
sentences(SENTENCES, listed=listed)


@words("plot-left-out", "shown", "of")
def _left_out(n: Note) -> str:
    return f"The leading {n.shown} of {n.of} are shown; {n.of - n.shown} are left out."


@words("plot-missing")
def _missing(note: Note) -> str:
    done = {"shown": "not shown", "fitted": "not fitted", "counted": "counted nowhere"}[note.use]
    return f"{counted(note.count, note.noun)} {is_are(note.count)} missing and {done}."


@words("plot-silent")
def _silent(note: Note) -> str:
    block = note.block + "s" * (len(note.names) > 1)
    return f"Without any {note.noun}: {f'{block} ' * bool(note.block)}{listed(note.names)}."


@words("plot-one-of")
def _one_of(note: Note) -> str:
    return f"{note.title}: {say(note.note)}"


# -- the scores of one data set -------------------------------------------------------------------


@words("plot-no-ratio")
def _no_ratio(note: Note) -> str:
    return f"Differences, not ratios, as {why_no_ratio(note.least)}."


def why_no_ratio(least: float | None) -> str:
    """Why scores have no ratio to the best: the least of them, or none where higher is better."""
    if least is None:
        return "higher is better"
    return f"there are scores of {least:.3g}, not above 0"


@words("plot-errors")
def _errors(note: Note) -> str:
    if note.count == 1:
        return f"No standard errors: there is one {note.block}."
    return f"Bars: ± one standard error over {note.count} {note.block}s."


# -- many data sets -------------------------------------------------------------------------------


@words("plot-nothing-common")
def _nothing_common(note: Note) -> str:
    some = "; ".join(f"{first} - {second}" for first, second in note.pairs[:3])
    return f"No data set has both scores of {some}{' ...' * (len(note.pairs) > 3)}."


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


# -- order words ----------------------------------------------------------------------------------
# What plots of pairs and orders say below themselves.


PAIR = 60  # letters of a pair of names in a remark


@words("plot-no-difference")
def _no_difference(note: Note) -> str:
    names = [pair_name(first, second) for first, second in note.pairs]
    return f"No difference is known: {listed(names, longest=48)}."


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


@words("plot-not-transitive")
def _not_transitive(note: Note) -> str:
    return f"The order is not transitive: paths run along, yet {_pairs(note, ' ≈ ')}."


@words("plot-not-compared")
def _not_compared(note: Note) -> str:
    return f"Not compared: {_pairs(note, ' and ')}."
