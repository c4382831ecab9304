"""Processes: sampled at any size, reproducible, with a fixed or a fresh test sample."""

from dataclasses import replace

import numpy as np
import pytest

from podium import process
from podium.errors import DesignError, UnknownName
from podium.running.design import Process
from podium.running.design.data import problems
from podium.running.design.data.identity import stream
from podium.running.design.data.processes import PROBLEMS, drawn_dataset
from podium.running.design.data.sources import from_source


def line(n, rng, slope=2.0):
    x = rng.uniform(size=(n, 1))
    return x, slope * x[:, 0] + rng.normal(size=n)


def coin(n, rng):
    return rng.normal(size=(n, 2)), rng.choice(["head", "tail"], size=n)


@pytest.mark.parametrize(
    ("name", "task", "n", "p"),
    [
        ("twonorm", "classification", 1200, 20),
        ("ringnorm", "classification", 1200, 20),
        ("threenorm", "classification", 1200, 20),
        ("circle", "classification", 1200, 2),
        ("spirals", "classification", 1200, 2),
        ("friedman1", "regression", 200, 10),
        ("friedman2", "regression", 200, 4),
        ("friedman3", "regression", 200, 4),
        ("nested-linear", "regression", 150, 1),
        ("quarter-circle", "classification", 200, 2),
    ],
)
def test_every_built_in_process_has_its_published_size_and_task(name, task, n, p):
    made = process(name)
    assert (made.name, made.task, made.n) == (name, task, n)
    assert made.facts["p"] == p
    assert made.facts["classes"] == (["0", "1"] if task == "classification" else [])


def test_the_table_above_is_complete():
    assert len(PROBLEMS) == 10


@pytest.mark.parametrize(
    ("name", "parameters", "draw"),
    [
        ("nested-linear", {"beta2": 0.16}, problems.nested_linear),
        ("quarter-circle", {"gamma": 30}, problems.quarter_circle),
    ],
)
def test_the_processes_of_hothorn_2005_take_their_parameters(name, parameters, draw):
    sample = process(name, n=50, **parameters).sample(50, np.random.default_rng(1))
    X, y = draw(50, np.random.default_rng(1), **parameters)
    np.testing.assert_array_equal(sample.X, X)
    np.testing.assert_array_equal(sample.y, y)


def test_a_learning_sample_stands_before_its_test_sample():
    data = process("friedman1", n=40, n_test=60).learning_and_test(seed=1, sample=1)
    assert (data.n, data.n_test, len(data.y)) == (40, 60, 100)


@pytest.mark.parametrize("fresh", [False, True])
def test_the_test_sample_is_the_same_for_all_samples_unless_fresh(fresh):
    made = process("friedman1", n=40, n_test=60, fresh_test=fresh)
    first, second = (made.learning_and_test(seed=1, sample=k) for k in (1, 2))
    assert not np.array_equal(first.X[:40], second.X[:40])
    assert np.array_equal(first.X[40:], second.X[40:]) != fresh
    assert np.array_equal(first.y[40:], second.y[40:]) != fresh


def test_test_samples_are_fresh_unless_asked_otherwise():
    """One test sample for all makes tests about the process reject nearly always."""
    simulated = from_source("d", "builtin:twonorm", simulate=True)
    for made in (process("twonorm"), process("line", line, n=9), simulated):
        assert made.facts["fresh_test"] is True
        assert made.fingerprint == replace(made, fresh_test=True).fingerprint
        assert made.fingerprint != replace(made, fresh_test=False).fingerprint


def test_learning_samples_do_not_depend_on_the_test_sample():
    fixed, fresh = (process("twonorm", n=20, n_test=30, fresh_test=f) for f in (False, True))
    for k in (1, 5):
        np.testing.assert_array_equal(
            fixed.learning_and_test(3, k).X[:20], fresh.learning_and_test(3, k).X[:20]
        )


def test_learning_and_test_sample_never_share_rows():
    data = process("friedman1", n=200, n_test=200, fresh_test=True).learning_and_test(0, 1)
    assert len(np.unique(data.X, axis=0)) == 400


def test_samples_follow_from_the_seed_the_name_and_their_number():
    def rows(name="p", seed=1, sample=1):
        return process(name, line, n=30, n_test=10).learning_and_test(seed, sample).X[:30]

    np.testing.assert_array_equal(rows(), rows())
    for other in (rows(name="q"), rows(seed=2), rows(sample=2)):
        assert not np.array_equal(rows(), other)


def test_a_function_of_ones_own_is_a_process():
    made = process("line", line, n=30, n_test=50, slope=3.0)
    assert (made.task, made.n, made.n_test) == ("regression", 30, 50)
    data = made.sample(5000, np.random.default_rng(1))
    slope = np.polyfit(data.X[:, 0], data.y, 1)[0]
    assert slope == pytest.approx(3, abs=4 * np.sqrt(12 / 5000))


def test_the_task_of_ones_own_process_follows_from_what_it_draws():
    assert process("coin", coin, n=10).task == "classification"
    assert process("coin", coin, n=10).facts["classes"] == ["head", "tail"]
    codes = process("codes", lambda n, rng: (rng.normal(size=(n, 1)), rng.integers(5, size=n)), n=9)
    assert codes.task == "classification"
    assert process("line", line, n=10).task == "regression"


def test_the_fingerprint_depends_on_the_function_its_parameters_and_sizes_and_not_on_the_name():
    made = process("a", line, n=30)
    assert made.fingerprint == process("b", line, n=30).fingerprint
    others = [
        process("a", line, n=31),
        process("a", line, n=30, n_test=10),
        process("a", line, n=30, fresh_test=False),
        process("a", line, n=30, slope=3.0),
        process("a", lambda n, rng: line(n, rng, 2.0), n=30),
        process("twonorm", n=30),
    ]
    assert len({made.fingerprint, *(o.fingerprint for o in others)}) == len(others) + 1


def test_the_order_of_parameters_does_not_matter():
    def two(n, rng, a, b):
        return rng.normal(a, b, size=(n, 1)), rng.normal(size=n)

    ab, ba = process("p", two, n=30, a=1, b=2), process("p", two, n=30, b=2, a=1)
    assert ab.fingerprint == ba.fingerprint


def test_facts_and_repr_tell_what_the_process_is():
    made = process("quarter-circle", n=30, n_test=50, gamma=45)
    assert made.facts == {
        "task": "classification",
        "n": 30,
        "n_test": 50,
        "process": True,
        "fresh_test": True,
        "parameters": {"gamma": 45},
        "classes": ["0", "1"],
        "p": 2,
        "nominal": 0,
        "missing": 0,
        "origin": "builtin:quarter-circle",
    }
    assert repr(made) == (
        "<Process quarter-circle: classification, n = 30, fresh test sample of 50>"
    )


def test_a_drawn_data_set_follows_from_its_own_seed():
    one = drawn_dataset("d", "twonorm", 50, seed=3)
    X, y = problems.twonorm(50, stream(3, "builtin", "twonorm"))
    np.testing.assert_array_equal(one.X, X)
    np.testing.assert_array_equal(one.y, y)
    assert one.fingerprint == drawn_dataset("e", "twonorm", 50, seed=3).fingerprint
    assert one.fingerprint != drawn_dataset("d", "twonorm", 50, seed=4).fingerprint


# --- refusals ---


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("p", line), {}, "Process 'p': say the size of a training set with n=..."),
        (
            ("twonorm",),
            {"n": 1},
            "Process 'twonorm': n must be a whole number of at least 2, not 1.",
        ),
        (
            ("twonorm",),
            {"n": 20.0},
            "Process 'twonorm': n must be a whole number of at least 2, not 20.0.",
        ),
        (
            ("twonorm",),
            {"n_test": 0},
            "Process 'twonorm': n_test must be a whole number of at least 2, not 0.",
        ),
        (
            ("twonorm",),
            {"task": "regression"},
            "Process 'twonorm' is a classification, not a regression.",
        ),
        (
            ("twonorm",),
            {"sd": 2},
            "Process 'twonorm': 'sd' is not a parameter of twonorm. Did you mean 'd'? Known: d.",
        ),
        (("", line), {"n": 10}, "The name of a process is a printable text, not ''."),
        (
            ("p", lambda n, rng: 1 / 0),
            {"n": 10},
            "Process 'p' cannot be sampled: ZeroDivisionError: division by zero.",
        ),
        (
            ("p", lambda n, rng: None),
            {"n": 10},
            "Process 'p' cannot be sampled: TypeError: cannot unpack non-iterable NoneType object.",
        ),
        (
            ("p", lambda n, rng: (np.ones((3, 1)), np.ones(3))),
            {"n": 10},
            "Process 'p' drew 3 rows where 100 were asked for.",
        ),
        (
            ("p", lambda n, rng: (np.ones((3, 1)), np.arange(n) % 2)),
            {"n": 10},
            "Data set 'p': 3 rows but 100 target values.",
        ),
    ],
)
def test_a_wrong_process_is_refused_in_words(arguments, options, message):
    with pytest.raises(DesignError) as error:
        process(*arguments, **options)
    assert str(error.value) == message


def test_an_unknown_process_is_answered_by_the_closest():
    with pytest.raises(UnknownName, match=r"Did you mean 'twonorm'\?"):
        process("twonrm")


@pytest.mark.parametrize(
    "draw",
    [lambda n, rng: (rng.normal(size=(n, 1)), 5), lambda n, rng: (5, rng.normal(size=n)), 5],
    ids=["target", "attributes", "no function"],
)
def test_what_draws_no_table_and_target_is_a_design_error(draw):
    with pytest.raises(DesignError, match="'p'"):
        process("p", draw, n=10)


def test_a_task_that_is_none_is_refused_at_once():
    with pytest.raises(DesignError, match="ranking"):
        process("p", line, n=10, task="ranking")


def test_a_sample_with_other_classes_is_refused():
    def drifting(n, rng):
        y = np.arange(n) % 2 if n == 100 else np.arange(n) % 3
        return rng.normal(size=(n, 1)), y

    with pytest.raises(DesignError) as error:
        process("p", drifting, n=30, n_test=30, task="classification").learning_and_test(1, 4)
    assert str(error.value) == "Process 'p': sample 4 has the classes 0, 1, 2 instead of 0, 1."


def test_a_design_error_inside_the_function_is_passed_on():
    def complaining(n, rng):
        raise DesignError("My own words.")

    with pytest.raises(DesignError, match=r"^My own words\.$"):
        process("p", complaining, n=10)


def test_a_process_is_a_plain_value():
    made = Process("p", line, "regression", 10)
    assert made.n_test == 2000
    assert made.sample(7, np.random.default_rng(0)).n == 7
