"""Which question a design answers, and by which procedure."""

from __future__ import annotations

import numpy as np
import pytest
from layouts_made import crossed, made, noise
from sklearn.naive_bayes import GaussianNB

import podium
from podium import Layout, compare
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import (
    advise,
    advise_design,
    default_procedure,
    is_legal,
)
from podium.core.questions.measures import KNOWN
from podium.core.samplings import parse as sampling
from podium.core.words.statements import QUESTIONS
from podium.errors import DesignError, UnknownName

RIGHT = noise(20, 2) > 0
GAPS = np.where(np.arange(20)[:, None] == [3, 4], np.nan, noise(20, 2))
DEFAULTS = [
    (made(noise(20, 3)), "hull"),
    (made(noise(20, 3), target="population"), "corrected-t"),
    (made(noise(20, 3), how="competition", target="test-set"), "hull"),
    (made(noise(10, 3), block="repetition"), "hull"),
    (made(noise(10, 3), block="fold"), "corrected-t"),
    (made(noise(10, 3), block="fold", how="5x2cv"), "corrected-t"),
    (made(noise(10, 3), block="simulation"), "hull"),
    (made(noise(10, 3), block="dataset"), "ranks"),
    (made(GAPS), "hull"),
    (made(GAPS, block="fold"), "corrected-t"),
    (made(noise(20, 2), block="item"), "max-modulus"),
    (made(RIGHT, block="item", measure="accuracy"), "mcnemar-score"),
    (made(RIGHT, block="item", measure="error"), "mcnemar-score"),
    (made(RIGHT, block="item", measure="error", clusters=np.arange(20) // 2), "cluster-t"),
    (made(noise(20, 3) > 0, block="item", measure="error"), "mcnemar-score"),
    (made(noise(10, 3), block="independent-resample"), "games-howell"),
    (made(GAPS, block="independent-simulation"), "games-howell"),
    (made(noise(10, 3), block="training-set"), "hull"),
    (crossed(noise(20, 3).reshape(4, 5, 3)), "delve-quasi-f"),
    (made(noise(10, 3), block="origin"), "diebold-mariano-fixed"),
]


@pytest.mark.parametrize(("layout", "name"), DEFAULTS)
def test_the_recommended_procedure_is_legal_and_works(layout: Layout, name: str) -> None:
    chosen = default_procedure(layout)
    found, reason = chosen.procedure, chosen.reason
    assert found == name
    assert reason
    assert is_legal(PROCEDURES[name], layout)
    assert compare(layout).procedure == name
    assert advise(layout).procedure == name


@pytest.mark.parametrize(
    ("block", "algorithms", "question"),
    [
        ("item", 1, 1), ("item", 2, 3), ("simulation", 1, 5), ("simulation", 2, 7),
        ("fold", 1, 6), ("fold", 2, 8), ("dataset", 2, 9),
        ("independent-simulation", 2, 7), ("training-set", 1, 5), ("training-set", 2, 7),
        ("crossed", 1, 5), ("crossed", 2, 7), ("origin", 1, 6), ("origin", 2, 8),
    ],
)  # fmt: skip
def test_designs_answer_their_question_of_nine(block: str, algorithms: int, question: int) -> None:
    found = advise(made(noise(10, algorithms), block=block))
    assert found.question == question
    assert QUESTIONS[question] in str(found)
    assert ("Recommended: " in str(found)) == (algorithms > 1)


@pytest.mark.parametrize("block", ["resample", "independent-resample", "repetition"])
def test_heading_and_test_of_resamples_are_about_this_very_sample(block: str) -> None:
    several, one = (str(advise(made(noise(10, count), block=block))) for count in (3, 1))
    assert "None of the nine questions: Which algorithm learns better from resamples" in several
    assert "None of the nine questions: How accurately" in one
    if block == "resample":
        new = advise(made(noise(10, 3), block=block, target="population"))
        assert (new.question, new.procedure) == (8, "corrected-t")
        assert QUESTIONS[8] in str(new)
        assert "(target population: question 8 of nine)" in several


def test_a_question_about_the_model_of_all_rows_is_converted() -> None:
    one, two = (str(advise(made(noise(10, count), block="fold"))) for count in (1, 2))
    assert "the model fitted to all rows (question 2): what is learned from" in one
    assert "the models fitted to all rows (question 4): what is learned from" in two
    assert "question 2" not in str(advise(made(noise(10, 1), block="item")))


def test_leave_one_out_is_advised_against() -> None:
    found = advise(made(noise(10, 2), block="fold", how="loo"))
    assert found.procedure == ""
    assert found.can == ()
    assert "use repeated-cv:5x5" in found.cannot[0]


@pytest.mark.parametrize(
    ("how", "name", "algorithms", "datasets", "procedure", "blocks"),
    [
        ("bootstrap:250", "error", 3, 1, "hull", "250 samples drawn from one"),
        ("cv:10", "error", 2, 1, "corrected-t", "10 folds"),
        ("holdout:0.7", "error", 2, 1, "mcnemar-score", "some items of one test set"),
        ("holdout:0.7", "squared", 2, 1, "max-modulus", "some items of one test set"),
        ("holdout:0.7", "error", 3, 1, "mcnemar-score", "some items of one test set"),
        ("loo", "error", 2, 1, "", "some folds"),
        ("simulation:50+independent", "error", 2, 1, "games-howell", "50 samples of each"),
        ("training-sets:8x64", "error", 2, 1, "hull", "8 disjoint training sets"),
        ("rolling-origin:20x2", "error", 2, 1, "diebold-mariano-fixed", "20 origins"),
        ("cv:10", "error", 2, 12, "ranks", "12 data sets"),
    ],
)
def test_studies_are_advised_before_they_run(
    how: str, name: str, algorithms: int, datasets: int, procedure: str, blocks: str
) -> None:
    found = advise_design(algorithms, datasets, sampling(how), KNOWN[name], 150)
    assert found.procedure == procedure
    assert blocks in str(found)


def test_advice_names_the_training_size_and_what_cannot_be_tested() -> None:
    text = str(advise_design(2, 1, sampling("cv:10"), KNOWN["error"], 150))
    assert "0.9 n rows (about 135 of 150)" in text
    assert "Cannot be tested: plain tests that take folds for independent" in text


@pytest.mark.parametrize(
    ("how", "population"), [("bootstrap", True), ("bootstrap-632", False), ("moving-block", False)]
)
def test_advice_offers_new_samples_just_where_something_is_legal(
    how: str, population: bool
) -> None:
    text = " ".join(advise(made(noise(20, 2), how=how)).can)
    assert ("target population" in text) == population


def test_correct_or_not_is_0_and_1_in_the_measures_own_sign() -> None:
    assert made(RIGHT, measure="error").is_binary
    assert made(RIGHT, measure="accuracy").is_binary
    assert not made(np.where(RIGHT, -1.0, 1), measure="error").is_binary
    assert not made(noise(4, 2)).is_binary


@pytest.mark.parametrize("count", [1, 2])
def test_a_study_of_one_data_set_is_told_its_training_rows(count: int) -> None:
    column = np.arange(60.0)[:, None]
    datasets = [podium.dataset(f"d{i}", column, np.arange(60) % 2) for i in range(count)]
    algorithms = {"bayes": GaussianNB(), "half": GaussianNB(priors=[0.5, 0.5])}
    how = {"sampling": "cv:10", "measures": ["auc", "error"], "seed": 1}
    study = podium.Study(datasets, algorithms, **how)
    rows = 60 if count == 1 else None
    told, errors = (
        advise_design(2, count, sampling("cv:10"), KNOWN[name], rows) for name in ("auc", "error")
    )
    assert podium.advise(study) == podium.advise(study, measure="AUC") == told
    assert ("about 54 of 60" in str(told)) == (count == 1)
    assert podium.advise(study, measure="error") == errors
    assert told != errors
    with pytest.raises(UnknownName, match="Known: auc, error"):
        podium.advise(study, measure="time")
    with pytest.raises(DesignError, match="leave out sampling"):
        podium.advise(study, sampling="cv:10")
