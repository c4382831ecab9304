"""Algorithm families by name: classic algorithms that tune themselves inside the training set.

`FAMILIES["svm"]` is what `estimator = "svm"` in a study file means. Every family takes what a data
set holds (numbers, nominal attributes, gaps), is deterministic for a given `random_state`, and says
after fitting what it chose (`chosen_`) and how long choosing took (`tuning_time_`). Whatever
scikit-learn has as it is needs no family: name it by its dotted path. Every file of this folder is
loaded, and its families register themselves; where a family stands is part of the keys of its runs.
"""

import importlib
import pkgutil

from podium.running.design.families.base import FAMILIES, Family

for _found in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_found.name)

__all__ = ["FAMILIES", "Family"]
