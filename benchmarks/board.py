"""Boards: how long 200 submissions of 1000 items take to build, and what a watcher costs a run.

    python benchmarks/board.py

Exit status 1 where building takes more than 10 s, or a run with a server that answers 10^4 requests
takes more than 1.02 times as long as one without (medians of alternating runs). The ratio of the
processor seconds of the run's own processes is printed too, which other work moves little.
"""

from __future__ import annotations

import ctypes
import http.client
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from podium import boards

SUBMISSIONS, ITEMS, MOST_SECONDS = 200, 1000, 10.0
REQUESTS, ROUNDS, MOST_RATIO = 10_000, 3, 1.02
_PR_SET_CHILD_SUBREAPER = 36
STUDY = """\
name = "watched"
seed = 1
sampling = "bootstrap:{samples}"
measures = ["error"]
datasets = [{{ name = "monks3", source = "builtin:monks3", target = "class" }}]
[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
preprocess = true
[[algorithms]]
name = "forest"
estimator = "sklearn.ensemble.RandomForestClassifier"
parameters = {{ n_estimators = 25 }}
preprocess = true
"""


def build_seconds(folder: Path) -> float:
    """Seconds that the site of a large board takes."""
    rng = np.random.default_rng(1)
    hard = rng.normal(size=ITEMS)
    skills = rng.normal(size=SUBMISSIONS)
    right = (rng.random((ITEMS, SUBMISSIONS)) < 1 / (1 + np.exp(-hard[:, None] - skills))).astype(
        int
    )
    head = ",".join(["item", *(f"m{i}" for i in range(SUBMISSIONS))])
    rows = [f"q{i}," + ",".join(map(str, row)) for i, row in enumerate(right.tolist())]
    (folder / "items.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    boards.new(folder / "items.csv", folder / "board", measure="accuracy")
    start = time.perf_counter()
    boards.build(folder / "board", folder / "site")
    return time.perf_counter() - start


def run_seconds(folder: Path, samples: int, *, watched: bool) -> tuple[float, float]:
    """Seconds of a run, with or without a server that is asked; of the wall, of its processors."""
    (folder / "study.toml").write_text(STUDY.format(samples=samples), encoding="utf-8")
    for left in folder.glob("study.db*"):
        left.unlink()
    ended = threading.Event()
    server = asking = None
    if watched:
        server = podium(folder, "board", "serve", "study.db")
        assert server.stdout is not None
        port = int(server.stdout.readline().rstrip().rstrip("/").rpartition(":")[2])
        asking = threading.Thread(target=ask, args=(port, ended))
        asking.start()
    start, before = time.perf_counter(), spent()
    podium(folder, "run", "study.toml", "-j", "1", "-q").wait()
    seconds = time.perf_counter() - start
    reap(0 if server is None else server.pid)
    processor = spent() - before
    ended.set()
    if server is not None and asking is not None:
        asking.join()
        server.terminate()
        server.communicate()
    return seconds, processor


def spent() -> float:
    """Processor seconds of descendants that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def reap(server: int) -> None:
    """Wait for the workers of a run, which are ours once their keeper has ended."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    for pid in map(int, children.read_text().split()):
        if pid != server:
            os.waitpid(pid, 0)


def podium(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A command of Podium in a process of its own."""
    line = [sys.executable, "-m", "podium", *words]
    return subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, text=True)


def ask(port: int, ended: threading.Event) -> None:
    """Ask again and again while the run lasts, 10^4 times at most."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for number in range(REQUESTS):
        if ended.is_set():
            print(f"  {number} requests in the time of the run")
            return
        connection.request("GET", "/")
        connection.getresponse().read()
    print(f"  {REQUESTS} requests")


def main(samples: int = 3000) -> int:
    """Measure both, and say whether they are within their limits."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds = build_seconds(folder)
        print(f"building {SUBMISSIONS} submissions of {ITEMS} items: {seconds:.1f} s")
        times: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        for _ in range(ROUNDS):
            for watched in (False, True):
                times[watched].append(run_seconds(folder, samples, watched=watched))
        pairs = list(zip(times[True], times[False], strict=True))
    ratio, of_processor = (
        statistics.median(seen[clock] / alone[clock] for seen, alone in pairs) for clock in (0, 1)
    )
    plain, with_it = (statistics.median(s for s, _ in times[watched]) for watched in (False, True))
    print(f"a run: {plain:.1f} s; watched: {with_it:.1f} s; ratio {ratio:.3f}")
    print(f"ratio of the processor seconds of the run: {of_processor:.3f}")
    return int(seconds > MOST_SECONDS or ratio > MOST_RATIO)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
