"""What is said of several studies taken together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from podium.core.base.formatting import aligned, number
from podium.core.questions.targets import STUDY_POPULATION
from podium.core.words.facts import Note, sentences, words
from podium.core.words.phrases import counted, joined, level, p_text, paired, quoted

SAME_OVER_STUDIES = "two algorithms have the same mean over studies like these"
LEAVE_OUT = "Leave one of the two out, or"  # of studies that share data sets
PAIRS_INSTEAD = f"{LEAVE_OUT} take pairs one by one (without --network)."
OTHER_DATA = f"{LEAVE_OUT} add studies of other data sets."
TELL_DATA = (
    f"{LEAVE_OUT} give every estimate with its data set (one row for each, column dataset): their "
    "luck is then separated."
)
MOST = 8  # pairs that are told in words
METHOD_WORDS = {
    "reml": "REML",
    "ml": "maximum likelihood",
    "dl": "DerSimonian-Laird",
    "eb": "empirical Bayes",
}


def meta_heading(
    measure: str,
    higher_is_better: bool | None,
    studies: int,
    method: str,
    network: Mapping[str, Any] | None,
    decided: Sequence[str],
    by_dataset: bool,
) -> list[str]:
    """What was found, first of all, then how."""
    better = "" if higher_is_better is None else "higher" if higher_is_better else "lower"
    direction = f" ({better} is better)" if better else ""
    paired = "by study and data set" if by_dataset else "Hartung-Knapp and plain t"
    how = "one network" if network else f"pair by pair, {paired}"
    done = (
        f"{measure}{direction}, {studies} studies: random effects by {METHOD_WORDS[method]}, {how}"
    )
    result = [*decided[:MOST]] or ["No significant difference on average over studies like these."]
    more = len(decided) - MOST
    result += (
        [f"{counted(more, 'more difference')} significant: see the table."] if more > 0 else []
    )
    lines = [*result, f"{done}, target: {STUDY_POPULATION}."]
    return [*lines, network_line(network)] if network else lines


def network_line(network: Mapping[str, Any]) -> str:
    """How much studies and designs differ."""
    q, df, p = (network["inconsistency"][name] for name in ("q", "df", "p"))
    tau = f"tau {number(network['tau2'] ** 0.5)}, I² {100 * network['i2']:.0f} %"
    if df < 1:
        return (
            f"{tau}; no two sets of algorithms say the same in two ways, so nothing can disagree."
        )
    return (
        f"{tau}; inconsistency between sets of algorithms: Q = {number(q)}, df = {df}, {p_text(p)}."
    )


def meta_verdict(row: Mapping[str, Any], measure: str, alpha: float) -> str:
    """What the studies say of one pair, and what a new one would show."""
    first, second = row["first"], row["second"]
    sure, ends = level(alpha), row["prediction"]
    unit = row["upper"] - row["lower"]
    numbers = [abs(row["estimate"]), row["lower"], row["upper"], *ends]
    size, lower, upper, low, high = (
        aligned(numbers, unit, 2) if 0 < unit < math.inf else map(number, numbers)
    )
    verbs = {
        "better": f"{first} beats {second} by {size} on average over studies like these",
        "worse": f"{second} beats {first} by {size} on average over studies like these",
        "higher": f"{first} is {size} above {second} on average over studies like these",
        "lower": f"{first} is {size} below {second} on average over studies like these",
        "undecided": f"No significant difference between {first} and {second} on average over "
        "studies like these",
    }
    limits = f"{sure} CI of {first} − {second} {lower} to {upper}"
    return (
        f"{verbs[row['verdict']]} ({limits}, {p_text(row['p_adjusted'])}). The result of a new "
        f"study would be between {low} and {high} ({sure})."
    )


def forest_label(first: str, second: str, measure: str, higher_is_better: bool | None) -> str:
    """The axis of a difference."""
    side = (
        "" if higher_is_better is None else f" ({'right' if higher_is_better else 'left'} of zero: "
    )
    text = f"{side}{first} is better)" if side else ""
    return f"{first} less {second}, {measure}{text}"


def forest_summary(studies: int, tau2: float, i2: float) -> str:
    """What stands above a forest plot."""
    return f"{studies} studies, tau {number(tau2**0.5)}, I² {100 * i2:.0f} %"


SENTENCES = {
    "arms-independent": "The arms of {studies:joined} count as independent, as sd and n say no "
    "more; algorithms of one benchmark study share its data, which makes their differences more "
    "precise than that: give covariances, a column correlation, or differences with se.",
    "studies-share-data": "{datasets:counted data set} of several studies: differences are by "
    "study and data set (three levels), so that the luck of a data set counts once.",
    "study-gaps": "Rows without a score of every algorithm are left out in {studies:joined}.",
    "study-few-blocks": "{studies:joined}: fewer than 10 rows, so the error of such a study is "
    "hardly known, and is treated as known.",
    "study-unmixable": "The scales of the data sets of {studies:joined} do not mix: a mean over "
    "them is that of a few.",
    "direction-not-said": "The direction is unknown, so verdicts give the sign: add --measure, "
    "--higher-is-better or --lower-is-better.",
    "prediction-rough": "With {studies:counted study/studies} the interval of a new study's "
    "result is rough: it rests on tau, which is hardly known below {least}.",
    "small-studies-differ": "Small studies show other differences than large ones of "
    "{pairs:paired} (Egger, {p:p}): studies that found little may not have been published.",
    "bias-not-tested": "Whether small studies show more is tested from {least} studies on.",
    "network-without-replicates": "Every difference rests on one way through the studies, so "
    "that how studies differ cannot be known: tau is set to 0 and intervals are those of the "
    "studies alone.",
    "designs-once": "Each of the {designs} sets of algorithms was studied once: studies that "
    "differ and sets that disagree cannot be separated.",
    "inconsistent": "Sets of algorithms disagree beyond the errors of their studies (Q = "
    "{q:number}, {p:p}): look at direct against indirect before using the network.",
    # pictures
    "funnel-tested": "Egger's test of whether small studies show more: {p:p}.",
    "funnel-untested": "Too few studies, or all of one size, to test whether small studies show "
    "more.",
}
sentences(SENTENCES)


@words("studies-read")
def _studies_read(note: Note) -> str:
    names = joined([quoted(name) for name in note.studies], 6)
    held = "tables of scores" if note.scores else "what they report"
    return f"Read as: {counted(len(note.studies), 'study', 'studies')}, by {held}: {names}."


@words("pairs-of-one-study")
def _pairs_of_one_study(note: Note) -> str:
    count = len(note.pairs)
    return (
        f"{counted(count, 'pair')} of one study only {'is' if count == 1 else 'are'} left out "
        f"({paired(note.pairs)}{' ...' * (count > 3)}): a network (--network) uses all studies."
    )


# -- pictures -------------------------------------------------------------------------------------

MEAN_ROW, NEW_ROW = "mean over studies", "a new study"


# -- on a page ------------------------------------------------------------------------------------

AVERAGE = "Average over studies"
FOREST_KEY = (
    ("■", "one study, size by weight."),
    ("◆", "average over studies (simultaneous CI); thin line: a new study."),
)
AGREEING = ((0.25, "Yes"), (0.6, "Fairly"), (1.01, "Hardly"))


def study_counts(studies: int, comparisons: int, measure: str) -> str:
    """How much there is."""
    more = [counted(comparisons, "comparison"), measure] if measure else []
    return " · ".join([counted(studies, "study", "studies"), *more])


def forest_head(first: str, second: str, higher_is_better: bool | None) -> str:
    """Above the intervals: which side is whose."""
    if higher_is_better is None:
        return f"{first} − {second}"
    left, right = (second, first) if higher_is_better else (first, second)
    return f"← {left} better · {right} better →"


def forest_headline(
    verdict: str, first: str, second: str, texts: Sequence[str]
) -> tuple[tuple[str, bool], ...]:
    """What the studies say together of one pair."""
    size, low, high = texts
    if verdict == "undecided":
        return (("No significant difference between ", False), (first, True), (" and ", False),
                (second, True), (" on average.", False))  # fmt: skip
    ahead = {
        "better": (first, "beats", second),
        "worse": (second, "beats", first),
        "higher": (first, "is above", second),
        "lower": (first, "is below", second),
    }
    one, verb, other = ahead[verdict]
    return ((one, True), (f" {verb} {other} by {size} ({low} to {high}) on average.", False))


def forest_title(row: Mapping[str, Any]) -> str:
    """Above a picture of studies: what they say together of one pair."""
    texts = [number(abs(row["estimate"])), number(row["lower"]), number(row["upper"])]
    parts = forest_headline(row["verdict"], row["first"], row["second"], texts)
    return "".join(text for text, _ in parts).rstrip(".")


def forest_sentence(new: tuple[str, str, bool], p: float, i2: float) -> str:
    """What a new study would show, and how much studies differ."""
    low, high, crosses = new
    may = ", so it may well show the opposite" if crosses else ""
    show = f"A new study would probably show {low} to {high}{may}."
    return f"{show} I² = {100 * i2:.0f} %, {p_text(p)}."


def agree_card(i2: float) -> tuple[str, str]:
    """Whether the studies agree."""
    word = next(text for most, text in AGREEING if i2 < most)
    return "Do the studies agree?", f"{word}: I² is {100 * i2:.0f} %."


def next_card(new: tuple[str, str, bool]) -> tuple[str, str]:
    """Whether the next study would confirm it."""
    low, high, crosses = new
    word = "Not surely" if crosses else "Probably"
    return "Would the next study confirm it?", f"{word}: it would show {low} to {high}."
