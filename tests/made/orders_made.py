"""Orders of data sets to draw: by hand from orders, and from results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from comparisons_made import by_hand

import podium
from podium import Comparisons, Order, Results, consensus
from podium.core.inference.comparing.comparisons import Blocks
from podium.core.orders import DatasetOrders
from podium.core.orders.distances import dendrogram, distances

NAMES = [f"data set {j}" for j in range(1, 8)]


def made(
    orders: Mapping[str, Order | str],
    means: Mapping[str, Sequence[float]] | None = None,
    measure: str = "error",
    refused: Mapping[str, str] | None = None,
) -> DatasetOrders:
    """What by_dataset would give for these orders and mean scores (0.1, 0.2, ... unless said)."""
    read = {n: podium.order(o) if isinstance(o, str) else o for n, o in orders.items()}
    algorithms = sorted(next(iter(read.values())).algorithms)
    usual = [0.1 * (i + 1) for i in range(len(algorithms))]
    found = {
        name: _comparisons(name, algorithms, (means or {}).get(name, usual), measure)
        for name in read
    }
    apart = distances(list(read.values()))
    return DatasetOrders(
        comparisons=found,
        orders=read,
        refused=refused or {},
        table=pd.DataFrame({"dataset": list(read)}),
        consensus=consensus(list(read.values())),
        weights=dict.fromkeys(read, 1.0),
        distances=pd.DataFrame(apart, list(read), list(read)),
        dendrogram=dendrogram(apart, list(read)),
        distance=float(apart[np.triu_indices(len(apart), 1)].mean()),
        ranks=pd.DataFrame(),
        concordance=float("nan"),
        pairs=pd.DataFrame(),
        population="",
        notes=(),
    )


def _comparisons(
    dataset: str, algorithms: Sequence[str], means: Sequence[float], measure: str
) -> Comparisons:
    return by_hand(
        algorithms,
        means=dict(zip(algorithms, means, strict=True)),
        measure=measure,
        higher_is_better=measure == "accuracy",
        target="sample",
        blocks=Blocks("resample", 10),
        dataset=dataset,
    )


def repeated(results: Results, datasets: Sequence[str] = ("one", "two $x$", "<b>")) -> Results:
    """The scores of one data set again for others, a little worse each time."""
    one = results.to_pandas().rename(columns={"value": "error"}).drop(columns="measure")
    parts = [one.assign(dataset=d, error=one["error"] + 0.01 * j) for j, d in enumerate(datasets)]
    return podium.read(pd.concat(parts, ignore_index=True), sampling="bootstrap", measure="error")


def four() -> DatasetOrders:
    """Four orders of four algorithms, two of them the same."""
    return made(
        {
            "monks": "a ≻ b ≻ c ≻ d",
            "sonar": "d ≻ c ≻ b ≈ a",
            "glass": "a ≻ b ≻ c ≻ d",
            "iris": "a ≈ b ≻ c ≻ d",
        },
        {"sonar": [0.4, 0.3, 0.2, 0.1]},
    )
