"""Learning curves: scores by the number of rows that were learned from."""

from __future__ import annotations

import pandas as pd

from podium.errors import ResultsError
from podium.results.results import Results

COLUMNS = ["dataset", "algorithm", "measure", "size", "mean", "sd", "samples"]


def learning_curve(results: Results, measure: str | None = None) -> pd.DataFrame:
    """Mean and sd of the scores of every data set, algorithm and measure at every size.

    A size is a number of rows, or a share of those that a sample has to learn from; `samples`
    counts the scores there are. Data sets without sizes are left out.
    """
    sizes = {d: (f["of"], f["size"]) for d, f in results.facts.items() if "size" in f}
    if not sizes:
        raise ResultsError(
            f"The results of '{results.name}' have one training size: run a study with "
            "sizes=[...] for learning curves."
        )
    chosen = list(results.measures) if measure is None else [measure]
    table = pd.concat([results.values(m).assign(measure=m) for m in chosen], ignore_index=True)
    table = table[table["dataset"].isin(sizes)]
    full, rows = zip(*(sizes[d] for d in table["dataset"]), strict=True) if len(table) else ((), ())
    table = table.assign(dataset=list(full), size=list(rows))
    for column in ("dataset", "algorithm", "measure"):  # in the study's order
        table[column] = pd.Categorical(table[column], categories=table[column].unique())
    cells = table.groupby(COLUMNS[:4], observed=True)["value"]
    curve = cells.agg(mean="mean", sd="std", samples="count").reset_index()
    return curve.astype(dict.fromkeys(COLUMNS[:3], str))[COLUMNS]
