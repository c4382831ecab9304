"""Data, samples, characteristics and study files, over varied small ones, are what was kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from asked import rng
from outcomes import outcome
from snapshots import assert_kept

import podium
from podium import samplings
from podium.running.design import subsamples
from podium.running.design.data import problems
from podium.running.design.data.characteristics import characteristics
from podium.running.design.families import FAMILIES
from podium.running.design.samples.sampler import Sampler

# -- problems -------------------------------------------------------------------------------------

RANDOM = {name: getattr(problems, name) for name in (
    "twonorm", "threenorm", "ringnorm", "circle", "spirals", "quarter_circle", "friedman1",
    "friedman2", "friedman3", "nested_linear")}  # fmt: skip
FIXED = {name: getattr(problems, name) for name in ("monks3_domain", "tictactoe", "titanic")}


def summed(X, y):
    """What of a large table tells whether anything in it changed."""
    if isinstance(X, pd.DataFrame):
        counts = {str(c): X[c].astype(str).value_counts().sort_index().to_dict() for c in X}
        joint = X.assign(y=y).astype(str).agg(" ".join, axis=1)
        crossed = joint.groupby(np.arange(len(joint)) % 7).apply(lambda rows: rows.iloc[0])
        return {"n": len(X), "counts": counts, "y": pd.Series(y).astype(str).value_counts()
                .sort_index().to_dict(), "rows": crossed.tolist()}  # fmt: skip
    weights = np.sin(1 + np.arange(len(X)))
    return {"first": np.asarray(X)[0][:5], "y": np.asarray(y)[:8], "sums": weights @ X,
            "sum": float(weights @ np.asarray(y, float))}  # fmt: skip


@pytest.mark.parametrize("name", [*RANDOM, *FIXED, "monks3_training"])
def test_problems_are_kept(name):
    if name in FIXED:
        told = summed(*FIXED[name]())
    elif name in RANDOM:
        told = summed(*RANDOM[name](30, rng(5)))
    else:
        told = summed(*problems.monks3_training(rng(5)))
    assert_kept("design", "problems", told, name)


# -- data and characteristics ---------------------------------------------------------------------


def mixed(n: int = 40, seed: int = 6) -> pd.DataFrame:
    draws = rng(seed)
    table = pd.DataFrame({
        "size": draws.normal(0, 1, n).round(3), "skewed": np.exp(draws.normal(0, 1, n)).round(3),
        "kind": np.array(list("abc"))[draws.integers(0, 3, n)], "flag": draws.integers(0, 2, n),
        "same": 1.0,
    })  # fmt: skip
    table.loc[[3, 8], "size"] = np.nan
    return table


def datasets():
    X, draws = mixed(), rng(7)
    y = (X["skewed"] > 1).astype(int)
    yield "two classes", podium.dataset("two", X, y)
    yield (
        "three classes",
        podium.dataset("three", X, np.array(list("xyz"))[draws.integers(0, 3, 40)]),
    )
    yield "numbers", podium.dataset("numbers", X, X["skewed"] * 2 + draws.normal(0, 0.1, 40))
    yield "grouped", podium.dataset("grouped", X, y, groups=np.arange(40) // 4)
    yield "tested", podium.dataset("tested", X[:30], y[:30], test=(X[30:], y[30:]))
    yield "plain", podium.dataset("plain", draws.normal(size=(25, 3)), np.arange(25) % 2)
    yield "one class left", podium.dataset("few", draws.normal(size=(12, 2)), [0] * 11 + [1])


@pytest.mark.parametrize("name", [name for name, _ in datasets()])
def test_facts_and_characteristics_of_data_are_kept(name):
    data = dict(datasets())[name]
    told = {
        "n": [data.n, data.n_test, data.task],
        "fingerprint": data.fingerprint,
        "characteristics": characteristics(data),
        "parts": [[part.name, part.n, part.fingerprint] for part in
                  (subsamples(data, 2, 6) if name != "tested" else [])],
    }  # fmt: skip
    assert_kept("design", "data", told, name, relative=1e-7)


# -- samples --------------------------------------------------------------------------------------

TEXTS = ["cv:4", "cv:4+stratified", "repeated-cv:2x3", "5x2cv", "loo", "bootstrap:3",
         "bootstrap-2n:2", "bootstrap-cv:2x3", "bootstrap-632:2", "bootstrap-whole:2",
         "bayesian-bootstrap:2", "subsampling:3x0.7", "subsampling:2x0.5+stratified", "holdout:0.6",
         "moving-block:2x4", "moving-block:2x4x1", "rolling-origin:3x2", "rolling-origin:3x2x1",
         "training-sets:2x8", "seeds:2", "seeds:2x0.8", "runs:2", "nested-cv:2x3",
         "bootstrap:2+halves:1", "cv:3+grouped", "subsampling:2x0.5+grouped"]  # fmt: skip


def drawn(text, data):
    sampler = Sampler(samplings.complete(samplings.parse(text)), 3)
    count = min(sampler.count(data), 6)
    told = []
    for number in range(1, count + 1):
        found = sampler.sample(data, number)[1]
        told.append([[split.train, split.test] for split in found.splits])
    return {"count": sampler.count(data), "rows": told}


@pytest.mark.parametrize("text", TEXTS)
def test_rows_that_are_drawn_are_kept(text):
    several = dict(datasets())
    small = podium.dataset("small", np.arange(26.0).reshape(13, 2), np.arange(13) % 2,
                           groups=np.arange(13) // 3 if "grouped" in text else None)  # fmt: skip
    told = [outcome(drawn, text, small)]
    if text in ("cv:4", "bootstrap:3", "seeds:2", "holdout:0.6"):
        told.append(outcome(drawn, text, several["tested"]))
    assert_kept("design", "samples", told, text)


# -- study files ----------------------------------------------------------------------------------

HEAD = 'name = "s"\nseed = 1\nmeasures = ["error"]\n'
DATA = '[[datasets]]\nname = "p"\nsource = "builtin:twonorm"\nn = 40\n'
ALGORITHM = '[[algorithms]]\nname = "lda"\nestimator = "lda"\n'
WRONG = {
    "empty": "",
    "no toml": "a = [",
    "unknown key": HEAD + 'sampling = "cv:3"\nodd = 1\n' + DATA + ALGORITHM,
    "no data": HEAD + 'sampling = "cv:3"\n' + ALGORITHM,
    "no algorithm": HEAD + 'sampling = "cv:3"\n' + DATA,
    "no sampling": HEAD + DATA + ALGORITHM,
    "sampling": HEAD + 'sampling = "cv:1"\n' + DATA + ALGORITHM,
    "measure": HEAD.replace("error", "eror") + 'sampling = "cv:3"\n' + DATA + ALGORITHM,
    "family": HEAD + 'sampling = "cv:3"\n' + DATA + ALGORITHM.replace('"lda"\n', '"lad"\n'),
    "seed": HEAD.replace("1", '"x"') + 'sampling = "cv:3"\n' + DATA + ALGORITHM,
    "twice": HEAD + 'sampling = "cv:3"\n' + DATA + 2 * ALGORITHM,
    "analysis": HEAD + 'sampling = "cv:3"\n' + DATA + ALGORITHM + "[analysis]\nodd = 1\n",
    "alpha": HEAD + 'sampling = "cv:3"\n' + DATA + ALGORITHM + "[analysis]\nalpha = 2\n",
    "sound": HEAD + 'sampling = "cv:3"\n' + DATA + ALGORITHM,
}


def loaded(path):
    study = podium.load_study(path)
    return {"name": study.name, "sampling": str(study.sampling), "seed": study.seed,
            "datasets": [d.name for d in study.datasets],
            "algorithms": [a.name for a in study.algorithms],
            "measures": [m.name for m in study.measures]}  # fmt: skip


def test_what_study_files_say_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = {}
    for name, text in WRONG.items():
        path = Path(f"{name.replace(' ', '-')}.toml")
        path.write_text(text, encoding="utf-8")
        told[name] = outcome(loaded, path)
    assert_kept("design", "files", told)


# -- frames ---------------------------------------------------------------------------------------


def listed(n=12):
    """What OpenML lists of data sets."""
    draws = rng(8)
    names = ("NumberOfInstances", "NumberOfFeatures", "NumberOfClasses",
             "MajorityClassPercentage", "MinorityClassPercentage", "PercentageOfMissingValues",
             "PercentageOfInstancesWithMissingValues", "NumberOfSymbolicFeatures")  # fmt: skip
    return {"data": {"dataset": [
        {"did": 30 + i, "name": f"set{i}",
         "quality": [{"name": q, "value": str(round(float(draws.uniform(1, 90)), 1))}
                     for q in names[: 8 - i % 2]]}
        for i in range(n)
    ]}}  # fmt: skip


CATALOGUES = {
    "data": listed(),
    "tasks": {"tasks": {"task": [{"task_id": 7, "name": "x", "quality": []},
                                 {"task_id": 9, "quality": [{"name": "NumberOfClasses",
                                                             "value": 2}]}]}},
    "suite": {"study": {"tasks": {"task_id": [3, 5, 11]}}},
    "nothing": {"odd": []},
}  # fmt: skip
FRAMES = [
    ("data", {}),
    ("data", {"where": "n >= 30 and classes < 60", "draw": 3}),
    ("data", {"where": ["majority_share > 0.2", "missing_share <= 0.5"], "draw": 4, "seed": 2,
              "development": 1}),
    ("data", {"where": "name in set1, set4, set9"}),
    ("data", {"where": "n != 5", "draw": 40}),
    ("data", {"where": "n > 1000"}),
    ("data", {"where": "n about 5"}),
    ("data", {"draw": 0}),
    ("data", {"draw": 2, "development": 2}),
    ("data", {"seed": -1}),
    ("tasks", {}),
    ("suite", {"draw": 2}),
    ("nothing", {}),
    ("missing", {}),
]  # fmt: skip


def test_frames_are_kept(tmp_path):
    for name, content in CATALOGUES.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    told = []
    for name, options in FRAMES:
        found = outcome(podium.design.frame, f"{name}.json", folder=tmp_path, **options)
        failed = isinstance(found, Exception)
        told.append(str(found).replace(str(tmp_path), "") if failed else found)
    assert_kept("design", "frames", told)


# -- families -------------------------------------------------------------------------------------

FITTED = {  # those that draw nothing and search for nothing
    "naive-bayes": {}, "lda": {}, "dlda": {}, "knn": {}, "majority": {}, "mean": {}, "logistic": {},
}  # fmt: skip


@pytest.mark.parametrize("name", FITTED)
def test_what_families_predict_is_kept(name):
    draws = rng(12)
    X = draws.normal(size=(40, 4))
    X[:, 3] = (X[:, 3] > 0) * 1.0
    two = (X[:, 0] + draws.normal(0, 0.5, 40) > 0).astype(int)
    targets = {"two": two, "three": two + (X[:, 1] > 0.7), "number": X @ [1, 2, 0, 1]}
    told = {}
    for kind, target in targets.items():
        made = FAMILIES[name](**FITTED[name])
        if "random_state" in made.get_params():
            made.set_params(random_state=1)
        if FAMILIES[name].only not in (None, "", "regression" if kind == "number" else
                                       "classification"):  # fmt: skip
            continue
        made.fit(X[:30], target[:30])
        told[kind] = {"predicted": made.predict(X[30:])}
        if kind != "number" and hasattr(made, "predict_proba"):
            told[kind]["probabilities"] = made.predict_proba(X[30:34])
    assert told
    assert_kept("design", "families", told, name, relative=1e-5)
