"""Cautions: folds, replicates of one sample, ties."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.inference.comparing.arranging import layout
from podium.inference.comparing.notes import cautions, tied_share
from podium.words.saying import say


def brute_force(values):
    pairs = [(x, y) for row in values for x, y in combinations(row[~np.isnan(row)], 2)]
    return sum(x == y for x, y in pairs) / len(pairs) if pairs else 0.0


@pytest.mark.parametrize("seed", range(4))
def test_the_share_of_ties_counts_pairs_one_by_one(seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, size=(20, 6)).astype(float)
    values[rng.random(values.shape) < 0.2] = np.nan
    assert tied_share(values) == pytest.approx(brute_force(values))


def test_no_pair_has_no_ties():
    assert tied_share(np.array([[1.0], [1.0]])) == 0
    assert tied_share(np.full((2, 3), np.nan)) == 0


def notes(values, sampling, target="", facts=None):
    table = pd.DataFrame(values, columns=list("abc")).rename_axis("sample").reset_index()
    results = podium.read(table, sampling=sampling, measure="error")
    if facts:
        results = replace(results, facts={results.datasets[0]: facts})
    return cautions(layout(results, target=target))


def codes(*asked, **facts):
    return [note.code for note in notes(*asked, **facts)]


def test_each_caution_is_said_where_it_belongs():
    varied = np.random.default_rng(0).random((10, 3))
    assert codes(varied, "bootstrap") == []
    assert codes(varied, "simulation") == []
    assert codes(varied, "cv:10") == ["dependent-folds"]
    assert codes(varied, "bootstrap", "population") == ["pseudo-replication"]
    assert codes(varied, "bootstrap", facts={"n": 9}) == ["pseudo-replication"]
    assert codes(varied, "bootstrap", facts={"n": 10}) == []
    assert codes(np.zeros((10, 3)), "simulation") == ["ties"]


def test_replicates_rows_and_ties_are_told_in_numbers():
    varied = np.random.default_rng(0).random((10, 3))
    (note,) = notes(varied, "bootstrap", facts={"n": 9})
    assert say(note).startswith("There is one training set of 9 rows, however often")
    assert ": 10 replicates of it are no independent evidence" in say(note)
    (note,) = notes(varied, "bootstrap", "population")
    assert say(note).startswith("There is one training set, however often")
    (note,) = notes(varied, "cv:10")
    assert say(note).startswith("The 10 folds share training rows")
    varied[:3, 1] = varied[:3, 0]  # 3 of 30 pairs: a tenth is not many
    assert codes(varied, "simulation") == []
    varied[3, 1] = varied[3, 0]
    (note,) = notes(varied, "simulation")
    assert say(note).startswith("13 % of the comparisons are ties")
