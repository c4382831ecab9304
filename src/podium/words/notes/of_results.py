"""Words of the notes on results, orders and pages."""

from __future__ import annotations

from collections.abc import Iterator

from podium.base.formatting import listed, number
from podium.words.facts import Note, sentences, words
from podium.words.phrases import counted, is_are, joined, quoted

DRAWN = "takes no weights: rows were drawn in proportion to them"  # a run's own warning


@words("weights-drawn")
def _weights_drawn(note: Note) -> str:
    theirs = f"{joined(list(note.weighted))} learned by weighted formulas" if note.weighted else ""
    many = len(note.drawn) > 1
    own = (
        f"{joined(list(note.drawn))} {'take' if many else 'takes'} no weights: rows were drawn in "
        "proportion to them, which adds a little randomness of its own"
    )
    return f"Of the Bayesian bootstrap {own}{'; ' * bool(theirs)}{theirs}."


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
