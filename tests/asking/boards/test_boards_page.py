"""docs/boards.md shows what its commands really print."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from podium.cli.main import status_of

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "boards.md").read_text(encoding="utf-8")


def unlike(text: str) -> str:
    """Without days and hashes."""
    return re.sub(r"\d{4}-\d\d-\d\d", "DAY", re.sub(r"hash: \w+", "hash: HASH", text)).strip()


def shows(kind: str, capsys) -> None:
    blocks = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for part in "\n".join(blocks).split("$ ")[1:]:
        line, _, told = part.partition("\n")
        assert status_of(shlex.split(line)[1:]) == 0
        assert unlike(capsys.readouterr().out) == unlike(told), line


def test_the_page_shows_what_its_commands_print(capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sys, "path", [str(DOCS), *sys.path])
    import make_examples

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, table in make_examples.submissions().items():
        table.to_csv(f"{name}.csv", index=False)
    shows("console", capsys)


@pytest.mark.long
def test_a_board_is_built_of_the_demo_in_two_commands(capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    assert status_of(["demo", "--quiet"]) == 0
    capsys.readouterr()
    shows("demo", capsys)
    assert "forest" in Path("site/index.html").read_text(encoding="utf-8")
