"""Boards and gates with ledgers, over varied submissions: what is told is what was kept."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from asked import asked
from snapshots import assert_kept
from submitted import answers, first_file, submission

from podium import boards
from podium.asking.boards.questions import level_left, level_of, sign_p

STEPS = {
    "open": ["board new items0.csv -m accuracy -o b --name Owls"],
    "ladder": ["board new items0.csv -m accuracy -o b --ladder --alpha 0.1"],
    "sealed": ["board new items0.csv -m accuracy -o b --sealed --seed 1 --share 0.4 --questions 3"],
    "lower": ["board new errors.csv -m error -o b"],
}
THEN = [
    "board add b better.csv --as cat",
    "board add b worse.csv --as dog",
    "board add b better.csv --as cat",
    "board add b few.csv --as elk",
    "board add b better.csv --as owl",
    "board add b nothing.csv --as gnu",
    "board show b",
    "board show b --json -",
    "board build b -o site",
]


def told(line, capsys):
    """Without times, digests and paths of the moment."""
    result = asked(line, capsys)
    return {key: cleaned(value) for key, value in result.items()}


def cleaned(value):
    if isinstance(value, dict):
        return {k: cleaned(v) for k, v in value.items() if k not in ("time", "digest", "folder")}
    if isinstance(value, list):
        return [cleaned(each) for each in value]
    if isinstance(value, str):
        return re.sub(r"\d{4}-\d\d-\d\d[T ]?[\d:.+]*|[0-9a-f]{12,}", "...", value)
    return value


@pytest.mark.parametrize("kind", STEPS)
def test_boards_are_kept(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    first_file(tmp_path, 120)
    text = (tmp_path / "items0.csv").read_text()
    turned = [line.replace(",0", ",x").replace(",1", ",0").replace(",x", ",1")
              for line in text.splitlines()]  # fmt: skip
    (tmp_path / "errors.csv").write_text("\n".join(turned) + "\n")
    measure = "error" if kind == "lower" else "accuracy"
    sign = -1 if kind == "lower" else 1
    submission(tmp_path, answers(sign * 1.5, 120), "better", measure=measure)
    submission(tmp_path, answers(sign * -1.0, 120), "worse", measure=measure)
    submission(tmp_path, answers(0.0, 110), "few", measure=measure)
    then = THEN if kind == "open" else THEN[:-1]  # pages are slow
    lines = {f"{i} {line}": told(line, capsys) for i, line in enumerate([*STEPS[kind], *then])}
    board = boards.load(tmp_path / "b")
    lines["board"] = cleaned({
        "names": board.names,
        "scores": {name: float(board.scores[name]) for name in board.names},
        "sealed": [board.is_sealed, int(board.units.iloc[:, -1].sum()), len(board.life)],
    })  # fmt: skip
    lines["site"] = sorted(p.name for p in Path("site").rglob("*.html"))
    assert_kept("boards", "boards", lines, kind)


def test_numbers_of_questions_and_ranks_are_kept():
    numbers = {
        "levels": [level_of(n, alpha) for n in (1, 2, 3, 10) for alpha in (0.05, 0.2)],
        "left": [level_left(n, 0.05) for n in (0, 1, 5, 10)],
        "signs": [
            sign_p(np.repeat([1, -1, 0], counts))
            for counts in ((0, 0, 3), (8, 0, 2), (5, 3, 0), (3, 5, 1), (20, 9, 4))
        ],
    }
    assert_kept("boards", "numbers", numbers)


GATES = [
    "gate old.csv new.csv --ledger l.jsonl -m accuracy",
    "gate old.csv new.csv --ledger l.jsonl -m accuracy",
    "gate old.csv same.csv --ledger l.jsonl -m accuracy --why",
    "gate old.csv bad.csv --ledger l.jsonl -m accuracy",
    "gate old.csv new.csv --ledger m.jsonl -m accuracy --margin 0.05",
    "gate old.csv new.csv --ledger m.jsonl -m accuracy --margin 0.1",
    "gate old.csv bad.csv --ledger m.jsonl -m accuracy --margin 0.05 --json -",
    "gate old.csv more.csv --ledger l.jsonl -m accuracy",
]


def test_gates_with_ledgers_are_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("podium.asking.boards.gating.secrets.randbits", lambda _: 7)
    old = (np.arange(200) % 2).astype(int)
    new, bad = old.copy(), old.copy()
    new[0:100:4] = 1
    bad[1:80:4] = 0
    for name, values in (("old", old), ("new", new), ("bad", bad), ("same", old)):
        submission(tmp_path, values, name)
    submission(tmp_path, new[:150], "more")
    lines = {f"{i} {line}": told(line, capsys) for i, line in enumerate(GATES)}
    assert_kept("boards", "gates", lines, relative=1e-7)
