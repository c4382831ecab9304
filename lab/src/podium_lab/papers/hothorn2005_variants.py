"""Hothorn et al. (2005), Section 5.3: which difference of implementation moves an algorithm.

Ionosphere and Breast Cancer with one thing changed at a time, on the same bootstrap samples, judged
out of bag. The paper's programs differ from ours in these; what it prints are orders alone.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import podium
from podium import samplings
from podium.errors import DesignError
from podium.running.design.data.datasets import dataset
from podium_lab.papers.bundling import Bundling, StabilisedLda
from podium_lab.papers.hothorn2005 import ITEMS
from podium_lab.papers.hothorn2005_studies import Source, breastcancer, ionosphere
from podium_lab.papers.replication import (
    Asked,
    Cell,
    Item,
    Measured,
    Replication,
    executed,
)

SAMPLES, QUICK = 50, 5
TREES, FEW_TREES = 50, 10
SMALL: dict[str, Any] = {"costs": [1, 4, 16], "gammas": [2**-6, 2**-4, 2**-2], "folds": 5}
BUNDLED: dict[str, dict[str, Any]] = {
    "bundling": {},
    "bundling, trees that stop as rpart's": {"least": (20, 7)},
    "bundling, slda as ipred's": {"helpers": ("ipred slda", "logistic", "neighbours")},
    "bundling, neighbours unscaled": {"helpers": ("slda", "logistic", "unscaled neighbours")},
    "bundling, without slda": {"helpers": ("logistic", "neighbours")},
    "bundling, without logistic regression": {"helpers": ("slda", "neighbours")},
    "bundling, without neighbours": {"helpers": ("slda", "logistic")},
    "bundling, votes": {"votes": True},
    "bundling, no helpers": {"helpers": ()},
    "bundling, all as ipred's": {
        "helpers": ("ipred slda", "logistic", "unscaled neighbours"), "least": (20, 7),
    },
}  # fmt: skip
RAW = ("ipred", "unscaled")  # variants that would be none if attributes were standardised before


def algorithms(quick: bool) -> list[podium.Algorithm]:
    """What the paper compares, each beside its variants."""
    coded = partial(podium.algorithm, preprocess=True)
    raw = partial(podium.algorithm, preprocess="eugster2008")  # attributes as they are
    trees = FEW_TREES if quick else TREES
    machine = "podium.running.design.families.machines.Svm"
    return [
        podium.algorithm("svm", machine, **(SMALL if quick else {})),
        podium.algorithm("svm, small grid", machine, **SMALL),
        coded("slda", StabilisedLda),
        raw("slda, as ipred's", StabilisedLda, form="ipred slda"),
        coded("random forest", "sklearn.ensemble.RandomForestClassifier", n_estimators=trees),
        *[
            (raw if any(word in name for word in RAW) else coded)(
                name, Bundling, n_estimators=trees, **how
            )
            for name, how in BUNDLED.items()
        ],
    ]


def without_gaps(source: Source, request: Asked) -> podium.Dataset | None:
    """The complete rows of a data set; None where all are."""
    assert request.data is not None
    frame = pd.read_csv(request.data / f"{source.name}.csv")
    whole = frame.dropna()
    if len(whole) == len(frame):
        return None
    columns = whole.drop(columns="target").astype(float)
    target = whole["target"].astype(str).to_numpy()
    return dataset(f"{source.name}, complete rows", columns, target)


def variants(request: Asked, *, samples: int | None = None) -> Replication:
    """Errors of all variants, and how far each is from what is shipped."""
    if request.data is None:
        raise DesignError(
            "Ionosphere and Breast Cancer are read from files: say --data DIR (data=DIR), a folder "
            "with Ionosphere.csv and BreastCancer.csv."
        )
    count = samples or (QUICK if request.quick else SAMPLES)
    sources = ionosphere.source, breastcancer.source
    given = [source.load(request.data) for source in sources]
    given += [one for source in sources if (one := without_gaps(source, request)) is not None]
    study = podium.Study(
        given, algorithms(request.quick), sampling=samplings.bootstrap(count), measures=["error"],
        seed=2005 + request.seed, name="hothorn2005-variants",
    )  # fmt: skip
    results = executed(study, request)
    cells: list[Cell] = []
    for data in given:
        own = results.filter(dataset=data.name).wide("error")
        wide = own[[name for name in results.algorithms if name in own]].dropna()
        for name in wide.columns:
            shipped = name.partition(",")[0]
            cells.append(Measured(data.name, name, "error", np.nan, *_mean(wide[name])))
            if shipped != name:
                moved = wide[name] - wide[shipped]
                cells.append(Measured(data.name, name, "moved by", np.nan, *_mean(moved)))
        cells.append(Measured(data.name, "svm less slda", "error", np.nan,
                              *_mean(wide["svm"] - wide["slda"])))  # fmt: skip
        cells.append(Measured(data.name, "svm less slda, as ipred's", "error", np.nan,
                              *_mean(wide["svm"] - wide["slda, as ipred's"])))  # fmt: skip
    notes = (
        "One thing is changed at a time, on the same samples: standard errors are of paired "
        "differences, and of these samples of one learning sample.",
        f"{FEW_TREES if request.quick else TREES} trees instead of 250 in every ensemble.",
    )
    return Replication("hothorn2005", "variants", cells, notes, count, request.seed)


def _mean(values: pd.Series) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


ITEMS.add("variants", Item("What moves bundling, sLDA and the SVM: variants of each", variants))
