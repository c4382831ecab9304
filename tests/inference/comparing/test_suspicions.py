"""Designs that should raise a question: what is seen, and that honest ones raise none."""

from __future__ import annotations

import numpy as np
import pandas as pd

import podium
from podium.inference.procedures.suspicions import SUSPICIONS
from podium.words.saying import say


def asked(labels, values=None, **read) -> dict[str, str]:
    rng = np.random.default_rng(0)
    values = rng.random((len(labels), 3)) if values is None else values
    frame = pd.DataFrame(values, columns=["a", "b", "c"])
    frame.insert(0, "dataset", labels)
    c = podium.compare(podium.read(frame, **({"measure": "accuracy"} | read)))
    return {n.of: say(n) for n in c.warnings if n.code == "suspicion"}


HONEST = ["iris", "wine", "glass", "sonar", "monks1", "monks2", "monks3", "heart"]


def test_honest_tables_raise_no_question():
    assert asked(HONEST) == {}
    assert asked([f"d{i}" for i in range(10)]) == {}
    assert asked([f"dataset{i}" for i in range(10)]) == {}


def test_versions_of_one_data_set():
    found = asked(["iris", "wine", *(f"adult-v{i}" for i in range(1, 6))])
    assert "adult-v1 to adult-v5 look like 5 versions" in found["versions"]
    assert "3 data sets are independent" in found["versions"]


def test_copied_rows():
    values = np.round(np.random.default_rng(1).random((8, 3)), 4)
    values[5] = values[2]
    assert "1 of 8 data sets repeat" in asked(HONEST, values)["copied-rows"]
    coarse = np.round(values, 1)  # equal by chance
    assert asked(HONEST, coarse) == {}


def test_ranks_given_as_scores():
    rng = np.random.default_rng(2)
    values = np.array([rng.permutation([1.0, 2.0, 3.0]) for _ in HONEST])
    found = asked(HONEST, values, measure="place", higher_is_better=False)
    assert "Here the lowest is the best" in found["ranks-as-scores"]


def test_repeated_cross_validation_is_told_what_finds_more():
    rng = np.random.default_rng(3)
    rows = [(r, f, a, rng.random()) for r in range(3) for f in range(5) for a in "ab"]
    frame = pd.DataFrame(rows, columns=["repeat", "fold", "algorithm", "error"])
    c = podium.compare(podium.read(frame, sampling="repeated-cv:3x5"))
    assert [n.of for n in c.warnings if n.code == "suspicion"] == ["repeated-cv"]


def test_every_record_has_a_code_of_its_own():
    assert len({each.code for each in SUSPICIONS}) == len(SUSPICIONS)
