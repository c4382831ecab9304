"""Ordinary use in odd surroundings: no traceback, whatever the terminal, stream or folder is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import podium

HOME = str(Path(podium.__file__).parent.parent)
SCORES = "dataset,svm,knn,tree\n" + "".join(f"d{i},0.{80 + i},0.7{i},0.6{i}\n" for i in range(9))
PLAIN = "analyze scores.csv -m accuracy"


@pytest.mark.parametrize(
    ("line", "surroundings"),
    [
        (f"{PLAIN} --why --pairs", {"COLUMNS": "1", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}),
        (f"{PLAIN} --why | head -1", {"COLUMNS": "none", "HOME": "/nonexistent", "TERM": "dumb"}),
        (f"{PLAIN} >&- 2>&-", {"NO_COLOR": "1"}),
        (f"{PLAIN} > /dev/full", {}),
        (f"cd empty; $PODIUM {PLAIN} --report absent/page.html", {}),
    ],
)
def test_no_surroundings_make_a_traceback(line: str, surroundings: dict[str, str], tmp_path: Path):
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "empty").mkdir()
    podium = f"{sys.executable} -m podium"
    whole = line.replace("$PODIUM", podium) if "$PODIUM" in line else f"{podium} {line}"
    ended = subprocess.run(
        ["bash", "-c", whole],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": HOME} | surroundings,
        capture_output=True,
        text=True,
        errors="replace",
    )
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
    assert 0 <= ended.returncode < 3, ended.stderr


@pytest.mark.parametrize(("given", "frozen"), [("", True), ("['--version']", False)])
def test_only_a_process_that_ends_looks_for_no_more_garbage(given: str, frozen: bool):
    code = (
        "import gc, sys; from podium.cli import main\n"
        "sys.argv = ['podium', '--version']\n"
        f"try: main({given})\n"
        "except SystemExit: print(gc.get_freeze_count() > 1000)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.stdout.splitlines()[-1] == str(frozen)
