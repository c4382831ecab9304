"""`podium consensus`: what it reads, shows, writes and refuses."""

from __future__ import annotations

import json

import pytest
from ensembles_made import (
    MEAN,
    TIME,
    WORST,
)

from podium.cli.consensus import command
from podium.errors import InferenceError, ResultsError


def called(capsys, *args: object) -> str:
    assert command.main([str(a) for a in args], standalone_mode=False) == 0
    return capsys.readouterr().out


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    path = tmp_path / "orders.csv"
    rows = [f"{n},{t},{w}" for n, t, w in zip("mwc", (MEAN, WORST, TIME), (1, 1.2, 1), strict=True)]
    path.write_text("name,order,weight\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_the_command_shows_the_optimum_and_that_it_is_proved(capsys, texts):
    assert called(capsys, texts, "--family", "linear") == (
        "1 linear order with distance 21.2, proved to be the least, from 3 orders (majority).\n"
        "A < B: A is better than B.\n\n"
        "  blue < red < purple < orange < green < yellow\n"
    )


def test_the_command_numbers_several_optima(capsys, texts):
    out = called(capsys, texts, "--family", "linear", "--weights", "1,1,1")
    assert "  1  blue < red < purple" in out
    assert "  2  red < blue < purple" in out


def test_the_command_writes_json(capsys, texts, tmp_path):
    called(capsys, texts, "--json", tmp_path / "out.json")
    written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert written == json.loads(called(capsys, texts, "--json", "-"))
    assert written["value"] == 19.2
    assert written["optimal"] is True
    assert written["orders"][0]["ascii"] == "blue ~ red < orange ~ purple < green < yellow"


def test_the_command_reads_ranks_texts_and_lines(capsys, tmp_path):
    contents = {
        "ranks.csv": "a,b,c\n1,2,3\n2,1,2\n",
        "semicolons.csv": "name;a;b;c\nx;1;2;3\ny;2;1;2\n",
        "texts.csv": "order\na < b < c\nb < a ~ c\n",
        "lines.txt": "a < b < c\n\nb < a ≈ c\n",
    }
    outputs = set()
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        outputs.add(called(capsys, tmp_path / name, "--family", "linear"))
    assert len(outputs) == 1
    assert outputs.pop().startswith("2 linear orders with distance 3, proved to be the least")


def test_the_command_joins_orders_of_different_algorithms(capsys, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("a,b,c\n1,2,\n1,2,3\n")
    with pytest.raises(InferenceError, match="order 1 lacks 'c'"):
        called(capsys, path)
    assert "a < b < c\n" in called(capsys, path, "--on", "union", "--family", "linear")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "The file 'x.csv' holds no orders."),
        ("a,b\n", "The table 'x.csv' has no rows."),
        ("a,b,a\n1,2,3\n", "The table 'x.csv' has more than one column 'a'."),
        (
            "a < b\nb < < a\n",
            "Line 2 of 'x.csv': The order 'b < < a' lacks a name beside '<'. "
            "An example: svm ≈ rpart < nnet.",
        ),
        (
            "a,b\n1,first\n",
            "Line 2 of 'x.csv' has 'first' in column 'b', which is no number; a table of orders "
            "has ranks in one column per algorithm, or texts in 'order'.",
        ),
        ("a,b\n,\n", "Line 2 of 'x.csv' has no ranks."),
    ],
)
def test_a_file_that_holds_no_orders_is_refused(capsys, tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.csv").write_text(content)
    with pytest.raises(ResultsError) as error:
        called(capsys, "x.csv")
    assert str(error.value) == message


def test_weights_that_are_no_numbers_are_refused(capsys, texts):
    with pytest.raises(InferenceError, match=r"as in 1,1\.2,1, not '1,x,1'"):
        called(capsys, texts, "--weights", "1,x,1")
