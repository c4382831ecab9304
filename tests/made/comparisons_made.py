"""Comparisons made by hand, for tests of what is shown and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from podium import Comparisons, Layout, Measure
from podium.core.inference.bricks.adjustments import ADJUSTMENTS
from podium.core.inference.bricks.nulls import parse_null
from podium.core.inference.comparing.comparisons import COLUMNS, Blocks, Method
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import stated
from podium.core.words.facts import Hypothesis


def by_hand(
    algorithms: Sequence[str], rows: Sequence[tuple[Any, ...]] = (), **changes: Any
) -> Comparisons:
    """Comparisons of data sets with these pairs; other facts may be changed."""
    measure = Measure(changes.get("measure", "error"), changes.get("higher_is_better", False))
    target = "dataset-population"
    layout = Layout(np.zeros((9, len(algorithms))), tuple(algorithms), "dataset", target, measure)
    procedure = PROCEDURES["paired-t"]
    facts = {
        "table": pd.DataFrame(list(rows), columns=COLUMNS),
        "algorithms": tuple(algorithms),
        "means": {name: 0.1 * i for i, name in enumerate(algorithms)},
        "measure": measure.name,
        "higher_is_better": measure.higher_is_better,
        "procedure": procedure.name,
        "method": Method(procedure, parse_null("asymptotic"), ADJUSTMENTS["holm"]),
        "blocks": Blocks("dataset", 9),
        "target": target,
        "claim": stated(layout, Hypothesis(procedure.hypothesis)),
        "overall": None,
    }
    return Comparisons(**(facts | changes))
