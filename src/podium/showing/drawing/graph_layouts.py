"""Where nodes, lines and names of graphs are: in layers, by springs, and names beside points.

Layered drawings are of directed graphs without cycles (Sugiyama, Tagawa and Toda 1981). Nodes are
numbers; an edge that passes over layers gets a bend in each of them, so that it can run between the
nodes there. Springs place points in the plane so that their distances are as given as far as
possible (Kamada and Kawai 1989). Names stand where they hide as little as possible.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from podium.core.inference.numbers.roots import find_axes

Floats = NDArray[np.float64]
Edge = tuple[int, int]
SWEEPS = 24  # down and up
BEND = 1.5  # the width of a bend
STARTS = 8  # of springs
SAME = 1e-6  # of two stresses, relative to them
UNEVEN = 1e-3  # of the largest distance
WIDE = 0.58  # a letter's mean width as a share of its size
NO_LINES, NO_WIDTHS = np.empty((0, 2, 2)), np.empty(0)


# -- layers ---------------------------------------------------------------------------------------


def bent(levels: Sequence[int], edges: Sequence[Edge]) -> tuple[list[int], list[list[int]]]:
    """The levels of nodes and bends, and the path of every edge through its bends."""
    every, paths = list(levels), []
    for upper, lower in edges:
        between = range(levels[upper] + 1, levels[lower])
        bends = list(range(len(every), len(every) + len(between)))
        every += between
        paths.append([upper, *bends, lower])
    return every, paths


def places(levels: Sequence[int], paths: Sequence[Sequence[int]], widths: Floats) -> Floats:
    """The x of every node and bend: few crossings, no overlaps, edges as steep as may be."""
    links = [pair for path in paths for pair in itertools.pairwise(path)]
    above, below = _neighbours(links, len(levels))
    rows = [[i for i, at in enumerate(levels) if at == n] for n in range(max(levels) + 1)]
    rows = _fewest_crossings(rows, links, above, below)
    x = np.zeros(len(levels))
    for row in rows:
        x[row] = apart(np.zeros(len(row)), widths[row])
    both = [up + down for up, down in zip(above, below, strict=True)]
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 else rows[::-1]:
            wanted = [float(np.mean(x[both[i]])) if both[i] else x[i] for i in row]
            x[row] = apart(np.array(wanted), widths[row])
    return x


def _neighbours(links: Sequence[Edge], size: int) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in range(size)]
    below: list[list[int]] = [[] for _ in range(size)]
    for upper, lower in links:
        above[lower].append(upper)
        below[upper].append(lower)
    return above, below


def _fewest_crossings(
    rows: list[list[int]],
    links: Sequence[Edge],
    above: list[list[int]],
    below: list[list[int]],
) -> list[list[int]]:
    """The best order of the rows that sweeps by barycentres come to."""
    best, fewest = rows, crossings(rows, links)
    for sweep in range(SWEEPS):
        rows = _swept(rows, above) if sweep % 2 == 0 else _swept(rows[::-1], below)[::-1]
        count = crossings(rows, links)
        if count < fewest:
            best, fewest = rows, count
    return best


def _swept(rows: list[list[int]], neighbours: list[list[int]]) -> list[list[int]]:
    """Each row sorted by the mean place of its neighbours in the row before."""
    place = {i: n for row in rows for n, i in enumerate(row)}
    made = [rows[0]]
    for row in rows[1:]:
        centre = {i: np.mean([place[j] for j in neighbours[i]] or [place[i]]) for i in row}
        made.append(sorted(row, key=lambda i: (centre[i], place[i])))
        place |= {i: n for n, i in enumerate(made[-1])}
    return made


def crossings(rows: Sequence[Sequence[int]], links: Sequence[Edge]) -> int:
    """How many pairs of links between two rows cross."""
    place = {i: n for row in rows for n, i in enumerate(row)}
    level = {i: n for n, row in enumerate(rows) for i in row}
    ends = np.array([(level[a], place[a], place[b]) for a, b in links]).reshape(-1, 3)
    count = 0
    for n in range(len(rows)):
        top, low = ends[ends[:, 0] == n, 1:].T
        count += int(((top[:, None] < top) & (low[:, None] > low)).sum())
    return count


def apart(wanted: Floats, widths: Floats) -> Floats:
    """The places nearest to those wanted at which neighbours do not overlap (least squares)."""
    from scipy.optimize import isotonic_regression

    steps = np.r_[0.0, np.cumsum((widths[:-1] + widths[1:]) / 2)]
    return np.asarray(isotonic_regression(wanted - steps).x + steps, float)


# -- springs --------------------------------------------------------------------------------------


def placed(distances: Floats, seed: int = 0, starts: int = STARTS) -> Floats:
    """Points with the least stress that several starts find, turned into a standard position.

    Distances between two different points must be positive. Starts are the classical scaling and
    random points. The two points with the largest distance lie on a level, the first at the left,
    and the first point that is off the line through them lies above it.
    """
    from threadpoolctl import threadpool_limits

    if len(distances) == 1:
        return np.zeros((1, 2))
    rng = np.random.default_rng(seed)
    scale = distances.max()
    first = classical(_make_unequal(distances))
    others = [rng.uniform(-scale / 2, scale / 2, first.shape) for _ in range(starts - 1)]
    with threadpool_limits(1):  # steps are small: on a busy machine threads take 100 times as long
        rough = [_settled(start, distances, steps=100) for start in (first, *others)]
        return _turned(_settled(_choose_best(rough, distances), distances, steps=5000), distances)


def _choose_best(figures: Sequence[Floats], distances: Floats) -> Floats:
    """The one with the least stress; of those that differ by rounding alone the first."""
    stresses = np.array([stress(points, distances)[0] for points in figures])
    return figures[int(np.argmax(stresses <= stresses.min() * (1 + SAME) + SAME**2))]


def stress(points: Floats, distances: Floats) -> tuple[float, Floats]:
    """The energy of the springs, sum over pairs of (|p_i - p_j| / d_ij - 1)^2, and its gradient.

    Kamada and Kawai 1989, equation (2), with k_ij = 1 / d_ij^2 and the factor 1/2 left out.
    """
    wanted = np.where(np.eye(len(distances), dtype=bool), 1.0, distances)
    x, y = points.T
    length = np.hypot(x[:, None] - x, y[:, None] - y)
    off = length / wanted - 1
    np.fill_diagonal(off, 0.0)
    pull = off / (wanted * np.where(length > 0, length, 1.0))
    return float((off**2).sum() / 2), 2 * (pull.sum(axis=1)[:, None] * points - pull @ points)


def classical(distances: Floats) -> Floats:
    """The first two coordinates of classical scaling (Torgerson 1952), but for a rotation."""
    squares = distances**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    axes = find_axes(vectors[:, :-3:-1] * np.sqrt(np.clip(values[:-3:-1], 0.0, None)))
    return np.pad(axes, ((0, 0), (0, 2 - axes.shape[1])))


def _make_unequal(distances: Floats) -> Floats:
    """Nearly the same distances: of equal ones any plane is as good, and rounding would choose."""
    weights = np.exp(-np.arange(len(distances)) / len(distances))
    return distances + UNEVEN * distances.max() * np.abs(weights[:, None] - weights)


def _settled(start: Floats, distances: Floats, steps: int) -> Floats:
    """A local minimum of the stress, or what is near it after so many steps."""
    from scipy.optimize import minimize

    def energy(flat: Floats) -> tuple[float, Floats]:
        value, slope = stress(flat.reshape(start.shape), distances)
        return value, slope.ravel()

    # points in one place are pulled nowhere: a little unevenness parts them
    shape = start + 1e-4 * distances.max() * _uneven(len(start))
    # slopes end the search: near the best points the stress tells half of their digits
    options = {"maxiter": steps, "maxfun": 4 * steps, "ftol": 0.0, "gtol": 1e-10}
    result = minimize(energy, shape.ravel(), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(result.x).reshape(start.shape)


def _uneven(count: int) -> Floats:
    """Points on a circle at angles that do not repeat."""
    angle = np.arange(count) * np.pi * (3 - np.sqrt(5))
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _turned(points: Floats, distances: Floats) -> Floats:
    """The same figure around the origin in its standard position."""
    i, j = sorted(np.unravel_index(distances.argmax(), distances.shape))
    x, y = points[j] - points[i]
    turned = (points - points.mean(axis=0)) @ np.array([[x, -y], [y, x]]) / np.hypot(x, y)
    above = turned[:, 1] - turned[i, 1]
    off = above[np.abs(above) > 1e-6 * distances.max()]
    return turned * [1.0, -1.0] if off.size and off[0] < 0 else turned


# -- names ----------------------------------------------------------------------------------------


def names_beside_points(
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
