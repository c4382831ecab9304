"""Which of dietterich1998's nine questions blocks answer, and what is said of just these judges."""

from __future__ import annotations

import pytest

from podium.questions.blocks import by_judges
from podium.questions.targets import BLOCKS

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
