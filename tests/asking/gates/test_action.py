"""action.yml: its script run by bash, with a stand-in for what GitHub and pip bring."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import podium

ACTION = (Path(__file__).parents[3] / "action.yml").read_text(encoding="utf-8")
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="it is a script of bash")


def script():
    """The lines of the last step, without their indent."""
    (last,) = re.findall(r"run: \|\n((?: {8}.*\n|\n)+)\Z", ACTION)
    return "".join(line[8:] if line.strip() else "\n" for line in last.splitlines(keepends=True))


@pytest.fixture
def ran(tmp_path):
    """Run the script; `ends` is the status of what stands in for Podium, if anything does."""
    program = tmp_path / "podium" / "bin" / "podium"
    program.parent.mkdir(parents=True)

    def run(ends=None, **said):
        source = Path(podium.__file__).parents[1]
        call = f'PYTHONPATH={source} exec {sys.executable} -m podium "$@"'
        stand_in = f'printf "%s\\n" "$@" > told; echo Summary > gate.md; exit {ends}'
        program.write_text(f"#!/bin/sh\n{call if ends is None else stand_in}\n")
        program.chmod(0o755)
        given = {"OLD": "old.csv", "NEW": "new.csv", "MARGIN": "", "MEASURE": "", "OPTIONS": ""}
        files = {f"GITHUB_{n}": str(tmp_path / n) for n in ("OUTPUT", "STEP_SUMMARY")}
        environment = os.environ | given | files | {"RUNNER_TEMP": str(tmp_path)}
        environment |= {"FAIL_ON": "worse"} | said
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script()],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode

    return run


def test_what_is_worse_fails_the_job_and_is_summarised(ran, tmp_path):
    for name, wrong in (("old", 10), ("the new", 60)):
        rows = "".join(f"q{i},{int(i >= wrong)}\n" for i in range(200))
        (tmp_path / f"{name}.csv").write_text(f"item,accuracy\n{rows}")
    options = "--alpha=0.01\n--gaps=worst"
    assert ran(NEW="the new.csv", MARGIN="1%", MEASURE="accuracy", OPTIONS=options) == 3
    assert (tmp_path / "STEP_SUMMARY").read_text().startswith("Worse: accuracy 0.70")
    files = f"json={tmp_path / 'gate.json'}\ncomment={tmp_path / 'comment.md'}\n"
    assert (tmp_path / "OUTPUT").read_text() == f"status=3\n{files}"
    assert (tmp_path / "gate.json").exists()


@pytest.mark.parametrize(
    ("ends", "fail_on", "status"),
    [
        *((0, "worse", 0), (3, "worse", 3), (4, "worse", 0), (2, "worse", 2)),
        *((0, "undecided", 0), (3, "undecided", 3), (4, "undecided", 4)),
        *((3, "never", 0), (4, "never", 0), (2, "never", 2), (1, "never", 1)),
        (0, "sometimes", 2),
    ],
)
def test_what_fails_the_job_is_said(ran, ends, fail_on, status):
    assert ran(ends, FAIL_ON=fail_on) == status


def test_what_is_said_is_told_and_never_run(ran, tmp_path):
    odd = "$(touch pwned) `touch pwned`.csv"
    assert ran(0, NEW=odd, MARGIN="5%", OPTIONS="--sampling=runs\n\n--columns=item=a b") == 0
    told = (tmp_path / "told").read_text().splitlines()
    assert told[1:4] == ["--margin=5%", "--sampling=runs", "--columns=item=a b"]
    assert told[-3:] == ["--", "old.csv", odd]
    assert not (tmp_path / "pwned").exists()


def test_the_inputs_are_what_the_script_reads():
    named = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", ACTION))
    declared = set(re.findall(r"^  ([\w-]+):$", ACTION.partition("outputs:")[0], re.MULTILINE))
    assert named == declared - {"icon", "color"}
