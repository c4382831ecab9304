"""`podium consensus`: what it reads, shows, writes and refuses."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from ensembles_made import (
    MEAN,
    TIME,
    WORST,
)

from podium import Order
from podium.asking.comparison.outputs import write_order_text
from podium.asking.consensus.command import PAIR, consensus, read_orders
from podium.errors import InferenceError, ResultsError


def called(capsys, *args: object) -> str:
    assert consensus.main([str(a) for a in args], standalone_mode=False) == 0
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
        "A ≻ B: A is better than B.\n\n"
        "  blue ≻ red ≻ purple ≻ orange ≻ green ≻ yellow\n"
    )


def test_the_command_numbers_several_optima(capsys, texts):
    out = called(capsys, texts, "--family", "linear", "--weights", "1,1,1")
    assert "  1  blue ≻ red ≻ purple" in out
    assert "  2  red ≻ blue ≻ purple" in out


def test_the_command_writes_json(capsys, texts, tmp_path):
    called(capsys, texts, "--json", tmp_path / "out.json")
    written = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert written == json.loads(called(capsys, texts, "--json", "-"))
    assert written["value"] == 19.2
    assert written["optimal"] is True
    assert written["orders"][0]["ascii"] == "blue ~ red > orange ~ purple > green > yellow"


def test_the_command_reads_ranks_texts_and_lines(capsys, tmp_path):
    contents = {
        "ranks.csv": "a,b,c\n1,2,3\n2,1,2\n",
        "semicolons.csv": "name;a;b;c\nx;1;2;3\ny;2;1;2\n",
        "texts.csv": "order\na > b > c\nb > a ~ c\n",
        "lines.txt": "a ≻ b ≻ c\n\nb ≻ a ≈ c\n",
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
    assert "a ≻ b ≻ c\n" in called(capsys, path, "--on", "union", "--family", "linear")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "The file 'x.csv' holds no orders."),
        ("a,b\n", "The table 'x.csv' has no rows."),
        ("a,b,a\n1,2,3\n", "The table 'x.csv' has more than one column 'a'."),
        (
            "a ≻ b\nb ≻ ≻ a\n",
            "Line 2 of 'x.csv': The order 'b ≻ ≻ a' lacks a name beside '≻'. "
            "An example: svm ≈ rpart ≻ nnet.",
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
    with pytest.raises(InferenceError, match=r"A weight is a number, such as 1 or 0\.2, not 'x'"):
        called(capsys, texts, "--weights", "1,x,1")


@pytest.fixture
def scores(tmp_path, monkeypatch):
    """By error a < b < c, by cost c < b < a, clearly."""
    monkeypatch.setenv("COLUMNS", "100")
    lines = ["dataset,algorithm,measure,value"]
    for d in range(8):
        for place, algorithm in enumerate("abc"):
            wiggle = 0.001 * ((3 * d + 5 * place) % 7)
            lines.append(f"d{d},{algorithm},error,{0.1 * (place + 1) + wiggle}")
            lines.append(f"d{d},{algorithm},absolute:median,{4.0 - place + wiggle}")
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_consensus_over_measures_is_that_of_their_orders(capsys, scores):
    out = called(capsys, scores, "--measures", "error:1,absolute:median:0.2")
    assert "error                 1  a ≻ b ≻ c\n" in out
    assert "absolute:median     0.2  c ≻ b ≻ a\n" in out
    assert "1 weak order with distance 1.2, proved to be the least, from 2 orders" in out
    assert "\n  a ≻ b ≻ c\n" in out
    assert "error: ranks, alpha 0.05, target: dataset-population. Hypothesis: two" in out
    assert "Caveats    8 data sets are few: only large differences show.\n" in out
    assert "Note (" not in out
    turned = json.loads(
        called(capsys, scores, "--measures", "error:1,absolute:median:3", "--json", "-")
    )
    assert [order["ascii"] for order in turned["orders"]] == ["c > b > a"]
    assert [order["ascii"] for order in turned["given"]] == ["a > b > c", "c > b > a"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--measures", "error:1,error:2"], "The measure 'error' stands twice"),
        (["--measures", "error:much"], "The weight in 'error:much' is a number"),
        (["--measures", "errors"], "Did you mean 'error'"),
        (["--procedure", "friedman"], "--procedure is for a file of scores"),
        (["--exclude", "d1"], "--exclude is for a file of scores"),
        (["--measures", "error", "--reason", "odd"], "say which by --exclude"),
    ],
)
def test_measures_that_make_no_sense_are_refused(capsys, scores, args, message):
    with pytest.raises(InferenceError, match=message):
        called(capsys, scores, *args)


def test_the_weights_that_are_used_are_shown_and_written(capsys, scores):
    asked = (scores, "--measures", "error:1,absolute:median", "--weights", "1,9")
    assert "absolute:median       9  c ≻ b ≻ a\n" in called(capsys, *asked)
    found = json.loads(called(capsys, *asked, "--json", "-"))
    assert found["weights"] == [1.0, 9.0]
    assert [c["measure"] for c in found["comparisons"]] == ["error", "absolute:median"]


def test_orders_of_scores_say_which_data_sets_were_left_out(capsys, scores):
    said = ("--exclude", "d1", "--reason", "odd", "--columns", "algorithm=algorithm")
    out = called(capsys, scores, "--measures", "error", *said)
    assert "Caveats    Left out after the fact (odd): d1." in out


def test_scores_are_not_taken_for_ranks(capsys, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n0.9,0.8\n")
    with pytest.raises(
        ResultsError, match=r"has 0\.9 for 'a', and ranks are from 1, the best, to 2"
    ):
        called(capsys, path)
    with pytest.raises(ResultsError, match="cannot be read: No such file"):
        called(capsys, tmp_path / "none.csv")


def test_pairs_that_analyze_writes_are_read_back_whole(capsys, tmp_path):
    written = []
    for name, table in {"x": "a,b,≈\na,c,≈\nb,c,<\n", "y": "a,b,<\na,c,<\nb,c,<\n"}.items():
        written += [f"{name},{3 if name == 'x' else 1},{line}" for line in table.split()]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(["name,weight,first,second,sign", *written]), encoding="utf-8")
    found = json.loads(called(capsys, path, "--family", "partial", "--json", "-"))
    assert found["weights"] == [3.0, 1.0]
    path.write_text(path.read_text(encoding="utf-8") + "\nx,3,a,b,<\n", encoding="utf-8")
    with pytest.raises(ResultsError, match=r"The order 'x' of .*pairs.csv"):
        called(capsys, path)


def test_an_order_from_analyze_keeps_its_significant_pair(tmp_path):
    order = Order.from_pairs(
        pd.DataFrame([("y", "x", "≈"), ("x", "z", "≈"), ("y", "z", "≻")], columns=PAIR)
    )
    path = tmp_path / "order.csv"
    path.write_text(write_order_text(".csv", "accuracy", order), encoding="utf-8")
    [back] = read_orders(path).orders
    assert back == order
    assert back.better.sum() == 1
    path.write_text(write_order_text(".csv", "accuracy", Order.from_ranks(["a"], [1])))
    assert read_orders(path).orders[0].algorithms == ("a",)


def test_more_optima_than_are_listed_are_told(capsys, tmp_path):
    """An order and its reverse: every linear order is as good: 6 of three, 24 of four."""
    path = tmp_path / "opposite.txt"
    path.write_text("a > b > c > d\nd > c > b > a\n")
    for limit, there in ((23, 23), (24, 24), (25, 24)):
        out = called(capsys, path, "--family", "linear", "--limit", limit)
        assert sum(line.startswith("  ") for line in out.splitlines()) == there
        assert ("There may be more that are as good." in out) == (limit < 24)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"name,order\nx,\xff\xfe > b\n", "is no text in UTF-8"),
        (b'a,b\n1,2\n"1,2\n', "cannot be read: "),
        (b"\n \n", "holds no orders"),
    ],
)
def test_files_that_hold_no_orders_are_refused(content, says, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_bytes(content)
    with pytest.raises(ResultsError, match=says) as refused:
        read_orders(path)
    assert "\n" not in str(refused.value)
