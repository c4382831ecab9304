"""Registered studies in a terminal: what was done otherwise than planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.registered.words import NO_DEVIATION, PLANNED_AND_DONE
from podium.words.presentation import text

if TYPE_CHECKING:
    import pandas as pd


def deviations_text(deviations: pd.DataFrame) -> str:
    """All that was done otherwise than planned, or that there is nothing."""
    return text([], {PLANNED_AND_DONE: deviations}, []) if len(deviations) else NO_DEVIATION
