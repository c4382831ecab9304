"""Where names stand beside points so that they hide as little as possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

WIDE = 0.58  # a letter's mean width as a share of its size
NO_LINES, NO_WIDTHS = np.empty((0, 2, 2)), np.empty(0)


def beside(
    points: np.ndarray,
    labels: Sequence[str],
    size: float,
    gap: float = 5.0,
    lines: np.ndarray = NO_LINES,
    widths: np.ndarray = NO_WIDTHS,
) -> np.ndarray:
    """The shift of each name's middle from its point, in one of eight directions; all in points.

    One name after the other takes the place that overlaps least with the points, with the names
    before it and with lines (n x 2 ends x 2) of these widths; above is preferred, then below, right
    and left, and a place near the point to one at twice the distance.
    """
    halves = np.array([(WIDE * size * len(label) / 2, size / 2) for label in labels])
    taken = np.column_stack([points - gap / 2, points + gap / 2])  # boxes: left, bottom, ...
    shifts = np.empty((len(labels), 2))
    for i, half in enumerate(halves):
        tried = np.vstack([_around(half, gap), _around(half, 2 * gap)])
        middles = points[i] + tried
        boxes = np.column_stack([middles - half, middles + half])
        hidden = [3 * _overlap(box, taken) + widths @ _inside(box, lines) for box in boxes]
        best = int((np.array(hidden) + _farther(tried, size)).argmin())
        shifts[i] = tried[best]
        taken = np.vstack([taken, boxes[best]])
    return shifts


def _around(half: np.ndarray, gap: float) -> np.ndarray:
    """Above, below, right, left, and the corners."""
    x, y = half + gap
    near = half[0] + gap / 2
    corners = [(near, y), (-near, y), (near, -y), (-near, -y)]
    return np.array([(0, y), (0, -y), (x, 0), (-x, 0), *corners])


def _farther(tried: np.ndarray, size: float) -> np.ndarray:
    """What a place costs by itself: the order of directions, and the area of a letter if far."""
    return 1e-6 * np.arange(len(tried)) + size**2 * (np.arange(len(tried)) >= len(tried) // 2)


def _overlap(box: np.ndarray, boxes: np.ndarray) -> float:
    """The area that a box shares with others."""
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    return float(np.clip(high - low, 0.0, None).prod(axis=1).sum())


def _inside(box: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """How much of the length of each line is in a box (Liang and Barsky 1984)."""
    start, along = lines[:, 0], lines[:, 1] - lines[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(box[:2] - start) / along, (box[2:] - start) / along])
    level = along == 0  # parallel to a side: within it all along, or never
    within = (start >= box[:2]) & (start <= box[2:])
    enter = np.where(level, np.where(within, 0.0, np.inf), ends.min(axis=0)).max(axis=1)
    leave = np.where(level, np.where(within, 1.0, -np.inf), ends.max(axis=0)).min(axis=1)
    share = np.clip(np.minimum(leave, 1.0) - np.maximum(enter, 0.0), 0.0, None)
    return np.asarray(share * np.hypot(along[:, 0], along[:, 1]))
