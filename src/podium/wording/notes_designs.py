"""Words of the notes on designs: seeds, runs, crossed ones, and what contradicts a design."""

from __future__ import annotations

from podium.facts import Note
from podium.wording.phrases import joined
from podium.wording.voices import words


@words("conditional-on-split", in_methods=True)
def _on_split(n: Note) -> str:
    return (
        "Conditional on this one split: more training runs make any difference significant, and "
        "nothing is said about other training rows or test items."
    )


@words("one-machine", in_methods=True)
def _one_machine(n: Note) -> str:
    return "About this machine as it was: other machines, inputs or loads may order them otherwise."


@words("drift", "by", "rounds")
def _drift(n: Note) -> str:
    names = [
        f"{name} {'rises' if r > 0 else 'falls'} (rank correlation {r:.2f})" for name, r in n.by
    ]
    what = "Scores less the mean of their round" if n.rounds else "Scores"
    turns = "" if n.rounds else "run the algorithms in turn (runs+paired), "
    return (
        f"{what} change along the order of the runs: {joined(names)}. Tests take runs for "
        f"independent: warm the machine up, {turns}or leave out the first runs."
    )


@words("autocorrelation", "by", "worth")
def _autocorrelation(n: Note) -> str:
    names = [f"{name} {r:.2f}" for name, r in n.by]
    return (
        f"Runs resemble the run before (correlation of neighbours: {joined(names)}), so they are "
        f"worth about {100 * n.worth:.0f} % of their number and the test finds too much: run the "
        "algorithms in random order, or use means of several runs in a row."
    )


@words("medians", "by")
def _medians(n: Note) -> str:
    return "Medians: " + ", ".join(f"{name} {value:.4g}" for name, value in n.by) + "."


@words("medians-disagree", "pairs")
def _disagree(n: Note) -> str:
    pairs = [f"{a} and {b}" for a, b in n.pairs[:3]]
    return (
        f"Means and medians disagree on which is better of {joined(pairs)}: a few runs weigh "
        "heavily in the means. The procedure 'medians' compares the medians."
    )
