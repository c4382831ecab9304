"""Registries: names to things, and what is said to a name that is not there."""

import pytest

from podium import PodiumError
from podium.core.base.registry import Registry, did_you_mean, unknown
from podium.errors import DesignError, UnknownName


@pytest.fixture
def colours():
    registry = Registry("colour")
    registry.add("red", 1)
    registry.add("green", 2)
    return registry


def test_a_registry_is_a_mapping_in_the_order_of_its_entries(colours):
    assert dict(colours) == {"red": 1, "green": 2}
    assert list(colours) == ["red", "green"]
    assert len(colours) == 2
    assert colours["green"] == colours.get("green") == 2


def test_adding_returns_the_thing_itself(colours):
    thing = object()
    assert colours.add("blue", thing) is thing
    assert colours["blue"] is thing


def test_a_decorated_function_is_registered_and_left_as_it_was(colours):
    @colours.named("mix")
    def mix():
        return "brown"

    assert colours["mix"] is mix
    assert mix() == "brown"


def test_a_name_is_registered_once(colours):
    with pytest.raises(ValueError, match=r"^The colour 'red' is registered twice\.$"):
        colours.add("red", 3)
    assert colours["red"] == 1


def test_membership_and_get_do_not_raise(colours):
    assert "red" in colours
    assert "rde" not in colours
    assert ["red"] not in colours
    assert colours.get("rde", 0) == 0


@pytest.mark.parametrize("name", ["rde", "", None, 5, ["red"]])
def test_an_unknown_name_of_any_type_is_one_error_of_every_kind(colours, name):
    for kind in (UnknownName, DesignError, PodiumError, KeyError, ValueError):
        with pytest.raises(kind):
            colours[name]


def test_an_unknown_name_is_answered_in_a_sentence_without_quotes_around_it(colours):
    with pytest.raises(UnknownName) as error:
        colours["gren"]
    assert str(error.value) == "'gren' is not a colour. Did you mean 'green'? Known: red, green."


@pytest.mark.parametrize(
    ("name", "known", "answer"),
    [
        ("svc", ["SVC", "SVR"], " Did you mean 'SVC'?"),
        ("RED", ["red"], " Did you mean 'red'?"),
        ("boostrap", ["cv", "bootstrap", "holdout"], " Did you mean 'bootstrap'?"),
        ("zzz", ["red", "green"], ""),
        ("red", [], ""),
    ],
)
def test_the_closest_name_is_suggested_whatever_its_case(name, known, answer):
    assert did_you_mean(name, known) == answer


@pytest.mark.parametrize(
    ("kind", "known", "sentence"),
    [
        ("measure", ["auc"], "'x' is not a measure. Known: auc."),
        ("option", ["a", "b"], "'x' is not an option. Known: a, b."),
        ("measure", [], "'x' is not a measure. Known: none."),
    ],
)
def test_the_sentence_has_the_right_article_and_all_names(kind, known, sentence):
    assert unknown(kind, "x", iter(known)) == sentence
