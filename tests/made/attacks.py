"""Signals at random moments to a driver, its keeper and its workers, and what came of them."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import podium
from podium.running.execution.runner import execute

STUDY = """
name = "attacked"
seed = 11
sampling = "bootstrap:SAMPLES"
measures = ["error", "log-loss"]
[[datasets]]
name = "monks3"
source = "builtin:monks3"
[[datasets]]
name = "twonorm"
source = "builtin:twonorm"
n = 150
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
preprocess = true
[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
preprocess = true
[[algorithms]]
name = "forest"
estimator = "sklearn.ensemble.RandomForestClassifier"
parameters = { n_estimators = 5 }
preprocess = true
"""
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGINT)
Scores = dict[tuple[bytes, str], bytes]  # key of a run and measure: the score's eight bytes


@dataclass
class Attack:
    """Kills a study again and again, and looks after each driver's end whether all is there."""

    folder: Path
    samples: int
    seed: int
    sent: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    changed: int = 0
    drivers: int = 0
    studies: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.study = self.folder / "study.toml"
        self.study.write_text(STUDY.replace("SAMPLES", str(self.samples)))
        execute(podium.load_study(self.study), self.folder / "whole.db")
        self.expected = stored(self.folder / "whole.db")

    def __str__(self) -> str:
        counts = (
            f"{sum(self.sent.values())} signals, {self.drivers} drivers, {self.studies} studies"
        )
        return f"{counts}; {self.lost} scores lost, {self.changed} changed; {dict(self.sent)}"

    def kill(self, times: int, told: Callable[[Attack], object] = lambda _: None) -> None:
        """Send so many signals, to as many drivers as it takes; the last study is finished."""
        while sum(self.sent.values()) < times:
            store = self.folder / f"attacked-{self.studies}.db"
            self._attack(store, times - sum(self.sent.values()))
            told(self)
            if len(stored(store)) == len(self.expected):
                self.studies += 1
        store = self.folder / f"attacked-{self.studies}.db"
        podium.run(self.study, store, jobs=2, quiet=True)
        self._compare(store, {})
        assert stored(store) == self.expected

    def _attack(self, store: Path, most: int) -> None:
        """One driver: some signals to its children, the last one to itself."""
        before = stored(store)
        words = [sys.executable, "-m", "podium", "run", str(self.study), "--store", str(store)]
        with subprocess.Popen(
            [*words, "-q", "-j2"],
            start_new_session=True,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as driver:
            self.drivers += 1
            for left in range(min(most, self.random.randint(2, 60)), 0, -1):
                self._wait_for_workers(driver)
                time.sleep(self.random.uniform(0, 0.1))
                if driver.poll() is None:  # else the study is finished, or a signal came too early
                    self._send(driver, itself=left == 1)
            said = driver.communicate(timeout=120)[1]
        assert "Traceback" not in said, said
        assert no_process_of(driver.pid), "workers outlive their driver"
        self._compare(store, before)

    def _wait_for_workers(self, driver: subprocess.Popen[str]) -> None:
        """Until keeper and a worker are there; some signals come while they start."""
        deadline = time.monotonic() + (60 if self.random.random() < 0.9 else 0.2)
        while driver.poll() is None and time.monotonic() < deadline:
            if len(processes_of(driver.pid)) >= 3:
                return
            time.sleep(0.02)

    def _send(self, driver: subprocess.Popen[str], itself: bool) -> None:
        children = [p for p in processes_of(driver.pid) if p != driver.pid]
        if not itself and not children:
            return
        target = driver.pid if itself else self.random.choice(children)
        number = self.random.choice(SIGNALS)
        if target == driver.pid and number == signal.SIGSEGV:
            number = (
                signal.SIGKILL
            )  # a driver that crashes writes where; that is no traceback of ours
        with contextlib.suppress(ProcessLookupError):
            os.kill(target, number)
            role = "driver" if target == driver.pid else "child"
            self.sent[f"{number.name} to a {role}"] += 1

    def _compare(self, store: Path, before: Scores) -> None:
        now = stored(store)
        self.lost += len(before.keys() - now.keys())
        self.changed += sum(now[k] != v for k, v in before.items() if k in now)
        self.changed += sum(self.expected[k] != v for k, v in now.items())


def stored(store: Path) -> Scores:
    """Every score that a store holds; none where there is no store yet."""
    sql = """SELECT key, name, value FROM scores JOIN runs ON runs.id = run
             JOIN measures ON measures.id = measure WHERE NOT failed"""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{store}?mode=rw", uri=True)) as db:
            return {(k, m): struct.pack("<d", v) for k, m, v in db.execute(sql)}
    except sqlite3.OperationalError:
        return {}


def processes_of(session: int) -> list[int]:
    """The processes of a session, but for those that have ended."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if fields[0] != "Z" and int(fields[3]) == session:
                found.append(int(process.name))
    return found


def no_process_of(session: int, patience: float = 20) -> bool:
    """Whether all processes of a session end by themselves."""
    deadline = time.monotonic() + patience
    while (left := processes_of(session)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not left
