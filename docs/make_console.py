"""Run the commands that pages show, and write what they print into the pages.

    python docs/make_console.py [PAGE ...]

Blocks marked `console` hold commands behind `$` and what these print, at 80 columns. `cat FILE`
makes the file that it shows; `podium` runs in the same folder.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

from podium.cli.main import _status

HERE = Path(__file__).parent
PAGES = ("analysis.md", "bayes.md", "designs.md", "factors.md", "gate.md", "getting-started.md",
         "items.md", "planning.md", "published.md", "several-measures.md",
         "which-test.md")  # fmt: skip
WIDTH = "80"
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)


def refreshed(text: str) -> str:
    """A page with its commands run in the working folder, one after the other."""
    return BLOCK.sub(lambda block: "".join(map(_step, _steps(block[0]))), text)


def _steps(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the text below it."""
    parts = block.split("$ ")[1:]
    return [(line, shown) for line, _, shown in (part.partition("\n") for part in parts)]


def _step(step: tuple[str, str]) -> str:
    line, shown = step
    program, *arguments = shlex.split(line)
    if program == "cat":
        Path(arguments[0]).write_text(shown, encoding="utf-8")
    else:
        shown = _printed(arguments)
    return f"$ {line}\n{shown}"


def _printed(arguments: list[str]) -> str:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        _status(arguments)
    text = f"{out.getvalue()}{err.getvalue()}".strip("\n")
    return f"{text}\n" if text else ""


if __name__ == "__main__":
    os.environ["COLUMNS"] = WIDTH
    for name in sys.argv[1:] or PAGES:
        page = HERE / Path(name).name
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            made = refreshed(page.read_text(encoding="utf-8"))
        page.write_text(made, encoding="utf-8")
