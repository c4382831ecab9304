"""Notes as sentences: `say`, with the words of all rooms loaded."""

from __future__ import annotations

from importlib import import_module

from podium.words.voices import say

ROOMS = (  # whose words register themselves; by name, for they stand above this file
    "words.notes.of_blocks",
    "words.notes.of_boards",
    "words.notes.of_designs",
    "words.notes.of_neutrality",
    "words.notes.of_pairs",
    "words.notes.of_plotted_orders",
    "words.notes.of_plots",
    "words.notes.of_populations",
    "words.notes.of_results",
    "words.notes.of_surveys",
    "words.notes.of_tests",
    "choices.words",
    "gates.note_words",
    "planning.words",
    "registered.words",
    "robustness.words",
    "sequential.words",
    "surveys.recommending_words",
    "synthesis.words",
)
for _room in ROOMS:
    import_module(f"podium.{_room}")

__all__ = ["say"]
