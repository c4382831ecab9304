"""Recipes: nested values become tables, TOML files say what their columns are."""

import json

import pytest

import podium
from podium.base.errors import ResultsError
from podium.reading.formats import FORMATS
from podium.reading.loading.record_sets import record_sets
from podium.reading.recipes.recipe import recipe_of, recipe_text
from podium.testing import check_format

RECIPES = [
    *("jmh", "pyperf", "benchmarkdotnet", "criterion", "go-bench", "google-benchmark-csv"),
    *("clickbench", "js-framework-benchmark", "promptfoo", "terminal-bench", "evalplus"),
]


@pytest.mark.parametrize("name", RECIPES)
def test_every_shipped_recipe_keeps_the_laws_of_formats(name):
    check_format(FORMATS[name])


def test_lists_are_unrolled_with_their_places_and_what_stands_above_them():
    value = {"b": [{"name": "x", "runs": [{"t": 1.0}, {"t": 2.0}]}, {"name": "y", "runs": []}]}
    frame = record_sets(value)["b[].runs[]"].frame
    assert frame["b[].runs[].t"].tolist() == [1.0, 2.0]
    assert frame["b[].name"].tolist() == ["x", "x"]
    assert frame["b[].runs[]"].tolist() == [0, 1]


def test_mappings_of_alike_values_are_rows_and_lists_beside_each_other_are_zipped():
    value = {"svm": {"acc": [0.9, 0.8], "code": [0, 1]}, "knn": {"acc": [0.7, 0.6], "code": [0, 0]}}
    frame = record_sets(value)["{}[]"].frame
    assert frame["{}"].tolist() == ["svm", "svm", "knn", "knn"]
    assert frame["{}.acc"].tolist() == [0.9, 0.8, 0.7, 0.6]
    assert frame["{}.code"].tolist() == [0, 1, 0, 0]


def test_a_header_with_rows_of_cells_is_a_table():
    value = {"title": "t", "header": ["Model", "acc"], "rows": [["a", 0.5], ["b", 0.6]]}
    frame = record_sets(value)["rows[]"].frame
    assert frame["rows[].Model"].tolist() == ["a", "b"]


def test_columns_that_are_mappings_from_row_to_cell_are_columns():
    value = {"model": {"0": "a", "1": "b"}, "acc": {"0": 0.5, "1": 0.6}}
    frame = record_sets(value)["[]"].frame
    assert frame["[].acc"].tolist() == [0.5, 0.6]


def test_too_deep_values_end_in_a_sentence():
    value = {"a": 1}
    for _ in range(200):
        value = {"a": [value]}
    with pytest.raises(ResultsError, match="nested too deeply"):
        record_sets(value)


RECIPE = """
sampling = "items"
records = "runs[]"
[ok]
code = [0]
[missing]
points = [-1]
[roles]
algorithm = "who"
item = "task"
value = "points"
[measure]
name = "points"
higher_is_better = true
"""


def test_a_recipe_reads_failed_runs_as_failed_and_sentinels_as_missing(tmp_path):
    runs = [
        {"who": who, "task": task, "points": points, "code": code}
        for who, task, points, code in [
            *[("a", "t1", 3, 0), ("a", "t2", -1, 0), ("a", "t3", 9, 1), ("a", "t4", 5, 0)],
            *[("b", "t1", 1, 0), ("b", "t2", 2, 0), ("b", "t3", 3, 0), ("b", "t4", 4, 0)],
        ]
    ]
    (tmp_path / "x.json").write_text(json.dumps({"runs": runs}))
    (tmp_path / "r.toml").write_text(RECIPE)
    results = podium.read(tmp_path / "x.json", recipe=tmp_path / "r.toml")
    values = results.wide("points")["a"].tolist()
    assert [v if v == v else None for v in values] == [3, None, None, 5]
    status = results.runs[results.runs["algorithm"] == "a"]["status"].astype(str).tolist()
    assert status == ["done", "missing", "failed", "done"]
    assert results.failures["algorithm"].tolist() == ["a"]


def test_a_recipe_is_written_as_it_is_read():
    recipe = recipe_of(RECIPE, "It")
    assert recipe_of(recipe_text(recipe), "It") == recipe


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("role = 1", "'role'"),
        ("[roles]\nvalu = 'x'", "valu"),
        ("[roles", "no TOML"),
        ("lines = '('", "no pattern"),
    ],
)
def test_a_wrong_recipe_ends_in_a_sentence(text, match):
    with pytest.raises(ResultsError, match=match):
        recipe_of(text, "The recipe")
