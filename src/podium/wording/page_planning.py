"""What it would take to settle open pairs, in sentences of a page."""

from __future__ import annotations

from podium.inference.comparisons import Comparisons
from podium.studies.plan import USUAL
from podium.wording.phrases import counted, is_are

NO_PAIRS = "There are no pairs to plan for."
NONE_OPEN = "No pair is open."
NOT_MADE_AGAIN = "What was compared cannot be made again here, so nothing is planned."
FOUND_NOW = "Least difference that the design finds with 80 % power"
NEVER = (
    "More resamples of this one learning sample never say more about the population: they make any "
    "difference significant and nothing about new samples more certain. What helps is new data: "
    "more rows, a fresh sample, or other data sets."
)
SHARED = (
    "More folds or resamples of this one learning sample are not more data: what they have in "
    "common never averages out. What helps is new data: more rows, a fresh sample, or other data "
    "sets."
)
CAVEAT = (
    "These numbers are estimates: they take the observed difference and its spread for the true "
    "ones, and both are uncertain. Where the true difference is smaller, more is needed; where "
    "there is none, no number suffices. Fix the number before the next look at the scores."
)


def open_pairs(count: int) -> str:
    """How many pairs there are to plan for."""
    return f"{counted(count, 'pair')} {is_are(count)} open."


def not_planned(error: Exception) -> str:
    """Why there is no plan."""
    return f"Nothing is planned: {error}"


def more_is_no_help(c: Comparisons) -> str:
    """Of blocks of which more would not tell more about the population."""
    return NEVER if c.target == "sample" else SHARED


def found_now(c: Comparisons) -> str:
    """What the design can find as it is."""
    return (
        f"As it is, the design finds with {100 * USUAL:g} % power, about its own target "
        f"({c.target}), the differences in the table; smaller ones mostly stay open."
    )


def needed(noun: str, margin: float | None) -> tuple[str, str]:
    """What the table of needed blocks has, and how far it can be trusted."""
    return (
        f"For each of them the table has the number of {noun} that {100 * USUAL:g} % power would "
        "take (needed), and the least difference that the study finds with this power as it is "
        "(found now); sd is the standard deviation of the differences, with its interval.",
        _of_margin(margin) if margin else CAVEAT,
    )


def _of_margin(margin: float) -> str:
    return (
        f"The numbers are for telling a difference of {margin:g}, which was said to be relevant, "
        "from none; the spread of the differences is estimated and uncertain. Fix the number "
        "before the next look at the scores."
    )


def difference_sought(margin: float | None) -> str:
    """The difference that a curve of power is about."""
    return f"a difference of {margin:g}" if margin else "the least difference that is found now"
