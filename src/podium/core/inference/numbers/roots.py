"""Roots of covariances that random points are turned by, the same whatever computes them.

Eigenvectors are a matter of rounding: each has two signs, and those of equal eigenvalues may be any
basis of their space. Libraries of linear algebra choose by the processor that they find. Points
that are drawn along them are then other points, and what is counted in them differs by the error of
the method. Both roots here are functions of the covariance alone and hardly change if its last
digits do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TINY = 1e-12  # of an eigenvalue or a squared length, as a share of the largest: rounding
NEARLY = 0.87  # of the longest: rows that are as long but for rounding are taken in their order


def find_symmetric_root(covariance: Array) -> Array:
    """The one root that is symmetric and has no negative eigenvalue.

    >>> find_symmetric_root(np.array([[4.0, 0.0], [0.0, 0.0]]))
    array([[2., 0.],
           [0., 0.]])
    """
    size, axes = np.linalg.eigh(covariance)
    least = TINY * size.max(initial=0.0)
    return np.asarray((axes * np.sqrt(np.where(size > least, size, 0.0))) @ axes.T)


def find_axes(rows: Array) -> Array:
    """The same rows up to a rotation, in as few dimensions as they fill.

    Each axis lies along what the axes before it leave of a row: of the longest rest, and of those
    that are nearly as long the first (Gram and Schmidt, with pivots). A row counts from the axis on
    that it was chosen for, so that only angles between rows matter.

    >>> find_axes(np.array([[0.0, -2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 4.0, 0.0]]))
    array([[-2.,  0.],
           [ 0.,  1.],
           [ 4.,  0.]])
    """
    rest, least = rows.copy(), TINY * (rows**2).sum(axis=1).max(initial=0.0)
    columns: list[Array] = []
    for _ in range(min(rows.shape)):
        squares = (rest**2).sum(axis=1)
        if not squares.max() > least:
            break
        chosen = int(np.argmax(squares >= NEARLY * squares.max()))
        axis = rest[chosen] / np.sqrt(squares[chosen])
        column = (rest * axis).sum(axis=1)
        rest = rest - column[:, None] * axis
        rest[chosen] = 0.0
        columns.append(column)
    return np.column_stack(columns) if columns else np.zeros((len(rows), 0))
