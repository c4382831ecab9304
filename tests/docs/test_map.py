"""The map of the code names files that are there, and a folder of tests for every room."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import podium
from podium.base import rooms

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
        room for room in (*rooms.FLOOR, *rooms.ABOVE) if not (ROOT / "tests" / room).is_dir()
    }
    assert without <= {"words", "running"}
