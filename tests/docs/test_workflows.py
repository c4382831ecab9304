"""What runs on the web: each action by commit, all tests once, what people are told of `make`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / ".github/workflows").glob("*.yml")), ROOT / "action.yml"]
PINNED = re.compile(r"[\w./-]+@[0-9a-f]{40}  # v\d+(\.\d+)*")


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_actions_of_others_are_pinned_by_commit(file: Path) -> None:
    """A tag may be moved to other code; the version is said beside the commit."""
    used = re.findall(r"^\s*-? *uses: *(.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    assert [text for text in used if not PINNED.fullmatch(text)] == []


def test_all_tests_run_on_one_python_and_the_quick_ones_on_the_others() -> None:
    text = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    jobs = dict(re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", text, re.MULTILINE))
    declared = re.findall(
        r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    )
    pythons = {name: re.findall(r'"(3\.\d+)"', jobs[name]) for name in ("test", "quick")}
    assert [len(pythons["test"]), sorted(pythons["test"] + pythons["quick"])] == [1, declared]
    assert "run: make test\n" in jobs["test"]
    assert "run: make processors\n" in jobs["test"]
    assert "run: make quick\n" in jobs["quick"]


@pytest.mark.parametrize("file", ["CONTRIBUTING.md", ".ci/run", ".github/workflows/tests.yml"])
def test_targets_that_are_named_are_there(file: str) -> None:
    targets = {*re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)}
    named = re.findall(r"\bmake ([a-z][a-z-]+)", (ROOT / file).read_text(encoding="utf-8"))
    assert named
    assert {*named} <= targets | {"test-all"}
