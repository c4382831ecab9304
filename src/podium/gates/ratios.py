"""New over old of what is spent, with limits that invert the very test of their difference.

The old scores are multiplied by r, and the limit is the r at which the difference is just
significant: by a t test that is Fieller's limit (1954), by Hall's the corrected one. Means count,
not logarithms: what is paid is a sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import special

from podium.gates.side import NEW, OLD
from podium.inference.comparing.compare import compare
from podium.inference.comparing.legality import one_of_several
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.options import Options
from podium.reading.cells.measure_names import is_resource

STEP, FARTHEST = 0.1, 10.0  # of the logarithm: beyond it there is no limit
MOST_STEPS, EXACT = 30, 1e-9
LEAST_P = 1e-300


def multiplied(layout: Layout, factor: float) -> Layout:
    """The layout with the old scores times a factor."""
    values = layout.values.copy()
    values[:, layout.algorithms.index(OLD)] *= factor
    return replace(layout, values=values)


def ratio_of(layout: Layout, options: Options) -> tuple[float, float, float] | None:
    """The ratio of means with one-sided limits; None where nothing is spent, or a mean is 0."""
    if not is_resource(layout.measure):
        return None
    means = layout.means()
    old, new = means[OLD], means[NEW]
    if not (old > 0 and new > 0 and math.isfinite(old * new)):
        return None
    options = options.but(procedure=options.procedure or one_of_several(layout))
    ratio = new / old
    if (np.nanstd(layout.values, axis=0) == 0).all():  # a list price is known
        return ratio, ratio, ratio

    def beyond(log: float, way: str) -> float:
        """How far the p-value at a ratio is from alpha, as normal quantiles; negative: shown."""
        table = compare(multiplied(layout, math.exp(log)), options.but(alternative=way)).table
        p = float(np.clip(table["p"].iloc[0], LEAST_P, 1 - 1e-16))
        return float(special.ndtri(p) - special.ndtri(options.alpha))

    upper = _limit(lambda log: beyond(log, "less"), math.log(ratio), 1)
    lower = _limit(lambda log: beyond(log, "greater"), math.log(ratio), -1)
    return ratio, lower, upper


def _limit(beyond: Callable[[float], float], start: float, way: int) -> float:
    """The nearest ratio that is ruled out; infinite or 0 where none is.

    Quantiles of p are nearly linear in the ratio: secants that keep the limit between them (the
    Illinois rule; Dowell and Jarratt 1971) need a few steps.
    """
    near, at_near, step = start, beyond(start), STEP
    far, at_far = start + way * step, beyond(start + way * step)
    while at_far > 0:
        step *= 2
        if step > FARTHEST:
            return math.inf if way > 0 else 0.0
        near, at_near = far, at_far
        far = start + way * step
        at_far = beyond(far)
    for _ in range(MOST_STEPS):
        middle = far - at_far * (far - near) / (at_far - at_near)
        at_middle = beyond(middle)
        if at_middle * at_far < 0:
            near, at_near = far, at_far
        else:
            at_near /= 2
        far, at_far = middle, at_middle
        if abs(far - near) < EXACT or abs(at_far) < EXACT:
            break
    return math.exp(far)
