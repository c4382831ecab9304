"""Identity by content: equal things have equal fingerprints, different things different ones."""

import functools
import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from podium.errors import DesignError
from podium.running.design.data.identity import description, fingerprint, stream

VALUES = [
    None,
    True,
    False,
    1,
    0,
    1.0,
    "1",
    "",
    "True",
    "None",
    ("a", "b"),
    ["a", "b"],
    ("ab",),
    np.arange(3),
    np.arange(3.0),
    np.arange(3, dtype=np.int32),
    np.arange(3)[:, None],
    np.array(["a", "b"]),
    np.array(["a", "c"], dtype=object),
    pd.DataFrame({"a": [1, 2]}),
    pd.DataFrame({"b": [1, 2]}),
    pd.DataFrame({"a": [1.0, 2.0]}),
    pd.DataFrame({"a": pd.Categorical(["x", "y"])}),
    pd.DataFrame({"a": pd.Categorical(["x", None])}),
    pd.DataFrame({"a": pd.Categorical(["x", None], categories=["x", "y"])}),
]


def plus(x, amount=1):
    return x + amount


def times(x, amount=1):
    return x * amount


def scaled(factor):
    """A decorator with a parameter."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*arguments):
            return factor * function(*arguments)

        return wrapper

    return decorate


def adding(amount):
    def add(x):
        return x + amount

    return add


def keyword_only(amount):
    def add(x, *, amount=amount):
        return x + amount

    return add


def typed(source):
    """A function as made in an interactive session, where no source can be found."""
    space = {"np": np}
    exec(source, space)
    return space["f"]


class Plain:
    def __init__(self, **content):
        vars(self).update(content)

    def method(self, x):
        return x


class Slotted:
    __slots__ = ()


# --- fingerprints ---


def test_a_fingerprint_is_32_hexadecimal_characters():
    assert len(fingerprint("a")) == 32
    assert int(fingerprint("a"), 16) >= 0


def test_different_values_have_different_fingerprints():
    assert len({fingerprint(v) for v in VALUES}) == len(VALUES)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_equal_values_have_equal_fingerprints(value):
    twin = value.copy() if hasattr(value, "copy") else value
    assert fingerprint(value) == fingerprint(twin)


def test_the_layout_in_memory_does_not_matter():
    X = np.arange(12.0).reshape(3, 4)
    assert fingerprint(X) == fingerprint(np.asfortranarray(X)) == fingerprint(X[::-1][::-1])


@given(st.lists(st.text(), min_size=1, max_size=4), st.lists(st.text(), min_size=1, max_size=4))
@settings(derandomize=True, deadline=None)
def test_parts_do_not_run_into_each_other(one, other):
    assert (fingerprint(*one) == fingerprint(*other)) == (one == other)
    assert (fingerprint(one) == fingerprint(other)) == (one == other)


def test_a_missing_object_is_not_the_text_none():
    assert fingerprint(np.array([None, "a"], object)) != fingerprint(
        np.array(["None", "a"], object)
    )


def test_a_large_array_inside_a_list_is_seen_in_full():
    one, other = np.arange(5000), np.arange(5000)
    other[2500] = 0
    assert fingerprint([one]) != fingerprint([other])
    assert fingerprint((one,)) != fingerprint((other,))


def test_fingerprints_and_streams_are_the_same_in_another_session():
    code = (
        "import numpy as np; from podium.running.design.data.identity import *; import operator;"
        "print(fingerprint('a', 1.5, ('x', 'y'), np.arange(3)), "
        "fingerprint(repr(description({'s': {'b', 'a', 'c'}, 'f': operator.add,"
        " 'l': lambda x: x in {'b', 'a', 'c'}}))), "
        "stream(1, 'x', 2).integers(10**9))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    expected = fingerprint("a", 1.5, ("x", "y"), np.arange(3))
    (output,) = outputs
    assert output.split()[0] == expected
    assert int(output.split()[2]) == stream(1, "x", 2).integers(10**9)


# --- streams ---


def test_a_stream_follows_from_its_seed_and_parts():
    def drawn(*arguments):
        return tuple(stream(*arguments).integers(10**9, size=4))

    assert drawn(1, "a", 2) == drawn(1, "a", 2)
    keys = [(1, "a", 2), (2, "a", 2), (1, "b", 2), (1, "a", 3), (1, "a"), (1, "a", "2"), (1, "a2")]
    assert len({drawn(*k) for k in keys}) == len(keys)


def test_a_stream_does_not_depend_on_the_type_of_integers():
    plain = stream(1, "a", 2).integers(10**9)
    assert stream(np.int64(1), "a", 2).integers(10**9) == plain
    assert stream(1, "a", np.int64(2)).integers(10**9) == plain


def test_streams_of_neighbours_are_uncorrelated():
    draws = np.array([stream(1, "sample", k).normal(size=500) for k in range(20)])
    correlations = np.corrcoef(draws)[np.triu_indices(20, 1)]
    assert np.abs(correlations).max() < 4.5 / np.sqrt(500)


# --- descriptions ---


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (0.5, 0.5),
        ("a", "a"),
        (np.int64(3), 3),
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        ([1, (2, 3)], [1, [2, 3]]),
        ({"b", "a"}, ["a", "b"]),
        ({"a": {"b": 1}}, {"a": {"b": 1}}),
        (len, {"named": "builtins.len"}),
        (np.exp, {"named": "numpy.exp"}),
        (SVC, {"named": "sklearn.svm._classes.SVC"}),
    ],
)
def test_a_parameter_is_described_by_plain_values(value, plain):
    found = description(value)
    assert found == plain
    assert type(found) is type(plain)
    assert repr(found) == repr(plain)


def different(*values):
    texts = [json.dumps(description(v), sort_keys=True) for v in values]
    return len(set(texts)) == len(texts)


def alike(*values):
    return len({repr(description(v)) for v in values}) == 1


def test_estimators_are_described_by_class_and_parameters():
    assert alike(SVC(C=2), SVC(C=2))
    assert different(SVC(C=2), SVC(C=3), LogisticRegression(C=2), SVC(C=2, kernel="linear"))
    assert different(
        make_pipeline(StandardScaler(), SVC()), make_pipeline(StandardScaler(), SVC(C=2))
    )


def test_arrays_and_frames_are_described_by_content():
    assert alike(np.arange(3), np.arange(3))
    assert different(np.arange(3), np.arange(4), np.arange(3.0))
    assert different(pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]}), pd.Series([1]))


def test_a_long_array_of_objects_is_described_in_full():
    one = np.array([str(i) for i in range(3000)], dtype=object)
    other = one.copy()
    other[1500] = "changed"
    assert different(one, other)


def test_the_order_of_a_mapping_does_not_matter():
    assert alike({"a": 1, "b": 2}, {"b": 2, "a": 1})


def test_keys_of_different_types_are_not_merged():
    assert different({1: "a", "1": "b"}, {"1": "b"})


def test_functions_are_described_by_name_source_and_defaults():
    assert alike(plus, plus)
    assert different(plus, times, functools.partial(plus, amount=2))
    assert different(functools.partial(plus, amount=2), functools.partial(plus, amount=3))


def test_closures_are_described_by_what_they_close_over():
    assert alike(adding(1), adding(1))
    assert different(adding(1), adding(2), adding("1"))


def test_defaults_of_keyword_only_arguments_count():
    assert different(keyword_only(1), keyword_only(2))


def test_two_lambdas_on_one_line_are_two_functions():
    one, other = (lambda x: x + 1), (lambda x: x + 2)
    assert different(one, other)


def test_the_parameter_of_a_decorator_counts():
    assert different(scaled(2)(plus), scaled(3)(plus), plus)


def test_bound_methods_are_described_with_their_object():
    assert different(Plain(a=1).method, Plain(a=2).method)
    assert alike(Plain(a=1).method, Plain(a=1).method)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(x): return x + 1", "def f(x): return x + 2"),
        ("def f(x): return np.sin(x)", "def f(x): return np.cos(x)"),
        ("f = lambda x: [y + 1 for y in x]", "f = lambda x: [y + 2 for y in x]"),
        ("def f(x, a=1): return a", "def f(x, a=2): return a"),
    ],
)
def test_functions_without_a_source_are_told_apart_by_their_code(one, other):
    assert different(typed(one), typed(other))
    assert alike(typed(one), typed(one))


def test_objects_are_described_by_class_and_attributes():
    assert alike(Plain(a=1, b=[2]), Plain(a=1, b=[2]))
    assert different(Plain(a=1), Plain(a=2), Plain(b=1))


def test_a_recursive_function_can_be_described():
    def factorial(n):
        return n * factorial(n - 1) if n else 1

    assert description(factorial)["closure"] == []


def test_a_cached_function_is_what_it_caches():
    assert alike(functools.cache(plus), functools.cache(plus))
    assert different(functools.cache(plus), functools.cache(times))


# --- refusals ---


@pytest.mark.parametrize("generator", [np.random.RandomState(1), np.random.default_rng(1)])
def test_a_random_number_generator_is_refused(generator):
    with pytest.raises(DesignError) as error:
        description(SVC(random_state=generator), "Algorithm 'svm'")
    assert str(error.value) == (
        "Algorithm 'svm'.random_state is a random number generator, whose state changes with "
        "use. Leave it out: a run's random_state comes from the study's seed."
    )


def test_what_shows_only_its_address_is_refused():
    thing = Slotted()
    with pytest.raises(DesignError) as error:
        description({"inner": [thing]}, "Algorithm 'a'")
    assert str(error.value) == (
        f"Algorithm 'a'.inner[0] is {thing!r}, which has no content that can be compared between "
        "sessions. Give it a get_params method or plain attributes."
    )


def test_what_contains_itself_is_refused_and_does_not_exhaust_the_stack():
    loop = Plain()
    loop.me = loop

    def even(n):
        return n == 0 or odd(n - 1)

    def odd(n):
        return n > 0 and even(n - 1)

    for thing in (loop, even):
        with pytest.raises(DesignError, match=r"^Algorithm 'a' contains itself, so "):
            description(thing, "Algorithm 'a'")
