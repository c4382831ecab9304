"""What is said of the notes that results carry."""

from __future__ import annotations

from podium.facts import Note
from podium.formatting import listed
from podium.wording.phrases import counted, is_are, joined
from podium.wording.voices import words


@words("excluded")
def _excluded(note: Note) -> str:
    names = listed(note.datasets, len(note.datasets))
    return (
        f"Left out after the fact ({note.reason}): {names}. Claims hold for data sets that would "
        "have been kept; a choice that looked at scores biases them."
    )


def _of_runs(n: Note, happened: str, means: str) -> str:
    names = [f"{name}: {count}" for name, count in n.by]
    return f"{counted(n.runs, 'run')} of {n.of} {happened} ({joined(names)}): {means}."


@words("failures")
def _failures(n: Note) -> str:
    return _of_runs(n, "failed", "algorithms that fail where it is hard look better than they are")


@words("missing-runs")
def _missing_runs(n: Note) -> str:
    return _of_runs(n, f"{is_are(n.runs)} missing", "what is said is of those that are done")
