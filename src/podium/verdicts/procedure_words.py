"""Procedures and their bricks in words for a paper; citations go with them."""

from __future__ import annotations

from podium.base.formatting import number, printable
from podium.inference.bricks.adjustments import STRONGLY
from podium.inference.comparing.compared_on import Method
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.procedures.procedure import Control
from podium.words.facts import Note
from podium.words.phrases import level, spelled, was_were
from podium.words.references import Citations
from podium.words.saying import say
from podium.words.statements import about, hypothesis
from podium.words.voices import PAPER, words_of

WEAKLY = (
    "the family-wise error rate in the weak sense only, that is, where all algorithms are equal"
)
NULLS = {  # how p-values were computed: {draws} of them, {paired} within blocks
    "asymptotic": "from the theoretical distribution of the statistics under the null hypothesis, "
    "which holds for nearly normal scores or many units",
    "normal": "from the normal distribution, which holds for many units",
    "corrected": "from the limiting distribution of the statistics with a continuity correction",
    "permutation": "from {draws} random permutations of the algorithms' labels{paired}, the "
    "observed labels counted as one more",
    "exact": "exactly, from all permutations of the algorithms' labels{paired}",
    "mid-p": "from all permutations of the algorithms' labels{paired}, as mid-p-values",
    "bootstrap": "from {draws} bootstrap samples of the blocks",
}
NULL_SOURCES = {"permutation": "Phipson, Smyth (2010)"}


def pairs_words(c: Comparisons) -> str:
    """Which algorithms were compared with each other, as the beginning of a sentence."""
    count, k = len(c.table), len(c.algorithms)
    were = was_were(count)
    if c.has_contrasts:
        return f"{spelled(count, 'contrast')} of the algorithms {were} tested"
    if k == 2:
        return "the two algorithms were compared"
    if control := c.control:
        others = spelled(k - 1, "other algorithm")
        return f"the {others} were compared with {printable(control)}, the control,"
    if count == k * (k - 1) // 2:
        return f"all {count} pairs of algorithms were compared"
    return f"{spelled(count, 'chosen pair')} of algorithms {were} compared"


def procedure_words(method: Method, cite: Citations) -> str:
    """The procedure as a noun phrase, with its sources."""
    procedure = method.procedure
    own = f"a procedure made for this study ({procedure.title})"
    words = own if procedure.reports.own else procedure.in_words
    return words + cite(*(cited.key for cited in procedure.references))


def posterior_words(c: Comparisons) -> str:
    """How a posterior was judged."""
    by = f" by more than {number(c.relevance)}" if c.relevance else ""
    return (
        f"an algorithm was called better{by} than another where the posterior probability of that "
        f"was at least {level(c.alpha)}; intervals are of {level(2 * c.alpha)} of the posterior of "
        f"each pair alone, with {level(1 - c.alpha)} on either side"
    )


def null_words(method: Method, paired: bool, cite: Citations) -> str:
    """How p-values were computed."""
    null = method.null
    within = " within units" if paired else ""
    known = NULLS.get(null.name, f"from the null distribution '{null}'")
    source = NULL_SOURCES.get(null.name)
    return known.format(draws=null.draws, paired=within) + (cite(source) if source else "")


def adjustment_words(c: Comparisons, method: Method, cite: Citations) -> str:
    """How p-values were adjusted for many pairs, and what that controls."""
    if not c.is_adjusted:
        if len(c.table) == 1:
            return "a single comparison needed no adjustment for multiple testing"
        return (
            "p-values were not adjusted for multiple testing, so that the family-wise error rate "
            "was not controlled"
        )
    made = method.adjust
    controls = "" if c.is_forced else _controls(method)
    return (
        f"p-values were adjusted for {spelled(len(c.table), 'comparison')} by {made.words}"
        f"{cite(made.source)}" + (f", which controls {controls}" if controls else "")
    )


def _controls(method: Method) -> str:
    """What is controlled: by the procedure where the adjustment is its own, else by that."""
    of_adjustment = method.adjust.controls
    kind = method.procedure.controls.kind
    if not method.is_own_adjustment or kind is Control.NOTHING:
        return of_adjustment
    if kind is Control.WEAK:
        return WEAKLY
    if kind is Control.ADJUSTMENT:
        return f"{of_adjustment} if the estimate suits the scores" if of_adjustment else ""
    return STRONGLY + ", approximately" * (kind is Control.APPROXIMATE)


def note_words(note: Note) -> str:
    """What was averaged, left out or filled in, for a paper; empty for other notes."""
    known = words_of(note)
    return printable(say(note, PAPER)) if known is not None and known.paper else ""


def hypothesis_words(c: Comparisons, method: Method) -> str:
    """The null hypothesis."""
    if c.has_contrasts:
        margin = f" but for at most {number(c.relevance)}" if c.relevance else ""
        return f"{'the contrast is' if len(c.table) == 1 else 'all contrasts are'} zero{margin}"
    assert c.claim.hypothesis is not None
    of_all = method.procedure.reports.of_all and not c.relevance
    return ("all algorithms have " if of_all else "") + hypothesis(c.claim.hypothesis)


def about_words(c: Comparisons) -> str:
    """What the conclusions are about, and what not."""
    start = "no conclusion may be drawn" if c.is_forced else "the conclusions are"
    return f"{start} about {about(c.claim)}"


def alternative_words(c: Comparisons) -> str:
    """The alternative in words: its direction and the least difference that matters."""
    margin, measure = c.relevance, printable(c.measure)
    if c.alternative == "two-sided":
        return f"a difference of more than {number(margin)}" if margin else "a difference"
    larger = "larger" if c.alternative == "greater" else "smaller"
    smaller = "smaller" if c.alternative == "greater" else "larger"
    first, second = _sides(c)
    if c.has_contrasts:
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
    if control := c.control:
        return "an algorithm", f"the control {printable(control)}"
    if len(c.table) == 1:
        return printable(c.table["first"].iloc[0]), printable(c.table["second"].iloc[0])
    return "the first algorithm of a pair", "the second"
