"""Which of dietterich1998's nine questions blocks answer, and what is said of just these judges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from podium.core.base.options import OPTIONS
from podium.core.questions.blocks import by_judges
from podium.core.questions.options import AnalysisPlan, Version, binding
from podium.core.questions.targets import BLOCKS
from podium.errors import InferenceError

# of one data set, of several: 1 to 4 are about classifiers, 5 to 8 about algorithms, 9 about more
CLASSIFIERS, THESE_MODELS = (1, 3), (2, 4)
MANY_ROWS, FEW_ROWS = (5, 7), (6, 8)
DOMAINS = (9, 9)
EXPECTED = {
    DOMAINS: "dataset nested study",
    CLASSIFIERS: "held-out condition-item item choice",
    THESE_MODELS: "independent-seed-item seed-item independent-training-run training-run "
    "independent-timed-run timed-run",
    MANY_ROWS: "independent-simulation simulation crossed training-set",
    FEW_ROWS: "independent-resample resample repetition nested-fold fold origin split",
}


def test_every_block_answers_the_question_that_its_scores_can():
    questions = {name: block.scope.questions for name, block in BLOCKS.items()}
    known = {name: each for each, names in EXPECTED.items() for name in names.split()}
    assert {name: (q.of_one, q.of_several) for name, q in questions.items()} == known


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("x", "this very judge (x)"),
        ("x y", "these very judges (x, y)"),
        ("a b c d e", "these very judges (a, b, c, d, e)"),
        ("a b c d e f", "these very judges (a, b, c, d, e and 1 more)"),
    ],
)
def test_judges_are_named_up_to_five(names, said):
    claim = by_judges(names.split())
    assert claim.about.endswith(f"judged by {said}")
    assert claim.may.endswith(f"judged by {said}.")


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("alpha", (0.05, 0.5), (0, 1, "0.05", -0.1, True)),
        ("relevance", (0, 0.01, -0.2), (math.inf, math.nan, "0.1", None)),
        ("gaps", (None, "pairs", "complete", "worst"), ("drop", 0)),
        ("seed", (0, 7, np.int64(3)), (-1, 0.5, "7", True)),
    ],
)
def test_options_take_what_they_say_and_nothing_else(name, right, wrong):
    check = OPTIONS[name].check
    for value in right:
        check(value)
    for value in wrong:
        with pytest.raises(InferenceError):
            check(value)


def test_options_that_decide_a_number_have_the_usual_default():
    usual = {"alpha": 0.05, "relevance": 0.0, "seed": 0, "gaps": None}
    assert {name: OPTIONS[name].default for name in usual} == usual
    assert OPTIONS["jobs"].line["default"] == -1, "one per core, as its help says"


def test_the_last_plan_before_the_first_score_binds():
    plans = [
        Version(AnalysisPlan("error"), {}, str(day), done) for day, done in enumerate((0, 0, 3, 9))
    ]
    assert binding(plans).time == "1"
    assert binding(plans[:1]).time == "0"
    assert Version.of(plans[2].to_dict()) == plans[2]
    assert Version(AnalysisPlan("error"), {}, "now").done == 0
