"""Keys of runs in studies of papers, as they were when stores of them were first made."""

import hashlib

import numpy as np
import pytest

import podium
from podium_lab.papers.boulesteix2013_study import study
from podium_lab.papers.bundling import Bundling, StabilisedLda
from podium_lab.papers.eugster2008_runs import experiment_study

ROWS = np.random.default_rng(5).normal(size=(40, 3))


def own_learners() -> podium.Study:
    data = podium.dataset("two", ROWS, np.array(["no", "yes"])[(ROWS[:, 0] > 0).astype(int)])
    learners = {"slda": StabilisedLda(), "bundling": Bundling(n_estimators=5)}
    return podium.Study(data, learners, sampling="bootstrap:2", measures=["error"], seed=1)


KEPT = {
    "figure 3 of boulesteix2013": (lambda: study(2, 2, 1), "cef5f302aa32a203"),
    "monks3 of eugster2008": (lambda: experiment_study(3), "bd094680fb4de92a"),
    "learners of hothorn2005": (own_learners, "9b2b26405b04b8f4"),
}


@pytest.mark.parametrize("name", KEPT)
def test_stores_of_papers_made_before_go_on(name):
    made, kept = KEPT[name]
    assert hashlib.sha256(b"".join(run.key for run in made())).hexdigest()[:16] == kept
