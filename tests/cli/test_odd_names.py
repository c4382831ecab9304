"""Names that end in numbers, or are nothing else: sorted as people count, whatever they hold."""

from __future__ import annotations

import itertools
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.cli.main import main
from podium.core.base.formatting import natural

NUMBERS = (
    "",
    "0",
    "00",
    "1",
    "01",
    "2",
    "10",
    "4o",
    ".5",
    "-1",
    "+1",
    "0.1",
    "0.01",
    "1e-3",
    "1.10",
)
SIGNS = ("²", "٣", "３", "Ⅳ", "½", "é", "e\u0301", "ß", "🙂", "\ud800", " 2", "\n2", "\t")
LONG = ("9" * 5000, "8" * 5001, "0" * 5000)
NAMES = [text + end for text in ("", "svm", "SVM", "2a") for end in (*NUMBERS, *SIGNS, *LONG)]


def test_every_pair_of_odd_names_has_one_order():
    for a, b in itertools.product(NAMES, repeat=2):
        assert (natural(a) < natural(b)) + (natural(b) < natural(a)) == (a != b)


@given(st.lists(st.text("ab01289²٣３.-+ ", max_size=6) | st.integers().map(str), max_size=8))
def test_any_names_are_sorted_the_same_from_any_order(names):
    turned = names[::-1]
    assert sorted(names, key=natural) == sorted(turned, key=natural)


@given(st.text("abc-. ", max_size=5), st.integers(0), st.integers(0), st.sampled_from(["", "b"]))
def test_numbers_in_names_are_sorted_by_their_size(text, first, second, rest):
    smaller, larger = sorted([first, second])
    assert natural(f"{text}{smaller}{rest}") <= natural(f"{text}{larger}{rest}")
    assert natural(text) < natural(f"{text}{first}")


def ran(capsys, *args):
    with pytest.raises(SystemExit) as end:
        main([str(arg) for arg in args])
    return end.value.code, capsys.readouterr()


def test_tied_means_of_names_that_begin_alike(tmp_path: Path, capsys):
    rows = [(f"d{i}", x, x, x, x / 2) for i, x in enumerate([0.5, 0.7, 0.6, 0.9, 0.8])]
    frame = pd.DataFrame(rows, columns=["dataset", "svm2", "svm", "svm10", "tree"])
    frame.to_csv(tmp_path / "tied.csv", index=False)
    status, screen = ran(capsys, "analyze", tmp_path / "tied.csv", "--measure", "accuracy")
    assert status == 0
    words = screen.out.split("algorithm", 1)[1].split()
    assert words.index("svm") < words.index("svm2") < words.index("svm10") < words.index("tree")


def test_a_folder_of_names_that_begin_alike(tmp_path: Path, capsys):
    for name, add in (("gpt", 0.0), ("gpt4", 0.1), ("gpt4o", 0.05)):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        rows = "".join(f"{i},{0.5 + add + i % 3 / 50}\n" for i in range(10))
        (folder / "scores.csv").write_text("fold,accuracy\n" + rows)
    status, screen = ran(capsys, "analyze", tmp_path / "runs", "--sampling", "cv:10")
    assert status == 0, screen.err
    assert {"gpt", "gpt4", "gpt4o"} <= set(screen.out.split())


def test_reasons_of_failed_runs_whose_names_begin_alike(tmp_path: Path, capsys):
    learners = "".join(
        f'[[algorithms]]\nname = "{name}"\nestimator = "sklearn.feature_selection.RFE"\n'
        'parameters = { estimator = { estimator = "sklearn.neighbors.KNeighborsClassifier" } }\n'
        for name in ("broken", "broken2")
    )
    (tmp_path / "study.toml").write_text(
        f'sampling = "cv:2"\n[[datasets]]\nname = "iris"\nsource = "sklearn:iris"\n{learners}'
    )
    status, screen = ran(capsys, "run", tmp_path / "study.toml", "--jobs", 1, "--quiet")
    assert status == 1
    assert screen.err.index("broken on iris: ") < screen.err.index("broken2 on iris: ")
