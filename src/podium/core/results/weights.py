"""How the weights of a sampling were given to algorithms: by their fit, or as rows drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from podium.core.samplings import BAYESIAN_BOOTSTRAP, BY_ROWS, MIXED, Sampling
from podium.core.words.facts import CAUTION, DETAIL, REMARK, Note

TAKEN, DRAWN, UNLIKE = "weights-taken", "weights-drawn", "weights-mixed"  # codes of notes
CODES = (TAKEN, DRAWN, UNLIKE)
DETAILS = {DRAWN: BY_ROWS, UNLIKE: MIXED}
# what the algorithms of a study learn by: the same rows, rows that each draws, or the weights
ROWS, OWN_ROWS, WEIGHTS = "rows", "own rows", "weights"


def make_weights_note(
    sampling: Sampling | None,
    said: Mapping[str, Any] | None,
    warned: Collection[str],
    algorithms: Sequence[str],
) -> Note | None:
    """The note on how algorithms learned; None where the sampling has no weights.

    `said` is what the study says of it. Studies of earlier versions say nothing, but algorithms
    that took no weights `warned` of it; all others of such a study learned by weights.
    """
    if sampling is None or sampling.name != BAYESIAN_BOOTSTRAP.name:
        return None
    lacking = tuple(name for name in algorithms if name in (said["lacking"] if said else warned))
    if said is not None and said["by"] == WEIGHTS:
        return Note(TAKEN, DETAIL)
    if said is not None or len(lacking) == len(algorithms):
        return Note(DRAWN, REMARK, lacking=lacking, of=len(algorithms))
    if not lacking:
        return Note(TAKEN, DETAIL)
    weighted = tuple(name for name in algorithms if name not in lacking)
    return Note(UNLIKE, CAUTION, drawn=lacking, weighted=weighted)


def describe_weights(sampling: Sampling | None, notes: Iterable[Note]) -> Sampling | None:
    """The sampling with what the notes tell of how its weights were given."""
    detail = next((DETAILS[note.code] for note in notes if note.code in DETAILS), "")
    return replace(sampling, detail=detail) if sampling is not None and detail else sampling
