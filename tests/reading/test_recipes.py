"""Recipes: nested values become tables, TOML files say what their columns are."""

import json
import os
import subprocess
import sys

import pandas as pd
import pytest

import podium
from podium.errors import ResultsError
from podium.reading.loading.record_sets import record_sets
from podium.reading.recipes.deriving import derived, unrolled
from podium.reading.recipes.known import format_from
from podium.reading.recipes.recipe import recipe_of, recipe_text
from podium.reading.recipes.walking import walked, with_short_names


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
        ("[recognise]\ncolums = ['a']", "colums"),
        ("[[refuse]]\ntext = '('", "no pattern"),
        ("[derive.x]\nform = 'a'", "'form' is not a rule"),
    ],
)
def test_a_wrong_recipe_ends_in_a_sentence(text, match):
    with pytest.raises(ResultsError, match=match):
        recipe_of(text, "The recipe")


# --- files of a tool ---


def test_a_record_is_called_by_the_nearest_and_lists_beside_it_are_its_own():
    value = {"name": "top", "b": [{"name": "x", "t": [1.0, 2.0], "code": [0, 1], "k": [9]}]}
    frame, paths = with_short_names(walked(value, "b[].t[]", "It"))
    assert frame["name"].tolist() == ["x", "x"]
    assert frame["/name"].tolist() == ["top", "top"]
    assert frame["code"].tolist() == [0, 1]
    assert (paths["t"], "k" in frame) == ("b[].t", False)
    with pytest.raises(ResultsError, match="no list 'b'"):
        walked({"b": 3}, "b[].t[]", "It")


@pytest.mark.parametrize(
    ("rule", "cells"),
    [
        ({"from": "a", "pattern": "([a-z]+)"}, ["x", "x", "y"]),
        ({"from": "a", "pattern": "[0-9]", "replace": ""}, ["x", "x", "y"]),
        ({"first": ["gone", "b", "a"]}, ["x1", "2", "y1"]),
        ({"text": "{a} ({b})"}, ["x1 ()", "x2 (2)", "y1 ()"]),
        ({"from": "a", "map": {"x1": 5}, "default": 0}, [5, 0, 0]),
        ({"multiply": ["c", 2]}, [2, 4, 6]),
        ({"divide": ["c", "c"]}, [1, 1, 1]),
        ({"add": ["c", -1]}, [0, 1, 2]),
        ({"sum": "c", "within": ["d"]}, [1, 3, 3]),
        ({"fill": "b", "within": ["d"]}, ["2", "2", None]),
        ({"number": ["d"]}, ["r", "r (2)", "s"]),
        ({"first": ["d"], "apart": ["a"]}, ["r x1", "r x2", "s"]),
        ({"first": ["d"], "apart": ["a"], "twice": ["c"]}, ["r", "r", "s"]),
    ],
)
def test_every_rule_makes_its_column(rule, cells):
    frame = pd.DataFrame({"a": ["x1", "x2", "y1"], "b": [None, "2", None], "c": [1, 2, 3]})
    frame["d"] = ["r", "r", "s"]
    made = derived({"new": rule}, frame, "It")["new"]
    assert [None if cell != cell else cell for cell in made] == cells


def test_rules_of_several_columns_and_lists_in_cells():
    frame = pd.DataFrame(
        {"run": ["Cart_ppo_1", "Cart_sac_1"], "fold": ["Fold1.Rep2", "Fold3.Rep2"]}
    )
    pattern = r"Fold(?P<k>\d)\.Rep(?P<r>\d)"
    made = derived({"x": {"runs": "run"}, "y": {"from": "fold", "pattern": pattern}}, frame, "It")
    assert made["x.algorithm"].tolist() == ["ppo", "sac"]
    assert (made["k"].tolist(), made["r"].tolist()) == (["1", "3"], ["2", "2"])
    lists = pd.DataFrame({"all": ["[1, null]", "[3, 4]"], "value": [9, 9]})
    long = unrolled({"column": "all", "into": "value"}, lists)
    assert long["all#"].tolist() == [1, 2, 1, 2]
    assert long["value"].fillna(0).tolist() == [1, 0, 3, 4]


TOOL = """
name = "clock"
title = "clock timings"
sampling = "runs"
records = "tests[].times[]"
empty = "Run it again."
[recognise]
has = ["clock_version", "tests"]
[[refuse]]
columns = ["test", "mean_time"]
says = "has means alone. Give the JSON."
[beside.machine]
file = 'machine.json'
fields = ["host"]
[roles]
algorithm = "file"
dataset = "test"
value = "times"
[alone]
algorithm = "test"
dataset = "machine.host?"
[measure]
name = "time"
higher_is_better = false
"""


def test_files_that_share_tests_are_compared_and_else_the_tests_of_a_file(tmp_path):
    record = format_from(recipe_of(TOOL, "It"))
    tests = [{"test": t, "times": [1.0 + k, 2.0 + k]} for k, t in enumerate("ab")]
    for name in ("old", "new"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"clock_version": 1, "tests": tests}))
    both = podium.read([tmp_path / "old.json", tmp_path / "new.json"], format=record)
    assert (both.algorithms, both.datasets) == (["old", "new"], ["a", "b"])
    (tmp_path / "machine.json").write_text('{"host": "m1"}')
    one = podium.read(tmp_path / "old.json", format=record)
    assert (one.algorithms, one.datasets, str(one.sampling)) == (["a", "b"], ["m1"], "runs:2")
    (tmp_path / "means.csv").write_text("test,mean_time\na,1\n")
    with pytest.raises(ResultsError, match=r"has means alone\. Give the JSON"):
        podium.read(tmp_path / "means.csv", format=record)
    (tmp_path / "short.json").write_text(
        json.dumps({"clock_version": 1, "tests": [{"test": t, "times": [1.0]} for t in "ab"]})
    )
    (tmp_path / "machine.json").unlink()
    with pytest.raises(ResultsError, match=r"one score of each algorithm.*Run it again"):
        podium.read(tmp_path / "short.json", format=record)


def test_a_users_own_recipe_is_found_in_a_folder(tmp_path):
    (tmp_path / "clock.toml").write_text(TOOL)
    (tmp_path / "x.json").write_text(
        json.dumps(
            {"clock_version": 1, "tests": [{"test": t, "times": [1.0, 2.5, 2.0]} for t in "ab"]}
        )
    )
    words = [sys.executable, "-m", "podium", "analyze", str(tmp_path / "x.json")]
    run = subprocess.run(
        words, env=os.environ | {"PODIUM_FORMATS": str(tmp_path)}, capture_output=True, text=True
    )
    assert "Read as    clock timings: 2 tests" in run.stdout, run.stderr


def test_scores_of_one_model_in_two_files_are_refused(tmp_path):
    text = TOOL.replace('algorithm = "file"', 'algorithm = "who"').replace("[alone]", "[nouns]")
    text = text.replace('dataset = "machine.host?"\n', "")
    record = format_from(recipe_of(text, "It"))
    for k, name in enumerate(("old", "new")):
        tests = [{"test": t, "who": "w", "times": [1.0 + k, 2.0 + k]} for t in "ab"]
        (tmp_path / f"{name}.json").write_text(json.dumps({"clock_version": 1, "tests": tests}))
    with pytest.raises(ResultsError, match=r"'w' has the same scores.*algorithm=file"):
        podium.read([tmp_path / "old.json", tmp_path / "new.json"], format=record)


GO = "BenchmarkJson/n=1-8 \t 9 \t {a} ns/op\nBenchmarkProto/n=1-8 \t 9 \t {b} ns/op\n"


def test_before_and_after_are_compared_on_every_benchmark(tmp_path):
    """Functions of two files are data sets; they are never taken for runs of one file."""
    for name, more in (("old", 100), ("new", 0)):
        texts = [GO.format(a=200 + more + k, b=50 + more + k) for k in range(3)]
        (tmp_path / f"{name}.txt").write_text("".join(texts))
    results = podium.read([tmp_path / "old.txt", tmp_path / "new.txt"])
    assert (results.algorithms, len(results.datasets)) == (["old", "new"], 2)
    alone = podium.read(tmp_path / "old.txt")
    assert alone.algorithms == ["Json", "Proto"]
    said = podium.read(tmp_path / "old.txt", columns="algorithm=file")
    assert (said.algorithms, len(said.datasets)) == (["old"], 2)


def test_what_a_tool_compares_is_a_data_set_where_files_are_compared(tmp_path):
    text = TOOL.replace('algorithm = "file"', 'algorithm = "who"').replace("[alone]", "[nouns]")
    record = format_from(recipe_of(text.replace('dataset = "machine.host?"\n', ""), "It"))
    for k, name in enumerate(("old", "new")):
        tests = [{"test": "a", "who": w, "times": [1.0 + k, 9.0 + k]} for w in "uv"]
        (tmp_path / f"{name}.json").write_text(json.dumps({"clock_version": 1, "tests": tests}))
    files = [tmp_path / "old.json", tmp_path / "new.json"]
    results = podium.read(files, format=record, columns="algorithm=file")
    assert (results.algorithms, results.datasets) == (["old", "new"], ["u", "v"])
    assert results.values("time")["sample"].max() == 2


def test_units_of_a_table_are_heeded(tmp_path):
    head = "name,iterations,real_time,cpu_time,time_unit\n"
    rows = [f'"BM_a/1",9,{t},1,us\n"BM_b/1",9,{t + 1},1,us\n' for t in (5, 6)]
    (tmp_path / "b.csv").write_text(head + "".join(rows))
    values = podium.read(tmp_path / "b.csv").wide("time")
    assert values["BM_b"].tolist() == [6e3, 7e3]
    (tmp_path / "c.csv").write_text(head + "".join(rows).replace("6,1,us", "6,1,ms"))
    with pytest.raises(ResultsError, match=r"several units \(ms, ?us\).*--benchmark_format=json"):
        podium.read(tmp_path / "c.csv")
