"""Whatever one algorithm does to its process, the scores of all others stay, bit for bit."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from meddlers import MEDDLERS, Meddles
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from villains import Good

import podium
from podium.errors import ExecutionError
from podium.reading.store import Record
from podium.running.design.study import Run
from podium.running.execution import keepers, pool
from podium.running.execution.runner import _Costs
from podium.running.execution.shared import Content, share
from podium.running.execution.workers import BrokenFrame, Link, linked

X = np.random.default_rng(0).normal(size=(60, 3))
DATA = podium.dataset("d", X, (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int))
INNOCENT = {
    "good": Good(),
    "tree": DecisionTreeClassifier(),
    "logistic": LogisticRegression(),
    "forest": RandomForestClassifier(3),
}


def study(more=(), **options):
    first = {name: podium.algorithm(name, Meddles, what=name) for name in more}
    made = {name: podium.algorithm(name, estimator) for name, estimator in INNOCENT.items()}
    algorithms = [*first.values(), *made.values()]  # villains go first
    return podium.Study(DATA, algorithms, sampling="bootstrap:3", seed=5, **options)


def bits(results):
    scores = results.scores[results.scores["algorithm"].isin(list(INNOCENT))]
    wide = scores.sort_values(["algorithm", "sample"])
    return list(
        zip(wide["algorithm"], wide["sample"], wide["value"].to_numpy().view(np.int64), strict=True)
    )


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    results = podium.run(study(), tmp_path_factory.mktemp("alone") / "s.db", quiet=True)
    assert len(bits(results)) == 12
    return bits(results)


def check(results, expected):
    assert bits(results) == expected
    assert not set(results.failures["algorithm"]) & set(INNOCENT)
    said = results.warnings
    assert not set(said.loc[said["category"] == "KeptState", "algorithm"]) & set(INNOCENT)


NAMES = [meddler.__name__ for meddler in MEDDLERS]


# each of them once, and on every way by the long tests
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("jobs", "some"),
    [
        (1, slice(0, None, 3)),
        (2, slice(1, None, 3)),
        pytest.param(1, slice(None), marks=pytest.mark.long),
        pytest.param(2, slice(None), marks=pytest.mark.long),
    ],
)
def test_what_one_algorithm_does_reaches_no_other(jobs, some, expected, tmp_path):
    names = NAMES[some]
    results = podium.run(study(names), tmp_path / "s.db", jobs=jobs, time_limit="60s", quiet=True)
    check(results, expected)
    assert len(results.runs) == 3 * (len(names) + len(INNOCENT))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "some", [slice(2, None, 3), pytest.param(slice(None), marks=pytest.mark.long)]
)
def test_it_is_the_same_on_dask(some, expected, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(1, threads_per_worker=2, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        names = NAMES[some]
        results = podium.run(study(names), tmp_path / "s.db", cluster=client, quiet=True)
    check(results, expected)
    assert len(results.runs) == 3 * (len(names) + len(INNOCENT))


def test_a_module_that_changes_others_when_it_is_imported_is_theirs_alone_who_need_it(
    tmp_path, expected
):
    (tmp_path / "patching.py").write_text(
        "import os, numpy as np\n"
        f"if os.getpid() != {os.getpid()}: np.random.choice = lambda classes, n: np.zeros(n, int)\n"
        "from villains import Good\n"
        "class Model(Good): pass\n"
    )
    script = (
        f"import sys; sys.path[:0] = {[str(tmp_path), *sys.path]!r}\n"
        "import podium, patching, test_isolation as t\n"
        "study = t.study()\n"
        "study = podium.Study(t.DATA, [podium.algorithm('p', patching.Model), *study.algorithms],"
        " sampling='bootstrap:3', seed=5)\n"
        "print(t.bits(podium.run(study, jobs=2, quiet=True)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    read = eval(ended.stdout, {"np": np})
    assert [(a, s, int(v)) for a, s, v in read] == [(a, s, int(v)) for a, s, v in expected]


# --- what is sent ---


def test_a_driver_survives_garbage_and_the_run_that_wrote_it_fails(tmp_path):
    with pytest.warns(UserWarning, match="sent something unreadable"):
        results = podium.run(study(["garbage"]), tmp_path / "s.db", jobs=2, quiet=True)
    failures = results.failures
    assert set(failures["algorithm"]) == {"garbage"}
    assert set(failures["exception"]) == {"WorkerDied"}


@pytest.mark.parametrize(
    "content",
    [b"\xff" * 64, b"\x00" * 64, b"podium\x00\x01" + b"\xff" * 64, b"podium\x00\x01" + bytes(64)],
)
def test_what_is_no_message_is_never_unpickled(content):
    ours, theirs = linked()
    theirs.sendall(content)
    theirs.close()
    with pytest.raises((BrokenFrame, EOFError)):
        ours.receive()


def test_messages_come_whole_whatever_the_pieces():
    ours, theirs = linked()
    Link(theirs).send({"a": 1})
    Link(theirs).send("second")
    assert ours.arrived() == [{"a": 1}, "second"]
    assert ours.is_quiet
    theirs.sendall(b"podium")
    assert ours.arrived() == []
    assert not ours.is_quiet


# --- what is shared ---


def test_shared_data_have_no_name_and_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    from podium.running.execution.runner import _plan

    with share(_plan(study())) as shared:
        assert list(tmp_path.iterdir()) == []
        content = Content(shared.file.fileno())
        rows = content.array("0/X")
        assert np.array_equal(rows, X)
        with pytest.raises(ValueError, match="read-only"):
            rows[0, 0] = 1
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            rows.flags.writeable = True
        with pytest.raises(OSError, match=r"not open for writing|Bad file"):
            os.write(shared.file.fileno(), b"x")


def test_shared_data_that_were_changed_are_refused(tmp_path):
    from podium.running.execution.runner import _plan

    with share(_plan(study())) as shared:
        content = bytearray(shared.content)
        place = bytes(content).index(X.tobytes())
        content[place] ^= 1
        (tmp_path / "changed").write_bytes(content)
        with (tmp_path / "changed").open("rb") as file, pytest.raises(ExecutionError) as caught:
            Content(file.fileno()).array("0/X")
        assert str(caught.value) == "The shared copy of '0/X' is not what was written: run again."


# --- batches ---


class Place:
    workers, seconds, guess = 2, 0.25, 0.01


def test_a_batch_is_of_one_algorithm_and_those_behind_go_first():
    runs = [Run("d", a, i, f"{a}{i}".encode()) for i in range(400) for a in ("quick", "slow")]
    costs = _Costs()
    costs.learn(Record(b"", "d", "quick", 1, seconds=0.001))
    costs.learn(Record(b"", "d", "slow", 1, seconds=0.02))
    batches = list(costs.batches(runs, Place()))
    assert all(len({run.algorithm for run in batch}) == 1 for batch in batches)
    assert sorted(run.key for batch in batches for run in batch) == sorted(r.key for r in runs)
    reached = {"quick": 0, "slow": 0}
    for batch in batches:
        other = reached["slow" if batch[0].algorithm == "quick" else "quick"]
        assert batch[0].sample <= max(other, 1)
        reached[batch[0].algorithm] = batch[-1].sample + 1


class Tells(Good):
    """Writes down in which process it was fitted."""

    def __init__(self, file):
        self.file = file

    def fit(self, X, y):
        with open(self.file, "a") as file:
            file.write(f"{os.getpid()} {os.getppid()}\n")
        return super().fit(X, y)


@pytest.mark.parametrize("isolate", ["", "process"])
def test_processes_are_thrown_away(isolate, tmp_path):
    one, two = (podium.algorithm(n, Tells, file=str(tmp_path / n)) for n in "ab")
    whole = podium.Study(DATA, [one, two], sampling="bootstrap:20", isolate=isolate)
    podium.run(whole, tmp_path / "s.db", quiet=True)
    first, second = (
        [line.split() for line in (tmp_path / n).read_text().splitlines()] for n in "ab"
    )
    pids = [{pid for pid, _ in lines} for lines in (first, second)]
    assert not pids[0] & pids[1]
    if isolate:
        assert [len(p) for p in pids] == [20, 20]
    else:
        assert max(len(p) for p in pids) < 20
    workers = {parent for lines in (first, second) for _, parent in lines}
    assert len(workers) == 1  # that has run nothing itself
    assert str(os.getpid()) not in pids[0] | pids[1] | workers


class Leaves(Good):
    """Starts a process that would live for long."""

    def __init__(self, file):
        self.file = file

    def fit(self, X, y):
        with open(self.file, "a") as file:
            file.write(f"{subprocess.Popen(['sleep', '600']).pid}\n")
        return super().fit(X, y)


def test_what_an_algorithm_has_started_ends_with_its_batch(tmp_path):
    whole = podium.Study(
        DATA, [podium.algorithm("a", Leaves, file=str(tmp_path / "f"))], sampling="cv:3"
    )
    assert len(podium.run(whole, tmp_path / "s.db", quiet=True).failures) == 0
    left = [int(line) for line in (tmp_path / "f").read_text().split()]
    assert left
    deadline = time.monotonic() + 10
    while any(map(runs, left)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(runs, left))


def runs(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


STUCK = """
import os, sys, time
if os.getpid() != {driver}:
    open({file!r}, "a").write(f"{{os.getpid()}}\\n")
    time.sleep(600)
from villains import Good
class Model(Good): pass
"""


def test_a_worker_that_is_stuck_in_an_import_ends_with_its_driver(tmp_path):
    script = (
        f"import sys, os; sys.path[:0] = {[str(tmp_path), *sys.path]!r}\n"
        f"text = {STUCK!r}.format(driver=os.getpid(), file={str(tmp_path / 'pids')!r})\n"
        f"open({str(tmp_path / 'stuck.py')!r}, 'w').write(text)\n"
        "import podium, stuck, test_isolation as t\n"
        "one = podium.algorithm('m', stuck.Model)\n"
        "podium.run(podium.Study(t.DATA, [one], sampling='cv:3'), quiet=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script]) as driver:
        deadline = time.monotonic() + 60
        while not (tmp_path / "pids").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        driver.send_signal(signal.SIGKILL)
    left = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert left
    deadline = time.monotonic() + 20
    while any(map(runs, left)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(runs, left))


THREADED = """
import threading, time
threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
from villains import Good
class Model(Good): pass
"""


def test_packages_that_start_threads_when_they_are_imported_are_not_forked(tmp_path, monkeypatch):
    (tmp_path / "threaded.py").write_text(THREADED)
    monkeypatch.syspath_prepend(tmp_path)
    started = []
    begin = pool._Worker.__init__
    monkeypatch.setattr(
        pool._Worker, "__init__", lambda self, *a: (started.append(1), begin(self, *a))[1]
    )
    whole = podium.Study(DATA, [podium.algorithm("m", "threaded.Model")], sampling="bootstrap:4")
    results = podium.run(whole, tmp_path / "s.db", quiet=True)
    assert len(results.failures) == 0
    assert len(started) > 1
    here = podium.run(whole, tmp_path / "here.db", jobs=0, quiet=True)
    assert here.scores["value"].tolist() == results.scores["value"].tolist()


# --- in this process ---


def test_without_jobs_runs_are_in_this_process(tmp_path):
    one = podium.algorithm("a", Tells, file=str(tmp_path / "f"))
    podium.run(podium.Study(DATA, [one], sampling="cv:3"), tmp_path / "s.db", jobs=0, quiet=True)
    assert {line.split()[0] for line in (tmp_path / "f").read_text().splitlines()} == {
        str(os.getpid())
    }


def test_where_processes_cannot_be_forked_runs_share_this_one_and_that_is_told(
    tmp_path, monkeypatch, expected
):
    keepers.forget()
    monkeypatch.delattr(os, "fork")
    with pytest.warns(UserWarning, match="This system cannot fork processes: all runs share"):
        results = podium.run(study(), tmp_path / "s.db", quiet=True)
    assert bits(results) == expected
    with pytest.raises(ExecutionError, match="need Linux or macOS"):
        podium.run(study(), tmp_path / "t.db", jobs=2, quiet=True)
