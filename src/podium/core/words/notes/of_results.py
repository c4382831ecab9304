"""Words of the notes on results, orders and pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from podium.core.base.formatting import listed, number
from podium.core.words.facts import CAUTION, Note, sentences, words
from podium.core.words.phrases import counted, is_are, joined, quoted

DRAWN = "takes no weights: rows were drawn in proportion to them"  # a run's own warning


WEIGHTS_TAKEN = {
    "weights-taken": "All algorithms learned from all rows by the weights of the Bayesian "
    "bootstrap."
}
sentences(WEIGHTS_TAKEN)


@words("weights-drawn", "lacking", "of")
def _weights_drawn(note: Note) -> str:
    rows = "rows drawn in proportion to the weights of the Bayesian bootstrap"
    if len(note.lacking) == note.of:
        who = "The algorithm takes" if note.of == 1 else "The algorithms take"
        return f"{who} no weights and learned from {rows}, about 63 % of them distinct."
    takes = "takes" if len(note.lacking) == 1 else "take"
    return (
        f"{joined([*note.lacking])} {takes} no weights, so all algorithms learned from the same "
        f"{rows}, about 63 % of them distinct."
    )


@words("weights-mixed", "drawn", "weighted")
def _weights_mixed(note: Note) -> str:
    return (
        f"{joined([*note.weighted])} learned from all rows by weights, {joined([*note.drawn])} "
        "from rows drawn in proportion to them, of which about 63 % are distinct: a difference "
        "between them may be due to that. Run the study again with podium run: then all learn "
        "from the same rows."
    )


@words("excluded")
def _excluded(note: Note) -> str:
    names = listed(note.datasets, len(note.datasets))
    return (
        f"Left out after the fact ({note.reason}): {names}. Claims hold for data sets that would "
        "have been kept; a selection that looked at scores biases them."
    )


@words("recognised", in_methods=True)
def _recognised(n: Note) -> str:
    return f"Read as{' ' if n.title else ': '}{reading(n)}"


def reading(n: Note) -> str:
    """How a source was read: its layout, counts with columns, rows that count."""
    dataset, sample = n.dataset or "data set", n.sample or "sample"
    names = [quoted(name) for name in n.datasets]
    least, most = n.samples
    blocks = counted(most, sample) if least == most else f"{least} to {counted(most, sample)}"
    each = f" in each {dataset}" * (len(names) > 1 and least == most)
    columns = {"algorithm": "", "dataset": "", "sample": ""}
    if not n.title:  # of a known layout it is known which column is what
        by_name = n.read_as.column
        columns = {r: f" ('{c}')" if (c := by_name(r)) else "" for r in ("algorithm", "dataset")}
        columns["sample"] = f" ('{c}')" if (c := by_name(n.sample)) else ""
        if n.read_as.across:
            columns[n.read_as.across[0]] = " (columns)"
    parts = [counted(n.algorithms, n.algorithm or "algorithm") + columns["algorithm"]]
    if n.title and names != [n.title]:  # battles of 'battles'
        parts.append(joined(names) if len(names) < 4 else counted(len(names), dataset))
    elif not n.title and (len(names) > 1 or columns["dataset"]):
        parts.append(counted(len(names), dataset) + columns["dataset"])
    parts += [f"{blocks}{each}{columns['sample']}"] if most > 1 else []
    text = "; ".join([", ".join(parts), *_of_measures(n), *_of_rows(n)])
    return f"{n.title}{': ' * bool(n.title)}{text}."


def _of_measures(n: Note) -> Iterator[str]:
    """The measure with its direction, or the names of several."""
    if len(n.measures) > 1:
        yield f"measures: {joined([name for name, _ in n.measures])}"
    elif not n.title:
        name, higher = n.measures[0]
        yield f"{name}, {'higher' if higher else 'lower'} is better"


def _of_rows(n: Note) -> Iterator[str]:
    """Failed runs, rows that count, and columns without a role."""
    if n.failed:
        yield counted(n.failed, "failed run")
    if n.title:
        return
    for column, values in n.read_as.where:
        yield f"{joined(list(values))} rows only ('{column}')"
    for column, values in n.read_as.without:
        yield f"without {joined([quoted(v) for v in values])} ('{column}')"
    for column, values in n.read_as.missing:
        yield f"{joined(list(values))} is no score ('{column}')"
    if n.read_as.unused:
        names = [quoted(column) for column, _ in n.read_as.unused]
        yield f"unused: {joined(names) if len(names) < 3 else counted(len(names), 'column')}"


SENTENCES = {
    "one-data-set": "There is one data set.",
    "exploratory": "This order is by {level:percent} bootstrap intervals that do not overlap, "
    "which describes the scores and tests no difference.",
    "machines-differ": "Algorithms ran on different machines ('{columns:joined}'): what differs "
    "between them may be the machines'.",
    "clusters-recognised": "Items come in {clusters:counted cluster} ('{key}'), which counts.",
    "unfinished-runs": "{left_out:counted run} of {of} did not finish and {left_out:is|are} left "
    "out: failures on hard data sets make an algorithm look too good.",
    "averaged-runs": "Some were run more than once: {scores:counted further score} averaged with "
    "the first.",
    "items-listed-by-some": "An item that a file does not list counts as not resolved; shares "
    "are of the {items} that any file lists, not of the whole test set.",
    # words of the notes on what a page could not show
    "not-made-again": "What was compared cannot be made again here.",
    "no-blocks-to-redraw": "There is no order of several algorithms whose rows could be drawn "
    "again.",
    "forced-not-redrawn": "The test is not valid for this design: drawing rows again does not "
    "change that.",
    "nothing-compared": "No measure could be compared.",
    "not-of-single-samples": "'{measure}' is no measure of single samples.",
    # what is said of orders
    "incomparable": "In a partial order ∥ stands between algorithms that are incomparable, which "
    "is no tie.",
    # what was understood of a table
    "encoding": "The file is written in {encoding}, not in UTF-8.",
    "averaged-while-reading": "Of {rows:,} rows, more than fit into memory, the mean of every "
    "data set and algorithm was read, {cells:,} in all, of scores from {low:g} to {high:g}: "
    "differences within a data set are not shown, and duplicated rows count twice.",
    "summary-rows": "Rows that summarise others were left out: {names:listed 6}.",
    "row-like-means": "The last row, '{name}', is close to the means of the others. It counts as "
    "a data set; if it is their mean, delete it from the file.",
    "summary-columns": "Columns that summarise others were left out: {names:listed 6}.",
    "spread-left-out": "What stands behind the score in {cells:counted cell} (± or brackets) was "
    "not used.",
    "first-measure": "This is about {measure}, the study's first measure; --measure names "
    "another one: {others:listed 6}.",
    "percent": "All scores of '{measure}' lie between 0 and 100: they are read as percentages.",
    "design-carried": "The column '{column}' says how samples were drawn: --sampling {sampling}.",
    "clusters-read": "The {clusters} values of '{column}' are treated as clusters drawn from "
    "many. If they are all there are, they are strata: --columns stratum={column}",
    "rows-are-samples": "Nothing names the {rows} rows: each counts as a sample of {sampling}.",
    "rows-numbered": "Nothing numbers the {rows} rows of each cell: they are numbered in the "
    "order of the file, and rows of one number count as one sample.",
    "beyond-bounds": "{scores:counted score} of '{measure}' {scores:is|are} a little outside "
    "{low:g} to {high:g} (such as {first:g}): is the table right?",
    "error-of-any-kind": "'{measure}' exceeds 1 and is no share of errors; lower counts as better.",
}
sentences(SENTENCES)


@words("unread-measures")
def _unread(n: Note) -> str:
    some = joined([quoted(name) for name in n.names])
    return (
        f"Not read, because whether higher or lower values are better is not known: {some}. Name "
        "one by --measure, with --higher-is-better or --lower-is-better."
    )


@words("further-measures")
def _further(n: Note) -> str:
    more = joined([quoted(name) for name in n.others])
    return f"The measure is '{n.first}'; by --measure also {more}."


@words("several-tables")
def _several(n: Note) -> str:
    each = {"algorithm": ", each of one algorithm", "dataset": ", each of one data set"}
    return f"{counted(n.files, 'file')} were read together{each.get(n.role, '')}."


@words("step-of-curves")
def _step(n: Note) -> str:
    if n.step == "best":
        return "The best score of every run counts: noisy curves look better than they are."
    which = {"last": "last score", "mean": "mean"}
    return f"Of every run the {which.get(n.step, f'last score up to step {n.step}')} counts."


def _of_runs(n: Note, happened: str, means: str) -> str:
    names = [f"{name}: {count}" for name, count in n.by]
    return f"{n.runs} of {counted(n.of, 'run')} {happened} ({joined(names)}): {means}."


@words("failures")
def _failures(n: Note) -> str:
    if n.facts.get("policy") == "worst":
        return _of_runs(n, "failed", "each counts as the worst on its data (other ways: --gaps)")
    return _of_runs(n, "failed", "failures on hard data sets make an algorithm look too good")


@words("missing-runs")
def _missing_runs(n: Note) -> str:
    return _of_runs(n, f"{is_are(n.runs)} missing", "the result is about those that are done")


# -- words of the notes on what a page could not show ---------------------------------------------


@words("could-not-be-made")
def _refused(note: Note) -> str:
    return str(note.reason)


# -- what is said of orders -----------------------------------------------------------------------


def consensus(
    count: int, family: str, value: float, *, gap: float = 0.0, capped: bool = False
) -> str:
    """How many orders there are, their value, and what was proved.

    >>> consensus(2, "weak", 3.0, gap=0.5, capped=True)
    'At least 2 weak orders with distance 3, not proved to be the least, which is at least 2.5'
    """
    some = "At least " * capped
    noun = "order" if count == 1 else "orders"
    least = f"not proved to be the least, which is at least {value - gap:g}"
    proof = least if gap else "proved to be the least"
    return f"{some}{count} {family} {noun} with distance {value:g}, {proof}"


@words("no-vote")
def _no_vote(note: Note) -> str:
    silent = f" On {note.silent} of them none has: orders that differ there are as good."
    return (
        f"Pairs that not all orders compare (all those across a ≿ in a text): {note.pairs}. An "
        f"order has no vote on pairs that it does not compare.{silent * (note.silent > 0)}"
    )


@words("not-transitive")
def _not_transitive(note: Note) -> str:
    a, b, c = map(quoted, note.algorithms)
    return f"The ≈ of this order is not transitive: {a} ≈ {b} and {b} ≈ {c}, but not {a} ≈ {c}."


# -- what was understood of a table ---------------------------------------------------------------


@words("unused-columns", "columns")
def _unused(n: Note) -> str:
    return f"Ignored column{'s' * (len(n.columns) > 1)}: {listed(n.columns, 12)}."


@words("cells-without-score", "cells", "by")
def _without_score(n: Note) -> str:
    names = [f"'{text}': {count}" for text, count in n.by[:6]]
    return f"{counted(n.cells, 'cell')} {is_are(n.cells)} without a score ({joined(names)})."


@words("answers-averaged", "most", "least")
def _answers(n: Note) -> str:
    several = f"{n.most}" if n.most == n.least else f"{n.least} to {n.most}"
    return f"The {several} answers to each item were averaged."


@words("conditions-read", "column", "conditions")
def _conditions_read(n: Note) -> str:
    if n.parts:
        (one, first), (two, second) = n.parts
        return (
            f"Every item was tried under {first} values of '{one}' and {second} of '{two}', "
            f"crossed: by default this is about new ones of both. --columns condition={one},"
            f"ignore={two} takes just these values of '{two}', and --target test-set just these of "
            "both."
        )
    return (
        f"'{n.column}' counts as {n.conditions} conditions that every item was tried under; "
        f"--columns ignore={n.column} takes their scores as answers to the item."
    )


@words("answers-parts", "within", "now", "at_best", "answers", "items", "measure", "pairs")
def _answer_parts(n: Note) -> str:
    least, most = n.answers
    k = f"{most}" if most == least else f"{least} to {most}"
    middle = " of the pair in the middle" * (n.pairs > 1)
    share = f"{100 * n.within:.0f} %"
    whence = f"{share} of the variance of a difference{middle} comes from the answers, the rest"
    whence = f"{whence} from the items"
    if share in ("0 %", "100 %"):
        whole = "items" if share == "0 %" else "answers"
        whence = f"nearly all of the variance of a difference{middle} comes from the {whole}"
    text = (
        f"With {k} answers to each of {n.items} items, {whence}. A difference in {n.measure} of "
        f"{number(n.now, 2)} is found with 80 % power"
    )
    if n.at_best <= 0:
        return f"{text}; more answers can lower that."
    gain = n.now > 1.02 * n.at_best
    best = (
        f"with any number of answers {number(n.at_best, 2)} at best"
        if gain
        else "and more answers would hardly change that"
    )
    return f"{text}, {best}: to find less takes more items."


@words("positive-class", "measure", "positive", "majority")
def _positive(n: Note) -> str:
    classes = dict.fromkeys(name for _, name in n.positive)
    one = f"class {quoted(next(iter(classes)))}"
    each = [f"{quoted(name)} of {dataset}" for dataset, name in n.positive]
    which = one if len(classes) == 1 else joined(each, 4)
    if not n.majority:
        return f"'{n.measure}' is of {which}."
    return (
        f"'{n.measure}' is of {which}, the more frequent one: scores are high even where the other "
        "is never found. Say positive= of the data set if the other is meant."
    )


@words("rows-chosen", "column", "values", "kept", "rows")
def _rows_chosen(n: Note) -> str:
    kinds = listed(list(n.values))
    if n.without:
        return f"Rows with {n.column} = {kinds} are left out: {n.kept} of {n.rows} are used."
    return f"Only rows with {n.column} = {kinds} are used: {n.kept} of {n.rows}."


# -- neutrality, what is spent, frames ------------------------------------------------------------
# What is said of neutrality, of what is spent, and of frames of data sets.


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


ON_NEUTRALITY = {
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
sentences(ON_NEUTRALITY)


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
