"""Run the commands that pages show, and write what they print into the pages.

    python docs/make_console.py [PAGE ...]

Blocks marked `console` hold commands behind `$` and what these print, at 80 columns. `cat FILE`
makes the file that it shows; `podium`, `head` and `make_examples.py` run in the same folder. Where
a line `...` stands for what is not shown, the lines around it are looked for in what is printed.
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

import make_examples

from podium.cli.main import status_of
from podium.core.base.formatting import wrapped

HERE = Path(__file__).parent
PAGES = ("analysis.md", "bayes.md", "designs.md", "factors.md", "gate.md", "getting-started.md",
         "items.md", "judges.md", "planning.md", "preferences.md",
         "published.md", "several-measures.md", "which-test.md")  # fmt: skip
WIDTH = "80"
LEFT_OUT, ALIKE = "...", 20  # a line; how many letters of a line tell it
COMMAND = re.compile(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", re.DOTALL)  # also over several lines
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)


def refreshed(text: str) -> str:
    """A page with its commands run in the working folder, one after the other."""
    return BLOCK.sub(lambda block: "".join(map(_step, _steps(block[0]))), text)


def _steps(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the text below it."""
    parts = [COMMAND.match(part) for part in block.split("$ ")[1:]]
    return [(part[1], part[2]) for part in parts if part]


def _step(step: tuple[str, str]) -> str:
    line, shown = step
    program, *arguments = shlex.split(line.replace("\\\n", " "))  # as a shell joins lines
    if program == "cat":
        Path(arguments[0]).write_text(shown, encoding="utf-8")
    elif program == "head":
        lines = Path(arguments[1]).read_text(encoding="utf-8").splitlines(keepends=True)
        shown = "".join(lines[: -int(arguments[0])])
    elif program == "python":
        make_examples.main(Path(arguments[1]))
    else:
        shown = _excerpt(_printed(arguments), shown)
    return f"$ {line}\n{shown}"


def _excerpt(printed: str, shown: str) -> str:
    """What is printed; where parts are left out, the lines that begin as those shown, as many."""
    parts = re.split(rf"(?m)^{re.escape(LEFT_OUT)}\n", shown)
    if len(parts) == 1:
        return printed
    lines, made = printed.splitlines(keepends=True), []
    for part in parts:
        begin, count = part.split("\n")[0][:ALIKE], part.count("\n")
        first = next((i for i, line in enumerate(lines) if line.startswith(begin)), 0)
        made.append("".join(lines[first : first + count]))
        lines = lines[first + count :]
    return f"{LEFT_OUT}\n".join(made)


def _printed(arguments: list[str]) -> str:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status_of(arguments)
    said = [wrapped(line, int(WIDTH)) for line in err.getvalue().splitlines()]
    text = "\n".join([out.getvalue(), *said]).strip("\n")  # a terminal breaks long messages, too
    return f"{text}\n" if text else ""


if __name__ == "__main__":
    os.environ["COLUMNS"] = WIDTH
    for name in sys.argv[1:] or PAGES:
        page = HERE / Path(name).name
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            made = refreshed(page.read_text(encoding="utf-8"))
        page.write_text(made, encoding="utf-8")
