"""Halvings beside the samples of a study: drawn, run, kept, read and brought by tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor

import podium
from podium.core.samplings import halvings
from podium.errors import DesignError, ResultsError

X = np.random.default_rng(0).normal(size=(60, 3))
Y = X.sum(axis=1) + np.random.default_rng(1).normal(size=60)
ALGORITHMS = {"ls": LinearRegression(), "ridge": Ridge(30.0), "dummy": DummyRegressor()}


def study(how: str = "repeated-cv:2x5", **more: Any) -> podium.Study:
    data = podium.dataset("d", X, Y, **more)
    return podium.Study(data, ALGORITHMS, sampling=how, measures=["squared"], seed=1)


def drawn(of: podium.Study, sample: int) -> tuple[np.ndarray, np.ndarray]:
    (split,) = of.sampler.sample(of.datasets[0], sample)[1].splits
    return split.train, split.test


@pytest.mark.parametrize("how", ["repeated-cv:2x5", "bootstrap:5", "subsampling:3x0.8"])
def test_halves_share_no_row_and_their_folds_partition_them(how: str) -> None:
    of = study(f"{how}+halves:3")
    for halving in range(3):
        samples = -1 - halving * 10 - np.arange(10)
        halves = [np.unique(np.concatenate(drawn(of, int(s)))) for s in samples]
        tested = [drawn(of, int(s))[1] for s in samples]
        assert all(np.array_equal(h, halves[5 * (i // 5)]) for i, h in enumerate(halves))
        assert len(halves[0]) == len(halves[5]) == 30
        assert sorted(np.concatenate(tested)) == list(range(60))
        assert {len(t) for t in tested} == {6}
    assert not np.array_equal(drawn(of, -1)[0], drawn(of, -11)[0])


def test_groups_and_classes_stay_together_in_halves() -> None:
    groups = np.repeat(np.arange(20), [1, 2, 3, 4, 5] * 4)
    of = study("cv:5+grouped+halves:2", groups=groups)
    whole = {s: [np.unique(groups[r]) for r in drawn(of, s)] for s in halvings.samples(2)}
    assert all(not np.intersect1d(train, test).size for train, test in whole.values())
    sides = [np.union1d(*whole[s]) for s in (-1, -6)]
    assert not np.intersect1d(*sides).size
    labels = np.array(["a"] * 40 + ["b"] * 20)
    data = podium.dataset("c", X, labels)
    of = podium.Study(data, {"m": DummyClassifier()}, sampling="cv:5+stratified+halves:2")
    assert [int((drawn(of, s)[1] >= 40).sum()) for s in (-1, -3, -10)] == [2, 2, 2]


def test_halvings_are_the_same_beside_any_design_and_leave_its_keys_alone() -> None:
    bare, more, other = study(), study("repeated-cv:2x5+halves:2"), study("bootstrap:4+halves:3")
    keys = {(r.algorithm, r.sample): r.key for r in more}
    assert {(r.algorithm, r.sample): r.key for r in bare}.items() <= keys.items()
    assert len(more) == len(keys) == len(bare) + 3 * 20
    assert {r.key for r in more if r.sample < 0} < {r.key for r in other}
    assert all(map(np.array_equal, drawn(more, -7), drawn(other, -7)))
    assert len({r.key for r in more}) == len(more)


def test_halvings_are_added_later_and_judged(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    podium.run(study(), store, quiet=True)
    before = podium.read(store)
    assert not len(before.halvings)
    assert podium.compare(before).procedure == "corrected-t"
    podium.run(study(), store, halves=2, quiet=True)
    after = podium.run(study(), store, halves=4, quiet=True)
    pd.testing.assert_frame_equal(after.scores, before.scores)
    assert str(after.sampling) == "repeated-cv:2x5+halves:4"
    assert len(after.halvings) == 4 * 10 * 3
    assert after.halvings["value"].notna().all()
    at_once = podium.run(study("repeated-cv:2x5+halves:4"), tmp_path / "t.db", quiet=True)
    pd.testing.assert_frame_equal(at_once.halvings, after.halvings)
    c = podium.compare(after)
    assert (c.procedure, c.target) == ("halves", "population")
    assert "halves-few" in [n.code for n in c.warnings]
    again = podium.run(study(), store, quiet=True)  # without naming them
    pd.testing.assert_frame_equal(again.halvings, after.halvings)
    assert after.facts["d"]["halvings"]["attributes"] == 3


def test_bootstrap_samples_with_halvings_are_about_new_samples(tmp_path: Path) -> None:
    results = podium.run(study("bootstrap:6+halves:5"), tmp_path / "s.db", quiet=True)
    assert podium.compare(results).target == "population"
    assert podium.compare(results, target="sample").procedure != "halves"


@pytest.mark.parametrize("how", ["repeated-cv:2x5", "bootstrap:6"])
def test_tables_bring_halvings(tmp_path: Path, how: str) -> None:
    results = podium.run(study(how), tmp_path / "s.db", halves=3, quiet=True)
    long = results.to_pandas()
    keys = [c for c in long if c not in ("algorithm", "measure", "value")]
    wide = long.pivot(index=keys, columns="algorithm", values="value")[results.algorithms]
    ours = podium.compare(results)
    for frame in (long, wide.reset_index()):
        frame.to_csv(tmp_path / "s.csv", index=False)
        read = podium.read(tmp_path / "s.csv", sampling=how, measure="squared")
        assert str(read.sampling) == f"{how}+halves:3"
        theirs = podium.compare(read)
        assert theirs.procedure == "halves"
        pd.testing.assert_frame_equal(ours.table, theirs.table)


def a_table() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    whole = pd.DataFrame({"fold": range(1, 11)})
    grid = [(h, s, f) for h in (1, 2, 3) for s in ("a", "b") for f in (1, 2)]
    inside = pd.DataFrame(grid, columns=["halving", "side", "fold"])
    frame = pd.concat([whole, inside], ignore_index=True)[["fold", "halving", "side"]]
    return frame.assign(svm=rng.random(len(frame)), knn=rng.random(len(frame)))


def test_a_table_says_what_is_wrong_with_its_halvings() -> None:
    def reading(frame: pd.DataFrame, sampling: str = "cv:10") -> podium.Results:
        return podium.read(frame, sampling=sampling, measure="accuracy")

    table = a_table()
    assert reading(table).halvings["halving"].max() == 3
    with pytest.raises(ResultsError, match="no score of the whole sample"):
        reading(table.dropna(subset="halving"))
    with pytest.raises(ResultsError, match="put a column side"):
        reading(table.drop(columns="side"))
    with pytest.raises(ResultsError, match="11 combinations"):
        reading(table.iloc[:-1])
    with pytest.raises(ResultsError, match="3 halvings, which contradicts"):
        reading(table, "cv:10+halves:4")
    with pytest.raises(ResultsError, match="has no halvings, which the sampling"):
        reading(table.iloc[:10, [0, 3, 4]], "cv:10+halves:4")
    with pytest.raises(ResultsError, match="speaks of folds"):
        reading(table, "simulation")


def test_a_study_says_what_cannot_be_halved() -> None:
    small, whole = podium.dataset("d", X[:8], Y[:8]), podium.dataset("d", X, Y)
    asked: dict[str, Any] = {"sampling": "cv:2+halves:3", "measures": ["squared"]}
    with pytest.raises(DesignError, match="need 10 rows; 'd' has 8"):
        podium.Study(small, ALGORITHMS, **asked)
    with pytest.raises(DesignError, match="leave out 'sizes'"):
        podium.Study(whole, ALGORITHMS, **asked, sizes=[10, 20])
    with pytest.raises(DesignError, match="at least 2, not 1"):
        study().with_halves(1)
    with pytest.raises(DesignError, match="goes with no halvings"):
        study("loo").with_halves(10)


def test_failures_inside_halves_are_told(tmp_path: Path) -> None:
    of = study("cv:5+halves:2")
    broken = podium.algorithm("knn", KNeighborsRegressor(30))
    of = podium.Study(
        of.datasets, [*of.algorithms, broken], sampling=of.sampling, measures=["squared"], seed=1
    )
    results = podium.run(of, tmp_path / "s.db", quiet=True)
    assert len(results.failures) == 20  # 24 rows inside a half, 48 outside
    assert (results.failures["sample"] < 0).all()
    with pytest.raises(podium.errors.InferenceError, match="two halvings with all scores"):
        podium.compare(results)
    kept = results.filter(algorithm=["ls", "dummy"])
    assert podium.compare(kept).procedure == "halves"


def test_halvings_of_shards_are_merged(tmp_path: Path) -> None:
    of = study("cv:5+halves:2")
    for part in (1, 2):
        podium.run(of, tmp_path / f"{part}.db", shard=(part, 2), quiet=True)
    merged = podium.merge(tmp_path / "all.db", tmp_path / "1.db", tmp_path / "2.db")
    whole = podium.run(of, tmp_path / "whole.db", quiet=True)
    pd.testing.assert_frame_equal(merged.halvings, whole.halvings)
    assert merged.sampling == replace(whole.sampling, halves=2)
