"""A room can be taken out: its folder and its line go, and Podium works without it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import podium
from podium.core.base import rooms

SOURCE = Path(podium.__file__).parent
NEEDED = {room for one in rooms.capabilities() for room in one.needs}
# with what only the room had: its commands and its public names
REMOVED = [room for room in rooms.ABOVE if room.rpartition(".")[2] not in NEEDED]
REMOVED = [room for room in REMOVED if room not in ("asking.comparison", "cli")]
WORKS = """
import pkgutil, importlib, sys
import podium
from podium.core.base import rooms
from podium.cli.main import status_of
for module in pkgutil.walk_packages(podium.__path__, "podium."):
    if module.name not in ("podium.__main__", "podium.asking.gates.pytest_plugin"):
        importlib.import_module(module.name)
for name in podium.__all__:
    assert getattr(podium, name) is not None
for kind in ("words", "plots", "sections", "procedures", "formats"):
    rooms.load(kind)
assert not {{*{rooms!r}}} & {{*rooms.ABOVE}}
for call in {calls!r}:
    assert status_of(call) == 0, call
for command in {gone!r}:
    assert status_of([command]) == 2, command
"""


def without(gone: list[str], folder: Path) -> Path:
    """Podium's source without the rooms' folders and their lines in the list."""
    copy = folder / "podium"
    shutil.copytree(SOURCE, copy)  # with what is compiled, which takes most of the time otherwise
    listed = copy / "core/base/rooms.py"
    text = shorter = listed.read_text(encoding="utf-8")
    for room in gone:
        shutil.rmtree(copy / room.replace(".", "/"))
        shorter = re.sub(rf'^    "{room}",\n', "", shorter, flags=re.MULTILINE)
    assert len(text.splitlines()) == len(shorter.splitlines()) + len(gone)
    listed.write_text(shorter, encoding="utf-8")
    return folder


def calls(folder: Path) -> list[list[str]]:
    """A table, a page of it, items and battles: what Podium must still answer."""
    rows = [f"d{i},{0.1 + i / 100},{0.3 + i / 90},{0.2 + i % 3 / 50}" for i in range(12)]
    (folder / "scores.csv").write_text("dataset,a,b,c\n" + "\n".join(rows) + "\n")
    items = [f"q{i},{i % 2},{int(i % 3 > 0)},{i % 5 // 4}" for i in range(60)]
    (folder / "items.csv").write_text("item,a,b,c\n" + "\n".join(items) + "\n")
    battles = [f"{a},{b},{'model_a' if (i * 7) % 10 < 6 else 'model_b'}"
               for i in range(40) for a, b in (("x", "y"), ("y", "z"), ("z", "x"))]  # fmt: skip
    (folder / "battles.csv").write_text("model_a,model_b,winner\n" + "\n".join(battles) + "\n")
    scores = ["scores.csv", "-m", "error"]
    return [
        ["--help"],
        ["analyze", *scores, "--pairs", "--why"],
        ["report", *scores, "-o", "page.html"],
        ["analyze", "items.csv", "-m", "correct", "--sampling", "items"],
        ["analyze", "battles.csv"],
        ["plan", "--difference", "0.1", "--sd", "0.2"],
        ["list", "tests"],
        ["list", "formats"],
    ]


def ran(script: str, source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    line = [sys.executable, "-c", script]
    return subprocess.run(
        line, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_some_rooms_stand_alone() -> None:
    assert {f"asking.{n}" for n in ("fronts", "synthesis", "items", "battles", "registered")} <= {
        *REMOVED
    }


ALONE = [pytest.param([room], marks=pytest.mark.long, id=room) for room in REMOVED[1:]]


@pytest.mark.parametrize("gone", [REMOVED[:1], REMOVED, *ALONE], ids="-".join)
def test_podium_works_without_a_room(gone: list[str], tmp_path: Path) -> None:
    records = [rooms.capabilities()[1 + rooms.ABOVE.index(room)] for room in gone]
    commands = [command.name for record in records for command in record.commands]
    asked = calls(tmp_path) if len(gone) > 1 else calls(tmp_path)[:2]
    script = WORKS.format(rooms=gone, calls=asked, gone=commands)
    run = ran(script, without(gone, tmp_path / "source"), tmp_path)
    assert run.returncode == 0, run.stderr[-3000:]
    assert not any(re.search(rf"^ +{name} ", run.stdout, re.MULTILINE) for name in commands)
    assert len(gone) == 1 or (tmp_path / "page.html").stat().st_size > 10_000


def test_a_room_that_others_need_is_missed(tmp_path: Path) -> None:
    """What the test above does can fail."""
    script = WORKS.format(rooms=["asking.judges"], calls=[], gone=[])
    run = ran(script, without(["asking.judges"], tmp_path / "source"), tmp_path)
    assert run.returncode != 0
    assert "podium.asking.judges" in run.stderr
