"""Why a request is refused, in clauses made of names and of what the records say."""

from __future__ import annotations

from collections.abc import Sequence

from podium.words.phrases import capital

PAIRED = (
    "all algorithms were run on the same samples, and a test for independent ones throws the pairs "
    "away, which makes it too strict (or too lenient, where scores of one sample vary against each "
    "other); if every algorithm had samples of its own, say so, as in bootstrap+independent"
)
UNPAIRED = "every algorithm has samples of its own, so nothing pairs their scores"

STOPPED = (
    "this study stopped by a plan, looking at its scores on the way, and tests that know nothing "
    "of these looks reject too often"
)
LINEARISED = (
    "this measure is no mean over items, so that single items have no score to rank, count or "
    "permute; it is judged by each item's influence on it"
)
NOT_LINEARISED = (
    "it is for measures of predictions that are no means of items, such as auc or f1; this one is "
    "a mean of scores"
)
NOT_STOPPED = "it is for stores of `podium run --until decided` and `podium run --until best`"


def defined_for(samplings: Sequence[str]) -> str:
    """A procedure of one design."""
    return f"it is defined for {' and '.join(samplings)} only"


def no_valid_test(why: str) -> str:
    """A sampling for which no test is known."""
    return f"{why}; no test is known to be valid"


def no_default(why: str, way: str) -> str:
    """The same where none was asked for, with what to do instead."""
    return f"{capital(why)} and no test of them is known to be valid; {way}."


def made_for(blocks: Sequence[str]) -> str:
    """A procedure for other blocks."""
    return f"it is made for {' and '.join(blocks)}"


def silent_about(targets: Sequence[str]) -> str:
    """Blocks that are no evidence about a target."""
    known = " and ".join(f"'{target}'" for target in targets)
    return f"such blocks say nothing about it, only about {known or 'nothing'}"


def reason(procedure: str, blocks: str, sampling: str, target: str, why: str) -> str:
    """What is not legal, and why."""
    drawn = f" ('{sampling}')" if sampling else ""
    return f"'{procedure}' is not legal for {blocks}{drawn} and the target '{target}': {why}."


def not_legal(reason: str, legal: Sequence[str]) -> str:
    """The refusal, with the legal alternatives."""
    return f"{reason} {f'Legal here: {joined}.' if (joined := ', '.join(legal)) else NOTHING}"


NOTHING = "No procedure is legal here."
FORCE = " --force (force=True) computes it all the same and marks the result."

NO_HALVINGS = (
    "it judges by halvings of the rows, and there are none: podium run STUDY --halves 10 adds them"
)

NO_LABELS = (
    "it corrects the scores of a judge by people's scores of some items: say both columns, as in "
    "--judge score --human human"
)
JUDGE_ALONE = (
    "these are scores of a judge, whose errors no number of items removes, with people's scores of "
    "some items, which correct them"
)
