"""The map of the code names files that are there, and a folder of tests for every room."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import podium
from podium.cli.main import status_of
from podium.core.base import rooms

ROOT = Path(__file__).parents[2]
SOURCE = Path(podium.__file__).parent
MAP = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
NAMED = sorted({*re.findall(r"`([a-z_]+/[\w/]*(?:\.py)?)`", MAP)})


def test_the_map_has_three_walks() -> None:
    assert re.findall(r"^## The walk of a (\w+)", MAP, re.MULTILINE) == ["table", "study", "page"]
    assert len(NAMED) > 40


@pytest.mark.parametrize("name", NAMED)
def test_what_the_map_names_is_there(name: str) -> None:
    assert (SOURCE / name).exists() or (ROOT / name).exists()


def test_every_room_has_a_folder_of_tests() -> None:
    """But for those that have commands alone, or are tried by all others."""
    without = {
        room
        for room in (*rooms.FLOOR, *rooms.ABOVE)
        if not (ROOT / "tests" / room.replace(".", "/")).is_dir()
    }
    assert without <= {
        "core.words",
        "core.results",
        "showing.terminal",
        "showing.screens",
        "asking.pictures",
        "asking.consensus",
        "asking.queues",
    }


STUDY = """\
sampling = "cv:5"
[[datasets]]
name = "iris"
source = "sklearn:iris"
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
[[algorithms]]
name = "lda"
estimator = "lda"
"""
WALKS = {
    "table": "analyze scores.csv --sampling cv:10 -m accuracy",
    "study": "run study.toml -q -j 0",
    "page": "report study.db -o page.html",
}
ELSEWHERE = {  # other data, and other places than this process
    "running/design/data/openml.py",
    "running/execution/cluster.py",
    "running/execution/pool.py",
}


def files_of(line: str) -> set[str]:
    """The files of Podium whose functions a command calls."""
    called: set[str] = set()
    before = sys.getprofile()
    sys.setprofile(lambda frame, *_: called.add(frame.f_code.co_filename))
    try:
        assert status_of(line.split()) == 0
    finally:
        sys.setprofile(before)
    own = [Path(name) for name in called if name.startswith(str(SOURCE))]
    return {str(path.relative_to(SOURCE)) for path in own}


def test_walks_go_where_the_map_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scores = np.random.default_rng(0).random((10, 3))
    rows = [f"{i},{a},{b},{c}" for i, (a, b, c) in enumerate(scores, 1)]
    Path("scores.csv").write_text("\n".join(["fold,a,b,c", *rows]))
    Path("study.toml").write_text(STUDY)
    for kind, line in WALKS.items():
        walk = MAP.split(f"## The walk of a {kind}")[1].split("\n## ")[0]
        called = files_of(line)
        places = [name for name in NAMED if f"`{name}`" in walk and name not in ELSEWHERE]
        assert len(places) > 5
        assert [p for p in places if not any(file.startswith(p) for file in called)] == []
