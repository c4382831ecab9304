"""Words of the notes on layouts and tests."""

from __future__ import annotations

from collections.abc import Sequence

from podium.base.formatting import printable
from podium.words.facts import Note
from podium.words.phrases import counted, is_are, joined, spelled, was_were
from podium.words.phrases import paired as _pairs
from podium.words.voices import words

Counts = Sequence[tuple[str, int]]  # algorithms with a number each


def _counts(counts: Counts, most: int = 5) -> str:
    listed = [f"{name}: {count}" for name, count in counts]
    return ", ".join(listed[:most]) + (", ..." if len(listed) > most else "")


# -- blocks -------------------------------------------------------------------------------------


def _incomplete_in_paper(n: Note) -> str:
    return f"{n.blocks} of {n.of} blocks lacked a score and {was_were(n.blocks)} left out"


@words("incomplete-blocks", paper=_incomplete_in_paper)
def _incomplete(n: Note) -> str:
    if "datasets" in n.facts:
        return incomplete_datasets(n)
    return (
        f"{n.blocks} of {n.of} rows {'lacks' if n.blocks == 1 else 'lack'} a score "
        f"({_counts(n.lacking)}) and {was_were(n.blocks)} left out. To use the others' scores "
        "there: -p ranks or -p hull, or count what is missing as worst: --gaps worst"
    )


def incomplete_datasets(n: Note) -> str:
    """Data sets that a scale cannot use."""
    lack = "lacks" if n.blocks == 1 else "lack"
    head, names = f"{n.blocks} of {n.of} data sets {lack} a score", ", ".join(n.datasets)
    out = f"and {was_were(n.blocks)} left out"
    if n.baseline:
        return f"{head} of '{n.baseline}' ({names}) {out}."
    return (
        f"{head} ({names}) {out}: the scale '{n.scale}' needs the scores "
        "of all algorithms; --gaps worst would count what is missing as the worst."
    )


def _empty_in_paper(n: Note) -> str:
    return f"{n.blocks} of {n.of} blocks had no score at all"


@words("empty-blocks", paper=_empty_in_paper)
def _empty(n: Note) -> str:
    have = "has" if n.blocks == 1 else "have"
    return f"{n.blocks} of {n.of} blocks {have} no score at all."


@words("worst-case-values", in_paper=True)
def _worst(n: Note) -> str:
    of = "its" if n.scores == 1 else "their"
    to = f"of {of} block" if n.shared else f"value, {n.value:g}"
    lost = counted(n.scores, "missing score")
    return f"{lost} ({_counts(n.lacking)}) {was_were(n.scores)} set to the worst {to}."


def _averaged_in_paper(n: Note) -> str:
    """What was done, without what it loses."""
    if "folds" in n.facts:
        return f"The {n.folds} folds of each of {n.repetitions} repetitions were averaged."
    if "clusters" in n.facts:
        return f"{n.items} items were averaged within {n.clusters} clusters."
    return f"Up to {n.most} samples were averaged within each data set" + "." * (n.most == n.least)


@words("averaged", paper=_averaged_in_paper, in_methods=True)
def _averaged(n: Note) -> str:
    if "most" in n.facts and n.most != n.least:
        return (
            f"{_averaged_in_paper(n)}; those with {n.least} count as much as those with {n.most}, "
            "which loses some power: survey-random weighs them."
        )
    return _averaged_in_paper(n)


def _samples_in_paper(n: Note) -> str:
    missing = spelled(n.samples, "sample")
    return f"{missing} with a missing score {was_were(n.samples)} left out"


@words("incomplete-samples", paper=_samples_in_paper)
def _incomplete_samples(n: Note) -> str:
    lack = "lacks" if n.samples == 1 else "lack"
    return f"{counted(n.samples, 'sample')} {lack} a score and {was_were(n.samples)} left out."


@words("uneven-samples", "samples", "datasets", "of")
def _uneven(n: Note) -> str:
    return (
        f"{counted(n.samples, 'sample')} of {n.datasets} of {counted(n.of, 'data set')} "
        f"{is_are(n.samples)} not shared by all algorithms: each is averaged over those it has."
    )


# -- designs ------------------------------------------------------------------------------------


@words("apparent-error")
def _apparent(n: Note) -> str:
    return (
        "Every sample's .632 estimate contains the apparent error on rows that were learned from: "
        "the samples are not quite independent, and algorithms that overfit gain from it."
    )


@words("one-series")
def _one_series(n: Note) -> str:
    return (
        "Conditional on this very series: blocks of it keep what is near in time together and say "
        "nothing about other series of the process."
    )


@words("fitted-generator")
def _fitted_generator(n: Note) -> str:
    return (
        "Samples come from a generator that was fitted to the training set: what is found holds "
        "as far as the data look like what it generates."
    )


@words("optimistic")
def _optimistic(n: Note) -> str:
    return (
        "Rows that were learned from were tested on, too (with bayesian-bootstrap unless the data "
        "set has a test sample of its own): scores are better than they will be, and more so for "
        "algorithms that overfit; bootstrap (out-of-bag rows) avoids it."
    )


@words("conditional-on-sample", in_methods=True)
def _on_sample(n: Note) -> str:
    if "fitted generator" in n.given:
        return (
            "Conditional on the generator that was fitted to this training set: more samples of "
            "it make any difference significant."
        )
    return (
        "Conditional on these training data: more resamples would make any difference "
        "significant. For new data from the same source add --target population."
    )


@words("conditional-on-test-set", in_methods=True)
def _on_test_set(n: Note) -> str:
    return (
        "Conditional on this test set: nothing is said about other items; item by item, "
        "delve-quasi-f does."
    )


@words("these-data-sets", in_methods=True)
def _these(n: Note) -> str:
    given = (
        ""
        if n.folds
        else ", given their training sets: more samples make any difference significant"
    )
    return f"About just these data sets{given}; nothing is said about other data sets."


@words("forced", in_methods=True)
def _forced(n: Note) -> str:
    return f"NOT LEGAL for this design and computed by force: {n.because}."


@words("dependent-folds")
def _dependent(n: Note) -> str:
    return (
        f"The {n.folds} folds share training rows, so their scores are dependent: corrections for "
        "this are approximate, and more folds are not more data."
    )


@words("pseudo-replication")
def _pseudo(n: Note) -> str:
    of = f" of {n.rows} rows" if n.rows is not None else ""
    return (
        f"There is one training set{of}, however often it is drawn from: {n.replicates} "
        "replicates of it are no independent evidence about the population."
    )


@words("ties")
def _ties(n: Note) -> str:
    return (
        f"{100 * n.share:.0f} % of the comparisons are ties, so ranks and signs see little. A "
        "finer score would help."
    )


# -- procedures ---------------------------------------------------------------------------------


@words("procedure-chosen", in_methods=True)
def _chosen(n: Note) -> str:
    return f"{n.procedure}, the default here: {n.because}."


@words("no-interval")
def _no_interval(n: Note) -> str:
    noun = "data sets" if n.noun.startswith("samples within") else n.noun
    if len(n.pairs) == n.of:
        of = "" if n.of == 1 else " of any difference"
        return f"{n.blocks} {noun} are too few for an interval{of}."
    names = joined([f"{printable(a)} - {printable(b)}" for a, b in n.pairs], most=4)
    return f"{n.blocks} {noun} are too few for an interval of {names}."


@words("few-data-sets")
def _few_sets(n: Note) -> str:
    return f"{n.datasets} data sets are few: only large differences show."


@words("sphericity")
def _sphericity(n: Note) -> str:
    return (
        f"The differences do not vary alike (epsilon {n.epsilon:.2f}, 1 is equal), which "
        f"'{n.procedure}' assumes: where one of five algorithms varies five times as much as the "
        "others, it rejects 11 to 13 % instead of 5 %; hull, where it can be had, does not."
    )


@words("gaps", in_paper=True, in_methods=True)
def _gaps(n: Note) -> str:
    by = (
        "comparisons are those of a model that allows for it"
        if n.modelled
        else "each comparison uses those that both algorithms have"
    )
    return (
        f"{n.missing} of {n.of} scores {is_are(n.missing)} missing ({_counts(n.lacking)}): each "
        f"mean uses all that an algorithm has, {by}."
    )


@words("disconnected")
def _disconnected(n: Note) -> str:
    return (
        "Some algorithms share no block, not even through others: their differences rest on "
        "comparisons between blocks."
    )


@words("check-scores", in_methods=True)  # for those who write, not for those who read
def _check_scores(n: Note) -> str:
    return (
        f"Look at the ten scores of each algorithm before trusting this test: they range from "
        f"{n.low:.3g} to {n.high:.3g}, and wild variation spoils it (dietterich1998)."
    )


@words("unequal-sizes")
def _unequal_sizes(n: Note) -> str:
    return (
        f"The algorithms differ in their numbers of samples ({_counts(n.samples)}); where scores "
        "are missing because runs failed, those that failed look better than they are."
    )


@words("no-variation")
def _no_variation(n: Note) -> str:
    if n.unpaired:
        return (
            f"The scores of {_pairs(n.pairs)} do not vary: there is nothing to judge their "
            "difference by with this procedure; steel-dwass can."
        )
    return (
        f"The difference between {_pairs(n.pairs)} is the same in every block: there is nothing to "
        "judge it by with this procedure; sign and wilcoxon can, where they are valid."
    )


@words("direction")
def _direction(n: Note) -> str:
    return (
        f"The test and the means disagree on which is better of {_pairs(n.pairs)}; the verdict is "
        "the test's."
    )


@words("ryan")
def _ryan(n: Note) -> str:
    return f"More than {n.most} algorithms: subsets at Ryan's levels instead of partitions."


@words("shaffer")
def _shaffer(n: Note) -> str:
    return f"More than {n.most} algorithms: Shaffer's p-values instead of Bergmann and Hommel's."


@words("shaffer-static")
def _shaffer_static(n: Note) -> str:
    return f"More than {n.most} algorithms: Shaffer's static factors (S1) instead of S2."


@words("adjustment")
def _adjustment(n: Note) -> str:
    return f"{n.controls}."


@words("few-blocks")
def _few_blocks(n: Note) -> str:
    return (
        f"With so few scores ({n.blocks}) a joint t of estimated covariances is somewhat liberal; "
        "Šidák and Holm are safe."
    )


@words("unadjusted")
def _unadjusted(n: Note) -> str:
    return f"{n.pairs} pairs and no adjustment."


# -- scales -------------------------------------------------------------------------------------

SHIFTED = (
    "Within a data set the differences of two algorithms, and so tests of them, are those of the "
    "raw scores; the means of algorithms are not"
)


@words("scale")
def _scale(n: Note) -> str:
    are, claim = _on_scale(n)
    return (
        f"Scores are {are}: the claim is about {claim}. Estimates, intervals and a relevance are "
        "on this scale."
    )


def _on_scale(n: Note) -> tuple[str, str]:
    """What the scores are, and what the claim is about."""
    if n.scale not in SCALES:
        return f"on the scale '{n.scale}'", "equal expected values on it"
    are, claim = SCALES[n.scale]
    facts = {"baseline": n.baseline, "count": n.algorithms, "shifted": SHIFTED}
    return are.format(**facts), claim.format(**facts) + _left_of_spread(n) * (n.scale == SPREAD)


def _left_of_spread(n: Note) -> str:
    signs = "; of two algorithms only who is better is left" * (n.algorithms == 2)
    alike = f"; data sets on which all algorithms score the same, and get 0: {n.alike}"
    return signs + alike * (n.alike > 0)


SPREAD = "normalised"
SCALES = {
    "ranks": (
        "ranks within each data set (1 is the best, ties have the mean of their ranks)",
        "equal expected ranks among these {count} algorithms, whatever the size of differences; "
        "ranks change when an algorithm joins or leaves",
    ),
    "best": (
        "distances to the best algorithm of each data set",
        "equal expected distances to the best. {shifted}",
    ),
    "baseline": (
        "distances to '{baseline}' on each data set",
        "equal expected distances to '{baseline}'. {shifted}",
    ),
    "ratio": (
        "natural logarithms of the ratio to '{baseline}' on each data set",
        "equal expected log ratios, that is equal geometric means of ratios; which algorithm is "
        "the baseline does not change the differences of two others",
    ),
    SPREAD: (
        "distances from the mean of all algorithms of the data set, in their standard deviations",
        "equal expected places in the spread of these {count} algorithms, in which a data set "
        "counts alike however far apart its scores are",
    ),
}
