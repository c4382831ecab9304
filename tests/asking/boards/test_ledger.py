"""A ledger: lines that are added, chained, and never rewritten."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from podium.asking.boards.board import checked, read_ledger, writing
from podium.errors import StoreError

ADDING = """
import sys
from podium.asking.boards.board import writing
for i in range(int(sys.argv[3])):
    with writing(sys.argv[1]) as writer:
        writer.add([{"event": "one", "who": sys.argv[2], "i": i}, {"event": "two", "i": i}])
    print(i, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "ledger.jsonl"
    for name in "abc":
        with writing(made) as writer:
            writer.add([{"event": "submission", "name": name}])
    return made


def test_lines_are_chained(path: Path) -> None:
    ledger = read_ledger(path)
    assert ledger.broken is None
    hashes = [entry["hash"] for entry in ledger.entries]
    assert [entry["previous"] for entry in ledger.entries] == ["", *hashes[:-1]]
    assert ledger.head == hashes[-1]


def edited(path: Path, how) -> Path:
    lines = path.read_text().splitlines()
    path.write_text("\n".join(how(lines)) + "\n")
    return path


@pytest.mark.parametrize(
    ("how", "line", "reason"),
    [
        (lambda ls: [ls[0], ls[1].replace('"b"', '"z"'), ls[2]], 2, "changed"),
        (lambda ls: [ls[0], ls[2]], 2, "removed, added or moved"),
        (lambda ls: [ls[1], ls[0], ls[2]], 1, "removed, added or moved"),
        (lambda ls: [ls[0], "{}", ls[2]], 2, "no entry"),
        (lambda ls: [ls[0], ls[0], *ls[1:]], 2, "removed, added or moved"),
    ],
)
def test_a_line_that_was_touched_is_found(path: Path, how, line: int, reason: str) -> None:
    ledger = read_ledger(edited(path, how))
    assert ledger.broken is not None
    assert ledger.broken.line == line
    assert reason in ledger.broken.reason
    with pytest.raises(StoreError, match=f"line {line}"):
        checked(ledger)
    with pytest.raises(StoreError), writing(path):
        pass


def test_a_hash_that_was_made_anew_breaks_the_next_line(path: Path) -> None:
    from podium.asking.boards.board import _hash

    lines = path.read_text().splitlines()
    entry = {**json.loads(lines[1]), "name": "z"}
    entry["hash"] = _hash(entry)
    path.write_text("\n".join([lines[0], json.dumps(entry), lines[2]]) + "\n")
    assert read_ledger(path).broken.line == 3


def test_what_a_kill_left_of_a_line_is_no_line(path: Path) -> None:
    before = read_ledger(path).entries
    with path.open("a") as file:
        file.write('{"number": 4, "tim')
    assert read_ledger(path).entries == before
    with writing(path) as writer:
        writer.add([{"event": "submission", "name": "d"}])
    assert [e.get("name") for e in read_ledger(path).entries] == ["a", "b", "c", "d"]


def test_who_waits_too_long_is_told(path: Path) -> None:
    with writing(path):
        start = time.monotonic()
        with pytest.raises(StoreError, match="Another process"), writing(path, waiting=0.2):
            pass
        assert time.monotonic() - start < 5


def adding(path: Path, who: str, times: int) -> subprocess.Popen[str]:
    line = [sys.executable, "-c", ADDING, str(path), who, str(times)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, text=True)


def beside_each_other(path: Path, times: int, kills: int) -> None:
    """Two processes add, and are killed at odd moments; nothing that was answered is lost."""
    rng, answered = random.Random(1), {"a": 0, "b": 0}
    left = {"a": times, "b": times}
    while any(left.values()):
        running = {who: adding(path, who, n) for who, n in left.items() if n}
        if kills:
            kills -= 1
            time.sleep(rng.uniform(0.15, 0.5))
            os.kill(next(iter(running.values())).pid, signal.SIGKILL)
        for who, process in running.items():
            out, _ = process.communicate(timeout=600)
            count = len(out.splitlines())
            answered[who] += count
            left[who] -= min(count, left[who])
    ledger = checked(read_ledger(path))
    ones, twos = ledger.of("one"), ledger.of("two")
    assert len(ones) == len(twos)  # what is added at once is there as a whole
    for who, count in answered.items():
        assert len([e for e in ones if e["who"] == who]) >= count


def test_two_processes_add_at_once_with_kills(tmp_path: Path) -> None:
    beside_each_other(tmp_path / "ledger.jsonl", times=20, kills=2)


@pytest.mark.long
def test_two_processes_add_500_times_with_kills(tmp_path: Path) -> None:
    beside_each_other(tmp_path / "ledger.jsonl", times=500, kills=10)
