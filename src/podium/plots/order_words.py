"""What plots of pairs and orders say below themselves."""

from __future__ import annotations

from podium.base.formatting import short
from podium.plots.words import listed, pair_name
from podium.words.facts import Note
from podium.words.phrases import counted, was_were
from podium.words.voices import words

PAIR = 60  # letters of a pair of names in a remark


@words("plot-best-only")
def _best_only(note: Note) -> str:
    best = short(note.algorithm)
    return f"Of {note.pairs} pairs only those with the best algorithm, {best}, are shown."


@words("plot-no-difference")
def _no_difference(note: Note) -> str:
    names = [pair_name(first, second) for first, second in note.pairs]
    return f"No difference is known: {listed(names, longest=48)}."


@words("plot-no-mean")
def _no_mean(note: Note) -> str:
    return f"No mean is known: {listed(note.algorithms)}."


@words("plot-unjoined")
def _unjoined(note: Note) -> str:
    pairs = counted(note.count, "pair")
    return f"{pairs} {was_were(note.count)} not compared and no bar joins them."


@words("plot-one-position")
def _one_position(note: Note) -> str:
    return f"At one position, but significantly different: {_pairs(note, ' ≻ ')}."


def _pairs(note: Note, sign: str) -> str:
    texts = [f"{short(first)}{sign}{short(second)}" for first, second in note.pairs]
    return listed(texts, longest=PAIR)


@words("plot-cells")
def _cells(note: Note) -> str:
    texts = [f"{note.counts_of} that the row wins/ties/loses"] if note.counts_of else []
    texts += ["adjusted p-value (bold and framed where significant)"] if note.p_values else []
    return f"In a cell: {'; below '.join(texts)}."


@words("plot-no-numbers")
def _no_numbers(note: Note) -> str:
    look = "framed where significant" if note.framed else "pale where a pair is open"
    shades = f"shades only, {look}." if note.decided else "shades only."
    return f"{note.algorithms} algorithms leave no room for numbers: {shades}"


@words("plot-counts")
def _counts(note: Note) -> str:
    return f"Counts are of {note.count} {note.block}s."


@words("plot-white")
def _white(note: Note) -> str:
    return f"{counted(note.count, 'pair')} {was_were(note.count)} not compared (white)."


@words("plot-many-lines")
def _many_lines(note: Note) -> str:
    return (
        f"{note.lines} lines are too many to follow, and run behind the boxes; rows that are close "
        "to each other are one layer. The matrix of all pairs says who is better than whom."
    )


@words("plot-not-transitive")
def _not_transitive(note: Note) -> str:
    return f"The order is not transitive: paths lead along, yet {_pairs(note, ' ≈ ')}."


@words("plot-left-open")
def _left_open(note: Note) -> str:
    return f"The text leaves {counted(note.count, 'pair')} open (≿)."


@words("plot-not-compared")
def _not_compared(note: Note) -> str:
    return f"Not compared: {_pairs(note, ' and ')}."


@words("plot-places")
def _places(note: Note) -> str:
    return (
        f"Shades: how often a place is taken; lines: {100 * note.level:g} % rank intervals; marks: "
        "observed ranks."
    )


@words("plot-unranked")
def _unranked(note: Note) -> str:
    lack = "lacks" if note.count == 1 else "lack"
    return f"{counted(note.count, 'resample')} {lack} the scores of an algorithm."
