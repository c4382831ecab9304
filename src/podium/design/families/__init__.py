"""Algorithm families by name: classic algorithms that tune themselves inside the learning sample.

`FAMILIES["svm"]` is what `estimator = "svm"` in a study file means. Every family takes what a data
set holds (numbers, nominal attributes, gaps), is deterministic for a given `random_state`, and says
after fitting what it chose (`chosen_`) and how long choosing took (`tuning_time_`). Whatever
scikit-learn has as it is needs no family: name it by its dotted path.
"""

from podium.design.families import (
    bayes,
    discriminants,
    machines,
    neighbours,
    networks,
    plain,
    trees,
)
from podium.design.families.base import FAMILIES, Family

__all__ = [
    "FAMILIES",
    "Family",
    "bayes",
    "discriminants",
    "machines",
    "neighbours",
    "networks",
    "plain",
    "trees",
]
