"""The driver: runs what is missing, keeps what is done, and gives the same scores in every way."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from math import inf
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

import podium
from podium import Store
from podium.errors import DesignError, StoreError
from podium.reading.store import Record
from podium.running.design.study import Run
from podium.running.execution import pool, runner, shared
from podium.running.execution import run as run_module
from podium.running.execution.runner import _Costs, _plan, execute


def data(name="d", n=40, seed=0):
    rng = np.random.default_rng([seed, n])
    X = rng.normal(size=(n, 3))
    return podium.dataset(name, X, (X[:, 0] + rng.normal(size=n) > 0).astype(int))


FIRST, SECOND = data("first", seed=1), data("second", seed=2)
ALGORITHMS = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}


def study(datasets=(FIRST,), algorithms=ALGORITHMS, sampling="bootstrap:4", **options):
    return podium.Study(list(datasets), algorithms, sampling=sampling, **options)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.db"


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """An empty folder where temporary folders go, of this process and of its workers."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def scores(results):
    return {
        (r.dataset, r.algorithm, r.sample, r.measure): np.float64(r.value).tobytes()
        for r in results.scores.itertuples()
    }


def stored(path, sql):
    with Store(path, readonly=True) as store:
        return store.rows(sql)


class Base:
    """Predicts the first class."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


class Events:
    """Notes what it is told."""

    def __init__(self):
        self.said, self.told = [], 0

    def start(self, total, done):
        self.said.append(("start", total, done))

    def advance(self, ran, failed):
        self.said.append(("advance", ran))
        self.told += ran

    def stop(self):
        self.said.append(("stop",))


# --- what is run ---


def test_a_second_call_runs_nothing(path):
    first = execute(study(), path)
    assert (first.total, first.done_before, first.ran, first.failed, first.missing) == (
        8,
        0,
        8,
        0,
        0,
    )
    before = scores(podium.read(path))
    second = execute(study(), path)
    assert (second.done_before, second.ran, second.missing) == (8, 0, 0)
    assert scores(podium.read(path)) == before
    assert stored(path, "SELECT count(*) FROM runs") == [(8,)]


@pytest.mark.parametrize(
    ("bigger", "more"),
    [
        (study(algorithms=ALGORITHMS | {"forest": RandomForestClassifier(3)}), 4),
        (study([FIRST, SECOND]), 8),
        (study(sampling="bootstrap:7"), 6),
        (study([SECOND, FIRST], dict(reversed(ALGORITHMS.items())), "bootstrap:5"), 12),
    ],
    ids=["algorithm", "dataset", "samples", "all in another order"],
)
def test_only_what_is_new_is_run_and_scores_are_those_of_one_go(bigger, more, path):
    execute(study(), path)
    events = Events()
    outcome = execute(bigger, path, progress=events)
    assert (outcome.done_before, outcome.ran) == (8, more)
    assert events.told == more
    fresh = podium.run(bigger, path.with_name("fresh.db"), quiet=True)
    resumed = podium.read(path)
    assert scores(resumed) == scores(fresh)
    pd.testing.assert_frame_equal(resumed.scores, fresh.scores)


def test_fewer_algorithms_run_nothing(path):
    execute(study(), path)
    outcome = execute(study(algorithms={"tree": ALGORITHMS["tree"]}, sampling="bootstrap:2"), path)
    assert (outcome.total, outcome.done_before, outcome.ran) == (2, 2, 0)


@pytest.mark.parametrize(
    "changed",
    [
        study(algorithms=ALGORITHMS | {"tree": DecisionTreeClassifier(max_depth=2)}),
        study(algorithms=ALGORITHMS | {"tree": LogisticRegression()}),
        study(
            algorithms=[
                podium.algorithm("tree", DecisionTreeClassifier(), preprocess=True),
                podium.algorithm("bayes", GaussianNB()),
            ]
        ),
    ],
    ids=["parameter", "estimator", "preprocess"],
)
def test_a_changed_algorithm_is_not_done_and_the_old_one_still_is(changed, path):
    before = podium.run(study(), path, quiet=True)
    outcome = execute(changed, path)
    assert (outcome.done_before, outcome.ran) == (4, 4)
    assert scores(podium.read(path)) != scores(before)
    assert execute(study(), path).ran == 0
    assert scores(podium.read(path)) == scores(before)


def test_changed_data_are_not_done(path):
    execute(study(), path)
    X = FIRST.X.copy()
    X[0, 0] = np.nextafter(X[0, 0], 1)
    changed = podium.dataset("first", X, FIRST.y)
    assert execute(study([changed]), path).ran == 8
    relabelled = podium.dataset("first", FIRST.X, 1 - FIRST.y)
    assert execute(study([relabelled]), path).ran == 8
    assert execute(study(), path).ran == 0


def test_another_seed_sampling_or_study_is_refused(path):
    execute(study(), path)
    for other in (study(seed=2), study(sampling="cv:4"), study(name="other")):
        with pytest.raises(StoreError, match="Choose another store, or the same"):
            execute(other, path)
    assert execute(study(), path).ran == 0


class Fails(Base):
    """Fails as long as a file is there."""

    def __init__(self, file):
        self.file = file

    def fit(self, X, y):
        if Path(self.file).exists():
            raise ValueError("the file is there")
        return self


def test_failures_are_tried_again(path, tmp_path):
    file = tmp_path / "flag"
    file.touch()
    trying = study(algorithms={"bayes": GaussianNB(), "fails": Fails(str(file))})
    first = execute(trying, path)
    assert (first.ran, first.failed, first.missing) == (8, 4, 4)
    second = execute(trying, path)
    assert (second.done_before, second.ran, second.failed, second.missing) == (4, 4, 4, 4)
    file.unlink()
    third = execute(trying, path)
    assert (third.done_before, third.ran, third.failed, third.missing) == (4, 4, 0, 0)
    results = podium.read(path)
    assert (results.runs["status"] == "done").all()
    assert len(results.failures) == 0
    assert stored(path, "SELECT sum(failed), count(*) FROM runs") == [(8, 16)]


def test_predictions_that_are_wanted_later_are_made_and_scores_stay(path):
    before = podium.run(study(), path, quiet=True)
    outcome = execute(study(keep=["predictions"]), path)
    assert (outcome.done_before, outcome.ran) == (0, 8)
    assert scores(podium.read(path)) == scores(before)
    kinds = stored(path, "SELECT DISTINCT kind FROM predictions ORDER BY kind")
    assert kinds == [("predict",), ("predict_proba",), ("row",), ("y",)]
    assert execute(study(keep=["predictions"]), path).ran == 0
    assert execute(study(), path).ran == 0


def test_an_added_measure_is_scored_and_the_others_stay(path):
    before = podium.run(study(), path, quiet=True)
    outcome = execute(study(measures=["error", "log-loss"]), path)
    assert (outcome.done_before, outcome.ran) == (0, 8)
    after = podium.read(path)
    assert scores(after.filter(measure="error")) == scores(before)
    fresh = podium.run(
        study(measures=["error", "log-loss"]), path.with_name("fresh.db"), quiet=True
    )
    assert scores(after) == scores(fresh)
    assert execute(study(measures=["log-loss"]), path).ran == 0


def test_a_measure_that_kept_predictions_were_scored_by_is_done(path):
    execute(study(keep=["predictions"]), path)
    podium.score(path, "log-loss")
    assert execute(study(measures=["error", "log-loss"]), path).ran == 0


def test_times_and_memory_need_no_new_runs(path):
    execute(study(), path)
    assert execute(study(measures=["error", "fit-time", "time"]), path).ran == 0


def test_two_data_sets_with_the_same_rows_have_samples_of_their_own(path):
    """Whoever comes first, whatever was interrupted: the samples follow from the names."""
    twin = podium.dataset("twin", FIRST.X, FIRST.y)
    for sampling in ("cv:4", "repeated-cv:2x3", "bootstrap:3"):
        both = podium.run(study([FIRST, twin], sampling=sampling), path, quiet=True)
        for one in (FIRST, twin):
            alone = podium.run(
                study([one], sampling=sampling), path.with_name("alone.db"), quiet=True
            )
            assert scores(both.filter(dataset=one.name)) == scores(alone)
            path.with_name("alone.db").unlink()
        path.unlink()


def test_all_algorithms_see_the_same_samples(path):
    kept = study([FIRST, SECOND], keep=["predictions"])
    execute(kept, path)
    rows = stored(
        path,
        "SELECT dataset, sample, count(DISTINCT data) FROM predictions JOIN runs ON runs.id = run "
        "WHERE kind = 'row' GROUP BY dataset, sample",
    )
    assert len(rows) == 8
    assert {count for *_, count in rows} == {1}


# --- progress ---


def test_progress_is_told_everything_once(path):
    events = Events()
    execute(study(), path, progress=events)
    assert events.said[0] == ("start", 8, 0)
    assert events.said[-1] == ("stop",)
    assert stored(path, "SELECT count(DISTINCT key) FROM runs") == [(8,)]
    assert events.told == 8
    events = Events()
    execute(study(), path, progress=events)
    assert events.said == [("start", 8, 8), ("stop",)]


def test_records_are_kept_before_progress_is_told(path):
    class Checks(Events):
        def advance(self, ran, failed):
            super().advance(ran, failed)
            assert stored(path, "SELECT count(*) FROM runs") == [(self.told,)]

    execute(study(), path, progress=Checks())


@pytest.mark.parametrize("jobs", [-2, 1.5, True, "2", None])
def test_a_wrong_number_of_jobs_is_named_and_nothing_is_made(jobs, path):
    with pytest.raises(DesignError) as caught:
        execute(study(), path, jobs=jobs)
    assert str(caught.value) == (
        f"jobs is a number of processes, -1 for one per core or 0 for this one, not {jobs!r}."
    )
    assert not path.exists()


# --- batches ---


class Clock:
    """A clock that stands still unless it is told."""

    def __init__(self):
        self.now = 1000.0

    def perf_counter(self):
        return self.now

    time = monotonic = perf_counter


CLOCK = Clock()


class Slow(Base):
    """Takes five seconds of the clock to fit, and then may fail."""

    def __init__(self, fails=False):
        self.fails = fails

    def fit(self, X, y):
        CLOCK.now += 5
        if self.fails:
            raise ValueError("after all this time")
        return self


def slow_draw(n, rng):
    CLOCK.now += 5 if n == 20 else 0
    X = rng.normal(size=(n, 2))
    return X, (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize("case", ["slow fit", "slow failure", "slow draw"])
def test_finished_work_is_kept_soon_whatever_takes_the_time(case, path, monkeypatch):
    for module in (runner, run_module):
        monkeypatch.setattr(module, "time", CLOCK)
    gaps = []

    class Watches(Events):
        last = CLOCK.now

        def advance(self, ran, failed):
            gaps.append(CLOCK.now - self.last)
            self.last = CLOCK.now

    if case == "slow draw":
        process = podium.process("p", slow_draw, n=20, n_test=30, task="classification")
        slow = study([process], {"a": Base()}, "simulation:60")
    else:
        slow = study([FIRST], {"a": Slow(fails=case == "slow failure")}, "bootstrap:60")
    execute(slow, path, jobs=0, progress=Watches())
    assert sum(gaps) == 300
    assert max(gaps) <= 10  # two runs: far more than half a second, but no run can be cut


class Place:
    """What a backend says of itself."""

    seconds, guess = 0.25, inf

    def __init__(self, workers):
        self.workers = workers


RUNS = st.lists(st.tuples(st.sampled_from("de"), st.sampled_from("abc")), max_size=200).map(
    lambda pairs: [Run(d, a, i, i.to_bytes(16, "big")) for i, (d, a) in enumerate(pairs)]
)
COSTS = st.dictionaries(
    st.tuples(st.sampled_from("de"), st.sampled_from("abc")),
    st.floats(0, 1e4),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(runs=RUNS, workers=st.integers(1, 64), costs=COSTS)
def test_batches_are_of_one_algorithm_and_hold_every_run_once_and_in_order(runs, workers, costs):
    known = _Costs()
    for (dataset, algorithm), seconds in costs.items():
        known.learn(Record(b"", dataset, algorithm, 1, seconds=seconds))
    found = []
    for batch in known.batches(runs, Place(workers)):
        assert len({run.algorithm for run in batch}) == 1
        found += batch
        for run in batch:  # what is learned meanwhile changes sizes, never order
            known.learn(Record(run.key, run.dataset, run.algorithm, 1, seconds=0.01))
    for algorithm in "abc":
        own = [run for run in runs if run.algorithm == algorithm]
        assert [run for run in found if run.algorithm == algorithm] == own
    assert len(found) == len(runs)


def test_batches_are_short_while_nothing_is_known_and_longer_for_quick_runs():
    runs = [Run("d", "a", i, bytes(16)) for i in range(10_000)]
    costs = _Costs()
    batches = costs.batches(runs, Place(2))
    assert len(next(batches)) == 1
    trial = Place(2)
    trial.guess = 0.25 / 20  # where what takes long is given back
    assert len(next(_Costs().batches(runs, trial))) == 20
    costs.learn(Record(bytes(16), "d", "a", 1, seconds=0.0009))
    sizes = [len(b) for b in batches]
    assert 100 <= sizes[0] <= 400
    assert sizes[-1] < sizes[0]
    costs.learn(Record(bytes(16), "d", "a", 1, seconds=100.0))
    assert {len(b) for b in costs.batches(runs[:20], Place(2))} == {1}


class Dozes(Base):
    def fit(self, X, y):
        time.sleep(0.02)
        return super().fit(X, y)


def test_a_batch_that_takes_too_long_gives_back_what_is_left(tmp_path, monkeypatch):
    batches = []
    monkeypatch.setattr(pool, "STOP_SECONDS", 0.05)
    give = pool._Worker.give
    monkeypatch.setattr(
        pool._Worker, "give", lambda worker, runs: (batches.append(len(runs)), give(worker, runs))
    )
    algorithms = {"dozes": Dozes(), "nb": GaussianNB()}
    outcome = execute(study([FIRST], algorithms, "bootstrap:40"), tmp_path / "cut.db", jobs=1)
    assert (outcome.ran, outcome.failed) == (80, 0)
    assert sum(batches) > 80  # what is given back is handed out again
    execute(study([FIRST], algorithms, "bootstrap:40"), tmp_path / "whole.db", jobs=0)
    cut, whole = (scores(podium.read(tmp_path / name)) for name in ("cut.db", "whole.db"))
    assert cut == whole


# --- the same scores, however they are made ---


class Dice(Base):
    """Predicts by the global generator, and does not care about its data."""

    def predict(self, X):
        return np.random.randint(0, 2, len(X))


def mixed_frame(n=150):
    """Numbers and names, some of them missing: what workers read from files."""
    rng = np.random.default_rng(9)
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n),
            "colour": rng.choice(["red", "green", "blue", None], n),
            "y": np.where(rng.random(n) < 0.1, np.nan, rng.exponential(size=n)),
            "größe": rng.choice(["klein", "groß"], n),
            "z": rng.normal(size=n) * 1e6,
        }
    )
    target = np.where(frame["x"] + (frame["colour"] == "red") > 0.4, "ja", "nein")
    return podium.dataset("mixed", frame, target)


def varied():
    algorithms = [
        podium.algorithm("forest", RandomForestClassifier(7), preprocess=True),
        podium.algorithm("logistic", LogisticRegression(), preprocess=True),
        podium.algorithm("dice", Dice()),
        podium.algorithm("fails", DecisionTreeClassifier()),  # it cannot take names
    ]
    return study(
        [mixed_frame(), FIRST], algorithms, "bootstrap:5", measures=["error", "sklearn:f1"]
    )


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    return podium.run(varied(), tmp_path_factory.mktemp("serial") / "s.db", quiet=True)


def test_scores_are_the_same_bits_for_any_number_of_jobs(serial, path, temporary):
    results = podium.run(varied(), path, jobs=2, quiet=True)
    assert scores(results) == scores(serial)
    pd.testing.assert_frame_equal(results.scores, serial.scores)
    columns = ["dataset", "algorithm", "sample", "exception", "message"]
    pd.testing.assert_frame_equal(results.failures[columns], serial.failures[columns])
    assert list(results.runs["status"]) == list(serial.runs["status"])
    assert os.listdir(temporary) == []


SCRIPT = """
import numpy as np
import podium
from threadpoolctl import threadpool_info

class Own:
    def fit(self, X, y):
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
        self.most = np.bincount(y).argmax()
        return self
    def predict(self, X):
        return np.full(len(X), self.most)

def line(n, rng, slope):
    X = rng.normal(size=(n, 2))
    return X, (slope * X[:, 0] + rng.normal(size=n) > 0).astype(int)

process = podium.process("line", line, n=30, n_test=40, slope=2.0)
algorithms = [podium.algorithm("own", Own()), podium.algorithm("lambda", lambda: Own())]
measure = podium.measure("twice", lambda y, p: (y != p) * 2.0, higher_is_better=False)
study = podium.Study(process, algorithms, sampling="simulation:4", measures=[measure, "error"])
one, two = (podium.run(study, f"{j}.db", jobs=j, quiet=True) for j in (1, 2))
print(len(two.scores), len(two.failures), one.scores.equals(two.scores))
"""


def test_a_script_without_a_main_guard_may_use_several_processes_of_one_thread(tmp_path):
    """All that it is made of exists in the script only: classes, lambdas, a process."""
    (tmp_path / "script.py").write_text(SCRIPT)
    ended = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=100
    )
    assert (ended.stdout, ended.returncode) == ("16 0 True\n", 0), ended.stderr
    assert ended.stderr == ""


# --- threads ---


class CountsThreads(Base):
    """Predicts how many threads linear algebra would use."""

    def predict(self, X):
        pools = [pool["num_threads"] for pool in threadpool_info()]
        return np.full(len(X), max(pools), float)


threads = podium.measure("threads", lambda y, p: p, higher_is_better=False)


def test_linear_algebra_has_one_thread(path):
    before = threadpool_info()
    line = podium.dataset("line", np.arange(20.0)[:, None], np.arange(20.0) / 3)
    counting = study([line], {"a": CountsThreads()}, "bootstrap:3", measures=[threads])
    results = podium.run(counting, path, quiet=True)
    assert results.scores["value"].tolist() == [1.0] * 3
    assert [p["num_threads"] for p in threadpool_info()] == [p["num_threads"] for p in before]


# --- stopping ---


class Interrupts(Base):
    """Ctrl-C comes while this is fitted, as long as a file is there."""

    def __init__(self, file):
        self.file = file

    def fit(self, X, y):
        if Path(self.file).exists():
            raise KeyboardInterrupt
        return self


def test_ctrl_c_keeps_what_is_done_and_says_so(path, tmp_path):
    before = signal.getsignal(signal.SIGINT)
    file = tmp_path / "flag"
    file.touch()
    interrupted = study([FIRST], {"bayes": GaussianNB(), "slow": Interrupts(str(file))})
    events = Events()
    outcome = execute(interrupted, path, jobs=0, progress=events)
    assert outcome.interrupted
    assert (outcome.total, outcome.ran, outcome.failed, outcome.missing) == (8, 1, 0, 7)
    assert events.said[-1] == ("stop",)
    assert stored(path, "SELECT sample, failed FROM runs") == [(1, 0)]
    with pytest.raises(KeyboardInterrupt) as caught:
        podium.run(interrupted, path, jobs=0, quiet=True)
    kept = len(podium.read(path).scores)
    assert str(caught.value) == f"Stopped; {kept} of 8 runs are done and kept."
    file.unlink()
    resumed = podium.run(interrupted, path, quiet=True)
    fresh = podium.run(interrupted, path.with_name("fresh.db"), quiet=True)
    assert scores(resumed) == scores(fresh)
    assert signal.getsignal(signal.SIGINT) is before  # of a job in the background: ignored


def finished_runs(store):
    """How many runs a store holds while somebody writes it; 0 while it is being made."""
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=5) as db:
            return int(db.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.Error:
        return 0


# --- stores that cannot be written ---


@pytest.fixture
def full_disk(monkeypatch):
    """Stores that take a few pages and no more."""

    class Small(Store):
        def begin(self, *args, **options):
            super().begin(*args, **options)
            pages = self.rows("PRAGMA page_count")[0][0]
            self._connection.execute(f"PRAGMA max_page_count = {pages + 12}")

    monkeypatch.setattr(runner, "Store", Small)


class Chatty(Base):
    """Fails with a long story, of which only so much fits onto a disk."""

    def fit(self, X, y):
        raise ValueError(os.urandom(500).hex())


def test_a_full_disk_stops_the_study_and_keeps_what_is_done(path, full_disk, monkeypatch):
    monkeypatch.setattr(runner, "FLUSH_SECONDS", 0.0)
    chatty = study([FIRST], {"chatty": Chatty()}, "bootstrap:60")
    with pytest.raises(StoreError) as caught:
        execute(chatty, path)
    assert str(caught.value) == (
        f"The disk is full: the store '{path}' keeps what was done and takes no more."
    )
    assert 0 < len(podium.read(path).failures) < 60
    monkeypatch.undo()
    assert execute(chatty, path).ran == 60
    assert len(podium.read(path).failures) == 60


LIMITED = """
import resource, sys
from test_runner import ALGORITHMS, execute, study

resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
execute(study(algorithms=ALGORITHMS, sampling="bootstrap:2000"), sys.argv[1])
"""


def test_a_file_that_may_not_grow_stops_the_study_and_keeps_what_is_done(path):
    """The kernel refuses to write; SQLite calls that what a broken disk would be called."""
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
    )
    assert ended.stderr.splitlines()[-1].startswith("podium.errors.StoreError: The store")
    kept = podium.read(path)
    assert 0 < len(kept.scores) < 4000
    assert execute(study(sampling="bootstrap:2"), path).ran == 0


def test_a_store_that_cannot_be_made_is_named(tmp_path):
    gone = tmp_path / "gone" / "s.db"
    with pytest.raises(StoreError) as caught:
        execute(study(), gone)
    assert str(caught.value) == f"The folder of the store '{gone}' does not exist."
    with pytest.raises(StoreError) as caught:
        execute(study(), tmp_path)
    assert str(caught.value) == f"'{tmp_path}' is a folder, not a store."


# --- what workers read ---


def test_data_sets_come_back_from_a_shared_file_as_they_were():
    grouped = podium.dataset("g", FIRST.X, FIRST.y, groups=np.arange(40) // 4)
    tested = podium.dataset("t", FIRST.X, FIRST.y, test=(SECOND.X, SECOND.y))
    line = podium.dataset("l", FIRST.X, FIRST.X[:, 0] / 3)
    names_only = podium.dataset("n", pd.DataFrame({"c": list("abab") * 5}), [0, 1] * 10)
    for data_set in (mixed_frame(), FIRST, grouped, tested, line, names_only):
        with shared._nameless() as (written, file):
            parts = shared._Parts(written)
            shared.save(data_set, parts, "0")
            parts.close()
            read = shared.load(shared.Content(file.fileno()), "0")
        assert read.fingerprint == data_set.fingerprint
        read.__dict__.pop("fingerprint")
        assert read.fingerprint == data_set.fingerprint  # computed anew from what was read
        assert (read.classes, read.task, read.n, read.n_test) == (
            data_set.classes,
            data_set.task,
            data_set.n,
            data_set.n_test,
        )
        if isinstance(data_set.X, pd.DataFrame):
            pd.testing.assert_frame_equal(read.X, data_set.X)
        else:
            np.testing.assert_array_equal(read.X, data_set.X)


def test_data_sets_of_equal_content_are_written_once_and_keep_their_names(tmp_path):
    """A learning curve has one data set in many sizes."""
    sized = study([FIRST, SECOND], sizes=[10, 20], sampling="bootstrap:2")
    with shared.share(_plan(sized)) as file:
        content = shared.Content(file.file.fileno())
    assert [f"{place}/X" in content for place in range(4)] == [True, False, True, False]
    one, two = (
        podium.run(sized, tmp_path / f"{jobs}.db", jobs=jobs, quiet=True) for jobs in (1, 2)
    )
    assert len(one.datasets) == 4
    assert scores(one) == scores(two)


# --- a real Ctrl-C ---

GATED = """
import os, pathlib, time
import numpy as np

class Gated:
    '''Says that it has begun, and then takes for ever.'''

    def fit(self, X, y):
        self.most = np.bincount(y).argmax()
        if gate := os.environ.get("GATE"):
            pathlib.Path(gate).touch()
            time.sleep(100)
        return self

    def predict(self, X):
        return np.full(len(X), self.most)
"""
STUDY = """
name = "gated"
sampling = "bootstrap:3"
trust = ["gated_algorithms"]
[[datasets]]
name = "d"
source = "builtin:twonorm"
n = 40
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
[[algorithms]]
name = "gated"
estimator = "gated_algorithms.Gated"
"""


def no_process_of(session):
    """Whether no process of a session is left, or will be in a moment."""
    deadline = time.monotonic() + 10
    while (left := any_process_of(session)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not left


def any_process_of(session):
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z" and int(fields[3]) == session:
            return True
    return False


def stopped(command, number, folder, environment):
    """Signal the command when it has kept a run and is in another; how many are kept."""
    gate, store = folder / "gate", folder / "study.db"
    gate.unlink(missing_ok=True)
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment | {"GATE": str(gate)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        while process.poll() is None and not (gate.exists() and finished_runs(store)):
            time.sleep(0.02)
        os.killpg(process.pid, number)  # a terminal tells every process of the group
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    match = re.fullmatch(
        r"podium: Stopped\. ([1-3]) of 6 runs are done and kept in 'study\.db'\. "
        r"Go on with: podium run study\.toml --trust gated_algorithms\n",
        err,
    )
    assert match, err
    assert out == ""
    assert no_process_of(process.pid)
    assert [f for f in os.listdir(folder / "tmp") if "podium" in f] == []
    assert finished_runs(store) == int(match[1])


def test_ctrl_c_on_the_command_line(tmp_path):
    (tmp_path / "gated_algorithms.py").write_text(GATED)
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "tmp").mkdir()
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
        "TMPDIR": str(tmp_path / "tmp"),
    }
    command = [sys.executable, "-m", "podium", "run", "study.toml"]
    command += ["--trust", "gated_algorithms", "-q"]
    stopped([*command, "-j2"], signal.SIGINT, tmp_path, environment)
    stopped([*command, "-j1"], signal.SIGTERM, tmp_path, environment)  # goes on, is stopped again
    command.append("-j1")
    again = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    store = tmp_path / "study.db"
    assert Counter(podium.read(store).runs["status"]) == {"done": 6}
    assert stored(store, "SELECT count(*), count(DISTINCT key) FROM runs") == [(6, 6)]
