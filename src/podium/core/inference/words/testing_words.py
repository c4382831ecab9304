"""Words of the notes on layouts and tests: blocks, pairs, items and their clusters."""

from __future__ import annotations

from collections.abc import Sequence

from podium.core.base.formatting import printable
from podium.core.words.facts import Note, sentences, words
from podium.core.words.phrases import counted, is_are, joined, paired, spelled, was_were
from podium.core.words.phrases import paired as _pairs

Counts = Sequence[tuple[str, int]]  # algorithms with a number each


def _counts(counts: Counts, most: int = 5) -> str:
    listed = [f"{name}: {count}" for name, count in counts]
    return ", ".join(listed[:most]) + (", ..." if len(listed) > most else "")


# -- blocks -------------------------------------------------------------------------------------


def _incomplete_in_paper(n: Note) -> str:
    return f"{n.blocks} of {n.of} rows lacked a score and {was_were(n.blocks)} left out"


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
    return f"{n.blocks} of {n.of} rows had no score at all"


@words("empty-blocks", paper=_empty_in_paper)
def _empty(n: Note) -> str:
    have = "has" if n.blocks == 1 else "have"
    return f"{n.blocks} of {n.of} rows {have} no score at all."


@words("worst-case-values", in_paper=True)
def _worst(n: Note) -> str:
    whose = "its" if n.scores == 1 else "their"
    to = f"of {whose} row" if n.shared else f"value, {n.value:g}"
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


SENTENCES = {
    # blocks
    "uneven-samples": "{samples:counted sample} of {datasets} of {of:counted data set} "
    "{samples:is|are} not shared by all algorithms: each is averaged over those it has.",
    # designs
    "apparent-error": "Every sample's .632 estimate contains the apparent error on rows that "
    "were learned from: the samples are not quite independent, and algorithms that overfit gain "
    "from it.",
    "one-series": "Conditional on this very series: the result does not hold for other series of "
    "the process.",
    "fitted-generator": "Samples come from a generator that was fitted to the training set: what "
    "is found holds as far as the data look like what it generates.",
    "optimistic": "Rows that were learned from were tested on, too (with bayesian-bootstrap "
    "unless the data set has a test sample of its own): scores are better than they will be, and "
    "more so for algorithms that overfit; bootstrap (out-of-bag rows) avoids it.",
    # procedures
    "sphericity": "The differences do not vary alike (epsilon {epsilon:.2f}, 1 is equal), which "
    "'{procedure}' assumes: where one of five algorithms varies five times as much as the "
    "others, it rejects 11 to 13 % instead of 5 %; hull, where it can be had, does not.",
    "disconnected": "Some algorithms share no row, not even through others: their differences "
    "rest on comparisons between rows.",
    "direction": "The test and the means disagree on which is better of {pairs:paired}; the "
    "verdict is the test's.",
    "ryan": "More than {most} algorithms: subsets at Ryan's levels instead of partitions.",
    "shaffer": "More than {most} algorithms: Shaffer's p-values instead of Bergmann and Hommel's.",
    "shaffer-static": "More than {most} algorithms: Shaffer's static factors (S1) instead of S2.",
    "adjustment": "{controls}.",
    # block words
    "informative-gaps": "{share:percent .0f} of the scores are missing, and not at random: the "
    "gaps lie on data that are harder or easier than the rest. Run what is missing, or count it "
    "as worst: --gaps worst",
    "too-few-data-sets": "{datasets:counted data set} cannot show anything about other data "
    "sets: add some, at least 4, better 10 or more.",
    # items and origins
    "few-clusters": "{clusters} clusters of items are few: only large differences show. Are they "
    "fixed categories? Then add --columns stratum=COLUMN",
    "rarely-apart": "Fewer than {least} clusters differ between {pairs:paired}: intervals are "
    "too narrow there, so claim no equivalence.",
    "few-origins": "{origins} origins are few for forecasts {steps} windows ahead, so the test "
    "is liberal (10 instead of 5 % with 20 origins three rows ahead, 19 % for five algorithms); "
    "take p-values near alpha for larger ones, or draw more origins.",
}
sentences(SENTENCES)

IN_METHODS = {
    # designs
    "conditional-on-test-set": "Conditional on this test set: the result does not hold for other "
    "items; item by item, delve-quasi-f does.",
    "forced": "NOT VALID for this design and computed by force: {because}.",
    # procedures
    "procedure-chosen": "{procedure}, the default here: {because}.",
    "check-scores": "Look at the ten scores of each algorithm before trusting this test: they "
    "range from {low:.3g} to {high:.3g}, and wild variation spoils it (dietterich1998).",
}
sentences(IN_METHODS, in_methods=True)


# -- designs ------------------------------------------------------------------------------------


@words("conditional-on-sample", in_methods=True)
def _on_sample(n: Note) -> str:
    if "fitted generator" in n.given:
        return (
            "Conditional on the generator that was fitted to this training set: more samples of "
            "it make any difference significant."
        )
    both = "and this test set, which may favour an algorithm by chance"
    data = f"these training data {both}" if "test set" in n.given else "these training data"
    return (
        f"Conditional on {data}: more resamples would make any difference significant. For new "
        f"data from the same source {n.way}."
    )


@words("these-data-sets", in_methods=True)
def _these(n: Note) -> str:
    given = (
        ""
        if n.folds
        else ", given their training sets: more samples make any difference significant"
    )
    return f"About just these data sets{given}, not for others."


# -- procedures ---------------------------------------------------------------------------------


@words("no-interval")
def _no_interval(n: Note) -> str:
    noun = "data sets" if n.noun.startswith("samples within") else n.noun
    if len(n.pairs) == n.of:
        where = "" if n.of == 1 else " of any difference"
        return f"{n.blocks} {noun} are too few for an interval{where}."
    names = joined([f"{printable(a)} - {printable(b)}" for a, b in n.pairs], most=4)
    return f"{n.blocks} {noun} are too few for an interval of {names}."


@words("few-data-sets")
def _few_sets(n: Note) -> str:
    return f"{n.datasets} data sets are few: only large differences show."


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
        f"The difference between {_pairs(n.pairs)} is the same in every row: this test cannot "
        "judge it; sign and wilcoxon can, where they are valid."
    )


@words("few-blocks")
def _few_blocks(n: Note) -> str:
    return (
        f"With so few scores ({n.blocks}) a joint t of estimated covariances is somewhat liberal; "
        "Šidák and Holm are safe."
    )


@words("unadjusted")
def _unadjusted(n: Note) -> str:
    return (
        f"{n.pairs} pairs and no adjustment: if none differed and pairs were independent, one or "
        f"more would be significant with probability {1 - (1 - n.alpha) ** n.pairs:.2f}."
    )


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
        "equal expected positions in the spread of these {count} algorithms, in which a data set "
        "counts alike however far apart its scores are",
    ),
}


# -- block words ----------------------------------------------------------------------------------
# Words of the notes on blocks that are compared pair by pair: gaps, scales, ranks beside means.


Pairs = Sequence[tuple[str, str]]


def _block_pairs(pairs: Pairs) -> str:
    """How many, and the first of them by their names."""
    text = ", ".join(f"{printable(a)} and {printable(b)}" for a, b in pairs[:3])
    return f"{counted(len(pairs), 'comparison')} ({text}{', ...' * (len(pairs) > 3)})"


@words("ranks-disagree")
def _disagree(n: Note) -> str:
    parts = []
    if n.opposite:
        parts.append(f"finds the opposite for {_block_pairs(n.opposite)}")
    if n.by_means:
        parts.append(f"finds nothing for {_block_pairs(n.by_means)}, where the test of means does")
    if n.by_ranks:
        parts.append(f"finds more for {_block_pairs(n.by_ranks)}, where the test of means does not")
    return f"A rank test {'; '.join(parts)}."


@words("withheld")
def _withheld(n: Note) -> str:
    names = joined([f"{printable(a)} over {printable(b)}" for a, b in n.pairs], most=4)
    return (
        f"No verdict for {names}: the one ahead lacks more than 5 % of the other's runs. Run what "
        "is missing, or count it as worst: --gaps worst"
    )


@words("depends-on-others")
def _depends(n: Note) -> str:
    texts = [f"{printable(a)} over {printable(b)} (without {printable(c)})" for a, b, c in n.falls]
    more = f", and {len(texts) - 4} more" if len(texts) > 4 else ""
    return f"Ranks depend on who takes part: {'; '.join(texts[:4])}{more} would not be significant."


@words("one-data-set")
def _one(n: Note) -> str:
    text = f"{printable(n.dataset)} alone carries {100 * n.share:.0f} % of what varies"
    if len(n.metrics) > 1:
        return f"{text}, and data sets were measured by {joined(n.metrics)}: means say little."
    if n.unlike:
        return (
            f"{text}, and algorithms differ {n.spread:.3g} times as much on some data sets as on "
            "others: a mean is that of a few of them; -p ranks compares ranks."
        )
    return f"{text}: look at what is left without it (--exclude)."


@words("cannot-reject")
def _cannot(n: Note) -> str:
    if n.pairs < n.of:
        return (
            f"{n.pairs} of the {n.of} tests cannot reject at {n.alpha:g}, whatever the sizes of "
            "the differences: too few rows of the pair differ; hull or ranks can."
        )
    return (
        f"With {n.blocks} rows the smallest possible adjusted p-value is {n.least:.3g}: this "
        f"test cannot reject at {n.alpha:g}, whatever the scores are; hull or ranks can."
    )


# -- pair words -----------------------------------------------------------------------------------
# Words of the notes on pairs, on items and their clusters, and on origins of forecasts.


# -- pairs ----------------------------------------------------------------------------------------

REMARKS = {  # on estimates
    "apart": "They share fewer than two rows, so their difference is unknown",
    "identical": "Their scores are equal in every row, which shows nothing about other rows",
    "few-common": "They share fewer than six rows, too few for flips",
    "borderline": "The p-value is so near alpha that other random flips might decide otherwise",
    "bartlett": "The autocovariances of the differences give no positive variance of the mean, so "
    "they were weighted by Bartlett (which makes the variance positive, and the test less exact)",
    "none-discordant": "No item separates them, which does not show that they are equal: n items "
    "show that they differ by at most about 3/n",
}


@words("estimate")
def _estimate(n: Note) -> str:
    return f"{REMARKS.get(n.remark, n.remark)}: {paired(n.pairs)}."


@words("few-discordant", "pairs", "least")
def _few_discordant(n: Note) -> str:
    texts = [f"{a} and {b} {won + lost} ({won}:{lost})" for a, b, won, lost in n.pairs]
    return f"Few discordant items, so that exact tests are more careful: {joined(texts, most=3)}."


# -- items and origins ----------------------------------------------------------------------------


@words("clusters", in_paper=True, in_methods=True)
def _clusters(n: Note) -> str:
    return (
        f"Items of one cluster are alike, so the {n.clusters} clusters count, not the items "
        f"(bias-reduced variance CR2, Satterthwaite's df {n.df:.3g})."
    )


@words("clusters-unequal")
def _clusters_unequal(n: Note) -> str:
    return (
        f"The {n.clusters} clusters are of very unequal size (the largest has "
        f"{100 * n.share:.0f} % of the items) and worth only {n.df + 1:.1f} equal ones: intervals "
        "are wide, and where a few large ones hold most items the test is still liberal (9 instead "
        "of 5 % with 3 of 60 and 20 of 4); more items in small clusters help most."
    )


@words("autocorrelated")
def _autocorrelated(n: Note) -> str:
    r = f"{n.largest:.2f}"
    if n.allowed:
        return (
            f"Successive differences of {paired(n.pairs)} are strongly correlated ({r}): the "
            "test allows for it, but is somewhat liberal still (7 to 8 instead of 5 % at 0.7, 15 "
            "to 21 % at 0.9)."
        )
    return (
        f"Differences of {paired(n.pairs)} are correlated over {n.lag} window"
        f"{'s' * (n.lag > 1)} ({r}), which this test takes for none: it rejects too often; "
        "diebold-mariano-fixed allows for it."
    )
