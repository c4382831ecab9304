"""A Dask cluster: the scores of a local run, whoever is killed; real worker processes."""

import logging
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster
from test_kill import RUNS_PER_SAMPLE, bits, finished_runs, kept, study_file, whole
from villains import FAILURES, Good, Prints, Sleeps

import podium
from podium.errors import DesignError, ExecutionError
from podium.running.execution import cluster as cluster_module
from podium.running.execution.runner import execute

X = np.random.default_rng(0).normal(size=(40, 3))
DATA = podium.dataset("d", X, (X[:, 0] > 0).astype(int))


@pytest.fixture(scope="module")
def cluster():
    """Two workers of two threads each, which must not disturb each other."""
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "5s"}),
        LocalCluster(
            n_workers=2, threads_per_worker=2, dashboard_address=":0", silence_logs=logging.CRITICAL
        ) as made,
    ):
        yield made


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return whole(tmp_path_factory.mktemp("whole"))


def worker_processes(cluster):
    with Client(cluster.scheduler_address, set_as_default=False) as client:
        return list(client.run(os.getpid).values())


def driver(study, store, cluster, *options, **environment):
    words = ["run", str(study), "--store", str(store), "-q", "--cluster", cluster, *options]
    return subprocess.Popen(
        [sys.executable, "-m", "podium", *words],
        env=os.environ | environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def wait_for(store, runs, process):
    while process.poll() is None and finished_runs(store) < runs:
        time.sleep(0.01)


# --- the same scores ---


def test_a_killed_worker_loses_and_changes_nothing(cluster, expected, tmp_path):
    store = tmp_path / "s.db"

    def kill():
        while finished_runs(store) < 10:
            time.sleep(0.01)
        os.kill(worker_processes(cluster)[0], signal.SIGKILL)
        return finished_runs(store)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(kill)
        results = podium.run(study_file(tmp_path), store, cluster=cluster, quiet=True)
    assert done.result() < len(results.runs)
    assert np.array_equal(bits(results), bits(podium.read(expected)))
    assert kept(store) == kept(expected)


@pytest.mark.long
def test_killed_drivers_and_workers_lose_and_change_nothing(cluster, tmp_path, tmp_path_factory):
    kills, samples = 10, 300
    total = RUNS_PER_SAMPLE * samples
    known = whole(tmp_path_factory.mktemp("whole"), samples)
    study, store = study_file(tmp_path, samples), tmp_path / "killed.db"
    for number in range(kills):
        with driver(study, store, cluster.scheduler_address) as process:
            wait_for(store, 1 + number * total // (2 * kills), process)
            process.kill()
    assert 0 < finished_runs(store) < total
    with driver(study, store, cluster.scheduler_address) as process:
        wait_for(store, finished_runs(store) + 10, process)
        os.kill(worker_processes(cluster)[0], signal.SIGKILL)
        _, said = process.communicate(timeout=120)
        assert (process.returncode, said) == (0, "")
    assert np.array_equal(bits(podium.read(store)), bits(podium.read(known)))
    assert kept(store) == kept(known)


@pytest.mark.long
def test_nothing_is_lost_when_all_workers_die_at_once(cluster, tmp_path, tmp_path_factory):
    known = whole(tmp_path_factory.mktemp("whole"), 200)
    study, store = study_file(tmp_path, 200), tmp_path / "s.db"
    with driver(study, store, cluster.scheduler_address) as process:
        for moment in (10, 300):
            wait_for(store, moment, process)
            for pid in worker_processes(cluster):
                os.kill(pid, signal.SIGKILL)
        assert process.wait(timeout=200) == 0, process.stderr.read()
    assert np.array_equal(bits(podium.read(store)), bits(podium.read(known)))


def test_a_client_is_used_and_stays_open(cluster, expected, tmp_path):
    with Client(cluster.scheduler_address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)  # one that a run has killed is started anew
        before = client.run(known_calls)
        results = podium.run(study_file(tmp_path), tmp_path / "s.db", cluster=client, quiet=True)
        assert client.status == "running"
        deadline = time.monotonic() + 60  # a batch that was cancelled may still be under way
        while (known := client.run(known_calls)) != before and time.monotonic() < deadline:
            time.sleep(0.5)
        assert known == before, "workers remember a study that has ended"
    assert np.array_equal(bits(results), bits(podium.read(expected)))
    assert kept(tmp_path / "s.db") == kept(expected)


def known_calls():
    from podium.running.execution import remote

    return sorted(remote._calls)


# --- runs that misbehave ---


def villain_study(*kinds):
    return podium.Study(DATA, {k.__name__: k() for k in kinds}, sampling="bootstrap:2")


def test_every_misbehaviour_is_a_failed_run_and_the_others_go_on(cluster, tmp_path):
    study = villain_study(Good, *(k for k in FAILURES if k is not Sleeps), Prints)
    results = podium.run(
        study, tmp_path / "s.db", cluster=cluster, memory_limit="700MB", quiet=True
    )
    assert {(r.algorithm, r.sample, r.exception) for r in results.failures.itertuples()} == {
        (k.__name__, s, FAILURES[k][0]) for k in FAILURES if k is not Sleeps for s in (1, 2)
    }
    alone = podium.run(villain_study(Good, Prints), tmp_path / "alone.db", jobs=2, quiet=True)
    for name in ("Good", "Prints"):
        mine, theirs = (r.wide("error")[name].to_numpy() for r in (results, alone))
        assert np.array_equal(mine, theirs)


def test_a_run_beyond_its_time_is_ended(cluster, tmp_path):
    study = villain_study(Good, Sleeps)
    results = podium.run(study, tmp_path / "s.db", cluster=cluster, time_limit=1, quiet=True)
    assert results.failures["exception"].tolist() == ["TimeLimitExceeded"] * 2
    assert (results.runs["status"] == "done").sum() == 2


class KillsDask(Good):
    """Kills the Dask worker that its worker belongs to."""

    def fit(self, X, y):
        import psutil

        nanny = next(p for p in psutil.Process().parents() if "podium" not in str(p.cmdline()))
        os.kill(nanny.pid, signal.SIGKILL)
        time.sleep(60)


@pytest.mark.long
def test_a_run_that_kills_dask_workers_is_found_and_the_others_go_on(tmp_path):
    """Two such runs take both workers, and all copies of the data, at once."""
    study = villain_study(KillsDask, Good, Prints)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
    ) as own:
        results = podium.run(study, tmp_path / "s.db", cluster=own, quiet=True)
    assert results.failures["algorithm"].tolist() == ["KillsDask"] * 2
    assert set(results.failures["exception"]) == {"WorkerDied"}
    assert (results.runs["status"] == "done").sum() == 4


# --- clusters that are not there, or not fit ---


def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    study = villain_study(Good)
    for where, kind, sentence in (
        ("tcp://127.0.0.1:1", ExecutionError, "No Dask scheduler answers at 'tcp://127.0.0.1:1'."),
        ("nonsense://x", ExecutionError, "No Dask scheduler answers at 'nonsense://x'."),
        ("no/file.json", DesignError, "There is no scheduler file 'no/file.json'."),
        (8786, DesignError, "A cluster is an address such as 'tcp://host:8786', the path"),
    ):
        with pytest.raises(kind) as caught:
            execute(study, tmp_path / "s.db", cluster=where)
        assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:1", "nonsense://x"])
def test_a_client_that_cannot_connect_is_closed(where, tmp_path, monkeypatch):
    """Collected later, it would stop its loop in the thread where the next one starts."""
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    made, begin = [], Client.__init__

    def noted(client, *words, **options):
        made.append(client)
        begin(client, *words, **options)

    monkeypatch.setattr(Client, "__init__", noted)
    with pytest.raises(ExecutionError):
        execute(villain_study(Good), tmp_path / "s.db", cluster=where)
    assert [client.status for client in made] == ["closed"]


def test_a_cluster_without_workers_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "WORKERS_SECONDS", 0.2)
    with (
        LocalCluster(n_workers=0, dashboard_address=":0") as empty,
        pytest.raises(ExecutionError, match=r"has had no worker for 0\.2 s\. Start some with"),
    ):
        execute(villain_study(Good), tmp_path / "s.db", cluster=empty)


def test_workers_of_another_version_or_without_podium_are_refused(cluster, tmp_path, monkeypatch):
    own = cluster_module.versions()
    monkeypatch.setattr(cluster_module, "versions", lambda: own | {"podium": "99.0"})
    with pytest.raises(ExecutionError) as caught:
        execute(villain_study(Good), tmp_path / "s.db", cluster=cluster)
    assert str(caught.value) == (
        f"A Dask worker has podium {podium.__version__}, the driver 99.0: scores may differ. Give "
        "both the same environment. What is done is kept; run again to go on."
    )
    monkeypatch.undo()

    def hide(module):
        sys.modules["podium.running.execution.remote"] = module

    with Client(cluster.scheduler_address, set_as_default=False) as client:
        client.run(hide, None)
        with pytest.raises(ExecutionError, match=r"^A Dask worker has no Podium: install the"):
            execute(villain_study(Good), tmp_path / "s.db", cluster=cluster)
        client.run(lambda: sys.modules.pop("podium.running.execution.remote"))
    assert execute(villain_study(Good), tmp_path / "s.db", cluster=cluster).missing == 0


# --- stopping ---

GATED = """
name = "gated"
sampling = "bootstrap:3"
trust = ["villains"]
[[datasets]]
name = "d"
source = "builtin:twonorm"
n = 40
[[algorithms]]
name = "good"
estimator = "villains.Good"
[[algorithms]]
name = "sleeps"
estimator = "villains.Sleeps"
"""


def test_ctrl_c_keeps_what_is_done_and_frees_the_workers(cluster, tmp_path):
    study, store = tmp_path / "study.toml", tmp_path / "study.db"
    study.write_text(GATED)
    home = {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    with driver(study, store, cluster.scheduler_address, "--trust", "villains", **home) as process:
        wait_for(store, 1, process)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    # Dask logs an error of its own where the signal meets the beginning of one of its waits
    told = [line for line in said.splitlines() if line.startswith("podium:")]
    assert len(told) == 1, said
    assert re.match(r"podium: Stopped\. [1-3] of 6 runs are done and kept in ", told[0]), said
    assert f"--cluster {cluster.scheduler_address}" in said
    # a thread that still waited for the sleeping run would not take part in this
    again = podium.run(villain_study(Good), tmp_path / "s.db", cluster=cluster, quiet=True)
    assert (again.runs["status"] == "done").all()


@pytest.mark.long
def test_a_scheduler_that_dies_is_one_sentence_and_a_new_one_goes_on(tmp_path, expected):
    study, store = study_file(tmp_path, 100), tmp_path / "s.db"
    file = tmp_path / "scheduler.json"
    with scheduler(file) as first, dask_worker(file), driver(study, store, str(file)) as process:
        wait_for(store, 20, process)
        first.kill()
        first.wait()
        _, said = process.communicate(timeout=120)
        assert (process.returncode, len(said.splitlines())) == (1, 1), said
        assert said.startswith("podium: The Dask scheduler is gone. What is done is kept;")
    left = finished_runs(store)
    assert left >= 20
    file.unlink()
    with scheduler(file), dask_worker(file):
        results = podium.run(study, store, cluster=file, quiet=True)
    assert (results.runs["status"] == "done").all()


class background:  # noqa: N801 - reads as a statement
    """A process that is killed at the end."""

    def __init__(self, *words):
        self.words = words

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, *self.words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        return self.process

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()


def scheduler(file):
    words = ["--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    return background("-m", "distributed.cli.dask_scheduler", *words)


def dask_worker(file):
    while not file.exists():
        time.sleep(0.1)
    words = ["--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard"]
    return background("-m", "distributed.cli.dask_worker", *words)
