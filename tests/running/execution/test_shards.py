"""Shards: equal parts of a study that together are the whole, with the same scores."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.cli.main import status_of
from podium.errors import DesignError
from podium.running.execution.runner import Shard, execute, parse_shard, shard_of

X = np.random.default_rng(0).normal(size=(40, 3))
Y = (X[:, 0] > 0).astype(int)
ALGORITHMS = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}


def study(datasets=2, samples=5):
    data = [podium.dataset(f"d{i}", X + i, Y) for i in range(datasets)]
    return podium.Study(data, ALGORITHMS, sampling=f"bootstrap:{samples}")


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 5), st.integers(1, 20), st.integers(1, 20))
def test_shards_hold_every_run_once_and_are_even(datasets, samples, of):
    cells = [(d, s) for d in range(datasets) for s in range(1, samples + 1)]
    owners = [[i for i in range(1, of + 1) if Shard(i, of).holds(*cell)] for cell in cells]
    assert all(len(owner) == 1 for owner in owners)
    for d in range(datasets):
        counts = Counter(o[0] for o, cell in zip(owners, cells, strict=True) if cell[0] == d)
        sizes = [counts[i] for i in range(1, of + 1)]
        assert max(sizes) - min(sizes) <= 1


def test_data_sets_of_one_sample_each_go_to_different_shards():
    owners = [next(i for i in range(1, 9) if Shard(i, 8).holds(d, 1)) for d in range(8)]
    assert sorted(owners) == list(range(1, 9))


def test_all_algorithms_of_a_sample_are_in_one_shard_and_more_samples_move_nothing():
    few, many = ([list(Shard(i, 3).runs(study(2, n))) for i in (1, 2, 3)] for n in (5, 9))
    for shard, larger in zip(few, many, strict=True):
        assert {r.key for r in shard} <= {r.key for r in larger}
        cells = Counter((r.dataset, r.sample) for r in shard)
        assert set(cells.values()) == {2}


def test_a_store_knows_which_shard_it_is_of(tmp_path):
    parts = [podium.run(study(), tmp_path / f"{i}.db", shard=(i, 2), quiet=True) for i in (1, 2)]
    for i, part in enumerate(parts, 1):
        own = shard_of(part.provenance)
        assert own == Shard(i, 2)
        mine = own.holds(part.runs["dataset"].cat.codes.to_numpy(int), part.runs["sample"])
        assert set(part.runs[mine]["status"]) == {"done"}
        assert set(part.runs[~mine]["status"]) == {"missing"}
    merged = podium.merge(tmp_path / "1.db", tmp_path / "2.db")
    assert shard_of(merged.provenance) is None
    podium.run(study(), tmp_path / "2.db", quiet=True)
    assert shard_of(podium.read(tmp_path / "2.db").provenance) is None


def test_merged_shards_are_the_study(tmp_path):
    whole = podium.run(study(), tmp_path / "whole.db", quiet=True)
    paths = [tmp_path / f"{i}.db" for i in (1, 2, 3)]
    outcomes = [execute(study(), p, shard=(i, 3)) for i, p in enumerate(paths, 1)]
    assert [o.total for o in outcomes] == [o.ran for o in outcomes] == [6, 8, 6]
    assert execute(study(), paths[1], shard="2/3").ran == 0
    podium.merge(tmp_path / "merged.db", *paths)
    merged = podium.read(tmp_path / "merged.db")
    assert merged.scores.equals(whole.scores)
    assert set(merged.runs["status"]) == {"done"}
    assert execute(study(), tmp_path / "merged.db").ran == 0


@pytest.mark.parametrize(
    "wrong", ["0/4", "5/4", "4", "1/0", "a/b", (1,), (1.0, 2), 3, "-1/3", None]
)
def test_wrong_shards_are_named(wrong):
    with pytest.raises(DesignError) as caught:
        parse_shard(wrong)
    assert str(caught.value) == (
        f"A shard is such as '3/16', the third of sixteen parts (or (3, 16)), not {wrong!r}."
    )


FILE = """
name = "sharded"
sampling = "bootstrap:5"
[[datasets]]
name = "d"
source = "builtin:twonorm"
n = 40
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
"""


def test_the_command_line_gives_every_shard_a_store_of_its_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(FILE)
    assert [status_of(["run", "study.toml", "--shard", f"{i}/2", "-j1"]) for i in (1, 2)] == [0, 0]
    assert "5 runs; shard 1/2\n3 runs in" in capsys.readouterr().out
    stores = ["study-1of2.db", "study-2of2.db"]
    assert sorted(p.name for p in tmp_path.glob("*.db")) == stores
    assert status_of(["store", "merge", "-o", "study.db", *stores]) == 0
    assert (
        capsys.readouterr().out
        == "5 records were added to 'study.db': 5 done, 0 failed, 0 missing.\n"
    )
    assert status_of(["run", "study.toml", "--shard", "3/2"]) == 2
