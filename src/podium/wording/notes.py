"""Notes as sentences: `say`, with the words of all notes loaded."""

from __future__ import annotations

from podium.wording import (  # noqa: F401  their words register themselves
    notes_designs,
    notes_planning,
    notes_plots,
    notes_results,
    notes_stability,
    notes_surveys,
    notes_tests,
)
from podium.wording.voices import say

__all__ = ["say"]
