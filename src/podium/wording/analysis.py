"""Procedures and their bricks in words for a paper; citations go with them."""

from __future__ import annotations

import re
from typing import NamedTuple

from podium.comparisons import Comparisons
from podium.facts import Note
from podium.formatting import number, printable
from podium.inference.procedures import PROCEDURES
from podium.wording.notes import say
from podium.wording.phrases import spelled, was_were
from podium.wording.references import Citations, keys

REML = "fitted by restricted maximum likelihood"
BY = {  # completes "were compared by"
    "friedman": "the Friedman test and comparisons of rank sums",
    "nemenyi": "the Wilcoxon-Nemenyi-McDonald-Thompson test of rank sums",
    "nemenyi-control": "the Nemenyi-Wilcoxon-Wilcox-Miller test of rank sums",
    "iman-davenport": "the Iman-Davenport test and comparisons of rank sums",
    "quade": "the Quade test and comparisons of weighted rank sums",
    "aligned-ranks": "the aligned rank test of Hodges and Lehmann",
    "normal-scores": "the normal scores test of van der Waerden",
    "permutation": "a permutation test of mean scores",
    "permutation-max": "a permutation test of the largest difference of mean scores",
    "wilcoxon": "the Wilcoxon signed rank test of each pair, blocks without a difference left out",
    "pratt": "the Wilcoxon signed rank test of each pair with Pratt's treatment of zeros",
    "sign": "the sign test of each pair",
    "sign-flip": "a sign-flip permutation test of each pair's mean difference",
    "paired-t": "paired t tests",
    "max-modulus": "paired differences judged by the studentized maximum modulus",
    "mixed-tukey": f"a linear mixed model with random block effects, {REML}, and Tukey contrasts",
    "mixed-dunnett": f"a linear mixed model with random block effects, {REML}, and Dunnett "
    "contrasts",
    "aligned-tukey": "Tukey contrasts of scores aligned by their block means",
    "corrected-t": "the corrected resampled t test, whose variance allows for the overlap of "
    "training samples",
    "5x2cv-t": "the 5x2cv paired t test",
    "5x2cv-f": "the combined 5x2cv F test",
    "kfold-t": "the paired t test over cross-validation folds",
    "resampled-t": "the resampled paired t test",
    "mcnemar": "McNemar's test of each pair",
    "cochran": "Cochran's Q test and comparisons of the numbers of correct items",
    "pooled-proportions": "intervals for differences of proportions with a pooled variance",
    "proportions": "the test for the difference of two proportions",
    "paired-scale": "paired t tests of the absolute deviations from each algorithm's median, that "
    "is, tests of scale",
    "median-bootstrap": "bootstrap intervals for differences of medians",
    "quantile-bootstrap": "bootstrap intervals for differences of the 90 % quantiles of losses",
    "kruskal-wallis": "the Kruskal-Wallis test",
    "one-way-permutation": "a permutation test of the largest difference of means of independent "
    "samples",
    "steel-dwass": "the Wilcoxon rank sum test of each pair, judged by the studentized range "
    "(Steel-Dwass)",
    "games-howell": "Welch's t of each pair, judged by the studentized range (Games-Howell)",
    "anova-tukey": "a one-way analysis of variance with Tukey-Kramer comparisons",
    "delve-quasi-f": "the quasi-F test of each pair, with training sets and test items as random "
    "effects",
    "crossed-t": "t tests of each pair, with training sets and test items as random effects",
    "diebold-mariano": "the Diebold-Mariano test of each pair, corrected for few origins",
    "survey-fixed": f"a linear mixed model with fixed data sets and random samples within them, "
    f"{REML}",
    "survey-random": f"a linear mixed model with random data sets and a random interaction of "
    f"algorithms and data sets, {REML}",
    "skillings-mack": "the Skillings-Mack test for incomplete blocks",
}


class Adjusted(NamedTuple):
    """An adjustment for many pairs in words, its source, and what it controls by itself."""

    words: str
    source: str
    controls: str  # empty: that depends on the procedure


STRONGLY = "the family-wise error rate in the strong sense"
WEAKLY = (
    "the family-wise error rate in the weak sense only, that is, where all algorithms are equal"
)
POSITIVE = f"{STRONGLY} where the statistics are positively dependent"
ADJUSTED = {
    "bonferroni": Adjusted("the Bonferroni inequality", "Dunn (1961)", STRONGLY),
    "sidak": Adjusted("Šidák's inequality", "Šidák (1967)", STRONGLY),
    "holm": Adjusted("Holm's step-down method", "Holm (1979)", STRONGLY),
    "hochberg": Adjusted("Hochberg's step-up method", "Hochberg (1988)", POSITIVE),
    "hommel": Adjusted("Hommel's method", "Hommel (1988)", POSITIVE),
    "bh": Adjusted(
        "the method of Benjamini and Hochberg",
        "Benjamini, Hochberg (1995)",
        "the false discovery rate, not the family-wise error rate",
    ),
    "single-step": Adjusted(
        "the joint distribution of all statistics (single step)",
        "Hothorn, Bretz, Westfall (2008)",
        "",
    ),
    "step-down": Adjusted(
        "the joint distribution of all statistics (step-down)", "Westfall, Young (1993)", ""
    ),
    "max-modulus": Adjusted(
        "the studentized maximum modulus", "Hochberg, Tamhane (1987)", STRONGLY
    ),
    "studentized-range": Adjusted("the studentized range", "Tukey (1953)", STRONGLY),
    "shaffer": Adjusted("Shaffer's method", "Shaffer (1986)", STRONGLY),
    "bergmann-hommel": Adjusted(
        "the method of Bergmann and Hommel", "Bergmann, Hommel (1988)", STRONGLY
    ),
    "closed": Adjusted("closed testing", "Marcus, Peritz, Gabriel (1976)", STRONGLY),
}


def control_of(comparisons: Comparisons) -> str | None:
    """The algorithm that all others were compared with, where only that was done."""
    second, k = set(comparisons.table["second"]), len(comparisons.algorithms)
    one_by_one = len(comparisons.table) == k - 1 and k > 2 and len(second) == 1
    return str(second.pop()) if one_by_one else None


def pairs_words(c: Comparisons) -> str:
    """Which algorithms were compared with each other, as the beginning of a sentence."""
    count, k = len(c.table), len(c.algorithms)
    were = was_were(count)
    if has_contrasts(c):
        return f"{spelled(count, 'contrast')} of the algorithms {were} tested"
    if k == 2:
        return "the two algorithms were compared"
    if control := control_of(c):
        others = spelled(k - 1, "other algorithm")
        return f"the {others} were compared with {printable(control)}, the control,"
    if count == k * (k - 1) // 2:
        return f"all {count} pairs of algorithms were compared"
    return f"{spelled(count, 'chosen pair')} of algorithms {were} compared"


def has_contrasts(c: Comparisons) -> bool:
    """Whether rows are contrasts of the user's own, not pairs."""
    return bool((c.table["second"] == "").any())


def procedure_words(c: Comparisons, cite: Citations) -> str:
    """The procedure as a noun phrase, with its sources."""
    own = c.procedure in PROCEDURES and c.title.startswith(PROCEDURES[c.procedure].title)
    title = c.title.rpartition(" (null")[0]
    words = BY.get(c.procedure, title) if own else f"a procedure made for this study ({title})"
    return words + cite(*keys(str(c.details["reference"])))


def null_words(c: Comparisons, cite: Citations) -> str:
    """How p-values were computed."""
    name, _, draws = str(c.details["null"]).partition(":")
    paired = "" if c.blocks["kind"].startswith("independent") else " within blocks"
    one = cite("Phipson, Smyth (2010)") if name == "permutation" else ""
    return {
        "asymptotic": "from the theoretical distribution of the statistics under the null "
        "hypothesis, which holds for nearly normal scores or many blocks",
        "normal": "from the normal distribution, which holds for many blocks",
        "corrected": "from the limiting distribution of the statistics with a continuity "
        "correction",
        "permutation": f"from {draws} random permutations of the algorithms' labels{paired}, the "
        f"observed labels counted as one more{one}",
        "exact": f"exactly, from all permutations of the algorithms' labels{paired}",
        "mid-p": f"from all permutations of the algorithms' labels{paired}, as mid-p-values",
        "bootstrap": f"from {draws} bootstrap samples of the blocks",
    }[name]


def adjustment_words(c: Comparisons, cite: Citations) -> str:
    """How p-values were adjusted for many pairs, and what that controls."""
    name = str(c.details["adjustment"])
    if name == "none":
        if len(c.table) == 1:
            return "a single comparison needed no adjustment for multiple testing"
        return (
            "p-values were not adjusted for multiple testing, so that the family-wise error rate "
            "was not controlled"
        )
    made = ADJUSTED[name]
    controls = _controls(c, made)
    return (
        f"p-values were adjusted for {spelled(len(c.table), 'comparison')} by {made.words}"
        f"{cite(made.source)}" + (f", which controls {controls}" if controls else "")
    )


def _controls(c: Comparisons, made: Adjusted) -> str:
    """What is controlled; nothing where the design does not allow the procedure."""
    if c.is_forced:
        return ""
    said = str(c.details["controls"])
    if said.startswith("family-wise error strongly"):
        return STRONGLY + ", approximately" * ("approximately" in said or "many origins" in said)
    if said.startswith("family-wise error weakly"):
        return WEAKLY
    if said.startswith("what the adjustment controls") and made.controls:
        return f"{made.controls} if the estimate suits the scores"
    return made.controls


KEPT = ("worst-case-values", "gaps", "clusters")  # notes that are sentences of a paper already


def note_words(note: Note) -> str:
    """What was averaged, left out or filled in, for a paper; empty for other notes."""
    counts = re.findall(r"\d+", say(note))
    was = was_were(int(counts[0]) if counts else 0)
    if note.code == "averaged":
        return say(note).partition(";")[0]
    if note.code == "incomplete-blocks":
        return f"{counts[0]} of {counts[1]} blocks lacked a score and {was} left out"
    if note.code == "incomplete-samples":
        return f"{spelled(int(counts[0]), 'sample')} with a missing score {was} left out"
    if note.code == "empty-blocks":
        return f"{counts[0]} of {counts[1]} blocks had no score at all"
    return printable(say(note)) if note.code in KEPT else ""


def hypothesis_words(c: Comparisons) -> str:
    """The null hypothesis."""
    if has_contrasts(c):
        margin = f" but for at most {number(c.relevance)}" if c.relevance else ""
        return f"{'the contrast is' if len(c.table) == 1 else 'all contrasts are'} zero{margin}"
    said = c.statement.partition("Hypothesis: ")[2].partition(". This is a statement")[0]
    return f"all algorithms have {said}" if said.startswith("equal ") else said


def about_words(c: Comparisons) -> str:
    """What the conclusions are about, and what not."""
    start = "no conclusion may be drawn" if c.is_forced else "the conclusions are"
    return f"{start} about" + c.statement.partition("This is a statement about")[2]


def alternative_words(c: Comparisons) -> str:
    """The alternative in words: its direction and the least difference that matters."""
    margin, measure = c.relevance, printable(c.measure)
    if c.alternative == "two-sided":
        return f"a difference of more than {number(margin)}" if margin else "a difference"
    larger = "larger" if c.alternative == "greater" else "smaller"
    smaller = "smaller" if c.alternative == "greater" else "larger"
    first, second = _sides(c)
    if has_contrasts(c):
        limit = margin if c.alternative == "greater" else -margin
        return f"that the contrast of the {measure} is {larger} than {number(limit + 0.0)}"
    if margin < 0:
        return (
            f"that the {measure} of {first} is {smaller} than that of {second} by less than "
            f"{number(-margin)}, or not {smaller} at all"
        )
    by = f" by more than {number(margin)}" if margin else ""
    return f"that the {measure} of {first} is {larger} than that of {second}{by}"


def _sides(c: Comparisons) -> tuple[str, str]:
    """What stands first and second of every pair, in words."""
    if control := control_of(c):
        return "an algorithm", f"the control {printable(control)}"
    if len(c.table) == 1:
        return printable(c.table["first"].iloc[0]), printable(c.table["second"].iloc[0])
    return "the first algorithm of a pair", "the second"
