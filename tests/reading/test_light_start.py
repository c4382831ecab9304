"""Reading and comparing a table loads neither scikit-learn nor anything that draws."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"sklearn", "joblib", "matplotlib", "altair", "dask", "polars"}
READING = "import podium\nresults = podium.read({path!r}, measure='acc')"
COMPARING = READING + "\npodium.compare(results)"
ANALYZING = (
    "import contextlib, io\nfrom podium.cli.main import _prepared, status_of\n"
    "with contextlib.redirect_stdout(io.StringIO()):\n"
    " status_of(_prepared(['analyze', {path!r}, '--measure', 'acc']))"
)
REPORTING = ANALYZING.replace("'analyze', {path!r}", "'report', {path!r}, '-o', {path!r} + '.html'")
SLOW = {"scipy.stats", "scipy.optimize", "scipy.sparse", "numpy.f2py.crackfortran", "unittest"}


@pytest.fixture
def table(tmp_path: Path) -> str:
    rows = [f"d{i},0.{i}1,0.{i}3,0.{(3 * i) % 10}5" for i in range(1, 10)]
    path = tmp_path / "small.csv"
    path.write_text("\n".join(["dataset,a,b,c", *rows]))
    return str(path)


def loaded(code: str) -> set[str]:
    """The modules that are there after some code has run."""
    script = f"import json, sys\n{code}\nprint(json.dumps(list(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout))


def heavy(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules} & HEAVY


def test_reading_loads_no_library_but_pandas_and_narwhals(table: str) -> None:
    modules = loaded(READING.format(path=table))
    assert heavy(modules) == set()
    assert "scipy" not in modules
    # 'b' may be a measure that a file of design/measuring adds: only what that needs is loaded
    rooms = {
        ".".join(name.split(".")[:4])
        for name in modules
        if name.startswith("podium.running.design.")
    }
    assert rooms <= {"podium.running.design.measuring", "podium.running.design.data"}
    assert not {name for name in modules if name.startswith("podium.running.execution.")}


def test_comparing_loads_nothing_that_fits_or_draws(table: str) -> None:
    assert heavy(loaded(COMPARING.format(path=table))) == set()


@pytest.mark.parametrize("code", [ANALYZING, REPORTING], ids=["analyze", "report"])
def test_commands_start_without_what_they_do_not_use(code: str, table: str) -> None:
    modules = loaded(code.format(path=table))
    assert heavy(modules) | modules & SLOW == set()
