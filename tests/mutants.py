"""Do the tests of a room bite? Small changes of its code, one at a time: which does no test notice?

    python tests/mutants.py planning inference/numbers --number 30 --seed 1

Copies the source, runs the room's tests once to learn which test runs which line, then changes one
place of the copy at a time (`<` to `<=`, `+` to `-`, `and` to `or`, 2 to 3 ...) and runs the tests
of that line, quickest first, until one fails. Prints of each whether it was caught, survived, or
was not judged (more tests run the line than `--budget` has seconds for), and counts by room. A
survivor is a test that is lacking, or a change that makes no difference: somebody must look.
`--again FILE` repeats what a former output did not catch.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import cache_from_source
from itertools import accumulate
from pathlib import Path
from time import monotonic, sleep

import pandas  # noqa: F401, so that forks need not load it
import pytest
import scipy.optimize
import scipy.stats  # noqa: F401
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
PATIENCE = 5  # times as long as the tests took before; a change that never ends is noticed, too
CAUGHT, SURVIVED, OPEN = "caught", "survived", "not judged"


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
    """Every change of one sign or one number; not of annotations, nor of how a picture looks."""
    source = file.read_text(encoding="utf-8")
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))

    def place(line: int, column: int) -> int:
        return len(source.encode()[: starts[line - 1] + column].decode())

    tree = ast.parse(source)
    skipped = {child for node in ast.walk(tree) for child in _unread(node)}
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


def _unread(node: ast.AST) -> Iterator[ast.AST]:
    """What nobody computes with: annotations; and what nobody reads: sizes, widths, places."""
    noted = [getattr(node, "annotation", None), getattr(node, "returns", None)]
    if isinstance(node, ast.FunctionDef) and (
        re.search(r"^_?(draw|size)|_size$", node.name)
        or (node.returns and ast.unparse(node.returns) == "Size")
    ):
        noted += node.body
    elif isinstance(node, ast.Call) and re.match(
        r"(ax|axes|panel|figure)\b", ast.unparse(node.func)
    ):
        noted += [*node.args, *node.keywords]
    elif isinstance(node, ast.keyword) and re.search(r"size$|width$|place$", node.arg or ""):
        noted.append(node.value)
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
    """What is about a room: its folder of tests, the folder of its own name, its examples."""
    parts = Path(room).parts
    own = dict.fromkeys([ROOT / "tests" / "/".join(parts[:2]), ROOT / "tests" / parts[-1]])
    there = [str(each) for each in own if each.is_dir()]
    if not there:
        sys.exit(f"No folder of tests/ is about {room}: name one by --tests.")
    return there


class Clock:
    """How long each test took, and where it stands, written where all are done."""

    def __init__(self, file: Path) -> None:
        self.file, self.seconds, self.places = file, dict[str, float](), dict[str, str]()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Names of examples in the copy are no paths."""
        for item in session.items:
            self.places[item.nodeid] = f"{item.path}::{item.nodeid.partition('::')[2]}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Setting up counts, too."""
        before = self.seconds.get(report.nodeid, 0.0)
        self.seconds[report.nodeid] = before + report.duration

    def pytest_sessionfinish(self) -> None:
        """Hand them over."""
        self.file.write_text(json.dumps([self.seconds, self.places]), encoding="utf-8")


def run(copy: Path, *words: str, seconds: float | None = None) -> tuple[int | None, str]:
    """Pytest on the copy of the source, and what it printed; no code where time ran out.

    In a fork, which has loaded the libraries but nothing of Podium.
    """
    output = copy / "output"
    child = os.fork()
    if not child:
        os.setsid()
        at = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(at, 1), os.dup2(at, 2)
        os.chdir(ROOT)
        sys.path[:0] = [str(copy), str(ROOT / "lab/src")]
        path = os.pathsep.join(sys.path[:2])
        os.environ |= {"PYTHONPATH": path, "COVERAGE_FILE": str(copy / "coverage")}
        fixed = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not long and not browser"]
        os._exit(pytest.main([*fixed, *words], plugins=[Clock(copy / "seconds")]))
    end = monotonic() + (seconds or 1e9)
    while monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), output.read_text(errors="replace")
        sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None, ""


@dataclass(frozen=True)
class Known:
    """Which test runs which line, how long each takes, and where it stands."""

    lines: CoverageData
    seconds: dict[str, float]
    places: dict[str, str]

    def tests(self, file: Path, line: int) -> list[str]:
        """Who may notice a change of a line: those that run it, of its own folder, quickest first.

        Where loading the file runs the line, all may, those that run something of the file first.
        """
        contexts = self.lines.contexts_by_lineno(str(file))
        of_line, of_file = _names(contexts.get(line, [])), set[str]()
        every, own = of_line, f"/{file.parent.name}/"
        if "" in contexts.get(line, []):
            of_file = _names(name for names in contexts.values() for name in names)
            every = {*self.seconds}

        def far(name: str) -> tuple[bool, bool, bool, float]:
            return name not in of_line, name not in of_file, own not in name, self.seconds[name]

        return sorted(every & {*self.seconds}, key=far)


def _names(contexts: Iterable[str]) -> set[str]:
    return {name.split("|")[0] for name in contexts if name}


def known(copy: Path, room: str, tests: list[str]) -> Known:
    """All tests are run once on the source as it is."""
    at = copy / "podium" / room
    code, printed = run(copy, f"--cov={at}", "--cov-context=test", "--cov-report=", *tests, str(at))
    if code:
        sys.exit(f"The tests of {room} fail as it is:\n{printed[-2000:]}")
    file = (copy / "coverage").rename(Path(tempfile.mkdtemp(dir=copy)) / "lines")  # read when asked
    data = CoverageData(str(file))
    data.read()
    return Known(data, *json.loads((copy / "seconds").read_text(encoding="utf-8")))


def judged(copy: Path, mutant: Mutant, tests: Known, budget: float) -> tuple[str, str]:
    """What becomes of a change (caught, survived, not judged), and by whom or why."""
    there = copy / "podium" / mutant.file.relative_to(SOURCE)
    names = tests.tests(there, mutant.line)
    if not names:
        return SURVIVED, "no test runs it"
    spent = list(accumulate(tests.seconds[name] for name in names))
    tried = names[: max(1, sum(each <= budget for each in spent))]
    listed, limit = copy / "listed", 60 + PATIENCE * spent[len(tried) - 1]
    places = [tests.places[each] for each in tried]
    listed.write_text("\n".join(places), encoding="utf-8")
    source = mutant.file.read_text(encoding="utf-8")
    there.write_text(mutant.text(source), encoding="utf-8")
    try:
        code, printed = run(copy, f"@{listed}", seconds=limit)
        if code == pytest.ExitCode.USAGE_ERROR:  # tests are called otherwise, or cannot be loaded
            code, printed = run(copy, *{each.partition("::")[0] for each in places}, seconds=limit)
    finally:
        there.write_text(source, encoding="utf-8")
        Path(cache_from_source(str(there))).unlink(missing_ok=True)  # it may be as new, and as long
    if code is None:
        return CAUGHT, "a limit of time"
    if code:
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", printed, re.MULTILINE)
        return CAUGHT, failed[1] if failed else printed.strip().splitlines()[-1]
    if len(tried) < len(names):
        return OPEN, f"{len(tried)} of {len(names)} tests tried"
    return SURVIVED, f"{len(names)} tests pass"


def sample(room: str, number: int, seed: int, line: int | None, again: str) -> list[Mutant]:
    """Changes of a room, drawn at random; or those of a former output that were not caught."""
    files = [SOURCE / room] if room.endswith(".py") else sorted((SOURCE / room).rglob("*.py"))
    every = [m for f in files for m in mutants(f) if line in (None, m.line)]
    if again:
        texts = {file: file.read_text(encoding="utf-8") for file in files}
        return [m for m in every if _wherever(m.described(texts[m.file])) in _wherever(again)]
    random.Random(seed).shuffle(every)
    return every[:number]


def _wherever(text: str) -> str:
    """Without numbers of lines, which move."""
    return re.sub(r"(\.py):\d+$", r"\1", text, flags=re.MULTILINE)


def main() -> int:
    """Sample changes in the rooms, and print who noticed them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("rooms", nargs="+", help="folders of src/podium, or files in them")
    parser.add_argument("--number", "-n", type=int, default=10, help="changes per room [10]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="*", default=[], help="instead of the room's own")
    parser.add_argument("--line", type=int, help="only changes of this line")
    parser.add_argument("--budget", type=float, default=120, help="seconds of tests each [120]")
    parser.add_argument("--again", type=Path, help="a former output: what it did not catch")
    options = parser.parse_args()
    os.nice(5)
    again = options.again.read_text(encoding="utf-8") if options.again else ""
    again = "\n".join(each for each in again.split("\n\n") if not each.startswith(CAUGHT))
    counts, survivors = dict[str, Counter[str]](), list[str]()
    maps = dict[tuple[str, ...], Known]()
    with tempfile.TemporaryDirectory() as folder:
        for room in options.rooms:
            chosen = sample(room, options.number, options.seed, options.line, again)
            home = str(Path(room).parent if room.endswith(".py") else room)
            tests = options.tests or tests_of(home)
            top = Path(home).parts[0]
            copy = Path(folder) / top
            if not copy.exists():
                shutil.copytree(
                    SOURCE, copy / "podium", ignore=shutil.ignore_patterns("__pycache__")
                )
            counts[room] = Counter()
            if chosen and (*tests, top) not in maps:
                maps[*tests, top] = known(copy, top, tests)
            for mutant in chosen:
                what, why = judged(copy, mutant, maps[*tests, top], options.budget)
                text = mutant.described(mutant.file.read_text(encoding="utf-8"))
                print(f"{what} ({why})\n{text}\n", flush=True)
                counts[room][what] += 1
                survivors += [] if what == CAUGHT else [f"{what} ({why})\n{text}\n"]
    print("What was not caught:\n" if survivors else "All were caught.\n", *survivors, sep="\n")
    counts["all"] = sum(counts.values(), Counter())
    for room, count in counts.items():
        parts = ", ".join(f"{count[each]} {each}" for each in (CAUGHT, SURVIVED, OPEN))
        print(f"{room}: {count.total()} changes, {parts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
