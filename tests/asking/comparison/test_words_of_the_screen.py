"""The first screen speaks as people in the field do: no house words, at most 24 lines."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len

from podium.cli.main import main, status_of

HOUSE = re.compile(
    r"\b(blocks?|samples?|places?|choices?|leads?|legal|illegal|told|said|decided|undecided|open"
    r"|gaps?|care|learning sample)\b",
    re.IGNORECASE,
)
# the words of options, and what statisticians call so themselves
ALLOWED = re.compile(r"--\w+|\w+=\w+|random sample|bootstrap samples?")
RNG = np.random.default_rng(4)
SHARES = {"svm": 0.8, "knn": 0.75, "tree": 0.6}


def _wide(block: str, rows: int, empty: int = -1) -> str:
    lines = [",".join([block, *SHARES])]
    for row in range(rows):
        cells = [f"{p + RNG.normal(0, 0.03):.3f}" for p in SHARES.values()]
        lines.append(",".join([f"d{row}", *(["", *cells[1:]] if row == empty else cells)]))
    return "\n".join(lines)


def _long(unit: str, measure: str, rows: int) -> str:
    cells = [f"{a},{i},{p + RNG.normal(0, 0.02):.4f}"
             for a, p in SHARES.items() for i in range(rows)]  # fmt: skip
    return "\n".join([f"algorithm,{unit},{measure}", *cells])


def _items() -> str:
    rows = [f"q{i}," + ",".join(str(int(RNG.random() < p)) for p in SHARES.values())
            for i in range(80)]  # fmt: skip
    return "\n".join([f"item,{','.join(SHARES)}", *rows])


def _battles() -> str:
    rows = ["model_a,model_b,winner,prompt"]
    for i in range(120):
        a, b = RNG.choice(list(SHARES), 2, replace=False)
        rows.append(f"{a},{b},{'model_a' if RNG.random() < 0.6 else 'model_b'},p{i % 30}")
    return "\n".join(rows)


TABLES = {
    "sets": (_wide("dataset", 12), "-m accuracy"),
    "gaps": (_wide("dataset", 30, empty=3), "-m accuracy"),
    "folds": (_wide("fold", 10), "-m accuracy --sampling cv:10"),
    "bootstrap": (_wide("sample", 30), "-m accuracy --sampling bootstrap"),
    "runs": (_long("run", "time", 10), "--sampling runs"),
    "seeds": (_long("seed", "accuracy", 10), "--sampling seeds"),
    "items": (_items(), "-m accuracy --sampling items"),
    "battles": (_battles(), ""),
}
TABLES["two"] = ("\n".join(",".join(line.split(",")[:3]) for line in TABLES["sets"][0].split("\n")),
                 "-m accuracy")  # fmt: skip


def screen(text: str, options: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    (tmp_path / "scores.csv").write_text(text + "\n")
    with pytest.raises(SystemExit) as end:
        main(["analyze", str(tmp_path / "scores.csv"), *options.split()])
    assert end.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("design", TABLES)
@pytest.mark.parametrize("more", ["", " --equivalence 0.05"])
def test_no_house_word_is_on_the_first_screen(design, more, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = screen(TABLES[design][0], TABLES[design][1] + more, tmp_path, capsys)
    lines = [line for line in shown.splitlines() if not line.startswith("Read as")]
    text = re.sub(r"Read as.*?\n(?=\S)", "", shown, flags=re.DOTALL)
    assert HOUSE.findall(ALLOWED.sub("", text)) == []
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


# behind --why and in methods texts "pairs" and "samples" are the field's own words
IN_FULL = re.compile(
    r"\b(blocks?|places?|choices?|leads?|legal|illegal|told|said|decided|undecided|gaps?|care"
    r"|learning samples?)\b",
    re.IGNORECASE,
)
CODES = re.compile(r"(Note|Caution) \([\w-]+\)|\[\d+\] .*")  # of notes, and references


@pytest.mark.parametrize("design", TABLES)
def test_no_house_word_stands_behind_why_or_in_methods(design, tmp_path, capsys):
    text, options = TABLES[design]
    paper = tmp_path / "methods.txt"
    shown = screen(text, f"{options} --why --methods {paper}", tmp_path, capsys)
    for every in (shown, paper.read_text("utf-8")):
        flat = ALLOWED.sub("", CODES.sub("", every))
        assert IN_FULL.findall(flat) == []


def test_the_shape_of_a_screen(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = screen(*TABLES["sets"], tmp_path, capsys)
    head, evidence, *_ = shown.splitlines()
    assert head.startswith("svm")
    assert "ranks best in accuracy" in head
    assert " beats " in evidence
    assert re.search(r"comparisons\s+(is|are)\s+significant", shown)
    labels = re.findall(r"^(\w[\w ]{0,9})  +\S", shown, flags=re.MULTILINE)
    assert [name.strip() for name in labels if name != "Caveats"] == [
        "Holds for", "Read as", "Test", "Next"
    ]  # fmt: skip
    assert "rank  algorithm" in shown
    assert "95 % CI" in shown


def test_two_algorithms_are_told_by_wins(tmp_path, capsys):
    shown = " ".join(screen(*TABLES["two"], tmp_path, capsys).split())
    wins = r"svm wins on \d+ of 12 data sets(, \d+ tied)? \(p . 0\.\d+\)"
    assert re.search(rf"{wins}; its mean accuracy is 0\.\d+ higher \(0\.\d+ to 0\.\d+\)\.", shown)


@pytest.mark.parametrize("kind", ["front", "times", "long names"])
def test_no_line_is_wider_than_the_screen(kind, tmp_path, capsys, monkeypatch):
    """Columns give way: limits of a front, old and new times, words above differences."""
    draw = np.random.default_rng(6)
    if kind == "times":
        rows = [
            (f"test_groupby_sum[large-frame-{k}]", side, i, (k + 1) * draw.lognormal(0, 0.05))
            for k in range(3)
            for side in ("old", "new")
            for i in range(6)
        ]
        table = pd.DataFrame(rows, columns=["dataset", "algorithm", "run", "time"])
        asked = ["--sampling", "runs"]
    else:
        names = [f"very_long_configuration_name_number_{c}" for c in "abc"]
        rows = [
            (
                f"data-{i:02d}",
                name,
                0.9 - 0.1 * k + draw.normal(0, 0.01),
                draw.lognormal(k, 0.2),
                7 + k,
            )
            for i in range(12)
            for k, name in enumerate(names)
        ]
        columns = ["dataset", "model", "accuracy", "seconds", "params_b"]
        table = pd.DataFrame(rows, columns=columns)
        asked = ["-m", "accuracy,seconds,params_b=lower" if kind == "front" else "accuracy"]
    table.to_csv(tmp_path / "scores.csv", index=False)
    monkeypatch.setenv("COLUMNS", "80")
    assert status_of(["analyze", str(tmp_path / "scores.csv"), *asked]) == 0
    assert max(map(cell_len, capsys.readouterr().out.splitlines())) <= 80
