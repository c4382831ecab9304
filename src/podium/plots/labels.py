"""Where names stand beside points so that they hide as little as possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WIDE = 0.58  # a letter's mean width as a share of its size


def beside(points: np.ndarray, labels: Sequence[str], size: float, gap: float = 5.0) -> np.ndarray:
    """The shift of each name's middle from its point, one of eight directions; all in points.

    One name after the other takes the place that overlaps least with the points and with the names
    before it; above is preferred, then below, right and left.
    """
    widths = np.array([WIDE * size * len(label) for label in labels])
    taken = np.column_stack([points - gap / 2, points + gap / 2])  # boxes: left, bottom, ...
    shifts = np.empty((len(labels), 2))
    for i, width in enumerate(widths):
        half = np.array([width / 2, size / 2])
        tried = _around(half, gap)
        middles = points[i] + tried
        boxes = np.column_stack([middles - half, middles + half])
        hidden = np.array([_overlap(box, taken) for box in boxes])
        best = int((hidden + 1e-6 * np.arange(len(tried))).argmin())
        shifts[i] = tried[best]
        taken = np.vstack([taken, boxes[best]])
    return shifts


def _around(half: np.ndarray, gap: float) -> np.ndarray:
    """Above, below, right, left, and the corners."""
    x, y = half + gap
    near = half[0] + gap / 2
    corners = [(near, y), (-near, y), (near, -y), (-near, -y)]
    return np.array([(0, y), (0, -y), (x, 0), (-x, 0), *corners])


def _overlap(box: np.ndarray, boxes: np.ndarray) -> float:
    """The area that a box shares with others."""
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    return float(np.clip(high - low, 0.0, None).prod(axis=1).sum())
