"""Designs that should raise a question: what is seen, and that honest ones raise none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.inference.comparing.notes import SUSPICIONS
from podium.core.verdicts.standing import standing
from podium.core.verdicts.verdict import verdict
from podium.core.words.phrases import plain
from podium.core.words.saying import say
from podium.showing.screens.terminal import cautions

HONEST = ["iris", "wine", "glass", "sonar", "monks1", "monks2", "monks3", "heart"]
ASKING = {each.code for each in SUSPICIONS} | {"items-that-are-none", "confounded"}


def compared(frame, **read):
    return podium.compare(podium.read(frame, **({"measure": "accuracy"} | read)))


def asked(labels, values=None, column="dataset", **read) -> dict[str, str]:
    values = np.random.default_rng(0).random((len(labels), 3)) if values is None else values
    frame = pd.DataFrame(values, columns=["a", "b", "c"])
    frame.insert(0, column, labels)
    c = compared(frame, **read)
    first_screen = [text for text, _ in cautions(c)]
    asking = {n.code: say(n) for n in c.warnings if n.code in ASKING}
    assert set(asking.values()) <= set(first_screen)
    return asking


@pytest.mark.parametrize(
    "labels", [HONEST, [f"d{i}" for i in range(10)], ["a v2", "b v1", *HONEST]]
)
def test_honest_tables_raise_no_question(labels):
    assert asked(labels) == {}


def test_versions_of_one_data_set():
    (text,) = asked(["iris", "wine", *(f"adult-v{i}" for i in range(1, 6))]).values()
    assert text.startswith("adult-v1 to adult-v5 look like 5 versions of one data set.")
    assert "then 3 data sets count" in text


@pytest.mark.parametrize(
    "names",
    [["adult", "adult (1)", "adult (2)"], ["adult_2018", "adult_2019", "adult_2020"],
     ["adult_v1.0", "adult_v1.1", "adult_v2.0"], ["taxi-jan", "taxi-feb", "taxi-mar"],
     ["taxi 2020-01", "taxi 2020-02", "taxi 2021-01"], ["adult", "adult copy", "adult_copy2"],
     ["Adult rev 2", "adult-rev-3", "ADULT"]],
)  # fmt: skip
def test_kin_of_versions(names):
    (text,) = asked([*HONEST, *names]).values()
    assert "look like 3 versions of one data set" in text
    assert "then 9 data sets count" in text


def test_years_and_months_alone_are_no_versions():
    assert asked(["credit-2017", "bank-2018", "heart-march", "rice-jan", *HONEST[:4]]) == {}


def test_tied_ranks_given_as_scores():
    values = np.array([[1.0, 2.5, 2.5], [3, 1, 2], [1.5, 1.5, 3], [2, 2, 2]])
    assert "ranks-as-scores" in asked(HONEST[:4], values, measure="place", higher_is_better=False)


def test_copied_rows():
    values = np.round(np.random.default_rng(1).random((8, 3)), 4)
    values[5] = values[2]
    text = asked(HONEST, values)["copied-blocks"]
    assert text.startswith(
        "1 of 8 data sets repeats another to the last digit in the scores of all"
    )
    assert "chance gives fewer than 0.01" in text
    assert "remove" not in text
    assert asked(HONEST, np.round(values, 1)) == {}  # equal by chance


def test_means_of_few_answers_are_no_copies():
    """Six answers to an item: 5/6 and 2/6 come again by chance."""
    values = np.random.default_rng(3).integers(0, 7, (60, 2)) / 6
    frame = pd.DataFrame(
        {"item": [f"q{i}" for i in range(60)], "a": values[:, 0], "b": values[:, 1]}
    )
    assert {
        n.code for n in compared(frame, measure="score", higher_is_better=True).warnings
    }.isdisjoint(["copied-blocks"])


@pytest.mark.parametrize("sampling", ["bootstrap", "subsampling:.8", "seeds"])
def test_samples_that_are_tested_on_few_rows_repeat_by_chance(sampling):
    """44 test rows, 100 samples: half of them repeat another one's scores."""
    values = np.random.default_rng(5).binomial(44, [0.8, 0.85], (100, 2)) / 44
    assert len(values) - len(np.unique(values, axis=0)) > 30
    frame = pd.DataFrame(values, columns=["a", "b"]).assign(sample=range(100))
    assert "copied-blocks" not in {n.code for n in compared(frame, sampling=sampling).warnings}


@pytest.mark.parametrize(("higher", "best"), [(False, 1), (True, 3)])
def test_ranks_given_as_scores(higher, best):
    rng = np.random.default_rng(2)
    values = np.array([rng.permutation([1.0, 2.0, 3.0]) for _ in HONEST])
    found = asked(HONEST, values, measure="place", higher_is_better=higher)
    assert f"Here {best} is best" in found["ranks-as-scores"]


def test_a_measure_of_many_items_in_a_table_of_items_asks_for_the_truth():
    shares = np.random.default_rng(4).random((30, 2))
    frame = pd.DataFrame(
        {"item": [f"q{i}" for i in range(30)], "a": shares[:, 0], "b": shares[:, 1]}
    )
    for measure, suspected in (("AUROC", True), ("accuracy", False), ("f1", False)):
        codes = {n.code: say(n) for n in compared(frame, measure=measure).warnings}
        assert ("measure-of-many-items" in codes) == suspected
        if suspected:
            assert "Then add their truth" in codes["measure-of-many-items"]


def test_repeated_cross_validation_is_told_what_finds_more():
    rng = np.random.default_rng(3)
    rows = [(r, f, a, rng.random()) for r in range(3) for f in range(5) for a in "ab"]
    frame = pd.DataFrame(rows, columns=["repeat", "fold", "algorithm", "accuracy"])
    c = compared(frame, sampling="repeated-cv:3x5")
    assert [say(n) for n in c.warnings if n.code == "repeated-folds"] == [
        "Repeats of a cross-validation reuse the same rows, so this test gains little by them. The "
        "halves test finds more: run the study with repeated-cv:3x5+halves:10."
    ]
    once = compared(frame[frame["repeat"] == 0].drop(columns="repeat"), sampling="cv:5")
    assert not [n for n in once.warnings if n.code == "repeated-folds"]


def test_items_that_are_called_folds():
    labels = [f"fold{i}" for i in range(1, 11)]
    (text,) = asked(labels, column="item", sampling="items").values()
    assert "--columns sample=item --sampling cv:10" in text
    told = asked(labels, column="item", sampling="cv:10", columns="sample=item")  # the way out
    assert told == {}


def test_a_training_size_of_each_algorithm_is_told():
    rng = np.random.default_rng(4)
    size = {"a": 100, "b": 200}
    rows = [(d, x, size[x], rng.random()) for d in HONEST for x in "ab"]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "n_train", "accuracy"])
    (note,) = [n for n in compared(frame).warnings if n.code == "confounded"]
    assert "'n_train' (a 100 and b 200)" in say(note)
    frame["n_train"] = np.tile([100, 200, 200, 100], 4)
    assert not [n for n in compared(frame).warnings if n.code == "confounded"]


def test_runs_that_drift_are_told_of_before_the_claim():
    rng = np.random.default_rng(5)
    times = 1 + 0.02 * np.arange(40) + rng.normal(0, 0.005, 40)
    frame = pd.DataFrame({"algorithm": ["a"] * 20 + ["b"] * 20, "run": [*range(20)] * 2})
    c = compared(frame.assign(time=times), measure="time", sampling="runs")
    text = plain(verdict(c, standing(c)))
    assert text == "Scores drift with the order of the runs; if that is not all, a is the fastest."


def test_fewer_than_four_data_sets_carry_no_verdict_with_samples_inside():
    rng = np.random.default_rng(6)
    rows = [(d, f, a, 0.5 + 0.2 * (a == "a") + rng.normal(0, 0.01))
            for d in HONEST[:3] for f in range(5) for a in "abc"]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["dataset", "fold", "algorithm", "accuracy"])
    c = compared(frame, sampling="cv:5")
    assert set(c.table["verdict"]) == {"undecided"}
    assert "too-few-data-sets" in {n.code for n in c.warnings}


def test_without_a_third_five_data_sets_are_too_few_to_lean_on():
    values = [[0.76, 0.78, 0.72], [0.83, 0.85, 0.79], [0.72, 0.74, 0.69], [0.79, 0.82, 0.76],
              [0.9, 0.95, 0.7]]  # fmt: skip
    frame = pd.DataFrame(values, columns=["a", "b", "c"]).assign(dataset=HONEST[:5])
    c = compared(frame)
    assert c.decision.significant > 0
    assert c.extras.falls == ()


def test_influence_values_that_are_alike_are_no_copies():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 120)
    noise = rng.normal(0, 0.4, (120, 2))
    table = {"y_true": truth, **{n: np.clip(truth + noise[:, i], 0, 1) for i, n in enumerate("ab")}}
    compared = podium.compare(podium.read(pd.DataFrame(table), measure="auc"))
    assert "copied-blocks" not in [note.code for note in compared.warnings]
