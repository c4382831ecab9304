"""The fixture `podium_gate`, in a run of pytest of its own."""

import subprocess
import sys
import tomllib
from pathlib import Path

import podium.asking.gates.verbs  # noqa: F401  once, not in the run inside

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[3]
PLUGIN = "podium.asking.gates.pytest_plugin"
TESTS = """
import pytest

MARGIN = {"margin": 0.001}

def test_not_worse(podium_gate):
    assert podium_gate("old.csv", "same.csv", margin=0.05).status == 0

def test_worse(podium_gate):
    podium_gate("old.csv", "worse.csv")

def test_undecided(podium_gate):
    podium_gate("old.csv", "same.csv", **MARGIN)

def test_undecided_is_skipped(podium_gate):
    podium_gate("old.csv", "same.csv", **MARGIN, undecided="skip")

def test_undecided_passes(podium_gate):
    assert podium_gate("old.csv", "same.csv", **MARGIN, undecided="pass").status == 4

def test_scores_of_its_own(podium_gate):
    podium_gate("old.csv", {f"q{i}": 1.0 for i in range(200)}, margin=0.01)

def test_no_such_file(podium_gate):
    with pytest.raises(ValueError, match="There is no file .*nothing.csv"):
        podium_gate("old.csv", "nothing.csv")

def test_no_such_outcome(podium_gate):
    with pytest.raises(ValueError, match="`undecided` is fail, skip, pass, not 'perhaps'"):
        podium_gate("old.csv", "same.csv", undecided="perhaps")
"""


def test_the_fixture_fails_where_the_new_one_is_worse_or_may_be(pytester, monkeypatch):
    for name, wrong in (("old", 10), ("same", 11), ("worse", 60)):
        rows = "".join(f"q{i},{int(i >= wrong)}\n" for i in range(200))
        (pytester.path / f"{name}.csv").write_text(f"item,accuracy\n{rows}")
    pytester.makepyfile(TESTS)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it may be installed, or not
    found = pytester.runpytest_inprocess("-p", PLUGIN, "-p", "no:cacheprovider", "-rsf")
    found.assert_outcomes(passed=5, failed=2, skipped=1)
    found.stdout.fnmatch_lines_random(
        [
            "*Worse: accuracy 0.70, before 0.95 (-0.25); a loss is shown (p < 0.001).",
            "*Inconclusive: accuracy 0.9450, before 0.9500 (-0.0050)*",
            "SKIPPED*Inconclusive: accuracy*",
            "FAILED *::test_worse*",
            "FAILED *::test_undecided*",
        ]
    )
    found.stdout.no_fnmatch_line("*pytest_plugin.py*in*")


def test_the_plugin_is_declared_and_light():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    assert declared["pytest11"] == {"podium": PLUGIN}
    script = f"import sys, {PLUGIN}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "scipy"} & {*run.stdout.split()}
