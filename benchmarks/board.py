"""Boards: how long 200 submissions of 1000 items take to build, and what a watcher costs a run.

    python benchmarks/board.py

Exit status 1 where building takes more than 10 s, or runs with a server that answers 10^4 requests
in all need more than 1.02 times the processor seconds of runs without one. Runs come in pairs, with
and without, the first of a pair in turn; the ratio is the median over pairs, with the quartiles
beside it. The seconds of the wall are printed, too; other work on the machine moves them.
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
from typing import NamedTuple

import numpy as np

from podium import boards

SUBMISSIONS, ITEMS, MOST_SECONDS = 200, 1000, 10.0
REQUESTS, PAIRS, MOST_RATIO = 10_000, 8, 1.02
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


class Cost(NamedTuple):
    """What a run took: seconds of the wall, of its processors, and requests answered meanwhile."""

    wall: float
    processor: float
    requests: int = 0


def run_cost(folder: Path, samples: int, over: float | None) -> Cost:
    """A run, with a server that is asked over so many seconds, or without one."""
    (folder / "study.toml").write_text(STUDY.format(samples=samples), encoding="utf-8")
    for left in folder.glob("study.db*"):
        left.unlink()
    ended = threading.Event()
    answered: list[int] = []
    server = asking = None
    if over is not None:
        server = podium(folder, "board", "serve", "study.db")
        assert server.stdout is not None
        port = int(server.stdout.readline().rstrip().rstrip("/").rpartition(":")[2])
        asking = threading.Thread(target=ask, args=(port, over, ended, answered))
        asking.start()
    start, before = time.perf_counter(), spent()
    podium(folder, "run", "study.toml", "-j", "1", "-q").wait()
    wall = time.perf_counter() - start
    ended.set()
    reap(0 if server is None else server.pid)
    processor = spent() - before
    if server is not None and asking is not None:
        asking.join()
        server.terminate()
        server.communicate()
    return Cost(wall, processor, len(answered))


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


def ask(port: int, over: float, ended: threading.Event, answered: list[int]) -> None:
    """Ask for this pair's share of the requests, evenly over some seconds of the run."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    share = REQUESTS // PAIRS
    start = time.perf_counter()
    for number in range(share):
        if ended.wait(max(0.0, start + over * number / share - time.perf_counter())):
            return
        connection.request("GET", "/")
        answer = connection.getresponse()
        answer.read()
        if answer.status == 200:
            answered.append(number)


def main(samples: int = 70) -> int:
    """Measure both, and say whether they are within their limits."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds = build_seconds(folder)
        print(f"building {SUBMISSIONS} submissions of {ITEMS} items: {seconds:.1f} s", flush=True)
        over = 0.8 * run_cost(folder, samples, None).wall  # the first one also warms up
        pairs = []
        for number in range(PAIRS):
            turns = [over, None] if number % 2 else [None, over]
            one, other = (run_cost(folder, samples, turn) for turn in turns)
            pairs.append((one, other) if number % 2 else (other, one))
    for kind in ("wall", "processor"):
        ratios = [getattr(seen, kind) / getattr(alone, kind) for seen, alone in pairs]
        low, ratio, high = statistics.quantiles(ratios, n=4)
        alone = statistics.median(getattr(alone, kind) for _, alone in pairs)
        print(f"{kind}: {alone:.1f} s a run; watched {ratio:.3f} times ({low:.3f} to {high:.3f})")
    requests = sum(seen.requests for seen, _ in pairs)
    print(f"{requests} requests were answered while {PAIRS} studies ran")
    return int(seconds > MOST_SECONDS or ratio > MOST_RATIO or requests < 0.9 * REQUESTS)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
