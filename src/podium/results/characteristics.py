"""The characteristics of the data sets of results, as they were computed when they were run."""

from __future__ import annotations

import pandas as pd

from podium.errors import ResultsError
from podium.results.results import Results

KEY = "characteristics"  # in the facts that a store keeps of each data set


def characteristics(results: Results) -> pd.DataFrame:
    """One row per data set with its task and its characteristics; empty cells mean nothing.

    `podium.design.characteristics.CHARACTERISTICS` says what each column is.
    """
    found = {d: results.facts.get(d, {}) for d in results.datasets}
    if not any(KEY in facts for facts in found.values()):
        raise ResultsError(
            "These results know no characteristics of their data sets: they are computed when a "
            "study is run. Run it into a new store."
        )
    rows = [
        {"dataset": d, "task": facts.get("task", ""), **facts.get(KEY, {})}
        for d, facts in found.items()
    ]
    table = pd.DataFrame(rows)
    numbers = [c for c in table.columns if c not in ("dataset", "task")]
    return table.assign(**{c: table[c].astype(float) for c in numbers})
