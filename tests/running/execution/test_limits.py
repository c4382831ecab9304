"""Runs that die, exceed a limit or misbehave are failures; all others go on, with equal scores."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from villains import FAILURES, Crashes, DiesOnce, Exits, Good, Hoards, Parent, Prints, Sleeps

import podium
from podium.errors import DesignError, ExecutionError
from podium.running.execution import machine, pool
from podium.running.execution.machine import Limits, died, parse_limits

X = np.random.default_rng(0).normal(size=(40, 3))
DATA = podium.dataset("d", X, (X[:, 0] > 0).astype(int))


def study(*algorithms, sampling="bootstrap:2"):
    named = {type(a).__name__: a for a in algorithms}
    return podium.Study(DATA, named, sampling=sampling)


def bits(results, algorithm="Good"):
    chosen = results.scores[results.scores["algorithm"] == algorithm]
    return chosen["value"].to_numpy().view(np.int64).tolist()


def reasons(results):
    rows = results.failures.itertuples()
    return {(r.algorithm, r.sample): (r.exception, r.message) for r in rows}


# --- what limits mean ---


def test_limits_are_numbers_or_amounts_with_a_unit():
    for text, seconds in ((60, 60), ("60", 60), ("1.5s", 1.5), ("10 m", 600), ("2H", 7200)):
        assert parse_limits(text).seconds == seconds
    for text, size in ((4e9, 4e9), ("4GB", 4e9), ("500mb", 5e8), ("1 GiB", 2**30), ("2T", 2e12)):
        assert parse_limits(None, text).memory == size
    assert parse_limits() == Limits(None, None)


@pytest.mark.parametrize("wrong", [0, -1, True, "", "soon", "5 parsecs", "1e999", np.nan, [60]])
def test_limits_that_mean_nothing_are_named_and_nothing_is_made(wrong, tmp_path):
    for option, example in (("time_limit", "'10m'"), ("memory_limit", "'4GB'")):
        with pytest.raises(DesignError) as caught:
            podium.run(study(Good()), tmp_path / "s.db", **{option: wrong}, quiet=True)
        assert example in str(caught.value)
        assert str(caught.value).endswith(f"not {wrong!r}.")
    assert not (tmp_path / "s.db").exists()


def test_a_limit_below_what_python_takes_is_refused():
    with pytest.raises(DesignError, match="limit of 10 MB is too low"):
        parse_limits(None, "10MB")


def test_deaths_are_told_by_their_signal():
    assert died(-11).message == "The run's process was ended by SIGSEGV (Segmentation fault)."
    assert died(-63).message.startswith("The run's process was ended by signal 63")
    assert died(0).message == "The run's process ended itself with exit status 0."


# --- runs that misbehave ---


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The scores of the good ones where nobody else is."""
    path = tmp_path_factory.mktemp("alone") / "s.db"
    return podium.run(study(Good(), Prints()), path, jobs=2, quiet=True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_misbehaviour_is_a_failed_run_and_the_others_go_on(jobs, alone, tmp_path):
    bad = [kind for kind in FAILURES if kind is not Sleeps]
    whole = study(Good(), *(kind() for kind in bad), Prints())
    results = podium.run(whole, tmp_path / "s.db", jobs=jobs, memory_limit="700MB", quiet=True)
    found = reasons(results)
    for kind in bad:
        for sample in (1, 2):
            exception, message = found.pop((kind.__name__, sample))
            assert exception == FAILURES[kind][0]
            assert message == (FAILURES[kind][1] or message)
    assert found == {}
    for good in ("Good", "Prints"):
        assert bits(results, good) == bits(alone, good)
    segfault = results.failures.query("algorithm == 'Crashes'")["traceback"].iloc[0]
    assert "villains.py" in segfault
    assert "in fit" in segfault


def test_a_run_beyond_its_time_is_ended_and_says_where_it_was(alone, tmp_path):
    results = podium.run(study(Sleeps(), Good()), tmp_path / "s.db", time_limit="1s", quiet=True)
    failures = results.failures
    assert failures["exception"].tolist() == ["TimeLimitExceeded"] * 2
    assert set(failures["message"]) == {"The run took more than 1 s."}
    assert all("in fit" in text for text in failures["traceback"])
    assert bits(results) == bits(alone)


def test_who_is_killed_from_outside_is_tried_again_and_nothing_changes(alone, tmp_path):
    killed = study(Good(), DiesOnce(str(tmp_path)), sampling="bootstrap:3")
    results = podium.run(killed, tmp_path / "s.db", jobs=2, quiet=True)
    assert len(results.failures) == 0
    assert len(list(tmp_path.glob("[-0-9]*"))) == 3, "nobody was killed"
    again = podium.run(killed, tmp_path / "again.db", jobs=2, quiet=True)
    for name in ("Good", "DiesOnce"):
        assert bits(results, name) == bits(again, name)


def test_what_a_run_has_started_ends_with_it(tmp_path):
    file = tmp_path / "numbers"
    results = podium.run(study(Parent(str(file))), tmp_path / "s.db", time_limit=60, quiet=True)
    assert set(results.failures["exception"]) == {"WorkerDied"}
    children = [int(line) for line in file.read_text().split()]
    assert len(children) == 3  # the first is tried twice, then the algorithm is known
    deadline = time.monotonic() + 10
    while any(map(is_running, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, children))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_largest_run_is_ended_before_the_machine_is_full(alone, tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "left_and_total", lambda: (0.5e9, 10e9))
    results = podium.run(study(Good(), Hoards()), tmp_path / "s.db", jobs=2, quiet=True)
    assert set(results.failures["exception"]) == {"MemoryLimitExceeded"}
    for message in results.failures["message"]:
        assert message.endswith("when the machine had only 500 MB left.")
    assert bits(results) == bits(alone)


class Immovable(Good):
    """Cannot be carried into another process."""

    def __init__(self, reduced):
        self.reduced = reduced

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return self.reduced()


def test_a_study_that_workers_cannot_have_is_one_sentence(tmp_path):
    unreadable, unsendable = Immovable(lambda: (int, ("seven",))), Immovable(lambda: 1 / 0)
    for immovable, sentence in (
        (unreadable, "A worker process cannot read the study: ValueError: invalid literal"),
        (unsendable, "The study cannot be sent to other processes: ZeroDivisionError: division"),
    ):
        with pytest.raises(ExecutionError) as caught:
            podium.run(study(immovable), tmp_path / "s.db", jobs=2, quiet=True)
        assert str(caught.value).startswith(sentence)


# --- the command line ---

STUDY = """
name = "villains"
sampling = "bootstrap:2"
trust = ["villains"]
[[datasets]]
name = "d"
source = "builtin:twonorm"
n = 40
"""


def test_the_command_line_survives_them_with_its_defaults(tmp_path):
    names = [kind.__name__ for kind in (Exits, Crashes, Good)]
    entries = [f'[[algorithms]]\nname = "{n}"\nestimator = "villains.{n}"\n' for n in names]
    (tmp_path / "study.toml").write_text(STUDY + "".join(entries))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [sys.executable, "-m", "podium", "run", "study.toml", "--trust", "villains"]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "4 runs failed; they are tried again by the next call." in ended.stderr
    assert "Exits on d: WorkerDied: The run's process ended itself with" in ended.stderr
    statuses = podium.read(tmp_path / "study.db").runs.groupby("algorithm", observed=True)
    assert statuses["status"].unique().map(list).to_dict() == {
        "Exits": ["failed"],
        "Crashes": ["failed"],
        "Good": ["done"],
    }


# --- memory ---


HOLDER = """
import mmap, sys
def step(done): print(done, flush=True); sys.stdin.readline()
step("started")
block = bytearray(b"x") * 2**26
step("allocated")
open("block", "wb").write(block)
del block
with open("block", "rb") as file:
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
assert mapped[:].count(b"x") == 2**26
step("mapped")
import subprocess
script = "x = b'x' * 60_000_000; print(flush=True); input()"
child = subprocess.Popen(
    [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
)
child.stdout.readline()
step("child")
child.communicate(b"\\n")
"""


def test_memory_held_counts_allocations_and_children_but_no_mapped_files(tmp_path):
    """Of a process of its own: in this one garbage and workers of other tests come and go."""
    held = {}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        for done in ("started", "allocated", "mapped", "child"):
            assert process.stdout.readline() == f"{done}\n"
            held[done] = machine.held(process.pid) - held.get("started", 0)
            process.stdin.write("\n")
            process.stdin.flush()
    assert process.returncode == 0
    assert 60e6 < held["allocated"] < 80e6
    assert held["mapped"] < 10e6
    assert 60e6 < held["child"] < 100e6
    assert machine.held(process.pid) == 0


def test_memory_left_is_that_of_the_tightest_control_group(tmp_path, monkeypatch):
    group = tmp_path / "slurm" / "job"
    group.mkdir(parents=True)
    for folder, limit in ((group, "max"), (group.parent, "8000000000")):
        (folder / "memory.max").write_text(limit)
        (folder / "memory.current").write_text("7000000000")
        (folder / "memory.stat").write_text("anon 1\ninactive_file 2000000000\n")
    monkeypatch.setattr(machine, "_group_folders", lambda: [group, group.parent, tmp_path])
    monkeypatch.setattr(machine, "_machine", lambda: (9e9, 16e9))
    machine._groups.cache_clear()
    assert machine.left_and_total() == (3e9, 8e9)
    monkeypatch.undo()
    machine._groups.cache_clear()
    left, total = machine.left_and_total()
    assert 0 < left < total
