"""How small a p-value can be: tests that count patterns of signs or orders have a smallest one."""

from __future__ import annotations

import math

import numpy as np

from podium.inference.bricks.adjustments import Statistics
from podium.inference.bricks.hall import wins_and_losses
from podium.inference.bricks.nulls import RANDOM, Known
from podium.inference.comparing.request import Request
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import Procedure

COUNTING = ("exact", "mid-p", "permutation")  # nulls


def least_adjusted(layout: Layout, procedure: Procedure, request: Request) -> np.ndarray | None:
    """The smallest adjusted p-value of every pair, whatever the sizes; None where there is none."""
    counts = (
        request.null.name in COUNTING
        and not procedure.judges(layout)
        and procedure.bayes.posterior is None
    )
    if not counts or procedure.needs.unpaired or not request.pairs:
        return None
    if not procedure.pairwise:
        least = _of_orders(layout, request)
        return np.full(len(request.pairs), least)
    p = _of_signs(layout, request)
    facts = request.two_sided, request.pairs, len(layout.algorithms), _nothing
    return np.asarray(request.adjust.adjusted(Statistics(np.ones(len(p)), Known(p), *facts)))


def _of_signs(layout: Layout, request: Request) -> np.ndarray:
    """All n differences of one sign: 2^(1-n), or half of it in one direction."""
    wins, ties, losses = wins_and_losses(layout.by_dataset(), request.pairs)
    n = wins + losses + (ties if request.relevance else 0)
    p = 0.5 ** np.maximum(n - request.two_sided, 0)
    if request.null.name in RANDOM:
        return np.maximum(p, 1 / (request.null.draws + 1))
    return p / 2 if request.null.name == "mid-p" else p


def _of_orders(layout: Layout, request: Request) -> float:
    """All J blocks in one of K! orders: (K!)^(1-J)."""
    orders = math.lgamma(len(layout.algorithms) + 1)
    least = math.exp((1 - len(layout.by_dataset())) * orders)
    return max(least, 1 / (request.null.draws + 1)) if request.null.name in RANDOM else least


def _nothing(columns: tuple[int, ...]) -> float:
    raise AssertionError("pairs that are scored one by one know no subsets")
