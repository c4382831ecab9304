"""The pages show what commands and examples really print."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import make_console
import pytest
from registries_kept import kept

import podium
from podium.cli.main import group

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    "page",
    ["extending.md", "getting-started.md", "orders.md", "python.md", "registered.md", "surveys.md"],
)
def test_the_examples_of_a_page_are_what_comes_out(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with kept():  # what a page registers
        found = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert found.attempted > 9
    assert found.failed == 0


@pytest.mark.long
def test_the_ten_lines_of_the_readme_print_what_it_shows(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    code, told = re.search(r"```python\n(.*?)```\s+```\n(.*?)```", text, re.DOTALL).groups()
    exec(code, {"__name__": "readme"})
    assert capsys.readouterr().out == told


@pytest.mark.parametrize("page", ["factors.md", "several-measures.md"])
def test_the_example_of_a_page_is_what_comes_out(page):
    found = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert found.attempted
    assert found.failed == 0


# pages that scripts write; parts that scripts write; examples that tests run
SCRIPTED = {"calibration", "commands", "defaults", "formats", "gallery", "json", "options",
            "papers", "procedures", "questions", "readings", "rules"}  # fmt: skip
MADE = re.compile(
    r"<!-- measured -->.*?<!-- /?(?:end|measured) -->|```\nsrc/podium/\n.*?```"
    r"|```(?:console|pycon|demo|python|toml)\n.*?```",
    re.DOTALL,
)
PAGES = [*sorted(DOCS.glob("*.md")), DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md"]
CODE = {"bash", "latex", "python", "sh", "toml", "yaml"}


def test_pages_written_by_hand_have_at_most_25000_words():
    written = [page.read_text("utf-8") for page in PAGES if page.stem not in SCRIPTED]
    assert sum(len(MADE.sub("", text).split()) for text in written) <= 25_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_output_fits_80_columns(page):
    for kind, block in re.findall(r"```(\w*)\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        shown = [line for line in block.splitlines() if not line.startswith((">>>", "... "))]
        assert kind in CODE or max(map(len, shown), default=0) <= 80, block


def test_every_public_name_is_explained():
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    code = " ".join(re.findall(r"`([^`]+)`", text.split("## All names")[1]))
    assert set(podium.__all__) <= set(re.findall(r"\w+", code))


def test_imports_that_a_page_shows_are_not_of_names_that_podium_has():
    shown = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    deep = re.findall(r"from podium\.\S+ import (.+)", shown)
    assert deep
    assert not {name.strip() for names in deep for name in names.split(",")} & set(podium.__all__)


@pytest.mark.parametrize("page", make_console.PAGES)
def test_a_page_shows_what_its_commands_really_print(page, tmp_path, monkeypatch):
    """`python docs/make_console.py` writes them anew."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", make_console.WIDTH)
    text = (DOCS / page).read_text(encoding="utf-8")
    assert make_console.refreshed(text) == text


def test_a_page_is_asked_for_as_an_analysis_is():
    """What is left are files and what the screen shows."""
    commands = {name: group.get_command(None, name) for name in ("analyze", "report")}
    of = {name: {p.name for p in command.params} for name, command in commands.items()}
    shown = {"json", "csv", "latex", "markdown", "order", "report", "pairs", "why", "every",
             "scores", "diagram", "methods"}  # fmt: skip
    assert of["analyze"] - shown == of["report"] - {"output"}
