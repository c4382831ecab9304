"""What is said of all algorithms together does not deny what is said of pairs."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from layouts_made import made

import podium

BIRCH = """\
dataset,ash,birch,cedar,elm
d0,0.322522,0.300551,0.320914,0.334188
d1,0.248427,0.256031,0.302981,0.284336
d2,0.230603,0.218728,0.244461,0.214758
d3,0.247958,0.235956,0.288151,0.269329
d4,0.2765,0.2618,0.272928,
d5,0.174885,0.163214,0.204431,0.210408
"""


def agrees(found) -> bool:
    decided = found.table["verdict"].isin(("better", "worse")).any()
    return not (decided and found.overall.p > found.alpha)


def test_a_pair_that_is_decided_is_a_difference():
    results = podium.read(pd.read_csv(io.StringIO(BIRCH)), measure="error")
    found = podium.compare(results, "paired-t", adjust="single-step")
    assert (found.table["verdict"] != "undecided").any()
    assert agrees(found)
    assert found.overall.p == pytest.approx(found.table["p_adjusted"].min())


@pytest.mark.parametrize("procedure", ["paired-t", "max-modulus", "mixed-tukey", "friedman"])
def test_overall_tests_agree_with_pairs_on_random_tables(procedure):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        values = 0.7 + 0.05 * rng.normal(size=(9, 4)) + 0.05 * rng.normal(size=(9, 1))
        values[:, 0] += 0.05
        frame = pd.DataFrame(values, columns=list("abcd"))
        frame.insert(0, "dataset", [f"d{i}" for i in range(9)])
        assert agrees(podium.compare(podium.read(frame, measure="accuracy"), procedure)), seed


@pytest.mark.parametrize("algorithms", [2, 3, 4, 7])
@pytest.mark.parametrize("procedure", ["permutation", "paired-t", "max-modulus", "mixed-tukey"])
def test_algorithms_with_the_same_scores_do_not_differ_whatever_is_rounded(procedure, algorithms):
    """Sums of 0.1 and 0.7 leave residues, which are neither a difference nor its variance."""
    same = np.array([0.1, 0.7, 0.3, 0.9, 0.55])[:, None] + np.zeros((1, algorithms))
    for scale in (1.0, 1e-3, 7e5):
        layout = made(scale * same)
        options = {"null": "asymptotic"} if procedure == "permutation" else {}
        found = podium.compare(layout, procedure, **options)
        assert found.overall.p == 1.0
        assert found.overall.statistic == 0.0
        assert (found.table["estimate"] == 0).all()
        assert (found.table["verdict"] == "undecided").all()
