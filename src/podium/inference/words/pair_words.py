"""Words of the notes on pairs, on items and their clusters, and on origins of forecasts."""

from __future__ import annotations

from podium.words.facts import Note
from podium.words.phrases import joined, paired
from podium.words.voices import words

# -- pairs ----------------------------------------------------------------------------------------

REMARKS = {  # on estimates
    "apart": "They share fewer than two blocks, so that nothing is known of their difference",
    "identical": "Their scores are equal in every block, which tells nothing of other blocks",
    "few-common": "They share fewer than six blocks, too few for flips",
    "borderline": "The p-value is so near alpha that other random flips might decide otherwise",
    "bartlett": "The autocovariances of the differences give no positive variance of the mean, so "
    "they were weighted by Bartlett (which makes the variance positive, and the test less exact)",
    "none-discordant": "No item tells them apart, which is no proof that they are equal: n items "
    "show only that they differ by at most about 3/n",
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


@words("few-clusters")
def _few_clusters(n: Note) -> str:
    return (
        f"{n.clusters} clusters of items are few: only large differences show. Are they fixed "
        "categories? Then add --columns stratum=COLUMN"
    )


@words("rarely-apart")
def _rarely_apart(n: Note) -> str:
    return (
        f"Fewer than {n.least} clusters differ between {paired(n.pairs)}: intervals are too narrow "
        "there, so claim no equivalence."
    )


@words("few-origins")
def _few_origins(n: Note) -> str:
    return (
        f"{n.origins} origins are few for forecasts {n.steps} windows ahead, so the test is "
        "liberal "
        "(10 instead of 5 % with 20 origins three rows ahead, 19 % for five algorithms); take "
        "p-values near alpha for larger ones, or draw more origins."
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
