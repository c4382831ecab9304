"""Points in the plane whose distances are as given as far as possible (Kamada and Kawai 1989)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STARTS = 8


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
    first = classical(distances)
    others = [rng.uniform(-scale / 2, scale / 2, first.shape) for _ in range(starts - 1)]
    with threadpool_limits(1):  # steps are small: on a busy machine threads take 100 times as long
        rough = [_settled(start, distances, steps=100) for start in (first, *others)]
        best = min(rough, key=lambda points: stress(points, distances)[0])
        return _turned(_settled(best, distances, steps=5000), distances)


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
    """The first two coordinates of classical scaling (Torgerson 1952)."""
    squares = distances**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    return np.asarray(vectors[:, :-3:-1] * np.sqrt(np.clip(values[:-3:-1], 0.0, None)))


def _settled(start: Floats, distances: Floats, steps: int) -> Floats:
    """A local minimum of the stress, or what is near it after so many steps."""
    from scipy.optimize import minimize

    def energy(flat: Floats) -> tuple[float, Floats]:
        value, slope = stress(flat.reshape(start.shape), distances)
        return value, slope.ravel()

    # points in one place are pulled nowhere: a little unevenness parts them
    shape = start + 1e-4 * distances.max() * _uneven(len(start))
    options = {"maxiter": steps, "maxfun": 4 * steps, "ftol": 1e-15, "gtol": 1e-9}
    found = minimize(energy, shape.ravel(), jac=True, method="L-BFGS-B", options=options)
    return np.asarray(found.x).reshape(start.shape)


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
