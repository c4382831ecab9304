"""Facts to English, one voice each for terminal, page and paper; nothing else builds sentences.

The files of notes' words are loaded with the first of them, so that whoever says a note has them.
"""

from podium.wording import notes_orders, notes_planning, notes_stability, notes_surveys

__all__ = ["notes_orders", "notes_planning", "notes_stability", "notes_surveys"]
