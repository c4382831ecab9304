"""Every claim of every sampling and target has words, on the terminal, on a page and in a paper."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest

import podium
from podium.answers.claims import claim
from podium.questions.targets import BLOCKS, CLAIMS, TARGETS, said_of
from podium.reports.analysis import Evidence
from podium.samplings import KINDS
from podium.verdicts.methods import methods_text
from podium.words import statements
from podium.words.facts import Statement
from podium.words.voices import Voice, say

BLANK = re.compile(r"\{\w+\}")
OF_BLOCKS = itertools.product(BLOCKS, TARGETS, [{}])
OF_SAMPLINGS = ((kind.block, t, kind.claims.by_target) for kind in KINDS.values() for t in TARGETS)
WORDS = {said_of(block, target, own) for block, target, own in (*OF_BLOCKS, *OF_SAMPLINGS)}


def test_all_words_of_claims_are_tried():
    assert {c.said for c in CLAIMS.values() if c.said} <= WORDS
    assert {b.said for b in BLOCKS.values() if b.said} <= WORDS
    assert {w for kind in KINDS.values() for w in kind.claims.by_target.values()} <= WORDS


@pytest.mark.parametrize("dataset", ["", "iris", "{of} 100 %", "two\nlines"])
@pytest.mark.parametrize("area", ["", "small problems {here}"])
def test_words_of_a_claim_are_completed_whatever_they_ask_for(dataset, area):
    for words in WORDS:
        s = Statement(None, "error", "any", "any", words, dataset, area)
        for found in (True, False):
            texts = (statements.statement(s), *statements.claims(s, dataset, found))
            for text in texts:
                assert not BLANK.search(text.replace(dataset, "").replace(area, ""))
                assert text.isprintable()


WRITTEN = {"repeated-cv": "repeated-cv:2x5"}  # its shape is not in the rows
WITHOUT = ("holdout", "splitter")  # one score has no replicate; a table tells no training share


def scores(kind):
    """Scores that the sampling can be said of."""
    if BLOCKS[kind.block].partial:
        battles = {"model_a": list("abcabc") * 8, "model_b": list("bcacab") * 8}
        winners = ["model_a", "model_b", "tie", "model_a"] * 12
        return podium.read(pd.DataFrame(battles | {"winner": winners}))
    rng = np.random.default_rng(3)
    rows = itertools.product("abc", range(1 if kind.name == "holdout" else 10))
    frame = pd.DataFrame(rows, columns=["algorithm", "sample"])
    frame["seconds"] = np.round(rng.uniform(1, 2, len(frame)), 3)
    return podium.read(frame, sampling=WRITTEN.get(kind.name, kind.name), measure="seconds")


def texts(results, target):
    """What the three voices say of a comparison."""
    comparisons = podium.compare(results, target=target)
    yield str(comparisons.statement)
    yield claim(Evidence(comparisons, podium.decide(comparisons)), results)
    yield from methods_text(results, comparisons)
    yield from (say(note, voice) for note in comparisons.warnings for voice in Voice)


def is_valid(results, target):
    try:
        podium.compare(results, target=target)
    except podium.PodiumError:
        return False
    return True


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_what_a_design_may_claim_is_said_in_every_voice(kind):
    results = scores(kind)
    targets = [target for target in TARGETS if is_valid(results, target)]
    assert targets or kind.claims.no_test or kind.name in WITHOUT
    for target in targets:
        for text in texts(results, target):
            assert text
            assert not BLANK.search(text)
