"""The page about extending, to the letter: each example is one file of the tree, and works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import podium
from podium.reading.recipes.recipe import recipe_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
FILES = dict(
    re.findall(
        r"In\s+the\s+tree:\s+`src/([\w/]+\.(?:py|toml))`\.\n+```\w+\n(.*?)```", PAGE, re.DOTALL
    )
)
ROOM = "podium/asking/tallies"  # the one that needs a folder, and a line in the list of rooms
USED = """
import pickle, sys, numpy as np, podium
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor
from podium.cli.main import status_of
from podium.core.words.saying import say
from podium.testing import check_format, check_measure, check_sampling
rows = np.arange(60.0)
data = podium.dataset("made", rows[:, None] % 17, rows % 17 + rows / 7, task="regression")
both = {"linear": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=1)}
study = podium.Study(data, both, sampling="thirds:20", measures=["tardiness"], seed=1)
results = podium.run(study, "own.db", quiet=True)
assert results.measures["tardiness"].unit == "days"
check_measure(results.measures["tardiness"])
check_sampling(results.sampling.kind)
assert podium.compare(results, "top-one").procedure == "top-one"
rows = np.arange(12.0)
best = {"a": rows + 2, "b": rows + rows % 2, "c": rows + (rows + 1) % 2}  # a is, everywhere
for higher in (True, False):
    given = {name: (each if higher else 20 - each).tolist() for name, each in best.items()}
    own = podium.read(given, sampling="simulation", measure="points", higher_is_better=higher)
    compared = podium.compare(own, "top-one")
    assert compared.table["estimate"].round(9).tolist() == [1.0, 1.0, 0.0]
    assert podium.decide(compared).text == "a ≻ b ≈ c"
    own.values("points").to_csv("points.csv", index=False)
    words = ["analyze", "points.csv", "-m", "points", "--sampling", "simulation", "-p", "top-one"]
    way = "--higher-is-better" if higher else "--lower-is-better"
    assert status_of([*words, way, "--pairs"]) == 0
table = podium.read({"a": [1.0, 2, 3], "b": [2.0, 4, 5]}, sampling="thirds:3", measure="tardiness")
assert str(table.sampling) == "thirds:3" and not table.measures["tardiness"].higher_is_better
assert status_of(["plot", "ranges", "own.db", "-o", "ranges.png"]) == 0
open("a.json", "w").write('{"quiz_version": 1, "answers": {"x": [1, 1, 0], "y": [0, 0, 1]}}')
assert podium.read("a.json").algorithms == ["x", "y"]
from podium.reading.formats import FORMATS
check_format(FORMATS["quiz"])
from podium.core.verdicts.trimmed import trimmed_means
assert trimmed_means(results, trim=0.2)["linear"] < trimmed_means(results)["tree"]
assert podium.tallies.tally(results).sum() == 20
answer = podium.analyze(results, tally=True)
assert str(answer).startswith("tree is the best ") or str(answer).startswith("linear is the best ")
assert answer.to_dict()["tallies"] == podium.tallies.tally(results).to_dict()
assert status_of(["analyze", "own.db", "--tally", "--json", "t.json"]) == 0
assert status_of(["analyze", "own.db", "--tally", "--report", "t.html"]) == 0
import json
assert json.load(open("t.json"))["tallies"] == answer.to_dict()["tallies"]
assert say(podium.Note("too-sunny", hours=9)) == "The sun shone for 9 hours."
assert pickle.loads(pickle.dumps(podium.plots.ranges)) is podium.plots.ranges
"""
# what is registered is held against the same laws as our own
HELD = (
    "tests/test_extensions.py::test_our_procedures_keep_them[top-one]",
    "tests/showing/plots/test_plot_faces.py::"
    "test_a_face_is_a_function_with_the_parameters_of_its_data_and_axes[ranges]",
    "tests/core/inference/comparing/test_replaced_bricks.py::"
    "test_no_text_speaks_of_a_brick_that_is_another_one[top-one]",
)
# sections and first screens are code without prompts, of a page's room or of one's own
SHOWN = re.findall(r"```python\n(from podium\.showing\.reports.*?)```", PAGE, re.DOTALL)
PAGES = """
import numpy as np, podium
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor
from podium.cli.main import status_of
fast = [1.5, 1.6, 1.4, 1.7, 1.5, 1.6]
podium.read({"svm": [1.9, 2.0, 1.8, 2.1, 1.7, 1.9], "lda": fast}, sampling="bootstrap",
            measure="seconds").values("seconds").to_csv("slow.csv", index=False)
words = ["--sampling", "bootstrap", "-m", "seconds", "-o", "slow.html"]
assert status_of(["report", "slow.csv", *words]) == 0
page = open("slow.html", encoding="utf-8").read()
assert "is the slowest." in page
assert "Longest runs" not in page
rows = np.arange(60.0)
data = podium.dataset("made", rows[:, None] % 17, rows % 17 + rows / 7, task="regression")
both = {"linear": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=1)}
study = podium.Study(data, both, sampling="bootstrap:9", measures=["rmse"], seed=1)
podium.report(podium.run(study, "own.db", quiet=True), "own.html")
page = open("own.html", encoding="utf-8").read()
assert "is the slowest." not in page
assert "Longest runs" in page
"""


def as_file(example: str) -> str:
    """An example without its prompts."""
    if not example.startswith(">>> "):
        return example
    return "".join(line[4:] or "\n" for line in example.splitlines(keepends=True) if line.strip())


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Podium's source with one more file for each kind of thing."""
    source = tmp_path_factory.mktemp("source")
    shutil.copytree(Path(podium.__file__).parent, source / "podium")  # with what was compiled
    (source / ROOM).mkdir()
    listed = source / "podium/core/base/rooms.py"
    text = listed.read_text(encoding="utf-8")
    listed.write_text(
        text.replace('    "asking.boards",\n', '    "asking.tallies",\n    "asking.boards",\n'),
        "utf-8",
    )
    for name, example in FILES.items():
        assert (source / name).parent.is_dir()
        assert not (source / name).exists()
        text = as_file(example) if name.endswith(".py") else example
        (source / name).write_text(text, encoding="utf-8")
    return source


def ran(source: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(source)}
    line = [sys.executable, *words]
    return subprocess.run(
        line, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_page_has_one_file_of_each_kind() -> None:
    kinds = {"running/design/measuring", "running/design/samples"}
    kinds |= {"core/inference/procedures", "showing/plots/of_scores"}
    kinds |= {"reading/recipes/shipped", "core/verdicts", "core/words/notes", "asking/tallies"}
    assert {str(Path(name).parent) for name in FILES} == {f"podium/{kind}" for kind in kinds}


def test_the_grammar_of_recipes_is_as_told() -> None:
    """The block that lists what a recipe may say is one."""
    grammar = re.findall(r"```toml\n(records = .*?)```", PAGE, re.DOTALL)[0]
    recipe = recipe_of(grammar, "The page")
    assert recipe.is_of_tool
    assert {*recipe.tool.beside} == {"spec", "better"}


def test_one_file_is_all_that_it_takes(extended: Path, tmp_path: Path) -> None:
    run = ran(extended, tmp_path, "-c", USED)
    assert run.returncode == 0, run.stderr[-3000:]
    assert (tmp_path / "ranges.png").stat().st_size > 1000
    told = run.stdout.replace("\n", " ")
    assert told.count("a comes first by share of firsts.") == 2
    assert told.count("a beats b, the runner-up, by 1.00 in share of firsts.") == 2
    assert told.count("difference in share of firsts from best") == 2
    assert told.count("Estimates are first - second in share of firsts") == 2
    assert "rank sums" not in told


def test_what_is_added_keeps_the_laws(extended: Path) -> None:
    run = ran(extended, ROOT, "-m", "pytest", "-q", "-p", "no:cacheprovider", *HELD)
    assert run.returncode == 0, run.stdout[-3000:]
    assert f"{len(HELD)} passed" in run.stdout


def test_sections_and_first_screens_are_shown(tmp_path: Path) -> None:
    assert len(SHOWN) == 2
    run = ran(Path(podium.__file__).parents[1], tmp_path, "-c", "\n".join([*SHOWN, PAGES]))
    assert run.returncode == 0, run.stderr[-3000:]


def test_no_example_is_left_out() -> None:
    """Every block of code is a file of the tree, typed by the doctests, or tried above."""
    code = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
    typed = [text for kind, text in code if kind == "pycon"]
    rest = [text for kind, text in code if kind != "pycon" and text not in FILES.values()]
    assert all(text.startswith(">>> ") for text in typed)
    assert [text for text in rest if text not in SHOWN and not text.startswith("records = ")] == []


def test_nothing_else_is_to_be_mended(extended: Path) -> None:
    """The tests of structure hold with them in the tree."""
    words = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/test_structure.py"]
    run = ran(extended, ROOT, *words, "-k", "not loads and not stub and not optional")
    assert run.returncode == 0, run.stdout[-3000:]
    assert int(re.findall(r"(\d+) passed", run.stdout)[0]) > 40
