"""Notes as sentences: `say`, with the words of all notes loaded."""

from __future__ import annotations

from podium.wording import (  # noqa: F401  their words register themselves
    notes_blocks,
    notes_boards,
    notes_choices,
    notes_designs,
    notes_gates,
    notes_meta,
    notes_neutral,
    notes_pairs,
    notes_planning,
    notes_plot_orders,
    notes_plots,
    notes_population,
    notes_recommending,
    notes_registered,
    notes_results,
    notes_stability,
    notes_stopping,
    notes_surveys,
    notes_tests,
)
from podium.wording.voices import say

__all__ = ["say"]
