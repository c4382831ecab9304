"""Notes as sentences: `say`, with the words of all rooms loaded."""

from __future__ import annotations

from podium.base import rooms
from podium.words.facts import say

rooms.load("words")

__all__ = ["say"]
