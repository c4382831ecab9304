"""Do the tests of a room bite? Small changes of its code, one at a time: which does no test notice?

    python tests/mutants.py planning inference/numbers --number 30 --seed 1

Copies the source, runs the room's tests once to learn which test runs which line, then changes one
place of the copy at a time (`<` to `<=`, `+` to `-`, `and` to `or`, 2 to 3 ...) and runs the tests
of that line until one fails. Prints who noticed, and all survivors. A survivor is a test that is
lacking, or a change that makes no difference: somebody must look.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from coverage import CoverageData

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/podium"
SIGNS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
PATIENCE = 5  # times as long as all tests took before; a change that never ends is noticed, too


@dataclass(frozen=True)
class Mutant:
    """One change of one file: characters from `start` to `end` become `after`."""

    file: Path
    line: int
    start: int
    end: int
    after: str

    def text(self, source: str) -> str:
        """The whole file with the change."""
        return source[: self.start] + self.after + source[self.end :]

    def described(self, source: str) -> str:
        """Where it is, and its line before and after."""
        lines = source.splitlines(), self.text(source).splitlines()
        before, after = (each[self.line - 1].strip() for each in lines)
        return f"{self.file.relative_to(SOURCE)}:{self.line}\n    {before}\n    {after}"


def mutants(file: Path) -> Iterator[Mutant]:
    """Every change of one sign or one number; not of annotations, which nobody computes with."""
    source = file.read_text(encoding="utf-8")
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))

    def place(line: int, column: int) -> int:
        return len(source.encode()[: starts[line - 1] + column].decode())

    tree = ast.parse(source)
    skipped = {child for node in ast.walk(tree) for child in _annotations(node)}
    for node in ast.walk(tree):
        if node in skipped:
            continue
        for left, sign, right in _signs(node):
            start = place(left.end_lineno or 0, left.end_col_offset or 0)
            before, after = SIGNS[type(sign)]
            between = source[start : place(right.lineno, right.col_offset)]
            at = re.search(rf"(?<![\w<>=!*/]){re.escape(before)}(?![\w=*/])", between)
            if at and "#" not in between:
                first = start + at.start()
                number = source.count("\n", 0, first) + 1
                yield Mutant(file, number, first, first + len(before), after)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            start, end = (
                place(node.lineno, node.col_offset),
                place(node.end_lineno or 0, node.end_col_offset or 0),
            )
            value = ast.literal_eval(node)
            after = repr(value + 1 if isinstance(value, int) else value * 2 or 1.0)
            yield Mutant(file, node.lineno, start, end, after)


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    noted = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    for each in noted:
        if each is not None:
            yield from ast.walk(each)


def _signs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST, ast.expr]]:
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        yield node.left, node.op, node.right
    elif isinstance(node, ast.BoolOp):
        yield node.values[0], node.op, node.values[1]
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SIGNS:
        yield node.left, node.ops[0], node.comparators[0]


def tests_of(room: str) -> list[str]:
    """The folders of tests for a room: its own, or those of what it is part of."""
    parts = Path(room).parts
    own = [Path(*parts[:n]) for n in range(len(parts), 0, -1)] + [Path(parts[-1])]
    there = [str(ROOT / "tests" / each) for each in own if (ROOT / "tests" / each).is_dir()]
    if not there:
        sys.exit(f"No folder of tests/ is about {room}: name one by --tests.")
    return there[:1] if len(parts) < 2 or own[0] == Path(there[0]) else there


def pytest(
    copy: Path, *words: str, seconds: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Pytest on the copy of the source."""
    path = os.pathsep.join([str(copy), str(ROOT / "lab/src")])
    environment = os.environ | {"PYTHONPATH": path, "COVERAGE_FILE": str(copy / "coverage")}
    fixed = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    fixed += ["-m", "not long and not browser"]
    return subprocess.run(
        [*fixed, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def covered(copy: Path, room: str, tests: list[str]) -> CoverageData:
    """Which test runs which line."""
    run = pytest(
        copy, f"--cov={copy / 'podium' / room}", "--cov-context=test", "--cov-report=", *tests
    )
    if run.returncode:
        sys.exit(f"The tests of {room} fail as it is:\n{run.stdout[-2000:]}")
    data = CoverageData(str(copy / "coverage"))
    data.read()
    return data


def noticed(
    copy: Path, mutant: Mutant, data: CoverageData, tests: list[str], seconds: float
) -> str:
    """The test that notices a change; empty where none does."""
    there = copy / "podium" / mutant.file.relative_to(SOURCE)
    contexts = data.contexts_by_lineno(str(there)).get(mutant.line, [])
    names = sorted({name.split("|")[0] for name in contexts if name})
    if not contexts:
        return ""
    listed = copy / "listed"  # where loading the file runs the line, any test may notice
    listed.write_text("\n".join(tests if "" in contexts else names), encoding="utf-8")
    source = mutant.file.read_text(encoding="utf-8")
    there.write_text(mutant.text(source), encoding="utf-8")
    try:
        run = pytest(copy, f"@{listed}", seconds=seconds)
    except subprocess.TimeoutExpired:
        return "a limit of time"
    finally:
        there.write_text(source, encoding="utf-8")
    if not run.returncode:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)
    return failed[1] if failed else run.stdout.strip().splitlines()[-1]


def main() -> int:
    """Sample changes in the rooms, and print who noticed them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("rooms", nargs="+", help="folders of src/podium, or files in them")
    parser.add_argument("--number", "-n", type=int, default=10, help="changes per room [10]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="*", default=[], help="instead of the room's own")
    parser.add_argument("--line", type=int, help="only changes of this line")
    asked = parser.parse_args()
    os.nice(10)
    survivors, tried = [], 0
    for room in asked.rooms:
        tests = asked.tests or tests_of(str(Path(room).parent if room.endswith(".py") else room))
        files = [SOURCE / room] if room.endswith(".py") else sorted((SOURCE / room).rglob("*.py"))
        all_of_it = [m for f in files for m in mutants(f) if asked.line in (None, m.line)]
        random.Random(asked.seed).shuffle(all_of_it)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(SOURCE, copy / "podium", ignore=ignored)
            before = monotonic()
            data = covered(copy, str(Path(room).parent if room.endswith(".py") else room), tests)
            seconds = 30 + PATIENCE * (monotonic() - before)
            for mutant in all_of_it[: asked.number]:
                tried += 1
                by = noticed(copy, mutant, data, tests, seconds)
                text = mutant.described(mutant.file.read_text(encoding="utf-8"))
                print(f"{'survives' if not by else 'noticed by ' + by}  {text}", flush=True)
                survivors += [] if by else [text]
    print(f"\n{tried - len(survivors)} of {tried} were noticed; survivors:")
    print("\n".join(survivors) or "none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
