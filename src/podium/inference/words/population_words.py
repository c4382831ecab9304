"""Words of the notes on claims about new samples from one training set."""

from __future__ import annotations

from podium.words.facts import Note
from podium.words.phrases import counted, paired, spelled
from podium.words.voices import words


@words("overlap")
def _overlap(n: Note) -> str:
    little = (
        f"The ten halves are judged by {n.df:g} df and {n.ratio:g} times their variance, which "
        "finds hardly any difference: repeated-cv:5x5 finds more. "
        if n.little
        else ""
    )
    return (
        f"{little}It is assumed that a row matters no more for a difference when it is learned "
        "from than when it is tested on, and scores cannot show that: of strongly regularised or "
        f"very unstable algorithms that are equal, up to {100 * n.most:.0f} % differed "
        "significantly instead of 5 %. The halves test assumes less: podium run STUDY --halves 10 "
        "adds 100 small fits of every algorithm."
    )


@words("liberal")
def _liberal(n: Note) -> str:
    seen = ", ".join(f"{100 * rate:.0f} % of {of}" for of, rate in n.rates)
    return (
        f"'{n.procedure}' tells equal algorithms apart too often: {seen} in simulations, instead "
        f"of 5 %; {n.instead} holds its level better."
    )


@words("halves")
def _halves(n: Note) -> str:
    larger = f" ({n.guarded} of {counted(n.pairs, 'pair')})" if n.pairs > 1 else ""
    guarded = (
        f", or on the corrected variance of the samples where that is larger{larger}"
        if n.guarded
        else ""
    )
    return (
        f"Intervals rest on the scatter between disjoint halves of the rows ({n.halvings} "
        f"halvings, {n.df} df){guarded}. This assumes independent rows, and that n times the "
        "variance of a difference does not grow from n/2 to n rows. In simulations of ordinary "
        "algorithms with 100 rows or more, intervals of 95 % held the truth in 93 to 99.5 %; in 79 "
        "to 95 % with few distinct rows or rare attributes."
    )


WHY = {
    "constant": "the difference does not vary, between halves or between samples: these algorithms "
    "are equal, or do not learn, on half of the rows",
    "alike": "the halves of a halving show no difference at all: one of these algorithms hardly "
    "learns from so few rows, and will differ more on all of them",
}


@words("halves-no-claim")
def _no_claim(n: Note) -> str:
    return f"Nothing is claimed of {paired(n.pairs)}: {WHY[n.why]}."


@words("halves-far-off")
def _far_off(n: Note) -> str:
    return (
        f"Inside halves, {paired(n.pairs)} differ by something else than on all rows: the "
        "difference still changes with the number of rows, and the interval may be too short."
    )


@words("halves-rare-class")
def _rare_class(n: Note) -> str:
    if n.claimed:
        return (
            f"The rarest class has {spelled(n.rows, 'row')}: with fewer than 20, intervals of "
            "95 % held the truth in 85 to 92 % only."
        )
    return (
        f"The rarest class has {spelled(n.rows, 'row')}, which is too few to be halved: nothing is "
        "claimed. Collect 20 of each class, or leave the class out."
    )


@words("halves-groups")
def _groups(n: Note) -> str:
    return (
        "The rows come in groups, and were halved one by one: rows of a group on both sides make "
        "intervals far too short. Draw the samples with +grouped."
    )


@words("halves-few-rows")
def _few_rows(n: Note) -> str:
    return (
        f"{n.rows} rows are few to be halved: with 50, intervals of 95 % held the truth in 90 % "
        "and more."
    )


@words("halves-attributes")
def _attributes(n: Note) -> str:
    return (
        f"{n.attributes} attributes of {n.rows} rows, more than 0.4: algorithms that are not "
        "regularised learn otherwise from half of the rows, and intervals may be too short."
    )


@words("halves-distinct")
def _distinct(n: Note) -> str:
    return (
        f"Only {n.distinct} of {n.rows} rows are distinct: a few kinds of rows decide much, and "
        "intervals of 95 % held the truth in 79 to 91 % only. halves-conservative is safer; if "
        "rows are repeated because they belong together, say so by a column of groups and "
        "+grouped."
    )


@words("halves-incomplete")
def _halves_incomplete(n: Note) -> str:
    return f"{n.halvings} of {n.of} halvings lack a score and were left out; run the study again."


@words("halves-few")
def _halves_few(n: Note) -> str:
    return f"{spelled(n.halvings, 'halving')}: ten say more, and five have been tried."


@words("halves-heavy-tails")
def _heavy_tails(n: Note) -> str:
    return (
        f"The measure '{n.measure}' squares errors: where the response has heavy tails, a few rows "
        "decide it, and no interval from a sample without them holds (43 to 87 % in simulations); "
        "the measure absolute copes with them better."
    )
