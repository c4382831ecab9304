"""How far small orders hang on what was drawn, left out or chosen: kept numbers and texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from snapshots import assert_kept
from tables_varied import TABLES, nested, scores, wide

import podium
from podium import left_out, stability
from podium.asking.robustness import joint_stability, randomness
from podium.asking.robustness.bootstrap import mean_ranks, place_counts, signs
from podium.asking.robustness.plots import rank_stability_data
from podium.asking.robustness.verbs import components
from podium.core.words.saying import Presented
from podium.errors import PodiumError

pytestmark = pytest.mark.numbers

MOST = 9  # rows of a table that are kept


def told(of: Presented, *tables: str) -> dict[str, Any]:
    """What a result says, its tables as far as they go, and the facts of its notes."""
    found: dict[str, Any] = {"said": of.above}
    for name, table in of._tables().items():
        short = table.head(MOST)
        found[name or "table"] = {str(c): short[c].map(_kept).tolist() for c in short}
    found["notes"] = list(of.notes)
    return found


def _kept(value: Any) -> Any:
    return value if isinstance(value, float | int | str | bool | np.generic) else str(value)


def failing(of: Any, *given: Any, **more: Any) -> Any:
    """What is told, or how it is refused."""
    try:
        return told(of(*given, **more))
    except PodiumError as error:
        return error


def read(name: str) -> podium.Results:
    """A table as its design is read."""
    return podium.read(TABLES[name].table, **TABLES[name].read)


OF_DESIGNS = {
    "data sets": {},
    "samples": {"alpha": 0.1},
    "missing": {"procedure": "hull"},
    "items": {"control": "lda"},
    "documents": {},
    "nested": {"relevance": 0.01, "procedure": "paired-t"},
    "repeated": {"target": "sample"},
    "timed in rounds": {"procedure": "max-modulus"},
    "alike": {},
    "folds": {},
    "own samples": {},
    "few data sets": {},
}


@pytest.mark.parametrize("name", list(OF_DESIGNS))
def test_stability(name: str) -> None:
    options = dict(OF_DESIGNS[name])
    found = {"drawn": failing(stability, read(name), resamples=100, orders=4, seed=2, **options)}
    if name in ("samples", "items", "missing"):
        same = {"resamples": 100, "orders": 2, "same_null": True, **options}
        found["null"] = failing(stability, read(name), **same)
    assert_kept("robustness", "stability", found, case=name, relative=1e-7)


@pytest.mark.parametrize(
    "name", ["data sets", "missing", "samples", "nested", "items", "folds", "two data sets"]
)
def test_left_out(name: str) -> None:
    options = {"missing": {"alternative": "less", "alpha": 0.2}, "items": {"control": "lda"}}
    found = failing(left_out, read(name), **options.get(name, {}))
    assert_kept("robustness", "left-out", found, case=name, relative=1e-6)


def test_ranks_of_resamples() -> None:
    means = np.array([[0.3, 0.1, 0.3], [0.2, 0.5, 0.1], [1, 1, 1], [0.1, 0.2, 0.3]])
    ahead = signs(means, 1e-9)
    made = stability(read("data sets"), resamples=100, orders=1, seed=2)
    data = rank_stability_data(made)
    found = {
        "signs": ahead,
        "ranks": mean_ranks(ahead),
        "places": place_counts(ahead),
        "rows": data.rows,
        "shares": data.places["share"],
        "title": data.title,
        "codes": [note.code for note in data.notes],
    }
    assert_kept("robustness", "ranks", found)


def test_wrong_requests_are_refused() -> None:
    results = read("data sets")
    found = {
        str(options): failing(stability, results, **options)
        for options in ({"resamples": -1}, {"orders": -1}, {"resamples": 10**8}, {"seed": -1},
                        {"orders": 10**7})
    }  # fmt: skip
    assert_kept("robustness", "refused", found)


def measured(k: int = 2) -> pd.DataFrame:
    """Two measures of data sets."""
    first = wide(scores(9, k, 31)).melt("dataset", var_name="algorithm", value_name="accuracy")
    second = wide(scores(9, k, 32, gap=-0.02)).melt("dataset", value_name="time")
    return first.assign(time=second["time"])


@pytest.mark.parametrize("joint", ["consensus", "pareto", "hierarchical", "mean"])
def test_joint_orders(joint: str) -> None:
    results = podium.read(measured())
    found = {
        str(options): failing(joint_stability, results, ["accuracy", "time"], joint=joint,
                              resamples=5, seed=1, **options)
        for options in ({}, {"weights": [2, 1]}, {"family": "linear", "procedure": "hull"},
                        {"weights": [1]})
    }  # fmt: skip
    assert_kept("robustness", "joint", found, case=joint, relative=1e-6)


def test_multiverses() -> None:
    several = [podium.read(measured()), podium.read(nested(5, 4, 3, 12), sampling="bootstrap")]
    found = {}
    for name, (results, options) in {
        "measures": (several[0], {"procedures": ["ranks", "hull", "sign"]}),
        "targets": (several[1], {"procedures": ["ranks", "survey-random", "survey-fixed"]}),
        "control": (several[0], {"control": "lda", "procedures": ["paired-t", "nemenyi-control"],
                                 "measures": ["accuracy"], "alpha": 0.2}),
        "all": (read("two data sets"), {}),
        "gaps": (read("missing"), {"procedures": ["ranks", "friedman"], "gaps": "worst"}),
        "folds": (read("folds"), {"relevance": 0.02}),
        "nothing": (read("folds"), {"procedures": ["friedman"]}),
        "unknown": (read("folds"), {"procedures": ["best"]}),
        "kendall": (read("samples"), {"kind": "kendall", "procedures": ["paired-t", "sign"]}),
        "no results": (several[0].scores, {}),
        "no control": (several[0], {"control": "x"}),
    }.items():  # fmt: skip
        found[name] = failing(podium.multiverse, results, **options)
    assert_kept("robustness", "multiverses", found, relative=1e-6)


def test_own_randomness() -> None:
    rng = np.random.default_rng(3)
    rows = [
        (d, s, f, a, round(0.7 + 0.05 * rng.normal() + 0.02 * s, 4))
        for d in ("d0", "d1")
        for s in range(4)
        for a in ("knn", "lda")
        for f in range(1, 4)
    ]
    values = np.array([each[4] for each in rows]).reshape(-1, 3)
    holed = np.where(np.arange(48).reshape(16, 3) == 7, np.nan, values)
    found = {
        "parts": [
            components(v)
            for v in (values, holed, values[:1], values[:, :1], values * 0, holed[2:3])
        ],
        "single": failing(randomness, read("samples")),
    }
    assert_kept("robustness", "randomness", found)
