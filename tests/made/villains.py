"""Algorithms that misbehave, for tests; a module of its own, as workers import it."""

import ctypes
import os
import shutil
import signal
import sys
import time

import numpy as np

MEGABYTE = b"spam" * 2**18


class Good:
    """Predicts by the global generator, which a neighbour may have disturbed."""

    def fit(self, X, y):
        self.classes = np.unique(y)
        return self

    def predict(self, X):
        return np.random.choice(self.classes, len(X))


class Exits(Good):
    """Ends its process."""

    def fit(self, X, y):
        os._exit(3)


class Crashes(Good):
    """Reads from address 0."""

    def fit(self, X, y):
        ctypes.string_at(0)


class Killed(Good):
    """Is killed as the system does it."""

    def fit(self, X, y):
        os.kill(os.getpid(), signal.SIGKILL)


class Hoards(Good):
    """Takes all memory that it can get."""

    def fit(self, X, y):
        hoard = []
        while True:
            hoard.append(np.ones(2**22))


class Sleeps(Good):
    """Never ends."""

    def fit(self, X, y):
        while True:
            time.sleep(1)


class Prints(Good):
    """Prints 100 MB, by Python and past it; works otherwise."""

    def fit(self, X, y):
        for _ in range(25):
            sys.stdout.write(MEGABYTE.decode())
            print(MEGABYTE.decode(), file=sys.stderr)
            os.write(1, MEGABYTE)
            os.write(2, MEGABYTE)
        return super().fit(X, y)


class Closes(Good):
    """Closes all files that it finds, also those that are not its own."""

    def fit(self, X, y):
        os.closerange(3, 256)
        return super().fit(X, y)


class Quits(Good):
    """Leaves as a script would."""

    def fit(self, X, y):
        sys.exit("enough")


class Interrupts(Good):
    """Pretends that somebody pressed Ctrl-C."""

    def fit(self, X, y):
        raise KeyboardInterrupt("not really")


class Raises(Good):
    """Fails as algorithms do."""

    def fit(self, X, y):
        raise ValueError("no")


FAILURES = {
    Exits: ("WorkerDied", "The run's process ended itself with exit status 3."),
    Crashes: ("WorkerDied", "The run's process was ended by SIGSEGV (Segmentation fault)."),
    Killed: (
        "WorkerDied",
        "The run's process was ended by SIGKILL (Killed), as the system does when memory runs out.",
    ),
    Hoards: ("MemoryLimitExceeded", None),
    Sleeps: ("TimeLimitExceeded", "The run took more than 2 s."),
    Closes: (
        "WorkerDied",
        "The run's process lost its connection: the algorithm may have closed files that are not "
        "its own.",
    ),
    Quits: ("SystemExit", "enough"),
    Interrupts: ("KeyboardInterrupt", "not really"),
    Raises: ("ValueError", "no"),
}


class Spoils(Good):
    """Does away with a file, and works otherwise, but waits for a sign of the test's."""

    def __init__(self, file, how):
        self.file = file
        self.how = how

    def fit(self, X, y):
        if not os.path.exists(f"{self.file}-spoilt"):
            open(f"{self.file}-spoilt", "w").close()
            SPOILING[self.how](self.file)
        return super().fit(X, y)


def _replace(file):
    with open(f"{file}-other", "wb") as other:
        other.write(b"SQLite format 3\0" * 1000)
    os.replace(f"{file}-other", file)


def _remove_all(file):
    for ending in ("", "-wal", "-shm", "-writer"):
        if os.path.exists(file + ending):
            os.unlink(file + ending)


SPOILING = {
    "delete": os.unlink,
    "delete all": _remove_all,
    "move": lambda file: os.rename(file, f"{file}-moved"),
    "replace": _replace,
    "cut": lambda file: os.truncate(file, 0),
    "remove the folder": lambda file: shutil.rmtree(os.path.dirname(file)),
}


class DiesOnce(Good):
    """Is killed by somebody else, the first time that it is fitted to so many rows."""

    def __init__(self, folder):
        self.folder = folder

    def fit(self, X, y):
        mark = os.path.join(self.folder, f"{X.sum():.17g}")
        if not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y)


class Parent(Good):
    """Starts a process that would live for long, notes its number, and dies."""

    def __init__(self, file):
        self.file = file

    def fit(self, X, y):
        child = os.fork()
        if not child:
            time.sleep(600)
        with open(self.file, "a") as file:
            file.write(f"{child}\n")
        os._exit(0)
