"""How much what is spent varies: long tails of costs and times, which tests of means err on."""

from __future__ import annotations

import numpy as np

from podium.inference.layouts.layouts import Layout
from podium.reading.cells.measure_names import is_resource
from podium.words.facts import CAUTION, REMARK, Note

MOST_SKEWED = 2.0  # skewness from which tests of means err
UNLIKE = 1.5  # times the least sd over mean


def spread_note(layout: Layout) -> Note | None:
    """A caution where costs are skewed and one algorithm's are more spread than another's."""
    if not is_resource(layout.measure) or len(layout.values) < 3:
        return None
    values = layout.sign * layout.values
    mean, sd = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    varies = (sd > 0) & (mean > 0)
    if not varies.any():
        return None
    places, mean, sd = np.flatnonzero(varies), mean[varies], sd[varies]
    skewness = np.nanmean(((values[:, varies] - mean) / sd) ** 3, axis=0)
    worst = int(np.argmax(skewness))
    if skewness[worst] < MOST_SKEWED:
        return None
    spread = sd / mean
    unlike = bool(spread.max() > UNLIKE * spread.min())
    return Note(
        "spread-costs",
        CAUTION if unlike else REMARK,
        measure=layout.measure.name,
        algorithm=layout.algorithms[places[worst]],
        skewness=float(skewness[worst]),
    )
