"""Notes in two to four words, for the first screen of a page and of a terminal."""

from __future__ import annotations

from podium.words.facts import Note

CHIPS = {  # codes of notes in two to four words; others are told by their code
    "adjustment": "other error controlled",
    "apparent-error": "training error only",
    "autocorrelated": "neighbours are alike",
    "autocorrelation": "runs depend on order",
    "averaged": "replicates averaged",
    "cannot-reject": "too few to reject",
    "check-scores": "check these scores",
    "clusters": "clusters count, not items",
    "conditional-on-sample": "one data set",
    "conditional-on-split": "this split only",
    "conditional-on-test-set": "this test set only",
    "correlation": "correlation assumed",
    "data-sets-that-are-none": "data sets are seeds?",
    "dependent-folds": "folds share rows",
    "direction": "direction assumed",
    "disconnected": "not all compared",
    "drift": "scores drift",
    "estimate": "about the estimate",
    "failures": "some runs failed",
    "few-blocks": "few scores",
    "few-clusters": "few clusters",
    "few-data-sets": "few data sets",
    "no-interval": "too few for intervals",
    "fitted-generator": "simulated from a fit",
    "forced": "not valid here",
    "gaps": "runs missing",
    "halves": "checked on halves",
    "incomplete-blocks": "incomplete data sets dropped",
    "incomplete-items": "items are missing",
    "depends-on-others": "depends on who takes part",
    "informative-gaps": "not missing at random",
    "versions-of-data": "versions of one data set?",
    "copied-blocks": "copied rows?",
    "ranks-as-scores": "ranks, not scores?",
    "repeated-folds": "repeats add little",
    "items-that-are-none": "items are folds?",
    "confounded": "unlike training sizes",
    "too-few-data-sets": "too few data sets",
    "withheld": "runs missing",
    "liberal": "false positives likelier",
    "low-power": "low power",
    "many-chances": "not adjusted",
    "medians-disagree": "medians disagree",
    "missing-runs": "runs are missing",
    "models-of-folds": "models of folds",
    "no-variation": "a pair never varies",
    "one-machine": "one machine",
    "one-series": "one series only",
    "optimistic": "scores look optimistic",
    "overlap": "shared training rows",
    "positive-class": "positive class assumed",
    "procedure-chosen": "test chosen by design",
    "pseudo-replication": "replicates are not independent",
    "raced": "race for the best",
    "ranks-disagree": "rank test disagrees",
    "rarely-apart": "rarely significant",
    "repeated-rows": "repeated rows",
    "scale": "on another scale",
    "seeds-averaged": "seeds averaged",
    "sphericity": "spreads differ",
    "stopped": "planned looks",
    "these-data-sets": "these data sets only",
    "ties": "many ties",
    "unadjusted": "not adjusted",
    "unequal-sizes": "unequal sizes",
    "uneven-samples": "uneven run counts",
    "worst-case-values": "failures count as worst",
}


OF_ESTIMATES = {  # remarks on the estimates of pairs
    "apart": "no common scores",
    "identical": "scores never differ",
    "few-common": "few common scores",
    "borderline": "a p-value near alpha",
    "bartlett": "variance by Bartlett weights",
    "none-discordant": "no item differs",
}


def chip(note: Note) -> str:
    """A note in two to four words."""
    if note.code == "estimate" and note.remark in OF_ESTIMATES:
        return OF_ESTIMATES[note.remark]
    return CHIPS.get(note.code, note.code.replace("-", " "))
