"""docs/predictions.md shows what comes out, and its commands run."""

import doctest
import re
import shlex
from pathlib import Path

from registries_kept import kept

from podium.asking.predictions import measures
from podium.cli.main import status_of

PAGE = Path(__file__).parents[3] / "docs/predictions.md"


def test_examples_and_commands_of_the_page_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with kept():
        found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (found.failed, found.attempted > 15) == (0, True)
    text = PAGE.read_text(encoding="utf-8")
    commands = re.findall(r"^podium (.+)$", text, re.MULTILINE)
    assert len(commands) == 7
    for command in commands:
        assert status_of(shlex.split(command)) == 0, command
    assert "AUC" in capsys.readouterr().out


OURS = tuple(measures.RULES)  # before an example adds one of its own


def test_every_measure_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    told = {"absolute": "mae", "squared": "mse", "pinball": "pinball:0.9", "ndcg": "ndcg@10"}
    told |= {"hit": "hit@5"}
    for name in OURS:
        assert f"`{told.get(name, name)}`" in text, name
