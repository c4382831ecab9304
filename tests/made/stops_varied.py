"""Plans of every kind by which studies stop, and scores of such studies."""

from __future__ import annotations

from typing import Any

import numpy as np
from layouts_made import noise

from podium.core.inference.numbers.boundaries import HULL, RACE, RANKS

LOOKS = (8, 16, 24, 40)
PLANS: dict[str, dict[str, Any]] = {
    "order": {},
    "by squares": {"spending": "power2", "alpha": 0.1},
    "margin": {"relevance": 0.6},
    "race": {"goal": RACE},
    "race with a margin": {"goal": RACE, "relevance": 0.2, "alpha": 0.1},
    "open": {"open": True},
    "open margin": {"open": True, "relevance": 0.5},
    "open of data sets": {"open": True, "few": True},
    "bounded": {"open": True, "bounds": (-8.0, 8.0)},
    "bounded margin": {"open": True, "bounds": (-8.0, 8.0), "relevance": 0.7},
    "hull": {"few": True, "test": HULL},
    "hull with a margin": {"few": True, "test": HULL, "relevance": 0.3},
    "ranks": {"few": True, "test": RANKS},
}
GAPS = np.array([[3, 0], [9, 1], [10, 1], [30, 2]])


def scores(k: int, gap: float) -> np.ndarray:
    """Blocks whose last algorithm is far ahead, with some gaps."""
    values = noise(40, k, 4) / 2 + gap * np.arange(k) ** 2
    values[tuple(GAPS[GAPS[:, 1] < k].T)] = np.nan
    return values
