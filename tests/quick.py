"""A look at what changed, and a few hundred tests of all rooms: a minute on two quiet cores.

    python tests/quick.py               lints what changed and runs the tests that quick.txt names
    python tests/quick.py --choose      chooses them anew; all tests run, twice as slowly as usual

Chosen are, one after the other, the tests that run most lines that none before them has run, by the
seconds that they take; each folder of tests has some. A name of quick.txt that is no test any more
is told, and fails only where many are gone.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests/quick.txt"
PLUGIN = "quick"  # this file
DURATIONS = "PODIUM_DURATIONS"  # the file that they are written to
BASE = "main"  # what changed is what is not there
LINTED = ("src", "tests", "benchmarks", "docs", "lab")
SECONDS = 40.0  # of one core, that the chosen ones take together
OVERHEAD = 0.02  # seconds of any test
PER_FOLDER = 4  # tests at least
SLOWEST = 1.5  # seconds of one test
MOST_GONE = 0.1  # a share of the names


def read_names() -> list[str]:
    """The names of the chosen tests."""
    return LIST.read_text(encoding="utf-8").splitlines()


# -- as a plugin of pytest, in each of its processes -----------------------------------------------


class Chosen:
    """Runs the tests that are named, and no others of their files."""

    def __init__(self) -> None:
        self.names, self.ran = {*read_names()}, set[str]()

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep what is named."""
        others = [item for item in items if item.nodeid not in self.names]
        items[:] = [item for item in items if item.nodeid in self.names]
        config.hook.pytest_deselected(items=others)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember what ran."""
        self.ran.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail where many names are no tests."""
        if not is_worker(session.config) and len(self.gone) > MOST_GONE * len(self.names):
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell of names that are no tests."""
        if self.gone:
            terminalreporter.write_line(
                f"{len(self.gone)} names of tests/quick.txt are no tests, such as {self.gone[0]}: "
                "choose anew by python tests/quick.py --choose"
            )

    @property
    def gone(self) -> list[str]:
        """Names that are no tests."""
        return sorted(self.names - self.ran)


class Timed:
    """Writes down how long each test took that passed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds: Counter[str] = Counter()
        self.odd: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what one phase of a test took."""
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.odd.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write all."""
        if not is_worker(session.config):
            good = {name: s for name, s in self.seconds.items() if name not in self.odd}
            self.path.write_text(json.dumps(good), encoding="utf-8")


def is_worker(config: pytest.Config) -> bool:
    """Whether another process tells this one what to run."""
    return hasattr(config, "workerinput")


def pytest_configure(config: pytest.Config) -> None:
    """Choose tests, or time all of them."""
    timed = os.environ.get(DURATIONS)
    config.pluginmanager.register(Timed(Path(timed)) if timed else Chosen())


# -- running --------------------------------------------------------------------------------------


def run_pytest(*arguments: str, **environment: str) -> int:
    """The status of pytest with this file as a plugin."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", PLUGIN, "-n", "2", "-q", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests"), **environment},
        check=False,
    ).returncode


def find_changed() -> list[str]:
    """Files of Python that are not as on the main branch."""
    base = call_git("merge-base", BASE, "HEAD") or ["HEAD"]
    names = call_git("diff", "--name-only", "--diff-filter=d", base[0])
    names += call_git("ls-files", "--others", "--exclude-standard")
    return [n for n in names if n.endswith(".py") and n.split("/")[0] in LINTED]


def call_git(*arguments: str) -> list[str]:
    """The lines that git prints; none where it fails."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def lint(files: list[str]) -> int:
    """The status of ruff for these files."""
    if not files:
        return 0
    ruff = Path(sys.executable).with_name("ruff")
    kinds: tuple[list[str], ...] = (["check"], ["format", "--check"])
    results = [
        subprocess.run([ruff, *kind, *files], cwd=ROOT, check=False).returncode for kind in kinds
    ]
    return max(results)


# -- choosing -------------------------------------------------------------------------------------


def choose() -> list[str]:
    """Names of tests, from a run of all of them."""
    with tempfile.TemporaryDirectory() as folder:
        timed, covered = Path(folder) / "seconds.json", Path(folder) / "coverage"
        run_pytest(
            "-m", "not long and not browser", "--cov=podium", "--cov-context=test",
            "--cov-report=", "tests",
            PODIUM_DURATIONS=str(timed), COVERAGE_FILE=str(covered),
        )  # fmt: skip
        seconds = json.loads(timed.read_text(encoding="utf-8"))
        return choose_by_lines(read_lines(covered), seconds)


def read_lines(covered: Path) -> dict[str, int]:
    """The lines that each test runs, as the bits of a number."""
    from coverage import CoverageData

    data = CoverageData(str(covered))
    data.read()
    places: dict[tuple[str, int], int] = {}
    lines: defaultdict[str, int] = defaultdict(int)
    for file in sorted(data.measured_files()):
        for line, contexts in data.contexts_by_lineno(file).items():
            bit = 1 << places.setdefault((file, line), len(places))
            for name in {context.partition("|")[0] for context in contexts}:
                lines[name] |= bit
    return lines


def choose_by_lines(lines: dict[str, int], seconds: dict[str, float]) -> list[str]:
    """Some of each folder, then of all, until they take as long as they may."""
    able = {n: s + OVERHEAD for n, s in seconds.items() if s < SLOWEST and lines.get(n)}
    folders: defaultdict[str, list[str]] = defaultdict(list)
    for name in able:
        folders[name.partition("::")[0].rpartition("/")[0]].append(name)
    chosen: list[str] = []
    seen = 0
    spent = 0.0
    for names in folders.values():
        for name in list(pick(names, lines, able, seen))[:PER_FOLDER]:
            chosen.append(name)
            seen |= lines[name]
            spent += able[name]
    for name in pick(able, lines, able, seen):
        if spent + able[name] > SECONDS:
            break
        chosen.append(name)
        spent += able[name]
    return sorted(chosen)


def pick(
    names: Iterable[str], lines: dict[str, int], seconds: dict[str, float], seen: int
) -> Iterator[str]:
    """Those with new lines, by how many they have for a second."""
    heap: list[tuple[float, str]] = [(-1e9, name) for name in names]
    heapq.heapify(heap)
    while heap:
        _, name = heapq.heappop(heap)
        worth = (lines[name] & ~seen).bit_count() / seconds[name]
        if not worth:
            continue
        if heap and -heap[0][0] > worth:  # another may be better by now
            heapq.heappush(heap, (-worth, name))
            continue
        seen |= lines[name]
        yield name


def main() -> int:
    """The status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--choose", action="store_true")
    if parser.parse_args().choose:
        names = choose()
        LIST.write_text("\n".join(names) + "\n", encoding="utf-8")
        print(f"{len(names)} tests chosen")
        return 0
    files = {name.partition("::")[0] for name in read_names()}
    there = sorted(file for file in files if (ROOT / file).exists())
    return max(lint(find_changed()), run_pytest(*there))


if __name__ == "__main__":
    sys.exit(main())
