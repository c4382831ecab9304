"""What is said of neutrality, of what is spent, and of frames of data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from podium.base.formatting import listed, number
from podium.words.facts import CAUTION, Note, sentences, words
from podium.words.phrases import counted, joined, quoted

ROLE_WORDS = {"ours": "our own", "competitor": "competitors", "baseline": "baselines"}
NEUTRALITY = "Disclosure"
SPENT_CAPTION = "Fits spent, with those of tuning"
LARGE = 0.5  # of the variance of a score: internal randomness that matters


@words("development-left-out")
def _development_left_out(note: Note) -> str:
    them = "it" if len(note.datasets) == 1 else "them"
    return (
        f"{counted(len(note.datasets), 'data set')} for development "
        f"({listed(note.datasets, 5)}) left out: tuning used {them}, claims rest on the "
        "others."
    )


SENTENCES = {
    "development-only": "{datasets:listed 5}: for development, so tuning used it, and no "
    "conclusion rests on it.",
    "largest-size": "Data sets have up to {most:counted training size}: each is judged at its "
    "largest one.",
    "equal-bias-unknown": "That learning from a part of the rows costs all algorithms the same "
    "(equal bias) is assumed: it cannot be checked, as every data set has one training size "
    "(sizes = [50, 100] in a study).",
    "equal-bias": "Equal bias was checked: no difference is shown to move with the training size "
    "({pairs:counted pair}).",
    "rates-vary": "The scores of {algorithm} in the replications vary wildly, from {low:number} "
    "to {high:number}: dietterich1998 advises against this test then, as its variance is "
    "estimated badly; --procedure corrected-t (procedure='corrected-t') does not rest on it.",
    "rates-checked": "Mean scores of the replications, from {low:number} to {high:number}, do "
    "not vary wildly, as dietterich1998 advises to check before this test.",
}
sentences(SENTENCES)


def disclosure(spent: pd.DataFrame, development: int, frame: Mapping[str, Any]) -> list[str]:
    """Who is who, how much each was tuned, and where the data sets come from."""
    messages = []
    roles = spent[spent["role"] != ""]
    if len(roles):
        groups = [
            f"{ROLE_WORDS[role]}: {listed(roles.loc[roles['role'] == role, 'algorithm'].tolist())}"
            for role in ROLE_WORDS
            if (roles["role"] == role).any()
        ]
        messages.append(f"Of the algorithms compared are {'; '.join(groups)}.{_unfair(roles)}")
    else:
        messages.append("Whether one of the algorithms is by the authors is not stated.")
    messages.append(_effort(spent))
    if development:
        messages.append(
            f"Tuning used {counted(development, 'data set')} for development; claims rest "
            "on the others alone."
        )
    if frame:
        messages.append(
            f"The data sets were drawn by lot from {frame['eligible']} eligible ones of "
            f"{frame['there']} in the catalogue {frame['catalogue']} (seed {frame['seed']}), so "
            "conclusions about data sets like these hold for these "
            f"{frame['eligible']}."
        )
    return messages


def _effort(spent: pd.DataFrame) -> str:
    each = [f"{r.algorithm} {number(r.per_run)}" for r in spent.itertuples() if r.runs]
    if spent["per_run"].max() <= 1:
        return "Nothing was tuned inside a run: every run is one fit."
    return f"Fits spent for one run, with those of tuning, by counting: {', '.join(each)}."


def _unfair(roles: pd.DataFrame) -> str:
    """That ours was tuned more than all others, where it was."""
    ours = roles.loc[roles["role"] == "ours", "per_run"]
    others = roles.loc[roles["role"] == "competitor", "per_run"]
    if len(ours) and len(others) and ours.max() > 2 * others.max():
        return (
            f" Ours was tuned more: {number(ours.max())} fits for a run against "
            f"{number(others.max())} at most, which favours it."
        )
    return ""


def randomness_line(worst: pd.Series, measure: str, cells: int) -> str:
    """How much of the variance is the algorithms' own, at most."""
    share = worst["share"]
    if pd.isna(share):
        return f"Scores of {measure} do not vary: neither samples nor fits differ."
    text = (
        f"Of the variance of {measure} of one fit to one sample, up to {100 * share:.0f} % is the "
        f"algorithm's own randomness ({worst['algorithm']} on {worst['dataset']}; "
        f"{counted(cells, 'pair')} of data set and algorithm)"
    )
    if share > LARGE:
        return f"{text}: one fit would judge the random numbers, so that several fits are needed."
    return f"{text}; the mean over {int(worst['fits'])} fits keeps {100 * worst['left']:.0f} %."


def sizes_verdict(pairs: pd.DataFrame) -> str:
    """Which differences move with the training size, of comparisons of slopes."""
    moving = pairs[pairs["verdict"].isin(["better", "worse"])]
    if not len(moving):
        return "No difference is shown to move with the training size."
    pairs = [
        (r.first, r.second) if r.verdict == "better" else (r.second, r.first)
        for r in moving.itertuples()
    ]
    return (
        f"With the training size {_gains(pairs)}: a statement for one size is not one for others."
    )


def _gains(pairs: Sequence[tuple[str, str]]) -> str:
    return joined([f"{first} gains on {second}" for first, second in pairs], most=3)


@words("unequal-bias")
def _unequal_bias(note: Note) -> str:
    gains = f"With more rows to learn from {_gains(note.gains)}"
    if note.limits:
        return (
            f"{gains}: what is found at these training sizes need not hold with more rows "
            "(podium survey FILE --sizes tells more)."
        )
    return f"{gains}, which is ahead already: more rows would not turn it."


@words("weighed")
def _weighed(note: Note) -> str:
    shares = ", ".join(f"{name} {100 * share:.3g} %" for name, share in note.shares)
    return f"The data sets do not count alike, but by weights: {shares}."


def true_differences_lines(table: pd.DataFrame, measure: str) -> list[str]:
    """How much of the variance between data sets is between distributions."""
    known = table["share_error"].dropna()
    if not len(known):
        return [f"{measure}: the data sets do not differ, so there is no variance to part."]
    low, high = 100 * known.min(), 100 * known.max()
    shares = f"{low:.0f} %" if len(known) == 1 else f"{low:.0f} to {high:.0f} %"
    return [
        f"{measure}: of the variance of a difference between data sets {shares} is error of its "
        "estimate, the rest is between distributions; only more data sets make the latter matter "
        "less."
    ]


# -- of spending ----------------------------------------------------------------------------------
# Words of notes on what is spent, and on measures that nothing guards.


@words("spread-costs")
def _spread(n: Note) -> str:
    unlike = ", and more spread in one algorithm than in another" if n.severity is CAUTION else ""
    return (
        f"{n.measure} is skewed (skewness {number(n.skewness, 2)} in {quoted(n.algorithm)}){unlike}"
        ": where the cheaper one has the longer tail, a saving is claimed too often."
    )


@words("not-guarded")
def _not_guarded(n: Note) -> str:
    return f"Not guarded, as no margin was given: {joined([quoted(m) for m in n.measures])}."


@words("own-limits")
def _own_limits(n: Note) -> str:
    return (
        f"Whiskers: {100 * n.level:g} % intervals of each algorithm alone; that two overlap says "
        f"nothing about their difference. An arrow: {dominating(n.margins)}."
    )


def dominating(margins: Sequence[tuple[str, float]]) -> str:
    """What it takes to dominate another one."""
    if not margins:
        return "better in every measure"
    losses = joined([f"{number(size)} in {name}" for name, size in margins])
    return f"not worse by {losses} or more, not worse in the rest, and better in at least one"


# -- of frames ------------------------------------------------------------------------------------
# What is said of a frame of data sets, of the draw from it, and of what came of it.


def frame_lines(
    catalogue: str,
    counts: tuple[int, int, int],
    lost: Mapping[str, int],
    seed: int,
    development: Sequence[str],
) -> list[str]:
    """What was drawn, and from how many."""
    there, eligible, drawn = counts
    text = "; ".join(f"{criterion} took away {count}" for criterion, count in lost.items())
    how = "all of them" if drawn == eligible else f"by lot, seed {seed}"
    lines = [
        f"{drawn} of {counted(eligible, 'eligible data set')} drawn ({how}); '{catalogue}' has "
        f"{there}."
    ]
    lines += [f"Criteria: {text}."] if lost else []
    rest = drawn - len(development)
    return lines + (
        [f"{len(development)} for development, {rest} for confirmation."] if development else []
    )


def unknown_value(name: str) -> str:
    """Of an entry of a catalogue that is several data sets."""
    return (
        f"The data set '{name}' of the catalogue is several: name them one by one, or give their "
        "characteristics as columns."
    )


STEPS = {
    "catalogue": "in the catalogue",
    "eligible": "eligible",
    "drawn": "drawn",
    "in the study": "in the study",
    "analysed": "analysed",
}


def flow_label(step: str, datasets: int) -> str:
    """What stands in the box of a step."""
    return f"{counted(datasets, 'data set')} {STEPS[step]}"


def flow_side(step: str, datasets: int, why: str) -> str:
    """What stands beside the way, of those who leave it."""
    return f"{datasets} {step}: {why}"


def flow_caption() -> str:
    """Of the figure in a report."""
    return (
        "How many data sets were there, met the criteria, were drawn, and have scores of all "
        "algorithms. To the right those who left, and why."
    )
