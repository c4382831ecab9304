"""Words of studies that stop when they are decided."""

from __future__ import annotations

from podium.core.words.facts import Note, Sequential, sentences, words
from podium.core.words.phrases import spelled

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
    if n.stopped_at < n.budget:
        return f"stopped after {n.stopped_at}"
    return "all were looked at" if n.open else "the whole budget was used"


@words("stopped", in_paper=True)
def _stopped(n: Note) -> str:
    hold = "Intervals hold at every look."
    return (
        f"{_planned(n)}; {_came(n)}. The error over all looks and comparisons is at most "
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
def _no_relevance(n: Note) -> str:
    if n.open:
        return (
            "No relevance was given: more samples decide any difference, however small, and pairs "
            "that are alike are never decided; --relevance D says what does not matter."
        )
    return (
        "No relevance was given: more samples decide any difference, however small, so pairs that "
        "are alike run to the end of the budget; --relevance D says what does not matter."
    )


SENTENCES = {
    "look-by-hand": "The study is not over: this is an interim look at {stopped_at} of {budget} "
    "{noun}, by its plan; whoever stops it here for what it shows departs from the plan.",
    "queue-gap": "'{item}' (position {place} of the queue) has no score of {algorithm}, and "
    "{beyond} later answers cannot be used: evaluate it, or give it the score that a failure has.",
    # below and beside the plot of looks
    "plot-looks-left-out": "{count:counted pair} that ended earlier {count:is|are} not drawn.",
}
sentences(SENTENCES)


BETS = {
    "discordant": "Bets are on who wins the items that only one of two gets right, which is exact "
    "at any time.",
    "bounded": "Bets are on scores within bounds that were declared, which is exact at any time.",
    "t": "Bets are on t, which is exact at any time where differences are normal.",
}


@words("bets", in_paper=True)
def _bets(n: Note) -> str:
    return BETS[n.kind]


@words("not-yet")
def _not_yet(n: Note) -> str:
    if n.next is None:
        return "Not all pairs are decided: evaluate further items of the queue, and look again."
    return (
        f"Not all pairs are decided: the next look needs the first {n.next} {n.noun} of the queue."
    )


LOOKS_ERR = {
    "ranks": "Looks compare ranks within data sets, which hold their level also where differences "
    "are skewed (measured: 3 to 6 %); all algorithms run on until every pair is decided.",
    "hull": "Looks compare means (t and Hall's t): with a look after every data set or two they "
    "err in up to 12 % of studies where differences between data sets are skewed, one look at the "
    "end in up to 8 %. Without a relevance, --test ranks holds its level.",
    "t": "Looks use t: between skewed data sets they err in up to 13 % of studies, one look at the "
    "end in up to 9 %. Without a relevance, --test ranks holds its level.",
}


@words("stopped-skewed")
def _skewed(n: Note) -> str:
    return LOOKS_ERR[n.test]


def saved(sequential: Sequential, noun: str) -> str:
    """How much was run of what there might have been."""
    ran, most = sum(sequential.used.values()), sequential.budget * len(sequential.used)
    what = "runs" if noun == RUN_BY_RUN else f"{noun} × algorithms"
    saving = 100 * (1 - ran / most)
    if what != "runs" and len(set(sequential.used.values())) == 1:  # all took part to the last
        ran, most, what = ran // len(sequential.used), sequential.budget, noun
    if sequential.open or not sequential.over:
        return f"{ran:,} of {most:,} {what} so far."
    return f"{ran:,} of {most:,} {what} were needed, {saving:.0f} % less."


# -- on a page, and of `podium status` -------------------------------------------------------------

LOOKS = "Plan and boundaries"
OF_LOOKS = ("stopped", "raced", "no-relevance", "look-by-hand", "stopped-skewed", "bets", "not-yet")
PAIRS, RUNS, BOUNDARIES = "When pairs were decided", "What was run", "Looks and boundaries"
RUN_BY_RUN = "samples"  # where a block is one run of each algorithm


def how_to_read(sequential: Sequential) -> str:
    """What looks and boundaries are."""
    if sequential.open:
        return (
            "Evidence is a bet against equality, in powers of ten: it may be looked at after any "
            "number of rows, and decides a pair where it reaches the line."
        )
    first = "Every look spends a part of the error that is allowed for all of them"
    if sequential.goal != "order":
        return (
            f"{first}: an algorithm is dropped where the evidence that another one is better "
            "reaches the boundary of that look."
        )
    return (
        f"{first}: a pair is decided where its evidence reaches the boundary of that look, and is "
        "looked at no more. The boundary is that of a pair judged together with all others (Šidák)."
    )


def boundary_of(sequential: Sequential) -> str:
    """The error that a boundary leaves."""
    return f"an error of {100 * sequential.alpha:g} % over all looks and pairs"


def pairs_shown(sequential: Sequential, noun: str) -> dict[str, list[str]]:
    """Of every pair: whether it is decided, after how many blocks, and by how much evidence."""
    every = sequential.courses
    return {
        "first": [course.first for course in every],
        "second": [course.second for course in every],
        "decided": ["yes" if course.decided else "no" for course in every],
        f"after ({noun})": [str(course.ended) for course in every],
        "evidence" if sequential.open else "z": [f"{course.evidence[-1]:.2f}" for course in every],
    }


def runs_shown(sequential: Sequential, noun: str) -> dict[str, list[str]]:
    """Of every algorithm: how many blocks were run, and how many not."""
    table = {"algorithm": list(sequential.used), noun: [str(n) for n in sequential.used.values()]}
    table["not needed" if sequential.over else "left"] = [
        str(sequential.budget - n) for n in sequential.used.values()
    ]
    if sequential.goal != "order":
        table["dropped after"] = [str(sequential.out.get(name, "-")) for name in sequential.used]
    return table


def looks_shown(sequential: Sequential, noun: str) -> dict[str, list[str]]:
    """The looks as a table: at how many blocks, which boundary, whether taken, and what ended."""
    taken = [i < sequential.taken for i in range(len(sequential.looks))]
    ended = [sum(c.decided and c.ended == n for c in sequential.courses) for n in sequential.looks]
    table = {"look": [str(i) for i in range(1, len(sequential.looks) + 1)]}
    table[noun] = [str(n) for n in sequential.looks]
    if sequential.boundaries:
        table["z" if sequential.goal != "order" else "|z|"] = [
            "-" if z == float("inf") else f"{z:.3f}" for z in sequential.boundaries
        ]
    table["taken"] = ["yes" if each else "no" for each in taken]
    word = "dropped" if sequential.goal != "order" else "pairs decided"
    table[word] = [str(n) if now else "" for n, now in zip(ended, taken, strict=True)]
    return table


# -- below and beside the plot of looks ------------------------------------------------------------


def evidence_label(sequential: Sequential) -> str:
    """What the height of a look is."""
    if sequential.open:
        return "evidence (power of ten)"
    if sequential.goal != "order":
        return "evidence that another is better (z)"
    return "evidence (z); below 0: alike" if sequential.relevance else "evidence (|z|)"


@words("plot-looks")
def _looks(note: Note) -> str:
    if note.race:
        return "An algorithm whose line reaches the boundary is dropped; hollow: still in."
    first = "A pair whose line reaches the boundary is significant"
    alike = "; below zero: evidence that two differ by no more than the relevance"
    return f"{first}{alike if note.relevance else ''}. Hollow: inconclusive."
