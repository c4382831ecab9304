"""Arguments are refused in the caller's own sentence, and errors say what they are about."""

import numpy as np
import pytest

from podium.core.base import options as checks
from podium.errors import DesignError, InferenceError


@pytest.mark.parametrize(
    ("value", "whole", "by_numpy"),
    [(3, True, True), (np.int64(3), False, True), (True, False, False), (3.0, False, False)],
)
def test_whole_numbers_are_no_truth_values(value, whole, by_numpy):
    assert checks.is_whole(value) is whole
    assert checks.is_whole(value, numpy=True) is by_numpy


@pytest.mark.parametrize("value", [0, 1, True, "0.5", None, float("nan")])
def test_shares_lie_between_0_and_1(value):
    assert checks.is_share(0.5)
    assert not checks.is_share(value)


def test_the_sentence_and_the_kind_of_error_are_the_caller_s():
    checks.whole("The seed is a whole number from 0", 0, 0)
    with pytest.raises(InferenceError, match=r"^Draws are a whole number from 99 on, not 9\.$"):
        checks.whole("Draws are a whole number from 99 on", 9, 99, error=InferenceError)
    with pytest.raises(DesignError, match=r"^It is True or False, not 'no'\.$"):
        checks.truth("It is True or False", "no")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", 3, None])
def test_names_are_printable_texts(name):
    with pytest.raises(DesignError, match="The name of an algorithm is a printable text, not "):
        checks.name("algorithm", name)


def test_the_first_of_names_that_stand_there_twice():
    assert checks.twice(["a", "b", "c", "b", "a"]) == "a"
    assert checks.twice(["a", "b"]) is None


def test_an_error_says_what_it_is_about_from_the_outside_in():
    with pytest.raises(DesignError) as caught, checks.about("datasets", 1), checks.about("test"):
        raise DesignError("There is no such column.", ("ignore",))
    assert checks.subject(caught.value) == ("datasets", 1, "test", "ignore")
    assert str(caught.value) == "There is no such column."
    assert checks.subject(DesignError("No.")) == ()
