"""No house word stands in an error, a help text, a template of a sentence or a word of the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from podium.cli.main import group
from podium.core.base import rooms

SOURCE = Path(__file__).parents[3] / "src" / "podium"
HOUSE = re.compile(
    r"\b(blocks?|bricks?|universes?|choices?|places?|leads?|legal|illegal|told|told apart"
    r"|tells? .{0,30}apart|said|undecided|learning samples?|whom|thereof|anew"
    # passives with a hidden actor, and differences in words
    r"|taken to be|(is|are|was|were) taken (as|for|together)|less (people|second|third)"
    r"|hangs? on|stands there|nothing repairs|log-strengths?)\b",
    re.IGNORECASE,
)
SAYING = re.compile(r"\bsay --[a-z]")  # advice is an imperative: add, use
# names of options, columns, values and commands; what the field itself calls so
NAMES = re.compile(r"--[\w-]+(=\w+)?|'[^']*'|`[^`]*`|\w+=\S+|moving[- ]block\S*|bootstrap samples?")
LISTS = re.compile(r"\x08\n(?:.+\n?)*")  # of help, a line each
GAP = re.compile(r"\{[\w.]+")
MOST = 25  # words of a sentence


def _text(node: ast.expr) -> str:
    """A literal, with {} for what is put in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else "{}"
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_text, node.values))
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    return "{}"


def _raised() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                yield where, _text(node.exc.args[0])


def _helps() -> Iterator[tuple[str, str]]:
    """Of every command: what it does, and every option."""
    context = click.Context(group)
    for name in rooms.commands():
        command = group.get_command(context, name)
        if isinstance(command, click.Group) or command is None:
            continue
        yield f"podium {name}", command.help or ""
        for option in command.params:
            yield f"podium {name} --{option.name}", getattr(option, "help", None) or ""


def _templates() -> Iterator[tuple[str, str]]:
    """Literals of files that hold words: those called words, and the notes."""
    files = [*SOURCE.rglob("*words.py"), *(SOURCE / "core/words").rglob("*.py")]
    files.remove(SOURCE / "core/words" / "references.py")  # titles of papers
    for path in sorted({*files, *(SOURCE / "core/inference" / "words").rglob("*.py")}):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        plain = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
                 for part in ast.walk(node)} - {id(n) for n in ast.walk(tree)
                                                if isinstance(n, ast.JoinedStr)}  # fmt: skip
        documented = {id(node.body[0].value) for node in ast.walk(tree)
                      if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and node.body
                      and isinstance(node.body[0], ast.Expr)}  # fmt: skip
        for node in ast.walk(tree):
            if not isinstance(node, (ast.Constant, ast.JoinedStr)):
                continue
            if id(node) in plain | documented or " " not in _text(node):
                continue
            # of a gap the fact's name is no word of ours, what is made of it may be one
            yield f"{path.relative_to(SOURCE)}:{node.lineno}", GAP.sub("{", _text(node))


def _page() -> Iterator[tuple[str, str]]:
    for path in sorted((SOURCE / "showing/reports").glob("*.js")):
        for text in re.findall(
            r"[\"'`]([A-Z][^\"'`\n]* [^\"'`\n]*)[\"'`]", path.read_text("utf-8")
        ):
            yield path.name, text


# for those who change Podium, or by script of other texts
FOR_OTHERS = {"architecture", "calibration", "commands", "defaults", "extending", "formats",
              "gallery", "json",
              "options", "papers", "procedures", "questions", "readings"}  # fmt: skip
OF_TABLES = re.compile(r"\b(blocks?|places?)\b")  # what a column holds; the first place of a file


def _pages() -> Iterator[tuple[str, str]]:
    """Prose of the pages for users, without examples, names and what is measured."""
    docs = SOURCE.parents[1] / "docs"
    for path in [*sorted(docs.glob("*.md")), docs.parent / "README.md"]:
        if path.stem not in FOR_OTHERS:
            text = re.sub(r"<!-- .*? -->.*?<!-- .*? -->|```.*?```", "", path.read_text("utf-8"),
                          flags=re.DOTALL)  # fmt: skip
            for line in text.splitlines():
                yield path.name, OF_TABLES.sub("", line)


TEXTS = {"pages": _pages, "errors": _raised, "help": _helps, "templates": _templates, "page": _page}


@pytest.mark.parametrize("kind", TEXTS)
def test_no_house_word(kind: str) -> None:
    found = {f"{where}: {text}" for where, text in TEXTS[kind]()
             if HOUSE.search(NAMES.sub("", text)) or SAYING.search(text)}  # fmt: skip
    assert sorted(found) == []


def test_the_texts_are_found() -> None:
    """Else no word could be found in them."""
    assert [len(list(made())) > least for made, least in zip(
        (_raised, _helps, _templates), (1000, 300, 800), strict=True)] == [True] * 3  # fmt: skip


@pytest.mark.parametrize("kind", ["errors", "help"])
def test_sentences_are_short(kind: str) -> None:
    found = [f"{where}: {sentence}" for where, text in TEXTS[kind]()
             for sentence in re.split(r"(?<=[.?!:;])\s", NAMES.sub("X", LISTS.sub("", text)))
             if len(re.sub(r"\([^()]*\)", "", sentence).split()) > MOST]  # fmt: skip
    assert found == []


def test_braces_are_filled() -> None:
    """A name in braces outside an f-string would reach the reader."""
    kept = re.compile(r"\{[a-z_.]+\}")
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for part in ast.walk(node):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        assert not kept.search(part.value), f"{path}:{part.lineno}"
