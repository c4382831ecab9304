"""Words of studies that stop when they are decided."""

from __future__ import annotations

from collections.abc import Mapping

from podium.facts import Note, Sequential
from podium.wording.phrases import spelled
from podium.wording.voices import words

SPENT = {"obf": "O'Brien-Fleming spending", "power2": "spending by the squared share"}


def _planned(n: Note) -> str:
    if n.open:
        return f"Planned without a budget, so far at most {n.budget} {n.noun}"
    spent = SPENT.get(n.spending, f"spending '{n.spending}'")
    return f"Planned for at most {n.budget} {n.noun}, {spelled(n.looks, 'look')}, {spent}"


def _came(n: Note) -> str:
    if not n.taken:
        return "no look was possible yet"
    if not n.over:
        return f"{n.stopped_at} {n.noun} were looked at so far"
    used = "the whole budget was used" if n.stopped_at == n.budget else "stopped"
    return used if n.stopped_at == n.budget else f"{used} after {n.stopped_at}"


@words("stopped", in_paper=True)
def _stopped(n: Note) -> str:
    hold = "Intervals hold at every look."
    return (
        f"{_planned(n)}; {_came(n)}. The error over all looks and pairs is at most "
        f"{100 * n.alpha:g} %. {hold}"
    )


@words("raced", in_paper=True)
def _raced(n: Note) -> str:
    names = ", ".join(n.remaining)
    best = f"the best of the {n.algorithms} is {names}"
    if len(n.remaining) > 1:
        best = f"the best of the {n.algorithms} is among {{{names}}}"
    return (
        f"{_planned(n)}; {_came(n)}. With {100 * (1 - n.alpha):g} % confidence {best}. Nothing is "
        "claimed about the order of the others."
    )


@words("no-relevance")
def _no_relevance(_: Note) -> str:
    return (
        "No relevance was said: more samples decide any difference, however small, so pairs that "
        "are alike run to the end of the budget; --relevance D says what does not matter."
    )


@words("look-by-hand")
def _by_hand(n: Note) -> str:
    return (
        f"The study is not over: this is an interim look at {n.stopped_at} of {n.budget} {n.noun}, "
        "by its plan; whoever stops it here for what it shows departs from the plan."
    )


@words("stopped-skewed")
def _skewed(_: Note) -> str:
    return (
        "Looks use t; between skewed data sets it rejects too often (10 % where differences are "
        "exponential), and no rule of stopping repairs that."
    )


def saved(used: Mapping[str, int], budget: int) -> str:
    """How many runs were needed of those that there might have been."""
    ran, most = sum(used.values()), budget * len(used)
    return f"{ran} of {most} runs were needed, {100 * (1 - ran / most):.0f} % less."


def looks_shown(found: Sequential) -> dict[str, list[str]]:
    """The looks as a table: at how many blocks, which boundary, and whether it was taken."""
    edges = found.boundaries or ()
    table = {"look": [str(i) for i in range(1, len(found.looks) + 1)]}
    table["blocks"] = [str(n) for n in found.looks]
    if edges:
        table["|z| of a pair"] = ["-" if z == float("inf") else f"{z:.3f}" for z in edges]
    table["taken"] = ["yes" if i < found.taken else "no" for i in range(len(found.looks))]
    return table
