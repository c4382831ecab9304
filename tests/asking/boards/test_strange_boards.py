"""Folders that strangers submit, and boards that strangers made: nothing leaves its place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from submitted import answers, first_file, submission

from podium import boards
from podium.asking.boards.board import _hash, check_board, digest
from podium.asking.boards.standings import ranking
from podium.cli.main import status_of
from podium.errors import PodiumError, ResultsError, StoreError


@pytest.fixture
def board(tmp_path: Path) -> boards.Board:
    return boards.new(first_file(tmp_path), tmp_path / "board", measure="accuracy")


def rewritten(folder: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the lines of a ledger, and chain them anew as a stranger would."""
    path = folder / "ledger.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    previous = ""
    for number, line in enumerate(lines, 1):
        line |= {"number": number, "previous": previous}
        line["hash"] = previous = _hash(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def everything(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


# -- folders that are submitted -------------------------------------------------------------------


def test_a_folder_given_as_a_point_stays_within_the_board(board, tmp_path, monkeypatch) -> None:
    home = tmp_path / "home"
    sub = tmp_path / "sub"
    inside = sub / str(home).lstrip("/")
    inside.mkdir(parents=True)
    home.mkdir()
    (home / ".bashrc").write_text("mine")
    (inside / ".bashrc").write_text("theirs")
    submission(sub, answers(1.0))
    monkeypatch.chdir(sub)
    assert status_of(["board", "add", str(board.folder), ".", "--as", "x"]) == 0
    assert (home / ".bashrc").read_text() == "mine"
    (entry,) = [e for e in boards.load(board.folder).submissions if e["name"] == "x"]
    kept = board.folder / "submissions" / entry["folder"] / "files"
    assert (kept / "sub/new.csv").is_file()
    assert check_board(board.folder).changed == ()


def test_a_folder_given_as_two_points_stays_within_its_files(board, tmp_path, monkeypatch) -> None:
    (tmp_path / "sub" / "deeper").mkdir(parents=True)
    submission(tmp_path / "sub", answers(1.0))
    monkeypatch.chdir(tmp_path / "sub" / "deeper")
    entry = boards.add(board, Path(".."), name="x").board.submissions[-1]
    kept = board.folder / "submissions" / entry["folder"]
    assert sorted(p.name for p in kept.iterdir()) == ["files", "reading.json", "scores.csv"]
    assert [*entry["files"]] == ["sub/new.csv"]


def test_a_link_out_of_the_submitted_folder_is_refused_and_leaves_nothing(board, tmp_path) -> None:
    sub = tmp_path / "sub"
    sub.mkdir()
    submission(sub, answers(1.0))
    (tmp_path / "secret").write_text("s3cret")
    (sub / "notes.txt").symlink_to(tmp_path / "secret")
    before = everything(board.folder)
    with pytest.raises(ResultsError, match=r"'notes\.txt' points outside the folder"):
        boards.add(board, sub, name="x")
    assert everything(board.folder) == before


def test_more_than_a_board_keeps_is_refused(board, tmp_path) -> None:
    sub = tmp_path / "sub"
    sub.mkdir()
    submission(sub, answers(1.0))
    with (sub / "model.bin").open("wb") as file:
        file.truncate(3 * 1024**3)  # which takes no room
    with pytest.raises(ResultsError, match="a board keeps at most 2 GB"):
        boards.add(board, sub, name="x")


# -- boards of strangers --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["/etc", "..", "../../secret", "0001/../../..", ""])
def test_a_ledger_that_leads_out_of_its_folder_is_refused(board, name, capsys) -> None:
    def change(lines):
        lines[1]["folder"] = name

    rewritten(board.folder, change)
    with pytest.raises(StoreError, match=r"points outside the folder|must be a text"):
        _ = boards.load(board.folder).values
    assert status_of(["board", "show", str(board.folder)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_checking_opens_no_file_outside_whatever_the_ledger_says(board, tmp_path) -> None:
    """Else the digest of any file of its owner could be compared with a guess."""
    (tmp_path / "secret").write_text("s3cret")

    def change(lines):
        lines[1]["files"] |= {"../../../../secret": digest("s3cret"), "/etc/passwd": digest("x")}

    rewritten(board.folder, change)
    changed = check_board(board.folder).changed
    assert len([line for line in changed if "points outside the folder" in line]) == 2


def test_units_from_outside_are_not_read(board, tmp_path) -> None:
    text = (board.folder / "units-1.csv").read_text()
    (tmp_path / "units-1.csv").write_text(text)

    def change(lines):
        lines[0]["files"] = {"units/../../units-1.csv": digest(text)}

    rewritten(board.folder, change)
    with pytest.raises(StoreError, match="points outside the folder"):
        boards.load(board.folder)


def test_a_renewal_writes_through_no_link_that_lies_in_a_board(tmp_path: Path) -> None:
    board = boards.new(first_file(tmp_path, 400), tmp_path / "b", measure="accuracy",
                       kind="sealed", seed=1)  # fmt: skip
    (tmp_path / "bashrc").write_text("mine")
    (board.folder / "units-2.csv").symlink_to(tmp_path / "bashrc")
    with pytest.raises(PodiumError, match="points outside the folder"):
        boards.renew(board, first_file(tmp_path, 300, start=1000))
    assert (tmp_path / "bashrc").read_text() == "mine"


@pytest.mark.parametrize("where", ["submissions", "ledger.jsonl"])
def test_nothing_is_added_through_a_link_that_lies_in_a_board(board, tmp_path, where) -> None:
    (board.folder / where).rename(tmp_path / "elsewhere")
    (board.folder / where).symlink_to(tmp_path / "elsewhere")
    before = everything(tmp_path / "elsewhere") if where == "submissions" else None
    with pytest.raises(PodiumError, match="points outside the folder"):
        boards.add(board, submission(tmp_path, answers(1.0)), name="x")
    if before is not None:
        assert everything(tmp_path / "elsewhere") == before


CHANGES = {
    "a folder that is a number": lambda lines: lines[1].update(folder=3),
    "no event that a board has": lambda lines: lines[1].update(event="surprise"),
    "an event that is a list": lambda lines: lines[1].update(event=["submission"]),
    "files in a list": lambda lines: lines[0].update(files=["units-1.csv"]),
    "no units": lambda lines: lines[0].update(files={"lot-1.csv": lines[0]["rules"]}),
    "no files": lambda lines: lines[0].pop("files"),
    "a name that is a number": lambda lines: lines[2].update(name=7),
    "two of one name": lambda lines: lines[2].update(name=lines[1]["name"]),
    "shown is a text": lambda lines: lines[1].update(shown="yes"),
    "a score that is a text": lambda lines: lines[1]["shown"].update(score="0.9"),
    "no failed": lambda lines: lines[1].pop("failed"),
    "failed is null": lambda lines: lines[1].update(failed=None),
    "a time that is none": lambda lines: lines[1].update(time="soon"),
    "no first line": lambda lines: lines.pop(0),
    "two first lines": lambda lines: lines.append(dict(lines[0])),
    "a question about nobody": lambda lines: lines.append(
        {
            **{k: lines[0][k] for k in ("time", "hash", "previous", "number")},
            "event": "question",
            "name": "nobody",
            "against": "owl",
            "question": 1,
            "level": 0.1,
            "answer": "yes",
        }
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_ledger_of_another_shape_is_refused_with_its_line(board, change, capsys) -> None:
    rewritten(board.folder, change)
    with pytest.raises(StoreError, match=r"ledger\.jsonl', line \d"):
        boards.load(board.folder)
    assert status_of(["store", "check", str(board.folder)]) == 1
    assert "ledger.jsonl, line" in capsys.readouterr().err


RULES = {
    "level": ("alpha = 0.05", "alpha = 5"),
    "a text for a level": ("alpha = 0.05", 'alpha = "small"'),
    "kind": ('kind = "open"', 'kind = "ajar"'),
    "sampling": ('sampling = "items"', 'sampling = "gossip"'),
    "bounds": ("bounds = [0.0, 1.0]", "bounds = [1.0, 0.0]"),
    "bounds of texts": ("bounds = [0.0, 1.0]", 'bounds = ["a", "b"]'),
    "measure": ('measure = "accuracy"', "measure = 1"),
    "nothing of it": ('measure = "accuracy"\n', ""),
    "a key": ("named = true", "nicknamed = true"),
    "sealed without a lot": ('kind = "open"', 'kind = "sealed"'),
    "a long number": ("questions = 0", "questions = " + "9" * 40),
    "no toml": ("named", "[named"),
}


@pytest.mark.parametrize(("old", "new"), RULES.values(), ids=RULES)
def test_rules_of_another_shape_are_refused(board, old: str, new: str) -> None:
    path = board.folder / "board.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    rewritten(board.folder, lambda lines: lines[0].update(rules=digest(path.read_text())))
    with pytest.raises(StoreError, match="board"):
        boards.load(board.folder)


TABLES = {
    "no column": ("key,dataset", "clef,dataset"),
    "no rows": None,
    "twice": ("q8,items0,q8", "q7,items0,q7"),
    "a part": ("q7,items0,q7,,,public", "q7,items0,q7,,,private"),
    "a cell more": ("q7,items0", "q7,x,y,items0"),
}


@pytest.mark.parametrize("change", TABLES.values(), ids=TABLES)
def test_units_of_another_shape_are_refused(board, change) -> None:
    path = board.folder / "units-1.csv"
    text = path.read_text()
    path.write_text(text.replace(*change) if change else "")
    assert path.read_text() != text
    mark = digest(path.read_text())
    rewritten(board.folder, lambda lines: lines[0].update(files={"units-1.csv": mark}))
    with pytest.raises(StoreError, match=r"units-1\.csv"):
        boards.load(board.folder)


@pytest.mark.parametrize("value", ["high", "inf", "1,1"])
def test_scores_of_another_shape_are_refused(board, value: str) -> None:
    entry = board.submissions[0]
    path = board.folder / "submissions" / entry["folder"] / "scores.csv"
    lines = path.read_text().splitlines()
    lines[1] = ",".join([*lines[1].split(",")[:3], value])
    path.write_text("\n".join(lines) + "\n")
    mark = digest(path.read_text())

    def change(entries):
        for each in entries[1:]:
            each["scores"] = mark

    rewritten(board.folder, change)
    with pytest.raises(StoreError, match=r"scores\.csv"):
        _ = boards.load(board.folder).values


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(board) -> None:
    (board.folder / "units-1.csv").unlink()
    os.mkfifo(board.folder / "units-1.csv")
    with pytest.raises(StoreError, match="cannot be read"):
        boards.load(board.folder)
    assert any("units-1.csv" in line for line in check_board(board.folder).changed)


# -- half-done work -------------------------------------------------------------------------------

FULL = """
import os, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from podium import boards
from podium.errors import PodiumError
count, at = 0, int(sys.argv[2])
real = os.fsync
def full(handle):
    global count
    count += 1
    if count == at:
        raise OSError(28, "No space left on device")
    return real(handle)
os.fsync = full
try:
    if sys.argv[3] == "new":
        boards.new("items0.csv", "board", measure="accuracy")
    else:
        boards.add("board", "new.csv", name="cat")
except PodiumError as error:
    print(type(error).__name__, error)
    sys.exit(3)
"""


@pytest.mark.parametrize("verb", ["new", "add"])
def test_a_full_disk_leaves_a_board_as_it_was(tmp_path: Path, verb: str) -> None:
    first_file(tmp_path)
    submission(tmp_path, answers(1.0))
    folder = tmp_path / "board"
    if verb == "add":
        boards.new(tmp_path / "items0.csv", folder, measure="accuracy")
    before = everything(tmp_path)
    for at in range(1, 30):
        words = [sys.executable, "-c", FULL, str(Path(__file__).parent), str(at), verb]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        if done.returncode == 0:
            break
        assert done.returncode == 3, done.stderr
        assert "No space left on device" in done.stdout
        assert ".part" not in done.stdout  # the place that was asked for is named
        assert everything(tmp_path) == before
        assert [p.name for p in tmp_path.iterdir() if ".part" in p.name] == []
    assert at > 4
    assert ranking(boards.load(folder)).rows


def test_a_table_of_one_score_each_is_refused_at_once(tmp_path: Path) -> None:
    tables = {
        "dataset": "dataset,owl,fox\nd1,0.5,0.6\n",
        "long": "algorithm,accuracy\nowl,0.5\nfox,0.6\n",
        "item": "item,owl,fox\nq1,1,0\n",
        "alone": "item,owl\nq1,1\n",
    }
    for name, text in tables.items():
        path = tmp_path / f"{name}.csv"
        path.write_text(text)
        line = ["board", "new", str(path), "-o", str(tmp_path / name), "-m", "accuracy"]
        assert status_of(line) == 2
        assert not (tmp_path / name).exists()
    with pytest.raises(ResultsError, match="No submissions could be compared on this board"):
        boards.new(tmp_path / "item.csv", tmp_path / "b", measure="accuracy")


# -- withdrawing ----------------------------------------------------------------------------------


def test_who_withdraws_is_ranked_no_more_and_stays_in_the_ledger(board, tmp_path, capsys) -> None:
    boards.add(board, submission(tmp_path, answers(2.5)), name="cat")
    files = {k: v for k, v in everything(board.folder).items() if k != "ledger.jsonl"}
    text = (board.folder / "ledger.jsonl").read_text()
    line = ["board", "withdraw", str(board.folder), "cat", "--because", "trained on the items"]
    assert status_of(line) == 0
    assert "cat was withdrawn." in capsys.readouterr().out
    after = everything(board.folder)
    assert after.pop("ledger.jsonl").decode().startswith(text)
    assert after == files
    now = boards.load(board.folder)
    assert "cat" not in now.ranked()
    made = ranking(now)
    assert "cat" not in {row.name for row in made.rows}
    plain = ranking(board)
    assert made.comparisons.table.equals(plain.comparisons.table)
    assert status_of(["board", "show", str(board.folder)]) == 0
    shown = capsys.readouterr().out
    assert "withdrawn" in shown
    assert "1 submission was withdrawn and left out of the ranks: cat." in " ".join(shown.split())
    boards.build(now, tmp_path / "site")
    facts = json.loads((tmp_path / "site/board.json").read_text())
    (row,) = [row for row in facts["submissions"] if row["name"] == "cat"]
    assert row["rank"] is row["score"] is None
    assert row["because"] == "trained on the items"
    assert "cat" not in facts["rank_history"]
    assert "cat" not in [each["name"] for each in facts["first"]]
    assert "trained on the items" in (tmp_path / "site/history.html").read_text()
    assert status_of(["store", "check", str(board.folder)]) == 0


def test_the_site_of_a_withdrawal_keeps_its_contract(board, tmp_path) -> None:
    import jsonschema

    now = boards.withdraw(board, "fox")
    boards.build(now, tmp_path / "site")
    schema = json.loads((tmp_path / "site/board.schema.json").read_text())
    jsonschema.validate(json.loads((tmp_path / "site/board.json").read_text()), schema)


def test_a_withdrawal_is_refused_where_there_is_nothing_to_withdraw(board, tmp_path) -> None:
    with pytest.raises(ResultsError, match="'fax' is not a submission of this board"):
        boards.withdraw(board, "fax")
    boards.withdraw(board, "fox")
    with pytest.raises(ResultsError, match="was withdrawn on"):
        boards.withdraw(board, "fox")
    with pytest.raises(ResultsError, match="already"):
        boards.add(board, submission(tmp_path, answers(1.0)), name="fox")


def test_all_may_withdraw(board) -> None:
    for name in board.names:
        board = boards.withdraw(board, name)
    assert ranking(board).rows == ()
    assert status_of(["board", "show", str(board.folder)]) == 0


def test_a_sealed_board_falls_back_to_the_one_confirmed_before(tmp_path: Path) -> None:
    board = boards.new(first_file(tmp_path, 400), tmp_path / "b", measure="accuracy",
                       kind="sealed", seed=1)  # fmt: skip
    first = board.best
    board = boards.add(board, submission(tmp_path, answers(2.5, 400)), name="cat").board
    assert board.best == "cat"
    asked = board.budget.asked
    board = boards.withdraw(board, "cat")
    assert (board.best, board.budget.asked) == (first, asked)
    assert "Confirmed best: " + first in " ".join(headline(board).split())
    with pytest.raises(ResultsError, match="was withdrawn"):
        boards.ask(board, "cat")
    added = boards.add(board, submission(tmp_path, answers(2.4, 400), "dog"), name="dog")
    (question,) = [e for e in added.board.ledger.of("question") if e["name"] == "dog"]
    assert question["against"] == first
    now = boards.withdraw(boards.withdraw(added.board, "dog"), first)
    assert now.best in now.ranked()  # the best by score of who is left
    for name in now.ranked():
        now = boards.withdraw(now, name)
    assert now.best == ""
    assert status_of(["board", "show", str(now.folder)]) == 0
    assert status_of(["board", "build", str(now.folder), "-o", str(tmp_path / "site")]) == 0
    with pytest.raises(ResultsError, match="add one before this board is renewed"):
        boards.renew(now, first_file(tmp_path, 300, start=1000))


def test_a_renewal_leaves_withdrawn_submissions_out(tmp_path: Path) -> None:
    board = boards.new(first_file(tmp_path, 400), tmp_path / "b", measure="accuracy",
                       kind="sealed", seed=1)  # fmt: skip
    other = next(name for name in board.names if name != board.best)
    board = boards.withdraw(board, other)
    with pytest.raises(ResultsError, match=f"'{other}' was withdrawn: leave its scores out"):
        boards.renew(board, first_file(tmp_path, 300, start=1000))


def test_the_ladder_compares_with_who_is_left(tmp_path: Path) -> None:
    board = boards.new(first_file(tmp_path), tmp_path / "b", measure="accuracy", ladder=True)
    board = boards.add(board, submission(tmp_path, answers(2.5)), name="cat").board
    board = boards.withdraw(board, "cat")
    board = boards.add(board, submission(tmp_path, answers(1.6), "dog"), name="dog").board
    assert "dog" in board.ranked()  # better than the first three, though not than cat


def headline(board) -> str:
    from podium.asking.boards import standings

    return standings.headline(ranking(board))
