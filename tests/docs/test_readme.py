"""Every command of the README and of the guides for kinds of users does what is said of it."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import numpy as np
import pytest

from podium.cli.main import group, status_of

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
FEW = ("bootstrap:250", "bootstrap:4")  # samples are enough to see that a command works


def commands(text: str = README) -> list[str]:
    """The lines of all blocks of shell, continued ones joined, without remarks."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    said = [" ".join(shlex.split(line, comments=True)) for line in lines]
    quoted = re.findall(r"`(podium (?:run|analyze|report|plot|demo)[^`]*)`", text)
    return [line for line in dict.fromkeys([*said, *quoted]) if line]


def programs(name: str) -> list[list[str]]:
    return [words[1:] for line in commands() if (words := line.split())[0] == name]


def elsewhere(words: list[str]) -> bool:
    """Whether it needs another machine, or is only begun to be said."""
    return "--cluster" in words or "PACKAGE" in words


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """What the commands read: a table of ten folds, and the study of the page."""
    rng = np.random.default_rng(1)
    rows = [f"{i},{a:.3f},{b:.3f}" for i, (a, b) in enumerate(rng.uniform(0.7, 0.9, (10, 2)), 1)]
    (tmp_path / "scores.csv").write_text("\n".join(["fold,svm,tree", *rows]) + "\n")
    (study,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    assert FEW[0] in study
    (tmp_path / "monks.toml").write_text(study.replace(*FEW))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_works_one_after_the_other(folder, capsys):
    run = [words for words in programs("podium") if not elsewhere(words) and words != ["demo"]]
    assert len(run) > 10
    for words in run:
        assert status_of([*words, *["--jobs", "1"] * (words[0] == "run")]) == 0, (
            words,
            capsys.readouterr().err,
        )
    named = {word for words in run for word in words if re.fullmatch(r"\w+\.\w+", word)}
    assert {"table.tex", "cd.pdf", "methods.txt", "monks.db"} <= named
    assert all((folder / name).stat().st_size > 50 for name in named | {"report.html"})


def test_what_needs_other_machines_is_an_option():
    run = group.get_command(None, "run")
    known = {name for option in run.params for name in option.opts}
    for words in programs("podium"):
        if elsewhere(words):
            assert {word for word in words if word.startswith("--")} <= known


def test_make_and_pip_know_what_is_asked_of_them():
    assert programs("make")[:2] == [["demo"], ["test"]]
    for words in [*programs("make"), ["site"]]:
        told = subprocess.run(["make", "-n", *words], cwd=ROOT, capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
    asked = re.findall(r"\[([a-z,]+)\]", " ".join(commands()))
    assert asked
    assert {extra for one in asked for extra in one.split(",")} <= set(EXTRAS)


def test_what_was_measured_is_the_same_on_both_pages():
    pages = [README, (ROOT / "docs" / "peers.md").read_text(encoding="utf-8")]
    tables = [page.split("<!-- measured -->")[1].split("<!-- /measured -->")[0] for page in pages]
    assert tables[0] == tables[1]
    assert len(re.findall(r"\d+ %", tables[0])) >= 6 * 8


def test_procedures_that_users_of_r_are_told_work(folder, capsys):
    (table,) = re.findall(r"\$ cat accuracy.csv\n(.*?)\$ ", GUIDE, re.DOTALL)
    (folder / "accuracy.csv").write_text(table)
    told = re.findall(r"`(--procedure [^`]+)`", GUIDE)
    assert len(told) == 6
    for line in told:
        assert status_of(["analyze", "accuracy.csv", *line.split()]) == 0, capsys.readouterr().err
