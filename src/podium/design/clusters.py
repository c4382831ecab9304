"""How good a clustering is: against true labels, or against the distances between rows."""

from __future__ import annotations

import numpy as np

from podium.design.outputs import PREDICTED, Output, Undefined


def adjusted_rand(o: Output) -> float:
    """The share of pairs that clusters and labels treat alike, corrected for chance.

    0 is expected of clusters drawn at random, 1 is agreement but for names (Hubert & Arabie 1985,
    equation 5).
    """
    from sklearn.metrics import adjusted_rand_score

    if len(o.y) < 2:
        raise Undefined("adjusted-rand needs at least two test rows")
    return float(adjusted_rand_score(o.y, o.get(PREDICTED)))


def silhouette(o: Output) -> float:
    """The mean silhouette of the test rows, by Euclidean distances of the attributes as given.

    Rousseeuw (1987); a row that is alone in its cluster counts 0.
    """
    from sklearn.metrics import silhouette_score

    clusters = len(np.unique(o.get(PREDICTED)))
    if not 2 <= clusters < len(o.y):
        raise Undefined(
            f"silhouette needs from 2 clusters to one less than rows, not {clusters} of {len(o.y)}"
        )
    return float(silhouette_score(np.asarray(o.X, dtype=float), o.get(PREDICTED)))
