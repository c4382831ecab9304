"""The JSON of an analysis: valid by the schema that is shipped, the words those of the screen."""

import json
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from podium.cli.main import main

sys.path.insert(0, str(Path(__file__).parents[3] / "docs"))
import make_json

SCHEMA = json.loads(
    files("podium.asking.comparison").joinpath("analysis.schema.json").read_text("utf-8")
)
NAMES = ["svm", "knn", "tree", "lda"]


def scores(path, blocks=12, column="dataset"):
    draw = np.random.default_rng(3)
    rows = [
        f"{column[0]}{b},{name},{0.2 + 0.03 * i + draw.normal(0, 0.02):.3f}"
        for b in range(blocks)
        for i, name in enumerate(NAMES)
    ]
    path.write_text("\n".join([f"{column},algorithm,error", *rows]) + "\n")
    return path


def battles(path):
    draw = np.random.default_rng(5)
    rows = []
    for _ in range(300):
        a, b = draw.choice(4, 2, replace=False)
        won = "model_a" if draw.random() < 1 / (1 + 2.0 ** (a - b)) else "model_b"
        rows.append(f"{NAMES[a]},{NAMES[b]},{won}")
    path.write_text("\n".join(["model_a,model_b,winner", *rows]) + "\n")
    return path


def judged(path):
    draw = np.random.default_rng(7)
    rows = []
    for i in range(80):
        for k, name in enumerate(NAMES[:3]):
            human = int(draw.random() < 0.8 - 0.2 * k)
            shown = human if i % 2 else ""
            rows.append(f"{i},{name},{int(draw.random() < 0.3 + 0.5 * human)},{shown}")
    path.write_text("\n".join(["item,model,judge,human", *rows]) + "\n")
    return path


CASES = {
    "data sets": (scores, []),
    "reference": (scores, ["--control", "lda"]),
    "means": (scores, ["-p", "paired-t"]),
    "step-down": (scores, ["-p", "wilcoxon", "--adjust", "holm"]),
    "bayes": (scores, ["--bayes", "--rope", "0.01"]),
    "equivalence": (scores, ["--equivalence", "0.05", "-p", "paired-t"]),
    "battles": (battles, []),
    "judge": (judged, ["--judge", "judge", "--human", "human"]),
}


def analysed(tmp_path, make, options, capsys):
    out = tmp_path / "out.json"
    source = make(tmp_path / "scores.csv")
    with pytest.raises(SystemExit) as ended:
        main(["analyze", str(source), *options, "--json", str(out)])
    assert ended.value.code == 0
    return json.loads(out.read_text("utf-8")), " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("case", CASES)
def test_every_analysis_is_valid_and_says_what_the_screen_says(case, tmp_path, capsys):
    make, options = CASES[case]
    result, screen = analysed(tmp_path, make, options, capsys)
    jsonschema.validate(result, SCHEMA)
    assert result["schema"] == SCHEMA["$id"]
    assert result["headline"] in screen
    assert result["next"] in screen
    assert set(result["lead"] or ()) == {
        name for name, (low, _) in (result["places"] or {}).items() if low == 1
    }


def test_scores_are_by_the_names_of_their_data_sets(tmp_path, capsys):
    result, _ = analysed(tmp_path, scores, [], capsys)
    values = result["values"]["error"]
    assert list(values) == NAMES
    assert result["blocks"]["names"] == [f"d{i}" for i in range(12)]
    for name in NAMES:
        assert np.mean(values[name]) == pytest.approx(result["means"][name])


def test_very_many_scores_are_left_out(tmp_path, capsys):
    def make(path):
        return scores(path, 5_001, "item")

    result, _ = analysed(tmp_path, make, [], capsys)
    assert result["values"] is None
    assert result["blocks"]["names"] is None


def test_caveats_come_with_a_level_and_a_few_words(tmp_path, capsys):
    result, _ = analysed(tmp_path, lambda path: scores(path, 4), [], capsys)
    assert result["caveats"]
    assert all(1 <= len(c["short"].split()) <= 5 for c in result["caveats"])


def test_the_page_of_the_schema_is_made_by_its_script():
    assert make_json.PAGE.read_text("utf-8") == make_json.text()
